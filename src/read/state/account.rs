//! What a run has found, what it has cost so far, and what it may cost.

use crate::diagnostic::findings::Findings;
use crate::diagnostic::{MAX_FINDINGS, near};
use crate::program::MAX_IMAGE;
use crate::program::limits::{COMPARED, LINES};

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

/// What a run has cost so far, which is bounded.
#[derive(Debug, Default)]
pub struct Spent {
    /// Bytes in all chunks.
    pub emitted: usize,
    /// Items with bytes of known size.
    pub items: usize,
    /// Items whose size layout decides.
    pub open: usize,
    /// Values that wait for it.
    pub waiting: usize,
    /// Operations of values that do not.
    pub kept: usize,
    /// Tokens in the arguments and repeated lines of what is open.
    pub held: usize,
    /// Files included so far, and the bytes of those that were so before.
    pub included: (usize, usize),
    /// Errors that are not kept, since another run may not have them.
    pub unkept: usize,
    /// Files that could not be had.
    pub missing: usize,
    /// Bytes that `incbin` has read.
    pub incbins: usize,
    /// Lines that came out of macros and repeats.
    pub expanded: u64,
    /// Bytes of text that macros have made.
    pub made_text: usize,
    /// Errors that do not count by these.
    pub silent_errors: usize,
    /// Names that may still be compared in search of one that was meant.
    pub compared: std::cell::Cell<usize>,
}

/// Findings and costs of a run.
pub struct Account {
    /// Findings.
    pub findings: Findings,
    /// What the run may cost.
    pub limits: Limits,
    /// What it has cost so far.
    pub spent: Spent,
}

impl Account {
    /// Before the first line.
    pub fn new(findings: Findings, limits: Limits) -> Self {
        let spent = Spent {
            emitted: limits.emitted,
            expanded: limits.expanded,
            compared: COMPARED.into(),
            ..Spent::default()
        };
        Self {
            findings,
            limits,
            spent,
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
