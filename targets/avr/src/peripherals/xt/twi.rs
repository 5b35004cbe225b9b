//! TWI: a host and a client on two lines that are pulled up.
//!
//! The lines are driven low or let go, and what the other side does with them counts: it
//! may hold the clock, acknowledge or not, and take the bus away.

use super::regs::{Asks, Regs};
use super::routes::Route;
use crate::peripherals::bus::{Bus, NOWHERE};
use crate::peripherals::lines::{PORTS, Pin};

/// MCTRLA and MSTATUS, and SCTRLA and SSTATUS.
const ENABLE: u8 = 0x01;
const SMART: u8 = 0x02;
const QUICK: u8 = 0x10;
const RIF: u8 = 0x80;
const WIF: u8 = 0x40;
const HOLD: u8 = 0x20;
const RXACK: u8 = 0x10;
const LOST: u8 = 0x08;
const DIF: u8 = 0x80;
const APIF: u8 = 0x40;
const PIEN: u8 = 0x20;
const PMEN: u8 = 0x04;
const DIR: u8 = 0x02;
const AP: u8 = 0x01;
/// States of the bus.
const IDLE: u8 = 1;
const OWNER: u8 = 2;
const BUSY: u8 = 3;
/// The byte that is sent is an address.
const ADDRESS: u8 = 9;

mod at {
    pub const MCTRLA: u16 = 3;
    pub const MCTRLB: u16 = 4;
    pub const MSTATUS: u16 = 5;
    pub const MBAUD: u16 = 6;
    pub const MADDR: u16 = 7;
    pub const MDATA: u16 = 8;
    pub const SCTRLA: u16 = 9;
    pub const SCTRLB: u16 = 10;
    pub const SSTATUS: u16 = 11;
    pub const SADDR: u16 = 12;
    pub const SDATA: u16 = 13;
    pub const SADDRMASK: u16 = 14;
    pub const END: u16 = 15;
}

/// What the host is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Work {
    /// Nothing, or it waits for the program.
    Rest,
    /// SDA falls while SCL is high, in three steps.
    Start(u8),
    /// Bits of a byte with its acknowledgement, in halves.
    Send(u8),
    Receive(u8),
    /// The acknowledgement of what was received.
    Answer(u8),
    Stop(u8),
}

/// Where in a transfer the client is.
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
    base: u16,
    vectors: [u8; 2],
    route: Route,
    taken: [Option<Pin>; 2],
    work: Work,
    shift: u8,
    acknowledge: bool,
    /// What to do when an answer is out.
    then: u8,
    /// The host holds SCL and SDA low; the client does.
    host: [bool; 2],
    client: [bool; 2],
    place: Place,
    bits: u8,
    byte: u8,
    levels: [bool; 2],
    next: u64,
}

impl Twi {
    pub fn of(regs: &Regs<'_>, name: &str) -> Option<Self> {
        let base = regs.at(&format!("{name}_CTRLA"));
        let vector = |v: &str| regs.vector(&format!("{name}_{v}"));
        (base != NOWHERE).then(|| Self {
            base,
            vectors: [vector("TWIM"), vector("TWIS")],
            route: Route::of(regs, name),
            taken: [None; 2],
            work: Work::Rest,
            shift: 0,
            acknowledge: false,
            then: 0,
            host: [false; 2],
            client: [false; 2],
            place: Place::Away,
            bits: 0,
            byte: 0,
            levels: [true; 2],
            next: u64::MAX,
        })
    }

    pub fn registers(&self) -> Vec<u16> {
        (self.base..self.base + at::END).collect()
    }

    pub fn reset(&mut self, bus: &mut Bus) {
        (self.work, self.place, self.next) = (Work::Rest, Place::Away, u64::MAX);
        (self.host, self.client) = ([false; 2], [false; 2]);
        self.levels = [true; 2];
        self.drive(bus);
    }

    fn get(&self, bus: &Bus, register: u16) -> u8 {
        bus.get(self.base + register)
    }

    fn flags(&self, bus: &mut Bus, register: u16, clear: u8, set: u8) {
        let old = self.get(bus, register);
        bus.put(self.base + register, old & !clear | set);
    }

    fn state(&self, bus: &Bus) -> u8 {
        self.get(bus, at::MSTATUS) & 3
    }

    fn set_state(&self, bus: &mut Bus, state: u8) {
        self.flags(bus, at::MSTATUS, 3, state);
    }

    /// Clocks of half a bit, by MBAUD.
    fn half(&self, bus: &Bus) -> u64 {
        5 + u64::from(self.get(bus, at::MBAUD))
    }

    /// SDA and SCL.
    fn lines(&self, bus: &Bus) -> [bool; 2] {
        let pins = self.route.pins(bus);
        [0, 1].map(|i| pins[i].is_none_or(|p| bus.lines.level(p)))
    }

    pub fn drive(&mut self, bus: &mut Bus) {
        let on = (self.get(bus, at::MCTRLA) | self.get(bus, at::SCTRLA)) & ENABLE != 0;
        let pins = self.route.pins(bus);
        for (n, pin) in pins.into_iter().take(2).enumerate() {
            let pin = pin.filter(|_| on);
            if let Some(old) = self.taken[n].filter(|_| self.taken[n] != pin) {
                bus.lines.override_value(old, None);
                bus.lines.override_direction(old, None);
            }
            self.taken[n] = pin;
            if let Some(pin) = pin {
                bus.lines.override_value(pin, Some(false));
                bus.lines
                    .override_direction(pin, Some(self.host[n] || self.client[n]));
            }
        }
    }

    pub fn read(&mut self, bus: &mut Bus, address: u16, now: u64) -> u8 {
        match address - self.base {
            at::MDATA => {
                let value = self.get(bus, at::MDATA);
                if self.get(bus, at::MSTATUS) & RIF != 0 && self.get(bus, at::MCTRLA) & SMART != 0 {
                    let acknowledge = self.get(bus, at::MCTRLB) & 4 == 0;
                    self.answer(bus, acknowledge, 2, now);
                }
                value
            }
            at::SDATA => {
                let value = self.get(bus, at::SDATA);
                if self.get(bus, at::SSTATUS) & DIF != 0 && self.get(bus, at::SCTRLA) & SMART != 0 {
                    self.respond(bus, self.get(bus, at::SCTRLB) & 4 == 0);
                    self.drive(bus);
                }
                value
            }
            _ => bus.get(address),
        }
    }

    pub fn write(&mut self, bus: &mut Bus, address: u16, value: u8, now: u64) {
        match address - self.base {
            at::MCTRLB => {
                bus.put(address, value & 4);
                if value & 8 != 0 {
                    self.work = Work::Rest;
                    self.next = u64::MAX;
                    self.host = [false; 2];
                    self.flags(bus, at::MSTATUS, 0xff, 0);
                }
                self.command(bus, value, now);
            }
            at::MSTATUS => {
                let clears = value & (RIF | WIF | HOLD | LOST | 4);
                self.flags(bus, at::MSTATUS, clears, 0);
                if value & 3 == IDLE {
                    self.set_state(bus, IDLE);
                }
            }
            at::MADDR => {
                bus.put(address, value);
                if self.get(bus, at::MCTRLA) & ENABLE != 0 && self.state(bus) != 0 {
                    self.shift = value;
                    self.flags(bus, at::MSTATUS, RIF | WIF | HOLD | LOST | RXACK, 0);
                    if self.state(bus) != BUSY {
                        self.begin(bus, Work::Start(0), now + 1);
                    }
                }
            }
            at::MDATA => {
                bus.put(address, value);
                if self.state(bus) == OWNER && self.work == Work::Rest {
                    self.shift = value;
                    self.flags(bus, at::MSTATUS, RIF | WIF | HOLD, 0);
                    self.begin(bus, Work::Send(0), now + 1);
                }
            }
            at::SCTRLB => {
                bus.put(address, value & 4);
                let acknowledge = value & 4 == 0;
                match value & 3 {
                    2 => self.complete(bus, acknowledge),
                    3 => self.respond(bus, acknowledge),
                    _ => {}
                }
            }
            at::SSTATUS => {
                self.flags(bus, at::SSTATUS, value & (DIF | APIF | 0x0c), 0);
                self.let_go(bus);
            }
            at::SDATA => {
                bus.put(address, value);
                if self.get(bus, at::SSTATUS) & DIF != 0 && self.place == Place::Give {
                    self.byte = value;
                    self.flags(bus, at::SSTATUS, DIF, 0);
                    self.let_go(bus);
                }
            }
            _ => bus.put(address, value),
        }
        self.drive(bus);
    }

    fn begin(&mut self, bus: &Bus, work: Work, at: u64) {
        self.work = work;
        self.next = at + self.half(bus);
    }

    /// MCMD.
    fn command(&mut self, bus: &mut Bus, value: u8, now: u64) {
        let acknowledge = value & 4 == 0;
        if value & 3 == 0 || self.state(bus) != OWNER {
            return;
        }
        if self.get(bus, at::MSTATUS) & RIF != 0 {
            self.answer(bus, acknowledge, value & 3, now);
        } else {
            self.go_on(bus, value & 3, now + 1);
        }
    }

    /// Sends the acknowledgement of a byte, then does a command.
    fn answer(&mut self, bus: &mut Bus, acknowledge: bool, then: u8, now: u64) {
        self.flags(bus, at::MSTATUS, RIF | WIF | HOLD, 0);
        (self.acknowledge, self.then) = (acknowledge, then);
        self.begin(bus, Work::Answer(0), now + 1);
    }

    fn go_on(&mut self, bus: &mut Bus, command: u8, now: u64) {
        self.flags(bus, at::MSTATUS, RIF | WIF | HOLD, 0);
        match command {
            1 => {
                self.shift = self.get(bus, at::MADDR);
                self.begin(bus, Work::Start(0), now);
            }
            2 => self.begin(bus, Work::Receive(0), now),
            _ => self.begin(bus, Work::Stop(0), now),
        }
    }

    pub fn next(&self) -> u64 {
        self.next
    }

    pub fn event(&mut self, bus: &mut Bus, now: u64) {
        let [sda, scl] = self.lines(bus);
        // SCL was let go and somebody holds it: wait.
        if !scl && !self.host[1] {
            self.next = now + 1;
            return;
        }
        self.next = now + self.half(bus);
        match self.work {
            Work::Rest => self.next = u64::MAX,
            Work::Start(step) => {
                match step {
                    0 => self.host = [false, self.host[1]],
                    1 => self.host = [false, false],
                    2 => self.host = [true, false],
                    _ => {
                        self.host = [true, true];
                        self.set_state(bus, OWNER);
                        self.then = ADDRESS;
                    }
                }
                self.work = match step {
                    3.. => Work::Send(0),
                    step => Work::Start(step + 1),
                };
            }
            Work::Send(step) => self.send(bus, step, sda),
            Work::Receive(step) => self.receive(bus, step, sda),
            Work::Answer(step) => match step {
                0 => {
                    self.host = [self.acknowledge, true];
                    self.work = Work::Answer(1);
                }
                1 => {
                    self.host[1] = false;
                    self.work = Work::Answer(2);
                }
                _ => {
                    self.host = [false, true];
                    self.go_on(bus, self.then, now);
                }
            },
            Work::Stop(step) => {
                match step {
                    0 => self.host = [true, true],
                    1 => self.host = [true, false],
                    _ => self.host = [false, false],
                }
                self.work = Work::Stop(step + 1);
                if step >= 2 {
                    self.rest(bus, 0);
                    self.set_state(bus, IDLE);
                }
            }
        }
        self.drive(bus);
    }

    /// The program's turn.
    fn rest(&mut self, bus: &mut Bus, flags: u8) {
        self.work = Work::Rest;
        self.next = u64::MAX;
        self.flags(bus, at::MSTATUS, 0, flags);
    }

    /// Even steps change SDA while SCL is low, odd ones let SCL rise.
    fn send(&mut self, bus: &mut Bus, step: u8, sda: bool) {
        let bit = step / 2;
        let high = self.shift >> (7 - bit.min(7)) & 1 == 1;
        if step.is_multiple_of(2) {
            if bit > 0 && bit <= 8 {
                let before = self.shift >> (8 - bit) & 1 == 1;
                if before && !sda {
                    // Another host is stronger.
                    self.host = [false, false];
                    self.set_state(bus, BUSY);
                    return self.rest(bus, WIF | LOST);
                }
            }
            self.host = [bit < 8 && !high, true];
            self.work = Work::Send(step + 1);
            if bit == 9 {
                self.acknowledge = sda;
                self.sent(bus);
            }
            return;
        }
        self.host[1] = false;
        self.work = Work::Send(step + 1);
    }

    /// A byte is out; `host` holds SCL, and the acknowledgement was there before.
    fn sent(&mut self, bus: &mut Bus) {
        let refused = self.acknowledge;
        let address = self.get(bus, at::MADDR);
        let reads = self.then == ADDRESS && address & 1 == 1;
        self.flags(bus, at::MSTATUS, RXACK, if refused { RXACK } else { 0 });
        self.then = 0;
        if reads && !refused && self.get(bus, at::MCTRLA) & QUICK == 0 {
            self.work = Work::Receive(0);
            return;
        }
        self.rest(bus, WIF | HOLD);
    }

    fn receive(&mut self, bus: &mut Bus, step: u8, sda: bool) {
        if step > 0 && step.is_multiple_of(2) {
            self.shift = self.shift << 1 | u8::from(sda);
        }
        self.host = [false, step.is_multiple_of(2)];
        if step == 16 {
            bus.put(self.base + at::MDATA, self.shift);
            return self.rest(bus, RIF | HOLD);
        }
        self.work = Work::Receive(step + 1);
    }

    pub fn changed(&mut self, bus: &mut Bus, changed: &[u8; PORTS]) {
        let pins = self.route.pins(bus);
        let moved =
            |p: &Option<Pin>| p.is_some_and(|p| changed[usize::from(p.port)] & p.mask() != 0);
        if !pins[..2].iter().any(moved) {
            return;
        }
        let [sda, scl] = self.lines(bus);
        let [old_data, old_clock] = std::mem::replace(&mut self.levels, [sda, scl]);
        let on = |r: u16| self.get(bus, r) & ENABLE != 0;
        let (host, client) = (on(at::MCTRLA), on(at::SCTRLA));
        if scl && old_clock && sda != old_data {
            let stop = sda;
            if host && self.state(bus) != OWNER && self.state(bus) != 0 {
                self.set_state(bus, if stop { IDLE } else { BUSY });
            }
            if client {
                self.condition(bus, stop);
            }
        } else if client && scl != old_clock {
            match scl {
                true => self.rises(sda),
                false => self.falls(bus),
            }
        }
        self.drive(bus);
    }

    /// A start or a stop.
    fn condition(&mut self, bus: &mut Bus, stop: bool) {
        let was = self.place;
        self.client = [false; 2];
        self.place = if stop { Place::Away } else { Place::Address };
        (self.bits, self.byte) = (0, 0);
        if stop && matches!(was, Place::Take | Place::Give) {
            self.flags(bus, at::SSTATUS, AP, 0);
            if self.get(bus, at::SCTRLA) & PIEN != 0 {
                self.flags(bus, at::SSTATUS, 0, APIF);
            }
        }
    }

    fn rises(&mut self, sda: bool) {
        match self.place {
            Place::Away => {}
            Place::Address | Place::Take if self.bits < 8 => {
                self.byte = self.byte << 1 | u8::from(sda);
                self.bits += 1;
            }
            Place::Give if self.bits == 9 => self.acknowledge = sda,
            _ => {}
        }
    }

    /// SCL fell.
    fn falls(&mut self, bus: &mut Bus) {
        match (self.place, self.bits) {
            (Place::Address, 8) => self.addressed(bus),
            (Place::Take, 8) => {
                bus.put(self.base + at::SDATA, self.byte);
                self.flags(bus, at::SSTATUS, 0, DIF);
                self.client[1] = true;
            }
            (Place::Address | Place::Take, 9) => {
                // The acknowledgement is over.
                self.client[0] = false;
                (self.bits, self.byte) = (0, 0);
                if self.place == Place::Address {
                    self.place = Place::Take;
                }
            }
            (Place::Give, 9) => {
                self.flags(
                    bus,
                    at::SSTATUS,
                    RXACK,
                    if self.acknowledge { RXACK } else { 0 },
                );
                self.bits = 0;
                self.flags(bus, at::SSTATUS, 0, DIF);
                // Nothing more is wanted of a client that was not acknowledged.
                self.client = [false, !self.acknowledge];
            }
            (Place::Give, 8) => {
                self.client[0] = false;
                self.bits = 9;
            }
            (Place::Give, bit) => {
                self.client[0] = self.byte >> (7 - bit) & 1 == 0;
                self.bits += 1;
            }
            _ => {}
        }
    }

    /// The address is there: is it ours?
    fn addressed(&mut self, bus: &mut Bus) {
        let own = self.get(bus, at::SADDR);
        let mask = self.get(bus, at::SADDRMASK);
        let ignored = if mask & 1 == 0 { mask & 0xfe } else { 0 };
        let differs = (self.byte ^ own) & 0xfe & !ignored;
        let second = mask & 1 != 0 && (self.byte ^ mask) & 0xfe == 0;
        let general = own & 1 != 0 && self.byte == 0;
        let all = self.get(bus, at::SCTRLA) & PMEN != 0;
        if differs != 0 && !second && !general && !all {
            self.place = Place::Away;
            return;
        }
        bus.put(self.base + at::SDATA, self.byte);
        let reads = if self.byte & 1 != 0 { DIR } else { 0 };
        self.flags(bus, at::SSTATUS, DIR | DIF, APIF | AP | reads);
        // The clock is held until the program answers.
        self.client[1] = true;
    }

    /// SCMD RESPONSE: goes on with a byte or an acknowledgement.
    fn respond(&mut self, bus: &mut Bus, acknowledge: bool) {
        let status = self.get(bus, at::SSTATUS);
        if status & APIF != 0 && status & AP != 0 {
            self.flags(bus, at::SSTATUS, APIF, 0);
            self.client[0] = acknowledge;
            self.bits = 9;
            if !acknowledge {
                self.place = Place::Away;
            } else if status & DIR != 0 {
                // The byte to give is asked for when the acknowledgement is over.
                self.place = Place::Give;
                self.acknowledge = false;
            }
        } else if status & DIF != 0 && status & DIR == 0 {
            self.flags(bus, at::SSTATUS, DIF, 0);
            self.client[0] = acknowledge;
            self.bits = 9;
        } else {
            self.flags(bus, at::SSTATUS, DIF | APIF, 0);
        }
        self.let_go(bus);
    }

    /// SCMD COMPTRANS: it waits for the next start then.
    fn complete(&mut self, bus: &mut Bus, acknowledge: bool) {
        let status = self.get(bus, at::SSTATUS);
        self.flags(bus, at::SSTATUS, DIF | APIF, 0);
        if status & DIF != 0 && status & DIR == 0 {
            self.client[0] = acknowledge;
        }
        self.place = Place::Away;
        self.let_go(bus);
    }

    /// The clock is let go where nothing is left to be done.
    fn let_go(&mut self, bus: &Bus) {
        if self.get(bus, at::SSTATUS) & (DIF | APIF) != 0 || !self.client[1] {
            return;
        }
        self.client[1] = false;
        if self.place == Place::Give && self.bits == 0 {
            // The first bit is there before SCL rises.
            self.client[0] = self.byte & 0x80 == 0;
            self.bits = 1;
        }
    }

    pub fn asks(&self, bus: &Bus) -> Asks {
        let on = |status: u16, control: u16, flags: u8| {
            self.get(bus, status) & self.get(bus, control) & flags != 0
        };
        let mut asks = Asks::default();
        asks.put(self.vectors[0], on(at::MSTATUS, at::MCTRLA, RIF | WIF));
        asks.put(self.vectors[1], on(at::SSTATUS, at::SCTRLA, DIF | APIF));
        asks
    }
}
