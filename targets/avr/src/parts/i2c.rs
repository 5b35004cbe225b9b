//! The slave's side of an I²C bus, from the levels of two lines.

use crate::peripherals::lines::{Lines, PORTS, Pin};

/// What a slave does with bytes.
pub(super) trait Device {
    /// A transfer to it begins; false refuses it.
    fn begin(&mut self, reads: bool) -> bool;
    /// A byte for it; false refuses it.
    fn byte(&mut self, value: u8) -> bool;
    /// A byte from it.
    fn give(&mut self) -> u8;
}

/// Where in a transfer the bus is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// No start was seen, or others are meant.
    Idle,
    Address,
    Write,
    Read,
}

/// Bits and acknowledgements; [`Device`] gets the bytes.
#[derive(Clone, Debug)]
pub(super) struct Slave {
    pub sda: Pin,
    pub scl: Pin,
    address: u8,
    state: State,
    /// Bits of the byte that came or went; 8 is the acknowledgement.
    bits: u8,
    byte: u8,
    /// The acknowledgement that it gives, or got.
    acknowledges: bool,
    clock: bool,
    data: bool,
    /// It holds SDA low.
    pulls: bool,
}

impl Slave {
    pub fn new(sda: Pin, scl: Pin, address: u8) -> Self {
        Self {
            sda,
            scl,
            address,
            state: State::Idle,
            bits: 0,
            byte: 0,
            acknowledges: false,
            clock: false,
            data: false,
            pulls: false,
        }
    }

    pub fn attach(&mut self, lines: &mut Lines) {
        // Modules bring the resistors of the bus along.
        lines.pull(self.sda, true);
        lines.pull(self.scl, true);
    }

    pub fn changed(&mut self, lines: &mut Lines, changed: &[u8; PORTS], device: &mut impl Device) {
        let moved = |p: Pin| changed[usize::from(p.port)] >> p.bit & 1 == 1;
        if !moved(self.sda) && !moved(self.scl) {
            return;
        }
        let (clock, data) = (lines.level(self.scl), lines.level(self.sda));
        let (old_clock, old_data) = (self.clock, self.data);
        (self.clock, self.data) = (clock, data);
        match (old_clock, clock) {
            (true, true) if old_data != data => {
                // A start, or a stop.
                self.state = if data { State::Idle } else { State::Address };
                self.bits = 0;
                self.byte = 0;
                self.pull(lines, false);
            }
            (false, true) => self.rise(data, device),
            (true, false) => self.fall(lines, device),
            _ => {}
        }
    }

    fn rise(&mut self, data: bool, device: &mut impl Device) {
        match self.state {
            State::Idle => {}
            State::Read if self.bits == 9 => self.acknowledges = !data,
            State::Read => self.bits += 1,
            State::Address | State::Write if self.bits < 8 => {
                self.byte = self.byte << 1 | u8::from(data);
                self.bits += 1;
                if self.bits == 8 {
                    self.acknowledges = self.whole(device);
                }
            }
            State::Address | State::Write => {}
        }
    }

    /// A byte is complete; tells whether it is acknowledged.
    fn whole(&mut self, device: &mut impl Device) -> bool {
        if self.state == State::Write {
            return device.byte(self.byte);
        }
        let mine = self.byte >> 1 == self.address;
        mine && device.begin(self.byte & 1 == 1)
    }

    /// Holds SDA low or lets it go; others at the bus may hold it as well.
    fn pull(&mut self, lines: &mut Lines, low: bool) {
        if self.pulls != low {
            self.pulls = low;
            lines.drive(self.sda, low.then_some(false));
        }
    }

    fn fall(&mut self, lines: &mut Lines, device: &mut impl Device) {
        match self.state {
            State::Idle => return,
            State::Read => {
                if self.bits == 8 {
                    // The master's turn; what it says is known at the next fall.
                    self.pull(lines, false);
                    self.bits = 9;
                    return;
                }
                if self.bits == 9 {
                    self.bits = 0;
                    if !self.acknowledges {
                        self.state = State::Idle;
                        return;
                    }
                    self.byte = device.give();
                }
            }
            State::Address | State::Write => {
                if self.bits == 8 {
                    self.pull(lines, self.acknowledges);
                    self.bits = 9;
                    return;
                }
                if self.bits != 9 {
                    return;
                }
                self.pull(lines, false);
                self.bits = 0;
                let reads = self.state == State::Address && self.byte & 1 == 1;
                self.state = match (self.acknowledges, reads) {
                    (false, _) => State::Idle,
                    (true, false) => State::Write,
                    (true, true) => State::Read,
                };
                if self.state != State::Read {
                    return;
                }
                self.byte = device.give();
            }
        }
        let bit = self.byte << self.bits & 0x80 != 0;
        self.pull(lines, !bit);
    }
}
