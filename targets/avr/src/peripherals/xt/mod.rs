//! The peripherals of tinyAVR 0 to 2, megaAVR 0, AVR Dx and Ex, by the data sheets. Which
//! modules there are, where, with which bits, values and vectors, is from the device's data.

mod events;
mod nvm;
mod port;
mod regs;
mod routes;
mod rtc;
mod spi;
mod system;
mod tca;
mod tcb;
mod twi;
mod usart;

use super::Reset;
use super::bus::Bus;
use super::lines::{PORTS, Pin};
use super::serial::Line;
use crate::devices::{Core, Device};
use crate::sim::Request;
use events::{Events, Generator, Signal, User};
use nvm::Nvm;
use port::Port;
use regs::{Asks, Regs};
use rtc::Rtc;
use spi::Spi;
use std::sync::Arc;
use system::System;
use tca::Tca;
use tcb::Tcb;
use twi::Twi;
use usart::Usart;

/// The pins that a USART sends and receives on after a reset.
pub(super) fn usart_pins(device: &Device, usart: u8) -> (Option<Pin>, Option<Pin>) {
    let regs = Regs::of(device);
    let name = format!("USART{usart}");
    if !regs.has(&format!("{name}_RXDATAL")) {
        return (None, None);
    }
    let pins = routes::Route::of(&regs, &name).first();
    (pins[0], pins[1])
}

/// One of the units that there may be several of.
#[derive(Clone, Debug)]
enum Unit {
    Port(Port),
    Tca(Tca),
    Tcb(Tcb),
    Usart(Usart),
    Spi(Spi),
    Twi(Twi),
    Rtc(Rtc),
    Nvm(Nvm),
}

/// Who has a register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Owner {
    Unit(u8),
    System,
    Strobe,
    /// Routes and users of events: what is driven is looked at anew.
    Route,
}

/// All of them.
#[derive(Clone, Debug)]
pub(super) struct Xt {
    units: Vec<Unit>,
    system: System,
    events: Events,
    owners: Arc<Vec<(u16, Owner)>>,
    oscillator: u64,
    /// SEN and SMODE.
    sleep: u16,
    pub next: u64,
}

impl Xt {
    /// Those of a device, where it is one of these, with a clock of so many hertz after a
    /// reset.
    pub fn of(device: &'static Device, hertz: u64) -> Option<Self> {
        if device.core != Core::AvrXt {
            return None;
        }
        let regs = Regs::of(device);
        let mut units = Vec::new();
        let ports = (0..PORTS as u8).filter_map(|n| Port::of(&regs, n));
        units.extend(ports.map(Unit::Port));
        units.extend((0..2).filter_map(|n| Tca::of(&regs, n)).map(Unit::Tca));
        units.extend((0..5).filter_map(|n| Tcb::of(&regs, n)).map(Unit::Tcb));
        let usarts = (0..6).filter_map(|n| Usart::of(&regs, &format!("USART{n}")));
        units.extend(usarts.map(Unit::Usart));
        let spis = (0..2).filter_map(|n| Spi::of(&regs, &format!("SPI{n}")));
        units.extend(spis.map(Unit::Spi));
        let twis = (0..2).filter_map(|n| Twi::of(&regs, &format!("TWI{n}")));
        units.extend(twis.map(Unit::Twi));
        units.extend(Rtc::of(&regs).map(Unit::Rtc));
        units.extend(Nvm::of(&regs, device).map(Unit::Nvm));
        let mut system = System::of(&regs);
        system.words = device.vector_bytes.max(2) / 2;
        let system_rate = system.oscillator(hertz);
        let events = Events::of(&regs);
        let mut owners = Vec::new();
        for instance in ["PORTMUX", "EVSYS"] {
            let all = regs.of_instance(instance).into_iter();
            owners.extend(all.map(|r| (r.1, Owner::Route)));
        }
        let clocks = regs.of_instance("CLKCTRL").into_iter();
        owners.extend(clocks.map(|r| (r.1, Owner::System)));
        owners.extend(events.registers().into_iter().map(|a| (a, Owner::Strobe)));
        for (n, unit) in units.iter().enumerate() {
            let own = unit.registers().into_iter();
            owners.extend(own.map(|a| (a, Owner::Unit(n as u8))));
        }
        owners.extend(system.registers().into_iter().map(|a| (a, Owner::System)));
        // The last of an address counts.
        owners.reverse();
        owners.sort_by_key(|o| o.0);
        owners.dedup_by_key(|o| o.0);
        Some(Self {
            sleep: regs.at("SLPCTRL_CTRLA"),
            units,
            system,
            events,
            owners: Arc::new(owners),
            oscillator: system_rate,
            next: u64::MAX,
        })
    }

    /// The addresses that it answers for.
    pub fn addresses(&self) -> impl Iterator<Item = u16> + '_ {
        self.owners.iter().map(|o| o.0).filter(|&a| a < 0x2000)
    }

    /// Registers in which a single bit can be written as one.
    pub fn flags(&self) -> Vec<u16> {
        let ports = self.units.iter().filter(|u| matches!(u, Unit::Port(_)));
        ports.flat_map(Unit::registers).collect()
    }

    fn owner(&self, address: u16) -> Option<Owner> {
        let found = self.owners.binary_search_by_key(&address, |o| o.0);
        found.ok().map(|n| self.owners[n].1)
    }

    /// As after a reset; the registers are zero.
    pub fn reset(&mut self, bus: &mut Bus, why: Reset, now: u64) {
        self.system.reset(bus, why);
        bus.hertz = self.system.hertz(bus, self.oscillator);
        for unit in &mut self.units {
            unit.reset(bus);
        }
        self.renew_rates(bus, now);
        self.look_all(bus);
    }

    fn renew_rates(&mut self, bus: &Bus, now: u64) {
        for unit in &mut self.units {
            if let Unit::Rtc(rtc) = unit {
                rtc.renew(bus, now);
            }
        }
    }

    /// All interrupts and the next event anew.
    fn look_all(&mut self, bus: &Bus) {
        for n in 0..self.units.len() {
            self.look(bus, n);
        }
        self.schedule();
    }

    /// Interrupts of a unit anew.
    fn look(&mut self, bus: &Bus, n: usize) {
        let asks = self.units[n].asks(bus);
        self.system.pending = self.system.pending & !asks.of | asks.on;
    }

    fn schedule(&mut self) {
        let units = self.units.iter().map(Unit::next);
        self.next = units.min().unwrap_or(u64::MAX).min(self.system.next);
    }

    pub fn read(&mut self, bus: &mut Bus, address: u16, now: u64) -> u8 {
        match self.owner(address) {
            Some(Owner::Unit(n)) => {
                let n = usize::from(n);
                let value = self.units[n].read(bus, address, now);
                self.look(bus, n);
                self.schedule();
                value
            }
            _ => bus.get(address),
        }
    }

    /// Writes; the number is of clocks that the CPU waits.
    pub fn write(&mut self, bus: &mut Bus, address: u16, value: u8, now: u64) -> u32 {
        if self.system.refuses(address, now) {
            return 0;
        }
        let mut waits = 0;
        match self.owner(address) {
            Some(Owner::Unit(n)) => {
                let n = usize::from(n);
                self.tell_divisors(bus);
                waits = self.units[n].write(bus, address, value, now);
                self.pass_on(bus, n, now);
                self.look(bus, n);
            }
            Some(Owner::System) => {
                if self.system.write(bus, address, value, now) {
                    bus.hertz = self.system.hertz(bus, self.oscillator);
                    self.renew_rates(bus, now);
                }
            }
            Some(Owner::Strobe) => {
                for user in self.events.strobed(bus, address, value) {
                    self.deliver(bus, user, Signal::Pulse, now);
                }
            }
            Some(Owner::Route) => {
                bus.put(address, value);
                for unit in &mut self.units {
                    unit.drive(bus);
                }
                self.events.renew(bus);
            }
            None => bus.put(address, value),
        }
        self.schedule();
        waits
    }

    /// A TCB may count with the clock of a TCA.
    fn tell_divisors(&mut self, bus: &Bus) {
        let mut found = [1; 2];
        for unit in &self.units {
            if let Unit::Tca(t) = unit {
                found[usize::from(t.number.min(1))] = t.divisor(bus);
            }
        }
        for unit in &mut self.units {
            if let Unit::Tcb(t) = unit {
                t.others = found;
            }
        }
    }

    pub fn event(&mut self, bus: &mut Bus, at: u64) {
        if self.system.next <= at {
            self.system.event();
        }
        for n in 0..self.units.len() {
            if self.units[n].next() <= at {
                self.units[n].event(bus, at);
                self.pass_on(bus, n, at);
                self.look(bus, n);
            }
        }
        self.schedule();
    }

    /// What happened in a unit is an event for others.
    fn pass_on(&mut self, bus: &mut Bus, n: usize, now: u64) {
        let (happened, of): (u8, fn(u8, u8) -> Generator) = match &mut self.units[n] {
            Unit::Tca(t) => (std::mem::take(&mut t.happened), Generator::Tca),
            Unit::Tcb(t) => (std::mem::take(&mut t.happened), Generator::Tcb),
            Unit::Rtc(r) => (std::mem::take(&mut r.happened), |_, f| Generator::Rtc(f)),
            _ => return,
        };
        let number = match &self.units[n] {
            Unit::Tca(t) => t.number,
            Unit::Tcb(t) => t.number,
            _ => 0,
        };
        for flag in (0..8).map(|b| 1 << b).filter(|f| happened & f != 0) {
            for user in self.events.of_generator(bus, of(number, flag)) {
                self.deliver(bus, user, Signal::Pulse, now);
            }
        }
    }

    fn deliver(&mut self, bus: &mut Bus, user: User, signal: Signal, now: u64) {
        let rises = signal != Signal::Level(false);
        if let (User::Output(pin), Signal::Level(level)) = (user, signal) {
            self.events.put_out(bus, pin, level);
        }
        for n in 0..self.units.len() {
            match (&mut self.units[n], user) {
                (Unit::Tca(t), User::Tca(m)) if t.number == m && rises => t.counted(bus),
                (Unit::Tcb(t), User::TcbCount(m)) if t.number == m && rises => t.counted(bus),
                (Unit::Tcb(t), User::Tcb(m)) if t.number == m => match signal {
                    Signal::Pulse => t.input(bus, false, true, now),
                    Signal::Level(level) => t.input(bus, level, false, now),
                },
                _ => continue,
            }
            self.look(bus, n);
        }
    }

    /// Lines changed.
    pub fn changed(&mut self, bus: &mut Bus, changed: &[u8; PORTS], now: u64) {
        for n in 0..self.units.len() {
            if self.units[n].changed(bus, changed, now) {
                self.look(bus, n);
            }
        }
        for (user, signal) in self.events.of_pins(bus, changed) {
            self.deliver(bus, user, signal, now);
        }
        self.schedule();
    }

    /// A register of a pin was written, which may look for a low level.
    pub fn pin_written(&mut self, bus: &mut Bus, port: u8) {
        for n in 0..self.units.len() {
            if let Unit::Port(p) = &mut self.units[n]
                && p.number == port
            {
                p.look(bus, 0);
                self.look(bus, n);
            }
        }
    }

    /// The interrupt to be taken.
    pub fn request(&self, bus: &Bus) -> Option<Request> {
        self.system.request(bus)
    }

    pub fn acknowledge(&mut self, bus: &mut Bus, vector: u8) {
        self.system.acknowledge(bus, vector);
    }

    pub fn returned(&mut self, bus: &mut Bus) {
        self.system.returned(bus);
    }

    /// WDR.
    pub fn restart(&mut self, bus: &Bus, now: u64) {
        if self.system.wanted.is_none() {
            self.system.restart(bus, now);
        }
        self.schedule();
    }

    /// Whether SLEEP does anything.
    pub fn sleeps(&self, bus: &Bus) -> bool {
        bus.get(self.sleep) & 1 != 0
    }

    /// Whether the chip is to be reset.
    pub fn wants_reset(&self) -> bool {
        self.system.wanted.is_some()
    }

    /// How the USARTs send.
    pub fn lines(&self, bus: &Bus) -> Vec<Line> {
        let usarts = self.units.iter().filter_map(|u| match u {
            Unit::Usart(u) => Some(u.line(bus)),
            _ => None,
        });
        usarts.collect()
    }

    /// EEPROM and its controller.
    pub fn nvm(&self) -> Option<(&[u8], u64)> {
        self.units.iter().find_map(|u| match u {
            Unit::Nvm(n) => Some((&*n.bytes, n.writes)),
            _ => None,
        })
    }

    /// A byte of the EEPROM.
    pub fn eeprom_byte(&mut self, address: usize) -> Option<&mut u8> {
        self.units.iter_mut().find_map(|u| match u {
            Unit::Nvm(n) => n.bytes.get_mut(address),
            _ => None,
        })
    }
}

impl Unit {
    fn registers(&self) -> Vec<u16> {
        match self {
            Self::Port(u) => u.registers(),
            Self::Tca(u) => u.registers(),
            Self::Tcb(u) => u.registers(),
            Self::Usart(u) => u.registers(),
            Self::Spi(u) => u.registers(),
            Self::Twi(u) => u.registers(),
            Self::Rtc(u) => u.registers(),
            Self::Nvm(u) => u.registers(),
        }
    }

    fn reset(&mut self, bus: &mut Bus) {
        match self {
            Self::Port(_) => {}
            Self::Tca(u) => u.reset(bus),
            Self::Tcb(u) => u.reset(bus),
            Self::Usart(u) => u.reset(bus),
            Self::Spi(u) => u.reset(bus),
            Self::Twi(u) => u.reset(bus),
            Self::Rtc(u) => u.reset(bus),
            Self::Nvm(u) => u.reset(bus),
        }
    }

    fn next(&self) -> u64 {
        match self {
            Self::Port(_) => u64::MAX,
            Self::Tca(u) => u.next(),
            Self::Tcb(u) => u.next(),
            Self::Usart(u) => u.next(),
            Self::Spi(u) => u.next(),
            Self::Twi(u) => u.next(),
            Self::Rtc(u) => u.next(),
            Self::Nvm(u) => u.next(),
        }
    }

    fn read(&mut self, bus: &mut Bus, address: u16, now: u64) -> u8 {
        match self {
            Self::Port(_) => bus.get(address),
            Self::Tca(u) => u.read(bus, address, now),
            Self::Tcb(u) => u.read(bus, address, now),
            Self::Usart(u) => u.read(bus, address),
            Self::Spi(u) => u.read(bus, address),
            Self::Twi(u) => u.read(bus, address, now),
            Self::Rtc(u) => u.read(bus, address, now),
            Self::Nvm(u) => u.read(bus, address),
        }
    }

    fn write(&mut self, bus: &mut Bus, address: u16, value: u8, now: u64) -> u32 {
        match self {
            Self::Port(u) => u.write(bus, value),
            Self::Tca(u) => u.write(bus, address, value, now),
            Self::Tcb(u) => u.write(bus, address, value, now),
            Self::Usart(u) => u.write(bus, address, value, now),
            Self::Spi(u) => u.write(bus, address, value, now),
            Self::Twi(u) => u.write(bus, address, value, now),
            Self::Rtc(u) => u.write(bus, address, value, now),
            Self::Nvm(u) => return u.write(bus, address, value, now),
        }
        0
    }

    fn event(&mut self, bus: &mut Bus, at: u64) {
        match self {
            Self::Port(_) => {}
            Self::Tca(u) => u.event(bus, at),
            Self::Tcb(u) => u.event(bus, at),
            Self::Usart(u) => u.event(bus, at),
            Self::Spi(u) => u.event(bus),
            Self::Twi(u) => u.event(bus, at),
            Self::Rtc(u) => u.event(bus, at),
            Self::Nvm(u) => u.event(bus),
        }
    }

    /// Drives its pins where they are now.
    fn drive(&mut self, bus: &mut Bus) {
        match self {
            Self::Tca(u) => u.drive(bus),
            Self::Tcb(u) => u.drive(bus),
            Self::Usart(u) => u.drive(bus),
            Self::Spi(u) => u.drive(bus),
            Self::Twi(u) => u.drive(bus),
            Self::Port(_) | Self::Rtc(_) | Self::Nvm(_) => {}
        }
    }

    /// Lines changed; whether that may be something to it.
    fn changed(&mut self, bus: &mut Bus, changed: &[u8; PORTS], now: u64) -> bool {
        match self {
            Self::Port(u) => u.changed(bus, changed),
            Self::Usart(u) => u.changed(bus, changed, now),
            Self::Spi(u) => u.changed(bus, changed),
            Self::Twi(u) => u.changed(bus, changed),
            Self::Tca(_) | Self::Tcb(_) | Self::Rtc(_) | Self::Nvm(_) => return false,
        }
        true
    }

    fn asks(&self, bus: &Bus) -> Asks {
        match self {
            Self::Port(u) => u.asks(bus),
            Self::Tca(u) => u.asks(bus),
            Self::Tcb(u) => u.asks(bus),
            Self::Usart(u) => u.asks(bus),
            Self::Spi(u) => u.asks(bus),
            Self::Twi(u) => u.asks(bus),
            Self::Rtc(u) => u.asks(bus),
            Self::Nvm(u) => u.asks(bus),
        }
    }
}
