//! From the text of a data file to devices.
//!
//! A file has the lines `device ...` first, then the sections `vectors`, `module NAME`,
//! `aliases` and `constants`. A line may begin with the devices that it holds for,
//! `[48 88]`, or those that it does not hold for, `[!48 88]`.

use super::data::{number, paged, positions, range, short};
use super::model::{
    Core, Device, Eeprom, Field, Flash, Group, Instance, Module, Range, Register, Space, Sub,
    Values, Vector,
};
use crate::features;

/// What is wrong in a data file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// The line, from 1.
    pub line: usize,
    /// What was expected there.
    pub expected: &'static str,
}

/// The part of a file that a line belongs to.
#[derive(Clone, Copy)]
enum Section {
    Devices,
    Vectors,
    Module(&'static str),
    Aliases,
    Constants,
}

/// The devices of a file, or the one of that name.
///
/// # Errors
/// The first line that cannot be read.
pub fn parse(text: &'static str, only: Option<&str>) -> Result<Vec<Device>, Fault> {
    let mut devices: Vec<Device> = Vec::new();
    let mut shorts: Vec<&str> = Vec::new();
    let mut section = Section::Devices;
    for (at, line) in text.lines().enumerate() {
        let fault = |expected| Fault {
            line: at + 1,
            expected,
        };
        let line = line.trim_end();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let (chosen, line) = select(line).ok_or(fault("`]` after the devices"))?;
        if let Selection::Only(list) | Selection::AllBut(list) = chosen {
            let known = |s: &str| shorts.contains(&s);
            if !list.split(' ').all(known) {
                return Err(fault("devices of this file in `[...]`"));
            }
        }
        if let Some(rest) = line.strip_prefix("device ") {
            let device = device(rest).ok_or(fault("`device NAME key=value ...`"))?;
            if shorts.contains(&short(device.name)) {
                return Err(fault("devices whose short names differ"));
            }
            shorts.push(short(device.name));
            if only.is_none_or(|name| name == device.name) {
                devices.push(device);
            }
            continue;
        }
        if let Some(name) = line.strip_prefix("module ") {
            section = Section::Module(name);
            continue;
        }
        match line {
            "vectors" => section = Section::Vectors,
            "aliases" => section = Section::Aliases,
            "constants" => section = Section::Constants,
            _ => {
                for device in devices.iter_mut().filter(|d| chosen.takes(d.name)) {
                    entry(device, section, line).map_err(fault)?;
                }
            }
        }
    }
    for device in &mut devices {
        place_the_rest(device);
    }
    Ok(devices)
}

/// Which devices a line holds for.
#[derive(Clone, Copy)]
enum Selection {
    All,
    Only(&'static str),
    AllBut(&'static str),
}

impl Selection {
    fn takes(self, name: &str) -> bool {
        let listed = |list: &str| list.split(' ').any(|s| s == short(name));
        match self {
            Self::All => true,
            Self::Only(list) => listed(list),
            Self::AllBut(list) => !listed(list),
        }
    }
}

fn select(line: &'static str) -> Option<(Selection, &'static str)> {
    let Some(rest) = line.strip_prefix('[') else {
        return Some((Selection::All, line));
    };
    let (list, rest) = rest.split_once("] ")?;
    Some(match list.strip_prefix('!') {
        Some(list) => (Selection::AllBut(list), rest),
        None => (Selection::Only(list), rest),
    })
}

fn device(text: &'static str) -> Option<Device> {
    let mut words = text.split(' ');
    let mut device = Device {
        name: words.next()?,
        core: Core::Avr,
        group: Group::Avr2,
        has: 0,
        lacks: 0,
        signature: [0; 3],
        flash: Flash::default(),
        sram: Range::default(),
        xram: None,
        eeprom: Eeprom::default(),
        io: Range::default(),
        vector_bytes: 0,
        vectors: Vec::new(),
        modules: Vec::new(),
        instances: Vec::new(),
        aliases: Vec::new(),
        constants: Vec::new(),
    };
    let mut seen = 0;
    for word in words {
        let (key, value) = word.split_once('=')?;
        match key {
            "core" => {
                seen |= 1;
                device.core = Core::ALL.iter().find(|r| r.1 == value)?.0;
            }
            "group" => {
                seen |= 2;
                device.group = Group::ALL.iter().find(|r| r.1 == value)?.0;
            }
            "sig" => {
                if value.len() != 6 {
                    return None;
                }
                let bytes = u32::from_str_radix(value, 16).ok()?.to_be_bytes();
                device.signature = [bytes[1], bytes[2], bytes[3]];
            }
            "flash" => {
                seen |= 4;
                let (size, page, start) = paged(value)?;
                device.flash.size = size;
                device.flash.page = page;
                device.flash.start = start.unwrap_or(0);
            }
            "boot" => {
                device.flash.boot = value.split(',').map(number).collect::<Option<_>>()?;
            }
            "apptable" => device.flash.table = Some(range(value)?),
            "rom" => device.flash.rom = Some(range(value)?),
            "mapped" => device.flash.mapped = Some(range(value)?),
            "sram" => device.sram = range(value)?,
            "xram" => device.xram = Some(range(value)?),
            "eeprom" => {
                let (size, page, mapped) = paged(value)?;
                device.eeprom = Eeprom { size, page, mapped };
            }
            "io" => {
                seen |= 8;
                device.io = range(value)?;
            }
            "vector" => {
                seen |= 16;
                device.vector_bytes = number(value)?;
            }
            "has" => device.has = feature_bits(value)?,
            "lacks" => device.lacks = feature_bits(value)?,
            _ => return None,
        }
    }
    (seen == 31).then_some(device)
}

fn feature_bits(list: &str) -> Option<u32> {
    list.split(',').try_fold(0, |bits, name| {
        let row = features::NAMES.iter().find(|r| r.0 == name)?;
        Some(bits | row.1)
    })
}

fn entry(device: &mut Device, section: Section, line: &'static str) -> Result<(), &'static str> {
    match section {
        Section::Devices => Err("`device`, `vectors` or `module`"),
        Section::Vectors => {
            let vector = line.split_once(' ').and_then(|(number_, name)| {
                Some(Vector {
                    number: number(number_)?,
                    name,
                })
            });
            device.vectors.push(vector.ok_or("`number name`")?);
            Ok(())
        }
        Section::Aliases => {
            let pair = line.split_once(' ').ok_or("`alias name`")?;
            device.aliases.push(pair);
            Ok(())
        }
        Section::Constants => {
            for word in line.split(' ') {
                let (name, value) = word.split_once('=').ok_or("`name=number`")?;
                let value = match value.strip_prefix('-') {
                    Some(value) => number(value).map(|v| -i64::from(v)),
                    None => number(value).map(i64::from),
                };
                device.constants.push((name, value.ok_or("`name=number`")?));
            }
            Ok(())
        }
        Section::Module(name) => {
            let index = match device.modules.iter().position(|m| m.name == name) {
                Some(index) => index,
                None => {
                    device.modules.push(Module {
                        name,
                        registers: Vec::new(),
                        subs: Vec::new(),
                        values: Vec::new(),
                    });
                    device.modules.len() - 1
                }
            };
            in_module(device, index, line)
        }
    }
}

fn in_module(device: &mut Device, index: usize, line: &'static str) -> Result<(), &'static str> {
    let words: Vec<&'static str> = line.split(' ').collect();
    let module = &mut device.modules[index];
    match words[0] {
        "at" => {
            let (Some(base), Some(&name)) = (words.get(1).and_then(|w| number(w)), words.get(2))
            else {
                return Err("`at base name`");
            };
            let space = match words.get(3).copied() {
                None => Space::Data,
                Some("fuses") => Space::Fuses,
                Some("lockbits") => Space::Lock,
                Some("prod_signatures" | "signatures" | "user_signatures") => Space::Signature,
                Some(_) => return Err("`fuses`, `lockbits` or `signatures`"),
            };
            device.instances.push(Instance {
                name,
                module: index,
                base,
                space,
            });
        }
        "sub" => {
            let [_, offset, name, inner] = words[..] else {
                return Err("`sub offset name module`");
            };
            module.subs.push(Sub {
                offset: number(offset).ok_or("`sub offset name module`")?,
                name,
                module: inner,
            });
        }
        "values" => {
            let Some(&name) = words.get(1) else {
                return Err("`values name name=number ...`");
            };
            if module.values.last().is_none_or(|v| v.name != name) {
                module.values.push(Values {
                    name,
                    values: Vec::new(),
                });
            }
            for word in &words[2..] {
                let pair = word
                    .split_once('=')
                    .and_then(|(n, v)| Some((n, number(v)?)));
                let pair = pair.ok_or("`values name name=number ...`")?;
                if let Some(list) = module.values.last_mut() {
                    list.values.push(pair);
                }
            }
        }
        _ => {
            let register = register(module.name, &words).ok_or("`address name fields ...`")?;
            module.registers.push(register);
        }
    }
    Ok(())
}

fn register(module: &'static str, words: &[&'static str]) -> Option<Register> {
    let [offset, name, rest @ ..] = words else {
        return None;
    };
    let (name, size) = match name.split_once(':') {
        Some((name, size)) => (name, number(size)?),
        None => (*name, 1),
    };
    let whole = if size >= 4 {
        u32::MAX
    } else {
        (1 << (8 * size)) - 1
    };
    let mut register = Register {
        offset: u32::from_str_radix(offset, 16).ok()?,
        name,
        size,
        initial: None,
        mask: whole,
        fields: Vec::new(),
    };
    for word in rest {
        if let Some(value) = word.strip_prefix('=') {
            register.initial = Some(u32::from_str_radix(value, 16).ok()?);
        } else if let Some(value) = word.strip_prefix('&') {
            register.mask = u32::from_str_radix(value, 16).ok()?;
        } else {
            register.fields.push(field(module, word)?);
        }
    }
    Some(register)
}

fn field(module: &'static str, word: &'static str) -> Option<Field> {
    let (name, rest) = word.split_once('@')?;
    let (rest, values) = match rest.split_once('=') {
        None => (rest, None),
        // The usual name of the list is that of the module with that of the field.
        Some((rest, "")) => (rest, Some("")),
        Some((rest, list)) => (rest, Some(list)),
    };
    let (place, first) = rest.split_once('#').unwrap_or((rest, "0"));
    debug_assert!(!module.is_empty());
    Some(Field {
        name,
        mask: positions(place)?,
        first: number(first)?,
        values,
    })
}

/// A module that no line places is there once, with its registers' own addresses.
fn place_the_rest(device: &mut Device) {
    if device.modular() {
        return;
    }
    for index in 0..device.modules.len() {
        if device.instances.iter().all(|i| i.module != index) {
            device.instances.push(Instance {
                name: device.modules[index].name,
                module: index,
                base: 0,
                space: Space::Data,
            });
        }
    }
}
