//! What is kept of blocks whose addresses change where they are moved.

use crate::program::symbol::{Anchor, SymbolId};
use crate::text::source::Span;
use rustc_hash::FxHashSet;

/// Lines between `RELOCATE_START` and `RELOCATE_END`.
#[derive(Debug)]
pub struct Block {
    pub from: Anchor,
    /// Where it ends, if it has ended.
    pub to: Option<Anchor>,
    pub span: Span,
}

/// A constant in a block; one that is a high byte may be taken for what moves if so.
#[derive(Clone, Copy, Debug)]
pub struct Constant(pub SymbolId, pub bool);

/// What the blocks of a source have.
#[derive(Debug, Default)]
pub struct Relocation {
    /// Only high bytes change; what the first block said.
    pub high: Option<bool>,
    pub blocks: Vec<Block>,
    /// Labels in blocks.
    pub labels: FxHashSet<SymbolId>,
    /// Constants and values of variables in blocks, in order.
    pub constants: Vec<Constant>,
    /// First and last chunk of each `DISP` in a block.
    pub displaced: Vec<(u32, u32)>,
    /// Table of the run before.
    pub before: Vec<u16>,
}

impl Relocation {
    /// Whether lines here are in a block.
    pub fn is_open(&self) -> bool {
        self.blocks.last().is_some_and(|b| b.to.is_none())
    }
}
