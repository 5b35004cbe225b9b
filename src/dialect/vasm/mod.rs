//! vasm for the Z80 with its oldstyle syntax; the rules are in `docs/manual/dialect-vasm.md`.
//!
//! What stands in column 1 is a label, whatever it is elsewhere. Macros are texts.

mod lines;
mod macros;
mod state;
mod structs;
mod values;
mod words;

use super::tables::*;
use crate::program::{Outcome, Value};
use crate::read::Assembler;
use crate::read::syntax::expression::Cursor;
use crate::read::syntax::operand::Arguments;
use crate::text::lex::Tok;
use scrimp_isa::Outline;
use state::State;
use std::any::Any;

/// 32 bits with sign; true is -1; shifts, `&`, `^` and `|` bind tight.
pub static VASM: Dialect = RULES;

/// With `-dotdir`: directives may have a dot.
pub static VASM_DOTDIR: Dialect = Dialect {
    name: "vasm-dotdir",
    title: "vasm oldstyle with -dotdir",
    words: WordRules {
        dotted: true,
        ..RULES.words
    },
    ..RULES
};

/// With `-nocase`: names count in any case.
pub static VASM_NOCASE: Dialect = Dialect {
    name: "vasm-nocase",
    title: "vasm oldstyle with -nocase",
    names: NameRules {
        case_blind: true,
        ..RULES.names
    },
    ..RULES
};

/// With both.
pub static VASM_DOTDIR_NOCASE: Dialect = Dialect {
    name: "vasm-dotdir-nocase",
    title: "vasm oldstyle with -dotdir -nocase",
    words: WordRules {
        dotted: true,
        ..RULES.words
    },
    names: NameRules {
        case_blind: true,
        ..RULES.names
    },
    ..RULES
};

const RULES: Dialect = Dialect {
    name: "vasm",
    title: "vasm oldstyle",
    target: "z80",
    lexing: Lexing {
        signs: Signs::Placed,
        name_more: "$",
        doubled_single: Doubled::OrLone,
        doubled_double: true,
        raw_texts: true,
        amp_digits: true,
        hash_hex: true,
        end_sign: EndSign::End,
        ..Lexing::PLAIN
    },
    preprocessor: None,
    words: WordRules {
        directives: &words::DIRECTIVES,
        runs: true,
        macros: MacroStyle::Commas,
        bare_file_names: true,
        files_any_case: true,
        remembers: true,
        ..WordRules::PLAIN
    },
    values: ValueRules {
        binary: &[
            mark(Kind::OrOr, Binary::LogicOr, 1),
            mark(Kind::AndAnd, Binary::LogicAnd, 2),
            mark(Kind::Equal, Binary::Eq, 3),
            mark(Kind::EqualEqual, Binary::Eq, 3),
            mark(Kind::NotEqual, Binary::Ne, 3),
            mark(Kind::Less, Binary::Lt, 4),
            mark(Kind::LessEqual, Binary::Le, 4),
            mark(Kind::Greater, Binary::Gt, 4),
            mark(Kind::GreaterEqual, Binary::Ge, 4),
            mark(Kind::Plus, Binary::Add, 5),
            mark(Kind::Minus, Binary::Sub, 5),
            mark(Kind::Star, Binary::Mul, 6),
            mark(Kind::Slash, Binary::Div, 6),
            mark(Kind::Percent, Binary::Mod, 6),
            mark(Kind::Pipe, Binary::Or, 7),
            mark(Kind::Bang, Binary::Or, 7),
            mark(Kind::Caret, Binary::Xor, 8),
            mark(Kind::Tilde, Binary::Xor, 8),
            mark(Kind::Amp, Binary::And, 9),
            mark(Kind::ShiftLeft, Binary::Shl, 10),
            mark(Kind::ShiftRight, Binary::Shr, 10),
        ],
        unary: &[
            prefix(Kind::Plus, Unary::Plus, 11),
            prefix(Kind::Minus, Unary::Neg, 11),
            prefix(Kind::Tilde, Unary::Not, 11),
            prefix(Kind::Bang, Unary::LogicNot, 11),
            prefix(Kind::Less, Unary::Low, 11),
            prefix(Kind::Greater, Unary::High, 11),
        ],
        truth: -1,
        logic_truth: -1,
        width: Width::Signed32,
        whole_shifts: true,
        numbers: Numbers {
            suffixes: true,
            hex_0x: true,
            hex_0x_upper: true,
            bin_0b: true,
            zero_octal: true,
            ..Numbers::PLAIN
        },
        wide_overflow: Some(Overflow::Warn),
        one_character_expression: true,
        ..ValueRules::PLAIN
    },
    names: NameRules {
        equals: true,
        nearer: true,
        ..NameRules::PLAIN
    },
    operands: OperandRules {
        warn_parentheses: true,
        ignored_operands: &[("ld", 2), ("set", 2), ("res", 2), ("bit", 2)],
        ..OperandRules::PLAIN
    },
    output: OutputRules::PLAIN,
    writing: Writing {
        leads_first: true,
        margin: true,
        ..Writing::PLAIN
    },
};

/// Its hooks.
pub struct Vasm;

impl Hooks for Vasm {
    fn state(&self) -> Box<dyn Any> {
        Box::new(State::default())
    }

    fn finish(&self, a: &mut Assembler<'_>) {
        a.vasm_end_phase();
        a.vasm_empty_sections();
    }

    fn operands(
        &self,
        a: &mut Assembler<'_>,
        mnemonic: u16,
        toks: &[Tok],
        args: &mut Arguments,
    ) -> Outcome<bool> {
        // The 8080's name of what HL leads to, where it is no condition.
        let name = a.words.mnemonics[usize::from(mnemonic)].name.as_str();
        if matches!(name, "jp" | "call" | "ret" | "jr") {
            return Ok(false);
        }
        let hl = a.words.get("hl").word;
        for arg in args.iter_mut().filter(|g| g.outline == Outline::Word) {
            if a.text(&toks[arg.all.0 as usize]).eq_ignore_ascii_case("m") {
                (arg.outline, arg.word) = (Outline::RoundWord, hl);
            }
        }
        Ok(false)
    }

    fn plain_value(&self, _a: &Assembler<'_>, _t: &Tok) -> bool {
        true
    }

    fn plain_labels(&self) -> bool {
        true
    }

    fn statement(&self, a: &mut Assembler<'_>, toks: &[Tok]) -> Outcome<()> {
        a.vasm_line(toks)
    }

    fn directive(&self, a: &mut Assembler<'_>, n: u16, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        a.vasm_directive(words::WORDS[usize::from(n)].1, t, rest)
    }

    #[inline]
    fn single(&self, a: &mut Assembler<'_>, t: &Tok) -> Option<Outcome<Value>> {
        if a.vasm_is_local(t) {
            return Some(a.vasm_local_used(t).and_then(|id| a.symbol_value(id)));
        }
        if t.kind == Kind::Name && a.text(t) == values::ROUND {
            return Some(Ok(Value::Number(a.vasm_round())));
        }
        match a.vasm_octal(t) {
            Some(v) => Some(Ok(Value::Number(v))),
            None => a.plain_single(t),
        }
    }

    fn leaf(
        &self,
        a: &mut Assembler<'_>,
        t: &Tok,
        c: &mut Cursor<'_>,
        _depth: u32,
    ) -> Outcome<bool> {
        a.vasm_leaf(t, c)
    }

    fn word(&self, d: Directive) -> Option<&'static str> {
        match d {
            Directive::EndIf => Some("endif"),
            Directive::EndMacro => Some("endm"),
            Directive::EndRepeat => Some("endr"),
            _ => None,
        }
    }

    fn macro_names<'a>(&self, a: &'a Assembler<'_>) -> Vec<&'a str> {
        let macros = a.own.get::<State>().macros.keys();
        macros.map(String::as_str).collect()
    }
}
