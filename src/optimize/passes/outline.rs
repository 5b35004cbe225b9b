//! Sequences that stand several times become a routine: found in a sorted list of all
//! suffixes. Where one of them stands before a return, that one is the routine.

use super::runs::{Room, Safe, Words, claimed, copy, is_return};
use super::search::{callings, expected, item, jumps, longest};
use crate::optimize::flow::{Flow, Node};
use crate::optimize::step::{Draft, Proposal, Step, edit};
use crate::program::eval::Op;
use crate::program::item::What;
use crate::program::rewrite::{NewForm, NewItem};
use rustc_hash::FxHashSet;
use scrimp_isa::effects::Way;

/// The pass.
pub const STEP: Step = Step {
    name: "outline",
    about: "sequences that stand several times become routines",
    walked: true,
    find,
};

/// Most instructions of a sequence.
const MOST: usize = 48;
/// Places for a routine that are tried, the nearest first.
const HOMES: usize = 400;

/// Sequences of equal instructions: where they begin, and how many instructions they have.
#[derive(Clone, Debug)]
struct Repeat {
    starts: Vec<usize>,
    len: usize,
}

/// All nodes that may stand in a routine, in order, with a mark where control may come from
/// elsewhere.
struct Text {
    /// Number of the instruction; those of marks are all different.
    words: Vec<u32>,
    /// The node; `u32::MAX` for a mark.
    nodes: Vec<u32>,
}

fn find(flow: &Flow<'_, '_>) -> Draft {
    let mut draft = Draft::new(flow);
    if flow.routines.vague {
        return draft;
    }
    let Some(costs) = Costs::of(flow) else {
        return draft;
    };
    let safe = Safe::new(flow);
    let text = text(flow, &safe);
    let mut room = Room::new(flow);
    let mut homes = homes(flow);
    let mut taken: FxHashSet<u32> = FxHashSet::default();
    let mut repeats: Vec<(i64, Repeat)> = repeats(&text)
        .into_iter()
        .filter_map(|r| best(flow, &safe, &text, &r, (&costs, &taken)))
        .collect();
    repeats.sort_by(|a, b| {
        let key = |r: &(i64, Repeat)| (std::cmp::Reverse(r.0), r.1.starts[0]);
        key(a).cmp(&key(b))
    });
    for (_, r) in repeats {
        // What an earlier one took is no longer there.
        let Some((_, r)) = best(flow, &safe, &text, &r, (&costs, &taken)) else {
            continue;
        };
        if let Some(p) = propose(flow, &mut draft, &text, &r, (&mut room, &mut homes), &costs) {
            for &s in &r.starts {
                taken.extend(&text.nodes[s..s + r.len]);
                // What stands before and behind is part of nothing else for now.
                taken.extend(flow.node(text.nodes[s + r.len - 1]).next);
            }
            draft.proposals.push(p);
        }
    }
    draft
}

fn text(flow: &Flow<'_, '_>, safe: &Safe) -> Text {
    let words = Words::new(flow);
    let mut next = words.of.iter().flatten().max().map_or(0, |w| w + 1);
    let mut text = Text {
        words: Vec::new(),
        nodes: Vec::new(),
    };
    let mut mark = |text: &mut Text| {
        text.words.push(next);
        text.nodes.push(u32::MAX);
        next += 1;
    };
    for n in 0..flow.nodes.list.len() as u32 {
        // High enough for each pop; whether it holds is looked at later.
        let fits = safe.height(flow, n, 1 << 20).is_some();
        let Some(word) = words.of[n as usize].filter(|_| fits) else {
            mark(&mut text);
            continue;
        };
        let follows = n > 0 && flow.adjoins(n - 1, n);
        if !follows || flow.node(n).is_reached() {
            mark(&mut text);
        }
        text.words.push(word);
        text.nodes.push(n);
    }
    mark(&mut text);
    text
}

/// All sequences that stand twice or more and cannot be longer for all that do.
fn repeats(text: &Text) -> Vec<Repeat> {
    let suffix = |i: usize| &text.words[i..(i + MOST).min(text.words.len())];
    let mut order: Vec<usize> = (0..text.words.len()).collect();
    order.retain(|&i| text.nodes[i] != u32::MAX);
    order.sort_by(|&a, &b| suffix(a).cmp(suffix(b)).then(a.cmp(&b)));
    let common = |a: usize, b: usize| {
        let both = suffix(a).iter().zip(suffix(b));
        both.take_while(|(x, y)| x == y).count()
    };
    let mut out = Vec::new();
    // Intervals of the sorted list that have a prefix in common: its length, its start.
    let mut open: Vec<(usize, usize)> = Vec::new();
    for i in 1..=order.len() {
        let len = match i < order.len() {
            true => common(order[i - 1], order[i]),
            false => 0,
        };
        let mut start = i - 1;
        while let Some(&(l, s)) = open.last().filter(|o| o.0 > len) {
            open.pop();
            let mut starts = order[s..i].to_vec();
            starts.sort_unstable();
            out.push(Repeat { starts, len: l });
            start = s;
        }
        if len > 0 && open.last().is_none_or(|o| o.0 < len) {
            open.push((len, start));
        }
    }
    out
}

/// The length at which a repeat saves most, and what it saves there.
fn best(
    flow: &Flow<'_, '_>,
    safe: &Safe,
    text: &Text,
    r: &Repeat,
    (costs, taken): (&Costs, &FxHashSet<u32>),
) -> Option<(i64, Repeat)> {
    let mut heights = Vec::new();
    let mut height = 0;
    let first = *r.starts.first()?;
    for i in 0..r.len {
        match safe.height(flow, text.nodes[first + i], height) {
            Some(h) => height = h,
            None => break,
        }
        heights.push(height);
    }
    let mut found: Option<(i64, Repeat)> = None;
    for len in (1..=heights.len()).filter(|&l| heights[l - 1] == 0) {
        let mut starts = Vec::new();
        let mut end = 0;
        for &s in &r.starts {
            let own = &text.nodes[s..s + len];
            if s >= end && !own.iter().any(|n| taken.contains(n)) {
                starts.push(s);
                end = s + len;
            }
        }
        let now = |s: usize| -> i64 {
            let own = text.nodes[s..s + len].iter();
            own.map(|&n| i64::from(flow.node(n).size)).sum()
        };
        // Calls go to the one in the middle, or to one that is the end of a routine; those
        // whose call is no shorter stay.
        let own = starts
            .iter()
            .position(|&s| returns(flow, text, s, len).is_some());
        let Some(&goal) = starts.get(own.unwrap_or(starts.len() / 2)) else {
            continue;
        };
        let at = |s: usize| flow.node(text.nodes[s]).address;
        let gain = |s: usize| now(s) - expected(flow, &costs.calls, at(s).abs_diff(at(goal)));
        starts.retain(|&s| own.is_some() && s == goal || gain(s) > 0);
        if starts.len() < 2 {
            continue;
        }
        let calls = starts.iter().filter(|&&s| own.is_none() || s != goal);
        let mut saves: i64 = calls.map(|&s| gain(s)).sum();
        if own.is_none() {
            let last = text.nodes[goal + len - 1];
            saves -= now(goal)
                + if ends_in_call(flow, last) {
                    0
                } else {
                    costs.back
                };
        }
        if saves > 0 && found.as_ref().is_none_or(|f| f.0 < saves) {
            found = Some((saves, Repeat { starts, len }));
        }
    }
    found
}

/// Whether a node is a call of a place that it names: at the end of a routine it is a jump.
fn ends_in_call(flow: &Flow<'_, '_>, n: u32) -> bool {
    let node = flow.node(n);
    let named = node.operands.iter().any(|o| o.expr.is_some());
    node.ways.way == Some(Way::Call) && node.to.is_some() && named
}

/// The instructions of a routine, with what takes it back, and their bytes: of several forms
/// the longest.
fn routine(flow: &Flow<'_, '_>, body: &[u32], ret: u32) -> Option<(Vec<NewItem>, i64)> {
    let (&last, rest) = body.split_last()?;
    let mut items: Vec<NewItem> = rest.iter().map(|&n| copy(flow, n)).collect::<Option<_>>()?;
    let mut size: i64 = rest.iter().map(|&n| claimed(flow, n)).sum();
    if ends_in_call(flow, last) {
        let node = flow.node(last);
        let to = node.operands.iter().find_map(|o| o.expr)?;
        let forms = jumps(flow, to, flow.program.item(node.at)?.span);
        size += longest(flow, &forms);
        items.push(item(forms)?);
    } else {
        size += claimed(flow, last) + i64::from(flow.node(ret).size);
        items.extend([copy(flow, last)?, copy(flow, ret)?]);
    }
    Some((items, size))
}

/// The return behind a sequence.
fn returns(flow: &Flow<'_, '_>, text: &Text, start: usize, len: usize) -> Option<u32> {
    let last = text.nodes[start + len - 1];
    let next = flow.node(last).next?;
    (flow.adjoins(last, next) && is_return(flow, next)).then_some(next)
}

/// What calls and returns cost.
struct Costs {
    /// The forms of calls.
    calls: Vec<NewForm>,
    /// Bytes of a return.
    back: i64,
    /// A return.
    ret: u32,
    /// Clocks of a call and a return, the least and the most.
    times: Option<(i64, i64)>,
}

impl Costs {
    fn of(flow: &Flow<'_, '_>) -> Option<Self> {
        let nowhere = crate::program::symbol::ExprId { start: 0, len: 0 };
        let span = crate::text::source::Span::new(crate::text::source::SourceId(0), 0, 0);
        let calls = callings(flow, nowhere, span);
        let ret = (0..flow.nodes.list.len() as u32).find(|&n| is_return(flow, n))?;
        let back = flow.node(ret).size.into();
        let back_times = flow.node(ret).facts.as_ref()?.times;
        let of = |form: &NewForm| {
            let len = flow.program.forms[usize::from(form.0)].pattern.len;
            let facts = flow.book.facts(&form.1.to_le_bytes()[..usize::from(len)])?;
            Some(facts.times)
        };
        let all: Option<Vec<(u8, u8)>> = calls.iter().map(of).collect();
        let least = |t: &[(u8, u8)]| t.iter().map(|t| i64::from(t.0)).min();
        let most = |t: &[(u8, u8)]| t.iter().map(|t| i64::from(t.1)).max();
        let times = all.and_then(|t| {
            let (less, more) = (i64::from(back_times.0), i64::from(back_times.1));
            Some((least(&t)? + less, most(&t)? + more))
        });
        (!calls.is_empty()).then_some(Self {
            calls,
            back,
            ret,
            times,
        })
    }
}

/// What control does not go on behind, where a routine may stand: instructions of one form.
fn homes(flow: &Flow<'_, '_>) -> Vec<u32> {
    let all = (0..flow.nodes.list.len() as u32).filter(|&n| {
        let node = flow.node(n);
        let ends = matches!(node.ways.way, Some(Way::Return | Way::Jump));
        let one = |n: &Node| {
            let what = flow.program.item(n.at).map(|i| i.what);
            matches!(what, Some(What::Instruction { .. }))
        };
        node.is_free() && node.at.plus == 0 && ends && !node.ways.falls_through && one(node)
    });
    all.collect()
}

/// Of the homes near the middle of a repeat the first outside of it that has room behind it,
/// by its place in the list.
fn near_home(
    flow: &Flow<'_, '_>,
    text: &Text,
    r: &Repeat,
    homes: &[u32],
    mut take: impl FnMut(u64) -> bool,
) -> Option<usize> {
    let middle = flow.node(text.nodes[r.starts[r.starts.len() / 2]]).address;
    let mut near: Vec<usize> = (0..homes.len()).collect();
    near.sort_by_key(|&i| flow.node(homes[i]).address.abs_diff(middle));
    near.truncate(HOMES);
    near.into_iter().find(|&i| {
        let (h, at) = (homes[i], flow.node(homes[i]));
        let within = |&s: &usize| text.nodes[s..s + r.len].contains(&h);
        !r.starts.iter().any(within) && take(at.address + u64::from(at.size))
    })
}

fn propose(
    flow: &Flow<'_, '_>,
    draft: &mut Draft,
    text: &Text,
    r: &Repeat,
    (room, homes): (&mut Room, &mut Vec<u32>),
    costs: &Costs,
) -> Option<Proposal> {
    let body: Vec<u32> = text.nodes[r.starts[0]..r.starts[0] + r.len].to_vec();
    let span = flow.program.item(flow.node(body[0]).at)?.span;
    let own = r
        .starts
        .iter()
        .position(|&s| returns(flow, text, s, r.len).is_some());
    let mut edits = Vec::new();
    let mut rests_on = Vec::new();
    let (mut saves, mut likely) = (0, 0);
    let goal;
    let to = match own {
        Some(i) => {
            let start = r.starts[i];
            goal = flow.node(text.nodes[start]).address;
            rests_on.extend(&text.nodes[start..start + r.len]);
            rests_on.extend(returns(flow, text, start, r.len));
            draft.address(flow, text.nodes[start])
        }
        None => {
            let (own, size) = routine(flow, &body, costs.ret)?;
            let now: i64 = body.iter().map(|&n| i64::from(flow.node(n).size)).sum();
            let call = longest(flow, &costs.calls);
            let sites = r.starts.iter().map(|&s| flow.node(text.nodes[s]).address);
            let less: Vec<(u64, i64)> = sites.map(|a| (a, now - call)).collect();
            let i = near_home(flow, text, r, homes, |end| room.take(end, size, &less))?;
            let home = homes.remove(i);
            goal = flow.node(home).address;
            let label = draft.label();
            let mut items: Vec<NewItem> = vec![copy(flow, home)?];
            items.extend(own);
            let mut at_home = edit(flow.node(home).at, 1, items);
            at_home.labels.push((1, label));
            edits.push(at_home);
            saves -= size;
            likely -= now;
            if !ends_in_call(flow, *body.last()?) {
                likely -= i64::from(flow.node(costs.ret).size);
            }
            draft.expression(&[Op::Symbol(label)])
        }
    };
    let forms = callings(flow, to, span);
    let call = longest(flow, &forms);
    for (i, &s) in r.starts.iter().enumerate() {
        if Some(i) == own {
            continue;
        }
        let nodes = &text.nodes[s..s + r.len];
        let now: i64 = nodes.iter().map(|&n| i64::from(flow.node(n).size)).sum();
        saves += now - call;
        let far = flow.node(nodes[0]).address.abs_diff(goal);
        likely += now - expected(flow, &forms, far);
        let new = item(forms.clone())?;
        edits.push(edit(flow.node(nodes[0]).at, r.len as u32, vec![new]));
    }
    if likely <= 0 {
        return None;
    }
    let rule = match own {
        Some(_) => "a sequence is the end of a routine",
        None => "a sequence becomes a routine",
    };
    let mut p = Proposal::new(rule, edits, saves, "identity, walked by the checker");
    p.rests_on = rests_on;
    // A call that becomes a jump takes another time than the one that it stands for.
    let returns = own.is_some() || !ends_in_call(flow, *body.last()?);
    p.time = costs.times.filter(|_| returns);
    p.facts
        .push("the stack is a stack, and what it calls looks at nothing on it".into());
    Some(p)
}
