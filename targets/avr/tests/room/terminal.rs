//! The terminal that a device without a board has: it is at the USART that the program
//! uses, with its settings.

use scrimp_avr::board::{AvrSimulation, Board};
use scrimp_avr::devices::{self, Device, Space};
use scrimp_isa::Simulation;

/// A program of stores, and loops that wait.
struct Program {
    device: &'static Device,
    words: Vec<u16>,
}

impl Program {
    fn of(name: &str) -> Self {
        let device = devices::find(name).expect("a device");
        Self {
            device,
            words: Vec::new(),
        }
    }

    fn address(&self, name: &str) -> u16 {
        let all = self.device.registers_in(Space::Data);
        let found = all.iter().find(|p| p.name == name);
        found.unwrap_or_else(|| panic!("{name}")).address as u16
    }

    /// LDI r16 and STS.
    fn store(&mut self, name: &str, offset: u16, value: u8) {
        let value = u16::from(value);
        let ldi = 0xe000 | (value & 0xf0) << 4 | value & 0x0f;
        let at = self.address(name) + offset;
        self.words.extend([ldi, 0x9300, at]);
    }

    /// Waits until a bit of a register is 1: LDS r17, SBRS, RJMP.
    fn wait(&mut self, name: &str, bit: u16) {
        let at = self.address(name);
        self.words.extend([0x9110, at, 0xff10 | bit, 0xcffc]);
    }

    /// The board as it is without a description, after so many clocks.
    fn run(mut self, clocks: u64) -> AvrSimulation {
        self.words.push(0xcfff);
        let code: Vec<u8> = self.words.iter().flat_map(|w| w.to_le_bytes()).collect();
        let board = Board::default().build(self.device, 4_000_000);
        let mut board = board.expect("a board");
        board.load(0, &code).expect("it fits");
        board.run(clocks);
        board
    }
}

fn sent(board: &AvrSimulation) -> String {
    String::from_utf8_lossy(board.serial().expect("a terminal")).into_owned()
}

/// Prints on a USART of a newer part, with what CTRLC says; it sends on that pin.
fn newer(
    mut p: Program,
    usart: &str,
    (port, bit): (char, u8),
    (control, baud): (u8, u16),
) -> AvrSimulation {
    p.store(&format!("PORT{port}_DIR"), 0, 1 << bit);
    let name = |r: &str| format!("{usart}_{r}");
    let [low, high] = baud.to_le_bytes();
    p.store(&name("BAUD"), 0, low);
    p.store(&name("BAUD"), 1, high);
    p.store(&name("CTRLC"), 0, control);
    p.store(&name("CTRLB"), 0, 0xc0);
    for byte in *b"Hello, world" {
        p.wait(&name("STATUS"), 5);
        p.store(&name("TXDATAL"), 0, byte);
    }
    // What is typed comes back.
    p.wait(&name("STATUS"), 7);
    let [from, to] = [p.address(&name("RXDATAL")), p.address(&name("TXDATAL"))];
    p.words.extend([0x9110, from, 0x9310, to]);
    let mut board = p.run(200_000);
    assert!(board.type_serial(b"k"));
    board.run(100_000);
    board
}

#[test]
fn a_usart_is_followed_wherever_it_is() {
    for part in ["avr128db48", "atmega4809", "avr64dd32"] {
        for (usart, pin) in [("USART0", 'A'), ("USART1", 'C'), ("USART3", 'B')] {
            let p = Program::of(part);
            let all = p.device.registers_in(Space::Data);
            if !all.iter().any(|r| r.name == format!("{usart}_BAUD")) {
                continue;
            }
            // 8N1, 8E1, 7O2 at all sorts of rates, 23,040 baud among them.
            for (control, baud) in [(0x03, 1667), (0x23, 694), (0x3a, 139), (0x03, 694)] {
                let board = newer(Program::of(part), usart, (pin, 0), (control, baud));
                let what = format!("{part} {usart} {control:02x} {baud}");
                assert_eq!(sent(&board), "Hello, worldk", "{what}");
                assert_eq!(board.notes(), Vec::<String>::new(), "{what}");
            }
        }
    }
}

#[test]
fn a_route_is_followed() {
    let mut p = Program::of("avr128db48");
    // USART1 at its other pins.
    p.store("PORTMUX_USARTROUTEA", 0, 0x04);
    assert_eq!(
        sent(&newer(p, "USART1", ('C', 4), (0x03, 694))),
        "Hello, worldk"
    );
    let mut p = Program::of("attiny1614");
    p.store("PORTMUX_CTRLB", 0, 0x01);
    assert_eq!(
        sent(&newer(p, "USART0", ('A', 1), (0x33, 694))),
        "Hello, worldk"
    );
}

#[test]
fn a_classic_usart_is_followed() {
    for (part, usart) in [("atmega328p", 0), ("atmega2560", 2), ("atmega32u4", 1)] {
        for control in [0x06, 0x26, 0x3c] {
            let mut p = Program::of(part);
            let name = |r: &str| format!("{r}{usart}");
            p.store(&name("UBRR"), 0, 25);
            p.store(&format!("UCSR{usart}C"), 0, control);
            p.store(&format!("UCSR{usart}B"), 0, 0x18);
            for byte in *b"Hello" {
                p.wait(&format!("UCSR{usart}A"), 5);
                p.store(&name("UDR"), 0, byte);
            }
            let board = p.run(100_000);
            assert_eq!(sent(&board), "Hello", "{part} {control:02x}");
        }
    }
}
