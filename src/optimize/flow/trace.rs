//! What becomes of a number that an instruction loads: whether it is used as an address.

use super::build::Nodes;
use super::live::Live;
use super::node::{Kind, Node};
use super::routine::{calls, within};
use rustc_hash::FxHashMap;
use scrimp_isa::depend::Inputs;
use scrimp_isa::effects::Way;

/// Nodes that are looked at for one number.
const MOST: usize = 4000;

/// How a number is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Use {
    /// Not as an address, as far as the program can be followed.
    Number,
    /// Memory is touched there.
    Address,
    /// Memory is touched at what is computed from it and something else.
    Computed,
}

/// How the value that a node loads is used.
pub fn used(nodes: &Nodes, live: &Live, from: u32, quiet: Inputs) -> Use {
    let node = &nodes.list[from as usize];
    let Some(facts) = &node.facts else {
        return Use::Computed;
    };
    let start = facts.effects.writes.without(quiet);
    let mut seen: FxHashMap<u32, (Inputs, bool)> = FxHashMap::default();
    let mut open: Vec<(u32, Inputs, bool)> = Vec::new();
    open.extend(node.next.map(|n| (n, start, false)));
    let mut found = Use::Number;
    let mut left = MOST;
    while let Some((n, held, computed)) = open.pop() {
        let node = &nodes.list[n as usize];
        // What nobody reads any more is not followed.
        let held = Inputs(held.0 & live.before[n as usize].0);
        if node.kind != Kind::Code || held.is_empty() {
            continue;
        }
        let old = seen.entry(n).or_insert((Inputs::NONE, false));
        if held.without(old.0).is_empty() && (old.1 || !computed) {
            continue;
        }
        *old = (old.0.and(held), old.1 || computed);
        left -= 1;
        if left == 0 {
            return Use::Computed;
        }
        let (used, after, computed) = step(node, held, computed);
        if used {
            found = found.max(match computed {
                true => Use::Computed,
                false => Use::Address,
            });
            if found == Use::Computed {
                return found;
            }
        }
        if gives_back(node, live, n, after) {
            return Use::Computed;
        }
        let on = within(node).filter(|&x| x != n);
        open.extend(on.map(|x| (x, after, computed)));
        open.extend(
            node.to
                .filter(|_| calls(node))
                .map(|x| (x, after, computed)),
        );
    }
    found
}

/// Whether a return leaves something of what is held to its callers.
fn gives_back(node: &Node, live: &Live, n: u32, held: Inputs) -> bool {
    node.ways.way == Some(Way::Return) && held.0 & live.after[n as usize].0 != 0
}

/// Whether a node touches memory by what is held; what is held behind it, and whether that is
/// computed with something else.
fn step(node: &Node, held: Inputs, computed: bool) -> (bool, Inputs, bool) {
    let Some(f) = &node.facts else {
        return (true, Inputs::NONE, true);
    };
    let e = &f.effects;
    let used = f.pointers.0 & held.0 != 0;
    let mut after = held.without(e.writes);
    let mut mixed = computed;
    for w in e.writes.iter() {
        let from = match e.reads_memory {
            true => e.flows[usize::from(w)].without(f.pointers),
            false => e.flows[usize::from(w)],
        };
        if from.0 & held.0 != 0 {
            after = after.and(Inputs::one(w));
            // A pointer that a block instruction moves on is still one.
            mixed |= !f.pointers.has(w) && !from.without(held).is_empty();
        }
    }
    (used, after, mixed)
}

/// How the address of an instruction is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Taken {
    /// Whole: kept, passed on, gone to.
    Whole,
    /// Something is counted or computed with it.
    Counted,
    /// Memory is touched there, or it is not known.
    Touched,
}

/// How the address of an instruction, which a node loads, is used.
pub fn taken(nodes: &Nodes, live: &Live, from: u32, quiet: Inputs) -> Taken {
    let node = &nodes.list[from as usize];
    let Some(facts) = &node.facts else {
        return Taken::Touched;
    };
    if facts.effects.reads_memory || facts.effects.writes_memory {
        return Taken::Touched;
    }
    let start = facts.effects.writes.without(quiet);
    let mut seen: FxHashMap<u32, Inputs> = FxHashMap::default();
    let mut open: Vec<(u32, Inputs)> = node.next.map(|n| (n, start)).into_iter().collect();
    let mut found = Taken::Whole;
    let mut left = MOST;
    while let Some((n, held)) = open.pop() {
        let node = &nodes.list[n as usize];
        let held = Inputs(held.0 & live.before[n as usize].0);
        if node.kind != Kind::Code || held.is_empty() {
            continue;
        }
        let old = seen.entry(n).or_insert(Inputs::NONE);
        if held.without(*old).is_empty() {
            continue;
        }
        *old = old.and(held);
        left -= 1;
        let Some(f) = node.facts.as_ref().filter(|_| left > 0) else {
            return Taken::Touched;
        };
        let e = &f.effects;
        if f.pointers.0 & held.0 != 0 {
            return Taken::Touched;
        }
        let mut after = held.without(e.writes);
        for w in e.writes.without(quiet).iter() {
            let flows = e.flows[usize::from(w)];
            if flows.0 & held.0 == 0 {
                continue;
            }
            after = after.and(Inputs::one(w));
            // A copy comes from one place, and that is another.
            if flows.0.count_ones() != 1 || flows.has(w) {
                found = found.max(Taken::Counted);
            }
        }
        if gives_back(node, live, n, after) {
            return Taken::Touched;
        }
        open.extend(within(node).map(|x| (x, after)));
        open.extend(node.to.filter(|_| calls(node)).map(|x| (x, after)));
    }
    found
}
