//! A program opened and assembled: what is asked for, and the way through all stages.

mod again;
pub mod assemble;
mod language;
pub mod pass;
