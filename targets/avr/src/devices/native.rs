//! The names of a device in scrimp's own language: `include <avr/device.asm>`.

use std::collections::BTreeSet;
use std::fmt::Write;

use super::model::Device;

/// The path of the include.
pub const PATH: &str = "avr/device.asm";

/// Registers as the addresses that IN and OUT take, or those of data memory where
/// they do not reach; bits as their numbers; memories; vectors as byte addresses.
#[must_use]
pub fn native_include(device: &Device) -> String {
    let mut out = format!("; {}: registers, bits, memories, vectors\n", device.name);
    let mut known = BTreeSet::new();
    let mut put = |name: &str, value: u32| {
        if known.insert(name.to_ascii_lowercase()) {
            let _ = writeln!(out, "{name} equ ${value:x}");
        }
    };
    for (name, value) in [
        ("RAMSTART", device.sram.start),
        ("RAMEND", device.sram.last()),
        ("FLASHEND", device.flash.size.saturating_sub(1)),
        ("EEPROMEND", device.eeprom.size.saturating_sub(1)),
    ] {
        put(name, value);
    }
    let registers = device.registers();
    let reached = |address: u32| device.io_address(address).unwrap_or(address);
    for r in &registers {
        put(&r.name, reached(r.address));
        if r.register.size == 2 {
            put(&format!("{}L", r.name), reached(r.address));
            put(&format!("{}H", r.name), reached(r.address + 1));
        }
    }
    for r in &registers {
        // The pins of a port are called after its letter.
        if let Some(port) = r.name.strip_prefix("PORT").filter(|p| p.len() == 1) {
            for bit in (0..8).filter(|b| r.register.mask >> b & 1 == 1) {
                put(&format!("P{port}{bit}"), bit);
            }
        }
        for (name, at) in r.register.fields.iter().flat_map(|f| f.bits()) {
            put(&name, at);
        }
    }
    for v in &device.vectors {
        put(&format!("{}_vect", v.name), v.number * device.vector_bytes);
    }
    out
}
