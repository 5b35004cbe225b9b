//! What instructions take back: short sequences behind which a location is what it was before
//! them, though they change it (a number is taken away and added again). Proven by formulas
//! or a solver, whatever stands in registers and for all constants.

use super::build::Nodes;
use super::facts::Book;
use super::node::{Kind, Node};
use rustc_hash::FxHashMap;
use scrimp_isa::depend::Inputs;
use scrimp_isa::rules::{Constant, Instruction, Rule, prove_within};
use scrimp_isa::state::Location;

/// Instructions of a sequence, at most.
pub const LONG: usize = 4;
/// Clauses that the solver may learn.
const CLAUSES: u64 = 4000;
/// States from which a sequence is run before it is worth a proof.
const SEEDS: u64 = 4;

/// Sequences that end by a node, by their first node: the last one, and what is as it was.
pub type Undone = FxHashMap<u32, (u32, Inputs)>;

/// All of them in a program.
pub fn find(nodes: &Nodes, book: &Book<'_>) -> Undone {
    let mut out = Undone::default();
    for n in 0..nodes.list.len() as u32 {
        let changed = counts(&nodes.list[n as usize]);
        if changed.is_empty() {
            continue;
        }
        let mut all = vec![n];
        while all.len() < LONG {
            let Some(before) = before(nodes, all[0]) else {
                break;
            };
            all.insert(0, before);
            let own: Vec<&Node> = all.iter().map(|&x| &nodes.list[x as usize]).collect();
            let same = taken_back(&own, changed, book);
            if !same.is_empty() {
                out.insert(before, (n, same));
                break;
            }
        }
    }
    out
}

/// Whether a node only computes, and does not touch memory, the stack pointer or devices.
pub(super) fn computes(node: &Node) -> bool {
    let plain = node.kind == Kind::Code && node.ways.way.is_none() && !node.other;
    let facts = node.facts.as_ref().filter(|_| plain);
    facts.is_some_and(|f| {
        let e = &f.effects;
        let outside = e.input || e.output || e.controls;
        f.lift == Some(0) && !e.reads_memory && !e.writes_memory && !outside
    })
}

/// Registers that an instruction changes by something else, where that is all that it does.
fn counts(node: &Node) -> Inputs {
    let facts = node.facts.as_ref().filter(|_| computes(node));
    facts.map_or(Inputs::NONE, |f| f.counts)
}

/// The node that control comes from to another, and from no other.
fn before(nodes: &Nodes, n: u32) -> Option<u32> {
    let b = n.checked_sub(1)?;
    let (node, next) = (&nodes.list[b as usize], &nodes.list[n as usize]);
    let only = !next.is_reached() && node.next == Some(n) && node.ways.falls_through;
    (only && computes(node)).then_some(b)
}

/// Those of some registers that a sequence leaves as they were.
fn taken_back(list: &[&Node], changed: Inputs, book: &Book<'_>) -> Inputs {
    let key: Vec<u8> = list.iter().flat_map(|n| n.code()).copied().collect();
    book.undone.get(&key, || proven(list, changed, book))
}

/// The same, found anew.
fn proven(list: &[&Node], changed: Inputs, book: &Book<'_>) -> Inputs {
    let layout = book.semantics.layout();
    let own = |l: &Location| l.bit.is_none() && changed.has(l.number);
    let mut same: Vec<Location> = layout.locations().into_iter().filter(own).collect();
    for seed in 0..SEEDS {
        let start = book.cells(seed);
        let mut cells = start.clone();
        for node in list {
            let Some(p) = book.after(node.code(), &cells) else {
                return Inputs::NONE;
            };
            cells = (0..layout.cells.len() as u8).map(|c| p.cell(c)).collect();
        }
        same.retain(|l| cells[usize::from(l.cell)] == start[usize::from(l.cell)]);
        if same.is_empty() {
            return Inputs::NONE;
        }
    }
    let proven = prove_within(book.semantics, &claim(list, &same, book), CLAUSES).is_ok();
    let all = same.iter().filter(|_| proven);
    all.fold(Inputs::NONE, |all, l| all.and(Inputs::one(l.number)))
}

/// That a sequence does nothing to some registers.
fn claim(list: &[&Node], same: &[Location], book: &Book<'_>) -> Rule {
    let others = (0..).zip(book.semantics.layout().cells);
    let others = others.filter(|(n, c)| !c.name.is_empty() && same.iter().all(|l| l.cell != *n));
    Rule {
        name: "what is taken back".to_owned(),
        from: (0..).zip(list).map(|(i, n)| instruction(i, n)).collect(),
        to: Vec::new(),
        dead: others.map(|(_, c)| c.name.to_owned()).collect(),
        assumed: Vec::new(),
        pointed: 0..=0xffff,
        plain: false,
        own: false,
        turned: None,
    }
}

/// An instruction whose constant may be any: it may be an address, and that may move.
fn instruction(number: usize, node: &Node) -> Instruction {
    let width = node.operands.iter().map(|o| o.width).max();
    let name = |half: &str| Constant::Variable(format!("{number}{half}"));
    let constants = width.map(|w| match w > 8 {
        true => [name("low"), name("high")],
        false => [name("low"), Constant::Number(0)],
    });
    Instruction {
        text: String::new(),
        bytes: node.code().to_vec(),
        constants,
    }
}
