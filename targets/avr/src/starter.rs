//! The program that a beginner starts with: a blinking LED.

use scrimp_isa::machine::Starter;

use crate::board::Board;
use crate::devices::Device;

/// Where an LED and a crystal are on boards that many have: part, port, bit, Hz.
const BOARDS: &[(&str, char, u8, u32)] = &[
    ("ATmega328", 'B', 5, 16_000_000),
    ("ATmega168", 'B', 5, 16_000_000),
    ("ATmega2560", 'B', 7, 16_000_000),
    ("ATmega32U4", 'C', 7, 16_000_000),
];

/// Hz of any other part.
const CLOCK: u32 = 8_000_000;

/// The same of parts with ports that IN and OUT do not reach: boards with an LED, then
/// families whose smallest part has that pin. Their clock is that after a reset.
const MODULES: &[(&str, char, u8, u32)] = &[
    ("ATmega4809", 'F', 5, 20_000_000 / 6),
    ("AVR128DB48", 'B', 3, 4_000_000),
    ("AVR", 'A', 3, 4_000_000),
    ("ATxmega", 'C', 0, 2_000_000),
    ("AT", 'A', 3, 20_000_000 / 6),
];

/// A blinking LED; nothing for a device without a port that can have one.
pub fn blink(device: &'static Device) -> Option<Starter> {
    if device.modular() {
        let row = MODULES.iter().find(|b| device.name.starts_with(b.0))?;
        for register in ["DIRSET", "OUTTGL"] {
            device.register(&format!("PORT{}_{register}", row.1))?;
        }
        return at_pin(
            device,
            include_str!("starter-ports.asm"),
            row.1,
            row.2,
            row.3,
        );
    }
    let board = BOARDS.iter().find(|b| device.name.starts_with(b.0));
    let wanted = board.map(|b| (b.1, b.2));
    let clock = board.map_or(CLOCK, |b| b.3);
    let any = ('A'..='L').flat_map(|port| (0..8).map(move |bit| (port, bit)));
    // Port B first: most parts have it.
    let (of_b, others): (Vec<_>, Vec<_>) = any.partition(|p| p.0 == 'B');
    let mut pins = wanted.into_iter().chain(of_b).chain(others);
    pins.find_map(|(port, bit)| {
        for register in ["DDR", "PORT"] {
            let found = device.register(&format!("{register}{port}"))?;
            device.io_address(found.address)?;
        }
        at_pin(device, include_str!("starter.asm"), port, bit, clock)
    })
}

/// The program for an LED at a pin, if the device has it.
fn at_pin(
    device: &'static Device,
    source: &str,
    port: char,
    bit: u8,
    clock: u32,
) -> Option<Starter> {
    let board = format!("clock = {clock}\nleds = {{ pins = [\"{port}{bit}\"] }}\n");
    let read = Board::read(&format!("[board]\n{board}"), device).ok()?;
    read.build(device, clock.into()).ok()?;
    let source = source
        .replace("@clock", &clock.to_string())
        .replace("@port", &port.to_string())
        .replace("@bit", &bit.to_string());
    Some(Starter {
        source,
        board,
        budget: 64,
    })
}
