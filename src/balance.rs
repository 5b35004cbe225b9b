//! Filler between instructions, so that what the target promises about time holds.
//!
//! Behind the directive that divides time into blocks every instruction of a floating
//! section has a gap before and behind it, without a byte. The program is laid out and
//! given to the target, which says what belongs into which gap; it is laid out again
//! with that, and addresses in it are put in. What came of it is proven like every
//! other promise, so a mistake here is a finding and never a wrong picture.

use crate::contract::Promises;
use crate::eval::State;
use crate::image::{Class, Image};
use crate::layout::Layout;
use crate::program::{Assembler, TailKind};
use crate::ranges::Ranges;
use crate::symbol::Place;
use crate::write::View;
use rustc_hash::{FxHashMap, FxHashSet};
use scrimp_isa::proof::{Goal, Overhead, Piece, Spot};
use std::collections::BTreeMap;

/// Where a gap is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GapAt {
    /// Before an instruction, behind the labels of its line.
    Before,
    /// Behind it.
    Behind,
    /// Where the source leaves room for it.
    Room,
}

/// A byte in the program as it will be: so far behind a place.
type Byte = (Place, u64);

/// What remains to be done when the addresses are known.
#[derive(Debug, Default)]
pub struct Changes {
    /// Bytes that become the low or high half of an address.
    links: Vec<(Byte, Byte, bool)>,
    /// Instructions that are put elsewhere once more: where, from where, bytes.
    copies: Vec<(Byte, Byte, u32)>,
    /// What was put in, with its bytes.
    overhead: Vec<(Byte, u32, Overhead)>,
}

impl Assembler<'_> {
    /// A gap, if filler may be put here.
    pub(crate) fn gap(&mut self, at: GapAt) {
        let chunk = &self.chunks[self.chunk as usize];
        if self.slices.is_some() && chunk.base.is_none() {
            let class = match at {
                GapAt::Room => Class::Code,
                _ => Class::Padding,
            };
            let pieces = Vec::new();
            self.emit_tail(TailKind::Gap { at, pieces }, class);
        }
    }

    /// The promises before an instruction are about it, and not about the filler.
    pub(crate) fn place_contracts(&mut self) {
        let here = self.here;
        for c in &mut self.contracts[self.placed_contracts..] {
            c.move_to(here);
        }
        self.placed_contracts = self.contracts.len();
    }

    /// All gaps by where they are, with the section and the tail.
    fn gaps(&self, l: &Layout) -> BTreeMap<Spot, (u32, Place)> {
        let mut out = BTreeMap::new();
        for (c, chunk) in self.chunks.iter().enumerate() {
            let mut last = None;
            for (t, tail) in chunk.tails.iter().enumerate() {
                let TailKind::Gap { at, .. } = tail.kind else {
                    continue;
                };
                let place = Place {
                    chunk: c as u32,
                    offset: tail.offset,
                    tail: t as u32,
                };
                let address = l.address(place);
                let spot = match at {
                    GapAt::Before => {
                        last = Some(address);
                        Spot::Before(address)
                    }
                    GapAt::Behind => match last.take() {
                        Some(before) => Spot::Behind(before),
                        None => continue,
                    },
                    GapAt::Room => Spot::Room(chunk.section),
                };
                out.entry(spot).or_insert((chunk.section, place));
            }
        }
        out
    }

    /// The chunks by where they lie in a layout.
    fn laid_out(&self, l: &Layout) -> Ranges {
        let range = |c: usize| (l.base[c], l.base[c] + self.chunk_len(l, c));
        Ranges::new((0..self.chunks.len()).map(range))
    }

    /// The place of a linear address in a layout: behind all gaps before it.
    fn place_at(&self, l: &Layout, chunks: &Ranges, address: u64) -> Option<Place> {
        let c = chunks.holding(address)?;
        let tails = &self.chunks[c].tails;
        let offset = address - l.base[c];
        let (mut low, mut high) = (0, tails.len());
        while low < high {
            let t = (low + high) / 2;
            match u64::from(tails[t].offset) + l.growth[c][t + 1] <= offset {
                true => low = t + 1,
                false => high = t,
            }
        }
        Some(Place {
            chunk: c as u32,
            offset: offset.checked_sub(l.growth[c][low])? as u32,
            tail: low as u32,
        })
    }

    /// Puts in what the target wants; the layout is void then.
    pub(crate) fn balance(&mut self, l: &Layout) -> Option<Changes> {
        self.slices.as_ref()?;
        let before = self.findings.mark();
        if self.fatal || self.has_errors() {
            return None;
        }
        let values = self.final_values(l);
        let image = self.provisional(l, &values);
        let raw = std::mem::take(&mut self.contracts);
        let contracts = self.contracts_of(&raw, l, &values);
        let failed = self.fatal || self.has_errors() || contracts.is_err();
        let gaps = self.gaps(l);
        let plan = contracts.ok().filter(|_| !failed).map(|contracts| {
            let spots = gaps
                .iter()
                .map(|(&s, &(section, _))| (s, section))
                .collect();
            let view = View::new(&image, &[], "");
            let plan = self.job.target.plan(&view, &contracts, &spots);
            (plan, contracts)
        });
        // What is wrong with the program itself is said when it is linked.
        self.fatal = false;
        self.findings.forget_since(before);
        let Some((plan, contracts)) = plan else {
            self.contracts = raw;
            return None;
        };
        let known = Promises::new(&raw, &contracts, &image);
        for f in &plan.findings {
            let d = self.unkept(f, &known);
            self.findings.push(d);
        }
        self.contracts = raw;
        if self.has_errors() {
            return None;
        }
        let mut changes = Changes::default();
        let chunks = self.laid_out(l);
        let goal = |goal: Goal| match goal {
            Goal::Instruction(a) => self.place_at(l, &chunks, a).map(|p| (p, 0)),
            Goal::Spot(s, more) => gaps.get(&s).map(|g| (g.1, more)),
        };
        for link in &plan.links {
            if let (Some(at), Some(to)) = (self.place_at(l, &chunks, link.at), goal(link.goal)) {
                changes.links.push(((at, 0), to, link.high));
            }
        }
        for (spot, pieces) in &plan.pieces {
            let Some(&(_, gap)) = gaps.get(spot) else {
                continue;
            };
            let mut at = 0;
            for p in pieces {
                let len = p.bytes.len();
                changes.overhead.push(((gap, at), len as u32, p.kind));
                for link in &p.links {
                    if let Some(to) = goal(link.goal) {
                        changes.links.push(((gap, at + link.at), to, link.high));
                    }
                }
                if let Some(from) = p.copy.and_then(|a| self.place_at(l, &chunks, a)) {
                    changes.copies.push(((gap, at), (from, 0), len as u32));
                }
                at += len as u64;
            }
        }
        for (spot, pieces) in plan.pieces {
            if let Some((_, gap)) = gaps.get(&spot) {
                self.fill(*gap, pieces);
            }
        }
        Some(changes)
    }

    /// Bytes in the gaps of a chunk.
    pub(crate) fn overhead_of(&self, chunk: u32) -> u64 {
        let tails = self.chunks[chunk as usize].tails.iter();
        let bytes = tails.map(|t| match &t.kind {
            TailKind::Gap { pieces, .. } => pieces.iter().map(|p| p.bytes.len() as u64).sum(),
            _ => 0u64,
        });
        bytes.sum()
    }

    fn fill(&mut self, gap: Place, new: Vec<Piece>) {
        let tail = &mut self.chunks[gap.chunk as usize].tails[gap.tail as usize];
        if let TailKind::Gap { pieces, .. } = &mut tail.kind {
            *pieces = new;
        }
    }

    /// The bytes as they are in a layout; the program stays as it is.
    fn provisional(&mut self, l: &Layout, values: &[State]) -> Image {
        let kept = self
            .chunks
            .iter()
            .map(|c| (c.bytes.clone(), c.runs.clone()));
        let kept: Vec<_> = kept.collect();
        let fixups = self.fixups.clone();
        let mut undefined = FxHashSet::default();
        let mut built = self.build_chunks(l, values, &mut undefined);
        self.apply_fixups(l, values, &mut built, &mut undefined);
        self.fixups = fixups;
        for (c, (bytes, runs)) in self.chunks.iter_mut().zip(kept) {
            (c.bytes, c.runs) = (bytes, runs);
        }
        for c in &mut built {
            c.load = c.address;
        }
        Image {
            chunks: built,
            spaces: self.image_spaces(),
            ..Image::default()
        }
    }

    /// Puts in the addresses that are known now.
    pub(crate) fn apply_changes(&self, image: &mut Image, l: &Layout, changes: &Changes) {
        let address = |b: Byte| l.address(b.0) + b.1;
        let bases: FxHashMap<u64, usize> = image
            .chunks
            .iter()
            .enumerate()
            .filter(|(_, c)| !c.bytes.is_empty())
            .map(|(i, c)| (c.address, i))
            .collect();
        let chunk = |b: Byte| {
            let base = l.base[b.0.chunk as usize];
            let at = (address(b) - base) as usize;
            bases.get(&base).map(|&i| (i, at))
        };
        for &(at, to, high) in &changes.links {
            let value = self.address_value(to.0.chunk, address(to));
            let byte = value.to_le_bytes()[usize::from(high)];
            if let Some((c, i)) = chunk(at)
                && let Some(b) = image.chunks[c].bytes.get_mut(i)
            {
                *b = byte;
            }
        }
        for &(at, from, len) in &changes.copies {
            let len = len as usize;
            if let (Some((c, i)), Some((d, j))) = (chunk(at), chunk(from))
                && let Some(bytes) = image.chunks[d].bytes.get(j..j + len).map(<[u8]>::to_vec)
                && let Some(to) = image.chunks[c].bytes.get_mut(i..i + len)
            {
                to.copy_from_slice(&bytes);
            }
        }
        let put = |&(at, len, kind): &(Byte, u32, Overhead)| (address(at), len, kind);
        image.overhead = changes.overhead.iter().map(put).collect();
        image.overhead.sort_unstable();
    }
}
