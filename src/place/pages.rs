//! Sections that lie within a page: which of them must share one, and where.
//!
//! A section declared `within = n` lies in one block of n addresses. Sections whose
//! instructions reach each other only within a page form a group that shares one, and
//! so do those that `group` or `same_page` joins. What reaches a fixed address goes to
//! the page of that. Instructions that have a longer form for other pages join sections
//! only where these fit into a page at their longest. The groups are packed, the largest first, each into the first page
//! with room for it, around what has a fixed address and around tables; only what the
//! source has first in a region comes first there, since a program starts with it.

use super::fixed::Fixed;
use super::layout::{End, Group, Layout, Link};
use crate::image::NONE;
use crate::program::eval::{Known, Op};
use crate::program::item::{Given, OperandValue, What};
use crate::program::symbol::{Anchor, ExprId, Meaning};
use crate::program::{Chunk, Field, Program, Value};
use crate::text::source::Span;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

/// The first of those that a chunk is joined with.
fn root(leader: &mut [u32], mut x: u32) -> u32 {
    while leader[x as usize] != x {
        // What was walked once is shorter the next time.
        leader[x as usize] = leader[leader[x as usize] as usize];
        x = leader[x as usize];
    }
    x
}

impl Program<'_> {
    /// Bits of an address in a page, and bytes that an address counts, where
    /// instructions of the target reach a page only.
    pub(crate) fn page_shape(&self) -> Option<(u8, u64)> {
        let bases = self.operands.iter().filter_map(|o| o.value);
        let mut pages = bases.filter_map(|v| v.base.page());
        pages.next().map(|(bits, unit)| (bits, u64::from(unit)))
    }

    fn paged(&self, chunk: u32) -> bool {
        self.is_paged(&self.chunks[chunk as usize])
    }

    /// What an expression reaches. The page of a label plus a few words is that of the
    /// label.
    fn ends(&self, value: ExprId) -> impl Iterator<Item = End> {
        let ops = &self.ops[value.start as usize..(value.start + value.len) as usize];
        let alone = ops.len() == 1;
        ops.iter().filter_map(move |op| match *op {
            Op::Symbol(id) => {
                let s = self.symbols.get(self.symbols.resolve(id));
                match (s.place, s.meaning) {
                    (Some(p), _) if self.paged(p.chunk) => Some(End::Place(p)),
                    (Some(_), Meaning::Number(n)) => Some(End::Address(n)),
                    _ => None,
                }
            }
            Op::Place(p) if self.paged(p.chunk) => Some(End::Place(p)),
            Op::Number(n) if alone => Some(End::Address(n)),
            _ => None,
        })
    }

    /// Adds what the operand of an instruction reaches.
    fn operand_links(&self, class: u8, v: &OperandValue, expansion: u32, out: &mut Vec<Link>) {
        let spec = self.operands[usize::from(class)].value;
        if spec.and_then(|v| v.base.page()).is_none() || !self.paged(v.at.chunk) {
            return;
        }
        let found: SmallVec<[End; 4]> = match v.state {
            Given::Value => {
                let ops = &self.ops[v.value.start as usize..(v.value.start + v.value.len) as usize];
                match self.now(ops) {
                    Ok(Known::Number(n)) => [End::Address(n)].into_iter().collect(),
                    _ => SmallVec::new(),
                }
            }
            _ => self.ends(v.value).collect(),
        };
        out.extend(found.into_iter().map(|to| Link {
            from: v.at,
            to,
            span: v.span,
            expansion,
            branch: true,
        }));
    }

    /// Adds what the alternatives of instructions reach whose length is open: to those that
    /// bind, or to the others where one alternative reaches other pages too.
    fn choice_links(&self, bound: &mut Vec<Link>, free: &mut Vec<Link>) {
        let paged = |class: u8| {
            let spec = self.operands[usize::from(class)].value;
            spec.is_some_and(|v| v.base.page().is_some())
        };
        for (c, chunk) in self.chunks.iter().enumerate() {
            for &item in &chunk.open {
                let What::Choice { from, count } = chunk.items[item as usize].what else {
                    continue;
                };
                let at = Anchor {
                    chunk: c as u32,
                    item,
                    plus: 0,
                };
                let mut encodings = self.alternatives(from, count).iter();
                let values = encodings.clone().flat_map(|e| self.values_of(e));
                let goes_far = encodings.any(|e| self.values_of(e).iter().all(|v| !paged(v.0)));
                let out = if goes_far { &mut *free } else { &mut *bound };
                for &(class, value, span) in values {
                    if let Value::Expr(value) = value {
                        let v = OperandValue {
                            at,
                            field: Field::Class(class),
                            value,
                            span,
                            state: Given::Open,
                        };
                        self.operand_links(class, &v, NONE, out);
                    }
                }
            }
        }
    }

    /// Adds what the source wants in one page: the first place with each of the others,
    /// which joins them all.
    fn same_page_links(&self, out: &mut Vec<Link>) {
        for s in &self.asked.same_page {
            let parts = s.parts.iter();
            let all = parts.flat_map(|&(v, span)| self.ends(v).map(move |e| (e, span)));
            let all: Vec<(End, Span)> = all.collect();
            let mut places = all.iter().filter_map(|&(e, _)| match e {
                End::Place(p) => Some(p),
                End::Address(_) => None,
            });
            let Some(from) = places.next() else {
                continue;
            };
            let others = all.iter().filter(|a| a.0 != End::Place(from));
            out.extend(others.map(|&(to, span)| Link {
                from,
                to,
                span,
                expansion: s.expansion,
                branch: false,
            }));
        }
    }

    /// Everything that ties a chunk to a page, and what only would like to be in one.
    pub(crate) fn page_links(&self) -> (Vec<Link>, Vec<Link>) {
        let (mut out, mut free) = (Vec::new(), Vec::new());
        if self.chunks.iter().all(|c| !self.is_paged(c)) {
            return (out, free);
        }
        for v in self.values.iter().filter(|v| v.state != Given::All) {
            if let Field::Class(class) = v.field {
                let expansion = self.item(v.at).map_or(NONE, |i| i.expansion);
                self.operand_links(class, v, expansion, &mut out);
            }
        }
        self.choice_links(&mut out, &mut free);
        self.same_page_links(&mut out);
        (out, free)
    }

    /// The most bytes that a chunk may come to; nothing where that is not known.
    fn longest(&self, chunk: &Chunk) -> Option<u64> {
        let mut size = u64::from(chunk.size);
        for &item in &chunk.open {
            let What::Choice { from, count } = chunk.items[item as usize].what else {
                return None;
            };
            let forms = self.alternatives(from, count).iter();
            let sizes = forms.map(|e| self.forms[usize::from(e.form)].pattern.len);
            size += u64::from(sizes.max().unwrap_or(0));
        }
        Some(size)
    }

    /// Joins chunks that would like to share a page, where what they are joined with already
    /// fits into one with them.
    fn join_free(&self, leader: &mut [u32], links: &[Link], free: &[Link]) {
        if free.is_empty() {
            return;
        }
        let region = |c: u32| self.sections[self.chunks[c as usize].section as usize].region;
        // Of each first chunk of a group: bytes, the least page, whether it may be joined.
        let mut all = vec![(0, u64::MAX, true); self.chunks.len()];
        for (c, chunk) in self.chunks.iter().enumerate() {
            let root = root(leader, c as u32) as usize;
            let (size, within, may) = &mut all[root];
            let longest = self.longest(chunk);
            *size += longest.unwrap_or(0);
            *within = (*within).min(chunk.within.max(1));
            *may &= longest.is_some() && self.is_paged(chunk);
        }
        for link in links.iter().filter(|l| matches!(l.to, End::Address(_))) {
            // It must lie in a certain page.
            all[root(leader, link.from.chunk) as usize].2 = false;
        }
        for link in free {
            let End::Place(to) = link.to else { continue };
            let (a, b) = (root(leader, link.from.chunk), root(leader, to.chunk));
            let ((n, p, may), (m, q, too)) = (all[a as usize], all[b as usize]);
            if a != b && may && too && n + m <= p.min(q) && region(a) == region(b) {
                leader[a.max(b) as usize] = a.min(b);
                all[a.min(b) as usize] = (n + m, p.min(q), true);
            }
        }
    }

    /// Chunks that share a page, each group in the order of the source.
    pub(crate) fn page_groups(&self, links: &[Link], free: &[Link]) -> Vec<Group> {
        let mut leader: Vec<u32> = (0..self.chunks.len() as u32).collect();
        let mut join = |a: u32, b: u32| {
            let (a, b) = (root(&mut leader, a), root(&mut leader, b));
            leader[a.max(b) as usize] = a.min(b);
        };
        for link in links {
            if let End::Place(to) = link.to {
                join(link.from.chunk, to.chunk);
            }
        }
        let mut named = vec![None; self.asked.page_names.len()];
        for (c, chunk) in self.chunks.iter().enumerate() {
            if let Some(name) = chunk.together.filter(|_| self.is_paged(chunk)) {
                join(*named[name as usize].get_or_insert(c as u32), c as u32);
            }
        }
        self.join_free(&mut leader, links, free);
        let mut groups: std::collections::BTreeMap<u32, Group> = Default::default();
        for (c, chunk) in self.chunks.iter().enumerate() {
            if self.is_paged(chunk) {
                let root = root(&mut leader, c as u32);
                groups.entry(root).or_default().chunks.push(c as u32);
            }
        }
        if let Some((bits, unit)) = self.page_shape() {
            for link in links {
                let root = root(&mut leader, link.from.chunk);
                if let (End::Address(a), Some(g)) = (link.to, groups.get_mut(&root)) {
                    let origin = self.chunks[link.from.chunk as usize].origin;
                    let page = u64::try_from(a >> bits).unwrap_or(0);
                    // Of several, the first; a branch to another is an error then.
                    g.page.get_or_insert(origin + (page << bits) * unit);
                }
            }
        }
        groups.into_values().collect()
    }

    fn is_paged(&self, c: &Chunk) -> bool {
        c.within > 0 && c.base.is_none() && c.in_table.is_none()
    }

    /// Where the region of a chunk starts and ends.
    pub(crate) fn page_range(&self, c: u32) -> (u64, u64) {
        let chunk = &self.chunks[c as usize];
        let region = self.sections[chunk.section as usize].region as usize;
        match self.regions.get(region) {
            Some(r) => (r.start, r.start + r.size),
            None => (chunk.origin, chunk.origin + self.memory.space),
        }
    }

    /// Places what the source has first in each region, if it is no page and has no
    /// address: a program starts with it, however large the pages behind are.
    pub(crate) fn place_heads(
        &self,
        l: &mut Layout,
        space: &[Vec<u64>],
        fixed: &mut Fixed,
    ) -> FxHashSet<u32> {
        let mut heads = FxHashSet::default();
        for (region, c) in self.first_of_regions().into_iter().enumerate() {
            let Some(c) = c else {
                continue;
            };
            let chunk = &self.chunks[c as usize];
            if chunk.within > 0 || chunk.base.is_some() {
                continue;
            }
            let at = self.regions[region]
                .start
                .next_multiple_of(chunk.align.max(1));
            self.size_open(l, c as usize, at, space);
            let end = at + self.chunk_len(l, c as usize);
            if fixed.behind(at, end).is_none() {
                l.base[c as usize] = at;
                fixed.insert(at, end);
                heads.insert(c);
            }
        }
        heads
    }

    /// The first chunk of each region that has anything.
    fn first_of_regions(&self) -> Vec<Option<u32>> {
        let mut first = vec![None; self.regions.len()];
        for (i, c) in self.chunks.iter().enumerate() {
            let region = self.sections[c.section as usize].region;
            if let Some(f) = first.get_mut(region as usize)
                && (c.size > 0 || !c.open.is_empty())
            {
                f.get_or_insert(i as u32);
            }
        }
        first
    }

    /// Places the groups; what they fill is added to `fixed`. Those that can only lie in
    /// one place, and what a region begins with, come before the tables.
    pub(crate) fn place_pages(
        &self,
        l: &mut Layout,
        space: &[Vec<u64>],
        fixed: &mut Fixed,
        are_bound: bool,
    ) {
        let groups = std::mem::take(&mut l.groups);
        let first = self.first_of_regions();
        let mut sized: Vec<(u64, &Group)> = Vec::with_capacity(groups.len());
        for g in &groups {
            let mut size = 0;
            for &c in &g.chunks {
                self.size_open(l, c as usize, 0, space);
                size += self.chunk_len(l, c as usize);
            }
            let is_first = |c: &u32| {
                let region = self.sections[self.chunks[*c as usize].section as usize].region;
                first.get(region as usize) == Some(&Some(*c))
            };
            let bound = g.page.is_some() || g.chunks.iter().any(is_first);
            if bound == are_bound {
                sized.push((size, g));
            }
        }
        sized.sort_by_key(|g| std::cmp::Reverse(g.0));
        // Where one of a kind found room: nothing before that has room for the next.
        let mut last = FxHashMap::default();
        for (size, group) in sized {
            let (start, end) = self.page_range(group.chunks[0]);
            let within = group.chunks.iter().map(|&c| self.chunks[c as usize].within);
            let page = within.min().unwrap_or(1).max(1);
            let (mut p, stop) = match group.page {
                Some(only) => (only.max(start), (only + page).min(end)),
                None => (start, end),
            };
            let kind = (size, page, start, stop, group.page);
            p = last.get(&kind).copied().unwrap_or(p);
            let mut found = None;
            while size <= page && p < stop {
                let limit = (p / page * page + page).min(stop);
                while p + size <= limit {
                    match fixed.behind(p, p + size.max(1)) {
                        Some(next) => p = next,
                        None => break,
                    }
                }
                if p + size <= limit {
                    found = Some(p);
                    break;
                }
                p = limit.max(p);
            }
            if found.is_none() {
                // That has a finding of its own, where it lies must not be told too.
                l.homeless.extend(&group.chunks);
            }
            last.insert(kind, found.unwrap_or(stop));
            let mut at = found.unwrap_or(group.page.unwrap_or(start));
            if found.is_some() {
                fixed.insert(at, at + size);
            }
            for &c in &group.chunks {
                self.size_open(l, c as usize, at, space);
                l.base[c as usize] = at;
                at += self.chunk_len(l, c as usize);
            }
        }
        l.groups = groups;
    }
}
