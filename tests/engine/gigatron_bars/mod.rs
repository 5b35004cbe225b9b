//! Random changes of a small program with blocks of time, a handler and pictures: many
//! more than of the chess can be looked at.

use crate::common::changes::{Files, Trial, Verdict, changes, sources, steady_in_noise, verdict};
use std::path::Path;

fn files() -> Files {
    sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/engine/gigatron_bars"))
}

fn trial() -> Trial<'static> {
    Trial {
        main: "main.asm",
        changed: vec!["main.asm".into()],
        steady: &|rom, _| steady_in_noise(rom, 800_000, 6),
    }
}

#[test]
fn the_program_as_it_is_passes() {
    let found = verdict(&files(), &trial());
    assert_eq!(found, (Verdict::Passed(true), String::new()));
}

#[test]
fn of_a_few_changes_none_gives_a_bad_line_without_a_word() {
    changes(&files(), &trial(), 15);
}

#[test]
#[ignore = "slow"]
fn slow_of_two_hundred_changes_none_gives_a_bad_line_without_a_word() {
    changes(&files(), &trial(), 200);
}

#[test]
#[ignore = "nightly"]
fn nightly_of_many_changes_none_gives_a_bad_line_without_a_word() {
    changes(&files(), &trial(), 10_000);
}

/// With texts of the program replaced, which must be there.
fn replaced(changes: &[(&str, &str)]) -> Verdict {
    replaced_and_told(changes).0
}

fn replaced_and_told(changes: &[(&str, &str)]) -> (Verdict, String) {
    let mut files = files();
    let lines = files.get_mut("main.asm").expect("the program");
    for (old, new) in changes {
        let text = lines.join("\n");
        assert!(text.contains(old), "no {old:?}");
        *lines = text
            .replacen(old, new, 1)
            .lines()
            .map(str::to_owned)
            .collect();
    }
    verdict(&files, &trial())
}

#[test]
fn where_late_blocks_go_on_can_be_read_and_is_any_number() {
    // Nothing but the stubs and the handler put something there since the boot.
    let boot = (
        "        ld hi(red)\n",
        "        ld hi(red)\n        st [back]\n        st [page]\n",
    );
    for cell in ["back", "page"] {
        let reads = format!("        ld [{cell}]\n        bra .put\n");
        let found = replaced(&[boot, ("        bra .put\n", &reads)]);
        assert_ne!(found, Verdict::Passed(false), "{cell}");
        assert_ne!(found, Verdict::Passed(true), "{cell}");
    }
}

#[test]
fn cells_that_hold_noise_and_count_lines_are_named() {
    let mut files = files();
    let lines = files.get_mut("main.asm").expect("the program");
    let at = lines
        .iter()
        .position(|l| l.trim() == "st [count]")
        .expect("it");
    lines.remove(at);
    let (found, told) = verdict(&files, &trial());
    assert_eq!(found, Verdict::Error);
    assert!(told.starts_with("E0063 frames differ"), "{told}");
}

/// With a line before the first vSync behind which a block goes on at this clock.
fn begins_at(clock: usize) -> (Verdict, String) {
    let line = format!(
        "first:  ld low(frame)           ; 3
        st [line]
        ld $c0,out
        ld [page],y
{}        clock {clock}
        resume
        jmp y,[back]
        ld 186 - {clock} - LIMIT
frame:  ld 0 ",
        "        nop\n".repeat(clock - 7)
    );
    replaced_and_told(&[
        ("        ld low(frame)\n", "        ld low(first)\n"),
        ("targets free,", "targets first, free,"),
        ("frame:  ld 0 ", &line),
    ])
}

#[test]
fn before_the_first_vsync_too_blocks_go_on_with_0_to_127_clocks() {
    for clock in [19, 25] {
        let found = begins_at(clock);
        assert_eq!(found, (Verdict::Passed(true), String::new()), "{clock}");
    }
    // Such a block is late at once, with less left than the handler has words for.
    for (clock, left) in [(18, -128), (9, -119)] {
        let (found, told) = begins_at(clock);
        assert_eq!(found, Verdict::Error, "{clock}");
        let message = format!("a late block goes on with {left} clocks");
        assert!(told.contains(&message), "{clock}: {told}");
    }
}
