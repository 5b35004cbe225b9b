//! What is kept from line to line and from file to file.

use crate::program::symbol::SymbolId;
use crate::text::source::Span;
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;
use std::sync::Arc;

/// An area of all files.
#[derive(Debug)]
pub struct Area {
    pub name: String,
    pub section: u32,
    /// Its lines say where they are.
    pub absolute: bool,
    /// Each part starts where the others do.
    pub overlaid: bool,
    /// The chunks of each part: of a file, or of a return to it.
    pub parts: Vec<Vec<u32>>,
    /// The file that the last part is of.
    pub unit: Option<u32>,
    /// Bytes of the last part before its last chunk.
    pub before: i64,
}

/// What is kept from line to line and from file to file.
#[derive(Default)]
pub struct State {
    pub areas: Vec<Area>,
    /// Their numbers by name.
    pub names: FxHashMap<String, usize>,
    /// The one in force.
    pub area: usize,
    /// Number of the file.
    pub unit: u32,
    /// Names of the files that are done.
    pub units: Vec<FxHashMap<Arc<str>, SymbolId>>,
    /// What files show each other.
    pub global: FxHashSet<SymbolId>,
    /// Labels like `1$` since the last plain one.
    pub local: FxHashMap<u64, SymbolId>,
    /// The base of numbers without a sign of one; 0 for ten.
    pub radix: u32,
    pub macros: FxHashMap<String, Rc<Macro>>,
    /// Labels that macros made so far.
    pub made: u32,
    /// Addresses of areas from outside.
    pub addresses: Vec<(String, u64)>,
    /// Values of symbols from outside.
    pub given: Vec<(String, i64)>,
}

/// A macro.
#[derive(Debug)]
pub struct Macro {
    pub name: String,
    /// Names of its parameters, and whether each is a label of the call.
    pub parameters: Vec<(String, bool)>,
    pub text: String,
    pub lines: Vec<Span>,
    pub span: Span,
}
