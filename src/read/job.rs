//! What the assembler is asked to do.

use scrimp_isa::{Machine, Target};

/// What to assemble and how.
#[derive(Clone)]
pub struct Job<'a> {
    /// Path of the main file, for the loader.
    pub file: String,
    /// The instruction set.
    pub target: &'a dyn Target,
    /// The machine, which brings regions, a source library and character maps.
    pub machine: Option<&'a dyn Machine>,
    /// Name of the dialect; see [`crate::dialect::names`].
    pub dialect: String,
    /// Symbols defined from outside.
    pub defines: Vec<(String, i64)>,
}
