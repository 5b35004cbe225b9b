//! What becomes of a number that an instruction loads: whether it is used as an address.

use super::build::Nodes;
use super::facts::{Book, Facts};
use super::live::{Back, Live};
use super::node::{Kind, Node};
use super::routine::{Routines, calls, within};
use super::shape::Shape;
use super::taken::{Taken, Touch};
use super::undone::{self, Undone};
use super::zero::Zero;
use rustc_hash::FxHashMap;
use scrimp_isa::depend::Inputs;
use scrimp_isa::effects::Way;
use scrimp_isa::state::place;
use smallvec::SmallVec;

/// Nodes that are looked at for one value.
const LONG: usize = 12_000;
/// And where calls are not told apart, of each node of the program.
const TIMES: usize = 12;
/// Instructions that are looked at behind one that surely loads an address.
const STRAIGHT: usize = 12;
/// Calls that are told apart.
const CALLS: usize = 5;
/// In the place of callers that are not told apart any more.
const ANYBODY: u32 = u32::MAX;
/// Bytes of a word on the stack.
const WORD: i32 = 2;
/// Bytes on the stack, at most.
const DEEP: i32 = 64;

/// What is asked while an address is followed.
#[derive(Clone, Copy)]
pub struct Known<'k> {
    /// What instructions do.
    pub book: &'k Book<'k>,
    /// What is live.
    pub live: &'k Live,
    /// The routines.
    pub routines: &'k Routines,
    /// Of each node that returns where it may return to.
    pub returns: &'k [Option<Back>],
    /// Whether what a routine gives back to those that called it is followed.
    pub gives: bool,
    /// Locations that hardly a program looks at.
    pub quiet: Inputs,
    /// The stack pointer.
    pub stack: Inputs,
    /// What sequences of instructions take back.
    pub undone: &'k Undone,
}

impl Known<'_> {
    /// What of all that is held a call leaves as it is.
    fn over(&self, node: &Node, held: Inputs) -> Inputs {
        match self.routines.called(node) {
            Some(r) if calls(node) && r.keeps_stack && !self.routines.vague => {
                held.without(r.writes)
            }
            _ => held,
        }
    }

    /// Whether a return may lead elsewhere than behind the last call.
    fn strays(&self, n: u32) -> bool {
        let own = self.routines.of[n as usize].iter();
        let mut own = own.map(|&r| &self.routines.list[r as usize]);
        own.any(|r| !r.keeps_stack)
    }

    /// What a return gives back that its routine made.
    fn back(&self, n: u32, held: Inputs) -> Inputs {
        let own = self.routines.of[n as usize].iter();
        let all = own.map(|&r| self.routines.list[r as usize].writes);
        let made = all.fold(Inputs::NONE, Inputs::and);
        Inputs(held.0 & made.0 & self.live.after[n as usize].0)
    }
}

/// How the value that a node loads is used.
pub fn taken(nodes: &Nodes, known: Known<'_>, from: u32) -> Taken {
    let node = &nodes.list[from as usize];
    let Some(facts) = &node.facts else {
        return Taken::FAR;
    };
    if facts.effects.reads_memory || facts.effects.writes_memory {
        return Taken::touches(Touch::Exact);
    }
    let start = facts.effects.writes.without(known.quiet);
    if !start.is_empty() && start.without(known.stack).is_empty() {
        return Taken::touches(stacked(nodes, known.stack, from));
    }
    let told = follow(nodes, known, (from, start), CALLS);
    // Where that are too many, calls are not told apart.
    told.or_else(|| follow(nodes, known, (from, start), 0))
        .unwrap_or(Taken::FAR)
}

/// Follows a value; nothing if that takes too long.
fn follow(
    nodes: &Nodes,
    known: Known<'_>,
    (from, start): (u32, Inputs),
    depth: usize,
) -> Option<Taken> {
    let known = Known {
        gives: known.gives || depth == 0,
        ..known
    };
    let node = &nodes.list[from as usize];
    let mut seen: FxHashMap<Key, (Inputs, Inputs)> = FxHashMap::default();
    let mut open: Vec<State> = Vec::new();
    open.extend(node.next.map(|n| {
        let before = begun(nodes, known, from);
        State::new(n, start, before)
    }));
    let own = goal(nodes, from);
    let mut found = Taken::default();
    let mut left = steps(nodes, depth);
    while let Some(mut s) = open.pop() {
        let n = s.n;
        let node = &nodes.list[n as usize];
        s.held = Inputs(s.held.0 & known.live.before[n as usize].0);
        if node.kind != Kind::Code || s.held.is_empty() && s.slot.is_none() {
            continue;
        }
        s.counted = Inputs(s.counted.0 & s.held.0);
        s.begin(known);
        let slot = s.slot.map(|slot| (slot, s.sure));
        let key = (n, slot, s.zero, s.before, s.callers.clone());
        if let Some(old) = seen.get_mut(&key) {
            if s.held.without(old.0).is_empty() && s.counted.without(old.1).is_empty() {
                continue;
            }
            *old = (old.0.and(s.held), old.1.and(s.counted));
            (s.held, s.counted) = *old;
        } else {
            seen.insert(key, (s.held, s.counted));
        }
        left = left.checked_sub(1)?;
        let Some(f) = &node.facts else {
            return Some(Taken::FAR);
        };
        let used = f.pointers.0 & s.held.0 != 0;
        let block = used && within(node).any(|x| x == n);
        if block && !known.book.ascends(node.code()) {
            return Some(Taken::FAR);
        }
        let reads = f.effects.reads();
        let goes = node.ways.way == Some(Way::Jump) && node.ways.to.is_none();
        let then = s.passed(node, f, known);
        let counted = s.given(node, f);
        let Some(left_to) = then.returned((nodes, known), (&s, own), &mut open) else {
            return Some(Taken::FAR);
        };
        let counted = counted.and(left_to);
        found.goes |= goes && reads.0 & s.held.0 != 0;
        if let (Some(Way::Return), Some((0, calculated))) = (node.ways.way, s.slot) {
            // It returns there.
            found.goes = true;
            found.counted |= calculated;
        }
        found.counted |= !counted.is_empty();
        let counted = f.pointers.0 & s.counted.0 != 0;
        found.touches_at(used, counted, (block, f.displaced));
        then.on(node, (known, depth), &mut open);
    }
    Some(found)
}

/// The node whose address an instruction loads.
fn goal(nodes: &Nodes, from: u32) -> Option<u32> {
    let node = &nodes.list[from as usize];
    let mut wide = node.operands.iter().filter(|o| o.width >= 16);
    let o = wide.next().filter(|_| wide.next().is_none())?;
    let (to, behind) = nodes.holding((o.value & 0xffff) as u64)?;
    let there = &nodes.list[to as usize];
    let same = match o.shape {
        Shape::Address(a, _) => a.chunk == there.at.chunk,
        Shape::Number => there.at.chunk == node.at.chunk,
        _ => false,
    };
    (behind == 0 && same && there.kind == Kind::Code).then_some(to)
}

/// Steps that one value may take. Without callers there are only so many states: a large
/// program has more of them.
fn steps(nodes: &Nodes, depth: usize) -> usize {
    match depth {
        0 => LONG.max(nodes.list.len() * TIMES),
        _ => LONG,
    }
}

/// What tells states apart in which other locations may hold the value.
type Key = (
    u32,
    Option<(Slot, bool)>,
    Option<Zero>,
    Option<Before>,
    Callers,
);

/// Where calls come back to, the last one behind; [`ANYBODY`] before those that are known where
/// there were more.
type Callers = SmallVec<[u32; CALLS + 1]>;

/// Whether what a node loads is surely an address: memory is touched there, or it is gone to,
/// on the straight way behind it.
pub fn is_certain(nodes: &Nodes, n: u32) -> bool {
    let node = &nodes.list[n as usize];
    let Some(facts) = node.facts.as_ref().filter(|_| node.ways.way.is_none()) else {
        return false;
    };
    let mut held = facts.effects.writes;
    let mut next = node.next;
    let mut slot: Option<i32> = None;
    for _ in 0..STRAIGHT {
        let Some(node) = next.map(|x| &nodes.list[x as usize]) else {
            return false;
        };
        let Some(f) = &node.facts else { return false };
        let goes = node.ways.way == Some(Way::Jump) && node.ways.to.is_none();
        if f.pointers.0 & held.0 != 0 || goes && f.effects.uses.0 & held.0 != 0 {
            return true;
        }
        if node.ways.way == Some(Way::Return) && slot == Some(0) {
            return true;
        }
        slot = match f.lift {
            Some(lift) if lift < 0 && f.effects.reads().0 & held.0 != 0 => Some(0),
            Some(lift) => slot.map(|s| s - lift).filter(|&s| s >= 0),
            None => None,
        };
        held = held.without(f.effects.writes);
        if node.ways.way.is_some() || held.is_empty() && slot.is_none() {
            return false;
        }
        next = node.next;
    }
    false
}

/// What was held before a sequence that leaves locations as they were.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Before {
    /// Its last node.
    last: u32,
    /// The locations.
    same: Inputs,
    /// Those of them that held the value.
    held: Inputs,
    /// And those with which something may have been counted.
    counted: Inputs,
}

/// The sequence that a node is in that loads a value: before it nothing held that.
fn begun(nodes: &Nodes, known: Known<'_>, from: u32) -> Option<Before> {
    let mut first = from;
    for _ in 0..undone::LONG {
        if let Some(&(last, same)) = known.undone.get(&first).filter(|u| u.0 > from) {
            return Some(Before {
                last,
                same,
                held: Inputs::NONE,
                counted: Inputs::NONE,
            });
        }
        let before = first.checked_sub(1)?;
        let own = &nodes.list[before as usize];
        let straight = own.next == Some(first) && own.ways.way.is_none();
        if !straight || nodes.list[first as usize].is_reached() {
            return None;
        }
        first = before;
    }
    None
}

/// Bytes above a value on the stack, and whether something may have been counted with it.
type Slot = (i32, bool);

/// What is known of a value at a node.
#[derive(Clone)]
struct State {
    n: u32,
    /// Locations that hold it.
    held: Inputs,
    /// Those of them with which something may have been counted.
    counted: Inputs,
    /// Where it was put on the stack last.
    slot: Option<Slot>,
    /// Whether it surely is there: all that was called since leaves the stack as it was.
    sure: bool,
    /// A flag that says that locations are 0: that is no address.
    zero: Option<Zero>,
    /// What was held before the sequence that it is in.
    before: Option<Before>,
    /// Where the calls that were followed come back to; before them anybody may have called.
    callers: Callers,
}

impl State {
    /// At a node, with locations that hold the value.
    fn new(n: u32, held: Inputs, before: Option<Before>) -> Self {
        Self {
            n,
            held,
            counted: Inputs::NONE,
            slot: None,
            sure: true,
            zero: None,
            before,
            callers: Callers::new(),
        }
    }

    /// Keeps what is held where a sequence begins that leaves locations as they were.
    fn begin(&mut self, known: Known<'_>) {
        if let Some(&(last, same)) = known.undone.get(&self.n) {
            self.before = Some(Before {
                last,
                same,
                held: Inputs(self.held.0 & same.0),
                counted: Inputs(self.counted.0 & same.0),
            });
        }
    }

    /// What is counted of that which a node goes by, keeps in memory or leaves to somebody who
    /// is not known.
    fn given(&self, node: &Node, f: &Facts) -> Inputs {
        let leads = matches!(node.ways.way, Some(Way::Jump | Way::Call));
        if leads && node.ways.to.is_some() && node.to.is_none() {
            return self.counted;
        }
        let goes = node.ways.way == Some(Way::Jump) && node.ways.to.is_none();
        match goes || f.effects.writes_memory {
            true => Inputs(f.effects.reads().0 & self.counted.0),
            false => Inputs::NONE,
        }
    }

    /// Goes on where a return may lead to; what is counted of that which is left to somebody
    /// who is not known. Nothing where it leads to one of our callers, and to which is not known.
    fn back(&self, nodes: &Nodes, known: Known<'_>, open: &mut Vec<Self>) -> Option<Inputs> {
        if nodes.list[self.n as usize].ways.way != Some(Way::Return) {
            return Some(Inputs::NONE);
        }
        let mut callers = self.callers.clone();
        let mut held = known.back(self.n, self.held);
        loop {
            let last = match callers.last() {
                Some(&ANYBODY) => Some(ANYBODY),
                _ => callers.pop(),
            };
            let to = |n| Self {
                n,
                held,
                slot: None,
                sure: true,
                zero: None,
                before: None,
                callers: callers.clone(),
                counted: self.counted,
            };
            match (last, &known.returns[self.n as usize]) {
                (Some(n), _) if n != ANYBODY => open.push(to(n)),
                (Some(_), back) => open.extend(back.as_ref()?.nodes.iter().map(|&n| to(n))),
                (None, _) if !known.gives => {}
                (None, Some(back)) if back.others.is_empty() => {
                    open.extend(back.nodes.iter().map(|&n| to(n)));
                }
                (None, _) => return Some(Inputs(held.0 & self.counted.0)),
            }
            if !known.strays(self.n) || matches!(last, None | Some(ANYBODY)) {
                return Some(Inputs::NONE);
            }
            // A return address that is taken from the stack leads to the caller of the caller,
            // which has all that was made on the way.
            held = self.held;
        }
    }

    /// The same, but where the value itself is on top of the stack before a return: that leads
    /// to its own node, with all that was made.
    fn returned(
        &self,
        (nodes, known): (&Nodes, Known<'_>),
        (before, own): (&Self, Option<u32>),
        open: &mut Vec<Self>,
    ) -> Option<Inputs> {
        let returns = nodes.list[self.n as usize].ways.way == Some(Way::Return);
        let top = returns && before.slot == Some((0, false)) && before.sure;
        let Some(n) = own.filter(|_| top) else {
            return self.back(nodes, known, open);
        };
        open.push(Self {
            n,
            slot: None,
            zero: None,
            before: None,
            ..self.clone()
        });
        Some(Inputs::NONE)
    }

    /// Goes on within the routine, and in what is called.
    fn on(mut self, node: &Node, (known, depth): (Known<'_>, usize), open: &mut Vec<Self>) {
        let held = known.over(node, self.held);
        let zero = self.zero.filter(|_| !calls(node));
        let none = self.zeros_at(node, known);
        let own = known.routines.called(node);
        self.sure &= !calls(node) || node.to.is_none() || own.is_some_and(|r| r.keeps_stack);
        let next = (node.ways.falls_through || calls(node)).then_some(node.next);
        open.extend(within(node).enumerate().map(|(i, n)| {
            let goes = i > 0 || next.flatten().is_none();
            let gone = none.filter(|z| z.0 == goes).map_or(Inputs::NONE, |z| z.1);
            Self {
                n,
                held: held.without(gone),
                zero,
                ..self.clone()
            }
        }));
        let Some(n) = node.to.filter(|_| calls(node)) else {
            return;
        };
        if depth > 0 {
            self.callers.extend(node.next);
            let more = self.callers.first() == Some(&ANYBODY);
            match (self.callers.len() - usize::from(more) > depth, more) {
                (true, true) => _ = self.callers.remove(1),
                (true, false) => self.callers[0] = ANYBODY,
                _ => {}
            }
        }
        open.push(Self {
            n,
            slot: None,
            zero: None,
            before: None,
            ..self
        });
    }

    /// On which of its ways, that where it goes elsewhere (`true`) or on, a jump leads to where
    /// locations are 0.
    fn zeros_at(&self, node: &Node, known: Known<'_>) -> Option<(bool, Inputs)> {
        let zero = self.zero.filter(|_| node.ways.way == Some(Way::Jump))?;
        let goes = known.book.goes_on_flag(node.code(), zero.flag)?;
        (node.ways.falls_through && node.to.is_some()).then_some((goes, zero.cells))
    }

    /// The same behind an instruction.
    fn passed(&self, node: &Node, f: &Facts, known: Known<'_>) -> Self {
        let e = &f.effects;
        let mut s = self.clone();
        s.zero = self.zero.and_then(|z| z.behind(e.writes));
        s.held = self.held.without(e.writes);
        s.counted = self.counted.without(e.writes);
        for w in e.writes.without(known.quiet).iter() {
            // What is read there is no address of it; a pointer that moves on still is one.
            let flows = match e.reads_memory && !f.pointers.has(w) {
                true => e.flows[usize::from(w)].without(f.pointers),
                false => e.flows[usize::from(w)],
            };
            if flows.0 & self.held.0 == 0 {
                continue;
            }
            s.held = s.held.and(Inputs::one(w));
            // A copy comes from one place, and that is another.
            let copy = flows.0.count_ones() == 1 && !flows.has(w);
            if !copy || flows.0 & self.counted.0 != 0 {
                s.counted = s.counted.and(Inputs::one(w));
            }
        }
        if node.ways.way.is_some() {
            return s;
        }
        if let Some(b) = self.before.filter(|b| b.last == self.n) {
            s.held = s.held.without(b.same).and(b.held);
            s.counted = s.counted.without(b.same).and(b.counted);
            s.before = None;
        }
        if e.writes.0 & s.counted.0 != 0 {
            let zero = known.book.zero(node.code(), e.writes);
            s.zero = zero.filter(|z| z.cells.0 & s.held.0 != 0).or(s.zero);
        }
        let taken = e.writes.without(known.stack);
        let put = Inputs(e.reads().0 & self.held.0);
        let mut take = |counted: bool| {
            s.held = s.held.and(taken);
            if counted {
                s.counted = s.counted.and(taken);
            }
        };
        match (f.lift, self.slot) {
            (Some(0), Some((0, counted))) if f.pointers.0 & known.stack.0 != 0 => take(counted),
            (Some(lift), _) if lift < 0 && !put.is_empty() => {
                s.slot = Some((0, put.0 & self.counted.0 != 0));
                // All of what is put there is it.
                let all = e.reads().without(known.stack);
                s.sure = (all.0 & ((1 << place::OTHERS) - 1)) & !self.held.0 == 0;
            }
            (Some(lift), Some((0, counted))) if lift > 0 => {
                take(counted);
                s.slot = None;
            }
            (Some(lift), slot) => {
                let moved = slot.map(|(d, c)| (d - lift, c));
                s.slot = moved.filter(|m| (0..DEEP).contains(&m.0));
            }
            (None, _) => s.slot = None,
        }
        s
    }
}

/// How an address is used that the stack pointer is set to: what stands there is touched
/// where something is taken from the stack that was not put there.
fn stacked(nodes: &Nodes, stack: Inputs, from: u32) -> Touch {
    let mut least: FxHashMap<u32, i32> = FxHashMap::default();
    let mut open: Vec<(u32, i32)> = Vec::new();
    open.extend(nodes.list[from as usize].next.map(|n| (n, 0)));
    let mut left = LONG;
    while let Some((n, height)) = open.pop() {
        let node = &nodes.list[n as usize];
        let Some(f) = &node.facts else { continue };
        if least.get(&n).is_some_and(|&h| h <= height) {
            continue;
        }
        least.insert(n, height);
        left -= 1;
        if left == 0 {
            return Touch::Near;
        }
        let mut after = height;
        match (node.ways.way, f.lift) {
            (Some(Way::Return), _) if height == 0 => return Touch::Near,
            (Some(Way::Return), _) if !node.ways.falls_through => continue,
            (Some(_), _) => {}
            // It is set anew.
            (None, None) => continue,
            (None, Some(lift)) => {
                after = height - lift;
                let looks = lift == 0 && f.pointers.0 & stack.0 != 0 && height < WORD;
                if after < 0 || looks {
                    return Touch::Near;
                }
            }
        }
        // A way on which it grows without end is not followed further.
        open.extend(within(node).map(|x| (x, after.min(DEEP))));
    }
    Touch::No
}
