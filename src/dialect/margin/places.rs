//! Pieces that run at another address than they are stored at.

use crate::image::NONE;
use crate::program::Outcome;
use crate::program::plan::Stored;
use crate::program::symbol::{Meaning, SymbolId};
use crate::read::Assembler;
use crate::text::source::Span;

/// Such a piece, which is open.
#[derive(Clone, Copy, Debug)]
pub struct Displaced {
    /// Address that the first byte is stored at.
    stored: i64,
    /// The first of its chunks.
    chunk: u32,
}

impl Assembler<'_> {
    /// Gives a symbol the address of the statement.
    pub(in super::super) fn define_place(
        &mut self,
        id: SymbolId,
        span: Span,
        local: bool,
    ) -> Outcome<()> {
        let here = self.here;
        let meaning = match self.here_value {
            Some(n) => Meaning::Number(n),
            None => Meaning::At(here),
        };
        self.define(id, meaning, span, false)?;
        let section = self.section;
        let s = self.symbols.get_mut(id);
        s.label = true;
        s.section = section;
        s.place = Some(here);
        if local || s.local {
            return Ok(());
        }
        let before = std::mem::replace(&mut self.sections[section as usize].owner, id.0);
        if before != NONE {
            let b = self.symbols.get_mut(SymbolId(before));
            if b.place.is_some_and(|p| p.chunk == here.chunk) {
                b.end.get_or_insert(here);
            }
        }
        Ok(())
    }

    /// An address of sixteen bits, with a warning for what is cut. Those below zero count
    /// from the end of memory.
    pub(in super::super) fn cut_address(&mut self, n: i64, span: Span) -> i64 {
        let kept = n & 0xffff;
        if !(-0x8000..0x10000).contains(&n) {
            self.cut(&format!("the address {n}"), kept, span);
        }
        kept
    }

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
