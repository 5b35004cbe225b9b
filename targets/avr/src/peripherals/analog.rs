//! Converter and comparator: what they measure is set from outside.

use super::bus::{Bit, Bus, Group, NOWHERE};
use super::lines::Pin;
use super::names::Names;
use super::pinout::Pinout;

/// Channels that have a value of their own.
const CHANNELS: usize = 16;

/// The analog to digital converter.
#[derive(Clone, Debug)]
pub(super) struct Converter {
    pub control: u16,
    result: (u16, u16),
    enable: Bit,
    start: Bit,
    again: Bit,
    trigger: Group,
    rate: Group,
    channel: Group,
    left: Bit,
    pub flag: Bit,
    /// What each channel measures, of 1023.
    pub values: [u16; CHANNELS],
    /// The first conversion takes longer.
    warm: bool,
    /// The low byte was read, the result stays until the high one is.
    locked: bool,
    pub next: u64,
}

impl Converter {
    pub fn find(names: &Names) -> Option<Self> {
        let control = names.address(&["ADCSRA", "ADCSR"]);
        (control != NOWHERE).then(|| Self {
            control,
            result: names.pair("ADC"),
            enable: names.bit(&["ADEN"]),
            start: names.bit(&["ADSC"]),
            again: names.bit(&["ADATE", "ADFR"]),
            trigger: names.group("ADTS"),
            rate: names.group("ADPS"),
            channel: names.group("MUX"),
            left: names.bit(&["ADLAR"]),
            flag: names.bit(&["ADIF"]),
            values: [0; CHANNELS],
            warm: false,
            locked: false,
            next: u64::MAX,
        })
    }

    pub fn addresses(&self) -> [u16; 3] {
        [self.control, self.result.0, self.result.1]
    }

    pub fn reset(&mut self) {
        (self.warm, self.locked, self.next) = (false, false, u64::MAX);
    }

    fn clock(&self, bus: &Bus) -> u64 {
        1 << (bus.group(&self.rate) & 7).max(1)
    }

    fn begin(&mut self, bus: &mut Bus, now: u64) {
        let clocks = if std::mem::replace(&mut self.warm, true) {
            13
        } else {
            25
        };
        bus.set(self.start, true);
        self.next = now + clocks * self.clock(bus);
    }

    pub fn read(&mut self, bus: &Bus, address: u16) -> u8 {
        if address == self.result.0 {
            self.locked = true;
        } else if address == self.result.1 {
            self.locked = false;
        }
        bus.get(address)
    }

    pub fn write(&mut self, bus: &mut Bus, address: u16, value: u8, now: u64) {
        if address != self.control {
            return;
        }
        let flag = bus.get(address) & self.flag.mask & !value;
        // A conversion cannot be stopped by clearing ADSC.
        let busy = self.next != u64::MAX;
        let start = if busy { self.start.mask } else { 0 };
        bus.put(
            address,
            value & !self.flag.mask & !self.start.mask | flag | start,
        );
        if !bus.bit(self.enable) {
            self.reset();
            bus.set(self.start, false);
        } else if value & self.start.mask != 0 && !busy {
            self.begin(bus, now);
        }
    }

    pub fn event(&mut self, bus: &mut Bus) {
        let now = self.next;
        self.next = u64::MAX;
        let value = self.values[usize::from(bus.group(&self.channel)) % CHANNELS].min(1023);
        let value = if bus.bit(self.left) {
            value << 6
        } else {
            value
        };
        if !self.locked {
            let [low, high] = value.to_le_bytes();
            bus.put(self.result.0, low);
            bus.put(self.result.1, high);
        }
        bus.set(self.start, false);
        bus.set(self.flag, true);
        // Free running; other triggers start none.
        if bus.bit(self.again) && bus.group(&self.trigger) == 0 {
            self.begin(bus, now);
        }
    }
}

/// The analog comparator.
#[derive(Clone, Debug)]
pub(super) struct Comparator {
    pub control: u16,
    off: Bit,
    output: Bit,
    pub flag: Bit,
    captures: Bit,
    sense: Group,
    positive: Option<Pin>,
    negative: Option<Pin>,
    /// What it compares, where the levels of its pins do not tell.
    pub forced: Option<bool>,
}

impl Comparator {
    pub fn find(names: &Names, pinout: Pinout) -> Option<Self> {
        let control = names.address(&["ACSR", "ACSRA"]);
        (control != NOWHERE).then(|| Self {
            control,
            off: names.bit(&["ACD"]),
            output: names.bit(&["ACO"]),
            flag: names.bit(&["ACI"]),
            captures: names.bit(&["ACIC"]),
            sense: names.group("ACIS"),
            positive: pinout.pin("AIN0"),
            negative: pinout.pin("AIN1"),
            forced: None,
        })
    }

    /// The bits that the program can write.
    pub fn writable(&self) -> u8 {
        !(self.output.mask | self.flag.mask)
    }

    /// Looks at its inputs; tells of an edge that timer 1 is to capture.
    pub fn look(&mut self, bus: &mut Bus) -> Option<bool> {
        if bus.bit(self.off) {
            return None;
        }
        let now = self
            .forced
            .unwrap_or(bus.level(self.positive) && !bus.level(self.negative));
        if now == bus.bit(self.output) {
            return None;
        }
        bus.set(self.output, now);
        let hit = match bus.group(&self.sense) & 3 {
            0 => true,
            2 => !now,
            3 => now,
            _ => false,
        };
        if hit {
            bus.set(self.flag, true);
        }
        bus.bit(self.captures).then_some(now)
    }
}
