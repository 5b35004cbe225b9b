//! ELF files: read back with libraries always, and by GNU's tools, a simulator and a
//! debugger where they are installed.

use crate::common::tools::{have, skip};
use object::read::elf::ProgramHeader as _;
use object::{Object, ObjectSection, ObjectSymbol, SymbolKind};
use scrimp::text::source::MemoryLoader;
use scrimp::write::{Context, by_name};
use scrimp::{Job, Output, assemble};
use std::path::Path;
use std::process::{Command, Stdio};

/// One of everything: code in two places, macros of both kinds, an include, room in
/// SRAM and bytes for EEPROM.
const SOURCE: &str = "\
.include \"m8def.inc\"
.def temp = r16
.equ COUNT = 5
.macro put
\tldi @0, @1
\tout PORTB, @0
.endm
#define TWICE(x) inc x \\
\tinc x
.dseg
var:\t.byte 2
buf:\t.byte 10
.eseg
saved:\t.db 1, 2, 3
.cseg
.org 0
\trjmp reset
.org 0x13
reset:\tldi temp, low(RAMEND)
\tout SPL, temp
\tldi temp, high(RAMEND)
\tout SPH, temp
main:
\tput temp, COUNT
\tTWICE(temp)
loop:\tdec temp
\tbrne loop
\tsts var, temp
\tldi r17, 41
\trcall more
stop:\tcli
\tsleep
\trjmp stop
.include \"more.asm\"
table:\t.dw 1, 2, 3, main
";
const MORE: &str = "; more\nmore:\tinc r17\n\tret\n";

fn build(source: &str, target: &str, dialect: &str) -> Output {
    let files = MemoryLoader::default()
        .with("demo.asm", source)
        .with("more.asm", MORE);
    let job = Job {
        file: "demo.asm".into(),
        target: scrimp::targets::by_name(target).expect("the target"),
        machine: None,
        dialect: dialect.into(),
        defines: Vec::new(),
    };
    let out = assemble(&job, &files);
    assert!(out.image.is_some(), "{:?}", out.diagnostics);
    out
}

fn elf_of(out: &Output, target: &str) -> Vec<u8> {
    let image = out.image.as_ref().expect("an image");
    let target = scrimp::targets::by_name(target).expect("the target");
    let machine = image.machine.as_deref().and_then(|m| target.machine(m));
    let c = Context {
        name: "demo",
        image,
        sources: &out.sources,
        target,
        machine,
        clock: None,
    };
    let made = (by_name("elf").expect("the writer").write)(&c).expect("an ELF file");
    assert!(made.image_bytes > 0 && made.image_bytes < made.bytes.len());
    made.bytes
}

fn demo() -> (Output, Vec<u8>) {
    let out = build(SOURCE, "avr", "avrasm2");
    let elf = elf_of(&out, "avr");
    (out, elf)
}

/// Rows of the line program: address, file, line.
fn rows(elf: &[u8]) -> Vec<(u64, String, u64)> {
    let file = object::File::parse(elf).expect("an ELF file");
    let load = |id: gimli::SectionId| -> Result<_, gimli::Error> {
        let section = file.section_by_name(id.name());
        let bytes = section.map_or(&[][..], |s| s.data().expect("bytes"));
        Ok(gimli::EndianSlice::new(bytes, gimli::LittleEndian))
    };
    let dwarf = gimli::Dwarf::load(load).expect("DWARF");
    let mut units = dwarf.units();
    let header = units.next().expect("a unit").expect("one unit");
    assert!(units.next().expect("the end").is_none());
    let unit = dwarf.unit(header).expect("a unit");
    let folder = unit.comp_dir.expect("a folder");
    assert_eq!(folder.slice(), b".");
    let program = unit.line_program.clone().expect("a line program");
    let mut list = Vec::new();
    let mut rows = program.rows();
    while let Some((header, row)) = rows.next_row().expect("a row") {
        if row.end_sequence() {
            continue;
        }
        let file = row.file(header).expect("a file").path_name();
        let file = dwarf.attr_string(&unit, file).expect("a name");
        let line = row.line().map_or(0, u64::from);
        list.push((row.address(), file.to_string_lossy().into_owned(), line));
    }
    list
}

#[test]
fn sections_have_the_bytes_of_the_image() {
    let (out, elf) = demo();
    let file = object::File::parse(&*elf).expect("an ELF file");
    let section = |name: &str| {
        file.section_by_name(name)
            .unwrap_or_else(|| panic!("{name}"))
    };
    let image = out.image.as_ref().expect("an image");
    assert_eq!(section(".text").address(), 0);
    assert_eq!(section(".text").data().expect("bytes"), image.binary(0xFF));
    assert_eq!(section(".eeprom").address(), 0x81_0000);
    assert_eq!(section(".eeprom").data().expect("bytes"), [1, 2, 3]);
    let bss = section(".bss");
    assert_eq!((bss.address(), bss.size()), (0x80_0060, 12));
    assert!(bss.data().expect("none").is_empty());
    let object::File::Elf32(elf32) = &file else {
        panic!("not of 32 bits");
    };
    let endian = object::Endianness::Little;
    let header = elf32.elf_header();
    assert_eq!(header.e_machine.get(endian), object::elf::EM_AVR);
    assert_eq!(header.e_flags.get(endian), 4, "the ATmega8's group");
    let loads: Vec<_> = elf32
        .elf_program_headers()
        .iter()
        .map(|p| (p.p_paddr(endian), p.p_filesz(endian), p.p_memsz(endian)))
        .collect();
    let text = image.binary(0xFF).len() as u32;
    assert_eq!(
        loads,
        [(0, text, text), (0x80_0060, 0, 12), (0x81_0000, 3, 3)]
    );
}

#[test]
fn symbols_have_address_size_and_kind() {
    let (_, elf) = demo();
    let file = object::File::parse(&*elf).expect("an ELF file");
    let find = |name: &str| {
        let s = file.symbols().find(|s| s.name() == Ok(name));
        let s = s.unwrap_or_else(|| panic!("{name}"));
        (s.address(), s.size(), s.kind(), s.is_global())
    };
    assert_eq!(find("reset"), (0x26, 8, SymbolKind::Text, true));
    assert_eq!(find("loop"), (0x36, 12, SymbolKind::Text, true));
    assert_eq!(find("table"), (0x4C, 8, SymbolKind::Data, true));
    assert_eq!(find("var"), (0x80_0060, 2, SymbolKind::Data, true));
    assert_eq!(find("saved"), (0x81_0000, 3, SymbolKind::Data, true));
    let (value, size, _, global) = find("COUNT");
    assert_eq!((value, size, global), (5, 0, false));
    // What an include file defines and nobody uses is left out.
    assert!(file.symbols().all(|s| s.name() != Ok("TCNT0")));
    assert!(
        file.symbols()
            .any(|s| s.name() == Ok("demo.asm") && s.kind() == SymbolKind::File)
    );
}

#[test]
fn each_instruction_has_its_line() {
    let (_, elf) = demo();
    let rows = rows(&elf);
    let line = |address: u64| {
        let r = rows.iter().rfind(|r| r.0 <= address).expect("a row");
        format!("{}:{}", r.1, r.2)
    };
    assert_eq!(line(0), "demo.asm:17");
    assert_eq!(line(0x26), "demo.asm:19");
    // Of macros of both kinds the line of the call.
    assert_eq!(line(0x2E), "demo.asm:24");
    assert_eq!(line(0x30), "demo.asm:24");
    assert_eq!(line(0x32), "demo.asm:25");
    assert_eq!(line(0x34), "demo.asm:25");
    assert_eq!(line(0x48), "more.asm:2");
    assert_eq!(line(0x4A), "more.asm:3");
    assert!(
        rows.iter().all(|r| r.0 < 0x4C),
        "data has no lines: {rows:?}"
    );
}

#[test]
fn the_other_target_has_it_too() {
    let out = build(
        "\torg $4000\nmain:\tld a,1\n\tret\nmore:\tdb 7\n",
        "z80",
        "native",
    );
    let elf = elf_of(&out, "z80");
    let file = object::File::parse(&*elf).expect("an ELF file");
    assert_eq!(file.entry(), 0x4000);
    let text = file.section_by_name(".text").expect("code");
    assert_eq!(
        (text.address(), text.data().expect("bytes")),
        (0x4000, &[0x3E, 1, 0xC9, 7][..])
    );
    assert_eq!(
        rows(&elf),
        [
            (0x4000, "demo.asm".into(), 2),
            (0x4002, "demo.asm".into(), 3)
        ]
    );
}

#[test]
fn far_pieces_are_sections_of_their_own() {
    let source = "\torg 0\na:\tld a,1\n\torg $20\nb:\tnop\n\torg $8000\nc:\tnop\n";
    let elf = elf_of(&build(source, "z80", "native"), "z80");
    let file = object::File::parse(&*elf).expect("an ELF file");
    let text: Vec<_> = file
        .sections()
        .filter(|s| s.name().is_ok_and(|n| n.starts_with(".text")))
        .map(|s| (s.address(), s.size()))
        .collect();
    assert_eq!(text, [(0, 0x21), (0x8000, 1)]);
    assert_eq!(rows(&elf).len(), 3);
}

#[test]
fn the_same_each_time_and_nothing_of_the_machine() {
    let (_, a) = demo();
    let (_, b) = demo();
    assert_eq!(a, b);
    let here = env!("CARGO_MANIFEST_DIR").as_bytes();
    assert!(!a.windows(here.len()).any(|w| w == here));
}

/// The program as files in a folder of its own.
fn folder() -> (tempfile::TempDir, Output) {
    let (out, elf) = demo();
    let folder = tempfile::tempdir().expect("a folder");
    for (name, bytes) in [
        ("demo.elf", &elf[..]),
        ("demo.asm", SOURCE.as_bytes()),
        ("more.asm", MORE.as_bytes()),
    ] {
        std::fs::write(folder.path().join(name), bytes).expect("written");
    }
    (folder, out)
}

/// What a tool prints; it must say nothing else and end well.
fn run(folder: &Path, tool: &str, args: &[&str]) -> Option<String> {
    if !have(&[tool]) {
        return None;
    }
    let out = Command::new(tool)
        .args(args)
        .current_dir(folder)
        .env("LC_ALL", "C")
        .stdin(Stdio::null())
        .output()
        .expect("it runs");
    let errors = String::from_utf8_lossy(&out.stderr);
    assert!(out.status.success(), "{tool}: {errors}");
    assert_eq!(errors, "", "{tool}");
    Some(String::from_utf8_lossy(&out.stdout).into_owned())
}

#[test]
fn readelf_has_nothing_to_say_against_it() {
    let (folder, _) = folder();
    let args = [
        "-a",
        "-W",
        "--debug-dump=info,abbrev,ranges,decodedline",
        "demo.elf",
    ];
    let Some(text) = run(folder.path(), "readelf", &args) else {
        return;
    };
    assert!(text.contains("Atmel AVR 8-bit"), "{text}");
    assert!(text.contains("DW_TAG_subprogram"), "{text}");
    assert!(!text.to_lowercase().contains("warning"), "{text}");
}

#[test]
fn gnu_tools_see_the_same_program() {
    let (folder, out) = folder();
    let image = out.image.as_ref().expect("an image");
    if let Some(text) = run(
        folder.path(),
        "avr-size",
        &["-C", "--mcu=atmega8", "demo.elf"],
    ) {
        let used = format!("{} bytes", image.binary(0xFF).len());
        assert!(text.contains(&used), "{text}");
        assert!(
            text.contains("12 bytes (1.2% Full)") && text.contains("3 bytes"),
            "{text}"
        );
    }
    if let Some(text) = run(folder.path(), "avr-nm", &["-S", "demo.elf"]) {
        assert!(text.contains("00000036 0000000c T loop"), "{text}");
        assert!(text.contains("00800062 0000000a B buf"), "{text}");
        assert!(text.contains("00000005 a COUNT"), "{text}");
    }
    let args = ["-d", "-l", "-z", "--section=.text", "demo.elf"];
    if let Some(text) = run(folder.path(), "avr-objdump", &args) {
        let mut bytes = vec![0xFF; image.binary(0xFF).len()];
        for line in text.lines() {
            let mut parts = line.split('\t');
            let address = parts.next().and_then(|a| a.trim().strip_suffix(':'));
            let at = address.and_then(|a| usize::from_str_radix(a, 16).ok());
            if let (Some(at), Some(hex)) = (at, parts.next()) {
                // Data has its characters behind.
                let hex = hex.split_whitespace().take_while(|b| b.len() == 2);
                for (i, b) in hex.enumerate() {
                    bytes[at + i] = u8::from_str_radix(b, 16).expect("a byte");
                }
            }
        }
        assert_eq!(bytes, image.binary(0xFF), "{text}");
        assert!(text.contains("./demo.asm:24\n  2e:"), "{text}");
        assert!(text.contains("./more.asm:2\n  48:"), "{text}");
        assert!(
            text.contains("<var>"),
            "data addresses have their symbols: {text}"
        );
    }
}

/// Bytes of an Intel HEX file by address.
fn hex(text: &str) -> std::collections::BTreeMap<u64, u8> {
    let mut out = std::collections::BTreeMap::new();
    let mut upper = 0;
    for line in text.lines() {
        let byte = |i: usize| u8::from_str_radix(&line[1 + 2 * i..3 + 2 * i], 16).expect("hex");
        let at = u64::from(byte(1)) << 8 | u64::from(byte(2));
        let data: Vec<u8> = (4..4 + usize::from(byte(0))).map(byte).collect();
        let value = data.iter().fold(0, |v, b| v << 8 | u64::from(*b));
        match byte(3) {
            0 => out.extend(
                data.iter()
                    .enumerate()
                    .map(|(i, b)| (upper + at + i as u64, *b)),
            ),
            2 => upper = value << 4,
            4 => upper = value << 16,
            _ => {}
        }
    }
    out
}

#[test]
fn objcopy_makes_the_same_files_of_it() {
    let (folder, out) = folder();
    let args = ["-O", "ihex", "demo.elf", "all.hex"];
    if run(folder.path(), "avr-objcopy", &args).is_none() {
        return;
    }
    let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).expect("a file");
    let theirs = hex(&read("all.hex"));
    let image = out.image.as_ref().expect("an image");
    let target = scrimp::targets::by_name("avr").expect("the target");
    let file = |format: &str| {
        by_name(format).expect("a writer").bytes(&Context {
            name: "demo",
            image,
            sources: &out.sources,
            target,
            machine: None,
            clock: None,
        })
    };
    let own = hex(std::str::from_utf8(&file("mhex")).expect("text"));
    // A gap is filled in the ELF file only.
    let gaps = theirs.iter().filter(|(at, _)| !own.contains_key(at));
    assert!(gaps.clone().all(|(_, b)| *b == 0xFF));
    assert_eq!(theirs.len(), own.len() + gaps.count());
    assert!(own.iter().all(|(at, b)| theirs.get(at) == Some(b)));
    for (format, name) in [("hex", "ihex"), ("srec", "srec")] {
        std::fs::write(folder.path().join("one"), file(format)).expect("written");
        let args = [
            "-I",
            name,
            "-O",
            "binary",
            "--gap-fill",
            "0xff",
            "one",
            "one.bin",
        ];
        run(folder.path(), "avr-objcopy", &args);
        let bytes = std::fs::read(folder.path().join("one.bin")).expect("a file");
        assert_eq!(bytes, image.binary(0xFF), "{format}");
    }
}

#[test]
fn simavr_loads_and_runs_it() {
    let (folder, _) = folder();
    let args = ["-m", "atmega8", "-f", "8000000", "demo.elf"];
    if !have(&["simavr"]) {
        return;
    }
    let out = Command::new("simavr")
        .args(args)
        .current_dir(folder.path())
        .output()
        .expect("it runs");
    // It ends where the program sleeps with interrupts off.
    assert!(out.status.success());
    let text =
        String::from_utf8_lossy(&out.stdout).into_owned() + &String::from_utf8_lossy(&out.stderr);
    assert!(text.contains(".text"), "{text}");
}

/// A debugger stops at a line of the source in a simulator and reads a register.
#[test]
fn a_debugger_stops_at_a_line() {
    if !have(&["simavr", "avr-gdb"]) {
        return;
    }
    // The simulator knows this port only.
    if std::net::TcpListener::bind("127.0.0.1:1234").is_err() {
        skip("port_1234", "port 1234 is in use");
        return;
    }
    let (folder, _) = folder();
    let mut simulator = Command::new("simavr")
        .args(["-m", "atmega8", "-f", "8000000", "-g", "demo.elf"])
        .current_dir(folder.path())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("it starts");
    let out = Command::new("avr-gdb")
        .args(["--batch", "-nx"])
        .args([
            "-ex",
            "set tcp auto-retry on",
            "-ex",
            "set tcp connect-timeout 20",
        ])
        .args(["-ex", "target remote 127.0.0.1:1234"])
        .args([
            "-ex",
            "break more.asm:3",
            "-ex",
            "break demo.asm:27",
            "-ex",
            "continue",
        ])
        .args([
            "-ex",
            "info symbol $pc",
            "-ex",
            "delete 2",
            "-ex",
            "continue",
        ])
        .args([
            "-ex",
            "info registers r17",
            "-ex",
            "print/x &var",
            "-ex",
            "list",
        ])
        .args(["-ex", "kill", "demo.elf"])
        .current_dir(folder.path())
        .env("LC_ALL", "C")
        .stdin(Stdio::null())
        .output();
    let _ = simulator.kill();
    let _ = simulator.wait();
    let out = out.expect("it runs");
    let text = String::from_utf8_lossy(&out.stdout).into_owned();
    let all = format!("{text}\n{}", String::from_utf8_lossy(&out.stderr));
    assert!(text.contains("loop () at demo.asm:27"), "{all}");
    assert!(text.contains("more () at more.asm:3"), "{all}");
    let register = text.lines().find(|l| l.starts_with("r17"));
    assert!(
        register.is_some_and(|l| l.contains("0x2a") && l.ends_with("42")),
        "{all}"
    );
    // The debugger knows data space by itself.
    assert!(text.contains("$1 = 0x60"), "{all}");
}
