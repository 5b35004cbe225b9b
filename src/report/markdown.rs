//! The size report as Markdown tables, for a comment on a change.

use super::budget::Check;
use super::diff::{Changes, Key};
use super::{Sizes, percent, signed, text};
use crate::diagnostic::text::thousands;
use crate::image::origin::section_name;
use std::fmt::Write;

/// The report; with the changes since an earlier one in a last column.
pub fn markdown(sizes: &Sizes, since: Option<&Changes>) -> String {
    let mut out = String::new();
    let _ = write!(
        out,
        "**{}**: {} bytes",
        cell(&sizes.name),
        thousands(sizes.total)
    );
    if let Some(c) = since {
        let _ = write!(out, " ({})", signed(c.total()));
    }
    out.push_str(&text::spaces(sizes));
    out.push('\n');
    regions(&mut out, sizes);
    sections(&mut out, sizes, since);
    routines(&mut out, sizes, since);
    rooms(&mut out, sizes, since);
    out
}

/// What a table's head and the line below it end with.
fn last_column(since: Option<&Changes>) -> (&'static str, &'static str) {
    match since {
        Some(_) => (" change |", " ---: |"),
        None => ("", ""),
    }
}

fn regions(out: &mut String, sizes: &Sizes) {
    if !sizes.regions.is_empty() {
        out.push_str("\n| region | from | to | bytes | used | free |\n");
        out.push_str("| --- | --- | --- | ---: | ---: | ---: |\n");
    }
    for r in &sizes.regions {
        let _ = writeln!(
            out,
            "| {} | {:04X} | {:04X} | {} | {} | {} |",
            cell(&r.name),
            r.ends().0,
            r.ends().1,
            thousands(r.size),
            thousands(r.used),
            thousands(r.free)
        );
    }
}

fn sections(out: &mut String, sizes: &Sizes, since: Option<&Changes>) {
    let (head, line) = last_column(since);
    let _ = writeln!(
        out,
        "\n| section | code | data | space | padding | bytes | share |{head}"
    );
    let _ = writeln!(
        out,
        "| --- | ---: | ---: | ---: | ---: | ---: | ---: |{line}"
    );
    for s in sizes.sections.iter().filter(|s| !s.room) {
        let _ = write!(out, "| {} |", cell(section_name(&s.name)));
        for b in s.bytes.each() {
            let _ = write!(out, " {} |", thousands(b));
        }
        let _ = write!(
            out,
            " {} | {} |",
            thousands(s.total),
            percent(s.total, sizes.total)
        );
        change(out, since, &Key::Section(s.name.clone()));
    }
}

/// The routines with bytes, then those that are gone.
fn routines(out: &mut String, sizes: &Sizes, since: Option<&Changes>) {
    let (head, line) = last_column(since);
    let _ = writeln!(out, "\n| routine | at | bytes | share |{head}");
    let _ = writeln!(out, "| --- | --- | ---: | ---: |{line}");
    for r in sizes.routines.iter().filter(|r| !r.room) {
        let _ = write!(
            out,
            "| {} | {:04X} | {} | {} |",
            cell(&r.shown_name()),
            r.address,
            thousands(r.total),
            percent(r.total, sizes.total)
        );
        let key = Key::Routine(r.section.clone(), r.name.clone());
        change(out, since, &key);
    }
    for r in since.iter().flat_map(|c| c.routines()) {
        if r.after.is_none() {
            let _ = writeln!(
                out,
                "| {} | | GONE | | {} |",
                cell(&r.key.shown()),
                signed(r.change())
            );
        }
    }
}

/// What only has room.
fn rooms(out: &mut String, sizes: &Sizes, since: Option<&Changes>) {
    let (head, line) = last_column(since);
    let room: Vec<_> = sizes.routines.iter().filter(|r| r.room).collect();
    if !room.is_empty() {
        let _ = writeln!(out, "\n| room | at | bytes |{head}");
        let _ = writeln!(out, "| --- | --- | ---: |{line}");
    }
    for r in room {
        let name = cell(&r.shown_name());
        let _ = write!(
            out,
            "| {name} | {:04X} | {} |",
            r.address,
            thousands(r.total)
        );
        let key = Key::Routine(r.section.clone(), r.name.clone());
        change(out, since, &key);
    }
}

/// The budgets as a table; nothing where there are none.
pub fn budgets(checks: &[Check]) -> String {
    let mut out = String::new();
    if checks.is_empty() {
        return out;
    }
    out.push_str("\n| budget | used | limit | free |\n| --- | ---: | ---: | ---: |\n");
    for c in checks {
        let free = if c.holds() {
            thousands(c.free)
        } else {
            format!("**{} over**", thousands(c.over))
        };
        let _ = writeln!(
            out,
            "| {} | {} | {} | {free} |",
            cell(&c.name),
            thousands(c.used),
            thousands(c.limit)
        );
    }
    out
}

fn change(out: &mut String, since: Option<&Changes>, key: &Key) {
    if let Some(c) = since {
        let text = match c.find(key) {
            Some(c) if c.before.is_none() => format!("NEW {}", signed(c.change())),
            Some(c) => signed(c.change()),
            None => String::new(),
        };
        let _ = write!(out, " {text} |");
    }
    out.push('\n');
}

fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace('\n', " ")
}
