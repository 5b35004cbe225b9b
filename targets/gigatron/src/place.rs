//! Places that hold state, as numbers of a set. The registers are at their numbers.

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
