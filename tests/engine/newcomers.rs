//! What one meets on the first day: a source read as something else, names that a choice
//! would bring, operands that do not reach. Each finding has its place and a hint.

use scrimp::diagnostic::Diagnostic;
use scrimp::targets;
use scrimp::text::source::MemoryLoader;
use scrimp::{Job, assemble};

/// The findings of a source, with line and column.
fn findings(
    source: &str,
    target: &str,
    machine: &str,
    dialect: &str,
) -> Vec<(u32, u32, Diagnostic)> {
    let target = targets::by_name(target).expect("a target");
    let job = Job {
        file: "a.asm".into(),
        target,
        machine: target.machine(machine),
        dialect: dialect.into(),
        defines: Vec::new(),
    };
    let out = assemble(&job, &MemoryLoader::default().with("a.asm", source));
    let place = |d: &Diagnostic| {
        let span = d.span.expect("a place");
        out.sources.get(span.source).line_column(span.start)
    };
    let found = out.diagnostics.iter();
    found
        .map(|d| (place(d).0 as u32, place(d).1 as u32, d.clone()))
        .collect()
}

/// The first finding is this one, here, with this in its help.
fn says(source: &str, (target, machine, dialect): (&str, &str, &str), at: (u32, u32), help: &str) {
    let found = findings(source, target, machine, dialect);
    let (line, column, d) = found
        .first()
        .unwrap_or_else(|| panic!("no finding: {source}"));
    assert_eq!((*line, *column), at, "{source}: {}", d.message);
    let given = d.help.as_deref().unwrap_or("");
    assert!(given.contains(help), "{source}: {} = {given}", d.message);
}

#[test]
fn a_source_for_something_else_names_the_choice() {
    let z80 = ("z80", "", "native");
    says(" rjmp x\nx:", z80, (1, 2), "`--target avr`");
    says(
        " djnz x\nx:",
        ("avr", "", "native"),
        (1, 2),
        "`--target z80`",
    );
    says(" .device attiny85\n", z80, (1, 2), "`--dialect avrasm2`");
    says(".equ a = 1\n", z80, (1, 1), "`--dialect avrasm2`");
    says(" .global main\n", z80, (1, 2), "`--dialect gas-z80`");
    says("#define A 1\n", z80, (1, 1), "`--dialect native-cpp`");
    says(" machine attiny85\n", z80, (1, 10), "`--machine attiny85`");
    says(
        " include \"m8def.inc\"\n",
        z80,
        (1, 10),
        "`--dialect avrasm2`",
    );
    let cpp = ("avr", "", "native-cpp");
    says(
        "#include <avr/io.h>\n",
        cpp,
        (1, 10),
        "choose one by `--machine`",
    );
    let device = ("avr", "atmega328p", "native");
    let meant = "did you mean `avr/device.asm`?";
    says(" include <device.asm>\n", device, (1, 10), meant);
    // A typing error stays one.
    says(
        " ldo r16,4\n",
        ("avr", "", "native"),
        (1, 2),
        "did you mean `ldi`?",
    );
}

#[test]
fn the_machine_of_another_target_is_all_that_is_told() {
    let source = " machine gigatron-32k\n ld [$10]\n adda 1\n bra 0\n nop\n";
    let z80 = ("z80", "", "native");
    says(source, z80, (1, 10), "it is one of gigatron");
    let codes = |source: &str| -> Vec<&str> {
        let found = findings(source, "z80", "", "native");
        found.iter().map(|f| f.2.code).collect()
    };
    assert_eq!(codes(source), ["E0026"]);
    // A name that nobody knows may be a slip: the rest is read.
    assert_eq!(codes(" machine zx82\n adda 1\n"), ["E0026", "E0020"]);
}

/// The finding is the only one.
fn says_only(source: &str, of: (&str, &str, &str), code: &str, help: &str) {
    let found = findings(source, of.0, of.1, of.2);
    let codes: Vec<&str> = found.iter().map(|f| f.2.code).collect();
    assert_eq!(codes, [code], "{source}");
    let given = found[0].2.help.as_deref().unwrap_or("");
    assert!(given.contains(help), "{source}: {given}");
}

#[test]
fn an_include_file_of_another_dialect_is_all_that_is_told() {
    let source = " .include \"tn85def.inc\"\n.def tmp = r16\n ldi tmp,RAMEND\n frob 1\n";
    for of in [
        ("z80", "", "native"),
        ("avr", "", "native"),
        ("avr", "attiny85", "native"),
        ("avr", "attiny85", "native-cpp"),
    ] {
        says_only(source, of, "E0001", "for avr: `--dialect avrasm2`");
    }
    let gnu = ("avr", "attiny85", "gas-avr");
    says_only(" .include \"m8def.inc\"\n frob\n", gnu, "E0001", "avrasm2");
}

#[test]
fn a_register_of_another_target_names_it_and_is_all_that_is_told() {
    let z80 = ("z80", "", "native");
    for source in [
        " ldi r16,5\n out $18,r16\n rjmp 0\n",
        " add r16,r17\n",
        " dec r0\n swap r1\n",
    ] {
        says_only(source, z80, "E0029", "`--target avr`");
    }
    says_only(
        " inc hl\n dec bc\n",
        ("avr", "", "native"),
        "E0029",
        "`--target z80`",
    );
    // Names that nobody gave are slips, and those of the program its own.
    let found = findings(" ldi zzz,5\n frob\n", "z80", "", "native");
    assert_eq!(found.len(), 2);
    let found = findings("r16: ldi r16,5\n frob\n", "z80", "", "native");
    assert_eq!(found.len(), 2);
}

#[test]
fn names_of_include_files_and_registers_say_where_they_come_from() {
    let avrasm = ("avr", "", "avrasm2");
    says(
        " ldi r16,low(RAMEND)\n",
        avrasm,
        (1, 14),
        "such as `.include \"m328Pdef.inc\"`",
    );
    let tiny = ("avr", "attiny85", "avrasm2");
    says(
        " out ddrb,r16\n",
        tiny,
        (1, 6),
        "`.include \"tn85def.inc\"`",
    );
    says(
        " ldi xl,RAMEND\n",
        tiny,
        (1, 9),
        "`.include \"tn85def.inc\"`",
    );
    says(
        " ldi r16,RAMEND\n",
        ("avr", "attiny85", "native"),
        (1, 10),
        "avr/device.asm",
    );
    says(
        " ldi r16,RAMEND\n",
        ("avr", "attiny85", "gas-avr"),
        (1, 10),
        "avr/io.h",
    );
    says(
        " .include \"tn58def.inc\"\n",
        avrasm,
        (1, 11),
        "`tn85def.inc`",
    );
    says(
        " .include \"inc/m382def.inc\"\n",
        avrasm,
        (1, 11),
        "def.inc`",
    );
    says(" .device attiny86\n", avrasm, (1, 10), "`ATtiny85`");
    says(" mov tmp,r0\n", avrasm, (1, 6), "`.def tmp = r");
    says(" add r0,sum\n", tiny, (1, 9), "`.def sum = r");
    says(
        " mov tmp,r0\n",
        ("avr", "", "native"),
        (1, 6),
        "`def tmp = r",
    );
    let found = findings(" mov tmp,r0\n", "avr", "", "avrasm2");
    assert_eq!(found[0].2.message, "`tmp` is not defined as a register");
    // A name of the program's is none of the include file's.
    let found = findings(
        " .include \"tn85def.inc\"\n ldi r16,RAMEMD\n",
        "avr",
        "",
        "avrasm2",
    );
    let help = found[0].2.help.as_deref();
    assert_eq!(help, Some("did you mean `RAMEND`?"));
    // Nor is every short name one of the many there.
    for name in ["tick", "temp2", "wait"] {
        let text = format!(" .include \"tn85def.inc\"\n ldi r16,{name}\n");
        let found = findings(&text, "avr", "", "avrasm2");
        assert_eq!(found[0].2.help, None, "{name}");
    }
}

#[test]
fn what_does_not_reach_names_what_does() {
    let avr = ("avr", "atmega328p", "native");
    says(" sbi $50,1\n", avr, (1, 6), "load, change and store");
    says(" in r1,$81\n", avr, (1, 8), "use `lds` and `sts`");
    says(
        " brne x\n ds 400\nx: nop\n",
        avr,
        (1, 7),
        "opposite condition",
    );
    says(" rjmp x\n ds 5000\nx: nop\n", avr, (1, 7), "use `jmp`");
    let z80 = ("z80", "", "native");
    says(
        " jr x\n ds 400\nx: nop\n",
        z80,
        (1, 5),
        "use the absolute form",
    );
}

#[test]
fn what_a_part_lacks_is_shown_at_the_instruction() {
    let tiny = ("avr", "attiny85", "native");
    says("a: b: mul r1,r2\n", tiny, (1, 7), "shifts and adds");
    says(
        "a: movw r0,r2\n eijmp\n",
        ("avr", "at90s8515", "native"),
        (1, 4),
        "two `mov`",
    );
}

/// A program of students that avra builds.
#[test]
fn a_comma_behind_the_operands_is_left_out() {
    for dialect in ["avra", "avrasm2"] {
        let found = findings(" mov r4,r23,\n nop ,\n", "avr", "", dialect);
        let codes: Vec<_> = found.iter().map(|f| (f.0, f.2.code, f.1)).collect();
        assert_eq!(codes[0], (1, "W0006", 12), "{dialect}");
    }
}

#[test]
fn parentheses_are_only_memory_where_they_can_be() {
    assert!(findings(" sbi ($18),(1)\n", "avr", "", "native").is_empty());
    assert!(!findings(" ld a,5\n sub (5)\n", "z80", "", "native").is_empty());
}

/// Programs for avra use in the main file what files below it define.
#[test]
fn a_define_from_below_is_a_value_in_avra() {
    let source = " .device attiny85\n .equ B = 4\n ldi r16,A\n ldi r17,c\n ldi r18,D\n\
                  #define A 2\n#define C (A+1)\n#define D (B<<1)\n#define F\n";
    assert!(findings(source, "avr", "", "avra").is_empty());
    // AVRASM2 replaces text only.
    assert_eq!(findings(source, "avr", "", "avrasm2").len(), 3);
    let circle = findings(" ldi r16,A\n#define A B\n#define B A\n", "avr", "", "avra");
    assert_eq!(circle.len(), 1, "{circle:?}");
    let bad = findings(" ldi r16,A\n#define A (1\n", "avr", "", "avra");
    assert_eq!(bad[0].2.code, "E0030");
}

#[test]
fn the_end_of_flash_is_told_in_words_where_they_count() {
    let source = " .device attiny85\n .org 0x1000\n nop\n .eseg\n .org 600\n .db 3\n";
    let found = findings(source, "avr", "", "avrasm2");
    let message = |i: usize| found[i].2.message.as_str();
    assert!(
        message(0).contains("`flash` ends at $0FFF"),
        "{}",
        message(0)
    );
    assert!(
        message(1).contains("`eeprom` ends at $01FF"),
        "{}",
        message(1)
    );
}

#[test]
fn a_displacement_without_its_number_is_zero_in_gnu_as() {
    let codes = |source: &str| -> Vec<&str> {
        let found = findings(source, "avr", "atmega328p", "gas-avr");
        found.iter().map(|f| f.2.code).collect()
    };
    assert_eq!(codes(" ldd r19,y+\n std Z+,r3\n"), ["W0006", "W0006"]);
    assert!(codes(" ld r19,y+\n ldd r1,y+1\n").is_empty());
    assert_eq!(codes(" ldd r19,x+\n"), ["E0021"]);
    // A register that is none is not a name without definition.
    assert_eq!(codes(" mov r32,r1\n"), ["E0021"]);
}

#[test]
fn a_character_that_a_map_lacks_is_told_with_those_it_has() {
    let text = " org $4082\n charmap \"zx81\"\n db \"HELLO!\"\n";
    let found = findings(text, "z80", "zx81-1k", "native");
    let notes = &found[0].2.notes;
    let signs = "of the signs it has \"$()*+,-./:;<=>?";
    assert!(notes.iter().any(|n| n.starts_with(signs)), "{notes:?}");
}

#[test]
fn a_variable_of_the_vcpu_is_told_its_page() {
    let text = " org $200\nstart: stw ptr\nptr: dw 0\n";
    says(
        text,
        ("vcpu", "vcpu-v6", "native"),
        (2, 12),
        "`section NAME in zero`",
    );
}

#[test]
fn a_number_before_a_stray_sign_is_one() {
    let found = findings(" ldi r16,0x10:\n", "avr", "", "avrasm2");
    assert_eq!((found[0].1, found[0].2.code), (14, "E0013"));
    let found = findings(" org 0x100:\n nop\n", "z80", "", "native");
    assert_eq!((found[0].1, found[0].2.code), (11, "E0013"));
}

#[test]
fn names_of_the_machines_own_files_say_where_they_come_from() {
    let zx81 = ("z80", "zx81-1k", "native");
    says(
        " org $4082\n rst PRINT\n",
        zx81,
        (2, 6),
        "`include <zx81/rom.asm>`",
    );
    says(
        " org $4082\n ld hl,dfile\n",
        zx81,
        (2, 8),
        "`include <zx81/collapsed.asm>`",
    );
    says(
        " include <zx81/roms.asm>\n",
        zx81,
        (1, 10),
        "`zx81/rom.asm`",
    );
    // What is read already is not named again.
    let text = " include <zx81/rom.asm>\n org $4082\n rst PRIMT\n";
    says(text, zx81, (3, 6), "`PRINT`");
    let text = "a: rst PRINT\n";
    assert_eq!(findings(text, "z80", "", "native")[0].2.help, None);
}

#[test]
fn a_native_source_has_the_names_of_its_device() {
    let source = " machine attiny85\n include <avr/device.asm>
 sbi DDRB, PB0\n ldi r16, low(RAMEND)\n out SPL, r16\n rjmp TIMER0_OVF_vect\n";
    assert_eq!(findings(source, "avr", "", "native"), []);
    // Names that a register of the CPU has are no names of the device.
    for name in [
        "atmega328p",
        "atmega2560",
        "at90s8515",
        "attiny10",
        "atxmega128a1",
        "attiny817",
    ] {
        let source = format!(" machine {name}\n include <avr/device.asm>\n nop\n");
        assert_eq!(findings(&source, "avr", "", "native"), [], "{name}");
    }
}

/// A few slips are no other language, whatever else would take them.
#[test]
fn slips_are_told_one_by_one() {
    let z80 = ("z80", "", "native");
    says_only(" org $8000\n; five\n\n add 5,6\n", z80, "E0021", "");
    says_only(
        " org $8000\nstart: ld a;5\n ret\n",
        z80,
        "E0021",
        "`;` begins a comment: write `ld a,5`",
    );
    let spaced = findings(" ld a ;5\n", "z80", "", "native");
    assert!(
        !spaced[0]
            .2
            .help
            .as_deref()
            .unwrap_or("")
            .contains("comment")
    );
    says_only("start: inc [hl\n ret\n", z80, "E0013", "");
    for (source, written) in [
        (
            " include foo.asm\n nop\n ret\n",
            "write `include \"foo.asm\"`",
        ),
        (
            " incbin pic.bin ; all\n nop\n ret\n",
            "write `incbin \"pic.bin\"`",
        ),
        (" .equ x,5\n nop\n ld a,1\n", "write `x .equ 5`"),
    ] {
        says_only(source, z80, "E0013", written);
    }
    // One line that is read again and again has one fault.
    for source in [
        " repeat 5\n ld a,(hl\n endr\n ret\n",
        " repeat 50\n ld a,(hl\n nop\n endr\n",
        " macro m()\n ld a,(hl\n endm\n m()\n m()\n m()\n m()\n m()\n",
        "start: db (1,(2,(3,(4\n nop\n ret\n",
    ] {
        let found = findings(source, "z80", "", "native");
        assert!(found.iter().all(|f| f.2.code == "E0013"), "{found:?}");
    }
    // What ends at the first include has not been read, and takes nothing.
    let slips =
        ".include \"m328def.inc\"\n ldi temp,5\n ldi r2,5\n mov r1,5\n sbi PORTB\n add r16,5\n";
    let found = findings(slips, "avr", "", "avrasm2");
    assert_eq!(found.len(), 5, "{found:?}");
    assert!(found.iter().all(|f| f.2.code == "E0021"), "{found:?}");
    // What is almost an own instruction is not another target's.
    let gigatron = ("gigatron", "", "native");
    says(" add [5]\n nop\n", gigatron, (1, 2), "did you mean `adda`?");
    let jump = findings("start: jmp start\n nop\n", "gigatron", "", "native");
    assert!(!jump[0].2.help.as_deref().unwrap_or("").contains("--target"));
}

#[test]
fn slips_of_a_first_program_have_a_hint() {
    let z80 = ("z80", "", "native");
    says("LOOP\n nop\n djnz LOOP\n", z80, (1, 1), "`LOOP:`");
    says("push\n", z80, (1, 1), "");
    says("halp\n", z80, (1, 1), "`halt`");
    says(" ld (hl+1),a\n", z80, (1, 6), "`inc hl` comes before");
    let avr = ("avr", "attiny85", "avrasm2");
    says(" cpi r5,10\n", avr, (1, 6), "`cp r5,r16`");
    says(" ldi Z,5*2\n", avr, (1, 6), "`ldi r30`");
    let gnu = ("avr", "attiny85", "gas-avr");
    says(" sbi 0x38,1\n", gnu, (1, 6), "`_SFR_IO_ADDR(…)`");
}

/// What a name stands for may grow in each line: one finding is enough.
#[test]
fn a_name_that_stands_for_itself_twice_ends_the_run() {
    let source = " define A A A\n".to_owned() + &" db A\n".repeat(100);
    let found = findings(&source, "z80", "", "sjasmplus");
    assert_eq!(found.len(), 1);
    assert_eq!((found[0].0, found[0].2.code), (2, "E0043"));
}

#[test]
fn elements_of_arrays_as_an_index_have_a_limit() {
    let nested = |n: usize| {
        let index = "A[".repeat(n) + "0" + &"]".repeat(n);
        findings(
            &format!(" defarray A 0,1\n db {index}\n"),
            "z80",
            "",
            "sjasmplus",
        )
    };
    assert_eq!(nested(20).len(), 0);
    let found = nested(50_000);
    assert_eq!((found[0].0, found[0].2.code), (2, "E0014"));
}

#[test]
fn what_one_file_would_define_is_one_finding() {
    let source = " ldi r16,low(RAMEND)\n out SPL,r16\n sbi PORTB,PB0\n sbi PORTB,PB1\n";
    for (of, line) in [
        (("avr", "", "avrasm2"), "`.include \"m328Pdef.inc\"`"),
        (("avr", "attiny85", "avrasm2"), "`.include \"tn85def.inc\"`"),
        (("avr", "attiny85", "native"), "`include <avr/device.asm>`"),
        (("avr", "attiny85", "gas-avr"), "`#include <avr/io.h>`"),
    ] {
        says_only(
            &source.replace("low(", if of.2 == "gas-avr" { "lo8(" } else { "low(" }),
            of,
            "E0030",
            line,
        );
        let notes = &findings(source, of.0, of.1, of.2)[0].2.notes;
        if of.2 != "gas-avr" {
            assert_eq!(*notes, ["the same holds for `SPL`, `PORTB`, `PB0`, `PB1`"]);
        }
    }
}

#[test]
fn a_missing_file_is_told_with_what_it_leaves_open() {
    let source = ".include \"tn84defs.inc\"\n ldi r16,5\n out DDRA,r16\n rjmp away\n";
    let avrasm = ("avr", "", "avrasm2");
    says_only(source, avrasm, "E0001", "there is `tn84def.inc`");
    let notes = &findings(source, "avr", "", "avrasm2")[0].2.notes;
    assert_eq!(*notes, ["not defined without it: `DDRA`, `away`"]);
    for name in ["attiny84.inc", "tn84_def.inc", "attiny84defs.inc"] {
        let source = source.replace("tn84defs.inc", name);
        says_only(&source, avrasm, "E0001", "`tn84def.inc`");
    }
    // Functions and macros may be its, too.
    let source = ".include \"board.h\"\n out _SFR_IO_ADDR(LED),r16\n in r16,_SFR_IO_ADDR(LED)\n toggle_all 3\n sbi _SFR_IO_ADDR(DDRB),0\n";
    for part in ["", "attiny85"] {
        let gas = ("avr", part, "gas-avr");
        says_only(source, gas, "E0001", "");
        let notes = &findings(source, gas.0, gas.1, gas.2)[0].2.notes;
        assert_eq!(
            *notes,
            ["not defined without it: `_SFR_IO_ADDR`, `toggle_all`"]
        );
    }
    // In the language of another dialect it is all that is told.
    let z80 = ("z80", "", "native");
    says_only(
        ".include \"tn84defs.inc\"\n ldi r16,5\n",
        z80,
        "E0001",
        "there is `tn84def.inc`: read the program as that, for avr: `--dialect avrasm2`",
    );
    // A file of bytes defines no names.
    let bytes = findings(" incbin \"x.bin\"\n ld hl,there\n", "z80", "", "native");
    assert_eq!(bytes.len(), 2);
}

#[test]
fn sources_of_the_c_tools_name_who_reads_them() {
    let gnu = "#include <avr/io.h>\n.global main\nmain:\n ldi r16,_BV(PB0)\n out _SFR_IO_ADDR(DDRB),r16\nx: rjmp x\n";
    says_only(
        gnu,
        ("z80", "", "native"),
        "E0029",
        "`--dialect gas-avr` with the device by `--machine`; call the file `a.S`",
    );
    says_only(
        gnu,
        ("avr", "attiny85", "native"),
        "E0029",
        "`--dialect gas-avr`; call the file `a.S`",
    );
    let gas = " .text\n .global main\nmain: ld hl,table\n1: djnz 1b\n .data\ntable: .word main\n";
    says_only(gas, ("z80", "", "native"), "E0029", "`--dialect gas-z80`");
    let sdcc = " .module x\n .area _CODE\n .globl _main\n_main:: ld a,#5\n ret\n";
    let found = findings(sdcc, "z80", "", "native");
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(
        found[0].2.message.contains("SDCC"),
        "{}",
        found[0].2.message
    );
    let line = "#include <avr/io.h>\n nop\n ldi r16,1\nx: rjmp x\n";
    says(
        line,
        ("avr", "attiny85", "native"),
        (1, 1),
        "`--dialect native-cpp`",
    );
}

#[test]
fn names_are_told_as_they_are_written() {
    let cases = [
        ("z80asm", ".x: nop\n.x: nop\n", "`.x` is defined twice"),
        ("z80asm", " jp .y\n", "`.y` is not defined"),
        ("z80asm", " ds .y\n.y: nop\n", "`.y` is not defined above"),
        (
            "z80asm",
            "m: macro\n.z: nop\n.z: nop\n endm\n m\n",
            "`.z` is defined twice",
        ),
        (
            "native",
            "macro m()\n.z: nop\n.z: nop\nendm\nmain: m\n",
            "`main.z` is defined twice",
        ),
        (
            "native",
            "macro m()\n jr .z\nendm\nmain: m\n",
            "`main.z` is not defined",
        ),
        (
            "native",
            "main: repeat 2\n.z: nop\n.z: nop\n endr\n",
            "`main.z` is defined twice",
        ),
        ("pasmo-alocal", "a: nop\n jr _z\n", "`_z` is not defined"),
        (
            "pasmo-alocal",
            "_z: nop\n_z: nop\n",
            "`_z` is defined twice",
        ),
    ];
    for (dialect, source, message) in cases {
        let found = findings(source, "z80", "", dialect);
        let told: Vec<&str> = found.iter().map(|f| &*f.2.message).collect();
        assert!(
            told.iter().any(|t| t.contains(message)),
            "{source}: {told:?}"
        );
        let all = found.iter().map(|f| format!("{:?}", f.2));
        assert!(!all.clone().any(|d| d.contains('#')), "{source}: {told:?}");
    }
}

#[test]
fn what_is_written_instead_does_the_same() {
    let z80 = ("z80", "", "native");
    for (source, column, help) in [
        (" add hl,5\n", 9, "write `ld de,5` and `add hl,de`"),
        (" push af,bc\n", 10, "write `push af` and `push bc`"),
        (" ld (5),(hl)\n", 9, "write `ld a,(hl)` and `ld (5),a`"),
        (" ld (hl),de\n", 10, "`inc hl`, `ld (hl),d` and `dec hl`"),
        (" out (254)\n", 6, "write `out (254),a`"),
        (" jp (de)\n", 5, "write `push de` and `ret`"),
        (
            " ld b,(5)\n",
            7,
            "leave the parentheses out; for memory write `ld a,(5)` and `ld b,a`",
        ),
    ] {
        says(source, z80, (1, column), help);
    }
    // GNU as takes a number for the register's.
    let avr = ("avr", "attiny85", "native");
    let out = " include <avr/device.asm>\n out PORTB,5\n";
    says(out, avr, (2, 12), "write `ldi r16,5` and `out portb,r16`");
    // Any language opens a block by it, so none takes it for that.
    let found = findings(" repeat\n nop\n endr\n", "z80", "", "native");
    assert_eq!(found[0].2.help, None);
}

/// Too few and too many operands are told as that, where the first or the last of them is.
#[test]
fn operands_that_are_missing_or_too_many_are_counted() {
    let first = |source: &str, target: &str, dialect: &str| {
        let found = findings(source, target, "", dialect);
        let (_, column, d) = found.into_iter().next().expect("a finding");
        (column, d)
    };
    for (source, column, message) in [
        (" ld a,b,c\n nop\n", 9, "`ld` takes 2 operands, not 3"),
        (
            " push bc,de,hl\n nop\n",
            10,
            "`push` takes one operand, not 3",
        ),
        (" ldir hl\n nop\n", 7, "`ldir` takes no operand"),
        (" rlca a\n nop\n", 7, "`rlca` takes no operand"),
        (" ld a\n nop\n", 5, "`ld` takes 2 operands, not 1"),
        (" set 1\n nop\n", 6, "`set` takes 2 or 3 operands, not 1"),
    ] {
        let (at, d) = first(source, "z80", "native");
        assert_eq!((at, &*d.message), (column, message), "{source}");
    }
    // What stands there is the beginning of something.
    for (source, column) in [
        (" ld a\n", 5),
        (" call nz\n", 7),
        (" in a\n", 5),
        (" jr nc\n", 5),
    ] {
        let (at, d) = first(&format!("{source} nop\n"), "z80", "native");
        let label = d.label.as_deref();
        assert_eq!(at, column, "{source}");
        assert_eq!(label, Some("an operand is missing behind this"), "{source}");
        assert!(
            d.notes[0].starts_with("possible behind it: "),
            "{:?}",
            d.notes
        );
    }
    // Who leaves out what is too much is not who is meant.
    let (_, d) = first(" ldi r16,5,6\n nop\n", "avr", "native");
    assert_eq!(d.help, None);
    let (_, d) = first(" st [5],[6]\n nop\n", "gigatron", "native");
    assert_eq!(d.help, None);
    // And what cannot be, is not.
    let (_, d) = first(" add bc\n nop\n", "z80", "native");
    assert_eq!(d.help.as_deref(), Some("write `add hl,bc`"));
    let (at, d) = first(" ldi r16\n nop\n", "avr", "avrasm2");
    assert_eq!((at, &*d.message), (6, "`ldi` takes 2 operands, not 1"));
}

/// Who reads both Z80 and 8080 takes `jp` of an 8080 source for something else: what is made
/// for it is named.
#[test]
fn the_words_of_an_8080_name_dialects_of_the_8080() {
    let z80 = ("z80", "", "native");
    let whole = " lxi h,5\n mvi a,5\nnext: dcr a\n jnz next\n jp next\n hlt\n";
    for (source, code) in [(" mvi a,5\n nop\n nop\n", "E0020"), (whole, "E0029")] {
        let found = findings(source, "z80", "", "native");
        let help = found[0].2.help.as_deref().unwrap_or("");
        assert_eq!(found[0].2.code, code, "{help}");
        for name in ["`--dialect zmac-8080`", "`--dialect asl-8080`"] {
            assert!(help.contains(name), "{help}");
        }
        assert!(!help.contains("zmac`"), "{help}");
    }
    says(
        " ld a,5\n .byte 5\n nop\n",
        z80,
        (2, 2),
        "`--dialect gas-z80`",
    );
}

#[test]
fn a_label_that_two_calls_of_a_macro_define_is_told_as_such() {
    let source = " org 0\n macro m\nlab nop\n endmacro\n m\n m\n";
    for dialect in ["sjasm", "native"] {
        let source = match dialect {
            "native" => source
                .replace("macro m", "macro m()")
                .replace("lab nop", "lab: nop"),
            _ => source.to_owned(),
        };
        let source = source.replace(
            "endmacro",
            if dialect == "native" {
                "endm"
            } else {
                "endmacro"
            },
        );
        let found = findings(&source, "z80", "", dialect);
        assert_eq!(found.len(), 1, "{dialect}: {found:?}");
        let d = &found[0].2;
        assert_eq!(d.message, "`lab` is defined twice");
        assert_eq!(d.notes, ["a macro or repeat makes it again"], "{dialect}");
    }
}

/// One word is enough where no other language has it, and numbers side by side are no code of
/// another machine.
#[test]
fn words_that_only_one_language_has_name_it_and_numbers_name_nobody() {
    let z80 = |source: &str, dialect: &str| {
        let found = findings(source, "z80", "", dialect);
        found
            .iter()
            .map(|f| (f.2.code, f.2.message.clone()))
            .collect::<Vec<_>>()
    };
    let tni = "FNAME \"demo.rom\"\n org 0x4000\n db 'AB'\nstart: ld a,5\n jp start\n";
    for dialect in ["native", "sjasmplus", "glass", "zasm"] {
        let found = z80(tni, dialect);
        assert_eq!(found.len(), 1, "{dialect}: {found:?}");
        assert_eq!(found[0].0, "E0029");
        assert!(found[0].1.contains("tniASM"), "{found:?}");
    }
    let asmsx = " .bios\n .page 1\n .rom\n .start init\ninit: ld a,5\n jp init\n";
    let found = z80(asmsx, "native");
    assert!(
        found.len() == 1 && found[0].1.contains("asMSX"),
        "{found:?}"
    );
    let brass = " .exportmode NO$GMB\n .org $4009\nversn .byte 0\n ld a,5\n";
    let found = z80(brass, "native");
    assert!(
        found.len() == 1 && found[0].1.contains("Brass"),
        "{found:?}"
    );
    // A word of that name which is no such line is a word like another.
    let found = z80(" fname 5\n nop\n nop\n", "native");
    assert_eq!(found[0].0, "E0020");
    // Pictures as groups of binary digits.
    let mut picture = String::from("start: ld a,5\n ld hl,picture\n jp start\npicture:\n");
    for row in ["0000 1111 b", "0110 0000 b", "1111 1111 b", "1000 0001 b"] {
        picture += &format!(" db {row}\n");
    }
    for source in [
        picture.clone(),
        picture.split_off(picture.find(" db").unwrap_or(0)),
    ] {
        for (code, message) in z80(&source, "sjasmplus") {
            assert_ne!(code, "E0029", "{message}");
        }
    }
}

/// Choices that read the start of a source alike are told apart by what comes later.
#[test]
fn what_comes_later_tells_choices_apart() {
    let mut source =
        String::from(" org #4000\nstart: ld hl,#4000\n ld de,#5000\n ld bc,#10\n ldir\n");
    for n in 0..1200 {
        source += &format!("l{n}: ld a,(#{n:04x})\n");
    }
    source += " ds virtual 2\nlast: ds virtual 1\n ret\n";
    let found = findings(&source, "z80", "", "native");
    let help = found[0].2.help.as_deref().unwrap_or("");
    assert!(help.contains("`--dialect glass`"), "{help}");
    assert!(!help.contains("pasmo"), "{help}");
}
