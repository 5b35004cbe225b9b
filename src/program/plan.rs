//! What the source says of where things go, besides addresses and sections.

use super::symbol::{Anchor, ExprId};
use super::value::Value;
use crate::image::memory::{Bank, Slot, Window};
use crate::text::source::Span;
use std::rc::Rc;

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

/// A request for a file, or for a part of one, with the memory as it is at a line.
#[derive(Clone, Debug)]
pub struct Save {
    /// What the dialect does: a number of its own.
    pub what: u16,
    /// Names and other texts, that of the file first.
    pub texts: Vec<String>,
    /// Values, in the order that the dialect says.
    pub values: Vec<Value>,
    /// Contents of files that go into it.
    pub contents: Vec<Rc<[u8]>>,
    /// What is seen at the line: a number in [`Saves::windows`].
    pub window: u32,
    /// What is written from there on belongs to it.
    pub since: Option<Anchor>,
    /// The line: what lies before is in memory.
    pub until: Anchor,
    /// Statement.
    pub span: Span,
    /// Expansion.
    pub expansion: u32,
}

/// All of them, in the order of the source, and the memory that they are made of.
#[derive(Clone, Debug)]
pub struct Saves {
    /// The requests.
    pub list: Vec<Save>,
    /// What is seen where; the first is memory without pages.
    pub windows: Vec<Window>,
    /// The memories; the first has one page.
    pub banks: Vec<Bank>,
}

impl Default for Saves {
    fn default() -> Self {
        Self::new(0x10000)
    }
}

impl Saves {
    /// No request, and memory without pages of so many bytes.
    pub fn new(size: u64) -> Self {
        let slot = Slot {
            page: 0,
            onward: false,
        };
        let bank = Bank {
            size: u32::try_from(size).unwrap_or(u32::MAX),
            pages: 1,
            filled: Vec::new(),
        };
        Self {
            list: Vec::new(),
            windows: vec![Window {
                bank: 0,
                slots: vec![slot],
            }],
            banks: vec![bank],
        }
    }
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
    /// Where the group before does; what comes behind is behind the longer one.
    Over,
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
