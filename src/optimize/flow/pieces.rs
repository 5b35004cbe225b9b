//! Code whose address is used for more than going there: how much of what stands around it
//! stays as it is.

use super::blocks;
use super::build::Nodes;
use super::hazard::Search;
use super::node::{Kind, Node, Operand, Reason, Ref};
use super::shape::{Scale, Shape};
use super::taken::{Seen, Taken, Touch};
use super::trace;
use crate::program::lifted::LIFTED;
use crate::program::symbol::Anchor;
use scrimp_isa::depend::Inputs;
use scrimp_isa::effects::Way;
use scrimp_isa::state::place;
use std::ops::Range;

/// Bytes of a word.
const WORD: u64 = 2;
/// How far behind an address an instruction touches memory at most, at a distance that it says.
const BESIDE: u64 = 128;
/// Bytes from which data behind code may be counted.
const NEAR: u64 = 16;
/// Bytes from one address with a low half of 0 to the next.
const PAGE: u64 = 256;

impl Search<'_, '_> {
    /// Code whose address is used: where that is whole it is an entry; elsewhere what stands
    /// behind it may be gone to, read, written or copied.
    pub(super) fn taken_places(&mut self) {
        for (n, block) in std::mem::take(&mut self.regions) {
            match block {
                true => self.region(n),
                false => {
                    self.piece(n, Seen::Looked);
                    self.beside(n, Seen::Looked);
                }
            }
        }
        // How long blocks are is asked when it is seen what else is touched.
        let (taken, data): (Vec<_>, Vec<_>) = std::mem::take(&mut self.taken)
            .into_iter()
            .partition(|t| self.is_code(t.0));
        let (blocks, taken): (Vec<_>, Vec<_>) =
            taken.into_iter().partition(|t| self.is_block(t.0, t.2));
        self.touched_places(taken, false);
        let sure = !blocks.is_empty() && blocks::are_sure(self.nodes, self.book);
        self.touched_places(blocks, sure);
        self.data_gone_to(&data);
        self.blocks_of_data(data);
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
                        self.piece(n, Seen::No);
                    }
                    break;
                }
                at = next;
            }
        }
    }

    /// Whether a place is code by whose address a block is touched of which it may be known how
    /// long it is.
    fn is_block(&mut self, to: u32, by: Option<u32>) -> bool {
        let by = by.filter(|_| self.is_code(to));
        by.is_some_and(|by| self.half(by).is_none() && self.taken_by(by, false).reach().is_some())
    }

    /// Code whose address is used, and whether it is `sure` how long blocks are.
    fn touched_places(&mut self, taken: Vec<(u32, u64, Option<u32>)>, sure: bool) {
        for (to, behind, by) in taken {
            self.nodes.list[to as usize].entry = true;
            let Some(by) = by else {
                self.piece(to, Seen::No);
                if behind == 0 {
                    self.page_of_code(to);
                }
                continue;
            };
            if self.half(by).is_some() {
                if !self.is_passed_on(by) {
                    self.piece(to, Seen::No);
                }
                continue;
            }
            let used = self.taken_by(by, false);
            match used.touch {
                // A block is all that stands behind: room would come into it.
                Touch::Far => self.region(to),
                Touch::Ahead => {
                    match used.reach().filter(|_| sure) {
                        Some(bytes) => self.stretch((to, behind), bytes, used.seen()),
                        None => self.ahead(to),
                    }
                    if used.beside {
                        self.piece(to, used.seen());
                    }
                }
                Touch::Near => {
                    self.piece(to, used.seen());
                    if used.beside {
                        self.beside(to, used.seen());
                    }
                }
                _ if used.counted => self.piece(to, used.seen()),
                Touch::Exact => self.exact((to, behind), by, used.seen()),
                Touch::No => {}
            }
        }
    }

    /// Of each chunk whether control may come to its start from outside whatever is named:
    /// it has an address of its own, or is the first where the linker puts such.
    pub(super) fn begins(&self) -> Vec<bool> {
        let layout = &self.placed.layout;
        let size = |c: usize| self.placed.bytes[c].len() as u64;
        let chunks = &self.program.chunks;
        let end = |c: usize| layout.base[c] + size(c);
        let mut ends: Vec<u64> = (0..chunks.len())
            .filter(|&c| size(c) > 0)
            .map(end)
            .collect();
        ends.sort_unstable();
        let own = chunks.iter().zip(&layout.base);
        own.map(|(chunk, &base)| {
            let near = ends.partition_point(|&e| e <= base).checked_sub(1);
            let near = near.is_some_and(|i| base - ends[i] < chunk.align.max(1));
            chunk.base.is_some() || !near
        })
        .collect()
    }

    /// Code at the end of a chunk that goes on behind it.
    pub(super) fn borders(&mut self) {
        for n in 0..self.nodes.list.len() {
            let node = &self.nodes.list[n];
            let back = super::routine::calls(node) && node.next.is_some();
            if node.kind != Kind::Code || !node.ways.falls_through && !back {
                continue;
            }
            let chunk = node.at.chunk;
            let other = node.next.map(|x| self.nodes.list[x as usize].at.chunk);
            self.now = Some(n as u32);
            match other {
                Some(o) if o == chunk => {}
                Some(other) => {
                    self.freeze(chunk, None, Reason::Border);
                    self.freeze(other, None, Reason::Border);
                }
                // What is outside stays where it is.
                None => {
                    self.pin(n as u32, Reason::Border);
                    self.hold(n as u32, Reason::Border);
                }
            }
        }
    }

    /// Chunks that control comes to from no entry: they begin with one, since nobody else can
    /// be who goes there.
    pub(super) fn orphans(&mut self) {
        let list = &self.nodes.list;
        let count = list.len() as u32;
        let mut seen = vec![false; list.len()];
        let mut open: Vec<u32> = (0..count).filter(|&n| list[n as usize].entry).collect();
        let first = |&n: &u32| {
            let before = n.checked_sub(1).map(|b| list[b as usize].at.chunk);
            before != Some(list[n as usize].at.chunk)
        };
        let mut starts = (0..count).filter(first);
        let mut found = Vec::new();
        loop {
            while let Some(n) = open.pop() {
                let node = &list[n as usize];
                if node.kind == Kind::Code && !std::mem::replace(&mut seen[n as usize], true) {
                    let next = node.ways.falls_through || super::routine::calls(node);
                    open.extend(node.next.filter(|_| next));
                    open.extend(node.to);
                }
            }
            let Some(start) = starts.next() else { break };
            let chunk = list[start as usize].at.chunk;
            let own = || (start..count).take_while(|&n| list[n as usize].at.chunk == chunk);
            let code = || own().filter(|&n| list[n as usize].kind == Kind::Code);
            if let Some(n) = code().next().filter(|_| !code().any(|n| seen[n as usize])) {
                found.push(n);
                open.push(n);
            }
        }
        for n in found {
            self.nodes.list[n as usize].entry = true;
        }
    }

    /// Whether a node names a byte of an address in words: the place, its scale, and whether
    /// it is the upper one.
    fn half(&self, n: u32) -> Option<(Anchor, Scale, bool)> {
        let mut all = self.nodes.list[n as usize].operands.iter();
        all.find_map(|o| match o.shape {
            Shape::Byte(a, s, high) => Some((a, s, high)),
            _ => None,
        })
    }

    /// Whether both bytes of an address are loaded, one right behind the other, and nothing is
    /// done with either but to keep it, to pass it on and to go there.
    fn is_passed_on(&mut self, n: u32) -> bool {
        let loads = |s: &Self, n: u32| {
            let facts = s.nodes.list[n as usize].facts.as_ref();
            facts.is_some_and(|f| {
                let registers = f.effects.reads().0 & ((1 << place::OTHERS) - 1);
                registers == 0 && !f.effects.writes_memory
            })
        };
        let beside = [n.checked_sub(1), Some(n + 1)].into_iter().flatten();
        let other = beside.into_iter().find(|&x| {
            let both = (self.nodes.list.len() as u32 > x).then(|| (self.half(n), self.half(x)));
            let pair = matches!(both, Some((Some(a), Some(b)))
                if (a.0, a.1) == (b.0, b.1) && a.2 != b.2);
            let (first, second) = (&self.nodes.list[n.min(x) as usize], n.max(x));
            pair && first.next == Some(second)
                && !self.nodes.list[second as usize].is_reached()
                && loads(self, n)
                && loads(self, x)
        });
        let Some(other) = other else { return false };
        self.taken_by(n, false).is_whole() && self.taken_by(other, false).is_whole()
    }

    /// The code behind a node in its chunk.
    fn behind_in_chunk(&self, n: u32) -> Option<u32> {
        let next = n + 1;
        let node = self.nodes.list.get(next as usize)?;
        let same = node.at.chunk == self.nodes.list[n as usize].at.chunk;
        (same && node.kind == Kind::Code).then_some(next)
    }

    /// What a contract says of how far that goes which is touched from a node on.
    fn promised_region(&mut self, from: u32, seen: Seen) -> bool {
        let said = self.promised;
        let said = said.and_then(|p| p.end(self.program, self.placed, self.nodes, from));
        let Some(end) = said else { return false };
        for n in from..end {
            self.keeps_bytes_for(n, from, seen);
            if self.is_code(n) {
                self.pin(n, Reason::Read);
                self.nodes.list[n as usize].entry = true;
                self.nodes.list[n as usize].other |= seen != Seen::No;
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
            book: self.book,
            live: self.live,
            routines: self.routines,
            returns: &self.returns,
            home: &self.home,
            callers: &self.callers,
            gives: !number,
            distance: number && load.is_some_and(|l| self.is_distance(l.1)),
            near: None,
            pushed: false,
            quiet: self.quiet().and(self.flags()),
            stack: self.book.stack(),
            undone: &self.undone,
        };
        let used = trace::taken(self.nodes, known, by);
        self.nodes.uses.insert(by, used);
        self.book.uses.borrow_mut().extend(load.map(|l| (l, used)));
        used
    }

    /// Whether a number that is added to something is how far it is to go on, and no place in the
    /// program: a small one where there is code. Nobody looks things up from there.
    fn is_distance(&self, number: i64) -> bool {
        let small = u64::try_from(number).ok().filter(|&n| n < PAGE);
        let there = small.and_then(|n| self.nodes.holding(n));
        there.is_some_and(|(n, _)| self.is_code(n))
    }

    /// The statement of a node that loads a value.
    fn load(&self, n: u32, number: bool) -> Option<super::facts::Load> {
        let node = &self.nodes.list[n as usize];
        let item = self.program.item(node.at)?;
        let wide = |o: &&Operand| o.width >= 16 || matches!(o.shape, Shape::Byte(..));
        let o = node.operands.iter().find(wide)?;
        let value = match o.expr.filter(|_| !number) {
            Some(e) => -1 - i64::from(e.start),
            None => o.value & 0xffff,
        };
        let span = item.span;
        Some(((span.source.0, span.start, item.expansion), value))
    }

    /// What is touched in a node: that, and what a word reaches of the next. Where the node that
    /// names it writes there itself, and no more, nobody reads what was there.
    fn exact(&mut self, (n, behind): (u32, u64), by: u32, seen: Seen) {
        let from = self.nodes.list[n as usize].address + behind;
        let writes = self.nodes.list[by as usize].facts.as_ref();
        let writes = writes.is_some_and(|f| {
            !f.effects.reads_memory && f.writes.iter().any(|&a| u64::from(a) == from)
        });
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
            if !writes {
                self.keeps_bytes_for(i, n, seen);
            }
        }
    }

    /// Blocks that begin in data and go on over code, where it is known where they begin and how
    /// long they are: that is touched. Of others it is taken that they stay within the data.
    fn blocks_of_data(&mut self, taken: Vec<(u32, u64, Option<u32>)>) {
        let Some(&most) = self.nodes.blocks.values().max() else {
            return;
        };
        let mut found = blocks::reads(self.nodes, self.book);
        for (to, behind, by) in taken {
            let at = self.nodes.list[to as usize].address + behind;
            let near = |bytes: u64| (at + 1).saturating_sub(bytes)..at + bytes;
            let by = by.filter(|_| self.nodes.has_code(near(most.into())));
            let Some(by) = by.filter(|&by| self.half(by).is_none()) else {
                continue;
            };
            let used = self.taken_by(by, false);
            found.extend(used.reach().map(|bytes| (at, at..at + bytes)));
            found.extend(used.below().map(|bytes| (at, near(bytes).start..at + 1)));
        }
        for (at, range) in found {
            let Some((to, behind)) = self.nodes.holding(at) else {
                continue;
            };
            if self.is_code(to) || !self.nodes.has_code(range.clone()) {
                continue;
            }
            if range.start == at {
                self.stretch((to, behind), range.end - at, Seen::Looked);
            } else {
                self.stretch_down(to, range.start, Seen::Looked);
            }
        }
    }

    /// All bytes from an address to those of a node are touched.
    fn stretch_down(&mut self, to: u32, from: u64, seen: Seen) {
        let chunk = self.nodes.list[to as usize].at.chunk;
        for i in (0..=to).rev() {
            let node = &self.nodes.list[i as usize];
            if node.address + u64::from(node.size) <= from || node.at.chunk != chunk {
                return;
            }
            self.nodes.together.extend((i < to).then_some(i + 1));
            self.keeps_bytes_for(i, to, seen);
            self.stays_for(i, to, seen);
        }
    }

    /// So many bytes are touched from behind the start of a node on.
    fn stretch(&mut self, (n, behind): (u32, u64), bytes: u64, seen: Seen) {
        let from = self.nodes.list[n as usize].address + behind;
        let chunk = self.nodes.list[n as usize].at.chunk;
        for i in n..self.nodes.list.len() as u32 {
            let node = &self.nodes.list[i as usize];
            if node.address >= from + bytes || node.at.chunk != chunk {
                return;
            }
            self.nodes.together.extend((i > n).then_some(i));
            self.keeps_bytes_for(i, n, seen);
            self.stays_for(i, n, seen);
        }
    }

    /// The piece that a node is in stays as it is and may be gone to anywhere, and the one
    /// before: up to the next labels, but through all of a table of jumps. Where memory is
    /// touched its bytes stay what they are.
    fn piece(&mut self, n: u32, seen: Seen) {
        if self.promised_region(n, seen) {
            return;
        }
        let Range { start, end } = around(self.nodes, n);
        if seen != Seen::No {
            self.nodes.together.extend(start + 1..end);
        }
        for i in start..end {
            self.keeps_bytes_for(i, n, seen);
            self.stays_for(i, n, seen);
        }
    }

    /// Code that begins where the low half of addresses is 0, and of which half an address may be
    /// used: the low half may come from anywhere, also that of what nobody goes to by its name.
    fn page_of_code(&mut self, to: u32) {
        let (from, chunk) = {
            let node = &self.nodes.list[to as usize];
            (node.address, node.at.chunk)
        };
        if self.book.semantics.unit() > 1 || from % PAGE != 0 {
            return;
        }
        let count = self.nodes.list.len() as u32;
        let own = |nodes: &Nodes, n: u32| {
            let node = &nodes.list[n as usize];
            node.at.chunk == chunk && node.address < from + PAGE
        };
        let end = (to..count).find(|&n| !own(self.nodes, n)).unwrap_or(count);
        let last = (to + 1..end).rev().find(|&n| is_left_alone(self.nodes, n));
        let Some(last) = last else { return };
        let end = around(self.nodes, last).end;
        self.nodes.together.extend(to + 1..end);
        for n in to..end {
            self.stays_for(n, to, Seen::No);
        }
    }

    /// What an instruction may touch at a distance behind a node stays as it is.
    fn beside(&mut self, from: u32, seen: Seen) {
        if self.promised_region(from, seen) {
            return;
        }
        let node = &self.nodes.list[from as usize];
        let (chunk, end) = (node.at.chunk, node.address + BESIDE);
        for n in from..self.nodes.list.len() as u32 {
            let node = &self.nodes.list[n as usize];
            if node.at.chunk != chunk || node.address >= end {
                return;
            }
            self.keeps_bytes_for(n, from, seen);
            self.stays_for(n, from, seen);
        }
    }

    /// What the bytes of a node name stays where it is, since the address of another is used.
    pub(super) fn keeps_bytes_for(&mut self, n: u32, cause: u32, seen: Seen) {
        let before = self.now.replace(cause);
        self.keeps_bytes(n, seen);
        self.now = before;
    }

    /// Code stays as it is and may be gone to, since the address of a node is used. Where memory
    /// is touched it may be written to.
    fn stays_for(&mut self, n: u32, cause: u32, seen: Seen) {
        if self.is_code(n) {
            self.pin(n, Reason::Read);
            self.nodes.causes.entry(n).or_insert(cause);
            let node = &mut self.nodes.list[n as usize];
            node.entry = true;
            node.other |= seen != Seen::No;
        }
    }

    /// All code of the chunk stays as it is and may be gone to anywhere: a block may be moved
    /// from there on in either direction.
    pub(super) fn region(&mut self, from: u32) {
        if self.promised_region(from, Seen::Looked) {
            return;
        }
        let chunk = self.nodes.list[from as usize].at.chunk as usize;
        self.copied(from, self.nodes.starts[chunk]);
    }

    /// The same where a block is moved upwards: what stands before the piece may change.
    fn ahead(&mut self, from: u32) {
        if !self.promised_region(from, Seen::Looked) {
            let start = around(self.nodes, from).start;
            self.copied(from, start);
        }
    }

    /// All code from one node to the end of its chunk is touched by way of another.
    fn copied(&mut self, from: u32, start: u32) {
        let chunk = self.nodes.list[start as usize].at.chunk as usize;
        let end = self.nodes.starts.get(chunk + 1).copied();
        let end = end.unwrap_or(self.nodes.list.len() as u32);
        self.nodes.together.extend(start + 1..end);
        for n in start..end {
            self.keeps_bytes_for(n, from, Seen::Looked);
            self.stays_for(n, from, Seen::Looked);
        }
    }

    /// Whether control comes to a node from the one before it in its chunk.
    pub(super) fn is_gone_on_to(&self, n: u32) -> bool {
        let before = n.checked_sub(1).map(|b| &self.nodes.list[b as usize]);
        before.is_some_and(|b| b.kind == Kind::Code && b.ways.falls_through && b.next == Some(n))
    }

    /// What is brought into memory may take the place of what is there, up to its end: what
    /// stands behind that stays behind it.
    pub(super) fn ends_of_others(&mut self) {
        for c in 0..self.program.chunks.len() {
            if !self.program.is_lifted(c as u32) {
                continue;
            }
            let end = self.placed.layout.base[c] % LIFTED + self.placed.bytes[c].len() as u64;
            if let Some((n, _)) = self.nodes.holding(end) {
                self.hold(n, Reason::Numbered);
            }
        }
    }

    /// Data soon behind a node: what is counted from there may be they.
    pub(super) fn data_behind(&self, n: u32) -> Option<u32> {
        let own = &self.nodes.list[n as usize];
        let end = own.address + u64::from(own.size) + NEAR;
        let behind = (n..).zip(&self.nodes.list[n as usize..]);
        let mut behind = behind.take_while(|x| x.1.at.chunk == own.at.chunk && x.1.address < end);
        let found = behind.find(|x| x.1.kind != Kind::Code && x.1.size > 0);
        found.map(|x| x.0)
    }

    /// Single bits, which hold no address.
    pub(super) fn flags(&self) -> Inputs {
        let all = self.book.semantics.layout().locations();
        let bits = all.iter().filter(|l| l.bit.is_some());
        bits.fold(Inputs::NONE, |i, l| i.and(Inputs::one(l.number)))
    }
}

/// Whether nobody goes to code by its name, nor comes to it from before: it is one of several that
/// are counted from another, or is for somebody outside.
fn is_left_alone(nodes: &Nodes, n: u32) -> bool {
    let node = &nodes.list[n as usize];
    let before = n.checked_sub(1).map(|b| &nodes.list[b as usize]);
    let before = before.filter(|b| b.at.chunk == node.at.chunk);
    let apart =
        |b: &Node| b.kind == Kind::Code && !b.ways.falls_through && !super::routine::calls(b);
    node.kind == Kind::Code && node.refs.is_empty() && before.is_some_and(apart)
}

/// The piece that a node is in, and the one before: up to the next labels, but through all of
/// a table of jumps and what nobody else comes to.
pub fn around(nodes: &Nodes, n: u32) -> Range<u32> {
    let chunk = nodes.list[n as usize].at.chunk;
    let list = &nodes.list;
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
    let unused = |i: u32| own(i).is_some() && is_left_alone(nodes, i);
    let mut end = n + 1;
    while own(end).is_some()
        && (!named(end) || unused(end) || jumps(end).is_some() && jumps(end) == jumps(end - 1))
    {
        end += 1;
    }
    start..end
}
