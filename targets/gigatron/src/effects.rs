//! What an instruction reads and writes: derived in [`scrimp_isa::effects`] from its
//! meaning. [`place`] has the numbers of the places.

pub use crate::place;
pub use scrimp_isa::Effects;
use scrimp_isa::Semantics;
use scrimp_isa::semantics::Code;

use crate::meaning::Meaning;
use crate::opcode::Opcode;

/// The effects of an opcode, whatever its operand byte.
pub fn of(opcode: Opcode) -> Effects {
    let bytes = &[opcode.0, 0];
    let effects = Meaning.effects(Code { bytes, address: 0 }, 0..=0xffff);
    effects.expect("every word is an instruction")
}
