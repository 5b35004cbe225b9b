//! The file format of the vCPU's programs: `.gt1`, segments and a start address.

use std::collections::{BTreeMap, BTreeSet};

use scrimp_isa::ImageView;
use scrimp_isa::container::{Contained, Container, ContainerError, Contents};

use crate::machines::{leaves_page, segments_anywhere};

/// All formats.
pub const ALL: &[Container] = &[Container {
    name: "gt1",
    about: "Gigatron RAM program for a ROM's loader; starts at the label `start`",
    memory: None,
    symbols_behind: false,
    read: Some(read),
    write,
}];

/// Bytes of a page, which a segment leaves only where its size says so.
const PAGE: u64 = 0x100;

/// The name that says where a segment of the file begins: the first is `segment1`.
fn segment(n: usize) -> String {
    format!("segment{n}")
}

/// The name of how many bytes it has, where segments lie one over another.
fn size(n: usize) -> String {
    format!("segment{n}_size")
}

/// The name of a byte that a later segment changes: the segment's number, the address in
/// 16 bits and the byte in eight.
fn hidden(n: usize) -> String {
    format!("hidden{n}")
}

/// So many of these are said.
const MOST_HIDDEN: usize = 4096;

fn error(message: impl Into<String>, help: &str, address: Option<u64>) -> ContainerError {
    ContainerError {
        message: message.into(),
        help: (!help.is_empty()).then(|| help.to_owned()),
        address,
        option: None,
    }
}

/// Pieces of memory cut at the ends of pages and where the source says so: first those
/// that it tells or names, in its order, then the rest by address.
fn cut(image: &dyn ImageView) -> Result<Vec<(u64, Vec<u8>)>, ContainerError> {
    let mut named = Vec::new();
    let told = told(image);
    // Where a dialect tells them, such a name is the program's own.
    while told.is_empty()
        && let Some(at) = image.symbol(&segment(named.len() + 1))
    {
        named.push(at);
    }
    if image.symbol(&size(1)).is_some() && !named.is_empty() {
        return one_over_another(image, &named);
    }
    let starts: BTreeSet<u64> = named
        .iter()
        .filter_map(|&n| u64::try_from(n).ok())
        .chain(told.iter().flat_map(|&(from, end)| [from, end]))
        .collect();
    let mut parts = BTreeMap::new();
    for (address, piece) in image.pieces() {
        let (mut at, mut rest) = (address, piece);
        while !rest.is_empty() {
            let page = (at / PAGE + 1) * PAGE;
            let next = starts.range(at + 1..).next();
            let end = next.map_or(page, |&n| n.min(page));
            let (part, more) = rest.split_at(rest.len().min((end - at) as usize));
            parts.insert(at, part.to_vec());
            (at, rest) = (end, more);
        }
    }
    let mut out = Vec::new();
    for (from, end) in told {
        let own: Vec<u64> = parts.range(from..end.max(from)).map(|p| *p.0).collect();
        out.extend(own.into_iter().filter_map(|at| parts.remove_entry(&at)));
    }
    for (n, at) in named.into_iter().enumerate() {
        let part = u64::try_from(at)
            .ok()
            .and_then(|at| Some((at, parts.remove(&at)?)));
        out.push(part.ok_or_else(|| {
            let name = segment(n + 1);
            error(
                format!("`{name}` is {at}, where the program has no bytes of its own"),
                "segments are named in the order of the file, each once",
                None,
            )
        })?);
    }
    out.extend(parts);
    Ok(out)
}

/// Segments that lie one over another, by their sizes and the bytes that are changed later.
fn one_over_another(
    image: &dyn ImageView,
    named: &[i64],
) -> Result<Vec<(u64, Vec<u8>)>, ContainerError> {
    let pieces = image.pieces().into_iter();
    let all = pieces.flat_map(|(at, bytes)| (at..).zip(bytes.iter().copied()));
    let memory: BTreeMap<u64, u8> = all.collect();
    let changed = (1..).map_while(|n| image.symbol(&hidden(n)));
    let changed: BTreeMap<i64, u8> = changed.map(|v| (v >> 8, v as u8)).collect();
    let mut out = Vec::new();
    let mut left: BTreeSet<u64> = memory.keys().copied().collect();
    for (n, &start) in (1..).zip(named) {
        let length = image.symbol(&size(n)).unwrap_or(0);
        let of = |at: i64| {
            let key = u64::try_from(at).ok()?;
            changed
                .get(&((n as i64) << 16 | at))
                .or(memory.get(&key))
                .copied()
        };
        let fits = (1..=256).contains(&length);
        let bytes: Option<Vec<u8>> = (start..start + length.clamp(0, 256)).map(of).collect();
        let Some(bytes) = bytes.filter(|_| fits) else {
            return Err(error(
                format!(
                    "`{}` says {length} bytes from ${start:04X} on, which are not there",
                    size(n)
                ),
                "a segment has 1 to 256 bytes of the program",
                None,
            ));
        };
        for at in start..start + length {
            left.remove(&(at as u64));
        }
        out.push((start as u64, bytes));
    }
    match left.first() {
        None => Ok(out),
        Some(&at) => Err(error(
            format!("${at:04X} lies in none of the segments that have a size"),
            "make one longer, or leave the sizes out",
            Some(at),
        )),
    }
}

/// The segments that a dialect has (`512+34 768+5`), in its order: where each begins and ends.
fn told(image: &dyn ImageView) -> Vec<(u64, u64)> {
    let said = image.option("segments").unwrap_or_default();
    let segment = |s: &str| {
        let (from, length) = s.split_once('+')?;
        let from: u64 = from.parse().ok()?;
        Some((from, from + length.parse::<u64>().ok()?))
    };
    said.split_ascii_whitespace().filter_map(segment).collect()
}

fn write(image: &dyn ImageView) -> Result<Contained, ContainerError> {
    let mut bytes = Vec::new();
    let mut own = 0;
    let mut warnings = Vec::new();
    for (address, part) in cut(image)? {
        if address < PAGE && !bytes.is_empty() {
            return Err(error(
                format!("${address:04X} would begin a second piece of page 0"),
                "a .gt1 can have one piece there, since a page 0 behind others ends the file: put the bytes side by side",
                Some(address),
            ));
        }
        let last = address + part.len() as u64 - 1;
        if last > 0xffff {
            return Err(error(
                format!("${last:X} lies behind RAM"),
                "64K is all that the processor addresses",
                Some(last),
            ));
        }
        if leaves_page(address as u16, part.len()) {
            warnings.push(format!(
                "the segment at ${address:04X} leaves its page, where a ROM's loader goes back to the start of the page"
            ));
        }
        own += part.len();
        bytes.extend([(address >> 8) as u8, address as u8, part.len() as u8]);
        bytes.extend(part);
    }
    if bytes.is_empty() {
        return Err(error("the program has no bytes", "", None));
    }
    // A dialect may have words of its own for it, and say that there is none.
    let said = image.option("start");
    let label = image.symbol("start").filter(|_| said.is_none());
    let said = said.and_then(|s| s.parse().ok());
    let start = said.or(label).unwrap_or(0);
    let Ok(start) = u16::try_from(start) else {
        let message = format!("the label `start` is {start}, no address in RAM");
        return Err(error(message, "", None));
    };
    if start == 0 && said.or(label).is_some() {
        return Err(error(
            "the label `start` is at $0000, which a .gt1 takes for no start at all",
            "page 0 is the system's; `org $0200`, or a section, puts the program behind it",
            None,
        ));
    }
    bytes.push(0);
    bytes.extend(start.to_be_bytes());
    Ok(Contained {
        added: vec![("segments", bytes.len() - own)],
        image_bytes: own,
        bytes,
        warnings,
    })
}

/// An image of the pieces of a file.
struct Read<'a>(&'a Contents);

impl ImageView for Read<'_> {
    fn pieces(&self) -> Vec<(u64, &[u8])> {
        self.0.pieces.iter().map(|p| (p.0, &*p.1)).collect()
    }
    fn symbol(&self, name: &str) -> Option<i64> {
        self.0.names.iter().find(|n| n.0 == name).map(|n| n.1)
    }
    fn option(&self, _: &str) -> Option<&str> {
        None
    }
    fn name(&self) -> &str {
        ""
    }
}

/// The pieces of memory when all segments are loaded, later ones over those before.
fn loaded(parts: &[(u16, &[u8])]) -> BTreeMap<u64, u8> {
    let mut memory = BTreeMap::new();
    for &(start, bytes) in parts {
        memory.extend((u64::from(start)..).zip(bytes.iter().copied()));
    }
    memory
}

/// Bytes side by side.
fn joined(memory: BTreeMap<u64, u8>) -> Vec<(u64, Vec<u8>)> {
    let mut pieces: Vec<(u64, Vec<u8>)> = Vec::new();
    for (at, byte) in memory {
        match pieces.last_mut() {
            Some((from, all)) if *from + all.len() as u64 == at => all.push(byte),
            _ => pieces.push((at, vec![byte])),
        }
    }
    pieces
}

/// What segments lie one over another say beyond the memory that they leave: their sizes,
/// and the bytes that later ones change.
fn covered(
    parts: &[(u16, &[u8])],
    memory: &BTreeMap<u64, u8>,
) -> Result<Vec<(String, i64)>, String> {
    let mut names = Vec::new();
    let mut hidden = Vec::new();
    for (n, (start, bytes)) in (1..).zip(parts) {
        names.push((size(n), bytes.len() as i64));
        for (&byte, at) in bytes.iter().zip(u64::from(*start)..) {
            if memory.get(&at) != Some(&byte) {
                hidden.push((n as i64) << 24 | (at as i64) << 8 | i64::from(byte));
            }
        }
    }
    if hidden.len() > MOST_HIDDEN {
        return Err(format!(
            "two segments have bytes for one address {} times; {MOST_HIDDEN} at most can be said",
            hidden.len()
        ));
    }
    names.extend((1..).zip(hidden).map(|(n, value)| (self::hidden(n), value)));
    Ok(names)
}

fn read(file: &[u8]) -> Result<Contents, String> {
    let (parts, start) = segments_anywhere(file)?;
    let bytes: usize = parts.iter().map(|p| p.1.len()).sum();
    let memory = loaded(&parts);
    let mut names = Vec::new();
    if start != 0 {
        names.push(("start".into(), start.into()));
    }
    let named = (1..).zip(&parts).map(|(n, p)| (segment(n), p.0.into()));
    let named: Vec<(String, i64)> = named.collect();
    let leaves = parts.iter().any(|p| leaves_page(p.0, p.1.len()));
    if memory.len() < bytes || leaves {
        let covered = covered(&parts, &memory)?;
        names.extend(named);
        names.extend(covered);
        return Ok(Contents {
            pieces: joined(memory),
            names,
        });
    }
    let mut contents = Contents {
        pieces: joined(memory),
        names,
    };
    // Where the segments are not those that would be made, they are named.
    if write(&Read(&contents)).is_ok_and(|w| w.bytes != file) {
        contents.names.extend(named);
    }
    Ok(contents)
}
