//! The dialects, a folder a family: tables, and hooks where a table cannot say it. All
//! share one lexer, one parser and one expander. How one is added stands in
//! `CONTRIBUTING.md`.

mod avrasm;
pub mod foreign;
mod gnu;
mod listing;
mod margin;
mod mdl;
mod native;
mod pasmo;
mod sdas;
mod sjasmplus;
mod tasm;
mod vasm;
mod z80asm;
mod zasm;
mod zmac;

use crate::read::hooks::{Hooks, Plain};
use crate::text::language::{
    Binary, BinaryRow, Dialect, Directive, DotRule, LabelRule, MacroStyle, NameRules, Numbers,
    OperandRules, OutputRules, Overflow, Segment, Spelling, Twin, Unary, UnaryRow, ValueRules,
    Width, WordRules,
};
use crate::text::lex::{AtSign, Kind, Lexing, Signs};
use crate::text::writing::{CallLocals, Constants, Heads, Locals, Said, Writing};

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

/// Directives of a dialect's own, by their place in its list.
const fn numbered<T: Copy, const N: usize>(
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

/// All dialects, the native one first, with what their tables do not say.
static FAMILIES: &[(&Dialect, &dyn Hooks)] = &[
    (&native::NATIVE, &Plain),
    (&native::NATIVE_CPP, &Plain),
    (&pasmo::PASMO, &Plain),
    (&pasmo::PASMO_ALOCAL, &Plain),
    (&z80asm::Z80ASM, &Plain),
    (&sjasmplus::SJASMPLUS, &sjasmplus::Sjasmplus),
    (&sjasmplus::SJASMPLUS_DIRBOL, &sjasmplus::Sjasmplus),
    (&sjasmplus::SJASM, &sjasmplus::Sjasmplus),
    (&mdl::MDL, &mdl::Mdl),
    (&tasm::TASM, &tasm::Tasm),
    (&zasm::ZASM, &zasm::Zasm),
    (&zasm::ZASM_REQCOLON, &zasm::Zasm),
    (&zasm::ZASM_CASEFOLD, &zasm::Zasm),
    (&zasm::ZASM_8080, &zasm::Zasm),
    (&zmac::ZMAC, &zmac::Zmac),
    (&zmac::ZMAC_8080, &zmac::Zmac),
    (&vasm::VASM, &vasm::Vasm),
    (&vasm::VASM_DOTDIR, &vasm::Vasm),
    (&vasm::VASM_NOCASE, &vasm::Vasm),
    (&vasm::VASM_DOTDIR_NOCASE, &vasm::Vasm),
    (&avrasm::AVRASM2, &Plain),
    (&avrasm::AVRA, &Plain),
    (&listing::GIGATRON_LST, &Plain),
    (&gnu::avr::GAS_AVR, &gnu::Linker(&gnu::avr::FAMILY)),
    (&gnu::z80::GAS_Z80, &gnu::Linker(&gnu::z80::FAMILY)),
    (&sdas::SDAS, &sdas::Sdas),
];

/// All dialects, the native one first.
pub fn all() -> impl Iterator<Item = &'static Dialect> {
    FAMILIES.iter().map(|f| f.0)
}

/// Names for `--dialect`, the native one first.
pub fn names() -> Vec<&'static str> {
    all().map(|d| d.name).collect()
}

/// A dialect by name.
pub fn by_name(name: &str) -> Option<&'static Dialect> {
    all().find(|d| d.name == name)
}

/// What its tables do not say of a dialect.
pub fn hooks(d: &Dialect) -> &'static dyn Hooks {
    let own = FAMILIES.iter().find(|f| f.0.name == d.name);
    own.map_or(&Plain, |f| f.1)
}
