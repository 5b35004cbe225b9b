//! A device that runs, with its parts.

use scrimp_isa::machine::Stop;
use scrimp_isa::probe::Probe;
use scrimp_isa::{Screen, Simulation};

use super::tested::Tested;
use super::view;
use crate::devices::{self, Device};
use crate::memories::{DATA, EEPROM};
use crate::parts::{Buzzer, Display, Keypad, Leds, Part, Terminal, buzzer};
use crate::peripherals::lines::Pin;
use crate::peripherals::{Peripherals, Reset};
use crate::sim::{Chip, Clock, Cpu, Io};

/// A device, its peripherals, and what hangs on its pins.
#[derive(Clone)]
pub struct AvrSimulation {
    pub(super) device: &'static Device,
    pub(super) cpu: Cpu,
    pub(super) io: Peripherals,
    /// Up to when the sound was asked for, in seconds.
    heard: f64,
    /// What a test has between CPU and peripherals.
    probe: Option<Box<Probe>>,
}

/// Names of registers, in the order of [`Simulation::registers`].
const REGISTERS: [&str; 32] = [
    "r0", "r1", "r2", "r3", "r4", "r5", "r6", "r7", "r8", "r9", "r10", "r11", "r12", "r13", "r14",
    "r15", "r16", "r17", "r18", "r19", "r20", "r21", "r22", "r23", "r24", "r25", "r26", "r27",
    "r28", "r29", "r30", "r31",
];
/// Pairs, with the number of their lower register.
const PAIRS: [(&str, u8); 3] = [("x", 26), ("y", 28), ("z", 30)];

impl AvrSimulation {
    /// A device by name, with empty flash, at power-on.
    ///
    /// # Errors
    /// There is no such device; the text names a near one.
    pub fn new(device: &str, hertz: u64) -> Result<Self, String> {
        let Some(found) = devices::find(device) else {
            let near = devices::near(device);
            let hint = near
                .first()
                .map_or(String::new(), |n| format!("; is {n} meant?"));
            return Err(format!("there is no device {device}{hint}"));
        };
        Ok(Self::of(found, hertz))
    }

    /// A device at power-on.
    #[must_use]
    pub fn of(device: &'static Device, hertz: u64) -> Self {
        Self {
            device,
            cpu: Cpu::new(Chip::of(device), &[]),
            io: Peripherals::new(device, hertz.max(1)),
            heard: 0.0,
            probe: None,
        }
    }

    /// Puts bytes at a linear address: flash from 0, EEPROM from `$810000`.
    ///
    /// # Errors
    /// They do not fit the device.
    pub fn load(&mut self, address: u64, bytes: &[u8]) -> Result<(), String> {
        let name = self.device.name;
        let eeprom = self.io.eeprom().len() as u64;
        let flash = self.cpu.flash().len() as u64;
        let end = address + bytes.len() as u64;
        match address {
            0..DATA if end > flash => Err(format!(
                "the program goes up to ${:X}, {} bytes past the end of the flash of {name}",
                end - 1,
                end - flash
            )),
            EEPROM..0x82_0000 if end - EEPROM > eeprom => Err(format!(
                "the EEPROM image goes up to ${:X}, {} bytes past the end of that of {name}",
                end - 1 - EEPROM,
                end - EEPROM - eeprom
            )),
            0..DATA => {
                self.cpu.load_flash(address as u32, bytes);
                Ok(())
            }
            _ => {
                for (at, &byte) in (address..).zip(bytes) {
                    self.poke(at, byte);
                }
                Ok(())
            }
        }
    }

    /// Attaches a part and gives its number.
    pub fn attach(&mut self, part: Part) -> usize {
        self.io.attach(part, self.cpu.now());
        self.io.parts().len() - 1
    }

    /// The device.
    #[must_use]
    pub fn device(&self) -> &'static Device {
        self.device
    }

    /// The CPU.
    #[must_use]
    pub fn cpu(&self) -> &Cpu {
        &self.cpu
    }

    /// The CPU, to set registers and memory.
    pub fn cpu_mut(&mut self) -> &mut Cpu {
        &mut self.cpu
    }

    /// The peripherals.
    #[must_use]
    pub fn peripherals(&self) -> &Peripherals {
        &self.io
    }

    /// The peripherals, to change what is around the chip.
    pub fn peripherals_mut(&mut self) -> &mut Peripherals {
        &mut self.io
    }

    /// The level of a pin.
    ///
    /// # Panics
    /// The name is not that of a pin.
    #[must_use]
    pub fn level(&self, pin: &str) -> bool {
        self.io
            .lines()
            .level(Pin::named(pin).expect("a pin such as PB0"))
    }

    /// Drives a pin from outside, or lets it go.
    ///
    /// # Panics
    /// The name is not that of a pin.
    pub fn drive(&mut self, pin: &str, level: Option<bool>) {
        let pin = Pin::named(pin).expect("a pin such as PB0");
        let now = self.cpu.now();
        self.io.outside(now, |lines| lines.drive(pin, level));
    }

    /// Pulls the reset line low for a moment.
    pub fn reset(&mut self) {
        let now = self.cpu.now();
        self.cpu.reset();
        self.io.reset_all(Reset::External, now);
    }

    fn parts<'a, T>(&'a self, pick: impl Fn(&'a Part) -> Option<T>) -> Option<T> {
        self.io.parts().iter().find_map(pick)
    }

    /// The first terminal.
    #[must_use]
    pub fn terminal(&self) -> Option<&Terminal> {
        self.parts(|p| match p {
            Part::Terminal(t) => Some(t),
            _ => None,
        })
    }

    /// The first keypad.
    #[must_use]
    pub fn keypad(&self) -> Option<&Keypad> {
        self.parts(|p| match p {
            Part::Keypad(k) => Some(k),
            _ => None,
        })
    }

    /// The first display.
    #[must_use]
    pub fn display(&self) -> Option<&Display> {
        self.parts(|p| match p {
            Part::Display(d) => Some(d),
            _ => None,
        })
    }

    /// The first buzzer.
    #[must_use]
    pub fn buzzer(&self) -> Option<&Buzzer> {
        self.parts(|p| match p {
            Part::Buzzer(b) => Some(b),
            _ => None,
        })
    }

    /// The first row of LEDs.
    #[must_use]
    pub fn leds(&self) -> Option<&Leds> {
        self.parts(|p| match p {
            Part::Leds(l) => Some(l),
            _ => None,
        })
    }

    /// What the chip sent to the terminal since the last call.
    pub fn take_text(&mut self) -> String {
        let bytes = self.with_terminal(Terminal::take).unwrap_or_default();
        bytes.into_iter().map(char::from).collect()
    }

    /// Everything that the chip sent to the terminal and that was not taken.
    #[must_use]
    pub fn text(&self) -> String {
        let bytes = self.terminal().map_or(&[][..], Terminal::received);
        bytes.iter().copied().map(char::from).collect()
    }

    /// Types a text at the terminal.
    pub fn type_text(&mut self, text: &str) {
        let now = self.cpu.now();
        self.with_terminal(|t| t.type_bytes(text.as_bytes(), now));
    }

    fn with_terminal<T>(&mut self, work: impl FnOnce(&mut Terminal) -> T) -> Option<T> {
        let parts = self.io.parts();
        let at = parts.iter().position(|p| matches!(p, Part::Terminal(_)))?;
        let now = self.cpu.now();
        self.io
            .with_part(at, now, |part, _| match part {
                Part::Terminal(t) => Some(work(t)),
                _ => None,
            })
            .flatten()
    }

    /// Runs until the chip has sent this text since the last [`Self::take_text`], or
    /// for so many clocks; tells whether it has.
    pub fn run_until_text(&mut self, text: &str, clocks: u64) -> bool {
        let end = self.cpu.now().saturating_add(clocks);
        loop {
            let sent = self.terminal().map_or(&[][..], Terminal::received);
            if sent.windows(text.len()).any(|w| w == text.as_bytes()) {
                return true;
            }
            let now = self.cpu.now();
            if now >= end || self.run((end - now).min(2000)) != Stop::Cycles {
                return false;
            }
        }
    }

    /// Presses a key for so many clocks and releases it for as many.
    ///
    /// # Errors
    /// No part has a key of that name.
    pub fn press(&mut self, key: &str, clocks: u64) -> Result<(), String> {
        self.key(key, true)?;
        self.run(clocks);
        self.key(key, false)?;
        self.run(clocks);
        Ok(())
    }

    /// A register of the I/O space by its name, without the effects of reading it.
    #[must_use]
    pub fn io_register(&self, name: &str) -> Option<u8> {
        let placed = self.device.register(name)?;
        Some(self.peek(DATA + u64::from(placed.address)))
    }

    fn peek_data(&self, address: u16) -> u8 {
        let chip = self.cpu.chip();
        if chip.core.maps_registers() && address < 0x20 {
            return self.cpu.register(address as u8);
        }
        match address.wrapping_sub(chip.stack()) {
            0 => self.cpu.sp() as u8,
            1 => (self.cpu.sp() >> 8) as u8,
            2 => self.cpu.sreg(),
            _ if chip.sram.contains(&u32::from(address)) => self.cpu.data(address),
            _ if chip.rampz == Some(address) => self.cpu.rampz(),
            _ if chip.eind == Some(address) => self.cpu.eind(),
            _ => self.io.peek(address, self.cpu.now()),
        }
    }

    fn poke_data(&mut self, address: u16, value: u8) {
        let chip = self.cpu.chip();
        let [low, high] = self.cpu.sp().to_le_bytes();
        let (rampz, eind, stack) = (chip.rampz, chip.eind, chip.stack());
        if chip.core.maps_registers() && address < 0x20 {
            self.cpu.set_register(address as u8, value);
        } else if chip.sram.contains(&u32::from(address)) {
            self.cpu.set_data(address, value);
        } else if address == stack {
            self.cpu.set_sp(u16::from_le_bytes([value, high]));
        } else if address == stack + 1 {
            self.cpu.set_sp(u16::from_le_bytes([low, value]));
        } else if address == stack + 2 {
            self.cpu.set_sreg(value);
        } else if rampz == Some(address) {
            self.cpu.set_rampz(value);
        } else if eind == Some(address) {
            self.cpu.set_eind(value);
        } else {
            self.io
                .write(address, value, &mut Clock::at(self.cpu.now()));
        }
    }
}

impl Simulation for AvrSimulation {
    fn run(&mut self, cycles: u64) -> Stop {
        let until = self.cpu.now().saturating_add(cycles);
        match &mut self.probe {
            None => self.cpu.run(&mut self.io, until),
            Some(probe) => {
                let io = &mut self.io;
                self.cpu.run(&mut Tested { io, probe }, until)
            }
        }
    }

    fn stack(&self) -> Option<u64> {
        Some(self.cpu.sp().into())
    }

    /// Where the stack pointer is 0, as it is at power-on on older parts, the stack begins
    /// at the end of SRAM.
    fn call(&mut self, to: u64, back: u64) -> bool {
        if self.cpu.sp() == 0 {
            let sram = self.device.sram;
            self.cpu
                .set_sp((sram.start + sram.size).wrapping_sub(1) as u16);
        }
        let word = back / 2;
        let bytes = if self.cpu.chip().wide() { 3 } else { 2 };
        for byte in word.to_le_bytes().into_iter().take(bytes) {
            let sp = self.cpu.sp();
            self.poke_data(sp, byte);
            if let Some(probe) = &mut self.probe {
                probe.wrote(sp);
            }
            self.cpu.set_sp(sp.wrapping_sub(1));
        }
        self.cpu.set_pc(to as u32);
        true
    }

    fn leave(&mut self) -> bool {
        let bytes = if self.cpu.chip().wide() { 3 } else { 2 };
        let mut to = 0;
        for _ in 0..bytes {
            let sp = self.cpu.sp().wrapping_add(1);
            self.cpu.set_sp(sp);
            to = to << 8 | u32::from(self.peek_data(sp));
        }
        self.cpu.set_pc(to * 2);
        true
    }

    fn drive(&mut self, pin: &str, level: Option<bool>) -> Result<(), String> {
        let found = Pin::named(pin).ok_or_else(|| format!("{pin} is no pin; PB0 is one"))?;
        let now = self.cpu.now();
        self.io.outside(now, |lines| lines.drive(found, level));
        Ok(())
    }

    fn level(&self, pin: &str) -> Option<bool> {
        Some(self.io.lines().level(Pin::named(pin)?))
    }

    /// Nothing of SRAM is written at power-on; what stands elsewhere is.
    fn attach(&mut self, mut probe: Probe) -> bool {
        let sram = self.device.sram;
        let outside = (0..=0xffff).filter(|a| !(sram.start..sram.start + sram.size).contains(a));
        for address in outside {
            probe.wrote(address as u16);
        }
        self.probe = Some(Box::new(probe));
        true
    }

    fn probe(&mut self) -> Option<&mut Probe> {
        self.probe.as_deref_mut()
    }

    fn cycles(&self) -> u64 {
        self.cpu.now()
    }

    fn clock(&self) -> Option<u64> {
        Some(self.io.hertz())
    }

    fn screen(&self) -> Screen {
        view::screen(self.io.parts())
    }

    fn key(&mut self, key: &str, down: bool) -> Result<(), String> {
        let now = self.cpu.now();
        for number in 0..self.io.parts().len() {
            let done = self
                .io
                .with_part(number, now, |p, lines| p.key(lines, key, down));
            if done == Some(true) {
                return Ok(());
            }
        }
        let all: Vec<String> = self.io.parts().iter().flat_map(Part::keys).collect();
        Err(match all.is_empty() {
            true => format!("there is no key {key}: nothing on the board has keys"),
            false => format!("there is no key {key}; there are: {}", all.join(", ")),
        })
    }

    fn key_for(&self, typed: char) -> Option<&'static str> {
        let name = view::key_name(typed)?;
        let mut keys = self.io.parts().iter().flat_map(Part::keys);
        keys.any(|k| k.eq_ignore_ascii_case(name)).then_some(name)
    }

    fn pc(&self) -> u64 {
        u64::from(self.cpu.pc())
    }

    fn registers(&self) -> Vec<(&'static str, u64)> {
        let mut all: Vec<_> = (0..32)
            .map(|i| (REGISTERS[usize::from(i)], u64::from(self.cpu.register(i))))
            .collect();
        for (name, low) in PAIRS {
            let bytes = [self.cpu.register(low), self.cpu.register(low + 1)];
            all.push((name, u64::from(u16::from_le_bytes(bytes))));
        }
        all.push(("sp", u64::from(self.cpu.sp())));
        all.push(("sreg", u64::from(self.cpu.sreg())));
        all.push(("pc", self.pc()));
        all
    }

    fn set_register(&mut self, name: &str, value: u64) -> bool {
        let lower = name.to_ascii_lowercase();
        if let Some(number) = REGISTERS.iter().position(|r| *r == lower) {
            self.cpu.set_register(number as u8, value as u8);
            return true;
        }
        if let Some((_, low)) = PAIRS.iter().find(|(n, _)| *n == lower) {
            self.cpu.set_register(*low, value as u8);
            self.cpu.set_register(low + 1, (value >> 8) as u8);
            return true;
        }
        match lower.as_str() {
            "sp" => self.cpu.set_sp(value as u16),
            "sreg" => self.cpu.set_sreg(value as u8),
            "pc" => self.cpu.set_pc(value as u32),
            _ => return false,
        }
        true
    }

    /// Linear addresses: flash from 0, data from `$800000`, EEPROM from `$810000`.
    fn peek(&self, address: u64) -> u8 {
        match address {
            0..DATA => {
                let byte = self.cpu.flash().get(address as usize);
                byte.copied().unwrap_or(0xff)
            }
            DATA..EEPROM => self.peek_data((address - DATA) as u16),
            EEPROM..0x82_0000 => {
                let byte = self.io.eeprom().get((address - EEPROM) as usize);
                byte.copied().unwrap_or(0xff)
            }
            _ => 0xff,
        }
    }

    fn poke(&mut self, address: u64, value: u8) {
        match address {
            0..DATA => self.cpu.set_flash(address as u32, value),
            DATA..EEPROM => {
                let at = (address - DATA) as u16;
                self.poke_data(at, value);
                if let Some(probe) = &mut self.probe {
                    probe.wrote(at);
                }
            }
            EEPROM..0x82_0000 => self.io.set_eeprom((address - EEPROM) as usize, value),
            _ => {}
        }
    }

    fn breakpoint(&mut self, address: u64, on: bool) {
        if let Ok(address) = u32::try_from(address) {
            self.cpu.breakpoint(address, on);
        }
    }

    fn lowest_stack(&self) -> u64 {
        match self.cpu.lowest_stack() {
            u16::MAX => u64::from(self.cpu.sp()),
            lowest => u64::from(lowest),
        }
    }

    fn type_serial(&mut self, bytes: &[u8]) -> bool {
        let now = self.cpu.now();
        self.with_terminal(|t| t.type_bytes(bytes, now)).is_some()
    }

    fn serial(&self) -> Option<&[u8]> {
        self.terminal().map(Terminal::received)
    }

    fn lights(&self) -> Vec<(String, bool)> {
        view::lights(self.io.parts())
    }

    fn panel(&self) -> Vec<String> {
        view::panel(self.io.parts())
    }

    fn record(&mut self) -> Option<u32> {
        let (now, hertz) = (self.cpu.now(), self.io.hertz());
        self.heard = self.buzzer()?.seconds(now, hertz);
        Some(buzzer::RATE)
    }

    fn recorded(&mut self) -> Vec<u8> {
        let (now, hertz) = (self.cpu.now(), self.io.hertz());
        let from = self.heard;
        let Some(buzzer) = self.buzzer() else {
            return Vec::new();
        };
        let to = buzzer.seconds(now, hertz);
        let samples = buzzer.samples(from, to);
        self.heard = to;
        samples
    }

    fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        let undefined = self.cpu.undefined();
        if undefined.count > 0 {
            notes.push(format!(
                "words that are no instruction were executed {} times, first at ${:04X}",
                undefined.count, undefined.first
            ));
        }
        let resets = self.io.resets();
        if resets > 0 {
            notes.push(format!("the watchdog reset the chip ({resets} times)"));
        }
        let sram = self.device.sram;
        let lowest = u32::from(self.cpu.lowest_stack());
        if sram.size > 0 && lowest < sram.start {
            notes.push(format!(
                "the stack went down to ${lowest:04X}, below the SRAM at ${:04X}",
                sram.start
            ));
        }
        if let Some((pin, times)) = self.io.lines().conflict() {
            notes.push(format!(
                "two sides drove a line against each other {times} times, first at {pin}"
            ));
        }
        let wrong: u64 = self.io.parts().iter().map(view::framing_errors).sum();
        if wrong > 0 {
            notes.push(format!(
                "the terminal saw {wrong} bytes without stop bit; is its rate that of the program?"
            ));
        }
        if self.device.modular() && self.device.core != devices::Core::AvrXt {
            notes.push(format!(
                "of the peripherals of {} only the ports are simulated, other registers keep what \
                 is written",
                self.device.name
            ));
        }
        notes
    }

    fn snapshot(&self) -> Box<dyn Simulation> {
        Box::new(self.clone())
    }
}
