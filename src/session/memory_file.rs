//! Reading what programmers take: Intel HEX, ELF and plain bytes, as memory.

use object::read::elf::{ElfFile32, ProgramHeader as _};
use object::{LittleEndian, Object as _};
use std::path::Path;

/// Bytes and where they go.
pub type Memory = Vec<(u64, Vec<u8>)>;

/// Extensions that are read.
pub const EXTENSIONS: [&str; 6] = ["hex", "ihex", "mhex", "elf", "bin", "eep"];

/// Most bytes that a file may put into memory.
const MOST: usize = 1 << 24;

/// Reads a file by its extension. `eeprom` is where that of the machine begins.
///
/// # Errors
/// What is wrong with it, with the line of a HEX file.
pub fn read(path: &Path, bytes: &[u8], eeprom: Option<u64>) -> Result<Memory, String> {
    let extension = path.extension().and_then(|e| e.to_str()).unwrap_or("");
    let memory = match extension.to_ascii_lowercase().as_str() {
        _ if is_elf(path, bytes) => elf(bytes)?,
        "bin" => vec![(0, bytes.to_vec())],
        "eep" => {
            let base = eeprom.ok_or("this machine has no EEPROM")?;
            let moved = hex(bytes)?.into_iter();
            // Some tools write its linear address, others count from 0.
            moved
                .map(|(a, b)| (if a < base { a + base } else { a }, b))
                .collect()
        }
        _ => hex(bytes)?,
    };
    match memory.iter().map(|(_, b)| b.len()).sum::<usize>() {
        0 => Err("there is nothing in it".into()),
        n if n > MOST => Err(format!("{n} bytes are more than {MOST}")),
        _ => Ok(memory),
    }
}

/// Memory by address, what touches joined; of what overlaps the later counts.
pub fn merged(memory: Memory) -> Memory {
    let mut ranges: Vec<(u64, u64)> = memory
        .iter()
        .map(|(at, bytes)| (*at, *at + bytes.len() as u64))
        .filter(|r| r.0 < r.1)
        .collect();
    ranges.sort_unstable();
    let mut out = Memory::new();
    for (from, to) in ranges {
        match out.last_mut() {
            Some((start, bytes)) if from <= *start + bytes.len() as u64 => {
                let length = (to - *start) as usize;
                bytes.resize(length.max(bytes.len()), 0);
            }
            _ => out.push((from, vec![0; (to - from) as usize])),
        }
    }
    for (at, bytes) in memory.iter().filter(|m| !m.1.is_empty()) {
        let piece = out.partition_point(|p| p.0 <= *at) - 1;
        let (start, room) = &mut out[piece];
        let from = (at - *start) as usize;
        room[from..from + bytes.len()].copy_from_slice(bytes);
    }
    out
}

/// Whether it is read as ELF: by its extension, or because it begins so and has none that
/// says otherwise.
pub fn is_elf(path: &Path, bytes: &[u8]) -> bool {
    let extension = path.extension().and_then(|e| e.to_str()).unwrap_or("");
    let extension = extension.to_ascii_lowercase();
    let known = EXTENSIONS.contains(&extension.as_str());
    extension == "elf" || bytes.starts_with(b"\x7fELF") && !known
}

/// The number of the CPU that an ELF file is for.
///
/// # Errors
/// When it is no ELF file.
pub fn elf_machine(bytes: &[u8]) -> Result<u16, String> {
    let file = ElfFile32::<LittleEndian>::parse(bytes).map_err(|e| e.to_string())?;
    Ok(file.elf_header().e_machine.get(file.endian()))
}

/// Loaded segments at their physical addresses, which is where `.data` is stored.
fn elf(bytes: &[u8]) -> Result<Memory, String> {
    let file = ElfFile32::<LittleEndian>::parse(bytes).map_err(|e| e.to_string())?;
    let (mut memory, mut total) = (Memory::new(), 0);
    for header in file.elf_program_headers() {
        let endian = file.endian();
        if header.p_type(endian) != object::elf::PT_LOAD || header.p_filesz(endian) == 0 {
            continue;
        }
        let data = header
            .data(endian, bytes)
            .map_err(|()| "a segment lies outside of the file".to_owned())?;
        // Many segments may share the bytes of the file.
        total += data.len();
        if total > MOST {
            return Err(format!("its segments have more than {MOST} bytes"));
        }
        memory.push((u64::from(header.p_paddr(endian)), data.to_vec()));
    }
    if file.sections().next().is_none() && memory.is_empty() {
        return Err("it has neither sections nor segments".into());
    }
    Ok(memory)
}

/// Intel HEX with records 00 to 05.
fn hex(bytes: &[u8]) -> Result<Memory, String> {
    let text = std::str::from_utf8(bytes).map_err(|_| "it is no text".to_owned())?;
    let mut memory = Memory::new();
    let mut base = 0u64;
    for (number, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() {
            continue;
        }
        let fail = |why: &str| format!("line {}: {why}", number + 1);
        let digits = line
            .strip_prefix(':')
            .ok_or_else(|| fail("a record begins with a colon"))?;
        let record: Vec<u8> = digits
            .as_bytes()
            .chunks(2)
            .map(|c| std::str::from_utf8(c).ok().filter(|c| c.len() == 2))
            .map(|c| c.and_then(|c| u8::from_str_radix(c, 16).ok()))
            .collect::<Option<_>>()
            .ok_or_else(|| fail("pairs of hexadecimal digits are expected"))?;
        let [length, high, low, kind, data @ .., _] = &record[..] else {
            return Err(fail("it is too short"));
        };
        if data.len() != usize::from(*length) {
            return Err(fail("its length is not what it says"));
        }
        if record.iter().fold(0u8, |s, b| s.wrapping_add(*b)) != 0 {
            return Err(fail("its check sum is wrong"));
        }
        let word = || match data {
            [a, b] => Ok(u64::from(u16::from_be_bytes([*a, *b]))),
            _ => Err(fail("two bytes are expected")),
        };
        match kind {
            0 => {
                let at = base + u64::from(u16::from_be_bytes([*high, *low]));
                match memory.last_mut() {
                    Some((start, bytes)) if *start + bytes.len() as u64 == at => {
                        bytes.extend_from_slice(data);
                    }
                    _ => memory.push((at, data.to_vec())),
                }
            }
            1 => return Ok(memory),
            2 => base = word()? << 4,
            4 => base = word()? << 16,
            3 | 5 => {}
            _ => return Err(fail("records of this kind are not known")),
        }
    }
    Err("the record that ends it, :00000001FF, is missing".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_as(name: &str, bytes: &[u8]) -> Result<Memory, String> {
        read(Path::new(name), bytes, Some(0x81_0000))
    }

    #[test]
    fn hex_files() {
        let text = b":02000000010CF1\n:0200020002 ".to_vec();
        assert!(read_as("a.hex", &text).unwrap_err().contains("line 2"));
        let good = ":0200000001020B\n:01000200FFFE\n";
        assert!(read_as("a.hex", good.as_bytes()).is_err(), "a wrong sum");
        let good = ":020000000102FB\r\n:01000200FFFE\r\n:020000040081 79\n".replace(' ', "");
        let good = format!("{good}:01000000AA55\n:00000001FF\n");
        let want = vec![(0, vec![1, 2, 0xff]), (0x81_0000, vec![0xaa])];
        assert_eq!(read_as("a.hex", good.as_bytes()), Ok(want));
        let eep = ":01000500AA50\n:00000001FF\n";
        assert_eq!(
            read_as("a.eep", eep.as_bytes()),
            Ok(vec![(0x81_0005, vec![0xaa])])
        );
        for bad in [
            "",
            "x",
            ":",
            ":00000001FF\n",
            ":020000000102FB\n",
            ":0100000905F1\n",
        ] {
            assert!(read_as("a.hex", bad.as_bytes()).is_err(), "{bad}");
        }
        assert!(read_as("a.elf", b"\x7fELF").is_err());
    }
}
