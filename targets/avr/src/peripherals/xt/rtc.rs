//! RTC and PIT: two counters of a clock of 32,768 Hz, or of a thirty-second of it.

use super::regs::{Asks, Regs, field};
use crate::peripherals::bus::{Bus, NOWHERE};

const OVF: u8 = 1;
const CMP: u8 = 2;
/// Cycles in a second of the oscillator.
const RATE: u64 = 32_768;

/// The two.
#[derive(Clone, Debug)]
pub(super) struct Rtc {
    base: u16,
    prescaler: u8,
    clock: u8,
    /// Values of CLKSEL for the slow clock.
    slow: Vec<u8>,
    vectors: [u8; 2],
    count: u16,
    /// Ticks of the oscillator at which the count began, and the PIT's period.
    since: u64,
    pit: u64,
    next: u64,
    /// OVF and CMP, and whether the PIT's period ended.
    pub happened: u8,
}

mod at {
    pub const CTRLA: u16 = 0;
    pub const STATUS: u16 = 1;
    pub const INTCTRL: u16 = 2;
    pub const INTFLAGS: u16 = 3;
    pub const TEMP: u16 = 4;
    pub const CLKSEL: u16 = 7;
    pub const CNT: u16 = 8;
    pub const PER: u16 = 10;
    pub const CMP: u16 = 12;
    pub const PITCTRLA: u16 = 16;
    pub const PITSTATUS: u16 = 17;
    pub const PITINTCTRL: u16 = 18;
    pub const PITINTFLAGS: u16 = 19;
    pub const END: u16 = 24;
}

/// The end of the PIT's period, among what happened.
pub(super) const PERIOD: u8 = 4;

impl Rtc {
    pub fn of(regs: &Regs<'_>) -> Option<Self> {
        let base = regs.at("RTC_CTRLA");
        let slow = regs.list("RTC_CLKSEL").into_iter();
        let slow = slow.filter(|c| c.0.contains("1K")).map(|c| c.1);
        (base != NOWHERE).then(|| Self {
            base,
            prescaler: regs.mask("RTC_CTRLA", "PRESCALER"),
            clock: regs.mask("RTC_CLKSEL", "CLKSEL"),
            slow: slow.collect(),
            vectors: [regs.vector("RTC_CNT"), regs.vector("RTC_PIT")],
            count: 0,
            since: 0,
            pit: 0,
            next: u64::MAX,
            happened: 0,
        })
    }

    pub fn registers(&self) -> Vec<u16> {
        (self.base..self.base + at::END).collect()
    }

    pub fn reset(&mut self, bus: &mut Bus) {
        self.put16(bus, at::PER, 0xffff);
        (self.count, self.next) = (0, u64::MAX);
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

    /// Cycles of the oscillator up to a clock.
    fn ticks(bus: &Bus, now: u64) -> u64 {
        (u128::from(now) * u128::from(RATE) / u128::from(bus.hertz.max(1))) as u64
    }

    /// The first clock at which so many cycles are over.
    fn clock(bus: &Bus, ticks: u64) -> u64 {
        let clocks = u128::from(ticks) * u128::from(bus.hertz.max(1));
        u64::try_from(clocks.div_ceil(u128::from(RATE))).unwrap_or(u64::MAX)
    }

    fn unit(&self, bus: &Bus) -> u64 {
        let slow = self
            .slow
            .contains(&field(self.get(bus, at::CLKSEL), self.clock));
        if slow { 32 } else { 1 }
    }

    /// Cycles of a count.
    fn divisor(&self, bus: &Bus) -> u64 {
        self.unit(bus) << field(self.get(bus, at::CTRLA), self.prescaler)
    }

    fn on(&self, bus: &Bus) -> bool {
        self.get(bus, at::CTRLA) & 1 != 0
    }

    /// Cycles of the PIT's period, where it runs.
    fn period(&self, bus: &Bus) -> Option<u64> {
        let control = self.get(bus, at::PITCTRLA);
        let period = control >> 3 & 0x0f;
        (control & 1 != 0 && period > 0).then(|| self.unit(bus) << (period + 1))
    }

    fn advance(&mut self, bus: &Bus, now: u64) {
        let ticks = Self::ticks(bus, now);
        if !self.on(bus) {
            self.since = ticks;
            return;
        }
        let divisor = self.divisor(bus);
        let counts = ticks.saturating_sub(self.since) / divisor;
        self.since += counts * divisor;
        self.count = self.count.wrapping_add(counts as u16);
    }

    /// Counts to a match or the turn.
    fn ahead(&self, bus: &Bus) -> u64 {
        let far = |to: u16| u64::from(to.wrapping_sub(self.count));
        let turn = far(self.get16(bus, at::PER)) + 1;
        match far(self.get16(bus, at::CMP)) {
            0 => turn,
            n => turn.min(n),
        }
    }

    fn plan(&mut self, bus: &Bus) {
        let mut ticks = u64::MAX;
        if self.on(bus) {
            ticks = self.since + self.ahead(bus) * self.divisor(bus);
        }
        if let Some(period) = self.period(bus) {
            ticks = ticks.min(self.pit + period);
        }
        self.next = match ticks {
            u64::MAX => u64::MAX,
            ticks => Self::clock(bus, ticks),
        };
    }

    pub fn next(&self) -> u64 {
        self.next
    }

    /// The rate of the clock changed.
    pub fn renew(&mut self, bus: &Bus, now: u64) {
        let ticks = Self::ticks(bus, now);
        (self.since, self.pit) = (ticks, ticks);
        self.plan(bus);
    }

    pub fn event(&mut self, bus: &mut Bus, at_clock: u64) {
        let ticks = Self::ticks(bus, at_clock);
        if let Some(period) = self.period(bus)
            && ticks >= self.pit + period
        {
            self.pit += period;
            let at = self.base + at::PITINTFLAGS;
            bus.put(at, bus.get(at) | 1);
            self.happened |= PERIOD;
        }
        if self.on(bus) {
            let ahead = self.ahead(bus);
            let due = self.since + ahead * self.divisor(bus);
            if ticks >= due {
                self.since = due;
                let turn = u64::from(self.get16(bus, at::PER).wrapping_sub(self.count)) + 1;
                self.count = match ahead == turn {
                    true => 0,
                    false => self.count.wrapping_add(ahead as u16),
                };
                let matches = self.count == self.get16(bus, at::CMP);
                let flags = if ahead == turn { OVF } else { 0 } | if matches { CMP } else { 0 };
                let at = self.base + at::INTFLAGS;
                bus.put(at, bus.get(at) | flags);
                self.happened |= flags;
            }
        }
        self.plan(bus);
    }

    pub fn read(&mut self, bus: &mut Bus, address: u16, now: u64) -> u8 {
        self.advance(bus, now);
        let register = address - self.base;
        match register {
            // Nothing takes time to be taken over.
            at::STATUS | at::PITSTATUS => return 0,
            at::CNT => self.put16(bus, at::CNT, self.count),
            9 | 11 | 13 => return self.get(bus, at::TEMP),
            _ => {}
        }
        if matches!(register, at::CNT | at::PER | at::CMP) {
            bus.put(self.base + at::TEMP, bus.get(address + 1));
        }
        bus.get(address)
    }

    pub fn write(&mut self, bus: &mut Bus, address: u16, value: u8, now: u64) {
        self.advance(bus, now);
        let register = address - self.base;
        match register {
            at::INTFLAGS | at::PITINTFLAGS => bus.put(address, bus.get(address) & !value),
            at::CNT | at::PER | at::CMP => bus.put(self.base + at::TEMP, value),
            9 | 11 | 13 => {
                let wide = u16::from_le_bytes([self.get(bus, at::TEMP), value]);
                self.put16(bus, register - 1, wide);
                if register == 9 {
                    self.count = wide;
                }
            }
            at::PITCTRLA => {
                bus.put(address, value);
                self.pit = Self::ticks(bus, now);
            }
            _ => bus.put(address, value),
        }
        self.plan(bus);
    }

    pub fn asks(&self, bus: &Bus) -> Asks {
        let on = |flags: u16, control: u16| self.get(bus, flags) & self.get(bus, control) != 0;
        let mut asks = Asks::default();
        asks.put(self.vectors[0], on(at::INTFLAGS, at::INTCTRL));
        asks.put(self.vectors[1], on(at::PITINTFLAGS, at::PITINTCTRL));
        asks
    }
}
