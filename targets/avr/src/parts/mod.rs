//! What hangs on the pins of a chip: terminal, keypad, LEDs, buttons and the like.
//!
//! A part sees levels and edges only, as the real one does. It drives lines, closes
//! switches between them, and may ask to be called at a clock.

mod button;
pub mod buzzer;
pub mod display;
mod i2c;
mod keypad;
mod led;
mod probe;
mod terminal;
mod text;

pub use button::Button;
pub use buzzer::{Buzzer, Tone};
pub use display::{Controller, Display};
pub use keypad::{Keypad, LABELS};
pub use led::Leds;
pub use probe::{Edge, Probe};
pub use terminal::Terminal;
pub use text::TextScreen;

use crate::peripherals::lines::{Lines, PORTS, Pin};

/// A part.
#[derive(Clone, Debug)]
#[expect(missing_docs, reason = "the types say it")]
pub enum Part {
    Terminal(Terminal),
    Keypad(Keypad),
    Leds(Leds),
    Button(Button),
    Buzzer(Buzzer),
    Display(Display),
    Probe(Probe),
}

impl Part {
    /// What it does when it is connected.
    pub(crate) fn attach(&mut self, lines: &mut Lines) {
        match self {
            Self::Terminal(t) => t.attach(lines),
            Self::Button(b) => b.attach(lines),
            Self::Display(d) => d.attach(lines),
            Self::Keypad(_) | Self::Leds(_) | Self::Buzzer(_) | Self::Probe(_) => {}
        }
    }

    /// Lines changed at a clock.
    pub(crate) fn changed(
        &mut self,
        lines: &mut Lines,
        changed: &[u8; PORTS],
        now: u64,
        hertz: u64,
    ) {
        match self {
            Self::Terminal(t) => t.changed(lines, changed, now, hertz),
            Self::Probe(p) => p.changed(lines, changed, now),
            Self::Buzzer(b) => b.changed(lines, changed, now, hertz),
            Self::Display(d) => d.changed(lines, changed),
            Self::Keypad(_) | Self::Button(_) | Self::Leds(_) => {}
        }
    }

    /// When it wants to be called.
    pub(crate) fn next(&self) -> u64 {
        match self {
            Self::Terminal(t) => t.next(),
            _ => u64::MAX,
        }
    }

    /// The clock has come to that.
    pub(crate) fn event(&mut self, lines: &mut Lines, now: u64, hertz: u64) {
        if let Self::Terminal(t) = self {
            t.event(lines, now, hertz);
        }
    }

    /// The pins that it hangs on.
    #[must_use]
    pub fn pins(&self) -> Vec<Pin> {
        match self {
            Self::Terminal(t) => t.pins(),
            Self::Keypad(k) => k.pins(),
            Self::Leds(l) => l.state().map(|(pin, _)| pin).collect(),
            Self::Button(b) => vec![b.pin()],
            Self::Buzzer(b) => vec![b.pin()],
            Self::Display(d) => d.pins(),
            Self::Probe(p) => p.pins().to_vec(),
        }
    }

    /// The names of its keys.
    #[must_use]
    pub fn keys(&self) -> Vec<String> {
        match self {
            Self::Keypad(k) => k.keys(),
            Self::Button(b) => vec![b.name.clone()],
            _ => Vec::new(),
        }
    }

    /// Presses or releases a key; false when it has none of that name.
    pub(crate) fn key(&mut self, lines: &mut Lines, name: &str, down: bool) -> bool {
        match self {
            Self::Keypad(k) => k.key(lines, name, down),
            Self::Button(b) => b.key(lines, name, down),
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests;
