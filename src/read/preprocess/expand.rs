//! Macros: definition, arguments and replacement, with a set of macros for each
//! token that it came through and is not replaced by again.

use super::preprocessor::{BUILT_IN, Line, MAX_CALL, MAX_DEPTH, MAX_LINE, Preprocessor, Step};
use super::scan::{self, Kind, Logical, Token};
use crate::diagnostic::text::thousands;
use crate::diagnostic::{Diagnostic, codes};
use crate::program::limits;
use crate::text::source::Span;
use smallvec::{SmallVec, smallvec};
use std::rc::Rc;

/// Bytes of text that count as a token.
const TEXT: usize = 16;

/// Numbers that all sets of a line may have.
const MAX_HIDDEN: usize = 1 << 22;

/// A finding, boxed because it is the rare way out.
pub(super) type Fault = Box<Diagnostic>;

/// What replacing needs to know of the line.
pub(super) struct Place<'l, 'a> {
    pub line: &'l Line<'a>,
    /// The statement.
    pub span: Span,
    /// Names behind `defined` stay.
    pub condition: bool,
    /// Where the line ends, for calls that go on.
    pub next: usize,
    /// The first macro that was replaced.
    pub first: Option<u32>,
    depth: usize,
}

/// The finding for a line that is not read.
pub(super) fn too_long(span: Span) -> Diagnostic {
    let most = thousands(limits::LINE as u64);
    let text = format!("a line for the preprocessor has more than {most} bytes");
    Diagnostic::new(codes::TOO_LONG, text).at(span)
}

/// The line without the blanks around it.
pub(super) fn whole_span(g: &Logical, l: &Line<'_>) -> Span {
    let text = g.text.trim_end();
    let blank = text.len() - text.trim_start().len();
    g.span(l.source, blank, text.len())
}

/// The arguments of a call.
#[derive(Default)]
struct Given {
    /// Tokens of all.
    toks: Vec<Token>,
    /// Where each starts.
    starts: SmallVec<[usize; 8]>,
}

impl Given {
    fn len(&self) -> usize {
        self.starts.len()
    }

    /// Another one starts.
    fn begin(&mut self) {
        self.starts.push(self.toks.len());
    }

    fn get(&self, i: usize) -> &[Token] {
        let end = self.starts.get(i + 1).copied().unwrap_or(self.toks.len());
        &self.toks[self.starts[i]..end]
    }
}

impl<'l, 'a> Place<'l, 'a> {
    pub(super) fn new(line: &'l Line<'a>, span: Span, next: usize) -> Self {
        Self {
            line,
            span,
            condition: false,
            next,
            first: None,
            depth: 0,
        }
    }
}

impl Preprocessor {
    /// A line for the assembler.
    pub(super) fn statement(&mut self, l: &Line<'_>, starts: &dyn Fn(&str) -> bool) -> Step {
        let Some(g) = scan::logical(l.text, l.at, self.rules, false) else {
            return Step::End;
        };
        let span = whole_span(&g, l);
        if g.text.len() > limits::LINE {
            self.findings.push(too_long(span));
            return Step::Nothing { next: g.next };
        }
        let toks = self.scan(&g.text);
        let mut place = Place::new(l, span, g.next);
        match self.replace(toks, &mut place) {
            Ok(_) if place.first.is_none() => Step::Plain,
            Ok(toks) => {
                let text = self.written(&toks, Some(starts));
                let name = place
                    .first
                    .map_or("".into(), |m| self.macros[m as usize].name.clone());
                Step::Text {
                    text,
                    next: place.next,
                    span,
                    name,
                }
            }
            Err(d) => {
                self.findings.push(*d);
                Step::Nothing { next: place.next }
            }
        }
    }

    /// Puts a text into the arena and splits it.
    pub(super) fn scan(&mut self, text: &str) -> Vec<Token> {
        let base = self.arena.len();
        self.arena.push_str(text);
        let mut out = Vec::with_capacity(text.len() / 2 + 1);
        scan::tokens(text, base, self.rules, &mut out);
        out
    }

    fn lookup(&self, t: &Token) -> Option<u32> {
        let name = self.text(t);
        if !self.may_be(name) {
            return None;
        }
        let &m = self.names.get(name)?;
        let hidden = self.hides.has(t.hide, m);
        (!hidden).then_some(m)
    }

    fn step(&mut self, n: usize, place: &Place<'_, '_>) -> Result<(), Fault> {
        self.steps = self.steps.saturating_add(n as u32);
        self.all_steps += n as u64;
        if self.steps > MAX_LINE
            || self.all_steps > limits::REPLACED
            || self.hides.size() > MAX_HIDDEN
        {
            return Err(self.endless(place, "the macros of this line make too much text"));
        }
        Ok(())
    }

    fn endless(&mut self, place: &Place<'_, '_>, text: &str) -> Fault {
        self.fatal = true;
        let mut d = Diagnostic::new(codes::ENDLESS_EXPANSION, text).at(place.span);
        if let Some(m) = place.first {
            d = self.defined_here(d, m);
        }
        Box::new(d)
    }

    fn defined_here(&self, d: Diagnostic, m: u32) -> Diagnostic {
        let m = &self.macros[m as usize];
        match m.span {
            Some(at) => d.related(at, format!("`{}` is defined here", m.name)),
            None => d,
        }
    }

    /// Replaces all macros in a line.
    pub(super) fn replace(
        &mut self,
        toks: Vec<Token>,
        place: &mut Place<'_, '_>,
    ) -> Result<Vec<Token>, Fault> {
        self.steps = 0;
        place.depth = 0;
        // Those that are written are bounded by the files.
        self.all_steps = self.all_steps.saturating_sub(toks.len() as u64);
        self.expand(toks, place, true)
    }

    fn expand(
        &mut self,
        mut work: Vec<Token>,
        place: &mut Place<'_, '_>,
        outermost: bool,
    ) -> Result<Vec<Token>, Fault> {
        let mut out: Vec<Token> = Vec::with_capacity(work.len());
        work.reverse();
        // White space and line ends in front of a macro that makes nothing.
        let (mut space, mut soft) = (false, false);
        while let Some(mut t) = work.pop() {
            self.step(1, place)?;
            t.space |= std::mem::take(&mut space);
            t.soft |= std::mem::take(&mut soft);
            let m = match t.kind {
                Kind::Name if !self.asked(&out, place) => self.lookup(&t),
                _ => None,
            };
            let Some(m) = m else {
                out.push(t);
                continue;
            };
            let function = self.macros[m as usize].parameters.is_some();
            let mut replaced = if function {
                if work.is_empty() && outermost && !place.condition && self.call_goes_on(place) {
                    // `NAME` at the end of a line and its `(` in the next.
                    work.extend(self.next_line(place).into_iter().flatten().rev());
                }
                if !work.last().is_some_and(|n| self.is(n, "(")) {
                    out.push(t);
                    continue;
                }
                place.first.get_or_insert(m);
                let (arguments, close) = self.arguments(m, &mut work, place, outermost)?;
                let hide = self.hides.intersection(t.hide, close.hide);
                let hide = self.hides.with(hide, m);
                self.substitute(m, &arguments, hide, place)?
            } else {
                place.first.get_or_insert(m);
                let hide = self.hides.with(t.hide, m);
                if (m as usize) < BUILT_IN.len() {
                    self.built_in(m, place)
                } else {
                    self.substitute(m, &Given::default(), hide, place)?
                }
            };
            match replaced.first_mut() {
                Some(first) => (first.space, first.soft) = (t.space, t.soft),
                None => (space, soft) = (t.space, t.soft),
            }
            self.step(replaced.len(), place)?;
            // As most are: nothing in it is a name that a macro may have.
            if replaced.iter().all(|t| self.is_plain(t)) {
                self.step(replaced.len(), place)?;
                out.extend_from_slice(&replaced);
                continue;
            }
            work.extend(replaced.into_iter().rev());
        }
        Ok(out)
    }

    /// Whether a token is none that a macro may replace.
    fn is_plain(&self, t: &Token) -> bool {
        t.kind != Kind::Name || !self.may_be(self.text(t))
    }

    /// Whether the next name is only asked about.
    fn asked(&self, out: &[Token], place: &Place<'_, '_>) -> bool {
        let before = match out {
            [.., name, open] if self.is(open, "(") => name,
            [.., name] => name,
            [] => return false,
        };
        if before.kind != Kind::Name {
            return false;
        }
        let word = self.text(before);
        place.condition && word == "defined"
            || self.rules.asks.iter().any(|a| word.eq_ignore_ascii_case(a))
    }

    pub(super) fn is(&self, t: &Token, mark: &str) -> bool {
        t.kind == Kind::Mark && self.text(t) == mark
    }

    fn built_in(&mut self, m: u32, place: &Place<'_, '_>) -> Vec<Token> {
        let l = place.line;
        let text = match BUILT_IN[m as usize] {
            "__FILE__" => format!("\"{}\"", l.file.replace('\\', "\\\\").replace('"', "\\\"")),
            "__LINE__" => (l.number)(place.span.start).to_string(),
            name => {
                let d = Diagnostic::new(
                    codes::FIXED_TIME,
                    format!("`{name}` has a fixed value: the output does not depend on the time"),
                );
                self.findings.push(
                    d.at(place.span)
                        .help("define a name of your own on the command line, -D BUILD=20260131"),
                );
                match name {
                    "__DATE__" => "\"Jan  1 2000\"",
                    "__TIME__" => "\"00:00:00\"",
                    "__CENTURY__" => "20",
                    "__MONTH__" | "__DAY__" => "1",
                    _ => "0",
                }
                .to_string()
            }
        };
        self.scan(&text)
    }

    /// The arguments of a call, whose `(` comes next, and the closing bracket.
    fn arguments(
        &mut self,
        m: u32,
        work: &mut Vec<Token>,
        place: &mut Place<'_, '_>,
        outermost: bool,
    ) -> Result<(Given, Token), Fault> {
        work.pop();
        let (count, variadic) = {
            let m = &self.macros[m as usize];
            (m.parameters.as_ref().map_or(0, Vec::len), m.variadic)
        };
        let mut list = Given::default();
        list.toks.reserve(work.len());
        list.begin();
        let (mut depth, mut lines) = (0usize, 0);
        loop {
            let Some(t) = work.pop() else {
                // A call may go on in the next line of the file.
                if outermost
                    && !place.condition
                    && lines < MAX_CALL
                    && let Some(more) = self.next_line(place)
                {
                    lines += 1;
                    work.extend(more.into_iter().rev());
                    continue;
                }
                let name = &self.macros[m as usize].name;
                let d = Diagnostic::new(
                    codes::BAD_CALL,
                    format!("the call of the macro `{name}` has no closing bracket"),
                );
                return Err(Box::new(self.defined_here(d.at(place.span), m)));
            };
            self.step(1, place)?;
            let last = list.len();
            if t.kind == Kind::Mark {
                match self.text(&t) {
                    "(" => depth += 1,
                    ")" if depth == 0 => {
                        let none = last == 1 && list.get(0).is_empty();
                        if count == 0 && none {
                            list = Given::default();
                        }
                        let short = variadic && list.len() + 1 == count;
                        if short {
                            list.begin();
                        }
                        // Left out is not the same as empty: `, ## rest`.
                        self.left_out = variadic && (short || count == 1 && none);
                        if list.len() != count {
                            return Err(self.bad_call(m, list.len(), place));
                        }
                        return Ok((list, t));
                    }
                    ")" => depth -= 1,
                    "," if depth == 0 && !(variadic && last == count) => {
                        if last > count {
                            // Enough to tell that there are too many.
                            continue;
                        }
                        list.begin();
                        continue;
                    }
                    _ => {}
                }
            }
            list.toks.push(t);
        }
    }

    fn bad_call(&self, m: u32, given: usize, place: &Place<'_, '_>) -> Fault {
        let (name, count) = {
            let m = &self.macros[m as usize];
            (&m.name, m.parameters.as_ref().map_or(0, Vec::len))
        };
        let given = if given > count {
            "more".to_string()
        } else {
            given.to_string()
        };
        let s = if count == 1 { "" } else { "s" };
        let d = Diagnostic::new(
            codes::BAD_CALL,
            format!("the macro `{name}` takes {count} argument{s}, {given} are given"),
        );
        Box::new(self.defined_here(d.at(place.span), m))
    }

    fn call_goes_on(&self, place: &Place<'_, '_>) -> bool {
        let rest = &place.line.text.as_bytes()[place.next.min(place.line.text.len())..];
        let first = rest.iter().find(|b| !b.is_ascii_whitespace());
        first == Some(&b'(')
    }

    /// The tokens of the next line, for a call that goes on.
    fn next_line(&mut self, place: &mut Place<'_, '_>) -> Option<Vec<Token>> {
        let l = place.line;
        let g = scan::logical(l.text, place.next, self.rules, false)?;
        if g.text.trim_start().starts_with('#') {
            return None;
        }
        place.next = g.next;
        let mut toks = self.scan(&g.text);
        if let Some(first) = toks.first_mut() {
            first.space = true;
        }
        Some(toks)
    }

    /// The text of a macro with its arguments in place.
    fn substitute(
        &mut self,
        m: u32,
        arguments: &Given,
        hide: u32,
        place: &mut Place<'_, '_>,
    ) -> Result<Vec<Token>, Fault> {
        let body = Rc::clone(&self.macros[m as usize].body);
        let mut out = self.substitute_in(&body, m, arguments, place)?;
        for t in &mut out {
            t.hide = self.hides.union(t.hide, hide);
        }
        Ok(out)
    }

    fn substitute_in(
        &mut self,
        body: &[Token],
        m: u32,
        arguments: &Given,
        place: &mut Place<'_, '_>,
    ) -> Result<Vec<Token>, Fault> {
        let variadic = self.macros[m as usize].variadic;
        let left_out = self.left_out;
        let mut ready: SmallVec<[Option<Vec<Token>>; 4]> = smallvec![None; arguments.len()];
        let mut out: Vec<Token> = Vec::with_capacity(body.len() + arguments.toks.len());
        let mut i = 0;
        // The next token is to be joined to the last one.
        let mut join = false;
        while i < body.len() {
            let t = body[i];
            self.step(1, place)?;
            if t.kind == Kind::Paste {
                join = true;
                i += 1;
                continue;
            }
            let part = out.len();
            match (t.kind, body.get(i + 1).map(|n| n.kind)) {
                (Kind::Quote, Some(Kind::Parameter(p))) => {
                    i += 1;
                    let string = self.stringize(arguments.get(p as usize));
                    self.step(self.text(&string).len() / TEXT, place)?;
                    out.push(string);
                }
                (Kind::Parameter(p), next) => {
                    let given = arguments.get(p as usize);
                    let rest = variadic && p as usize + 1 == arguments.len();
                    let comma = out.last().is_some_and(|c| self.is(c, ","));
                    if join && rest && comma {
                        // `, ## __VA_ARGS__`: the comma goes with the arguments.
                        join = false;
                        if left_out {
                            out.pop();
                        }
                        out.extend_from_slice(given);
                    } else if join || next == Some(Kind::Paste) {
                        if given.is_empty() {
                            out.push(Token {
                                kind: Kind::Nothing,
                                end: t.start,
                                ..t
                            });
                        } else {
                            out.extend_from_slice(given);
                        }
                    } else {
                        self.expanded_argument(given, &mut ready[p as usize], place, &mut out)?;
                    }
                }
                _ => out.push(t),
            }
            // A comma may have gone.
            let part = part.min(out.len());
            self.step(out.len() - part, place)?;
            if let Some(first) = out.get_mut(part) {
                (first.space, first.soft) = (t.space, t.soft);
            }
            if std::mem::take(&mut join) && part > 0 && part < out.len() {
                let behind = out.split_off(part + 1);
                if let (Some(right), Some(left)) = (out.pop(), out.pop()) {
                    let text = self.text(&left).len() + self.text(&right).len();
                    self.step(text / TEXT, place)?;
                    self.join(left, right, &mut out);
                }
                out.extend(behind);
            }
            i += 1;
        }
        out.retain(|t| t.kind != Kind::Nothing);
        Ok(out)
    }

    /// Puts an argument behind `out`, its own macros replaced, which is done once.
    fn expanded_argument(
        &mut self,
        given: &[Token],
        ready: &mut Option<Vec<Token>>,
        place: &mut Place<'_, '_>,
        out: &mut Vec<Token>,
    ) -> Result<(), Fault> {
        if let Some(done) = ready {
            out.extend_from_slice(done);
            return Ok(());
        }
        if place.depth >= MAX_DEPTH {
            let text = format!("macros stand in each other more than {MAX_DEPTH} deep");
            return Err(self.endless(place, &text));
        }
        // As most are: nothing is a name that a macro may have.
        if given.iter().all(|t| self.is_plain(t)) {
            self.step(given.len(), place)?;
            out.extend_from_slice(given);
            return Ok(());
        }
        place.depth += 1;
        let done = self.expand(given.to_vec(), place, false);
        place.depth -= 1;
        out.extend_from_slice(ready.insert(done?));
        Ok(())
    }

    /// `##`: one token of two, or both side by side where that is none.
    fn join(&mut self, left: Token, right: Token, out: &mut Vec<Token>) {
        if right.kind == Kind::Nothing {
            out.push(left);
            return;
        }
        if left.kind == Kind::Nothing {
            out.push(Token {
                space: left.space,
                soft: left.soft,
                ..right
            });
            return;
        }
        let text = format!("{}{}", self.text(&left), self.text(&right));
        let mut joined = self.scan(&text);
        let hide = self.hides.intersection(left.hide, right.hide);
        if let ([one], true) = (
            &mut joined[..],
            !text.contains("//") && !text.contains("/*"),
        ) {
            let kind = if one.kind == Kind::Paste {
                Kind::Mark
            } else {
                one.kind
            };
            *one = Token {
                kind,
                space: left.space,
                soft: left.soft,
                hide,
                ..*one
            };
            out.push(*one);
        } else {
            out.push(left);
            out.push(Token {
                space: false,
                soft: false,
                ..right
            });
        }
    }

    /// `#`: the argument as written, as a string.
    fn stringize(&mut self, toks: &[Token]) -> Token {
        let mut text = String::from("\"");
        for (i, t) in toks.iter().enumerate() {
            if i > 0 && t.space {
                text.push(' ');
            }
            let part = self.text(t);
            if t.kind == Kind::Text {
                for c in part.chars() {
                    if matches!(c, '"' | '\\') {
                        text.push('\\');
                    }
                    text.push(c);
                }
            } else {
                text.push_str(part);
            }
        }
        text.push('"');
        let start = self.arena.len() as u32;
        self.arena.push_str(&text);
        Token {
            kind: Kind::Text,
            space: false,
            soft: false,
            start,
            end: self.arena.len() as u32,
            hide: 0,
        }
    }

    /// Tokens as a line; a joined line starts a new one where a statement can.
    pub(super) fn written(&self, toks: &[Token], starts: Option<&dyn Fn(&str) -> bool>) -> String {
        let mut out = String::with_capacity(toks.len() * 4);
        let mut end = 0;
        for t in toks {
            let text = self.text(t);
            let statement = t.soft && self.rules.statements && t.kind == Kind::Name;
            if statement && starts.is_some_and(|f| f(text)) {
                out.push('\n');
            } else if t.space || end != t.start && self.would_join(&out, text) {
                out.push(' ');
            }
            out.push_str(text);
            end = t.end;
        }
        out
    }

    /// Whether two tokens side by side would be read as another one.
    fn would_join(&self, before: &str, text: &str) -> bool {
        let (Some(&a), Some(&b)) = (before.as_bytes().last(), text.as_bytes().first()) else {
            return false;
        };
        let word = |b: u8| scan::in_name(b, self.rules) || b == b'.' || b == b'$';
        word(a) && word(b) || Self::merges(a, b)
    }

    fn merges(a: u8, b: u8) -> bool {
        matches!(
            (a, b),
            (b'+', b'+')
                | (b'-', b'-' | b'>')
                | (b'<', b'<' | b'=' | b'>')
                | (b'>', b'>' | b'=')
                | (b'=' | b'!', b'=')
                | (b'&', b'&')
                | (b'|', b'|')
                | (b'#', b'#')
                | (b'/', b'/' | b'*')
                | (b':', b':' | b'=')
        )
    }
}
