//! What is kept from line to line.

use crate::dialect::margin::places::Displaced;
use crate::text::source::Span;
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// What was counted so far, in the order of the source.
#[derive(Debug, Default)]
pub struct Clocks {
    /// T-states, of branches the fewer ones, and fetches of opcodes.
    pub now: (i64, i64),
    /// The first item that is not counted: its chunk and number.
    pub next: (usize, usize),
    /// The same at the address before and behind each instruction.
    pub at: FxHashMap<i64, (i64, i64)>,
    /// What is read is data, at which nothing is counted.
    pub data: bool,
    /// T-states of the instruction at an address, the fewest and the most.
    pub own: FxHashMap<i64, (i64, i64)>,
}

/// What is kept from line to line.
#[derive(Default)]
pub struct State {
    pub macros: FxHashMap<String, Rc<Macro>>,
    /// Number of the next call, for names that are local to it.
    pub calls: u32,
    /// What follows runs elsewhere.
    pub phase: Option<Displaced>,
    /// Files that `import` has brought.
    pub imported: FxHashSet<String>,
    /// Clocks so far.
    pub clocks: Clocks,
}

/// A name in the lines of a macro that stands for something.
#[derive(Debug)]
pub struct Formal {
    pub name: String,
    /// It is written with `#` before it.
    pub hashed: bool,
    /// It is a new name in each call, where no argument is given for it.
    pub local: bool,
}

/// A part of a line.
#[derive(Debug)]
pub enum Piece {
    Text(String),
    /// The argument of that number.
    Formal(usize),
    /// How many arguments there are.
    Count,
}

/// A macro.
#[derive(Debug)]
pub struct Macro {
    pub name: String,
    pub formals: Vec<Formal>,
    pub lines: Vec<(Vec<Piece>, Span)>,
    pub span: Span,
}
