//! The file formats of the Gigatron: `.rom` for the EPROM, `.gt1` for programs that
//! a ROM's loader puts into RAM.

use scrimp_isa::ImageView;
use scrimp_isa::container::{Contained, Container, ContainerError};

use crate::memories::{RAM, RAM_SIZE, ROM_SIZE};

/// What fills an EPROM behind the program; the file ends with its last letter.
pub const PADDING: &[u8; 9] = b"Gigatron!";

/// What a program leaves free between its parts: a word that does nothing.
pub const NOP: [u8; 2] = [0x02, 0x00];

/// All formats, the usual one first.
pub const ALL: &[Container] = &[
    Container {
        name: "rom",
        about: "Gigatron EPROM image; option pad=no leaves the rest of the EPROM out",
        memory: Some(0),
        symbols_behind: false,
        read: None,
        write: rom,
    },
    Container {
        name: "gt1",
        about: "Gigatron RAM program for a ROM's loader; starts at the label `start`",
        memory: None,
        symbols_behind: false,
        read: None,
        write: gt1,
    },
];

fn error(message: impl Into<String>, help: &str, address: Option<u64>) -> ContainerError {
    ContainerError {
        message: message.into(),
        help: (!help.is_empty()).then(|| help.to_owned()),
        address,
        option: None,
    }
}

fn rom(image: &dyn ImageView) -> Result<Contained, ContainerError> {
    let pad = match image.option("pad") {
        None | Some("yes") => true,
        Some("no") => false,
        Some(other) => {
            let message = format!("pad={other} is neither yes nor no");
            return Err(error(message, "", None).of("pad"));
        }
    };
    let mut bytes = Vec::new();
    let mut own = 0;
    for (address, piece) in image.pieces() {
        if address >= RAM {
            return Err(error(
                format!("${:04X} in RAM cannot be filled from a .rom", address - RAM),
                "reserve it with `ds`, and let the program fill it",
                Some(address),
            ));
        }
        let at = address as usize;
        // What a source writes in its own order may go on behind the last word.
        if let Some(over) = (at + piece.len()).checked_sub(ROM_SIZE as usize + 1) {
            return Err(error(
                format!("the program has {} bytes more than the ROM", over + 1),
                "65,536 words is all that the processor addresses",
                Some(ROM_SIZE - 2),
            ));
        }
        while bytes.len() < at {
            bytes.push(NOP[bytes.len() % 2]);
        }
        bytes.extend_from_slice(piece);
        own += piece.len();
    }
    if bytes.is_empty() {
        return Err(error("the program has no words in ROM", "", None));
    }
    if bytes.len() % 2 == 1 {
        let last = bytes.len() as u64 - 1;
        return Err(error(
            format!("the last word, at ${:04X}, is half a word", last / 2),
            "data bytes in ROM come in twos",
            Some(last),
        ));
    }
    let gaps = bytes.len() - own;
    let mut added = vec![("gaps", gaps)];
    if pad {
        let rest = ROM_SIZE as usize - bytes.len();
        added.push(("padding", rest));
        for at in bytes.len()..ROM_SIZE as usize {
            let from_end = ROM_SIZE as usize - 1 - at;
            bytes.push(PADDING[PADDING.len() - 1 - from_end % PADDING.len()]);
        }
    }
    added.retain(|a| a.1 > 0);
    Ok(Contained {
        bytes,
        image_bytes: own,
        added,
        warnings: Vec::new(),
    })
}

fn gt1(image: &dyn ImageView) -> Result<Contained, ContainerError> {
    let mut out = Vec::new();
    let mut own = 0;
    for (address, piece) in image.pieces() {
        if address < RAM {
            return Err(error(
                format!("${:04X} in ROM cannot be filled from a .gt1", address / 2),
                "put the program into a section `in ram`",
                Some(address),
            ));
        }
        own += piece.len();
        let mut address = address - RAM;
        if let Some(over) = (address + piece.len() as u64).checked_sub(RAM_SIZE + 1) {
            return Err(error(
                format!("the program has {} bytes more than RAM", over + 1),
                "64K is all that the processor addresses",
                Some(RAM + RAM_SIZE - 1),
            ));
        }
        if address < 0x100 && !out.is_empty() {
            return Err(error(
                format!("${address:04X} would begin a second piece of page 0"),
                "a .gt1 can have one piece there, since a page 0 behind others ends the file: put the bytes side by side",
                Some(address + RAM),
            ));
        }
        let mut rest = piece;
        // A segment stays in its page; page 0 comes first by itself.
        while !rest.is_empty() {
            let room = 0x100 - (address & 0xff) as usize;
            let (segment, more) = rest.split_at(rest.len().min(room));
            out.extend([(address >> 8) as u8, address as u8, segment.len() as u8]);
            out.extend(segment);
            address += segment.len() as u64;
            rest = more;
        }
    }
    if out.is_empty() {
        return Err(error("the program has no bytes in RAM", "", None));
    }
    let start = image.symbol("start").unwrap_or(0);
    if !(0..RAM_SIZE as i64).contains(&start) {
        let message = format!("the label `start` is {start}, no address in RAM");
        return Err(error(message, "", None));
    }
    if start == 0 && image.symbol("start").is_some() {
        return Err(error(
            "the label `start` is at $0000, which a .gt1 takes for no start at all",
            "let the program start elsewhere",
            None,
        ));
    }
    out.extend([0, (start >> 8) as u8, start as u8]);
    Ok(Contained {
        added: vec![("segments", out.len() - own)],
        image_bytes: own,
        bytes: out,
        warnings: Vec::new(),
    })
}

/// A piece of a `.gt1`: address and bytes.
pub type Segment<'a> = (u16, &'a [u8]);

/// What is in a `.gt1`: segments (address, bytes) and the start address, 0 for none.
///
/// # Errors
/// The file ends early, or a segment leaves its page.
pub fn segments(file: &[u8]) -> Result<(Vec<Segment<'_>>, u16), String> {
    let (out, start) = segments_anywhere(file)?;
    match out.iter().find(|(at, bytes)| leaves_page(*at, bytes.len())) {
        None => Ok((out, start)),
        Some((at, bytes)) => Err(format!(
            "the segment at ${at:04X} has {} bytes and leaves its page",
            bytes.len()
        )),
    }
}

/// Whether a segment goes on in the next page, which a ROM's loader does not do.
pub fn leaves_page(start: u16, length: usize) -> bool {
    usize::from(start & 0xff) + length > 256
}

/// The same, with segments that leave their page.
///
/// # Errors
/// The file ends early, or a segment leaves memory.
pub fn segments_anywhere(file: &[u8]) -> Result<(Vec<Segment<'_>>, u16), String> {
    let mut out = Vec::new();
    let mut rest = file;
    loop {
        match *rest {
            [0, high, low] if !out.is_empty() => {
                return Ok((out, u16::from_be_bytes([high, low])));
            }
            [high, low, count, ref more @ ..] => {
                let length = if count == 0 { 256 } else { usize::from(count) };
                let address = u16::from_be_bytes([high, low]);
                if usize::from(address) + length > 0x10000 {
                    return Err(format!(
                        "the segment at ${address:04X} has {length} bytes and leaves memory"
                    ));
                }
                if more.len() < length {
                    return Err(format!("the file ends in the segment at ${address:04X}"));
                }
                let (segment, more) = more.split_at(length);
                out.push((address, segment));
                rest = more;
            }
            _ => return Err("the file ends without a start address".into()),
        }
    }
}
