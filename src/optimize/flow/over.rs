//! What routines go over on their way back: data and jumps behind their calls, that a disassembler
//! may have taken for instructions.

use super::hazard::Search;
use super::node::{Kind, Reason, Ref, behind_data};
use super::returns::OVER;
use super::routine::{calls, within};
use rustc_hash::{FxHashMap, FxHashSet};
use scrimp_isa::depend::Inputs;
use scrimp_isa::effects::Way;
use scrimp_isa::state::place;

/// Bytes that a count of one byte goes over, and what stands before them.
const COUNTED: u64 = 256 + OVER;
/// Nodes of a routine that are looked at.
const LONG: usize = 400;

impl Search<'_, '_> {
    /// What a routine may go over on its way back stays as it is, and is come to: some bytes,
    /// or all jumps that stand there.
    pub(super) fn gone_over(&mut self, from: u64) {
        let first = self.nodes.places.partition_point(|p| p.0 < from);
        let mut table = true;
        for i in first..self.nodes.places.len() {
            let (at, n) = self.nodes.places[i];
            if at >= from + OVER && !table {
                break;
            }
            self.pin(n, Reason::Returned);
            let node = &mut self.nodes.list[n as usize];
            node.entry = true;
            table &= node.ways.way == Some(Way::Jump) && !node.ways.falls_through;
        }
    }

    /// Where the routine that a node calls goes over as many bytes as it computes, those stay as
    /// they are, up to what others call. What is `known` of routines is not asked again.
    pub(super) fn counted_over(&mut self, call: u32, known: &mut FxHashMap<u32, bool>) {
        let node = &self.nodes.list[call as usize];
        let from = node.address + u64::from(node.size);
        let Some((to, first)) = node.to.zip(node.next) else {
            return;
        };
        if !*known.entry(to).or_insert_with(|| self.counts(to)) {
            return;
        }
        let mut last = first;
        for n in first..self.nodes.list.len() as u32 {
            let x = &self.nodes.list[n as usize];
            let by_others = |r: &Ref| match r {
                Ref::Call(by) => {
                    let by = self.nodes.list[*by as usize].address;
                    !(from..from + COUNTED).contains(&by)
                }
                _ => false,
            };
            let own = x.at.chunk == self.nodes.list[first as usize].at.chunk;
            if !own || x.address >= from + COUNTED || x.refs.iter().any(by_others) || n == to {
                break;
            }
            last = n;
        }
        let at = self.nodes.list[first as usize].at;
        self.span(at, last, Reason::Returned);
        for n in first..=last {
            self.nodes.list[n as usize].entry = true;
        }
    }

    /// Whether a routine adds something to its return address that is no constant, or counts it
    /// on in a loop.
    fn counts(&self, entry: u32) -> bool {
        let quiet = self.quiet().and(self.flags());
        let mut seen: FxHashSet<(u32, Inputs)> = FxHashSet::default();
        // What was found to be in none.
        let mut alone: FxHashSet<u32> = FxHashSet::default();
        let mut open = vec![(entry, 0, Inputs::NONE)];
        while let Some((n, height, mut held)) = open.pop() {
            if seen.len() >= LONG || !seen.insert((n, held)) {
                continue;
            }
            let node = &self.nodes.list[n as usize];
            let Some(f) = node.facts.as_ref().filter(|_| node.kind == Kind::Code) else {
                continue;
            };
            let e = &f.effects;
            let mut after = height;
            if node.ways.way.is_none() {
                let mut now = held.without(e.writes);
                for w in e
                    .writes
                    .without(quiet)
                    .iter()
                    .filter(|&w| w < place::OTHERS)
                {
                    // What is read there is none.
                    let flows = match e.reads_memory && !f.pointers.has(w) {
                        true => e.flows[usize::from(w)].without(f.pointers),
                        false => e.flows[usize::from(w)],
                    };
                    if flows.0 & held.0 == 0 {
                        continue;
                    }
                    let others = flows.without(held).without(quiet);
                    if others.iter().any(|l| l < place::OTHERS) {
                        return true;
                    }
                    let counts = flows.has(w) && !e.reads_memory;
                    if counts && !alone.contains(&n) && self.is_in_loop(n) {
                        return true;
                    }
                    if counts {
                        alone.insert(n);
                    }
                    now = now.and(Inputs::one(w));
                }
                let lift = f.lift.unwrap_or(0);
                after -= lift;
                let takes = lift > 0 && after < 0;
                let exchanges = lift == 0 && f.pointers.0 & self.book.stack().0 != 0;
                if takes && height <= 0 || exchanges && height == 0 && e.reads_memory {
                    let own = e.writes.without(quiet).without(self.book.stack());
                    now = now.and(own);
                }
                held = now;
            }
            open.extend(self.then(n).into_iter().map(|x| (x, after, held)));
        }
        false
    }

    /// Whether control may come from a node to that again, within its routine.
    fn is_in_loop(&self, n: u32) -> bool {
        let mut seen: FxHashSet<u32> = FxHashSet::default();
        let mut open = vec![n];
        while let Some(x) = open.pop() {
            for to in self.then(x) {
                if to == n {
                    return true;
                }
                if seen.len() < LONG && seen.insert(to) {
                    open.push(to);
                }
            }
        }
        false
    }

    /// Where control goes behind a node in its routine: over calls, and over data.
    fn then(&self, n: u32) -> Vec<u32> {
        let list = &self.nodes.list;
        let node = &list[n as usize];
        let next: Vec<u32> = match calls(node) {
            true => node.next.into_iter().collect(),
            false => within(node).collect(),
        };
        let next = next.into_iter();
        next.filter_map(|x| behind_data(list, x)).collect()
    }
}
