//! Registers and bits of a device by name.

use std::collections::HashMap;

use super::bus::{Bit, Group};
use crate::devices::Device;

/// Where registers and bits are.
pub(super) struct Names {
    /// Name to data address and bytes.
    registers: HashMap<String, (u16, u8)>,
    /// Module and bit to the bit.
    bits: HashMap<(&'static str, String), Bit>,
    /// Bit in any module, the first that has it.
    any: HashMap<String, Bit>,
}

impl Names {
    pub fn of(device: &'static Device) -> Self {
        let mut names = Self {
            registers: HashMap::new(),
            bits: HashMap::new(),
            any: HashMap::new(),
        };
        for placed in device.registers() {
            let Ok(address) = u16::try_from(placed.address) else {
                continue;
            };
            let size = placed.register.size as u8;
            names.registers.insert(placed.name.clone(), (address, size));
            for field in &placed.register.fields {
                for (name, position) in field.bits() {
                    let bit = Bit {
                        address: address + (position / 8) as u16,
                        mask: 1 << (position % 8),
                    };
                    names.any.entry(name.clone()).or_insert(bit);
                    names.bits.insert((placed.module.name, name), bit);
                }
            }
        }
        names
    }

    /// Address and size of the first of these registers that there is.
    pub fn register(&self, names: &[&str]) -> Option<(u16, u8)> {
        names.iter().find_map(|n| self.registers.get(*n).copied())
    }

    /// The address of the first of these registers that there is, or that of none.
    pub fn address(&self, names: &[&str]) -> u16 {
        self.register(names).map_or(super::bus::NOWHERE, |r| r.0)
    }

    /// The low and the high byte's address of a register that may be two.
    pub fn pair(&self, name: &str) -> (u16, u16) {
        use super::bus::NOWHERE;
        if let Some((low, size)) = self.register(&[name, &format!("{name}L")]) {
            let high = match size {
                2 => low + 1,
                _ => self.address(&[&format!("{name}H")]),
            };
            return (low, high);
        }
        (NOWHERE, NOWHERE)
    }

    /// The first of these bits that a module has.
    pub fn bit_in(&self, module: &'static str, names: &[&str]) -> Bit {
        let found = names
            .iter()
            .find_map(|n| self.bits.get(&(module, (*n).to_owned())));
        found.copied().unwrap_or_default()
    }

    /// The first of these bits that there is anywhere.
    pub fn bit(&self, names: &[&str]) -> Bit {
        let found = names.iter().find_map(|n| self.any.get(*n));
        found.copied().unwrap_or_default()
    }

    /// Bits `NAME0`, `NAME1`, ... as one number.
    pub fn group(&self, name: &str) -> Group {
        let mut group = Group::default();
        for (i, bit) in group.0.iter_mut().enumerate() {
            *bit = self.bit(&[&format!("{name}{i}")]);
        }
        group
    }
}
