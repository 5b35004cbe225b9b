//! Where what is taken from the stack was put there: of each instruction that takes from it
//! those that may have put what it takes.

use crate::optimize::flow::{Flow, Kind, Node, within};
use rustc_hash::{FxHashMap, FxHashSet};

/// Instructions that are gone back over, at most, for each that takes.
const FAR: usize = 400;
/// Bytes on the stack above what is looked for, at most.
const HIGH: i32 = 64;

/// By the number of the node that takes, the nodes that put.
pub(super) fn find(flow: &Flow<'_, '_>) -> FxHashMap<u32, Vec<u32>> {
    let nodes = &flow.nodes.list;
    let mut from: Vec<Vec<u32>> = vec![Vec::new(); nodes.len()];
    for (n, node) in (0..).zip(nodes) {
        if node.kind == Kind::Code {
            for to in within(node) {
                from[to as usize].push(n);
            }
        }
    }
    let taking = (0..).zip(nodes).filter(|(_, n)| lift(n) > 0);
    let all = taking.map(|(n, node)| (n, putting(nodes, &from, (n, lift(node)))));
    all.filter(|(_, put)| !put.is_empty()).collect()
}

/// How many bytes an instruction takes from the stack; less than 0 if it puts some there.
fn lift(node: &Node) -> i32 {
    let facts = node.facts.as_ref().filter(|_| node.kind == Kind::Code);
    let plain = facts.filter(|_| node.ways.way.is_none());
    plain.and_then(|f| f.lift).unwrap_or(0)
}

/// What may have put the bytes that a node takes.
fn putting(nodes: &[Node], from: &[Vec<u32>], (taker, bytes): (u32, i32)) -> Vec<u32> {
    let mut out = Vec::new();
    let mut seen = FxHashSet::default();
    // Nodes behind which so many bytes lie above those that are looked for.
    let behind = |n: u32, above: i32| from[n as usize].iter().map(move |&b| (b, above));
    let mut open: Vec<(u32, i32)> = behind(taker, 0).collect();
    while let Some((n, above)) = open.pop() {
        if seen.len() >= FAR || above > HIGH || !seen.insert((n, above)) {
            continue;
        }
        let lift = lift(&nodes[n as usize]);
        let before = above + lift;
        if lift < 0 && before < 0 {
            out.push(n);
        }
        // What lies deeper was put there before.
        if before + bytes > 0 {
            open.extend(behind(n, before));
        }
    }
    out.sort_unstable();
    out.dedup();
    out
}
