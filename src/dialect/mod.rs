//! The dialects, a folder a family: tables, and hooks where a table cannot say it. All
//! share one lexer, one parser and one expander. How one is added stands in
//! `CONTRIBUTING.md`.

mod asl;
mod avrasm;
pub mod foreign;
mod gasm;
mod gcl;
mod glass;
mod gnu;
mod listing;
mod margin;
mod mdl;
mod native;
mod pasmo;
mod rasm;
mod sdas;
mod sjasmplus;
mod tables;
mod tasm;
mod vasm;
mod z80asm;
mod zasm;
mod zmac;

use crate::read::hooks::{Hooks, Plain};
use crate::read::job::Define;
use crate::text::language::Dialect;

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
    (&zmac::ZMAC_ZMAC, &zmac::Zmac),
    (&vasm::VASM, &vasm::Vasm),
    (&vasm::VASM_DOTDIR, &vasm::Vasm),
    (&vasm::VASM_NOCASE, &vasm::Vasm),
    (&vasm::VASM_DOTDIR_NOCASE, &vasm::Vasm),
    (&rasm::RASM, &rasm::Rasm),
    (&rasm::RASM_PASMO, &rasm::Rasm),
    (&rasm::RASM_AMPER, &rasm::Rasm),
    (&asl::ASL, &asl::Asl),
    (&asl::ASL_CASE, &asl::Asl),
    (&asl::ASL_8080, &asl::Asl),
    (&glass::GLASS, &glass::Glass),
    (&avrasm::AVRASM2, &avrasm::Avrasm),
    (&avrasm::AVRA, &avrasm::Avra),
    (&listing::GIGATRON_LST, &Plain),
    (&gasm::GASM, &gasm::Gasm),
    (&gcl::GCL, &gcl::Gcl),
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

/// What is defined from outside, as far as a dialect takes it.
pub fn fitting(given: &[(String, Define)], dialect: &Dialect) -> Vec<(String, Define)> {
    let texts = hooks(dialect).takes_texts(dialect);
    let fits = |d: &&(String, Define)| d.1.fault(dialect.name, texts).is_none();
    given.iter().filter(fits).cloned().collect()
}
