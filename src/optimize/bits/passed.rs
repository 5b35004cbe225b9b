//! What routines pass on: for each register and flag behind a routine those before it that come
//! to it, and those that the routine itself uses as addresses. A register that is used as an
//! address behind one call of a routine is none behind another because of that.

use crate::optimize::flow::{ALL, Flow, Kind, Node, Routine, Turns, behind_data, calls, within};
use rustc_hash::{FxHashMap, FxHashSet};
use scrimp_isa::depend::Inputs;
use scrimp_isa::effects::Way;
use smallvec::SmallVec;

/// Nodes of all routines together, at most so many times those of the program, where they are
/// told apart.
const MOST_SHARED: usize = 16;

/// What one routine does: first what it uses itself, then what comes to each register.
type Passed = Vec<Inputs>;

/// What all routines do.
pub(super) struct Passes<'a, 'p> {
    flow: &'a Flow<'a, 'p>,
    /// Registers and flags that are told apart, by their locations.
    carried: Vec<u8>,
    /// By number of the routine; nothing where it may return elsewhere.
    list: Vec<Option<Passed>>,
    turns: Turns,
}

impl<'a, 'p> Passes<'a, 'p> {
    /// Those of a program, of which nothing is known yet.
    pub(super) fn of(flow: &'a Flow<'a, 'p>) -> Self {
        let stack = flow.book.stack();
        let all = flow.book.semantics.layout().locations().into_iter();
        let own = all.filter(|l| !stack.has(l.number));
        let carried: Vec<u8> = own.map(|l| l.number).collect();
        let routines = &flow.routines;
        let empty = vec![Inputs::NONE; carried.len() + 1];
        let shared: usize = routines.list.iter().map(|r| r.nodes.len()).sum();
        let apart = !routines.vague && shared <= flow.nodes.list.len() * MOST_SHARED;
        let told = |r: &Routine| (r.keeps_stack && apart).then(|| empty.clone());
        Self {
            flow,
            list: routines.list.iter().map(told).collect(),
            carried,
            turns: Turns::of(routines),
        }
    }

    /// Finds them anew with what is wanted before each node and at addresses of memory;
    /// whether there is more.
    pub(super) fn settle(&mut self, before: &[Inputs], memory: &FxHashSet<u32>) -> bool {
        self.turns.restart();
        let mut changed = false;
        while let Some(r) = self.turns.take() {
            if self.list[r as usize].is_none() {
                continue;
            }
            let found = self.through(&self.flow.routines.list[r as usize], before, memory);
            if self.list[r as usize].as_ref() == Some(&found) {
                continue;
            }
            changed = true;
            self.list[r as usize] = Some(found);
            self.turns.changed(r);
        }
        changed
    }

    fn called(&self, node: &Node) -> Option<&Passed> {
        let r = self.flow.routines.by_entry.get(&node.to?)?;
        self.list.get(*r as usize)?.as_ref()
    }

    /// What a routine that a node calls uses itself.
    pub(super) fn own(&self, node: &Node, before: &[Inputs]) -> Inputs {
        let all = || node.to.map_or(Inputs::NONE, |to| before[to as usize]);
        self.called(node).map_or_else(all, |p| p[0])
    }

    /// What is wanted before a call of what is wanted behind it.
    pub(super) fn before(&self, (n, node): (u32, &Node), behind: Inputs) -> Inputs {
        let changes = self.flow.routines.changed_by(n, node).unwrap_or(ALL);
        let mut out = behind.without(changes);
        if node.ways.falls_through {
            out = out.and(behind);
        }
        let Some(passed) = self.called(node) else {
            return out;
        };
        let taken = behind.without(behind.without(changes));
        let own = taken
            .iter()
            .filter_map(|l| self.carried.iter().position(|&c| c == l));
        own.fold(out, |all, at| all.and(passed[at + 1]))
    }

    /// What a routine does, with what is known of those that it calls.
    fn through(&self, r: &Routine, before: &[Inputs], memory: &FxHashSet<u32>) -> Passed {
        let nodes = &self.flow.nodes.list;
        let count = self.carried.len() + 1;
        let index: FxHashMap<u32, u32> = r.nodes.iter().copied().zip(0..).collect();
        let Some(&entry) = index.get(&r.entry) else {
            return vec![Inputs::NONE; count];
        };
        let at = |x: u32| behind_data(nodes, x).and_then(|x| index.get(&x).copied());
        // What comes behind each node within the routine, or behind its call.
        let behind = |n: u32| -> SmallVec<[u32; 4]> {
            let node = &nodes[n as usize];
            match calls(node) {
                true => node.next.and_then(at).into_iter().collect(),
                false => within(node).filter_map(at).collect(),
            }
        };
        let behind: Vec<_> = r.nodes.iter().map(|&n| behind(n)).collect();
        let mut own = Vec::new();
        let one = |k: usize| {
            own.clear();
            own.resize(r.nodes.len(), Inputs::NONE);
            while self.turn(k, r, &behind, &mut own, (before, memory)) {}
            own[entry as usize]
        };
        (0..count).map(one).collect()
    }

    /// Goes through a routine once, for what it uses itself or for one register behind it;
    /// whether that was of use.
    fn turn(
        &self,
        k: usize,
        r: &Routine,
        behind: &[SmallVec<[u32; 4]>],
        own: &mut [Inputs],
        (before, memory): (&[Inputs], &FxHashSet<u32>),
    ) -> bool {
        let mut changed = false;
        for (i, &n) in r.nodes.iter().enumerate().rev() {
            let node = &self.flow.nodes.list[n as usize];
            if node.kind != Kind::Code {
                continue;
            }
            let returns = node.ways.way == Some(Way::Return);
            let first = match !calls(node) && returns && k > 0 {
                true => Inputs::one(self.carried[k - 1]),
                false => Inputs::NONE,
            };
            let after = behind[i].iter();
            let after = after.fold(first, |all, &to| all.and(own[to as usize]));
            let more = match k {
                0 if calls(node) => self.own(node, before),
                0 => used(node, memory),
                _ => Inputs::NONE,
            };
            let found = match calls(node) {
                true => self.before((n, node), after),
                false => linear(node, after),
            };
            let found = found.and(more);
            changed |= own[i] != found;
            own[i] = found;
        }
        changed
    }
}

/// What before a node comes to what is wanted behind it.
pub(super) fn linear(node: &Node, after: Inputs) -> Inputs {
    let Some(f) = node.facts.as_ref().filter(|_| !calls(node)) else {
        return after;
    };
    let e = &f.effects;
    let own = e.writes.iter().filter(|&w| after.has(w));
    own.fold(after.without(e.writes), |all, w| {
        all.and(e.flows[usize::from(w)])
    })
}

/// What a node itself uses as an address, or keeps where such are.
pub(super) fn used(node: &Node, memory: &FxHashSet<u32>) -> Inputs {
    let Some(f) = node.facts.as_ref().filter(|_| !calls(node)) else {
        return Inputs::NONE;
    };
    let goes = node.ways.way == Some(Way::Jump) && node.ways.to.is_none();
    let kept = f.pointers.is_empty() && f.writes.iter().any(|a| memory.contains(a));
    match goes || kept {
        true => f.pointers.and(f.effects.uses),
        false => f.pointers,
    }
}
