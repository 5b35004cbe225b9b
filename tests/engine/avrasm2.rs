//! The dialect of AVRASM2 and avra: sources with avra's bytes beside them, what only
//! AVRASM2 has with bytes by its manual, faults, hostile programs, random programs
//! through avra where it is installed, and public programs where their folder is named.

use crate::common::tools::{have, named};
use crate::common::{Folder, difference, findings};
use scrimp::text::source::MemoryLoader;
use scrimp::{Job, Output, assemble};
use std::fmt::Write;
use std::path::{Path, PathBuf};

fn job(file: &str, dialect: &str) -> Job<'static> {
    Job {
        file: file.into(),
        target: scrimp::targets::by_name("avr").expect("the AVR is registered"),
        machine: None,
        dialect: dialect.into(),
        defines: Vec::new(),
    }
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/dialects/avrasm2")
}

fn sources(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = std::fs::read_dir(folder)
        .expect("the folder of goldens")
        .filter_map(|e| e.ok()?.file_name().into_string().ok())
        .filter(|n| n.ends_with(".asm"))
        .collect();
    names.sort();
    names
}

fn text(source: &str) -> Output {
    let loader = MemoryLoader::default().with("main.asm", source.as_bytes());
    assemble(&job("main.asm", "avrasm2"), &loader)
}

/// Bytes in flash, which must come without an error.
#[track_caller]
fn flash(source: &str) -> Vec<u8> {
    let out = text(source);
    match &out.image {
        Some(image) => image.binary(0xff),
        None => panic!("\n{}", findings(&out)),
    }
}

/// Words in flash.
#[track_caller]
fn words(source: &str) -> Vec<u16> {
    let bytes = flash(source);
    let pairs = bytes.chunks(2).map(|b| u16::from_le_bytes([b[0], b[1]]));
    pairs.collect()
}

/// AVRASM2 takes them so: seen in a public program with the image that it made.
#[test]
fn an_instruction_stands_behind_org() {
    let lines = ".equ base = 4\n.org $0000 rjmp main ; a comment\n.org 1 reti\n.org base/2 reti\n\
                 .org (3) nop\nhere: .org here+1 reti\nmain: .org 6\n nop\n";
    let split = lines
        .replace("0 rjmp", "0\nrjmp")
        .replace(" reti", "\nreti");
    let split = split.replace(") nop", ")\nnop");
    assert_eq!(words(lines), words(&split));
    assert_eq!(
        words(".org 0 rjmp 0\n.org 1 reti\n.org 2 reti\n"),
        [0xcfff, 0x9518, 0x9518]
    );
    // avra does not.
    let loader = MemoryLoader::default().with("main.asm", b".org 0 reti\n");
    assert!(assemble(&job("main.asm", "avra"), &loader).image.is_none());
    // There a label on the line is where `.org` leads to, as avra 1.4.2 has it.
    let source = "aa: nop\nbb: .org 4\n.dw bb\ncc: .equ q = 7\n.dw cc, q\n";
    let loader = MemoryLoader::default().with("main.asm", source);
    let out = assemble(&job("main.asm", "avra"), &loader);
    let bytes = out.image.expect("bytes").binary(0);
    assert_eq!(bytes[8..], [4, 0, 5, 0, 7, 0]);
    // Names of instructions are names elsewhere.
    assert_eq!(
        words(".equ sub = 2\n.org sub\nreti\n").last(),
        Some(&0x9518)
    );
}

/// Codes of the findings.
fn codes(source: &str) -> Vec<&'static str> {
    text(source).diagnostics.iter().map(|d| d.code).collect()
}

#[test]
fn bytes_of_avra() {
    let folder = folder();
    let names = sources(&folder);
    assert!(names.len() >= 10, "goldens are missing");
    let mut faults = String::new();
    for name in &names {
        let golden = std::fs::read_to_string(folder.join(name).with_extension("hex"));
        let want: Vec<u8> = golden
            .expect("a .hex beside each .asm")
            .split_whitespace()
            .map(|w| u8::from_str_radix(w, 16).expect("two hex digits"))
            .collect();
        for dialect in ["avrasm2", "avra"] {
            let out = assemble(&job(name, dialect), &Folder(folder.clone()));
            match &out.image {
                None => faults += &format!("{name}: not assembled\n{}", findings(&out)),
                Some(image) => {
                    if let Some(d) = difference(&image.binary(0), &want) {
                        faults += &format!("{name}: {d}\n");
                    }
                }
            }
        }
    }
    assert!(faults.is_empty(), "\n{faults}");
}

#[test]
fn faults_are_refused_at_a_place() {
    let folder = folder().join("errors");
    let names = sources(&folder);
    assert!(names.len() >= 32, "error probes are missing");
    let mut faults = String::new();
    for name in &names {
        let out = assemble(&job(name, "avrasm2"), &Folder(folder.clone()));
        if out.image.is_some() {
            faults += &format!("{name}: accepted\n");
        } else if !out.diagnostics.iter().any(|d| d.span.is_some()) {
            faults += &format!("{name}: no place\n{}", findings(&out));
        }
    }
    assert!(faults.is_empty(), "\n{faults}");
}

#[test]
fn numbers_with_a_fraction() {
    let source = "
        .equ third = 1.0 / 3
        .equ big = 1.5e3
        .dw int(2.75), int(-2.75), int(big), int(third * 300)
        .dw int(frac(-1.25) * 0x100 + 0x100) - 0x100, int(frac(2.5) * 8), 7 / 2, int(7 / 2.0)
        .dw q7(0.5), q7(-1.0), q15(0.25), abs(-3), int(abs(-3.5) * 2), 2e1 > 19.5, 1.0 == 1
        .dw log2(1000), exp2(10), strlen(\"five!\"), 1.5 ? 3 : 4, 0.0 ? 3 : 4, int(1e-3 * 5e3)";
    let minus = |n: i16| n as u16;
    assert_eq!(
        words(source),
        [
            2,
            minus(-2),
            1500,
            100, // int
            minus(-64),
            4,
            3,
            3, // frac, and division of whole numbers
            64,
            minus(-128),
            8192,
            3,
            7,
            1,
            1, // the fixed point, comparisons
            9,
            1024,
            5,
            3,
            4,
            5,
        ]
    );
}

#[test]
fn numbers_and_characters() {
    assert_eq!(
        words(
            ".dw 0b1000_0111, 0x_1f, $ff, 017, 10, 'a', '\\n', '\\\\', ''', ';', '\\x41', '\\101'"
        ),
        [0x87, 0x1f, 0xff, 15, 10, 97, 10, 92, 39, 59, 65, 65]
    );
    // avra has no octal numbers.
    let loader = MemoryLoader::default().with("main.asm", ".dw 017, 08");
    let out = assemble(&job("main.asm", "avra"), &loader);
    assert_eq!(out.image.expect("bytes").binary(0), [17, 0, 8, 0]);
    // There `#if` sees constants; for AVRASM2 they are none of the preprocessor's.
    let source = ".equ X = 3\n#if X == 3 && defined(x)\n.dw 1\n#else\n.dw 2\n#endif";
    let loader = MemoryLoader::default().with("main.asm", source);
    let out = assemble(&job("main.asm", "avra"), &loader);
    assert_eq!(out.image.expect("bytes").binary(0), [1, 0]);
    assert_eq!(words(source), [2]);
    // A backslash in a text is one, and texts one behind the other are one.
    assert_eq!(flash(".db \"\\n\" \"ab\", \"\\\""), b"\\nab\\\0");
    assert_eq!(flash(".dd 0x12345678\n .dq -2"), {
        let mut want = 0x1234_5678u32.to_le_bytes().to_vec();
        want.extend((-2i64).to_le_bytes());
        want
    });
}

#[test]
fn comments_and_labels() {
    let source = "
        nop // one
        /* two
        nop */ nop ; three
label : nop
a: b:   nop
other:
        .dw label, a, b, other, Label
        rjmp LABEL";
    assert_eq!(words(source), [0, 0, 0, 0, 2, 3, 3, 4, 2, 0xcff8]);
}

#[test]
fn the_preprocessor_is_there() {
    let source = "
        #define LED 5
        #define PORT_ 0x18
        #define ON sbi PORT_, LED
        #define SQUARE(x) ((x)*(x))
        #define NAME(a, b) a##_##b
        #if defined LED && LED == 5
        ON
        #else
        foo
        #endif
        #ifdef NOTHING
        foo
        #elif !defined(NOTHING)
        ldi r16, SQUARE(3 + 1)
        #endif
        .equ NAME(one, two) = 7
        .ifdef LED
        ldi r17, one_two
        .endif
        .dw __AVRASM_VERSION__ > 2000, \\
            5";
    assert_eq!(words(source), [0x9ac5, 0xe100, 0xe017, 1, 5]);
}

#[test]
fn macros() {
    // Pasted names and numbers, texts, arguments with blanks, the shrinking
    // argument of a recursion, calls above the definition, labels of the call.
    let source = "
        table 3
.macro make
@0_low = 1
.endm
.macro name
.equ @0_size = @1
        .dw @0_size, 0x@1, a@1b
.equ z@1 = 5
.endm
.equ a12b = 9
        name thing, 12
.macro say
        .db \"<@0>\", @1
.endm
        say a b, 'c'
.macro table
.if @0 > 0
        .dw @0
        table @0 - 1
.endif
.endm
.macro jump
@0_here: rjmp @0_here
        rjmp skip
        nop
skip:
.endm
skip:   jump x
        jump x
        rjmp skip
        wait(2)*3
.macro wait
        ldi r16, @0
.endm";
    let got = words(&source.replace("@0_low = 1\n", ""));
    assert_eq!(
        got,
        [
            3, 2, 1, // the recursion
            12, 0x12, 9, // pasted
            0x613c, 0x6220, 0x633e, // `<a b>c`
            0xcfff, 0xc001, 0, 0xcfff, 0xc001, 0, // labels of each call
            0xcff9, 0xe006,
        ]
    );
}

#[test]
fn names_from_below() {
    // Twice over the source: conditions, room and origins from below, names for
    // registers given below their use.
    let source = "
        ldi count, 1
.if later > 2
        nop
.endif
.org start
        .dw later, two
.equ start = 2 * two
.equ two = 2
later:  mov temp, count
.def count = r17
.def temp = r2";
    assert_eq!(words(source), [0xe011, 0, 0xffff, 0xffff, 6, 2, 0x2e21]);
    assert_eq!(codes(".if NOTHING\n nop\n.endif\n nop"), ["W0010"]);
    assert_eq!(words(".if NOTHING == 0\n nop\n.endif\n ret"), [0x9508]);
}

#[test]
fn the_part_by_its_pragmas() {
    let facts = "
        .device ATmega9999
        #pragma AVRPART ADMIN PART_NAME ATmega9999
        #pragma AVRPART CORE CORE_VERSION V2E
        #pragma AVRPART CORE INSTRUCTIONS_NOT_SUPPORTED break
        #pragma AVRPART MEMORY PROG_FLASH 8192
        #pragma AVRPART MEMORY INT_SRAM SIZE 1024
        #pragma AVRPART MEMORY INT_SRAM START_ADDR 0x80
        #ifdef __ATmega9999__
        .dseg
var:    .byte 1
        .cseg
        lds r16, var
        #endif\n";
    assert_eq!(
        words(&format!("{facts} mul r0, r1")),
        [0x9100, 0x80, 0x9c01]
    );
    assert_eq!(codes(&format!("{facts} break")), ["E0025"]);
    assert_eq!(codes(&format!("{facts} jmp 0")), ["E0025"]);
    assert_eq!(codes(&format!("{facts} .org 0xfff\n nop\n nop")), ["E0051"]);
    // The name of a part chooses it.
    assert_eq!(
        codes("#pragma AVRPART ADMIN PART_NAME ATtiny13\n mul r0, r1"),
        ["E0025"]
    );
}

#[test]
fn bytes_as_operands() {
    assert_eq!(
        words(" ldi r16, ~(1<<7)\n ldi r17, -1\n ldi r18, -256"),
        [0xe70f, 0xef1f, 0xe020]
    );
    let integer = "#pragma warning range byte integer\n";
    assert_eq!(codes(&format!("{integer} ldi r16, -129")), ["W0002"]);
    assert_eq!(
        codes(&format!("{integer} ldi r16, -128\n ldi r17, 255")),
        [""; 0]
    );
    assert_eq!(codes(" ldi r16, 256"), ["W0002"]);
    assert_eq!(
        codes("#pragma warning range byte none\n ldi r16, 1000"),
        [""; 0]
    );
    assert_eq!(codes(" adiw r24, 64"), ["E0022"]);
    assert_eq!(codes(".db 256, 0"), ["E0022"]);
    assert_eq!(codes(".dw 0x10000"), ["E0022"]);
    assert_eq!(codes(".db 1"), ["W0009"]);
    // Of what has a fault nobody knows how many bytes it was to have.
    assert_eq!(codes(".db \"abc"), ["E0011"]);
    assert_eq!(codes(".db 'abc"), ["E0011"]);
}

#[test]
fn segments_and_overlaps() {
    let twice = " nop\n .org 0\n ret";
    assert_eq!(codes(twice), ["E0050"]);
    assert_eq!(words(&format!(".overlap\n{twice}\n.nooverlap")), [0x9508]);
    assert_eq!(words(&format!("#pragma overlap ignore\n{twice}")), [0x9508]);
    // What may lie over other bytes hides nothing behind it.
    let over = ".overlap\n.org 10\n nop\n.nooverlap\n";
    let within = format!("{}{over}.org 20\n ret", " nop\n".repeat(100));
    assert_eq!(codes(&within), ["E0050"]);
    assert_eq!(
        codes(".dseg\n.org 0x60\na: .byte 2\n.org 0x61\nb: .byte 1"),
        ["W0011"]
    );
    // EEPROM has its own bytes; room in it is left as it was.
    let out = text(".device ATmega8\n.eseg\n.db 1\n.byte 2\n.db 2\n.cseg\n nop");
    let image = out.image.expect("bytes");
    let eeprom: Vec<_> = image
        .chunks
        .iter()
        .filter(|c| {
            image
                .space_of(c.address)
                .is_some_and(|s| s.name == "eeprom")
        })
        .map(|c| (image.local(c.address), c.bytes.clone()))
        .filter(|c| !c.1.is_empty())
        .collect();
    assert_eq!(eeprom, [(0, vec![1]), (3, vec![2])]);
}

/// avra 1.4.2 reads these to where the bytes are told, without a word; AVRASM2's dialect
/// refuses most.
#[test]
fn avra_does_not_read_a_line_to_its_end() {
    for (line, bytes) in [
        (".db 1,2,", &[1, 2][..]),
        (".db 1,2, ; two", &[1, 2]),
        (".dw 5,", &[5, 0]),
        (".dw 1,2 ,", &[1, 0, 2, 0]),
        (".db \"ab\",", b"ab"),
        (".db \"ab\" \"cd\"", b"ab"),
        (".db", &[]),
        (".dw", &[]),
        (".equ a=5,\n.dw a", &[5, 0]),
        (".set a=5,\n.dw a", &[5, 0]),
        (".def t=r16,\n ldi t,1", &[1, 0xe0]),
        (".device ATmega8,\n nop", &[0, 0]),
        (".cseg x\n nop", &[0, 0]),
        (".dseg 1\n.byte 1\n.cseg\n nop", &[0, 0]),
        (".if 1,\n nop\n.endif", &[0, 0]),
        (" nop 5", &[0, 0]),
        (" ret x", &[8, 0x95]),
        (" rjmp 0,1", &[0xff, 0xcf]),
        (" mov r0,r1,r2", &[1, 0x2c]),
        (" cbr r16,1,2", &[0x0e, 0x7f]),
        (" lpm r0,Z,", &[4, 0x90]),
        (".include \"b.inc\" of the part\n nop", &[0, 0]),
    ] {
        let file = MemoryLoader::default().with("a.asm", format!("{line}\n"));
        let file = file.with("b.inc", String::new());
        let out = assemble(&job("a.asm", "avra"), &file);
        let image = out.image.as_ref();
        let image = image.unwrap_or_else(|| panic!("{line}: {}", findings(&out)));
        assert_eq!(image.binary(0), bytes, "{line}");
        let told = out.diagnostics.iter().any(|d| d.code == "W0006");
        assert!(told, "{line}: {}", findings(&out));
    }
    // What it refuses, or makes nothing of, stays a fault.
    for line in [".db 1,,2", ".db ,1", ".dw 1 2", " ldi r16,,1", ".equ b 5"] {
        let file = MemoryLoader::default().with("a.asm", format!("{line}\n"));
        assert!(
            assemble(&job("a.asm", "avra"), &file).image.is_none(),
            "{line}"
        );
    }
}

#[test]
fn pairs_and_pointers() {
    let source = "
        .def low_ = r24
        .def high_ = r25
        adiw high_:low_, 1
        adiw X, 2
        sbiw Z, 3
        adiw YH:YL, 4
        movw r1:r0, high_:low_
        movw Z, Y
        ldd r0, Y+1+1
        st -X, r1";
    assert_eq!(
        words(source),
        [
            0x9601, 0x9612, 0x9733, 0x9624, 0x010c, 0x01fe, 0x800a, 0x921e
        ]
    );
}

#[test]
fn definitions_of_the_part_give_way() {
    // A name that our files have beyond the maker's may be the program's own.
    let source = ".include \"M8DEF.inc\"\n.equ EEPE = EEWE\n.def N = r16\n ldi N, EEPE";
    assert_eq!(words(source), [0xe001]);
}

#[test]
fn the_command_line() {
    let dir = tempfile::tempdir().expect("a folder");
    let put = |name: &str, text: &str| {
        std::fs::create_dir_all(dir.path().join("Inc")).expect("a folder");
        std::fs::write(dir.path().join(name), text).expect("a file");
    };
    put(
        "main.asm",
        ".include \"inc\\PART.INC\"\n ldi r16, LEVEL\n ldi r17, FAR\n out SPL, r16",
    );
    put("Inc/part.inc", "#ifdef LEVEL\n nop\n#endif");
    put("first.inc", ".include \"tn2313def.inc\"\n.equ FAR = 9");
    let ran = std::process::Command::new(env!("CARGO_BIN_EXE_scrimp"))
        .args(["build", "main.asm", "--dialect", "avrasm2", "-q"])
        .args([
            "-i",
            "first.inc",
            "-D",
            "LEVEL=7",
            "--emit",
            "bin",
            "-o",
            "out.bin",
        ])
        .current_dir(dir.path())
        .output()
        .expect("the command runs");
    let said = String::from_utf8_lossy(&ran.stderr).into_owned();
    let bytes = std::fs::read(dir.path().join("out.bin")).unwrap_or_else(|_| panic!("{said}"));
    assert_eq!(bytes, [0, 0, 0x07, 0xe0, 0x19, 0xe0, 0x0d, 0xbf]);
}

/// None of these may crash, hang or eat the machine.
#[test]
fn hostile_programs() {
    let doubling = ".macro m\n m @0 @0, @0 @0\n.endm\n m a b";
    let bomb: String = {
        let mut s = String::from(".macro m0\n nop\n.endm\n");
        for i in 1..60 {
            let _ = write!(s, ".macro m{i}\n m{0}\n m{0}\n.endm\n", i - 1);
        }
        s + " m59"
    };
    let pasting = ".macro m\n m @0@0@0@0\n.endm\n m abcdefgh";
    let defines: String = {
        let mut s = String::from("#define a0 x x x x x x x x\n");
        for i in 1..40 {
            let _ = writeln!(s, "#define a{i} a{0} a{0} a{0} a{0}", i - 1);
        }
        s + ".dw a39"
    };
    let deep = format!(".dw {}1{}", "(".repeat(100_000), ")".repeat(100_000));
    let chain: String = (0..3000).fold(String::from(".dw c0\n"), |mut s, i| {
        let _ = writeln!(s, ".equ c{i} = c{} + 1", i + 1);
        s
    });
    let refused = [
        doubling,
        &bomb,
        pasting,
        &defines,
        &deep,
        "#define f f f\n .dw f",
        ".equ x = 1e999",
        ".equ x = 1e308 * 1e308",
        ".dw int(0.0 / 0.0)",
        ".dw int(1e300)",
        ".dw exp2(64)",
        ".equ a = b\n.equ b = a\n .dw a",
        ".dseg\n.byte 0x7fffffffffffffff",
        ".dseg\n.byte -1",
        ".org 0x7fffffff\n nop",
        ".org -1\n nop",
        ".if a\n nop\n.endif\na: .dw 1/0",
        ".if x == 0\n nop\n.endif\n.equ x = PC",
        ".macro",
        ".macro m\n.macro n",
        ".endm",
        ".include \"main.asm\"",
        ".def",
        ".equ = 5",
        ".undef",
        ".device",
        ".db",
        ".db ,",
        ".dw 1,",
        "@0: nop",
        ".if",
        ".elif 1",
        ".ifdef",
        "\"",
        "'",
        "/*",
        "#if",
        "#pragma warning range byte sometimes",
        " ldi r16:r17, 5",
        " movw r2:r1, r4:r3",
        ".csegsize = x",
    ];
    for source in refused {
        let out = text(source);
        let shown: String = source.chars().take(60).collect();
        assert!(out.image.is_none(), "accepted: {shown}");
        assert!(!out.diagnostics.is_empty(), "{shown}");
    }
    let harmless = [
        &chain,
        ".if 1",
        "",
        ".exit\n garbage ((",
        "#pragma\n#pragma AVRPART\n#pragma AVRPART MEMORY\n nop",
        ". nop",
        "a:b:c: nop",
    ];
    for source in harmless {
        let _ = text(source);
    }
}

/// A few hundred random programs through avra.
#[test]
fn random_programs_as_avra_has_them() {
    if !have(&["avra"]) {
        return;
    }
    let programs: u64 = std::env::var("SCRIMP_DIFFERENTIAL")
        .ok()
        .and_then(|n| n.parse().ok())
        .unwrap_or(6);
    let seed: u64 = std::env::var("SCRIMP_SEED")
        .ok()
        .and_then(|n| n.parse().ok())
        .unwrap_or(0x5eed);
    for n in 0..programs {
        let seed = seed.wrapping_add(n).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        let source = Writer(seed).program();
        let dir = tempfile::tempdir().expect("a folder");
        std::fs::write(dir.path().join("main.asm"), &source).expect("a file");
        let ran = std::process::Command::new("avra")
            .args(["-o", "out.hex", "-e", "out.eep", "main.asm"])
            .current_dir(dir.path())
            .output()
            .expect("avra runs");
        let log = String::from_utf8_lossy(&ran.stderr).into_owned();
        let hex = std::fs::read_to_string(dir.path().join("out.hex"));
        let hex = hex.unwrap_or_else(|_| panic!("seed {seed}: avra refuses\n{log}\n{source}"));
        let out = assemble(&job("main.asm", "avrasm2"), &Folder(dir.path().into()));
        let Some(image) = &out.image else {
            panic!("seed {seed}: refused\n{}\n{source}", findings(&out));
        };
        if let Some(d) = difference(&image.binary(0xff), &unhex(&hex)) {
            panic!("seed {seed}: {d}\n{source}");
        }
    }
}

/// The bytes of Intel HEX from address 0 on.
fn unhex(text: &str) -> Vec<u8> {
    let mut out = Vec::new();
    let mut base = 0;
    for line in text.lines().filter_map(|l| l.strip_prefix(':')) {
        let b: Vec<u8> = (0..line.trim().len() / 2)
            .map(|i| u8::from_str_radix(&line[2 * i..2 * i + 2], 16).expect("hex"))
            .collect();
        let at = usize::from(b[1]) << 8 | usize::from(b[2]);
        match b[3] {
            0 => {
                let end = base + at + usize::from(b[0]);
                out.resize(out.len().max(end), 0xff);
                out[base + at..end].copy_from_slice(&b[4..4 + usize::from(b[0])]);
            }
            2 => base = (usize::from(b[4]) << 8 | usize::from(b[5])) << 4,
            4 => base = (usize::from(b[4]) << 8 | usize::from(b[5])) << 16,
            _ => {}
        }
    }
    out
}

/// xorshift64*, writing a program that avra takes.
struct Writer(u64);

impl Writer {
    fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 20) % n
    }

    fn number(&mut self) -> String {
        let n = match self.below(3) {
            0 => self.below(10),
            1 => self.below(256),
            _ => self.below(65536),
        };
        match self.below(5) {
            0 => format!("${n:x}"),
            1 => format!("0x{n:X}"),
            2 => format!("0b{n:b}"),
            _ => format!("{n}"),
        }
    }

    fn expression(&mut self, depth: u32) -> String {
        if depth > 3 || self.below(3) == 0 {
            return match self.below(6) {
                0 => format!("Name{}", self.below(8)),
                1 => format!("lab{}", self.below(20)),
                2 => "'x'".into(),
                _ => self.number(),
            };
        }
        let a = self.expression(depth + 1);
        match self.below(8) {
            0 => format!("({a})"),
            1 => format!("~({a})"),
            2 => format!("-({a})"),
            3 => {
                let f = ["low", "high", "byte2", "byte3", "lwrd", "hwrd"];
                format!("{}({a})", f[self.below(6) as usize])
            }
            _ => {
                let ops = [
                    "+", "-", "*", "&", "|", "^", "<<", "==", "<", ">", "!=", "&&",
                ];
                let op = ops[self.below(12) as usize];
                // avra has 32 bits, AVRASM2 64: stay below both.
                let b = match op {
                    "<<" => self.below(4).to_string(),
                    "*" => self.below(16).to_string(),
                    _ => self.expression(depth + 1),
                };
                format!("({a} {op} {b})")
            }
        }
    }

    fn register(&mut self, from: u64) -> String {
        match self.below(6) {
            0 if from <= 20 => "Temp".into(),
            _ => format!("r{}", from + self.below(32 - from)),
        }
    }

    fn program(&mut self) -> String {
        let mut out = String::from(".device ATmega16\n.def TEMP = r20\n");
        for i in 0..8 {
            let _ = writeln!(out, ".equ name{i} = {}", self.number());
        }
        out += ".macro both\n ldi @0, low(@1)\n ldi r31, high(@1)\nl: brne l\n.endm\n";
        let mut lab = 0;
        for i in 0..300 {
            if i % 15 == 0 && lab < 20 {
                let _ = writeln!(out, "lab{lab}:");
                lab += 1;
            }
            let line = match self.below(14) {
                0 => format!("ldi {}, low({})", self.register(16), self.expression(0)),
                1 => format!(".dw ({}) & 0xffff", self.expression(0)),
                2 => format!(".db low({}), \"a{}\"", self.expression(0), self.below(10)),
                3 => format!("rjmp lab{}", self.below(20)),
                4 => format!("jmp lab{}", self.below(20)),
                5 => {
                    let ops = ["add", "sub", "and", "eor", "mov", "cpc", "mul"];
                    let op = ops[self.below(7) as usize];
                    format!("{op} {}, {}", self.register(0), self.register(0))
                }
                6 => {
                    let ops = ["com", "swap", "inc", "ror", "push", "pop", "clr", "lsl"];
                    format!("{} {}", ops[self.below(8) as usize], self.register(0))
                }
                7 => format!("lds {}, {}", self.register(0), self.below(65536)),
                8 => format!("ldd {}, Y+{}", self.register(0), self.below(64)),
                9 => format!("st -X, {}", self.register(0)),
                10 => format!("both {}, {}", self.register(16), self.number()),
                11 => format!("sbrs {}, {}", self.register(0), self.below(8)),
                12 => format!(
                    ".if {} > {}\n inc r1\n.else\n dec r1\n.endif",
                    self.number(),
                    self.number()
                ),
                _ => format!("adiw r24, {}\n breq PC+{}", self.below(64), self.below(8)),
            };
            let _ = writeln!(out, " {line}");
        }
        while lab < 20 {
            let _ = writeln!(out, "lab{lab}:");
            lab += 1;
        }
        out += " nop\n";
        out
    }
}

/// Public programs in the folder that `SCRIMP_AVR_CORPUS` names, one `owner+name` each
/// at the commit in the list; the digest is that of the image from the lowest to the
/// highest address with 0xFF between.
#[test]
fn public_programs() {
    let Some(corpus) = named("SCRIMP_AVR_CORPUS") else {
        return;
    };
    let list = std::fs::read_to_string(folder().join("public.txt")).expect("the list");
    let mut faults = String::new();
    let mut count = 0;
    for line in list
        .lines()
        .filter(|l| !l.starts_with('#') && !l.is_empty())
    {
        let cells: Vec<&str> = line.split('\t').collect();
        let [repository, _commit, path, defines, digest] = cells[..] else {
            panic!("a line of the list is malformed: {line}");
        };
        let whole = Path::new(&corpus)
            .join(repository.replace('/', "+"))
            .join(path);
        if !whole.is_file() {
            faults += &format!("{repository} {path}: not there\n");
            continue;
        }
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_scrimp"));
        let dir = tempfile::tempdir().expect("a folder");
        let out = dir.path().join("out.bin");
        command
            .args(["build", "--dialect", "avrasm2", "--emit", "bin", "-q"])
            .arg(whole.file_name().expect("a file"))
            .arg("-o")
            .arg(&out)
            .args(defines.split_whitespace())
            .current_dir(whole.parent().expect("a folder"));
        let ran = command.output().expect("the command runs");
        let bytes = std::fs::read(&out).unwrap_or_default();
        let got = fnv(&bytes);
        if !ran.status.success() || got != digest {
            faults += &format!(
                "{repository} {path} {defines}: {got}, {} bytes\n",
                bytes.len()
            );
        }
        count += 1;
    }
    assert!(faults.is_empty(), "\n{faults}");
    eprintln!("{count} programs");
}

/// FNV-1a of 64 bits, as hexadecimal digits: enough to tell two images apart.
fn fnv(bytes: &[u8]) -> String {
    let hash = bytes.iter().fold(0xcbf2_9ce4_8422_2325u64, |h, b| {
        (h ^ u64::from(*b)).wrapping_mul(0x0100_0000_01b3)
    });
    format!("{hash:016x}")
}
