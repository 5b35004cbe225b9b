//! The sound of a saved program, as the ZX81 makes and reads it.
//!
//! A bit is 4 pulses (0) or 9 (1) of 150 us high and 150 us low, and 1300 us of
//! silence; most significant bit first, without start or stop bits.

/// Half a pulse in microseconds.
pub const HALF: u64 = 150;
/// Silence after a bit in microseconds.
pub const SILENCE: u64 = 1300;
/// Silence before the name in microseconds.
pub const LEAD: u64 = 5_000_000;
/// Pulses of a 0 and a 1.
pub const PULSES: [u64; 2] = [4, 9];

/// A program's name in ZX81 codes, with the end mark on its last character.
///
/// # Errors
/// The name is empty, longer than 127 characters or has one that the ZX81 does
/// not have; as a text.
pub fn name(text: &str) -> Result<Vec<u8>, String> {
    let mut codes = Vec::new();
    for c in text.chars() {
        let upper = c.to_ascii_uppercase();
        match super::chars::encode("zx81", if c == '_' { '-' } else { upper }) {
            Some(code) if code < 0x40 => codes.push(code),
            _ => return Err(format!("the ZX81 has no {c:?} for the name {text:?}")),
        }
    }
    match codes.last_mut() {
        Some(last) if text.chars().count() <= 127 => *last |= 0x80,
        Some(_) => return Err("a name has at most 127 characters".into()),
        None => return Err("the program needs a name on tape".into()),
    }
    Ok(codes)
}

/// The times in microseconds at which the level changes, from low; the first
/// change is at 0. Ends low.
pub fn edges(bytes: impl IntoIterator<Item = u8>) -> impl Iterator<Item = u64> {
    let mut time = 0;
    bytes
        .into_iter()
        .flat_map(|byte| (0..8).rev().map(move |bit| byte >> bit & 1))
        .flat_map(move |bit| {
            let start = time;
            let halves = 2 * PULSES[usize::from(bit)];
            time += halves * HALF + SILENCE;
            (0..halves).map(move |i| start + i * HALF)
        })
}
