//! Looks up lines met before, and keeps those that may be; see `Memo`.

use crate::image::NONE;
use crate::program::item::{What, whole};
use crate::read::Assembler;
use crate::read::preprocess::mentions;
use crate::read::state::feeds::FeedKind;
use crate::read::state::memo::{
    Before, Candidate, Key, LONGEST, Line, Made, Outlined, Tail, ending, key,
};
use crate::text::lex::{Kind, Tok};
use crate::text::source::{SourceId, Span};

/// What the next line turned out to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Met {
    /// Nothing that is known: it is to be read.
    No,
    /// It is done.
    Done,
    /// A label alone, whose tokens are there.
    Label,
}

/// A line as a glance shows it.
enum Glance {
    /// Nothing that can be looked up.
    Other,
    /// Nothing but blanks and a comment; the next line.
    Blank(usize),
    /// A name and a colon: its end, and the next line.
    Label(usize, usize),
    /// An instruction that may be kept.
    Line(Candidate),
}

/// Most bytes of a label that is taken at a glance.
const LONGEST_LABEL: usize = 64;

/// Where the line behind a comment or a line end begins; `None` where the comment may go
/// on, or at the end of the text.
#[inline]
pub(super) fn behind(rest: &[u8], at: usize) -> Option<usize> {
    match rest.get(at)? {
        b'\n' => Some(at + 1),
        b';' => {
            let end = at + memchr::memchr(b'\n', &rest[at..])?;
            let joined = rest[..end].trim_ascii_end().last() == Some(&b'\\');
            (!joined).then_some(end + 1)
        }
        _ => None,
    }
}

fn blanks(rest: &[u8], from: usize) -> usize {
    let blank = |b: &&u8| matches!(b, b' ' | b'\t' | b'\r');
    from + rest[from..].iter().take_while(blank).count()
}

/// What a line is that does not begin with a blank.
#[inline]
fn at_margin(rest: &[u8], at: usize) -> Glance {
    if let Some(b'\n' | b';') = rest.first() {
        return behind(rest, 0).map_or(Glance::Other, |n| Glance::Blank(at + n));
    }
    let named = |b: &&u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.');
    let end = rest.iter().take(LONGEST_LABEL).take_while(named).count();
    if end == 0 {
        return behind(rest, blanks(rest, 0)).map_or(Glance::Other, |n| Glance::Blank(at + n));
    }
    let name = rest[0].is_ascii_alphabetic() || rest[0] == b'_';
    if !name || rest.get(end) != Some(&b':') || rest[end - 1] == b'.' {
        return Glance::Other;
    }
    match behind(rest, blanks(rest, end + 1)) {
        Some(next) => Glance::Label(at + end, at + next),
        None => Glance::Other,
    }
}

/// What a line is that may be an instruction.
#[inline(always)]
fn candidate(rest: &[u8], source: SourceId, at: usize) -> Glance {
    // Quotes, slashes and backslashes may make a semicolon or the end of the line mean
    // something else.
    let Some(end) = ending(rest) else {
        return Glance::Other;
    };
    let Some(next) = behind(rest, end) else {
        return Glance::Other;
    };
    let mut len = end;
    while len > 0 && rest[len - 1].is_ascii_whitespace() {
        len -= 1;
    }
    match len {
        0 => return Glance::Blank(at + next),
        1..=LONGEST => {}
        _ => return Glance::Other,
    }
    let key = key(rest, len);
    Glance::Line(Candidate {
        source,
        start: at,
        end: at + len,
        next: at + next,
        key,
    })
}

/// Whether a value is one token in every dialect, and a number the same.
fn is_simple(value: &Tok, text: &str) -> bool {
    let decimal = || text.bytes().all(|b| b.is_ascii_digit());
    let hexadecimal = |t: &str| !t.is_empty() && t.bytes().all(|b| b.is_ascii_hexdigit());
    value.kind != Kind::Number
        || decimal()
        || text.strip_suffix(['h', 'H']).is_some_and(hexadecimal)
        || text.strip_prefix("0x").is_some_and(hexadecimal)
}

impl Assembler<'_> {
    /// The line that comes next.
    #[inline]
    fn glance(&self, source: SourceId, at: usize) -> Glance {
        let text = self.sources.get(source).text.as_bytes();
        let Some(rest) = text.get(at..) else {
            return Glance::Other;
        };
        match rest.first() {
            Some(b' ' | b'\t') => candidate(rest, source, at),
            _ => self.glance_at_margin(rest, source, at),
        }
    }

    /// The same for a line that does not begin with a blank.
    #[inline(never)]
    fn glance_at_margin(&self, rest: &[u8], source: SourceId, at: usize) -> Glance {
        match at_margin(rest, at) {
            Glance::Other if self.own.hooks.margin_lines() => candidate(rest, source, at),
            found => found,
        }
    }

    /// Assembles the next line if it was met before, or another that differs in one value.
    /// Otherwise `before` is what to compare with once it is assembled, if it can be kept.
    pub(super) fn met_before(&mut self, before: &mut Option<Before>, toks: &mut Vec<Tok>) -> Met {
        *before = None;
        if !self.lines.active() || self.naming.structure.is_some() {
            return Met::No;
        }
        if !self.dialect.words.remembers {
            return match self.listed_at_once() {
                true => Met::Done,
                false => Met::No,
            };
        }
        if self.lines.pre.as_ref().is_some_and(|p| p.skipping()) {
            return Met::No;
        }
        let Some(FeedKind::File { source, at }) = self.lines.feeds.last().map(|f| &f.kind) else {
            return Met::No;
        };
        let (source, mut at) = (*source, *at);
        if self.lines.pre.is_some() {
            self.expansion = self.lines.feeds.last().map_or(NONE, |f| f.own_expansion());
        }
        let c = loop {
            match self.glance(source, at) {
                Glance::Other => return Met::No,
                Glance::Blank(next) => {
                    self.go_on(next);
                    at = next;
                }
                Glance::Label(end, next) => {
                    return self.label_alone(source, (at, end), next, toks);
                }
                Glance::Line(c) => break c,
            }
        };
        // A long value is seldom met again with the same line before it: among whole lines
        // there is nothing to find, and a look there is far away in memory.
        let long = self.ends_long(&c);
        if !long && self.same_line(&c) {
            return Met::Done;
        }
        let seen = Before {
            candidate: c,
            made: self.made_so_far(),
        };
        self.memo.plain = false;
        self.memo.outlined = None;
        if self.another_value(&seen, !long) || long && self.same_line(&c) {
            return Met::Done;
        }
        *before = Some(seen);
        Met::No
    }

    /// Whether the last word of a line is longer than most registers and small numbers.
    #[inline]
    fn ends_long(&self, c: &Candidate) -> bool {
        let text = self.sources.get(c.source).text.as_bytes();
        let last = text.get(c.start..c.end).and_then(<[u8]>::last_chunk::<4>);
        last.is_some_and(|l| l.iter().all(|&b| b.is_ascii_alphanumeric()))
    }

    /// Assembles a line that was met before as it is; true if it was.
    #[inline]
    fn same_line(&mut self, c: &Candidate) -> bool {
        let Some(l) = self.memo.lines.get(&c.key, self.memo.generation) else {
            return false;
        };
        let from = (c.start + usize::from(l.from)) as u32;
        self.statement = Span::new(c.source, from, c.end as u32);
        self.go_on(c.next);
        self.emit_form(l.form, l.word, l.size, NONE);
        true
    }

    /// The next line of the file in force begins there.
    #[inline]
    pub(crate) fn go_on(&mut self, next: usize) {
        if let Some(FeedKind::File { at, .. }) = self.lines.feeds.last_mut().map(|f| &mut f.kind) {
            *at = next;
        }
    }

    /// The tokens of a label with nothing behind it.
    fn label_alone(
        &mut self,
        source: SourceId,
        (start, end): (usize, usize),
        next: usize,
        toks: &mut Vec<Tok>,
    ) -> Met {
        let name = Span::new(source, start as u32, end as u32);
        let hooks = self.own.hooks;
        let pre = self.lines.pre.as_ref();
        if !hooks.plain_labels() || pre.is_some_and(|p| mentions(p, self.sources.slice(name))) {
            return Met::No;
        }
        self.go_on(next);
        toks.clear();
        let colon = Span::new(source, end as u32, end as u32 + 1);
        toks.extend(
            [(Kind::Name, name), (Kind::Colon, colon)].map(|(kind, span)| Tok { kind, span }),
        );
        Met::Label
    }

    /// Assembles a line that differs from one met before in its last value alone, which is
    /// one number or name; true if so. `keep`: it is found as it is the next time.
    fn another_value(&mut self, seen: &Before, keep: bool) -> bool {
        let c = &seen.candidate;
        let Some(tail) = Tail::of(self.sources.get(c.source).text.as_bytes(), c) else {
            return false;
        };
        let Some(l) = self.memo.outlines.get(&tail.key, self.memo.generation) else {
            return false;
        };
        let value = tail.token(c);
        let text = self.sources.slice(value.span);
        let hooks = self.own.hooks;
        let simple = || is_simple(&value, text) && hooks.plain_value(self, &value);
        if !(hooks.plain_lines() || simple()) {
            return false;
        }
        let macros = |p| mentions(p, text);
        let mut register = 0;
        if value.kind == Kind::Name {
            register = self.word_of(&value);
            if self.lines.pre.as_deref().is_some_and(macros) {
                return false;
            }
        }
        if l.register != (register != 0) {
            return false;
        }
        let word = match register {
            0 => 0,
            r => match self.word_with((l.form, l.word, l.class), r) {
                Some(word) => word,
                None => return false,
            },
        };
        self.check_limits();
        self.noticed.high.clear();
        let from = (c.start + usize::from(l.from)) as u32;
        self.statement = Span::new(c.source, from, c.end as u32);
        self.go_on(c.next);
        if l.register {
            self.memo.plain = true;
            self.advise(l.form, word);
            self.emit_form(l.form, word, l.size, NONE);
        } else {
            self.mark_here();
            if let Err(d) = self.with_value((l.form, l.word, l.class), value, tail.argument(c)) {
                self.report(d);
                return true;
            }
        }
        if keep && (l.register || value.kind == Kind::Number) {
            self.keep_line(seen);
        }
        true
    }

    /// How much has been made so far.
    #[inline]
    pub(crate) fn made_so_far(&self) -> Made {
        Made {
            chunk: self.chunk,
            items: self.chunks[self.chunk as usize].items.len(),
            values: self.values.len(),
            findings: self.account.findings.seen(),
            feeds: self.lines.feeds.len(),
            defined: self.symbols.defined_so_far(),
        }
    }

    /// The place, form, word and size of an instruction, if that is all that was made since.
    fn one_instruction(&self, before: &Made) -> Option<(Span, u16, u64, u8)> {
        let chunk = &self.program.chunks[self.chunk as usize];
        let same = before.chunk == self.chunk
            && before.items + 1 == chunk.items.len()
            && before.findings == self.account.findings.seen()
            && before.feeds == self.lines.feeds.len()
            && before.defined == self.symbols.defined_so_far();
        let item = chunk.items.last().filter(|_| same && !self.fatal)?;
        match item.what {
            What::Instruction {
                size, form, word, ..
            } => Some((item.span, form, whole(word), size)),
            _ => None,
        }
    }

    /// The key of a statement that a dialect has made, which begins with no blank, so that
    /// no line of a file has it.
    fn key_of_made(text: &str) -> Option<Key> {
        let first = text.as_bytes().first()?;
        let plain = text.len() <= LONGEST && !first.is_ascii_whitespace() && !text.contains('\0');
        plain.then(|| key(text.as_bytes(), text.len()))
    }

    /// Assembles a statement that a dialect has made of other texts, if the same was made
    /// before and is an instruction of registers and numbers; true if so.
    pub(crate) fn made_before(&mut self, text: &str) -> bool {
        let generation = self.memo.generation;
        let kept = Self::key_of_made(text).and_then(|k| self.memo.lines.get(&k, generation));
        if let Some(l) = kept {
            self.emit_form(l.form, l.word, l.size, NONE);
        }
        kept.is_some()
    }

    /// Keeps such a statement that was just assembled, if it says the same everywhere.
    pub(crate) fn keep_made(&mut self, text: &str, before: &Made, same: bool) {
        if !same || before.values != self.values.len() {
            return;
        }
        if let Some(key) = Self::key_of_made(text)
            && let Some((_, form, word, size)) = self.one_instruction(before)
        {
            let line = Line {
                key,
                from: 0,
                class: 0,
                register: false,
                size,
                form,
                word,
            };
            let read = self.symbols.read;
            self.memo.lines.keep(&line, self.memo.generation, read);
        }
    }

    /// Keeps the line that was just assembled, if it can be.
    pub(super) fn keep_line(&mut self, before: &Before) {
        let c = before.candidate;
        let ended = match self.lines.feeds.last().map(|f| &f.kind) {
            Some(&FeedKind::File { source, at }) => source == c.source && at == c.next,
            _ => false,
        };
        if !ended {
            return;
        }
        let Some((span, form, word, size)) = self.one_instruction(&before.made) else {
            return;
        };
        let spans =
            span.source == c.source && span.end as usize == c.end && span.start as usize >= c.start;
        if !spans {
            return;
        }
        let line = Line {
            key: c.key,
            from: (span.start as usize - c.start) as u8,
            class: 0,
            register: false,
            size,
            form,
            word,
        };
        if self.memo.plain && before.made.values == self.values.len() {
            let read = self.symbols.read;
            self.memo.lines.keep(&line, self.memo.generation, read);
        }
        self.keep_outline(&c, line);
    }

    /// Keeps the line without its last value, where that is all that makes it.
    #[inline]
    fn keep_outline(&mut self, c: &Candidate, line: Line) {
        let Some(outlined) = self.memo.outlined.take() else {
            return;
        };
        self.keep_as_outline(c, line, outlined);
    }

    fn keep_as_outline(&mut self, c: &Candidate, line: Line, outlined: Outlined) {
        let Outlined {
            word,
            class,
            value,
            register,
        } = outlined;
        let hooks = self.own.hooks;
        let tail = Tail::of(self.sources.get(c.source).text.as_bytes(), c);
        let Some(tail) = tail.filter(|t| t.token(c) == value) else {
            return;
        };
        if !hooks.plain_value(self, &value) {
            return;
        }
        let line = Line {
            key: tail.key,
            class,
            register,
            word,
            ..line
        };
        let read = self.symbols.read;
        self.memo.outlines.keep(&line, self.memo.generation, read);
    }
}
