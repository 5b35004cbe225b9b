//! The lines that start with `#`.

use super::expand::{Fault, Place, too_long, whole_span};
use super::preprocessor::{Condition, Line, Preprocessor, Step};
use super::scan::{self, Kind, Logical, Token};
use crate::diagnostic::near::nearest;
use crate::diagnostic::{Diagnostic, codes};
use crate::program::limits;
use crate::read::state::feeds::MAX_NESTING;
use crate::text::source::Span;
use std::borrow::Cow;

/// Most tokens of a macro that grows.
const MOST_GROWN: usize = 1 << 12;

const NAMES: &[&str] = &[
    "define",
    "undef",
    "if",
    "ifdef",
    "ifndef",
    "elif",
    "elifdef",
    "elifndef",
    "else",
    "endif",
    "include",
    "include_next",
    "error",
    "warning",
    "message",
    "pragma",
    "line",
];

/// The line of a directive.
struct Given<'g, 'a> {
    line: &'g Line<'a>,
    logical: &'g Logical,
    /// Arena offset of the line's text.
    base: usize,
    /// All of its tokens, `#` first.
    toks: &'g [Token],
    span: Span,
}

impl Given<'_, '_> {
    fn place(&self, t: &Token) -> Span {
        let inside = |n: u32| (n as usize).checked_sub(self.base);
        match (inside(t.start), inside(t.end)) {
            (Some(a), Some(b)) if b <= self.logical.text.len() => {
                self.logical.span(self.line.source, a, b)
            }
            _ => self.span,
        }
    }
    /// Tokens behind the directive's name.
    fn rest(&self) -> &[Token] {
        self.toks.get(2..).unwrap_or(&[])
    }
    /// Text behind the directive's name, and where it starts.
    fn behind(&self) -> (usize, &str) {
        let from = self.toks.get(1).map_or(0, |t| t.end as usize - self.base);
        let text = &self.logical.text[from..];
        let blanks = text.len() - text.trim_start().len();
        (from + blanks, text.trim())
    }
    /// What the source itself says: `#error`, `#warning` or `#message`.
    fn told(&self, word: &str) -> Fault {
        let code = match word {
            "error" => codes::USER_ERROR,
            "warning" => codes::USER_WARNING,
            _ => codes::USER_NOTE,
        };
        let text = self.behind().1;
        let bare = text.strip_prefix('"').and_then(|t| t.strip_suffix('"'));
        self.fault(code, bare.unwrap_or(text))
    }

    fn fault(&self, code: &'static str, text: impl Into<String>) -> Fault {
        Box::new(Diagnostic::new(code, text).at(self.span))
    }
}

/// Whether a blank is behind the sign and then no word that a directive may be meant by.
fn is_remark(toks: &[Token], word: &str) -> bool {
    toks[0].end < toks[1].start && nearest(word, NAMES.iter().copied()).is_none()
}

/// Whether a line says a place as a preprocessor does that has been before.
fn marks_line(toks: &[Token]) -> bool {
    let kind = |i: usize| toks.get(i).map(|t| t.kind);
    kind(1) == Some(Kind::Number) && kind(2) == Some(Kind::Text)
}

impl Preprocessor {
    /// A line that starts with `#` behind `blank` blanks.
    pub(super) fn directive(&mut self, l: &Line<'_>, blank: usize) -> Step {
        let skipping = self.skipping();
        let word = self.directive_word(&l.text[l.at + blank + 1..]);
        let word = &*word;
        let grows = self.rules.grows && word == "defcont";
        let known = grows || NAMES.contains(&word) && (word != "message" || self.rules.messages);
        let soft = word == "define" && self.rules.statements;
        let Some(g) = scan::logical(l.text, l.at, self.rules, soft) else {
            return Step::End;
        };
        let next = g.next;
        let base = self.arena.len();
        let span = whole_span(&g, l);
        if g.text.len() > limits::LINE {
            self.findings.push(too_long(span));
            return Step::Nothing { next };
        }
        let toks = self.scan(&g.text);
        if let Some(at) = g.open_comment.filter(|_| known) {
            let at = Span::new(l.source, at as u32, at as u32 + 2);
            let d = Diagnostic::new(codes::UNTERMINATED_TEXT, "this comment has no end").at(at);
            self.findings.push(d);
        }
        let given = Given {
            line: l,
            logical: &g,
            base,
            toks: &toks,
            span,
        };
        let result = match word {
            "if" | "ifdef" | "ifndef" => self.open(word, &given),
            "elif" | "elifdef" | "elifndef" | "else" => self.branch(word, &given),
            "endif" => self.close(&given),
            _ if skipping || toks.len() < 2 => Ok(()),
            "define" => {
                self.defines(&given);
                Ok(())
            }
            "defcont" if grows => self.grow(&given),
            "undef" => self.name(&given).map(|name| {
                self.undefine(&name);
            }),
            "include" | "include_next" => match self.file(&given, next) {
                Ok(step) => return step,
                Err(d) => Err(d),
            },
            "error" | "warning" | "message" if known => Err(given.told(word)),
            "pragma" => {
                let text = given.behind().1.to_owned();
                if text == "once" {
                    self.once.insert(l.source);
                }
                return Step::Pragma { text, next, span };
            }
            "line" => Ok(()),
            "end" if !self.rules.end.is_empty() => {
                return Step::Text {
                    text: self.rules.end.to_owned(),
                    next,
                    span,
                    name: "end".into(),
                };
            }
            _ if self.rules.comments => Ok(()),
            // `# 12 "file"` of an earlier preprocessor, and `# a remark`.
            _ if !self.rules.semicolon && (marks_line(&toks) || is_remark(&toks, word)) => Ok(()),
            _ => Err(self.unknown(&given)),
        };
        if let Err(d) = result {
            self.findings.push(*d);
        }
        Step::Nothing { next }
    }

    /// Whether a file has said `#pragma once` and been read.
    pub fn is_read_once(&self, source: crate::text::source::SourceId) -> bool {
        self.once.contains(&source)
    }

    /// The word behind `#`. A comment of the assembler may have anything in it.
    fn directive_word<'l>(&self, text: &'l str) -> Cow<'l, str> {
        let word = text.trim_start_matches([' ', '\t']);
        let length = word.bytes().take_while(u8::is_ascii_alphanumeric).count();
        match self.rules.semicolon {
            // The assembler's own words count in any case, and so do these.
            true => word[..length].to_ascii_lowercase().into(),
            false => word[..length].into(),
        }
    }

    fn unknown(&self, g: &Given<'_, '_>) -> Fault {
        let t = &g.toks[1];
        let word = self.text(t).to_owned();
        let d = Diagnostic::new(
            codes::UNKNOWN_INSTRUCTION,
            format!("there is no directive `#{word}`"),
        )
        .at(g.place(t));
        Box::new(match nearest(&word, NAMES.iter().copied()) {
            Some(n) => d.help(format!("did you mean `#{n}`?")),
            None => d,
        })
    }

    fn name(&self, g: &Given<'_, '_>) -> Result<String, Fault> {
        match g.rest() {
            [name, more @ ..] if name.kind == Kind::Name => {
                let text = self.text(name).to_owned();
                match more.first() {
                    None => Ok(text),
                    Some(t) => {
                        let d = Diagnostic::new(codes::SYNTAX, "expected one name only");
                        Err(Box::new(d.at(g.place(t))))
                    }
                }
            }
            [other, ..] => {
                let d = Diagnostic::new(codes::SYNTAX, "expected a name");
                Err(Box::new(d.at(g.place(other))))
            }
            [] => Err(g.fault(codes::SYNTAX, "expected a name")),
        }
    }

    fn truth(&mut self, word: &str, g: &Given<'_, '_>) -> Result<bool, Fault> {
        if word.ends_with("def") {
            let name = self.name(g)?;
            return Ok(self.is_known(&name) != word.ends_with("ndef"));
        }
        if self.rules.asks_assembler {
            return Ok(g.line.holds);
        }
        let mut place = Place::new(g.line, g.span, g.logical.next);
        place.condition = true;
        let toks = self.replace(g.rest().to_vec(), &mut place)?;
        self.holds(&toks, &|t| t.map_or(g.span, |t| g.place(t)))
    }

    /// `#define`.
    fn defines(&mut self, g: &Given<'_, '_>) {
        let (from, text) = g.behind();
        self.keep = true;
        let at = |a: usize, b: usize| match a == b {
            true => Some(g.span),
            false => Some(g.logical.span(g.line.source, from + a, from + b)),
        };
        let text = text.to_owned();
        self.define_text(&text, &at);
    }

    /// Adds to the text of the macro that was defined last.
    fn grow(&mut self, g: &Given<'_, '_>) -> Result<(), Fault> {
        self.keep = true;
        let last = self.macros.last_mut().filter(|m| m.span.is_some());
        let Some(last) = last else {
            return Err(g.fault(codes::MISPLACED, "there is no `#define` before this"));
        };
        if last.body.len() + g.toks.len() > MOST_GROWN {
            return Err(g.fault(codes::TOO_LONG, "the text of this macro is too long"));
        }
        let mut body = last.body.to_vec();
        let parameters = last.parameters.clone();
        let mut more = g.rest().to_vec();
        if let Some(first) = more.first_mut() {
            first.space = false;
        }
        self.mark_parameters(&mut more, parameters.as_deref());
        body.extend(more);
        self.changes += 1;
        if let Some(last) = self.macros.last_mut() {
            last.body = body.into();
        }
        Ok(())
    }

    fn open(&mut self, word: &str, g: &Given<'_, '_>) -> Result<(), Fault> {
        let outer = !self.skipping();
        if self.conditions.len() >= MAX_NESTING {
            self.fatal = true;
            let text = format!("conditions nest more than {MAX_NESTING} deep");
            return Err(g.fault(codes::TOO_DEEP, text));
        }
        let truth = if outer {
            self.truth(word, g)
        } else {
            Ok(false)
        };
        // Also a faulty condition opens a block, so that its end is no error.
        let yes = *truth.as_ref().unwrap_or(&false);
        self.begin(yes, g.span, g.line.level);
        truth.map(|_| ())
    }

    /// The condition that a line belongs to: one of the same file.
    fn current(&self, word: &str, g: &Given<'_, '_>) -> Result<Condition, Fault> {
        let level = g.line.level;
        let open = self.conditions.last().filter(|c| c.level == level);
        open.cloned().ok_or_else(|| {
            let text = format!("`#{word}` without the start of a conditional");
            g.fault(codes::STRAY_END, text)
        })
    }

    fn branch(&mut self, word: &str, g: &Given<'_, '_>) -> Result<(), Fault> {
        let c = self.current(word, g)?;
        if c.last {
            let d = Diagnostic::new(codes::MISPLACED, "there is an `#else` before this");
            let d = d.at(g.span).related(c.span, "of this conditional");
            return Err(Box::new(d));
        }
        let truth = if word == "else" {
            Ok(!c.taken)
        } else if c.taken || !c.outer {
            Ok(false)
        } else {
            self.truth(word, g)
        };
        let yes = *truth.as_ref().unwrap_or(&false);
        if let Some(c) = self.conditions.last_mut() {
            c.active = yes && c.outer;
            c.taken |= yes;
            c.last = word == "else";
        }
        truth.map(|_| ())
    }

    fn close(&mut self, g: &Given<'_, '_>) -> Result<(), Fault> {
        self.current("endif", g)?;
        self.conditions.pop();
        Ok(())
    }

    /// `#include "file"`, `#include <file>`, or a macro for one of these.
    fn file(&mut self, g: &Given<'_, '_>, next: usize) -> Result<Step, Fault> {
        let (from, text) = g.behind();
        let text = text.to_owned();
        let made = match text.as_bytes().first() {
            Some(b'"' | b'<') => text.clone(),
            _ => {
                let mut place = Place::new(g.line, g.span, next);
                place.condition = true;
                let toks = self.replace(g.rest().to_vec(), &mut place)?;
                self.written(&toks, None)
            }
        };
        let made = made.trim();
        let library = made.starts_with('<');
        let close = if library { '>' } else { '"' };
        let inner = made
            .strip_prefix(['"', '<'])
            .and_then(|t| t.split_once(close))
            .filter(|(name, more)| !name.is_empty() && more.trim().is_empty());
        let Some((name, _)) = inner else {
            let at = match text.is_empty() {
                true => g.span,
                false => g.logical.span(g.line.source, from, from + text.len()),
            };
            let d = Diagnostic::new(
                codes::SYNTAX,
                "expected a file name in quotes or angle brackets",
            );
            return Err(Box::new(d.at(at)));
        };
        Ok(Step::Include {
            name: name.trim().to_owned(),
            library,
            next,
            span: g.logical.span(g.line.source, from, from + text.len()),
        })
    }
}
