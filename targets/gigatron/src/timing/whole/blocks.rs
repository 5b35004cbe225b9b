//! Blocks of time as nodes of a graph: from power-on to the first `sync`, and from
//! each `sync` to the next ones, until there is nothing new.
//!
//! What a node knows is page 0 as the set of values of each cell. States are told
//! apart by the cells that hold places to go to, so that a routine goes back to where
//! it was called from and to nowhere else.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};
use std::rc::Rc;

use super::handler::VSYNC;
use super::memory::{Cells, Reads};
use super::step::{Doubt, Machine, Phase, World, step};
use super::value::{Set, Value};
use crate::opcode::{self, Opcode};

/// Clocks that a program may take before its first block.
const BOOT: usize = 1 << 22;
/// Most states behind one `sync`.
const MOST_OF_BLOCK: usize = 40_000;
/// Most nodes.
const MOST_NODES: usize = 6_000;
/// Most words in all.
const MOST_WORDS: usize = 20_000_000;
/// Words that are walked once it is known that all is to be walked again.
const IN_VAIN: usize = 300_000;
/// A node becomes so many at a cell by which it is told apart; and so many values of a
/// cell are told that is no address.
const FEW_VALUES: usize = 16;
/// A cell that still grows with so many values, at so many nodes in sum, can soon be
/// anything.
const MANY_VALUES: usize = 40;
const MANY_GROWN: usize = 20_000;
/// A cell with more values than these can soon be anything.
const MOST_VALUES: usize = 128;

/// Which block, and the cells by which its states are told apart.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Key {
    sync: u16,
    cells: Vec<(u8, u8)>,
}

/// A block with what page 0 can hold when it begins.
struct Node {
    sync: u16,
    cells: Rc<Cells>,
    reads: Reads,
    /// The version of memory that it was walked with.
    version: u64,
    queued: bool,
    /// How often it was walked.
    walks: u32,
}

/// All blocks.
pub struct Blocks {
    nodes: Vec<Node>,
    index: HashMap<Key, usize>,
    /// Those to be walked; what was walked least comes first, so that loops are gone
    /// round when all else is done.
    queue: BinaryHeap<Reverse<(u32, usize)>>,
    /// Cells that some instruction loads into AC and nothing uses as an address.
    numbers: Set,
    /// Cells that can be anything, and how often each has grown.
    loose: Set,
    grown: [usize; 256],
}

/// Cells that an instruction loads into AC, and none into X or Y, or jumps to.
fn numbers(rom: &[u16]) -> Set {
    let [mut addresses, mut numbers] = [Set::EMPTY; 2];
    for &word in rom {
        let [op, operand] = word.to_le_bytes();
        let op = Opcode(op);
        let ram = op.bus() == opcode::RAM;
        let store = op.operation() == opcode::STORE;
        if op.is_jump() && ram || matches!(op.mode(), 4 | 5) && (ram || store) {
            addresses.insert(operand);
        } else if ram && !store && op.mode() == 0 {
            numbers.insert(operand);
        }
    }
    numbers.keep(|c| !addresses.contains(c))
}

/// From power-on to the first `sync`; nothing if that cannot be followed. What is known
/// of all other pages is put into memory.
pub fn boot(world: &mut World<'_>) -> Option<Machine> {
    world.phase = Phase::Boot;
    // The reset holds the program counter, so word 0 executes twice.
    let mut machine = Machine {
        next: 0,
        ..Machine::at(0, Rc::new([Set::FULL; 256]))
    };
    let mut after = Vec::new();
    for _ in 0..BOOT {
        if world.syncs.contains(&machine.at) {
            if machine.next != machine.at.wrapping_add(1) {
                world.doubt(machine.at, Doubt::Slot);
                return None;
            }
            world.memory.settle();
            return Some(machine);
        }
        step(world, &machine, &mut after);
        let mut ways = after.drain(..);
        let one = ways.next();
        let more = ways.next().is_some();
        drop(ways);
        match one {
            // A vSync before the first block: lines would have to be counted from it.
            Some(m)
                if machine.out().bit(VSYNC) == Some(true) && m.out().bit(VSYNC) != Some(true) =>
            {
                world.doubt(machine.at, Doubt::Boot);
                return None;
            }
            Some(m) if !more => machine = m,
            _ => {
                world.doubt(machine.at, Doubt::Boot);
                return None;
            }
        }
    }
    world.doubt(machine.at, Doubt::Boot);
    None
}

impl Blocks {
    /// No blocks yet.
    pub fn new(rom: &[u16]) -> Self {
        let numbers = numbers(rom);
        Self {
            nodes: Vec::new(),
            index: HashMap::new(),
            queue: BinaryHeap::new(),
            numbers,
            loose: Set::EMPTY,
            grown: [0; 256],
        }
    }

    fn enqueue(&mut self, n: usize) {
        let node = &mut self.nodes[n];
        if !node.queued {
            node.queued = true;
            self.queue.push(Reverse((node.walks, n)));
        }
    }

    /// Comes to a `sync`.
    pub fn arrive(&mut self, world: &mut World<'_>, machine: &Machine) {
        let mut cells = (*machine.before).clone();
        for &(c, ref value) in &machine.cells {
            cells[usize::from(c)] = value.set;
        }
        for c in self.loose.iter() {
            cells[usize::from(c)] = Set::FULL;
        }
        for (c, set) in cells.iter().enumerate() {
            world.memory.share(c, *set);
        }
        let mut all = vec![(Vec::new(), cells)];
        for cell in world.apart.iter() {
            let at = usize::from(cell);
            let mut more = Vec::new();
            for (key, cells) in &mut all {
                let set = cells[at];
                if set.len() > FEW_VALUES {
                    continue;
                }
                let mut values = set.iter();
                let Some(first) = values.next() else { continue };
                for v in values {
                    let (mut key, mut cells) = (key.clone(), *cells);
                    key.push((cell, v));
                    cells[at] = Set::of(v);
                    more.push((key, cells));
                }
                key.push((cell, first));
                cells[at] = Set::of(first);
            }
            all.append(&mut more);
        }
        for (key, cells) in all {
            let key = Key {
                sync: machine.at,
                cells: key,
            };
            self.reach(world, key, &cells);
        }
    }

    fn reach(&mut self, world: &mut World<'_>, key: Key, cells: &Cells) {
        let sync = key.sync;
        let Some(&known) = self.index.get(&key) else {
            let new = self.nodes.len();
            if new >= MOST_NODES {
                return world.doubt(sync, Doubt::TooMany);
            }
            self.index.insert(key, new);
            self.nodes.push(Node {
                sync,
                cells: Rc::new(*cells),
                reads: Reads::default(),
                version: 0,
                queued: false,
                walks: 0,
            });
            return self.enqueue(new);
        };
        let node = &mut self.nodes[known];
        let mut grown = Set::EMPTY;
        for ((c, mine), set) in (0..=255u8).zip(node.cells.iter()).zip(cells) {
            // What the handler changes is read from what all have in common.
            if mine.union(*set) != *mine && !world.handler_writes.contains(c) {
                grown.insert(c);
            }
        }
        if grown.is_empty() {
            return;
        }
        let mine = Rc::make_mut(&mut node.cells);
        for c in grown.iter() {
            let at = usize::from(c);
            mine[at] = mine[at].union(cells[at]);
            self.grown[at] += 1;
            let len = mine[at].len();
            if len > MANY_VALUES && self.grown[at] > MANY_GROWN {
                self.loose.insert(c);
            }
            let most = if self.numbers.contains(c) {
                FEW_VALUES
            } else {
                MOST_VALUES
            };
            if self.loose.contains(c) || len > most {
                mine[at] = Set::FULL;
            }
        }
        self.enqueue(known);
    }

    /// Follows all blocks until there is nothing new; whether anything was.
    pub fn run(&mut self, world: &mut World<'_>) -> bool {
        world.phase = Phase::Block;
        let mut worked = false;
        let mut in_vain = None;
        loop {
            while let Some(Reverse((_, n))) = self.queue.pop() {
                worked = true;
                self.nodes[n].queued = false;
                self.nodes[n].walks += 1;
                self.walk(world, n);
                if world.missed && *in_vain.get_or_insert(world.words) + IN_VAIN < world.words {
                    return worked;
                }
                if world.words > MOST_WORDS {
                    world.doubt(self.nodes[n].sync, Doubt::TooMany);
                    return worked;
                }
            }
            for n in 0..self.nodes.len() {
                if world
                    .memory
                    .is_stale(&self.nodes[n].reads, self.nodes[n].version)
                {
                    self.enqueue(n);
                }
            }
            if self.queue.is_empty() || world.missed {
                return worked;
            }
        }
    }

    /// All blocks are to be walked again, since the handler changes more than it did.
    pub fn again(&mut self) {
        for n in 0..self.nodes.len() {
            self.enqueue(n);
        }
    }

    /// All paths of a block.
    fn walk(&mut self, world: &mut World<'_>, n: usize) {
        let sync = self.nodes[n].sync;
        let mut before = self.nodes[n].cells.clone();
        self.nodes[n].version = world.memory.version;
        if !world.handler_writes.is_empty() {
            let cells = Rc::make_mut(&mut before);
            for c in world.handler_writes.iter() {
                cells[usize::from(c)] = world.memory.shared[usize::from(c)];
            }
        }
        world.reads = Reads::default();
        let mut first = Machine::at(sync.wrapping_add(2), before);
        // What is left is anything, and so is AC.
        first.store(world.left, Value::unknown());
        let mut states = vec![first];
        let mut after = Vec::new();
        let mut count = 0;
        while let Some(m) = states.pop() {
            count += 1;
            if count > MOST_OF_BLOCK {
                world.doubt(m.at, Doubt::TooMany);
                break;
            }
            step(world, &m, &mut after);
            for m in after.drain(..) {
                if !world.syncs.contains(&m.at) {
                    states.push(m);
                } else if m.next == m.at.wrapping_add(1) {
                    self.arrive(world, &m);
                } else {
                    world.doubt(m.at, Doubt::Slot);
                }
            }
        }
        let cells = world.reads.cells.keep(|c| world.handler_writes.contains(c));
        self.nodes[n].reads = Reads {
            cells,
            ..world.reads
        };
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }
}
