//! What an instruction reads and writes: derived in [`scrimp_isa::effects`] from its
//! meaning. Here are the numbers of the places.

pub use scrimp_isa::Effects;
use scrimp_isa::Semantics;
use scrimp_isa::semantics::Code;

use crate::meaning::Meaning;
use crate::opcode::Opcode;

/// Places that hold state, as numbers of a set. The registers are at their numbers.
pub mod place {
    use crate::semantics::Register;
    pub use scrimp_isa::state::place::{IMMEDIATE as OPERAND, MEMORY, PC, PORTS as IN};

    /// The accumulator.
    pub const AC: u8 = Register::Ac as u8;
    /// Low half of addresses.
    pub const X: u8 = Register::X as u8;
    /// High half of addresses.
    pub const Y: u8 = Register::Y as u8;
    /// The video port.
    pub const OUT: u8 = Register::Out as u8;
    /// Numbers of registers are below this.
    pub const REGISTERS: usize = 4;
}

/// The effects of an opcode, whatever its operand byte.
pub fn of(opcode: Opcode) -> Effects {
    let bytes = &[opcode.0, 0];
    let effects = Meaning.effects(Code { bytes, address: 0 }, 0..=0xffff);
    effects.expect("every word is an instruction")
}
