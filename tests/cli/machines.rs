//! Which machine and which CPU a command takes: what the source names counts everywhere,
//! and a machine file is never read as a source.

use super::bench::Bench;

const ZX81: &str = "\
        machine zx81-1k
        org $4082
start:  jump start
        charmap \"zx81\"
text:   db \"HELLO\"
";

#[test]
fn a_machine_in_the_source_counts_everywhere() {
    // Above what needs it, below, and in a file that is included.
    let late = "        org $4082\nstart:  jump start\n        charmap \"zx81\"\ntext:   db \"HELLO\"\n        machine zx81-1k\n";
    let b = Bench::new(&[
        ("first.asm", ZX81),
        ("last.asm", late),
        (
            "file.asm",
            &format!("        include \"m.inc\"\n{}", &ZX81[24..]),
        ),
        ("m.inc", "        machine zx81-1k\n"),
    ]);
    for name in ["first", "last", "file"] {
        let file = format!("{name}.asm");
        let ran = b.run(&["build", &file]);
        assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{name}");
        let bytes = b.read(&format!("{name}.p")).expect("a .p file");
        assert!(
            bytes
                .windows(5)
                .any(|w| w == [0x2d, 0x2a, 0x31, 0x31, 0x34]),
            "{name}"
        );
        assert!(b.read(&format!("{name}.bin")).is_none());
        for command in ["check", "size"] {
            assert_eq!(b.run(&[command, &file]).code, Some(0), "{command} {name}");
        }
        let ran = b.run(&["run", &file, "--frames", "50", "--peek", "text:5"]);
        assert_eq!(ran.out, "4084: 2D 2A 31 31 34\n", "{name}: {}", ran.err);
    }
}

#[test]
fn a_machine_of_any_target_is_found() {
    let b = Bench::new(&[
        (
            "blink.asm",
            "        sbi $17,0\nloop:   rjmp loop\n        machine attiny85\n",
        ),
        (
            "loop.asm",
            "        machine gigatron-32k\nstart:  bra start\n        nop\n",
        ),
        ("p/program.toml", "main = 'a.asm'\nmachine = 'attiny85'\n"),
        ("p/a.asm", "        sbi $17,0\n"),
        ("wrong.asm", "        machine atiny85\n        nop\n"),
        (
            "two.asm",
            "        machine zx81-1k\n        machine zx81-16k\n",
        ),
    ]);
    for (args, file, bytes) in [
        (
            &["build", "blink.asm", "--emit", "bin"][..],
            "blink.bin",
            &[0xb8, 0x9a, 0xff, 0xcf][..],
        ),
        (
            &["build", "loop.asm"],
            "loop.rom",
            &[0xfc, 0x00, 0x02, 0x00],
        ),
        (&["build", "p", "-o", "p.bin"], "p.bin", &[0xb8, 0x9a]),
    ] {
        let ran = b.run(args);
        assert_eq!(ran.code, Some(0), "{args:?}: {}", ran.err);
        let made = b.read(file).unwrap_or_default();
        assert!(
            made.starts_with(bytes),
            "{args:?}: {:?}",
            &made[..made.len().min(8)]
        );
    }
    for command in ["check", "size"] {
        assert_eq!(b.run(&[command, "blink.asm"]).code, Some(0), "{command}");
        assert_eq!(b.run(&[command, "loop.asm"]).code, Some(0), "{command}");
    }
    let ran = b.run(&["run", "blink.asm", "--cycles", "1000"]);
    assert!(
        ran.code == Some(0) && ran.out.contains("blink"),
        "{}",
        ran.err
    );
    // Who says another target means it, and a wrong name has the near one.
    let ran = b.run(&["build", "blink.asm", "--target", "z80"]);
    assert!(
        ran.code == Some(1) && ran.err.contains("--machine attiny85"),
        "{}",
        ran.err
    );
    let ran = b.run(&["build", "wrong.asm"]);
    assert!(
        ran.code == Some(1) && ran.err.contains("ATtiny85"),
        "{}",
        ran.err
    );
    assert_eq!(b.run(&["build", "two.asm"]).code, Some(1));
}

#[test]
fn a_program_for_no_machine_is_not_run_on_one() {
    let b = Bench::new(&[]);
    for command in ["run", "play"] {
        let ran = b.run(&[command, "zx81-firmware"]);
        assert_eq!(ran.code, Some(2), "{}", ran.err);
        assert!(ran.err.contains("is for no machine"), "{}", ran.err);
    }
}

#[test]
fn machine_files_choose_their_cpu() {
    let b = Bench::new(&[
        ("a.asm", "        machine attiny85\nloop:   rjmp loop\n"),
        (
            "g.asm",
            "        machine gigatron-32k\nstart:  bra start\n        nop\n",
        ),
        ("z.asm", ZX81),
    ]);
    std::fs::write(b.path("g.gt1"), [2, 0, 1, 0x11, 0, 2, 0]).expect("a file");
    for args in [
        &["build", "a.asm", "--emit", "elf,hex,eep,srec,lst,map"][..],
        &["build", "g.asm", "--emit", "rom"],
        &["build", "z.asm", "--emit", "p,elf"],
    ] {
        let ran = b.run(args);
        assert_eq!(ran.code, Some(0), "{args:?}: {}", ran.err);
    }
    std::fs::copy(b.path("a.elf"), b.path("a.out")).expect("a copy");
    for file in ["a.elf", "a.hex", "a.out"] {
        let ran = b.run(&["size", file, "--machine", "attiny85"]);
        let says = format!("{file} is a machine file");
        assert!(ran.err.contains(&says), "{file}: {}", ran.err);
    }
    for (file, word) in [
        ("a.elf", "rjmp"),
        ("a.out", "rjmp"),
        ("a.hex", "rjmp"),
        ("g.rom", "bra"),
        ("g.gt1", "db $11"),
        ("z.elf", "jr"),
    ] {
        let ran = b.run(&["disasm", file]);
        assert!(
            ran.code == Some(0) && ran.out.contains(word),
            "{file}: {}{}",
            ran.out,
            ran.err
        );
    }
    assert!(
        b.run(&["disasm", "z.p"])
            .out
            .starts_with("        org $4009\n")
    );
    for args in [
        &["disasm", "a.elf", "--target", "z80"][..],
        &["disasm", "a.eep"],
        &["disasm", "a.srec"],
        &["run", "a.elf"],
        &["run", "z.elf", "--machine", "attiny85"],
        &["run", "g.rom", "--target", "z80"],
        &["run", "z.p", "--machine", "gigatron-32k"],
        &["build", "g.rom"],
        &["check", "g.gt1"],
        &["run", "a.srec"],
        &["build", "a.map"],
    ] {
        let ran = b.run(args);
        assert_eq!(ran.code, Some(2), "{args:?}: {}{}", ran.out, ran.err);
        assert_eq!(ran.err.lines().count(), 1, "{args:?}: {}", ran.err);
    }
    for command in ["run", "play"] {
        let ran = b.run(&[command, "g.rom"]);
        assert!(
            ran.err.is_empty() || !ran.err.contains("E0"),
            "{command}: {}",
            ran.err
        );
        assert!(ran.out.contains("g: "), "{command}: {}{}", ran.out, ran.err);
    }
    let ran = b.run(&["run", "a.out", "--machine", "attiny85", "--cycles", "100"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
}

#[test]
fn room_in_memory_is_not_in_the_file() {
    let b = Bench::new(&[(
        "a.asm",
        "        machine attiny85\nloop:   rjmp loop\n        section data in sram\nroom:   ds 100\n",
    )]);
    let ran = b.run(&["play", "a.asm"]);
    assert!(
        ran.out.contains("2 bytes of code and data, 2 in the file"),
        "{}{}",
        ran.out,
        ran.err
    );
}

#[test]
fn symbols_lie_where_an_emulator_looks() {
    let b = Bench::new(&[("z.asm", ZX81)]);
    assert_eq!(b.run(&["build", "z.asm", "--emit", "p,sym"]).code, Some(0));
    assert!(b.read("z.p.sym").is_some() && b.read("z.sym").is_none());
    assert_eq!(
        b.run(&["build", "z.asm", "--emit", "sym", "-o", "x.sym"])
            .code,
        Some(0)
    );
    assert!(b.read("x.sym").is_some());
}

#[test]
fn debugging_data_names_files_and_rows_that_exist() {
    let text = "        machine zx81-1k\n        include <zx81/rom.asm>\n        org $4082\nstart:  jump start\n";
    let b = Bench::new(&[("z.asm", text)]);
    let ran = b.run(&["build", "z.asm", "--emit", "sld"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let sld = String::from_utf8(b.read("z.sld").expect("a file")).expect("text");
    assert!(!sld.contains("KEYWORDS") && !sld.contains('<'), "{sld}");
    let rows: Vec<Vec<&str>> = sld.lines().map(|l| l.split('|').collect()).collect();
    assert!(rows[1..].iter().all(|r| r[0] == "z.asm"), "{sld}");
    assert!(rows.iter().any(|r| r[1] == "2" && r[6] == "L"), "{sld}");
}

#[test]
fn what_is_assumed_of_bytes_is_said() {
    let b = Bench::new(&[]);
    std::fs::write(b.path("x.bin"), [0x3e, 0x05, 0xc9]).expect("a file");
    std::fs::write(b.path("x.hex"), ":0200000000C03E\n:00000001FF\n").expect("a file");
    for (args, assumed) in [
        (&["disasm", "x.bin"][..], Some("z80")),
        (&["disasm", "x.hex"], Some("avr")),
        (&["disasm", "x.bin", "--target", "avr"], None),
        (&["disasm", "x.hex", "--machine", "attiny85"], None),
    ] {
        let ran = b.run(args);
        assert_eq!(ran.code, Some(0), "{args:?}: {}", ran.err);
        match assumed {
            Some(name) => assert!(
                ran.err.contains(&format!("decoded as {name}; --target")),
                "{args:?}: {}",
                ran.err
            ),
            None => assert_eq!(ran.err, "", "{args:?}"),
        }
    }
    // The ROM of a ZX81 is no program of the machine whose programs end so.
    let mut rom = vec![0u8; 0x2000];
    rom[..2].copy_from_slice(&[0xd3, 0xfd]);
    std::fs::write(b.path("zx81.rom"), &rom).expect("a file");
    for command in ["run", "play"] {
        let ran = b.run(&[command, "zx81.rom"]);
        assert_eq!(ran.code, Some(2), "{command}: {}{}", ran.out, ran.err);
        assert!(
            ran.err.contains("is the ROM of zx81") && ran.err.contains("--rom zx81.rom"),
            "{command}: {}",
            ran.err
        );
    }
    let ran = b.run(&["disasm", "zx81.rom"]);
    assert!(
        ran.err.is_empty() && ran.out.contains("out ($fd),a"),
        "{}{}",
        ran.err,
        ran.out.lines().take(3).collect::<String>()
    );
    // One that is shorter than an EPROM says on what it runs.
    std::fs::write(b.path("short.rom"), [0xfc, 0, 0x02, 0]).expect("a file");
    let ran = b.run(&["run", "short.rom", "--frames", "1"]);
    assert!(
        ran.err.contains("taken as memory of gigatron") && ran.err.contains("--machine"),
        "{}",
        ran.err
    );
    let ran = b.run(&[
        "run",
        "short.rom",
        "--frames",
        "1",
        "--machine",
        "gigatron-32k",
    ]);
    assert!(!ran.err.contains("taken as"), "{}", ran.err);
}

/// Records in any order and on each other are memory; what is made of it assembles.
#[test]
fn scattered_bytes_are_disassembled_once() {
    let b = Bench::new(&[]);
    let record = |at: u16, byte: u8| {
        let sum = [1, (at >> 8) as u8, at as u8, 0, byte];
        let sum = sum.iter().fold(0u8, |s, b| s.wrapping_sub(*b));
        format!(":01{at:04X}00{byte:02X}{sum:02X}\n")
    };
    // Every second address downwards, all twice, and two that make one instruction.
    let every = (0..20_000)
        .rev()
        .map(|i| record(i * 2, 0x3c))
        .collect::<String>();
    let pair = record(0xf001, 0x07) + &record(0xf000, 0x3e);
    let text = every.clone() + &every + &pair + ":00000001FF\n";
    std::fs::write(b.path("x.hex"), text).expect("a file");
    let ran = b.run(&["disasm", "x.hex", "--target", "z80"]);
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
    assert_eq!(ran.out.matches("inc a").count(), 20_000);
    let last = ran.out.lines().last().expect("a line");
    assert!(
        last.contains("ld a,") && last.ends_with("; F000  3E 07"),
        "{last}"
    );
    std::fs::write(b.path("x.asm"), &ran.out).expect("a file");
    let ran = b.run(&["build", "x.asm", "-o", "x.bin"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let bytes = b.read("x.bin").expect("the bytes");
    assert_eq!(
        (bytes.len(), bytes[39_998], bytes[0xf001]),
        (0xf002, 0x3c, 7)
    );
}

/// A small ELF file whose segments are all the same many bytes of it.
#[test]
fn segments_that_share_their_bytes_are_bounded() {
    let b = Bench::new(&[]);
    let count = 20_000u16;
    let mut file = b"\x7fELF\x01\x01\x01\0\0\0\0\0\0\0\0\0".to_vec();
    let half = |file: &mut Vec<u8>, n: u16| file.extend(n.to_le_bytes());
    let word = |file: &mut Vec<u8>, n: u32| file.extend(n.to_le_bytes());
    for n in [2, 83] {
        half(&mut file, n);
    }
    for n in [1, 0, 52, 0, 0] {
        word(&mut file, n);
    }
    for n in [52, 32, count, 40, 0, 0] {
        half(&mut file, n);
    }
    for _ in 0..count {
        for n in [1, 0, 0, 0, 600_000, 600_000, 5, 1] {
            word(&mut file, n);
        }
    }
    std::fs::write(b.path("x.elf"), &file).expect("a file");
    for args in [
        &["disasm", "x.elf"][..],
        &["run", "x.elf", "--machine", "atmega328p"],
    ] {
        let ran = b.run(args);
        assert_eq!(ran.code, Some(2), "{args:?}: {}", ran.err);
        assert!(ran.err.contains("more than 16777216 bytes"), "{}", ran.err);
    }
}
