//! Routines: what is called or entered from outside, how high its stack is, and what it may
//! change.

use super::build::{Nodes, goal};
use super::facts::{Book, Facts};
use super::kept::{Does, KeptPointers};
pub use super::node::{calls, within};

use super::node::{Kind, Node, Reason};
use super::promised::Promised;
use crate::optimize::contract::Terms;
use rustc_hash::FxHashMap;
use scrimp_isa::depend::Inputs;
use scrimp_isa::effects::Way;

/// Nodes of all routines together, at most so many times those of the program.
const MOST_SHARED: usize = 40;
/// All locations.
pub const ALL: Inputs = Inputs((1 << scrimp_isa::state::place::COUNT) - 1);

/// What can be called, or entered from outside.
#[derive(Clone, Debug)]
pub struct Routine {
    /// Its first node.
    pub entry: u32,
    /// All nodes that it comes to without its calls, in order.
    pub nodes: Vec<u32>,
    /// Its calls: the node, and the routine where it is known.
    pub calls: Vec<(u32, Option<u32>)>,
    /// It returns to where it was called from and looks at nothing on the stack that is not
    /// its own.
    pub keeps_stack: bool,
    /// So do all that it calls.
    pub keeps_all: bool,
    /// It may be entered from where nobody knows.
    pub open: bool,
    /// Locations that it, or what it calls, may change.
    pub writes: Inputs,
    /// Locations whose values before it may matter, whatever is live behind it.
    pub uses: Inputs,
    /// Bytes on the stack before each of its nodes, beside those of its caller.
    heights: Vec<i32>,
    /// What a contract says of it.
    pub terms: Option<Terms>,
}

impl Routine {
    /// Bytes on the stack before one of its nodes, beside those of its caller.
    pub fn height(&self, n: u32) -> Option<i32> {
        let at = self.nodes.binary_search(&n).ok()?;
        self.heights.get(at).copied()
    }

    /// What is live before a call of it, of what is live behind; nothing where that is not
    /// known.
    pub fn needs(&self, behind: Inputs) -> Option<Inputs> {
        let known = self
            .keeps_stack
            .then(|| behind.without(self.writes).and(self.uses));
        let said = self.terms.as_ref().and_then(|t| needs(t, behind));
        match (known, said) {
            (Some(a), Some(b)) => Some(Inputs(a.0 & b.0)),
            (a, b) => a.or(b),
        }
    }
}

/// What is live before a call of what has a contract; nothing if it does not say that.
pub fn needs(terms: &Terms, behind: Inputs) -> Option<Inputs> {
    let sets = terms.out.unwrap_or(Inputs::NONE);
    terms.reads.map(|reads| behind.without(sets).and(reads))
}

/// The routines of a program.
#[derive(Debug, Default)]
pub struct Routines {
    /// All.
    pub list: Vec<Routine>,
    /// By first node.
    pub by_entry: FxHashMap<u32, u32>,
    /// Of each node the routines that it is in.
    pub of: Vec<Vec<u32>>,
    /// There are too many shared nodes to tell routines apart: nothing is known.
    pub vague: bool,
    /// Calls of what is outside and has a contract.
    pub outside: FxHashMap<u32, Terms>,
}

impl Routines {
    /// The routine that a call goes to.
    pub fn called(&self, node: &Node) -> Option<&Routine> {
        let r = self.by_entry.get(&node.to?)?;
        self.list.get(*r as usize)
    }

    /// What a call may change; nothing where that is not known.
    pub fn changed_by(&self, n: u32, node: &Node) -> Option<Inputs> {
        match self.called(node) {
            Some(r) if r.keeps_stack => Some(r.writes),
            Some(_) => None,
            None => self.outside.get(&n)?.changes(),
        }
    }
}

/// Of each routine the nodes that call it.
pub fn called_by(routines: &Routines) -> Vec<Vec<u32>> {
    let mut all = vec![Vec::new(); routines.list.len()];
    for &(n, to) in routines.list.iter().flat_map(|r| &r.calls) {
        if let Some(to) = to {
            all[to as usize].push(n);
        }
    }
    for own in &mut all {
        own.sort_unstable();
        own.dedup();
    }
    all
}

/// Finds the routines.
pub fn find(
    nodes: &Nodes,
    book: &Book<'_>,
    (promised, pointers): (&Promised, &KeptPointers),
) -> Routines {
    let mut all = Routines {
        of: vec![Vec::new(); nodes.list.len()],
        ..Routines::default()
    };
    // Where a call takes the place of the return address before it, who returns where is another
    // matter than whose stack is whose.
    if !book.semantics.layout().link.is_empty() {
        return Routines { vague: true, ..all };
    }
    let mut entries: Vec<u32> = Vec::new();
    for (n, node) in (0..).zip(&nodes.list) {
        if node.kind != Kind::Code {
            continue;
        }
        if node.entry {
            entries.push(n);
        }
        if calls(node) {
            entries.extend(node.to);
            let out = goal(book, &node.ways).filter(|_| node.to.is_none());
            let said = out.and_then(|g| promised.outside.get(&g));
            all.outside.extend(said.map(|t| (n, t.clone())));
        }
        if promised.nodes.contains_key(&n) {
            entries.push(n);
        }
    }
    entries.sort_unstable();
    entries.dedup();
    let mut budget = nodes.list.len() * MOST_SHARED + 1000;
    let mut seen = vec![false; nodes.list.len()];
    for entry in entries {
        let Some(reached) = reach(nodes, entry, (&mut seen, &mut budget)) else {
            return Routines { vague: true, ..all };
        };
        let number = all.list.len() as u32;
        for &n in &reached {
            all.of[n as usize].push(number);
        }
        all.by_entry.insert(entry, number);
        all.list.push(Routine {
            entry,
            nodes: reached,
            calls: Vec::new(),
            keeps_stack: true,
            keeps_all: true,
            open: nodes.list[entry as usize].entry,
            writes: Inputs::NONE,
            uses: Inputs::NONE,
            heights: Vec::new(),
            terms: promised.nodes.get(&entry).cloned(),
        });
    }
    let mut known = vec![None; nodes.list.len()];
    for r in 0..all.list.len() {
        let (heights, keeps) = heights(nodes, (book, pointers), &all.list[r], &mut known);
        let calls = all.list[r].nodes.iter().filter_map(|&n| {
            let node = &nodes.list[n as usize];
            let known = || node.to.and_then(|to| all.by_entry.get(&to).copied());
            calls(node).then(|| (n, known()))
        });
        let calls: Vec<_> = calls.collect();
        let r = &mut all.list[r];
        let said = r.terms.as_ref().is_some_and(|t| t.returns);
        (r.heights, r.keeps_stack, r.calls) = (heights, keeps || said, calls);
    }
    close(nodes, &mut all);
    all
}

/// The nodes that a routine comes to, in order; nothing where that are too many. None of all
/// nodes is seen before, nor afterwards.
fn reach(nodes: &Nodes, entry: u32, (seen, budget): (&mut [bool], &mut usize)) -> Option<Vec<u32>> {
    let mut all: Vec<u32> = Vec::new();
    let mut open = vec![entry];
    while let Some(n) = open.pop() {
        let node = &nodes.list[n as usize];
        if node.kind != Kind::Code || seen[n as usize] {
            continue;
        }
        seen[n as usize] = true;
        all.push(n);
        *budget = budget.checked_sub(1)?;
        open.extend(within(node));
    }
    for &n in &all {
        seen[n as usize] = false;
    }
    all.sort_unstable();
    Some(all)
}

/// Where the stack pointer is while a routine keeps it in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kept {
    /// At its stack, and nowhere else.
    No,
    /// At its stack; at an address is what it was at a height.
    Too(i64, i32),
    /// Anywhere, and there.
    Only(i64, i32),
}

/// The height of the stack before each node of a routine, and whether it keeps to its own part.
/// Of all nodes nothing is known before, nor afterwards.
fn heights(
    nodes: &Nodes,
    (book, pointers): (&Book<'_>, &KeptPointers),
    r: &Routine,
    known: &mut [Option<(i32, Kept)>],
) -> (Vec<i32>, bool) {
    let stack = book.stack();
    let mut keeps = true;
    let mut open = vec![(r.entry, (0, Kept::No))];
    while let Some((n, before)) = open.pop() {
        let node = &nodes.list[n as usize];
        let (height, kept) = before;
        if node.kind != Kind::Code {
            keeps = false;
            continue;
        }
        if let Some(old) = known[n as usize].replace(before) {
            keeps &= old == before;
            continue;
        }
        let Some(facts) = &node.facts else {
            continue;
        };
        let e = &facts.effects;
        let on_stack = |i: Inputs| i.0 & stack.0 != 0;
        match node.ways.way {
            Some(Way::Return) => {
                keeps &= height == 0 && kept == Kept::No;
                open.extend(within(node).map(|x| (x, before)));
                continue;
            }
            Some(Way::Call) => {
                keeps &= kept == Kept::No;
                open.extend(within(node).map(|x| (x, before)));
                continue;
            }
            Some(Way::Jump) if node.ways.to.is_none() => keeps = false,
            Some(Way::Jump) if node.to.is_none() => keeps &= kept == Kept::No,
            _ => {}
        }
        if let Some(after) = moved(pointers.does(n), (facts, stack), before) {
            open.extend(within(node).map(|x| (x, after)));
            continue;
        }
        let mut after = height;
        match facts.lift {
            Some(0) if on_stack(facts.pointers) => keeps &= height >= 2,
            Some(lift) => after -= lift,
            None => keeps = false,
        }
        keeps &= after >= 0;
        // The pointer itself is copied or kept.
        let mut copied = e.writes.iter().filter(|&w| !stack.has(w));
        let value = |w: u8| e.flows[usize::from(w)].without(facts.pointers);
        keeps &= !copied.any(|w| on_stack(value(w)));
        keeps &= !on_stack(e.uses) || on_stack(facts.pointers);
        // What control leaves the program to may do anything.
        let outside = node.ways.way == Some(Way::Jump) && node.to.is_none();
        keeps &= !outside || height == 0;
        open.extend(within(node).map(|x| (x, (after, kept))));
    }
    let own = r.nodes.iter().map(|&n| known[n as usize].take());
    (own.map(|k| k.map_or(0, |k| k.0)).collect(), keeps)
}

/// The height and where the stack pointer is behind an instruction that keeps it in memory,
/// puts it back, or moves it in between; nothing where all that is as without that.
fn moved(
    does: Option<Does>,
    (facts, stack): (&Facts, Inputs),
    before: (i32, Kept),
) -> Option<(i32, Kept)> {
    let (height, kept) = before;
    match (does, kept) {
        (Some(Does::Keeps(a)), Kept::No) => Some((height, Kept::Too(a, height))),
        (Some(Does::PutsBack(a)), Kept::Too(b, h) | Kept::Only(b, h)) if a == b => {
            Some((h, Kept::No))
        }
        (_, Kept::Too(a, h)) if facts.lift.is_none() => Some((height, Kept::Only(a, h))),
        (None, Kept::Only(..)) => {
            let on_stack = |i: Inputs| i.0 & stack.0 != 0;
            let e = &facts.effects;
            let mut others = e.writes.iter().filter(|&w| !stack.has(w));
            let value = |w: u8| e.flows[usize::from(w)].without(facts.pointers);
            let copied = others.any(|w| on_stack(value(w)));
            let read = on_stack(e.uses) && !on_stack(facts.pointers);
            (!copied && !read).then_some(before)
        }
        _ => None,
    }
}

/// What a routine changes, as far as a contract does not say otherwise.
fn said(r: &Routine, writes: Inputs) -> Inputs {
    let changes = r.terms.as_ref().and_then(Terms::changes);
    changes.map_or(writes, |c| Inputs(writes.0 & c.0))
}

/// What routines change with those that they call.
fn close(nodes: &Nodes, all: &mut Routines) {
    for r in 0..all.list.len() {
        let own = all.list[r].nodes.iter().map(|&n| &nodes.list[n as usize]);
        let mut writes = Inputs::NONE;
        let mut keeps = all.list[r].keeps_stack;
        let numbers = all.list[r].nodes.iter().copied();
        for (n, node) in numbers.zip(own) {
            let Some(facts) = &node.facts else {
                continue;
            };
            writes = writes.and(facts.effects.writes);
            let unknown = match node.ways.way {
                Some(Way::Jump | Way::Skip) => node
                    .to
                    .is_none_or(|to| nodes.list[to as usize].kind != Kind::Code),
                Some(Way::Call) => node.to.is_none() && !all.outside.contains_key(&n),
                _ => false,
            };
            let inline = node.inline && !nodes.inlined.contains_key(&n);
            let odd = matches!(node.pin, Some(Reason::Inline | Reason::Overlapped));
            let off = inline || odd;
            let ends = within(node).any(|x| nodes.list[x as usize].kind != Kind::Code);
            if unknown || off || ends || node.other {
                writes = ALL;
            }
            // What is called outside of the program comes back.
            keeps &= !(off || ends);
        }
        let r = &mut all.list[r];
        keeps |= r.terms.as_ref().is_some_and(|t| t.returns);
        (r.writes, r.keeps_stack) = (writes, keeps);
        r.keeps_all = keeps;
        if !keeps {
            r.writes = ALL;
        }
        r.writes = said(r, r.writes);
    }
    // Up and down by turns: in one of them what is called comes before what calls it.
    let count = all.list.len();
    for down in [true, false].into_iter().cycle() {
        let mut changed = false;
        for i in 0..count {
            let r = if down { count - 1 - i } else { i };
            changed |= with_called(all, r);
        }
        if !changed {
            return;
        }
    }
}

/// Takes in what the routines change that a routine calls; whether that is more than before.
fn with_called(all: &mut Routines, r: usize) -> bool {
    let own = &all.list[r];
    let (mut writes, mut keeps) = (own.writes, own.keeps_all);
    for &(n, to) in &own.calls {
        match to {
            Some(to) => {
                let other = &all.list[to as usize];
                writes = writes.and(other.writes);
                keeps &= other.keeps_all;
            }
            None => {
                let said = all.outside.get(&n).and_then(Terms::changes);
                writes = said.map_or(ALL, |c| writes.and(c));
            }
        }
    }
    keeps |= own.terms.as_ref().is_some_and(|t| t.returns);
    writes = said(own, writes);
    let changed = (own.writes, own.keeps_all) != (writes, keeps);
    let own = &mut all.list[r];
    (own.writes, own.keeps_all) = (writes, keeps);
    changed
}
