//! Counting: from point to point.

use super::super::bus::Bus;
use super::mode::{Slope, Source, Top};
use super::{Flag, Timer};

impl Timer {
    /// Where it turns or begins anew.
    fn top(&self) -> u16 {
        let top = match self.mode.top {
            Top::Fixed(n) => n,
            Top::Ocra => self.channels[0].value,
            Top::Icr => self.icr,
            Top::Ocrc => self.channels[2].value,
        };
        top.min(self.max())
    }

    /// Ticks up to a clock.
    fn ticks(&self, now: u64) -> u64 {
        let Source::Divided(by) = self.source else {
            return 0;
        };
        let by = u64::from(by);
        let at = |clock: u64| clock.saturating_sub(self.zero) / by;
        at(now).saturating_sub(at(self.last))
    }

    /// Brings it up to a clock.
    pub fn advance(&mut self, bus: &mut Bus, now: u64) {
        if now <= self.last {
            return;
        }
        let ticks = self.ticks(now);
        self.last = now;
        if ticks > 0 {
            self.tick(bus, ticks);
        }
    }

    /// Brings its flags up to a clock. A program that polls them asks often, and as a
    /// rule nothing has happened.
    pub fn flags_at(&mut self, bus: &mut Bus, now: u64) {
        if now < self.quiet {
            return;
        }
        self.advance(bus, now);
        self.quiet = match self.source {
            Source::Divided(by) => {
                let by = u64::from(by);
                let done = self.last.saturating_sub(self.zero) / by;
                self.zero + (done + self.distance()) * by
            }
            // Edges of a pin set flags when they come.
            _ => u64::MAX,
        };
    }

    /// The AT90S clear the counter one clock after the match, not one tick, where the
    /// prescaler divides: the match is as good as the bottom.
    fn short(&self) -> bool {
        self.classic
            && self.wide
            && self.mode.slope == Slope::Plain
            && self.mode.top == Top::Ocra
            && !matches!(self.source, Source::Divided(1))
    }

    /// Counts so many ticks.
    pub(super) fn tick(&mut self, bus: &mut Bus, mut ticks: u64) {
        let mut wraps = 0;
        while ticks > 0 {
            let distance = self.distance();
            if ticks < distance {
                self.step(ticks as u16);
                return;
            }
            ticks -= distance;
            if distance > 1 {
                self.step((distance - 1) as u16);
            }
            wraps += u64::from(self.pass(bus));
            // After two full periods nothing is new but where it stands; outputs are
            // never so far behind, since they announce each of their edges.
            if wraps == 3 && ticks > 1 << 18 {
                let period = self.period();
                ticks %= period;
            }
        }
    }

    /// Ticks of a period.
    fn period(&self) -> u64 {
        let top = u64::from(self.top());
        match self.mode.slope {
            Slope::Dual => (2 * top).max(1),
            Slope::Plain if self.short() => top.max(1),
            Slope::Plain if self.mode.top == Top::Fixed(u16::MAX) => u64::from(self.max()) + 1,
            _ => top + 1,
        }
    }

    /// Ticks up to and with the one that passes the next point of interest.
    fn distance(&self) -> u64 {
        let mut least = self.to_turn();
        if self.blocked {
            return 1;
        }
        for c in self.used() {
            let d = if self.down {
                self.count.checked_sub(c)
            } else {
                c.checked_sub(self.count)
            };
            if let Some(d) = d {
                least = least.min(u64::from(d) + 1);
            }
        }
        least
    }

    /// Compare values that there are.
    fn used(&self) -> impl Iterator<Item = u16> + '_ {
        let all = self.channels.iter().filter(|c| c.flag.exists());
        all.map(|c| c.value)
    }

    /// Ticks up to and with the one that leaves the top or the bottom.
    fn to_turn(&self) -> u64 {
        let count = u64::from(self.count);
        let top = self.top();
        if self.down {
            return count + 1;
        }
        let end = match self.mode.slope {
            _ if self.count > top && self.mode.slope != Slope::Dual => self.max(),
            Slope::Plain if self.short() && top > 0 && self.count < top => top - 1,
            _ => top,
        };
        u64::from(end).saturating_sub(count) + 1
    }

    /// Counts where nothing of interest is.
    fn step(&mut self, n: u16) {
        if self.down {
            self.count = self.count.wrapping_sub(n);
        } else {
            self.count = self.count.wrapping_add(n);
        }
    }

    /// The tick that leaves a point of interest; true when a period ends with it.
    fn pass(&mut self, bus: &mut Bus) -> bool {
        let (count, top, max) = (self.count, self.top(), self.max());
        let compares = !std::mem::take(&mut self.blocked);
        let mut wraps = false;
        // The direction in which it leaves.
        match self.mode.slope {
            Slope::Dual => {
                let turn = if self.down { count == 0 } else { count >= top };
                if turn && !self.down {
                    self.down = true;
                    self.take_over(false);
                } else if turn {
                    self.down = false;
                    wraps = true;
                    self.flag(bus, Flag::Overflow);
                    self.take_over(true);
                }
            }
            Slope::Plain | Slope::Fast => {}
        }
        let matched = if self.short() && count.wrapping_add(1) == top {
            top
        } else {
            count
        };
        if compares {
            for i in 0..3 {
                if self.channels[i].flag.exists() && self.channels[i].value == matched {
                    self.flag(bus, [Flag::CompareA, Flag::CompareB, Flag::CompareC][i]);
                    let act = self.mode.on_match(self.channels[i].mode, i, !self.down);
                    self.act(bus, i, act);
                }
            }
        }
        if self.mode.slope == Slope::Dual {
            self.count = match (self.down, top) {
                (_, 0) => 0,
                (true, _) => count.min(top).wrapping_sub(1).min(top),
                (false, _) => count + 1,
            };
            return wraps;
        }
        let short = self.short() && matched == top && top > 0;
        if count == max || count == top || short {
            let overflows = match self.mode.slope {
                Slope::Fast => count == top,
                _ => count == max,
            };
            self.count = 0;
            if overflows {
                self.flag(bus, Flag::Overflow);
            }
            if self.mode.top == Top::Icr && count == top {
                self.flag(bus, Flag::Capture);
            }
            if self.mode.slope == Slope::Fast {
                self.take_over(true);
                self.take_over(false);
                for i in 0..3 {
                    let act = self.mode.at_start(self.channels[i].mode);
                    self.act(bus, i, act);
                }
            }
            return true;
        }
        self.count = count.wrapping_add(1);
        false
    }

    /// Compare values that were written take effect.
    fn take_over(&mut self, bottom: bool) {
        if bottom == self.mode.at_bottom || self.mode.slope == Slope::Fast {
            for c in &mut self.channels {
                c.value = c.buffer;
            }
        }
    }

    fn flag(&mut self, bus: &mut Bus, flag: Flag) {
        self.happened |= flag as u8;
        let bit = match flag {
            Flag::Overflow => self.overflow.0,
            Flag::CompareA => self.channels[0].flag,
            Flag::CompareB => self.channels[1].flag,
            Flag::CompareC => self.channels[2].flag,
            Flag::Capture => self.captured.0,
        };
        bus.set(bit, true);
    }

    /// When something is due that cannot wait until it is asked for.
    pub(super) fn announce(&mut self, bus: &Bus) {
        self.next = u64::MAX;
        self.quiet = 0;
        let Source::Divided(by) = self.source else {
            return;
        };
        let wants = |(flag, enable)| bus.bit(enable) && !bus.bit(flag);
        let pins = self.channels.iter().any(|c| c.pin.is_some() && c.connected);
        let interested = self.watched
            || pins
            || wants(self.overflow)
            || wants(self.captured) && self.mode.top == Top::Icr
            || self.channels.iter().any(|c| wants((c.flag, c.enable)));
        if interested {
            let by = u64::from(by);
            let done = self.last.saturating_sub(self.zero) / by;
            self.next = self.zero + (done + self.distance()) * by;
        }
    }
}
