//! The passes, in their order.

pub mod about;
mod blocks;
pub mod branches;
pub mod conditions;
mod counted;
mod dead;
mod inline;
mod merge;
mod odd;
mod outline;
pub mod peephole;
mod rules;
mod runs;
mod saved;
pub mod search;
mod slots;
mod tails;
mod threads;
mod turned;
mod twins;
mod values;

use super::flow::{Book, Flow, Kind, Node, Nodes, Operand, Shape, Touch, goal, is_certain};
use super::step::{Draft, Step};
use crate::program::Program;
use crate::program::symbol::Anchor;
use scrimp_isa::Base;
use scrimp_isa::effects::Way;

/// The name of the pass that takes away what control never comes to.
pub const UNREACHABLE: &str = dead::STEP.name;

/// All of them.
pub const ALL: &[Step] = &[
    dead::STEP,
    threads::STEP,
    tails::STEP,
    values::UNUSED,
    rules::STEP,
    counted::STEP,
    values::KNOWN,
    inline::STEP,
    blocks::STEP,
    merge::STEP,
    outline::STEP,
    branches::STEP,
];

/// What a pass finds.
pub fn find(step: &Step, flow: &Flow<'_, '_>) -> Draft {
    if flow.slotted.is_none() {
        return (step.find)(flow);
    }
    let own = slots::ALL.iter().find(|s| s.0 == step.name);
    own.map_or_else(|| Draft::new(flow), |s| s.1(flow))
}

/// Operands that name a place of the program by its number, or by its distance from another
/// place: item, operand class, place.
pub fn numbers(flow: &Flow<'_, '_>) -> Vec<(Anchor, u8, Anchor)> {
    let mut out = Vec::new();
    if flow.slotted.is_some() {
        return out;
    }
    for (n, node) in (0..).zip(&flow.nodes.list) {
        let goes = matches!(node.ways.way, Some(Way::Jump | Way::Call));
        match node.to.filter(|_| goes && node.kind == Kind::Code) {
            Some(to) => going(flow, node, to, &mut out),
            None => out.extend(data(flow, n)),
        }
    }
    out
}

/// Bytes of a page.
const PAGE: u64 = 256;

/// Goals within a page that are computed from something: item, operand class, place.
pub fn in_page(program: &Program<'_>, nodes: &Nodes, book: &Book<'_>) -> Vec<(Anchor, u8, Anchor)> {
    let mut out = Vec::new();
    for node in nodes.list.iter().filter(|n| n.kind == Kind::Code) {
        let Some(to) = node.to.map(|to| &nodes.list[to as usize]) else {
            continue;
        };
        let whole = goal(book, &node.ways) == Some(to.address) && to.kind == Kind::Code;
        let in_page = |o: &Operand| {
            let value = program.operands[usize::from(o.class)].value;
            value.is_some_and(|v| matches!(v.base, Base::InPage { .. }))
        };
        let computed =
            |o: &Operand| !matches!(o.shape, Shape::Number | Shape::Address(..)) && in_page(o);
        let all = node.operands.iter().filter(|o| whole && computed(o));
        out.extend(all.map(|o| (node.at, o.class, to.at)));
    }
    out
}

/// The goal of a jump or call.
fn going(flow: &Flow<'_, '_>, node: &Node, to: u32, out: &mut Vec<(Anchor, u8, Anchor)>) {
    let target = flow.node(to);
    let whole = goal(flow.book, &node.ways) == Some(target.address);
    if !whole || target.kind != Kind::Code {
        return;
    }
    for o in &node.operands {
        let named = match o.shape {
            Shape::Number => o.width >= 12 || o.relative,
            Shape::Address(_, plus) => plus != 0,
            _ => false,
        };
        let leads = o.relative || o.width >= 12;
        if named && leads {
            out.push((node.at, o.class, target.at));
        }
    }
}

/// The address of data, where the number is certainly one: memory is touched there.
fn data(flow: &Flow<'_, '_>, n: u32) -> Option<(Anchor, u8, Anchor)> {
    let node = flow.node(n);
    let facts = node.facts.as_ref()?;
    let mut numbers = node.operands.iter();
    let o = numbers.find(|o| o.shape == Shape::Number && o.width >= 16 && !o.relative)?;
    let address = (o.value as u64) & 0xffff;
    let (to, behind) = flow.nodes.holding(address)?;
    let target = flow.node(to);
    if target.kind == Kind::Code || flow.book.semantics.unit() > 1 {
        return None;
    }
    // A page that begins amid an item may be a screen over what is not needed any more, which
    // others come to by what they compute.
    if behind > 0 && address.is_multiple_of(PAGE) {
        return None;
    }
    let named = |list: &[u32]| list.iter().any(|&a| u64::from(a) == address);
    let touched = named(&facts.reads) || named(&facts.writes);
    let span = flow.program.item(node.at).map(|i| i.span);
    let plain = span.is_some_and(|s| flow.contracts.is_plain(flow.program, s, o.value));
    if !touched && plain {
        return None;
    }
    // What only something computed from it touches may be a distance as well: room holds it.
    let used = flow.nodes.uses.get(&n);
    let exact = used.is_some_and(|u| u.touch == Touch::Exact) || is_certain(&flow.nodes, n);
    // A block comes down from there over code: that holds all before it.
    let down = used.is_some_and(|&u| u.down > 0 && !flow.nodes.is_data_down(address, u));
    if !touched && (!exact || down) {
        return None;
    }
    let place = Anchor {
        plus: behind as u32,
        ..target.at
    };
    Some((node.at, o.class, place))
}
