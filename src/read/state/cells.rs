//! Tables of the program that are being filled: columns of memory, and one in ROM.

use crate::program::symbol::Anchor;
use crate::text::lex::Tok;
use crate::text::source::Span;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// A cell with its first contents.
#[derive(Clone, Debug)]
pub struct Cell {
    pub(crate) page: i64,
    /// The table, as written.
    pub table: Span,
    pub(crate) value: Span,
}

/// A table that is being read.
#[derive(Debug)]
pub struct OpenTable {
    /// Its name as written.
    pub name: Tok,
    /// Its name with that of the scope around.
    pub full: String,
    pub(crate) statement: Span,
    pub(crate) expansion: u32,
    /// Section and plain label to go back to.
    pub outer: (u32, Arc<str>),
    /// Values that a page may have, and whether the source says so.
    pub per: (u64, bool),
    /// What a fetch executes at the end of a page.
    pub lines: Vec<Vec<Tok>>,
    pub(crate) number: u32,
    /// Pages so far.
    pub pages: u64,
    /// Values so far.
    pub length: u64,
    /// Where the first page's trampoline is.
    pub entry: Option<Anchor>,
}

/// The tables that lines speak of.
#[derive(Debug, Default)]
pub struct Cells {
    /// First contents of their cells, since the last `initialise`.
    pub first: Vec<Cell>,
    /// Where they are, by table and page.
    pub filled: FxHashMap<(Arc<str>, i64), Span>,
    /// The table in ROM that is being read.
    pub rom_table: Option<Box<OpenTable>>,
}
