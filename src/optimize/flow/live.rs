//! Which registers and flags matter behind each instruction, through calls and returns.
//!
//! A call needs what its routine may use, and what is live behind it that the routine does
//! not change. What is live at the end of a routine is what is live behind its calls.
//! Where control goes to an unknown place everything is live.

use super::build::Nodes;
use super::node::{Kind, Node};
use super::routine::{ALL, Routine, Routines, calls};
use rustc_hash::FxHashMap;
use scrimp_isa::depend::Inputs;
use scrimp_isa::effects::Way;

/// What is live before and behind each node.
#[derive(Debug, Default)]
pub struct Live {
    /// Before it.
    pub before: Vec<Inputs>,
    /// Behind it, wherever control goes.
    pub after: Vec<Inputs>,
}

/// Finds what is live; `kept` always is. Tells the routines what they use.
pub fn find(nodes: &Nodes, routines: &mut Routines, kept: Inputs) -> Live {
    if !routines.vague {
        uses(nodes, routines, kept);
    }
    let returns = returns(nodes, routines);
    let count = nodes.list.len();
    let mut live = Live {
        before: vec![Inputs::NONE; count],
        after: vec![Inputs::NONE; count],
    };
    loop {
        let mut changed = false;
        for n in (0..count).rev() {
            let node = &nodes.list[n];
            if node.kind != Kind::Code {
                live.before[n] = ALL;
                live.after[n] = ALL;
                continue;
            }
            let at = |x: u32| live.before[x as usize];
            let back = match &returns[n] {
                None => ALL,
                Some(list) => list.iter().fold(Inputs::NONE, |all, &x| all.and(at(x))),
            };
            let after = after(node, routines, back, &at);
            let before = before(node, after).and(kept);
            changed |= before != live.before[n] || after != live.after[n];
            live.before[n] = before;
            live.after[n] = after;
        }
        if !changed {
            return live;
        }
    }
}

fn before(node: &Node, after: Inputs) -> Inputs {
    match &node.facts {
        Some(f) => f.effects.live_before(after),
        None => ALL,
    }
}

/// What is live behind a node, when `back` is behind a return and `at` before each node.
fn after(node: &Node, routines: &Routines, back: Inputs, at: &dyn Fn(u32) -> Inputs) -> Inputs {
    let next = || node.next.map_or(ALL, at);
    let to = || node.to.map_or(ALL, at);
    let mut all = match node.ways.way {
        None => return next(),
        Some(Way::Jump | Way::Skip) => to(),
        Some(Way::Return) => back,
        Some(Way::Call) => {
            // Its own bytes may hold data behind it.
            let behind = next();
            match routines.called(node) {
                Some(r) if r.keeps_stack && !routines.vague => behind.without(r.writes).and(r.uses),
                _ => ALL,
            }
        }
    };
    if node.ways.falls_through {
        all = all.and(next());
    }
    all
}

/// What each routine needs before it, whatever of what it changes is live behind it.
fn uses(nodes: &Nodes, routines: &mut Routines, kept: Inputs) {
    let callers = callers(routines);
    let mut open: Vec<u32> = (0..routines.list.len() as u32).rev().collect();
    let mut queued = vec![true; routines.list.len()];
    while let Some(r) = open.pop() {
        queued[r as usize] = false;
        let uses = uses_of(nodes, routines, &routines.list[r as usize], kept);
        if uses == routines.list[r as usize].uses {
            continue;
        }
        routines.list[r as usize].uses = uses;
        for &c in &callers[r as usize] {
            if !std::mem::replace(&mut queued[c as usize], true) {
                open.push(c);
            }
        }
    }
}

/// Of each routine those that call it.
fn callers(routines: &Routines) -> Vec<Vec<u32>> {
    let mut out = vec![Vec::new(); routines.list.len()];
    for (r, routine) in (0..).zip(&routines.list) {
        for to in routine.calls.iter().filter_map(|c| c.1) {
            out[to as usize].push(r);
        }
    }
    for list in &mut out {
        list.sort_unstable();
        list.dedup();
    }
    out
}

fn uses_of(nodes: &Nodes, routines: &Routines, r: &Routine, kept: Inputs) -> Inputs {
    if !r.keeps_stack {
        return ALL;
    }
    let index: FxHashMap<u32, usize> = r.nodes.iter().copied().zip(0..).collect();
    let mut live = vec![Inputs::NONE; r.nodes.len()];
    loop {
        let mut changed = false;
        for (i, &n) in r.nodes.iter().enumerate().rev() {
            let node = &nodes.list[n as usize];
            let at = |x: u32| index.get(&x).map_or(ALL, |&i| live[i]);
            let before = before(node, after(node, routines, r.writes, &at)).and(kept);
            changed |= before != live[i];
            live[i] = before;
        }
        if !changed {
            break;
        }
    }
    index.get(&r.entry).map_or(ALL, |&i| live[i])
}

/// Of each node that returns, the nodes behind the calls that it may return to; nothing
/// where that is not known.
fn returns(nodes: &Nodes, routines: &Routines) -> Vec<Option<Vec<u32>>> {
    let count = nodes.list.len();
    if routines.vague {
        return vec![None; count];
    }
    // Of each routine the nodes behind its calls.
    let mut behind: Vec<Option<Vec<u32>>> = routines
        .list
        .iter()
        .map(|r| (!r.open && r.keeps_stack).then(Vec::new))
        .collect();
    for node in nodes
        .list
        .iter()
        .filter(|n| n.kind == Kind::Code && calls(n))
    {
        let Some(r) = node.to.and_then(|to| routines.by_entry.get(&to)) else {
            continue;
        };
        let next = node
            .next
            .filter(|&x| nodes.list[x as usize].kind == Kind::Code);
        match (next, &mut behind[*r as usize]) {
            (Some(x), Some(list)) => list.push(x),
            (None, slot) => *slot = None,
            _ => {}
        }
    }
    let mut out = Vec::with_capacity(count);
    for (n, node) in nodes.list.iter().enumerate() {
        if node.kind != Kind::Code || node.ways.way != Some(Way::Return) {
            out.push(Some(Vec::new()));
            continue;
        }
        let of = &routines.of[n];
        let lists: Option<Vec<&Vec<u32>>> =
            of.iter().map(|&r| behind[r as usize].as_ref()).collect();
        out.push(match lists {
            Some(lists) if !of.is_empty() => {
                let mut all: Vec<u32> = lists.into_iter().flatten().copied().collect();
                all.sort_unstable();
                all.dedup();
                Some(all)
            }
            _ => None,
        });
    }
    out
}
