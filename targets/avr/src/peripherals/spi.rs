//! SPI: eight bits on the pins, then the flag; as a slave by the clock of the other side.

use super::bus::{Bit, Bus, NOWHERE};
use super::lines::{PORTS, Pin};
use super::names::Names;
use super::pinout::Pinout;

#[derive(Clone, Debug)]
pub(super) struct Spi {
    data: u16,
    control: u16,
    status: u16,
    pub flag: Bit,
    collision: Bit,
    on: Bit,
    lsb_first: Bit,
    master: Bit,
    polarity: Bit,
    phase: Bit,
    rate: [Bit; 2],
    double: Bit,
    sck: Option<Pin>,
    mosi: Option<Pin>,
    miso: Option<Pin>,
    ss: Option<Pin>,
    /// What goes out, what came in, half clocks that are done of 16.
    out: u8,
    received: u8,
    halves: u8,
    half: u64,
    /// The flag was read while set: the next access of the data clears it.
    seen: bool,
    taken: bool,
    pub next: u64,
}

impl Spi {
    pub fn find(names: &Names, pinout: Pinout) -> Option<Self> {
        let register = |n: &str| names.address(&[n, &format!("{n}0")]);
        let bit = |n: &str| names.bit(&[n, &format!("{n}0")]);
        let data = register("SPDR");
        (data != NOWHERE).then(|| Self {
            data,
            control: register("SPCR"),
            status: register("SPSR"),
            flag: bit("SPIF"),
            collision: bit("WCOL"),
            on: bit("SPE"),
            lsb_first: bit("DORD"),
            master: bit("MSTR"),
            polarity: bit("CPOL"),
            phase: bit("CPHA"),
            rate: [
                names.bit(&["SPR0", "SPR00"]),
                names.bit(&["SPR1", "SPR01", "SPR10"]),
            ],
            double: bit("SPI2X"),
            sck: pinout.pin("SCK"),
            mosi: pinout.pin("MOSI"),
            miso: pinout.pin("MISO"),
            ss: pinout.pin("SS"),
            out: 0,
            received: 0,
            halves: 16,
            half: 2,
            seen: false,
            taken: false,
            next: u64::MAX,
        })
    }

    pub fn addresses(&self) -> [u16; 3] {
        [self.data, self.control, self.status]
    }

    pub fn reset(&mut self, bus: &mut Bus) {
        self.halves = 16;
        self.next = u64::MAX;
        self.seen = false;
        self.received = 0;
        self.drive(bus);
    }

    fn is_master(&self, bus: &Bus) -> bool {
        bus.bit(self.on) && bus.bit(self.master)
    }

    fn is_slave(&self, bus: &Bus) -> bool {
        bus.bit(self.on) && !bus.bit(self.master)
    }

    /// Whether the master means it: SS is low.
    fn selected(&self, bus: &Bus) -> bool {
        self.ss.is_some_and(|p| !bus.lines.level(p))
    }

    fn drive(&mut self, bus: &mut Bus) {
        let (master, slave) = (self.is_master(bus), self.is_slave(bus));
        // Others may have the pins as long as it is off.
        if !master && !slave && !self.taken {
            return;
        }
        self.taken = master || slave;
        let clock = bus.bit(self.polarity) ^ (self.halves % 2 == 1);
        let bit = if bus.bit(self.lsb_first) { 0x01 } else { 0x80 };
        let data = self.out & bit != 0;
        let out = slave && self.selected(bus);
        for (pin, on, level) in [
            (self.sck, master, clock),
            (self.mosi, master, data),
            (self.miso, out, data),
        ] {
            if let Some(pin) = pin {
                bus.lines.override_value(pin, on.then_some(level));
            }
        }
        // What comes in is an input, whatever DDR says.
        for (pin, on) in [
            (self.miso, master || slave && !out),
            (self.mosi, slave),
            (self.sck, slave),
            (self.ss, slave),
        ] {
            if let Some(pin) = pin {
                bus.lines.override_direction(pin, on.then_some(false));
            }
        }
    }

    pub fn read(&mut self, bus: &mut Bus, address: u16) -> u8 {
        if address == self.status {
            self.seen |= bus.bit(self.flag) || bus.bit(self.collision);
        } else if address == self.data {
            self.touch(bus);
            return self.received;
        }
        bus.get(address)
    }

    fn touch(&mut self, bus: &mut Bus) {
        if std::mem::take(&mut self.seen) {
            bus.set(self.flag, false);
            bus.set(self.collision, false);
        }
    }

    pub fn write(&mut self, bus: &mut Bus, address: u16, value: u8, now: u64) {
        if address == self.status {
            let keep = self.flag.mask | self.collision.mask;
            bus.put(address, bus.get(address) & keep | value & self.double.mask);
        } else if address != self.data {
            bus.put(address, value);
        } else if self.next != u64::MAX || self.is_slave(bus) && (1..16).contains(&self.halves) {
            bus.set(self.collision, true);
            return;
        } else {
            self.touch(bus);
            if self.is_slave(bus) {
                self.out = value;
            }
            if self.is_master(bus) {
                let rate = u8::from(bus.bit(self.rate[0])) | u8::from(bus.bit(self.rate[1])) << 1;
                let clocks = [4, 16, 64, 128][usize::from(rate)];
                self.half = if bus.bit(self.double) {
                    clocks / 4
                } else {
                    clocks / 2
                };
                self.out = value;
                self.halves = 0;
                self.next = now + 1 + self.half;
            }
        }
        self.drive(bus);
    }

    pub fn event(&mut self, bus: &mut Bus) {
        self.edge(bus, self.miso);
        self.halves += 1;
        if self.halves == 16 {
            self.next = u64::MAX;
            bus.set(self.flag, true);
        } else {
            self.next += self.half;
        }
        self.drive(bus);
    }

    /// The clock goes to its other level; half of those edges sample.
    fn edge(&mut self, bus: &Bus, input: Option<Pin>) {
        let second = self.halves % 2 == 1;
        if second == bus.bit(self.phase) {
            let bit = u8::from(bus.level(input));
            self.received = match bus.bit(self.lsb_first) {
                true => self.received >> 1 | bit << 7,
                false => self.received << 1 | bit,
            };
        } else if self.halves > 0 {
            self.out = match bus.bit(self.lsb_first) {
                true => self.out >> 1,
                false => self.out << 1,
            };
        }
    }

    /// The lines of a slave changed, or SS of a master that does not drive it.
    pub fn changed(&mut self, bus: &mut Bus, changed: &[u8; PORTS]) {
        let moved =
            |p: Option<Pin>| p.is_some_and(|p| changed[usize::from(p.port)] & p.mask() != 0);
        let selects = moved(self.ss);
        if self.is_master(bus) {
            if selects && self.selected(bus) && self.ss.is_some_and(|p| !bus.lines.driven(p)) {
                // Another master takes the bus.
                bus.set(self.master, false);
                bus.set(self.flag, true);
                self.next = u64::MAX;
                self.halves = 0;
                self.drive(bus);
            }
            return;
        }
        if !self.is_slave(bus) {
            return;
        }
        if selects {
            self.halves = 0;
            self.drive(bus);
        }
        if moved(self.sck) && self.selected(bus) {
            self.halves %= 16;
            self.edge(bus, self.mosi);
            self.halves += 1;
            if self.halves == 16 {
                bus.set(self.flag, true);
                // What came goes back unless the program has another byte.
                self.out = self.received;
                self.halves = 0;
            }
            self.drive(bus);
        }
    }
}
