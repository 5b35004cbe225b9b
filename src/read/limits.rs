//! What a reader does about limits, and names that may have been meant.

use crate::diagnostic::MAX_FINDINGS;
use crate::diagnostic::text::thousands;
use crate::diagnostic::{Diagnostic, codes, near};
use crate::program::{Fault, Outcome};
use crate::read::Assembler;

use crate::program::MAX_IMAGE;
use crate::program::limits::{
    CHECKS, FIXUPS, LINES, MACROS, OPERATIONS, PIECES, SECTIONS, SYMBOLS, TAILS,
};

/// What a run may cost.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Errors before it is given up.
    pub errors: usize,
    /// Errors that do not count.
    pub silent: &'static [&'static str],
    /// Lines of macros and repeats that count as made before it starts.
    pub expanded: u64,
    /// Likewise for bytes of the program.
    pub emitted: usize,
}

impl Limits {
    /// Those of a run for its result.
    pub const WHOLE: Self = Self {
        errors: MAX_FINDINGS,
        silent: &[],
        expanded: 0,
        emitted: 0,
    };

    /// Whether nobody will read what is found.
    pub fn is_trial(&self) -> bool {
        !self.silent.is_empty()
    }

    /// Those of a run that shows whether a source is written so: cheap, and over when
    /// there are `errors` errors.
    pub fn trial(errors: usize, silent: &'static [&'static str]) -> Self {
        Self {
            errors,
            silent,
            expanded: LINES - 5_000,
            emitted: MAX_IMAGE - (1 << 20),
        }
    }
}

impl Assembler<'_> {
    /// The finding for a limit that is passed; nothing more is read.
    pub fn too_many(&mut self, most: usize, what: &str) -> Fault {
        self.fatal = true;
        let message = format!(
            "the program has more than {} {what}",
            thousands(most as u64)
        );
        Box::new(Diagnostic::new(codes::TOO_MUCH, message).at(self.statement))
    }

    /// Bounds the macros, of which there are so many.
    pub fn room_for_macro(&mut self, count: usize) -> Outcome<()> {
        match count < MACROS {
            true => Ok(()),
            false => Err(self.too_many(MACROS, "macros")),
        }
    }

    /// Ends the run where what waits for layout passes a limit.
    pub fn check_limits(&mut self) {
        let (most, what) = if self.symbols.is_full() {
            (SYMBOLS, "symbols, or names too long for so many")
        } else if self.spent.waiting > FIXUPS {
            (FIXUPS, "values that wait for layout")
        } else if self.ops.len().saturating_sub(self.spent.kept) > OPERATIONS {
            (OPERATIONS, "operations in values that wait for layout")
        } else if self.spent.open > TAILS {
            (TAILS, "instructions whose size layout decides")
        } else if self.chunks.len() > PIECES {
            (PIECES, "pieces at addresses of their own")
        } else if self.sections.len() > SECTIONS {
            (SECTIONS, "sections")
        } else if self.later.len() > CHECKS {
            (CHECKS, "checks and messages")
        } else {
            return;
        };
        if !self.fatal {
            let d = self.too_many(most, what);
            self.report(d);
        }
    }

    /// The name nearest to one that is not known. What is compared in a run is bounded,
    /// since each of many faults could ask for many names.
    pub fn nearest<'n>(
        &self,
        name: &str,
        candidates: impl Iterator<Item = &'n str>,
    ) -> Option<&'n str> {
        if self.findings.errors() >= MAX_FINDINGS || self.limits.is_trial() {
            return None;
        }
        let left = self.spent.compared.get();
        let seen = std::cell::Cell::new(0);
        let counted = candidates.take(left).inspect(|_| seen.set(seen.get() + 1));
        let found = near::nearest(name, counted);
        self.spent.compared.set(left - seen.get());
        found
    }
}
