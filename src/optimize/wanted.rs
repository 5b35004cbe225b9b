//! Which of the changes that passes find are made, where not all of them are: those that
//! somebody chose, and those that can stand in a source.

use super::flow::Flow;
use super::step::{Draft, Proposal, SHORT, Step};
use rustc_hash::FxHashSet;

/// A choice of changes. By default all are made.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wanted {
    /// Only changes of these names, where it is said.
    pub only: Option<FxHashSet<String>>,
    /// Only changes of these rules or passes, where there are any.
    pub rules: Vec<String>,
    /// No changes of these names.
    pub without: FxHashSet<String>,
    /// Lines that stay as they are: number of the source, and of the line from 1.
    pub still: FxHashSet<(u32, u32)>,
}

impl Wanted {
    /// Whether every change is made.
    pub fn is_all(&self) -> bool {
        self.only.is_none() && self.rules.is_empty() && self.without.is_empty()
    }

    /// Takes away what is not to be made.
    pub fn choose(&self, flow: &Flow<'_, '_>, step: &Step, draft: &mut Draft) {
        if self.is_all() {
            return;
        }
        draft.proposals.retain(|p| self.has(flow, step, p));
    }

    fn has(&self, flow: &Flow<'_, '_>, step: &Step, p: &Proposal) -> bool {
        let rule = |r: &String| {
            let branch = step.name == "branches" && r == SHORT;
            *r == p.rule || r == step.name || branch
        };
        if !self.rules.is_empty() && !self.rules.iter().any(rule) {
            return false;
        }
        let name = name(flow, step, p);
        !self.without.contains(&name) && self.only.as_ref().is_none_or(|o| o.contains(&name))
    }
}

/// A change by what it takes away in the source: the same in every run over the same
/// sources, whatever else is changed.
pub fn name(flow: &Flow<'_, '_>, step: &Step, p: &Proposal) -> String {
    use std::fmt::Write;
    let mut name = format!("{} {}", step.name, p.rule);
    for e in &p.edits {
        if let Some(i) = flow.program.item(e.at) {
            let (s, x) = (i.span, i.expansion);
            let _ = write!(name, " {}:{}:{x} {}", s.source.0, s.start, e.removed);
        }
    }
    name
}
