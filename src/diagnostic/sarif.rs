//! Findings as a SARIF 2.1.0 log, which code scanning services read.

use super::{Diagnostic, codes, text::clean};
use crate::text::source::{Sources, Span};
use serde_json::{Value, json};
use std::fmt::Write;

/// Where the layout is described.
const LAYOUT: &str = "https://json.schemastore.org/sarif-2.1.0.json";

/// A file's name as a URI: relative, with `/` between its parts.
fn uri(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    for b in name.bytes() {
        match b {
            b'\\' => out.push('/'),
            b'/' | b'-' | b'_' | b'.' | b'~' => out.push(b.into()),
            _ if b.is_ascii_alphanumeric() => out.push(b.into()),
            _ => drop(write!(out, "%{b:02X}")),
        }
    }
    out
}

/// A place: lines and columns (in characters) from 1, the end exclusive.
fn location(span: Span, sources: &Sources) -> Value {
    let span = sources.in_file(span);
    let source = sources.get(span.source);
    let (line, column) = source.line_column(span.start);
    let (end_line, end_column) = source.line_column(span.end.max(span.start));
    json!({
        "artifactLocation": { "uri": uri(&source.name) },
        "region": {
            "startLine": line,
            "startColumn": column,
            "endLine": end_line,
            "endColumn": end_column,
        },
    })
}

/// A finding as a `result`.
pub fn result(d: &Diagnostic, sources: &Sources) -> Value {
    let mut text = clean(&d.message).into_owned();
    let more = d.label.iter().chain(&d.notes).chain(&d.help);
    for line in more.flat_map(|t| t.lines()) {
        let _ = write!(text, "\n{}", clean(line));
    }
    let trail = d.trail.iter().map(|f| (f.span, f.what.as_str()));
    let others = d.related.iter().map(|(s, t)| (*s, t.as_str())).chain(trail);
    let others = others.enumerate().map(|(id, (span, what))| {
        json!({
            "id": id,
            "message": { "text": clean(what) },
            "physicalLocation": location(span, sources),
        })
    });
    let at = d.span.iter();
    let at = at.map(|s| json!({ "physicalLocation": location(*s, sources) }));
    json!({
        "ruleId": d.code,
        "level": d.level.name(),
        "message": { "text": text },
        "locations": at.collect::<Vec<_>>(),
        "relatedLocations": others.collect::<Vec<_>>(),
    })
}

/// The log of a run of the command: its [`result`]s, and what it says without a code,
/// each a level and a text. `done` tells that it came to its end.
pub fn log(results: &[Value], said: &[(&str, String)], done: bool) -> Value {
    let met = |e: &&codes::Entry| results.iter().any(|r| r["ruleId"] == e.code);
    let rules = codes::ALL.iter().filter(met).map(|e| {
        json!({
            "id": e.code,
            "name": if e.name.is_empty() { e.code } else { e.name },
            "shortDescription": { "text": e.title },
        })
    });
    let said = said
        .iter()
        .map(|(level, text)| json!({ "level": level, "message": { "text": clean(text) } }));
    json!({
        "$schema": LAYOUT,
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "scrimp",
                "version": env!("CARGO_PKG_VERSION"),
                "informationUri": env!("CARGO_PKG_REPOSITORY"),
                "rules": rules.collect::<Vec<_>>(),
            } },
            "columnKind": "unicodeCodePoints",
            "invocations": [{
                "executionSuccessful": done,
                "toolExecutionNotifications": said.collect::<Vec<_>>(),
            }],
            "results": results,
        }],
    })
}
