//! Mistakes of the first days, one each, and the one finding that each gives: where it
//! is, and what it says to do. Tables of input and expected words.

use scrimp::diagnostic::{Diagnostic, Level, short};
use scrimp::targets;
use scrimp::text::source::{MemoryLoader, Sources};
use scrimp::{Job, assemble};

/// How a source is read: target, machine and dialect.
type Choice = (&'static str, &'static str, &'static str);

const Z80: Choice = ("z80", "", "native");
const ZX81: Choice = ("z80", "zx81-1k", "native");
const AVR: Choice = ("avr", "", "native");
const AVRASM2: Choice = ("avr", "", "avrasm2");
const GAS: Choice = ("avr", "", "gas-avr");
const GIGATRON: Choice = ("gigatron", "", "native");
const GIGATRON_32K: Choice = ("gigatron", "gigatron-32k", "native");
const PASMO: Choice = ("z80", "", "pasmo");
const Z80ASM: Choice = ("z80", "", "z80asm");
const GCL: Choice = ("vcpu", "", "gcl");

/// The errors of a source, and its texts.
fn errors(source: &[u8], choice: Choice, more: &[(&str, &str)]) -> (Vec<Diagnostic>, Sources) {
    let (target, machine, dialect) = choice;
    let target = targets::by_name(target).expect("a target");
    let job = Job {
        file: "a.asm".into(),
        target,
        machine: target.machine(machine),
        dialect: dialect.into(),
        defines: Vec::new(),
    };
    let mut loader = MemoryLoader::default().with("a.asm", source);
    for (name, text) in more {
        loader = loader.with(name, *text);
    }
    let out = assemble(&job, &loader);
    let all = out.diagnostics.into_iter();
    let errors = all.filter(|d| d.level == Level::Error).collect();
    (errors, out.sources)
}

/// What is wrong with the only finding of a source, if anything.
fn fault(choice: Choice, source: &str, place: &str, words: &[&str]) -> Option<String> {
    let (found, sources) = errors(source.as_bytes(), choice, &[]);
    let lines: Vec<String> = found.iter().map(|d| short::short(d, &sources)).collect();
    let good = |line: &String| {
        line.starts_with(&format!("a.asm:{place}: ")) && words.iter().all(|w| line.contains(w))
    };
    match &lines[..] {
        [one] if good(one) => None,
        _ => Some(format!(
            "{source:?} as {}: not {place} {words:?}\n  {}",
            choice.2,
            lines.join("\n  ")
        )),
    }
}

fn all_say(table: &[(Choice, &str, &str, &[&str])]) {
    let faults: Vec<String> = table
        .iter()
        .filter_map(|&(choice, source, place, words)| fault(choice, source, place, words))
        .collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn numbers_of_other_assemblers_are_told_in_ones_own() {
    all_say(&[
        (
            Z80,
            " ld hl,#40FF\n",
            "1:8",
            &["`#40FF` is not a number in this dialect", "write `$40FF`"],
        ),
        (
            Z80,
            " ld hl,#4082\n",
            "1:8",
            &["write `$4082` if it is hexadecimal, `4082`"],
        ),
        (Z80, " ld hl,#$4082\n", "1:8", &["write `$4082`"]),
        (Z80, " ld a,&FF\n", "1:7", &["write `$FF`"]),
        (
            Z80,
            " ld a,FFh\n",
            "1:7",
            &["`FFh` is not defined", "write `$FF`"],
        ),
        (Z80, " ld a,h'1F'\n", "1:7", &["write `$1F`"]),
        (Z80, " ld a,@17\n", "1:7", &["write `17o`"]),
        (
            Z80,
            " ld a,%12\n",
            "1:7",
            &["`%12` is not a number", "`2` is no binary digit"],
        ),
        (Z80, " ld a,$FG\n", "1:7", &["`G` is no hexadecimal digit"]),
        (
            Z80,
            " db 1,#label\nlabel:\n",
            "1:7",
            &["a value has no `#` before it"],
        ),
        (AVRASM2, " ldi r16,0FFh\n", "1:10", &["write `$0FF`"]),
        (AVRASM2, " ldi r16,%101\n", "1:10", &["write `0b101`"]),
        (
            GAS,
            " ldi r16,$FF\n nop\n ret\n",
            "1:11",
            &["`$` separates statements", "`0xFF`"],
        ),
        (GAS, " ldi r16,0FFh\n", "1:10", &["write `0x0FF`"]),
        (GAS, " ldi r16,%101\n", "1:10", &["write `0b101`"]),
        (PASMO, " ld a,0b101\n", "1:7", &["write `%101`"]),
        (Z80ASM, " ld a,#5F\n", "1:7", &["write `$5F`"]),
        (
            GIGATRON,
            " ld #5\n",
            "1:5",
            &["write `$5` if it is hexadecimal, `5`"],
        ),
    ]);
}

#[test]
fn labels_and_words_are_told_as_the_dialect_has_them() {
    all_say(&[
        (
            Z80,
            "start   ld a,5\n",
            "1:1",
            &["the label `start` has no colon", "write `start:`"],
        ),
        (
            Z80,
            "start\n nop\n",
            "1:1",
            &["a label has a colon: `start:`"],
        ),
        (Z80ASM, "x equ 5\n", "1:1", &["write `x:`"]),
        (AVRASM2, "loop rjmp loop\n", "1:1", &["write `loop:`"]),
        (GAS, "main nop\n", "1:1", &["write `main:`"]),
        (AVRASM2, "x equ 5\n", "1:1", &["write `.equ x = …`"]),
        (AVRASM2, " PORTB = 5\n", "1:2", &["write `.equ PORTB = …`"]),
        (AVRASM2, " ret\n ret\n db 1,2\n", "3:2", &["write `.db`"]),
        (PASMO, " ret\n ret\n .db 1,2\n", "3:2", &["write `db`"]),
        (Z80, " sction m\n", "1:2", &["did you mean `section`?"]),
        (
            Z80,
            " ld a,lable\nlabel: nop\n",
            "1:7",
            &["did you mean `label`?"],
        ),
        (
            Z80,
            " section m in rom\n nop\n",
            "1:15",
            &["no region `rom`", "`region rom, start = "],
        ),
        (
            ZX81,
            " section m in prgram\n nop\n",
            "1:15",
            &["did you mean `program`?"],
        ),
        (
            AVRASM2,
            " .inlcude \"x\"\n",
            "1:2",
            &["did you mean `.include`?"],
        ),
        (
            AVRASM2,
            ".org OC0Aaddr\n rjmp 0\n",
            "1:6",
            &[
                "not defined above",
                ".include \"m328Pdef.inc\"",
                "defines it",
            ],
        ),
        (
            GAS,
            " sbi _SFR_IO_ADDR(DDRB),5\n out _SFR_IO_ADDR(DDRB),r16\n",
            "1:6",
            &["no function `_SFR_IO_ADDR`", "#include <avr/io.h>"],
        ),
    ]);
    let (found, _) = errors(b" section m in rom\n", Z80, &[]);
    assert!(found[0].notes[0].contains("none is chosen"), "{found:?}");
}

#[test]
fn operands_are_blamed_where_they_are_and_mended() {
    all_say(&[
        (
            Z80,
            " ld (hl),(de)\n",
            "1:10",
            &["write `ld a,(de)` and `ld (hl),a`"],
        ),
        (
            Z80,
            " ld hl,de\n",
            "1:8",
            &["`de` is not taken here", "write `ld h,d` and `ld l,e`"],
        ),
        (
            Z80,
            " ld b,(de)\n",
            "1:7",
            &["write `ld a,(de)` and `ld b,a`"],
        ),
        (Z80, " ld a,[hl]\n", "1:7", &["write `ld a,(hl)`"]),
        (Z80, " ld a 5\n", "1:5", &["write `ld a,5`"]),
        (Z80, " ex hl,de\n", "1:5", &["write `ex de,hl`"]),
        (Z80, " out 5,a\n", "1:6", &["write `out (5),a`"]),
        (Z80, " push a\n", "1:7", &["write `push af`"]),
        (Z80, " jp nx,5\n", "1:5", &["did you mean `nz`?"]),
        (
            Z80,
            " db 1 2\n",
            "1:7",
            &["expected `,` or an operator before `2`"],
        ),
        (Z80, " db 1,,2\n", "1:7", &["a value is missing here"]),
        (Z80, " db 1,2,\n", "1:8", &["a value is missing here"]),
        (Z80, " ld ,a\n", "1:5", &["an operand is missing here"]),
        (
            AVRASM2,
            " .db 1,,2,3\n",
            "1:8",
            &["a value is missing here"],
        ),
        (
            AVR,
            " mov tmp,r0\n",
            "1:6",
            &["`tmp` is not defined as a register", "`def tmp = r0`"],
        ),
        (AVRASM2, " mov tmp,r0\n", "1:6", &["`.def tmp = r0`"]),
        (AVR, " mov r16,5\n", "1:10", &["write `ldi r16,5`"]),
        (AVR, " ldi r5,1\n", "1:6", &["`ldi r16,1` and `mov r5,r16`"]),
        (AVR, " cp r16,5\n", "1:9", &["write `cpi r16,5`"]),
        (AVR, " ld r16,(X)\n", "1:9", &["write `ld r16,X`"]),
        (AVR, " lpm r16,z++\n", "1:10", &["write `lpm r16,z+`"]),
        (AVR, " sbi PORTB 5\n", "1:6", &["write `sbi PORTB,5`"]),
        (GAS, " ldi r16 5\n", "1:6", &["write `ldi r16,5`"]),
        (GIGATRON, " st $30\n", "1:5", &["write `st [$30]`"]),
        (GIGATRON, " ld [5\n", "1:5", &["this `[` has no `]`"]),
        (PASMO, "start ld a 5\n", "1:10", &["write `ld a,5`"]),
        (
            AVRASM2,
            ".def cnt = r17\n mov cnt,0\n",
            "2:10",
            &["write `ldi r17,0` for the number"],
        ),
    ]);
}

#[test]
fn stray_characters_and_ends_are_named() {
    all_say(&[
        (
            Z80,
            " ld a,“x”\n",
            "1:7",
            &["`“` is a typographic quote", "write `\"`"],
        ),
        (
            Z80,
            " ld\u{a0}a,5\n",
            "1:4",
            &["`U+00A0` is a space that is no blank"],
        ),
        (Z80, " ld a,5–1\n", "1:8", &["a typographic dash"]),
        (Z80, " ld a,5)\n", "1:8", &["this `)` has no `(` before it"]),
        (
            Z80,
            " ld a,5 : ret\n ret\n",
            "1:9",
            &["a line has one statement"],
        ),
        (
            Z80,
            " org $4082 nop\n",
            "1:12",
            &["`nop` starts another statement"],
        ),
        (
            Z80,
            " db \"it\"\"s\"\n",
            "1:9",
            &["write `\\\"` in the text"],
        ),
        (
            Z80,
            " ld a,lw(5)\n",
            "1:7",
            &["there is no function `lw`", "did you mean `low()`?"],
        ),
        (
            Z80,
            "* comment\n nop\n",
            "1:1",
            &["a comment begins with `;`"],
        ),
        (
            GAS,
            "// comment\n nop\n",
            "1:1",
            &["`//` does not begin a comment here"],
        ),
        (
            Z80,
            " macro m(a)\n nop\n",
            "1:8",
            &["this macro has no `endm`"],
        ),
        (
            Z80,
            " repeat 5\n nop\n",
            "1:2",
            &["this repeat has no `endr`"],
        ),
        (
            Z80,
            " if 1\n nop\n",
            "1:2",
            &["this conditional has no `endif`"],
        ),
        (
            AVRASM2,
            " .if 1\n nop\n",
            "1:2",
            &["this conditional has no `.endif`"],
        ),
        (
            GAS,
            " .macro m\n nop\n",
            "1:2",
            &["this `.macro` has no `.endm`"],
        ),
        (
            PASMO,
            " rept 3\n nop\n",
            "1:2",
            &["this repeat has no `endm`"],
        ),
    ]);
}

#[test]
fn macros_are_faulted_at_their_call() {
    all_say(&[
        (
            Z80,
            " macro m(a,b)\n db a,b\n endm\n m 1\n",
            "4:2",
            &["needs a value for `b`"],
        ),
        (
            Z80,
            " macro m(a)\n db a\n endm\n m 1,2\n",
            "4:4",
            &["takes 1 argument, 2 given"],
        ),
        (
            Z80,
            " macro m(a)\n ld b,a\n endm\n m 300\n",
            "4:4",
            &["300 is out of range"],
        ),
        (
            AVRASM2,
            " .macro m\n ldi r16,@0\n.endm\n m\n",
            "4:2",
            &["without an argument `@0`"],
        ),
        (
            Z80,
            " macro m\nx: nop\n endm\n m\n m\n",
            "2:1",
            &["make it new in each: `local x`"],
        ),
    ]);
}

/// A promise that a library makes is broken by who calls it.
#[test]
fn a_promise_in_a_library_is_told_at_the_call() {
    let source = " include <gigatron/wait.asm>\n clock 0\n wait 5\n clock 60, end\n";
    let (found, sources) = errors(source.as_bytes(), GIGATRON_32K, &[]);
    let lines: Vec<String> = found.iter().map(|d| short::short(d, &sources)).collect();
    assert!(
        !lines.is_empty() && lines.iter().all(|l| l.starts_with("a.asm:")),
        "{lines:?}"
    );
    let source = " macro m\n clock 0\n nop\n clock 5, end\n endm\n m\n";
    let (found, sources) = errors(source.as_bytes(), GIGATRON, &[]);
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].code, "E0063");
    let call = found[0].trail.first().expect("the way to it").span;
    assert_eq!(sources.place(call), "a.asm:6:2");
}

#[test]
fn files_that_include_each_other_are_one_finding() {
    let own = " include \"a.asm\"\nx: nop\n";
    for (choice, source) in [
        (Z80, own),
        (Z80, " include \"a.asm\"\n nop\n"),
        (PASMO, " include a.asm\nx: nop\n"),
        (Z80ASM, own),
        (AVRASM2, " .include \"a.asm\"\nx: nop\n"),
        (GAS, " .include \"a.asm\"\nx: nop\n"),
        (AVRASM2, "#include \"a.asm\"\nx: nop\n"),
    ] {
        let (found, sources) = errors(source.as_bytes(), choice, &[]);
        let lines: Vec<String> = found.iter().map(|d| short::short(d, &sources)).collect();
        assert_eq!(lines.len(), 1, "{source:?}: {lines:?}");
        assert!(
            lines[0].contains("E0003") && lines[0].contains("`a.asm` includes itself"),
            "{lines:?}"
        );
    }
    let (found, _) = errors(
        b"x: nop\n include \"b.asm\"\n",
        Z80,
        &[("b.asm", " include \"a.asm\"\n")],
    );
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(
        found[0].message,
        "`a.asm` includes `b.asm`, which includes `a.asm`"
    );
}

#[test]
fn a_wrong_encoding_is_one_finding_that_names_it() {
    let utf_16 = |big: bool, mark: bool| -> Vec<u8> {
        let text = if mark {
            "\u{feff} nop\n ld a,5\n"
        } else {
            " nop\n ld a,5\n"
        };
        let units = text.encode_utf16();
        units
            .flat_map(|u| {
                if big {
                    u.to_be_bytes()
                } else {
                    u.to_le_bytes()
                }
            })
            .collect()
    };
    for big in [false, true] {
        for mark in [false, true] {
            let (found, _) = errors(&utf_16(big, mark), Z80, &[]);
            assert_eq!(found.len(), 1);
            assert!(found[0].message.contains("UTF-16"), "{found:?}");
        }
    }
    let (found, _) = errors(b"\xff\xfe\0\0 \0\0\0n\0\0\0", Z80, &[]);
    assert!(found[0].message.contains("UTF-32"), "{found:?}");
    let (found, _) = errors(b"\x7fELF\x01\x01\x01\0\0\0\0\0\0\0\0\0\x02\0", Z80, &[]);
    assert!(
        found.len() == 1 && found[0].message.contains("no text"),
        "{found:?}"
    );
    let (found, _) = errors(b":100000000C9434000C943E000C943E000C943E0082\n", AVR, &[]);
    assert!(
        found.len() == 1 && found[0].message.contains("machine code"),
        "{found:?}"
    );
    for good in [
        &b" nop\r ld a,5\r"[..],
        b"\xef\xbb\xbf nop\n",
        b" db \"\xe9\"\r\n",
        b" db 0\n\x1a",
    ] {
        let (found, _) = errors(good, PASMO, &[]);
        assert!(
            found.is_empty() || good.ends_with(b"\x1a"),
            "{good:?}: {found:?}"
        );
    }
}

const FOR_AVRASM2: &str = ".include \"tn85def.inc\"\n.def tmp = r16\n.cseg\n.org 0\n\
    \trjmp start\nstart:\tldi tmp,low(RAMEND)\n\tout SPL,tmp\nloop:\tsbi PINB,PB0\n\trjmp loop\n";
const FOR_GAS: &str = "#include <avr/io.h>\n\t.global main\n\t.text\nmain:\n\
    \tldi r16,lo8(RAMEND)\n\tout _SFR_IO_ADDR(SPL),r16\n1:\trjmp 1b\n";
const FOR_PASMO: &str = "\torg 4082h\nstart\tld a,(count)\n\tcp #FF\n\tret z\nloop\tdjnz loop\n\
    \tjp start\ncount\tdefb 0\nmsg\tdefm 'it''s'\n\tend start\n";
const FOR_SJASMPLUS: &str = "\tDEVICE ZXSPECTRUM48\n\tORG #8000\nStart:\n\tDUP 5\n\tnop\n\tEDUP\n\
    \tret\n\tMODULE m\nx:\tnop\n\tENDMODULE\n\tSAVESNA \"a.sna\",Start\n";
const FOR_GIGATRON: &str = "\tld [$10]\n\tadda 1\n\tst [$10]\n\tanda $7f\n\tnop\n";
const FOR_Z80: &str =
    "start:\tld hl,$4000\n\tld b,5\nnext:\tld (hl),a\n\tinc hl\n\tdjnz next\n\tret\n";
const C: &str = "#include <avr/io.h>\nint main(void)\n{\n  DDRB = 1;\n  while (1)\n  {\n\
    \x20   PORTB ^= 1;\n  }\n  return 0;\n}\n";
const LISTING: &str = "start:        0000 0012  ld   $12\n              0001 0014  ld   $14\n";

#[test]
fn a_source_in_another_language_is_one_finding_that_names_it() {
    let avrasm2 = "`--dialect avrasm2`";
    let table: &[(&str, &[Choice], &str)] = &[
        (
            FOR_AVRASM2,
            &[Z80, AVR, GAS, PASMO, Z80ASM, GIGATRON, GCL],
            avrasm2,
        ),
        (
            FOR_GAS,
            &[Z80, AVR, AVRASM2, GIGATRON, GCL],
            "`--dialect gas-avr`",
        ),
        (
            FOR_PASMO,
            &[Z80, Z80ASM, AVRASM2, AVR, GCL],
            "`--dialect pasmo`",
        ),
        (FOR_GIGATRON, &[Z80, AVR], "`--target gigatron`"),
        (
            FOR_GIGATRON,
            &[AVRASM2, Z80ASM],
            "`--dialect native --target gigatron`",
        ),
        (FOR_Z80, &[AVR, GIGATRON], "`--target z80`"),
        (LISTING, &[Z80, AVR], "`--dialect gigatron-lst`"),
        (" ldi r16,5\n", &[Z80], "`--target avr`"),
        (FOR_SJASMPLUS, &[Z80, PASMO], "`--dialect sjasmplus`"),
        (C, &[AVR, Z80, AVRASM2], "this looks like C"),
        (
            " mvi a,5\n lxi h,4\n mov a,m\n",
            &[Z80],
            "`--dialect zmac-8080`",
        ),
        (
            " lda #5\n sta $400\n ldx #3\n rts\n",
            &[Z80, AVR],
            "this looks like code for the 6502",
        ),
    ];
    let mut faults = Vec::new();
    for (source, choices, words) in table {
        for &choice in *choices {
            let (found, sources) = errors(source.as_bytes(), choice, &[]);
            let lines: Vec<String> = found.iter().map(|d| short::short(d, &sources)).collect();
            let good = |l: &String| {
                l.starts_with("a.asm:")
                    && (l.contains("E0029") || l.contains("E0001"))
                    && l.contains(words)
            };
            if lines.len() != 1 || !good(&lines[0]) {
                faults.push(format!(
                    "{choice:?} {source:.20?}: not {words}\n  {}",
                    lines.join("\n  ")
                ));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// What is only wrong here and there stays what it is.
/// Labels that are not written as here, files that a dialect finds, and words of its own tell
/// which one is meant.
#[test]
fn labels_files_and_words_tell_the_language() {
    let told = |source: &str, files: &[(&str, &str)]| {
        let (found, _) = errors(source.as_bytes(), Z80, files);
        let help = found.first().and_then(|d| d.help.clone());
        (found.len(), help.unwrap_or_default())
    };
    // Ten lines between labels, none with a colon; names of the 8080's words are labels.
    let body = "\tld a,5\n".repeat(10);
    let labels = ["lda", "sta", "adi", "ori", "main"];
    let source: String = labels.iter().map(|l| format!("{l}\tnop\n{body}")).collect();
    let (count, help) = told(&source, &[]);
    assert_eq!(count, 1, "{help}");
    assert!(help.contains("`--dialect pasmo`"), "{help}");
    // Two of them beside others that have one are slips.
    let slips = source.replace("lda\t", "lda:\t").replace("sta\t", "sta:\t");
    assert!(told(&slips, &[]).0 > 1);
    // The words of the file that is found may be macros of the one that is not.
    let source = "\t.module m\n\t.include \"macros.s\"\n\t.area _CODE\n\
                  _go::\n\tpop hl\n\t.include /rest.s/\n";
    let rest = "\tsome_macro\n\tret\n";
    let (count, help) = told(source, &[("rest.s", rest)]);
    assert_eq!((count, &*help), (1, "choose it: `--dialect sdas`"));
    // Data that are read alike for several targets name them all.
    let (_, help) = told(
        ".section .text\n.global x\nx: .short 1\n.balign 4\n.global y\n",
        &[],
    );
    assert!(
        help.contains("gas-z80") && help.contains("gas-avr"),
        "{help}"
    );
    // What another ignores is no sign of it.
    let (found, _) = errors(b"start:\n ret )\n", Z80, &[]);
    assert_eq!(found[0].code, "E0021", "{found:?}");
    // Most lines of a few have faults, and a dialect has none.
    let (count, help) = told(" db &hff,&o17,&b1\n db #ff,&hab,&b11\n", &[]);
    assert_eq!(count, 1, "{help}");
    assert!(help.contains("`--dialect pasmo`"), "{help}");
    // A sign before numbers says elsewhere that a value follows.
    let source = format!("lab:{body}\tand #0xe0\n\tcp #0xe0\n\tcp #0x12\n");
    let (count, help) = told(&source, &[]);
    assert_eq!(count, 1, "{help}");
    assert!(help.contains("`--dialect sdas`"), "{help}");
    // A definition that fails is told once.
    let (found, _) = errors(b" ld a,x\n ld b,x\nx = 5 )\n ret\n nop\n", Z80, &[]);
    let codes: Vec<&str> = found.iter().map(|d| d.code).collect();
    assert_eq!(codes, ["E0013"], "{found:?}");
}

#[test]
fn single_slips_do_not_make_another_language() {
    let good = "start:\tld a,5\n\tld b,6\n\tret\n\tnop\n\tjump start\n";
    for (slip, code) in [
        ("\tld hl,#4082\n", "E0012"),
        ("\tdefl x 5\n", "E0020"),
        ("\tldo a,5\n", "E0020"),
        ("\tld q,5\n", "E0021"),
        ("x\tnop\n", "E0013"),
    ] {
        let (found, _) = errors(format!("{good}{slip}").as_bytes(), Z80, &[]);
        let codes: Vec<&str> = found.iter().map(|d| d.code).collect();
        assert_eq!(codes, [code], "{slip}");
    }
    // A word that another dialect knows is told so, if it takes the line.
    let (found, _) = errors(format!("{good}\trept 5\n").as_bytes(), Z80, &[]);
    let help = found[0].help.as_deref().unwrap_or("");
    assert!(
        help.contains("`rept` is `repeat` here") && help.contains("`--dialect pasmo`"),
        "{help}"
    );
    let (found, _) = errors(format!("{good}\tmov ax,5\n").as_bytes(), Z80, &[]);
    let help = found[0].help.as_deref().unwrap_or("");
    assert!(!help.contains("avr"), "{help}");
}
