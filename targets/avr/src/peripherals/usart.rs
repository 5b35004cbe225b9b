//! UART of AT90S and USART of the others, asynchronous, at the level of bits.
//!
//! A transmission begins with the clock after the write; that of the baud rate
//! generator is not kept when nothing is sent.

use super::bus::{Bit, Bus, Group, NOWHERE};
use super::lines::Pin;
use super::names::Names;
use super::pinout::Pinout;
use super::serial::{Format, Line, Receiver, Sender};

/// A received byte with its ninth bit and errors.
#[derive(Clone, Copy, Debug, Default)]
struct Received {
    data: u16,
    frame: bool,
    parity: bool,
}

/// A UART or USART.
#[derive(Clone, Debug)]
pub(super) struct Usart {
    data: u16,
    status: u16,
    control: u16,
    format: u16,
    /// UBRR's low and high byte.
    baud: (u16, u16),
    /// UBRRH and UCSRC are at one address, and this bit tells them apart.
    select: bool,
    chosen: u64,
    rxc: Bit,
    txc: Bit,
    udre: Bit,
    fe: Bit,
    dor: Bit,
    upe: Bit,
    u2x: Bit,
    rxen: Bit,
    txen: Bit,
    rxb8: Bit,
    txb8: Bit,
    size: Group,
    parity: Group,
    stop: Bit,
    /// CHR9, of a UART.
    nine: Bit,
    rxd: Option<Pin>,
    pub txd: Option<Pin>,
    sender: Sender,
    waiting: Option<u16>,
    receiver: Receiver,
    /// What was received and not read yet.
    fifo: Vec<Received>,
    /// How many that holds.
    depth: usize,
    /// A byte came while it was full.
    overrun: bool,
    /// UCSRC where it shares an address.
    format_value: u8,
}

/// Looks for what belongs to one USART; its number is part of the names, and the one
/// without number is 0.
struct Search<'n> {
    names: &'n Names,
    number: u8,
}

impl Search<'_> {
    /// These names with the number, and where that is 0 without it.
    fn numbered(&self, list: &[&str]) -> Vec<String> {
        let of = |name: &&str| {
            let bare = (self.number == 0).then(|| (*name).to_owned());
            [format!("{name}{}", self.number)].into_iter().chain(bare)
        };
        list.iter().flat_map(of).collect()
    }

    /// The first of these bits that there is.
    fn bit(&self, list: &[&str]) -> Bit {
        let list = self.numbered(list);
        let list: Vec<&str> = list.iter().map(String::as_str).collect();
        self.names.bit(&list)
    }

    fn data(&self) -> u16 {
        let list = self.numbered(&["UDR"]);
        let list: Vec<&str> = list.iter().map(String::as_str).collect();
        self.names.address(&list)
    }

    /// The address of UCSRnA, UCSRnB or UCSRnC; the old UART has other names.
    fn register(&self, letter: &str, old: &str) -> u16 {
        let numbered = format!("UCSR{}{letter}", self.number);
        match self.number {
            0 => {
                let bare = format!("UCSR{letter}");
                self.names.address(&[&numbered, &bare, old])
            }
            _ => self.names.address(&[&numbered]),
        }
    }

    fn baud(&self) -> (u16, u16) {
        match self.names.pair(&format!("UBRR{}", self.number)) {
            (NOWHERE, _) if self.number == 0 => self.names.pair("UBRR"),
            found => found,
        }
    }

    fn group(&self, name: &str) -> Group {
        let found = self.names.group(&format!("{name}{}", self.number));
        if found.exists() || self.number != 0 {
            return found;
        }
        self.names.group(name)
    }

    /// Bits in a frame. UCSZ02 and UCSZ2 are in another register than the two below.
    fn size(&self) -> Group {
        let mut size = self.group("UCSZ");
        size.0[2] = self.bit(&["UCSZ2"]);
        if size.0[2] == Bit::default() {
            size.0[2] = self.names.bit(&[&format!("UCSZ{}2", self.number)]);
        }
        size.0[3] = Bit::default();
        size
    }

    fn parity(&self) -> Group {
        let mut parity = self.group("UPM");
        parity.0[2] = Bit::default();
        parity.0[3] = Bit::default();
        parity
    }
}

impl Usart {
    /// The USART of that number; the one without number is 0.
    pub fn find(names: &Names, pinout: Pinout, number: u8) -> Option<Self> {
        let at = Search { names, number };
        let data = at.data();
        if data == NOWHERE {
            return None;
        }
        let nine = names.bit(&["CHR9"]);
        Some(Self {
            data,
            status: at.register("A", "USR"),
            control: at.register("B", "UCR"),
            format: at.register("C", ""),
            baud: at.baud(),
            select: names.bit(&["URSEL"]).exists(),
            chosen: u64::MAX,
            rxc: at.bit(&["RXC"]),
            txc: at.bit(&["TXC"]),
            udre: at.bit(&["UDRE"]),
            fe: at.bit(&["FE"]),
            dor: at.bit(&["DOR", "OR"]),
            upe: at.bit(&["UPE", "PE"]),
            u2x: at.bit(&["U2X"]),
            rxen: at.bit(&["RXEN"]),
            txen: at.bit(&["TXEN"]),
            rxb8: at.bit(&["RXB8"]),
            txb8: at.bit(&["TXB8"]),
            size: at.size(),
            parity: at.parity(),
            stop: at.bit(&["USBS"]),
            nine,
            rxd: pinout.pin(&format!("RXD{number}")),
            txd: pinout.pin(&format!("TXD{number}")),
            sender: Sender::default(),
            waiting: None,
            receiver: Receiver::new(1 << 16, 8),
            fifo: Vec::with_capacity(2),
            depth: if nine.exists() { 1 } else { 2 },
            overrun: false,
            format_value: 0x86,
        })
    }

    /// Flags and enabling bits: receive, data register empty, transmit.
    pub fn flags(&self) -> [Bit; 3] {
        [self.rxc, self.udre, self.txc]
    }

    /// The addresses that it answers for.
    pub fn addresses(&self) -> [u16; 6] {
        let high = if self.select {
            self.format
        } else {
            self.baud.1
        };
        [
            self.data,
            self.status,
            self.control,
            self.format,
            self.baud.0,
            high,
        ]
    }

    /// Bits of the status register that the program can write, and clear by a one.
    pub fn status_bits(&self) -> (u16, u8, u8) {
        // U2X and MPCM are below; TXC goes by a one.
        (
            self.status,
            if self.u2x.exists() { 3 } else { 0 },
            self.txc.mask,
        )
    }

    /// RXB8 cannot be written.
    pub fn control_bits(&self) -> (u16, u8) {
        (self.control, !self.rxb8.mask)
    }

    /// At reset the sender is idle and its data register empty.
    pub fn reset(&mut self, bus: &mut Bus) {
        self.sender = Sender::default();
        self.receiver.stop();
        self.waiting = None;
        self.fifo.clear();
        self.overrun = false;
        self.format_value = 0x86;
        bus.set(self.udre, true);
        if self.nine.exists() {
            bus.set(self.rxb8, true);
        } else if !self.select {
            bus.put(self.format, 0x06);
        }
        self.drive(bus);
    }

    pub fn next(&self) -> u64 {
        self.sender.next.min(self.receiver.next)
    }

    fn format(&self, bus: &Bus, bit: Bit) -> bool {
        if self.select && bit.address == self.format {
            self.format_value & bit.mask != 0
        } else {
            bus.bit(bit)
        }
    }

    /// How it sends.
    pub fn line(&self, bus: &Bus) -> Line {
        Line {
            home: self.txd,
            pins: [self.txd, self.rxd],
            sends: bus.bit(self.txen),
            format: self.frame(bus),
        }
    }

    fn frame(&self, bus: &Bus) -> Format {
        Format {
            size: self.data_bits(bus),
            parity: self.parity(bus),
            bit: self.bit(bus),
        }
    }

    /// Clocks of a bit, times 65536.
    fn bit(&self, bus: &Bus) -> u64 {
        let high = if self.baud.1 == NOWHERE {
            0
        } else {
            bus.get(self.baud.1) & 0x0f
        };
        let rate = u64::from(u16::from_le_bytes([bus.get(self.baud.0), high])) + 1;
        let samples = if bus.bit(self.u2x) { 8 } else { 16 };
        (rate * samples) << 16
    }

    /// Data bits.
    fn data_bits(&self, bus: &Bus) -> u8 {
        if self.nine.exists() {
            return 8 + u8::from(bus.bit(self.nine));
        }
        let bits = self.size.0.iter().enumerate();
        let size: u8 = bits.map(|(i, &b)| u8::from(self.format(bus, b)) << i).sum();
        match size {
            0..=3 => 5 + size,
            7 => 9,
            _ => 8,
        }
    }

    /// Parity: none, or whether it is odd.
    fn parity(&self, bus: &Bus) -> Option<bool> {
        self.format(bus, self.parity.0[1])
            .then(|| self.format(bus, self.parity.0[0]))
    }

    fn drive(&self, bus: &mut Bus) {
        let Some(txd) = self.txd else { return };
        let on = bus.bit(self.txen) || self.sender.busy();
        bus.lines.override_direction(txd, on.then_some(true));
        bus.lines
            .override_value(txd, on.then_some(self.sender.level()));
    }

    /// Sends what was written, from this clock on.
    fn send(&mut self, bus: &Bus, data: u16, now: u64) {
        let frame = self.frame(bus);
        let stops = 1 + u8::from(self.format(bus, self.stop));
        let bits = frame.bits(data);
        self.sender
            .send(bits, frame.length(), stops, frame.bit, now);
    }

    pub fn read(&mut self, bus: &mut Bus, address: u16, now: u64) -> u8 {
        if address == self.data {
            let value = self.fifo.first().map_or(0, |r| r.data as u8);
            if !self.fifo.is_empty() {
                self.fifo.remove(0);
            }
            bus.set(self.dor, self.overrun);
            self.overrun = false;
            self.show(bus);
            return value;
        }
        if self.select && address == self.format {
            // Two reads in a row give UCSRC.
            let again = self.chosen == now.wrapping_sub(1);
            self.chosen = now;
            return if again {
                self.format_value | 0x80
            } else {
                bus.get(address)
            };
        }
        bus.get(address)
    }

    /// Flags and errors of what is to be read next.
    fn show(&mut self, bus: &mut Bus) {
        let first = self.fifo.first().copied();
        bus.set(self.rxc, first.is_some());
        let r = first.unwrap_or_default();
        bus.set(self.fe, r.frame);
        bus.set(self.upe, r.parity);
        if first.is_some() {
            bus.set(self.rxb8, r.data >> 8 & 1 == 1);
        }
    }

    pub fn write(&mut self, bus: &mut Bus, address: u16, value: u8, now: u64) {
        if address == self.data {
            if !bus.bit(self.txen) || !bus.bit(self.udre) {
                return;
            }
            let data = u16::from(value) | u16::from(bus.bit(self.txb8)) << 8;
            if self.sender.busy() {
                self.waiting = Some(data);
                bus.set(self.udre, false);
            } else {
                self.send(bus, data, now + 1);
            }
            self.drive(bus);
            return;
        }
        if self.select && address == self.format {
            if value & 0x80 != 0 {
                self.format_value = value;
            } else {
                bus.put(address, value & 0x0f);
            }
            return;
        }
        bus.store(address, value);
        if address == self.control {
            if !bus.bit(self.rxen) {
                self.receiver.stop();
                self.fifo.clear();
                self.overrun = false;
                bus.set(self.dor, false);
                self.show(bus);
            }
            if let Some(rxd) = self.rxd {
                let on = bus.bit(self.rxen);
                bus.lines.override_direction(rxd, on.then_some(false));
            }
            self.drive(bus);
        }
    }

    /// A line of the chip changed.
    pub fn changed(&mut self, bus: &Bus, changed: &[u8], now: u64) {
        if let Some(rxd) = self.rxd
            && changed[usize::from(rxd.port)] >> rxd.bit & 1 == 1
            && !bus.lines.level(rxd)
            && bus.bit(self.rxen)
        {
            self.receiver.bit = self.bit(bus);
            self.receiver.length = self.data_bits(bus) + u8::from(self.parity(bus).is_some());
            self.receiver.fell(now);
        }
    }

    pub fn event(&mut self, bus: &mut Bus, now: u64) {
        if self.receiver.next <= now
            && let Some(frame) = self.receiver.sample(bus.level(self.rxd))
        {
            let size = self.data_bits(bus);
            let data = frame.bits & ((1 << size) - 1);
            let parity = self.parity(bus).is_some_and(|odd| {
                let want = data.count_ones() as u16 & 1 ^ u16::from(odd);
                frame.bits >> size & 1 != want
            });
            if self.fifo.len() < self.depth {
                self.fifo.push(Received {
                    data,
                    frame: !frame.stop,
                    parity,
                });
            } else {
                self.overrun = true;
                if self.nine.exists() {
                    bus.set(self.dor, true);
                }
            }
            self.show(bus);
        }
        if self.sender.next <= now {
            let at = self.sender.next;
            if self.sender.step() {
                match self.waiting.take() {
                    Some(data) => {
                        self.send(bus, data, at);
                        bus.set(self.udre, true);
                    }
                    None => bus.set(self.txc, true),
                }
            }
            self.drive(bus);
        }
    }
}
