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
pub mod pragma;
mod promises;
mod segments;
mod statement;

use crate::diagnostic::text::thousands;
use crate::diagnostic::{Diagnostic, codes};
use crate::program::limits;
use crate::program::symbol::SymbolId;
use crate::read::Assembler;
use crate::read::preprocess::Fed;
use crate::text::language::{Directive, LabelRule, MacroStyle};
use crate::text::lex::{self, Kind, Tok};
use crate::text::source::{SourceId, Span};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;
use std::rc::Rc;

pub use listing::Listed;
pub(crate) use macros::takes;

/// How deep includes, macro calls and repeats may nest.
pub const MAX_NESTING: usize = 256;
/// Recorded lines.
#[derive(Debug, Default)]
pub struct Body {
    /// Tokens of all lines.
    pub toks: Vec<Tok>,
    /// Tokens of each line.
    pub lines: Vec<(u32, u32)>,
}

/// A macro.
#[derive(Debug)]
pub struct MacroDefinition {
    /// Name as written.
    pub name: String,
    /// Names of the parameters.
    pub names: Rc<Names>,
    /// Their defaults.
    pub defaults: Vec<Option<Vec<Tok>>>,
    /// Lines as tokens.
    pub body: Rc<Body>,
    /// Lines as text, where text is replaced.
    pub text: Option<(SourceId, u32, u32)>,
    /// Labels in its lines, where they are local.
    pub labels: numbered::Labels,
    /// Where it is defined.
    pub span: Span,
}

/// Names of parameters with their numbers.
#[derive(Debug, Default)]
pub struct Names {
    list: Vec<String>,
    numbers: FxHashMap<String, usize>,
}

impl Names {
    /// Of a list; the first of equal ones counts.
    pub fn new(list: Vec<String>) -> Self {
        let mut numbers = FxHashMap::default();
        for (i, name) in list.iter().enumerate() {
            numbers.entry(name.clone()).or_insert(i);
        }
        Self { list, numbers }
    }
    /// In order.
    pub fn list(&self) -> &[String] {
        &self.list
    }
    /// The number of a name.
    pub fn find(&self, name: &str) -> Option<usize> {
        match self.list.len() {
            0..8 => self.list.iter().position(|n| n == name),
            _ => self.numbers.get(name).copied(),
        }
    }
}

/// What a repeat counts.
#[derive(Debug)]
pub enum Counter {
    /// Nothing.
    None,
    /// A variable: symbol, next value, step.
    Number(SymbolId, i64, i64),
    /// Items for the last argument.
    Items(Vec<Vec<Tok>>),
}

/// Where lines come from.
#[derive(Debug)]
pub enum FeedKind {
    /// A file.
    File {
        /// Its text.
        source: SourceId,
        /// Next byte.
        at: usize,
    },
    /// A macro call or a repeat.
    Lines {
        /// The lines.
        body: Rc<Body>,
        /// Next one.
        next: usize,
        /// Names of the parameters.
        names: Rc<Names>,
        /// What stands for each; `.shift` takes from the front.
        arguments: Vec<Vec<Tok>>,
        /// Arguments behind the last parameter.
        spare: VecDeque<Vec<Tok>>,
        /// Rounds still to come, and the round in force, for a repeat.
        rounds: Option<(u64, u64, Counter)>,
    },
}

impl FeedKind {
    /// Tokens that it alone holds: arguments, and the lines of a repeat.
    fn held(&self) -> usize {
        let Self::Lines {
            body,
            arguments,
            spare,
            rounds,
            ..
        } = self
        else {
            return 0;
        };
        let own = match rounds {
            Some((_, _, Counter::Items(items))) => items.iter().map(|i| i.len() + 2).sum(),
            _ => 0,
        };
        let body = rounds.as_ref().map_or(0, |_| body.toks.len());
        let given = arguments.iter().chain(spare).map(|a| a.len() + 2);
        body + own + given.sum::<usize>()
    }
}

/// A source of lines with what to restore at its end.
#[derive(Debug)]
pub struct Feed {
    /// Kind.
    pub kind: FeedKind,
    /// Number of its own, for local names.
    pub number: u32,
    /// The plain label in force where it was called, for an expansion.
    pub caller: Option<Rc<str>>,
    /// Tokens that it holds: arguments, and the lines of a repeat.
    pub held: usize,
    /// Expansion to go back to.
    pub outer: u32,
    /// Open conditionals at its start.
    pub conditions: usize,
    /// Levels of local names at its start.
    pub scopes: usize,
}

impl Feed {
    /// The expansion that its own lines are in, for a file.
    pub fn own_expansion(&self) -> u32 {
        self.number.checked_sub(1).unwrap_or(crate::image::NONE)
    }
}

/// An open conditional.
#[derive(Debug)]
pub struct Condition {
    /// Lines count.
    pub active: bool,
    /// Some branch was taken.
    pub taken: bool,
    /// `else` has been seen.
    pub last: bool,
    /// The lines around count.
    pub outer: bool,
    /// Where it starts.
    pub span: Span,
}

/// An open block.
#[derive(Debug)]
pub struct Block {
    /// Which.
    pub kind: BlockKind,
    /// Where it starts.
    pub span: Span,
}

/// Kinds of block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BlockKind {
    /// `struct`.
    Struct,
    /// `scope`, with the prefix to go back to.
    Scope(String),
    /// `proc`.
    Proc,
}

/// A level of local names.
#[derive(Debug, Default)]
pub struct Scope {
    /// Names declared `local`.
    pub locals: FxHashMap<String, SymbolId>,
    /// For names that the level may define, what they mean if it does not.
    pub outer: Vec<(SymbolId, SymbolId)>,
}

impl Assembler<'_> {
    /// Reads all lines and assembles them.
    pub fn read_all(&mut self) {
        let mut toks: Vec<Tok> = Vec::with_capacity(64);
        let mut before = None;
        while !self.fatal {
            if self.met_before(&mut before) {
                continue;
            }
            self.check_limits();
            self.high.clear();
            if !self.next_line(&mut toks) {
                break;
            }
            if toks.is_empty() {
                continue;
            }
            self.statement = match self.line_span.take() {
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
                    if let Some(b) = before {
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
        if self.dialect.names.labels == LabelRule::Listed && !self.listed.any() {
            // Lines above the first instruction are its head: here that is all.
            let at = Span::new(self.statement.source, 0, 0);
            let d = Diagnostic::new(codes::SYNTAX, "no line of this file is one of a listing")
                .at(at)
                .help("`--dialect native` reads instructions without the form of a listing");
            self.report(Box::new(d));
        }
        if let Some(c) = self.conditions.first() {
            let end = self.word_for(Directive::EndIf).unwrap_or("#endif");
            let message = format!("this conditional has no `{end}`");
            let d = Diagnostic::new(codes::UNCLOSED_BLOCK, message).at(c.span);
            self.report(Box::new(d));
        }
        self.check_table_end();
        if let Some(b) = self.blocks.first() {
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
            let through = match self.feeds.last().map(|f| &f.kind) {
                Some(FeedKind::File { source, .. }) => {
                    self.dialect.preprocessor.is_some()
                        && self.own.hooks.preprocesses(self, *source)
                }
                _ => false,
            };
            let Some(feed) = self.feeds.last_mut() else {
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
                        }) = self.feeds.last_mut()
                        {
                            *at = next;
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
                            self.line_span = first.zip(last).map(|(f, l)| f.span.to(l.span));
                        }
                        let pastes = line.iter().any(|t| t.kind == Kind::Paste);
                        if self.raw {
                        } else if numbered {
                            self.substitute_numbered(toks);
                        } else {
                            self.substitute(toks);
                        }
                        // Lines that grow count as several.
                        self.spent.expanded += 1 + (toks.len() / limits::TOKENS_A_LINE) as u64;
                        if self.spent.expanded > limits::LINES {
                            self.endless();
                            return false;
                        }
                        if toks.len() >= lex::MAX_TOKENS {
                            self.too_long(toks);
                            self.fatal = true;
                            return false;
                        }
                        if pastes && !self.raw {
                            self.paste(toks);
                        }
                        return true;
                    }
                }
            }
            self.end_of_feed();
        }
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

    /// Puts arguments for parameters: those of the macro that the innermost
    /// repeats stand in first, then theirs.
    fn substitute(&self, toks: &mut Vec<Tok>) {
        let mut depth = 0;
        for f in self.feeds.iter().rev() {
            match &f.kind {
                FeedKind::Lines { rounds, .. } => {
                    depth += 1;
                    if rounds.is_none() {
                        break;
                    }
                }
                FeedKind::File { .. } => break,
            }
        }
        for f in &self.feeds[self.feeds.len() - depth..] {
            let FeedKind::Lines {
                names, arguments, ..
            } = &f.kind
            else {
                continue;
            };
            if arguments.is_empty() {
                continue;
            }
            let given = |t: &Tok| {
                if !matches!(t.kind, Kind::Name | Kind::At | Kind::Question) {
                    return None;
                }
                let text = self.sources.slice(t.span);
                names.find(text).and_then(|i| arguments.get(i))
            };
            let Some(first) = toks.iter().position(|t| given(t).is_some()) else {
                continue;
            };
            let line = toks.split_off(first);
            for t in &line {
                if toks.len() >= lex::MAX_TOKENS {
                    return;
                }
                match given(t) {
                    Some(with) => toks.extend_from_slice(with),
                    None => toks.push(*t),
                }
            }
        }
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
    fn end_of_feed(&mut self) {
        if self.next_round() {
            return;
        }
        self.pop_feed();
    }

    /// Leaves the innermost feed.
    pub fn pop_feed(&mut self) {
        let Some(f) = self.feeds.pop() else { return };
        self.spent.held -= f.held;
        self.expansion = f.outer;
        for scope in self.scopes.drain(f.scopes.min(self.scopes.len())..) {
            for (own, outer) in scope.outer {
                let s = self.program.symbols.get_mut(own);
                if s.meaning == crate::program::symbol::Meaning::Undefined {
                    s.outer = Some(outer);
                }
            }
        }
        if let Some(parent) = f.caller {
            self.parent = parent;
        }
    }

    fn next_round(&mut self) -> bool {
        let Some(f) = self.feeds.last_mut() else {
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
        self.spent.expanded += 1;
        if self.spent.expanded > limits::LINES {
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
            self.parent = format!("{caller}#{number}.{round}").into();
        }
        true
    }

    /// Starts a new source of lines.
    pub fn push_feed(&mut self, kind: FeedKind, what: crate::image::ExpansionKind) {
        if self.feeds.len() >= MAX_NESTING {
            let chain = matches!(what, crate::image::ExpansionKind::Include(_));
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
        self.spent.held += held;
        if self.spent.held > limits::HELD {
            let text = "the arguments and repeated lines that are open have too many words";
            let d = Diagnostic::new(codes::ENDLESS_EXPANSION, text).at(self.statement);
            self.spent.held -= held;
            self.stop(Box::new(d));
            return;
        }
        let outer = self.expansion;
        if !self.feeds.is_empty() {
            self.program.expansions.push(crate::image::Expansion {
                kind: what,
                call: self.statement,
                parent: outer,
            });
            self.expansion = self.expansions.len() as u32 - 1;
        }
        let number = self.expansions.len() as u32;
        let lines = matches!(kind, FeedKind::Lines { .. });
        let caller = lines.then(|| self.parent.clone());
        use crate::text::language::DotRule;
        if lines
            && matches!(
                self.dialect.names.dots,
                DotRule::UnderLabel | DotRule::Underscore
            )
        {
            self.parent = format!("{}#{number}.0", self.parent).into();
        }
        self.feeds.push(Feed {
            kind,
            number,
            caller,
            held,
            outer,
            conditions: self.conditions.len(),
            scopes: self.scopes.len(),
        });
    }

    /// Whether lines count here.
    pub fn active(&self) -> bool {
        self.conditions.last().is_none_or(|c| c.active)
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
