//! The way from source text to image: the library's front door.

use crate::diagnostic::Diagnostic;
use crate::image::Image;
use crate::source::{Loader, Sources};
use scrimp_isa::{Machine, Target};

/// What to assemble and how.
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

/// What came of it.
pub struct Output {
    /// The texts that were read, for rendering.
    pub sources: Sources,
    /// Findings in order of place.
    pub diagnostics: Vec<Diagnostic>,
    /// The program; `None` if there was an error.
    pub image: Option<Image>,
}

/// Assembles a program.
pub fn assemble(job: &Job<'_>, loader: &dyn Loader) -> Output {
    let _ = (job, loader);
    Output {
        sources: Sources::default(),
        diagnostics: Vec::new(),
        image: None,
    }
}
