//! What there is once: priorities of interrupts, protected registers, the clock's prescaler,
//! resets, the watchdog.

use super::regs::{Regs, field};
use crate::peripherals::Reset;
use crate::peripherals::bus::{Bus, NOWHERE};
use crate::sim::Request;

/// What CCP takes.
const UNLOCK: u8 = 0xd8;
const UNLOCK_FLASH: u8 = 0x9d;
/// Clocks that four instructions have at most, as far as they count here.
const OPEN: u64 = 8;
/// CPUINT.CTRLA and STATUS.
const ROUND: u8 = 0x01;
const COMPACT: u8 = 0x20;
const HIGH: u8 = 0x02;
const LOW: u8 = 0x01;
/// MCLKCTRLB after a reset of a part whose oscillator has a fixed rate, and what it divides
/// by then.
const DIVIDED_CONTROL: u8 = 0x11;
const DIVIDED: u64 = 6;

/// All of it.
#[derive(Clone, Debug)]
pub(super) struct System {
    ccp: u16,
    /// CTRLA, STATUS, LVL0PRI and LVL1VEC of CPUINT.
    levels: [u16; 4],
    pub words: u32,
    main: u16,
    divide: (u8, u8),
    divisors: Vec<(u8, u64)>,
    begins_divided: bool,
    protected: Vec<u16>,
    flags: u16,
    software: u16,
    watchdog: [u16; 2],
    window: u64,
    pub next: u64,
    /// The chip is to be reset.
    pub wanted: Option<Reset>,
    /// Interrupts that are asked for, a bit for each vector.
    pub pending: u128,
}

impl System {
    pub fn of(regs: &Regs<'_>) -> Self {
        let mut protected: Vec<u16> = regs.of_instance("CLKCTRL").iter().map(|r| r.1).collect();
        let more = ["CPUINT_CTRLA", "WDT_CTRLA", "RSTCTRL_SWRR", "NVMCTRL_CTRLA"];
        protected.extend(more.map(|n| regs.at(n)));
        let digits = |n: &str| n.chars().filter(char::is_ascii_digit).collect::<String>();
        let divisors = regs.list("CLKCTRL_PDIV").into_iter();
        let mask = |f: &str| regs.mask("CLKCTRL_MCLKCTRLB", f);
        Self {
            ccp: regs.at("CPU_CCP"),
            levels: ["CTRLA", "STATUS", "LVL0PRI", "LVL1VEC"]
                .map(|r| regs.at(&format!("CPUINT_{r}"))),
            words: 2,
            main: regs.at("CLKCTRL_MCLKCTRLB"),
            divide: (mask("PEN"), mask("PDIV")),
            divisors: divisors
                .map(|(n, v)| (v, digits(n).parse().unwrap_or(1)))
                .collect(),
            // Where the oscillator's rate is chosen by a register it begins slow.
            begins_divided: mask("PEN") != 0 && regs.mask("CLKCTRL_OSCHFCTRLA", "FRQSEL") == 0,
            protected,
            flags: regs.at("RSTCTRL_RSTFR"),
            software: regs.at("RSTCTRL_SWRR"),
            watchdog: ["CTRLA", "STATUS"].map(|r| regs.at(&format!("WDT_{r}"))),
            window: 0,
            next: u64::MAX,
            wanted: None,
            pending: 0,
        }
    }

    pub fn registers(&self) -> Vec<u16> {
        let mut all = self.levels.to_vec();
        all.extend([self.ccp, self.main, self.flags, self.software]);
        all.extend(self.watchdog);
        all
    }

    pub fn reset(&mut self, bus: &mut Bus, why: Reset) {
        // UPDI, software, watchdog, external, brown-out, power.
        let flag = match (why, self.wanted.take()) {
            (Reset::Power, _) => 0x01,
            (Reset::External, _) => 0x04,
            (Reset::Watchdog, Some(Reset::External)) => 0x10,
            (Reset::Watchdog, _) => 0x08,
        };
        bus.put(self.flags, flag);
        if self.begins_divided {
            bus.put(self.main, DIVIDED_CONTROL);
        }
        (self.window, self.next, self.pending) = (0, u64::MAX, 0);
    }

    /// The oscillator's rate where the clock after a reset has so many hertz.
    pub fn oscillator(&self, hertz: u64) -> u64 {
        match self.begins_divided {
            true => hertz * DIVIDED,
            false => hertz,
        }
    }

    /// The clock that the prescaler makes of one of so many hertz.
    pub fn hertz(&self, bus: &Bus, oscillator: u64) -> u64 {
        let value = bus.get(self.main);
        if value & self.divide.0 == 0 {
            return oscillator;
        }
        let choice = field(value, self.divide.1);
        let found = self.divisors.iter().find(|d| d.0 == choice);
        (oscillator / found.map_or(1, |d| d.1)).max(1)
    }

    /// Whether a write to a register is refused.
    pub fn refuses(&self, address: u16, now: u64) -> bool {
        now > self.window && self.protected.contains(&address) && address != NOWHERE
    }

    /// Writes a register of its own; true if the clock's rate may have changed.
    pub fn write(&mut self, bus: &mut Bus, address: u16, value: u8, now: u64) -> bool {
        if address == self.ccp {
            if matches!(value, UNLOCK | UNLOCK_FLASH) {
                self.window = now + OPEN;
            }
        } else if address == self.flags {
            bus.put(address, bus.get(address) & !value);
        } else if address == self.software {
            if value & 1 != 0 {
                self.wanted = Some(Reset::External);
                self.next = now;
            }
        } else if address == self.watchdog[0] {
            if bus.get(self.watchdog[1]) & 0x80 == 0 {
                bus.put(address, value);
                self.restart(bus, now);
            }
        } else if address == self.watchdog[1] {
            bus.put(address, bus.get(address) | value & 0x80);
        } else if address != self.levels[1] {
            bus.put(address, value);
        }
        address == self.main
    }

    /// WDR.
    pub fn restart(&mut self, bus: &Bus, now: u64) {
        let period = bus.get(self.watchdog[0]) & 0x0f;
        self.next = match period {
            _ if self.watchdog[0] == NOWHERE => u64::MAX,
            0 => u64::MAX,
            // Eight cycles of 1,024 Hz and their doubles.
            n => now + (bus.hertz * (8 << (n - 1)) / 1024).max(1),
        };
    }

    /// The watchdog ran out, or the program asked for a reset.
    pub fn event(&mut self) {
        self.next = u64::MAX;
        if self.wanted.is_none() {
            self.wanted = Some(Reset::Watchdog);
        }
    }

    /// The interrupt to be taken next.
    pub fn request(&self, bus: &Bus) -> Option<Request> {
        if self.pending == 0 {
            return None;
        }
        let status = bus.get(self.levels[1]);
        let first = bus.get(self.levels[3]);
        let control = bus.get(self.levels[0]);
        if status & HIGH != 0 {
            return None;
        }
        if first > 0 && first < 128 && self.pending >> first & 1 == 1 {
            return Some(self.to(first, 2, control));
        }
        let rest = match first {
            1..128 => self.pending & !(1 << first),
            _ => self.pending,
        };
        if status & LOW != 0 || rest == 0 {
            return None;
        }
        // The vector behind that one comes first, and all below it last.
        let last = bus.get(self.levels[2]);
        let above = match last {
            0 | 127.. => rest,
            n => rest & (u128::MAX << (n + 1)),
        };
        let chosen = if above != 0 { above } else { rest };
        Some(self.to(chosen.trailing_zeros() as u8, 3, control))
    }

    fn to(&self, vector: u8, compact: u32, control: u8) -> Request {
        let place = match control & COMPACT != 0 {
            true => compact,
            false => vector.into(),
        };
        Request {
            vector,
            address: place * self.words,
        }
    }

    /// An interrupt was taken.
    pub fn acknowledge(&mut self, bus: &mut Bus, vector: u8) {
        let high = bus.get(self.levels[3]) == vector;
        let status = bus.get(self.levels[1]);
        bus.put(self.levels[1], status | if high { HIGH } else { LOW });
        if !high && bus.get(self.levels[0]) & ROUND != 0 {
            bus.put(self.levels[2], vector);
        }
    }

    /// RETI.
    pub fn returned(&mut self, bus: &mut Bus) {
        let status = bus.get(self.levels[1]);
        let done = if status & HIGH != 0 { HIGH } else { LOW };
        bus.put(self.levels[1], status & !done);
    }
}
