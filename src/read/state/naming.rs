//! What names mean where the reader is.

use crate::program::symbol::SymbolId;
use crate::text::source::Span;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// What names and texts mean here.
#[derive(Debug)]
pub struct Naming {
    /// Last plain label's full name.
    pub parent: Arc<str>,
    /// `scope` prefix with its final dot, or empty.
    pub prefix: String,
    /// The label that was defined last, where calls take their names from it.
    pub latest: Option<SymbolId>,
    /// Character map in force.
    pub charmap: Option<String>,
    /// Inside `struct`: name, offset so far.
    pub structure: Option<(String, i64)>,
    /// Other names that the program gives to registers.
    pub register_names: FxHashMap<String, (u8, Span)>,
}

impl Default for Naming {
    fn default() -> Self {
        Self {
            parent: "".into(),
            prefix: String::new(),
            latest: None,
            charmap: None,
            structure: None,
            register_names: FxHashMap::default(),
        }
    }
}

/// What the lines so far say about the statement in work.
#[derive(Debug, Default)]
pub struct Noticed {
    /// The statement is meant to stand in a delay slot.
    pub in_slot: bool,
    /// The last expression was below zero, which bits without a sign do not show.
    pub below_zero: bool,
    /// Where the line has plain numbers of sixteen bits that a byte could hold if they
    /// were below zero.
    pub high: Vec<Span>,
    /// How many promises have an instruction behind them.
    pub placed_contracts: usize,
}
