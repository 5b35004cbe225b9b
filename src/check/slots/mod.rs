//! Programs whose jumps have a slot: (old program, new program) to nothing, or what is in doubt.
//! The word behind a jump runs before that leads anywhere, so a place is two words: the one that
//! runs and the one that is fetched. Both programs run word by word beside each other, and so
//! take the same clocks on every way.
//!
//! A byte that is another in the new program may only be half of an address of code, and is
//! followed through registers and cells of memory to where control goes by it. It is taken for
//! granted that a store of which the page is not known misses such cells, that they are written
//! before control goes by them, and that halves of two addresses never become one.

mod deeds;
mod value;
mod walk;
mod words;

use super::doubt::{Doubt, Why, namesake};
use super::told::Given;
use crate::program::{Program, Value};
use deeds::Deeds;
use scrimp_isa::Semantics;
use walk::{Spot, Walk};
use words::Words;

/// Whether two programs do the same, word by word.
///
/// # Errors
/// What is in doubt.
pub fn check(
    old: &Program<'_>,
    new: &Program<'_>,
    given: &Given<'_>,
    semantics: &dyn Semantics,
) -> Result<(), Vec<Doubt>> {
    let unknown = |what| Err(vec![Doubt::unknown(what)]);
    if semantics.slots() != 1 || semantics.unit() != words::UNIT {
        return unknown("jumps with more than one slot");
    }
    if old.asked.slices.is_some() {
        return unknown("blocks of time, for which room is found later");
    }
    let (a, b) = (Words::of(old), Words::of(new));
    if let Some(fault) = a.fault.or(b.fault) {
        return unknown(fault);
    }
    if a.data != b.data {
        return unknown("data that come or go");
    }
    let mut walk = Walk::new(&a, &b, Deeds::new(semantics));
    entries(&mut walk, (&a, &b), given)?;
    walk.run();
    match walk.doubts.is_empty() {
        true => Ok(()),
        false => Err(walk.doubts),
    }
}

/// Where control may come from outside, and what is promised of.
fn entries(
    walk: &mut Walk<'_, '_, '_>,
    (a, b): (&Words<'_, '_>, &Words<'_, '_>),
    given: &Given<'_>,
) -> Result<(), Vec<Doubt>> {
    let (old, new) = (a.program, b.program);
    // Where the processor begins.
    let start = old
        .target
        .spaces()
        .first()
        .map_or(0, |s| s.base / words::UNIT);
    let start = u16::try_from(start).unwrap_or(0);
    walk.enter(Spot::at(start, start));
    walk.enter(Spot::again(start, start));
    if let (Some(x), Some(y)) = (old.asked.entry, new.asked.entry) {
        let both = a.value(x.0).zip(b.value(y.0));
        let both = both.and_then(|(x, y)| Some((u16::try_from(x).ok()?, u16::try_from(y).ok()?)));
        if let Some((x, y)) = both {
            walk.enter(Spot::at(x, y));
        }
    }
    for id in old.symbols.ids() {
        let s = old.symbols.get(id);
        if !s.label || given.inner.contains(&id) {
            continue;
        }
        let other = namesake(old, new, id).and_then(|id| new.symbols.get(id).place);
        let both = s
            .place
            .and_then(|p| a.address(p))
            .zip(other.and_then(|p| b.address(p)));
        // A label behind the last word is of nothing.
        if let Some((x, y)) = both.filter(|x| a.get(x.0).is_some()) {
            walk.enter(Spot::at(x, y));
        }
    }
    let (promises, others) = (&old.asked.contracts, &new.asked.contracts);
    let mut same = promises.len() == others.len();
    for (x, y) in promises.iter().zip(others) {
        same &= (x.kind, &x.words, x.values.len()) == (y.kind, &y.words, y.values.len());
        if let (Some(x), Some(y)) = (a.address(x.place), b.address(y.place)) {
            walk.enter(Spot::at(x, y));
        }
        for (v, w) in x.values.iter().zip(&y.values) {
            let place = |s: &Words<'_, '_>, v| match v {
                Value::Expr(e) | Value::Known(_, e) => s.place(e),
                Value::Number(_) => None,
            };
            match (place(a, v.0), place(b, w.0)) {
                (Some(x), Some(y)) => walk.enter(Spot::at(x, y)),
                _ => same &= a.value(v.0) == b.value(w.0),
            }
        }
    }
    match same {
        true => Ok(()),
        false => Err(vec![Doubt {
            why: Why::Value,
            ..Doubt::unknown("what is promised of clocks")
        }]),
    }
}
