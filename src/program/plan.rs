//! What the source says of where things go, besides addresses and sections.

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
#[derive(Debug)]
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
#[derive(Debug, Default)]
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
