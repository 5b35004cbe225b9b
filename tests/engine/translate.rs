//! Programs in other dialects: the same bytes, and how much had to be expanded.

use crate::common::Folder;
use scrimp::diagnostic::Diagnostic;
use scrimp::dialect;
use scrimp::session::front::{Files, Session};
use scrimp::session::refusal::Refusal;
use scrimp::text::source::MemoryLoader;
use scrimp::translate::{Translation, translate};
use std::path::{Path, PathBuf};

fn goldens(dialect: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/dialects")
        .join(dialect)
}

fn sources(folder: &Path, ending: &str) -> Vec<String> {
    let mut names: Vec<String> = std::fs::read_dir(folder)
        .expect("the folder of goldens")
        .filter_map(|e| e.ok()?.file_name().into_string().ok())
        .filter(|n| n.ends_with(ending))
        .collect();
    names.sort();
    names
}

fn session(files: Files, file: &str, dialect: &str, target: &str) -> Session {
    let mut s = Session::of_files(file, files);
    s.target = scrimp::targets::by_name(target).expect("a target");
    s.any_target = false;
    s.dialect = dialect.into();
    s.index = false;
    s
}

/// A refusal with its places.
fn told(e: &Refusal) -> String {
    let Refusal::Found(list, sources) = e else {
        return e.to_string();
    };
    let place = |d: &Diagnostic| match d.span {
        Some(s) => format!("{}: {}", sources.place(s), sources.slice(s)),
        None => String::new(),
    };
    let one = |d: &Diagnostic| format!("{} {} {:?}", place(d), d.message, d.label);
    list.iter().map(one).collect::<Vec<_>>().join("; ")
}

fn in_other(session: &Session, to: &str) -> Result<Translation, String> {
    let to = dialect::by_name(to).expect("a dialect");
    translate(session, to).map_err(|e| told(&e))
}

/// Translates a text and assembles both: the translation, if the bytes are the same.
fn translated(text: &str, from: &str, to: &str) -> (String, usize) {
    translated_on("z80", text, from, to)
}

fn translated_on(target: &str, text: &str, from: &str, to: &str) -> (String, usize) {
    let files = Files::Memory(MemoryLoader::default().with("main.asm", text));
    let source = session(files, "main.asm", from, target);
    let t = in_other(&source, to).unwrap_or_else(|why| panic!("{from} to {to}: {why}\n{text}"));
    let own = source.assemble().image().expect("an image").binary(0);
    let new = String::from_utf8(t.files[0].1.clone()).expect("text");
    let files = Files::Memory(MemoryLoader::default().with("main.asm", new.as_str()));
    let built = session(files, "main.asm", to, target).assemble();
    let other = built
        .image()
        .expect("an image of the translation")
        .binary(0);
    assert_eq!(own, other, "{from} to {to}\n{new}");
    (new, t.expanded.len())
}

/// All golden sources of a dialect in another: those that cannot be said, and statements
/// that were expanded in the others.
fn survey(from: &str, to: &str, target: &str, ending: &str) -> (usize, usize) {
    let folder = goldens(from);
    let (mut refused, mut expanded) = (0, 0);
    for name in sources(&folder, ending) {
        let files = Files::Other(Box::new(Folder(folder.clone())));
        let source = session(files, &name, from, target);
        match in_other(&source, to) {
            Ok(t) => {
                expanded += t.expanded.len();
                if std::env::var_os("SHOW").is_some() {
                    for d in &t.expanded {
                        let s = d.span.expect("a place");
                        let text = t.sources.slice(s);
                        println!("{from}-{to} {}: {text} {:?}", t.sources.place(s), d.label);
                    }
                }
            }
            Err(why) => {
                println!("{from}-{to} {name}: {why}");
                refused += 1;
            }
        }
    }
    (refused, expanded)
}

/// Z80 dialects.
const ALL: [&str; 8] = [
    "native",
    "pasmo",
    "z80asm",
    "sjasmplus",
    "mdl",
    "zasm",
    "tasm",
    "zmac",
];

/// Golden sources that cannot be said and statements that are expanded; they may only
/// fall.
fn bounded(rows: &[(&str, usize, usize)], targets: &dyn Fn(usize, usize) -> bool) {
    let mut faults = String::new();
    for (i, from) in ALL.iter().enumerate().skip(1) {
        let (mut refused, mut expanded) = (0, 0);
        for (k, to) in ALL.iter().enumerate() {
            if k != i && targets(i, k) {
                let (a, b) = survey(from, to, "z80", ".asm");
                (refused, expanded) = (refused + a, expanded + b);
            }
        }
        let row = rows.iter().find(|g| g.0 == *from);
        if row.is_none_or(|r| r.1 < refused || r.2 < expanded) {
            faults += &format!("    (\"{from}\", {refused}, {expanded}),\n");
        }
    }
    assert!(faults.is_empty(), "more than before:\n{faults}");
}

#[test]
fn golden_sources_in_scrimps_own_dialect() {
    bounded(NATIVE, &|_, to| to == 0);
}

#[test]
fn rasm_in_scrimps_own_dialect() {
    let (refused, expanded) = survey("rasm", "native", "z80", ".asm");
    assert!(refused <= 4 && expanded <= 115, "{refused} {expanded}");
}

#[test]
fn glass_in_scrimps_own_dialect() {
    let (refused, expanded) = survey("glass", "native", "z80", ".asm");
    assert!(refused <= 4 && expanded <= 100, "{refused} {expanded}");
}

#[test]
#[ignore = "slow"]
fn slow_golden_sources_in_all_other_dialects() {
    bounded(OTHERS, &|_, to| to > 0);
}

const NATIVE: &[(&str, usize, usize)] = &[
    ("pasmo", 1, 48),
    ("z80asm", 4, 20),
    ("sjasmplus", 5, 271),
    ("mdl", 2, 20),
    ("zasm", 10, 118),
    ("tasm", 0, 46),
    ("zmac", 4, 94),
];

const OTHERS: &[(&str, usize, usize)] = &[
    ("pasmo", 12, 319),
    ("z80asm", 22, 142),
    ("sjasmplus", 21, 1821),
    ("mdl", 9, 142),
    ("zasm", 57, 717),
    ("tasm", 7, 270),
    ("zmac", 23, 631),
];

/// What pasmo and native have in common stays as it stands.
#[test]
fn layout_and_remarks_stay() {
    let text = "\
; a program
        org 100h        ; where

size    equ 10h+2*3
start:  ld a,size       ; load
loop    djnz loop
        db \"text\",0,'it''s' , 5 ; data
twice   macro x, y
        ld a,x
        add a,y
        endm
        twice 1, 2
        rept 2
        nop
        endm
        if size gt 5
        ld bc,start mod 7
        else
        ld b,0
        endif
        end
";
    let want = "\
; a program
        org 100h        ; where

size    equ 10h+2*3
start:  ld a,size       ; load
loop:   djnz loop
        db \"text\",0,\"it's\" , 5  ; data
        macro twice x, y
        ld a,x
        add a,y
        endm
        twice 1, 2
        repeat 2
        nop
        endr
        if size > 5
        ld bc,start % 7
        else
        ld b,0
        endif
        end
";
    let (new, expanded) = translated(text, "pasmo", "native");
    assert_eq!(new, want);
    assert_eq!(expanded, 0);
}

/// One idiom in all dialects.
#[test]
fn the_other_way_there_is_something_to_say_it() {
    for (from, text, to, want) in [
        (
            "sjasmplus",
            "a1 = 5\n ld a,low a1+1 : ret\n",
            "native",
            "a1 set 5\n ld a,low(a1)+1\n        ret\n",
        ),
        (
            "sjasmplus",
            "wt:\n.l djnz .l\n",
            "pasmo",
            "wt:\nwt_l: djnz wt_l\n",
        ),
        (
            "native",
            "wt:\n.l: djnz .l\n jr wt.l\n",
            "sjasmplus",
            "wt:\n.l: djnz .l\n jr wt.l\n",
        ),
        ("zmac", "x\tmvi a,x\n", "native", "x:\tld a,x\n"),
        ("tasm", " .db 1+2*3\n", "pasmo", " db (1+2)*3\n"),
        ("pasmo", " db 1 shl 2 + 3\n", "zmac", " db (1 shl 2) + 3\n"),
        (
            "zasm",
            " org 0\n db 1<<2+1\n",
            "zmac",
            " org 0\n db (1<<2)+1\n",
        ),
        (
            "z80asm",
            " db 010\nx: equ 5\n",
            "native",
            " db 8\nx  equ 5\n",
        ),
        (
            "native",
            "x: ld a,high(x)\n",
            "tasm",
            "x: ld a,(x) >> 8 & 255\n",
        ),
        (
            "native",
            " db \"it's \\n\"\n",
            "zasm",
            " org 0\n db \"it's \",10\n",
        ),
    ] {
        let (new, expanded) = translated(text, from, to);
        let new = new.replace("        org 0\n", " org 0\n");
        assert_eq!(new, want, "{from} to {to}: {text}");
        assert_eq!(expanded, 0, "{from} to {to}: {text}");
    }
}

/// What has no counterpart stands under a remark, and its labels with it.
#[test]
fn what_has_no_counterpart_is_expanded() {
    let text = "start   ld bc,de\n        dup 2\n        nop\n        edup\nafter   jp start\n";
    let (new, expanded) = translated(text, "sjasmplus", "z80asm");
    let want = "\
; start   ld bc,de
start:
        ld b,d
        ld c,e
;         dup 2
;         nop
;         edup
        nop
        nop
after:  jp start
";
    assert_eq!((new.as_str(), expanded), (want, 2));
}

/// Addresses that count words become addresses in bytes.
#[test]
fn words_become_bytes() {
    let text = " rjmp over\n.org 0x20\ntable: .db 1,2,3,4\nover: rjmp over\n";
    let want = " rjmp over\n; .org 0x20\n        org $0040\ntable: db 1,2,3,4\nover: rjmp over\n";
    let (new, expanded) = translated_on("avr", text, "avrasm2", "native");
    assert_eq!((new.as_str(), expanded), (want, 1));
}

#[test]
fn labels_in_memory_that_is_not_written_are_numbers() {
    let source = ".dseg\n.org 0x100\nbuf: .byte 10\n.cseg\n.org 0\n rjmp main\n.org 0x13\nmain:\n lds r16, buf\n ldi r17, low(buf)\n";
    for (to, lines) in [
        (
            "gas-avr",
            [".equiv buf, 0x0100", "        .org 0x0026", " lds r16, buf"],
        ),
        (
            "native",
            ["buf equ $0100", "        org $0026", " lds r16, buf"],
        ),
    ] {
        let (text, _) = translated_on("avr", source, "avrasm2", to);
        for line in lines {
            assert!(text.lines().any(|l| l == line), "{to}: {line}\n{text}");
        }
    }
}

/// The translation is proven: its EEPROM is that of the source.
#[test]
fn bytes_of_other_memories_lead_there_and_back() {
    let source = ".cseg\n ldi r16,low(second)\n.eseg\nfirst: .db 1,2\n.cseg\n ret\n\
                  .eseg\nsecond: .dw 0x1234\n.cseg\n nop\n";
    let (text, _) = translated_on("avr", source, "avrasm2", "gas-avr");
    for lines in [
        "        .section .eeprom,\"aw\",@progbits\n        .byte 0x01,0x02\n        .text\n",
        ".equiv second, 0x0002\n        .section .eeprom",
    ] {
        assert!(text.contains(lines), "{lines}\n{text}");
    }
    // GNU as fills a gap, which is not the same file.
    let gap = source.replace(".dw", ".org 8\n.dw");
    let files = Files::Memory(MemoryLoader::default().with("main.asm", gap));
    let session = session(files, "main.asm", "avrasm2", "avr");
    assert!(in_other(&session, "gas-avr").is_err());
}
