//! Code that keeps its time since it has to do with ports: short loops that write to one, loops and
//! straight ways in which instructions that only take time stand between writes, and the routines
//! that such loops call only for their time.

use super::hazard::Search;
use super::node::{Kind, Node, Operand, Reason, calls, within};
use crate::program::eval::Op;
use rustc_hash::FxHashSet;
use scrimp_isa::depend::Inputs;
use scrimp_isa::effects::Way;
use scrimp_isa::state::place;

/// Most bytes of a loop at a port.
const LOOP: u64 = 96;
/// And of one with so many instructions that only take time.
const LONG: u64 = 320;
const PAUSES: usize = 4;
/// Instructions that only take time on a straight way from its start to a write.
const AHEAD: usize = 2;
/// Instructions between two accesses on the straight way, at most.
const BETWEEN: usize = 24;
/// So many times a port gets what is computed right before, with so few instructions between.
const TIMES: usize = 8;
const CLOSE: usize = 3;
/// Instructions of a routine that only takes time, at most, and how deep it calls others.
const ROUTINE: usize = 48;
const DEEP: u8 = 3;

/// What an instruction does with ports.
fn at_port(node: &Node) -> (bool, bool) {
    // A store through a pointer may go to memory too: that is no port.
    let effects = node.facts.as_ref().map(|f| &f.effects);
    let reads = effects.is_some_and(|e| e.input && !e.reads_memory);
    (reads, effects.is_some_and(|e| e.output && !e.writes_memory))
}

impl Search<'_, '_> {
    /// Pins all of that.
    pub(super) fn ports(&mut self) {
        let count = self.nodes.list.len() as u32;
        let mut pauses: Vec<usize> = (0..count).map(|n| self.pause(n)).collect();
        for n in (0..count).filter(|&n| pauses[n as usize] > 1) {
            self.pin(n, Reason::Timed);
        }
        self.settling(&mut pauses);
        for n in 0..count {
            if let Some(to) = self.timed_loop(n, &pauses) {
                self.timed(to, n);
            }
        }
        self.timed_ways(&pauses);
        self.in_rows();
    }

    /// Nodes from one to another keep their time, and what they call for nothing else.
    fn timed(&mut self, from: u32, to: u32) {
        for n in from..=to {
            self.pin(n, Reason::Timed);
            for own in self.waits(n, DEEP).unwrap_or_default() {
                self.pin(own, Reason::Timed);
            }
        }
    }

    /// How many instructions a node is that only take time: a jump to the next instruction that
    /// says so by its distance is two. What is done once more is one.
    fn pause(&self, n: u32) -> usize {
        let node = &self.nodes.list[n as usize];
        // By `.` or `PC`, not by a label.
        let counted = |o: &Operand| {
            let ops = o.expr.map(|e| e.start as usize..(e.start + e.len) as usize);
            ops.is_some_and(|r| {
                self.program.ops[r]
                    .iter()
                    .any(|op| matches!(op, Op::Place(_)))
            })
        };
        let jumps = node.ways.way == Some(Way::Jump) && !node.ways.falls_through;
        let on = node.to.is_some_and(|to| self.is_next(n, to));
        if node.kind == Kind::Code && jumps && on {
            let near = node.operands.iter().any(|o| o.relative);
            return usize::from(near) + usize::from(node.operands.iter().any(counted));
        }
        let controls = node.facts.as_ref().is_none_or(|f| f.effects.controls);
        usize::from(!controls && (self.is_nothing(n) || self.is_again(n)))
    }

    /// Whether a node loads the number that the one before it has loaded into the same place.
    fn is_again(&self, n: u32) -> bool {
        let node = &self.nodes.list[n as usize];
        let before = n.checked_sub(1).map(|b| &self.nodes.list[b as usize]);
        let same = before.is_some_and(|b| {
            b.kind == Kind::Code && b.at.chunk == node.at.chunk && b.code() == node.code()
        });
        let loads = node.facts.as_ref().is_some_and(|f| {
            let e = &f.effects;
            let memory = e.reads_memory || e.writes_memory || e.input || e.output;
            let none = e.reads().0 & ((1 << place::OTHERS) - 1) == 0;
            !memory && none && !e.writes.is_empty()
        });
        node.kind == Kind::Code && same && loads
    }

    /// Whether a node is the next one in memory.
    fn is_next(&self, n: u32, to: u32) -> bool {
        let node = &self.nodes.list[n as usize];
        self.nodes.list[to as usize].address == node.address + u64::from(node.size)
    }

    /// The start of a loop at a port that ends with a node.
    fn timed_loop(&self, n: u32, pauses: &[usize]) -> Option<u32> {
        let node = &self.nodes.list[n as usize];
        let to = node.to.filter(|_| node.ways.way == Some(Way::Jump))?;
        let first = &self.nodes.list[to as usize];
        if to > n || first.at.chunk != node.at.chunk {
            return None;
        }
        let span = node.address - first.address.min(node.address);
        if span > LONG {
            return None;
        }
        let own = &self.nodes.list[to as usize..=n as usize];
        let (reads, writes) = own
            .iter()
            .map(at_port)
            .fold((false, false), |all, one| (all.0 || one.0, all.1 || one.1));
        let paused: usize = pauses[to as usize..=n as usize].iter().sum();
        let waits = || (to..=n).any(|x| self.waits(x, DEEP).is_some());
        let short = span <= LOOP && reads && (paused > 0 || waits());
        let long = (reads || writes) && paused >= PAUSES;
        let counted = (short || long) && self.comes_back(to, n);
        (span <= LOOP && writes || counted).then_some(to)
    }

    /// Whether control comes from one node to another between them.
    fn comes_back(&self, from: u32, to: u32) -> bool {
        let mut seen = FxHashSet::default();
        let mut open = vec![from];
        while let Some(n) = open.pop() {
            if n == to {
                return true;
            }
            if (from..to).contains(&n) && seen.insert(n) {
                open.extend(within(&self.nodes.list[n as usize]));
            }
        }
        false
    }

    /// The nodes of what a node calls, if that only takes time: it changes registers, and memory
    /// by its stack, and has a loop or instructions that do nothing.
    fn waits(&self, n: u32, deep: u8) -> Option<Vec<u32>> {
        let node = &self.nodes.list[n as usize];
        if deep == 0 || node.kind != Kind::Code || !calls(node) {
            return None;
        }
        let mut seen = FxHashSet::default();
        let mut open = vec![node.to?];
        let (mut idle, mut more) = (false, Vec::new());
        while let Some(x) = open.pop() {
            if !seen.insert(x) {
                continue;
            }
            let own = &self.nodes.list[x as usize];
            let facts = own.facts.as_ref().filter(|_| own.kind == Kind::Code)?;
            let e = &facts.effects;
            let stack = facts.lift.is_some_and(|l| l != 0);
            let touches = e.reads_memory || e.writes_memory || e.input || e.output;
            if touches && !stack || seen.len() > ROUTINE {
                return None;
            }
            if calls(own) {
                more.extend(self.waits(x, deep - 1)?);
                idle = true;
            }
            idle |= self.pause(x) > 0 || own.to.is_some_and(|t| t <= x && !calls(own));
            if own.ways.way != Some(Way::Return) {
                open.extend(within(own));
            }
        }
        let mut all: Vec<u32> = seen.into_iter().collect();
        all.sort_unstable();
        all.extend(more);
        idle.then_some(all)
    }

    /// What only takes time right between a write and a read lets a line settle: it may take longer.
    fn settling(&self, pauses: &mut [usize]) {
        let all = &self.nodes.list;
        for n in (1..all.len()).filter(|n| at_port(&all[n - 1]).1) {
            let mut near = n..all.len().min(n + CLOSE + 1);
            if let Some(b) = near.find(|&x| pauses[x] == 0).filter(|&b| b > n)
                && at_port(&all[b]) == (true, false)
            {
                pauses[n..b].fill(0);
            }
        }
    }

    /// Straight ways from one write to another on which something only takes time.
    fn timed_ways(&mut self, pauses: &[usize]) {
        // Where it starts, and how much only takes time at least.
        let mut start: Option<(u32, usize)> = None;
        let mut paused = 0;
        for n in 0..self.nodes.list.len() as u32 {
            let node = &self.nodes.list[n as usize];
            let straight = node.kind == Kind::Code && node.ways.falls_through && !calls(node)
                || pauses[n as usize] > 0;
            let apart = start.is_some_and(|(s, _)| {
                let first = &self.nodes.list[s as usize];
                first.at.chunk != node.at.chunk || (n - s) as usize > BETWEEN
            });
            if !straight || apart {
                (start, paused) = (None, 0);
            }
            if !straight {
                continue;
            }
            // What comes here in time may go on in time to the first write.
            let (from, least) = *start.get_or_insert((n, AHEAD));
            paused += pauses[n as usize];
            if at_port(node).1 {
                if paused >= least {
                    self.timed(from, n);
                }
                (start, paused) = (Some((n, 1)), 0);
            }
        }
    }

    /// A port that gets what is computed, again and again on the straight way, gets it in time.
    fn in_rows(&mut self) {
        let (mut row, mut last, mut port): (Vec<u32>, u32, Option<i64>) = (Vec::new(), 0, None);
        for n in 0..=self.nodes.list.len() as u32 {
            let node = self.nodes.list.get(n as usize);
            let facts = node.and_then(|x| x.facts.as_ref().map(|f| (x, f)));
            let on = facts.filter(|(x, _)| {
                let same = |f: &u32| self.nodes.list[*f as usize].at.chunk == x.at.chunk;
                let near = row.is_empty() || (n - last) as usize <= CLOSE + 1;
                x.kind == Kind::Code && x.ways.way.is_none() && near && row.first().is_none_or(same)
            });
            let written = on.filter(|(x, _)| at_port(x) == (false, true));
            let to = written.and_then(|(x, _)| x.operands.iter().map(|o| o.value).max());
            // What is loaded as a number is none that is computed.
            let none = |i: Inputs| i.0 & ((1 << place::OTHERS) - 1) == 0;
            let loads = on.is_some_and(|(_, f)| {
                let e = &f.effects;
                let from = e.reads_memory || e.reads_program || e.input || e.output;
                !from && !e.writes.is_empty() && none(e.reads().without(self.quiet()))
            });
            if on.is_none() || loads || to.is_some() && port.is_some() && to != port {
                if row.len() >= TIMES {
                    self.timed(row[0], last);
                }
                (row, port) = (Vec::new(), None);
            }
            if to.is_some() {
                row.push(n);
                (last, port) = (n, to);
            }
        }
    }
}
