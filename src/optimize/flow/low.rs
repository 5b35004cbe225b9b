//! Pointers to registers that have addresses of data memory. Most programs have none: where
//! the upper half of a pointer is a zero when memory is touched through it, any may be one.

use super::build::Nodes;
use super::facts::{Book, Facts};
use super::node::{Kind, Node};
use super::pairs::{self, Leads};
use super::routine::within;
use rustc_hash::FxHashSet;
use scrimp_isa::depend::Inputs;
use scrimp_isa::state::Location;

/// Where memory begins that a pointer leads to, whatever its instruction set.
const MEMORY: u16 = 0x60;

/// The addresses that pointers of a program may lead to, as far as that decides which
/// registers an instruction reads and changes.
pub fn pointed(nodes: &Nodes, book: &Book<'_>) -> std::ops::RangeInclusive<u16> {
    let low = |l: &Leads| matches!(l, Leads::Data(at) if *at < u32::from(MEMORY));
    match leads_low(nodes, book) || pairs::find(nodes, book).iter().any(low) {
        true => 0..=0xffff,
        false => MEMORY..=0xffff,
    }
}

fn leads_low(nodes: &Nodes, book: &Book<'_>) -> bool {
    let layout = book.semantics.layout();
    let stack = book.stack();
    let pointers = |n: &Node| {
        let facts = n.facts.as_ref()?;
        let own = facts.pointers.without(stack);
        (n.kind == Kind::Code && touches_data(facts) && !own.is_empty()).then_some(own)
    };
    let all = nodes.list.iter().filter_map(pointers);
    let all = all.fold(Inputs::NONE, Inputs::and);
    let mut halves: Vec<Location> = layout.locations();
    halves.retain(|l| l.bit.is_none() && all.has(l.number));
    // Registers that something sets to 0: a copy of one may be 0 too.
    let zeros = |n: &Node| -> Inputs {
        let writes = n.facts.as_ref().map_or(Inputs::NONE, |f| f.effects.writes);
        book.zeroed(n.code(), writes)
    };
    let code = || (0u32..).zip(&nodes.list).filter(|n| n.1.kind == Kind::Code);
    let zero = code().fold(Inputs::NONE, |z, (_, n)| z.and(zeros(n)));
    for (n, node) in code() {
        let Some(facts) = &node.facts else { continue };
        let own = zeros(node);
        for half in &halves {
            let l = half.number;
            let flows = facts.effects.flows[usize::from(l)];
            let copied = flows.count() == 1 && flows.0 & zero.0 != 0;
            let set = facts.effects.writes.has(l) && (own.has(l) || copied);
            if set && reaches(nodes, book, n, *half) {
                return true;
            }
        }
    }
    false
}

/// Whether an instruction touches data memory, in which registers may lie.
fn touches_data(facts: &Facts) -> bool {
    facts.effects.reads_memory || facts.effects.writes_memory
}

/// Whether memory is touched through a pointer whose upper half a node sets, before another
/// does.
fn reaches(nodes: &Nodes, book: &Book<'_>, from: u32, half: Location) -> bool {
    let mut seen = FxHashSet::default();
    let behind = |n: u32| {
        let node = &nodes.list[n as usize];
        within(node).chain(node.to)
    };
    let mut open: Vec<u32> = behind(from).collect();
    while let Some(n) = open.pop() {
        let node = &nodes.list[n as usize];
        if !seen.insert(n) {
            continue;
        }
        let Some(facts) = &node.facts else {
            // What data do that are executed is not known.
            open.extend((n as usize + 1 < nodes.list.len()).then_some(n + 1));
            continue;
        };
        if touches_data(facts)
            && facts.pointers.has(half.number)
            && book.is_upper(node.code(), half.cell)
        {
            return true;
        }
        // What writes through a pointer may write it, or not.
        let maybe = facts.effects.writes_memory && !facts.pointers.is_empty();
        if maybe || !facts.effects.writes.has(half.number) {
            open.extend(behind(n));
        }
    }
    false
}
