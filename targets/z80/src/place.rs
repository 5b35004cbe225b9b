//! Places that hold state, as numbers of a set. The byte registers except F are
//! at their numbers in [`reg`](crate::reg).

pub use scrimp_isa::state::place::{COUNT, IMMEDIATE, MEMORY, PC, PORTS};
/// Flag C; the other flags follow in the order of their bits.
pub const FLAGS: u8 = 32;
/// Refresh counter R.
pub const R: u8 = 40;
/// Q, the flags that the instruction before changed.
pub const Q: u8 = 41;
/// Interrupt flip-flop 1; 2 follows.
pub const IFF: u8 = 43;
