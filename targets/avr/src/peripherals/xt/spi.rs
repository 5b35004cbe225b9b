//! SPI, host and client, with and without buffers.

use super::regs::{Asks, Regs};
use super::routes::Route;
use crate::peripherals::bus::{Bus, NOWHERE};
use crate::peripherals::lines::{PORTS, Pin};

/// CTRLA.
const ENABLE: u8 = 0x01;
const DOUBLE: u8 = 0x10;
const HOST: u8 = 0x20;
const LSB_FIRST: u8 = 0x40;
/// CTRLB.
const BUFFERS: u8 = 0x80;
const ALONE: u8 = 0x04;
/// INTFLAGS without buffers.
const DONE: u8 = 0x80;
const COLLISION: u8 = 0x40;
/// With buffers; the enabling bits of the first four are the same.
const RECEIVED: u8 = 0x80;
const SENT: u8 = 0x40;
const EMPTY: u8 = 0x20;
const SELECTED: u8 = 0x10;
const OVERFLOW: u8 = 0x01;

/// An SPI.
#[derive(Clone, Debug)]
pub(super) struct Spi {
    base: u16,
    vector: u8,
    route: Route,
    taken: [Option<Pin>; 2],
    out: u8,
    received: u8,
    halves: u8,
    half: u64,
    /// What is to be sent next, and what came and was not read.
    waiting: Option<u8>,
    fifo: Vec<u8>,
    seen: bool,
    selected: bool,
    next: u64,
}

impl Spi {
    pub fn of(regs: &Regs<'_>, name: &str) -> Option<Self> {
        let base = regs.at(&format!("{name}_CTRLA"));
        (base != NOWHERE).then(|| Self {
            base,
            vector: regs.vector(&format!("{name}_INT")),
            route: Route::of(regs, name),
            taken: [None; 2],
            out: 0,
            received: 0,
            halves: 16,
            half: 2,
            waiting: None,
            fifo: Vec::new(),
            seen: false,
            selected: false,
            next: u64::MAX,
        })
    }

    pub fn registers(&self) -> Vec<u16> {
        (self.base..self.base + 5).collect()
    }

    pub fn reset(&mut self, bus: &mut Bus) {
        (self.halves, self.next) = (16, u64::MAX);
        (self.waiting, self.seen, self.selected) = (None, false, false);
        self.fifo.clear();
        self.drive(bus);
    }

    fn get(&self, bus: &Bus, register: u16) -> u8 {
        bus.get(self.base + register)
    }

    fn control(&self, bus: &Bus, mask: u8) -> bool {
        self.get(bus, 0) & mask != 0
    }

    fn buffers(&self, bus: &Bus) -> bool {
        self.get(bus, 1) & BUFFERS != 0
    }

    fn flag(&self, bus: &mut Bus, flags: u8, on: bool) {
        let old = self.get(bus, 3);
        bus.put(self.base + 3, if on { old | flags } else { old & !flags });
    }

    /// The line that selects a client is low.
    fn chosen(&self, bus: &Bus) -> bool {
        self.route.pins(bus)[3].is_some_and(|p| !bus.lines.level(p))
    }

    pub fn drive(&mut self, bus: &mut Bus) {
        let (on, host) = (self.control(bus, ENABLE), self.control(bus, HOST));
        let pins = self.route.pins(bus);
        let bit = if self.control(bus, LSB_FIRST) {
            1
        } else {
            0x80
        };
        let data = self.out & bit != 0;
        let idle = self.get(bus, 1) & 2 != 0;
        let wanted = match (on, host) {
            (false, _) => [(None, false); 2],
            (true, true) => [(pins[0], data), (pins[2], idle ^ (self.halves % 2 == 1))],
            (true, false) => [(pins[1].filter(|_| self.chosen(bus)), data), (None, false)],
        };
        for (taken, (pin, level)) in self.taken.iter_mut().zip(wanted) {
            if let Some(old) = taken.filter(|_| *taken != pin) {
                bus.lines.override_value(old, None);
                bus.lines.override_direction(old, None);
            }
            *taken = pin;
            if let Some(pin) = pin {
                bus.lines.override_value(pin, Some(level));
            }
        }
    }

    fn begin(&mut self, bus: &Bus, value: u8, now: u64) {
        let clocks = [4, 16, 64, 128][usize::from(self.get(bus, 0) >> 1 & 3)];
        self.half = if self.control(bus, DOUBLE) {
            clocks / 4
        } else {
            clocks / 2
        };
        self.out = value;
        self.halves = 0;
        self.next = now + self.half;
    }

    pub fn read(&mut self, bus: &mut Bus, address: u16) -> u8 {
        match address - self.base {
            3 => {
                self.seen |= self.get(bus, 3) & (DONE | COLLISION) != 0;
                self.get(bus, 3)
            }
            4 if self.buffers(bus) => {
                let front = self.fifo.first().copied().unwrap_or(0);
                if !self.fifo.is_empty() {
                    self.fifo.remove(0);
                }
                self.flag(bus, OVERFLOW, false);
                self.note(bus);
                front
            }
            4 => {
                self.touch(bus);
                self.received
            }
            _ => bus.get(address),
        }
    }

    /// Reading the flags and then the data clears them.
    fn touch(&mut self, bus: &mut Bus) {
        if std::mem::take(&mut self.seen) && !self.buffers(bus) {
            self.flag(bus, DONE | COLLISION, false);
        }
    }

    fn note(&self, bus: &mut Bus) {
        if self.buffers(bus) {
            self.flag(bus, RECEIVED, !self.fifo.is_empty());
            self.flag(
                bus,
                EMPTY,
                self.waiting.is_none() && self.control(bus, ENABLE),
            );
        }
    }

    pub fn write(&mut self, bus: &mut Bus, address: u16, value: u8, now: u64) {
        match address - self.base {
            3 => {
                let clears = match self.buffers(bus) {
                    true => SENT | SELECTED | OVERFLOW,
                    false => DONE | COLLISION,
                };
                self.flag(bus, value & clears, false);
            }
            4 => self.send(bus, value, now),
            _ => {
                bus.put(address, value);
                self.selected = self.chosen(bus);
            }
        }
        self.note(bus);
        self.drive(bus);
    }

    fn send(&mut self, bus: &mut Bus, value: u8, now: u64) {
        let (host, buffers) = (self.control(bus, HOST), self.buffers(bus));
        self.touch(bus);
        if !self.control(bus, ENABLE) {
            return;
        }
        let busy = self.next != u64::MAX || !host && self.halves > 0 && self.halves < 16;
        if busy && !buffers {
            self.flag(bus, COLLISION, true);
        } else if busy || buffers && !host && self.selected {
            self.waiting = Some(value);
        } else if host {
            self.begin(bus, value, now + 1);
        } else {
            self.out = value;
        }
    }

    /// An edge of the clock; `second` is the one that ends a bit's cycle.
    fn edge(&mut self, bus: &Bus, second: bool) {
        let lsb = self.control(bus, LSB_FIRST);
        let late = self.get(bus, 1) & 1 != 0;
        if second == late {
            let pins = self.route.pins(bus);
            let input = if self.control(bus, HOST) {
                pins[1]
            } else {
                pins[0]
            };
            let bit = u8::from(bus.level(input));
            self.received = match lsb {
                true => self.received >> 1 | bit << 7,
                false => self.received << 1 | bit,
            };
        } else if self.halves > 0 {
            self.out = if lsb { self.out >> 1 } else { self.out << 1 };
        }
    }

    pub fn event(&mut self, bus: &mut Bus) {
        let at = self.next;
        self.edge(bus, self.halves % 2 == 1);
        self.halves += 1;
        self.next += self.half;
        if self.halves == 16 {
            self.next = u64::MAX;
            self.end(bus);
            if let Some(value) = self.waiting.take() {
                self.begin(bus, value, at);
            } else if self.buffers(bus) {
                self.flag(bus, SENT, true);
            }
        }
        self.note(bus);
        self.drive(bus);
    }

    /// A byte is through.
    fn end(&mut self, bus: &mut Bus) {
        match (self.buffers(bus), self.fifo.len()) {
            (false, _) => self.flag(bus, DONE, true),
            (true, 0 | 1) => self.fifo.push(self.received),
            (true, _) => self.flag(bus, OVERFLOW, true),
        }
    }

    pub fn changed(&mut self, bus: &mut Bus, changed: &[u8; PORTS]) {
        let pins = self.route.pins(bus);
        let moved =
            |p: Option<Pin>| p.is_some_and(|p| changed[usize::from(p.port)] & p.mask() != 0);
        if !self.control(bus, ENABLE) {
            return;
        }
        if self.control(bus, HOST) {
            // Another host took the line, unless SS is told to be anything.
            if moved(pins[3]) && self.chosen(bus) && self.get(bus, 1) & ALONE == 0 {
                let old = self.get(bus, 0);
                bus.put(self.base, old & !HOST);
                let flag = if self.buffers(bus) { SELECTED } else { DONE };
                self.flag(bus, flag, true);
                self.next = u64::MAX;
                self.drive(bus);
            }
            return;
        }
        if moved(pins[3]) {
            self.selected = self.chosen(bus);
            self.halves = 0;
            if !self.selected && self.buffers(bus) {
                self.flag(bus, SELECTED, true);
            }
            self.drive(bus);
        }
        if moved(pins[2]) && self.selected {
            self.clocked(bus);
        }
    }

    /// An edge of the host's clock.
    fn clocked(&mut self, bus: &mut Bus) {
        self.halves %= 16;
        self.edge(bus, self.halves % 2 == 1);
        self.halves += 1;
        if self.halves == 16 {
            self.end(bus);
            if let Some(value) = self.waiting.take() {
                self.out = value;
            } else if self.buffers(bus) {
                self.flag(bus, SENT, true);
            } else {
                self.out = self.received;
            }
            self.halves = 0;
            self.note(bus);
        }
        self.drive(bus);
    }

    pub fn next(&self) -> u64 {
        self.next
    }

    pub fn asks(&self, bus: &Bus) -> Asks {
        let (flags, enabled) = (self.get(bus, 3), self.get(bus, 2));
        let on = match self.buffers(bus) {
            true => flags & enabled & (RECEIVED | SENT | EMPTY | SELECTED) != 0,
            false => flags & DONE != 0 && enabled & 1 != 0,
        };
        let mut asks = Asks::default();
        asks.put(self.vector, on);
        asks
    }
}
