//! The watchdog: an oscillator of its own that resets the chip or interrupts.

use super::bus::{Bit, Bus, Group, NOWHERE};
use super::names::Names;

#[derive(Clone, Debug)]
pub(super) struct Watchdog {
    pub control: u16,
    enable: Bit,
    change: Bit,
    rate: Group,
    pub flag: Bit,
    pub interrupt: Bit,
    /// Bit of the status register that tells of its reset.
    cause: Bit,
    /// Whether it is on by a fuse.
    pub always: bool,
    /// Until which clock the four clocks after the unlocking last.
    window: u64,
    pub next: u64,
    /// The chip is to be reset.
    pub bites: bool,
}

impl Watchdog {
    pub fn find(names: &Names) -> Option<Self> {
        let control = names.address(&["WDTCSR", "WDTCR"]);
        if control == NOWHERE {
            return None;
        }
        Some(Self {
            control,
            enable: names.bit(&["WDE"]),
            change: names.bit(&["WDCE", "WDTOE"]),
            rate: names.group("WDP"),
            flag: names.bit(&["WDIF", "WDTIF"]),
            interrupt: names.bit(&["WDIE", "WDTIE"]),
            cause: names.bit(&["WDRF"]),
            always: false,
            window: 0,
            next: u64::MAX,
            bites: false,
        })
    }

    /// After any reset; one by the watchdog itself leaves it on, as slow as it can.
    pub fn reset(&mut self, bus: &mut Bus, now: u64) {
        self.window = 0;
        if std::mem::take(&mut self.bites) {
            bus.set(self.cause, true);
            // Parts with an interrupt keep WDE as long as WDRF is set.
            if self.interrupt.exists() {
                bus.set(self.enable, true);
            }
        }
        self.restart(bus, now);
    }

    fn on(&self, bus: &Bus) -> bool {
        self.always || bus.bit(self.enable) || bus.bit(self.interrupt)
    }

    /// WDR.
    pub fn restart(&mut self, bus: &Bus, now: u64) {
        self.next = if self.on(bus) {
            // 16 ms and its doubles: 2048 cycles of 128 kHz, or 16384 of 1 MHz.
            now + bus.clocks(16_000 << bus.group(&self.rate).min(9))
        } else {
            u64::MAX
        };
    }

    pub fn write(&mut self, bus: &mut Bus, value: u8, now: u64) {
        let open = now <= self.window;
        let old = bus.get(self.control);
        let rate: u8 = self.rate.0.iter().map(|b| b.mask).sum();
        let mut new = value;
        if self.interrupt.exists() {
            if !open {
                // Neither WDE can be cleared nor the rate changed.
                new = new & !rate | old & rate;
                new |= old & self.enable.mask;
            }
            if bus.bit(self.cause) {
                new |= self.enable.mask;
            }
        } else if !open {
            new |= old & self.enable.mask;
        }
        if value & (self.change.mask | self.enable.mask) == self.change.mask | self.enable.mask
            || !self.interrupt.exists() && value & self.change.mask != 0
        {
            self.window = now + 4;
        }
        new &= !(self.flag.mask | self.change.mask);
        let stays = old & self.flag.mask & !value;
        let was = (self.on(bus), bus.group(&self.rate));
        bus.put(self.control, new | stays);
        if was != (self.on(bus), bus.group(&self.rate)) {
            self.restart(bus, now);
        }
    }

    /// WDCE reads as one for its four clocks.
    pub fn read(&self, bus: &Bus, now: u64) -> u8 {
        let value = bus.get(self.control);
        if now <= self.window {
            value | self.change.mask
        } else {
            value
        }
    }

    pub fn event(&mut self, bus: &mut Bus) {
        let now = self.next;
        if bus.bit(self.interrupt) {
            bus.set(self.flag, true);
            // The next time-out resets, where that is on too.
            if bus.bit(self.enable) {
                bus.set(self.interrupt, false);
            }
            self.restart(bus, now);
        } else {
            self.bites = true;
            self.next = u64::MAX;
        }
    }
}
