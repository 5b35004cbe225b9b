//! A logic analyser: the edges of some pins with their clocks.

use crate::peripherals::lines::{Lines, PORTS, Pin};

/// A change of a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    /// The first clock with the new level.
    pub clock: u64,
    /// Whose.
    pub pin: Pin,
    /// The new level.
    pub high: bool,
}

/// Records the edges of pins.
#[derive(Clone, Debug, Default)]
pub struct Probe {
    pins: Vec<Pin>,
    edges: Vec<Edge>,
}

/// Most edges that are kept.
const MOST: usize = 1 << 20;

impl Probe {
    /// A probe at these pins.
    #[must_use]
    pub fn new(pins: Vec<Pin>) -> Self {
        Self {
            pins,
            edges: Vec::new(),
        }
    }

    /// The edges since it was attached; the first million of them.
    #[must_use]
    pub fn edges(&self) -> &[Edge] {
        &self.edges
    }

    pub(super) fn pins(&self) -> &[Pin] {
        &self.pins
    }

    pub(super) fn changed(&mut self, lines: &Lines, changed: &[u8; PORTS], clock: u64) {
        for &pin in &self.pins {
            if changed[usize::from(pin.port)] >> pin.bit & 1 == 1 && self.edges.len() < MOST {
                self.edges.push(Edge {
                    clock,
                    pin,
                    high: lines.level(pin),
                });
            }
        }
    }
}
