//! What layout gives: addresses, sizes, and chunks that share a page.

use crate::program::symbol::Anchor;
use crate::text::source::Span;
use std::collections::BTreeSet;

/// Addresses and sizes.
#[derive(Debug, Default)]
pub struct Layout {
    /// Address of each chunk.
    pub base: Vec<u64>,
    /// Where the bytes of each chunk are stored.
    pub load: Vec<u64>,
    /// For each chunk and item of open size the bytes that those before it have; one more
    /// entry for the end.
    pub growth: Vec<Vec<u64>>,
    /// For each chunk and item of open size which encoding is taken.
    pub choice: Vec<Vec<u8>>,
    /// Chunks that share a page.
    pub groups: Vec<Group>,
    /// What ties them.
    pub links: Vec<Link>,
    /// Chunks for which no page has room.
    pub homeless: BTreeSet<u32>,
    /// Bytes of each chunk.
    pub chunk_bytes: Vec<u64>,
    /// Chunks and items of open size that never settled.
    pub unsettled: Vec<(u32, u32)>,
    /// The chunk and item of open size with which the program becomes longer than a program
    /// may be; then no item of open size has bytes.
    pub too_long: Option<(u32, u32)>,
}

/// Chunks that share a page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Group {
    /// They, in the order of the source.
    pub chunks: Vec<u32>,
    /// Linear address of the page that it must be, if one of them reaches a fixed place.
    pub page: Option<u64>,
}

impl Group {
    /// Whether a chunk is one of them.
    pub(crate) fn has(&self, chunk: u32) -> bool {
        self.chunks.binary_search(&chunk).is_ok()
    }
}

/// Something that ties a chunk to a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Link {
    /// Where it stands.
    pub from: Anchor,
    /// What it reaches.
    pub to: End,
    /// Its operand.
    pub span: Span,
    /// Run it lies in.
    pub expansion: u32,
    /// It is a branch, which a far jump could stand for.
    pub branch: bool,
}

/// What a [`Link`] reaches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// A place of a chunk.
    Place(Anchor),
    /// A fixed address.
    Address(i64),
}
