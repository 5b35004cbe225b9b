//! What was found so far: errors, and warnings as the user wants them.

use crate::diagnostic::MAX_FINDINGS;
use crate::diagnostic::policy::Policy;
use crate::diagnostic::{Diagnostic, Level};

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

    /// So many more like one that were not kept: they are counted.
    pub fn more(&mut self, mut like: Diagnostic, n: usize) {
        self.seen += n;
        if self.policy.admits(&mut like) {
            self.counts[like.level as usize] += n;
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

    /// Those that are kept.
    pub fn kept(&self) -> &[Diagnostic] {
        &self.list
    }

    /// Those that were kept, and how many of each level were not.
    pub fn into_parts(self) -> (Vec<Diagnostic>, [usize; 3]) {
        (self.list, self.counts.map(|n| n.saturating_sub(KEPT)))
    }
}
