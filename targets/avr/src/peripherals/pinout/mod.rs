//! The functions that a device's pins have beside those of its ports.

mod table;

use super::lines::Pin;

/// The pins of a device by function.
#[derive(Clone, Copy, Debug)]
pub struct Pinout(&'static str);

impl Pinout {
    /// Those of a device; none of one that is not in the table.
    #[must_use]
    pub fn of(device: &str) -> Self {
        let name = device.strip_prefix("AT").unwrap_or(device);
        // A longer name is another device: mega8 and mega8515, mega16 and mega16U4.
        let fits = |start: &str| {
            let rest = name.strip_prefix(start);
            rest.is_some_and(|r| matches!(r, "" | "A" | "P" | "PA" | "PB" | "L" | "V"))
        };
        let row = table::PINOUTS
            .iter()
            .find(|(names, _)| names.iter().any(|n| fits(n)));
        Self(row.map_or("", |r| r.1))
    }

    /// The pin with a function such as `OC1A`.
    #[must_use]
    pub fn pin(self, function: &str) -> Option<Pin> {
        self.entries()
            .find(|(name, _)| *name == function)
            .and_then(|(_, place)| Pin::named(place))
    }

    /// All functions that stand for one pin.
    pub fn functions(self) -> impl Iterator<Item = (&'static str, Pin)> {
        self.entries()
            .filter_map(|(name, place)| Some((name, Pin::named(place)?)))
    }

    /// Pin changes: number and pin.
    pub(super) fn changes(self) -> Vec<(u8, Pin)> {
        let mut out = Vec::new();
        for (name, place) in self.entries() {
            if let Some(first) = name
                .strip_prefix("PCINT")
                .and_then(|n| n.parse::<u8>().ok())
                && let Some((from, to)) = place.split_once('-')
                && let (Some(pin), Ok(last)) = (Pin::named(from), to.parse::<u8>())
            {
                let bits = pin.bit..=last;
                out.extend(bits.map(|bit| (first + bit - pin.bit, Pin { bit, ..pin })));
            }
        }
        out
    }

    fn entries(self) -> impl Iterator<Item = (&'static str, &'static str)> {
        self.0.split_whitespace().filter_map(|e| e.split_once(':'))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::devices;

    #[test]
    fn devices_find_their_row() {
        let pin = |device, function| Pinout::of(device).pin(function).map(|p| p.to_string());
        let is = |s: &str| Some(s.to_owned());
        assert_eq!(pin("AT90S8515", "OC1A"), is("PD5"));
        assert_eq!(pin("ATmega8A", "OC1A"), is("PB1"));
        assert_eq!(pin("ATmega8515", "OC1B"), is("PE2"));
        assert_eq!(pin("ATmega8535", "ICP1"), is("PD6"));
        assert_eq!(pin("ATmega16", "OC2A"), is("PD7"));
        assert_eq!(pin("ATmega168P", "OC2A"), is("PB3"));
        assert_eq!(pin("ATmega328P", "OC0A"), is("PD6"));
        assert_eq!(pin("ATmega32", "INT2"), is("PB2"));
        assert_eq!(pin("ATmega644P", "OC0B"), is("PB4"));
        assert_eq!(pin("ATmega64", "OC0A"), is("PB4"));
        assert_eq!(pin("ATtiny84A", "SCL"), is("PA4"));
        assert_eq!(pin("ATmega4809", "OC0A"), None);
        assert_eq!(pin("ATtiny841", "OC0A"), None);
    }

    #[test]
    fn pins_of_the_table_are_pins() {
        for (names, text) in table::PINOUTS {
            let out = Pinout(text);
            for (name, place) in out.entries() {
                let first = place.split('-').next().unwrap_or("");
                assert!(Pin::named(first).is_some(), "{names:?}: {name}:{place}");
            }
        }
        assert_eq!(Pinout::of("ATtiny84").changes().len(), 12);
        assert_eq!(Pinout::of("ATmega2560").changes().len(), 24);
    }

    #[test]
    fn pins_of_the_table_are_pins_of_the_device() {
        let parts = "at90s8515 atmega8 atmega16 atmega328p atmega1284p atmega2560 attiny84 \
                     attiny85 attiny2313 attiny13 atmega8515 atmega162 atmega128";
        for name in parts.split_whitespace() {
            let device = devices::find(name).expect("a device");
            let functions = Pinout::of(device.name).functions();
            for (function, pin) in functions {
                let port = format!("PORT{}", char::from(b'A' + pin.port));
                let found = device.register(&port).expect("its port");
                let mask = found.register.mask;
                assert!(
                    mask == 0 || mask >> pin.bit & 1 == 1,
                    "{name} {function} {pin}"
                );
            }
        }
    }
}
