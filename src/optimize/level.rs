//! Data that changes before them pushed behind where they were, and for which there is no room
//! farther on in their page: what stands before them may only grow as far as it has shrunk. So may
//! what stands behind the last room for what is held, where the whole would become longer.

use super::flow::{Flow, Placed, last_room};
use super::step::{Draft, Proposal};
use crate::program::Program;
use crate::program::item::What;
use crate::program::rewrite::NewItem;
use crate::program::symbol::{Anchor, SymbolId};

/// Labels that stay at their addresses or come before them, and ends of chunks.
#[derive(Clone, Debug, Default)]
pub struct Levels {
    labels: Vec<(SymbolId, u64)>,
    /// Of each chunk its bytes, if it may not become longer.
    sizes: Option<Vec<u64>>,
}

impl Levels {
    /// One more, the label at a place of the start; whether there is such a label that was not
    /// one before.
    pub fn add(&mut self, start: &Program<'_>, placed: &Placed, at: Anchor) -> bool {
        let is = |id: &SymbolId| {
            let s = start.symbols.get(*id);
            s.label && s.place == Some(at)
        };
        let Some(id) = start.symbols.ids().find(is) else {
            return false;
        };
        if self.labels.iter().any(|l| l.0 == id) {
            return false;
        }
        self.labels.push((id, start.address(&placed.layout, at)));
        true
    }

    /// No chunk may become longer than it is; whether that was not said before.
    pub fn add_ends(&mut self, placed: &Placed) -> bool {
        let sizes = placed.bytes.iter().map(|b| b.len() as u64).collect();
        self.sizes.replace(sizes).is_none()
    }

    /// Leaves out what would push one of them up.
    pub fn keep(&self, flow: &Flow<'_, '_>, draft: &mut Draft) {
        for &(id, was) in &self.labels {
            let Some(at) = flow.program.symbols.get(id).place else {
                continue;
            };
            let now = flow.program.address(&flow.placed.layout, at);
            retain(flow, draft, (0, at), was as i64 - now as i64);
        }
        for (chunk, &was) in (0..).zip(self.sizes.iter().flatten()) {
            let start = flow.nodes.starts[chunk as usize];
            let end = flow.nodes.starts.get(chunk as usize + 1).copied();
            let end = end.unwrap_or(flow.nodes.list.len() as u32);
            if start == end {
                continue;
            }
            // What comes before room for what is held there is no matter.
            let held = last_room(flow.program, &flow.nodes, end);
            let from = held.map_or(0, |n| flow.node(n).at.item + 1);
            let now = flow.placed.bytes[chunk as usize].len() as i64;
            let at = Anchor {
                chunk,
                item: u32::MAX,
                plus: 0,
            };
            retain(flow, draft, (from, at), was as i64 - now);
        }
    }
}

/// Leaves out what needs more room between an item and a place than there is.
fn retain(flow: &Flow<'_, '_>, draft: &mut Draft, (from, at): (u32, Anchor), mut room: i64) {
    draft.proposals.retain(|p| {
        let more = grows(flow, p, (from, at));
        let fits = more <= 0 || more <= room;
        if fits {
            room -= more.max(0);
        }
        fits
    });
}

/// Bytes more between an item and a place behind it after a change.
fn grows(flow: &Flow<'_, '_>, p: &Proposal, (from, at): (u32, Anchor)) -> i64 {
    let within = |a: Anchor| a.chunk == at.chunk && (from..=at.item).contains(&a.item);
    let edits = p.edits.iter().filter(|e| within(e.at));
    let own = edits.map(|e| {
        let first = flow.nodes.of(e.at).map_or(0, |n| n as usize);
        let gone = flow.nodes.list.iter().skip(first).take(e.removed as usize);
        let gone: i64 = gone.map(|n| i64::from(n.size)).sum();
        e.items.iter().map(|i| size(flow, i)).sum::<i64>() - gone
    });
    own.sum()
}

/// Bytes of what comes, of several forms the longest.
fn size(flow: &Flow<'_, '_>, item: &NewItem) -> i64 {
    let form = |f: u16| i64::from(flow.program.forms[usize::from(f)].pattern.len);
    match item {
        NewItem::Instruction(f, ..) | NewItem::Copy(What::Instruction { form: f, .. }) => form(*f),
        NewItem::Choice(all) => all.iter().map(|f| form(f.0)).max().unwrap_or(0),
        NewItem::Copy(What::Choice { from, count }) => {
            let all = flow.program.alternatives(*from, *count).iter();
            all.map(|e| form(e.form)).max().unwrap_or(0)
        }
        NewItem::Copy(_) => 0,
        NewItem::Data(_, bytes) => bytes.len() as i64,
    }
}
