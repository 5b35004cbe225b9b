//! The peripherals with a probe between them and the CPU.

use scrimp_isa::probe::Probe;

use crate::peripherals::Peripherals;
use crate::sim::{Clock, Io, Request};

/// Peripherals that somebody who tests a program has a hand in.
pub(super) struct Tested<'a> {
    /// What the board has.
    pub io: &'a mut Peripherals,
    /// What the test says and notes.
    pub probe: &'a mut Probe,
}

impl Io for Tested<'_> {
    const WATCHES: bool = true;

    fn reads(&mut self, address: u16) {
        self.probe.read(address);
    }

    fn writes(&mut self, address: u16) {
        self.probe.wrote(address);
    }

    fn read(&mut self, address: u16, clock: &mut Clock) -> u8 {
        match self.probe.input(address.into()) {
            Some(value) => value,
            None => self.io.read(address, clock),
        }
    }

    fn write(&mut self, address: u16, value: u8, clock: &mut Clock) {
        self.probe.output(address.into(), value, clock.now());
        self.io.write(address, value, clock);
    }

    fn set_bit(&mut self, address: u16, bit: u8, on: bool, clock: &mut Clock) {
        let now = clock.now();
        self.io.set_bit(address, bit, on, clock);
        self.probe
            .output(address.into(), self.io.peek(address, now), now);
    }

    fn next_event(&self) -> u64 {
        self.io.next_event()
    }

    fn event(&mut self, now: u64) {
        self.io.event(now);
    }

    fn interrupt(&self) -> Option<Request> {
        self.io.interrupt()
    }

    fn acknowledge(&mut self, vector: u8, now: u64) {
        self.io.acknowledge(vector, now);
    }

    fn returned(&mut self, now: u64) {
        self.io.returned(now);
    }

    fn sleep(&mut self, now: u64) -> bool {
        self.io.sleep(now)
    }

    fn watchdog(&mut self, now: u64) {
        self.io.watchdog(now);
    }

    fn reset(&mut self) -> bool {
        self.io.reset()
    }

    fn store_program(&mut self, z: u32, value: u16, flash: &mut [u8], clock: &mut Clock) {
        self.io.store_program(z, value, flash, clock);
    }
}
