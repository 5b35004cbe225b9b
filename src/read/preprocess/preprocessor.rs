//! The preprocessor: its macros, and what a line is.

use super::hides::Hides;
use super::scan::{self, Token};
use crate::diagnostic::{Diagnostic, codes};
use crate::text::language::Rules;
use crate::text::source::{SourceId, Span};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// Most tokens that the macros of one line may make.
pub const MAX_LINE: u32 = 1 << 18;
/// How deep macros may stand in each other's texts and arguments.
pub const MAX_DEPTH: usize = 256;
/// Lines that the arguments of one call may extend over.
pub(super) const MAX_CALL: usize = 1024;

/// Macros whose value depends on the place, and those of the time, which has a
/// fixed value: the output depends on the sources only.
pub(super) const BUILT_IN: &[&str] = &[
    "__FILE__",
    "__LINE__",
    "__DATE__",
    "__TIME__",
    "__CENTURY__",
    "__YEAR__",
    "__MONTH__",
    "__DAY__",
    "__HOUR__",
    "__MINUTE__",
    "__SECOND__",
];

/// A macro.
#[derive(Clone, Debug)]
pub(super) struct Macro {
    pub(super) name: Box<str>,
    /// Names of the parameters, where it takes some.
    pub(super) parameters: Option<Vec<Box<str>>>,
    /// The last parameter takes all that is left.
    pub(super) variadic: bool,
    pub(super) body: Rc<[Token]>,
    /// Its name in `#define`; none for one that comes from outside.
    pub(super) span: Option<Span>,
}

/// An open `#if`.
#[derive(Clone, Debug)]
pub(super) struct Condition {
    pub(super) active: bool,
    pub(super) taken: bool,
    pub(super) last: bool,
    pub(super) outer: bool,
    /// File that it stands in.
    pub(super) level: usize,
    pub(super) span: Span,
}

/// Where a line stands.
#[derive(Clone, Copy)]
pub struct Line<'a> {
    /// The text it stands in.
    pub text: &'a str,
    /// Which source that is.
    pub source: SourceId,
    /// Its first byte.
    pub at: usize,
    /// How many files are open: conditions end in the file they start in.
    pub level: usize,
    /// Its number, from 1.
    pub number: &'a dyn Fn(u32) -> usize,
    /// Name of the file.
    pub file: &'a str,
    /// Whether the condition of the line holds, where the assembler is asked.
    pub holds: bool,
}

/// What a line is.
#[derive(Debug, PartialEq, Eq)]
pub enum Step {
    /// To be read as it stands.
    Plain,
    /// It says nothing to the assembler; the next one starts at `next`.
    Nothing {
        /// Where the next line starts.
        next: usize,
    },
    /// Another text stands for it.
    Text {
        /// The text, maybe of several lines.
        text: String,
        /// Where the next line starts.
        next: usize,
        /// The statement in the file.
        span: Span,
        /// The first macro in it.
        name: Box<str>,
    },
    /// `#include`.
    Include {
        /// The file's name.
        name: String,
        /// In angle brackets.
        library: bool,
        /// Where the next line starts.
        next: usize,
        /// The name in the source.
        span: Span,
    },
    /// `#pragma`, with what stands behind it.
    Pragma {
        /// The rest of the line.
        text: String,
        /// Where the next line starts.
        next: usize,
        /// The directive.
        span: Span,
    },
    /// There is no line.
    End,
}

impl Step {
    /// Where the next line starts, if that is known already.
    pub fn next(&self) -> Option<usize> {
        match *self {
            Self::Nothing { next }
            | Self::Text { next, .. }
            | Self::Include { next, .. }
            | Self::Pragma { next, .. } => Some(next),
            Self::Plain | Self::End => None,
        }
    }
}

/// The state of a preprocessor.
#[derive(Debug)]
pub struct Preprocessor {
    pub(super) rules: &'static Rules,
    /// Constants of the assembler that conditions see, by name in lower case.
    pub(super) symbols: FxHashMap<String, i64>,
    /// Findings that the caller takes over.
    pub findings: Vec<Diagnostic>,
    /// Going on makes no sense.
    pub fatal: bool,
    pub(super) names: FxHashMap<Box<str>, u32>,
    pub(super) macros: Vec<Macro>,
    /// A bit for each shape of a name that a macro has.
    pub(super) filter: Box<[u64; 64]>,
    /// Text of all tokens; that of a line is dropped after it.
    pub(super) arena: String,
    /// The line has defined a macro, whose text stays.
    pub(super) keep: bool,
    /// Sets of macros that tokens came through.
    pub(super) hides: Hides,
    pub(super) conditions: Vec<Condition>,
    /// How often a macro was defined or forgotten.
    pub(super) changes: u64,
    /// The last call had nothing for the parameter that takes all that is left.
    pub(super) left_out: bool,
    pub(super) steps: u32,
    pub(super) all_steps: u64,
    pub(super) once: FxHashSet<SourceId>,
    /// Files included, and bytes of those that were so before, without an assembler.
    pub(super) included: (usize, usize),
    /// Generated texts: where each starts, and the macro of its statement.
    pub(super) origins: FxHashMap<SourceId, Vec<(u32, Span)>>,
    pub(super) generated: Option<SourceId>,
}

fn shape(name: &[u8]) -> usize {
    match (name.first(), name.last()) {
        (Some(&a), Some(&b)) => {
            let middle = name[name.len() / 2];
            (a as usize * 61 + b as usize * 17 + middle as usize * 5 + name.len() * 7) & 0xfff
        }
        _ => 0,
    }
}

impl Preprocessor {
    /// A preprocessor that knows its own macros only.
    pub fn new(rules: &'static Rules) -> Self {
        let mut p = Self {
            rules,
            findings: Vec::new(),
            fatal: false,
            symbols: FxHashMap::default(),
            names: FxHashMap::default(),
            macros: Vec::new(),
            filter: Box::new([0; 64]),
            arena: String::new(),
            keep: false,
            hides: Hides::default(),
            conditions: Vec::new(),
            changes: 0,
            left_out: false,
            steps: 0,
            all_steps: 0,
            once: FxHashSet::default(),
            included: (0, 0),
            origins: FxHashMap::default(),
            generated: None,
        };
        for name in BUILT_IN {
            p.insert(Macro {
                name: (*name).into(),
                parameters: None,
                variadic: false,
                body: Rc::from([]),
                span: None,
            });
        }
        for (name, value) in rules.predefined {
            p.define(name, value);
        }
        p
    }

    /// Its rules.
    pub fn rules(&self) -> &'static Rules {
        self.rules
    }

    /// Defines a macro from outside; `name` may have parameters: `SQR(x)`.
    pub fn define(&mut self, name: &str, value: &str) {
        let text = format!("{name} {value}");
        self.define_text(&text, &|_, _| None);
    }

    /// Tells conditions of a constant of the assembler, or that it is gone.
    pub fn note_symbol(&mut self, name: &str, value: Option<i64>) {
        if !self.rules.sees_symbols {
            return;
        }
        let key = name.to_ascii_lowercase();
        match value {
            Some(v) => self.symbols.insert(key, v),
            None => self.symbols.remove(&key),
        };
    }

    /// The assembler's constant of that name, in any case.
    pub(super) fn symbol(&self, name: &str) -> Option<i64> {
        if self.symbols.is_empty() {
            return None;
        }
        self.symbols.get(&name.to_ascii_lowercase()).copied()
    }

    /// Whether a name is a macro, or one that conditions see.
    pub(super) fn is_known(&self, name: &str) -> bool {
        self.is_defined(name) || !self.rules.asks_assembler && self.symbol(name).is_some()
    }

    /// Whether a name is a macro.
    pub fn is_defined(&self, name: &str) -> bool {
        self.names.contains_key(name)
    }

    /// Texts of all macros without parameters, by their names in small letters.
    pub fn texts(&self) -> FxHashMap<String, String> {
        let mut all: Vec<u32> = self.names.values().copied().collect();
        all.sort_unstable();
        let plain = |m: &&Macro| m.parameters.is_none() && !m.body.is_empty();
        let macros = all.iter().map(|&i| &self.macros[i as usize]);
        let text = |m: &Macro| {
            let words = m.body.iter();
            let words = words.map(|t| &self.arena[t.start as usize..t.end as usize]);
            (
                m.name.to_ascii_lowercase(),
                words.collect::<Vec<_>>().join(" "),
            )
        };
        macros.filter(plain).map(text).collect()
    }

    /// Where a macro is defined, if that is in a source.
    pub fn definition(&self, name: &str) -> Option<Span> {
        let &i = self.names.get(name)?;
        self.macros[i as usize].span
    }

    /// Forgets a macro; false if there is none.
    pub fn undefine(&mut self, name: &str) -> bool {
        self.changes += 1;
        self.names.remove(name).is_some()
    }

    /// Whether a name may be one of a macro: quick, and never wrong if not.
    #[inline]
    pub fn may_be(&self, name: &str) -> bool {
        let n = shape(name.as_bytes());
        self.filter[n >> 6] >> (n & 63) & 1 != 0
    }

    /// Whether lines are left out here.
    #[inline]
    pub fn skipping(&self) -> bool {
        self.conditions.last().is_some_and(|c| !c.active)
    }

    /// Whether it depends on the value behind a directive which lines are read.
    pub fn asks(&self, word: &str) -> bool {
        let open = |c: &Condition| c.outer && !c.taken;
        match word.to_ascii_lowercase().as_str() {
            "if" => !self.skipping(),
            "elif" => self.conditions.last().is_some_and(open),
            _ => false,
        }
    }

    /// The macro that made a place in a generated text.
    pub fn made_by(&self, span: Span) -> Option<Span> {
        let list = self.origins.get(&span.source)?;
        let i = list.partition_point(|o| o.0 <= span.start).checked_sub(1)?;
        Some(list[i].1)
    }

    /// Conditions of a file that is left early are no fault.
    pub fn forget_conditions(&mut self, level: usize) {
        self.conditions.retain(|c| c.level < level);
    }

    /// The file ends: conditions that are still open are a fault.
    pub fn end_of_file(&mut self, level: usize) {
        while let Some(c) = self.conditions.pop_if(|c| c.level >= level) {
            let d = Diagnostic::new(codes::UNCLOSED_BLOCK, "this `#if` has no `#endif`");
            self.findings.push(d.at(c.span));
        }
    }

    pub(super) fn insert(&mut self, m: Macro) {
        let n = shape(m.name.as_bytes());
        self.changes += 1;
        self.filter[n >> 6] |= 1 << (n & 63);
        self.names.insert(m.name.clone(), self.macros.len() as u32);
        self.macros.push(m);
    }

    pub(super) fn text(&self, t: &Token) -> &str {
        &self.arena[t.start as usize..t.end as usize]
    }

    /// What the line at `l.at` is. `statement` tells
    /// whether a statement may start with a word.
    pub fn line(&mut self, l: &Line<'_>, statement: &dyn Fn(&str) -> bool) -> Step {
        let bytes = l.text.as_bytes();
        if l.at >= bytes.len() {
            return Step::End;
        }
        let blank = bytes[l.at..]
            .iter()
            .take_while(|b| matches!(b, b' ' | b'\t'));
        let mark = blank.count();
        let kept = self.arena.len();
        self.keep = false;
        let step = if bytes.get(l.at + mark) == Some(&b'#') {
            self.directive(l, mark)
        } else if self.skipping() {
            // Only to find the end of the line: comments may hide a `#`.
            let next =
                scan::logical(l.text, l.at, self.rules, false).map_or(l.text.len(), |g| g.next);
            Step::Nothing { next }
        } else {
            self.statement(l, statement)
        };
        if !self.keep {
            self.arena.truncate(kept);
        }
        self.hides.forget();
        step
    }
}
