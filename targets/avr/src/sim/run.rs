//! The CPU at work: [`exec`](crate::semantics::exec) on its registers and memories.
//!
//! This is the hot path. What an instruction does often is inlined, with program
//! counter and clock in registers of the host; accesses that are not to SRAM leave
//! it. The flags are kept in [`Lanes`], with hooks of their own in place of those of
//! the semantics; a test compares the two.

use scrimp_isa::{Concrete, Context};

use super::chip::Own;
use super::cpu::{Cpu, Lanes};
use super::io::{Clock, Io};
use crate::Core;
use crate::semantics::{Ins, State, flags};

/// A CPU with its surroundings while it runs. Program counter and clock are here as
/// long as it does.
pub(super) struct Run<'a, 'c, I, const N: usize> {
    pub cpu: &'a mut Cpu,
    io: &'a mut I,
    pub pc: u32,
    pub cycle: u64,
    lanes: Lanes,
    /// The instruction that is done.
    pub ins: &'c Ins,
    /// Flash.
    pub code: &'c [Ins; N],
}

impl<'a, 'c, I: Io, const N: usize> Run<'a, 'c, I, N> {
    #[inline(always)]
    pub fn new(cpu: &'a mut Cpu, io: &'a mut I, code: &'c [Ins; N]) -> Self {
        Self {
            pc: cpu.pc,
            cycle: cpu.cycle,
            lanes: cpu.lanes,
            cpu,
            io,
            ins: &code[0],
            code,
        }
    }

    /// Puts program counter, clock and flags back.
    #[inline(always)]
    pub fn end(self) {
        self.cpu.pc = self.pc;
        self.cpu.cycle = self.cycle;
        self.cpu.lanes = self.lanes;
    }

    /// Runs one instruction, and more until the limit.
    #[inline(never)]
    pub fn run(cpu: &'a mut Cpu, io: &'a mut I, code: &'c [Ins; N]) {
        // Made here and not taken, so that it lies in registers.
        let mut run = Self::new(cpu, io, code);
        loop {
            // The number of entries is a power of two: no check that it is within.
            let ins = &code[run.pc as usize % N];
            run.ins = ins;
            run.pc += 1;
            let long = run.one_or_row(ins);
            // A load that takes a clock less may be the first of all instructions.
            let clocks = if long { run.ins.long } else { run.ins.short };
            run.cycle = run.cycle.wrapping_add(u64::from(clocks));
            if run.cycle >= run.cpu.limit {
                break;
            }
        }
        run.end();
    }

    /// SREG.
    #[inline(always)]
    fn sreg(&self) -> u8 {
        self.lanes.sreg() | u8::from(self.cpu.t) << flags::T | u8::from(self.cpu.i) << flags::I
    }

    /// Sets SREG.
    #[inline(always)]
    fn set_sreg(&mut self, value: u8) {
        self.lanes = Lanes::of(value);
        self.cpu.t = value >> flags::T & 1 == 1;
        self.set_flag(flags::I, value >> flags::I & 1 == 1);
    }

    /// Whether an address is that of SREG.
    #[inline(always)]
    fn is_sreg(&self, address: u16) -> bool {
        address == self.cpu.stack_register + 2
    }

    /// The clock of the access that the instruction makes.
    #[inline(always)]
    fn at(&self) -> u64 {
        let clocks = u64::from(self.ins.short.saturating_sub(1));
        self.cycle.wrapping_add(clocks)
    }
}

/// Reads what is not SRAM. The number is of clocks more than usual, maybe negative.
#[inline(never)]
fn read_other<I: Io>(cpu: &mut Cpu, io: &mut I, address: u16, at: u64) -> (u8, i64) {
    let chip = &cpu.chip;
    if chip.core.maps_registers() && address < 0x20 {
        return (cpu.registers[usize::from(address)], 0);
    }
    if let Some(base) = chip.mapped_flash
        && address >= base
    {
        let byte = cpu.flash.get(usize::from(address - base));
        let more = i64::from(chip.core == Core::AvrRc);
        return (byte.copied().unwrap_or(0xff), more);
    }
    let less = if chip.core == Core::AvrXm { -1 } else { 0 };
    let (value, waits) = read_register(cpu, io, address, at);
    (value, less + waits)
}

/// Reads an I/O register.
#[inline(never)]
fn read_register<I: Io>(cpu: &mut Cpu, io: &mut I, address: u16, at: u64) -> (u8, i64) {
    let value = match cpu.chip.own(address) {
        Some(Own::StackLow) => cpu.sp as u8,
        Some(Own::StackHigh) => (cpu.sp >> 8) as u8,
        Some(Own::Sreg) => cpu.sreg(),
        Some(Own::Rampz) => cpu.ramp,
        Some(Own::Eind) => cpu.eind,
        None => {
            let mut clock = Clock::at(at);
            let value = io.read(address, &mut clock);
            cpu.limit = cpu.limit.min(io.next_event());
            return (value, i64::from(clock.waits));
        }
    };
    (value, 0)
}

/// Writes what is not SRAM; the number is of clocks more than usual.
#[inline(never)]
fn write_other<I: Io>(cpu: &mut Cpu, io: &mut I, address: u16, value: u8, at: u64) -> u64 {
    if cpu.chip.core.maps_registers() && address < 0x20 {
        cpu.registers[usize::from(address)] = value;
        return 0;
    }
    write_register(cpu, io, address, value, at)
}

/// Writes an I/O register.
#[inline(never)]
fn write_register<I: Io>(cpu: &mut Cpu, io: &mut I, address: u16, value: u8, at: u64) -> u64 {
    match cpu.chip.own(address) {
        Some(Own::StackLow) => cpu.sp = cpu.sp & 0xff00 | u16::from(value),
        Some(Own::StackHigh) => cpu.sp = cpu.sp & 0x00ff | u16::from(value) << 8,
        Some(Own::Sreg) => cpu.set_sreg(value),
        Some(Own::Rampz) => cpu.ramp = value,
        Some(Own::Eind) => cpu.eind = value,
        None => {
            let mut clock = Clock::at(at);
            io.write(address, value, &mut clock);
            look_again(cpu, io);
            return u64::from(clock.waits);
        }
    }
    0
}

/// SBI and CBI.
#[inline(never)]
fn write_bit<I: Io>(cpu: &mut Cpu, io: &mut I, address: u16, bit: (u8, bool), at: u64) -> u64 {
    let mut clock = Clock::at(at);
    io.set_bit(address, bit.0, bit.1, &mut clock);
    look_again(cpu, io);
    u64::from(clock.waits)
}

/// After a write: an interrupt may be due, or an event earlier than before.
#[inline(always)]
fn look_again<I: Io>(cpu: &mut Cpu, io: &I) {
    cpu.limit = cpu.limit.min(io.next_event());
    if cpu.i && io.interrupt().is_some() {
        cpu.limit = 0;
    }
}

/// SPM.
#[inline(never)]
fn store_program<I: Io>(cpu: &mut Cpu, io: &mut I, at: u64) -> u64 {
    let pair = |low: usize| u16::from_le_bytes([cpu.registers[low], cpu.registers[low + 1]]);
    let z = u32::from(cpu.ramp) << 16 | u32::from(pair(30));
    let value = pair(0);
    let mut clock = Clock::at(at);
    let before = cpu.flash.clone();
    io.store_program(z, value, &mut cpu.flash, &mut clock);
    cpu.flash.resize(before.len(), 0xff);
    if before != cpu.flash {
        cpu.decode_changed(&before);
        // The run goes on with the new code.
        cpu.limit = 0;
    }
    look_again(cpu, io);
    u64::from(clock.waits)
}

/// A word that is no instruction; the end of flash; a breakpoint. Gives the program
/// counter and whether it takes time.
#[inline(never)]
fn undefined(cpu: &mut Cpu, next: u32) -> u32 {
    let at = next - 1;
    if at >= cpu.words {
        return at - cpu.words;
    }
    if cpu.breaks_at(at) {
        cpu.stop = true;
        cpu.limit = 0;
        return at;
    }
    if cpu.undefined.count == 0 {
        cpu.undefined.first = at * 2;
    }
    cpu.undefined.count += 1;
    next
}

impl<I: Io, const N: usize> Context for Run<'_, '_, I, N> {
    type Domain = Concrete;

    #[inline(always)]
    fn domain(&self) -> Concrete {
        Concrete
    }

    #[inline(always)]
    fn read(&mut self, address: u16) -> u8 {
        if self.cpu.in_sram(address) {
            if I::WATCHES {
                self.io.reads(address);
            }
            return self.cpu.data[usize::from(address)];
        }
        if self.is_sreg(address) {
            // As from any I/O register.
            let less = u64::from(self.cpu.chip.core == Core::AvrXm);
            self.cycle = self.cycle.wrapping_sub(less);
            return self.sreg();
        }
        let (value, more) = read_other(self.cpu, self.io, address, self.at());
        self.cycle = self.cycle.wrapping_add_signed(more);
        value
    }

    #[inline(always)]
    fn write(&mut self, address: u16, value: u8) {
        if self.cpu.in_sram(address) {
            if I::WATCHES {
                self.io.writes(address);
            }
            self.cpu.data[usize::from(address)] = value;
        } else if self.is_sreg(address) {
            self.set_sreg(value);
        } else {
            self.cycle += write_other(self.cpu, self.io, address, value, self.at());
        }
    }

    #[inline(always)]
    fn input(&mut self, port: u16) -> u8 {
        if self.is_sreg(port) {
            return self.sreg();
        }
        let (value, more) = read_register(self.cpu, self.io, port, self.at());
        self.cycle = self.cycle.wrapping_add_signed(more);
        value
    }

    #[inline(always)]
    fn output(&mut self, port: u16, value: u8) {
        if self.is_sreg(port) {
            self.set_sreg(value);
        } else {
            self.cycle += write_register(self.cpu, self.io, port, value, self.at());
        }
    }

    #[inline(always)]
    fn when(&mut self, condition: bool, work: impl FnOnce(&mut Self)) {
        if condition {
            work(self);
        }
    }
}

/// The flags by their lanes.
impl Lanes {
    #[inline(always)]
    fn result(&mut self, v: u8, over: u8) {
        self.negative = v;
        self.over = over;
        self.sign = v ^ over;
        self.zero = v;
    }
}

impl<I: Io, const N: usize> State for Run<'_, '_, I, N> {
    #[inline(always)]
    fn get(&self, register: u8) -> u8 {
        self.cpu.registers[usize::from(register)]
    }

    #[inline(always)]
    fn set(&mut self, register: u8, value: u8) {
        self.cpu.registers[usize::from(register)] = value;
    }

    #[inline(always)]
    fn flag(&self, flag: u8) -> bool {
        let l = &self.lanes;
        match flag {
            flags::C => l.carry & 0x80 != 0,
            flags::Z => l.zero == 0,
            flags::N => l.negative & 0x80 != 0,
            flags::V => l.over & 0x80 != 0,
            flags::S => l.sign & 0x80 != 0,
            flags::H => l.carry & 0x08 != 0,
            flags::T => self.cpu.t,
            _ => self.cpu.i,
        }
    }

    #[inline(always)]
    fn set_flag(&mut self, flag: u8, value: bool) {
        let l = &mut self.lanes;
        let top = u8::from(value) << 7;
        match flag {
            flags::C => l.carry = l.carry & 0x7f | top,
            flags::Z => l.zero = u8::from(!value),
            flags::N => l.negative = top,
            flags::V => l.over = top,
            flags::S => l.sign = top,
            flags::H => l.carry = l.carry & 0xf7 | top >> 4,
            flags::T => self.cpu.t = value,
            _ => {
                if value && !self.cpu.i {
                    self.cpu.shield = true;
                    self.cpu.limit = 0;
                }
                self.cpu.i = value;
            }
        }
    }

    #[inline(always)]
    fn stack(&self) -> u16 {
        self.cpu.sp
    }

    #[inline(always)]
    fn set_stack(&mut self, value: u16) {
        self.cpu.sp = value;
    }

    #[inline(always)]
    fn pushed(&mut self) {
        if self.cpu.sp < self.cpu.lowest {
            self.cpu.lowest = self.cpu.sp;
        }
    }

    #[inline(always)]
    fn second_word(&mut self) {
        self.pc += 1;
    }

    #[inline(always)]
    fn constant(&self, i: &Ins) -> u8 {
        i.k as u8
    }

    #[inline(always)]
    fn address(&self, i: &Ins) -> u16 {
        i.k
    }

    #[inline(always)]
    fn displacement(&self, i: &Ins) -> u16 {
        i.k
    }

    #[inline(always)]
    fn wide(&self) -> bool {
        self.cpu.wide
    }

    #[inline(always)]
    fn next(&self) -> (u8, u16) {
        ((self.pc >> 16) as u8, self.pc as u16)
    }

    #[inline(always)]
    fn go(&mut self, top: u8, low: u16) {
        let to = u32::from(top) << 16 | u32::from(low);
        self.pc = if to < self.cpu.words {
            to
        } else {
            to % self.cpu.words
        };
    }

    #[inline(always)]
    fn branch(&mut self, i: &Ins) {
        self.pc = u32::from(i.r) << 16 | u32::from(i.k);
    }

    #[inline(always)]
    fn skip(&mut self, i: &Ins) {
        self.pc += u32::from(i.long - i.short);
    }

    #[inline(always)]
    fn program(&mut self, top: u8, low: u16) -> u8 {
        let at = usize::from(top) << 16 | usize::from(low);
        match self.cpu.flash.get(at) {
            Some(&byte) => byte,
            None => self.cpu.flash[at % self.cpu.flash.len()],
        }
    }

    #[inline(always)]
    fn ramp(&mut self) -> u8 {
        self.cpu.ramp
    }

    #[inline(always)]
    fn set_ramp(&mut self, value: u8) {
        self.cpu.ramp = value;
    }

    #[inline(always)]
    fn eind(&mut self) -> u8 {
        self.cpu.eind
    }

    #[inline(always)]
    fn store_program(&mut self) {
        self.cycle += store_program(self.cpu, self.io, self.at());
    }

    fn des(&mut self, round: u8) {
        super::des::round(&mut self.cpu.registers, round, self.lanes.carry & 8 != 0);
    }

    #[inline(always)]
    fn sleep(&mut self) {
        let now = self.cycle + u64::from(self.ins.short);
        if self.io.sleep(now) {
            self.cpu.asleep = true;
            self.cpu.limit = 0;
        }
    }

    #[inline(always)]
    fn watchdog(&mut self) {
        self.io.watchdog(self.cycle);
        self.cpu.limit = self.cpu.limit.min(self.io.next_event());
    }

    #[inline(always)]
    fn stop(&mut self) {
        if self.cpu.stops_at_break() {
            self.cpu.stop = true;
            self.cpu.limit = 0;
        }
    }

    #[inline(always)]
    fn interrupt_ends(&mut self) {
        if self.cpu.chip.core.reti_sets_i() {
            self.cpu.i = true;
        }
        self.io.returned(self.cycle);
        // One instruction more runs in any case.
        self.cpu.shield = true;
        self.cpu.limit = 0;
    }

    #[inline(always)]
    fn undefined(&mut self, i: &Ins) {
        let next = undefined(self.cpu, self.pc);
        // A breakpoint takes no time.
        if self.cpu.stop {
            self.cycle -= u64::from(i.short);
        }
        self.pc = next;
    }

    #[inline(always)]
    fn set_bit(&mut self, port: u16, bit: u8, on: bool) {
        self.cycle += write_bit(self.cpu, self.io, port, (bit, on), self.at());
    }

    #[inline(always)]
    fn product(&mut self, a: u8, b: u8) -> u16 {
        u16::from(a) * u16::from(b)
    }

    #[inline(always)]
    fn flags_add(&mut self, a: u8, b: u8, sum: u8) {
        let l = &mut self.lanes;
        // A bit overflows where what is carried into it and out of it differ.
        let over = (a ^ sum) & (b ^ sum);
        l.carry = a ^ b ^ sum ^ over;
        l.result(sum, over);
    }

    #[inline(always)]
    fn flags_sub(&mut self, a: u8, b: u8, difference: u8, chain: bool) {
        let l = &mut self.lanes;
        let zero = l.zero;
        let over = (a ^ b) & (a ^ difference);
        l.carry = a ^ b ^ difference ^ over;
        l.result(difference, over);
        if chain {
            l.zero |= zero;
        }
    }

    #[inline(always)]
    fn flags_logic(&mut self, v: u8) {
        self.lanes.result(v, 0);
    }

    #[inline(always)]
    fn flags_count(&mut self, v: u8, edge: u8) {
        self.lanes.result(v, u8::from(v == edge) << 7);
    }

    #[inline(always)]
    fn flags_shift(&mut self, v: u8, out: bool) {
        let l = &mut self.lanes;
        let out = u8::from(out) << 7;
        l.carry = l.carry & 0x7f | out;
        l.result(v, v ^ out);
    }

    #[inline(always)]
    fn flags_word(&mut self, v: u16, overflow: bool, carry: bool) {
        let l = &mut self.lanes;
        l.carry = l.carry & 0x7f | u8::from(carry) << 7;
        l.result((v >> 8) as u8, u8::from(overflow) << 7);
        l.zero |= v as u8;
    }

    #[inline(always)]
    fn flags_product(&mut self, v: u16, carry: bool) {
        let l = &mut self.lanes;
        l.carry = l.carry & 0x7f | u8::from(carry) << 7;
        l.zero = (v >> 8) as u8 | v as u8;
    }
}
