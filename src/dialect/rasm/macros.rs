//! Macros: texts in which `{name}` stands for an argument; `enum`.

use super::state::State;
use super::tags::closing;
use super::words::Word;
use crate::diagnostic::{Diagnostic, codes};
use crate::dialect::margin::macros::{Macro, Parameter};
use crate::program::symbol::Meaning;
use crate::program::{Outcome, limits};
use crate::read::Assembler;
use crate::read::syntax::operand::split;
use crate::text::lex::{Kind, Tok};
use std::rc::Rc;

/// Halves of pairs of registers: `{reg}.low` in a macro.
const HALVES: [(&str, &str); 12] = [
    ("af.high", "a"),
    ("af.low", "f"),
    ("bc.high", "b"),
    ("bc.low", "c"),
    ("de.high", "d"),
    ("de.low", "e"),
    ("hl.high", "h"),
    ("hl.low", "l"),
    ("ix.high", "ixh"),
    ("ix.low", "ixl"),
    ("iy.high", "iyh"),
    ("iy.low", "iyl"),
];

/// A line with arguments in the place of their names; the tag that has none.
fn filled(line: &str, m: &Macro, given: &[String]) -> Result<String, String> {
    let mut out = String::with_capacity(line.len() + 16);
    let mut rest = line;
    while let Some(at) = memchr::memchr(b'{', rest.as_bytes()) {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let Some(end) = closing(rest) else { break };
        let inner = &rest[1..end];
        let known = m.parameters.iter();
        let known = known.filter(|p| p.name != "...");
        let mut known = known.map(|p| p.name.as_str());
        if let Some(k) = known.position(|n| n.eq_ignore_ascii_case(inner)) {
            out.push_str(given.get(k).map_or("", String::as_str));
            rest = &rest[end + 1..];
            continue;
        }
        if many(m) {
            let (digits, other) = match inner.split_once("|=") {
                Some((digits, other)) => (digits, Some(other)),
                None => (inner, None),
            };
            if inner == "#" {
                out.push_str(&given.len().to_string());
                rest = &rest[end + 1..];
                continue;
            }
            if let Ok(k) = digits.parse::<usize>() {
                match given.get(k).map(String::as_str).or(other) {
                    Some(text) => out.push_str(text),
                    None => return Err(inner.to_owned()),
                }
                rest = &rest[end + 1..];
                continue;
            }
        }
        // What is in it may have arguments.
        out.push('{');
        rest = &rest[1..];
    }
    out.push_str(rest);
    Ok(out)
}

/// Whether a macro takes any number of arguments.
fn many(m: &Macro) -> bool {
    m.parameters.iter().any(|p| p.name == "...")
}

/// A line with the halves of register pairs by their names.
fn with_halves(line: &str) -> Option<String> {
    let small = line.to_ascii_lowercase();
    if !small.contains(".low") && !small.contains(".high") {
        return None;
    }
    let b = small.as_bytes();
    let word = |i: usize| b.get(i).is_some_and(|&b| super::values::is_word(b));
    let mut out = String::new();
    let mut i = 0;
    while i < line.len() {
        let found = HALVES.iter().find(|h| {
            let end = i + h.0.len();
            small.as_bytes()[i..].starts_with(h.0.as_bytes())
                && !word(end)
                && (i == 0 || !word(i - 1))
        });
        if let Some((name, register)) = found {
            out.push_str(register);
            i += name.len();
            continue;
        }
        let c = line[i..].chars().next().unwrap_or(' ');
        out.push(c);
        i += c.len_utf8();
    }
    Some(out)
}

impl Assembler<'_> {
    /// The macro that a token names.
    #[inline]
    pub(super) fn rasm_macro(&self, t: &Tok) -> Option<Rc<Macro>> {
        let macros = &self.own.get::<State>().macros;
        if macros.is_empty() || t.kind != Kind::Name {
            return None;
        }
        let text = self.sources.slice(t.span);
        match text.bytes().any(|b| b.is_ascii_uppercase()) {
            true => macros.get(&text.to_ascii_lowercase()).cloned(),
            false => macros.get(text).cloned(),
        }
    }

    /// `macro name a,b`.
    pub(super) fn rasm_define_macro(&mut self, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        self.memo.renew();
        let mut depth = 0u32;
        let ends = &mut |w| match w {
            Word::Enum => {
                depth += 1;
                false
            }
            Word::EndMacro if depth > 0 => {
                depth -= 1;
                false
            }
            Word::EndMacro => true,
            _ => false,
        };
        let (body, _) = self.rasm_record(t, ends, "mend")?;
        let fault = |why: &str, at: &Tok| {
            let d = Diagnostic::new(codes::SYNTAX, why.to_owned()).at(at.span);
            Err(Box::new(d))
        };
        let name = self.one_name(t, rest)?;
        let text = self.text(&name).to_owned();
        let entry = self.rasm_entry(&name);
        let register = super::names::is_register(&text);
        if register {
            let d = Diagnostic::new(codes::REDEFINED, format!("`{text}` is a register"));
            return Err(Box::new(
                d.at(name.span).help("give the macro another name"),
            ));
        }
        if entry.mnemonic != 0 || entry.directive.is_some() {
            // The word comes first: such a macro is never called.
            let message = format!("`{text}` is a word of its own, so this is never called");
            let d = Diagnostic::new(codes::PEER_CODE, message).at(name.span);
            self.report(Box::new(d.help("give the macro another name")));
        }
        if let Some(old) = self.rasm_macro(&name) {
            let d = Diagnostic::new(
                codes::REDEFINED,
                format!("the macro `{text}` is defined twice"),
            );
            let d = d.at(name.span).related(old.span, "first defined here");
            return Err(Box::new(d));
        }
        let list = match &rest[1..] {
            [c, list @ ..] if c.kind == Kind::Comma => list,
            list => list,
        };
        let mut parameters = Vec::new();
        for (a, b) in split(list) {
            let [n] = &list[a as usize..b as usize] else {
                return fault("expected a parameter's name", t);
            };
            if !matches!(n.kind, Kind::Name | Kind::At | Kind::Number) {
                return fault("expected a parameter's name", n);
            }
            parameters.push(Parameter {
                name: self.text(n).to_owned(),
                tag: b'{',
                word: false,
                blind: true,
            });
            if parameters.len() > limits::PARAMETERS {
                return Err(self.too_many(limits::PARAMETERS, "parameters of a macro"));
            }
        }
        self.room_for_macro(self.own.get::<State>().macros.len())?;
        let made = self.text_macro(&name, parameters, &body);
        let macros = &mut self.own.get_mut::<State>().macros;
        macros.insert(text.to_ascii_lowercase(), Rc::new(made));
        Ok(())
    }

    /// Calls a macro with what stands behind its name.
    pub(super) fn rasm_call(&mut self, m: &Macro, rest: &[Tok]) -> Outcome<()> {
        let mut given = Vec::new();
        for (a, b) in split(rest) {
            let text = self.written(&rest[a as usize..b as usize]);
            given.push(text.trim().to_owned());
        }
        if m.parameters.is_empty() && given.len() == 1 && given[0].eq_ignore_ascii_case("(void)") {
            given.clear();
        }
        if !many(m) && given.len() != m.parameters.len() {
            let message = crate::read::expand::takes(&m.name, m.parameters.len(), given.len());
            let d = Diagnostic::new(codes::BAD_CALL, message).at(self.statement);
            return Err(Box::new(d.related(m.span, "defined here")));
        }
        for g in &mut given {
            if let Some(value) = strip(g, "{eval}") {
                let toks = self.made_line(value)?;
                let v = self.rasm_number(&toks, "the argument")?;
                *g = format!("{v:.6}");
            }
        }
        let mut text = String::with_capacity(m.text.len());
        for line in m.text.lines() {
            let line = match filled(line, m, &given) {
                Ok(line) => line,
                Err(tag) => {
                    let message = format!("the call has no argument `{{{tag}}}`");
                    let d = Diagnostic::new(codes::BAD_CALL, message).at(self.statement);
                    return Err(Box::new(d.related(m.span, "defined here")));
                }
            };
            text.push_str(&with_halves(&line).unwrap_or(line));
            text.push('\n');
            if text.len() > limits::TEXT {
                self.emitted_text(text.len())?;
            }
        }
        self.read_text(&m.name, text, &m.lines)?;
        self.rasm_enter(None);
        Ok(())
    }

    /// `enum prefix,first,step` … `mend`: names for numbers.
    pub(super) fn rasm_enum(&mut self, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        self.memo.renew();
        let ends = &mut |w| w == Word::EndMacro;
        let (body, _) = self.rasm_record(t, ends, "mend")?;
        let parts = split(rest);
        let part = |k: usize| {
            let p = parts.get(k).map(|p| &rest[p.0 as usize..p.1 as usize]);
            p.filter(|p| !p.is_empty())
        };
        let prefix = match part(0) {
            None => String::new(),
            Some([n]) if n.kind == Kind::Name => format!("{}_", self.text(n)),
            Some(other) => {
                let d = Diagnostic::new(codes::SYNTAX, "expected a name").at(self.span_of(other));
                return Err(Box::new(d));
            }
        };
        let mut value = match part(1) {
            Some(toks) => self.known_here(t, toks, "the first number")?,
            None => 0,
        };
        let step = match part(2) {
            Some(toks) => self.known_here(t, toks, "the step")?,
            None => 1,
        };
        for &(a, b) in &body.lines {
            let toks = &body.toks[a as usize..b as usize];
            let name = match toks {
                [n] if n.kind == Kind::Name => n,
                [n, equal, v @ ..] if n.kind == Kind::Name && equal.kind == Kind::Equal => {
                    value = self.known_here(t, v, "the number")?;
                    n
                }
                _ => {
                    let d = Diagnostic::new(codes::SYNTAX, "expected `NAME` or `NAME = VALUE`");
                    return Err(Box::new(d.at(self.span_of(toks))));
                }
            };
            let full = format!("{prefix}{}", self.text(name));
            self.rasm_check_name(&full, name.span, false)?;
            let id = self.symbols.intern(&full);
            self.define(id, Meaning::Number(value), name.span, false)?;
            value = value.saturating_add(step);
        }
        Ok(())
    }
}

/// What is behind a prefix in any case.
fn strip<'t>(text: &'t str, prefix: &str) -> Option<&'t str> {
    let head = text.get(..prefix.len())?;
    head.eq_ignore_ascii_case(prefix)
        .then(|| &text[prefix.len()..])
}

#[cfg(test)]
mod tests {
    use super::with_halves;

    #[test]
    fn halves_of_pairs() {
        assert_eq!(with_halves(" ld BC.LOW,a").as_deref(), Some(" ld c,a"));
        assert_eq!(
            with_halves(" ld abc.low,a").as_deref(),
            Some(" ld abc.low,a")
        );
        assert_eq!(with_halves(" ld a,b"), None);
    }
}
