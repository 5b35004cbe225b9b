//! Words of a variable or of `_name`: `X`, `X=`, `>X++`, `#@_there`.

use super::state::State;
use crate::diagnostic::{Diagnostic, codes};
use crate::program::eval::Op;
use crate::program::symbol::{Meaning, SymbolId};
use crate::program::{Outcome, Value};
use crate::read::Assembler;
use crate::text::language::Binary;

/// Marks, what they are, and what is added to the variable's address.
#[rustfmt::skip]
const MARKS: &[(&str, &str, i64)] = &[
    ("", "ldw", 0), ("=", "stw", 0), (".", "poke", 0), (":", "doke", 0),
    ("&", "andw", 0), ("|", "orw", 0), ("^", "xorw", 0), ("+", "addw", 0), ("-", "subw", 0),
    ("!", "call", 0),
    ("< ,", "ld", 0), ("> ,", "ld", 1), ("< .", "st", 0), ("> .", "st", 1),
    ("< ++", "inc", 0), ("> ++", "inc", 1),
    ("<++", "inc", 0), (">++", "inc", 1),
    ("<,", "ld", 0), (">,", "ld", 1), ("<.", "st", 0), (">.", "st", 1),
];

/// The constant 1 in page 0.
const ONE: i64 = 0x80;
/// vAC.
const ACCUMULATOR: i64 = 0x18;

impl Assembler<'_> {
    /// A word of a name and marks.
    pub(super) fn gcl_of_name(&mut self, name: &str, marks: &str) -> Outcome<()> {
        if let Some(&(_, mnemonic, plus)) = MARKS.iter().find(|m| m.0 == marks) {
            let value = self.gcl_cell(name, plus)?;
            return self.gcl_instruction(mnemonic, Some(value), 2);
        }
        match marks {
            "," | ";" => {
                let value = self.gcl_cell(name, 0)?;
                self.gcl_instruction("ldw", Some(value), 2)?;
                let read = if marks == "," { "peek" } else { "deek" };
                self.gcl_instruction(read, None, 1)
            }
            "=*" => self.gcl_label(name),
            "# " | "#< " => {
                let value = self.gcl_cell(name, 0)?;
                self.gcl_value_data(value, 1)
            }
            "#> " => {
                let value = match name.strip_prefix('_') {
                    Some(meant) => {
                        let id = self.gcl_constant(meant)?;
                        self.gcl_bits(&[Op::Symbol(id)], 8, 0xff)
                    }
                    None => self.gcl_cell(name, 1)?,
                };
                self.gcl_value_data(value, 1)
            }
            "## " => {
                let ops = match name.strip_prefix('_') {
                    Some(meant) => Op::Symbol(self.gcl_constant(meant)?),
                    None => return Err(self.gcl_no_word()),
                };
                let value = self.gcl_bits(&[ops], 0, 0xffff);
                self.gcl_value_data(value, 2)
            }
            "#@ " => {
                let here = self.own.get::<State>().segment.at;
                let value = self.gcl_cell(name, -here - 1)?;
                self.gcl_value_data(value, 1)
            }
            _ => Err(self.gcl_no_word()),
        }
    }

    /// The address of a variable, or the low byte of `_name`, and so much.
    fn gcl_cell(&mut self, name: &str, plus: i64) -> Outcome<Value> {
        let more = [Op::Number(plus), Op::Binary(Binary::Add)];
        let more = if plus == 0 { &[][..] } else { &more[..] };
        if let Some(meant) = name.strip_prefix('_') {
            let id = self.gcl_constant(meant)?;
            return Ok(self.gcl_bits(&[&[Op::Symbol(id)], more].concat(), 0, 0xff));
        }
        let (at, id) = self.gcl_variable(name)?;
        let sum = at + plus;
        if !(0..0x100).contains(&sum) {
            let message = format!("`{name}` is at ${at:02X}, from which {sum} is no byte");
            let d = Diagnostic::new(codes::OUT_OF_RANGE, message).at(self.statement);
            return Err(Box::new(d));
        }
        let (expansion, span) = (self.expansion, self.statement);
        self.symbols.mark_used(id, span, expansion);
        Ok(match self.symbols.get(id).meaning {
            Meaning::Number(n) if n == at => self.gcl_value(&[&[Op::Symbol(id)], more].concat()),
            _ => Value::Number(sum),
        })
    }

    /// The address of a variable, which it gets where it stands first.
    fn gcl_variable(&mut self, name: &str) -> Outcome<(i64, SymbolId)> {
        if let Some(&known) = self.own.get::<State>().variables.get(name) {
            return Ok(known);
        }
        let state = self.own.get_mut::<State>();
        let at = match state.next {
            // The word would have the constant in it.
            n if n <= ONE && n + 2 > ONE => ONE + 1,
            n => n,
        };
        if at + 2 > 0x100 {
            let message = format!("page 0 has no room for the variable `{name}`");
            let d = Diagnostic::new(codes::TOO_MUCH, message).at(self.statement);
            return Err(Box::new(d.help("`zpReset=` says where variables begin")));
        }
        state.next = at + 2;
        let id = self.symbols.intern(name);
        if self.symbols.get(id).meaning == Meaning::Undefined {
            self.define(id, Meaning::Number(at), self.statement, false)?;
        }
        let state = self.own.get_mut::<State>();
        state.variables.insert(name.to_owned(), (at, id));
        Ok((at, id))
    }

    /// `zpReset=n`.
    pub(super) fn gcl_variables_from(&mut self, n: i64) -> Outcome<()> {
        if !(0..=0x100).contains(&n) {
            let message = format!("variables cannot begin at {n}");
            let d = Diagnostic::new(codes::BAD_ARGUMENT, message).at(self.statement);
            return Err(Box::new(d.label("must be an address in page 0")));
        }
        self.own.get_mut::<State>().next = n;
        Ok(())
    }

    /// `call`: what vAC points at.
    pub(super) fn gcl_call_accumulator(&mut self) -> Outcome<()> {
        self.gcl_instruction("call", Some(Value::Number(ACCUMULATOR)), 2)
    }
}
