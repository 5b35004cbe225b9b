//! Places that must be what they were and were not: before them nothing moves, or room keeps
//! them at their addresses.

use crate::program::symbol::Anchor;

/// Items of the start that may not move.
#[derive(Clone, Debug, Default)]
pub struct Fixed {
    /// Room may keep them where they are.
    pub soft: Vec<Anchor>,
    /// Nothing before them changes.
    pub hard: Vec<Anchor>,
}

impl Fixed {
    /// Those of a ledger that is made again.
    pub fn of(soft: Vec<Anchor>) -> Self {
        let hard = Vec::new();
        Self { soft, hard }
    }

    /// Adds places, those that room did not keep as such before which nothing changes; whether
    /// one is new.
    pub fn add(&mut self, more: Vec<Anchor>) -> bool {
        let again = |a: &Anchor| self.soft.binary_search(a).is_ok();
        let (again, new): (Vec<Anchor>, Vec<Anchor>) = more.into_iter().partition(again);
        let hard = self.add_hard(again);
        add(&mut self.soft, new) || hard
    }

    /// Adds places before which nothing changes; whether one is new.
    pub fn add_hard(&mut self, more: Vec<Anchor>) -> bool {
        add(&mut self.hard, more)
    }

    /// Room came before an item.
    pub fn follow(&mut self, room: Anchor) {
        for a in self.soft.iter_mut().chain(&mut self.hard) {
            *a = behind(*a, room);
        }
    }
}

/// Adds anchors to those in order; whether one is new.
fn add(list: &mut Vec<Anchor>, more: Vec<Anchor>) -> bool {
    let before = list.len();
    list.extend(more);
    list.sort_unstable();
    list.dedup();
    list.len() > before
}

/// The number of an item when room came before another.
pub fn behind(a: Anchor, room: Anchor) -> Anchor {
    Anchor {
        item: a.item + u32::from(a.chunk == room.chunk && a.item >= room.item),
        ..a
    }
}
