//! Findings at the place that a reader can change: the call of what a library brings,
//! the line that includes its own file.

use crate::diagnostic::{Diagnostic, codes};
use crate::read::Assembler;
use crate::read::expand::FeedKind;
use crate::text::language::Directive;
use crate::text::source::Span;

impl Assembler<'_> {
    /// Turns a finding in a text that is none of the user's files to the call that
    /// led there.
    pub(crate) fn lead_out(&self, d: &mut Diagnostic) {
        let brought = |s: Span| {
            let source = self.sources.get(s.source);
            source.name.starts_with('<') && !source.is_made()
        };
        let Some(inside) = d.span.filter(|s| brought(*s)) else {
            return;
        };
        let Some(call) = d.trail.iter().map(|f| f.span).find(|s| !brought(*s)) else {
            return;
        };
        let text = d.label.take().unwrap_or_else(|| "what it is about".into());
        d.related.insert(0, (inside, text));
        d.span = Some(call);
    }

    /// The word of the dialect for a directive.
    pub(crate) fn word_for(&self, d: Directive) -> Option<&'static str> {
        if let Some(own) = self.own.hooks.word(d) {
            return Some(own);
        }
        let words = self.dialect.words.directives.iter();
        words.clone().find(|w| w.1 == d).map(|w| w.0)
    }

    /// The finding for files that include each other, if one is being read twice.
    pub(crate) fn include_circle(&self) -> Option<Box<Diagnostic>> {
        let files: Vec<(usize, &str)> = self
            .lines
            .feeds
            .iter()
            .enumerate()
            .filter_map(|(i, f)| match f.kind {
                FeedKind::File { source, .. } if f.caller.is_none() => {
                    Some((i, self.sources.get(source).name.as_ref()))
                }
                _ => None,
            })
            .collect();
        let (second, first) = files.iter().enumerate().find_map(|(n, (_, name))| {
            let before = files[..n].iter().position(|o| o.1 == *name)?;
            Some((n, before))
        })?;
        let expansion = self.lines.feeds[files[second].0].own_expansion();
        let call = self.expansions.get(expansion as usize)?.call;
        let names: Vec<&str> = files[first..=second].iter().map(|f| f.1).collect();
        let message = match names[..] {
            [one, _] => format!("`{one}` includes itself"),
            _ => {
                let list: Vec<String> = names[1..].iter().map(|n| format!("`{n}`")).collect();
                format!("`{}` includes {}", names[0], list.join(", which includes "))
            }
        };
        let d = Diagnostic::new(codes::INCLUDE_LOOP, message).at(call);
        Some(Box::new(match self.word_for(Directive::IfNotDefined) {
            Some(word) => d.help(format!(
                "leave it out, or let `{word}` and a name that the file defines skip it"
            )),
            None => d.help("leave it out"),
        }))
    }

    /// Says why one place defines a name twice.
    pub(crate) fn same_place_twice(&self, d: Diagnostic, name: &str) -> Diagnostic {
        let lines = self.lines.feeds.last().is_some_and(|f| match f.kind {
            FeedKind::Lines { .. } => true,
            FeedKind::File { source, .. } => self.sources.get(source).is_made(),
        });
        if !lines {
            return d.note("its file is included more than once");
        }
        let d = d.note("a macro or repeat makes it again");
        match self.word_for(Directive::Local) {
            Some(word) => d.help(format!("make it new in each: `{word} {name}`")),
            None => d,
        }
    }
}
