//! USART, asynchronous: frames on the pins, two bytes of buffer each way.
//!
//! Synchronous and host SPI modes, one-wire and automatic rates are not there.

use super::regs::{Asks, Regs, field};
use super::routes::Route;
use crate::peripherals::bus::{Bus, NOWHERE};
use crate::peripherals::lines::{PORTS, Pin};
use crate::peripherals::serial::{Format, Frame, Line, Receiver, Sender};

/// Bits of STATUS and of CTRLA, which are the same.
const RXC: u8 = 0x80;
const TXC: u8 = 0x40;
const DRE: u8 = 0x20;
/// Of RXDATAH.
const OVERFLOW: u8 = 0x40;
const FRAME: u8 = 0x04;
const PARITY: u8 = 0x02;
/// Of CTRLB.
const RXEN: u8 = 0x80;
const TXEN: u8 = 0x40;
/// Of CTRLA: what is sent is received.
const LOOP: u8 = 0x08;

/// A USART.
#[derive(Clone, Debug)]
pub(super) struct Usart {
    /// RXDATAL, RXDATAH, TXDATAL, TXDATAH.
    data: [u16; 4],
    status: u16,
    control: [u16; 3],
    baud: u16,
    rxmode: u8,
    vectors: [u8; 3],
    route: Route,
    taken: Option<Pin>,
    sender: Sender,
    waiting: Option<u16>,
    ninth: u16,
    receiver: Receiver,
    /// Data and errors.
    fifo: Vec<(u16, u8)>,
    lost: bool,
}

impl Usart {
    /// One by its name.
    pub fn of(regs: &Regs<'_>, name: &str) -> Option<Self> {
        let at = |r: &str| regs.at(&format!("{name}_{r}"));
        (at("RXDATAL") != NOWHERE).then(|| Self {
            data: ["RXDATAL", "RXDATAH", "TXDATAL", "TXDATAH"].map(at),
            status: at("STATUS"),
            control: ["CTRLA", "CTRLB", "CTRLC"].map(at),
            baud: at("BAUD"),
            rxmode: regs.mask(&format!("{name}_CTRLB"), "RXMODE"),
            vectors: ["RXC", "DRE", "TXC"].map(|v| regs.vector(&format!("{name}_{v}"))),
            route: Route::of(regs, name),
            taken: None,
            sender: Sender::default(),
            waiting: None,
            ninth: 0,
            receiver: Receiver::new(1 << 16, 8),
            fifo: Vec::new(),
            lost: false,
        })
    }

    pub fn registers(&self) -> Vec<u16> {
        let mut all = self.data.to_vec();
        all.extend(self.control);
        all.extend([self.status, self.baud, self.baud + 1]);
        all
    }

    pub fn reset(&mut self, bus: &mut Bus) {
        self.sender = Sender::default();
        self.waiting = None;
        self.fifo.clear();
        self.lost = false;
        self.receiver.stop();
        bus.put(self.status, DRE);
        bus.put(self.control[2], 0x03);
        self.drive(bus);
    }

    /// The pin that it sends on.
    fn txd(&self, bus: &Bus) -> Option<Pin> {
        self.route.pins(bus)[0]
    }

    /// How it sends.
    pub fn line(&self, bus: &Bus) -> Line {
        let [from, to, ..] = self.route.pins(bus);
        Line {
            home: self.route.first()[0],
            pins: [from, to],
            sends: self.on(bus, TXEN),
            format: self.format(bus),
        }
    }

    fn format(&self, bus: &Bus) -> Format {
        Format {
            size: self.size(bus),
            parity: self.parity(bus),
            bit: self.bit(bus),
        }
    }

    /// Clocks of a bit times 65536.
    fn bit(&self, bus: &Bus) -> u64 {
        let baud = u64::from(bus.get(self.baud)) | u64::from(bus.get(self.baud + 1)) << 8;
        let double = field(bus.get(self.control[1]), self.rxmode) == 1;
        // BAUD counts 64ths of what a sample of a bit takes.
        baud.max(64) * if double { 8 } else { 16 } * 1024
    }

    fn size(&self, bus: &Bus) -> u8 {
        match bus.get(self.control[2]) & 7 {
            size @ 0..=3 => size + 5,
            _ => 9,
        }
    }

    fn parity(&self, bus: &Bus) -> Option<bool> {
        match bus.get(self.control[2]) >> 4 & 3 {
            2 => Some(false),
            3 => Some(true),
            _ => None,
        }
    }

    fn on(&self, bus: &Bus, mask: u8) -> bool {
        bus.get(self.control[1]) & mask != 0
    }

    /// Gives its pin the level of the line, where it sends.
    pub fn drive(&mut self, bus: &mut Bus) {
        let on = self.on(bus, TXEN) || self.sender.busy();
        let pin = self.txd(bus).filter(|_| on);
        if let Some(old) = self.taken.filter(|_| self.taken != pin) {
            bus.lines.override_value(old, None);
        }
        self.taken = pin;
        if let Some(pin) = pin {
            bus.lines.override_value(pin, Some(self.sender.level()));
        }
    }

    fn begin(&mut self, bus: &mut Bus, data: u16, now: u64) {
        let format = self.format(bus);
        let stops = 1 + (bus.get(self.control[2]) >> 3 & 1);
        let bits = format.bits(data);
        self.sender
            .send(bits, format.length(), stops, format.bit, now);
        self.hear(bus, now);
        self.drive(bus);
    }

    fn looped(&self, bus: &Bus) -> bool {
        bus.get(self.control[0]) & LOOP != 0
    }

    /// Where what is sent is received too, a low line begins a frame.
    fn hear(&mut self, bus: &Bus, now: u64) {
        if self.looped(bus) && self.on(bus, RXEN) && !self.sender.level() {
            self.arm(bus);
            self.receiver.fell(now);
        }
    }

    fn arm(&mut self, bus: &Bus) {
        self.receiver.bit = self.bit(bus);
        self.receiver.length = self.size(bus) + u8::from(self.parity(bus).is_some());
    }

    pub fn read(&mut self, bus: &mut Bus, address: u16) -> u8 {
        let front = self.fifo.first().copied().unwrap_or_default();
        if address == self.data[0] {
            if !self.fifo.is_empty() {
                self.fifo.remove(0);
                self.lost = false;
            }
            self.note(bus);
            return front.0 as u8;
        }
        if address == self.data[1] {
            let some = if self.fifo.is_empty() { 0 } else { RXC };
            let lost = if self.lost { OVERFLOW } else { 0 };
            return some | lost | front.1 | (front.0 >> 8) as u8;
        }
        bus.get(address)
    }

    pub fn write(&mut self, bus: &mut Bus, address: u16, value: u8, now: u64) {
        if address == self.data[2] {
            if self.on(bus, TXEN) {
                let data = u16::from(value) | self.ninth;
                match self.sender.busy() {
                    true => self.waiting = Some(data),
                    false => self.begin(bus, data, now + 1),
                }
                bus.put(self.status, bus.get(self.status) & !TXC);
            }
        } else if address == self.data[3] {
            self.ninth = u16::from(value & 1) << 8;
        } else if address == self.status {
            let flags = TXC | 0x18;
            bus.put(address, bus.get(address) & !(value & flags));
        } else if !self.data.contains(&address) {
            bus.put(address, value);
            if address == self.control[1] && value & RXEN == 0 {
                self.receiver.stop();
                self.fifo.clear();
            }
            self.drive(bus);
        }
        self.note(bus);
    }

    /// The flags that follow from the buffers.
    fn note(&self, bus: &mut Bus) {
        let received = if self.fifo.is_empty() { 0 } else { RXC };
        let empty = if self.waiting.is_none() { DRE } else { 0 };
        let old = bus.get(self.status) & !(RXC | DRE);
        bus.put(self.status, old | received | empty);
    }

    pub fn changed(&mut self, bus: &Bus, changed: &[u8; PORTS], now: u64) {
        let Some(pin) = self.route.pins(bus)[1] else {
            return;
        };
        let fell = changed[usize::from(pin.port)] & pin.mask() != 0 && !bus.lines.level(pin);
        if fell && self.on(bus, RXEN) && !self.looped(bus) {
            self.arm(bus);
            self.receiver.fell(now);
        }
    }

    pub fn next(&self) -> u64 {
        self.sender.next.min(self.receiver.next)
    }

    pub fn event(&mut self, bus: &mut Bus, at: u64) {
        if self.sender.next <= at {
            let before = self.sender.level();
            if self.sender.step() {
                match self.waiting.take() {
                    Some(data) => self.begin(bus, data, at),
                    None => bus.put(self.status, bus.get(self.status) | TXC),
                }
            } else if before {
                self.hear(bus, at);
            }
            self.drive(bus);
        }
        if self.receiver.next <= at {
            let level = match self.looped(bus) {
                true => self.sender.level(),
                false => self.route.pins(bus)[1].is_none_or(|p| bus.lines.level(p)),
            };
            if let Some(frame) = self.receiver.sample(level) {
                self.received(bus, frame);
            }
        }
        self.note(bus);
    }

    fn received(&mut self, bus: &Bus, frame: Frame) {
        let size = self.size(bus);
        let data = frame.bits & ((1 << size) - 1);
        let mut errors = if frame.stop { 0 } else { FRAME };
        if let Some(odd) = self.parity(bus) {
            let bit = frame.bits >> size & 1 == 1;
            let right = (data.count_ones() % 2 == 1) ^ odd;
            errors |= if bit == right { 0 } else { PARITY };
        }
        match self.fifo.len() {
            0 | 1 => self.fifo.push((data, errors)),
            _ => self.lost = true,
        }
    }

    pub fn asks(&self, bus: &Bus) -> Asks {
        let on = bus.get(self.status) & bus.get(self.control[0]);
        let mut asks = Asks::default();
        for (vector, bit) in self.vectors.into_iter().zip([RXC, DRE, TXC]) {
            asks.put(vector, on & bit != 0);
        }
        asks
    }
}
