//! Statements in their lines: what of a line goes, what comes there, and what stays.

use super::{FileEdits, Line, TextEdit, Unwritable, Writer};
use crate::program::item::What;
use crate::program::symbol::SymbolId;
use crate::text::source::{SourceId, Span};
use std::collections::BTreeMap;

/// What begins a contract in a remark.
const CONTRACT: &str = "scrimp:";

/// A statement as it stands in its line.
#[derive(Clone, Debug, Default)]
pub struct Statement {
    /// First byte of the line.
    pub line: u32,
    /// First byte of the statement behind its labels.
    pub start: u32,
    /// One past its last byte.
    pub end: u32,
    /// One past the last byte of the line.
    pub line_end: u32,
    /// Its first word.
    pub mnemonic: String,
    /// What stands behind that.
    pub gap: String,
    /// Its operands.
    pub operands: String,
    /// Words are in upper case.
    pub upper: bool,
    /// A space is behind commas.
    pub spaced: bool,
    /// What is in front of statements in lines without a label.
    pub indent: String,
}

/// What comes in the place of a statement.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Part {
    Label(String),
    Code(Line),
}

/// Operands between commas that are not in parentheses or texts.
pub fn pieces(text: &str) -> Vec<String> {
    let mut out = Vec::new();
    let (mut deep, mut quote, mut from) = (0i32, None, 0);
    let mut before = ' ';
    for (i, c) in text.char_indices() {
        match (quote, c) {
            (Some(q), c) if q == c => quote = None,
            (Some(_), _) => {}
            (None, '"') => quote = Some('"'),
            (None, '\'') if !before.is_ascii_alphanumeric() => quote = Some('\''),
            (None, '(' | '[') => deep += 1,
            (None, ')' | ']') => deep -= 1,
            (None, ',') if deep == 0 => {
                out.push(text[from..i].trim().to_owned());
                from = i + 1;
            }
            _ => {}
        }
        before = c;
    }
    let last = text[from..].trim();
    if !last.is_empty() || !out.is_empty() {
        out.push(last.to_owned());
    }
    out
}

/// A text up to a remark.
fn without_remark(text: &str) -> &str {
    let mut quote = None;
    let mut before = ' ';
    for (i, c) in text.char_indices() {
        match (quote, c) {
            (Some(q), c) if q == c => quote = None,
            (Some(_), _) => {}
            (None, '"') => quote = Some('"'),
            (None, '\'') if !before.is_ascii_alphanumeric() => quote = Some('\''),
            (None, ';') => return text[..i].trim_end(),
            (None, '/') if text[i..].starts_with("//") || text[i..].starts_with("/*") => {
                return text[..i].trim_end();
            }
            _ => {}
        }
        before = c;
    }
    text.trim_end()
}

impl Writer<'_, '_> {
    fn text(&self, source: u32) -> &str {
        &self.old.sources.get(SourceId(source)).text
    }

    /// The statement of a place as it stands in its file; nothing where it is not one line.
    pub(super) fn statement(&self, n: usize) -> Option<Statement> {
        let p = &self.places[n];
        if p.made {
            return None;
        }
        let text = self.text(p.span.source.0);
        let (from, to) = (p.span.start as usize, p.span.end as usize);
        let line = text.get(..from)?.rfind('\n').map_or(0, |i| i + 1);
        let line_end = text[from..].find('\n').map_or(text.len(), |i| from + i);
        let line_end = line + text[line..line_end].trim_end_matches('\r').len();
        if to > line_end {
            let rest = text.get(line_end..to)?;
            if !rest.trim().is_empty() {
                return None;
            }
        }
        let mut start = from;
        let source = p.span.source.0;
        for (&(_, _), &(end, _)) in self
            .written
            .range((source, p.span.start)..(source, p.span.end))
        {
            start = start.max(end as usize);
        }
        let behind = text.get(start..to.min(line_end))?;
        start += behind.len() - behind.trim_start_matches([':', ' ', '\t']).len();
        let own = without_remark(text.get(start..to.min(line_end))?);
        let word = own.find([' ', '\t']).unwrap_or(own.len());
        let mnemonic = &own[..word];
        let rest = &own[word..];
        let operands = rest.trim_start();
        let letters = || mnemonic.bytes().filter(u8::is_ascii_alphabetic);
        Some(Statement {
            line: line as u32,
            start: start as u32,
            end: (start + own.len()) as u32,
            line_end: line_end as u32,
            mnemonic: mnemonic.to_owned(),
            gap: rest[..rest.len() - operands.len()].to_owned(),
            operands: operands.to_owned(),
            upper: letters().all(|b| b.is_ascii_uppercase()) && letters().next().is_some(),
            spaced: operands.contains(", "),
            indent: self.indent(text, line, start),
        })
    }

    /// What stands before statements here: in this line if it has no label, else in one
    /// near it.
    fn indent(&self, text: &str, line: usize, start: usize) -> String {
        let before = &text[line..start];
        if before.trim().is_empty() && !before.is_empty() {
            return before.to_owned();
        }
        let near = text[start..].lines().skip(1).take(20);
        let blank = |l: &str| l.len() - l.trim_start().len();
        let mut near = near.filter(|l| {
            blank(l) > 0
                && l.trim_start()
                    .starts_with(|c: char| c.is_ascii_alphabetic())
        });
        match near.next() {
            Some(l) => l[..blank(l)].to_owned(),
            None => "        ".to_owned(),
        }
    }

    /// All edits, by file.
    pub(super) fn edits(&mut self) -> Vec<FileEdits> {
        // Names that are asked for come while lines are made, and ask for no others.
        let changed: Vec<usize> = (0..self.places.len())
            .filter(|&n| self.is_changed(n))
            .collect();
        for &n in &changed {
            for k in 0..self.places[n].now.len() {
                let _ = self.render(n, k);
            }
        }
        for (at, asked) in self.names.asked() {
            match self.before(at) {
                Some((n, k)) => self.places[n].asked.push((k, asked)),
                None => {
                    let by = self.places[asked.by].by.clone();
                    self.refuse(asked.by, &by, "nothing stands where it goes");
                }
            }
        }
        let mut groups: BTreeMap<(u32, u32), Vec<usize>> = BTreeMap::new();
        for n in 0..self.places.len() {
            let span = self.places[n].span;
            groups
                .entry((span.source.0, span.start))
                .or_default()
                .push(n);
        }
        let mut edits: BTreeMap<u32, Vec<TextEdit>> = BTreeMap::new();
        for ((source, _), mut own) in groups {
            // What a linker fills with behind a statement is not what it says.
            if own.iter().any(|&n| !self.fills(n)) {
                own.retain(|&n| !self.fills(n) || self.is_changed(n));
            }
            if own.iter().any(|&n| self.is_changed(n))
                && let Some(edit) = self.group(&own)
            {
                edits.entry(source).or_default().extend(edit);
            }
        }
        self.go_away(&mut edits);
        let name = |source: u32| self.old.sources.get(SourceId(source)).name.to_string();
        let file = |(source, mut edits): (u32, Vec<TextEdit>)| {
            edits.sort_by_key(|e| (e.start, e.end));
            let name = name(source);
            FileEdits { name, edits }
        };
        edits.into_iter().map(file).collect()
    }

    /// The remark of a statement that moved, which goes with it.
    fn remark_of(&self, at: crate::program::symbol::Anchor, n: usize) -> String {
        let old = self.tag(at).old.and_then(|o| self.of.get(&o)).copied();
        let Some((from, s)) = old.and_then(|o| Some((o, self.statement(o)?))) else {
            return String::new();
        };
        let text = self.text(self.places[from].span.source.0);
        let rest = text[s.end as usize..s.line_end as usize].trim_end();
        let remark = rest.trim_start();
        let plain = remark.starts_with(';') && !remark.contains(CONTRACT);
        // What is said of a line to the optimizer is not said of another.
        match plain && from != n && !remark.contains("no-opt") {
            true => rest.to_owned(),
            false => String::new(),
        }
    }

    /// Whether a place is only an alignment or a gap.
    fn fills(&self, n: usize) -> bool {
        let items = &self.places[n].items;
        let what = |a: &crate::program::symbol::Anchor| self.old.item(*a).map(|i| i.what);
        items
            .iter()
            .all(|a| matches!(what(a), Some(What::Align { .. } | What::Gap { .. })))
    }

    /// The edits of a statement that is there in all these places.
    fn group(&mut self, own: &[usize]) -> Option<Vec<TextEdit>> {
        let first = own[0];
        let mut wanted: Option<Vec<Part>> = None;
        for &n in own {
            let mut parts = Vec::new();
            // Padding comes into lines of its own before that of the statement.
            let padding = self.padded(n);
            let stands = padding.or(self.is_intact(n).then_some(0));
            if let Some(first) = stands {
                self.standing(n, first, &mut parts)?;
            }
            let open = match stands {
                Some(_) => 0,
                None => self.places[n].now.len() + 1,
            };
            for k in 0..open {
                parts.extend(self.labels_at(n, k)?.into_iter().map(Part::Label));
                if k == self.places[n].now.len() {
                    break;
                }
                match self.render(n, k) {
                    Ok(Line::Text(text)) if k > 0 => {
                        let text = text + &self.remark_of(self.places[n].now[k], n);
                        parts.push(Part::Code(Line::Text(text)));
                    }
                    Ok(line) => parts.push(Part::Code(line)),
                    Err(why) => {
                        let by: Vec<u32> = self.tag(self.places[n].now[k]).by.into_iter().collect();
                        match by.is_empty() {
                            true => self.keep(n, why),
                            false => self.refuse(n, &by, why),
                        }
                        return None;
                    }
                }
            }
            if wanted.as_ref().is_some_and(|w| *w != parts) {
                let changed = own.iter().copied().find(|&n| self.is_changed(n));
                let mut by: Vec<u32> = own
                    .iter()
                    .flat_map(|&n| self.places[n].by.clone())
                    .collect();
                by.sort_unstable();
                by.dedup();
                let why = "it does not hold wherever this line is expanded";
                self.tell(changed.unwrap_or(n), &by, why, true);
                return None;
            }
            wanted = Some(parts);
        }
        let parts = wanted?;
        let labels = parts.iter().any(|p| matches!(p, Part::Label(_)));
        if labels && own.len() > 1 {
            self.keep(
                first,
                "a label in what is expanded more than once would stand twice",
            );
            return None;
        }
        if parts == [Part::Code(Line::Same)] {
            return Some(Vec::new());
        }
        match self.laid_out(first, &parts) {
            Ok(edits) => Some(edits),
            Err(why) => {
                self.keep(first, why);
                None
            }
        }
    }

    /// A statement that stands as it did, behind so many items of padding.
    fn standing(&mut self, n: usize, first: usize, parts: &mut Vec<Part>) -> Option<()> {
        for k in 0..first {
            parts.extend(self.labels_at(n, k)?.into_iter().map(Part::Label));
            match self.render(n, k) {
                Ok(line) => parts.push(Part::Code(line)),
                Err(why) => {
                    self.keep(n, why);
                    return None;
                }
            }
        }
        parts.extend(self.labels_at(n, first)?.into_iter().map(Part::Label));
        parts.push(Part::Code(Line::Same));
        let p = &self.places[n];
        let labels = p.labels.iter().map(|l| l.0);
        let mut labels = labels.chain(p.asked.iter().map(|a| a.0));
        if labels.any(|k| k > first && k < p.now.len()) {
            self.keep(n, "a label would stand within a statement");
            return None;
        }
        let end = self.places[n].now.len();
        parts.extend(self.labels_at(n, end)?.into_iter().map(Part::Label));
        Some(())
    }

    /// The labels that come before the `k`-th item of a place.
    fn labels_at(&mut self, n: usize, k: usize) -> Option<Vec<String>> {
        let p = &self.places[n];
        let own: Vec<SymbolId> = p.labels.iter().filter(|l| l.0 == k).map(|l| l.1).collect();
        let asked: Vec<_> = p
            .asked
            .iter()
            .filter(|a| a.0 == k)
            .map(|a| a.1.clone())
            .collect();
        if own.is_empty() && asked.is_empty() {
            return Some(Vec::new());
        }
        let fault = match () {
            () if self.is_expanded(n) => Some("a label would stand within a macro or a repetition"),
            () if self.splits(n, k) => {
                Some("a label there would part others from their local labels")
            }
            () => None,
        };
        let mut out = Vec::new();
        for id in own {
            let old = (id.0 as usize) < self.old.symbols.len();
            let s = self.new.symbols.get(id);
            let local = old && (s.local || self.names.has_locals(&s.name));
            let name = self
                .names
                .label(self.new, id, super::names::Here::default());
            let fault =
                fault.or(local.then_some("a label with local ones, or a local one, would move"));
            let fault = fault.or(name
                .is_none()
                .then_some("a label that would move has no plain name"));
            if let Some(why) = fault {
                let all = self.trace.changes.iter().enumerate();
                let by = all
                    .filter(|(_, c)| c.labels.contains(&id))
                    .map(|(i, _)| i as u32);
                let by: Vec<u32> = by.collect();
                match old {
                    true => self.refuse(n, &by, why),
                    // Another place may do.
                    false => self.tell(n, &by, why, true),
                }
                return None;
            }
            out.extend(name);
        }
        for a in asked {
            if let Some(why) = fault {
                let by = self.places[a.by].by.clone();
                match by.is_empty() {
                    true => self.keep(a.by, why),
                    false => self.refuse(a.by, &by, why),
                }
                return None;
            }
            out.push(a.name);
        }
        Some(out)
    }

    /// Whether a label before the `k`-th item of a place comes between local labels and the
    /// one that they belong to.
    fn splits(&self, n: usize, k: usize) -> bool {
        let owner = |at: usize| {
            let item = self.places.get(at).and_then(|p| self.old.item(p.items[0]));
            item.map(|i| i.owner)
        };
        let known = |o: &u32| (*o as usize) < self.old.symbols.len();
        let Some(own) = owner(n).filter(known) else {
            return false;
        };
        let name = self.old.symbols.get(SymbolId(own)).name.clone();
        // What stands behind it belongs to the same label.
        let goes_on = k < self.places[n].now.len() || owner(n + 1) == Some(own);
        goes_on && self.names.has_locals(&name)
    }

    /// The edits that put parts into the place of a statement.
    fn laid_out(&self, n: usize, parts: &[Part]) -> Result<Vec<TextEdit>, &'static str> {
        let p = &self.places[n];
        let s = self
            .statement(n)
            .ok_or("the statement is not one line of a file")?;
        let text = self.text(p.span.source.0);
        let rest = &text[s.end as usize..s.line_end as usize];
        let remark = rest.trim_start();
        let last = remark.is_empty() || remark.starts_with(';') || remark.starts_with("//");
        let code = |p: &Part| matches!(p, Part::Code(_));
        let same = parts.iter().position(|p| *p == Part::Code(Line::Same));
        let code = same.or_else(|| parts.iter().position(code));
        let split = code.unwrap_or(0);
        let (before, after) = parts.split_at(split);
        let (own, after) = match code {
            Some(_) => (after.first(), &after[1..]),
            None => (None, after),
        };
        let front = &text[s.line as usize..s.start as usize];
        let labelled = self.labels_in(p.span, s.line, s.start);
        let alone = front.trim().is_empty() || labelled;
        if !alone && (!before.is_empty() || !after.is_empty() || own.is_none())
            || !after.is_empty() && !last
        {
            return Err("several statements stand in its line");
        }
        if self.has_contract(text, &s) && (own.is_none() || !before.is_empty()) {
            return Err("a contract in a remark is about this line");
        }
        let end = match text[s.line_end as usize..].starts_with('\r') {
            true => "\r\n",
            false => "\n",
        };
        let edit = |start: u32, end: u32, text: String| TextEdit {
            start,
            end,
            text,
            of: self.changes_at(n),
        };
        let line = |part: &Part| match part {
            Part::Label(name) => format!("{name}:"),
            Part::Code(Line::Text(t)) => format!("{}{t}", s.indent),
            Part::Code(Line::Same) => {
                format!("{}{}", s.indent, &text[s.start as usize..s.end as usize])
            }
        };
        let mut out = Vec::new();
        let lines: String = before.iter().map(|p| line(p) + end).collect();
        if !lines.is_empty() {
            out.push(edit(s.line, s.line, lines));
        }
        match own {
            Some(Part::Code(Line::Text(new))) => {
                let (new, spaces) = new_code(new, (s.end - s.start) as usize, rest);
                out.push(edit(s.start, s.end + spaces, new));
            }
            Some(_) => {}
            None if last && !remark.starts_with("//") => {
                out.push(edit(s.start, s.start, ";".into()))
            }
            None => out.push(edit(s.start, s.end, String::new())),
        }
        let lines: String = after.iter().map(|p| end.to_owned() + &line(p)).collect();
        if !lines.is_empty() {
            out.push(edit(s.line_end, s.line_end, lines));
        }
        Ok(out)
    }

    /// Names of the changes that a statement has part in.
    fn changes_at(&self, n: usize) -> Vec<String> {
        let p = &self.places[n];
        let all = p.by.iter().map(|&b| self.trace.change(b).name.clone());
        let asked = p.asked.iter().flat_map(|a| &self.places[a.1.by].by);
        all.chain(asked.map(|&b| self.trace.change(b).name.clone()))
            .collect()
    }

    /// Whether nothing but labels is in front of a statement.
    fn labels_in(&self, span: Span, line: u32, start: u32) -> bool {
        let text = self.text(span.source.0);
        let mut at = line;
        for (&(_, from), &(to, _)) in self
            .written
            .range((span.source.0, line)..(span.source.0, start))
        {
            if !text[at as usize..from as usize]
                .trim_matches([' ', '\t', ':'])
                .is_empty()
            {
                return false;
            }
            at = to;
        }
        text[at as usize..start as usize]
            .trim_matches([' ', '\t', ':'])
            .is_empty()
    }

    /// Whether a contract is about a line: in its remark, or in lines of remarks before it.
    fn has_contract(&self, text: &str, s: &Statement) -> bool {
        let own = &text[s.line as usize..s.line_end as usize];
        let before = text[..s.line as usize].lines().rev();
        let remarks = before.take_while(|l| {
            let l = l.trim();
            l.is_empty() || l.starts_with(';') || l.starts_with("//") || l.starts_with('*')
        });
        own.contains(CONTRACT) || remarks.take(200).any(|l| l.contains(CONTRACT))
    }

    /// Labels that moved go from where they stood.
    fn go_away(&mut self, edits: &mut BTreeMap<u32, Vec<TextEdit>>) {
        let moved: Vec<SymbolId> = self.moved.iter().copied().collect();
        for id in moved {
            let all = self.trace.changes.iter();
            let by: Vec<_> = all.filter(|c| c.labels.contains(&id)).collect();
            let names: Vec<String> = by.iter().map(|c| c.name.clone()).collect();
            let rules = by
                .iter()
                .map(|c| format!("{}: {}", c.pass, c.rule))
                .collect();
            let s = self.old.symbols.get(id);
            let span = s.span.map(|s| self.old.sources.in_file(s));
            match span
                .ok_or("a label that moves stands in no file")
                .and_then(|at| self.gone(at))
            {
                Ok((source, start, end, text)) => edits.entry(source).or_default().push(TextEdit {
                    start,
                    end,
                    text,
                    of: names,
                }),
                Err(why) => self.bad.push(Unwritable {
                    reason: why.to_owned(),
                    place: span.map_or(String::new(), |s| {
                        crate::image::origin::place(&self.old.sources, s)
                    }),
                    rules,
                    names,
                    line: None,
                }),
            }
        }
    }

    /// What a label leaves where it stood.
    fn gone(&self, at: Span) -> Result<(u32, u32, u32, String), &'static str> {
        let source = self.old.sources.get(at.source);
        if source.is_made() || source.library || source.name.starts_with('<') {
            return Err("a label that moves stands in no file");
        }
        let text = &source.text;
        let (from, to) = (at.start as usize, at.end as usize);
        let line = text[..from].rfind('\n').map_or(0, |i| i + 1);
        let line_end = text[from..].find('\n').map_or(text.len(), |i| from + i);
        let statement = Statement {
            line: line as u32,
            line_end: line_end as u32,
            ..Statement::default()
        };
        if self.has_contract(text, &statement) {
            return Err("a contract in a remark is about a label that moves");
        }
        if !text[line..from].trim().is_empty() {
            return Err("a label that moves does not begin its line");
        }
        let behind = &text[to..line_end];
        let colons = behind.len() - behind.trim_start_matches(':').len();
        Ok((
            at.source.0,
            at.start,
            (to + colons) as u32,
            " ".repeat(to + colons - from),
        ))
    }
}

/// The text for one of so many bytes before the rest of its line, and how many spaces of
/// that it takes: a remark stays in its column.
fn new_code(new: &str, old: usize, rest: &str) -> (String, u32) {
    let remark = rest.trim_start();
    let blank = rest.len() - remark.len();
    let spaces = rest[..blank].bytes().all(|b| b == b' ');
    if !spaces || blank == 0 || remark.is_empty() {
        return (new.to_owned(), 0);
    }
    let wide = (old + blank).saturating_sub(new.chars().count()).max(1);
    (format!("{new}{:wide$}", ""), blank as u32)
}
