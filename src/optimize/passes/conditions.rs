//! When conditional jumps, calls and returns go: tried with all values of the flags that
//! they look at.

use crate::optimize::flow::Book;
use scrimp_isa::memory::Numbers;
use scrimp_isa::semantics::Code;
use scrimp_isa::state::Holds;
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
            None => return false,
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

/// Whether an instruction, in all states in which it goes, does what another always does.
pub fn same_when_gone(book: &Book<'_>, a: Code<'_>, always: &[u8]) -> bool {
    let layout = book.semantics.layout();
    let always = Code {
        bytes: always,
        address: a.address,
    };
    let Some(facts) = book.facts(a.bytes) else {
        return false;
    };
    let mut gone = false;
    for state in 0u32..=255 {
        let mut cells: Vec<u8> = layout.cells.iter().map(|_| 0x5a).collect();
        for l in layout.locations() {
            if let Some(bit) = l.bit {
                let c = &mut cells[usize::from(l.cell)];
                *c = *c & !(1 << bit) | ((state >> bit & 1) as u8) << bit;
            }
        }
        let run = |code: Code<'_>| {
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
        };
        let (Some(x), Some(y)) = (run(a), run(always)) else {
            return false;
        };
        if x.0 {
            gone = true;
            if x != y {
                return false;
            }
        }
    }
    gone && facts.effects.branches
}
