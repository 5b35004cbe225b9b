//! Programs whose jumps have a slot: what is done with them keeps each word of each way at its
//! clock, and the checker walks all that was made. Parts stay where they are while the passes work;
//! in the end those that the source leaves to the assembler are placed anew, if nothing speaks
//! against that.

use super::attach;
use super::ending::{Optimized, begin_script, finished, given_up, hash, inner_labels, refused};
use super::flow::{self, Book, Kept, Placed};
use super::ground::Ground;
use super::guard::Guards;
use super::level::Levels;
use super::options::Options;
use super::places::Fixed;
use super::work::{State, Work};
use crate::check::{Checker, Given, Said, Used};
use crate::program::symbol::SymbolId;
use crate::program::{Needed, Program, Value};
use crate::text::source::SourceId;
use rustc_hash::FxHashSet;
use scrimp_isa::Semantics;
use scrimp_isa::memo::processor;
use std::cell::RefCell;
use std::rc::Rc;

/// Optimizes a program whose jumps have a slot.
pub fn optimized<'p>(
    mut start: Program<'p>,
    placed: &Placed,
    semantics: &dyn Semantics,
    (options, file): (&Options, Option<SourceId>),
) -> Optimized<'p> {
    let processor = processor(start.target, start.machine);
    let book = Book::new(semantics, &processor, 0..=0xffff);
    let nodes = flow::nodes_of(&start, placed, &book);
    let how = (semantics.layout(), semantics.unit());
    let (mut contracts, findings) =
        attach::attach(&start, placed, &nodes, how, &options.contracts, file);
    if !findings.is_empty() {
        return Optimized {
            findings,
            ..given_up("its contracts are wrong")
        };
    }
    for line in &options.wanted.still {
        contracts.lines.entry(*line).or_default().keep = true;
    }
    let from = hash(placed);
    if options.replay.as_ref().is_some_and(|s| s.from != from) {
        return refused("the ledger does not fit: the program was another");
    }
    let inner = inner_labels(&start, &contracts);
    let bases: Vec<Option<u64>> = start.chunks.iter().map(|c| c.base).collect();
    stay(&mut start, placed);
    let placed = Placed::of(&start);
    if placed.errors > 0 {
        return given_up("its parts cannot stay where they are");
    }
    let labels = start
        .symbols
        .ids()
        .filter(|&id| start.symbols.get(id).label);
    let open: FxHashSet<SymbolId> = labels.filter(|id| !inner.contains(id)).collect();
    let contracts = Rc::new(contracts);
    let ground = Ground {
        fixed: Fixed::default(),
        start,
        placed,
        guards: Guards::default(),
        held: Vec::new(),
        levels: Levels::default(),
    };
    let checker = RefCell::new(Checker::default());
    let work = Work {
        book: &book,
        options,
        kept: &Kept {
            open: Some(open),
            contracts: Rc::clone(&contracts),
            ..Kept::default()
        },
        inner: &inner,
        levels: &ground.levels,
        checker: &checker,
    };
    let (mut found, mut made) = work.run(ground.start.clone());
    made.contracts = contracts.list.clone();
    begin_script(&mut made.script, &from, &ground);
    if !made.broken.is_empty() {
        return Optimized {
            ledger: made,
            ..given_up("")
        };
    }
    if let Some(anew) = placed_anew(&ground, (&found, made.changes), &bases, (&inner, &checker)) {
        found.placed = Placed::of(&anew);
        found.program = anew;
    }
    if let Some(why) = decided(&ground, &found) {
        return given_up(why);
    }
    finished(&ground.start, found, made, &book, options)
}

/// Lets parts of code stay where they are.
fn stay(start: &mut Program<'_>, placed: &Placed) {
    let end = start.target.spaces().get(1).map_or(u64::MAX, |s| s.base);
    for (chunk, &base) in start.chunks.iter_mut().zip(&placed.layout.base) {
        if base < end {
            chunk.base = Some(base);
        }
    }
}

/// The program with its parts where the assembler puts them, if they take no more memory there and
/// the checker finds that it does the same.
fn placed_anew<'p>(
    ground: &Ground<'p>,
    (found, changes): (&State<'p>, usize),
    bases: &[Option<u64>],
    (inner, checker): (&FxHashSet<SymbolId>, &RefCell<Checker>),
) -> Option<Program<'p>> {
    let mut anew = found.program.clone();
    for (chunk, base) in anew.chunks.iter_mut().zip(bases) {
        chunk.base = *base;
    }
    // As it was.
    if changes == 0 {
        return Some(anew);
    }
    let placed = Placed::of(&anew);
    // Behind the first space nothing runs.
    let code = anew.target.spaces().get(1).map_or(u64::MAX, |s| s.base);
    let end = |p: &Placed| {
        let sizes = p.bytes.iter().map(|b| b.len() as u64);
        let ends = p.layout.base.iter().zip(sizes).filter(|e| *e.0 < code);
        ends.map(|(b, s)| b + s).max()
    };
    let given = Given {
        trusted: &|_| false,
        inner,
        said: &Said::default(),
        pages: false,
        uses: &|_, _| Used::Unknown,
    };
    let fits = placed.errors == 0 && end(&placed) <= end(&found.placed);
    let same = || {
        let mut checker = checker.borrow_mut();
        checker.check(&ground.start, &anew, &given).is_ok()
    };
    (fits && same()).then_some(anew)
}

/// Why what the reading decided by a number would be otherwise, if it would.
fn decided(ground: &Ground<'_>, found: &State<'_>) -> Option<&'static str> {
    let value =
        |p: &Program<'_>, placed: &Placed, v| p.value_of(v, &placed.layout, &placed.values).ok();
    let all = ground
        .start
        .asked
        .decided
        .iter()
        .zip(&found.program.asked.decided);
    let other = all.into_iter().any(|(x, y)| {
        let x = (
            x.what,
            value(&ground.start, &ground.placed, Value::Expr(x.value)),
        );
        let y = value(&found.program, &found.placed, Value::Expr(y.value));
        match x.0 {
            Needed::Truth => x.1.map(|v| v != 0) != y.map(|v| v != 0),
            _ => x.1 != y,
        }
    });
    other.then_some("a number by which the source decides would be another")
}
