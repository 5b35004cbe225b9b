//! How the operands of the AVR are written.
//!
//! Registers are `r0` to `r31`, with `xl` to `zh` for `r26` to `r31`. Where an
//! instruction names a pair by its lower register, `r25:r24` is the same. Addresses
//! in flash are byte addresses, halved for the field by the scale of the class.
//!
//! `k12` is the operand of RJMP and RCALL. Its distance goes around the end of flash
//! where all of flash is 8 KiB or less; the other relative class, `k7`, does so too,
//! but hardly ever matters.

use scrimp_isa::operand::Words;
use scrimp_isa::{Operand, Outline, Value};

/// An operand that is one of some words.
const fn words(
    name: &'static str,
    field: u8,
    words: &'static [(&'static str, u8)],
    text: &'static str,
) -> Operand {
    Operand {
        name,
        outline: Outline::Word,
        words: Some(Words { field, words }),
        second: None,
        value: None,
        text,
    }
}

/// A pointer register written in some way.
const fn pointer(
    name: &'static str,
    outline: Outline,
    word: &'static [(&'static str, u8)],
) -> Operand {
    Operand {
        outline,
        ..words(name, 0, word, name)
    }
}

/// A pointer register with a displacement.
const fn displaced(
    name: &'static str,
    word: &'static [(&'static str, u8)],
    text: &'static str,
) -> Operand {
    Operand {
        value: Some(Value::absolute(b'q', 0, 63)),
        outline: Outline::WordValue,
        ..words(name, 0, word, text)
    }
}

/// An expression.
const fn value(name: &'static str, value: Value, text: &'static str) -> Operand {
    Operand {
        name,
        outline: Outline::Value,
        words: None,
        second: None,
        value: Some(value),
        text,
    }
}

/// A byte address in flash, by words.
const fn by_words(value: Value) -> Value {
    Value { scale: 2, ..value }
}

/// All registers.
#[rustfmt::skip]
const R: &[(&str, u8)] = &[
    ("r0", 0), ("r1", 1), ("r2", 2), ("r3", 3), ("r4", 4), ("r5", 5), ("r6", 6), ("r7", 7),
    ("r8", 8), ("r9", 9), ("r10", 10), ("r11", 11), ("r12", 12), ("r13", 13), ("r14", 14), ("r15", 15),
    ("r16", 16), ("r17", 17), ("r18", 18), ("r19", 19), ("r20", 20), ("r21", 21), ("r22", 22), ("r23", 23),
    ("r24", 24), ("r25", 25), ("r26", 26), ("r27", 27), ("r28", 28), ("r29", 29), ("r30", 30), ("r31", 31),
];

/// The upper half.
#[rustfmt::skip]
const R16: &[(&str, u8)] = &[
    ("r16", 0), ("r17", 1), ("r18", 2), ("r19", 3), ("r20", 4), ("r21", 5), ("r22", 6), ("r23", 7),
    ("r24", 8), ("r25", 9), ("r26", 10), ("r27", 11), ("r28", 12), ("r29", 13), ("r30", 14), ("r31", 15),
];

/// What MULSU and its like take.
#[rustfmt::skip]
const R8: &[(&str, u8)] = &[
    ("r16", 0), ("r17", 1), ("r18", 2), ("r19", 3), ("r20", 4), ("r21", 5), ("r22", 6), ("r23", 7),
];

/// Pairs for MOVW.
#[rustfmt::skip]
const PAIRS: &[(&str, u8)] = &[
    ("r0", 0), ("r2", 1), ("r4", 2), ("r6", 3), ("r8", 4), ("r10", 5), ("r12", 6), ("r14", 7),
    ("r16", 8), ("r18", 9), ("r20", 10), ("r22", 11), ("r24", 12), ("r26", 13), ("r28", 14), ("r30", 15),
    ("r1:r0", 0), ("r3:r2", 1), ("r5:r4", 2), ("r7:r6", 3),
    ("r9:r8", 4), ("r11:r10", 5), ("r13:r12", 6), ("r15:r14", 7),
    ("r17:r16", 8), ("r19:r18", 9), ("r21:r20", 10), ("r23:r22", 11),
    ("r25:r24", 12), ("r27:r26", 13), ("r29:r28", 14), ("r31:r30", 15),
    ("xh:xl", 13), ("yh:yl", 14), ("zh:zl", 15), ("x", 13), ("y", 14), ("z", 15),
];

/// Pairs for ADIW and SBIW.
#[rustfmt::skip]
const UPPER_PAIRS: &[(&str, u8)] = &[
    ("r24", 0), ("r26", 1), ("r28", 2), ("r30", 3),
    ("r25:r24", 0), ("r27:r26", 1), ("r29:r28", 2), ("r31:r30", 3),
    ("xh:xl", 1), ("yh:yl", 2), ("zh:zl", 3), ("x", 1), ("y", 2), ("z", 3),
];

const X: &[(&str, u8)] = &[("x", 0)];
const Y: &[(&str, u8)] = &[("y", 0)];
const Z: &[(&str, u8)] = &[("z", 0)];

const ANY: &str = "a register, r0 to r31";
const UPPER: &str = "a register of the upper half, r16 to r31";
const EIGHT: &str = "r16 to r23";
const PAIR: &str = "the lower register of a pair, r0, r2, ... r30";

/// Every operand class.
#[rustfmt::skip]
pub const OPERANDS: &[Operand] = &[
    words("d", b'd', R, ANY),
    words("r", b'r', R, ANY),
    words("d16", b'd', R16, UPPER),
    words("r16", b'r', R16, UPPER),
    words("d8", b'd', R8, EIGHT),
    words("r8", b'r', R8, EIGHT),
    words("d2", b'd', PAIRS, PAIR),
    words("r2", b'r', PAIRS, PAIR),
    words("w", b'd', UPPER_PAIRS, "r24, r26, r28 or r30 (or X, Y, Z)"),
    pointer("x", Outline::Word, X),
    pointer("x+", Outline::WordIncrement, X),
    pointer("-x", Outline::WordDecrement, X),
    pointer("y", Outline::Word, Y),
    pointer("y+", Outline::WordIncrement, Y),
    pointer("-y", Outline::WordDecrement, Y),
    pointer("z", Outline::Word, Z),
    pointer("z+", Outline::WordIncrement, Z),
    pointer("-z", Outline::WordDecrement, Z),
    displaced("y+q", Y, "Y+q, q from 0 to 63"),
    displaced("z+q", Z, "Z+q, q from 0 to 63"),
    value("K8", Value::absolute(b'K', -128, 255), "a byte, -128 to 255"),
    value("~K8", Value { complement: true, ..Value::absolute(b'K', -128, 255) }, "a byte, -128 to 255"),
    value("K6", Value::absolute(b'K', 0, 63), "a number, 0 to 63"),
    value("K4", Value::absolute(b'K', 0, 15), "a number, 0 to 15"),
    value("io6", Value::absolute(b'a', 0, 63), "an I/O address, 0 to 63"),
    value("io5", Value::absolute(b'a', 0, 31), "an I/O address, 0 to 31"),
    value("b", Value::absolute(b'b', 0, 7), "a bit number, 0 to 7"),
    value("s", Value::absolute(b's', 0, 7), "the number of a bit in SREG, 0 to 7"),
    value("k7", by_words(Value::relative(b'k', -128, 126, 2)), "an address from 126 bytes before to 128 after"),
    value("k12", by_words(Value::relative(b'k', -4096, 4094, 2)), "an address from 4094 bytes before to 4096 after"),
    value("k22", by_words(Value::absolute(b'k', 0, 0x7f_fffe)), "an address in flash, even, below 8 MiB"),
    value("k16", Value::absolute(b'k', 0, 0xffff), "an address of data, 0 to 65535"),
    value("k128", Value::absolute(b'k', 0x40, 0xbf), "an address of data, 64 to 191"),
];

/// Other spellings of words.
pub const ALIASES: &[(&str, &str)] = &[
    ("xl", "r26"),
    ("xh", "r27"),
    ("yl", "r28"),
    ("yh", "r29"),
    ("zl", "r30"),
    ("zh", "r31"),
];
