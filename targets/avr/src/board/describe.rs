//! What hangs on a board, as data.

use super::AvrSimulation;
use crate::devices::Device;
use crate::parts::{Button, Buzzer, Controller, Display, Keypad, Leds, Part, Terminal};
use crate::peripherals::lines::Pin;
use crate::peripherals::usart_pins;

/// A board.
#[derive(Clone, Debug, Default)]
pub struct Board {
    /// Clock in Hz.
    pub clock: Option<u64>,
    /// The parts; nothing said is a terminal at the first USART.
    pub parts: Option<Vec<PartOf>>,
}

/// A part of a board.
#[derive(Clone, Debug)]
#[expect(missing_docs, reason = "the fields say it")]
pub enum PartOf {
    /// A terminal at a USART; without rate it follows that of the USART.
    Terminal {
        usart: u8,
        baud: Option<u64>,
        pause: u64,
    },
    /// A terminal at pins: the chip sends on one and listens to the other.
    SoftTerminal {
        from: Option<Pin>,
        to: Option<Pin>,
        baud: u64,
        pause: u64,
    },
    Keypad(Keypad),
    Leds(Leds),
    Button(Button),
    Buzzer(Pin),
    Display {
        kind: Controller,
        sda: Pin,
        scl: Pin,
        address: u8,
    },
}

impl Board {
    /// Builds it, with a clock of so many hertz where it says none.
    ///
    /// # Errors
    /// The device has no such USART or pin.
    pub fn build(&self, device: &'static Device, hertz: u64) -> Result<AvrSimulation, String> {
        let mut simulation = AvrSimulation::of(device, self.clock.unwrap_or(hertz));
        let mut numbers = (0..8).filter(|&n| usart_pins(device, n).0.is_some());
        let usual = [PartOf::Terminal {
            usart: numbers.next().unwrap_or(0),
            baud: None,
            pause: 0,
        }];
        for part in self.parts.as_deref().unwrap_or(&usual) {
            let part = match part {
                PartOf::Terminal { usart, baud, pause } => {
                    let (from, to) = usart_pins(device, *usart);
                    if from.is_none() {
                        if self.parts.is_none() {
                            continue;
                        }
                        return Err(format!("{} has no USART {usart}", device.name));
                    }
                    let terminal = Terminal::new(from, to, baud.unwrap_or(9600)).with_pause(*pause);
                    Part::Terminal(match baud {
                        Some(_) => terminal,
                        // Without a description it is at whatever the program uses.
                        None if self.parts.is_none() => terminal.following_first(),
                        None => terminal.following(),
                    })
                }
                PartOf::SoftTerminal {
                    from,
                    to,
                    baud,
                    pause,
                } => Part::Terminal(Terminal::new(*from, *to, *baud).with_pause(*pause)),
                PartOf::Keypad(k) => Part::Keypad(k.clone()),
                PartOf::Leds(l) => Part::Leds(l.clone()),
                PartOf::Button(b) => Part::Button(b.clone()),
                PartOf::Buzzer(pin) => Part::Buzzer(Buzzer::new(*pin)),
                PartOf::Display {
                    kind,
                    sda,
                    scl,
                    address,
                } => Part::Display(Display::new(*kind, *sda, *scl, *address)),
            };
            for pin in part.pins() {
                if !simulation.peripherals().lines().has(pin) {
                    return Err(format!("{} has no pin {pin}", device.name));
                }
            }
            simulation.attach(part);
        }
        Ok(simulation)
    }
}
