//! What the tables of the dialects are made of.

pub(super) use crate::read::hooks::Hooks;
pub(super) use crate::text::comments::{Continued, EndSign, Slashes};
pub(super) use crate::text::language::{
    Binary, BinaryRow, Dialect, Directive, DotRule, JoinedRow, LabelRule, MacroStyle, NameRules,
    Numbers, OperandRules, OutputRules, Overflow, Prefixes, Segment, Spelling, Twin, Unary,
    UnaryRow, ValueRules, Width, WordRules,
};
pub(super) use crate::text::lex::{AtSign, Kind, Lexing, Signs};
pub(super) use crate::text::quotes::Doubled;
pub(super) use crate::text::writing::{CallLocals, Constants, Heads, Locals, Said, Writing};

pub(super) const fn mark(kind: Kind, op: Binary, level: u8) -> BinaryRow {
    BinaryRow {
        spelling: Spelling::Mark(kind),
        op,
        level,
        right: false,
    }
}

pub(super) const fn joined(first: Kind, second: &'static str, op: Binary, level: u8) -> JoinedRow {
    JoinedRow {
        second,
        row: mark(first, op, level),
    }
}

pub(super) const fn word(name: &'static str, op: Binary, level: u8) -> BinaryRow {
    BinaryRow {
        spelling: Spelling::Word(name),
        op,
        level,
        right: false,
    }
}

pub(super) const fn right(kind: Kind, op: Binary, level: u8) -> BinaryRow {
    BinaryRow {
        spelling: Spelling::Mark(kind),
        op,
        level,
        right: true,
    }
}

pub(super) const fn prefix(kind: Kind, op: Unary, level: u8) -> UnaryRow {
    UnaryRow {
        spelling: Spelling::Mark(kind),
        op,
        level,
    }
}

pub(super) const fn prefix_word(name: &'static str, op: Unary, level: u8) -> UnaryRow {
    UnaryRow {
        spelling: Spelling::Word(name),
        op,
        level,
    }
}

pub(super) const fn ld(a: &'static str, b: &'static str, c: &'static str, d: &'static str) -> Twin {
    Twin {
        mnemonic: "ld",
        written: [a, b],
        taken: [c, d],
        warn: true,
    }
}

/// Both peers put the index prefix before the code of `ld` with `h` and `l`, which
/// makes both operands halves of the index register.
pub(super) const HALVES: [Twin; 16] = [
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

/// Directives of a dialect's own, by their place in its list.
pub(super) const fn numbered<T: Copy, const N: usize>(
    list: &[(&'static str, T)],
) -> [(&'static str, Directive); N] {
    let mut out = [("", Directive::Own(0)); N];
    let mut i = 0;
    while i < N {
        out[i] = (list[i].0, Directive::Own(i as u16));
        i += 1;
    }
    out
}
