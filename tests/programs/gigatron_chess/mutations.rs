//! Random changes of the program's sources: none that gives a bad line passes `check`,
//! and most of those that give none pass it without a word.
//!
//! `SCRIMP_SEED` begins elsewhere, `SCRIMP_CHANGES` makes so many changes.

use super::machine::folder;
use crate::common::changes::{
    Files, Trial, Verdict, changes as try_changes, loaded, sources as read, steady_by_hand,
    verdict, whole_proof,
};
use scrimp::assemble_with;
use scrimp_gigatron::sim::Button;
use scrimp_isa::proof::Promises;

/// Clocks of a frame.
const FRAME: u64 = 104_200;
/// Files that the program does not have in it, or only includes others.
const SKIPPED: [&str; 4] = ["check.asm", "perft.asm", "program.asm", "chess.asm"];

fn sources() -> Files {
    read(&folder())
}

/// Whether all lines are good and blocks take what they pay: boot, a search, keys while it
/// thinks and while it waits.
fn steady(rom: &[u8], promises: &Promises) -> bool {
    let script = [
        (None, 40),
        (Some(Button::Up), 8),
        (Some(Button::Right), 40),
        (Some(Button::A), 8),
        (Some(Button::Up), 8),
        (Some(Button::Up), 8),
        (Some(Button::A), 12),
        (None, 90),
        (Some(Button::B), 30),
        (Some(Button::Select), 12),
        (Some(Button::Start), 160),
        (Some(Button::Left), 20),
        (None, 40),
    ];
    steady_by_hand(rom, promises, FRAME, &script)
}

fn trial() -> Trial<'static> {
    let names = sources().into_keys();
    Trial {
        main: "program.asm",
        changed: names.filter(|n| !SKIPPED.contains(&n.as_str())).collect(),
        steady: &steady,
    }
}

fn told(files: &Files) -> Verdict {
    verdict(files, &trial()).0
}

#[track_caller]
fn changes(count: usize) {
    try_changes(&sources(), &trial(), count);
}

#[test]
fn the_sources_as_they_are_pass_the_whole_proof_without_a_word() {
    let (job, settings) = whole_proof("program.asm");
    let output = assemble_with(&job, &settings, &loaded(&sources()));
    let told: Vec<String> = output
        .diagnostics
        .iter()
        .map(|d| format!("{} {}", d.code, d.message))
        .collect();
    assert_eq!(told, Vec::<String>::new());
    let image = output.image.expect("an image");
    let mut rom = image.binary(0);
    rom.resize(0x2_0000, 0);
    assert!(steady(&rom, &image.promises()));
    assert!(image.proven > 7000, "only {} stretches", image.proven);
}

/// With a text of a file replaced, which must be there.
fn replaced(changes: &[(&str, &str, &str)]) -> Files {
    let mut files = sources();
    for &(file, old, new) in changes {
        let lines = files.get_mut(file).expect("a source");
        let text = lines.join("\n");
        assert!(text.contains(old), "{file} has no {old:?}");
        *lines = text.replace(old, new).lines().map(str::to_owned).collect();
    }
    files
}

#[test]
#[ignore = "slow"]
fn slow_a_word_more_in_all_pictures_is_no_line_of_its_length() {
    // Each picture keeps what it promises by itself, and rows are as long as they say.
    let files = replaced(&[
        (
            "sprites.asm",
            "        clock 10, end\n",
            "        nop\n        clock 11, end\n",
        ),
        ("sprites.asm", "WIDE    equ 12 ", "WIDE    equ 13 "),
    ]);
    assert_eq!(told(&files), Verdict::Error);
}

#[test]
#[ignore = "slow"]
fn slow_a_place_of_the_lists_that_is_no_picture_is_told() {
    let files = replaced(&[("display.asm", "        anda 15\n", "")]);
    assert_ne!(told(&files), Verdict::Passed(true));
    assert_ne!(told(&files), Verdict::Passed(false));
}

#[test]
#[ignore = "slow"]
fn slow_a_frame_with_many_more_free_lines_is_followed() {
    // 128 of them behind vSync, not 1.
    let files = replaced(&[(
        "shell.asm",
        "        ld 1\n        st [lines]\n",
        "        st [lines]\n        ld 1\n",
    )]);
    assert_eq!(told(&files), Verdict::Passed(true));
}

#[test]
#[ignore = "slow"]
fn slow_six_changes_of_the_sources_give_no_bad_line_without_a_word() {
    changes(6);
}

#[test]
#[ignore = "nightly"]
fn nightly_changes_of_the_sources_give_no_bad_line_without_a_word() {
    changes(400);
}

#[test]
fn moves_that_are_checked_are_no_part_of_the_whole_program_and_one_error_says_so() {
    let (mut job, settings) = whole_proof("program.asm");
    job.defines = vec![("CHECK".into(), 1.into())];
    let output = assemble_with(&job, &settings, &loaded(&sources()));
    let told = output.diagnostics.iter();
    let told: Vec<&str> = told.map(|d| d.message.as_str()).collect();
    assert_eq!(
        told,
        ["CHECK is for chess.asm, the engine alone: beside the picture page 0 has no room"]
    );
    assert!(output.image.is_none());
}
