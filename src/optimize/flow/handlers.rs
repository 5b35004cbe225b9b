//! Handlers of interrupts: routines that are entered from outside and return with what deals
//! with interrupts, or that the CPU goes to by itself. They run between any two instructions:
//! what they read before they set it is read everywhere, and what they change without having
//! put it away first may change everywhere.

use super::build::Nodes;
use super::facts::{Book, Facts};
use super::node::{Kind, Node, Ref, calls, within};
use super::routine::{ALL, Routine, Routines};
use crate::program::Program;
use rustc_hash::{FxHashMap, FxHashSet};
use scrimp_isa::depend::Inputs;
use scrimp_isa::effects::Way;
use scrimp_isa::state::Holds;

/// Instructions between the one that deals with interrupts and the return, at most.
const FAR: usize = 12;

/// What handlers of a program read of others, or change of theirs.
pub fn touched(
    program: &Program<'_>,
    nodes: &Nodes,
    routines: &Routines,
    book: &Book<'_>,
) -> Inputs {
    let vectors = program.target.vectors(program.machine);
    // Code without interrupts may lie where a table of vectors would.
    let mut code = nodes.list.iter().filter(|n| n.kind == Kind::Code);
    let let_in = code.any(|n| {
        let controls = n.facts.as_ref().is_some_and(|f| f.effects.controls);
        controls && n.ways.way.is_none() && lets_in(book, n)
    });
    let mut all = Inputs::NONE;
    for r in routines.list.iter().filter(|r| r.open) {
        let entry = &nodes.list[r.entry as usize];
        // What is called there too is a routine that begins at its number.
        let called = entry.refs.iter().any(|r| matches!(r, Ref::Call(_)));
        let at = entry.address;
        let start = |v: &std::ops::Range<u64>| {
            let alone = v.end - v.start == 1;
            at > 0 && v.contains(&at) && (alone || let_in)
        };
        let own = !called && vectors.iter().any(start);
        // Of what only jumps and calls name nobody else has the address.
        let goes = |r: &Ref| matches!(r, Ref::Call(_) | Ref::Jump(_));
        let inner = !entry.refs.is_empty() && entry.refs.iter().all(goes);
        // Nor of the midst of code that stays as it is.
        let before = r.entry.checked_sub(1).map(|n| &nodes.list[n as usize]);
        let goes_on = |b: &Node| b.ways.falls_through && b.next == Some(r.entry);
        let midst = entry.labels.is_empty() && before.is_some_and(goes_on);
        if own || !inner && !midst && r.nodes.iter().any(|&n| ends(nodes, book, n)) {
            all = all.and(touches(nodes, r, book));
        }
    }
    all
}

/// Whether a node deals with interrupts and its routine returns with it or right behind it, or
/// it lets them come again and that returns soon.
fn ends(nodes: &Nodes, book: &Book<'_>, n: u32) -> bool {
    let of = |n: u32| &nodes.list[n as usize];
    if !of(n).facts.as_ref().is_some_and(|f| f.effects.controls) {
        return false;
    }
    let far = if lets_in(book, of(n)) { FAR } else { 1 };
    let mut seen = FxHashSet::default();
    let mut open = vec![(n, 0)];
    while let Some((n, steps)) = open.pop() {
        if of(n).kind != Kind::Code || steps > far || !seen.insert(n) {
            continue;
        }
        if of(n).ways.way == Some(Way::Return) {
            return true;
        }
        open.extend(within(of(n)).map(|x| (x, steps + 1)));
    }
    false
}

/// Whether a node that deals with interrupts sets something, whatever was there.
fn lets_in(book: &Book<'_>, node: &Node) -> bool {
    let layout = book.semantics.layout();
    let after = book.after(node.code(), &vec![0; layout.cells.len()]);
    let mut cells = (0u8..).zip(layout.cells).filter(|(n, c)| {
        matches!(c.holds, Holds::Byte | Holds::Flags(..)) && !layout.quiet.contains(n)
    });
    after.is_some_and(|p| cells.any(|(n, _)| p.cell(n) != 0))
}

/// Whether interrupts may come at some time: an instruction may let them in, or control goes to
/// what is not understood or not there.
pub(super) fn may_come(nodes: &Nodes, book: &Book<'_>) -> bool {
    let code = nodes.list.iter().filter(|n| n.kind == Kind::Code);
    let mut code = code.map(|n| (n, n.facts.as_ref()));
    code.any(|(n, facts)| {
        let goes = matches!(n.ways.way, Some(Way::Jump | Way::Call | Way::Skip));
        let leaves = goes && n.to.is_none() && !n.operands.is_empty();
        let mut all = within(n).chain(n.to);
        let data = all.any(|x| nodes.list[x as usize].kind != Kind::Code);
        let lets_in = |f: &Facts| f.effects.controls && !shuts_out(book, n, f.effects.writes);
        leaves || data || facts.is_none_or(|f| lets_in(f))
    })
}

/// Whether nothing of what a node sets is set behind it, whatever was there.
fn shuts_out(book: &Book<'_>, node: &Node, writes: Inputs) -> bool {
    let layout = book.semantics.layout();
    let quiet = book.stack().and(layout.of_cells(layout.quiet));
    let own = writes.without(quiet);
    let after = book.after(node.code(), &vec![0xff; layout.cells.len()]);
    let all = layout.locations().into_iter();
    let set = all.filter(|l| own.has(l.number));
    after.is_some_and(|p| {
        let mut set = set.map(|l| (p.cell(l.cell), l.bit));
        set.all(|(v, bit)| bit.map_or(v, |b| v >> b & 1) == 0)
    })
}

/// What one handler reads of others, or changes of theirs.
fn touches(nodes: &Nodes, r: &Routine, book: &Book<'_>) -> Inputs {
    let (saved, pushes) = saved(nodes, r.entry, book);
    let mut touched = r.writes;
    if !r.calls.is_empty() {
        touched = ALL;
    }
    for &n in &r.nodes {
        let Some(f) = &nodes.list[n as usize].facts else {
            continue;
        };
        if !pushes.contains(&n) {
            touched = touched.and(f.effects.reads());
        }
    }
    touched.without(saved).and(exposed(nodes, r.entry, &pushes))
}

/// What a handler puts on the stack on its straight way in, before it changes it; and the
/// nodes that do.
fn saved(nodes: &Nodes, entry: u32, book: &Book<'_>) -> (Inputs, FxHashSet<u32>) {
    let layout = book.semantics.layout();
    let (mut saved, mut changed) = (Inputs::NONE, book.stack());
    // What hardly a program looks at changes in every instruction.
    let quiet = changed.and(layout.of_cells(layout.quiet));
    let mut pushes = FxHashSet::default();
    let mut last: Vec<(u32, Inputs)> = Vec::new();
    let mut seen = FxHashSet::default();
    let mut at = Some(entry);
    while let Some(n) = at.filter(|&n| seen.insert(n)) {
        let node = &nodes.list[n as usize];
        let Some(f) = &node.facts else { break };
        let lift = f.lift.filter(|_| node.ways.way.is_none());
        match (node.ways.way, lift) {
            (None, Some(lift)) if lift < 0 && f.effects.writes_memory => {
                let own = f.effects.uses.without(quiet);
                saved = saved.and(own.without(changed));
                pushes.insert(n);
                last.push((n, own));
            }
            (None, Some(1..)) => {
                // What goes into other registers is a copy.
                let own = f.effects.writes.without(quiet);
                match last.pop() {
                    Some((_, put)) if put == own => {}
                    Some((p, _)) => _ = pushes.remove(&p),
                    None => break,
                }
                changed = changed.and(own);
            }
            (None, Some(_)) => changed = changed.and(f.effects.writes),
            (Some(Way::Jump), _) if !node.ways.falls_through => {}
            _ => break,
        }
        at = goes_on(node);
    }
    (saved, pushes)
}

/// The one node that control goes on to.
fn goes_on(node: &Node) -> Option<u32> {
    let mut all = within(node);
    all.next().filter(|_| all.next().is_none())
}

/// What is read behind an entry, or in what is called there, before anything has set it on all
/// ways; without what some nodes put away.
fn exposed(nodes: &Nodes, entry: u32, pushes: &FxHashSet<u32>) -> Inputs {
    let mut all = Inputs::NONE;
    let mut before: FxHashMap<u32, Inputs> = FxHashMap::default();
    let mut open = vec![(entry, Inputs::NONE)];
    while let Some((n, set)) = open.pop() {
        let now = match before.get(&n) {
            Some(old) => Inputs(old.0 & set.0),
            None => set,
        };
        if before.insert(n, now) == Some(now) {
            continue;
        }
        let node = &nodes.list[n as usize];
        let Some(f) = node.facts.as_ref().filter(|_| node.kind == Kind::Code) else {
            continue;
        };
        if !pushes.contains(&n) {
            all = all.and(f.effects.reads().without(now));
        }
        let behind = now.and(f.effects.writes.without(f.effects.reads()));
        open.extend(within(node).map(|x| (x, behind)));
        open.extend(node.to.filter(|_| calls(node)).map(|x| (x, now)));
    }
    all
}
