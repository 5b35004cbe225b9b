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
        let named = (at..at + len).filter_map(|b| self.nodes.holding(b));
        let named = named.map(|(x, _)| x).any(|x| {
            let own = self.program.operands_of(self.nodes.list[x as usize].at);
            own.iter()
                .any(|v| !shape(self.program, v.value).places().is_empty())
        });
        if !named {
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
