//! Code that nothing in the program leads to and that others may know by its address: tables
//! of jumps, which a monitor, a ROM or another program calls, and what tables lead to whose
//! addresses are written as numbers, as disassemblers leave them.

use super::hazard::Search;
use super::node::{Kind, Known, Reason, Ref};
use super::routine::calls;
use crate::program::Field;
use rustc_hash::{FxHashMap, FxHashSet};
use scrimp_isa::effects::Way;

/// So many jumps that nobody goes to, one behind the other, are a table for others; where some
/// have labels, one more.
const JUMPS: usize = 2;
/// Units from one to the next, at least, where some are returns.
const STRIDE: u64 = 2;
/// Instructions that do nothing behind each of them, at most.
const FILLERS: u32 = 5;
/// So many numbers one behind the other that are all the address of a label are a table.
const WORDS: usize = 4;
/// And so many, where nothing else leads to what one of them is the address of.
const STRAYS: usize = 2;
/// Bytes of data before and behind an instruction that may be such too.
const NEAR: u64 = 48;
/// Statements of data before code that are looked at.
const FAR: usize = 4096;
/// Bytes of an address in memory.
const WORD: u64 = 2;

impl Search<'_, '_> {
    /// Such code stays as it is, at its address: what is found here, at the start, or what was.
    pub(super) fn strays(&mut self, known: Option<&[Known]>) {
        let found = match known {
            Some(all) => all.to_vec(),
            None => {
                let mut found = self.tables_of_jumps();
                found.extend(self.tables_of_returns());
                if self.book.semantics.unit() == 1 {
                    found.extend(self.tables_of_numbers());
                    found.extend(self.code_in_data());
                }
                found
            }
        };
        for k in &found {
            let Some((n, 0)) = self.nodes.holding(k.address) else {
                continue;
            };
            self.now = Some(n);
            if !self.is_code(n) {
                self.hold(n, k.reason);
                continue;
            }
            // What only fills is none.
            let fills = k.behind && self.is_nothing(n);
            self.nodes.list[n as usize].entry |= !fills;
            // Nor is it put elsewhere.
            self.pin(n, k.reason);
            match k.behind {
                true => _ = self.nodes.together.insert(n),
                false => self.hold(n, k.reason),
            }
        }
        self.now = None;
        self.nodes.known = found;
    }

    /// Whether nobody names an instruction.
    fn is_alone(&self, n: u32) -> bool {
        let node = &self.nodes.list[n as usize];
        node.labels.is_empty() && node.refs.is_empty() && !node.entry
    }

    /// Whether an instruction does nothing.
    pub(super) fn is_nothing(&self, n: u32) -> bool {
        let node = &self.nodes.list[n as usize];
        let effects = node.facts.as_ref().map(|f| &f.effects);
        let none = effects.is_some_and(|e| {
            let changes = e.writes.without(self.quiet());
            changes.is_empty() && !e.writes_memory && !e.output
        });
        node.kind == Kind::Code && none && node.ways.way.is_none() && node.ways.falls_through
    }

    /// Whether nothing in the program leads to an instruction.
    pub(super) fn is_stray(&self, n: u32) -> bool {
        let node = &self.nodes.list[n as usize];
        if node.kind != Kind::Code || !self.is_alone(n) {
            return false;
        }
        // Control may come through data and room, from before them or to a label of theirs.
        let before = self.nodes.list[..n as usize].iter().rev().take(FAR);
        let mut own = before.take_while(|b| b.at.chunk == node.at.chunk);
        loop {
            match own.next() {
                Some(b) if b.kind == Kind::Code => return !(b.ways.falls_through || calls(b)),
                Some(b) if b.labels.is_empty() && b.refs.is_empty() => {}
                _ => return false,
            }
        }
    }

    /// Whether an instruction just goes elsewhere, to a place that it names.
    fn is_jump(&self, n: u32) -> bool {
        let node = &self.nodes.list[n as usize];
        let way = node.ways.way == Some(Way::Jump) && !node.ways.falls_through;
        node.kind == Kind::Code && way && !node.operands.is_empty()
    }

    /// Whether the program has the address of an instruction as a value.
    fn is_counted(&self, n: u32) -> bool {
        let used = |r: &Ref| matches!(r, Ref::Value(_) | Ref::Other);
        self.nodes.list[n as usize].refs.iter().any(used)
    }

    fn tables_of_jumps(&self) -> Vec<Known> {
        let mut found = Vec::new();
        let count = self.nodes.list.len() as u32;
        let mut start = 0;
        while start < count {
            let node = &self.nodes.list[start as usize];
            let (form, chunk) = (node.form, node.at.chunk);
            // Each may have the room of a few instructions that do nothing.
            let (mut end, mut strays, mut named) = (start, 0, 0);
            for n in start..count {
                let node = &self.nodes.list[n as usize];
                let own = (node.form, node.at.chunk) == (form, chunk);
                // A table of its own begins at what the program loads the address of.
                if n > start && self.is_counted(n) {
                    break;
                }
                if own && self.is_jump(n) {
                    let lone = n > start && (end..n).all(|n| self.is_alone(n));
                    let bare = self.nodes.list[n as usize].labels.is_empty();
                    let unnamed = lone && self.nodes.list[n as usize].refs.is_empty();
                    strays += usize::from(lone && self.is_alone(n));
                    named += usize::from(unnamed && !bare);
                    end = n + 1;
                } else if node.at.chunk != chunk || n - end >= FILLERS || !self.is_nothing(n) {
                    break;
                }
            }
            // What an instruction loads the address of is gone to by that, and what stands behind
            // a call by what is called.
            let before = start.checked_sub(1).map(|b| &self.nodes.list[b as usize]);
            let behind = before.is_some_and(|b| b.next == Some(start) && calls(b));
            let table = strays >= JUMPS || strays + named > JUMPS;
            if table && !self.is_counted(start) && !behind {
                found.extend((start..end).map(|n| Known {
                    address: self.nodes.list[n as usize].address,
                    reason: Reason::Table,
                    behind: n > start,
                }));
            }
            start = end.max(start + 1);
        }
        found
    }

    /// Jumps and returns to which nothing leads, the same number of bytes one behind the other
    /// with nothing between them: what others call that have nothing to do.
    fn tables_of_returns(&self) -> Vec<Known> {
        let count = self.nodes.list.len() as u32;
        let mut found = Vec::new();
        let mut start = 0;
        while start < count {
            // First nodes of entries.
            let mut all = vec![start];
            let mut at = start;
            while let Some(next) = self.behind_entry(at) {
                let address = |n: u32| self.nodes.list[n as usize].address;
                let step = address(next) - address(at);
                let first = all.get(1).map_or(step, |&x| address(x) - address(start));
                if step < STRIDE * self.book.semantics.unit() || step != first {
                    break;
                }
                all.push(next);
                at = next;
            }
            let strays = all.iter().skip(1).filter(|&&n| self.is_alone(n)).count();
            let last = all[all.len() - 1];
            if strays >= JUMPS {
                // And what does nothing behind the last one.
                let from = |n: u32| self.nodes.list[n as usize].address;
                let end = from(last) + (from(last) - from(start)) / (all.len() as u64 - 1);
                let rest = last + 1..count;
                let rest = rest.take_while(|&n| {
                    let chunk = |n: u32| self.nodes.list[n as usize].at.chunk;
                    chunk(n) == chunk(start) && from(n) < end && self.is_nothing(n)
                });
                let own = all.iter().copied().chain(rest);
                found.extend(own.map(|n| Known {
                    address: self.nodes.list[n as usize].address,
                    reason: Reason::Table,
                    behind: n > start,
                }));
            }
            start = last.max(start) + 1;
        }
        found
    }

    /// What stands behind a jump or return and the instructions behind that that do nothing, if
    /// that is one too.
    fn behind_entry(&self, n: u32) -> Option<u32> {
        let chunk = self.nodes.list[n as usize].at.chunk;
        let leaves = |n: u32| {
            let node = &self.nodes.list.get(n as usize)?;
            let way = matches!(node.ways.way, Some(Way::Jump | Way::Return));
            let own = node.kind == Kind::Code && node.at.chunk == chunk;
            (own && way && !node.ways.falls_through).then_some(n)
        };
        leaves(n)?;
        let next = (n + 1..).take(FILLERS as usize + 1);
        let mut next = next.skip_while(|&x| {
            let node = self.nodes.list.get(x as usize);
            node.is_some_and(|node| {
                node.at.chunk == chunk && self.is_alone(x) && self.is_nothing(x)
            })
        });
        leaves(next.next()?)
    }

    /// Addresses at which code begins that may be named: with a label, or with nothing that
    /// leads to it.
    fn beginnings(&self) -> FxHashMap<u64, u32> {
        let count = self.nodes.list.len() as u32;
        let code = (0..count).filter(|&n| {
            let node = &self.nodes.list[n as usize];
            node.kind == Kind::Code && !self.program.is_lifted(node.at.chunk)
        });
        let begins = |&n: &u32| !self.nodes.list[n as usize].labels.is_empty() || self.is_stray(n);
        code.filter(begins)
            .map(|n| (self.nodes.list[n as usize].address, n))
            .collect()
    }

    /// What instructions name that are written as numbers in data: some of them, near each
    /// other, call or go to where code begins.
    fn code_in_data(&self) -> Vec<Known> {
        let places = self.beginnings();
        let mut found = FxHashSet::default();
        let count = self.nodes.list.len() as u32;
        let mut n = 0;
        while n < count {
            let first = &self.nodes.list[n as usize];
            let (from, chunk) = (first.address, first.at.chunk);
            let own = (n..count).take_while(|&x| {
                let x = &self.nodes.list[x as usize];
                x.kind == Kind::Data && x.at.chunk == chunk
            });
            let Some(last) = own.last() else {
                n += 1;
                continue;
            };
            let end = self.nodes.list[last as usize].address;
            let end = end + u64::from(self.nodes.list[last as usize].size);
            n = last + 1;
            if self.program.is_lifted(chunk) {
                continue;
            }
            let mut goals: Vec<(u64, u64)> = Vec::new();
            for (at, to) in self.goals_from(from, end) {
                let place = places.get(&to);
                // Loops in it go back a little.
                let beside = (from..end).contains(&to) && to.abs_diff(at) <= NEAR;
                if place.is_none() && !beside {
                    continue;
                }
                let near = |g: &&(u64, u64)| g.0 + NEAR >= at && g.1 != to;
                let pair = goals.iter().rev().find(near).map(|g| g.0);
                let stray = place.is_some_and(|&n| self.is_stray(n));
                let start = pair.or_else(|| stray.then_some(at));
                goals.push((at, to));
                if let Some(start) = start {
                    let around = start.saturating_sub(NEAR).max(from)..(at + NEAR).min(end);
                    found.extend(self.numbers_in(around));
                }
            }
        }
        let mut found: Vec<u32> = found.into_iter().collect();
        found.sort_unstable();
        let known = |n| Known {
            address: self.nodes.list[n as usize].address,
            reason: Reason::Numbered,
            behind: false,
        };
        found.into_iter().map(known).collect()
    }

    fn tables_of_numbers(&self) -> Vec<Known> {
        let places = self.beginnings();
        let named = self.named_words();
        let mut found = Vec::new();
        for (chunk, bytes) in self.placed.bytes.iter().enumerate() {
            let base = self.placed.layout.base[chunk];
            let word = |i: usize| {
                let pair = bytes.get(i..i + WORD as usize)?;
                let value = u64::from(u16::from_le_bytes([pair[0], pair[1]]));
                let at = base + i as u64;
                let number = (at.saturating_sub(1)..at + WORD).all(|a| !named.contains(&a));
                places.get(&value).map(|&n| (n, number))
            };
            let mut i = 0;
            while i + 1 < bytes.len() {
                let run: Vec<(u32, bool)> = (i..).step_by(2).map_while(word).collect();
                let numbers: FxHashSet<u32> = run.iter().filter(|w| w.1).map(|w| w.0).collect();
                let strays = numbers.iter().any(|&n| self.is_stray(n));
                if numbers.len() < if strays { STRAYS } else { WORDS } {
                    i += 1;
                    continue;
                }
                found.extend(run.iter().map(|w| Known {
                    address: self.nodes.list[w.0 as usize].address,
                    reason: Reason::Numbered,
                    behind: false,
                }));
                i += run.len() * WORD as usize;
            }
        }
        found
    }

    /// Addresses of the first bytes of all that is no plain number: in data, and the values of
    /// instructions, which are understood.
    fn named_words(&self) -> FxHashSet<u64> {
        let data = self.program.values.iter();
        let data = data.filter(|v| matches!(v.field, Field::Data(_)));
        let data = data.map(|v| self.program.address(&self.placed.layout, v.at));
        let code = self.nodes.list.iter().filter(|n| n.kind == Kind::Code);
        let code = code.filter(|n| n.operands.iter().any(|o| o.expr.is_some()));
        let bytes = code.flat_map(|n| n.address..n.address + u64::from(n.size));
        data.chain(bytes).collect()
    }
}
