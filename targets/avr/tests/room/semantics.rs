//! The simulator's own ways (flags in lanes, products by the host) against the
//! semantics as written, on every word with random states.

use crate::random::Random;
use scrimp_avr::Core;
use scrimp_avr::features::RC;
use scrimp_avr::op::Op;
use scrimp_avr::semantics::{self, Ins, State};
use scrimp_avr::sim::{Chip, Cpu, Plain, ins};
use scrimp_isa::{Concrete, Context};

/// Where SRAM is: all of data memory that is not registers.
const SRAM: std::ops::Range<u32> = 0x60..0x1_0000;

/// An AVR without any haste, whose memories are those of the fast one and what it has
/// written itself.
struct Slow<'a> {
    registers: [u8; 32],
    flags: [bool; 8],
    sp: u16,
    ramp: u8,
    eind: u8,
    pc: u32,
    cpu: &'a Cpu,
    io: &'a Plain,
    written: Vec<(u16, u8)>,
}

/// What is compared: registers, SREG, SP, RAMPZ, EIND, program counter in words.
type Seen = ([u8; 32], u8, u16, [u8; 2], u32);

fn seen(cpu: &Cpu) -> Seen {
    let registers = std::array::from_fn(|n| cpu.register(n as u8));
    let special = [cpu.rampz(), cpu.eind()];
    (registers, cpu.sreg(), cpu.sp(), special, cpu.pc() / 2)
}

impl<'a> Slow<'a> {
    /// The state of the fast one.
    fn of(cpu: &'a Cpu, io: &'a Plain) -> Self {
        let (registers, sreg, sp, [ramp, eind], pc) = seen(cpu);
        Self {
            registers,
            flags: std::array::from_fn(|bit| sreg >> bit & 1 == 1),
            sp,
            ramp,
            eind,
            pc,
            cpu,
            io,
            written: Vec::new(),
        }
    }

    fn sreg(&self) -> u8 {
        let bits = self.flags.iter().enumerate();
        bits.map(|(n, &f)| u8::from(f) << n).sum()
    }

    fn seen(&self) -> Seen {
        let special = [self.ramp, self.eind];
        (self.registers, self.sreg(), self.sp, special, self.pc)
    }
}

impl Context for Slow<'_> {
    type Domain = Concrete;

    fn domain(&self) -> Concrete {
        Concrete
    }

    fn read(&mut self, address: u16) -> u8 {
        if address < 0x20 {
            return self.registers[usize::from(address)];
        }
        self.input(address)
    }

    fn write(&mut self, address: u16, value: u8) {
        if address < 0x20 {
            self.registers[usize::from(address)] = value;
        } else {
            self.output(address, value);
        }
    }

    fn input(&mut self, port: u16) -> u8 {
        if let Some(&(_, value)) = self.written.iter().rev().find(|w| w.0 == port) {
            return value;
        }
        match port {
            0x5b => self.ramp,
            0x5c => self.eind,
            0x5d => self.sp as u8,
            0x5e => (self.sp >> 8) as u8,
            0x5f => self.sreg(),
            0x60.. => self.cpu.data(port),
            _ => self.io.0[usize::from(port)],
        }
    }

    fn output(&mut self, port: u16, value: u8) {
        match port {
            0x5b => self.ramp = value,
            0x5c => self.eind = value,
            0x5d => self.sp = self.sp & 0xff00 | u16::from(value),
            0x5e => self.sp = self.sp & 0xff | u16::from(value) << 8,
            0x5f => self.flags = std::array::from_fn(|bit| value >> bit & 1 == 1),
            _ => self.written.push((port, value)),
        }
    }

    fn when(&mut self, condition: bool, work: impl FnOnce(&mut Self)) {
        if condition {
            work(self);
        }
    }
}

impl State for Slow<'_> {
    fn get(&self, register: u8) -> u8 {
        self.registers[usize::from(register)]
    }
    fn set(&mut self, register: u8, value: u8) {
        self.registers[usize::from(register)] = value;
    }
    fn flag(&self, flag: u8) -> bool {
        self.flags[usize::from(flag)]
    }
    fn set_flag(&mut self, flag: u8, value: bool) {
        self.flags[usize::from(flag)] = value;
    }
    fn stack(&self) -> u16 {
        self.sp
    }
    fn set_stack(&mut self, value: u16) {
        self.sp = value;
    }
    fn constant(&self, i: &Ins) -> u8 {
        i.k as u8
    }
    fn address(&self, i: &Ins) -> u16 {
        i.k
    }
    fn wide(&self) -> bool {
        true
    }
    fn next(&self) -> (u8, u16) {
        ((self.pc >> 16) as u8, self.pc as u16)
    }
    fn second_word(&mut self) {
        self.pc += 1;
    }
    fn go(&mut self, top: u8, low: u16) {
        self.pc = (u32::from(top) << 16 | u32::from(low)) % self.cpu.chip().words();
    }
    fn branch(&mut self, i: &Ins) {
        self.go(i.r, i.k);
    }
    fn skip(&mut self, i: &Ins) {
        self.pc += u32::from(i.long - i.short);
    }
    fn program(&mut self, top: u8, low: u16) -> u8 {
        let at = usize::from(top) << 16 | usize::from(low);
        self.cpu.flash()[at % self.cpu.flash().len()]
    }
    fn ramp(&mut self) -> u8 {
        self.ramp
    }
    fn set_ramp(&mut self, value: u8) {
        self.ramp = value;
    }
    fn eind(&mut self) -> u8 {
        self.eind
    }
    fn store_program(&mut self) {}
    fn des(&mut self, _: u8) {}
    fn sleep(&mut self) {}
    fn watchdog(&mut self) {}
    fn stop(&mut self) {}
    fn interrupt_ends(&mut self) {
        self.flags[7] = true;
    }
    fn undefined(&mut self, _: &Ins) {}
}

/// A byte that is often one of those on which something turns.
fn edge(number: u64) -> u8 {
    match number % 8 {
        0 => 0,
        1 => 1,
        2 => 0xff,
        3 => 0x80,
        4 => 0x7f,
        _ => (number >> 8) as u8,
    }
}

#[test]
fn the_fast_way_is_as_written() {
    let mut random = Random(5);
    // 22 bits of program counter, flash that is no power of two.
    let chip = Chip::new(Core::AvrEPlus, !RC, 0x2_1000, SRAM);
    let flash: Vec<u8> = (0..0x2_1000).map(|_| random.next() as u8).collect();
    let mut cpu = Cpu::new(chip.clone(), &flash);
    let mut io = Plain::default();
    for at in 0x20..0x1_0000 {
        cpu.set_data(at as u16, random.next() as u8);
        io.0[at] = random.next() as u8;
    }
    let mut tried = 0;
    for first in (0..=0xffffu16).cycle().take(5 * 0x1_0000) {
        let at = random.next() as u32 % chip.words();
        for (n, byte) in (0..).zip(first.to_le_bytes()) {
            cpu.set_flash(at * 2 + n, byte);
        }
        let i = ins(&chip, cpu.flash(), at);
        if matches!(i.op, Op::Des | Op::Undefined) {
            continue;
        }
        for n in 0..32 {
            cpu.set_register(n, edge(random.next()));
        }
        cpu.set_sreg(random.next() as u8 & 0x7f);
        cpu.set_sp(random.next() as u16);
        cpu.set_rampz(random.next() as u8 & 3);
        cpu.set_eind(random.next() as u8 & 3);
        cpu.set_pc(at * 2);
        let clock = cpu.now();
        let mut slow = Slow::of(&cpu, &io);
        slow.pc += 1;
        let long = semantics::exec(&mut slow, &i);
        let (mut expected, written) = (slow.seen(), slow.written);
        expected.4 %= chip.words();
        cpu.step(&mut io);
        assert_eq!(seen(&cpu), expected, "{i:02x?} at {:x}", at * 2);
        for (n, &(address, value)) in written.iter().enumerate() {
            if written[n + 1..].iter().all(|w| w.0 != address) {
                let there = match address {
                    0x60.. => cpu.data(address),
                    _ => io.0[usize::from(address)],
                };
                assert_eq!(there, value, "{i:02x?} writes {address:04x}");
            }
        }
        let clocks = if long { i.long } else { i.short };
        assert_eq!(cpu.now() - clock, clocks.into(), "{i:02x?}");
        tried += 1;
    }
    assert!(tried > 300_000);
}
