//! TCA: sixteen bits with three compare channels, or two timers of eight bits.
//!
//! Between two events it is a count, a clock and a direction; what it is then is computed.

use super::regs::{Asks, Regs};
use super::routes::Route;
use crate::peripherals::bus::{Bus, NOWHERE};
use crate::peripherals::lines::Pin;

const ENABLE: u8 = 1;
/// Of INTFLAGS: overflow, and compare channels from bit 4 on; of the split timer the
/// underflows, and the low channels.
const OVF: u8 = 0x01;
const HUNF: u8 = 0x02;
/// Of CTRLE.
const DOWN: u8 = 0x01;
const LOCK: u8 = 0x02;
/// Clocks of a count by CLKSEL.
pub(super) const DIVISORS: [u64; 8] = [1, 2, 4, 8, 16, 64, 256, 1024];

/// One of the two halves, or the whole.
#[derive(Clone, Copy, Debug, Default)]
struct Counter {
    count: u16,
    /// Counts down now.
    down: bool,
}

/// A TCA.
#[derive(Clone, Debug)]
pub(super) struct Tca {
    pub number: u8,
    base: u16,
    vectors: Vec<(u8, u8)>,
    counts_events: u8,
    route: Route,
    taken: [Option<Pin>; 6],
    /// The whole, or the low and the high half.
    counters: [Counter; 2],
    /// The clock at which these counts began.
    since: u64,
    outputs: [bool; 6],
    next: u64,
    /// What happened that others may count: OVF and compare channels as in INTFLAGS.
    pub happened: u8,
}

/// Registers behind the base, as on all parts.
mod at {
    pub const CTRLA: u16 = 0;
    pub const CTRLB: u16 = 1;
    pub const CTRLC: u16 = 2;
    pub const CTRLD: u16 = 3;
    pub const CTRLECLR: u16 = 4;
    pub const CTRLESET: u16 = 5;
    pub const CTRLFCLR: u16 = 6;
    pub const CTRLFSET: u16 = 7;
    pub const EVCTRL: u16 = 9;
    pub const INTCTRL: u16 = 10;
    pub const INTFLAGS: u16 = 11;
    pub const TEMP: u16 = 15;
    pub const CNT: u16 = 0x20;
    pub const PER: u16 = 0x26;
    pub const CMP: u16 = 0x28;
    pub const PERBUF: u16 = 0x36;
    pub const END: u16 = 0x3e;
}

impl Tca {
    /// One by its number.
    pub fn of(regs: &Regs<'_>, number: u8) -> Option<Self> {
        let name = format!("TCA{number}");
        let base = regs.at(&format!("{name}_SINGLE_CTRLA"));
        let vector = |v: &str| regs.vector(&format!("{name}_{v}"));
        let event = format!("{name}_SINGLE_EVCTRL");
        (base != NOWHERE).then(|| Self {
            number,
            base,
            vectors: vec![
                (vector("OVF"), OVF),
                (vector("HUNF"), HUNF),
                (vector("CMP0"), 0x10),
                (vector("CMP1"), 0x20),
                (vector("CMP2"), 0x40),
            ],
            counts_events: regs.mask(&event, "CNTEI") | regs.mask(&event, "CNTAEI"),
            route: Route::of(regs, &name),
            taken: [None; 6],
            counters: [Counter::default(); 2],
            since: 0,
            outputs: [false; 6],
            next: u64::MAX,
            happened: 0,
        })
    }

    pub fn registers(&self) -> Vec<u16> {
        (self.base..self.base + at::END).collect()
    }

    pub fn reset(&mut self, bus: &mut Bus) {
        for n in [at::PER, at::PERBUF] {
            self.put16(bus, n, 0xffff);
        }
        self.counters = [Counter::default(); 2];
        self.next = u64::MAX;
        self.outputs = [false; 6];
        self.drive(bus);
    }

    fn get(&self, bus: &Bus, register: u16) -> u8 {
        bus.get(self.base + register)
    }

    fn get16(&self, bus: &Bus, register: u16) -> u16 {
        u16::from_le_bytes([self.get(bus, register), self.get(bus, register + 1)])
    }

    fn put16(&self, bus: &mut Bus, register: u16, value: u16) {
        let [low, high] = value.to_le_bytes();
        bus.put(self.base + register, low);
        bus.put(self.base + register + 1, high);
    }

    fn split(&self, bus: &Bus) -> bool {
        self.get(bus, at::CTRLD) & 1 != 0
    }

    fn on(&self, bus: &Bus) -> bool {
        self.get(bus, at::CTRLA) & ENABLE != 0
    }

    fn by_events(&self, bus: &Bus) -> bool {
        self.get(bus, at::EVCTRL) & self.counts_events != 0 && !self.split(bus)
    }

    /// Clocks of a count.
    pub fn divisor(&self, bus: &Bus) -> u64 {
        DIVISORS[usize::from(self.get(bus, at::CTRLA) >> 1 & 7)]
    }

    fn mode(&self, bus: &Bus) -> u8 {
        self.get(bus, at::CTRLB) & 7
    }

    /// Whether it counts up and down in turns.
    fn dual(&self, bus: &Bus) -> bool {
        self.mode(bus) >= 5
    }

    fn top(&self, bus: &Bus) -> u16 {
        match self.mode(bus) {
            1 => self.get16(bus, at::CMP),
            _ => self.get16(bus, at::PER),
        }
    }

    /// Brings the counts to a clock within which nothing happens.
    fn advance(&mut self, bus: &Bus, now: u64) {
        if !self.on(bus) || self.by_events(bus) {
            self.since = now;
            return;
        }
        let divisor = self.divisor(bus);
        let counts = now.saturating_sub(self.since) / divisor;
        self.since += counts * divisor;
        self.step_all(bus, counts);
    }

    fn step_all(&mut self, bus: &Bus, counts: u64) {
        let halves = if self.split(bus) { 2 } else { 1 };
        for c in &mut self.counters[..halves] {
            let n = counts as u16;
            c.count = match c.down {
                true => c.count.wrapping_sub(n),
                false => c.count.wrapping_add(n),
            };
        }
    }

    /// Counts to the next thing that happens to a counter: a match, or a turn.
    fn ahead(&self, bus: &Bus) -> u64 {
        let split = self.split(bus);
        let mut least = u64::MAX;
        let halves = if split { 2 } else { 1 };
        for (half, c) in self.counters[..halves].iter().enumerate() {
            let end = match (c.down, split) {
                (true, _) => u64::from(c.count) + u64::from(!self.dual(bus) || split),
                (false, _) => {
                    let top = self.top(bus);
                    let far = u64::from(top.wrapping_sub(c.count));
                    far + u64::from(!self.dual(bus))
                }
            };
            least = least.min(end.max(1));
            for channel in 0..3 {
                let compare = self.compare(bus, half, channel);
                let far = match c.down {
                    true => c.count.wrapping_sub(compare),
                    false => compare.wrapping_sub(c.count),
                };
                if far > 0 && u64::from(far) < least {
                    least = u64::from(far);
                }
            }
        }
        least
    }

    /// The value that a channel is compared with.
    fn compare(&self, bus: &Bus, half: usize, channel: u16) -> u16 {
        let register = at::CMP + 2 * channel;
        match self.split(bus) {
            true => self.get(bus, register + half as u16).into(),
            false => self.get16(bus, register),
        }
    }

    fn plan(&mut self, bus: &Bus) {
        self.next = match self.on(bus) && !self.by_events(bus) {
            true => self.since + self.ahead(bus).saturating_mul(self.divisor(bus)),
            false => u64::MAX,
        };
    }

    pub fn next(&self) -> u64 {
        self.next
    }

    pub fn event(&mut self, bus: &mut Bus, at: u64) {
        let counts = at.saturating_sub(self.since) / self.divisor(bus);
        self.since = at;
        if counts > 0 {
            self.step_all(bus, counts - 1);
            self.tick(bus);
        }
        self.plan(bus);
        self.drive(bus);
    }

    /// An event that is counted.
    pub fn counted(&mut self, bus: &mut Bus) {
        if self.on(bus) && self.by_events(bus) {
            self.tick(bus);
            self.drive(bus);
        }
    }

    /// One count.
    fn tick(&mut self, bus: &mut Bus) {
        match self.split(bus) {
            true => (0..2).for_each(|half| self.tick_half(bus, half)),
            false => self.tick_whole(bus),
        }
    }

    fn flag(&mut self, bus: &mut Bus, flags: u8) {
        let register = self.base + at::INTFLAGS;
        bus.put(register, bus.get(register) | flags);
        self.happened |= flags;
    }

    fn tick_half(&mut self, bus: &mut Bus, half: usize) {
        let c = &mut self.counters[half];
        if c.count == 0 {
            c.count = bus.get(self.base + at::PER + half as u16).into();
            self.flag(bus, if half == 0 { OVF } else { HUNF });
        } else {
            c.count -= 1;
        }
        let count = self.counters[half].count;
        for channel in 0..3 {
            let compare = self.compare(bus, half, channel);
            if half == 0 && count == compare {
                self.flag(bus, 0x10 << channel);
            }
            self.outputs[usize::from(channel) + 3 * half] = count < compare;
        }
    }

    fn tick_whole(&mut self, bus: &mut Bus) {
        let (mode, top, dual) = (self.mode(bus), self.top(bus), self.dual(bus));
        let c = self.counters[0];
        let mut turned = false;
        let new = match (c.down, dual) {
            (false, false) if c.count == top => {
                turned = true;
                0
            }
            (true, false) if c.count == 0 => {
                turned = true;
                top
            }
            (false, _) => c.count.wrapping_add(1),
            (true, _) => c.count.wrapping_sub(1),
        };
        self.counters[0].count = new;
        if dual {
            let at_top = !c.down && new >= top;
            let at_bottom = c.down && new == 0;
            if at_top || at_bottom {
                self.counters[0].down = at_top;
                let told = match mode {
                    5 => at_top,
                    6 => true,
                    _ => at_bottom,
                };
                if told {
                    self.flag(bus, OVF);
                }
                if at_bottom {
                    self.update(bus);
                }
            }
        } else if turned {
            self.flag(bus, OVF);
            self.update(bus);
        }
        self.match_all(bus, turned);
    }

    /// Compare channels at a new count.
    fn match_all(&mut self, bus: &mut Bus, turned: bool) {
        let (mode, c) = (self.mode(bus), self.counters[0]);
        for channel in 0..3u16 {
            let compare = self.compare(bus, 0, channel);
            let output = usize::from(channel);
            if c.count == compare {
                self.flag(bus, 0x10 << channel);
            }
            match mode {
                1 if turned && channel == 0 || c.count == compare && channel > 0 => {
                    self.outputs[output] = !self.outputs[output];
                }
                3 => self.outputs[output] = c.count < compare,
                5.. if c.down => self.outputs[output] = c.count <= compare && compare > 0,
                5.. => self.outputs[output] = c.count < compare,
                _ => {}
            }
        }
    }

    /// What was buffered counts from here on.
    fn update(&mut self, bus: &mut Bus) {
        if self.get(bus, at::CTRLESET) & LOCK != 0 {
            return;
        }
        let valid = self.get(bus, at::CTRLFSET);
        for (bit, register) in [at::PER, at::CMP, at::CMP + 2, at::CMP + 4]
            .into_iter()
            .enumerate()
        {
            if valid >> bit & 1 == 1 {
                let value = self.get16(bus, register + 0x10);
                self.put16(bus, register, value);
            }
        }
        bus.put(self.base + at::CTRLFSET, 0);
        bus.put(self.base + at::CTRLFCLR, 0);
    }

    pub fn read(&mut self, bus: &mut Bus, address: u16, now: u64) -> u8 {
        self.advance(bus, now);
        let register = address - self.base;
        if self.split(bus) {
            return match register {
                at::CNT => self.counters[0].count as u8,
                0x21 => self.counters[1].count as u8,
                _ => bus.get(address),
            };
        }
        match register {
            at::CNT => self.put16(bus, at::CNT, self.counters[0].count),
            0x20..at::END if register % 2 == 1 => return self.get(bus, at::TEMP),
            _ => {}
        }
        if (0x20..at::END).contains(&register) {
            // The high byte waits for its own read.
            let high = bus.get(address + 1);
            bus.put(self.base + at::TEMP, high);
        }
        bus.get(address)
    }

    pub fn write(&mut self, bus: &mut Bus, address: u16, value: u8, now: u64) {
        self.advance(bus, now + 1);
        let register = address - self.base;
        match register {
            at::INTFLAGS => bus.put(address, bus.get(address) & !value),
            at::CTRLECLR | at::CTRLESET => self.control(bus, register, value),
            at::CTRLFCLR | at::CTRLFSET => {
                let old = self.get(bus, at::CTRLFSET);
                let new = match register == at::CTRLFSET {
                    true => old | value,
                    false => old & !value,
                };
                bus.put(self.base + at::CTRLFSET, new & 0x0f);
                bus.put(self.base + at::CTRLFCLR, new & 0x0f);
            }
            0x20..at::END if self.split(bus) => {
                match register {
                    at::CNT => self.counters[0].count = value.into(),
                    0x21 => self.counters[1].count = value.into(),
                    _ => {}
                }
                bus.put(address, value);
            }
            0x20..at::END if register.is_multiple_of(2) => bus.put(self.base + at::TEMP, value),
            0x20..at::END => self.wide(bus, register - 1, value),
            at::CTRLA if self.on(bus) && value & ENABLE != 0 => bus.put(address, value),
            at::CTRLA => {
                bus.put(address, value);
                self.since = now + 1;
                if self.mode(bus) >= 3 && !self.split(bus) {
                    for channel in 0..3 {
                        let compare = self.compare(bus, 0, channel);
                        self.outputs[usize::from(channel)] = self.counters[0].count < compare;
                    }
                }
            }
            at::CTRLD => {
                bus.put(address, value);
                let down = value & 1 != 0;
                self.counters = [Counter { count: 0, down }; 2];
            }
            _ => bus.put(address, value),
        }
        if register == at::CTRLC {
            for (n, output) in self.outputs.iter_mut().enumerate() {
                let split_high = n >= 3;
                let bit = if split_high { n + 1 } else { n };
                *output = value >> bit & 1 == 1;
            }
        }
        self.plan(bus);
        self.drive(bus);
    }

    /// Commands and the direction.
    fn control(&mut self, bus: &mut Bus, register: u16, value: u8) {
        let old = self.get(bus, at::CTRLESET);
        let new = match register == at::CTRLESET {
            true => old | value,
            false => old & !value,
        } & (DOWN | LOCK);
        bus.put(self.base + at::CTRLESET, new);
        bus.put(self.base + at::CTRLECLR, new);
        if !self.split(bus) && !self.dual(bus) {
            self.counters[0].down = new & DOWN != 0;
        }
        if register != at::CTRLESET {
            return;
        }
        match value >> 2 & 3 {
            1 => self.update(bus),
            2 => self.restart(bus),
            3 if !self.on(bus) => {
                for r in 0..at::END {
                    bus.put(self.base + r, 0);
                }
                self.reset(bus);
            }
            _ => {}
        }
    }

    /// Counts again from the start.
    pub fn restart(&mut self, bus: &Bus) {
        let split = self.split(bus);
        for c in &mut self.counters {
            c.count = 0;
            c.down = split;
        }
        if !split {
            self.counters[0].down = self.get(bus, at::CTRLESET) & DOWN != 0;
        }
        self.outputs = [false; 6];
    }

    /// The high byte of a wide register, which makes both count.
    fn wide(&mut self, bus: &mut Bus, register: u16, high: u8) {
        let value = u16::from_le_bytes([self.get(bus, at::TEMP), high]);
        self.put16(bus, register, value);
        match register {
            at::CNT => self.counters[0].count = value,
            at::PERBUF.. => {
                let bit = 1 << ((register - at::PERBUF) / 2);
                let valid = self.get(bus, at::CTRLFSET) | bit;
                bus.put(self.base + at::CTRLFSET, valid);
                bus.put(self.base + at::CTRLFCLR, valid);
            }
            _ => {}
        }
    }

    /// Gives the pins of enabled channels what they put out.
    pub fn drive(&mut self, bus: &mut Bus) {
        let pins = self.route.pins(bus);
        let enabled = self.get(bus, at::CTRLB);
        let split = self.split(bus);
        for (n, pin) in pins.into_iter().enumerate() {
            let bit = match (split, n) {
                (true, 3..) => n + 1,
                (true, _) => n,
                (false, _) => n + 4,
            };
            let on = n < if split { 6 } else { 3 } && enabled >> bit & 1 == 1;
            let pin = pin.filter(|_| on);
            if let Some(old) = self.taken[n].filter(|_| self.taken[n] != pin) {
                bus.lines.override_value(old, None);
            }
            self.taken[n] = pin;
            if let Some(pin) = pin {
                bus.lines.override_value(pin, Some(self.outputs[n]));
            }
        }
    }

    pub fn asks(&self, bus: &Bus) -> Asks {
        let on = self.get(bus, at::INTFLAGS) & self.get(bus, at::INTCTRL);
        let mut asks = Asks::default();
        for &(vector, bit) in &self.vectors {
            asks.put(vector, on & bit != 0);
        }
        asks
    }
}
