//! rasm 3.2 for the Z80; the rules are in `docs/manual/dialect-rasm.md`.
//!
//! What is no word of its own at the start of a statement is a label. Values are doubles
//! until a place wants a whole number. `{…}` within a name is the value of what is in it.

mod banks;
mod conditions;
mod data;
mod functions;
mod instead;
mod lines;
mod loops;
mod macros;
mod names;
mod places;
mod reals;
mod saves;
mod snapshot;
mod state;
mod structs;
mod tags;
mod values;
mod words;

use super::tables::*;
use crate::program::{Outcome, Value};
use crate::read::Assembler;
use crate::read::hooks::{Given, Saver};
use crate::read::syntax::expression::Cursor;
use crate::read::syntax::operand::Arguments;
use crate::text::lex::Tok;
use rustc_hash::{FxHashMap, FxHashSet};
use scrimp_isa::Outline;
use state::State;
use std::any::Any;

/// `$` in a list of data is where the item is.
pub static RASM: Dialect = RULES;

/// With `-pasmo`: `$` in a list of data is where the list begins.
pub static RASM_PASMO: Dialect = Dialect {
    name: "rasm-pasmo",
    title: "rasm 3.2 with -pasmo",
    ..RULES
};

/// With `-amper`: `&1F` is a number.
pub static RASM_AMPER: Dialect = Dialect {
    name: "rasm-amper",
    title: "rasm 3.2 with -amper",
    lexing: Lexing {
        amp_digits: true,
        ..RULES.lexing
    },
    ..RULES
};

const RULES: Dialect = Dialect {
    name: "rasm",
    title: "rasm 3.2",
    target: "z80",
    lexing: Lexing {
        slashes: Slashes::Comments,
        name_more: "@",
        name_start_more: true,
        escapes_single: true,
        hash_hex: true,
        percent_always: true,
        continued: Continued::Statements,
        floats: true,
        ..Lexing::PLAIN
    },
    preprocessor: None,
    words: WordRules {
        directives: &words::DIRECTIVES,
        mnemonics: &[
            ("sl1", "sll"),
            ("shl", "sla"),
            ("shr", "srl"),
            ("oti", "outi"),
            ("otd", "outd"),
        ],
        macros: MacroStyle::Commas,
        files_any_case: true,
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
            mark(Kind::EqualEqual, Binary::Eq, 6),
            mark(Kind::NotEqual, Binary::Ne, 6),
            mark(Kind::Less, Binary::Lt, 6),
            mark(Kind::LessEqual, Binary::Le, 6),
            mark(Kind::Greater, Binary::Gt, 6),
            mark(Kind::GreaterEqual, Binary::Ge, 6),
            mark(Kind::ShiftLeft, Binary::Shl, 7),
            mark(Kind::ShiftRight, Binary::Shr, 7),
            mark(Kind::Plus, Binary::Add, 8),
            mark(Kind::Minus, Binary::Sub, 8),
            mark(Kind::Star, Binary::Mul, 9),
            mark(Kind::Slash, Binary::Div, 9),
            mark(Kind::Percent, Binary::Mod, 9),
            word("mod", Binary::Mod, 9),
        ],
        unary: &[
            prefix(Kind::Plus, Unary::Plus, 10),
            prefix(Kind::Minus, Unary::Neg, 10),
            prefix(Kind::Bang, Unary::LogicNot, 10),
        ],
        numbers: Numbers {
            suffixes: true,
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
    names: NameRules {
        labels: LabelRule::ColonOrBare,
        equals: true,
        case_blind: true,
        nearer: true,
        ..NameRules::PLAIN
    },
    operands: OperandRules {
        warn_parentheses: true,
        register_aliases: true,
        ..OperandRules::PLAIN
    },
    output: OutputRules::PLAIN,
    writing: Writing {
        own: words::said,
        words: &[(Said::Equ, "equ")],
        separator: Some(Kind::Colon),
        equal: Some(Said::Set),
        heads: Heads::None,
        locals: Locals::Dot,
        ..Writing::PLAIN
    },
};

/// Its hooks.
pub struct Rasm;

impl Hooks for Rasm {
    fn state(&self) -> Box<dyn Any> {
        let mut charset = Box::new([0; 256]);
        (0..=255).for_each(|b: u8| charset[usize::from(b)] = b);
        Box::new(State {
            macros: FxHashMap::default(),
            structs: FxHashMap::default(),
            instances: Vec::new(),
            structure: None,
            frames: Vec::new(),
            number: 0,
            rests: FxHashSet::default(),
            parent: "".into(),
            module: String::new(),
            locals: FxHashMap::default(),
            unnamed: 0,
            charset,
            counting: [1, 1],
            switches: Vec::new(),
            places: state::Places::default(),
            banks: state::Banks::default(),
            exact: false,
            at_statement: false,
        })
    }

    fn start(&self, a: &mut Assembler<'_>, _given: Given<'_>) {
        let at_statement = a.dialect.name.ends_with("-pasmo");
        a.own.get_mut::<State>().at_statement = at_statement;
    }

    fn finish(&self, a: &mut Assembler<'_>) {
        a.rasm_end();
    }

    fn saver(&self) -> Option<Box<dyn Saver>> {
        Some(Box::new(saves::Files::default()))
    }

    fn plain_value(&self, _a: &Assembler<'_>, _t: &Tok) -> bool {
        true
    }

    fn plain_labels(&self) -> bool {
        true
    }

    fn statement(&self, a: &mut Assembler<'_>, toks: &[Tok]) -> Outcome<()> {
        a.rasm_line(toks)
    }

    #[inline]
    fn single(&self, a: &mut Assembler<'_>, t: &Tok) -> Option<Outcome<Value>> {
        a.rasm_single(t)
    }

    fn leaf(
        &self,
        a: &mut Assembler<'_>,
        t: &Tok,
        c: &mut Cursor<'_>,
        depth: u32,
    ) -> Outcome<bool> {
        a.rasm_leaf(t, c, depth)
    }

    fn operands(
        &self,
        a: &mut Assembler<'_>,
        mnemonic: u16,
        toks: &[Tok],
        args: &mut Arguments,
    ) -> Outcome<bool> {
        // `in 0,(c)` is the one without a register.
        let name = a.words.mnemonics[usize::from(mnemonic)].name.as_str();
        if name == "in"
            && let Some(first) = args.first_mut()
            && first.outline == Outline::Value
            && a.written(&toks[first.all.0 as usize..first.all.1 as usize]) == "0"
        {
            (first.outline, first.word) = (Outline::Word, a.words.get("f").word);
        }
        Ok(false)
    }

    fn other_instruction(
        &self,
        a: &mut Assembler<'_>,
        mnemonic: u16,
        toks: &[Tok],
        from: usize,
    ) -> Outcome<bool> {
        a.rasm_instead(mnemonic, toks, from)
    }

    fn word(&self, d: Directive) -> Option<&'static str> {
        match d {
            Directive::EndIf => Some("endif"),
            Directive::EndMacro => Some("mend"),
            Directive::EndRepeat => Some("rend"),
            _ => None,
        }
    }

    fn macro_names<'a>(&self, a: &'a Assembler<'_>) -> Vec<&'a str> {
        let macros = a.own.get::<State>().macros.keys();
        macros.map(String::as_str).collect()
    }
}
