//! Intel HEX: rows of 16 bytes, upper case, none over the end of 64K; a record 04
//! only where the upper half of the address changes; closed by `:00000001FF`. A start address is left out: programmers and loaders
//! for small machines take records 00, 01 and at most 04.

use super::{Context, view};
use std::fmt::Write;

/// Bytes in a row.
const ROW: usize = 16;

/// Writes it.
pub fn write(c: &Context<'_>) -> Vec<u8> {
    let mut out = String::new();
    let mut upper = 0u64;
    for (start, bytes) in view::pieces(c.image) {
        let mut at = start;
        let mut rest = &bytes[..];
        while !rest.is_empty() {
            if at >> 16 != upper {
                upper = at >> 16;
                record(&mut out, 4, 0, &(upper as u16).to_be_bytes());
            }
            let len = rest.len().min(ROW).min(0x1_0000 - (at & 0xFFFF) as usize);
            let (row, more) = rest.split_at(len);
            record(&mut out, 0, at as u16, row);
            rest = more;
            at += len as u64;
        }
    }
    record(&mut out, 1, 0, &[]);
    out.into_bytes()
}

/// `:LLAAAATT…CC`, the last byte makes the sum of all 0.
fn record(out: &mut String, kind: u8, address: u16, data: &[u8]) {
    let [high, low] = address.to_be_bytes();
    let head = [data.len() as u8, high, low, kind];
    out.push(':');
    let mut sum = 0u8;
    for &b in head.iter().chain(data) {
        let _ = write!(out, "{b:02X}");
        sum = sum.wrapping_add(b);
    }
    let _ = writeln!(out, "{:02X}", sum.wrapping_neg());
}
