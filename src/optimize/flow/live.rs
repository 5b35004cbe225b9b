//! Which registers and flags matter behind each instruction, through calls and returns.
//!
//! A call needs what its routine may use, and what is live behind it that the routine does
//! not change. What is live at the end of a routine is what is live behind its calls.
//! Where control goes to an unknown place everything is live.

use super::build::Nodes;
use super::home::Home;
use super::node::{Kind, Node, behind_data};
use super::routine::{ALL, Routine, Routines, calls, needs};
use super::turns::Turns;
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
    let readers = Readers::of(nodes, &returns);
    let count = nodes.list.len();
    let mut live = Live {
        before: vec![Inputs::NONE; count],
        after: vec![Inputs::NONE; count],
    };
    // Once from the end on, then those that read what is new.
    let mut waits = vec![true; count];
    let mut open: Vec<u32> = (0..count as u32).collect();
    while let Some(n) = open.pop() {
        waits[n as usize] = false;
        let (before, after) = of_node(nodes, routines, (n, &returns), kept, &live);
        live.after[n as usize] = after;
        if std::mem::replace(&mut live.before[n as usize], before) == before {
            continue;
        }
        for &reader in readers.of_node(n) {
            if !std::mem::replace(&mut waits[reader as usize], true) {
                open.push(reader);
            }
        }
    }
    live
}

/// What is live before and behind a node, of what is known of others.
fn of_node(
    nodes: &Nodes,
    routines: &Routines,
    (n, returns): (u32, &[Option<Back>]),
    kept: Inputs,
    live: &Live,
) -> (Inputs, Inputs) {
    let node = &nodes.list[n as usize];
    if node.kind != Kind::Code {
        return (ALL, ALL);
    }
    let at = |x: u32| live.before[x as usize];
    let back = match &returns[n as usize] {
        None => ALL,
        Some(b) => b.nodes.iter().fold(b.others, |all, &x| all.and(at(x))),
    };
    let after = after((n, node), routines, back, &at);
    (before(node, after).and(kept), after)
}

/// Of each node those that read what is live before it, one behind the other.
struct Readers {
    starts: Vec<u32>,
    all: Vec<u32>,
}

impl Readers {
    fn of(nodes: &Nodes, returns: &[Option<Back>]) -> Self {
        let each = |mut told: Box<dyn FnMut(u32, u32) + '_>| {
            for (n, node) in (0..).zip(&nodes.list) {
                let back = returns[n as usize].iter().flat_map(|b| &b.nodes).copied();
                let own = node.next.into_iter().chain(node.to);
                own.chain(back).for_each(|x| told(x, n));
            }
        };
        let mut starts = vec![0; nodes.list.len() + 1];
        each(Box::new(|x, _| starts[x as usize] += 1));
        let mut sum = 0;
        for start in &mut starts {
            sum += *start;
            *start = sum;
        }
        let mut all = vec![0; sum as usize];
        each(Box::new(|x, n| {
            starts[x as usize] -= 1;
            all[starts[x as usize] as usize] = n;
        }));
        Self { starts, all }
    }

    fn of_node(&self, n: u32) -> &[u32] {
        let [from, to] = [n, n + 1].map(|i| self.starts[i as usize] as usize);
        &self.all[from..to]
    }
}

fn before(node: &Node, after: Inputs) -> Inputs {
    match &node.facts {
        Some(f) if !node.other => f.effects.live_before(after),
        _ => ALL,
    }
}

/// What is live behind a node, when `back` is behind a return and `at` before each node.
fn after(
    (n, node): (u32, &Node),
    routines: &Routines,
    back: Inputs,
    at: &dyn Fn(u32) -> Inputs,
) -> Inputs {
    let next = || node.next.map_or(ALL, at);
    let to = || node.to.map_or(ALL, at);
    let mut all = match node.ways.way {
        None => return next(),
        Some(Way::Jump | Way::Skip) => to(),
        Some(Way::Return) => back,
        Some(Way::Call) => {
            // Its own bytes may hold data behind it.
            let behind = next();
            let known = match routines.called(node) {
                Some(r) if !routines.vague => r.needs(behind),
                Some(_) => None,
                None => routines.outside.get(&n).and_then(|t| needs(t, behind)),
            };
            known.unwrap_or(ALL)
        }
    };
    if node.ways.falls_through {
        all = all.and(next());
    }
    all
}

/// What each routine needs before it, whatever of what it changes is live behind it.
fn uses(nodes: &Nodes, routines: &mut Routines, kept: Inputs) {
    let mut turns = Turns::of(routines);
    let mut live = vec![None; nodes.list.len()];
    while let Some(r) = turns.take() {
        let own = (&routines.list[r as usize], kept);
        let uses = uses_of(nodes, routines, own, &mut live);
        if uses == routines.list[r as usize].uses {
            continue;
        }
        routines.list[r as usize].uses = uses;
        turns.changed(r);
    }
}

/// What a routine needs before it. Of all nodes nothing is live before, nor afterwards.
fn uses_of(
    nodes: &Nodes,
    routines: &Routines,
    (r, kept): (&Routine, Inputs),
    live: &mut [Option<Inputs>],
) -> Inputs {
    if !r.keeps_stack {
        return ALL;
    }
    for &n in &r.nodes {
        live[n as usize] = Some(Inputs::NONE);
    }
    loop {
        let mut changed = false;
        for &n in r.nodes.iter().rev() {
            let node = &nodes.list[n as usize];
            let at = |x: u32| live[x as usize].unwrap_or(ALL);
            let after = after((n, node), routines, r.writes, &at);
            let before = Some(before(node, after).and(kept));
            changed |= before != live[n as usize];
            live[n as usize] = before;
        }
        if !changed {
            break;
        }
    }
    let all = live[r.entry as usize].unwrap_or(ALL);
    for &n in &r.nodes {
        live[n as usize] = None;
    }
    all
}

/// Where a return leads.
#[derive(Clone, Debug)]
pub struct Back {
    /// What others than the program's own callers may read there.
    pub others: Inputs,
    /// The nodes behind calls.
    pub nodes: Vec<u32>,
}

impl Default for Back {
    fn default() -> Self {
        Self {
            others: Inputs::NONE,
            nodes: Vec::new(),
        }
    }
}

/// What callers from outside read behind a routine: of what it changes only what its
/// contract gives out. Nothing where that is not known.
fn outside(r: &Routine) -> Option<Back> {
    if !r.keeps_stack {
        return None;
    }
    if !r.open {
        return Some(Back::default());
    }
    let out = r.terms.as_ref()?.out?;
    Some(Back {
        others: ALL.without(r.writes).and(out),
        nodes: Vec::new(),
    })
}

/// Of each node that returns, the nodes behind the calls that it may return to; nothing
/// where that is not known.
pub fn returns(nodes: &Nodes, routines: &Routines) -> Vec<Option<Back>> {
    let count = nodes.list.len();
    if routines.vague {
        return vec![None; count];
    }
    let behind = routines.list.iter().map(outside).collect();
    lead(nodes, routines, (behind, false))
}

/// The same for routines that come `home`, and for those that others may call: what they leave
/// to these is told, and nothing more is known of them.
pub fn ways_home(nodes: &Nodes, routines: &Routines, home: &[Home]) -> Vec<Option<Back>> {
    let own = routines.list.iter().zip(home).map(|(r, &home)| {
        let others = if r.open { ALL } else { Inputs::NONE };
        let back = Back {
            others,
            nodes: Vec::new(),
        };
        (home != Home::Unknown).then_some(back)
    });
    match routines.vague {
        true => vec![None; nodes.list.len()],
        false => lead(nodes, routines, (own.collect(), true)),
    }
}

/// Where returns lead, of what is known of each routine beside the program's own calls of it;
/// behind data that stand behind a call, or nobody knows where.
fn lead(
    nodes: &Nodes,
    routines: &Routines,
    (mut behind, over): (Vec<Option<Back>>, bool),
) -> Vec<Option<Back>> {
    let count = nodes.list.len();
    for node in nodes
        .list
        .iter()
        .filter(|n| n.kind == Kind::Code && calls(n))
    {
        let Some(r) = node.to.and_then(|to| routines.by_entry.get(&to)) else {
            continue;
        };
        let next = match over {
            true => node.next.and_then(|x| behind_data(&nodes.list, x)),
            false => node.next,
        };
        let next = next.filter(|&x| nodes.list[x as usize].kind == Kind::Code);
        match (next, &mut behind[*r as usize]) {
            (Some(x), Some(back)) => back.nodes.push(x),
            (None, slot) => *slot = None,
            _ => {}
        }
    }
    let mut out = Vec::with_capacity(count);
    for (n, node) in nodes.list.iter().enumerate() {
        if node.kind != Kind::Code || node.ways.way != Some(Way::Return) {
            out.push(Some(Back::default()));
            continue;
        }
        let of = &routines.of[n];
        let all: Option<Vec<&Back>> = of.iter().map(|&r| behind[r as usize].as_ref()).collect();
        out.push(match all {
            Some(all) if !of.is_empty() => {
                let mut back = Back::default();
                for b in all {
                    back.others = back.others.and(b.others);
                    back.nodes.extend(&b.nodes);
                }
                back.nodes.sort_unstable();
                back.nodes.dedup();
                Some(back)
            }
            _ => None,
        });
    }
    out
}
