//! Lines as nodes of a graph, followed from power-on until there is nothing new.

use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
use std::rc::Rc;

use super::memory::{Cells, Memory, Ram, Written};
use super::step::{Machine, step};
use super::value::{Set, Value};
use super::{HSYNC, VSYNC};
use crate::timing::{Contracts, Open, Step};

/// Clocks that a program may take before its first line.
const BOOT: usize = 1 << 22;
/// A line may be so many times too long; more is a loop.
const LONGEST: usize = 8;
/// Most states at one clock of a line before those at one place are joined.
const WIDEST: usize = 64;
/// Most states at one clock.
const MOST_STATES: usize = 1_000;
/// Lines before cells that decide nothing are told apart no more.
const MANY: usize = 2_000;
/// A cell with more values than these makes many lines.
const MANY_VALUES: usize = 16;
/// Most lines.
const MOST_LINES: usize = 300_000;
/// Most words in all, those of walks that knew less among them.
const MOST_WORDS: usize = 8_000_000;

/// A line begins: all that tells one line from another.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Key {
    at: u16,
    next: u16,
    synced: bool,
    cells: Cells,
}

/// A line.
pub struct Line {
    key: Key,
    registers: [Set; 4],
    written: Rc<Written>,
    pub ends: Vec<Link>,
    queued: bool,
    /// Which walk tells how it goes on.
    walk: Option<usize>,
}

/// A way from a line to the next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// The line behind it.
    pub to: usize,
    /// Clocks from edge to edge.
    pub period: usize,
    /// vSync falls on the way.
    pub frame: bool,
    /// Counts: vSync had fallen before it.
    pub counts: bool,
    /// Index of its path.
    pub path: Option<usize>,
    /// The word that lets hSync fall.
    pub edge: u16,
}

/// How a line can go on, from a start with certain cells; others stay what they are.
struct Walk {
    /// The cells that matter to it.
    touched: Set,
    reads: Vec<u16>,
    version: u64,
    ends: Vec<End>,
}

/// What else than cells matters to a walk.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Start {
    at: u16,
    next: u16,
    synced: bool,
    registers: [Set; 4],
    written: Rc<Written>,
}

/// Walks from one start, by the cells that matter and their values.
type Known = Vec<(Set, HashMap<Cells, usize>)>;

/// Those cells that are in a set.
fn among(cells: &Cells, set: &Set) -> Cells {
    cells
        .iter()
        .copied()
        .filter(|c| set.contains(c.0))
        .collect()
}

#[derive(Clone)]
struct End {
    machine: Machine,
    period: usize,
    frame: bool,
    path: Option<usize>,
    edge: u16,
}

/// What was found.
pub struct Graph<'a> {
    rom: &'a [u16],
    contracts: &'a Contracts,
    period: usize,
    pub memory: Memory,
    pub lines: Vec<Line>,
    index: HashMap<Key, usize>,
    walks: Vec<Walk>,
    known: HashMap<Start, Known>,
    /// Paths of lines of a wrong length.
    pub paths: Vec<Vec<Step>>,
    known_paths: HashMap<Vec<Step>, usize>,
    /// Words on lines of the right length.
    pub good: BTreeSet<u16>,
    pub open: BTreeSet<(u16, Open, u16)>,
    pub words: usize,
    /// Least and most clocks before each word, counted from the edge.
    pub clocks: Vec<(u32, u32)>,
}

impl<'a> Graph<'a> {
    /// There are more lines or words than are walked.
    pub fn is_over(&self) -> bool {
        self.lines.len() > MOST_LINES || self.words > MOST_WORDS
    }

    /// Values of each cell by which lines are told apart, and how many lines change it.
    pub fn cells(&self) -> BTreeMap<u8, (Set, usize)> {
        let mut out: BTreeMap<u8, (Set, usize)> = BTreeMap::new();
        for line in &self.lines {
            for &(c, v) in &line.key.cells {
                let known = out.entry(c).or_default();
                known.0.insert(v);
                let same = |l: &Link| {
                    let cells = &self.lines[l.to].key.cells;
                    cells.binary_search(&(c, v)).is_ok()
                };
                known.1 += usize::from(!line.ends.iter().all(same));
            }
        }
        out
    }

    /// The cell with many values that changes least often, if there are many lines.
    pub fn slowest(&self) -> Option<u8> {
        if self.lines.len() <= MANY {
            return None;
        }
        let cells = self.cells();
        let many = cells.iter().filter(|c| c.1.0.len() > MANY_VALUES);
        many.min_by_key(|c| c.1.1).map(|c| *c.0)
    }

    /// Follows all lines; `words` were walked before, with less knowledge.
    pub fn walk(
        rom: &'a [u16],
        contracts: &'a Contracts,
        period: usize,
        memory: Memory,
        words: usize,
    ) -> Self {
        let mut graph = Self {
            rom,
            contracts,
            period,
            memory,
            lines: Vec::new(),
            index: HashMap::new(),
            walks: Vec::new(),
            known: HashMap::new(),
            paths: Vec::new(),
            known_paths: HashMap::new(),
            good: BTreeSet::new(),
            open: BTreeSet::new(),
            words,
            clocks: vec![(u32::MAX, 0); 0x1_0000],
        };
        let written = Rc::new(graph.memory.nothing());
        // The reset holds the program counter, so word 0 executes twice.
        let start = Machine {
            at: 0,
            next: 0,
            registers: [Value::UNKNOWN; 4],
            ram: Ram {
                cells: Rc::default(),
                local: Rc::default(),
                written,
            },
            synced: false,
        };
        let mut queue = VecDeque::new();
        graph.line(&start, &mut queue);
        let mut parked = false;
        loop {
            while let Some(line) = queue.pop_front() {
                graph.lines[line].queued = false;
                graph.follow(line, &mut queue);
                if graph.lines.len() > MANY && !parked {
                    parked = true;
                    graph.memory.park();
                }
                let many = graph.is_over();
                if many || graph.memory.lacks() {
                    if many {
                        graph
                            .open
                            .insert((graph.lines[line].key.at, Open::TooMany, 0));
                    }
                    return graph;
                }
            }
            // A cell may hold more than it did when a line was looked at.
            for i in 0..graph.lines.len() {
                let walk = graph.lines[i].walk.map(|w| &graph.walks[w]);
                if walk.is_some_and(|w| graph.memory.is_stale(&w.reads, w.version)) {
                    graph.lines[i].queued = true;
                    queue.push_back(i);
                }
            }
            if queue.is_empty() {
                return graph;
            }
        }
    }

    /// The line that begins with a state.
    fn line(&mut self, m: &Machine, queue: &mut VecDeque<usize>) -> usize {
        let mut cells = (*m.ram.cells).clone();
        self.memory.strip(&mut cells);
        let key = Key {
            at: m.at,
            next: m.next,
            synced: m.synced,
            cells,
        };
        let sets = m.registers.map(|r| r.set);
        let Some(&known) = self.index.get(&key) else {
            let new = self.lines.len();
            self.index.insert(key.clone(), new);
            self.lines.push(Line {
                key,
                registers: sets,
                written: m.ram.written.clone(),
                ends: Vec::new(),
                queued: true,
                walk: None,
            });
            queue.push_back(new);
            return new;
        };
        let line = &mut self.lines[known];
        let mut grown = false;
        for (mine, set) in line.registers.iter_mut().zip(sets) {
            let all = mine.union(set);
            grown |= all != *mine;
            *mine = all;
        }
        if line.written != m.ram.written {
            grown |= Rc::make_mut(&mut line.written).keep(&m.ram.written);
        }
        if grown && !line.queued {
            line.queued = true;
            queue.push_back(known);
        }
        known
    }

    fn follow(&mut self, line: usize, queue: &mut VecDeque<usize>) {
        let l = &self.lines[line];
        let start = Machine {
            at: l.key.at,
            next: l.key.next,
            registers: l.registers.map(|set| Value {
                mixed: set.single().is_none(),
                ..Value::among(set)
            }),
            ram: Ram {
                cells: Rc::new(l.key.cells.clone()),
                local: Rc::default(),
                written: l.written.clone(),
            },
            synced: l.key.synced,
        };
        let counts = start.synced && line != 0;
        let cells = l.key.cells.clone();
        let walk = self.walk_of(start, line == 0);
        let touched = self.walks[walk].touched;
        let mut links: Vec<Link> = Vec::new();
        for i in 0..self.walks[walk].ends.len() {
            let mut end = self.walks[walk].ends[i].clone();
            // What the walk did not touch stays what it is.
            let mut all = among(&end.machine.ram.cells, &touched);
            all.extend(cells.iter().filter(|c| !touched.contains(c.0)));
            all.sort_unstable();
            end.machine.ram.cells = Rc::new(all);
            let link = Link {
                to: self.line(&end.machine, queue),
                period: end.period,
                frame: end.frame,
                counts,
                path: end.path,
                edge: end.edge,
            };
            if !links.contains(&link) {
                links.push(link);
            }
        }
        self.lines[line].ends = links;
        self.lines[line].walk = Some(walk);
    }

    /// The walk from a state: one that is known, if it still holds.
    fn walk_of(&mut self, start: Machine, boot: bool) -> usize {
        let key = Start {
            at: start.at,
            next: start.next,
            synced: start.synced,
            registers: start.registers.map(|r| r.set),
            written: start.ram.written.clone(),
        };
        let known = self.known.get(&key).into_iter().flatten();
        for (touched, walks) in known {
            if let Some(&walk) = walks.get(&among(&start.ram.cells, touched)) {
                let w = &self.walks[walk];
                if !self.memory.is_stale(&w.reads, w.version) {
                    return walk;
                }
            }
        }
        let cells = start.ram.cells.clone();
        let walk = self.run(start, boot);
        let (new, touched) = (self.walks.len(), walk.touched);
        self.walks.push(walk);
        let known = self.known.entry(key).or_default();
        let mine = among(&cells, &touched);
        match known.iter_mut().find(|k| k.0 == touched) {
            Some(k) => _ = k.1.insert(mine, new),
            None => known.push((touched, HashMap::from([(mine, new)]))),
        }
        new
    }

    /// All paths from an edge to the next.
    fn run(&mut self, start: Machine, boot: bool) -> Walk {
        let version = self.memory.version;
        self.memory.reads.clear();
        self.memory.touched = Set::EMPTY;
        let from = start.at;
        let counted = start.synced && !boot;
        let limit = if counted { self.period * LONGEST } else { BOOT };
        let mut ends = Vec::new();
        // The words of all paths, each with the step before it.
        let mut trace: Vec<(u16, u32)> = Vec::new();
        let mut states: Vec<(Machine, u32, bool)> = vec![(start, u32::MAX, false)];
        let mut clock = 0;
        let mut after = Vec::new();
        while !states.is_empty() {
            clock += 1;
            if clock > limit || states.len() > MOST_STATES || self.words > MOST_WORDS {
                let why = if clock > limit {
                    Open::Loop
                } else {
                    Open::TooMany
                };
                self.open.insert((states[0].0.at, why, from));
                break;
            }
            let mut next: Vec<(Machine, u32, bool)> = Vec::with_capacity(states.len());
            for (m, before, frame) in states.drain(..) {
                self.words += 1;
                if counted {
                    let known = &mut self.clocks[usize::from(m.at)];
                    *known = (known.0.min(clock as u32), known.1.max(clock as u32));
                }
                let here = trace.len() as u32;
                if counted || trace.len() < (1 << 16) {
                    trace.push((m.at, before));
                }
                let listed = self.contracts.targets.get(&m.at).map(Vec::as_slice);
                if step(self.rom, &mut self.memory, &m, listed, &mut after).is_err() {
                    self.open.insert((m.at, Open::Jump, from));
                }
                for mut n in after.drain(..) {
                    let (old, new) = (m.out(), n.out());
                    let mut frame = frame;
                    if old != new {
                        let v = (old.bit(VSYNC), new.bit(VSYNC));
                        if v == (Some(true), Some(false)) {
                            n.synced = true;
                            frame = true;
                        }
                        let h = (old.bit(HSYNC), new.bit(HSYNC));
                        if self.ends_line(h, counted, (m.at, from)) {
                            let path = match counted {
                                true => self.path(&trace, here, clock),
                                false => None,
                            };
                            ends.push(End {
                                machine: n,
                                period: clock,
                                frame,
                                path,
                                edge: m.at,
                            });
                            continue;
                        }
                    }
                    add(&mut next, (n, here, frame));
                }
            }
            if next.len() > WIDEST {
                join(&mut next);
            }
            states = next;
        }
        Walk {
            touched: self.memory.touched,
            reads: self.memory.reads.iter().copied().collect(),
            version,
            ends,
        }
    }

    /// Whether hSync falls; what it was before need not be known of a path that is not
    /// counted.
    fn ends_line(
        &mut self,
        h: (Option<bool>, Option<bool>),
        counted: bool,
        (at, from): (u16, u16),
    ) -> bool {
        match h {
            (Some(true), Some(false)) => true,
            (None, Some(false)) if !counted => true,
            (None, Some(true)) | (Some(_), Some(_)) => false,
            (_, None) if !counted => false,
            _ => {
                self.open.insert((at, Open::Edge, from));
                false
            }
        }
    }

    /// Keeps the path of a line of a wrong length.
    fn path(&mut self, trace: &[(u16, u32)], last: u32, period: usize) -> Option<usize> {
        let mut words = Vec::with_capacity(period);
        let (mut at, mut clock) = (last, period as i64);
        while let Some(&(word, before)) = trace.get(at as usize) {
            words.push((word, clock));
            (at, clock) = (before, clock - 1);
        }
        if period == self.period {
            self.good.extend(words.iter().map(|w| w.0));
            return None;
        }
        words.reverse();
        let new = self.paths.len();
        let index = *self.known_paths.entry(words.clone()).or_insert(new);
        if index == new {
            self.paths.push(words);
        }
        Some(index)
    }
}

/// Adds a state to those behind a word, where none is like it.
fn add(states: &mut Vec<(Machine, u32, bool)>, new: (Machine, u32, bool)) {
    let like = |o: &&mut (Machine, u32, bool)| o.2 == new.2 && o.0.is_like(&new.0);
    match states.iter_mut().find(like) {
        Some(o) => o.0.join(&new.0),
        None => states.push(new),
    }
}

/// States at one place with the same cells become one.
fn join(states: &mut Vec<(Machine, u32, bool)>) {
    let mut out: Vec<(Machine, u32, bool)> = Vec::new();
    for (m, before, frame) in states.drain(..) {
        match out.iter_mut().find(|o| o.2 == frame && o.0.is_beside(&m)) {
            Some((o, ..)) => o.join(&m),
            None => out.push((m, before, frame)),
        }
    }
    *states = out;
}
