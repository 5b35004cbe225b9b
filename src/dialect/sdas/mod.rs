//! SDCC's assembler for the Z80 and its linker; the rules are in
//! `docs/manual/dialect-sdas.md`.
//!
//! A label has a colon, an immediate value a `#`. Bytes go into areas, which the linker
//! lays behind each other, those of all files together. Macros are texts.

mod areas;
mod data;
mod lines;
mod macros;
mod state;
mod words;

use super::tables::*;
use crate::program::{Outcome, Value};
use crate::read::Assembler;
use crate::read::hooks::Given;
use crate::read::syntax::expression::Cursor;
use crate::read::syntax::operand::Arguments;
use crate::text::lex::Tok;
use scrimp_isa::Outline;
use state::State;
use std::any::Any;

/// 32 bits; a name counts as it is written.
pub static SDAS: Dialect = Dialect {
    name: "sdas",
    title: "SDCC's sdasz80",
    target: "z80",
    lexing: Lexing {
        signs: Signs::Ticks,
        name_more: "$",
        raw_texts: true,
        ..Lexing::PLAIN
    },
    preprocessor: None,
    words: WordRules {
        directives: &words::DIRECTIVES,
        runs: true,
        bare_file_names: true,
        macros: MacroStyle::Commas,
        remembers: true,
        ..WordRules::PLAIN
    },
    values: ValueRules {
        binary: &[
            mark(Kind::Pipe, Binary::Or, 1),
            mark(Kind::Amp, Binary::And, 2),
            mark(Kind::Caret, Binary::Xor, 3),
            mark(Kind::ShiftLeft, Binary::Shl, 4),
            mark(Kind::ShiftRight, Binary::Shr, 4),
            mark(Kind::Plus, Binary::Add, 5),
            mark(Kind::Minus, Binary::Sub, 5),
            mark(Kind::Star, Binary::Mul, 6),
            mark(Kind::Slash, Binary::UnsignedDiv, 6),
            mark(Kind::Percent, Binary::UnsignedMod, 6),
        ],
        unary: &[
            prefix(Kind::Plus, Unary::Plus, 7),
            prefix(Kind::Minus, Unary::Neg, 7),
            prefix(Kind::Tilde, Unary::Not, 7),
            prefix(Kind::Less, Unary::Low, 7),
            prefix(Kind::Greater, Unary::High, 7),
            prefix(Kind::Hash, Unary::Plus, 7),
            prefix(Kind::Paste, Unary::Plus, 7),
        ],
        here: ".",
        width: Width::Wrapping32,
        overflow: Overflow::Warn,
        data_overflow: Overflow::Warn,
        numbers: Numbers {
            hex_0x: true,
            bin_0b: true,
            ..Numbers::PLAIN
        },
        ..ValueRules::PLAIN
    },
    names: NameRules {
        many_labels: true,
        ..NameRules::PLAIN
    },
    operands: OperandRules {
        index_wraps: true,
        index_overflow: Overflow::Warn,
        warn_parentheses: true,
        ..OperandRules::PLAIN
    },
    output: OutputRules {
        linked: true,
        ..OutputRules::PLAIN
    },
    writing: Writing::PLAIN,
};

/// Its hooks.
pub struct Sdas;

/// Instructions that may have an `a,` before their operand.
const SHIFTS: [&str; 7] = ["rl", "rlc", "rr", "rrc", "sla", "sra", "srl"];

impl Hooks for Sdas {
    fn state(&self) -> Box<dyn Any> {
        Box::<State>::default()
    }

    fn start(&self, a: &mut Assembler<'_>, given: Given<'_>) {
        let state = a.own.get_mut::<State>();
        state.addresses = given.addresses.to_vec();
        state.given = given.symbols.to_vec();
        a.sdas_start();
    }

    fn file(&self, a: &mut Assembler<'_>, _name: &str, first: bool) {
        if !first {
            a.sdas_next();
            a.sdas_start();
        }
    }

    fn links(&self) -> bool {
        true
    }

    fn finish(&self, a: &mut Assembler<'_>) {
        a.sdas_next();
        a.sdas_link();
    }

    fn plain_labels(&self) -> bool {
        true
    }

    fn statement(&self, a: &mut Assembler<'_>, toks: &[Tok]) -> Outcome<()> {
        a.sdas_line(toks)
    }

    fn directive(&self, a: &mut Assembler<'_>, n: u16, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        a.sdas_directive(words::WORDS[usize::from(n)].1, t, rest)
    }

    fn plain_value(&self, _a: &Assembler<'_>, _t: &Tok) -> bool {
        true
    }

    fn single(&self, a: &mut Assembler<'_>, t: &Tok) -> Option<Outcome<Value>> {
        match t.kind {
            Kind::Number => a.sdas_number(t).map(|v| v.map(Value::Number)),
            _ => a.plain_single(t),
        }
    }

    fn leaf(
        &self,
        a: &mut Assembler<'_>,
        t: &Tok,
        _c: &mut Cursor<'_>,
        _depth: u32,
    ) -> Outcome<bool> {
        a.sdas_leaf(t)
    }

    fn operands(
        &self,
        a: &mut Assembler<'_>,
        mnemonic: u16,
        toks: &[Tok],
        args: &mut Arguments,
    ) -> Outcome<bool> {
        a.offsets_before(toks, args);
        for arg in args.iter_mut() {
            // A value is worth the same without its mark.
            let (from, to) = arg.value;
            if let [mark, value] = &toks[from as usize..to as usize]
                && mark.kind == Kind::Hash
                && matches!(value.kind, Kind::Number | Kind::Name)
            {
                arg.value.0 += 1;
            }
        }
        let first = args.first().map(|g| toks[g.all.0 as usize].kind);
        if first == Some(Kind::AfPrime) {
            a.exchange_in_order(mnemonic, toks, args);
        }
        // The accumulator before what is shifted says nothing.
        let name = a.words.mnemonics[usize::from(mnemonic)].name.as_str();
        if SHIFTS.contains(&name)
            && let [before, _] = &args[..]
            && let (from, to) = before.all
            && let [one] = &toks[from as usize..to as usize]
            && a.text(one).eq_ignore_ascii_case("a")
        {
            args.remove(0);
        }
        // A jump has no offset but this one.
        let name = &a.words.mnemonics[usize::from(mnemonic)].name;
        if let ("jp", [arg]) = (name.as_str(), &mut args[..])
            && arg.outline == Outline::RoundWordValue
            && let value = &toks[arg.value.0 as usize..arg.value.1 as usize]
            && let [.., zero] = value
            && a.text(zero) == "0"
            && value[..value.len() - 1]
                .iter()
                .all(|t| t.kind == Kind::Plus)
        {
            arg.outline = Outline::RoundWord;
        }
        Ok(false)
    }

    fn word(&self, d: Directive) -> Option<&'static str> {
        match d {
            Directive::EndIf => Some(".endif"),
            Directive::EndMacro | Directive::EndRepeat => Some(".endm"),
            _ => None,
        }
    }

    fn macro_names<'a>(&self, a: &'a Assembler<'_>) -> Vec<&'a str> {
        let macros = a.own.get::<State>().macros.keys();
        macros.map(String::as_str).collect()
    }
}
