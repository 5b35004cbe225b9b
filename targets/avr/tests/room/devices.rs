//! The device data: every file is read, the facts agree with themselves.

use std::collections::{BTreeMap, BTreeSet};

use scrimp_avr::devices::{self, Core, Device, FuseKind, Group, Space};
use scrimp_avr::features;

fn all() -> Vec<Device> {
    match devices::parse_all() {
        Ok(all) => all,
        Err((file, fault)) => panic!("{file}:{}: expected {}", fault.line, fault.expected),
    }
}

fn device(name: &str) -> &'static Device {
    devices::find(name).unwrap_or_else(|| panic!("{name} is not known"))
}

fn identifier(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
}

#[test]
fn every_file_is_read_and_none_is_forgotten() {
    assert_eq!(all().len(), devices::names().len());
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/devices");
    let mut there: Vec<String> = std::fs::read_dir(folder)
        .expect("the folder")
        .map(|e| {
            let name = e.expect("an entry").file_name();
            name.to_string_lossy().into_owned()
        })
        .filter_map(|n| n.strip_suffix(".avr").map(str::to_owned))
        .collect();
    there.sort();
    let mut listed = devices::files();
    listed.sort_unstable();
    assert_eq!(there, listed);
}

#[test]
fn what_cannot_be_read_is_a_fault_with_its_line() {
    let head = "device ATx core=AVR group=avr2 flash=1024/0 io=0x20+64 vector=2\n";
    let good: &'static str = Box::leak(format!("{head}vectors\n0 RESET\n").into_boxed_str());
    assert_eq!(devices::parse(good, None).map(|d| d.len()), Ok(1));
    for (text, line) in [
        ("device ATx core=AVR group=avr2\n", 1),
        (
            "device ATx core=Z80 group=avr2 flash=1/0 io=0x20+64 vector=2\n",
            1,
        ),
        ("vectors\nINT0 1\n", 3),
        ("vectors\n[y] 1 INT0\n", 3),
        ("vectors\n[x 1 INT0\n", 3),
        ("module M\nG0 NAME\n", 3),
        ("module M\n00 NAME:x\n", 3),
        ("module M\n00 NAME BIT@8:9\n", 3),
        ("module M\n00 NAME BIT@1,1\n", 3),
        ("module M\n00 NAME BIT\n", 3),
        ("module M\nat 0 M nowhere\n", 3),
        ("module M\nsub 0 M\n", 3),
        ("module M\nvalues V A=x\n", 3),
        ("aliases\nONE\n", 3),
        ("constants\nONE=two\n", 3),
        ("nothing\n", 2),
        (
            "device ATx core=AVR group=avr2 flash=1/0 io=0x20+64 vector=2\n",
            2,
        ),
    ] {
        let whole = if line == 1 {
            text.to_owned()
        } else {
            format!("{head}{text}")
        };
        let whole: &'static str = Box::leak(whole.into_boxed_str());
        let fault = devices::parse(whole, None).expect_err(text);
        assert_eq!(fault.line, line, "{text}");
        assert!(!fault.expected.is_empty());
    }
}

#[test]
fn names_are_found_as_assemblers_spell_them() {
    for (spelled, name) in [
        ("ATmega8", "ATmega8"),
        ("atmega8", "ATmega8"),
        ("ATMEGA328p", "ATmega328P"),
        ("m328p", "ATmega328P"),
        ("t85", "ATtiny85"),
        ("tn85", "ATtiny85"),
        ("tiny85", "ATtiny85"),
        ("8515", "AT90S8515"),
        ("90s8515", "AT90S8515"),
        ("m8515", "ATmega8515"),
        ("usb1287", "AT90USB1287"),
        ("can128", "AT90CAN128"),
        ("pwm3b", "AT90PWM3B"),
        ("x128a1", "ATxmega128A1"),
        ("avr128db28", "AVR128DB28"),
        ("AVR32DA48", "AVR32DA48"),
        ("avr64db64", "AVR64DB64"),
        ("ata5272", "ATA5272"),
    ] {
        let found = devices::find(spelled).map(|d| d.name);
        assert_eq!(found, Some(name), "{spelled}");
    }
    for unknown in [
        "",
        "at",
        "m",
        "atmega9",
        "ATmega8x",
        "z80",
        &"x".repeat(4000),
    ] {
        assert!(devices::find(unknown).is_none(), "{unknown}");
    }
    // Every name finds itself, and a device is read once.
    for name in devices::names() {
        assert_eq!(device(name).name, name);
        assert!(std::ptr::eq(device(name), device(&name.to_lowercase())));
    }
}

#[test]
fn a_wrong_name_gets_near_ones() {
    assert_eq!(
        devices::near("attiny86"),
        ["ATtiny85", "ATtiny87", "ATtiny84", "ATtiny88"]
    );
    assert!(devices::near_includes("tn58def.inc").contains(&"tn85def.inc".to_owned()));
    assert!(devices::near_includes("M382Pdef.inc").contains(&"m328Pdef.inc".to_owned()));
    assert!(devices::near_includes("macros.inc").is_empty());
    for (wrong, near) in [
        ("atmega382p", "ATmega328P"),
        ("attiny86", "ATtiny85"),
        ("attny85", "ATtiny85"),
        ("AT90S8551", "AT90S8515"),
        ("m82", "ATmega8"),
    ] {
        let found = devices::near(wrong);
        assert!(
            found.contains(&near) && found.len() <= 4,
            "{wrong}: {found:?}"
        );
    }
    assert!(devices::near("pdp11").is_empty());
    assert!(devices::near("").is_empty());
    assert!(devices::near(&"q".repeat(100_000)).is_empty());
}

#[test]
fn memories_are_sensible() {
    let mut signatures: BTreeMap<[u8; 3], usize> = BTreeMap::new();
    for d in all() {
        let name = d.name;
        let flash = &d.flash;
        assert!((512..=512 * 1024).contains(&flash.size), "{name}");
        assert!(flash.size.is_multiple_of(256), "{name}");
        if flash.page > 0 {
            assert!(flash.size.is_multiple_of(flash.page), "{name}");
        }
        assert!(
            flash.boot.is_sorted() && flash.boot.iter().all(|&b| b <= flash.size),
            "{name}"
        );
        assert!(matches!(d.vector_bytes, 2 | 4), "{name}");
        assert!(d.signature[0] == 0x1e, "{name}");
        *signatures.entry(d.signature).or_default() += 1;
        assert!(d.sram.size == 0 || d.sram.start >= 0x40, "{name}");
        if let Some(outer) = d.xram {
            assert!(outer.start > d.sram.last(), "{name}");
        }
        assert!(d.eeprom.size <= 8192, "{name}");
        assert!(d.io.size >= 0x40 && d.io.start <= 0x20, "{name}");
        // The registers lie below the memory, unless it appears after them.
        if d.core != Core::AvrXt && d.sram.size > 0 {
            assert!(d.sram.start > d.io.last(), "{name}");
        }
    }
    // Several parts share one, but not many.
    let most = signatures.values().max();
    assert!(most.is_some_and(|n| *n <= 6), "{signatures:?}");
}

#[test]
fn cores_groups_and_features_agree() {
    for d in all() {
        let name = d.name;
        let has = |bit| d.features() & bit != 0;
        assert_ne!(has(features::RC), has(features::FULL), "{name}");
        assert_eq!(has(features::RC), d.core == Core::AvrRc, "{name}");
        assert_eq!(d.group == Group::AvrTiny, d.core == Core::AvrRc, "{name}");
        assert_eq!(d.group >= Group::Xmega2, d.modular(), "{name}");
        // Nothing is said twice.
        assert_eq!(d.has & d.group.features(), 0, "{name}");
        assert_eq!(d.lacks & !d.group.features(), 0, "{name}");
        // A part of more than 8 KiB can reach all of itself.
        if d.flash.size > 8192 && name != "AT86RF401" {
            assert!(has(features::JMP), "{name}");
        }
        // A vector of two words holds a JMP.
        if d.vector_bytes == 4 && name != "AT86RF401" {
            assert!(has(features::JMP), "{name}");
        }
        // Beyond 128 KiB the program counter needs 22 bits.
        let top = d.flash.start + d.flash.size;
        assert_eq!(has(features::EIND), top > 0x2_0000, "{name}");
        assert!(!has(features::EIND) || has(features::ELPM), "{name}");
        if top > 0x1_0000 {
            assert!(has(features::ELPM), "{name}");
        }
        assert_eq!(
            has(features::MUL),
            matches!(d.core, Core::AvrEPlus | Core::AvrXm | Core::AvrXt),
            "{name}"
        );
    }
}

#[test]
fn vectors_registers_and_fields_are_in_order() {
    for d in all() {
        let name = d.name;
        let numbers: Vec<u32> = d.vectors.iter().map(|v| v.number).collect();
        assert!(numbers.is_sorted() && numbers.len() >= 2, "{name}");
        let distinct: BTreeSet<_> = d.vectors.iter().map(|v| (v.number, v.name)).collect();
        assert_eq!(distinct.len(), d.vectors.len(), "{name}");
        assert!(d.vectors.iter().all(|v| identifier(v.name)), "{name}");
        assert!(d.vector_count() <= 130, "{name}");

        let mut places: BTreeMap<String, (u32, u32)> = BTreeMap::new();
        for placed in d.registers() {
            let (at, size) = (placed.address, placed.register.size);
            assert!(identifier(&placed.name), "{name} {}", placed.name);
            let shared = d.core == Core::AvrXt
                && matches!(
                    placed.module.name,
                    "FUSE" | "LOCK" | "LOCKBIT" | "SIGROW" | "USERROW" | "BOOTROW"
                );
            assert!(
                shared || at + size <= d.io.start + d.io.size + 64,
                "{name} {} at {at:x}",
                placed.name
            );
            assert!(at >= d.io.start, "{name} {}", placed.name);
            // A register is named in one place only, or in several alike.
            let before = places.insert(placed.name.clone(), (at, size));
            assert!(
                before.is_none_or(|b| b == (at, size)),
                "{name} {}",
                placed.name
            );
        }
        for module in &d.modules {
            for register in &module.registers {
                let context = format!("{name} {} {}", module.name, register.name);
                assert!(matches!(register.size, 1..=4), "{context}");
                let whole = u32::MAX >> (32 - 8 * register.size);
                assert!(register.mask & !whole == 0, "{context}");
                for field in &register.fields {
                    assert!(identifier(field.name), "{context} {}", field.name);
                    assert!(
                        field.mask != 0 && field.mask & !whole == 0,
                        "{context} {}",
                        field.name
                    );
                    assert!(
                        field.mask.count_ones() > 1 || field.first == 0,
                        "{context} {}",
                        field.name
                    );
                }
            }
            for sub in &module.subs {
                assert!(
                    d.modules.iter().any(|m| m.name == sub.module),
                    "{name} {}",
                    sub.module
                );
            }
            for values in &module.values {
                assert!(
                    identifier(values.name) && !values.values.is_empty(),
                    "{name}"
                );
            }
        }
        for instance in &d.instances {
            assert!(
                instance.module < d.modules.len() && identifier(instance.name),
                "{name}"
            );
        }
        for (alias, of) in &d.aliases {
            assert!(
                identifier(alias) && d.register(of).is_some(),
                "{name} {alias} {of}"
            );
            assert!(d.register(alias).is_none(), "{name} {alias}");
        }
        assert!(d.constants.iter().all(|(n, _)| identifier(n)), "{name}");
        // What every part has.
        let status = if d.modular() { "CPU_SREG" } else { "SREG" };
        let place = d.register(status).map(|p| p.address - d.io_offset());
        assert_eq!(place, Some(0x3f), "{name}");
        assert!(!d.fuses().is_empty(), "{name}");
    }
}

/// Flash, SRAM from and to, EEPROM, vectors, core, and whether BREAK, MUL, JMP are there.
type Facts = (u32, u32, u32, u32, u32, Core, [bool; 3]);

#[test]
fn the_parts_that_most_programs_are_for() {
    use Core::{Avr, AvrE, AvrEPlus, AvrRc, AvrXt};
    let table: &[(&str, Facts)] = &[
        (
            "ATtiny84",
            (8192, 0x60, 0x25f, 512, 17, AvrE, [true, false, false]),
        ),
        (
            "ATtiny84A",
            (8192, 0x60, 0x25f, 512, 17, AvrE, [true, false, false]),
        ),
        (
            "AT90S8515",
            (8192, 0x60, 0x25f, 512, 13, Avr, [false, false, false]),
        ),
        (
            "ATmega8",
            (8192, 0x60, 0x45f, 512, 19, AvrEPlus, [false, true, false]),
        ),
        (
            "ATmega48",
            (4096, 0x100, 0x2ff, 256, 26, AvrEPlus, [true, true, false]),
        ),
        (
            "ATmega88",
            (8192, 0x100, 0x4ff, 512, 26, AvrEPlus, [true, true, false]),
        ),
        (
            "ATmega168",
            (16384, 0x100, 0x4ff, 512, 26, AvrEPlus, [true, true, true]),
        ),
        (
            "ATmega328P",
            (32768, 0x100, 0x8ff, 1024, 26, AvrEPlus, [true, true, true]),
        ),
        (
            "ATtiny13",
            (1024, 0x60, 0x9f, 64, 10, AvrE, [true, false, false]),
        ),
        (
            "ATtiny2313",
            (2048, 0x60, 0xdf, 128, 19, AvrE, [true, false, false]),
        ),
        (
            "ATtiny25",
            (2048, 0x60, 0xdf, 128, 15, AvrE, [true, false, false]),
        ),
        (
            "ATtiny85",
            (8192, 0x60, 0x25f, 512, 15, AvrE, [true, false, false]),
        ),
        (
            "ATtiny9",
            (1024, 0x40, 0x5f, 0, 10, AvrRc, [true, false, false]),
        ),
        (
            "ATtiny10",
            (1024, 0x40, 0x5f, 0, 11, AvrRc, [true, false, false]),
        ),
        (
            "ATmega32",
            (32768, 0x60, 0x85f, 1024, 21, AvrEPlus, [true, true, true]),
        ),
        (
            "ATmega644P",
            (65536, 0x100, 0x10ff, 2048, 31, AvrEPlus, [true, true, true]),
        ),
        (
            "ATmega1280",
            (
                131_072,
                0x200,
                0x21ff,
                4096,
                57,
                AvrEPlus,
                [true, true, true],
            ),
        ),
        (
            "ATmega1284P",
            (
                131_072,
                0x100,
                0x40ff,
                4096,
                35,
                AvrEPlus,
                [true, true, true],
            ),
        ),
        (
            "ATmega2560",
            (
                262_144,
                0x200,
                0x21ff,
                4096,
                57,
                AvrEPlus,
                [true, true, true],
            ),
        ),
        (
            "ATtiny817",
            (8192, 0x3e00, 0x3fff, 128, 26, AvrXt, [true, true, true]),
        ),
        (
            "ATtiny1614",
            (16384, 0x3800, 0x3fff, 256, 31, AvrXt, [true, true, true]),
        ),
        (
            "ATmega4809",
            (49152, 0x2800, 0x3fff, 256, 40, AvrXt, [true, true, true]),
        ),
    ];
    for &(name, facts) in table {
        let d = device(name);
        let bits = [features::BREAK, features::MUL, features::JMP];
        let found: Facts = (
            d.flash.size,
            d.sram.start,
            d.sram.last(),
            d.eeprom.size,
            d.vector_count(),
            d.core,
            bits.map(|bit| d.features() & bit != 0),
        );
        assert_eq!(found, facts, "{name}");
    }
}

#[test]
fn what_single_parts_lack() {
    let has = |name: &str, bit| device(name).features() & bit != 0;
    for name in [
        "ATmega8",
        "ATmega8A",
        "ATmega161",
        "ATmega163",
        "ATtiny26",
        "ATmega8515",
    ] {
        assert!(!has(name, features::BREAK), "{name}");
    }
    assert!(has("ATmega16", features::BREAK) && has("ATtiny10", features::BREAK));
    assert!(has("ATtiny26", features::LPMX) && !has("ATtiny26", features::LPMZP));
    assert!(!has("AT90S1200", features::LPM) && !has("AT90S1200", features::SRAM));
    assert!(has("ATtiny12", features::LPM) && !has("ATtiny12", features::IJMP));
    for bit in [
        features::MOVW,
        features::LPMX,
        features::SPM,
        features::MUL,
        features::JMP,
    ] {
        assert!(!has("AT90S8515", bit), "{bit}");
    }
    assert!(has("ATxmega128A1U", features::RMW) && !has("ATxmega128A1", features::RMW));
    assert!(has("ATmega1280", features::ELPM) && !has("ATmega1280", features::EIND));
    assert!(!has("ATmega4809", features::SPM) && has("AVR128DB28", features::SPMX));
    assert!(!has("ATmega88PA", features::JMP) && !has("ATtiny10", features::ADIW));
}

#[test]
fn registers_of_the_attiny84_and_the_at90s8515() {
    let places = |name: &str, list: &[(&str, u32)]| {
        let d = device(name);
        for (register, at) in list {
            let found = d.register(register).and_then(|p| d.io_address(p.address));
            assert_eq!(found, Some(*at), "{name} {register}");
        }
    };
    let t84 = [
        ("PORTA", 0x1b),
        ("DDRA", 0x1a),
        ("PINA", 0x19),
        ("PORTB", 0x18),
        ("DDRB", 0x17),
        ("PINB", 0x16),
        ("GPIOR0", 0x13),
        ("GPIOR2", 0x15),
        ("USIBR", 0x10),
        ("USIDR", 0x0f),
        ("USISR", 0x0e),
        ("USICR", 0x0d),
        ("TCNT0", 0x32),
        ("TCCR0B", 0x33),
        ("TCNT1", 0x2c),
        ("OCR1A", 0x2a),
        ("EECR", 0x1c),
        ("EEDR", 0x1d),
        ("EEAR", 0x1e),
        ("OSCCAL", 0x31),
        ("CLKPR", 0x26),
        ("SP", 0x3d),
    ];
    places("ATtiny84", &t84);
    places("ATtiny84A", &t84);
    places(
        "AT90S8515",
        &[
            ("UDR", 0x0c),
            ("USR", 0x0b),
            ("UCR", 0x0a),
            ("UBRR", 0x09),
            ("SP", 0x3d),
        ],
    );
    let d = device("AT90S8515");
    let bits = |register: &str| -> Vec<(String, u32)> {
        let placed = d.register(register).expect("it");
        let fields = placed.register.fields.iter();
        fields.flat_map(devices::Field::bits).collect()
    };
    let named = |list: &[(&str, u32)]| -> Vec<(String, u32)> {
        list.iter().map(|(n, at)| ((*n).to_owned(), *at)).collect()
    };
    assert_eq!(
        bits("USR"),
        named(&[("RXC", 7), ("TXC", 6), ("UDRE", 5), ("FE", 4), ("DOR", 3)])
    );
    assert_eq!(
        bits("UCR")[..6],
        named(&[
            ("RXCIE", 7),
            ("TXCIE", 6),
            ("UDRIE", 5),
            ("RXEN", 4),
            ("TXEN", 3),
            ("CHR9", 2)
        ])
    );
    let vector = |number| {
        d.vectors
            .iter()
            .find(|v| v.number == number)
            .map(|v| v.name)
    };
    assert_eq!(vector(9), Some("UART_RX"));
    assert_eq!(vector(10), Some("UART_UDRE"));
    assert_eq!(vector(11), Some("UART_TX"));
}

#[test]
fn signatures_fuses_and_lock_bits() {
    assert_eq!(device("ATmega328P").signature, [0x1e, 0x95, 0x0f]);
    assert_eq!(device("AT90S8515").signature, [0x1e, 0x93, 0x01]);
    assert_eq!(device("ATtiny84").signature, [0x1e, 0x93, 0x0c]);
    let d = device("ATmega328P");
    let fuses = d.fuses();
    let list: Vec<_> = fuses
        .iter()
        .map(|f| (f.kind, f.name, f.number, f.initial))
        .collect();
    assert_eq!(
        list,
        [
            (FuseKind::Fuse, "LOW", 0, Some(0x62)),
            (FuseKind::Fuse, "HIGH", 1, Some(0xd9)),
            (FuseKind::Fuse, "EXTENDED", 2, Some(0xff)),
            (FuseKind::Lock, "LOCKBIT", 0, Some(0xff)),
        ]
    );
    let names: Vec<_> = fuses[0].fields.iter().map(|f| (f.name, f.mask)).collect();
    assert_eq!(
        names,
        [
            ("CKDIV8", 0x80),
            ("CKOUT", 0x40),
            ("SUT", 0x30),
            ("CKSEL", 0x0f)
        ]
    );
    // The newer parts have them among the registers.
    let t817 = device("ATtiny817");
    assert!(t817.registers_in(Space::Fuses).is_empty());
    let fuses = t817.fuses();
    assert!(
        fuses
            .iter()
            .any(|f| f.name == "WDTCFG" && f.kind == FuseKind::Fuse)
    );
    assert!(fuses.iter().any(|f| f.kind == FuseKind::Lock));
}

/// The names and numbers of an include text for AVR assembler.
fn equs(text: &str) -> BTreeMap<String, u64> {
    let mut out = BTreeMap::new();
    for line in text.lines() {
        let Some(rest) = line.strip_prefix(".equ ") else {
            continue;
        };
        let (name, value) = rest.split_once(" = 0x").expect(line);
        let value = u64::from_str_radix(value, 16).expect(line);
        let before = out.insert(name.to_ascii_lowercase(), value);
        assert!(before.is_none(), "twice: {line}");
    }
    out
}

#[test]
fn every_device_has_an_include_file() {
    for name in devices::names() {
        let d = device(name);
        let text = devices::avrasm_include(&format!("{name}def.inc")).expect(name);
        assert!(text.contains(&format!(".device {name}\n")), "{name}");
        let names = equs(&text);
        assert_eq!(
            names["flashend"] + 1,
            u64::from((d.flash.start + d.flash.size) / 2),
            "{name}"
        );
        assert_eq!(names["signature_001"], u64::from(d.signature[1]), "{name}");
        // No name hides a register or a pair, and none is more than a name.
        for n in names.keys() {
            let register = n
                .strip_prefix('r')
                .is_some_and(|r| r.parse::<u32>().is_ok());
            assert!(
                identifier(n) && !register && !["x", "y", "z"].contains(&n.as_str()),
                "{name} {n}"
            );
        }
        for pair in [
            "XL = r26", "XH = r27", "YL = r28", "YH = r29", "ZL = r30", "ZH = r31",
        ] {
            assert!(text.contains(&format!(".def {pair}\n")), "{name} {pair}");
        }
    }
    for unknown in [
        "m8def",
        "m8.inc",
        "def.inc",
        "xdef.inc",
        "../m8def.inc",
        "avr.inc",
        "",
    ] {
        assert!(devices::avrasm_include(unknown).is_none(), "{unknown}");
    }
}

#[test]
fn include_files_have_the_names_that_programs_use() {
    let check = |file: &str, list: &[(&str, u64)]| {
        let names = equs(&devices::avrasm_include(file).expect(file));
        for (name, value) in list {
            assert_eq!(
                names.get(&name.to_ascii_lowercase()),
                Some(value),
                "{file} {name}"
            );
        }
    };
    check(
        "tn2313def.inc",
        &[
            ("URXCaddr", 7),
            ("URXC0addr", 7),
            ("UDREaddr", 8),
            ("UTXCaddr", 9),
            ("OC1addr", 4),
        ],
    );
    check(
        "2313def.inc",
        &[("ICP1addr", 3), ("OC1addr", 4), ("OVF1addr", 5)],
    );
    check("tn28def.inc", &[("LLINTaddr", 3), ("OVF0addr", 4)]);
    check("m3250def.inc", &[("URXCaddr", 0x1a), ("URXC0addr", 0x1a)]);
    check(
        "m4809def.inc",
        &[
            ("FLASHSTART", 0),
            ("FLASHEND", 0x5fff),
            ("E2END", 0x14ff),
            ("EEPROMEND", 0x14ff),
            ("TCA0_vbase", 0x0e),
            ("TCA0_CMP1_voffset", 6),
            ("USART3_vbase", 0x4a),
            ("USART3_TXC_voffset", 4),
            ("PORTMUX_EVOUTD_ALT1_gc", 8),
            ("PORTMUX_TCB3_ALT1_gc", 8),
            ("INT_VECTORS_SIZE", 80),
        ],
    );
    check(
        "m8def.inc",
        &[
            ("FLASHEND", 0xfff),
            ("RAMEND", 0x45f),
            ("E2END", 0x1ff),
            ("SRAM_START", 0x60),
            ("SRAM_SIZE", 1024),
            ("PAGESIZE", 32),
            ("IOEND", 0x3f),
            ("PORTB", 0x18),
            ("PB0", 0),
            ("PORTB5", 5),
            ("DDB3", 3),
            ("PIND7", 7),
            ("SPL", 0x3d),
            ("UCSRA", 0x0b),
            ("USR", 0x0b),
            ("URXCaddr", 0xb),
            ("OVF0addr", 9),
            ("ERDYaddr", 0xf),
            ("SPMRaddr", 0x12),
            ("INT_VECTORS_SIZE", 19),
            ("SMALLBOOTSTART", 0xf80),
            ("LARGEBOOTSTART", 0xc00),
            ("NRWW_START_ADDR", 0xc00),
            ("EEADRBITS", 9),
            ("TWPS1", 1),
            ("SREG_I", 7),
            ("WDCE", 4),
            ("BOOTSZ1", 2),
            ("LB1", 0),
            ("BLB12", 5),
            ("MCUSR", 0x34),
            ("OCR1AL", 0x2a),
            ("CKSEL3", 3),
        ],
    );
    check(
        "M328PDEF.INC",
        &[
            ("UDR0", 0xc6),
            ("TIFR0", 0x15),
            ("TIMSK0", 0x6e),
            ("FLASHEND", 0x3fff),
            ("RAMEND", 0x8ff),
            ("IOEND", 0xff),
            ("OC1Aaddr", 0x16),
            ("PCI0addr", 6),
            ("UDREaddr", 0x26),
            ("WDTCSR", 0x60),
            ("PCINT23", 7),
            ("WGM13", 4),
            ("UCSZ02", 2),
        ],
    );
    check(
        "8515def.inc",
        &[
            ("UDR", 0x0c),
            ("USR", 0x0b),
            ("UCR", 0x0a),
            ("UBRR", 9),
            ("RXC", 7),
            ("TOIE0", 1),
            ("CS00", 0),
            ("INT0addr", 1),
            ("URXCaddr", 9),
            ("ACIaddr", 12),
            ("XRAMEND", 0xffff),
        ],
    );
    check(
        "tn85def.inc",
        &[
            ("USIDR", 0x0f),
            ("PCI0addr", 2),
            ("ADCCaddr", 8),
            ("PB5", 5),
        ],
    );
    check(
        "tn10def.inc",
        &[
            ("PINB", 0),
            ("SPL", 0x3d),
            ("RAMEND", 0x5f),
            ("FLASHEND", 0x1ff),
        ],
    );
    check(
        "x128a1def.inc",
        &[
            ("PORTA_DIR", 0x600),
            ("CPU_SREG", 0x3f),
            ("PORT_OPC_gm", 0x38),
            ("PORT_OPC_gp", 3),
            ("PORT_OPC_PULLUP_gc", 0x18),
            ("PORTA_INT0_vect", 132),
            ("RAMEND", 0x3fff),
        ],
    );
    check(
        "tn817def.inc",
        &[
            ("PORTB_OUTSET", 0x425),
            ("VPORTA_OUT", 1),
            ("TCA0_SINGLE_CTRLA", 0xa00),
            ("CPU_CCP", 0x34),
            ("RTC_PIT_vect", 7),
            ("CPU_CCP_IOREG_gc", 0xd8),
        ],
    );
    // A name that another family has is not there, since programs ask.
    let m328 = equs(&devices::avrasm_include("m328pdef.inc").expect("it"));
    for absent in [
        "UDR", "UCSRA", "SPMCR", "TCCR0", "ADCSR", "I", "T", "Z", "ADC", "SP", "SP0",
    ] {
        assert!(!m328.contains_key(&absent.to_ascii_lowercase()), "{absent}");
    }
}

/// The definitions of a header without conditions: names and what they stand for.
fn defines(text: &str) -> BTreeMap<&str, &str> {
    let mut out = BTreeMap::new();
    for line in text.lines() {
        if let Some(rest) = line.strip_prefix("#define ") {
            let (name, value) = rest.split_once(' ').unwrap_or((rest, ""));
            assert!(out.insert(name, value).is_none(), "twice: {line}");
        }
    }
    out
}

#[test]
fn every_device_has_its_headers() {
    for name in devices::names() {
        let d = device(name);
        let text = devices::gnu_include("avr/io.h", d).expect(name);
        let names = defines(&text);
        for (name_, value) in &names {
            assert!(identifier(name_), "{name} {name_} {value}");
        }
        // Instructions and flags are not rewritten.
        for hidden in ["ADC", "X", "Z", "C", "OR", "COM", "SP_"] {
            assert!(!names.contains_key(hidden), "{name} {hidden}");
        }
        for line in text.lines().filter(|l| l.starts_with("#include")) {
            let path = line.trim_start_matches("#include <").trim_end_matches('>');
            assert!(devices::gnu_include(path, d).is_some(), "{name} {line}");
        }
        let predefined = devices::gnu_predefines(d);
        let distinct: BTreeSet<_> = predefined.iter().map(|p| &p.0).collect();
        assert_eq!(distinct.len(), predefined.len(), "{name}");
        assert!(predefined.iter().any(|p| p.0 == format!("__AVR_{name}__")));
    }
    let d = device("ATmega328P");
    for path in [
        "avr/interrupt.h",
        "avr/pgmspace.h",
        "avr/eeprom.h",
        "avr/boot.h",
        "avr/common.h",
        "avr/version.h",
    ] {
        assert!(devices::gnu_include(path, d).is_some(), "{path}");
    }
    for path in ["io.h", "avr/nothing.h", "stdio.h", ""] {
        assert!(devices::gnu_include(path, d).is_none(), "{path}");
    }
    let text = devices::gnu_include("avr/io.h", d).expect("it");
    let names = defines(&text);
    for (name, value) in [
        ("PORTB", "_SFR_IO8(0x05)"),
        ("UDR0", "_SFR_MEM8(0xC6)"),
        ("TCNT1", "_SFR_MEM16(0x84)"),
        ("ADCW", "_SFR_MEM16(0x78)"),
        ("TIMER0_OVF_vect", "_VECTOR(16)"),
        ("RAMEND", "0x8FF"),
        ("FLASHEND", "0x7FFF"),
        ("SPM_PAGESIZE", "128"),
        ("_VECTORS_SIZE", "(26 * 4)"),
        ("SIGNATURE_2", "0xF"),
        ("PB5", "5"),
        ("FUSE_SPIEN", "~_BV(5)"),
        ("LFUSE_DEFAULT", "0x62"),
    ] {
        assert_eq!(names.get(name), Some(&value), "{name}");
    }
}
