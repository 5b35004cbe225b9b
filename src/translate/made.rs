//! What a program is made of, line by line of its files: bytes with their addresses, and
//! names with their values.

use crate::image::origin::{pieces, trail, written};
use crate::image::{Class, Expansion, ExpansionKind, Image, NONE, SymbolKind};
use crate::session::assemble::Output;
use crate::text::source::{Sources, Span};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

/// A file and a line of it.
pub type Place = (usize, usize);

/// Bytes that a statement made.
#[derive(Clone, Debug)]
pub struct Bytes {
    /// Where it stands.
    pub place: Place,
    /// Where they run, as a linear address.
    pub address: u64,
    /// The memory beside the first that they are stored in, and their place in it.
    pub beside: Option<(&'static str, u64)>,
    /// They.
    pub bytes: Vec<u8>,
    /// An instruction.
    pub code: bool,
    /// Room.
    pub room: bool,
}

/// A name with its value.
#[derive(Clone, Debug)]
pub struct Name {
    /// Where it is defined.
    pub place: Place,
    /// Its full name.
    pub name: String,
    /// The text of its definition.
    pub span: Span,
    /// Its value.
    pub value: i64,
    /// Its address, for a label.
    pub address: Option<u64>,
    /// It belongs to a call or a round.
    pub local: bool,
}

/// All of it.
#[derive(Debug, Default)]
pub struct Made {
    /// In the order of the image.
    pub bytes: Vec<Bytes>,
    /// In the order of their definitions.
    pub names: Vec<Name>,
    /// Which of them stand at a place.
    pub at: FxHashMap<Place, Vec<usize>>,
    /// First and last of each line of a file that has some.
    pub lines: FxHashMap<usize, BTreeMap<usize, (usize, usize)>>,
    /// Which of them came through an `include` at a place.
    pub brought: FxHashMap<Place, Vec<usize>>,
    /// Where each file was included.
    pub included: FxHashMap<usize, BTreeSet<Place>>,
    /// The output.
    pub binary: Vec<u8>,
    /// What is stored in other memories.
    pub others: Vec<(u64, Vec<u8>)>,
}

/// Where a span stands, by what line of the files its row is.
pub fn place(
    sources: &Sources,
    span: Span,
    line: &dyn Fn(&str, usize) -> Option<Place>,
) -> Option<Place> {
    let span = sources.in_file(span);
    let source = sources.get(span.source);
    line(&source.name, source.line_column(span.start).0)
}

impl Made {
    /// From what was assembled.
    pub fn of(output: &Output, line: &dyn Fn(&str, usize) -> Option<Place>) -> Self {
        let mut out = Self::default();
        let Some(image) = &output.image else {
            return out;
        };
        let sources = &output.sources;
        for p in pieces(image) {
            let Some(place) = place(sources, written(image, &p.run), line) else {
                continue;
            };
            if !image.comes_with(p.chunk) {
                continue;
            }
            let n = out.bytes.len();
            out.at.entry(place).or_default().push(n);
            let lines = out.lines.entry(place.0).or_default();
            lines.entry(place.1).or_insert((n, n)).1 = n;
            let included = |e: &&Expansion| matches!(e.kind, ExpansionKind::Include(_));
            let steps = trail(image, p.run.expansion).filter(included);
            let through: Vec<Place> = steps
                .filter_map(|e| self::place(sources, e.call, line))
                .collect();
            for at in &through {
                out.brought.entry(*at).or_default().push(n);
                out.included.entry(place.0).or_default().insert(through[0]);
            }
            out.bytes.push(Bytes {
                place,
                address: p.address(),
                beside: image
                    .space_of(p.address())
                    .filter(|s| s.base > 0 && s.stored)
                    .map(|s| (s.name, p.address() - s.base)),
                bytes: p.bytes().to_vec(),
                code: p.run.form != NONE,
                room: p.run.class == Class::Space,
            });
        }
        for s in &image.symbols {
            let Some(span) = s.span else { continue };
            let Some(at) = place(sources, span, line) else {
                continue;
            };
            out.names.push(Name {
                place: at,
                name: s.name.to_string(),
                span: sources.in_file(span),
                value: s.value,
                // What lies in other memories is a number where only the first is written.
                address: s
                    .address
                    .filter(|_| s.kind == SymbolKind::Label)
                    .filter(|&a| image.space_of(a).is_none_or(|s| s.base == 0)),
                local: s.local,
            });
        }
        out.binary = image.binary(0);
        out.others = others(image);
        out
    }

    /// The bytes of some lines of a file.
    pub fn of_lines(&self, file: usize, lines: std::ops::RangeInclusive<usize>) -> Vec<&Bytes> {
        let mut all: Vec<usize> = lines
            .flat_map(|l| [self.at.get(&(file, l)), self.brought.get(&(file, l))])
            .flatten()
            .flatten()
            .copied()
            .collect();
        all.sort_unstable();
        all.dedup();
        all.into_iter().map(|n| &self.bytes[n]).collect()
    }

    /// Bytes of a line, one behind the other.
    pub fn joined(&self, place: Place) -> Vec<u8> {
        let all = self.at.get(&place).into_iter().flatten();
        all.flat_map(|&n| self.bytes[n].bytes.iter().copied())
            .collect()
    }
}

/// What is stored outside of the first memory, by address.
fn others(image: &Image) -> Vec<(u64, Vec<u8>)> {
    let beside = |a: u64| image.space_of(a).is_some_and(|s| s.base > 0 && s.stored);
    let chunks = image.chunks.iter().filter(|c| !c.bytes.is_empty());
    let mut out: Vec<(u64, Vec<u8>)> = Vec::new();
    let mut all: Vec<_> = chunks.filter(|c| beside(c.load)).collect();
    all.sort_by_key(|c| c.load);
    for c in all {
        match out.last_mut() {
            Some(last) if last.0 + last.1.len() as u64 == c.load => last.1.extend(&c.bytes),
            _ => out.push((c.load, c.bytes.clone())),
        }
    }
    out
}
