//! A program opened and assembled: what is asked for, and the way through all stages; its
//! files in their formats, its budgets, and the machine that runs it. No terminal, and no
//! files but through `disk/`.

mod again;
pub mod assemble;
pub mod binary;
pub mod build;
pub mod explained;
pub mod find;
pub mod front;
mod gather;
pub mod improve;
pub mod keys;
pub mod known;
mod language;
pub mod manifest;
pub mod memory;
pub mod memory_file;
pub mod names;
pub mod options;
pub mod pass;
pub mod power;
mod preceded;
pub mod promises;
pub mod refusal;
pub mod search;
pub mod shipped;
pub mod test;
