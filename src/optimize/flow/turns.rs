//! The order in which routines are gone through where each needs what those that it calls came
//! to: those that are called first, and those that call them again as long as something is new.

use super::routine::{Routine, Routines};
use std::collections::BTreeSet;

/// Routines that are still to be gone through. In any other order those that call many are gone
/// through as often as they call.
pub struct Turns {
    /// All, each behind those that it calls unless they call it too.
    order: Vec<u32>,
    /// Where each stands there.
    at: Vec<u32>,
    /// Of each those that call it.
    callers: Vec<Vec<u32>>,
    /// Those still to come, by where they stand.
    open: BTreeSet<u32>,
}

impl Turns {
    /// All of them are to come.
    pub fn of(routines: &Routines) -> Self {
        let order = called_first(&routines.list);
        let mut at = vec![0; order.len()];
        for (turn, &r) in (0..).zip(&order) {
            at[r as usize] = turn;
        }
        let mut callers = vec![Vec::new(); order.len()];
        for (r, routine) in (0..).zip(&routines.list) {
            for to in routine.calls.iter().filter_map(|c| c.1) {
                callers[to as usize].push(r);
            }
        }
        callers.iter_mut().for_each(Vec::dedup);
        let mut turns = Self {
            order,
            at,
            callers,
            open: BTreeSet::new(),
        };
        turns.restart();
        turns
    }

    /// All of them are to come once more.
    pub fn restart(&mut self) {
        self.open = (0..self.order.len() as u32).collect();
    }

    /// The next one.
    pub fn take(&mut self) -> Option<u32> {
        let turn = self.open.pop_first()?;
        Some(self.order[turn as usize])
    }

    /// Something new is known of a routine: those that call it are to come.
    pub fn changed(&mut self, r: u32) {
        let callers = self.callers[r as usize].iter();
        self.open.extend(callers.map(|&c| self.at[c as usize]));
    }
}

/// The numbers of routines, each behind those that it calls unless they call it too.
fn called_first(routines: &[Routine]) -> Vec<u32> {
    let mut order = Vec::with_capacity(routines.len());
    let mut seen = vec![false; routines.len()];
    for first in 0..routines.len() as u32 {
        if std::mem::replace(&mut seen[first as usize], true) {
            continue;
        }
        // A routine, and how many of its calls are followed already.
        let mut open = vec![(first, 0)];
        while let Some((r, followed)) = open.last_mut() {
            let Some(call) = routines[*r as usize].calls.get(*followed) else {
                order.push(*r);
                open.pop();
                continue;
            };
            *followed += 1;
            if let Some(to) = call.1
                && !std::mem::replace(&mut seen[to as usize], true)
            {
                open.push((to, 0));
            }
        }
    }
    order
}
