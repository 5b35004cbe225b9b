//! One word of a path: all states that it can lead to.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use scrimp_isa::Context;
use scrimp_isa::domain::{Byte, Word};

use super::memory::{Memory, Reads};
use super::start::Start;
use super::value::{Set, Token, Value, Values, start_of};
use crate::opcode::{self, Opcode};
use crate::semantics::{Register, State, exec};
use crate::timing::lines::holds;

/// A jump to more places than these is not followed.
const MOST_TARGETS: usize = 64;
/// Most cells whose values are known together.
const MOST_TOGETHER: usize = 4;
/// Most cells by which blocks are told apart.
const MOST_APART: usize = 10;
/// The handler draws any of so many pictures.
const MOST_PICTURES: usize = 192;
/// Most words of a picture's row.
const MOST_OF_PICTURE: u16 = 200;
/// Words that are walked once it is known that all is to be walked again.
pub const IN_VAIN: usize = 300_000;
/// Words that are walked once it seems hopeless.
const HOPELESS: usize = 2_000_000;
/// With so many doubts nothing will be proven: those found first say why.
const MOST_DOUBTS: usize = 16;
/// So many places in page 0 are looked at one by one.
const MOST_PLACES: usize = 96;

/// Numbers of origins up to this are those of the cells at the start.
const FRESH: u32 = 256;

/// Why something is not proven.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Doubt {
    /// The jump goes to a value that is not known.
    Jump,
    /// It may lead there, which is not among its targets.
    Target(u16),
    /// It may lead there, where no block begins.
    Landing(u16),
    /// A `sync` is come to from a jump's slot, or stands in one.
    Slot,
    /// The store hits the cell with the time left, or may do so.
    Left(bool),
    /// A path from one block to the next takes other clocks than are paid; or what is
    /// paid is not known.
    Charge(bool),
    /// The store may hit any cell of page 0.
    Store,
    /// OUT is written where no handler is at work.
    Out,
    /// A command to the expander.
    Control,
    /// It goes round without an end, or in too many ways.
    TooMany,
    /// The way from power-on to the first block parts, or does not end.
    Boot,
    /// Whether hSync falls is not known.
    Edge,
    /// It is not known which block is resumed.
    Resume,
    /// A block is resumed when there is no time for it, or more than a byte can tell.
    Time(i64),
}

/// Who is at work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// What comes before the first block.
    Boot,
    /// A block of time.
    Block,
    /// The handler of late blocks.
    Handler,
}

/// The machine in the course of a path.
#[derive(Clone, Debug)]
pub struct Machine {
    /// The word in execution and the one that is fetched.
    pub at: u16,
    pub next: u16,
    /// AC, X, Y, OUT, of which bits 6 and 7 are looked at.
    pub registers: [Value; 4],
    /// Page 0 at the start of the path.
    pub before: Rc<Start>,
    /// Cells that were looked at or changed since, by address.
    pub cells: Vec<(u8, Value)>,
    /// The last number of an origin.
    pub fresh: u32,
    /// Clocks since the `sync` that the path began with.
    pub clock: u32,
}

impl Machine {
    /// At an address, with nothing known of registers.
    pub fn at(at: u16, before: Rc<Start>) -> Self {
        Self {
            at,
            next: at.wrapping_add(1),
            registers: [Value::unknown(); 4],
            before,
            cells: Vec::new(),
            fresh: FRESH,
            clock: 0,
        }
    }

    pub fn ac(&mut self) -> &mut Value {
        &mut self.registers[Register::Ac as usize]
    }

    pub fn out(&self) -> Set {
        self.registers[Register::Out as usize].set
    }

    /// What a cell can hold.
    pub fn cell(&self, cell: u8) -> Set {
        match self.cells.binary_search_by_key(&cell, |c| c.0) {
            Ok(i) => self.cells[i].1.set,
            Err(_) => self.before.cells[usize::from(cell)],
        }
    }

    /// Whether a cell was looked at or changed.
    pub fn knows(&self, cell: u8) -> bool {
        self.cells.binary_search_by_key(&cell, |c| c.0).is_ok()
    }

    /// What a cell can have held at the start, as far as that is known by now.
    pub fn started(&self, cell: u8) -> Set {
        let origin = start_of(cell);
        let cells = self.cells.iter().map(|c| &c.1);
        let mut copies = self.registers.iter().chain(cells);
        let copy = copies.find(|v| v.origin == origin);
        copy.map_or(self.before.cells[usize::from(cell)], |v| v.base)
    }

    /// A cell's value, as it is at the end of a path.
    pub fn value(&self, cell: u8) -> Value {
        match self.cells.binary_search_by_key(&cell, |c| c.0) {
            Ok(i) => self.cells[i].1,
            Err(_) => Value::started(cell, self.before.cells[usize::from(cell)]),
        }
    }

    /// A cell's value, which becomes an origin if it has many.
    fn load(&mut self, cell: u8) -> Value {
        let i = match self.cells.binary_search_by_key(&cell, |c| c.0) {
            Ok(i) => i,
            Err(i) => {
                let value = Value::started(cell, self.before.cells[usize::from(cell)]);
                self.cells.insert(i, (cell, value));
                i
            }
        };
        let value = &mut self.cells[i].1;
        value.begin(&mut self.fresh);
        Value {
            cell: Some(cell),
            ..*value
        }
    }

    pub fn store(&mut self, cell: u8, value: Value) {
        match self.cells.binary_search_by_key(&cell, |c| c.0) {
            Ok(i) => self.cells[i].1 = value,
            Err(i) => self.cells.insert(i, (cell, value)),
        }
    }

    /// An origin can only be one of these.
    pub fn narrow(&mut self, origin: u32, base: Set) {
        let cells = self.cells.iter_mut().map(|c| &mut c.1);
        for v in self.registers.iter_mut().chain(cells) {
            if v.origin == origin {
                v.narrow(base);
            }
        }
    }

    /// With a register for which a condition holds; nothing if it never does.
    pub fn where_holds(&self, register: usize, condition: impl Fn(u8) -> bool) -> Option<Self> {
        let base = self.registers[register].base_where(condition);
        if base.is_empty() {
            return None;
        }
        let mut out = self.clone();
        let value = self.registers[register];
        if base != value.base {
            match value.origin {
                0 => out.registers[register] = Value::among(base),
                origin => out.narrow(origin, base),
            }
        }
        Some(out)
    }

    /// One state for each value of a cell.
    pub fn by_value(self, cell: u8, out: &mut Vec<Self>) {
        let value = self.value(cell);
        if value.set.single().is_some() {
            return out.push(self);
        }
        for v in value.set.iter() {
            let mut one = self.clone();
            let value = one.load(cell);
            one.narrow(value.origin, value.base_where(|b| b == v));
            out.push(one);
        }
    }

    /// Whether two states differ in nothing that is known of them.
    pub fn is_like(&self, other: &Self) -> bool {
        (self.at, self.next) == (other.at, other.next)
            && (0..4).all(|i| self.registers[i].set == other.registers[i].set)
            && self.cells.len() == other.cells.len()
            && (self.cells.iter().zip(&other.cells))
                .all(|(a, b)| a.0 == b.0 && a.1.set == b.1.set && a.1.token == b.1.token)
    }

    /// Takes in another state like it: how values hang together may be lost.
    pub fn merge(&mut self, other: &Self) {
        let cells = self.cells.iter_mut().map(|c| &mut c.1);
        let others = other.cells.iter().map(|c| &c.1);
        let mine = self.registers.iter_mut().chain(cells);
        for (mine, other) in mine.zip(other.registers.iter().chain(others)) {
            if mine != other {
                let token = mine.token;
                let same = token == other.token;
                *mine = Value::among(mine.set);
                mine.token = if same { token } else { Token::None };
            }
        }
        self.fresh = self.fresh.max(other.fresh);
    }
}

/// What all paths have in common.
pub struct World<'a> {
    pub rom: &'a [u16],
    pub memory: Memory,
    pub phase: Phase,
    /// The cell with the time left.
    pub left: u8,
    /// Most clocks that a block may take.
    pub limit: i64,
    /// Jumps that were taken to land on a block, and where blocks begin.
    pub landings: &'a BTreeSet<u16>,
    pub syncs: &'a BTreeSet<u16>,
    /// Where jumps go, as the source says.
    pub targets: &'a BTreeMap<u16, Vec<u16>>,
    /// Cells that the block in work reads or writes.
    pub touched: Set,
    /// Cells that the path reads while others change them.
    pub reads: Reads,
    /// Cells of page 0 that the handler changes.
    pub handler_writes: Set,
    /// Cells that blocks name, to read or to write them.
    pub block_uses: Set,
    /// Cells whose values are known together: they hold places to go to.
    pub groups: Vec<Vec<u8>>,
    /// Cells by whose values blocks are told apart.
    pub apart: Vec<u8>,
    /// Those of the next walk.
    pub wanted: Vec<Vec<u8>>,
    pub wanted_apart: Vec<u8>,
    /// The walk is in vain: next time there is more to tell apart.
    pub missed: bool,
    /// The words when it began to seem hopeless.
    pub hopeless: Option<usize>,
    pub doubts: BTreeSet<(u16, Doubt)>,
    /// Words that were executed.
    pub words: usize,
}

impl World<'_> {
    pub fn word(&self, at: u16) -> u16 {
        self.rom.get(usize::from(at)).copied().unwrap_or(0)
    }

    /// The words from an address to the slot of a far jump, without colours: wherever
    /// these stand, they do the same. Nothing if something else comes first.
    fn picture(&self, from: u16) -> Option<Vec<u16>> {
        let mut out = Vec::new();
        for i in 0..MOST_OF_PICTURE {
            let word = self.word(from.wrapping_add(i));
            let op = Opcode(word as u8);
            let colour = matches!(op.mode(), 6 | 7) && op.operation() == 0 && op.bus() == 0;
            out.push(if colour { word & 0xc0ff } else { word });
            if op.is_far_jump() {
                let slot = self.word(from.wrapping_add(i + 1));
                out.push(slot);
                return (!Opcode(slot as u8).is_jump()).then_some(out);
            }
            if op.is_jump() {
                return None;
            }
        }
        None
    }

    /// From the next walk on the values of these cells are known together.
    pub fn together(&mut self, cells: &[u8]) {
        let has = |g: &Vec<u8>| cells.iter().all(|c| g.contains(c));
        let mut all = cells.to_vec();
        all.sort_unstable();
        all.dedup();
        if all.len() < 2 || all.len() > MOST_TOGETHER || self.groups.iter().any(has) {
            return;
        }
        self.missed = true;
        if !self.wanted.iter().any(has) {
            // A larger group says all that a smaller one does.
            self.wanted.retain(|g| !g.iter().all(|c| all.contains(c)));
            self.wanted.push(all);
        }
    }

    /// From the next walk on blocks are told apart by the values of these cells; whether
    /// that is new.
    fn apart(&mut self, cells: &[u8]) -> bool {
        let mut new = false;
        for &c in cells {
            let block = self.phase == Phase::Block && !self.handler_writes.contains(c);
            if block && !self.apart.contains(&c) && self.wanted_apart.len() < MOST_APART {
                new = true;
                self.missed = true;
                if !self.wanted_apart.contains(&c) {
                    self.wanted_apart.push(c);
                }
            }
        }
        new
    }

    pub fn doubt(&mut self, at: u16, doubt: Doubt) {
        // Stores are looked at by themselves too.
        let kept = matches!(
            doubt,
            Doubt::Left(_) | Doubt::Store | Doubt::Charge(true) | Doubt::Out | Doubt::Time(_)
        );
        if kept || self.doubts.len() < MOST_DOUBTS {
            self.doubts.insert((at, doubt));
        }
        if doubt == Doubt::Left(true) || self.doubts.len() >= MOST_DOUBTS {
            self.hopeless.get_or_insert(self.words);
        }
    }

    /// Goes on to the end, whatever is not known.
    pub fn be_patient(&mut self) {
        self.hopeless = Some(usize::MAX / 2);
    }

    /// Whether so much is not known, or surely wrong, that nothing will be proven: for long
    /// enough, since more cells told apart may end all doubts.
    pub fn is_hopeless(&self) -> bool {
        let since = self.hopeless;
        since.is_some_and(|words| words + HOPELESS < self.words)
    }
}

/// A state as the semantics see it.
struct View<'w, 'a> {
    machine: Machine,
    world: &'w mut World<'a>,
    operand: u8,
    pc: [Value; 2],
}

impl View<'_, '_> {
    fn note_write(&mut self, lows: Set) {
        self.world.touched = self.world.touched.union(lows);
        let writes = match self.world.phase {
            Phase::Boot => return,
            Phase::Block => &mut self.world.block_uses,
            Phase::Handler => &mut self.world.handler_writes,
        };
        *writes = writes.union(lows);
    }
}

impl Context for View<'_, '_> {
    type Domain = Values;
    fn domain(&self) -> Values {
        Values
    }
    fn read(&mut self, [high, low]: Word<Self>) -> Byte<Self> {
        let zero = high.set.contains(0);
        if zero {
            self.world.reads.cells = self.world.reads.cells.union(low.set);
            self.world.touched = self.world.touched.union(low.set);
        }
        if let (Some(0), Some(low)) = (high.set.single(), low.set.single()) {
            if self.world.phase == Phase::Block {
                self.world.block_uses.insert(low);
            }
            return self.machine.load(low);
        }
        let mut set = Set::EMPTY;
        if zero {
            for low in low.set.iter() {
                set = set.union(self.machine.cell(low));
            }
        }
        if high.set.iter().any(|p| p != 0) {
            self.world.reads.columns = self.world.reads.columns.union(low.set);
            set = set.union(self.world.memory.get(&high.set, &low.set));
        }
        let mut value = Value::among(set);
        value.begin(&mut self.machine.fresh);
        value
    }
    fn write(&mut self, [high, low]: Word<Self>, value: Byte<Self>) {
        let at = self.machine.at;
        let boot = self.world.phase == Phase::Boot;
        if high.set.iter().any(|p| p & 0x7f != 0) {
            match (high.set.single(), low.set.single()) {
                (Some(page @ 0..0x80), Some(low)) if boot => {
                    self.world.memory.put(page, low, value.set);
                }
                _ => self.world.memory.add(&high.set, &low.set, value.set),
            }
        }
        if !high.set.contains(0) && !high.set.contains(0x80) {
            return;
        }
        if low.set.len() > MOST_PLACES {
            return self.world.doubt(at, Doubt::Store);
        }
        self.note_write(low.set);
        let only = (high.set.single(), low.set.single());
        let direct = Opcode(self.world.word(at) as u8).mode() == 0;
        if low.set.contains(self.world.left) && !direct && !boot {
            let only = low.set.single().is_some() && high.set.single().is_some();
            self.world.doubt(at, Doubt::Left(only));
        }
        if let (Some(0), Some(low)) = only {
            return self.machine.store(
                low,
                Value {
                    cell: None,
                    ..value
                },
            );
        }
        for low in low.set.iter() {
            let set = self.machine.cell(low).union(value.set);
            self.machine.store(low, Value::among(set));
        }
    }
    fn input(&mut self, _: Word<Self>) -> Byte<Self> {
        let mut value = Value::unknown();
        value.begin(&mut self.machine.fresh);
        value
    }
    fn output(&mut self, _: Word<Self>, _: Byte<Self>) {}
    fn when(&mut self, _: Option<bool>, work: impl FnOnce(&mut Self)) {
        // The semantics of this room have no conditional work.
        work(self);
    }
}

impl State for View<'_, '_> {
    fn get(&self, register: Register) -> Byte<Self> {
        self.machine.registers[register as usize]
    }
    fn set(&mut self, register: Register, value: Byte<Self>) {
        let value = match register {
            Register::Out => Value::among(value.set.map(|v| v & 0xc0)),
            _ => value,
        };
        self.machine.registers[register as usize] = value;
    }
    fn pc(&self) -> Word<Self> {
        self.machine.next.to_be_bytes().map(Value::of)
    }
    fn set_pc(&mut self, value: Word<Self>) {
        self.pc = value;
    }
    fn operand(&self) -> Byte<Self> {
        Value::of(self.operand)
    }
    fn control(&mut self, _: Word<Self>) {
        let at = self.machine.at;
        self.world.doubt(at, Doubt::Control);
    }
}

/// Executes the word of a state.
pub fn step(world: &mut World<'_>, mut machine: Machine, out: &mut Vec<Machine>) {
    world.words += 1;
    machine.clock += 1;
    let [op, operand] = world.word(machine.at).to_le_bytes();
    let op = Opcode(op);
    if op.is_jump() {
        return jump(world, machine, op, operand, out);
    }
    let store = op.operation() == opcode::STORE;
    if matches!(op.mode(), 6 | 7) && !store && world.phase == Phase::Block {
        world.doubt(machine.at, Doubt::Out);
    }
    if store && op.bus() == opcode::AC {
        let fresh = &mut machine.fresh;
        machine.registers[Register::Ac as usize].begin(fresh);
    }
    // A place in page 0 that X tells: one state for each.
    let places = &machine.registers[Register::X as usize];
    if op.mode() == 1
        && (store || op.bus() == opcode::RAM)
        && (2..=MOST_PLACES).contains(&places.set.len())
    {
        for place in places.set.iter() {
            if let Some(one) = machine.where_holds(Register::X as usize, |x| x == place) {
                out.push(run(world, one, op, operand).0);
            }
        }
        return;
    }
    out.push(run(world, machine, op, operand).0);
}

fn jump(world: &mut World<'_>, machine: Machine, op: Opcode, operand: u8, out: &mut Vec<Machine>) {
    const AC: usize = Register::Ac as usize;
    let mode = op.mode();
    let (at, slot) = (machine.at, machine.next);
    let mut taken = machine;
    if op.is_conditional() {
        if let Some(mut stay) = taken.where_holds(AC, |v| !holds(mode, v)) {
            (stay.at, stay.next) = (slot, slot.wrapping_add(1));
            out.push(stay);
        }
        match taken.where_holds(AC, |v| holds(mode, v)) {
            Some(m) => taken = m,
            None => return,
        }
    }
    let always = match op.is_far_jump() {
        true => op,
        false => Opcode::new(op.operation(), 7, op.bus()),
    };
    let (jump, [high, low]) = run(world, taken, always, operand);
    let block = world.phase == Phase::Block;
    if let (Some(h), Some(l)) = (high.set.single(), low.set.single()) {
        return go(world, jump, at, slot, [high, low], [h, l], out);
    }
    if block
        && let (Some(h), Some(l)) = (high.cell, low.cell)
        && (high.origin, low.origin) == (start_of(h), start_of(l))
    {
        // Which page goes with which place.
        world.together(&[h, l]);
        if world.missed {
            return;
        }
        if let Some(ways) = jump.before.ways(&world.groups, (h, l), |c| jump.started(c)) {
            for (target, narrowed) in ways {
                let mut one = jump.clone();
                for (cell, set) in narrowed {
                    let _ = one.load(cell);
                    one.narrow(start_of(cell), set);
                }
                go(world, one, at, slot, [high, low], target, out);
            }
            return;
        }
    }
    let most = if block { MOST_TARGETS } else { MOST_PICTURES };
    if high.set.len() * low.set.len() > most {
        return world.doubt(at, Doubt::Jump);
    }
    let mut seen = BTreeSet::new();
    for h in high.set.iter() {
        for l in low.set.iter() {
            // Pictures differ in colours only.
            if !block
                && let Some(words) = world.picture(u16::from_be_bytes([h, l]))
                && !seen.insert(words)
            {
                continue;
            }
            let mut one = jump.clone();
            for (v, n) in [(high, h), (low, l)] {
                // Which picture was drawn does not matter behind it.
                if block && v.origin != 0 && v.set.single().is_none() {
                    one.narrow(v.origin, v.base_where(|x| x == n));
                }
            }
            go(world, one, at, slot, [high, low], [h, l], out);
        }
    }
}

/// Goes to one of the places that a jump at `at` leads to, by its slot.
fn go(
    world: &mut World<'_>,
    mut machine: Machine,
    at: u16,
    slot: u16,
    places: [Value; 2],
    target: [u8; 2],
    out: &mut Vec<Machine>,
) {
    let target = u16::from_be_bytes(target);
    let several = places.iter().any(|v| v.set.single().is_none());
    let listed = world.targets.get(&at);
    let wrong = if world.landings.contains(&at) && !world.syncs.contains(&target) {
        Some(Doubt::Landing(target))
    } else if several && listed.is_some_and(|t| !t.contains(&target)) {
        Some(Doubt::Target(target))
    } else {
        None
    };
    if let Some(doubt) = wrong {
        if world.missed {
            return;
        }
        // It may be what a cell holds at another time.
        let cells = places.iter().filter(|v| v.set.single().is_none());
        let cells: Vec<u8> = cells.filter_map(|v| v.cell).collect();
        if !world.apart(&cells) {
            world.doubt(at, doubt);
        }
        return;
    }
    (machine.at, machine.next) = (slot, target);
    out.push(machine);
}

/// Runs the semantics: the state behind the word and the address that is fetched next.
fn run(world: &mut World<'_>, machine: Machine, op: Opcode, operand: u8) -> (Machine, [Value; 2]) {
    let behind = machine.next.wrapping_add(1);
    let mut view = View {
        machine,
        world,
        operand,
        pc: behind.to_be_bytes().map(Value::of),
    };
    exec(&mut view, op);
    let (mut machine, pc) = (view.machine, view.pc);
    if !op.is_jump() {
        (machine.at, machine.next) = (machine.next, behind);
    }
    (machine, pc)
}
