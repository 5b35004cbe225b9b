//! What is done with memory around the stack pointer by way of other registers: instructions
//! that ask where it points, and those straight behind them, are run from several states.

use super::build::Nodes;
use super::facts::Book;
use super::node::{Kind, Node};
use rustc_hash::FxHashMap;
use scrimp_isa::depend::Inputs;
use scrimp_isa::effects::Way;

/// Instructions that are run before one that asks, at most, and behind it.
const BEFORE: usize = 10;
const BEHIND: usize = 20;
/// States that they are run from, each once more with the stack elsewhere.
const SEEDS: u8 = 3;
/// By so much.
const ELSEWHERE: u8 = 0x10;
/// Bytes of the stack that may be touched where it is not known which.
const ANY: i32 = 24;

/// What was found.
#[derive(Clone, Debug, Default)]
pub struct Looks {
    /// The byte that is put on the stack first lies so far above the stack pointer.
    pub first: i32,
    /// Of instructions that ask for the stack pointer how far from that memory is touched;
    /// nothing where they only ask.
    pub asks: FxHashMap<u32, Vec<i32>>,
    /// The same of what is written there.
    pub changes: FxHashMap<u32, Vec<i32>>,
    /// Instructions that look below the stack pointer, or take back what lies there.
    pub below: Vec<u32>,
}

/// One step from all states: addresses that are touched, and the stack pointer behind it.
struct Step {
    touched: Vec<Vec<i32>>,
    written: Vec<Vec<i32>>,
    pointers: Vec<i32>,
}

/// All such instructions.
pub fn find(nodes: &Nodes, book: &Book<'_>) -> Looks {
    let stack = book.stack();
    let mut out = Looks::default();
    let all = || (0u32..).zip(&nodes.list).filter(|n| n.1.kind == Kind::Code);
    let Some(first) = all().find_map(|(_, n)| first(n, book)) else {
        return out;
    };
    out.first = first;
    for (n, node) in all() {
        if asks(node, stack) {
            run(nodes, book, n, &mut out);
        }
    }
    out.below.sort_unstable();
    out.below.dedup();
    out
}

/// Whether an instruction brings the stack pointer into another register.
fn asks(node: &Node, stack: Inputs) -> bool {
    let Some(facts) = node.facts.as_ref().filter(|_| node.ways.way.is_none()) else {
        return false;
    };
    let e = &facts.effects;
    let from = |w: u8| e.flows[usize::from(w)].0 & stack.0 != 0 && !facts.pointers.has(w);
    let by_value = facts.pointers.0 & stack.0 == 0;
    by_value && e.writes.without(stack).iter().any(from)
}

/// Where the first byte goes that an instruction puts on the stack.
fn first(node: &Node, book: &Book<'_>) -> Option<i32> {
    let facts = node.facts.as_ref()?;
    let puts = facts.effects.writes_memory && facts.lift.is_some_and(|l| l < 0);
    let cells = cells(book, 0);
    let (sp, p) = (pointer(book, &cells), book.after(node.code(), &cells)?);
    let written = p.memory.written.iter().map(|w| w.1 as i32 - sp);
    written.max().filter(|_| puts)
}

fn cells(book: &Book<'_>, seed: u8) -> Vec<u8> {
    cells_at(book, seed, 0)
}

fn cells_at(book: &Book<'_>, seed: u8, more: u8) -> Vec<u8> {
    let layout = book.semantics.layout();
    let number = |c: u8| {
        let own = c.wrapping_mul(59).wrapping_add(seed.wrapping_mul(77));
        own.wrapping_add(11)
    };
    let mut cells: Vec<u8> = (0..layout.cells.len() as u8).map(number).collect();
    // What is read must be memory, of small devices too.
    for (&c, at) in layout.stack.iter().zip([0x20 + 9 * seed + more, 1]) {
        cells[usize::from(c)] = at;
    }
    cells
}

fn pointer(book: &Book<'_>, cells: &[u8]) -> i32 {
    let all = book.semantics.layout().stack.iter().rev();
    all.fold(0, |at, &c| at << 8 | i32::from(cells[usize::from(c)]))
}

/// Runs what stands around an instruction that asks.
fn run(nodes: &Nodes, book: &Book<'_>, n: u32, out: &mut Looks) {
    let stack = book.stack();
    let straight = |x: u32| {
        let node = &nodes.list[x as usize];
        node.kind == Kind::Code && node.ways.way.is_none() && node.ways.falls_through
    };
    let mut start = n;
    for _ in 0..BEFORE {
        let goes = |&b: &u32| {
            let node = &nodes.list[b as usize];
            let jumps = node.ways.way == Some(Way::Jump) && !node.ways.falls_through;
            straight(b) && node.next == Some(start) || jumps && node.to == Some(start)
        };
        match start.checked_sub(1).filter(goes) {
            Some(b) => start = b,
            None => break,
        }
    }
    let elsewhere = (0..SEEDS).map(|s| cells_at(book, s, ELSEWHERE));
    let mut elsewhere: Vec<Vec<u8>> = elsewhere.collect();
    let mut states: Vec<Vec<u8>> = (0..SEEDS).map(|s| cells(book, s)).collect();
    let mut asked: Option<Vec<i32>> = None;
    let (mut found, mut changes) = (Vec::new(), Vec::new());
    let mut next = Some(start);
    for _ in 0..BEFORE + BEHIND {
        let Some(x) = next else { break };
        let node = &nodes.list[x as usize];
        let Some(facts) = node.facts.as_ref().filter(|_| node.kind == Kind::Code) else {
            break;
        };
        let before: Vec<i32> = states.iter().map(|s| pointer(book, s)).collect();
        if x == n {
            asked = Some(before.clone());
        }
        let (Some(step), Some(other)) = (
            step(node, book, &mut states),
            step(node, book, &mut elsewhere),
        ) else {
            break;
        };
        let own = facts.pointers.without(stack).is_empty();
        if let Some(asked) = asked.as_ref().filter(|_| !own) {
            found.extend(same(&step.touched, asked));
            changes.extend(same(&step.written, asked));
            if unknown(&step, &other, asked) {
                let first = out.first + 1;
                found.extend(first..first + ANY);
                changes.extend(first..first + ANY);
            }
            let now = same(&step.touched, &before);
            out.below
                .extend(now.iter().any(|&d| d <= out.first).then_some(x));
        }
        let moved = step.pointers.iter().zip(&before).map(|(a, b)| a - b);
        let moved: Vec<i32> = moved.collect();
        let lowers = moved[0] < 0 && moved.iter().all(|&m| m == moved[0]);
        if lowers && facts.lift.is_none() && !facts.effects.writes_memory {
            out.below.push(x);
        }
        next = match node.ways.way {
            None => node.next,
            // A jump that is always made goes on elsewhere.
            Some(Way::Jump) if !node.ways.falls_through => node.to,
            Some(_) => break,
        };
    }
    out.asks.entry(n).or_default().extend(found);
    out.changes.entry(n).or_default().extend(changes);
}

/// Runs one instruction from all states.
fn step(node: &Node, book: &Book<'_>, states: &mut [Vec<u8>]) -> Option<Step> {
    let mut step = Step {
        touched: Vec::new(),
        written: Vec::new(),
        pointers: Vec::new(),
    };
    for state in states {
        let (p, read) = book.read(node.code(), state, None)?;
        let written = p.memory.written.iter().map(|w| w.1 as i32);
        let written: Vec<i32> = written.collect();
        let all = read.into_iter().map(|a| a as i32).chain(written.clone());
        step.touched.push(all.collect());
        step.written.push(written);
        for (c, cell) in (0..).zip(state.iter_mut()) {
            *cell = p.cell(c);
        }
        step.pointers.push(pointer(book, state));
    }
    Some(step)
}

/// Whether what is touched follows the stack pointer from one state only, at a distance that
/// hangs on other registers.
fn unknown(step: &Step, other: &Step, asked: &[i32]) -> bool {
    let same = same(&step.touched, asked);
    let mut all = step.touched.iter().zip(&other.touched).zip(asked);
    all.any(|((here, there), &at)| {
        let mut both = here.iter().zip(there);
        both.any(|(a, b)| {
            let follows = b - a == i32::from(ELSEWHERE);
            follows && !same.contains(&i32::from((a - at) as i16))
        })
    })
}

/// Distances from pointers that are the same from all states.
fn same(touched: &[Vec<i32>], from: &[i32]) -> Vec<i32> {
    let mut all = touched.iter().zip(from);
    let distances = |(list, &at): (&Vec<i32>, &i32)| -> Vec<i32> {
        list.iter().map(|a| i32::from((a - at) as i16)).collect()
    };
    let Some(mut own) = all.next().map(distances) else {
        return Vec::new();
    };
    for other in all.map(distances) {
        own.retain(|d| other.contains(d));
    }
    own
}
