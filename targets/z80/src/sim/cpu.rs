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

/// A Z80 (NMOS).
#[derive(Clone)]
pub struct Cpu {
    registers: [u8; reg::COUNT],
    pc: u16,
    /// Q for this instruction and for the next.
    q: u8,
    next_q: u8,
    /// DD CB d: the displacement.
    displacement: u8,
    mode: u8,
    iff: [bool; 2],
    /// Flags below.
    special: u8,
    shielded: bool,
    clock: Clock,
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
            next_q: 0,
            displacement: 0,
            mode: 0,
            iff: [false; 2],
            special: 0,
            shielded: false,
            clock: Clock::default(),
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
        self.set(reg::R, 0);
        self.mode = 0;
        self.iff = [false; 2];
        self.special = 0;
        self.shielded = false;
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
        self.clock.start
    }

    /// Sets the T-states since power-on.
    pub fn set_now(&mut self, now: u64) {
        self.clock.start = now;
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
        self.next_q
    }

    /// Sets Q.
    pub fn set_q(&mut self, q: u8) {
        self.next_q = q;
    }

    /// Whether an interrupt is taken by the next [`step`](Self::step).
    pub fn pending(&self) -> Option<Interrupt> {
        match self.special {
            s if s & (DD | FD) != 0 => None,
            s if s & NMI != 0 => Some(Interrupt::Nmi),
            s if s & INT != 0 => Some(Interrupt::Int),
            _ => None,
        }
    }

    /// Runs whole instructions until the clock is at `until` or later. A halted
    /// CPU goes on in steps of 4 T-states.
    pub fn run<B: Bus>(&mut self, bus: &mut B, until: u64) {
        while self.clock.start < until {
            self.step_inline(bus);
        }
    }

    /// Runs one instruction, 4 T-states of a halt, or takes an interrupt. Of a
    /// chain of index prefixes each but the last is a step of its own.
    pub fn step<B: Bus>(&mut self, bus: &mut B) {
        self.step_inline(bus);
    }

    #[inline(always)]
    fn step_inline<B: Bus>(&mut self, bus: &mut B) {
        let ins = if self.special == 0 {
            let op = self.fetch(bus);
            let ins = &self.pages.base[usize::from(op)];
            if ins.op == Op::Prefix {
                self.prefixed(bus, op)
            } else {
                Some(ins)
            }
        } else {
            self.otherwise(bus)
        };
        if let Some(ins) = ins {
            self.execute(bus, ins);
        }
        self.poll(bus);
    }

    /// A step that does not begin with an opcode fetch; the instruction to
    /// execute, if any.
    #[inline(never)]
    fn otherwise<B: Bus>(&mut self, bus: &mut B) -> Option<&'static Ins> {
        let special = self.special;
        if special & (DD | FD) != 0 {
            self.special &= !(DD | FD);
            self.clock.offset = 4;
            return self.prefixed(bus, if special & DD != 0 { 0xdd } else { 0xfd });
        }
        if special & (NMI | INT) == 0 {
            let refresh = self.refresh();
            bus.ignored(self.pc, refresh, true, &mut self.clock);
            self.clock.start += 4;
            self.next_q = 0;
            return None;
        }
        self.special = 0;
        self.next_q = 0;
        let refresh = self.refresh();
        self.iff[0] = false;
        if special & NMI != 0 {
            let halted = special & HALT != 0;
            bus.ignored(self.pc, refresh, halted, &mut self.clock);
            self.clock.offset = 5;
            self.interrupt(bus, 0x0066);
            return None;
        }
        self.iff[1] = false;
        let byte = bus.acknowledge(&mut self.clock);
        match self.mode {
            0 => {
                self.clock.start += 2;
                self.clock.offset = 4;
                let ins = &self.pages.base[usize::from(byte)];
                return if ins.op == Op::Prefix {
                    self.prefixed(bus, byte)
                } else {
                    Some(ins)
                };
            }
            1 => {
                self.clock.offset = 7;
                self.interrupt(bus, 0x0038);
            }
            _ => {
                self.clock.offset = 7;
                let at = u16::from_be_bytes([self.get(reg::I), byte]);
                let pc = self.pc;
                let mut run = Run { cpu: self, bus };
                semantics::push(&mut run, pc);
                let low = run.read(at);
                let high = run.read(at.wrapping_add(1));
                self.pc = u16::from_be_bytes([high, low]);
                self.set_pair(reg::WZ, self.pc);
                self.finish();
            }
        }
        None
    }

    /// Calls an interrupt routine.
    fn interrupt<B: Bus>(&mut self, bus: &mut B, at: u16) {
        let pc = self.pc;
        let mut run = Run { cpu: self, bus };
        semantics::push(&mut run, pc);
        self.pc = at;
        self.set_pair(reg::WZ, at);
        self.finish();
    }

    /// Counts the time of the machine cycles so far.
    #[inline(always)]
    fn finish(&mut self) {
        self.clock.start += u64::from(self.clock.offset);
        self.clock.offset = 0;
    }

    /// The refresh address of this M1 cycle; counts R up.
    #[inline(always)]
    fn refresh(&mut self) -> u16 {
        let r = self.get(reg::R);
        self.set(reg::R, r & 0x80 | r.wrapping_add(1) & 0x7f);
        u16::from_be_bytes([self.get(reg::I), r])
    }

    /// An M1 cycle.
    #[inline(always)]
    fn fetch<B: Bus>(&mut self, bus: &mut B) -> u8 {
        let refresh = self.refresh();
        let op = bus.fetch(self.pc, refresh, &mut self.clock);
        self.pc = self.pc.wrapping_add(1);
        self.clock.offset += 4;
        op
    }

    /// The instruction behind a prefix byte; `None` where that is another prefix.
    #[inline(always)]
    fn prefixed<B: Bus>(&mut self, bus: &mut B, prefix: u8) -> Option<&'static Ins> {
        let pages = self.pages;
        let op = self.fetch(bus);
        match prefix {
            0xcb => return Some(&pages.bits[usize::from(op)]),
            0xed => return Some(&pages.extended[usize::from(op)]),
            _ => {}
        }
        let iy = usize::from(prefix == 0xfd);
        match op {
            0xcb => {
                let mut run = Run { cpu: self, bus };
                let displacement = run.immediate();
                let op = run.immediate();
                self.displacement = displacement;
                Some(&pages.index_bits[iy][usize::from(op)])
            }
            0xdd | 0xfd => {
                self.special |= if op == 0xdd { DD } else { FD };
                self.clock.start += 4;
                self.clock.offset = 0;
                self.shielded = true;
                None
            }
            0xed => {
                self.clock.start += 4;
                self.clock.offset -= 4;
                let op = self.fetch(bus);
                Some(&pages.extended[usize::from(op)])
            }
            _ => Some(&pages.index[iy][usize::from(op)]),
        }
    }

    /// Does an operation and counts its time.
    #[inline(always)]
    fn execute<B: Bus>(&mut self, bus: &mut B, ins: &Ins) {
        self.q = self.next_q;
        self.next_q = 0;
        let long = semantics::exec(&mut Run { cpu: self, bus }, ins);
        let states = if long { ins.long } else { ins.short };
        // The machine cycles add up to the time in the table.
        debug_assert_eq!(self.clock.offset, u32::from(states), "{ins:?}");
        self.clock.start += u64::from(states);
        self.clock.offset = 0;
    }

    /// Looks at the interrupt lines.
    #[inline(always)]
    fn poll<B: Bus>(&mut self, bus: &mut B) {
        if bus.nmi(&mut self.clock) {
            self.special |= NMI;
        }
        if bus.int(&mut self.clock) && self.iff[0] && !self.shielded {
            self.special |= INT;
        }
        self.shielded = false;
    }
}

/// A CPU at work on a bus.
struct Run<'a, B> {
    cpu: &'a mut Cpu,
    bus: &'a mut B,
}

impl<B: Bus> Context for Run<'_, B> {
    type Domain = Concrete;

    #[inline(always)]
    fn domain(&self) -> Concrete {
        Concrete
    }

    #[inline(always)]
    fn read(&mut self, address: u16) -> u8 {
        let value = self.bus.read(address, &mut self.cpu.clock);
        self.cpu.clock.offset += 3;
        value
    }

    #[inline(always)]
    fn write(&mut self, address: u16, value: u8) {
        self.bus.write(address, value, &mut self.cpu.clock);
        self.cpu.clock.offset += 3;
    }

    #[inline(always)]
    fn input(&mut self, port: u16) -> u8 {
        let value = self.bus.input(port, &mut self.cpu.clock);
        self.cpu.clock.offset += 4;
        value
    }

    #[inline(always)]
    fn output(&mut self, port: u16, value: u8) {
        self.bus.output(port, value, &mut self.cpu.clock);
        self.cpu.clock.offset += 4;
    }

    #[inline(always)]
    fn when(&mut self, condition: bool, work: impl FnOnce(&mut Self)) {
        if condition {
            work(self);
        }
    }

    #[inline(always)]
    fn idle(&mut self, cycles: u8) {
        self.cpu.clock.offset += u32::from(cycles);
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
        self.cpu.pc
    }

    #[inline(always)]
    fn set_pc(&mut self, value: u16) {
        self.cpu.pc = value;
    }

    #[inline(always)]
    fn immediate(&mut self) -> u8 {
        let value = self.read(self.cpu.pc);
        self.cpu.pc = self.cpu.pc.wrapping_add(1);
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
        self.cpu.q
    }

    #[inline(always)]
    fn set_q(&mut self, value: u8) {
        self.cpu.next_q = value;
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
        self.cpu.shielded = true;
    }

    #[inline(always)]
    fn halt(&mut self) {
        self.cpu.special |= HALT;
    }
}
