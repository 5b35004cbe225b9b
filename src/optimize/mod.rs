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
pub mod flow;
mod guard;
pub mod ledger;
pub mod passes;
pub mod step;
mod walked;

pub use ledger::{Ledger, Record, Refused};
pub use step::{Draft, Proposal, Step};

use crate::program::Program;
use crate::program::symbol::{Anchor, SymbolId};
use apply::content;
use flow::{Book, Flow, Kept, Placed};
use guard::Guards;
use rustc_hash::FxHashSet;
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
}

impl Options {
    /// Whether a pass is on.
    pub fn has(&self, pass: &str) -> bool {
        let named = |list: &[String]| list.iter().any(|n| n == pass);
        (self.only.is_empty() || named(&self.only)) && !named(&self.without)
    }
}

/// A smaller program, if there is one, and what was done.
pub fn optimize<'p>(program: &Program<'p>, options: &Options) -> (Option<Program<'p>>, Ledger) {
    let mut ledger = Ledger {
        schema: ledger::SCHEMA,
        ..Ledger::default()
    };
    let mut give_up = |why: &str| {
        ledger.given_up = why.to_owned();
        (None, ledger.clone())
    };
    if program.asked.slices.is_some() || !program.asked.contracts.is_empty() {
        return give_up("the source promises clocks");
    }
    if program.target.has_slots() {
        return give_up("instructions run behind jumps on this target");
    }
    if program.target.rules().rules.is_empty() {
        return give_up("nothing is proven of the instructions of this target");
    }
    if program.has_foreign() {
        return give_up("it has instructions of another processor, of which nothing is proven");
    }
    let Some(semantics) = program.target.semantics(program.machine) else {
        return give_up("the target does not say what its instructions mean");
    };
    let book = Book::new(&*semantics);
    let mut start = program.clone();
    start.forget_known();
    let placed = Placed::of(&start);
    if placed.errors > 0 {
        return give_up("the program has errors");
    }
    let guards = Guards::of(&mut start, &placed, &book);
    let mut fixed: Vec<Anchor> = Vec::new();
    let open = Flow::new(&start, &placed, &book, &Kept::default()).open_labels();
    let inner = crate::check::named(&start);
    for _ in 0..MOST_TRIES {
        let work = Work {
            book: &book,
            options,
            kept: &Kept {
                items: fixed.clone(),
                open: Some(open.clone()),
            },
            inner: &inner,
        };
        let (mut found, mut made) = work.run(start.clone());
        if !made.broken.is_empty() {
            return (None, made);
        }
        let kept = keep_pages(&mut found, &guards, &book, &mut made);
        let moved = guards.broken(&found.0, &found.1);
        if moved.is_empty() && kept {
            return (Some(found.0), made);
        }
        if !kept && moved.is_empty() {
            break;
        }
        let before = fixed.len();
        fixed.extend(moved);
        fixed.sort_unstable();
        fixed.dedup();
        if fixed.len() == before {
            break;
        }
    }
    give_up("values that are computed from addresses would change")
}

/// Puts padding before tables that would lie in two pages and did not; whether all are good.
fn keep_pages(
    found: &mut (Program<'_>, Placed),
    guards: &Guards,
    book: &Book<'_>,
    made: &mut Ledger,
) -> bool {
    for _ in 0..MOST_PADS {
        let nodes = flow::nodes_of(&found.0, &found.1, book);
        match guards.padding(&found.0, &found.1, &nodes) {
            Ok(None) => {
                // Distances may be others with it.
                let now = content(&found.0, &found.1);
                made.forms_changed(now);
                return found.1.errors == 0;
            }
            Ok(Some((at, bytes))) => {
                made.padding += u64::from(bytes);
                found.0.pad(at, bytes);
                found.1 = Placed::of(&found.0);
            }
            Err(()) => return false,
        }
    }
    false
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
                });
            ledger.left = left.collect();
        }
        let mut left = self.options.most.unwrap_or(usize::MAX);
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
                let (done, doubted) = walked(&flow, step, draft, self.inner);
                ledger.refused.retain(|r| r.pass != step.name);
                ledger.refused.extend(refused);
                ledger.refused.extend(doubted);
                let Some(done) = done else {
                    continue;
                };
                if !done.broken.is_empty() {
                    ledger.broken = done.broken;
                    return ((program, placed), ledger);
                }
                left -= done.count.min(left);
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
