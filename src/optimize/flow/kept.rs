//! Where a program keeps its stack pointer in memory and puts it back: routines that do so
//! on the straight way leave their stack as it was, whatever the pointer was in between.
//!
//! A place in memory counts only if nothing in the program names it, or what stands beside
//! it, but what keeps and puts back. Behind what keeps there is no call, and no way out of
//! the routine, before it is put back. What puts back what another routine kept does no harm
//! where that one does not return before.

use super::build::{Nodes, Placed};
use super::facts::Book;
use super::node::{Kind, Node, Reason, Ref, calls, within};
use crate::program::{Field, Program, Value};
use rustc_hash::{FxHashMap, FxHashSet};
use scrimp_isa::depend::Inputs;
use scrimp_isa::effects::Way;
use scrimp_isa::state::place;

/// Bytes before and behind a place in memory that nothing else may name.
const BESIDE: i64 = 1;

/// What a node does with a stack pointer in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Does {
    /// It keeps it at an address.
    Keeps(i64),
    /// It takes it from there.
    PutsBack(i64),
}

/// Nodes that keep a stack pointer and put it back, where that is all that becomes of it.
#[derive(Debug, Default)]
pub struct KeptPointers {
    nodes: FxHashMap<u32, Does>,
}

impl KeptPointers {
    /// What a node does with one.
    pub fn does(&self, n: u32) -> Option<Does> {
        self.nodes.get(&n).copied()
    }

    /// Those of a program.
    pub fn of(program: &Program<'_>, placed: &Placed, nodes: &Nodes, book: &Book<'_>) -> Self {
        let layout = book.semantics.layout();
        let apart = (book.stack(), layout.of_cells(layout.quiet));
        let all = (0..).zip(&nodes.list);
        let mut found: FxHashMap<u32, Does> = all
            .filter(|(_, node)| program.chunks[node.at.chunk as usize].page == 0)
            .filter_map(|(n, node)| Some((n, does(node, apart)?)))
            .collect();
        let address = |d: &Does| match *d {
            Does::Keeps(a) | Does::PutsBack(a) => a,
        };
        let mut places: FxHashSet<i64> = found.values().map(address).collect();
        places.retain(|&a| {
            !is_named(program, placed, nodes, (&found, a)) && is_sound(nodes, &found, a)
        });
        found.retain(|_, d| places.contains(&address(d)));
        Self { nodes: found }
    }
}

/// Whether a node keeps the stack pointer at an address that stands in it, or takes it from
/// there, and nothing else.
fn does(node: &Node, (stack, quiet): (Inputs, Inputs)) -> Option<Does> {
    let same = node.pin.is_none_or(|p| p > Reason::Overlapped) && !node.other;
    if node.kind != Kind::Code || !same || node.ways.way.is_some() {
        return None;
    }
    let f = node.facts.as_ref()?;
    let e = &f.effects;
    let [o] = node.operands.as_slice() else {
        return None;
    };
    let apart = stack.and(quiet);
    let registers = |i: Inputs| i.without(apart).0 & ((1 << place::OTHERS) - 1);
    let address = o.value & 0xffff;
    let touches = |list: &[u32]| list.first().map(|&a| i64::from(a)) == Some(address);
    if o.width < 16 || !f.pointers.is_empty() || registers(e.reads()) != 0 {
        return None;
    }
    let whole = |i: Inputs| i.0 & stack.0 == stack.0;
    let keeps = e.writes_memory && !e.reads_memory && registers(e.writes) == 0;
    if keeps && f.lift == Some(0) && whole(e.uses) && touches(&f.writes) && f.writes.len() == 2 {
        return Some(Does::Keeps(address));
    }
    let takes = e.reads_memory && !e.writes_memory && registers(e.writes) == 0;
    let sets = whole(e.writes) && f.lift.is_none();
    (takes && sets && touches(&f.reads) && f.reads.len() == 2).then_some(Does::PutsBack(address))
}

/// Whether something else names a place, or what stands beside it.
fn is_named(
    program: &Program<'_>,
    placed: &Placed,
    nodes: &Nodes,
    (found, a): (&FxHashMap<u32, Does>, i64),
) -> bool {
    let near = |v: i64| ((v & 0xffff) - a).abs() <= BESIDE;
    let value = |e| program.value_of(Value::Expr(e), &placed.layout, &placed.values);
    let data = program
        .values
        .iter()
        .filter(|v| matches!(v.field, Field::Data(_)));
    let in_data = data
        .filter_map(|v| value(v.value).ok())
        .any(|v| v > 0xff && near(v));
    let all = (0u32..).zip(&nodes.list);
    let mut others = all.filter(|(n, _)| !found.contains_key(n));
    let by_code = others.any(|(_, node)| {
        let touched = node
            .facts
            .iter()
            .flat_map(|f| f.reads.iter().chain(&f.writes));
        let mut touched = touched.map(|&t| i64::from(t));
        let wide = node.operands.iter().filter(|o| o.width >= 16);
        wide.map(|o| o.value).any(near) || touched.any(near)
    });
    // Another word that lies over it.
    let lies = |d: &Does| match *d {
        Does::Keeps(b) | Does::PutsBack(b) => b != a && near(b),
    };
    in_data || by_code || found.values().any(lies) || is_part(nodes, a)
}

/// Whether a place is part of the program, and has no bytes of its own there.
fn is_part(nodes: &Nodes, a: i64) -> bool {
    let at = |a: i64| u64::try_from(a).ok().and_then(|a| nodes.holding(a));
    match (at(a), at(a + 1)) {
        (None, None) => false,
        (Some((n, 0)), Some((m, _))) => {
            let node = &nodes.list[n as usize];
            node.kind == Kind::Code || nodes.list[m as usize].kind == Kind::Code
        }
        _ => true,
    }
}

/// Whether all that is kept at a place is put back before its routine ends, and whether what
/// is put back was kept by the same routine, or by one that does not end.
fn is_sound(nodes: &Nodes, found: &FxHashMap<u32, Does>, a: i64) -> bool {
    let (mut open, mut met) = (false, FxHashSet::default());
    for (&n, _) in found.iter().filter(|f| *f.1 == Does::Keeps(a)) {
        let behind = behind(nodes, found, n, a);
        let whole = !behind.leaves && !behind.calls;
        match behind.backs.is_empty() {
            true if behind.leaves => return false,
            true => open = true,
            false if whole => met.extend(behind.backs),
            false => return false,
        }
    }
    let all = found.iter().filter(|f| *f.1 == Does::PutsBack(a));
    let mut alone = all.filter(|f| !met.contains(f.0) || !is_kept_before(nodes, found, *f.0, a));
    open || alone.next().is_none()
}

/// What is on the ways behind a node that keeps, up to where it is put back.
#[derive(Default)]
struct Behind {
    /// Nodes that put it back.
    backs: Vec<u32>,
    /// Control may leave the routine before.
    leaves: bool,
    /// Something is called before.
    calls: bool,
}

fn behind(nodes: &Nodes, found: &FxHashMap<u32, Does>, from: u32, a: i64) -> Behind {
    let mut out = Behind::default();
    let mut seen = FxHashSet::default();
    let mut open: Vec<u32> = within(&nodes.list[from as usize]).collect();
    out.leaves |= open.is_empty();
    while let Some(n) = open.pop() {
        if !seen.insert(n) {
            continue;
        }
        let node = &nodes.list[n as usize];
        if node.kind != Kind::Code {
            out.leaves = true;
            continue;
        }
        if found.get(&n) == Some(&Does::PutsBack(a)) {
            out.backs.push(n);
            continue;
        }
        out.calls |= calls(node);
        let goes = matches!(node.ways.way, Some(Way::Jump | Way::Skip));
        out.leaves |= node.ways.way == Some(Way::Return) || goes && node.to.is_none();
        let count = open.len();
        open.extend(within(node));
        out.leaves |= open.len() == count;
    }
    out
}

/// Whether on all ways to a node the stack pointer was kept at a place in the same routine.
fn is_kept_before(nodes: &Nodes, found: &FxHashMap<u32, Does>, to: u32, a: i64) -> bool {
    let mut before: FxHashMap<u32, Vec<u32>> = FxHashMap::default();
    for (n, node) in (0u32..).zip(&nodes.list).filter(|n| n.1.kind == Kind::Code) {
        for x in within(node) {
            before.entry(x).or_default().push(n);
        }
    }
    let mut seen = FxHashSet::default();
    let mut open = vec![to];
    while let Some(n) = open.pop() {
        if !seen.insert(n) {
            continue;
        }
        let node = &nodes.list[n as usize];
        let jump = |r: &Ref| matches!(r, Ref::Jump(_));
        let own = before.get(&n).into_iter().flatten();
        if node.entry || !node.refs.iter().all(jump) || !before.contains_key(&n) {
            return false;
        }
        open.extend(own.filter(|x| found.get(x) != Some(&Does::Keeps(a))));
    }
    true
}
