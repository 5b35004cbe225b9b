//! What stays as it is where calls leave their return address in cells: parts of which addresses
//! are used for more than going there, pages, and what numbers name.

use super::hazard::Search;
use super::linked::{Fate, WORD, own_address};
use super::node::{Kind, Node, Reason};
use super::returns;
use super::shape::{Shape, shape};
use super::taken::Taken;
use rustc_hash::FxHashSet;

/// Instructions that are looked at behind one that loads a byte.
const STRAIGHT: usize = 12;

impl Search<'_, '_> {
    /// What stays as it is where control is not followed by the stack: pages that are not left,
    /// and what instructions make of their own address.
    pub(super) fn linked(&mut self) {
        for n in self.below() {
            self.pin(n, Reason::Below);
        }
        if !self.linked.on {
            return;
        }
        self.page_starts();
        self.options();
        self.halves();
        if self.builds_goals() {
            for chunk in 0..self.program.chunks.len() as u32 {
                self.whole_part(chunk);
            }
        }
        for n in 0..self.nodes.list.len() as u32 {
            let node = &self.nodes.list[n as usize];
            let Some(held) = own_address(node, self.linked.link) else {
                continue;
            };
            let next = node.next.filter(|&x| self.is_code(x));
            let fate = self
                .linked
                .fate(self.nodes, self.book, (n, held), (next, false));
            let chunk = node.at.chunk;
            self.now = Some(n);
            self.pin(n, Reason::Read);
            // Before data it stays with them.
            if let Some(next) = next {
                self.pin(next, Reason::Read);
                self.nodes.list[next as usize].entry = true;
                if !fate.is_whole() {
                    self.whole_part(chunk);
                }
            }
            self.now = None;
        }
    }

    /// Code before which something lies below the stack pointer that is taken back. Where calls
    /// put nothing there no pass does.
    fn below(&self) -> FxHashSet<u32> {
        match self.linked.on {
            true => FxHashSet::default(),
            false => returns::taken_back(self.nodes, self.book),
        }
    }

    /// Code of a chunk that begins a page stays there.
    fn page_starts(&mut self) {
        let Some(page) = self.program.target.wraps_in_page() else {
            return;
        };
        let mut last = None;
        for n in 0..self.nodes.list.len() as u32 {
            let node = &self.nodes.list[n as usize];
            if node.kind != Kind::Code {
                continue;
            }
            let now = (node.at.chunk, node.address / page);
            let base = self.placed.layout.base[node.at.chunk as usize] / page;
            if last != Some(now) && now.1 != base {
                self.hold(n, Reason::Numbered);
            }
            last = Some(now);
        }
    }

    /// Code is come to by its address: it is no part of what moves.
    fn stays_entry(&mut self, n: u32) {
        if self.is_code(n) {
            self.pin(n, Reason::Numbered);
            self.nodes.list[n as usize].entry = true;
        }
    }

    /// What a file says of addresses, in numbers, is of what stands there.
    fn options(&mut self) {
        let all = self.program.asked.options.iter();
        let words = all.flat_map(|o| o.1.split(|c: char| !c.is_ascii_digit()));
        let numbers = words.filter_map(|w| self.nodes.at(w.parse().ok()?));
        for n in numbers.collect::<Vec<u32>>() {
            self.hold(n, Reason::Numbered);
            self.stays_entry(n);
        }
    }

    /// Pages whose number becomes the upper half of an address stay as they are.
    fn halves(&mut self) {
        let Some(page) = self.program.target.wraps_in_page() else {
            return;
        };
        let used: FxHashSet<u64> = self.nodes.places.iter().map(|p| p.0 / page).collect();
        let mut found = FxHashSet::default();
        for n in 0..self.nodes.list.len() as u32 {
            let node = &self.nodes.list[n as usize];
            let loads = node.facts.as_ref().is_some_and(|f| {
                let e = &f.effects;
                !(e.reads_memory || e.writes_memory || e.branches || e.controls)
            });
            let mut numbers = node.operands.iter().filter(|o| o.shape == Shape::Number);
            let number = numbers
                .find(|o| o.width <= 8 && loads)
                .map(|o| o.value as u64);
            if let Some(p) = number.filter(|p| used.contains(p) && !found.contains(p))
                && self.is_upper(n)
            {
                found.insert(p);
            }
        }
        for n in 0..self.nodes.list.len() as u32 {
            let node = &self.nodes.list[n as usize];
            if node.size == 0 || !found.contains(&(node.address / page)) {
                continue;
            }
            match self.is_code(n) {
                true => self.freeze(node.at.chunk, None, Reason::Numbered),
                false => self.hold(n, Reason::Numbered),
            }
        }
    }

    /// Whether the byte that a node loads is put, on the straight way behind, into the upper half
    /// of a word that is used as an address, or of a register.
    fn is_upper(&self, n: u32) -> bool {
        let node = &self.nodes.list[n as usize];
        let Some(mut held) = node.facts.as_ref().map(|f| f.effects.writes) else {
            return false;
        };
        let mut at = node.next;
        for _ in 0..STRAIGHT {
            let Some(node) = at.map(|n| &self.nodes.list[n as usize]) else {
                return false;
            };
            let Some(f) = node.facts.as_ref() else {
                return false;
            };
            let e = &f.effects;
            let stores = e.reads().0 & held.0 != 0;
            if let ([a], true) = (f.writes.as_slice(), stores)
                && *a > 0
                && (self.is_given(*a) || self.linked.is_pointer(self.nodes, self.book, a - 1))
            {
                return true;
            }
            // From one half of a register to the other.
            let moved = e.writes.iter().any(|w| {
                let flows = e.flows[usize::from(w)];
                flows.0 & held.0 != 0 && flows.count() == 1 && !flows.has(w)
            });
            if moved && !e.reads_memory {
                return true;
            }
            held = held.without(e.writes);
            if node.ways.way.is_some() || held.is_empty() {
                return false;
            }
            at = node.next;
        }
        false
    }

    /// Whether what is put at an address is for others than the program.
    fn is_given(&self, address: u32) -> bool {
        let semantics = self.book.semantics;
        !semantics.is_own(address) && !semantics.is_elsewhere(address)
    }

    /// Whether control goes by a word of memory of which the halves are made one by one.
    fn builds_goals(&self) -> bool {
        let goes = |n: &&Node| n.ways.way.is_some() && n.ways.to.is_none();
        let all = self.nodes.list.iter().filter(goes);
        let words: FxHashSet<u32> = all
            .filter_map(|n| n.facts.as_ref())
            .flat_map(|f| f.reads.iter().copied())
            .collect();
        let code = self.nodes.list.iter().filter_map(|n| n.facts.as_ref());
        let mut stores = code.filter(|f| f.effects.writes_memory);
        stores.any(|f| {
            let own = f.writes.iter().filter(|a| words.contains(a)).count();
            own > 0 && (own != WORD || f.effects.reads_memory)
        })
    }

    /// All of a chunk stays as it is, wherever it is read, written or gone to: with its place,
    /// and so with that of what it names.
    fn whole_part(&mut self, chunk: u32) {
        let all = match self.program.chunks[chunk as usize].base {
            Some(_) => vec![chunk],
            // Where it is depends on how long others are.
            None => (0..self.program.chunks.len() as u32).collect(),
        };
        for chunk in all {
            self.freeze(chunk, None, Reason::Read);
        }
        let mut named = Vec::new();
        for node in self.nodes.list.iter_mut().filter(|n| n.at.chunk == chunk) {
            let code = node.kind == Kind::Code;
            node.entry |= code;
            node.other |= code;
            named.extend(node.operands.iter().flat_map(|o| o.shape.places()));
        }
        for v in self.program.values.iter().filter(|v| v.at.chunk == chunk) {
            named.extend(shape(self.program, v.value).places());
        }
        for a in named {
            let to = self.nodes.of(a);
            self.freeze(a.chunk, to, Reason::Read);
        }
    }

    /// Addresses and numbers that are values.
    pub(super) fn linked_places(&mut self, numbers: Vec<(u32, (u32, u64), u64)>) {
        for (n, (to, behind), address) in numbers {
            let node = &self.nodes.list[n as usize];
            let facts = node.facts.as_ref();
            let touched = facts.is_some_and(|f| {
                let mut all = f.reads.iter().chain(&f.writes);
                all.any(|&a| u64::from(a) == address)
            });
            let fate = self.value_fate(n, to, true);
            if !touched && !fate.is_address() {
                self.nodes.uses.insert(n, Taken::default());
                continue;
            }
            self.now = Some(n);
            self.nodes.uses.insert(n, Taken::FAR);
            self.hold(to, Reason::Numbered);
            let chunk = self.nodes.list[to as usize].at.chunk;
            if self.is_code(to) && behind == 0 && !touched && fate.is_whole() {
                self.stays_entry(to);
            } else if self.is_code(to) {
                self.whole_part(chunk);
            } else if fate.counted {
                self.freeze(chunk, Some(to), Reason::Numbered);
            }
        }
        for (to, behind, by) in std::mem::take(&mut self.taken) {
            if !self.is_code(to) {
                continue;
            }
            self.nodes.list[to as usize].entry = true;
            let whole = by.filter(|_| behind == 0).is_some_and(|by| {
                let whole = self.value_fate(by, to, false).is_whole();
                let used = match whole {
                    true => Taken {
                        goes: true,
                        ..Taken::default()
                    },
                    false => Taken::FAR,
                };
                self.nodes.uses.insert(by, used);
                whole
            });
            if !whole {
                self.now = by;
                let chunk = self.nodes.list[to as usize].at.chunk;
                self.whole_part(chunk);
            }
        }
        for (n, _) in std::mem::take(&mut self.regions) {
            let chunk = self.nodes.list[n as usize].at.chunk;
            self.whole_part(chunk);
        }
        self.now = None;
    }

    /// What becomes of the value that a node loads, which is the address of another.
    fn value_fate(&self, n: u32, to: u32, number: bool) -> Fate {
        let node = &self.nodes.list[n as usize];
        let Some(f) = &node.facts else {
            return Fate::ANY;
        };
        let e = &f.effects;
        // What it names besides is no value of a register.
        if e.reads_memory || e.writes_memory || e.branches || e.controls {
            return Fate::ANY;
        }
        let from = (n, e.writes);
        self.linked
            .fate(self.nodes, self.book, from, (Some(to), number))
    }
}
