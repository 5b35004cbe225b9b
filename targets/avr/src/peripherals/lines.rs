//! The pins of a chip as electrical lines.
//!
//! A line is driven by the chip (a port or the peripheral that overrides it), by
//! parts outside, through closed switches by other lines, or weakly by resistors. Low
//! wins over high where two drive, as an open collector does; a line that nobody
//! drives reads low.

use std::fmt;

/// Ports A to L.
pub const PORTS: usize = 12;

/// A pin of a port.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Pin {
    /// 0 for port A.
    pub port: u8,
    /// 0 to 7.
    pub bit: u8,
}

impl Pin {
    /// Reads `D5` or `PD5`.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        let bytes = name.as_bytes();
        let bytes = match bytes {
            [b'P' | b'p', rest @ ..] if rest.len() == 2 => rest,
            _ => bytes,
        };
        let &[letter, digit] = bytes else { return None };
        let port = letter.to_ascii_uppercase().wrapping_sub(b'A');
        let bit = digit.wrapping_sub(b'0');
        (usize::from(port) < PORTS && bit < 8).then_some(Self { port, bit })
    }

    /// Its bit in the registers of its port.
    #[must_use]
    pub const fn mask(self) -> u8 {
        1 << self.bit
    }
}

impl fmt::Display for Pin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "P{}{}", char::from(b'A' + self.port), self.bit)
    }
}

/// What a switch connects a pin to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Node {
    /// Another pin.
    Pin(Pin),
    /// Ground.
    Low,
    /// The supply.
    High,
}

/// What is known of the eight lines of a port, a bit each.
#[derive(Clone, Copy, Debug, Default)]
struct Port {
    /// PORTx and DDRx.
    value: u8,
    direction: u8,
    /// Where a peripheral says what is driven, and what.
    value_mask: u8,
    peripheral_value: u8,
    /// Where a peripheral says whether it is driven.
    direction_mask: u8,
    peripheral_direction: u8,
    /// Parts that drive, and resistors outside.
    low: u8,
    high: u8,
    pull_up: u8,
    pull_down: u8,
    /// The pull-ups of the chip where registers of their own switch them; nothing where
    /// `value` does.
    own_pull_ups: Option<u8>,
    /// Bits that there are pins for.
    pins: u8,
    level: u8,
    /// Levels before the last change, and the clock of that change.
    before: u8,
    since: u64,
}

impl Port {
    fn driven(&self) -> u8 {
        self.direction & !self.direction_mask | self.peripheral_direction & self.direction_mask
    }

    fn output(&self) -> u8 {
        self.value & !self.value_mask | self.peripheral_value & self.value_mask
    }

    /// What resistors pull up.
    fn weak(&self, pull_ups_off: bool) -> u8 {
        let inner = match self.own_pull_ups {
            Some(own) => own,
            None if pull_ups_off => 0,
            None => self.value & !self.driven(),
        };
        self.pull_up | inner
    }
}

/// The lines of all ports.
#[derive(Clone, Debug)]
pub struct Lines {
    ports: [Port; PORTS],
    switches: Vec<(Pin, Node)>,
    /// PUD: the pull-ups of the chip are off.
    pull_ups_off: bool,
    /// Ports to compute, a bit each.
    dirty: u16,
    /// Two sides drove one line against each other: how often, and where first.
    conflict: Option<(Pin, u64)>,
}

impl Default for Lines {
    fn default() -> Self {
        Self {
            ports: [Port::default(); PORTS],
            switches: Vec::new(),
            pull_ups_off: false,
            dirty: 0,
            conflict: None,
        }
    }
}

impl Lines {
    /// What `set` says of a port may have changed.
    fn touch(&mut self, port: u8) {
        self.dirty |= 1 << port;
    }

    /// The pins that a port has.
    pub fn set_pins(&mut self, port: u8, pins: u8) {
        self.ports[usize::from(port)].pins = pins;
    }

    /// The pins that a port has.
    #[must_use]
    pub fn pins(&self, port: u8) -> u8 {
        self.ports[usize::from(port)].pins
    }

    /// Whether the chip has that pin.
    #[must_use]
    pub fn has(&self, pin: Pin) -> bool {
        self.pins(pin.port) & pin.mask() != 0
    }

    /// The pull-ups of the chip, where registers of their own switch them and not PORTx.
    pub(super) fn own_pull_ups(&mut self, port: u8) -> &mut Option<u8> {
        self.touch(port);
        &mut self.ports[usize::from(port)].own_pull_ups
    }

    /// PORTx.
    pub(crate) fn set_port(&mut self, port: u8, value: u8) {
        self.ports[usize::from(port)].value = value;
        self.touch(port);
    }

    /// DDRx.
    pub(crate) fn set_direction(&mut self, port: u8, value: u8) {
        self.ports[usize::from(port)].direction = value;
        self.touch(port);
    }

    /// PORTx as written.
    #[must_use]
    pub fn port(&self, port: u8) -> u8 {
        self.ports[usize::from(port)].value
    }

    /// DDRx as written.
    #[must_use]
    pub fn direction(&self, port: u8) -> u8 {
        self.ports[usize::from(port)].direction
    }

    /// PUD.
    pub(super) fn set_pull_ups_off(&mut self, off: bool) {
        if self.pull_ups_off != off {
            self.pull_ups_off = off;
            self.dirty = (1 << PORTS) - 1;
        }
    }

    /// A peripheral decides the value that an output has (`Some`), or no more.
    pub(super) fn override_value(&mut self, pin: Pin, value: Option<bool>) {
        let port = &mut self.ports[usize::from(pin.port)];
        let mask = pin.mask();
        port.value_mask &= !mask;
        port.peripheral_value &= !mask;
        if let Some(value) = value {
            port.value_mask |= mask;
            port.peripheral_value |= mask * u8::from(value);
        }
        self.touch(pin.port);
    }

    /// A peripheral decides whether the pin is an output, or no more.
    pub(super) fn override_direction(&mut self, pin: Pin, output: Option<bool>) {
        let port = &mut self.ports[usize::from(pin.port)];
        let mask = pin.mask();
        port.direction_mask &= !mask;
        port.peripheral_direction &= !mask;
        if let Some(output) = output {
            port.direction_mask |= mask;
            port.peripheral_direction |= mask * u8::from(output);
        }
        self.touch(pin.port);
    }

    /// A part drives the pin, or lets it go.
    pub fn drive(&mut self, pin: Pin, level: Option<bool>) {
        let port = &mut self.ports[usize::from(pin.port)];
        let mask = pin.mask();
        let (low, high) = (port.low & !mask, port.high & !mask);
        port.low = low | if level == Some(false) { mask } else { 0 };
        port.high = high | if level == Some(true) { mask } else { 0 };
        self.touch(pin.port);
    }

    /// A resistor to the supply or to ground.
    pub fn pull(&mut self, pin: Pin, up: bool) {
        let port = &mut self.ports[usize::from(pin.port)];
        if up {
            port.pull_up |= pin.mask();
        } else {
            port.pull_down |= pin.mask();
        }
        self.touch(pin.port);
    }

    /// Closes or opens a switch.
    pub fn switch(&mut self, pin: Pin, to: Node, closed: bool) {
        let found = self.switches.iter().position(|&s| s == (pin, to));
        match (found, closed) {
            (None, true) => self.switches.push((pin, to)),
            (Some(at), false) => {
                self.switches.swap_remove(at);
            }
            _ => return,
        }
        self.touch(pin.port);
        if let Node::Pin(other) = to {
            self.touch(other.port);
        }
    }

    /// The level of a pin now.
    #[must_use]
    pub fn level(&self, pin: Pin) -> bool {
        self.ports[usize::from(pin.port)].level & pin.mask() != 0
    }

    /// The levels of a port now.
    #[must_use]
    pub fn levels(&self, port: u8) -> u8 {
        self.ports[usize::from(port)].level
    }

    /// Whether the chip drives the pin.
    #[must_use]
    pub fn driven(&self, pin: Pin) -> bool {
        self.ports[usize::from(pin.port)].driven() & pin.mask() != 0
    }

    /// PINx at a clock: a level is seen a clock after it is there.
    #[must_use]
    pub(super) fn read(&self, port: u8, now: u64) -> u8 {
        let port = &self.ports[usize::from(port)];
        if now > port.since {
            port.level
        } else {
            port.before
        }
    }

    /// Whether levels are to be computed.
    pub(crate) fn dirty(&self) -> bool {
        self.dirty != 0
    }

    /// The first pin at which two drove against each other, and how often that was.
    #[must_use]
    pub fn conflict(&self) -> Option<(Pin, u64)> {
        self.conflict
    }

    /// Computes the levels of what has changed; `since` is the clock from which on
    /// they hold. Gives for each port the bits that changed.
    pub(crate) fn settle(&mut self, since: u64) -> [u8; PORTS] {
        let mut changed = [0; PORTS];
        let mut dirty = std::mem::take(&mut self.dirty);
        // Lines that a switch connects change together.
        for &(pin, to) in &self.switches {
            if let Node::Pin(other) = to
                && dirty & (1 << pin.port | 1 << other.port) != 0
            {
                dirty |= 1 << pin.port | 1 << other.port;
            }
        }
        let mut fresh = [0; PORTS];
        for (i, port) in self.ports.iter().enumerate() {
            if dirty >> i & 1 == 0 {
                continue;
            }
            let driven = port.driven();
            let high = driven & port.output() | port.high;
            let low = driven & !port.output() | port.low;
            let weak = port.weak(self.pull_ups_off);
            fresh[i] = high & !low | weak & !(low | high);
            if high & low != 0 {
                let pin = Pin {
                    port: i as u8,
                    bit: (high & low).trailing_zeros() as u8,
                };
                self.conflict = Some(self.conflict.map_or((pin, 1), |(p, n)| (p, n + 1)));
            }
        }
        if !self.switches.is_empty() {
            self.connect(dirty, &mut fresh);
        }
        for (i, port) in self.ports.iter_mut().enumerate() {
            if dirty >> i & 1 == 0 {
                continue;
            }
            let level = fresh[i] & port.pins;
            changed[i] = level ^ port.level;
            if changed[i] != 0 {
                if port.since != since {
                    port.before = port.level;
                    port.since = since;
                }
                port.level = level;
            }
        }
        changed
    }

    /// Levels of lines that closed switches connect.
    fn connect(&mut self, dirty: u16, fresh: &mut [u8; PORTS]) {
        let mut done: Vec<Pin> = Vec::new();
        for at in 0..self.switches.len() {
            let (first, _) = self.switches[at];
            if done.contains(&first) || dirty >> first.port & 1 == 0 {
                continue;
            }
            let mut group = vec![first];
            let (mut low, mut high) = (false, false);
            loop {
                let before = group.len();
                for &(a, to) in &self.switches {
                    match to {
                        Node::Pin(b) => match (group.contains(&a), group.contains(&b)) {
                            (true, false) => group.push(b),
                            (false, true) => group.push(a),
                            _ => {}
                        },
                        Node::Low => low |= group.contains(&a),
                        Node::High => high |= group.contains(&a),
                    }
                }
                if group.len() == before {
                    break;
                }
            }
            let mut weak = false;
            for pin in &group {
                let port = &self.ports[usize::from(pin.port)];
                let (driven, mask) = (port.driven(), pin.mask());
                high |= (driven & port.output() | port.high) & mask != 0;
                low |= (driven & !port.output() | port.low) & mask != 0;
                weak |= port.weak(self.pull_ups_off) & mask != 0;
            }
            if high && low {
                self.conflict = Some(self.conflict.map_or((first, 1), |(p, n)| (p, n + 1)));
            }
            let level = !low && (high || weak);
            for pin in &group {
                let port = &mut fresh[usize::from(pin.port)];
                *port &= !pin.mask();
                *port |= if level { pin.mask() } else { 0 };
            }
            done.extend(group);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pin(name: &str) -> Pin {
        Pin::named(name).expect("a pin")
    }

    fn lines() -> Lines {
        let mut lines = Lines::default();
        for port in 0..4 {
            lines.set_pins(port, 0xff);
        }
        lines
    }

    #[test]
    fn pins_have_names() {
        assert_eq!(Pin::named("PD5"), Some(Pin { port: 3, bit: 5 }));
        assert_eq!(Pin::named("a0"), Some(Pin { port: 0, bit: 0 }));
        assert_eq!(pin("B7").to_string(), "PB7");
        for bad in ["", "P", "A8", "Z1", "PA", "PA12"] {
            assert_eq!(Pin::named(bad), None, "{bad}");
        }
    }

    #[test]
    fn an_output_is_seen_a_clock_later() {
        let mut l = lines();
        l.set_direction(1, 1);
        l.set_port(1, 1);
        assert_eq!(l.settle(10)[1], 1);
        assert_eq!((l.read(1, 10), l.read(1, 11)), (0, 1));
    }

    #[test]
    fn keys_connect_a_row_to_a_column() {
        let mut l = lines();
        // Columns A0..3 have pull-ups, rows A4..7 are driven low one at a time.
        l.set_port(0, 0x0f);
        l.settle(0);
        assert_eq!(l.levels(0), 0x0f);
        l.switch(pin("A1"), Node::Pin(pin("A6")), true);
        l.settle(1);
        // Row 6 floats, so the pull-up carries it along.
        assert_eq!(l.levels(0), 0x4f);
        l.set_direction(0, 0x40);
        l.settle(2);
        assert_eq!(l.levels(0), 0x0d);
        l.set_direction(0, 0x80);
        l.settle(3);
        assert_eq!(l.levels(0), 0x4f);
        // Three keys at the corners of a rectangle close the fourth.
        l.switch(pin("A1"), Node::Pin(pin("A7")), true);
        l.switch(pin("A2"), Node::Pin(pin("A6")), true);
        l.settle(4);
        assert_eq!(l.levels(0), 0x09);
        l.switch(pin("A1"), Node::Pin(pin("A6")), false);
        l.settle(5);
        assert_eq!(l.levels(0), 0x4d);
    }

    #[test]
    fn who_drives_against_whom_is_noted() {
        let mut l = lines();
        l.set_direction(2, 2);
        l.set_port(2, 2);
        l.drive(pin("C1"), Some(false));
        l.settle(1);
        assert!(!l.level(pin("C1")));
        assert_eq!(l.conflict(), Some((pin("C1"), 1)));
        l.drive(pin("C1"), None);
        l.settle(2);
        assert!(l.level(pin("C1")));
    }

    #[test]
    fn pull_ups_can_be_turned_off() {
        let mut l = lines();
        l.set_port(3, 0xff);
        l.settle(1);
        l.set_pull_ups_off(true);
        l.settle(2);
        assert_eq!(l.levels(3), 0);
        l.pull(pin("D0"), true);
        l.settle(3);
        assert_eq!(l.levels(3), 1);
    }
}
