//! The cores as the tests name them, and a reproducible sequence of numbers.
#![allow(dead_code)]

use scrimp_avr::features::*;

/// A set of instructions that parts have, and what other tools call it.
pub struct Set {
    pub name: &'static str,
    pub features: u32,
    /// Number of the architecture for GNU tools.
    pub gnu: u32,
    /// A part for LLVM.
    pub llvm: &'static str,
}

const AVR1: u32 = FULL | LPM;
const AVR2: u32 = AVR1 | SRAM | ADIW | IJMP;
const AVR25: u32 = AVR2 | MOVW | LPMX | LPMZP | SPM | BREAK;
const AVR3: u32 = AVR2 | JMP;
const AVR5: u32 = AVR25 | MUL | JMP;
const AVR51: u32 = AVR5 | ELPM | ELPMX;
const AVR6: u32 = AVR51 | EIND;

/// The sets of instructions there are.
pub const SETS: &[Set] = &[
    set("avr1", AVR1, 1, "at90s1200"),
    set("avr2", AVR2, 2, "at90s8515"),
    set("avr25", AVR25, 25, "attiny84"),
    set("avr3", AVR3, 3, "at43usb320"),
    set("avr31", AVR3 | ELPM, 31, "atmega103"),
    set("avr35", AVR25 | JMP, 35, "attiny1634"),
    set("avr4", AVR25 | MUL, 4, "atmega48"),
    set("avr5", AVR5, 5, "atmega328p"),
    set("avr51", AVR51, 51, "atmega1280"),
    set("avr6", AVR6, 6, "atmega2560"),
    set("avrxmega3", AVR5, 103, "attiny817"),
    set("avrxmega7", AVR6 | SPMX | DES | RMW, 107, "atxmega128a1u"),
    set("avrtiny", RC | SRAM | IJMP | BREAK, 100, "attiny10"),
];

const fn set(name: &'static str, features: u32, gnu: u32, llvm: &'static str) -> Set {
    Set {
        name,
        features,
        gnu,
        llvm,
    }
}
