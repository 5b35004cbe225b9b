//! Disks of TR-DOS: 160 tracks of 16 sectors; the first has the catalogue.

use super::common::{Found, error, given, part, remark};
use crate::diagnostic::Diagnostic;
use crate::image::memory::Memory;
use crate::read::hooks::Asked;

const SECTOR: usize = 256;
const TRACK: usize = 16 * SECTOR;
/// Where the description of the disk is: behind 128 entries of 16 bytes.
const INFO: usize = 8 * SECTOR;
const FREE_SECTOR: usize = INFO + 225;
const FREE_TRACK: usize = INFO + 226;
const FILES: usize = INFO + 228;
const FREE: usize = INFO + 229;
const DELETED: usize = INFO + 244;

/// A disk with nothing on it.
pub fn empty(asked: &Asked<'_>) -> (Vec<u8>, Found) {
    let mut out = vec![0; 160 * TRACK];
    let mut found = Found::new();
    // The disk begins to be free on track 1; it has 80 tracks on two sides.
    out[FREE_TRACK] = 1;
    out[INFO + 227] = 0x16;
    out[FREE..FREE + 2].copy_from_slice(&(159u16 * 16).to_le_bytes());
    out[INFO + 231] = 0x10;
    out[INFO + 234..INFO + 243].fill(b' ');
    out[INFO + 245..INFO + 253].fill(b' ');
    let label = asked.save.texts[1].as_str();
    let n = label.len().min(8);
    out[INFO + 245..INFO + 245 + n].copy_from_slice(&label.as_bytes()[..n]);
    if label.len() > 8 {
        found.push(remark("the label is cut to 8 characters"));
    }
    (out, found)
}

/// What the catalogue says of a name: 8 characters, and 1 or 3 behind a dot.
fn entry_name(name: &str) -> (Vec<u8>, Vec<u8>) {
    let (base, ext) = match name.rsplit_once('.') {
        Some((base, ext)) => (base, ext),
        None => (name, ""),
    };
    let mut out: Vec<u8> = base
        .bytes()
        .chain(std::iter::repeat(b' '))
        .take(8)
        .collect();
    let mut ext: Vec<u8> = ext.bytes().take(3).collect();
    let full = if ext.len() > 1 { 3 } else { 1 };
    ext.resize(full, b' ');
    out.extend_from_slice(&ext);
    (out, ext)
}

/// How a file is added.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    New,
    /// In the place of one of that name.
    Replace,
    /// Behind the bytes of one of that name.
    Behind,
}

/// An entry of the catalogue, with what is to be stored.
struct Entry {
    name: Vec<u8>,
    /// The first 13 bytes and the count of sectors.
    head: [u8; 14],
    bytes: Vec<u8>,
}

/// The entry that a request asks for.
fn entry(
    asked: &Asked<'_>,
    memory: &Memory,
    way: Way,
    found: &mut Found,
) -> Result<Entry, Box<Diagnostic>> {
    let v = asked.values;
    let (start, len) = part(v[0], v[1])?;
    if len > 0xff00 {
        return Err(error("a file on the disk has at most 65,280 bytes"));
    }
    let text = asked.save.texts[1].trim_start_matches(['|', '&']).trim();
    let text = text.trim_matches(['"', '\'']);
    if text.is_empty() {
        return Err(error("the file on the disk has no name"));
    }
    let (mut name, ext) = entry_name(text);
    let basic = ext[0] == b'B';
    if way != Way::Behind {
        if ext.len() == 3 {
            found.push(remark("a name with three letters behind the dot"));
        } else if !b"BCD#".contains(&ext[0]) {
            found.push(remark("the letter behind the dot is none of B, C, D, #"));
        }
    }
    let mut line = given(v, 2).filter(|&n| n >= 0);
    if line.is_some_and(|n| !basic || n > 9999) {
        found.push(remark("only BASIC starts by itself, at a line up to 9999"));
        line = None;
    }
    let plain = given(v, 3).filter(|&n| n != -1);
    if plain.is_some_and(|n| !basic || n < 0 || n > len as i64) {
        return Err(error(
            "only BASIC has a length without variables, up to its own",
        ));
    }
    let mut bytes = memory.read(asked.window, start, len);
    let mut head = [0; 14];
    head[..name.len()].copy_from_slice(&name);
    if basic {
        name.truncate(9);
        head[9..11].copy_from_slice(&(len as u16).to_le_bytes());
    } else if name.len() <= 9 {
        head[9..11].copy_from_slice(&(start as u16).to_le_bytes());
    }
    let length = plain.unwrap_or(len as i64) as u16;
    head[11..13].copy_from_slice(&length.to_le_bytes());
    let auto = line.map(|n| [0x80, 0xaa, n as u8, (n >> 8) as u8]);
    let sectors = (len + 255 + if auto.is_some() { 4 } else { 0 }) / 256;
    if sectors > 255 {
        return Err(error("the file has more than 255 sectors"));
    }
    head[13] = sectors as u8;
    if way != Way::Behind {
        bytes.extend(auto.into_iter().flatten());
    }
    Ok(Entry { name, head, bytes })
}

/// Adds a file to a disk: its name; address, length, line, length without variables.
pub fn add(disk: &mut [u8], asked: &Asked<'_>, memory: &Memory) -> Result<Found, Box<Diagnostic>> {
    let mut found = Found::new();
    if disk.len() != 160 * TRACK || disk[INFO + 231] != 0x10 {
        return Err(error("this is no disk"));
    }
    let way = match asked.save.texts[1].bytes().next() {
        Some(b'|') => Way::Replace,
        Some(b'&') => Way::Behind,
        _ => Way::New,
    };
    let entry = entry(asked, memory, way, &mut found)?;
    let same = |disk: &[u8], i: usize| disk[16 * i..].starts_with(&entry.name);
    let mut there = None;
    for i in 0..128 {
        if disk[16 * i] == 0 {
            break;
        }
        if !same(disk, i) {
            continue;
        }
        if let Some(before) = there.filter(|_| way != Way::New) {
            let before: usize = before;
            disk[16 * before] = 1;
            disk[DELETED] = disk[DELETED].wrapping_add(1);
        }
        there = Some(i);
    }
    match (way, there) {
        (Way::Behind, None) => return Err(error("there is no such file to add to")),
        (Way::Behind, Some(i)) => {
            behind(disk, i, &entry)?;
            return Ok(found);
        }
        (Way::Replace, Some(i)) => remove(disk, i)?,
        (Way::New, Some(_)) => found.push(remark("the disk has a file of that name")),
        _ => {}
    }
    let index = usize::from(disk[FILES]);
    if index >= 128 {
        return Err(error("the catalogue of the disk is full"));
    }
    take(disk, usize::from(entry.head[13]))?;
    let (sector, track) = (disk[FREE_SECTOR], disk[FREE_TRACK]);
    disk[16 * index..16 * index + 14].copy_from_slice(&entry.head);
    (disk[16 * index + 14], disk[16 * index + 15]) = (sector, track);
    store(disk, place(track, sector), &entry.bytes)?;
    advance(disk, entry.head[13]);
    disk[FILES] += 1;
    Ok(found)
}

/// Where a sector begins.
fn place(track: u8, sector: u8) -> usize {
    usize::from(track) * TRACK + usize::from(sector) * SECTOR
}

/// Takes sectors from those that are free.
fn take(disk: &mut [u8], sectors: usize) -> Result<(), Box<Diagnostic>> {
    let free = u16::from_le_bytes([disk[FREE], disk[FREE + 1]]);
    let Some(left) = free.checked_sub(sectors as u16) else {
        return Err(error("the disk is full"));
    };
    disk[FREE..FREE + 2].copy_from_slice(&left.to_le_bytes());
    Ok(())
}

fn store(disk: &mut [u8], at: usize, bytes: &[u8]) -> Result<(), Box<Diagnostic>> {
    let to = disk.get_mut(at..at + bytes.len());
    to.ok_or_else(|| error("the disk is full"))?
        .copy_from_slice(bytes);
    Ok(())
}

/// Moves the start of what is free.
fn advance(disk: &mut [u8], sectors: u8) {
    let sum = usize::from(sectors) + usize::from(disk[FREE_SECTOR]);
    disk[FREE_TRACK] = disk[FREE_TRACK].wrapping_add((sum >> 4) as u8);
    disk[FREE_SECTOR] = (sum & 15) as u8;
}

/// Deletes a file: the last as if it had never been there.
fn remove(disk: &mut [u8], index: usize) -> Result<(), Box<Diagnostic>> {
    let at = 16 * index;
    if index + 1 != usize::from(disk[FILES]) {
        disk[at] = 1;
        disk[DELETED] = disk[DELETED].wrapping_add(1);
        return Ok(());
    }
    let (sectors, sector, track) = (disk[at + 13], disk[at + 14], disk[at + 15]);
    let end = usize::from(sectors) + usize::from(sector);
    let next = (usize::from(track) + (end >> 4), end & 15);
    if next
        != (
            usize::from(disk[FREE_TRACK]),
            usize::from(disk[FREE_SECTOR]),
        )
    {
        return Err(error("what is free does not begin behind the last file"));
    }
    (disk[FREE_SECTOR], disk[FREE_TRACK]) = (sector, track);
    let free = u16::from_le_bytes([disk[FREE], disk[FREE + 1]]);
    let free = free.wrapping_add(u16::from(sectors));
    disk[FREE..FREE + 2].copy_from_slice(&free.to_le_bytes());
    disk[FILES] -= 1;
    disk[at] = 0;
    Ok(())
}

/// Adds bytes behind those of a file; what lies behind is moved.
fn behind(disk: &mut [u8], index: usize, entry: &Entry) -> Result<(), Box<Diagnostic>> {
    let at = 16 * index;
    let (old, more) = (disk[at + 13], entry.head[13]);
    let Some(all) = old.checked_add(more) else {
        return Err(error("the file has more than 255 sectors"));
    };
    take(disk, usize::from(more))?;
    let start = place(disk[at + 15], disk[at + 14]);
    let end = start + usize::from(old) * SECTOR;
    let free = place(disk[FREE_TRACK], disk[FREE_SECTOR]);
    let moved = usize::from(more) * SECTOR;
    if end < free {
        if free + moved > disk.len() {
            return Err(error("the disk is full"));
        }
        disk.copy_within(end..free, end + moved);
        for i in 0..128 {
            if disk[16 * i] == 0 {
                break;
            }
            let (sector, track) = (disk[16 * i + 14], disk[16 * i + 15]);
            if i == index || place(track, sector) < start {
                continue;
            }
            let sum = usize::from(more) + usize::from(sector);
            disk[16 * i + 15] = track.wrapping_add((sum >> 4) as u8);
            disk[16 * i + 14] = (sum & 15) as u8;
        }
    }
    disk[at + 13] = all;
    store(disk, end, &entry.bytes)?;
    advance(disk, more);
    Ok(())
}

/// Where a file of a disk begins, and its bytes.
pub fn find(disk: &[u8], name: &str) -> Option<(usize, usize)> {
    let (name, _) = entry_name(name);
    let entries = disk.get(..INFO)?.chunks(16);
    let mut used = entries.take_while(|e| e[0] != 0);
    let entry = used.find(|e| e.starts_with(&name))?;
    let length = u16::from_le_bytes([entry[11], entry[12]]);
    Some((place(entry[15], entry[14]), length.into()))
}
