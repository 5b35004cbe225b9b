//! Random changes of the program's sources: none that gives a bad line passes `check`,
//! and most of those that give none pass it without a word.
//!
//! `SCRIMP_SEED` begins elsewhere, `SCRIMP_CHANGES` makes so many changes.

use super::machine::folder;
use crate::common::random::Random;
use scrimp::text::source::MemoryLoader;
use scrimp::{Job, Settings, assemble_with, targets};
use scrimp_gigatron::sim::{BadKind, Button, Console, Cpu, Memory, Sync, Timing};
use std::collections::BTreeMap;

/// Clocks of a frame.
const FRAME: u64 = 104_200;

/// The sources by name.
fn sources() -> BTreeMap<String, Vec<String>> {
    let mut out = BTreeMap::new();
    for entry in std::fs::read_dir(folder()).expect("the program's folder") {
        let path = entry.expect("an entry").path();
        if path.extension().is_some_and(|e| e == "asm") {
            let name = path
                .file_name()
                .expect("a name")
                .to_string_lossy()
                .into_owned();
            let text = std::fs::read_to_string(&path).expect("a source");
            out.insert(name, text.lines().map(str::to_owned).collect());
        }
    }
    out
}

/// What stands on a line without label and comment.
fn statement(line: &str) -> &str {
    let code = line.split(';').next().unwrap_or("");
    let code = match code.split_once(':') {
        Some((_, rest)) => rest,
        None if code.starts_with(char::is_whitespace) => code,
        None => "",
    };
    code.trim()
}

/// Places of numbers in a line.
fn numbers(line: &str) -> Vec<std::ops::Range<usize>> {
    let code = line.split(';').next().unwrap_or("");
    let bytes = code.as_bytes();
    let word = |b: u8| b.is_ascii_alphanumeric() || b"$%_.".contains(&b);
    let mut out = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let end = (at..bytes.len())
            .find(|&i| !word(bytes[i]))
            .unwrap_or(bytes.len());
        if end > at && code[at..end].bytes().all(|b| b.is_ascii_digit()) {
            out.push(at..end);
        }
        at = end.max(at) + 1;
    }
    out
}

/// Changes one line or two; nothing if the change came to nothing.
fn change(files: &mut BTreeMap<String, Vec<String>>, random: &mut Random) -> Option<String> {
    // Each file as often, whatever its length.
    let names: Vec<String> = files.keys().cloned().collect();
    let skipped = ["check.asm", "perft.asm", "program.asm", "chess.asm"];
    let names: Vec<&String> = names
        .iter()
        .filter(|n| !skipped.contains(&n.as_str()))
        .collect();
    let name = names[random.below(names.len())].clone();
    let lines = files.get_mut(&name)?;
    let at = random.below(lines.len());
    let code = statement(&lines[at]).to_owned();
    let directive = [
        "include", "section", "endm", "endr", "ifdef", "endif", "else", "if", "elif",
    ];
    let first = code.split_whitespace().next()?.to_owned();
    if directive.contains(&&*first) {
        return None;
    }
    let before = lines[at].clone();
    let what = match random.below(9) {
        0 => {
            lines[at] = match before.split_once(':') {
                Some((label, _)) if !before.starts_with(' ') => format!("{label}:"),
                _ => String::new(),
            };
            "deleted"
        }
        1 => {
            lines.insert(at + 1, format!("        {code}"));
            "doubled"
        }
        2 => {
            let other = statement(lines.get(at + 1)?).to_owned();
            if other.is_empty() || directive.iter().any(|d| other.starts_with(d)) {
                return None;
            }
            let swap = |line: &str, old: &str, new: &str| line.replacen(old, new, 1);
            lines[at] = swap(&before, &code, &other);
            lines[at + 1] = swap(&lines[at + 1].clone(), &other, &code);
            "swapped"
        }
        3 => {
            let jumps = ["bra ", "beq ", "bne ", "bgt ", "blt ", "bge ", "ble "];
            if !jumps.iter().any(|j| code.starts_with(j)) || code.ends_with([']', 'c']) {
                return None;
            }
            let by = random.pick(&[" + 1", " - 1", " + 2"]);
            lines[at] = before.replacen(&code, &format!("{code}{by}"), 1);
            "shifted"
        }
        // A cell or column for another one.
        6 => {
            let (from, to) = (code.find('[')?, code.find(']')?);
            let cell = &code[from + 1..to];
            if !cell
                .bytes()
                .all(|b| b.is_ascii_alphanumeric() || b".+ ".contains(&b))
            {
                return None;
            }
            let by = random.pick(&[" + 1", " - 1"]);
            lines[at] = before.replacen(&format!("[{cell}]"), &format!("[{cell}{by}]"), 1);
            "another cell"
        }
        // Another operation.
        7 => {
            let words = ["ld", "anda", "ora", "xora", "adda", "suba"];
            let old = words.iter().find(|w| ***w == *first)?;
            let new = random.pick(&words);
            lines[at] = before.replacen(&format!("{old} "), &format!("{new} "), 1);
            "another operation"
        }
        // Another condition.
        8 => {
            let words = ["beq", "bne", "bgt", "blt", "bge", "ble", "bra"];
            let old = words.iter().find(|w| ***w == *first)?;
            let new = random.pick(&words);
            lines[at] = before.replacen(&format!("{old} "), &format!("{new} "), 1);
            "another condition"
        }
        4 | 5 => {
            let found = numbers(&before);
            if found.is_empty() {
                return None;
            }
            let range = found[random.below(found.len())].clone();
            let old: i64 = before[range.clone()].parse().ok()?;
            let new = (old + random.pick(&[1, -1, 2, -2, 8])).max(0);
            lines[at].replace_range(range, &new.to_string());
            "another number"
        }
        _ => return None,
    };
    let changed = lines[at] != before || what == "doubled";
    changed.then(|| format!("{name}:{} {what}: {}", at + 1, before.trim()))
}

/// What came of a change.
#[derive(Debug, PartialEq, Eq)]
enum Verdict {
    /// It does not assemble, or the proof says that it is wrong: there is no image.
    Error,
    /// With findings; whether the lines are good all the same.
    Told(bool),
    /// Without a word; whether the lines are good.
    Passed(bool),
}

/// A check of the whole program, as `scrimp check` does it.
fn whole_proof() -> (Job<'static>, Settings) {
    let target = targets::by_name("gigatron").expect("the Gigatron");
    let job = Job {
        file: "program.asm".into(),
        target,
        machine: target.machine("gigatron-32k"),
        dialect: "native".into(),
        defines: Vec::new(),
    };
    let settings = Settings {
        whole_proof: true,
        ..Settings::default()
    };
    (job, settings)
}

fn loaded(files: &BTreeMap<String, Vec<String>>) -> MemoryLoader {
    let mut loader = MemoryLoader::default();
    for (name, lines) in files {
        loader = loader.with(name, lines.join("\n").as_bytes());
    }
    loader
}

fn verdict(files: &BTreeMap<String, Vec<String>>) -> Verdict {
    let (job, settings) = whole_proof();
    let output = assemble_with(&job, &settings, &loaded(files));
    let told = !output.diagnostics.is_empty();
    let Some(image) = output.image else {
        return Verdict::Error;
    };
    let mut rom = image.binary(0);
    rom.resize(0x2_0000, 0);
    let good = steady(&rom);
    match told {
        true => Verdict::Told(good),
        false => Verdict::Passed(good),
    }
}

/// Whether all lines are good: boot, a search, keys while it thinks and while it waits.
fn steady(rom: &[u8]) -> bool {
    let mut cpu = Cpu::new(rom, Memory::K32).expect("a ROM");
    let mut console = Console::default();
    console.sync = Sync::new(Timing::VGA);
    let script: &[(Option<Button>, u64)] = &[
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
    for &(button, frames) in script {
        if let Some(b) = button {
            console.input.button(b, true);
            let until = cpu.now() + 3 * FRAME;
            cpu.run(&mut console, until);
            console.input.button(b, false);
        }
        let until = cpu.now() + frames * FRAME;
        cpu.run(&mut console, until);
    }
    let kinds = [
        BadKind::Period,
        BadKind::Width,
        BadKind::Lines,
        BadKind::Pulse,
    ];
    let sync = &console.sync;
    kinds.iter().all(|&k| sync.count(k) == 0) && sync.lines() + 1000 >= cpu.now() / 200
}

#[track_caller]
fn changes(count: usize) {
    let number = |name: &str, or: usize| {
        let value = std::env::var(name).ok();
        value.and_then(|v| v.parse().ok()).unwrap_or(or)
    };
    let seed = number("SCRIMP_SEED", 1);
    let count = number("SCRIMP_CHANGES", count);
    let whole = sources();
    let (mut wrong, mut neutral, mut silent, mut refused) = (Vec::new(), 0, 0, 0);
    let mut done = 0;
    let mut random = Random(seed as u64);
    while done < count {
        let mut files = whole.clone();
        let Some(what) = change(&mut files, &mut random) else {
            continue;
        };
        done += 1;
        let found = verdict(&files);
        println!("{found:?} {what}");
        match found {
            Verdict::Error => refused += 1,
            Verdict::Passed(false) => wrong.push(what),
            Verdict::Told(false) => {}
            Verdict::Told(true) => neutral += 1,
            Verdict::Passed(true) => {
                neutral += 1;
                silent += 1;
            }
        }
    }
    println!("{done} changes: {refused} refused, {neutral} neutral, {silent} of them silent");
    assert_eq!(wrong, Vec::<String>::new(), "passed with bad lines");
    // Of few changes one can be most.
    let enough = neutral < 40 || silent * 10 >= neutral * 8;
    assert!(enough, "{silent} of {neutral} pass");
}

#[test]
fn the_sources_as_they_are_pass_the_whole_proof_without_a_word() {
    let (job, settings) = whole_proof();
    let output = assemble_with(&job, &settings, &loaded(&sources()));
    let told: Vec<String> = output
        .diagnostics
        .iter()
        .map(|d| format!("{} {}", d.code, d.message))
        .collect();
    assert_eq!(told, Vec::<String>::new());
    let image = output.image.expect("an image");
    assert!(image.proven > 7000, "only {} stretches", image.proven);
}

/// With a text of a file replaced, which must be there.
fn replaced(changes: &[(&str, &str, &str)]) -> BTreeMap<String, Vec<String>> {
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
    assert_eq!(verdict(&files), Verdict::Error);
}

#[test]
#[ignore = "slow"]
fn slow_a_place_of_the_lists_that_is_no_picture_is_told() {
    let files = replaced(&[("display.asm", "        anda 15\n", "")]);
    assert_ne!(verdict(&files), Verdict::Passed(true));
    assert_ne!(verdict(&files), Verdict::Passed(false));
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
