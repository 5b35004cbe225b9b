//! Timers with compare units, prescalers and input capture.
//!
//! A timer does not count along: [`Timer::advance`] brings it up to a clock by going
//! from one point of interest (a compare value, the top, the bottom) to the next.
//! It announces an event only for points that raise an enabled interrupt or move a
//! pin. State "at clock c" is what an instruction reads in that clock; a write in
//! clock c shows from c + 1 on. A flag is set with the tick that leaves the compare
//! value, as the timing diagrams of the data sheets have it.

mod count;
mod mode;
mod wiring;

use super::bus::{Bit, Bus, Group};
use super::lines::Pin;
use mode::{Act, Mode, NORMAL, Prescaler, Source};
pub(super) use wiring::Flag;

/// A compare unit.
#[derive(Clone, Copy, Debug, Default)]
struct Channel {
    /// Low and high byte's address.
    address: (u16, u16),
    com: Group,
    force: Bit,
    flag: Bit,
    enable: Bit,
    pin: Option<Pin>,
    /// What is compared, and what a PWM mode takes over at its top or bottom.
    value: u16,
    buffer: u16,
    /// COM, and the level of the output.
    mode: u8,
    level: bool,
    /// Whether the pin shows it.
    connected: bool,
}

/// A timer.
#[derive(Clone, Debug)]
pub(super) struct Timer {
    pub number: u8,
    wide: bool,
    classic: bool,
    /// ATtiny25: PWM1A, PWM1B, CTC1.
    odd: Option<[Bit; 3]>,
    prescaler: Prescaler,
    counter: (u16, u16),
    capture: (u16, u16),
    controls: [u16; 3],
    select: Group,
    waveform: Group,
    channels: [Channel; 3],
    overflow: (Bit, Bit),
    captured: (Bit, Bit),
    edge: Bit,
    noise: Bit,
    pin: Option<Pin>,
    capture_pin: Option<Pin>,
    /// Resets the prescaler; stops it; turns the timer off.
    prescaler_reset: Bit,
    prescaler_stop: Bit,
    off: Bit,

    mode: Mode,
    source: Source,
    /// State is that of this clock.
    last: u64,
    /// Clock at which the prescaler was 0.
    zero: u64,
    count: u16,
    down: bool,
    /// A write to the counter keeps the next tick from comparing.
    blocked: bool,
    icr: u16,
    temp: u8,
    /// Clocks stand still (deep sleep).
    frozen: bool,
    /// A compare match or overflow starts something else.
    watched: bool,
    /// What happened since it was last asked, for those who watch.
    happened: u8,
    pub next: u64,
    /// No flag of it changes by itself before this clock.
    quiet: u64,
}

impl Timer {
    /// Whether it answers for an address.
    pub fn addresses(&self) -> Vec<u16> {
        let mut all = vec![
            self.counter.0,
            self.counter.1,
            self.capture.0,
            self.capture.1,
        ];
        all.extend(
            self.channels
                .iter()
                .flat_map(|c| [c.address.0, c.address.1]),
        );
        all.extend(self.controls);
        all
    }

    /// The largest count.
    fn max(&self) -> u16 {
        if self.wide { u16::MAX } else { 0xff }
    }

    pub fn reset(&mut self, now: u64) {
        for c in &mut self.channels {
            (c.value, c.buffer, c.mode, c.level) = (0, 0, 0, false);
            // Its pin is let go when it is configured.
        }
        if self.odd.is_some() {
            (self.channels[2].value, self.channels[2].buffer) = (0xff, 0xff);
        }
        (self.count, self.down, self.blocked, self.icr, self.temp) = (0, false, false, 0, 0);
        (self.mode, self.source, self.frozen) = (NORMAL, Source::Stopped, false);
        (self.last, self.zero, self.next) = (now, now, u64::MAX);
        self.quiet = 0;
    }

    /// Takes the bits of the control registers as they are from clock `at` on, up to
    /// which it has been brought.
    pub fn configure(&mut self, bus: &mut Bus, at: u64) {
        self.advance(bus, at);
        let wgm = bus.group(&self.waveform);
        let before = self.mode;
        self.mode = match (&self.odd, self.wide, self.classic) {
            (Some([pwm_a, pwm_b, ctc]), ..) => wiring::odd(bus, *pwm_a, *pwm_b, *ctc),
            (None, true, true) => mode::classic(wgm),
            (None, true, false) => mode::sixteen(wgm),
            (None, false, _) => mode::eight(wgm),
        };
        if before != self.mode {
            if self.mode.slope != mode::Slope::Dual {
                self.down = false;
            }
            if self.mode.slope == mode::Slope::Plain {
                for c in &mut self.channels {
                    c.value = c.buffer;
                }
            }
        }
        let stopped = bus.bit(self.prescaler_stop) && self.prescaler == Prescaler::Common
            || bus.bit(self.off)
            || self.frozen;
        self.source = match self.prescaler.source(bus.group(&self.select)) {
            _ if stopped => Source::Stopped,
            source => source,
        };
        for i in 0..3 {
            let com = bus.group(&self.channels[i].com);
            let c = &mut self.channels[i];
            if let Some(pin) = c.pin {
                let connected = self.mode.connected(com, i);
                // Others may have the pin as long as it does not show here.
                if connected || c.connected {
                    bus.lines.override_value(pin, connected.then_some(c.level));
                }
                c.connected = connected;
            }
            c.mode = com;
        }
        self.last = self.last.max(at);
        self.announce(bus);
    }

    /// Starts the prescaler anew from a clock on where its bit is set; the bit goes
    /// unless it is held.
    pub fn restart(&mut self, bus: &mut Bus, at: u64) -> bool {
        let set = bus.bit(self.prescaler_reset);
        if set {
            self.zero = at;
        }
        set
    }

    /// The bit that resets its prescaler.
    pub fn reset_bit(&self) -> (Bit, Bit) {
        (self.prescaler_reset, self.prescaler_stop)
    }

    /// Stands still, or goes on.
    pub fn freeze(&mut self, bus: &mut Bus, frozen: bool, now: u64) {
        if self.frozen == frozen {
            return;
        }
        if frozen {
            self.advance(bus, now);
        } else {
            // The prescaler stood still too.
            self.zero += now.saturating_sub(self.last);
            self.last = now;
        }
        self.frozen = frozen;
        self.configure(bus, now);
    }

    /// Others want to know of what it does.
    pub fn watch(&mut self, bus: &Bus, on: bool) {
        if self.watched != on {
            self.watched = on;
            self.announce(bus);
        }
    }

    /// What happened since this was asked last: bits of [`Flag`].
    pub fn happened(&mut self) -> u8 {
        std::mem::take(&mut self.happened)
    }

    pub fn read(&mut self, bus: &mut Bus, address: u16, now: u64) -> u8 {
        if address == self.counter.0 {
            self.advance(bus, now);
            if self.wide {
                self.temp = (self.count >> 8) as u8;
            }
            return self.count as u8;
        }
        if self.wide && (address == self.counter.1 || address == self.capture.1) {
            return self.temp;
        }
        if address == self.capture.0 {
            self.temp = (self.icr >> 8) as u8;
            return self.icr as u8;
        }
        for c in &self.channels {
            if address == c.address.0 {
                return c.buffer as u8;
            }
            if address == c.address.1 {
                return (c.buffer >> 8) as u8;
            }
        }
        bus.get(address)
    }

    pub fn write(&mut self, bus: &mut Bus, address: u16, value: u8, now: u64) {
        let high = |a: (u16, u16)| self.wide && a.1 == address;
        if high(self.counter) || high(self.capture) || self.channels.iter().any(|c| high(c.address))
        {
            self.temp = value;
            return;
        }
        let word = if self.wide {
            u16::from_le_bytes([value, self.temp])
        } else {
            u16::from(value)
        };
        if address == self.counter.0 {
            self.advance(bus, now);
            self.count = word;
            self.last = now + 1;
            self.blocked = true;
        } else if address == self.capture.0 {
            self.advance(bus, now + 1);
            // It can be written where it is the top.
            if self.mode.top == mode::Top::Icr {
                self.icr = word;
            }
        } else if let Some(i) = self.channels.iter().position(|c| c.address.0 == address) {
            self.advance(bus, now + 1);
            let buffered = self.mode.slope != mode::Slope::Plain;
            let c = &mut self.channels[i];
            c.buffer = word;
            if !buffered {
                c.value = word;
            }
        } else {
            self.advance(bus, now + 1);
            bus.store(address, value);
            self.configure(bus, now + 1);
            self.force(bus, now + 1);
        }
        self.announce(bus);
    }

    /// FOC: as a compare match, but without flag; in PWM modes nothing.
    fn force(&mut self, bus: &mut Bus, _at: u64) {
        for i in 0..3 {
            let bit = self.channels[i].force;
            if bus.bit(bit) {
                bus.set(bit, false);
                if self.mode.slope == mode::Slope::Plain {
                    let com = self.channels[i].mode;
                    let act = self.mode.on_match(com, i, true);
                    self.act(bus, i, act);
                }
            }
        }
    }

    /// Something happens to an output.
    fn act(&mut self, bus: &mut Bus, channel: usize, act: Option<Act>) {
        let c = &mut self.channels[channel];
        let level = match act {
            None => return,
            Some(Act::Toggle) => !c.level,
            Some(Act::Clear) => false,
            Some(Act::Set) => true,
        };
        if c.level != level {
            c.level = level;
            if let Some(pin) = c.pin.filter(|_| c.connected) {
                bus.lines.override_value(pin, Some(level));
            }
        }
    }

    /// A line of the chip changed: edges are counted and captured.
    pub fn changed(&mut self, bus: &mut Bus, changed: &[u8], now: u64) {
        let moved =
            |pin: Option<Pin>| pin.filter(|p| changed[usize::from(p.port)] >> p.bit & 1 == 1);
        if let (Some(pin), Source::Pin(rising)) = (moved(self.pin), self.source)
            && bus.lines.level(pin) == rising
        {
            self.tick(bus, 1);
            self.announce(bus);
        }
        if let Some(pin) = moved(self.capture_pin) {
            let rising = bus.lines.level(pin);
            self.capture(bus, rising, now);
        }
    }

    /// An edge at the capture input: the pin's, or the comparator's output.
    pub fn capture(&mut self, bus: &mut Bus, rising: bool, now: u64) {
        if self.mode.top != mode::Top::Icr && bus.bit(self.edge) == rising && self.edge.exists() {
            // The edge goes through the synchronizer, the canceller adds four clocks.
            let at = now + if bus.bit(self.noise) { 4 } else { 0 };
            self.advance(bus, at.max(self.last));
            self.icr = self.count;
            bus.set(self.captured.0, true);
            self.happened |= Flag::Capture as u8;
            self.announce(bus);
        }
    }

    /// A flag of its may have been cleared.
    pub fn renew(&mut self, bus: &Bus) {
        self.announce(bus);
    }

    /// The clock has come to `next`.
    pub fn event(&mut self, bus: &mut Bus) {
        let at = self.next;
        self.advance(bus, at);
        self.announce(bus);
    }
}
