//! The `[board]` table of a `program.toml`; `docs/manual/boards.md` describes it.

use std::collections::BTreeMap;
use std::ops::Range;

use scrimp_isa::machine::Fault;
use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use toml::Spanned;

use super::describe::{Board, PartOf};
use crate::devices::{Device, Placed};
use crate::parts::{Button, Controller, Keypad, Leds};
use crate::peripherals::lines::Pin;
use crate::peripherals::{Pinout, usart_pins};

/// The file, of which only this table is of interest.
#[derive(Deserialize)]
struct File {
    board: Option<BoardTable>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table")]
struct BoardTable {
    clock: Option<Spanned<u64>>,
    terminal: Option<Spanned<TerminalTable>>,
    keypad: Option<Spanned<KeypadTable>>,
    leds: Option<OneOrMore<LedsTable>>,
    #[serde(default)]
    buttons: BTreeMap<String, ButtonTable>,
    buzzer: Option<Spanned<String>>,
    display: Option<Spanned<DisplayTable>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table")]
struct DisplayTable {
    kind: Kind,
    sda: Spanned<String>,
    scl: Spanned<String>,
    address: Option<Spanned<u8>>,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Kind {
    Sh1106,
    Ssd1306,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table")]
struct TerminalTable {
    usart: Option<Spanned<u8>>,
    from: Option<Spanned<String>>,
    to: Option<Spanned<String>>,
    baud: Option<Spanned<u64>>,
    #[serde(default)]
    pause: f64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table")]
struct KeypadTable {
    port: Option<Spanned<String>>,
    rows: Option<Vec<Spanned<String>>>,
    columns: Option<Vec<Spanned<String>>>,
    keys: Option<Vec<String>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table")]
struct LedsTable {
    port: Option<Spanned<String>>,
    pins: Option<Vec<Spanned<String>>>,
    active: Option<Active>,
}

#[derive(Clone, Copy, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
enum Active {
    Low,
    High,
}

/// A button's pin alone, or with more about it.
struct ButtonTable {
    pin: Spanned<String>,
    active: Active,
    resistor: bool,
}

/// A table, or a list of them.
struct OneOrMore<T>(Vec<T>);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for OneOrMore<T> {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        struct V<T>(std::marker::PhantomData<T>);
        impl<'de, T: Deserialize<'de>> Visitor<'de> for V<T> {
            type Value = OneOrMore<T>;
            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("a table or a list of tables")
            }
            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
                T::deserialize(MapAccessDeserializer::new(map)).map(|t| OneOrMore(vec![t]))
            }
            fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<Self::Value, A::Error> {
                Vec::deserialize(SeqAccessDeserializer::new(seq)).map(OneOrMore)
            }
        }
        d.deserialize_any(V(std::marker::PhantomData))
    }
}

/// `"B0"` or `{ pin = "B0", ... }`.
impl<'de> Deserialize<'de> for ButtonTable {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Table {
            pin: String,
            active: Option<Active>,
            #[serde(default)]
            resistor: bool,
        }
        #[derive(Deserialize)]
        #[serde(untagged, expecting = "expected a pin like `B0` or a table")]
        enum Either {
            Pin(String),
            Table(toml::Table),
        }
        let whole = Spanned::<Either>::deserialize(d)?;
        let span = whole.span();
        match whole.into_inner() {
            Either::Pin(pin) => Ok(Self {
                pin: Spanned::new(span, pin),
                active: Active::Low,
                resistor: false,
            }),
            Either::Table(table) => {
                let table: Table = table.try_into().map_err(serde::de::Error::custom)?;
                Ok(Self {
                    pin: Spanned::new(span, table.pin),
                    active: table.active.unwrap_or(Active::Low),
                    resistor: table.resistor,
                })
            }
        }
    }
}

fn fault<T>(span: Range<usize>, message: String) -> Result<T, Fault> {
    Err(Fault {
        span: Some(span),
        message,
    })
}

/// A device whose pins and ports are asked for by name.
struct Chip {
    device: &'static Device,
    pinout: Pinout,
}

impl Chip {
    fn port(&self, name: &Spanned<String>) -> Result<u8, Fault> {
        let letter = name.get_ref().trim_start_matches("PORT");
        let found = Pin::named(&format!("{letter}0")).filter(|_| letter.len() == 1);
        if let Some(pin) = found
            && self.output(char::from(b'A' + pin.port)).is_some()
        {
            return Ok(pin.port);
        }
        let all: Vec<String> = ('A'..='L')
            .filter(|&letter| self.output(letter).is_some())
            .map(String::from)
            .collect();
        fault(
            name.span(),
            format!(
                "{} has no port {}; it has {}",
                self.device.name,
                name.get_ref(),
                all.join(", ")
            ),
        )
    }

    /// The register with what a port puts out. Where ports are modules, nothing says how
    /// many pins of it a package has.
    fn output(&self, letter: char) -> Option<Placed<'_>> {
        let name = match self.device.modular() {
            true => format!("PORT{letter}_OUT"),
            false => format!("PORT{letter}"),
        };
        self.device.register(&name)
    }

    fn has(&self, pin: Pin) -> bool {
        self.output(char::from(b'A' + pin.port)).is_some_and(|p| {
            let mask = p.register.mask;
            mask == 0 || mask >> pin.bit & 1 == 1
        })
    }

    fn pin(&self, name: &Spanned<String>) -> Result<Pin, Fault> {
        // A function of the pin, such as OC1A, will do as well.
        let by_name = Pin::named(name.get_ref()).or_else(|| self.pinout.pin(name.get_ref()));
        match by_name.filter(|p| self.has(*p)) {
            Some(pin) => Ok(pin),
            None => fault(
                name.span(),
                format!(
                    "{} has no pin {}; a pin is a port's letter and a number, such as B0",
                    self.device.name,
                    name.get_ref()
                ),
            ),
        }
    }

    fn pins(&self, names: &[Spanned<String>]) -> Result<Vec<Pin>, Fault> {
        names.iter().map(|n| self.pin(n)).collect()
    }

    fn terminal(&self, table: &Spanned<TerminalTable>) -> Result<PartOf, Fault> {
        let (t, span) = (table.get_ref(), table.span());
        if !(0.0..=10_000.0).contains(&t.pause) {
            return fault(span, "a pause is 0 to 10000 milliseconds".into());
        }
        let pause = (t.pause * 1000.0) as u64;
        if let Some(baud) = &t.baud
            && !(50..=4_000_000).contains(baud.get_ref())
        {
            return fault(baud.span(), "a rate is 50 to 4000000 baud".into());
        }
        let baud = t.baud.as_ref().map(|b| *b.get_ref());
        if t.from.is_some() || t.to.is_some() {
            if t.usart.is_some() {
                return fault(span, "a terminal has a USART or pins, not both".into());
            }
            let Some(baud) = baud else {
                return fault(
                    span,
                    "a terminal at pins needs its rate: baud = 9600".into(),
                );
            };
            let pin =
                |name: &Option<Spanned<String>>| name.as_ref().map(|n| self.pin(n)).transpose();
            return Ok(PartOf::SoftTerminal {
                from: pin(&t.from)?,
                to: pin(&t.to)?,
                baud,
                pause,
            });
        }
        let usart = t.usart.as_ref().map_or(0, |u| *u.get_ref());
        if usart_pins(self.device, usart).0.is_none() {
            let span = t.usart.as_ref().map_or(span, Spanned::span);
            return fault(
                span,
                format!(
                    "{} has no USART {usart}; a terminal at other pins is from = \"B0\", to = \"B1\"",
                    self.device.name
                ),
            );
        }
        Ok(PartOf::Terminal { usart, baud, pause })
    }

    fn keypad(&self, table: &Spanned<KeypadTable>) -> Result<PartOf, Fault> {
        let (k, span) = (table.get_ref(), table.span());
        let (mut rows, mut columns) = match (&k.port, &k.rows, &k.columns) {
            (Some(port), None, None) => {
                let port = self.port(port)?;
                let bits = |from| (from..from + 4).map(|bit| Pin { port, bit }).collect();
                (bits(0), bits(4))
            }
            (None, Some(_), Some(_)) => (Vec::new(), Vec::new()),
            _ => {
                return fault(
                    span,
                    "a keypad has either a port or rows and columns".into(),
                );
            }
        };
        if let (Some(r), Some(c)) = (&k.rows, &k.columns) {
            (rows, columns) = (self.pins(r)?, self.pins(c)?);
        }
        let labels: Vec<String> = match &k.keys {
            Some(lines) => lines
                .iter()
                .flat_map(|l| l.chars().map(String::from))
                .collect(),
            None => crate::parts::LABELS.map(str::to_owned).to_vec(),
        };
        match Keypad::new(rows, columns, labels) {
            Ok(keypad) => Ok(PartOf::Keypad(keypad)),
            Err(message) => fault(span, message),
        }
    }

    fn display(&self, table: &DisplayTable) -> Result<PartOf, Fault> {
        let address = table.address.as_ref().map_or(0x3c, |a| *a.get_ref());
        if let Some(a) = &table.address
            && address > 0x7f
        {
            return fault(a.span(), "an address on the bus has 7 bits".into());
        }
        Ok(PartOf::Display {
            kind: match table.kind {
                Kind::Sh1106 => Controller::Sh1106,
                Kind::Ssd1306 => Controller::Ssd1306,
            },
            sda: self.pin(&table.sda)?,
            scl: self.pin(&table.scl)?,
            address,
        })
    }

    fn leds(&self, table: &LedsTable) -> Result<PartOf, Fault> {
        let low = table.active == Some(Active::Low);
        let pins = match (&table.port, &table.pins) {
            (Some(port), None) => {
                let port = self.port(port)?;
                let all = (0..8).map(|bit| Pin { port, bit });
                all.filter(|pin| self.has(*pin)).collect()
            }
            (None, Some(pins)) => self.pins(pins)?,
            (port, _) => {
                return Err(Fault {
                    span: port.as_ref().map(Spanned::span),
                    message: "LEDs have either a port or pins".into(),
                });
            }
        };
        Ok(PartOf::Leds(Leds::new(pins, low)))
    }
}

impl Board {
    /// Reads the `[board]` table of a `program.toml`; without one it is the usual board.
    ///
    /// # Errors
    /// What is wrong and where in the text.
    pub fn read(text: &str, device: &'static Device) -> Result<Self, Fault> {
        let file: File = toml::from_str(text).map_err(|e| Fault {
            span: e.span(),
            message: e.message().to_owned(),
        })?;
        let Some(table) = file.board else {
            return Ok(Self::default());
        };
        let chip = Chip {
            device,
            pinout: Pinout::of(device.name),
        };
        if let Some(clock) = &table.clock
            && !(1..=1_000_000_000).contains(clock.get_ref())
        {
            return fault(clock.span(), "a clock is 1 to 1000000000 Hz".into());
        }
        let mut parts = Vec::new();
        if let Some(t) = &table.terminal {
            parts.push(chip.terminal(t)?);
        }
        if let Some(k) = &table.keypad {
            parts.push(chip.keypad(k)?);
        }
        for leds in table.leds.iter().flat_map(|l| &l.0) {
            parts.push(chip.leds(leds)?);
        }
        for (name, b) in &table.buttons {
            let button = Button::new(name, chip.pin(&b.pin)?, b.active == Active::High);
            parts.push(PartOf::Button(match b.resistor {
                true => button.with_resistor(),
                false => button,
            }));
        }
        if let Some(pin) = &table.buzzer {
            parts.push(PartOf::Buzzer(chip.pin(pin)?));
        }
        if let Some(display) = &table.display {
            parts.push(chip.display(display.get_ref())?);
        }
        Ok(Self {
            clock: table.clock.map(Spanned::into_inner),
            parts: (!parts.is_empty()).then_some(parts),
        })
    }
}
