//! Filler between instructions, so that what the target promises about time holds.
//!
//! Behind the directive that divides time into blocks every instruction of a floating
//! section has a gap before and behind it, without a byte. The program is laid out and
//! given to the target, which says what belongs into which gap; the gaps become items with
//! that in them, and the program is laid out again. What came of it is proven like every
//! other promise, so a mistake here is a finding and never a wrong picture.

use super::Promises;
use crate::emit;
use crate::image::Image;
use crate::image::ranges::Ranges;
use crate::place::Layout;
use crate::program::Program;
use crate::program::eval::State;
use crate::program::item::{Again, GapAt, What};
use crate::program::problems::Problems;
use crate::program::rewrite::Filling;
use crate::program::symbol::Anchor;
use crate::write::View;
use scrimp_isa::proof::{Goal, Spot};
use std::collections::BTreeMap;

/// What the target's plan asks for.
#[derive(Debug, Default)]
pub struct Wanted {
    /// What goes into the gaps, and what follows from it.
    pub filling: Filling,
    /// What the target finds wrong.
    pub problems: Problems,
}

impl Program<'_> {
    /// All gaps by where they are, with the section and the tail.
    fn gaps(&self, l: &Layout) -> BTreeMap<Spot, (u32, Anchor)> {
        let mut out = BTreeMap::new();
        for (c, chunk) in self.chunks.iter().enumerate() {
            let mut last = None;
            for (t, &i) in chunk.open.iter().enumerate() {
                let item = &chunk.items[i as usize];
                let What::Gap { at } = item.what else {
                    continue;
                };
                let place = Anchor {
                    chunk: c as u32,
                    item: i,
                    plus: 0,
                };
                let address = l.base[c] + u64::from(item.offset) + l.growth[c][t];
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

    /// The item at a linear address in a layout: the last that begins there.
    fn place_at(&self, l: &Layout, chunks: &Ranges, address: u64) -> Option<Anchor> {
        let c = chunks.holding(address)?;
        let chunk = &self.chunks[c];
        let start = |item: u32| {
            let anchor = Anchor {
                chunk: c as u32,
                item,
                plus: 0,
            };
            self.address(l, anchor)
        };
        let (mut low, mut high) = (0, chunk.items.len() as u32);
        while low < high {
            let middle = (low + high) / 2;
            match start(middle) <= address {
                true => low = middle + 1,
                false => high = middle,
            }
        }
        let item = low.checked_sub(1)?;
        Some(Anchor {
            chunk: c as u32,
            item,
            plus: (address - start(item)) as u32,
        })
    }

    /// What the target wants in the gaps of a program as laid out without anything in
    /// them; `None` if it promises nothing, or has errors, which are said when it is
    /// linked.
    pub fn wanted(&self, l: &Layout, values: &[State]) -> Option<Wanted> {
        self.asked.slices.as_ref()?;
        let (built, problems) = emit::bytes(self, l, values);
        if problems.errors() > 0 {
            return None;
        }
        let contracts = self.contracts_of(l, values).ok()?;
        let gaps = self.gaps(l);
        let image = self.provisional(built);
        let spots = gaps
            .iter()
            .map(|(&s, &(section, _))| (s, section))
            .collect();
        let plan = self
            .target
            .plan(&View::new(&image, &[], ""), &contracts, &spots);
        let mut wanted = Wanted::default();
        let known = Promises::new(&self.asked.contracts, &contracts, &image);
        for f in &plan.findings {
            let d = self.unkept(f, &known);
            wanted.problems.found(d, known.expansion(f.address));
        }
        if wanted.problems.errors() > 0 {
            return Some(wanted);
        }
        let filling = &mut wanted.filling;
        let chunks = self.laid_out(l);
        let goal = |goal: Goal| match goal {
            Goal::Instruction(a) => self.place_at(l, &chunks, a),
            Goal::Spot(s, more) => gaps.get(&s).map(|g| behind(g.1, more)),
        };
        for link in &plan.links {
            if let (Some(at), Some(to)) = (self.place_at(l, &chunks, link.at), goal(link.goal)) {
                filling.links.push((at, to, link.high));
            }
        }
        for (spot, pieces) in plan.pieces {
            let Some(&(_, gap)) = gaps.get(&spot) else {
                continue;
            };
            let mut bytes = Vec::new();
            for p in &pieces {
                let (at, len) = (behind(gap, bytes.len() as u64), p.bytes.len() as u32);
                filling.overhead.push((at, len, p.kind));
                for link in &p.links {
                    if let Some(to) = goal(link.goal) {
                        filling.links.push((behind(at, link.at), to, link.high));
                    }
                }
                if let Some(from) = p.copy.and_then(|a| self.place_at(l, &chunks, a)) {
                    filling.again.push(Again { at, from, len });
                }
                bytes.extend_from_slice(&p.bytes);
            }
            filling.gaps.push((gap, bytes));
        }
        Some(wanted)
    }

    /// An image of bytes only, as the target needs it for its plan.
    fn provisional(&self, mut built: Vec<crate::image::Chunk>) -> Image {
        for c in &mut built {
            c.load = c.address;
        }
        Image {
            chunks: built,
            spaces: self.image_spaces(),
            ..Image::default()
        }
    }
}

/// So many bytes behind an anchor.
fn behind(a: Anchor, more: u64) -> Anchor {
    Anchor {
        plus: a.plus + more as u32,
        ..a
    }
}
