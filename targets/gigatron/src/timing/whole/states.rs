//! States of the handler at one clock of a line.

use std::collections::BTreeMap;

use super::step::Machine;

/// More states than these are sorted before they are compared.
const FEW_STATES: usize = 6;

/// A state on its way.
pub struct Now {
    pub machine: Machine,
    pub falls: bool,
    pub rises: bool,
    pub before: u32,
}

/// States of one clock: those that differ in nothing that is known become one.
pub fn merged(states: Vec<Now>) -> Vec<Now> {
    if states.len() < 2 {
        return states;
    }
    let many = states.len() > FEW_STATES;
    let mut index: BTreeMap<(u16, u16, u64), Vec<usize>> = BTreeMap::new();
    let mut out: Vec<Now> = Vec::with_capacity(states.len());
    for now in states {
        let m = &now.machine;
        let like = |o: &Now| {
            (o.falls, o.rises) == (now.falls, now.rises) && o.machine.is_like(&now.machine)
        };
        let known = match many {
            false => out.iter().position(like),
            true => {
                let sets = m.registers.iter().map(|r| r.set.digest());
                let digest = sets.fold(0, |d: u64, s| d.rotate_left(7) ^ s);
                let all = index.entry((m.at, m.next, digest)).or_default();
                let known = all.iter().copied().find(|&i| like(&out[i]));
                if known.is_none() {
                    all.push(out.len());
                }
                known
            }
        };
        match known {
            Some(i) => out[i].machine.merge(&now.machine),
            None => out.push(now),
        }
    }
    out
}
