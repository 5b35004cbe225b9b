//! Lines met before mean what they mean when they are read: the same statements, once as
//! usual and once behind more blanks than a line has that is kept.

use crate::common::random::Random;
use proptest::prelude::*;
use scrimp::text::source::MemoryLoader;
use scrimp::{Job, assemble, targets};

/// Bytes and findings by line.
type Made = (Vec<u8>, Vec<(usize, &'static str, String)>);

fn made(lines: &[String], blanks: &str, (target, machine, dialect): (&str, &str, &str)) -> Made {
    let line = |l: &String| match l.starts_with(|c: char| c.is_alphabetic()) {
        true => format!("{l}\n"),
        false => format!("{blanks}{}\n", l.trim_start()),
    };
    let text: String = lines.iter().map(line).collect();
    let target = targets::by_name(target).expect("a target");
    let job = Job {
        file: "a.asm".into(),
        target,
        machine: target.machine(machine),
        dialect: dialect.into(),
        defines: Vec::new(),
    };
    let out = assemble(&job, &MemoryLoader::default().with("a.asm", text));
    let line = |s: scrimp::text::source::Span| out.sources.get(s.source).line_column(s.start).0;
    let found = out.diagnostics.iter();
    let found = found.map(|d| (d.span.map_or(0, &line), d.code, d.message.clone()));
    let bytes = out.image.as_ref().map_or(Vec::new(), |i| i.binary(0));
    (bytes, found.collect())
}

const Z80: [&str; 22] = [
    "ld a,",
    "ld hl,",
    "ld hl,(",
    "ld (",
    "jr ",
    "jr nz,",
    "djnz ",
    "jp ",
    "call ",
    "call z,",
    "rst ",
    "im ",
    "bit 7,",
    "ld b,",
    "cp ",
    "add a,",
    "in a,(",
    "ld ix,",
    "push ",
    "org ",
    "sub ",
    "xlabel nop ",
];
const AVR: [&str; 16] = [
    "ldi r16,",
    "ldi r17, ",
    "rjmp ",
    "breq ",
    "sbi 3,",
    "in r1, ",
    "lds r4,",
    "cpi r20,",
    "mov r1,",
    "ld r4,",
    "adiw r24,",
    "call ",
    "brne ",
    "std Y+1,",
    "ldd r4,",
    "push ",
];
const GIGATRON: [&str; 8] = [
    "ld ", "ld [", "st [", "bra ", "bne ", "adda ", "jmp y,", "suba ",
];
const VALUES: [&str; 24] = [
    "5", "300", "255", "65535", "70000", "0x10", "7", "8", "x1", "x2", "k1", "k2", "never", "a",
    "b", "hl", "r16", "r3", "X", "$80", "16", "56", "12x", "x3",
];

fn line(r: &mut Random, heads: &[&str], labels: &mut u32) -> String {
    match r.below(12) {
        0 if *labels < 3 => {
            *labels += 1;
            format!("x{labels}:{}", ["", "  ", " ; a label"][r.below(3)])
        }
        1 => "\t; nothing".into(),
        2 => "k2 equ 9".into(),
        _ => {
            let head = r.pick(heads);
            let close = if head.contains('(') { ")" } else { "" };
            let close = if head.contains('[') { "]" } else { close };
            format!("\t{head}{}{close}", r.pick(&VALUES))
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(6))]
    #[test]
    fn lines_met_before_mean_what_they_say(seed in any::<u64>()) {
        for (language, heads) in [
            (("z80", "", "native"), &Z80[..]),
            (("z80", "", "pasmo"), &Z80),
            (("z80", "", "z80asm"), &Z80),
            (("z80", "", "zasm"), &Z80),
            (("z80", "", "tasm"), &Z80),
            (("avr", "atmega328p", "avrasm2"), &AVR),
            (("avr", "atmega328p", "avra"), &AVR),
            (("avr", "atmega328p", "gas-avr"), &AVR),
            (("gigatron", "", "native"), &GIGATRON),
        ] {
            let mut r = Random(seed | 1);
            let mut labels = 0;
            let lines: Vec<String> = (0..60).map(|_| line(&mut r, heads, &mut labels)).collect();
            let quick = made(&lines, "\t", language);
            let slow = made(&lines, &" ".repeat(40), language);
            prop_assert_eq!(quick, slow, "{:?}: {:#?}", language, lines);
        }
    }
}

#[test]
fn a_line_that_defines_a_label_is_not_kept() {
    for dialect in ["native", "pasmo"] {
        let lines = ["\tx: nop".into(), "\tx: nop".into()];
        let (_, found) = made(&lines, "\t", ("z80", "", dialect));
        let twice = found
            .iter()
            .any(|f| f.0 == 2 && f.2 == "`x` is defined twice");
        assert!(twice, "{dialect}: {found:?}");
    }
}
