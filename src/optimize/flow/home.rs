//! Routines that come back behind their calls, or a little farther, though they take their
//! return address from the stack, change it or set the stack pointer: the address is followed
//! to where it is returned to.

use super::build::Nodes;
use super::facts::{Book, Facts};
use super::node::{Kind, behind_data};
use super::routine::{Routine, Routines, calls};
use rustc_hash::FxHashSet;
use scrimp_isa::depend::Inputs;
use scrimp_isa::effects::Way;
use scrimp_isa::state::place;
use smallvec::{SmallVec, smallvec};

/// States of one routine, at most.
const MOST: usize = 600;
/// Words on its stack, at most.
const DEEP: usize = 12;
/// Bytes of a word there.
const WORD: i32 = 2;

/// How a routine comes back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Home {
    /// Behind its call.
    Right,
    /// There or a little farther.
    Over,
    /// Nobody knows whether it does.
    Unknown,
}

/// At a node: which locations hold the return address or what is counted from it, and of each
/// word on the stack, the last one on top, whether it does.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct State {
    n: u32,
    held: Inputs,
    stack: SmallVec<[bool; DEEP]>,
    /// Something was counted with it.
    counted: bool,
}

impl State {
    /// The same at another node.
    fn at(&self, n: u32) -> Self {
        let mut s = self.clone();
        s.n = n;
        s
    }

    /// Where that which it holds leads.
    fn how(&self) -> Home {
        if self.counted {
            Home::Over
        } else {
            Home::Right
        }
    }
}

/// Of each routine whether it comes back so. Those that keep to their own part of the stack do
/// anyway.
pub fn find(nodes: &Nodes, book: &Book<'_>, routines: &Routines) -> Vec<Home> {
    let own = routines.list.iter().map(|r| match r.keeps_stack {
        _ if routines.vague => Home::Unknown,
        true => Home::Right,
        false => comes_back(nodes, (book, routines), r),
    });
    own.collect()
}

fn comes_back(nodes: &Nodes, (book, routines): (&Book<'_>, &Routines), r: &Routine) -> Home {
    let mut how = Home::Right;
    let stack = book.stack();
    let mut seen: FxHashSet<State> = FxHashSet::default();
    let mut open = vec![State {
        n: r.entry,
        held: Inputs::NONE,
        stack: smallvec![true],
        counted: false,
    }];
    while let Some(s) = open.pop() {
        let Some(n) = behind_data(&nodes.list, s.n) else {
            return Home::Unknown;
        };
        let s = s.at(n);
        if seen.contains(&s) {
            continue;
        }
        if seen.len() >= MOST {
            return Home::Unknown;
        }
        seen.insert(s.clone());
        let node = &nodes.list[n as usize];
        let Some(f) = node.facts.as_ref().filter(|_| node.kind == Kind::Code) else {
            return Home::Unknown;
        };
        match node.ways.way {
            Some(Way::Return) if s.stack.last() != Some(&true) => return Home::Unknown,
            Some(Way::Return) => how = how.max(s.how()),
            Some(Way::Jump) if node.ways.to.is_none() => {
                // By the address itself.
                let used = f.effects.uses.0 & ((1 << place::OTHERS) - 1);
                if used == 0 || used & !s.held.0 != 0 {
                    return Home::Unknown;
                }
                how = how.max(s.how());
            }
            Some(Way::Jump | Way::Skip) => match node.to {
                Some(to) => open.push(s.at(to)),
                // What is outside of the program returns.
                None if s.stack.last() != Some(&true) => return Home::Unknown,
                None => how = how.max(s.how()),
            },
            Some(Way::Call) => {
                let kept = match routines.called(node) {
                    Some(r) if r.keeps_stack => s.held.without(r.writes),
                    _ => Inputs::NONE,
                };
                let behind = |n| State {
                    held: kept,
                    ..s.at(n)
                };
                open.extend(node.next.map(behind));
            }
            None => {
                let Some(after) = passed(&s, f, stack) else {
                    return Home::Unknown;
                };
                open.extend(node.next.map(|n| after.at(n)));
                continue;
            }
        }
        if node.ways.falls_through && !calls(node) {
            open.extend(node.next.map(|n| s.at(n)));
        }
    }
    how
}

/// The state behind an instruction; nothing where that is not known.
fn passed(s: &State, f: &Facts, stack: Inputs) -> Option<State> {
    let e = &f.effects;
    let registers = Inputs((1 << place::OTHERS) - 1).without(stack);
    // By a copy of the stack pointer the address may be changed where it lies.
    let on_stack = |i: Inputs| i.0 & stack.0 != 0;
    let value = |w: u8| e.flows[usize::from(w)].without(f.pointers);
    let mut others = e.writes.without(stack).iter();
    if others.any(|w| on_stack(value(w))) || on_stack(e.uses) && !on_stack(f.pointers) {
        return None;
    }
    let mut out = s.clone();
    out.held = s.held.without(e.writes);
    // What the address is counted on from stays it; with something else it is no more.
    for w in e.writes.without(stack).iter() {
        let flows = Inputs(e.flows[usize::from(w)].0 & registers.0);
        if flows.0 & s.held.0 != 0 && flows.without(s.held).is_empty() && !e.reads_memory {
            out.held = out.held.and(Inputs::one(w));
            out.counted |= flows.0.count_ones() != 1 || flows.has(w);
        }
    }
    // Of what is put there only registers that nothing else is in are it.
    let put = Inputs(e.reads().0 & registers.0);
    let is_held = !put.is_empty() && put.without(s.held).is_empty();
    let take = |own: bool, held: Inputs| match own {
        true => held.and(e.writes.without(stack)),
        false => held,
    };
    match f.lift {
        // The word on top and a register change places, or it is touched where it lies.
        Some(0) if f.pointers.0 & stack.0 != 0 => {
            let top = out.stack.pop()?;
            let puts = e.writes_memory && e.reads_memory && !put.is_empty();
            out.stack.push(if puts {
                is_held
            } else {
                top && !e.writes_memory
            });
            if puts {
                out.held = take(top, s.held.without(e.writes));
            }
        }
        Some(0) => {}
        Some(lift) if lift == -WORD && e.writes_memory => {
            out.stack.push(is_held);
            if out.stack.len() > DEEP {
                return None;
            }
        }
        Some(WORD) => {
            let top = out.stack.pop()?;
            out.held = take(top, out.held);
        }
        // It is set anew.
        None if e.writes.0 & stack.0 != 0 => out.stack.clear(),
        _ => return None,
    }
    Some(out)
}
