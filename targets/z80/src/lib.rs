//! The Z80 and the machines built on it.
//!
//! [`table`] has one row per instruction form, [`operands`] says how operands
//! are written, [`semantics`] what each operation does. Encoding, decoding, times,
//! effects and the simulator in [`sim`] come from them.
#![forbid(unsafe_code)]

pub mod effects;
pub mod machines;
pub mod meaning;
mod meant;
pub mod op;
pub mod operands;
pub mod place;
pub mod reg;
pub mod semantics;
pub mod sim;
mod spellings;
pub mod table;
mod target;

pub use op::Op;
pub use target::{Z80, decoder};
