//! Broken sources never make scrimp panic, hang or print without end: parts of all sources
//! of this repository with changes, in each dialect on each target. The seed is fixed, so
//! a failure repeats. `cargo bench --bench mutation` does as many as one likes.

use crate::common::invariants::{Pair, check as check_one, machine, pairs};
use crate::common::mutator::{run, seeds};
use scrimp::diagnostic::short::short;
use scrimp::text::source::MemoryLoader;
use scrimp::{Job, assemble, targets};
use scrimp_isa::{Form, Outline, Target};
use std::collections::HashSet;
use std::time::Duration;

/// No input of this size may take more of the processor in an unoptimised build.
const LONGEST: Duration = Duration::from_secs(30);

/// Checks so many inputs for each dialect on each target, on two threads.
fn check(count: u64, seed: u64) {
    let seeds = seeds();
    assert!(seeds.len() > 300, "{} sources found", seeds.len());
    let pairs = pairs();
    let all = targets::all().len() * scrimp::dialect::all().count();
    assert_eq!(pairs.len(), all);
    let faults: Vec<String> = std::thread::scope(|s| {
        let part = |rest: usize| {
            let (pairs, seeds) = (&pairs, &seeds);
            s.spawn(move || {
                let own = pairs.iter().skip(rest).step_by(2);
                own.filter_map(|&p| run(p, 0..count, seed, seeds, LONGEST).err())
                    .collect::<Vec<_>>()
            })
        };
        let threads = [part(0), part(1)];
        threads
            .into_iter()
            .flat_map(|t| t.join().expect("no panic outside an input"))
            .collect()
    });
    assert!(faults.is_empty(), "{}", faults.join("\n\n"));
}

#[test]
fn mutated_sources_do_not_panic() {
    check(60, 1);
}

#[test]
#[ignore = "nightly"]
fn nightly_mutated_sources_do_not_panic() {
    check(100_000, 3);
}

/// Inputs that were found so.
#[test]
fn what_mutants_found_stays_mended() {
    for (dialect, target, text) in [
        ("sdas", "z80", "\t.include \""),
        // As many labels in a line as there may be, and nothing behind them.
        (
            "rasm",
            "gigatron",
            "a1 a2 a3 a4 a5 a6 a7 a8 a9 b1 b2 b3 b4 b5 b6 b7\n",
        ),
        // Words of a CPU that the target has no operands for.
        (
            "asl",
            "vcpu",
            " push bb\n\tcpu\tz80\nbb equ bc\n this is 'a comment\n",
        ),
        ("sjasmplus", "z80", "first: nop\n ld de, norel (first) + "),
        ("sjasmplus", "vcpu", "first: db 1\n ld a, norel (first) +"),
        ("sdas", "z80", "\t.include \"\u{e9}"),
        (
            "zasm",
            "z80",
            "#target bin\n#code A,0\n nop\n#code B,*,12\n",
        ),
        ("avrasm2", "z80", "\tldd r16, \n"),
        ("gas-avr", "z80", "\tldd r16, \n"),
        ("avrasm2", "avr", "\tldd r16, \n"),
        ("native", "z80", "include \"a\tb\"\n"),
        ("pasmo", "z80", " .error this stop\ts\n"),
        ("sjasmplus", "z80", " nop\nl+9223372036854775807: nop\n"),
        ("sjasmplus", "avr", " nop\nl+4294967295: nop\n dw l\n"),
        ("gas-z80", "z80", " nop\n .org -9223372036854775807\n"),
        ("gas-avr", "avr", " nop\n .org -9223372036854775807-1\n"),
        (
            "zasm",
            "z80",
            "#target bin\n#code A,9\n nop\n org -9223372036854775807-1\n",
        ),
        // More than the ROM holds, in the order of the source.
        (
            "sjasmplus",
            "gigatron",
            " org 0\n block 131070\n org 0\n block 131070\n",
        ),
        ("avrasm2", "avr", "  rjmp .+9223372036854775807\n"),
        ("gas-avr", "avr", "\tjmp .+9223372036854775807\n"),
        ("asl", "z80", "\tnop\n\trorg 9223372036854775807\n"),
        (
            "asl",
            "z80",
            "s\tstruct\n\trorg 9223372036854775807\nx\tds 5\ns\tendstruct\n",
        ),
        // A list in a list that fails behind a value that waits.
        ("glass", "z80", "\tdb (,lab)\nlab:\tnop\n"),
        ("glass", "z80", "\tdw (lab, (1, lab, \"\"))\nlab:\tnop\n"),
        ("asl", "z80", "\tdb 2 dup (lab,lab,)5,lab\nlab:\tnop\n"),
        (
            "asl",
            "z80",
            "\tdw 2 dup (lab,2 dup (lab,lab+)),lab\nlab:\tnop\n",
        ),
    ] {
        let (pair, text) = (Pair { dialect, target }, text.as_bytes());
        check_one(pair, machine(pair, text), text, LONGEST);
    }
}

/// What took as often as long as there were characters, or labels of a macro.
#[test]
fn long_texts_and_macros_cost_in_proportion() {
    let text = format!(" db '{}'8\n", "\u{e9}".repeat(500_000));
    let labels = "loop SUBI _n\n".repeat(70_000);
    let calls = format!("%MACRO Wait _n\n{labels}%ENDM\nWait 5\n");
    for (dialect, target, text) in [
        ("zasm-reqcolon", "z80", &text),
        ("vasm-nocase", "z80", &text),
        ("gasm", "vcpu", &calls),
    ] {
        let pair = Pair { dialect, target };
        check_one(pair, None, text.as_bytes(), LONGEST / 3);
    }
}

/// A statement for each list of operand classes that a target has, with a number where
/// they have a value and some register elsewhere.
fn statements(target: &'static dyn Target, number: i64) -> Vec<String> {
    let register = if target.name() == "avr" { "r16" } else { "a" };
    let written = |class: &str| {
        let class = target.operands().iter().find(|o| o.name == class);
        match class.expect("a class").outline {
            Outline::Value => number.to_string(),
            Outline::RoundValue => format!("({number})"),
            Outline::SquareValue => format!("[{number}]"),
            Outline::SquareWordValue => format!("[y,{number}]"),
            Outline::WordValue => format!("y+({number})"),
            Outline::RoundWordValue => format!("(ix+({number}))"),
            _ => register.to_owned(),
        }
    };
    let mut seen = HashSet::new();
    let forms = target.forms().iter();
    let fresh = forms.filter(|f| seen.insert(f.operand_names().collect::<Vec<_>>()));
    let statement = |f: &Form| {
        let operands: Vec<String> = f.operand_names().map(written).collect();
        format!(" {} {}\n", f.name, operands.join(","))
    };
    fresh.map(statement).collect()
}

#[test]
fn the_largest_numbers_overflow_nothing_in_any_operand() {
    for target in targets::all() {
        for number in [i64::MIN, i64::MIN + 1, i64::MAX] {
            // A few at a time, since errors end a run.
            for few in statements(*target, number).chunks(20) {
                for dialect in ["native", "pasmo", "avrasm2", "gas-avr"] {
                    let target = target.name();
                    let text = format!(" .org 8\n{}", few.concat());
                    check_one(Pair { dialect, target }, None, text.as_bytes(), LONGEST);
                }
            }
        }
    }
}

#[test]
fn seeds_assemble() {
    for (name, seed) in [
        ("native", include_str!("mutation/native.asm")),
        ("pasmo", include_str!("mutation/pasmo.asm")),
        ("z80asm", include_str!("mutation/z80asm.asm")),
    ] {
        let job = Job {
            file: "main.asm".into(),
            target: targets::default(),
            machine: targets::default().machines().first().copied(),
            dialect: name.into(),
            defines: Vec::new(),
        };
        let out = assemble(&job, &MemoryLoader::default().with("main.asm", seed));
        let findings: Vec<String> = out
            .diagnostics
            .iter()
            .map(|d| short(d, &out.sources))
            .collect();
        assert!(out.image.is_some(), "{name}: {findings:#?}");
    }
}
