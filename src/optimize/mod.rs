//! Smaller programs that do the same: from a program to a program and a ledger.
//!
//! Each pass looks at the flow of the placed program and proposes changes. Those that do
//! not touch each other are made, the program is placed again, and what they claim is
//! compared with what the placement says. Passes go round until nothing is saved.
//!
//! Where values or pages of addresses decide (guards), they must be what they were; else it
//! is done once more with what stands before such a place left as it is. Nothing here knows
//! an instruction by its name: flow, effects and proofs come from the target's one meaning.

mod apart;
mod apply;
mod attach;
mod bits;
pub mod contract;
mod ending;
pub mod flow;
mod ground;
mod guard;
pub mod harvest;
mod holds;
pub mod ledger;
mod level;
mod options;
pub mod passes;
mod places;
mod slots;
mod slower;
pub mod source;
pub mod step;
mod trace;
mod unlock;
mod walked;
pub mod wanted;
mod work;

pub use ending::Optimized;
pub use ledger::{Ledger, Record, Refused};
pub use options::Options;
use step::edit;
pub use step::{Draft, Proposal, Step};

use crate::check::Checker;
use crate::diagnostic::Diagnostic;
use crate::program::Program;
use crate::program::eval::Op;
use crate::program::item::What;
use crate::program::lifted::Lift;
use crate::program::rewrite::NewItem;
use crate::program::symbol::{Anchor, ExprId, SymbolId};
use crate::program::{Field, Value, limits};
use crate::text::source::SourceId;
use apply::content;
use contract::Contracts;
use ending::{begin_script, entries, finished, given_up, hash, inner_labels, refused};
use flow::{Book, Flow, Kept, Placed};
use ground::Ground;
use guard::{Guards, Off};
use level::Levels;
use places::Fixed;
use rustc_hash::FxHashSet;
use scrimp_isa::Semantics;
use scrimp_isa::memo::processor;
use std::cell::RefCell;
use std::rc::Rc;
use work::{State, Work};

/// Tables that are kept in their pages, at most.
const MOST_PADS: usize = 400;
/// So often it is done anew with more left as it is.
const MOST_TRIES: usize = 24;

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
    let mut start = program.clone();
    start.forget_known();
    let placed = Placed::of(&start);
    if placed.errors > 0 {
        return given_up("the program has errors");
    }
    if !keeps_pages(&mut start, &placed, &*semantics) {
        return given_up("control goes on behind the end of a page");
    }
    if start.target.has_slots() {
        return slots::optimized(start, &placed, &*semantics, (options, file));
    }
    let lifts = match lifted(&mut start, &placed, &*semantics) {
        Ok(lifts) => lifts,
        Err(why) => return given_up(why),
    };
    let placed = Placed::of(&start);
    if placed.errors > 0 {
        return given_up("control goes from one memory over to another in its place");
    }
    let mut out = optimized(start, &placed, &*semantics, (options, file));
    if let Some(program) = &mut out.program {
        program.lower(&lifts);
    }
    out
}

/// Lets what leads in its page name its goal, whatever that was computed from; whether no page
/// is left otherwise.
fn keeps_pages(start: &mut Program<'_>, placed: &Placed, semantics: &dyn Semantics) -> bool {
    if start.target.wraps_in_page().is_none() {
        return true;
    }
    let processor = processor(start.target, start.machine);
    let book = Book::new(semantics, &processor, 0..=0xffff);
    let nodes = flow::nodes_of(start, placed, &book);
    start.relate(&passes::in_page(start, &nodes, &book));
    !flow::leaves_a_page(start, placed, &book)
}

/// Gives memory that lies over other memory addresses of its own.
fn lifted(
    start: &mut Program<'_>,
    placed: &Placed,
    semantics: &dyn Semantics,
) -> Result<Vec<Lift>, &'static str> {
    // Where memory is apart from code, or an address counts more, all is told apart already.
    if semantics.unit() > 1 {
        return Ok(Vec::new());
    }
    let sizes = placed.bytes.iter().map(|b| b.len() as u64);
    let all: Vec<(u64, u64)> = placed.layout.base.iter().copied().zip(sizes).collect();
    start.lift(&all)
}

/// Optimizes a program in which an address says what is there.
fn optimized<'p>(
    mut start: Program<'p>,
    placed: &Placed,
    semantics: &dyn Semantics,
    (options, file): (&Options, Option<SourceId>),
) -> Optimized<'p> {
    let book = book_of(semantics, &start, placed);
    let before = bytes(placed);
    let (mut contracts, findings) = said(&mut start, placed, &book, (options, file));
    if !findings.is_empty() {
        return Optimized {
            findings,
            ..given_up("its contracts are wrong")
        };
    }
    steady(&mut start, placed, &book, options);
    let held = hold_rooms(&mut start, &book, &contracts, options);
    let placed = Placed::of(&start);
    let still = options.wanted.still.iter();
    still.for_each(|&line| contracts.lines.entry(line).or_default().keep = true);
    let contracts = Rc::new(contracts);
    let (bits, touched) = bits_of(&start, &placed, &book, &contracts);
    let contracts = fence(&start, contracts, &touched);
    let mut guards = Guards::of(&mut start, &placed, &book, &held, &bits);
    let (open, known) = open_labels(&start, &placed, &book, &contracts);
    guards.keep(&mut start, &placed, &book, &known);
    let inner = inner_labels(&start, &contracts);
    let from = hash(&placed);
    if options.replay.as_ref().is_some_and(|s| s.from != from) {
        return refused("the ledger does not fit: the program was another");
    }
    let mut ground = Ground {
        fixed: Fixed::of(replayed(options, &start)),
        start,
        placed,
        guards,
        held,
        levels: Levels::default(),
    };
    let checker = RefCell::new(Checker::default());
    for tries in 1..=MOST_TRIES {
        let work = Work {
            book: &book,
            options,
            kept: &Kept {
                items: ground.fixed.soft.clone(),
                hard: ground.fixed.hard.clone(),
                open: Some(open.clone()),
                contracts: Rc::clone(&contracts),
                known: Some(Rc::clone(&known)),
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
        let kept = keep_pages(&mut found, &ground.guards, &book, &mut made);
        let moved = ground.guards.broken(&found.program, &found.placed);
        let less = bytes(&found.placed) <= before
            && found.placed.short <= ground.placed.short
            && !flow::leaves_a_page(&found.program, &found.placed, &book);
        if matches!(kept, Ok(true)) && moved.is_empty() && less {
            return finished(&ground.start, found, made, &book, options);
        }
        let rooms = !options.write && options.replay.is_none();
        let last = tries + 1 == MOST_TRIES;
        if !ground.again((kept, moved), &book, (rooms, last)) {
            break;
        }
    }
    given_up("values that are computed from addresses would change")
}

/// What instructions do, with addresses only where the program has pointers to.
fn book_of<'s>(semantics: &'s dyn Semantics, start: &Program<'_>, placed: &Placed) -> Book<'s> {
    let processor = processor(start.target, start.machine);
    let book = Book::new(semantics, &processor, flow::ELSEWHERE);
    let nodes = flow::nodes_of(start, placed, &book);
    match flow::leads_to_registers(start, &nodes, &book) {
        true => Book::new(semantics, &processor, 0..=0xffff),
        false => book,
    }
}

/// Bytes of a program, with all padding.
fn bytes(placed: &Placed) -> usize {
    placed.bytes.iter().map(Vec::len).sum()
}

/// What would become shorter by itself, and slower, keeps the form that it has, where time is
/// bounded.
fn steady(start: &mut Program<'_>, placed: &Placed, book: &Book<'_>, options: &Options) {
    if options.slower.is_none() {
        return;
    }
    let nodes = flow::nodes_of(start, placed, book);
    let code = nodes.list.iter().filter(|n| n.kind == flow::Kind::Code);
    let all: Vec<_> = code.map(|n| (n.at, n.form)).collect();
    fix_forms(start, &all);
}

/// Holds the ends of rooms where they are; which those are. In sources nothing is put there.
fn hold_rooms(
    start: &mut Program<'_>,
    book: &Book<'_>,
    contracts: &Contracts,
    options: &Options,
) -> Vec<(Anchor, u32)> {
    if options.write {
        return Vec::new();
    }
    let held = rooms(start, book, contracts, options);
    for &(at, address) in held.iter().rev() {
        start.hold(at, address);
    }
    held
}

/// Room that keeps what is named by numbers at its addresses: before which items of the start,
/// and their addresses.
fn rooms(
    start: &Program<'_>,
    book: &Book<'_>,
    contracts: &Contracts,
    options: &Options,
) -> Vec<(Anchor, u32)> {
    let placed = Placed::of(start);
    let kept = Kept {
        contracts: Rc::new(contracts.clone()),
        ..Kept::default()
    };
    // What surely is an address becomes one, and follows what it is of.
    let mut related = start.clone();
    related.relate(&passes::numbers(&Flow::new(start, &placed, book, &kept)));
    let placed = Placed::of(&related);
    let flow = Flow::new(&related, &placed, book, &kept);
    let Some(script) = &options.replay else {
        return flow::find_rooms(&related, &placed, &flow.nodes);
    };
    // All that there may be, of which those that there were.
    let all: Vec<u32> = (0..flow.nodes.list.len() as u32).collect();
    let all = flow::rooms_of(&related, &placed, &flow.nodes, &all);
    let was = |h: &(Anchor, u32)| script.rooms.contains(&(h.0.chunk, h.0.item, h.1));
    all.into_iter().filter(was).collect()
}

/// The items before which nothing moved when the ledger was made, as far as there are such.
fn replayed(options: &Options, start: &Program<'_>) -> Vec<Anchor> {
    let list = options.replay.iter().flat_map(|s| &s.fixed);
    let all = list.map(|&(chunk, item)| Anchor {
        chunk,
        item,
        plus: 0,
    });
    let known = |a: &Anchor| {
        let chunk = start.chunks.get(a.chunk as usize);
        chunk.is_some_and(|c| (a.item as usize) <= c.items.len())
    };
    all.filter(known).collect()
}

/// The meaning of the instructions of a program that can be made smaller; else why not.
fn fit(program: &Program<'_>) -> Result<Box<dyn Semantics>, &'static str> {
    let slots = program.target.has_slots();
    if program.asked.slices.is_some() {
        return Err("the source has blocks of time, for which room is found when all is placed");
    }
    // With slots each word stays at its clock.
    if !slots && !program.asked.contracts.is_empty() {
        return Err("the source promises clocks");
    }
    if !slots && program.target.rules().rules.is_empty() {
        return Err("nothing is proven of the instructions of this target");
    }
    if program.has_foreign() {
        return Err("it has instructions of another processor, of which nothing is proven");
    }
    if program.asked.decided.len() >= limits::DECIDED {
        return Err("more is decided by addresses than is remembered");
    }
    let semantics = program.target.semantics(program.machine);
    semantics.ok_or("the target does not say what its instructions mean")
}

/// Says of code that it is touched by way of addresses that were kept.
fn fence(
    start: &Program<'_>,
    contracts: Rc<Contracts>,
    touched: &[(Anchor, bool)],
) -> Rc<Contracts> {
    if touched.is_empty() {
        return contracts;
    }
    let mut all = Contracts::clone(&contracts);
    for &(at, block) in touched {
        let Some(item) = start.item(at) else { continue };
        let line = all.lines.entry(contract::line_of(start, item.span));
        let line = line.or_default();
        line.touched = Some(line.touched.unwrap_or(false) | block);
    }
    Rc::new(all)
}

/// Places of whose addresses single bits matter, and code that is touched.
fn bits_of(
    start: &Program<'_>,
    placed: &Placed,
    book: &Book<'_>,
    contracts: &Rc<Contracts>,
) -> (Vec<bits::Bits>, Vec<(Anchor, bool)>) {
    let kept = Kept {
        contracts: Rc::clone(contracts),
        ..Kept::default()
    };
    bits::find(&Flow::new(start, placed, book, &kept))
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
fn open_labels(
    start: &Program<'_>,
    placed: &Placed,
    book: &Book<'_>,
    contracts: &Rc<Contracts>,
) -> (FxHashSet<SymbolId>, Rc<[flow::Known]>) {
    let all = Kept {
        contracts: Rc::clone(contracts),
        ..Kept::default()
    };
    let flow = Flow::new(start, placed, book, &all);
    let mut open = match contracts.closed {
        true => FxHashSet::default(),
        false => flow.open_labels(),
    };
    open.extend(entries(contracts));
    (open, flow.nodes.known.into())
}

/// Puts padding before tables that would lie in two pages and did not; whether all are good.
///
/// # Errors
/// A table for which there is no room.
fn keep_pages(
    found: &mut State<'_>,
    guards: &Guards,
    book: &Book<'_>,
    made: &mut Ledger,
) -> Result<bool, Off> {
    for _ in 0..MOST_PADS {
        let nodes = flow::nodes_of(&found.program, &found.placed, book);
        match guards.padding(&found.program, &found.placed, &nodes) {
            Ok(None) => {
                made.padding += flow::room(&found.program, &nodes, &guards.held);
                // Distances may be others with it.
                let now = content(&found.program, &found.placed);
                made.forms_changed(now);
                return Ok(found.placed.errors == 0);
            }
            Ok(Some((at, bytes))) => {
                made.padding += u64::from(bytes);
                found.program.pad(at, bytes);
                found.trace.pad(at);
                found.placed = Placed::of(&found.program);
            }
            Err(off) => return Err(off),
        }
    }
    Ok(false)
}
