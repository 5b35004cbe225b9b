//! Findings about pages that are too full: which sections are tied together, by what,
//! and where they could be taken apart at the least cost.

use super::Emit;
use crate::diagnostic::{Diagnostic, codes};

use crate::place::{End, Fixed, Group, Layout, Link};
use crate::program::{Program, Value};
use crate::text::source::Span;
use rustc_hash::FxHashMap;

/// Most pages that are reported: of one that is too full others follow.
const MOST_FOUND: usize = 20;
/// Most sections of which every division is tried.
const MOST_TRIED: usize = 14;
/// Most branches that are shown.
const SHOWN: usize = 4;

/// A way to make two pages of one group.
struct Cut {
    /// What to say of it.
    text: String,
    /// The branches that would have to go far.
    branches: Vec<Span>,
}

impl Emit<'_> {
    /// Reports groups and tables that found no page.
    pub(super) fn check_pages(&mut self) {
        let l = self.layout;
        let mut found = Vec::new();
        for group in &l.groups {
            if !l.homeless.contains(&group.chunks[0]) || found.len() >= MOST_FOUND {
                continue;
            }
            let within = group
                .chunks
                .iter()
                .map(|&c| self.program.chunks[c as usize].within);
            let page = within.min().unwrap_or(1);
            let size: u64 = group
                .chunks
                .iter()
                .map(|&c| l.chunk_bytes[c as usize])
                .sum();
            found.push(match size > page {
                true => self.program.too_large(l, group, size, page),
                false => self.program.no_room(l, group, size, page),
            });
        }
        let mut told = Vec::new();
        for &c in &l.homeless {
            let chunk = &self.program.chunks[c as usize];
            let enough = told.len() >= MOST_FOUND;
            if chunk.in_table.is_none() || enough || told.contains(&chunk.section) {
                continue;
            }
            told.push(chunk.section);
            let of = |&&c: &&u32| self.program.chunks[c as usize].section == chunk.section;
            let pages = l.homeless.iter().filter(of);
            let pages = pages.map(|&c| {
                self.program.chunks[c as usize]
                    .in_table
                    .map_or(0, |t| t.offset)
            });
            let pages = pages.map(|o| o / chunk.within.max(1)).max().unwrap_or(0) + 1;
            let section = &self.program.sections[chunk.section as usize];
            let mut d = Diagnostic::new(
                codes::PAGE_FULL,
                format!(
                    "the table `{}` needs {pages} pages one behind the other, and there are none that are free where it needs them",
                    section.name
                ),
            )
            .note(self.program.free_rooms(l, c))
            .help("make the table smaller, or `per` of it, which leaves more of each page free");
            d.span = section.span;
            found.push(d);
        }
        self.problems.all(found);
    }

    /// Reports places that should have one page and have not.
    pub(super) fn check_same_page(&mut self) {
        let program = self.program;
        let Some((bits, _)) = program.page_shape() else {
            return;
        };
        for s in &program.asked.same_page {
            let mut first: Option<(i64, Span)> = None;
            for &(value, span) in &s.parts {
                let v = match self.value_of(Value::Expr(value)) {
                    Ok(v) => v,
                    Err(m) => {
                        self.problems.miss(m, span, s.expansion);
                        continue;
                    }
                };
                let (page, at) = *first.get_or_insert((v >> bits, span));
                if page == v >> bits {
                    continue;
                }
                let name = |span| program.sources.slice(span);
                let d = Diagnostic::new(
                    codes::WRONG_PAGE,
                    format!(
                        "`{}` is in page ${:02X}, but `{}` in page ${page:02X}",
                        name(span),
                        v >> bits,
                        name(at)
                    ),
                )
                .at(span)
                .label(format!("${v:04X}"))
                .related(s.span, "they must have one page")
                .help(format!(
                    "declare the sections of both `within = {}`: then they are put into one page",
                    1u64 << bits
                ));
                self.problems.found(d, s.expansion);
                break;
            }
        }
    }
}

impl Program<'_> {
    fn section_name(&self, c: u32) -> &str {
        let section = self.chunks[c as usize].section;
        match self.sections[section as usize].name.as_str() {
            "" => "(no section)",
            name => name,
        }
    }

    /// The finding for a group that is larger than a page.
    fn too_large(&self, l: &Layout, group: &Group, size: u64, page: u64) -> Diagnostic {
        let unit = u64::from(self.chunks[group.chunks[0] as usize].unit);
        let what = if unit == 1 { "bytes" } else { "words" };
        let (all, over, room) = (size / unit, (size - page).div_ceil(unit), page / unit);
        let mut d = match group.chunks[..] {
            [c] => Diagnostic::new(
                codes::PAGE_FULL,
                format!(
                    "the section `{}` has {all} {what}, {over} more than a page",
                    self.section_name(c)
                ),
            ),
            _ => Diagnostic::new(
                codes::PAGE_FULL,
                format!(
                    "these sections must share a page, but have {all} {what} together, {over} more than its {room}"
                ),
            ),
        };
        d.span = self.sections[self.chunks[group.chunks[0] as usize].section as usize].span;
        if group.chunks.len() > 1 {
            let sizes = group.chunks.iter().map(|&c| {
                format!(
                    "{} {}",
                    self.section_name(c),
                    l.chunk_bytes[c as usize] / unit
                )
            });
            d = d.note(format!(
                "their sizes: {}",
                sizes.collect::<Vec<_>>().join(", ")
            ));
            d = d.note(format!(
                "what ties them: {}",
                self.ties(l, group).join("; ")
            ));
        }
        let overhead = self.changes.overhead.iter();
        let own = overhead.filter(|o| group.chunks.contains(&o.0.chunk));
        let filler: u64 = own.map(|o| u64::from(o.1)).sum();
        if filler > 0 {
            let words = filler / unit;
            d = d.note(format!(
                "{words} of it are stubs and filler for blocks of time"
            ));
        }
        let cut = match group.chunks[..] {
            [c] => self.cut_section(l, c, page, unit),
            _ => self.cut_group(l, group, page),
        };
        let Some(cut) = cut else {
            return d.help("move a part into a section of its own and reach it with a jump that names the page");
        };
        for &span in cut.branches.iter().take(SHOWN) {
            d = d.related(span, "this branch would go far");
        }
        let more = cut.branches.len().saturating_sub(SHOWN);
        if more > 0 {
            d = d.note(format!("and {more} branches more would go far"));
        }
        let far = self
            .target
            .reach("page")
            .unwrap_or("use a jump that names the page");
        match cut.branches.is_empty() {
            true => d.help(cut.text),
            false => d.help(format!("{}: {far}", cut.text)),
        }
    }

    /// "a to b 3 branches", "b and c `same_page`", "group g".
    fn ties(&self, l: &Layout, group: &Group) -> Vec<String> {
        let mut pairs: Vec<((u32, u32, bool), usize)> = Vec::new();
        let mut known = FxHashMap::default();
        for link in self.links_in(l, group) {
            let (a, b) = ends(link);
            let key = match link.branch {
                true => (a, b, true),
                false => (a.min(b), a.max(b), false),
            };
            if a == b {
                continue;
            }
            let at = *known.entry(key).or_insert(pairs.len());
            match pairs.get_mut(at) {
                Some(p) => p.1 += 1,
                None => pairs.push((key, 1)),
            }
        }
        let mut out: Vec<String> = Vec::new();
        for &((a, b, branch), n) in pairs.iter().take(12) {
            let (a, b) = (self.section_name(a), self.section_name(b));
            out.push(match (branch, n) {
                (true, 1) => format!("`{a}` branches to `{b}` once"),
                (true, n) => format!("`{a}` branches to `{b}` {n} times"),
                (false, _) => format!("`same_page` joins `{a}` and `{b}`"),
            });
        }
        let mut names: Vec<u32> = group
            .chunks
            .iter()
            .filter_map(|&c| self.chunks[c as usize].together)
            .collect();
        names.sort_unstable();
        names.dedup();
        out.extend(
            names
                .iter()
                .map(|&n| format!("the group `{}`", self.asked.page_names[n as usize])),
        );
        out
    }

    fn links_in<'l>(&self, l: &'l Layout, group: &'l Group) -> impl Iterator<Item = &'l Link> {
        let links = l.links.iter();
        links.filter(|k| matches!(k.to, End::Place(_)) && group.has(k.from.chunk))
    }

    /// The division of a group into two pages that the fewest branches cross.
    fn cut_group(&self, l: &Layout, group: &Group, page: u64) -> Option<Cut> {
        let n = group.chunks.len();
        let sizes: Vec<u64> = group
            .chunks
            .iter()
            .map(|&c| l.chunk_bytes[c as usize])
            .collect();
        let index = |c: u32| group.chunks.binary_search(&c).unwrap_or(0);
        let links: Vec<(usize, usize, &Link)> = self
            .links_in(l, group)
            .map(|k| (index(ends(k).0), index(ends(k).1), k))
            .filter(|k| k.0 != k.1)
            .collect();
        // How many there are between two, since many divisions are tried.
        let mut pairs: FxHashMap<(usize, usize, bool), usize> = FxHashMap::default();
        for &(a, b, k) in &links {
            *pairs.entry((a.min(b), a.max(b), k.branch)).or_default() += 1;
        }
        let together = |i: usize| self.chunks[group.chunks[i] as usize].together;
        // The first of each name with each of the others.
        let mut first = FxHashMap::default();
        let named = (0..n).filter_map(|i| together(i).map(|name| (name, i)));
        let named: Vec<(usize, usize)> = named
            .map(|(name, i)| (*first.entry(name).or_insert(i), i))
            .collect();
        let tried: Vec<u64> = match n <= MOST_TRIED {
            // The first stays, or every division would be tried twice.
            true => (1..1u64 << (n - 1)).map(|m| m << 1).collect(),
            false => (0..n.min(64)).map(|i| 1 << i).collect(),
        };
        // Sections behind the 64th stay.
        let moves = |mask: u64, i: usize| i < 64 && mask >> i & 1 == 1;
        let apart = |mask: u64, i: usize, j: usize| moves(mask, i) != moves(mask, j);
        let total: u64 = sizes.iter().sum();
        let mut best: Option<(usize, u64, u64)> = None;
        for mask in tried {
            let taken = (0..n).filter(|&i| moves(mask, i));
            let moved: u64 = taken.map(|i| sizes[i]).sum();
            if moved > page || total - moved > page {
                continue;
            }
            let (mut torn, mut crossing) = (false, 0);
            for (&(_, _, branch), count) in pairs.iter().filter(|p| apart(mask, p.0.0, p.0.1)) {
                torn |= !branch;
                crossing += count;
            }
            if torn || named.iter().any(|&(i, j)| apart(mask, i, j)) {
                continue;
            }
            if best.is_none_or(|b| (crossing, moved) < (b.0, b.1)) {
                best = Some((crossing, moved, mask));
            }
        }
        let (crossing, _, mask) = best?;
        let moved: Vec<String> = (0..n)
            .filter(|&i| moves(mask, i))
            .map(|i| format!("`{}`", self.section_name(group.chunks[i])))
            .collect();
        let branches = links.iter().filter(|k| apart(mask, k.0, k.1));
        let far = match crossing {
            0 => "no branch would have to go far".to_owned(),
            1 => "one branch would have to go far".to_owned(),
            n => format!("{n} branches would have to go far"),
        };
        Some(Cut {
            text: format!("take {} out of the page: {far}", moved.join(", ")),
            branches: branches.map(|k| k.2.span).collect(),
        })
    }

    /// The label before which a section is best divided.
    fn cut_section(&self, l: &Layout, c: u32, page: u64, unit: u64) -> Option<Cut> {
        let size = l.chunk_bytes[c as usize];
        let base = l.base[c as usize];
        let links: Vec<(u64, u64, Span)> = l
            .links
            .iter()
            .filter(|k| k.from.chunk == c && k.branch)
            .filter_map(|k| match k.to {
                End::Place(to) if to.chunk == c => Some((
                    self.address(l, k.from) - base,
                    self.address(l, to) - base,
                    k.span,
                )),
                _ => None,
            })
            .collect();
        let crosses = |at: u64, k: &&(u64, u64, Span)| (k.0 < at) != (k.1 < at);
        // Those that begin before a place and do not end before it, either way.
        let sorted = |end: &dyn Fn(&(u64, u64, Span)) -> u64| {
            let mut ends: Vec<u64> = links.iter().map(end).collect();
            ends.sort_unstable();
            ends
        };
        let (low, high) = (sorted(&|k| k.0.min(k.1)), sorted(&|k| k.0.max(k.1)));
        let before = |ends: &[u64], at: u64| ends.partition_point(|&e| e < at);
        let mut best: Option<(usize, u64, u64, String)> = None;
        for id in self.symbols.ids() {
            let s = self.symbols.get(id);
            let Some(p) = s.place.filter(|p| p.chunk == c && s.label && !s.local) else {
                continue;
            };
            let at = self.address(l, p) - base;
            if at == 0 || at > page || (size <= 2 * page && size - at > page) {
                continue;
            }
            let crossing = before(&low, at) - before(&high, at);
            let uneven = (size / 2).abs_diff(at);
            if best
                .as_ref()
                .is_none_or(|b| (crossing, uneven) < (b.0, b.1))
            {
                best = Some((crossing, uneven, at, s.name.to_string()));
            }
        }
        let (crossing, _, at, name) = best?;
        let far = match crossing {
            0 => "no branch crosses there".to_owned(),
            1 => "one branch crosses there and would have to go far".to_owned(),
            n => format!("{n} branches cross there and would have to go far"),
        };
        Some(Cut {
            text: format!(
                "begin another section at `{name}`, {} + {}: {far}",
                at / unit,
                (size - at) / unit
            ),
            branches: links
                .iter()
                .filter(|k| crosses(at, k))
                .map(|k| k.2)
                .collect(),
        })
    }

    /// The finding for a group that would fit into a page if one were free enough.
    fn no_room(&self, l: &Layout, group: &Group, size: u64, page: u64) -> Diagnostic {
        let c = group.chunks[0];
        let unit = u64::from(self.chunks[c as usize].unit);
        let what = if unit == 1 { "bytes" } else { "words" };
        let names: Vec<String> = group
            .chunks
            .iter()
            .map(|&c| format!("`{}`", self.section_name(c)))
            .collect();
        let names = names.join(", ");
        let origin = self.chunks[c as usize].origin;
        let mut d = match group.page {
            Some(only) => {
                let free = self.taken_ranges(l).largest_gap(only, only + page);
                let mut d = Diagnostic::new(
                    codes::PAGE_FULL,
                    format!(
                        "{names} must lie in page ${:02X} with {} {what}, but it has only {} free in one piece, {} too few",
                        (only - origin) / page,
                        size / unit,
                        free / unit,
                        (size - free) / unit
                    ),
                );
                let bound = l
                    .links
                    .iter()
                    .filter(|k| matches!(k.to, End::Address(_)) && group.has(k.from.chunk));
                for link in bound.take(SHOWN) {
                    d = d.related(link.span, "this has a fixed address there");
                }
                d
            }
            None => Diagnostic::new(
                codes::PAGE_FULL,
                format!(
                    "no page has {} {what} free in one piece for {names}",
                    size / unit
                ),
            )
            .note(self.free_rooms(l, c)),
        };
        if names.contains(',') {
            d = d.note(format!(
                "what ties them: {}",
                self.ties(l, group).join("; ")
            ));
        }
        d.span = self.sections[self.chunks[c as usize].section as usize].span;
        let far = self
            .target
            .reach("page")
            .unwrap_or("use a jump that names the page");
        d.help(format!("make the section smaller, or divide it: {far}"))
    }

    /// What is taken, by address.
    fn taken_ranges(&self, l: &Layout) -> Fixed {
        let mut taken = Fixed::default();
        for c in (0..self.chunks.len()).filter(|&c| !l.homeless.contains(&(c as u32))) {
            taken.add(l.base[c], l.base[c] + l.chunk_bytes[c]);
        }
        taken.sort();
        taken
    }

    /// "the region `rom` has 4 pages; the largest free pieces: $02 60, $01 12".
    fn free_rooms(&self, l: &Layout, c: u32) -> String {
        let chunk = &self.chunks[c as usize];
        let (page, unit) = (chunk.within.max(1), u64::from(chunk.unit));
        let (start, end) = self.page_range(c);
        let mut rooms: Vec<(u64, u64)> = Vec::new();
        let taken = self.taken_ranges(l);
        let mut at = start;
        while at < end {
            let next = (at / page * page + page).min(end);
            rooms.push((
                taken.largest_gap(at, next) / unit,
                (at - chunk.origin) / page,
            ));
            at = next;
        }
        let count = rooms.len();
        rooms.sort_by_key(|&(free, page)| (std::cmp::Reverse(free), page));
        let region = self.sections[chunk.section as usize].region as usize;
        let name = self.regions.get(region).map_or("", |r| r.name.as_str());
        let list: Vec<String> = rooms
            .iter()
            .take(6)
            .map(|(free, page)| format!("${page:02X} {free}"))
            .collect();
        format!(
            "the region `{name}` has {count} pages; their largest free pieces: {}",
            list.join(", ")
        )
    }
}

/// The chunks at both ends of a link between chunks.
fn ends(link: &Link) -> (u32, u32) {
    match link.to {
        End::Place(to) => (link.from.chunk, to.chunk),
        End::Address(_) => (link.from.chunk, link.from.chunk),
    }
}
