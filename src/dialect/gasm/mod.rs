//! gasm, the assembler of the Gigatron's emulator gtemuAT67, for the vCPU (`.gasm`, `.vasm`);
//! the rules are in `docs/manual/dialect-gasm.md`.
//!
//! What stands in column 1 is a label. A label that was given a value by `EQU` before moves
//! the place to it. Lists are between blanks.

mod calls;
mod lines;
mod macros;
mod state;

use super::tables::*;
use crate::program::eval::Op;
use crate::program::{Outcome, Value};
use crate::read::Assembler;
use crate::read::hooks::Given;
use crate::read::syntax::expression::Cursor;
use crate::text::lex::Tok;
use Directive as D;
use state::State;
use std::any::Any;

/// Values with fractions until they are used; `&`, `^`, `|` and shifts bind least but for
/// comparisons.
pub static GASM: Dialect = Dialect {
    name: "gasm",
    title: "gasm of gtemuAT67, for the Gigatron's vCPU",
    target: "vcpu",
    lexing: Lexing {
        name_more: "$",
        escapes_single: true,
        amp_letters: true,
        ..Lexing::PLAIN
    },
    preprocessor: None,
    words: WordRules {
        directives: &[
            ("equ", D::Equ),
            ("db", lines::BYTES),
            ("dw", lines::WORDS),
            ("dbr", lines::IN_ROM),
            ("dwr", lines::IN_ROM),
        ],
        runs: true,
        remembers: true,
        bare_file_names: true,
        files_any_case: true,
        ..WordRules::PLAIN
    },
    values: ValueRules {
        binary: &[
            mark(Kind::EqualEqual, Binary::Eq, 1),
            mark(Kind::NotEqual, Binary::Ne, 1),
            mark(Kind::Less, Binary::Lt, 1),
            mark(Kind::LessEqual, Binary::Le, 1),
            mark(Kind::Greater, Binary::Gt, 1),
            mark(Kind::GreaterEqual, Binary::Ge, 1),
            mark(Kind::Amp, Binary::And, 2),
            mark(Kind::Caret, Binary::Xor, 2),
            mark(Kind::Pipe, Binary::Or, 2),
            mark(Kind::ShiftLeft, Binary::Shl, 2),
            mark(Kind::ShiftRight, Binary::Shr, 2),
            mark(Kind::Plus, Binary::Add, 3),
            mark(Kind::Minus, Binary::Sub, 3),
            mark(Kind::Star, Binary::Mul, 4),
            mark(Kind::Slash, Binary::Div, 4),
            mark(Kind::Percent, Binary::Mod, 4),
        ],
        unary: &[
            prefix(Kind::Plus, Unary::Plus, 5),
            prefix(Kind::Minus, Unary::Neg, 5),
            prefix(Kind::Tilde, Unary::Not, 5),
        ],
        numbers: Numbers {
            hex_0x: true,
            hex_0x_upper: true,
            bin_0b: true,
            ..Numbers::PLAIN
        },
        overflow: Overflow::Warn,
        data_overflow: Overflow::Warn,
        one_character_expression: true,
        fractions: true,
        ..ValueRules::PLAIN
    },
    names: NameRules::PLAIN,
    operands: OperandRules::PLAIN,
    output: OutputRules::PLAIN,
    writing: Writing {
        own: |n| match n {
            0 => Some(Said::Bytes),
            1 => Some(Said::Words),
            _ => None,
        },
        margin: true,
        heads: Heads::None,
        ..Writing::PLAIN
    },
};

/// Its hooks.
pub struct Gasm;

impl Hooks for Gasm {
    fn state(&self) -> Box<dyn Any> {
        Box::new(State {
            start: lines::START,
            ..State::default()
        })
    }

    fn start(&self, a: &mut Assembler<'_>, _given: Given<'_>) {
        a.chosen.overlap = true;
        a.open_chunk(Some(lines::START as u64), 1);
    }

    fn finish(&self, a: &mut Assembler<'_>) {
        a.gasm_table();
        a.gasm_join();
        let start = a.own.get::<State>().start;
        let options = &mut a.program.asked.options;
        options.push(("start".into(), start.to_string()));
    }

    fn statement(&self, a: &mut Assembler<'_>, toks: &[Tok]) -> Outcome<()> {
        a.gasm_line(toks)
    }

    #[inline]
    fn single(&self, a: &mut Assembler<'_>, t: &Tok) -> Option<Outcome<Value>> {
        match a.gasm_number(t).filter(|_| t.kind == Kind::Number) {
            Some(n) => Some(Ok(Value::Number(n))),
            None => a.plain_single(t),
        }
    }

    fn leaf(
        &self,
        a: &mut Assembler<'_>,
        t: &Tok,
        _c: &mut Cursor<'_>,
        _depth: u32,
    ) -> Outcome<bool> {
        let number = a.gasm_number(t).filter(|_| t.kind == Kind::Number);
        if let Some(n) = number {
            a.ops.push(Op::Number(n));
        }
        Ok(number.is_some())
    }

    fn directive(&self, a: &mut Assembler<'_>, n: u16, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        a.gasm_data(n, t, rest)
    }

    fn word(&self, d: Directive) -> Option<&'static str> {
        match d {
            Directive::EndIf => Some("%endif"),
            Directive::EndMacro => Some("%endm"),
            _ => None,
        }
    }

    fn macro_names<'a>(&self, a: &'a Assembler<'_>) -> Vec<&'a str> {
        let macros = a.own.get::<State>().macros.keys();
        macros.map(String::as_str).collect()
    }
}
