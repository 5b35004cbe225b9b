//! How the operands of the Gigatron are written.

use scrimp_isa::operand::Words;
use scrimp_isa::{Base, Operand, Outline, Value};

use crate::table::{FAR_JUMP, FAR_JUMP_MASK};

const fn word(name: &'static str, words: &'static [(&'static str, u8)]) -> Operand {
    Operand {
        name,
        outline: Outline::Word,
        words: Some(Words { field: 0, words }),
        second: None,
        value: None,
        text: name,
    }
}

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

const X: Option<Words> = Some(Words {
    field: 0,
    words: &[("x", 0)],
});
const Y: Option<Words> = Some(Words {
    field: 0,
    words: &[("y", 0)],
});
/// A byte of an address.
const LOW: Value = Value::absolute(b'd', 0, 255);
/// The page of a branch is that of the word behind it, unless a far jump before
/// it has gone elsewhere by then.
const IN_PAGE: Value = Value {
    base: Base::Page {
        bits: 8,
        unit: 2,
        unless_behind: (FAR_JUMP_MASK, FAR_JUMP),
    },
    ..Value::absolute(b'd', 0, 65_535)
};

/// Every operand class.
pub const OPERANDS: &[Operand] = &[
    word("ac", &[("ac", 0)]),
    word("in", &[("in", 0)]),
    word("x", &[("x", 0)]),
    word("y", &[("y", 0)]),
    word("out", &[("out", 0)]),
    Operand {
        outline: Outline::WordDoubleIncrement,
        ..word("x++", &[("x", 0)])
    },
    value("d", Value::absolute(b'd', -128, 255), "a byte, -128 to 255"),
    value("o", Value::absolute(b'o', 0, 255), "an opcode, 0 to 255"),
    value("page", IN_PAGE, "an address in the page"),
    value(
        "low",
        Value::absolute(b'd', 0, 65_535),
        "an address, of which the low byte counts",
    ),
    Operand {
        outline: Outline::SquareValue,
        ..value("[d]", LOW, "[0] to [255]")
    },
    Operand {
        name: "[x]",
        outline: Outline::SquareWord,
        words: X,
        second: None,
        value: None,
        text: "[x]",
    },
    Operand {
        name: "[yd]",
        outline: Outline::SquareWordValue,
        words: Y,
        second: None,
        value: Some(LOW),
        text: "[y,0] to [y,255]",
    },
    Operand {
        name: "[yx]",
        outline: Outline::SquareWordWord,
        words: Y,
        second: X,
        value: None,
        text: "[y,x]",
    },
    Operand {
        name: "[yx++]",
        outline: Outline::SquareWordWordIncrement,
        words: Y,
        second: X,
        value: None,
        text: "[y,x++]",
    },
];
