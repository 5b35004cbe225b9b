//! Order of blocks: what is only jumped to comes into the place of a jump to it.

use super::runs::{Room, claimed, copy, is_fallen_into};
use super::search::only_goes;
use crate::optimize::flow::{Flow, Node, calls};
use crate::optimize::step::{Draft, Proposal, Step, edit};
use crate::program::eval::Op;
use crate::program::item::What;
use rustc_hash::FxHashSet;
use scrimp_isa::effects::Way;

/// The pass.
pub const STEP: Step = Step {
    name: "blocks",
    about: "a block comes into the place of a jump to it",
    walked: true,
    find,
};

/// Most instructions of a block.
const MOST: usize = 200;
/// Bytes that are left to the end of a branch's reach.
const MARGIN: i64 = 24;

fn find(flow: &Flow<'_, '_>) -> Draft {
    let mut draft = Draft::new(flow);
    let mut room = Room::new(flow);
    // What is named as a place and not by a label stays where it is.
    let named: FxHashSet<(u32, u32)> = flow
        .program
        .ops
        .iter()
        .filter_map(|op| match op {
            Op::Place(a) => Some((a.chunk, a.item)),
            _ => None,
        })
        .collect();
    let mut found = Vec::new();
    for n in 0..flow.nodes.list.len() as u32 {
        let node = flow.node(n);
        let jumps = node.ways.way == Some(Way::Jump) && !node.ways.falls_through;
        let to = node.to.filter(|&t| jumps && t != n && node.next != Some(t));
        let plain = node.is_free() && jumps && only_goes(flow, node.code());
        if let Some(to) = to.filter(|_| plain)
            && let Some(p) = bring(flow, &mut room, &named, n, to)
        {
            found.push(p);
        }
    }
    // Few names first: those blocks have the fewest places to be at.
    found.sort_by_key(|p| (p.1, p.0.edits[0].at));
    draft.proposals = found.into_iter().map(|f| f.0).collect();
    draft
}

/// Brings the block at a node into the place of a jump to it; with how many come there.
fn bring(
    flow: &Flow<'_, '_>,
    room: &mut Room,
    named: &FxHashSet<(u32, u32)>,
    from: u32,
    to: u32,
) -> Option<(Proposal, usize)> {
    let near = |o: &crate::optimize::flow::Operand| flow.in_reach(o.class, from, to);
    if is_fallen_into(flow, to) || !flow.node(from).operands.iter().all(near) {
        return None;
    }
    let mut block = Vec::new();
    let mut at = to;
    loop {
        let node = flow.node(at);
        let place = (node.at.chunk, node.at.item);
        if !node.is_free() || at == from || named.contains(&place) || block.len() >= MOST {
            return None;
        }
        block.push(at);
        if !node.ways.falls_through && !calls(node) {
            break;
        }
        at = node.next.filter(|&x| flow.adjoins(at, x))?;
    }
    let jump = flow.node(from);
    let first = flow.node(to).address as i64;
    let moved = jump.address as i64 - first;
    let inside = |x: u32| block.contains(&x);
    for &x in &block {
        let node = flow.node(x);
        if let Some(goal) = node.to.filter(|&t| !inside(t))
            && !reaches(flow, node, flow.node(goal).address as i64 - moved)
        {
            return None;
        }
        for r in &node.refs {
            use crate::optimize::flow::Ref;
            if let Ref::Jump(j) | Ref::Call(j) = *r
                && j != from
                && !inside(j)
                && !reaches(flow, flow.node(j), node.address as i64 + moved)
            {
                return None;
            }
        }
    }
    let now: i64 = block.iter().map(|&x| i64::from(flow.node(x).size)).sum();
    let later: i64 = block.iter().map(|&x| claimed(flow, x)).sum();
    let end = jump.address + u64::from(jump.size);
    let less = [(flow.node(to).address, now)];
    if !room.take(end, later - i64::from(jump.size), &less) {
        return None;
    }
    let mut items = Vec::new();
    let mut labels = Vec::new();
    for (i, &x) in (0u32..).zip(&block) {
        labels.extend(flow.node(x).labels.iter().map(|&l| (i, l)));
        items.push(copy(flow, x)?);
    }
    let mut here = edit(jump.at, 1, items);
    here.labels = labels;
    let edits = vec![here, edit(flow.node(to).at, block.len() as u32, Vec::new())];
    let saves = i64::from(jump.size) + now - later;
    let rule = "a block in the place of a jump";
    let p = Proposal::new(rule, edits, saves, "identity, walked by the checker");
    Some((p, flow.node(to).refs.len()))
}

/// Whether a branch still reaches its goal, if that is as far away as an address is from it;
/// one of several forms should keep its short one.
fn reaches(flow: &Flow<'_, '_>, node: &Node, goal: i64) -> bool {
    let item = flow.program.item(node.at).map(|i| i.what);
    let single = matches!(item, Some(What::Instruction { .. }));
    let relative = node.operands.iter().find(|o| o.relative);
    let Some(spec) = relative.and_then(|o| flow.program.operands[usize::from(o.class)].value)
    else {
        // A long form reaches everything; that it may become short again is not counted on.
        return single || relative.is_none();
    };
    // Within its page it reaches all, and a block is moved in its page only.
    if matches!(spec.base, scrimp_isa::Base::InPage { .. }) {
        return true;
    }
    let far = goal - node.address as i64;
    (spec.min + MARGIN..=spec.max - MARGIN).contains(&far)
}
