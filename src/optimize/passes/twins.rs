//! Words that stand twice where the word behind a jump runs before that leads anywhere: who goes to
//! one of two equal sequences goes to the other, and the first goes. No word comes to another
//! clock by that: nothing is put in, and each sequence begins with a label and ends with a jump and
//! its slot.

use crate::optimize::flow::{Flow, Kind, Node, Shape};
use crate::optimize::step::{Draft, Proposal, edit};
use crate::program::eval::Op;
use crate::program::item::{What, whole};
use crate::program::rewrite::{Edit, NewItem};
use crate::program::symbol::{Anchor, ExprId, SymbolId};
use crate::program::{Field, Value};
use rustc_hash::{FxHashMap, FxHashSet};
use scrimp_isa::Base;

/// Most words of a sequence.
const MOST: u32 = 128;

/// What a word is, wherever it stands.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Word {
    /// These bytes, with the places of other words that they name.
    Plain(Vec<u8>, Vec<Anchor>),
    /// An instruction of a form, with fixed bits, that names a place of the sequence: which half of
    /// its address, if it is one, and what is added.
    Inner(u16, u64, u32, Option<bool>, i64),
}

/// A sequence: its first node, and how many.
#[derive(Clone, Copy, Debug)]
struct Block {
    first: u32,
    count: u32,
}

impl Block {
    fn has(&self, n: u32) -> bool {
        (self.first..self.first + self.count).contains(&n)
    }
}

/// Who names nodes: the items, by node.
type Named = FxHashMap<u32, FxHashSet<u32>>;

/// Sequences that stand twice.
pub fn find(flow: &Flow<'_, '_>) -> Draft {
    let mut draft = Draft::new(flow);
    let mut groups: FxHashMap<Vec<Word>, Vec<Block>> = FxHashMap::default();
    for n in 0..flow.nodes.list.len() as u32 {
        if !flow.node(n).labels.is_empty()
            && let Some(block) = block(flow, n)
            && let Some(words) = words(flow, block)
        {
            groups.entry(words).or_default().push(block);
        }
    }
    let mut groups: Vec<(Vec<Word>, Vec<Block>)> = groups.into_iter().collect();
    groups.retain(|g| g.1.len() > 1);
    if groups.is_empty() {
        return draft;
    }
    // The longest first.
    groups.sort_by_key(|g| (std::cmp::Reverse(g.0.len()), g.1[0].first));
    let named = named(flow);
    for (_, blocks) in groups {
        for (i, &gone) in blocks.iter().enumerate() {
            let others = blocks.iter().enumerate().filter(|o| o.0 != i);
            for (_, &stays) in others {
                if let Some(p) = share(flow, &mut draft, &named, (gone, stays)) {
                    draft.proposals.push(p);
                    break;
                }
            }
        }
    }
    draft
}

/// The sequence from a node on, up to a jump and its slot.
fn block(flow: &Flow<'_, '_>, first: u32) -> Option<Block> {
    let end = (flow.nodes.list.len() as u32).min(first + MOST);
    for n in first..end.checked_sub(1)? {
        let node = flow.node(n);
        if node.kind != Kind::Code || n > first && !flow.adjoins(n - 1, n) {
            return None;
        }
        if node.ways.way.is_some() && !node.ways.falls_through {
            let slot = flow.node(n + 1);
            let whole = slot.kind == Kind::Code && flow.adjoins(n, n + 1);
            // A jump in the slot of another goes on from there.
            return (whole && slot.ways.way.is_none()).then_some(Block {
                first,
                count: n + 2 - first,
            });
        }
    }
    None
}

/// What a sequence is, wherever it stands.
fn words(flow: &Flow<'_, '_>, block: Block) -> Option<Vec<Word>> {
    let all = block.first..block.first + block.count;
    all.map(|n| word(flow, block, flow.node(n))).collect()
}

fn word(flow: &Flow<'_, '_>, block: Block, node: &Node) -> Option<Word> {
    let inner = |a: Anchor| flow.nodes.of(a).filter(|&n| block.has(n));
    let places = node.operands.iter().flat_map(|o| o.shape.places());
    let places: Vec<Anchor> = places.collect();
    if !places.iter().any(|&a| inner(a).is_some()) {
        return Some(Word::Plain(node.code().to_vec(), places));
    }
    let [o] = node.operands.as_slice() else {
        return None;
    };
    let (place, half, plus) = match o.shape {
        Shape::Address(a, plus) => (a, None, plus),
        Shape::Half(a, plus, high) => (a, Some(high), plus),
        _ => return None,
    };
    let What::Instruction { form, word, .. } = flow.program.item(node.at)?.what else {
        return None;
    };
    let at = inner(place).filter(|_| place.plus == 0)? - block.first;
    Some(Word::Inner(form, whole(word), at, half, plus))
}

/// Who names what, in all of the program.
fn named(flow: &Flow<'_, '_>) -> Named {
    let mut out = Named::default();
    let mut note = |by: u32, e: ExprId| {
        for a in crate::optimize::flow::shape(flow.program, e).places() {
            if let Some(n) = flow.nodes.of(a) {
                out.entry(n).or_default().insert(by);
            }
        }
    };
    for (n, node) in (0..).zip(&flow.nodes.list) {
        for v in flow.program.operands_of(node.at) {
            note(n, v.value);
        }
    }
    // What is said elsewhere is of no item.
    let promises = flow.program.asked.contracts.iter();
    let entry = flow.program.asked.entry.iter().map(|e| e.0);
    let values = promises.clone().flat_map(|c| c.values.iter().map(|v| v.0));
    for v in values.chain(entry) {
        if let Value::Expr(e) | Value::Known(_, e) = v {
            note(u32::MAX, e);
        }
    }
    for c in promises {
        if let Some(n) = flow.nodes.of(c.place) {
            out.entry(n).or_default().insert(u32::MAX);
        }
    }
    out
}

/// Lets who goes to a sequence go to another, and takes the first away, if that can be.
fn share(
    flow: &Flow<'_, '_>,
    draft: &mut Draft,
    named: &Named,
    (gone, stays): (Block, Block),
) -> Option<Proposal> {
    let all = gone.first..gone.first + gone.count;
    let overlap = all.clone().any(|n| stays.has(n));
    if overlap || falls_into(flow, gone.first) {
        return None;
    }
    let open = &flow.slotted.as_ref()?.open;
    for n in all.clone() {
        let node = flow.node(n);
        let outside = named
            .get(&n)
            .is_some_and(|by| by.iter().any(|&b| !gone.has(b)));
        if !node.is_free()
            || node.labels.iter().any(|l| open.contains(l))
            || n > gone.first && outside
        {
            return None;
        }
    }
    let label = *flow.node(stays.first).labels.first()?;
    let by = named.get(&gone.first).cloned().unwrap_or_default();
    let mut by: Vec<u32> = by.into_iter().filter(|&n| !gone.has(n)).collect();
    by.sort_unstable();
    let mut edits = Vec::new();
    for n in by {
        edits.push(led(flow, draft, n, (gone.first, stays.first, label))?);
    }
    let size: i64 = all.map(|n| i64::from(flow.node(n).size)).sum();
    edits.push(edit(flow.node(gone.first).at, gone.count, Vec::new()));
    let mut p = Proposal::new("words that stand twice", edits, size, "flow");
    p.rests_on = (stays.first..stays.first + stays.count).collect();
    p.time = Some((0, 0));
    Some(p)
}

/// Whether control may come to a node from the one before.
fn falls_into(flow: &Flow<'_, '_>, n: u32) -> bool {
    let before = |n: u32| {
        let end = flow.node(n).address;
        let own = flow.nodes.places.partition_point(|p| p.0 < end);
        own.checked_sub(1).map(|i| flow.nodes.places[i].1)
    };
    let Some(slot) = before(n) else {
        return false;
    };
    let jump = before(slot).map(|j| flow.node(j));
    let goes =
        jump.is_some_and(|j| j.kind == Kind::Code && j.ways.way.is_some() && !j.ways.falls_through);
    let plain = flow.node(slot).labels.is_empty() && flow.node(slot).kind == Kind::Code;
    !(goes && plain)
}

/// A word that named one place names another.
fn led(
    flow: &Flow<'_, '_>,
    draft: &mut Draft,
    n: u32,
    (gone, stays, label): (u32, u32, SymbolId),
) -> Option<Edit> {
    let program = flow.program;
    let node = flow.nodes.list.get(n as usize)?;
    let What::Instruction { form, word, .. } = program.item(node.at)?.what else {
        return None;
    };
    if node.kind != Kind::Code || !node.is_free() {
        return None;
    }
    let mut values = Vec::new();
    for v in program.operands_of(node.at) {
        let class = match v.field {
            Field::Class(c) | Field::Low(c) => c,
            Field::Data(_) => return None,
        };
        let spec = program.operands[usize::from(class)].value?;
        let page = matches!(spec.base, Base::Page { .. });
        let near = |a: u32, b: u32| {
            let (bits, unit) = program.page_shape()?;
            let page = |n: u32| flow.node(n).address / (unit << bits);
            Some(page(a) == page(b))
        };
        if page && near(gone, stays) != Some(true) {
            return None;
        }
        let ops = &program.ops[v.value.start as usize..(v.value.start + v.value.len) as usize];
        let place = |op: &Op| match *op {
            Op::Place(a) => Some(a),
            Op::Symbol(id) => {
                let s = program.symbols.get(program.symbols.resolve(id));
                s.place.filter(|_| s.label)
            }
            _ => None,
        };
        let is_gone =
            |op: &Op| place(op).is_some_and(|a| a.plus == 0 && flow.nodes.of(a) == Some(gone));
        // Only it, or one half of it.
        let alone = matches!(ops, [one] | [one, Op::Unary(_)] if is_gone(one));
        if !alone {
            return None;
        }
        let ops: Vec<Op> = ops
            .iter()
            .map(|op| if is_gone(op) { Op::Symbol(label) } else { *op })
            .collect();
        values.push((v.field, draft.expression(&ops), v.span));
    }
    let item = NewItem::Instruction(form, whole(word), values);
    Some(edit(node.at, 1, vec![item]))
}
