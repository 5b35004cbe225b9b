//! Gigatrons as programs for the vCPU see them, by their ROM and RAM.

use scrimp_isa::container::Container;
use scrimp_isa::machine::{Media, Region, Starter};
use scrimp_isa::{Cycles, Machine, Simulation};

use super::rom::Rom;
use super::sim::VcpuSimulation;
use super::{files, sys, table};
use crate::machines::GigatronSimulation;
use crate::sim::Memory;

/// A Gigatron with a ROM.
#[derive(Clone, Copy, Debug)]
pub struct Computer {
    /// Its name for `--machine`.
    pub name: &'static str,
    title: &'static str,
    /// What it interprets.
    pub rom: Rom,
    /// It has 64K of RAM.
    large: bool,
}

const fn computer(name: &'static str, title: &'static str, rom: Rom, large: bool) -> Computer {
    Computer {
        name,
        title,
        rom,
        large,
    }
}

/// All of them, the usual one first.
#[rustfmt::skip]
pub static COMPUTERS: [Computer; 12] = [
    computer("vcpu-v6", "vCPU of ROM v6 with 32K", Rom::V6, false),
    computer("vcpu-v1", "vCPU of ROM v1 with 32K", Rom::V1, false),
    computer("vcpu-v2", "vCPU of ROM v2 with 32K", Rom::V2, false),
    computer("vcpu-v3", "vCPU of ROM v3 with 32K", Rom::V3, false),
    computer("vcpu-v4", "vCPU of ROM v4 with 32K", Rom::V4, false),
    computer("vcpu-v5a", "vCPU of ROM v5a with 32K", Rom::V5a, false),
    computer("vcpu-dev7", "vCPU of ROM dev7 with 32K", Rom::Dev7, false),
    computer("vcpu-vx0", "vCPU of ROM vX0 with 32K", Rom::Vx0, false),
    computer("vcpu-v5a-64k", "vCPU of ROM v5a with 64K", Rom::V5a, true),
    computer("vcpu-v6-64k", "vCPU of ROM v6 with 64K", Rom::V6, true),
    computer("vcpu-dev7-64k", "vCPU of ROM dev7 with 64K", Rom::Dev7, true),
    computer("vcpu-vx0-64k", "vCPU of ROM vX0 with 64K", Rom::Vx0, true),
];

/// The same as machines.
pub static MACHINES: &[&dyn Machine] = &[
    &COMPUTERS[0],
    &COMPUTERS[1],
    &COMPUTERS[2],
    &COMPUTERS[3],
    &COMPUTERS[4],
    &COMPUTERS[5],
    &COMPUTERS[6],
    &COMPUTERS[7],
    &COMPUTERS[8],
    &COMPUTERS[9],
    &COMPUTERS[10],
    &COMPUTERS[11],
];

const fn region(name: &'static str, start: u64, end: u64) -> Region {
    Region {
        name,
        start,
        size: end - start,
    }
}

/// RAM behind the system's own comes first: code and data. In page 0 programs have what is
/// below and above the 1 at $80; from v5a on interrupts save registers in $30 to $35, and
/// dev7 has registers of its own up to $8B.
const fn regions(rom: Rom, end: u64) -> [Region; 6] {
    let (low, high) = match rom {
        Rom::V1 | Rom::V2 | Rom::V3 => (0x30, 0x81),
        Rom::V4 => (0x30, 0x82),
        Rom::Dev7 => (0x36, 0x8c),
        _ => (0x36, 0x81),
    };
    [
        region("ram", 0x200, end),
        region("zero", low, 0x80),
        region("zero2", high, 0x100),
        region("system", 0, low),
        region("one", 0x80, high),
        region("video", 0x100, 0x200),
    ]
}

/// The picture: 160 bytes of each of the pages from 8 on.
const PICTURE: [Region; 120] = {
    let mut all = [region("picture", 0, 0); 120];
    let mut i = 0;
    while i < 120 {
        let start = 0x800 + 0x100 * i as u64;
        all[i] = region("picture", start, start + 160);
        i += 1;
    }
    all
};

/// The wave forms of the sound, which the system plays from.
const RESERVED: [Region; 121] = {
    let mut all = [region("sound", 0x700, 0x800); 121];
    let mut i = 0;
    while i < 120 {
        all[i + 1] = PICTURE[i];
        i += 1;
    }
    all
};

macro_rules! regions_of {
    ($($rom:ident)*) => {
        /// Regions of the machines with 32K and with 64K.
        fn regions_of(rom: Rom, large: bool) -> &'static [Region] {
            match rom {
                $(Rom::$rom => {
                    const SMALL: [Region; 6] = regions(Rom::$rom, 0x8000);
                    const LARGE: [Region; 6] = regions(Rom::$rom, 0x1_0000);
                    if large { &LARGE } else { &SMALL }
                })*
            }
        }
    };
}
regions_of!(V1 V2 V3 V4 V5a V6 Dev7 Vx0);

impl Machine for Computer {
    fn name(&self) -> &'static str {
        self.name
    }

    fn options(&self) -> &'static [&'static str] {
        &["segments", "start"]
    }
    fn title(&self) -> &'static str {
        self.title
    }

    fn clock(&self) -> u64 {
        6_250_000
    }

    fn regions(&self) -> &'static [Region] {
        regions_of(self.rom, self.large)
    }

    fn blank(&self) -> &'static [&'static str] {
        &["zero", "zero2"]
    }

    fn occupied(&self) -> &'static [Region] {
        &RESERVED
    }

    fn containers(&self) -> &'static [Container] {
        files::ALL
    }

    fn features(&self) -> u32 {
        self.rom.features()
    }

    fn cycles(&self, form: u16) -> Option<Cycles> {
        let row = table::ROWS.get(usize::from(form))?;
        Some(row.times[self.rom.times()])
    }

    fn library(&self) -> &'static [(&'static str, &'static str)] {
        sys::library(self.rom)
    }

    fn starter(&self) -> Option<Starter> {
        Some(Starter {
            source: include_str!("starter.asm").into(),
            board: String::new(),
            budget: 200,
        })
    }

    fn start(&self, media: &Media, _: &[u8]) -> Result<Box<dyn Simulation>, String> {
        let memory = if self.large { Memory::K64 } else { Memory::K32 };
        if media.rom.is_some() {
            return Ok(Box::new(GigatronSimulation::start(media, memory)?));
        }
        Ok(Box::new(VcpuSimulation::start(media, self.rom, memory)?))
    }
}
