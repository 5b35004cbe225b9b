//! The AVR and its devices.
//!
//! [`features`] names what a core may have or lack; [`devices`] has the facts of
//! each part: memories, registers and their bits, vectors, fuses, signature.
//! [`table`] has one row for each instruction form, [`clocks`] their times on the
//! cores, [`operands`] how operands are written.
#![forbid(unsafe_code)]

mod advice;
pub mod board;
pub mod clocks;
pub mod devices;
pub mod effects;
pub mod features;
pub mod install;
pub mod machine;
pub mod meaning;
mod meant;
pub mod memories;
pub mod op;
pub mod operands;
pub mod part;
pub mod parts;
pub mod peripherals;
pub mod place;
pub mod semantics;
pub mod sim;
mod starter;
pub mod table;
pub mod target;

pub use board::AvrSimulation;
pub use clocks::Core;
pub use machine::DeviceMachine;
pub use op::Op;
pub use target::AVR;
