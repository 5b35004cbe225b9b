//! The checker of rewrites that move code about: (old program, new program) to nothing, or
//! what it doubts. It does not know how the new program was made, nor the passes that did it:
//! it lays out both, makes their bytes, and walks them side by side.
//!
//! What holds of both then: the same instructions run, on the same values, in the same order,
//! with jumps to known places and returns in between; registers, memory and ports are the
//! same, but for addresses of code, which are those of the same code, and what lies below the
//! stack pointer. It is taken for granted that what the program does not name it does not
//! read or write of its own code, that its time does not matter, and that memory below the
//! stack is free. Whatever else a rewrite needs is looked for, and missing it is a doubt.

pub mod beside;
mod data;
mod doubt;
mod given;
mod kept;
mod linked;
mod memories;
mod said;
mod same;
mod side;
mod slots;
mod stack;
mod told;
mod touched;
mod value;
mod vectors;
mod walk;

pub use doubt::{Doubt, Why};
pub use said::{Reach, Said};
pub use told::{Given, Used};

use crate::program::Program;
use crate::program::eval::Op;
use crate::program::symbol::{Anchor, Meaning, SymbolId};
use crate::program::{Value, symbol::ExprId};
use doubt::namesake;
use rustc_hash::{FxHashMap, FxHashSet};
use scrimp_isa::effects::Way;
use scrimp_isa::memo::processor;
use scrimp_isa::ways::Ways;
use side::{Book, Kind, Side};
use touched::Touched;
use walk::Walk;

/// Whether two programs do the same.
///
/// # Errors
/// What is in doubt: at most a hundred of it, or one in eight places of a large program.
pub fn check(old: &Program<'_>, new: &Program<'_>, given: &Given<'_>) -> Result<(), Vec<Doubt>> {
    Checker::default().check(old, new, given)
}

/// A checker of many pairs of programs for one processor: it keeps where control goes from
/// their instructions.
#[derive(Debug, Default)]
pub struct Checker {
    ways: Ways,
    /// Instructions of the old program of the last pair that did the same to which nothing
    /// leads that was followed: what became of them was not looked at.
    pub unmet: FxHashSet<Anchor>,
}

impl Checker {
    /// Whether two programs do the same.
    ///
    /// # Errors
    /// What is in doubt, as [`check`] tells it.
    pub fn check(
        &mut self,
        old: &Program<'_>,
        new: &Program<'_>,
        given: &Given<'_>,
    ) -> Result<(), Vec<Doubt>> {
        self.unmet = checked(old, new, given, &mut self.ways)?;
        Ok(())
    }
}

fn checked(
    old: &Program<'_>,
    new: &Program<'_>,
    given: &Given<'_>,
    ways: &mut Ways,
) -> Result<FxHashSet<Anchor>, Vec<Doubt>> {
    let unknown = |what| Err(vec![Doubt::unknown(what)]);
    let Some(semantics) = old.target.semantics(old.machine) else {
        return unknown("an instruction set without a meaning");
    };
    if old.has_foreign() || new.has_foreign() {
        return unknown("instructions of another processor");
    }
    if old.chunks.len() != new.chunks.len() {
        return unknown("parts that come or go");
    }
    if !old.changes.again.is_empty() {
        return unknown("instructions that stand elsewhere once more");
    }
    if semantics.slots() > 0 {
        let done = slots::check(old, new, given, semantics.as_ref());
        return done.map(|()| FxHashSet::default());
    }
    if !old.columns.grid.is_empty() {
        return unknown("tables in columns");
    }
    let mut book = Book::new(
        semantics.as_ref(),
        &processor(old.target, old.machine),
        ways,
    );
    let (mut a, mut b) = (Side::of(old, &mut book), Side::of(new, &mut book));
    memories::settle(&mut a);
    memories::settle(&mut b);
    if a.errors + b.errors > 0 {
        return unknown("a program with errors");
    }
    if a.overlaid || b.overlaid {
        return unknown("bytes that lie over others");
    }
    let unit = semantics.unit();
    let touched = [&a, &b].map(|s| Touched::of(s, unit, given));
    let mut walk = Walk::new((&a, &b), &book, [&touched[0], &touched[1]], given);
    data::pair(&mut walk);
    if walk.doubts.is_empty() {
        entries(&mut walk, given, unit);
        tables(&mut walk);
        data::values(&mut walk);
        walk.run();
    }
    match walk.doubts.is_empty() {
        true => Ok(walk.unmet()),
        false => Err(walk.doubts),
    }
}

/// Where control may come from outside.
fn entries(walk: &mut Walk<'_, '_, '_>, given: &Given<'_>, unit: u64) {
    let (a, b) = (walk.old, walk.new);
    for c in 0..a.program.chunks.len() {
        let first = |s: &Side<'_, '_>| {
            let own = s.starts[c] as usize..s.starts[c + 1] as usize;
            let code = s.places[own].iter().find(|p| p.kind == Kind::Code);
            code.map(|p| p.address)
        };
        if let (Some(x), Some(y)) = (first(a), first(b)) {
            walk.enter(x, y);
        }
    }
    for id in a.program.symbols.ids() {
        let s = a.program.symbols.get(id);
        // A label without a statement was made by a rewrite.
        if !s.label || s.span.is_none() || given.inner.contains(&id) {
            continue;
        }
        let other = namesake(a.program, b.program, id);
        let other = other.and_then(|id| b.program.symbols.get(id).place);
        let (Some(old), Some(new)) = (s.place, other) else {
            continue;
        };
        if let Some((n, 0)) = a.place_of(old)
            && a.get(n).kind == Kind::Code
        {
            walk.enter(a.get(n).address, b.program.address(&b.layout, new));
        }
    }
    // Where the processor goes by itself.
    for range in vectors::vectors(a, unit) {
        let own = a.places.iter().filter(|p| range.contains(&p.address));
        for p in own.filter(|p| p.kind == Kind::Code) {
            walk.enter(p.address, p.address);
        }
    }
    let entry = |s: &Side<'_, '_>| match s.program.asked.entry?.0 {
        Value::Number(n) | Value::Known(n, _) => Some(n),
        Value::Expr(e) => s.value(e),
    };
    match (entry(a), entry(b)) {
        (Some(x), Some(y)) => walk.enter(x as u64, y as u64),
        (None, None) => {}
        _ => walk.doubts.push(Doubt::unknown("where the program begins")),
    }
}

/// Jumps one behind the other from a label on, without labels: who counts from that comes to
/// each of them.
fn tables(walk: &mut Walk<'_, '_, '_>) {
    let (a, b) = (walk.old, walk.new);
    let labels: FxHashMap<u32, SymbolId> = a
        .program
        .symbols
        .ids()
        .filter_map(|id| {
            let s = a.program.symbols.get(id);
            let (n, within) = a.place_of(s.place.filter(|_| s.label)?)?;
            (within == 0).then_some((n, id))
        })
        .collect();
    let jumps = |side: &Side<'_, '_>, n: u32| {
        let p = side.get(n);
        let goes = p.ways.way == Some(Way::Jump) && !p.ways.falls_through;
        p.kind == Kind::Code && goes && p.ways.to.is_some()
    };
    let mut all: Vec<(u32, SymbolId)> = labels.iter().map(|(&n, &id)| (n, id)).collect();
    all.sort_unstable();
    for (n, id) in all.into_iter().filter(|&(n, _)| jumps(a, n)) {
        let other = namesake(a.program, b.program, id);
        let other = other.and_then(|id| b.place_of(b.program.symbols.get(id).place?));
        let Some((m, 0)) = other.filter(|&(m, _)| jumps(b, m)) else {
            continue;
        };
        let (mut n, mut m) = (n, m);
        while let (Some(x), Some(y)) = (a.next(n), b.next(m))
            && jumps(a, x)
            && jumps(b, y)
            && !labels.contains_key(&x)
        {
            walk.enter(a.get(n).address, b.get(m).address);
            walk.enter(a.get(x).address, b.get(y).address);
            (n, m) = (x, y);
        }
    }
}

/// The labels that something in a program names: all others may be used from outside.
pub fn named(program: &Program<'_>) -> FxHashSet<SymbolId> {
    let mut out = FxHashSet::default();
    let mut open: Vec<ExprId> = program.values.iter().map(|v| v.value).collect();
    open.extend(
        program
            .choices
            .values
            .iter()
            .filter_map(|v| v.1.expression()),
    );
    while let Some(e) = open.pop() {
        for op in &program.ops[e.start as usize..(e.start + e.len) as usize] {
            if let Op::Symbol(id) | Op::Sizeof(id) = *op {
                let id = program.symbols.resolve(id);
                if !out.insert(id) {
                    continue;
                }
                let s = program.symbols.get(id);
                match (s.meaning, s.formula) {
                    (Meaning::Expr(e), _) | (_, Some(e)) => open.push(e),
                    _ => {}
                }
            }
        }
    }
    out
}
