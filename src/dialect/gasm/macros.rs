//! `%include`, `%define`, `%if`, and macros that are texts.

use super::super::margin::macros::{Macro, Parameter};
use super::lines::groups;
use super::state::State;
use crate::diagnostic::{Diagnostic, codes};
use crate::program::{Outcome, limits};
use crate::read::Assembler;
use crate::text::language::Directive;
use crate::text::lex::{Kind, Tok};
use std::collections::HashSet;
use std::rc::Rc;

/// The words of a line between blanks; a text between quotes is one, and what stands
/// behind a quote that nothing closes is none.
fn words(line: &str) -> Vec<&str> {
    let b = line.as_bytes();
    let (mut out, mut i) = (Vec::new(), 0);
    while i < b.len() {
        if b[i].is_ascii_whitespace() {
            i += 1;
            continue;
        }
        let start = i;
        while i < b.len() && !b[i].is_ascii_whitespace() {
            if b[i] == b'\'' {
                let closes = |k: &usize| b[*k] == b'\'' && b[*k - 1] != b'\\';
                match (i + 1..b.len()).find(closes) {
                    Some(end) => i = end,
                    None => return out,
                }
            }
            i += 1;
        }
        out.push(&line[start..i]);
    }
    out
}

fn in_name(b: u8) -> bool {
    b.is_ascii_alphanumeric() || b == b'_' || b >= 0x80
}

/// A word with a number behind each of those names in it.
fn numbered(word: &str, names: &HashSet<&str>, number: u32, out: &mut String) {
    if word.starts_with('\'') || names.is_empty() {
        return out.push_str(word);
    }
    for part in word.as_bytes().chunk_by(|&a, &b| in_name(a) == in_name(b)) {
        // Cut between ASCII and what is not name, so at characters.
        let part = std::str::from_utf8(part).unwrap_or("");
        out.push_str(part);
        if names.contains(part) {
            out.push_str(&number.to_string());
        }
    }
}

impl Assembler<'_> {
    /// The macro that a token names.
    pub(super) fn gasm_macro(&self, t: &Tok) -> Option<Rc<Macro>> {
        let macros = &self.own.get::<State>().macros;
        if macros.is_empty() || t.kind != Kind::Name {
            return None;
        }
        macros.get(self.sources.slice(t.span)).cloned()
    }

    /// `%word`.
    pub(super) fn gasm_percent(&mut self, word: &Tok, rest: &[Tok]) -> Outcome<()> {
        let text = self.text(word).to_ascii_lowercase();
        let active = self.lines.active();
        match text.as_str() {
            "if" => {
                let yes = active && {
                    let name = self.one_name(word, rest)?;
                    let name = self.text(&name).to_owned();
                    let defines = &self.own.get::<State>().defines;
                    defines.get(&name).copied().unwrap_or(false)
                };
                self.open_condition(yes, active, word)
            }
            "else" => self.other_branch(Directive::Else, word, &[]),
            "endif" => self.close_if(word),
            _ if !active => Ok(()),
            "include" => {
                let path = self.written(rest).replace('\\', "/");
                let mut path = path.trim_matches(['\'', '"']).to_owned();
                let folder = &self.own.get::<State>().folder;
                let there = format!("{folder}/{path}");
                let span = self.statement;
                if !folder.is_empty() && self.content(&there, span).is_ok() {
                    path = there;
                }
                let made = self.made_line(&format!("include \"{path}\""))?;
                self.include(&made[0], &made[1..])
            }
            "includepath" => {
                let path = self.written(rest).replace('\\', "/");
                let path = path.trim_matches(['\'', '"']).trim_end_matches('/');
                self.own.get_mut::<State>().folder = path.to_owned();
                Ok(())
            }
            "sub" | "ends" => Ok(()),
            "define" => {
                let first = rest.first().copied();
                let name = self.one_name(word, &rest[..rest.len().min(1)])?;
                let text = self.text(&name).to_owned();
                let defines = &mut self.own.get_mut::<State>().defines;
                if defines.insert(text.clone(), true) == Some(true) {
                    let message = format!("`{text}` is defined twice");
                    let d = Diagnostic::new(codes::REDEFINED, message);
                    return Err(Box::new(d.at(first.map_or(word.span, |f| f.span))));
                }
                Ok(())
            }
            "macro" => self.gasm_define_macro(word, rest),
            "endm" => self.stray(word, "a macro"),
            _ => {
                let message = format!("there is no `%{text}`");
                let d = Diagnostic::new(codes::UNKNOWN_INSTRUCTION, message);
                Err(Box::new(d.at(word.span)))
            }
        }
    }

    /// `%macro name parameters`.
    fn gasm_define_macro(&mut self, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        self.memo.renew();
        let name = self.one_name(t, rest)?;
        let mut parameters = Vec::new();
        for group in groups(&rest[1..]) {
            if parameters.len() == limits::PARAMETERS {
                return Err(self.too_many(limits::PARAMETERS, "parameters of a macro"));
            }
            parameters.push(Parameter {
                name: self.written(group),
                tag: 0,
                word: true,
                blind: false,
            });
        }
        let ends = &mut |a: &Self, toks: &[Tok]| {
            let text = |i: usize| toks.get(i).map_or("", |t| a.text(t));
            text(0) == "%" && text(1).eq_ignore_ascii_case("endm")
        };
        let body = self.recorded(t, "%endm", ends)?;
        let text = self.text(&name).to_owned();
        self.room_for_macro(self.own.get::<State>().macros.len())?;
        let made = self.text_macro(&name, parameters, &body);
        let macros = &mut self.own.get_mut::<State>().macros;
        if macros.contains_key(&text) {
            let d = Diagnostic::new(
                codes::REDEFINED,
                format!("the macro `{text}` is there twice"),
            );
            return Err(Box::new(d.at(name.span)));
        }
        macros.insert(text, Rc::new(made));
        Ok(())
    }

    /// Calls a macro; `toks[0]` is its name.
    pub(super) fn gasm_call(&mut self, m: &Macro, toks: &[Tok]) -> Outcome<()> {
        let given: Vec<String> = groups(&toks[1..]).map(|g| self.written(g)).collect();
        if given.len() < m.parameters.len() {
            let message = format!(
                "the macro `{}` takes {} arguments, not {}",
                m.name,
                m.parameters.len(),
                given.len()
            );
            let d = Diagnostic::new(codes::BAD_ARGUMENT, message).at(toks[0].span);
            return Err(Box::new(d));
        }
        let number = {
            let state = self.own.get_mut::<State>();
            state.expanded += 1;
            state.expanded - 1
        };
        let margin = |l: &str| l.starts_with(|c: char| !c.is_whitespace());
        let labels = m.text.lines().filter(|l| margin(l));
        let labels: HashSet<&str> = labels.filter_map(|l| words(l).first().copied()).collect();
        let mut text = String::with_capacity(m.text.len());
        for line in m.text.lines() {
            for (i, word) in words(line).into_iter().enumerate() {
                if i > 0 || !margin(line) {
                    text.push(' ');
                }
                // A parameter counts once in a word, also as a part of it.
                let mut word = word.to_owned();
                for (p, argument) in m.parameters.iter().zip(&given) {
                    if let Some(at) = word.find(&p.name) {
                        word.replace_range(at..at + p.name.len(), argument);
                        if word.len() > limits::TEXT {
                            self.emitted_text(word.len())?;
                        }
                    }
                }
                numbered(&word, &labels, number, &mut text);
            }
            text.push('\n');
            if text.len() > limits::TEXT {
                self.emitted_text(text.len())?;
            }
        }
        self.read_text(&m.name, text, &m.lines)
    }
}

#[cfg(test)]
mod tests {
    use super::{HashSet, numbered, words};

    #[test]
    fn words_are_between_blanks_and_texts_are_whole() {
        assert_eq!(words(" LDI  5 "), ["LDI", "5"]);
        assert_eq!(words("t DB 3 'a b' 1"), ["t", "DB", "3", "'a b'", "1"]);
        assert_eq!(words(" LDI 5 'not closed"), ["LDI", "5"]);
    }

    #[test]
    fn labels_of_a_macro_get_a_number() {
        let mut out = String::new();
        let names = HashSet::from(["loop"]);
        numbered("loop+loops", &names, 7, &mut out);
        numbered("'loop'", &names, 7, &mut out);
        assert_eq!(out, "loop7+loops'loop'");
    }
}
