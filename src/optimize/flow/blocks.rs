//! Instructions that are done again and again until they have moved or searched a block: how long
//! it is, where that is loaded right before.

use super::build::Nodes;
use super::facts::Book;
use super::node::{Kind, Node, Operand, Reason, Ref, within};
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

/// What is known before an instruction of what is loaded on the straight way to it; `now` what
/// addresses are as well, which may become others.
fn loaded(nodes: &Nodes, book: &Book<'_>, n: u32, now: bool) -> Option<Cells> {
    let layout = book.semantics.layout();
    let mut cells = vec![Byte::UNKNOWN; layout.cells.len()];
    for i in before(nodes, n) {
        let node = &nodes.list[i as usize];
        let known = values::run(book, node, &cells)?;
        // How far two are apart becomes no more.
        let stays = |o: &Operand| matches!(o.shape, Shape::Number | Shape::Difference(..));
        let moves = !now && !node.operands.iter().all(stays);
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
    Some(cells)
}

/// How often an instruction is done again and again, with what is loaded on the straight way to
/// it; nothing where that is not known.
fn length(nodes: &Nodes, book: &Book<'_>, n: u32) -> Option<u32> {
    let cells = loaded(nodes, book, n, false)?;
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
    let mut counts = states(book, known).map(|numbers| count(book, code, numbers));
    let first = counts.next()??;
    counts.all(|c| c == Some(first)).then_some(first)
}

/// Some states with what is known.
fn states<'b>(book: &'b Book<'_>, known: &'b Cells) -> impl Iterator<Item = Vec<u8>> + 'b {
    (0..SEEDS).map(move |seed| {
        let mut numbers = book.cells(seed);
        for (number, c) in numbers.iter_mut().zip(known) {
            *number = *number & !c.known | c.value & c.known;
        }
        numbers
    })
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

/// Blocks of known length that begin where an address is loaded right before: where that is, and
/// all addresses of which they are read.
pub fn reads(nodes: &Nodes, book: &Book<'_>) -> Vec<(u64, std::ops::Range<u64>)> {
    let mut all: Vec<_> = nodes.blocks.iter().map(|(&n, &b)| (n, b)).collect();
    all.sort_unstable();
    let own = |(n, bytes): (u32, u32)| {
        let code = nodes.list[n as usize].code();
        let known = loaded(nodes, book, n, true)?;
        let first_read = |numbers: Vec<u8>| book.read(code, &numbers, None)?.1.first().copied();
        let mut firsts = states(book, &known).map(first_read);
        let first = firsts.next()??;
        let same = firsts.all(|f| f == Some(first));
        let (at, bytes) = (u64::from(first), u64::from(bytes));
        let down = (at + 1).saturating_sub(bytes)..at + 1;
        let range = if book.ascends(code) {
            at..at + bytes
        } else {
            down
        };
        same.then_some((at, range))
    };
    all.into_iter().filter_map(own).collect()
}

/// Whether they still are as long as they were, now that more is seen of what is touched.
pub fn are_sure(nodes: &Nodes, book: &Book<'_>) -> bool {
    let mut all = nodes.blocks.iter();
    all.all(|(&n, &bytes)| length(nodes, book, n) == Some(bytes))
}
