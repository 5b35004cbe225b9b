//! The file format of the vCPU's programs: `.gt1`, segments and a start address.

use scrimp_isa::ImageView;
use scrimp_isa::container::{Contained, Container, ContainerError, Contents};

use crate::machines::segments;

/// All formats.
pub const ALL: &[Container] = &[Container {
    name: "gt1",
    about: "Gigatron RAM program for a ROM's loader; starts at the label `start`",
    memory: None,
    symbols_behind: false,
    read: Some(read),
    write,
}];

/// Bytes of a page, which no segment leaves.
const PAGE: u64 = 0x100;

/// The name that says where a segment of the file begins: the first is `segment1`.
fn segment(n: usize) -> String {
    format!("segment{n}")
}

fn error(message: impl Into<String>, help: &str, address: Option<u64>) -> ContainerError {
    ContainerError {
        message: message.into(),
        help: (!help.is_empty()).then(|| help.to_owned()),
        address,
    }
}

/// Pieces of memory cut at the ends of pages and where the source says so: first those
/// that it names, in its order, then the rest by address.
fn cut(image: &dyn ImageView) -> Result<Vec<(u64, Vec<u8>)>, ContainerError> {
    let mut named = Vec::new();
    while let Some(at) = image.symbol(&segment(named.len() + 1)) {
        named.push(at);
    }
    let starts: std::collections::BTreeSet<u64> = named
        .iter()
        .filter_map(|&n| u64::try_from(n).ok())
        .collect();
    let mut parts = std::collections::BTreeMap::new();
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

fn write(image: &dyn ImageView) -> Result<Contained, ContainerError> {
    let mut bytes = Vec::new();
    let mut own = 0;
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
        own += part.len();
        bytes.extend([(address >> 8) as u8, address as u8, part.len() as u8]);
        bytes.extend(part);
    }
    if bytes.is_empty() {
        return Err(error("the program has no bytes", "", None));
    }
    // A dialect may have words of its own for it.
    let said = image.option("start").and_then(|s| s.parse().ok());
    let label = image.symbol("start");
    let start = said.or(label).unwrap_or(0);
    let Ok(start) = u16::try_from(start) else {
        let message = format!("the label `start` is {start}, no address in RAM");
        return Err(error(message, "", None));
    };
    if start == 0 && said.or(label).is_some() {
        return Err(error(
            "the label `start` is at $0000, which a .gt1 takes for no start at all",
            "let the program start elsewhere",
            None,
        ));
    }
    bytes.push(0);
    bytes.extend(start.to_be_bytes());
    Ok(Contained {
        added: vec![("segments", bytes.len() - own)],
        image_bytes: own,
        bytes,
        warnings: Vec::new(),
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

fn read(file: &[u8]) -> Result<Contents, String> {
    let (parts, start) = segments(file)?;
    let order: Vec<u64> = parts.iter().map(|p| u64::from(p.0)).collect();
    let mut sorted = parts;
    sorted.sort_by_key(|p| p.0);
    let mut pieces: Vec<(u64, Vec<u8>)> = Vec::new();
    for (address, bytes) in sorted {
        let address = u64::from(address);
        match pieces.last_mut() {
            Some((at, all)) if *at + all.len() as u64 == address => all.extend(bytes),
            Some((at, all)) if *at + all.len() as u64 > address => {
                return Err(format!(
                    "two segments have bytes for ${address:04X}, which no source can say"
                ));
            }
            _ => pieces.push((address, bytes.to_vec())),
        }
    }
    let mut contents = Contents {
        pieces,
        names: Vec::new(),
    };
    if start != 0 {
        contents.names.push(("start".into(), start.into()));
    }
    // Where the segments are not those that would be made, they are named.
    if write(&Read(&contents)).is_ok_and(|w| w.bytes != file) {
        let named = (1..).zip(order).map(|(n, at)| (segment(n), at as i64));
        contents.names.extend(named);
    }
    Ok(contents)
}
