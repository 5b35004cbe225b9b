//! Instructions that are done again and again until they have moved or searched a block: how long
//! it is, where that is loaded right before.

use super::build::Nodes;
use super::facts::Book;
use super::node::{Kind, Node, Reason, Ref, within};
use super::shape::Shape;
use super::values::{self, Cells};
use rustc_hash::FxHashMap;
use scrimp_isa::effects::Way;
use scrimp_isa::known::Byte;

/// Instructions before one of these that are looked at.
const STRAIGHT: usize = 8;
/// Bytes of a block that are counted.
const MOST: u32 = 0x4000;
/// States of what is not known in which it is counted.
const SEEDS: u64 = 3;

/// How often an instruction is done again and again, with what is loaded on the straight way to
/// it; nothing where that is not known.
fn length(nodes: &Nodes, book: &Book<'_>, n: u32) -> Option<u32> {
    let layout = book.semantics.layout();
    let mut cells = vec![Byte::UNKNOWN; layout.cells.len()];
    for i in before(nodes, n) {
        let node = &nodes.list[i as usize];
        let known = values::run(book, node, &cells)?;
        // What an address is may become another.
        let moves = node.operands.iter().any(|o| o.shape != Shape::Number);
        let writes = node.facts.as_ref()?.effects.writes;
        cells = known;
        for l in layout
            .locations()
            .iter()
            .filter(|l| moves && writes.has(l.number))
        {
            cells[usize::from(l.cell)] = Byte::UNKNOWN;
        }
    }
    let key = (nodes.list[n as usize].code().to_vec(), cells);
    if let Some(&known) = book.counts.borrow().get(&key) {
        return known;
    }
    let found = counted(book, &key.0, &key.1);
    book.counts.borrow_mut().insert(key, found);
    found
}

/// How often an instruction is done whatever is not known.
fn counted(book: &Book<'_>, code: &[u8], known: &Cells) -> Option<u32> {
    let mut counts = (0..SEEDS).map(|seed| {
        let mut numbers = book.cells(seed);
        for (number, c) in numbers.iter_mut().zip(known) {
            *number = *number & !c.known | c.value & c.known;
        }
        count(book, code, numbers)
    });
    let first = counts.next()??;
    counts.all(|c| c == Some(first)).then_some(first)
}

/// How often an instruction is done from a state on.
fn count(book: &Book<'_>, code: &[u8], mut cells: Vec<u8>) -> Option<u32> {
    for done in 1..=MOST {
        // With other bytes in each place: one alone might be what is searched for.
        let (p, _) = book.read(code, &cells, None)?;
        if p.went != Some(true) {
            return Some(done);
        }
        for (n, c) in (0..).zip(&mut cells) {
            *c = p.cell(n);
        }
    }
    None
}

/// The nodes on the straight way to one, the first one first: nobody comes in between.
fn before(nodes: &Nodes, n: u32) -> std::ops::Range<u32> {
    let mut first = n;
    for _ in 0..STRAIGHT {
        let Some(b) = first.checked_sub(1) else { break };
        let node = &nodes.list[b as usize];
        let straight =
            node.kind == Kind::Code && node.next == Some(first) && node.ways.way.is_none();
        if !straight || comes_in(&nodes.list[first as usize], n, first) || is_touched(node) {
            break;
        }
        first = b;
    }
    first..n
}

/// Whether control comes to a node otherwise than from the one before and, of the block itself,
/// from itself.
fn comes_in(node: &Node, n: u32, own: u32) -> bool {
    let itself = |r: &Ref| own == n && matches!(r, Ref::Jump(j) if *j == n);
    node.entry || !node.refs.iter().all(itself)
}

/// Whether something else than control may be at a node.
fn is_touched(node: &Node) -> bool {
    let named = node
        .refs
        .iter()
        .any(|r| matches!(r, Ref::Value(_) | Ref::Other));
    let pins = [Reason::Modified, Reason::Overlapped, Reason::Read];
    named || node.other || node.pin.is_some_and(|p| pins.contains(&p))
}

/// Whether a node is done again and again by itself.
fn repeats(node: &Node, n: u32) -> bool {
    node.kind == Kind::Code && node.ways.way == Some(Way::Jump) && within(node).any(|x| x == n)
}

/// Of all instructions that move or search blocks of which it is known how long they are at most,
/// that.
pub fn find(nodes: &Nodes, book: &Book<'_>) -> FxHashMap<u32, u32> {
    let all = (0u32..).zip(&nodes.list);
    let own =
        all.filter(|&(n, x)| repeats(x, n) && (book.ascends(x.code()) || book.descends(x.code())));
    own.filter_map(|(n, _)| Some((n, length(nodes, book, n)?)))
        .collect()
}

/// Whether they still are as long as they were, now that more is seen of what is touched.
pub fn are_sure(nodes: &Nodes, book: &Book<'_>) -> bool {
    let mut all = nodes.blocks.iter();
    all.all(|(&n, &bytes)| length(nodes, book, n) == Some(bytes))
}
