//! From lines to statements: where lines come from (files, macros, repeats),
//! which of them count (conditionals), and what each one is.

mod blocks;
mod cases;
mod data;
mod files;
mod from_below;
pub mod grid;
mod layout_directives;
mod listing;
mod macros;
pub mod memo;
mod messages;
mod numbered;
mod of_calls;
pub mod pragma;
mod promises;
mod segments;
mod statement;
mod values;

use crate::diagnostic::text::thousands;
use crate::diagnostic::{Diagnostic, codes};
use crate::image::ExpansionKind;
use crate::program::limits;
use crate::read::Assembler;
use crate::read::preprocess::Fed;
use crate::text::language::{Directive, LabelRule, MacroStyle};
use crate::text::lex::{self, Kind, Tok};
use crate::text::source::Span;

pub use crate::read::state::feeds::*;
pub(crate) use macros::takes;
use memo::Met;
use std::sync::Arc;

impl Assembler<'_> {
    /// Reads all lines and assembles them.
    pub fn read_all(&mut self) {
        let mut toks: Vec<Tok> = Vec::with_capacity(64);
        let mut before = None;
        while !self.fatal {
            let met = self.met_before(&mut before, &mut toks);
            if met == Met::Done {
                continue;
            }
            self.check_limits();
            self.noticed.high.clear();
            if met == Met::No && !self.next_line(&mut toks) {
                break;
            }
            if toks.is_empty() {
                continue;
            }
            self.statement = match self.lines.line_span.take() {
                Some(span) => span,
                None => self.span_of(&toks),
            };
            let done = match self.dialect.names.labels {
                LabelRule::Listed => self.listed(&toks),
                _ => {
                    let hooks = self.own.hooks;
                    hooks.statement(self, &toks)
                }
            };
            match done {
                Err(d) => self.report(d),
                Ok(()) => {
                    if let Some(b) = &before {
                        self.keep_line(b);
                    }
                }
            }
        }
        if self.fatal {
            return;
        }
        self.define_from_below();
        self.unknown_device();
        self.listed_names();
        let listed = self.dialect.names.labels == LabelRule::Listed;
        // A line that was refused may have been one.
        let errors = self.account.findings.errors() > 0;
        if listed && !errors && !self.lines.listed.any() {
            // Lines above the first instruction are its head: here that is all.
            let at = Span::new(self.statement.source, 0, 0);
            let d = Diagnostic::new(codes::SYNTAX, "no line of this file is one of a listing")
                .at(at)
                .help("`--dialect native` reads instructions without the form of a listing");
            self.report(Box::new(d));
        }
        if let Some(c) = self.lines.conditions.first() {
            let end = self.word_for(Directive::EndIf).unwrap_or("#endif");
            let message = format!("this conditional has no `{end}`");
            let d = Diagnostic::new(codes::UNCLOSED_BLOCK, message).at(c.span);
            self.report(Box::new(d));
        }
        self.check_table_end();
        if let Some(b) = self.lines.blocks.first() {
            let (what, end) = match b.kind {
                BlockKind::Struct => ("struct", "ends"),
                BlockKind::Scope(_) => ("scope", "ends"),
                BlockKind::Proc => ("proc", "endp"),
            };
            let d = Diagnostic::new(
                codes::UNCLOSED_BLOCK,
                format!("this `{what}` has no `{end}`"),
            )
            .at(b.span);
            self.report(Box::new(d));
        }
    }

    /// Tokens of the next line; false at the end of the program.
    pub fn next_line(&mut self, toks: &mut Vec<Tok>) -> bool {
        toks.clear();
        loop {
            let lexing = self.dialect.lexing;
            let numbered = self.dialect.words.macros == MacroStyle::Numbered;
            let through = match self.lines.feeds.last().map(|f| &f.kind) {
                Some(FeedKind::File { source, .. }) => {
                    self.dialect.preprocessor.is_some()
                        && self.own.hooks.preprocesses(self, *source)
                }
                _ => false,
            };
            let Some(feed) = self.lines.feeds.last_mut() else {
                return false;
            };
            match &mut feed.kind {
                FeedKind::File { source, at } if through => {
                    let (source, at) = (*source, *at);
                    match self.preprocessed(source, at, toks) {
                        Fed::Line => {
                            if self.is_too_long(at, toks) {
                                self.too_long(toks);
                            }
                            return true;
                        }
                        Fed::Again if self.fatal => return false,
                        Fed::Again => continue,
                        Fed::End => {}
                    }
                }
                FeedKind::File { source, at }
                    if self.program.dialect.names.labels == LabelRule::Listed =>
                {
                    let (source, from) = (*source, *at);
                    if let Some(next) = self.listed_line(source, from, toks) {
                        if let Some(Feed {
                            kind: FeedKind::File { at, .. },
                            ..
                        }) = self.lines.feeds.last_mut()
                        {
                            *at = next;
                        }
                        if self.is_too_long(from, toks) {
                            self.too_long(toks);
                        }
                        return true;
                    }
                }
                FeedKind::File { source, at } => {
                    let text = &self.program.sources.get(*source).text;
                    let from = *at;
                    if let Some(next) = lex::line(text, from, *source, lexing, toks) {
                        *at = next;
                        if self.is_too_long(from, toks) {
                            self.too_long(toks);
                        }
                        return true;
                    }
                }
                FeedKind::Lines { body, next, .. } => {
                    if let Some(&(a, b)) = body.lines.get(*next) {
                        *next += 1;
                        let line = &body.toks[a as usize..b as usize];
                        toks.extend_from_slice(line);
                        if numbered {
                            let (first, last) = (line.first(), line.last());
                            self.lines.line_span = first.zip(last).map(|(f, l)| f.span.to(l.span));
                        }
                        let pastes = line.iter().any(|t| t.kind == Kind::Paste);
                        return self.expanded(toks, numbered, pastes);
                    }
                }
            }
            self.end_of_feed();
        }
    }

    /// Puts the arguments into a line of a body; false where that goes on too long.
    #[inline]
    fn expanded(&mut self, toks: &mut Vec<Tok>, numbered: bool, pastes: bool) -> bool {
        if self.lines.raw {
        } else if numbered {
            self.substitute_numbered(toks);
        } else {
            self.lines.substitute(&self.program.sources, toks);
        }
        // Lines that grow count as several.
        self.account.spent.expanded += 1 + (toks.len() / limits::TOKENS_A_LINE) as u64;
        if self.account.spent.expanded > limits::LINES {
            self.endless();
            return false;
        }
        if toks.len() >= lex::MAX_TOKENS {
            self.too_long(toks);
            self.fatal = true;
            return false;
        }
        if pastes && !self.lines.raw {
            self.paste(toks);
        }
        true
    }

    /// Whether a line from byte `from` on is longer than is read.
    fn is_too_long(&self, from: usize, toks: &[Tok]) -> bool {
        let Some(last) = toks.last() else {
            return false;
        };
        let long = |t: &Tok| (t.span.end - t.span.start) as usize > limits::TOKEN;
        toks.len() >= lex::MAX_TOKENS
            || (last.span.end as usize).saturating_sub(from) > limits::TOKEN
                && toks.iter().any(long)
    }

    /// Reports a line that is longer than is read, and drops it.
    fn too_long(&mut self, toks: &mut Vec<Tok>) {
        let long = |t: &&Tok| (t.span.end - t.span.start) as usize > limits::TOKEN;
        if let Some(t) = toks.iter().find(long).filter(|t| t.kind != Kind::Bad) {
            let most = thousands(limits::TOKEN as u64);
            let text = format!("a name or text has more than {most} bytes");
            let d = Diagnostic::new(codes::TOO_LONG, text).at(t.span);
            toks.clear();
            return self.report(Box::new(d));
        }
        if toks.len() < lex::MAX_TOKENS {
            return;
        }
        let text = format!("a line has more than {} words and signs", lex::MAX_TOKENS);
        let d = Diagnostic::new(codes::TOO_LONG, text).at(toks[0].span);
        toks.clear();
        self.report(Box::new(d));
    }

    fn endless(&mut self) {
        let d = Diagnostic::new(
            codes::ENDLESS_EXPANSION,
            format!(
                "macros and repeats have made more than {} lines, or lines too long for so many",
                thousands(limits::LINES)
            ),
        )
        .at(self.statement);
        self.stop(Box::new(d));
    }

    /// The innermost feed has no more lines: another round, or back to the one
    /// around.
    pub(crate) fn end_of_feed(&mut self) {
        if self.next_round() {
            return;
        }
        self.pop_feed();
    }

    /// Whether lines come from a file, and not from a text that a macro has made.
    fn is_file(&self, f: &Feed) -> bool {
        let FeedKind::File { source, .. } = &f.kind else {
            return false;
        };
        !self.sources.get(*source).is_made()
    }

    /// Lets the file that was opened last wait until the macros and repeats around have ended.
    pub fn postpone_file(&mut self) {
        let Some((file, around)) = self.lines.feeds.split_last() else {
            return;
        };
        let first = around.iter().rposition(|f| self.is_file(f));
        let first = first.map_or(0, |at| at + 1);
        if !self.is_file(file) || first == around.len() {
            return;
        }
        let Some((file, around)) = self.lines.feeds.split_last_mut() else {
            return;
        };
        let outermost = &mut around[first];
        let own = std::mem::replace(&mut self.expansion, file.outer);
        file.outer = std::mem::replace(&mut outermost.outer, own);
        (file.conditions, file.scopes) = (outermost.conditions, outermost.scopes);
        self.lines.feeds[first..].rotate_right(1);
    }

    /// Leaves the innermost feed.
    pub fn pop_feed(&mut self) {
        let Some(f) = self.lines.feeds.pop() else {
            return;
        };
        self.account.spent.held -= f.held;
        self.expansion = f.outer;
        for scope in self
            .lines
            .scopes
            .drain(f.scopes.min(self.lines.scopes.len())..)
            .rev()
        {
            if let Some((around, _)) = scope.around {
                self.naming.prefix = around;
            }
            for (own, outer) in scope.outer {
                let s = self.program.symbols.get_mut(own);
                if s.meaning == crate::program::symbol::Meaning::Undefined {
                    s.outer = Some(outer);
                }
            }
        }
        if let Some(parent) = f.caller {
            self.naming.parent = parent;
        }
    }

    fn next_round(&mut self) -> bool {
        let Some(f) = self.lines.feeds.last_mut() else {
            return false;
        };
        let number = f.number;
        let caller = f.caller.clone();
        let FeedKind::Lines {
            next,
            rounds: Some((left, round, counter)),
            arguments,
            ..
        } = &mut f.kind
        else {
            return false;
        };
        if *left <= 1 {
            return false;
        }
        *left -= 1;
        *round += 1;
        *next = 0;
        let round = *round;
        match counter {
            Counter::None => {}
            Counter::Number(id, value, step) => {
                *value = self
                    .program
                    .dialect
                    .values
                    .width
                    .wrap(value.wrapping_add(*step));
                self.program.symbols.get_mut(*id).meaning =
                    crate::program::symbol::Meaning::Number(*value);
            }
            Counter::Items(items) => {
                if let (Some(a), Some(item)) = (arguments.last_mut(), items.get(round as usize)) {
                    a.clone_from(item);
                }
            }
        }
        self.account.spent.expanded += 1;
        if self.account.spent.expanded > limits::LINES {
            self.endless();
            return false;
        }
        let call = self.expansions[self.expansion as usize].call;
        let parent = self.expansions[self.expansion as usize].parent;
        self.expansions.push(crate::image::Expansion {
            kind: crate::image::ExpansionKind::Repeat(round),
            call,
            parent,
        });
        self.expansion = self.expansions.len() as u32 - 1;
        if let Some(caller) = caller {
            self.naming.parent = format!("{caller}#{number}.{round}").into();
        }
        self.names_of_round(round);
        true
    }

    /// The name of a macro or file as it is kept, if lines came through it before.
    pub(crate) fn step_named(&self, name: &str) -> Arc<str> {
        let known = self.lines.steps.get(name);
        known.map_or_else(|| name.into(), Arc::clone)
    }

    /// A step whose name is kept once, however often it is taken.
    pub(in crate::read) fn shared_name(&mut self, what: ExpansionKind) -> ExpansionKind {
        let (ExpansionKind::Macro(name) | ExpansionKind::Include(name)) = &what else {
            return what;
        };
        let known = match self.lines.steps.get(name) {
            Some(known) => Arc::clone(known),
            None => {
                self.lines.steps.insert(Arc::clone(name));
                return what;
            }
        };
        match what {
            ExpansionKind::Macro(_) => ExpansionKind::Macro(known),
            _ => ExpansionKind::Include(known),
        }
    }

    /// Starts a new source of lines.
    pub fn push_feed(&mut self, kind: FeedKind, what: ExpansionKind) {
        if self.lines.feeds.len() >= MAX_NESTING {
            let chain = matches!(what, ExpansionKind::Include(_));
            if let Some(d) = self.include_circle().filter(|_| chain) {
                self.stop_at(*d);
                return;
            }
            let (code, text) = if chain {
                (
                    codes::INCLUDE_LOOP,
                    "files include each other more than 256 deep",
                )
            } else {
                (
                    codes::ENDLESS_EXPANSION,
                    "macros call each other more than 256 deep",
                )
            };
            let d = Diagnostic::new(code, text).at(self.statement);
            self.stop(Box::new(d));
            return;
        }
        let held = kind.held();
        self.account.spent.held += held;
        if self.account.spent.held > limits::HELD {
            let text = "the arguments and repeated lines that are open have too many words";
            let d = Diagnostic::new(codes::ENDLESS_EXPANSION, text).at(self.statement);
            self.account.spent.held -= held;
            self.stop(Box::new(d));
            return;
        }
        let outer = self.expansion;
        if !self.lines.feeds.is_empty() {
            let what = self.shared_name(what);
            self.program.expansions.push(crate::image::Expansion {
                kind: what,
                call: self.statement,
                parent: outer,
            });
            self.expansion = self.expansions.len() as u32 - 1;
        }
        let number = self.expansions.len() as u32;
        let lines = matches!(kind, FeedKind::Lines { .. });
        let caller = lines.then(|| self.naming.parent.clone());
        use crate::text::language::DotRule;
        if lines
            && matches!(
                self.dialect.names.dots,
                DotRule::UnderLabel | DotRule::Underscore
            )
        {
            self.naming.parent = format!("{}#{number}.0", self.naming.parent).into();
        }
        self.lines.feeds.push(Feed {
            kind,
            number,
            caller,
            held,
            outer,
            conditions: self.lines.conditions.len(),
            scopes: self.lines.scopes.len(),
        });
    }

    /// The directive that a line starts with, also behind a label.
    fn directive_of(&self, toks: &[Tok]) -> Option<(Directive, usize)> {
        let t = toks.first()?;
        let is = |i: usize| {
            let t: &Tok = toks.get(i)?;
            if t.kind != Kind::Name {
                return None;
            }
            self.words
                .get(self.sources.slice(t.span))
                .directive
                .map(|d| (d, i))
        };
        if t.kind == Kind::Number && self.dialect.names.line_numbers {
            return is(1);
        }
        is(0)
    }
}
