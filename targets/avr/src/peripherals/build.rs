//! Making the peripherals of a device from its data.

use super::*;

impl Peripherals {
    /// Those of a device at power-on, with a clock of so many hertz.
    #[must_use]
    pub fn new(device: &'static Device, hertz: u64) -> Self {
        let names = Names::of(device);
        let pinout = Pinout::of(device.name);
        let known = !device.modular();
        let io = if known {
            (device.io.start + device.io.size) as usize
        } else {
            0x2000
        };
        // Two bits for flags without a register stand behind the others.
        let hidden = Hidden {
            eeprom: Bit {
                address: io as u16,
                mask: 1,
            },
            external: Bit {
                address: io as u16,
                mask: 2,
            },
        };
        let classic = device.core == crate::devices::Core::Avr;
        let timers: Vec<Timer> = (0..6)
            .filter_map(|n| Timer::find(&names, pinout, n, classic))
            .filter(|_| known)
            .collect();
        let usarts: Vec<(u8, Usart)> = (0..4)
            .filter_map(|n| Some((n, Usart::find(&names, pinout, n)?)))
            .filter(|_| known)
            .collect();
        let mut bus = Bus::new(io + 1, hertz);
        let units = Units {
            names: &names,
            hidden,
            timers: &timers,
            usarts: &usarts,
        };
        let mut layout = Layout {
            vector_words: device.vector_bytes.max(2) / 2,
            by_register: vec![0; io + 1],
            writable: vec![0xff; io + 1],
            clears: vec![0; io + 1],
            sources: Vec::new(),
        };
        let mut vectors: Vec<_> = device.vectors.iter().filter(|_| known).collect();
        vectors.sort_by_key(|v| v.number);
        for vector in vectors {
            let number = u8::try_from(vector.number).unwrap_or(0);
            if let Some(source) = units.source(number, vector.name)
                && layout.sources.len() < 64
                && !layout.sources.iter().any(|s| s.vector == number)
            {
                layout.sources.push(source);
            }
        }
        // Of registers with flags only the bits that there are; others may have more than
        // is known.
        for placed in device.registers().iter().filter(|_| known) {
            let flags = layout.sources.iter().map(|s| u32::from(s.flag.address));
            let fields: u32 = placed.register.fields.iter().map(|f| f.mask).sum();
            if flags.clone().any(|a| a == placed.address) && placed.register.size == 1 {
                let w = &mut layout.writable[placed.address as usize];
                *w = if *w == 0xff {
                    fields as u8
                } else {
                    *w | fields as u8
                };
            }
        }
        for (i, s) in layout.sources.iter().enumerate() {
            layout.by_register[usize::from(s.flag.address)] |= 1 << i;
            layout.by_register[usize::from(s.enable.address)] |= 1 << i;
            // What hardware clears, and the flags of the USI, a one clears.
            layout.writable[usize::from(s.flag.address)] &= !s.flag.mask;
            if s.flag != hidden.eeprom && s.flag != hidden.external {
                layout.clears[usize::from(s.flag.address)] |= s.flag.mask;
            }
        }
        for (_, usart) in &usarts {
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
        let usarts: Vec<Usart> = usarts.into_iter().map(|(_, u)| u).collect();
        let eeprom =
            Eeprom::find(&names, device.eeprom.size, classic, hidden.eeprom).filter(|_| known);
        let watchdog = Watchdog::find(&names).filter(|_| known);
        let usi = Usi::find(&names, pinout).filter(|_| known);
        let spi = Spi::find(&names, pinout).filter(|_| known);
        let converter = Converter::find(&names).filter(|_| known);
        let comparator = Comparator::find(&names, pinout).filter(|_| known);
        let writer = Writer::find(&names, device.flash.page).filter(|_| known);
        if let Some(c) = &comparator {
            layout.writable[usize::from(c.control)] = c.writable();
        }
        let mut registers = vec![if known { Reg::None } else { Reg::Plain }; io + 1];
        // What several units have bits in, then who has a register alone.
        let mut owners = vec![0u8; io + 1];
        for placed in device.registers().iter().filter(|_| known) {
            let size = placed.register.size.max(1);
            for address in placed.address..placed.address + size {
                if let Some(r) = registers.get_mut(address as usize) {
                    *r = if placed.register.fields.is_empty() {
                        Reg::Plain
                    } else {
                        Reg::Shared
                    };
                    owners[address as usize] = owners[address as usize].saturating_add(1);
                }
            }
        }
        let mut own = |addresses: &[u16], reg: Reg| {
            for &address in addresses {
                if let Some(r) = registers.get_mut(usize::from(address)) {
                    *r = reg;
                }
            }
        };
        for (i, timer) in timers.iter().enumerate() {
            let mine: Vec<u16> = timer
                .addresses()
                .into_iter()
                .filter(|&a| owners.get(usize::from(a)).is_some_and(|&n| n == 1))
                .collect();
            own(&mine, Reg::Timer(i as u8));
        }
        for (i, usart) in usarts.iter().enumerate() {
            own(&usart.addresses(), Reg::Usart(i as u8));
        }
        if let Some(eeprom) = &eeprom {
            own(&eeprom.addresses(), Reg::Eeprom);
        }
        if let Some(watchdog) = &watchdog {
            own(&[watchdog.control], Reg::Watchdog);
        }
        if let Some(usi) = &usi {
            own(&usi.addresses(), Reg::Usi);
        }
        if let Some(spi) = &spi {
            own(&spi.addresses(), Reg::Spi);
        }
        if let Some(converter) = &converter {
            own(&converter.addresses(), Reg::Converter);
        }
        if let Some(comparator) = &comparator {
            own(&[comparator.control], Reg::Comparator);
        }
        if let Some(writer) = &writer {
            own(&[writer.control], Reg::Flash);
        }
        for port in 0..PORTS as u8 {
            let letter = char::from(b'A' + port);
            let value = device.register(&format!("PORT{letter}")).filter(|_| known);
            let address = |name: &str| names.address(&[&format!("{name}{letter}")]);
            let Some(placed) = value else { continue };
            let mask = match placed.register.mask as u8 {
                0 => 0xff,
                mask => mask,
            };
            bus.lines.set_pins(port, mask);
            own(&[address("PORT")], Reg::Port(port));
            own(&[address("DDR")], Reg::Direction(port));
            own(&[address("PIN")], Reg::Pin(port));
        }
        for (address, reg) in ports::registers(device).into_iter().filter(|_| !known) {
            if let Reg::Port(port) = reg {
                bus.lines.set_pins(port, 0xff);
                *bus.lines.own_pull_ups(port) = Some(0);
            }
            own(&[address], reg);
        }
        let prescale_change = names.address(&["CLKPR"]);
        own(&[prescale_change], Reg::ClockPrescale);
        bus.layout = Arc::new(layout);
        // ATmega162 has a prescaler for the clock, but the ports of the older ones.
        let modern = prescale_change != NOWHERE && device.name != "ATmega162"
            || device.core == crate::devices::Core::AvrXt;
        let boot = device.flash.boot.iter().max().copied().unwrap_or(0);
        let mut all = Self {
            registers: Arc::new(registers),
            modern,
            timers,
            usarts,
            eeprom,
            usi,
            spi,
            converter,
            comparator,
            writer,
            external: External::find(&names, pinout, hidden.external),
            watchdog,
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
