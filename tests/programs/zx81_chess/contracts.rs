//! The bytes and T-states that the contracts in the source state are measured here.
//! `BLESS=1` writes what is found into the source.

use super::device::{CHESS, Device, MINUTE, at, legal, target};
use super::moves::positions;
use cozy_chess::{Board, GameStatus};
use scrimp_isa::machine::Stop;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Labels of the search, all watched at once: a way from one to the next passes no third.
const SEARCH: [&str; 10] = [
    "make", "descend", "search", "scan", "valued", "undo", "legal", "cont", "slide", "turn",
];
/// How many labels are passed in each position.
const STOPS: usize = 6_000;

type Pair = (String, String);

fn source() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("programs/zx81-chess/chess.asm")
}

/// `;   T-states from A to B: ...` as A and B.
fn pair(line: &str) -> Option<Pair> {
    let (names, _) = line.strip_prefix(";   T-states from ")?.split_once(':')?;
    let (from, to) = names.split_once(" to ")?;
    Some((from.into(), to.into()))
}

/// The label of a header line.
fn header(line: &str) -> Option<&str> {
    let name = line.strip_prefix("; ---")?.trim_start_matches('-').trim();
    Some(if name == "tables" { "table" } else { name })
}

/// Notes how long it takes from one of the labels to the next one.
struct Watch<'a> {
    places: Vec<(u64, &'a str)>,
    last: Option<(&'a str, u64)>,
    found: &'a mut BTreeMap<Pair, (u64, u64)>,
}

impl Watch<'_> {
    fn passes(&mut self, device: &Device, place: u64) {
        let now = device.0.cycles();
        let (_, name) = self.places.iter().find(|p| p.0 == place).expect("watched");
        if let Some((from, start)) = self.last {
            let took = now - start;
            let range = self.found.entry((from.into(), (*name).into()));
            let range = range.or_insert((took, took));
            *range = (range.0.min(took), range.1.max(took));
        }
        self.last = Some((name, now));
    }
}

/// Runs from an address until `back` or `most` stops at the labels.
fn run(
    device: &mut Device,
    labels: &[&str],
    back: &str,
    most: usize,
    found: &mut BTreeMap<Pair, (u64, u64)>,
) {
    let places: Vec<(u64, &str)> = labels.iter().map(|l| (at(l), *l)).collect();
    let mut watch = Watch {
        places: places.clone(),
        last: None,
        found,
    };
    let back = at(back);
    let all = || places.iter().map(|p| p.0).chain([back]);
    all().for_each(|p| device.0.breakpoint(p, true));
    for _ in 0..most {
        match device.0.run(MINUTE) {
            Stop::Breakpoint(place) if place == back => break,
            Stop::Breakpoint(place) => watch.passes(device, place),
            other => panic!("{labels:?}: {other:?} at ${:04X}", device.0.pc()),
        }
    }
    all().for_each(|p| device.0.breakpoint(p, false));
}

/// All ways in some positions: a thought, all moves played, the mark.
fn measured(pairs: &[Pair]) -> BTreeMap<Pair, (u64, u64)> {
    let mut found = BTreeMap::new();
    let fresh = Device::fast();
    let own = |board: &Board| {
        let mut device = fresh.clone();
        device.set_position(board);
        device
    };
    let going = |p: &(_, Board, _)| p.1.status() == GameStatus::Ongoing;
    for (_, board, _) in positions().filter(going) {
        let mut device = own(&board);
        device.entry(None);
        device.set("sp", 0x440C);
        device.set("hl", 0x4000);
        device.set("pc", at("think"));
        run(&mut device, &SEARCH, "thought", STOPS, &mut found);
        for (from, to) in pairs {
            if SEARCH.contains(&from.as_str()) {
                continue;
            }
            let labels = [from.as_str(), to.as_str()];
            if from == "status" {
                let mut device = own(&board);
                device.set("sp", 0x4400);
                device.set("pc", at("main"));
                run(&mut device, &labels, "input", STOPS, &mut found);
                continue;
            }
            for m in legal(&board) {
                let mut device = own(&board);
                device.entry(Some((m.from, target(&board, m))));
                device.set("sp", 0x4400);
                device.set("pc", at("thought") + 4);
                run(&mut device, &labels, "main", STOPS, &mut found);
            }
        }
    }
    found
}

#[test]
fn contracts_state_what_is_measured() {
    let text = std::fs::read_to_string(source()).expect("the source");
    let pairs: Vec<Pair> = text.lines().filter_map(pair).collect();
    assert!(pairs.len() >= 12, "the contracts state T-states");
    let found = measured(&pairs);
    let end = 0x4009 + CHESS.file.len() as u64;
    let headers: Vec<&str> = text.lines().filter_map(header).collect();
    let mut name = "";
    let mut out = String::new();
    for line in text.lines() {
        name = header(line).unwrap_or(name);
        let bytes = line
            .strip_prefix(";   ")
            .and_then(|l| l.strip_suffix(" bytes"));
        if let Some(pair) = pair(line) {
            let (least, most) = found
                .get(&pair)
                .unwrap_or_else(|| panic!("no way from {} to {}", pair.0, pair.1));
            let (from, to) = pair;
            out += &format!(";   T-states from {from} to {to}: {least} to {most}");
        } else if bytes.is_some_and(|b| b.parse::<u64>().is_ok()) {
            let next = headers.iter().skip_while(|h| **h != name).nth(1);
            let next = next.map_or(end, |n| at(n));
            out += &format!(";   {} bytes", next - at(name));
        } else {
            out += line;
        }
        out += "\n";
    }
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(source(), &out).expect("written");
        return;
    }
    for (is, wanted) in text.lines().zip(out.lines()) {
        assert_eq!(is, wanted, "BLESS=1 rewrites it");
    }
}
