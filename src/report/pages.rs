//! What is left over in pages: words that only something short could still use.

use crate::diagnostic::text::thousands;
use crate::image::Image;
use scrimp_isa::Operand;
use std::fmt::Write;

/// Pages that are listed one by one.
const MOST: usize = 8;

/// The pages that the program uses in part, where instructions reach a page only; empty
/// where they do not, or the program has one page.
pub fn text(image: &Image, operands: &[Operand]) -> String {
    let shape = operands.iter().find_map(|o| o.value?.base.page());
    let shape = shape.map(|(bits, unit)| (1u64 << bits, u64::from(unit)));
    let (Some((words, unit)), Some(space)) = (shape, image.spaces.first()) else {
        return String::new();
    };
    let page = words * unit;
    let end = space.base + space.size;
    let mut ranges: Vec<(u64, u64)> = image
        .chunks
        .iter()
        .filter(|c| c.address >= space.base && c.address < end && !c.bytes.is_empty())
        .map(|c| (c.address, c.address + c.bytes.len() as u64))
        .collect();
    ranges.sort_unstable();
    let mut used = vec![0u64; space.size.div_ceil(page) as usize];
    let mut behind = 0;
    for (from, to) in ranges {
        let mut at = from.max(behind);
        behind = behind.max(to);
        while at < to {
            let number = (at - space.base) / page;
            let next = (space.base + (number + 1) * page).min(to);
            if let Some(u) = used.get_mut(number as usize) {
                *u += next - at;
            }
            at = next;
        }
    }
    let taken = used.iter().filter(|&&u| u > 0).count();
    if taken < 2 {
        return String::new();
    }
    let part = used
        .iter()
        .enumerate()
        .filter(|(_, u)| (1..page).contains(*u));
    let free: Vec<(usize, u64)> = part.map(|(n, u)| (n, (page - u) / unit)).collect();
    let sum: u64 = free.iter().map(|f| f.1).sum();
    let mut out = format!(
        "pages: {taken} of {} in use, {} {} free in them",
        used.len(),
        thousands(sum),
        if unit == 1 { "bytes" } else { "words" }
    );
    for (i, (number, words)) in free.iter().take(MOST).enumerate() {
        let _ = write!(
            out,
            "{} ${number:02X} {words}",
            if i == 0 { ":" } else { "," }
        );
    }
    if free.len() > MOST {
        let _ = write!(out, " and {} pages more", free.len() - MOST);
    }
    out.push('\n');
    out
}
