//! Names of devices, as the various assemblers spell them.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::sync::{Mutex, OnceLock, PoisonError};

use super::families;
use super::model::Device;
use super::parse::parse;

/// The devices of each file: name as written, name in small letters, index of the file.
fn list() -> &'static [(&'static str, String, usize)] {
    static LIST: OnceLock<Vec<(&'static str, String, usize)>> = OnceLock::new();
    LIST.get_or_init(|| {
        let each = families::NAMES.iter();
        let mut list: Vec<_> = each
            .map(|&(name, file)| (name, name.to_ascii_lowercase(), file))
            .collect();
        list.sort();
        list
    })
}

/// The names of all devices as the manufacturer writes them, sorted.
#[must_use]
pub fn names() -> Vec<&'static str> {
    list().iter().map(|r| r.0).collect()
}

/// Short beginnings and what they stand for: of avrdude, of the names of include files.
const SHORT: &[(&str, &str)] = &[
    ("", ""),
    ("m", "atmega"),
    ("t", "attiny"),
    ("tn", "attiny"),
    ("tiny", "attiny"),
    ("mega", "atmega"),
    ("x", "atxmega"),
    ("xmega", "atxmega"),
    ("usb", "at90usb"),
    ("can", "at90can"),
    ("c", "at90can"),
    ("pwm", "at90pwm"),
    ("scr", "at90scr"),
    ("90", "at90"),
    ("s", "at90s"),
    ("", "at90s"),
    ("", "at90"),
    ("", "at"),
    ("a", "ata"),
];

/// The device of that name. Case does not matter; besides the whole name
/// (`ATmega328P`) the short ones of avrdude and of include files are known (`m328p`,
/// `t85`, `tn85`, `8515`, `usb1287`).
#[must_use]
pub fn find(name: &str) -> Option<&'static Device> {
    static PARSED: Mutex<BTreeMap<&'static str, &'static Device>> = Mutex::new(BTreeMap::new());
    if name.len() > 32 || name.is_empty() {
        return None;
    }
    let lower = name.to_ascii_lowercase();
    let (full, _, file) = SHORT.iter().find_map(|(begin, long)| {
        let whole = format!("{long}{}", lower.strip_prefix(begin)?);
        list().iter().find(|r| r.1 == whole)
    })?;
    let mut parsed = PARSED.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(device) = parsed.get(full) {
        return Some(device);
    }
    // The files are checked by a test; a fault in one would make its devices unknown.
    let device = parse(families::text(*file), Some(full)).ok()?.pop()?;
    // Each device once and for all: the text it points into lives as long.
    let device: &'static Device = Box::leak(Box::new(device));
    parsed.insert(full, device);
    Some(device)
}

/// Up to four names of devices that are near to one that is not known.
#[must_use]
pub fn near(name: &str) -> Vec<&'static str> {
    let lower = name.to_ascii_lowercase();
    if name.is_empty() || name.len() > 32 {
        return Vec::new();
    }
    // As written, and with a short beginning written out.
    let begins = SHORT.iter().filter(|(begin, _)| !begin.is_empty());
    let mut wanted: Vec<String> = begins
        .filter_map(|(begin, long)| Some(format!("{long}{}", lower.strip_prefix(begin)?)))
        .collect();
    wanted.push(format!("at90s{lower}"));
    wanted.push(lower);
    let mut found: Vec<(Nearness, &'static str)> = list()
        .iter()
        .filter_map(|(full, lower, _)| {
            let each = wanted.iter().map(|wanted| (nearness(wanted, lower), *full));
            each.min().filter(|f| f.0.0 <= 2)
        })
        .collect();
    found.sort();
    // Only those that are as near as the nearest.
    let nearest = found.first().map_or(0, |f| f.0.0);
    found.retain(|f| f.0.0 == nearest);
    found.truncate(4);
    found.into_iter().map(|f| f.1).collect()
}

/// How many letters differ, by how many one is longer, how many are the same from the
/// start (the more the nearer), how far the numbers at the end are apart.
type Nearness = (usize, usize, Reverse<usize>, u64);

fn nearness(a: &str, b: &str) -> Nearness {
    let number = |s: &str| {
        let digits = s.len() - s.trim_end_matches(|c: char| c.is_ascii_digit()).len();
        s[s.len() - digits..].parse().unwrap_or(0u64)
    };
    let begin = a.bytes().zip(b.bytes());
    (
        distance(a.as_bytes(), b.as_bytes()),
        a.len().abs_diff(b.len()),
        Reverse(begin.take_while(|(a, b)| a == b).count()),
        number(a).abs_diff(number(b)),
    )
}

/// The name of a device's include file, as the maker has it: `tn85def.inc`, `m328Pdef.inc`.
fn include_name(device: &str) -> String {
    let lower = device.to_ascii_lowercase();
    let short = [
        ("atmega", "m"),
        ("attiny", "tn"),
        ("atxmega", "x"),
        ("at90usb", "usb"),
        ("at90can", "can"),
        ("at90pwm", "pwm"),
        ("at90s", ""),
    ];
    let begin = |(long, _): &&(&str, &str)| lower.starts_with(long);
    let rest = |(long, short): &(&str, &str)| format!("{short}{}", &device[long.len()..]);
    let name = short.iter().find(begin).map(rest);
    format!("{}def.inc", name.unwrap_or(lower.clone()))
}

/// The include file of a device that has a name in the language of a dialect.
#[must_use]
pub fn include_with(name: &str, dialect: &str, device: &Device) -> Option<String> {
    let (path, text) = match dialect {
        "avrasm2" | "avra" => {
            let path = include_name(device.name);
            let text = super::avrasm_include(&path)?;
            (path, text)
        }
        "gas-avr" => (
            "avr/io.h".to_owned(),
            // What it includes comes with it.
            ["avr/io.h", "avr/sfr_defs.h"]
                .iter()
                .map(|h| super::gnu_include(h, device))
                .collect::<Option<String>>()?,
        ),
        _ => (super::NATIVE_PATH.to_owned(), super::native_include(device)),
    };
    // The name that a line defines: behind `.equ`, `.def` or `#define`, or at its start.
    let defined = |line: &str| {
        let words = line.split(|c: char| !(c.is_ascii_alphanumeric() || "_.#".contains(c)));
        let mut words = words.filter(|w| !w.is_empty());
        let first = words.next();
        let word = match first {
            Some(".equ" | ".def" | "#define" | "def") => words.next(),
            first => first,
        };
        word.is_some_and(|w| w.eq_ignore_ascii_case(name))
    };
    text.lines().any(defined).then_some(path)
}

/// Up to four include files that are near to one that there is not: those of the devices
/// that are near, by the letters too.
#[must_use]
pub fn near_includes(path: &str) -> Vec<String> {
    let file = path.rsplit(['/', '\\']).next().unwrap_or(path);
    let lower = file.to_ascii_lowercase();
    if !lower.ends_with(".inc") || lower.len() > 40 {
        return Vec::new();
    }
    // `tn84defs.inc`, `m8_def.inc`, `attiny84.inc`.
    let wanted = lower.trim_end_matches(".inc");
    let ends = ["defs", "def"];
    let wanted = ends
        .iter()
        .find_map(|e| wanted.strip_suffix(e))
        .unwrap_or(wanted);
    let wanted = wanted.trim_end_matches(['_', '-', '.']);
    let mut found: Vec<(Nearness, String)> = names()
        .into_iter()
        .map(|n| {
            let name = include_name(n);
            let short = name.trim_end_matches("def.inc").to_ascii_lowercase();
            let whole = nearness(wanted, &n.to_ascii_lowercase());
            (nearness(wanted, &short).min(whole), name)
        })
        .filter(|f| f.0.0 <= 2)
        .collect();
    found.sort();
    let nearest = found.first().map_or(0, |f| f.0.0);
    found.retain(|f| f.0.0 == nearest);
    found.truncate(4);
    found.into_iter().map(|f| f.1).collect()
}

/// How many letters must be changed, added, removed or exchanged with their neighbour.
fn distance(a: &[u8], b: &[u8]) -> usize {
    let mut rows = vec![vec![0; b.len() + 1]; a.len() + 1];
    for (j, cell) in rows[0].iter_mut().enumerate() {
        *cell = j;
    }
    for i in 1..=a.len() {
        rows[i][0] = i;
        for j in 1..=b.len() {
            let change = rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut best = change.min(rows[i - 1][j] + 1).min(rows[i][j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(rows[i - 2][j - 2] + 1);
            }
            rows[i][j] = best;
        }
    }
    rows[a.len()][b.len()]
}
