//! z80asm 1.8 (Debian's); the rules are in `docs/manual/dialect-z80asm.md`.

use super::tables::*;
use Directive as D;

const fn twin(
    mnemonic: &'static str,
    written: [&'static str; 2],
    taken: [&'static str; 2],
) -> Twin {
    Twin {
        mnemonic,
        written,
        taken,
        warn: true,
    }
}

/// `ld` of `h` and `l`; arithmetic, which mixes up the halves of the index
/// registers; `in r,(bc)`.
static TWINS: [Twin; 16 + 40 + 7] = {
    let mut all = [HALVES[0]; 63];
    let mut n = 0;
    while n < HALVES.len() {
        all[n] = HALVES[n];
        n += 1;
    }
    let swaps = [
        ("ixh", "ixl"),
        ("ixl", "ixh"),
        ("iyh", "iyl"),
        ("iyl", "iyh"),
    ];
    let with_a = ["add", "adc", "sub", "sbc"];
    let alone = ["add", "sub", "and", "xor", "or", "cp"];
    let mut s = 0;
    while s < swaps.len() {
        let (written, taken) = swaps[s];
        let mut m = 0;
        while m < with_a.len() {
            all[n] = twin(with_a[m], ["a", written], ["a", taken]);
            n += 1;
            m += 1;
        }
        m = 0;
        while m < alone.len() {
            all[n] = twin(alone[m], [written, ""], [taken, ""]);
            n += 1;
            m += 1;
        }
        s += 1;
    }
    let registers = ["b", "c", "d", "e", "h", "l", "f"];
    let mut r = 0;
    while r < registers.len() {
        all[n] = Twin {
            warn: false,
            ..twin("in", [registers[r], "bc"], [registers[r], "c"])
        };
        n += 1;
        r += 1;
    }
    all
};

/// 32 bits with sign; labels have a colon; the output is in order of writing.
pub static Z80ASM: Dialect = Dialect {
    name: "z80asm",
    title: "z80asm 1.8",
    target: "z80",
    lexing: Lexing {
        escapes_single: true,
        amp_letters: true,
        percent_always: true,
        at: AtSign::Base,
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
            ("dm", D::Bytes),
            ("defm", D::Bytes),
            ("dw", D::Words),
            ("defw", D::Words),
            ("include", D::Include),
            ("incbin", D::Incbin),
            ("if", D::If),
            ("else", D::Else),
            ("endif", D::EndIf),
            ("macro", D::Macro),
            ("endm", D::EndMacro),
            ("equ", D::Equ),
            ("end", D::End),
            ("seek", D::Seek),
        ],
        macros: MacroStyle::Text,
        mnemonics_first: true,
        end_stops_file: true,
        mnemonics: &[("sli", "sll"), ("sll", "")],
        remembers: true,
        files_any_case: true,
        ..WordRules::PLAIN
    },
    values: ValueRules {
        binary: &[
            mark(Kind::Pipe, Binary::Or, 1),
            mark(Kind::Caret, Binary::Xor, 2),
            mark(Kind::Amp, Binary::And, 3),
            right(Kind::EqualEqual, Binary::Eq, 4),
            right(Kind::Equal, Binary::Eq, 4),
            right(Kind::NotEqual, Binary::Ne, 4),
            right(Kind::Less, Binary::Lt, 5),
            right(Kind::LessEqual, Binary::Le, 5),
            right(Kind::Greater, Binary::Gt, 5),
            right(Kind::GreaterEqual, Binary::Ge, 5),
            mark(Kind::ShiftLeft, Binary::Shl, 6),
            mark(Kind::ShiftRight, Binary::Shr, 6),
            mark(Kind::Plus, Binary::Add, 7),
            mark(Kind::Minus, Binary::Sub, 7),
            mark(Kind::Star, Binary::Mul, 8),
            mark(Kind::Slash, Binary::Div, 8),
        ],
        unary: &[
            prefix(Kind::Plus, Unary::Plus, 9),
            prefix(Kind::Minus, Unary::Neg, 9),
            prefix(Kind::Tilde, Unary::Not, 9),
        ],
        prefixes: Prefixes::Run,
        width: Width::Signed32,
        numbers: Numbers {
            suffixes: true,
            hex_0x: true,
            zero_octal: true,
            empty_is_zero: true,
            ..Numbers::PLAIN
        },
        overflow: Overflow::Warn,
        data_overflow: Overflow::Warn,
        one_character_expression: true,
        ..ValueRules::PLAIN
    },
    names: NameRules {
        labels: LabelRule::ColonTight,
        dots: DotRule::PerFile,
        free_labels: true,
        ..NameRules::PLAIN
    },
    operands: OperandRules {
        index_wraps: true,
        index_overflow: Overflow::Warn,
        warn_parentheses: true,
        twins: &TWINS,
        ignored_operands: &[
            ("and", 1),
            ("or", 1),
            ("xor", 1),
            ("cp", 1),
            ("rlc", 1),
            ("rrc", 1),
            ("rl", 1),
            ("rr", 1),
            ("sla", 1),
            ("sra", 1),
            ("srl", 1),
            ("sli", 1),
            ("bit", 2),
            ("res", 2),
            ("set", 2),
        ],
        ..OperandRules::PLAIN
    },
    output: OutputRules {
        sequential: true,
        late: true,
        wraps: true,
        ..OutputRules::PLAIN
    },
    writing: Writing {
        constants: Constants::Colon,
        heads: Heads::Colon,
        glued: true,
        locals: Locals::File,
        call_locals: CallLocals::Dot,
        ..Writing::PLAIN
    },
};
