//! The AVR's locations, and its operations on them in every domain.

use std::sync::Arc;

use scrimp_isa::domain::{Bit, Byte, Word};
use scrimp_isa::memory::{At, Memory, Space};
use scrimp_isa::semantics::Code;
use scrimp_isa::state::{Area, Cell, Holds, Layout, Map, What};
use scrimp_isa::{Context, Domain, Machine, Processor, Semantics, runs};

use crate::Core;
use crate::DeviceMachine;
use crate::features;
use crate::op::Op;
use crate::place;
use crate::semantics::{Ins, State, ZP, exec, flags};
use crate::sim::{Chip, Own, decoded};

/// SREG.
pub const SREG: u8 = 44;

/// The cells: the registers, the stack pointer, RAMPZ, EIND, SREG as flags.
#[rustfmt::skip]
pub static LAYOUT: Layout = Layout {
    cells: &[
        Cell::byte("r0"), Cell::byte("r1"), Cell::byte("r2"), Cell::byte("r3"),
        Cell::byte("r4"), Cell::byte("r5"), Cell::byte("r6"), Cell::byte("r7"),
        Cell::byte("r8"), Cell::byte("r9"), Cell::byte("r10"), Cell::byte("r11"),
        Cell::byte("r12"), Cell::byte("r13"), Cell::byte("r14"), Cell::byte("r15"),
        Cell::byte("r16"), Cell::byte("r17"), Cell::byte("r18"), Cell::byte("r19"),
        Cell::byte("r20"), Cell::byte("r21"), Cell::byte("r22"), Cell::byte("r23"),
        Cell::byte("r24"), Cell::byte("r25"), Cell::byte("r26"), Cell::byte("r27"),
        Cell::byte("r28"), Cell::byte("r29"), Cell::byte("r30"), Cell::byte("r31"),
        Cell::NONE, Cell::NONE, Cell::NONE, Cell::NONE,
        Cell::NONE, Cell::NONE, Cell::NONE, Cell::NONE,
        Cell::byte("spl"), Cell::byte("sph"), Cell::byte("rampz"), Cell::byte("eind"),
        Cell::new("sreg", Holds::Flags(place::FLAGS, "cznvshti")),
    ],
    stack: &[place::SPL, place::SPH],
    quiet: &[],
    link: &[],
};

/// Acts: SPM; SLEEP; WDR; BREAK.
const STORE_PROGRAM: u8 = 0;
const SLEEP: u8 = 1;
const WATCHDOG: u8 = 2;
const STOP: u8 = 3;

/// Options of a processor: return addresses have three bytes; RETI sets I; pointers have
/// displacements.
const WIDE: u32 = 1;
const RETI_SETS_I: u32 = 2;
const DISPLACED: u32 = 4;

impl Own {
    /// Its cell.
    const fn cell(self) -> u8 {
        match self {
            Self::StackLow => place::SPL,
            Self::StackHigh => place::SPH,
            Self::Sreg => SREG,
            Self::Rampz => place::RAMPZ,
            Self::Eind => place::EIND,
        }
    }
}

impl Chip {
    /// What stands in data memory, for loads, stores and instructions that name a port.
    /// SRAM comes before all else, SREG before registers and mapped flash, as on the chip.
    pub fn map(&self) -> Map {
        let list = |named, write| {
            let mut areas: Vec<Area> = Vec::new();
            let mut at = 0;
            while at < 0x1_0000 {
                let (what, next) = self.piece(at, named, write);
                areas.push(Area {
                    first: at as u16,
                    last: (next - 1) as u16,
                    what,
                    clocks: self.more_clocks(what),
                });
                at = next;
            }
            areas
        };
        Map {
            reads: list(false, false),
            writes: list(false, true),
            ports: list(true, false),
            controls: Some(self.stack() + 2),
        }
    }

    /// Loads from SRAM take a clock more than others on AVRxm, from flash on AVRrc.
    fn more_clocks(&self, what: What) -> i8 {
        let more = match self.core {
            Core::AvrXm => what == What::Memory,
            Core::AvrRc => what == What::Program,
            _ => false,
        };
        i8::from(more)
    }

    /// What is at an address, and where something else begins.
    fn piece(&self, at: u32, named: bool, write: bool) -> (What, u32) {
        let own = self.own(at as u16);
        if !named && self.sram.contains(&at) {
            return (What::Memory, self.sram.end);
        }
        if let Some(own @ Own::Sreg) = own {
            return (What::Cells(own.cell()), at + 1);
        }
        if !named && self.core.maps_registers() && at < 32 {
            return (What::Cells(at as u8), 32);
        }
        let flash = self
            .mapped_flash
            .map(u32::from)
            .filter(|_| !named && !write);
        if flash.is_some_and(|f| at >= f) {
            return (What::Program, 0x1_0000);
        }
        if let Some(own) = own {
            return (What::Cells(own.cell()), at + 1);
        }
        let starts = [Some(self.sram.start).filter(|_| !named), flash];
        let starts = starts.into_iter().flatten();
        // Those of the CPU are all below $100.
        let owns = (at..0x100).find(|&a| self.own(a as u16).is_some());
        let next = starts.chain(owns).filter(|&s| s > at).min();
        (What::Port, next.unwrap_or(0x1_0000))
    }
}

/// The meaning of the AVR's instructions on a chip.
#[derive(Clone, Debug)]
pub struct Meaning {
    chip: Chip,
    map: Arc<Map>,
}

impl Meaning {
    /// On a chip.
    pub fn of(chip: Chip) -> Self {
        let map = Arc::new(chip.map());
        Self { chip, map }
    }

    /// On a machine; without one, on a chip that has all instructions, 60K of SRAM and
    /// program memory without an end.
    pub fn on(machine: Option<&dyn Machine>) -> Self {
        let device = machine.and_then(|m| DeviceMachine::named(m.name()));
        Self::of(match device {
            Some(d) => Chip::of(d.device),
            None => Chip::new(Core::AvrEPlus, !features::RC, 0x80_0000, 0x200..0xf000),
        })
    }

    /// The instruction, as the simulator has it.
    fn find(&self, code: Code<'_>) -> Option<Ins> {
        let mut bytes = [0xff; 6];
        let n = code.bytes.len().min(6);
        bytes[..n].copy_from_slice(&code.bytes[..n]);
        let i = decoded(&self.chip, bytes, (code.address / 2) as u32);
        (i.op != Op::Undefined).then_some(i)
    }

    fn run<D: Domain, M: Memory<D>>(
        &self,
        code: Code<'_>,
        p: &mut Processor<D, M>,
    ) -> Option<D::Bit> {
        let i = self.find(code)?;
        let d = p.domain();
        if !Arc::ptr_eq(&p.map, &self.map) {
            p.map = Arc::clone(&self.map);
        }
        let wide = if self.chip.wide() { WIDE } else { 0 };
        let ends = if self.chip.core.reti_sets_i() {
            RETI_SETS_I
        } else {
            0
        };
        let displaced = if self.chip.core == Core::AvrRc {
            0
        } else {
            DISPLACED
        };
        p.options = wide | ends | displaced;
        forward(p, u16::from(i.words));
        p.begin(&i.k.to_le_bytes());
        let long = exec(p, &i);
        Some(if i.long == i.short {
            d.bit(false)
        } else {
            long
        })
    }
}

/// Moves the program counter on, in words.
fn forward<D: Domain, M: Memory<D>>(p: &mut Processor<D, M>, words: u16) {
    let d = p.domain();
    let (top, low) = p.counter();
    let (low, carry) = d.add16(low, d.word(words), d.bit(false));
    let top = d.add(top, d.byte(0), carry).0;
    p.set_counter(top, low);
}

impl Semantics for Meaning {
    fn layout(&self) -> &'static Layout {
        &LAYOUT
    }
    fn length(&self, code: Code<'_>) -> Option<usize> {
        Some(usize::from(self.find(code)?.words) * 2)
    }
    fn times(&self, code: Code<'_>) -> Option<(u8, u8)> {
        let i = self.find(code)?;
        Some((i.short, i.long))
    }
    fn unit(&self) -> u64 {
        2
    }
    fn counts_22_bits(&self) -> bool {
        true
    }
    fn stack(&self) -> Option<u16> {
        u16::try_from(self.chip.sram.end.checked_sub(1)?).ok()
    }
    runs!();
}

impl<D: Domain, M: Memory<D>> State for Processor<D, M> {
    fn get(&self, register: u8) -> Byte<Self> {
        self.cell(register)
    }
    fn set(&mut self, register: u8, value: Byte<Self>) {
        self.set_cell(register, value);
    }
    fn flag(&self, flag: u8) -> Bit<Self> {
        self.bit(SREG, flag)
    }
    fn set_flag(&mut self, flag: u8, value: Bit<Self>) {
        self.controls |= flag == flags::I;
        Processor::set_bit(self, SREG, flag, value);
    }
    fn stack(&self) -> Word<Self> {
        Processor::pair(self, place::SPH, place::SPL)
    }
    fn set_stack(&mut self, value: Word<Self>) {
        Processor::set_pair(self, place::SPH, place::SPL, value);
    }
    fn constant(&self, _: &Ins) -> Byte<Self> {
        Processor::constant(self, 0)
    }
    fn address(&self, i: &Ins) -> Word<Self> {
        let given = self.constants.as_ref().and_then(|c| c.address);
        given.map_or_else(|| self.domain().word(i.k), |a| a.1)
    }
    fn displacement(&self, _: &Ins) -> Word<Self> {
        let d = self.domain();
        if self.options & DISPLACED == 0 {
            return d.word(0);
        }
        // It has six bits.
        let low = d.keep(Processor::constant(self, 0), 0x3f);
        d.pair(d.byte(0), low)
    }
    fn wide(&self) -> bool {
        self.options & WIDE != 0
    }
    fn next(&self) -> (Byte<Self>, Word<Self>) {
        self.counter()
    }
    fn go(&mut self, top: Byte<Self>, low: Word<Self>) {
        let top = if self.wide() {
            top
        } else {
            self.domain().byte(0)
        };
        Processor::go(self, top, low);
    }
    fn branch(&mut self, i: &Ins) {
        let d = self.domain();
        let given = self.constants.as_ref().and_then(|c| c.address);
        let (top, low) = given.unwrap_or_else(|| (d.byte(i.r), d.word(i.k)));
        Processor::go(self, top, low);
    }
    fn skip(&mut self, i: &Ins) {
        forward(self, u16::from(i.long - i.short));
        let (top, low) = self.counter();
        Processor::go(self, top, low);
        self.skipped = true;
    }
    fn program(&mut self, top: Byte<Self>, low: Word<Self>) -> Byte<Self> {
        let (d, guard) = (self.domain(), self.guard());
        let space = Space::Program;
        self.memory.read(d, guard, At { space, top, low })
    }
    fn ramp(&mut self) -> Byte<Self> {
        self.cell(place::RAMPZ)
    }
    fn set_ramp(&mut self, value: Byte<Self>) {
        self.set_cell(place::RAMPZ, value);
    }
    fn eind(&mut self) -> Byte<Self> {
        self.cell(place::EIND)
    }
    fn store_program(&mut self) {
        let cells = [0, 1, ZP, ZP + 1, place::RAMPZ];
        self.act(STORE_PROGRAM, &cells.map(|c| self.cell(c)));
    }
    fn des(&mut self, round: u8) {
        let (d, half) = (self.domain(), self.bit(SREG, flags::H));
        let mut sources: Vec<_> = (0..16).map(|r| self.cell(r)).collect();
        sources.push(d.mask(half, 1));
        for register in 0..8 {
            // A number for each round and byte.
            let kind = round << 3 | register;
            let value = self.memory.opaque(d, kind, &sources);
            self.set_cell(register, value);
        }
    }
    fn sleep(&mut self) {
        self.act(SLEEP, &[]);
    }
    fn watchdog(&mut self) {
        self.act(WATCHDOG, &[]);
    }
    fn stop(&mut self) {
        self.act(STOP, &[]);
    }
    fn interrupt_ends(&mut self) {
        self.controls = true;
        if self.options & RETI_SETS_I != 0 {
            self.set_flag(flags::I, self.domain().bit(true));
        }
    }
    fn undefined(&mut self, _: &Ins) {}
}
