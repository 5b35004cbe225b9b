//! What is kept from line to line.

use crate::dialect::margin::macros::Macro;
use crate::dialect::margin::places::Displaced;
use rustc_hash::FxHashMap;
use std::rc::Rc;
use std::sync::Arc;

/// Sections by name.
#[derive(Debug, Default)]
pub struct Sections {
    /// The one in force.
    pub current: Option<String>,
    /// Where those that were left end.
    pub ends: FxHashMap<String, i64>,
}

/// What is kept from line to line.
#[derive(Default)]
pub struct State {
    pub macros: FxHashMap<String, Rc<Macro>>,
    pub structs: FxHashMap<String, Rc<Struct>>,
    /// The fields so far of the one that is open.
    pub fields: Vec<FieldOf>,
    /// Where the next `dsect` begins.
    pub offset: i64,
    /// Number of the next call, for `\@`.
    pub calls: u32,
    /// The lowest and the highest address that was set.
    pub addresses: Option<[i64; 2]>,
    /// Sections.
    pub named: Sections,
    /// What follows runs elsewhere.
    pub phase: Option<Displaced>,
    /// Number of the last label without a name.
    pub unnamed: u32,
    /// What `.x` belongs to outside of the open `inline` blocks, innermost last.
    pub inlines: Vec<Arc<str>>,
    /// Number of the next `inline`.
    pub inline: u32,
}

/// A field: what is written if nothing is said of it.
#[derive(Clone, Debug)]
pub enum FieldOf {
    /// A value of so many bytes.
    Value(u8, String),
    /// A text of so many bytes.
    Text(usize, String),
    /// Room: the word, how much, and the value it is filled with.
    Room(&'static str, String, String),
}

/// A structure.
#[derive(Debug)]
pub struct Struct {
    pub fields: Vec<FieldOf>,
}
