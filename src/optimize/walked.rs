//! Passes that only move code about do not have the last word: what they made is walked by
//! the checker, which knows nothing of them. A change that it doubts is not made.

use super::apart::{Places, is_between};
use super::apply::{Done, apply};
use super::contract::Extent;
use super::flow::{Flow, Shape, Touch, goal};
use super::ledger::Refused;
use super::passes::UNREACHABLE;
use super::step::{Draft, Proposal, Step};
use super::wanted::name;
use crate::check::{Checker, Doubt, Given, Reach, Said, Used};
use crate::program::symbol::{Anchor, ExprId, SymbolId};
use rustc_hash::{FxHashMap, FxHashSet};

/// So often a draft is tried with less in it.
const TRIES: usize = 48;
/// So often what does not fit is looked for.
const FITS: usize = 24;
/// Doubts that are told of one try.
const TOLD: usize = 2;

/// What the checker doubted before: it is not tried again.
pub type Doubted = FxHashSet<String>;

/// Makes what of a draft can be made and what the checker takes.
pub fn walked<'p>(
    flow: &Flow<'_, 'p>,
    step: &Step,
    mut draft: Draft,
    inner: &FxHashSet<SymbolId>,
    (checker, doubted): (&mut Checker, &mut Doubted),
) -> (Option<Done<'p>>, Vec<Refused>) {
    let mut refused = Vec::new();
    let places = Places::of(flow);
    draft.proposals.retain(|p| !places.takes_away(p));
    if !step.walked {
        return (applied(flow, step, &places, &mut draft), refused);
    }
    let name = |p: &Proposal| name(flow, step, p);
    draft.proposals.retain(|p| !doubted.contains(&name(p)));
    let (known, said) = (uses(flow), said(flow));
    let inline: FxHashSet<u64> = flow
        .nodes
        .list
        .iter()
        .filter(|n| n.inline)
        .filter_map(|n| goal(flow.book, &n.ways))
        .collect();
    for _ in 0..TRIES {
        let Some(done) = applied(flow, step, &places, &mut draft) else {
            return (None, refused);
        };
        if !done.broken.is_empty() {
            return (Some(done), refused);
        }
        let given = Given {
            trusted: &|a| !inline.contains(&a),
            inner,
            said: &said,
            pages: false,
            uses: &|e, v| used(&known, e, v),
        };
        let Err(doubts) = checker.check(flow.program, &done.program, &given) else {
            if !leave_unmet(step, &mut draft, &checker.unmet, |p| {
                doubted.insert(name(p));
            }) {
                return (Some(done), refused);
            }
            if draft.proposals.is_empty() {
                return (None, refused);
            }
            continue;
        };
        let what = |d: &Doubt| Refused {
            pass: step.name,
            place: d.old.clone(),
            what: d.new.clone(),
            saved: 0,
            reason: format!("the checker doubts it: {}", d.why.text()),
        };
        refused.extend(doubts.iter().take(TOLD).map(what));
        let count = draft.proposals.len();
        let about = About::of(&doubts, &done);
        let mut bad = |p: &Proposal, near: bool| {
            let is = about.has(p, near);
            is.then(|| doubted.insert(name(p))).is_some()
        };
        draft.proposals.retain(|p| !bad(p, false));
        if draft.proposals.len() == count {
            draft.proposals.retain(|p| !bad(p, true));
        }
        if draft.proposals.len() == count {
            let rest = draft.proposals.split_off(count / 2);
            if count == 1 {
                doubted.extend(rest.iter().map(name));
            }
        }
        if draft.proposals.is_empty() {
            return (None, refused);
        }
    }
    (None, refused)
}

/// Makes what of a draft fits; what does not is left out.
fn applied<'p>(
    flow: &Flow<'_, 'p>,
    step: &Step,
    places: &Places,
    draft: &mut Draft,
) -> Option<Done<'p>> {
    loop {
        let done = match apply(flow, step, draft.clone()) {
            Some(done) => done,
            None => fitting(flow, step, draft)?,
        };
        let met = places.met(flow, &done);
        if met.is_empty() {
            return Some(done);
        }
        let count = draft.proposals.len();
        draft.proposals.retain(|p| !is_between(flow, p, &met));
        if draft.proposals.len() < count {
            continue;
        }
        if count < 2 {
            return None;
        }
        draft.proposals.truncate(count / 2);
    }
}

/// Leaves those of a draft that fit together: what does not with those before it is looked for
/// by halves.
fn fitting<'p>(flow: &Flow<'_, 'p>, step: &Step, draft: &mut Draft) -> Option<Done<'p>> {
    let all = std::mem::take(&mut draft.proposals);
    let mut open = Vec::from([(0, all.len())]);
    let mut tries = FITS;
    let mut made = None;
    while let Some((from, to)) = open.pop() {
        let count = draft.proposals.len();
        draft.proposals.extend_from_slice(&all[from..to]);
        // All of them together do not.
        let tried = (to - from < all.len()).then(|| apply(flow, step, draft.clone()));
        if let Some(Some(done)) = tried {
            made = Some(done);
            continue;
        }
        draft.proposals.truncate(count);
        tries -= 1;
        if tries == 0 {
            break;
        }
        if to - from > 1 {
            let middle = from.midpoint(to);
            open.extend([(middle, to), (from, middle)]);
        }
    }
    made
}

/// How values are used: by the start of their expressions, or by themselves.
type Uses = FxHashMap<Result<(u32, u32), i64>, Used>;

fn key(e: Option<ExprId>, v: i64) -> Result<(u32, u32), i64> {
    e.map(|e| (e.start, e.len)).ok_or(v & 0xffff)
}

fn used(known: &Uses, e: Option<ExprId>, v: i64) -> Used {
    known.get(&key(e, v)).copied().unwrap_or(Used::Unknown)
}

/// How the old program uses what may be the address of code.
fn uses(flow: &Flow<'_, '_>) -> Uses {
    let mut out = Uses::default();
    for (&n, taken) in &flow.nodes.uses {
        for o in flow.node(n).operands.iter().filter(|o| o.width >= 16) {
            let used = match (&o.shape, taken.touch) {
                (Shape::Number, _) if !taken.is_address() => Used::Number,
                (Shape::Address(..), Touch::No) if taken.is_whole() => Used::Whole,
                (Shape::Address(..), Touch::Exact) if !taken.counted => Used::Exact,
                _ => Used::Unknown,
            };
            let all = out.entry(key(o.expr, o.value)).or_insert(used);
            *all = used.min(*all);
        }
    }
    out
}

/// What doubts are about.
struct About {
    /// Items of the old program, in order.
    items: Vec<(u32, u32)>,
    /// Edits that bring what is doubted.
    brought: FxHashSet<Anchor>,
    /// The last edits before those items.
    near: FxHashSet<Anchor>,
}

impl About {
    fn of(doubts: &[Doubt], done: &Done<'_>) -> Self {
        let old = doubts.iter().filter_map(|d| d.at);
        let mut items: Vec<_> = old.map(|a| (a.chunk, a.item)).collect();
        items.sort_unstable();
        items.dedup();
        let mut edits: Vec<&Anchor> = done.came.iter().map(|c| &c.2).collect();
        edits.sort_by_key(|a| (a.chunk, a.item));
        let last = |&(chunk, item): &(u32, u32)| {
            let count = edits.partition_point(|a| (a.chunk, a.item) <= (chunk, item));
            let last = edits[..count].last().filter(|a| a.chunk == chunk);
            last.map(|a| **a)
        };
        let new: FxHashSet<_> = doubts
            .iter()
            .filter_map(|d| d.new_at.map(|a| (a.chunk, a.item)))
            .collect();
        let brings = |c: &&(Anchor, u32, Anchor)| {
            let mut own = c.0.item..c.0.item + c.1.max(1);
            c.2.chunk == c.0.chunk && own.any(|item| new.contains(&(c.0.chunk, item)))
        };
        Self {
            near: items.iter().filter_map(last).collect(),
            brought: done.came.iter().filter(brings).map(|c| c.2).collect(),
            items,
        }
    }

    /// Whether one is about what a change takes away or brings; with `near` what stands last
    /// before it.
    fn has(&self, p: &Proposal, near: bool) -> bool {
        p.edits.iter().any(|e| {
            let from = (e.at.chunk, e.at.item);
            let first = self.items.partition_point(|&i| i < from);
            let behind = (from.0, from.1 + e.removed.max(1));
            let taken = self.items.get(first).is_some_and(|&i| i < behind);
            taken || self.brought.contains(&e.at) || near && self.near.contains(&e.at)
        })
    }
}

/// Leaves out what changes instructions that the checker did not come to, of which it has shown
/// nothing: they may only go. Whether there is such; it is told of.
fn leave_unmet(
    step: &Step,
    draft: &mut Draft,
    unmet: &FxHashSet<Anchor>,
    mut told: impl FnMut(&Proposal),
) -> bool {
    let before = draft.proposals.len();
    if step.name != UNREACHABLE {
        draft.proposals.retain(|p| {
            let bad = is_unmet(p, unmet);
            if bad {
                told(p);
            }
            !bad
        });
    }
    draft.proposals.len() < before
}

/// Whether a proposal changes instructions that the checker did not come to.
fn is_unmet(p: &Proposal, unmet: &FxHashSet<Anchor>) -> bool {
    let mut own = p.edits.iter().flat_map(|e| {
        (e.at.item..e.at.item + e.removed).map(|item| Anchor {
            item,
            plus: 0,
            ..e.at
        })
    });
    own.any(|a| unmet.contains(&a))
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
