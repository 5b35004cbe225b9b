//! sjasmplus 1.23; the rules are in `docs/manual/dialect-sjasmplus.md`.
//!
//! Its own way of reading is that of texts: a line is cut at colons, names in each piece
//! are replaced by what `DEFINE` and macros say, and only then it is a statement. Values,
//! instructions, findings and the image are the engine's.

mod arguments;
mod asks;
mod binary;
mod blocks;
mod data;
mod devices;
mod fakes;
mod files;
mod lines;
mod lua;
mod macros;
mod memory;
mod moved;
mod names;
mod options;
mod places;
mod relocate;
mod requests;
mod sjasm;
mod spelled;
mod state;
mod structs;
mod substitute;
mod values;
mod words;

use super::tables::*;
use crate::program::{Outcome, Value};
use crate::read::Assembler;
use crate::read::hooks::{Given, Saver};
use crate::read::job::Define;
use crate::read::syntax::expression::Cursor;
use crate::text::lex::Tok;

use state::{State, Switches};
use std::any::Any;
use std::sync::Arc;

/// 32 bits with sign; true is -1; labels in column 1; bytes in the order of writing.
pub static SJASMPLUS: Dialect = RULES;

/// The same with `--dirbol`: directives may stand in column 1.
pub static SJASMPLUS_DIRBOL: Dialect = Dialect {
    name: "sjasmplus-dirbol",
    title: "sjasmplus 1.23 with --dirbol",
    writing: Writing {
        directives_first: true,
        ..RULES.writing
    },
    ..RULES
};

/// Its ancestor sjasm, as far as it is the same; with `MAP` and `name # size`.
pub static SJASM: Dialect = Dialect {
    name: "sjasm",
    title: "sjasm 0.42",
    words: WordRules {
        directives: &words::SJASM_DIRECTIVES,
        // `.if` is a label.
        dotted: false,
        ..RULES.words
    },
    values: ValueRules {
        // The last one is `abs`, which is a name there.
        unary: UNARY.split_at(UNARY.len() - 1).0,
        whole_shifts: true,
        ..RULES.values
    },
    lexing: Lexing {
        continued: Continued::Statements,
        name_more: "@",
        end_sign: EndSign::Unknown,
        ..RULES.lexing
    },
    operands: OperandRules {
        register_aliases: false,
        ..RULES.operands
    },
    writing: Writing {
        separator: Some(Kind::Backslash),
        ..RULES.writing
    },
    ..RULES
};

/// Operators before a value.
static UNARY: [UnaryRow; 8] = [
    prefix(Kind::Plus, Unary::Plus, 12),
    prefix(Kind::Minus, Unary::Neg, 12),
    prefix(Kind::Tilde, Unary::Not, 12),
    prefix(Kind::Bang, Unary::LogicNot, 12),
    prefix_word("not", Unary::LogicNot, 12),
    prefix_word("low", Unary::Low, 12),
    prefix_word("high", Unary::High, 12),
    prefix_word("abs", Unary::Abs, 12),
];

const RULES: Dialect = Dialect {
    name: "sjasmplus",
    title: "sjasmplus 1.23",
    target: "z80",
    lexing: Lexing {
        slashes: Slashes::Nested,
        name_more: "?!#@",
        name_start_more: true,
        doubled_single: Doubled::One,
        hash_hex: true,
        digit_ticks: true,
        end_sign: EndSign::Blank,
        ..Lexing::PLAIN
    },
    preprocessor: None,
    words: WordRules {
        extensions: u32::MAX,
        directives: &words::DIRECTIVES,
        dotted: true,
        mnemonics: &[("sli", "sll")],
        macros: MacroStyle::Commas,
        bare_file_names: true,
        files_any_case: true,
        remembers: true,
        runs: true,
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
            mark(Kind::NotEqual, Binary::Ne, 6),
            mark(Kind::Less, Binary::Lt, 7),
            mark(Kind::LessEqual, Binary::Le, 7),
            mark(Kind::Greater, Binary::Gt, 7),
            mark(Kind::GreaterEqual, Binary::Ge, 7),
            mark(Kind::ShiftLeft, Binary::Shl, 9),
            word("shl", Binary::Shl, 9),
            mark(Kind::ShiftRight, Binary::Shr, 9),
            word("shr", Binary::Shr, 9),
            mark(Kind::Plus, Binary::Add, 10),
            mark(Kind::Minus, Binary::Sub, 10),
            mark(Kind::Star, Binary::Mul, 11),
            mark(Kind::Slash, Binary::Div, 11),
            mark(Kind::Percent, Binary::Mod, 11),
            word("mod", Binary::Mod, 11),
        ],
        joined: &[
            joined(Kind::ShiftRight, ">", Binary::UnsignedShr, 9),
            joined(Kind::Less, "?", Binary::Least, 8),
            joined(Kind::Greater, "?", Binary::Most, 8),
        ],
        unary: &UNARY,
        truth: -1,
        logic_truth: -1,
        width: Width::Signed32,
        numbers: Numbers {
            suffixes: true,
            hex_0x: true,
            hex_0x_upper: true,
            bin_0b: true,
            separator: b'_',
            ..Numbers::PLAIN
        },
        overflow: Overflow::Warn,
        data_overflow: Overflow::Warn,
        one_character_expression: true,
        ..ValueRules::PLAIN
    },
    names: NameRules {
        labels: LabelRule::ColonOrBare,
        equals: true,
        nearer: true,
        ..NameRules::PLAIN
    },
    operands: OperandRules {
        square_memory: true,
        warn_parentheses: true,
        register_aliases: true,
        ..OperandRules::PLAIN
    },
    output: OutputRules {
        sequential: true,
        wraps: true,
        counts_on: true,
        ..OutputRules::PLAIN
    },
    writing: Writing {
        own: words::said,
        margin: true,
        separator: Some(Kind::Colon),
        equal: Some(Said::Set),
        locals: Locals::Dot,
        call_locals: CallLocals::Dot,
        counters: 2,
        ..Writing::PLAIN
    },
};

/// Its hooks.
pub struct Sjasmplus;

impl Hooks for Sjasmplus {
    fn state(&self) -> Box<dyn Any> {
        Box::new(State {
            parent: "_".into(),
            ..State::default()
        })
    }

    fn start(&self, a: &mut Assembler<'_>, given: Given<'_>) {
        let first = Switches {
            directives_first: a.dialect.name.ends_with("-dirbol"),
            ..Switches::default()
        };
        let state = a.own.get_mut::<State>();
        state.options.start(first);
        state.scripts.allowed = given.scripts;
    }

    fn takes_texts(&self, _d: &Dialect) -> bool {
        true
    }

    fn given(&self, a: &mut Assembler<'_>, name: &str, given: &Define) -> bool {
        a.sj_given(name, &given.text);
        true
    }

    fn unsettled(&self, a: &mut Assembler<'_>) -> bool {
        a.sj_note_used();
        let moved = a.sj_relocation_unsettled() | a.sjasm_unsettled() | a.sjasm_jumps_unsettled();
        if a.sj_scripts_stop() {
            return false;
        }
        if a.sj_scripts_unsettled() {
            a.sj_keep_pages();
            return true;
        }
        if a.sj_pages_unsettled() || moved || a.sj_begins_elsewhere() {
            a.sj_keep_pages();
            return true;
        }
        a.sj_keep_pages();
        let state = a.own.get::<State>();
        let differs = |(name, &was): (&Arc<str>, &bool)| state.used.contains(name) != was;
        state.asked.iter().any(differs)
    }

    fn carry(&self, a: &mut Assembler<'_>, before: Box<dyn Any>) {
        if let Ok(mut before) = before.downcast::<State>() {
            a.sj_carry_pages(&mut before.devices);
            a.sj_carry_scripts(&mut before);
            a.sj_carry_relocation(&mut before.relocation);
            a.own.get_mut::<State>().texts.went = std::mem::take(&mut before.texts.went);
            if !a.sjasm_carry(&mut before.pages) {
                a.sj_begin_at(before.origin);
            }
            a.own.get_mut::<State>().used = before.used;
        }
    }

    fn finish(&self, a: &mut Assembler<'_>) {
        a.sj_scripts_end();
        if a.dialect.name == "sjasm" {
            a.sj_fill(0);
        }
        a.sj_guard();
        a.sj_relocation_end();
        a.sjasm_end();
        a.sj_requests_end();
    }

    fn saver(&self) -> Option<Box<dyn Saver>> {
        Some(Box::new(files::Files::default()))
    }

    fn plain_labels(&self) -> bool {
        true
    }

    fn statement(&self, a: &mut Assembler<'_>, toks: &[Tok]) -> Outcome<()> {
        match a.dialect.name {
            "sjasm" => a.sjasm_line(toks),
            _ => a.sj_line(toks),
        }
    }

    fn plain_value(&self, a: &Assembler<'_>, t: &Tok) -> bool {
        a.sj_is_plain_value(t)
    }

    fn single(&self, a: &mut Assembler<'_>, t: &Tok) -> Option<Outcome<Value>> {
        a.sj_single(t)
    }

    fn leaf(
        &self,
        a: &mut Assembler<'_>,
        t: &Tok,
        c: &mut Cursor<'_>,
        depth: u32,
    ) -> Outcome<bool> {
        a.sj_leaf(t, c, depth)
    }

    fn word(&self, d: Directive) -> Option<&'static str> {
        Some(match d {
            Directive::EndIf => "endif",
            Directive::EndMacro => "endm",
            Directive::EndRepeat => "edup",
            _ => return None,
        })
    }

    fn macro_names<'a>(&self, a: &'a Assembler<'_>) -> Vec<&'a str> {
        let macros = a.own.get::<State>().macros.keys();
        macros.map(String::as_str).collect()
    }
}
