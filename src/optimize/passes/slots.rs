//! What passes find where the word behind a jump runs before that leads anywhere: all words that
//! stay run at the clocks at which they ran.

use super::{dead, merge, twins};
use crate::optimize::flow::Flow;
use crate::optimize::step::{Draft, Proposal, edit};

/// What a pass finds here.
type Find = fn(&Flow<'_, '_>) -> Draft;

/// The passes that find something here, by their names.
pub const ALL: &[(&str, Find)] = &[
    (dead::STEP.name, unreached),
    (merge::STEP.name, twins::find),
];

/// Words that control never comes to.
fn unreached(flow: &Flow<'_, '_>) -> Draft {
    let mut draft = Draft::new(flow);
    let Some(reached) = flow.slotted.as_ref().map(|s| &s.reached) else {
        return draft;
    };
    let list = &flow.nodes.list;
    let goes = |n: usize| !reached[n] && list[n].is_free();
    let mut n = 0;
    while n < list.len() {
        let first = n;
        let mut size = 0;
        while n < list.len() && goes(n) && list[n].at.chunk == list[first].at.chunk {
            size += i64::from(list[n].size);
            n += 1;
        }
        if n == first {
            n += 1;
            continue;
        }
        let edits = vec![edit(list[first].at, (n - first) as u32, Vec::new())];
        let mut p = Proposal::new("never reached", edits, size, "flow");
        p.time = Some((0, 0));
        draft.proposals.push(p);
    }
    draft
}
