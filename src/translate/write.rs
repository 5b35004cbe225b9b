//! The files of a program in another dialect, line by line: what can be said is said where
//! it stood, and all else is what it came to, under a remark.

use super::made::{Made, Place};
use super::names::{Around, Names};
use super::statement::{Writer, Written, call_locals};
use super::text::{File, Piece, Reading, Verb, is_name};
use super::value::token;
use crate::text::language::Dialect;
use crate::text::lex::{self, Kind};
use crate::text::source::SourceId;
use crate::text::writing::{Constants, Locals, Said};
use rustc_hash::{FxHashMap, FxHashSet};
use scrimp_isa::{Machine, Target};

/// Bytes in a row.
const ROW: usize = 16;

/// A line that was written, and the line that it is for.
#[derive(Clone, Debug)]
pub struct Row {
    /// Its text.
    pub text: String,
    /// Line of the file that was read.
    pub place: Place,
}

/// How a line that cannot be said is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum As {
    /// As an instruction in other words, with its value.
    Words,
    /// As instructions.
    Code,
    /// As bytes.
    Bytes,
}

/// Why a line is what it came to.
#[derive(Clone, Debug)]
pub struct Forced {
    /// How.
    pub how: As,
    /// Why.
    pub why: String,
}

/// A program that is being written.
pub struct Book<'a> {
    /// How it is read.
    pub reading: Reading,
    /// The dialect that is written.
    pub to: &'static Dialect,
    /// Its files.
    pub files: &'a [File],
    /// What it came to.
    pub made: &'a Made,
    /// Whose instructions.
    pub target: &'static dyn Target,
    /// Its device.
    pub machine: Option<&'static dyn Machine>,
    /// Names.
    pub names: Names,
    /// Lines that are not said.
    pub forced: FxHashMap<Place, Forced>,
    /// Macros that are not written, with where and why.
    pub dropped: FxHashSet<String>,
    /// What was expanded in this round.
    pub expanded: Vec<(Place, String)>,
    begun: bool,
    placed: bool,
    /// Names that are given a value where lines are expanded.
    given: FxHashSet<String>,
    /// How far other memories are written, by their names.
    beside: FxHashMap<&'static str, u64>,
}

/// Why some lines cannot be said: the line, and the reason.
type Unsaid = (usize, String);

impl<'a> Book<'a> {
    /// A program of which nothing is written.
    pub fn new(
        reading: Reading,
        names: Names,
        to: &'static Dialect,
        files: &'a [File],
        made: &'a Made,
        (target, machine): (&'static dyn Target, Option<&'static dyn Machine>),
    ) -> Self {
        Self {
            reading,
            to,
            files,
            made,
            target,
            machine,
            names,
            forced: FxHashMap::default(),
            dropped: FxHashSet::default(),
            expanded: Vec::new(),
            begun: false,
            placed: false,
            given: FxHashSet::default(),
            beside: FxHashMap::default(),
        }
    }

    /// Keeps full names where names belong to modules or structures.
    pub fn keep_full_names(&mut self) {
        let mut owned = false;
        for f in self.files {
            for line in 0..f.lines.len() {
                for piece in self.reading.pieces(f, line, &[]) {
                    let owns = [Verb::Said(Said::Module), Verb::Said(Said::Block)];
                    owned |= owns.contains(&piece.verb);
                }
            }
        }
        if owned && self.reading.dialect.writing.locals == Locals::Dot {
            let all = self.made.names.iter().map(|n| n.name.clone());
            self.names.full = Some(all.collect());
        }
    }

    /// The line that opens the block or condition around a line.
    pub fn around(&self, (k, line): Place) -> Option<Place> {
        let f = self.files.get(k)?;
        let mut depth = 0;
        for at in (0..line).rev() {
            for piece in self.reading.pieces(f, at, &[]).iter().rev() {
                let Verb::Said(s) = piece.verb else { continue };
                match s {
                    s if opens(s) || asks(s) => depth += 1,
                    s if closes(s) || s == Said::EndIf => depth -= 1,
                    _ => {}
                }
                if depth > 0 {
                    return Some((k, at));
                }
            }
        }
        None
    }

    /// Writes all files.
    pub fn write(&mut self) -> Vec<Vec<Row>> {
        loop {
            let before = self.dropped.len();
            self.expanded.clear();
            self.given.clear();
            self.beside.clear();
            (self.begun, self.placed) = (false, false);
            let files = self.files;
            let out = (0..files.len()).map(|k| self.file(k)).collect();
            if self.dropped.len() == before {
                return out;
            }
        }
    }

    fn file(&mut self, k: usize) -> Vec<Row> {
        let mut around = Around {
            file: k,
            ..Around::default()
        };
        let mut out = Vec::new();
        if k == 0 && self.to.writing.placed && !self.says_first() {
            let word = self.to.word_for(Said::Org).unwrap_or("");
            let text = format!("        {word} 0");
            out.push(Row {
                text,
                place: (k, 0),
            });
        }
        let count = self.files[k].lines.len();
        let mut i = 0;
        while i < count {
            i = self.part(k, i, &mut around, &mut out);
        }
        out
    }

    /// Whether an address is given before the first bytes.
    fn says_first(&self) -> bool {
        let first = self.made.bytes.first();
        first.is_some_and(|b| b.address > 0)
    }

    /// Writes a line, or the block that begins with it; the line behind.
    fn part(&mut self, k: usize, i: usize, around: &mut Around, out: &mut Vec<Row>) -> usize {
        let f = &self.files[k];
        let pieces = self.reading.pieces(f, i, &[]);
        let first = pieces.iter().find_map(|p| match p.verb {
            Verb::Said(s) if opens(s) || asks(s) => Some((s, p.clone())),
            _ => None,
        });
        match first {
            Some((Said::Macro, piece)) => {
                let end = self.end(k, i);
                let name = self.macro_name(f, i, &piece);
                let why = match self.dropped.contains(&name) {
                    true => None,
                    false => self.macro_lines(k, i, end, out),
                };
                if self.dropped.contains(&name) || why.is_some() {
                    self.dropped.insert(name);
                    if let Some((line, why)) = why {
                        self.expanded.push(((k, line), why));
                    }
                    for line in i..=end {
                        self.remarked(k, line, out);
                    }
                }
                end + 1
            }
            Some((s, _)) if opens(s) => {
                let end = self.end(k, i);
                match self.strict(k, i, end, around) {
                    Ok(rows) => out.extend(rows),
                    Err((_, why)) => self.expand(k, i, end, &why, around, out),
                }
                end + 1
            }
            Some((_, _)) => match self.said(k, i, around, &mut Vec::new()) {
                Ok(rows) if !self.forced.contains_key(&(k, i)) => {
                    out.extend(rows);
                    i + 1
                }
                other => {
                    let end = self.end_if(k, i);
                    let own = self.forced.get(&(k, i)).map(|f| f.why.clone());
                    let why = other.err().or(own).unwrap_or_default();
                    self.expand(k, i, end, &why, around, out);
                    end + 1
                }
            },
            None => {
                let said = match self.forced.get(&(k, i)) {
                    Some(f) => Err(f.why.clone()),
                    None => self.said(k, i, around, &mut Vec::new()),
                };
                match said {
                    Ok(rows) => out.extend(rows),
                    Err(why) => self.expand(k, i, i, &why, around, out),
                }
                i + 1
            }
        }
    }

    fn macro_name(&self, f: &File, line: usize, piece: &Piece) -> String {
        let toks = &f.lines[line].toks;
        let name = piece.label.unwrap_or(piece.args);
        let name = toks.get(name).map_or("", |t| f.of(t));
        self.reading.key(name)
    }

    /// Writes the lines of a macro; why it cannot be.
    fn macro_lines(
        &mut self,
        k: usize,
        from: usize,
        to: usize,
        out: &mut Vec<Row>,
    ) -> Option<Unsaid> {
        let mut around = Around {
            file: k,
            ..Around::default()
        };
        let locals = call_locals(&self.reading, &self.files[k], from..to);
        around.locals.extend(locals);
        match self.strict(k, from, to, &mut around) {
            Ok(rows) => {
                out.extend(rows);
                None
            }
            Err(why) => Some(why),
        }
    }

    /// Writes lines that must all be said.
    fn strict(
        &mut self,
        k: usize,
        from: usize,
        to: usize,
        around: &mut Around,
    ) -> Result<Vec<Row>, Unsaid> {
        let (mut rows, mut open) = (Vec::new(), Vec::new());
        for line in from..=to {
            if let Some(f) = self.forced.get(&(k, line)) {
                return Err((line, f.why.clone()));
            }
            let said = self.said(k, line, around, &mut open);
            rows.extend(said.map_err(|why| (line, why))?);
        }
        Ok(rows)
    }

    /// The last line of the block that a line opens.
    fn end(&self, k: usize, from: usize) -> usize {
        self.matching(k, from, &|s| match s {
            s if opens(s) => 1,
            s if closes(s) => -1,
            _ => 0,
        })
    }

    /// The last line of a condition.
    fn end_if(&self, k: usize, from: usize) -> usize {
        self.matching(k, from, &|s| match s {
            s if asks(s) => 1,
            Said::EndIf => -1,
            _ => 0,
        })
    }

    fn matching(&self, k: usize, from: usize, step: &dyn Fn(Said) -> i32) -> usize {
        let f = &self.files[k];
        let mut depth = 0;
        for line in from..f.lines.len() {
            for piece in self.reading.pieces(f, line, &[]) {
                if let Verb::Said(s) = piece.verb {
                    depth += step(s);
                    if depth <= 0 {
                        return line;
                    }
                }
            }
        }
        f.lines.len().saturating_sub(1)
    }

    /// Writes what a line says.
    fn said(
        &mut self,
        k: usize,
        line: usize,
        around: &mut Around,
        open: &mut Vec<Said>,
    ) -> Result<Vec<Row>, String> {
        let f = &self.files[k];
        let mut pieces = self.reading.pieces(f, line, &around.parameters);
        let mut parts = Vec::new();
        for piece in &mut pieces {
            if let Verb::Said(s) = piece.verb {
                match s {
                    s if opens(s) => open.push(s),
                    s if closes(s) => {
                        let ended = match open.pop() {
                            Some(Said::Repeat) => Said::EndRepeat,
                            Some(Said::Macro) => Said::EndMacro,
                            _ => s,
                        };
                        piece.verb = Verb::Said(ended);
                    }
                    _ => {}
                }
            }
            let mut writer = Writer {
                reading: &self.reading,
                to: self.to,
                names: &mut self.names,
                file: f,
                line,
                around,
                dropped: &self.dropped,
                begun: &mut self.begun,
                placed: &mut self.placed,
            };
            parts.push((piece.clone(), writer.statement(piece)?));
        }
        Ok(self.laid_out(k, line, &parts))
    }

    /// A line with its remark, where things stood.
    fn laid_out(&self, k: usize, line: usize, parts: &[(Piece, Vec<Written>)]) -> Vec<Row> {
        let f = &self.files[k];
        let place = (k, line);
        let row = |text: String| Row { text, place };
        let mut remarks = remarks(f, line);
        let mut out = Vec::new();
        let mut first = true;
        for (piece, all) in parts {
            for w in all {
                if w.remark {
                    let code = written_code(f, line, piece);
                    out.push(row(format!("; {code}")));
                    first = false;
                    continue;
                }
                let text = self.row_text((f, line), piece, w, first);
                out.push(row(text));
                first = false;
            }
        }
        if let Some(remark) = remarks.pop() {
            match out.last_mut() {
                Some(last) => add_remark(&mut last.text, f, line, &remark),
                None => {
                    let gap = f.gap(line, 0);
                    let lead: String = gap
                        .chars()
                        .take_while(|c| matches!(c, ' ' | '\t'))
                        .collect();
                    out.push(row(lead + &remark));
                }
            }
        }
        let mut before: Vec<Row> = remarks.into_iter().map(row).collect();
        before.append(&mut out);
        if before.is_empty() {
            before.push(row(String::new()));
        }
        before
    }

    /// The text of a statement, the first of its line or a later one.
    fn row_text(
        &self,
        (f, line): (&File, usize),
        piece: &Piece,
        w: &Written,
        first: bool,
    ) -> String {
        let mut text = String::new();
        if first {
            let gap = f.gap(line, 0);
            text.push_str(gap.trim_start_matches(|c: char| !c.is_whitespace()));
            if !text.trim().is_empty() || text.contains('\n') {
                text.clear();
            }
        }
        let margin = self.to.writing.margin;
        match w.label.is_empty() {
            true if text.is_empty()
                && !w.word.is_empty()
                && (margin || !first || piece.label.is_some()) =>
            {
                text.push_str("        ");
            }
            true => {}
            false if margin || !first => text = w.label.clone(),
            false => text.push_str(&w.label),
        }
        if w.word.is_empty() {
            return text;
        }
        if !w.label.is_empty() {
            let word = f.lines[line].toks.get(piece.word);
            pad(
                &mut text,
                f,
                line,
                word.map(|t| t.span.start as usize),
                first,
            );
        }
        text.push_str(&w.word);
        if !w.args.is_empty() {
            let gap = f.gap(line, piece.args);
            let blank = gap.trim().is_empty() && !gap.is_empty();
            text.push_str(if blank { gap } else { " " });
            text.push_str(&w.args);
        }
        text
    }

    /// A line as a remark.
    fn remarked(&self, k: usize, line: usize, out: &mut Vec<Row>) {
        for text in self.files[k].written(line).split('\n') {
            let text = text.trim_end();
            let text = match text.is_empty() {
                true => String::new(),
                false => format!("; {text}"),
            };
            let place = (k, line);
            out.push(Row { text, place });
        }
    }

    /// Writes what lines came to.
    fn expand(
        &mut self,
        k: usize,
        from: usize,
        to: usize,
        why: &str,
        around: &mut Around,
        out: &mut Vec<Row>,
    ) {
        let forced = (from..=to).filter_map(|l| self.forced.get(&(k, l)));
        let how = forced.map(|f| f.how).max().unwrap_or(As::Words);
        let made = self.made;
        let bytes = made.of_lines(k, from..=to);
        if let ([b], true, As::Words) = (&bytes[..], from == to, how)
            && let Some(rows) = self.in_other_words(k, from, b, around)
        {
            out.extend(rows);
            return;
        }
        self.expanded.push(((k, from), why.to_owned()));
        for line in from..=to {
            self.remarked(k, line, out);
        }
        let labels = self.labels(k, from, to, &bytes, around, out);
        if bytes.is_empty()
            && let Some(address) = self.leads_to(k, from, to)
            && let Some(word) = self.to.word_for(Said::Org)
        {
            let at = self.number(address);
            let text = format!("        {word} {at}");
            let place = (k, from);
            out.push(Row { text, place });
        }
        let mut labels = labels.into_iter().peekable();
        let mut next = None;
        for b in &bytes {
            let place = b.place;
            if self.beside(b, how, out) {
                continue;
            }
            while let Some((_, text)) = labels.next_if(|l| l.0 <= b.address) {
                out.push(Row { text, place });
            }
            if next.is_some_and(|n| n != b.address)
                && let Some(word) = self.to.word_for(Said::Org)
            {
                let at = self.number(b.address);
                let text = format!("        {word} {at}");
                out.push(Row { text, place });
            }
            next = Some(b.address + b.bytes.len() as u64);
            for text in self.shown(b, how) {
                let text = format!("        {text}");
                out.push(Row { text, place });
            }
            self.begun = true;
        }
        for (_, text) in labels {
            let place = (k, from);
            out.push(Row { text, place });
        }
    }

    /// Bytes in another memory, where the dialect has a line that leads there.
    fn beside(&mut self, b: &super::made::Bytes, how: As, out: &mut Vec<Row>) -> bool {
        let (leads, back) = self.to.writing.beside;
        let Some((space, at)) = b.beside else {
            return false;
        };
        let Some(lead) = leads.iter().find(|l| l.0 == space) else {
            return false;
        };
        let mut texts = vec![lead.1.to_owned()];
        let end = self.beside.insert(space, at + b.bytes.len() as u64);
        if end.unwrap_or(0) != at
            && let Some(word) = self.to.word_for(Said::Org)
        {
            texts.push(format!("{word} {}", self.number(at)));
        }
        texts.extend(self.shown(b, how));
        texts.push(back.to_owned());
        let row = |text: String| Row {
            text: format!("        {text}"),
            place: b.place,
        };
        out.extend(texts.into_iter().map(row));
        true
    }

    /// A line of one instruction by the words that it is decoded as, with the value that
    /// stands in it.
    fn in_other_words(
        &mut self,
        k: usize,
        line: usize,
        b: &super::made::Bytes,
        around: &mut Around,
    ) -> Option<Vec<Row>> {
        let f = &self.files[k];
        let [piece] = &self.reading.pieces(f, line, &[])[..] else {
            return None;
        };
        let found = self.target.decode_on(&b.bytes, b.address, self.machine)?;
        if piece.verb != Verb::Instruction || usize::from(found.len) != b.bytes.len() {
            return None;
        }
        let mut writer = Writer {
            reading: &self.reading,
            to: self.to,
            names: &mut self.names,
            file: f,
            line,
            around,
            dropped: &self.dropped,
            begun: &mut self.begun,
            placed: &mut self.placed,
        };
        let label = writer.label(piece).ok()?;
        let value = writer.only_value(piece)?;
        let text = self.as_written(&found.text, value.as_deref())?;
        let (word, args) = text.split_once(' ').unwrap_or((&text, ""));
        let written = Written {
            label,
            word: word.to_owned(),
            args: args.to_owned(),
            remark: false,
        };
        let parts = [(piece.clone(), vec![written])];
        Some(self.laid_out(k, line, &parts))
    }

    /// Labels that lines define, with their addresses; constants are written at once.
    fn labels(
        &mut self,
        k: usize,
        from: usize,
        to: usize,
        bytes: &[&super::made::Bytes],
        around: &Around,
        out: &mut Vec<Row>,
    ) -> Vec<(u64, String)> {
        let mut labels = Vec::new();
        let start = bytes.first().map(|b| b.address);
        let end = bytes.last().map(|b| b.address + b.bytes.len() as u64);
        let within = |a: u64| start.is_some_and(|s| s <= a) && end.is_some_and(|e| a <= e);
        let made = self.made;
        for n in &made.names {
            let own = n.place.0 == k && (from..=to).contains(&n.place.1);
            let called = !own && !n.local && self.in_dropped(n.place);
            let wanted = own && !(n.local && to > from);
            let called = called && n.address.is_some_and(within);
            if !wanted && !called {
                continue;
            }
            let file = &self.files[n.place.0];
            let text = file.text.get(n.span.start as usize..n.span.end as usize);
            let text = text.unwrap_or("").trim_end_matches(':');
            let plain = token(self.reading.dialect, text).is_some_and(|t| is_name(&t));
            let name = match plain && !n.name.ends_with(&format!(".{text}")) {
                true => self.names.name(text, around),
                false if n.name.contains(['#', '@', ' ']) => continue,
                false => Ok(self.names.global(&n.name)),
            };
            let Ok(name) = name else { continue };
            let said = match file.varies[n.place.1] {
                true => Said::Set,
                false => Said::Equ,
            };
            if !self.given.insert(name.clone()) && said == Said::Equ {
                continue;
            }
            match n.address {
                Some(a) => labels.push((a, format!("{name}:"))),
                None => {
                    let Some(word) = self.to.word_for(said) else {
                        continue;
                    };
                    let value = match n.value < 0 {
                        true => format!("-{}", n.value.unsigned_abs()),
                        false => self.number(n.value as u64),
                    };
                    let text = match self.to.writing.constants {
                        Constants::Plain => format!("{name} {word} {value}"),
                        Constants::Colon => format!("{name}: {word} {value}"),
                        Constants::Behind => format!("{word} {name} = {value}"),
                        Constants::Comma => format!("{word} {name}, {value}"),
                    };
                    let place = n.place;
                    out.push(Row { text, place });
                }
            }
        }
        labels.sort();
        labels
    }

    /// The address that lines without bytes lead to.
    fn leads_to(&self, k: usize, from: usize, to: usize) -> Option<u64> {
        let lines = self.made.lines.get(&k)?;
        // Only the first memory has one place for all that follows.
        let first = |l: &(&usize, &(usize, usize))| self.made.bytes[l.1.1].beside.is_none();
        let next = lines.range(to + 1..).find(first)?;
        let before = lines.range(..from).rev().find(first);
        let end = before.map_or(0, |b| {
            let b = &self.made.bytes[b.1.1];
            b.address + b.bytes.len() as u64
        });
        let address = self.made.bytes[next.1.0].address;
        (address != end).then_some(address)
    }

    /// Whether a line belongs to a macro that is not written.
    fn in_dropped(&self, (k, line): Place) -> bool {
        let name = self.files[k].macros.get(line);
        name.and_then(Option::as_ref)
            .is_some_and(|n| self.dropped.contains(n))
    }

    /// A number as the other dialect has addresses.
    fn number(&self, n: u64) -> String {
        let hex = self.to.number(&format!("{n:04X}"), 16);
        hex.unwrap_or_else(|| n.to_string())
    }

    /// Bytes as statements.
    fn shown(&self, b: &super::made::Bytes, how: As) -> Vec<String> {
        let same = b.bytes.windows(2).all(|w| w[0] == w[1]);
        if (b.room || b.bytes.len() > ROW) && same && b.bytes.len() > 2 {
            let fill = b.bytes[0];
            if let Some(word) = self.to.word_for(Said::Space) {
                return vec![format!("{word} {},{fill}", b.bytes.len())];
            }
        }
        if b.code && how <= As::Code {
            let mut out = Vec::new();
            let mut at = 0;
            while at < b.bytes.len() {
                let address = b.address + at as u64;
                let found = self.target.decode_on(&b.bytes[at..], address, self.machine);
                let Some(d) = found.filter(|d| d.len > 0) else {
                    break;
                };
                let Some(text) = self.as_written(&d.text, None) else {
                    break;
                };
                out.push(text);
                at += usize::from(d.len);
            }
            if at == b.bytes.len() {
                return out;
            }
        }
        let word = self.to.word_for(Said::Bytes).unwrap_or("");
        let byte = |n: &u8| {
            let hex = self.to.number(&format!("{n:02X}"), 16);
            hex.unwrap_or_else(|| n.to_string())
        };
        let rows = b.bytes.chunks(ROW);
        let rows = rows.map(|r| r.iter().map(byte).collect::<Vec<_>>().join(","));
        rows.map(|r| format!("{word} {r}")).collect()
    }

    /// An instruction as it is decoded, with the numbers of the other dialect or the one
    /// value that stands in it.
    fn as_written(&self, text: &str, value: Option<&str>) -> Option<String> {
        let own = crate::dialect::all().next()?;
        let mut toks = Vec::new();
        lex::line(text, 0, SourceId(0), own.lexing, &mut toks);
        let word = toks.first()?;
        let first = &text[word.span.start as usize..word.span.end as usize];
        if word.kind != Kind::Name || !self.names.is_instruction(first) {
            return None;
        }
        let mut out = String::new();
        let (mut at, mut values) = (0, 0);
        for t in &toks {
            let (a, b) = (t.span.start as usize, t.span.end as usize);
            out.push_str(&text[at..a]);
            let piece = &text[a..b];
            match super::value::reads(own, piece) {
                Some(_) if value.is_some() => {
                    values += 1;
                    out.push_str(value.unwrap_or(""));
                }
                Some(n) if t.kind != Kind::Name => {
                    let hex = piece.starts_with('$');
                    let digits = if hex {
                        piece[1..].to_owned()
                    } else {
                        n.to_string()
                    };
                    out.push_str(&self.to.number(&digits, if hex { 16 } else { 10 })?);
                }
                _ => out.push_str(piece),
            }
            at = b;
        }
        token(self.to, first)?;
        (value.is_none() || values == 1).then_some(out)
    }
}

/// Whether it opens a block of lines.
fn opens(s: Said) -> bool {
    matches!(s, Said::Macro | Said::Repeat | Said::Block)
}

/// Whether it ends one.
fn closes(s: Said) -> bool {
    matches!(s, Said::EndMacro | Said::EndRepeat | Said::EndBlock)
}

/// Whether it begins a condition.
fn asks(s: Said) -> bool {
    matches!(
        s,
        Said::If | Said::IfNot | Said::IfDefined | Said::IfNotDefined | Said::Conditional
    )
}

/// Puts a remark behind a text, in the column where it stood or behind the same tabs.
fn add_remark(text: &mut String, f: &File, line: usize, remark: &str) {
    let last = f.lines[line].toks.last();
    let at = last.map(|t| t.span.end as usize);
    let gap = at.map_or(0, |at| {
        let rest = &f.text[at..f.lines[line].end];
        rest.len() - rest.trim_start().len()
    });
    let column = at.map_or(0, |at| {
        f.text[f.lines[line].start..at + gap].chars().count()
    });
    let between = at.map_or("", |at| &f.text[at..at + gap]);
    if between.contains('\t') {
        text.push_str(between);
    } else {
        let have = text.chars().count();
        let more = column.saturating_sub(have).clamp(1, 200);
        text.extend(std::iter::repeat_n(' ', more));
    }
    text.push_str(remark);
}

/// Spaces up to where a word stood.
fn pad(text: &mut String, f: &File, line: usize, from: Option<usize>, first: bool) {
    let Some(from) = from.filter(|_| first) else {
        text.push(' ');
        return;
    };
    let start = f.lines[line].start;
    let before = &f.text[start..from.max(start)];
    let blank = before.len() - before.trim_end().len();
    let gap = &before[before.len() - blank..];
    if gap.contains('\t') {
        text.push_str(gap);
        return;
    }
    let have = text.chars().count();
    let more = before.chars().count().saturating_sub(have).clamp(1, 200);
    text.extend(std::iter::repeat_n(' ', more));
}

/// The code of a statement, on one line.
fn written_code<'f>(f: &'f File, line: usize, piece: &Piece) -> &'f str {
    let toks = &f.lines[line].toks;
    let first = piece.label.unwrap_or(piece.word);
    let (Some(a), Some(b)) = (toks.get(first), toks.get(piece.to.wrapping_sub(1))) else {
        return "";
    };
    let text = &f.text[a.span.start as usize..b.span.end as usize];
    text.split('\n').next().unwrap_or("").trim_end()
}

/// The remarks of a line, each with `;` before it.
fn remarks(f: &File, line: usize) -> Vec<String> {
    let count = f.lines[line].toks.len();
    let mut out = Vec::new();
    for i in 0..=count {
        let gap = f.gap(line, i).trim();
        let Some(first) = gap.chars().next() else {
            continue;
        };
        if gap == "\\" || gap == ":" {
            continue;
        }
        match first {
            ';' if !gap.contains('\n') => out.push(gap.to_owned()),
            _ => {
                let body = gap.trim_start_matches("/*").trim_start_matches("//");
                let body = body.trim_end_matches("*/");
                for row in body.split('\n') {
                    let row = row.trim();
                    if !row.is_empty() {
                        let text = row.trim_start_matches(';');
                        out.push(format!("; {}", text.trim_start()));
                    }
                }
            }
        }
    }
    out
}
