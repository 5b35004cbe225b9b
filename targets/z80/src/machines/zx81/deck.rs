//! The tape recorder at the EAR socket.

use super::tape::{HALF, PULSES, SILENCE};

/// T-states of a number of microseconds at 3.25 MHz.
const fn states(microseconds: u64) -> u64 {
    microseconds * 13 / 4
}

/// A tape that plays.
#[derive(Clone, Debug, Default)]
pub struct Deck {
    bytes: Vec<u8>,
    /// Next bit, counted over all bytes.
    bit: usize,
    /// Half pulses of it that are done.
    half: u64,
    /// Time in T-states at which the bit began.
    begun: u64,
    high: bool,
}

impl Deck {
    /// A tape whose first pulse comes at `start`.
    pub fn play(bytes: Vec<u8>, start: u64) -> Deck {
        Deck {
            bytes,
            begun: start,
            ..Deck::default()
        }
    }

    /// Whether it is at its end.
    pub fn done(&self) -> bool {
        self.bit >= self.bytes.len() * 8
    }

    /// The level at a time, which must not go back.
    #[inline]
    pub fn level(&mut self, now: u64) -> bool {
        if !self.done() {
            self.advance(now);
        }
        self.high
    }

    fn advance(&mut self, now: u64) {
        while let Some(byte) = self.bytes.get(self.bit / 8) {
            let one = byte >> (7 - self.bit % 8) & 1;
            let halves = 2 * PULSES[usize::from(one)];
            if self.half < halves {
                if self.begun + states(self.half * HALF) > now {
                    return;
                }
                self.high = self.half.is_multiple_of(2);
                self.half += 1;
            } else {
                self.high = false;
                self.begun += states(halves * HALF + SILENCE);
                self.half = 0;
                self.bit += 1;
            }
        }
    }
}
