//! Files of all memories: cartridges, and snapshots of the Amstrad CPC. Their formats are
//! those that its emulators read.

use super::banks::{CARTRIDGE, NUMBERS, OLD_SNAPSHOT};
use crate::diagnostic::{Diagnostic, codes};
use crate::image::memory::Memory;
use crate::read::hooks::Asked;

/// Bytes of a bank.
const BANK: usize = 0x4000;
/// Bytes of a set of banks, and of a chunk of a snapshot.
const SET: usize = 0x10000;

/// The colours that the firmware begins with, the border's last.
const INKS: [u8; 17] = [
    4, 10, 21, 28, 24, 29, 12, 5, 13, 22, 6, 23, 30, 0, 31, 14, 4,
];

/// The registers of the CRTC as the firmware leaves them.
const CRTC: [u8; 18] = [
    63, 40, 46, 142, 38, 0, 25, 30, 0, 7, 0, 0, 48, 0, 0, 0, 0, 0,
];

/// The bytes of the file.
///
/// # Errors
/// When a bank has too many bytes, or a snapshot too many banks.
pub fn file(asked: &Asked<'_>, memory: &Memory) -> Result<Vec<u8>, Box<Diagnostic>> {
    let (run, rooms) = asked.values.split_first().unwrap_or((&0, &[]));
    let mut all: Vec<u8> = Vec::new();
    for room in rooms.chunks_exact(NUMBERS) {
        let [set, number, bank, low, high] = [0, 1, 2, 3, 4].map(|k| room[k] as usize);
        let (at, from, room) = match set {
            0 => (number * BANK, low, BANK),
            _ => (number * SET, 0, SET),
        };
        if high - from > room {
            let message = format!("bank {number} has {} bytes", high - from);
            let d = Diagnostic::new(codes::OUT_OF_RANGE, message);
            return Err(Box::new(
                d.help("a bank holds 16384, from its lowest address on"),
            ));
        }
        let bytes = memory.linear(bank as u32, from as u64, high - from);
        let end = at + room;
        all.resize(all.len().max(end), 0);
        all[at..at + bytes.len()].copy_from_slice(&bytes);
    }
    match asked.save.what {
        CARTRIDGE => Ok(cartridge(&all)),
        what => snapshot(what == OLD_SNAPSHOT, *run as u16, all),
    }
}

/// Banks as chunks of a RIFF file.
fn cartridge(all: &[u8]) -> Vec<u8> {
    let mut out = b"RIFF\0\0\0\0AMS!".to_vec();
    for (n, bank) in all.chunks(BANK).enumerate() {
        out.extend_from_slice(format!("cb{n:02}").as_bytes());
        out.extend_from_slice(&(BANK as u32).to_le_bytes());
        out.extend_from_slice(bank);
    }
    let size = out.len() as u32 - 8;
    out[4..8].copy_from_slice(&size.to_le_bytes());
    out
}

/// A snapshot that runs from an address on.
fn snapshot(old: bool, run: u16, mut all: Vec<u8>) -> Result<Vec<u8>, Box<Diagnostic>> {
    let sets = all.len().div_ceil(SET);
    all.resize(sets * SET, 0);
    if old && sets > 2 {
        let message = "a snapshot of the second version holds 128 KB";
        let d = Diagnostic::new(codes::OUT_OF_RANGE, message);
        return Err(Box::new(d.help("leave `v2` out")));
    }
    let mut out = vec![0; 256];
    out[..8].copy_from_slice(b"MV - SNA");
    out[16] = if old { 2 } else { 3 };
    // The stack below the screen; interrupts of mode 1.
    out[0x21..0x23].copy_from_slice(&0xc000u16.to_le_bytes());
    out[0x23..0x25].copy_from_slice(&run.to_le_bytes());
    out[0x25] = 1;
    out[0x2f..0x40].copy_from_slice(&INKS);
    out[0x40..0x42].copy_from_slice(&[0x8d, 0xc0]);
    out[0x43..0x55].copy_from_slice(&CRTC);
    out[0x59] = 0x82;
    out[0x62] = 0x3f;
    out[0x6d] = 2;
    out[0xb2] = 2;
    if old {
        let kilobytes = (all.len() / 1024) as u16;
        out[0x6b..0x6d].copy_from_slice(&kilobytes.to_le_bytes());
        out.extend_from_slice(&all);
        return Ok(out);
    }
    for (n, set) in all.chunks(SET).enumerate() {
        let packed = packed(set);
        out.extend_from_slice(b"MEM");
        out.push(b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"[n % 36]);
        out.extend_from_slice(&(packed.len() as u32).to_le_bytes());
        out.extend_from_slice(&packed);
    }
    Ok(out)
}

/// Bytes of which three and more that are the same are a mark, their number and one of them.
fn packed(bytes: &[u8]) -> Vec<u8> {
    const MARK: u8 = 0xe5;
    let mut out = Vec::new();
    let mut i = 0;
    while let Some(&b) = bytes.get(i) {
        let same = bytes[i..].iter().take(255).take_while(|&&x| x == b);
        let n = same.count();
        match (b, n) {
            (MARK, 1) => out.extend_from_slice(&[MARK, 0]),
            (MARK, _) | (_, 3..) => out.extend_from_slice(&[MARK, n as u8, b]),
            _ => out.extend_from_slice(&bytes[i..i + n]),
        }
        i += n;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::{cartridge, packed};

    #[test]
    fn runs_are_packed() {
        assert_eq!(packed(&[1, 1, 2, 2, 2]), [1, 1, 0xe5, 3, 2]);
        assert_eq!(packed(&[0xe5, 1, 0xe5, 0xe5]), [0xe5, 0, 1, 0xe5, 2, 0xe5]);
        assert_eq!(packed(&[7; 256]), [0xe5, 255, 7, 7]);
    }

    #[test]
    fn cartridges_have_a_chunk_for_each_bank() {
        let made = cartridge(&[1; 0x8000]);
        assert_eq!(made.len(), 12 + 2 * (8 + 0x4000));
        assert_eq!(made[4..8], (made.len() as u32 - 8).to_le_bytes());
        assert_eq!(&made[12..16], b"cb00");
    }
}
