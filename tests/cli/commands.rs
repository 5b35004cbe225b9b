//! The command as people use it: messages, exit codes, files.

use super::bench::Bench;
use std::path::Path;
use std::process::{Command, Stdio};

const FAULTS: &str = "\
        org $4009
size:   equ 300
start:  ld a,size
        ld bc,de
        lda 5
        jp strat
two:    nop
two:    nop
        db \"no end
        ds -1
        jr start+500
        macro put(x)
        ld a,x
        endm
        put 400
        db 1/0
        if 1
";

#[test]
fn all_faults_of_a_run_are_reported() {
    let b = Bench::new(&[("faults.asm", FAULTS)]);
    let ran = b.run(&["build", "faults.asm"]);
    assert_eq!(ran.code, Some(1));
    insta::assert_snapshot!(ran.err);
    assert_eq!(b.read("faults.bin"), None);
    let short = b.run(&["build", "faults.asm", "--message-format", "short"]);
    insta::assert_snapshot!(short.err);
    let json = b.run(&["build", "faults.asm", "--message-format", "json"]);
    for line in json.err.lines() {
        let v: serde_json::Value = serde_json::from_str(line).expect("a JSON object");
        assert_eq!(v["schema"], 1);
        assert!(v["line"].as_u64().is_some_and(|l| l <= 17), "{line}");
    }
}

#[test]
fn findings_in_included_files_show_the_way() {
    let b = Bench::new(&[
        (
            "main.asm",
            "        include \"lib/part.asm\"\n        put 1\n",
        ),
        (
            "lib/part.asm",
            "        macro put(x)\n        ld a,x+missing\n        endm\n        frob\n",
        ),
    ]);
    let ran = b.run(&["build", "main.asm"]);
    assert_eq!(ran.code, Some(1));
    insta::assert_snapshot!(ran.err);
}

#[test]
fn program_files_are_checked() {
    let b = Bench::new(&[
        ("a/program.toml", "main = 'a.asm'\nmachin = 'zx81-1k'\n"),
        ("a/a.asm", " nop\n"),
    ]);
    let ran = b.run(&["build", "a"]);
    assert_eq!(ran.code, Some(1));
    insta::assert_snapshot!(ran.err);
    std::fs::write(
        b.path("a/program.toml"),
        "main = 'a.asm'\nmachine = 'zx80-1k'\n",
    )
    .expect("a file");
    let ran = b.run(&["build", "a"]);
    assert_eq!(ran.code, Some(1));
    insta::assert_snapshot!(ran.err);
}

#[test]
fn a_folder_is_built_as_its_program_file_says() {
    let b = Bench::new(&[
        (
            "game/program.toml",
            "name = 'demo'\nmain = 'main.asm'\nemit = ['bin', 'hex', 'lst']\ninclude = ['common']\n[define]\nN = 7\n",
        ),
        (
            "game/main.asm",
            "        org $8000\n        include \"part.asm\"\n        db N\n",
        ),
        ("game/common/part.asm", "        db 1,2\n"),
    ]);
    let ran = b.run(&["build", "game"]);
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
    assert_eq!(b.read("build/demo.bin"), Some(vec![1, 2, 7]));
    for f in ["hex", "lst"] {
        assert!(b.read(&format!("build/demo.{f}")).is_some(), "{f}");
    }
    // The command line stands over the file.
    assert_eq!(
        b.run(&["build", "game", "-D", "N=0x09", "-o", "x.bin"])
            .code,
        Some(0)
    );
    assert_eq!(b.read("x.bin"), Some(vec![1, 2, 9]));
    std::fs::create_dir(b.path("there")).expect("a folder");
    assert_eq!(
        b.run(&["build", "game", "-o", "there", "--emit", "bin,sym"])
            .code,
        Some(0)
    );
    assert_eq!(b.read("there/demo.bin"), Some(vec![1, 2, 7]));
    assert!(b.read("there/demo.sym").is_some());
}

/// What Makefiles give to a C compiler with `-D`: names, in each of several files.
#[test]
fn names_may_stand_for_texts_where_there_is_a_preprocessor() {
    let source = "#include <avr/io.h>\n#if LED != PB5\n#error \"which\"\n#endif\n sbi _SFR_IO_ADDR(PORT),LED\n";
    let b = Bench::new(&[
        ("a.S", source),
        ("b.S", source),
        ("c.asm", " .device atmega328p\n ldi REG,1\n"),
        ("d.asm", " ld a,1\n"),
    ]);
    let texts = ["-D", "LED=PB5", "-D", "PORT=PORTB", "-D", "REG=r17"];
    let run = |args: &[&str]| b.run(&[args, &texts].concat());
    let gnu = ["build", "a.S", "b.S", "--dialect", "gas-avr"];
    let ran = run(&[&gnu[..], &["--machine", "atmega328p", "-o", "a.bin"]].concat());
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert_eq!(b.read("a.bin"), Some(vec![0x2d, 0x9a, 0x2d, 0x9a]));
    let ran = run(&["build", "c.asm", "--dialect", "avrasm2", "-o", "c.bin"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert_eq!(b.read("c.bin"), Some(vec![0x11, 0xe0]));
    let ran = run(&["build", "d.asm", "-o", "d.bin"]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.contains("PB5 is no number"), "{}", ran.err);
}

/// What is defined from outside is a text where the dialect has texts.
#[test]
fn defines_from_outside_are_texts_where_the_dialect_has_them() {
    let sj = " IFDEF LIST\n db LIST\n ENDIF\n IFDEF BARE\n db N+1\n ENDIF\n IF N == 7\n db N*2\n ENDIF\n";
    let tasm = "#IFDEF LIST\n .DB LIST\n#ENDIF\n#IFDEF BARE\n .DB N+1\n#ENDIF\n#IF N == 7\n .DB N*2\n#ENDIF\n .END\n";
    let b = Bench::new(&[
        ("a.asm", sj),
        ("t.asm", tasm),
        (
            "game/program.toml",
            "name = 'x'\nmain = 'a.asm'\ndialect = 'sjasmplus'\n[define]\nN = 7\nLIST = '1,2'\nBARE = ''\n",
        ),
        ("game/a.asm", sj),
    ]);
    for (dialect, file) in [
        ("sjasmplus", "a.asm"),
        ("sjasm", "a.asm"),
        ("tasm", "t.asm"),
    ] {
        let args = ["build", file, "--dialect", dialect, "-o", "x.bin"];
        let mut more = args.to_vec();
        more.extend(["-D", "LIST=\"hi\",9-6", "-D", "N=7", "-D", "BARE"]);
        let ran = b.run(&more);
        assert_eq!(ran.code, Some(0), "{dialect}: {}", ran.err);
        let want = [b'h', b'i', 3, 8, 14];
        assert_eq!(b.read("x.bin").as_deref(), Some(&want[..]), "{dialect}");
        more.extend(["-D", "BAD=a\nb"]);
        assert_eq!(b.run(&more).code, Some(2), "{dialect}");
    }
    let built = |args: &[&str]| {
        let ran = b.run(&[&["build", "game", "-o", "y.bin"], args].concat());
        assert_eq!((ran.code, &*ran.err), (Some(0), ""));
        b.read("y.bin")
    };
    assert_eq!(built(&[]), Some(vec![1, 2, 8, 14]));
    assert_eq!(built(&["-D", "LIST=3"]), Some(vec![3, 8, 14]));
    // It is a text, and no symbol: a constant of the same name is another thing.
    std::fs::write(b.path("game/a.asm"), "x: equ 5\n db N x\n").expect("a file");
    assert_eq!(built(&["-D", "N=2 *"]), Some(vec![10]));
    // Elsewhere a text is refused, with its place if it has one.
    let ran = b.run(&["build", "game", "--dialect", "zmac"]);
    assert_eq!(ran.code, Some(1));
    assert!(ran.err.contains("program.toml:7:8"), "{}", ran.err);
    for dialect in ["native", "zmac", "vasm", "zasm", "glass"] {
        let ran = b.run(&["build", "a.asm", "--dialect", dialect, "-D", "N=1,2"]);
        assert_eq!(ran.code, Some(2), "{dialect}: {}", ran.err);
        assert!(ran.err.contains("1,2 is no number"), "{}", ran.err);
    }
}

#[test]
fn wrong_usage_ends_with_two() {
    let b = Bench::new(&[("a.asm", " nop\n")]);
    for args in [
        &["frobnicate"][..],
        &["build"],
        &["build", "missing.asm"],
        &["build", "a.asn"],
        &["build", "a.asm", "--target", "z81"],
        &["build", "a.asm", "--machine", "zx81-3k"],
        &["build", "a.asm", "--dialect", "nativ"],
        &["build", "a.asm", "--emit", "bim"],
        &["build", "a.asm", "-D", "5x=1=2"],
        &["build", "a.asm", "-D", "x=y"],
        &["run", "a.asm", "--machine", "zx81-1k", "--keys", "a,,b"],
        &["disasm", "a.asm", "--org", "65536"],
        &["explain", "E9999"],
        &["play", "zx81-ches-seed"],
    ] {
        let ran = b.run(args);
        assert_eq!(ran.code, Some(2), "{args:?}: {}", ran.err);
        assert!(
            !ran.err.is_empty() && !ran.err.contains("panicked"),
            "{args:?}: {}",
            ran.err
        );
    }
    assert!(b.run(&["build", "a.asn"]).err.contains("a.asm"));
    assert!(
        b.run(&["build", "a.asm", "--emit", "bim"])
            .err
            .contains("bin")
    );
    assert!(
        b.run(&["play", "zx81-ches-seed"])
            .err
            .contains("zx81-chess-seed")
    );
}

#[test]
fn outputs_never_overwrite_what_is_read() {
    let b = Bench::new(&[("a.asm", " incbin \"b.dat\"\n"), ("b.dat", "data")]);
    for target in ["a.asm", "./a.asm", "b.dat"] {
        let ran = b.run(&["build", "a.asm", "-o", target, "--emit", "bin"]);
        assert_eq!(ran.code, Some(2), "{target}: {}", ran.err);
    }
    assert_eq!(
        b.read("a.asm").as_deref(),
        Some(&b" incbin \"b.dat\"\n"[..])
    );
    assert_eq!(b.read("b.dat").as_deref(), Some(&b"data"[..]));
}

#[cfg(unix)]
#[test]
fn outputs_are_regular_files() {
    let b = Bench::new(&[("a.asm", " nop\n")]);
    let made = Command::new("mkfifo")
        .arg(b.path("pipe"))
        .status()
        .expect("mkfifo");
    assert!(made.success());
    for target in ["/dev/null", "/dev/full", "pipe"] {
        let ran = b.run(&["build", "a.asm", "-o", target, "--emit", "bin"]);
        assert_eq!(ran.code, Some(2), "{target}: {}", ran.err);
    }
    assert!(Path::new("/dev/null").exists() && b.path("pipe").exists());
    std::fs::create_dir(b.path("folder.bin")).expect("a folder");
    let ran = b.run(&["build", "a.asm", "-o", "no/such/deep/a.bin"]);
    assert_eq!(
        (ran.code, b.read("no/such/deep/a.bin")),
        (Some(0), Some(vec![0]))
    );
}

#[test]
fn a_reader_that_goes_is_no_fault() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_scrimp"))
        .arg("explain")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command runs");
    drop(child.stdout.take());
    let out = child.wait_with_output().expect("the command ends");
    assert!(
        out.stderr.is_empty(),
        "{}",
        String::from_utf8_lossy(&out.stderr)
    );
    assert_eq!(out.status.code(), Some(0));
}

#[test]
fn colour_is_asked_for() {
    let b = Bench::new(&[("a.asm", " frob\n")]);
    assert!(!b.run(&["build", "a.asm"]).err.contains('\x1b'));
    assert!(
        b.run(&["build", "a.asm", "--color", "always"])
            .err
            .contains('\x1b')
    );
    let forced = Command::new(env!("CARGO_BIN_EXE_scrimp"))
        .args(["build", "a.asm"])
        .current_dir(b.0.path())
        .env_remove("NO_COLOR")
        .env("CLICOLOR_FORCE", "1")
        .output()
        .expect("the command runs");
    assert!(String::from_utf8_lossy(&forced.stderr).contains('\x1b'));
}

#[test]
fn disassembly_assembles_to_the_same_bytes() {
    // Every byte value behind every prefix, and another encoding of an instruction.
    let mut bytes: Vec<u8> = Vec::new();
    for prefix in [
        &[][..],
        &[0xcb],
        &[0xed],
        &[0xdd],
        &[0xfd],
        &[0xdd, 0xcb, 5],
        &[0xfd, 0xcb, 0x85],
    ] {
        for op in 0..=255u8 {
            bytes.extend(prefix);
            bytes.extend([op, 0x12, 0x34]);
        }
    }
    bytes.extend([0xed, 0x63, 0x34, 0x12, 0xdd]);
    let b = Bench::new(&[]);
    std::fs::write(b.path("all.bin"), &bytes).expect("a file");
    for plain in [&[][..], &["--plain"]] {
        let args = [
            &["disasm", "all.bin", "--target", "z80", "--org", "0x4009"],
            plain,
        ]
        .concat();
        let ran = b.run(&args);
        assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
        std::fs::write(b.path("all.asm"), &ran.out).expect("a file");
        let ran = b.run(&["build", "all.asm", "-o", "again.bin"]);
        assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
        assert_eq!(b.read("again.bin").as_ref(), Some(&bytes));
    }
}

#[test]
fn targets_lists_what_there_is() {
    let ran = Bench::new(&[]).run(&["targets"]);
    assert_eq!(ran.code, Some(0));
    for name in [
        "z80", "zx81-1k", "zx81-16k", "native", "pasmo", "z80asm", "p81", "hex",
    ] {
        assert!(ran.out.contains(name), "{name}");
    }
}

const OVER: &str = "\
        org 0
        budget total <= 8
        budget draw <= 2
start:  ld hl,start
        ret
draw:   ld a,5
        ret
";

#[test]
fn an_exceeded_budget_ends_with_three_and_the_list() {
    let good = OVER.replace("<= 2", "<= 3");
    let b = Bench::new(&[("a.asm", &good)]);
    let ran = b.run(&["build", "a.asm"]);
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
    let first = b.read("a.bin");
    assert!(first.is_some());
    // Four bytes more than in the last good build.
    let bad = OVER.replace("ld a,5", "ld (ix+5),5\n        nop\n        nop");
    std::fs::write(b.path("a.asm"), bad).expect("a file");
    for command in ["build", "check"] {
        let ran = b.run(&[command, "a.asm"]);
        assert_eq!(ran.code, Some(3), "{command}");
        insta::assert_snapshot!("over_budget", ran.err);
    }
    assert_eq!(b.read("a.bin"), first, "the output is as before");
}

#[test]
fn sizes_are_compared_with_a_report_and_a_revision() {
    let b = Bench::new(&[("a.asm", "        org 0\nstart:  nop\nend1:   nop\n")]);
    let json = b.run(&["size", "a.asm", "--json"]);
    let v: serde_json::Value = serde_json::from_str(&json.out).expect("JSON");
    assert_eq!(
        (v["schema"].as_u64(), v["total"].as_u64()),
        (Some(1), Some(2))
    );
    std::fs::write(b.path("old.json"), &json.out).expect("a file");
    let git = |args: &[&str]| {
        let done = Command::new("git")
            .args(["-c", "user.name=t", "-c", "user.email=t@example.org"])
            .args(args)
            .current_dir(b.0.path())
            .output()
            .expect("git runs");
        assert!(done.status.success(), "{done:?}");
    };
    git(&["init", "--quiet"]);
    git(&["add", "a.asm"]);
    git(&["commit", "--quiet", "-m", "first"]);
    std::fs::write(
        b.path("a.asm"),
        "        org 0\nstart:  nop\n        nop\nend1:   ld a,1\n",
    )
    .expect("a file");
    for against in ["old.json", "HEAD"] {
        let ran = b.run(&["size", "a.asm", "--against", against]);
        assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{against}");
        insta::assert_snapshot!("against", ran.out);
    }
    for against in ["no-such", "-x", "HEAD~9"] {
        let option = format!("--against={against}");
        assert_eq!(
            b.run(&["size", "a.asm", &option]).code,
            Some(2),
            "{against}"
        );
    }
}

/// In a dialect that counts flash in words and data from its own start, a symbol leads to
/// where its bytes are.
#[test]
fn a_symbol_is_where_its_bytes_are() {
    let program = "\
.device ATtiny85
.dseg
.org 0x60
mark: .byte 1
.cseg
        ldi r16, 0x5A
        sts mark, r16
here:   rjmp here
        .dw 0x1234
";
    let b = Bench::new(&[("a.asm", program)]);
    let run = |more: &[&str]| {
        let start = ["run", "a.asm", "--dialect", "avrasm2", "--frames", "9"];
        let ran = b.run(&[&start[..], more].concat());
        assert_eq!(ran.code, Some(0), "{}", ran.err);
        ran.out
    };
    // Three words in front.
    let out = run(&[
        "--until", "here", "--peek", "mark", "--peek", "here:4", "--json",
    ]);
    let v: serde_json::Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!(v["stop"], "breakpoint", "{out}");
    let peeked = run(&["--until", "here", "--peek", "mark", "--peek", "here:4"]);
    let lines: Vec<&str> = peeked.lines().rev().take(2).collect();
    assert_eq!(lines, ["0006: FF CF 34 12", "800060: 5A"], "{peeked}");
}

#[test]
fn a_machine_runs_without_a_terminal() {
    let program = "\
        org $4082
start:  ld hl,($400C)
        inc hl
        ld (hl),$26
        inc hl
        ld (hl),$A7
here:   jr here
";
    let b = Bench::new(&[("a.asm", program)]);
    let machine = ["--machine", "zx81-1k"];
    let ran = b.run(
        &[
            &[
                "run", "a.asm", "--until", "here", "--screen", "--peek", "start:2",
            ][..],
            &machine,
        ]
        .concat(),
    );
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert_eq!(ran.out.lines().last(), Some("4082: 2A 0C"));
    let ran = b.run(
        &[
            &[
                "run", "a.asm", "--frames", "100", "--expect", "AB", "--png", "a.png",
            ][..],
            &machine,
        ]
        .concat(),
    );
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert_eq!(
        b.read("a.png").map(|p| p[1..4].to_vec()),
        Some(b"PNG".to_vec())
    );
    let ran = b.run(
        &[
            &["run", "a.asm", "--frames", "100", "--expect", "XY"][..],
            &machine,
        ]
        .concat(),
    );
    assert_eq!(ran.code, Some(1));
    let ran = b.run(
        &[
            &[
                "run", "a.asm", "--frames", "100", "--json", "--keys", "a,w3,NL",
            ][..],
            &machine,
        ]
        .concat(),
    );
    let v: serde_json::Value = serde_json::from_str(&ran.out).expect("JSON");
    assert_eq!(v["stop"], "running");
    assert_eq!(v["screen"]["text"][0].as_str().map(str::trim), Some("AB"));
    let ran = b.run(&[&["run", "a.asm", "--until", "hear"][..], &machine].concat());
    assert!(
        ran.code == Some(2) && ran.err.contains("here"),
        "{}",
        ran.err
    );
    let ran = b.run(&[&["run", "a.asm", "--keys", "NOKEY"][..], &machine].concat());
    assert_eq!(ran.code, Some(2));
    // The same file through the machine's own format, and played without a terminal.
    assert_eq!(
        b.run(&[&["build", "a.asm", "-o", "a.p"][..], &machine].concat())
            .code,
        Some(0)
    );
    let ran = b.run(&["run", "a.p", "--frames", "100", "--expect", "AB"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let ran = b.run(&["play", "a.p"]);
    assert!(
        ran.code == Some(0) && ran.out.starts_with("Ab\n"),
        "{}",
        ran.err
    );
}

#[test]
fn warnings_are_silenced_and_denied_by_name() {
    let b = Bench::new(&[
        ("cut.asm", "        ld a,300\n"),
        (
            "p/program.toml",
            "main = 'cut.asm'\ndialect = 'z80asm'\n[warnings]\ndeny = ['truncated']\n",
        ),
        ("p/cut.asm", "        ld a,300\n"),
    ]);
    let cut = |more: &[&str]| {
        let args = [&["build", "cut.asm", "--dialect", "z80asm"], more].concat();
        let ran = b.run(&args);
        let written = b.read("cut.bin").is_some();
        let _ = std::fs::remove_file(b.path("cut.bin"));
        (ran.code, written, ran.err)
    };
    let (code, written, err) = cut(&[]);
    assert_eq!((code, written), (Some(0), true));
    assert!(err.contains("warning[W0002]") && err.contains("`-W no-truncated` silences it"));
    for silent in [
        "-Wno-truncated",
        "-Wno-W0002",
        "-Wno-warnings",
        "--warn=no-truncated",
    ] {
        let got = cut(&[silent]);
        assert_eq!(got, (Some(0), true, String::new()), "{silent}");
    }
    for name in ["truncated", "W0002", "warnings", "padded,truncated"] {
        let (code, written, err) = cut(&["--deny", name]);
        assert_eq!((code, written), (Some(1), false), "{name}");
        assert!(
            err.contains("error[W0002]") && err.contains("(denied by --deny "),
            "{err}"
        );
        assert!(err.ends_with("1 error\n"), "{err}");
    }
    // Who denies all does not mean what was silenced.
    assert_eq!(cut(&["-Wno-truncated", "--deny", "warnings"]).0, Some(0));
    assert_eq!(cut(&["--deny", "unproven"]).0, Some(0));
    for command in ["check", "size", "run", "play"] {
        let deny = [
            "--dialect",
            "z80asm",
            "--machine",
            "zx81-1k",
            "--deny",
            "warnings",
        ];
        let ran = b.run(&[&[command, "cut.asm"], &deny[..]].concat());
        assert_eq!(ran.code, Some(1), "{command}");
    }
    let ran = b.run(&["build", "p"]);
    assert_eq!((ran.code, b.read("build/cut.bin")), (Some(1), None));
    assert!(
        ran.err.contains("(denied by p/program.toml)"),
        "{}",
        ran.err
    );
    assert_eq!(b.run(&["build", "p", "-W", "truncated"]).code, Some(0));
}

#[test]
fn a_wrong_name_of_a_warning_is_an_error_with_the_near_one() {
    let b = Bench::new(&[
        ("a.asm", " nop\n"),
        (
            "p/program.toml",
            "main = 'a.asm'\n[warnings]\nallow = ['paded']\n",
        ),
        ("p/a.asm", " nop\n"),
    ]);
    for args in [
        ["-W", "trunkated"],
        ["-W", "no-trunkated"],
        ["--deny", "trunkated"],
    ] {
        let ran = b.run(&[&["build", "a.asm"], &args[..]].concat());
        assert_eq!(ran.code, Some(2), "{args:?}");
        assert!(ran.err.contains("is `truncated` meant?"), "{}", ran.err);
    }
    let ran = b.run(&["build", "p"]);
    assert_eq!(ran.code, Some(1));
    assert!(
        ran.err.contains("program.toml:3:10") && ran.err.contains("`padded`"),
        "{}",
        ran.err
    );
    for (name, says) in [
        ("truncated", "# W0002"),
        ("unproven", "unproven-clock"),
        ("warnings", "padded"),
    ] {
        let ran = b.run(&["explain", name]);
        assert!(
            ran.code == Some(0) && ran.out.contains(says),
            "{name}: {}",
            ran.out
        );
    }
    assert!(b.run(&["explain", "trunkated"]).err.contains("truncated"));
}

#[test]
fn notes_and_warnings_in_any_number_fail_no_build() {
    let prints = " print \"x\"\n".repeat(1500) + " nop\n";
    let cuts = " ld a,300\n".repeat(2500) + " nop\n";
    let mut late = " ld a,300\n".repeat(2500);
    late += " frob 5\n";
    let b = Bench::new(&[
        ("print.asm", &prints),
        ("cut.asm", &cuts),
        ("late.asm", &late),
    ]);
    let ran = b.run(&["build", "print.asm"]);
    assert_eq!((ran.code, b.read("print.bin")), (Some(0), Some(vec![0])));
    assert!(
        ran.err.ends_with("1500 notes (1400 not shown)\n"),
        "{}",
        ran.err
    );
    let dialects = ["z80asm"];
    for dialect in dialects {
        let ran = b.run(&["build", "cut.asm", "--dialect", dialect]);
        assert_eq!(ran.code, Some(0), "{dialect}");
        assert_eq!(b.read("cut.bin").map(|b| b.len()), Some(5001), "{dialect}");
        assert!(
            ran.err.ends_with("2500 warnings (2400 not shown)\n"),
            "{}",
            ran.err
        );
        let json = b.run(&[
            "build",
            "cut.asm",
            "--dialect",
            dialect,
            "--message-format",
            "json",
        ]);
        assert!(
            json.err.contains("2500 warnings (2400 not shown)"),
            "{}",
            json.err
        );
        // An error behind them is not lost in a run that may be repeated.
        let ran = b.run(&["build", "late.asm", "--dialect", dialect]);
        assert_eq!(ran.code, Some(1), "{dialect}");
        assert!(ran.err.contains("error[E0020]"), "{}", ran.err);
    }
}

#[test]
fn late_findings_show_their_way() {
    let b = Bench::new(&[
        ("j.asm", "x:      bra x\n"),
        ("g.asm", "        include \"j.asm\"\n"),
        ("skip.s", "b:      .skip e-b\n        .byte 1\ne:\n"),
    ]);
    for command in ["build", "check", "size"] {
        let ran = b.run(&[command, "g.asm", "--target", "gigatron"]);
        assert_eq!(ran.code, Some(0), "{}", ran.err);
        assert!(
            ran.err.contains("W0012") && ran.err.contains("in `j.asm`, included"),
            "{}",
            ran.err
        );
        let ran = b.run(&[command, "skip.s", "--dialect", "gas-avr"]);
        assert_eq!(ran.code, Some(1), "{}", ran.err);
        assert!(ran.err.contains("E0032"), "{}", ran.err);
    }
}

/// The parts of SARIF 2.1.0 that its schema and code scanning demand.
#[test]
fn findings_as_sarif() {
    let b = Bench::new(&[
        (
            "a <b>.asm",
            "        db 300\nx:      db 1\nx:      db 2\n        ld a,y\n        warning \"\u{e9}\"\n",
        ),
        ("good.asm", "        nop\n"),
    ]);
    let log = |args: &[&str], code: i32| -> serde_json::Value {
        let ran = b.run(&[args, &["--message-format", "sarif"]].concat());
        assert_eq!(ran.code, Some(code), "{args:?}: {}", ran.err);
        let log: serde_json::Value = serde_json::from_str(&ran.err).expect("one document");
        assert_eq!(log["version"], "2.1.0");
        assert!(
            log["$schema"]
                .as_str()
                .expect("a schema")
                .contains("sarif-2.1.0")
        );
        let run = &log["runs"][0];
        assert_eq!(log["runs"].as_array().map(Vec::len), Some(1));
        assert_eq!(run["tool"]["driver"]["name"], "scrimp");
        assert_eq!(run["columnKind"], "unicodeCodePoints");
        let rules = run["tool"]["driver"]["rules"].as_array().expect("rules");
        for r in run["results"].as_array().expect("results") {
            assert!(rules.iter().any(|rule| rule["id"] == r["ruleId"]), "{r}");
            let level = r["level"].as_str().expect("a level");
            assert!(["error", "warning", "note"].contains(&level));
            assert!(!r["message"]["text"].as_str().expect("a text").is_empty());
            let places = r["locations"].as_array().expect("places");
            let related = r["relatedLocations"].as_array().expect("others");
            for l in places.iter().chain(related) {
                let place = &l["physicalLocation"];
                let uri = place["artifactLocation"]["uri"].as_str().expect("a file");
                assert!(
                    uri.bytes()
                        .all(|b| b.is_ascii_graphic() && !b"<>".contains(&b))
                );
                let at = |name: &str| place["region"][name].as_u64().expect("a number");
                let start = (at("startLine"), at("startColumn"));
                assert!(start >= (1, 1) && (at("endLine"), at("endColumn")) >= start);
            }
        }
        log["runs"][0].clone()
    };
    let run = log(&["build", "a <b>.asm"], 1);
    let results = run["results"].as_array().expect("results");
    let found = |r: &serde_json::Value| {
        let place = &r["locations"][0]["physicalLocation"];
        (
            r["ruleId"].as_str().expect("a code").to_owned(),
            place["region"]["startLine"].as_u64().expect("a line"),
        )
    };
    let mut found: Vec<_> = results.iter().map(found).collect();
    found.sort();
    let codes: Vec<(&str, u64)> = found.iter().map(|f| (f.0.as_str(), f.1)).collect();
    assert!(
        codes.contains(&("E0030", 4)) && codes.contains(&("E0022", 1)),
        "{codes:?}"
    );
    assert!(
        codes.iter().any(|c| c.1 == 3) && codes.iter().any(|c| c.1 == 5),
        "{codes:?}"
    );
    let place = &results[0]["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], "a%20%3Cb%3E.asm");
    assert_eq!(run["invocations"][0]["executionSuccessful"], true);
    let run = log(&["build", "good.asm"], 0);
    assert_eq!(run["results"].as_array().map(Vec::len), Some(0));
    // What fails without a finding is said, too.
    let run = log(&["build", "none.asm"], 2);
    let said = &run["invocations"][0];
    assert_eq!(said["executionSuccessful"], false);
    let said = &said["toolExecutionNotifications"][0];
    assert!(said["level"] == "error" && said["message"]["text"].as_str().is_some());
}

#[test]
fn dump_shows_what_is_between_the_stages() {
    let source =
        "        org $8000\nstart:  ld a,(table)\n        jp start\ntable:  db 1, lo(start)\n";
    let b = Bench::new(&[
        ("a.asm", source),
        ("bad.asm", "        org 0\n        ld q,1\n"),
    ]);
    for what in ["tokens", "items", "placement"] {
        let ran = b.run(&["dump", what, "a.asm", "--target", "z80"]);
        assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{what}");
        insta::assert_snapshot!(format!("dump_{what}"), ran.out);
    }
    let ran = b.run(&["dump", "items", "bad.asm", "--target", "z80"]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(1), ""));
    let ran = b.run(&["dump", "bytes", "a.asm"]);
    assert_eq!(ran.code, Some(2));
}
