//! The simulator: [`Cpu`] runs the operations of [`crate::semantics`] on plain
//! integers, against a [`Bus`].

mod bus;
mod cpu;
mod names;
mod pages;
mod tested;

pub use bus::{Bus, Clock, Memory};
pub use cpu::{Cpu, Interrupt};
pub use pages::{Pages, ins, length, pages};
pub use tested::Tested;
