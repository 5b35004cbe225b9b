//! Where the stack pointer may point at data: what is put on the stack there would be put into
//! them, or before them.

use crate::optimize::flow::{Flow, Kind, Node, Ref, calls, within};
use rustc_hash::FxHashSet;
use scrimp_isa::effects::Way;

/// Instructions before one that sets the stack pointer by a register, at most, up to that which
/// loads the register.
const NEAR: u32 = 3;

/// Nodes where the stack pointer may point at data: behind what sets it, unless that puts
/// back what was kept of it, or the program itself calls with it.
pub fn find(flow: &Flow<'_, '_>) -> FxHashSet<u32> {
    let list = &flow.nodes.list;
    let stack = flow.book.stack();
    let registers = (1u64 << scrimp_isa::state::place::OTHERS) - 1;
    let named = |n: &Node| n.operands.first().map(|o| o.value);
    let code = || {
        let all = (0u32..).zip(list).filter(|(_, n)| {
            let branches = matches!(n.ways.way, Some(Way::Call | Way::Return));
            n.kind == Kind::Code && !branches
        });
        all.filter_map(|(n, node)| Some((n, node, node.facts.as_deref()?)))
    };
    let kept: FxHashSet<i64> = code()
        .filter(|(.., f)| f.lift == Some(0) && f.effects.reads().0 & stack.0 != 0)
        .filter(|(.., f)| f.effects.writes_memory && !f.effects.reads_memory)
        .filter_map(|(_, node, _)| named(node))
        .collect();
    let sets: FxHashSet<u32> = code()
        .filter(|(.., f)| f.lift.is_none())
        .map(|(n, ..)| n)
        .collect();
    let after = |n: u32| {
        let node = &list[n as usize];
        let next = node.next.filter(|_| node.ways.falls_through || calls(node));
        next.into_iter().chain(node.to)
    };
    let mut odd = FxHashSet::default();
    for (n, node, f) in code().filter(|(n, ..)| sets.contains(n)) {
        let e = &f.effects;
        let direct = e.reads().without(stack).0 & registers == 0 && e.reads_memory;
        if direct && named(node).is_some_and(|a| kept.contains(&a)) {
            continue;
        }
        let mut seen: FxHashSet<u32> = FxHashSet::default();
        let mut open: Vec<u32> = after(n).collect();
        while let Some(x) = open.pop() {
            if seen.insert(x) && !sets.contains(&x) {
                open.extend(after(x));
            }
        }
        let first = first(flow, n);
        let takes = first.takes && (names_data(flow, n) || is_set_again(flow, n, &sets));
        if takes || first.returns || !seen.iter().any(|&x| calls(&list[x as usize])) {
            odd.extend(seen);
        }
        if first.returns {
            odd.extend(listed(flow));
        }
    }
    odd
}

/// What is done first with a stack pointer that was set.
#[derive(Default)]
struct First {
    /// Something is taken from there that was not put there.
    takes: bool,
    /// Control goes to what stands there, in data of the program.
    returns: bool,
}

/// What is done first behind a node that sets the stack pointer.
fn first(flow: &Flow<'_, '_>, n: u32) -> First {
    let mut out = First::default();
    let mut seen: FxHashSet<u32> = FxHashSet::default();
    let mut open: Vec<u32> = within(flow.node(n)).collect();
    while let Some(x) = open.pop() {
        let node = flow.node(x);
        let Some(f) = node.facts.as_ref().filter(|_| seen.insert(x)) else {
            continue;
        };
        match (node.ways.way, f.lift) {
            (Some(Way::Return), _) => out.returns |= names_data(flow, n),
            (Some(Way::Call), _) | (None, None) => continue,
            (None, Some(lift)) if lift < 0 => continue,
            (None, Some(lift)) if lift > 0 => {
                out.takes = true;
                continue;
            }
            _ => {}
        }
        open.extend(within(node));
    }
    out
}

/// Whether the stack pointer is set again behind where it is set, and its routine does not
/// return before: then what is taken there is no old stack.
fn is_set_again(flow: &Flow<'_, '_>, n: u32, sets: &FxHashSet<u32>) -> bool {
    let (mut again, mut seen) = (false, FxHashSet::default());
    let mut open: Vec<u32> = within(flow.node(n)).collect();
    while let Some(x) = open.pop() {
        if sets.contains(&x) {
            again = true;
            continue;
        }
        let node = flow.node(x);
        if node.ways.way == Some(Way::Return) {
            return false;
        }
        if seen.insert(x) {
            open.extend(within(node));
        }
    }
    again
}

/// Whether what the stack pointer is set to is an address of data of the program.
fn names_data(flow: &Flow<'_, '_>, n: u32) -> bool {
    let data = |x: u32| {
        let wide = flow.node(x).operands.iter().filter(|o| o.width >= 16);
        let mut at = wide.filter_map(|o| flow.nodes.holding(o.value as u64 & 0xffff));
        at.any(|(to, _)| flow.node(to).kind == Kind::Data)
    };
    (n.saturating_sub(NEAR)..=n).any(data)
}

/// Code that comes of places that data name: they are gone to by returns.
fn listed(flow: &Flow<'_, '_>) -> FxHashSet<u32> {
    let mut seen: FxHashSet<u32> = FxHashSet::default();
    let named = |n: &u32| {
        let node = flow.node(*n);
        node.entry && node.refs.iter().any(|r| matches!(r, Ref::Other))
    };
    let all = 0..flow.nodes.list.len() as u32;
    let mut open: Vec<u32> = all.filter(named).collect();
    while let Some(x) = open.pop() {
        if seen.insert(x) {
            let node = flow.node(x);
            open.extend(within(node));
            open.extend(node.to.filter(|_| calls(node)));
        }
    }
    seen
}
