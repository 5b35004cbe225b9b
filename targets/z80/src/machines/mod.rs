//! Machines built on the Z80.

pub mod zx81;

use scrimp_isa::Machine;

/// All machines, the usual one first.
pub static MACHINES: &[&dyn Machine] = &[&zx81::ZX81_1K, &zx81::ZX81_2K, &zx81::ZX81_16K];
