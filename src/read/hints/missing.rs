//! Findings of the stages behind the reading, as the reader can explain them.

use crate::diagnostic::{Level, codes};
use crate::program::eval::Miss;
use crate::program::problems::{Problem, Problems};
use crate::read::Assembler;
use crate::read::hints::operands::UNFINISHED;
use crate::text::language::Directive;
use crate::text::source::Span;

impl Assembler<'_> {
    /// Records what a stage found.
    pub(crate) fn settle(&mut self, problems: Problems) {
        for p in problems.into_list() {
            if self.fatal {
                return;
            }
            match p {
                Problem::Finding(d, expansion) => self.report_in(*d, expansion),
                Problem::Missing(m, span, expansion) => self.report_miss(m, span, expansion),
                Problem::More(d, n) => self.account.findings.more(*d, n),
            }
        }
    }

    /// Records a missing value, where it is used first.
    fn report_miss(&mut self, m: Miss, span: Span, expansion: u32) {
        let Miss::Undefined(id) = m else {
            let d = self.miss(m, span);
            self.report_in(d, expansion);
            return;
        };
        // The use that names it, not the one it was resolved to from inside.
        let first = self.symbols.get(id).first_use;
        let (at, expansion) = first.unwrap_or((span, expansion));
        let mut d = self.miss(m, at);
        if self.account.limits.is_trial() {
            return self.report_in(d, expansion);
        }
        if self.fails_to_define(at) {
            return;
        }
        let name = self.symbols.get(id).name.clone();
        if d.code == codes::BAD_CALL {
            let call = self.expansions.get(expansion as usize);
            if let Some(call) = call.map(|e| e.call) {
                d = d.related(at, "used here").at(call);
            }
        } else if d.code == codes::BAD_OPERANDS {
            if let Some(found) = self.register_help(at) {
                if found.span == Some(at) && found.label.as_deref() == Some(UNFINISHED) {
                    d.label = found.label;
                }
                d.notes = found.notes;
                d.help = found.help;
            }
        } else if let Some(odd) = self.odd_character(at) {
            d = *odd;
        } else if let Some(help) = self.library_defines(&name) {
            d = d.help(help);
        } else if let Some(help) = self.job.target.elsewhere(&name, self.machine) {
            d = d.help(help);
        } else if let Some(n) = self.account.nearest(&name, self.symbols.names()) {
            let n = self.dialect.names.dots.written(n);
            d = d.help(match n == self.dialect.names.dots.written(&name) {
                true => format!("there is a `{n}` that is local to another file or call"),
                false => format!("did you mean `{n}`?"),
            });
        } else if let Some(help) = self.dialect.number_instead(&name) {
            d = d.help(format!("if it is a number, {help}"));
        }
        self.report_in(d, expansion);
    }

    /// Whether a line with an error would have given the name that is used there a value.
    fn fails_to_define(&self, used: Span) -> bool {
        let used = self.sources.slice(used);
        let all = self.account.findings.kept().iter();
        let mut told = all.filter(|d| d.level == Level::Error && d.code != codes::UNKNOWN_SYMBOL);
        told.any(|d| {
            let Some(span) = d.span.filter(|_| d.trail.is_empty()) else {
                return false;
            };
            let span = self.sources.in_file(span);
            let source = self.sources.get(span.source);
            let line = source.line(source.line_column(span.start).0);
            let ends = |c: char| c.is_whitespace() || matches!(c, ':' | '=' | ',');
            let mut words = line.split(ends).filter(|w| !w.is_empty());
            let first = words.next().unwrap_or("");
            let is_name = |w: &str| w.eq_ignore_ascii_case(used);
            let directive = self.words.get(first).directive;
            let gives = matches!(directive, Some(Directive::Equ | Directive::Set));
            is_name(first) || gives && words.next().is_some_and(is_name)
        })
    }
}
