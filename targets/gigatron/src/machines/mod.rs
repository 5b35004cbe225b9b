//! The Gigatron with the three sizes of RAM that are built.

pub mod containers;
mod simulation;

use scrimp_isa::container::Container;
use scrimp_isa::machine::{Media, Region, Starter};
use scrimp_isa::{Machine, Simulation};

use crate::memories::{RAM, ROM_SIZE};
use crate::sim::Memory;

pub use containers::{PADDING, Segment, leaves_page, segments, segments_anywhere};
pub use simulation::{GigatronSimulation, key_for};

/// A Gigatron with `K` kilobytes of RAM.
#[derive(Clone, Copy, Debug, Default)]
pub struct Computer<const K: u16>;

/// As the kit comes.
pub static GIGATRON_32K: Computer<32> = Computer;
/// With a larger RAM chip.
pub static GIGATRON_64K: Computer<64> = Computer;
/// With the RAM and I/O expander.
pub static GIGATRON_128K: Computer<128> = Computer;

/// All of them.
pub static MACHINES: &[&dyn Machine] = &[&GIGATRON_32K, &GIGATRON_64K, &GIGATRON_128K];

impl<const K: u16> Computer<K> {
    /// RAM that a program addresses: page 0 apart, since most operands reach nothing
    /// else.
    const REGIONS: [Region; 3] = [
        Region {
            name: "rom",
            start: 0,
            size: ROM_SIZE,
        },
        Region {
            name: "zero",
            start: RAM,
            size: 0x100,
        },
        Region {
            name: "ram",
            start: RAM + 0x100,
            size: if K == 32 { 0x7f00 } else { 0xff00 },
        },
    ];
    const MEMORY: Memory = match K {
        32 => Memory::K32,
        64 => Memory::K64,
        _ => Memory::K128,
    };
}

impl<const K: u16> Machine for Computer<K> {
    fn name(&self) -> &'static str {
        match K {
            32 => "gigatron-32k",
            64 => "gigatron-64k",
            _ => "gigatron-128k",
        }
    }

    fn options(&self) -> &'static [&'static str] {
        &["pad"]
    }
    fn title(&self) -> &'static str {
        match K {
            32 => "Gigatron TTL with 32K",
            64 => "Gigatron TTL with 64K",
            _ => "Gigatron TTL with the 128K expander",
        }
    }

    fn clock(&self) -> u64 {
        6_250_000
    }

    fn regions(&self) -> &'static [Region] {
        &Self::REGIONS
    }

    fn containers(&self) -> &'static [Container] {
        containers::ALL
    }

    fn library(&self) -> &'static [(&'static str, &'static str)] {
        &[
            ("gigatron/lookup.asm", include_str!("library/lookup.asm")),
            ("gigatron/far.asm", include_str!("library/far.asm")),
            ("gigatron/wait.asm", include_str!("library/wait.asm")),
        ]
    }

    fn starter(&self) -> Option<Starter> {
        Some(Starter {
            source: include_str!("starter.asm").into(),
            board: String::new(),
            budget: 400,
        })
    }

    fn start(&self, media: &Media, _: &[u8]) -> Result<Box<dyn Simulation>, String> {
        Ok(Box::new(GigatronSimulation::start(media, Self::MEMORY)?))
    }
}
