//! What an instruction reads and writes: derived in [`scrimp_isa::effects`] from its
//! meaning. [`place`] has the numbers of the places.
//!
//! Data memory is not SRAM alone: SREG, the stack pointer, RAMPZ and EIND have addresses
//! there, on classic cores the registers too ([`Chip::map`](crate::sim::Chip::map)). `in`
//! and `lds` name theirs, so what they touch is exact; a pointer touches whatever may be
//! where it points, which is all of these unless its range is known ([`within`]).

use std::ops::RangeInclusive;

pub use crate::place;
pub use scrimp_isa::Effects;
use scrimp_isa::Semantics;
use scrimp_isa::semantics::Code;

use crate::meaning::Meaning;
use crate::sim::Chip;

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
