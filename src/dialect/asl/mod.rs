//! AS, the macro assembler of Alfred Arnold, for sources of one CPU; the rules are in
//! `docs/manual/dialect-asl.md`.
//!
//! What stands in column 1 is a label. Macros are texts, and labels in them are of the
//! call. Room is not written; p2bin fills it.

mod conditions;
mod data;
mod definitions;
mod functions;
mod lines;
mod loops;
mod macros;
mod names;
mod operands;
mod places;
mod rich;
mod settings;
mod state;
mod structs;
mod texts;
mod typed;
mod values;
mod words;

use super::tables::*;
use crate::diagnostic::{Diagnostic, codes};
use crate::program::symbol::Meaning;
use crate::program::{Outcome, Value};
use crate::read::Assembler;
use crate::read::hooks::Given;
use crate::read::syntax::expression::Cursor;
use crate::read::syntax::operand::Arguments;
use crate::text::lex::Tok;
use state::State;
use std::any::Any;

/// 64 bits with sign; true is 1; names count in any case.
pub static ASL: Dialect = RULES;

/// With `-U`: names count in their case.
pub static ASL_CASE: Dialect = Dialect {
    name: "asl-case",
    title: "AS with -U",
    names: NameRules {
        case_blind: false,
        ..RULES.names
    },
    ..RULES
};

/// With `-cpu 8080`.
pub static ASL_8080: Dialect = Dialect {
    name: "asl-8080",
    title: "AS with -cpu 8080",
    words: WordRules {
        spellings: &["8080-first", "8080", "8080-shared"],
        ..RULES.words
    },
    ..RULES
};

/// The words of both CPUs, as `z80syntax on` has them.
static BOTH: Dialect = Dialect {
    words: WordRules {
        spellings: &["8080-first", "8080", "8080-shared", ""],
        ..RULES.words
    },
    name: "asl-8080",
    ..RULES
};

const RULES: Dialect = Dialect {
    name: "asl",
    title: "AS",
    target: "z80",
    lexing: Lexing {
        signs: Signs::Loose,
        name_more: "$",
        escapes_single: true,
        floats: true,
        end_sign: EndSign::Blank,
        continued: Continued::Lines,
        ..Lexing::PLAIN
    },
    preprocessor: None,
    words: WordRules {
        directives: &words::DIRECTIVES,
        runs: true,
        macros: MacroStyle::Commas,
        bare_file_names: true,
        files_any_case: true,
        mnemonics: &[
            ("slia", "sll"),
            ("sls", "sll"),
            ("sl1", "sll"),
            ("sli", "sll"),
            ("exa", "ex"),
            ("exd", "ex"),
        ],
        remembers: true,
        ..WordRules::PLAIN
    },
    values: ValueRules {
        binary: &[
            mark(Kind::Equal, Binary::Eq, 7),
            mark(Kind::EqualEqual, Binary::Eq, 7),
            mark(Kind::NotEqual, Binary::Ne, 7),
            mark(Kind::Less, Binary::Lt, 7),
            mark(Kind::LessEqual, Binary::Le, 7),
            mark(Kind::Greater, Binary::Gt, 7),
            mark(Kind::GreaterEqual, Binary::Ge, 7),
            mark(Kind::OrOr, Binary::LogicOr, 14),
            mark(Kind::AndAnd, Binary::LogicAnd, 15),
            mark(Kind::Plus, Binary::Add, 17),
            mark(Kind::Minus, Binary::Sub, 17),
            mark(Kind::Star, Binary::Mul, 19),
            mark(Kind::Slash, Binary::Div, 19),
            mark(Kind::Hash, Binary::Mod, 19),
            mark(Kind::Bang, Binary::Xor, 23),
            mark(Kind::Pipe, Binary::Or, 24),
            mark(Kind::Amp, Binary::And, 25),
            mark(Kind::ShiftLeft, Binary::Shl, 27),
            mark(Kind::ShiftRight, Binary::Shr, 27),
        ],
        unary: &[
            prefix(Kind::Plus, Unary::Plus, 18),
            prefix(Kind::Minus, Unary::Neg, 18),
            prefix(Kind::Tilde, Unary::Not, 29),
        ],
        width: Width::Signed64,
        prefixes: Prefixes::Divide,
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
        ..OperandRules::PLAIN
    },
    output: OutputRules::PLAIN,
    writing: Writing {
        own: words::said,
        words: &[
            (Said::EndRepeat, "endm"),
            (Said::EndBlock, "endm"),
            (Said::Else, "else"),
        ],
        margin: true,
        equal: Some(Said::Equ),
        heads: Heads::NameFirst,
        locals: Locals::Dot,
        fill: 0xff,
        ..Writing::PLAIN
    },
};

/// Its hooks.
pub struct Asl;

impl Hooks for Asl {
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
        let state = a.own.get::<State>();
        let open = state.open.first().map(|o| (o.span, "struct", "endstruct"));
        let section = state.sections.first();
        let open = open.or(section.map(|s| (s.span, "section", "endsection")));
        if let Some((span, what, end)) = open {
            let message = format!("this `{what}` has no `{end}`");
            a.report(Box::new(
                Diagnostic::new(codes::UNCLOSED_BLOCK, message).at(span),
            ));
        }
        a.naming.structure = None;
        a.asl_gaps();
    }

    fn unsettled(&self, a: &mut Assembler<'_>) -> bool {
        let state = a.own.get::<State>();
        let waits = |id| {
            let s = a.symbols.get(id);
            let key = a.key(&s.name);
            let found = state.typed.fixed.get(&*key);
            s.used
                && s.meaning == Meaning::Undefined
                && found.is_some_and(|v| state.typed.below.get(&*key) != Some(v))
        };
        !state.typed.fixed.is_empty() && a.symbols.ids().any(waits)
    }

    fn carry(&self, a: &mut Assembler<'_>, before: Box<dyn Any>) {
        if let Ok(before) = before.downcast::<State>() {
            a.own.get_mut::<State>().typed.below = before.typed.fixed;
        }
    }

    fn plain_labels(&self) -> bool {
        true
    }

    fn statement(&self, a: &mut Assembler<'_>, toks: &[Tok]) -> Outcome<()> {
        let done = a.asl_line(toks);
        a.asl_struct_goes_on();
        done
    }

    fn directive(&self, a: &mut Assembler<'_>, n: u16, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        a.asl_directive(words::WORDS[usize::from(n)].1, None, t, rest)
    }

    fn plain_value(&self, a: &Assembler<'_>, t: &Tok) -> bool {
        a.asl_is_plain_value(t)
    }

    fn single(&self, a: &mut Assembler<'_>, t: &Tok) -> Option<Outcome<Value>> {
        a.asl_single(t)
    }

    fn leaf(
        &self,
        a: &mut Assembler<'_>,
        t: &Tok,
        c: &mut Cursor<'_>,
        depth: u32,
    ) -> Outcome<bool> {
        a.asl_leaf(t, c, depth)
    }

    fn operands(
        &self,
        a: &mut Assembler<'_>,
        mnemonic: u16,
        toks: &[Tok],
        args: &mut Arguments,
    ) -> Outcome<bool> {
        a.exchange_in_order(mnemonic, toks, args);
        Ok(a.halves_are_names(toks, args))
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
