//! Tails that stand twice: one of them becomes a jump into the other. A tail is some
//! instructions and where control goes behind them, a return or a place.

use super::runs::{Words, is_return};
use super::search::{expected, item, jumps, longest, only_goes};
use crate::optimize::flow::{Flow, Kind};
use crate::optimize::step::{Draft, Proposal, Step, edit};
use scrimp_isa::effects::Way;

/// The pass.
pub const STEP: Step = Step {
    name: "tails",
    about: "instructions before a return or a jump that stand twice stand once",
    walked: true,
    find,
};

/// Most instructions of a tail that are compared.
const MOST: usize = 64;
/// Tails beside one in their order that are tried.
const NEIGHBOURS: usize = 3;

/// The end of a tail.
struct Tail {
    /// Its last instruction; the jump or return itself, if it has one.
    last: u32,
    /// Whether it has one.
    explicit: bool,
    /// Numbers of its instructions from the end on, where control goes first.
    words: Vec<u32>,
    /// The nodes, likewise, without the jump.
    nodes: Vec<u32>,
}

fn find(flow: &Flow<'_, '_>) -> Draft {
    let mut draft = Draft::new(flow);
    let words = Words::new(flow);
    let mut tails = tails(flow, &words);
    tails.sort_by(|a, b| (&a.words, a.last).cmp(&(&b.words, b.last)));
    let mut found: Vec<(i64, Proposal)> = Vec::new();
    for i in 0..tails.len() {
        let near = i.saturating_sub(NEIGHBOURS)..(i + NEIGHBOURS + 1).min(tails.len());
        for j in near.filter(|&j| j != i) {
            if let Some(p) = share(flow, &mut draft, &tails[i], &tails[j]) {
                found.push(p);
            }
        }
    }
    found.sort_by_key(|(likely, p)| (std::cmp::Reverse(*likely), p.edits[0].at));
    draft.proposals = found.into_iter().map(|f| f.1).collect();
    draft
}

/// All tails: before returns, before jumps, and before places that something jumps to.
fn tails(flow: &Flow<'_, '_>, words: &Words) -> Vec<Tail> {
    /// Numbers of places begin here, those of returns behind.
    const PLACES: u32 = 1 << 30;
    let mut out = Vec::new();
    for n in 0..flow.nodes.list.len() as u32 {
        let node = flow.node(n);
        if !node.is_free() {
            continue;
        }
        let end = match node.ways.way {
            Some(Way::Return) if is_return(flow, n) => {
                words.of[n as usize].map(|w| (true, PLACES * 2 + w))
            }
            Some(Way::Jump) if !node.ways.falls_through && only_goes(flow, node.code()) => {
                let to = node.to.map(|to| settle(flow, to));
                to.filter(|&to| to != n).map(|to| (true, PLACES + to))
            }
            _ if node.ways.falls_through || node.ways.way == Some(Way::Call) => {
                let next = node.next.filter(|&x| flow.adjoins(n, x));
                let next =
                    next.filter(|&x| flow.node(x).kind == Kind::Code && flow.node(x).is_reached());
                next.map(|x| (false, PLACES + settle(flow, x)))
            }
            _ => None,
        };
        let Some((explicit, end)) = end else { continue };
        let mut tail = Tail {
            last: n,
            explicit,
            words: vec![end],
            nodes: Vec::new(),
        };
        let mut at = match explicit {
            true => before(flow, n),
            false => Some(n),
        };
        while let Some(x) = at.filter(|_| tail.nodes.len() < MOST) {
            let Some(w) = words.of[x as usize] else { break };
            tail.words.push(w);
            tail.nodes.push(x);
            at = before(flow, x);
        }
        out.push(tail);
    }
    out
}

/// Where one is after jumps that do nothing else.
fn settle(flow: &Flow<'_, '_>, n: u32) -> u32 {
    let mut at = n;
    for _ in 0..8 {
        let node = flow.node(at);
        let jumps = node.ways.way == Some(Way::Jump) && !node.ways.falls_through;
        match node
            .to
            .filter(|_| jumps && node.is_free() && only_goes(flow, node.code()))
        {
            Some(to) => at = to,
            None => break,
        }
    }
    at
}

/// The node from which control goes on to another right behind it.
fn before(flow: &Flow<'_, '_>, n: u32) -> Option<u32> {
    let x = n.checked_sub(1)?;
    let node = flow.node(x);
    let goes_on = node.ways.falls_through || node.ways.way == Some(Way::Call);
    (node.is_free() && flow.adjoins(x, n) && goes_on).then_some(x)
}

/// A jump from one tail into another in the place of what is the same, and what it will
/// likely save.
fn share(
    flow: &Flow<'_, '_>,
    draft: &mut Draft,
    own: &Tail,
    other: &Tail,
) -> Option<(i64, Proposal)> {
    if own.words[0] != other.words[0] {
        return None;
    }
    let mut same = 0;
    let mut bytes = 0;
    let mut best = None;
    // What goes may be reached at its start only.
    let mut closed = own.explicit && flow.node(own.last).is_reached();
    while !closed
        && same < own.nodes.len()
        && same < other.nodes.len()
        && own.words[same + 1] == other.words[same + 1]
        && own.nodes[same] != other.nodes[same]
        && !other.nodes.contains(&own.nodes[same])
        && !own.nodes[..=same].contains(&other.nodes[same])
    {
        bytes += i64::from(flow.node(own.nodes[same]).size);
        closed = flow.node(own.nodes[same]).is_reached();
        same += 1;
        best = Some((own.nodes[same - 1], other.nodes[same - 1]));
    }
    let (first, into) = best?;
    let jump = match own.explicit {
        true => i64::from(flow.node(own.last).size),
        false => 0,
    };
    let at = flow.node(first);
    let span = flow.program.item(at.at)?.span;
    let e = draft.address(flow, into);
    let mut forms = jumps(flow, e, span);
    forms.retain(|f| flow.in_reach(f.2[0].0, first, into));
    if forms.is_empty() {
        return None;
    }
    let size = longest(flow, &forms);
    let far = flow.node(into).address.abs_diff(at.address);
    let saves = bytes + jump - size;
    let likely = bytes + jump - expected(flow, &forms, far);
    if likely <= 0 {
        return None;
    }
    forms.truncate(4);
    let count = same as u32 + u32::from(own.explicit);
    let edits = vec![edit(at.at, count, vec![item(forms)?])];
    let rule = match other.explicit {
        true => "a tail stands twice",
        false => "a tail stands twice, before a place",
    };
    let mut p = Proposal::new(rule, edits, saves, "identity, walked by the checker");
    p.rests_on = other.nodes[..same].to_vec();
    if other.explicit {
        p.rests_on.push(other.last);
    }
    // Where it goes behind stays a goal.
    if let Some(to) = flow.node(other.last).to.filter(|_| other.explicit) {
        p.rests_on.push(to);
    }
    if !other.explicit {
        p.rests_on.extend(flow.node(other.last).next);
    }
    Some((likely, p))
}
