//! One bar for each region: what lies where, and what is free.

use super::{RegionSize, Sizes, percent};
use crate::diagnostic::text::thousands;
use rustc_hash::FxHashMap;
use std::fmt::Write;

/// Cells of a bar.
const WIDTH: usize = 56;
/// One for each section; those behind the last share it.
const MARKS: &[char] = &[
    '█', '▓', '▒', '░', 'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l', 'm', 'n', 'o',
    'p', 'q', 'r', 's', 't', 'u', 'v', 'w', 'x', 'y', 'z', '#',
];
/// No byte at all in the cell.
const FREE: char = '·';

/// The bars of all regions with bytes.
pub fn text(sizes: &Sizes) -> String {
    let mut out = String::new();
    for r in &sizes.regions {
        region(&mut out, r);
    }
    if sizes.outside > 0 {
        let _ = writeln!(
            out,
            "{} bytes lie outside all regions",
            thousands(sizes.outside)
        );
    }
    out
}

/// Most sections that are named below a bar.
const MOST_NAMED: usize = 400;

fn region(out: &mut String, r: &RegionSize) {
    let mut names: Vec<&str> = Vec::new();
    let mut numbers: FxHashMap<&str, usize> = FxHashMap::default();
    let mut bytes: Vec<u64> = Vec::new();
    for e in &r.extents {
        let i = *numbers.entry(&e.section).or_insert(names.len());
        if i == names.len() {
            names.push(&e.section);
            bytes.push(0);
        }
        bytes[i] += e.length;
    }
    let mark = |i: usize| MARKS[i.min(MARKS.len() - 1)];
    let width = WIDTH.min(r.size as usize).max(1);
    let edge = |i: usize| (u128::from(r.size) * i as u128 / width as u128) as u64 + r.start;
    let mut next = 0;
    let bar: String = (0..width)
        .map(|i| {
            let (from, to) = (edge(i), edge(i + 1));
            while r
                .extents
                .get(next)
                .is_some_and(|e| e.address + e.length <= from)
            {
                next += 1;
            }
            // The section with most bytes in the cell; any byte at all shows.
            let mut best: Option<(u64, usize)> = None;
            for e in r.extents[next..].iter().take_while(|e| e.address < to) {
                let n = (e.address + e.length).min(to) - e.address.max(from);
                let section = numbers.get(e.section.as_str()).copied().unwrap_or(0);
                if best.is_none_or(|(most, _)| n > most) {
                    best = Some((n, section));
                }
            }
            best.map_or(FREE, |(_, s)| mark(s))
        })
        .collect();
    let _ = writeln!(
        out,
        "{:<10} {:04X} {bar} {:04X}",
        r.name,
        r.ends().0,
        r.ends().1
    );
    let _ = writeln!(
        out,
        "{:<10}      {} of {} bytes used ({}), {} free",
        "",
        thousands(r.used),
        thousands(r.size),
        percent(r.used, r.size),
        thousands(r.free)
    );
    let mut legend: Vec<String> = names
        .iter()
        .zip(&bytes)
        .enumerate()
        .take(MOST_NAMED)
        .map(|(i, (n, b))| format!("{} {n} {}", mark(i), thousands(*b)))
        .collect();
    if names.len() > MOST_NAMED {
        legend.push(format!(
            "… {} more",
            thousands((names.len() - MOST_NAMED) as u64)
        ));
    }
    for line in legend.chunks(4) {
        let _ = writeln!(out, "{:<10}      {}", "", line.join("  "));
    }
}
