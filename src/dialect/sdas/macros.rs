//! Macros, `.rept`, `.irp`, `.irpc`: lines that are recorded, and texts made of them.
//!
//! A parameter stands for itself wherever it is a whole name, in texts too; a `'` before or
//! behind it parts it from what it is joined with. One with `?` before it is a new label
//! `10000$` in each call that gives no argument for it.

use super::super::margin::macros::whole_text;
use super::state::{Macro, State};
use super::words::{Word, word};
use crate::diagnostic::{Diagnostic, codes};
use crate::program::{Outcome, limits};
use crate::read::Assembler;
use crate::read::expand::Counter;
use crate::read::state::feeds::{Body, FeedKind};
use crate::text::lex::{Kind, Tok};
use std::rc::Rc;

/// The number of the first label that a macro makes.
const FIRST: u32 = 10_000;

fn begins_name(b: u8) -> bool {
    b.is_ascii_alphabetic() || matches!(b, b'_' | b'.' | b'$') || b >= 0x80
}

fn in_name(b: u8) -> bool {
    begins_name(b) || b.is_ascii_digit()
}

/// A line with arguments for names. It ends where it is more text than macros may make.
fn filled_in(line: &str, names: &[(&str, &str)]) -> String {
    let b = line.as_bytes();
    let mut out = String::with_capacity(line.len() + 16);
    let mut i = 0;
    while i < b.len() && out.len() <= limits::TEXT {
        let start = i;
        if b[i].is_ascii_digit() {
            i += b[i..].iter().take_while(|&&b| in_name(b)).count();
            out.push_str(&line[start..i]);
            continue;
        }
        if !begins_name(b[i]) {
            let c = line[i..].chars().next().map_or(1, char::len_utf8);
            i += c;
            out.push_str(&line[start..i]);
            continue;
        }
        i += b[i..].iter().take_while(|&&b| in_name(b)).count();
        let word = &line[start..i];
        match names.iter().find(|n| n.0 == word) {
            Some((_, given)) => {
                if out.ends_with('\'') {
                    out.pop();
                }
                out.push_str(given);
                i += usize::from(b.get(i) == Some(&b'\''));
            }
            None => out.push_str(word),
        }
    }
    out
}

/// Arguments of a call: texts between commas or blanks; `^/…/` is one, whatever is in it.
fn arguments(text: &str) -> Vec<String> {
    let mut out = Vec::new();
    let mut rest = text.trim();
    while !rest.is_empty() {
        let quoted = rest.strip_prefix('^').and_then(|r| {
            let mark = r.chars().next()?;
            let inner = &r[mark.len_utf8()..];
            let end = inner.find(mark)?;
            Some((&inner[..end], &inner[end + mark.len_utf8()..]))
        });
        let (one, behind) = match quoted {
            Some(found) => found,
            None => {
                let mut quote = '\0';
                let end = rest.char_indices().position(|(_, c)| {
                    match c {
                        '"' if quote == '\0' => quote = c,
                        '"' => quote = '\0',
                        ',' | ' ' | '\t' if quote == '\0' => return true,
                        _ => {}
                    }
                    false
                });
                let end = end.and_then(|n| rest.char_indices().nth(n));
                let end = end.map_or(rest.len(), |e| e.0);
                (&rest[..end], &rest[end..])
            }
        };
        out.push(one.to_owned());
        let behind = behind.trim_start();
        rest = behind.strip_prefix(',').unwrap_or(behind).trim_start();
    }
    out
}

impl Assembler<'_> {
    /// The macro that a token names.
    pub(super) fn sdas_macro(&self, t: &Tok) -> Option<Rc<Macro>> {
        let macros = &self.own.get::<State>().macros;
        if macros.is_empty() || t.kind != Kind::Name {
            return None;
        }
        macros.get(self.sources.slice(t.span)).cloned()
    }

    fn sdas_record(&mut self, t: &Tok) -> Outcome<Body> {
        let mut depth = 0u32;
        let ends = &mut |a: &Self, toks: &[Tok]| {
            let mut i = 0;
            while toks.get(i + 1).is_some_and(|c| c.kind == Kind::Colon) {
                i += 2;
            }
            match word(a.directive_named(toks.get(i))) {
                Some(Word::Macro | Word::Repeat | Word::Each | Word::EachCharacter) => depth += 1,
                Some(Word::EndMacro) if depth == 0 => return true,
                Some(Word::EndMacro) => depth -= 1,
                _ => {}
            }
            false
        };
        self.recorded(t, ".endm", ends)
    }

    /// `.macro name a,b,?l`.
    pub(super) fn sdas_define(&mut self, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        self.memo.renew();
        let named = self.one_name(t, rest);
        let body = self.sdas_record(t)?;
        let name = named?;
        let (text, lines) = self.lines_as_text(&body);
        let comma = usize::from(rest.get(1).is_some_and(|t| t.kind == Kind::Comma));
        let list = arguments(&self.written(&rest[1 + comma..]));
        let mut parameters: Vec<(String, bool)> = Vec::new();
        for p in list {
            let (plain, label) = match p.strip_prefix('?') {
                Some(plain) => (plain, true),
                None => (p.as_str(), false),
            };
            let good = plain.bytes().next().is_some_and(begins_name) && plain.bytes().all(in_name);
            if !good {
                let d = Diagnostic::new(codes::SYNTAX, "expected a parameter's name");
                return Err(Box::new(d.at(self.span_of(rest))));
            }
            parameters.push((plain.to_owned(), label));
        }
        if parameters.len() > limits::PARAMETERS {
            return Err(self.too_many(limits::PARAMETERS, "parameters of a macro"));
        }
        let count = self.own.get::<State>().macros.len();
        self.room_for_macro(count)?;
        let made = Macro {
            name: self.text(&name).to_owned(),
            parameters,
            text,
            lines,
            span: name.span,
        };
        let key = made.name.clone();
        let macros = &mut self.own.get_mut::<State>().macros;
        if let Some(old) = macros.insert(key, Rc::new(made)) {
            let message = format!("the macro `{}` is defined twice", old.name);
            let d = Diagnostic::new(codes::REDEFINED, message).at(name.span);
            return Err(Box::new(d.related(old.span, "first defined here")));
        }
        Ok(())
    }

    /// Calls a macro.
    pub(super) fn sdas_call(&mut self, m: &Macro, rest: &[Tok]) -> Outcome<()> {
        let mut given = arguments(&self.written(rest));
        if given.len() > m.parameters.len() {
            let message = crate::read::expand::takes(&m.name, m.parameters.len(), given.len());
            let d = Diagnostic::new(codes::BAD_CALL, message).at(self.statement);
            return Err(Box::new(d.related(m.span, "defined here")));
        }
        for (_, label) in &m.parameters[given.len()..] {
            given.push(match label {
                true => {
                    let state = self.own.get_mut::<State>();
                    state.made += 1;
                    format!("{}$", FIRST + state.made - 1)
                }
                false => String::new(),
            });
        }
        let names: Vec<(&str, &str)> = (m.parameters.iter().zip(&given))
            .map(|(p, g)| (p.0.as_str(), g.as_str()))
            .collect();
        let text: String = match names.is_empty() {
            true => m.text.clone(),
            false => whole_text(m.text.lines().map(|l| filled_in(l, &names))),
        };
        self.read_text(&m.name, text, &m.lines)
    }

    /// `.mexit`.
    pub(super) fn sdas_exit(&mut self, t: &Tok) -> Outcome<()> {
        let inside = match self.lines.feeds.last().map(|f| &f.kind) {
            Some(FeedKind::File { source, .. }) => self.sources.get(*source).is_made(),
            Some(FeedKind::Lines { .. }) => true,
            None => false,
        };
        let Some(depth) = (self.lines.feeds.last().map(|f| f.conditions)).filter(|_| inside) else {
            let d = Diagnostic::new(codes::MISPLACED, "there is no macro to leave").at(t.span);
            return Err(Box::new(d));
        };
        self.lines.conditions.truncate(depth);
        self.pop_feed();
        Ok(())
    }

    /// `.rept count`.
    pub(super) fn sdas_repeat(&mut self, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        self.memo.renew();
        let statement = self.statement;
        let count = self.known_here(t, rest, "the count");
        let body = self.sdas_record(t)?;
        self.statement = statement;
        let count = count?;
        let span = self.span_of(rest);
        self.repeated(body, count.max(0), span, Counter::None)
    }

    /// `.irp x,a,b` and `.irpc x,text`.
    pub(super) fn sdas_each(&mut self, t: &Tok, rest: &[Tok], characters: bool) -> Outcome<()> {
        self.memo.renew();
        let statement = self.statement;
        let mut list = arguments(&self.written(rest));
        let body = self.sdas_record(t)?;
        self.statement = statement;
        if list.is_empty() {
            return self.one_name(t, rest).map(|_| ());
        }
        let name = list.remove(0);
        if characters {
            list = list.concat().chars().map(String::from).collect();
        }
        let (text, lines) = self.lines_as_text(&body);
        let whole = (text.len() + 1).saturating_mul(list.len());
        if whole > limits::TEXT || lines.len().saturating_mul(list.len()) > limits::HELD {
            return Err(self.too_many(limits::TEXT, "characters in the rounds of a repeat"));
        }
        let mut made = String::new();
        let mut spans = Vec::with_capacity(lines.len() * list.len());
        for item in &list {
            for line in text.lines() {
                made += &filled_in(line, &[(&name, item)]);
                made.push('\n');
            }
            spans.extend_from_slice(&lines);
            if made.len() > limits::TEXT {
                return Err(self.too_many(limits::TEXT, "characters in the rounds of a repeat"));
            }
        }
        self.read_text(&name, made, &spans)
    }
}

#[cfg(test)]
mod tests {
    use super::{arguments, filled_in};

    #[test]
    fn names_are_replaced_and_quotes_join() {
        let names = [("x", "5"), ("lab", "q")];
        for (line, want) in [
            ("ld a,#x", "ld a,#5"),
            ("'lab'1: .ascii \"'x'\"", "q1: .ascii \"5\""),
            ("xx x1 1x x", "xx x1 1x 5"),
            ("é x", "é 5"),
        ] {
            assert_eq!(filled_in(line, &names), want);
        }
    }

    #[test]
    fn arguments_end_at_commas_and_blanks() {
        for (text, want) in [
            ("a,#5", &["a", "#5"][..]),
            ("a b  c", &["a", "b", "c"]),
            ("^/1, 2/ , 3", &["1, 2", "3"]),
            ("\"a b\"", &["\"a b\""]),
            ("", &[]),
        ] {
            assert_eq!(arguments(text), want);
        }
    }
}
