//! zmac; the rules are in `docs/manual/dialect-zmac.md`.
//!
//! What a line begins with is told by columns: a name in the first is a label if something
//! stands behind it. Macros are texts. The words of the 8080 are taken beside the Z80's.

mod clocks;
mod data;
mod lines;
mod macros;
mod operands;
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

/// 32 bits with sign; true is 1; names count in any case.
pub static ZMAC: Dialect = RULES;

/// With `-8`: a word that both CPUs have is the 8080's.
pub static ZMAC_8080: Dialect = Dialect {
    name: "zmac-8080",
    title: "zmac with -8",
    words: WordRules {
        spellings: &["8080-first", "8080", "", "tdl"],
        ..RULES.words
    },
    ..RULES
};

/// With `--zmac`: names with a dot are local between two others, arguments of macros lose their
/// quotes, `$` in names that macros make says nothing.
pub static ZMAC_ZMAC: Dialect = Dialect {
    name: "zmac-zmac",
    title: "zmac with --zmac",
    names: NameRules {
        dots: DotRule::UnderLabel,
        ..RULES.names
    },
    ..RULES
};

const RULES: Dialect = Dialect {
    name: "zmac",
    title: "zmac",
    target: "z80",
    lexing: Lexing {
        signs: Signs::Loose,
        name_more: "?@$",
        name_start_more: true,
        doubled_single: Doubled::One,
        doubled_double: true,
        raw_texts: true,
        ..Lexing::PLAIN
    },
    preprocessor: None,
    words: WordRules {
        spellings: &["", "8080", "tdl"],
        directives: &words::DIRECTIVES,
        dotted: true,
        runs: true,
        macros: MacroStyle::Commas,
        bare_file_names: true,
        mnemonics: &[("sli", "")],
        remembers: true,
        ..WordRules::PLAIN
    },
    values: ValueRules {
        binary: &[
            mark(Kind::OrOr, Binary::LogicOr, 1),
            mark(Kind::AndAnd, Binary::LogicAnd, 2),
            mark(Kind::Pipe, Binary::Or, 3),
            word("or", Binary::Or, 3),
            mark(Kind::Caret, Binary::Xor, 4),
            word("xor", Binary::Xor, 4),
            mark(Kind::Amp, Binary::And, 5),
            word("and", Binary::And, 5),
            mark(Kind::Equal, Binary::Eq, 6),
            mark(Kind::EqualEqual, Binary::Eq, 6),
            word("eq", Binary::Eq, 6),
            mark(Kind::NotEqual, Binary::Ne, 6),
            word("ne", Binary::Ne, 6),
            mark(Kind::Less, Binary::Lt, 7),
            word("lt", Binary::Lt, 7),
            mark(Kind::LessEqual, Binary::Le, 7),
            word("le", Binary::Le, 7),
            mark(Kind::Greater, Binary::Gt, 7),
            word("gt", Binary::Gt, 7),
            mark(Kind::GreaterEqual, Binary::Ge, 7),
            word("ge", Binary::Ge, 7),
            mark(Kind::ShiftLeft, Binary::Shl, 8),
            word("shl", Binary::Shl, 8),
            mark(Kind::ShiftRight, Binary::Shr, 8),
            word("shr", Binary::Shr, 8),
            mark(Kind::Plus, Binary::Add, 9),
            mark(Kind::Minus, Binary::Sub, 9),
            mark(Kind::Star, Binary::Mul, 10),
            mark(Kind::Slash, Binary::Div, 10),
            mark(Kind::Percent, Binary::Mod, 10),
            word("mod", Binary::Mod, 10),
        ],
        unary: &[
            prefix(Kind::Plus, Unary::Plus, 11),
            prefix(Kind::Minus, Unary::Neg, 11),
            prefix(Kind::Tilde, Unary::Not, 11),
            prefix_word("not", Unary::Not, 11),
            prefix(Kind::Bang, Unary::LogicNot, 11),
            prefix_word("low", Unary::Low, 11),
            prefix_word("high", Unary::High, 11),
            prefix_word("nul", Unary::Nul, 11),
        ],
        width: Width::Wrapping32,
        numbers: Numbers {
            suffixes: true,
            hex_0x: true,
            hex_0x_upper: true,
            ..Numbers::PLAIN
        },
        one_character_expression: true,
        ..ValueRules::PLAIN
    },
    names: NameRules {
        labels: LabelRule::ColonOrBare,
        equals: true,
        case_blind: true,
        ..NameRules::PLAIN
    },
    operands: OperandRules {
        warn_parentheses: true,
        register_aliases: true,
        ..OperandRules::PLAIN
    },
    output: OutputRules {
        wraps: true,
        ..OutputRules::PLAIN
    },
    writing: Writing {
        own: words::said,
        words: &[(Said::EndRepeat, "endm"), (Said::EndBlock, "endm")],
        margin: true,
        separator: Some(Kind::Backslash),
        equal: Some(Said::Set),
        heads: Heads::NameFirst,
        call_locals: CallLocals::Listed,
        fresh_parameters: true,
        ..Writing::PLAIN
    },
};

/// Its hooks.
pub struct Zmac;

impl Hooks for Zmac {
    fn state(&self) -> Box<dyn Any> {
        Box::new(State::default())
    }

    fn start(&self, a: &mut Assembler<'_>, _given: Given<'_>) {
        // Bytes may be written over others.
        a.chosen.overlap = true;
        let chunk = a.chunk as usize;
        a.program.chunks[chunk].overlap = true;
    }

    fn finish(&self, a: &mut Assembler<'_>) {
        a.zmac_end_phase();
        a.zmac_codes_of_words();
    }

    fn plain_labels(&self) -> bool {
        true
    }

    fn statement(&self, a: &mut Assembler<'_>, toks: &[Tok]) -> Outcome<()> {
        a.zmac_line(toks)
    }

    fn directive(&self, a: &mut Assembler<'_>, n: u16, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        a.zmac_directive(words::WORDS[usize::from(n)].1, t, rest)
    }

    fn plain_value(&self, _a: &Assembler<'_>, _t: &Tok) -> bool {
        true
    }

    fn single(&self, a: &mut Assembler<'_>, t: &Tok) -> Option<Outcome<Value>> {
        match t.kind {
            Kind::Number => match a.zmac_odd_name(t) {
                Some(name) => a.plain_single(&name),
                None => a.plain_single(t),
            },
            _ => a.plain_single(t),
        }
    }

    fn leaf(
        &self,
        a: &mut Assembler<'_>,
        t: &Tok,
        c: &mut Cursor<'_>,
        depth: u32,
    ) -> Outcome<bool> {
        a.zmac_leaf(t, c, depth)
    }

    fn operands(
        &self,
        a: &mut Assembler<'_>,
        mnemonic: u16,
        toks: &[Tok],
        args: &mut Arguments,
    ) -> Outcome<bool> {
        a.zmac_operands(mnemonic, toks, args)
    }

    fn word(&self, d: Directive) -> Option<&'static str> {
        match d {
            Directive::EndIf => Some("endif"),
            Directive::EndMacro | Directive::EndRepeat => Some("endm"),
            _ => None,
        }
    }

    fn macro_names<'a>(&self, a: &'a Assembler<'_>) -> Vec<&'a str> {
        let macros = a.own.get::<State>().macros.keys();
        macros.map(String::as_str).collect()
    }
}
