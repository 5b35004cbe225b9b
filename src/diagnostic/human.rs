//! A finding for people: place and message, the source lines with the faulty
//! text underlined (drawn by ariadne), notes, help, and the way that led there.
//!
//! Only the lines that are shown are handed to ariadne: it indexes a whole text,
//! which costs 45 ms for 12 MB, and would do so for each finding.

use super::short::{self, place};
use super::text::{clean, shown};
use super::{Diagnostic, Level};
use crate::text::source::{Source, SourceId, Sources, Span};
use anstream::adapter::strip_str;
use ariadne::{Cache, Color, Config, Label, Report, ReportKind};
use std::fmt::Write;

/// Longest line that is drawn, in bytes.
const LONGEST_LINE: usize = 300;
/// Lines this far apart are drawn as one excerpt.
const NEAR: usize = 8;
/// ariadne numbers lines from the start of what it is given (its line offset moves the
/// heading only), so excerpts begin with empty lines. Past this line that is too slow.
const LAST_LINE: usize = 99_999;
/// Columns of a line that is too long, or too far down, to be drawn by ariadne.
const WIDTH: usize = 72;

/// Lines of one source that are shown together.
struct Window {
    source: SourceId,
    first: usize,
    last: usize,
}

/// The text of a window and where its first line starts in the source.
struct Excerpt {
    name: String,
    start: usize,
    /// Empty lines before the text, so that its lines have their numbers.
    ahead: usize,
    text: ariadne::Source<String>,
}

struct Excerpts(Vec<Excerpt>);

impl Cache<usize> for &Excerpts {
    type Storage = String;
    fn fetch(&mut self, id: &usize) -> Result<&ariadne::Source<String>, impl std::fmt::Debug> {
        self.0.get(*id).map(|e| &e.text).ok_or("no such excerpt")
    }
    fn display<'a>(&self, id: &'a usize) -> Option<impl std::fmt::Display + 'a> {
        self.0.get(*id).map(|e| e.name.clone())
    }
}

/// A finding in full, with an end of line.
pub fn human(d: &Diagnostic, sources: &Sources, color: bool) -> String {
    let mut out = headline(d, sources, color);
    out.push('\n');
    match draw(d, sources, color) {
        Some(drawing) => out.push_str(&drawing),
        None => {
            for (span, text) in marks(d) {
                sketch(&mut out, span, text, sources);
            }
        }
    }
    for note in &d.notes {
        remark(&mut out, "note", note, color);
    }
    if let Some(help) = &d.help {
        remark(&mut out, "help", help, color);
    }
    for frame in &d.trail {
        let _ = writeln!(
            out,
            "   = {} at {}",
            clean(&frame.what),
            place(sources, frame.span)
        );
    }
    out
}

fn remark(out: &mut String, kind: &str, text: &str, color: bool) {
    let (on, off) = if color {
        ("\x1b[1m", "\x1b[0m")
    } else {
        ("", "")
    };
    // A remark may have lines of its own, such as the words of a path.
    let mut lines = text.lines();
    let first = lines.next().unwrap_or_default();
    let _ = writeln!(out, "   = {on}{kind}{off}: {}", clean(first));
    for line in lines {
        let _ = writeln!(out, "     {}", clean(line));
    }
}

fn headline(d: &Diagnostic, sources: &Sources, color: bool) -> String {
    let plain = short::headline(d, sources);
    if !color {
        return plain;
    }
    let kind = format!("{}[{}]", d.level.name(), d.code);
    let paint = match d.level {
        Level::Error => "\x1b[1;31m",
        Level::Warning => "\x1b[1;33m",
        Level::Note => "\x1b[1;36m",
    };
    match plain.split_once(&kind) {
        Some((before, after)) => format!("{before}{paint}{kind}\x1b[0m\x1b[1m{after}\x1b[0m"),
        None => plain,
    }
}

/// The spans to underline with their texts, the main one first. ariadne underlines
/// nothing that has no text.
fn marks(d: &Diagnostic) -> Vec<(Span, &str)> {
    let main = d
        .span
        .iter()
        .map(|&s| (s, d.label.as_deref().unwrap_or("here")));
    let rest = d.related.iter().map(|(s, t)| (*s, t.as_str()));
    main.chain(rest).take(8).collect()
}

fn draw(d: &Diagnostic, sources: &Sources, color: bool) -> Option<String> {
    let marks = marks(d);
    let lines: Vec<(SourceId, usize)> = marks
        .iter()
        .map(|(s, _)| (s.source, sources.get(s.source).line_column(s.start).0))
        .collect();
    if lines.is_empty() {
        return None;
    }
    for &(id, line) in &lines {
        if number(sources, id, line) > LAST_LINE || sources.get(id).line(line).len() > LONGEST_LINE
        {
            return None;
        }
    }
    let windows = windows(&lines, sources);
    let excerpts = Excerpts(windows.iter().map(|w| excerpt(w, sources)).collect());
    let spans: Vec<(usize, std::ops::Range<usize>)> = marks
        .iter()
        .zip(&lines)
        .map(|(&(span, _), &(id, line))| {
            let w = windows
                .iter()
                .position(|w| w.source == id && (w.first..=w.last).contains(&line))
                .unwrap_or(0);
            (w, chars(span, line, sources.get(id), &excerpts.0[w]))
        })
        .collect();
    // ariadne joins what comes in order of line.
    let order = |i: usize| (spans[i].0 * LAST_LINE + lines[i].1) as i32;
    let paint = |i: usize| match (i, d.level) {
        (0, Level::Error) => Color::Red,
        (0, Level::Warning) => Color::Yellow,
        _ => Color::Cyan,
    };
    let config = Config::default().with_color(color).with_tab_width(8);
    let mut report = Report::build(ReportKind::Error, spans[0].clone()).with_config(config);
    for (i, (span, (_, text))) in spans.iter().zip(&marks).enumerate() {
        let mut label = Label::new(span.clone())
            .with_order(order(i))
            .with_message(clean(text));
        if color {
            label = label.with_color(paint(i));
        }
        report.add_label(label);
    }
    let mut drawn = Vec::new();
    report.finish().write(&excerpts, &mut drawn).ok()?;
    let drawn = String::from_utf8(drawn).ok()?;
    // Our own headline stands for its first line and has the place of the second.
    let mut body = drawn.lines().skip(1);
    let indent = body.next()?.find(|c| c != ' ')?;
    let corner = if color {
        "\x1b[38;5;246m╭─\x1b[0m"
    } else {
        "╭─"
    };
    let mut out = format!("{:indent$}{corner}\n", "");
    for line in body {
        // Empty margin lines say nothing.
        if !matches!(strip_str(line).to_string().trim(), "│" | "") {
            out.push_str(line.trim_end());
            out.push('\n');
        }
    }
    Some(out)
}

/// A part of one line with the span underlined.
fn sketch(out: &mut String, span: Span, text: &str, sources: &Sources) {
    let source = sources.get(span.source);
    let (line, column) = source.line_column(span.start);
    let first = (column - 1).saturating_sub(WIDTH / 2);
    let before = column - 1 - first;
    let whole = source.line(line);
    // From so many characters before the place on.
    let at = (span.start - source.line_start(line)) as usize;
    let ahead = whole.get(..at).map(|t| t.char_indices().rev().take(before));
    let from = ahead.and_then(|a| a.last()).map_or(at, |a| a.0);
    let part = whole.get(from.min(whole.len())..).unwrap_or("");
    let part: String = part.chars().take(WIDTH).map(shown).collect();
    let part = part.replace('\t', " ");
    let wide = (span.end.saturating_sub(span.start) as usize)
        .min(part.chars().count().saturating_sub(before))
        .max(1);
    let number = line.to_string();
    let margin = number.len();
    let _ = writeln!(out, " {number} │ {part}");
    let _ = writeln!(
        out,
        " {:margin$} │ {:before$}{} {}",
        "",
        "",
        "─".repeat(wide),
        clean(text)
    );
}

/// Joins lines of the same text that are near each other.
fn windows(lines: &[(SourceId, usize)], sources: &Sources) -> Vec<Window> {
    let mut out: Vec<Window> = Vec::new();
    for &(source, line) in lines {
        // Texts that macros made for different lines do not belong together.
        let reach = if sources.get(source).is_made() {
            0
        } else {
            NEAR
        };
        let near = out
            .iter_mut()
            .find(|w| w.source == source && line + reach >= w.first && line <= w.last + reach);
        let short = |w: &Window| {
            (w.first.min(line)..=w.last.max(line))
                .all(|l| sources.get(source).line(l).len() <= LONGEST_LINE)
        };
        match near {
            Some(w) if short(w) => {
                w.first = w.first.min(line);
                w.last = w.last.max(line);
            }
            _ => out.push(Window {
                source,
                first: line,
                last: line,
            }),
        }
    }
    out
}

/// Number of a line: that in the file for a text that macros made.
fn number(sources: &Sources, id: SourceId, line: usize) -> usize {
    let source = sources.get(id);
    if !source.is_made() {
        return line;
    }
    let at = sources.in_file(Span::new(id, source.line_start(line), 0));
    sources.get(at.source).line_column(at.start).0
}

fn excerpt(w: &Window, sources: &Sources) -> Excerpt {
    let source = sources.get(w.source);
    let ahead = number(sources, w.source, w.first) - 1;
    let mut text = "\n".repeat(ahead);
    for line in w.first..=w.last {
        text.extend(source.line(line).chars().map(shown));
        text.push('\n');
    }
    Excerpt {
        name: clean(&source.name).into_owned(),
        start: w.first,
        ahead,
        text: ariadne::Source::from(text),
    }
}

/// A span in characters of the excerpt, cut to its first line, one at least.
fn chars(span: Span, line: usize, source: &Source, e: &Excerpt) -> std::ops::Range<usize> {
    let before: usize = (e.start..line)
        .map(|l| source.line(l).chars().count() + 1)
        .sum();
    let column = source.line_column(span.start).1 - 1;
    let text = source.line(line);
    let width = source
        .text
        .get(span.start as usize..span.end.max(span.start) as usize)
        .map_or(1, |s| {
            s.chars()
                .take(LONGEST_LINE)
                .take_while(|&c| c != '\n')
                .count()
        });
    let left = text.chars().count().saturating_sub(column);
    let start = e.ahead + before + column.min(text.chars().count());
    start..start + width.min(left).max(1)
}
