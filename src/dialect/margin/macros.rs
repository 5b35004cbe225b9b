//! Macros that are texts, and repeats: lines that are recorded and read again.

use crate::diagnostic::{Diagnostic, codes};
use crate::image::ExpansionKind;
use crate::program::{Outcome, limits};
use crate::read::Assembler;
use crate::read::expand::{Body, Counter, FeedKind};
use crate::text::comments::Continued;
use crate::text::lex::{Kind, Tok};
use crate::text::source::{SourceId, Span};
use std::collections::VecDeque;
use std::rc::Rc;

/// How a parameter is written in the lines of a macro.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// Its name, without a sign before it.
    pub name: String,
    /// The sign before it, with which it counts within words and texts; 0 for none.
    pub tag: u8,
    /// It counts without the sign too, as a word outside of texts.
    pub word: bool,
    /// It counts in any case.
    pub blind: bool,
}

impl Parameter {
    /// Whether a text is its name.
    fn is(&self, text: &[u8]) -> bool {
        match self.blind {
            true => self.name.as_bytes().eq_ignore_ascii_case(text),
            false => self.name.as_bytes() == text,
        }
    }
}

/// A macro.
#[derive(Debug)]
pub struct Macro {
    /// Its name.
    pub name: String,
    /// What its lines may name.
    pub parameters: Vec<Parameter>,
    /// Its lines, each with a line end.
    pub text: String,
    /// Where each of them stands.
    pub lines: Vec<Span>,
    /// Where its name stands.
    pub span: Span,
}

fn in_name(b: u8) -> bool {
    b.is_ascii_alphanumeric() || matches!(b, b'_' | b'?' | b'@') || b >= 0x80
}

/// A line with arguments for parameters; what is missing is empty. It ends where it is more
/// text than macros may make.
pub fn filled_in(line: &str, parameters: &[Parameter], given: &[String]) -> String {
    let b = line.as_bytes();
    let mut out = String::with_capacity(line.len() + 16);
    let (mut i, mut quote) = (0, 0);
    let mut from = 0;
    while i < b.len() {
        // Bytes: it may be within a character.
        let rest = &b[i..];
        let tagged = |p: &Parameter| {
            let named = rest.get(1..=p.name.len()).is_some_and(|n| p.is(n));
            p.tag == b[i] && p.tag != 0 && named
        };
        // The longest name that fits.
        let best = (0..parameters.len())
            .filter(|&k| tagged(&parameters[k]))
            .max_by_key(|&k| parameters[k].name.len());
        if out.len() > limits::TEXT {
            return out;
        }
        if let Some(k) = best {
            out.push_str(&line[from..i]);
            out.push_str(given.get(k).map_or("", String::as_str));
            i += 1 + parameters[k].name.len();
            from = i;
            continue;
        }
        match b[i] {
            b';' if quote == 0 => break,
            q @ (b'"' | b'\'') if quote == 0 || quote == q => quote = q - quote,
            c if quote == 0 && in_name(c) => {
                let end = i + rest.iter().take_while(|&&b| in_name(b)).count();
                let word = &line[i..end];
                let known = |p: &Parameter| p.word && p.is(word.as_bytes());
                if let Some(k) = parameters.iter().position(known) {
                    out.push_str(&line[from..i]);
                    out.push_str(given.get(k).map_or("", String::as_str));
                    from = end;
                }
                i = end;
                continue;
            }
            _ => {}
        }
        i += 1;
    }
    out.push_str(&line[from..]);
    out
}

/// Lines as one text, which ends where it is more than macros may make.
pub fn whole_text(lines: impl Iterator<Item = String>) -> String {
    let mut text = String::new();
    for line in lines {
        text.push_str(&line);
        text.push('\n');
        if text.len() > limits::TEXT {
            break;
        }
    }
    text
}

/// The arguments of a call: texts between commas outside of quotes. `<…>` around one is
/// not part of it.
pub fn arguments(text: &str) -> Vec<String> {
    let mut out = Vec::new();
    let mut rest = text.trim();
    if rest.is_empty() {
        return out;
    }
    loop {
        rest = rest.trim_start();
        let bracketed = rest.strip_prefix('<').and_then(|inner| {
            let ends = inner.match_indices('>').map(|m| m.0);
            let last = |&i: &usize| {
                let behind = inner[i + 1..].trim_start();
                behind.is_empty() || behind.starts_with(',')
            };
            ends.into_iter()
                .find(last)
                .map(|i| (&inner[..i], &inner[i + 1..]))
        });
        let behind = match bracketed {
            Some((inner, behind)) => {
                out.push(inner.to_owned());
                behind.trim_start()
            }
            None => {
                let mut quote = 0;
                let end = rest.bytes().position(|b| {
                    match b {
                        b'"' | b'\'' if quote == 0 || quote == b => quote = b - quote,
                        b',' if quote == 0 => return true,
                        _ => {}
                    }
                    false
                });
                let end = end.unwrap_or(rest.len());
                out.push(rest[..end].trim_end().to_owned());
                &rest[end..]
            }
        };
        match behind.strip_prefix(',') {
            Some(more) => rest = more,
            None => return out,
        }
    }
}

impl Assembler<'_> {
    /// Records lines up to one that `ends` the block, which counts what nests in it.
    pub(in super::super) fn recorded(
        &mut self,
        opener: &Tok,
        wanted: &str,
        ends: &mut dyn FnMut(&Self, &[Tok]) -> bool,
    ) -> Outcome<Body> {
        let mut body = Body::default();
        let mut line: Vec<Tok> = Vec::new();
        let floor = self.lines.feeds.len();
        let (statement, raw) = (self.statement, std::mem::replace(&mut self.lines.raw, true));
        let done = loop {
            if !self.has_line(floor) || !self.next_line(&mut line) || self.lines.feeds.len() < floor
            {
                let message = format!("this block has no `{wanted}`");
                let d = Diagnostic::new(codes::UNCLOSED_BLOCK, message).at(opener.span);
                break Err(Box::new(d));
            }
            if line.is_empty() {
                continue;
            }
            if ends(self, &line) {
                break Ok(());
            }
            let start = body.toks.len() as u32;
            body.toks.extend_from_slice(&line);
            body.lines.push((start, body.toks.len() as u32));
            if body.toks.len() > limits::HELD || body.lines.len() > limits::HELD {
                let d = Diagnostic::new(codes::TOO_MUCH, "a block of this size cannot be recorded");
                self.fatal = true;
                break Err(Box::new(d.at(opener.span)));
            }
        };
        self.lines.raw = raw;
        self.statement = statement;
        done.map(|()| body)
    }

    /// Recorded lines as a text, each with a line end, and where each stands.
    pub(in super::super) fn lines_as_text(&self, body: &Body) -> (String, Vec<Span>) {
        let mut text = String::new();
        let mut lines = Vec::new();
        for &(a, b) in &body.lines {
            let toks = &body.toks[a as usize..b as usize];
            if !toks.first().is_some_and(|f| self.at_margin(f)) {
                text.push(' ');
            }
            let line = self.written(toks);
            match self.dialect.lexing.continued {
                how @ Continued::Lines => text.push_str(&how.line(&line)),
                _ => text.push_str(&line),
            }
            text.push('\n');
            lines.push(self.span_of(toks));
        }
        (text, lines)
    }

    /// A macro of recorded lines.
    pub(in super::super) fn text_macro(
        &self,
        name: &Tok,
        parameters: Vec<Parameter>,
        body: &Body,
    ) -> Macro {
        let (text, lines) = self.lines_as_text(body);
        Macro {
            name: self.text(name).to_owned(),
            parameters,
            text,
            lines,
            span: name.span,
        }
    }

    /// Reads the lines of a macro next, with arguments.
    pub(in super::super) fn call_text(&mut self, m: &Macro, given: &[String]) -> Outcome<()> {
        let text: String = match m.parameters.is_empty() {
            true => m.text.clone(),
            false => {
                let lines = m.text.lines().map(|l| filled_in(l, &m.parameters, given));
                whole_text(lines)
            }
        };
        self.read_text(&m.name, text, &m.lines)
    }

    /// Reads next the lines that a macro has made, each of which stands in a span.
    pub(in super::super) fn read_text(
        &mut self,
        name: &str,
        text: String,
        lines: &[Span],
    ) -> Outcome<()> {
        self.room_to_read(text.len(), lines.len())?;
        let source = self.made_lines(text, lines);
        self.read_source(name, source);
        Ok(())
    }

    /// Bounds the text and the lines that macros bring, of which there are so many more.
    pub(in super::super) fn room_to_read(&mut self, bytes: usize, lines: usize) -> Outcome<()> {
        self.account.spent.expanded += lines as u64 + 1;
        self.emitted_text(bytes + 2 * limits::TEXT_A_LINE)?;
        if self.account.spent.expanded > limits::LINES {
            self.fatal = true;
            let d = Diagnostic::new(codes::ENDLESS_EXPANSION, "macros make too many lines");
            return Err(Box::new(d.at(self.statement)));
        }
        Ok(())
    }

    /// A source of lines that a macro has made, each of which stands in a span.
    pub(in super::super) fn made_lines(&mut self, text: String, lines: &[Span]) -> SourceId {
        let mut made = Vec::with_capacity(lines.len());
        let mut at = 0;
        for (line, &span) in text.split_inclusive('\n').zip(lines) {
            made.push((at, span));
            at += line.len() as u32;
        }
        self.sources.add_made_lines(text, made)
    }

    /// Reads next the lines that a macro of that name has made.
    pub(in super::super) fn read_source(&mut self, name: &str, source: SourceId) {
        let name = self.step_named(name);
        let kind = FeedKind::File { source, at: 0 };
        self.push_feed(kind, ExpansionKind::Macro(name));
    }

    /// Whether the line comes out of a macro or repeat.
    pub(in super::super) fn in_expansion(&self) -> bool {
        match self.lines.feeds.last().map(|f| &f.kind) {
            Some(FeedKind::File { source, .. }) => self.sources.get(*source).is_made(),
            Some(FeedKind::Lines { .. }) => true,
            None => false,
        }
    }

    /// Leaves out the rest of the macro or repeat.
    pub(in super::super) fn leave_expansion(&mut self, t: &Tok) -> Outcome<()> {
        if !self.in_expansion() {
            let d = Diagnostic::new(codes::MISPLACED, "there is no macro to leave").at(t.span);
            return Err(Box::new(d));
        }
        if let Some(depth) = self.lines.feeds.last().map(|f| f.conditions) {
            self.lines.conditions.truncate(depth);
        }
        self.pop_feed();
        Ok(())
    }

    /// Puts a line behind others that is only a mark.
    pub(in super::super) fn with_mark(&self, body: &mut Body, t: &Tok) {
        let start = body.toks.len() as u32;
        body.toks.push(Tok {
            kind: Kind::Comment,
            span: t.span,
        });
        body.lines.push((start, start + 1));
    }

    /// Reads the rest of a line next, each piece between signs as a line of its own.
    pub(in super::super) fn read_pieces(&mut self, toks: &[Tok], sign: Kind) {
        let mut body = Body::default();
        for piece in toks.split(|t| t.kind == sign) {
            if piece.is_empty() {
                continue;
            }
            let start = body.toks.len() as u32;
            body.toks.extend_from_slice(piece);
            body.lines.push((start, body.toks.len() as u32));
        }
        if body.lines.is_empty() {
            return;
        }
        let kind = FeedKind::Lines {
            body: Rc::new(body),
            next: 0,
            names: Rc::default(),
            arguments: Vec::new(),
            spare: VecDeque::new(),
            rounds: None,
        };
        self.push_feed(kind, ExpansionKind::Repeat(0));
    }

    /// Reads recorded lines so often.
    pub(in super::super) fn repeated(
        &mut self,
        body: Body,
        count: i64,
        span: Span,
        counter: Counter,
    ) -> Outcome<()> {
        if count < 0 {
            let message = format!("a block cannot be repeated {count} times");
            let d = Diagnostic::new(codes::OUT_OF_RANGE, message).at(span);
            return Err(Box::new(d));
        }
        if count == 0 || body.lines.is_empty() {
            return Ok(());
        }
        let kind = FeedKind::Lines {
            body: Rc::new(body),
            next: 0,
            names: Rc::default(),
            arguments: Vec::new(),
            spare: VecDeque::new(),
            rounds: Some((count as u64, 0, counter)),
        };
        self.push_feed(kind, ExpansionKind::Repeat(0));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::{Parameter, arguments, filled_in};

    #[test]
    fn arguments_are_texts_between_commas() {
        for (text, want) in [
            ("", &[][..]),
            ("a, b ", &["a", "b"]),
            ("<1,2> , 3", &["1,2", "3"]),
            ("<,>, <;>, <\">", &[",", ";", "\""]),
            ("<<>, < >, <ld a,b>", &["<", " ", "ld a,b"]),
            (">, ><, ", &[">", "><", ""]),
            ("(, \"hi, it\", )", &["(", "\"hi, it\"", ")"]),
        ] {
            assert_eq!(arguments(text), want, "{text}");
        }
    }

    #[test]
    fn arguments_stand_for_names() {
        let p = |name: &str, tag, word| Parameter {
            name: name.into(),
            tag,
            word,
            blind: false,
        };
        let given = ["5".to_owned(), "hl".to_owned()];
        let tagged = [p("A", b'&', false), p("RR", b'&', false)];
        assert_eq!(
            filled_in("x&A: ld &RR,&A+A", &tagged, &given),
            "x5: ld hl,5+A"
        );
        let words = [p("A", b'&', true), p("RR", b'&', true)];
        assert_eq!(
            filled_in("ld RR,A+AA ; A's &A", &words, &given),
            "ld hl,5+AA ; A's &A"
        );
        assert_eq!(filled_in("db 'A',\"&A\"", &words, &given), "db 'A',\"5\"");
        assert_eq!(
            filled_in("db \"▒é&A\",é A", &words, &given),
            "db \"▒é5\",é 5"
        );
    }
}
