//! The Z80 and the machines built on it.
//!
//! [`table`] has one row per instruction form, [`operands`] says how operands
//! are written. Encoding, decoding, times and the simulator come from them.
#![forbid(unsafe_code)]

pub mod op;
pub mod operands;
pub mod table;
mod target;

pub use op::Op;
pub use target::{Z80, decoder};
