//! Operands as other assemblers write them.

use crate::read::Assembler;
use crate::read::syntax::operand::Arguments;
use crate::text::lex::{Kind, Tok};
use scrimp_isa::Outline;

impl Assembler<'_> {
    /// Takes the offset before the brackets for one in them: `5(ix)` is `(ix+5)`.
    pub(in super::super) fn offsets_before(&self, toks: &[Tok], args: &mut Arguments) {
        for arg in args.iter_mut().filter(|g| g.outline == Outline::Value) {
            let (a, b) = arg.all;
            if b - a < 4 {
                continue;
            }
            let [open, word, close] = toks[b as usize - 3..b as usize] else {
                continue;
            };
            let word = match (open.kind, close.kind) {
                (Kind::Open, Kind::Close) => self.word_of(&word),
                _ => 0,
            };
            if word != 0 {
                arg.outline = Outline::RoundWordValue;
                arg.word = word;
                arg.value = (a, b - 3);
            }
        }
    }
}
