//! What GNU assembler programs include: `<avr/io.h>` and the headers around it.
//!
//! Registers are given by `_SFR_IO8` and its like, so that a program that defines
//! `__SFR_OFFSET` as 0 can use them with IN and OUT, as it does with avr-libc. The texts
//! are written from the facts of the device; what only C programs need is left out.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::avrasm::{bare_values, module_values};
use super::model::{Core, Device, Group, Placed, Space};
use crate::features as f;

/// The text of a header as a program names it (`avr/io.h`), for a device. `None` when
/// there is no such header.
#[must_use]
pub fn gnu_include(path: &str, device: &Device) -> Option<String> {
    Some(match path {
        "avr/io.h" => io(device),
        "avr/sfr_defs.h" => SFR_DEFS.to_owned(),
        "avr/common.h" => COMMON.to_owned(),
        "avr/version.h" => VERSION.to_owned(),
        "avr/portpins.h" => guarded("_AVR_PORTPINS_H_", "#include <avr/io.h>\n"),
        "avr/interrupt.h" => guarded("_AVR_INTERRUPT_H_", INTERRUPT),
        "avr/eeprom.h" => guarded("_AVR_EEPROM_H_", "#include <avr/io.h>\n"),
        "avr/pgmspace.h" => guarded("__PGMSPACE_H_", "#include <avr/io.h>\n"),
        "avr/boot.h" => guarded("_AVR_BOOT_H_", BOOT),
        "avr/wdt.h" => guarded("_AVR_WDT_H_", WDT),
        "avr/sleep.h" => guarded("_AVR_SLEEP_H_", "#include <avr/io.h>\n"),
        "avr/fuse.h" => guarded("_AVR_FUSE_H_", "#include <avr/io.h>\n"),
        "avr/lock.h" => guarded("_AVR_LOCK_H_", "#include <avr/io.h>\n"),
        "avr/signature.h" => guarded("_AVR_SIGNATURE_H_", "#include <avr/io.h>\n"),
        "avr/power.h" => guarded("_AVR_POWER_H_", "#include <avr/io.h>\n"),
        "avr/xmega.h" => guarded("_AVR_XMEGA_H", "#include <avr/io.h>\n"),
        _ => return None,
    })
}

/// What avr-gcc defines before the first line of an assembler source for a device:
/// names and values.
#[must_use]
pub fn gnu_predefines(device: &Device) -> Vec<(String, String)> {
    let features = device.features();
    let mut out: Vec<(String, String)> = Vec::new();
    let mut one = |name: &str| out.push((name.to_owned(), "1".to_owned()));
    for name in ["__ASSEMBLER__", "__ELF__", "AVR", "__AVR", "__AVR__"] {
        one(name);
    }
    one(&format!("__AVR_{}__", device.name));
    let xmega = device.group >= Group::Xmega2;
    let has = |bit| features & bit != 0;
    // The size of the program counter, not of the flash: an XMEGA's boot section counts.
    let wide = has(f::EIND);
    let short = device.flash.size <= 0x2000;
    for (name, there) in [
        ("__AVR_2_BYTE_PC__", !wide),
        ("__AVR_3_BYTE_PC__", wide),
        // The compiler leaves them aside where the short ones reach all of flash.
        ("__AVR_HAVE_JMP_CALL__", has(f::JMP) && !short),
        ("__AVR_SHORT_CALLS__", has(f::JMP) && short),
        ("__AVR_MEGA__", has(f::JMP)),
        ("__AVR_HAVE_LPMX__", group_has(device, f::LPMX)),
        ("__AVR_HAVE_MOVW__", group_has(device, f::MOVW)),
        ("__AVR_ENHANCED__", has(f::MUL)),
        ("__AVR_HAVE_MUL__", has(f::MUL)),
        ("__AVR_HAVE_ELPM__", elpm(device, f::ELPM)),
        ("__AVR_HAVE_ELPMX__", elpm(device, f::ELPMX)),
        ("__AVR_HAVE_RAMPZ__", elpm(device, f::ELPM)),
        ("__AVR_HAVE_EIJMP_EICALL__", wide),
        ("__AVR_ISA_RMW__", has(f::RMW)),
        ("__AVR_XMEGA__", xmega),
        ("__AVR_TINY__", device.group == Group::AvrTiny),
        ("__AVR_ASM_ONLY__", device.group == Group::Avr1),
    ] {
        if there {
            one(name);
        }
    }
    if matches!(device.group, Group::Xmega5 | Group::Xmega7) {
        for letter in ["D", "X", "Y"] {
            one(&format!("__AVR_HAVE_RAMP{letter}__"));
        }
    }
    if wide_stack(device) {
        one("__AVR_HAVE_16BIT_SP__");
        one("__AVR_HAVE_SPH__");
    } else {
        one("__AVR_HAVE_8BIT_SP__");
        one("__AVR_SP8__");
    }
    let mut put = |name: &str, value: String| out.push((name.to_owned(), value));
    for (name, value) in COMPILER {
        put(name, (*value).to_owned());
    }
    for (mode, fraction, integer) in FIXED {
        put(&format!("__{mode}_FBIT__"), fraction.to_string());
        put(&format!("__{mode}_IBIT__"), integer.to_string());
    }
    put("__AVR_ARCH__", device.group.number().to_string());
    put("__AVR_DEVICE_NAME__", device.gnu_name());
    let offset = device.io_offset();
    put("__AVR_SFR_OFFSET__", format!("0x{offset:x}"));
    if let Some(mapped) = device.flash.mapped {
        let at = format!("0x{:x}", mapped.start);
        if device.group == Group::AvrTiny {
            put("__AVR_TINY_PM_BASE_ADDRESS__", at.clone());
        }
        put("__AVR_PM_BASE_ADDRESS__", at);
    }
    out
}

/// What gcc says of the group; of the ATtiny26, whose `lpm Rd,Z+` is missing, it says no.
fn group_has(device: &Device, bit: u32) -> bool {
    device.group.features() & bit != 0
}

/// gcc gives ELPM to those XMEGA only that have more than 64 KiB.
fn elpm(device: &Device, bit: u32) -> bool {
    device.features() & bit != 0
        && !matches!(
            device.group,
            Group::Xmega2 | Group::Xmega3 | Group::Xmega4 | Group::Xmega5
        )
        || device.features() & bit != 0
            && device.group == Group::Xmega4
            && device.core == Core::AvrXt
}

/// Whether the stack pointer has a high byte.
fn wide_stack(device: &Device) -> bool {
    device.modular()
        || device.sram.size == 0
        || device.register("SP").is_some()
        || device.register("SPH").is_some()
}

fn guarded(guard: &str, text: &str) -> String {
    format!("#ifndef {guard}\n#define {guard} 1\n{text}#endif\n")
}

/// The definitions so far; a name is defined once.
#[derive(Default)]
struct Defines {
    text: String,
    values: BTreeMap<String, String>,
}

impl Defines {
    fn put(&mut self, name: &str, value: &str) {
        if !self.values.contains_key(name) && !reserved(name) {
            self.values.insert(name.to_owned(), value.to_owned());
            // Writing to a string does not fail.
            let _ = writeln!(self.text, "#define {name} {value}");
        }
    }

    fn number(&mut self, name: &str, value: u64) {
        self.put(name, &value.to_string());
    }

    fn hex(&mut self, name: &str, value: u64) {
        self.put(name, &format!("0x{value:X}"));
    }
}

/// Names that would hide an instruction, a flag or a register: as upper-case macros they
/// would rewrite the program's instructions.
fn reserved(name: &str) -> bool {
    matches!(
        name,
        "ADC"
            | "AND"
            | "ASR"
            | "OR"
            | "COM"
            | "INC"
            | "DEC"
            | "LD"
            | "ST"
            | "IN"
            | "OUT"
            | "SER"
            | "CLR"
            | "X"
            | "Y"
            | "Z"
            | "I"
            | "T"
            | "H"
            | "S"
            | "V"
            | "N"
            | "C"
            | "SBI"
            | "CBI"
            | "DES"
            | "SLEEP"
            | "BREAK"
            | "CALL"
            | "RET"
    )
}

fn io(device: &Device) -> String {
    let mut out = Defines::default();
    out.text
        .push_str("#ifndef _AVR_IO_H_\n#define _AVR_IO_H_ 1\n");
    out.text.push_str("#include <avr/sfr_defs.h>\n");
    registers(device, &mut out);
    for (alias, name) in &device.aliases {
        if let Some(value) = out.values.get(*name).cloned() {
            out.put(alias, &value);
        }
    }
    if device.modular() {
        for (name, value) in device.modules.iter().flat_map(module_values) {
            out.hex(&name, value);
        }
        if device.core == Core::AvrXt {
            newest(device, &mut out);
        }
    } else {
        bits(device, &mut out);
    }
    for (name, value) in &device.constants {
        out.put(name, &value.to_string());
    }
    vectors(device, &mut out);
    memories(device, &mut out);
    fuses(device, &mut out);
    pins(device, &mut out);
    out.text.push_str("#include <avr/common.h>\n");
    out.text.push_str("#include <avr/version.h>\n");
    out.text.push_str("#endif\n");
    out.text
}

/// The macro with which a register of the size is given.
fn sfr(device: &Device, address: u32, size: u32) -> String {
    let bits = 8 * size;
    match device.io_address(address) {
        Some(at) if !device.modular() => format!("_SFR_IO{bits}(0x{at:02X})"),
        _ => format!("_SFR_MEM{bits}(0x{address:02X})"),
    }
}

fn registers(device: &Device, out: &mut Defines) {
    for placed in device.registers() {
        let (name, at, size) = (&placed.name, placed.address, placed.register.size);
        match name.as_str() {
            // The name of an instruction; the word has another.
            "ADC" => out.put("ADCW", &sfr(device, at, size)),
            "SP" if device.modular() => {}
            _ => out.put(name, &sfr(device, at, size)),
        }
        if size == 2 {
            out.put(&format!("{name}L"), &sfr(device, at, 1));
            out.put(&format!("{name}H"), &sfr(device, at + 1, 1));
        } else if size > 2 {
            for byte in 0..size {
                out.put(&format!("{name}{byte}"), &sfr(device, at + byte, 1));
            }
        }
    }
    if device.modular() {
        // The processor's registers have short names too.
        for placed in device.registers() {
            if let Some(short) = placed.name.strip_prefix("CPU_") {
                out.put(short, &sfr(device, placed.address, placed.register.size));
            }
            if let Some(short) = placed.name.strip_prefix("GPIO_") {
                let value = sfr(device, placed.address, placed.register.size);
                out.put(short, &value);
                // The first XMEGA headers had them without the R.
                if let Some(number) = short.strip_prefix("GPIOR") {
                    out.put(&format!("GPIO{number}"), &value);
                    out.put(&format!("GPIO_GPIO{number}"), &value);
                }
            }
        }
        out.put("SP", &sfr(device, 0x3d, 2));
        out.put("SPL", &sfr(device, 0x3d, 1));
        out.put("SPH", &sfr(device, 0x3e, 1));
        // Bytes outside of the data space by their numbers.
        for space in [Space::Fuses, Space::Lock, Space::Signature] {
            for placed in device.registers_in(space) {
                let size = placed.register.size;
                out.put(&placed.name, &sfr(device, placed.address, size));
                if let Some(value) = placed.register.initial {
                    out.hex(&format!("{}_DEFAULT", placed.name), u64::from(value));
                }
            }
        }
    }
}

/// What only the newest parts have: short names of values, and what fuses and lock bits are
/// in a new part, which stand in the data space.
fn newest(device: &Device, out: &mut Defines) {
    for (name, value) in device.modules.iter().flat_map(bare_values) {
        out.hex(&name, value);
    }
    for placed in device.registers() {
        let Some(value) = placed.register.initial else {
            continue;
        };
        if placed.module.name == "FUSE" {
            out.hex(&format!("{}_DEFAULT", placed.name), u64::from(value));
        } else if placed.module.name.starts_with("LOCK") {
            out.hex("LOCKBITS_DEFAULT", u64::from(value));
        }
    }
}

fn bits(device: &Device, out: &mut Defines) {
    let registers = device.registers();
    for placed in &registers {
        if placed.name == "SREG" {
            continue;
        }
        for (name, at) in placed.register.fields.iter().flat_map(|f| f.bits()) {
            out.number(&name, u64::from(at % 8));
        }
    }
    for placed in &registers {
        whole(placed, out);
    }
}

/// The bits of a register that is one number: `PORTB3`, `DDB3`, `SPDR7`, `OCR0A_7`.
fn whole(placed: &Placed<'_>, out: &mut Defines) {
    let (name, register) = (placed.name.as_str(), placed.register);
    let only_word = name == "ADC" && register.size == 2;
    if !register.fields.is_empty() && !only_word || name == "SREG" {
        return;
    }
    for at in (0..8 * register.size.min(2)).filter(|at| register.mask >> at & 1 == 1) {
        let bit = u64::from(at % 8);
        if register.size == 2 {
            let half = if at < 8 { "L" } else { "H" };
            out.number(&format!("{name}{half}{bit}"), bit);
            if name == "EEAR" {
                out.number(&format!("{name}{at}"), bit);
            }
        } else if !name.starts_with("LCDDR") {
            // Which of the two a header has depends on its age. With the registers of an
            // LCD the first would be another of them.
            out.number(&format!("{name}{at}"), bit);
            out.number(&format!("{name}_{at}"), bit);
        }
        if let Some(port) = name.strip_prefix("DDR").filter(|p| p.len() == 1) {
            out.number(&format!("DD{port}{at}"), bit);
        }
        if name == "OSCCAL" {
            out.number(&format!("CAL{at}"), bit);
        }
    }
}

/// The short names of pins, `PB0`, and those without port, `PORT0`.
fn pins(device: &Device, out: &mut Defines) {
    for kind in ["PORT", "DD", "PIN"] {
        for bit in 0..8 {
            out.number(&format!("{kind}{bit}"), bit);
        }
    }
    if device.modular() {
        for bit in 0..8 {
            out.hex(&format!("PIN{bit}_bm"), 1 << bit);
            out.number(&format!("PIN{bit}_bp"), bit);
        }
    }
    for placed in device.registers() {
        let port = placed.name.strip_prefix("PORT").filter(|p| p.len() == 1);
        if let Some(port) = port {
            for bit in 0..8 {
                out.number(&format!("P{port}{bit}"), bit);
            }
        }
    }
}

fn vectors(device: &Device, out: &mut Defines) {
    for vector in device.vectors.iter().filter(|v| v.number > 0) {
        let number = vector.number.to_string();
        out.put(&format!("{}_vect_num", vector.name), &number);
        out.put(
            &format!("{}_vect", vector.name),
            &format!("_VECTOR({number})"),
        );
    }
    let (count, bytes) = (device.vector_count(), device.vector_bytes);
    out.put("_VECTOR_SIZE", &bytes.to_string());
    out.put("_VECTORS_SIZE", &format!("({count} * {bytes})"));
}

fn memories(device: &Device, out: &mut Defines) {
    let flash = &device.flash;
    let end = u64::from(flash.start + flash.size);
    if flash.page > 0 {
        out.number("SPM_PAGESIZE", u64::from(flash.page));
    }
    if device.sram.size > 0 {
        out.hex("RAMSTART", u64::from(device.sram.start));
        out.hex("RAMEND", u64::from(device.sram.last()));
        let beyond = device.xram.unwrap_or(device.sram);
        out.hex("XRAMEND", u64::from(beyond.last()));
        out.number("RAMSIZE", u64::from(device.sram.size));
        if let Some(outer) = device.xram {
            out.hex("XRAMSTART", u64::from(outer.start));
        }
        out.number("XRAMSIZE", device.xram.map_or(0, |x| u64::from(x.size)));
    }
    let eeprom = device.eeprom;
    if eeprom.size > 0 {
        out.number("E2START", 0);
        out.number("E2SIZE", u64::from(eeprom.size));
        // The newest have it in the data space only.
        let start = match (device.core, eeprom.mapped) {
            (Core::AvrXt, Some(at)) => at,
            _ => 0,
        };
        out.hex("E2END", u64::from(start + eeprom.size) - 1);
        out.number("E2PAGESIZE", u64::from(eeprom.page));
    }
    out.number("FLASHSTART", u64::from(flash.start));
    out.hex("FLASHEND", end - 1);
    for (at, byte) in device.signature.iter().enumerate() {
        if device.signature[0] != 0 {
            out.hex(&format!("SIGNATURE_{at}"), u64::from(*byte));
        }
    }
    if device.modular() {
        segments(device, out);
    }
}

/// The memories of the newer parts have each a start, a size, a page and an end.
fn segments(device: &Device, out: &mut Defines) {
    let flash = &device.flash;
    let boot = match flash.boot[..] {
        [size] => size,
        _ => 0,
    };
    let application = flash.size - boot;
    let mut segment = |name: &str, start: u32, size: u32, page: u32| {
        if size > 0 {
            out.hex(&format!("{name}_START"), u64::from(start));
            out.number(&format!("{name}_SIZE"), u64::from(size));
            out.number(&format!("{name}_PAGE_SIZE"), u64::from(page));
            out.hex(&format!("{name}_END"), u64::from(start + size) - 1);
        }
    };
    segment("PROGMEM", 0, flash.size, flash.page);
    if boot > 0 {
        segment("APP_SECTION", 0, application, flash.page);
        segment("BOOT_SECTION", application, boot, flash.page);
    }
    if let Some(table) = flash.table {
        segment("APPTABLE_SECTION", table.start, table.size, flash.page);
    }
    if let Some(mapped) = flash.mapped {
        segment("MAPPED_PROGMEM", mapped.start, mapped.size, flash.page);
    }
    if device.core == Core::AvrXm {
        // The same on all of them.
        segment("SIGNATURES", 0, 3, 0);
        segment("LOCKBITS", 0, 1, 0);
        let fuses = device.registers_in(Space::Fuses);
        let count = fuses.iter().map(|p| p.address + 1).max().unwrap_or(0);
        segment("FUSES", 0, count, 0);
        segment("USER_SIGNATURES", 0, flash.page, flash.page);
        segment("PROD_SIGNATURES", 0, 64, flash.page);
        let outer = device.xram.map_or(0, |x| x.start + x.size);
        let last = outer.max(device.sram.start + device.sram.size);
        segment("DATAMEM", 0, last, 0);
    }
    segment("IO", device.io.start, device.io.size, 0);
    segment("INTERNAL_SRAM", device.sram.start, device.sram.size, 0);
    if let Some(outer) = device.xram {
        segment("EXTERNAL_SRAM", outer.start, outer.size, 0);
    }
    let eeprom = device.eeprom;
    if device.core == Core::AvrXm {
        if let Some(at) = eeprom.mapped {
            segment("MAPPED_EEPROM", at, eeprom.size, 0);
        }
        segment("EEPROM", 0, eeprom.size, eeprom.page);
    } else {
        let at = eeprom.mapped.unwrap_or(0);
        segment("EEPROM", at, eeprom.size, eeprom.page);
        segment("MAPPED_EEPROM", at, eeprom.size, eeprom.page);
    }
}

/// Fuses as masks of their bits, and what a new part has.
fn fuses(device: &Device, out: &mut Defines) {
    let fuses = device.fuses();
    let bytes: Vec<_> = fuses
        .iter()
        .filter(|f| f.kind == super::FuseKind::Fuse)
        .collect();
    if bytes.is_empty() {
        return;
    }
    let last = bytes.iter().map(|b| b.number).max().unwrap_or(0);
    out.number("FUSE_MEMORY_SIZE", u64::from(last) + 1);
    for byte in &bytes {
        if device.modular()
            && let Some(value) = byte.initial
        {
            out.hex(&format!("FUSE{}_DEFAULT", byte.number), u64::from(value));
        }
        for (name, at) in byte.fields.iter().flat_map(super::Field::bits) {
            // The fuses of the newest hold values; of the others 0 is programmed.
            let not = if device.core == Core::AvrXt { "" } else { "~" };
            out.put(&format!("FUSE_{name}"), &format!("{not}_BV({at})"));
        }
        let letter = match byte.name {
            "LOW" => "L",
            "HIGH" => "H",
            "EXTENDED" => "E",
            _ => continue,
        };
        if let Some(value) = byte.initial {
            out.hex(&format!("{letter}FUSE_DEFAULT"), u64::from(value));
        }
    }
    let lock = device.registers_in(Space::Lock);
    let has = |name: &str| {
        lock.iter()
            .any(|p| p.register.fields.iter().any(|f| f.name == name))
    };
    if !lock.is_empty() {
        out.put("__LOCK_BITS_EXIST", "1");
    }
    if has("BLB0") {
        out.put("__BOOT_LOCK_BITS_0_EXIST", "1");
    }
    if has("BLB1") {
        out.put("__BOOT_LOCK_BITS_1_EXIST", "1");
    }
}

/// Access to registers by address, and vectors by number.
const SFR_DEFS: &str = "\
#ifndef _AVR_SFR_DEFS_H_
#define _AVR_SFR_DEFS_H_ 1
#ifndef _SFR_ASM_COMPAT
#define _SFR_ASM_COMPAT 1
#endif
#ifndef __SFR_OFFSET
#define __SFR_OFFSET __AVR_SFR_OFFSET__
#endif
#define _SFR_IO8(address) ((address) + __SFR_OFFSET)
#define _SFR_IO16(address) ((address) + __SFR_OFFSET)
#define _SFR_MEM8(address) (address)
#define _SFR_MEM16(address) (address)
#define _SFR_MEM32(address) (address)
#define _SFR_IO_ADDR(register) ((register) - __SFR_OFFSET)
#define _SFR_MEM_ADDR(register) (register)
#define _SFR_ADDR(register) _SFR_MEM_ADDR(register)
#define _SFR_IO_REG_P(register) ((register) < 0x40 + __SFR_OFFSET)
#define _BV(bit) (1 << (bit))
#define _VECTOR(number) __vector_ ## number
#endif
";

/// What the compiler says of itself and its types, as far as assembler sources ask.
const COMPILER: &[(&str, &str)] = &[
    ("__GNUC__", "5"),
    ("__GNUC_MINOR__", "4"),
    ("__GNUC_PATCHLEVEL__", "0"),
    ("__CHAR_BIT__", "8"),
    ("__SIZEOF_SHORT__", "2"),
    ("__SIZEOF_INT__", "2"),
    ("__SIZEOF_LONG__", "4"),
    ("__SIZEOF_LONG_LONG__", "8"),
    ("__SIZEOF_POINTER__", "2"),
    ("__SIZEOF_SIZE_T__", "2"),
    ("__SIZEOF_FLOAT__", "4"),
    ("__SIZEOF_DOUBLE__", "4"),
    ("__SIZEOF_LONG_DOUBLE__", "4"),
    ("__ORDER_LITTLE_ENDIAN__", "1234"),
    ("__ORDER_BIG_ENDIAN__", "4321"),
    ("__BYTE_ORDER__", "__ORDER_LITTLE_ENDIAN__"),
    ("__STDC__", "1"),
    ("__USER_LABEL_PREFIX__", ""),
    ("__REGISTER_PREFIX__", ""),
];

/// Fixed-point types by mode: bits of the fraction and of the integer.
#[rustfmt::skip]
const FIXED: &[(&str, u8, u8)] = &[
    ("QQ", 7, 0), ("HQ", 15, 0), ("SQ", 31, 0), ("DQ", 63, 0), ("TQ", 127, 0),
    ("UQQ", 8, 0), ("UHQ", 16, 0), ("USQ", 32, 0), ("UDQ", 64, 0), ("UTQ", 128, 0),
    ("HA", 7, 8), ("SA", 15, 16), ("DA", 31, 32), ("TA", 47, 16),
    ("UHA", 8, 8), ("USA", 16, 16), ("UDA", 32, 32), ("UTA", 48, 16),
    ("SFRACT", 7, 0), ("FRACT", 15, 0), ("LFRACT", 31, 0), ("LLFRACT", 63, 0),
    ("USFRACT", 8, 0), ("UFRACT", 16, 0), ("ULFRACT", 32, 0), ("ULLFRACT", 64, 0),
    ("SACCUM", 7, 8), ("ACCUM", 15, 16), ("LACCUM", 31, 32), ("LLACCUM", 47, 16),
    ("USACCUM", 8, 8), ("UACCUM", 16, 16), ("ULACCUM", 32, 32), ("ULLACCUM", 48, 16),
];

/// What all devices have in common.
const COMMON: &str = "\
#ifndef _AVR_COMMON_H
#define _AVR_COMMON_H 1
#include <avr/sfr_defs.h>
#if __AVR_ARCH__ >= 100
#define _AVR_CORE_REG8(address) _SFR_MEM8(address)
#define _AVR_CORE_REG16(address) _SFR_MEM16(address)
#else
#define _AVR_CORE_REG8(address) _SFR_IO8(address)
#define _AVR_CORE_REG16(address) _SFR_IO16(address)
#endif
#if __AVR_ARCH__ != 1
#ifndef SPL
#define SPL _AVR_CORE_REG8(0x3D)
#endif
#if __AVR_ARCH__ < 100 && defined(XRAMEND) && XRAMEND < 0x100 && !defined(__COMPILING_AVR_LIBC__)
#ifndef SP
#define SP _AVR_CORE_REG8(0x3D)
#endif
#else
#ifndef SP
#define SP _AVR_CORE_REG16(0x3D)
#endif
#ifndef SPH
#define SPH _AVR_CORE_REG8(0x3E)
#endif
#endif
#endif
#ifdef __COMPILING_AVR_LIBC__
#if !defined(EIND) && (__AVR_ARCH__ == 6 || __AVR_ARCH__ >= 100)
#define EIND _AVR_CORE_REG8(0x3C)
#endif
#if !defined(RAMPZ) && defined(__AVR_HAVE_RAMPZ__)
#define RAMPZ _AVR_CORE_REG8(0x3B)
#endif
#endif
#if __AVR_ARCH__ != 1
#define XL r26
#define XH r27
#define YL r28
#define YH r29
#endif
#define ZL r30
#define ZH r31
#ifndef SREG
#if __AVR_ARCH__ >= 100
#define SREG _SFR_MEM8(0x3F)
#else
#define SREG _SFR_IO8(0x3F)
#endif
#endif
#define SREG_C 0
#define SREG_Z 1
#define SREG_N 2
#define SREG_V 3
#define SREG_S 4
#define SREG_H 5
#define SREG_T 6
#define SREG_I 7
#define AVR_STATUS_REG SREG
#if __AVR_ARCH__ >= 100
#define _AVR_CORE_ADDR(register) _SFR_MEM_ADDR(register)
#else
#define _AVR_CORE_ADDR(register) _SFR_IO_ADDR(register)
#endif
#define AVR_STATUS_ADDR _AVR_CORE_ADDR(SREG)
#ifdef SP
#define AVR_STACK_POINTER_REG SP
#define AVR_STACK_POINTER_ADDR _AVR_CORE_ADDR(SP)
#endif
#ifdef SPL
#ifndef SP
#define SP SPL
#define AVR_STACK_POINTER_REG SP
#define AVR_STACK_POINTER_ADDR _AVR_CORE_ADDR(SP)
#endif
#define AVR_STACK_POINTER_LO_REG SPL
#define AVR_STACK_POINTER_LO_ADDR _AVR_CORE_ADDR(SPL)
#endif
#ifdef SPH
#define _HAVE_AVR_STACK_POINTER_HI 1
#define AVR_STACK_POINTER_HI_REG SPH
#define AVR_STACK_POINTER_HI_ADDR _AVR_CORE_ADDR(SPH)
#endif
#ifdef RAMPD
#define AVR_RAMPD_REG RAMPD
#define AVR_RAMPD_ADDR _AVR_CORE_ADDR(RAMPD)
#endif
#ifdef RAMPX
#define AVR_RAMPX_REG RAMPX
#define AVR_RAMPX_ADDR _AVR_CORE_ADDR(RAMPX)
#endif
#ifdef RAMPY
#define AVR_RAMPY_REG RAMPY
#define AVR_RAMPY_ADDR _AVR_CORE_ADDR(RAMPY)
#endif
#ifdef RAMPZ
#define AVR_RAMPZ_REG RAMPZ
#define AVR_RAMPZ_ADDR _AVR_CORE_ADDR(RAMPZ)
#endif
#ifdef EIND
#define AVR_EXTENDED_INDIRECT_REG EIND
#define AVR_EXTENDED_INDIRECT_ADDR _AVR_CORE_ADDR(EIND)
#endif
#ifdef SREG
#define SREG_IO_ADDR _SFR_IO_ADDR(SREG)
#endif
#ifdef SP
#define SP_IO_ADDR _SFR_IO_ADDR(SP)
#endif
#ifdef SPH
#define SPH_IO_ADDR _SFR_IO_ADDR(SPH)
#endif
#ifdef SPL
#define SPL_IO_ADDR _SFR_IO_ADDR(SPL)
#endif
#ifdef RAMPD
#define RAMPD_IO_ADDR _SFR_IO_ADDR(RAMPD)
#endif
#ifdef RAMPX
#define RAMPX_IO_ADDR _SFR_IO_ADDR(RAMPX)
#endif
#ifdef RAMPY
#define RAMPY_IO_ADDR _SFR_IO_ADDR(RAMPY)
#endif
#ifdef RAMPZ
#define RAMPZ_IO_ADDR _SFR_IO_ADDR(RAMPZ)
#endif
#ifdef EIND
#define EIND_IO_ADDR _SFR_IO_ADDR(EIND)
#endif
#endif
";

/// The version of avr-libc whose headers these stand for.
const VERSION: &str = "\
#ifndef _AVR_VERSION_H_
#define _AVR_VERSION_H_ 1
#define __AVR_LIBC_VERSION_STRING__ \"2.0.0\"
#define __AVR_LIBC_VERSION__ 20000UL
#define __AVR_LIBC_DATE_STRING__ \"20150208\"
#define __AVR_LIBC_DATE_ 20150208UL
#define __AVR_LIBC_MAJOR__ 2
#define __AVR_LIBC_MINOR__ 0
#define __AVR_LIBC_REVISION__ 0
#endif
";

/// The handler of vectors that have none.
const INTERRUPT: &str = "\
#include <avr/io.h>
#define BADISR_vect __vector_default
";

/// Commands of self-programming, by the name that the device has for their bits.
const BOOT: &str = "\
#include <avr/io.h>
#if defined(SPMCSR)
#define __SPM_REG SPMCSR
#elif defined(SPMCR)
#define __SPM_REG SPMCR
#endif
#if defined(SELFPRGEN)
#define __SPM_ENABLE SELFPRGEN
#elif defined(SPMEN)
#define __SPM_ENABLE SPMEN
#endif
#if defined(RWWSRE)
#define __COMMON_ASRE RWWSRE
#elif defined(ASRE)
#define __COMMON_ASRE ASRE
#endif
#define __BOOT_PAGE_ERASE (_BV(__SPM_ENABLE) | _BV(PGERS))
#define __BOOT_PAGE_WRITE (_BV(__SPM_ENABLE) | _BV(PGWRT))
#define __BOOT_PAGE_FILL _BV(__SPM_ENABLE)
#define __BOOT_RWW_ENABLE (_BV(__SPM_ENABLE) | _BV(__COMMON_ASRE))
#define __BOOT_LOCK_BITS_SET (_BV(__SPM_ENABLE) | _BV(BLBSET))
";

/// Times of the watchdog.
const WDT: &str = "\
#include <avr/io.h>
#define WDTO_15MS 0
#define WDTO_30MS 1
#define WDTO_60MS 2
#define WDTO_120MS 3
#define WDTO_250MS 4
#define WDTO_500MS 5
#define WDTO_1S 6
#define WDTO_2S 7
#define WDTO_4S 8
#define WDTO_8S 9
";
