//! AVRASM2, the assembler of the AVR's maker, and avra, which is close to it; see
//! `docs/manual/dialect-avrasm2.md`.

mod lines;

use super::tables::*;
use crate::read::preprocess::Rules;
use Directive as D;
pub use lines::{Avra, Avrasm};

/// Version 2.2.
static PREPROCESSOR: Rules = PREPROCESSOR_RULES;

const PREPROCESSOR_RULES: Rules = Rules {
    predefined: &[("__AVRASM_VERSION__", "2002")],
    ..Rules::BUILT_IN
};

/// avra has one set of names, and `#if` is its `.if`.
static OF_AVRA: Rules = Rules {
    sees_symbols: true,
    ..PREPROCESSOR_RULES
};

/// What both have: operators as in C, names in any case, word addresses in flash,
/// three segments, macros with `@0`.
const BASE: Dialect = Dialect {
    name: "avrasm2",
    title: "AVRASM2 and avra",
    target: "avr",
    lexing: Lexing {
        slashes: Slashes::Comments,
        escapes_single: true,
        continued: Continued::Statements,
        at: AtSign::Argument,
        plain_texts: true,
        floats: true,
        ..Lexing::PLAIN
    },
    preprocessor: Some(&PREPROCESSOR),
    words: WordRules {
        directives: &[
            (".org", D::Org),
            (".cseg", D::Segment(0)),
            (".dseg", D::Segment(1)),
            (".eseg", D::Segment(2)),
            (".byte", D::Reserve),
            (".db", D::Bytes),
            (".dw", D::Words),
            (".dd", D::Longs),
            (".dq", D::Quads),
            (".device", D::Device),
            (".include", D::Include),
            (".equ", D::Equ),
            (".set", D::Set),
            (".def", D::Define),
            (".undef", D::Undefine),
            (".define", D::DefineText),
            (".macro", D::Macro),
            (".endm", D::EndMacro),
            (".endmacro", D::EndMacro),
            (".if", D::If),
            (".ifdef", D::IfDefined),
            (".ifndef", D::IfNotDefined),
            (".elif", D::ElseIf),
            (".elseif", D::ElseIf),
            (".else", D::Else),
            (".endif", D::EndIf),
            (".message", D::Print),
            (".warning", D::Warning),
            (".error", D::Error),
            (".exit", D::End),
            (".list", D::Listing),
            (".nolist", D::Listing),
            (".listmac", D::Listing),
            (".nolistmac", D::Listing),
            (".overlap", D::Overlap),
            (".nooverlap", D::NoOverlap),
            (".csegsize", D::CodeSize),
        ],
        runs: true,
        macros: MacroStyle::Numbered,
        end_stops_file: true,
        remembers: true,
        files_any_case: true,
        ..WordRules::PLAIN
    },
    values: ValueRules {
        binary: &[
            mark(Kind::OrOr, Binary::LogicOr, 1),
            mark(Kind::AndAnd, Binary::LogicAnd, 2),
            mark(Kind::Pipe, Binary::Or, 3),
            mark(Kind::Caret, Binary::Xor, 4),
            mark(Kind::Amp, Binary::And, 5),
            mark(Kind::EqualEqual, Binary::Eq, 6),
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
        unary: &[
            prefix(Kind::Plus, Unary::Plus, 11),
            prefix(Kind::Minus, Unary::Neg, 11),
            prefix(Kind::Tilde, Unary::Not, 11),
            prefix(Kind::Bang, Unary::LogicNot, 11),
            prefix_word("defined", Unary::Defined, 11),
        ],
        functions: &[
            ("low", Unary::Low),
            ("byte1", Unary::Low),
            ("high", Unary::High),
            ("byte2", Unary::High),
            ("byte3", Unary::Bank),
            ("byte4", Unary::Byte4),
            ("lwrd", Unary::LowWord),
            ("hwrd", Unary::HighWord),
            ("page", Unary::Page),
            ("exp2", Unary::Exp2),
            ("log2", Unary::Log2),
            ("int", Unary::Int),
            ("frac", Unary::Frac),
            ("q7", Unary::Q7),
            ("q15", Unary::Q15),
            ("abs", Unary::Abs),
            ("strlen", Unary::Strlen),
        ],
        here: "pc",
        width: Width::Signed64,
        numbers: Numbers {
            hex_0x: true,
            hex_0x_upper: true,
            bin_0b: true,
            zero_octal: true,
            separator: b'_',
            ..Numbers::PLAIN
        },
        overflow: Overflow::Warn,
        sign_bits: true,
        plain_texts: true,
        word_addresses: true,
        ..ValueRules::PLAIN
    },
    names: NameRules {
        many_labels: true,
        names_behind: true,
        case_blind: true,
        ..NameRules::PLAIN
    },
    operands: OperandRules {
        register_aliases: true,
        // avra reads no further, and programs for it rely on that.
        ignored_operands: &[
            ("com", 1),
            ("neg", 1),
            ("inc", 1),
            ("dec", 1),
            ("push", 1),
            ("pop", 1),
            ("asr", 1),
            ("lsr", 1),
            ("ror", 1),
            ("swap", 1),
            ("clr", 1),
            ("ser", 1),
            ("tst", 1),
            ("lsl", 1),
            ("rol", 1),
        ],
        ..OperandRules::PLAIN
    },
    output: OutputRules {
        segments: &[
            segment("cseg", "flash", 0),
            segment("dseg", "data", 0x60),
            segment("eseg", "eeprom", 0),
        ],
        padded: true,
        ..OutputRules::PLAIN
    },
    writing: Writing {
        constants: Constants::Behind,
        heads: Heads::Numbered,
        ..Writing::PLAIN
    },
};

const fn segment(name: &'static str, space: &'static str, start: u64) -> Segment {
    Segment { name, space, start }
}

/// Microchip's AVRASM2.
pub static AVRASM2: Dialect = BASE;

/// avra: no octal numbers, data are cut with a warning, and lines are not read to their
/// end.
pub static AVRA: Dialect = Dialect {
    name: "avra",
    title: "avra 1.4.2",
    preprocessor: Some(&OF_AVRA),
    values: ValueRules {
        data_overflow: Overflow::Warn,
        numbers: Numbers {
            zero_octal: false,
            ..BASE.values.numbers
        },
        ..BASE.values
    },
    operands: OperandRules {
        reads_no_further: true,
        ..BASE.operands
    },
    ..BASE
};
