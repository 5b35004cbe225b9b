//! Operands as other assemblers write them.

use crate::diagnostic::{Diagnostic, codes};
use crate::program::Outcome;
use crate::read::Assembler;
use crate::read::syntax::expression::Cursor;
use crate::read::syntax::operand::Arguments;
use crate::text::lex::{Kind, Tok};
use scrimp_isa::Outline;

/// Halves of index registers.
const HALVES: [&str; 4] = ["ixh", "ixl", "iyh", "iyl"];

/// Operands in square brackets are values, as in parentheses that only group.
pub(in super::super) fn squares_group(args: &mut Arguments) {
    for arg in args.iter_mut() {
        if matches!(
            arg.outline,
            Outline::SquareValue
                | Outline::SquareWord
                | Outline::SquareWordValue
                | Outline::SquareWordWord
                | Outline::SquareWordWordIncrement
        ) {
            (arg.outline, arg.word, arg.second) = (Outline::Value, 0, 0);
            arg.value = arg.all;
        }
    }
}

impl Assembler<'_> {
    /// A value in square brackets, of which `t` is the first; true.
    pub(in super::super) fn square_value(
        &mut self,
        t: &Tok,
        c: &mut Cursor<'_>,
        depth: u32,
    ) -> Outcome<bool> {
        self.ternary(c, depth + 1)?;
        if !c.eat(Kind::SquareClose) {
            let span = c.peek().map_or(t.span, |t| t.span);
            let d = Diagnostic::new(codes::SYNTAX, "expected `]`").at(span);
            return Err(Box::new(d.related(t.span, "opened here")));
        }
        Ok(true)
    }

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

    /// `ex hl,de`, `ex af',af`, `ex hl,(sp)`: the operands of an exchange in the order that
    /// the table has, whatever order they are in.
    pub(in super::super) fn exchange_in_order(
        &self,
        mnemonic: u16,
        toks: &[Tok],
        args: &mut Arguments,
    ) {
        if self.words.mnemonics[usize::from(mnemonic)].name != "ex" {
            return;
        }
        let [first, second] = &args[..] else { return };
        let first = &toks[first.all.0 as usize];
        let hl = self.text(first).eq_ignore_ascii_case("hl") && second.outline == Outline::Word;
        if hl || first.kind == Kind::AfPrime || second.outline == Outline::RoundWord {
            args.swap(0, 1);
        }
    }

    /// Halves of index registers whose names the program has given to something else are
    /// that; whether there are any.
    pub(in super::super) fn halves_are_names(&self, toks: &[Tok], args: &mut Arguments) -> bool {
        let mut any = false;
        for arg in args.iter_mut().filter(|g| g.outline == Outline::Word) {
            let text = self.text(&toks[arg.all.0 as usize]);
            let half = |h: &&str| h.eq_ignore_ascii_case(text);
            if HALVES.iter().any(half) && self.symbols.defined(&self.key(text)).is_some() {
                (arg.outline, arg.word, arg.value) = (Outline::Value, 0, arg.all);
                any = true;
            }
        }
        any
    }
}
