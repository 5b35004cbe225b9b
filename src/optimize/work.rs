//! A run through all passes until nothing is saved, or the run that a ledger tells of.

use super::apply::{self, content};
use super::contract::line_of;
use super::flow::{Book, Flow, Kept, Placed};
use super::ledger::{self, Ledger};
use super::level::Levels;
use super::options::Options;
use super::passes;
use super::slower::Slower;
use super::step::{Proposal, Step};
use super::trace::Trace;
use super::unlock;
use super::walked::{self, walked};
use crate::check::Checker;
use crate::program::Program;
use crate::program::symbol::{Anchor, SymbolId};
use rustc_hash::FxHashSet;
use std::cell::RefCell;

/// Rounds through all passes, at most.
const MOST_ROUNDS: usize = 40;

/// A program on its way.
pub struct State<'p> {
    /// As it is now.
    pub program: Program<'p>,
    /// As it is placed.
    pub placed: Placed,
    /// Where its items come from.
    pub trace: Trace,
}

/// How a run is made.
pub struct Work<'a> {
    /// What instructions do.
    pub book: &'a Book<'a>,
    /// What is asked.
    pub options: &'a Options,
    /// Items that may not move, and labels that are there for others.
    pub kept: &'a Kept,
    /// Labels that the program itself names.
    pub inner: &'a FxHashSet<SymbolId>,
    /// What nothing may push up.
    pub levels: &'a Levels,
    /// What looks at changes that only move code about.
    pub checker: &'a RefCell<Checker>,
}

impl Work<'_> {
    /// Changes a program.
    pub fn run<'p>(&self, mut program: Program<'p>) -> (State<'p>, Ledger) {
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
        let related: Vec<_> = related
            .into_iter()
            .filter(|r| self.may(&program, r.0))
            .collect();
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
            if self.options.fences {
                ledger.fences = flow.fences();
            }
        }
        let mut state = State {
            trace: Trace {
                related: related.iter().map(|r| (r.0.chunk, r.0.item)).collect(),
                ..Trace::of(&program)
            },
            program,
            placed,
        };
        match &self.options.replay {
            Some(script) => self.replay(script, &mut state, &mut ledger),
            None => self.rounds(&mut state, &mut ledger),
        }
        if !ledger.broken.is_empty() {
            return (state, ledger);
        }
        if ledger.claimed() != ledger.saved() {
            ledger.broken = format!(
                "the changes claim {} bytes, the image is {} smaller",
                ledger.claimed(),
                ledger.saved()
            );
        }
        (state, ledger)
    }

    /// Whether the line of an item may be another.
    fn may(&self, program: &Program<'_>, at: Anchor) -> bool {
        let still = &self.options.wanted.still;
        let line = |i: &crate::program::item::Item| line_of(program, i.span);
        still.is_empty() || !program.item(at).is_some_and(|i| still.contains(&line(i)))
    }

    /// All passes, until nothing is saved.
    fn rounds(&self, state: &mut State<'_>, ledger: &mut Ledger) {
        let steps: Vec<&Step> = self.options.steps().collect();
        let mut left = self.options.most.unwrap_or(usize::MAX);
        let mut doubted = walked::Doubted::default();
        let mut checker = self.checker.borrow_mut();
        let mut slower = Slower::new(self.options.slower);
        // Passes that find nothing in the program as it is, whenever they are asked.
        let mut idle = vec![false; steps.len()];
        let mut turns = (0..MOST_ROUNDS * steps.len()).map(|turn| turn % steps.len());
        let mut before = None;
        loop {
            // What is known of the program holds until it is another.
            let flow = Flow::new(&state.program, &state.placed, self.book, self.kept);
            let (step, done) = loop {
                let Some(turn) = turns.next() else { return };
                if turn == 0 && before.replace(ledger.after) == Some(ledger.after) {
                    return;
                }
                let step = steps[turn];
                if left == 0 {
                    continue;
                }
                if idle[turn] {
                    let own = ledger.refused.iter().filter(|r| r.pass == step.name);
                    let own = own.cloned().collect();
                    refuses(ledger, step, own);
                    continue;
                }
                let mut draft = passes::find(step, &flow);
                self.options.wanted.choose(&flow, step, &mut draft);
                slower.choose(&flow, &state.trace, &mut draft);
                self.levels.keep(&flow, &mut draft);
                draft.proposals.truncate(left);
                let mut refused = std::mem::take(&mut draft.refused);
                let (done, doubts) =
                    walked(&flow, step, draft, self.inner, (&mut checker, &mut doubted));
                // What was doubted is not proposed again, so that others may be found.
                idle[turn] = doubts.is_empty();
                refused.extend(doubts);
                refuses(ledger, step, refused);
                if let Some(done) = done {
                    break (step, done);
                }
            };
            drop(flow);
            if !done.broken.is_empty() {
                ledger.broken = done.broken;
                return;
            }
            idle.fill(false);
            left -= done.count.min(left);
            slower.made(&done.keys);
            take(step, done, state, ledger);
        }
    }

    /// What a ledger says, found and proven anew, and nothing else.
    fn replay(&self, script: &ledger::Script, state: &mut State<'_>, ledger: &mut Ledger) {
        for made in &script.made {
            let misfit = |what: &str| format!("the ledger does not fit: {}: {what}", made.pass);
            let Some(step) = passes::ALL.iter().find(|s| s.name == made.pass) else {
                ledger.broken = misfit("there is no such pass");
                return;
            };
            let flow = Flow::new(&state.program, &state.placed, self.book, self.kept);
            let mut draft = passes::find(step, &flow);
            let mut open: Vec<Option<Proposal>> = std::mem::take(&mut draft.proposals)
                .into_iter()
                .map(Some)
                .collect();
            for wanted in &made.changes {
                let same = |p: &&mut Option<Proposal>| {
                    p.as_ref().is_some_and(|p| apply::key(p) == wanted.key)
                };
                match open.iter_mut().find(same).and_then(Option::take) {
                    Some(p) => draft.proposals.push(p),
                    None => {
                        let (rule, place) = (&wanted.rule, &wanted.place);
                        ledger.broken = misfit(&format!("`{rule}` at {place} is not found"));
                        return;
                    }
                }
            }
            let checker = &mut *self.checker.borrow_mut();
            let own = (checker, &mut walked::Doubted::default());
            let (done, _) = walked(&flow, step, draft, self.inner, own);
            let missing = made.changes.iter().find(|m| {
                let all = done.iter().flat_map(|d| &d.keys);
                !all.clone().any(|k| k.key == m.key)
            });
            if let Some(m) = missing {
                let (rule, place) = (&m.rule, &m.place);
                ledger.broken = misfit(&format!("`{rule}` at {place} cannot be made any more"));
                return;
            }
            let Some(done) = done.filter(|d| d.broken.is_empty()) else {
                ledger.broken = misfit("its changes do not save what they claim");
                return;
            };
            take(step, done, state, ledger);
        }
    }
}

/// Keeps what a pass would do and may not, last of all.
fn refuses(ledger: &mut Ledger, step: &Step, refused: Vec<ledger::Refused>) {
    ledger.refused.retain(|r| r.pass != step.name);
    ledger.refused.extend(refused);
}

/// Takes what a pass made.
fn take<'p>(step: &Step, done: apply::Done<'p>, state: &mut State<'p>, ledger: &mut Ledger) {
    ledger.changes += done.count;
    ledger.script.made.push(ledger::Made {
        pass: step.name.to_owned(),
        changes: done.keys,
    });
    state.trace.follow(&state.program, &done.made);
    (state.program, state.placed) = (done.program, done.placed);
    let mut records = done.records;
    for r in &mut records {
        if let Some(at) = r.item.take()
            && let Some(name) = state.trace.name_at(at)
        {
            r.name = name;
        }
    }
    ledger.records.extend(records);
    ledger.after = content(&state.program, &state.placed);
}
