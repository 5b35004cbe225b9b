//! Data that changes before them pushed behind where they were, and for which there is no room
//! farther on in their page: what stands before them may only grow as far as it has shrunk.

use super::flow::{Flow, Placed};
use super::step::{Draft, Proposal};
use crate::program::Program;
use crate::program::item::What;
use crate::program::rewrite::NewItem;
use crate::program::symbol::{Anchor, SymbolId};

/// Labels that stay at their addresses or come before them.
#[derive(Clone, Debug, Default)]
pub struct Levels(Vec<(SymbolId, u64)>);

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
        if self.0.iter().any(|l| l.0 == id) {
            return false;
        }
        self.0.push((id, start.address(&placed.layout, at)));
        true
    }

    /// Leaves out what would push one of them up.
    pub fn keep(&self, flow: &Flow<'_, '_>, draft: &mut Draft) {
        for &(id, was) in &self.0 {
            let Some(at) = flow.program.symbols.get(id).place else {
                continue;
            };
            let now = flow.program.address(&flow.placed.layout, at);
            let mut room = was as i64 - now as i64;
            draft.proposals.retain(|p| {
                let more = grows(flow, p, at);
                let fits = more <= 0 || more <= room;
                if fits {
                    room -= more.max(0);
                }
                fits
            });
        }
    }
}

/// Bytes more before a place behind a change.
fn grows(flow: &Flow<'_, '_>, p: &Proposal, at: Anchor) -> i64 {
    let before = |a: Anchor| a.chunk == at.chunk && a.item <= at.item;
    let edits = p.edits.iter().filter(|e| before(e.at));
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
