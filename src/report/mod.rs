//! Reports on an image: who uses the bytes, budgets, changes, pictures.
//!
//! All are views of [`Sizes`], whose sums equal the image's size.

pub mod board;
pub mod budget;
pub mod diff;
pub mod dump;
pub mod grid;
pub mod json;
pub mod markdown;
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

use crate::diagnostic::text::thousands;

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
