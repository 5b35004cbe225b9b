//! The dialect of SDCC's sdasz80: each source in `tests/dialects/sdas` with the bytes that
//! the assembler and its linker make of it, the same with those tools where they are
//! installed, faults, and programs at random. A folder is a program of several files.

use crate::common::random::Random;
use crate::linked::Linked;
use scrimp::text::source::MemoryLoader;
use scrimp::{Linking, assemble_linked};
use std::fmt::Write;
use std::path::Path;
use std::process::Command;

const TOOLS: [&str; 2] = ["sdasz80", "sdldz80"];

const THIS: Linked = Linked {
    dialect: "sdas",
    extension: "asm",
    tools: &TOOLS,
    by_tools,
};

/// The bytes of an Intel hex file, from the lowest to the highest address.
fn flat(hex: &str) -> Vec<u8> {
    let mut memory = std::collections::BTreeMap::new();
    for line in hex.lines() {
        let digits = line.trim().strip_prefix(':').unwrap_or("");
        let byte = |i: usize| u8::from_str_radix(&digits[i * 2..i * 2 + 2], 16).expect("digits");
        if digits.len() < 10 || byte(3) != 0 {
            continue;
        }
        let at = usize::from(byte(1)) << 8 | usize::from(byte(2));
        for i in 0..usize::from(byte(0)) {
            memory.insert(at + i, byte(4 + i));
        }
    }
    let (Some(low), Some(high)) = (memory.keys().next(), memory.keys().last()) else {
        return Vec::new();
    };
    (*low..=*high)
        .map(|a| memory.get(&a).copied().unwrap_or(0))
        .collect()
}

/// What the tools make of some files of a folder.
fn by_tools(folder: &Path, files: &[String]) -> Vec<u8> {
    let run = |c: &mut Command| {
        let done = c.current_dir(folder).output().expect("the tool runs");
        let said = String::from_utf8_lossy(&done.stdout).into_owned()
            + &String::from_utf8_lossy(&done.stderr);
        assert!(
            done.status.success() && !said.contains("Error"),
            "{c:?}: {said}"
        );
    };
    let dir = tempfile::tempdir().expect("a folder");
    let hex = dir.path().join("x.ihx");
    let mut link = Command::new(TOOLS[1]);
    link.args(["-n", "-i"]).arg(&hex);
    for (i, file) in files.iter().enumerate() {
        let object = dir.path().join(format!("{i}.rel"));
        run(Command::new(TOOLS[0]).arg("-o").arg(&object).arg(file));
        link.arg(object);
    }
    run(&mut link);
    flat(&std::fs::read_to_string(&hex).expect("an image"))
}

#[test]
fn the_bytes_of_sdasz80_and_sdldz80() {
    THIS.goldens_come_out(8);
}

/// The goldens are what the tools make.
#[test]
fn the_tools_make_the_same() {
    THIS.tools_make_the_same();
}

#[test]
fn faults_have_a_place() {
    THIS.faults_have_a_place(38);
}

/// A value of numbers only.
fn value(r: &mut Random, depth: u32) -> String {
    let atom = match r.below(7) {
        0 => format!("0x{:x}", r.below(32768)),
        1 => format!("0h{:X}", r.below(32768)),
        2 => format!("0b{:b}", r.below(256)),
        3 => format!("'{}", (b'#' + r.below(4) as u8) as char),
        4 if depth < 3 => format!("({})", value(r, depth + 1)),
        5 => format!("{}{}", r.pick(&["-", "~", "<", ">", "+"]), r.below(300)),
        _ => r.below(1000).to_string(),
    };
    if depth > 2 || r.one_in(2) {
        return atom;
    }
    let op = r.pick(&["+", "-", "*", "|", "&", "^", "+", "-"]);
    format!("{atom} {op} {}", value(r, depth + 1))
}

fn line(r: &mut Random, labels: usize) -> String {
    const BYTE: &[&str] = &[
        "a", "b", "c", "d", "e", "h", "l", "(hl)", "@ (ix)", "-@(iy)",
    ];
    const PAIR: &[&str] = &["bc", "de", "hl", "sp", "ix", "iy"];
    let word = match r.one_in(2) {
        true => format!("lab{}+{}", r.below(labels), r.below(9)),
        false => format!("0+({})", value(r, 0)),
    };
    let byte = format!("#0+({})", value(r, 0));
    let alu = [
        "add a,", "adc a,", "sub ", "sub a,", "sbc a,", "and ", "xor ", "or ", "cp ",
    ];
    let text = match r.below(15) {
        0 => format!(".db {},'x,{}", value(r, 0), value(r, 0)),
        1 => format!(".dw {word},{}", value(r, 0)),
        2 => format!(".ds {}", r.below(5)),
        3 => format!("ld {},{}", r.pick(&BYTE[..7]), r.pick(BYTE)),
        4 => format!("ld {},{byte}", r.pick(BYTE)),
        5 => format!("ld {},#{word}", r.pick(PAIR)),
        6 => format!("ld {},({word})", r.pick(PAIR)),
        7 => format!("ld ({word}),{}", r.pick(PAIR)),
        8 => format!("{}{}", r.pick(&alu), r.pick(BYTE)),
        9 => format!("{}{byte}", r.pick(&alu)),
        10 => {
            let m = r.pick(&["bit", "set", "res"]);
            format!("{m} {},{}", r.below(8), r.pick(BYTE))
        }
        11 => {
            let m = r.pick(&["rlc", "rrc", "rl", "rr", "sla", "sra", "srl", "inc", "dec"]);
            format!("{m} {}", r.pick(BYTE))
        }
        12 => {
            let c = r.pick(&["", "nz,", "z,", "nc,", "c,", "po,", "pe,", "p,", "m,"]);
            format!("{} {c}{word}", r.pick(&["jp", "call"]))
        }
        13 => format!("ld a,#{}lab{}", r.pick(&["<", ">"]), r.below(labels)),
        _ => {
            let c = r.pick(&["djnz ", "jr ", "jr nz,", "jr z,", "jr nc,", "jr c,"]);
            format!("{c}{}", r.pick(&["1$", ".+5", ".-3"]))
        }
    };
    text.replace('@', &r.below(128).to_string())
}

fn source(r: &mut Random) -> String {
    let mut source = "\t.area _CODE\n".to_owned();
    for i in 0..300 {
        if i % 10 == 0 {
            let _ = writeln!(source, "lab{}:\n1$:", i / 10);
        }
        if i % 40 == 19 {
            let name = r.pick(&["_DATA", "_CODE", "_HOME", "_GSINIT"]);
            // A branch reaches no other area's label.
            let _ = writeln!(source, "\t.area {name}\nmore{i}:\n1$:");
        }
        let _ = writeln!(source, "\t{}", line(r, 30));
    }
    source
}

#[test]
fn programs_at_random() {
    THIS.at_random(source);
}

#[test]
fn files_share_what_they_show_and_nothing_else() {
    let loader = MemoryLoader::default()
        .with("a.s", "shown:: nop\nown: nop\n")
        .with("b.s", " .globl shown\n jp shown\n")
        .with("c.s", " jp own\n")
        .with("d.s", "shown:: nop\n");
    let link = |files: &[&str]| {
        let linking = Linking {
            files: files.iter().map(|f| (*f).to_owned()).collect(),
            ..Linking::default()
        };
        assemble_linked(&THIS.job("a.s"), &linking, &loader)
    };
    let bytes = link(&["b.s"]).image.expect("a program").binary(0);
    assert_eq!(bytes, [0, 0, 0xc3, 0, 0]);
    assert_eq!(link(&["c.s"]).diagnostics[0].code, "E0030");
    assert_eq!(link(&["d.s"]).diagnostics[0].code, "E0031");
}

#[test]
fn areas_go_to_addresses_from_outside() {
    let source = " .area _CODE\n jp x\n .area _DATA\nx:: .dw given\n";
    let loader = MemoryLoader::default().with("main.asm", source);
    let linking = Linking {
        addresses: vec![("_CODE".into(), 0x8000), ("_DATA".into(), 0x8005)],
        symbols: vec![("given".into(), 7)],
        ..Linking::default()
    };
    let out = assemble_linked(&THIS.job("main.asm"), &linking, &loader);
    let bytes = out.image.expect("a program").binary(0);
    assert_eq!(bytes, [0xc3, 5, 0x80, 0, 0, 7, 0]);
}
