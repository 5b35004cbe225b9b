//! One line a finding, for editors and CI: `file:line:col: error: message [E0012]`, which is
//! what they take from gcc, and the commands of GitHub's workflows.

use super::text::clean;
use super::{Diagnostic, Level};
use crate::text::source::{Sources, Span};
use std::fmt::Write;

impl Level {
    /// `error`, `warning`, `note`
    pub fn name(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Note => "note",
        }
    }
}

/// `file:line:column`, cleaned.
pub fn place(sources: &Sources, span: Span) -> String {
    clean(&sources.place(span)).into_owned()
}

/// The line without an end, with the code at its end. A finding without a place starts with
/// `scrimp:`.
pub fn short(d: &Diagnostic, sources: &Sources) -> String {
    let at = begin(d, sources);
    format!("{at}: {}: {} [{}]", d.level.name(), said(d), d.code)
}

/// The same for people, who have the code in front: `file:line:col: error[E0012]: message`.
pub fn headline(d: &Diagnostic, sources: &Sources) -> String {
    let at = begin(d, sources);
    format!(
        "{at}: {}[{}]: {}",
        d.level.name(),
        d.code,
        clean(&d.message)
    )
}

/// A command of a GitHub workflow, which marks the line in a pull request.
pub fn github(d: &Diagnostic, sources: &Sources) -> String {
    let level = match d.level {
        Level::Note => "notice",
        level => level.name(),
    };
    let mut out = format!("::{level} title={}", d.code);
    if let Some(span) = d.span {
        let span = sources.in_file(span);
        let source = sources.get(span.source);
        let (line, column) = source.line_column(span.start);
        let file = escaped(&clean(&source.name)).replace(':', "%3A");
        let file = file.replace(',', "%2C");
        let _ = write!(out, ",file={file},line={line},col={column}");
    }
    let _ = write!(out, "::{}", escaped(&said(d)));
    out
}

fn escaped(text: &str) -> String {
    let text = text.replace('%', "%25");
    text.replace('\r', "%0D").replace('\n', "%0A")
}

fn begin(d: &Diagnostic, sources: &Sources) -> String {
    d.span
        .map_or_else(|| "scrimp".into(), |span| place(sources, span))
}

/// Message, label and help.
fn said(d: &Diagnostic) -> String {
    let mut out = clean(&d.message).into_owned();
    if let Some(label) = d.label.as_ref().filter(|l| !d.message.contains(*l)) {
        let _ = write!(out, " ({})", clean(label));
    }
    if let Some(help) = &d.help {
        let _ = write!(out, "; {}", clean(help));
    }
    out
}
