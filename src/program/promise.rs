//! Promises about clocks.

use super::Value;
use super::symbol::Place;
use crate::text::source::Span;

/// A promise before layout.
#[derive(Clone, Debug)]
pub struct Promise {
    /// Index in the target's list.
    pub kind: u8,
    /// The statement behind it.
    pub place: Place,
    /// Values and their texts.
    pub values: Vec<(Value, Span)>,
    /// Words.
    pub words: Vec<&'static str>,
    /// Statement.
    pub span: Span,
    /// Expansion.
    pub expansion: u32,
}

impl Promise {
    /// It is about what stands behind it, whatever is put between.
    pub(crate) fn move_to(&mut self, here: Place) {
        if (self.place.chunk, self.place.offset) == (here.chunk, here.offset) {
            self.place = here;
        }
    }
}
