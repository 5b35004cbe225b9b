//! The vCPU: the 16-bit processor that the ROMs of the Gigatron interpret between the
//! lines of the picture, and that programs in RAM are written for.
//!
//! [`table`] has one row per instruction form with its times in each generation of ROMs,
//! [`semantics`] what an instruction does, once for all value domains; [`rom`] says what
//! the ROMs have, [`sys`] their native functions. [`machines`] are Gigatrons as such a
//! program sees them; without a ROM the simulator in [`sim`] runs instructions alone.

pub mod files;
pub mod machines;
pub mod meaning;
pub mod operands;
pub mod rom;
pub mod semantics;
pub mod sim;
pub mod sys;
pub mod table;
mod target;

pub use rom::Rom;
pub use target::{Vcpu, decoder};
