//! Tape files: blocks with a length, a flag and a parity.

use super::common::{Found, address, error, extent, given, remark};
use super::spectrum::STACK;
use crate::diagnostic::{Diagnostic, codes};
use crate::dialect::sjasmplus::asks::ABSENT;
use crate::image::memory::Memory;
use crate::read::hooks::Asked;

/// Adds a block.
pub fn put(out: &mut Vec<u8>, flag: u8, bytes: &[u8]) {
    let room = 0xffff - 2;
    let bytes = &bytes[..bytes.len().min(room)];
    out.extend_from_slice(&(bytes.len() as u16 + 2).to_le_bytes());
    out.push(flag);
    out.extend_from_slice(bytes);
    out.push(bytes.iter().fold(flag, |parity, &b| parity ^ b));
}

/// Adds a header: type, name, length and two parameters.
fn header(out: &mut Vec<u8>, kind: u8, name: &str, words: [i64; 3]) {
    let mut bytes = vec![kind];
    bytes.extend(name.bytes().chain(std::iter::repeat(b' ')).take(10));
    for word in words {
        bytes.extend_from_slice(&(word as u16).to_le_bytes());
    }
    put(out, 0, &bytes);
}

/// A block of memory, with a header unless it is headless: kind, name; address, length,
/// two parameters.
pub fn block(
    out: &mut Vec<u8>,
    asked: &Asked<'_>,
    memory: &Memory,
) -> Result<Found, Box<Diagnostic>> {
    let mut found = Found::new();
    let v = asked.values;
    for &n in v[..v.len() - 1].iter().filter(|&&n| n != ABSENT) {
        address(n, "a value of a block")?;
    }
    let start = v[0];
    let n = extent(start, given(v, 1).unwrap_or(-1));
    let length = n as i64;
    let bytes = memory.read(asked.window, start as u64, n);
    let (second, third) = (given(v, 2), given(v, 3));
    let (kind, second, third) = match asked.save.texts[1].as_str() {
        "basic" => {
            let line = second.unwrap_or(0x8000);
            if line >= 0x4000 && line != 0x8000 {
                let message = format!("there is no line {line}");
                found.push(Diagnostic::new(codes::OUT_OF_RANGE, message));
            }
            (0, line, third.unwrap_or(length))
        }
        what @ ("numbers" | "chars") => {
            let letter = second.filter(|&n| n > 0).unwrap_or(1) & 0x1f;
            if !(1..27).contains(&letter) {
                let message = "the name of a variable is a letter, 1 to 26";
                found.push(Diagnostic::new(codes::OUT_OF_RANGE, message));
            }
            let (kind, base) = if what == "chars" {
                (2, 0xc0)
            } else {
                (1, 0x80)
            };
            (kind, (letter | base) << 8, 0x8000)
        }
        "code" => (3, second.unwrap_or(start), third.unwrap_or(0x8000)),
        _ => {
            let flag = second.unwrap_or(-1);
            if !(-1..256).contains(&flag) {
                return Err(error("the flag of a block is a byte"));
            }
            put(out, flag as u8, &bytes);
            return Ok(found);
        }
    };
    header(out, kind, &asked.save.texts[2], [length, second, third]);
    put(out, 0xff, &bytes);
    Ok(found)
}

/// A line of BASIC.
struct Line(Vec<u8>);

impl Line {
    fn key(&mut self, bytes: &[u8]) -> &mut Self {
        self.0.extend_from_slice(bytes);
        self
    }

    /// A number as `VAL "n"`, which needs no room for its binary form.
    fn number(&mut self, n: u32) -> &mut Self {
        self.key(b"\xb0\"").key(n.to_string().as_bytes()).key(b"\"")
    }

    /// `POKE` and `OUT` that bring in a page. 23388 is where the machine remembers what it
    /// has put out.
    fn page(&mut self, page: u32) {
        for (key, port) in [(b":\xf4", 23388), (b":\xdf", 32765)] {
            self.key(key).number(port).key(b",").number(0x10 + page);
        }
    }
}

/// Memory on a tape: its page where there are such, address, bytes.
type Block = (Option<u32>, i64, Vec<u8>);

/// Adds what is not 0 of some memory.
fn add(blocks: &mut Vec<Block>, page: Option<u32>, base: i64, bytes: &[u8]) {
    let first = bytes.iter().position(|&b| b != 0);
    let last = bytes.iter().rposition(|&b| b != 0);
    if let (Some(a), Some(b)) = (first, last) {
        blocks.push((page, base + a as i64, bytes[a..=b].to_vec()));
    }
}

/// The memory behind the loader; of a small machine all at once.
fn blocks(asked: &Asked<'_>, memory: &Memory, small: bool) -> Vec<Block> {
    let bank = asked.window.bank;
    let low = memory.read(asked.window, 0x5e00, 0x10000 - 0x5e00);
    let mut blocks = Vec::new();
    if small {
        add(
            &mut blocks,
            None,
            0x5e00,
            low.strip_suffix(&STACK).unwrap_or(&low),
        );
        return blocks;
    }
    for page in (0..memory.pages(bank).min(8)).filter(|p| ![2, 5].contains(p)) {
        add(&mut blocks, Some(page), 0xc000, &memory.page(bank, page));
    }
    add(&mut blocks, None, 0x5e00, &low[..0xc000 - 0x5e00]);
    blocks
}

/// The program that loads the blocks and starts them: line 10.
fn loader(blocks: &[Block], shown: bool, last: Option<u32>, start: u32) -> Vec<u8> {
    let mut line = Line(Vec::new());
    line.key(b"\xfd").number(0x5dff);
    if shown {
        line.key(b":\xef\"\"\xaa");
    }
    for (page, ..) in blocks {
        if let Some(page) = page {
            line.page(*page);
        }
        line.key(b":\xef\"\"\xaf");
    }
    if let Some(page) = last {
        line.page(page);
    }
    line.key(b":\xf9\xc0").number(start).key(b"\r");
    let mut program = vec![0, 10];
    program.extend_from_slice(&(line.0.len() as u16).to_le_bytes());
    program.extend_from_slice(&line.0);
    program
}

/// A tape that loads the memory and starts it: start; the device. The loader is BASIC:
/// each page is brought in by `OUT` before its block is loaded.
pub fn snapshot(asked: &Asked<'_>, memory: &Memory) -> Result<(Vec<u8>, Found), Box<Diagnostic>> {
    let Some(start) = given(asked.values, 0).or(asked.entry) else {
        let d = error("the tape has no start address");
        return Err(Box::new(
            d.help("write it behind the file, or behind `END`"),
        ));
    };
    let start = address(start, "the start address")?;
    let small = asked.save.texts[1] == "ZXSPECTRUM48";
    let blocks = blocks(asked, memory, small);
    let screen = memory.read(asked.window, 0x4000, 0x1b00);
    let shown =
        screen[..0x1800].iter().any(|&b| b != 0) || screen[0x1800..].iter().any(|&b| b != 0x38);
    let last = asked.window.slots.get(3).map_or(0, |s| s.page);
    let program = loader(&blocks, shown, (!small).then_some(last), start as u32);
    let mut out = Vec::new();
    let length = program.len() as i64;
    header(&mut out, 0, "LOADER", [length, 10, length]);
    put(&mut out, 0xff, &program);
    if shown {
        header(&mut out, 3, "screen", [0x1b00, 0x4000, 0x8000]);
        put(&mut out, 0xff, &screen);
    }
    for (_, at, bytes) in &blocks {
        header(&mut out, 3, "code", [bytes.len() as i64, *at, 0x8000]);
        put(&mut out, 0xff, bytes);
    }
    let mut found = Found::new();
    if memory.pages(asked.window.bank) > 8 {
        found.push(remark("the tape has only the first 128 KB of this device"));
    }
    Ok((out, found))
}
