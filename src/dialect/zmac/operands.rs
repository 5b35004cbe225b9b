//! Operands and values: `5(ix)`, `[x]`, texts of two characters.

use super::super::margin::operands::squares_group;
use super::clocks::COUNTS;
use crate::diagnostic::{Diagnostic, codes};
use crate::program::Outcome;
use crate::program::eval::Op;
use crate::read::Assembler;
use crate::read::syntax::expression::Cursor;
use crate::read::syntax::literal::is_quoted;
use crate::read::syntax::operand::Arguments;
use crate::text::lex::{Kind, Tok};

/// Words of the 8080, each with the Z80's that takes more operands.
const THE_Z80S: [(&str, &str); 6] = [
    ("cmp", "cp"),
    ("ana", "and"),
    ("ora", "or"),
    ("xra", "xor"),
    ("sbb", "sbc"),
    ("jmp", "jp"),
];

/// What stands in operands of the Z80's alone.
const OPERANDS: [&str; 7] = ["hl", "ix", "iy", "ixh", "ixl", "iyh", "iyl"];

impl Assembler<'_> {
    /// What is a value here and nowhere else.
    pub(super) fn zmac_leaf(&mut self, t: &Tok, c: &mut Cursor<'_>, depth: u32) -> Outcome<bool> {
        match t.kind {
            Kind::SquareOpen => self.square_value(t, c, depth),
            Kind::Single | Kind::Double => {
                let text = self.quoted_codes(t)?;
                let v = match text[..] {
                    [] => 0,
                    [a, b] => i64::from(a) | i64::from(b) << 8,
                    _ => return Ok(false),
                };
                self.ops.push(Op::Number(v));
                Ok(true)
            }
            Kind::Dollar if t.span.end - t.span.start > 1 => {
                // Digits, unless the program has a label of that name.
                let name = Tok {
                    kind: Kind::Name,
                    span: t.span,
                };
                let known = self.is_defined(&name)?;
                if known {
                    let id = self.symbol_used(&name)?;
                    self.push_symbol(id);
                }
                Ok(known)
            }
            Kind::Number => match self.zmac_odd_name(t) {
                Some(name) => {
                    let id = self.symbol_used(&name)?;
                    self.push_symbol(id);
                    Ok(true)
                }
                None => Ok(false),
            },
            Kind::Name => {
                let text = self.sources.slice(t.span);
                let counts = COUNTS.iter().any(|w| w.eq_ignore_ascii_case(text));
                let value = matches!(
                    c.kind(),
                    Some(Kind::Name | Kind::Number | Kind::Dollar | Kind::Open)
                );
                if counts && value {
                    if self.dialect.name != "zmac" {
                        let message = format!("`{text}` of the 8080 is not done by scrimp");
                        let d = Diagnostic::new(codes::BAD_EXPRESSION, message).at(t.span);
                        return Err(Box::new(d));
                    }
                    return self.zmac_counted(t, c, depth).map(|()| true);
                }
                Ok(false)
            }
            _ => Ok(false),
        }
    }

    /// Whether some tokens have a text of two characters among them, which in data is two
    /// bytes.
    pub(super) fn zmac_is_pair(&mut self, toks: &[Tok]) -> Outcome<bool> {
        for t in toks.iter().filter(|t| is_quoted(t)) {
            if self.quoted_codes(t)?.len() == 2 {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The instruction that is meant: a word of the 8080 with operands of the Z80's is the
    /// Z80's, as in `cmp a,(ix+1)`.
    pub(super) fn zmac_meant(&self, mnemonic: u16, operands: &[Tok]) -> u16 {
        let name = self.words.mnemonics[usize::from(mnemonic)].name.as_str();
        let Some((_, own)) = THE_Z80S.iter().find(|w| w.0 == name) else {
            return mnemonic;
        };
        let others = |t: &Tok| {
            let text = self.sources.slice(t.span);
            t.kind == Kind::Comma || OPERANDS.iter().any(|o| o.eq_ignore_ascii_case(text))
        };
        let own = self.words.get(own).mnemonic.checked_sub(1);
        own.filter(|_| operands.iter().any(others))
            .unwrap_or(mnemonic)
    }

    /// Operands as they are written here only; true if the line depends on more than its
    /// own text.
    pub(super) fn zmac_operands(
        &mut self,
        mnemonic: u16,
        toks: &[Tok],
        args: &mut Arguments,
    ) -> Outcome<bool> {
        let name = self.words.mnemonics[usize::from(mnemonic)].name.as_str();
        if let ("push" | "pop", [arg]) = (name, &mut args[..])
            && toks[arg.all.0 as usize].kind == Kind::AfPrime
        {
            arg.word = self.words.get("af").word;
        }
        squares_group(args);
        self.offsets_before(toks, args);
        Ok(false)
    }
}
