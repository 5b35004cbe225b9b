//! What AVR assembler programs include: `m8def.inc`, from the facts of the device.
//!
//! Registers that IN and OUT reach have their I/O address, the others that of the data
//! space; bits are numbers; a vector is an address in words. Names that older parts had
//! for the same register or bit are given too, unless the part uses them otherwise.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::fmt::Write;

use super::legacy;
use super::model::{Device, Field, Module, Placed, Register, Space};
use super::names::find;
use super::vectors::avrasm_names;

/// The text of an include file such as `m8def.inc`, `tn85def.inc`, `8515def.inc`,
/// `m328Pdef.inc`, in any case; of every device. `None` when the name is not of one.
#[must_use]
pub fn avrasm_include(file_name: &str) -> Option<String> {
    let lower = file_name.to_ascii_lowercase();
    let device = find(lower.strip_suffix("def.inc")?)?;
    Some(avrasm_text(device))
}

/// The text for a device.
fn avrasm_text(device: &Device) -> String {
    let mut out = Names::default();
    let guard: String = device.name.to_ascii_uppercase();
    out.line(&format!("#ifndef _{guard}DEF_INC_"));
    out.line(&format!("#define _{guard}DEF_INC_"));
    out.line(&format!(".device {}", device.name));
    for (at, byte) in device.signature.iter().enumerate() {
        out.equ(&format!("SIGNATURE_00{at}"), u64::from(*byte));
    }
    if device.modular() {
        modular(device, &mut out);
    } else {
        classic(device, &mut out);
    }
    pairs(&mut out);
    memories(device, &mut out);
    vectors(device, &mut out);
    out.line("#endif");
    out.text
}

/// The text so far and the names that are taken.
#[derive(Default)]
struct Names {
    text: String,
    taken: BTreeMap<String, u64>,
}

impl Names {
    fn line(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }

    /// A name with a number, unless it has one; case does not distinguish names.
    fn equ(&mut self, name: &str, value: u64) {
        if let Entry::Vacant(free) = self.taken.entry(name.to_ascii_lowercase()) {
            free.insert(value);
            // Writing to a string does not fail.
            let _ = writeln!(self.text, ".equ {name} = 0x{value:02x}");
        }
    }

    /// Another name of something that has one.
    fn same(&mut self, alias: &str, name: &str) {
        if let Some(&value) = self.taken.get(&name.to_ascii_lowercase()) {
            self.equ(alias, value);
        }
    }
}

/// The address that a program uses: for IN and OUT where they reach.
fn address(device: &Device, at: u32) -> u64 {
    u64::from(device.io_address(at).unwrap_or(at))
}

fn classic(device: &Device, out: &mut Names) {
    let registers = device.registers();
    for placed in &registers {
        let (name, at) = (&placed.name, placed.address);
        match placed.register.size {
            1 => out.equ(name, address(device, at)),
            // A word has no name in assembler, its bytes have.
            2 => {
                out.equ(&format!("{name}L"), address(device, at));
                out.equ(&format!("{name}H"), address(device, at + 1));
            }
            size => {
                for byte in 0..size {
                    out.equ(&format!("{name}{byte}"), address(device, at + byte));
                }
            }
        }
        if name == "EEAR" && placed.register.size == 1 {
            out.equ("EEARL", address(device, at));
        }
    }
    for (alias, name) in &device.aliases {
        out.same(alias, name);
    }
    for placed in registers.iter().filter(|p| p.name != "SREG") {
        for field in &placed.register.fields {
            for (name, at) in field.bits() {
                // A bit of the high byte of a pair is counted in that byte.
                out.equ(&name, u64::from(at % 8));
            }
        }
    }
    for (space, prefix) in [(Space::Fuses, ""), (Space::Lock, "")] {
        for placed in device.registers_in(space) {
            for field in &placed.register.fields {
                for (name, at) in field.bits() {
                    out.equ(&format!("{prefix}{name}"), u64::from(at));
                }
            }
        }
    }
    for placed in &registers {
        whole(placed, out);
    }
    for (bit, at) in ["C", "Z", "N", "V", "S", "H", "T", "I"].iter().zip(0..) {
        out.equ(&format!("SREG_{bit}"), at);
    }
    for (name, value) in &device.constants {
        // Other names of bits; the rest are names of C headers.
        let of_c = ["FUSE", "SLEEP_", "E2", "XRAM"];
        if (0..8).contains(value) && !of_c.iter().any(|p| name.starts_with(p)) {
            out.equ(name, value.unsigned_abs());
        }
    }
    let family = legacy::family(device);
    if family & legacy::PLAIN_USART != 0 {
        plain_usart(&registers, out);
    }
    for (alias, name, families) in legacy::NAMES {
        if families & family != 0 {
            out.same(alias, name);
        }
    }
}

/// Bits of a register that is one number: `PORTB3`, `PB3`, `TCNT0_7`.
fn whole(placed: &Placed<'_>, out: &mut Names) {
    let (name, register) = (placed.name.as_str(), placed.register);
    if !register.fields.is_empty() || name == "SREG" {
        return;
    }
    let numbered = name.ends_with(|c: char| c.is_ascii_digit());
    let timer = ["TCNT", "OCR", "ICR", "UDR"]
        .iter()
        .any(|p| name.starts_with(p));
    let link = if numbered && timer { "_" } else { "" };
    let bits = |register: &Register| {
        let mask = register.mask;
        (0..8 * register.size.min(2)).filter(move |at| mask >> at & 1 == 1)
    };
    for at in bits(register) {
        let bit = u64::from(at % 8);
        if register.size == 2 && name != "EEAR" {
            let half = if at < 8 { "L" } else { "H" };
            out.equ(&format!("{name}{half}{bit}"), bit);
        } else {
            out.equ(&format!("{name}{link}{at}"), bit);
            if timer {
                out.equ(&format!("{name}_{at}"), bit);
                out.equ(&format!("{name}{at}"), bit);
            }
        }
        let old = match name {
            "OSCCAL" => Some("CAL"),
            "TWDR" => Some("TWD"),
            "SPL" => Some("SP"),
            _ => None,
        };
        if let Some(old) = old {
            out.equ(&format!("{old}{at}"), bit);
        }
        if let Some(port) = name.strip_prefix("PORT").filter(|p| p.len() == 1) {
            out.equ(&format!("P{port}{at}"), bit);
        }
        if let Some(port) = name.strip_prefix("DDR").filter(|p| p.len() == 1) {
            out.equ(&format!("DD{port}{at}"), bit);
        }
    }
}

/// The names of the first USART, numbered 0, without number; and those of one that has
/// none with number.
fn plain_usart(registers: &[Placed<'_>], out: &mut Names) {
    for name in ["UDR", "UCSRA", "UCSRB", "UCSRC", "UBRRL", "UBRRH"] {
        let (stem, letter) = match name {
            "UDR" => (name, ""),
            _ => name.split_at(4),
        };
        out.same(&format!("{stem}0{letter}"), name);
    }
    let usart = registers.iter().filter(|p| p.module.name == "USART0");
    for placed in usart {
        let fields = placed.register.fields.iter().flat_map(Field::bits);
        let names = [
            placed.name.clone(),
            format!("{}L", placed.name),
            format!("{}H", placed.name),
        ];
        for name in names.into_iter().chain(fields.map(|f| f.0)) {
            // The module's number comes before that of the bit: UCSZ01, RXB80.
            let plain = match name.strip_suffix('0') {
                Some(plain) if !name.contains("00") => plain.to_owned(),
                _ => name.replacen('0', "", 1),
            };
            out.same(&plain, &name);
        }
    }
}

fn modular(device: &Device, out: &mut Names) {
    for instance in device.instances.iter().filter(|i| i.space == Space::Data) {
        out.equ(&format!("{}_base", instance.name), u64::from(instance.base));
    }
    for placed in device.registers() {
        let at = placed.address;
        out.equ(&placed.name, u64::from(at));
        for (letter, byte) in halves(placed.register.size) {
            out.equ(&format!("{}{letter}", placed.name), u64::from(at + byte));
        }
    }
    for module in &device.modules {
        for register in &module.registers {
            let name = format!("{}_{}", module.name, register.name);
            out.equ(&format!("{name}_offset"), u64::from(register.offset));
            for (letter, byte) in halves(register.size) {
                let at = u64::from(register.offset + byte);
                out.equ(&format!("{name}{letter}_offset"), at);
            }
        }
        module_bits(module, out);
    }
}

/// The letters of the bytes of a wide register.
fn halves(size: u32) -> Vec<(String, u32)> {
    match size {
        2 => vec![("L".to_owned(), 0), ("H".to_owned(), 1)],
        3.. => (0..size).map(|b| (b.to_string(), b)).collect(),
        _ => Vec::new(),
    }
}

/// Masks, positions and values of the fields: `_gm`, `_gp`, `_bm`, `_bp`, `_gc`.
fn module_bits(module: &Module, out: &mut Names) {
    for (name, value) in module_values(module) {
        out.equ(&name, value);
    }
}

/// The names of a module's bits with their values.
pub(super) fn module_values(module: &Module) -> Vec<(String, u64)> {
    let mut all = Vec::new();
    for field in module.registers.iter().flat_map(|r| &r.fields) {
        let name = format!("{}_{}", module.name, field.name);
        if field.mask.count_ones() == 1 {
            all.push((format!("{name}_bm"), u64::from(field.mask)));
            all.push((format!("{name}_bp"), u64::from(field.position())));
        } else {
            all.push((format!("{name}_gm"), u64::from(field.mask)));
            all.push((format!("{name}_gp"), u64::from(field.position())));
            let places = (0..32).filter(|at| field.mask >> at & 1 == 1);
            for (bit, at) in places.zip(0..).map(|(at, bit): (u32, u32)| (bit, at)) {
                // The newer parts have an underscore before the number.
                for name in [format!("{name}{bit}"), format!("{name}_{bit}")] {
                    all.push((format!("{name}_bm"), 1 << at));
                    all.push((format!("{name}_bp"), u64::from(at)));
                }
            }
        }
        if let Some(list) = module.values_of(field) {
            for (value, number) in &list.values {
                let number = u64::from(*number) << field.position();
                all.push((format!("{}_{value}_gc", list.name), number));
            }
        }
    }
    all
}

/// Values of fields of the fuses and of the processor, which the newer parts call without
/// the name of their module too: `CCP_IOREG_gc`.
pub(super) fn bare_values(module: &Module) -> Vec<(String, u64)> {
    if !matches!(module.name, "CPU" | "FUSE" | "LOCKBIT") {
        return Vec::new();
    }
    let named = |(name, value): (String, u64)| {
        let bare = name.strip_prefix(module.name)?.strip_prefix('_')?;
        name.ends_with("_gc").then(|| (bare.to_owned(), value))
    };
    let all = module_values(module).into_iter();
    all.filter_map(named).collect()
}

/// The register pairs.
fn pairs(out: &mut Names) {
    for (name, number) in [("X", 26), ("Y", 28), ("Z", 30)] {
        out.line(&format!(".def {name}L = r{number}"));
        out.line(&format!(".def {name}H = r{}", number + 1));
    }
}

fn memories(device: &Device, out: &mut Names) {
    let words = |bytes: u32| u64::from(bytes / 2);
    let flash = &device.flash;
    if device.modular() {
        out.equ("FLASHSTART", words(flash.start));
    }
    out.equ("FLASHEND", words(flash.start + flash.size) - 1);
    // Parts without registers beyond those that IN reaches count them as IN does.
    let io_end = if device.io.size <= 0x40 {
        device.io.size - 1
    } else {
        device.io.last()
    };
    out.equ("IOEND", u64::from(io_end));
    if device.sram.size > 0 {
        out.equ("SRAM_START", u64::from(device.sram.start));
    }
    out.equ("SRAM_SIZE", u64::from(device.sram.size));
    let last = if device.sram.size > 0 {
        device.sram.last()
    } else {
        0
    };
    out.equ("RAMEND", u64::from(last));
    out.equ("XRAMEND", device.xram.map_or(0, |x| u64::from(x.last())));
    let eeprom = device.eeprom;
    // Where it lies in the data space these are addresses there.
    let last = u64::from(eeprom.mapped.unwrap_or(0) + eeprom.size.saturating_sub(1));
    out.equ("E2END", last);
    out.equ("EEPROMEND", last);
    if eeprom.size > 0 {
        out.equ("EEADRBITS", u64::from(eeprom.size.ilog2()));
    }
    if let Some(at) = eeprom.mapped {
        out.equ("MAPPED_EEPROM_START", u64::from(at));
        out.equ("MAPPED_EEPROM_SIZE", u64::from(eeprom.size));
        out.equ("MAPPED_EEPROM_END", u64::from(at + eeprom.size) - 1);
    }
    if let Some(mapped) = flash.mapped {
        out.equ("MAPPED_PROGMEM_START", u64::from(mapped.start));
        out.equ("MAPPED_FLASH_START", u64::from(mapped.start));
        out.equ("MAPPED_FLASH_SIZE", u64::from(mapped.size));
        out.equ("MAPPED_FLASH_END", u64::from(mapped.last()));
    }
    if flash.page > 0 {
        // Of the reduced core it is in bytes.
        let reduced = device.core == super::Core::AvrRc;
        out.equ("PAGESIZE", words(flash.page) << u32::from(reduced));
    }
    boot(device, out);
}

/// The boot sections and the part of the flash that can be read while it is written.
fn boot(device: &Device, out: &mut Names) {
    let flash = &device.flash;
    let end = flash.start + flash.size;
    let words = |bytes: u32| u64::from(bytes / 2);
    if device.modular() {
        if let [size] = flash.boot[..] {
            out.equ("APP_SECTION_START", 0);
            out.equ("APP_SECTION_SIZE", words(end - size));
            out.equ("APP_SECTION_END", words(end - size) - 1);
            out.equ("BOOT_SECTION_START", words(end - size));
            out.equ("BOOT_SECTION_SIZE", words(size));
            out.equ("BOOT_SECTION_END", words(end) - 1);
        }
        return;
    }
    if let Some(&largest) = flash.boot.last() {
        out.equ("NRWW_START_ADDR", words(end - largest));
        out.equ("NRWW_STOP_ADDR", words(end) - 1);
        out.equ("RWW_START_ADDR", 0);
        out.equ("RWW_STOP_ADDR", words(end - largest) - 1);
    } else if device.features() & crate::features::SPM != 0 {
        // All of it stops the processor while it is written.
        out.equ("NRWW_START_ADDR", 0);
        out.equ("NRWW_STOP_ADDR", words(end) - 1);
        out.equ("RWW_START_ADDR", 0);
        out.equ("RWW_STOP_ADDR", 0);
    }
    let ordinals = ["FIRST", "SECOND", "THIRD", "FOURTH"];
    for (ordinal, size) in ordinals.iter().zip(&flash.boot) {
        out.equ(&format!("{ordinal}BOOTSTART"), words(end - size));
    }
    if let (Some(small), Some(large)) = (flash.boot.first(), flash.boot.last()) {
        out.equ("SMALLBOOTSTART", words(end - small));
        out.equ("LARGEBOOTSTART", words(end - large));
    }
}

fn vectors(device: &Device, out: &mut Names) {
    let words = u64::from(device.vector_bytes / 2);
    let mut unit = ("", 0);
    for vector in &device.vectors {
        let at = u64::from(vector.number) * words;
        if device.modular() {
            out.equ(&format!("{}_vect", vector.name), at);
            // The first of a unit, and how far the others are from it.
            let instance = vector.name.split('_').next().unwrap_or_default();
            if instance != unit.0 {
                unit = (instance, at);
                out.equ(&format!("{instance}_vbase"), at);
            }
            out.equ(&format!("{}_voffset", vector.name), at - unit.1);
        } else {
            for name in avrasm_names(device, vector.name) {
                out.equ(&format!("{name}addr"), at);
            }
        }
    }
    let size = u64::from(device.vector_count()) * words;
    out.equ("INT_VECTORS_SIZE", size);
}
