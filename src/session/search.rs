//! A search over what the optimizer may choose: in which order its passes run, and which of
//! the changes that it finds it leaves, so that others that need the same code are made.
//!
//! From the usual way it goes on by one step at a time: a pass comes to another place in the
//! order, a change is left, or one that was left is made again. What saves as much or more is
//! where it goes on from. The number of a try is all its chance, so the same program comes out
//! everywhere. Each try is a whole optimization, with all proofs of one.

use super::build::Build;
use super::front::Session;
use crate::optimize::{Ledger, Options, passes};

/// What was found.
#[derive(Clone, Debug)]
pub struct Found {
    /// Options with which the most is saved.
    pub options: Options,
    /// Bytes saved in the usual way, padding taken off.
    pub usual: i64,
    /// Bytes saved with these options.
    pub best: i64,
}

/// Tries so many other ways through the optimizer. The session optimizes with the best of
/// them from then on. `None` where it does not optimize, or the program cannot be changed.
pub fn search(session: &mut Session, tries: u32) -> Option<Found> {
    let usual = session.optimize.clone()?;
    let (first, mut changes) = run(session)?;
    let (mut here, mut gain) = (usual.clone(), first);
    let mut best = (usual, first);
    // Where nothing is found at first, nothing is in any order.
    let tries = if changes.is_empty() { 0 } else { tries };
    for number in 0..u64::from(tries) {
        let mut chance = Chance(number);
        session.optimize = Some(step(&here, &changes, &mut chance));
        let Some((now, made)) = run(session) else {
            continue;
        };
        if now >= gain {
            here = session.optimize.clone()?;
            (gain, changes) = (now, made);
        }
        if now > best.1 {
            best = (here.clone(), now);
        }
    }
    session.optimize = Some(best.0.clone());
    Some(Found {
        options: best.0,
        usual: first,
        best: best.1,
    })
}

/// One step away.
fn step(from: &Options, changes: &[String], chance: &mut Chance) -> Options {
    let mut to = from.clone();
    let left = &mut to.wanted.without;
    match chance.below(4) {
        0 if !left.is_empty() => {
            let mut all: Vec<&String> = left.iter().collect();
            all.sort();
            let again = all[chance.below(all.len())].clone();
            left.remove(&again);
        }
        1 | 2 if !changes.is_empty() => {
            left.insert(changes[chance.below(changes.len())].clone());
        }
        _ => {
            if to.order.is_empty() {
                to.order = (0..passes::ALL.len() as u8).collect();
            }
            let pass = to.order.remove(chance.below(to.order.len()));
            let place = chance.below(to.order.len() + 1);
            to.order.insert(place, pass);
        }
    }
    to
}

/// What is saved with the options of a session, padding taken off, and the names of what was
/// done for it.
fn run(session: &Session) -> Option<(i64, Vec<String>)> {
    let build: Build = session.assemble();
    build.image()?;
    let sound = |l: &&Ledger| l.broken.is_empty() && l.given_up.is_empty();
    let ledger = build.ledger.as_ref().filter(sound)?;
    let names = ledger.records.iter().map(|r| r.name.clone());
    let names = names.filter(|n| !n.is_empty()).collect();
    Some((ledger.saved() - ledger.padding as i64, names))
}

/// Numbers that follow from the number of a try (splitmix64).
struct Chance(u64);

impl Chance {
    /// A number below another, which is not 0.
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % end as u64) as usize
    }
}
