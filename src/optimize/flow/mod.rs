//! The flow of control of a placed program: nodes with what they do and where control goes
//! from them, what must stay as it is, routines, and what is live.
//!
//! Everything is derived from the bytes as they are placed and from the meaning of the
//! instructions. What is not understood is pinned.

mod asked;
mod blocks;
mod build;
mod bytes;
mod copied;
mod facts;
mod handlers;
mod hazard;
mod home;
mod kept;
mod linked;
mod live;
mod looks;
mod low;
mod node;
mod order;
mod otherwise;
mod over;
mod pairs;
mod parts;
mod pieces;
mod ports;
mod prepared;
mod promised;
mod returns;
mod room;
mod routine;
mod shape;
mod sides;
mod slotted;
mod strays;
mod taken;
mod trace;
mod turns;
mod undone;
mod values;
mod ways;
mod zero;

pub use build::{Nodes, Placed, goal, nodes as nodes_of};
pub use facts::{Book, ELSEWHERE, Facts};
pub use hazard::Kept;
pub use linked::leaves_a_page;
pub use live::Live;
pub use low::leads_to_registers;
pub use node::{Kind, Known, Node, Operand, Reason, Ref, behind_data};
pub use pieces::around;
pub use prepared::{Prepared, Ready, RuleSet};
pub use promised::Promised;
pub use room::{bytes as room, find as find_rooms, last as last_room, of as rooms_of};
pub use routine::{ALL, Routine, Routines, calls, within};
pub use shape::{MARK, Scale, Shape, Steady, shape, steady};
pub use slotted::Slotted;
pub use taken::{Taken, Touch};
pub use trace::is_certain;
pub use turns::Turns;
pub use values::{Cells, Values as ValueMap, find as find_values};

use super::contract::Contracts;
use super::ledger::Fence;
use crate::image::origin;
use crate::program::Program;
use crate::program::symbol::SymbolId;
use kept::KeptPointers;
use rustc_hash::FxHashSet;
use scrimp_isa::Base;
use scrimp_isa::depend::Inputs;
use std::rc::Rc;

/// A placed program with all that is known of it.
pub struct Flow<'a, 'p> {
    /// The program.
    pub program: &'a Program<'p>,
    /// Addresses and bytes.
    pub placed: &'a Placed,
    /// What instructions do.
    pub book: &'a Book<'a>,
    /// The nodes.
    pub nodes: Nodes,
    /// The routines.
    pub routines: Routines,
    /// What is live.
    pub live: Live,
    /// Locations that are always live: the stack pointer, what belongs to the machine, what
    /// interrupts use.
    pub kept: Inputs,
    /// What contracts say.
    pub contracts: Rc<Contracts>,
    /// Where the word behind a jump runs before that leads anywhere: what is reached.
    pub slotted: Option<Slotted>,
}

impl<'a, 'p> Flow<'a, 'p> {
    /// Code that stays as it is: why, how many bytes, and the first node of it, or that which
    /// is the cause.
    pub fn left(&self) -> Vec<(Reason, u64, u32)> {
        let mut out: std::collections::BTreeMap<(Reason, u32), (u64, u32)> = Default::default();
        for (n, node) in (0..).zip(&self.nodes.list) {
            let Some(reason) = node.pin.filter(|_| node.kind == Kind::Code) else {
                continue;
            };
            let list = self.nodes.frozen.iter();
            let mut frozen = list.filter(|f| f.chunk == node.at.chunk && n < f.until);
            let frozen = frozen.find(|f| f.reason == reason);
            let by = match self.nodes.causes.get(&n) {
                Some(&c) if reason == Reason::Read => Some(c),
                _ => frozen.and_then(|f| f.by),
            };
            let key = by.or(frozen.map(|f| f.chunk)).unwrap_or(u32::MAX);
            let sum = out.entry((reason, key)).or_insert((0, by.unwrap_or(n)));
            sum.0 += u64::from(node.size);
        }
        out.into_iter().map(|((r, _), (b, n))| (r, b, n)).collect()
    }

    /// Each instruction that stays as it is, and why.
    pub fn fences(&self) -> Vec<Fence> {
        let all = (0..)
            .zip(&self.nodes.list)
            .filter(|n| n.1.kind == Kind::Code);
        let fence = |(n, node): (u32, &Node)| {
            let reason = node.pin?.text();
            let place = self.place(n);
            Some(Fence { place, reason })
        };
        all.filter_map(fence).collect()
    }

    /// Labels of instructions that nobody in the program names.
    pub fn open_labels(&self) -> FxHashSet<SymbolId> {
        let own = self.nodes.list.iter().filter(|n| n.refs.is_empty());
        own.flat_map(|n| n.labels.iter().copied()).collect()
    }

    /// Finds all of it.
    pub fn new(
        program: &'a Program<'p>,
        placed: &'a Placed,
        book: &'a Book<'a>,
        kept: &Kept,
    ) -> Self {
        let mut nodes = build::nodes(program, placed, book);
        let contracts = Rc::clone(&kept.contracts);
        if program.target.has_slots() {
            let slotted = slotted::find(program, placed, book, &mut nodes, kept);
            return Self {
                program,
                placed,
                book,
                nodes,
                routines: Routines::default(),
                live: Live::default(),
                kept: Inputs::NONE,
                contracts,
                slotted: Some(slotted),
            };
        }
        let promised = Promised::of(program, placed, &nodes, &kept.contracts);
        promised.inline(&mut nodes, placed, book);
        let pending = hazard::find(program, placed, book, &mut nodes, kept);
        let pointers = KeptPointers::of(program, placed, &nodes, book);
        let mut routines = routine::find(&nodes, book, (&promised, &pointers));
        let kept = always_live(program, &nodes, &routines, book);
        let first = live::find(&nodes, &mut routines, kept);
        let (known, rest) = ((&first, &routines), (&promised, pending));
        hazard::finish(program, placed, book, &mut nodes, known, rest);
        let pointers = KeptPointers::of(program, placed, &nodes, book);
        let mut routines = routine::find(&nodes, book, (&promised, &pointers));
        let kept = always_live(program, &nodes, &routines, book);
        let live = live::find(&nodes, &mut routines, kept);
        Self {
            program,
            placed,
            book,
            nodes,
            routines,
            live,
            kept,
            contracts,
            slotted: None,
        }
    }

    /// Whether a data address surely is one of memory, which may be read more often or less:
    /// the program has bytes there, or at least some in that part of it. Where memory is apart
    /// from code all that is read as memory is none of a device.
    pub fn is_memory(&self, address: u32) -> bool {
        if self.book.semantics.unit() > 1 {
            return true;
        }
        if self.book.semantics.is_own(address) {
            return true;
        }
        let Some((n, _)) = self.nodes.holding(address.into()) else {
            return false;
        };
        // Room alone may be the names of a device's registers.
        let chunk = self.node(n).at.chunk as usize;
        let end = self.nodes.starts.get(chunk + 1).copied();
        let end = end.unwrap_or(self.nodes.list.len() as u32);
        let own = &self.nodes.list[self.nodes.starts[chunk] as usize..end as usize];
        own.iter().any(|n| n.size > 0 && n.kind != Kind::Room)
    }

    /// Whether calls leave their return address elsewhere than on the stack.
    pub fn is_linked(&self) -> bool {
        !self.book.semantics.layout().link.is_empty()
    }

    /// Whether a jump with an operand of a class leads from one node to another: where a page
    /// is not left both are in one.
    pub fn in_reach(&self, class: u8, from: u32, to: u32) -> bool {
        let value = self.program.operands[usize::from(class)].value;
        let near = value.is_some_and(|v| matches!(v.base, Base::InPage { far: false, .. }));
        let page = self.program.target.wraps_in_page().filter(|_| near);
        let in_page = |n: u32, page: u64| self.node(n).address / page;
        page.is_none_or(|p| in_page(from, p) == in_page(to, p))
    }

    /// A node.
    pub fn node(&self, n: u32) -> &Node {
        &self.nodes.list[n as usize]
    }

    /// The instruction in the target's own words.
    pub fn text(&self, n: u32) -> String {
        let node = self.node(n);
        self.decoded(node.code(), node.address)
    }

    /// Bytes at an address in the target's own words.
    pub fn decoded(&self, bytes: &[u8], address: u64) -> String {
        text(self.program, bytes, address)
    }

    /// Where its statement stands.
    pub fn place(&self, n: u32) -> String {
        let item = self.program.item(self.node(n).at);
        item.map_or_else(String::new, |i| {
            let sources = &self.program.sources;
            origin::place(sources, sources.in_file(i.span))
        })
    }

    /// A label for a place, or none.
    pub fn label(&self, n: u32) -> Option<SymbolId> {
        self.node(n).labels.first().copied()
    }

    /// The nodes from `first` on, of which control comes to each from the one before only.
    pub fn straight(&self, first: u32) -> impl Iterator<Item = u32> + '_ {
        let mut at = Some(first);
        std::iter::from_fn(move || {
            let n = at?;
            let node = self.node(n);
            if !node.is_free() || (n != first && node.is_reached()) {
                return None;
            }
            let plain = node.ways.way.is_none();
            at = node.next.filter(|&x| plain && self.adjoins(n, x));
            Some(n)
        })
    }

    /// Whether a node is the next of another in its chunk, with nothing of a byte between.
    pub fn adjoins_over_nothing(&self, a: u32, b: u32) -> bool {
        let same = self.node(a).at.chunk == self.node(b).at.chunk;
        same && a < b && (a + 1..b).all(|n| self.node(n).size == 0)
    }

    /// Whether an item follows another in its chunk with nothing between.
    pub fn adjoins(&self, a: u32, b: u32) -> bool {
        let (a, b) = (self.node(a).at, self.node(b).at);
        a.chunk == b.chunk && a.item + 1 == b.item
    }
}

/// Bytes at an address in the target's own words.
pub fn text(program: &Program<'_>, bytes: &[u8], address: u64) -> String {
    let decoded = program.target.decode_on(bytes, address, program.machine);
    decoded.map_or_else(|| format!("{} bytes", bytes.len()), |d| d.text)
}

/// What is always live.
fn always_live(
    program: &Program<'_>,
    nodes: &Nodes,
    routines: &Routines,
    book: &Book<'_>,
) -> Inputs {
    let layout = book.semantics.layout();
    let mut kept = book.stack().and(layout.of_cells(book.semantics.outside()));
    let reserved = program.machine.map_or(&[][..], |m| m.reserved());
    for name in reserved {
        kept = kept.and(cell(layout, name));
    }
    kept.and(handlers::touched(program, nodes, routines, book))
}

/// The locations of a cell by its name.
fn cell(layout: &scrimp_isa::state::Layout, name: &str) -> Inputs {
    let cells = (0..).zip(layout.cells);
    let own: Vec<u8> = cells.filter(|c| c.1.name == name).map(|c| c.0).collect();
    layout.of_cells(&own)
}
