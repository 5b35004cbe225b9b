//! What findings say beyond what is wrong: how the dialect in force writes what was
//! meant. Everything here runs after something has failed.

pub(crate) mod elsewhere;
mod missing;
pub mod numbers;
mod operands;
mod places;
mod statements;
mod tokens;
