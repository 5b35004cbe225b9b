//! What must stay as it is: nodes that are named, read, written, or executed otherwise than
//! as the next instruction or the goal of a jump. Found from the meaning of instructions and
//! the shapes of expressions; where something is not understood, it is left alone.

use super::blocks;
use super::build::{Frozen, Nodes, Placed, SOMEWHERE, goal};
use super::facts::Book;
use super::handlers;
use super::home::{self, Home};
use super::linked::Linked;
use super::live::{Back, Live};
use super::node::{Kind, Known, Operand, Reason, Ref};
use super::promised::Promised;
use super::returns;
use super::room;
use super::routine::{self, Routines};
use super::shape::{Scale, Shape, shape};
use super::taken::{Seen, Taken, Touch};
use super::trace;
use super::undone::{self, Undone};
use crate::optimize::contract::Contracts;
use crate::program::item::What;
use crate::program::symbol::{Anchor, ExprId, SymbolId};
use crate::program::{Field, Program, Value};
use rustc_hash::{FxHashMap, FxHashSet};
use scrimp_isa::effects::Way;
use std::rc::Rc;

/// Bytes that an instruction may reach into what stands behind data.
const OVERLAP: u64 = 8;

/// A number that is an address in the program: the node that has it, the node there and the
/// bytes behind its start, the address.
type Place = (u32, (u32, u64), u64);

/// A node that stays at its address: why, and the cause.
type Held = (u32, Reason, Option<u32>);

/// The search for hazards.
pub(super) struct Search<'a, 'p> {
    pub(super) program: &'a Program<'p>,
    pub(super) placed: &'a Placed,
    pub(super) book: &'a Book<'a>,
    pub(super) nodes: &'a mut Nodes,
    pub(super) live: &'a Live,
    pub(super) routines: &'a Routines,
    /// Of each node that returns where that may be to.
    pub(super) returns: Vec<Option<Back>>,
    /// Of each routine whether it comes back.
    pub(super) home: Vec<Home>,
    /// And the nodes that call it.
    pub(super) callers: Vec<Vec<u32>>,
    pub(super) numbers: Vec<Place>,
    /// Nodes that the one before may go over.
    pub(super) skipped: Vec<u32>,
    /// Nodes whose address is known to more than jumps: whose value it is.
    pub(super) taken: Vec<(u32, u64, Option<u32>)>,
    /// For each chunk the node up to which nothing may move.
    pub(super) frozen: Vec<Option<(u32, Reason, Option<u32>)>>,
    /// Nodes that stay at their addresses, whatever becomes of what stands before them.
    pub(super) held: Vec<Held>,
    /// Code that is touched as data, and whether as a block.
    pub(super) regions: Vec<(u32, bool)>,
    /// The node that is looked at.
    pub(super) now: Option<u32>,
    pub(super) contracts: &'a Contracts,
    pub(super) promised: Option<&'a Promised>,
    /// What is taken back.
    pub(super) undone: Undone,
    /// What becomes of values where calls keep no address on the stack.
    pub(super) linked: Linked,
}

/// What is known from the program as it was.
#[derive(Clone, Debug, Default)]
pub struct Kept {
    /// Items that may not move: room before them may see to that.
    pub items: Vec<Anchor>,
    /// Items before which nothing may change.
    pub hard: Vec<Anchor>,
    /// Labels that nobody in the program names: they are there for others.
    pub open: Option<FxHashSet<SymbolId>>,
    /// What is said of it.
    pub contracts: Rc<Contracts>,
    /// Code that others may know by its address; `None` where that is still to be found.
    pub known: Option<Rc<[Known]>>,
}

/// Puts references and pins into the nodes.
pub fn find(
    program: &Program<'_>,
    placed: &Placed,
    book: &Book<'_>,
    nodes: &mut Nodes,
    kept: &Kept,
) -> Pending {
    let mut pending = Pending {
        frozen: vec![None; program.chunks.len()],
        ..Pending::default()
    };
    let (live, none) = (Live::default(), Routines::default());
    let mut s = Search {
        program,
        placed,
        book,
        nodes,
        live: &live,
        routines: &none,
        returns: Vec::new(),
        home: Vec::new(),
        callers: Vec::new(),
        taken: Vec::new(),
        numbers: Vec::new(),
        skipped: Vec::new(),
        frozen: std::mem::take(&mut pending.frozen),
        held: Vec::new(),
        regions: Vec::new(),
        now: None,
        contracts: &kept.contracts,
        promised: None,
        undone: Undone::default(),
        linked: Linked::default(),
    };
    s.references();
    s.data_references();
    s.constants();
    s.steady();
    s.entries(kept.open.as_ref());
    s.strays(kept.known.as_deref());
    s.linked = Linked::of(s.nodes, s.book);
    s.inline();
    s.executed_data();
    for n in std::mem::take(&mut s.skipped) {
        s.pin(n, Reason::Skipped);
    }
    s.asked();
    s.stores();
    s.linked();
    s.ports();
    s.pairs();
    s.borders();
    s.in_order();
    for &a in &kept.hard {
        s.now = s.nodes.of(a);
        s.freeze(a.chunk, s.now, Reason::Fixed);
    }
    for &a in &kept.items {
        s.now = s.nodes.of(a);
        match s.now {
            Some(n) => s.hold(n, Reason::Fixed),
            None => s.freeze(a.chunk, None, Reason::Fixed),
        }
    }
    s.now = None;
    for &(to, ..) in &s.taken {
        if s.nodes.list[to as usize].kind == Kind::Code {
            s.nodes.list[to as usize].entry = true;
        }
    }
    s.orphans();
    Pending {
        taken: s.taken,
        numbers: s.numbers,
        frozen: s.frozen,
        held: s.held,
        regions: s.regions,
    }
}

/// The rest of it, which asks for what is live: what becomes of addresses and numbers.
pub fn finish(
    program: &Program<'_>,
    placed: &Placed,
    book: &Book<'_>,
    nodes: &mut Nodes,
    (live, routines): (&Live, &Routines),
    (promised, pending): (&Promised, Pending),
) {
    let none = Contracts::default();
    nodes.blocks = blocks::find(nodes, book);
    let home = home::find(nodes, book, routines);
    let returns = super::live::ways_home(nodes, routines, &home);
    let undone = undone::find(nodes, book);
    let linked = Linked::of(nodes, book);
    let mut s = Search {
        program,
        placed,
        book,
        nodes,
        live,
        routines,
        returns,
        home,
        callers: routine::called_by(routines),
        taken: pending.taken,
        numbers: Vec::new(),
        skipped: Vec::new(),
        frozen: pending.frozen,
        held: pending.held,
        regions: pending.regions,
        now: None,
        contracts: &none,
        promised: Some(promised),
        undone,
        linked,
    };
    if s.linked.on {
        s.linked_places(pending.numbers);
        return s.close();
    }
    for (n, to, address) in pending.numbers {
        s.now = Some(n);
        s.number(n, to, address);
    }
    s.now = None;
    s.taken_places();
    s.close();
}

/// What is not decided yet.
#[derive(Debug, Default)]
pub struct Pending {
    taken: Vec<(u32, u64, Option<u32>)>,
    /// Numbers that are addresses in the program.
    numbers: Vec<Place>,
    frozen: Vec<Option<(u32, Reason, Option<u32>)>>,
    held: Vec<Held>,
    regions: Vec<(u32, bool)>,
}

impl Search<'_, '_> {
    /// The node of a place: the first of at least a byte there.
    pub(super) fn node_of(&self, a: Anchor) -> Option<u32> {
        let mut n = self.nodes.of(a);
        while let Some(i) = n {
            let node = &self.nodes.list[i as usize];
            if node.size > 0 {
                return n;
            }
            n = self.nodes.of(Anchor {
                item: node.at.item + 1,
                ..node.at
            });
        }
        self.nodes.at(self.program.address(&self.placed.layout, a))
    }

    pub(super) fn pin(&mut self, n: u32, reason: Reason) {
        let node = &mut self.nodes.list[n as usize];
        node.pin = Some(node.pin.map_or(reason, |old| old.min(reason)));
    }

    /// Nothing of a chunk up to a node, or all of it, may move.
    pub(super) fn freeze(&mut self, chunk: u32, until: Option<u32>, reason: Reason) {
        let until = until.unwrap_or(u32::MAX);
        let slot = &mut self.frozen[chunk as usize];
        match slot {
            Some((old, ..)) if *old >= until => {}
            _ => *slot = Some((until, reason, self.now)),
        }
    }

    /// A node stays at its address: room before it can see to that.
    pub(super) fn hold(&mut self, n: u32, reason: Reason) {
        self.held.push((n, reason, self.now));
    }

    /// What is from one place to another keeps its size.
    pub(super) fn span(&mut self, from: Anchor, to: u32, reason: Reason) {
        let end = self.nodes.starts.get(from.chunk as usize + 1);
        let end = end.map_or(self.nodes.list.len() as u32, |&e| e);
        let last = || end.checked_sub(1).filter(|_| self.nodes.of(from).is_none());
        let Some(start) = last().or_else(|| self.node_of(from)) else {
            return self.freeze(from.chunk, None, reason);
        };
        let chunk = self.nodes.list[to as usize].at.chunk;
        if chunk != from.chunk {
            self.freeze(chunk, None, reason);
            return self.freeze(from.chunk, None, reason);
        }
        let own = start.min(to)..=start.max(to);
        self.nodes.together.extend(own.clone().skip(1));
        for n in own {
            if self.nodes.list[n as usize].kind != Kind::Data {
                self.pin(n, reason);
            }
        }
    }

    /// The linear address of a place and so many addresses behind it.
    fn address(&self, a: Anchor, plus: i64) -> u64 {
        let unit = i64::from(self.program.chunks[a.chunk as usize].unit);
        let at = self.program.address(&self.placed.layout, a);
        at.wrapping_add_signed(plus * unit)
    }

    /// What the operands of instructions name.
    fn references(&mut self) {
        for n in 0..self.nodes.list.len() as u32 {
            let node = &self.nodes.list[n as usize];
            if node.kind != Kind::Code {
                continue;
            }
            let operands = node.operands.clone();
            self.now = Some(n);
            let (goal, way) = (goal(self.book, &node.ways), node.ways.way);
            if let (Some(to), Some(way)) = (node.to, way) {
                let by = match way {
                    Way::Call => Some(Ref::Call(n)),
                    Way::Jump => Some(Ref::Jump(n)),
                    Way::Skip | Way::Return => None,
                };
                if let Some(by) = by {
                    self.nodes.list[to as usize].refs.push(by);
                }
                if way == Way::Skip {
                    // What it goes over is one instruction, whatever becomes of others.
                    self.nodes.list[to as usize].refs.push(Ref::Jump(n));
                    self.skipped.extend(self.nodes.list[n as usize].next);
                }
            }
            let goes = |o: &Operand| {
                let leads = matches!(way, Some(Way::Jump | Way::Call));
                leads && (o.relative || o.width >= 12) && goal.is_some()
            };
            for o in &operands {
                if goes(o) {
                    self.going(n, o, goal.unwrap_or(0));
                } else {
                    self.value(n, o);
                }
            }
            let implied = operands.is_empty() || !operands.iter().any(goes);
            if implied
                && way == Some(Way::Call)
                && let Some(to) = self.nodes.list[n as usize].to
            {
                // The instruction itself means that address.
                let chunk = self.nodes.list[to as usize].at.chunk;
                self.freeze(chunk, Some(to), Reason::Numbered);
            }
        }
    }

    /// The goal of a jump or call.
    fn going(&mut self, n: u32, o: &Operand, goal: u64) {
        match &o.shape {
            Shape::Address(_, 0) if self.nodes.at(goal).is_some() => {}
            Shape::Address(a, _) => match self.nodes.holding(goal) {
                Some((to, behind)) => {
                    self.span(*a, to, Reason::Numbered);
                    if behind > 0 {
                        self.overlapped(to, goal);
                    }
                }
                // What is outside stays where it is, and so does what it is counted from.
                None => match self.node_of(*a) {
                    Some(from) => {
                        self.pin(n, Reason::Numbered);
                        self.hold(from, Reason::Numbered);
                        self.hold(n, Reason::Numbered);
                    }
                    None => self.freeze(a.chunk, None, Reason::Numbered),
                },
            },
            Shape::Number => {
                let open = goal >= SOMEWHERE;
                let goal = if open { goal - SOMEWHERE } else { goal };
                if let Some((to, behind)) = self.nodes.holding(goal) {
                    self.hold(to, Reason::Numbered);
                    self.nodes.list[to as usize].entry |= open;
                    if behind > 0 {
                        self.overlapped(to, goal);
                    }
                } else if o.relative {
                    self.pin(n, Reason::Numbered);
                    self.hold(n, Reason::Numbered);
                }
            }
            other => {
                for a in other.places() {
                    self.freeze(a.chunk, None, Reason::Numbered);
                }
            }
        }
    }

    /// An instruction is executed from its middle on.
    fn overlapped(&mut self, n: u32, goal: u64) {
        let from = self.nodes.list[n as usize].address;
        self.behind(from, Reason::Overlapped);
        self.otherwise(goal);
    }

    /// What stands at an address and behind it, as far as an instruction reaches, is executed
    /// otherwise.
    fn behind(&mut self, from: u64, reason: Reason) {
        let first = self.nodes.places.partition_point(|p| p.0 < from);
        for i in first..self.nodes.places.len() {
            let (at, n) = self.nodes.places[i];
            if at >= from + OVERLAP {
                break;
            }
            self.pin(n, reason);
            self.nodes.list[n as usize].entry = true;
        }
    }

    /// A value of an instruction that is no goal.
    fn value(&mut self, n: u32, o: &Operand) {
        match &o.shape {
            Shape::Number if o.width >= 16 => {
                let unit = self.book.semantics.unit();
                let address = (o.value as u64) & 0xffff;
                if unit > 1 {
                    return;
                }
                if let Some((to, behind)) = self.nodes.holding(address)
                    && !self.is_plain(n, o.value)
                {
                    self.numbers.push((n, (to, behind), address));
                }
            }
            Shape::Number => {}
            Shape::Address(a, plus) => self.address_value(*a, *plus, Some(n)),
            Shape::Half(a, plus, _) => self.address_value(*a, *plus, None),
            Shape::Scaled(a, s) => self.scaled_value(*a, *s, None),
            Shape::Byte(a, s, _) => self.scaled_value(*a, *s, Some(n).filter(|_| s.is_plain())),
            Shape::Difference(a, b) => {
                for a in [*a, *b] {
                    self.name(a);
                }
            }
            Shape::Mixed(all) => {
                for &a in all {
                    self.address_value(a, 0, None);
                }
            }
        }
    }

    /// A number that is the address of something in the program.
    fn number(&mut self, n: u32, (to, behind): (u32, u64), address: u64) {
        let facts = self.nodes.list[n as usize].facts.clone();
        let named = |list: &[u32]| list.iter().any(|&a| u64::from(a) == address);
        let touched = facts.is_some_and(|f| named(&f.reads) || named(&f.writes));
        let chunk = self.nodes.list[to as usize].at.chunk;
        let used = self.taken_by(n, true);
        // What nothing else leads to is no number by chance.
        let stray = behind == 0 && self.is_stray(to);
        if !touched && !used.is_address() && !stray {
            return;
        }
        // Code has labels where it is named: only what surely is an address is one there.
        let plain = self.is_code(to)
            && (behind > 0 || self.nodes.list[to as usize].labels.is_empty())
            && self.data_behind(to).is_none();
        if plain && !touched && !stray && !trace::is_certain(self.nodes, n) {
            let number = Taken::default();
            self.nodes.uses.insert(n, number);
            return;
        }
        match !touched && used.touch == Touch::Far && !self.nodes.is_data_down(address, used) {
            // A block may come down from there.
            true => self.freeze(chunk, Some(to), Reason::Numbered),
            false => self.hold(to, Reason::Numbered),
        }
        if self.is_code(to) {
            self.taken.push((to, behind, Some(n)));
            let data = self.data_behind(to);
            data.into_iter()
                .for_each(|d| self.hold(d, Reason::Numbered));
        } else if used.enters() {
            self.data_executed(address);
        }
    }

    /// Whether a contract says that a number of a node is no address. Where memory is
    /// touched there it is one.
    fn is_plain(&self, n: u32, value: i64) -> bool {
        let node = &self.nodes.list[n as usize];
        let address = (value & 0xffff) as u32;
        let facts = node.facts.as_ref();
        let touched =
            facts.is_some_and(|f| f.reads.contains(&address) || f.writes.contains(&address));
        let span = self.program.item(node.at).map(|i| i.span);
        !touched && span.is_some_and(|s| self.contracts.is_plain(self.program, s, value))
    }

    pub(super) fn is_code(&self, n: u32) -> bool {
        self.nodes.list[n as usize].kind == Kind::Code
    }

    /// Something names a place.
    pub(super) fn name(&mut self, a: Anchor) {
        if let Some(n) = self.node_of(a) {
            self.nodes.list[n as usize].refs.push(Ref::Other);
        }
    }

    /// An address is somebody's value, in other units.
    fn scaled_value(&mut self, a: Anchor, s: Scale, by: Option<u32>) {
        let more = s.bytes.unwrap_or(0);
        let address = self.address(a, s.plus).wrapping_add_signed(more);
        self.taken_address(a, s.plus.saturating_add(more), address, by);
    }

    /// An address is somebody's value.
    fn address_value(&mut self, a: Anchor, plus: i64, by: Option<u32>) {
        let address = self.address(a, plus);
        self.taken_address(a, plus, address, by);
    }

    fn taken_address(&mut self, a: Anchor, plus: i64, address: u64, by: Option<u32>) {
        let Some((to, behind)) = self.nodes.holding(address) else {
            // The end of something: it moves with it.
            return self.name(a);
        };
        let over = self.is_room_over(a.chunk, to);
        if over {
            self.hold(to, Reason::Numbered);
        }
        if plus != 0 || behind > 0 || a.plus != 0 {
            if !over {
                self.span(a, to, Reason::Numbered);
            }
            if behind > 0 && self.is_code(to) {
                self.pin(to, Reason::Modified);
                self.goes_anywhere(to);
            }
        }
        self.nodes.list[to as usize]
            .refs
            .push(by.map_or(Ref::Other, Ref::Value));
        // What is counted from data is theirs, also where it begins before them.
        let data = plus < 0 && self.node_of(a).is_some_and(|n| !self.is_code(n));
        if !data || !self.is_code(to) {
            self.taken.push((to, behind, by));
        }
    }

    /// Whether a chunk is room at a fixed address that lies over a node of another one: variables
    /// where something was that is not needed any more.
    fn is_room_over(&self, chunk: u32, n: u32) -> bool {
        let c = chunk as usize;
        self.nodes.list[n as usize].at.chunk != chunk
            && self.program.chunks[c].base.is_some()
            && self.placed.bytes[c].is_empty()
    }

    /// Addresses in data: tables of goals, or of data.
    fn data_references(&mut self) {
        self.now = None;
        let bytes = self.tables_of_bytes();
        for v in &self.program.values {
            if !matches!(v.field, Field::Data(_)) {
                continue;
            }
            // Without such tables none is looked for.
            let goals = bytes.is_empty() || self.table(v.at).is_none_or(|t| !bytes.contains(&t));
            match shape(self.program, v.value) {
                Shape::Number => {}
                Shape::Address(a, plus) | Shape::Half(a, plus, _) => {
                    let address = self.address(a, plus);
                    match self.nodes.holding(address) {
                        Some((to, 0)) if goals && plus == 0 && self.is_code(to) => {
                            // A goal: it is reached from everywhere.
                            let node = &mut self.nodes.list[to as usize];
                            node.refs.push(Ref::Other);
                            node.entry = true;
                        }
                        _ => self.address_value(a, plus, None),
                    }
                }
                Shape::Scaled(a, s) => match self.nodes.holding(self.address(a, s.plus)) {
                    Some((to, 0)) if s.is_plain() && self.is_code(to) => {
                        let node = &mut self.nodes.list[to as usize];
                        node.refs.push(Ref::Other);
                        node.entry = true;
                    }
                    _ => self.scaled_value(a, s, None),
                },
                Shape::Byte(a, s, _) => self.scaled_value(a, s, None),
                Shape::Difference(a, b) => {
                    self.name(a);
                    self.name(b);
                    for a in [a, b] {
                        if let Some(n) = self.node_of(a) {
                            self.nodes.list[n as usize].entry = true;
                        }
                    }
                }
                Shape::Mixed(all) => {
                    for a in all {
                        self.address_value(a, 0, None);
                    }
                }
            }
        }
    }

    /// What else names places: room that is counted, checks, the entry, promises.
    fn constants(&mut self) {
        let program = self.program;
        let mut named: Vec<ExprId> = Vec::new();
        for item in program.chunks.iter().flat_map(|c| &c.items) {
            if let What::Space { count, .. } = item.what {
                named.push(count);
            }
        }
        for later in &program.asked.later {
            named.extend(later.condition);
        }
        for e in named {
            for a in shape(program, e).places() {
                self.name(a);
            }
        }
        if let Some((v, _)) = program.asked.entry {
            match v {
                Value::Expr(e) | Value::Known(_, e) => {
                    for a in shape(program, e).places() {
                        if let Some(n) = self.node_of(a) {
                            self.nodes.list[n as usize].entry = true;
                        }
                    }
                }
                Value::Number(n) => {
                    if let Some((to, _)) = self.nodes.holding(n as u64) {
                        self.nodes.list[to as usize].entry = true;
                        self.hold(to, Reason::Numbered);
                    }
                }
            }
        }
        for p in &program.asked.contracts {
            self.freeze(p.place.chunk, None, Reason::Timed);
        }
    }

    /// Where control may come from outside: the start of each chunk, labels that nobody
    /// names, addresses that the CPU goes to by itself.
    fn entries(&mut self, open: Option<&FxHashSet<SymbolId>>) {
        let mut first = FxHashSet::default();
        let begins = self.begins();
        for n in 0..self.nodes.list.len() {
            let node = &self.nodes.list[n];
            if node.size == 0 && !node.labels.is_empty() {
                // The name is that of what stands behind it too.
                let all = open.is_none_or(|o| node.labels.iter().any(|l| o.contains(l)));
                if let Some(to) = self.node_of(node.at).filter(|_| all) {
                    self.nodes.list[to as usize].entry = true;
                }
            }
            let node = &mut self.nodes.list[n];
            if node.kind != Kind::Code {
                continue;
            }
            let start = first.insert(node.at.chunk)
                && (begins[node.at.chunk as usize] || node.labels.is_empty());
            // Names that others used before something changed are nobody's now.
            let unnamed = match open {
                Some(open) => node.labels.iter().any(|l| open.contains(l)),
                None => !node.labels.is_empty() && node.refs.is_empty(),
            };
            node.entry |= start || unnamed;
            let lifted = self.program.is_lifted(node.at.chunk);
            if lifted || self.program.chunks[node.at.chunk as usize].page != 0 {
                // Who sees it when is not known.
                let begins = !node.labels.is_empty() || !self.is_gone_on_to(n as u32);
                self.nodes.list[n].entry |= begins;
                self.pin(n as u32, Reason::Paged);
            }
        }
        self.ends_of_others();
        // Code without interrupts may lie where a table of vectors would.
        let vectors = self.program.target.vectors(self.program.machine);
        let tables = vectors.iter().any(|v| v.end - v.start > 1);
        let may_come = !tables || handlers::may_come(self.nodes, self.book);
        for range in vectors {
            let range = match may_come || range.end - range.start == 1 {
                true => range,
                false => range.start..range.start + 1,
            };
            let from = self.nodes.places.partition_point(|p| p.0 < range.start);
            let list = self.nodes.places[from..].iter();
            let own: Vec<u32> = list.take_while(|p| p.0 < range.end).map(|p| p.1).collect();
            for n in own {
                // What is only the next instruction of something is no routine of its own.
                let goes_on = |p: &super::node::Node| {
                    p.kind == Kind::Code && p.ways.falls_through && p.next == Some(n)
                };
                let before = n.checked_sub(1).map(|p| &self.nodes.list[p as usize]);
                if before.is_some_and(goes_on) {
                    continue;
                }
                self.nodes.list[n as usize].entry = true;
                let chunk = self.nodes.list[n as usize].at.chunk;
                self.freeze(chunk, Some(n), Reason::Numbered);
            }
        }
    }

    /// Data behind calls, which the routine reads and goes over, and what a routine may go
    /// over that computes where it returns to.
    fn inline(&mut self) {
        let peeking = returns::peeking(self.nodes, self.book);
        let mut known = FxHashMap::default();
        for n in 0..self.nodes.list.len() as u32 {
            let node = &self.nodes.list[n as usize];
            let calls = node.kind == Kind::Code && node.ways.way == Some(Way::Call);
            if !calls || !node.ways.falls_through {
                // A call comes back, whether or not it says so.
                if !calls {
                    continue;
                }
            }
            let behind = node.address + u64::from(node.size);
            let next = node.next;
            if let Some(&next) = self.nodes.inlined.get(&n) {
                self.pin(n, Reason::Promised);
                self.pin(next, Reason::Promised);
                continue;
            }
            let plain = next.is_some_and(|x| self.is_code(x));
            let goal = goal(self.book, &node.ways).and_then(|to| self.nodes.holding(to));
            let odd = goal.is_some_and(|(to, within)| within > 0 || !self.is_code(to));
            if !plain || node.inline {
                self.nodes.list[n as usize].inline = true;
                self.pin(n, Reason::Inline);
                self.behind(behind, Reason::Inline);
            } else if node.to.is_some_and(|to| peeking.contains(&to)) || self.linked.looks || odd {
                self.gone_over(behind);
                self.counted_over(n, &mut known);
            }
        }
    }

    /// Data that control comes to, and code behind data.
    fn executed_data(&mut self) {
        for n in 0..self.nodes.list.len() {
            let node = &self.nodes.list[n];
            let (address, size) = (node.address, u64::from(node.size));
            if node.kind == Kind::Code {
                let calls = node.ways.way == Some(Way::Call);
                let goes_on = node.ways.falls_through && !calls;
                let to = node.to;
                if goes_on && node.next.is_some_and(|x| !self.is_code(x)) {
                    self.behind(address + size, Reason::Overlapped);
                    self.otherwise(address + size);
                }
                if let Some(to) = to.filter(|&to| !self.is_code(to)) {
                    let start = self.nodes.list[to as usize].address;
                    self.behind(start, Reason::Overlapped);
                    let end = start + u64::from(self.nodes.list[to as usize].size);
                    self.behind(end, Reason::Overlapped);
                    self.otherwise(start);
                }
                continue;
            }
            if node.size == 0 {
                continue;
            }
            // Without a name the code behind is reached from data, or by what reads them.
            if let Some(next) = node.next
                && self.is_code(next)
                && self.nodes.list[next as usize].refs.is_empty()
                && !self.nodes.inlined.values().any(|&x| x == next)
            {
                self.nodes.list[next as usize].entry = true;
            }
        }
    }

    /// Locations that hardly a program looks at.
    pub(super) fn quiet(&self) -> scrimp_isa::depend::Inputs {
        let layout = self.book.semantics.layout();
        layout.of_cells(layout.quiet)
    }

    /// Stores into code at certain addresses, and what is read of it.
    fn stores(&mut self) {
        let mut found = Vec::new();
        for node in &self.nodes.list {
            let Some(facts) = &node.facts else {
                continue;
            };
            if self.book.semantics.unit() > 1 {
                continue;
            }
            // A word may be an address, which moves with what it is of.
            let byte = facts.reads.len() == 1;
            found.extend(facts.writes.iter().map(|&a| (a, Reason::Modified, false)));
            found.extend(facts.reads.iter().map(|&a| (a, Reason::Read, byte)));
        }
        for (address, reason, byte) in found {
            if let Some((n, behind)) = self.nodes.holding(address.into())
                && self.is_code(n)
            {
                self.pin(n, reason);
                if byte {
                    self.keeps_bytes_for(n, n, Seen::Looked);
                }
                if behind > 0 && reason == Reason::Modified {
                    self.goes_anywhere(n);
                }
                self.nodes.list[n as usize].other |= behind == 0 && reason == Reason::Modified;
            }
        }
    }

    /// Frozen starts of chunks become pins, and what stands between room and what that holds.
    fn close(&mut self) {
        for (n, reason, by) in std::mem::take(&mut self.held) {
            match room::before(self.program, self.nodes, n) {
                Some(room) => {
                    for i in room..n {
                        if self.is_code(i) {
                            self.pin(i, reason);
                        }
                    }
                }
                None => {
                    self.nodes.held.push(n);
                    self.now = by;
                    let chunk = self.nodes.list[n as usize].at.chunk;
                    self.freeze(chunk, Some(n), reason);
                }
            }
        }
        self.now = None;
        for (c, frozen) in self.frozen.clone().into_iter().enumerate() {
            let Some((until, reason, by)) = frozen else {
                continue;
            };
            self.nodes.frozen.push(Frozen {
                chunk: c as u32,
                until,
                reason,
                by,
            });
            let start = self.nodes.starts[c];
            let end = self.nodes.starts.get(c + 1).copied();
            let end = end.unwrap_or(self.nodes.list.len() as u32);
            let end = match until {
                u32::MAX => end,
                // What is at the node itself may change: only its start may not move.
                until => until.min(end),
            };
            for n in start..end {
                if self.nodes.list[n as usize].kind == Kind::Code {
                    self.pin(n, reason);
                }
            }
        }
    }
}
