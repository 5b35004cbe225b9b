//! scrimp's own dialect; see `docs/manual/native.md`.

use super::tables::*;
use Directive as D;

/// Operators as in C; true is 1; 64 bits.
pub static NATIVE: Dialect = RULES;

/// The same behind a C preprocessor, with joined lines.
pub static NATIVE_CPP: Dialect = Dialect {
    name: "native-cpp",
    title: "scrimp's own behind a C preprocessor",
    preprocessor: Some(&crate::read::preprocess::Rules::CPP_NATIVE),
    lexing: Lexing {
        continued: Continued::Statements,
        ..RULES.lexing
    },
    ..RULES
};

/// What both are, to start from.
pub const RULES: Dialect = Dialect {
    name: "native",
    title: "scrimp's own",
    target: "",
    lexing: Lexing {
        slashes: Slashes::Comments,
        escapes_single: true,
        ..Lexing::PLAIN
    },
    preprocessor: None,
    words: WordRules {
        directives: &[
            ("org", D::Org),
            ("section", D::Section),
            ("region", D::Region),
            ("align", D::Align),
            ("ds", D::Space),
            ("defs", D::Space),
            ("fill", D::Space),
            ("db", D::Bytes),
            ("defb", D::Bytes),
            ("dm", D::Bytes),
            ("defm", D::Bytes),
            ("dw", D::Words),
            ("defw", D::Words),
            ("dd", D::Longs),
            ("include", D::Include),
            ("incbin", D::Incbin),
            ("if", D::If),
            ("ifdef", D::IfDefined),
            ("ifndef", D::IfNotDefined),
            ("elif", D::ElseIf),
            ("elseif", D::ElseIf),
            ("else", D::Else),
            ("endif", D::EndIf),
            ("repeat", D::Repeat),
            ("endr", D::EndRepeat),
            ("foreach", D::ForEach),
            ("macro", D::Macro),
            ("endm", D::EndMacro),
            ("exitm", D::ExitMacro),
            ("local", D::Local),
            ("struct", D::Struct),
            ("scope", D::Scope),
            ("ends", D::Ends),
            ("assert", D::Assert),
            ("error", D::Error),
            ("warning", D::Warning),
            ("print", D::Print),
            ("charmap", D::Charmap),
            ("equ", D::Equ),
            ("set", D::Set),
            ("end", D::End),
            ("budget", D::Budget),
            ("machine", D::Machine),
            ("test", D::Test),
            ("endtest", D::EndTest),
            ("dialect", D::Dialect),
            ("def", D::Define),
            ("undef", D::Undefine),
        ],
        dotted: true,
        macros: MacroStyle::Native,
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
            mark(Kind::EqualEqual, Binary::Eq, 6),
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
        unary: &[
            prefix(Kind::Plus, Unary::Plus, 11),
            prefix(Kind::Minus, Unary::Neg, 11),
            prefix(Kind::Tilde, Unary::Not, 11),
            prefix(Kind::Bang, Unary::LogicNot, 11),
        ],
        functions: &[
            ("low", Unary::Low),
            ("high", Unary::High),
            ("lo", Unary::Low),
            ("hi", Unary::High),
            ("bank", Unary::Bank),
            ("abs", Unary::Abs),
            ("sizeof", Unary::Sizeof),
            ("defined", Unary::Defined),
            ("strlen", Unary::Strlen),
            ("min", Unary::Plus),
            ("max", Unary::Plus),
        ],
        width: Width::Signed64,
        numbers: Numbers {
            suffixes: true,
            hex_0x: true,
            hex_0x_upper: true,
            bin_0b: true,
            separator: b'_',
            ..Numbers::PLAIN
        },
        charmaps: true,
        ..ValueRules::PLAIN
    },
    names: NameRules {
        many_labels: true,
        dots: DotRule::UnderLabel,
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
        floating: true,
        ..OutputRules::PLAIN
    },
    writing: Writing {
        equal: Some(Said::Equ),
        locals: Locals::Dot,
        call_locals: CallLocals::Dot,
        counters: 4,
        ..Writing::PLAIN
    },
};
