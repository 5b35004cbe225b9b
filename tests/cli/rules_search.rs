//! Rules that are searched in parts and put together.

use super::bench::Bench;
use crate::common::tools::have;

/// What an optimizer without these rules leaves: a mask over what is exclusive, words in a row.
const PROGRAM: &str = "\
        org $8000
start:  ld a,(value)
        xor 15
        and 240
        ld (value),a
        ld hl,value
        inc (hl)
        inc l
        dec l
        ld (hl),5
        ld a,(value)
        ld b,a
        ld a,(value+1)
        ld c,a
        ld (words),bc
        in a,(254)
        rra
        jr c,start
        jp start
value:  db 0,0
words:  dw 0
";

fn file(b: &Bench, name: &str) -> String {
    String::from_utf8(b.read(name).expect(name)).expect("text")
}

fn good(b: &Bench, args: &[&str]) {
    let ran = b.run(args);
    assert_eq!(ran.code, Some(0), "{args:?}: {}", ran.err);
}

fn harvested() -> Bench {
    let b = Bench::new(&[("main.asm", PROGRAM)]);
    let args = ["rules", "harvest", "main.asm", "--as-it-is", "-o"];
    good(&b, &[&args[..], &["w.txt"]].concat());
    good(&b, &["rules", "search", "w.txt", "-o", "all.txt"]);
    good(&b, &["rules", "merge", "all.txt", "-o", "one.txt"]);
    b
}

#[test]
fn four_parts_find_what_one_search_finds() {
    let b = harvested();
    let windows = file(&b, "w.txt");
    assert!(windows.contains("z80 1: xor 15 / and 240 |"), "{windows}");
    let one = file(&b, "one.txt");
    assert!(one.contains("xor 15 / and 240 => and 240 #"), "{one}");
    assert!(one.starts_with("# scrimp rules, target z80\n"), "{one}");
    for part in ["1", "2", "3", "4"] {
        let (shard, to) = (format!("{part}/4"), format!("p{part}.txt"));
        good(
            &b,
            &["rules", "search", "w.txt", "--shard", &shard, "-o", &to],
        );
    }
    for order in [["1", "2", "3", "4"], ["4", "2", "1", "3"]] {
        let parts = order.map(|n| format!("p{n}.txt"));
        let mut args = vec!["rules", "merge", "-o", "four.txt"];
        args.extend(parts.iter().map(String::as_str));
        good(&b, &args);
        assert_eq!(file(&b, "four.txt"), one);
    }
    // Where no window falls to a part there is no rule, and that is all.
    let late = ["rules", "search", "w.txt", "--shard", "999/999"];
    assert_eq!(b.run(&late).out, "# scrimp rules, target z80\n");
}

#[test]
fn gnu_parallel_runs_the_parts() {
    if !have(&["parallel"]) {
        return;
    }
    let b = harvested();
    let scrimp = env!("CARGO_BIN_EXE_scrimp");
    let run = std::process::Command::new("parallel")
        .args([scrimp, "rules", "search", "w.txt", "--shard", "{}/4"])
        .args(["-o", "p{}.txt", ":::", "1", "2", "3", "4"])
        .current_dir(b.0.path())
        .output()
        .expect("parallel runs");
    assert!(run.status.success(), "{run:?}");
    let parts = ["p3.txt", "p1.txt", "p4.txt", "p2.txt"];
    good(
        &b,
        &[&["rules", "merge", "-o", "four.txt"], &parts[..]].concat(),
    );
    assert_eq!(file(&b, "four.txt"), file(&b, "one.txt"));
}

#[test]
fn what_is_no_rule_or_not_proven_is_refused() {
    let b = harvested();
    let one = file(&b, "one.txt");
    for (name, text) in [
        ("wrong.txt", one.replace("=> and 240", "=> and 15")),
        ("other.txt", one.replace("# structural ", "# structural 0")),
        ("none.txt", one.replacen("# scrimp rules", "# rules", 1)),
        ("words.txt", format!("{one}x: ld q,5 => nop\n")),
    ] {
        std::fs::write(b.path(name), text).expect("a file");
    }
    for (name, why) in [
        ("wrong.txt", "wrong: with"),
        ("other.txt", "certificate"),
        ("none.txt", "no file of"),
        ("words.txt", "ld q,5"),
    ] {
        let ran = b.run(&["rules", "merge", name]);
        assert!(ran.code == Some(2) && ran.err.contains(why), "{}", ran.err);
    }
    std::fs::write(b.path("bad.txt"), "z80 x: nop\n").expect("a file");
    let ran = b.run(&["rules", "search", "bad.txt"]);
    assert!(ran.err.contains("bad.txt:1: no window"), "{}", ran.err);
    std::fs::write(b.path("two.txt"), "z80 1: nop\navr 1: nop\n").expect("a file");
    let ran = b.run(&["rules", "search", "two.txt"]);
    assert!(ran.err.contains("--target"), "{}", ran.err);
}
