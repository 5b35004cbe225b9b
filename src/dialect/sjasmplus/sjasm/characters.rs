//! The set of characters: `ascmap`, and `asc`, `ascc` and `ascz` with texts in it.

use super::super::state::State;
use super::super::words::Texts;
use crate::diagnostic::{Diagnostic, codes};
use crate::image::Class;
use crate::program::Outcome;
use crate::read::Assembler;
use crate::read::syntax::literal::is_quoted;
use crate::read::syntax::operand::split;
use crate::text::lex::Tok;
use std::rc::Rc;

/// Where something stands in a text that is not within quotes.
fn outside(text: &str, wanted: &str) -> Option<usize> {
    let mut quote = None;
    for (i, c) in text.char_indices() {
        match quote {
            Some(q) if q == c => quote = None,
            Some(_) => {}
            None if matches!(c, '"' | '\'') => quote = Some(c),
            None if text[i..].starts_with(wanted) => return Some(i),
            None => {}
        }
    }
    None
}

/// A text with a number for each `$` that is one alone.
fn counted(text: &str, n: i64) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(i) = outside(rest, "$") {
        let behind = &rest[i + 1..];
        out.push_str(&rest[..i]);
        match behind.starts_with(|c: char| c.is_ascii_hexdigit()) {
            true => out.push('$'),
            false => out.push_str(&format!("({n})")),
        }
        rest = behind;
    }
    out + rest
}

impl Assembler<'_> {
    /// Bytes and texts in the set of characters.
    pub(in super::super) fn sjasm_in_set(
        &mut self,
        t: &Tok,
        rest: &[Tok],
        texts: Texts,
    ) -> Outcome<()> {
        let set = self.own.get::<State>().texts.characters.clone();
        let parts = split(rest);
        if parts.is_empty() {
            let d = Diagnostic::new(codes::SYNTAX, "expected at least one value").at(t.span);
            return Err(Box::new(d));
        }
        let mut bytes = Vec::new();
        for (a, b) in parts {
            let part = &rest[a as usize..b as usize];
            let is_text = matches!(part, [one] if is_quoted(one));
            if texts != Texts::Plain && !is_text && !part.is_empty() {
                let d = Diagnostic::new(codes::SYNTAX, "expected a text");
                return Err(Box::new(d.at(self.span_of(part))));
            }
            let list = self.sj_list(t, part, 0, Texts::Plain)?;
            if list.waits() {
                let d = Diagnostic::new(codes::NOT_KNOWN_YET, "a character is a plain number");
                return Err(Box::new(d.at(self.span_of(part))));
            }
            let from = bytes.len();
            bytes.extend_from_slice(&list.bytes);
            if let Some(set) = &set {
                for b in &mut bytes[from..] {
                    *b = set[usize::from(*b)];
                }
            }
            if let (Texts::Marked, Some(last)) = (texts, bytes.last_mut()) {
                *last |= 0x80;
            }
        }
        if texts == Texts::Zero {
            bytes.push(0);
        }
        self.memo.not_again();
        self.emit_data(&bytes, Class::Data);
        Ok(())
    }

    /// `ascmap 'a'..'z',=>1`, `ascmap 'a',$+1`.
    pub(in super::super) fn sjasm_characters(&mut self, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        self.memo.renew();
        let text = self.written(rest);
        let Some((range, value)) = outside(&text, ",").map(|i| (&text[..i], &text[i + 1..])) else {
            let d = Diagnostic::new(
                codes::SYNTAX,
                "expected characters, a comma and what they are",
            );
            return Err(Box::new(d.at(t.span).help("`ascmap 'a'..'z',=>1`")));
        };
        let range = match outside(range, "..") {
            Some(i) => [&range[..i], &range[i + 2..]],
            None => [range, range],
        };
        let [first, last] = [
            self.sjasm_character(range[0], t)?,
            self.sjasm_character(range[1], t)?,
        ];
        if first < 0 || last > 255 || first > last {
            let d = Diagnostic::new(
                codes::OUT_OF_RANGE,
                format!("{first} to {last} are no characters"),
            );
            return Err(Box::new(d.at(t.span).label("must be 0 to 255")));
        }
        let state = &self.own.get::<State>().texts;
        let mut set: [u8; 256] = match &state.characters {
            Some(set) => **set,
            None => std::array::from_fn(|i| i as u8),
        };
        let steps = value
            .trim()
            .strip_prefix("=>")
            .map(|v| match outside(v, ",") {
                Some(i) => (&v[..i], &v[i + 1..]),
                None => (v, "1"),
            });
        let steps = match steps {
            Some((base, step)) => Some((
                self.sjasm_character(base, t)?,
                self.sjasm_character(step, t)?,
            )),
            None => None,
        };
        for i in first..=last {
            let n = match steps {
                Some((base, step)) => base.saturating_add(step.saturating_mul(i - first)),
                None => self.sjasm_character(&counted(value, i), t)?,
            };
            set[i as usize] = self.item_bits(n, 1, t.span)? as u8;
        }
        self.own.get_mut::<State>().texts.characters = Some(Rc::new(set));
        Ok(())
    }

    /// A number that is known here.
    fn sjasm_character(&mut self, text: &str, t: &Tok) -> Outcome<i64> {
        let toks = self.made_line(text)?;
        if toks.is_empty() {
            let d = Diagnostic::new(codes::SYNTAX, "a value is missing here").at(t.span);
            return Err(Box::new(d));
        }
        let v = self.whole_expression(&toks)?;
        self.must_know(v, t.span, "the character")
    }
}
