//! What came of tests, for people and for tools: text, TAP, JUnit's XML, JSON.

use super::suite::{Outcome, Report};
use crate::image::origin::file_name;
use crate::text::source::{Sources, Span};
use serde_json::json;
use std::fmt::Write;

/// Number of the layout of the JSON.
pub const SCHEMA: u32 = 1;

/// `file:line` of a place.
pub fn place(sources: &Sources, span: Span) -> String {
    let source = sources.get(span.source);
    let line = source.line_column(span.start).0;
    format!("{}:{line}", file_name(sources, span.source))
}

/// A test as people read it.
pub fn line(o: &Outcome, sources: &Sources, cycles: &str) -> String {
    let mut out = match o.failures.is_empty() {
        true => format!("ok    {} ({} {cycles})\n", o.name, o.clocks),
        false => format!("FAIL  {} ({})\n", o.name, place(sources, o.head)),
    };
    for f in &o.failures {
        let text = f.message.replace('\n', "\n        ");
        let _ = writeln!(out, "      {}: {text}", place(sources, f.span));
    }
    for s in &o.skipped {
        let _ = writeln!(out, "      skipped: {s}");
    }
    out
}

/// The last line for people.
pub fn summary(report: &Report) -> String {
    let (passed, failed) = report.counts();
    let mut out = String::new();
    match report.accepted {
        0 => {}
        1 => out += "1 snapshot accepted\n",
        n => out += &format!("{n} snapshots accepted\n"),
    }
    out + &format!("{passed} passed, {failed} failed\n")
}

/// By the Test Anything Protocol, version 14.
pub fn tap(report: &Report, sources: &Sources) -> String {
    let mut out = format!("TAP version 14\n1..{}\n", report.outcomes.len());
    for (i, o) in report.outcomes.iter().enumerate() {
        let not = if o.failures.is_empty() { "" } else { "not " };
        let name: String = o
            .name
            .chars()
            .map(|c| if c == '\n' { ' ' } else { c })
            .collect();
        let name = name.replace('\\', "\\\\").replace('#', "\\#");
        let _ = writeln!(out, "{not}ok {} - {name}", i + 1);
        if o.failures.is_empty() {
            continue;
        }
        out += "  ---\n  failures:\n";
        for f in &o.failures {
            // A text of JSON is one of YAML.
            let _ = writeln!(
                out,
                "    - at: {}\n      message: {}",
                json!(place(sources, f.span)),
                json!(f.message)
            );
        }
        out += "  ...\n";
    }
    out
}

/// As JUnit writes it and CI reads it.
pub fn junit(report: &Report, sources: &Sources, program: &str) -> String {
    let (_, failed) = report.counts();
    let seconds = |clocks: u64| clocks as f64 / report.clock.max(1) as f64;
    let all = report.outcomes.iter().map(|o| o.clocks).sum();
    let count = report.outcomes.len();
    let name = xml(program);
    let mut out = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <testsuites name=\"scrimp\" tests=\"{count}\" failures=\"{failed}\">\n\
         <testsuite name=\"{name}\" tests=\"{count}\" failures=\"{failed}\" errors=\"0\" \
         time=\"{:.6}\">\n",
        seconds(all)
    );
    for o in &report.outcomes {
        let at = place(sources, o.head);
        let (file, number) = at.rsplit_once(':').unwrap_or((&at, "1"));
        let _ = write!(
            out,
            "<testcase classname=\"{name}\" name=\"{}\" file=\"{}\" line=\"{number}\" \
             time=\"{:.6}\"",
            xml(&o.name),
            xml(file),
            seconds(o.clocks)
        );
        if o.failures.is_empty() {
            out += "/>\n";
            continue;
        }
        out += ">\n";
        for f in &o.failures {
            let first = f.message.lines().next().unwrap_or("");
            let _ = writeln!(
                out,
                "<failure message=\"{}\">{}: {}</failure>",
                xml(first),
                xml(&place(sources, f.span)),
                xml(&f.message)
            );
        }
        out += "</testcase>\n";
    }
    out + "</testsuite>\n</testsuites>\n"
}

/// A text as XML has it; what no XML may have is `?`.
fn xml(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '&' => out += "&amp;",
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            '"' => out += "&quot;",
            '\n' => out += "&#10;",
            c if c < ' ' && c != '\t' || ('\u{fffe}'..='\u{ffff}').contains(&c) => out.push('?'),
            c => out.push(c),
        }
    }
    out
}

/// All that is known.
pub fn json(report: &Report, sources: &Sources, program: &str) -> serde_json::Value {
    let (passed, failed) = report.counts();
    let tests = report.outcomes.iter().map(|o| {
        let failures = o
            .failures
            .iter()
            .map(|f| json!({ "place": place(sources, f.span), "message": f.message }));
        json!({
            "name": o.name,
            "place": place(sources, o.head),
            "passed": o.failures.is_empty(),
            "failures": failures.collect::<Vec<_>>(),
            "skipped": o.skipped,
            "clocks": o.clocks,
        })
    });
    json!({
        "schema": SCHEMA,
        "program": program,
        "passed": passed,
        "failed": failed,
        "tests": tests.collect::<Vec<_>>(),
    })
}
