//! Layout: where each chunk lies and how large each item is whose size depends on that.
//!
//! Every instruction starts in its shortest form and only grows, so the fixed point is
//! the least one and is reached. A source can be made in which each round
//! lengthens one jump; after [`PATIENT_ROUNDS`] every jump that is not well
//! inside its range is lengthened at once, which ends the search.

mod fixed;
mod layout;
mod pages;
mod relax;
mod tables;
mod values;

pub use layout::{End, Group, Layout, Link};

use crate::program::eval::{Final, Miss, State};
use crate::program::fit::Fit;
use crate::program::item::{Encoding, What};
use crate::program::plan::{Plan, Start, Stored};
use crate::program::symbol::Anchor;
use crate::program::{MAX_IMAGE, Program, Value};
pub(crate) use fixed::Fixed;
use rustc_hash::{FxHashMap, FxHashSet};
use scrimp_isa::Base;
use std::collections::BTreeSet;

/// Rounds that look for the least layout.
pub const PATIENT_ROUNDS: usize = 64;
/// Rounds after which a size that still changes is an error.
const MAX_ROUNDS: usize = 400;
/// Sizes that are looked at in all rounds, where there are more rounds than few.
const MOST_SIZED: usize = 12_000_000;

/// Takes their bytes from items of open size where these are more than a program may have,
/// so that nobody makes them.
fn bound(l: &mut Layout) {
    let mut most = MAX_IMAGE as u64;
    for (c, sums) in l.growth.iter().enumerate() {
        if let Some(end) = sums.iter().position(|&s| s > most) {
            l.too_long = Some((c as u32, end.saturating_sub(1) as u32));
            break;
        }
        most -= sums.last().copied().unwrap_or(0);
    }
    if l.too_long.is_some() {
        l.growth.iter_mut().for_each(|sums| sums.fill(0));
    }
}

impl Program<'_> {
    /// Address of an anchor.
    #[inline]
    pub fn address(&self, l: &Layout, a: Anchor) -> u64 {
        let c = a.chunk as usize;
        let (offset, open) = self.chunks[c].position(a);
        l.base[c] + u64::from(offset) + l.growth[c][open]
    }

    /// Bytes of a chunk as laid out.
    pub(crate) fn chunk_len(&self, l: &Layout, c: usize) -> u64 {
        u64::from(self.chunks[c].size) + l.growth[c].last().copied().unwrap_or(0)
    }

    /// Finds the least layout. Sections that only would like to share a page do not where
    /// that leaves one without room.
    pub fn lay_out(&self) -> Layout {
        let (links, free) = self.page_links();
        let l = self.lay_out_tied(links, &free);
        match l.homeless.is_empty() || free.is_empty() {
            true => l,
            false => self.lay_out_tied(l.links, &[]),
        }
    }

    fn lay_out_tied(&self, links: Vec<Link>, free: &[Link]) -> Layout {
        let n = self.chunks.len();
        let mut l = Layout {
            base: vec![0; n],
            load: vec![0; n],
            growth: self
                .chunks
                .iter()
                .map(|c| vec![0; c.open.len() + 1])
                .collect(),
            choice: self.chunks.iter().map(|c| vec![0; c.open.len()]).collect(),
            groups: Vec::new(),
            links,
            homeless: BTreeSet::new(),
            chunk_bytes: Vec::new(),
            unsettled: Vec::new(),
            too_long: None,
        };
        l.groups = self.page_groups(&l.links, free);
        let mut space: Vec<Vec<u64>> = self.chunks.iter().map(|c| vec![0; c.open.len()]).collect();
        let tails: usize = self.chunks.iter().map(|c| c.open.len()).sum();
        self.size_and_place(&mut l, &space);
        if tails == 0 {
            self.store(&mut l);
            return l;
        }
        // Many rounds over many tails would take long.
        let rounds = (MOST_SIZED / tails).clamp(PATIENT_ROUNDS + 16, MAX_ROUNDS);
        for round in 0..rounds {
            let grown = self.grow(&mut l, &mut space, round >= PATIENT_ROUNDS);
            let before = l.base.clone();
            let sizes = l.growth.clone();
            self.size_and_place(&mut l, &space);
            if grown.is_empty() && before == l.base && sizes == l.growth {
                break;
            }
            if round + 1 == rounds {
                l.unsettled = grown;
            }
        }
        bound(&mut l);
        self.store(&mut l);
        l
    }

    /// Bytes of all chunks, and where they are stored.
    fn store(&self, l: &mut Layout) {
        l.chunk_bytes = (0..self.chunks.len())
            .map(|c| self.chunk_len(l, c))
            .collect();
        if self.asked.plan.is_some() {
            return;
        }
        for (c, chunk) in self.chunks.iter().enumerate() {
            l.load[c] = match chunk.stored {
                Stored::Here | Stored::Nowhere => l.base[c],
                Stored::At(a) => a,
                // One that is not before it has no place yet.
                Stored::Behind(k) if (k as usize) < c => {
                    l.load[k as usize] + l.chunk_bytes[k as usize]
                }
                Stored::Behind(_) => l.base[c],
            };
        }
    }

    /// Lengthens what does not fit; returns what changed.
    fn grow(&self, l: &mut Layout, space: &mut [Vec<u64>], hasty: bool) -> Vec<(u32, u32)> {
        let mut changed = Vec::new();
        let mut wider: Vec<(usize, usize, u8)> = Vec::new();
        {
            let address = |p: Anchor| self.address_value(p.chunk, self.address(l, p));
            let mut values = Final {
                ops: &self.ops,
                symbols: &self.symbols,
                dialect: self.dialect,
                address: &address,
                values: vec![State::New; self.symbols.ids().count()].into(),
            };
            for (c, chunk) in self.chunks.iter().enumerate() {
                for (t, &i) in chunk.open.iter().enumerate() {
                    let item = &chunk.items[i as usize];
                    match item.what {
                        What::Choice { from, count } => {
                            let encodings = self.alternatives(from, count);
                            let mut k = l.choice[c][t] as usize;
                            let at = l.base[c] + u64::from(item.offset) + l.growth[c][t];
                            let at = self.address_value(c as u32, at);
                            while k + 1 < encodings.len()
                                && !self.reaches(&encodings[k], at, &mut values, hasty)
                            {
                                k += 1;
                            }
                            if k != l.choice[c][t] as usize {
                                wider.push((c, t, k as u8));
                            }
                        }
                        What::Space { count, .. } => {
                            let want = match values.expr(count) {
                                Ok(v) => {
                                    let n = v.clamp(0, self.memory.space as i64) as u64;
                                    n * self.space_unit(c as u32)
                                }
                                Err(_) => 0,
                            };
                            if want != space[c][t] && (!hasty || want > space[c][t]) {
                                space[c][t] = want;
                                changed.push((c as u32, t as u32));
                            }
                        }
                        _ => {}
                    }
                }
            }
        }
        for (c, t, k) in wider {
            l.choice[c][t] = k;
            changed.push((c as u32, t as u32));
        }
        changed
    }

    /// Whether all values of an encoding fit (with room to spare if `hasty`).
    fn reaches(&self, e: &Encoding, at: i64, values: &mut Final<'_>, hasty: bool) -> bool {
        let pattern = &self.forms[e.form as usize].pattern;
        self.values_of(e).iter().all(|&(class, value, _)| {
            let v = match value {
                Value::Number(n) | Value::Known(n, _) => Ok(n),
                Value::Expr(x) => values.expr(x),
            };
            // An undefined target is reported later; it does not lengthen.
            let v = match v {
                Ok(v) => v,
                Err(Miss::Undefined(_)) => return true,
                Err(_) => return false,
            };
            let Some(spec) = self.operands[class as usize].value else {
                return true;
            };
            let Some(field) = pattern.field(spec.field) else {
                return true;
            };
            match self.fit(class, v, at, field.width) {
                Fit::Yes(bits) if hasty && !matches!(spec.base, Base::Absolute) => {
                    let d = bits as i64;
                    d >= spec.min / 2 && d <= spec.max / 2
                }
                Fit::Yes(_) => true,
                _ => false,
            }
        })
    }

    /// Sizes of items and addresses of chunks, in one sweep.
    fn size_and_place(&self, l: &mut Layout, space: &[Vec<u64>]) {
        if let Some(plan) = &self.asked.plan {
            return self.place_by_plan(l, space, plan);
        }
        let mut cursors: Vec<u64> = self.regions.iter().map(|r| r.start).collect();
        let mut behind = 0u64;
        let mut fixed = self.fixed_ranges(l, space, 0);
        // Memories that lie over each other have a start and ranges of their own.
        let mut pages: FxHashMap<u32, (Vec<u64>, Fixed)> = FxHashMap::default();
        let mut heads = FxHashSet::default();
        if !l.groups.is_empty() || self.columns.tables > 0 {
            heads = self.place_heads(l, space, &mut fixed);
            l.homeless.clear();
            self.place_pages(l, space, &mut fixed, true);
            let homeless = self.place_tables(l, space, &mut fixed);
            l.homeless.extend(homeless);
            self.place_pages(l, space, &mut fixed, false);
        }
        for (c, chunk) in self.chunks.iter().enumerate() {
            if chunk.within > 0 && chunk.base.is_none() {
                continue;
            }
            let region = self.sections[chunk.section as usize].region as usize;
            if heads.contains(&(c as u32)) {
                cursors[region] = l.base[c] + self.chunk_len(l, c);
                continue;
            }
            let (cursors, fixed) = match chunk.page {
                0 => (&mut cursors, &fixed),
                page => {
                    let own = pages.entry(page).or_insert_with(|| {
                        let starts = self.regions.iter().map(|r| r.start).collect();
                        (starts, self.fixed_ranges(l, space, page))
                    });
                    (&mut own.0, &own.1)
                }
            };
            let align = |a: u64| a.next_multiple_of(chunk.align.max(1));
            let mut base = match chunk.base {
                Some(b) => b,
                None => align(cursors.get(region).copied().unwrap_or(behind)),
            };
            if chunk.base.is_none() && region < self.regions.len() {
                // Step over what has a fixed address in the region, with what it needs
                // at least wherever it lies.
                let least = self.least_len(l, c, space);
                while let Some(next) = fixed.behind(base, base + least) {
                    base = align(next);
                }
            }
            self.size_open(l, c, base, space);
            if chunk.base.is_none() && region < self.regions.len() {
                while let Some(next) = fixed.behind(base, base + self.chunk_len(l, c)) {
                    base = align(next);
                    self.size_open(l, c, base, space);
                }
                cursors[region] = base + self.chunk_len(l, c);
            }
            l.base[c] = base;
            behind = base + self.chunk_len(l, c);
        }
    }

    /// What has an address of its own in a page, or in what is always there.
    fn fixed_ranges(&self, l: &mut Layout, space: &[Vec<u64>], page: u32) -> Fixed {
        let mut fixed = Fixed::default();
        if self.regions.is_empty() {
            return fixed;
        }
        for (c, chunk) in self.chunks.iter().enumerate() {
            if let Some(base) = chunk.base
                && (chunk.page == 0 || chunk.page == page)
            {
                self.size_open(l, c, base, space);
                fixed.add(base, base + self.chunk_len(l, c));
            }
        }
        for r in self.machine.map_or(&[][..], |m| m.occupied()) {
            fixed.add(r.start, r.start + r.size);
        }
        fixed.sort();
        fixed
    }

    /// Places chunks in the order of a plan.
    fn place_by_plan(&self, l: &mut Layout, space: &[Vec<u64>], plan: &Plan) {
        let (mut at, mut stored, mut begun) = (0, 0, 0);
        for (i, g) in plan.groups.iter().enumerate() {
            match g.start {
                Start::At(a) => at = a,
                Start::Mapped(n) => at = stored + n,
                Start::Behind | Start::Over => {}
            }
            let high = at;
            if g.start == Start::Over {
                at = begun;
            }
            let start = at;
            begun = at;
            for &c in &g.chunks {
                let c = c as usize;
                self.size_open(l, c, at, space);
                l.base[c] = at;
                l.load[c] = match g.stored {
                    true => stored + (at - start),
                    false => at,
                };
                at += self.chunk_len(l, c);
            }
            if g.start == Start::Over {
                at = at.max(high);
            }
            stored = match i {
                0 => at,
                _ if g.stored => stored + (at - start),
                _ => stored,
            };
        }
        for &c in &plan.dropped {
            self.size_open(l, c as usize, 0, space);
        }
    }

    /// Bytes of a chunk but for what alignment puts in.
    fn least_len(&self, l: &Layout, c: usize, space: &[Vec<u64>]) -> u64 {
        let chunk = &self.chunks[c];
        let sized = |t: &usize| {
            let item = &chunk.items[chunk.open[*t] as usize];
            !matches!(item.what, What::Align { .. })
        };
        let open = (0..chunk.open.len()).filter(sized);
        let sizes = open.map(|t| self.open_size(l, (c, t), 0, space));
        u64::from(chunk.size) + sizes.sum::<u64>()
    }

    /// Bytes of an item of open size that lies at an address.
    fn open_size(&self, l: &Layout, (c, t): (usize, usize), at: u64, space: &[Vec<u64>]) -> u64 {
        let chunk = &self.chunks[c];
        match chunk.items[chunk.open[t] as usize].what {
            What::Choice { from, .. } => {
                let form = self.choices.list[from as usize + usize::from(l.choice[c][t])].form;
                self.forms[form as usize].pattern.len.into()
            }
            What::Align { to, .. } => at.next_multiple_of(to.into()) - at,
            What::Space { .. } => space[c][t],
            _ => 0,
        }
    }

    pub(crate) fn size_open(&self, l: &mut Layout, c: usize, base: u64, space: &[Vec<u64>]) {
        let chunk = &self.chunks[c];
        let mut sum = 0u64;
        for (t, &i) in chunk.open.iter().enumerate() {
            l.growth[c][t] = sum;
            let at = base + u64::from(chunk.items[i as usize].offset) + sum;
            sum += self.open_size(l, (c, t), at, space);
        }
        l.growth[c][chunk.open.len()] = sum;
    }
}
