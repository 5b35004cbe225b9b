//! Words: where they lie, of what filler is made, and what is wrong with one.

use scrimp_isa::proof::Finding;

/// Opcodes with a byte behind each: `bra`, `ld`, `ld []`, `ld …,y`, `adda`, `jmp y,` and
/// `st []`.
pub(super) const BRA: u8 = 0xfc;
pub(super) const LD: u8 = 0x00;
pub(super) const LD_CELL: u8 = 0x01;
pub(super) const LD_Y: u8 = 0x14;
pub(super) const ADDA: u8 = 0x80;
pub(super) const JMP_Y: u8 = 0xe0;
pub(super) const ST: u8 = 0xc2;
/// Clocks from the start of a `sync` to the handler, if it is late.
pub(super) const LATE: u16 = 9;
/// `nop`: two bytes.
pub(super) use crate::machines::containers::NOP;

pub(super) const fn linear(word: u16) -> u64 {
    word as u64 * 2
}

pub(super) fn broken(address: u16, message: String, help: &str) -> Finding {
    Finding {
        broken: true,
        address: linear(address),
        from: None,
        message,
        help: Some(help.into()),
        path: Vec::new(),
    }
}
