//! The CPU: registers, memories, interrupts, breakpoints.

use std::collections::HashMap;
use std::sync::Arc;

use super::chip::Chip;
use crate::semantics::{Ins, flags};

/// The flags, kept apart so that each operation stores only what it makes: bits of
/// these bytes tell them.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Lanes {
    /// C in bit 7, H in bit 3.
    pub carry: u8,
    /// V in bit 7.
    pub over: u8,
    /// N in bit 7.
    pub negative: u8,
    /// S in bit 7.
    pub sign: u8,
    /// Z is set when this is 0.
    pub zero: u8,
}

impl Lanes {
    /// SREG without T and I.
    #[inline]
    pub fn sreg(self) -> u8 {
        self.carry >> 7
            | u8::from(self.zero == 0) << flags::Z
            | (self.negative & 0x80) >> (7 - flags::N)
            | (self.over & 0x80) >> (7 - flags::V)
            | (self.sign & 0x80) >> (7 - flags::S)
            | (self.carry & 0x08) << (flags::H - 3)
    }

    /// The flags of a SREG.
    pub fn of(sreg: u8) -> Self {
        let bit = |flag: u8| sreg << (7 - flag) & 0x80;
        Self {
            carry: bit(flags::C) | bit(flags::H) >> 4,
            over: bit(flags::V),
            negative: bit(flags::N),
            sign: bit(flags::S),
            zero: u8::from(bit(flags::Z) == 0),
        }
    }
}

/// What a program did that no program should.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Undefined {
    /// How often it ran into words that are no instruction of this CPU.
    pub count: u64,
    /// Byte address of the first.
    pub first: u32,
}

/// Entries for flash, of which those behind its end are [`END`]: for parts of up to
/// nearly 128 KiB, and for all.
pub(super) const SMALL: usize = 0x1_0000;
pub(super) const LARGE: usize = 0x4_0000;

/// Bytes of data memory.
const DATA: usize = 0x1_0000;

/// An AVR.
#[derive(Clone)]
pub struct Cpu {
    /// As many as a byte can number, so that none need be checked; 32 are used.
    pub(super) registers: [u8; 256],
    pub(super) lanes: Lanes,
    /// T.
    pub(super) t: bool,
    /// I.
    pub(super) i: bool,
    pub(super) sp: u16,
    pub(super) pc: u32,
    pub(super) cycle: u64,
    /// Where the inner loop comes back.
    pub(super) limit: u64,
    /// Until when [`run`](Self::run) was asked to go.
    pub(super) until: u64,
    pub(super) ramp: u8,
    pub(super) eind: u8,
    /// First address of SRAM and its bytes.
    pub(super) sram: (u16, u16),
    pub(super) stack_register: u16,
    pub(super) wide: bool,
    /// Interrupts wait for one more instruction.
    pub(super) shield: bool,
    pub(super) asleep: bool,
    pub(super) stop: bool,
    /// Lowest stack pointer at which something was stored.
    pub(super) lowest: u16,
    pub(super) undefined: Undefined,
    /// Flash as instructions. Shared with the run that is on.
    pub(super) code: Arc<[Ins]>,
    pub(super) data: Box<[u8; DATA]>,
    pub(super) flash: Vec<u8>,
    pub(super) chip: Chip,
    /// Words of flash.
    pub(super) words: u32,
    /// Whether BREAK ends the run.
    stops_at_break: bool,
    /// By address in words, the instructions that breakpoints stand for.
    pub(super) breakpoints: HashMap<u32, Ins>,
}

impl Cpu {
    /// A CPU at power-on with this flash, which is filled up with `$ff`.
    pub fn new(chip: Chip, flash: &[u8]) -> Self {
        let words = chip.words();
        let mut memory = vec![0xff; words as usize * 2];
        let len = flash.len().min(memory.len());
        memory[..len].copy_from_slice(&flash[..len]);
        let sram = chip.sram.start.min(0xffff) as u16;
        let bytes = chip.sram.end.min(0x1_0000).saturating_sub(u32::from(sram));
        let mut cpu = Self {
            registers: [0; 256],
            lanes: Lanes::default(),
            t: false,
            i: false,
            sp: 0,
            pc: 0,
            cycle: 0,
            limit: 0,
            until: 0,
            ramp: 0,
            eind: 0,
            sram: (sram, bytes.min(0xffff) as u16),
            stack_register: chip.stack(),
            wide: chip.wide(),
            shield: false,
            asleep: false,
            stop: false,
            lowest: u16::MAX,
            undefined: Undefined::default(),
            code: Arc::new([]),
            data: vec![0; DATA].try_into().expect("its size"),
            flash: memory,
            words,
            chip,
            stops_at_break: false,
            breakpoints: HashMap::new(),
        };
        cpu.decode_all();
        cpu.reset();
        cpu
    }

    /// What the RESET line does. Registers and SRAM stay as they are.
    pub fn reset(&mut self) {
        self.pc = 0;
        self.set_sreg(0);
        self.sp = match self.chip.stack_at_end {
            true => (u32::from(self.sram.0) + u32::from(self.sram.1)).wrapping_sub(1) as u16,
            false => 0,
        };
        self.ramp = 0;
        self.eind = 0;
        self.shield = false;
        self.asleep = false;
    }

    /// The chip it is in.
    pub fn chip(&self) -> &Chip {
        &self.chip
    }

    /// Clocks since power-on.
    pub fn now(&self) -> u64 {
        self.cycle
    }

    /// Sets the clock.
    pub fn set_now(&mut self, now: u64) {
        self.cycle = now;
    }

    /// The program counter, in bytes.
    pub fn pc(&self) -> u32 {
        // Behind the end of flash is its beginning.
        self.pc % self.words * 2
    }

    /// Goes to an address in bytes.
    pub fn set_pc(&mut self, pc: u32) {
        self.pc = pc / 2 % self.words;
        self.asleep = false;
    }

    /// A register, 0 to 31.
    pub fn register(&self, number: u8) -> u8 {
        self.registers[usize::from(number & 31)]
    }

    /// Sets a register.
    pub fn set_register(&mut self, number: u8, value: u8) {
        self.registers[usize::from(number & 31)] = value;
    }

    /// The stack pointer.
    pub fn sp(&self) -> u16 {
        self.sp
    }

    /// Sets the stack pointer.
    pub fn set_sp(&mut self, value: u16) {
        self.sp = value;
    }

    /// The lowest stack pointer at which something was stored, `$ffff` for none.
    pub fn lowest_stack(&self) -> u16 {
        self.lowest
    }

    /// Forgets the lowest stack pointer.
    pub fn forget_lowest_stack(&mut self) {
        self.lowest = u16::MAX;
    }

    /// SREG.
    #[inline]
    pub fn sreg(&self) -> u8 {
        self.lanes.sreg() | u8::from(self.t) << flags::T | u8::from(self.i) << flags::I
    }

    /// Sets SREG.
    pub fn set_sreg(&mut self, value: u8) {
        self.lanes = Lanes::of(value);
        self.t = value >> flags::T & 1 == 1;
        self.i = value >> flags::I & 1 == 1;
    }

    /// RAMPZ.
    pub fn rampz(&self) -> u8 {
        self.ramp
    }

    /// Sets RAMPZ.
    pub fn set_rampz(&mut self, value: u8) {
        self.ramp = value;
    }

    /// EIND.
    pub fn eind(&self) -> u8 {
        self.eind
    }

    /// Sets EIND.
    pub fn set_eind(&mut self, value: u8) {
        self.eind = value;
    }

    /// Whether it sleeps.
    pub fn asleep(&self) -> bool {
        self.asleep
    }

    /// Flash.
    pub fn flash(&self) -> &[u8] {
        &self.flash
    }

    /// Writes a byte of flash.
    pub fn set_flash(&mut self, address: u32, value: u8) {
        self.load_flash(address, &[value]);
    }

    /// Writes bytes of flash. What is behind its end has no effect.
    pub fn load_flash(&mut self, address: u32, bytes: &[u8]) {
        let Some(room) = self.flash.get_mut(address as usize..) else {
            return;
        };
        let count = room.len().min(bytes.len());
        room[..count].copy_from_slice(&bytes[..count]);
        self.decode(address / 2..(address + count as u32).div_ceil(2));
    }

    /// SRAM by data address; what is not SRAM is 0.
    pub fn data(&self, address: u16) -> u8 {
        self.data[usize::from(address)]
    }

    /// All of SRAM, from its first address.
    pub fn sram(&self) -> &[u8] {
        let start = usize::from(self.sram.0);
        &self.data[start..start + usize::from(self.sram.1)]
    }

    /// Sets a byte of SRAM. Elsewhere it has no effect.
    pub fn set_data(&mut self, address: u16, value: u8) {
        if self.in_sram(address) {
            self.data[usize::from(address)] = value;
        }
    }

    #[inline(always)]
    pub(super) fn in_sram(&self, address: u16) -> bool {
        address.wrapping_sub(self.sram.0) < self.sram.1
    }

    /// Words that it executed though they are no instruction of this CPU.
    pub fn undefined(&self) -> Undefined {
        self.undefined
    }

    /// Whether BREAK ends the run, as with a debugger; otherwise it does nothing.
    pub fn stop_at_break(&mut self, on: bool) {
        self.stops_at_break = on;
    }

    pub(super) fn stops_at_break(&self) -> bool {
        self.stops_at_break
    }
}
