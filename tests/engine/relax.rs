//! `--relax`: long jumps and calls become short where that reaches, distances follow, tables
//! of jumps keep their room; and the same bytes as GNU's linker where it is installed.

use crate::common::random::Random;
use crate::common::tools::have;
use crate::common::{difference, findings};
use scrimp::text::source::MemoryLoader;
use scrimp::{Job, Linking, Output, assemble_linked, targets};
use std::fmt::Write;
use std::process::Command;

/// A program of one file, relaxed.
fn relaxed(dialect: &str, machine: &str, source: &str) -> Output {
    let mut all = targets::all().iter().copied();
    let target = all.find(|t| t.machine(machine).is_some());
    let target = target.expect("a target with that machine");
    let job = Job {
        file: "main.S".into(),
        target,
        machine: target.machine(machine),
        dialect: dialect.into(),
        defines: Vec::new(),
    };
    let linking = Linking {
        relax: true,
        ..Linking::default()
    };
    let loader = MemoryLoader::default().with("main.S", source.as_bytes());
    assemble_linked(&job, &linking, &loader)
}

/// Its bytes.
fn bytes(dialect: &str, machine: &str, source: &str) -> Vec<u8> {
    let out = relaxed(dialect, machine, source);
    let found = findings(&out);
    out.image.unwrap_or_else(|| panic!("{found}")).binary(0)
}

/// Words, low byte first.
fn words(list: &[u16]) -> Vec<u8> {
    list.iter().flat_map(|w| w.to_le_bytes()).collect()
}

#[test]
fn jumps_that_reach_are_short_and_others_long() {
    let source = " call near\n call far\n jmp near\nnear: ret\n .skip 5000\nfar: ret\n";
    let made = bytes("gas-avr", "atmega328p", source);
    // rcall over three words, call, rjmp to the next.
    let head = words(&[0xd003, 0x940e, 0x09c9, 0xc000, 0x9508]);
    assert_eq!(made[..10], head[..]);
    assert_eq!(made.len(), 10 + 5000 + 2);
}

/// Where the linker of GNU is wrong, which keeps `brne .-6` and `.word f-main` as they were.
#[test]
fn distances_follow() {
    let source = "main: call f\n call f\n nop\n .word f-main\n .word pm(f)\nf: ret\n \
                  .align 2\ng: call f\n brne .-6\n rjmp .+4\n call f\n .word g+4\n";
    let made = bytes("gas-avr", "atmega328p", source);
    let wanted = [
        0xd004, 0xd003, 0x0000, 0x000a, 0x0005, 0x9508, // g follows at a multiple of 4
        0xdffe, 0xf7f1, 0xc001, 0xdffb, 0x000e, 0x0000,
    ];
    assert_eq!(made, words(&wanted));
}

#[test]
fn what_a_distance_leads_into_stays_long() {
    // The second word of the call is data for somebody.
    let source = "g: call f\n rjmp .-4\nf: ret\n";
    let made = bytes("gas-avr", "atmega328p", source);
    assert_eq!(made, words(&[0x940e, 0x0003, 0xcffe, 0x9508]));
}

#[test]
fn sections_of_vectors_keep_their_room() {
    let source = " .section .vectors,\"ax\"\n jmp start\n jmp far\n .text\nstart: jmp start\n \
                  .skip 5000\nfar: ret\n";
    let made = bytes("gas-avr", "atmega328p", source);
    let head = words(&[0xc003, 0x0000, 0x940c, 0x09c9, 0xcfff]);
    assert_eq!(made[..10], head[..]);
}

#[test]
fn avrasm_counts_words_and_tables_keep_their_room() {
    let source = "\
.cseg
    jmp start
    jmp other
    reti
    nop
start:
    call other
    sbrc r16, 1
    jmp PC+3
    nop
    call other
    ldi ZL, low(table)
    ijmp
other:
    ret
table:
    jmp start
    jmp other
";
    let made = bytes("avrasm2", "atmega328p", source);
    let wanted = [
        0x940c, 0x0006, 0x940c, 0x000d, 0x9518, 0x0000, // the vectors
        0xd006, 0xfd01, 0xc001, 0x0000, 0xd002, 0xe0ee, 0x9409, 0x9508, // start, other
        0x940c, 0x0006, 0x940c, 0x000d,
    ];
    assert_eq!(made, words(&wanted));
}

/// What is decided while reading is said where it would be another number.
#[test]
fn what_was_decided_with_long_forms_is_said() {
    let found = |dialect: &str, source: &str| -> Vec<(usize, String)> {
        let out = relaxed(dialect, "atmega328p", source);
        let line = |d: &scrimp::diagnostic::Diagnostic| {
            let span = d.span.expect("a place");
            let text = &source.as_bytes()[..span.start as usize];
            text.iter().filter(|b| **b == b'\n').count() + 1
        };
        let all = out.diagnostics.iter();
        let all = all.filter(|d| d.code == "W0015");
        all.map(|d| (line(d), d.message.clone())).collect()
    };
    let code = "a: call b\ncall b\nb: ret\n";
    // A condition whose truth changes, one whose truth stays.
    let with = |rest: &str| format!("{code}{rest}");
    let one = found("avrasm2", &with(".if b - a > 3\nnop\n.endif\n"));
    assert_eq!(one.len(), 1, "{one:?}");
    assert_eq!(
        one[0],
        (
            4,
            "this was 1 with long jumps and is 0 with short ones".into()
        )
    );
    assert!(found("avrasm2", &with(".if b - a > 1\nnop\n.endif\n")).is_empty());
    // A variable, and not a constant, which follows.
    let one = found("avrasm2", &with(".set n = b - a\n.dw n\n"));
    assert_eq!(
        one,
        [(
            4,
            "this was 4 with long jumps and is 2 with short ones".into()
        )]
    );
    assert!(found("avrasm2", &with(".equ n = b - a\n.dw n\n")).is_empty());
    // Numbers that have nothing of addresses, and programs without long jumps.
    assert!(
        found(
            "avrasm2",
            &with(".set n = 1\n.set n = n + 1\n.if n > 1\nnop\n.endif\n")
        )
        .is_empty()
    );
    assert!(
        found(
            "avrasm2",
            "a: nop\nb: nop\n.set n = b - a\n.if b - a > 0\nnop\n.endif\n"
        )
        .is_empty()
    );
    let one = found("gas-avr", &with(".rept b - a - 5\nnop\n.endr\n"));
    assert_eq!(one.len(), 1, "{one:?}");
}

#[test]
fn the_z80_jumps_relative_where_it_can() {
    let source = "    org $8000\nstart:\n    jp z,over\n    jp pe,over\n    ld (change+1),hl\n\
                  change:\n    jp start\nnext:\n    jp nc,$+5\n    jp c,far\nover:\n    ret\n    \
                  ds 300\nfar:\n    jp over\n";
    let made = bytes("native", "zx81-16k", source);
    let head = [0x28, 0x0e, 0xea, 0x10, 0x80, 0x22, 0x09, 0x80];
    assert_eq!(made[..8], head);
    // `$+5` is two bytes into the jump behind it, which keeps its three.
    let rest = [0xc3, 0x00, 0x80, 0x30, 0x02, 0xda, 0x3d, 0x81, 0xc9, 0x00];
    assert_eq!(made[8..18], rest);
}

#[test]
fn a_dialect_that_places_at_once_says_so() {
    let out = relaxed("rasm", "zx81-16k", " org #8000\n jp start\nstart: ret\n");
    let found = findings(&out);
    assert!(found.contains("do not become shorter"), "{found}");
    assert!(out.image.is_none());
}

/// A program of jumps and calls over random distances.
fn program(random: &mut Random) -> String {
    let labels = 4 + random.below(12);
    let mut text = String::from(" .text\n .global main\nmain:\n");
    let any = |r: &mut Random| r.below(labels);
    for i in 0..labels {
        let _ = writeln!(text, "l{i}:");
        for _ in 0..1 + random.below(6) {
            let to = any(random);
            let line = match random.below(9) {
                0..=2 => format!(" call l{to}"),
                3 | 4 => format!(" jmp l{to}"),
                5 => format!(" sbrs r{}, 1\n jmp l{to}", random.below(32)),
                6 => format!(" ldi r24, lo8(gs(l{to}))\n ldi r25, hi8(gs(l{to}))"),
                7 => format!(" .word gs(l{to})"),
                _ => " nop".into(),
            };
            let _ = writeln!(text, "{line}");
        }
        if random.below(3) == 0 {
            let _ = writeln!(text, " .skip {}", 2 * random.below(1400));
        }
    }
    text
}

/// The linker of GNU begins with long forms and makes them short; so it may leave a jump
/// long that ours has short, never the other way. Nearly all are the same.
#[test]
fn random_programs_are_those_of_the_linker() {
    if !have(&["avr-as", "avr-ld", "avr-objcopy"]) {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let mut random = Random(16);
    let (mut same, count) = (0, 60);
    for _ in 0..count {
        let source = program(&mut random);
        let made = bytes("gas-avr", "atmega1284p", &source);
        std::fs::write(folder.path().join("main.s"), &source).expect("a file");
        let run = |tool: &str, args: &[&str]| {
            let mut command = Command::new(tool);
            let done = command.current_dir(folder.path()).args(args).output();
            assert!(done.expect("it runs").status.success(), "{tool}\n{source}");
        };
        run("avr-as", &["-mmcu=atmega1284p", "main.s", "-o", "main.o"]);
        let relax = ["--relax", "--no-call-ret-replacement"];
        let link = ["-mavr51", "main.o", "-o", "main.elf"];
        run("avr-ld", &[&relax[..], &link[..]].concat());
        run("avr-objcopy", &["-O", "binary", "main.elf", "main.bin"]);
        let theirs = std::fs::read(folder.path().join("main.bin")).expect("bytes");
        if made == theirs {
            same += 1;
        } else {
            let why = difference(&made, &theirs);
            assert!(made.len() < theirs.len(), "{why:?}\n{source}");
        }
    }
    assert!(same * 10 >= count * 9, "{same} of {count}");
}

/// The same program for GNU as and for AVRASM2. Behind a jump is always a label: without one
/// that is a table of jumps for AVRASM2, see `avrasm_counts_words_and_tables_keep_their_room`.
fn two_programs(random: &mut Random) -> [String; 2] {
    let labels = 4 + random.below(12);
    let mut texts = [" .text\nmain:\n".to_string(), "main:\n".to_string()];
    let mut both = |gas: &str, avrasm: &str| {
        let _ = writeln!(texts[0], "{gas}");
        let _ = writeln!(texts[1], "{avrasm}");
    };
    for i in 0..labels {
        both(&format!("l{i}:"), &format!("l{i}:"));
        for k in 0..1 + random.below(6) {
            let to = random.below(labels);
            let call = format!(" call l{to}");
            let jump = format!(" jmp l{to}\nm{i}_{k}:");
            let skip = format!(" sbrs r{}, 1\n{jump}", random.below(32));
            match random.below(9) {
                0..=2 => both(&call, &call),
                3 | 4 => both(&jump, &jump),
                5 => both(&skip, &skip),
                6 => both(
                    &format!(" ldi r24, lo8(gs(l{to}))\n ldi r25, hi8(gs(l{to}))"),
                    &format!(" ldi r24, low(l{to})\n ldi r25, high(l{to})"),
                ),
                7 => both(&format!(" .word gs(l{to})"), &format!(" .dw l{to}")),
                _ => both(" nop", " nop"),
            }
        }
        if random.below(3) == 0 {
            let words = random.below(1400);
            let zeros = format!(" .dw 0{}", ", 0".repeat(19)) + "\n";
            let rest = " .dw 0\n".repeat(words % 20);
            both(
                &format!(" .skip {}", 2 * words),
                &(zeros.repeat(words / 20) + &rest),
            );
        }
    }
    texts
}

#[test]
fn random_programs_are_the_same_in_both_dialects() {
    let mut random = Random(17);
    for _ in 0..60 {
        let [gas, avrasm] = two_programs(&mut random);
        let one = bytes("gas-avr", "atmega1284p", &gas);
        let other = bytes("avrasm2", "atmega1284p", &avrasm);
        if one != other {
            panic!("{:?}\n{gas}", difference(&one, &other));
        }
    }
}
