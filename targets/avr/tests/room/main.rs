//! The AVR: every row, every meaning, every clock.

#[path = "../../../../tests/common/random.rs"]
mod random;
#[path = "../../../../tests/common/tools.rs"]
mod tools;

mod avr_libc;
mod common;
mod devices;
mod devices_dx;
mod domains;
mod effects;
mod lockstep;
mod manual;
#[path = "../../../../tests/common/meaning.rs"]
mod meaning;
mod newer;
mod peers;
#[path = "../../../../tests/common/rules.rs"]
mod prover;
mod rows;
mod rules;
mod semantics;
mod sim;
mod table;
mod terminal;
