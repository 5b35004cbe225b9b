//! How the operands of the Z80 are written.

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

/// A word in brackets.
const fn round(
    name: &'static str,
    field: u8,
    list: &'static [(&'static str, u8)],
    text: &'static str,
) -> Operand {
    Operand {
        outline: Outline::RoundWord,
        ..words(name, field, list, text)
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

/// An expression in brackets.
const fn round_value(name: &'static str, v: Value, text: &'static str) -> Operand {
    Operand {
        outline: Outline::RoundValue,
        ..value(name, v, text)
    }
}

const REGISTERS: &[(&str, u8)] = &[
    ("b", 0),
    ("c", 1),
    ("d", 2),
    ("e", 3),
    ("h", 4),
    ("l", 5),
    ("a", 7),
];
const NOT_HL: &[(&str, u8)] = &[("b", 0), ("c", 1), ("d", 2), ("e", 3), ("a", 7)];
const INDEX: &[(&str, u8)] = &[("ix", 0), ("iy", 1)];

/// Every operand class.
#[rustfmt::skip]
pub const OPERANDS: &[Operand] = &[
    words("r", b'r', REGISTERS, "b, c, d, e, h, l or a"),
    words("s", b's', REGISTERS, "b, c, d, e, h, l or a"),
    words("r5", b'r', NOT_HL, "b, c, d, e or a"),
    words("s5", b's', NOT_HL, "b, c, d, e or a"),
    words("half", b'u', &[("ixh", 0), ("iyh", 1), ("ixl", 2), ("iyl", 3)], "ixh, ixl, iyh or iyl"),
    words("high", b'y', &[("ixh", 0), ("iyh", 1)], "ixh or iyh"),
    words("low", b'y', &[("ixl", 0), ("iyl", 1)], "ixl or iyl"),
    words("a", 0, &[("a", 0)], "a"),
    words("i", 0, &[("i", 0)], "i"),
    words("refresh", 0, &[("r", 0)], "r (the refresh register)"),
    words("f", 0, &[("f", 0)], "f"),
    words("p", b'p', &[("bc", 0), ("de", 1), ("hl", 2), ("sp", 3)], "bc, de, hl or sp"),
    words("p4", b'p', &[("bc", 0), ("de", 1), ("sp", 3)], "bc, de or sp"),
    words("q", b'q', &[("bc", 0), ("de", 1), ("hl", 2), ("af", 3)], "bc, de, hl or af"),
    words("hl", 0, &[("hl", 0)], "hl"),
    words("de", 0, &[("de", 0)], "de"),
    words("=bc", 0, &[("bc", 0)], "bc"),
    words("=b", 0, &[("b", 0)], "b"),
    words("=d", 0, &[("d", 0)], "d"),
    words("=e", 0, &[("e", 0)], "e"),
    words("sp", 0, &[("sp", 0)], "sp"),
    words("af", 0, &[("af", 0)], "af"),
    words("af'", 0, &[("af'", 0)], "af'"),
    words("ix", b'y', INDEX, "ix or iy"),
    words("cc", b'c', &[("nz", 0), ("z", 1), ("nc", 2), ("c", 3), ("po", 4), ("pe", 5), ("p", 6), ("m", 7)], "nz, z, nc, c, po, pe, p or m"),
    words("c4", b'c', &[("nz", 0), ("z", 1), ("nc", 2), ("c", 3)], "nz, z, nc or c"),
    round("(hl)", 0, &[("hl", 0)], "(hl)"),
    round("(bc)", 0, &[("bc", 0)], "(bc)"),
    round("(de)", 0, &[("de", 0)], "(de)"),
    round("(sp)", 0, &[("sp", 0)], "(sp)"),
    round("(c)", 0, &[("c", 0)], "(c)"),
    round("(ix)", b'y', INDEX, "(ix) or (iy)"),
    Operand {
        name: "(ix+d)",
        outline: Outline::RoundWordValue,
        words: Some(Words { field: b'y', words: INDEX }),
        second: None,
        value: Some(Value::absolute(b'd', -128, 127)),
        text: "(ix+d) or (iy+d), d from -128 to 127",
    },
    words("m", 0, &[("m", 0)], "m (the memory at HL)"),
    words("pair", b'p', &[("b", 0), ("d", 1), ("h", 2), ("sp", 3)], "b, d, h or sp"),
    words("pair2", b'p', &[("b", 0), ("d", 1)], "b or d"),
    words("stacked", b'q', &[("b", 0), ("d", 1), ("h", 2), ("psw", 3)], "b, d, h or psw"),
    words("stacked a", b'q', &[("a", 3)], "a"),
    words("ix only", 0, &[("ix", 0)], "ix"),
    words("iy only", 0, &[("iy", 0)], "iy"),
    words("overflow", b'c', &[("nv", 4), ("v", 5)], "nv or v"),
    value("d", Value::absolute(b'd', -128, 127), "an offset, -128 to 127"),
    value("n", Value::absolute(b'n', -128, 255), "a byte, -128 to 255"),
    value("k", Value::absolute(b'k', 0, 255), "the number of a register, 0 to 255"),
    value("nn", Value::absolute(b'n', -32768, 65535), "a word, -32768 to 65535"),
    round_value("(n)", Value::absolute(b'n', -128, 255), "a port in parentheses, 0 to 255"),
    round_value("(nn)", Value::absolute(b'n', -32768, 65535), "an address in parentheses, 0 to 65535"),
    value("e", Value::relative(b'e', -128, 127, 2), "an address from 126 bytes before to 129 after"),
    value("b", Value::absolute(b'b', 0, 7), "a bit number, 0 to 7"),
    value("t", Value { scale: 8, ..Value::absolute(b't', 0, 56) }, "0, 8, 16, 24, 32, 40, 48 or 56"),
    value("0", Value::exactly(0), "0"),
    value("1", Value::exactly(1), "1"),
    value("2", Value::exactly(2), "2"),
];

/// Other spellings of words.
pub const ALIASES: &[(&str, &str)] = &[
    ("hx", "ixh"),
    ("xh", "ixh"),
    ("lx", "ixl"),
    ("xl", "ixl"),
    ("hy", "iyh"),
    ("yh", "iyh"),
    ("ly", "iyl"),
    ("yl", "iyl"),
];
