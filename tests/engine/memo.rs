//! Lines met before mean what they mean when they are read: the same statements, once as
//! usual and once behind more blanks than a line has that is kept.

use crate::common::random::Random;
use proptest::prelude::*;
use scrimp::text::source::MemoryLoader;
use scrimp::{Job, assemble, targets};

/// Bytes and findings by line.
type Made = (Vec<u8>, Vec<(usize, &'static str, String)>);

fn made(lines: &[String], blanks: &str, (target, machine, dialect): (&str, &str, &str)) -> Made {
    let line = |l: &String| match l.starts_with([' ', '\t']) {
        true => format!("{blanks}{}\n", l.trim_start()),
        false => format!("{l}\n"),
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
    // Of texts that were made the words count, and not how many were made before them.
    let found = found.map(|d| match d.span {
        Some(s) if &*out.sources.get(s.source).name != "a.asm" => {
            let words = out.sources.slice(s);
            (0, d.code, format!("{} at {words}", d.message))
        }
        span => (span.map_or(0, &line), d.code, d.message.clone()),
    });
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
const AVR: [&str; 26] = [
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
    "add r3,",
    "add r4, ",
    "movw r2,",
    "mul r1,",
    "muls r20,",
    "fmul r17,",
    "lsl ",
    "adc tmp,",
    "cpse r7,",
    "st X,",
];
const GIGATRON: [&str; 8] = [
    "ld ", "ld [", "st [", "bra ", "bne ", "adda ", "jmp y,", "suba ",
];
const VALUES: [&str; 30] = [
    "5", "300", "255", "65535", "70000", "0x10", "7", "8", "x1", "x2", "k1", "k2", "never", "a",
    "b", "hl", "r16", "r3", "X", "$80", "16", "56", "12x", "x3", "r2", "r17", "r24", "r31", "tmp",
    "r20",
];

/// Lines that may change what others mean, or stand between them; a blank begins those that
/// are no labels.
const BETWEEN: [&str; 5] = [
    " if 1| ld a,5| endif",
    " if 0| ld a,5| else| ld a,6| endif",
    " db 1,2",
    " dw x1",
    "k3 equ 300",
];
/// The same of one dialect each.
const OWN: [(&str, &[&str]); 14] = [
    (
        "mdl",
        &[
            "mm: macro ?b| ld a,?b| ld a,b| endm",
            " mm 5",
            " ds virtual 3",
        ],
    ),
    (
        "zasm",
        &[
            " #local| ld a,5| jp x1| #endlocal",
            "mm macro &b| ld a,&b| rst 1| endm",
            " mm 5",
        ],
    ),
    (
        "tasm",
        &[
            "#define never 5",
            "#define b 7",
            " .db 1,2",
            "#if 1| ld a,5|#endif",
        ],
    ),
    (
        "zmac",
        &[
            "mm macro b| ld a,b| ld c,a| endm",
            " mm 5",
            "never equ c",
            " .8080",
            " .z80",
        ],
    ),
    (
        "vasm",
        &[
            "mm macro| ld a,\\1| ld a,b| endm",
            " mm 5",
            "k2 set 5",
            " section x1",
        ],
    ),
    (
        "rasm",
        &[
            " macro mm b| ld a,{b}| ld a,b| mend",
            " mm 5",
            " ld a,{k2}",
            " switch 1| case 1| ld a,5| endswitch",
            "k2 = 6",
        ],
    ),
    (
        "asl",
        &[
            "mm macro b| ld a,b| ld c,a|never: jp never| endm",
            " mm 5",
            "never equ c",
            " radix 16",
            " radix 10",
            " phase 9",
            "k2 set 5",
            " ds 5",
            "k4 equ 2.5",
            " ld a,k4",
            "x1 equ 'a'",
        ],
    ),
    (
        "glass",
        &[
            "mm: macro ?b| ld a,?b| ld a,b| endm",
            "mo: macro b| ld a,b|never: jp never| endm",
            " mm 5",
            " mo 5",
            " proc| jp x1|x1: nop| endp",
        ],
    ),
    (
        "sdas",
        &[
            " .macro mm b| ld a,b| ld c,a| .endm",
            " mm 5",
            " .radix x",
            " .radix d",
            " .db 1",
            " .area _DATA",
            " .area _CODE",
        ],
    ),
    (
        "gas-z80",
        &[
            " .macro mm b| ld a,\\b| ld a,b| .endm",
            " mm 5",
            " .byte 1",
            " .set k2, 5",
        ],
    ),
    (
        "sjasmplus",
        &[
            " define never 5",
            " define b 7",
            " define ld add",
            " undefine b",
            " undefine ld",
            " module m1",
            " endmodule",
            " macro mm b| ld a,b| ld c,a|.x jp .x| endm",
            " mm 5",
            "1 jr 1b",
            " djnz 2f|2 nop",
            " opt push --syntax=abf| ld a,(5)| opt pop",
        ],
    ),
    (
        "sjasm",
        &[
            " define never 5",
            " define b 7",
            " undefine b",
            " macro mm b| ld a,b| ld c,a|.x jp .x| endmacro",
            " mm 5",
            "1 jr 1b",
            " repeat 2| ld a,5| ld a,@#| endrepeat",
            " idefine HL bc",
        ],
    ),
    (
        "pasmo",
        &[
            "mm macro b| ld a,b| ld c,a| endm",
            " mm 5",
            " proc| local x1| jp x1|x1: nop| endp",
        ],
    ),
    (
        "avrasm2",
        &[
            ".macro mm| ldi r16,@0| mov r1,r2|.endmacro",
            " mm 5",
            ".equ k3 = 3",
            ".set k2 = 5",
            ".undef tmp",
        ],
    ),
];

/// Some lines between others.
fn between(r: &mut Random, dialect: &str) -> Vec<String> {
    let own = OWN.iter().find(|o| o.0 == dialect).map_or(&[][..], |o| o.1);
    let z80 = dialect != "avrasm2";
    let text = match own.is_empty() || z80 && r.below(3) == 0 {
        true => r.pick(&BETWEEN),
        false => r.pick(own),
    };
    text.split('|').map(str::to_owned).collect()
}

fn line(r: &mut Random, heads: &[&str], labels: &mut u32) -> String {
    match r.below(12) {
        0 if *labels < 3 => {
            *labels += 1;
            format!("x{labels}:{}", ["", "  ", " ; a label"][r.below(3)])
        }
        1 => "\t; nothing".into(),
        2 => "k2 equ 9".into(),
        3 if heads.contains(&"lsl ") => format!("\t.def tmp = r{}", 16 + r.below(16)),
        _ => {
            let head = r.pick(heads);
            let close = if head.contains('(') { ")" } else { "" };
            let close = if head.contains('[') { "]" } else { close };
            format!("\t{head}{}{close}", r.pick(&VALUES))
        }
    }
}

/// What a source begins with.
fn first_line(dialect: &str) -> Vec<String> {
    match dialect {
        "zasm" => vec!["\torg 256".into()],
        "asl" => vec!["\tcpu z80".into()],
        _ => Vec::new(),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4))]
    #[test]
    fn lines_met_before_mean_what_they_say(seed in any::<u64>()) {
        for (language, heads) in [
            (("z80", "", "native"), &Z80[..]),
            (("z80", "", "pasmo"), &Z80),
            (("z80", "", "z80asm"), &Z80),
            (("z80", "", "zasm"), &Z80),
            (("z80", "", "tasm"), &Z80),
            (("z80", "", "mdl"), &Z80),
            (("z80", "", "zmac"), &Z80),
            (("z80", "", "vasm"), &Z80),
            (("z80", "", "rasm"), &Z80),
            (("z80", "", "asl"), &Z80),
            (("z80", "", "glass"), &Z80),
            (("z80", "", "sdas"), &Z80),
            (("z80", "", "gas-z80"), &Z80),
            (("z80", "", "sjasmplus"), &Z80),
            (("z80", "", "sjasm"), &Z80),
            (("avr", "atmega328p", "avrasm2"), &AVR),
            (("avr", "atmega328p", "avra"), &AVR),
            (("avr", "atmega328p", "gas-avr"), &AVR),
            (("gigatron", "", "native"), &GIGATRON),
        ] {
            let mut r = Random(seed | 1);
            let mut labels = 0;
            let mut first = first_line(language.2);
            let count = if heads.contains(&"lsl ") { 100 } else { 60 };
            for _ in 0..count {
                if r.below(8) == 0 && language.0 != "gigatron" {
                    first.extend(between(&mut r, language.2));
                }
                first.push(line(&mut r, heads, &mut labels));
            }
            let lines = first;
            let quick = made(&lines, "\t", language);
            let slow = made(&lines, &" ".repeat(40), language);
            prop_assert_eq!(quick, slow, "{:?}: {:#?}", language, lines);
            if language.2.starts_with("gas-") {
                // In column 1 too; what is longer than what is kept is read each time.
                let at_margin = |behind: usize| {
                    let line = |l: &String| format!("{}{}", l.trim_start(), " ".repeat(behind));
                    made(&lines.iter().map(line).collect::<Vec<_>>(), "", language)
                };
                prop_assert_eq!(at_margin(0), at_margin(40), "{:?}: {:#?}", language, lines);
            }
        }
    }
}

#[test]
fn another_register_stands_in_the_same_form_or_is_refused() {
    let all = ("avr", "atmega328p", "gas-avr");
    let lines = [
        "\tadd r1,r2",
        "\tadd r1,r3",
        "\tmuls r20,r16",
        "\tmuls r20,r31",
    ];
    let (bytes, found) = made(&lines.map(String::from), "\t", all);
    let words: Vec<u16> = bytes
        .chunks_exact(2)
        .map(|b| u16::from_le_bytes([b[0], b[1]]))
        .collect();
    assert_eq!(
        (&words[..], found.len()),
        (&[0x0c12, 0x0c13, 0x0240, 0x024f][..], 0)
    );
    let lines = ["\tmuls r20,r16", "\tmuls r20,r15", "\tmuls r20,r17"];
    let (_, found) = made(&lines.map(String::from), "\t", all);
    let at: Vec<usize> = found.iter().map(|f| f.0).collect();
    assert_eq!(at, [2], "{found:?}");
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
