//! Sections that lie within a page: which of them must share one, and where.
//!
//! A section declared `within = n` lies in one block of n addresses. Sections whose
//! instructions reach each other only within a page form a group that shares one. The
//! groups are packed, the largest first, each into the first page with room for it,
//! around what has a fixed address.

use crate::diagnostic::{Diagnostic, codes};
use crate::eval::Op;
use crate::layout::{Fixed, Layout};
use crate::program::{Assembler, Field, TailKind, Value};
use crate::symbol::ExprId;
use scrimp_isa::Base;

impl Assembler<'_> {
    /// Chunks that share a page, each group in the order of the source.
    pub(crate) fn page_groups(&self) -> Vec<Vec<u32>> {
        if self.chunks.iter().all(|c| !self.is_paged(c)) {
            return Vec::new();
        }
        let mut leader: Vec<u32> = (0..self.chunks.len() as u32).collect();
        let mut join = |a: u32, b: u32| {
            let root = |leader: &[u32], mut x: u32| {
                while leader[x as usize] != x {
                    x = leader[x as usize];
                }
                x
            };
            let (a, b) = (root(&leader, a), root(&leader, b));
            leader[a.max(b) as usize] = a.min(b);
        };
        let paged = |c: u32| self.is_paged(&self.chunks[c as usize]);
        let mut link = |from: u32, class: u8, value: ExprId| {
            let base = self.operands[usize::from(class)].value.map(|v| v.base);
            if !matches!(base, Some(Base::Page { .. })) || !paged(from) {
                return;
            }
            let ops = &self.ops[value.start as usize..(value.start + value.len) as usize];
            // The page of a label plus a few words is that of the label.
            for op in ops {
                let chunk = match *op {
                    Op::Symbol(id) => {
                        let s = self.symbols.get(self.symbols.resolve(id));
                        s.place.map(|p| p.chunk)
                    }
                    Op::Place(p) => Some(p.chunk),
                    _ => None,
                };
                if let Some(to) = chunk.filter(|&c| paged(c)) {
                    join(from, to);
                }
            }
        };
        for f in &self.fixups {
            if let Field::Form { class, .. } = f.field {
                link(f.place.chunk, class, f.value);
            }
        }
        for (c, chunk) in self.chunks.iter().enumerate() {
            for t in &chunk.tails {
                let TailKind::Relax(encodings) = &t.kind else {
                    continue;
                };
                for (class, value, _) in encodings.iter().flat_map(|e| &e.values) {
                    if let Value::Expr(e) = value {
                        link(c as u32, *class, *e);
                    }
                }
            }
        }
        let mut groups: std::collections::BTreeMap<u32, Vec<u32>> = Default::default();
        for c in (0..self.chunks.len() as u32).filter(|&c| paged(c)) {
            let mut root = c;
            while leader[root as usize] != root {
                root = leader[root as usize];
            }
            groups.entry(root).or_default().push(c);
        }
        groups.into_values().collect()
    }

    fn is_paged(&self, c: &crate::program::Chunk) -> bool {
        c.within > 0 && c.base.is_none()
    }

    /// Places the groups; what they fill is added to `fixed`.
    pub(crate) fn place_pages(&self, l: &mut Layout, space: &[Vec<u64>], fixed: &mut Fixed) {
        let groups = std::mem::take(&mut l.groups);
        let mut sized: Vec<(u64, &Vec<u32>)> = Vec::with_capacity(groups.len());
        for g in &groups {
            let mut size = 0;
            for &c in g {
                self.size_tails(l, c as usize, 0, space);
                size += self.chunk_len(l, c as usize);
            }
            sized.push((size, g));
        }
        sized.sort_by_key(|g| std::cmp::Reverse(g.0));
        for (size, group) in sized {
            let first = &self.chunks[group[0] as usize];
            let region = self.sections[first.section as usize].region as usize;
            let (start, end) = match self.regions.get(region) {
                Some(r) => (r.start, r.start + r.size),
                None => (first.origin, first.origin + self.space),
            };
            let within = group.iter().map(|&c| self.chunks[c as usize].within).min();
            let page = within.unwrap_or(1).max(1);
            let mut at = end;
            let mut p = start;
            // A group larger than a page has a finding of its own.
            while size <= page && p < end {
                let limit = (p / page * page + page).min(end);
                while p + size <= limit {
                    match fixed.behind(p, p + size.max(1)) {
                        Some(next) => p = next,
                        None => break,
                    }
                }
                if p + size <= limit {
                    at = p;
                    break;
                }
                p = limit.max(p);
            }
            if size > page {
                // That is told; where it lies must not be told too.
                at = start;
                while let Some(next) = fixed.behind(at, at + size) {
                    at = next;
                }
            }
            fixed.add(at, at + size);
            fixed.sort();
            for &c in group {
                self.size_tails(l, c as usize, at, space);
                l.base[c as usize] = at;
                at += self.chunk_len(l, c as usize);
            }
        }
        l.groups = groups;
    }

    /// Reports groups that are larger than a page.
    pub(crate) fn check_pages(&mut self, l: &Layout) {
        let mut found = Vec::new();
        for group in &l.groups {
            let chunk = |c: &u32| &self.chunks[*c as usize];
            let page = group.iter().map(|c| chunk(c).within).min().unwrap_or(1);
            let size: u64 = group.iter().map(|&c| l.chunk_bytes[c as usize]).sum();
            if size <= page {
                continue;
            }
            let unit = u64::from(chunk(&group[0]).unit);
            let section = |c: &u32| &self.sections[chunk(c).section as usize];
            let list: Vec<String> = group
                .iter()
                .map(|c| format!("{} {}", section(c).name, l.chunk_bytes[*c as usize] / unit))
                .collect();
            let message = match group.len() {
                1 => format!(
                    "the section `{}` has {}, {} more than a page",
                    section(&group[0]).name,
                    size / unit,
                    (size - page) / unit
                ),
                _ => format!(
                    "these sections branch to each other, so they must share a page, but have {} together, {} more than it has",
                    size / unit,
                    (size - page) / unit
                ),
            };
            let overhead: u64 = group.iter().map(|&c| self.overhead_of(c)).sum();
            let mut d = Diagnostic::new(codes::PAGE_FULL, message)
                .note(format!("their sizes: {}", list.join(", ")))
                .help("move a part into a section of its own and reach it with a jump that names the page");
            if overhead > 0 {
                let words = overhead / unit;
                d = d.note(format!(
                    "{words} of it are stubs and filler for blocks of time"
                ));
            }
            d.span = section(&group[0]).span;
            found.push(d);
        }
        for d in found {
            self.report_in(d, crate::image::NONE);
        }
    }
}
