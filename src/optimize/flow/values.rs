//! What is known of registers and flags before each instruction: bits that have a certain
//! value on all ways that lead there.

use super::build::Nodes;
use super::facts::{Book, Facts};
use super::node::{Kind, Node, Reason, Ref};
use super::routine::{Routines, calls};
use super::shape::Shape;
use super::sides;
use rustc_hash::FxHashMap;
use scrimp_isa::depend::Inputs;
use scrimp_isa::effects::Way;
use scrimp_isa::known::Byte;
use scrimp_isa::memory::KnownMemory;
use scrimp_isa::semantics::Code;
use scrimp_isa::state::Holds;
use scrimp_isa::{Known, Processor};
use std::rc::Rc;

/// Known bits of all cells.
pub type Cells = Vec<Byte>;

/// What is known before each node; nothing where control does not come to.
#[derive(Debug, Default)]
pub struct Values {
    before: Vec<Option<Rc<Cells>>>,
}

impl Values {
    fn before(&self, n: u32) -> Option<&Rc<Cells>> {
        self.before.get(n as usize)?.as_ref()
    }

    /// What is known of a cell before a node.
    pub fn of(&self, n: u32, cell: u8) -> Byte {
        let cells = self.before(n);
        cells.map_or(Byte::UNKNOWN, |c| c[usize::from(cell)])
    }

    /// What is known behind a node that only computes; nothing where its constants move.
    pub fn behind(&self, book: &Book<'_>, node: &Node, n: u32) -> Option<Cells> {
        let before = self.before(n)?;
        run(book, node, before).filter(|_| fixed(node))
    }
}

/// Rounds through a program until what is unknown is given up.
const MOST_VISITS: u32 = 64;

/// Finds the values. `volatile` locations may change at any time; `open` are operands whose
/// values move: their instructions are run as if their constants were unknown.
pub fn find(nodes: &Nodes, routines: &Routines, book: &Book<'_>, volatile: Inputs) -> Values {
    let layout = book.semantics.layout();
    let unknown = Rc::new(vec![Byte::UNKNOWN; layout.cells.len()]);
    let mut values = Values {
        before: vec![None; nodes.list.len()],
    };
    let changing = volatile.without(book.stack().and(layout.of_cells(layout.quiet)));
    let steady = |x: &Node| {
        let touches = |f: &Facts| f.effects.reads().and(f.effects.writes).0 & changing.0 != 0;
        fixed(x) && !is_opaque(x) && !x.facts.as_deref().is_none_or(touches)
    };
    let mut visits: FxHashMap<u32, u32> = FxHashMap::default();
    let mut open: Vec<u32> = Vec::new();
    for (n, node) in (0..).zip(&nodes.list) {
        if node.kind != Kind::Code {
            continue;
        }
        let called = node.refs.iter().any(|r| !matches!(r, Ref::Jump(_)));
        if node.entry || called || node.pin == Some(Reason::Overlapped) {
            values.before[n as usize] = Some(unknown.clone());
            open.push(n);
        }
    }
    while let Some(n) = open.pop() {
        let node = &nodes.list[n as usize];
        let Some(before) = values.before(n).cloned() else {
            continue;
        };
        let (mut behind, mut gone) = step((n, node), &before, routines, book, volatile);
        if node.ways.falls_through && node.ways.way.is_some() && !calls(node) {
            let known = sides::of(nodes, book, n, &steady);
            tell(&mut behind, &known.on);
            tell(&mut gone, &known.gone);
        }
        // What changes nothing is kept once.
        let shared = |cells: Cells| match cells == *before {
            true => before.clone(),
            false => Rc::new(cells),
        };
        let mut flow = |to: Option<u32>, cells: Cells| {
            let Some(to) = to.filter(|&t| nodes.list[t as usize].kind == Kind::Code) else {
                return;
            };
            let slot = &mut values.before[to as usize];
            let changed = match slot {
                None => {
                    *slot = Some(shared(cells));
                    true
                }
                Some(old) => {
                    let changed = old.iter().zip(&cells).any(|(o, &c)| o.join(c) != *o);
                    if changed {
                        let seen = visits.entry(to).or_insert(0);
                        for (o, &c) in Rc::make_mut(old).iter_mut().zip(&cells) {
                            let both = o.join(c);
                            if both != *o {
                                *o = match *seen > MOST_VISITS {
                                    true => Byte::UNKNOWN,
                                    false => both,
                                };
                            }
                        }
                        *seen += 1;
                    }
                    changed
                }
            };
            if changed {
                open.push(to);
            }
        };
        if node.ways.falls_through || calls(node) {
            flow(node.next, behind);
        }
        if matches!(node.ways.way, Some(Way::Jump | Way::Skip)) {
            flow(node.to, gone);
        }
    }
    values
}

/// Whether all constants of an instruction are numbers that stay what they are.
fn fixed(node: &Node) -> bool {
    let mut all = node.operands.iter();
    all.all(|o| o.shape == Shape::Number || o.relative) || node.ways.way.is_some()
}

/// Whether an instruction may be another than it seems when it runs.
fn is_opaque(node: &Node) -> bool {
    matches!(
        node.pin,
        Some(Reason::Modified | Reason::Read | Reason::Overlapped | Reason::Inline)
    )
}

/// Adds what is known of cells.
fn tell(cells: &mut Cells, known: &[(u8, Byte)]) {
    for &(cell, more) in known {
        let c = &mut cells[usize::from(cell)];
        *c = Byte {
            known: c.known | more.known,
            value: c.value & !more.known | more.value,
        };
    }
}

/// Runs an instruction on what is known.
pub(super) fn run(book: &Book<'_>, node: &Node, before: &Cells) -> Option<Cells> {
    let layout = book.semantics.layout();
    let mut p = Processor::new(Known, KnownMemory::default());
    for ((n, c), &v) in (0..).zip(layout.cells).zip(before) {
        if matches!(c.holds, Holds::Byte | Holds::Flags(..)) {
            p.set_cell(n, v);
        }
    }
    let code = Code {
        bytes: node.code(),
        address: node.address,
    };
    book.semantics.known(code, &mut p)?;
    let cells = (0..).zip(layout.cells).map(|(n, c)| match c.holds {
        Holds::Byte | Holds::Flags(..) => p.cell(n),
        Holds::Nothing | Holds::Hidden => Byte::UNKNOWN,
    });
    Some(cells.collect())
}

/// What is known behind a node, where it goes on and where it goes.
fn step(
    (n, node): (u32, &Node),
    before: &Cells,
    routines: &Routines,
    book: &Book<'_>,
    volatile: Inputs,
) -> (Cells, Cells) {
    let layout = book.semantics.layout();
    let unknown: Cells = vec![Byte::UNKNOWN; layout.cells.len()];
    // What may be modified, or names what moves, may do anything to what it writes.
    let fixed = fixed(node);
    let mut after = before.clone();
    if is_opaque(node) {
        return (unknown.clone(), unknown);
    }
    let written = node.facts.as_ref().map(|f| f.effects.writes);
    let forget = |after: &mut Cells, all: Inputs| {
        for l in layout.locations() {
            if all.has(l.number) {
                let c = &mut after[usize::from(l.cell)];
                *c = match l.bit {
                    None => Byte::UNKNOWN,
                    Some(bit) => Byte {
                        known: c.known & !(1 << bit),
                        value: c.value & !(1 << bit),
                    },
                };
            }
        }
    };
    if calls(node) {
        let Some(changes) = routines.changed_by(n, node) else {
            return (unknown.clone(), unknown);
        };
        forget(&mut after, changes);
        forget(&mut after, volatile);
        return (after.clone(), after);
    }
    if !fixed {
        forget(&mut after, written.unwrap_or(Inputs(u64::MAX >> 1)));
        forget(&mut after, volatile);
        return (after.clone(), after);
    }
    match run(book, node, before) {
        Some(cells) => after = cells,
        None => return (unknown.clone(), unknown),
    }
    forget(&mut after, volatile);
    // Whatever interrupts do with the stack is below it, and its value is not asked for.
    (after.clone(), after)
}
