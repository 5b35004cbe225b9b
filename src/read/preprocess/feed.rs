//! The preprocessor as a source of the assembler's lines.

use super::glance::Glance;
use super::preprocessor::{Line, Preprocessor, Step};
use crate::diagnostic::{Diagnostic, codes};
use crate::image::origin::file_name;
use crate::image::{Expansion, ExpansionKind};
use crate::program::Outcome;
use crate::program::limits;
use crate::read::Assembler;
use crate::read::state::feeds::FeedKind;
use crate::text::comments::{Continued, Slashes};
use crate::text::language::Dialect;
use crate::text::lex::{self, Kind, Lexing, Signs, Tok};
use crate::text::source::{SourceId, Span};

/// What became of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fed {
    /// Its tokens are there.
    Line,
    /// It said nothing to the assembler.
    Again,
    /// There is none.
    End,
}

impl Assembler<'_> {
    /// The preprocessor of the dialect, with what is defined from outside.
    fn new_preprocessor(&self) -> Option<Box<Preprocessor>> {
        let mut p = Preprocessor::new(self.dialect.preprocessor?);
        for (name, value) in self.machine.map(|m| m.predefined()).unwrap_or_default() {
            p.define(&name, &value);
        }
        // A symbol of the assembler may have a name that no macro has.
        let part = |c: char| c.is_alphanumeric() || c == '_';
        let macros = self.job.defines.iter();
        for (name, given) in macros.filter(|d| d.0.chars().all(part)) {
            match given.number {
                Some(number) => p.define(name, &number.to_string()),
                None => p.define(name, &given.text),
            }
        }
        Some(Box::new(p))
    }

    /// The line at byte `at` of the innermost file. The line goes to the lexer as
    /// it stands unless it starts with `#` or has a macro in it.
    pub(crate) fn preprocessed(&mut self, source: SourceId, at: usize, toks: &mut Vec<Tok>) -> Fed {
        let Some(mut p) = self.lines.pre.take().or_else(|| self.new_preprocessor()) else {
            return Fed::End;
        };
        for (name, value) in std::mem::take(&mut self.chosen.part.defines) {
            p.define(&name, &value);
        }
        let fed = self.preprocess_with(&mut p, source, at, toks);
        for mut d in std::mem::take(&mut p.findings) {
            if p.fatal && d.span.is_none() {
                // What a part brings is too much behind the line that names it.
                d.span = Some(self.statement);
            }
            self.report(Box::new(d));
        }
        self.fatal |= p.fatal;
        self.lines.pre = Some(p);
        fed
    }

    fn preprocess_with(
        &mut self,
        p: &mut Preprocessor,
        source: SourceId,
        at: usize,
        toks: &mut Vec<Tok>,
    ) -> Fed {
        let level = self.lines.feeds.len();
        let Some(feed) = self.lines.feeds.last_mut() else {
            return Fed::End;
        };
        // An expanded line is over: back to the file's own.
        let own = feed.own_expansion();
        self.expansion = own;
        let FeedKind::File { at: feed_at, .. } = &mut feed.kind else {
            return Fed::End;
        };
        let file = self.program.sources.get(source);
        let blanks = file.text.as_bytes()[at.min(file.text.len())..].iter();
        let directive = blanks.clone().find(|b| !matches!(b, b' ' | b'\t')) == Some(&b'#');
        let text = file.text.as_bytes();
        if !directive && !p.skipping() && !calls_at_once(p, &text[at.min(text.len())..]) {
            let Some(next) = lex::line(&file.text, at, source, lexing(self.program.dialect), toks)
            else {
                p.end_of_file(level);
                return Fed::End;
            };
            *feed_at = next;
            let macros = toks
                .iter()
                .any(|t| t.kind == Kind::Name && mentions(p, self.program.sources.slice(t.span)));
            if !macros {
                return Fed::Line;
            }
            toks.clear();
        }
        let skipped = behind_skipped(p, directive, file.text.as_bytes(), at);
        if let Some(next) = skipped.or_else(|| self.glanced(p, directive, (source, at), level)) {
            self.go_on(next);
            return Fed::Again;
        }
        let step = self.step_at(p, source, at, level);
        if let Some(next) = step.next() {
            self.go_on(next);
        }
        match step {
            Step::Plain => {
                let text = &self.program.sources.get(source).text;
                lex::line(text, at, source, lexing(self.program.dialect), toks);
                Fed::Line
            }
            Step::Nothing { .. } => Fed::Again,
            Step::Pragma { text, span, .. } => {
                self.pragma(&text, span);
                Fed::Again
            }
            Step::Text {
                text, span, name, ..
            } => {
                self.statement = span;
                self.expanded_line(p, text, &name, own, toks)
            }
            Step::Include {
                name,
                library,
                span,
                ..
            } => {
                self.statement = span;
                if let Err(d) = self.include_file(p, name, library) {
                    self.report(d);
                }
                Fed::Again
            }
            Step::End => {
                p.end_of_file(level);
                Fed::End
            }
        }
    }

    /// Where the line behind a conditional begins that a glance tells, which is done.
    fn glanced(
        &mut self,
        p: &mut Preprocessor,
        directive: bool,
        (source, at): (SourceId, usize),
        level: usize,
    ) -> Option<usize> {
        if !directive {
            return None;
        }
        let text = &self.program.sources.get(source).text;
        Some(match p.glance(text, source, at, level)? {
            Glance::Done(next) => next,
            Glance::Asks(span, name, next) => {
                let yes = match name {
                    Some(name) => {
                        let whole = Span::new(source, at as u32, span.end);
                        let kind = Kind::Name;
                        self.asked_of(whole, &[Tok { kind, span: name }])
                    }
                    None => self.asked(p, source, at),
                };
                p.begin(yes, span, level);
                next
            }
        })
    }

    /// What the preprocessor makes of the line at a byte of a file.
    fn step_at(&mut self, p: &mut Preprocessor, source: SourceId, at: usize, level: usize) -> Step {
        let holds = p.rules().asks_assembler && self.asked(p, source, at);
        let file = self.program.sources.get(source);
        let line = Line {
            text: &file.text,
            source,
            at,
            level,
            number: &|n| file.line_column(n).0,
            // Not where the folder of the program lies.
            file: file_name(&self.program.sources, source),
            holds,
        };
        let (words, known, macros) = (&self.words, &self.lines.macros, p.changes);
        let step = p.line(&line, &|word| {
            let e = words.get(word);
            e.mnemonic != 0 || e.directive.is_some() || known.contains_key(word)
        });
        if p.changes != macros {
            self.memo.renew();
        }
        step
    }

    /// Whether the value behind `#if` or `#elif` on a line is one and not 0.
    fn asked(&mut self, p: &Preprocessor, source: SourceId, at: usize) -> bool {
        let text = &self.program.sources.get(source).text;
        let line = text[at..].lines().next().unwrap_or("");
        let behind = line
            .trim_start()
            .strip_prefix('#')
            .unwrap_or("")
            .trim_start();
        let word = behind.split(|c: char| c.is_whitespace()).next();
        let Some(word) = word.filter(|w| p.asks(w)) else {
            return false;
        };
        let from = at + line.len() - behind.len() + word.len();
        let statement = Span::new(source, at as u32, (at + line.trim_end().len()) as u32);
        let mut toks = Vec::new();
        lex::line(text, from, source, lexing(self.program.dialect), &mut toks);
        self.asked_of(statement, &toks)
    }

    /// Whether the value of some tokens of a statement is one and not 0.
    fn asked_of(&mut self, statement: Span, toks: &[Tok]) -> bool {
        self.statement = statement;
        self.mark_here();
        let known = match toks.is_empty() {
            true => {
                let d = Diagnostic::new(codes::BAD_EXPRESSION, "expected a condition");
                Err(Box::new(d.at(self.statement)))
            }
            false => self.whole_expression(toks).and_then(|v| {
                let span = self.span_of(toks);
                self.must_know(v, span, crate::read::CONDITION)
            }),
        };
        match known {
            Ok(n) => n != 0,
            Err(d) => {
                self.report(d);
                false
            }
        }
    }

    /// Goes on in a file that `#include` names, unless that is read once and has been.
    fn include_file(&mut self, p: &Preprocessor, name: String, library: bool) -> Outcome<()> {
        let id = self.included(&name, library, self.statement)?;
        if !p.is_read_once(id) {
            self.count_include(id)?;
            self.push_feed(
                FeedKind::File { source: id, at: 0 },
                ExpansionKind::Include(name.into()),
            );
        }
        Ok(())
    }

    /// Reads a line that macros have made.
    fn expanded_line(
        &mut self,
        p: &mut Preprocessor,
        text: String,
        name: &str,
        own: u32,
        toks: &mut Vec<Tok>,
    ) -> Fed {
        if let Err(d) = self.emitted_text(text.len() + limits::TEXT_A_LINE) {
            self.report(d);
            return Fed::Again;
        }
        let call = self.statement;
        let kind = ExpansionKind::Macro(name.into());
        if text.contains('\n') || self.dialect.lexing.signs == Signs::Gnu && text.contains('$') {
            let id = self.sources.add_made(text, call);
            let hooks = self.own.hooks;
            hooks.made(self, id);
            self.made_by(p, id, 0, name);
            self.push_feed(FeedKind::File { source: id, at: 0 }, kind);
            return Fed::Again;
        }
        let id = match p.generated {
            Some(id) if self.sources.get(id).text.len() < 1 << 24 => {
                self.sources.append_made(id, &text, call);
                id
            }
            _ => self.sources.add_made(text, call),
        };
        p.generated = Some(id);
        let start = self.sources.start_of_last(id);
        self.made_by(p, id, start, name);
        let kind = self.shared_name(kind);
        self.expansions.push(Expansion {
            kind,
            call,
            parent: own,
        });
        self.expansion = self.expansions.len() as u32 - 1;
        let text = &self.sources.get(id).text;
        lex::line(text, start as usize, id, lexing(self.dialect), toks);
        Fed::Line
    }

    fn made_by(&self, p: &mut Preprocessor, id: SourceId, start: u32, name: &str) {
        if let Some(at) = p.definition(name) {
            p.origins.entry(id).or_default().push((start, at));
        }
    }

    /// Says of a finding in the text of a macro where that is defined.
    pub(crate) fn note_macro(&self, d: &mut Diagnostic) {
        let made = self.lines.pre.as_ref().zip(d.span);
        let Some(at) = made.and_then(|(p, span)| p.made_by(span)) else {
            return;
        };
        if !d.related.iter().any(|r| r.0 == at) {
            let name = self.sources.slice(at);
            d.related
                .push((at, format!("the macro `{name}` is defined here")));
        }
    }

    /// The source of `#include`.
    fn included(
        &mut self,
        name: &str,
        library: bool,
        span: Span,
    ) -> crate::program::Outcome<SourceId> {
        if library && let Some(id) = self.library_source(name) {
            return Ok(id);
        }
        let from = self.includer();
        self.load_source(name, from.as_deref(), Some(span))
    }
}

/// Where the line behind one begins that is skipped and that nothing joins with it: no
/// backslash, and no sign that a comment may begin with.
fn behind_skipped(p: &Preprocessor, directive: bool, text: &[u8], at: usize) -> Option<usize> {
    let rest = text.get(at..).filter(|_| !directive && p.skipping())?;
    let end = memchr::memchr3(b'\n', b'\\', b'/', rest)?;
    (rest[end] == b'\n').then_some(at + end + 1)
}

/// Whether a line begins with the name of a macro, as every dialect reads it.
fn calls_at_once(p: &Preprocessor, line: &[u8]) -> bool {
    let blanks = line.iter().take_while(|b| matches!(b, b' ' | b'\t'));
    let line = &line[blanks.count()..];
    let part = |b: &&u8| b.is_ascii_alphanumeric() || **b == b'_';
    let (name, rest) = line.split_at(line.iter().take_while(part).count());
    let ends = matches!(rest.first(), Some(b' ' | b'\t' | b'(' | b','));
    let begins = name.first().is_some_and(|b| !b.is_ascii_digit());
    let defined = |name: &str| p.may_be(name) && p.is_defined(name);
    ends && begins && std::str::from_utf8(name).is_ok_and(defined)
}

/// How what the preprocessor gives is read: GNU as sees neither `//` nor joined
/// lines, since the preprocessor has taken them away.
fn lexing(dialect: &Dialect) -> Lexing {
    let own = dialect.lexing;
    Lexing {
        slashes: match own.signs {
            Signs::Gnu if own.slashes == Slashes::Signs => Slashes::Comments,
            _ => own.slashes,
        },
        continued: match own.signs {
            Signs::Gnu => Continued::Statements,
            _ => own.continued,
        },
        ..own
    }
}

/// Whether a macro stands in a word of the lexer, which may be several names.
#[inline]
pub(crate) fn mentions(p: &Preprocessor, word: &str) -> bool {
    let known = |name: &str| p.may_be(name) && p.is_defined(name);
    let several = || memchr::memchr2(b'.', b'$', word.as_bytes()).is_some();
    known(word) || several() && word.split(['.', '$']).any(known)
}
