//! Our `avr/io.h` beside that of avr-libc, for every device that both know.
//!
//! Each name that ours defines is expanded by avr-gcc with its own header; where that
//! gives a number, ours must be the same.

use crate::tools::{have, skip};
use std::collections::BTreeMap;
use std::io::Write;
use std::process::{Command, Stdio};

use scrimp_avr::devices::{self, Device};

/// Where avr-libc 2.0.0 has another number than the device pack and the data sheet, by
/// device and beginning of the name; an empty device is any.
const OTHERWISE: &[(&str, &str)] = &[
    // What a new part has: the header and the pack differ in what they call new.
    ("", "LFUSE_DEFAULT"),
    ("", "HFUSE_DEFAULT"),
    ("", "EFUSE_DEFAULT"),
    ("atxmega", "FUSE"),
    // Masks are positive since the fuses hold values, in avr-libc from 2.1 on.
    ("attiny", "FUSE_"),
    // Sizes of address spaces rather than of memories.
    ("atxmega", "DATAMEM_"),
    ("atxmega", "EXTERNAL_SRAM_"),
    ("atxmega", "PROD_SIGNATURES_"),
    ("atxmega", "USER_SIGNATURES_"),
    ("", "XRAM"),
    // Counts and signatures that the data sheet has as we do.
    ("", "_VECTORS_SIZE"),
    ("at90s4434", "SIGNATURE_"),
    ("atmega164", "SIGNATURE_"),
    ("atmega165", "SIGNATURE_"),
    ("atmega169a", "SIGNATURE_"),
    ("atmega325", "SIGNATURE_"),
    ("atmega3290p", "SIGNATURE_"),
    ("atmega645", "SIGNATURE_"),
    ("atmega6490p", "SIGNATURE_"),
    ("atmega329pa", "SIGNATURE_"),
    ("attiny4", "SIGNATURE_"),
    ("attiny5", "SIGNATURE_"),
    ("attiny", "SPM_PAGESIZE"),
    ("atmega32hvb", "SPM_PAGESIZE"),
    // Bits that the header has in another place than the data sheet.
    ("", "TWAM"),
    ("atmega32u4", "ADTS3"),
    ("atmega645p", "BODS"),
    ("attiny87", "PUDB"),
    ("atxmega", "NVM_FUSES_BODACT"),
];

/// The value of an expression of the headers, when it is a number.
fn value(text: &str, offset: i64) -> Option<i64> {
    let mut parser = Parser {
        rest: text.trim(),
        offset,
    };
    let value = parser.expression(0)?;
    parser.rest.trim().is_empty().then_some(value)
}

struct Parser<'a> {
    rest: &'a str,
    offset: i64,
}

impl Parser<'_> {
    fn accept(&mut self, token: &str) -> bool {
        let rest = self.rest.trim_start();
        match rest.strip_prefix(token) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn expression(&mut self, level: usize) -> Option<i64> {
        const LEVELS: [&[&str]; 4] = [&["|"], &["<<"], &["+", "-"], &["*"]];
        let Some(operators) = LEVELS.get(level) else {
            return self.primary();
        };
        let mut left = self.expression(level + 1)?;
        while let Some(operator) = operators.iter().find(|o| self.accept(o)) {
            let right = self.expression(level + 1)?;
            left = match *operator {
                "|" => left | right,
                "<<" => left.checked_shl(right.try_into().ok()?)?,
                "+" => left + right,
                "-" => left - right,
                _ => left.checked_mul(right)?,
            };
        }
        Some(left)
    }

    fn primary(&mut self) -> Option<i64> {
        if self.accept("~") {
            return Some(!self.primary()?);
        }
        if self.accept("-") {
            return Some(-self.primary()?);
        }
        // A cast to a byte keeps the low bits, which is all that is compared.
        if self.accept("(unsigned char)") {
            return self.primary();
        }
        if self.accept("(") {
            let inner = self.expression(0)?;
            return self.accept(")").then_some(inner);
        }
        let rest = self.rest.trim_start();
        let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        let (word, rest) = rest.split_at(end.unwrap_or(rest.len()));
        self.rest = rest;
        if word.starts_with(|c: char| c.is_ascii_digit()) {
            let digits = word.trim_end_matches(['u', 'U', 'l', 'L']);
            return match digits.strip_prefix("0x").or(digits.strip_prefix("0X")) {
                Some(hex) => i64::from_str_radix(hex, 16).ok(),
                None => digits.parse().ok(),
            };
        }
        if let Some(number) = word.strip_prefix("__vector_") {
            return number.parse().ok();
        }
        if !self.accept("(") {
            return None;
        }
        let inner = self.expression(0)?;
        if !self.accept(")") {
            return None;
        }
        match word {
            "_SFR_IO8" | "_SFR_IO16" => Some(inner + self.offset),
            "_SFR_MEM8" | "_SFR_MEM16" | "_SFR_MEM32" | "_VECTOR" => Some(inner),
            "_BV" => Some(1 << inner),
            _ => None,
        }
    }
}

/// Our definitions that are numbers.
fn ours(device: &Device) -> BTreeMap<String, i64> {
    let text = devices::gnu_include("avr/io.h", device).expect("a header");
    let offset = i64::from(device.io_offset());
    text.lines()
        .filter_map(|line| line.strip_prefix("#define ")?.split_once(' '))
        .filter_map(|(name, v)| Some((name.to_owned(), value(v, offset)?)))
        .collect()
}

/// The names expanded by avr-gcc with its own header; `None` when it knows no such device.
fn theirs<'a>(device: &Device, names: impl Iterator<Item = &'a String>) -> Option<String> {
    let mut child = Command::new("avr-gcc")
        .args([
            "-E",
            "-P",
            "-x",
            "assembler-with-cpp",
            "-include",
            "avr/io.h",
        ])
        .arg(format!("-mmcu={}", device.gnu_name()))
        .arg("-")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .ok()?;
    // A line that begins with a word of digits is not touched by the preprocessor.
    let lines: String = names.map(|n| format!("\"{n}\" {n}\n")).collect();
    child.stdin.take()?.write_all(lines.as_bytes()).ok()?;
    let output = child.wait_with_output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    (output.status.success() && text.contains("\"FLASHEND\"")).then_some(text)
}

#[test]
fn numbers_are_those_of_avr_libc() {
    if !have(&["avr-gcc"]) {
        return;
    }
    if !std::path::Path::new("/usr/lib/avr/include/avr/io.h").exists() {
        skip("avr-libc", "avr-libc is not installed");
        return;
    }
    let (mut compared, mut known, mut wrong) = (0, 0, Vec::new());
    for name in devices::names() {
        let device = devices::find(name).expect("a device");
        let ours = ours(device);
        let Some(theirs) = theirs(device, ours.keys()) else {
            continue;
        };
        known += 1;
        let gnu_name = device.gnu_name();
        for line in theirs.lines().filter_map(|l| l.strip_prefix('"')) {
            let Some((name, text)) = line.split_once("\" ") else {
                continue;
            };
            let Some(theirs) = value(text, 0) else {
                continue;
            };
            compared += 1;
            let excused = OTHERWISE
                .iter()
                .any(|(d, n)| gnu_name.starts_with(d) && name.starts_with(n));
            if ours[name] != theirs && !excused {
                wrong.push(format!("{gnu_name} {name}: {} and {theirs}", ours[name]));
            }
        }
    }
    assert!(wrong.is_empty(), "{}\n{}", wrong.len(), wrong.join("\n"));
    assert!(known > 100 && compared > 100_000, "{known} {compared}");
    eprintln!("{compared} numbers of {known} devices are alike");
}
