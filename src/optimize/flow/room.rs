//! Room that keeps what stands behind it at its address, whatever becomes of what stands
//! before: an alignment to a multiple of that address.

use super::build::{Nodes, Placed};
use super::node::{Kind, Node};
use super::routine::calls;
use crate::program::Program;
use crate::program::item::What;
use crate::program::symbol::Anchor;

/// The last room before a node in its chunk that keeps what stands behind at its address.
pub(super) fn before(program: &Program<'_>, nodes: &Nodes, n: u32) -> Option<u32> {
    let chunk = nodes.list[n as usize].at.chunk;
    let start = nodes.starts[chunk as usize];
    (start..n)
        .rev()
        .find(|&r| is_room(program, &nodes.list[r as usize]))
}

/// The last room in the chunk of the nodes that end before one that keeps what stands behind at
/// its address.
pub fn last(program: &Program<'_>, nodes: &Nodes, end: u32) -> Option<u32> {
    let last = end.checked_sub(1)?;
    match is_room(program, &nodes.list[last as usize]) {
        true => Some(last),
        false => before(program, nodes, last),
    }
}

/// Whether a node is room that keeps what stands behind it at its address.
fn is_room(program: &Program<'_>, node: &Node) -> bool {
    let what = program.item(node.at).map(|i| i.what);
    matches!(what, Some(What::Align { to, .. })
        if node.address + u64::from(node.size) == u64::from(to))
}

/// Bytes of room that keeps what stands behind it at one of these addresses.
pub fn bytes(program: &Program<'_>, nodes: &Nodes, held: &[u32]) -> u64 {
    let own = nodes.list.iter().filter(|n| {
        let what = program.item(n.at).map(|i| i.what);
        matches!(what, Some(What::Align { to, .. }) if held.contains(&to))
    });
    own.map(|n| u64::from(n.size)).sum()
}

/// Where room would keep what must stay at its address: items, and their addresses. Only
/// where control does not come from the item before.
pub fn find(program: &Program<'_>, placed: &Placed, nodes: &Nodes) -> Vec<(Anchor, u32)> {
    of(program, placed, nodes, &nodes.held)
}

/// The same of these nodes.
pub fn of(
    program: &Program<'_>,
    placed: &Placed,
    nodes: &Nodes,
    all: &[u32],
) -> Vec<(Anchor, u32)> {
    let mut out: Vec<(Anchor, u32)> = Vec::new();
    for &n in all {
        let Some(first) = broken_off(nodes, n) else {
            continue;
        };
        let node = &nodes.list[first as usize];
        let chunk = node.at.chunk as usize;
        if let Ok(to) = u32::try_from(node.address)
            && !is_room(program, node)
            && node.address > placed.layout.base[chunk]
            && program.chunks[chunk].unit == 1
        {
            out.push((node.at, to));
        }
    }
    out.sort_unstable();
    out.dedup();
    out
}

/// The first node of what stands together up to a node: control does not come to it from the
/// one before, nor are there data before it.
fn broken_off(nodes: &Nodes, n: u32) -> Option<u32> {
    let chunk = nodes.list[n as usize].at.chunk;
    let start = nodes.starts[chunk as usize];
    let ends = |&first: &u32| {
        let apart = first > start && !nodes.together.contains(&first);
        apart && ends(&nodes.list[first as usize - 1])
    };
    (start..=n).rev().find(ends)
}

/// Whether control leaves here for good.
fn ends(node: &Node) -> bool {
    node.kind == Kind::Code && !node.ways.falls_through && !calls(node)
}
