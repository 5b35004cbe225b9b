//! Blocks of time: how many, how long, and what they cost.

use crate::diagnostic::text::thousands;
use crate::image::Image;
use scrimp_isa::proof::Overhead;
use std::fmt::Write;

/// Two lines about a program's blocks; nothing where it has none.
pub fn text(image: &Image, clocks: &str) -> String {
    let mut out = String::new();
    let Some(longest) = image.blocks.iter().map(|b| b.clocks).max() else {
        return out;
    };
    let n = image.blocks.len();
    let sum: i64 = image.blocks.iter().map(|b| b.clocks).sum();
    let tenths = sum * 10 / n as i64;
    let _ = writeln!(
        out,
        "blocks: {n}, the longest of {longest} {clocks}, on average {}.{}",
        tenths / 10,
        tenths % 10
    );
    let of = |kind: Overhead| {
        let words = |&(address, len, k): &(u64, u32, Overhead)| match k == kind {
            true => u64::from(len) / image.space_of(address).map_or(1, |s| u64::from(s.unit)),
            false => 0,
        };
        thousands(image.overhead.iter().map(words).sum())
    };
    let _ = writeln!(
        out,
        "words for them: {} of sync, {} of stubs, {} of filler",
        of(Overhead::Sync),
        of(Overhead::Stub),
        of(Overhead::Filler)
    );
    out
}
