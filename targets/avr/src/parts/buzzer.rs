//! A buzzer at a pin: what it plays, as tones and as samples.

use crate::peripherals::lines::{Lines, PORTS, Pin};

/// Most edges that are kept: some hours of music.
const MOST: usize = 1 << 24;
/// Samples in a second.
pub const RATE: u32 = 44_100;
/// Longest record in seconds.
const LONGEST: f64 = 600.0;

/// A tone.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tone {
    /// When it begins, in seconds.
    pub start: f64,
    /// How long it sounds, in seconds.
    pub length: f64,
    /// Its frequency in Hz.
    pub frequency: f64,
}

/// Turns a level into sound.
#[derive(Clone, Debug)]
pub struct Buzzer {
    pin: Pin,
    /// Seconds at each edge; it is high after the even ones, from 0.
    edges: Vec<f64>,
    /// Clock and seconds of the last edge: the clock's rate may change.
    last: (u64, f64),
    level: bool,
}

impl Buzzer {
    /// A buzzer between a pin and ground.
    #[must_use]
    pub fn new(pin: Pin) -> Self {
        Self {
            pin,
            edges: Vec::new(),
            last: (0, 0.0),
            level: false,
        }
    }

    pub(super) fn pin(&self) -> Pin {
        self.pin
    }

    pub(super) fn changed(&mut self, lines: &Lines, changed: &[u8; PORTS], now: u64, hertz: u64) {
        if changed[usize::from(self.pin.port)] >> self.pin.bit & 1 == 0 {
            return;
        }
        let seconds = self.last.1 + (now - self.last.0) as f64 / hertz as f64;
        self.last = (now, seconds);
        self.level = lines.level(self.pin);
        if self.edges.len() < MOST {
            self.edges.push(seconds);
        }
    }

    /// What was played: runs of two or more equal periods of 20 Hz to 20 kHz.
    #[must_use]
    pub fn tones(&self) -> Vec<Tone> {
        let mut tones: Vec<Tone> = Vec::new();
        for e in self.edges.windows(3).step_by(2) {
            let period = e[2] - e[0];
            if !(0.000_05..=0.05).contains(&period) {
                continue;
            }
            if let Some(last) = tones.last_mut() {
                let joins = (last.start + last.length - e[0]).abs() < period / 2.0;
                let periods = (last.length * last.frequency).round();
                if joins && (1.0 / last.frequency - period).abs() < period * 0.02 {
                    last.length += period;
                    last.frequency = (periods + 1.0) / last.length;
                    continue;
                }
            }
            tones.push(Tone {
                start: e[0],
                length: period,
                frequency: 1.0 / period,
            });
        }
        // The pause after a tone is no period of its own.
        tones.retain(|t| t.length * t.frequency > 1.5);
        tones
    }

    /// Seconds since power-on at a clock.
    #[must_use]
    pub fn seconds(&self, now: u64, hertz: u64) -> f64 {
        self.last.1 + now.saturating_sub(self.last.0) as f64 / hertz as f64
    }

    /// The sound between two times, [`RATE`] bytes a second, 128 in the middle; ten
    /// minutes at most.
    #[must_use]
    pub fn samples(&self, from: f64, to: f64) -> Vec<u8> {
        let rate = f64::from(RATE);
        let count = ((to - from) * rate).clamp(0.0, LONGEST * rate) as u64;
        let mut next = self.edges.partition_point(|e| *e < from);
        let mut mean = f64::from(u8::from(next % 2 == 1));
        let mut out = Vec::with_capacity(count as usize);
        for n in 0..count {
            let (begin, end) = (from + n as f64 / rate, from + (n + 1) as f64 / rate);
            // How long it was high within the sample.
            let (mut at, mut high) = (begin, 0.0);
            while let Some(&edge) = self.edges.get(next).filter(|e| **e < end) {
                if next % 2 == 1 {
                    high += edge - at;
                }
                at = edge.max(begin);
                next += 1;
            }
            if next % 2 == 1 {
                high += end - at;
            }
            let value = high * rate;
            // A capacitor keeps the rest position out.
            mean += (value - mean) * 0.002;
            out.push((128.0 + (value - mean) * 100.0).clamp(0.0, 255.0) as u8);
        }
        out
    }
}
