//! Macros and repeats: texts in which `\1`, `\name`, `\@` and their like are replaced.

use super::super::margin::macros::{Macro, Parameter};
use super::state::State;
use super::words::Word;
use crate::diagnostic::{Diagnostic, codes};
use crate::program::eval::Known;
use crate::program::symbol::Meaning;
use crate::program::{Outcome, limits};
use crate::read::Assembler;
use crate::read::state::feeds::{Body, Counter};
use crate::text::lex::{Kind, Tok};
use std::fmt::Write;
use std::rc::Rc;

fn in_name(b: u8) -> bool {
    b.is_ascii_alphanumeric() || b == b'_'
}

/// Where an argument of a call ends in a text: at a comma that is in no brackets. A quote
/// hides one character.
fn argument_end(text: &str) -> usize {
    let b = text.as_bytes();
    let at = |i: usize| b.get(i).copied().unwrap_or(0);
    let (mut i, mut depth) = (0, 0u32);
    while i < b.len() {
        match b[i] {
            b'(' => depth += 1,
            b')' => depth = depth.saturating_sub(1),
            b',' if depth == 0 => break,
            b'\'' if i > 0 && b[i - 1].is_ascii_alphabetic() => {}
            q @ (b'\'' | b'"') => {
                if i + 1 < b.len() {
                    i += 1;
                    if at(i) == q && at(i + 1) == q {
                        i += 1;
                    }
                }
                if at(i + 1) == q {
                    i += 1;
                }
            }
            _ => {}
        }
        i += 1;
    }
    // A character of several bytes may stand behind a quote.
    (i.min(b.len())..=b.len())
        .find(|&i| text.is_char_boundary(i))
        .unwrap_or(b.len())
}

/// The arguments of a call.
pub fn arguments(text: &str) -> Vec<&str> {
    let mut out = Vec::new();
    let mut rest = text.trim();
    if rest.is_empty() {
        return out;
    }
    loop {
        let end = argument_end(rest);
        out.push(rest[..end].trim_end());
        match rest[end..].strip_prefix(',') {
            Some(more) => rest = more.trim_start(),
            None => return out,
        }
    }
}

impl Assembler<'_> {
    /// The macro that a token names.
    #[inline]
    pub(super) fn vasm_macro(&self, t: &Tok) -> Option<Rc<Macro>> {
        let macros = &self.own.get::<State>().macros;
        if macros.is_empty() || t.kind != Kind::Name {
            return None;
        }
        macros.get(&*self.key(self.sources.slice(t.span))).cloned()
    }

    /// Whether a token stands alone, as the word that ends a block must.
    fn vasm_alone(&self, t: &Tok) -> bool {
        let text = self.sources.get(t.span.source).text.as_bytes();
        let blank = |b: Option<&u8>| b.is_none_or(u8::is_ascii_whitespace);
        let before = (t.span.start as usize).checked_sub(1);
        before.is_none_or(|i| blank(text.get(i))) && blank(text.get(t.span.end as usize))
    }

    /// Records lines up to the end of a macro or repeat; what stands on that line before
    /// is a line too.
    pub(super) fn vasm_record(&mut self, opener: &Tok, repeat: bool) -> Outcome<Body> {
        let mut depth = 0u32;
        let mut last: Vec<Tok> = Vec::new();
        let statement = self.statement;
        let ends = &mut |a: &Self, toks: &[Tok]| {
            for (i, t) in toks.iter().enumerate() {
                let Some(w) = a.vasm_word(t) else { continue };
                if !matches!(w, Word::Repeat | Word::EndRepeat | Word::EndMacro) || !a.vasm_alone(t)
                {
                    continue;
                }
                match (w, repeat) {
                    (Word::Repeat, true) => depth += 1,
                    (Word::EndRepeat, true) if depth > 0 => depth -= 1,
                    (Word::EndRepeat, true) | (Word::EndMacro, false) => {
                        last = toks[..i].to_vec();
                        return true;
                    }
                    _ => {}
                }
            }
            false
        };
        let done = self.recorded(opener, if repeat { "endr" } else { "endm" }, ends);
        self.statement = statement;
        let mut body = done?;
        if !last.is_empty() {
            let start = body.toks.len() as u32;
            body.toks.extend(last);
            body.lines.push((start, body.toks.len() as u32));
        }
        Ok(body)
    }

    /// `name macro a,b` and `macro name,a,b`.
    pub(super) fn vasm_define_macro(&mut self, name: &Tok, t: &Tok, list: &[Tok]) -> Outcome<()> {
        self.memo.renew();
        let made = self.in_expansion();
        let body = self.vasm_record(t, false)?;
        let text = self.text(name).to_owned();
        let entry = self.words.get(&text);
        let fault =
            |code, why: &str, at: &Tok| Err(Box::new(Diagnostic::new(code, why).at(at.span)));
        if made {
            let why = "a macro cannot be defined in a macro or repeat";
            return fault(codes::MISPLACED, why, t);
        }
        if entry.mnemonic != 0 || self.vasm_word(name).is_some() {
            let d = Diagnostic::new(codes::REDEFINED, format!("`{text}` is a word of its own"));
            let d = d.at(name.span).help("give the macro another name");
            self.report(Box::new(d));
            return Ok(());
        }
        let mut parameters = Vec::new();
        let names = list.split(|t| t.kind == Kind::Comma);
        for n in names.filter(|_| !list.is_empty()) {
            let n = match n {
                [b, n] if b.kind == Kind::Backslash => n,
                [n] => n,
                _ => return fault(codes::SYNTAX, "expected a parameter's name", t),
            };
            if n.kind != Kind::Name {
                return fault(codes::SYNTAX, "expected a parameter's name", n);
            }
            parameters.push(Parameter {
                name: self.text(n).to_owned(),
                tag: b'\\',
                word: false,
                blind: false,
            });
            if parameters.len() > limits::PARAMETERS {
                return Err(self.too_many(limits::PARAMETERS, "parameters of a macro"));
            }
        }
        self.room_for_macro(self.own.get::<State>().macros.len())?;
        let key = self.key(&text).into_owned();
        let made = self.text_macro(name, parameters, &body);
        let macros = &mut self.own.get_mut::<State>().macros;
        macros.insert(key, Rc::new(made));
        Ok(())
    }

    /// Calls a macro; `toks[0]` is its name.
    pub(super) fn vasm_call(&mut self, m: &Macro, toks: &[Tok]) -> Outcome<()> {
        let number = {
            let state = self.own.get_mut::<State>();
            state.calls += 1;
            state.calls
        };
        let behind = self.written(&toks[1..]);
        let given = arguments(&behind);
        let mut text = String::with_capacity(m.text.len());
        for line in m.text.lines() {
            self.vasm_fill(line, m, &given, number, &mut text)?;
            text.push('\n');
            if text.len() > limits::TEXT {
                self.emitted_text(text.len())?;
            }
        }
        self.read_text(&m.name, text, &m.lines)
    }

    /// A line of a macro with what its marks stand for.
    fn vasm_fill(
        &mut self,
        line: &str,
        m: &Macro,
        given: &[&str],
        number: u32,
        out: &mut String,
    ) -> Outcome<()> {
        let argument = |k: usize| given.get(k).copied().unwrap_or("");
        let mut rest = line;
        while let Some(at) = memchr::memchr(b'\\', rest.as_bytes()) {
            out.push_str(&rest[..at]);
            rest = &rest[at + 1..];
            let name = rest.bytes().take_while(|&b| in_name(b)).count();
            let found = m.parameters.iter().position(|p| p.name == rest[..name]);
            match (rest.as_bytes().first(), found) {
                (Some(b'\\'), _) => {
                    out.push('\\');
                    rest = &rest[1..];
                }
                (Some(b'@'), _) => {
                    let _ = write!(out, "_{number:06}");
                    rest = &rest[1..];
                }
                (Some(b'('), _) if rest.starts_with("()") => rest = &rest[2..],
                (Some(b'<'), _) if let Some(end) = rest.find('>') => {
                    out.push_str(&self.vasm_digits_of(&rest[1..end]));
                    rest = &rest[end + 1..];
                }
                (Some(d @ b'0'..=b'9'), _) => {
                    out.push_str(argument(usize::from(d - b'0').saturating_sub(1)));
                    rest = &rest[1..];
                }
                (_, Some(k)) if name > 0 => {
                    out.push_str(argument(k));
                    rest = &rest[name..];
                }
                _ => out.push('\\'),
            }
        }
        out.push_str(rest);
        Ok(())
    }

    /// The value of a constant as digits; nothing if it has none.
    fn vasm_digits_of(&mut self, name: &str) -> String {
        let id = self.symbols.intern(name);
        match self.symbols.get(id).meaning {
            Meaning::Number(n) => (n as u32).to_string(),
            Meaning::Expr(e) => {
                let ops = &self.ops[e.start as usize..(e.start + e.len) as usize];
                match self.now(ops) {
                    Ok(Known::Number(n)) => (n as u32).to_string(),
                    _ => String::new(),
                }
            }
            _ => String::new(),
        }
    }

    /// `rept count` and `rept count,name`.
    pub(super) fn vasm_repeat(&mut self, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        self.memo.renew();
        let comma = rest.iter().position(|t| t.kind == Kind::Comma);
        let (count, name) = match comma {
            Some(i) => (&rest[..i], rest.get(i + 1).copied()),
            None => (rest, None),
        };
        let n = self.known_here(t, count, "the count");
        let body = self.vasm_record(t, true)?;
        let n = n?.max(0);
        let span = self.span_of(count);
        let counter = match name {
            Some(name) => {
                let id = self.symbol_named(&name)?;
                self.define(id, Meaning::Number(0), name.span, true)?;
                Counter::Number(id, 0, 1)
            }
            None => Counter::None,
        };
        self.repeated(body, n, span, counter)
    }
}

#[cfg(test)]
mod tests {
    use super::arguments;

    #[test]
    fn arguments_end_at_commas() {
        for (text, want) in [
            ("", &[][..]),
            ("a, b ", &["a", "b"]),
            ("(hl),(1,2)*3", &["(hl)", "(1,2)*3"]),
            ("',',\",\",af'", &["','", "\",\"", "af'"]),
            ("\"a,b\"", &["\"a", "b\""]),
            ("\"é\",2", &["\"é\",2"]),
        ] {
            assert_eq!(arguments(text), want, "{text}");
        }
    }
}
