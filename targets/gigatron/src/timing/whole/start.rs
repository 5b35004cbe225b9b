//! What is known of page 0 at the start of a path; `relation` finds it.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::memory::Cells;
use super::value::Set;

/// More tuples than these are not kept apart.
pub const MOST_TUPLES: usize = 400;

/// Values of the cells of a group, as they go together.
pub type Tuples = BTreeSet<Vec<u8>>;

/// A place that a jump can go to, and what that tells of cells.
pub type Way = ([u8; 2], Vec<(u8, Set)>);

/// Page 0 at the start of a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Start {
    /// What each cell can hold.
    pub cells: Cells,
    /// For each group its tuples; nothing: any.
    pub relations: Vec<Option<Rc<Tuples>>>,
}

impl Start {
    /// With nothing known of what goes together.
    pub fn of(cells: Cells) -> Self {
        Self {
            cells,
            relations: Vec::new(),
        }
    }

    /// Where a jump to page and place from these cells can go, and what that tells of
    /// cells, of which `started` knows what they held; nothing if that is not known.
    pub fn ways(
        &self,
        groups: &[Vec<u8>],
        (high, low): (u8, u8),
        started: impl Fn(u8) -> Set,
    ) -> Option<Vec<Way>> {
        let mut best: Option<Vec<Way>> = None;
        for (group, tuples) in groups.iter().zip(&self.relations) {
            let place = |c: u8| group.iter().position(|&g| g == c);
            let (Some(h), Some(l), Some(tuples)) = (place(high), place(low), tuples) else {
                continue;
            };
            let mut ways: BTreeMap<[u8; 2], Vec<Set>> = BTreeMap::new();
            let now: Vec<Set> = group.iter().map(|&c| started(c)).collect();
            for t in tuples.iter() {
                if t.iter().zip(&now).any(|(&v, set)| !set.contains(v)) {
                    continue;
                }
                let sets = ways
                    .entry([t[h], t[l]])
                    .or_insert_with(|| vec![Set::EMPTY; group.len()]);
                for (set, &v) in sets.iter_mut().zip(t) {
                    set.insert(v);
                }
            }
            let ways = ways.into_iter();
            let ways: Vec<_> = ways
                .map(|(to, sets)| (to, group.iter().copied().zip(sets).collect()))
                .collect();
            if best.as_ref().is_none_or(|b| ways.len() < b.len()) {
                best = Some(ways);
            }
        }
        best
    }

    /// Whether another path leads to something new.
    pub fn lacks(&self, other: &[Option<Rc<Tuples>>]) -> bool {
        let mut pairs = self.relations.iter().zip(other);
        pairs.any(|(mine, other)| match (mine, other) {
            (None, _) => false,
            (Some(_), None) => true,
            (Some(mine), Some(other)) => !Rc::ptr_eq(mine, other) && !other.is_subset(mine),
        })
    }

    /// Takes in what another path leads to; whether anything of it is new.
    pub fn join_relations(&mut self, other: &[Option<Rc<Tuples>>]) -> bool {
        let mut grown = false;
        for (mine, other) in self.relations.iter_mut().zip(other) {
            let Some(tuples) = mine else { continue };
            let Some(other) = other else {
                *mine = None;
                grown = true;
                continue;
            };
            if other.is_subset(tuples) {
                continue;
            }
            grown = true;
            let all = Rc::make_mut(tuples);
            all.extend(other.iter().cloned());
            if all.len() > MOST_TUPLES {
                *mine = None;
            }
        }
        grown
    }
}
