//! A program opened and assembled: what is asked for, and the way through all stages.

mod again;
pub mod assemble;
mod gather;
mod language;
pub mod pass;
