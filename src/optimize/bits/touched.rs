//! Code that is read or written by way of addresses that were kept in memory or handed on, or by
//! which control came there.

use super::held::{Held, Origins, State};
use crate::optimize::flow::{Flow, Kind};
use crate::program::symbol::Anchor;
use rustc_hash::FxHashSet;

/// The places of all such code: memory is touched with an address, and all that it may be are
/// addresses of code.
pub fn code<'h>(
    flow: &Flow<'_, '_>,
    sets: &Origins,
    before: &[Option<State>],
    memory: impl Iterator<Item = &'h Held>,
    pushed: &FxHashSet<Anchor>,
) -> Vec<Anchor> {
    let listed = |h: &Held| [h.low, h.high].map(|s| &sets.sets.list[s as usize]);
    let kept = memory.flat_map(listed).flatten();
    let kept = kept.map(|&o| sets.list[o as usize]);
    // What came there from somewhere else may be mistaken.
    let kept = kept.filter(|o| !o.3).map(|o| o.0);
    let kept: FxHashSet<Anchor> = kept.chain(pushed.iter().copied()).collect();
    let is_code = |a: Anchor| {
        let n = flow.nodes.of(a);
        n.is_some_and(|n| flow.node(n).kind == Kind::Code)
    };
    let mut out = Vec::new();
    for (node, before) in flow.nodes.list.iter().zip(before) {
        let (Some(f), Some(before)) = (&node.facts, before) else {
            continue;
        };
        let e = &f.effects;
        let touches = e.reads_memory || e.writes_memory || e.reads_program;
        let pointers = f.pointers.without(flow.book.stack());
        if !touches || pointers.is_empty() {
            continue;
        }
        let held = pointers
            .iter()
            .filter_map(|l| before.held.get(usize::from(l)));
        let all: Vec<_> = held
            .flat_map(listed)
            .flatten()
            .map(|&o| sets.list[o as usize])
            .collect();
        if all.iter().all(|o| is_code(o.0)) {
            out.extend(
                all.iter()
                    .filter(|o| o.3 && kept.contains(&o.0))
                    .map(|o| o.0),
            );
        }
    }
    out.sort_unstable();
    out.dedup();
    out
}
