//! Lines met before: an instruction of registers and numbers alone is the same item
//! wherever it stands, so its line is read once and looked up after that.
//!
//! Invariant: a line is kept only if the item that it made follows from its text, the
//! table and the dialect. Every directive that may change what words mean starts a
//! new generation, which makes all that is kept void.

use super::FeedKind;
use crate::image::NONE;
use crate::program::item::{What, whole};
use crate::read::Assembler;
use crate::text::source::{SourceId, Span};

/// Longest text that is kept, in bytes.
const LONGEST: usize = 31;
/// Slots of the table.
const SLOTS: usize = 1 << 13;

/// The text of a line with zeros behind it. A text with a zero of its own is not kept,
/// so texts that differ differ here, without a look at sources far away.
type Key = [u64; 4];

/// A line and what it made.
#[derive(Clone, Copy, Debug)]
struct Line {
    key: Key,
    /// First byte of the statement in the text.
    from: u8,
    /// Bytes of the instruction.
    size: u8,
    form: u16,
    generation: u32,
    word: u64,
}

/// The lines that are kept.
#[derive(Debug, Default)]
pub struct Memo {
    slots: Vec<Option<Line>>,
    generation: u32,
    /// The statement in work has no names, so it may be kept.
    pub plain: bool,
}

/// A line of a file that may be kept: its text without the comment.
#[derive(Clone, Copy, Debug)]
pub struct Candidate {
    source: SourceId,
    start: usize,
    end: usize,
    /// First byte of the next line.
    next: usize,
    key: Key,
    slot: usize,
}

/// What has been made before a line, to see what the line makes.
#[derive(Clone, Copy, Debug)]
pub struct Before {
    candidate: Candidate,
    chunk: u32,
    items: usize,
    values: usize,
    findings: usize,
    feeds: usize,
}

impl Memo {
    /// Forgets all lines.
    pub fn renew(&mut self) {
        self.generation += 1;
    }
}

/// The key of the first `len` bytes, at most [`LONGEST`], of a text.
#[inline]
fn key(text: &[u8], len: usize) -> Key {
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

#[inline]
fn slot(key: &Key) -> usize {
    let mut hash = 0u64;
    for &word in key {
        hash = (hash.rotate_left(5) ^ word).wrapping_mul(0x517c_c1b7_2722_0a95);
    }
    (hash >> 40) as usize % SLOTS
}

impl Assembler<'_> {
    /// The line that comes next, if it is one that could be kept.
    #[inline]
    fn candidate(&self) -> Option<Candidate> {
        let feed = self.feeds.last()?;
        let FeedKind::File { source, at } = feed.kind else {
            return None;
        };
        let text = self.sources.get(source).text.as_bytes();
        let rest = text.get(at..)?;
        if !matches!(rest.first(), Some(b' ' | b'\t')) {
            return None;
        }
        // Quotes, slashes and backslashes may make a semicolon or the end of the line
        // mean something else.
        let stop = |&b: &u8| matches!(b, b'\n' | b';' | 0 | b'"' | b'\'' | b'/' | b'\\');
        let end = rest.iter().take(LONGEST + 2).position(stop)?;
        let len = match rest[end] {
            b'\n' => end,
            b';' => {
                let len = end + memchr::memchr(b'\n', &rest[end..])?;
                if rest[..len].trim_ascii_end().last() == Some(&b'\\') {
                    return None;
                }
                len
            }
            _ => return None,
        };
        let key = rest[..end].trim_ascii_end();
        if key.is_empty() || key.len() > LONGEST {
            return None;
        }
        let len_kept = key.len();
        let key = self::key(rest, len_kept);
        Some(Candidate {
            source,
            start: at,
            end: at + len_kept,
            next: at + len + 1,
            slot: slot(&key),
            key,
        })
    }

    /// Assembles the next line if it was met before; true if so. Otherwise `before`
    /// is what to compare with once it is assembled, if it can be kept.
    pub(super) fn met_before(&mut self, before: &mut Option<Before>) -> bool {
        *before = None;
        if !self.active() || self.structure.is_some() || !self.dialect.words.remembers {
            return false;
        }
        if self.pre.as_ref().is_some_and(|p| p.skipping()) {
            return false;
        }
        let Some(c) = self.candidate() else {
            return false;
        };
        if self.pre.is_some() {
            self.expansion = self.feeds.last().map_or(NONE, |f| f.own_expansion());
        }
        if let Some(Some(l)) = self.memo.slots.get(c.slot).copied()
            && l.generation == self.memo.generation
            && l.key == c.key
        {
            let from = (c.start + usize::from(l.from)) as u32;
            self.statement = Span::new(c.source, from, c.end as u32);
            if let Some(FeedKind::File { at, .. }) = self.feeds.last_mut().map(|f| &mut f.kind) {
                *at = c.next;
            }
            self.emit_form(l.form, l.word, l.size, NONE);
            return true;
        }
        let chunk = &self.chunks[self.chunk as usize];
        *before = Some(Before {
            candidate: c,
            chunk: self.chunk,
            items: chunk.items.len(),
            values: self.values.len(),
            findings: self.findings.seen(),
            feeds: self.feeds.len(),
        });
        self.memo.plain = false;
        false
    }

    /// Keeps the line that was just assembled, if it can be.
    pub(super) fn keep_line(&mut self, before: Before) {
        let chunk = &self.program.chunks[self.chunk as usize];
        let c = before.candidate;
        let ended = match self.feeds.last().map(|f| &f.kind) {
            Some(&FeedKind::File { source, at }) => source == c.source && at == c.next,
            _ => false,
        };
        let same = before.chunk == self.chunk
            && before.items + 1 == chunk.items.len()
            && before.values == self.values.len()
            && before.findings == self.findings.seen()
            && before.feeds == self.feeds.len();
        if !self.memo.plain || !same || !ended || self.fatal {
            return;
        }
        let Some(item) = chunk.items.last() else {
            return;
        };
        let What::Instruction {
            size,
            form,
            operands: NONE,
            word,
        } = item.what
        else {
            return;
        };
        let spans = item.span.source == c.source
            && item.span.end as usize == c.end
            && item.span.start as usize >= c.start;
        if !spans {
            return;
        }
        let line = Line {
            key: c.key,
            from: (item.span.start as usize - c.start) as u8,
            size,
            form,
            generation: self.memo.generation,
            word: whole(word),
        };
        if self.memo.slots.is_empty() {
            self.memo.slots = vec![None; SLOTS];
        }
        self.memo.slots[c.slot] = Some(line);
    }
}
