//! Code that is read as data: not only its instructions stay, its bytes do. What they name stays
//! at its address.

use super::hazard::Search;
use super::node::Reason;
use super::shape::{Shape, shape};
use crate::program::symbol::Anchor;

impl Search<'_, '_> {
    /// The bytes of a node are read: what it names does not move.
    pub(super) fn keeps_bytes(&mut self, n: u32) {
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

    /// What is between a place and an address keeps its size.
    fn stays_apart(&mut self, a: Anchor, address: u64) {
        if let Some((n, _)) = self.nodes.holding(address) {
            self.span(a, n, Reason::Read);
        }
    }
}
