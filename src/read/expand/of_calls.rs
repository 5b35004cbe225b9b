//! Names that belong to one call of a macro or one round of a repeat, as long as its lines
//! last: a prefix before those that they define. A name in them means the nearest one, from
//! the innermost call to the program.
//!
//! `label.name` and `label.round.name` are such names outside, where a label stands before
//! the call or alone on the line above; otherwise the prefix has a `#` and cannot be written.

use crate::diagnostic::{Diagnostic, codes};
use crate::read::Assembler;
use crate::read::state::feeds::FeedKind;
use crate::read::words::Entry;
use crate::text::language::Directive;
use crate::text::lex::{Kind, Tok};

/// Longest prefix.
const MOST: usize = 1024;

impl Assembler<'_> {
    /// Gives the expansion that begins its names; the statement is at `t`.
    ///
    /// Lines that define nothing need none, so that each round of a long repeat does not bring
    /// its own of every name in it.
    pub(super) fn names_of_call(&mut self, t: &Tok, rounds: bool) {
        if !self.defines() {
            return;
        }
        let own = match self.label_before(t) {
            Some(label) => format!("{label}."),
            None => {
                let number = self.expansions.len();
                format!("{}{}#{number}.", self.naming.prefix, self.text(t))
            }
        };
        if own.len() > MOST {
            let text = "the names of calls in each other are too long";
            self.stop(Box::new(
                Diagnostic::new(codes::TOO_LONG, text).at(self.statement),
            ));
            return;
        }
        let first = if rounds { "0." } else { "" };
        let around = std::mem::replace(&mut self.naming.prefix, format!("{own}{first}"));
        if let Some(scope) = self.lines.scopes.last_mut() {
            scope.around = Some((around, own));
        }
    }

    /// Whether a line of the innermost expansion may define a name.
    fn defines(&self) -> bool {
        let Some(FeedKind::Lines { body, .. }) = self.lines.feeds.last().map(|f| &f.kind) else {
            return false;
        };
        body.lines.iter().any(|&(a, b)| {
            let line = &body.toks[a as usize..b as usize];
            let known = |t: &Tok| self.words.get(self.sources.slice(t.span));
            let first = line.first().map(known).unwrap_or_default();
            let new = |t: &Tok| first == Entry::default() && !self.is_macro(t);
            let names = |d| matches!(d, Directive::Equ | Directive::Set | Directive::Include);
            match (line, first.directive) {
                ([], _) => false,
                (_, Some(d)) => names(d),
                ([t], None) => new(t),
                ([t, next, ..], None) => {
                    let defines = known(next).directive.is_some_and(names);
                    next.kind == Kind::Colon || defines || new(t)
                }
            }
        })
    }

    /// The next round of the innermost repeat has names of its own.
    pub(super) fn names_of_round(&mut self, round: u64) {
        let level = self.lines.feeds.last().map(|f| f.scopes);
        if let Some(scope) = level.and_then(|n| self.lines.scopes.get(n))
            && let Some((_, own)) = &scope.around
        {
            self.naming.prefix = format!("{own}{round}.");
        }
    }

    /// The full name of the label that stands before a word, or alone on the line above.
    fn label_before(&self, t: &Tok) -> Option<String> {
        let label = self.symbols.get(self.naming.latest?);
        let span = label.span?;
        if span.source != t.span.source || span.end > t.span.start {
            return None;
        }
        let text = &self.sources.get(span.source).text;
        let between = text.get(span.end as usize..t.span.start as usize)?;
        let between = between.strip_prefix(':').unwrap_or(between);
        let mut lines = between.split('\n');
        let rest = lines.next()?.trim();
        let comment = rest.starts_with(';') || rest.starts_with("//");
        let alone = match (lines.next(), lines.next()) {
            (None, _) => rest.is_empty(),
            (Some(line), None) => (rest.is_empty() || comment) && line.trim().is_empty(),
            _ => false,
        };
        alone.then(|| label.name.to_string())
    }
}
