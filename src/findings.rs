//! What was found so far: errors, and warnings as the user wants them.

use crate::diagnostic::policy::Policy;
use crate::diagnostic::{Diagnostic, Level};
use crate::program::MAX_FINDINGS;

/// Most findings of a level that are kept.
const KEPT: usize = 10 * MAX_FINDINGS;

/// The findings of a run. Of each level the first thousand are kept and all are counted.
#[derive(Clone, Debug)]
pub struct Findings {
    policy: Policy,
    list: Vec<Diagnostic>,
    counts: [usize; 3],
    /// All that came, also those that are silenced.
    seen: usize,
}

/// How much had been found at some time.
#[derive(Clone, Copy, Debug)]
pub struct Mark {
    kept: usize,
    counts: [usize; 3],
}

impl Findings {
    /// None yet.
    pub fn new(policy: &Policy) -> Self {
        Self {
            policy: policy.clone(),
            list: Vec::new(),
            counts: [0; 3],
            seen: 0,
        }
    }

    /// Adds one, unless it is silenced.
    pub fn push(&mut self, mut d: Diagnostic) {
        self.seen += 1;
        if !self.policy.admits(&mut d) {
            return;
        }
        let count = &mut self.counts[d.level as usize];
        *count += 1;
        if *count <= KEPT {
            self.list.push(d);
        }
    }

    /// Number of errors.
    pub fn errors(&self) -> usize {
        self.counts[Level::Error as usize]
    }

    /// How many came so far, shown or not.
    pub fn seen(&self) -> usize {
        self.seen
    }

    /// What to go back to.
    pub fn mark(&self) -> Mark {
        Mark {
            kept: self.list.len(),
            counts: self.counts,
        }
    }

    /// Forgets what came after the mark.
    pub fn forget_since(&mut self, m: Mark) {
        self.list.truncate(m.kept);
        self.counts = m.counts;
    }

    /// Those that were kept, and how many of each level were not.
    pub fn into_parts(self) -> (Vec<Diagnostic>, [usize; 3]) {
        (self.list, self.counts.map(|n| n.saturating_sub(KEPT)))
    }
}
