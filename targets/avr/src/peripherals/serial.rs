//! Asynchronous serial lines: a receiver that samples, a sender that shifts.
//!
//! Times are in clocks; that of a bit has 16 bits behind the point, so that rates
//! which do not divide the clock keep their place to the end of a frame.

use super::lines::Pin;

/// A frame that was received: data and parity bits, the first in bit 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frame {
    /// The bits after the start bit.
    pub bits: u16,
    /// Whether the stop bit was high.
    pub stop: bool,
}

/// How a USART sends now, and on which pins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line {
    /// The pin that it sends on after a reset: by it USARTs are told apart.
    pub home: Option<Pin>,
    /// The pins that it sends on and receives on.
    pub pins: [Option<Pin>; 2],
    /// Whether it is on.
    pub sends: bool,
    /// How its frames are.
    pub format: Format,
}

/// How frames are: data bits, parity, and the clocks of a bit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Format {
    /// Data bits.
    pub size: u8,
    /// Whether a parity bit is odd, where there is one.
    pub parity: Option<bool>,
    /// Clocks of a bit times 65536.
    pub bit: u64,
}

impl Format {
    /// Data and parity bits.
    #[must_use]
    pub fn length(self) -> u8 {
        self.size + u8::from(self.parity.is_some())
    }

    /// Data, and its parity bit above.
    #[must_use]
    pub fn bits(self, data: u16) -> u16 {
        let data = data & ((1 << self.size) - 1);
        match self.parity {
            Some(odd) => data | u16::from((data.count_ones() % 2 == 1) ^ odd) << self.size,
            None => data,
        }
    }
}

/// The clock at the end of so many halves of bits after a beginning.
fn after(start: u64, bit: u64, halves: u64) -> u64 {
    start + ((bit * halves) >> 17)
}

/// Takes frames from a line by sampling the middle of each bit.
#[derive(Clone, Debug)]
pub struct Receiver {
    /// Clocks of a bit times 65536.
    pub bit: u64,
    /// Bits between start and stop.
    pub length: u8,
    start: u64,
    /// Samples taken; the start bit is the first.
    taken: u8,
    bits: u16,
    /// When the next sample is due; the end of time while the line is idle.
    pub next: u64,
}

impl Receiver {
    /// A receiver of frames with so many data and parity bits.
    #[must_use]
    pub fn new(bit: u64, length: u8) -> Self {
        Self {
            bit,
            length,
            start: 0,
            taken: 0,
            bits: 0,
            next: u64::MAX,
        }
    }

    /// The line fell: a frame begins unless one is under way.
    pub fn fell(&mut self, now: u64) {
        if self.next == u64::MAX {
            self.start = now;
            self.taken = 0;
            self.bits = 0;
            self.next = after(now, self.bit, 1);
        }
    }

    /// Forgets what was under way.
    pub fn stop(&mut self) {
        self.next = u64::MAX;
    }

    /// Takes the sample that is due.
    pub fn sample(&mut self, level: bool) -> Option<Frame> {
        let taken = self.taken;
        if taken == 0 && level {
            // Too short for a start bit.
            self.next = u64::MAX;
            return None;
        }
        if taken > self.length {
            self.next = u64::MAX;
            return Some(Frame {
                bits: self.bits,
                stop: level,
            });
        }
        if taken > 0 {
            self.bits |= u16::from(level) << (taken - 1);
        }
        self.taken += 1;
        self.next = after(self.start, self.bit, 2 * u64::from(self.taken) + 1);
        None
    }
}

/// Puts frames on a line.
#[derive(Clone, Debug)]
pub struct Sender {
    /// Start, data, parity and stop bits, and how many.
    bits: u16,
    length: u8,
    bit: u64,
    start: u64,
    /// Number of the bit that comes when the level changes next.
    coming: u8,
    level: bool,
    /// When the level changes or the frame ends; the end of time when idle.
    pub next: u64,
}

impl Default for Sender {
    fn default() -> Self {
        Self {
            bits: 0,
            length: 0,
            bit: 0,
            start: 0,
            coming: 0,
            level: true,
            next: u64::MAX,
        }
    }
}

impl Sender {
    /// Begins a frame of `length` data and parity bits; the line is low from `now` on.
    pub fn send(&mut self, data: u16, length: u8, stops: u8, bit: u64, now: u64) {
        let stop = ((1 << stops) - 1) << (length + 1);
        self.bits = data << 1 | stop;
        self.length = length + 1 + stops;
        self.bit = bit;
        self.start = now;
        self.coming = 0;
        self.go_on();
    }

    /// Whether a frame is under way.
    #[must_use]
    pub fn busy(&self) -> bool {
        self.next != u64::MAX
    }

    /// The level of the line; high when idle.
    #[must_use]
    pub fn level(&self) -> bool {
        self.level
    }

    /// The clock has come to `next`; true when the frame ended then.
    pub fn step(&mut self) -> bool {
        if self.coming >= self.length {
            self.next = u64::MAX;
            return true;
        }
        self.go_on();
        false
    }

    /// From the bit that comes to the next one of another level, or the end.
    fn go_on(&mut self) {
        let bits = self.bits >> self.coming;
        self.level = bits & 1 == 1;
        let same = if self.level {
            bits.trailing_ones()
        } else {
            bits.trailing_zeros()
        };
        self.coming = (self.coming + same as u8).min(self.length);
        self.next = after(self.start, self.bit, 2 * u64::from(self.coming));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_sent_is_received() {
        for (bit, data, length) in [
            (833 << 16, 0x55, 8),
            (69 << 16 | 0x71c7, 0x1a5, 9),
            (8 << 16, 0, 5),
        ] {
            let (mut s, mut r) = (Sender::default(), Receiver::new(bit, length));
            s.send(data, length, 1, bit, 1000);
            r.fell(1000);
            assert!(!s.level());
            let frame = loop {
                if s.next < r.next {
                    assert!(!s.step(), "it ends after the stop bit was sampled");
                } else if let Some(frame) = r.sample(s.level()) {
                    break frame;
                }
            };
            assert_eq!(
                frame,
                Frame {
                    bits: data,
                    stop: true
                }
            );
            while !s.step() {}
            assert!(s.level() && !s.busy());
        }
    }

    #[test]
    fn a_spike_is_no_start_bit() {
        let mut r = Receiver::new(100 << 16, 8);
        r.fell(0);
        assert_eq!((r.next, r.sample(true)), (50, None));
        assert_eq!(r.next, u64::MAX);
    }
}
