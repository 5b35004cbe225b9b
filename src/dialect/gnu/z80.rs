//! GNU as for the Z80, and what its linker does with several files; see
//! `docs/manual/dialect-gas-z80.md`.

use super::avr::{self, VALUES};
use super::state::{Family, State};
use super::words::Gnu as G;
use crate::diagnostic::{Diagnostic, codes};
use crate::dialect::native::RULES;
use crate::dialect::tables::*;
use crate::program::Outcome;
use crate::program::eval::Op;
use crate::read::Assembler;
use crate::read::hooks::Relaxing;
use crate::read::syntax::operand::Arguments;
use crate::text::lex::Tok;

/// Words that this family has more; all may be written with a dot and without.
const OWN: &[(&str, G)] = &[
    (".db", G::Bytes),
    (".defb", G::Bytes),
    (".defm", G::Bytes),
    (".dw", G::Values(2)),
    (".defw", G::Values(2)),
    (".d24", G::Values(3)),
    (".def24", G::Values(3)),
    (".d32", G::Values(4)),
    (".def32", G::Values(4)),
    (".ds", G::Skip),
    (".defs", G::Skip),
    (".xdef", G::Global),
    (".xref", G::Ignored),
    (".psect", G::Section),
    (".module", G::Ignored),
    (".page", G::Ignored),
    (".z80", G::Ignored),
];

/// Words with their dots.
const DOTTED: usize = OWN.len() + avr::WORDS.len();

/// All words with their dots, and without.
const JOINED: [(&str, G); DOTTED * 2] = {
    let mut all = [OWN[0]; DOTTED * 2];
    let mut i = 0;
    while i < DOTTED {
        let (name, what) = match i < OWN.len() {
            true => OWN[i],
            false => avr::WORDS[i - OWN.len()],
        };
        all[i] = (name, what);
        all[i + DOTTED] = (name.split_at(1).1, what);
        i += 1;
    }
    all
};

/// Its directives and what they do.
const WORDS: &[(&str, G)] = &JOINED;

static DIRECTIVES: [(&str, Directive); WORDS.len()] = numbered(WORDS);

/// What the linker has of its own for this family.
pub static FAMILY: Family = Family {
    words: WORDS,
    leaf: |a, t, _, _| a.z80_leaf(t),
    operands: |a, _, toks, args| a.z80_operands(toks, args),
    plan: |a, globals| a.gnu_flat_plan(globals),
    missing: false,
    dot_behind: false,
    equates: true,
    quoted: true,
    relaxing: Relaxing::ButTables,
};

/// 64 bits that wrap; a label has a colon, its name counts as it is written.
pub static GAS_Z80: Dialect = Dialect {
    name: "gas-z80",
    title: "GNU as for the Z80",
    target: "z80",
    lexing: Lexing {
        signs: Signs::Hashed,
        name_more: "$",
        raw_texts: true,
        ..Lexing::PLAIN
    },
    preprocessor: Some(&crate::read::preprocess::Rules::CPP),
    words: WordRules {
        directives: &DIRECTIVES,
        dotted: false,
        mnemonics: &[("sli", "sll"), ("sl1", "sll")],
        ..RULES.words
    },
    values: ValueRules {
        unary: &[
            prefix(Kind::Plus, Unary::Plus, 7),
            prefix(Kind::Minus, Unary::Neg, 7),
            prefix(Kind::Tilde, Unary::Not, 7),
            prefix(Kind::Bang, Unary::LogicNot, 7),
            // As with `-sdcc`: bytes of an address, and an immediate value.
            prefix(Kind::Less, Unary::Low, 7),
            prefix(Kind::Greater, Unary::High, 7),
            prefix(Kind::Hash, Unary::Plus, 1),
        ],
        numbers: Numbers {
            suffixes: true,
            hex_0x: true,
            hex_0x_upper: true,
            bin_0b: true,
            labels: true,
            ..Numbers::PLAIN
        },
        overflow: Overflow::Warn,
        ..VALUES
    },
    names: NameRules {
        dots: DotRule::None,
        ..RULES.names
    },
    operands: OperandRules {
        register_aliases: false,
        ..RULES.operands
    },
    output: OutputRules {
        floating: false,
        linked: true,
        ..RULES.output
    },
    writing: Writing {
        own: |n| avr::says(WORDS.get(usize::from(n))?.1),
        equal: Some(Said::Set),
        constants: Constants::Comma,
        sigil: "\\",
        ..Writing::PLAIN
    },
};

impl Assembler<'_> {
    /// What is a value here and nowhere else: names, `.`, a character.
    fn z80_leaf(&mut self, t: &Tok) -> Outcome<bool> {
        match t.kind {
            Kind::Name if self.sources.slice(t.span) == "." => self.push_here(),
            Kind::Name => {
                let id = self.gnu_intern(t)?;
                self.gnu_use(id, t);
            }
            Kind::Single | Kind::Double => {
                let text = self.quoted_codes(t)?;
                // In double quotes it is a name.
                let ([code], Kind::Single) = (&text[..], t.kind) else {
                    let d = Diagnostic::new(codes::BAD_EXPRESSION, "expected one character");
                    return Err(Box::new(
                        d.at(t.span).help("texts stand in `.db` and `.ascii`"),
                    ));
                };
                self.ops.push(Op::Number(i64::from(*code)));
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Operands as sdcc writes them: `5 (ix)`.
    fn z80_operands(&mut self, toks: &[Tok], args: &mut Arguments) -> Outcome<bool> {
        self.offsets_before(toks, args);
        Ok(false)
    }

    /// The rules of the family in force.
    pub(super) fn gnu_family(&self) -> &'static Family {
        self.own.get::<State>().family
    }
}
