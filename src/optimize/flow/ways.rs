//! Where control goes in the whole program, by calls, returns and registers, before anything is
//! known of what is live: what is called is told apart by its first node.

use super::build::Nodes;
use super::node::{Kind, Node};
use super::routine::{calls, within};
use super::shape::{Shape, shape};
use crate::program::symbol::Anchor;
use crate::program::{Field, Program};
use rustc_hash::{FxHashMap, FxHashSet};
use scrimp_isa::depend::Inputs;
use scrimp_isa::effects::Way;
use scrimp_isa::state::place;
use std::collections::BTreeSet;

/// Nodes that are looked at for what is called, of each node of the program.
const SHARED: usize = 64;
/// Nodes that are looked at before one that goes by a register.
const NEAR: usize = 200;
/// In the place of a first node, where nothing is called.
pub const OUTSIDE: u32 = u32::MAX;

/// Where control goes.
pub struct Ways {
    called: FxHashMap<u32, Called>,
    /// Where control may go whose goal is not known.
    anywhere: Vec<u32>,
    /// Of nodes that go by a register: those that load it with where that is, and that.
    goals: FxHashMap<u32, Vec<(u32, u32)>>,
}

/// Something that is called.
#[derive(Default)]
pub struct Called {
    /// Its nodes.
    nodes: FxHashSet<u32>,
    /// Those at which it returns.
    pub returns: Vec<u32>,
    /// What it calls, by the first nodes.
    calls: Vec<u32>,
    /// Registers that it writes, or what it calls.
    pub writes: Inputs,
    /// And those that it may take back from memory.
    pub taken: Inputs,
}

impl Called {
    /// What stays as it is while it runs, as far as it is not seen to change.
    pub fn over(&self, held: Inputs) -> Inputs {
        held.without(self.writes.without(self.taken))
    }
}

impl Ways {
    /// Of a program; nothing where too much is shared.
    pub fn of(program: &Program<'_>, nodes: &Nodes) -> Option<Self> {
        let code = |n: &u32| nodes.list[*n as usize].kind == Kind::Code;
        let mut named = named(program, nodes);
        let mut goals = goals(nodes, &named);
        for (n, (loads, place)) in handed(program, nodes) {
            named.remove(&place);
            goals.insert(n, loads.map(|l| (l, place)).to_vec());
        }
        let mut ways = Self {
            called: FxHashMap::default(),
            goals,
            anywhere: named.into_iter().filter(code).collect(),
        };
        let entries = nodes.list.iter().filter(|n| calls(n));
        let entries: BTreeSet<u32> = entries.filter_map(|n| n.to).collect();
        let mut left = nodes.list.len() * SHARED + SHARED;
        for &entry in &entries {
            let own = ways.look(nodes, entry, &mut left)?;
            ways.called.insert(entry, own);
        }
        // What is called writes for those that call.
        let mut more = true;
        while more {
            more = false;
            for entry in &entries {
                let all = ways.called[entry].calls.iter();
                let all = all.map(|c| (ways.called[c].writes, ways.called[c].taken));
                let none = (Inputs::NONE, Inputs::NONE);
                let all = all.fold(none, |a, b| (a.0.and(b.0), a.1.and(b.1)));
                let own = ways.called.entry(*entry).or_default();
                let now = (own.writes.and(all.0), own.taken.and(all.1));
                more |= now != (own.writes, own.taken);
                (own.writes, own.taken) = now;
            }
        }
        Some(ways)
    }

    /// What is known of what is called there.
    pub fn called(&self, entry: u32) -> Option<&Called> {
        self.called.get(&entry)
    }

    /// All nodes: of each thing that is called, and outside of all of them.
    pub fn starts(&self, nodes: &Nodes) -> Vec<(u32, u32)> {
        let mut outside = vec![true; nodes.list.len()];
        for &n in self.called.values().flat_map(|c| &c.nodes) {
            outside[n as usize] = false;
        }
        let outside = (0..).zip(outside).filter(|o| o.1);
        let mut all: Vec<_> = outside.map(|o| (OUTSIDE, o.0)).collect();
        let own = self.called.iter();
        all.extend(own.flat_map(|(&e, c)| c.nodes.iter().map(move |&n| (e, n))));
        all.sort_unstable_by_key(|a| std::cmp::Reverse(*a));
        all
    }

    /// Where control goes from a node that does not say it, within what was called.
    pub fn led(&self, own: u32, n: u32, node: &Node) -> Vec<u32> {
        let nodes = self.called.get(&own).map(|c| &c.nodes);
        self.leads(nodes, n, node)
    }

    fn leads(&self, own: Option<&FxHashSet<u32>>, n: u32, node: &Node) -> Vec<u32> {
        match self.goals.get(&n) {
            None if !leads_anywhere(node) => Vec::new(),
            None => self.anywhere.clone(),
            Some(goals) => {
                let loaded = |g: &&(u32, u32)| own.is_none_or(|o| o.contains(&g.0));
                goals.iter().filter(loaded).map(|g| g.1).collect()
            }
        }
    }

    /// Looks through what is called.
    fn look(&self, nodes: &Nodes, entry: u32, left: &mut usize) -> Option<Called> {
        let mut own = Called::default();
        let mut open = vec![entry];
        let mut leading = Vec::new();
        loop {
            while let Some(n) = open.pop() {
                let node = &nodes.list[n as usize];
                if !own.nodes.insert(n) {
                    continue;
                }
                *left = left.checked_sub(1)?;
                if let Some(f) = &node.facts {
                    own.writes = own.writes.and(f.effects.writes);
                    if f.effects.reads_memory {
                        own.taken = own.taken.and(f.effects.writes);
                    }
                }
                own.returns
                    .extend((node.ways.way == Some(Way::Return)).then_some(n));
                own.calls.extend(node.to.filter(|_| calls(node)));
                open.extend(within(node));
                let leads = leads_anywhere(node) || self.goals.contains_key(&n);
                leading.extend(leads.then_some(n));
            }
            // What loads such a goal may be seen after what goes there.
            for &n in &leading {
                let all = self.leads(Some(&own.nodes), n, &nodes.list[n as usize]);
                open.extend(all.into_iter().filter(|to| !own.nodes.contains(to)));
            }
            if open.is_empty() {
                return Some(own);
            }
        }
    }
}

/// Of each node that goes by registers where that is, if on all ways to it one of them was loaded
/// with the half of a named address, and nothing else was done with it.
fn goals(nodes: &Nodes, named: &BTreeSet<u32>) -> FxHashMap<u32, Vec<(u32, u32)>> {
    let mut before: FxHashMap<u32, Vec<u32>> = FxHashMap::default();
    let code = || (0u32..).zip(&nodes.list).filter(|n| n.1.kind == Kind::Code);
    for (n, node) in code() {
        let called = node.to.filter(|_| calls(node));
        let all = within(node).chain(called);
        all.for_each(|to| before.entry(to).or_default().push(n));
    }
    // What only jumps of the program name has no other way to it than those.
    let gone = code().flat_map(|n| n.1.operands.iter().flat_map(|o| o.shape.places()));
    for n in gone.filter_map(|a| nodes.of(a)) {
        before.entry(n).or_default();
    }
    let leading = code().filter(|n| leads_anywhere(n.1));
    let found = leading.filter_map(|(n, node)| {
        let reads = node.facts.as_ref()?.effects.reads();
        let mut own = reads.iter().take_while(|&l| l < place::OTHERS);
        let goals = own.find_map(|l| loaded(nodes, (n, l), &before, named))?;
        Some((n, goals.into_iter().collect()))
    });
    found.collect()
}

/// The nodes that load a register with half of an address which it has at a node, and what that
/// is of; nothing where it may hold something else.
fn loaded(
    nodes: &Nodes,
    (n, register): (u32, u8),
    before: &FxHashMap<u32, Vec<u32>>,
    named: &BTreeSet<u32>,
) -> Option<BTreeSet<(u32, u32)>> {
    let mut goals = BTreeSet::new();
    let mut seen = FxHashSet::default();
    let mut open = vec![n];
    while let Some(n) = open.pop() {
        if !seen.insert(n) {
            continue;
        }
        if named.contains(&n) || seen.len() > NEAR {
            return None;
        }
        for &b in before.get(&n)? {
            let node = &nodes.list[b as usize];
            let e = &node.facts.as_ref()?.effects;
            if !e.writes.has(register) {
                // What is called may change it.
                if calls(node) && node.to != Some(n) {
                    return None;
                }
                open.push(b);
                continue;
            }
            let flows = e.flows[usize::from(register)].0 & ((1 << place::OTHERS) - 1);
            let plain = flows == 0 && !e.reads_memory;
            let mut halves = node.operands.iter().filter_map(|o| match o.shape {
                Shape::Half(a, 0, _) => Some(a),
                Shape::Byte(a, s, _) if s.is_plain() => Some(a),
                _ => None,
            });
            goals.insert((b, nodes.of(halves.next().filter(|_| plain)?)?));
        }
    }
    Some(goals)
}

/// Jumps out of the program that hand over the address of what stands right behind them, which
/// nobody else names, with the nodes that load its halves: they come back there, as calls do.
fn handed(program: &Program<'_>, nodes: &Nodes) -> Vec<(u32, ([u32; 2], u32))> {
    let half = |n: u32| {
        let node = nodes.list.get(n as usize)?;
        let e = &node
            .facts
            .as_ref()
            .filter(|_| node.kind == Kind::Code)?
            .effects;
        let plain = node.ways.way.is_none() && !e.reads_memory && !e.writes_memory && !e.output;
        let mut places = node.operands.iter().flat_map(|o| o.shape.places());
        places.next().filter(|_| plain).and_then(|a| nodes.of(a))
    };
    let mut names: FxHashMap<u32, usize> = FxHashMap::default();
    for a in places(program, nodes) {
        *names.entry(nodes.of(a).unwrap_or(OUTSIDE)).or_default() += 1;
    }
    let all = (2u32..).zip(nodes.list.iter().skip(2));
    let found = all.filter_map(|(n, node)| {
        let out = node.ways.way == Some(Way::Jump) && node.ways.to.is_some() && node.to.is_none();
        let (loads, behind) = ([n - 2, n - 1], n + 1);
        let next = nodes.list.get(behind as usize)?;
        let place = half(n - 2).filter(|&p| half(n - 1) == Some(p))?;
        let code = next.kind == Kind::Code && next.at.chunk == node.at.chunk;
        let own = out && !node.ways.falls_through && code && place == behind;
        (own && names.get(&place) == Some(&loads.len())).then_some((n, (loads, place)))
    });
    found.collect()
}

/// Whether a node goes where it does not say.
fn leads_anywhere(node: &Node) -> bool {
    node.ways.to.is_none() && matches!(node.ways.way, Some(Way::Jump | Way::Call))
}

/// The nodes of which somebody has the address otherwise than to go there.
fn named(program: &Program<'_>, nodes: &Nodes) -> BTreeSet<u32> {
    let all = places(program, nodes).into_iter();
    all.filter_map(|a| nodes.of(a)).collect()
}

/// Their places, as often as they are named.
fn places(program: &Program<'_>, nodes: &Nodes) -> Vec<Anchor> {
    let mut places: Vec<Anchor> = Vec::new();
    for node in &nodes.list {
        let leads = node.ways.to.is_some() && matches!(node.ways.way, Some(Way::Jump | Way::Call));
        let own = node.operands.iter().filter(|_| !leads);
        places.extend(own.flat_map(|o| o.shape.places()));
    }
    let data = program.values.iter();
    let data = data.filter(|v| matches!(v.field, Field::Data(_)));
    places.extend(data.flat_map(|v| shape(program, v.value).places()));
    places
}
