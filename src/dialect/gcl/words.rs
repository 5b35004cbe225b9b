//! What a word is made of: a mark before it, a name, a number, marks behind.

use super::state::State;
use crate::diagnostic::{Diagnostic, codes};
use crate::program::Outcome;
use crate::program::eval::Op;
use crate::program::symbol::SymbolId;
use crate::read::Assembler;
use crate::text::language::Unary;

/// Marks that may stand before a name or number.
const BEFORE: [char; 7] = ['%', '#', '<', '>', '*', '=', '@'];
/// Bytes of a name at most.
const LONGEST: usize = 1024;

/// A constant: a number, or a name with its value so far.
#[derive(Clone, Copy, Debug)]
pub enum Constant {
    /// A number.
    Number(i64),
    /// `\name` or `&_name`.
    Name {
        /// Which.
        id: SymbolId,
        /// Its value, if it is defined above; without the sign.
        value: Option<i64>,
        /// It counts negative.
        minus: bool,
    },
}

impl Constant {
    /// Its value, if that is known.
    pub fn known(self) -> Option<i64> {
        match self {
            Self::Number(n) => Some(n),
            Self::Name { value, minus, .. } => value.map(|n| if minus { -n } else { n }),
        }
    }

    /// The operations that give it.
    pub fn operations(self) -> Vec<Op> {
        match self {
            Self::Number(n) => vec![Op::Number(n)],
            Self::Name { id, minus, .. } => {
                let mut ops = vec![Op::Symbol(id)];
                if minus {
                    ops.push(Op::Unary(Unary::Neg));
                }
                ops
            }
        }
    }
}

/// A word in its parts.
#[derive(Debug, Default)]
pub struct Word<'t> {
    /// A variable, or `_name`.
    pub name: Option<&'t str>,
    /// A constant.
    pub constant: Option<Constant>,
    /// The marks: those before, a blank behind them; those behind.
    pub marks: String,
}

/// How many bytes of a text are of characters that count.
fn length(text: &str, counts: impl Fn(char) -> bool) -> usize {
    text.find(|c| !counts(c)).unwrap_or(text.len())
}

/// The value of digits, which may be too many.
fn number(digits: &str, radix: u32) -> Option<i64> {
    i64::from_str_radix(digits, radix)
        .ok()
        .filter(|n| *n <= u32::MAX.into())
}

impl Assembler<'_> {
    /// Takes a word apart.
    pub(super) fn gcl_parts<'t>(&mut self, text: &'t str) -> Outcome<Word<'t>> {
        let mut word = Word::default();
        let mut rest = text;
        let take = |rest: &mut &'t str, n: usize| {
            let (taken, more) = rest.split_at(n);
            *rest = more;
            taken
        };
        let before = length(rest, |c| BEFORE.contains(&c));
        if before > 0 {
            word.marks.push_str(take(&mut rest, before));
            word.marks.push(' ');
        }
        let mut name = None;
        if rest.starts_with(|c: char| c.is_alphabetic() || "&\\_".contains(c)) {
            let first = rest.chars().next().map_or(1, char::len_utf8);
            let more = length(&rest[first..], |c| c.is_alphanumeric() || c == '_');
            name = Some(take(&mut rest, first + more));
        }
        if rest.starts_with('=') {
            word.marks.push_str(take(&mut rest, 1));
        }
        let sign = match rest.starts_with(['-', '+']) {
            true => take(&mut rest, 1),
            false => "",
        };
        let digits = match rest.strip_prefix('$') {
            Some(hex) => 1 + length(hex, |c| c.is_ascii_hexdigit()),
            None => length(rest, |c| c.is_ascii_digit()),
        };
        let mut value = None;
        match rest.starts_with('$') {
            true if digits > 1 => value = Some(number(&take(&mut rest, digits)[1..], 16)),
            false if digits > 0 => value = Some(number(take(&mut rest, digits), 10)),
            _ => word.marks.push_str(sign),
        }
        word.constant = match value {
            Some(Some(n)) => Some(Constant::Number(if sign == "-" { -n } else { n })),
            Some(None) => {
                let d = Diagnostic::new(codes::BAD_NUMBER, "the number is too large");
                return Err(Box::new(d.at(self.statement)));
            }
            None => None,
        };
        if let Some(name) = name {
            self.gcl_named(name, sign == "-" && value.is_some(), &mut word)?;
        }
        word.marks.push_str(rest);
        Ok(word)
    }

    /// The name in a word: a constant's, or a variable's.
    fn gcl_named<'t>(&mut self, name: &'t str, minus: bool, word: &mut Word<'t>) -> Outcome<()> {
        if name.len() > LONGEST {
            let d = Diagnostic::new(codes::TOO_LONG, "a name is longer than 1,024 bytes");
            return Err(Box::new(d.at(self.statement)));
        }
        let meant = match name.strip_prefix('\\') {
            Some(meant) => meant,
            None => match name.strip_prefix('&') {
                Some(rest) => rest.strip_prefix('_').unwrap_or(""),
                None => {
                    word.name = Some(name);
                    return Ok(());
                }
            },
        };
        if meant.is_empty() {
            let message = format!("there is no name in `{}`", self.text_of_statement());
            let d = Diagnostic::new(codes::SYNTAX, message).at(self.statement);
            return Err(Box::new(
                d.help("a constant is `\\name`, defined by `_name=`"),
            ));
        }
        if word.constant.is_some() {
            // The value of the name takes the place of the number, and keeps its sign.
            self.not_read(self.statement);
        }
        let id = self.gcl_constant(meant)?;
        let value = self.gcl_symbol_now(id);
        word.constant = Some(Constant::Name { id, value, minus });
        Ok(())
    }

    /// A word that is no bracket.
    pub(super) fn gcl_meaning(&mut self, text: &str) -> Outcome<()> {
        if let Some(quoted) = text.strip_prefix('`') {
            return self.gcl_quoted(quoted);
        }
        let alone = |a: &mut Self, mnemonic, size| a.gcl_instruction(mnemonic, None, size);
        match text {
            "def" => return self.gcl_def(),
            "do" => return self.gcl_do(),
            "loop" => return self.gcl_back("bra", 2),
            "else" => return self.gcl_else(),
            "call" => return self.gcl_call_accumulator(),
            "push" | "pop" | "peek" | "deek" => return alone(self, text, 1),
            "ret" => {
                let at = self.statement;
                let state = self.own.get_mut::<State>();
                if state.blocks.len() == 1 {
                    state.returns.get_or_insert(at);
                }
                return alone(self, text, 1);
            }
            _ if self.gcl_condition(text)? => return Ok(()),
            _ => {}
        }
        let word = self.gcl_parts(text)?;
        match (word.name, word.constant) {
            (Some(name), Some(constant)) => self.gcl_definition(name, constant, &word.marks),
            (None, Some(constant)) => self.gcl_of_constant(constant, &word.marks),
            (Some(name), None) => self.gcl_of_name(name, &word.marks),
            (None, None) => Err(self.gcl_no_word()),
        }
    }

    /// The finding for marks that mean nothing.
    pub(super) fn gcl_no_word(&self) -> Box<Diagnostic> {
        let message = format!("`{}` is no word of GCL", self.text_of_statement());
        let d = Diagnostic::new(codes::UNKNOWN_INSTRUCTION, message).at(self.statement);
        Box::new(d.help(
            "`scrimp help dialect-gcl` lists what may stand before and behind a name or number",
        ))
    }

    /// `` `Text `` with a backquote for each blank; alone it is one.
    fn gcl_quoted(&mut self, text: &str) -> Outcome<()> {
        let written = match text.is_empty() {
            true => "`".to_owned(),
            false => text.replace('`', " "),
        };
        let mut bytes = Vec::with_capacity(written.len());
        for c in written.chars() {
            let Ok(b) = u8::try_from(u32::from(c)) else {
                let d = Diagnostic::new(codes::OUT_OF_RANGE, format!("`{c}` is no byte"));
                return Err(Box::new(d.at(self.statement)));
            };
            bytes.push(b);
        }
        self.gcl_data(&bytes)
    }
}
