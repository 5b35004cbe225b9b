//! Motorola S records: S1, S2 or S3 by the highest address, the same for all rows, and
//! the end record that belongs to it.

use super::context::Context;
use super::{hex, view};
use scrimp_isa::container::{Contained, ContainerError};
use std::fmt::Write;

/// Bytes in a row.
const ROW: usize = 16;
/// Most bytes of the name in the first record.
const NAME: usize = 32;

/// Writes it.
pub fn write(c: &Context<'_>) -> Result<Contained, ContainerError> {
    let pieces = view::pieces_in(c.image, view::first_space(c.image));
    let end = pieces.iter().map(|(at, b)| at + b.len() as u64).max();
    let last = end.unwrap_or(0).max(c.image.entry.unwrap_or(0) + 1) - 1;
    let (kind, width) = match last {
        0..=0xFFFF => (1, 2),
        0x1_0000..=0xFF_FFFF => (2, 3),
        0x100_0000..=0xFFFF_FFFF => (3, 4),
        _ => {
            return Err(ContainerError {
                message: "S records hold addresses of up to 32 bits".into(),
                help: None,
                address: Some(last),
                option: None,
            });
        }
    };
    let mut out = String::new();
    let name = c.name.as_bytes();
    record(&mut out, 0, 2, 0, &name[..name.len().min(NAME)]);
    for (start, bytes) in &pieces {
        for (i, row) in bytes.chunks(ROW).enumerate() {
            record(&mut out, kind, width, start + (i * ROW) as u64, row);
        }
    }
    record(&mut out, 10 - kind, width, c.image.entry.unwrap_or(0), &[]);
    Ok(Contained {
        bytes: out.into_bytes(),
        warnings: hex::left_out(c).into_iter().collect(),
        ..Contained::default()
    })
}

/// `SKLLAA…DD…CC`: LL counts what follows; CC is the complement of the sum.
fn record(out: &mut String, kind: u8, width: usize, address: u64, data: &[u8]) {
    let address = address.to_be_bytes();
    let head = [(width + data.len() + 1) as u8];
    let _ = write!(out, "S{kind}");
    let mut sum = 0u8;
    for &b in head.iter().chain(&address[8 - width..]).chain(data) {
        let _ = write!(out, "{b:02X}");
        sum = sum.wrapping_add(b);
    }
    let _ = writeln!(out, "{:02X}", !sum);
}
