//! Passes that only move code about do not have the last word: what they made is walked by
//! the checker, which knows nothing of them. A change that it doubts is not made.

use super::apply::{Done, apply};
use super::contract::Extent;
use super::flow::{Flow, goal};
use super::ledger::Refused;
use super::step::{Draft, Proposal, Step};
use crate::check::{Doubt, Given, Reach, Said, check};
use crate::program::symbol::SymbolId;
use rustc_hash::FxHashSet;

/// So often a draft is tried with less in it.
const TRIES: usize = 16;

/// Makes what of a draft can be made and what the checker takes.
pub fn walked<'p>(
    flow: &Flow<'_, 'p>,
    step: &Step,
    mut draft: Draft,
    inner: &FxHashSet<SymbolId>,
) -> (Option<Done<'p>>, Vec<Refused>) {
    let mut refused = Vec::new();
    let said = said(flow);
    for _ in 0..TRIES {
        let count = draft.proposals.len();
        let Some(done) = apply(flow, step, draft.clone()) else {
            // One of them may be what does not fit.
            if count < 2 {
                return (None, refused);
            }
            draft.proposals.truncate(count / 2);
            continue;
        };
        if !step.walked || !done.broken.is_empty() {
            return (Some(done), refused);
        }
        let inline: FxHashSet<u64> = flow
            .nodes
            .list
            .iter()
            .filter(|n| n.inline)
            .filter_map(|n| goal(flow.book, &n.ways))
            .collect();
        let given = Given {
            trusted: &|a| !inline.contains(&a),
            inner,
            said: &said,
        };
        let Err(doubts) = check(flow.program, &done.program, &given) else {
            return (Some(done), refused);
        };
        let (doubted, rest): (Vec<Proposal>, Vec<Proposal>) = draft
            .proposals
            .into_iter()
            .partition(|p| doubts.iter().any(|d| is_about(d, p)));
        draft.proposals = rest;
        if doubted.is_empty() {
            draft.proposals.truncate(count / 2);
        }
        let what = |d: &Doubt| Refused {
            pass: step.name,
            place: d.old.clone(),
            what: d.new.clone(),
            saved: 0,
            reason: format!("the checker doubts it: {}", d.why.text()),
        };
        refused.extend(doubts.iter().take(2).map(what));
        if draft.proposals.is_empty() {
            return (None, refused);
        }
    }
    (None, refused)
}

/// Whether a doubt is about what a change takes away.
fn is_about(d: &Doubt, p: &Proposal) -> bool {
    d.at.is_some_and(|a| {
        p.edits.iter().any(|e| {
            let own = e.at.item..e.at.item + e.removed.max(1);
            e.at.chunk == a.chunk && own.contains(&a.item)
        })
    })
}

/// What contracts say, for the checker.
fn said(flow: &Flow<'_, '_>) -> Said {
    let mut out = Said::default();
    if flow.contracts.is_empty() {
        return out;
    }
    out.numbers = flow.contracts.numbers;
    for r in &flow.routines.list {
        if r.terms.as_ref().is_some_and(|t| t.returns) {
            out.returns.insert(flow.node(r.entry).address);
        }
    }
    for (&n, &next) in &flow.nodes.inlined {
        let (call, next) = (flow.node(n), flow.node(next));
        let count = next.address - call.address - u64::from(call.size);
        out.takes.insert(call.address, count);
    }
    for (&id, terms) in &flow.contracts.labels {
        let reach = terms.extent.map(|e| match e {
            Extent::Bytes(n) => Reach::Bytes(n),
            Extent::Label(l) => Reach::Label(l),
            Extent::Instructions(n) => Reach::Items(n),
            Extent::Jumps => Reach::Jumps,
        });
        out.reaches.extend(reach.map(|r| (id, r)));
    }
    for node in &flow.nodes.list {
        let Some(item) = flow.program.item(node.at) else {
            continue;
        };
        for o in node.operands.iter().filter(|o| o.width >= 16) {
            if flow.contracts.is_plain(flow.program, item.span, o.value) {
                let span = flow.program.sources.in_file(item.span);
                let own = (span.source.0, span.start, o.value & 0xffff);
                out.plain.insert(own);
            }
        }
    }
    out
}
