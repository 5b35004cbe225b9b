//! What the source says of where things go, besides addresses and sections.

use super::Value;
use super::symbol::ExprId;
use crate::text::source::Span;

/// Where a chunk of a table lies: bytes behind the start of the table's first page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InTable {
    /// The table's number.
    pub table: u32,
    /// Bytes from its start.
    pub offset: u64,
}

/// Where the bytes of a chunk are stored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Stored {
    /// Where they run.
    #[default]
    Here,
    /// At a linear address.
    At(u64),
    /// Behind those of an earlier chunk.
    Behind(u32),
    /// Nowhere: it is only room.
    Nowhere,
}

/// A file of the memory as it is at a line.
#[derive(Clone, Debug)]
pub struct Save {
    /// Its name.
    pub name: String,
    /// First linear address, and how many bytes.
    pub range: (Value, Value),
    /// The pages that are seen besides what is always there.
    pub pages: Vec<u32>,
    /// Items of each chunk so far.
    pub items: Vec<u32>,
    /// Statement.
    pub span: Span,
    /// Expansion.
    pub expansion: u32,
}

/// Where the chunks of a group begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    /// At a linear address.
    At(u64),
    /// Behind the group before.
    Behind,
    /// That far behind what is stored so far.
    Mapped(u64),
}

/// Chunks that follow each other.
#[derive(Clone, Debug)]
pub struct Row {
    /// Where it begins.
    pub start: Start,
    /// Its chunks in order.
    pub chunks: Vec<u32>,
    /// Its bytes are stored behind those of the first group and of those before that
    /// are stored so too.
    pub stored: bool,
}

/// Where all chunks go.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    /// The groups; the first is what is in flash.
    pub groups: Vec<Row>,
    /// Chunks that are in no memory.
    pub dropped: Vec<u32>,
}

/// `same_page a, b`: places that must have one page.
#[derive(Clone, Debug)]
pub struct SamePage {
    /// They, and their texts.
    pub parts: Vec<(ExprId, Span)>,
    /// Statement.
    pub span: Span,
    /// Expansion.
    pub expansion: u32,
}
