//! A Gigatron that runs.

use scrimp_isa::machine::{Media, Stop};
use scrimp_isa::probe::Probe;
use scrimp_isa::proof::{Broken, Promises};
use scrimp_isa::{Screen, Simulation};

use super::containers;
use crate::semantics::Register;
use crate::sim::{BadKind, Button, COLUMNS, Console, Cpu, LINES, Memory, Ports, VSYNC, Watch};

/// VGA columns of a pixel.
const WIDE: usize = 4;
/// Frames that a ROM may take to its menu before a `.gt1` is put into RAM.
const BOOT_FRAMES: u64 = 300;
/// Clocks of a frame.
const FRAME: u64 = 104_200;
/// Clocks by which the first vSync must have come: a boot may try all of RAM before.
const SYNC_BY: u64 = 12_500_000;
/// Most lines without a vSync, and most clocks without an hSync.
const MOST_LINES: u64 = 1_100;
const MOST_PERIOD: u64 = 2_000;
/// Samples of the sound in a second: one for each line.
const LINES_A_SECOND: u32 = 31_250;
/// Addresses in page 0 that all official ROMs use alike: the interpreter's program
/// counter, link register and stack pointer.
const VPC: u16 = 0x0016;
const VLR: u16 = 0x001a;
const VSP: u16 = 0x001c;

/// The keys that a keyboard adapter has beside letters: name and code.
const KEYS: &[(&str, u8)] = &[
    ("ENTER", 10),
    ("DELETE", 127),
    ("TAB", 9),
    ("ESC", 27),
    ("SPACE", 32),
];

/// Where the buttons of the pad are that have no character.
const BUTTONS: &[(&str, &str)] = &[
    ("F1", "BUTTON A"),
    ("F2", "BUTTON B"),
    ("F3", "START"),
    ("F4", "SELECT"),
    ("Home", "BUTTON A"),
    ("End", "BUTTON B"),
];

/// Names of the codes 33 to 126: the characters themselves.
const CHARACTERS: &str = "!\"#$%&'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`\
     abcdefghijklmnopqrstuvwxyz{|}~";

/// CPU and what is connected to it.
#[derive(Clone)]
pub struct GigatronSimulation {
    cpu: Cpu,
    console: Console,
    breakpoints: Vec<u16>,
    expander: bool,
    watch: Option<Watch>,
    /// What a test has between the CPU and what is connected.
    probe: Option<Box<Probe>>,
}

/// Everything that is connected, with someone who watches the program.
struct Watched<'a> {
    console: &'a mut Console,
    watch: &'a mut Watch,
    /// The word that executes.
    at: u16,
}

impl Ports for Watched<'_> {
    const WATCHES: bool = true;

    #[inline(always)]
    fn word(&mut self, clock: u64, address: u16, ac: u8) {
        self.at = address;
        self.watch.word(clock, address, ac);
    }

    #[inline(always)]
    fn out(&mut self, clock: u64, old: u8, new: u8, ac: u8) {
        self.console.out(clock, old, new, ac);
        self.watch.out(clock, old, new, self.at);
    }

    #[inline(always)]
    fn input(&self) -> u8 {
        self.console.input()
    }
}

/// Everything that is connected, with the hand of a test in it.
struct Tested<'a> {
    console: &'a mut Console,
    probe: &'a mut Probe,
}

impl Ports for Tested<'_> {
    const NOTES: bool = true;

    fn reads(&mut self, address: u16) {
        self.probe.read(address);
    }

    fn writes(&mut self, address: u16) {
        self.probe.wrote(address);
    }

    fn fed(&mut self) -> Option<u8> {
        self.probe.input(0)
    }

    fn out(&mut self, clock: u64, old: u8, new: u8, ac: u8) {
        self.probe.output(0, new, clock);
        self.console.out(clock, old, new, ac);
    }

    fn input(&self) -> u8 {
        self.console.input()
    }
}

impl GigatronSimulation {
    /// A machine at power-on.
    ///
    /// # Errors
    /// The ROM has no size that an EPROM can have.
    pub fn new(rom: &[u8], memory: Memory) -> Result<Self, String> {
        Ok(Self {
            cpu: Cpu::new(rom, memory)?,
            console: Console::default(),
            breakpoints: Vec::new(),
            expander: memory == Memory::K128,
            watch: None,
            probe: None,
        })
    }

    /// Powers on with the program of `media`: a ROM, or a `.gt1` that is put into
    /// RAM when the ROM has booted.
    ///
    /// # Errors
    /// A ROM of a wrong size, a `.gt1` that is malformed or without a ROM.
    pub fn start(media: &Media, memory: Memory) -> Result<Self, String> {
        if media.container != "gt1" {
            let rom = media.rom.as_deref().unwrap_or(&media.program);
            return Self::new(rom, memory);
        }
        let rom = media.rom.as_deref();
        let rom = rom.ok_or("a .gt1 needs a ROM to run on: --rom FILE.rom")?;
        let (segments, start) = containers::segments(&media.program)?;
        let mut machine = Self::new(rom, memory)?;
        machine.cpu.run(&mut machine.console, BOOT_FRAMES * FRAME);
        machine.wait_for_frame()?;
        for (address, bytes) in segments {
            for (address, &byte) in (address..=0xffff).zip(bytes) {
                machine.cpu.poke(address, byte);
            }
        }
        if start != 0 {
            // The interpreter steps on by two before it fetches, inside of a page.
            let [high, low] = start.to_be_bytes();
            machine.cpu.poke(VPC, low.wrapping_sub(2));
            machine.cpu.poke(VPC + 1, high);
            machine.cpu.poke(VLR, low);
            machine.cpu.poke(VLR + 1, high);
            machine.cpu.poke(VSP, 0);
        }
        Ok(machine)
    }

    /// Runs to the next edge of vSync, when no ROM interprets.
    fn wait_for_frame(&mut self) -> Result<(), String> {
        let until = self.cpu.now() + 2 * FRAME;
        let high = |cpu: &Cpu| cpu.register(Register::Out) & VSYNC != 0;
        let mut before = high(&self.cpu);
        while self.cpu.now() < until {
            self.cpu.step(&mut self.console);
            let now = high(&self.cpu);
            if before && !now {
                return Ok(());
            }
            before = now;
        }
        Err("the ROM makes no picture, so it cannot be told when to load a .gt1".into())
    }

    /// Runs to a clock.
    fn advance(&mut self, until: u64) {
        let console = &mut self.console;
        match (&mut self.watch, &mut self.probe) {
            (_, Some(probe)) => self.cpu.run(&mut Tested { console, probe }, until),
            (None, None) => self.cpu.run(console, until),
            (Some(watch), None) => {
                let at = self.cpu.at();
                self.cpu.run(&mut Watched { console, watch, at }, until);
            }
        }
    }

    /// The CPU.
    pub fn cpu(&self) -> &Cpu {
        &self.cpu
    }

    /// What is connected to it.
    pub fn console(&self) -> &Console {
        &self.console
    }

    /// What is connected to it, to be used.
    pub fn console_mut(&mut self) -> &mut Console {
        &mut self.console
    }
}

/// The code of a key.
fn code(key: &str) -> Option<u8> {
    if let Some(&(_, code)) = KEYS.iter().find(|k| k.0 == key) {
        return Some(code);
    }
    match key.as_bytes() {
        &[byte] if (b' '..127).contains(&byte) => Some(byte),
        _ => None,
    }
}

/// The key for a typed character.
pub fn key_for(typed: char) -> Option<&'static str> {
    match typed {
        '\n' | '\r' => Some("ENTER"),
        ' ' => Some("SPACE"),
        '\t' => Some("TAB"),
        '\u{1b}' => Some("ESC"),
        '\u{8}' | '\u{7f}' => Some("DELETE"),
        '←' => Some("LEFT"),
        '→' => Some("RIGHT"),
        '↑' => Some("UP"),
        '↓' => Some("DOWN"),
        _ => {
            let at = CHARACTERS.find(typed)?;
            CHARACTERS.get(at..at + 1)
        }
    }
}

impl Simulation for GigatronSimulation {
    fn run(&mut self, cycles: u64) -> Stop {
        let until = self.cpu.now().saturating_add(cycles);
        if self.breakpoints.is_empty() {
            self.advance(until);
            return Stop::Cycles;
        }
        let mut first = true;
        while self.cpu.now() < until {
            // The instruction at a breakpoint it stopped at must get on.
            let at = self.cpu.at();
            if !first && self.breakpoints.contains(&at) {
                return Stop::Breakpoint(at.into());
            }
            first = false;
            self.advance(self.cpu.now() + 1);
        }
        Stop::Cycles
    }

    fn cycles(&self) -> u64 {
        self.cpu.now()
    }

    fn screen(&self) -> Screen {
        let mut rgb = Vec::with_capacity(3 * WIDE * COLUMNS * LINES);
        for line in self.console.picture.shown() {
            for &pixel in line {
                let channel = |shift: u8| (pixel >> shift & 3) * 85;
                let color = [channel(0), channel(2), channel(4)];
                for _ in 0..WIDE {
                    rgb.extend(color);
                }
            }
        }
        Screen {
            width: WIDE * COLUMNS,
            height: LINES,
            rgb,
            ..Screen::default()
        }
    }

    fn key(&mut self, key: &str, down: bool) -> Result<(), String> {
        let upper = key.to_ascii_uppercase();
        // Single letters are typed, also those that a button is called by.
        let button = Button::ALL
            .iter()
            .find(|b| b.0 == upper && b.0.len() > 1 || upper == format!("BUTTON {}", b.0));
        if let Some(&(_, button)) = button {
            self.console.input.button(button, down);
            return Ok(());
        }
        let named = if key.len() > 1 { &upper } else { key };
        let code = code(named).ok_or_else(|| {
            let buttons: Vec<&str> = Button::ALL.iter().map(|b| b.0).take(6).collect();
            let keys: Vec<&str> = KEYS.iter().map(|k| k.0).collect();
            format!(
                "there is no key {key}; there are the buttons {}, BUTTON A, BUTTON B, and of a \
                 keyboard {} and every ASCII character",
                buttons.join(", "),
                keys.join(", ")
            )
        })?;
        if down {
            self.console.input.typed(code);
        }
        Ok(())
    }

    fn key_for(&self, typed: char) -> Option<&'static str> {
        key_for(typed)
    }

    fn named_keys(&self) -> &'static [(&'static str, &'static str)] {
        BUTTONS
    }

    fn pc(&self) -> u64 {
        self.cpu.at().into()
    }

    fn registers(&self) -> Vec<(&'static str, u64)> {
        let r = |register| u64::from(self.cpu.register(register));
        vec![
            ("pc", self.cpu.at().into()),
            ("next", self.cpu.next().into()),
            ("ac", r(Register::Ac)),
            ("x", r(Register::X)),
            ("y", r(Register::Y)),
            ("out", r(Register::Out)),
            (
                "xout",
                u64::from(self.console.sound() << 4 | self.console.leds()),
            ),
            ("in", self.console.input().into()),
        ]
    }

    fn set_register(&mut self, name: &str, value: u64) -> bool {
        let register = match name.to_ascii_lowercase().as_str() {
            "pc" => {
                self.cpu.go(value as u16);
                return true;
            }
            "ac" => Register::Ac,
            "x" => Register::X,
            "y" => Register::Y,
            "out" => Register::Out,
            _ => return false,
        };
        self.cpu.set_register(register, value as u8);
        true
    }

    fn peek(&self, address: u64) -> u8 {
        self.cpu.peek(address as u16)
    }

    fn poke(&mut self, address: u64, value: u8) {
        self.cpu.poke(address as u16, value);
        if let Some(probe) = &mut self.probe {
            probe.wrote(address as u16);
        }
    }

    /// The CPU has no calls, and RAM is noise at power-on.
    fn attach(&mut self, probe: Probe) -> bool {
        self.probe = Some(Box::new(probe));
        true
    }

    fn probe(&mut self) -> Option<&mut Probe> {
        self.probe.as_deref_mut()
    }

    fn breakpoint(&mut self, address: u64, on: bool) {
        self.breakpoints.retain(|&b| u64::from(b) != address);
        if on && let Ok(address) = u16::try_from(address) {
            self.breakpoints.push(address);
        }
    }

    fn lowest_stack(&self) -> u64 {
        // The CPU has no stack; the interpreters of the ROMs keep theirs in RAM.
        0
    }

    fn lights(&self) -> Vec<(String, bool)> {
        let leds = self.console.leds();
        let one = |i: u8| (format!("LED {}", i + 1), leds >> i & 1 == 1);
        (0..4).map(one).collect()
    }

    fn record(&mut self) -> Option<u32> {
        self.console.record(true);
        Some(LINES_A_SECOND)
    }

    fn recorded(&mut self) -> Vec<u8> {
        // Four bits around the middle of eight.
        let samples = self.console.take_samples();
        samples.into_iter().map(|s| s * 16 + 8).collect()
    }

    fn notes(&self) -> Vec<String> {
        let mut notes = self.faults();
        let stained = self.console.picture.stained();
        if stained > 0 {
            notes.push(format!(
                "{stained} lines had colour beside the picture, where the screen must be dark"
            ));
        }
        if self.cpu.lost_commands() > 0 && !self.expander {
            notes.push(format!(
                "{} commands went to an expander that is not there; each wrote an undefined byte \
                 to RAM",
                self.cpu.lost_commands()
            ));
        }
        notes
    }

    fn faults(&self) -> Vec<String> {
        let sync = &self.console.sync;
        let mut faults = Vec::new();
        for kind in [
            BadKind::Period,
            BadKind::Width,
            BadKind::Lines,
            BadKind::Pulse,
        ] {
            let count = sync.count(kind);
            if let Some(first) = sync.bad().iter().find(|b| b.kind == kind) {
                faults.push(format!(
                    "{count} bad {}{}: the first, at clock {}, had {} {} instead of {}",
                    kind.name(),
                    if count == 1 { "" } else { "s" },
                    first.clock,
                    first.found,
                    kind.unit(),
                    first.wanted
                ));
            }
        }
        let clock = self.cpu.now();
        if clock >= SYNC_BY {
            let late = match sync.since_vsync() {
                None => Some("no vSync came, so there is no picture".to_owned()),
                Some(lines) if lines > MOST_LINES => {
                    Some(format!("no vSync came for {lines} lines"))
                }
                Some(_) => None,
            };
            faults.extend(late);
            if let (Some(fall), true) = (sync.fell(), sync.since_vsync().is_some())
                && clock - fall > MOST_PERIOD
            {
                faults.push(format!("no hSync came for {} clocks", clock - fall));
            }
        }
        faults
    }

    fn watch(&mut self, promises: &Promises) -> bool {
        let cpu = &self.cpu;
        self.watch = Watch::new(promises, |at| cpu.word(at));
        self.watch.is_some()
    }

    fn broken(&self) -> Vec<Broken> {
        self.watch.as_ref().map_or(Vec::new(), Watch::broken)
    }

    fn snapshot(&self) -> Box<dyn Simulation> {
        Box::new(self.clone())
    }
}
