//! Boards: a device with a clock and the parts that hang on its pins, running.
//!
//! [`AvrSimulation`] is what `scrimp run` and tests work with: made in code with
//! [`AvrSimulation::new`] and [`attach`](AvrSimulation::attach), or from the `[board]`
//! table of a `program.toml` ([`Board`]).

mod call;
mod describe;
mod manifest;
mod simulation;
mod tested;
mod view;

pub use call::NoReturn;
pub use describe::{Board, PartOf};
pub use simulation::AvrSimulation;
