//! `scrimp test`: what a program is expected to do, written beside it, and done on its
//! machine. A test is a script of [`step::Line`]s; [`grammar`] reads them, [`run`] does them
//! on a copy of the machine, [`suite`] finds and counts them, [`output`] writes what came of
//! it for people and tools.

mod advance;
pub mod coverage;
pub mod grammar;
pub mod output;
pub mod run;
pub mod snapshot;
pub mod step;
pub mod suite;
