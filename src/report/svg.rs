//! Pictures: who owns each byte, and the text screen of a machine.

use super::percent;
use crate::diagnostic::text::thousands;
use crate::image::Image;
use crate::image::origin::owners;
use crate::image::origin::{NO_LABEL, Piece, pieces};
use rustc_hash::FxHashMap;
use scrimp_isa::Screen;
use std::fmt::Write;

/// Cells in a row of the byte map.
const COLUMNS: u64 = 64;
/// Side of a cell in pixels.
const CELL: u64 = 12;
/// Most cells; in a larger image a cell stands for several bytes.
const MOST_CELLS: u64 = 64 * 64;
/// Names in the legend.
const LEGEND: usize = 16;
/// Colours of owners, the largest first; from Tableau 20 by Tableau Software.
const COLORS: [&str; LEGEND] = [
    "#4e79a7", "#f28e2b", "#59a14f", "#e15759", "#76b7b2", "#edc948", "#b07aa1", "#ff9da7",
    "#9c755f", "#a0cbe8", "#ffbe7d", "#8cd17d", "#d37295", "#499894", "#d4a6c8", "#86bcb6",
];
/// Owners behind those of the legend.
const OTHER: &str = "#bab0ac";

/// Left of the cells, above them and between the lines of the legend, in pixels.
const LEFT: u64 = 60;
const TOP: u64 = 40;
const LEGEND_LINE: u64 = 18;

/// The cells of a byte map with the colours of those who own their bytes.
struct Cells {
    low: u64,
    per_cell: u64,
    colors: Vec<Option<&'static str>>,
}

impl Cells {
    fn of(image: &Image, ranked: &[(String, u64)], ends: (u64, u64)) -> Self {
        let (low, high) = ends;
        let color: FxHashMap<&str, &str> = ranked
            .iter()
            .zip(COLORS)
            .map(|((n, _), c)| (n.as_str(), c))
            .collect();
        let per_cell = (high - low).div_ceil(MOST_CELLS).max(1);
        let count = (high - low).div_ceil(per_cell);
        let mut colors = vec![None; count as usize];
        for p in first_space(image) {
            let owner = match p.owner {
                Some(o) => &*o.name,
                None if p.section.name.is_empty() => NO_LABEL,
                None => p.section.name.as_str(),
            };
            let fill = color.get(owner).copied().unwrap_or(OTHER);
            let first = (p.address() - low) / per_cell;
            let last = (p.address() + u64::from(p.run.len.max(1)) - 1 - low) / per_cell;
            for cell in &mut colors[first as usize..=last as usize] {
                cell.get_or_insert(fill);
            }
        }
        Self {
            low,
            per_cell,
            colors,
        }
    }

    fn rows(&self) -> u64 {
        (self.colors.len() as u64).div_ceil(COLUMNS).max(1)
    }

    fn draw(&self, out: &mut String) {
        let count = self.colors.len() as u64;
        for row in 0..self.rows() {
            let y = TOP + row * CELL;
            let _ = writeln!(
                out,
                "<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{:04X}</text>",
                LEFT - 8,
                y + CELL - 2,
                self.low + row * COLUMNS * self.per_cell
            );
            // Neighbours of one colour are one rectangle.
            let ends = row * COLUMNS..((row + 1) * COLUMNS).min(count);
            let of_row = &self.colors[ends.start as usize..ends.end as usize];
            let mut x = LEFT;
            for same in of_row.chunk_by(|a, b| a == b) {
                let w = same.len() as u64 * CELL;
                let fill = same[0].unwrap_or("#eeeeee");
                let _ = writeln!(
                    out,
                    "<rect x=\"{x}\" y=\"{y}\" width=\"{w}\" height=\"{}\" fill=\"{fill}\"/>",
                    CELL - 1
                );
                x += w;
            }
        }
    }
}

/// The runs of an image in its first address space.
fn first_space(image: &Image) -> impl Iterator<Item = Piece<'_>> {
    let base = image.spaces.first().map_or(0, |s| s.base);
    let first = move |a: u64| image.space_of(a).is_none_or(|s| s.base == base);
    pieces(image).filter(move |p| first(p.address()))
}

/// The bytes of an image's first address space from its lowest to its highest address as cells, coloured
/// by the label they belong to, with a legend of the largest.
pub fn byte_map(name: &str, image: &Image) -> String {
    let low = first_space(image).map(|p| p.address()).min().unwrap_or(0);
    let ends = first_space(image).map(|p| p.address() + u64::from(p.run.len));
    let high = ends.max().unwrap_or(low);
    let ranked = owners(image, low..high);
    let cells = Cells::of(image, &ranked, (low, high));
    let width = LEFT + COLUMNS * CELL + 20;
    let shown = ranked.len().min(LEGEND) as u64;
    let legend_top = TOP + cells.rows() * CELL + 24;
    let height = legend_top + shown.div_ceil(2) * LEGEND_LINE + 12;
    let mut out = head(width, height, "#ffffff");
    let total = first_space(image)
        .map(|p| u64::from(p.run.len))
        .sum::<u64>();
    let unit = match cells.per_cell {
        1 => String::new(),
        n => format!(", {n} to a cell"),
    };
    let _ = writeln!(
        out,
        "<text x=\"{LEFT}\" y=\"24\" font-size=\"15\">{}: {} bytes{unit}</text>",
        escape(name),
        thousands(total)
    );
    cells.draw(&mut out);
    for (i, ((name, bytes), fill)) in ranked.iter().zip(COLORS).enumerate() {
        let x = LEFT + (i as u64 % 2) * (COLUMNS * CELL / 2);
        let y = legend_top + (i as u64 / 2) * LEGEND_LINE;
        let _ = writeln!(
            out,
            "<rect x=\"{x}\" y=\"{y}\" width=\"12\" height=\"12\" fill=\"{fill}\"/>\
             <text x=\"{}\" y=\"{}\">{} {} ({})</text>",
            x + 18,
            y + 10,
            escape(name),
            thousands(*bytes),
            percent(*bytes, total)
        );
    }
    out.push_str("</svg>\n");
    out
}

/// Side of a character cell of a screen in pixels.
const CHARACTER: usize = 16;

/// The text screen of a machine; inverse cells are dark.
pub fn screen(screen: &Screen) -> String {
    let columns = screen.text.iter().map(|r| r.chars().count()).max();
    let border = CHARACTER;
    let width = columns.unwrap_or(0) * CHARACTER + 2 * border;
    let height = screen.text.len() * CHARACTER + 2 * border;
    let mut out = head(width as u64, height as u64, "#f4f4f0");
    for (y, row) in screen.text.iter().enumerate() {
        let none = Vec::new();
        let inverse = screen.inverse.get(y).unwrap_or(&none);
        let top = border + y * CHARACTER;
        for (x, c) in row.chars().enumerate() {
            let left = border + x * CHARACTER;
            let dark = inverse.get(x).copied().unwrap_or(false);
            if dark {
                let _ = writeln!(
                    out,
                    "<rect x=\"{left}\" y=\"{top}\" width=\"{CHARACTER}\" height=\"{CHARACTER}\"/>"
                );
            }
            if c != ' ' {
                let fill = if dark { "#f4f4f0" } else { "#000000" };
                let _ = writeln!(
                    out,
                    "<text x=\"{}\" y=\"{}\" font-size=\"{CHARACTER}\" text-anchor=\"middle\" fill=\"{fill}\">{}</text>",
                    left + CHARACTER / 2,
                    top + CHARACTER - 3,
                    escape(&c.to_string())
                );
            }
        }
    }
    out.push_str("</svg>\n");
    out
}

fn head(width: u64, height: u64, background: &str) -> String {
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" font-family=\"monospace\" font-size=\"12\">\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"{background}\"/>\n"
    )
}

/// Text as it may stand in XML; control characters become spaces.
fn escape(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            '"' => out.push_str("&quot;"),
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out
}
