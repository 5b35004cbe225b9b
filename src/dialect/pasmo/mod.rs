//! pasmo 0.5.3; the rules are in `docs/manual/dialect-pasmo.md`.

use super::tables::*;
use Directive as D;

/// 16 bits without sign; true is FFFF; a bare name is a label.
pub static PASMO: Dialect = RULES;

/// The same with `--alocal`: names with a leading `_` are local to the lines
/// between two other definitions.
pub static PASMO_ALOCAL: Dialect = Dialect {
    name: "pasmo-alocal",
    title: "pasmo 0.5.3 with --alocal",
    target: "z80",
    names: NameRules {
        dots: DotRule::Underscore,
        ..RULES.names
    },
    writing: Writing {
        locals: Locals::Underscore,
        ..RULES.writing
    },
    ..RULES
};

pub(super) const RULES: Dialect = Dialect {
    name: "pasmo",
    title: "pasmo 0.5.3",
    target: "z80",
    lexing: Lexing {
        name_more: "?@$",
        name_start_more: true,
        doubled_single: Doubled::One,
        amp_digits: true,
        amp_letters: true,
        hash_hex: true,
        percent_always: true,
        dollar_digits: true,
        ..Lexing::PLAIN
    },
    preprocessor: None,
    words: WordRules {
        directives: &[
            ("org", D::Org),
            ("ds", D::Space),
            ("defs", D::Space),
            ("db", D::Bytes),
            ("defb", D::Bytes),
            ("defm", D::Bytes),
            ("dw", D::Words),
            ("defw", D::Words),
            ("include", D::Include),
            ("incbin", D::Incbin),
            ("if", D::If),
            ("else", D::Else),
            ("endif", D::EndIf),
            ("rept", D::Repeat),
            ("irp", D::ForEach),
            ("macro", D::Macro),
            ("endm", D::EndMacro),
            ("exitm", D::ExitMacro),
            (".shift", D::Shift),
            ("local", D::Local),
            ("proc", D::Proc),
            ("endp", D::EndProc),
            (".error", D::Error),
            (".warning", D::Warning),
            ("equ", D::Equ),
            ("defl", D::Set),
            ("end", D::End),
            ("public", D::Public),
        ],
        macros: MacroStyle::Commas,
        mnemonics_first: true,
        bare_file_names: true,
        files_any_case: true,
        paste_hex: true,
        remembers: true,
        ..WordRules::PLAIN
    },
    values: ValueRules {
        binary: &[
            mark(Kind::OrOr, Binary::LogicOr, 3),
            mark(Kind::AndAnd, Binary::LogicAnd, 4),
            word("or", Binary::Or, 5),
            mark(Kind::Pipe, Binary::Or, 5),
            word("xor", Binary::Xor, 5),
            word("and", Binary::And, 6),
            mark(Kind::Amp, Binary::And, 6),
            mark(Kind::Equal, Binary::Eq, 8),
            word("eq", Binary::Eq, 8),
            mark(Kind::NotEqual, Binary::Ne, 8),
            word("ne", Binary::Ne, 8),
            mark(Kind::Less, Binary::Lt, 8),
            word("lt", Binary::Lt, 8),
            mark(Kind::LessEqual, Binary::Le, 8),
            word("le", Binary::Le, 8),
            mark(Kind::Greater, Binary::Gt, 8),
            word("gt", Binary::Gt, 8),
            mark(Kind::GreaterEqual, Binary::Ge, 8),
            word("ge", Binary::Ge, 8),
            mark(Kind::Plus, Binary::Add, 9),
            mark(Kind::Minus, Binary::Sub, 9),
            mark(Kind::Star, Binary::Mul, 10),
            mark(Kind::Slash, Binary::Div, 10),
            mark(Kind::Percent, Binary::Mod, 10),
            word("mod", Binary::Mod, 10),
            mark(Kind::ShiftLeft, Binary::Shl, 10),
            word("shl", Binary::Shl, 10),
            mark(Kind::ShiftRight, Binary::Shr, 10),
            word("shr", Binary::Shr, 10),
        ],
        unary: &[
            prefix_word("high", Unary::High, 3),
            prefix_word("low", Unary::Low, 3),
            prefix_word("not", Unary::Not, 8),
            prefix(Kind::Tilde, Unary::Not, 8),
            prefix(Kind::Bang, Unary::LogicNot, 8),
            prefix(Kind::Plus, Unary::Plus, 8),
            prefix(Kind::Minus, Unary::Neg, 8),
            prefix_word("defined", Unary::Defined, 11),
            prefix_word("nul", Unary::Nul, 11),
        ],
        truth: 0xffff,
        logic_truth: 0xffff,
        width: Width::Unsigned16,
        numbers: Numbers {
            suffixes: true,
            hex_0x: true,
            hex_0x_upper: true,
            separator: b'$',
            ..Numbers::PLAIN
        },
        overflow: Overflow::Warn,
        data_overflow: Overflow::Warn,
        one_character_expression: true,
        ..ValueRules::PLAIN
    },
    names: NameRules {
        labels: LabelRule::ColonOrBare,
        line_numbers: true,
        dollar_names: true,
        ..NameRules::PLAIN
    },
    operands: OperandRules {
        square_memory: true,
        index_minus_whole: true,
        index_wraps: true,
        warn_parentheses: true,
        twins: &HALVES,
        ..OperandRules::PLAIN
    },
    output: OutputRules {
        wraps: true,
        ..OutputRules::PLAIN
    },
    writing: Writing {
        words: &[(Said::EndRepeat, "endm"), (Said::EndBlock, "endm")],
        heads: Heads::NameFirst,
        call_locals: CallLocals::Listed,
        counters: 4,
        ..Writing::PLAIN
    },
};
