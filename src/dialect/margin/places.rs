//! Pieces that run at another address than they are stored at.

use crate::program::plan::Stored;
use crate::read::Assembler;

/// Such a piece, which is open.
#[derive(Clone, Copy, Debug)]
pub struct Displaced {
    /// Address that the first byte is stored at.
    stored: i64,
    /// The first of its chunks.
    chunk: u32,
}

impl Assembler<'_> {
    /// Goes on at address `runs`, with bytes that are stored where they would be.
    pub(in super::super) fn displace(&mut self, runs: i64) -> Displaced {
        let stored = self.here_value.unwrap_or(0);
        self.open_chunk(Some(runs as u64 & 0xffff), 1);
        let chunk = self.chunk;
        Displaced { stored, chunk }
    }

    /// Goes on where bytes are stored.
    pub(in super::super) fn end_displaced(&mut self, d: Displaced) {
        let mut at = d.stored;
        for c in &mut self.program.chunks[d.chunk as usize..] {
            c.stored = Stored::At(at as u64 & 0xffff);
            at += i64::from(c.size);
        }
        self.open_chunk(Some(at as u64 & 0xffff), 1);
    }
}
