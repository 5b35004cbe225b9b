//! The peripherals of the classic AVR parts, made from a device's data.
//!
//! [`Peripherals`] is the [`Io`] of a CPU. Which registers, bits, vectors and pins
//! there are comes from [`crate::devices`] by their names and from the table of pin
//! functions; what has another name or none on a part is looked for under both. Parts
//! that hang on the pins ([`crate::parts`]) belong to it too, so that they see each
//! change of a line with its clock.

mod bus;
mod eeprom;
mod external;
pub mod lines;
mod names;
mod pinout;
pub mod serial;
mod sources;
mod timer;
mod usart;
mod watchdog;

use std::sync::Arc;

use crate::devices::Device;
use crate::parts::Part;
use crate::sim::{Clock, Io, Request};
use bus::{Bit, Bus, Group, Layout, NOWHERE};
use eeprom::Eeprom;
use external::External;
use lines::{PORTS, Pin};
use names::Names;
pub use pinout::Pinout;
use sources::{Hidden, Units};
use timer::Timer;
use usart::Usart;
use watchdog::Watchdog;

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
    Timer(u8),
    Usart(u8),
    Eeprom,
    Watchdog,
    ClockPrescale,
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

impl Peripherals {
    /// Those of a device at power-on, with a clock of so many hertz.
    #[must_use]
    pub fn new(device: &'static Device, hertz: u64) -> Self {
        let names = Names::of(device);
        let pinout = Pinout::of(device.name);
        let known = !device.modular();
        let io = if known {
            (device.io.start + device.io.size) as usize
        } else {
            0x2000
        };
        // Two bits for flags without a register stand behind the others.
        let hidden = Hidden {
            eeprom: Bit {
                address: io as u16,
                mask: 1,
            },
            external: Bit {
                address: io as u16,
                mask: 2,
            },
        };
        let classic = device.core == crate::devices::Core::Avr;
        let timers: Vec<Timer> = (0..6)
            .filter_map(|n| Timer::find(&names, pinout, n, classic))
            .filter(|_| known)
            .collect();
        let usarts: Vec<(u8, Usart)> = (0..4)
            .filter_map(|n| Some((n, Usart::find(&names, pinout, n)?)))
            .filter(|_| known)
            .collect();
        let mut bus = Bus::new(io + 1, hertz);
        let units = Units {
            names: &names,
            hidden,
            timers: &timers,
            usarts: &usarts,
        };
        let mut layout = Layout {
            vector_words: device.vector_bytes.max(2) / 2,
            by_register: vec![0; io + 1],
            writable: vec![0xff; io + 1],
            clears: vec![0; io + 1],
            sources: Vec::new(),
        };
        let mut vectors: Vec<_> = device.vectors.iter().filter(|_| known).collect();
        vectors.sort_by_key(|v| v.number);
        for vector in vectors {
            let number = u8::try_from(vector.number).unwrap_or(0);
            if let Some(source) = units.source(number, vector.name)
                && layout.sources.len() < 64
                && !layout.sources.iter().any(|s| s.vector == number)
            {
                layout.sources.push(source);
            }
        }
        for (i, s) in layout.sources.iter().enumerate() {
            layout.by_register[usize::from(s.flag.address)] |= 1 << i;
            layout.by_register[usize::from(s.enable.address)] |= 1 << i;
            // What hardware clears, and the flags of the USI, a one clears.
            layout.writable[usize::from(s.flag.address)] &= !s.flag.mask;
            if s.flag != hidden.eeprom && s.flag != hidden.external {
                layout.clears[usize::from(s.flag.address)] |= s.flag.mask;
            }
        }
        for (_, usart) in &usarts {
            let (status, writable, clears) = usart.status_bits();
            if status != NOWHERE {
                layout.writable[usize::from(status)] = writable;
                layout.clears[usize::from(status)] = clears;
            }
            let (control, writable) = usart.control_bits();
            if control != NOWHERE {
                layout.writable[usize::from(control)] = writable;
            }
        }
        let usarts: Vec<Usart> = usarts.into_iter().map(|(_, u)| u).collect();
        let eeprom =
            Eeprom::find(&names, device.eeprom.size, classic, hidden.eeprom).filter(|_| known);
        let watchdog = Watchdog::find(&names).filter(|_| known);
        let mut registers = vec![if known { Reg::None } else { Reg::Plain }; io + 1];
        // What several units have bits in, then who has a register alone.
        let mut owners = vec![0u8; io + 1];
        for placed in device.registers().iter().filter(|_| known) {
            let size = placed.register.size.max(1);
            for address in placed.address..placed.address + size {
                if let Some(r) = registers.get_mut(address as usize) {
                    *r = if placed.register.fields.is_empty() {
                        Reg::Plain
                    } else {
                        Reg::Shared
                    };
                    owners[address as usize] = owners[address as usize].saturating_add(1);
                }
            }
        }
        let mut own = |addresses: &[u16], reg: Reg| {
            for &address in addresses {
                if let Some(r) = registers.get_mut(usize::from(address)) {
                    *r = reg;
                }
            }
        };
        for (i, timer) in timers.iter().enumerate() {
            let mine: Vec<u16> = timer
                .addresses()
                .into_iter()
                .filter(|&a| owners.get(usize::from(a)).is_some_and(|&n| n == 1))
                .collect();
            own(&mine, Reg::Timer(i as u8));
        }
        for (i, usart) in usarts.iter().enumerate() {
            own(&usart.addresses(), Reg::Usart(i as u8));
        }
        if let Some(eeprom) = &eeprom {
            own(&eeprom.addresses(), Reg::Eeprom);
        }
        if let Some(watchdog) = &watchdog {
            own(&[watchdog.control], Reg::Watchdog);
        }
        for port in 0..PORTS as u8 {
            let letter = char::from(b'A' + port);
            let value = device.register(&format!("PORT{letter}")).filter(|_| known);
            let address = |name: &str| names.address(&[&format!("{name}{letter}")]);
            let Some(placed) = value else { continue };
            let mask = match placed.register.mask as u8 {
                0 => 0xff,
                mask => mask,
            };
            bus.lines.set_pins(port, mask);
            own(&[address("PORT")], Reg::Port(port));
            own(&[address("DDR")], Reg::Direction(port));
            own(&[address("PIN")], Reg::Pin(port));
        }
        let prescale_change = names.address(&["CLKPR"]);
        own(&[prescale_change], Reg::ClockPrescale);
        bus.layout = Arc::new(layout);
        // ATmega162 has a prescaler for the clock, but the ports of the older ones.
        let modern = prescale_change != NOWHERE && device.name != "ATmega162";
        let boot = device.flash.boot.iter().max().copied().unwrap_or(0);
        let mut all = Self {
            registers: Arc::new(registers),
            modern,
            timers,
            usarts,
            eeprom,
            external: External::find(&names, pinout, hidden.external),
            watchdog,
            sleep_enable: names.bit(&["SE"]),
            sleep_mode: names.group("SM"),
            pull_ups_off: names.bit(&["PUD"]),
            vector_select: names.bit(&["IVSEL"]),
            vector_change: names.bit(&["IVCE"]),
            vector_window: 0,
            boot: (device.flash.size - boot.min(device.flash.size)) / 2,
            prescale: names.group("CLKPS"),
            prescale_change,
            prescale_window: 0,
            oscillator: hertz,
            reset_flags: [names.bit(&["PORF"]), names.bit(&["EXTRF"])],
            parts: Vec::new(),
            next: u64::MAX,
            deep: false,
            resets: 0,
            last: 0,
            bus,
        };
        all.reset_all(Reset::Power, 0);
        all
    }

    /// Puts everything as it is after a reset.
    pub fn reset_all(&mut self, why: Reset, now: u64) {
        let causes = self.reset_flags.map(|b| self.bus.bit(b));
        self.bus.reset();
        self.bus.hertz = self.oscillator;
        for port in 0..PORTS as u8 {
            self.bus.lines.set_port(port, 0);
            self.bus.lines.set_direction(port, 0);
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
        self.usarts.get(usart).and_then(|u| u.txd)
    }

    /// The bytes of the EEPROM.
    #[must_use]
    pub fn eeprom(&self) -> &[u8] {
        self.eeprom.as_ref().map_or(&[], |e| &e.bytes)
    }

    /// Sets a byte of the EEPROM.
    pub fn set_eeprom(&mut self, address: usize, value: u8) {
        if let Some(byte) = self.eeprom.as_mut().and_then(|e| e.bytes.get_mut(address)) {
            *byte = value;
        }
    }

    /// Bytes written to the EEPROM by the program.
    #[must_use]
    pub fn eeprom_writes(&self) -> u64 {
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
            for part in &mut self.parts {
                part.changed(&mut self.bus.lines, &changed, since, self.bus.hertz);
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

impl Io for Peripherals {
    fn read(&mut self, address: u16, clock: &mut Clock) -> u8 {
        let now = clock.now();
        if self.next <= now {
            self.catch_up(now);
        }
        let Some(&reg) = self.registers.get(usize::from(address)) else {
            return 0;
        };
        match reg {
            Reg::None => 0,
            Reg::Plain | Reg::ClockPrescale => self.bus.get(address),
            Reg::Pin(port) => self.bus.lines.read(port, now),
            Reg::Direction(port) => self.bus.lines.direction(port),
            Reg::Port(port) => self.bus.lines.port(port),
            Reg::Timer(i) => self.timers[usize::from(i)].read(&mut self.bus, address, now),
            Reg::Usart(i) => self.usarts[usize::from(i)].read(&mut self.bus, address, now),
            Reg::Eeprom => match &self.eeprom {
                Some(eeprom) => eeprom.read(&self.bus, address, now),
                None => 0,
            },
            Reg::Watchdog => match &self.watchdog {
                Some(watchdog) => watchdog.read(&self.bus, now),
                None => 0,
            },
            Reg::Shared => {
                for timer in &mut self.timers {
                    timer.advance(&mut self.bus, now);
                }
                self.bus.get(address)
            }
        }
    }

    fn write(&mut self, address: u16, value: u8, clock: &mut Clock) {
        let now = clock.now();
        if self.next <= now {
            self.catch_up(now);
        }
        let Some(&reg) = self.registers.get(usize::from(address)) else {
            return;
        };
        match reg {
            Reg::None => return,
            Reg::Plain => {
                self.bus.store(address, value);
                return;
            }
            Reg::Pin(port) => {
                if self.modern {
                    let old = self.bus.lines.port(port);
                    self.bus
                        .lines
                        .set_port(port, old ^ value & self.bus.lines.pins(port));
                }
            }
            Reg::Direction(port) => {
                let pins = self.bus.lines.pins(port);
                self.bus.lines.set_direction(port, value & pins);
            }
            Reg::Port(port) => {
                let pins = self.bus.lines.pins(port);
                self.bus.lines.set_port(port, value & pins);
            }
            Reg::Timer(i) => self.timers[usize::from(i)].write(&mut self.bus, address, value, now),
            Reg::Usart(i) => {
                let usart = &mut self.usarts[usize::from(i)];
                usart.write(&mut self.bus, address, value, now);
                for part in &mut self.parts {
                    if let Part::Terminal(t) = part {
                        t.follow(usart.txd, usart.bit(&self.bus));
                    }
                }
            }
            Reg::Eeprom => {
                if let Some(eeprom) = &mut self.eeprom {
                    clock.wait(eeprom.write(&mut self.bus, address, value, now));
                }
            }
            Reg::Watchdog => {
                if let Some(watchdog) = &mut self.watchdog {
                    watchdog.write(&mut self.bus, value, now);
                }
            }
            Reg::ClockPrescale => self.prescale(value, now),
            Reg::Shared => self.shared(address, now, |bus| bus.store(address, value)),
        }
        if self.bus.lines.dirty() {
            self.settle(now + 1);
        }
        self.schedule();
    }

    fn set_bit(&mut self, address: u16, bit: u8, on: bool, clock: &mut Clock) {
        let at = usize::from(address);
        let clears = self.bus.layout.clears.get(at).copied().unwrap_or(0);
        let reg = self.registers.get(at).copied().unwrap_or(Reg::None);
        if self.modern && (clears != 0 || matches!(reg, Reg::Pin(_))) {
            // Only this bit is written; the flags beside it stay.
            let mask = 1 << bit;
            let others = match reg {
                Reg::Pin(_) => 0,
                _ => self.read(address, clock) & !clears & !mask,
            };
            self.write(address, others | if on { mask } else { 0 }, clock);
            return;
        }
        let old = self.read(address, clock);
        let new = old & !(1 << bit) | u8::from(on) << bit;
        self.write(address, new, clock);
    }

    fn next_event(&self) -> u64 {
        self.next
    }

    fn event(&mut self, now: u64) {
        self.catch_up(now);
    }

    fn interrupt(&self) -> Option<Request> {
        self.bus.request()
    }

    fn acknowledge(&mut self, vector: u8, now: u64) {
        if self.deep {
            self.freeze(false, now);
        }
        self.bus.acknowledge(vector);
        for timer in &mut self.timers {
            timer.renew(&self.bus);
        }
        self.schedule();
    }

    fn sleep(&mut self, now: u64) -> bool {
        if !self.bus.bit(self.sleep_enable) {
            return false;
        }
        // Idle keeps all clocks, ADC noise reduction (1) stops that of the I/O.
        if self.bus.group(&self.sleep_mode) != 0 {
            self.freeze(true, now);
        }
        true
    }

    fn watchdog(&mut self, now: u64) {
        if let Some(watchdog) = &mut self.watchdog {
            watchdog.restart(&self.bus, now);
            self.schedule();
        }
    }

    fn reset(&mut self) -> bool {
        let bites = self.watchdog.as_ref().is_some_and(|w| w.bites);
        if bites {
            self.resets += 1;
            let now = self.last;
            self.reset_all(Reset::Watchdog, now);
        }
        bites
    }
}
