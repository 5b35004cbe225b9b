//! Pointers to registers that have addresses of data memory. Most programs have none: where
//! the upper half of a pointer is a zero when memory is touched through it, any may be one.

use super::build::Nodes;
use super::facts::{Book, ELSEWHERE, Facts};
use super::node::{Kind, Node};
use super::pairs::{self, Leads};
use super::routine::{calls, within};
use super::ways::Ways;
use crate::program::Program;
use rustc_hash::{FxHashMap, FxHashSet};
use scrimp_isa::depend::Inputs;
use scrimp_isa::effects::Way;
use scrimp_isa::state::Location;

/// Whether a pointer of a program may lead to registers, as far as that decides what an
/// instruction reads and changes. The book is one in which none does: up to the first that does
/// that is right.
pub fn leads_to_registers(program: &Program<'_>, nodes: &Nodes, book: &Book<'_>) -> bool {
    let low = |l: &Leads| matches!(l, Leads::Data(at) if *at < u32::from(*ELSEWHERE.start()));
    leads_low(program, nodes, book) || pairs::find(nodes, book).iter().any(low)
}

/// Whether memory is touched through a pointer in whose upper half there may be a zero that
/// something put into a register, and that came there by copies alone.
fn leads_low(program: &Program<'_>, nodes: &Nodes, book: &Book<'_>) -> bool {
    let layout = book.semantics.layout();
    let stack = book.stack();
    let pointers = |n: &Node| {
        let facts = n.facts.as_ref()?;
        let own = facts.pointers.without(stack);
        (n.kind == Kind::Code && touches_data(facts) && !own.is_empty()).then_some(own)
    };
    let all = nodes.list.iter().filter_map(pointers);
    let all = all.fold(Inputs::NONE, Inputs::and);
    let mut halves: Vec<Location> = layout.locations();
    halves.retain(|l| l.bit.is_none() && all.has(l.number));
    if halves.is_empty() {
        return false;
    }
    let Some(ways) = Ways::of(program, nodes) else {
        return true;
    };
    let before = zeros(nodes, book, &ways);
    let mut list = nodes.list.iter().zip(before);
    list.any(|(node, before)| {
        let touching = node.facts.as_ref().filter(|f| touches_data(f));
        let pointers = touching.map_or(Inputs::NONE, |f| f.pointers);
        let mut own = halves.iter().filter(|l| pointers.has(l.number));
        own.any(|l| before.has(l.number) && book.is_upper(node.code(), l.cell))
    })
}

/// Whether an instruction touches data memory, in which registers may lie.
fn touches_data(facts: &Facts) -> bool {
    facts.effects.reads_memory || facts.effects.writes_memory
}

/// Before each node the registers in which there may be a zero that something put into one.
/// What is called is looked at by itself, so that nobody gets what others hold.
fn zeros(nodes: &Nodes, book: &Book<'_>, ways: &Ways) -> Vec<Inputs> {
    let mut all = Zeros {
        before: FxHashMap::default(),
        open: ways.starts(nodes),
        waits: FxHashSet::default(),
        sites: FxHashMap::default(),
    };
    while let Some(at) = all.open.pop() {
        all.waits.remove(&at);
        all.step(nodes, book, ways, at);
    }
    let mut before = vec![Inputs::NONE; nodes.list.len()];
    for ((_, n), held) in all.before {
        before[n as usize] = before[n as usize].and(held.all());
    }
    before
}

/// A node within what was called, by its first node; [`super::ways::OUTSIDE`] of all that.
type Within = (u32, u32);

/// Registers that may be zero.
#[derive(Clone, Copy, Default)]
struct Held {
    /// What was called made them so, or what that called.
    made: Inputs,
    /// They were before it was called.
    given: Inputs,
}

impl Held {
    fn all(self) -> Inputs {
        self.made.and(self.given)
    }

    /// The same behind an instruction.
    fn behind(self, book: &Book<'_>, node: &Node, facts: &Facts) -> Self {
        let e = &facts.effects;
        let before = self.all();
        let mut made = self.made.without(e.writes);
        made = made.and(book.zeroed(node.code(), e.writes));
        for l in e.writes.iter() {
            let flows = e.flows[usize::from(l)];
            if flows.count() == 1 && flows.0 & before.0 != 0 {
                made = made.and(Inputs::one(l));
            }
        }
        Self {
            made,
            given: self.given.without(e.writes),
        }
    }
}

/// The search for zeros.
struct Zeros {
    /// Before each node the registers that may be zero.
    before: FxHashMap<Within, Held>,
    /// What is to be looked at.
    open: Vec<Within>,
    waits: FxHashSet<Within>,
    /// Of what is called the nodes to which it comes back.
    sites: FxHashMap<u32, FxHashSet<Within>>,
}

impl Zeros {
    /// These registers may be zero there.
    fn come(&mut self, at: Within, held: Held) {
        let old = self.before.get(&at).copied();
        let new = |o: Held| {
            !held
                .made
                .without(o.made)
                .and(held.given.without(o.given))
                .is_empty()
        };
        if !old.is_none_or(new) {
            return;
        }
        let old = old.unwrap_or_default();
        let both = Held {
            made: old.made.and(held.made),
            given: old.given.and(held.given),
        };
        self.before.insert(at, both);
        if self.waits.insert(at) {
            self.open.push(at);
        }
    }

    fn step(&mut self, nodes: &Nodes, book: &Book<'_>, ways: &Ways, at: Within) {
        let (own, n) = at;
        let node = &nodes.list[n as usize];
        let held = self.before.get(&at).copied().unwrap_or_default();
        let Some(f) = node.facts.as_ref().filter(|_| node.kind == Kind::Code) else {
            // What data do that are executed is not known.
            if n as usize + 1 < nodes.list.len() {
                self.come((own, n + 1), held);
            }
            return;
        };
        let held = held.behind(book, node, f);
        let called = node.to.filter(|_| calls(node));
        let to = called.and_then(|to| Some((to, ways.called(to)?)));
        let over = to.map_or(held, |(_, c)| Held {
            made: c.over(held.made),
            given: c.over(held.given),
        });
        for next in within(node) {
            self.come((own, next), over);
            if let Some((to, c)) = to
                && self.sites.entry(to).or_default().insert((own, next))
            {
                let open = c.returns.iter().map(|&r| (to, r));
                let open: Vec<Within> = open.filter(|r| self.waits.insert(*r)).collect();
                self.open.extend(open);
            }
        }
        if let Some(to) = called {
            let given = Held {
                made: Inputs::NONE,
                given: held.all(),
            };
            self.come((to, to), given);
        }
        for next in ways.led(own, n, node) {
            self.come((own, next), held);
        }
        if node.ways.way == Some(Way::Return)
            && let Some(c) = ways.called(own)
        {
            // What it only keeps each of those that call it has by itself.
            let kept = Inputs(held.given.0 & c.writes.0).without(c.taken);
            let made = Held {
                made: Inputs(held.made.0 & c.writes.0).and(kept),
                given: Inputs::NONE,
            };
            let sites = self.sites.get(&own).into_iter().flatten();
            let sites: Vec<Within> = sites.copied().collect();
            sites.into_iter().for_each(|s| self.come(s, made));
        }
    }
}
