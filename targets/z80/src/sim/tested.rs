//! A bus with a probe between it and the CPU.

use scrimp_isa::probe::Probe;

use super::bus::{Bus, Clock};

/// A bus that somebody who tests a program has a hand in.
pub struct Tested<'a, B> {
    /// What the machine has.
    pub bus: &'a mut B,
    /// What the test says and notes.
    pub probe: &'a mut Probe,
}

impl<B: Bus> Bus for Tested<'_, B> {
    fn read(&mut self, address: u16, clock: &mut Clock) -> u8 {
        self.probe.read(address);
        self.bus.read(address, clock)
    }

    fn write(&mut self, address: u16, value: u8, clock: &mut Clock) {
        self.probe.wrote(address);
        self.bus.write(address, value, clock);
    }

    fn fetch(&mut self, address: u16, refresh: u16, clock: &mut Clock) -> u8 {
        self.probe.read(address);
        self.bus.fetch(address, refresh, clock)
    }

    fn ignored(&mut self, address: u16, refresh: u16, halted: bool, clock: &mut Clock) {
        self.bus.ignored(address, refresh, halted, clock);
    }

    fn input(&mut self, port: u16, clock: &mut Clock) -> u8 {
        match self.probe.input(port.into()) {
            Some(value) => value,
            None => self.bus.input(port, clock),
        }
    }

    fn output(&mut self, port: u16, value: u8, clock: &mut Clock) {
        self.probe.output(port.into(), value, clock.now());
        self.bus.output(port, value, clock);
    }

    fn nmi(&mut self, clock: &mut Clock) -> bool {
        self.bus.nmi(clock)
    }

    fn int(&mut self, refresh: u8, clock: &mut Clock) -> bool {
        self.bus.int(refresh, clock)
    }

    fn acknowledge(&mut self, clock: &mut Clock) -> u8 {
        self.bus.acknowledge(clock)
    }

    fn stack(&mut self, pointer: u16) {
        self.bus.stack(pointer);
    }
}
