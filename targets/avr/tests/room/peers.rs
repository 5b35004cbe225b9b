//! Every word on every core against two other disassemblers, where they are
//! installed: avr-objdump and llvm-mc.

use crate::tools::have;
use std::collections::{BTreeMap, HashMap};
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use crate::common::{SETS, Set};
use scrimp_avr::features::{FULL, RC};
use scrimp_avr::table::FORMS;
use scrimp_avr::target::{ALL, decode};

/// What follows each word: `and r20,r21`, which every core has.
const SECOND: u16 = 0x2345;
/// Bytes for each word.
const STEP: u64 = 4;

/// An instruction as all write it: mnemonic, operands, numbers as numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Normal {
    name: String,
    operands: Vec<String>,
}

/// Reads a line of a disassembler. `here` is the address of the instruction, for what
/// is relative to it.
fn normal(text: &str, here: u64) -> Normal {
    let text = text
        .split(';')
        .next()
        .unwrap_or("")
        .trim()
        .to_ascii_lowercase();
    let (name, rest) = text.split_once([' ', '\t']).unwrap_or((&text, ""));
    let mut operands: Vec<String> = rest
        .split(',')
        .map(|o| operand(o.trim(), here))
        .filter(|o| !o.is_empty())
        .collect();
    let mut name = name.to_string();
    let twice = |operands: &mut Vec<String>| operands.push(operands[0].clone());
    match name.as_str() {
        "brlo" => name = "brcs".into(),
        "brsh" => name = "brcc".into(),
        "clr" | "lsl" | "rol" | "tst" => {
            twice(&mut operands);
            let real = [
                ("clr", "eor"),
                ("lsl", "add"),
                ("rol", "adc"),
                ("tst", "and"),
            ];
            name = real.iter().find(|r| r.0 == name).unwrap().1.into();
        }
        "ser" => {
            name = "ldi".into();
            operands.push("255".into());
        }
        "sbr" => name = "ori".into(),
        _ => {}
    }
    Normal { name, operands }
}

/// An operand with its numbers in decimal; addresses in flash are absolute.
fn operand(text: &str, here: u64) -> String {
    let number = |text: &str| {
        let hex = text.strip_prefix("0x").or(text.strip_prefix('$'));
        match hex {
            Some(hex) => i64::from_str_radix(hex, 16).ok(),
            None => text.parse().ok(),
        }
    };
    let relative = |text: &str, from: i64| Some(from + text.parse::<i64>().ok()?);
    if let Some(n) = text
        .strip_prefix('.')
        .and_then(|t| relative(t, here as i64 + 2))
    {
        return n.to_string();
    }
    if let Some(n) = text.strip_prefix('$').filter(|t| t.starts_with(['+', '-']))
        && let Some(n) = relative(n, here as i64)
    {
        return n.to_string();
    }
    if let Some(n) = number(text) {
        return n.to_string();
    }
    if let Some((word, n)) = text.split_once('+')
        && let Some(n) = number(n)
    {
        return format!("{word}+{n}");
    }
    text.to_string()
}

/// Our reading of a word, if it is an instruction of the core.
fn ours(first: u16, features: u32) -> Option<(Normal, u32)> {
    let ([a, b], [c, d]) = (first.to_le_bytes(), SECOND.to_le_bytes());
    let here = u64::from(first) * STEP;
    let found = decode(&[a, b, c, d], here, features)?;
    Some((normal(&found.text, here), FORMS[found.form].needs))
}

/// The reading where the CPU had everything: first on its own kind of core.
fn any(first: u16, set: &Set) -> Option<Normal> {
    let tiny = (set.features & RC != 0).then(|| ours(first, !FULL));
    let found = tiny.flatten().or_else(|| ours(first, ALL));
    found.map(|f| f.0)
}

/// Whether the two are LDS or STS of the reduced core, of whose address avr-objdump
/// shows seven bits.
fn short(ours: &Normal, theirs: &Normal) -> bool {
    let cut = |o: &String| {
        o.parse::<u32>()
            .map_or(o.clone(), |n| (n % 128).to_string())
    };
    let cut = |n: &Normal| n.operands.iter().map(cut).collect::<Vec<_>>();
    matches!(ours.name.as_str(), "lds" | "sts")
        && ours.name == theirs.name
        && cut(ours) == cut(theirs)
}

/// Shows the differences by mnemonic; their number.
fn report(set: &Set, wrong: &BTreeMap<String, (usize, String)>) -> usize {
    for (name, (count, example)) in wrong {
        println!("{}: {name} {count} times, first {example}", set.name);
    }
    wrong.len()
}

#[test]
fn avr_objdump() {
    if !have(&["avr-objdump"]) {
        return;
    }
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("words.bin");
    let image: Vec<u8> = (0..=0xffffu16)
        .flat_map(|first| [first, SECOND])
        .flat_map(u16::to_le_bytes)
        .collect();
    std::fs::write(&path, image).unwrap();
    let mut kinds = 0;
    for set in SETS {
        let mut tool = Command::new("avr-objdump");
        tool.args([
            "-D",
            "-z",
            "-b",
            "binary",
            "-m",
            &format!("avr:{}", set.gnu),
        ]);
        let output = tool.arg(&path).output().unwrap();
        assert!(output.status.success());
        let text = String::from_utf8(output.stdout).unwrap();
        let mut theirs = HashMap::new();
        for line in text.lines() {
            let mut parts = line.splitn(3, '\t');
            let (Some(at), Some(_), Some(text)) = (parts.next(), parts.next(), parts.next()) else {
                continue;
            };
            let at = at.trim().trim_end_matches(':');
            if let Ok(at) = u64::from_str_radix(at, 16) {
                theirs.insert(at, text.to_string());
            }
        }
        let mut wrong = BTreeMap::new();
        let (mut same, mut undefined, mut lacking) = (0, 0, 0);
        for first in 0..=0xffffu16 {
            let here = u64::from(first) * STEP;
            let text = &theirs[&here];
            let other = (!text.contains(".word")).then(|| normal(text, here));
            // It prints what a core lacks all the same: that must be for the lack.
            let mine = ours(first, set.features);
            let all = any(first, set);
            if mine.is_none() && all.is_some() {
                lacking += 1;
            }
            match (all, other) {
                (None, None) => undefined += 1,
                (a, b) if a == b => same += 1,
                (Some(a), Some(b)) if set.features & RC != 0 && short(&a, &b) => same += 1,
                (a, b) => {
                    let name = b.as_ref().or(a.as_ref()).unwrap().name.clone();
                    let example = format!("{first:04x}: {a:?}, theirs {text:?}");
                    wrong.entry(name).or_insert((0, example)).0 += 1;
                }
            }
        }
        println!(
            "{}: {same} words the same, {undefined} undefined, {lacking} lacking",
            set.name
        );
        kinds += report(set, &wrong);
    }
    assert_eq!(kinds, 0);
}

#[test]
fn llvm_mc() {
    if !have(&["llvm-mc"]) {
        return;
    }
    // Each entry ends with a NOP; a word that means nothing leaves only that.
    let input: String = (0..=0xffffu16)
        .filter(|&first| !crashes(first))
        .map(|first| {
            let bytes = [first, SECOND, 0].map(u16::to_le_bytes);
            let texts = bytes.as_flattened().iter().map(|b| format!("{b:#04x} "));
            texts.collect::<String>() + "\n"
        })
        .collect();
    let mut kinds = 0;
    for set in SETS {
        let mut tool = Command::new("llvm-mc");
        tool.args([
            "--disassemble",
            "--arch=avr",
            &format!("-mcpu={}", set.llvm),
        ]);
        let pipes = tool
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        let mut child = pipes.spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let text = input.clone();
        let writer = std::thread::spawn(move || stdin.write_all(text.as_bytes()));
        let output = child.wait_with_output().unwrap();
        writer.join().unwrap().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        let mut lines = text.lines().map(str::trim).filter(|l| !l.starts_with('.'));
        let mut wrong = BTreeMap::new();
        let (mut same, mut unknown, mut lacking) = (0, 0, 0);
        for first in (0..=0xffffu16).filter(|&first| !crashes(first)) {
            let here = u64::from(first) * STEP;
            let mut entry = Vec::new();
            if first == 0 {
                entry.extend(lines.next());
            }
            entry.extend(lines.by_ref().take_while(|&l| l != "nop"));
            let mine = ours(first, set.features).map(|m| m.0);
            let Some(&text) = entry.first() else {
                unknown += usize::from(mine.is_some());
                continue;
            };
            let other = normal(text, here);
            if mine.as_ref().is_some_and(|m| agrees(m, &other)) {
                same += 1;
                continue;
            }
            // Its families have instructions that not each of their parts has.
            if mine.is_none() && any(first, set).is_some_and(|a| agrees(&a, &other)) {
                lacking += 1;
                continue;
            }
            let example = format!("{first:04x}: {mine:?}, theirs {text:?}");
            wrong.entry(other.name).or_insert((0, example)).0 += 1;
        }
        println!(
            "{}: {same} words the same, {lacking} lacking, {unknown} that llvm-mc does not know",
            set.name
        );
        kinds += report(set, &wrong);
    }
    assert_eq!(kinds, 0);
}

/// The words of LDD and STD (and the LDS and STS of the reduced core), on which
/// llvm-mc 14 ends with a fault.
fn crashes(first: u16) -> bool {
    first & 0xd000 == 0x8000
}

/// Whether llvm-mc reads a word as we do, as far as it tells: version 14 has no targets
/// of relative branches.
fn agrees(ours: &Normal, theirs: &Normal) -> bool {
    let name = theirs.name.as_str();
    let branch = name.starts_with("br") && name != "break" || name == "rjmp" || name == "rcall";
    // Nor the operands of these, or not all.
    let bit = matches!(name, "sbrc" | "sbrs" | "mul");
    ours == theirs || (branch || bit) && ours.name == name
}
