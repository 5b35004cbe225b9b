//! Parts of memory as they are, with headers of disk systems, as hex; lists of symbols.

use super::common::{Found, address, error, extent, given, part};
use crate::diagnostic::Diagnostic;
use crate::dialect::sjasmplus::asks::ROM;
use crate::image::memory::Memory;
use crate::read::hooks::Asked;
use std::fmt::Write as _;

type Made = Result<(Vec<u8>, Found), Box<Diagnostic>>;

/// Bytes as they are seen: address, length.
pub fn bytes(asked: &Asked<'_>, memory: &Memory) -> Made {
    let start = address(asked.values[0], "the address")?;
    let length = given(asked.values, 1).unwrap_or(-1);
    if given(asked.values, 1).is_some_and(|n| n < 0) {
        return Err(error("the length is negative"));
    }
    let n = extent(start, length);
    Ok((memory.read(asked.window, start as u64, n), Found::new()))
}

/// Bytes of the device: page, offset, length.
pub fn device(asked: &Asked<'_>, memory: &Memory) -> Made {
    let [page, offset, length, ..] = asked.values[..] else {
        return Err(error("expected a page, an offset and a length"));
    };
    let bank = asked.window.bank;
    let (size, pages) = (memory.page_size(bank), memory.pages(bank));
    let all = i64::from(size) * i64::from(pages);
    let start = i64::from(size).checked_mul(page);
    let start = start.and_then(|s| s.checked_add(offset)).unwrap_or(-1);
    let inside = (0..i64::from(pages)).contains(&page) && (0..all).contains(&start);
    if !inside || length < 1 || length > all - start {
        let message = format!("the device has {all} bytes in the pages 0 to {}", pages - 1);
        return Err(error(message));
    }
    let bytes = memory.linear(bank, start as u64, length as usize);
    Ok((bytes, Found::new()))
}

/// With the header of +3DOS: address, length, type, two values.
pub fn plus3(asked: &Asked<'_>, memory: &Memory) -> Made {
    let v = asked.values;
    let (start, len) = part(v[0], v[1])?;
    let kind = given(v, 2).unwrap_or(3);
    let second = given(v, 3).filter(|&n| n != -1);
    let second = second.unwrap_or(match kind {
        0 => 0x8000,
        3 => start as i64,
        _ => -1,
    });
    let third = given(v, 4).filter(|&n| n != -1).unwrap_or(len as i64);
    if !(0..4).contains(&kind) {
        return Err(error("the type of a file is 0 to 3"));
    }
    let mut out = b"PLUS3DOS\x1a\x01\x00".to_vec();
    out.extend_from_slice(&(128 + len as u32).to_le_bytes());
    out.push(kind as u8);
    for word in [len as i64, second, third] {
        out.extend_from_slice(&(word as u16).to_le_bytes());
    }
    out.resize(127, 0);
    out.push(out.iter().fold(0, |sum, &b| b.wrapping_add(sum)));
    out.extend_from_slice(&memory.read(asked.window, start, len));
    Ok((out, Found::new()))
}

/// With the header of AMSDOS: address, length, start, type.
pub fn amsdos(asked: &Asked<'_>, memory: &Memory) -> Made {
    let v = asked.values;
    let (start, len) = part(v[0], v[1])?;
    let entry = given(v, 2).unwrap_or(0) as u16;
    let kind = given(v, 3).unwrap_or(2) as u8;
    let mut out = vec![0; 128];
    let mut put = |at: usize, word: u16| out[at..at + 2].copy_from_slice(&word.to_le_bytes());
    put(0x15, start as u16);
    put(0x18, len as u16);
    put(0x40, len as u16);
    put(0x1a, entry);
    out[0x12] = kind;
    let sum: u16 = out[..0x43].iter().map(|&b| u16::from(b)).sum();
    out[0x43..0x45].copy_from_slice(&sum.to_le_bytes());
    out.extend_from_slice(&memory.read(asked.window, start, len));
    Ok((out, Found::new()))
}

/// As Intel HEX: address, length, start.
pub fn hex(asked: &Asked<'_>, memory: &Memory) -> Made {
    let v = asked.values;
    let (start, len) = part(v[0], v[1])?;
    let entry = given(v, 2).unwrap_or(-1);
    if !(-1..0x10000).contains(&entry) {
        return Err(error("the start is an address, or -1 for none"));
    }
    let mut out = String::new();
    let mut record = |kind: u8, at: u64, bytes: &[u8]| {
        let mut all = vec![bytes.len() as u8, (at >> 8) as u8, at as u8, kind];
        all.extend_from_slice(bytes);
        all.push(all.iter().fold(0u8, |sum, &b| sum.wrapping_sub(b)));
        out.push(':');
        all.iter().for_each(|b| {
            let _ = write!(out, "{b:02X}");
        });
        out.push('\n');
    };
    let size = u64::from(memory.page_size(asked.window.bank));
    let (mut at, end) = (start, start + len as u64);
    while at < end {
        let n = 16.min(end - at).min(size - at % size);
        record(0, at, &memory.read(asked.window, at, n as usize));
        at += n;
    }
    if entry >= 0 {
        record(3, 0, &(entry as u32).to_be_bytes());
    }
    record(1, 0, &[]);
    Ok((out.into_bytes(), Found::new()))
}

/// With the header of Hobeta: a name; address, length.
pub fn hobeta(asked: &Asked<'_>, memory: &Memory) -> Made {
    let v = asked.values;
    if !(0x4000..0x10000).contains(&v[0]) {
        return Err(error("the address is from $4000 to $FFFF"));
    }
    let len = extent(v[0], given(v, 1).unwrap_or(-1));
    let name = asked.save.texts[1].as_bytes();
    let dot = name.iter().rposition(|&b| b == b'.');
    let dot = dot.filter(|&d| d + 1 < name.len() && name.len() > 1);
    let base = &name[..dot.unwrap_or(name.len()).min(8)];
    let mut out = vec![b' '; 9];
    out[..base.len()].copy_from_slice(base);
    if let Some(d) = dot {
        out[8] = name[d + 1];
    }
    let first = if out[8] == b'B' {
        len as u16
    } else {
        v[0] as u16
    };
    out.extend_from_slice(&first.to_le_bytes());
    out.extend_from_slice(&(len as u16).to_le_bytes());
    let sectors = len.div_ceil(256);
    out.extend_from_slice(&[0, sectors as u8]);
    let sum = out
        .iter()
        .zip(0..)
        .fold(0u32, |sum, (&b, i)| sum + u32::from(b) * 257 + i);
    out.extend_from_slice(&(sum as u16).to_le_bytes());
    let n = extent(v[0], (sectors * 256) as i64);
    out.extend_from_slice(&memory.read(asked.window, v[0] as u64, n));
    Ok((out, Found::new()))
}

/// A symbol of a list.
struct Listed<'s> {
    name: &'s str,
    value: i64,
    page: i64,
    /// 0 a label, 1 a constant, 2 a variable, 4 of the definition of a struct, 5 of its data.
    kind: i64,
}

/// The symbols of a request.
fn listed<'s>(asked: &'s Asked<'_>) -> impl Iterator<Item = Listed<'s>> {
    let names = asked.save.texts[3..].iter();
    names
        .zip(asked.values[1..].chunks(3))
        .map(|(name, v)| Listed {
            name,
            value: v[0],
            page: v[1],
            kind: v[2],
        })
}

/// `LABELSLIST`: page, offset in it, name.
pub fn labels(asked: &Asked<'_>) -> Vec<u8> {
    let apart = asked.save.texts[1].is_empty();
    let mask = if apart { asked.values[0] - 1 } else { 0xffff };
    let small = asked.save.texts[2] == "ZXSPECTRUM48";
    let mut out = String::new();
    for s in listed(asked) {
        let page = match (apart, small, s.page) {
            (false, ..) => ROM,
            (true, true, n @ 0..4) => [ROM, 5, 2, 0][n as usize],
            (true, _, n) => n,
        };
        if page < ROM {
            let _ = write!(out, "{:02}", page & 255);
        }
        let _ = writeln!(out, ":{:04X} {}", s.value & mask, s.name);
    }
    out.into_bytes()
}

/// `CSPECTMAP`: address, place in all pages, kind, name.
pub fn map(asked: &Asked<'_>) -> Vec<u8> {
    let size = asked.values[0];
    let names: rustc_hash::FxHashSet<&str> = listed(asked).map(|s| s.name).collect();
    let mut out = String::new();
    for s in listed(asked) {
        let rom = s.page >= ROM;
        let (kind, page) = match (s.kind, rom) {
            (0, true) => (3, 0),
            (0 | 5, _) => (0, s.page),
            (kind, _) => (kind, 0),
        };
        let whole = (s.value & (size - 1)) + page * size;
        let mut name = s.name.to_owned();
        // A label of another is behind an `@`.
        let dots = s
            .name
            .char_indices()
            .rev()
            .filter(|c| c.1 == '.' && c.0 > 0);
        for (at, _) in dots.take(64) {
            if names.contains(&s.name[..at]) {
                name.replace_range(at..=at, "@");
                break;
            }
        }
        let (value, name) = (s.value & 0xffff, name.to_ascii_uppercase());
        let _ = writeln!(out, "{value:08X} {:08X} {kind:02X} {name}", whole as u32);
    }
    out.into_bytes()
}
