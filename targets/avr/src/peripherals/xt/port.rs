//! Interrupts of ports: what each pin looks for is in its PINnCTRL.

use super::regs::{Asks, Regs};
use crate::peripherals::bus::{Bus, NOWHERE};
use crate::peripherals::lines::PORTS;

const BOTH: u8 = 1;
const RISING: u8 = 2;
const FALLING: u8 = 3;
const LEVEL: u8 = 5;

/// A port.
#[derive(Clone, Debug)]
pub(super) struct Port {
    pub number: u8,
    /// INTFLAGS, and those of the virtual port.
    flags: [u16; 2],
    controls: [u16; 8],
    sense: u8,
    vector: u8,
}

impl Port {
    pub fn of(regs: &Regs<'_>, number: u8) -> Option<Self> {
        let letter = char::from(b'A' + number);
        let name = format!("PORT{letter}");
        let at = |r: &str| regs.at(&format!("{name}_{r}"));
        (at("INTFLAGS") != NOWHERE).then(|| Self {
            number,
            flags: [at("INTFLAGS"), regs.at(&format!("V{name}_INTFLAGS"))],
            controls: [0, 1, 2, 3, 4, 5, 6, 7].map(|n| at(&format!("PIN{n}CTRL"))),
            sense: regs.mask(&format!("{name}_PIN0CTRL"), "ISC"),
            vector: regs.vector(&format!("{name}_PORT")),
        })
    }

    /// INTFLAGS.
    pub fn registers(&self) -> Vec<u16> {
        self.flags
            .iter()
            .copied()
            .filter(|&a| a != NOWHERE)
            .collect()
    }

    fn put(&self, bus: &mut Bus, flags: u8) {
        for at in self.registers() {
            bus.put(at, flags);
        }
    }

    pub fn write(&mut self, bus: &mut Bus, value: u8) {
        self.put(bus, bus.get(self.flags[0]) & !value);
        self.look(bus, 0);
    }

    pub fn changed(&mut self, bus: &mut Bus, changed: &[u8; PORTS]) {
        self.look(bus, changed[usize::from(self.number)]);
    }

    /// Sets the flags of pins that changed, or that are low.
    pub fn look(&mut self, bus: &mut Bus, changed: u8) {
        let levels = bus.lines.levels(self.number);
        let mut flags = bus.get(self.flags[0]);
        for (bit, &control) in self.controls.iter().enumerate() {
            let (moved, high) = (changed >> bit & 1 == 1, levels >> bit & 1 == 1);
            let set = match bus.get(control) & self.sense {
                BOTH => moved,
                RISING => moved && high,
                FALLING => moved && !high,
                LEVEL => !high,
                _ => false,
            };
            flags |= u8::from(set) << bit;
        }
        if flags != bus.get(self.flags[0]) {
            self.put(bus, flags);
        }
    }

    pub fn asks(&self, bus: &Bus) -> Asks {
        let mut asks = Asks::default();
        asks.put(self.vector, bus.get(self.flags[0]) != 0);
        asks
    }
}
