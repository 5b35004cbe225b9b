//! Where lines come from: files, macros, repeats, and what is open in them.

use crate::image::NONE;
use crate::program::symbol::SymbolId;
use crate::read::preprocess::preprocessor::Preprocessor;
use crate::read::state::listed::Listed;
use crate::text::lex::{Kind, MAX_TOKENS, Tok};
use crate::text::source::{SourceId, Sources, Span};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;
use std::rc::Rc;
use std::sync::Arc;

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
    pub name: Arc<str>,
    /// What the texts of its calls are called, where text is replaced.
    pub shown: Arc<str>,
    /// Names of the parameters.
    pub names: Rc<Names>,
    /// Their defaults.
    pub defaults: Vec<Option<Vec<Tok>>>,
    /// Lines as tokens.
    pub body: Rc<Body>,
    /// Lines as text, where text is replaced.
    pub text: Option<(SourceId, u32, u32)>,
    /// Labels in its lines, where they are local.
    pub labels: Labels,
    /// Where it is defined.
    pub span: Span,
}

/// Names of parameters with their numbers.
#[derive(Debug, Default)]
pub struct Names {
    list: Vec<String>,
    /// Of many; a few are looked through.
    numbers: FxHashMap<String, usize>,
}

/// So many names are looked through.
const FEW: usize = 8;

impl Names {
    /// Of a list; the first of equal ones counts.
    pub fn new(list: Vec<String>) -> Self {
        let mut numbers = FxHashMap::default();
        let many = if list.len() < FEW { &[][..] } else { &list };
        for (i, name) in many.iter().enumerate() {
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
            0..FEW => self.list.iter().position(|n| n == name),
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
    pub fn held(&self) -> usize {
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
    pub caller: Option<Arc<str>>,
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
        self.number.checked_sub(1).unwrap_or(NONE)
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
    /// Where names of calls are their own: the prefix around, and that of the call.
    pub around: Option<(String, String)>,
}

/// Labels that the lines of a macro define.
#[derive(Debug, Default)]
pub struct Labels {
    /// Names as written.
    pub fixed: Vec<String>,
    /// Lines whose label has an argument in its name.
    pub made: Vec<u32>,
}

/// Where lines come from, and what is open in them.
#[derive(Default)]
pub struct Lines {
    /// Where lines come from, innermost last.
    pub feeds: Vec<Feed>,
    /// Open conditionals.
    pub conditions: Vec<Condition>,
    /// Open blocks.
    pub blocks: Vec<Block>,
    /// Levels of local names.
    pub scopes: Vec<Scope>,
    /// Macros by name.
    pub macros: FxHashMap<String, Rc<MacroDefinition>>,
    /// Names of macros and files that lines came through.
    pub steps: FxHashSet<Arc<str>>,
    /// Lines are being recorded: parameters stay as they are.
    pub raw: bool,
    /// Where a line of a macro stands, whatever arguments made of it.
    pub line_span: Option<Span>,
    /// What is known of a listing that is read.
    pub listed: Listed,
    /// The preprocessor, where the dialect has one and it has begun.
    pub pre: Option<Box<Preprocessor>>,
}

impl Lines {
    /// Whether lines count here.
    pub fn active(&self) -> bool {
        self.conditions.last().is_none_or(|c| c.active)
    }

    /// Puts arguments for parameters: those of the macro that the innermost
    /// repeats stand in first, then theirs.
    pub fn substitute(&self, sources: &Sources, toks: &mut Vec<Tok>) {
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
                let text = sources.slice(t.span);
                names.find(text).and_then(|i| arguments.get(i))
            };
            let Some(first) = toks.iter().position(|t| given(t).is_some()) else {
                continue;
            };
            let line = toks.split_off(first);
            for t in &line {
                if toks.len() >= MAX_TOKENS {
                    return;
                }
                match given(t) {
                    Some(with) => toks.extend_from_slice(with),
                    None => toks.push(*t),
                }
            }
        }
    }
}
