//! What an AVR core may have: one bit for each group of instructions.
//!
//! A row of the instruction table names the bits that it needs, a device those that it
//! has; an instruction exists on a device when none of its bits is missing.

/// The reduced core: r16 to r31 only, LDS and STS of one word.
pub const RC: u32 = 1 << 0;
/// Not the reduced core: all 32 registers, LDS and STS of two words, LDD and STD.
pub const FULL: u32 = 1 << 1;
/// Data memory: PUSH, POP, LDS, STS, LD and ST by X and Y and with displacement.
pub const SRAM: u32 = 1 << 2;
/// `lpm` into r0.
pub const LPM: u32 = 1 << 3;
/// `lpm Rd,Z`; with [`LPMZP`] also `lpm Rd,Z+`.
pub const LPMX: u32 = 1 << 4;
/// `elpm` into r0.
pub const ELPM: u32 = 1 << 5;
/// `elpm Rd,Z` and `elpm Rd,Z+`.
pub const ELPMX: u32 = 1 << 6;
/// MUL, MULS, MULSU, FMUL, FMULS, FMULSU.
pub const MUL: u32 = 1 << 7;
/// MOVW.
pub const MOVW: u32 = 1 << 8;
/// JMP and CALL with 22 bits of address.
pub const JMP: u32 = 1 << 9;
/// IJMP and ICALL.
pub const IJMP: u32 = 1 << 10;
/// ADIW and SBIW.
pub const ADIW: u32 = 1 << 11;
/// `spm`.
pub const SPM: u32 = 1 << 12;
/// `spm Z+`.
pub const SPMX: u32 = 1 << 13;
/// BREAK.
pub const BREAK: u32 = 1 << 14;
/// EIJMP and EICALL, a program counter of 22 bits.
pub const EIND: u32 = 1 << 15;
/// DES.
pub const DES: u32 = 1 << 16;
/// XCH, LAS, LAC, LAT.
pub const RMW: u32 = 1 << 17;
/// `lpm Rd,Z+`, which the ATtiny26 lacks though it has `lpm Rd,Z`.
pub const LPMZP: u32 = 1 << 18;

/// Each bit with its name.
pub const NAMES: &[(&str, u32)] = &[
    ("rc", RC),
    ("full", FULL),
    ("sram", SRAM),
    ("lpm", LPM),
    ("lpmx", LPMX),
    ("elpm", ELPM),
    ("elpmx", ELPMX),
    ("mul", MUL),
    ("movw", MOVW),
    ("jmp", JMP),
    ("ijmp", IJMP),
    ("adiw", ADIW),
    ("spm", SPM),
    ("spmx", SPMX),
    ("break", BREAK),
    ("eind", EIND),
    ("des", DES),
    ("rmw", RMW),
    ("lpmzp", LPMZP),
];
