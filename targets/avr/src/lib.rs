//! The AVR and its devices.
//!
//! [`features`] names what a core may have or lack; [`devices`] has the facts of
//! each part: memories, registers and their bits, vectors, fuses, signature.
#![forbid(unsafe_code)]

pub mod devices;
pub mod features;
