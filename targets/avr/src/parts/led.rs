//! Light-emitting diodes.

use crate::peripherals::lines::{Lines, Pin};

/// A row of LEDs, each with its resistor.
#[derive(Clone, Debug)]
pub struct Leds {
    pins: Vec<Pin>,
    /// They hang on the supply and light up when the pin is low.
    low: bool,
    lit: Vec<bool>,
    /// How often each went on.
    flashes: Vec<u64>,
}

impl Leds {
    /// LEDs at pins, lit by a low or a high level.
    #[must_use]
    pub fn new(pins: Vec<Pin>, active_low: bool) -> Self {
        let n = pins.len();
        Self {
            pins,
            low: active_low,
            lit: vec![false; n],
            flashes: vec![0; n],
        }
    }

    /// Eight of them on a port.
    #[must_use]
    pub fn on_port(port: u8, active_low: bool) -> Self {
        Self::new((0..8).map(|bit| Pin { port, bit }).collect(), active_low)
    }

    /// Pins and whether they are lit now.
    pub fn state(&self) -> impl Iterator<Item = (Pin, bool)> {
        self.pins.iter().copied().zip(self.lit.iter().copied())
    }

    /// Bit n is LED n.
    #[must_use]
    pub fn bits(&self) -> u64 {
        let lit = self.lit.iter().take(64).enumerate();
        lit.map(|(i, &on)| u64::from(on) << i).sum()
    }

    /// How often an LED went on since power-on.
    #[must_use]
    pub fn flashes(&self, led: usize) -> u64 {
        self.flashes.get(led).copied().unwrap_or(0)
    }

    /// Lines have changed. A pull-up is too weak for light: the chip must drive.
    pub(crate) fn look(&mut self, lines: &Lines) {
        for (i, &pin) in self.pins.iter().enumerate() {
            let on = lines.driven(pin) && lines.level(pin) != self.low;
            self.flashes[i] += u64::from(on && !self.lit[i]);
            self.lit[i] = on;
        }
    }
}
