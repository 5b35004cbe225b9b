//! Processors whose calls leave the return address in cells, and whose variables are memory
//! with an address in the instruction: what becomes of values that may be addresses of code
//! is followed through registers and through those variables, of the whole program.
//!
//! What is only kept, passed on and gone to may move with its place. Whatever else is done
//! with it (memory is touched through it, something is counted with it, it goes to who is not
//! known) leaves the whole part of the program as it is.

use super::build::{self, Nodes, Placed};
use super::facts::{Book, Facts};
use super::node::{Kind, Node, Ref, calls, within};
use super::shape::Shape;
use crate::program::Program;
use rustc_hash::{FxHashMap, FxHashSet};
use scrimp_isa::depend::Inputs;
use scrimp_isa::effects::Way;
use scrimp_isa::state::place;

/// States that are looked at for one value.
const MOST: usize = 4000;
/// Bytes of an address.
pub(super) const WORD: usize = 2;

/// What becomes of a value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Fate {
    /// Memory is touched through it.
    pub(super) touched: bool,
    /// It is gone to.
    pub(super) goes: bool,
    /// Something is computed with it, or a part of it is used.
    pub(super) counted: bool,
    /// It goes into memory through a pointer, or to where others than the program may look.
    escapes: bool,
    /// Native code gets it in a register.
    native: bool,
}

impl Fate {
    pub(super) const ANY: Self = Self {
        touched: true,
        goes: true,
        counted: true,
        escapes: true,
        native: true,
    };

    /// Whether it is only kept, passed on and gone to.
    pub(super) fn is_whole(self) -> bool {
        !(self.touched || self.counted || self.escapes || self.native)
    }

    /// Whether a number may be an address.
    pub(super) fn is_address(self) -> bool {
        self.touched || self.goes || self.escapes
    }
}

/// What is asked of such a program.
#[derive(Debug, Default)]
pub struct Linked {
    /// Calls keep their return address in cells.
    pub on: bool,
    /// Somebody does more with a return address than keeping it and going there.
    pub looks: bool,
    pub(super) link: Inputs,
    stack: Inputs,
    /// Nodes by the addresses of memory that they always read.
    readers: FxHashMap<u32, Vec<u32>>,
    /// Where control may come to from where that is not known.
    goals: Vec<u32>,
    /// Those of them that have a name, or begin a part.
    outer: Vec<u32>,
    /// Nodes before which the cells may have the address of a call of the program.
    returns: FxHashSet<u32>,
}

/// A register value at a node.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct At {
    n: u32,
    held: Inputs,
    counted: bool,
}

impl Linked {
    /// Of a program.
    pub fn of(nodes: &Nodes, book: &Book<'_>) -> Self {
        let layout = book.semantics.layout();
        let link = layout.of_cells(layout.link);
        let mut out = Self {
            on: !link.is_empty(),
            link,
            stack: book.stack(),
            ..Self::default()
        };
        if !out.on {
            return out;
        }
        for (n, node) in (0..).zip(&nodes.list) {
            for &a in node.facts.iter().flat_map(|f| &f.reads) {
                out.readers.entry(a).or_default().push(n);
            }
        }
        let code = || (0u32..).zip(&nodes.list).filter(|n| n.1.kind == Kind::Code);
        let mut goals: Vec<u32> = Vec::new();
        let mut called: Vec<u32> = Vec::new();
        for (n, node) in code() {
            let named = node.refs.iter().any(|r| !matches!(r, Ref::Jump(_)));
            let named = named || node.refs.is_empty() && !node.labels.is_empty();
            if named || nodes.starts[node.at.chunk as usize] == n {
                out.outer.push(n);
                goals.push(n);
            }
            let knows = own_address(node, link).is_some();
            if calls(node) {
                called.extend(node.to);
            }
            called.extend(numbered(nodes, node, link));
            if calls(node) || knows {
                goals.extend(node.next);
                called.extend(node.next);
            }
            let writes = node.facts.iter().any(|f| {
                let mut own = f.effects.writes.iter().filter(|&w| link.has(w));
                own.any(|w| f.effects.flows[usize::from(w)].0 & link.0 == 0)
            });
            if writes {
                called.extend(node.next);
            }
            if named {
                called.push(n);
            }
        }
        goals.sort_unstable();
        goals.dedup();
        (out.goals, out.returns) = (goals, out.has_returns(nodes, called));
        out.looks = code().any(|(n, node)| out.looks(nodes, book, (n, node)));
        out
    }

    /// Where the cells may have the address of a call from these nodes on.
    fn has_returns(&self, nodes: &Nodes, mut open: Vec<u32>) -> FxHashSet<u32> {
        let mut seen = FxHashSet::default();
        while let Some(n) = open.pop() {
            let node = &nodes.list[n as usize];
            if node.kind == Kind::Code && seen.insert(n) {
                open.extend(within(node));
                open.extend(node.to);
            }
        }
        seen
    }

    /// Whether a node may do more with a return address than going there.
    fn looks(&self, nodes: &Nodes, book: &Book<'_>, (n, node): (u32, &Node)) -> bool {
        let Some(f) = node.facts.as_ref().filter(|_| node.kind == Kind::Code) else {
            return false;
        };
        let e = &f.effects;
        let on_stack = |i: Inputs| i.0 & self.stack.0 != 0;
        // What lies on the stack, other than what is taken from its end.
        let aside = on_stack(f.pointers) && f.lift == Some(0);
        // The stack pointer is copied.
        let copied = on_stack(e.reads()) && !on_stack(f.pointers) && !on_stack(e.writes);
        if aside || copied && !e.controls {
            return true;
        }
        let reads = e.reads().0 & self.link.0 != 0 && self.returns.contains(&n);
        let puts = e.writes_memory && on_stack(f.pointers) && f.lift.is_some_and(|l| l < 0);
        if !reads || puts || e.controls || matches!(node.ways.way, Some(Way::Return)) {
            return false;
        }
        let held = e.writes.iter().filter(|&w| {
            let flows = e.flows[usize::from(w)];
            flows.0 & self.link.0 != 0
        });
        let held = held.fold(Inputs::NONE, |all, w| all.and(Inputs::one(w)));
        let plain = held.without(self.link) == held && !e.writes_memory && !e.branches;
        !plain || !self.fate(nodes, book, (n, held), (None, false)).is_whole()
    }

    /// What becomes of what is in registers behind a node; of an address where its code is.
    pub fn fate(
        &self,
        nodes: &Nodes,
        book: &Book<'_>,
        (from, held): (u32, Inputs),
        (own, number): (Option<u32>, bool),
    ) -> Fate {
        let mut walk = Walk::new(self, nodes, book, own);
        walk.number = number;
        walk.behind(from, held, false);
        walk.run()
    }

    /// Whether a word of memory is used as an address.
    pub(super) fn is_pointer(&self, nodes: &Nodes, book: &Book<'_>, first: u32) -> bool {
        let mut walk = Walk::new(self, nodes, book, None);
        walk.number = true;
        walk.keeps(first, false);
        walk.keeps(first + 1, false);
        let fate = walk.run();
        fate.touched || fate.goes
    }
}

/// A value on its way.
struct Walk<'a> {
    linked: &'a Linked,
    nodes: &'a Nodes,
    book: &'a Book<'a>,
    own: Option<u32>,
    /// It is a plain number, which may be anything.
    number: bool,
    fate: Fate,
    open: Vec<At>,
    seen: FxHashSet<At>,
    /// Bytes of memory that have a part of it, and whether something was counted with that.
    variables: FxHashMap<u32, bool>,
}

impl<'a> Walk<'a> {
    fn new(linked: &'a Linked, nodes: &'a Nodes, book: &'a Book<'a>, own: Option<u32>) -> Self {
        Self {
            linked,
            nodes,
            book,
            own,
            number: false,
            fate: Fate::default(),
            open: Vec::new(),
            seen: FxHashSet::default(),
            variables: FxHashMap::default(),
        }
    }

    /// Goes on until nothing is open.
    fn run(mut self) -> Fate {
        while let Some(at) = self.open.pop() {
            if self.seen.len() > MOST {
                return Fate::ANY;
            }
            if self.seen.insert(at) {
                self.step(at);
            }
        }
        self.fate
    }

    /// Goes on behind a node, with what is held there.
    fn behind(&mut self, n: u32, held: Inputs, counted: bool) {
        let node = &self.nodes.list[n as usize];
        if held.is_empty() {
            return;
        }
        let mut next: Vec<u32> = within(node).collect();
        // Where nobody knows where that is it may be anywhere; what somebody is left an address
        // of code by he goes to, if anything.
        match (node.ways.way, node.to) {
            (Some(Way::Call), Some(to)) => next.push(to),
            // To who began the program, or what is counted from its start.
            (Some(Way::Return), _) | (Some(_), None) if !self.number => {}
            (Some(Way::Return), _) if !self.linked.returns.contains(&n) => {
                next.extend(&self.linked.outer);
            }
            (Some(Way::Return), _) | (Some(_), None) => next.extend(&self.linked.goals),
            _ => {}
        }
        self.open
            .extend(next.into_iter().map(|n| At { n, held, counted }));
    }

    /// A byte of memory has a part of it now.
    fn keeps(&mut self, a: u32, counted: bool) {
        let old = self.variables.get(&a).copied();
        if old == Some(true) || old == Some(counted) {
            return;
        }
        self.variables.insert(a, counted);
        let own = self.linked.readers.get(&a).into_iter().flatten();
        self.open.extend(own.map(|&n| At {
            n,
            held: Inputs::NONE,
            counted,
        }));
    }

    /// What an instruction does with it.
    fn step(&mut self, at: At) {
        let node = &self.nodes.list[at.n as usize];
        let Some(f) = node.facts.as_ref().filter(|_| node.kind == Kind::Code) else {
            self.fate = Fate::ANY;
            return;
        };
        let e = &f.effects;
        let own = f.reads.iter().filter(|a| self.variables.contains_key(a));
        let own: Vec<u32> = own.copied().collect();
        let holds = |i: Inputs| i.0 & at.held.0 != 0;
        let memory = |i: Inputs| !own.is_empty() && i.has(place::MEMORY);
        // A part of it, or one that something was counted with.
        let part = !own.is_empty() && (own.len() != WORD || f.reads.len() != WORD);
        let before = own.iter().any(|a| self.variables[a]);
        let counted = at.counted || part || before;
        if holds(e.pointers) || memory(e.pointers) {
            self.fate.touched = true;
            self.fate.counted |= counted;
        }
        let unknown = node.ways.way.is_some() && node.ways.to.is_none();
        let goes = unknown && (holds(e.uses) || memory(e.uses));
        if goes {
            self.fate.goes = true;
            self.fate.counted |= counted;
        }
        if e.controls && holds(e.uses) {
            self.fate.native = true;
        }
        // A return address goes onto the stack, to come from there again.
        let grows =
            f.lift.is_some_and(|l| l < 0) && e.uses.0 & at.held.without(self.linked.link).0 == 0;
        if e.writes_memory && !grows {
            self.stores(f, holds(e.uses), (!own.is_empty(), counted));
        }
        let mut held = at.held.without(e.writes);
        let mut all = counted;
        for w in e.writes.iter() {
            let flows = e.flows[usize::from(w)];
            // What native code makes of it is its own.
            if e.controls || !holds(flows) && !memory(flows) {
                continue;
            }
            all |= flows.count() > 1;
            if self.linked.link.has(w) {
                // Where somebody returns to.
                self.fate.goes = true;
                self.fate.counted |= counted || flows.count() > 1;
                held = held.and(Inputs::one(w));
            } else if self.linked.stack.has(w) {
                self.fate.touched = true;
            } else {
                held = held.and(Inputs::one(w));
            }
        }
        match (goes, node.ways.way) {
            // It is gone to with itself in a register.
            (true, Some(Way::Jump | Way::Call | Way::Return)) if !held.is_empty() => match self.own
            {
                Some(to) => {
                    let next = node.next.filter(|_| node.ways.way == Some(Way::Call));
                    let ways = [Some(to), next].into_iter().flatten();
                    self.open.extend(ways.map(|n| At {
                        n,
                        held,
                        counted: all,
                    }));
                }
                None => self.behind(at.n, held, all),
            },
            _ => self.behind(at.n, held, all),
        }
    }

    /// What a store does with it.
    fn stores(&mut self, f: &Facts, value: bool, (copied, counted): (bool, bool)) {
        if !value && !copied {
            return;
        }
        if f.writes.is_empty() {
            self.fate.escapes = true;
            return;
        }
        let whole = value && !copied && f.writes.len() == WORD;
        for &a in &f.writes {
            if self.book.semantics.is_elsewhere(a) {
                continue;
            }
            if !self.book.semantics.is_own(a) {
                self.fate.escapes = true;
            }
            self.keeps(a, counted || !whole);
        }
    }
}

/// Registers in which a node leaves its own address, other than by a call.
pub(super) fn own_address(node: &Node, link: Inputs) -> Option<Inputs> {
    let e = &node.facts.as_ref()?.effects;
    let calls = node.ways.way == Some(Way::Call);
    let own = e.writes.iter().filter(|&w| {
        let made = e.flows[usize::from(w)].has(place::PC);
        made && !(calls && link.has(w))
    });
    let own = own.fold(Inputs::NONE, |all, w| all.and(Inputs::one(w)));
    (!own.is_empty()).then_some(own)
}

/// Whether an instruction goes over the end of a page behind which its first byte comes, or
/// control goes on there.
pub fn leaves_a_page(program: &Program<'_>, placed: &Placed, book: &Book<'_>) -> bool {
    let Some(page) = program.target.wraps_in_page() else {
        return false;
    };
    let nodes = build::nodes(program, placed, book);
    nodes.list.iter().any(|n| {
        let end = n.address + u64::from(n.size);
        let over = n.address / page != end / page;
        let goes_on = n.ways.falls_through || calls(n) || !end.is_multiple_of(page);
        // What knows its own end.
        let own = n.facts.as_ref().is_some_and(|f| {
            let mut all = f.effects.writes.iter();
            all.any(|w| f.effects.flows[usize::from(w)].has(place::PC))
        });
        n.kind == Kind::Code && over && (goes_on || own)
    })
}

/// The code whose address a node has as a number, but where that is put into the cells of the
/// return address right behind.
fn numbered(nodes: &Nodes, node: &Node, link: Inputs) -> Option<u32> {
    let mut numbers = node.operands.iter();
    let number = numbers.find(|o| o.shape == Shape::Number && o.width >= 16 && !o.relative)?;
    let to = nodes.at((number.value & 0xffff) as u64)?;
    let next = node.next.map(|n| &nodes.list[n as usize]);
    let f = next.and_then(|n| n.facts.as_ref());
    let kept = f.is_some_and(|f| f.effects.writes.0 & link.0 != 0);
    (nodes.list[to as usize].kind == Kind::Code && !kept).then_some(to)
}
