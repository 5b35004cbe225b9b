//! The CPU: registers, the word that was fetched before, memory.

use scrimp_isa::{Concrete, Context};

use crate::opcode::Opcode;
use crate::semantics::{self, Register, State};

/// What the CPU is connected to.
pub trait Ports {
    /// Whether it wants to see each word.
    const WATCHES: bool = false;
    /// The word at an address executes.
    #[inline(always)]
    fn word(&mut self, clock: u64, address: u16, ac: u8) {
        let _ = (clock, address, ac);
    }
    /// Whether it wants to see each access to RAM.
    const NOTES: bool = false;
    /// A byte of RAM is read.
    #[inline(always)]
    fn reads(&mut self, address: u16) {
        let _ = address;
    }
    /// A byte of RAM is written.
    #[inline(always)]
    fn writes(&mut self, address: u16) {
        let _ = address;
    }
    /// What the input port says in place of what is connected.
    #[inline(always)]
    fn fed(&mut self) -> Option<u8> {
        None
    }
    /// Whether it stops the CPU before some words.
    const STOPS: bool = false;
    /// Whether the CPU stops before the word at an address.
    #[inline(always)]
    fn stops(&mut self, address: u16) -> bool {
        let _ = address;
        false
    }
    /// OUT is loaded at that clock; `old` is what it was. AC is what the second
    /// port takes over when hSync rises.
    fn out(&mut self, clock: u64, old: u8, new: u8, ac: u8);
    /// The input port.
    fn input(&self) -> u8;
}

/// Nothing is connected; the input reads as no key.
#[derive(Clone, Copy, Debug, Default)]
pub struct Bare;

impl Ports for Bare {
    #[inline(always)]
    fn out(&mut self, _: u64, _: u8, _: u8, _: u8) {}

    #[inline(always)]
    fn input(&self) -> u8 {
        0xff
    }
}

/// As [`Bare`], up to one of these addresses.
struct Until<'a> {
    places: &'a [u16],
    /// Which of them it came to.
    found: Option<usize>,
}

impl Ports for Until<'_> {
    const STOPS: bool = true;

    #[inline(always)]
    fn stops(&mut self, address: u16) -> bool {
        self.found = self.places.iter().position(|&p| p == address);
        self.found.is_some()
    }

    #[inline(always)]
    fn out(&mut self, _: u64, _: u8, _: u8, _: u8) {}

    #[inline(always)]
    fn input(&self) -> u8 {
        Bare.input()
    }
}

/// How much RAM there is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Memory {
    /// 32K: the highest address bit counts for nothing.
    K32,
    /// 64K.
    K64,
    /// 128K on the expander: four banks of 32K of which one is at $8000.
    K128,
}

/// Bytes of RAM of the largest machine.
const RAM: usize = 0x2_0000;
/// Bits of a command to the expander.
const CLOCK: u16 = 0x0001;
/// The lines of a bus that nothing drives.
const IDLE_LINES: u8 = 0x0f;

/// The CPU with its memories.
#[derive(Clone)]
pub struct Cpu {
    ac: u8,
    x: u8,
    y: u8,
    out: u8,
    /// The word in execution: opcode low, operand high.
    ir: u16,
    /// Where that word is from.
    at: u16,
    /// Address of the word that is fetched while it executes.
    pc: u16,
    now: u64,
    memory: Memory,
    /// What stands for bit 15 of an address in RAM.
    bank: usize,
    /// Last command to the expander.
    command: u16,
    /// Commands given where there is no expander.
    lost: u64,
    /// State of the noise on an undriven bus.
    noise: u32,
    rom: Box<[u16; 0x1_0000]>,
    ram: Box<[u8; RAM]>,
}

fn boxed<T: Copy + Default + std::fmt::Debug, const N: usize>() -> Box<[T; N]> {
    let all = vec![T::default(); N].into_boxed_slice();
    all.try_into().expect("the length is right")
}

impl Cpu {
    /// At power-on. RAM is filled with noise, the same each time.
    ///
    /// # Errors
    /// The ROM is empty, of an odd size, or larger than 128K.
    pub fn new(rom: &[u8], memory: Memory) -> Result<Self, String> {
        if rom.is_empty() || rom.len() > 0x2_0000 || rom.len() % 2 == 1 {
            return Err(format!(
                "a Gigatron ROM has up to 131072 bytes, two for a word; this has {}",
                rom.len()
            ));
        }
        let mut cpu = Self {
            ac: 0,
            x: 0,
            y: 0,
            out: 0,
            ir: 0,
            at: 0,
            pc: 0,
            now: 0,
            memory,
            bank: match memory {
                Memory::K32 => 0,
                _ => 0x8000,
            },
            command: 0x007c,
            lost: 0,
            noise: 0x2545_f491,
            rom: boxed(),
            ram: boxed(),
        };
        for (word, bytes) in cpu.rom.iter_mut().zip(rom.chunks_exact(2)) {
            *word = u16::from_le_bytes([bytes[0], bytes[1]]);
        }
        for i in 0..RAM {
            cpu.ram[i] = cpu.noise();
        }
        // The reset holds PC at 0, so word 0 executes twice.
        cpu.ir = cpu.rom[0];
        Ok(cpu)
    }

    /// A byte that nothing drives (xorshift).
    fn noise(&mut self) -> u8 {
        noise(&mut self.noise)
    }

    /// Clocks since power-on.
    pub fn now(&self) -> u64 {
        self.now
    }

    /// Address of the word that executes next.
    pub fn at(&self) -> u16 {
        self.at
    }

    /// Address of the word behind it in time: the one being fetched.
    pub fn next(&self) -> u16 {
        self.pc
    }

    /// Goes to an address: the word there executes next.
    pub fn go(&mut self, address: u16) {
        self.at = address;
        self.ir = self.rom[usize::from(address)];
        self.pc = address.wrapping_add(1);
    }

    /// A word of the ROM: opcode low, operand high.
    pub fn word(&self, address: u16) -> u16 {
        self.rom[usize::from(address)]
    }

    /// A register.
    pub fn register(&self, register: Register) -> u8 {
        match register {
            Register::Ac => self.ac,
            Register::X => self.x,
            Register::Y => self.y,
            Register::Out => self.out,
        }
    }

    /// Sets a register.
    pub fn set_register(&mut self, register: Register, value: u8) {
        match register {
            Register::Ac => self.ac = value,
            Register::X => self.x = value,
            Register::Y => self.y = value,
            Register::Out => self.out = value,
        }
    }

    /// The last command to the expander.
    pub fn command(&self) -> u16 {
        self.command
    }

    /// Commands that were given to an expander that is not there.
    pub fn lost_commands(&self) -> u64 {
        self.lost
    }

    /// Reads RAM as the CPU would, without the expander's serial lines.
    pub fn peek(&self, address: u16) -> u8 {
        self.ram[place(address, self.bank)]
    }

    /// Writes RAM.
    pub fn poke(&mut self, address: u16, value: u8) {
        self.ram[place(address, self.bank)] = value;
    }

    /// Executes one instruction.
    #[inline]
    pub fn step<P: Ports>(&mut self, ports: &mut P) {
        self.run(ports, self.now + 1);
    }

    /// Executes up to a clock with nothing at the ports.
    pub fn run_bare(&mut self, until: u64) {
        self.run(&mut Bare, until);
    }

    /// The same, but stops where the word at one of these addresses comes next: which
    /// of them. It may be the word that comes next already.
    pub fn run_to(&mut self, places: &[u16], until: u64) -> Option<usize> {
        let mut ports = Until {
            places,
            found: None,
        };
        self.run(&mut ports, until);
        ports.found
    }

    /// Executes up to a clock, or to where the ports stop it.
    pub fn run<P: Ports>(&mut self, ports: &mut P, until: u64) {
        while self.now < until && !(P::STOPS && ports.stops(self.at)) {
            if self.memory == Memory::K128 && self.command & CLOCK != 0 {
                self.run_while::<P, true>(ports, until);
            } else {
                self.run_while::<P, false>(ports, until);
            }
        }
    }

    /// Executes up to a clock, or until the expander's clock line changes. `SERIAL`:
    /// the line is high, and RAM reads as what comes in from the serial bus.
    fn run_while<P: Ports, const SERIAL: bool>(&mut self, ports: &mut P, until: u64) {
        let mut live = Live::<P, SERIAL> {
            ac: self.ac,
            x: self.x,
            y: self.y,
            out: self.out,
            operand: 0,
            pc: self.pc,
            next: 0,
            now: self.now,
            until,
            bank: self.bank,
            memory: self.memory,
            command: self.command,
            lost: 0,
            noise: self.noise,
            ram: &mut self.ram,
            ports,
        };
        let (mut ir, mut at) = (self.ir, self.at);
        let rom = &self.rom;
        while live.now < live.until {
            if P::STOPS && live.ports.stops(at) {
                break;
            }
            let [opcode, operand] = ir.to_le_bytes();
            if P::WATCHES {
                live.ports.word(live.now, at, live.ac);
            }
            at = live.pc;
            ir = rom[usize::from(live.pc)];
            live.operand = operand;
            live.next = live.pc.wrapping_add(1);
            dispatch(&mut live, opcode);
            live.pc = live.next;
            live.now += 1;
        }
        (self.ir, self.at, self.pc) = (ir, at, live.pc);
        (self.ac, self.x, self.y, self.out) = (live.ac, live.x, live.y, live.out);
        (self.now, self.bank, self.command) = (live.now, live.bank, live.command);
        self.noise = live.noise;
        self.lost += live.lost;
    }
}

fn noise(state: &mut u32) -> u8 {
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    (*state >> 8) as u8
}

/// Where an address lies in RAM.
#[inline(always)]
fn place(address: u16, bank: usize) -> usize {
    let low = usize::from(address & 0x7fff);
    // In range whatever the bank is, so that no check is needed.
    if address & 0x8000 == 0 {
        low
    } else {
        (low | bank) & (RAM - 1)
    }
}

/// The CPU while it runs.
struct Live<'a, P, const SERIAL: bool> {
    ac: u8,
    x: u8,
    y: u8,
    out: u8,
    operand: u8,
    pc: u16,
    next: u16,
    now: u64,
    until: u64,
    bank: usize,
    memory: Memory,
    command: u16,
    lost: u64,
    noise: u32,
    ram: &'a mut [u8; RAM],
    ports: &'a mut P,
}

impl<P: Ports, const SERIAL: bool> Context for Live<'_, P, SERIAL> {
    type Domain = Concrete;

    #[inline(always)]
    fn domain(&self) -> Concrete {
        Concrete
    }

    #[inline(always)]
    fn read(&mut self, address: u16) -> u8 {
        if SERIAL {
            return IDLE_LINES;
        }
        if P::NOTES {
            self.ports.reads(address);
        }
        self.ram[place(address, self.bank)]
    }

    #[inline(always)]
    fn write(&mut self, address: u16, value: u8) {
        if P::NOTES {
            self.ports.writes(address);
        }
        self.ram[place(address, self.bank)] = value;
    }

    #[inline(always)]
    fn input(&mut self, _: u16) -> u8 {
        if P::NOTES
            && let Some(value) = self.ports.fed()
        {
            return value;
        }
        self.ports.input()
    }

    #[inline(always)]
    fn output(&mut self, _: u16, _: u8) {}

    #[inline(always)]
    fn when(&mut self, condition: bool, work: impl FnOnce(&mut Self)) {
        if condition {
            work(self);
        }
    }
}

impl<P: Ports, const SERIAL: bool> State for Live<'_, P, SERIAL> {
    #[inline(always)]
    fn get(&self, register: Register) -> u8 {
        match register {
            Register::Ac => self.ac,
            Register::X => self.x,
            Register::Y => self.y,
            Register::Out => self.out,
        }
    }

    #[inline(always)]
    fn set(&mut self, register: Register, value: u8) {
        match register {
            Register::Ac => self.ac = value,
            Register::X => self.x = value,
            Register::Y => self.y = value,
            Register::Out => {
                self.ports.out(self.now, self.out, value, self.ac);
                self.out = value;
            }
        }
    }

    #[inline(always)]
    fn pc(&self) -> u16 {
        self.pc
    }

    #[inline(always)]
    fn set_pc(&mut self, value: u16) {
        self.next = value;
    }

    #[inline(always)]
    fn operand(&self) -> u8 {
        self.operand
    }

    #[cold]
    #[inline(never)]
    fn control(&mut self, command: u16) {
        if self.memory == Memory::K128 {
            self.command = command;
            self.bank = usize::from(command >> 6 & 3) << 15;
            // The clock line may have changed: out of this loop.
            self.until = self.now;
        } else {
            // The chip writes what is on a bus that nothing drives.
            self.lost += 1;
            let value = noise(&mut self.noise);
            self.ram[place(command, self.bank)] = value;
        }
    }
}

/// An arm for each opcode, so that the parts of the opcode are constants in it.
macro_rules! arms {
    ($live:expr, $opcode:expr, $($n:literal)*) => {
        match $opcode {
            $($n => semantics::exec($live, Opcode($n)),)*
        }
    };
}

#[inline(always)]
#[rustfmt::skip]
fn dispatch<P: Ports, const SERIAL: bool>(live: &mut Live<'_, P, SERIAL>, opcode: u8) {
    arms!(live, opcode,
        0x00 0x01 0x02 0x03 0x04 0x05 0x06 0x07 0x08 0x09 0x0a 0x0b 0x0c 0x0d 0x0e 0x0f
        0x10 0x11 0x12 0x13 0x14 0x15 0x16 0x17 0x18 0x19 0x1a 0x1b 0x1c 0x1d 0x1e 0x1f
        0x20 0x21 0x22 0x23 0x24 0x25 0x26 0x27 0x28 0x29 0x2a 0x2b 0x2c 0x2d 0x2e 0x2f
        0x30 0x31 0x32 0x33 0x34 0x35 0x36 0x37 0x38 0x39 0x3a 0x3b 0x3c 0x3d 0x3e 0x3f
        0x40 0x41 0x42 0x43 0x44 0x45 0x46 0x47 0x48 0x49 0x4a 0x4b 0x4c 0x4d 0x4e 0x4f
        0x50 0x51 0x52 0x53 0x54 0x55 0x56 0x57 0x58 0x59 0x5a 0x5b 0x5c 0x5d 0x5e 0x5f
        0x60 0x61 0x62 0x63 0x64 0x65 0x66 0x67 0x68 0x69 0x6a 0x6b 0x6c 0x6d 0x6e 0x6f
        0x70 0x71 0x72 0x73 0x74 0x75 0x76 0x77 0x78 0x79 0x7a 0x7b 0x7c 0x7d 0x7e 0x7f
        0x80 0x81 0x82 0x83 0x84 0x85 0x86 0x87 0x88 0x89 0x8a 0x8b 0x8c 0x8d 0x8e 0x8f
        0x90 0x91 0x92 0x93 0x94 0x95 0x96 0x97 0x98 0x99 0x9a 0x9b 0x9c 0x9d 0x9e 0x9f
        0xa0 0xa1 0xa2 0xa3 0xa4 0xa5 0xa6 0xa7 0xa8 0xa9 0xaa 0xab 0xac 0xad 0xae 0xaf
        0xb0 0xb1 0xb2 0xb3 0xb4 0xb5 0xb6 0xb7 0xb8 0xb9 0xba 0xbb 0xbc 0xbd 0xbe 0xbf
        0xc0 0xc1 0xc2 0xc3 0xc4 0xc5 0xc6 0xc7 0xc8 0xc9 0xca 0xcb 0xcc 0xcd 0xce 0xcf
        0xd0 0xd1 0xd2 0xd3 0xd4 0xd5 0xd6 0xd7 0xd8 0xd9 0xda 0xdb 0xdc 0xdd 0xde 0xdf
        0xe0 0xe1 0xe2 0xe3 0xe4 0xe5 0xe6 0xe7 0xe8 0xe9 0xea 0xeb 0xec 0xed 0xee 0xef
        0xf0 0xf1 0xf2 0xf3 0xf4 0xf5 0xf6 0xf7 0xf8 0xf9 0xfa 0xfb 0xfc 0xfd 0xfe 0xff
    );
}
