//! Registers of the newer parts by name, from the device's data.

use std::collections::HashMap;

use crate::devices::{Device, Register};
use crate::peripherals::bus::NOWHERE;

/// All registers of a device.
pub(super) struct Regs<'d> {
    device: &'d Device,
    all: HashMap<String, (u16, &'d Register)>,
}

impl<'d> Regs<'d> {
    pub fn of(device: &'d Device) -> Self {
        let placed = device.registers().into_iter();
        let named = placed.filter_map(|p| {
            let address = u16::try_from(p.address).ok()?;
            Some((p.name, (address, p.register)))
        });
        Self {
            all: named.collect(),
            device,
        }
    }

    /// The address of a register, or that of none.
    pub fn at(&self, name: &str) -> u16 {
        self.all.get(name).map_or(NOWHERE, |r| r.0)
    }

    /// The bits of a field of a register; 0 for one that is not there.
    pub fn mask(&self, name: &str, field: &str) -> u8 {
        let fields = self.all.get(name).map(|r| &r.1.fields);
        let found = fields.and_then(|f| f.iter().find(|f| f.name == field));
        found.map_or(0, |f| f.mask as u8)
    }

    /// The number of a vector, 0 for one that is not there.
    pub fn vector(&self, name: &str) -> u8 {
        let found = self.device.vectors.iter().find(|v| v.name == name);
        found.map_or(0, |v| v.number as u8)
    }

    /// Names with their values of a list.
    pub fn list(&self, name: &str) -> Vec<(&'static str, u8)> {
        let modules = self.device.modules.iter();
        let lists = modules.flat_map(|m| &m.values).filter(|v| v.name == name);
        let all = lists.flat_map(|l| &l.values);
        all.map(|&(n, v)| (n, v as u8)).collect()
    }

    /// The registers of an instance: its name with each of theirs, and the address.
    pub fn of_instance(&self, instance: &str) -> Vec<(&str, u16)> {
        let named = self.all.iter().filter_map(|(name, &(at, _))| {
            let rest = name.strip_prefix(instance)?.strip_prefix('_')?;
            Some((rest, at))
        });
        named.collect()
    }

    /// Whether there is a register.
    pub fn has(&self, name: &str) -> bool {
        self.all.contains_key(name)
    }
}

/// The number in a field.
pub(super) fn field(value: u8, mask: u8) -> u8 {
    match mask {
        0 => 0,
        _ => (value & mask) >> mask.trailing_zeros(),
    }
}

/// What a unit shows to those around it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Asks {
    /// Vectors of interrupts that are asked for, a bit each.
    pub on: u128,
    /// Those that the unit has.
    pub of: u128,
}

impl Asks {
    /// Says whether a vector is asked for.
    pub fn put(&mut self, vector: u8, on: bool) {
        if vector > 0 {
            self.of |= 1 << vector;
            self.on |= u128::from(on) << vector;
        }
    }
}
