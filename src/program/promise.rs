//! Promises about clocks.

use super::symbol::Anchor;
use super::value::Value;
use crate::text::source::Span;

/// A promise before layout.
#[derive(Clone, Debug)]
pub struct Promise {
    /// Index in the target's list.
    pub kind: u8,
    /// The statement behind it.
    pub place: Anchor,
    /// Values and their texts.
    pub values: Vec<(Value, Span)>,
    /// Words.
    pub words: Vec<&'static str>,
    /// Statement.
    pub span: Span,
    /// Expansion.
    pub expansion: u32,
}
