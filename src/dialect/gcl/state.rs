//! What it keeps from word to word.

use crate::program::Value;
use crate::program::symbol::{Anchor, SymbolId};
use crate::text::source::Span;
use std::collections::HashMap;

/// Where variables begin.
const VARIABLES: i64 = 0x30;

/// What the branches to a place further on have said of it.
#[derive(Clone, Copy)]
pub struct Ahead {
    /// The place.
    pub id: SymbolId,
    /// The page of the first branch to it.
    pub page: i64,
    /// That branch.
    pub span: Span,
}

/// A block; the first has no brackets.
#[derive(Default)]
pub struct Block {
    /// Its bracket.
    pub open: Option<Span>,
    /// The `do` that a loop in it goes back to, which may stand in a block around.
    pub again: Option<(Anchor, i64)>,
    /// Where its conditions go.
    pub ahead: Option<Ahead>,
    /// Where its `def` goes.
    pub behind: Option<Ahead>,
}

/// A segment that is being filled.
#[derive(Clone, Copy, Debug, Default)]
pub struct Segment {
    /// Its first address.
    pub start: i64,
    /// The next one.
    pub at: i64,
    /// It was said that there is no more room.
    pub full: bool,
    /// It was said that what follows is the ROM's.
    pub warned: bool,
}

/// What it keeps from word to word.
pub struct State {
    /// The text has been read.
    pub read: bool,
    /// The word that says the version was there.
    pub version: bool,
    /// The value of the instruction that is being made.
    pub operand: Option<Value>,
    /// Open blocks, the innermost last.
    pub blocks: Vec<Block>,
    /// Places ahead so far.
    pub places: u32,
    /// The segment in force.
    pub segment: Segment,
    /// Those before it that have bytes: first address, length.
    pub segments: Vec<(i64, i64)>,
    /// Addresses of the variables.
    pub variables: HashMap<String, (i64, SymbolId)>,
    /// The next free byte for variables.
    pub next: i64,
    /// What the ROM has, by name, with its place in the library.
    pub interface: HashMap<String, (i64, Span)>,
    /// Where the program starts.
    pub execute: Option<i64>,
    /// The first `ret` outside of blocks.
    pub returns: Option<Span>,
}

impl Default for State {
    fn default() -> Self {
        Self {
            read: false,
            version: false,
            operand: None,
            blocks: vec![Block::default()],
            places: 0,
            segment: Segment::default(),
            segments: Vec::new(),
            variables: HashMap::new(),
            next: VARIABLES,
            interface: HashMap::new(),
            execute: None,
            returns: None,
        }
    }
}
