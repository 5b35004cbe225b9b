//! What becomes of a number that an instruction loads: whether it is used as an address.

use super::build::Nodes;
use super::copied;
use super::facts::{Book, Facts};
use super::home::Home;
use super::live::{Back, Live};
use super::node::{Kind, Node, behind_data};
use super::returns::OVER;
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
use std::collections::BTreeSet;

/// Nodes that are looked at for one value.
const LONG: usize = 12_000;
/// And where calls are not told apart, of each node of the program.
const TIMES: usize = 12;
/// Instructions that are looked at behind one that surely loads an address.
const STRAIGHT: usize = 12;
/// Calls that are told apart.
const CALLS: usize = 5;
/// Calls that are followed of what has too many ways, and as many returns to callers.
const NEAR: usize = 3;
/// Return addresses that a routine takes from the stack to return farther up, at most.
const DROPPED: usize = 3;
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
    /// Of each routine whether it comes back to its caller, or a little farther.
    pub home: &'k [Home],
    /// Of each routine the nodes that call it.
    pub callers: &'k [Vec<u32>],
    /// Whether what a routine gives back to those that called it is followed.
    pub gives: bool,
    /// It is an address of code that is put on the stack right behind: that is where somebody
    /// returns to, and what the register keeps is given to nobody.
    pub pushed: bool,
    /// It is a number that something else is counted with if it is added to that.
    pub distance: bool,
    /// Calls that are followed one within the other, and as many returns to callers, if it is
    /// not followed to its end.
    pub near: Option<u8>,
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

    /// How what a node calls comes back.
    fn home_of(&self, call: &Node) -> Home {
        let r = call.to.and_then(|to| self.routines.by_entry.get(&to));
        let own = r.and_then(|&r| self.home.get(r as usize));
        own.copied().unwrap_or(Home::Unknown)
    }

    /// The calls behind which a return may lead that takes return addresses from the stack.
    fn above(&self, n: u32) -> Vec<u32> {
        let mut all: Vec<u32> = Vec::new();
        let mut now = self.routines.of[n as usize].clone();
        for _ in 0..=DROPPED {
            let own = now.iter().filter_map(|&r| self.callers.get(r as usize));
            let calls: Vec<u32> = own.flatten().copied().collect();
            let of = |&c: &u32| self.routines.of[c as usize].iter().copied();
            now = calls.iter().flat_map(of).collect();
            now.sort_unstable();
            now.dedup();
            all.extend(calls);
        }
        all.sort_unstable();
        all.dedup();
        all
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
    let pushed = is_pushed(nodes, known.stack, from);
    let known = Known {
        gives: known.gives && !pushed,
        pushed,
        ..known
    };
    let told = follow(nodes, known, (from, start), CALLS);
    // Where that are too many, calls are not told apart.
    let all = |()| follow(nodes, known, (from, start), 0).unwrap_or(Taken::FAR);
    let used = told.ok_or(()).unwrap_or_else(all);
    if told.is_some() || used.touch == Touch::No || goal(nodes, from).is_none() {
        return used;
    }
    // An address of code is gone to by those that it comes to in the end.
    let near = |most: usize| {
        let known = Known {
            near: Some(most as u8),
            ..known
        };
        follow(nodes, known, (from, start), most)
    };
    (0..=NEAR).rev().find_map(near).unwrap_or(used)
}

/// Whether a node loads an address of code and the next one puts that on the stack.
fn is_pushed(nodes: &Nodes, stack: Inputs, from: u32) -> bool {
    let node = &nodes.list[from as usize];
    let (Some(f), Some(next)) = (&node.facts, node.next) else {
        return false;
    };
    let next = &nodes.list[next as usize];
    let plain = node.ways.way.is_none() && next.ways.way.is_none();
    let Some(then) = next.facts.as_ref().filter(|_| plain) else {
        return false;
    };
    let e = &then.effects;
    let grows = then.lift.is_some_and(|l| l < 0);
    let exchanges = then.lift == Some(0) && then.pointers.0 & stack.0 != 0;
    let loaded = f.effects.writes.without(stack);
    let all = loaded.without(e.uses).0 & ((1 << place::OTHERS) - 1) == 0;
    all && e.writes_memory && (grows || exchanges) && goal(nodes, from).is_some()
}

/// Follows a value; nothing if that takes too long.
fn follow(
    nodes: &Nodes,
    known: Known<'_>,
    (from, start): (u32, Inputs),
    depth: usize,
) -> Option<Taken> {
    let known = Known {
        gives: known.gives || depth == 0 && !known.pushed,
        ..known
    };
    let node = &nodes.list[from as usize];
    let mut seen = Seen::default();
    let mut open: Vec<State> = Vec::new();
    open.extend(node.next.map(|n| {
        let before = begun(nodes, known, from);
        State::new(n, start, before)
    }));
    let own = goal(nodes, from);
    let mut found = Taken::default();
    let mut left = steps(nodes, depth);
    let mut strays = Strays::default();
    while let Some(mut s) = open.pop() {
        // What data do that are executed is taken for nothing.
        let Some(n) = behind_data(&nodes.list, s.n) else {
            continue;
        };
        s.n = n;
        if !seen.is_new(&mut s, known, &mut found) {
            continue;
        }
        left = left.checked_sub(1)?;
        let node = &nodes.list[n as usize];
        let Some(f) = &node.facts else {
            return Some(Taken::FAR);
        };
        let used = f.pointers.0 & s.held.0 != 0;
        let block = used && within(node).any(|x| x == n);
        let length = nodes.blocks.get(&n).copied().filter(|_| block);
        let down = block && !known.book.ascends(node.code());
        if down && length.is_none() {
            return Some(Taken::FAR);
        }
        let mut then = s.passed(node, f, known);
        let counted = s.given(node, f);
        let left_to = then.returned((nodes, known), (&s, own), (&mut open, &mut strays));
        found.counted |= !counted.and(left_to).is_empty();
        found.goes |= s.goes(node, f);
        let returns = node.ways.way == Some(Way::Return);
        if let Some((above, calculated)) = s.slot
            && (returns && above == 0 || leaves(node))
        {
            // It returns there, or where it goes does.
            found.goes = true;
            found.counted |= calculated;
        }
        if known.near.is_some() && node.ways.way.is_some() {
            // It is left on the stack for somebody.
            found.counted |= then.slot.take().is_some_and(|slot| slot.1);
        }
        let counted = f.pointers.0 & s.counted.0 != 0;
        found.reaches(block.then_some(length), down, counted);
        found.touches_at(used, counted, (block, f.displaced));
        // How far something is counted before it is given away is not known.
        let there = used && !counted || counted && s.callers.is_empty();
        let reads = there && f.effects.reads_memory && !found.looked;
        found.looked |= reads && !copied::only(nodes, (known.live, known.quiet), n);
        if calls(node) && is_left(&then.callers, (known, depth)) {
            found.counted |= !then.counted.is_empty();
        } else if calls(node) && depth > 0 {
            strays.called(node, &mut open);
        }
        let from = open.len();
        then.on(node, (known, depth), &mut open);
        // A block of a known length is done all at once.
        let again = (from..open.len()).find(|&i| length.is_some() && open[i].n == n);
        again.map(|i| open.remove(i));
    }
    Some(found)
}

/// What was looked at.
#[derive(Default)]
struct Seen {
    /// Which locations held the value, and with which of them something may have been counted.
    all: FxHashMap<Key, (Inputs, Inputs)>,
    /// By node and how many calls lead there the bytes above it on the stack.
    deep: FxHashMap<(u32, usize), i32>,
}

impl Seen {
    /// Whether a state is another than those before. It gets what they had.
    fn is_new(&mut self, s: &mut State, known: Known<'_>, found: &mut Taken) -> bool {
        s.held = Inputs(s.held.0 & known.live.before[s.n as usize].0);
        if s.held.is_empty() && s.slot.is_none() {
            return false;
        }
        s.counted = Inputs(s.counted.0 & s.held.0);
        if let Some((depth, counted)) = s.slot.filter(|_| known.pushed)
            && *self.deep.entry((s.n, s.callers.len())).or_insert(depth) != depth
        {
            // Where the stack grows in a loop it is found again by a count.
            found.counted |= counted;
            s.slot = None;
        }
        s.begin(known);
        let slot = s.slot.map(|slot| (slot, s.sure));
        let key = (s.n, slot, s.zero, s.before, s.up, s.callers.clone());
        let Some(old) = self.all.get_mut(&key) else {
            self.all.insert(key, (s.held, s.counted));
            return true;
        };
        let more = !s.held.without(old.0).is_empty() || !s.counted.without(old.1).is_empty();
        *old = (old.0.and(s.held), old.1.and(s.counted));
        (s.held, s.counted) = *old;
        more
    }
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
    u8,
    Callers,
);

/// Calls, the last one behind; [`ANYBODY`] before those that are known where
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
        if f.pointers.0 & held.0 != 0 || leaves(node) && f.effects.uses.0 & held.0 != 0 {
            return true;
        }
        let returns = node.ways.way == Some(Way::Return) || leaves(node);
        if returns && slot == Some(0) {
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

/// Whether control goes from a node nobody knows where to.
fn leaves(node: &Node) -> bool {
    node.ways.way == Some(Way::Jump) && node.ways.to.is_none()
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
    /// The calls that were followed; before them anybody may have called.
    callers: Callers,
    /// Returns to callers that nobody of these was.
    up: u8,
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
            up: 0,
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

    /// Whether control goes by what is held to a place that only that says.
    fn goes(&self, node: &Node, f: &Facts) -> bool {
        let anywhere = node.ways.way == Some(Way::Jump) && node.ways.to.is_none();
        anywhere && f.effects.reads().0 & self.held.0 != 0
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
    /// who is not known.
    fn back(
        &self,
        nodes: &Nodes,
        known: Known<'_>,
        (open, strays): (&mut Vec<Self>, &mut Strays),
    ) -> Inputs {
        if nodes.list[self.n as usize].ways.way != Some(Way::Return) {
            return Inputs::NONE;
        }
        let mut callers = self.callers.clone();
        let mut held = known.back(self.n, self.held);
        let mut strays_on = false;
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
                up: self.up,
            };
            match (last, &known.returns[self.n as usize]) {
                (Some(call), _) if call != ANYBODY => {
                    let call = &nodes.list[call as usize];
                    let how = known.home_of(call);
                    open.extend(call.next.map(to));
                    let over = call.next.filter(|_| how != Home::Right);
                    let over = over.map(|n| gone_over(nodes, n));
                    open.extend(over.into_iter().flatten().map(to));
                    strays_on |= how == Home::Unknown;
                    if !strays_on {
                        return Inputs::NONE;
                    }
                }
                (Some(_), Some(back)) => open.extend(back.nodes.iter().map(|&n| to(n))),
                (Some(_), None) => {
                    strays.strayed((self.held, self.counted), open);
                    return Inputs(self.held.0 & self.counted.0);
                }
                (None, _) if !known.gives => {}
                (None, Some(back)) if back.others.is_empty() && self.is_near(known) => {
                    let up = |s: Self| Self {
                        up: s.up + u8::from(known.near.is_some()),
                        ..s
                    };
                    open.extend(back.nodes.iter().map(|&n| up(to(n))));
                }
                (None, back) => {
                    if back.is_none() && known.near.is_none() {
                        let above = known.above(self.n).into_iter();
                        let behind = above.filter_map(|c| nodes.list[c as usize].next);
                        let all = |n| Self {
                            held: self.held,
                            ..to(n)
                        };
                        open.extend(behind.map(all));
                    }
                    return Inputs(held.0 & self.counted.0);
                }
            }
            if matches!(last, None | Some(ANYBODY)) {
                return Inputs::NONE;
            }
            // A return address that is taken from the stack leads to the caller of the caller,
            // which has all that was made on the way.
            held = self.held;
        }
    }

    /// Whether one more return, or call, is followed.
    fn is_near(&self, known: Known<'_>) -> bool {
        known.near.is_none_or(|most| self.up < most)
    }

    /// The same, but where the value itself is on top of the stack before a return: that leads
    /// to its own node, with all that was made.
    fn returned(
        &self,
        (nodes, known): (&Nodes, Known<'_>),
        (before, own): (&Self, Option<u32>),
        (open, strays): (&mut Vec<Self>, &mut Strays),
    ) -> Inputs {
        let returns = nodes.list[self.n as usize].ways.way == Some(Way::Return);
        let top = returns && before.slot == Some((0, false)) && before.sure;
        let Some(n) = own.filter(|_| top) else {
            return self.back(nodes, known, (open, strays));
        };
        open.push(Self {
            n,
            slot: None,
            zero: None,
            before: None,
            ..self.clone()
        });
        Inputs::NONE
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
        let enters = calls(node) && !is_left(&self.callers, (known, depth));
        let Some(n) = node.to.filter(|_| enters) else {
            return;
        };
        if depth > 0 {
            self.callers.extend(node.next.map(|_| self.n));
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
            let beside = flows.without(self.held).without(known.quiet);
            if flows.0 & self.held.0 == 0 || known.distance && !beside.is_empty() {
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

/// The nodes behind one that a routine may go over.
fn gone_over(nodes: &Nodes, n: u32) -> impl Iterator<Item = u32> {
    let first = &nodes.list[n as usize];
    // Data behind a call are what it goes over.
    let over = if first.kind == Kind::Code { OVER } else { 0 };
    let (chunk, end) = (first.at.chunk, first.address + over);
    let behind = (n..).zip(&nodes.list[n as usize..]).skip(1);
    let own = behind.take_while(move |(_, x)| x.at.chunk == chunk && x.address <= end);
    own.map(|x| x.0)
}

/// Whether one more call is not followed.
fn is_left(callers: &Callers, (known, depth): (Known<'_>, usize)) -> bool {
    known.near.is_some() && callers.len() >= depth
}

/// Returns that lead behind one of the calls that were followed, and behind which is not known:
/// they are taken to lead behind all of them.
#[derive(Default)]
struct Strays {
    /// What holds the value there, and with which of that something may have been counted.
    held: Option<(Inputs, Inputs)>,
    /// The nodes behind the calls.
    behind: BTreeSet<u32>,
}

impl Strays {
    /// There, with what a return leaves.
    fn at(&self, n: u32, (held, counted): (Inputs, Inputs)) -> State {
        State {
            counted,
            callers: std::iter::once(ANYBODY).collect(),
            ..State::new(n, held, None)
        }
    }

    /// A call is followed.
    fn called(&mut self, node: &Node, open: &mut Vec<State>) {
        let new = node.next.filter(|&n| self.behind.insert(n));
        let all = new.zip(self.held).map(|(n, h)| self.at(n, h));
        open.extend(all);
    }

    /// A return strays with that.
    fn strayed(&mut self, (held, counted): (Inputs, Inputs), open: &mut Vec<State>) {
        let old = self.held.unwrap_or((Inputs::NONE, Inputs::NONE));
        let now = (old.0.and(held), old.1.and(counted));
        if self.held == Some(now) {
            return;
        }
        self.held = Some(now);
        open.extend(self.behind.iter().map(|&n| self.at(n, now)));
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
