//! Grauw's Glass; the rules are in `docs/manual/dialect-glass.md`.
//!
//! Names live in scopes that lie in each other: one for each procedure, call of a macro and
//! round of a repeat. The scopes, what is known in them and how a name is looked for are in
//! `names.rs`; arguments of macros stand for themselves where they were written.

mod arguments;
mod blocks;
mod data;
mod lines;
mod macros;
mod names;
mod places;
mod state;
mod words;

use super::tables::*;
use crate::program::{Outcome, Value};
use crate::read::Assembler;
use crate::read::hooks::Given;
use crate::read::syntax::expression::Cursor;
use crate::read::syntax::operand::Arguments;
use crate::text::lex::Tok;
use state::State;
use std::any::Any;

/// 32 bits with sign; true is -1; the bytes of the output follow each other as written.
pub static GLASS: Dialect = Dialect {
    name: "glass",
    title: "Grauw's Glass",
    target: "z80",
    lexing: Lexing {
        name_more: "?@$'",
        name_start_more: true,
        escapes_single: true,
        doubled_single: Doubled::One,
        doubled_double: true,
        hash_hex: true,
        ..Lexing::PLAIN
    },
    preprocessor: None,
    words: WordRules {
        directives: &words::DIRECTIVES,
        runs: true,
        macros: MacroStyle::Commas,
        end_stops_file: true,
        remembers: true,
        ..WordRules::PLAIN
    },
    values: ValueRules {
        binary: &[
            mark(Kind::OrOr, Binary::LogicOr, 1),
            mark(Kind::AndAnd, Binary::LogicAnd, 2),
            mark(Kind::Pipe, Binary::Or, 3),
            mark(Kind::Caret, Binary::Xor, 4),
            mark(Kind::Amp, Binary::And, 5),
            mark(Kind::Equal, Binary::Eq, 6),
            mark(Kind::NotEqual, Binary::Ne, 6),
            mark(Kind::Less, Binary::Lt, 7),
            mark(Kind::LessEqual, Binary::Le, 7),
            mark(Kind::Greater, Binary::Gt, 7),
            mark(Kind::GreaterEqual, Binary::Ge, 7),
            mark(Kind::ShiftLeft, Binary::Shl, 8),
            mark(Kind::ShiftRight, Binary::Shr, 8),
            mark(Kind::Plus, Binary::Add, 9),
            mark(Kind::Minus, Binary::Sub, 9),
            mark(Kind::Star, Binary::Mul, 10),
            mark(Kind::Slash, Binary::Div, 10),
            mark(Kind::Percent, Binary::Mod, 10),
        ],
        joined: &[joined(Kind::ShiftRight, ">", Binary::UnsignedShr, 8)],
        unary: &[
            prefix(Kind::Plus, Unary::Plus, 11),
            prefix(Kind::Minus, Unary::Neg, 11),
            prefix(Kind::Tilde, Unary::Not, 11),
            prefix(Kind::Bang, Unary::LogicNot, 11),
        ],
        truth: -1,
        logic_truth: -1,
        width: Width::Signed32,
        numbers: Numbers {
            suffixes: true,
            hex_0x: true,
            hex_0x_upper: true,
            ..Numbers::PLAIN
        },
        overflow: Overflow::Warn,
        data_overflow: Overflow::Warn,
        one_character_expression: true,
        ..ValueRules::PLAIN
    },
    names: NameRules {
        nearer: true,
        ..NameRules::PLAIN
    },
    operands: OperandRules::PLAIN,
    output: OutputRules {
        sequential: true,
        ..OutputRules::PLAIN
    },
    writing: Writing {
        own: words::said,
        words: &[(Said::EndRepeat, "endm"), (Said::EndBlock, "endm")],
        margin: true,
        heads: Heads::NameFirst,
        counters: 4,
        ..Writing::PLAIN
    },
};

/// Its hooks.
pub struct Glass;

impl Hooks for Glass {
    fn state(&self) -> Box<dyn Any> {
        Box::<State>::default()
    }

    fn start(&self, a: &mut Assembler<'_>, _given: Given<'_>) {
        a.glass_start();
    }

    fn file(&self, a: &mut Assembler<'_>, _name: &str, _first: bool) {
        a.glass_enter_scope(state::ROOT);
    }

    fn finish(&self, a: &mut Assembler<'_>) {
        a.glass_leave_all();
        a.glass_forget_constants();
        a.glass_output();
    }

    fn unsettled(&self, a: &mut Assembler<'_>) -> bool {
        a.glass_unsettled()
    }

    fn carry(&self, a: &mut Assembler<'_>, before: Box<dyn Any>) {
        if let Ok(before) = before.downcast::<State>() {
            a.own.get_mut::<State>().carry(*before);
        }
    }

    fn plain_labels(&self) -> bool {
        true
    }

    fn statement(&self, a: &mut Assembler<'_>, toks: &[Tok]) -> Outcome<()> {
        a.glass_statement(toks)
    }

    fn plain_value(&self, a: &Assembler<'_>, t: &Tok) -> bool {
        a.glass_is_plain_value(t)
    }

    #[inline]
    fn single(&self, a: &mut Assembler<'_>, t: &Tok) -> Option<Outcome<Value>> {
        match t.kind {
            Kind::Number => a.plain_single(t),
            Kind::Name => Some(a.glass_used(t).and_then(|id| a.symbol_value(id))),
            _ => None,
        }
    }

    fn leaf(
        &self,
        a: &mut Assembler<'_>,
        t: &Tok,
        c: &mut Cursor<'_>,
        _depth: u32,
    ) -> Outcome<bool> {
        a.glass_leaf(t, c)
    }

    fn operands(
        &self,
        a: &mut Assembler<'_>,
        _mnemonic: u16,
        _toks: &[Tok],
        _args: &mut Arguments,
    ) -> Outcome<bool> {
        // What arguments say differs from call to call.
        Ok(!a.own.get::<State>().foreign.is_empty())
    }

    fn word(&self, d: Directive) -> Option<&'static str> {
        match d {
            Directive::EndIf => Some("endif"),
            Directive::EndMacro | Directive::EndRepeat => Some("endm"),
            _ => None,
        }
    }

    fn macro_names<'a>(&self, a: &'a Assembler<'_>) -> Vec<&'a str> {
        let words = &a.own.get::<State>().macro_words;
        words.iter().map(|w| &**w).collect()
    }
}
