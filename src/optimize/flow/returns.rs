//! Routines that do more with their return address than going there: they read or change it,
//! and may go on farther behind the call than right there.

use super::build::Nodes;
use super::facts::{Book, Facts};
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
/// Bytes that are known to be taken from above, at most: of more it is a loop that takes what
/// another one put there.
const MOST_TAKEN: i32 = 8;
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
    /// Bytes of its return address and what lies above that which it takes.
    takes: i32,
    /// The same of what it writes in its place, and of what it calls does, counted from the
    /// stack as it was before.
    writes: i32,
    /// What it calls, and bytes on its stack before that.
    calls: Vec<(u32, i32)>,
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
    let elsewhere = kept_elsewhere(nodes, stack);
    // What was not looked at to its end may do anything.
    let unseen = || Found {
        peeks: true,
        takes: DEEP,
        writes: DEEP,
        calls: Vec::new(),
    };
    let own = |e: u32, budget: &mut usize| {
        let found = look(nodes, (stack, &looks, &elsewhere), e, budget);
        (e, found.unwrap_or_else(unseen))
    };
    let found: FxHashMap<u32, Found> = entries.iter().map(|&e| own(e, &mut budget)).collect();
    above(&entries, found)
}

/// Those that may go on elsewhere, with those whose own part of the stack what they call takes
/// or changes, through all that is called.
fn above(entries: &[u32], mut found: FxHashMap<u32, Found>) -> FxHashSet<u32> {
    loop {
        let mut changed = false;
        for e in entries {
            let Some(own) = found.get(e).cloned() else {
                continue;
            };
            let mut now = own.clone();
            for (to, height) in &own.calls {
                let Some(other) = found.get(to) else { continue };
                let takes = other.takes - RETURN;
                let writes = other.writes - RETURN - height.max(&0);
                now.peeks |= takes > 0 || writes > 0;
                now.takes = now.takes.max(takes);
                now.writes = now.writes.max(writes);
            }
            let more = (now.peeks, now.takes, now.writes) != (own.peeks, own.takes, own.writes);
            changed |= more;
            found.insert(*e, now);
        }
        if !changed {
            break;
        }
    }
    let peeks = found.into_iter().filter(|f| f.1.peeks);
    peeks.map(|f| f.0).collect()
}

/// Nodes that keep the stack pointer at an address that something else reads than what puts it
/// back: memory may be touched with it.
fn kept_elsewhere(nodes: &Nodes, stack: Inputs) -> FxHashSet<u32> {
    let code = || {
        let all = (0u32..).zip(&nodes.list);
        all.filter_map(|(n, node)| Some((n, node, node.facts.as_deref()?)))
    };
    let keeps = |f: &Facts| {
        let e = &f.effects;
        let plain = e.writes_memory && !e.reads_memory && f.lift == Some(0);
        plain && f.pointers.is_empty() && e.uses.0 & stack.0 != 0 && !f.writes.is_empty()
    };
    let all = code().filter(|(_, node, f)| node.ways.way.is_none() && keeps(f));
    let mut out = FxHashSet::default();
    for (n, _, kept) in all {
        let there = |a: i64| kept.writes.iter().any(|&w| i64::from(w) == a & 0xffff);
        let named = code().any(|(x, node, f)| {
            let puts_back = f.effects.writes.0 & stack.0 != 0 && f.lift.is_none();
            let wide = node.operands.iter().filter(|o| o.width >= 16);
            let own = x == n || keeps(f) || puts_back;
            !own && wide.map(|o| o.value).any(there)
        });
        out.extend(named.then_some(n));
    }
    out
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
    // Data that control comes to lead on to what stands behind them.
    for (n, node) in all().filter(|n| n.1.kind != Kind::Code) {
        let next = nodes.list.get(n as usize + 1);
        if next.is_some_and(|x| x.at.chunk == node.at.chunk) {
            before.entry(n + 1).or_default().push(n);
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
    (stack, looks, elsewhere): (Inputs, &Looks, &FxHashSet<u32>),
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
                let changed = looks.changes.get(&n).into_iter().flatten();
                let highest = changed.map(|d| d - own + 1).max().unwrap_or(0);
                out.writes = out.writes.max(highest);
                if elsewhere.contains(&n) {
                    out.peeks = true;
                    out.takes = out.takes.max(2 * RETURN);
                }
                after -= lift;
                out.takes = out.takes.max(-after).min(MOST_TAKEN);
            }
            Some(Way::Call) => out.calls.extend(node.to.map(|to| (to, height))),
            Some(Way::Jump | Way::Skip) => match node.to {
                Some(to) => open.push((to, height)),
                None => out.peeks |= height < 0,
            },
            Some(Way::Return) => {}
        }
        // What data do that are executed is not known.
        let into = |x: u32| {
            let next = &nodes.list[x as usize];
            next.kind != Kind::Code && next.size > 0
        };
        out.peeks |= node.ways.falls_through && !calls(node) && node.next.is_some_and(into);
        if node.ways.falls_through || node.ways.way == Some(Way::Call) {
            open.extend(node.next.map(|x| (x, after)));
        }
    }
    Some(out)
}
