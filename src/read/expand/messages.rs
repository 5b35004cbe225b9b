//! Asserts, messages, character maps, the end.

use super::FeedKind;
use crate::diagnostic::{Diagnostic, codes, near};
use crate::program::{Later, Outcome, Part, Value};
use crate::read::Assembler;
use crate::read::syntax::literal::{is_quoted, unquote};
use crate::read::syntax::operand::split;
use crate::text::language::Directive;
use crate::text::lex::{Kind, Tok};

impl Assembler<'_> {
    fn parts(&mut self, toks: &[Tok]) -> Outcome<Vec<Part>> {
        let mut out = Vec::new();
        for (a, b) in split(toks) {
            let part = &toks[a as usize..b as usize];
            match part {
                [s] if is_quoted(s) => {
                    let text: String = unquote(self.text(s), s.kind, self.dialect)
                        .into_iter()
                        .collect();
                    out.push(Part::Text(text));
                }
                [] => {}
                _ => out.push(Part::Value(self.whole_expression(part)?)),
            }
        }
        Ok(out)
    }

    /// `assert condition, "text"`: checked when the condition is known, after
    /// layout at the latest.
    pub(crate) fn assert(&mut self, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        let parts = split(rest);
        let Some(&(a, b)) = parts.first() else {
            return Err(Box::new(
                Diagnostic::new(codes::SYNTAX, "expected a condition").at(t.span),
            ));
        };
        let condition = &rest[a as usize..b as usize];
        let span = self.span_of(condition);
        let v = self.whole_expression(condition)?;
        let texts = self.parts(rest.get(b as usize + 1..).unwrap_or(&[]))?;
        let later = Later {
            condition: Some(self.as_expr(v)),
            parts: texts,
            span,
            expansion: self.expansion,
        };
        self.asked.later.push(later);
        Ok(())
    }

    /// `error`, `warning`, `print`.
    pub(super) fn message(&mut self, d: Directive, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        let code = match d {
            Directive::Error => codes::USER_ERROR,
            Directive::Warning => codes::USER_WARNING,
            _ => codes::USER_NOTE,
        };
        if self.dialect.words.bare_file_names {
            // The rest of the line is the text.
            let text = &self.sources.get(t.span.source).text[t.span.end as usize..];
            let line = text.lines().next().unwrap_or("").trim().to_string();
            return Err(Box::new(Diagnostic::new(code, line).at(self.statement)));
        }
        let parts = self.parts(rest)?;
        if d == Directive::Print {
            self.program.asked.later.push(Later {
                condition: None,
                parts,
                span: self.statement,
                expansion: self.expansion,
            });
            return Ok(());
        }
        let mut text = String::new();
        for p in parts {
            match p {
                Part::Text(s) => text.push_str(&s),
                Part::Value(v) => match self.known(v) {
                    Ok(n) => text.push_str(&n.to_string()),
                    Err(_) => text.push('?'),
                },
            }
        }
        Err(Box::new(Diagnostic::new(code, text).at(self.statement)))
    }

    /// `charmap "name"`, `charmap off`.
    pub(super) fn charmap(&mut self, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        let [n] = rest else {
            return Err(Box::new(
                Diagnostic::new(
                    codes::SYNTAX,
                    "expected the name of a character map, or `off`",
                )
                .at(t.span),
            ));
        };
        let name = self.text(n).trim_matches(['"', '\'']).to_string();
        if name.eq_ignore_ascii_case("off") {
            self.naming.charmap = None;
            return Ok(());
        }
        let maps = self.machine.map_or(&[][..], |m| m.charmaps());
        if maps.contains(&name.as_str()) {
            self.naming.charmap = Some(name);
            return Ok(());
        }
        let mut d = Diagnostic::new(
            codes::BAD_ARGUMENT,
            format!("there is no character map `{name}`"),
        )
        .at(n.span);
        if maps.is_empty() {
            d = d.note("character maps come with a machine; none is chosen");
        } else {
            d = d.note(format!("there are {}", maps.join(", ")));
            if let Some(m) = near::nearest(&name, maps.iter().copied()) {
                d = d.help(format!("did you mean `{m}`?"));
            }
        }
        Err(Box::new(d))
    }

    /// `end`, `end address`.
    pub(crate) fn end(&mut self, rest: &[Tok]) -> Outcome<()> {
        if self.dialect.words.end_stops_file {
            let level = self.lines.feeds.len();
            if let Some(p) = &mut self.lines.pre {
                p.forget_conditions(level);
            }
            if let Some(f) = self.lines.feeds.last_mut() {
                match &mut f.kind {
                    FeedKind::File { source, at } => {
                        *at = self.program.sources.get(*source).text.len()
                    }
                    FeedKind::Lines { body, next, .. } => *next = body.lines.len(),
                }
            }
            return Ok(());
        }
        let result = self.entry_said(rest);
        self.lines.feeds.clear();
        self.lines.conditions.clear();
        self.lines.blocks.clear();
        result
    }

    /// Where the program starts, as `end` says it.
    fn entry_said(&mut self, rest: &[Tok]) -> Outcome<()> {
        if rest.is_empty() || rest[0].kind == Kind::Bad {
            return Ok(());
        }
        let span = self.span_of(rest);
        let v: Value = self.whole_expression(rest)?;
        self.asked.entry = Some((v, span));
        Ok(())
    }

    /// `end` where it ends the macros around and the file that they were called in, so that
    /// the file goes on that includes it.
    ///
    /// # Errors
    /// The start is no value.
    pub fn end_of_file(&mut self, rest: &[Tok]) -> Outcome<()> {
        let result = self.entry_said(rest);
        while self.lines.feeds.last().is_some_and(|f| !self.is_file(f)) {
            self.pop_feed();
        }
        if let Some(f) = self.lines.feeds.last_mut() {
            self.lines.conditions.truncate(f.conditions);
            if let FeedKind::File { source, at } = &mut f.kind {
                *at = self.program.sources.get(*source).text.len();
            }
        }
        result
    }
}
