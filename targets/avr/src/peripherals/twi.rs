//! TWI of the classic parts: master and slave on two lines that resistors pull up, with the
//! status codes of the data sheets. Each side holds the clock while its flag is set.

use super::bus::{Bus, NOWHERE};
use super::lines::{PORTS, Pin};
use super::names::Names;
use super::pinout::Pinout;

const INT: u8 = 0x80;
const ACKNOWLEDGE: u8 = 0x40;
const START: u8 = 0x20;
const STOP: u8 = 0x10;
const COLLISION: u8 = 0x08;
const ON: u8 = 0x04;

/// What the master is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Work {
    Rest,
    Start(u8),
    Send(u8),
    Receive(u8),
    Stop(u8),
}

/// Where in a transfer the slave is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Away,
    Address,
    Take,
    Give,
}

/// A TWI.
#[derive(Clone, Debug)]
pub(super) struct Twi {
    rate: u16,
    status: u16,
    data: u16,
    control: u16,
    address: u16,
    mask: u16,
    pins: [Option<Pin>; 2],
    work: Work,
    /// The bus is ours.
    owner: bool,
    busy: bool,
    /// A start waits for the bus.
    waits: bool,
    shift: u8,
    refused: bool,
    place: Place,
    general: bool,
    bits: u8,
    byte: u8,
    /// SDA and SCL that are held low by the master and by the slave.
    master: [bool; 2],
    slave: [bool; 2],
    levels: [bool; 2],
    taken: bool,
    pub next: u64,
}

impl Twi {
    pub fn find(names: &Names, pinout: Pinout) -> Option<Self> {
        let register = |n: &str| names.address(&[n, &format!("{n}0")]);
        let control = register("TWCR");
        (control != NOWHERE && register("TWBR") != NOWHERE).then(|| Self {
            rate: register("TWBR"),
            status: register("TWSR"),
            data: register("TWDR"),
            address: register("TWAR"),
            mask: register("TWAMR"),
            control,
            pins: [pinout.pin("SDA"), pinout.pin("SCL")],
            work: Work::Rest,
            owner: false,
            busy: false,
            waits: false,
            shift: 0,
            refused: false,
            place: Place::Away,
            general: false,
            bits: 0,
            byte: 0,
            master: [false; 2],
            slave: [false; 2],
            levels: [true; 2],
            taken: false,
            next: u64::MAX,
        })
    }

    pub fn addresses(&self) -> [u16; 6] {
        [
            self.rate,
            self.status,
            self.data,
            self.control,
            self.address,
            self.mask,
        ]
    }

    pub fn reset(&mut self, bus: &mut Bus) {
        bus.put(self.status, 0xf8);
        bus.put(self.data, 0xff);
        bus.put(self.address, 0xfe);
        self.rest();
        (self.owner, self.busy, self.waits) = (false, false, false);
        (self.place, self.slave) = (Place::Away, [false; 2]);
        self.drive(bus);
    }

    fn rest(&mut self) {
        (self.work, self.next, self.master) = (Work::Rest, u64::MAX, [false; 2]);
    }

    fn on(&self, bus: &Bus, mask: u8) -> bool {
        bus.get(self.control) & mask != 0
    }

    fn code(&self, bus: &Bus) -> u8 {
        bus.get(self.status) & 0xf8
    }

    /// A state with its code: the program's turn.
    fn tell(&self, bus: &mut Bus, code: u8) {
        bus.put(self.status, bus.get(self.status) & 7 | code);
        bus.put(self.control, bus.get(self.control) | INT);
    }

    fn half(&self, bus: &Bus) -> u64 {
        8 + (u64::from(bus.get(self.rate)) << (2 * (bus.get(self.status) & 3)))
    }

    fn lines(&self, bus: &Bus) -> [bool; 2] {
        self.pins.map(|p| p.is_none_or(|p| bus.lines.level(p)))
    }

    fn drive(&mut self, bus: &mut Bus) {
        let on = self.on(bus, ON);
        if !on && !self.taken {
            return;
        }
        self.taken = on;
        for n in 0..2 {
            if let Some(pin) = self.pins[n] {
                let low = self.master[n] || self.slave[n];
                bus.lines.override_value(pin, (on && low).then_some(false));
                bus.lines.override_direction(pin, on.then_some(low));
            }
        }
    }

    pub fn write(&mut self, bus: &mut Bus, address: u16, value: u8, now: u64) {
        if address == self.status {
            bus.put(address, bus.get(address) & !3 | value & 3);
        } else if address == self.data {
            if self.on(bus, INT) {
                bus.put(address, value);
            } else {
                bus.put(self.control, bus.get(self.control) | COLLISION);
            }
        } else if address == self.control {
            self.controlled(bus, value, now);
        } else {
            bus.put(address, value);
        }
        self.drive(bus);
    }

    fn controlled(&mut self, bus: &mut Bus, value: u8, now: u64) {
        let old = bus.get(self.control);
        let pending = old & INT & !value;
        let keeps = old & COLLISION & if value & INT != 0 { 0 } else { COLLISION };
        bus.put(self.control, value & !(INT | COLLISION) | pending | keeps);
        if value & ON == 0 {
            self.rest();
            (self.owner, self.waits, self.slave) = (false, false, [false; 2]);
            self.place = Place::Away;
            return;
        }
        if pending != 0 {
            return;
        }
        if value & STOP != 0 {
            match self.owner {
                true => self.begin(bus, Work::Stop(0), now + 1),
                false => bus.put(self.control, bus.get(self.control) & !STOP),
            }
            self.waits = value & START != 0;
            return;
        }
        if value & START != 0 {
            match self.owner || !self.busy {
                true if self.work == Work::Rest => self.begin(bus, Work::Start(0), now + 1),
                true => {}
                false => self.waits = true,
            }
        } else if old & INT != 0 && self.owner {
            self.shift = bus.get(self.data);
            match self.code(bus) {
                0x08 | 0x10 | 0x18 | 0x20 | 0x28 | 0x30 => {
                    self.begin(bus, Work::Send(0), now + 1);
                }
                0x40 | 0x50 => self.begin(bus, Work::Receive(0), now + 1),
                _ => {}
            }
        }
        if old & INT != 0 && !self.owner {
            self.let_go(bus);
        }
    }

    fn begin(&mut self, bus: &Bus, work: Work, at: u64) {
        self.work = work;
        self.next = at + self.half(bus);
    }

    pub fn event(&mut self, bus: &mut Bus) {
        let now = self.next;
        let [sda, scl] = self.lines(bus);
        // SCL was let go and somebody holds it: wait.
        if !scl && !self.master[1] {
            self.next = now + 1;
            return;
        }
        self.next = now + self.half(bus);
        match self.work {
            Work::Rest => self.next = u64::MAX,
            Work::Start(3) => {
                self.master = [true, true];
                let code = if self.owner { 0x10 } else { 0x08 };
                self.owner = true;
                self.done(bus, code);
            }
            Work::Start(step) => {
                self.master = [step == 2, step == 0 && self.master[1]];
                self.work = Work::Start(step + 1);
            }
            Work::Send(step) => self.send(bus, step, sda),
            Work::Receive(step) => self.receive(bus, step, sda),
            Work::Stop(step) => {
                self.master = [step < 2, step == 0];
                self.work = Work::Stop(step + 1);
                if step >= 2 {
                    self.rest();
                    self.owner = false;
                    bus.put(self.control, bus.get(self.control) & !STOP);
                    bus.put(self.status, bus.get(self.status) & 7 | 0xf8);
                    if std::mem::take(&mut self.waits) {
                        self.begin(bus, Work::Start(0), now);
                    }
                }
            }
        }
        self.drive(bus);
    }

    /// The master holds the clock and waits for the program.
    fn done(&mut self, bus: &mut Bus, code: u8) {
        (self.work, self.next) = (Work::Rest, u64::MAX);
        self.tell(bus, code);
    }

    /// Even steps change SDA while SCL is low, odd ones let SCL rise.
    fn send(&mut self, bus: &mut Bus, step: u8, sda: bool) {
        let bit = step / 2;
        self.work = Work::Send(step + 1);
        if step % 2 == 1 {
            self.master[1] = false;
            return;
        }
        if (1..=8).contains(&bit) && self.shift >> (8 - bit) & 1 == 1 && !sda {
            // Another master is stronger.
            self.rest();
            self.owner = false;
            self.busy = true;
            return self.tell(bus, 0x38);
        }
        let low = bit < 8 && self.shift >> (7 - bit) & 1 == 0;
        self.master = [low, true];
        if bit == 9 {
            let code = match (self.code(bus), self.shift & 1) {
                (0x08 | 0x10, 1) => 0x40,
                (0x08 | 0x10, _) => 0x18,
                _ => 0x28,
            };
            self.done(bus, if sda { code + 8 } else { code });
        }
    }

    fn receive(&mut self, bus: &mut Bus, step: u8, sda: bool) {
        self.work = Work::Receive(step + 1);
        if step % 2 == 1 {
            self.master[1] = false;
            return;
        }
        if (2..=16).contains(&step) {
            self.shift = self.shift << 1 | u8::from(sda);
        }
        let acknowledges = self.on(bus, ACKNOWLEDGE);
        self.master = [step == 16 && acknowledges, true];
        if step == 18 {
            bus.put(self.data, self.shift);
            self.done(bus, if sda { 0x58 } else { 0x50 });
        }
    }

    pub fn changed(&mut self, bus: &mut Bus, changed: &[u8; PORTS], now: u64) {
        let moved =
            |p: &Option<Pin>| p.is_some_and(|p| changed[usize::from(p.port)] & p.mask() != 0);
        if !self.pins.iter().any(moved) {
            return;
        }
        let [sda, scl] = self.lines(bus);
        let [old_data, old_clock] = std::mem::replace(&mut self.levels, [sda, scl]);
        if !self.on(bus, ON) {
            return;
        }
        if scl && old_clock && sda != old_data {
            self.busy = !sda;
            self.condition(bus, sda);
            if sda && self.waits && !self.owner {
                self.waits = false;
                self.begin(bus, Work::Start(0), now);
            }
        } else if scl != old_clock && !self.owner {
            match scl {
                true => self.rises(sda),
                false => self.falls(bus),
            }
        }
        self.drive(bus);
    }

    /// A start or a stop of anybody.
    fn condition(&mut self, bus: &mut Bus, stop: bool) {
        let was = self.place;
        self.slave = [false; 2];
        self.place = match stop || self.owner || matches!(self.work, Work::Start(_)) {
            true => Place::Away,
            false => Place::Address,
        };
        (self.bits, self.byte) = (0, 0);
        if was == Place::Take {
            self.tell(bus, 0xa0);
        }
    }

    fn rises(&mut self, sda: bool) {
        match self.place {
            Place::Address | Place::Take if self.bits < 8 => {
                self.byte = self.byte << 1 | u8::from(sda);
                self.bits += 1;
            }
            Place::Give if self.bits == 9 => self.refused = sda,
            _ => {}
        }
    }

    fn falls(&mut self, bus: &mut Bus) {
        match (self.place, self.bits) {
            (Place::Address, 8) => self.addressed(bus),
            (Place::Address, 9) => {
                self.slave = [false, true];
                self.bits = 0;
                let reads = self.byte & 1 == 1;
                self.place = if reads { Place::Give } else { Place::Take };
                let code = match (reads, self.general) {
                    (true, _) => 0xa8,
                    (_, true) => 0x70,
                    _ => 0x60,
                };
                self.tell(bus, code);
            }
            (Place::Take, 8) => {
                self.refused = !self.on(bus, ACKNOWLEDGE);
                self.slave[0] = !self.refused;
                self.bits = 9;
            }
            (Place::Take, 9) => {
                bus.put(self.data, self.byte);
                let code = if self.general { 0x90 } else { 0x80 };
                let code = if self.refused { code + 8 } else { code };
                self.slave = [false, true];
                (self.bits, self.byte) = (0, 0);
                if self.refused {
                    self.place = Place::Away;
                }
                self.tell(bus, code);
            }
            (Place::Give, 9) => {
                self.bits = 0;
                self.slave = [false, !self.refused];
                if self.refused {
                    self.place = Place::Away;
                }
                self.tell(bus, if self.refused { 0xc0 } else { 0xb8 });
            }
            (Place::Give, 8) => {
                self.slave[0] = false;
                self.bits = 9;
            }
            (Place::Give, bit @ 1..8) => {
                self.slave[0] = self.byte >> (7 - bit) & 1 == 0;
                self.bits += 1;
            }
            _ => {}
        }
    }

    fn addressed(&mut self, bus: &Bus) {
        let own = bus.get(self.address);
        let ignored = bus.get(self.mask) & 0xfe;
        self.general = self.byte == 0 && own & 1 != 0;
        let ours = (self.byte ^ own) & 0xfe & !ignored == 0 || self.general;
        if !ours || !self.on(bus, ACKNOWLEDGE) {
            self.place = Place::Away;
            return;
        }
        self.slave[0] = true;
        self.bits = 9;
    }

    /// The flag was cleared: the clock is let go.
    fn let_go(&mut self, bus: &Bus) {
        if !self.slave[1] {
            return;
        }
        self.slave[1] = false;
        if self.place == Place::Give {
            self.byte = bus.get(self.data);
            self.slave[0] = self.byte & 0x80 == 0;
            self.bits = 1;
        } else {
            self.byte = 0;
        }
    }
}
