//! Code whose address is used for more than going there: how much of what stands around it
//! stays as it is.

use super::hazard::Search;
use super::node::{Kind, Node, Reason, Ref};
use super::taken::{Taken, Touch};
use super::trace;
use scrimp_isa::depend::Inputs;
use scrimp_isa::effects::Way;

/// Bytes of a word.
const WORD: u64 = 2;

impl Search<'_, '_> {
    /// Code whose address is used: where that is whole it is an entry; elsewhere what stands
    /// behind it may be gone to, read, written or copied.
    pub(super) fn taken_places(&mut self) {
        let taken = std::mem::take(&mut self.taken);
        for (to, behind, by) in taken {
            if !self.is_code(to) {
                continue;
            }
            self.nodes.list[to as usize].entry = true;
            let Some(by) = by else {
                self.piece(to);
                continue;
            };
            let used = self.taken_by(by, false);
            match used.touch {
                Touch::Far => self.region(to),
                Touch::Near => self.piece(to),
                _ if used.counted => self.piece(to),
                Touch::Exact => self.exact(to, behind),
                Touch::No => {}
            }
        }
        // A table of jumps whose base comes from elsewhere: behind what control does not
        // leave by its end stands what nobody names.
        for n in 0..self.nodes.list.len() as u32 {
            let node = &self.nodes.list[n as usize];
            let named = |r: &Ref| matches!(r, Ref::Value(_) | Ref::Other);
            let used = node.refs.iter().any(named);
            if !used || node.kind != Kind::Code {
                continue;
            }
            let mut at = n;
            while let Some(next) = self.behind_in_chunk(at) {
                let ends = !self.nodes.list[at as usize].ways.falls_through
                    && !super::routine::calls(&self.nodes.list[at as usize]);
                let x = &self.nodes.list[next as usize];
                if ends {
                    if x.kind == Kind::Code && x.refs.is_empty() {
                        self.piece(n);
                    }
                    break;
                }
                at = next;
            }
        }
    }

    /// The code behind a node in its chunk.
    fn behind_in_chunk(&self, n: u32) -> Option<u32> {
        let next = n + 1;
        let node = self.nodes.list.get(next as usize)?;
        let same = node.at.chunk == self.nodes.list[n as usize].at.chunk;
        (same && node.kind == Kind::Code).then_some(next)
    }

    /// What a contract says of how far that goes which is touched from a node on.
    fn promised_region(&mut self, from: u32) -> bool {
        let said = self.promised;
        let said = said.and_then(|p| p.end(self.program, self.placed, self.nodes, from));
        let Some(end) = said else { return false };
        for n in from..end {
            if self.is_code(n) {
                self.pin(n, Reason::Read);
                self.nodes.list[n as usize].entry = true;
                self.nodes.list[n as usize].other = true;
            }
        }
        true
    }

    /// How the value is used that a node loads.
    pub(super) fn taken_by(&mut self, by: u32, number: bool) -> Taken {
        if let Some(&known) = self.nodes.uses.get(&by) {
            return known;
        }
        let load = self.load(by, number);
        let before = load.and_then(|l| self.book.uses.borrow().get(&l).copied());
        if let Some(used) = before {
            self.nodes.uses.insert(by, used);
            return used;
        }
        let known = trace::Known {
            live: self.live,
            routines: self.routines,
            returns: &self.returns,
            gives: !number,
            quiet: self.quiet().and(self.flags()),
            stack: self.book.stack(),
        };
        let used = trace::taken(self.nodes, known, by);
        self.nodes.uses.insert(by, used);
        self.book.uses.borrow_mut().extend(load.map(|l| (l, used)));
        used
    }

    /// The statement of a node that loads a value.
    fn load(&self, n: u32, number: bool) -> Option<super::facts::Load> {
        let node = &self.nodes.list[n as usize];
        let item = self.program.item(node.at)?;
        let o = node.operands.iter().find(|o| o.width >= 16)?;
        let value = match o.expr.filter(|_| !number) {
            Some(e) => -1 - i64::from(e.start),
            None => o.value & 0xffff,
        };
        let span = item.span;
        Some(((span.source.0, span.start, item.expansion), value))
    }

    /// What is touched in a node: that, and what a word reaches of the next.
    fn exact(&mut self, n: u32, behind: u64) {
        let from = self.nodes.list[n as usize].address + behind;
        for i in n..self.nodes.list.len() as u32 {
            let node = &self.nodes.list[i as usize];
            if node.address >= from + WORD || node.at.chunk != self.nodes.list[n as usize].at.chunk
            {
                return;
            }
            let start = node.address >= from;
            if node.kind == Kind::Code {
                self.pin(i, Reason::Read);
                self.nodes.list[i as usize].other |= start;
            }
        }
    }

    /// The piece that a node is in stays as it is and may be gone to anywhere, and the one
    /// before: up to the next labels, but through all of a table of jumps.
    fn piece(&mut self, n: u32) {
        if self.promised_region(n) {
            return;
        }
        let chunk = self.nodes.list[n as usize].at.chunk;
        let list = &self.nodes.list;
        let own = |i: u32| list.get(i as usize).filter(|x| x.at.chunk == chunk);
        let named = |i: u32| own(i).is_none_or(|x| !x.labels.is_empty());
        let begin = |mut i: u32| {
            while i > 0 && own(i - 1).is_some() && !named(i) {
                i -= 1;
            }
            i
        };
        let start = begin(n);
        let before = start.checked_sub(1).filter(|&b| own(b).is_some());
        let start = before.map_or(start, begin);
        let jumps = |i: u32| {
            let goes = |x: &&Node| {
                x.ways.way == Some(Way::Jump) && !x.ways.falls_through && x.ways.to.is_some()
            };
            own(i).filter(goes).map(|x| x.form)
        };
        let mut end = n + 1;
        while own(end).is_some()
            && (!named(end) || jumps(end).is_some() && jumps(end) == jumps(end - 1))
        {
            end += 1;
        }
        for i in start..end {
            if self.is_code(i) {
                self.pin(i, Reason::Read);
                self.nodes.causes.entry(i).or_insert(n);
                self.nodes.list[i as usize].entry = true;
                self.nodes.list[i as usize].other = true;
            }
        }
    }

    /// All code of the chunk stays as it is and may be gone to anywhere: a block may be moved
    /// from there on in either direction.
    fn region(&mut self, from: u32) {
        if self.promised_region(from) {
            return;
        }
        let chunk = self.nodes.list[from as usize].at.chunk as usize;
        let end = self.nodes.starts.get(chunk + 1).copied();
        for n in self.nodes.starts[chunk]..end.unwrap_or(self.nodes.list.len() as u32) {
            if self.is_code(n) {
                self.pin(n, Reason::Read);
                self.nodes.causes.entry(n).or_insert(from);
                self.nodes.list[n as usize].entry = true;
                self.nodes.list[n as usize].other = true;
            }
        }
    }

    /// Single bits, which hold no address.
    fn flags(&self) -> Inputs {
        let all = self.book.semantics.layout().locations();
        let bits = all.iter().filter(|l| l.bit.is_some());
        bits.fold(Inputs::NONE, |i, l| i.and(Inputs::one(l.number)))
    }
}
