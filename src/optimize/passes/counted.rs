//! An instruction that counts and a jump on what it came to become one that does both, if the
//! machine has such: found by what it does, and tried with all values of what is counted.

use super::search::{Candidate, candidates};
use super::threads::{goal, reaches, span};
use crate::optimize::flow::{Book, Flow, Node};
use crate::optimize::step::{Draft, Proposal, Step, edit};
use crate::program::Field;
use crate::program::rewrite::NewItem;
use scrimp_isa::depend::Inputs;
use scrimp_isa::effects::{Effects, Way};
use scrimp_isa::memory::Numbers;
use scrimp_isa::semantics::Code;
use scrimp_isa::state::{Holds, place};
use scrimp_isa::{Concrete, Processor};

/// The pass.
pub const STEP: Step = Step {
    name: "counted",
    about: "an instruction that counts and a jump on that, in one",
    walked: false,
    find,
};

/// An instruction that counts and jumps.
struct Both {
    candidate: Candidate,
    bytes: Vec<u8>,
    /// The location that it counts in.
    counts: u8,
    times: (u8, u8),
}

fn find(flow: &Flow<'_, '_>) -> Draft {
    let mut draft = Draft::new(flow);
    let all = both(flow);
    if all.is_empty() {
        return draft;
    }
    for n in 0..flow.nodes.list.len() as u32 {
        let found = all.iter().find_map(|b| joined(flow, &mut draft, n, b));
        draft.proposals.extend(found);
    }
    draft
}

/// All instructions of the machine that change one byte of a register, look at nothing else, and
/// jump to a goal that they name.
fn both(flow: &Flow<'_, '_>) -> Vec<Both> {
    let any = |_: &str| true;
    let all = candidates(flow, &any).filter(|c| c.class.is_some());
    let all = all.filter_map(|c| {
        let bytes = c.bytes(flow)[..c.len].to_vec();
        let ways = flow.book.ways(&bytes, bytes.len(), 0)?;
        if ways.way != Some(Way::Jump) || !ways.falls_through || ways.slots > 0 {
            return None;
        }
        let facts = flow.book.facts(&bytes)?;
        let changes = changed(flow.book, &facts.effects)?;
        let counts = byte(flow.book, changes)?;
        let own = Inputs::one(counts);
        let alone = changes == own && looked(flow.book, &facts.effects) == own;
        alone.then(|| Both {
            candidate: c,
            bytes,
            counts,
            times: facts.times,
        })
    });
    all.collect()
}

/// What an instruction changes that only computes.
fn changed(book: &Book<'_>, e: &Effects) -> Option<Inputs> {
    let touches = e.reads_memory || e.writes_memory || e.reads_program || e.input || e.output;
    (!touches && !e.controls).then(|| steady(book, e.writes))
}

fn looked(book: &Book<'_>, e: &Effects) -> Inputs {
    steady(book, e.reads())
}

/// Registers and flags among these that do not change by themselves.
fn steady(book: &Book<'_>, all: Inputs) -> Inputs {
    let layout = book.semantics.layout();
    let registers = Inputs(all.0 & ((1 << place::OTHERS) - 1));
    registers.without(layout.of_cells(layout.quiet))
}

/// The location of these that is a byte of a register, if there is one and no more.
fn byte(book: &Book<'_>, of: Inputs) -> Option<u8> {
    let layout = book.semantics.layout();
    let mut bytes = layout
        .locations()
        .into_iter()
        .filter(|l| of.has(l.number) && l.bit.is_none());
    let first = bytes.next()?;
    let plain = matches!(layout.cells[usize::from(first.cell)].holds, Holds::Byte);
    (plain && bytes.next().is_none()).then_some(first.number)
}

/// One instruction in the place of a node and the jump behind it.
fn joined(flow: &Flow<'_, '_>, draft: &mut Draft, n: u32, both: &Both) -> Option<Proposal> {
    let book = flow.book;
    let nodes: Vec<u32> = flow.straight(n).take(2).collect();
    let &[_, last] = &nodes[..] else { return None };
    let (node, jump) = (flow.node(n), flow.node(last));
    let to = jump
        .to
        .filter(|_| jump.ways.way == Some(Way::Jump) && jump.ways.falls_through)?;
    let (a, b) = (node.facts.as_ref()?, jump.facts.as_ref()?);
    let (first, second) = (changed(book, &a.effects)?, changed(book, &b.effects)?);
    let counts = Inputs::one(both.counts);
    let asks = looked(book, &b.effects);
    let decided = asks.without(first).is_empty() && second.is_empty();
    // All that comes of it comes of what is counted.
    let of_it = |l: &u8| {
        let from = steady(book, a.effects.flows[usize::from(*l)]);
        from.without(counts).is_empty()
    };
    let mut results = (0..place::OTHERS).filter(|&l| asks.and(counts).has(l));
    let same = byte(book, first) == Some(both.counts) && results.all(|l| of_it(&l));
    let live = flow.live.after[last as usize];
    if !same || !decided || jump.ways.slots > 0 || live.0 & first.without(counts).0 != 0 {
        return None;
    }
    let class = both.candidate.class?;
    if !reaches(flow, class, n, to) || !alike(book, (node, jump), both) {
        return None;
    }
    let e = goal(flow, draft, jump, to);
    let item = NewItem::Instruction(
        both.candidate.form,
        both.candidate.word,
        vec![(Field::Class(class), e, span(flow, jump))],
    );
    let saves = i64::from(node.size + jump.size) - both.candidate.len as i64;
    let time = |i: fn((u8, u8)) -> u8| {
        i64::from(i(both.times)) - i64::from(i(a.times)) - i64::from(i(b.times))
    };
    let edits = vec![edit(node.at, 2, vec![item])];
    let mut p = Proposal::new(NAME, edits, saves, "tried with all values");
    p.time = Some((time(|t| t.0), time(|t| t.1)));
    p.facts = vec!["flags not read behind it".to_owned()];
    Some(p).filter(|p| p.saves > 0)
}

/// The rule.
const NAME: &str = "count and jump in one";

/// Whether both ways count alike and jump alike, whatever is counted.
fn alike(book: &Book<'_>, (node, jump): (&Node, &Node), both: &Both) -> bool {
    let layout = book.semantics.layout();
    let locations = layout.locations();
    let Some(cell) = locations
        .iter()
        .find(|l| l.number == both.counts)
        .map(|l| l.cell)
    else {
        return false;
    };
    let run = |codes: &[&[u8]], value: u8| {
        let mut p = Processor::new(Concrete, Numbers::new(Box::new(|_, at| at as u8)));
        for (n, c) in (0..).zip(layout.cells) {
            if matches!(c.holds, Holds::Byte | Holds::Flags(..)) {
                p.set_cell(n, 0x5a);
            }
        }
        p.set_cell(cell, value);
        for bytes in codes {
            p.went = None;
            book.semantics.numbers(Code { bytes, address: 0 }, &mut p)?;
        }
        Some((p.went == Some(true), p.cell(cell)))
    };
    (0..=255).all(|value| {
        let apart = run(&[node.code(), jump.code()], value);
        apart.is_some() && apart == run(&[&both.bytes], value)
    })
}
