//! The prover on the makers' own ROMs, against the clock comments that they wrote by
//! hand.
//!
//! The ROMs are not ours to ship. `SCRIMP_GIGATRON_ROMS` names a folder with
//! `ROMv4.rom`, `ROMv4.lst`, `ROMv5a.…`, `ROMv6.…` and `tetris.rom`, the public game
//! with lines of its own; without it nothing is done.

use crate::tools::named;
use scrimp_gigatron::timing::{Contracts, Fault, Mark, Open, Promise, Proof, lines, prove};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Clocks from the return to the interpreter to its next instruction.
const RETURN: i64 = 2;
/// Clock at which the interpreter enters a function.
const ENTRY: i64 = 15;

fn folder() -> Option<PathBuf> {
    named("SCRIMP_GIGATRON_ROMS")
}

struct Rom {
    words: Vec<u16>,
    /// Addresses with the clocks in their comments.
    comments: Vec<Mark>,
    labels: BTreeMap<String, u16>,
}

/// The last `#12` of a line that stands between blanks.
fn comment(line: &str) -> Option<i64> {
    let mut found = None;
    for (at, _) in line.match_indices(" #") {
        let rest = &line[at + 2..];
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let ends = matches!(rest.as_bytes().get(digits), None | Some(b' '));
        if (1..=3).contains(&digits) && ends {
            found = rest[..digits].parse().ok();
        }
    }
    found
}

fn rom(folder: &Path, name: &str) -> Rom {
    let read = |e: &str| std::fs::read(folder.join(format!("{name}.{e}"))).expect("a ROM");
    let words = read("rom")
        .chunks_exact(2)
        .map(|c| u16::from_le_bytes([c[0], c[1]]))
        .collect();
    let text = String::from_utf8_lossy(&read("lst")).into_owned();
    let mut out = Rom {
        words,
        comments: Vec::new(),
        labels: BTreeMap::new(),
    };
    let mut waiting: Vec<String> = Vec::new();
    for line in text.lines() {
        if let Some((label, _)) = line.split_once(':')
            && !label.is_empty()
            && !label.contains(' ')
        {
            waiting.push(label.into());
        }
        let column = |r: std::ops::Range<usize>| line.get(r).unwrap_or("");
        let hex = |t: &str| u16::from_str_radix(t, 16).ok();
        let (Some(at), Some(_)) = (hex(column(14..18)), hex(column(19..23))) else {
            continue;
        };
        for label in waiting.drain(..) {
            out.labels.insert(label, at);
        }
        if let Some(clock) = line.contains(")  ").then(|| comment(line)).flatten() {
            let promise = Promise::At(clock);
            out.comments.push(Mark { at, promise });
        }
    }
    out
}

/// Functions of the interpreter that answer a wrong time, with the clocks they take,
/// and the number of path ends that are right.
fn functions(rom: &Rom) -> (Vec<(String, i64)>, usize) {
    let at = |name: &str| rom.labels.get(name).copied();
    let back = at("REENTER").expect("the way back to the interpreter");
    let (mut wrong, mut right) = (Vec::new(), 0);
    for (name, &start) in rom.labels.iter().filter(|l| l.0.starts_with("SYS_")) {
        let mark = |at, promise| Mark { at, promise };
        let mut marks = vec![
            mark(start, Promise::Rebase(ENTRY)),
            mark(back, Promise::Answer { more: RETURN }),
        ];
        // An entry before it, which has its own way of counting.
        marks.extend(at("REENTER_28").map(|a| mark(a, Promise::End)));
        let proof = prove(
            &rom.words,
            &Contracts {
                marks,
                ..Contracts::default()
            },
        );
        right += proof.proven;
        for v in &proof.violations {
            if let Fault::Answer { clocks, .. } = v.fault {
                wrong.push((name.clone(), clocks));
            }
        }
    }
    (wrong, right)
}

#[test]
fn the_wrong_answer_of_rom_4_is_found_and_no_other() {
    let Some(folder) = folder() else { return };
    let (wrong, right) = functions(&rom(&folder, "ROMv4"));
    println!("v4: {right} functions right, {wrong:?}");
    assert_eq!(wrong, [("SYS_LoaderProcessInput_64".to_owned(), 63)]);
    for name in ["ROMv5a", "ROMv6"] {
        let (wrong, right) = functions(&rom(&folder, name));
        println!("{name}: {right} functions right");
        assert_eq!(wrong, [], "{name}");
    }
}

#[test]
fn the_comments_agree_but_where_they_begin_anew() {
    let Some(folder) = folder() else { return };
    for (name, least) in [("ROMv4", 2_150), ("ROMv5a", 2_350), ("ROMv6", 2_650)] {
        let rom = rom(&folder, name);
        let marks = rom.comments.clone();
        let count = marks.len();
        let proof: Proof = prove(
            &rom.words,
            &Contracts {
                marks,
                ..Contracts::default()
            },
        );
        let loops = proof.open.iter().filter(|o| o.1 == Open::Loop).count();
        println!(
            "{name}: {count} comments, {} pairs agree, {} do not, {loops} loops, {} states",
            proof.proven,
            proof.violations.len(),
            proof.states
        );
        assert!(proof.proven >= least, "{name}: {}", proof.proven);
    }
}

/// What the simulators of the machine find when the game runs: in every frame one line
/// of 220 clocks, four of 209 and one of 196, and others when buttons are pressed.
#[test]
fn the_bad_lines_of_a_game_are_found_without_running_it() {
    let Some(folder) = folder() else { return };
    let words: Vec<u16> = std::fs::read(folder.join("tetris.rom"))
        .expect("a ROM")
        .chunks_exact(2)
        .map(|c| u16::from_le_bytes([c[0], c[1]]))
        .collect();
    let found = lines(&words, &Contracts::default(), 200);
    println!("{} lines right, {} words", found.good, found.words);
    let bad: Vec<_> = found
        .bad
        .iter()
        .map(|b| (b.at, b.period, b.frame))
        .collect();
    let expected = [
        (0x030d, 220, Some((1, 1))),
        (0x0331, 209, Some((4, 4))),
        (0x038d, 205, Some((0, 2))),
        (0x03aa, 203, Some((0, 2))),
        (0x0448, 196, Some((0, 1))),
        (0x0448, 239, Some((0, 1))),
        (0x0500, 210, Some((0, 6))),
        (0x053c, 206, Some((0, 6))),
    ];
    assert_eq!(bad, expected);
    assert_eq!(found.frame.map(|f| f.0), Some(6));
    assert_eq!(found.open, []);
    assert!(found.good > 30_000, "{}", found.good);
}
