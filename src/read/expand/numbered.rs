//! Macros with numbered arguments: `@0` to `@9` in their lines stand for what the
//! call gives, also inside words (`@0_low`) and texts, and labels in them are local
//! to the call.
//!
//! Lines are kept as tokens. An argument that stands alone becomes its tokens, so
//! findings point to the call; one that touches other letters or digits is written
//! out with them and read again.

use super::{FeedKind, Labels, MacroDefinition, Scope};
use crate::diagnostic::{Diagnostic, codes};
use crate::image::ExpansionKind;
use crate::program::Outcome;
use crate::read::Assembler;
use crate::read::syntax::operand::split;
use crate::text::lex::{self, Kind, MAX_TOKENS, Tok};
use crate::text::source::Span;
use std::collections::VecDeque;
use std::rc::Rc;

/// Most arguments: `@0` to `@9`.
const ARGUMENTS: usize = 10;

/// Whether two tokens touch.
fn touch(a: &Tok, b: &Tok) -> bool {
    a.span.source == b.span.source && a.span.end == b.span.start
}

/// Whether a token is letters and digits, and so joins an argument that it touches.
fn joins(t: &Tok) -> bool {
    matches!(t.kind, Kind::Name | Kind::Number | Kind::At | Kind::Dollar)
}

impl Assembler<'_> {
    /// The labels in the lines of a macro.
    pub(super) fn labels_of(&self, body: &super::Body) -> Labels {
        let mut labels = Labels::default();
        for (i, &(a, b)) in body.lines.iter().enumerate() {
            let line = &body.toks[a as usize..b as usize];
            let Some(colon) = line.iter().position(|t| t.kind == Kind::Colon) else {
                continue;
            };
            let name = &line[..colon];
            match name {
                [n] if n.kind == Kind::Name => labels.fixed.push(self.text(n).to_string()),
                [] => {}
                _ if name.iter().all(joins) && name.windows(2).all(|p| touch(&p[0], &p[1])) => {
                    labels.made.push(i as u32);
                }
                _ => {}
            }
        }
        labels
    }

    /// Calls a macro with numbered arguments.
    pub(super) fn numbered_call(&mut self, m: &Rc<MacroDefinition>, rest: &[Tok]) -> Outcome<()> {
        let parts = split(rest);
        if parts.len() > ARGUMENTS {
            let d = Diagnostic::new(
                codes::BAD_CALL,
                format!("a macro takes at most {ARGUMENTS} arguments"),
            )
            .at(self.span_of(rest))
            .related(m.span, "the macro is defined here");
            return Err(Box::new(d));
        }
        let arguments: Vec<Vec<Tok>> = parts
            .iter()
            .map(|&(a, b)| rest[a as usize..b as usize].to_vec())
            .collect();
        let mut names: Vec<String> = m.labels.fixed.clone();
        for &line in &m.labels.made {
            let (a, b) = m.body.lines[line as usize];
            let mut toks = m.body.toks[a as usize..b as usize].to_vec();
            self.put_arguments(&mut toks, &arguments);
            if let [name, colon, ..] = &toks[..]
                && name.kind == Kind::Name
                && colon.kind == Kind::Colon
            {
                names.push(self.text(name).to_string());
            }
        }
        let mut scope = Scope::default();
        for name in names {
            let outer = self.lookup(&name);
            let id = self.symbols.fresh(name.as_str().into());
            self.symbols.get_mut(id).local = true;
            let key = self.key(&name).into_owned();
            scope.locals.insert(key, id);
            scope.outer.push((id, outer));
        }
        let kind = FeedKind::Lines {
            body: Rc::clone(&m.body),
            next: 0,
            names: Rc::default(),
            arguments,
            spare: VecDeque::new(),
            rounds: None,
        };
        self.push_feed(kind, ExpansionKind::Macro(m.name.clone()));
        if !scope.locals.is_empty() && !self.fatal {
            self.lines.scopes.push(scope);
        }
        Ok(())
    }

    /// Puts the arguments of the innermost call into a line of it.
    pub(super) fn substitute_numbered(&mut self, toks: &mut Vec<Tok>) {
        let marked = |t: &Tok| match t.kind {
            Kind::At => true,
            Kind::Single | Kind::Double => self.sources.slice(t.span).contains('@'),
            _ => false,
        };
        if !toks.iter().any(marked) {
            return;
        }
        let Some(at) = self.lines.feeds.len().checked_sub(1) else {
            return;
        };
        let FeedKind::Lines { arguments, .. } = &mut self.lines.feeds[at].kind else {
            return;
        };
        let arguments = std::mem::take(arguments);
        self.put_arguments(toks, &arguments);
        if let Some(FeedKind::Lines { arguments: a, .. }) =
            self.lines.feeds.get_mut(at).map(|f| &mut f.kind)
        {
            *a = arguments;
        }
    }

    fn put_arguments(&mut self, toks: &mut Vec<Tok>, arguments: &[Vec<Tok>]) {
        let line = std::mem::take(toks);
        let mut i = 0;
        while i < line.len() {
            if toks.len() >= MAX_TOKENS {
                let text = format!("a line has more than {MAX_TOKENS} words and signs");
                let d = Diagnostic::new(codes::TOO_LONG, text).at(self.statement);
                self.stop(Box::new(d));
                toks.clear();
                return;
            }
            let t = line[i];
            if matches!(t.kind, Kind::Single | Kind::Double) {
                toks.push(self.quoted_with(&t, arguments));
                i += 1;
                continue;
            }
            // What touches is one word.
            let mut end = i + 1;
            if joins(&t) {
                while end < line.len() && joins(&line[end]) && touch(&line[end - 1], &line[end]) {
                    end += 1;
                }
            }
            let group = &line[i..end];
            i = end;
            if !group.iter().any(|t| t.kind == Kind::At) {
                toks.extend_from_slice(group);
                continue;
            }
            if let [one] = group {
                match self.argument_for(one, arguments) {
                    Some(given) => toks.extend_from_slice(given),
                    None => toks.push(*one),
                }
                continue;
            }
            let mut text = String::new();
            for t in group {
                match self.argument_for(t, arguments) {
                    Some(given) => self.write_out(given, &mut text),
                    None => text.push_str(self.text(t)),
                }
            }
            let (source, start) = self.made_words(&text);
            if self.fatal {
                return;
            }
            let lexing = self.dialect.lexing;
            let _ = lex::line(
                &self.sources.get(source).text,
                start as usize,
                source,
                lexing,
                toks,
            );
        }
    }

    fn argument_for<'g>(&self, t: &Tok, arguments: &'g [Vec<Tok>]) -> Option<&'g [Tok]> {
        if t.kind != Kind::At {
            return None;
        }
        let digit = self.text(t).as_bytes().get(1)?.checked_sub(b'0')?;
        arguments.get(usize::from(digit)).map(|a| &a[..])
    }

    /// Writes tokens as they stand, with one blank for what is between them.
    fn write_out(&self, toks: &[Tok], out: &mut String) {
        for (i, t) in toks.iter().enumerate() {
            if i > 0 && !touch(&toks[i - 1], t) {
                out.push(' ');
            }
            out.push_str(self.text(t));
        }
    }

    /// A quoted text with the arguments in it.
    fn quoted_with(&mut self, t: &Tok, arguments: &[Vec<Tok>]) -> Tok {
        let text = self.text(t);
        if !text.contains('@') {
            return *t;
        }
        let mut out = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(n) = rest.find('@') {
            out.push_str(&rest[..n]);
            let digit = rest.as_bytes().get(n + 1).filter(|b| b.is_ascii_digit());
            let given = digit.and_then(|b| arguments.get(usize::from(b - b'0')));
            match given {
                Some(g) => {
                    self.write_out(g, &mut out);
                    rest = &rest[n + 2..];
                }
                None => {
                    out.push('@');
                    rest = &rest[n + 1..];
                }
            }
        }
        out.push_str(rest);
        let (source, start) = self.made_words(&out);
        Tok {
            kind: t.kind,
            span: Span::new(source, start, start + out.len() as u32),
        }
    }

    /// Keeps a text that arguments made, and a line end behind it.
    fn made_words(&mut self, text: &str) -> (crate::text::source::SourceId, u32) {
        if self.emitted_text(text.len() + 1).is_err() {
            let d = Diagnostic::new(codes::ENDLESS_EXPANSION, "macros make too much text");
            self.stop(Box::new(d.at(self.statement)));
        }
        let (source, start) = self.paste_source();
        self.sources.append(source, text);
        self.sources.append(source, "\n");
        (source, start)
    }
}
