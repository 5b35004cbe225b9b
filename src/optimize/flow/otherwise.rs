//! Code that is executed otherwise than as its instructions: from the midst of one on, or as
//! data. It is decoded from there until it comes to where an instruction begins, and what its
//! bytes go to, or go over, stays where it is.

use super::build::goal;
use super::hazard::Search;
use super::node::{Operand, Reason};
use super::shape::shape;
use rustc_hash::FxHashSet;
use scrimp_isa::effects::{Successors, Way};
use scrimp_isa::semantics::Code;

/// Instructions that are decoded from one place on, at most.
const LONG: usize = 256;
/// Bytes that an instruction may have.
const BYTES: usize = 8;
/// Bits of an address.
const WORD: u8 = 16;
/// Bits of a short distance.
const SHORT: u8 = 8;
/// How far it is moved to see whether what it goes to moves along.
const ELSEWHERE: u64 = 0x100;

impl Search<'_, '_> {
    /// Control comes to an address at which no instruction of the source begins.
    pub(super) fn otherwise(&mut self, from: u64) {
        let mut seen = FxHashSet::default();
        let mut open = vec![from];
        while let Some(at) = open.pop() {
            if seen.len() >= LONG || !seen.insert(at) {
                continue;
            }
            let Some((n, behind)) = self.nodes.holding(at) else {
                continue;
            };
            if behind == 0 && self.is_code(n) {
                // From here on it is what the source says.
                self.nodes.list[n as usize].entry = true;
                continue;
            }
            let Some((len, ways)) = self.decoded(n, at) else {
                // It may be a prefix, or do nothing.
                let unit = self.book.semantics.unit();
                self.executed(at, unit);
                open.push(at + unit);
                continue;
            };
            self.executed(at, len);
            let goes = matches!(ways.way, Some(Way::Jump | Way::Call | Way::Skip));
            if let Some(to) = goal(self.book, &ways).filter(|_| goes) {
                self.goes(at, len, to);
                open.push(to);
            }
            if ways.falls_through || ways.way == Some(Way::Call) {
                open.push(at + len);
            }
        }
    }

    /// Data whose addresses instructions load, if those are gone to.
    pub(super) fn data_gone_to(&mut self, taken: &[(u32, u64, Option<u32>)]) {
        for &(to, behind, by) in taken {
            let from = self.nodes.list[to as usize].address + behind;
            if let Some(by) = by.filter(|_| !self.named_from(from).is_empty())
                && self.taken_by(by, false).enters()
            {
                self.data_executed(from);
            }
        }
    }

    /// Data are executed from an address on, which is somebody's value: what they go to and
    /// what they name by numbers stays.
    pub(super) fn data_executed(&mut self, from: u64) {
        for to in self.named_from(from) {
            self.hold(to, Reason::Overlapped);
            if self.is_code(to) {
                self.pin(to, Reason::Overlapped);
                self.nodes.list[to as usize].entry = true;
            }
        }
        self.otherwise(from);
    }

    /// What data name by numbers, or go to, if they are executed from an address on.
    fn named_from(&self, from: u64) -> Vec<u32> {
        let mut out = Vec::new();
        let mut at = from;
        for _ in 0..LONG {
            let Some((n, _)) = self.nodes.holding(at).filter(|h| !self.is_code(h.0)) else {
                break;
            };
            let Some((len, ways)) = self.decoded(n, at) else {
                at += self.book.semantics.unit();
                continue;
            };
            if !self.is_named(at, len) {
                out.extend(self.numbers_at(n, at, len));
                let to = goal(self.book, &ways).filter(|&to| !self.is_relative(n, at, to));
                out.extend(to.and_then(|to| self.nodes.holding(to)).map(|h| h.0));
            }
            if ways.way == Some(Way::Return) || ways.way == Some(Way::Jump) && !ways.falls_through {
                break;
            }
            at += len;
        }
        out.sort_unstable();
        out.dedup();
        out
    }

    /// Addresses that instructions in data go to by numbers, as they are decoded one behind the
    /// other, and where those are.
    pub(super) fn goals_from(&self, from: u64, end: u64) -> Vec<(u64, u64)> {
        let mut out = Vec::new();
        let mut at = from;
        while at < end {
            let Some((n, _)) = self.nodes.holding(at) else {
                break;
            };
            let Some((len, ways)) = self.decoded(n, at) else {
                at += self.book.semantics.unit();
                continue;
            };
            let goes = matches!(ways.way, Some(Way::Jump | Way::Call));
            if let Some(to) = goal(self.book, &ways).filter(|_| goes)
                && !self.is_named(at, len)
                && !self.is_relative(n, at, to)
            {
                out.push((at, to));
            }
            at += len;
        }
        out
    }

    /// What instructions in data between two addresses name by numbers.
    pub(super) fn numbers_in(&self, range: std::ops::Range<u64>) -> Vec<u32> {
        let mut out = Vec::new();
        let mut at = range.start;
        while at < range.end {
            let Some((n, _)) = self.nodes.holding(at) else {
                break;
            };
            let Some((len, _)) = self.decoded(n, at) else {
                at += self.book.semantics.unit();
                continue;
            };
            if !self.is_named(at, len) {
                out.extend(self.numbers_at(n, at, len));
            }
            at += len;
        }
        out
    }

    /// What of the program an instruction in data has as a number.
    fn numbers_at(&self, n: u32, at: u64, len: u64) -> Vec<u32> {
        let chunk = self.nodes.list[n as usize].at.chunk as usize;
        let offset = (at - self.placed.layout.base[chunk]) as usize;
        let Some(bytes) = self.placed.bytes[chunk].get(offset..offset + len as usize) else {
            return Vec::new();
        };
        let target = self.program.target;
        let Some(found) = target.decode_on(bytes, at, self.program.machine) else {
            return Vec::new();
        };
        let form = &self.program.forms[found.form];
        let values = found.operands.iter().filter_map(|o| {
            let spec = self.program.operands[usize::from(o.class)].value?;
            let wide = form.pattern.field(spec.field)?.width >= WORD;
            o.value.filter(|_| wide && self.book.semantics.unit() == 1)
        });
        let own = values.filter_map(|v| self.nodes.holding((v & 0xffff) as u64));
        own.map(|h| h.0).collect()
    }

    /// Whether a place is named in some bytes of data, which then follow it.
    fn is_named(&self, at: u64, len: u64) -> bool {
        let mut named = (at..at + len).filter_map(|b| self.nodes.holding(b));
        named.any(|(x, _)| {
            let own = self.program.operands_of(self.nodes.list[x as usize].at);
            own.iter()
                .any(|v| !shape(self.program, v.value).places().is_empty())
        })
    }

    /// The distance of a jump may be written: it may go wherever it reaches, and all there stays.
    pub(super) fn goes_anywhere(&mut self, n: u32) {
        let node = &self.nodes.list[n as usize];
        let jumps = matches!(node.ways.way, Some(Way::Jump | Way::Call));
        let short = |o: &Operand| o.relative && o.width <= SHORT;
        if !jumps || !node.operands.iter().any(short) {
            return;
        }
        let end = node.address + u64::from(node.size);
        let (chunk, reach) = (node.at.chunk, 1 << (SHORT - 1));
        let own = self.nodes.places.iter();
        let own = own.filter(|(at, _)| (end.saturating_sub(reach)..end + reach).contains(at));
        let own: Vec<u32> = own.map(|p| p.1).collect();
        for n in own {
            if self.nodes.list[n as usize].at.chunk == chunk && self.is_code(n) {
                self.pin(n, Reason::Modified);
                self.nodes.list[n as usize].entry = true;
            }
        }
    }

    /// The bytes of what is executed at an address, and where control goes from there.
    fn decoded(&self, n: u32, at: u64) -> Option<(u64, Successors)> {
        let chunk = self.nodes.list[n as usize].at.chunk as usize;
        let offset = at.checked_sub(self.placed.layout.base[chunk])?;
        let rest = self.placed.bytes[chunk].get(offset as usize..)?;
        let bytes = &rest[..rest.len().min(BYTES)];
        let len = self.book.semantics.length(Code { bytes, address: at })?;
        let ways = self.book.ways(rest, len, at)?;
        (len > 0 && len <= rest.len()).then_some((len as u64, ways))
    }

    /// Code is executed otherwise: it stays as it is, and so do the addresses that it names.
    fn executed(&mut self, at: u64, len: u64) {
        let mut next = at;
        while next < at + len {
            let Some((n, behind)) = self.nodes.holding(next) else {
                return;
            };
            let node = &self.nodes.list[n as usize];
            next = node.address + u64::from(node.size).max(1);
            if !self.is_code(n) {
                continue;
            }
            let own = &self.nodes.list[n as usize];
            let from = own.address;
            let operands = own.operands.iter().filter(|o| behind > 0 || !o.relative);
            let places =
                operands.flat_map(|o| o.shape.places().into_iter().map(|a| (a, o.relative)));
            let places: Vec<_> = places.collect();
            self.pin(n, Reason::Overlapped);
            self.nodes.list[n as usize].entry = true;
            for (a, relative) in places {
                if relative {
                    self.stays_apart(a, from);
                } else if let Some(to) = self.node_of(a) {
                    self.hold(to, Reason::Overlapped);
                }
            }
        }
    }

    /// What is not an instruction of the source goes to an address: by the distance, which then
    /// stays, or by a number, or by a place that data name.
    fn goes(&mut self, at: u64, len: u64, to: u64) {
        let Some((goal_node, _)) = self.nodes.holding(to) else {
            return;
        };
        let Some((n, _)) = self.nodes.holding(at) else {
            return;
        };
        if self.is_relative(n, at, to) {
            self.span(self.nodes.list[n as usize].at, goal_node, Reason::Numbered);
            return;
        }
        if !self.is_named(at, len) {
            self.hold(goal_node, Reason::Numbered);
        }
    }

    /// Whether what stands at an address would go elsewhere if it stood elsewhere.
    fn is_relative(&self, n: u32, at: u64, to: u64) -> bool {
        let chunk = self.nodes.list[n as usize].at.chunk as usize;
        let offset = (at - self.placed.layout.base[chunk]) as usize;
        let rest = &self.placed.bytes[chunk][offset..];
        let Some((len, _)) = self.decoded(n, at) else {
            return true;
        };
        let moved = self.book.ways(rest, len as usize, at + ELSEWHERE);
        moved.and_then(|w| goal(self.book, &w)) != Some(to)
    }
}
