//! What is put on the stack and taken back into the same registers for nothing: they do not
//! change in between, or nobody reads them behind it.

use super::runs::Safe;
use crate::optimize::flow::{ALL, Flow, Node, calls};
use crate::optimize::step::{Draft, Proposal, edit};
use scrimp_isa::depend::Inputs;
use scrimp_isa::state::place;

/// Instructions between both, at most.
const FAR: usize = 200;

/// All such pairs.
pub fn find(flow: &Flow<'_, '_>, draft: &mut Draft) {
    if flow.is_linked() {
        return;
    }
    let safe = Safe::new(flow);
    for n in 0..flow.nodes.list.len() as u32 {
        let lift = lift(flow, n);
        if lift >= 0 || !flow.node(n).is_free() || !safe.is_sound(n) {
            continue;
        }
        draft.proposals.extend(pair(flow, &safe, n, -lift));
    }
}

/// How far an instruction lifts the stack pointer that does nothing else with control.
fn lift(flow: &Flow<'_, '_>, n: u32) -> i32 {
    let node = flow.node(n);
    let facts = node.facts.as_ref().filter(|_| node.ways.way.is_none());
    facts.and_then(|f| f.lift).unwrap_or(0)
}

/// Locations that an instruction puts on the stack, which is all that it does, or takes from
/// there.
fn moved(flow: &Flow<'_, '_>, node: &Node) -> Option<Inputs> {
    let f = node.facts.as_ref()?;
    let e = &f.effects;
    let stack = flow.book.stack();
    let layout = flow.book.semantics.layout();
    let apart = stack.and(layout.of_cells(layout.quiet));
    let plain = !(e.input || e.output || e.controls || e.reads_program);
    let own = f.pointers.without(stack).is_empty();
    if !plain || !own {
        return None;
    }
    let registers = |i: Inputs| Inputs(i.0 & ((1 << place::OTHERS) - 1)).without(apart);
    match (e.reads_memory, e.writes_memory) {
        (false, true) => {
            let all = registers(e.reads());
            (registers(e.writes).is_empty() && !all.is_empty()).then_some(all)
        }
        (true, false) => {
            let all = registers(e.writes);
            (registers(e.reads()).is_empty() && !all.is_empty()).then_some(all)
        }
        _ => None,
    }
}

/// What puts so many bytes on the stack, with what takes them back.
fn pair(flow: &Flow<'_, '_>, safe: &Safe, first: u32, bytes: i32) -> Option<Proposal> {
    let put = moved(flow, flow.node(first))?;
    let stack = flow.book.stack();
    // Bytes above those.
    let mut height = 0;
    let mut between = Vec::new();
    let mut changed = Inputs::NONE;
    let mut at = first;
    for _ in 0..FAR {
        let n = flow.node(at).next.filter(|&x| flow.adjoins(at, x))?;
        let node = flow.node(n);
        if !node.is_free() || node.is_reached() || !safe.is_sound(n) {
            return None;
        }
        let lifts = lift(flow, n);
        if height == 0 && lifts > 0 {
            let both = (lifts == bytes).then_some((first, n))?;
            return taken(flow, both, (put, changed), between);
        }
        let f = node.facts.as_ref()?;
        // What stands on the stack is looked at in its place.
        if lifts == 0 && f.pointers.0 & stack.0 != 0 && !calls(node) {
            return None;
        }
        height = safe.height(flow, n, height)?;
        changed = changed.and(match calls(node) {
            true => flow.routines.changed_by(n, node).unwrap_or(ALL),
            false => f.effects.writes,
        });
        between.push(n);
        at = n;
    }
    None
}

/// Both go, if that does nothing to what is read behind them.
fn taken(
    flow: &Flow<'_, '_>,
    (first, last): (u32, u32),
    (put, changed): (Inputs, Inputs),
    between: Vec<u32>,
) -> Option<Proposal> {
    let taken = moved(flow, flow.node(last))?;
    let read = Inputs(taken.0 & flow.live.after[last as usize].0);
    let same = put == taken && Inputs(read.0 & changed.0).is_empty();
    if !same && !read.is_empty() {
        return None;
    }
    let (a, b) = (flow.node(first), flow.node(last));
    let edits = vec![edit(a.at, 1, Vec::new()), edit(b.at, 1, Vec::new())];
    let rule = match read.is_empty() {
        true => "kept for nobody",
        false => "kept without need",
    };
    let saves = i64::from(a.size + b.size);
    let mut p = Proposal::new(rule, edits, saves, "liveness");
    let times = [a, b].map(|n| n.facts.as_ref().map_or((0, 0), |f| f.times));
    let sum = |t: fn((u8, u8)) -> u8| times.iter().map(|&x| i64::from(t(x))).sum::<i64>();
    p.time = Some((-sum(|t| t.0), -sum(|t| t.1)));
    p.rests_on = between;
    Some(p)
}
