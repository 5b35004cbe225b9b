//! Boards through the command: `program.toml`, scripts, files of other tools.

use std::path::Path;
use std::process::{Command, Stdio};

/// Runs the command in a folder: exit code, output, errors.
fn scrimp(folder: &Path, args: &[&str]) -> (Option<i32>, String, String) {
    let out = Command::new(env!("CARGO_BIN_EXE_scrimp"))
        .args(args)
        .current_dir(folder)
        .env_remove("CLICOLOR_FORCE")
        .env("NO_COLOR", "1")
        .stdin(Stdio::null())
        .output()
        .expect("the command runs");
    let text = |b| String::from_utf8(b).expect("text");
    (out.status.code(), text(out.stdout), text(out.stderr))
}

/// Sends "ok", then echoes and shows each byte on LEDs.
const ECHO: &str = "
        ldi r16, 51
        out $09, r16
        ldi r16, $18
        out $0a, r16
        ldi r16, $ff
        out $17, r16
        out $18, r16
        ldi r17, 111
        rcall send
        ldi r17, 107
        rcall send
next:   sbis $0b, 7
        rjmp next
        in r17, $0c
        mov r18, r17
        com r18
        out $18, r18
        rcall send
        rjmp next
send:   sbis $0b, 5
        rjmp send
        out $0c, r17
        ret
";

const STACK: &str = "
        ldi r16, 2
        out $3e, r16
        ldi r16, $5f
        out $3d, r16
";

fn folder(board: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let manifest =
        format!("name = 'echo'\ntarget = 'avr'\nmachine = 'at90s8515'\nmain = 'echo.asm'\n{board}");
    std::fs::write(folder.path().join("program.toml"), manifest).expect("a file");
    let source = format!("{STACK}{ECHO}");
    std::fs::write(folder.path().join("echo.asm"), source).expect("a file");
    folder
}

const BOARD: &str = "[board]
clock = 8_000_000
terminal = { usart = 0, baud = 9600 }
keypad = { port = 'A' }
leds = { port = 'B', active = 'low' }
";

#[test]
fn a_program_talks_and_shows() {
    let folder = folder(BOARD);
    let (code, out, err) = scrimp(
        folder.path(),
        &[
            "run",
            "--serial-in",
            "Hi\\x21",
            "--serial",
            "--expect",
            "okHi!",
        ],
    );
    assert_eq!((code, out.as_str(), err.as_str()), (Some(0), "okHi!", ""));
    let (code, out, _) = scrimp(folder.path(), &["run", "--serial-in", "A", "--json"]);
    assert_eq!(code, Some(0));
    let found: serde_json::Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!(found["serial"], "okA");
    assert_eq!(found["lights"]["PB0"], true);
    assert_eq!(found["lights"]["PB1"], false);
    assert_eq!(found["lowest_stack"], 0x25d);
    let (code, out, _) = scrimp(folder.path(), &["play"]);
    assert_eq!(code, Some(0));
    assert!(out.starts_with("ok"), "{out}");
    let (code, _, err) = scrimp(folder.path(), &["run", "--keys", "5,E"]);
    assert_eq!(code, Some(2));
    assert!(
        err.contains("there is no key E; there are: 1, 2, 3, A"),
        "{err}"
    );
    let (code, _, err) = scrimp(folder.path(), &["run", "--serial-in", "\\q"]);
    assert!(code == Some(2) && err.contains("\\q"), "{err}");
}

#[test]
fn files_of_programmers_run() {
    let folder = folder(BOARD);
    for format in ["hex", "elf", "bin"] {
        let file = format!("out.{format}");
        let (code, _, err) = scrimp(folder.path(), &["build", "--emit", format, "-o", &file]);
        assert_eq!(code, Some(0), "{format}: {err}");
        let args = [
            "run",
            &file,
            "--machine",
            "at90s8515",
            "--serial-in",
            "xyz",
            "--serial",
        ];
        let (code, out, err) = scrimp(folder.path(), &args);
        assert_eq!((code, out.as_str()), (Some(0), "okxyz"), "{format}: {err}");
    }
    let (code, _, err) = scrimp(folder.path(), &["run", "out.hex"]);
    assert!(code == Some(2) && err.contains("--machine"), "{err}");
    let (code, _, err) = scrimp(folder.path(), &["run", "out.hex", "--machine", "attiny1"]);
    assert!(code == Some(2) && err.contains("is "), "{err}");
    std::fs::write(folder.path().join("bad.hex"), ":00").expect("a file");
    let args = ["run", "bad.hex", "--machine", "attiny13"];
    let (code, _, err) = scrimp(folder.path(), &args);
    assert!(code == Some(2) && err.contains("line 1"), "{err}");
    std::fs::write(folder.path().join("long.bin"), vec![0; 2000]).expect("a file");
    let args = ["run", "long.bin", "--machine", "attiny13"];
    let (code, _, err) = scrimp(folder.path(), &args);
    assert!(
        code == Some(2) && err.contains("past the end of the flash"),
        "{err}"
    );
}

#[test]
fn faults_of_a_board_have_a_place() {
    for (board, place, word) in [
        ("[board]\nleds = { port = 'E' }\n", "6:17", "no port E"),
        ("[board]\nleds = { prt = 'B' }\n", "6:10", "unknown field"),
        ("[board]\nclock = 'fast'\n", "6:9", "invalid type"),
        ("[board]\nclok = 8\n", "6:1", "is `clock` meant?"),
        ("[board]\nleds = ['B0']\n", "6:9", "expected a table"),
        ("[board]\nbuttons = { a = 1 }\n", "6:17", "expected a pin"),
    ] {
        let folder = folder(board);
        let (code, _, err) = scrimp(folder.path(), &["run"]);
        assert_eq!(code, Some(1), "{err}");
        assert!(
            err.contains(&format!("program.toml:{place}: error[E0080]")),
            "{err}"
        );
        assert!(err.contains(word), "{err}");
    }
    let folder = folder("[board]\n");
    let text = std::fs::read_to_string(folder.path().join("program.toml")).expect("it");
    let text = text
        .replace("'avr'", "'z80'")
        .replace("'at90s8515'", "'zx81-1k'");
    std::fs::write(folder.path().join("program.toml"), text).expect("a file");
    let (code, _, err) = scrimp(folder.path(), &["check"]);
    assert_eq!(code, Some(1));
    assert!(err.contains("is fixed"), "{err}");
}

/// The file says where its bytes stand, the device what they are.
#[test]
fn files_of_programmers_become_source() {
    let folder = tempfile::tempdir().expect("a folder");
    let source =
        " machine \"attiny85\"\nstart: rjmp go\n ds 40\ngo: ldi r16,$5f\n sbi $18,3\n rjmp start
 section store in eeprom\n db 1,2,3\n";
    std::fs::write(folder.path().join("a.asm"), source).expect("a file");
    let build = |source: &str, name: &str| {
        let emit = ["--target", "avr", "--emit", "mhex,elf,bin", "-q"];
        let args = [&["build", source, "-o", name][..], &emit].concat();
        let (code, _, err) = scrimp(folder.path(), &args);
        assert_eq!(code, Some(0), "{err}");
        std::fs::read(folder.path().join(format!("{name}.bin"))).expect("an image")
    };
    let want = build("a.asm", "first");
    let from = folder.path().join("first.mhex");
    std::fs::rename(from, folder.path().join("first.hex")).expect("another name");
    for name in ["first.hex", "first.elf", "first.bin"] {
        let machine = ["--machine", "attiny85"];
        let (code, out, err) = scrimp(folder.path(), &[&["disasm", name][..], &machine].concat());
        assert_eq!(code, Some(0), "{name}: {err}");
        assert!(
            out.contains("ldi r16,$5f             ; 002A  0F E5"),
            "{out}"
        );
        let note = "3 bytes outside of program memory are left out\n";
        assert_eq!(err, if name == "first.bin" { "" } else { note }, "{name}");
        std::fs::write(folder.path().join("again.asm"), out).expect("a file");
        assert_eq!(build("again.asm", "again"), want, "{name}");
    }
    let args = ["disasm", "first.hex", "--machine", "attiny85", "--org", "4"];
    let (code, _, err) = scrimp(folder.path(), &args);
    assert_eq!(code, Some(2));
    assert!(err.contains("has addresses of its own"), "{err}");
    std::fs::write(folder.path().join("bad.hex"), ":00x").expect("a file");
    let (code, _, err) = scrimp(folder.path(), &["disasm", "bad.hex", "--target", "avr"]);
    assert_eq!(code, Some(2));
    assert!(err.contains("cannot load bad.hex: line 1"), "{err}");
}

#[test]
fn devices_are_listed_and_found() {
    let folder = tempfile::tempdir().expect("a folder");
    let (code, out, _) = scrimp(folder.path(), &["targets"]);
    assert_eq!(code, Some(0));
    assert!(
        out.contains(" ATtiny85 ") && out.contains(" ATmega328P "),
        "{out}"
    );
    std::fs::write(folder.path().join("a.asm"), " nop\n").expect("a file");
    let (code, _, err) = scrimp(folder.path(), &["build", "a.asm", "--machine", "qqqq"]);
    assert_eq!(code, Some(2));
    assert!(
        err.contains("`scrimp targets` lists the 4") && err.len() < 100,
        "{err}"
    );
    // A dialect without a target of its own leaves the choice to the machine.
    let args = [
        "build",
        "a.asm",
        "--machine",
        "attiny85",
        "--dialect",
        "native-cpp",
    ];
    let (code, _, err) = scrimp(folder.path(), &args);
    assert_eq!(code, Some(0), "{err}");
}

#[test]
fn a_build_for_an_avr_writes_hex_if_nothing_else_is_asked_for() {
    let folder = tempfile::tempdir().expect("a folder");
    let there = |name: &str| folder.path().join(name).is_file();
    std::fs::write(folder.path().join("a.asm"), " nop\n").expect("a file");
    let (code, _, err) = scrimp(folder.path(), &["build", "a.asm", "--machine", "attiny85"]);
    assert_eq!((code, err.as_str()), (Some(0), ""));
    assert!(there("a.hex") && !there("a.bin"));
    let (code, ..) = scrimp(folder.path(), &["build", "a.asm", "--target", "avr"]);
    assert_eq!(code, Some(0));
    assert!(!there("a.bin"));
    let args = ["build", "a.asm", "--machine", "attiny85", "-o", "b.bin"];
    assert_eq!(scrimp(folder.path(), &args).0, Some(0));
    assert!(there("b.bin"));
}

#[test]
fn a_device_that_there_is_not_names_those_that_are_near() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("a.asm"), " nop\n").expect("a file");
    let (code, _, err) = scrimp(folder.path(), &["build", "a.asm", "--machine", "attiny86"]);
    assert_eq!(code, Some(2));
    for name in ["ATtiny84", "ATtiny85", "ATtiny88"] {
        assert!(err.contains(name), "{err}");
    }
    assert!(!err.contains("ATtiny26"), "{err}");
    let (_, _, err) = scrimp(folder.path(), &["build", "a.asm", "--machine", "zx81-1q"]);
    assert!(err.contains("zx81-1k"), "{err}");
}

/// The ELF has the section by which simavr knows part and clock.
#[test]
fn an_elf_tells_part_and_clock() {
    use object::{Object, ObjectSection};
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    let note = || {
        let bytes = std::fs::read(path("a.elf")).expect("an ELF file");
        let file = object::File::parse(&*bytes).expect("it");
        let section = file.section_by_name(".mmcu").expect("the section");
        section.data().expect("bytes").to_vec()
    };
    let named = |name: &str| {
        let mut out = vec![1, 64];
        out.extend(name.bytes());
        out.resize(66, 0);
        out
    };
    std::fs::write(path("a.asm"), "F_CPU equ 16000000\n nop\n").expect("a file");
    let args = ["build", "a.asm", "--machine", "atmega328p", "--emit", "elf"];
    assert_eq!(scrimp(folder.path(), &args).0, Some(0));
    let clock = [&[2, 4][..], &16_000_000u32.to_le_bytes()].concat();
    assert_eq!(note(), [named("atmega328p"), clock].concat());
    std::fs::write(path("a.asm"), " nop\n").expect("a file");
    assert_eq!(scrimp(folder.path(), &args).0, Some(0));
    assert_eq!(note(), named("atmega328p"));
    // A board has its own.
    let manifest = "name = 'a'\ntarget = 'avr'\nmachine = 'attiny84'\nmain = 'a.asm'\n\
                    emit = ['elf']\n[board]\nclock = 1000000\n";
    std::fs::write(path("program.toml"), manifest).expect("a file");
    let (code, _, err) = scrimp(folder.path(), &["build", ".", "-o", "a.elf"]);
    assert_eq!(code, Some(0), "{err}");
    let clock = [&[2, 4][..], &1_000_000u32.to_le_bytes()].concat();
    assert_eq!(note(), [named("attiny84"), clock].concat());
    // simavr needs no options then: it runs until the CPU sleeps for good.
    if !crate::common::tools::have(&["simavr"]) {
        return;
    }
    let source = " cli\n ldi r16,1\n out $33,r16\n sleep\n";
    std::fs::write(path("b.asm"), source).expect("a file");
    let args = ["build", "b.asm", "--machine", "atmega328p", "--emit", "elf"];
    assert_eq!(scrimp(folder.path(), &args).0, Some(0));
    let mut simavr = Command::new("timeout");
    let run = simavr
        .args(["20", "simavr", "b.elf"])
        .current_dir(folder.path());
    let out = run.output().expect("it runs");
    let said = String::from_utf8_lossy(&[out.stdout, out.stderr].concat()).into_owned();
    assert!(out.status.success(), "{said}");
}
