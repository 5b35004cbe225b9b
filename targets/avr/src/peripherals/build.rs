//! Making the peripherals of a device from its data.

use super::bus::Source;
use super::*;

/// A device of which peripherals are to be made.
struct Plan {
    device: &'static Device,
    names: Names,
    pinout: Pinout,
    /// Its units are those that are simulated; of others there are only the ports.
    known: bool,
    /// Where the addresses of its registers end. The one there has the hidden flags.
    io: usize,
    hidden: Hidden,
}

/// The units that a device has.
#[derive(Default)]
struct Found {
    timers: Vec<Timer>,
    /// By number.
    usarts: Vec<(u8, Usart)>,
    eeprom: Option<Eeprom>,
    watchdog: Option<Watchdog>,
    usi: Option<Usi>,
    spi: Option<Spi>,
    twi: Option<Twi>,
    converter: Option<Converter>,
    comparator: Option<Comparator>,
    writer: Option<Writer>,
}

impl Plan {
    fn of(device: &'static Device) -> Self {
        let known = !device.modular();
        let io = match known {
            true => (device.io.start + device.io.size) as usize,
            false => 0x2000,
        };
        let address = io as u16;
        Self {
            device,
            names: Names::of(device),
            pinout: Pinout::of(device.name),
            known,
            io,
            hidden: Hidden {
                eeprom: Bit { address, mask: 1 },
                external: Bit { address, mask: 2 },
            },
        }
    }

    /// The units.
    fn units(&self) -> Found {
        if !self.known {
            return Found::default();
        }
        let (device, names, pinout) = (self.device, &self.names, self.pinout);
        let classic = device.core == crate::devices::Core::Avr;
        Found {
            timers: (0..6)
                .filter_map(|n| Timer::find(names, pinout, n, classic))
                .collect(),
            usarts: (0..4)
                .filter_map(|n| Some((n, Usart::find(names, pinout, n)?)))
                .collect(),
            eeprom: Eeprom::find(names, device.eeprom.size, classic, self.hidden.eeprom),
            watchdog: Watchdog::find(names),
            usi: Usi::find(names, pinout),
            spi: Spi::find(names, pinout),
            twi: Twi::find(names, pinout),
            converter: Converter::find(names),
            comparator: Comparator::find(names, pinout),
            writer: Writer::find(names, device.flash.page),
        }
    }

    /// What asks for an interrupt, by vector.
    fn sources(&self, found: &Found) -> Vec<Source> {
        let units = Units {
            names: &self.names,
            hidden: self.hidden,
            timers: &found.timers,
            usarts: &found.usarts,
        };
        let known = self.device.vectors.iter().filter(|_| self.known);
        let mut vectors: Vec<_> = known.collect();
        vectors.sort_by_key(|v| v.number);
        let mut sources: Vec<Source> = Vec::new();
        for vector in vectors {
            let number = u8::try_from(vector.number).unwrap_or(0);
            if let Some(source) = units.source(number, vector.name)
                && sources.len() < 64
                && !sources.iter().any(|s| s.vector == number)
            {
                sources.push(source);
            }
        }
        sources
    }

    /// Which bits of the registers can be written, are cleared by a one or ask for an
    /// interrupt.
    fn layout(&self, found: &Found) -> Layout {
        let mut layout = Layout {
            vector_words: self.device.vector_bytes.max(2) / 2,
            by_register: vec![0; self.io + 1],
            writable: vec![0xff; self.io + 1],
            clears: vec![0; self.io + 1],
            sources: self.sources(found),
        };
        self.known_bits(&mut layout);
        self.flags(&mut layout);
        for (_, usart) in &found.usarts {
            let (status, writable, clears) = usart.status_bits();
            if status != NOWHERE {
                layout.writable[usize::from(status)] = writable;
                layout.clears[usize::from(status)] = clears;
            }
            let (control, writable) = usart.control_bits();
            if control != NOWHERE {
                layout.writable[usize::from(control)] = writable;
            }
        }
        if let Some(c) = &found.comparator {
            layout.writable[usize::from(c.control)] = c.writable();
        }
        layout
    }

    /// Of registers with flags only the bits that there are can be written; others may
    /// have more than is known.
    fn known_bits(&self, layout: &mut Layout) {
        for placed in self.device.registers().iter().filter(|_| self.known) {
            let mut flags = layout.sources.iter().map(|s| u32::from(s.flag.address));
            let fields: u32 = placed.register.fields.iter().map(|f| f.mask).sum();
            if flags.any(|a| a == placed.address) && placed.register.size == 1 {
                let w = &mut layout.writable[placed.address as usize];
                *w = match *w {
                    0xff => fields as u8,
                    some => some | fields as u8,
                };
            }
        }
    }

    /// The flags and enabling bits of interrupts.
    fn flags(&self, layout: &mut Layout) {
        for (i, s) in layout.sources.iter().enumerate() {
            layout.by_register[usize::from(s.flag.address)] |= 1 << i;
            layout.by_register[usize::from(s.enable.address)] |= 1 << i;
            // What hardware clears, and the flags of the USI, a one clears.
            layout.writable[usize::from(s.flag.address)] &= !s.flag.mask;
            if s.flag != self.hidden.eeprom && s.flag != self.hidden.external {
                layout.clears[usize::from(s.flag.address)] |= s.flag.mask;
            }
        }
    }

    /// Who answers for each register: what several units have bits in, then who has a
    /// register alone.
    fn registers(&self, found: &Found) -> Vec<Reg> {
        let none = if self.known { Reg::None } else { Reg::Plain };
        let mut registers = vec![none; self.io + 1];
        let mut owners = vec![0u8; self.io + 1];
        for placed in self.device.registers().iter().filter(|_| self.known) {
            let size = placed.register.size.max(1);
            for address in placed.address..placed.address + size {
                if let Some(r) = registers.get_mut(address as usize) {
                    *r = match placed.register.fields.is_empty() {
                        true => Reg::Plain,
                        false => Reg::Shared,
                    };
                    owners[address as usize] = owners[address as usize].saturating_add(1);
                }
            }
        }
        let alone = |a: u16| owners.get(usize::from(a)).is_some_and(|&n| n == 1);
        let of_units = found.registers(alone).into_iter();
        let prescale = (self.names.address(&["CLKPR"]), Reg::ClockPrescale);
        for (address, reg) in of_units.chain(self.port_registers()).chain([prescale]) {
            if let Some(r) = registers.get_mut(usize::from(address)) {
                *r = reg;
            }
        }
        registers
    }

    /// The ports of known devices with a mask of the pins that they have.
    fn ports(&self) -> Vec<(u8, u8)> {
        let mask = |port: u8| {
            let name = format!("PORT{}", char::from(b'A' + port));
            let placed = self.device.register(&name).filter(|_| self.known)?;
            Some(match placed.register.mask as u8 {
                0 => 0xff,
                mask => mask,
            })
        };
        (0..PORTS as u8)
            .filter_map(|port| Some((port, mask(port)?)))
            .collect()
    }

    fn port_registers(&self) -> Vec<(u16, Reg)> {
        if !self.known {
            return ports::registers(self.device);
        }
        let of = |port: u8| {
            let letter = char::from(b'A' + port);
            let address = |name: &str| self.names.address(&[&format!("{name}{letter}")]);
            [
                (address("PORT"), Reg::Port(port)),
                (address("DDR"), Reg::Direction(port)),
                (address("PIN"), Reg::Pin(port)),
            ]
        };
        self.ports().into_iter().flat_map(|(p, _)| of(p)).collect()
    }

    /// Tells the lines which pins there are.
    fn wire(&self, lines: &mut lines::Lines) {
        for (port, mask) in self.ports() {
            lines.set_pins(port, mask);
        }
        for (_, reg) in ports::registers(self.device) {
            if let (Reg::Port(port), false) = (reg, self.known) {
                lines.set_pins(port, 0xff);
                *lines.own_pull_ups(port) = Some(0);
            }
        }
    }
}

impl Found {
    /// The registers of the units. Timers have only those that are theirs alone.
    fn registers(&self, alone: impl Fn(u16) -> bool) -> Vec<(u16, Reg)> {
        let mut out = Vec::new();
        let mut own = |reg: Reg, addresses: &[u16]| out.extend(addresses.iter().map(|&a| (a, reg)));
        for (i, timer) in self.timers.iter().enumerate() {
            let mine = timer.addresses().into_iter().filter(|&a| alone(a));
            own(Reg::Timer(i as u8), &mine.collect::<Vec<_>>());
        }
        for (i, (_, usart)) in self.usarts.iter().enumerate() {
            own(Reg::Usart(i as u8), &usart.addresses());
        }
        if let Some(eeprom) = &self.eeprom {
            own(Reg::Eeprom, &eeprom.addresses());
        }
        if let Some(watchdog) = &self.watchdog {
            own(Reg::Watchdog, &[watchdog.control]);
        }
        if let Some(usi) = &self.usi {
            own(Reg::Usi, &usi.addresses());
        }
        if let Some(spi) = &self.spi {
            own(Reg::Spi, &spi.addresses());
        }
        if let Some(twi) = &self.twi {
            own(Reg::Twi, &twi.addresses());
        }
        if let Some(converter) = &self.converter {
            own(Reg::Converter, &converter.addresses());
        }
        if let Some(comparator) = &self.comparator {
            own(Reg::Comparator, &[comparator.control]);
        }
        if let Some(writer) = &self.writer {
            own(Reg::Flash, &[writer.control]);
        }
        out
    }
}

impl Peripherals {
    /// Those of a device at power-on, with a clock of so many hertz.
    #[must_use]
    pub fn new(device: &'static Device, hertz: u64) -> Self {
        let plan = Plan::of(device);
        let found = plan.units();
        let mut bus = Bus::new(plan.io + 1, hertz);
        let newer = Xt::of(device, hertz).map(Box::new);
        let mut layout = plan.layout(&found);
        for address in newer.iter().flat_map(|n| n.flags()) {
            layout.clears[usize::from(address)] = 0xff;
        }
        bus.layout = Arc::new(layout);
        plan.wire(&mut bus.lines);
        let names = &plan.names;
        let prescale_change = names.address(&["CLKPR"]);
        // ATmega162 has a prescaler for the clock, but the ports of the older ones.
        let modern = prescale_change != NOWHERE && device.name != "ATmega162"
            || device.core == crate::devices::Core::AvrXt;
        let boot = device.flash.boot.iter().max().copied().unwrap_or(0);
        let mut registers = plan.registers(&found);
        for address in newer.iter().flat_map(|n| n.addresses()) {
            registers[usize::from(address)] = Reg::Newer;
        }
        let mut all = Self {
            registers: Arc::new(registers),
            newer,
            modern,
            timers: found.timers,
            usarts: found.usarts.into_iter().map(|(_, u)| u).collect(),
            eeprom: found.eeprom,
            usi: found.usi,
            spi: found.spi,
            twi: found.twi,
            converter: found.converter,
            comparator: found.comparator,
            writer: found.writer,
            external: External::find(names, plan.pinout, plan.hidden.external),
            watchdog: found.watchdog,
            sleep_enable: names.bit(&["SE"]),
            sleep_mode: names.group("SM"),
            pull_ups_off: names.bit(&["PUD"]),
            vector_select: names.bit(&["IVSEL"]),
            vector_change: names.bit(&["IVCE"]),
            vector_window: 0,
            boot: (device.flash.size - boot.min(device.flash.size)) / 2,
            prescale: names.group("CLKPS"),
            prescale_change,
            prescale_window: 0,
            oscillator: hertz,
            reset_flags: [names.bit(&["PORF"]), names.bit(&["EXTRF"])],
            parts: Vec::new(),
            next: u64::MAX,
            deep: false,
            resets: 0,
            last: 0,
            bus,
        };
        all.reset_all(Reset::Power, 0);
        all
    }
}
