//! The preprocessor: written cases with what GNU's makes of them (asked again where
//! it is installed), hostile sources, random ones, and what the assembler says.

use crate::common::cpu;
use proptest::prelude::*;
use scrimp::diagnostic::{Diagnostic, Level};
use scrimp::read::preprocess::{Preprocessed, Rules, preprocess};
use scrimp::text::source::MemoryLoader;
use scrimp::{Job, Output, assemble};
use std::time::Duration;

static CPP: Rules = Rules::CPP;
static BUILT_IN: Rules = Rules {
    predefined: &[("__VERSION__", "2002")],
    ..Rules::BUILT_IN
};

fn run(rules: &'static Rules, source: &str) -> Preprocessed {
    let files = MemoryLoader::default()
        .with("main.S", source)
        .with("part.inc", "part included\n#define PART 1\n")
        .with("once.inc", "#pragma once\nonly once\n")
        .with("guard.inc", "#ifndef G\n#define G\nguarded\n#endif\n")
        .with("loop.inc", "#include \"loop.inc\"\n")
        .with("open.inc", "#if 1\n");
    preprocess(rules, "main.S", &files, &[("GIVEN", "7")])
}

/// Words, strings and single signs: what white space does not change.
fn tokens(text: &str) -> Vec<String> {
    let bytes: Vec<char> = text.chars().collect();
    let mut out = Vec::new();
    let mut i = 0;
    while i < bytes.len() {
        let start = i;
        let word = |c: char| c.is_alphanumeric() || c == '_';
        if bytes[i].is_whitespace() {
            i += 1;
            continue;
        } else if word(bytes[i]) {
            while i < bytes.len() && word(bytes[i]) {
                i += 1;
            }
        } else if bytes[i] == '"' {
            i += 1;
            while i < bytes.len() && bytes[i] != '"' {
                i += 1 + usize::from(bytes[i] == '\\');
            }
            i += 1;
        } else {
            i += 1;
        }
        out.push(bytes[start..i.min(bytes.len())].iter().collect());
    }
    out
}

/// Sources and what is left of them.
const CASES: &[(&str, &str)] = &[
    ("nop\n", "nop"),
    ("#define A 5\nldi r16, A + A\n", "ldi r16, 5 + 5"),
    ("#define A\nx A y\n", "x y"),
    ("#define A B\n#define B C\n#define C 1\nA\n", "1"),
    (
        "#define SQ(x) ((x)*(x))\nSQ(a+1) SQ (2) SQ\n",
        "((a+1)*(a+1)) ((2)*(2)) SQ",
    ),
    (
        "#define F(a,b) b a\nF(1,(2,3)) F(,) F((),x)\n",
        "(2,3) 1 x ()",
    ),
    ("#define N() z\nN() N( ) N\n", "z z N"),
    (
        "#define S(x) #x\nS(a  +  b) S( \"q\\n\" ) S('\"') S()\n",
        r#""a + b" "\"q\\n\"" "'\"'" """#,
    ),
    (
        "#define S(x) #x\n#define X(x) S(x)\n#define V 4 5\nS(V) X(V)\n",
        r#""V" "4 5""#,
    ),
    (
        "#define P(a,b) a##b\nP(r,16) P(,x) P(x,) P(,) P(1,f) P(L,P)\n",
        "r16 x x 1f LP",
    ),
    (
        "#define P(a,b) a ## b\n#define x 1\n#define y 2\n#define xy 12\nP(x,y)\n",
        "12",
    ),
    ("#define O a##b\n#define ab ok\nO\n", "ok"),
    ("#define A A B\n#define B A\nA B\n", "A A A B"),
    ("#define f(a) a*g\n#define g(a) f(a)\nf(2)(9)\n", "2*9*g"),
    (
        "#define x 3\n#define f(a) f(x * (a))\n#undef x\n#define x 2\n#define g f\n#define z z[0]\n#define h g(~\n#define m(a) a(w)\n#define w 0,1\n#define t(a) a\n#define p() int\n#define q(x) x\n#define r(x,y) x ## y\nf(y+1) + f(f(z)) % t(t(g)(0) + t)(1);\ng(x+(3,4)-w) | h 5) & m\n(f)^m(m);\np() i[q()] = { q(1), r(2,3), r(4,), r(,5), r(,) };\n",
        "f(2 * (y+1)) + f(2 * (f(2 * (z[0])))) % f(2 * (0)) + t(1); f(2 * (2+(3,4)-0,1)) | f(2 * (~ 5)) & f(2 * (0,1))^m(0,1); int i[] = { 1, 23, 4, 5, };",
    ),
    (
        "#define V(f, ...) f[__VA_ARGS__]\nV(a) V(a,b) V(a,b,(c,d))\n",
        "a[] a[b] a[b,(c,d)]",
    ),
    (
        "#define V(f, ...) f, ##__VA_ARGS__\nV(a) V(a,) V(a,b,c)\n",
        "a a, a,b,c",
    ),
    ("#define V(r...) <r>\nV() V(1,2)\n", "<> <1,2>"),
    ("#define V(...) #__VA_ARGS__\nV(a, b)\n", r#""a, b""#),
    ("#define CALL(x) x\nCALL(a,\n", ""),
    ("#define T(a,b) a b\nT(1,\n2) rest\nnext\n", "1 2 rest next"),
    ("#define A 1\n\"A\" 'A' A\n", "\"A\" 'A' 1"),
    (
        "#define a 1\nldi r16,'a\nldi r16, a\n",
        "ldi r16,'a ldi r16, 1",
    ),
    ("#define A 1 /* one\nstill */ + 2 // no\nA\n", "1 + 2"),
    ("#define A 1 \\\n + 2\nA\n", "1 + 2"),
    ("#define A b \\  \n c\nA\n", "b c"),
    ("#define LO\\\nNG 9\nLO\\\nNG\n", "9"),
    ("// #define A 1\nA /* A */ A\n", "A A"),
    ("/* #define A 1\n#if */ b\nA\n", "b A"),
    (
        "#define A 0x1E+A\nA 0x1E+A 1.A 2A\n",
        "0x1E+A 0x1E+A 1.A 2A",
    ),
    (
        "#define r1 r2\n.section .r1.r1, \"r1\"\n.Lr1: rjmp .r1\n",
        ".section .r2.r2, \"r1\" .Lr1: rjmp .r2",
    ),
    ("#if 1\na\n#else\nb\n#endif\n", "a"),
    ("#if 0\na\n#elif 1\nb\n#elif 1\nc\n#else\nd\n#endif\n", "b"),
    ("#if 0\n#if 1\na\n#else\nb\n#endif\n#else\nc\n#endif\n", "c"),
    (
        "#if 0\n#bad thing ' \"\n#error no\n#include \"none\"\n#endif\nok\n",
        "ok",
    ),
    ("#if 0\n/*\n#endif\n*/\nno\n#endif\nok\n", "ok"),
    (
        "#define A\n#ifdef A\na\n#endif\n#ifndef A\nb\n#endif\n#ifdef B\nc\n#endif\n",
        "a",
    ),
    (
        "#define A\n#if defined A && defined(A) && !defined B\na\n#endif\n",
        "a",
    ),
    ("#if GIVEN == 7 && NONE == 0\na\n#endif\n", "a"),
    (
        "#if 1 + 2 * 3 == 7 && (1 + 2) * 3 == 9 && 7 / 2 == 3 && -7 / 2 == -3 && -7 % 3 == -1\na\n#endif\n",
        "a",
    ),
    (
        "#if (1 << 4 | 1) == 17 && (0xF0 >> 4 & ~1 ^ 1) == 15 && !0 && - - 1 == 1\na\n#endif\n",
        "a",
    ),
    ("#if 1 ? 2 : 0 && 0 ? 0 : 1\na\n#endif\n", "a"),
    (
        "#if 0 && 1 / 0\n#else\na\n#endif\n#if 1 || 1 / 0\nb\n#endif\n#if 1 ? 1 : 1 / 0\nc\n#endif\n",
        "a b c",
    ),
    (
        "#if -1 > 0u\na\n#endif\n#if -1 < 0\nb\n#endif\n#if 0xFFFFFFFFFFFFFFFF < 0\nc\n#endif\n",
        "a b",
    ),
    (
        "#if 'A' == 65 && '\\n' == 10 && '\\x41' == 'A' && '\\0' == 0\na\n#endif\n",
        "a",
    ),
    (
        "#if 010 == 8 && 0x10 == 16 && 0b11 == 3 && 5L == 5 && 5UL == 5\na\n#endif\n",
        "a",
    ),
    ("#define Z(x) ((x) + 1)\n#if Z(2) == 3\na\n#endif\n", "a"),
    ("#define Z 1\n#define Z 1\n#undef Z\n#undef Z\nZ\n", "Z"),
    ("#include \"part.inc\"\nPART\n", "part included 1"),
    (
        "#define F \"part.inc\"\n#include F\nPART\n",
        "part included 1",
    ),
    (
        "#include \"guard.inc\"\n#include \"guard.inc\"\n",
        "guarded",
    ),
    (
        "#include \"once.inc\"\n#include \"once.inc\"\n",
        "only once",
    ),
    ("a\n#\n # \n#pragma whatever\nb\n", "a b"),
    (
        "#ifdef A\n#elif defined GIVEN\ngood\n#endif // GIVEN\n",
        "good",
    ),
    (
        "#define lo(x) lo8(x)\n#define PORT 0x18\n#define IO(a) (a - 0x20)\n\tldi\tr24, lo(-(PORT))\n\tout\tIO(PORT), r24\n",
        "ldi r24, lo8(-(0x18)) out (0x18 - 0x20), r24",
    ),
    (
        "#define XH(r) r##h\nXH(x)\n#define SUF(p, n) p##_##n\nSUF(SUF(a,b),c)\n",
        "xh SUF(a,b)_c",
    ),
    ("#define MINUS -1\n-MINUS 5-MINUS\n", "- -1 5- -1"),
    ("#define E\n#define EE(x) x\nEE(a E b)EE()c\n", "a b c"),
    ("#define HASH #\n#define OBJ # x\nHASH OBJ\n", "# # x"),
    ("#define j(x) x #not\nj(1)\n", "1 #not"),
    (
        "#define cat(a,b) a##b\n#define LP (\n#define RP )\ncat LP 1,2 RP\n",
        "cat ( 1,2 )",
    ),
    (
        "#define EMPTY\n#define DEFER(x) x EMPTY\n#define A() 123\nDEFER(A)()\n",
        "A ()",
    ),
];

#[test]
fn written_cases() {
    for (source, want) in CASES {
        let got = run(&CPP, source);
        assert_eq!(
            tokens(&got.text),
            tokens(want),
            "{source}\n{:?}",
            got.findings
        );
    }
}

/// What is stored is what GNU's preprocessor says.
#[test]
fn the_same_as_gnu() {
    if !crate::common::tools::have(&["cpp"]) {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    for (name, text) in [
        ("part.inc", "part included\n#define PART 1\n"),
        ("once.inc", "#pragma once\nonly once\n"),
        ("guard.inc", "#ifndef G\n#define G\nguarded\n#endif\n"),
    ] {
        std::fs::write(folder.path().join(name), text).expect("written");
    }
    for (source, want) in CASES {
        std::fs::write(folder.path().join("main.S"), source).expect("written");
        let out = std::process::Command::new("cpp")
            .args([
                "-x",
                "assembler-with-cpp",
                "-P",
                "-undef",
                "-D",
                "GIVEN=7",
                "main.S",
            ])
            .current_dir(folder.path())
            .output()
            .expect("cpp runs");
        let text = String::from_utf8_lossy(&out.stdout);
        // It hands pragmas on.
        let kept = text.lines().filter(|l| !l.starts_with("#pragma"));
        let text = kept.collect::<Vec<_>>().join("\n");
        let own = run(&CPP, source);
        let error = own.findings.iter().any(|d| d.level == Level::Error);
        assert_eq!(error, !out.status.success(), "{source}\n{:?}", own.findings);
        if !error {
            assert_eq!(tokens(&text), tokens(want), "{source}");
        }
    }
}

/// Rules of a preprocessor that is built into an assembler.
#[test]
fn built_in() {
    for (source, want) in [
        (
            "#define LedOn sbi portb, 3 ; on\nLedOn ; LedOn\n",
            "sbi portb, 3",
        ),
        ("#define pin portb, 3 // pin\nsbi pin\n", "sbi portb, 3"),
        ("#define .x 5\n.x a.x .x.y\n", "5 a.x .x.y"),
        ("#define P(x) @0 x\nP(@1)\n", "@0 @1"),
        ("#define JOIN(a,b) a##b\nrjmp JOIN(l_,@0)\n", "rjmp l_@0"),
        ("#if $10 == 16 && 0b0001_0000 == 16\na\n#endif\n", "a"),
        ("#if __VERSION__ >= 2002 ; new\na\n#endif\n", "a"),
        (
            "#define X 1\n.ifdef X\n.if defined(X) && X\n.ifndef X\n",
            ".ifdef X .if defined(X) && 1 .ifndef X",
        ),
        (
            "#define A 1\n.db ';', A ; A\n.db \";A\", A\n",
            ".db ';', 1 .db \";A\", 1",
        ),
        ("a ; comment \\\nb\n", "a b"),
        (
            "#define E 1\n.db 0x1E+E, 1.5e-3, $1E+E\n",
            ".db 0x1E+1, 1.5e-3, $1E+1",
        ),
    ] {
        let got = run(&BUILT_IN, source);
        assert_eq!(
            tokens(&got.text),
            tokens(want),
            "{source}\n{:?}",
            got.findings
        );
    }
    // What it does not know is told.
    let out = run(
        &BUILT_IN,
        "#defien A 1\n#define V(...) 1\n#message \"hello\"\n",
    );
    let codes: Vec<_> = out.findings.iter().map(|d| d.code).collect();
    assert_eq!(codes, ["E0020", "E0013", "N0001"]);
    assert_eq!(
        out.findings[0].help.as_deref(),
        Some("did you mean `#define`?")
    );
    assert_eq!(out.findings[2].message, "hello");
}

#[test]
fn faults_have_a_code_and_a_place() {
    for (source, code, underlined) in [
        ("#define\n", "E0013", "#define"),
        ("#define 5 6\n", "E0013", "5"),
        ("#define defined 6\n", "E0013", "defined"),
        ("#define F(a,a) 1\n", "E0013", "a"),
        ("#define F(a 1\n", "E0013", "1"),
        ("#define F(a\n", "E0013", "F(a"),
        ("#define F(1) 1\n", "E0013", "1"),
        ("#define A ## b\n", "E0013", "##"),
        ("#define A b ##\n", "E0013", "##"),
        ("#undef\n", "E0013", "#undef"),
        ("#undef A B\n", "E0013", "B"),
        ("#if\n#endif\n", "E0035", "#if"),
        ("#if 1 +\n#endif\n", "E0035", "#if 1 +"),
        ("#if 1 2\n#endif\n", "E0035", "2"),
        ("#if (1\n#endif\n", "E0035", "#if (1"),
        ("#if 1.5\n#endif\n", "E0012", "1.5"),
        ("#if \"a\"\n#endif\n", "E0035", "\"a\""),
        ("#if 1 / 0\n#endif\n", "E0033", "/"),
        ("#if defined 5\n#endif\n", "E0035", "5"),
        ("a\n  #endif\n", "E0041", "#endif"),
        ("#else\n", "E0041", "#else"),
        ("#if 1\n#else\n#else\n#endif\n", "E0024", "#else"),
        ("#if 1\n", "E0040", "#if 1"),
        ("#include \"open.inc\"\n", "E0040", "#if 1"),
        ("#include\n", "E0013", "#include"),
        ("#include part\n", "E0013", "part"),
        ("#include \"none.inc\"\n", "E0001", "\"none.inc\""),
        ("#error stop it\n", "E0061", "#error stop it"),
        ("#warning slow\n", "W0003", "#warning slow"),
        ("#define F(a) a\nF(1,2)\n", "E0042", "F(1,2)"),
        ("#define F(a,b) a\nx F(1)\n", "E0042", "x F(1)"),
        ("#define F(a,b) a\nF(1,\n", "E0042", "F(1,"),
        ("#define A 1\n#define A 2\n", "W0020", "A"),
        ("#define __LINE__ 2\n", "W0020", "__LINE__"),
        ("x __TIME__\n", "W0021", "x __TIME__"),
        ("#define A /* open\n", "E0011", "/*"),
    ] {
        let out = run(&CPP, source);
        let d: &Diagnostic = out.findings.first().unwrap_or_else(|| panic!("{source}"));
        assert_eq!(d.code, code, "{source}: {}", d.message);
        let span = d.span.unwrap_or_else(|| panic!("no place: {source}"));
        assert_eq!(out.sources.slice(span), underlined, "{source}");
    }
}

#[test]
fn hostile_sources_end() {
    let mut bomb = String::from("#define A0 x x\n");
    let mut silent = String::from("#define A0\n");
    let mut chain = String::new();
    for i in 1..64 {
        bomb += &format!("#define A{i} A{} A{}\n", i - 1, i - 1);
        silent += &format!("#define A{i} A{} A{}\n", i - 1, i - 1);
    }
    for i in 0..20_000 {
        chain += &format!("#define C{i} C{}\n", i + 1);
    }
    let nested = format!(
        "#define F(x) x\n{}1{}\n",
        "F(".repeat(5000),
        ")".repeat(5000)
    );
    let double = format!("#define F(x) x x\n{}1{}\n", "F(".repeat(60), ")".repeat(60));
    let arguments = format!("#define F(x) x\nF({})\n", "1,".repeat(200_000));
    let signs = format!("#if {}1\n#endif\n", "-".repeat(500_000));
    let brackets = format!("#if {}1\n#endif\n", "(".repeat(500_000));
    for (name, source, fatal) in [
        ("bomb", bomb + "A63\n", true),
        ("silent bomb", silent + "A63\n", true),
        ("chain", chain + "C0\n", true),
        ("nested calls", nested, true),
        ("doubled calls", double, true),
        ("arguments", arguments, true),
        ("signs", signs, false),
        ("brackets", brackets, true),
        ("open conditions", "#if 1\n".repeat(300), true),
        ("loop", "#include \"loop.inc\"\n".into(), true),
        (
            "unclosed",
            "#define F(x) x\nF(\n".to_string() + &"1\n".repeat(100_000),
            true,
        ),
        (
            "long name",
            format!("#define {0} 1\n{0}\n", "a".repeat(1 << 18)),
            false,
        ),
        ("itself", "#define A A A(A)\nA\n".repeat(2000), false),
        (
            "pastes",
            format!("#define P(a) {}a\nP(x)\n", "a##".repeat(20_000)),
            true,
        ),
    ] {
        let start = cpu::time();
        let out = run(&CPP, &source);
        let error = out.findings.iter().any(|d| d.level == Level::Error);
        let time = cpu::time() - start;
        assert_eq!(error, fatal, "{name}: {:?}", out.findings.first());
        // A debug build.
        assert!(time < Duration::from_secs(15), "{name}: {time:?}");
    }
}

fn build(source: &str) -> Output {
    let files = MemoryLoader::default().with("main.asm", source).with(
        "ports.inc",
        "#define PORT 17\n#define ADD2(x) inc x \\\n inc x\n",
    );
    let job = Job {
        file: "main.asm".into(),
        target: scrimp::targets::default(),
        machine: None,
        dialect: "native-cpp".into(),
        defines: vec![("GIVEN".into(), 3.into())],
    };
    assemble(&job, &files)
}

#[test]
fn the_assembler_reads_what_is_left() {
    let out = build(
        "#include \"ports.inc\"\n#define WAIT(n) db PORT, n\n org 0\n#if GIVEN == 3\n\
         start: WAIT(GIVEN)\n#else\n db 99\n#endif\n db 1, \\\n 2\n# a comment\n",
    );
    assert!(out.image.is_some(), "{:?}", out.diagnostics);
    let image = out.image.expect("an image");
    assert_eq!(image.binary(0), [17, 3, 1, 2]);
    // The line in the file has the bytes, not the text that was made.
    let run = &image
        .chunks
        .iter()
        .flat_map(|c| &c.runs)
        .next()
        .expect("a run");
    let written = scrimp::image::origin::written(&image, run);
    assert_eq!(out.sources.slice(written), "start: WAIT(GIVEN)");
}

#[test]
fn a_finding_in_a_macro_tells_the_line_and_the_definition() {
    let out = build("#define BAD(x) db x, none\n\n nop_\n BAD(1)\n");
    let d = out
        .diagnostics
        .iter()
        .find(|d| d.message.contains("`none`"))
        .expect("it");
    let span = d.span.expect("a place");
    assert_eq!(out.sources.slice(span), "none");
    assert_eq!(out.sources.place(span), "main.asm:4:2");
    assert!(d.trail[0].what.contains("BAD"), "{:?}", d.trail);
    let at = d
        .related
        .iter()
        .find(|r| r.1.contains("is defined here"))
        .expect("the definition");
    assert_eq!(out.sources.place(at.0), "main.asm:1:9");
    let short = scrimp::diagnostic::short::short(d, &out.sources);
    assert!(short.starts_with("main.asm:4:2: error"), "{short}");
}

/// What ends in the preprocessor ends in the assembler, with a finding.
#[test]
fn hostile_sources_end_in_the_assembler_too() {
    let mut bomb = String::from("#define A0 nop nop\n");
    for i in 1..64 {
        bomb += &format!("#define A{i} A{0} A{0}\n", i - 1);
    }
    let lines = format!(
        "#define B {}\n{}",
        "nop ".repeat(4000),
        " B\n".repeat(20_000)
    );
    for (name, source, code) in [
        ("bomb", bomb + " A63\n", "E0043"),
        ("itself", " nop\n#include \"main.asm\"\n".into(), "E0003"),
        ("open", "#if 1\n#include \"ports.inc\"\n".into(), "E0040"),
        ("much text", lines, "E0"),
        ("conditions", "#if 0\n".repeat(300), "E0014"),
    ] {
        let start = cpu::time();
        let out = build(&source);
        assert!(out.image.is_none(), "{name}");
        let found = out.diagnostics.iter().any(|d| d.code.starts_with(code));
        assert!(found, "{name}: {:?}", out.diagnostics.first());
        let time = cpu::time() - start;
        assert!(time < Duration::from_secs(15), "{name}: {time:?}");
    }
}

#[cfg(feature = "cli")]
#[test]
fn people_see_the_text_with_the_number_of_the_line() {
    let out = build("#define BAD(x) ld a, x + 1\n\n BAD(none)\n\n BAD(other)\n");
    let text: String = out
        .diagnostics
        .iter()
        .map(|d| scrimp::diagnostic::human::human(d, &out.sources, false))
        .collect();
    assert!(text.contains("main.asm:3:2: error[E0030]"), "{text}");
    assert!(text.contains(" 3 │  ld a, none + 1\n"), "{text}");
    assert!(text.contains(" 5 │  ld a, other + 1\n"), "{text}");
    assert!(text.contains(" 1 │ #define BAD(x) ld a, x + 1\n"), "{text}");
}

/// The output does not depend on where the folder of the program lies.
#[test]
fn the_name_of_the_file_is_relative() {
    let files = MemoryLoader::default()
        .with(
            "/some/where/main.asm",
            "#include \"/some/where/in/part.asm\"\n db __FILE__\n",
        )
        .with("/some/where/in/part.asm", " db __FILE__, __LINE__\n");
    let job = Job {
        file: "/some/where/main.asm".into(),
        target: scrimp::targets::default(),
        machine: None,
        dialect: "native-cpp".into(),
        defines: Vec::new(),
    };
    let out = assemble(&job, &files);
    let image = out.image.unwrap_or_else(|| panic!("{:?}", out.diagnostics));
    assert_eq!(image.binary(0), b"in/part.asm\x01main.asm");
}

#[test]
fn macros_of_the_assembler_hold_what_was_put_in() {
    let out = build(
        " org 0\n#define X 1\n macro m(a)\n db X, a\n endm\n#undef X\n#define X 2\n m(X)\n\
         #define M3 m(3)\n M3\n repeat 2\n db X\n endr\n",
    );
    let image = out.image.unwrap_or_else(|| panic!("{:?}", out.diagnostics));
    assert_eq!(image.binary(0), [1, 2, 1, 3, 2, 2]);
}

#[test]
fn a_line_met_before_means_what_its_macros_mean_now() {
    let out = build(
        " org 0\n nop\n nop\n#if 0\n nop\n#endif\n ld a,1\n#define a b\n ld a,1\n nop\n\
         #undef a\n ld a,1\n",
    );
    let image = out.image.unwrap_or_else(|| panic!("{:?}", out.diagnostics));
    assert_eq!(image.binary(0), [0, 0, 0x3e, 1, 6, 1, 0, 0x3e, 1]);
    // The line behind an expanded one is no part of it.
    let last = image
        .chunks
        .iter()
        .flat_map(|c| &c.runs)
        .find(|r| r.offset == 6)
        .expect("a run");
    assert_eq!(last.expansion, scrimp::image::NONE);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// Whatever comes, it ends without a panic, the same each time.
    #[test]
    fn no_panic(lines in prop::collection::vec(line(), 0..30)) {
        let source = lines.concat();
        for rules in [&CPP, &BUILT_IN] {
            let a = run(rules, &source);
            prop_assert_eq!(&a.text, &run(rules, &source).text);
            for d in &a.findings {
                if let Some(span) = d.span {
                    prop_assert!(a.sources.get(span.source).text.get(span.start as usize..span.end as usize).is_some(), "{:?}", d);
                }
            }
        }
        let _ = build(&source);
    }
}

fn line() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "#",
        "##",
        "define ",
        "#define ",
        "#if ",
        "#ifdef ",
        "#elif ",
        "#else",
        "#endif",
        "#undef ",
        "#include ",
        "A",
        "B",
        "F(",
        "F(x,y)",
        "(",
        ")",
        ",",
        "x",
        "y",
        " ",
        "\\\n",
        "\\",
        "/*",
        "*/",
        "//",
        ";",
        "\"",
        "'",
        "1",
        "0x1F",
        "defined ",
        "+",
        "/",
        "0",
        "...",
        "__VA_ARGS__",
        "__LINE__",
        "é",
        "\u{b}",
        "\t",
        "\r\n",
        ".",
        "@0",
        "$1F",
        "\"part.inc\"",
        "<",
    ]);
    prop_oneof![
        prop::collection::vec(piece, 0..12).prop_map(|p| p.concat() + "\n"),
        Just("#define A B x\n".to_string()),
        Just("#define B A A\n".to_string()),
        Just("#define F(x,y) x##y F(y,x) #x A\n".to_string()),
        "[ -~\n]{0,40}",
    ]
}

/// In TASM's dialect conditions are values of the assembler, also behind `#elif`; where lines
/// are left out, or a branch was taken before, none is looked at.
#[test]
fn conditions_that_the_assembler_answers() {
    for (source, bytes) in [
        (
            "#if 0\n .db 1\n#elif 1+1*2 = 4\n .db 2\n#elif 1\n .db 3\n#endif\n",
            &[2][..],
        ),
        ("#if 1\n .db 1\n#elif nosuch\n .db 2\n#endif\n", &[1]),
        (
            "#if 0\n#if nosuch\n#elif nosuch\n#endif\n#else\n .db 5\n#endif\n",
            &[5],
        ),
        (" .db 1\n # IF $ = 1\n .db 2\n#endif\n", &[1, 2]),
    ] {
        let job = Job {
            file: "a.asm".into(),
            target: scrimp::targets::by_name("z80").expect("a target"),
            machine: None,
            dialect: "tasm".into(),
            defines: Vec::new(),
        };
        let files = MemoryLoader::default().with("a.asm", format!(" .org 0\n{source}"));
        let out = assemble(&job, &files);
        let image = out.image.unwrap_or_else(|| panic!("{source}"));
        assert_eq!(image.binary(0), bytes, "{source}");
    }
}

/// A conditional on a short line is told at a glance, one with a comment behind it is read.
/// All rows of four lines, also those that open or close too much.
#[test]
fn a_glance_at_a_conditional_tells_what_reading_it_does() {
    let lines = [
        "#if 1",
        "#if 0",
        "#ifdef A",
        "#ifndef A",
        "#else",
        "  #endif",
    ];
    for (dialect, comment, data) in [("native-cpp", " /* c */", "db"), ("tasm", " ; c", ".db")] {
        let of = |rows: &str| {
            let job = Job {
                file: "a.asm".into(),
                target: scrimp::targets::by_name("z80").expect("a target"),
                machine: None,
                dialect: dialect.into(),
                defines: Vec::new(),
            };
            let files = MemoryLoader::default().with("a.asm", rows);
            let out = assemble(&job, &files);
            let told = out.diagnostics.iter().map(|d| {
                let line = d
                    .span
                    .map(|s| out.sources.get(s.source).line_column(s.start).0);
                (d.code, line)
            });
            let told: Vec<_> = told.collect();
            (told, out.image.map(|i| i.binary(0)))
        };
        for n in 0..lines.len().pow(4) {
            let row = |i: u32| lines[n / lines.len().pow(i) % lines.len()];
            let rows = |comment: &str| {
                let row = |i: u32| format!("{}{comment}\n {data} {i}\n", row(i));
                let rows: String = (0..4).map(row).collect();
                format!("#define A 1\n {data} 9\n{rows}")
            };
            let plain = rows("");
            assert_eq!(of(&plain), of(&rows(comment)), "{dialect}\n{plain}");
        }
    }
}
