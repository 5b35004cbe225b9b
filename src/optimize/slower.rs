//! `--slower-at-most`: no way through the program takes longer than so many hundredths more.
//!
//! What is not counted is not made. A change that is slower is made where that is little beside
//! the straight run of instructions around it, of which all that counts is run whenever the
//! change is. No instruction that was read counts twice, and none that a change brought.

use super::apply::key;
use super::flow::{Flow, calls};
use super::ledger::Key;
use super::step::{Draft, Proposal};
use super::trace::Trace;
use crate::program::item::{What, whole};
use crate::program::rewrite::{Edit, NewItem};
use rustc_hash::{FxHashMap, FxHashSet};

/// Instructions that were read, by chunk and number.
type Items = Vec<(u32, u32)>;

/// What is slower so far.
pub struct Slower {
    /// Hundredths; nothing where time does not matter.
    most: Option<u32>,
    /// What counted already.
    counted: FxHashSet<(u32, u32)>,
    /// What counts for each change of a draft that is slower.
    open: FxHashMap<String, Items>,
}

impl Slower {
    /// Nothing yet.
    pub fn new(most: Option<u32>) -> Self {
        Self {
            most,
            counted: FxHashSet::default(),
            open: FxHashMap::default(),
        }
    }

    /// Leaves out what is too slow, or not known to be fast enough.
    pub fn choose(&mut self, flow: &Flow<'_, '_>, trace: &Trace, draft: &mut Draft) {
        let Some(most) = self.most else { return };
        self.open.clear();
        let mut own = self.counted.clone();
        draft.proposals.retain(|p| {
            let (Some((_, more)), false) = (p.time, is_open(p)) else {
                return false;
            };
            if more <= 0 {
                return true;
            }
            let Some(items) = bears(flow, trace, p, (more, most.into()), &own) else {
                return false;
            };
            own.extend(&items);
            self.open.insert(key(p), items);
            true
        });
    }

    /// Changes were made.
    pub fn made(&mut self, keys: &[Key]) {
        for k in keys {
            self.counted
                .extend(self.open.remove(&k.key).into_iter().flatten());
        }
    }
}

/// Whether it brings an instruction of several forms, which take different times.
fn is_open(p: &Proposal) -> bool {
    let mut all = p.edits.iter().flat_map(|e| &e.items);
    all.any(|i| matches!(i, NewItem::Choice(_) | NewItem::Copy(What::Choice { .. })))
}

/// The instructions beside which a change is slow enough to be made, if all edits have such.
fn bears(
    flow: &Flow<'_, '_>,
    trace: &Trace,
    p: &Proposal,
    (more, most): (i64, i64),
    counted: &FxHashSet<(u32, u32)>,
) -> Option<Items> {
    let mut all: FxHashSet<(u32, u32)> = FxHashSet::default();
    for e in p.edits.iter().filter(|e| !is_home(flow, e)) {
        let nodes = run(flow, e)?;
        let mut time = 0;
        for n in nodes {
            let node = flow.node(n);
            let tag = trace.chunks.get(node.at.chunk as usize)?;
            let old = tag.get(node.at.item as usize)?.old?;
            if counted.contains(&old) || !all.insert(old) {
                return None;
            }
            time += i64::from(node.facts.as_ref()?.times.0);
        }
        if more * 100 > time * most {
            return None;
        }
    }
    Some(all.into_iter().collect())
}

/// Whether an edit only puts something behind an instruction that nothing goes on from.
fn is_home(flow: &Flow<'_, '_>, e: &Edit) -> bool {
    let what = flow.program.item(e.at).map(|i| i.what);
    let node = flow.nodes.of(e.at).map(|n| flow.node(n));
    let leaves = node.is_some_and(|n| !n.ways.falls_through && !calls(n));
    let own = match what {
        Some(What::Instruction { form, word, .. }) => Some((form, whole(word))),
        _ => None,
    };
    let stays = match e.items.first() {
        Some(NewItem::Instruction(form, word, _)) => own == Some((*form, *word)),
        _ => false,
    };
    e.removed == 1 && leaves && stays
}

/// What is surely run whenever an edit is: back to where others come from, and on to where
/// control may leave.
fn run(flow: &Flow<'_, '_>, e: &Edit) -> Option<std::ops::Range<u32>> {
    let start = flow.nodes.of(e.at)?;
    let mut first = start;
    while let Some(before) = first.checked_sub(1) {
        let node = flow.node(before);
        let goes_on = node.ways.falls_through && !calls(node);
        if flow.node(first).is_reached() || !goes_on || !flow.adjoins(before, first) {
            break;
        }
        first = before;
    }
    let mut end = start + 1;
    let count = flow.nodes.list.len() as u32;
    let leaves = |n: u32| flow.node(n).ways.way.is_some();
    while end < count && !leaves(end - 1) && flow.adjoins(end - 1, end) {
        if flow.node(end).facts.is_none() {
            break;
        }
        end += 1;
    }
    Some(first..end)
}
