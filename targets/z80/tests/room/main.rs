//! The Z80 and the ZX81: every row, every meaning, every clock.

mod common;
mod effects;
mod manual;
mod peers;
#[path = "../../../../tests/common/random.rs"]
mod random;
mod sim;
mod table;
mod zex;
mod zx81;
