//! The peripherals of the AVR parts, made from a device's data: the classic ones here, those
//! of the newest in `xt`; of the XMEGA there are the ports.
//!
//! [`Peripherals`] is the [`Io`] of a CPU. Which registers, bits, vectors and pins
//! there are comes from [`crate::devices`] by their names and from the table of pin
//! functions; what has another name or none on a part is looked for under both. Parts
//! that hang on the pins ([`crate::parts`]) belong to it too, so that they see each
//! change of a line with its clock.

mod analog;
mod build;
mod bus;
mod eeprom;
mod external;
mod flash;
mod io;
pub mod lines;
mod names;
mod pinout;
mod ports;
pub mod serial;
mod sources;
mod spi;
mod timer;
mod twi;
mod usart;
mod usi;
mod watchdog;
mod xt;

use std::sync::Arc;

use crate::devices::Device;
use crate::parts::Part;
use crate::sim::{Clock, Io, Request};
use analog::{Comparator, Converter};
use bus::{Bit, Bus, Group, Layout, NOWHERE};
use eeprom::Eeprom;
use external::External;
use flash::Writer;
use lines::{PORTS, Pin};
use names::Names;
pub use pinout::Pinout;
use ports::Strobe;
use sources::{Hidden, Units};
use spi::Spi;
use timer::Timer;
use twi::Twi;
use usart::Usart;
use usi::Usi;
use watchdog::Watchdog;
use xt::Xt;

/// Who answers for a register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reg {
    /// There is none: reads 0.
    None,
    /// Keeps what is written and has no other effect.
    Plain,
    Pin(u8),
    Direction(u8),
    Port(u8),
    /// As `Pin`, but nothing comes of a write.
    Levels(u8),
    StrobeDirection(u8, Strobe),
    StrobePort(u8, Strobe),
    PinControl(Pin),
    Timer(u8),
    Usart(u8),
    Eeprom,
    Watchdog,
    ClockPrescale,
    Usi,
    Spi,
    Twi,
    Converter,
    Comparator,
    Flash,
    /// One of the newer parts'.
    Newer,
    /// Bits of several units.
    Shared,
}

/// Why the chip was reset last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reset {
    /// Power came on.
    Power,
    /// The reset line was low.
    External,
    /// The watchdog ran out.
    Watchdog,
}

/// All peripherals of a device and what hangs on its pins.
#[derive(Clone, Debug)]
pub struct Peripherals {
    bus: Bus,
    registers: Arc<Vec<Reg>>,
    /// Single bits can be set in flag registers, and a one to PINx toggles.
    modern: bool,
    timers: Vec<Timer>,
    usarts: Vec<Usart>,
    eeprom: Option<Eeprom>,
    external: External,
    watchdog: Option<Watchdog>,
    usi: Option<Usi>,
    spi: Option<Spi>,
    twi: Option<Twi>,
    converter: Option<Converter>,
    comparator: Option<Comparator>,
    writer: Option<Writer>,
    newer: Option<Box<Xt>>,
    /// SE and SM bits, PUD, IVSEL.
    sleep_enable: Bit,
    sleep_mode: Group,
    pull_ups_off: Bit,
    vector_select: Bit,
    vector_change: Bit,
    vector_window: u64,
    boot: u32,
    prescale: Group,
    prescale_change: u16,
    prescale_window: u64,
    /// Clocks in a second before the prescaler.
    oscillator: u64,
    reset_flags: [Bit; 2],
    parts: Vec<Part>,
    next: u64,
    deep: bool,
    resets: u64,
    /// The clock of the last event.
    last: u64,
}

/// The pins that a USART sends and receives on after a reset.
#[must_use]
pub fn usart_pins(device: &Device, usart: u8) -> (Option<Pin>, Option<Pin>) {
    if device.core == crate::devices::Core::AvrXt {
        return xt::usart_pins(device, usart);
    }
    let pinout = Pinout::of(device.name);
    let pin = |name| pinout.pin(&format!("{name}{usart}"));
    (pin("TXD"), pin("RXD"))
}

impl Peripherals {
    /// Puts everything as it is after a reset.
    pub fn reset_all(&mut self, why: Reset, now: u64) {
        let causes = self.reset_flags.map(|b| self.bus.bit(b));
        self.bus.reset();
        self.bus.hertz = self.oscillator;
        for port in 0..PORTS as u8 {
            self.bus.lines.set_port(port, 0);
            self.bus.lines.set_direction(port, 0);
            if let Some(own) = self.bus.lines.own_pull_ups(port) {
                *own = 0;
            }
        }
        self.bus.lines.set_pull_ups_off(false);
        self.deep = false;
        for timer in &mut self.timers {
            timer.reset(now);
            timer.configure(&mut self.bus, now);
        }
        for usart in &mut self.usarts {
            usart.reset(&mut self.bus);
        }
        if let Some(eeprom) = &mut self.eeprom {
            eeprom.reset(&mut self.bus);
        }
        if let Some(usi) = &mut self.usi {
            usi.reset(&mut self.bus);
        }
        if let Some(spi) = &mut self.spi {
            spi.reset(&mut self.bus);
        }
        if let Some(twi) = &mut self.twi {
            twi.reset(&mut self.bus);
        }
        if let Some(converter) = &mut self.converter {
            converter.reset();
        }
        if let Some(writer) = &mut self.writer {
            writer.reset();
        }
        if why != Reset::Power {
            for (bit, on) in self.reset_flags.into_iter().zip(causes) {
                self.bus.set(bit, on);
            }
        }
        match why {
            Reset::Power => self.bus.set(self.reset_flags[0], true),
            Reset::External => self.bus.set(self.reset_flags[1], true),
            Reset::Watchdog => {}
        }
        if let Some(watchdog) = &mut self.watchdog {
            watchdog.reset(&mut self.bus, now);
        }
        if let Some(newer) = &mut self.newer {
            newer.reset(&mut self.bus, why, now);
        }
        self.settle(now);
        self.schedule();
    }

    /// How often it was reset, power-on aside.
    #[must_use]
    pub fn resets(&self) -> u64 {
        self.resets
    }

    /// CPU clocks in a second, as the clock prescaler is now.
    #[must_use]
    pub fn hertz(&self) -> u64 {
        self.bus.hertz
    }

    /// The lines.
    #[must_use]
    pub fn lines(&self) -> &lines::Lines {
        &self.bus.lines
    }

    /// Changes what is outside of the chip, from clock `now` on.
    pub fn outside(&mut self, now: u64, change: impl FnOnce(&mut lines::Lines)) {
        change(&mut self.bus.lines);
        self.settle(now);
        self.schedule();
    }

    /// The pin that a USART sends on.
    #[must_use]
    pub fn sends_on(&self, usart: usize) -> Option<Pin> {
        if let Some(newer) = &self.newer {
            return newer.lines(&self.bus).get(usart).and_then(|s| s.pins[0]);
        }
        self.usarts.get(usart).and_then(|u| u.txd)
    }

    /// The bytes of the EEPROM.
    #[must_use]
    pub fn eeprom(&self) -> &[u8] {
        if let Some(found) = self.newer.as_ref().and_then(|n| n.nvm()) {
            return found.0;
        }
        self.eeprom.as_ref().map_or(&[], |e| &e.bytes)
    }

    /// Sets a byte of the EEPROM.
    pub fn set_eeprom(&mut self, address: usize, value: u8) {
        if let Some(newer) = &mut self.newer
            && let Some(byte) = newer.eeprom_byte(address)
        {
            *byte = value;
        }
        if let Some(byte) = self.eeprom.as_mut().and_then(|e| e.bytes.get_mut(address)) {
            *byte = value;
        }
    }

    /// Bytes written to the EEPROM by the program.
    #[must_use]
    pub fn eeprom_writes(&self) -> u64 {
        if let Some(found) = self.newer.as_ref().and_then(|n| n.nvm()) {
            return found.1;
        }
        self.eeprom.as_ref().map_or(0, |e| e.writes)
    }

    /// Attaches a part.
    pub fn attach(&mut self, mut part: Part, now: u64) {
        part.attach(&mut self.bus.lines);
        self.parts.push(part);
        self.settle(now);
        self.schedule();
    }

    /// The parts in the order they were attached.
    #[must_use]
    pub fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// Does something with a part; lines it drives are looked at then.
    pub fn with_part<T>(
        &mut self,
        number: usize,
        now: u64,
        work: impl FnOnce(&mut Part, &mut lines::Lines) -> T,
    ) -> Option<T> {
        let part = self.parts.get_mut(number)?;
        let out = work(part, &mut self.bus.lines);
        self.settle(now);
        self.schedule();
        Some(out)
    }

    /// A register without the effects that reading it has.
    #[must_use]
    pub fn peek(&self, address: u16, now: u64) -> u8 {
        match self.registers.get(usize::from(address)) {
            None | Some(Reg::None) => 0,
            Some(Reg::Plain | Reg::Watchdog | Reg::ClockPrescale) => self.bus.get(address),
            // What a read would change must not stay changed.
            Some(_) => self.clone().read(address, &mut Clock::at(now)),
        }
    }

    /// Computes the lines, and tells those who watch, until nothing changes.
    fn settle(&mut self, since: u64) {
        // Parts answer to each other a few times at most; more would be a ring.
        for _ in 0..16 {
            if !self.bus.lines.dirty() {
                return;
            }
            let changed = self.bus.lines.settle(since);
            for part in &mut self.parts {
                // Light is a matter of who drives, which changes without a level.
                if let Part::Leds(leds) = part {
                    leds.look(&self.bus.lines);
                }
            }
            if changed == [0; PORTS] {
                continue;
            }
            self.external.changed(&mut self.bus, &changed);
            for timer in &mut self.timers {
                timer.changed(&mut self.bus, &changed, since);
            }
            for usart in &mut self.usarts {
                usart.changed(&self.bus, &changed, since);
            }
            if let Some(usi) = &mut self.usi {
                usi.changed(&mut self.bus, &changed);
            }
            if let Some(spi) = &mut self.spi {
                spi.changed(&mut self.bus, &changed);
            }
            if let Some(twi) = &mut self.twi {
                twi.changed(&mut self.bus, &changed, since);
            }
            if let Some(newer) = &mut self.newer {
                newer.changed(&mut self.bus, &changed, since);
            }
            self.compare(since);
            for part in &mut self.parts {
                part.changed(&mut self.bus.lines, &changed, since, self.bus.hertz);
            }
        }
    }

    /// The comparator looks at its inputs.
    fn compare(&mut self, now: u64) {
        let Some(comparator) = &mut self.comparator else {
            return;
        };
        if let Some(rising) = comparator.look(&mut self.bus)
            && let Some(timer) = self.timers.iter_mut().find(|t| t.number == 1)
        {
            timer.capture(&mut self.bus, rising, now);
        }
    }

    /// Sets what a channel of the converter measures, of 1023.
    pub fn set_analog(&mut self, channel: usize, value: u16) {
        if let Some(c) = &mut self.converter
            && let Some(v) = c.values.get_mut(channel)
        {
            *v = value;
        }
    }

    /// Sets whether the comparator's positive input is the higher one; nothing lets
    /// the levels of its pins tell.
    pub fn set_comparator(&mut self, higher: Option<bool>, now: u64) {
        if let Some(c) = &mut self.comparator {
            c.forced = higher;
        }
        self.compare(now);
        self.schedule();
    }

    /// What timers did that others wait for.
    fn pass_on(&mut self) {
        let Some(usi) = &mut self.usi else { return };
        let by_timer = usi.by_timer(&self.bus);
        if let Some(timer) = self.timers.iter_mut().find(|t| t.number == 0) {
            timer.watch(&self.bus, by_timer);
            if timer.happened() & timer::Flag::CompareA as u8 != 0 && by_timer {
                usi.matched(&mut self.bus);
            }
        }
    }

    /// Finds out when something is due next.
    fn schedule(&mut self) {
        let mut next = u64::MAX;
        for timer in &self.timers {
            next = next.min(timer.next);
        }
        for usart in &self.usarts {
            next = next.min(usart.next());
        }
        if let Some(eeprom) = &self.eeprom {
            next = next.min(eeprom.done);
        }
        if let Some(watchdog) = &self.watchdog {
            next = next.min(watchdog.next);
        }
        if let Some(spi) = &self.spi {
            next = next.min(spi.next);
        }
        if let Some(twi) = &self.twi {
            next = next.min(twi.next);
        }
        if let Some(converter) = &self.converter {
            next = next.min(converter.next);
        }
        if let Some(newer) = &self.newer {
            next = next.min(newer.next);
        }
        for part in &self.parts {
            next = next.min(part.next());
        }
        self.next = next;
    }

    /// Does what is due up to a clock, each at its own.
    fn catch_up(&mut self, now: u64) {
        while self.next <= now {
            let at = self.next;
            self.last = at;
            for i in 0..self.timers.len() {
                if self.timers[i].next <= at {
                    self.timers[i].event(&mut self.bus);
                }
            }
            self.pass_on();
            if let Some(spi) = &mut self.spi
                && spi.next <= at
            {
                spi.event(&mut self.bus);
            }
            if let Some(twi) = &mut self.twi
                && twi.next <= at
            {
                twi.event(&mut self.bus);
            }
            if let Some(converter) = &mut self.converter
                && converter.next <= at
            {
                converter.event(&mut self.bus);
            }
            for usart in &mut self.usarts {
                if usart.next() <= at {
                    usart.event(&mut self.bus, at);
                }
            }
            if let Some(eeprom) = &mut self.eeprom
                && eeprom.done <= at
            {
                eeprom.event(&mut self.bus);
            }
            if let Some(watchdog) = &mut self.watchdog
                && watchdog.next <= at
            {
                watchdog.event(&mut self.bus);
            }
            if let Some(newer) = &mut self.newer
                && newer.next <= at
            {
                newer.event(&mut self.bus, at);
            }
            for part in &mut self.parts {
                if part.next() <= at {
                    part.event(&mut self.bus.lines, at, self.bus.hertz);
                }
            }
            self.settle(at);
            self.schedule();
        }
    }

    /// Registers with bits of several units: all timers are brought up first.
    fn shared(&mut self, address: u16, now: u64, work: impl FnOnce(&mut Bus)) {
        for timer in &mut self.timers {
            timer.advance(&mut self.bus, now);
        }
        let select = self.bus.bit(self.vector_select);
        work(&mut self.bus);
        if self.vector_select.address == address && self.vector_select.exists() {
            self.select_vectors(select, now);
        }
        let mut held = Vec::new();
        for timer in &mut self.timers {
            // What counts up to then counts as it did.
            timer.advance(&mut self.bus, now + 1);
            if timer.restart(&mut self.bus, now + 1) {
                held.push(timer.reset_bit());
            }
            timer.configure(&mut self.bus, now + 1);
        }
        for (bit, hold) in held {
            if !self.bus.bit(hold) {
                self.bus.set(bit, false);
            }
        }
        self.external.look(&mut self.bus);
        let off = self.bus.bit(self.pull_ups_off);
        self.bus.lines.set_pull_ups_off(off);
    }

    /// IVSEL changes only within four clocks of IVCE.
    fn select_vectors(&mut self, before: bool, now: u64) {
        if self.bus.bit(self.vector_change) {
            self.vector_window = now + 4;
            self.bus.set(self.vector_change, false);
            self.bus.set(self.vector_select, before);
        } else if now > self.vector_window {
            self.bus.set(self.vector_select, before);
        }
        self.bus.vectors = if self.bus.bit(self.vector_select) {
            self.boot
        } else {
            0
        };
    }

    /// CLKPR: the enabling bit, then within four clocks the division.
    fn prescale(&mut self, value: u8, now: u64) {
        if value == 0x80 {
            self.prescale_window = now + 4;
        } else if value & 0x80 == 0 && now <= self.prescale_window {
            self.bus.put(self.prescale_change, value & 0x0f);
            self.bus.hertz = (self.oscillator >> self.bus.group(&self.prescale).min(8)).max(1);
        }
    }

    fn freeze(&mut self, frozen: bool, now: u64) {
        self.deep = frozen;
        for timer in &mut self.timers {
            timer.freeze(&mut self.bus, frozen, now);
        }
        self.schedule();
    }
}
