//! Runs with what they belong to.

use crate::image::{Chunk, Expansion, ExpansionKind, Image, NONE, Run, Section, Symbol};
use crate::text::source::{SourceId, Sources, Span};
use rustc_hash::FxHashMap;
use std::ops::Range;

/// A run with what it belongs to.
#[derive(Clone, Copy, Debug)]
pub struct Piece<'a> {
    /// The chunk it lies in.
    pub chunk: &'a Chunk,
    /// The run.
    pub run: Run,
    /// Its section.
    pub section: &'a Section,
    /// The label that it belongs to.
    pub owner: Option<&'a Symbol>,
}

impl<'a> Piece<'a> {
    /// Address where it runs.
    pub fn address(&self) -> u64 {
        self.chunk.address + u64::from(self.run.offset)
    }
    /// Address where it is stored.
    pub fn load(&self) -> u64 {
        self.chunk.load + u64::from(self.run.offset)
    }
    /// Its bytes.
    pub fn bytes(&self) -> &'a [u8] {
        let start = self.run.offset as usize;
        &self.chunk.bytes[start..start + self.run.len as usize]
    }
}

/// All runs in the order of the chunks.
pub fn pieces(image: &Image) -> impl Iterator<Item = Piece<'_>> {
    pieces_of(image, image.chunks.iter())
}

/// The runs of some chunks of an image.
fn pieces_of<'a>(
    image: &'a Image,
    chunks: impl Iterator<Item = &'a Chunk>,
) -> impl Iterator<Item = Piece<'a>> {
    chunks.flat_map(move |chunk| {
        let section = &image.sections[chunk.section as usize];
        chunk.runs.iter().map(move |run| Piece {
            chunk,
            run,
            section,
            owner: image.symbols.get(run.owner as usize),
        })
    })
}

/// The way to a statement, the innermost step first.
pub fn trail(image: &Image, expansion: u32) -> impl Iterator<Item = &Expansion> {
    let mut at = expansion;
    std::iter::from_fn(move || {
        if at == NONE {
            return None;
        }
        let e = image.expansions.get(at as usize)?;
        at = e.parent;
        Some(e)
    })
}

/// The statement in a file that made a run: itself, or the outermost macro call
/// in the file where it was included.
pub fn written(image: &Image, run: &Run) -> Span {
    trail(image, run.expansion)
        .take_while(|e| !matches!(e.kind, ExpansionKind::Include(_)))
        .filter(|e| matches!(e.kind, ExpansionKind::Macro(_)))
        .last()
        .map_or(run.span, |e| e.call)
}

/// Name of a source as it stands in a file: relative to the folder of the main
/// source where it lies below, so that the folder of the project does not matter.
pub fn file_name(sources: &Sources, id: SourceId) -> &str {
    let name = &sources.get(id).name;
    let main = sources.iter().next().map_or("", |(_, s)| &s.name);
    main.rsplit_once('/')
        .and_then(|(folder, _)| name.strip_prefix(folder)?.strip_prefix('/'))
        .unwrap_or(name)
}

/// `file:line:column` with that name.
pub fn place(sources: &Sources, span: Span) -> String {
    let (line, column) = sources.get(span.source).line_column(span.start);
    format!("{}:{line}:{column}", file_name(sources, span.source))
}

/// The name of a section for people.
pub fn section_name(name: &str) -> &str {
    if name.is_empty() { "(default)" } else { name }
}

/// Name of what belongs to no label.
pub const NO_LABEL: &str = "(no label)";

/// Who has the bytes at the addresses of `range`: names of labels and how many
/// bytes, most first. What belongs to no label goes by its section's name.
pub fn owners(image: &Image, range: Range<u64>) -> Vec<(String, u64)> {
    owners_in(image, image.chunks.iter(), range)
}

/// As [`owners`], of the bytes of some chunks alone: it costs no more than they are long.
pub fn owners_in<'a>(
    image: &'a Image,
    chunks: impl Iterator<Item = &'a Chunk>,
    range: Range<u64>,
) -> Vec<(String, u64)> {
    let mut sums: FxHashMap<(u32, u32), u64> = FxHashMap::default();
    for p in pieces_of(image, chunks) {
        let from = p.address().max(range.start);
        let to = (p.address() + u64::from(p.run.len)).min(range.end);
        if from < to {
            *sums.entry((p.run.owner, p.chunk.section)).or_default() += to - from;
        }
    }
    let mut named: FxHashMap<String, u64> = FxHashMap::default();
    for ((owner, section), bytes) in sums {
        let name = match image.symbols.get(owner as usize) {
            Some(s) => s.name.to_string(),
            None if image.sections[section as usize].name.is_empty() => NO_LABEL.into(),
            None => section_name(&image.sections[section as usize].name).to_owned(),
        };
        *named.entry(name).or_default() += bytes;
    }
    let mut out: Vec<_> = named.into_iter().collect();
    out.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    out
}
