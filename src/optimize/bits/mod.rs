//! Places of whose addresses single bits matter: where a byte of one comes to an instruction
//! that does not follow it as a sum. Bytes of addresses are followed from the values that name
//! them through registers, calls, the stack, memory at certain addresses, and tables that
//! pointers lead into.

mod follows;
mod gone;
mod held;
mod judge;
mod passed;
mod stacked;
mod touched;
mod wants;

use super::flow::{ALL, Flow, Kind, Node, Nodes, Operand, Ref, behind_data, calls, within};
use super::flow::{Scale, Shape, shape};
use crate::program::Field;
use crate::program::symbol::Anchor;
use follows::{Follows, Input, Output, Touched};
use held::{Held, NONE, Origin, Origins, Set, Sets, State};
use rustc_hash::FxHashMap;
use scrimp_isa::depend::Inputs;
use scrimp_isa::effects::Way;
use scrimp_isa::memory::Space;
use scrimp_isa::state::place;
use std::ops::Range;
use std::sync::Arc;
use wants::Wants;

/// Bits of a byte.
const BYTE: u8 = 8;
/// Bytes of the stack that are followed.
const DEEP: usize = 64;
/// Instructions behind one in which its flags are looked at, and what follows of them done.
const SOON: usize = 5;
/// Bytes of a variable that may be an address.
const SMALL: u64 = 4;
/// Instructions between those that read the bytes of a word, and one more.
const BESIDE: u32 = 3;
/// Steps, for each node of the program.
const STEPS: usize = 400;

/// A place of whose address bits matter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Bits {
    /// The place, and so many addresses behind it.
    pub place: (Anchor, i64),
    /// The first of the bits that matter, of the address as the source counts it.
    pub from: u8,
    /// And the first behind them that does not.
    pub to: u8,
    /// The node at which they do.
    pub at: u32,
}

/// Finds them, and code that is touched by way of addresses that were kept in memory.
pub fn find(flow: &Flow<'_, '_>) -> (Vec<Bits>, Vec<(Anchor, bool)>) {
    let mut search = Search {
        flow,
        origins: Origins::default(),
        wants: wants::find(flow),
        before: vec![None; flow.nodes.list.len()],
        exits: FxHashMap::default(),
        anywhere: State::empty(),
        memory: FxHashMap::default(),
        pieces: FxHashMap::default(),
        readers: Readers::default(),
        open: Vec::new(),
        queued: vec![false; flow.nodes.list.len()],
        found: FxHashMap::default(),
        late: false,
        pushed: touched::Pushed::default(),
        cells: flow
            .book
            .semantics
            .layout()
            .locations()
            .into_iter()
            .filter(|l| l.bit.is_none())
            .map(|l| (l.number, l.cell))
            .collect(),
        touched: FxHashMap::default(),
        follows: FxHashMap::default(),
        all_follows: follows::all(flow.book),
        asked: asked(flow),
        stack: Stack {
            above: above(flow),
            at: stack_at(flow),
        },
    };
    search.data();
    search.run();
    let kept = search.memory.values().chain(search.pieces.values());
    let pushed = &search.pushed;
    let touched = touched::code(flow, &search.origins, &search.before, kept, pushed);
    (search.all(), touched)
}

/// Nodes that look at memory.
#[derive(Default)]
struct Readers {
    at: FxHashMap<u64, Vec<u32>>,
    anywhere: Vec<u32>,
    /// Nodes behind calls of a routine.
    behind: FxHashMap<u32, Vec<u32>>,
    entries: Vec<u32>,
}

struct Search<'a, 'p> {
    flow: &'a Flow<'a, 'p>,
    origins: Origins,
    wants: Wants,
    /// As they are [kept](State::kept).
    before: Vec<Option<State>>,
    /// What a routine leaves, by its first node.
    exits: FxHashMap<u32, State>,
    /// What is held where control goes nobody knows where to.
    anywhere: State,
    /// Bytes at certain addresses.
    memory: FxHashMap<u64, Held>,
    /// What was put into a piece of data through a pointer, by its first address.
    pieces: FxHashMap<u64, Held>,
    readers: Readers,
    open: Vec<u32>,
    queued: Vec<bool>,
    /// Of an origin, of its low byte or its high one, the bits that matter, and where.
    found: FxHashMap<(u32, bool), (u8, u32)>,
    /// How instructions follow what they are given.
    follows: FxHashMap<(Vec<u8>, Input), Arc<[Follows]>>,
    all_follows: Arc<follows::All>,
    /// All ends of routines that are seen have been.
    late: bool,
    /// Places to which control goes by a return.
    pushed: touched::Pushed,
    /// Flags that decide where control goes.
    asked: Inputs,
    /// Registers: their locations and cells.
    cells: Vec<(u8, u8)>,
    /// What instructions touch, by node: what they read and write.
    touched: FxHashMap<u32, (Vec<Touched>, Vec<Touched>)>,
    stack: Stack,
}

/// What is known of the stack.
struct Stack {
    /// Bytes from the stack pointer to the one that was put there last.
    above: i64,
    /// Where the stack pointer is in the state that instructions are run from.
    at: i64,
}

impl Search<'_, '_> {
    fn origin(&mut self, o: Origin) -> Set {
        self.origins.set(o)
    }

    /// A state as it comes out of a call, or to one, with nothing on its stack.
    fn far_state(&mut self, state: &State) -> State {
        State {
            held: state.held.iter().map(|&h| self.origins.far(h)).collect(),
            stack: Vec::new(),
        }
    }

    /// What the two bytes of a value are, the low one first.
    fn value(&mut self, s: &Shape) -> Option<[Held; 2]> {
        let low = |low| Held { low, high: NONE };
        let high = |high| Held { low: NONE, high };
        let half = |own: Set, is_high: bool| match is_high {
            true => [high(own), Held::default()],
            false => [low(own), Held::default()],
        };
        Some(match *s {
            Shape::Address(a, n) => {
                let own = self.origin((a, n, 0, false));
                [low(own), high(own)]
            }
            Shape::Half(a, n, h) => half(self.origin((a, n, 0, false)), h),
            Shape::Scaled(a, s) => {
                let own = self.origin((a, s.plus, shift(s), false));
                [low(own), high(own)]
            }
            Shape::Byte(a, s, h) => half(self.origin((a, s.plus, shift(s), false)), h),
            Shape::Number | Shape::Difference(..) | Shape::Mixed(_) => return None,
        })
    }

    /// What stands in data.
    fn data(&mut self) {
        let flow = self.flow;
        for node in flow.nodes.list.iter().filter(|n| n.kind == Kind::Data) {
            for v in flow.program.operands_of(node.at) {
                let Field::Data(bytes) = v.field else {
                    continue;
                };
                let Some(own) = self.value(&shape(flow.program, v.value)) else {
                    continue;
                };
                let step = usize::from(bytes.max(1));
                for at in 0..u64::from(node.size) {
                    let Some(&held) = own.get(at as usize % step) else {
                        continue;
                    };
                    let slot = self.memory.entry(node.address + at).or_default();
                    *slot = slot.join(held, &mut self.origins.sets);
                }
            }
        }
    }

    fn queue(&mut self, n: u32) {
        if !std::mem::replace(&mut self.queued[n as usize], true) {
            self.open.push(n);
        }
    }

    /// Control comes to a node with that.
    fn flows(&mut self, to: Option<u32>, state: &State) {
        let Some(to) = to.and_then(|t| behind_data(&self.flow.nodes.list, t)) else {
            return;
        };
        // What is not asked for any more is none.
        let live = self.flow.live.before[to as usize];
        let mut state = state.clone();
        for (l, held) in (0..).zip(&mut state.held) {
            if !live.has(l) {
                *held = Held::default();
            }
        }
        let changed = match &mut self.before[to as usize] {
            slot @ None => {
                *slot = Some(state.kept());
                true
            }
            Some(old) => {
                let mut joined = old.whole();
                let more = joined.join(&state, &mut self.origins.sets);
                if more {
                    *old = joined.kept();
                }
                more
            }
        };
        if changed {
            self.queue(to);
        }
    }

    fn run(&mut self) {
        let flow = self.flow;
        for (n, node) in (0..).zip(&flow.nodes.list) {
            if node.kind != Kind::Code {
                continue;
            }
            let named = node.refs.iter().any(|r| !matches!(r, Ref::Jump(_)));
            if node.entry || named {
                self.readers.entries.push(n);
                self.flows(Some(n), &State::empty());
            }
            if calls(node)
                && let Some(to) = node.to
            {
                self.readers.behind.entry(to).or_default().push(n);
            }
        }
        let mut left = flow.nodes.list.len() * STEPS;
        loop {
            while let Some(n) = self.open.pop() {
                self.queued[n as usize] = false;
                self.step(n);
                left = left.saturating_sub(1);
                if left == 0 {
                    return;
                }
            }
            if std::mem::replace(&mut self.late, true) {
                return;
            }
            // What has no end that is seen may leave everything as it was.
            let open = |to: &u32| !self.exits.contains_key(to);
            let calls = self.readers.behind.iter().filter(|b| open(b.0));
            let mut calls: Vec<u32> = calls.flat_map(|b| b.1.iter().copied()).collect();
            calls.sort_unstable();
            for n in calls {
                self.queue(n);
            }
        }
    }

    /// Goes on from a node.
    fn step(&mut self, n: u32) {
        let flow = self.flow;
        let node = &flow.nodes.list[n as usize];
        let Some(before) = self.before[n as usize].as_ref().map(State::whole) else {
            return;
        };
        let after = self.passed(n, node, before);
        match node.ways.way {
            Some(Way::Return) => {
                self.returned(n, &after);
                self.returned_to(&after);
            }
            Some(Way::Call) => {
                let own = self.far_state(&after);
                self.flows(node.to, &own);
                let back = self.back(n, node, &after);
                self.flows(node.next, &back);
                if node.ways.falls_through {
                    // It may not be made.
                    self.flows(node.next, &after);
                }
            }
            Some(Way::Jump) if node.ways.to.is_none() => {
                let mut all = std::mem::replace(&mut self.anywhere, State::empty());
                let mut own = self.far_state(&after);
                let gone = self.gone(node, &mut own);
                let changed = all.join(&own, &mut self.origins.sets);
                self.anywhere = all.clone();
                for i in 0..self.readers.entries.len() {
                    if changed {
                        self.flows(Some(self.readers.entries[i]), &all);
                    }
                }
                for g in gone {
                    let entries = self.readers.entries.iter();
                    let own: Vec<u32> = entries.filter(|n| g.nodes.contains(n)).copied().collect();
                    for n in own {
                        self.flows(Some(n), &g.state);
                    }
                }
            }
            _ => {}
        }
        if !calls(node) {
            for to in within(node) {
                self.flows(Some(to), &after);
            }
        }
    }

    /// A routine leaves that.
    fn returned(&mut self, n: u32, state: &State) {
        let flow = self.flow;
        let own = self.far_state(state);
        for &r in &flow.routines.of[n as usize] {
            let entry = flow.routines.list[r as usize].entry;
            let mut all = self.exits.remove(&entry).unwrap_or_else(State::empty);
            let changed = all.join(&own, &mut self.origins.sets);
            self.exits.insert(entry, all);
            if changed {
                let behind = self.readers.behind.get(&entry).cloned();
                for call in behind.unwrap_or_default() {
                    self.queue(call);
                }
            }
        }
    }

    /// Control goes to an address that was put on the stack.
    fn returned_to(&mut self, state: &State) {
        let top = state.top(0).join(state.top(1), &mut self.origins.sets);
        if top.is_none() {
            return;
        }
        // What registers have goes along.
        for set in state.held.iter().flat_map(|h| [h.low, h.high]) {
            let all = self.origins.sets.list[set as usize].iter();
            let near = all.map(|&o| self.origins.list[o as usize]);
            self.pushed.along.extend(near.filter(|o| !o.3).map(|o| o.0));
        }
        let own = self.far_state(state);
        for n in self.places(top) {
            self.pushed.to.insert(n);
            self.flows(Some(n), &own);
        }
    }

    /// What is held behind a call.
    fn back(&mut self, n: u32, node: &Node, before: &State) -> State {
        let mut state = before.clone();
        let exit = node.to.and_then(|to| self.exits.get(&to));
        if exit.is_none() && (node.to.is_none() || self.late) {
            return state;
        }
        // Of a routine that has not been seen to its end nothing comes yet.
        let changes = self.flow.routines.changed_by(n, node).unwrap_or(ALL);
        for (l, slot) in state.held.iter_mut().enumerate() {
            if changes.has(l as u8) {
                *slot = exit.map_or_else(Held::default, |e| e.held[l]);
            }
        }
        state
    }

    /// What is held behind an instruction.
    fn passed(&mut self, n: u32, node: &Node, before: State) -> State {
        let flow = self.flow;
        let Some(facts) = &node.facts else {
            return before;
        };
        let layout = flow.book.semantics.layout();
        let e = &facts.effects;
        let mut after = before.clone();
        for l in e.writes.iter().filter(|&l| l < place::OTHERS) {
            after.held[usize::from(l)] = Held::default();
        }
        let touches = e.reads_memory || e.writes_memory || e.reads_program;
        let mut inputs: Vec<(Input, Held)> = Vec::new();
        let reads = e.reads();
        for &(l, cell) in self.cells.iter().filter(|c| reads.has(c.0)) {
            let held = before.held.get(usize::from(l)).copied().unwrap_or_default();
            if !held.is_none() {
                inputs.push((Input::Cell(cell), held));
            }
        }
        let mut constants = [0; 2];
        if node.ways.way.is_none() {
            inputs.extend(self.constants(node, &mut constants));
        }
        let (read, written) = match touches {
            true => {
                let find = || flow.book.touched(node.code(), 0).unwrap_or_default();
                self.touched.entry(n).or_insert_with(find).clone()
            }
            false => Default::default(),
        };
        let stack = self.stack.at;
        if node.ways.way.is_none() {
            for (i, &at) in (0u8..).zip(&read) {
                let held = self.read(n, node, &before, (at, stack));
                inputs.extend((!held.is_none()).then_some((Input::Read(i), held)));
            }
            let lift = facts.lift.unwrap_or(0);
            match lift {
                0 => {}
                _ if facts.lift.is_none() => after.stack.clear(),
                1.. => {
                    let left = after.stack.len().saturating_sub(lift as usize);
                    after.stack.truncate(left);
                }
                _ => {
                    let more = lift.unsigned_abs() as usize;
                    after.stack.extend(vec![Held::default(); more]);
                    let deep = after.stack.len().saturating_sub(DEEP);
                    after.stack.drain(..deep);
                }
            }
            if facts.lift.is_none() && e.writes.0 & layout.of_cells(layout.stack).0 != 0 {
                after.stack.clear();
            }
        }
        if inputs.is_empty() {
            return after;
        }
        let outputs = self.outputs(node, constants, &inputs);
        self.judge(n, &before, &inputs, &outputs);
        for (output, held) in sums(&outputs, &inputs, &mut self.origins.sets) {
            match output {
                Output::Location(l) => after.held[usize::from(l)] = held,
                Output::Way => {}
                Output::Written(i) => {
                    let at = written.get(usize::from(i)).copied();
                    if node.ways.way.is_none()
                        && let Some(at) = at
                    {
                        let lift = i64::from(facts.lift.unwrap_or(0));
                        self.write(node, (&before, &mut after), (at, stack + lift), held);
                    }
                }
            }
        }
        after
    }

    /// How all that an instruction leaves follows its inputs.
    fn outputs(
        &mut self,
        node: &Node,
        constants: [u8; 2],
        inputs: &[(Input, Held)],
    ) -> Vec<(usize, Follows)> {
        let book = self.flow.book;
        let mut out = Vec::new();
        for (i, (input, _)) in inputs.iter().enumerate() {
            let key = (node.code().to_vec(), *input);
            let find = || {
                let own = follows::key(node.code(), constants, *input);
                self.all_follows.get(&own, || {
                    let found = book.follows(node.code(), constants, *input);
                    Arc::from(found.unwrap_or_default())
                })
            };
            let all = self.follows.entry(key).or_insert_with(find);
            out.extend(all.iter().map(|f| (i, *f)));
        }
        out
    }

    /// The constants of an instruction that are bytes of addresses.
    fn constants(&mut self, node: &Node, own: &mut [u8; 2]) -> Vec<(Input, Held)> {
        let mut out = Vec::new();
        let mut n = 0u8;
        let plain = |o: &&Operand| !o.relative;
        for o in node.operands.iter().filter(plain) {
            let held = self.value(&o.shape);
            let bytes = if o.width > BYTE { 2 } else { 1 };
            for i in 0..bytes {
                let at = usize::from(n + i);
                if let Some(slot) = own.get_mut(at) {
                    *slot = (o.value >> (BYTE * i)) as u8;
                }
                let byte = held.map(|h| h[usize::from(i)]).filter(|h| !h.is_none());
                out.extend(byte.map(|h| (Input::Constant(n + i), h)));
            }
            n += bytes;
        }
        out.retain(|c| matches!(c.0, Input::Constant(0 | 1)));
        out
    }

    /// What a byte of memory holds that an instruction reads.
    fn read(
        &mut self,
        n: u32,
        node: &Node,
        before: &State,
        ((space, at), stack): (Touched, i64),
    ) -> Held {
        let flow = self.flow;
        let Some(facts) = &node.facts else {
            return Held::default();
        };
        let own = flow.book.stack();
        if facts.pointers.is_empty() {
            if space != Space::Data || !facts.reads.contains(&at) {
                return Held::default();
            }
            let at = self.key(at);
            let readers = self.readers.at.entry(at).or_default();
            if !readers.contains(&n) {
                readers.push(n);
            }
            let piece = piece(&flow.nodes, at).map(|p| p.start);
            let put = piece.and_then(|p| self.pieces.get(&p).copied());
            let held = self.memory.get(&at).copied().unwrap_or_default();
            let held = held.join(put.unwrap_or_default(), &mut self.origins.sets);
            return self.origins.far(held);
        }
        if facts.pointers.without(own).is_empty() {
            return before.top(i64::from(at) - stack - self.stack.above);
        }
        if !reads_word(&flow.nodes, n) {
            return Held::default();
        }
        if !self.readers.anywhere.contains(&n) {
            self.readers.anywhere.push(n);
        }
        let mut held = Held::default();
        for p in self.led_to(before, facts.pointers.without(own)) {
            let put = self.pieces.get(&p.start).copied().unwrap_or_default();
            held = held.join(put, &mut self.origins.sets);
            for at in p {
                if let Some(&more) = self.memory.get(&at) {
                    held = held.join(more, &mut self.origins.sets);
                }
            }
        }
        self.origins.far(held)
    }

    /// An instruction puts that into memory.
    fn write(
        &mut self,
        node: &Node,
        (before, after): (&State, &mut State),
        ((_, at), stack): (Touched, i64),
        held: Held,
    ) {
        let flow = self.flow;
        let Some(facts) = &node.facts else { return };
        let own = flow.book.stack();
        if facts.pointers.is_empty() {
            let at = self.key(at);
            let old = self.memory.get(&at).copied().unwrap_or_default();
            let both = old.join(held, &mut self.origins.sets);
            if both != old {
                self.memory.insert(at, both);
                let readers = self.readers.at.get(&at).cloned().unwrap_or_default();
                for n in readers.into_iter().chain(self.readers.anywhere.clone()) {
                    self.queue(n);
                }
            }
            return;
        }
        if facts.pointers.without(own).is_empty() {
            let above = i64::from(at) - stack - self.stack.above;
            let len = after.stack.len() as i64;
            if let Ok(i) = usize::try_from(len - 1 - above)
                && let Some(slot) = after.stack.get_mut(i)
            {
                *slot = held;
            }
            return;
        }
        for p in self.led_to(before, facts.pointers.without(own)) {
            let old = self.pieces.get(&p.start).copied().unwrap_or_default();
            let both = old.join(held, &mut self.origins.sets);
            if both != old {
                self.pieces.insert(p.start, both);
                let all = self.readers.at.iter().filter(|r| p.contains(r.0));
                let all: Vec<u32> = all.flat_map(|r| r.1.iter().copied()).collect();
                for n in all.into_iter().chain(self.readers.anywhere.clone()) {
                    self.queue(n);
                }
            }
        }
    }

    /// A number for an address of data memory: where programs are apart it is none of theirs.
    fn key(&self, at: u32) -> u64 {
        let apart = self.flow.book.semantics.unit() > 1;
        u64::from(at) | u64::from(apart) << 40
    }

    /// The pieces of data that pointers lead into.
    fn led_to(&self, before: &State, pointers: Inputs) -> Vec<Range<u64>> {
        let flow = self.flow;
        let mut origins: Vec<u32> = Vec::new();
        for l in pointers.iter() {
            let held = before.held.get(usize::from(l)).copied().unwrap_or_default();
            origins.extend(&self.origins.sets.list[held.low as usize]);
        }
        origins.sort_unstable();
        origins.dedup();
        let address = |o: &u32| {
            let (a, n, ..) = self.origins.list[*o as usize];
            let unit = i64::from(flow.program.chunks[a.chunk as usize].unit);
            let at = flow.program.address(&flow.placed.layout, a);
            // What is counted from before a label is data of that label.
            at.wrapping_add_signed(n.max(0) * unit)
        };
        let all = origins.iter().map(address);
        let mut all: Vec<_> = all.filter_map(|at| piece(&flow.nodes, at)).collect();
        // Where addresses stand between other things it is not known which are read.
        all.retain(|p| {
            let own = p.clone().filter(|at| self.memory.contains_key(at)).count() as u64;
            let bytes = p.end - p.start;
            bytes <= SMALL || own * 4 >= bytes * 3
        });
        all.sort_unstable_by_key(|p| p.start);
        all.dedup();
        all
    }

    /// All of them, in order.
    fn all(mut self) -> Vec<Bits> {
        self.compared();
        let mut out = Vec::new();
        for (&(o, high), &(bits, at)) in &self.found {
            let (a, n, shift, _) = self.origins.list[o as usize];
            let from = if high { BYTE as i8 + shift } else { 0 };
            let to = if high { 2 * BYTE as i8 } else { bits as i8 } + shift;
            out.push(Bits {
                place: (a, n),
                from: from.max(0) as u8,
                to: to.max(0) as u8,
                at,
            });
        }
        out.sort_unstable();
        out
    }
}

/// What is left that follows inputs as a sum, or does so where they change by multiples.
fn sums(
    outputs: &[(usize, Follows)],
    inputs: &[(Input, Held)],
    sets: &mut Sets,
) -> Vec<(Output, Held)> {
    let mut out: Vec<(Output, Held)> = Vec::new();
    for (i, f) in outputs {
        if f.flag || f.bits == BYTE || f.by == 0 {
            continue;
        }
        // The distance of two addresses is no address.
        let other = |(k, g): &(usize, Follows)| {
            let (a, b) = (inputs[*i].1, inputs[*k].1);
            let same = a.low != NONE && b.low != NONE || a.high != NONE && b.high != NONE;
            let apart = f.is_sum() && g.is_difference() || f.is_difference() && g.is_sum();
            k != i && g.output == f.output && same && apart
        };
        if outputs.iter().any(other) {
            continue;
        }
        let held = inputs[*i].1;
        match out.iter_mut().find(|o| o.0 == f.output) {
            Some(o) => o.1 = o.1.join(held, sets),
            None => out.push((f.output, held)),
        }
    }
    out
}

/// Flags that decide in a program where control goes.
fn asked(flow: &Flow<'_, '_>) -> Inputs {
    let goes = flow.nodes.list.iter().filter(|n| n.ways.way.is_some());
    let uses = goes.filter_map(|n| n.facts.as_ref().map(|f| f.effects.uses));
    uses.fold(Inputs::NONE, Inputs::and)
}

/// Bytes from the stack pointer to the one that was put there last.
fn above(flow: &Flow<'_, '_>) -> i64 {
    let stack = flow.book.stack();
    let sp = stack_at(flow);
    let put = flow.nodes.list.iter().find_map(|n| {
        let f = n.facts.as_ref().filter(|_| n.ways.way.is_none())?;
        let own = f.lift.is_some_and(|l| l < 0) && f.pointers.without(stack).is_empty();
        let (_, written) = flow.book.touched(n.code(), 0).filter(|_| own)?;
        written.iter().map(|w| i64::from(w.1) - sp).max()
    });
    put.map_or(0, |p| p + 1)
}

/// Where the stack pointer is in the state that instructions are run from.
fn stack_at(flow: &Flow<'_, '_>) -> i64 {
    let cells = flow.book.cells(0);
    let stack = flow.book.semantics.layout().stack.iter().rev();
    stack.fold(0, |at, &c| at << 8 | i64::from(cells[usize::from(c)]))
}

/// Whether a node reads one byte of a word: another is read near it by the same pointer.
fn reads_word(nodes: &Nodes, n: u32) -> bool {
    let pointers = |x: u32| {
        let facts = nodes.list[x as usize].facts.as_ref()?;
        let reads = facts.effects.reads_memory || facts.effects.reads_program;
        reads.then_some(facts.pointers)
    };
    let first = n.saturating_sub(BESIDE);
    let last = (n + BESIDE).min(nodes.list.len() as u32 - 1);
    (first..=last).any(|x| x != n && pointers(x).is_some() && pointers(x) == pointers(n))
}

/// By how many bits a number is shifted against the address of its place.
fn shift(s: Scale) -> i8 {
    match (s.bytes, s.words) {
        (Some(_), _) => -1,
        (None, true) => 1,
        (None, false) => 0,
    }
}

/// The piece of data that holds an address: from one label to the next, or to code.
fn piece(nodes: &Nodes, at: u64) -> Option<Range<u64>> {
    let (n, _) = nodes.holding(at)?;
    let of = |n: u32| &nodes.list[n as usize];
    let chunk = of(n).at.chunk;
    let data = |n: u32| of(n).kind != Kind::Code && of(n).at.chunk == chunk;
    if !data(n) {
        return None;
    }
    let mut first = n;
    while of(first).labels.is_empty() && first > 0 && data(first - 1) {
        first -= 1;
    }
    let mut end = n + 1;
    while (end as usize) < nodes.list.len() && data(end) && of(end).labels.is_empty() {
        end += 1;
    }
    let last = of(end - 1);
    Some(of(first).address..last.address + u64::from(last.size))
}
