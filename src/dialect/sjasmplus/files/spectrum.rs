//! The memory of a Spectrum behind the start of its ROM, and snapshots of it.

use super::common::{Found, error, given, remark};
use crate::diagnostic::Diagnostic;
use crate::image::memory::Memory;
use crate::read::hooks::Asked;

/// System variables that are not 0: address, bytes. Of a 48K machine behind `CLEAR`.
#[rustfmt::skip]
const VARIABLES: &[(u32, &[u8])] = &[
    (0x5c00, &[0xff]), (0x5c04, &[0xff]),               // KSTATE: no key
    (0x5c09, &[20, 1]),                                 // REPDEL, REPPER
    (0x5c10, &[1, 0, 6, 0, 11, 0, 1, 0, 1, 0, 6, 0, 16]), // STRMS
    (0x5c36, &[0x00, 0x3c]),                            // CHARS
    (0x5c38, &[0x40]),                                  // RASP
    (0x5c3a, &[0xff, 0xcc, 0x01]),                      // ERR_NR, FLAGS, TV_FLAG
    (0x5c48, &[0x38]),                                  // BORDCR
    (0x5c4b, &[0xcb, 0x5c]),                            // VARS
    (0x5c4f, &[0xb6, 0x5c]), (0x5c51, &[0xb6, 0x5c]),   // CHANS, CURCHL
    (0x5c53, &[0xcb, 0x5c]),                            // PROG
    (0x5c57, &[0xca, 0x5c]),                            // DATADD
    (0x5c59, &[0xcc, 0x5c]), (0x5c5b, &[0xcc, 0x5c]),   // E_LINE, K_CUR
    (0x5c5d, &[0xcc, 0x5c]),                            // CH_ADD
    (0x5c61, &[0xce, 0x5c]),                            // WORKSP
    (0x5c63, &[0xce, 0x5c]), (0x5c65, &[0xce, 0x5c]),   // STKBOT, STKEND
    (0x5c68, &[0x92, 0x5c]),                            // MEM
    (0x5c6a, &[0x10, 2]),                               // FLAGS2, DF_SZ
    (0x5c7b, &[0x58, 0xff]),                            // UDG
    (0x5c7f, &[33, 0x5b]),                              // P_POSN, PR_CC
    (0x5c82, &[33, 23]),                                // ECHO_E
    (0x5c84, &[0x00, 0x40]), (0x5c86, &[0xe0, 0x50]),   // DF_CC, DFCCL
    (0x5c88, &[33, 24]), (0x5c8a, &[33, 23]),           // S_POSN, SPOSNL
    (0x5c8c, &[1, 0x38]), (0x5c8f, &[0x38]),            // SCR_CT, ATTR_P, ATTR_T
    (0x5cb4, &[0xff, 0xff]),                            // P_RAMT
    // Channels: how they print, how they read, their letter.
    (0x5cb6, &[0xf4, 0x09, 0xa8, 0x10, b'K']),
    (0x5cbb, &[0xf4, 0x09, 0xc4, 0x15, b'S']),
    (0x5cc0, &[0x81, 0x0f, 0xc4, 0x15, b'R']),
    (0x5cc5, &[0xf4, 0x09, 0xc4, 0x15, b'P']),
    (0x5cca, &[0x80, 0x80, 13, 0x80]),                  // no program, no variables, an empty line
];

/// Where the address of the top of memory stands, and that of the stack.
const RAMTOP: u32 = 0x5cb2;
const ERR_SP: u32 = 0x5c3d;
/// Where the letters A to U are that a user may change.
const UDG: u32 = 0xff58;

/// The six middle rows of the letters A to U, each row a byte from the highest down.
const LETTERS: [u64; 21] = [
    0x3c42_427e_4242,
    0x7c42_7c42_427c,
    0x3c42_4040_423c,
    0x7844_4242_4478,
    0x7e40_7c40_407e,
    0x7e40_7c40_4040,
    0x3c42_404e_423c,
    0x4242_7e42_4242,
    0x3e08_0808_083e,
    0x0202_0242_423c,
    0x4448_7048_4442,
    0x4040_4040_407e,
    0x4266_5a42_4242,
    0x4262_524a_4642,
    0x3c42_4242_423c,
    0x7c42_427c_4040,
    0x3c42_4252_4a3c,
    0x7c42_427c_4442,
    0x3c40_3c02_423c,
    0xfe10_1010_1010,
    0x4242_4242_423c,
];

/// What the top of the stack has: where errors go, and the end of `GO SUB`.
pub const STACK: [u8; 4] = [0x03, 0x13, 0x00, 0x3e];

/// Memory behind `CLEAR top`, as pages of 16 KB: page, offset, bytes. `first` are the
/// pages in the slots.
pub fn memory(first: &[u32], top: i64) -> Vec<(u32, u32, Vec<u8>)> {
    let mut out = Vec::new();
    let mut put = |address: u32, bytes: &[u8]| {
        let page = |at: u32| first[(at >> 14) as usize & 3];
        // Nothing of it but the stack can lie over the end of a page.
        out.push((page(address), address & 0x3fff, bytes.to_vec()));
    };
    put(0x5800, &[0x38; 0x300]);
    for (i, letter) in LETTERS.iter().enumerate() {
        put(UDG + 8 * i as u32 + 1, &letter.to_be_bytes()[2..]);
    }
    for (address, bytes) in VARIABLES {
        put(*address, bytes);
    }
    let stack = (top - 3) as u32;
    put(RAMTOP, &(top as u16).to_le_bytes());
    put(ERR_SP, &(stack as u16).to_le_bytes());
    for (i, b) in STACK.into_iter().enumerate() {
        put((stack + i as u32) & 0xffff, &[b]);
    }
    out
}

/// The page that a slot has at the start.
fn first_page(small: bool, address: i64) -> u32 {
    let slot = (address >> 14) as usize & 3;
    match small {
        true => slot as u32,
        false => [7, 5, 2, 0][slot],
    }
}

/// Registers as a snapshot has them, behind `RANDOMIZE USR start` with the stack at `sp`.
fn registers(start: u16, sp: u16) -> Vec<u8> {
    let mut out = vec![0x3f];
    // HL', DE', BC', AF'; HL, DE, BC; IY, IX.
    for word in [
        0x2758, 0x369b, 0, 0x0044, 0x2d2b, 0x5cdc, start, 0x5c3a, 0xff3c,
    ] {
        out.extend_from_slice(&word.to_le_bytes());
    }
    // Interrupts off, R.
    out.extend_from_slice(&[0, 0]);
    for word in [0x0054, sp] {
        out.extend_from_slice(&word.to_le_bytes());
    }
    // Interrupt mode, border.
    out.extend_from_slice(&[1, 7]);
    out
}

/// A snapshot in the format SNA: start; the device and its top of memory.
pub fn snapshot(
    asked: &Asked<'_>,
    memory: &mut Memory,
) -> Result<(Vec<u8>, Found), Box<Diagnostic>> {
    let mut found = Found::new();
    let said = given(asked.values, 0);
    if said.is_some() && asked.entry.is_some() {
        found.push(remark("the start that `END` says is not taken"));
    }
    let Some(start) = said.or(asked.entry) else {
        let d = error("the snapshot has no start address");
        return Err(Box::new(
            d.help("write it behind the file, or behind `END`"),
        ));
    };
    if start < 0 {
        return Err(error("the start address is negative"));
    }
    let small = asked.save.texts[1] == "ZXSPECTRUM48";
    let bank = asked.window.bank;
    let top = given(asked.values, 1).unwrap_or(-1);
    let mut stack = (top - 3).max(0x4002);
    let at = |memory: &Memory, address: i64| {
        let page = memory.written(bank, first_page(small, address & 0xffff));
        page.map_or(0, |p| p[address as usize & 0x3fff])
    };
    let below = small.then_some([0, 0]);
    let below = below.iter().flatten().copied();
    let untouched = below
        .zip(-2..)
        .chain(STACK.into_iter().zip(0..))
        .all(|(byte, i)| at(memory, stack + i) == byte);
    let word = (start as u16).to_le_bytes();
    let sp = match (untouched, small) {
        (true, true) => {
            stack -= 2;
            for (i, b) in word.into_iter().enumerate() {
                let address = stack + i as i64;
                let page = first_page(true, address);
                memory.fill(bank, page, address as u32 & 0x3fff, &[b]);
            }
            stack as u16
        }
        (true, false) => stack as u16,
        (false, true) => {
            let note = remark("the start address overwrites $4000 and $4001: the stack is used");
            found.push(note);
            memory.fill(bank, 1, 0, &word);
            0x4000
        }
        (false, false) => 0x6000,
    };
    let mut out = registers(start as u16, sp);
    let last = asked.window.slots.get(3).map_or(0, |s| s.page);
    let pages = if small { [1, 2, 3] } else { [5, 2, last] };
    for page in pages {
        out.extend_from_slice(&memory.page(bank, page));
    }
    if !small {
        out.extend_from_slice(&word);
        out.extend_from_slice(&[(0x10 + last) as u8, 0]);
        for page in (0..8).filter(|p| ![2, 5, last].contains(p)) {
            out.extend_from_slice(&memory.page(bank, page));
        }
    }
    if memory.pages(bank) > 8 {
        found.push(remark(
            "a snapshot has only the first 128 KB of this device",
        ));
    }
    Ok((out, found))
}
