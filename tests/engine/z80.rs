//! The Z80's table through the assembler: every sequence to text and back, every
//! row with every word it takes, every other spelling.

use std::collections::HashSet;

use scrimp::Job;
use scrimp::text::source::MemoryLoader;
use scrimp_isa::{Base, Operand, Outline, Target};

/// Where the programs stand.
const START: u64 = 0x4000;

fn z80() -> &'static dyn Target {
    scrimp::targets::by_name("z80").expect("the Z80")
}

/// Assembles lines and compares them with the bytes each should give.
#[track_caller]
fn assembles(lines: &[(String, Vec<u8>)]) {
    let mut text = format!("    org {START}\n");
    for (line, _) in lines {
        text.push_str(&format!("    {line}\n"));
    }
    let job = Job {
        file: "main.asm".into(),
        target: z80(),
        machine: None,
        dialect: "native".into(),
        defines: Vec::new(),
    };
    let out = scrimp::assemble(
        &job,
        &MemoryLoader::default().with("main.asm", text.as_bytes()),
    );
    let findings: Vec<_> = out.diagnostics.iter().take(10).collect();
    let image = out.image.unwrap_or_else(|| panic!("{findings:#?}"));
    let bytes = image.binary(0);
    let mut at = 0;
    for (line, expected) in lines {
        let end = (at + expected.len()).min(bytes.len());
        assert_eq!(&bytes[at..end], expected, "{line}");
        at = end;
    }
    assert_eq!(bytes.len(), at);
}

/// Every opcode sequence, prefixes before prefixes left out, with operand bytes
/// of `fill`.
fn sequences(fill: u8) -> Vec<[u8; 4]> {
    let mut all = Vec::new();
    for op in 0..=255u8 {
        if !matches!(op, 0xcb | 0xdd | 0xed | 0xfd) {
            all.push([op, fill, fill, fill]);
            all.push([0xdd, op, fill, fill]);
            all.push([0xfd, op, fill, fill]);
        }
        all.push([0xcb, op, fill, fill]);
        all.push([0xed, op, fill, fill]);
        all.push([0xdd, 0xcb, fill, op]);
        all.push([0xfd, 0xcb, fill, op]);
    }
    all
}

#[test]
fn bytes_to_text_to_bytes() {
    for fill in [0x00, 0x01, 0x7f, 0x80, 0xfe, 0xff] {
        let mut at = START;
        let mut lines = Vec::new();
        for bytes in sequences(fill) {
            let found = z80().decode(&bytes, at).expect("a form");
            let len = found.len as usize;
            lines.push((found.text, bytes[..len].to_vec()));
            at += len as u64;
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
        inside.map(|n| (base + n, v.field, n / scale)).collect()
    });
    match o.outline {
        Outline::Word => words
            .iter()
            .map(|w| (w.0.into(), vec![(w.1, w.2)]))
            .collect(),
        Outline::RoundWord => {
            let text = |w: &str| format!("({w})");
            words
                .iter()
                .map(|w| (text(w.0), vec![(w.1, w.2)]))
                .collect()
        }
        Outline::Value => values
            .iter()
            .map(|v| (v.0.to_string(), vec![(v.1, v.2)]))
            .collect(),
        Outline::RoundValue => {
            let text = |v: i64| format!("({v})");
            values
                .iter()
                .map(|v| (text(v.0), vec![(v.1, v.2)]))
                .collect()
        }
        Outline::RoundWordValue => {
            let pairs = words
                .iter()
                .flat_map(|w| values.iter().map(move |v| (w, v)));
            let text = |w: &str, v: i64| format!("({w}{v:+})");
            let all = pairs.map(|(w, v)| (text(w.0, v.0), vec![(w.1, w.2), (v.1, v.2)]));
            all.collect()
        }
        other => panic!("the Z80 has no {other:?}"),
    }
}

#[test]
fn every_row_and_every_spelling() {
    let operand = |name: &str| {
        let all = z80().operands();
        all.iter().find(|o| o.name == name).expect("a class")
    };
    let mut seen = HashSet::new();
    let mut lines = Vec::new();
    let mut at = START as i64;
    for f in z80()
        .forms()
        .iter()
        .filter(|f| !f.name.starts_with('*') && f.needs == 0 && f.spelling.is_empty())
    {
        let classes: Vec<&Operand> = f.operand_names().map(operand).collect();
        // A branch is written with the address it ends up at, so the ways to
        // write each operand are looked up again for every line.
        let ways = |at| classes.iter().map(|o| spellings(o, at)).collect::<Vec<_>>();
        let counts: Vec<usize> = ways(at).iter().map(Vec::len).collect();
        for mut n in 0..counts.iter().product() {
            let mut texts = Vec::new();
            let (mut word, mut filled) = (f.pattern.fixed, 0);
            let mut agree = true;
            for (way, count) in ways(at).iter().zip(&counts) {
                let (text, fields) = &way[n % count];
                n /= count;
                texts.push(text.clone());
                for &(letter, value) in fields {
                    let Some(field) = f.pattern.field(letter) else {
                        continue;
                    };
                    let (bits, put) = (field.deposit(u64::MAX), field.deposit(value as u64));
                    agree &= filled & bits == 0 || (word ^ put) & bits == 0;
                    filled |= bits;
                    word |= put;
                }
            }
            let line = format!("{} {}", f.name, texts.join(","));
            if agree && seen.insert(line.clone()) {
                let len = f.pattern.len as usize;
                lines.push((line, word.to_le_bytes()[..len].to_vec()));
                at += len as i64;
            }
        }
    }
    assert!(lines.len() > 1500, "{}", lines.len());
    assembles(&lines);
}

#[test]
fn other_words() {
    let line = |text: &str, bytes: &[u8]| (text.to_string(), bytes.to_vec());
    assembles(&[
        line("ld b,hx", &[0xdd, 0x44]),
        line("ld xl,5", &[0xdd, 0x2e, 5]),
        line("add a,yh", &[0xfd, 0x84]),
        line("LD IXL,IXH", &[0xdd, 0x6c]),
        line("jr $+2", &[0x18, 0]),
        line("ld a,(ix)", &[0xdd, 0x7e, 0]),
        line("ld a,( iy - 1 )", &[0xfd, 0x7e, 0xff]),
        line("ex af,af'", &[0x08]),
        line("ld a,(5)", &[0x3a, 5, 0]),
        line("ld a,(5)+0", &[0x3e, 5]),
    ]);
}
