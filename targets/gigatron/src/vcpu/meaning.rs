//! The vCPU's locations, and its operations on them in every domain.

use std::sync::Arc;

use scrimp_isa::domain::{Byte, Word};
use scrimp_isa::memory::{At, Memory, Space};
use scrimp_isa::semantics::Code;
use scrimp_isa::state::{Area, Cell, Layout, Map, What};
use scrimp_isa::{Context, Domain, Processor, Semantics, runs};

use super::rom::feature;
use super::semantics::{State, VAC, exec};
use super::table::ROWS;
use super::{Rom, decoder};

/// The registers, which stand in page 0 from [`VAC`] on.
pub static LAYOUT: Layout = Layout {
    cells: &[
        Cell::byte("vacl"),
        Cell::byte("vach"),
        Cell::byte("vlrl"),
        Cell::byte("vlrh"),
        Cell::byte("vspl"),
        Cell::byte("vsph"),
    ],
    stack: &[4, 5],
    quiet: &[],
};

/// Acts: a native function is called; the vCPU stops.
const NATIVE: u8 = 0;
const HALT: u8 = 1;
/// The option of a stack pointer of 16 bits.
const WIDE_STACK: u32 = 1;

/// The meaning of the vCPU's instructions as a ROM has them.
#[derive(Clone, Debug)]
pub struct Meaning {
    features: u32,
    /// Which of the times of a row count.
    times: usize,
    map: Arc<Map>,
}

/// The row of an instruction and its length, where a ROM has these features.
pub fn find(features: u32, bytes: &[u8]) -> Option<(usize, usize)> {
    let row = decoder().find_on(bytes, features)?;
    Some((row, usize::from(ROWS[row].form.pattern.len)))
}

/// The bytes of an instruction behind its opcode.
pub fn constants(bytes: &[u8], length: usize) -> &[u8] {
    match bytes.first() {
        // The condition of a branch is before its target.
        Some(0x35) => bytes.get(2..length),
        // The operand is before the second byte of the opcode.
        Some(0x2f) => bytes.get(1..2),
        _ => bytes.get(1..length),
    }
    .unwrap_or(&[])
}

impl Meaning {
    /// On a ROM; without one, with all that any has.
    pub fn new(rom: Option<Rom>) -> Self {
        let features = rom.map_or(u32::MAX, Rom::features);
        let times = rom.unwrap_or(Rom::Dev7).times();
        let area = |first, last, what| Area {
            first,
            last,
            what,
            clocks: 0,
        };
        let cells = if features & feature::DEV7 == 0 { 5 } else { 6 };
        let areas = vec![
            area(0, VAC - 1, What::Memory),
            area(VAC, VAC + cells - 1, What::Cells(0)),
            area(VAC + cells, 0xffff, What::Memory),
        ];
        let map = Arc::new(Map {
            reads: areas.clone(),
            writes: areas,
            ..Map::default()
        });
        Self {
            features,
            times,
            map,
        }
    }

    fn run<D: Domain, M: Memory<D>>(
        &self,
        code: Code<'_>,
        p: &mut Processor<D, M>,
    ) -> Option<D::Bit> {
        let (row, length) = find(self.features, code.bytes)?;
        let d = p.domain();
        if !Arc::ptr_eq(&p.map, &self.map) {
            p.map = Arc::clone(&self.map);
        }
        let wide = self.features & feature::DEV7 != 0;
        p.options = if wide { WIDE_STACK } else { 0 };
        let (top, at) = p.counter();
        let low = d.add(d.low(at), d.byte(length as u8), d.bit(false)).0;
        p.set_counter(top, d.pair(d.high(at), low));
        p.begin(constants(code.bytes, length));
        let long = exec(p, ROWS[row].op);
        let times = ROWS[row].times[self.times];
        Some(match times.min() == times.max() {
            true => d.bit(false),
            false if ROWS[row].is_turned(self.times) => d.not(long),
            false => long,
        })
    }
}

impl Semantics for Meaning {
    fn layout(&self) -> &'static Layout {
        &LAYOUT
    }
    fn length(&self, code: Code<'_>) -> Option<usize> {
        Some(find(self.features, code.bytes)?.1)
    }
    fn times(&self, code: Code<'_>) -> Option<(u8, u8)> {
        let times = ROWS[find(self.features, code.bytes)?.0].times[self.times];
        Some((times.min(), times.max()))
    }
    runs!();
}

impl<D: Domain, M: Memory<D>> State for Processor<D, M> {
    fn constant(&self, n: usize) -> Byte<Self> {
        Processor::constant(self, n)
    }
    fn page(&self) -> Byte<Self> {
        self.domain().high(self.counter().1)
    }
    fn next(&self) -> Word<Self> {
        self.counter().1
    }
    fn go(&mut self, to: Word<Self>) {
        let top = self.counter().0;
        Processor::go(self, top, to);
    }
    fn rom(&mut self, low: Word<Self>) -> Byte<Self> {
        let (d, guard) = (self.domain(), self.guard());
        let at = At {
            space: Space::Program,
            top: d.byte(0),
            low,
        };
        self.memory.read(d, guard, at)
    }
    fn native(&mut self) {
        let d = self.domain();
        let given: Vec<_> = (0..6).map(|c| self.cell(c)).collect();
        self.act(NATIVE, &given);
        // What it leaves in vAC is its own affair.
        for cell in 0..2 {
            let value = self.memory.opaque(d, cell, &given);
            self.set_cell(cell, value);
        }
    }
    fn halt(&mut self) {
        self.act(HALT, &[]);
    }
    fn wide_stack(&self) -> bool {
        self.options & WIDE_STACK != 0
    }
}
