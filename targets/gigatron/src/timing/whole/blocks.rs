//! Blocks of time as nodes of a graph: from power-on to the first `sync`, and from
//! each `sync` to the next ones, until there is nothing new.
//!
//! What a node knows is page 0 when its block begins: the set of values of each cell,
//! and which values of cells with places to go to belong together ([`relation`](super::relation)).

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};
use std::rc::Rc;

use super::handler::VSYNC;
use super::memory::Reads;
use super::relation::relations;
use super::start::{Start, Tuples};
use super::step::{Doubt, IN_VAIN, Machine, Phase, World, step};
use super::value::{Set, Token, Value};
use crate::opcode::{self, Opcode};
use crate::timing::blocks::HEAD;

/// Clocks that a program may take before its first block.
const BOOT: usize = 1 << 22;
/// Most states behind one `sync`.
const MOST_OF_BLOCK: usize = 40_000;
/// Most words in all.
const MOST_WORDS: usize = 16_000_000;
/// Most nodes.
const MOST_NODES: usize = 4_000;
/// So many values of a cell are told that is no address.
const FEW_VALUES: usize = 16;
/// A cell with more values than these can soon be anything.
const MOST_VALUES: usize = 128;

/// A block with what page 0 can hold when it begins.
struct Node {
    sync: u16,
    start: Rc<Start>,
    reads: Reads,
    /// The version of memory that it was walked with.
    version: u64,
    queued: bool,
    /// How often it was walked.
    walks: u32,
    /// Cells that its paths read or write.
    touched: Set,
    /// Where its paths lead to.
    after: Vec<usize>,
}

/// All blocks.
pub struct Blocks {
    nodes: Vec<Node>,
    index: BTreeMap<(u16, Vec<u8>), usize>,
    /// Those to be walked; what was walked least comes first, so that loops are gone
    /// round when all else is done.
    queue: BinaryHeap<Reverse<(u32, usize)>>,
    /// Cells that some instruction loads into AC and nothing uses as an address.
    numbers: Set,
    /// The node that is walked.
    walking: Option<usize>,
}

/// Cells that an instruction loads into AC, and none into X or Y, or jumps to, in the
/// pages of blocks.
fn numbers(rom: &[u16], syncs: &BTreeSet<u16>) -> Set {
    let [mut addresses, mut numbers] = [Set::EMPTY; 2];
    let pages: BTreeSet<u16> = syncs.iter().map(|s| s >> 8).collect();
    let words = (0..=u16::MAX).zip(rom);
    for (_, &word) in words.filter(|(at, _)| pages.contains(&(at >> 8))) {
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
        ..Machine::at(0, Rc::new(Start::of([Set::FULL; 256])))
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
        let (at, out) = (machine.at, machine.out());
        step(world, machine, &mut after);
        let mut ways = after.drain(..);
        let one = ways.next();
        let more = ways.next().is_some();
        drop(ways);
        match one {
            // A vSync before the first block: lines would have to be counted from it.
            Some(m) if out.bit(VSYNC) == Some(true) && m.out().bit(VSYNC) != Some(true) => {
                world.doubt(at, Doubt::Boot);
                return None;
            }
            Some(m) if !more => machine = m,
            _ => {
                world.doubt(at, Doubt::Boot);
                return None;
            }
        }
    }
    world.doubt(machine.at, Doubt::Boot);
    None
}

impl Blocks {
    /// No blocks yet.
    pub fn new(rom: &[u16], syncs: &BTreeSet<u16>) -> Self {
        let numbers = numbers(rom, syncs);
        Self {
            nodes: Vec::new(),
            index: BTreeMap::new(),
            queue: BinaryHeap::new(),
            numbers,
            walking: None,
        }
    }

    fn enqueue(&mut self, n: usize) {
        let node = &mut self.nodes[n];
        if !node.queued {
            node.queued = true;
            self.queue.push(Reverse((node.walks, n)));
        }
    }

    /// Comes to a `sync`: at a node for all values of the cells that tell nodes apart.
    pub fn arrive(&mut self, world: &mut World<'_>, machine: &Machine) {
        if world.apart.is_empty() {
            return self.arrive_at(world, machine, Vec::new());
        }
        // What the handler changes meanwhile tells nothing.
        let changed = |c: &u8| world.handler_writes.contains(*c);
        if world.apart.iter().any(changed) {
            return world.doubt(machine.at, Doubt::TooMany);
        }
        let mut all = vec![machine.clone()];
        for &c in &world.apart {
            if machine.value(c).set.len() > FEW_VALUES {
                world.doubt(machine.at, Doubt::TooMany);
                return;
            }
            let old = std::mem::take(&mut all);
            for m in old {
                m.by_value(c, &mut all);
            }
        }
        for m in all {
            let values = world.apart.iter();
            let key = values.filter_map(|&c| m.value(c).set.single()).collect();
            self.arrive_at(world, &m, key);
        }
    }

    fn arrive_at(&mut self, world: &mut World<'_>, machine: &Machine, key: Vec<u8>) {
        // What did not change is what was shared when this block was come to.
        if self.nodes.is_empty() {
            for (c, set) in (0..=255u8).zip(&machine.before.cells) {
                if !machine.knows(c) {
                    world.memory.share(usize::from(c), *set);
                }
            }
        }
        for &(c, ref value) in &machine.cells {
            world.memory.share(usize::from(c), value.set);
        }
        let relations = relations(world, machine);
        self.reach(world, (machine.at, key), machine, &relations);
    }

    fn reach(
        &mut self,
        world: &mut World<'_>,
        key: (u16, Vec<u8>),
        machine: &Machine,
        relations: &[Option<Rc<Tuples>>],
    ) {
        let sync = key.0;
        let Some(&known) = self.index.get(&key) else {
            let new = self.nodes.len();
            if new >= MOST_NODES {
                return world.doubt(sync, Doubt::TooMany);
            }
            let mut cells = machine.before.cells;
            for &(c, ref value) in &machine.cells {
                cells[usize::from(c)] = value.set;
            }
            self.index.insert(key, new);
            self.nodes.push(Node {
                sync,
                start: Rc::new(Start {
                    cells,
                    relations: relations.to_vec(),
                }),
                reads: Reads::default(),
                version: 0,
                queued: false,
                walks: 0,
                touched: Set::EMPTY,
                after: Vec::new(),
            });
            self.leads_to(new);
            return self.enqueue(new);
        };
        self.leads_to(known);
        let start = &mut self.nodes[known].start;
        if start.lacks(relations) && Rc::make_mut(start).join_relations(relations) {
            self.enqueue(known);
        }
        let start = &self.nodes[known].start;
        let mut changed = machine.cells.iter().peekable();
        let mut more = Vec::new();
        for (c, before) in (0..=255u8).zip(&machine.before.cells) {
            let value = changed.next_if(|v| v.0 == c);
            let set = value.map_or(before, |v| &v.1.set);
            if !start.cells[usize::from(c)].has_all(set) {
                more.push((c, *set));
            }
        }
        if !more.is_empty() {
            self.grow(world, vec![(known, more)]);
        }
    }

    /// Notes that the node that is walked leads to this one.
    fn leads_to(&mut self, node: usize) {
        if let Some(n) = self.walking
            && !self.nodes[n].after.contains(&node)
        {
            self.nodes[n].after.push(node);
        }
    }

    /// Cells of nodes can hold more. Through blocks that do not touch a cell it goes on
    /// at once; others are walked again.
    fn grow(&mut self, world: &mut World<'_>, mut more: Vec<(usize, Vec<(u8, Set)>)>) {
        while let Some((n, cells)) = more.pop() {
            let busy = self.walking == Some(n);
            let node = &mut self.nodes[n];
            let mut through = Vec::new();
            let mut walk = false;
            for (c, set) in cells {
                let at = usize::from(c);
                let old = node.start.cells[at];
                let mut all = old.union(set);
                // What the handler changes is read from what all have in common.
                if all == old || world.handler_writes.contains(c) {
                    continue;
                }
                let most = if self.numbers.contains(c) {
                    FEW_VALUES
                } else {
                    MOST_VALUES
                };
                if all.len() > most {
                    all = Set::FULL;
                }
                Rc::make_mut(&mut node.start).cells[at] = all;
                world.memory.share(at, all);
                if busy || node.touched.contains(c) || world.groups.iter().any(|g| g.contains(&c)) {
                    walk = true;
                } else {
                    through.push((c, all));
                }
            }
            if !through.is_empty() {
                more.extend(node.after.iter().map(|&m| (m, through.clone())));
            }
            if walk {
                self.enqueue(n);
            }
        }
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
                if world.is_hopeless() {
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
        let mut before = self.nodes[n].start.clone();
        self.nodes[n].version = world.memory.version;
        if !world.handler_writes.is_empty() {
            let start = Rc::make_mut(&mut before);
            for c in world.handler_writes.iter() {
                start.cells[usize::from(c)] = world.memory.shared[usize::from(c)];
            }
            for (group, relation) in world.groups.iter().zip(&mut start.relations) {
                if group.iter().any(|&c| world.handler_writes.contains(c)) {
                    *relation = None;
                }
            }
        }
        world.reads = Reads::default();
        world.touched = Set::EMPTY;
        self.walking = Some(n);
        let mut first = Machine::at(sync.wrapping_add(2), before);
        // What is left is anything, and so is AC.
        let left = Value {
            token: Token::Left(0),
            ..Value::unknown()
        };
        first.store(world.left, left);
        *first.ac() = left;
        first.clock = u32::from(HEAD) - 2;
        let mut states = vec![first];
        let mut after = Vec::new();
        let mut count = 0;
        while let Some(m) = states.pop() {
            count += 1;
            if count > MOST_OF_BLOCK {
                world.doubt(m.at, Doubt::TooMany);
                break;
            }
            step(world, m, &mut after);
            for m in after.drain(..) {
                if !world.syncs.contains(&m.at) {
                    states.push(m);
                } else if m.next != m.at.wrapping_add(1) {
                    world.doubt(m.at, Doubt::Slot);
                } else {
                    // What was paid, less what was given back, is what it took.
                    let paid = Token::Left(0u8.wrapping_sub(m.clock as u8));
                    let token = m.value(world.left).token;
                    if i64::from(m.clock) > world.limit || token != paid {
                        let known = matches!(token, Token::Left(_));
                        world.doubt(sync, Doubt::Charge(known));
                    }
                    self.arrive(world, &m);
                }
            }
        }
        self.walking = None;
        // What a path of an earlier walk touched, one of this walk does, or it is no more.
        let node = &mut self.nodes[n];
        node.touched = node.touched.union(world.touched);
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
