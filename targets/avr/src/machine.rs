//! A device as a machine: its memories, features and clocks, from the data files.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use scrimp_isa::container::{Container, ImageView};
use scrimp_isa::machine::{BuiltFile, Fault, Media, Starter};
use scrimp_isa::{Cycles, Machine, Region, Simulation};

use crate::board::Board;
use crate::clocks::{Core, cycles};
use crate::devices::{Device, find, gnu_predefines};
use crate::features;
use crate::install::{self, avrdude};
use crate::memories::{DATA, EEPROM, FUSES, LOCK, SIGNATURE};
use crate::starter;
use crate::table::FORMS;

/// A part of the data files, ready to be assembled for.
#[derive(Debug)]
pub struct DeviceMachine {
    /// Its facts.
    pub device: &'static Device,
    /// Its core, for the clocks.
    pub core: Core,
    name: String,
    regions: Vec<Region>,
    features: u32,
}

impl DeviceMachine {
    /// The machine of that name, as any assembler spells it. Each is made once.
    #[must_use]
    pub fn named(name: &str) -> Option<&'static Self> {
        static MADE: Mutex<BTreeMap<&'static str, &'static DeviceMachine>> =
            Mutex::new(BTreeMap::new());
        let device = find(name)?;
        let mut made = MADE.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(&machine) = made.get(device.name) {
            return Some(machine);
        }
        let machine: &'static Self = Box::leak(Box::new(Self::new(device)));
        made.insert(device.name, machine);
        Some(machine)
    }

    fn new(device: &'static Device) -> Self {
        let region = |name, start: u64, size: u32| Region {
            name,
            start,
            size: u64::from(size),
        };
        let mut regions = vec![region("flash", 0, device.flash.size)];
        if device.sram.size > 0 {
            let start = DATA + u64::from(device.sram.start);
            regions.push(region("sram", start, device.sram.size));
        }
        if device.eeprom.size > 0 {
            regions.push(region("eeprom", EEPROM, device.eeprom.size));
        }
        let bytes = |kind| {
            let list = device.fuses();
            let of = list.iter().filter(|f| f.kind == kind);
            of.map(|f| f.number + f.size).max().unwrap_or(0)
        };
        let (fuses, locks) = (
            bytes(crate::devices::FuseKind::Fuse),
            bytes(crate::devices::FuseKind::Lock),
        );
        if fuses > 0 {
            regions.push(region("fuse", FUSES, fuses));
        }
        if locks > 0 {
            regions.push(region("lock", LOCK, locks));
        }
        regions.push(region("signature", SIGNATURE, 3));
        Self {
            device,
            core: device.core,
            name: device.gnu_name(),
            regions,
            features: device.features(),
        }
    }
}

impl Machine for DeviceMachine {
    fn name(&self) -> &'static str {
        // All of these live for good.
        Self::named(&self.name).map_or("", |m| &m.name)
    }

    fn title(&self) -> &'static str {
        self.device.name
    }

    /// The clock of the internal oscillator, or 8 MHz: a board may have another.
    fn clock(&self) -> u64 {
        8_000_000
    }

    fn regions(&self) -> &'static [Region] {
        Self::named(&self.name).map_or(&[], |m| &m.regions)
    }

    fn containers(&self) -> &'static [Container] {
        &[]
    }

    fn features(&self) -> u32 {
        self.features
    }

    /// Program memory of a power of two is gone around, since the upper bits of the
    /// program counter do not exist.
    fn wraps(&self) -> Option<u64> {
        let size = u64::from(self.device.flash.size);
        size.is_power_of_two().then_some(size)
    }

    /// Where all of flash is mapped; a part with a window of it has constants in RAM.
    fn mapped_program(&self) -> Option<u64> {
        let flash = &self.device.flash;
        let mapped = flash.mapped.filter(|m| m.size >= flash.size)?;
        Some(mapped.start.into())
    }

    fn cycles(&self, form: u16) -> Option<Cycles> {
        let wide = self.features & features::EIND != 0;
        let form = FORMS.get(usize::from(form))?;
        Some(cycles(form, self.core, wide))
    }

    fn predefined(&self) -> Vec<(String, String)> {
        gnu_predefines(self.device)
    }

    fn fact(&self, name: &str) -> Option<String> {
        match name {
            "avrdude" => Some(avrdude(self.device)),
            "core" => Some(self.core.name().to_string()),
            "arch" => Some(self.device.group.name().to_string()),
            _ => None,
        }
    }

    fn settings(&self, image: &dyn ImageView) -> Option<Vec<String>> {
        Some(install::settings(self.device, image))
    }

    fn install(&self, files: &[BuiltFile<'_>], image: &dyn ImageView) -> Vec<String> {
        install::install(self.device, files, image)
    }

    fn starter(&self) -> Option<Starter> {
        starter::blink(self.device)
    }

    fn check_board(&self, manifest: &str) -> Result<(), Fault> {
        let board = Board::read(manifest, self.device)?;
        let built = board.build(self.device, self.clock());
        built.map(drop).map_err(|message| Fault {
            span: None,
            message,
        })
    }

    fn start(&self, media: &Media, _: &[u8]) -> Result<Box<dyn Simulation>, String> {
        let board = Board::read(&media.manifest, self.device).map_err(|f| f.message)?;
        let mut simulation = board.build(self.device, self.clock())?;
        for (address, bytes) in &media.memory {
            simulation.load(*address, bytes)?;
        }
        Ok(Box::new(simulation))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_device_is_found_by_any_of_its_names_and_made_once() {
        let m = DeviceMachine::named("ATtiny84").expect("a device");
        assert_eq!((m.name(), m.title()), ("attiny84", "ATtiny84"));
        assert!(std::ptr::eq(m, DeviceMachine::named("tn84").expect("it")));
        assert_eq!(m.wraps(), Some(0x2000));
        assert_eq!(m.fact("avrdude").as_deref(), Some("t84"));
        let sram = m.regions().iter().find(|r| r.name == "sram");
        assert_eq!(sram.map(|r| (r.start, r.size)), Some((0x80_0060, 512)));
        assert!(DeviceMachine::named("attiny8444").is_none());
    }
}
