//! The handler of late blocks, line by line: from where a block is late to the edge of
//! hSync, over all lines without blocks, to where a block goes on.
//!
//! States are told apart by the cells that the handler alone uses: what the next line
//! is, how many are to come, which row is drawn. What blocks use too can be whatever is
//! ever in it.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::rc::Rc;

use super::memory::Reads;
use super::start::Start;
use super::states::{Now, merged};
use super::step::{Doubt, Machine, Phase, World, step};
use super::value::{Set, Token, Value};
use crate::opcode::{self, Opcode};
use crate::semantics::Register;
use crate::timing::words::LATE;
use crate::timing::{Step, Time};

/// hSync in OUT.
const HSYNC: u8 = 6;
/// vSync in OUT.
pub const VSYNC: u8 = 7;
/// A line may be so many times too long; more is a loop.
const LONGEST: i64 = 8;
/// A state becomes so many at a cell by which it is told apart.
const FEW_VALUES: usize = 16;
/// A cell with more values than these is not told apart when there are many states; then
/// the same where those were still too many.
const MANY_VALUES: [usize; 2] = [160, 64];
/// So many states are many.
const MANY_NODES: usize = 2_000;
/// Most states at one clock.
const MOST_STATES: usize = 2_000;
/// Most lines.
const MOST_NODES: usize = 10_000;
/// Most words in all.
const MOST_WORDS: usize = 24_000_000;
/// Words that put colours out are passed at once, so many at most.
const MOST_IDLE: u16 = 200;
/// Most faults that are kept.
const MOST_FAULTS: usize = 50;

/// What is wrong with a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Wrong {
    /// hSync falls at another clock.
    Period,
    /// It is low for another time.
    Width,
    /// The block goes on with another time than what is left.
    Resume(u8),
}

/// A line that is wrong.
#[derive(Clone, Debug)]
pub struct Fault {
    pub at: u16,
    pub wrong: Wrong,
    /// Clocks, or AC.
    pub found: i64,
    pub wanted: i64,
    pub path: Vec<Step>,
}

/// What tells states of the handler apart.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Key {
    /// Behind an edge: the word in execution and the next; nothing: where blocks are.
    place: Option<(u16, u16)>,
    /// vSync has fallen once.
    synced: bool,
    out: Set,
    cells: Vec<(u8, u8)>,
    /// Cells with the page and the place of the late block.
    tokens: Vec<(u8, Token)>,
}

/// A way from a state to another.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Link {
    pub to: usize,
    /// hSync falls on it.
    pub line: bool,
    /// vSync falls, or rises.
    pub falls: bool,
    pub rises: bool,
}

struct Node {
    key: Key,
    registers: [Set; 4],
    reads: Reads,
    version: u64,
    queued: bool,
    pub links: Vec<Link>,
}

/// How lines are counted.
#[derive(Clone, Copy, Debug)]
pub struct Spec {
    /// The handler.
    pub late: u16,
    /// The time of blocks.
    pub time: Time,
    /// Clocks of a line.
    pub period: i64,
    /// Clocks that hSync is low, and by how much that may be off.
    pub width: (i64, i64),
    /// Cells with the page and the place of a late block.
    pub back: u8,
}

/// All states of the handler.
pub struct Handler {
    spec: Spec,
    resumes: Vec<u16>,
    /// Page 0 before the first block.
    boot: Box<[Set; 256]>,
    nodes: Vec<Node>,
    index: HashMap<Key, usize>,
    queue: VecDeque<usize>,
    /// Cells that are not told apart.
    joined: Set,
    /// Which of [`MANY_VALUES`].
    attempt: usize,
    /// Cells that held a page or place of a late block.
    passed: Set,
    values: Vec<Set>,
    pub faults: BTreeMap<(u16, Wrong), Fault>,
    /// Least and most clocks before each word.
    pub clocks: BTreeMap<u16, (i64, i64)>,
}

impl Handler {
    /// Begins when the first block does.
    pub fn new(spec: Spec, resumes: Vec<u16>, boot: &Machine) -> Self {
        let mut cells = Box::new(boot.before.cells);
        for (c, value) in &boot.cells {
            cells[usize::from(*c)] = value.set;
        }
        let mut new = Self {
            spec,
            resumes,
            boot: cells,
            nodes: Vec::new(),
            index: HashMap::new(),
            queue: VecDeque::new(),
            joined: Set::EMPTY,
            attempt: 0,
            passed: Set::of(spec.back),
            values: vec![Set::EMPTY; 256],
            faults: BTreeMap::new(),
            clocks: BTreeMap::new(),
        };
        let key = Key {
            place: None,
            synced: false,
            out: boot.out(),
            cells: Vec::new(),
            tokens: Vec::new(),
        };
        new.node(key, [Set::FULL; 4]);
        new
    }

    /// Cells that are not told apart.
    pub fn joined(&self) -> Vec<u8> {
        self.joined.iter().collect()
    }

    /// Lines and blocks that were looked at.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    fn node(&mut self, key: Key, registers: [Set; 4]) -> usize {
        if let Some(&n) = self.index.get(&key) {
            let node = &mut self.nodes[n];
            let mut grown = false;
            for (mine, set) in node.registers.iter_mut().zip(registers) {
                let all = mine.union(set);
                grown |= all != *mine;
                *mine = all;
            }
            if grown && !node.queued {
                node.queued = true;
                self.queue.push_back(n);
            }
            return n;
        }
        let new = self.nodes.len();
        self.index.insert(key.clone(), new);
        self.nodes.push(Node {
            key,
            registers,
            reads: Reads::default(),
            version: 0,
            queued: true,
            links: Vec::new(),
        });
        self.queue.push_back(new);
        new
    }

    /// Follows all lines until there is nothing new, or there are so many states; whether
    /// it came to the end.
    pub fn run(&mut self, world: &mut World<'_>, most: usize) -> bool {
        world.phase = Phase::Handler;
        loop {
            while let Some(n) = self.queue.pop_front() {
                self.nodes[n].queued = false;
                self.walk(world, n);
                if world.is_hopeless() {
                    return false;
                }
                if self.nodes.len() > most {
                    return false;
                }
                let many = self.nodes.len() > MOST_NODES;
                if many && self.attempt + 1 < MANY_VALUES.len() {
                    self.again();
                    continue;
                }
                if world.words > MOST_WORDS || many {
                    world.doubt(self.spec.late, Doubt::TooMany);
                    return true;
                }
            }
            for (i, node) in self.nodes.iter_mut().enumerate() {
                if world.memory.is_stale(&node.reads, node.version) {
                    node.queued = true;
                    self.queue.push_back(i);
                }
            }
            if self.queue.is_empty() {
                return true;
            }
        }
    }

    /// Begins once more, telling fewer states apart.
    fn again(&mut self) {
        let first = self.nodes[0].key.clone();
        self.attempt += 1;
        self.nodes.clear();
        self.index.clear();
        self.queue.clear();
        self.faults.clear();
        self.clocks.clear();
        self.node(first, [Set::FULL; 4]);
    }

    /// Page 0 at the start of a node.
    fn cells(&self, world: &World<'_>, key: &Key) -> [Set; 256] {
        let mut cells = *world.memory.shared;
        for (c, cell) in (0..=255u8).zip(&mut cells) {
            if self.passed.contains(c) {
                *cell = Set::FULL;
            } else if !self.joined.contains(c) && !world.block_uses.contains(c) {
                *cell = self.boot[usize::from(c)];
            }
        }
        for &(c, v) in &key.cells {
            cells[usize::from(c)] = Set::of(v);
        }
        cells
    }

    /// All paths to the next edges, or to where a block goes on.
    fn walk(&mut self, world: &mut World<'_>, n: usize) {
        let key = self.nodes[n].key.clone();
        let before = Rc::new(Start::of(self.cells(world, &key)));
        self.nodes[n].version = world.memory.version;
        world.reads = Reads::default();
        // States by their clock: those of one clock at a time are looked at.
        let mut times: BTreeMap<i64, Vec<Now>> = BTreeMap::new();
        let time = self.spec.time;
        let mut first = |machine: Machine, clock: i64| {
            let now = Now {
                machine,
                falls: false,
                rises: false,
                before: u32::MAX,
            };
            times.entry(clock).or_default().push(now);
        };
        let registers = self.nodes[n].registers.map(Value::among);
        let mut trace: Vec<(u16, u32)> = Vec::new();
        let token = |token| Value {
            token,
            ..Value::unknown()
        };
        match key.place {
            Some((at, next)) => {
                let mut m = Machine {
                    next,
                    registers,
                    ..Machine::at(at, before)
                };
                for &(c, t) in &key.tokens {
                    m.store(c, token(t));
                }
                first(m, 1);
            }
            None => {
                for less in 1..=time.limit.clamp(0, 128) {
                    let mut m = Machine::at(self.spec.late, before.clone());
                    *m.ac() = token(Token::Page);
                    m.registers[Register::Out as usize] = Value::among(key.out);
                    m.store(self.spec.back, token(Token::Place));
                    m.store(time.cell, Value::of(-less as u8));
                    first(m, time.deadline - time.limit + less + i64::from(LATE));
                }
            }
        }
        let mut links = Vec::new();
        let mut next: Vec<(i64, Now)> = Vec::new();
        while let Some((clock, states)) = times.pop_first() {
            let states = merged(states);
            if clock > self.spec.period * LONGEST || states.len() > MOST_STATES {
                world.doubt(states[0].machine.at, Doubt::TooMany);
                break;
            }
            for state in states {
                trace.push((state.machine.at, state.before));
                self.state(world, &key, state, clock, &mut trace, &mut links, &mut next);
            }
            for (clock, now) in next.drain(..) {
                times.entry(clock).or_default().push(now);
            }
        }
        links.dedup();
        self.nodes[n].links = links;
        self.nodes[n].reads = world.reads;
    }

    /// Executes the word of a state.
    #[expect(clippy::too_many_arguments)]
    fn state(
        &mut self,
        world: &mut World<'_>,
        key: &Key,
        state: Now,
        clock: i64,
        trace: &mut Vec<(u16, u32)>,
        links: &mut Vec<Link>,
        next: &mut Vec<(i64, Now)>,
    ) {
        let here = trace.len() as u32 - 1;
        let m = &state.machine;
        self.clock(key, m.at, clock);
        if world.syncs.contains(&m.at) {
            // Blocks are come to by `resume` only.
            return world.doubt(m.at, Doubt::Resume);
        }
        if self.resumes.contains(&m.at) {
            return self.resume(world, key, &state, clock, trace, links);
        }
        let idle = self.idle_words(world, m);
        if idle > 0 {
            return next.push(self.pass(key, state, clock, idle, trace));
        }
        let mut after = Vec::new();
        let (at, out) = (m.at, m.out());
        let (falls, rises) = (state.falls, state.rises);
        step(world, state.machine, &mut after);
        for machine in after {
            let now = Now {
                machine,
                before: here,
                falls,
                rises,
            };
            self.out(world, key, (at, out), now, clock, trace, links, next);
        }
    }

    fn clock(&mut self, key: &Key, at: u16, clock: i64) {
        if key.synced {
            let range = self.clocks.entry(at).or_insert((clock, clock));
            *range = (range.0.min(clock), range.1.max(clock));
        }
    }

    /// Words from here on that do nothing but put colours out.
    fn idle_words(&self, world: &World<'_>, m: &Machine) -> u16 {
        let Some(sync) = m.out().single().filter(|_| m.next == m.at.wrapping_add(1)) else {
            return 0;
        };
        let idle = |at: &u16| {
            let [op, operand] = world.word(*at).to_le_bytes();
            let op = Opcode(op);
            let load = op.operation() == 0 && !op.is_jump();
            // Mode 7 counts X on.
            let colour = op.mode() == 6 && op.bus() == opcode::OPERAND;
            let stays =
                colour && operand & 0xc0 == sync || op.mode() == 0 && op.bus() == opcode::AC;
            load && stays && !world.syncs.contains(at) && !self.resumes.contains(at)
        };
        let words = (m.at..=u16::MAX - 1).take_while(idle);
        words.take(usize::from(MOST_IDLE)).count() as u16
    }

    /// Goes on behind words that do nothing.
    fn pass(
        &mut self,
        key: &Key,
        mut state: Now,
        clock: i64,
        words: u16,
        trace: &mut Vec<(u16, u32)>,
    ) -> (i64, Now) {
        let m = &mut state.machine;
        for i in 1..words {
            let at = m.at + i;
            trace.push((at, trace.len() as u32 - 1));
            self.clock(key, at, clock + i64::from(i));
        }
        m.at += words;
        m.next = m.at.wrapping_add(1);
        m.clock += u32::from(words);
        state.before = trace.len() as u32 - 1;
        (clock + i64::from(words), state)
    }

    /// Looks at what a word does to the sync signals.
    #[expect(clippy::too_many_arguments)]
    fn out(
        &mut self,
        world: &mut World<'_>,
        key: &Key,
        (at, a): (u16, Set),
        mut now: Now,
        clock: i64,
        trace: &[(u16, u32)],
        links: &mut Vec<Link>,
        next: &mut Vec<(i64, Now)>,
    ) {
        let b = now.machine.out();
        if a == b {
            return next.push((clock + 1, now));
        }
        match (a.bit(VSYNC), b.bit(VSYNC)) {
            (Some(true), Some(false)) => now.falls = true,
            (Some(false), Some(true)) => now.rises = true,
            (Some(_), Some(_)) => {}
            (None, Some(_)) if !key.synced => {}
            _ => return world.doubt(at, Doubt::Edge),
        }
        let edge = match (a.bit(HSYNC), b.bit(HSYNC)) {
            (Some(true), Some(false)) => true,
            (None, Some(false)) if !key.synced => true,
            (Some(false), Some(true)) => {
                let (width, slack) = self.spec.width;
                if key.synced && (clock - width).abs() > slack {
                    self.fault(at, Wrong::Width, clock, width, trace);
                }
                false
            }
            (Some(_), Some(_)) => false,
            (None, Some(true)) if !key.synced => false,
            _ => return world.doubt(at, Doubt::Edge),
        };
        if !edge {
            // Lines count from the first vSync, which must be the start of one.
            if now.falls && !key.synced {
                return world.doubt(at, Doubt::Edge);
            }
            return next.push((clock + 1, now));
        }
        if key.synced && clock != self.spec.period {
            self.fault(at, Wrong::Period, clock, self.spec.period, trace);
        }
        let place = Some((now.machine.at, now.machine.next));
        self.leave(world, key, &now, place, links);
    }

    /// A block goes on: with the right time in AC, at the place where it was late.
    fn resume(
        &mut self,
        world: &mut World<'_>,
        key: &Key,
        state: &Now,
        clock: i64,
        trace: &[(u16, u32)],
        links: &mut Vec<Link>,
    ) {
        let m = &state.machine;
        let at = m.at;
        let [op, operand] = world.word(at).to_le_bytes();
        let op = Opcode(op);
        let y = m.registers[Register::Y as usize].token;
        let place = m.cells.binary_search_by_key(&operand, |c| c.0);
        let place = place.map_or(Token::None, |i| m.cells[i].1.token);
        let slot = Opcode(world.word(at.wrapping_add(1)) as u8);
        let right = op.is_far_jump()
            && op.bus() == opcode::RAM
            && m.next == at.wrapping_add(1)
            && (y, place) == (Token::Page, Token::Place)
            && !slot.is_jump();
        if !right {
            return world.doubt(at, Doubt::Resume);
        }
        // The slot: where it leads from there does not matter.
        let mut after = Vec::new();
        let in_slot = Machine {
            at: m.next,
            next: 0,
            ..m.clone()
        };
        step(world, in_slot, &mut after);
        let time = self.spec.time;
        let left = time.deadline - clock - time.limit;
        // A block that is late again would have less left than the handler counts with.
        let counts = key.synced || state.falls;
        if counts && !(0..=127).contains(&left) {
            world.doubt(at, Doubt::Time(left));
        }
        let wanted = left as u8;
        for machine in after {
            if machine.out() != m.out() {
                world.doubt(at, Doubt::Edge);
                continue;
            }
            let ac = machine.registers[Register::Ac as usize].set;
            match ac.single() {
                // Before the first vSync no line counts, but blocks must be late in time,
                // also with what would be left of a line.
                Some(0..=127) if !counts => {}
                Some(found) if !counts => {
                    world.doubt(at, Doubt::Time(i64::from(found as i8)));
                }
                Some(found) if found == wanted => {}
                Some(found) => {
                    let found = i64::from(found);
                    self.fault(at, Wrong::Resume(wanted), found, wanted.into(), trace);
                }
                None => world.doubt(at, Doubt::Resume),
            }
            let now = Now { machine, ..*state };
            self.leave(world, key, &now, None, links);
        }
    }

    /// Comes to an edge, or to where blocks are.
    fn leave(
        &mut self,
        world: &mut World<'_>,
        key: &Key,
        now: &Now,
        place: Option<(u16, u16)>,
        links: &mut Vec<Link>,
    ) {
        let m = &now.machine;
        let mut all = vec![key.cells.clone()];
        let mut tokens = Vec::new();
        for &(c, ref value) in &m.cells {
            if value.token != Token::None {
                // Whoever reads it elsewhere finds any page or place.
                self.passed.insert(c);
                world.memory.share(usize::from(c), Set::FULL);
                tokens.extend(place.map(|_| (c, value.token)));
                continue;
            }
            // What was only read stays as it was.
            let same = value.set == m.before.cells[usize::from(c)];
            let own = world.handler_writes.contains(c) || key.cells.iter().any(|k| k.0 == c);
            if same && !own {
                continue;
            }
            if c == self.spec.back || c == self.spec.time.cell {
                continue;
            }
            world.memory.share(usize::from(c), value.set);
            if !world.handler_writes.contains(c) || world.block_uses.contains(c) {
                continue;
            }
            let seen = &mut self.values[usize::from(c)];
            *seen = seen.union(value.set);
            let many = self.nodes.len() > MANY_NODES && seen.len() > MANY_VALUES[self.attempt];
            if value.set.len() > FEW_VALUES || many {
                self.joined.insert(c);
            }
            if self.joined.contains(c) {
                continue;
            }
            let one = |cells: &Vec<(u8, u8)>, v: u8| {
                let mut cells = cells.clone();
                match cells.binary_search_by_key(&c, |k| k.0) {
                    Ok(i) => cells[i].1 = v,
                    Err(i) => cells.insert(i, (c, v)),
                }
                cells
            };
            let values = value.set.iter();
            all = values
                .flat_map(|v| all.iter().map(move |cells| (cells, v)))
                .map(|(cells, v)| one(cells, v))
                .collect();
        }
        for mut cells in all {
            cells.retain(|c| !self.joined.contains(c.0));
            let key = Key {
                place,
                synced: key.synced || now.falls,
                out: m.out(),
                cells,
                tokens: tokens.clone(),
            };
            let registers = match place {
                Some(_) => m.registers.map(|r| r.set),
                None => [Set::FULL; 4],
            };
            let link = Link {
                to: self.node(key, registers),
                line: place.is_some(),
                falls: now.falls,
                rises: now.rises,
            };
            if !links.contains(&link) {
                links.push(link);
            }
        }
    }

    fn fault(&mut self, at: u16, wrong: Wrong, found: i64, wanted: i64, trace: &[(u16, u32)]) {
        if self.faults.contains_key(&(at, wrong)) || self.faults.len() >= MOST_FAULTS {
            return;
        }
        let mut path = Vec::new();
        let mut n = trace.len() as u32 - 1;
        while let Some(&(word, before)) = trace.get(n as usize) {
            path.push(word);
            n = before;
        }
        path.reverse();
        let first = match wrong {
            Wrong::Resume(_) => 0,
            _ => found + 1 - path.len() as i64,
        };
        let path = path.into_iter().zip(first..).collect();
        let fault = Fault {
            at,
            wrong,
            found,
            wanted,
            path,
        };
        self.faults.insert((at, wrong), fault);
    }

    /// Lines of a frame and of its vSync pulse, if all frames have as many; the error is
    /// a number and another one, or nothing if vSync does not come again and again.
    pub fn frames(&self) -> super::Frames {
        let mut label: Vec<Option<i64>> = vec![None; self.nodes.len()];
        let mut queue = VecDeque::new();
        let (mut frame, mut pulse) = (None, None);
        let synced = |n: usize| self.nodes[n].key.synced;
        for n in 0..self.nodes.len() {
            for l in self.nodes[n].links.iter().filter(|l| l.falls) {
                if label[l.to].replace(0).is_none() {
                    queue.push_back(l.to);
                }
            }
        }
        while let Some(n) = queue.pop_front() {
            let here = label[n].unwrap_or(0);
            for l in &self.nodes[n].links {
                let there = here + i64::from(l.line);
                let same = |known: &mut Option<i64>| match *known.get_or_insert(there) {
                    k if k == there => Ok(()),
                    k => Err(Some((k.min(there), k.max(there)))),
                };
                if l.rises {
                    same(&mut pulse)?;
                }
                if l.falls {
                    same(&mut frame)?;
                    continue;
                }
                match label[l.to] {
                    Some(k) if k != there => return Err(Some((k.min(there), k.max(there)))),
                    Some(_) => {}
                    None => {
                        label[l.to] = Some(there);
                        queue.push_back(l.to);
                    }
                }
            }
        }
        let last = |n: usize| synced(n) && self.nodes[n].links.is_empty();
        match (frame, pulse) {
            (Some(f), Some(p)) if !(0..self.nodes.len()).any(last) => Ok((f, p)),
            _ => Err(None),
        }
    }
}
