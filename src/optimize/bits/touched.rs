//! Code that is read or written by way of addresses that were kept in memory or handed on, or by
//! which control came there.

use super::held::{Held, Origins, State};
use crate::optimize::flow::{Flow, Kind, Operand, Shape, behind_data, calls, within};
use crate::program::symbol::Anchor;
use rustc_hash::{FxHashMap, FxHashSet};
use scrimp_isa::depend::Inputs;
use std::collections::BTreeMap;

/// Instructions before one that are looked at, at most.
const LONG: usize = 400;

/// Returns to addresses that were put on the stack.
#[derive(Default)]
pub struct Pushed {
    /// Places whose addresses registers have that go along.
    pub along: FxHashSet<Anchor>,
    /// Nodes that are returned to.
    pub to: FxHashSet<u32>,
}

/// The places of all such code: memory is touched with an address, and all that it may be are
/// addresses of code. Of each whether a block is moved from there, or searched.
pub fn code<'h>(
    flow: &Flow<'_, '_>,
    sets: &Origins,
    before: &[Option<State>],
    memory: impl Iterator<Item = &'h Held>,
    pushed: &Pushed,
) -> Vec<(Anchor, bool)> {
    let listed = |h: &Held| [h.low, h.high].map(|s| &sets.sets.list[s as usize]);
    let kept = memory.flat_map(listed).flatten();
    let kept = kept.map(|&o| sets.list[o as usize]);
    // What came there from somewhere else may be mistaken.
    let kept = kept.filter(|o| !o.3).map(|o| o.0);
    let kept: FxHashSet<Anchor> = kept.collect();
    let is_code = |a: Anchor| {
        let n = flow.nodes.of(a);
        n.is_some_and(|n| flow.node(n).kind == Kind::Code)
    };
    let into = into(flow);
    let mut out = Vec::new();
    for ((n, node), before) in (0..).zip(&flow.nodes.list).zip(before) {
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
        let code = all.iter().all(|o| is_code(o.0));
        if code && !comes_elsewhere(flow, &into, (n, pointers)) {
            let block = within(node).any(|x| x == n);
            let own = all.iter().filter(|o| o.3 && kept.contains(&o.0));
            out.extend(own.map(|o| (o.0, block)));
        }
    }
    let mut arrived: Vec<u32> = pushed.to.iter().copied().collect();
    arrived.sort_unstable();
    for n in arrived {
        let Some(state) = &before[n as usize] else {
            continue;
        };
        let mut own: BTreeMap<Anchor, Inputs> = BTreeMap::new();
        for (l, h) in (0u8..).zip(&state.held) {
            // Where it may be one of several it came together from elsewhere.
            let alone = |s: u32| match sets.sets.list[s as usize][..] {
                [o] => Some(sets.list[o as usize].0),
                _ => None,
            };
            let both = [h.low, h.high].map(alone);
            for a in both.into_iter().flatten() {
                if pushed.along.contains(&a) && is_code(a) {
                    let all = own.entry(a).or_insert(Inputs::NONE);
                    *all = all.and(Inputs::one(l));
                }
            }
        }
        for (a, held) in own {
            out.extend(with_it(flow, n, held).map(|block| (a, block)));
        }
    }
    out.sort_unstable();
    out.dedup();
    out
}

/// Of each node from where control comes to it, in its routine or by a call.
fn into(flow: &Flow<'_, '_>) -> FxHashMap<u32, Vec<u32>> {
    let mut all: FxHashMap<u32, Vec<u32>> = FxHashMap::default();
    for (n, node) in (0..).zip(&flow.nodes.list) {
        let called = node.to.filter(|_| calls(node));
        for to in within(node).chain(called) {
            all.entry(to).or_default().push(n);
        }
    }
    all
}

/// Whether a number, which is no address of code, is loaded on some way to a node into what
/// decides where that touches memory.
fn comes_elsewhere(
    flow: &Flow<'_, '_>,
    into: &FxHashMap<u32, Vec<u32>>,
    (n, pointers): (u32, Inputs),
) -> bool {
    let mut seen: FxHashSet<u32> = FxHashSet::default();
    let mut open = vec![n];
    while let Some(n) = open.pop() {
        for &from in into.get(&n).into_iter().flatten() {
            if seen.len() >= LONG || !seen.insert(from) {
                continue;
            }
            let node = flow.node(from);
            let Some(f) = node.facts.as_ref().filter(|_| node.kind == Kind::Code) else {
                continue;
            };
            let e = &f.effects;
            if pointers.without(e.writes).is_empty() && !calls(node) {
                let number = |o: &Operand| o.width >= 16 && o.shape == Shape::Number;
                let plain = !e.reads_memory && node.operands.iter().any(number);
                let counts = pointers
                    .iter()
                    .any(|w| e.flows[usize::from(w)].0 & pointers.0 != 0);
                let code = |o: &Operand| flow.nodes.holding((o.value & 0xffff) as u64).is_some();
                if plain && !counts && !node.operands.iter().any(code) {
                    return true;
                }
                if !counts {
                    continue;
                }
            }
            open.push(from);
        }
    }
    false
}

/// Whether memory is touched with what some locations hold where control comes to a node, there
/// or in what is called, and whether that is a block.
fn with_it(flow: &Flow<'_, '_>, n: u32, held: Inputs) -> Option<bool> {
    let quiet = flow.book.semantics.layout();
    let quiet = quiet.of_cells(quiet.quiet).and(flow.book.stack());
    let mut found = None;
    let mut seen: FxHashMap<u32, Inputs> = FxHashMap::default();
    let mut open = vec![(n, held)];
    while let Some((n, held)) = open.pop() {
        let old = seen.entry(n).or_insert(Inputs::NONE);
        if held.without(*old).is_empty() {
            continue;
        }
        *old = old.and(held);
        let held = *old;
        let node = flow.node(n);
        let Some(f) = node.facts.as_ref().filter(|_| node.kind == Kind::Code) else {
            let behind = behind_data(&flow.nodes.list, n).filter(|&x| x != n);
            open.extend(behind.map(|x| (x, held)));
            continue;
        };
        if f.pointers.0 & held.0 != 0 {
            let block = within(node).any(|x| x == n);
            found = Some(found.unwrap_or(false) | block);
        }
        let e = &f.effects;
        let goes = |w: &u8| e.flows[usize::from(*w)].0 & held.0 != 0;
        let to = e
            .writes
            .without(quiet)
            .iter()
            .filter(|w| !e.reads_memory && goes(w));
        let to = to.fold(Inputs::NONE, |i, w| i.and(Inputs::one(w)));
        let mut after = held.without(e.writes).and(to);
        if calls(node) {
            open.extend(node.to.map(|x| (x, after)));
            let changed = flow.routines.changed_by(n, node);
            after = changed.map_or(after, |c| after.without(c));
        }
        open.extend(within(node).map(|x| (x, after)));
    }
    found
}
