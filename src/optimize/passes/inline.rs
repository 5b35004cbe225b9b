//! A routine that is called once comes into the place of its call; what is called and only
//! jumps on is called no more.

use super::runs::{Room, Safe, claimed, copy, is_fallen_into, is_return};
use super::search::{callings, item, longest, only_goes};
use crate::optimize::flow::{Flow, Ref, calls};
use crate::optimize::step::{Draft, Proposal, Step, edit};
use crate::program::eval::Op;
use scrimp_isa::effects::Way;

/// The pass.
pub const STEP: Step = Step {
    name: "inline",
    about: "a routine that is called once comes into the place of its call",
    walked: true,
    find,
};

/// Most instructions of a routine.
const MOST: usize = 400;

fn find(flow: &Flow<'_, '_>) -> Draft {
    let mut draft = Draft::new(flow);
    if flow.routines.vague {
        return draft;
    }
    let safe = Safe::new(flow);
    let mut room = Room::new(flow);
    for n in 0..flow.nodes.list.len() as u32 {
        let node = flow.node(n);
        if let (Some(Ref::Call(from)), 1) = (node.refs.first().copied(), node.refs.len())
            && let Some(p) = inline(flow, &safe, &mut room, n, from)
        {
            draft.proposals.push(p);
        }
    }
    for n in 0..flow.nodes.list.len() as u32 {
        draft.proposals.extend(through(flow, n));
    }
    draft
}

/// Brings a routine to its call.
fn inline(
    flow: &Flow<'_, '_>,
    safe: &Safe,
    room: &mut Room,
    n: u32,
    from: u32,
) -> Option<Proposal> {
    let (node, call) = (flow.node(n), flow.node(from));
    let routine = flow.routines.called(call)?;
    let plain = call.is_free() && !call.ways.falls_through && calls(call);
    if !plain || node.entry || !routine.keeps_all || !safe.is_sound(from) {
        return None;
    }
    // Its instructions stand together, with the return at the end.
    let mut body = Vec::new();
    let mut at = n;
    while !is_return(flow, at) {
        let next = flow.node(at).next.filter(|&x| flow.adjoins(at, x))?;
        if !flow.node(at).is_free() || body.len() >= MOST || at == from || !safe.is_sound(at) {
            return None;
        }
        body.push(at);
        at = next;
    }
    let own = n..=at;
    let inside = |x: u32| own.contains(&x);
    if body.is_empty() || inside(from) || is_fallen_into(flow, n) {
        return None;
    }
    for &x in &body {
        let y = flow.node(x);
        let stays = match y.ways.way {
            None => true,
            Some(Way::Call) => true,
            Some(Way::Jump) => y.ways.falls_through && y.to.is_some_and(|t| inside(t) && t != at),
            _ => false,
        };
        let jumps = |r: &Ref| matches!(*r, Ref::Jump(j) if inside(j));
        let known = x == n || !y.entry && y.refs.iter().all(jumps);
        // Places that jumps name without a label would stay behind.
        let named = x == n || y.refs.is_empty() || !y.labels.is_empty();
        let own = y.to.is_none_or(|t| !inside(t)) || is_by_label(flow, x);
        if !stays || !known || !named || !own {
            return None;
        }
    }
    let last = flow.node(at);
    if last.is_reached() || !last.labels.is_empty() {
        return None;
    }
    let bytes: i64 = body.iter().map(|&x| i64::from(flow.node(x).size)).sum();
    let later: i64 = body.iter().map(|&x| claimed(flow, x)).sum();
    let less = [(node.address, bytes + i64::from(last.size))];
    if !room.take(call.address + 1, later - i64::from(call.size), &less) {
        return None;
    }
    let mut items = Vec::new();
    let mut labels = Vec::new();
    for (i, &x) in (0u32..).zip(&body) {
        labels.extend(flow.node(x).labels.iter().map(|&l| (i, l)));
        items.push(copy(flow, x)?);
    }
    let mut here = edit(call.at, 1, items);
    here.labels = labels;
    let edits = vec![here, edit(node.at, body.len() as u32 + 1, Vec::new())];
    let saves = i64::from(call.size) + bytes + i64::from(last.size) - later;
    if saves <= 0 {
        return None;
    }
    let rule = "a routine that is called once";
    let mut p = Proposal::new(rule, edits, saves, "identity, walked by the checker");
    p.facts
        .push("the routine keeps to its own part of the stack".into());
    Some(p)
}

/// Whether a jump or call names its goal by a label, which can move.
fn is_by_label(flow: &Flow<'_, '_>, n: u32) -> bool {
    let node = flow.node(n);
    let Some(goal) = node.to.map(|t| flow.node(t)) else {
        // A goal outside is a number.
        return true;
    };
    node.operands.iter().any(|o| {
        let ops = o
            .expr
            .map(|e| &flow.program.ops[e.start as usize..(e.start + e.len) as usize]);
        match ops {
            Some([Op::Symbol(id)]) => goal.labels.contains(&flow.program.symbols.resolve(*id)),
            _ => false,
        }
    })
}

/// What is only called, and only jumps on: its calls go on at once, and it goes.
fn through(flow: &Flow<'_, '_>, n: u32) -> Option<Proposal> {
    let node = flow.node(n);
    let to = node.to.filter(|&t| t != n)?;
    let jumps = node.ways.way == Some(Way::Jump) && !node.ways.falls_through;
    if !jumps || !node.is_free() || node.entry || !only_goes(flow, node.code()) {
        return None;
    }
    if node.refs.is_empty() || is_fallen_into(flow, n) {
        return None;
    }
    let own = node.operands.iter().find_map(|o| o.expr)?;

    let mut edits = Vec::new();
    let mut saves = i64::from(node.size);
    for r in &node.refs {
        let Ref::Call(c) = *r else { return None };
        let call = flow.node(c);
        if !call.is_free() || call.ways.falls_through {
            return None;
        }
        let span = flow.program.item(call.at)?.span;
        let forms = callings(flow, own, span);
        saves += i64::from(call.size) - longest(flow, &forms);
        edits.push(edit(call.at, 1, vec![item(forms)?]));
    }
    edits.push(edit(node.at, 1, Vec::new()));
    if saves <= 0 {
        return None;
    }
    let mut p = Proposal::new(
        "a call of a jump",
        edits,
        saves,
        "flow, walked by the checker",
    );
    p.rests_on.push(to);
    Some(p)
}
