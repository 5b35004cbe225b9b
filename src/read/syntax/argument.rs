//! Operands of a statement as they are written.

use crate::text::source::Span;
use scrimp_isa::Outline;
use smallvec::SmallVec;

/// An operand as written.
#[derive(Clone, Copy, Debug)]
pub struct Argument {
    /// Its outline.
    pub outline: Outline,
    /// Number of its register or condition; 0 for none.
    pub word: u8,
    /// A second one.
    pub second: u8,
    /// All its tokens, as indices in the statement's tokens.
    pub all: (u32, u32),
    /// Tokens of its value, likewise.
    pub value: (u32, u32),
    /// The value is subtracted as a whole (`(ix-5)`).
    pub minus: bool,
    /// Its text.
    pub span: Span,
}

/// Operands of a statement.
pub type Arguments = SmallVec<[Argument; 4]>;
