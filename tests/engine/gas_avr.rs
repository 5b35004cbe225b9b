//! The dialect of GNU as for AVR: each source in `tests/dialects/gas-avr` with the bytes
//! that avr-as and avr-ld make of it, the same with those tools where they are
//! installed, faults, and hostile programs. The first line of a source names its device;
//! a folder is a program of several files.

use crate::common::tools::have;
use crate::common::{Folder, cpu, difference, findings};
use scrimp::text::source::MemoryLoader;
use scrimp::{Job, Linking, Output, assemble, assemble_linked};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/dialects/gas-avr")
}

/// Names in a folder, in order.
fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).expect("the folder of goldens");
    let mut names: Vec<String> = entries
        .filter_map(|e| e.ok()?.file_name().into_string().ok())
        .collect();
    names.sort();
    names
}

/// A program with the bytes that it must have.
struct Golden {
    files: Vec<String>,
    device: String,
    bytes: Vec<u8>,
}

fn goldens() -> Vec<Golden> {
    let folder = folder();
    let all = names(&folder);
    let hexes = all.iter().filter_map(|n| n.strip_suffix(".hex"));
    hexes
        .map(|name| {
            let files = match folder.join(name).is_dir() {
                true => names(&folder.join(name))
                    .into_iter()
                    .map(|f| format!("{name}/{f}"))
                    .collect(),
                false => {
                    let ends = ["s", "S"].map(|e| format!("{name}.{e}"));
                    ends.into_iter().filter(|f| all.contains(f)).collect()
                }
            };
            let files: Vec<String> = files;
            let first = std::fs::read_to_string(folder.join(&files[0])).expect("a source");
            let device = first.lines().next().and_then(|l| l.strip_prefix("; "));
            let hex = std::fs::read_to_string(folder.join(format!("{name}.hex"))).expect("bytes");
            let byte = |w| u8::from_str_radix(w, 16).expect("two hex digits");
            Golden {
                device: device.expect("a device in the first line").into(),
                bytes: hex.split_whitespace().map(byte).collect(),
                files,
            }
        })
        .collect()
}

fn job(file: &str, device: &str) -> Job<'static> {
    let target = scrimp::targets::by_name("avr").expect("the AVR is registered");
    Job {
        file: file.into(),
        target,
        machine: Some(target.machine(device).expect("a device")),
        dialect: "gas-avr".into(),
        defines: Vec::new(),
    }
}

fn text(source: &str) -> Output {
    let loader = MemoryLoader::default().with("main.s", source.as_bytes());
    assemble(&job("main.s", "atmega328p"), &loader)
}

#[test]
fn the_bytes_of_gnu_as_and_ld() {
    let all = goldens();
    assert!(all.len() >= 31, "goldens are missing: {}", all.len());
    let mut faults = String::new();
    for g in all {
        let linking = Linking {
            files: g.files[1..].to_vec(),
            ..Linking::default()
        };
        let out = assemble_linked(&job(&g.files[0], &g.device), &linking, &Folder(folder()));
        match &out.image {
            None => faults += &format!("{}: not assembled\n{}", g.files[0], findings(&out)),
            Some(image) => {
                if let Some(d) = difference(&image.binary(0), &g.bytes) {
                    faults += &format!("{}: {d}\n", g.files[0]);
                }
            }
        }
    }
    assert!(faults.is_empty(), "\n{faults}");
}

/// The goldens are what the tools make.
#[test]
fn the_tools_make_the_same() {
    let tools = ["avr-as", "avr-ld", "avr-objcopy", "avr-gcc"];
    if !have(&tools) {
        return;
    }
    let run = |c: &mut Command| {
        let done = c.current_dir(folder()).output().expect("the tool runs");
        let said = String::from_utf8_lossy(&done.stderr).into_owned();
        assert!(done.status.success(), "{c:?}: {said}");
    };
    for g in goldens() {
        let dir = tempfile::tempdir().expect("a folder");
        let (emulation, data) = match g.device.as_str() {
            "atmega2560" => ("avr6", "0x800200"),
            "attiny10" => ("avrtiny", "0x800040"),
            "attiny817" => ("avrxmega3", "0x803e00"),
            _ => ("avr5", "0x800100"),
        };
        let mut link = Command::new("avr-ld");
        link.args([&format!("-m{emulation}"), "-e", "0"]);
        link.arg(format!("-Tdata={data}"));
        for (i, file) in g.files.iter().enumerate() {
            let object = dir.path().join(format!("{i}.o"));
            let device = format!("-mmcu={}", g.device);
            match file.ends_with(".S") {
                true => run(Command::new("avr-gcc")
                    .args([&device, "-c", "-x", "assembler-with-cpp", file, "-o"])
                    .arg(&object)),
                false => run(Command::new("avr-as")
                    .args([&device, file, "-o"])
                    .arg(&object)),
            }
            link.arg(object);
        }
        let (elf, bin) = (dir.path().join("x.elf"), dir.path().join("x.bin"));
        run(link.arg("-o").arg(&elf));
        run(Command::new("avr-objcopy")
            .args(["-O", "binary", "-R", ".eeprom"])
            .args([&elf, &bin]));
        let bytes = std::fs::read(&bin).expect("an image");
        let part = difference(&g.bytes, &bytes);
        assert!(
            part.is_none(),
            "{}: {}",
            g.files[0],
            part.unwrap_or_default()
        );
    }
}

#[test]
fn faults_have_a_place() {
    let folder = folder().join("errors");
    let all = names(&folder);
    assert!(all.len() >= 48, "error probes are missing");
    let mut faults = String::new();
    for name in &all {
        let out = assemble(&job(name, "atmega328p"), &Folder(folder.clone()));
        if out.image.is_some() {
            faults += &format!("{name}: accepted\n");
        } else if !out.diagnostics.iter().any(|d| d.span.is_some()) {
            faults += &format!("{name}: no place\n{}", findings(&out));
        }
    }
    assert!(faults.is_empty(), "\n{faults}");
}

#[test]
fn a_device_that_lacks_an_instruction_is_named_with_what_to_use() {
    for (device, source, words) in [
        ("atmega48", "jmp 0", ["ATmega48 has no `jmp`", "`rjmp`"]),
        (
            "attiny84",
            "mul r0, r1",
            ["ATtiny84 has no `mul`", "routine"],
        ),
        (
            "at90s8515",
            "movw r0, r2",
            ["AT90S8515 has no `movw`", "`mov`"],
        ),
        ("at90s8515", "lpm r16, Z+", ["form of `lpm`", "adiw"]),
        (
            "attiny10",
            "mov r0, r16",
            ["ATtiny10 has no r0", "r16 to r31"],
        ),
    ] {
        let loader = MemoryLoader::default().with("main.s", format!(" {source}\n"));
        let out = assemble(&job("main.s", device), &loader);
        assert!(out.image.is_none(), "{device}: {source}");
        let d = &out.diagnostics[0];
        assert_eq!(d.code, "E0025", "{device}: {source}");
        let said = format!("{} {}", d.message, d.help.as_deref().unwrap_or(""));
        for w in words {
            assert!(said.contains(w), "{device}: {source}: {said}");
        }
    }
}

#[test]
fn a_fault_in_a_macro_stands_at_its_line_with_the_call() {
    let out = text(".macro m x\n nop\n ldi r16, \\x\n.endm\n m 1\n m 999\n");
    let d = &out.diagnostics[0];
    let place = out.sources.place(d.span.expect("a place"));
    assert!(place.starts_with("main.s:3:"), "{place}");
    let call = out.sources.place(d.trail[0].span);
    assert!(call.starts_with("main.s:6:"), "{call}");
}

#[test]
fn files_share_what_they_show_and_nothing_else() {
    let loader = MemoryLoader::default()
        .with("a.s", " .global shown\nshown: nop\nown: nop\n")
        .with("b.s", " rjmp shown\n")
        .with("c.s", " rjmp own\n")
        .with("d.s", " .global shown\nshown: nop\n");
    let link = |files: &[&str]| {
        let linking = Linking {
            files: files.iter().map(|f| (*f).to_owned()).collect(),
            ..Linking::default()
        };
        assemble_linked(&job("a.s", "atmega328p"), &linking, &loader)
    };
    let bytes = link(&["b.s"]).image.expect("a program").binary(0);
    assert_eq!(bytes, [0, 0, 0, 0, 0xfd, 0xcf]);
    let hidden = link(&["c.s"]);
    assert!(hidden.image.is_none());
    assert_eq!(hidden.diagnostics[0].code, "E0030");
    let twice = link(&["d.s"]);
    assert!(twice.image.is_none());
    assert_eq!(twice.diagnostics[0].code, "E0031");
}

#[test]
fn sections_go_to_addresses_from_outside() {
    let source = " rjmp far\n .section .boot,\"ax\"\nfar: ret\n";
    let loader = MemoryLoader::default().with("main.s", source.as_bytes());
    let linking = Linking {
        addresses: vec![(".boot".into(), 0x100)],
        symbols: vec![("given".into(), 7)],
        ..Linking::default()
    };
    let out = assemble_linked(&job("main.s", "atmega328p"), &linking, &loader);
    let bytes = out.image.expect("a program").binary(0);
    assert_eq!(bytes.len(), 0x102);
    assert_eq!(
        (&bytes[..2], &bytes[0x100..]),
        (&[0x7f, 0xc0][..], &[8, 0x95][..])
    );
}

/// Where all of flash is data, constants stay there; where a window of it is, they do not.
#[test]
fn constants_lie_where_the_part_reads_them() {
    let source = " .text\n ldi r30,lo8(x)\n ldi r31,hi8(x)\n .section .rodata,\"a\"\nx: .byte 1\n";
    let loader = MemoryLoader::default().with("main.s", source);
    let address = |device: &str, symbols: Vec<(String, i64)>| {
        let linking = Linking {
            symbols,
            ..Linking::default()
        };
        let out = assemble_linked(&job("main.s", device), &linking, &loader);
        let image = out.image.unwrap_or_else(|| panic!("{device}: no program"));
        let b = image.binary(0);
        assert_eq!(b[4], 1, "{device}: the constant follows the code");
        let byte = |at: usize| u16::from(b[at] & 15 | (b[at + 1] & 15) << 4);
        byte(0) | byte(2) << 8
    };
    for (device, at) in [
        ("attiny10", 0x4004),
        ("attiny40", 0x4004),
        ("attiny1614", 0x8004),
        ("attiny817", 0x8004),
        ("attiny3217", 0x8004),
        ("attiny202", 0x8004),
        ("atmega4809", 0x4004),
        ("atmega808", 0x4004),
        ("avr128db48", 0x4000),
        ("atmega328p", 0x0100),
        ("atxmega128a1", 0x2000),
    ] {
        assert_eq!(address(device, Vec::new()), at, "{device}");
    }
    let given = vec![("__RODATA_PM_OFFSET__".to_owned(), 0x4000)];
    assert_eq!(address("attiny817", given), 0x4004);
}

/// Programs that want too much end soon with an error.
#[test]
fn hostile_programs_end() {
    let deep = ".if 1\n".repeat(10_000);
    let brackets = format!(" .byte {}1\n", "(".repeat(100_000));
    let long = format!(" .byte {}\n", "1,".repeat(400_000));
    let doubling = (0..40).fold(String::from(".macro m0\n nop\n.endm\n"), |s, i| {
        format!("{s}.macro m{} \n m{i}\n m{i}\n.endm\n", i + 1)
    }) + " m40\n";
    let growing = ".macro g x\n g \\x\\x\\x\\x\n.endm\n g abcdefgh\n";
    for source in [
        ".macro m\n m\n.endm\n m\n",
        ".macro a\n b\n.endm\n.macro b\n a\n.endm\n a\n",
        growing,
        &doubling,
        ".rept 1000000000\n nop\n.endr\n",
        ".rept 100000\n.rept 100000\n nop\n.endr\n.endr\n",
        ".rept -1\n.endr\n",
        " .fill 1000000000, 8, 1\n",
        " .fill 9223372036854775807, 8, 1\n",
        " .skip 0xffffffffffffffff\n",
        " .skip 100000000\n",
        " .org 0x7fffffffffffffff\n",
        " .balign 0x8000000000000000\n",
        " .comm a, 0x7fffffffffffffff\n",
        "a = b\nb = a\n .word a\n",
        " .include \"main.s\"\n",
        " .rept 5000\n .pushsection .data\n .endr\n",
        &deep,
        &brackets,
        &long,
        " .ascii \"\\",
        " .byte '",
        " .byte '\\",
        ".macro \\\n.endm\n",
        ".irp\n.endr\n.irpc\n.endr\n.macro\n.endm\n",
        ".struct 0x7fffffffffffffff\n .skip 100\na: .balign 8\n",
        "1:\n99999999999999999999999:\n rjmp 99999999999999999999f\n",
        "/*",
    ] {
        let start = cpu::time();
        let out = text(source);
        let shown: String = source.chars().take(40).collect();
        let time = cpu::time() - start;
        assert!(time < Duration::from_secs(60), "slow: {shown}");
        let harmless = [" .byte '", "/*", " .rept 5000", ".struct 0x7f", " .byte 1,"];
        if !harmless.iter().any(|h| source.starts_with(h)) {
            assert!(out.image.is_none(), "accepted: {shown}");
        }
    }
}
