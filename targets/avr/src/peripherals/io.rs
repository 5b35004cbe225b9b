//! The peripherals as the CPU meets them: registers, events, interrupts.

use super::*;
use crate::sim::Io;

impl Io for Peripherals {
    fn read(&mut self, address: u16, clock: &mut Clock) -> u8 {
        let now = clock.now();
        if self.next <= now {
            self.catch_up(now);
        }
        let Some(&reg) = self.registers.get(usize::from(address)) else {
            return 0;
        };
        match reg {
            Reg::None => 0,
            Reg::Plain | Reg::ClockPrescale | Reg::PinControl(_) => self.bus.get(address),
            Reg::Pin(port) | Reg::Levels(port) => self.bus.lines.read(port, now),
            Reg::Direction(port) | Reg::StrobeDirection(port, _) => self.bus.lines.direction(port),
            Reg::Port(port) | Reg::StrobePort(port, _) => self.bus.lines.port(port),
            Reg::Timer(i) => self.timers[usize::from(i)].read(&mut self.bus, address, now),
            Reg::Usart(i) => self.usarts[usize::from(i)].read(&mut self.bus, address, now),
            Reg::Eeprom => match &self.eeprom {
                Some(eeprom) => eeprom.read(&self.bus, address, now),
                None => 0,
            },
            Reg::Watchdog => match &self.watchdog {
                Some(watchdog) => watchdog.read(&self.bus, now),
                None => 0,
            },
            Reg::Usi => match &self.usi {
                Some(usi) => usi.read(&self.bus, address),
                None => 0,
            },
            Reg::Spi => match &mut self.spi {
                Some(spi) => spi.read(&mut self.bus, address),
                None => 0,
            },
            Reg::Converter => match &mut self.converter {
                Some(converter) => converter.read(&self.bus, address),
                None => 0,
            },
            Reg::Comparator | Reg::Twi => self.bus.get(address),
            Reg::Flash => match &self.writer {
                Some(writer) => writer.read(&self.bus, now),
                None => 0,
            },
            Reg::Newer => match &mut self.newer {
                Some(newer) => {
                    let value = newer.read(&mut self.bus, address, now);
                    self.next = self.next.min(newer.next);
                    value
                }
                None => 0,
            },
            Reg::Shared => {
                for timer in &mut self.timers {
                    timer.flags_at(&mut self.bus, now);
                }
                self.bus.get(address)
            }
        }
    }

    fn write(&mut self, address: u16, value: u8, clock: &mut Clock) {
        let now = clock.now();
        if self.next <= now {
            self.catch_up(now);
        }
        let Some(&reg) = self.registers.get(usize::from(address)) else {
            return;
        };
        match reg {
            Reg::None | Reg::Levels(_) => return,
            Reg::Plain => {
                self.bus.store(address, value);
                return;
            }
            Reg::Pin(port) => {
                if self.modern {
                    let old = self.bus.lines.port(port);
                    self.bus
                        .lines
                        .set_port(port, old ^ value & self.bus.lines.pins(port));
                }
            }
            Reg::Direction(port) => {
                let pins = self.bus.lines.pins(port);
                self.bus.lines.set_direction(port, value & pins);
            }
            Reg::Port(port) => {
                let pins = self.bus.lines.pins(port);
                self.bus.lines.set_port(port, value & pins);
            }
            Reg::StrobeDirection(port, strobe) => self.strobe_direction(port, strobe, value),
            Reg::StrobePort(port, strobe) => self.strobe_port(port, strobe, value),
            Reg::PinControl(pin) => {
                self.bus.store(address, value);
                self.pin_control(pin, value);
                if let Some(newer) = &mut self.newer {
                    newer.pin_written(&mut self.bus, pin.port);
                }
            }
            Reg::Timer(i) => self.timers[usize::from(i)].write(&mut self.bus, address, value, now),
            Reg::Usart(i) => {
                let usart = &mut self.usarts[usize::from(i)];
                usart.write(&mut self.bus, address, value, now);
                let line = usart.line(&self.bus);
                for part in &mut self.parts {
                    if let Part::Terminal(t) = part {
                        t.follow(&line, &mut self.bus.lines);
                    }
                }
            }
            Reg::Eeprom => {
                if let Some(eeprom) = &mut self.eeprom {
                    clock.wait(eeprom.write(&mut self.bus, address, value, now));
                }
            }
            Reg::Watchdog => {
                if let Some(watchdog) = &mut self.watchdog {
                    watchdog.write(&mut self.bus, value, now);
                }
            }
            Reg::ClockPrescale => self.prescale(value, now),
            Reg::Usi => {
                if let Some(usi) = &mut self.usi {
                    usi.write(&mut self.bus, address, value);
                }
                self.pass_on();
            }
            Reg::Spi => {
                if let Some(spi) = &mut self.spi {
                    spi.write(&mut self.bus, address, value, now);
                }
            }
            Reg::Twi => {
                if let Some(twi) = &mut self.twi {
                    twi.write(&mut self.bus, address, value, now);
                }
            }
            Reg::Converter => {
                if let Some(converter) = &mut self.converter {
                    converter.write(&mut self.bus, address, value, now);
                }
            }
            Reg::Comparator => {
                self.bus.store(address, value);
                self.compare(now + 1);
            }
            Reg::Flash => {
                if let Some(writer) = &mut self.writer {
                    writer.control_written(&mut self.bus, value, now);
                }
            }
            Reg::Newer => self.write_newer(address, value, clock),
            Reg::Shared => self.shared(address, now, |bus| bus.store(address, value)),
        }
        if self.bus.lines.dirty() {
            if let Some(usi) = &mut self.usi {
                usi.renew(&mut self.bus);
            }
            self.settle(now + 1);
        }
        self.schedule();
    }

    fn set_bit(&mut self, address: u16, bit: u8, on: bool, clock: &mut Clock) {
        let at = usize::from(address);
        let clears = self.bus.layout.clears.get(at).copied().unwrap_or(0);
        let reg = self.registers.get(at).copied().unwrap_or(Reg::None);
        if self.modern && (clears != 0 || matches!(reg, Reg::Pin(_))) {
            // Only this bit is written; the flags beside it stay.
            let mask = 1 << bit;
            let others = match reg {
                Reg::Pin(_) => 0,
                _ => self.read(address, clock) & !clears & !mask,
            };
            self.write(address, others | if on { mask } else { 0 }, clock);
            return;
        }
        let old = self.read(address, clock);
        let new = old & !(1 << bit) | u8::from(on) << bit;
        self.write(address, new, clock);
    }

    fn next_event(&self) -> u64 {
        self.next
    }

    fn event(&mut self, now: u64) {
        self.catch_up(now);
    }

    fn interrupt(&self) -> Option<Request> {
        match &self.newer {
            Some(newer) => newer.request(&self.bus),
            None => self.bus.request(),
        }
    }

    fn acknowledge(&mut self, vector: u8, now: u64) {
        if self.deep {
            self.freeze(false, now);
        }
        if let Some(newer) = &mut self.newer {
            newer.acknowledge(&mut self.bus, vector);
            return;
        }
        self.bus.acknowledge(vector);
        for timer in &mut self.timers {
            timer.renew(&self.bus);
        }
        self.schedule();
    }

    fn returned(&mut self, _now: u64) {
        if let Some(newer) = &mut self.newer {
            newer.returned(&mut self.bus);
        }
    }

    fn sleep(&mut self, now: u64) -> bool {
        if let Some(newer) = &self.newer {
            return newer.sleeps(&self.bus);
        }
        if !self.bus.bit(self.sleep_enable) {
            return false;
        }
        // Idle keeps all clocks, ADC noise reduction (1) stops that of the I/O.
        if self.bus.group(&self.sleep_mode) != 0 {
            self.freeze(true, now);
        }
        true
    }

    fn watchdog(&mut self, now: u64) {
        if let Some(newer) = &mut self.newer {
            newer.restart(&self.bus, now);
            self.schedule();
        }
        if let Some(watchdog) = &mut self.watchdog {
            watchdog.restart(&self.bus, now);
            self.schedule();
        }
    }

    fn store_program(&mut self, z: u32, value: u16, flash: &mut [u8], clock: &mut Clock) {
        if let Some(writer) = &mut self.writer {
            let time = writer.store(&mut self.bus, z, value, flash, clock.now());
            if time > 0 {
                clock.wait(self.bus.clocks(time).min(u64::from(u32::MAX)) as u32);
            }
        }
    }

    fn reset(&mut self) -> bool {
        let bites = self.watchdog.as_ref().is_some_and(|w| w.bites)
            || self.newer.as_ref().is_some_and(|n| n.wants_reset());
        if bites {
            self.resets += 1;
            let now = self.last;
            self.reset_all(Reset::Watchdog, now);
        }
        bites
    }
}

impl Peripherals {
    /// A register of the newer parts' units.
    fn write_newer(&mut self, address: u16, value: u8, clock: &mut Clock) {
        let Some(newer) = &mut self.newer else { return };
        clock.wait(newer.write(&mut self.bus, address, value, clock.now()));
        let mut parts = self.parts.iter_mut();
        if !parts.any(|p| matches!(p, Part::Terminal(_))) {
            return;
        }
        for line in newer.lines(&self.bus) {
            for part in &mut self.parts {
                if let Part::Terminal(t) = part {
                    t.follow(&line, &mut self.bus.lines);
                }
            }
        }
    }
}
