//! An image to be written, without an assembler.

use std::collections::BTreeMap;

use scrimp_isa::container::{Contained, ContainerError};
use scrimp_isa::{ImageView, Machine};
use scrimp_z80::machines::MACHINES;

/// Pieces, symbols and options by hand.
#[derive(Clone, Debug, Default)]
pub struct Program {
    pub pieces: Vec<(u64, Vec<u8>)>,
    pub symbols: BTreeMap<&'static str, i64>,
    pub options: BTreeMap<&'static str, String>,
}

impl Program {
    pub fn at(address: u64, bytes: &[u8]) -> Program {
        Program::default().and(address, bytes)
    }

    pub fn and(mut self, address: u64, bytes: &[u8]) -> Program {
        self.pieces.push((address, bytes.to_vec()));
        self
    }

    pub fn symbol(mut self, name: &'static str, value: i64) -> Program {
        self.symbols.insert(name, value);
        self
    }

    pub fn option(mut self, name: &'static str, value: &str) -> Program {
        self.options.insert(name, value.into());
        self
    }

    /// Writes it for `zx81-1k`.
    pub fn write(&self, container: &str) -> Result<Contained, ContainerError> {
        self.write_for("zx81-1k", container)
    }

    pub fn write_for(&self, name: &str, container: &str) -> Result<Contained, ContainerError> {
        let container = *machine(name)
            .containers()
            .iter()
            .find(|c| c.name == container)
            .expect("the container");
        let written = (container.write)(self);
        if let Ok(contained) = &written {
            let added: usize = contained.added.iter().map(|a| a.1).sum();
            assert_eq!(contained.bytes.len(), contained.image_bytes + added);
        }
        written
    }

    /// The message of the error that it must give.
    pub fn message(&self) -> String {
        match self.write("p") {
            Err(e) => match e.address {
                Some(address) => format!("{} @${address:04X}", e.message),
                None => e.message,
            },
            Ok(file) => panic!("wrote {} bytes", file.bytes.len()),
        }
    }
}

impl ImageView for Program {
    fn pieces(&self) -> Vec<(u64, &[u8])> {
        self.pieces.iter().map(|(a, b)| (*a, &b[..])).collect()
    }

    fn symbol(&self, name: &str) -> Option<i64> {
        self.symbols.get(name).copied()
    }

    fn option(&self, name: &str) -> Option<&str> {
        self.options.get(name).map(String::as_str)
    }

    fn name(&self) -> &str {
        "hello"
    }
}

pub fn machine(name: &str) -> &'static dyn Machine {
    *MACHINES
        .iter()
        .find(|m| m.name() == name)
        .expect("the machine")
}

/// Bytes with addresses, 16 a row.
pub fn dump(start: usize, bytes: &[u8]) -> String {
    bytes
        .chunks(16)
        .enumerate()
        .map(|(i, row)| {
            let hex: Vec<_> = row.iter().map(|b| format!("{b:02X}")).collect();
            format!("{:04X}  {}\n", start + 16 * i, hex.join(" "))
        })
        .collect()
}

/// Puts `OK` at the top of the screen and stops; runs anywhere. Needs room for
/// two characters in the first line.
pub const OK: &[u8] = &[
    0x2A, 0x0C, 0x40, // ld hl,(D_FILE)
    0x23, 0x36, 0x34, // inc hl; ld (hl),'O'
    0x23, 0x36, 0x30, // inc hl; ld (hl),'K'
    0x18, 0xFE, // jr $
];

/// A display file whose first line has two characters.
pub fn display() -> Vec<u8> {
    let mut file = vec![0x76, 0, 0];
    file.extend([0x76; 24]);
    file
}
