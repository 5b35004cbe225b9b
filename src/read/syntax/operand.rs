//! Operands of instructions: outline, words and value.

use crate::diagnostic::{Diagnostic, codes};
use crate::program::{Outcome, Value};
use crate::read::Assembler;
pub use crate::read::syntax::argument::{Argument, Arguments};
use crate::text::lex::{Kind, Tok};
use scrimp_isa::Outline;
use smallvec::SmallVec;

/// Splits tokens at commas outside brackets.
pub fn split(toks: &[Tok]) -> SmallVec<[(u32, u32); 4]> {
    let mut out = SmallVec::new();
    if toks.is_empty() {
        return out;
    }
    let (mut depth, mut start) = (0i32, 0u32);
    for (i, t) in toks.iter().enumerate() {
        match t.kind {
            Kind::Open | Kind::SquareOpen => depth += 1,
            Kind::Close | Kind::SquareClose => depth -= 1,
            Kind::Comma if depth <= 0 => {
                out.push((start, i as u32));
                start = i as u32 + 1;
            }
            _ => {}
        }
    }
    out.push((start, toks.len() as u32));
    out
}

/// Whether the bracket at the start closes at the very end.
fn wrapped(toks: &[Tok], open: Kind, close: Kind) -> bool {
    let mut depth = 0i32;
    for (i, t) in toks.iter().enumerate() {
        if t.kind == open {
            depth += 1;
        } else if t.kind == close {
            depth -= 1;
            if depth == 0 {
                return i + 1 == toks.len();
            }
        }
    }
    false
}

impl Assembler<'_> {
    /// Number of the register or condition that a token names; 0 for none.
    #[inline]
    pub fn word_of(&self, t: &Tok) -> u8 {
        if matches!(t.kind, Kind::Name | Kind::AfPrime) {
            let text = self.sources.slice(t.span);
            if !self.naming.register_names.is_empty()
                && let Some(n) = self.register_named(text)
            {
                return n;
            }
            match self.words.get(text).word {
                0 => self.again.register_named(|| self.key(text).into_owned()),
                n => n,
            }
        } else {
            0
        }
    }

    /// Number of the register that the program calls so.
    fn register_named(&self, text: &str) -> Option<u8> {
        self.naming
            .register_names
            .get(&*self.key(text))
            .map(|r| r.0)
    }

    /// The register that the program calls so.
    pub fn register_called(&self, t: &Tok) -> Option<&str> {
        let number = self.register_named(self.text(t))?;
        self.words
            .words
            .get(usize::from(number).checked_sub(1)?)
            .map(|w| &**w)
    }

    /// Outlines of the operands of a statement. `base` is the index of
    /// `toks[0]` in the statement.
    pub fn arguments(&mut self, toks: &[Tok], base: u32) -> Outcome<Arguments> {
        let mut out = Arguments::new();
        for (a, b) in split(toks) {
            let part = &toks[a as usize..b as usize];
            if part.is_empty() {
                let hooks = self.own.hooks;
                if let Some(taken) = hooks.no_operand(self, base + a) {
                    out.push(taken);
                    continue;
                }
                let at = toks
                    .get(b as usize)
                    .or(toks.last())
                    .map_or(self.statement, |t| t.span);
                let d = Diagnostic::new(codes::SYNTAX, "an operand is missing here").at(at);
                return Err(Box::new(d.help("write one, or leave a comma out")));
            }
            out.push(self.argument(part, base + a));
        }
        Ok(out)
    }

    /// The operand that some tokens are; `base` as in [`arguments`](Self::arguments).
    pub(crate) fn argument(&self, toks: &[Tok], base: u32) -> Argument {
        let n = toks.len();
        let mut arg = Argument {
            outline: Outline::Value,
            word: 0,
            second: 0,
            all: (base, base + n as u32),
            value: (base, base + n as u32),
            minus: false,
            span: self.span_of(toks),
        };
        let first = toks[0];
        if n == 1 {
            arg.word = self.word_of(&first);
            if arg.word != 0 {
                arg.outline = Outline::Word;
            }
            return arg;
        }
        let square =
            first.kind == Kind::SquareOpen && wrapped(toks, Kind::SquareOpen, Kind::SquareClose);
        let round = first.kind == Kind::Open && wrapped(toks, Kind::Open, Kind::Close);
        if round || (square && self.dialect.operands.square_memory) {
            arg.value = (base + 1, base + n as u32 - 1);
            self.in_round(&toks[1..n - 1], &mut arg);
        } else if square {
            arg.value = (base + 1, base + n as u32 - 1);
            self.in_square(&toks[1..n - 1], &mut arg);
        } else {
            self.unwrapped(toks, &mut arg);
        }
        arg
    }

    /// What stands in parentheses, whose tokens are the operand's value so far.
    #[inline]
    fn in_round(&self, inner: &[Tok], arg: &mut Argument) {
        arg.outline = Outline::RoundValue;
        let Some(first) = inner.first() else {
            return;
        };
        let word = self.word_of(first);
        if word != 0 && inner.len() == 1 {
            arg.outline = Outline::RoundWord;
            arg.word = word;
        } else if word != 0 && matches!(inner[1].kind, Kind::Plus | Kind::Minus) {
            arg.outline = Outline::RoundWordValue;
            arg.word = word;
            arg.minus = inner[1].kind == Kind::Minus && self.dialect.operands.index_minus_whole;
            // The sign belongs to the value where it binds tightly.
            arg.value.0 += 1 + u32::from(arg.minus || inner[1].kind == Kind::Plus);
        }
    }

    /// What stands in square brackets, whose tokens are the operand's value so far.
    fn in_square(&self, inner: &[Tok], arg: &mut Argument) {
        arg.outline = Outline::SquareValue;
        let word = inner.first().map_or(0, |t| self.word_of(t));
        if word == 0 {
            return;
        }
        arg.word = word;
        match inner.len() {
            1 => arg.outline = Outline::SquareWord,
            _ if inner[1].kind == Kind::Comma => {
                let second = inner.get(2).map_or(0, |t| self.word_of(t));
                arg.value.0 += 2;
                arg.second = second;
                arg.outline = match (second, inner.len()) {
                    (0, _) => Outline::SquareWordValue,
                    (_, 3) => Outline::SquareWordWord,
                    (_, 5) if inner[3..].iter().all(|t| t.kind == Kind::Plus) => {
                        Outline::SquareWordWordIncrement
                    }
                    _ => Outline::SquareWordValue,
                };
            }
            _ => {}
        }
    }

    /// Several tokens without brackets around them.
    #[inline]
    fn unwrapped(&self, toks: &[Tok], arg: &mut Argument) {
        let (first, n) = (toks[0], toks.len());
        let word = self.word_of(&first);
        if n == 3 && word != 0 && toks[1].kind == Kind::Colon {
            // A pair of registers that is a word of its own: `r25:r24`.
            let low = self.word_of(&toks[2]);
            let name = |w: u8| self.words.words.get(usize::from(w).wrapping_sub(1));
            let pair = match (name(word), name(low)) {
                (Some(high), Some(low)) => self.words.get(&format!("{high}:{low}")).word,
                _ => 0,
            };
            if pair != 0 {
                arg.word = pair;
                arg.outline = Outline::Word;
            }
        } else if word != 0 && toks[1].kind == Kind::Plus {
            arg.word = word;
            if n == 2 {
                arg.outline = Outline::WordIncrement;
            } else if n == 3 && toks[2].kind == Kind::Plus {
                arg.outline = Outline::WordDoubleIncrement;
            } else {
                arg.outline = Outline::WordValue;
                arg.value.0 += 2;
            }
        } else if first.kind == Kind::Minus && n == 2 && self.word_of(&toks[1]) != 0 {
            arg.outline = Outline::WordDecrement;
            arg.word = self.word_of(&toks[1]);
        }
    }

    /// The value of an operand that starts with a register's name, which is meant
    /// as a symbol: `i`, `i+1`, `(i+1)`.
    pub fn argument_sum(&mut self, toks: &[Tok], a: &Argument) -> Outcome<Value> {
        match a.outline {
            Outline::WordValue | Outline::RoundWordValue => {
                self.whole_expression(&toks[a.all.0 as usize..a.all.1 as usize])
            }
            _ => self.argument_value(toks, a),
        }
    }

    /// The value of an operand.
    pub fn argument_value(&mut self, toks: &[Tok], a: &Argument) -> Outcome<Value> {
        let part = &toks[a.value.0 as usize..a.value.1 as usize];
        if part.is_empty() {
            let hooks = self.own.hooks;
            return hooks.no_value(self, a);
        }
        self.whole_expression(part)
    }
}
