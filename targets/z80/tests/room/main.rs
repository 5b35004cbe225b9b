//! The Z80 and the ZX81: every row, every meaning, every clock.

mod common;
mod domains;
mod effects;
mod manual;
#[path = "../../../../tests/common/meaning.rs"]
mod meaning;
mod peers;
#[path = "../../../../tests/common/rules.rs"]
mod prover;
#[path = "../../../../tests/common/random.rs"]
mod random;
mod rules;
mod search;
mod sim;
mod table;
mod zex;
mod zx81;
