//! The score board: sizes of many programs as one text that is committed, so that
//! each byte shows in review.

use super::Sizes;
use crate::image::origin::section_name;
use std::fmt::Write;

/// A program on the board.
#[derive(Clone, Debug)]
pub struct Row {
    /// Its sizes.
    pub sizes: Sizes,
    /// Its files in the machine's formats: name of the format and bytes.
    pub containers: Vec<(String, u64)>,
}

/// The text, programs by name.
pub fn board(rows: &[Row]) -> String {
    let mut rows: Vec<&Row> = rows.iter().collect();
    rows.sort_by(|a, b| a.sizes.name.cmp(&b.sizes.name));
    let mut out = String::from("program            bytes   code   data  space padding\n");
    for row in rows {
        let s = &row.sizes;
        let _ = write!(out, "{:<16} {:>7}", s.name, s.total);
        bytes(&mut out, s.classes());
        for section in &s.sections {
            let room = if section.room { " (room)" } else { "" };
            let label = format!("  {}{room}", section_name(&section.name));
            let _ = write!(out, "{label:<16} {:>7}", section.total);
            bytes(&mut out, section.bytes);
        }
        for (format, n) in &row.containers {
            let label = format!("  .{format}");
            let _ = writeln!(out, "{label:<16} {n:>7}");
        }
    }
    out
}

fn bytes(out: &mut String, b: super::Bytes) {
    let _ = writeln!(
        out,
        " {:>6} {:>6} {:>6} {:>7}",
        b.code, b.data, b.space, b.padding
    );
}
