//! What is held where control goes to an address that a register has: at one place that is the
//! address of this place, or one counted from it, and none of another.

use super::Search;
use super::held::{Held, NONE, Set, State};
use crate::optimize::flow::{Kind, Node, around};
use crate::program::symbol::Anchor;
use rustc_hash::FxHashSet;
use std::ops::Range;

/// A place, and so many addresses behind it.
type Place = (Anchor, i64);

/// What comes to the nodes of a piece of code.
pub(super) struct Gone {
    /// The nodes.
    pub nodes: Range<u32>,
    /// What they are given more than what comes everywhere.
    pub state: State,
}

impl Search<'_, '_> {
    /// Takes out of a state, as it is behind a jump that is computed, the addresses that control
    /// goes to by it: what comes to the code around each of them.
    pub(super) fn gone(&mut self, node: &Node, state: &mut State) -> Vec<Gone> {
        let flow = self.flow;
        let Some(facts) = &node.facts else {
            return Vec::new();
        };
        // A contract may say that an address reaches farther.
        if flow.book.semantics.unit() > 1 || !flow.contracts.is_empty() {
            return Vec::new();
        }
        let goes = facts.pointers.and(facts.effects.uses);
        let own = goes.iter().map(usize::from);
        let own: Vec<usize> = own.filter(|&l| l < state.held.len()).collect();
        let all = |half: fn(&Held) -> Set| -> FxHashSet<Place> {
            let sets = own.iter().map(|&l| half(&state.held[l]));
            let all = sets.flat_map(|s| &self.origins.sets.list[s as usize]);
            let all = all.map(|&o| self.origins.list[o as usize]);
            all.filter(|o| o.2 == 0).map(|o| (o.0, o.1)).collect()
        };
        // Of each place there are both halves: no address is put together from those of two.
        let (low, high) = (all(|h| h.low), all(|h| h.high));
        if low != high {
            return Vec::new();
        }
        let mut both: Vec<Place> = low.into_iter().collect();
        both.sort_unstable();
        let mut out = Vec::new();
        for place in both {
            let Some(nodes) = self.around(place) else {
                continue;
            };
            let mut there = State::empty();
            for &l in &own {
                let held = state.held[l];
                let (low, rest_low) = self.parted(held.low, place);
                let (high, rest_high) = self.parted(held.high, place);
                state.held[l] = Held {
                    low: rest_low,
                    high: rest_high,
                };
                // There it is this address, and may not be mistaken for another value.
                let near = self.origin((place.0, place.1, 0, false));
                there.held[l] = Held {
                    low: if low == NONE { NONE } else { near },
                    high: if high == NONE { NONE } else { near },
                };
            }
            out.push(Gone {
                nodes,
                state: there,
            });
        }
        out
    }

    /// The code at all places of whose addresses a byte may be one.
    pub(super) fn places(&self, held: Held) -> Vec<u32> {
        let sets = [held.low, held.high].into_iter();
        let all = sets.flat_map(|s| &self.origins.sets.list[s as usize]);
        let mut all: Vec<Place> = all
            .map(|&o| &self.origins.list[o as usize])
            .map(|o| (o.0, o.1))
            .collect();
        all.sort_unstable();
        all.dedup();
        all.into_iter().filter_map(|p| self.code_at(p)).collect()
    }

    /// The code that is gone to by an address that is counted from a place.
    fn around(&self, place: Place) -> Option<Range<u32>> {
        let node = self.code_at(place)?;
        Some(around(&self.flow.nodes, node))
    }

    fn code_at(&self, (a, n): Place) -> Option<u32> {
        let flow = self.flow;
        let at = flow.program.address(&flow.placed.layout, a);
        let (node, _) = flow.nodes.holding(at.checked_add_signed(n)?)?;
        let code = flow.nodes.list[node as usize].kind == Kind::Code;
        code.then_some(node)
    }

    /// What of a set is of one place, and the rest.
    fn parted(&mut self, set: Set, place: Place) -> (Set, Set) {
        if set == NONE {
            return (NONE, NONE);
        }
        let is = |o: &u32| {
            let (a, n, shift, _) = self.origins.list[*o as usize];
            shift == 0 && (a, n) == place
        };
        let all = self.origins.sets.list[set as usize].iter();
        let (own, rest): (Vec<u32>, Vec<u32>) = all.partition(|o| is(o));
        (self.origins.sets.of(own), self.origins.sets.of(rest))
    }
}
