//! What a pass gives: changes to make, with what they claim, and changes that may not be
//! made.

use super::flow::Flow;
use super::ledger::Refused;
use crate::program::eval::Op;
use crate::program::rewrite::Edit;
use crate::program::symbol::{Anchor, ExprId, SymbolId};

/// The rule of what placement makes shorter.
pub const SHORT: &str = "the short form reaches";

/// A pass.
#[derive(Clone, Copy)]
pub struct Step {
    /// Its name, for switches and reports.
    pub name: &'static str,
    /// What it does, for people.
    pub about: &'static str,
    /// It only moves code about, so that the checker can walk what it made.
    pub walked: bool,
    /// Looks for changes.
    pub find: fn(&Flow<'_, '_>) -> Draft,
}

/// A change: edits that belong together.
#[derive(Clone, Debug)]
pub struct Proposal {
    /// The rule.
    pub rule: String,
    /// The edits, in any order.
    pub edits: Vec<Edit>,
    /// Nodes that it rests on besides those that go: no other change of the same round may
    /// take them away.
    pub rests_on: Vec<u32>,
    /// Bytes that it saves. An instruction of several forms counts with the longest.
    pub saves: i64,
    /// Clocks more on the shortest way, and on the longest, where they are counted.
    pub time: Option<(i64, i64)>,
    /// How it is known to be right.
    pub proof: String,
    /// What of the program that rests on.
    pub facts: Vec<String>,
    /// It only makes others possible: no line of the report, if it saves nothing.
    pub silent: bool,
}

impl Proposal {
    /// A change by a rule, of which nothing else is said yet.
    pub fn new(rule: impl Into<String>, edits: Vec<Edit>, saves: i64, proof: &str) -> Self {
        Self {
            rule: rule.into(),
            edits,
            rests_on: Vec::new(),
            saves,
            time: None,
            proof: proof.to_owned(),
            facts: Vec::new(),
            silent: false,
        }
    }
}

/// What a pass found.
#[derive(Clone, Debug, Default)]
pub struct Draft {
    /// Changes. Where two touch the same items the first is made.
    pub proposals: Vec<Proposal>,
    /// Changes that may not be made.
    pub refused: Vec<Refused>,
    /// Operations of new expressions; their numbers follow those of the program.
    pub ops: Vec<Op>,
    /// New labels; their numbers follow those of the program.
    pub labels: u32,
    /// Operations of the program.
    base: u32,
    /// Symbols of the program.
    symbols: u32,
}

impl Draft {
    /// Nothing yet.
    pub fn new(flow: &Flow<'_, '_>) -> Self {
        Self {
            base: flow.program.ops.len() as u32,
            symbols: flow.program.symbols.len() as u32,
            ..Self::default()
        }
    }

    /// A new expression.
    pub fn expression(&mut self, ops: &[Op]) -> ExprId {
        let start = self.base + self.ops.len() as u32;
        self.ops.extend_from_slice(ops);
        ExprId {
            start,
            len: ops.len() as u32,
        }
    }

    /// A new label, which an edit must place.
    pub fn label(&mut self) -> SymbolId {
        self.labels += 1;
        SymbolId(self.symbols + self.labels - 1)
    }

    /// The address of a node: its label, or the place itself.
    pub fn address(&mut self, flow: &Flow<'_, '_>, n: u32) -> ExprId {
        let op = match flow.label(n) {
            Some(label) => Op::Symbol(label),
            None => Op::Place(flow.node(n).at),
        };
        self.expression(&[op])
    }
}

/// Items of one chunk that go, and what comes there.
pub fn edit(at: Anchor, removed: u32, items: Vec<crate::program::rewrite::NewItem>) -> Edit {
    Edit {
        at,
        removed,
        items,
        labels: Vec::new(),
        by: "optimizer",
    }
}
