//! The dialect of GNU as for the Z80: each source in `tests/dialects/gas-z80` with the bytes
//! that the assembler, its linker and objcopy make of it, the same with those tools where
//! they are installed, faults, and programs at random. A folder is a program of several
//! files.

use crate::common::findings;
use crate::common::random::Random;
use crate::linked::Linked;
use scrimp::text::source::MemoryLoader;
use scrimp::{Linking, assemble_linked};
use std::fmt::Write;
use std::path::Path;
use std::process::Command;

const TOOLS: [&str; 3] = [
    "z80-unknown-coff-as",
    "z80-unknown-coff-ld",
    "z80-unknown-coff-objcopy",
];

const THIS: Linked = Linked {
    dialect: "gas-z80",
    extension: "s",
    tools: &TOOLS,
    by_tools,
};

/// What the tools make of some files of a folder.
fn by_tools(folder: &Path, files: &[String]) -> Vec<u8> {
    let run = |c: &mut Command| {
        let done = c.current_dir(folder).output().expect("the tool runs");
        let said = String::from_utf8_lossy(&done.stderr).into_owned();
        assert!(done.status.success(), "{c:?}: {said}");
    };
    let dir = tempfile::tempdir().expect("a folder");
    let mut link = Command::new(TOOLS[1]);
    link.args(["-e", "0"]);
    for (i, file) in files.iter().enumerate() {
        let object = dir.path().join(format!("{i}.o"));
        run(Command::new(TOOLS[0]).args([file, "-o"]).arg(&object));
        link.arg(object);
    }
    let (elf, bin) = (dir.path().join("x.elf"), dir.path().join("x.bin"));
    run(link.arg("-o").arg(&elf));
    run(Command::new(TOOLS[2])
        .args(["-O", "binary"])
        .args([&elf, &bin]));
    std::fs::read(&bin).expect("an image")
}

#[test]
fn the_bytes_of_gnu_as_and_ld() {
    THIS.goldens_come_out(10);
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

/// What the assembler takes with `-sdcc` and `-march=z80+full`.
#[test]
fn spellings_of_sdcc_and_undocumented_instructions() {
    for (source, bytes) in [
        ("ld a,#5", &[0x3e, 5][..]),
        ("ld a,5 (ix)", &[0xdd, 0x7e, 5]),
        ("ld -3(iy),b", &[0xfd, 0x70, 0xfd]),
        ("sub a,b", &[0x90]),
        ("ld hl,#x\nx:", &[0x21, 3, 0]),
        (".org 0x102\nx: .db <x,>x", &[2, 1]),
        ("sll a", &[0xcb, 0x37]),
        ("sli b", &[0xcb, 0x30]),
        ("sl1 (hl)", &[0xcb, 0x36]),
        ("out (c),0", &[0xed, 0x71]),
        ("rlc (ix+1),b", &[0xdd, 0xcb, 1, 0]),
    ] {
        let out = THIS.text(&format!(" {}\n", source.replace('\n', "\n ")));
        let image = out.image.as_ref();
        let image = image.unwrap_or_else(|| panic!("{source}: {}", findings(&out)));
        assert!(image.binary(0).ends_with(bytes), "{source}");
    }
}

/// A value of numbers only, which no part of the tools takes for a label's.
fn value(r: &mut Random, depth: u32) -> String {
    let atom = match r.below(8) {
        0 => format!("0x{:x}", r.below(65536)),
        1 => format!("0{:x}h", r.below(65536)),
        2 => format!("${:X}", r.below(65536)),
        3 => format!("'{}'", (b'!' + r.below(5) as u8) as char),
        4 if depth < 3 => format!("({})", value(r, depth + 1)),
        5 => format!("0b{:b}", r.below(256)),
        6 => format!("{}{}", r.pick(&["-", "~", "!", "+"]), r.below(300)),
        _ => r.below(1000).to_string(),
    };
    if depth > 2 || r.one_in(2) {
        return atom;
    }
    let op = r.pick(&[
        "+", "-", "*", "|", "&", "^", "==", "!=", "<", ">=", "&&", "||",
    ]);
    format!("{atom} {op} {}", value(r, depth + 1))
}

fn line(r: &mut Random, labels: usize) -> String {
    const BYTE: &[&str] = &[
        "a", "b", "c", "d", "e", "h", "l", "(hl)", "(ix+@)", "(iy-@)",
    ];
    const PAIR: &[&str] = &["bc", "de", "hl", "sp", "ix", "iy"];
    let word = match r.one_in(2) {
        true => format!("lab{}+{}", r.below(labels), r.below(9)),
        false => format!("0+({})", value(r, 0)),
    };
    let byte = format!("0+({})", value(r, 0));
    let alu = [
        "add a,", "adc a,", "sub ", "sbc a,", "and ", "xor ", "or ", "cp ",
    ];
    let text = match r.below(14) {
        0 => format!(".db {byte},'{}',\"a;b\"", r.pick(&["xy", "\"", "c"])),
        1 => format!("dw {word},{}", value(r, 0)),
        2 => format!("ds {},{}", r.below(5), r.below(256)),
        3 => format!("ld {},{}", r.pick(&BYTE[..7]), r.pick(BYTE)),
        4 => format!("ld {},{byte}", r.pick(BYTE)),
        5 => format!("ld {},{word}", r.pick(PAIR)),
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
        _ => {
            let c = r.pick(&["djnz ", "jr ", "jr nz,", "jr z,", "jr nc,", "jr c,"]);
            format!("{c}{}", r.pick(&["1b", "1f", ".+5", "$-3"]))
        }
    };
    text.replace('@', &r.below(128).to_string())
}

/// A program whose branches reach.
fn source(r: &mut Random) -> String {
    let mut source = String::new();
    for i in 0..300 {
        if i % 10 == 0 {
            let _ = writeln!(source, "lab{}:\n1:", i / 10);
        }
        if i % 40 == 17 {
            let name = r.pick(&[".data", ".text", ".section extra", ".balign 4"]);
            let _ = writeln!(source, "\t{name}\n1:");
        }
        let _ = writeln!(source, "\t{}", line(r, 30));
    }
    source += "1:\n\t.data\n1:\n\t.section extra\n1:\n";
    // A branch to another section is out of reach sooner or later.
    let near = source.lines().filter(|l| !l.contains("1f"));
    near.map(|l| format!("{l}\n")).collect()
}

#[test]
fn programs_at_random() {
    THIS.at_random(source);
}

#[test]
fn files_share_what_they_show_and_nothing_else() {
    let loader = MemoryLoader::default()
        .with("a.s", " .global shown\nshown: nop\nown: nop\n")
        .with("b.s", " jp shown\n")
        .with("c.s", " jp own\n")
        .with("d.s", " .global shown\nshown: nop\n");
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
fn sections_go_to_addresses_from_outside() {
    let loader = MemoryLoader::default().with("main.s", " jp x\n .data\nx: .dw given\n");
    let linking = Linking {
        addresses: vec![(".text".into(), 0x8000), (".data".into(), 0x8005)],
        symbols: vec![("given".into(), 7)],
        ..Linking::default()
    };
    let out = assemble_linked(&THIS.job("main.s"), &linking, &loader);
    let bytes = out.image.expect("a program").binary(0);
    assert_eq!(bytes, [0xc3, 5, 0x80, 0, 0, 7, 0]);
}
