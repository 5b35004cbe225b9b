//! Routines that do more with their return address than going there: they read or change it,
//! and may go on farther behind the call than right there.

use super::build::Nodes;
use super::facts::Book;
use super::looks::{self, Looks};
use super::node::{Kind, Node};
use super::routine::{calls, within};
use rustc_hash::{FxHashMap, FxHashSet};
use scrimp_isa::depend::Inputs;
use scrimp_isa::effects::Way;

/// Bytes behind a call that its routine may go over, and the jumps that begin there.
pub const OVER: u64 = 8;
/// Farthest that the stack is followed up or down, in bytes.
const DEEP: i32 = 32;
/// Bytes of the return address, at least.
const RETURN: i32 = 2;
/// Steps through all that is called together, at most so many times the nodes of the program:
/// routines that share their code with all others would take a square of them.
const MOST_STEPS: usize = 100;

/// What a routine does with what lay on the stack before it.
#[derive(Clone, Debug, Default)]
struct Found {
    /// It may go on elsewhere than where it was called from.
    peeks: bool,
    /// It takes more than its own return address.
    deep: bool,
    /// What it calls.
    calls: Vec<u32>,
}

/// First nodes of what is called and may go on elsewhere than right behind its call.
pub fn peeking(nodes: &Nodes, book: &Book<'_>) -> FxHashSet<u32> {
    let (stack, looks) = (book.stack(), looks::find(nodes, book));
    let called = nodes.list.iter().filter(|n| n.ways.way == Some(Way::Call));
    let entries: FxHashSet<u32> = called.filter_map(|n| n.to).collect();
    let mut entries: Vec<u32> = entries.into_iter().collect();
    // What is left out where there are too many must not depend on a table's order.
    entries.sort_unstable();
    let mut budget = nodes.list.len() * MOST_STEPS;
    // What was not looked at to its end may do anything.
    let unseen = || Found {
        peeks: true,
        deep: true,
        calls: Vec::new(),
    };
    let found: FxHashMap<u32, Found> = entries
        .into_iter()
        .map(|e| {
            (
                e,
                look(nodes, (stack, &looks), e, &mut budget).unwrap_or_else(unseen),
            )
        })
        .collect();
    // What takes from its caller's part may change where that returns to.
    let deep = |c: &u32| found.get(c).is_some_and(|f| f.deep);
    let peeks = found
        .iter()
        .filter(|(_, f)| f.peeks || f.calls.iter().any(deep));
    peeks.map(|(&e, _)| e).collect()
}

/// Code before which something was taken from the stack, and behind which that is taken back:
/// the stack pointer goes down again and nothing is put there, or it is looked at where it lies.
/// What is called there, or interrupts, would have taken its place.
pub fn taken_back(nodes: &Nodes, book: &Book<'_>) -> FxHashSet<u32> {
    let stack = book.stack();
    let lowers = |n: &Node| {
        let facts = n.facts.as_ref().filter(|_| n.ways.way.is_none());
        facts.is_some_and(|f| {
            let moves = f.effects.writes.0 & stack.0 != 0;
            moves && !f.effects.writes_memory && f.lift.is_some_and(|l| l < 0)
        })
    };
    let all = || (0u32..).zip(&nodes.list);
    let open: Vec<u32> = all().filter(|n| lowers(n.1)).map(|n| n.0).collect();
    let looks = looks::find(nodes, book).below;
    let mut found = FxHashSet::default();
    if open.is_empty() && looks.is_empty() {
        return found;
    }
    let mut before: FxHashMap<u32, Vec<u32>> = FxHashMap::default();
    for (n, node) in all().filter(|n| n.1.kind == Kind::Code && !calls(n.1)) {
        for to in within(node) {
            before.entry(to).or_default().push(n);
        }
    }
    let back = |mut open: Vec<u32>, found: &mut FxHashSet<u32>| {
        while let Some(n) = open.pop() {
            if found.insert(n) {
                open.extend(before.get(&n).into_iter().flatten());
            }
        }
    };
    back(open, &mut found);
    // Room that a routine makes for itself first has nothing of its own in it.
    let leaves = |n: &u32| {
        let node = &nodes.list[*n as usize];
        let lift = node.facts.as_ref().and_then(|f| f.lift);
        calls(node) || node.ways.way.is_none() && lift.is_some_and(|l| l > 0)
    };
    for n in looks {
        let mut own = FxHashSet::default();
        back(vec![n], &mut own);
        if own.iter().any(leaves) {
            found.extend(own);
        }
    }
    found
}

/// What a routine does with the stack; nothing where the steps do not reach.
fn look(
    nodes: &Nodes,
    (stack, looks): (Inputs, &Looks),
    entry: u32,
    budget: &mut usize,
) -> Option<Found> {
    let on_stack = |i: Inputs| i.0 & stack.0 != 0;
    let mut out = Found::default();
    let mut seen: FxHashSet<(u32, i32)> = FxHashSet::default();
    let mut open = vec![(entry, 0)];
    while let Some((n, height)) = open.pop() {
        if !(-DEEP..DEEP).contains(&height) || !seen.insert((n, height)) {
            continue;
        }
        *budget = budget.checked_sub(1)?;
        let node = &nodes.list[n as usize];
        let Some(facts) = node.facts.as_ref().filter(|_| node.kind == Kind::Code) else {
            continue;
        };
        let mut after = height;
        match node.ways.way {
            None => {
                let lift = facts.lift.unwrap_or(0);
                let exchanges = lift == 0 && on_stack(facts.pointers) && height < RETURN;
                // Something else is put where the return address lay.
                out.peeks |= exchanges || lift < 0 && height < 0;
                // It is touched by way of another register.
                let own = looks.first + 1 + height;
                let at = |l: &Vec<i32>| l.iter().any(|d| (own..own + RETURN).contains(d));
                out.peeks |= looks.asks.get(&n).is_some_and(at);
                after -= lift;
                out.deep |= after < -RETURN;
            }
            Some(Way::Call) => out.calls.extend(node.to),
            Some(Way::Jump | Way::Skip) => match node.to {
                Some(to) => open.push((to, height)),
                None => out.peeks |= height < 0,
            },
            Some(Way::Return) => {}
        }
        if node.ways.falls_through || node.ways.way == Some(Way::Call) {
            open.extend(node.next.map(|x| (x, after)));
        }
    }
    Some(out)
}
