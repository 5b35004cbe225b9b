//! How the operands of the vCPU are written: plain values, as in its summary.

use scrimp_isa::{Base, Operand, Outline, Value};

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

/// A target: the interpreter adds 2 before it fetches, within the page.
const fn target(far: bool) -> Value {
    Value {
        base: Base::InPage {
            bits: 8,
            bias: -2,
            far,
        },
        ..Value::absolute(b't', 0, 65_535)
    }
}

/// The byte behind SYS is 270 less half of the clocks; with the 28 that every function
/// may take it begins again at 0.
const CLOCKS: Value = Value {
    scale: 2,
    base: Base::Less(30),
    complement: true,
    ..Value::absolute(b'n', -2, 508)
};

/// Every operand class.
pub const OPERANDS: &[Operand] = &[
    value(
        "zp",
        Value::absolute(b'd', 0, 255),
        "an address in page 0, 0 to 255",
    ),
    value(
        "zp2",
        Value::absolute(b'e', 0, 255),
        "an address in page 0, 0 to 255",
    ),
    value("n", Value::absolute(b'n', 0, 255), "a byte, 0 to 255"),
    value(
        "offset",
        Value::absolute(b'n', -128, 255),
        "an offset, -128 to 255",
    ),
    value(
        "signed",
        Value::absolute(b'n', -128, 127),
        "a signed byte, -128 to 127",
    ),
    value(
        "high",
        Value::absolute(b'n', -128, 255),
        "a byte, -128 to 255",
    ),
    value(
        "w",
        Value::absolute(b'w', -32_768, 65_535),
        "a word, -32768 to 65535",
    ),
    value("a", Value::absolute(b'w', 0, 65_535), "an address"),
    value("page", target(false), "an address in the page"),
    value("far", target(true), "an address"),
    value("clocks", CLOCKS, "an even number of clocks, 28 to 538"),
];
