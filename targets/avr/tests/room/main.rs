//! The AVR: every row, every meaning, every clock.

#[path = "../../../../tests/common/random.rs"]
mod random;
#[path = "../../../../tests/common/tools.rs"]
mod tools;

mod avr_libc;
mod common;
mod devices;
mod effects;
mod lockstep;
mod manual;
mod peers;
mod semantics;
mod sim;
mod table;
