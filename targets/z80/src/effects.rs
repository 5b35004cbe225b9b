//! What an instruction reads and writes: derived in [`scrimp_isa::effects`] from its
//! meaning. [`place`] has the numbers of the places.

pub use crate::place;
pub use scrimp_isa::Effects;
use scrimp_isa::Semantics;
use scrimp_isa::semantics::Code;

use crate::meaning::Meaning;

/// The effects of the instruction that starts with these bytes, whatever its immediate
/// bytes.
pub fn of(bytes: &[u8]) -> Option<Effects> {
    Meaning.effects(Code { bytes, address: 0 }, 0..=0xffff)
}
