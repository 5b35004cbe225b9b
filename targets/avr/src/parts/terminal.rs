//! A serial terminal: decodes bits from the edges of a pin, and types.

use std::collections::VecDeque;

use super::text::TextScreen;
use crate::peripherals::lines::{Lines, PORTS, Pin};
use crate::peripherals::serial::{Format, Line, Receiver, Sender};

/// Most bytes that are remembered; the screen shows all.
const MOST: usize = 1 << 22;

/// The USART whose settings a terminal takes.
#[derive(Clone, Copy, Debug)]
enum Follows {
    /// None: eight data bits, no parity, one stop bit.
    None,
    /// That which sends on this pin after a reset.
    One(Pin),
    /// The first that is switched on to send.
    First,
}

/// A terminal with eight data bits, no parity, one stop bit, unless it takes what a USART
/// has.
#[derive(Clone, Debug)]
pub struct Terminal {
    /// The pin that the chip sends on, and that which it listens to.
    from: Option<Pin>,
    to: Option<Pin>,
    baud: u64,
    follows: Follows,
    /// Its frames, once the USART has told.
    format: Option<Format>,
    /// The USART has not been switched on. What is under way when that comes is no frame:
    /// the pin was low because the program made it an output.
    waits: bool,
    /// Microseconds between two bytes that it types.
    pause: u64,
    receiver: Receiver,
    sender: Sender,
    typed: VecDeque<u8>,
    /// When the next byte may begin.
    wait: u64,
    received: Vec<u8>,
    /// Bytes with a wrong stop bit or parity.
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
            follows: Follows::None,
            format: None,
            waits: false,
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

    /// With rate, data bits and parity of the USART of its pins, and at the pins that this
    /// is routed to.
    #[must_use]
    pub fn following(mut self) -> Self {
        self.follows = self.from.map_or(Follows::None, Follows::One);
        self.waits = self.from.is_some();
        self
    }

    /// The same for the first USART that is switched on to send, whichever it is.
    #[must_use]
    pub fn following_first(mut self) -> Self {
        self.follows = Follows::First;
        self.waits = true;
        self
    }

    /// How a USART sends now.
    pub(crate) fn follow(&mut self, line: &Line, lines: &mut Lines) {
        let mine = match (self.follows, line.home) {
            (Follows::First, Some(home)) if line.sends => {
                self.follows = Follows::One(home);
                true
            }
            (Follows::One(pin), home) => home == Some(pin),
            _ => false,
        };
        if !mine {
            return;
        }
        self.format = Some(line.format);
        if line.sends && self.waits {
            self.waits = false;
            self.receiver.stop();
        }
        if line.sends && line.pins != [self.from, self.to] {
            if let Some(to) = self.to {
                lines.drive(to, None);
            }
            [self.from, self.to] = line.pins;
            self.receiver.stop();
            self.attach(lines);
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

    /// How many bytes had no stop bit or a wrong parity: the rate is another, most likely.
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

    fn format(&self, hertz: u64) -> Format {
        self.format.unwrap_or(Format {
            size: 8,
            parity: None,
            bit: ((hertz << 16) / self.baud).max(1),
        })
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
            let format = self.format(hertz);
            self.receiver.bit = format.bit;
            self.receiver.length = format.length();
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
            let format = self.format(hertz);
            let data = frame.bits & ((1 << format.size) - 1);
            if frame.stop && format.bits(data) == frame.bits {
                let byte = data as u8;
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
                let format = self.format(hertz);
                let bits = format.bits(u16::from(byte));
                self.sender.send(bits, format.length(), 1, format.bit, now);
            }
        }
        if let Some(to) = self.to {
            lines.drive(to, Some(self.sender.level()));
        }
    }
}
