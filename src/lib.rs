//! scrimp: assembles, lays out, accounts for every byte and runs the result.
//!
//! Every stage is a function of the previous one's immutable output; the core
//! does no input or output and prints nothing (`docs/ARCHITECTURE.md`).
#![forbid(unsafe_code)]

pub mod assemble;
pub mod diagnostic;
pub mod dialect;
pub mod disk;
pub mod image;
pub mod report;
pub mod source;
pub mod targets;
pub mod write;

#[cfg(feature = "cli")]
pub mod cli;

pub use assemble::{Job, Output, assemble};
