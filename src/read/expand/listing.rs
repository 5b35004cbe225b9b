//! Listings as sources: what an assembler printed is read back.
//!
//! A line has a label up to a colon, perhaps the address and the encoding as columns
//! of four digits, an instruction, and then whatever the printer put behind it: a
//! comment or a numbered line of the original source. `* 160 times` stands for lines
//! that were not printed; it counts the three before it. The columns are checked
//! against the text, and where one text is that of several encodings they decide.

use super::memo::behind;
use crate::diagnostic::{Diagnostic, codes};
use crate::image::NONE;
use crate::program::Outcome;
use crate::program::eval::Op;
use crate::program::item::{Given, What, whole};
use crate::program::symbol::{ExprId, Meaning, SymbolId};
use crate::read::Assembler;
use crate::read::state::feeds::FeedKind;
use crate::read::state::memo::{Key, LONGEST, Line, ending, key};
use crate::read::words::Words;
use crate::text::language::LabelRule;
use crate::text::lex::Lexing;
use crate::text::lex::{self, Kind, Tok};
use crate::text::source::{SourceId, Span};
use rustc_hash::FxHashMap;

/// Lines that are printed of a repeat.
const PRINTED: u64 = 3;
/// Column of the end address, which stands alone on the last line.
const END_COLUMN: usize = 14;
/// Most lines above the first instruction that are neither comments nor headings.
const HEAD: usize = 12;
/// Words of the arrows that head the columns.
const HEADING: &[&str] = &["address", "encoding", "instruction", "operands", "|", "V"];

/// Four hexadecimal digits at the start of a text.
fn four_digits(text: &str) -> bool {
    let b = text.as_bytes();
    b.len() >= 4
        && b[..4].iter().all(u8::is_ascii_hexdigit)
        && b.get(4).is_none_or(|b| b.is_ascii_whitespace())
}

/// Whether a text begins with an address and an encoding.
fn in_columns(text: &[u8]) -> bool {
    let four = |from: usize| {
        let digits = text.get(from..from + 4);
        digits.is_some_and(|d| d.iter().all(u8::is_ascii_hexdigit))
    };
    four(0) && four(5)
}

/// Where the first word of a text ends.
#[inline]
fn word_end(text: &str) -> usize {
    let blank = |b: u8| b.is_ascii_whitespace();
    text.bytes().position(blank).unwrap_or(text.len())
}

/// How many blanks a text begins with; only those that are no ASCII are looked for as such.
#[inline]
fn blanks_before(text: &str) -> usize {
    let other = |b: u8| !matches!(b, b' ' | b'\t' | b'\r');
    match text.bytes().position(other) {
        Some(at) if text.as_bytes()[at].is_ascii_graphic() => at,
        _ => text.len() - text.trim_start().len(),
    }
}

/// Where the blanks at the end of a text begin, likewise.
#[inline]
fn blanks_behind(text: &str) -> usize {
    let other = |b: u8| !matches!(b, b' ' | b'\t' | b'\r');
    match text.bytes().rposition(other) {
        Some(at) if text.as_bytes()[at].is_ascii_graphic() => at + 1,
        _ => text.trim_end().len(),
    }
}

/// Where a label at the start of a line ends: behind its last character, which a
/// colon follows. It may have spaces in it, since it may be any text.
fn label_end(line: &str, from: usize, begins: bool) -> Option<usize> {
    let text = &line[from..];
    let ends = |at: usize| {
        text[at + 1..]
            .chars()
            .next()
            .is_none_or(|c| c.is_ascii_whitespace())
    };
    let first = word_end(text);
    if first > 1 && text[..first].ends_with(':') {
        return Some(from + first - 1);
    }
    if !begins || text.starts_with(['*', ';', '#']) {
        return None;
    }
    let colon = text
        .match_indices(':')
        .map(|(at, _)| at)
        .find(|&at| ends(at))?;
    let label = &text[..colon];
    let plain = !label.contains("  ") && !label.contains(" ;") && !label.contains(" #");
    (plain && !label.is_empty()).then_some(from + colon)
}

/// Where an operand that is a label with spaces in it ends: at two spaces, a comment,
/// or the end of the line.
fn spaced_end(text: &str) -> usize {
    let cut = ["  ", " ;", " #"];
    let stops = cut.iter().filter_map(|c| text.find(c));
    stops.min().unwrap_or(text.len())
}

/// Whether a text is none of the listing's own: a comment, or a numbered line of the
/// original source.
fn is_remark(text: &str) -> bool {
    let first = &text[..word_end(text)];
    text.is_empty()
        || text.starts_with([';', '#'])
        || (!first.is_empty() && first.bytes().all(|b| b.is_ascii_digit()))
}

/// A line of a listing while it is read.
struct Printed<'l> {
    source: SourceId,
    /// That source up to the end of the line.
    text: &'l str,
    toks: &'l mut Vec<Tok>,
}

impl<'l> Printed<'l> {
    fn push(&mut self, kind: Kind, start: usize, end: usize) {
        let span = Span::new(self.source, start as u32, end as u32);
        self.toks.push(Tok { kind, span });
    }

    fn rest(&self, from: usize) -> &'l str {
        self.text.get(from..).unwrap_or("")
    }

    /// Behind the spaces that stand there.
    fn skip(&self, from: usize) -> usize {
        from + blanks_before(self.rest(from))
    }

    /// Takes `* 160 times`; false where the line is another.
    fn times(&mut self, from: usize) -> bool {
        let line = self.text;
        if !line[from..].starts_with('*') {
            return false;
        }
        let count = self.skip(from + 1);
        let behind = count + word_end(&line[count..]);
        let digits = line[count..behind].bytes().all(|b| b.is_ascii_digit());
        if count < behind && digits && line[behind..].trim() == "times" {
            self.push(Kind::Star, from, from + 1);
            self.push(Kind::Number, count, behind);
        }
        true
    }

    /// Takes the address at the end of a listing; false where the line is another.
    fn end_address(&mut self, from: usize) -> bool {
        let rest = self.rest(from);
        let found = (4..=5).contains(&rest.len()) && rest.bytes().all(|b| b.is_ascii_hexdigit());
        if found {
            self.push(Kind::Number, from, self.text.len());
        }
        found
    }

    /// The columns with the address and the encoding.
    fn columns(&self, from: usize) -> Option<(Span, Span)> {
        let rest = self.rest(from);
        let span = |start: usize| Span::new(self.source, start as u32, start as u32 + 4);
        let found = four_digits(rest) && rest.get(5..).is_some_and(four_digits);
        found.then(|| (span(from), span(from + 5)))
    }

    /// Where the instruction that begins there ends, if its operands have no spaces.
    fn instruction_end(&self, from: usize) -> Option<usize> {
        let name = from + word_end(self.rest(from));
        let operand = self.skip(name);
        if matches!(self.rest(operand).as_bytes(), [] | [b';' | b'#', ..]) {
            return Some(name);
        }
        let behind = operand + word_end(self.rest(operand));
        is_remark(self.rest(self.skip(behind))).then_some(behind)
    }

    /// Takes the instruction that begins there.
    fn instruction(&mut self, from: usize, words: &Words, lexing: Lexing) {
        let name = from + word_end(self.rest(from));
        self.push(Kind::Name, from, name);
        let mnemonic = words.get(&self.text[from..name]).mnemonic;
        let forms = mnemonic
            .checked_sub(1)
            .map_or(&[][..], |m| &words.mnemonics[usize::from(m)].forms);
        let operand = self.skip(name);
        let bare = |&f: &u16| words.classes[usize::from(f)].is_empty();
        let alone = !forms.is_empty() && forms.iter().all(bare);
        if !alone || !is_remark(self.rest(operand)) {
            self.operands(operand, words, lexing);
        }
    }

    /// Takes the operands that begin there, and what is wrong behind them.
    fn operands(&mut self, operand: usize, words: &Words, lexing: Lexing) {
        let line = self.text;
        let mut behind = operand + word_end(self.rest(operand));
        if !is_remark(self.rest(self.skip(behind))) {
            behind = operand + spaced_end(&line[operand..]);
        }
        let mut start = operand;
        while start < behind && self.toks.len() < lex::MAX_TOKENS {
            let part = &line[start..behind];
            let mut depth = 0;
            let comma = part.find(|c: char| {
                depth += i32::from(c == '[') - i32::from(c == ']');
                c == ',' && depth == 0
            });
            let stop = comma.map_or(behind, |n| start + n);
            let part = &line[start..stop];
            let known = words.get(part.trim_end_matches('+')).word != 0
                || part.starts_with(|c: char| "$[-".contains(c) || c.is_ascii_digit());
            if known {
                lex::line(&line[..stop], start, self.source, lexing, self.toks);
            } else if !part.is_empty() {
                // A label may be any text.
                self.push(Kind::Name, start, stop);
            }
            if comma.is_some() {
                self.push(Kind::Comma, stop, stop + 1);
            }
            start = stop + 1;
        }
        let more = self.skip(behind);
        if !is_remark(self.rest(more)) {
            self.push(Kind::Bad, more, more + word_end(&line[more..]));
        }
    }
}

impl Assembler<'_> {
    /// Reads the tokens of one line of a listing; `None` at its end.
    pub(super) fn listed_line(
        &mut self,
        source: SourceId,
        at: usize,
        toks: &mut Vec<Tok>,
    ) -> Option<usize> {
        let all = &self.program.sources.get(source).text;
        if at >= all.len() {
            return None;
        }
        let end = memchr::memchr(b'\n', &all.as_bytes()[at..]).map_or(all.len(), |n| at + n);
        let next = (end + 1).min(all.len());
        let text = &all[..at + blanks_behind(&all[at..end])];
        let mut line = Printed { source, text, toks };
        self.lines.listed.columns = None;
        self.lines.listed.met = None;
        let mut from = line.skip(at);
        if from >= text.len()
            || line.times(from)
            || (from - at == END_COLUMN && line.end_address(from))
        {
            return Some(next);
        }
        let first = &text[from..from + word_end(&text[from..])];
        let begins = from == at && self.words.get(first).mnemonic == 0;
        if let Some(label) = label_end(text, from, begins) {
            line.push(Kind::Name, from, label);
            line.push(Kind::Colon, label, label + 1);
            from = line.skip(label + 1);
        }
        if let Some(columns) = line.columns(from) {
            self.lines.listed.columns = Some(columns);
            from = line.skip(from + 9);
        }
        if let Some(end) = line.instruction_end(from)
            && let Some(met) = self.listed_before(Span::new(source, from as u32, end as u32))
        {
            self.lines.listed.met = Some(met);
            line.push(Kind::Name, from, end);
            return Some(next);
        }
        let rest = line.rest(from);
        if is_remark(rest) || rest.split_ascii_whitespace().all(|w| HEADING.contains(&w)) {
            return Some(next);
        }
        let name = from + word_end(rest);
        let mnemonic = self.words.get(&text[from..name]).mnemonic;
        let listed = &mut self.lines.listed;
        if mnemonic == 0 && listed.last.is_empty() && listed.columns.is_none() {
            // The head of the listing, with the ends of cut arrows.
            listed.head += 1;
            let control = |c: char| c.is_control() && c != '\t';
            if listed.head > HEAD || text[from..].chars().any(control) {
                line.push(Kind::Bad, from, text.len());
                listed.strange = true;
            }
            return Some(next);
        }
        line.instruction(from, &self.words, self.dialect.lexing);
        Some(next)
    }

    /// Assembles the next line if it is an indented instruction alone that was met before;
    /// true if so.
    #[inline(never)]
    pub(super) fn listed_at_once(&mut self) -> bool {
        let feed = self.lines.feeds.last().map(|f| &f.kind);
        let Some(&FeedKind::File { source, at }) = feed else {
            return false;
        };
        if self.dialect.names.labels != LabelRule::Listed {
            return false;
        }
        let text = self.program.sources.get(source).text.as_bytes();
        let Some(rest) = text.get(at..) else {
            return false;
        };
        let blank = |b: &&u8| matches!(b, b' ' | b'\t');
        let from = rest.iter().take_while(blank).count();
        let rest = &rest[from..];
        let Some(end) = ending(rest).filter(|_| from > 0) else {
            return false;
        };
        let Some(next) = behind(rest, end) else {
            return false;
        };
        let len = rest[..end].trim_ascii_end().len();
        if !(1..=LONGEST).contains(&len) || in_columns(rest) {
            return false;
        }
        let found = self.memo.lines.get(&key(rest, len), self.memo.generation);
        let Some(line) = found else {
            return false;
        };
        let span = Span::new(source, (at + from) as u32, (at + from + len) as u32);
        self.lines.listed.last_met = Some(span);
        self.go_on(at + from + next);
        self.statement = span;
        self.emit_form(line.form, line.word, line.size, NONE);
        true
    }

    /// The instruction that a text is, if it was met before.
    fn listed_before(&self, span: Span) -> Option<(Line, Span)> {
        let key = self.listed_key(span)?;
        let line = self.memo.lines.get(&key, self.memo.generation)?;
        Some((line, span))
    }

    /// What an instruction is kept by.
    fn listed_key(&self, span: Span) -> Option<Key> {
        let text = &self.program.sources.get(span.source).text.as_bytes()[span.start as usize..];
        let len = (span.end - span.start) as usize;
        let fits = (1..=LONGEST).contains(&len) && !text[..len].contains(&0);
        fits.then(|| key(text, len))
    }

    /// Keeps the instruction that was just read, if it may be; `items` and `values` are how
    /// many there were before it.
    fn keep_listed(&mut self, span: Span, (items, values): (usize, usize), findings: usize) {
        let made = &self.program.chunks[self.chunk as usize].items;
        if !self.memo.plain
            || made.len() != items + 1
            || self.values.len() != values
            || self.account.findings.seen() != findings
        {
            return;
        }
        let Some(&What::Instruction {
            size, form, word, ..
        }) = made.last().map(|i| &i.what)
        else {
            return;
        };
        let Some(key) = self.listed_key(span) else {
            return;
        };
        let line = Line {
            key,
            from: 0,
            size,
            class: 0,
            register: false,
            form,
            word: whole(word),
        };
        let read = self.symbols.read;
        self.memo.lines.keep(&line, self.memo.generation, read);
    }

    /// Assembles an instruction, which was met before or whose tokens are there.
    fn listed_instruction(&mut self, toks: &[Tok], label: usize) -> Outcome<()> {
        if let Some((line, span)) = self.lines.listed.met.take() {
            self.lines.listed.last_met = Some(span);
            if label > 0 {
                self.line(&toks[..label])?;
            }
            self.mark_here();
            self.statement = span;
            self.emit_form(line.form, line.word, line.size, NONE);
            return Ok(());
        }
        if toks.len() <= label {
            return self.line(toks);
        }
        self.lines.listed.last_met = None;
        self.lines.listed.last.clear();
        self.lines.listed.last.extend_from_slice(&toks[label..]);
        let items = self.program.chunks[self.chunk as usize].items.len();
        let before = (items, self.values.len());
        let findings = self.account.findings.seen();
        self.memo.not_again();
        self.line(toks)?;
        self.keep_listed(self.span_of(&toks[label..]), before, findings);
        Ok(())
    }

    /// Assembles a line of a listing.
    pub(super) fn listed(&mut self, toks: &[Tok]) -> Outcome<()> {
        match toks {
            [star, count] if star.kind == Kind::Star => return self.listed_times(count),
            [end] if end.kind == Kind::Number => return self.listed_end(end),
            [.., strange] if self.lines.listed.strange => {
                self.fatal = true;
                let message = "no line of this file up to here is one of a listing";
                let d = Diagnostic::new(codes::SYNTAX, message).at(strange.span);
                return Err(Box::new(d.help(
                    "`--dialect native` reads instructions without the form of a listing",
                )));
            }
            _ => {}
        }
        if let Some(bad) = toks.last().filter(|t| t.kind == Kind::Bad) {
            let d = Diagnostic::new(codes::SYNTAX, "expected the end of the line").at(bad.span);
            return Err(Box::new(d));
        }
        let label = match toks {
            [_, colon, ..] if colon.kind == Kind::Colon => 2,
            _ => 0,
        };
        if label > 0 {
            self.listed_label(&toks[0])?;
        }
        let columns = self.lines.listed.columns.take();
        self.listed_instruction(toks, label)?;
        match columns {
            Some((address, word)) => self.listed_columns(address, word),
            None => Ok(()),
        }
    }

    /// A label that is there already gets another symbol for its earlier place.
    fn listed_label(&mut self, t: &Tok) -> Outcome<()> {
        let (id, _) = self.label_symbol(t)?;
        let before = self.symbols.get(id).clone();
        if before.meaning == Meaning::Undefined {
            return Ok(());
        }
        let others = self.lines.listed.others.entry(id).or_default();
        let name = format!("{}'{}", before.name, others.len() + 1);
        let other = self.program.symbols.intern(&name);
        others.push(other);
        if let Some(span) = before.span {
            self.define(other, before.meaning, span, false)?;
        }
        let s = self.symbols.get_mut(other);
        (s.label, s.section, s.place) = (before.label, before.section, before.place);
        self.symbols.get_mut(id).meaning = Meaning::Undefined;
        Ok(())
    }

    /// Of several labels of a name the nearest is meant: a branch shows the name of
    /// where it goes, and goes no further than its page.
    pub(super) fn listed_names(&mut self) {
        let others = std::mem::take(&mut self.lines.listed.others);
        if others.is_empty() {
            return;
        }
        // Of each name its places in order, with their numbers in order of the text.
        let place = |s: SymbolId| match self.symbols.get(s).meaning {
            Meaning::At(p) => Some(self.chunks[p.chunk as usize].position(p).0),
            _ => None,
        };
        let mut places: FxHashMap<SymbolId, Vec<(u32, usize, SymbolId)>> = FxHashMap::default();
        for (&id, all) in &others {
            let all = all.iter().copied().chain([id]).enumerate();
            let all = all.filter_map(|(i, s)| Some((place(s)?, i, s)));
            let mut all: Vec<_> = all.collect();
            all.sort_unstable();
            places.insert(id, all);
        }
        for i in 0..self.values.len() {
            let f = &self.values[i];
            let [Op::Symbol(id)] =
                self.ops[f.value.start as usize..(f.value.start + f.value.len) as usize]
            else {
                continue;
            };
            let Some(all) = places.get(&id) else { continue };
            let here = self.chunks[f.at.chunk as usize].position(f.at).0;
            let behind = all.partition_point(|p| p.0 < here);
            // The first of those at the last place before.
            let last = all[..behind].last().map(|p| p.0);
            let before = last.map(|o| all[all.partition_point(|p| p.0 < o)]);
            let both = before.into_iter().chain(all.get(behind).copied());
            let nearest = both.min_by_key(|p| (here.abs_diff(p.0), p.1));
            let start = self.ops.len() as u32;
            self.ops.push(Op::Symbol(nearest.map_or(id, |p| p.2)));
            self.values[i].value = ExprId { start, len: 1 };
        }
    }

    /// `* 160 times`
    fn listed_times(&mut self, count: &Tok) -> Outcome<()> {
        let n = self.text(count).parse::<u64>().unwrap_or(u64::MAX);
        let mut last = std::mem::take(&mut self.lines.listed.last);
        if let Some(span) = self.lines.listed.last_met.take() {
            let text = &self.program.sources.get(span.source).text;
            last.clear();
            let mut line = Printed {
                source: span.source,
                text: &text[..span.end as usize],
                toks: &mut last,
            };
            line.instruction(span.start as usize, &self.words, self.dialect.lexing);
        }
        if last.is_empty() || n <= PRINTED || n > self.memory.space {
            let d = Diagnostic::new(codes::SYNTAX, "no lines that are repeated so often")
                .at(count.span)
                .label(format!(
                    "counts the {PRINTED} lines before it, and is {} to {}",
                    PRINTED + 1,
                    self.memory.space
                ));
            return Err(Box::new(d));
        }
        for _ in PRINTED..n {
            if self.fatal {
                break;
            }
            self.line(&last)?;
        }
        self.lines.listed.last = last;
        Ok(())
    }

    /// The number that a column shows.
    fn column(&self, span: Span) -> i64 {
        let digit = |n: i64, b: u8| Some(n << 4 | i64::from((b as char).to_digit(16)?));
        let digits = self.sources.slice(span).bytes();
        digits.into_iter().try_fold(0, digit).unwrap_or(-1)
    }

    /// The end address on the last line.
    fn listed_end(&mut self, end: &Tok) -> Outcome<()> {
        self.mark_here();
        let listed = self.column(end.span);
        match self.here_value {
            Some(here) if here != listed && !self.lines.listed.off => Err(Box::new(
                Diagnostic::new(
                    codes::LISTED_OTHERWISE,
                    format!("the listing ends at ${listed:04X}, its words at ${here:04X}"),
                )
                .at(end.span),
            )),
            _ => Ok(()),
        }
    }

    /// Compares the columns of address and encoding with what was assembled.
    fn listed_columns(&mut self, address: Span, word: Span) -> Outcome<()> {
        let place = self.here;
        if let Some(here) = self.here_value
            && here != self.column(address)
            && !self.lines.listed.off
        {
            self.lines.listed.off = true;
            let d = Diagnostic::new(
                codes::LISTED_OTHERWISE,
                format!("this word is at ${here:04X}, not where the listing says"),
            )
            .at(address)
            .help("a listing that is edited needs no columns of addresses and encodings");
            self.report(Box::new(d));
        }
        // As printed, the first byte comes first.
        let printed = self.column(word) as u16;
        let listed = printed.swap_bytes();
        let open = self.values.last();
        let open = open.is_some_and(|v| v.at == place && v.state != Given::All);
        let items = &mut self.program.chunks[place.chunk as usize].items;
        let item = items.get_mut(place.item as usize);
        let Some(What::Instruction { word: made, .. }) = item.map(|i| &mut i.what) else {
            return Ok(());
        };
        let text = made[0] as u16;
        // The second byte of a word with an open value comes from its text.
        let mask = if open { 0x00ff } else { 0xffff };
        if text & mask == listed & mask {
            return Ok(());
        }
        if !open && self.job.target.listed_alike(text, listed) {
            *made = [listed.into(), 0];
            return Ok(());
        }
        let text = text.swap_bytes();
        Err(Box::new(
            Diagnostic::new(
                codes::LISTED_OTHERWISE,
                format!("the encoding is {printed:04x}, but that of the text is {text:04x}"),
            )
            .at(word),
        ))
    }
}
