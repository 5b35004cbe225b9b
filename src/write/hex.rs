//! Intel HEX: rows of 16 bytes, upper case, none over the end of 64K; a record 04
//! only where the upper half of the address changes; closed by `:00000001FF`. A start
//! address is left out: programmers and loaders for small machines take records 00, 01
//! and at most 04.
//!
//! One file holds one address space from its address 0, or all of them at their linear
//! addresses.

use super::context::Context;
use super::view;
use scrimp_isa::container::{Contained, ContainerError};
use std::fmt::Write;

/// Name of the space that the second kind of file holds.
const EEPROM: &str = "eeprom";

/// Bytes in a row.
const ROW: usize = 16;

/// Writes the first address space.
pub fn write(c: &Context<'_>) -> Result<Contained, ContainerError> {
    let pieces = view::pieces_in(c.image, view::first_space(c.image));
    let bytes = rows(&pieces);
    let warnings = left_out(c).into_iter().collect();
    Ok(Contained {
        bytes,
        warnings,
        ..Contained::default()
    })
}

/// What the first space's file does not hold.
pub fn left_out(c: &Context<'_>) -> Option<String> {
    let others = view::others(c.image);
    let list: Vec<String> = others
        .iter()
        .map(|(s, n)| format!("{n} bytes of {s}"))
        .collect();
    let formats = match others.iter().any(|(s, _)| *s == EEPROM) {
        true => "`--emit eep` writes the EEPROM, `--emit mhex` all of it",
        false => "`--emit mhex` writes all of it",
    };
    let list = list.join(" and ");
    (!others.is_empty()).then(|| format!("this file does not hold {list}: {formats}"))
}

/// Writes the EEPROM.
pub fn eeprom(c: &Context<'_>) -> Result<Contained, ContainerError> {
    let Some(space) = c.image.spaces.iter().find(|s| s.name == EEPROM) else {
        return Err(ContainerError {
            message: format!("the target {} has no EEPROM", c.target.name()),
            help: None,
            address: None,
            option: None,
        });
    };
    super::context::plain(rows(&view::pieces_in(c.image, Some(space.base))))
}

/// Writes all address spaces at their linear addresses.
pub fn all(c: &Context<'_>) -> Vec<u8> {
    rows(&view::pieces(c.image))
}

fn rows(pieces: &[(u64, Vec<u8>)]) -> Vec<u8> {
    let mut out = String::new();
    let mut upper = 0u64;
    for &(start, ref bytes) in pieces {
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
