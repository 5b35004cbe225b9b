//! What is kept from line to line.

use super::typed::Typed;
use crate::program::symbol::SymbolId;
use crate::text::source::{SourceId, Span};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// A part of a line of a macro.
#[derive(Debug)]
pub enum Piece {
    Text(String),
    /// The argument of that number.
    Argument(usize),
    /// How many arguments there are.
    Count,
    /// All of them.
    All,
    /// What stood as a label before the call.
    Label,
}

/// A macro.
#[derive(Debug)]
pub struct Macro {
    pub name: String,
    pub formals: Vec<String>,
    pub defaults: Vec<String>,
    pub lines: Vec<(Vec<Piece>, Span)>,
    /// The label before a call is an argument.
    pub takes_label: bool,
    /// Its labels are known outside.
    pub global: bool,
    pub span: Span,
}

/// What a call or round has that is open.
#[derive(Debug)]
pub enum FrameKind {
    /// The macro, its arguments, and those that were given beside its own.
    Call(Rc<Macro>, Arguments),
    Loop(Loop),
}

/// The arguments of a call.
#[derive(Debug)]
pub struct Arguments {
    pub list: Vec<String>,
    pub label: String,
    pub all: String,
    pub count: usize,
}

/// Lines that are read round by round.
#[derive(Debug)]
pub struct Loop {
    pub name: &'static str,
    /// Its lines, where all rounds have the same, and as how many a round counts.
    pub source: Option<(SourceId, u64)>,
    pub lines: Vec<(Vec<Piece>, Span)>,
    /// What the lines of the rounds to come have in the place of the argument, the next
    /// one last.
    pub rounds: Vec<String>,
    /// Rounds that are left.
    pub left: u64,
    /// What must hold for another round.
    pub condition: Option<String>,
    pub global: bool,
    pub done: u64,
}

/// A call or loop whose lines are being read.
#[derive(Debug)]
pub struct Frame {
    /// Feeds that are open while they are.
    pub depth: usize,
    /// The number of its own names, if it has such.
    pub handle: Option<u32>,
    pub kind: FrameKind,
}

/// An element of a struct.
#[derive(Clone, Debug)]
pub struct Element {
    pub name: String,
    pub offset: i64,
    /// It is a struct itself.
    pub inner: Option<Rc<Struct>>,
}

/// A struct or union.
#[derive(Debug)]
pub struct Struct {
    pub elements: Vec<Element>,
    pub size: i64,
    /// What stands between its name and those of its elements.
    pub between: char,
}

/// A struct that is open.
#[derive(Debug)]
pub struct Open {
    /// With the names of those around; empty for none.
    pub name: String,
    pub base: String,
    pub union: bool,
    /// The names of its elements begin with its own.
    pub extends: bool,
    pub between: char,
    pub elements: Vec<Element>,
    pub at: i64,
    pub size: i64,
    /// Where it lies in the one around.
    pub offset: i64,
    pub span: Span,
}

/// What a section tells outside.
#[derive(Debug)]
pub struct Section {
    /// Its name with those around it.
    pub path: String,
    /// Names that belong to another one, by their key: its path, and whether they are
    /// known there by a name with that of the section before it, beside their own.
    pub public: FxHashMap<String, (String, bool)>,
    pub span: Span,
}

/// A `switch`.
#[derive(Debug)]
pub struct Switch {
    /// Number of its conditional.
    pub at: usize,
    pub value: Typed,
}

/// What `save` keeps.
pub struct Saved {
    pub charset: String,
    pub intel: Option<bool>,
    pub step: (i64, i64),
}

/// Where lines write.
#[derive(Debug, Default)]
pub struct Places {
    /// How much further what follows runs than it is stored.
    pub phase: i64,
    pub phases: Vec<i64>,
    /// The chunk in force is room, in which nothing is written.
    pub room: bool,
    /// Labels since there is room, which belong to what follows.
    pub labels: Vec<SymbolId>,
    /// Addresses in the other segments, by their names.
    pub segments: FxHashMap<String, i64>,
    pub segment: String,
}

/// Names that are told from others by what stands before them.
#[derive(Debug, Default)]
pub struct Names {
    /// Number of the last definition, for `$$x`.
    pub defined: u32,
    /// What `.x` belongs to.
    pub last: String,
    /// The next `-` and the next `+`.
    pub back: u32,
    pub forward: u32,
    /// The last of those that are looked for above: newest first.
    pub log: Vec<String>,
    /// Number of the next call or round.
    pub handle: u32,
}

/// How numbers are written.
#[derive(Clone, Copy, Debug)]
pub struct Forms {
    pub radix: u32,
    pub out: u32,
    pub relaxed: bool,
    /// Forms that `intsyntax` adds or takes away, as bits.
    pub more: u32,
    pub less: u32,
}

/// Names whose values are texts or have fractions.
#[derive(Default)]
pub struct Other {
    pub now: FxHashMap<String, Typed>,
    /// Those of them that are for good.
    pub fixed: FxHashMap<String, Typed>,
    /// What the run before found of these.
    pub below: FxHashMap<String, Typed>,
}

/// What is kept from line to line.
pub struct State {
    pub macros: FxHashMap<String, Rc<Macro>>,
    pub frames: Vec<Frame>,
    pub functions: FxHashMap<String, Rc<(Vec<String>, String)>>,
    /// How deep calls of them are.
    pub depth: u32,
    pub typed: Other,
    pub stacks: FxHashMap<String, Vec<i64>>,
    pub structs: FxHashMap<String, Rc<Struct>>,
    pub open: Vec<Open>,
    /// `.` stands between the names of structs.
    pub dotted: bool,
    pub sections: Vec<Section>,
    pub section_paths: FxHashSet<String>,
    pub switches: Vec<Switch>,
    pub places: Places,
    pub names: Names,
    pub forms: Forms,
    pub charset: String,
    pub charsets: FxHashMap<String, Box<[Option<u8>; 256]>>,
    /// The next value of `enum`, and the step.
    pub counting: (i64, i64),
    pub saved: Vec<Saved>,
    /// The words of the 8080 are in force, if `cpu` said so.
    pub intel: Option<bool>,
}

impl Default for State {
    fn default() -> Self {
        let mut same = Box::new([None; 256]);
        for (k, to) in same.iter_mut().enumerate() {
            *to = Some(k as u8);
        }
        let forms = Forms {
            radix: 10,
            out: 16,
            relaxed: false,
            more: 0,
            less: 0,
        };
        let places = Places {
            segment: "code".into(),
            ..Places::default()
        };
        Self {
            macros: FxHashMap::default(),
            frames: Vec::new(),
            functions: FxHashMap::default(),
            depth: 0,
            typed: Other::default(),
            stacks: FxHashMap::default(),
            structs: FxHashMap::default(),
            open: Vec::new(),
            dotted: false,
            sections: Vec::new(),
            section_paths: FxHashSet::default(),
            switches: Vec::new(),
            places,
            names: Names::default(),
            forms,
            charset: "standard".into(),
            charsets: [("standard".to_owned(), same)].into_iter().collect(),
            counting: (0, 1),
            saved: Vec::new(),
            intel: None,
        }
    }
}
