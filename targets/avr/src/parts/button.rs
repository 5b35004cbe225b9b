//! A push button.

use crate::peripherals::lines::{Lines, Node, Pin};

/// Connects a pin to ground or to the supply while it is pressed.
#[derive(Clone, Debug)]
pub struct Button {
    /// The name of its key.
    pub name: String,
    pin: Pin,
    to_high: bool,
    /// A resistor holds the pin at the other level; otherwise the chip's pull-up must.
    resistor: bool,
    down: bool,
}

impl Button {
    /// A button to ground, or to the supply with a resistor to ground.
    #[must_use]
    pub fn new(name: &str, pin: Pin, to_high: bool) -> Self {
        Self {
            name: name.to_owned(),
            pin,
            to_high,
            resistor: to_high,
            down: false,
        }
    }

    /// With a resistor of its own, to ground too.
    #[must_use]
    pub fn with_resistor(mut self) -> Self {
        self.resistor = true;
        self
    }

    /// Whether it is pressed.
    #[must_use]
    pub fn down(&self) -> bool {
        self.down
    }

    pub(super) fn pin(&self) -> Pin {
        self.pin
    }

    pub(super) fn attach(&self, lines: &mut Lines) {
        if self.resistor {
            lines.pull(self.pin, !self.to_high);
        }
    }

    pub(super) fn key(&mut self, lines: &mut Lines, name: &str, down: bool) -> bool {
        if !self.name.eq_ignore_ascii_case(name) {
            return false;
        }
        self.down = down;
        let to = if self.to_high { Node::High } else { Node::Low };
        lines.switch(self.pin, to, down);
        true
    }
}
