//! Promises that the proof takes on trust are watched while the program runs.

use std::path::Path;
use std::process::Command;

struct Ran {
    good: bool,
    out: String,
    err: String,
}

fn scrimp(folder: &Path, args: &[&str]) -> Ran {
    let out = Command::new(env!("CARGO_BIN_EXE_scrimp"))
        .current_dir(folder)
        .args(args)
        .args(["--target", "gigatron", "--message-format", "short"])
        .output()
        .expect("the command runs");
    Ran {
        good: out.status.success(),
        out: String::from_utf8(out.stdout).expect("text"),
        err: String::from_utf8(out.stderr).expect("text"),
    }
}

fn run(text: &str) -> Ran {
    let dir = tempfile::tempdir().expect("a folder");
    std::fs::write(dir.path().join("a.asm"), text).expect("a file");
    scrimp(
        dir.path(),
        &["run", "--cycles", "20000", "--any-signal", "a.asm"],
    )
}

#[track_caller]
fn breaks(text: &str, message: &str) {
    let ran = run(text);
    assert!(ran.err.contains(message), "{}", ran.err);
    assert!(!ran.good);
}

#[track_caller]
fn keeps(text: &str) {
    let ran = run(text);
    // What cannot be proven is warned of, and is watched.
    assert!(!ran.err.contains("error"), "{}", ran.err);
    assert!(ran.good);
}

/// A loop through a cell of unknown contents, which is promised to end soon.
fn looping(rounds: u8) -> String {
    format!(
        "        clock 0, rebase
start:  ld $7f
        st [$20]
        ld 1,y
        ld 2
        st [y,$30]
        ld [y,$30]
        rounds 3
again:  bne again
        suba 1
        clock 12, end
        nop
        ld {rounds}
stop:   bra stop
        nop
"
    )
}

#[test]
fn a_clock_that_no_proof_could_know_is_watched() {
    // The cell holds 2: three rounds of two, which is what is promised.
    keeps(&looping(0).replace("clock 12, end", "clock 0, rebase"));
    breaks(
        &looping(0)
            .replace("ld 2\n", "ld 4\n")
            .replace("clock 12, end", "clock 0, rebase"),
        "a.asm:9:1: error[E0063]: this ran more than 3 times between two promises",
    );
}

#[test]
fn where_a_jump_leads_is_watched() {
    let jump = |to: &str| {
        format!(
            "        ld 1,y
        ld lo({to})
        st [y,$30]
        ld [y,$30]
        targets one, two
        bra ac
        nop
        nop
one:    bra one
        nop
two:    bra two
        nop
three:  bra three
        nop
"
        )
    };
    keeps(&jump("one"));
    keeps(&jump("two"));
    breaks(
        &jump("three"),
        "this jumped to $000B, none of the targets that are promised",
    );
}

#[test]
fn clocks_and_answers_are_watched_where_the_proof_is_open() {
    let text = |low: &str, clock: u8, answer: i8| {
        format!(
            "        clock 0, rebase
        ld 1,y
        ld lo({low})
        st [y,$30]
        ld [y,$30]
        bra ac
        nop
        nop
one:    nop
two:    ld {answer}
        clock {clock}
        nop
        clock answer
stop:   bra stop
        nop
"
        )
    };
    keeps(&text("one", 8, -4).replace("clock answer", "clock 9, end"));
    breaks(
        &text("two", 8, -4),
        "it came here at clock 7, 1 too few: clock 8 is promised",
    );
    breaks(
        &text("one", 8, -3),
        "9 clocks were used, but the answer $FD says 6",
    );
}

#[test]
fn lines_are_watched_from_the_first_vsync_on() {
    let text = |pad: &str| {
        format!(
            "        lines 20
        ld $c0,out
        ld $40,out
        nop
start:  ld $80,out
        ld $c0,out
        ld 5
wait:   bne wait
        suba 1
{pad}        nop
        nop
        bra start
        nop
"
        )
    };
    // Without a start the walk has nothing to prove.
    keeps(&text("        nop\n"));
    let late = run(&text("        nop\n        nop\n"));
    assert!(!late.good);
    let message = "hSync fell after 21 clocks, 1 too many: a line has 20";
    assert!(late.err.contains(message), "{}", late.err);
    assert!(late.err.contains("a.asm:5:1"), "{}", late.err);
}

#[test]
fn a_machine_file_is_watched_by_the_map_of_its_build() {
    let dir = tempfile::tempdir().expect("a folder");
    let text = looping(0)
        .replace("ld 2\n", "ld 4\n")
        .replace("clock 12, end", "clock 0, rebase");
    std::fs::write(dir.path().join("a.asm"), text).expect("a file");
    let built = scrimp(
        dir.path(),
        &["build", "a.asm", "--emit", "rom,json", "-o", "a"],
    );
    assert!(built.good, "{}", built.err);
    let plain = scrimp(dir.path(), &["run", "a.rom", "--cycles", "900"]);
    assert!(plain.good && plain.err.is_empty(), "{}", plain.err);
    let ran = scrimp(
        dir.path(),
        &["run", "a.rom", "--map", "a.json", "--cycles", "900"],
    );
    assert!(!ran.good);
    assert!(
        ran.err.contains("a.asm:9: this ran more than 3 times"),
        "{}",
        ran.err
    );
    let json = scrimp(
        dir.path(),
        &[
            "run", "a.rom", "--map", "a.json", "--cycles", "900", "--json",
        ],
    );
    let json: serde_json::Value = serde_json::from_str(&json.out).expect("JSON");
    assert_eq!(json["broken"][0]["place"], "a.asm:9");
    assert_eq!(json["broken"][0]["count"], 1);
    let wrong = scrimp(dir.path(), &["run", "a.rom", "--map", "a.asm"]);
    assert!(
        wrong.err.contains("a.asm is not the JSON of a build"),
        "{}",
        wrong.err
    );
}
