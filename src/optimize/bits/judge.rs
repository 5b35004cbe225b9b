//! Which bits of addresses matter: where a byte of one is given to what does not follow it as a
//! sum, and something comes of that.

use super::follows::{Follows, Input, Output};
use super::held::{Held, NONE, Set, State};
use super::{BYTE, SOON, Search};
use crate::optimize::flow::{Node, Shape, calls, within};
use scrimp_isa::depend::Inputs;
use scrimp_isa::state::place;

impl Search<'_, '_> {
    /// Keeps what does not follow as a sum.
    pub(super) fn judge(
        &mut self,
        n: u32,
        before: &State,
        inputs: &[(Input, Held)],
        outputs: &[(usize, Follows)],
    ) {
        // Whether an address is 0 is asked with both of its bytes.
        let all = || inputs.iter().enumerate();
        let mut pairs = all().flat_map(|a| all().map(move |b| (a, b)));
        if pairs.any(|(a, b)| a.0 != b.0 && self.origins.sets.meet(a.1.1.low, b.1.1.high)) {
            return;
        }
        let node = &self.flow.nodes.list[n as usize];
        let live = self.flow.live.after[n as usize];
        let wanted = self.wants.after[n as usize];
        for (i, f) in outputs {
            let (input, held) = inputs[*i];
            let writes = node.facts.as_ref().map_or(&[][..], |f| &f.writes[..]);
            let matters = match f.output {
                Output::Location(l) => live.has(l),
                Output::Written(_) | Output::Way => true,
            };
            // A flag that depends on all bits is one of a sum, or compares.
            let asked = match f.output {
                Output::Location(l) => !f.flag || f.bits < BYTE && self.asked.has(l),
                Output::Written(_) => true,
                Output::Way => f.bits < BYTE,
            };
            if f.bits == 0 || !matters || !asked {
                continue;
            }
            // Whether an address comes of it, or what was asked is one.
            let becomes = match (f.output, input) {
                (Output::Location(l), _) if !f.flag => wanted.has(l),
                (Output::Location(_) | Output::Way, Input::Cell(c)) => self
                    .cells
                    .iter()
                    .any(|&(l, cell)| cell == c && wanted.has(l)),
                (Output::Location(_) | Output::Way, _) => false,
                (Output::Written(_), _) => writes.iter().any(|a| self.wants.memory.contains(a)),
            };
            for (set, high) in [(held.low, false), (held.high, true)] {
                for &o in &self.origins.sets.list[set as usize] {
                    let far = self.origins.list[o as usize].3;
                    if far && !becomes && !self.stays((o, high), before, wanted) {
                        continue;
                    }
                    let old = self.found.entry((o, high)).or_insert((0, n));
                    if old.0 < f.bits {
                        *old = (f.bits, n);
                    }
                }
            }
        }
    }

    /// Whether another register holds the same byte of an address and becomes one later.
    fn stays(&self, (o, high): (u32, bool), before: &State, wanted: Inputs) -> bool {
        let has = |h: &Held| {
            let set = if high { h.high } else { h.low };
            self.origins.sets.list[set as usize].contains(&o)
        };
        let mut held = (0..).zip(&before.held);
        held.any(|(l, h)| wanted.has(l) && has(h))
    }

    /// Where a low byte alone decides where control goes, compared with what is no address: at
    /// the end of a page, or at a number. It keeps all of its bits.
    pub(super) fn compared(&mut self) {
        let flow = self.flow;
        for (n, node) in (0..).zip(&flow.nodes.list) {
            let Some(facts) = node.facts.as_ref().filter(|_| node.ways.way.is_none()) else {
                continue;
            };
            let Some(before) = self.before[n as usize].as_ref() else {
                continue;
            };
            if node.operands.iter().any(|o| o.shape != Shape::Number) {
                continue;
            }
            let e = &facts.effects;
            let reads = e.reads();
            for &(l, cell) in self.cells.iter().filter(|c| reads.has(c.0)) {
                let set = before.held.get(usize::from(l)).map_or(NONE, |h| h.low);
                let near = |o: &&u32| !self.origins.list[**o as usize].3;
                let own: Vec<u32> = self.origins.sets.list[set as usize]
                    .iter()
                    .filter(near)
                    .copied()
                    .collect();
                if own.is_empty() {
                    continue;
                }
                let alone = Inputs::one(l).and(Inputs::one(place::IMMEDIATE));
                let key = (node.code().to_vec(), Input::Cell(cell));
                let known = self.follows.get(&key).map_or(&[][..], |f| f);
                let fewer = |w: u8| {
                    let is = |f: &&Follows| f.output == Output::Location(w);
                    known.iter().find(is).is_some_and(|f| f.bits < BYTE)
                };
                let flags = e.writes.iter().filter(|&w| {
                    let flows = e.flows[usize::from(w)];
                    flows.has(l) && flows.without(alone).is_empty() && !fewer(w)
                });
                let registers = self.cells.iter().map(|c| c.0);
                let registers = registers.fold(Inputs::NONE, |all, r| all.and(Inputs::one(r)));
                let flags = flags.fold(Inputs::NONE, |all, w| all.and(Inputs::one(w)));
                let flags = flags.without(registers);
                if self.decides(node, flags, set) {
                    for o in own {
                        let old = self.found.entry((o, false)).or_insert((0, n));
                        *old = if old.0 < BYTE { (BYTE, n) } else { *old };
                    }
                }
            }
        }
    }

    /// Whether flags decide where control goes soon behind a node, and no high byte of these
    /// addresses is counted on there.
    fn decides(&self, node: &Node, mut flags: Inputs, set: Set) -> bool {
        let mut next = node.next;
        for _ in 0..SOON {
            let Some(n) = next.filter(|_| !flags.is_empty()) else {
                return false;
            };
            let node = &self.flow.nodes.list[n as usize];
            let Some(f) = &node.facts else { return false };
            if node.ways.way.is_some() {
                return f.effects.uses.0 & flags.0 != 0 && !self.counts_on(n, set);
            }
            flags = flags.without(f.effects.writes);
            next = node.next;
        }
        false
    }

    /// Whether a high byte of these addresses is changed soon behind a node, on one of its ways.
    fn counts_on(&self, from: u32, set: Set) -> bool {
        let mut open = vec![(from, SOON)];
        while let Some((n, left)) = open.pop() {
            let node = &self.flow.nodes.list[n as usize];
            let (Some(f), Some(before)) = (&node.facts, &self.before[n as usize]) else {
                continue;
            };
            let counts = |&l: &u8| {
                let held = before.held.get(usize::from(l)).copied().unwrap_or_default();
                self.origins.is_near(set, held.high)
            };
            if f.effects
                .writes
                .iter()
                .any(|l| counts(&l) && f.effects.flows[usize::from(l)].has(l))
            {
                return true;
            }
            if left > 0 {
                let to = node.to.filter(|_| calls(node));
                open.extend(within(node).chain(to).map(|x| (x, left - 1)));
            }
        }
        false
    }
}
