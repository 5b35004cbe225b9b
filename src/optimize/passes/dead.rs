//! Instructions that control never comes to.

use crate::optimize::flow::{Flow, Kind, Ref, calls, within};
use crate::optimize::step::{Draft, Proposal, Step, edit};

/// The pass.
pub const STEP: Step = Step {
    name: "unreachable",
    about: "instructions that control never comes to",
    walked: true,
    find,
};

fn find(flow: &Flow<'_, '_>) -> Draft {
    let mut draft = Draft::new(flow);
    let list = &flow.nodes.list;
    let mut reached = vec![false; list.len()];
    let mut open: Vec<u32> = Vec::new();
    for (n, node) in (0..).zip(list) {
        let named = |r: &Ref| matches!(r, Ref::Value(_) | Ref::Other);
        let data = node.kind != Kind::Code;
        if data || node.entry || node.pin.is_some() || node.refs.iter().any(named) {
            open.push(n);
        }
    }
    while let Some(n) = open.pop() {
        if std::mem::replace(&mut reached[n as usize], true) {
            continue;
        }
        let node = flow.node(n);
        open.extend(within(node));
        open.extend(node.to.filter(|_| calls(node)));
    }
    let mut n = 0;
    while n < list.len() {
        let first = n;
        let mut size = 0;
        while n < list.len()
            && !reached[n]
            && list[n].is_free()
            && list[n].at.chunk == list[first].at.chunk
        {
            size += i64::from(list[n].size);
            n += 1;
        }
        if n > first {
            let count = (n - first) as u32;
            let edits = vec![edit(list[first].at, count, Vec::new())];
            let mut p = Proposal::new("never reached", edits, size, "flow");
            p.time = Some((0, 0));
            draft.proposals.push(p);
        } else {
            n += 1;
        }
    }
    draft
}
