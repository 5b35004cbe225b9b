//! What is known while a listing is read.

use super::memo::Line;
use crate::program::symbol::SymbolId;
use crate::text::lex::Tok;
use crate::text::source::Span;
use rustc_hash::FxHashMap;

/// What is known while a listing is read.
#[derive(Debug, Default)]
pub struct Listed {
    /// Address and encoding of the line, as printed.
    pub columns: Option<(Span, Span)>,
    /// The last instruction, without its label.
    pub last: Vec<Tok>,
    /// Where it stands, if it was met before and its tokens are not there.
    pub last_met: Option<Span>,
    /// What the instruction of the line is, if it was met before, and where it stands.
    pub met: Option<(Line, Span)>,
    /// An address was wrong, so the following ones are too.
    pub off: bool,
    /// Lines of its head so far.
    pub head: usize,
    /// There are too many of them, or one is no text.
    pub strange: bool,
    /// Labels that stand in several places: the earlier ones have these symbols.
    pub others: FxHashMap<SymbolId, Vec<SymbolId>>,
}

impl Listed {
    /// Whether an instruction has been read.
    pub fn any(&self) -> bool {
        !self.last.is_empty() || self.last_met.is_some()
    }
}
