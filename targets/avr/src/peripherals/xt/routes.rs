//! Which pins units have: by PORTMUX, whose values are named in the device's data. The pins
//! behind a name are, for megaAVR 0 and AVR DA, DD, EA and EB, those that Microchip's headers
//! say; for the others from the data sheets' tables of functions, as far as they are known
//! here. A family is told by the registers that its PORTMUX has.

use super::regs::{Regs, field};
use crate::peripherals::bus::{Bus, NOWHERE};
use crate::peripherals::lines::Pin;

/// Pins of a unit, in its own order.
pub(super) type Pins = [Option<Pin>; 6];

/// Unit, name of the route, pins.
type Row = (&'static str, &'static str, &'static str);

/// megaAVR 0, AVR Dx and Ex. USART: TXD RXD XCK XDIR. SPI: MOSI MISO SCK SS. TWI: SDA SCL of
/// the host, then those of the client.
const BIG: &[Row] = &[
    ("USART0", "DEFAULT", "A0 A1 A2 A3"),
    ("USART0", "ALT1", "A4 A5 A6 A7"),
    ("USART0", "ALT2", "A2 A3"),
    ("USART0", "ALT3", "D4 D5 D6 D7"),
    ("USART0", "ALT4", "C1 C2 C3"),
    ("USART0", "ALT6", "F7 F6"),
    ("USART1", "DEFAULT", "C0 C1 C2 C3"),
    ("USART1", "ALT1", "C4 C5 C6 C7"),
    ("USART1", "ALT2", "D6 D7"),
    ("USART2", "DEFAULT", "F0 F1 F2 F3"),
    ("USART2", "ALT1", "F4 F5 F6"),
    ("USART3", "DEFAULT", "B0 B1 B2 B3"),
    ("USART3", "ALT1", "B4 B5"),
    ("USART4", "DEFAULT", "E0 E1 E2 E3"),
    ("USART4", "ALT1", "E4 E5 E6 E7"),
    ("USART5", "DEFAULT", "G0 G1 G2 G3"),
    ("USART5", "ALT1", "G4 G5 G6 G7"),
    ("SPI0", "DEFAULT", "A4 A5 A6 A7"),
    ("SPI0", "ALT1", "E0 E1 E2 E3"),
    ("SPI0", "ALT2", "G4 G5 G6 G7"),
    ("SPI0", "ALT3", "A0 A1 C0 C1"),
    ("SPI0", "ALT4", "D4 D5 D6 D7"),
    ("SPI0", "ALT5", "C0 C1 C2 C3"),
    ("SPI0", "ALT6", "C1 C2 C3 F7"),
    ("SPI1", "DEFAULT", "C0 C1 C2 C3"),
    ("SPI1", "ALT1", "C4 C5 C6 C7"),
    ("SPI1", "ALT2", "B4 B5 B6 B7"),
    ("TWI0", "DEFAULT", "A2 A3 C2 C3"),
    ("TWI0", "ALT1", "A2 A3 C6 C7"),
    ("TWI0", "ALT2", "C2 C3 C6 C7"),
    ("TWI0", "ALT3", "A0 A1 C2 C3"),
    ("TWI1", "DEFAULT", "F2 F3 B2 B3"),
    ("TWI1", "ALT1", "F2 F3 B6 B7"),
    ("TWI1", "ALT2", "B2 B3 B6 B7"),
    ("TCA1", "PORTA", "A4 A5 A6"),
    ("TCA1", "PORTD", "D4 D5 D6"),
    ("TCA1", "PORTB", "B0 B1 B2 B3 B4 B5"),
    ("TCA1", "PORTC", "C4 C5 C6"),
    ("TCA1", "PORTE", "E4 E5 E6"),
    ("TCA1", "PORTG", "G0 G1 G2 G3 G4 G5"),
    ("TCB0", "DEFAULT", "A2"),
    ("TCB0", "ALT1", "F4"),
    ("TCB1", "DEFAULT", "A3"),
    ("TCB1", "ALT1", "F5"),
    ("TCB2", "DEFAULT", "C0"),
    ("TCB2", "ALT1", "B4"),
    ("TCB3", "DEFAULT", "B5"),
    ("TCB3", "ALT1", "C1"),
    ("TCB4", "DEFAULT", "G3"),
    ("TCB4", "ALT1", "C6"),
];

/// megaAVR 0, where it differs from those that came after it.
const MEGA: &[Row] = &[
    ("SPI0", "ALT1", "C0 C1 C2 C3"),
    ("SPI0", "ALT2", "E0 E1 E2 E3"),
    ("TWI0", "ALT1", "A2 A3 F2 F3"),
    ("TWI0", "ALT2", "C2 C3 F2 F3"),
];

/// tinyAVR with a port B.
const TINY: &[Row] = &[
    ("USART0", "DEFAULT", "B2 B3 B1 B0"),
    ("USART0", "ALTERNATE", "A1 A2 A3 A4"),
    ("USART0", "ALT1", "A1 A2 A3 A4"),
    ("USART1", "DEFAULT", "A1 A2 A3 A4"),
    ("USART1", "ALT1", "C2 C1 C0 C3"),
    ("SPI0", "DEFAULT", "A1 A2 A3 A4"),
    ("SPI0", "ALTERNATE", "C2 C1 C0 C3"),
    ("SPI0", "ALT1", "C2 C1 C0 C3"),
    ("TWI0", "DEFAULT", "B1 B0"),
    ("TWI0", "ALTERNATE", "A1 A2"),
    ("TCA0", "DEFAULT", "B0 B1 B2 A3 A4 A5"),
    ("TCB0", "DEFAULT", "A5"),
    ("TCB0", "ALTERNATE", "C0"),
    ("TCB0", "ALT1", "C0"),
    ("TCB1", "DEFAULT", "A3"),
    ("TCB1", "ALTERNATE", "C4"),
    ("TCB1", "ALT1", "C4"),
];

/// tinyAVR of eight pins.
const TINY_EIGHT: &[Row] = &[
    ("USART0", "DEFAULT", "A6 A7 A3 A0"),
    ("USART0", "ALTERNATE", "A1 A2"),
    ("SPI0", "DEFAULT", "A1 A2 A3 A0"),
    ("SPI0", "ALTERNATE", "A6 A7 A3 A0"),
    ("TWI0", "DEFAULT", "A1 A2"),
    ("TCA0", "DEFAULT", "A3 A1 A2"),
    ("TCB0", "DEFAULT", "A6"),
];

/// Where a unit is routed to.
#[derive(Clone, Debug, Default)]
pub(super) struct Route {
    register: u16,
    mask: u8,
    options: Vec<(u8, Pins)>,
}

impl Route {
    /// Of a unit, `USART0`.
    pub fn of(regs: &Regs<'_>, unit: &str) -> Self {
        let mega = regs.has("PORTMUX_TWISPIROUTEA");
        let tiny = !mega && !regs.has("PORTMUX_TWIROUTEA");
        let tables: &[&[Row]] = match () {
            () if mega => &[MEGA, BIG],
            () if !tiny => &[BIG],
            () if regs.has("PORTB_DIR") => &[TINY],
            () => &[TINY_EIGHT],
        };
        let pins = |name: &str| {
            let rows = tables.iter().flat_map(|t| t.iter());
            let mut found = rows.filter(|r| r.0 == unit && r.1 == name);
            found.next().map(|r| parse(r.2))
        };
        let (register, mask) = place(regs, unit);
        let mut options = Vec::new();
        for (name, value) in regs.list(&format!("PORTMUX_{unit}")) {
            let found = match (unit, name.strip_prefix("PORT")) {
                ("TCA0", Some(letter)) if !tiny => Some(whole(letter)),
                _ => pins(name),
            };
            options.push((value, found.unwrap_or_default()));
        }
        if options.is_empty() {
            options.extend(pins("DEFAULT").map(|p| (0, p)));
        }
        Self {
            register,
            mask,
            options,
        }
    }

    /// The pins after a reset.
    pub fn first(&self) -> Pins {
        let found = self.options.iter().find(|o| o.0 == 0);
        found.map_or([None; 6], |o| o.1)
    }

    /// The pins now.
    pub fn pins(&self, bus: &Bus) -> Pins {
        let value = match self.register {
            NOWHERE => 0,
            at => field(bus.get(at), self.mask),
        };
        let found = self.options.iter().find(|o| o.0 == value);
        found.map_or([None; 6], |o| o.1)
    }
}

/// The register and bits of PORTMUX that a unit has.
fn place(regs: &Regs<'_>, unit: &str) -> (u16, u8) {
    for (name, at) in regs.of_instance("PORTMUX") {
        let mask = regs.mask(&format!("PORTMUX_{name}"), unit);
        if mask != 0 {
            return (at, mask);
        }
    }
    (NOWHERE, 0)
}

fn parse(text: &str) -> Pins {
    let mut out = [None; 6];
    for (pin, name) in out.iter_mut().zip(text.split(' ')) {
        *pin = Pin::named(name);
    }
    out
}

/// Pins 0 to 5 of a port.
fn whole(letter: &str) -> Pins {
    let name = |bit: usize| Pin::named(&format!("{letter}{bit}"));
    [0, 1, 2, 3, 4, 5].map(name)
}
