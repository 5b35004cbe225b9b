//! File writers over an image. Each is a pure function to bytes: no clock, host
//! or path of the machine enters a file.

pub mod bin;
mod context;
pub mod elf;
pub mod fuses;
pub mod hex;
pub mod json;
pub mod lst;
pub mod map;
pub mod sld;
pub mod srec;
pub mod sym;
mod view;

pub use context::Context;
pub use view::View;

use context::plain;

use scrimp_isa::container::{Contained, ContainerError};

/// A file format that needs no machine.
#[derive(Clone, Copy)]
pub struct Writer {
    /// Name for `--emit`, and file extension.
    pub name: &'static str,
    /// One line about it.
    pub about: &'static str,
    /// The writer.
    pub write: fn(&Context<'_>) -> Result<Contained, ContainerError>,
}

impl Writer {
    /// The file alone; nothing where the format cannot hold the program.
    pub fn bytes(&self, c: &Context<'_>) -> Vec<u8> {
        (self.write)(c).map_or(Vec::new(), |made| made.bytes)
    }
}

/// All formats that need no machine.
pub const WRITERS: &[Writer] = &[
    Writer {
        name: "bin",
        about: "raw binary of the first address space",
        write: bin::write,
    },
    Writer {
        name: "hex",
        about: "Intel HEX of the first address space",
        write: hex::write,
    },
    Writer {
        name: "eep",
        about: "Intel HEX of the EEPROM",
        write: hex::eeprom,
    },
    Writer {
        name: "mhex",
        about: "Intel HEX of all address spaces in one file",
        write: |c| plain(hex::all(c)),
    },
    Writer {
        name: "fuses",
        about: "fuses that the source sets, as options for the programmer",
        write: fuses::write,
    },
    Writer {
        name: "srec",
        about: "Motorola S records of the first address space",
        write: srec::write,
    },
    Writer {
        name: "elf",
        about: "ELF with symbols and DWARF line data",
        write: elf::write,
    },
    Writer {
        name: "lst",
        about: "listing: address, bytes, cycles, source",
        write: |c| plain(lst::write(c)),
    },
    Writer {
        name: "map",
        about: "memory map: regions, sections, symbols, gaps",
        write: |c| plain(map::write(c)),
    },
    Writer {
        name: "sym",
        about: "symbols, value first, as EightyOne and others load them",
        write: |c| plain(sym::write(c)),
    },
    Writer {
        name: "sld",
        about: "source level debugging data for DeZog",
        write: |c| plain(sld::write(c)),
    },
    Writer {
        name: "json",
        about: "origin of each byte, for other tools",
        write: |c| plain(json::write(c)),
    },
];

/// A writer by name.
pub fn by_name(name: &str) -> Option<&'static Writer> {
    WRITERS.iter().find(|w| w.name == name)
}

#[cfg(test)]
pub(crate) mod example;
#[cfg(test)]
mod tests;
