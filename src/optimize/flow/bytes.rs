//! Code that is read as data: not only its instructions stay, its bytes do. What they name stays
//! at its address.

use super::hazard::Search;
use super::node::{Kind, Reason};
use super::shape::{Shape, shape, steady};
use super::taken::Seen;
use crate::program::symbol::Anchor;
use crate::program::{Field, Value};
use rustc_hash::FxHashSet;

impl Search<'_, '_> {
    /// The bytes of a node are read: what it names does not move. Where they are put elsewhere
    /// only what it names by a distance does not.
    pub(super) fn keeps_bytes(&mut self, n: u32, seen: Seen) {
        if seen == Seen::No {
            return;
        }
        let node = &self.nodes.list[n as usize];
        let (at, from) = (node.at, node.address);
        let mut all: Vec<(Shape, bool)> = Vec::new();
        match self.is_code(n) {
            true => {
                let own = node.operands.iter();
                all.extend(own.map(|o| (o.shape.clone(), o.relative)));
            }
            false => {
                let own = self.program.operands_of(at).iter();
                all.extend(own.map(|v| (shape(self.program, v.value), false)));
            }
        }
        for (shape, relative) in all {
            match shape {
                Shape::Number | Shape::Mixed(_) => {}
                Shape::Address(a, _) if relative => self.stays_apart(a, from),
                Shape::Difference(a, b) => {
                    let b = self.program.address(&self.placed.layout, b);
                    self.stays_apart(a, b);
                }
                _ if seen == Seen::Copied => {}
                other => {
                    for a in other.places() {
                        if let Some(to) = self.node_of(a) {
                            self.hold(to, Reason::Read);
                        }
                    }
                }
            }
        }
    }

    /// The first nodes of tables that name bytes within instructions: what they lead to is
    /// written or read, all of it.
    pub(super) fn tables_of_bytes(&self) -> FxHashSet<u32> {
        let own = self.program.values.iter().filter(|v| {
            let (Field::Data(_), Shape::Address(a, plus)) = (v.field, shape(self.program, v.value))
            else {
                return false;
            };
            let to = self.program.address(&self.placed.layout, a);
            let to = to.checked_add_signed(plus);
            let to = to.and_then(|to| self.nodes.holding(to));
            to.is_some_and(|(n, behind)| behind > 0 && self.is_code(n))
        });
        own.filter_map(|v| self.table(v.at)).collect()
    }

    /// The first node of the data that a place is in, from their label on.
    pub(super) fn table(&self, a: Anchor) -> Option<u32> {
        let mut n = self.nodes.of(a)?;
        let of = |n: u32| &self.nodes.list[n as usize];
        let goes_on = |n: u32| {
            let before = n.checked_sub(1).map(of);
            let data = before.is_some_and(|b| b.kind != Kind::Code && b.at.chunk == of(n).at.chunk);
            data && of(n).labels.is_empty()
        };
        while goes_on(n) {
            n -= 1;
        }
        Some(n)
    }

    /// What is between a place and an address keeps its size.
    pub(super) fn stays_apart(&mut self, a: Anchor, address: u64) {
        if let Some((n, _)) = self.nodes.holding(address) {
            self.span(a, n, Reason::Read);
        }
    }

    /// Places whose distance over data is counted with: something names them.
    pub(super) fn steady(&mut self) {
        let program = self.program;
        let choices = program.choices.values.iter().filter_map(|v| match v.1 {
            Value::Expr(e) | Value::Known(_, e) => Some(e),
            Value::Number(_) => None,
        });
        for e in program.values.iter().map(|v| v.value).chain(choices) {
            for (a, b, _) in steady(program, e) {
                self.name(a);
                self.name(b);
            }
        }
    }
}
