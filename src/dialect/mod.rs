//! The dialects: each is data and a few switches; all share one lexer, one
//! parser and one expander.

mod avrasm2;
pub mod foreign;
mod gas_avr;
pub mod gnu;
mod listing;
mod native;
mod pasmo;
mod z80asm;

use crate::text::language::{
    Binary, BinaryRow, Dialect, Directive, DotRule, LabelRule, MacroStyle, Numbers, Overflow,
    Segment, Spelling, Twin, Unary, UnaryRow, Width,
};
use crate::text::lex::{Kind, Lexing};

const fn mark(kind: Kind, op: Binary, level: u8) -> BinaryRow {
    BinaryRow {
        spelling: Spelling::Mark(kind),
        op,
        level,
        right: false,
    }
}

const fn word(name: &'static str, op: Binary, level: u8) -> BinaryRow {
    BinaryRow {
        spelling: Spelling::Word(name),
        op,
        level,
        right: false,
    }
}

const fn right(kind: Kind, op: Binary, level: u8) -> BinaryRow {
    BinaryRow {
        spelling: Spelling::Mark(kind),
        op,
        level,
        right: true,
    }
}

const fn prefix(kind: Kind, op: Unary, level: u8) -> UnaryRow {
    UnaryRow {
        spelling: Spelling::Mark(kind),
        op,
        level,
    }
}

const fn prefix_word(name: &'static str, op: Unary, level: u8) -> UnaryRow {
    UnaryRow {
        spelling: Spelling::Word(name),
        op,
        level,
    }
}

const fn ld(a: &'static str, b: &'static str, c: &'static str, d: &'static str) -> Twin {
    Twin {
        mnemonic: "ld",
        written: [a, b],
        taken: [c, d],
        warn: true,
    }
}

/// Both peers put the index prefix before the code of `ld` with `h` and `l`, which
/// makes both operands halves of the index register.
const HALVES: [Twin; 16] = [
    ld("h", "ixh", "ixh", "ixh"),
    ld("h", "ixl", "ixh", "ixl"),
    ld("l", "ixh", "ixl", "ixh"),
    ld("l", "ixl", "ixl", "ixl"),
    ld("h", "iyh", "iyh", "iyh"),
    ld("h", "iyl", "iyh", "iyl"),
    ld("l", "iyh", "iyl", "iyh"),
    ld("l", "iyl", "iyl", "iyl"),
    ld("ixh", "h", "ixh", "ixh"),
    ld("ixh", "l", "ixh", "ixl"),
    ld("ixl", "h", "ixl", "ixh"),
    ld("ixl", "l", "ixl", "ixl"),
    ld("iyh", "h", "iyh", "iyh"),
    ld("iyh", "l", "iyh", "iyl"),
    ld("iyl", "h", "iyl", "iyh"),
    ld("iyl", "l", "iyl", "iyl"),
];

/// All dialects, the native one first.
pub static ALL: &[&Dialect] = &[
    &native::NATIVE,
    &native::NATIVE_CPP,
    &pasmo::PASMO,
    &pasmo::PASMO_ALOCAL,
    &z80asm::Z80ASM,
    &avrasm2::AVRASM2,
    &avrasm2::AVRA,
    &listing::GIGATRON_LST,
    &gas_avr::GAS_AVR,
];

/// Names for `--dialect`, the native one first.
pub fn names() -> Vec<&'static str> {
    ALL.iter().map(|d| d.name).collect()
}

/// A dialect by name.
pub fn by_name(name: &str) -> Option<&'static Dialect> {
    ALL.iter().copied().find(|d| d.name == name)
}
