//! What the stages behind the reading find out, in the order in which they do.

use crate::diagnostic::MAX_FINDINGS;
use crate::diagnostic::{Diagnostic, Level};
use crate::image::NONE;
use crate::program::eval::Miss;
use crate::program::symbol::SymbolId;
use crate::text::source::Span;
use rustc_hash::FxHashSet;

/// Most findings of a code that are kept whole.
const KEPT: usize = 10 * MAX_FINDINGS;

/// Something that was found.
#[derive(Debug)]
pub enum Problem {
    /// A finding, and the expansion that it happened in.
    Finding(Box<Diagnostic>, u32),
    /// A value that cannot be had, where, and in which expansion.
    Missing(Miss, Span, u32),
    /// So many more like this one.
    More(Box<Diagnostic>, usize),
}

/// What was found. An undefined symbol is told once, where it is used first.
#[derive(Debug, Default)]
pub struct Problems {
    list: Vec<Problem>,
    told: FxHashSet<SymbolId>,
    errors: usize,
    /// How many warnings and notes there are of each code, and one of those that are not kept.
    others: Vec<(&'static str, usize, Option<Box<Diagnostic>>)>,
}

impl Problems {
    /// Adds a finding; of errors no more are kept than are shown.
    pub fn found(&mut self, d: Diagnostic, expansion: u32) {
        if d.level == Level::Error {
            self.errors += 1;
            if self.errors > MAX_FINDINGS {
                return;
            }
        } else if self.is_one_more(&d) {
            return;
        }
        self.list.push(Problem::Finding(Box::new(d), expansion));
    }

    /// Counts a warning or a note; whether there are so many of its code that it is not kept.
    fn is_one_more(&mut self, d: &Diagnostic) -> bool {
        let at = self.others.iter().position(|o| o.0 == d.code);
        let at = at.unwrap_or_else(|| {
            self.others.push((d.code, 0, None));
            self.others.len() - 1
        });
        let (_, count, one) = &mut self.others[at];
        *count += 1;
        if *count > KEPT && one.is_none() {
            *one = Some(Box::new(d.clone()));
        }
        *count > KEPT
    }

    /// Adds findings that happened in no expansion.
    pub fn all(&mut self, found: Vec<Diagnostic>) {
        for d in found {
            self.found(d, NONE);
        }
    }

    /// Adds a missing value, unless its symbol is told already.
    pub fn miss(&mut self, m: Miss, span: Span, expansion: u32) {
        match m {
            Miss::Undefined(id) | Miss::Circular(id) if !self.told.insert(id) => {}
            _ => self.miss_again(m, span, expansion),
        }
    }

    /// Adds a missing value.
    pub fn miss_again(&mut self, m: Miss, span: Span, expansion: u32) {
        self.errors += 1;
        self.list.push(Problem::Missing(m, span, expansion));
    }

    /// Number of errors.
    pub fn errors(&self) -> usize {
        self.errors
    }

    /// Whether more would help nobody.
    pub fn enough(&self) -> bool {
        self.errors >= MAX_FINDINGS
    }

    /// What was found, in order, and what was only counted.
    pub fn into_list(mut self) -> Vec<Problem> {
        let more = |(_, n, d): (_, usize, Option<_>)| Some(Problem::More(d?, n - KEPT));
        self.list.extend(self.others.into_iter().filter_map(more));
        self.list
    }
}
