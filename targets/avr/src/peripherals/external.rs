//! External interrupts and pin changes.
//!
//! A flag is set with the change of the line; the clocks of the synchronizer are not
//! counted.

use super::bus::{Bit, Bus, Group, NOWHERE};
use super::lines::Pin;
use super::names::Names;
use super::pinout::Pinout;

/// INTn.
#[derive(Clone, Copy, Debug)]
struct Input {
    pin: Pin,
    sense: Group,
    /// The only sense bit chooses between the edges.
    edges_only: bool,
    flag: Bit,
}

/// A pin that raises a pin change interrupt.
#[derive(Clone, Copy, Debug)]
struct Change {
    pin: Pin,
    mask: Bit,
    flag: Bit,
}

/// All external interrupts of a device.
#[derive(Clone, Debug, Default)]
pub(super) struct External {
    inputs: Vec<Input>,
    changes: Vec<Change>,
}

/// Flag and enabling bit of INTn.
pub(super) fn external_bits(names: &Names, n: u8) -> (Bit, Bit) {
    (
        names.bit(&[&format!("INTF{n}")]),
        names.bit(&[&format!("INT{n}")]),
    )
}

/// Flag and enabling bit of a group of pin changes.
pub(super) fn change_bits(names: &Names, group: u8) -> (Bit, Bit) {
    let bit = |name: &str| {
        let numbered = format!("{name}{group}");
        match group {
            0 => names.bit(&[&numbered, name]),
            _ => names.bit(&[&numbered]),
        }
    };
    (bit("PCIF"), bit("PCIE"))
}

impl External {
    /// `hidden` is a bit for a flag that has no register.
    pub fn find(names: &Names, pinout: Pinout, hidden: Bit) -> Self {
        let mut found = Self::default();
        for n in 0..8u8 {
            let Some(pin) = pinout.pin(&format!("INT{n}")) else {
                continue;
            };
            let (flag, enable) = external_bits(names, n);
            if !enable.exists() {
                continue;
            }
            let sense = |k: u8| {
                let whole = format!("ISC{n}{k}");
                if n == 0 {
                    // AT90S: ISC00 and ISC01 are the only ones of one digit.
                    names.bit(&[&whole, &format!("ISC{k}")])
                } else {
                    names.bit(&[&whole])
                }
            };
            let one = names.bit(&[&format!("ISC{n}")]);
            let mut bits = [sense(0), sense(1), Bit::default(), Bit::default()];
            let edges_only = !bits[0].exists() && one.exists();
            if edges_only {
                bits[0] = one;
            }
            found.inputs.push(Input {
                pin,
                sense: Group(bits),
                edges_only,
                flag: if flag.exists() { flag } else { hidden },
            });
        }
        for (n, pin) in pinout.changes() {
            let named = names.bit(&[&format!("PCINT{n}")]);
            let mut group = n / 8;
            let mask = if named.exists() {
                // A register of its own for the pins of a port.
                group = (0..4)
                    .find(|k| names.address(&[&format!("PCMSK{k}")]) == named.address)
                    .unwrap_or(group);
                named
            } else {
                let address = match group {
                    0 => names.address(&["PCMSK0", "PCMSK"]),
                    _ => names.address(&[&format!("PCMSK{group}")]),
                };
                Bit {
                    address,
                    mask: if address == NOWHERE { 0 } else { 1 << (n % 8) },
                }
            };
            let (flag, _) = change_bits(names, group);
            found.changes.push(Change { pin, mask, flag });
        }
        found
    }

    /// Low levels ask for as long as they last.
    pub fn look(&self, bus: &mut Bus) {
        for input in &self.inputs {
            let level = !input.edges_only && bus.group(&input.sense) == 0;
            let low = !bus.lines.level(input.pin);
            bus.ask(input.flag, level && low);
        }
    }

    /// Lines of the chip changed.
    pub fn changed(&self, bus: &mut Bus, changed: &[u8]) {
        let moved = |pin: Pin| changed[usize::from(pin.port)] >> pin.bit & 1 == 1;
        for input in self.inputs.iter().filter(|i| moved(i.pin)) {
            let high = bus.lines.level(input.pin);
            let sense = bus.group(&input.sense);
            let hit = match (input.edges_only, sense) {
                (true, _) => high == (sense == 1),
                (false, 0) => {
                    bus.ask(input.flag, !high);
                    false
                }
                (false, 1) => true,
                (false, _) => high == (sense == 3),
            };
            if hit {
                bus.set(input.flag, true);
            }
        }
        for change in self.changes.iter().filter(|c| moved(c.pin)) {
            if bus.bit(change.mask) {
                bus.set(change.flag, true);
            }
        }
    }
}
