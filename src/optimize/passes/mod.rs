//! The passes, in their order.

pub mod branches;
pub mod conditions;
mod dead;
mod inline;
mod merge;
mod outline;
pub mod peephole;
mod runs;
pub mod search;
mod tails;
mod threads;
mod values;

use super::flow::{Flow, Kind, Shape, goal};
use super::step::Step;
use crate::program::symbol::Anchor;
use scrimp_isa::effects::Way;

/// All of them.
pub const ALL: &[Step] = &[
    dead::STEP,
    threads::STEP,
    tails::STEP,
    values::UNUSED,
    peephole::STEP,
    values::KNOWN,
    inline::STEP,
    merge::STEP,
    outline::STEP,
    branches::STEP,
];

/// Jumps and calls that name their goal by its number, or by its distance from another
/// place: item, operand class, place.
pub fn numbers(flow: &Flow<'_, '_>) -> Vec<(Anchor, u8, Anchor)> {
    let mut out = Vec::new();
    for node in &flow.nodes.list {
        let goes = matches!(node.ways.way, Some(Way::Jump | Way::Call));
        let Some(to) = node.to.filter(|_| goes && node.kind == Kind::Code) else {
            continue;
        };
        let target = flow.node(to);
        let whole = goal(flow.book, &node.ways) == Some(target.address);
        if !whole || target.kind != Kind::Code {
            continue;
        }
        for o in &node.operands {
            let named = match o.shape {
                Shape::Number => o.width >= 12 || o.relative,
                Shape::Address(_, plus) => plus != 0,
                _ => false,
            };
            let leads = o.relative || o.width >= 12;
            if named && leads {
                out.push((node.at, o.class, target.at));
            }
        }
    }
    out
}
