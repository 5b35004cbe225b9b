//! One line a finding, for editors: `file:line:col: error[E0012]: message`.

use super::text::clean;
use super::{Diagnostic, Level};
use crate::source::{Sources, Span};
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

/// The line without an end. A finding without a place starts with `scrimp:`.
pub fn short(d: &Diagnostic, sources: &Sources) -> String {
    let mut out = d
        .span
        .map_or_else(|| "scrimp".into(), |span| place(sources, span));
    let _ = write!(
        out,
        ": {}[{}]: {}",
        d.level.name(),
        d.code,
        clean(&d.message)
    );
    if let Some(label) = d.label.as_ref().filter(|l| !d.message.contains(*l)) {
        let _ = write!(out, " ({})", clean(label));
    }
    if let Some(help) = &d.help {
        let _ = write!(out, "; {}", clean(help));
    }
    out
}
