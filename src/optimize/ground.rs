//! What a try teaches the next one: the program at the start of each, with room where something is
//! held, and what must hold of it.

use super::flow::{self, Book, Placed, nodes_of};
use super::guard::{Guards, Off};
use super::level::Levels;
use super::places::Fixed;
use crate::program::Program;
use crate::program::symbol::Anchor;

/// A program as it is at the start of each try, and what must hold of it.
pub struct Ground<'p> {
    /// With room where something is held.
    pub start: Program<'p>,
    /// As it is placed.
    pub placed: Placed,
    /// What must hold.
    pub guards: Guards,
    /// Items that may not move.
    pub fixed: Fixed,
    /// Items before which room came, as they are numbered without any, and their addresses.
    pub held: Vec<(Anchor, u32)>,
    /// What nothing may push up.
    pub levels: Levels,
}

impl Ground<'_> {
    /// Learns from a try: how its tables lie, and what does not hold of it. With `rooms` room
    /// may be put before that; the `last` time nothing may change before all that is held.
    /// Whether there is another try.
    pub fn again(
        &mut self,
        (tables, mut moved): (Result<bool, Off>, Vec<Anchor>),
        book: &Book<'_>,
        (rooms, last): (bool, bool),
    ) -> bool {
        let (mut more, mut kept) = (false, Vec::new());
        match tables {
            // More padding than it saves: the tables stay where they are, if room sees to that.
            Ok(true) if moved.is_empty() => {
                let tables: Vec<Anchor> = self.guards.in_pages().collect();
                if rooms {
                    kept = places_of_rooms(&self.start, &self.placed, book, &tables);
                }
                more = !kept.is_empty()
                    || self.levels.add_ends(&self.placed)
                    || self.fixed.add_hard(self.guards.places().collect());
            }
            Ok(false) if moved.is_empty() => return false,
            Err(off) => {
                more = off.up && self.levels.add(&self.start, &self.placed, off.at);
                moved.extend((!more).then_some(off.at));
            }
            Ok(_) => {}
        }
        if rooms && kept.is_empty() {
            kept = places_of_rooms(&self.start, &self.placed, book, &moved);
        }
        more |= self.fixed.add(moved);
        // One after the other they are too many, or not all that it takes.
        let all = !more || last;
        if all && !self.fixed.add_hard(self.guards.places().collect()) && !more {
            return false;
        }
        for (at, address) in kept.into_iter().rev() {
            self.start.hold(at, address);
            self.fixed.follow(at);
            self.guards.hold((&mut self.start, at), address);
            note(&mut self.held, at, address);
        }
        self.placed = Placed::of(&self.start);
        true
    }
}

/// Where room would keep places at their addresses, and these; none where there is room.
fn places_of_rooms(
    start: &Program<'_>,
    placed: &Placed,
    book: &Book<'_>,
    places: &[Anchor],
) -> Vec<(Anchor, u32)> {
    let nodes = nodes_of(start, placed, book);
    let all: Vec<u32> = places.iter().filter_map(|&a| nodes.of(a)).collect();
    flow::rooms_of(start, placed, &nodes, &all)
}

/// Room came before an item of the start; of all that the items are noted as they are numbered
/// without any.
fn note(held: &mut Vec<(Anchor, u32)>, at: Anchor, address: u32) {
    let own = held.iter().filter(|h| h.0.chunk == at.chunk);
    let before = own.enumerate();
    let before = before.filter(|(rank, h)| h.0.item + (*rank as u32) < at.item);
    let item = at.item - before.count() as u32;
    held.push((Anchor { item, ..at }, address));
    held.sort_unstable();
}
