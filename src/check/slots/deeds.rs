//! What a word does, found by running its meaning: effects, where it touches memory, what it
//! leaves, where it leads.

use rustc_hash::FxHashMap;
use scrimp_isa::depend::Inputs;
use scrimp_isa::effects::Effects;
use scrimp_isa::known::{Byte, Word};
use scrimp_isa::memory::{KnownMemory, Numbers, Space};
use scrimp_isa::semantics::Code;
use scrimp_isa::state::place;
use scrimp_isa::{Concrete, Known, Processor, Semantics};
use std::rc::Rc;

use super::words::UNIT;

/// Values by which it is seen that a byte is half of where control goes.
const SAMPLES: [u8; 4] = [0x00, 0x01, 0x80, 0x55];

/// Something that a word reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Input {
    /// A register.
    Cell(u8),
    /// The byte of memory that it reads.
    Memory,
}

impl Input {
    /// Whether it is among these.
    pub fn is_in(self, all: Inputs) -> bool {
        match self {
            Self::Cell(c) => all.has(c),
            Self::Memory => all.has(place::MEMORY),
        }
    }
}

/// Where a word touches memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Touch {
    /// Nowhere.
    No,
    /// At one of these addresses.
    At(Rc<Vec<u32>>),
    /// In a page that nobody knows.
    Wild,
}

/// What a word left.
#[derive(Clone)]
pub struct Ran {
    /// Its registers.
    pub cells: Vec<Byte>,
    /// What is fetched behind the next word.
    pub behind: Word,
    memory: KnownMemory,
}

impl Ran {
    /// What it wrote at an address, which is one of some that are the same memory.
    pub fn written(&self, at: u32, mirror: u32) -> Byte {
        let all = [at, at | (0xffff & !mirror)];
        let known = all.map(|a| self.memory.peek(Space::Data, a));
        match known[0] == Byte::UNKNOWN {
            true => known[1],
            false => known[0],
        }
    }
}

/// What a word does with known registers, by its number.
type WithCells = (u16, Vec<Byte>);

/// What words do.
pub struct Deeds<'s> {
    /// The meaning.
    pub semantics: &'s dyn Semantics,
    effects: FxHashMap<u16, Option<Rc<Effects>>>,
    touches: FxHashMap<WithCells, Touch>,
    halves: FxHashMap<(u16, Input), bool>,
}

impl<'s> Deeds<'s> {
    /// Nothing is known yet.
    pub fn new(semantics: &'s dyn Semantics) -> Self {
        Self {
            semantics,
            effects: FxHashMap::default(),
            touches: FxHashMap::default(),
            halves: FxHashMap::default(),
        }
    }

    /// How many cells there are.
    pub fn cells(&self) -> usize {
        self.semantics.layout().cells.len()
    }

    /// The effects of a word, whatever its constant is.
    pub fn effects(&mut self, bytes: [u8; 2]) -> Option<Rc<Effects>> {
        let code = Code {
            bytes: &bytes,
            address: 0,
        };
        let semantics = self.semantics;
        let find = || {
            let whole = semantics.length(code)? as u64 == UNIT;
            let e = semantics.effects(code, 0..=0xffff)?;
            // All that is here is said of registers that are bytes, and one byte of memory.
            let plain = e.writes.iter().all(|w| semantics.layout().is_register(w));
            let apart = !(e.reads_program || e.reads_memory && e.writes_memory);
            (whole && plain && apart).then(|| Rc::new(e))
        };
        let number = u16::from_le_bytes(bytes);
        self.effects.entry(number).or_insert_with(find).clone()
    }

    /// Runs a word of which the next is fetched at `fetch`; `memory` is what it reads.
    pub fn run(
        &self,
        bytes: [u8; 2],
        fetch: u16,
        cells: &[Byte],
        memory: (&Touch, Byte),
    ) -> Option<Ran> {
        let mut known = KnownMemory::default();
        if let (Touch::At(all), value) = memory
            && let [one] = all.as_slice()
        {
            known.poke(Space::Data, *one, value);
        }
        let mut p = Processor::new(Known, known);
        for (cell, value) in (0..).zip(cells) {
            p.set_cell(cell, *value);
        }
        p.set_counter(Byte::of(0), Word::of(fetch));
        p.set_behind(Word::of(fetch.wrapping_add(1)));
        self.semantics.known(code(&bytes), &mut p)?;
        Some(Ran {
            cells: (0..cells.len() as u8).map(|c| p.cell(c)).collect(),
            behind: p.behind(),
            memory: p.memory,
        })
    }

    /// Where a word touches memory, with what is known of the registers.
    pub fn touch(&mut self, bytes: [u8; 2], effects: &Effects, cells: &[Byte]) -> Touch {
        if !effects.reads_memory && !effects.writes_memory {
            return Touch::No;
        }
        let pointers: Vec<Byte> = (0..)
            .zip(cells)
            .map(|(c, &b)| {
                if effects.pointers.has(c) {
                    b
                } else {
                    Byte::of(0)
                }
            })
            .collect();
        let key = (u16::from_le_bytes(bytes), pointers);
        if let Some(found) = self.touches.get(&key) {
            return found.clone();
        }
        let found = self.find_touch(bytes, &key.1);
        self.touches.insert(key, found.clone());
        found
    }

    fn find_touch(&self, bytes: [u8; 2], pointers: &[Byte]) -> Touch {
        let open: Vec<usize> = (0..pointers.len())
            .filter(|&c| pointers[c].exact().is_none())
            .collect();
        let exact = |n: u8| {
            let mut cells: Vec<u8> = pointers.iter().map(|b| b.value).collect();
            if let [one] = open[..] {
                cells[one] = n;
            }
            self.addresses(bytes, &cells)
        };
        let all: Option<Vec<Vec<u32>>> = match open[..] {
            [] => exact(0).map(|a| vec![a]),
            [one] => (0..=255u8)
                .filter(|&n| pointers[one].allows(n))
                .map(exact)
                .collect(),
            _ => None,
        };
        let Some(all) = all else { return Touch::Wild };
        let mut all: Vec<u32> = all.into_iter().flatten().collect();
        all.sort_unstable();
        all.dedup();
        let page = |a: &u32| a >> 8;
        match (all.first(), all.last()) {
            (Some(x), Some(y)) if page(x) == page(y) => Touch::At(Rc::new(all)),
            (None, _) => Touch::No,
            _ => Touch::Wild,
        }
    }

    /// The addresses that a word touches with these registers.
    fn addresses(&self, bytes: [u8; 2], cells: &[u8]) -> Option<Vec<u32>> {
        let mut p = Processor::new(Concrete, Numbers::new(Box::new(|_, _| 0)));
        for (cell, &value) in (0..).zip(cells) {
            p.set_cell(cell, value);
        }
        self.semantics.numbers(code(&bytes), &mut p)?;
        let read = p.memory.read.iter().map(|r| r.1);
        let written = p.memory.written.iter().filter(|w| w.0 == Space::Data);
        let mirror = self.semantics.mirrored();
        Some(
            read.chain(written.map(|w| w.1))
                .map(|a| a & mirror)
                .collect(),
        )
    }

    /// Whether a word goes on behind the next one, and where else it goes, as far as that is
    /// certain whatever is in registers and memory.
    pub fn ways(&self, bytes: [u8; 2], fetch: u16) -> Option<(bool, u16)> {
        let before = fetch.checked_sub(1)?;
        let code = Code {
            bytes: &bytes,
            address: u64::from(before) * UNIT,
        };
        let ways = self.semantics.successors(code)?;
        let to = u16::try_from(ways.to?).ok()?;
        Some((ways.falls_through, to))
    }

    /// Whether what a word reads is, as it is, one half of where it goes, and nothing else.
    pub fn is_half(&mut self, bytes: [u8; 2], input: Input) -> bool {
        let key = (u16::from_le_bytes(bytes), input);
        if let Some(&known) = self.halves.get(&key) {
            return known;
        }
        let found = self.find_half(bytes, input).unwrap_or(false);
        self.halves.insert(key, found);
        found
    }

    fn find_half(&mut self, bytes: [u8; 2], input: Input) -> Option<bool> {
        /// Far from all samples.
        const FETCH: u16 = 0x3a5e;
        let effects = self.effects(bytes)?;
        let (mut low, mut high) = (true, true);
        for other in [0x00, 0x01, 0x80] {
            for sample in SAMPLES {
                let mut cells = vec![Byte::of(other); self.cells()];
                let mut memory = Byte::of(other);
                match input {
                    Input::Cell(c) => cells[usize::from(c)] = Byte::of(sample),
                    Input::Memory => memory = Byte::of(sample),
                }
                let touch = self.touch(bytes, &effects, &cells);
                let ran = self.run(bytes, FETCH, &cells, (&touch, memory))?;
                low &= ran.behind.low.exact() == Some(sample);
                high &= ran.behind.high.exact() == Some(sample);
            }
        }
        Some(low || high)
    }
}

fn code(bytes: &[u8]) -> Code<'_> {
    Code { bytes, address: 0 }
}
