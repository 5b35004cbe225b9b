//! One JSON object a line for each finding.

use super::{Diagnostic, codes, text::clean};
use crate::text::source::{Sources, Span};
use serde::Serialize;

/// Number of the layout of these objects; it changes when a field changes its
/// meaning or goes away.
pub const SCHEMA: u32 = 1;

/// A place: lines and columns (in characters) from 1, the end exclusive; bytes
/// from 0.
#[derive(Serialize)]
struct Place {
    file: String,
    line: usize,
    column: usize,
    end_line: usize,
    end_column: usize,
    start: u32,
    end: u32,
}

#[derive(Serialize)]
struct Remark {
    #[serde(flatten)]
    place: Place,
    message: String,
}

#[derive(Serialize)]
struct Line<'a> {
    schema: u32,
    code: &'a str,
    /// Of a warning, by which it is silenced or denied.
    #[serde(skip_serializing_if = "str::is_empty")]
    name: &'a str,
    level: &'a str,
    message: String,
    #[serde(flatten)]
    place: Option<Place>,
    label: Option<String>,
    related: Vec<Remark>,
    notes: Vec<String>,
    help: Option<String>,
    trail: Vec<Remark>,
}

fn place(sources: &Sources, span: Span) -> Place {
    let span = sources.in_file(span);
    let source = sources.get(span.source);
    let (line, column) = source.line_column(span.start);
    let (end_line, end_column) = source.line_column(span.end.max(span.start));
    Place {
        file: source.name.to_string(),
        line,
        column,
        end_line,
        end_column,
        start: span.start,
        end: span.end,
    }
}

/// The object, on one line.
pub fn json(d: &Diagnostic, sources: &Sources) -> String {
    let remark = |span: Span, message: &str| Remark {
        place: place(sources, span),
        message: clean(message).into_owned(),
    };
    let line = Line {
        schema: SCHEMA,
        code: d.code,
        name: codes::name(d.code),
        level: d.level.name(),
        message: clean(&d.message).into_owned(),
        place: d.span.map(|s| place(sources, s)),
        label: d.label.as_deref().map(|l| clean(l).into_owned()),
        related: d.related.iter().map(|(s, t)| remark(*s, t)).collect(),
        notes: d
            .notes
            .iter()
            .flat_map(|n| n.lines())
            .map(|n| clean(n).into_owned())
            .collect(),
        help: d.help.as_deref().map(|h| clean(h).into_owned()),
        trail: d.trail.iter().map(|f| remark(f.span, &f.what)).collect(),
    };
    serde_json::to_string(&line).unwrap_or_default()
}
