//! Files of the memory as it is at a line.

use crate::image;
use crate::place::Layout;
use crate::program::Program;
use crate::program::eval::{Miss, State};
use crate::program::plan::Save;
use crate::program::symbol::Anchor;

/// Most bytes of a file.
const MOST: i64 = 1 << 24;

/// What the memory has where a source asks for a file of it, each byte where it is stored:
/// later items over earlier ones,
/// and zeros where there are none. `built` are the chunks of the program in order.
///
/// # Errors
/// Why its range is not known.
pub fn saved(
    program: &Program<'_>,
    layout: &Layout,
    values: &[State],
    built: &[image::Chunk],
    save: &Save,
) -> Result<Vec<u8>, Miss> {
    let start = program.value_of(save.range.0, layout, values)?;
    let len = program.value_of(save.range.1, layout, values)?;
    let start = u64::try_from(start).map_err(|_| Miss::Overflow)?;
    if !(0..=MOST).contains(&len) {
        return Err(Miss::Overflow);
    }
    let mut out = vec![0; len as usize];
    for (c, (chunk, &item)) in built.iter().zip(&save.items).enumerate() {
        if chunk.bare || chunk.page != 0 && !save.pages.contains(&chunk.page) {
            continue;
        }
        let end = Anchor {
            chunk: c as u32,
            item,
            plus: 0,
        };
        let there = (program.address(layout, end) - layout.base[c]) as usize;
        for (i, &byte) in chunk.bytes.iter().enumerate().take(there) {
            let at = (layout.load[c] + i as u64).checked_sub(start);
            if let Some(to) = at.and_then(|a| out.get_mut(a as usize)) {
                *to = byte;
            }
        }
    }
    Ok(out)
}
