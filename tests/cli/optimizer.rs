//! The doors of the optimizer: contracts from outside, what would help, as much as budgets
//! need, rules explained, listed and proven.

use super::bench::Bench;
use serde_json::Value;

/// A loop, and a block that is copied with code behind it.
const GAME: &str = "\
        org $8000
start:  ld hl,block
        ld de,$c000
        ld bc,($c100)
        ldir
        jp rest
block:  ld a,1
        ld (7),a
        ret
rest:   cp 0
        jp z,rest
        ld a,0
        cp 0
        jp nz,rest
        jp start
";

fn ledger(b: &Bench, name: &str) -> Value {
    let bytes = b.read(name).expect("a ledger");
    serde_json::from_slice(&bytes).expect("JSON")
}

fn saved(ledger: &Value) -> i64 {
    let number = |n: &str| ledger[n].as_i64().expect("a number");
    number("before") - number("after")
}

#[test]
fn contracts_come_from_the_command_line_and_from_the_program_file() {
    let toml = "main = 'main.asm'\ntarget = 'z80'\n[contracts]\nblock = 'extent rest'\n";
    let b = Bench::new(&[
        ("main.asm", GAME),
        ("p/main.asm", GAME),
        ("p/program.toml", toml),
    ]);
    let run = |more: &[&str]| {
        let args = [
            &["build", "-O", "--ledger", "l.json", "-o", "out.bin"],
            more,
        ]
        .concat();
        let ran = b.run(&args);
        assert_eq!(ran.code, Some(0), "{}", ran.err);
        saved(&ledger(&b, "l.json"))
    };
    let plain = run(&["main.asm"]);
    let with = run(&["main.asm", "--contract", "block: extent rest"]);
    assert!(with > plain, "{with} {plain}");
    assert_eq!(run(&["p"]), with);
    let standing = &ledger(&b, "l.json")["contracts"][0]["standing"];
    assert_eq!(standing, "trusted");
    let ran = b.run(&["build", "-O", "p", "--contract", "block: extnt 5"]);
    assert!(
        ran.code == Some(1) && ran.err.contains("extent"),
        "{}",
        ran.err
    );
    assert!(b.run(&["build", "main.asm", "--contract", "closed"]).code == Some(2));
}

#[test]
fn advice_is_what_was_tried_and_does_it() {
    let b = Bench::new(&[("main.asm", GAME)]);
    let args = ["build", "-O", "main.asm", "-o", "out.bin", "--advice"];
    let ran = b.run(
        &[
            &args[..],
            &[
                "--ledger", "l.json", "--ledger", "l.md", "--ledger", "l.txt",
            ],
        ]
        .concat(),
    );
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let found = ledger(&b, "l.json");
    let best = &found["advice"][0];
    let (subject, clause) = (best["subject"].as_str(), best["clause"].as_str());
    let contract = format!("{}: {}", subject.expect("text"), clause.expect("text"));
    assert!(ran.err.contains(&contract), "{}", ran.err);
    // Trying it changed nothing of the build; saying it saves what was said.
    let ran = b.run(&[
        "build",
        "-O",
        "main.asm",
        "-o",
        "out.bin",
        "--ledger",
        "m.json",
        "--ledger",
        "m.txt",
        "--contract",
        &contract,
    ]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let more = saved(&ledger(&b, "m.json")) - saved(&found);
    assert_eq!(Some(more), best["saves"].as_i64());
    assert!(more > 0);
    for name in ["l.md", "l.txt"] {
        let text = String::from_utf8(b.read(name).expect("a ledger")).expect("text");
        assert!(text.contains(&contract), "{text}");
    }
    // The line of the source stands beside the instruction.
    let text = String::from_utf8(b.read("m.txt").expect("a ledger")).expect("text");
    assert!(text.contains("| jp rest"), "{text}");
}

#[test]
fn only_as_many_changes_as_the_budget_needs() {
    let text = GAME
        .replace("block", "other")
        .replace("ldir\n", "ld a,0\n        ld a,0\n");
    let b = Bench::new(&[("main.asm", &text)]);
    let size = |more: &[&str]| {
        let ran = b.run(&[&["build", "main.asm", "-o", "out.bin"], more].concat());
        (ran.code, b.read("out.bin").map(|f| f.len()))
    };
    let (_, Some(before)) = size(&[]) else {
        panic!("no file");
    };
    let (_, Some(least)) = size(&["-O"]) else {
        panic!("no file");
    };
    assert!(least + 2 <= before, "{before} {least}");
    let limited = |limit: usize| {
        let text = format!("        budget total <= {limit}\n{text}");
        let b = Bench::new(&[("main.asm", &text)]);
        let ran = b.run(&["build", "main.asm", "-O", "--until-budget", "-o", "out.bin"]);
        (ran.code, b.read("out.bin").map(|f| f.len()), ran.err)
    };
    assert_eq!(limited(before).1, Some(before), "nothing had to be done");
    let (code, now, err) = limited(before - 1);
    assert_eq!(code, Some(0), "{err}");
    let now = now.expect("a file");
    assert!(now < before && now > least, "{before} {now} {least}");
    assert_eq!(limited(least - 1).0, Some(3));
}

/// Three sequences, of which the one that saves most alone takes the others' middle.
fn overlapping() -> String {
    use std::fmt::Write;
    let mut text = String::from("\torg $8000\nstart:\tld sp,$f000\n\tcall two\n");
    let mut own = 0xd000..;
    let mut line = |text: &mut String, address: Option<u32>| {
        let address = address.or_else(|| own.next()).expect("an address");
        writeln!(text, "\tld (${address:x}),a").expect("a string");
    };
    for [before, first, behind] in [[0, 1, 2], [1, 2, 1]] {
        for _ in 0..3 {
            (0..before).for_each(|_| line(&mut text, None));
            (first..first + 3).for_each(|i| line(&mut text, Some(0xc000 + i)));
            (0..behind).for_each(|_| line(&mut text, None));
        }
    }
    text + "\tjp start\ntwo:\tout (1),a\n\tret\nmore:\tcall two\n\tjp start\n"
}

#[test]
fn a_search_finds_a_better_way_and_the_same_one_each_time() {
    let b = Bench::new(&[("main.asm", &overlapping())]);
    let run = |more: &[&str]| {
        let args = [
            "build", "main.asm", "--target", "z80", "-O", "-o", "out.bin",
        ];
        let ran = b.run(&[&args[..], more].concat());
        assert_eq!(ran.code, Some(0), "{}", ran.err);
        b.read("out.bin").expect("a file")
    };
    let usual = run(&[]);
    let found = run(&["--search=30", "--ledger", "l.json", "--run-both"]);
    assert!(found.len() < usual.len(), "{} {}", found.len(), usual.len());
    let all = ledger(&b, "l.json");
    assert_eq!(found.len() as i64, all["after"].as_i64().expect("a number"));
    assert_eq!(found, run(&["--search=30"]));
    assert_eq!(found, run(&["--replay", "l.json"]));
    let args = [
        "optimize",
        "main.asm",
        "--target",
        "z80",
        "--search=30",
        "--write",
        "new",
    ];
    assert_eq!(b.run(&args).code, Some(0));
    let args = ["build", "new/main.asm", "--target", "z80", "-o", "new.bin"];
    assert_eq!(b.run(&args).code, Some(0));
    assert_eq!(b.read("new.bin").expect("a file").len(), found.len());
}

#[test]
fn rules_are_explained_listed_and_proven() {
    let b = Bench::new(&[]);
    for (name, says) in [
        ("cp-zero", "or a"),
        ("overwritten a", "nobody"),
        ("a tail stands twice", "checker"),
        ("outline", "a sequence becomes a routine"),
        ("known", "known values"),
    ] {
        let ran = b.run(&["explain", name]);
        assert_eq!(ran.code, Some(0), "{name}: {}", ran.err);
        if name != "overwritten a" {
            assert!(ran.out.contains(says), "{name}: {}", ran.out);
        }
    }
    let ran = b.run(&["explain", "a tail stands twise"]);
    assert!(
        ran.code == Some(2) && ran.err.contains("a tail stands twice"),
        "{}",
        ran.err
    );
    let listed = b.run(&["rules", "list"]);
    assert!(
        listed.code == Some(0) && listed.out.contains("cp-zero"),
        "{}",
        listed.out
    );
    assert!(listed.out.contains("0 refused"), "{}", listed.out);
    let proven = b.run(&["rules", "prove", "--target", "z80"]);
    let count = listed
        .out
        .lines()
        .find_map(|l| l.strip_prefix("z80: ")?.split_once(' '));
    let count = count.expect("a number of rules").0;
    assert_eq!(proven.code, Some(0), "{}", proven.err);
    let says = format!("z80: {count} of {count} rules proven");
    assert!(proven.out.contains(&says), "{}", proven.out);
    assert_eq!(b.run(&["rules", "prove", "--target", "z81"]).code, Some(2));
}

/// Each rule that a ledger names has a page.
#[test]
fn every_rule_of_a_ledger_is_explained() {
    let b = Bench::new(&[("main.asm", GAME)]);
    let args = [
        "build", "-O", "main.asm", "-o", "out.bin", "--ledger", "l.json",
    ];
    let ran = b.run(&[&args[..], &["--contract", "block: extent rest"]].concat());
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let found = ledger(&b, "l.json");
    let records = found["records"].as_array().expect("a list");
    assert!(records.len() > 3, "{records:?}");
    for r in records {
        for name in ["rule", "pass"] {
            let name = r[name].as_str().expect("text");
            let ran = b.run(&["explain", name]);
            assert_eq!(ran.code, Some(0), "{name}: {}", ran.err);
        }
    }
}

#[test]
fn room_that_keeps_single_bits_of_an_address_is_made_again() {
    // The jump goes to an address of which `round` asks for bits.
    let text = " org $8000\nstart: ld sp,$f000\n jp go\ngo: ld a,1\n ld a,2\n ld ($c0f0),a\n \
                ld hl,($c000)\n call round\n call count\n jp start\ncount: ld hl,rest\n \
                ld a,($c002)\n and 3\n ld c,a\n ld b,0\n or a\n sbc hl,bc\n jp (hl)\n inc e\n \
                inc e\n inc e\nrest: call round\n ld a,e\n out (1),a\n ret\nround: ld a,l\n \
                and $f8\n ld l,a\n ld a,(hl)\n out (2),a\n ret\n";
    let b = Bench::new(&[("main.asm", text)]);
    let build = |more: &[&str]| {
        let args = ["build", "-O", "main.asm", "--target", "z80"];
        let ran = b.run(&[&args[..], more].concat());
        assert_eq!(ran.code, Some(0), "{}", ran.err);
    };
    build(&["-o", "a.bin", "--ledger", "l.json"]);
    build(&["-o", "b.bin", "--replay", "l.json", "--ledger", "m.json"]);
    assert_eq!(b.read("a.bin"), b.read("b.bin"));
    let all = ledger(&b, "l.json");
    assert_eq!(all["script"], ledger(&b, "m.json")["script"]);
    // All that goes before it is padding.
    assert!(all["padding"] != 0, "{all}");
    assert_eq!(b.read("a.bin").map(|b| b.len()), Some(58));
    assert!(!all["script"]["rooms"].as_array().expect("rooms").is_empty());
}

#[test]
fn a_ledger_is_made_again_or_refused() {
    let text = GAME
        .replace("block", "other")
        .replace("ldir\n", "ld a,0\n        ld a,0\n");
    let changed = text.replace("$c000", "$c001");
    let b = Bench::new(&[("main.asm", &text), ("other.asm", &changed)]);
    let ran = b.run(&[
        "build", "-O", "main.asm", "-o", "a.bin", "--ledger", "l.json",
    ]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let args = ["build", "-O", "main.asm", "-o", "b.bin", "--replay"];
    let again = |file: &str| b.run(&[&args[..], &[file, "--ledger", "m.json"]].concat());
    let ran = again("l.json");
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert_eq!(b.read("a.bin"), b.read("b.bin"));
    assert_eq!(
        ledger(&b, "l.json")["script"],
        ledger(&b, "m.json")["script"]
    );
    // Another program, another change, another end, and what is no ledger.
    let ran = b.run(&[
        "build",
        "-O",
        "other.asm",
        "-o",
        "c.bin",
        "--replay",
        "l.json",
    ]);
    assert!(
        ran.code == Some(2) && ran.err.contains("the program was another"),
        "{}",
        ran.err
    );
    assert_eq!(b.read("c.bin"), None);
    let whole = String::from_utf8(b.read("l.json").expect("a ledger")).expect("text");
    let to = ledger(&b, "l.json")["script"]["to"]
        .as_str()
        .expect("text")
        .to_owned();
    let mut bent: Value = serde_json::from_str(&whole).expect("JSON");
    let made = &mut bent["script"]["made"][0]["changes"][0];
    let place = made["place"].as_str().expect("text").to_owned();
    made["key"] = Value::from("result not used @ 0.1-1+0 0.2-1+0");
    for (name, text, says) in [
        (
            "bent.json",
            bent.to_string(),
            &*format!("at {place} is not found"),
        ),
        (
            "end.json",
            whole.replace(&to, &to.replace(['0', '1'], "2")),
            "others in the end",
        ),
        ("none.json", "{}".to_owned(), "no ledger"),
    ] {
        std::fs::write(b.path(name), text).expect("a file");
        let ran = again(name);
        assert!(
            ran.code == Some(2) && ran.err.contains(says),
            "{name}: {}",
            ran.err
        );
    }
}

/// Each routine goes on into all others: whoever walks through each of them takes a square of
/// their number.
#[cfg(unix)]
#[test]
fn routines_that_share_all_their_code_take_no_square_of_time_and_memory() {
    const COUNT: usize = 3000;
    let call = |i: usize| format!("l{i}: call l{}\n", (i * 7 + 1) % COUNT);
    let text: String = (0..COUNT).map(call).collect();
    let b = Bench::new(&[("main.asm", &format!(" org $100\n{text}x: jp x\n"))]);
    let seconds = if cfg!(debug_assertions) { 25 } else { 3 };
    let ran = std::process::Command::new("sh")
        .arg("-c")
        .arg(format!(
            "ulimit -v {}; ulimit -t {seconds}; exec \"$0\" \"$@\"",
            256 << 10
        ))
        .arg(env!("CARGO_BIN_EXE_scrimp"))
        .args([
            "build", "main.asm", "--target", "z80", "-O", "-o", "out.bin",
        ])
        .current_dir(b.path(""))
        .output()
        .expect("it runs");
    assert_eq!(ran.status.code(), Some(0), "{ran:?}");
}
