//! Places that hold state, as numbers of a set. The registers are at their numbers.

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
