//! Tables in columns as a map: pages downwards, columns to the right.

use crate::image::{GridPart, Image};
use std::fmt::Write;

/// Characters of a row of the map.
const ACROSS: u16 = 64;
/// Rows of the map.
const DOWN: u16 = 32;
/// A cell of the map that is free.
const FREE: char = '·';
/// A cell that is kept free of tables.
const KEPT: char = '░';
/// A cell of sections.
const SECTION: char = '▒';

/// The map and its legend; empty where there are no tables. `base` is the linear
/// address of page 0, `pages` and `columns` how many there are.
pub fn text(image: &Image, base: u64, pages: u16, columns: u16) -> String {
    if image.grid.is_empty() {
        return String::new();
    }
    let (high, wide) = (pages.div_ceil(DOWN), columns.div_ceil(ACROSS));
    let mut out = format!(
        "tables in columns: a character is {high} pages by {wide} columns\n\n        {}\n",
        ruler(wide)
    );
    let letters = letters(&image.grid);
    for row in 0..DOWN {
        let first = row * high;
        if first >= pages {
            break;
        }
        let _ = write!(out, "page {first:02X} ");
        for c in 0..ACROSS {
            let block = GridPart {
                name: String::new(),
                pages: (first, first + high - 1),
                columns: (c * wide, c * wide + wide - 1),
                reserved: false,
                span: image.grid[0].span,
            };
            let table = image.grid.iter().zip(&letters);
            let hit = table.clone().find(|(g, _)| !g.reserved && g.meets(&block));
            let kept = image.grid.iter().any(|g| g.reserved && g.meets(&block));
            out.push(match hit {
                Some((_, &letter)) => letter,
                None if section(image, base, columns, &block) => SECTION,
                None if kept => KEPT,
                None => FREE,
            });
        }
        out.push('\n');
    }
    out.push('\n');
    for (g, letter) in image.grid.iter().zip(&letters) {
        let letter = if g.reserved { KEPT } else { *letter };
        let _ = writeln!(
            out,
            "  {letter} {g}: {} bytes",
            crate::diagnostic::text::thousands(g.len())
        );
    }
    out
}

/// Columns in hexadecimal above the map, each at its place.
fn ruler(wide: u16) -> String {
    (0..ACROSS)
        .step_by(8)
        .map(|c| format!("{:<8}", format!("{:02X}", c * wide)))
        .collect()
}

/// A letter for each table, in order; after 52 they begin again.
fn letters(grid: &[GridPart]) -> Vec<char> {
    let all: Vec<char> = ('a'..='z').chain('A'..='Z').collect();
    let mut next = 0;
    grid.iter()
        .map(|g| {
            let letter = all[next % all.len()];
            next += usize::from(!g.reserved);
            letter
        })
        .collect()
}

/// Whether a section has a byte in a block.
fn section(image: &Image, base: u64, columns: u16, block: &GridPart) -> bool {
    let columns = u64::from(columns);
    image.chunks.iter().any(|c| {
        let end = c.address + c.bytes.len() as u64;
        (block.pages.0..=block.pages.1).any(|p| {
            let row = base + u64::from(p) * columns;
            let from = row + u64::from(block.columns.0);
            let to = row + u64::from(block.columns.1);
            c.address <= to && from < end && end > c.address
        })
    })
}
