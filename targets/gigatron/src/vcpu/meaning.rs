//! The vCPU's locations, and its operations on them in every domain.

use std::sync::{Arc, LazyLock};

use scrimp_isa::domain::{Byte, Word};
use scrimp_isa::memory::{At, Memory, Space};
use scrimp_isa::semantics::Code;
use scrimp_isa::state::{Area, Cell, Holds, Layout, Map, What};
use scrimp_isa::{Context, Domain, Processor, Semantics, runs};

use super::rom::feature;
use super::semantics::{Op, State, VAC, exec};
use super::table::ROWS;
use super::{Rom, decoder};

/// The registers, which stand in page 0 from [`VAC`] on, and vPC before them.
pub static LAYOUT: Layout = Layout {
    cells: &[
        Cell::byte("vacl"),
        Cell::byte("vach"),
        Cell::byte("vlrl"),
        Cell::byte("vlrh"),
        Cell::byte("vspl"),
        Cell::byte("vsph"),
        // vPC as the interpreters have it while an instruction executes.
        Cell::new("vpcl", Holds::Hidden),
        Cell::new("vpch", Holds::Hidden),
    ],
    stack: &[4, 5],
    quiet: &[],
    link: &[2, 3],
};

/// Acts: a native function is called; the vCPU stops.
const NATIVE: u8 = 0;
const HALT: u8 = 1;
/// What a native function may look at besides memory: vAC and the stack pointer.
const GIVEN: [u8; 4] = [0, 1, 4, 5];
/// The option of a stack pointer of 16 bits.
const WIDE_STACK: u32 = 1;
/// The option of addresses in page 0 that are those in the bytes, where other constants may
/// be any.
const NAMED: u32 = 2;
/// Address of vPC, and its cells.
const VPC: u8 = 0x16;
const PC: [u8; 2] = [6, 7];
/// Where the address of a native function is.
const SYS_FN: u32 = 0x22;
/// Where the stack is until a program makes its own.
const STACK: u16 = 0x00fe;

/// The meaning of the vCPU's instructions as a ROM has them.
#[derive(Clone, Debug)]
pub struct Meaning {
    features: u32,
    /// Which of the times of a row count.
    times: usize,
    map: Arc<Map>,
}

/// The row of a far jump: a word is loaded and stored to vPC.
static FAR: LazyLock<Option<usize>> = LazyLock::new(|| {
    let mut rows = ROWS.iter();
    rows.position(|r| r.form.alias && r.form.pattern.len == 5)
});

/// That row, where these bytes are such a jump and nothing else.
pub fn far_jump(bytes: &[u8]) -> Option<usize> {
    let row = (*FAR)?;
    let &[load, _, _, store, at] = bytes else {
        return None;
    };
    let word = u64::from(load) | u64::from(store) << 24 | u64::from(at) << 32;
    (word == ROWS[row].form.pattern.fixed).then_some(row)
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
            area(0, u16::from(VPC) - 1, What::Memory),
            area(VPC.into(), VAC - 1, What::Cells(PC[0])),
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

    /// The row of an instruction and its length.
    fn row(&self, code: Code<'_>) -> Option<(usize, usize)> {
        match far_jump(code.bytes) {
            Some(row) => Some((row, code.bytes.len())),
            None => find(self.features, code.bytes),
        }
    }

    fn run<D: Domain, M: Memory<D>>(
        &self,
        code: Code<'_>,
        p: &mut Processor<D, M>,
    ) -> Option<D::Bit> {
        let (row, length) = self.row(code)?;
        let d = p.domain();
        if !Arc::ptr_eq(&p.map, &self.map) {
            p.map = Arc::clone(&self.map);
        }
        let wide = self.features & feature::DEV7 != 0;
        p.options = p.options & NAMED | if wide { WIDE_STACK } else { 0 };
        let (top, at) = p.counter();
        let plus = |a, n| d.add(a, d.byte(n), d.bit(false)).0;
        let low = plus(d.low(at), length as u8);
        p.set_counter(top, d.pair(d.high(at), low));
        // It stands 2 below the next instruction.
        p.set_cell(PC[0], plus(low, 0xfe));
        p.set_cell(PC[1], d.high(at));
        let given = constants(code.bytes, length);
        p.begin(given);
        let op = ROWS[row].op;
        let long = exec(p, op);
        if far_jump(code.bytes).is_some() {
            p.set_cell(PC[0], p.cell(0));
            p.set_cell(PC[1], p.cell(1));
        }
        if far_jump(code.bytes).is_some() || given.first().is_some_and(|&at| sets_counter(op, at)) {
            let to = d.pair(p.cell(PC[1]), plus(p.cell(PC[0]), 2));
            p.go(top, to);
        }
        let times = ROWS[row].times[self.times];
        Some(match times.min() == times.max() {
            true => d.bit(false),
            false if ROWS[row].is_turned(self.times) => d.not(long),
            false => long,
        })
    }
}

/// Whether an instruction that names this address of page 0 writes vPC there.
fn sets_counter(op: Op, at: u8) -> bool {
    let bytes = match op {
        Op::St | Op::Inc | Op::Movqb | Op::Peeka | Op::Dbne => 1,
        Op::Stw | Op::Negv | Op::Movqw | Op::Addv | Op::Subv | Op::Incv => 2,
        Op::Moviw | Op::Movw | Op::Addsv | Op::Deeka => 2,
        _ => 0,
    };
    (at..=0xff).take(bytes).any(|a| (VPC..VPC + 2).contains(&a))
}

impl Semantics for Meaning {
    fn layout(&self) -> &'static Layout {
        &LAYOUT
    }
    fn options(&self) -> u32 {
        NAMED
    }
    fn stack(&self) -> Option<u16> {
        Some(STACK)
    }
    /// The variables of programs in page 0, where the ROMs keep nothing of their own.
    fn is_own(&self, address: u32) -> bool {
        // Interrupts keep registers in the first of them, from v5a on.
        let low = if self.times == 0 { 0x30 } else { 0x36 };
        let high = if self.times == 2 { 0x8c } else { 0x82 };
        (low..0x80).contains(&address) || (high..0x100).contains(&address)
    }
    fn length(&self, code: Code<'_>) -> Option<usize> {
        Some(self.row(code)?.1)
    }
    fn times(&self, code: Code<'_>) -> Option<(u8, u8)> {
        let times = ROWS[self.row(code)?.0].times[self.times];
        Some((times.min(), times.max()))
    }
    /// A native function is at an address of the ROM.
    fn is_elsewhere(&self, address: u32) -> bool {
        (SYS_FN..SYS_FN + 2).contains(&address)
    }
    runs!();
}

impl<D: Domain, M: Memory<D>> State for Processor<D, M> {
    fn constant(&self, n: usize) -> Byte<Self> {
        Processor::constant(self, n)
    }
    fn named(&self, n: usize) -> Byte<Self> {
        match self.options & NAMED == 0 {
            true => Processor::constant(self, n),
            false => self.own_constant(n),
        }
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
        let given: Vec<_> = GIVEN.iter().map(|&c| self.cell(c)).collect();
        self.act(NATIVE, &given);
        // What it leaves in vAC is its own affair.
        for cell in 0..2 {
            let value = self.memory.opaque(d, cell, &given);
            self.set_cell(cell, value);
        }
    }
    fn halt(&mut self) {
        self.act(HALT, &[]);
        let (top, to) = (self.counter().0, self.pair(PC[1], PC[0]));
        Processor::go(self, top, to);
    }
    fn wide_stack(&self) -> bool {
        self.options & WIDE_STACK != 0
    }
}
