//! The universal serial interface of the ATtiny: three-wire and two-wire.

use super::bus::{Bit, Bus, Group, NOWHERE};
use super::lines::Pin;
use super::names::Names;
use super::pinout::Pinout;

#[derive(Clone, Debug)]
pub(super) struct Usi {
    data: u16,
    buffer: u16,
    status: u16,
    control: u16,
    mode: Group,
    clock: Group,
    strobe: Bit,
    toggle: Bit,
    start: Bit,
    overflow: Bit,
    stop: Bit,
    collision: Bit,
    /// DI or SDA, DO, USCK or SCL.
    sda: Option<Pin>,
    output: Option<Pin>,
    scl: Option<Pin>,
    /// What the output latch holds.
    latch: bool,
    /// A start was seen: SCL is held as soon as it is low.
    holds: bool,
    taken: bool,
}

impl Usi {
    pub fn find(names: &Names, pinout: Pinout) -> Option<Self> {
        let data = names.address(&["USIDR"]);
        (data != NOWHERE).then(|| Self {
            data,
            buffer: names.address(&["USIBR"]),
            status: names.address(&["USISR"]),
            control: names.address(&["USICR"]),
            mode: names.group("USIWM"),
            clock: names.group("USICS"),
            strobe: names.bit(&["USICLK"]),
            toggle: names.bit(&["USITC"]),
            start: names.bit(&["USISIF"]),
            overflow: names.bit(&["USIOIF"]),
            stop: names.bit(&["USIPF"]),
            collision: names.bit(&["USIDC"]),
            sda: pinout.pin("SDA"),
            output: pinout.pin("DO"),
            scl: pinout.pin("SCL"),
            latch: false,
            holds: false,
            taken: false,
        })
    }

    pub fn addresses(&self) -> [u16; 4] {
        [self.data, self.buffer, self.status, self.control]
    }

    pub fn reset(&mut self, bus: &mut Bus) {
        self.latch = false;
        self.holds = false;
        self.drive(bus);
    }

    /// Whether timer 0's compare match clocks it.
    pub fn by_timer(&self, bus: &Bus) -> bool {
        bus.group(&self.clock) & 3 == 1 && bus.group(&self.mode) != 0
    }

    fn two_wire(&self, bus: &Bus) -> bool {
        bus.group(&self.mode) & 2 != 0
    }

    /// The level of the data register's highest bit, through the latch: with an
    /// external clock it changes in the half in which nothing is sampled only.
    fn drive(&mut self, bus: &mut Bus) {
        let mode = bus.group(&self.mode) & 3;
        // Others may have the pins as long as it is off.
        if mode == 0 && !self.taken {
            return;
        }
        self.taken = mode != 0;
        let clock = bus.group(&self.clock) & 3;
        let open = match clock {
            2 => !bus.level(self.scl),
            3 => bus.level(self.scl),
            _ => true,
        };
        if open {
            self.latch = bus.get(self.data) & 0x80 != 0;
        }
        if let Some(pin) = self.output {
            bus.lines
                .override_value(pin, (mode == 1).then_some(self.latch));
        }
        for (pin, high) in [(self.sda, self.latch), (self.scl, !self.held(bus))] {
            let Some(pin) = pin else { continue };
            if mode & 2 == 0 {
                bus.lines.override_direction(pin, None);
                bus.lines.override_value(pin, None);
                continue;
            }
            // An open collector: low or let go.
            let on = bus.lines.direction(pin.port) >> pin.bit & 1 == 1;
            let port = bus.lines.port(pin.port) >> pin.bit & 1 == 1;
            bus.lines
                .override_direction(pin, Some(on && !(high && port)));
            bus.lines.override_value(pin, Some(false));
        }
    }

    fn held(&self, bus: &Bus) -> bool {
        self.holds && bus.bit(self.start)
            || bus.group(&self.mode) & 3 == 3 && bus.bit(self.overflow)
    }

    fn shift(&mut self, bus: &mut Bus) {
        let bit = bus.level(self.sda);
        let data = bus.get(self.data);
        bus.put(self.data, data << 1 | u8::from(bit));
    }

    fn count(&mut self, bus: &mut Bus) {
        let status = bus.get(self.status);
        let count = status.wrapping_add(1) & 0x0f;
        bus.put(self.status, status & 0xf0 | count);
        if count == 0 {
            bus.set(self.overflow, true);
            bus.put(self.buffer, bus.get(self.data));
        }
    }

    pub fn read(&self, bus: &Bus, address: u16) -> u8 {
        // The strobes read as 0; the collision flag is what is seen now.
        match address {
            a if a == self.control => bus.get(a) & !self.toggle.mask,
            a if a == self.status => {
                let differs = self.two_wire(bus) && bus.level(self.sda) != self.latch;
                bus.get(a) & !self.collision.mask | if differs { self.collision.mask } else { 0 }
            }
            a => bus.get(a),
        }
    }

    pub fn write(&mut self, bus: &mut Bus, address: u16, value: u8) {
        match address {
            a if a == self.status => {
                let flags = self.start.mask | self.overflow.mask | self.stop.mask;
                let old = bus.get(a);
                bus.put(a, old & flags & !value | value & 0x0f);
                self.holds &= bus.bit(self.start);
            }
            a if a == self.control => {
                let (strobe, toggle) = (self.strobe.mask, self.toggle.mask);
                bus.put(a, value & !toggle);
                let clock = bus.group(&self.clock) & 3;
                if clock == 0 && value & strobe != 0 {
                    bus.set(self.strobe, false);
                    self.shift(bus);
                    self.count(bus);
                }
                if value & toggle != 0
                    && let Some(scl) = self.scl
                {
                    let port = bus.lines.port(scl.port);
                    bus.lines.set_port(scl.port, port ^ 1 << scl.bit);
                    if clock & 2 != 0 && value & strobe != 0 {
                        self.count(bus);
                    }
                }
            }
            a if a == self.buffer => {}
            a => bus.put(a, value),
        }
        self.drive(bus);
    }

    /// Port or direction registers were written.
    pub fn renew(&mut self, bus: &mut Bus) {
        if bus.group(&self.mode) != 0 {
            self.drive(bus);
        }
    }

    /// A compare match of timer 0.
    pub fn matched(&mut self, bus: &mut Bus) {
        if self.by_timer(bus) {
            self.shift(bus);
            self.count(bus);
            self.drive(bus);
        }
    }

    /// Lines of the chip changed.
    pub fn changed(&mut self, bus: &mut Bus, changed: &[u8]) {
        let mode = bus.group(&self.mode) & 3;
        if mode == 0 {
            return;
        }
        let moved =
            |pin: Option<Pin>| pin.is_some_and(|p| changed[usize::from(p.port)] >> p.bit & 1 == 1);
        let (sda, scl) = (moved(self.sda), moved(self.scl));
        if !sda && !scl {
            return;
        }
        let high = bus.level(self.scl);
        if mode & 2 != 0 && sda && !scl && high {
            if bus.level(self.sda) {
                bus.set(self.stop, true);
            } else {
                bus.set(self.start, true);
                self.holds = true;
            }
        }
        if scl {
            let clock = bus.group(&self.clock) & 3;
            if clock & 2 != 0 {
                if high == (clock == 2) {
                    self.shift(bus);
                }
                if !bus.bit(self.strobe) {
                    self.count(bus);
                }
            }
        }
        self.drive(bus);
    }
}
