//! What may become an address: registers behind each node with which memory is touched later,
//! or to which control goes, whatever is computed with them before.

use super::passed::{Passes, linear, used};
use super::stacked;
use crate::optimize::flow::{Flow, Kind, Node, behind_data, calls, within};
use rustc_hash::{FxHashMap, FxHashSet};
use scrimp_isa::depend::Inputs;
use scrimp_isa::effects::Way;
use scrimp_isa::state::place;

/// What becomes one.
#[derive(Debug, Default)]
pub struct Wants {
    /// Locations behind each node.
    pub after: Vec<Inputs>,
    /// Addresses of data memory.
    pub memory: FxHashSet<u32>,
}

/// Finds it.
pub fn find(flow: &Flow<'_, '_>) -> Wants {
    let nodes = &flow.nodes.list;
    let behind = behind(flow);
    let registers = Inputs((1 << place::OTHERS) - 1).without(flow.book.stack());
    let mut before = vec![Inputs::NONE; nodes.len()];
    let mut wants = Wants {
        after: vec![Inputs::NONE; nodes.len()],
        ..Wants::default()
    };
    let mut passes = Passes::of(flow);
    let stacked = stacked::find(flow);
    let cells = flow.book.semantics.layout().locations().into_iter();
    let cells = cells.filter(|l| l.bit.is_none() && registers.has(l.number));
    let cells = cells.fold(Inputs::NONE, |all, l| all.and(Inputs::one(l.number)));
    // Nodes that put on the stack what becomes one.
    let mut put = vec![false; nodes.len()];
    loop {
        let mut changed = passes.settle(&before, &wants.memory);
        for (n, node) in nodes.iter().enumerate().rev() {
            if node.kind != Kind::Code {
                continue;
            }
            let at = |x: u32| behind_data(nodes, x).map_or(Inputs::NONE, |x| before[x as usize]);
            let mut after = match node.ways.way {
                Some(Way::Return) => {
                    let own = flow.routines.of[n].iter();
                    let entries = own.map(|&r| flow.routines.list[r as usize].entry);
                    let back = entries.filter_map(|e| behind.get(&e)).flatten();
                    back.fold(Inputs::NONE, |all, &x| all.and(at(x)))
                }
                Some(Way::Call) => {
                    let behind = node.next.map_or(Inputs::NONE, at);
                    let own = passes.own(node, &before);
                    passes.before((n as u32, node), behind).and(own)
                }
                _ => Inputs::NONE,
            };
            if !calls(node) {
                after = within(node).fold(after, |all, x| all.and(at(x)));
            }
            if let Some(from) = stacked.get(&(n as u32))
                && taken(node, Inputs(after.0 & cells.0))
            {
                for &p in from {
                    changed |= !std::mem::replace(&mut put[p as usize], true);
                }
            }
            let mut own = wanted(node, after, &mut wants.memory, &mut changed);
            if put[n] {
                let reads = node.facts.as_ref().map(|f| f.effects.reads().0 & cells.0);
                own = own.and(Inputs(reads.unwrap_or(0)));
            }
            let own = Inputs(own.0 & registers.0);
            changed |= own != before[n] || after != wants.after[n];
            (before[n], wants.after[n]) = (own, after);
        }
        if !changed {
            return wants;
        }
    }
}

/// Whether a node takes what is wanted behind it from memory.
fn taken(node: &Node, after: Inputs) -> bool {
    let Some(f) = &node.facts else { return false };
    let mut own = f.effects.writes.iter().filter(|&w| after.has(w));
    own.any(|w| f.effects.flows[usize::from(w)].has(place::MEMORY))
}

/// Nodes behind the calls of each routine, by its first node.
fn behind(flow: &Flow<'_, '_>) -> FxHashMap<u32, Vec<u32>> {
    let mut out: FxHashMap<u32, Vec<u32>> = FxHashMap::default();
    for node in flow
        .nodes
        .list
        .iter()
        .filter(|n| n.kind == Kind::Code && calls(n))
    {
        if let (Some(to), Some(next)) = (node.to, node.next) {
            out.entry(to).or_default().push(next);
        }
    }
    out
}

/// What is wanted before a node of what is behind it.
fn wanted(node: &Node, after: Inputs, memory: &mut FxHashSet<u32>, changed: &mut bool) -> Inputs {
    let Some(f) = node.facts.as_ref().filter(|_| !calls(node)) else {
        return after;
    };
    let e = &f.effects;
    for w in e.writes.iter().filter(|&w| after.has(w)) {
        if e.flows[usize::from(w)].has(place::MEMORY) && f.pointers.is_empty() {
            for &a in &f.reads {
                *changed |= memory.insert(a);
            }
        }
    }
    linear(node, after).and(used(node, memory))
}
