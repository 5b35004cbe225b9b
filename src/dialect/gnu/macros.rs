//! Macros and repeats of GNU as: bodies are text, `\name` in them is replaced
//! wherever it stands, and what comes out is read like a file.

use super::scrub;
use super::state::{Body, Macro, Parameter, State};
use super::substitute::{name_part, name_start, substitute};
use super::words::Gnu;
use crate::diagnostic::text::thousands;
use crate::diagnostic::{Diagnostic, codes};
use crate::image::ExpansionKind;
use crate::program::Outcome;
use crate::program::limits;
use crate::read::Assembler;
use crate::read::expand::{FeedKind, Names};
use crate::text::lex::{Kind, Tok};
use crate::text::source::Span;
use std::rc::Rc;

/// What ends a block of recorded lines, and what nests in it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Until {
    EndMacro,
    EndRepeat,
}

/// Reads the text of a macro's head or call.
struct Reader<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Reader<'t> {
    fn new(text: &'t str) -> Self {
        Self { text, at: 0 }
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn blanks(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t')) {
            self.at += 1;
        }
    }

    /// Blanks, a comma, blanks.
    fn comma(&mut self) {
        self.blanks();
        if self.peek() == Some(b',') {
            self.at += 1;
        }
        self.blanks();
    }

    fn name(&mut self) -> &'t str {
        let start = self.at;
        if self.peek().is_some_and(name_start) {
            while self.peek().is_some_and(name_part) {
                self.at += 1;
            }
        }
        &self.text[start..self.at]
    }

    fn rest(&mut self) -> &'t str {
        let rest = &self.text[self.at..];
        self.at = self.text.len();
        rest
    }

    /// A text in quotes, without them.
    fn quoted(&mut self, out: &mut String) {
        let quote = self.peek();
        self.at += 1;
        let mut escaped = false;
        while let Some(c) = self.text[self.at..].chars().next() {
            let end = Some(c as u32) == quote.map(u32::from);
            if end && escaped {
                out.pop();
            } else if end {
                self.at += 1;
                if self.peek() != quote {
                    return;
                }
            }
            escaped = c == '\\' && !escaped;
            out.push(c);
            self.at += c.len_utf8();
        }
    }

    /// One argument: to a comma, or a blank outside brackets.
    fn argument(&mut self, alternate: bool) -> String {
        self.blanks();
        let mut out = String::new();
        match self.peek() {
            Some(b'"') => {
                // Texts that follow each other at once are one.
                while self.peek() == Some(b'"') {
                    self.quoted(&mut out);
                }
                return out;
            }
            Some(b'<') if alternate => {
                self.bracketed(&mut out);
                return out;
            }
            _ => {}
        }
        let mut open: Vec<char> = Vec::new();
        while let Some(c) = self.text[self.at..].chars().next() {
            match c {
                ' ' | '\t' if open.is_empty() => break,
                ',' => break,
                '<' if alternate => break,
                '"' => {
                    out.push(c);
                    self.at += 1;
                    while let Some(c) = self.text[self.at..].chars().next() {
                        if c == '"' {
                            break;
                        }
                        out.push(c);
                        self.at += c.len_utf8();
                    }
                    if self.peek().is_none() {
                        return out;
                    }
                }
                '(' | '[' => open.push(c),
                ')' if open.last() == Some(&'(') => drop(open.pop()),
                ']' if open.last() == Some(&'[') => drop(open.pop()),
                _ => {}
            }
            out.push(c);
            self.at += c.len_utf8();
        }
        out
    }

    /// `<text>` of the alternate syntax, in which `!` takes the next character as it
    /// is.
    fn bracketed(&mut self, out: &mut String) {
        let mut depth = 0;
        while let Some(c) = self.text[self.at..].chars().next() {
            self.at += c.len_utf8();
            match c {
                '!' => {
                    if let Some(c) = self.text[self.at..].chars().next() {
                        out.push(c);
                        self.at += c.len_utf8();
                    }
                    continue;
                }
                '<' => {
                    depth += 1;
                    if depth == 1 {
                        continue;
                    }
                }
                '>' => {
                    depth -= 1;
                    if depth == 0 {
                        return;
                    }
                }
                _ => {}
            }
            out.push(c);
        }
    }
}

/// A parameter in a macro's head, behind those before. What is wrong is an error's text.
fn parameter(
    r: &mut Reader<'_>,
    before: &[Parameter],
    alternate: bool,
) -> Result<Parameter, String> {
    let name = r.name().to_string();
    if name.is_empty() {
        let rest = r.rest();
        return Err(format!("expected a parameter's name, found `{rest}`"));
    }
    if before.len() >= limits::PARAMETERS {
        let most = limits::PARAMETERS;
        return Err(format!("a macro has more than {most} parameters"));
    }
    if before.iter().any(|p| p.name == name) {
        return Err(format!("the parameter `{name}` stands here twice"));
    }
    if before.last().is_some_and(|p| p.rest) {
        return Err("a `vararg` parameter must be the last".into());
    }
    let mut p = Parameter {
        name,
        ..Parameter::default()
    };
    r.blanks();
    if r.peek() == Some(b':') {
        r.at += 1;
        r.blanks();
        match r.name() {
            "req" => p.required = true,
            "vararg" => p.rest = true,
            other => {
                return Err(format!(
                    "`{other}` is no kind of parameter: `req` or `vararg`"
                ));
            }
        }
        r.blanks();
    }
    if r.peek() == Some(b'=') {
        r.at += 1;
        p.default = r.argument(alternate);
    }
    Ok(p)
}

/// The name and the parameters in a macro's head. What is wrong is an error's text.
fn head(text: &str, alternate: bool) -> Result<(String, Vec<Parameter>), String> {
    let mut r = Reader::new(text);
    let name = r.name().to_string();
    if name.is_empty() {
        return Err("expected the macro's name".into());
    }
    r.blanks();
    let bracket = r.peek() == Some(b'(');
    if bracket {
        r.at += 1;
    }
    r.comma();
    let mut parameters: Vec<Parameter> = Vec::new();
    while let Some(b) = r.peek() {
        if b == b')' && bracket {
            break;
        }
        parameters.push(parameter(&mut r, &parameters, alternate)?);
        r.comma();
    }
    Ok((name, parameters))
}

impl Assembler<'_> {
    /// The macro that a word calls.
    pub(super) fn gnu_macro(&self, word: &str) -> Option<Rc<Macro>> {
        if self.own.get::<State>().macros.list.is_empty() {
            return None;
        }
        if let Some(m) = self.own.get::<State>().macros.list.get(word) {
            return Some(Rc::clone(m));
        }
        if !word.bytes().any(|b| b.is_ascii_uppercase()) {
            return None;
        }
        self.own
            .get::<State>()
            .macros
            .list
            .get(&word.to_ascii_lowercase())
            .map(Rc::clone)
    }

    /// The text of a statement's tokens, as GNU as sees it.
    fn scrubbed(&self, toks: &[Tok]) -> String {
        let plain = self.gnu_family().quoted;
        match toks {
            [] => String::new(),
            _ => scrub::statement(self.sources.slice(self.span_of(toks)), plain),
        }
    }

    /// The text behind the first word of a statement.
    pub(super) fn gnu_rest(&self, rest: &[Tok]) -> String {
        let plain = self.gnu_family().quoted;
        match rest {
            [] => String::new(),
            _ => scrub::operands(self.sources.slice(self.span_of(rest)), plain),
        }
    }

    /// Reads lines up to the end of a block, as text.
    fn gnu_record(&mut self, opener: &Tok, until: Until) -> Outcome<Body> {
        let mut body = Body::default();
        let mut line: Vec<Tok> = Vec::new();
        let floor = self.lines.feeds.len();
        let mut depth = 0u32;
        loop {
            if !self.gnu_more(floor) || !self.next_line(&mut line) || self.lines.feeds.len() < floor
            {
                let word = self.text(opener).to_string();
                let end = match word.to_ascii_lowercase().trim_start_matches('.') {
                    "macro" => ".endm",
                    _ => ".endr",
                };
                let message = format!("this `{word}` has no `{end}`");
                let d = Diagnostic::new(codes::UNCLOSED_BLOCK, message).at(opener.span);
                return Err(Box::new(d));
            }
            let mut word = 0;
            while line.get(word + 1).is_some_and(|t| t.kind == Kind::Colon) {
                word += 2;
            }
            let directive = line.get(word).filter(|t| t.kind == Kind::Name);
            let directive = directive.and_then(|t| self.words.get(self.text(t)).directive);
            let directive = self.gnu_own(directive);
            let (opens, closes) = match until {
                Until::EndMacro => (
                    directive == Some(Gnu::Macro),
                    directive == Some(Gnu::EndMacro),
                ),
                Until::EndRepeat => (
                    matches!(directive, Some(Gnu::Repeat | Gnu::Each | Gnu::EachChar)),
                    directive == Some(Gnu::EndRepeat),
                ),
            };
            if closes {
                if depth == 0 {
                    // A label before it belongs to the block.
                    let label = self.scrubbed(&line[..word]);
                    if !label.is_empty() {
                        body.lines.push(self.span_of(&line[..word]));
                        body.text.push_str(&label);
                    }
                    return Ok(body);
                }
                depth -= 1;
            }
            depth += u32::from(opens);
            if line.is_empty() {
                continue;
            }
            body.lines.push(self.span_of(&line));
            body.text.push_str(&self.scrubbed(&line));
            body.text.push('\n');
            if body.text.len() > limits::TEXT / 2 {
                let message = "a block of this size cannot be recorded";
                let d = Diagnostic::new(codes::TOO_MUCH, message).at(opener.span);
                self.fatal = true;
                return Err(Box::new(d));
            }
        }
    }

    /// Whether the feed of that number (from 1) has a line to come.
    fn gnu_more(&self, floor: usize) -> bool {
        match self.lines.feeds.get(floor - 1).map(|f| &f.kind) {
            Some(FeedKind::File { source, at }) => *at < self.sources.get(*source).text.len(),
            _ => false,
        }
    }

    /// Bounds the text that expansions make, before it is made.
    fn gnu_room(&mut self, bytes: usize, lines: u64) -> Outcome<()> {
        let more = 2 * limits::TEXT_A_LINE;
        self.account.spent.made_text = self
            .account
            .spent
            .made_text
            .saturating_add(bytes)
            .saturating_add(more);
        self.account.spent.expanded = self.account.spent.expanded.saturating_add(lines);
        if self.account.spent.made_text <= limits::TEXT
            && self.account.spent.expanded <= limits::LINES
        {
            return Ok(());
        }
        self.fatal = true;
        let message = format!(
            "macros and repeats make more than {} lines or {} MiB of text",
            thousands(limits::LINES),
            limits::TEXT >> 20
        );
        let d = Diagnostic::new(codes::ENDLESS_EXPANSION, message).at(self.statement);
        Err(Box::new(d))
    }

    /// Reads a text that an expansion has made of some lines.
    fn gnu_read(&mut self, text: String, lines: &[Span], what: ExpansionKind) {
        let mut made = Vec::with_capacity(lines.len());
        let mut at = 0;
        let mut from = lines.iter().cycle();
        while at < text.len()
            && let Some(&span) = from.next()
        {
            made.push((at as u32, span));
            let rest = &text.as_bytes()[at..];
            at += memchr::memchr(b'\n', rest).map_or(rest.len(), |n| n + 1);
        }
        let source = self.sources.add_made_lines(text, made);
        self.own.get_mut::<State>().plain_sources.insert(source);
        self.push_feed(FeedKind::File { source, at: 0 }, what);
    }

    /// `.macro name a, b=1, c:req, d:vararg`.
    pub(super) fn gnu_macro_definition(&mut self, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        let statement = self.statement;
        let text = self.gnu_rest(rest);
        let span = rest.first().map_or(t.span, |t| t.span);
        let body = self.gnu_record(t, Until::EndMacro)?;
        self.statement = statement;
        let (name, parameters) = head(&text, self.own.get::<State>().macros.alternate)
            .map_err(|message| Box::new(Diagnostic::new(codes::SYNTAX, message).at(span)))?;
        let key = name.to_ascii_lowercase();
        if let Some(old) = self.own.get::<State>().macros.list.get(&key) {
            let message = format!("the macro `{name}` is defined twice");
            let d = Diagnostic::new(codes::REDEFINED, message)
                .at(span)
                .related(old.span, "first defined here")
                .help(format!("`.purgem {name}` frees the name"));
            return Err(Box::new(d));
        }
        self.memo.renew();
        self.room_for_macro(self.own.get::<State>().macros.list.len())?;
        let definition = Macro {
            name,
            parameters,
            body,
            span,
        };
        self.own
            .get_mut::<State>()
            .macros
            .list
            .insert(key, Rc::new(definition));
        Ok(())
    }

    /// `.purgem name`.
    pub(super) fn gnu_purge(&mut self, rest: &[Tok]) -> Outcome<()> {
        self.memo.renew();
        let names = self.gnu_rest(rest);
        for name in names.split(',').map(str::trim) {
            if self
                .own
                .get_mut::<State>()
                .macros
                .list
                .remove(&name.to_ascii_lowercase())
                .is_none()
            {
                let d =
                    Diagnostic::new(codes::UNKNOWN_SYMBOL, format!("there is no macro `{name}`"))
                        .at(self.statement);
                return Err(Box::new(d));
            }
        }
        Ok(())
    }

    /// The values of a macro's parameters that a call gives.
    fn gnu_given(&mut self, m: &Macro, line: &str) -> Outcome<Vec<Option<String>>> {
        let alternate = self.own.get::<State>().macros.alternate;
        let mut values: Vec<Option<String>> = vec![None; m.parameters.len()];
        let statement = self.statement;
        let fault = |message: String| {
            let d = Diagnostic::new(codes::BAD_CALL, message).at(statement);
            Err(Box::new(d.related(m.span, "defined here")))
        };
        let mut r = Reader::new(line);
        let mut next = 0;
        let mut by_name = false;
        r.blanks();
        while r.peek().is_some() {
            let before = r.at;
            let name = r.name();
            if !name.is_empty()
                && r.peek() == Some(b'=')
                && line.as_bytes().get(r.at + 1) != Some(&b'=')
            {
                by_name = true;
                r.at += 1;
                let Some(i) = m.parameters.iter().position(|p| p.name == name) else {
                    return fault(format!("the macro `{}` has no parameter `{name}`", m.name));
                };
                values[i] = Some(self.gnu_argument(&mut r, alternate)?);
            } else {
                r.at = before;
                if by_name {
                    return fault("a value without a name stands behind one with a name".into());
                }
                let Some(p) = m.parameters.get(next) else {
                    return fault(format!(
                        "the macro `{}` takes {} arguments, more are given",
                        m.name,
                        m.parameters.len()
                    ));
                };
                let value = match p.rest {
                    true => r.rest().to_string(),
                    false => self.gnu_argument(&mut r, alternate)?,
                };
                values[next] = Some(value);
                next += 1;
            }
            r.comma();
        }
        for (p, v) in m.parameters.iter().zip(&values) {
            if p.required && v.as_ref().is_none_or(String::is_empty) {
                return fault(format!(
                    "the macro `{}` needs a value for `{}`",
                    m.name, p.name
                ));
            }
        }
        Ok(values)
    }

    /// Calls a macro; its arguments stand in `rest`.
    pub(super) fn gnu_call(&mut self, m: &Rc<Macro>, rest: &[Tok]) -> Outcome<()> {
        let line = self.gnu_rest(rest);
        let alternate = self.own.get::<State>().macros.alternate;
        let values = self.gnu_given(m, &line)?;
        let mut names: Vec<String> = m.parameters.iter().map(|p| p.name.clone()).collect();
        let mut texts: Vec<&str> = Vec::with_capacity(names.len());
        for (p, v) in m.parameters.iter().zip(&values) {
            let given = v.as_deref().filter(|v| !v.is_empty());
            texts.push(given.unwrap_or(&p.default));
        }
        let (locals, body) = match alternate {
            true => self.gnu_locals(&m.body.text),
            false => (Vec::new(), m.body.text.as_str()),
        };
        for (name, with) in &locals {
            names.push(name.clone());
            texts.push(with);
        }
        // Nothing is made that is too large to be read.
        self.gnu_room(limits::TEXT_A_PARAMETER * names.len(), 0)?;
        let longest = texts.iter().map(|t| t.len()).max().unwrap_or(0);
        let signs = body.bytes().filter(|b| *b == b'\\' || alternate).count();
        if longest.saturating_mul(signs) > limits::TEXT / 4 {
            self.gnu_room(usize::MAX, 0)?;
        }
        let names = Names::new(names);
        let text = substitute(
            body,
            &names,
            &texts,
            self.own.get::<State>().macros.number,
            alternate,
        );
        self.own.get_mut::<State>().macros.number += 1;
        let lines = memchr::memchr_iter(b'\n', text.as_bytes()).count();
        self.gnu_room(text.len(), lines as u64 + 1)?;
        let skipped = memchr::memchr_iter(b'\n', m.body.text.as_bytes()).count()
            - memchr::memchr_iter(b'\n', body.as_bytes()).count();
        let from = m.body.lines.get(skipped..).unwrap_or(&[]);
        self.gnu_read(text, from, ExpansionKind::Macro((*m.name).into()));
        Ok(())
    }

    /// An argument; `%expression` of the alternate syntax is its value.
    fn gnu_argument(&mut self, r: &mut Reader<'_>, alternate: bool) -> Outcome<String> {
        r.blanks();
        if !alternate || r.peek() != Some(b'%') {
            return Ok(r.argument(alternate));
        }
        r.at += 1;
        let text = r.argument(alternate);
        let source = self.sources.add("<argument>", text);
        let mut toks = Vec::new();
        let lexing = self.dialect.lexing;
        crate::text::lex::line(&self.sources.get(source).text, 0, source, lexing, &mut toks);
        let v = self.whole_expression(&toks)?;
        let statement = self.statement;
        Ok(self.must_know(v, statement, "the value")?.to_string())
    }

    /// Names behind `LOCAL` at the start of a body, with what stands for them, and
    /// the body behind.
    fn gnu_locals<'b>(&mut self, body: &'b str) -> (Vec<(String, String)>, &'b str) {
        let mut out = Vec::new();
        let mut rest = body;
        while let Some((line, more)) = rest.split_once('\n') {
            let Some(names) = line
                .get(..6)
                .filter(|w| w.eq_ignore_ascii_case("local "))
                .map(|_| &line[6..])
            else {
                break;
            };
            for name in names.split([',', ' ']).filter(|n| !n.is_empty()) {
                self.own.get_mut::<State>().macros.local += 1;
                out.push((
                    name.to_string(),
                    format!(".LL{:04x}", self.own.get::<State>().macros.local),
                ));
            }
            rest = more;
        }
        (out, rest)
    }

    /// `.rept count`.
    pub(super) fn gnu_repeat(&mut self, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        let statement = self.statement;
        let count = self.gnu_number_or(rest, 1, "the count");
        let body = self.gnu_record(t, Until::EndRepeat)?;
        self.statement = statement;
        let count = count?;
        if count < 0 {
            let message = format!("a block cannot be repeated {count} times");
            let d = Diagnostic::new(codes::OUT_OF_RANGE, message).at(self.statement);
            return Err(Box::new(d));
        }
        let Body {
            text: body,
            lines: from,
        } = body;
        if body.is_empty() || count == 0 {
            return Ok(());
        }
        let count = usize::try_from(count).unwrap_or(usize::MAX);
        let lines = memchr::memchr_iter(b'\n', body.as_bytes()).count().max(1) as u64;
        self.gnu_room(
            body.len().saturating_mul(count),
            lines.saturating_mul(count as u64),
        )?;
        self.gnu_read(body.repeat(count), &from, ExpansionKind::Repeat(0));
        Ok(())
    }

    /// `.irp name, a, b` and `.irpc name, text`.
    pub(super) fn gnu_each(&mut self, t: &Tok, rest: &[Tok], characters: bool) -> Outcome<()> {
        let statement = self.statement;
        let head = self.gnu_rest(rest);
        let body = self.gnu_record(t, Until::EndRepeat)?;
        self.statement = statement;
        let mut r = Reader::new(&head);
        let name = r.name();
        if name.is_empty() {
            let d = Diagnostic::new(codes::SYNTAX, "expected a name and a list").at(t.span);
            return Err(Box::new(d));
        }
        r.comma();
        let mut items: Vec<String> = Vec::new();
        if characters {
            let text = r.rest();
            let plain = text
                .strip_prefix('"')
                .map(|t| t.strip_suffix('"').unwrap_or(t));
            let all = plain.unwrap_or(text).chars();
            items.extend(
                all.filter(|c| plain.is_some() || !matches!(c, ' ' | '\t'))
                    .take(limits::LINES as usize)
                    .map(String::from),
            );
        } else {
            while r.peek().is_some() {
                let item = self.gnu_argument(&mut r, self.own.get::<State>().macros.alternate)?;
                items.push(item);
                r.comma();
            }
        }
        if items.is_empty() {
            items.push(String::new());
        }
        let mut text = String::new();
        let longest = items.iter().map(String::len).max().unwrap_or(0);
        if longest.saturating_mul(memchr::memchr_iter(b'\\', body.text.as_bytes()).count())
            > limits::TEXT / 4
        {
            self.gnu_room(usize::MAX, 0)?;
        }
        let names = Names::new(vec![name.to_string()]);
        for item in &items {
            let round = substitute(
                &body.text,
                &names,
                &[item],
                self.own.get::<State>().macros.number,
                self.own.get::<State>().macros.alternate,
            );
            let lines = memchr::memchr_iter(b'\n', round.as_bytes()).count();
            self.gnu_room(round.len(), lines as u64 + 1)?;
            text.push_str(&round);
        }
        self.gnu_read(text, &body.lines, ExpansionKind::Repeat(0));
        Ok(())
    }

    /// Leaves the innermost expansion.
    pub(super) fn gnu_exit(&mut self, t: &Tok) -> Outcome<()> {
        let kind = self
            .expansions
            .get(self.expansion as usize)
            .map(|e| &e.kind);
        if !matches!(
            kind,
            Some(ExpansionKind::Macro(_) | ExpansionKind::Repeat(_))
        ) {
            let d = Diagnostic::new(codes::MISPLACED, "there is no macro to leave").at(t.span);
            return Err(Box::new(d));
        }
        if let Some(f) = self.lines.feeds.last() {
            let depth = f.conditions;
            self.lines.conditions.truncate(depth);
        }
        self.pop_feed();
        Ok(())
    }
}
