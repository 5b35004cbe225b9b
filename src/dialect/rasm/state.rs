//! What is kept from line to line: macros, loops, structs, places.

use crate::dialect::margin::macros::Macro;
use crate::program::symbol::SymbolId;
use crate::read::expand::Body;
use crate::text::lex::Tok;
use crate::text::source::Span;
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;
use std::sync::Arc;

/// What is kept from line to line.
pub(super) struct State {
    /// By name in lower case.
    pub(super) macros: FxHashMap<String, Rc<Macro>>,
    pub(super) structs: FxHashMap<String, Rc<Struct>>,
    /// The names that have one, and which.
    pub(super) instances: Vec<(String, Rc<Struct>)>,
    /// The one that is open.
    pub(super) structure: Option<Open>,
    /// Calls and loops whose lines are being read, innermost last.
    pub(super) frames: Vec<Frame>,
    /// Number of the next of them.
    pub(super) number: u32,
    /// Feeds that are the rest of a line.
    pub(super) rests: FxHashSet<u32>,
    /// What `.x` belongs to.
    pub(super) parent: Arc<str>,
    pub(super) module: String,
    /// Symbols of calls and rounds, by the names that only they have.
    pub(super) locals: FxHashMap<String, SymbolId>,
    /// Number of the last label `_`.
    pub(super) unnamed: u32,
    pub(super) charset: Box<[u8; 256]>,
    /// Where repeats begin to count, and by what.
    pub(super) counting: [i64; 2],
    pub(super) switches: Vec<Switch>,
    pub(super) places: Places,
    pub(super) banks: Banks,
    /// A variable takes a value with all its digits.
    pub(super) exact: bool,
    /// `$` is where the statement is, in lists of data too.
    pub(super) at_statement: bool,
}

/// A call or loop whose lines are being read.
#[derive(Debug)]
pub(super) struct Frame {
    /// Sources of lines that are open while they are.
    pub(super) depth: usize,
    /// Its number.
    pub(super) number: u32,
    /// The round in force.
    pub(super) round: u64,
    /// What `.x` belonged to before it.
    pub(super) parent: Arc<str>,
    /// The loop, if it is one.
    pub(super) lines: Option<Loop>,
}

/// A loop.
#[derive(Debug)]
pub(super) struct Loop {
    pub(super) body: Rc<Body>,
    pub(super) kind: LoopKind,
    /// The variable that counts its rounds, and by how much.
    pub(super) counter: Option<(SymbolId, i64)>,
}

/// When a loop ends.
#[derive(Debug)]
pub(super) enum LoopKind {
    /// After so many rounds.
    Count(u64),
    /// When that holds.
    Until(Vec<Tok>),
    /// When that does not hold.
    While(Vec<Tok>),
}

impl Frame {
    /// Whether it is a loop.
    pub(super) fn is_loop(&self) -> bool {
        self.lines.is_some()
    }
}

/// A structure.
#[derive(Debug)]
pub(super) struct Struct {
    /// Bytes of it.
    pub(super) size: i64,
    pub(super) fields: Vec<Field>,
}

/// A field of a structure.
#[derive(Clone, Debug)]
pub(super) struct Field {
    /// With the names of the structs that it is in.
    pub(super) name: String,
    pub(super) offset: i64,
    /// Bytes up to the next field.
    pub(super) size: i64,
    /// What is in it unless it is said.
    pub(super) bytes: Vec<u8>,
}

/// A structure that is being defined.
#[derive(Debug)]
pub(super) struct Open {
    pub(super) name: String,
    pub(super) fields: Vec<Field>,
    /// Where it begins.
    pub(super) span: Span,
}

/// An open `switch`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Switch {
    /// Its place among the open conditionals.
    pub(super) at: usize,
    pub(super) value: i64,
    /// Some case was that.
    pub(super) met: bool,
}

/// Where bytes go.
#[derive(Debug, Default)]
pub(super) struct Places {
    /// Where the first byte of the piece in force is stored, and its first chunk.
    pub(super) stored: Option<i64>,
    pub(super) first: u32,
    /// Nothing is written.
    pub(super) silent: bool,
    /// Where that began: address and place.
    pub(super) before: Option<(i64, i64)>,
    /// `$` in the operands of `org`.
    pub(super) in_org: Option<i64>,
    /// Bytes between it and the item of a list, where it is where the statement is.
    pub(super) item: u32,
    /// Nothing may lie there.
    pub(super) protected: Vec<(i64, i64, Span)>,
    /// Nothing may lie from there on.
    pub(super) limit: Option<(i64, Span)>,
}

/// Memories beside each other.
#[derive(Debug, Default)]
pub(super) struct Banks {
    /// What they go into, where that was said, in which file.
    pub(super) what: Option<u16>,
    pub(super) span: Option<Span>,
    pub(super) name: Option<String>,
    /// Those that were named.
    pub(super) rooms: Vec<Room>,
    /// The one in force.
    pub(super) current: Option<usize>,
}

/// A memory of 64 KB.
#[derive(Debug)]
pub(super) struct Room {
    /// It is four banks.
    pub(super) set: bool,
    pub(super) number: u32,
    /// Its window and its bank of bytes among the program's.
    pub(super) window: u32,
    pub(super) bank: u32,
    /// Where it goes on.
    pub(super) at: i64,
}
