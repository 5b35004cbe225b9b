//! Reports on an image: who uses the bytes, budgets, changes, pictures.
//!
//! All are views of [`Sizes`], whose sums equal the image's size.

pub mod board;
pub mod budget;
pub mod diff;
pub mod grid;
pub mod json;
pub mod markdown;
pub mod origin;
pub mod pages;
pub mod ruler;
mod sizes;
pub mod svg;
pub mod text;
pub mod time;
pub mod uses;

pub use sizes::{
    Bytes, Extent, RegionSize, RoutineSize, SCHEMA, SectionSize, Sizes, SizesError, SpaceSize,
};

use crate::image::Image;
use origin::{NO_LABEL, pieces, section_name};
use rustc_hash::FxHashMap;
use std::ops::Range;

/// Who has the bytes at the addresses of `range`: names of labels and how many
/// bytes, most first. What belongs to no label goes by its section's name.
pub fn owners(image: &Image, range: Range<u64>) -> Vec<(String, u64)> {
    let mut sums: FxHashMap<(u32, u32), u64> = FxHashMap::default();
    for p in pieces(image) {
        let from = p.address().max(range.start);
        let to = (p.address() + u64::from(p.run.len)).min(range.end);
        if from < to {
            *sums.entry((p.run.owner, p.chunk.section)).or_default() += to - from;
        }
    }
    let mut named: FxHashMap<String, u64> = FxHashMap::default();
    for ((owner, section), bytes) in sums {
        let name = match image.symbols.get(owner as usize) {
            Some(s) => s.name.clone(),
            None if image.sections[section as usize].name.is_empty() => NO_LABEL.into(),
            None => section_name(&image.sections[section as usize].name).to_owned(),
        };
        *named.entry(name).or_default() += bytes;
    }
    let mut out: Vec<_> = named.into_iter().collect();
    out.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    out
}

/// A number with commas between thousands.
pub fn thousands(n: u64) -> String {
    let digits = n.to_string();
    let mut out = String::new();
    for (i, c) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(c);
    }
    out
}

/// `+3`, `−21`, `0`
pub fn signed(n: i64) -> String {
    let magnitude = thousands(n.unsigned_abs());
    match n {
        0 => magnitude,
        1.. => format!("+{magnitude}"),
        _ => format!("−{magnitude}"),
    }
}

/// `45.0 %` of a whole; nothing of nothing is 0.
pub fn percent(part: u64, whole: u64) -> String {
    let tenths = (u128::from(part) * 1000 + u128::from(whole) / 2) / u128::from(whole.max(1));
    format!("{}.{} %", tenths / 10, tenths % 10)
}

#[cfg(test)]
mod tests;
