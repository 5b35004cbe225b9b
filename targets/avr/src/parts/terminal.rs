//! A serial terminal: decodes bits from the edges of a pin, and types.

use std::collections::VecDeque;

use super::text::TextScreen;
use crate::peripherals::lines::{Lines, PORTS, Pin};
use crate::peripherals::serial::{Receiver, Sender};

/// Most bytes that are remembered; the screen shows all.
const MOST: usize = 1 << 22;

/// A terminal with eight data bits, no parity, one stop bit.
#[derive(Clone, Debug)]
pub struct Terminal {
    /// The pin that the chip sends on, and that which it listens to.
    from: Option<Pin>,
    to: Option<Pin>,
    baud: u64,
    /// It takes the rate of the USART, which is this.
    follows: bool,
    rate: u64,
    /// Microseconds between two bytes that it types.
    pause: u64,
    receiver: Receiver,
    sender: Sender,
    typed: VecDeque<u8>,
    /// When the next byte may begin.
    wait: u64,
    received: Vec<u8>,
    /// Bytes with a wrong stop bit.
    errors: u64,
    screen: TextScreen,
}

impl Terminal {
    /// A terminal at the pins on which the chip sends and listens.
    #[must_use]
    pub fn new(from: Option<Pin>, to: Option<Pin>, baud: u64) -> Self {
        Self {
            from,
            to,
            baud: baud.max(1),
            follows: false,
            rate: 0,
            pause: 0,
            receiver: Receiver::new(1 << 16, 8),
            sender: Sender::default(),
            typed: VecDeque::new(),
            wait: u64::MAX,
            received: Vec::new(),
            errors: 0,
            screen: TextScreen::default(),
        }
    }

    /// With so many microseconds between two bytes that it types.
    #[must_use]
    pub fn with_pause(mut self, microseconds: u64) -> Self {
        self.pause = microseconds;
        self
    }

    /// At the rate that the USART of its pins has, whatever that is.
    #[must_use]
    pub fn following(mut self) -> Self {
        self.follows = true;
        self
    }

    /// The clocks of a bit, times 65536, of a USART that sends on this pin.
    pub(crate) fn follow(&mut self, from: Option<Pin>, bit: u64) {
        if self.follows && self.from == from {
            self.rate = bit;
        }
    }

    pub(super) fn pins(&self) -> Vec<Pin> {
        self.from.into_iter().chain(self.to).collect()
    }

    /// What the chip sent.
    #[must_use]
    pub fn received(&self) -> &[u8] {
        &self.received
    }

    /// Takes what the chip sent since this was called last.
    pub fn take(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.received)
    }

    /// How many bytes had no stop bit: the rate is another, most likely.
    #[must_use]
    pub fn errors(&self) -> u64 {
        self.errors
    }

    /// Its screen.
    #[must_use]
    pub fn screen(&self) -> &TextScreen {
        &self.screen
    }

    /// Whether everything typed is on its way or out.
    #[must_use]
    pub fn idle(&self) -> bool {
        self.typed.is_empty() && !self.sender.busy()
    }

    /// Types bytes, from a clock on.
    pub fn type_bytes(&mut self, bytes: &[u8], now: u64) {
        self.typed.extend(bytes);
        if !self.sender.busy() && self.wait == u64::MAX && !self.typed.is_empty() {
            self.wait = now;
        }
    }

    fn bit(&self, hertz: u64) -> u64 {
        match self.rate {
            0 => ((hertz << 16) / self.baud).max(1),
            rate => rate,
        }
    }

    pub(super) fn attach(&self, lines: &mut Lines) {
        if let Some(to) = self.to {
            lines.drive(to, Some(true));
        }
        // A line of which nothing is known yet is idle.
        if let Some(from) = self.from {
            lines.pull(from, true);
        }
    }

    pub(super) fn changed(&mut self, lines: &Lines, changed: &[u8; PORTS], now: u64, hertz: u64) {
        if let Some(pin) = self.from
            && changed[usize::from(pin.port)] >> pin.bit & 1 == 1
            && !lines.level(pin)
        {
            self.receiver.bit = self.bit(hertz);
            self.receiver.fell(now);
        }
    }

    pub(super) fn next(&self) -> u64 {
        self.receiver.next.min(self.sender.next).min(self.wait)
    }

    pub(super) fn event(&mut self, lines: &mut Lines, now: u64, hertz: u64) {
        if self.receiver.next <= now
            && let Some(pin) = self.from
            && let Some(frame) = self.receiver.sample(lines.level(pin))
        {
            if frame.stop {
                let byte = frame.bits as u8;
                if self.received.len() < MOST {
                    self.received.push(byte);
                }
                self.screen.put(byte);
            } else {
                self.errors += 1;
            }
        }
        if self.sender.next <= now && self.sender.step() {
            self.wait = now + hertz * self.pause / 1_000_000;
        }
        if self.wait <= now && !self.sender.busy() {
            self.wait = u64::MAX;
            if let Some(byte) = self.typed.pop_front() {
                let bit = self.bit(hertz);
                self.sender.send(u16::from(byte), 8, 1, bit, now);
            }
        }
        if let Some(to) = self.to {
            lines.drive(to, Some(self.sender.level()));
        }
    }
}
