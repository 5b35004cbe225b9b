//! Promises about clocks: kept, broken and open ones, with their paths.

use crate::common::gigatron::{assemble, findings};

/// Number of proven pairs of a program that has no findings.
#[track_caller]
fn proven(text: &str) -> usize {
    assert_eq!(findings(text), Vec::<String>::new());
    assemble(text).image.expect("an image").proven
}

#[test]
fn both_arms_of_a_branch_are_walked_with_their_delay_slots() {
    let arms = |pad: &str| {
        format!(
            "        clock 10, rebase
start:  ld [$20]
        beq zero
        adda 1          ; in the slot: runs either way
        bra join
        nop
zero:   nop
{pad}
join:   clock 15
        ld 0
        clock 16, end
        nop
"
        )
    };
    assert_eq!(proven(&arms("        nop")), 2);
    let short = findings(&arms(""));
    let message = "E0063 a path comes here at clock 14, 1 too few: clock 15 is promised";
    assert_eq!(short, [message]);
    let long = findings(&arms(" nop\n nop\n nop"));
    let message = "E0063 a path comes here at clock 17, 2 too many: clock 15 is promised";
    assert_eq!(long, [message]);
}

#[test]
fn what_is_known_of_ac_decides_branches_and_loops() {
    // Three rounds of two, and the way out.
    let counted =
        " clock 0, rebase\n ld 3\nl: suba 1\n bne l\n nop\n clock 10\n nop\n clock 11, end\n nop\n";
    assert_eq!(proven(counted), 2);
    // A cell of page 0 keeps what was stored.
    let cell =
        " clock 0, rebase\n ld back\n st [$30]\n bra [$30]\n nop\n nop\nback: clock 4, end\n nop\n";
    assert_eq!(proven(cell), 1);
}

#[test]
fn a_loop_without_a_bound_is_open_and_with_one_is_walked() {
    let free = |bound: &str| {
        format!(
            " clock 0, rebase\n nop\nl: ld [$20]\n{bound} suba 1\n bne l\n st [$20]\n clock 5, end\n nop\n"
        )
    };
    assert_eq!(
        findings(&free("")),
        ["W0008 how often this runs is not known"]
    );
    assert_eq!(proven(&free(" rounds 1\n")), 1);
    let two = findings(&free(" rounds 2\n"));
    let message = "E0063 a path comes here at clock 9, 4 too many: clock 5 is promised";
    assert_eq!(two, [message]);
}

#[test]
fn a_jump_to_an_unknown_place_is_open_until_its_targets_are_named() {
    let jump = |targets: &str| {
        format!(
            " clock 0, rebase\n ld 0,y\n{targets} jmp y,[$40]\n nop\na: nop\nb: nop\n clock 4, end\n nop\n"
        )
    };
    assert_eq!(findings(&jump("")), ["W0008 where this jumps is not known"]);
    assert_eq!(proven(&jump(" targets b\n")), 1);
    let both = findings(&jump(" targets a, b\n"));
    let message = "E0063 a path comes here at clock 5, 1 too many: clock 4 is promised";
    assert_eq!(both, [message]);
}

#[test]
fn a_word_of_a_table_is_executed_in_passing() {
    // The jump goes to one of four words, of which one executes: its slot goes on to
    // the end of that page, where a branch leads to the page behind.
    let text = |clock: u32| {
        format!(
            "        org $100
table:  ld 1
        ld 2
        ld 3
        ld 4
        org $1ff
        bra [$21]
        nop             ; in its slot
        clock 0, rebase
        ld low(back)
        st [$21]
        ld high(table),y
        ld [$20]
        anda 3
        jmp y,ac
        bra $1ff
back:   clock {clock}, end
        nop
"
        )
    };
    assert_eq!(proven(&text(10)), 1);
    let wrong = findings(&text(11));
    let message = "E0063 a path comes here at clock 10, 1 too few: clock 11 is promised";
    assert_eq!(wrong, [message]);
}

#[test]
fn a_function_answers_with_minus_half_of_its_clocks() {
    let function = |answer: &str| {
        format!(
            " clock 0, rebase\n ld [1]\n st [2]\n bra out\n ld {answer}\nout: clock answer, 2\n nop\n"
        )
    };
    assert_eq!(proven(&function("-3")), 1);
    let wrong = findings(&function("-4"));
    assert_eq!(
        wrong,
        ["E0063 6 clocks are used, but the answer $FC says 8"]
    );
}

#[test]
fn lines_are_measured_from_edge_to_edge() {
    let line = |pad: &str| {
        format!(
            " lines 9\n clock 0, rebase\n nop\nl: ld $80,out\n ld $c0,out\n ld [1]\n beq z\n nop\n bra e\n nop\nz: nop\n nop\ne: bra l\n{pad} nop\n"
        )
    };
    assert_eq!(proven(&line("")), 1);
    let late = findings(&line("").replace("e: bra l\n", "e: nop\n bra l\n"));
    let message = "E0063 hSync falls after 10 clocks, 1 too many: a line has 9";
    assert_eq!(late, [message]);
}

#[test]
fn the_charge_of_a_block_is_its_longest_path() {
    let block = |words: usize| {
        let body = "        nop\n".repeat(words);
        format!(
            "        charge b, e, 5\n        ld 0\nb:      ld [1]\n        beq e\n        nop\n{body}e:      nop\n"
        )
    };
    let image = assemble(&block(4)).image.expect("an image");
    // ld, beq, its slot and four more, and the five of the test.
    assert_eq!(image.binary(0)[..2], [0x00, (-12i8) as u8]);
    let long = findings(&block(130));
    assert_eq!(long, ["E0063 the block takes 138 clocks, 10 too many"]);
}

#[test]
fn more_paths_than_are_walked_are_not_proven() {
    let mut text = String::from(" clock 0, rebase\n nop\n");
    for i in 0..24 {
        // Each doubles what page 0 may hold.
        text += &format!(
            " ld [{}]\n beq z{i}\n ld 1\n ld 2\nz{i}: st [{}]\n",
            128 + i,
            16 + i
        );
    }
    text += " clock 90, end\n nop\n";
    let found = findings(&text);
    assert!(
        found
            .iter()
            .any(|f| f.starts_with("W0008 there are too many paths")),
        "{found:?}"
    );
}

#[test]
fn promises_are_checked_for_their_arguments() {
    assert!(findings(" clock\n nop\n")[0].starts_with("E0023 `clock` takes 1 to 2 arguments"));
    assert!(findings(" targets nowhere\n nop\n")[0].contains("`nowhere` is not defined"));
}

#[test]
fn the_command_tells_what_is_proven() {
    let dir = tempfile::tempdir().expect("a folder");
    let file = dir.path().join("a.asm");
    std::fs::write(&file, " clock 0, rebase\n nop\n clock 1, end\n nop\n").expect("a file");
    let out = std::process::Command::new(env!("CARGO_BIN_EXE_scrimp"))
        .args(["check", "--target", "gigatron"])
        .arg(&file)
        .output()
        .expect("the command runs");
    let text = String::from_utf8(out.stdout).expect("text");
    assert!(
        text.ends_with("clocks: 1 stretch proven on every path\n"),
        "{text}"
    );
}

/// Two arms of which one is longer by a word.
const ARMS: &str = "        clock 0, rebase
start:  ld [$20]
        beq zero
        adda 1
        nop
zero:   ld 1
        clock 5, end
        nop
";

#[test]
fn the_listing_shows_the_clock_of_each_word() {
    let dir = tempfile::tempdir().expect("a folder");
    let text = ARMS.replace(
        "zero:   ld 1",
        "        nop\n        bra out\n        nop\nzero:   ld 1\nout:    nop",
    );
    let text = text.replace("        clock 5, end\n", "");
    std::fs::write(
        dir.path().join("a.asm"),
        text + "        clock 8, end\n nop\n",
    )
    .expect("a file");
    let run = |args: &[&str]| {
        let out = std::process::Command::new(env!("CARGO_BIN_EXE_scrimp"))
            .current_dir(dir.path())
            .args(args)
            .args(["a.asm", "--target", "gigatron"])
            .output()
            .expect("the command runs");
        String::from_utf8(out.stdout).expect("text")
    };
    // The short arm comes to `out` at 4, the long one at 7: the promise is broken.
    run(&["build", "--emit", "lst", "-o", "a.lst"]);
    assert!(!dir.path().join("a.lst").exists());
    std::fs::write(
        dir.path().join("a.asm"),
        ARMS.replace(
            "zero:   ld 1",
            "zero:   ld 1\n        clock 4, rebase\n        nop",
        ),
    )
    .expect("a file");
    run(&["build", "--emit", "lst", "-o", "a.lst"]);
    let listing = std::fs::read_to_string(dir.path().join("a.lst")).expect("a listing");
    insta::assert_snapshot!(listing);
    let json: serde_json::Value = serde_json::from_str(&run(&["check", "--json"])).expect("JSON");
    assert_eq!(json["contracts"][0]["name"], "clock");
    assert_eq!(json["contracts"][0]["place"], "a.asm:2:1");
    assert_eq!(json["clocks"][4]["clock"], serde_json::json!([3, 4]));
    assert_eq!(json["proven"], 1);
}

#[test]
fn the_clock_that_comes_to_where_it_counts_anew_is_compared() {
    // A picture without an edge behind the last line: the way back is too long.
    let text = |nops: usize| {
        format!(
            "        lines 200\n        clock 0, rebase\nstart:  ld 0,out\n        repeat 23\n        \
             nop\n        endr\n        ld $40,out\n        repeat {nops}\n        nop\n        \
             endr\n        bra start\n        nop\n"
        )
    };
    let found = findings(&text(173));
    assert!(found.is_empty(), "{found:?}");
    let found = findings(&text(176));
    let wrong = "a path comes here at clock 203, 3 too many: clock 200 is promised";
    assert!(
        found.iter().any(|f| f == &format!("E0063 {wrong}")),
        "{found:?}"
    );
}
