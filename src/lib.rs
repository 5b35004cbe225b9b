//! scrimp: assembles, lays out, accounts for every byte and runs the result.
//!
//! Every stage is a function of the previous one's immutable output; the core
//! does no input or output and prints nothing (`docs/ARCHITECTURE.md`).
#![forbid(unsafe_code)]

pub mod again;
pub mod assemble;
mod balance;
pub mod commit;
mod contract;
pub mod diagnostic;
pub mod dialect;
pub mod disk;
mod encode;
mod eval;
mod exact;
mod expand;
mod findings;
mod gnu;
mod hints;
pub mod image;
mod job;
mod layout;
pub mod lex;
pub mod limits;
mod link;
mod page_report;
mod pages;
pub mod preprocess;
mod program;
pub mod report;
mod romtable;
mod slots;
pub mod source;
pub mod symbol;
mod syntax;
pub mod targets;
mod words;
pub mod write;

#[cfg(feature = "cli")]
pub mod cli;

pub use assemble::{Linking, Output, Settings, assemble, assemble_linked, assemble_with};
pub use job::Job;
