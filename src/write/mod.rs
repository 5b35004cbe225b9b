//! File writers over an image. Each is a pure function to bytes: no clock, host
//! or path of the machine enters a file.

pub mod bin;
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

pub use view::View;

use crate::image::Image;
use crate::text::source::Sources;
use scrimp_isa::container::{Contained, ContainerError};
use scrimp_isa::{Cycles, Machine, Target};

/// What a writer sees of a build.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    /// The program's name, without folder and extension.
    pub name: &'a str,
    /// The assembled program.
    pub image: &'a Image,
    /// The texts it came from.
    pub sources: &'a Sources,
    /// The instruction set.
    pub target: &'a dyn Target,
    /// The machine it is for.
    pub machine: Option<&'a dyn Machine>,
    /// Its clock in Hz, where the program says what hangs on it.
    pub clock: Option<u64>,
}

impl Context<'_> {
    /// Time of a row of the target's table, on the machine if there is one.
    pub fn cycles(&self, form: u32) -> Option<Cycles> {
        let row = self.target.forms().get(form as usize)?;
        let own = self.machine.and_then(|m| m.cycles(form as u16));
        Some(own.unwrap_or(row.cycles))
    }
}

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

/// For a format that can hold every program.
fn plain(bytes: Vec<u8>) -> Result<Contained, ContainerError> {
    Ok(Contained {
        bytes,
        ..Contained::default()
    })
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

/// Digits of an address: 4 for up to 64K, more where needed.
pub(crate) fn address_digits(image: &Image) -> usize {
    let last = image
        .chunks
        .iter()
        .map(|c| (c.address.max(c.load) + c.bytes.len() as u64).saturating_sub(1))
        .map(|last| image.local(last))
        .max()
        .unwrap_or(0);
    (16 - last.leading_zeros() as usize / 4).max(4)
}

#[cfg(test)]
pub(crate) mod example;
#[cfg(test)]
mod tests;
