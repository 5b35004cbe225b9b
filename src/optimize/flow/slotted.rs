//! What is reached, and what must stay, where the word behind a jump runs before that leads
//! anywhere: a place is a word that runs and the one that is fetched meanwhile.
//!
//! A place that a word names is taken to be gone to. Where a jump computes which word of a page
//! it goes to, all of that page stays with what stands before it in its part; where nobody
//! knows the page, nothing is changed.

use super::asked;
use super::build::{Frozen, Nodes, Placed};
use super::facts::Book;
use super::hazard::Kept;
use super::node::{Kind, Node, Reason};
use super::shape::shape;
use crate::image::Class;
use crate::program::item::{Item, What};
use crate::program::symbol::{Anchor, ExprId, SymbolId};
use crate::program::{Program, Value};
use rustc_hash::FxHashSet;
use scrimp_isa::effects::Successors;
use scrimp_isa::known::{Byte, Word};
use scrimp_isa::memory::KnownMemory;
use scrimp_isa::semantics::Code;
use scrimp_isa::{Known, Processor};
use std::ops::Range;

/// Words that are looked at before a jump.
const STRAIGHT: u32 = 6;

/// What is known of a program whose jumps have a slot.
#[derive(Debug, Default)]
pub struct Slotted {
    /// Of each node whether control may come there.
    pub reached: Vec<bool>,
    /// Labels that are there for others.
    pub open: FxHashSet<SymbolId>,
}

/// A word that runs, and the address of the one that is fetched, where that is known.
type Place = (u32, Option<u64>);

struct Reach<'r, 'p> {
    program: &'r Program<'p>,
    placed: &'r Placed,
    book: &'r Book<'r>,
    nodes: &'r Nodes,
    unit: u64,
    /// Bytes of a page.
    page: u64,
    open: Vec<Place>,
    seen: FxHashSet<Place>,
    reached: Vec<bool>,
    /// Bytes that stay where they are: into which a jump computes its way, and that jump.
    entered: Vec<(Range<u64>, u32)>,
    /// Jumps to where nobody knows.
    astray: Vec<u32>,
}

/// Finds what control comes to, and pins what must stay.
pub(super) fn find(
    program: &Program<'_>,
    placed: &Placed,
    book: &Book<'_>,
    nodes: &mut Nodes,
    kept: &Kept,
) -> Slotted {
    let unit = book.semantics.unit();
    let page = program
        .page_shape()
        .map_or(u64::MAX, |(bits, unit)| unit << bits);
    let mut r = Reach {
        program,
        placed,
        book,
        nodes,
        unit,
        page,
        open: Vec::new(),
        seen: FxHashSet::default(),
        reached: vec![false; nodes.list.len()],
        entered: Vec::new(),
        astray: Vec::new(),
    };
    r.roots(kept);
    while let Some(place) = r.open.pop() {
        r.step(place);
    }
    let (reached, mut entered, astray) = (r.reached, r.entered, r.astray);
    // Data are where they are.
    for (n, node) in (0..).zip(&nodes.list) {
        let data = program.item(node.at).map(Item::class) == Some(Class::Data);
        if data && node.size > 0 {
            entered.push((node.address..node.address + u64::from(node.size), n));
        }
    }
    pin(program, nodes, &entered);
    if let Some(&first) = astray.first() {
        for chunk in 0..program.chunks.len() as u32 {
            freeze(nodes, chunk, Reason::Astray, first);
        }
    }
    for n in asked::find(program, &nodes.list) {
        nodes.list[n as usize].pin = Some(Reason::Asked);
    }
    for node in &mut nodes.list {
        let span = program.item(node.at).map(|i| i.span);
        let line = span.and_then(|s| kept.contracts.line(program, s));
        if line.is_some_and(|l| l.keep) {
            node.pin = Some(Reason::Asked);
        }
    }
    Slotted {
        reached,
        open: kept.open.clone().unwrap_or_default(),
    }
}

fn freeze(nodes: &mut Nodes, chunk: u32, reason: Reason, by: u32) {
    let own = nodes.list.iter_mut().filter(|n| n.at.chunk == chunk);
    own.for_each(|n| n.pin = Some(reason));
    nodes.frozen.push(Frozen {
        chunk,
        until: u32::MAX,
        reason,
        by: Some(by),
    });
}

/// Pins what stands in pages into which jumps compute their way, and what stands before that up
/// to where a multiple is asked for.
fn pin(program: &Program<'_>, nodes: &mut Nodes, entered: &[(Range<u64>, u32)]) {
    for n in (0..nodes.list.len()).rev() {
        let node = &nodes.list[n];
        let end = node.address + u64::from(node.size);
        let meets = |r: &Range<u64>| r.start < end && node.address < r.end;
        let own = entered.iter().find(|e| meets(&e.0));
        let own = own.map(|e| e.1);
        let behind = nodes
            .list
            .get(n + 1)
            .filter(|b| b.at.chunk == node.at.chunk);
        let stays = behind.is_some_and(|b| b.pin == Some(Reason::Computed));
        let apart = program
            .item(node.at)
            .is_some_and(|i| matches!(i.what, What::Align { .. }));
        if own.is_some() || stays && !apart {
            let by = own.or_else(|| nodes.causes.get(&(n as u32 + 1)).copied());
            nodes.list[n].pin = Some(Reason::Computed);
            if let Some(by) = by {
                nodes.causes.insert(n as u32, by);
            }
        }
    }
}

impl Reach<'_, '_> {
    /// Where control comes from outside, what is promised of, and what is no instruction.
    fn roots(&mut self, kept: &Kept) {
        let start = self.program.target.spaces().first().map_or(0, |s| s.base);
        self.enter(start);
        if let Some(n) = self.nodes.at(start) {
            self.open.push((n, Some(start)));
        }
        let value = |v: Value| match v {
            Value::Expr(e) | Value::Known(_, e) => Some(e),
            Value::Number(_) => None,
        };
        if let Some(e) = self.program.asked.entry {
            value(e.0).into_iter().for_each(|e| self.named(e));
        }
        for id in self.program.symbols.ids() {
            let s = self.program.symbols.get(id);
            let open = kept.open.as_ref().is_none_or(|o| o.contains(&id));
            if let Some(place) = s.place.filter(|_| s.label && open) {
                self.place(place);
            }
        }
        for p in &self.program.asked.contracts {
            self.place(p.place);
            for v in &p.values {
                value(v.0).into_iter().for_each(|e| self.named(e));
            }
        }
        for n in 0..self.nodes.list.len() as u32 {
            if self.nodes.list[n as usize].kind != Kind::Code {
                self.reached[n as usize] = true;
                self.names(n);
            }
        }
    }

    /// Control may come to an address.
    fn enter(&mut self, address: u64) {
        match self.nodes.holding(address) {
            Some((n, _)) => self.open.push((n, Some(address + self.unit))),
            // What is fetched behind the end does nothing until the next word.
            None => {
                let next = self.nodes.places.partition_point(|p| p.0 < address);
                if let Some(&(start, n)) = self.nodes.places.get(next) {
                    self.open.push((n, Some(start + self.unit)));
                }
            }
        }
    }

    fn place(&mut self, a: Anchor) {
        self.enter(self.program.address(&self.placed.layout, a));
    }

    /// Places that an expression names.
    fn named(&mut self, e: ExprId) {
        for a in shape(self.program, e).places() {
            self.place(a);
        }
    }

    /// Places that an item names are gone to.
    fn names(&mut self, n: u32) {
        let at = self.nodes.list[n as usize].at;
        for v in self.program.operands_of(at) {
            self.named(v.value);
        }
    }

    fn step(&mut self, (n, fetch): Place) {
        if !self.seen.insert((n, fetch)) {
            return;
        }
        if !std::mem::replace(&mut self.reached[n as usize], true) {
            self.names(n);
        }
        let node = &self.nodes.list[n as usize];
        if node.kind != Kind::Code {
            // Data run word by word.
            self.enter(node.address + u64::from(node.size));
            return;
        }
        let Some(fetch) = fetch else { return };
        // Where nothing stands the next that there is comes.
        let ways = self.ways(node, fetch);
        let next = self.nodes.holding(fetch).map(|f| f.0);
        if ways.falls_through {
            self.go(next, Some(fetch + self.unit));
        }
        if ways.way.is_none() {
            return;
        }
        if let Some(to) = ways.to {
            self.go(next, Some(u64::from(to) * self.unit));
            return;
        }
        self.go(next, None);
        self.computed(n, fetch);
    }

    /// A word runs next, and another is fetched.
    fn go(&mut self, next: Option<u32>, to: Option<u64>) {
        match (next, to) {
            (Some(next), _) => self.open.push((next, to)),
            (None, Some(to)) => self.enter(to),
            (None, None) => {}
        }
    }

    /// Where control goes from a word when another is fetched.
    fn ways(&self, node: &Node, fetch: u64) -> Successors {
        let code = Code {
            bytes: node.code(),
            address: fetch.saturating_sub(self.unit),
        };
        self.book.semantics.successors(code).unwrap_or_default()
    }

    /// A jump whose goal is not certain: places that are named are gone to already.
    fn computed(&mut self, n: u32, fetch: u64) {
        let Some(to) = self.goal(n, fetch) else {
            self.astray.push(n);
            return;
        };
        let named = !self
            .program
            .operands_of(self.nodes.list[n as usize].at)
            .is_empty();
        match (to.high.exact(), to.low.exact()) {
            // A place that is named.
            (_, Some(_)) if named => {}
            (Some(high), low) => {
                let page = u64::from(high) * self.page;
                let own = match low {
                    Some(low) => {
                        let at = page + u64::from(low) * self.unit;
                        at..at + self.unit
                    }
                    None => page..page + self.page,
                };
                if self.entered.iter().any(|e| e.0 == own) {
                    return;
                }
                let from = self.nodes.places.partition_point(|p| p.0 < own.start);
                let all = self.nodes.places[from..].iter().map(|p| p.0);
                let all: Vec<u64> = all.take_while(|&a| a < own.end).collect();
                self.enter(own.start);
                all.into_iter().for_each(|a| self.enter(a));
                self.entered.push((own, n));
            }
            // A number in a page that nobody knows.
            (None, Some(_)) => self.astray.push(n),
            _ => {}
        }
    }

    /// What is known of where a jump goes, with what the words right before it leave.
    fn goal(&self, n: u32, fetch: u64) -> Option<Word> {
        let mut p = Processor::new(Known, KnownMemory::default());
        for cell in 0..self.book.semantics.layout().cells.len() as u8 {
            p.set_cell(cell, Byte::UNKNOWN);
        }
        let mut run = |n: u32, fetch: u64| {
            let node = &self.nodes.list[n as usize];
            p.memory = KnownMemory::default();
            p.set_counter(Byte::of(0), Word::of((fetch / self.unit) as u16));
            let code = Code {
                bytes: node.code(),
                address: node.address,
            };
            self.book.semantics.known(code, &mut p)?;
            Some(p.behind())
        };
        for before in self.straight(n) {
            run(before, fetch)?;
        }
        run(n, fetch)
    }

    /// The words right before one, from which control comes there and from nowhere else.
    fn straight(&self, n: u32) -> Vec<u32> {
        let plain = |n: u32| {
            let node = &self.nodes.list[n as usize];
            node.kind == Kind::Code && node.ways.way.is_none()
        };
        let mut first = n;
        while first > 0 && n - first < STRAIGHT {
            let node = &self.nodes.list[first as usize];
            let before = &self.nodes.list[first as usize - 1];
            // In a slot it would be another way that leads here.
            let slot = first > 1 && !plain(first - 2);
            let joined = before.at.chunk == node.at.chunk
                && before.address + u64::from(before.size) == node.address;
            if !node.labels.is_empty() || !joined || !plain(first - 1) || slot {
                break;
            }
            first -= 1;
        }
        (first..n).collect()
    }
}
