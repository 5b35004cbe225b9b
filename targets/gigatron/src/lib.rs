//! The Gigatron TTL microcomputer: a CPU of 36 TTL chips that makes its picture,
//! sound and input in software, every instruction one clock.
//!
//! [`table`] has one row per instruction form, [`operands`] says how operands are
//! written, [`semantics`] what an instruction does, once for all value domains.
//! [`effects`] and the simulator in [`sim`] come from them; [`machines`] are the
//! computers with 32K, 64K and 128K. [`vcpu`] is the processor that their ROMs interpret.
#![forbid(unsafe_code)]

pub mod effects;
pub mod machines;
pub mod meaning;
pub mod memories;
pub mod opcode;
pub mod operands;
pub mod place;
pub mod semantics;
pub mod sim;
pub mod table;
mod target;
pub mod timing;
pub mod vcpu;

pub use opcode::Opcode;
pub use target::{Gigatron, decoder};
