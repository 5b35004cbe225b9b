//! What a CPU has to know of the chip it is in.

use std::ops::Range;

use crate::Core;
use crate::devices::Device;
use crate::features;

/// What of the CPU itself stands at an address of data memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Own {
    /// The stack pointer's low byte.
    StackLow,
    /// Its high byte.
    StackHigh,
    /// The flags.
    Sreg,
    /// RAMPZ.
    Rampz,
    /// EIND.
    Eind,
}

/// The parts of a chip that the CPU itself deals with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chip {
    /// The core, which decides the clocks.
    pub core: Core,
    /// What instructions it has: bits of [`crate::features`].
    pub features: u32,
    /// Bytes of flash.
    pub flash: u32,
    /// Data addresses of the SRAM.
    pub sram: Range<u32>,
    /// Data address of RAMPZ.
    pub rampz: Option<u16>,
    /// Data address of EIND.
    pub eind: Option<u16>,
    /// Data address at which flash can be read.
    pub mapped_flash: Option<u16>,
    /// Whether the stack pointer begins at the end of SRAM, otherwise at 0.
    pub stack_at_end: bool,
}

impl Chip {
    /// A chip with the I/O registers where its core usually has them.
    pub fn new(core: Core, features: u32, flash: u32, sram: Range<u32>) -> Self {
        let io = if core.maps_registers() { 0x20 } else { 0 };
        Self {
            core,
            features,
            flash,
            sram,
            rampz: (features & features::ELPM != 0).then_some(0x3b + io),
            eind: (features & features::EIND != 0).then_some(0x3c + io),
            mapped_flash: (core == Core::AvrRc).then_some(0x4000),
            stack_at_end: !core.maps_registers(),
        }
    }

    /// The chip of a device.
    pub fn of(device: &Device) -> Self {
        let sram = device.sram;
        let register = |name: &str| {
            let name = match device.modular() {
                true => format!("CPU_{name}"),
                false => name.to_string(),
            };
            device.register(&name).map(|p| p.address as u16)
        };
        // The generation that came with these registers begins at the end of SRAM.
        let newer = ["GTCCR", "SMCR", "DWDR"];
        let newer = newer.iter().any(|name| device.register(name).is_some());
        let mapped = device.flash.mapped.map(|r| r.start as u16);
        Self {
            rampz: register("RAMPZ"),
            eind: register("EIND"),
            mapped_flash: mapped,
            stack_at_end: newer || device.modular() || device.core == Core::AvrRc,
            ..Self::new(
                device.core,
                device.features(),
                device.flash.size,
                sram.start..sram.start + sram.size,
            )
        }
    }

    /// Most words of flash.
    pub(super) const MOST: u32 = 0x3_fff0;

    /// Words of flash, 1 at least.
    pub fn words(&self) -> u32 {
        (self.flash / 2).clamp(1, Self::MOST)
    }

    /// Whether return addresses have three bytes.
    pub fn wide(&self) -> bool {
        self.features & features::EIND != 0
    }

    /// Data address of SPL; SPH and SREG follow.
    pub fn stack(&self) -> u16 {
        if self.core.maps_registers() {
            0x5d
        } else {
            0x3d
        }
    }

    /// The I/O register of the CPU's own at a data address.
    #[inline]
    pub fn own(&self, address: u16) -> Option<Own> {
        match address.wrapping_sub(self.stack()) {
            0 => Some(Own::StackLow),
            1 => Some(Own::StackHigh),
            2 => Some(Own::Sreg),
            _ if self.rampz == Some(address) => Some(Own::Rampz),
            _ if self.eind == Some(address) => Some(Own::Eind),
            _ => None,
        }
    }

    /// What is added to the I/O address in an instruction to get that in data memory.
    pub fn io(&self) -> u16 {
        if self.core.maps_registers() { 0x20 } else { 0 }
    }
}
