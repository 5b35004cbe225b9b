//! Page 0 at the start of a block: what each cell can hold, and which values of some
//! cells go together.
//!
//! A place to go back to is two cells, page and low byte, that are written together and
//! belong together. What is known of them is the set of all pairs that they ever hold
//! when a block begins; so a routine goes back to where it was called from, whatever
//! else is called from many places. Cells that such a place is copied from, like
//! `return`, join the group.

use std::collections::BTreeSet;
use std::rc::Rc;

use super::start::{MOST_TUPLES, Tuples};
use super::step::{Machine, World};
use super::value::{Set, Value, cell_of};

/// What goes together at the end of a path. A cell that a group was copied from joins
/// it, from the next walk on.
pub fn relations(world: &mut World<'_>, machine: &Machine) -> Vec<Option<Rc<Tuples>>> {
    let mut joined = Vec::new();
    let all = world.groups.iter().zip(0..).map(|(group, g)| {
        let start = machine.before.relations.get(g).and_then(Option::as_ref);
        // Nothing of it was looked at, or changed.
        if let Some(start) = start
            && group.iter().all(|&c| !machine.knows(c))
        {
            return Some(Rc::clone(start));
        }
        let values: Vec<Value> = group.iter().map(|&c| machine.value(c)).collect();
        for v in values.iter().filter(|v| v.set.single().is_none()) {
            if let Some(c) = cell_of(v.origin)
                && !group.contains(&c)
            {
                joined.push([group.as_slice(), &[c]].concat());
            }
        }
        tuples(machine, group, &values, start.map(Rc::as_ref)).map(Rc::new)
    });
    let all = all.collect();
    for cells in joined {
        world.together(&cells);
    }
    all
}

/// What the values of a group are made of.
#[derive(Default)]
struct Makings {
    /// Cells of the group at the start, by their place in it.
    own: Vec<usize>,
    /// Other bytes by their origin.
    others: Vec<(u32, Set)>,
    /// Values that come of nothing, by their place in the group.
    alone: Vec<usize>,
}

impl Makings {
    fn of(group: &[u8], values: &[Value]) -> Self {
        let mut all = Self::default();
        for (i, v) in values.iter().enumerate() {
            if v.set.single().is_some() {
                continue;
            }
            match (v.origin, place_in(group, v)) {
                (0, _) => all.alone.push(i),
                (_, Some(k)) => all.own.push(k),
                (o, None) => {
                    if all.others.iter().all(|x| x.0 != o) {
                        all.others.push((o, v.base));
                    }
                }
            }
        }
        all.own.sort_unstable();
        all.own.dedup();
        all
    }

    /// What its own cells may be at the start, as far as that matters.
    fn begins(
        &self,
        machine: &Machine,
        group: &[u8],
        start: Option<&Tuples>,
    ) -> Option<BTreeSet<Vec<u8>>> {
        if self.own.is_empty() {
            return Some(BTreeSet::from([Vec::new()]));
        }
        let now: Vec<Set> = group.iter().map(|&c| machine.started(c)).collect();
        let fits = |t: &&Vec<u8>| t.iter().zip(&now).all(|(&v, set)| set.contains(v));
        let cut = |t: &Vec<u8>| self.own.iter().map(|&k| t[k]).collect();
        match start {
            Some(tuples) => Some(tuples.iter().filter(fits).map(cut).collect()),
            None if self.own.len() == 1 => Some(now[self.own[0]].iter().map(|v| vec![v]).collect()),
            None => None,
        }
    }

    /// All that the other bytes and those that come of nothing may be together.
    fn bytes(&self, values: &[Value]) -> Vec<Vec<u8>> {
        let mut bytes: Vec<Vec<u8>> = vec![Vec::new()];
        let sets = self.others.iter().map(|o| o.1);
        for set in sets.chain(self.alone.iter().map(|&i| values[i].set)) {
            bytes = bytes
                .iter()
                .flat_map(|b| set.iter().map(move |v| [b.as_slice(), &[v]].concat()))
                .collect();
        }
        bytes
    }

    /// A value of the group, of what it is made of.
    fn value(&self, group: &[u8], (i, v): (usize, &Value), begin: &[u8], byte: &[u8]) -> u8 {
        if let Some(n) = v.set.single() {
            return n;
        }
        match (v.origin, place_in(group, v)) {
            (0, _) => {
                let k = self.alone.iter().position(|&a| a == i).unwrap_or(0);
                byte[self.others.len() + k]
            }
            (_, Some(k)) => {
                let k = self.own.iter().position(|&o| o == k).unwrap_or(0);
                v.of_base(begin[k])
            }
            (o, None) => {
                let k = self.others.iter().position(|x| x.0 == o).unwrap_or(0);
                v.of_base(byte[k])
            }
        }
    }
}

/// Which cell of a group a value comes from.
fn place_in(group: &[u8], v: &Value) -> Option<usize> {
    cell_of(v.origin).and_then(|c| group.iter().position(|&g| g == c))
}

fn tuples(
    machine: &Machine,
    group: &[u8],
    values: &[Value],
    start: Option<&Tuples>,
) -> Option<Tuples> {
    let makings = Makings::of(group, values);
    let others = makings.others.iter().map(|o| o.1.len());
    let alone = makings.alone.iter().map(|&i| values[i].set.len());
    let count = alone.fold(others.product::<usize>(), usize::saturating_mul);
    if count > MOST_TUPLES {
        return None;
    }
    let begins = makings.begins(machine, group, start)?;
    let bytes = makings.bytes(values);
    if begins.len() * bytes.len() > MOST_TUPLES {
        return None;
    }
    let mut out = Tuples::new();
    for begin in &begins {
        for byte in &bytes {
            let each = values.iter().enumerate();
            let tuple = each.map(|iv| makings.value(group, iv, begin, byte));
            out.insert(tuple.collect());
        }
    }
    Some(out)
}
