//! Macros, `rept`, `irp`, `irpc`: lines that are recorded, and texts made of them.
//!
//! A parameter stands for itself where it is a whole name, within quotes only with `&`
//! before or behind it. Names that begin with `?` and those that `local` lists are new in
//! each call.

use super::state::{Formal, Macro, Piece, State};
use super::words::Word;
use crate::diagnostic::{Diagnostic, codes};
use crate::program::{Outcome, limits};
use crate::read::Assembler;
use crate::read::state::feeds::{Body, Counter};
use crate::text::language::DotRule;
use crate::text::lex::{Kind, Tok};
use crate::text::source::Span;
use std::fmt::Write;
use std::rc::Rc;

/// Words that are none of a macro's parameters.
const KEPT: [&str; 5] = ["endm", "rept", "irpc", "irp", "macro"];

fn begins_name(b: u8) -> bool {
    b.is_ascii_alphabetic() || matches!(b, b'_' | b'.' | b'?' | b'@')
}

fn in_name(b: u8) -> bool {
    begins_name(b) || b.is_ascii_digit()
}

fn in_number(b: u8) -> bool {
    b.is_ascii_hexdigit() || matches!(b, b'H' | b'h' | b'O' | b'o' | b'Q' | b'q' | b'x')
}

/// A line that is cut at the names that stand for something.
struct Cutter<'l> {
    line: &'l str,
    formals: &'l [Formal],
    /// Parameters stand for themselves in texts too.
    bare: bool,
    out: Vec<Piece>,
    /// What was read since the last piece.
    text: String,
    quote: u8,
    /// A parameter stood here whose `&` is not written.
    dropped: bool,
}

impl Cutter<'_> {
    fn at(&self, i: usize) -> u8 {
        self.line.as_bytes().get(i).copied().unwrap_or(b'\n')
    }

    fn piece(&mut self, piece: Piece) {
        self.out.push(Piece::Text(std::mem::take(&mut self.text)));
        self.out.push(piece);
    }

    /// A name behind a mark; 0 where there is none. Where it ends.
    fn name(&mut self, mut i: usize, mark: u8) -> usize {
        let b = self.line.as_bytes();
        let n = b[i..].iter().take_while(|&&b| in_name(b)).count();
        let name = &self.line[i..i + n];
        i += n;
        let plain = mark != b'^' && !KEPT.iter().any(|k| k.eq_ignore_ascii_case(name));
        let mut formals = self.formals.iter();
        let found = formals.position(|f| f.name.eq_ignore_ascii_case(name));
        let joined = self.at(i) == b'&';
        let taken = found.filter(|&k| {
            let hashed = mark == b'#';
            let shown = self.quote == 0 || self.bare || mark != 0 || joined;
            plain && self.formals[k].hashed == hashed && shown
        });
        match (taken, mark) {
            (None, b'#') => self.text.push('#'),
            (None, b'&') if found.is_none() && !self.dropped => self.text.push('&'),
            _ => {}
        }
        self.dropped = joined && taken.is_some();
        match taken {
            Some(k) => self.piece(Piece::Formal(k)),
            None => self.text.push_str(name),
        }
        i
    }

    /// `%`, or `%%`, which counts the calls. Where it ends.
    fn percent(&mut self, i: usize) -> usize {
        if self.at(i + 1) == b'%' {
            self.piece(Piece::Count);
            return i + 2;
        }
        self.text.push('%');
        i + 1
    }

    fn run(mut self) -> Vec<Piece> {
        let b = self.line.as_bytes();
        let mut i = 0;
        while i < b.len() {
            let mut mark = 0;
            if matches!(b[i], b'#' | b'&' | b'^') {
                mark = b[i];
                i += 1;
                if !begins_name(self.at(i)) {
                    if mark != b'&' || !self.dropped {
                        self.text.push(mark as char);
                    }
                    self.dropped = false;
                    continue;
                }
            }
            match b[i] {
                b'%' => {
                    i = self.percent(i);
                    continue;
                }
                d if d.is_ascii_digit() => {
                    let n = b[i..].iter().take_while(|&&b| in_number(b)).count();
                    self.text.push_str(&self.line[i..i + n]);
                    i += n;
                    continue;
                }
                n if begins_name(n) => {
                    i = self.name(i, mark);
                    continue;
                }
                b';' if self.quote == 0 => {
                    self.text.push_str(&self.line[i..]);
                    break;
                }
                q @ (b'"' | b'\'') => self.quote = if q == self.quote { 0 } else { q },
                _ => {}
            }
            let n = self.line[i..].chars().next().map_or(1, char::len_utf8);
            if b[i] != b'`' {
                self.text.push_str(&self.line[i..i + n]);
            }
            i += n;
        }
        self.out.push(Piece::Text(self.text));
        self.out
            .retain(|p| !matches!(p, Piece::Text(t) if t.is_empty()));
        self.out
    }
}

/// Cuts a line at the names that stand for something.
fn pieces(line: &str, formals: &[Formal], bare: bool) -> Vec<Piece> {
    let cutter = Cutter {
        line,
        formals,
        bare,
        // Most lines are one piece.
        out: Vec::with_capacity(1),
        text: String::new(),
        quote: 0,
        dropped: false,
    };
    let mut out = cutter.run();
    out.shrink_to_fit();
    out
}

/// A line without the `$` in its names.
fn without_dollars(line: &str) -> String {
    let (mut quote, mut named) = (0u8, false);
    let mut out = Vec::with_capacity(line.len());
    for b in line.bytes() {
        match b {
            b'$' if named && quote == 0 => continue,
            b'"' | b'\'' if quote == 0 || quote == b => quote = b - quote,
            _ => {}
        }
        named = quote == 0 && (begins_name(b) || named && in_name(b));
        out.push(b);
    }
    String::from_utf8_lossy(&out).into_owned()
}

/// An argument of a call.
#[derive(Debug, PartialEq, Eq)]
enum Argument {
    Text(String),
    /// What stands behind `%`, whose value is meant.
    Value(String),
}

/// The arguments of a call; their quotes are no part of them if `unquoted`. What is wrong with
/// them is an error's text.
fn arguments(text: &str, values: bool, unquoted: bool) -> Result<Vec<Argument>, &'static str> {
    let mut out = Vec::new();
    let mut rest = text;
    // A comma was the last.
    let mut open = false;
    loop {
        rest = rest.trim_start_matches([' ', '\t', '\r']);
        let Some(c) = rest.chars().next().filter(|&c| c != ';' && c != '\n') else {
            if open {
                out.push(Argument::Text(String::new()));
            }
            return Ok(out);
        };
        let behind = match c {
            ',' => {
                out.push(Argument::Text(String::new()));
                rest
            }
            '"' | '\'' => {
                let (mut given, behind) = quoted(rest, c)?;
                if unquoted {
                    given = given[1..given.len() - 1].to_owned();
                }
                out.push(Argument::Text(given));
                behind
            }
            '<' => {
                let (given, behind) = bracketed(&rest[1..]).ok_or("this `<` has no `>`")?;
                out.push(Argument::Text(given.to_owned()));
                behind
            }
            '%' if values => {
                let n = rest.find([',', ';', '\n']).unwrap_or(rest.len());
                out.push(Argument::Value(rest[1..n].to_owned()));
                &rest[n..]
            }
            _ => {
                let (given, behind) = bare(rest);
                out.push(Argument::Text(given));
                behind
            }
        };
        rest = behind.trim_start_matches([' ', '\t', '\r']);
        open = match rest.chars().next() {
            Some(',') => {
                rest = &rest[1..];
                true
            }
            None | Some(';' | '\n') => false,
            _ => return Err("expected a comma; an argument with blanks is written `<a b>`"),
        };
        if !open {
            return Ok(out);
        }
    }
}

fn quoted(text: &str, quote: char) -> Result<(String, &str), &'static str> {
    let mut given = String::from(quote);
    let mut rest = &text[1..];
    loop {
        let n = rest.find(quote).ok_or("the text has no closing quote")?;
        given.push_str(&rest[..n]);
        rest = &rest[n + 1..];
        match rest.strip_prefix(quote) {
            Some(more) => rest = more,
            None => break,
        }
    }
    given.push(quote);
    Ok((given, rest))
}

fn bracketed(text: &str) -> Option<(&str, &str)> {
    let mut depth = 1;
    for (i, c) in text.bytes().enumerate() {
        match c {
            b'<' => depth += 1,
            b'>' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some((&text[..i], &text[i + 1..]));
        }
    }
    None
}

fn bare(text: &str) -> (String, &str) {
    let mut given = String::new();
    let mut chars = text.char_indices().peekable();
    while let Some((i, c)) = chars.next() {
        match c {
            ' ' | '\t' | ',' | '\n' => return (given, &text[i..]),
            '^' => match chars.peek() {
                Some(&(_, e @ (',' | '^' | ' ' | '\t' | '%'))) => {
                    chars.next();
                    given.push(e);
                }
                _ => given.push('^'),
            },
            c => given.push(c),
        }
    }
    (given, "")
}

impl Assembler<'_> {
    /// Whether it is read as with `--zmac`.
    pub(super) fn zmac_compatible(&self) -> bool {
        self.dialect.names.dots == DotRule::UnderLabel
    }

    /// The macro that a token names.
    #[inline]
    pub(super) fn zmac_macro(&self, t: &Tok) -> Option<Rc<Macro>> {
        let macros = &self.own.get::<State>().macros;
        if macros.is_empty() || !matches!(t.kind, Kind::Name | Kind::At | Kind::Question) {
            return None;
        }
        macros.get(&*self.key(self.sources.slice(t.span))).cloned()
    }

    /// Records lines up to the `endm` of a block; the label before that is a line too.
    fn zmac_record(&mut self, opener: &Tok) -> Outcome<Body> {
        let mut depth = 0u32;
        let mut last: Vec<Tok> = Vec::new();
        let ends = &mut |a: &Self, toks: &[Tok]| {
            let mut words = toks.iter().enumerate().filter_map(|(i, t)| {
                let w = a.zmac_word(t)?;
                Some((i, w))
            });
            let found = words.find(|w| {
                matches!(
                    w.1,
                    Word::Macro
                        | Word::Repeat
                        | Word::ForEach
                        | Word::ForEachCharacter
                        | Word::EndMacro
                )
            });
            match found {
                Some((i, Word::EndMacro)) if depth == 0 => {
                    last = toks[..i].to_vec();
                    return true;
                }
                Some((_, Word::EndMacro)) => depth -= 1,
                Some(_) => depth += 1,
                None => {}
            }
            false
        };
        let mut body = self.recorded(opener, "endm", ends)?;
        if !last.is_empty() {
            let start = body.toks.len() as u32;
            body.toks.extend(last);
            body.lines.push((start, body.toks.len() as u32));
        }
        Ok(body)
    }

    /// Takes the names that `local` lists at the start of a block.
    fn zmac_locals(&mut self, body: &mut Body, formals: &mut Vec<Formal>) -> Outcome<()> {
        let local = |a: &Self, &(from, to): &(u32, u32)| {
            let toks = &body.toks[from as usize..to as usize];
            a.zmac_word(&toks[0]) == Some(Word::Local)
        };
        let count = body.lines.iter().take_while(|l| local(self, l)).count();
        for (from, to) in body.lines.drain(..count) {
            let names = &body.toks[from as usize + 1..to as usize];
            for n in names.iter().filter(|n| n.kind != Kind::Comma) {
                formals.push(Formal {
                    name: self.text(n).to_owned(),
                    hashed: false,
                    local: true,
                });
            }
        }
        match formals.len() > limits::PARAMETERS {
            true => Err(self.too_many(limits::PARAMETERS, "parameters of a macro")),
            false => Ok(()),
        }
    }

    /// A macro of recorded lines.
    fn zmac_made(&self, name: &Tok, formals: Vec<Formal>, body: &Body) -> Macro {
        let mut lines = Vec::with_capacity(body.lines.len());
        for &(a, b) in &body.lines {
            let toks = &body.toks[a as usize..b as usize];
            let blank = match toks.first() {
                Some(f) if !self.at_margin(f) => " ",
                _ => "",
            };
            let line = format!("{blank}{}", self.written(toks));
            lines.push((
                pieces(&line, &formals, self.zmac_compatible()),
                self.span_of(toks),
            ));
        }
        Macro {
            name: self.text(name).to_owned(),
            formals,
            lines,
            span: name.span,
        }
    }

    /// `name macro a,b,?c`.
    pub(super) fn zmac_macro_named(&mut self, name: &Tok, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        let statement = self.statement;
        let mut body = self.zmac_record(t)?;
        self.statement = statement;
        let mut formals: Vec<Formal> = Vec::new();
        let mut hashed = false;
        for n in rest {
            if formals.len() > limits::PARAMETERS {
                return Err(self.too_many(limits::PARAMETERS, "parameters of a macro"));
            }
            match n.kind {
                Kind::Comma => {}
                Kind::Hash if n.span.end - n.span.start == 1 => {
                    hashed = true;
                    continue;
                }
                Kind::Name | Kind::Question | Kind::At | Kind::AfPrime => {
                    let name = self.text(n).to_owned();
                    if formals.iter().any(|f| f.name.eq_ignore_ascii_case(&name)) {
                        let message = format!("the parameter `{name}` is there twice");
                        let d = Diagnostic::new(codes::REDEFINED, message).at(n.span);
                        return Err(Box::new(d));
                    }
                    let local = name.starts_with('?');
                    formals.push(Formal {
                        name,
                        hashed,
                        local,
                    });
                }
                _ => {
                    let d = Diagnostic::new(codes::SYNTAX, "expected a parameter's name");
                    return Err(Box::new(d.at(n.span)));
                }
            }
            hashed = false;
        }
        self.zmac_locals(&mut body, &mut formals)?;
        self.room_for_macro(self.own.get::<State>().macros.len())?;
        let key = self.key(self.text(name)).into_owned();
        let made = self.zmac_made(name, formals, &body);
        let macros = &mut self.own.get_mut::<State>().macros;
        macros.insert(key, Rc::new(made));
        Ok(())
    }

    /// The lines of a macro with arguments, behind others.
    fn zmac_filled(
        &mut self,
        m: &Macro,
        given: &[String],
        text: &mut String,
        lines: &mut Vec<Span>,
    ) -> Outcome<()> {
        let number = {
            let state = self.own.get_mut::<State>();
            state.calls += 1;
            state.calls
        };
        let before = text.len();
        for (line, span) in &m.lines {
            let from = text.len();
            for piece in line {
                match piece {
                    Piece::Text(t) => text.push_str(t),
                    Piece::Count => {
                        let _ = write!(text, "{}", given.len());
                    }
                    &Piece::Formal(k) => match given.get(k) {
                        Some(g) => text.push_str(g),
                        None if m.formals[k].local => {
                            let _ = write!(text, "??{k}_{number:04}");
                        }
                        None => {}
                    },
                }
            }
            if self.zmac_compatible() && text[from..].contains('$') {
                let joined = without_dollars(&text[from..]);
                text.truncate(from);
                text.push_str(&joined);
            }
            text.push('\n');
            lines.push(*span);
            if text.len() - before > limits::TEXT {
                return self.emitted_text(text.len());
            }
        }
        Ok(())
    }

    /// Calls a macro; `toks[0]` is its name.
    pub(super) fn zmac_call(&mut self, m: &Macro, toks: &[Tok]) -> Outcome<()> {
        let text = self.zmac_behind(toks);
        let read = match arguments(&text, true, self.zmac_compatible()) {
            Ok(read) => read,
            Err(why) => {
                let d = Diagnostic::new(codes::BAD_CALL, why).at(self.span_of(toks));
                return Err(Box::new(d.related(m.span, "the macro is defined here")));
            }
        };
        let mut given = Vec::with_capacity(read.len());
        for a in read {
            given.push(match a {
                Argument::Text(t) => t,
                Argument::Value(t) => {
                    let made = self.made_line(&t)?;
                    self.known_here(&toks[0], &made, "the argument")?
                        .to_string()
                }
            });
        }
        let (mut text, mut lines) = (String::new(), Vec::new());
        self.zmac_filled(m, &given, &mut text, &mut lines)?;
        self.read_text(&m.name, text, &lines)
    }

    /// The text behind a token of a piece, also what looks like a comment.
    fn zmac_behind(&self, toks: &[Tok]) -> String {
        let t = &toks[0];
        let text = &self.sources.get(t.span.source).text;
        let rest = &text[t.span.end as usize..];
        let rest = &rest[..rest.find('\n').unwrap_or(rest.len())];
        // A backslash ends the piece.
        let (mut quote, mut end) = (0, rest.len());
        for (i, b) in rest.bytes().enumerate() {
            match b {
                b'"' | b'\'' if quote == 0 || quote == b => quote = b - quote,
                b';' if quote == 0 => break,
                b'\\' if quote == 0 => {
                    end = i;
                    break;
                }
                _ => {}
            }
        }
        rest[..end].to_owned()
    }

    /// `rept count`.
    pub(super) fn zmac_repeat(&mut self, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        self.memo.renew();
        let statement = self.statement;
        let count = self.known_here(t, rest, "the count");
        let mut body = self.zmac_record(t)?;
        self.statement = statement;
        let count = count?.max(0);
        let mut formals = Vec::new();
        self.zmac_locals(&mut body, &mut formals)?;
        let span = self.span_of(rest);
        let marked = |&(a, b): &(u32, u32)| {
            let toks = &body.toks[a as usize..b as usize];
            self.written(toks).contains(['`', '^', '%'])
        };
        if formals.is_empty() && !self.zmac_compatible() && !body.lines.iter().any(marked) {
            return self.repeated(body, count, span, Counter::None);
        }
        let m = self.zmac_made(t, formals, &body);
        let (mut text, mut lines) = (String::new(), Vec::new());
        for _ in 0..count {
            self.zmac_filled(&m, &[], &mut text, &mut lines)?;
            self.zmac_bounded(&text)?;
        }
        self.read_text(&m.name, text, &lines)
    }

    /// That a text which is made is not too long.
    fn zmac_bounded(&mut self, text: &str) -> Outcome<()> {
        match text.len() > limits::TEXT {
            true => self.emitted_text(text.len()),
            false => Ok(()),
        }
    }

    /// `irp name,<a,b>`, `irpc name,text`.
    pub(super) fn zmac_for_each(&mut self, t: &Tok, rest: &[Tok], letters: bool) -> Outcome<()> {
        self.memo.renew();
        let statement = self.statement;
        let list = self.zmac_behind(&[*t]);
        let mut body = self.zmac_record(t)?;
        self.statement = statement;
        let fault = |why: &str, span| Err(Box::new(Diagnostic::new(codes::SYNTAX, why).at(span)));
        let comma = matches!(rest.get(1), Some(c) if c.kind == Kind::Comma);
        let Some((name, _)) = rest.split_first().filter(|_| comma) else {
            return fault("expected a name and a list", t.span);
        };
        let mut formals = vec![Formal {
            name: self.text(name).to_owned(),
            hashed: false,
            local: false,
        }];
        let list = list.split_once(',').map_or("", |l| l.1);
        let all = match arguments(list, false, self.zmac_compatible()) {
            Ok(mut all) if all.len() == 1 => match all.remove(0) {
                Argument::Text(t) | Argument::Value(t) => t,
            },
            Ok(_) => return fault("expected one list, as `<a,b>`", self.span_of(rest)),
            Err(why) => return fault(why, self.span_of(rest)),
        };
        let rounds: Vec<String> = match letters {
            true => all.chars().map(String::from).collect(),
            false => match arguments(&all, false, self.zmac_compatible()) {
                Ok(list) => (list.into_iter())
                    .map(|a| match a {
                        Argument::Text(t) | Argument::Value(t) => t,
                    })
                    .collect(),
                Err(why) => return fault(why, self.span_of(rest)),
            },
        };
        self.zmac_locals(&mut body, &mut formals)?;
        let m = self.zmac_made(t, formals, &body);
        let (mut text, mut lines) = (String::new(), Vec::new());
        for round in rounds {
            self.zmac_filled(&m, &[round], &mut text, &mut lines)?;
            self.zmac_bounded(&text)?;
        }
        self.read_text(&m.name, text, &lines)
    }
}
