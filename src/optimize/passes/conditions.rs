//! When conditional jumps, calls and returns go: tried with all values of the flags that
//! they look at.

use crate::optimize::flow::Book;
use scrimp_isa::circuit::Circuit;
use scrimp_isa::depend::{Depend, Inputs};
use scrimp_isa::effects;
use scrimp_isa::memory::{Numbers, Space};
use scrimp_isa::semantics::Code;
use scrimp_isa::state::{Holds, Location, place};
use scrimp_isa::{Concrete, Processor};

/// Whether an instruction goes elsewhere than on, with these cells.
fn goes(book: &Book<'_>, code: Code<'_>, cells: &[u8]) -> Option<bool> {
    let layout = book.semantics.layout();
    let memory = Numbers::new(Box::new(|_, at| at as u8));
    let mut p = Processor::new(Concrete, memory);
    for ((n, c), &v) in (0..).zip(layout.cells).zip(cells) {
        if matches!(c.holds, Holds::Byte | Holds::Flags(..)) {
            p.set_cell(n, v);
        }
    }
    book.semantics.numbers(code, &mut p)?;
    Some(p.went == Some(true))
}

/// Whether two instructions that only look at flags go alike in all states of these; with
/// `opposite` one where the other does not.
pub fn alike(book: &Book<'_>, a: Code<'_>, b: Code<'_>, opposite: bool) -> bool {
    let layout = book.semantics.layout();
    let (Some(fa), Some(fb)) = (book.facts(a.bytes), book.facts(b.bytes)) else {
        return false;
    };
    let looked = fa.effects.uses.and(fb.effects.uses).without(book.stack());
    // Cells of flags that decide; anything else that decides cannot be tried.
    let locations = layout.locations();
    let mut flags: Vec<(u8, u8)> = Vec::new();
    for l in locations.iter().filter(|l| looked.has(l.number)) {
        match l.bit {
            Some(bit) => flags.push((l.cell, bit)),
            None => return same_guard(book, a, b, opposite),
        }
    }
    if flags.is_empty() || flags.len() > 12 {
        return false;
    }
    (0u32..1 << flags.len()).all(|state| {
        let mut cells = vec![0x5au8; layout.cells.len()];
        for (i, &(cell, bit)) in flags.iter().enumerate() {
            let c = &mut cells[usize::from(cell)];
            *c = *c & !(1 << bit) | ((state >> i & 1) as u8) << bit;
        }
        match (goes(book, a, &cells), goes(book, b, &cells)) {
            (Some(x), Some(y)) => (x == y) != opposite,
            _ => false,
        }
    })
}

/// Whether two instructions go on one condition, made in the same way, or with `opposite` on
/// that and its opposite.
fn same_guard(book: &Book<'_>, a: Code<'_>, b: Code<'_>, opposite: bool) -> bool {
    let guard = |code: Code<'_>| {
        let mut p = effects::start(book.semantics.layout(), None);
        book.semantics.depend(code, &mut p)?;
        p.went.filter(|&g| Depend.certain(g).is_none())
    };
    let (Some(g), Some(h)) = (guard(a), guard(b)) else {
        return false;
    };
    g == if opposite { Depend.invert(h) } else { h }
}

/// Whether an instruction goes exactly where a flag is set (`true`) or where it is not;
/// nothing where something else decides.
pub fn decided_by(book: &Book<'_>, code: Code<'_>, flag: Location) -> Option<bool> {
    let facts = book.facts(code.bytes)?;
    let registers = Inputs((1 << place::OTHERS) - 1);
    let others = facts.effects.uses.without(book.stack());
    let bit = flag.bit?;
    if others.0 & registers.0 != Inputs::one(flag.number).0 {
        return None;
    }
    let goes = |set: bool| goes(book, code, &with(book, &[(flag.cell, bit, set)]));
    match (goes(false)?, goes(true)?) {
        (false, true) => Some(true),
        (true, false) => Some(false),
        _ => None,
    }
}

/// Cells in which some flags are as they are said to be.
fn with(book: &Book<'_>, flags: &[(u8, u8, bool)]) -> Vec<u8> {
    let mut cells = vec![0x5a; book.semantics.layout().cells.len()];
    for &(cell, bit, set) in flags {
        let c = &mut cells[usize::from(cell)];
        *c = *c & !(1 << bit) | u8::from(set) << bit;
    }
    cells
}

/// What an instruction came to: whether it went elsewhere, cells, the counter, and what it
/// wrote.
type Came = (bool, Vec<u8>, (u8, u16), Vec<(Space, u32, u8)>);

/// Runs an instruction where flags are the bits of a state.
fn run(book: &Book<'_>, code: Code<'_>, state: u32) -> Option<Came> {
    let layout = book.semantics.layout();
    let mut cells: Vec<u8> = layout.cells.iter().map(|_| 0x5a).collect();
    for l in layout.locations() {
        if let Some(bit) = l.bit {
            let c = &mut cells[usize::from(l.cell)];
            *c = *c & !(1 << bit) | ((state >> bit & 1) as u8) << bit;
        }
    }
    let memory = Numbers::new(Box::new(|_, at| (at >> 1) as u8));
    let mut p = Processor::new(Concrete, memory);
    for ((n, c), &v) in (0..).zip(layout.cells).zip(&cells) {
        if matches!(c.holds, Holds::Byte | Holds::Flags(..)) {
            p.set_cell(n, v);
        }
    }
    book.semantics.numbers(code, &mut p)?;
    let kept = (0..layout.cells.len() as u8).filter(|n| !layout.quiet.contains(n));
    let cells: Vec<u8> = kept.map(|n| p.cell(n)).collect();
    let went = p.went == Some(true);
    Some((went, cells, p.counter(), p.memory.written.clone()))
}

/// Whether an instruction, in all states in which it goes, does what another always does.
pub fn same_when_gone(book: &Book<'_>, a: Code<'_>, always: &[u8]) -> bool {
    let always = Code {
        bytes: always,
        address: a.address,
    };
    let branches = book.facts(a.bytes).is_some_and(|f| f.effects.branches);
    branches && same_where(book, a, always, &|x, _| x)
}

/// Whether two instructions do the same in all states in which both go.
pub fn same_where_both_go(book: &Book<'_>, a: Code<'_>, b: Code<'_>) -> bool {
    same_where(book, a, b, &|x, y| x && y)
}

/// Whether two instructions do the same in all states of some kind, by whether they go;
/// there is such a state.
fn same_where(
    book: &Book<'_>,
    a: Code<'_>,
    b: Code<'_>,
    kind: &dyn Fn(bool, bool) -> bool,
) -> bool {
    let mut any = false;
    for state in 0u32..=255 {
        let (Some(x), Some(y)) = (run(book, a, state), run(book, b, state)) else {
            return false;
        };
        if kind(x.0, y.0) {
            any = true;
            if x != y {
                return false;
            }
        }
    }
    any
}
