//! The simulator: [`Cpu`] runs the operations of [`crate::semantics`] on plain
//! integers, clock by clock as the table has it, with an [`Io`] around it.

mod chip;
mod code;
mod cpu;
mod des;
mod drive;
mod io;
mod program;
mod rows;
mod run;

pub use chip::{Chip, Own};
pub use code::{decoded, ins};
pub use cpu::{Cpu, Undefined};
pub use io::{Clock, Io, Plain, Request};
