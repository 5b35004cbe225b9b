//! The state of a CPU in any domain: locations by number, what of them stands in
//! memory, and one way to do work only sometimes.
//!
//! A room says what it has as a [`Layout`] and runs its operations on a [`Processor`]
//! by a trait of its own. A *cell* is a byte of state. A *location* is what effects
//! speak of: a cell as a whole, or a single bit of it where the bits are flags.
//! Registers that have addresses in data memory are declared once, as a [`Map`], and
//! every domain honours them.

use std::fmt;
use std::ops::RangeInclusive;
use std::sync::Arc;

use crate::depend::Inputs;
use crate::domain::{Byte, Word};
use crate::memory::{At, Memory, Space};
use crate::{Context, Domain};

/// Cells of a processor, at most.
pub const CELLS: usize = 48;

/// Locations that all CPUs have, behind their own.
pub mod place {
    /// The first that is no register or flag.
    pub const OTHERS: u8 = 58;
    /// Data memory, all of it, without what is mapped into it.
    pub const MEMORY: u8 = 58;
    /// What ports deliver.
    pub const PORTS: u8 = 59;
    /// Program memory, where it is apart.
    pub const PROGRAM: u8 = 60;
    /// The constants in the instruction.
    pub const IMMEDIATE: u8 = 61;
    /// The program counter.
    pub const PC: u8 = 62;
    /// Numbers are below this.
    pub const COUNT: usize = 63;
}

/// What a cell holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Holds {
    /// There is no such cell.
    Nothing,
    /// A byte; its location has the number of the cell.
    Byte,
    /// Flags, the lowest bit first: the first one's location, and a letter for each.
    Flags(u8, &'static str),
    /// A help of the room's own, which no effect speaks of.
    Hidden,
}

/// A byte of state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cell {
    /// Its name in the assembler, or what people call it.
    pub name: &'static str,
    /// What it holds.
    pub holds: Holds,
}

impl Cell {
    /// A number that stands for no cell.
    pub const NONE: Self = Self::new("", Holds::Nothing);

    /// A cell.
    pub const fn new(name: &'static str, holds: Holds) -> Self {
        Self { name, holds }
    }

    /// A register.
    pub const fn byte(name: &'static str) -> Self {
        Self::new(name, Holds::Byte)
    }
}

/// What a CPU has, as a table.
#[derive(Clone, Copy, Debug)]
pub struct Layout {
    /// The cells by number.
    pub cells: &'static [Cell],
    /// The cells of the stack pointer, the low byte first.
    pub stack: &'static [u8],
    /// Cells that hardly a program looks at: rules do not keep them.
    pub quiet: &'static [u8],
    /// The cells in which a call leaves its return address, the low byte first; none where
    /// that is on the stack.
    pub link: &'static [u8],
}

/// A location and where its bits are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Location {
    /// Its number.
    pub number: u8,
    /// The cell.
    pub cell: u8,
    /// The bit of the cell, where it is a flag.
    pub bit: Option<u8>,
}

impl Layout {
    /// All registers and flags.
    pub fn locations(&self) -> Vec<Location> {
        let mut all = Vec::new();
        for (cell, c) in (0..).zip(self.cells) {
            match c.holds {
                Holds::Byte => all.push(Location {
                    number: cell,
                    cell,
                    bit: None,
                }),
                Holds::Flags(first, names) => {
                    all.extend((0..names.len() as u8).map(|bit| Location {
                        number: first + bit,
                        cell,
                        bit: Some(bit),
                    }))
                }
                Holds::Nothing | Holds::Hidden => {}
            }
        }
        all
    }

    /// Whether a location is a register, and no flag; its number is that of its cell.
    pub fn is_register(&self, number: u8) -> bool {
        let cell = self.cells.get(usize::from(number));
        cell.is_some_and(|c| c.holds == Holds::Byte)
    }

    /// What people call a location: `a`, `f.z`, `memory`.
    pub fn name(&self, number: u8) -> String {
        let others = ["memory", "ports", "program", "immediate", "pc"];
        if let Some(name) = others.get(usize::from(number.wrapping_sub(place::OTHERS))) {
            return (*name).to_owned();
        }
        let all = self.locations();
        let Some(l) = all.iter().find(|l| l.number == number) else {
            return format!("location {number}");
        };
        let cell = &self.cells[usize::from(l.cell)];
        match (cell.holds, l.bit) {
            (Holds::Flags(_, names), Some(bit)) => {
                let letter = &names[usize::from(bit)..=usize::from(bit)];
                format!("{}.{letter}", cell.name)
            }
            _ => cell.name.to_owned(),
        }
    }

    /// The locations of some cells.
    pub fn of_cells(&self, cells: &[u8]) -> Inputs {
        let all = self.locations();
        let of = all.iter().filter(|l| cells.contains(&l.cell));
        of.fold(Inputs::NONE, |all, l| all.and(Inputs::one(l.number)))
    }

    /// The location of that name: a register, or a flag as [`name`](Self::name) has it.
    pub fn find(&self, name: &str) -> Option<Location> {
        let mut all = self.locations().into_iter();
        all.find(|l| self.name(l.number).eq_ignore_ascii_case(name))
    }
}

/// What stands at an address of data memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    /// Memory.
    Memory,
    /// Registers of devices.
    Port,
    /// Program memory, whose address 0 is the first of the area.
    Program,
    /// Cells, from this one on.
    Cells(u8),
}

/// A range of addresses that stand for one thing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Area {
    /// First address.
    pub first: u16,
    /// Last address.
    pub last: u16,
    /// What is there.
    pub what: What,
    /// Clocks that an access takes more than others.
    pub clocks: i8,
}

/// What of data memory is something else. All addresses are in some area; none at all
/// stand for plain memory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Map {
    /// What loads find.
    pub reads: Vec<Area>,
    /// What stores find.
    pub writes: Vec<Area>,
    /// What instructions find that name a port.
    pub ports: Vec<Area>,
    /// A store there changes how the CPU runs: interrupts.
    pub controls: Option<u16>,
}

/// The parts that an instruction changes.
#[derive(Clone)]
struct Core<D: Domain> {
    cells: [D::Byte; CELLS],
    pc: D::Word,
    top: D::Byte,
    next: D::Word,
}

/// The constants of an instruction, where they are not those of its bytes.
#[derive(Clone, Copy, Debug)]
pub struct Constants<D: Domain> {
    /// Numbers and displacements, in the order in which they are read.
    pub values: [D::Byte; 2],
    /// An address that it names: bits 16 and up, and those below.
    pub address: Option<(D::Byte, D::Word)>,
}

/// A CPU with its state in a domain, and a memory.
pub struct Processor<D: Domain, M> {
    domain: D,
    core: Core<D>,
    /// What holds here: the conditions of the work that is done.
    guard: D::Bit,
    /// Constants that take the place of those in the bytes.
    pub constants: Option<Constants<D>>,
    /// Those in the bytes, and how many were read.
    own: [u8; 4],
    taken: usize,
    /// Which of the constants were asked for, as bits.
    pub asked: std::cell::Cell<u8>,
    /// Where in data memory addresses lie that are not certain.
    pub pointed: RangeInclusive<u16>,
    /// What stands in data memory.
    pub map: Arc<Map>,
    /// Facts of the chip, for the room.
    pub options: u32,
    /// It went somewhere, and under what condition.
    pub went: Option<D::Bit>,
    /// What it went over is the next instruction.
    pub skipped: bool,
    /// It changed how the CPU takes interrupts, or stopped it.
    pub controls: bool,
    /// Memory and ports.
    pub memory: M,
}

impl<D: Domain, M: fmt::Debug> fmt::Debug for Processor<D, M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Processor")
            .field("memory", &self.memory)
            .finish_non_exhaustive()
    }
}

impl<D: Domain, M: Memory<D>> Processor<D, M> {
    /// With all cells and the program counter 0.
    pub fn new(domain: D, memory: M) -> Self {
        let zero = domain.byte(0);
        Self {
            domain,
            core: Core {
                cells: [zero; CELLS],
                pc: domain.word(0),
                top: zero,
                next: domain.word(0),
            },
            guard: domain.bit(true),
            constants: None,
            own: [0; 4],
            taken: 0,
            asked: std::cell::Cell::new(0),
            pointed: 0..=0xffff,
            map: Arc::default(),
            options: 0,
            went: None,
            skipped: false,
            controls: false,
            memory,
        }
    }

    /// A cell.
    pub fn cell(&self, cell: u8) -> D::Byte {
        self.core.cells[usize::from(cell)]
    }

    /// Sets a cell.
    pub fn set_cell(&mut self, cell: u8, value: D::Byte) {
        self.core.cells[usize::from(cell)] = value;
    }

    /// A bit of a cell.
    pub fn bit(&self, cell: u8, bit: u8) -> D::Bit {
        self.domain.test(self.cell(cell), 1 << bit)
    }

    /// Sets a bit of a cell.
    pub fn set_bit(&mut self, cell: u8, bit: u8, value: D::Bit) {
        let d = self.domain;
        let others = d.keep(self.cell(cell), !(1 << bit));
        self.set_cell(cell, d.or(others, d.mask(value, 1 << bit)));
    }

    /// Two cells as a word.
    pub fn pair(&self, high: u8, low: u8) -> D::Word {
        self.domain.pair(self.cell(high), self.cell(low))
    }

    /// Sets two cells.
    pub fn set_pair(&mut self, high: u8, low: u8, value: D::Word) {
        self.set_cell(high, self.domain.high(value));
        self.set_cell(low, self.domain.low(value));
    }

    /// The program counter: bits 16 and up, and those below.
    pub fn counter(&self) -> (D::Byte, D::Word) {
        (self.core.top, self.core.pc)
    }

    /// Sets the program counter, which is no branch.
    pub fn set_counter(&mut self, top: D::Byte, low: D::Word) {
        (self.core.top, self.core.pc) = (top, low);
    }

    /// What is fetched behind the word that is fetched now, where jumps have a slot.
    pub fn behind(&self) -> D::Word {
        self.core.next
    }

    /// Sets what is fetched behind, which is no branch.
    pub fn set_behind(&mut self, next: D::Word) {
        self.core.next = next;
    }

    /// Goes somewhere at once.
    pub fn go(&mut self, top: D::Byte, low: D::Word) {
        self.set_counter(top, low);
        self.went = Some(self.guard);
    }

    /// Goes somewhere behind the word that is being fetched.
    pub fn go_behind(&mut self, next: D::Word) {
        self.core.next = next;
        self.went = Some(self.guard);
    }

    /// The condition under which work is done.
    pub fn guard(&self) -> D::Bit {
        self.guard
    }

    /// Begins an instruction that has these constants in its bytes.
    pub fn begin(&mut self, constants: &[u8]) {
        let n = constants.len().min(4);
        self.own[..n].copy_from_slice(&constants[..n]);
        self.taken = 0;
    }

    /// A constant of the instruction, by its place in the bytes.
    pub fn constant(&self, n: usize) -> D::Byte {
        self.asked.set(self.asked.get() | 1 << (n % 2));
        match &self.constants {
            Some(c) => c.values[n % 2],
            None => self.domain.byte(self.own[n % 4]),
        }
    }

    /// A constant of the instruction as its bytes have it, whatever takes its place.
    pub fn own_constant(&self, n: usize) -> D::Byte {
        self.domain.byte(self.own[n % 4])
    }

    /// The next constant of the instruction.
    pub fn next_constant(&mut self) -> D::Byte {
        self.taken += 1;
        self.constant(self.taken - 1)
    }

    /// An act that no domain computes.
    pub fn act(&mut self, kind: u8, bytes: &[D::Byte]) {
        self.memory.act(self.domain, self.guard, kind, bytes);
    }

    /// Where an access may go, with the condition that it goes there if there are more.
    fn candidates(&self, areas: &[Area], address: D::Word) -> Vec<(Area, Option<D::Bit>)> {
        let d = self.domain;
        let exact = d.exact16(address);
        let (first, last) = match exact {
            Some(a) => (a, a),
            None => (*self.pointed.start(), *self.pointed.end()),
        };
        let overlaps = |a: &&Area| a.first <= last && first <= a.last;
        let found: Vec<Area> = areas.iter().filter(overlaps).copied().collect();
        let cells = |a: &Area| matches!(a.what, What::Cells(_));
        let sure = first == last || matches!(found.as_slice(), [a] if !cells(a));
        let condition = |a: &Area| match a.first == a.last {
            true => d.same16(address, d.word(a.first)),
            false => d.within(address, a.first, a.last),
        };
        let with = |a: Area| (a, (!sure).then(|| condition(&a)));
        found.into_iter().map(with).collect()
    }

    /// Whether the time of an access depends on where it goes.
    fn uneven(&mut self, areas: &[(Area, Option<D::Bit>)], address: D::Word) {
        let clocks = areas.first().map(|a| a.0.clocks);
        if areas.iter().any(|a| Some(a.0.clocks) != clocks) {
            self.memory.uneven(self.domain, self.guard, address);
        }
    }

    fn load(&mut self, areas: &[Area], space: Space, address: D::Word) -> D::Byte {
        let d = self.domain;
        if areas.is_empty() {
            return self.memory.read(d, self.guard, At::low(d, space, address));
        }
        let candidates = self.candidates(areas, address);
        self.uneven(&candidates, address);
        let mut found = None;
        let add = |found: &mut Option<D::Byte>, hit: Option<D::Bit>, v| {
            *found = Some(match (*found, hit) {
                (Some(old), Some(hit)) => d.select(hit, v, old),
                _ => v,
            });
        };
        for (area, hit) in candidates {
            if let What::Cells(cell) = area.what {
                for (cell, at) in self.cells_of(&area, cell, address, hit) {
                    add(&mut found, at, self.cell(cell));
                }
                continue;
            }
            let guard = hit.map_or(self.guard, |hit| d.both(self.guard, hit));
            let at = self.place(&area, address);
            let v = self.memory.read(d, guard, at);
            add(&mut found, hit, v);
        }
        found.unwrap_or(d.byte(0))
    }

    fn store(&mut self, areas: &[Area], space: Space, address: D::Word, value: D::Byte) {
        let d = self.domain;
        if areas.is_empty() {
            let at = At::low(d, space, address);
            return self.memory.write(d, self.guard, at, value);
        }
        for (area, hit) in self.candidates(areas, address) {
            if let What::Cells(cell) = area.what {
                for (cell, at) in self.cells_of(&area, cell, address, hit) {
                    let old = self.cell(cell);
                    self.set_cell(cell, at.map_or(value, |at| d.select(at, value, old)));
                    self.controls |= self.map.controls == Some(area.first);
                }
                continue;
            }
            let guard = hit.map_or(self.guard, |hit| d.both(self.guard, hit));
            let at = self.place(&area, address);
            self.memory.write(d, guard, at, value);
        }
    }

    /// Where an address in an area is.
    fn place(&self, area: &Area, address: D::Word) -> At<D> {
        let d = self.domain;
        match area.what {
            What::Port => At::low(d, Space::Port, address),
            What::Program => {
                let base = d.word(area.first);
                At::low(d, Space::Program, d.sub16(address, base, d.bit(false)).0)
            }
            _ => At::low(d, Space::Data, address),
        }
    }

    /// The cells that an access may touch, with their conditions.
    fn cells_of(
        &self,
        area: &Area,
        first: u8,
        address: D::Word,
        hit: Option<D::Bit>,
    ) -> Vec<(u8, Option<D::Bit>)> {
        let d = self.domain;
        let cell = |at: u16| first + (at - area.first) as u8;
        if let Some(at) = d.exact16(address) {
            return vec![(cell(at), None)];
        }
        let start = area.first.max(*self.pointed.start());
        let end = area.last.min(*self.pointed.end());
        let all = (start..=end).map(|at| {
            let same = hit.map(|_| d.same16(address, d.word(at)));
            (cell(at), same)
        });
        all.collect()
    }
}

impl<D: Domain, M: Memory<D>> Context for Processor<D, M> {
    type Domain = D;

    fn domain(&self) -> D {
        self.domain
    }

    fn read(&mut self, address: Word<Self>) -> Byte<Self> {
        let map = Arc::clone(&self.map);
        self.load(&map.reads, Space::Data, address)
    }

    fn write(&mut self, address: Word<Self>, value: Byte<Self>) {
        let map = Arc::clone(&self.map);
        self.store(&map.writes, Space::Data, address, value);
    }

    fn input(&mut self, port: Word<Self>) -> Byte<Self> {
        let map = Arc::clone(&self.map);
        self.load(&map.ports, Space::Port, port)
    }

    fn output(&mut self, port: Word<Self>, value: Byte<Self>) {
        let map = Arc::clone(&self.map);
        self.store(&map.ports, Space::Port, port, value);
    }

    fn when(&mut self, condition: D::Bit, work: impl FnOnce(&mut Self)) {
        let d = self.domain;
        match d.known(condition) {
            Some(true) => return work(self),
            Some(false) => return,
            None => {}
        }
        let (before, guard) = (self.core.clone(), self.guard);
        self.guard = d.both(guard, condition);
        work(self);
        self.guard = guard;
        let after = &mut self.core;
        for (after, before) in after.cells.iter_mut().zip(before.cells) {
            *after = d.select(condition, *after, before);
        }
        after.pc = d.select16(condition, after.pc, before.pc);
        after.top = d.select(condition, after.top, before.top);
        after.next = d.select16(condition, after.next, before.next);
    }
}
