//! A ZX81 that runs.

use scrimp_isa::machine::{Media, Stop};
use scrimp_isa::probe::Probe;
use scrimp_isa::{Screen, Simulation};

use super::containers::{self, Saved};
use super::deck::Deck;
use super::memory::{PROGRAM, STKBOT, VERSN, ramtop};
use super::ula::{Mishaps, Picture, Ula};
use super::{keyboard, screen};
use crate::reg;
use crate::sim::{Bus, Cpu, Tested};

/// NEXT-PROG in LOAD: the name has been read, the tape is looked for.
pub const NEXT_PROG: u16 = 0x0347;
/// SLOW/FAST, where a finished LOAD goes.
pub const LOADED: u16 = 0x0207;
/// T-states in a fiftieth of a second.
const FRAME: u64 = 65_000;
/// Frames a ROM may take to come to its cursor; 16K take 227.
const BOOT: u64 = 500;
/// `K` in inverse video.
const CURSOR: u8 = 0xB0;
/// T-states between two looks for a CPU that is halted for good.
const UNWATCHED: u64 = 1000;
/// Blank tape before the name.
const LEADER: u64 = 3_250_000;

/// CPU and ULA, and what is watched.
#[derive(Clone)]
pub struct Zx81Simulation {
    cpu: Cpu,
    ula: Ula,
    sixty: bool,
    breakpoints: Vec<u16>,
    /// A program that is loading from tape.
    loading: bool,
    /// One past the last byte of the program that was put into memory.
    loaded: u16,
    /// What a test has between the CPU and the ULA.
    probe: Option<Box<Probe>>,
}

impl Zx81Simulation {
    /// A machine at power-on with `ram` K, for 60 or 50 Hz.
    ///
    /// # Errors
    /// The ROM is empty or larger than 8K.
    pub fn new(rom: &[u8], ram: u16, sixty: bool) -> Result<Zx81Simulation, String> {
        if rom.is_empty() || rom.len() > 0x2000 {
            return Err(format!("a ZX81 ROM has 8192 bytes, this has {}", rom.len()));
        }
        Ok(Zx81Simulation {
            cpu: Cpu::new(),
            ula: Ula::new(rom, ram, sixty),
            sixty,
            breakpoints: Vec::new(),
            loading: false,
            loaded: VERSN,
            probe: None,
        })
    }

    /// Powers on and loads the program of `media`, at once or from tape.
    ///
    /// # Errors
    /// A ROM of a wrong size or that never comes to LOAD, a file that cannot be
    /// read or does not fit the RAM.
    pub fn start(
        media: &Media,
        firmware: &[u8],
        ram: u16,
        sixty: bool,
    ) -> Result<Zx81Simulation, String> {
        let rom = media.rom.as_deref().unwrap_or(firmware);
        let mut machine = Zx81Simulation::new(rom, ram, sixty)?;
        if media.program.is_empty() {
            return Ok(machine);
        }
        let saved = containers::read(&media.container, &media.program)?;
        let end = u32::from(VERSN) + saved.bytes.len() as u32;
        if end > ramtop(ram) {
            return Err(format!(
                "the program goes up to ${:04X}, {} bytes past the end of {ram}K of RAM",
                end - 1,
                end - ramtop(ram)
            ));
        }
        machine.boot()?;
        if media.slow_load {
            machine.play(saved);
        } else {
            machine.inject(&saved);
        }
        Ok(machine)
    }

    /// Runs up to LOAD: our firmware goes there by itself, to others
    /// `LOAD ""` is typed.
    fn boot(&mut self) -> Result<(), String> {
        let mut typed = false;
        for _ in 0..BOOT {
            if self.run_to_load(1) {
                return Ok(());
            }
            let last = screen::codes(&self.ula).pop();
            if !typed && last.is_some_and(|row| row.contains(&CURSOR)) {
                typed = true;
                // The keyboard is looked at from the second frame on.
                if self.run_to_load(10) {
                    return Ok(());
                }
                for key in ["J", "SHIFT+P", "SHIFT+P"] {
                    self.type_key(key);
                }
                self.ula.keyboard.set("NEWLINE", true)?;
            }
        }
        Err(format!(
            "the ROM did not come to LOAD (${NEXT_PROG:04X}) in {} seconds",
            BOOT / 50
        ))
    }

    /// Runs some frames; true when LOAD was reached.
    fn run_to_load(&mut self, frames: u64) -> bool {
        let until = self.cpu.now() + frames * FRAME;
        while self.cpu.now() < until {
            if self.cpu.pc() == NEXT_PROG {
                return true;
            }
            self.cpu.step(&mut self.ula);
        }
        false
    }

    /// Holds a key until the line that is edited grows, at most 100 frames.
    fn type_key(&mut self, key: &str) {
        let before = self.ula.word(STKBOT);
        let _ = self.ula.keyboard.set(key, true);
        for _ in 0..100 {
            self.cpu.run(&mut self.ula, self.cpu.now() + FRAME);
            if self.ula.word(STKBOT) != before {
                break;
            }
        }
        self.ula.keyboard.clear();
        self.cpu.run(&mut self.ula, self.cpu.now() + 25 * FRAME);
    }

    fn play(&mut self, saved: Saved) {
        self.ula.keyboard.clear();
        let bytes = [saved.name, saved.bytes].concat();
        self.ula.deck = Deck::play(bytes, self.cpu.now() + LEADER);
        self.loading = true;
    }

    fn inject(&mut self, saved: &Saved) {
        self.ula.keyboard.clear();
        for (address, &byte) in (VERSN..).zip(&saved.bytes) {
            self.ula.poke(address, byte);
        }
        self.loaded = VERSN.wrapping_add(saved.bytes.len() as u16);
        self.cpu.set_pc(LOADED);
        self.watch_from_here();
    }

    fn watch_from_here(&mut self) {
        self.ula.lowest = self.cpu.pair(reg::SP);
        self.ula.mishaps = Mishaps::default();
        self.loading = false;
    }

    /// Whether the program is still being read from tape.
    pub fn loading(&self) -> bool {
        self.loading
    }

    /// What went wrong since the program started.
    pub fn mishaps(&self) -> Mishaps {
        self.ula.mishaps
    }

    /// The last picture with its timing.
    pub fn picture(&self) -> &Picture {
        &self.ula.picture
    }

    /// Pictures shown since power-on.
    pub fn pictures(&self) -> u64 {
        self.ula.pictures
    }

    /// The codes on the screen, 24 rows as long as their text.
    pub fn codes(&self) -> Vec<Vec<u8>> {
        screen::codes(&self.ula)
    }

    /// Whether the CPU waits for an interrupt that cannot come.
    fn dead(&self) -> bool {
        self.cpu.halted()
            && !self.cpu.iff()[0]
            && !self.ula.nmi_on()
            && self.cpu.pending().is_none()
    }

    /// An instruction, through the probe if there is one.
    fn step(&mut self) {
        match &mut self.probe {
            None => self.cpu.step(&mut self.ula),
            Some(probe) => {
                let bus = &mut self.ula;
                self.cpu.step(&mut Tested { bus, probe });
            }
        }
    }

    /// Puts a byte into memory as a push does.
    fn push(&mut self, value: u8) {
        let at = self.cpu.pair(reg::SP).wrapping_sub(1);
        self.cpu.set_pair(reg::SP, at);
        self.poke(at.into(), value);
        self.ula.stack(at);
    }

    fn breaks(&self) -> Option<Stop> {
        let pc = self.cpu.pc();
        self.breakpoints
            .contains(&pc)
            .then_some(Stop::Breakpoint(pc.into()))
    }
}

impl Simulation for Zx81Simulation {
    fn run(&mut self, cycles: u64) -> Stop {
        let until = self.cpu.now().saturating_add(cycles);
        let mut first = true;
        while self.cpu.now() < until {
            let now = self.cpu.now();
            if !self.loading && self.breakpoints.is_empty() && self.probe.is_none() {
                self.cpu.run(&mut self.ula, until.min(now + UNWATCHED));
            } else {
                // The instruction at a breakpoint it stopped at must get on.
                if !first && let Some(stop) = self.breaks() {
                    return stop;
                }
                first = false;
                if self.loading && self.cpu.pc() == LOADED {
                    self.watch_from_here();
                }
                self.step();
            }
            if self.dead() {
                return Stop::Halted;
            }
        }
        Stop::Cycles
    }

    fn cycles(&self) -> u64 {
        self.cpu.now()
    }

    fn screen(&self) -> Screen {
        screen::screen(&self.ula, self.sixty, self.cpu.now())
    }

    fn key(&mut self, key: &str, down: bool) -> Result<(), String> {
        self.ula.keyboard.set(key, down)
    }

    fn key_for(&self, typed: char) -> Option<&'static str> {
        keyboard::key_for(typed)
    }

    fn pc(&self) -> u64 {
        self.cpu.pc().into()
    }

    fn registers(&self) -> Vec<(&'static str, u64)> {
        self.cpu.registers()
    }

    fn register(&self, name: &str) -> Option<u64> {
        self.cpu.register(&name.to_ascii_lowercase())
    }

    fn stack(&self) -> Option<u64> {
        Some(self.cpu.pair(reg::SP).into())
    }

    fn call(&mut self, to: u64, back: u64) -> bool {
        let [low, high] = (back as u16).to_le_bytes();
        self.push(high);
        self.push(low);
        self.cpu.set_pc(to as u16);
        true
    }

    fn leave(&mut self) -> bool {
        let sp = self.cpu.pair(reg::SP);
        self.cpu.set_pc(self.ula.word(sp));
        self.cpu.set_pair(reg::SP, sp.wrapping_add(2));
        true
    }

    /// Written are the ROM, the system variables and the program as it was loaded.
    fn attach(&mut self, mut probe: Probe) -> bool {
        for address in (0..self.loaded.max(PROGRAM)).chain(0x8000..=0xffff) {
            probe.wrote(address);
        }
        // What is on the stack now was put there.
        for address in self.cpu.pair(reg::SP)..0x8000 {
            probe.wrote(address);
        }
        self.probe = Some(Box::new(probe));
        true
    }

    fn probe(&mut self) -> Option<&mut Probe> {
        self.probe.as_deref_mut()
    }

    fn set_register(&mut self, name: &str, value: u64) -> bool {
        let known = self.cpu.set_register(name, value);
        self.ula.stack(self.cpu.pair(reg::SP));
        known
    }

    fn peek(&self, address: u64) -> u8 {
        self.ula.peek(address as u16)
    }

    fn poke(&mut self, address: u64, value: u8) {
        self.ula.poke(address as u16, value);
        if let Some(probe) = &mut self.probe {
            probe.wrote(address as u16);
        }
    }

    fn breakpoint(&mut self, address: u64, on: bool) {
        self.breakpoints.retain(|&b| u64::from(b) != address);
        if on && let Ok(address) = u16::try_from(address) {
            self.breakpoints.push(address);
        }
    }

    fn lowest_stack(&self) -> u64 {
        self.ula.lowest.into()
    }

    fn notes(&self) -> Vec<String> {
        let Mishaps { resets, mirror } = self.ula.mishaps;
        let mut notes = Vec::new();
        if resets > 0 {
            notes.push(format!(
                "the program went through address 0, which is a reset ({resets} times)"
            ));
        }
        if let Some(address) = mirror {
            notes.push(format!(
                "code ran in the ROM's mirror at ${address:04X}: a crash, most likely"
            ));
        }
        notes
    }

    fn snapshot(&self) -> Box<dyn Simulation> {
        Box::new(self.clone())
    }
}
