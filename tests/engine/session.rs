//! The library's front: what it knows of a source, also of one with errors.

use crate::common::random::Random;
use scrimp::Session;
use scrimp::disk::reach::Disk;
use scrimp::session::known::Known;
use scrimp::session::options::Options;
use scrimp::text::source::{Sources, Span};
use std::collections::BTreeMap;

fn session(text: &str, dialect: &str, target: &str) -> Session {
    let mut s = Session::of_text(text);
    let options = Options {
        target: Some(target.into()),
        dialect: Some(dialect.into()),
        ..Options::default()
    };
    s.apply(&options).expect("they exist");
    s
}

/// Lines of definition and of references by name.
fn lines(known: &Known, sources: &Sources) -> BTreeMap<String, (Option<usize>, Vec<usize>)> {
    let line = |s: Span| sources.get(s.source).line_column(s.start).0;
    let one = |n: &scrimp::session::known::Name| {
        let uses = n.references.iter().map(|&r| line(r)).collect();
        (n.name.clone(), (n.definition.map(line), uses))
    };
    known.names.iter().map(one).collect()
}

#[test]
fn names_have_their_definition_value_and_all_references() {
    let text = "        org 100\nstart:  ld hl,table\n        ld a,size\n.loop:  jump .loop\n\
                table:  db 1, 2, size\nsize    equ $-table\n        section extra\nend:    dw start, table, end\n";
    let build = session(text, "native", "z80").assemble();
    assert!(build.findings.is_empty(), "{:?}", build.findings);
    let found = lines(&build.known, &build.sources);
    let of = |name: &str| found[name].clone();
    assert_eq!(of("start"), (Some(2), vec![8]));
    assert_eq!(of("start.loop"), (Some(4), vec![4]));
    assert_eq!(of("table"), (Some(5), vec![2, 6, 8]));
    assert_eq!(of("size"), (Some(6), vec![3, 5]));
    assert_eq!(build.known.name("size").unwrap().value, Some(3));
    let end = build.known.name("end").unwrap();
    let section = end.section.map(|s| &build.known.sections[s]);
    assert_eq!(section.map(|s| s.name.as_str()), Some("extra"));
    // What stands at a place.
    let at = text.find("table").unwrap() as u32;
    let (id, _) = build.sources.iter().next().unwrap();
    let there = build.known.at(Span::new(id, at + 2, at + 2)).unwrap();
    assert_eq!(there.name, "table");
}

#[test]
fn a_reference_in_a_macro_counts_once_and_stands_in_the_file() {
    let text = "macro twice what\n ld a,what\n ld b,seven\nendm\nseven equ 7\n twice seven\n twice seven\n";
    let build = session(text, "native", "z80").assemble();
    let found = lines(&build.known, &build.sources);
    let (definition, uses) = &found["seven"];
    assert_eq!(*definition, Some(5), "{:?}", build.findings);
    assert!(
        uses.contains(&3) && uses.contains(&6) && uses.contains(&7),
        "{uses:?}"
    );
    assert_eq!(uses.iter().filter(|&&u| u == 3).count(), 1);
}

/// A source of many definitions and uses, with lines broken: all that the others say is
/// known, in each dialect.
#[test]
fn broken_lines_take_nothing_from_the_others() {
    let dialects = [
        ("native", "z80", " equ ", ":", " dw "),
        ("pasmo", "z80", " equ ", ":", " dw "),
        ("z80asm", "z80", ": equ ", ":", " dw "),
        ("avrasm2", "avr", "", ":", " .dw "),
        ("gas-avr", "avr", "", ":", " .word "),
        ("gas-z80", "z80", " equ ", ":", " dw "),
        ("native", "gigatron", " equ ", ":", " dw "),
    ];
    let garbage = [
        " nonsense 1,2",
        " ld ld ld",
        ")(",
        " \"open",
        "= = =",
        " 12 34",
        " dw 1 +",
        " ldi r99, 400, 3",
    ];
    let mut random = Random(11);
    for (dialect, target, equ, colon, words) in dialects {
        for _ in 0..12 {
            let count = 40 + random.below(120);
            let mut source = Vec::new();
            let mut defined = Vec::new();
            let mut used = Vec::new();
            for i in 0..count {
                let other = format!("name{}", random.below(count));
                match random.below(3) {
                    0 => {
                        source.push(match equ {
                            "" if dialect == "gas-avr" => format!(" .equ name{i}, {i}"),
                            "" => format!(" .equ name{i} = {i}"),
                            equ => format!("name{i}{equ}{i}"),
                        });
                        defined.push(Some(format!("name{i}")));
                        used.push(None);
                    }
                    1 => {
                        source.push(format!("name{i}{colon}{words}{other}"));
                        defined.push(Some(format!("name{i}")));
                        used.push(Some(other));
                    }
                    _ => {
                        source.push(format!("{words}{other}"));
                        defined.push(None);
                        used.push(Some(other));
                    }
                }
            }
            let broken = 1 + random.below(9);
            for _ in 0..broken {
                let at = random.below(count);
                source[at] = random.pick(&garbage).to_owned();
                (defined[at], used[at]) = (None, None);
            }
            let text = source.join("\n") + "\n";
            let mut session = session(&text, dialect, target);
            session.index = true;
            let build = session.assemble();
            assert!(build.image().is_none() && !build.findings.is_empty());
            let known = lines(&build.known, &build.sources);
            for (i, name) in defined.iter().enumerate() {
                let Some(name) = name else { continue };
                let found = known.get(name).and_then(|k| k.0);
                assert_eq!(found, Some(i + 1), "{dialect} {target}: {name}\n{text}");
            }
            for (i, name) in used.iter().enumerate() {
                let Some(name) = name else { continue };
                let there = known.get(name).is_some_and(|k| k.1.contains(&(i + 1)));
                assert!(
                    there,
                    "{dialect} {target}: {name} in line {}\n{text}",
                    i + 1
                );
            }
            assert!(!build.known.sections.is_empty());
        }
    }
}

#[test]
fn a_folder_is_opened_built_written_and_run() {
    let programs = concat!(env!("CARGO_MANIFEST_DIR"), "/programs/zx81-chess-seed");
    let session = Session::open(Disk::here(), programs).expect("it is there");
    let build = session.assemble();
    assert!(build.image().is_some());
    let file = build.write("p").expect("its format");
    let mut machine = session.power_on(&build).expect("a machine");
    assert_eq!(machine.file_bytes, file.len());
    let first = machine.routines()[0].name.clone();
    assert!(machine.run_until(&first, 1 << 26).expect("a label"));
    assert!(machine.run_until("nowhere", 1).is_err());
    // The same by its name.
    let by_name = Session::open(Disk::here(), "zx81-chess-seed").expect("it is shipped");
    assert_eq!(by_name.assemble().write("p").expect("its format"), file);
}

#[test]
fn what_cannot_be_opened_says_why() {
    let why = |path: &str| match Session::open(Disk::here(), path) {
        Ok(_) => panic!("{path} opens"),
        Err(refusal) => refusal.to_string(),
    };
    assert!(why("zx81-ches-seed").contains("is zx81-chess-seed meant?"));
    assert!(why("/nowhere/at/all.asm").contains("there is no"));
    let session = Session::of_text(" nonsense\n");
    let build = session.assemble();
    assert!(build.write("bin").is_err() && session.power_on(&build).is_err());
    let text = " ld a,1\n";
    let build = Session::of_text(text).assemble();
    assert!(build.write("nonsense").is_err());
    assert_eq!(build.write("bin").unwrap(), [0x3e, 1]);
}
