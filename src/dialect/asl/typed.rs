//! Values that are more than numbers.

/// A value that is known.
#[derive(Clone, Debug, PartialEq)]
pub enum Typed {
    Int(i64),
    Real(f64),
    /// A text, and whether single quotes stand around it: those are a number where one is
    /// wanted.
    Text(Vec<u8>, bool),
}
