//! What comes of the optimizer's work, and who may come to a program's labels.

use super::contract::Contracts;
use super::flow::{Book, Placed};
use super::ground::Ground;
use super::ledger::{self, Ledger};
use super::options::Options;
use super::source;
use super::work::State;
use crate::diagnostic::Diagnostic;
use crate::program::Program;
use crate::program::symbol::SymbolId;
use rustc_hash::FxHashSet;

/// What came of it.
pub struct Optimized<'p> {
    /// A smaller program, if there is one.
    pub program: Option<Program<'p>>,
    /// What was done.
    pub ledger: Ledger,
    /// What is wrong with contracts.
    pub findings: Vec<Diagnostic>,
    /// The changes as edits of the sources, where they are wanted.
    pub written: Option<source::Written>,
}

/// Says of a script what it begins with: the program, what stays, and what rooms end at.
pub fn begin_script(script: &mut ledger::Script, from: &str, ground: &Ground<'_>) {
    script.from = from.to_owned();
    let all = ground.fixed.soft.iter().chain(&ground.fixed.hard);
    script.fixed = all.map(|a| (a.chunk, a.item)).collect();
    let rooms = ground.held.iter().map(|h| (h.0.chunk, h.0.item, h.1));
    script.rooms = rooms.collect();
}

/// What came of a try in which nothing is broken.
pub fn finished<'p>(
    start: &Program<'p>,
    found: State<'p>,
    mut made: Ledger,
    book: &Book<'_>,
    options: &Options,
) -> Optimized<'p> {
    made.script.to = hash(&found.placed);
    let other = |s: &ledger::Script| s.to != made.script.to;
    if options.replay.as_ref().is_some_and(other) {
        return refused("the ledger does not fit: the bytes are others in the end");
    }
    let write = || source::write(start, &found, book);
    Optimized {
        written: options.write.then(write),
        program: Some(found.program),
        ledger: made,
        findings: Vec::new(),
    }
}

/// A number for all bytes of a program and where they lie.
pub fn hash(placed: &Placed) -> String {
    let mut hash = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58du128;
    let mut put = |bytes: &[u8]| {
        for b in bytes {
            // FNV-1a of 128 bits.
            hash = (hash ^ u128::from(*b)).wrapping_mul(0x0100_0000_0000_0000_013b);
        }
    };
    for (base, bytes) in placed.layout.base.iter().zip(&placed.bytes) {
        put(&base.to_le_bytes());
        put(&(bytes.len() as u64).to_le_bytes());
        put(bytes);
    }
    format!("{hash:032x}")
}

/// What was asked for cannot be done.
pub fn refused<'p>(why: &str) -> Optimized<'p> {
    let mut out = given_up("");
    out.ledger.broken = why.to_owned();
    out
}

/// Nothing was done.
pub fn given_up<'p>(why: &str) -> Optimized<'p> {
    Optimized {
        program: None,
        ledger: Ledger {
            schema: ledger::SCHEMA,
            given_up: why.to_owned(),
            ..Ledger::default()
        },
        findings: Vec::new(),
        written: None,
    }
}

pub fn entries(contracts: &Contracts) -> impl Iterator<Item = SymbolId> + '_ {
    let own = contracts.labels.iter();
    own.filter(|l| l.1.entry).map(|l| *l.0)
}

/// Labels that only the program itself uses, for the checker.
pub fn inner_labels(program: &Program<'_>, contracts: &Contracts) -> FxHashSet<SymbolId> {
    let mut inner = match contracts.closed {
        true => program.symbols.ids().collect(),
        false => crate::check::named(program),
    };
    for l in entries(contracts) {
        inner.remove(&l);
    }
    inner
}
