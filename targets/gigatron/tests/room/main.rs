//! The Gigatron: every row, every meaning, every clock.

#[path = "../../../../tests/common/random.rs"]
mod random;
#[path = "../../../../tests/common/tools.rs"]
mod tools;

mod card;
mod domains;
#[path = "../../../../tests/common/meaning.rs"]
mod meaning;
#[path = "../../../../tests/common/rules.rs"]
mod prover;
mod rules;
mod sim;
mod table;
mod timing_roms;
mod vcpu;
