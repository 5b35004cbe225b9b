//! What is read of the program only to be put elsewhere: a copy is used as what it is of, so
//! the addresses in it may become others.

use super::build::Nodes;
use super::facts::Facts;
use super::live::Live;
use super::node::Kind;
use scrimp_isa::depend::Inputs;
use scrimp_isa::effects::Way;
use scrimp_isa::state::place;

/// Instructions behind one that reads up to which what was read is put away.
const SOON: usize = 8;

/// Whether nothing is done with what a node reads in memory but to write it there again.
pub fn only(nodes: &Nodes, (live, quiet): (&Live, Inputs), n: u32) -> bool {
    let node = &nodes.list[n as usize];
    let Some(f) = node.facts.as_ref().filter(|_| node.ways.way.is_none()) else {
        // An instruction that is done again is a way to itself.
        return is_moved(nodes, quiet, n);
    };
    let held = read(quiet, f);
    match held.is_empty() {
        true => is_moved(nodes, quiet, n),
        false => !f.effects.writes_memory && is_put_away(nodes, live, (node.next, held)),
    }
}

/// What of what a node changes comes from memory.
fn read(quiet: Inputs, f: &Facts) -> Inputs {
    let e = &f.effects;
    let own = e.writes.without(quiet).iter();
    let own = own.filter(|&w| e.flows[usize::from(w)].has(place::MEMORY));
    own.fold(Inputs::NONE, |all, w| all.and(Inputs::one(w)))
}

/// Whether an instruction itself moves a byte or a block, and does no more with it.
fn is_moved(nodes: &Nodes, quiet: Inputs, n: u32) -> bool {
    let facts = nodes.list[n as usize].facts.as_ref();
    facts.is_some_and(|f| {
        let e = &f.effects;
        e.writes_memory && !e.output && !e.input && read(quiet, f).is_empty()
    })
}

/// Whether what is held is looked at straight behind a node.
fn is_used_soon(nodes: &Nodes, n: u32, mut held: Inputs) -> bool {
    let mut next = Some(n);
    for _ in 0..SOON {
        let Some(node) = next.map(|n| &nodes.list[n as usize]) else {
            return false;
        };
        let Some(f) = node.facts.as_ref().filter(|_| node.kind == Kind::Code) else {
            return true;
        };
        if f.effects.reads().0 & held.0 != 0 {
            return true;
        }
        held = held.without(f.effects.writes);
        if held.is_empty() || node.ways.way.is_some() {
            return false;
        }
        next = node.next;
    }
    false
}

/// Whether what is held is written to memory soon, and nothing else is done with it up to the
/// end of the loop.
fn is_put_away(nodes: &Nodes, live: &Live, (mut next, mut held): (Option<u32>, Inputs)) -> bool {
    let mut put = Inputs::NONE;
    let all = held;
    for _ in 0..SOON {
        let Some(n) = next else { return false };
        let node = &nodes.list[n as usize];
        let Some(f) = node.facts.as_ref().filter(|_| node.kind == Kind::Code) else {
            return false;
        };
        let e = &f.effects;
        let used = e.reads().0 & held.0;
        match node.ways.way {
            None if used == 0 => {}
            None => {
                let changed = e
                    .writes
                    .iter()
                    .any(|w| e.flows[usize::from(w)].0 & held.0 != 0);
                if !e.writes_memory || e.output || changed || f.pointers.0 & held.0 != 0 {
                    return false;
                }
                put = put.and(Inputs(used));
            }
            Some(Way::Jump) if used == 0 && node.ways.falls_through => {
                // One way leads on in the loop; what is read last may lie about behind it.
                let dead = |x: u32| live.before[x as usize].0 & held.0 == 0;
                let both = [node.to, node.next];
                let lies = |x: u32| dead(x) || !is_used_soon(nodes, x, held);
                return put == all
                    && both.into_iter().flatten().any(dead)
                    && both.into_iter().flatten().all(lies);
            }
            Some(_) => return false,
        }
        held = held.without(e.writes);
        held = Inputs(held.0 & live.after[n as usize].0);
        if held.without(put).is_empty() && put == all && held.is_empty() {
            return true;
        }
        if held.without(put) != all.without(put) {
            // It is gone before it was put away.
            return false;
        }
        next = node.next;
    }
    false
}
