//! The changes of the optimizer as edits of the sources, in their dialect's own spelling:
//! what the items of the new program say is put where the statements stood whose place they
//! took. Comments, macros and layout stay.
//!
//! Nothing here has to be believed: who writes the sources assembles them and compares. What
//! cannot be written is told with its reason, so that it can be left out.

mod names;
mod places;
mod render;
mod statements;

use super::flow::{Book, Node, Nodes, Placed, nodes_of};
use super::trace::{Number, Trace};
use super::work::State;
use crate::program::Program;
use crate::program::symbol::{Anchor, SymbolId};
use crate::text::source::Span;
use names::{Asked, Labels, Names};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

/// An edit of a source: bytes that go and what comes there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextEdit {
    /// First byte that goes.
    pub start: u32,
    /// One past the last.
    pub end: u32,
    /// What comes.
    pub text: String,
    /// Names of the changes that it belongs to.
    pub of: Vec<String>,
}

/// The edits of a file, in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileEdits {
    /// Its name for the loader.
    pub name: String,
    /// What is edited.
    pub edits: Vec<TextEdit>,
}

/// Changes that cannot stand in the sources as they are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unwritable {
    /// Why.
    pub reason: String,
    /// Where: `file:line:column`.
    pub place: String,
    /// The rules of the changes, each behind its pass.
    pub rules: Vec<String>,
    /// Their names.
    pub names: Vec<String>,
    /// The line that is better left as it is, whatever would change it: number of the
    /// source, and of the line.
    pub line: Option<(u32, u32)>,
}

/// A program's changes as edits.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Written {
    /// The files that change.
    pub files: Vec<FileEdits>,
    /// What cannot be written; if there is anything the edits are not all there is.
    pub bad: Vec<Unwritable>,
    /// Names of all changes that were made, in their order.
    pub changes: Vec<String>,
}

/// A statement where it was read once: what it was and what takes its place.
#[derive(Debug)]
struct Place {
    /// The statement in its file.
    span: Span,
    /// The way to it.
    expansion: u32,
    /// It stands in no file that can be written.
    made: bool,
    /// Items that it was.
    items: Vec<Anchor>,
    /// Items that are there now.
    now: Vec<Anchor>,
    /// Labels that come: before which of `now` (their count for behind all), and which.
    labels: Vec<(usize, SymbolId)>,
    /// Labels that are asked for by those who go there.
    asked: Vec<(usize, Asked)>,
    /// Changes that had to do with it.
    by: Vec<Number>,
}

/// What an item of the new program is in the source.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Line {
    /// The statement as it stands.
    Same,
    /// Another statement.
    Text(String),
}

/// All that is looked at.
struct Writer<'a, 'p> {
    old: &'a Program<'p>,
    new: &'a Program<'p>,
    trace: &'a Trace,
    placed: &'a Placed,
    was: Nodes,
    now: Nodes,
    places: Vec<Place>,
    /// The place of each old item, and of each new one.
    of: FxHashMap<(u32, u32), usize>,
    of_new: FxHashMap<(u32, u32), usize>,
    names: Names,
    labels: Labels,
    /// Labels that go from where they stand.
    moved: FxHashSet<SymbolId>,
    /// Old items whose goals have become places.
    related: FxHashSet<(u32, u32)>,
    /// Where labels stand: source and first byte, last byte.
    written: BTreeMap<(u32, u32), (u32, SymbolId)>,
    bad: Vec<Unwritable>,
}

/// The changes that led from a program to another, as edits of its sources.
pub fn write(old: &Program<'_>, state: &State<'_>, book: &Book<'_>) -> Written {
    let before = Placed::of(old);
    let mut w = Writer {
        old,
        new: &state.program,
        trace: &state.trace,
        placed: &state.placed,
        was: nodes_of(old, &before, book),
        now: nodes_of(&state.program, &state.placed, book),
        places: Vec::new(),
        of: FxHashMap::default(),
        of_new: FxHashMap::default(),
        names: Names::of(old, &state.program),
        labels: state.program.labels(),
        moved: FxHashSet::default(),
        related: state.trace.related.iter().copied().collect(),
        written: written(old),
        bad: Vec::new(),
    };
    w.find();
    let files = w.edits();
    Written {
        files,
        bad: w.bad,
        changes: state.trace.changes.iter().map(|c| c.name.clone()).collect(),
    }
}

/// Where the labels of a program stand.
fn written(program: &Program<'_>) -> BTreeMap<(u32, u32), (u32, SymbolId)> {
    let mut out = BTreeMap::new();
    for id in program.symbols.ids() {
        let s = program.symbols.get(id);
        if let Some(span) = s.span.filter(|_| s.label) {
            let span = program.sources.in_file(span);
            out.insert((span.source.0, span.start), (span.end, id));
        }
    }
    out
}

impl Writer<'_, '_> {
    fn was(&self, a: Anchor) -> Option<&Node> {
        self.was.of(a).map(|n| &self.was.list[n as usize])
    }

    fn now(&self, a: Anchor) -> Option<&Node> {
        self.now.of(a).map(|n| &self.now.list[n as usize])
    }

    /// Tells that changes cannot be written, by their numbers.
    fn refuse(&mut self, place: usize, by: &[Number], reason: &str) {
        self.tell(place, by, reason, false);
    }

    /// Tells that a statement had better stay.
    fn keep(&mut self, place: usize, reason: &str) {
        let by = self.places[place].by.clone();
        self.tell(place, &by, reason, true);
    }

    fn tell(&mut self, place: usize, by: &[Number], reason: &str, stays: bool) {
        let span = self.places[place].span;
        let sources = &self.old.sources;
        let (line, _) = sources.get(span.source).line_column(span.start);
        let changes = || by.iter().map(|&n| self.trace.change(n));
        let rules = changes().map(|c| format!("{}: {}", c.pass, c.rule));
        let mut rules: Vec<String> = rules.collect();
        rules.dedup();
        let names = changes().map(|c| c.name.clone()).collect();
        self.bad.push(Unwritable {
            reason: reason.to_owned(),
            place: crate::image::origin::place(sources, span),
            rules,
            names,
            line: stays.then_some((span.source.0, line as u32)),
        });
    }
}
