//! What looks at a program, or changes it, between the stages.

use crate::place::Layout;
use crate::program::Program;

/// Is called between the stages, where the source has no errors.
pub trait Pass {
    /// The program as it was read, before any layout. What it changes it changes by
    /// [`Program::rewrite`] and its like, so that all that points at items follows.
    fn read(&mut self, program: &mut Program<'_>) {
        let _ = program;
    }

    /// The program with what was filled in for promises, and its last layout.
    fn placed(&mut self, program: &Program<'_>, layout: &Layout) {
        let _ = (program, layout);
    }
}

/// Looks at nothing.
impl Pass for () {}
