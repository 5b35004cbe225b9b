//! zasm 4.5; the rules are in `docs/manual/dialect-zasm.md`.
//!
//! Lines are cut at backslashes, and labels told by their column; segments are sections
//! that grow side by side and are laid behind each other at the end.

mod lines;
mod segments;
mod values;
mod words;

use super::margin::macros::Macro;
use super::tables::*;
use crate::program::{Outcome, Value};
use crate::read::Assembler;
use crate::read::hooks::Given;
use crate::read::syntax::expression::Cursor;
use crate::read::syntax::operand::Arguments;
use crate::text::lex::Tok;
use rustc_hash::FxHashMap;
use scrimp_isa::Outline;
use std::any::Any;
use std::cell::RefCell;
use std::rc::Rc;

/// 32 bits with sign; true is 1; a name in column 1 is a label.
pub static ZASM: Dialect = RULES;

/// With `--reqcolon`: a label has a colon, and stands in any column.
pub static ZASM_REQCOLON: Dialect = Dialect {
    name: "zasm-reqcolon",
    title: "zasm 4.5 with --reqcolon",
    writing: Writing {
        margin: false,
        ..RULES.writing
    },
    ..RULES
};

/// With `--casefold`: names count in any case.
pub static ZASM_CASEFOLD: Dialect = Dialect {
    name: "zasm-casefold",
    title: "zasm 4.5 with --casefold",
    names: NameRules {
        case_blind: true,
        ..RULES.names
    },
    ..RULES
};

/// With `--asm8080`: the words of the 8080 only; names count in any case.
pub static ZASM_8080: Dialect = Dialect {
    name: "zasm-8080",
    title: "zasm 4.5 with --asm8080",
    words: WordRules {
        spellings: &["8080-first", "8080", "8080-shared"],
        ..RULES.words
    },
    names: NameRules {
        case_blind: true,
        ..RULES.names
    },
    ..RULES
};

const RULES: Dialect = Dialect {
    name: "zasm",
    title: "zasm 4.5",
    target: "z80",
    lexing: Lexing {
        raw_texts: true,
        doubled_single: Doubled::Lone,
        ..Lexing::PLAIN
    },
    preprocessor: None,
    words: WordRules {
        directives: words::DIRECTIVES,
        dotted: true,
        runs: true,
        macros: MacroStyle::Commas,
        bare_file_names: true,
        files_any_case: true,
        mnemonics: &[("sli", "sll")],
        remembers: true,
        ..WordRules::PLAIN
    },
    values: ValueRules {
        binary: &[
            mark(Kind::OrOr, Binary::LogicOr, 1),
            mark(Kind::AndAnd, Binary::LogicAnd, 2),
            mark(Kind::Equal, Binary::Eq, 5),
            mark(Kind::EqualEqual, Binary::Eq, 5),
            word("eq", Binary::Eq, 5),
            mark(Kind::NotEqual, Binary::Ne, 5),
            word("ne", Binary::Ne, 5),
            mark(Kind::Less, Binary::Lt, 5),
            word("lt", Binary::Lt, 5),
            mark(Kind::LessEqual, Binary::Le, 5),
            word("le", Binary::Le, 5),
            mark(Kind::Greater, Binary::Gt, 5),
            word("gt", Binary::Gt, 5),
            mark(Kind::GreaterEqual, Binary::Ge, 5),
            word("ge", Binary::Ge, 5),
            mark(Kind::Plus, Binary::Add, 6),
            mark(Kind::Minus, Binary::Sub, 6),
            mark(Kind::Star, Binary::Mul, 7),
            mark(Kind::Slash, Binary::Div, 7),
            mark(Kind::Percent, Binary::Mod, 7),
            mark(Kind::Amp, Binary::And, 8),
            word("and", Binary::And, 8),
            mark(Kind::Pipe, Binary::Or, 8),
            word("or", Binary::Or, 8),
            mark(Kind::Caret, Binary::Xor, 8),
            word("xor", Binary::Xor, 8),
            mark(Kind::ShiftLeft, Binary::Shl, 9),
            word("shl", Binary::Shl, 9),
            mark(Kind::ShiftRight, Binary::Shr, 9),
            word("shr", Binary::Shr, 9),
        ],
        unary: &[
            prefix(Kind::Plus, Unary::Plus, 10),
            prefix(Kind::Minus, Unary::Neg, 10),
            prefix(Kind::Tilde, Unary::Not, 10),
            prefix(Kind::Bang, Unary::LogicNot, 10),
            // Before an immediate value; it says nothing.
            prefix(Kind::Hash, Unary::Plus, 1),
        ],
        functions: &[
            ("lo", Unary::Low),
            ("hi", Unary::High),
            ("min", Unary::Plus),
            ("max", Unary::Plus),
            ("abs", Unary::Abs),
            ("defined", Unary::Defined),
        ],
        here: ".",
        width: Width::Signed32,
        numbers: Numbers {
            suffixes: true,
            hex_0x: true,
            hex_0x_upper: true,
            bin_0b: true,
            ..Numbers::PLAIN
        },
        overflow: Overflow::WarnBelowZero,
        data_overflow: Overflow::WarnBelowZero,
        one_character_expression: true,
        charmaps: true,
        ..ValueRules::PLAIN
    },
    names: NameRules {
        equals: true,
        nearer: true,
        ..NameRules::PLAIN
    },
    operands: OperandRules {
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
        hashed: words::SAID_BEHIND_HASH,
        margin: true,
        placed: true,
        separator: Some(Kind::Backslash),
        words: &[
            (Said::EndRepeat, "endm"),
            (Said::IfDefined, ""),
            (Said::IfNotDefined, ""),
        ],
        equal: Some(Said::Set),
        heads: Heads::NameFirst,
        sigil: "&",
        ..Writing::PLAIN
    },
};

/// A segment.
#[derive(Clone, Debug)]
struct Segment {
    name: String,
    section: u32,
    /// Its bytes are in the output.
    code: bool,
    start: i64,
    size: Option<(Value, crate::text::source::Span)>,
    fill: Option<u8>,
    /// Where `#data` is, as it has no bytes.
    at: i64,
}

/// What was seen of the chunks of a segment.
#[derive(Default)]
struct Ends {
    /// Chunks of all segments that were looked at.
    chunks: usize,
    /// Its last one.
    last: Option<usize>,
    /// Where that begins if it follows the one before, and the farthest end before it.
    done: (i64, i64),
}

/// What is kept from line to line.
#[derive(Default)]
struct State {
    /// Of each section.
    ends: RefCell<FxHashMap<u32, Ends>>,
    macros: FxHashMap<String, Rc<Macro>>,
    segments: Vec<Segment>,
    /// The one in force.
    current: Option<usize>,
    /// `#target`.
    target: Option<String>,
    /// Sizes of the segments in the run before.
    sizes: FxHashMap<String, i64>,
    /// Sizes that were asked for in this run before they were known.
    asked: FxHashMap<String, i64>,
    /// Labels need a colon.
    colons: bool,
    /// The last plain label, for `nn$`.
    range: u32,
    /// Number of the next `#local`.
    scopes: u32,
    /// Names that `.globl` declares in the scopes that are open.
    global: Vec<String>,
    /// The logical address is another than the physical one by so much.
    phase: i64,
    /// Bytes stand where no address was given, which has been said.
    homeless: bool,
    /// The lines are those of a `#test`.
    testing: bool,
    /// Chunks that do not begin behind the one before, and where they begin in their segment.
    moved: FxHashMap<u32, i64>,
    /// `org` has left a gap.
    gaps: bool,
    /// zasm would be in its second pass, in which gaps are filled.
    second: bool,
}

/// Its hooks.
pub struct Zasm;

impl Hooks for Zasm {
    fn state(&self) -> Box<dyn Any> {
        Box::new(State::default())
    }

    fn start(&self, a: &mut Assembler<'_>, _given: Given<'_>) {
        a.own.get_mut::<State>().colons = a.dialect.name == "zasm-reqcolon";
        // Pages that are seen at one address.
        a.chosen.overlap = true;
        let chunk = a.chunk as usize;
        a.program.chunks[chunk].overlap = true;
    }

    fn unsettled(&self, a: &mut Assembler<'_>) -> bool {
        a.zasm_unsettled()
    }

    fn carry(&self, a: &mut Assembler<'_>, before: Box<dyn Any>) {
        if let Ok(before) = before.downcast::<State>() {
            let state = a.own.get_mut::<State>();
            (state.sizes, state.second) = (before.sizes, before.second);
        }
    }

    fn finish(&self, a: &mut Assembler<'_>) {
        a.zasm_output();
    }

    fn plain_labels(&self) -> bool {
        true
    }

    fn statement(&self, a: &mut Assembler<'_>, toks: &[Tok]) -> Outcome<()> {
        a.zasm_line(toks)
    }

    fn directive(&self, a: &mut Assembler<'_>, n: u16, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        a.zasm_directive(words::WORDS[usize::from(n)], t, rest)
    }

    fn plain_value(&self, a: &Assembler<'_>, _t: &Tok) -> bool {
        !a.own.get::<State>().testing
    }

    fn single(&self, a: &mut Assembler<'_>, t: &Tok) -> Option<Outcome<Value>> {
        if t.kind == Kind::Name && a.text(t) == "__line__" {
            return Some(Ok(Value::Number(a.zasm_line_number(t))));
        }
        match a.zasm_is_number_label(t) {
            true => Some(a.zasm_number_label(t).and_then(|id| a.symbol_value(id))),
            false => a.plain_single(t),
        }
    }

    fn leaf(
        &self,
        a: &mut Assembler<'_>,
        t: &Tok,
        c: &mut Cursor<'_>,
        _depth: u32,
    ) -> Outcome<bool> {
        a.zasm_leaf(t, c)
    }

    fn operands(
        &self,
        a: &mut Assembler<'_>,
        mnemonic: u16,
        toks: &[Tok],
        args: &mut Arguments,
    ) -> Outcome<bool> {
        let mut changed = false;
        // A port is one without parentheses, too; the 8080 has no other operand here.
        let name = &a.words.mnemonics[usize::from(mnemonic)].name;
        if (name == "in" || name == "out") && args.len() > 1 {
            for arg in args.iter_mut().filter(|g| g.outline == Outline::Value) {
                arg.outline = Outline::RoundValue;
                changed = true;
            }
        }
        // The port is all of BC.
        if name == "in" || name == "out" {
            let c = a.words.get("c").word;
            let bc = a.words.get("bc").word;
            for arg in args.iter_mut() {
                if arg.outline == Outline::RoundWord && arg.word == bc {
                    (arg.word, changed) = (c, true);
                }
            }
        }
        if let ("jp", [arg]) = (name.as_str(), &mut args[..])
            && arg.outline == Outline::RoundWordValue
            && arg.value.1 - arg.value.0 == 1
            && a.text(&toks[arg.value.0 as usize]) == "0"
        {
            (arg.outline, changed) = (Outline::RoundWord, true);
        }
        // Names of registers elsewhere, and of nothing here.
        for arg in args.iter_mut().filter(|g| g.outline == Outline::Word) {
            let text = a.text(&toks[arg.all.0 as usize]);
            let other = |w: &&str| text.eq_ignore_ascii_case(w);
            if text.len() == 2 && ["hx", "lx", "hy", "ly"].iter().any(other) {
                (arg.outline, arg.word) = (Outline::Value, 0);
                changed = true;
            }
        }
        Ok(changed)
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
