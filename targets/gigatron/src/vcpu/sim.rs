//! The vCPU alone, without the ROM that interprets it: instructions with their clocks.
//!
//! The one meaning in [`super::semantics`] runs on plain numbers. vPC stands in RAM as the
//! interpreters have it: 2 below the next instruction while one executes, so programs that
//! read or write it see what they would see there. Of the native functions those are at
//! hand that compute and draw; any other needs a ROM.
//!
//! Time is that of the vCPU. The picture takes the rest, so a frame is as many clocks as
//! the interpreter has in one while the ROM draws three lines of four.

use scrimp_isa::machine::{Media, Stop};
use scrimp_isa::{Concrete, Context, Screen, Simulation};

use super::meaning::{constants, find};
use super::rom::Rom;
use super::semantics::{State, VAC, VLR, VSP, exec};
use super::{sys, table::ROWS};
use crate::machines::segments;
use crate::sim::{Button, Memory};

/// Clocks of the vCPU in a frame.
pub const FRAME: u64 = 23_000;
/// Frames in a second.
const FRAMES: u64 = 60;
/// Where the picture's lines are, and their number and length.
const VIDEO_TABLE: u16 = 0x0100;
const LINES: usize = 120;
const PIXELS: usize = 160;
/// Dots of the screen that a pixel has each way.
const DOTS: usize = 4;
/// Places in page 0.
const MEM_SIZE: u16 = 0x01;
const FRAME_COUNT: u16 = 0x0e;
const RAW: u16 = 0x0f;
const BUTTONS: u16 = 0x11;
const VPC: u16 = 0x16;
const ROM_TYPE: u16 = 0x21;
const SYS_FN: u16 = 0x22;
const SYS_ARGS: u16 = 0x24;

/// The processor and its memory.
#[derive(Clone)]
pub struct Machine {
    rom: Rom,
    /// Bits of an address that count.
    mask: u16,
    ram: Box<[u8; 0x1_0000]>,
    /// Bytes of the instruction behind its opcode.
    constants: [u8; 4],
    /// Clocks since the start.
    now: u64,
    /// Clocks that the instruction takes beside those of its row.
    more: i8,
    /// Clocks of the native function that was called.
    native: u64,
    halted: bool,
    /// What cannot go on without a ROM.
    fault: Option<String>,
    low: u8,
}

impl Machine {
    /// With RAM of zeros but for what the system keeps there.
    pub fn new(rom: Rom, memory: Memory) -> Self {
        let mask = match memory {
            Memory::K32 => 0x7fff,
            _ => 0xffff,
        };
        let ram = vec![0u8; 0x1_0000].into_boxed_slice();
        let mut machine = Self {
            rom,
            mask,
            ram: ram.try_into().expect("the length is right"),
            constants: [0; 4],
            now: 0,
            more: 0,
            native: 0,
            halted: false,
            fault: None,
            low: 0xff,
        };
        machine.poke(MEM_SIZE, if mask == 0x7fff { 0x80 } else { 0 });
        machine.poke(RAW, 0xff);
        machine.poke(BUTTONS, 0xff);
        machine.poke(ROM_TYPE, rom.rom_type());
        machine.poke(0x80, 1);
        for line in 0..LINES as u16 {
            machine.poke(VIDEO_TABLE + 2 * line, 8 + line as u8);
        }
        machine
    }

    /// A byte of RAM.
    pub fn peek(&self, at: u16) -> u8 {
        self.ram[usize::from(at & self.mask)]
    }

    /// Sets a byte of RAM.
    pub fn poke(&mut self, at: u16, value: u8) {
        self.ram[usize::from(at & self.mask)] = value;
    }

    /// Two bytes in page 0.
    pub fn word(&self, at: u16) -> u16 {
        u16::from_le_bytes([self.peek(at), self.peek(at + 1)])
    }

    /// Sets two bytes in page 0.
    pub fn set_word(&mut self, at: u16, value: u16) {
        let [low, high] = value.to_le_bytes();
        self.poke(at, low);
        self.poke(at + 1, high);
    }

    /// Address of the next instruction.
    pub fn pc(&self) -> u16 {
        let [low, high] = [self.peek(VPC), self.peek(VPC + 1)];
        u16::from_be_bytes([high, low.wrapping_add(2)])
    }

    /// Sets the address of the next instruction.
    pub fn set_pc(&mut self, at: u16) {
        let [high, low] = at.to_be_bytes();
        self.poke(VPC, low.wrapping_sub(2));
        self.poke(VPC + 1, high);
    }

    /// Clocks since the start.
    pub fn now(&self) -> u64 {
        self.now
    }

    /// Why it cannot go on.
    pub fn fault(&self) -> Option<&str> {
        self.fault.as_deref()
    }

    /// Executes one instruction; its clocks, or nothing where it cannot go on.
    pub fn step(&mut self) -> Option<u64> {
        let at = self.pc();
        let [high, low] = at.to_be_bytes();
        let bytes: [u8; 5] = std::array::from_fn(|i| {
            self.peek(u16::from_be_bytes([high, low.wrapping_add(i as u8)]))
        });
        let Some((row, length)) = find(self.rom.features(), &bytes) else {
            let rom = self.rom.name();
            self.fault = Some(format!(
                "ROM {rom} has no instruction ${:02X}, at ${at:04X}",
                bytes[0]
            ));
            self.halted = true;
            return None;
        };
        let given = constants(&bytes, length);
        self.constants[..given.len()].copy_from_slice(given);
        self.poke(VPC, low.wrapping_add(length as u8).wrapping_sub(2));
        self.native = 0;
        self.more = 0;
        let generation = self.rom.times();
        let times = ROWS[row].times[generation];
        let clocks = match exec(self, ROWS[row].op) != ROWS[row].is_turned(generation) {
            true => times.max(),
            false => times.min(),
        };
        if self.halted {
            self.poke(VPC, low.wrapping_sub(2));
            return None;
        }
        let clocks = self
            .native
            .max(u64::from(clocks.saturating_add_signed(self.more)));
        self.low = self.low.min(self.peek(VSP).wrapping_sub(1));
        let frames = self.now / FRAME;
        self.now += clocks;
        if self.now / FRAME != frames {
            self.frame();
        }
        Some(clocks)
    }

    /// A frame begins: the count and the noise go on.
    fn frame(&mut self) {
        let count = self.peek(FRAME_COUNT).wrapping_add(1);
        self.poke(FRAME_COUNT, count);
        for at in 6..9 {
            let mixed = self.peek(at).wrapping_mul(5).wrapping_add(count | 1);
            self.poke(at, mixed.rotate_left(3));
        }
    }

    /// A function that is done without its ROM; false if there is none.
    fn function(&mut self, name: &str) -> bool {
        let ac = self.word(VAC);
        let shifted = |n: u32| ac >> n;
        let value = match name {
            "SYS_LSRW1_48" => shifted(1),
            "SYS_LSRW2_52" => shifted(2),
            "SYS_LSRW3_52" => shifted(3),
            "SYS_LSRW4_50" => shifted(4),
            "SYS_LSRW5_50" => shifted(5),
            "SYS_LSRW6_48" => shifted(6),
            "SYS_LSRW7_30" => shifted(7),
            "SYS_LSRW8_24" => shifted(8),
            "SYS_LSLW4_46" => ac << 4,
            "SYS_LSLW8_24" => ac << 8,
            "SYS_Draw4_30" => {
                let to = self.word(SYS_ARGS + 4);
                let [page, x] = to.to_be_bytes();
                for n in 0..4u8 {
                    let pixel = self.peek(SYS_ARGS + u16::from(n));
                    self.poke(u16::from_be_bytes([page, x.wrapping_add(n)]), pixel);
                }
                return true;
            }
            _ => return false,
        };
        self.set_word(VAC, value);
        true
    }
}

impl Context for Machine {
    type Domain = Concrete;

    fn domain(&self) -> Concrete {
        Concrete
    }
    fn read(&mut self, at: u16) -> u8 {
        self.peek(at)
    }
    fn write(&mut self, at: u16, value: u8) {
        self.poke(at, value);
    }
    fn input(&mut self, _: u16) -> u8 {
        0xff
    }
    fn output(&mut self, _: u16, _: u8) {}
    fn when(&mut self, condition: bool, work: impl FnOnce(&mut Self)) {
        if condition {
            work(self);
        }
    }
}

impl State for Machine {
    fn constant(&self, n: usize) -> u8 {
        self.constants[n]
    }
    fn page(&self) -> u8 {
        self.peek(VPC + 1)
    }
    fn next(&self) -> u16 {
        self.pc()
    }
    fn go(&mut self, to: u16) {
        self.set_pc(to);
    }
    fn rom(&mut self, address: u16) -> u8 {
        self.halted = true;
        self.fault = Some(format!(
            "LUP reads the ROM at ${address:04X}, and there is none: --rom FILE.rom"
        ));
        0
    }
    fn native(&mut self) {
        let address = self.word(SYS_FN);
        let function = sys::at(self.rom, address);
        if let Some(f) = function
            && self.function(f.name)
        {
            self.native = f.clocks.into();
            return;
        }
        self.halted = true;
        self.fault = Some(match function {
            Some(f) => format!("{} is native code of a ROM: --rom FILE.rom", f.name),
            None => format!(
                "ROM {} has no native function at ${address:04X}",
                self.rom.name()
            ),
        });
    }
    fn halt(&mut self) {
        self.halted = true;
    }
    fn spend(&mut self, condition: bool, clocks: i8) {
        if condition {
            self.more += clocks;
        }
    }
    fn wide_stack(&self) -> bool {
        self.rom == Rom::Dev7
    }
}

/// A vCPU that runs, with a picture and keys.
#[derive(Clone)]
pub struct VcpuSimulation {
    machine: Machine,
    breakpoints: Vec<u16>,
}

impl VcpuSimulation {
    /// With a `.gt1` in its memory, or what a program has there.
    ///
    /// # Errors
    /// The file is malformed.
    pub fn start(media: &Media, rom: Rom, memory: Memory) -> Result<Self, String> {
        let mut machine = Machine::new(rom, memory);
        let mut put = |address: u16, bytes: &[u8]| {
            for (at, &byte) in (address..=0xffff).zip(bytes) {
                machine.poke(at, byte);
            }
        };
        if media.container == "gt1" {
            let (parts, start) = segments(&media.program)?;
            for (address, bytes) in parts {
                put(address, bytes);
            }
            if start == 0 {
                machine.halted = true;
            }
            machine.set_word(VLR, start);
            machine.set_pc(start);
        } else {
            for (address, bytes) in &media.memory {
                put(*address as u16, bytes);
            }
            machine.set_pc(0x200);
        }
        Ok(Self {
            machine,
            breakpoints: Vec::new(),
        })
    }
}

impl Simulation for VcpuSimulation {
    fn run(&mut self, cycles: u64) -> Stop {
        let until = self.machine.now.saturating_add(cycles);
        let mut first = true;
        while self.machine.now < until {
            let at = self.machine.pc();
            if !first && self.breakpoints.contains(&at) {
                return Stop::Breakpoint(at.into());
            }
            first = false;
            if self.machine.halted || self.machine.step().is_none() {
                return Stop::Halted;
            }
        }
        Stop::Cycles
    }

    fn cycles(&self) -> u64 {
        self.machine.now
    }

    fn clock(&self) -> Option<u64> {
        Some(FRAME * FRAMES)
    }

    fn screen(&self) -> Screen {
        let mut rgb = Vec::with_capacity(3 * DOTS * PIXELS * DOTS * LINES);
        let m = &self.machine;
        let mut x = 0u8;
        for line in 0..LINES as u16 {
            let page = m.peek(VIDEO_TABLE + 2 * line);
            // The second byte moves this line and those below it.
            x = x.wrapping_add(m.peek(VIDEO_TABLE + 2 * line + 1));
            let mut row = Vec::with_capacity(3 * DOTS * PIXELS);
            for n in 0..PIXELS as u8 {
                let pixel = m.peek(u16::from_be_bytes([page, x.wrapping_add(n)]));
                let color = [0, 2, 4].map(|shift| (pixel >> shift & 3) * 85);
                row.extend(color.repeat(DOTS));
            }
            rgb.extend(row.repeat(DOTS));
        }
        Screen {
            width: DOTS * PIXELS,
            height: DOTS * LINES,
            rgb,
            ..Screen::default()
        }
    }

    fn key(&mut self, key: &str, down: bool) -> Result<(), String> {
        let upper = key.to_ascii_uppercase();
        let mut all = Button::ALL.iter();
        let button = all
            .find(|b| b.0 == upper && b.0.len() > 1 || upper.strip_prefix("BUTTON ") == Some(b.0));
        if let Some(&(_, button)) = button {
            let bit = button as u8;
            for at in [RAW, BUTTONS] {
                let others = self.machine.peek(at) & !bit;
                let value = if down { others } else { others | bit };
                self.machine.poke(at, value);
            }
            return Ok(());
        }
        let code = match (upper.as_str(), key.as_bytes()) {
            ("ENTER", _) => 10,
            ("DELETE", _) => 127,
            ("TAB", _) => 9,
            ("ESC", _) => 27,
            ("SPACE", _) => 32,
            (_, &[code @ b' '..=126]) => code,
            _ => {
                return Err(format!(
                    "there is no key {key}; there are RIGHT, LEFT, DOWN, UP, START, SELECT, BUTTON \
                     A, BUTTON B, ENTER, DELETE, TAB, ESC, SPACE and every ASCII character"
                ));
            }
        };
        self.machine.poke(RAW, if down { code } else { 0xff });
        Ok(())
    }

    fn key_for(&self, typed: char) -> Option<&'static str> {
        crate::machines::key_for(typed)
    }

    fn pc(&self) -> u64 {
        self.machine.pc().into()
    }

    fn registers(&self) -> Vec<(&'static str, u64)> {
        let m = &self.machine;
        vec![
            ("vpc", m.pc().into()),
            ("vac", m.word(VAC).into()),
            ("vlr", m.word(VLR).into()),
            ("vsp", m.peek(VSP).into()),
        ]
    }

    fn set_register(&mut self, name: &str, value: u64) -> bool {
        let value = value as u16;
        match name.to_ascii_lowercase().as_str() {
            "pc" | "vpc" => self.machine.set_pc(value),
            "vac" => self.machine.set_word(VAC, value),
            "vlr" => self.machine.set_word(VLR, value),
            "vsp" => self.machine.poke(VSP, value as u8),
            _ => return false,
        }
        true
    }

    fn peek(&self, address: u64) -> u8 {
        self.machine.peek(address as u16)
    }

    fn poke(&mut self, address: u64, value: u8) {
        self.machine.poke(address as u16, value);
    }

    fn breakpoint(&mut self, address: u64, on: bool) {
        self.breakpoints.retain(|&b| u64::from(b) != address);
        if on && let Ok(address) = u16::try_from(address) {
            self.breakpoints.push(address);
        }
    }

    fn lowest_stack(&self) -> u64 {
        // Empty, it begins at 0.
        match self.machine.low {
            0xff => 0,
            low => u64::from(low) + 1,
        }
    }

    fn notes(&self) -> Vec<String> {
        self.machine.fault.iter().cloned().collect()
    }

    fn snapshot(&self) -> Box<dyn Simulation> {
        Box::new(self.clone())
    }
}
