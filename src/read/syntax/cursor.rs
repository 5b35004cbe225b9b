//! Going through the tokens of a statement.

use crate::text::lex::{Kind, Tok};

/// A place in some tokens.
#[derive(Clone, Copy)]
pub struct Cursor<'t> {
    /// The tokens.
    pub toks: &'t [Tok],
    /// The next one.
    pub at: usize,
}

impl<'t> Cursor<'t> {
    /// At the first token.
    pub fn new(toks: &'t [Tok]) -> Self {
        Self { toks, at: 0 }
    }
    /// The next token.
    #[inline]
    pub fn peek(&self) -> Option<&'t Tok> {
        self.toks.get(self.at)
    }
    /// Kind of the next token.
    #[inline]
    pub fn kind(&self) -> Option<Kind> {
        self.peek().map(|t| t.kind)
    }
    /// Takes the next token if it is of that kind.
    pub fn eat(&mut self, kind: Kind) -> bool {
        let yes = self.kind() == Some(kind);
        self.at += usize::from(yes);
        yes
    }
    /// Whether all are taken.
    pub fn done(&self) -> bool {
        self.at >= self.toks.len()
    }
}
