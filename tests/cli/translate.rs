//! `scrimp translate`: what it writes, and when it writes nothing.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

fn scrimp(folder: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_scrimp"))
        .current_dir(folder)
        .args(args)
        .output()
        .expect("scrimp runs")
}

fn err(o: &Output) -> String {
    String::from_utf8_lossy(&o.stderr).into_owned()
}

fn folder(files: &[(&str, &[u8])]) -> tempfile::TempDir {
    let dir = tempfile::tempdir().expect("a folder");
    for (name, bytes) in files {
        let path = dir.path().join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("it");
        fs::write(path, bytes).expect("a file");
    }
    dir
}

const MAIN: &[u8] =
    b"        org 100h ; here\nstart   include 'lib/part.z80'\n        incbin 'lib/data.bin'\n";
const PART: &[u8] = b"count   equ 3\nloop    ld b,count ; so often\n        djnz loop\n";

#[test]
fn a_program_of_several_files_builds_in_its_new_language() {
    let files = [
        ("main.asm", MAIN),
        ("lib/part.z80", PART),
        ("lib/data.bin", &[1, 2, 3, 255][..]),
    ];
    let dir = folder(&files);
    let to = |args: &[&str]| scrimp(dir.path(), args);
    let o = to(&[
        "translate",
        "main.asm",
        "--from",
        "pasmo",
        "--to",
        "z80asm",
        "-o",
        "new",
    ]);
    assert_eq!(o.status.code(), Some(0), "{}", err(&o));
    let part = fs::read_to_string(dir.path().join("new/lib/part.z80")).expect("a file");
    let want = "count:  equ 3\nloop:   ld b,count ; so often\n        djnz loop\n";
    assert_eq!(part, want);
    let o = to(&[
        "build",
        "main.asm",
        "--target",
        "z80",
        "--dialect",
        "pasmo",
        "-o",
        "a.bin",
    ]);
    assert_eq!(o.status.code(), Some(0), "{}", err(&o));
    let o = to(&[
        "build",
        "new/main.asm",
        "--target",
        "z80",
        "--dialect",
        "z80asm",
        "-o",
        "b.bin",
    ]);
    assert_eq!(o.status.code(), Some(0), "{}", err(&o));
    let read = |name: &str| fs::read(dir.path().join(name)).expect("an output");
    assert_eq!(read("a.bin"), read("b.bin"));
    // One file goes to standard output, several do not.
    let o = to(&["translate", "main.asm", "--from", "pasmo", "--to", "z80asm"]);
    assert_eq!(o.status.code(), Some(2));
    assert!(err(&o).contains("-o DIR"), "{}", err(&o));
    let o = to(&[
        "translate",
        "lib/part.z80",
        "--from",
        "pasmo",
        "--to",
        "z80asm",
    ]);
    assert_eq!(String::from_utf8_lossy(&o.stdout), want);
}

#[test]
fn what_cannot_be_said_writes_nothing() {
    let dir = folder(&[
        ("gap.asm", b" org 0\n db 1\n org 16\n db 2\n"),
        ("bad.asm", b" nonsense\n"),
    ]);
    let run = |file: &str| {
        let args = [
            "translate",
            file,
            "--from",
            "sjasmplus",
            "--to",
            "pasmo",
            "-o",
            "new",
        ];
        scrimp(dir.path(), &args)
    };
    let o = run("gap.asm");
    assert_eq!(o.status.code(), Some(1));
    let text = err(&o);
    assert!(
        text.contains("E0100") && text.contains("gap.asm:4"),
        "{text}"
    );
    let o = run("bad.asm");
    assert_eq!(o.status.code(), Some(1));
    assert!(err(&o).contains("bad.asm:1"), "{}", err(&o));
    assert!(!dir.path().join("new").exists());
}

#[test]
fn a_source_is_never_overwritten() {
    let text = b" ld a,5\n";
    let dir = folder(&[("a.asm", text)]);
    let args = [
        "translate",
        "a.asm",
        "--from",
        "pasmo",
        "--to",
        "zmac",
        "-o",
        ".",
    ];
    let o = scrimp(dir.path(), &args);
    assert_ne!(o.status.code(), Some(0));
    assert_eq!(fs::read(dir.path().join("a.asm")).expect("it"), text);
    let o = scrimp(dir.path(), &["translate", "a.asm", "--to", "zmak"]);
    assert_eq!(o.status.code(), Some(2));
    assert!(err(&o).contains("zmac"), "{}", err(&o));
}

/// What stands in a line may be anything.
#[test]
fn odd_sources_end_with_an_answer() {
    let deep = format!(" ld a,{}5{}\n", "(".repeat(3000), ")".repeat(3000));
    let nested = format!(
        "{}\n nop\n{}",
        " rept 2\n".repeat(200),
        " endm\n".repeat(200)
    );
    let long = format!(" db {}1\n", "1,".repeat(20_000));
    let ifs = format!("{}{}", " if 1\n nop\n".repeat(200), " endif\n".repeat(200));
    for text in [
        &*deep,
        &nested,
        &long,
        &ifs,
        " db \"\u{e9}\u{20ac}\"\n",
        "\0\n",
        " db 'abc\n",
        " rept 3\n",
    ] {
        let dir = folder(&[("a.asm", text.as_bytes())]);
        for to in ["native", "zasm", "tasm"] {
            let args = ["translate", "a.asm", "--from", "pasmo", "--to", to];
            let o = scrimp(dir.path(), &args);
            let start: String = text.chars().take(20).collect();
            assert!(
                matches!(o.status.code(), Some(0 | 1)),
                "{start} {to}: {}",
                err(&o)
            );
        }
    }
}
