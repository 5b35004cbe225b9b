//! What no statement made: rewrites, filler, bytes that stand elsewhere once more.

use super::item::Again;
use super::symbol::Anchor;
use crate::text::source::Span;
use scrimp_isa::proof::Overhead;

/// Where items come from that no statement made.
#[derive(Clone, Debug)]
pub struct Rewrite {
    /// The first of them.
    pub first: Anchor,
    /// How many.
    pub count: u32,
    /// What did it.
    pub by: &'static str,
    /// Statements and expansions of the items that they stand for.
    pub replaced: Vec<(Span, u32)>,
}

/// What no statement made.
#[derive(Clone, Debug, Default)]
pub struct Changes {
    /// Items that no statement made.
    pub rewrites: Vec<Rewrite>,
    /// What is filled in for promises, with its bytes.
    pub overhead: Vec<(Anchor, u32, Overhead)>,
    /// Bytes of items that stand elsewhere once more.
    pub again: Vec<Again>,
}
