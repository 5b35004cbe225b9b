//! Outputs, budgets and sizes by way of the command line.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

const SOURCE: &str = "\
region ram, start=$4000, size=64
section code in ram
start: ld a,1
.loop: djnz .loop
paint: ret
section data in ram
table: db 1,2,3,4
budget code <= 8
";

fn scrimp(folder: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_scrimp"))
        .current_dir(folder)
        .args(args)
        .output()
        .expect("scrimp runs")
}

fn out(o: &Output) -> String {
    String::from_utf8_lossy(&o.stdout).into_owned()
}

fn err(o: &Output) -> String {
    String::from_utf8_lossy(&o.stderr).into_owned()
}

fn project() -> tempfile::TempDir {
    let dir = tempfile::tempdir().expect("a folder");
    fs::write(dir.path().join("a.asm"), SOURCE).expect("a source");
    dir
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("a folder");
    let mut names: Vec<String> = entries
        .map(|e| {
            e.expect("an entry")
                .file_name()
                .into_string()
                .expect("UTF-8")
        })
        .collect();
    names.sort();
    names
}

#[test]
fn all_formats_are_written_at_once() {
    let dir = project();
    let list = "bin,hex,lst,map,sym,sld,json";
    let o = scrimp(dir.path(), &["build", "a.asm", "--emit", list]);
    assert_eq!(o.status.code(), Some(0), "{}", err(&o));
    assert_eq!(
        names(dir.path()),
        [
            ".scrimp", "a.asm", "a.bin", "a.hex", "a.json", "a.lst", "a.map", "a.sld", "a.sym"
        ]
    );
    let bin = fs::read(dir.path().join("a.bin")).unwrap();
    assert_eq!(bin, [0x3E, 1, 0x10, 0xFE, 0xC9, 1, 2, 3, 4]);
}

#[test]
fn an_exceeded_budget_ends_with_3_and_writes_nothing() {
    let dir = project();
    let o = scrimp(dir.path(), &["build", "a.asm"]);
    assert_eq!(o.status.code(), Some(0), "{}", err(&o));
    let before = fs::read(dir.path().join("a.bin")).unwrap();
    let longer = SOURCE.replace("ret\n", "ret\n ds 5\n");
    fs::write(dir.path().join("a.asm"), longer).unwrap();
    let o = scrimp(dir.path(), &["build", "a.asm"]);
    assert_eq!(o.status.code(), Some(3));
    let text = err(&o);
    assert!(
        text.contains("E0062")
            && text.contains("the section `code` has 10 bytes, 2 over its budget of 8"),
        "{text}"
    );
    assert!(
        text.contains("since the last good build +5: paint +5"),
        "{text}"
    );
    assert!(text.contains("paint (a.asm:5)"), "{text}");
    assert_eq!(fs::read(dir.path().join("a.bin")).unwrap(), before);
    let o = scrimp(dir.path(), &["check", "a.asm"]);
    assert_eq!(o.status.code(), Some(3));
    // The report is printed all the same.
    let o = scrimp(dir.path(), &["size", "a.asm", "--json"]);
    assert_eq!(o.status.code(), Some(0));
    let json: serde_json::Value = serde_json::from_slice(&o.stdout).expect("JSON");
    assert_eq!(json["schema"], 1);
    assert_eq!(json["total"], 14);
    assert_eq!(json["budgets"][0]["over"], 2);
}

#[test]
fn sizes_are_compared_with_a_report_or_a_revision() {
    let dir = project();
    let o = scrimp(dir.path(), &["size", "a.asm", "--json"]);
    fs::write(dir.path().join("old.json"), &o.stdout).unwrap();
    let git = |args: &[&str]| {
        let o = Command::new("git")
            .current_dir(dir.path())
            .args(["-c", "user.name=x", "-c", "user.email=x@example.org"])
            .args(args)
            .output();
        assert!(o.expect("git runs").status.success(), "{args:?}");
    };
    git(&["init", "-q"]);
    git(&["add", "a.asm"]);
    git(&["commit", "-q", "-m", "x"]);
    let longer = SOURCE.replace("ret\n", "ret\nmore: nop\n");
    fs::write(dir.path().join("a.asm"), longer).unwrap();
    for against in ["old.json", "HEAD"] {
        let o = scrimp(dir.path(), &["size", "a.asm", "--against", against]);
        assert_eq!(o.status.code(), Some(0), "{}", err(&o));
        let text = out(&o);
        assert!(text.contains("a: 10 bytes (+1)"), "{text}");
        assert!(text.contains("+1 NEW"), "{text}");
    }
    for wrong in ["no-such", "-x", "a.asm"] {
        let against = format!("--against={wrong}");
        let o = scrimp(dir.path(), &["size", "a.asm", &against]);
        assert_eq!(o.status.code(), Some(2), "{wrong}");
    }
}

#[test]
fn a_budget_on_nothing_is_an_error() {
    let dir = project();
    fs::write(dir.path().join("a.asm"), "start: nop\nbudget strat <= 8\n").unwrap();
    let o = scrimp(dir.path(), &["build", "a.asm"]);
    assert_eq!(o.status.code(), Some(1));
    assert!(err(&o).contains("did you mean `start`?"), "{}", err(&o));
    assert_eq!(names(dir.path()), ["a.asm"]);
}

#[test]
fn the_source_and_what_is_no_file_are_never_overwritten() {
    let dir = project();
    let p = dir.path();
    fs::write(p.join("inc.asm"), "nop\n").unwrap();
    fs::write(p.join("b.asm"), "include \"inc.asm\"\n").unwrap();
    fs::create_dir(p.join("folder.bin")).unwrap();
    let before = names(p);
    for output in ["b.asm", "inc.asm", "./inc.asm", "/dev/null"] {
        let o = scrimp(p, &["build", "b.asm", "--emit", "bin", "-o", output]);
        assert_eq!(o.status.code(), Some(2), "{output}: {}", out(&o));
        assert!(err(&o).contains("cannot write"), "{}", err(&o));
    }
    assert_eq!(names(p), before);
    assert_eq!(fs::read(p.join("inc.asm")).unwrap(), b"nop\n");
}

#[test]
fn one_format_goes_to_standard_output() {
    let dir = project();
    let o = scrimp(dir.path(), &["build", "a.asm", "-o", "-"]);
    assert_eq!(o.status.code(), Some(0), "{}", err(&o));
    assert_eq!(o.stdout, [0x3E, 1, 0x10, 0xFE, 0xC9, 1, 2, 3, 4]);
    let o = scrimp(dir.path(), &["build", "a.asm", "-o", "-", "--emit", "hex"]);
    assert_eq!(o.status.code(), Some(0), "{}", err(&o));
    assert!(out(&o).starts_with(":094000"), "{}", out(&o));
    for more in [
        &["--emit", "hex,lst"][..],
        &["--dependencies"],
        &["--saves"],
    ] {
        let o = scrimp(dir.path(), &[&["build", "a.asm", "-o", "-"], more].concat());
        assert_eq!(o.status.code(), Some(2), "{more:?}: {}", err(&o));
        assert!(o.stdout.is_empty(), "{more:?}");
    }
    // A budget that breaks gives nothing.
    let text = SOURCE.replace("<= 8", "<= 3");
    fs::write(dir.path().join("b.asm"), text).expect("a source");
    let o = scrimp(dir.path(), &["build", "b.asm", "-o", "-"]);
    assert_eq!((o.status.code(), o.stdout.len()), (Some(3), 0));
    assert_eq!(names(dir.path()), ["a.asm", "b.asm"]);
}
