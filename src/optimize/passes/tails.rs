//! A call before a return becomes a jump, where the routine that is called looks at nothing
//! on the stack but its own.

use super::search::{item, jumps, longest};
use crate::optimize::flow::{Flow, goal};
use crate::optimize::ledger::Refused;
use crate::optimize::step::{Draft, Proposal, Step, edit};
use rustc_hash::FxHashSet;
use scrimp_isa::effects::Way;

/// The pass.
pub const STEP: Step = Step {
    name: "tail-calls",
    about: "a call before a return becomes a jump",
    walked: true,
    find,
};

fn find(flow: &Flow<'_, '_>) -> Draft {
    let mut draft = Draft::new(flow);
    // A call takes the place of the return address.
    if flow.is_linked() {
        return draft;
    }
    // Routines outside that read what stands behind their calls.
    let inline: FxHashSet<Option<u64>> = flow
        .nodes
        .list
        .iter()
        .filter(|n| n.inline)
        .map(|n| goal(flow.book, &n.ways))
        .collect();
    for n in 0..flow.nodes.list.len() as u32 {
        let node = flow.node(n);
        let call = node.ways.way == Some(Way::Call) && !node.ways.falls_through;
        let Some(next) = node.next.filter(|_| call && node.is_free()) else {
            continue;
        };
        let back = flow.node(next);
        let returns = back.ways.way == Some(Way::Return) && !back.ways.falls_through;
        if !returns || !back.is_free() || !flow.adjoins(n, next) {
            continue;
        }
        // Only a plain return: one that does more must be run.
        let plain = back.facts.as_ref().is_some_and(|f| !f.effects.controls);
        let Some(own) = node.operands.iter().find_map(|o| o.expr) else {
            if let Some(value) = node.operands.first().map(|o| o.value)
                && plain
            {
                number(flow, &mut draft, n, next, value, &inline);
            }
            continue;
        };
        if !plain {
            continue;
        }
        change(flow, &mut draft, (n, next), own, &inline);
    }
    draft
}

/// A goal that is only a number: outside of the program.
fn number(
    flow: &Flow<'_, '_>,
    draft: &mut Draft,
    n: u32,
    next: u32,
    value: i64,
    inline: &FxHashSet<Option<u64>>,
) {
    // An instruction that means its goal by itself has no operand for it.
    if flow.node(n).to.is_some() || goal(flow.book, &flow.node(n).ways) != u64::try_from(value).ok()
    {
        return;
    }
    let e = draft.expression(&[crate::program::eval::Op::Number(value)]);
    change(flow, draft, (n, next), e, inline);
}

fn change(
    flow: &Flow<'_, '_>,
    draft: &mut Draft,
    (n, next): (u32, u32),
    to: crate::program::symbol::ExprId,
    inline: &FxHashSet<Option<u64>>,
) {
    let (node, back) = (flow.node(n), flow.node(next));
    let Some(span) = flow.program.item(node.at).map(|i| i.span) else {
        return;
    };
    let mut forms = jumps(flow, to, span);
    if node.to.is_none() {
        // Too far away for a short form, wherever this ends up.
        let long = longest(flow, &forms);
        let len = |f: &crate::program::rewrite::NewForm| {
            i64::from(flow.program.forms[usize::from(f.0)].pattern.len)
        };
        forms.retain(|f| len(f) == long);
    }
    let size = longest(flow, &forms);
    let stays = back.is_reached();
    let saves = i64::from(node.size) - size + if stays { 0 } else { i64::from(back.size) };
    let Some(new) = item(forms) else {
        return;
    };
    let height = flow.routines.of[n as usize].iter().all(|&r| {
        let r = &flow.routines.list[r as usize];
        r.keeps_stack && r.height(n) == Some(0)
    });
    let known = !flow.routines.of[n as usize].is_empty() && !flow.routines.vague;
    let callee = match flow.routines.called(node) {
        Some(r) => r.keeps_all,
        None => node.to.is_none() && !inline.contains(&goal(flow.book, &node.ways)),
    };
    if !(height && known && callee) {
        if saves > 0 {
            draft.refused.push(Refused {
                pass: STEP.name,
                place: flow.place(n),
                what: format!("a jump for `{}` and the return", flow.text(n)),
                saved: saves,
                reason: match callee {
                    true => "the height of the stack is not known".into(),
                    false => "the routine may look at its return address".into(),
                },
            });
        }
        return;
    }
    let removed = if stays { 1 } else { 2 };
    let edits = vec![edit(node.at, removed, vec![new])];
    let mut p = Proposal::new("call and return", edits, saves, "flow, height of the stack");
    p.silent = stays;
    if let Some(to) = node.to {
        p.rests_on.push(to);
        p.facts
            .push("the routine keeps to its own part of the stack".into());
    }
    draft.proposals.push(p);
}
