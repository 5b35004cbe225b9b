//! Flags that say that cells are 0: where an instruction leaves one set, what it wrote is 0.
//! Shown on the formulas of its meaning: such a flag is a product, and all bits of the cell
//! turned over are among its factors.

use rustc_hash::FxHashSet;
use scrimp_isa::depend::Inputs;
use scrimp_isa::memory::{Outside, TermMemory};
use scrimp_isa::semantics::Code;
use scrimp_isa::state::Holds;
use scrimp_isa::terms::{Arena, Node, Term};
use scrimp_isa::{Processor, Semantics};

/// A flag, and the cells that are 0 where it is set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Zero {
    /// The flag's location.
    pub flag: u8,
    /// The locations.
    pub cells: Inputs,
}

impl Zero {
    /// What is left of it behind an instruction that changes these.
    pub fn behind(self, writes: Inputs) -> Option<Self> {
        let cells = self.cells.without(writes);
        (!writes.has(self.flag) && !cells.is_empty()).then_some(Self { cells, ..self })
    }
}

/// What a flag says behind an instruction that changes it and cells; the first flag that says
/// something.
pub fn find(semantics: &dyn Semantics, code: Code<'_>, writes: Inputs) -> Option<Zero> {
    let layout = semantics.layout();
    let arena = Arena::default();
    let outside = Outside::default();
    let mut p = Processor::new(arena.terms(), TermMemory::new(&outside));
    for (n, c) in (0..).zip(layout.cells) {
        if matches!(c.holds, Holds::Byte | Holds::Flags(..)) {
            p.set_cell(n, arena.fresh());
        }
    }
    semantics.terms(code, &mut p)?;
    let locations = layout.locations();
    let written = || locations.iter().filter(|l| writes.has(l.number));
    let cells: Vec<(u8, [Term; 8])> = written()
        .filter(|l| l.bit.is_none())
        .map(|l| (l.number, p.cell(l.cell)))
        .collect();
    let mut flags = written().filter_map(|l| Some((l.number, p.bit(l.cell, l.bit?))));
    flags.find_map(|(flag, term)| {
        let factors = factors(&arena, term);
        let is_zero = |bits: &[Term; 8]| {
            let not = |t: &Term| *t == Term::FALSE || factors.contains(&t.inverse());
            bits.iter().all(not)
        };
        let own = cells.iter().filter(|c| is_zero(&c.1));
        let cells = own.fold(Inputs::NONE, |all, c| all.and(Inputs::one(c.0)));
        (!cells.is_empty()).then_some(Zero { flag, cells })
    })
}

/// The factors of a product, and theirs.
fn factors(arena: &Arena, term: Term) -> FxHashSet<Term> {
    let mut out = FxHashSet::default();
    let mut open = vec![term];
    while let Some(t) = open.pop() {
        if !out.insert(t) || t.is_inverted() {
            continue;
        }
        if let Node::Both(a, b) = arena.node(t.node()) {
            open.extend([a, b]);
        }
    }
    out
}
