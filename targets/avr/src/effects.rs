//! What an instruction reads and writes: derived in [`scrimp_isa::effects`] from its
//! meaning. Here are the numbers of the places.
//!
//! Data memory is not SRAM alone: SREG, the stack pointer, RAMPZ and EIND have addresses
//! there, on classic cores the registers too ([`Chip::map`](crate::sim::Chip::map)). `in`
//! and `lds` name theirs, so what they touch is exact; a pointer touches whatever may be
//! where it points, which is all of these unless its range is known ([`within`]).

use std::ops::RangeInclusive;

pub use scrimp_isa::Effects;
use scrimp_isa::Semantics;
use scrimp_isa::semantics::Code;

use crate::meaning::Meaning;
use crate::sim::Chip;

/// Places that hold state, as numbers of a set. The registers are at their numbers.
pub mod place {
    pub use scrimp_isa::state::place::{IMMEDIATE, MEMORY, PC, PORTS, PROGRAM};
    /// Flag C; the others follow in the order of SREG.
    pub const FLAGS: u8 = 32;
    /// The stack pointer's low byte.
    pub const SPL: u8 = 40;
    /// Its high byte.
    pub const SPH: u8 = 41;
    /// RAMPZ.
    pub const RAMPZ: u8 = 42;
    /// EIND.
    pub const EIND: u8 = 43;
}

/// The effects of an instruction in a chip, wherever its pointer points. Those of
/// one with a constant hold for each constant, but an address is taken as it is.
pub fn of(code: &[u8], chip: &Chip) -> Option<Effects> {
    within(code, chip, 0..=0xffff)
}

/// The same when it is known between which data addresses the pointer of a load or
/// store, or the stack pointer of a push or pop, names what is touched.
pub fn within(bytes: &[u8], chip: &Chip, pointed: RangeInclusive<u16>) -> Option<Effects> {
    Meaning::of(chip.clone()).effects(Code { bytes, address: 0 }, pointed)
}
