//! What assemblers share whose labels stand in column 1 and whose macros are texts: where
//! a line is cut, what is a label, recorded lines and the texts made of them.

pub mod data;
pub mod macros;
mod multiply;
pub(super) mod operands;
pub mod places;

use crate::diagnostic::{Diagnostic, codes};
use crate::program::symbol::{Meaning, SymbolId};
use crate::program::{Outcome, Value, limits};
use crate::read::Assembler;
use crate::text::comments::Slashes;
use crate::text::language::Directive;
use crate::text::lex::{self, Kind, Tok};
use crate::text::source::Span;

impl Assembler<'_> {
    /// Whether a token stands in column 1.
    pub(super) fn at_margin(&self, t: &Tok) -> bool {
        let at = t.span.start as usize;
        let text = self.sources.get(t.span.source).text.as_bytes();
        at == 0 || text.get(at - 1) == Some(&b'\n')
    }

    /// The text that some tokens were written as; on one line, without comments.
    pub(super) fn written(&self, toks: &[Tok]) -> String {
        let mut out = String::new();
        self.written_behind(toks, &mut out);
        out
    }

    /// The same, behind another text.
    pub(super) fn written_behind(&self, toks: &[Tok], out: &mut String) {
        let (Some(first), Some(last)) = (toks.first(), toks.last()) else {
            return;
        };
        let follows =
            |p: &[Tok]| p[0].span.source == p[1].span.source && p[0].span.end <= p[1].span.start;
        if toks.windows(2).all(follows) {
            let text = self.sources.slice(first.span.to(last.span));
            let bytes = text.as_bytes();
            let comments = self.dialect.lexing.slashes != Slashes::Signs
                && memchr::memchr(b'/', bytes).is_some()
                && text.contains("/*");
            if memchr::memchr2(b'\n', b';', bytes).is_none() && !comments {
                return out.push_str(text);
            }
        }
        for (i, t) in toks.iter().enumerate() {
            let near = |b: &Tok| b.span.source == t.span.source && b.span.end == t.span.start;
            if i > 0 && !near(&toks[i - 1]) {
                out.push(' ');
            }
            out.push_str(self.sources.slice(t.span));
        }
    }

    /// Gives a symbol a value, which may be known later.
    pub(super) fn define_as(
        &mut self,
        id: SymbolId,
        name: &Tok,
        value: &[Tok],
        variable: bool,
    ) -> Outcome<()> {
        if value.is_empty() {
            let d = Diagnostic::new(codes::SYNTAX, "expected a value").at(name.span);
            return Err(Box::new(d));
        }
        let v = self.whole_expression(value)?;
        self.define_value(id, v, name.span, variable)
    }

    /// Defines a label that is local to something, at the address of the statement.
    pub(super) fn define_local(&mut self, id: SymbolId, span: Span) -> Outcome<()> {
        let meaning = match self.here_value {
            Some(n) => Meaning::Number(n),
            None => Meaning::At(self.here),
        };
        self.define(id, meaning, span, false)?;
        let here = self.here;
        let s = self.symbols.get_mut(id);
        (s.label, s.local, s.place) = (true, true, Some(here));
        Ok(())
    }

    /// `incdir folder`: files are looked for there too.
    pub(super) fn add_folder(&mut self, rest: &[Tok]) -> Outcome<()> {
        let name = self.written(rest);
        let folder = name.trim_matches(['"', '\'']).trim_end_matches(['/', '\\']);
        let folders = &mut self.files.folders;
        if folders.iter().any(|f| f == folder) {
            return Ok(());
        }
        if folders.len() >= limits::FOLDERS {
            return Err(self.too_many(limits::FOLDERS, "folders of `incdir`"));
        }
        folders.push(folder.to_owned());
        Ok(())
    }

    /// The tokens of a line of our own that stands for the statement.
    pub(super) fn made_line(&mut self, text: &str) -> Outcome<Vec<Tok>> {
        self.emitted_text(text.len() + limits::TEXT_A_LINE)?;
        let from = self.statement;
        let source = match self.files.paste {
            Some(id) if self.sources.get(id).text.len() < 1 << 24 => {
                self.sources.append_made(id, text, from);
                id
            }
            _ => {
                let id = self.sources.add_made(text, from);
                self.files.paste = Some(id);
                id
            }
        };
        let start = self.sources.start_of_last(source);
        let mut toks = Vec::new();
        let lexing = self.dialect.lexing;
        let text = &self.sources.get(source).text;
        lex::line(text, start as usize, source, lexing, &mut toks);
        Ok(toks)
    }

    /// The directive that a token is.
    pub(super) fn directive_named(&self, t: Option<&Tok>) -> Option<Directive> {
        let t = t.filter(|t| t.kind == Kind::Name)?;
        self.words.get(self.sources.slice(t.span)).directive
    }

    /// A line whose label stands in `toks[0]`, which takes so many tokens with its colons,
    /// as the engine reads it: with a colon, or none where a value is given.
    pub(super) fn with_label(&self, toks: &[Tok], taken: usize) -> Vec<Tok> {
        let label = toks[0];
        let rest = &toks[taken..];
        let mut line = Vec::with_capacity(rest.len() + 2);
        line.push(label);
        let between = |kind: Kind, at: u32| Tok {
            kind,
            span: Span::new(label.span.source, at, at),
        };
        match rest.first() {
            Some(e) if e.kind == Kind::Equal => {
                line.push(Tok {
                    kind: Kind::ColonEqual,
                    span: e.span,
                });
                line.extend_from_slice(&rest[1..]);
                return line;
            }
            first => match self.directive_named(first) {
                Some(Directive::Equ) => {}
                // `set` with a comma behind is the instruction.
                Some(Directive::Set) if !rest.iter().any(|t| t.kind == Kind::Comma) => {}
                _ => line.push(between(Kind::Colon, label.span.end)),
            },
        }
        line.extend_from_slice(rest);
        line
    }

    /// A directive's argument that is one name.
    pub(super) fn one_name(&self, t: &Tok, rest: &[Tok]) -> Outcome<Tok> {
        match rest.first() {
            Some(n) if n.kind == Kind::Name => Ok(*n),
            at => {
                let message = format!("expected a name behind `{}`", self.text(t));
                let at = at.map_or(t.span, |r| r.span);
                Err(Box::new(Diagnostic::new(codes::SYNTAX, message).at(at)))
            }
        }
    }

    /// The value of some tokens, which must be known here.
    pub(super) fn known_here(&mut self, t: &Tok, toks: &[Tok], what: &str) -> Outcome<i64> {
        Ok(self.counted_here(t, toks, what)?.1)
    }

    /// A value that must be known, as it is written and what it is.
    pub(super) fn counted_here(
        &mut self,
        t: &Tok,
        toks: &[Tok],
        what: &str,
    ) -> Outcome<(Value, i64)> {
        if toks.is_empty() {
            let message = format!("expected {what} behind `{}`", self.text(t));
            return Err(Box::new(Diagnostic::new(codes::SYNTAX, message).at(t.span)));
        }
        let v = self.whole_expression(toks)?;
        let span = self.span_of(toks);
        Ok((v, self.must_know(v, span, what)?))
    }

    /// Whether `name equ value` says what was said above.
    pub(super) fn said_before(&mut self, name: &Tok, value: &[Tok]) -> Outcome<bool> {
        let (id, _) = self.label_symbol(name)?;
        let s = self.symbols.get(id);
        let Meaning::Number(before) = s.meaning else {
            return Ok(false);
        };
        if s.variable {
            return Ok(false);
        }
        let v = self.whole_expression(value)?;
        Ok(v.number() == Some(before))
    }
}
