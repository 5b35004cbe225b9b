//! Looks up lines met before, and keeps those that may be; see `Memo`.

use super::FeedKind;
use crate::image::NONE;
use crate::program::item::{What, whole};
use crate::read::Assembler;
use crate::read::state::memo::{Before, Candidate, LONGEST, Line, SLOTS, key, slot};
use crate::text::source::Span;

impl Assembler<'_> {
    /// The line that comes next, if it is one that could be kept.
    #[inline]
    fn candidate(&self) -> Option<Candidate> {
        let feed = self.lines.feeds.last()?;
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
        if !self.lines.active() || self.naming.structure.is_some() || !self.dialect.words.remembers
        {
            return false;
        }
        if self.lines.pre.as_ref().is_some_and(|p| p.skipping()) {
            return false;
        }
        let Some(c) = self.candidate() else {
            return false;
        };
        if self.lines.pre.is_some() {
            self.expansion = self.lines.feeds.last().map_or(NONE, |f| f.own_expansion());
        }
        if let Some(&l) = self.memo.slots.get(c.slot)
            && l.key == c.key
            && l.generation == self.memo.generation
        {
            let from = (c.start + usize::from(l.from)) as u32;
            self.statement = Span::new(c.source, from, c.end as u32);
            if let Some(FeedKind::File { at, .. }) =
                self.lines.feeds.last_mut().map(|f| &mut f.kind)
            {
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
            findings: self.account.findings.seen(),
            feeds: self.lines.feeds.len(),
        });
        self.memo.plain = false;
        false
    }

    /// Keeps the line that was just assembled, if it can be.
    pub(super) fn keep_line(&mut self, before: Before) {
        let chunk = &self.program.chunks[self.chunk as usize];
        let c = before.candidate;
        let ended = match self.lines.feeds.last().map(|f| &f.kind) {
            Some(&FeedKind::File { source, at }) => source == c.source && at == c.next,
            _ => false,
        };
        let same = before.chunk == self.chunk
            && before.items + 1 == chunk.items.len()
            && before.values == self.values.len()
            && before.findings == self.account.findings.seen()
            && before.feeds == self.lines.feeds.len();
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
            self.memo.slots = vec![Line::default(); SLOTS];
        }
        self.memo.slots[c.slot] = line;
    }
}
