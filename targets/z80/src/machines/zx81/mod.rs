//! The Sinclair ZX81.
//!
//! [`memory`] has the addresses and limits, [`program`] writes the `.P` file in
//! its layouts, [`containers`] lists the formats. [`ula`] is the hardware around
//! the CPU, [`simulation`] runs both.

pub mod chars;
pub mod check;
pub mod containers;
pub mod deck;
pub mod frame;
pub mod keyboard;
pub mod library;
pub mod memory;
pub mod program;
pub mod screen;
pub mod settings;
pub mod simulation;
pub mod tape;
pub mod ula;
pub mod wav;

use scrimp_isa::machine::{Media, Region, Starter};
use scrimp_isa::{Container, Machine, Simulation};

/// A ZX81 with `RAM` K.
#[derive(Clone, Copy, Debug, Default)]
pub struct Zx81<const RAM: u16>;

/// The unexpanded machine.
pub static ZX81_1K: Zx81<1> = Zx81;
/// The American TS1000.
pub static ZX81_2K: Zx81<2> = Zx81;
/// The machine with the 16K RAM pack.
pub static ZX81_16K: Zx81<16> = Zx81;

impl<const RAM: u16> Zx81<RAM> {
    /// What a `.p` may hold, by the layout that takes most.
    const REGIONS: [Region; 1] = [Region {
        name: "program",
        start: memory::VERSN as u64,
        size: memory::largest(RAM, memory::Argument::Inside) as u64,
    }];
    /// The TS1000 was made for America.
    const SIXTY: bool = RAM == 2;
    const CONTAINERS: [Container; 3] = containers::all::<RAM>();
}

impl<const RAM: u16> Machine for Zx81<RAM> {
    fn options(&self) -> &'static [&'static str] {
        &[
            "layout", "start", "mode", "usr", "dfile", "vars", "ram", "stack", "name", "gain",
            "invert",
        ]
    }
    fn features(&self) -> u32 {
        !crate::table::Z80N
    }

    fn name(&self) -> &'static str {
        match RAM {
            1 => "zx81-1k",
            2 => "zx81-2k",
            _ => "zx81-16k",
        }
    }

    fn title(&self) -> &'static str {
        match RAM {
            1 => "Sinclair ZX81 with 1K",
            2 => "Timex TS1000: a ZX81 with 2K, 60 Hz",
            _ => "Sinclair ZX81 with 16K",
        }
    }

    fn clock(&self) -> u64 {
        3_250_000
    }

    /// The display and the system variables have IX, IY, A', F', I and R.
    fn reserved(&self) -> &'static [&'static str] {
        &["ixh", "ixl", "iyh", "iyl", "a'", "f'", "i", "r"]
    }
    fn regions(&self) -> &'static [Region] {
        &Self::REGIONS
    }

    fn containers(&self) -> &'static [Container] {
        &Self::CONTAINERS
    }

    fn library(&self) -> &'static [(&'static str, &'static str)] {
        library::FILES
    }

    fn starter(&self) -> Option<Starter> {
        Some(Starter {
            source: include_str!("starter.asm").into(),
            board: String::new(),
            budget: 40,
        })
    }

    fn character(&self, map: &str, c: char) -> Option<u8> {
        chars::encode(map, c)
    }

    fn charmaps(&self) -> &'static [&'static str] {
        chars::MAPS
    }

    fn start(&self, media: &Media, firmware: &[u8]) -> Result<Box<dyn Simulation>, String> {
        let machine = simulation::Zx81Simulation::start(media, firmware, RAM, Self::SIXTY)?;
        Ok(Box::new(machine))
    }

    fn firmware(&self) -> Option<&'static str> {
        Some("zx81-firmware")
    }

    /// 8 KiB that first turn the NMI generator off: `out ($fd), a`.
    fn is_own_rom(&self, bytes: &[u8]) -> bool {
        bytes.len() == 0x2000 && bytes.starts_with(&[0xd3, 0xfd])
    }
}
