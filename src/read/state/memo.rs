//! Lines met before: an instruction of registers and numbers alone is the same item
//! wherever it stands, so its line is read once and looked up after that.
//!
//! Invariant: a line is kept only if the item that it made follows from its text, the
//! table and the dialect. Every directive that may change what words mean starts a
//! new generation, which makes all that is kept void.

use crate::text::source::SourceId;

/// Longest text that is kept, in bytes.
pub const LONGEST: usize = 31;
/// Slots of the table.
pub const SLOTS: usize = 1 << 13;

/// The text of a line with zeros behind it. A text with a zero of its own is not kept,
/// so texts that differ differ here, without a look at sources far away.
pub type Key = [u64; 4];

/// A line and what it made; the key of an empty one is that of no text. One cache line, so
/// that a look costs no second miss.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(64))]
pub struct Line {
    pub(crate) key: Key,
    /// First byte of the statement in the text.
    pub from: u8,
    /// Bytes of the instruction.
    pub size: u8,
    pub(crate) form: u16,
    pub(crate) generation: u32,
    pub(crate) word: u64,
}

/// The lines that are kept.
#[derive(Debug, Default)]
pub struct Memo {
    pub(crate) slots: Vec<Line>,
    pub(crate) generation: u32,
    /// The statement in work has no names, so it may be kept.
    pub plain: bool,
}

/// A line of a file that may be kept: its text without the comment.
#[derive(Clone, Copy, Debug)]
pub struct Candidate {
    pub(crate) source: SourceId,
    pub(crate) start: usize,
    pub(crate) end: usize,
    /// First byte of the next line.
    pub next: usize,
    pub(crate) key: Key,
    pub(crate) slot: usize,
}

/// What has been made before a line, to see what the line makes.
#[derive(Clone, Copy, Debug)]
pub struct Before {
    pub(crate) candidate: Candidate,
    pub(crate) chunk: u32,
    pub(crate) items: usize,
    pub(crate) values: usize,
    pub(crate) findings: usize,
    pub(crate) feeds: usize,
}

impl Memo {
    /// Forgets all lines.
    pub fn renew(&mut self) {
        self.generation += 1;
    }
}

/// The key of the first `len` bytes, at most [`LONGEST`], of a text.
#[inline]
pub fn key(text: &[u8], len: usize) -> Key {
    let mut bytes = [0; 32];
    match text.first_chunk::<32>() {
        Some(all) => bytes = *all,
        None => bytes[..text.len()].copy_from_slice(text),
    }
    let mut key = [0; 4];
    for (i, (word, bytes)) in key.iter_mut().zip(bytes.chunks_exact(8)).enumerate() {
        let kept = len.saturating_sub(8 * i).min(8) as u32;
        let mask = u64::MAX.checked_shr(64 - 8 * kept).unwrap_or(0);
        *word = u64::from_le_bytes(bytes.try_into().unwrap_or_default()) & mask;
    }
    key
}

/// Where the line of a key is kept.
#[inline]
pub fn slot(key: &Key) -> usize {
    let mut hash = 0u64;
    for &word in key {
        hash = (hash.rotate_left(5) ^ word).wrapping_mul(0x517c_c1b7_2722_0a95);
    }
    (hash >> 40) as usize % SLOTS
}
