//! Smaller programs that do the same: from a program to a program and a ledger.
//!
//! Each pass looks at the flow of the placed program and proposes changes. Those that do
//! not touch each other are made, the program is placed again, and what they claim is
//! compared with what the placement says. Passes go round until nothing is saved.
//!
//! Where values or pages of addresses decide (guards), they must be what they were; else it
//! is done once more with what stands before such a place left as it is. Nothing here knows
//! an instruction by its name: flow, effects and proofs come from the target's one meaning.

mod apply;
mod attach;
pub mod contract;
pub mod flow;
mod guard;
mod holds;
pub mod ledger;
pub mod passes;
pub mod step;
mod unlock;
mod walked;

pub use ledger::{Ledger, Record, Refused};
use step::edit;
pub use step::{Draft, Proposal, Step};

use crate::diagnostic::Diagnostic;
use crate::program::Program;
use crate::program::eval::Op;
use crate::program::item::What;
use crate::program::rewrite::NewItem;
use crate::program::symbol::{Anchor, ExprId, SymbolId};
use crate::program::{Field, Value};
use crate::text::source::SourceId;
use apply::content;
use contract::Contracts;
use flow::{Book, Flow, Kept, Placed};
use guard::Guards;
use rustc_hash::FxHashSet;
use scrimp_isa::Semantics;
use std::rc::Rc;
use walked::walked;

/// Rounds through all passes, at most.
const MOST_ROUNDS: usize = 40;
/// Tables that are kept in their pages, at most.
const MOST_PADS: usize = 400;
/// So often it is done anew with more left as it is.
const MOST_TRIES: usize = 24;

/// What is done.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Only passes of these names, if there are any.
    pub only: Vec<String>,
    /// No passes of these names.
    pub without: Vec<String>,
    /// Only so many changes, the first ones: to find one that is wrong.
    pub most: Option<usize>,
    /// Contracts that stand outside of the sources.
    pub contracts: contract::Outside,
}

impl Options {
    /// Whether a pass is on.
    pub fn has(&self, pass: &str) -> bool {
        let named = |list: &[String]| list.iter().any(|n| n == pass);
        (self.only.is_empty() || named(&self.only)) && !named(&self.without)
    }
}

/// What came of it.
pub struct Optimized<'p> {
    /// A smaller program, if there is one.
    pub program: Option<Program<'p>>,
    /// What was done.
    pub ledger: Ledger,
    /// What is wrong with contracts.
    pub findings: Vec<Diagnostic>,
}

/// A smaller program, if there is one, and what was done. `file` is the text of the file in
/// which contracts stand besides the sources.
pub fn optimize<'p>(
    program: &Program<'p>,
    options: &Options,
    file: Option<SourceId>,
) -> Optimized<'p> {
    let semantics = match fit(program) {
        Ok(semantics) => semantics,
        Err(why) => return given_up(why),
    };
    let book = Book::new(&*semantics);
    let mut start = program.clone();
    start.forget_known();
    let placed = Placed::of(&start);
    if placed.errors > 0 {
        return given_up("the program has errors");
    }
    let (contracts, findings) = said(&mut start, &placed, &book, (options, file));
    if !findings.is_empty() {
        return Optimized {
            findings,
            ..given_up("its contracts are wrong")
        };
    }
    let placed = Placed::of(&start);
    let guards = Guards::of(&mut start, &placed, &book);
    let contracts = Rc::new(contracts);
    let all = Kept {
        contracts: Rc::clone(&contracts),
        ..Kept::default()
    };
    let open = open_labels(&Flow::new(&start, &placed, &book, &all), &contracts);
    let inner = inner_labels(&start, &contracts);
    let mut fixed: Vec<Anchor> = Vec::new();
    for _ in 0..MOST_TRIES {
        let work = Work {
            book: &book,
            options,
            kept: &Kept {
                items: fixed.clone(),
                open: Some(open.clone()),
                contracts: Rc::clone(&contracts),
            },
            inner: &inner,
        };
        let (mut found, mut made) = work.run(start.clone());
        made.contracts = contracts.list.clone();
        let done = |program, ledger| Optimized {
            program,
            ledger,
            findings: Vec::new(),
        };
        if !made.broken.is_empty() {
            return done(None, made);
        }
        let kept = keep_pages(&mut found, &guards, &book, &mut made);
        let mut moved = guards.broken(&found.0, &found.1);
        match kept {
            Ok(true) if moved.is_empty() => return done(Some(found.0), made),
            Ok(true) => {}
            Ok(false) if moved.is_empty() => break,
            Ok(false) => {}
            Err(table) => moved.push(table),
        }
        let before = fixed.len();
        fixed.extend(moved);
        fixed.sort_unstable();
        fixed.dedup();
        if fixed.len() == before {
            break;
        }
    }
    given_up("values that are computed from addresses would change")
}

/// Nothing was done.
fn given_up<'p>(why: &str) -> Optimized<'p> {
    Optimized {
        program: None,
        ledger: Ledger {
            schema: ledger::SCHEMA,
            given_up: why.to_owned(),
            ..Ledger::default()
        },
        findings: Vec::new(),
    }
}

/// The meaning of the instructions of a program that can be made smaller; else why not.
fn fit(program: &Program<'_>) -> Result<Box<dyn Semantics>, &'static str> {
    if program.asked.slices.is_some() || !program.asked.contracts.is_empty() {
        return Err("the source promises clocks");
    }
    if program.target.has_slots() {
        return Err("instructions run behind jumps on this target");
    }
    if program.target.rules().rules.is_empty() {
        return Err("nothing is proven of the instructions of this target");
    }
    if program.has_foreign() {
        return Err("it has instructions of another processor, of which nothing is proven");
    }
    let semantics = program.target.semantics(program.machine);
    semantics.ok_or("the target does not say what its instructions mean")
}

/// The contracts of a program, looked at; what is wrong with them. Jumps whose time is
/// promised keep the forms that they have.
fn said(
    start: &mut Program<'_>,
    placed: &Placed,
    book: &Book<'_>,
    (options, file): (&Options, Option<SourceId>),
) -> (Contracts, Vec<Diagnostic>) {
    let nodes = flow::nodes_of(start, placed, book);
    let how = (book.semantics.layout(), book.semantics.unit());
    let outside = &options.contracts;
    let (mut all, faults) = attach::attach(start, placed, &nodes, how, outside, file);
    if !faults.is_empty() || all.is_empty() {
        return (all, faults);
    }
    // Looked at without what is to be shown.
    let mut bare = all.clone();
    for terms in bare.labels.values_mut() {
        *terms = contract::Terms {
            inline: terms.inline,
            extent: terms.extent,
            entry: terms.entry,
            ..contract::Terms::default()
        };
    }
    let kept = Kept {
        contracts: Rc::new(bare),
        ..Kept::default()
    };
    let findings = {
        let flow = Flow::new(start, placed, book, &kept);
        holds::check(&flow, &mut all)
    };
    if all.lines.values().any(|l| l.timed) {
        let timed = {
            let flow = Flow::new(start, placed, book, &kept);
            let all = flow.nodes.list.iter();
            let all = all.filter(|n| n.pin == Some(flow::Reason::Timed));
            all.map(|n| (n.at, n.form)).collect::<Vec<_>>()
        };
        fix_forms(start, &timed);
    }
    (all, findings)
}

/// Instructions of several forms become those that they are.
fn fix_forms(program: &mut Program<'_>, list: &[(Anchor, u16)]) {
    let mut edits = Vec::new();
    for &(at, form) in list {
        let Some(&What::Choice { from, count }) = program.item(at).map(|i| &i.what) else {
            continue;
        };
        let all = program.alternatives(from, count);
        let Some(own) = all.iter().find(|e| e.form == form).copied() else {
            continue;
        };
        let values = program.values_of(&own).to_vec();
        let values = values.into_iter().map(|(class, value, span)| {
            let e = match value {
                Value::Expr(e) | Value::Known(_, e) => e,
                Value::Number(n) => {
                    let start = program.ops.len() as u32;
                    program.ops.push(Op::Number(n));
                    ExprId { start, len: 1 }
                }
            };
            (Field::Class(class), e, span)
        });
        let item = NewItem::Instruction(form, own.word, values.collect());
        edits.push(edit(at, 1, vec![item]));
    }
    // They stay in the places that they have, so that nothing is refused.
    let _ = program.rewrite(edits);
}

/// Labels that others than the program name: where nothing is said those that nothing in it
/// names, else the entries.
fn open_labels(flow: &Flow<'_, '_>, contracts: &Contracts) -> FxHashSet<SymbolId> {
    let mut open = match contracts.closed {
        true => FxHashSet::default(),
        false => flow.open_labels(),
    };
    open.extend(entries(contracts));
    open
}

fn entries(contracts: &Contracts) -> impl Iterator<Item = SymbolId> + '_ {
    let own = contracts.labels.iter();
    own.filter(|l| l.1.entry).map(|l| *l.0)
}

/// Labels that only the program itself uses, for the checker.
fn inner_labels(program: &Program<'_>, contracts: &Contracts) -> FxHashSet<SymbolId> {
    let mut inner = match contracts.closed {
        true => program.symbols.ids().collect(),
        false => crate::check::named(program),
    };
    for l in entries(contracts) {
        inner.remove(&l);
    }
    inner
}

/// Puts padding before tables that would lie in two pages and did not; whether all are good.
///
/// # Errors
/// The item of a table, at the start, for which there is no room.
fn keep_pages(
    found: &mut (Program<'_>, Placed),
    guards: &Guards,
    book: &Book<'_>,
    made: &mut Ledger,
) -> Result<bool, Anchor> {
    for _ in 0..MOST_PADS {
        let nodes = flow::nodes_of(&found.0, &found.1, book);
        match guards.padding(&found.0, &found.1, &nodes) {
            Ok(None) => {
                // Distances may be others with it.
                let now = content(&found.0, &found.1);
                made.forms_changed(now);
                return Ok(found.1.errors == 0);
            }
            Ok(Some((at, bytes))) => {
                made.padding += u64::from(bytes);
                found.0.pad(at, bytes);
                found.1 = Placed::of(&found.0);
            }
            Err(table) => return Err(table),
        }
    }
    Ok(false)
}

/// A run through all passes until nothing is saved.
struct Work<'a> {
    book: &'a Book<'a>,
    options: &'a Options,
    /// Items that may not move, and labels that are there for others.
    kept: &'a Kept,
    /// Labels that the program itself names.
    inner: &'a FxHashSet<SymbolId>,
}

impl Work<'_> {
    fn run<'p>(&self, mut program: Program<'p>) -> ((Program<'p>, Placed), Ledger) {
        let mut ledger = Ledger {
            schema: ledger::SCHEMA,
            ..Ledger::default()
        };
        let mut placed = Placed::of(&program);
        ledger.before = content(&program, &placed);
        ledger.after = ledger.before;
        let related = {
            let flow = Flow::new(&program, &placed, self.book, self.kept);
            passes::numbers(&flow)
        };
        program.relate(&related);
        placed = Placed::of(&program);
        {
            let flow = Flow::new(&program, &placed, self.book, self.kept);
            let left = flow
                .left()
                .into_iter()
                .map(|(reason, bytes, n)| ledger::Left {
                    reason: reason.text(),
                    bytes,
                    place: flow.place(n),
                    what: flow.text(n),
                    unlock: reason.unlock(),
                    contract: unlock::suggestion(&flow, reason, n),
                });
            ledger.left = left.collect();
        }
        let mut left = self.options.most.unwrap_or(usize::MAX);
        let mut doubted = walked::Doubted::default();
        for _ in 0..MOST_ROUNDS {
            let before = ledger.after;
            for step in passes::ALL {
                if !self.options.has(step.name) || left == 0 {
                    continue;
                }
                let flow = Flow::new(&program, &placed, self.book, self.kept);
                let mut draft = (step.find)(&flow);
                draft.proposals.truncate(left);
                let refused = std::mem::take(&mut draft.refused);
                let (done, doubts) = walked(&flow, step, draft, self.inner, &mut doubted);
                ledger.refused.retain(|r| r.pass != step.name);
                ledger.refused.extend(refused);
                ledger.refused.extend(doubts);
                let Some(done) = done else {
                    continue;
                };
                if !done.broken.is_empty() {
                    ledger.broken = done.broken;
                    return ((program, placed), ledger);
                }
                left -= done.count.min(left);
                ledger.changes += done.count;
                (program, placed) = (done.program, done.placed);
                ledger.records.extend(done.records);
                ledger.after = content(&program, &placed);
            }
            if ledger.after == before {
                break;
            }
        }
        if ledger.claimed() != ledger.saved() {
            ledger.broken = format!(
                "the changes claim {} bytes, the image is {} smaller",
                ledger.claimed(),
                ledger.saved()
            );
        }
        ((program, placed), ledger)
    }
}
