//! The CPU: registers, instruction cycle, interrupts.

use scrimp_isa::{Concrete, Context};

use super::bus::{Bus, Clock};
use super::pages::{Pages, pages};
use crate::op::Op;
use crate::reg;
use crate::semantics::{self, Ins, Mode, State};

/// An interrupt that the CPU took.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interrupt {
    /// Non-maskable.
    Nmi,
    /// Maskable.
    Int,
}

/// Reasons to do something else than fetch the next opcode.
const HALT: u8 = 1;
const NMI: u8 = 2;
const INT: u8 = 4;
/// A prefix has been fetched already.
const DD: u8 = 8;
const FD: u8 = 16;
/// No INT before the next instruction.
const SHIELD: u8 = 32;
/// LD A,I or LD A,R was the last instruction.
const TOLD: u8 = 64;

/// A Z80 (NMOS).
#[derive(Clone)]
pub struct Cpu {
    registers: [u8; reg::COUNT],
    pc: u16,
    /// Q for the next instruction.
    q: u8,
    /// M1 cycles, of which the low seven bits are R's.
    fetches: u8,
    /// Bit 7 of R.
    refresh_high: u8,
    /// DD CB d: the displacement.
    displacement: u8,
    mode: u8,
    iff: [bool; 2],
    /// Flags below.
    special: u8,
    /// T-states at the beginning of the instruction.
    start: u64,
    pages: &'static Pages,
}

impl Default for Cpu {
    fn default() -> Self {
        Self::new()
    }
}

impl Cpu {
    /// A CPU at power-on: AF and SP $FFFF, the others 0.
    pub fn new() -> Self {
        let mut cpu = Self {
            registers: [0; reg::COUNT],
            pc: 0,
            q: 0,
            fetches: 0,
            refresh_high: 0,
            displacement: 0,
            mode: 0,
            iff: [false; 2],
            special: 0,
            start: 0,
            pages: pages(),
        };
        cpu.set_pair(reg::AF, 0xffff);
        cpu.set_pair(reg::SP, 0xffff);
        cpu
    }

    /// What the RESET line does: PC, I, R 0, interrupts off, mode 0.
    pub fn reset(&mut self) {
        self.pc = 0;
        self.set(reg::I, 0);
        self.set_refresh(0);
        self.mode = 0;
        self.iff = [false; 2];
        self.special = 0;
    }

    /// A byte register by its number in [`reg`].
    #[inline(always)]
    pub fn get(&self, register: u8) -> u8 {
        self.registers[usize::from(register) % reg::COUNT]
    }

    /// Sets a byte register.
    #[inline(always)]
    pub fn set(&mut self, register: u8, value: u8) {
        self.registers[usize::from(register) % reg::COUNT] = value;
    }

    /// R.
    #[inline(always)]
    pub fn refresh(&self) -> u8 {
        self.refresh_high | self.fetches & 0x7f
    }

    /// Sets R.
    #[inline(always)]
    pub fn set_refresh(&mut self, value: u8) {
        self.refresh_high = value & 0x80;
        self.fetches = value;
    }

    /// A register pair by the number of its high byte.
    pub fn pair(&self, pair: u8) -> u16 {
        u16::from_be_bytes([self.get(pair), self.get(pair ^ 1)])
    }

    /// Sets a register pair.
    pub fn set_pair(&mut self, pair: u8, value: u16) {
        let [high, low] = value.to_be_bytes();
        self.set(pair, high);
        self.set(pair ^ 1, low);
    }

    /// The program counter.
    #[inline(always)]
    pub fn pc(&self) -> u16 {
        self.pc
    }

    /// Goes to an address; a halted CPU runs again.
    pub fn set_pc(&mut self, pc: u16) {
        self.pc = pc;
        self.special &= !(HALT | DD | FD);
    }

    /// T-states since power-on.
    #[inline(always)]
    pub fn now(&self) -> u64 {
        self.start
    }

    /// Sets the T-states since power-on.
    pub fn set_now(&mut self, now: u64) {
        self.start = now;
    }

    /// Whether it waits for an interrupt.
    pub fn halted(&self) -> bool {
        self.special & HALT != 0
    }

    /// Interrupt flip-flops 1 and 2.
    pub fn iff(&self) -> [bool; 2] {
        self.iff
    }

    /// Sets the interrupt flip-flops.
    pub fn set_iff(&mut self, iff: [bool; 2]) {
        self.iff = iff;
    }

    /// Interrupt mode, 0 to 2.
    pub fn interrupt_mode(&self) -> u8 {
        self.mode
    }

    /// Sets the interrupt mode.
    pub fn set_interrupt_mode(&mut self, mode: u8) {
        self.mode = mode.min(2);
    }

    /// Q: the flags if the last instruction changed them, else 0.
    pub fn q(&self) -> u8 {
        self.q
    }

    /// Sets Q.
    pub fn set_q(&mut self, q: u8) {
        self.q = q;
    }

    /// Whether an interrupt is taken by the next [`step`](Self::step).
    pub fn pending(&self) -> Option<Interrupt> {
        match self.special {
            s if s & (DD | FD | SHIELD) != 0 && s & NMI == 0 => None,
            s if s & NMI != 0 => Some(Interrupt::Nmi),
            s if s & INT != 0 => Some(Interrupt::Int),
            _ => None,
        }
    }

    /// Runs whole instructions until the clock is at `until` or later. A halted
    /// CPU goes on in steps of 4 T-states.
    #[inline(never)]
    pub fn run<B: Bus>(&mut self, bus: &mut B, until: u64) {
        while self.start < until {
            self.step_inline(bus, until);
        }
    }

    /// Runs instructions as long as the bus wants more, asked before each.
    pub fn run_while<B: Bus>(&mut self, bus: &mut B, mut more: impl FnMut(&B) -> bool) {
        while more(bus) {
            self.step_inline(bus, 0);
        }
    }

    /// Runs one instruction, 4 T-states of a halt, or takes an interrupt. Of a
    /// chain of index prefixes each but the last is a step of its own.
    pub fn step<B: Bus>(&mut self, bus: &mut B) {
        self.run(bus, self.start + 1);
    }

    /// A step; one that is halted goes on up to `until`.
    #[inline(always)]
    fn step_inline<B: Bus>(&mut self, bus: &mut B, until: u64) {
        let found = if self.special == 0 {
            let mut run = Run::new(self, bus, 0);
            let op = run.fetch();
            let ins = &run.cpu.pages.base[usize::from(op)];
            let ins = if ins.op == Op::Prefix {
                run.prefixed(op)
            } else {
                Some(ins)
            };
            run.end(ins)
        } else {
            self.otherwise(bus, until)
        };
        let refresh = self.fetches.wrapping_sub(1) & 0x7f;
        if let Some((ins, offset)) = found {
            self.execute(bus, ins, offset);
        }
        self.poll(bus, refresh);
    }

    /// A step that does not begin with an opcode fetch as usual. The instruction
    /// to execute, if any, and the T-states that have passed.
    #[inline(never)]
    fn otherwise<B: Bus>(&mut self, bus: &mut B, until: u64) -> Option<(&'static Ins, u32)> {
        let mut special = self.special;
        if special & (DD | FD) != 0 {
            self.special &= !(DD | FD);
            let mut run = Run::new(self, bus, 4);
            let ins = run.prefixed(if special & DD != 0 { 0xdd } else { 0xfd });
            return run.end(ins);
        }
        if special & (NMI | INT | HALT) == 0 {
            // Only the shield was up, or P told.
            self.special = 0;
            let mut run = Run::new(self, bus, 0);
            let op = run.fetch();
            let ins = run.instruction(op);
            return run.end(ins);
        }
        self.q = 0;
        if special & (NMI | INT) == 0 {
            self.halt(bus, until);
            if self.start >= until {
                return None;
            }
            special = self.special;
        }
        let mut run = Run::new(self, bus, 0);
        let refresh = run.refresh_address();
        let mut clock = run.clock();
        run.cpu.special = 0;
        run.cpu.iff[0] = false;
        if special & NMI != 0 {
            run.bus
                .ignored(run.pc, refresh, special & HALT != 0, &mut clock);
            run.cpu.start = clock.start;
            run.idle(5);
            run.interrupt(0x0066);
            return None;
        }
        run.cpu.iff[1] = false;
        if special & TOLD != 0 {
            let f = run.cpu.get(reg::F);
            run.cpu.set(reg::F, f & !semantics::PARITY);
        }
        let byte = run.bus.acknowledge(&mut clock);
        run.cpu.start = clock.start;
        match run.cpu.mode {
            0 => {
                // Two wait states, then as if it had been fetched.
                run.cpu.start += 2;
                run.idle(4);
                let ins = run.instruction(byte);
                return run.end(ins);
            }
            1 => {
                run.idle(7);
                run.interrupt(0x0038);
            }
            _ => {
                run.idle(7);
                let at = u16::from_be_bytes([run.cpu.get(reg::I), byte]);
                let pc = run.pc;
                semantics::push(&mut run, pc);
                let low = run.read(at);
                let high = run.read(at.wrapping_add(1));
                run.arrive(u16::from_be_bytes([high, low]));
            }
        }
        None
    }

    /// Cycles of a halted CPU, until the clock is at `until` or an interrupt is
    /// taken; after the last up to `until` the lines are still to be looked at.
    fn halt<B: Bus>(&mut self, bus: &mut B, until: u64) {
        loop {
            let mut run = Run::new(self, bus, 0);
            let refresh = run.refresh_address();
            let mut clock = run.clock();
            run.bus.ignored(run.pc, refresh, true, &mut clock);
            self.start = clock.start + 4;
            if self.start >= until {
                return;
            }
            self.poll(bus, refresh as u8 & 0x7f);
            if self.special & (NMI | INT) != 0 {
                return;
            }
        }
    }

    /// Does an operation and counts its time.
    #[inline(always)]
    fn execute<B: Bus>(&mut self, bus: &mut B, ins: &Ins, offset: u32) {
        let mut run = Run::new(self, bus, offset);
        run.cpu.q = 0;
        let long = semantics::exec(&mut run, ins);
        let states = if long { ins.long } else { ins.short };
        // The machine cycles add up to the time in the table.
        debug_assert_eq!(run.offset, u32::from(states), "{ins:?}");
        let pc = run.pc;
        self.pc = pc;
        self.start += u64::from(states);
    }

    /// Looks at the interrupt lines. `refresh` is that of the last M1 cycle.
    #[inline(always)]
    fn poll<B: Bus>(&mut self, bus: &mut B, refresh: u8) {
        let mut clock = Clock {
            start: self.start,
            offset: 0,
        };
        if bus.nmi(&mut clock) {
            self.special |= NMI;
        }
        if self.iff[0] && self.special & SHIELD == 0 && bus.int(refresh, &mut clock) {
            self.special |= INT;
        }
        self.start = clock.start;
    }
}

/// A CPU at work on a bus. What changes often is kept here while it works.
struct Run<'a, B> {
    cpu: &'a mut Cpu,
    bus: &'a mut B,
    pc: u16,
    /// Q as the instruction before left it.
    q: u8,
    /// T-states since the beginning of the instruction.
    offset: u32,
}

impl<'a, B: Bus> Run<'a, B> {
    #[inline(always)]
    fn new(cpu: &'a mut Cpu, bus: &'a mut B, offset: u32) -> Self {
        Self {
            pc: cpu.pc,
            q: cpu.q,
            cpu,
            bus,
            offset,
        }
    }

    /// Puts the program counter back into the CPU.
    #[inline(always)]
    fn end(self, ins: Option<&'static Ins>) -> Option<(&'static Ins, u32)> {
        self.cpu.pc = self.pc;
        ins.map(|ins| (ins, self.offset))
    }

    #[inline(always)]
    fn clock(&self) -> Clock {
        Clock {
            start: self.cpu.start,
            offset: self.offset,
        }
    }

    /// The refresh address of this M1 cycle; counts R up.
    #[inline(always)]
    fn refresh_address(&mut self) -> u16 {
        let r = self.cpu.refresh();
        self.cpu.fetches = self.cpu.fetches.wrapping_add(1);
        u16::from_be_bytes([self.cpu.get(reg::I), r])
    }

    /// An M1 cycle.
    #[inline(always)]
    fn fetch(&mut self) -> u8 {
        let refresh = self.refresh_address();
        let mut clock = self.clock();
        let op = self.bus.fetch(self.pc, refresh, &mut clock);
        self.cpu.start = clock.start;
        self.pc = self.pc.wrapping_add(1);
        self.offset += 4;
        op
    }

    /// The instruction that begins with a byte.
    fn instruction(&mut self, op: u8) -> Option<&'static Ins> {
        let ins = &self.cpu.pages.base[usize::from(op)];
        if ins.op == Op::Prefix {
            self.prefixed(op)
        } else {
            Some(ins)
        }
    }

    /// The instruction behind a prefix byte; `None` where that is another prefix.
    #[inline(always)]
    fn prefixed(&mut self, prefix: u8) -> Option<&'static Ins> {
        let pages = self.cpu.pages;
        let op = self.fetch();
        match prefix {
            0xcb => return Some(&pages.bits[usize::from(op)]),
            0xed => return Some(&pages.extended[usize::from(op)]),
            _ => {}
        }
        let iy = usize::from(prefix == 0xfd);
        match op {
            0xcb => {
                self.cpu.displacement = self.immediate();
                let op = self.immediate();
                Some(&pages.index_bits[iy][usize::from(op)])
            }
            0xdd | 0xfd => {
                self.cpu.special |= if op == 0xdd { DD } else { FD };
                self.cpu.start += 4;
                None
            }
            0xed => {
                self.cpu.start += 4;
                self.offset -= 4;
                let op = self.fetch();
                Some(&pages.extended[usize::from(op)])
            }
            _ => Some(&pages.index[iy][usize::from(op)]),
        }
    }

    /// Calls an interrupt routine.
    fn interrupt(&mut self, at: u16) {
        let pc = self.pc;
        semantics::push(self, pc);
        self.arrive(at);
    }

    /// Goes to an interrupt routine and counts the time.
    fn arrive(&mut self, at: u16) {
        self.cpu.pc = at;
        self.cpu.set_pair(reg::WZ, at);
        self.cpu.start += u64::from(self.offset);
    }
}

impl<B: Bus> Context for Run<'_, B> {
    type Domain = Concrete;

    #[inline(always)]
    fn domain(&self) -> Concrete {
        Concrete
    }

    #[inline(always)]
    fn read(&mut self, address: u16) -> u8 {
        let mut clock = self.clock();
        let value = self.bus.read(address, &mut clock);
        self.cpu.start = clock.start;
        self.offset += 3;
        value
    }

    #[inline(always)]
    fn write(&mut self, address: u16, value: u8) {
        let mut clock = self.clock();
        self.bus.write(address, value, &mut clock);
        self.cpu.start = clock.start;
        self.offset += 3;
    }

    #[inline(always)]
    fn input(&mut self, port: u16) -> u8 {
        let mut clock = self.clock();
        let value = self.bus.input(port, &mut clock);
        self.cpu.start = clock.start;
        self.offset += 4;
        value
    }

    #[inline(always)]
    fn output(&mut self, port: u16, value: u8) {
        let mut clock = self.clock();
        self.bus.output(port, value, &mut clock);
        self.cpu.start = clock.start;
        self.offset += 4;
    }

    #[inline(always)]
    fn when(&mut self, condition: bool, work: impl FnOnce(&mut Self)) {
        if condition {
            work(self);
        }
    }

    #[inline(always)]
    fn idle(&mut self, cycles: u8) {
        self.offset += u32::from(cycles);
    }
}

impl<B: Bus> State for Run<'_, B> {
    #[inline(always)]
    fn get(&self, register: u8) -> u8 {
        self.cpu.get(register)
    }

    #[inline(always)]
    fn set(&mut self, register: u8, value: u8) {
        self.cpu.set(register, value);
    }

    #[inline(always)]
    fn pc(&self) -> u16 {
        self.pc
    }

    #[inline(always)]
    fn set_pc(&mut self, value: u16) {
        self.pc = value;
    }

    // Chosen, not branched to: programs' conditions are hard to guess.
    #[inline(always)]
    fn jump_if(&mut self, condition: bool, to: u16) {
        self.pc = if condition { to } else { self.pc };
    }

    #[inline(always)]
    fn immediate(&mut self) -> u8 {
        let value = self.read(self.pc);
        self.pc = self.pc.wrapping_add(1);
        value
    }

    #[inline(always)]
    fn displacement(&mut self, form: &Ins) -> u8 {
        match form.mode {
            Mode::Before => self.cpu.displacement,
            _ => self.immediate(),
        }
    }

    #[inline(always)]
    fn q(&self) -> u8 {
        self.q
    }

    #[inline(always)]
    fn set_q(&mut self, value: u8) {
        self.cpu.q = value;
    }

    #[inline(always)]
    fn refresh(&self) -> u8 {
        self.cpu.refresh()
    }

    #[inline(always)]
    fn set_refresh(&mut self, value: u8) {
        self.cpu.set_refresh(value);
    }

    #[inline(always)]
    fn iff(&self, which: u8) -> bool {
        self.cpu.iff[usize::from(which == 2)]
    }

    #[inline(always)]
    fn set_iff(&mut self, which: u8, value: bool) {
        self.cpu.iff[usize::from(which == 2)] = value;
    }

    #[inline(always)]
    fn set_mode(&mut self, mode: u8) {
        self.cpu.mode = mode;
    }

    #[inline(always)]
    fn shield(&mut self) {
        self.cpu.special |= SHIELD;
    }

    #[inline(always)]
    fn halt(&mut self) {
        self.cpu.special |= HALT;
    }

    #[inline(always)]
    fn stack_moved(&mut self) {
        self.bus.stack(self.cpu.pair(reg::SP));
    }

    #[inline(always)]
    fn told_interrupts(&mut self) {
        self.cpu.special |= TOLD;
    }
}
