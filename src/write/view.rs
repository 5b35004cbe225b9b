//! What a machine's container writer sees of an assembled program.

use crate::image::{Chunk, Class, Image, Run};
use scrimp_isa::ImageView;

/// An image with the options of its program.
pub struct View<'a> {
    image: &'a Image,
    options: &'a [(String, String)],
    name: &'a str,
    pieces: Vec<(u64, Vec<u8>)>,
}

impl<'a> View<'a> {
    /// `options` stand over those that the source sets.
    pub fn new(image: &'a Image, options: &'a [(String, String)], name: &'a str) -> Self {
        Self {
            image,
            options,
            name,
            pieces: joined(image, &|c| filled(image, c)),
        }
    }
}

/// The bytes by load address, in order, not overlapping, what touches joined.
/// Where chunks overlap the later one counts.
pub(crate) fn pieces(image: &Image) -> Vec<(u64, Vec<u8>)> {
    pieces_of(image, &|_| true)
}

/// As [`pieces`], of some chunks only.
pub(crate) fn pieces_of(image: &Image, of: &dyn Fn(&Chunk) -> bool) -> Vec<(u64, Vec<u8>)> {
    joined(image, &|c| kept(image, c) && of(c))
}

/// The bytes of those chunks.
fn joined(image: &Image, of: &dyn Fn(&Chunk) -> bool) -> Vec<(u64, Vec<u8>)> {
    let chunks = || image.chunks.iter().filter(|c| of(c));
    let mut ranges: Vec<(u64, u64)> = chunks()
        .map(|c| (c.load, c.load + c.bytes.len() as u64))
        .collect();
    ranges.sort_unstable();
    let mut out: Vec<(u64, Vec<u8>)> = Vec::new();
    for (from, to) in ranges {
        match out.last_mut() {
            Some((start, bytes)) if from <= *start + bytes.len() as u64 => {
                let len = (to - *start) as usize;
                if len > bytes.len() {
                    bytes.resize(len, 0);
                }
            }
            _ => out.push((from, vec![0; (to - from) as usize])),
        }
    }
    for c in chunks() {
        let piece = out.partition_point(|p| p.0 <= c.load) - 1;
        let (start, bytes) = &mut out[piece];
        let at = (c.load - *start) as usize;
        bytes[at..at + c.bytes.len()].copy_from_slice(&c.bytes);
    }
    out
}

/// Base of the first address space; none where there is one only.
pub(crate) fn first_space(image: &Image) -> Option<u64> {
    match image.spaces.len() {
        0 | 1 => None,
        _ => Some(image.spaces[0].base),
    }
}

/// The bytes of the space with that base, or of all, at addresses in the space.
pub(crate) fn pieces_in(image: &Image, base: Option<u64>) -> Vec<(u64, Vec<u8>)> {
    let Some(base) = base else {
        return pieces(image);
    };
    let inside = |c: &Chunk| image.space_of(c.load).is_some_and(|s| s.base == base);
    let mut out = pieces_of(image, &inside);
    for p in &mut out {
        p.0 -= base;
    }
    out
}

/// Names of the spaces behind the first and how many bytes come with the program.
pub(crate) fn others(image: &Image) -> Vec<(&'static str, usize)> {
    let mut out: Vec<(&'static str, usize)> = Vec::new();
    for s in image.spaces.iter().skip(1).filter(|s| s.stored) {
        let pieces = pieces_in(image, Some(s.base));
        let bytes = pieces.iter().map(|p| p.1.len()).sum();
        if bytes > 0 {
            out.push((s.name, bytes));
        }
    }
    out
}

/// Whether a chunk has bytes that come with the program.
fn kept(image: &Image, c: &Chunk) -> bool {
    !c.bare && !c.bytes.is_empty() && image.space_of(c.load).is_none_or(|s| s.stored)
}

/// As [`kept`], and what the source fills in RAM: a machine's own format may be a file
/// of RAM.
fn filled(image: &Image, c: &Chunk) -> bool {
    let fills = |r: Run| matches!(r.class, Class::Code | Class::Data);
    kept(image, c) || c.runs.iter().any(fills)
}

impl ImageView for View<'_> {
    fn pieces(&self) -> Vec<(u64, &[u8])> {
        self.pieces.iter().map(|(a, b)| (*a, &b[..])).collect()
    }
    fn symbol(&self, name: &str) -> Option<i64> {
        self.image.symbol(name).map(|s| s.value)
    }
    fn option(&self, name: &str) -> Option<&str> {
        let all = self.options.iter().chain(&self.image.options);
        let mut found = all.filter(|(n, _)| n.eq_ignore_ascii_case(name));
        found.next().map(|(_, v)| v.as_str())
    }
    fn name(&self) -> &str {
        self.name
    }
}
