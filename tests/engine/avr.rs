//! The AVR's table through the assembler: every word to text and back, every row
//! with every word it takes, every other spelling.

use std::collections::HashSet;

use scrimp::Job;
use scrimp::text::source::MemoryLoader;
use scrimp_isa::{Base, Machine, Operand, Outline, Target};

/// Where the programs stand.
const START: u64 = 0x4000;

fn avr() -> &'static dyn Target {
    scrimp::targets::by_name("avr").expect("the AVR")
}

/// Assembles a program for a part.
fn assemble(text: &str, machine: Option<&dyn Machine>) -> scrimp::Output {
    let job = Job {
        file: "main.asm".into(),
        target: avr(),
        machine,
        dialect: "native".into(),
        defines: Vec::new(),
    };
    let loader = MemoryLoader::default().with("main.asm", text.as_bytes());
    scrimp::assemble(&job, &loader)
}

/// Assembles a program and gives its bytes.
#[track_caller]
fn bytes(text: &str, machine: Option<&dyn Machine>) -> Vec<u8> {
    let out = assemble(text, machine);
    let findings: Vec<_> = out.diagnostics.iter().take(10).collect();
    let image = out.image.unwrap_or_else(|| panic!("{findings:#?}"));
    image.binary(0)
}

/// Assembles lines and compares them with the bytes each should give.
#[track_caller]
fn assembles(lines: &[(String, Vec<u8>)]) {
    let mut text = format!("    org {START}\n");
    for (line, _) in lines {
        text.push_str(&format!("    {line}\n"));
    }
    let bytes = bytes(&text, None);
    let mut at = 0;
    for (line, expected) in lines {
        let end = (at + expected.len()).min(bytes.len());
        assert_eq!(&bytes[at..end], expected, "{line}");
        at = end;
    }
    assert_eq!(bytes.len(), at);
}

#[test]
fn bytes_to_text_to_bytes() {
    for second in [0x0000u16, 0x0001, 0x1234, 0x8000, 0xffff] {
        let mut at = START;
        let mut lines = Vec::new();
        for first in 0..=0xffffu16 {
            let [a, b] = first.to_le_bytes();
            let [c, d] = second.to_le_bytes();
            let Some(found) = avr().decode(&[a, b, c, d], at) else {
                continue;
            };
            let len = found.len as usize;
            if len == 4 || second == 0 {
                lines.push((found.text, [a, b, c, d][..len].to_vec()));
                at += len as u64;
            }
        }
        assembles(&lines);
    }
}

/// Ways to write an operand: text, and the fields it fills.
fn spellings(o: &Operand, at: i64) -> Vec<(String, Vec<(u8, i64)>)> {
    let words = o.words.map_or(Vec::new(), |w| {
        w.words
            .iter()
            .map(|&(t, v)| (t, w.field, i64::from(v)))
            .collect()
    });
    let values = o.value.map_or(Vec::new(), |v| {
        let scale = i64::from(v.scale);
        let mut numbers = vec![v.min, v.max, v.min + scale, v.max - scale];
        numbers.sort_unstable();
        numbers.dedup();
        let inside = numbers.into_iter().filter(|n| (v.min..=v.max).contains(n));
        let base = match v.base {
            Base::Relative { bias } => at + i64::from(bias),
            _ => 0,
        };
        let field = |n: i64| {
            if v.complement {
                !(n / scale)
            } else {
                n / scale
            }
        };
        inside.map(|n| (base + n, v.field, field(n))).collect()
    });
    let word = |text: &dyn Fn(&str) -> String| {
        let all = words.iter();
        all.map(|w| (text(w.0), vec![(w.1, w.2)])).collect()
    };
    match o.outline {
        Outline::Word => word(&str::to_string),
        Outline::WordIncrement => word(&|w| format!("{w}+")),
        Outline::WordDecrement => word(&|w| format!("-{w}")),
        Outline::Value => values
            .iter()
            .map(|v| (v.0.to_string(), vec![(v.1, v.2)]))
            .collect(),
        Outline::WordValue => {
            let pairs = words
                .iter()
                .flat_map(|w| values.iter().map(move |v| (w, v)));
            let text = |w: &str, v: i64| format!("{w}+{v}");
            pairs
                .map(|(w, v)| (text(w.0, v.0), vec![(w.1, w.2), (v.1, v.2)]))
                .collect()
        }
        other => panic!("the AVR has no {other:?}"),
    }
}

#[test]
fn every_row_and_every_spelling() {
    let operand = |name: &str| {
        let all = avr().operands();
        all.iter().find(|o| o.name == name).expect("a class")
    };
    let mut seen = HashSet::new();
    let mut lines = Vec::new();
    let mut at = START as i64;
    let features = avr().default_features();
    for f in avr().forms().iter().filter(|f| f.needs & !features == 0) {
        let classes: Vec<&Operand> = f.operand_names().map(operand).collect();
        // A branch is written with the address it ends up at, so the ways to
        // write each operand are looked up again for every line.
        let ways = |at| classes.iter().map(|o| spellings(o, at)).collect::<Vec<_>>();
        let counts: Vec<usize> = ways(at).iter().map(Vec::len).collect();
        for mut n in 0..counts.iter().product() {
            let mut texts = Vec::new();
            let mut word = f.pattern.fixed;
            for (way, count) in ways(at).iter().zip(&counts) {
                let (text, fields) = &way[n % count];
                n /= count;
                texts.push(text.clone());
                for &(letter, value) in fields {
                    if let Some(field) = f.pattern.field(letter) {
                        word |= field.deposit(value as u64);
                    }
                }
            }
            let line = format!("{} {}", f.name, texts.join(","));
            if seen.insert(line.clone()) {
                let len = f.pattern.len as usize;
                lines.push((line, word.to_le_bytes()[..len].to_vec()));
                at += len as i64;
            }
        }
    }
    assert!(lines.len() > 17000, "{}", lines.len());
    assembles(&lines);
}

#[test]
fn other_words() {
    let line = |text: &str, word: u16| (text.to_string(), word.to_le_bytes().to_vec());
    assembles(&[
        line("mov xl,zh", 0x2faf),
        line("LDI ZL, LOW($1234)", 0xe3e4),
        line("adiw X, 5", 0x9615),
        line("adiw r25:r24,1", 0x9601),
        line("sbiw ZH:ZL , 2", 0x9732),
        line("movw r17:r16,r1:r0", 0x0180),
        line("movw y,z", 0x01ef),
        line("movw r24,X", 0x01cd),
        line("cbr r16,1<<3", 0x7f07),
        line("ser r20", 0xef4f),
        line("clr r20", 0x2744),
        line("rol r1", 0x1c11),
        line("brlo $+2", 0xf000),
        line("brbs 1,$", 0xf3f9),
        line("bset 7", 0x9478),
        line("subi r24,-1", 0x5f8f),
        line("ldd r0,Y+0", 0x8008),
        line("ld r0,-Y", 0x900a),
    ]);
}

#[test]
fn calls_and_jumps_that_relax() {
    let near = bytes("start: jump start\n gosub start\n", None);
    assert_eq!(near, [0xff, 0xcf, 0xfe, 0xdf]);
    let far = bytes("start: ds 5000\n jump start\n gosub start\n", None);
    assert_eq!(&far[5000..], [0x0c, 0x94, 0, 0, 0x0e, 0x94, 0, 0]);
    // Backward 4096 bytes are within reach, 4098 are not.
    let edge = bytes("start: ds 4094\n jump start\n jump start\n", None);
    assert_eq!(&edge[4094..], [0x00, 0xc8, 0x0c, 0x94, 0, 0]);
}

/// The part of that name.
fn part(name: &str) -> &'static dyn Machine {
    avr().machine(name).expect("a part")
}

#[test]
fn bytes_to_text_to_bytes_on_every_core() {
    for name in [
        "at90s1200",
        "at90s8515",
        "attiny84",
        "atmega103",
        "atmega8",
        "atmega328p",
        "atmega1280",
        "atmega2560",
        "attiny10",
        "attiny817",
        "atxmega128a1u",
    ] {
        let machine = part(name);
        let flash = machine
            .regions()
            .iter()
            .find(|r| r.name == "flash")
            .unwrap();
        // As much as fits into flash at a time.
        let mut words = (0..=0xffffu16).peekable();
        let mut known = 0;
        while words.peek().is_some() {
            let mut at = 0;
            let mut text = String::new();
            let mut expected = Vec::new();
            while at + 4 <= flash.size {
                let Some(first) = words.next() else { break };
                let [a, b] = first.to_le_bytes();
                let Some(found) = avr().decode_on(&[a, b, 0x34, 0x12], at, Some(machine)) else {
                    continue;
                };
                text.push_str(&format!("    {}\n", found.text));
                expected.extend_from_slice(&[a, b, 0x34, 0x12][..found.len as usize]);
                at += u64::from(found.len);
                known += 1;
            }
            let found = bytes(&text, Some(machine));
            if found != expected {
                let pairs = found.chunks(2).zip(expected.chunks(2));
                let wrong = pairs.enumerate().find(|(_, (a, b))| a != b);
                panic!(
                    "{name}: {wrong:02x?} of {} and {}",
                    found.len(),
                    expected.len()
                );
            }
        }
        assert!(known > 20_000, "{name}: {known}");
    }
}

/// The findings of a line on a part: code, message, label, help.
fn finding(line: &str, machine: &str) -> String {
    let out = assemble(&format!("x: {line}\n"), Some(part(machine)));
    let all = out.diagnostics.iter().map(|d| {
        let help = d.help.as_deref().unwrap_or("-");
        let label = d.label.as_deref().unwrap_or("-");
        format!("{}: {} [{label}] {help}", d.code, d.message)
    });
    all.collect::<Vec<_>>().join("\n")
}

#[test]
fn what_a_part_lacks_is_named_with_what_to_use_instead() {
    let lines = [
        ("jmp x", "atmega48"),
        ("call x", "at90s8515"),
        ("mul r0,r1", "attiny84"),
        ("movw r0,r2", "at90s8515"),
        ("lpm r16,z", "at90s8515"),
        ("lpm r16,z+", "attiny26"),
        ("lpm r16,z+", "at90s8515"),
        ("spm", "at90s8515"),
        ("break", "atmega8"),
        ("eijmp", "atmega328p"),
        ("elpm r0,z", "atmega328p"),
        ("push r0", "at90s1200"),
        ("adiw r24,1", "attiny10"),
        ("ldd r16,y+1", "attiny10"),
        ("mov r0,r16", "attiny10"),
        ("lds r16,$20", "attiny10"),
        ("lds r0,$100", "attiny10"),
        ("ld r26,x+", "atmega8"),
        ("st -z,r31", "atmega8"),
    ];
    let all = lines.map(|(line, part)| format!("{part}: {line}\n  {}", finding(line, part)));
    insta::assert_snapshot!(all.join("\n"));
}
