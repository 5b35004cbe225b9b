//! Overlaps, full sections and regions, and the end of memory.

use super::Emit;
use crate::diagnostic::MAX_FINDINGS;
use crate::diagnostic::{Diagnostic, codes};
use crate::image::{self, Image};
use rustc_hash::FxHashSet;

/// A chunk with its number.
type Numbered<'i> = (usize, &'i image::Chunk);

fn name(image: &Image, section: u32) -> String {
    match image.sections[section as usize].name.as_str() {
        "" => "the code before any section".to_string(),
        n => format!("the section `{n}`"),
    }
}

impl Emit<'_> {
    /// Overlaps, full regions, the end of memory.
    pub(super) fn check_memory(&mut self, image: &Image, origins: &[u32]) {
        let mut used: Vec<Numbered<'_>> = image.chunks.iter().enumerate().collect();
        used.retain(|(_, c)| !c.bytes.is_empty());
        used.sort_by_key(|(_, c)| c.address);
        let mut found = Vec::new();
        self.overlaps(image, &used, origins, &mut found);
        let used: Vec<&image::Chunk> = used.into_iter().map(|u| u.1).collect();
        self.full_sections(image, &used, &mut found);
        self.past_memory(image, &used, &mut found);
        self.behind_regions(image, &used, &mut found);
        self.full_regions(image, &used, &mut found);
        self.problems.all(found);
    }

    /// What lies over something else, of what is seen at the same time. Origins are the
    /// program's chunks that those of the image come from.
    fn overlaps(
        &self,
        image: &Image,
        used: &[Numbered<'_>],
        origins: &[u32],
        found: &mut Vec<Diagnostic>,
    ) {
        let may = |i: usize| {
            let c = origins[i];
            // What found no page must not be told to overlap, too.
            self.program.chunks[c as usize].overlap || self.layout.homeless.contains(&c)
        };
        let mut pages: Vec<u32> = used.iter().map(|u| u.1.page).collect();
        pages.sort_unstable();
        pages.dedup();
        // What is always there meets each page, and its own kind once.
        let paged = pages.iter().any(|&p| p > 0);
        let seen = |page: u32| {
            let both = used.iter().copied();
            let both = both.filter(move |u| u.1.page == page || u.1.page == 0);
            both.collect::<Vec<_>>()
        };
        let lists: Vec<Vec<(usize, &image::Chunk)>> = match paged {
            false => vec![used.to_vec()],
            true => pages.iter().filter(|&&p| p > 0).map(|&p| seen(p)).collect(),
        };
        let mut told = FxHashSet::default();
        for list in &lists {
            // What reaches furthest so far, of what may not be written over.
            let mut furthest: Option<Numbered<'_>> = None;
            let ends = |c: &image::Chunk| c.address + c.bytes.len() as u64;
            for &next in list.iter().filter(|u| !may(u.0)) {
                if found.len() >= MAX_FINDINGS {
                    return;
                }
                let over = furthest.filter(|f| ends(f.1) > next.1.address);
                if let Some(before) = over
                    && (!paged || told.insert((before.0, next.0)))
                {
                    found.push(self.overlap(image, before.1, next.1));
                }
                if furthest.is_none_or(|f| ends(f.1) < ends(next.1)) {
                    furthest = Some(next);
                }
            }
        }
    }

    fn overlap(&self, image: &Image, a: &image::Chunk, b: &image::Chunk) -> Diagnostic {
        let end = a.address + a.bytes.len() as u64;
        let over = end.min(b.address + b.bytes.len() as u64) - b.address;
        let space =
            self.program.memory.spaces[self.program.sections[b.section as usize].space as usize];
        let code = if self.program.dialect.output.segments.is_empty() || space.stored {
            codes::OVERLAP
        } else {
            codes::ROOM_TWICE
        };
        let mut d = Diagnostic::new(
            code,
            format!(
                "{} and {} overlap by {over} bytes at ${:04X}",
                name(image, a.section),
                name(image, b.section),
                image.local(b.address)
            ),
        )
        .note(filled_by(
            image,
            [a, b].into_iter(),
            b.address,
            b.address + over,
        ));
        if code == codes::OVERLAP {
            d = d.help(format!(
                "begin the second at ${:04X} or behind, or let it float without an address",
                image.local(end.next_multiple_of(u64::from(space.unit.max(1))))
            ));
        }
        if let Some(r) = b.runs.first() {
            d = d.at(r.span);
        }
        if let Some(r) = a
            .runs
            .iter()
            .find(|r| a.address + u64::from(r.offset + r.len) > b.address)
        {
            d = d.related(r.span, "and this");
        }
        d
    }

    fn full_sections(&self, image: &Image, used: &[&image::Chunk], found: &mut Vec<Diagnostic>) {
        let mut sums = vec![0u64; self.program.sections.len()];
        for c in used {
            sums[c.section as usize] += c.bytes.len() as u64;
        }
        for (i, s) in self.program.sections.iter().enumerate() {
            let Some((most, span)) = s.most else { continue };
            if found.len() >= MAX_FINDINGS {
                break;
            }
            let of = |c: &&&image::Chunk| c.section as usize == i;
            let sum = sums[i];
            if sum <= most {
                continue;
            }
            let unit = u64::from(
                self.program
                    .unit_of(self.program.memory.spaces[s.space as usize]),
            );
            let what = if unit == 1 { "bytes" } else { "words" };
            let (sum, most) = (sum.div_ceil(unit), most / unit);
            let start = used.iter().find(of).map_or(0, |c| c.address);
            found.push(
                Diagnostic::new(
                    codes::SECTION_FULL,
                    format!(
                        "the section `{}` has {sum} {what}, {} more than the {most} it may have",
                        s.name,
                        sum - most,
                    ),
                )
                .at(span)
                .label("at most so many")
                .note(filled_by(
                    image,
                    used.iter().filter(of).copied(),
                    start,
                    start + sum * unit,
                ))
                .help("move a part of it to another section, or allow it more"),
            );
        }
    }

    fn past_memory(&self, image: &Image, used: &[&image::Chunk], found: &mut Vec<Diagnostic>) {
        for c in used {
            let end = c.address + c.bytes.len() as u64;
            let space = self.program.memory.spaces
                [self.program.sections[c.section as usize].space as usize];
            let limit = space.base + space.size;
            if end > limit && found.len() < MAX_FINDINGS {
                let at = c
                    .runs
                    .iter()
                    .find(|r| c.address + u64::from(r.offset + r.len) > limit);
                let mut d = Diagnostic::new(
                    codes::OUTSIDE_MEMORY,
                    format!(
                        "{} ends at ${end:X}, {} bytes past the end of memory",
                        name(image, c.section),
                        end - limit,
                        end = end - space.base,
                    ),
                )
                .note(filled_by(image, [*c].into_iter(), c.address, end));
                if let Some(r) = at {
                    d = d.at(r.span).label("the first that lies outside");
                }
                found.push(d);
            }
        }
    }

    /// Bytes of sections that begin behind the end of their region.
    fn behind_regions(&self, image: &Image, used: &[&image::Chunk], found: &mut Vec<Diagnostic>) {
        for c in used {
            let section = &self.program.sections[c.section as usize];
            let space = self.program.memory.spaces[section.space as usize];
            let Some(r) = image.regions.get(section.region as usize) else {
                continue;
            };
            let behind = c.address >= r.start + r.size && c.address < space.base + space.size;
            let enough = found.len() >= MAX_FINDINGS;
            if self.program.dialect.output.segments.is_empty() || !space.stored || !behind || enough
            {
                continue;
            }
            let unit = u64::from(space.unit);
            let d = Diagnostic::new(
                codes::REGION_FULL,
                format!(
                    "the region `{}` ends at ${:04X}, and this lies behind it",
                    r.name,
                    image.local(r.start + r.size - unit)
                ),
            );
            found.push(match c.runs.first() {
                Some(run) => d.at(run.span),
                None => d,
            });
        }
    }

    fn full_regions(&self, image: &Image, used: &[&image::Chunk], found: &mut Vec<Diagnostic>) {
        for r in &image.regions {
            let inside = |c: &&&image::Chunk| c.address >= r.start && c.address < r.start + r.size;
            let Some(end) = used
                .iter()
                .filter(inside)
                .map(|c| c.address + c.bytes.len() as u64)
                .max()
            else {
                continue;
            };
            let limit = r.start + r.size;
            let memory = image
                .space_of(r.start)
                .map_or(self.program.memory.space, |s| s.base + s.size);
            if end > limit && end <= memory {
                let at = used
                    .iter()
                    .filter(inside)
                    .flat_map(|c| c.runs.iter().map(move |run| (c.address, run)))
                    .find(|(a, run)| a + u64::from(run.offset + run.len) > limit);
                let mut d = Diagnostic::new(
                    codes::REGION_FULL,
                    format!(
                        "the region `{}` has {} bytes and is overfull by {}: it is used up to ${:04X} and ends at ${:04X}",
                        r.name,
                        r.size,
                        end - limit,
                        image.local(end - 1),
                        image.local(limit - 1)
                    ),
                )
                .note(filled_by(image, image.chunks.iter(), r.start, end));
                if let Some((_, run)) = at {
                    d = d.at(run.span).label("the first that does not fit");
                }
                found.push(d);
            }
        }
    }
}

/// "filled by search 210, display 118, …": the owners of a range in some chunks, ranked.
/// Where there may be many such findings, no chunk is in more than a few.
fn filled_by<'a>(
    image: &'a Image,
    chunks: impl Iterator<Item = &'a image::Chunk>,
    from: u64,
    to: u64,
) -> String {
    let sums = crate::image::origin::owners_in(image, chunks, from..to);
    let shown: Vec<String> = sums
        .iter()
        .take(8)
        .map(|(n, b)| format!("{n} {b}"))
        .collect();
    let more = sums.len().saturating_sub(8);
    let tail = if more > 0 {
        format!(" and {more} more")
    } else {
        String::new()
    };
    format!("filled by {}{tail} (bytes)", shown.join(", "))
}
