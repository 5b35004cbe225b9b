//! Places whose addresses a program has as values: it may compare them. Two that are apart
//! stay so, two that are one stay one, and none is taken away from where it stands in the
//! order of all.

use super::apply::Done;
use super::flow::{Flow, Ref};
use super::step::Proposal;
use crate::program::Program;
use crate::program::eval::Op;
use crate::program::item::What;
use crate::program::symbol::{Anchor, Meaning, SymbolId};
use rustc_hash::{FxHashMap, FxHashSet};

/// The places of a program that are values of it.
pub struct Places {
    symbols: Vec<SymbolId>,
    /// Operations that name places by themselves.
    ops: Vec<u32>,
    /// Their labels: where they are in the order of all stays what it is. Addresses that are
    /// kept in memory may be compared wherever something is read.
    still: FxHashSet<SymbolId>,
}

/// Old addresses between which everything went, or which were the same.
pub type Met = (u64, u64);

/// Where a place is, before and behind a change.
struct Stands {
    old: u64,
    new: u64,
    at: Anchor,
}

impl Places {
    /// Those of a program.
    pub fn of(flow: &Flow<'_, '_>) -> Self {
        let mut named: FxHashSet<(u32, u32)> = FxHashSet::default();
        let mut still = FxHashSet::default();
        let mut bare = Vec::new();
        for node in &flow.nodes.list {
            let at = (node.at.chunk, node.at.item);
            if node.size == 0 {
                bare.push((at, &node.labels));
                continue;
            }
            let value = |r: &Ref| matches!(r, Ref::Value(_) | Ref::Other);
            if node.refs.iter().any(value) {
                // What has no bytes before it is at the same place.
                for (b, labels) in bare.drain(..).filter(|b| b.0.0 == at.0) {
                    named.insert(b);
                    still.extend(labels);
                }
                named.insert(at);
                still.extend(&node.labels);
            }
            bare.clear();
        }
        let chunks = &flow.program.chunks;
        let is = |a: Anchor| {
            let end = chunks.get(a.chunk as usize).map_or(0, |c| c.items.len());
            a.item as usize >= end || named.contains(&(a.chunk, a.item))
        };
        let all = &flow.program.symbols;
        let place = |id: &SymbolId| all.get(*id).place.is_some_and(is);
        let counts = counts(flow.program);
        let ops = (0u32..).zip(&flow.program.ops);
        let ops = ops.filter(|(_, op)| matches!(op, Op::Place(a) if is(*a)));
        let ops = ops.filter(|(i, _)| !counts.contains(i));
        Self {
            symbols: all.ids().filter(place).collect(),
            ops: ops.map(|o| o.0).collect(),
            still,
        }
    }

    /// Whether a change takes elsewhere what stands where it is.
    pub fn takes_away(&self, p: &Proposal) -> bool {
        let mut labels = p.edits.iter().flat_map(|e| &e.labels);
        labels.any(|l| self.still.contains(&l.1))
    }

    /// Where a change has brought together what was apart, or parted what was one.
    pub fn met(&self, flow: &Flow<'_, '_>, done: &Done<'_>) -> Vec<Met> {
        let mut all: Vec<Stands> = Vec::new();
        let old = |a: Anchor| flow.program.address(&flow.placed.layout, a);
        let new = |a: Anchor| done.program.address(&done.placed.layout, a);
        let own = |p: &Program<'_>, id: SymbolId| p.symbols.get(id).place;
        for &id in &self.symbols {
            if let (Some(a), Some(b)) = (own(flow.program, id), own(&done.program, id)) {
                all.push(Stands {
                    old: old(a),
                    new: new(b),
                    at: a,
                });
            }
        }
        for &i in &self.ops {
            let ops = (flow.program.ops[i as usize], done.program.ops[i as usize]);
            if let (Op::Place(a), Op::Place(b)) = ops {
                all.push(Stands {
                    old: old(a),
                    new: new(b),
                    at: a,
                });
            }
        }
        let mut met = Vec::new();
        let mut at: FxHashMap<u64, u64> = FxHashMap::default();
        all.sort_unstable_by_key(|s| (s.new, s.old));
        for s in &all {
            let first = *at.entry(s.new).or_insert(s.old);
            if first != s.old {
                met.push((first, s.old));
            }
        }
        let mut at: FxHashMap<(u32, u64), u64> = FxHashMap::default();
        for s in &all {
            if *at.entry((s.at.chunk, s.old)).or_insert(s.new) != s.new {
                met.push((s.old, s.old));
            }
        }
        met
    }
}

/// Operations of what room is counted by and of what the reading decided, as far as they are
/// no values of the program: those are looked at by themselves.
fn counts(program: &Program<'_>) -> FxHashSet<u32> {
    let symbols = program.symbols.ids().map(|id| program.symbols.get(id));
    let formulas = symbols.flat_map(|s| match s.meaning {
        Meaning::Expr(e) => [Some(e), s.formula],
        _ => [None, s.formula],
    });
    let choices = program.choices.values.iter().map(|v| v.1.expression());
    let values = program.values.iter().map(|v| Some(v.value));
    let all = formulas.chain(choices).chain(values).flatten();
    let used: FxHashSet<u32> = all.map(|e| e.start).collect();
    let items = program.chunks.iter().flat_map(|c| &c.items);
    let rooms = items.filter_map(|i| match i.what {
        What::Space { count, .. } => Some(count),
        _ => None,
    });
    let decided = program.asked.decided.iter().map(|d| d.value);
    let own = rooms.chain(decided).filter(|e| !used.contains(&e.start));
    own.flat_map(|e| e.start..e.start + e.len).collect()
}

/// Whether a change may be what brought places together, or parted them.
pub fn is_between(flow: &Flow<'_, '_>, p: &Proposal, met: &[Met]) -> bool {
    let address = |a: Anchor| flow.program.address(&flow.placed.layout, a);
    // A label of the change itself was nowhere.
    let all = &flow.program.symbols;
    let known = |id: SymbolId| (id.0 as usize) < all.len();
    let place = |id: SymbolId| all.get(id).place.map(address);
    p.edits.iter().any(|e| {
        let end = Anchor {
            item: e.at.item + e.removed,
            plus: 0,
            ..e.at
        };
        let (from, to) = (address(e.at), address(end));
        met.iter().any(|&(a, b)| match a == b {
            true => (from..=to).contains(&a),
            false => from < b && a < to,
        }) || e.labels.iter().filter(|l| known(l.1)).any(|l| {
            let was = place(l.1);
            met.iter().any(|m| was == Some(m.0) || was == Some(m.1))
        })
    })
}
