//! What it keeps from line to line.

use super::super::margin::macros::Macro;
use crate::program::Value;
use crate::program::symbol::SymbolId;
use crate::text::source::Span;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

/// What is called through the table.
pub struct Call {
    /// The name of its cell.
    pub cell: String,
    /// Its address.
    pub value: Value,
    /// Its name, if it is one.
    pub name: Option<SymbolId>,
    /// Where it is called first.
    pub span: Span,
}

/// What it keeps from line to line.
#[derive(Default)]
pub struct State {
    /// Names that `EQU` gave a value.
    pub equates: HashSet<SymbolId>,
    /// Names that `%define` made; whether they count.
    pub defines: HashMap<String, bool>,
    /// Macros by name.
    pub macros: HashMap<String, Rc<Macro>>,
    /// Macro calls so far.
    pub expanded: u32,
    /// The first cell of the table of calls, and where that is said.
    pub table: Option<(i64, Span)>,
    /// What calls through the table call, in order.
    pub calls: Vec<Call>,
    /// Their numbers, by what is written.
    pub called: HashMap<String, usize>,
    /// Where files are looked for first.
    pub folder: String,
    /// The start address.
    pub start: i64,
}
