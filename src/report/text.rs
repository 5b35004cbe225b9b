//! The size report for a terminal or a log: decimal sizes, hexadecimal addresses.

use super::diff::{Changes, Key};
use super::{Sizes, percent, ruler, signed};
use crate::diagnostic::text::thousands;
use crate::image::origin::section_name;
use std::fmt::Write;

/// Routines that are listed one by one.
const MOST: usize = 40;
/// Cells of the longest bar.
const BAR: u64 = 20;

/// The report; with the changes since an earlier one in a last column.
pub fn text(sizes: &Sizes, since: Option<&Changes>) -> String {
    let mut out = String::new();
    let _ = write!(out, "{}: {} bytes", sizes.name, thousands(sizes.total));
    if let Some(c) = since {
        let _ = write!(out, " ({})", signed(c.total()));
    }
    out.push_str(&spaces(sizes));
    out.push_str("\n\n");
    out.push_str(&ruler::text(sizes));
    sections(&mut out, sizes, since);
    routines(&mut out, sizes, since);
    room(&mut out, sizes, since);
    if let Some(c) = since {
        out.push_str(&gone(c));
    }
    out
}

/// What each address space has: `: flash 78, eeprom 3; room in data 12`.
pub(super) fn spaces(sizes: &Sizes) -> String {
    let list = |room: bool| {
        let of = sizes.spaces.iter().filter(|s| s.room == room);
        let of = of.map(|s| format!("{} {}", s.name, thousands(s.bytes)));
        of.collect::<Vec<_>>().join(", ")
    };
    let (stored, room) = (list(false), list(true));
    let mut out = String::new();
    if !stored.is_empty() {
        let _ = write!(out, ": {stored}");
    }
    if !room.is_empty() {
        let _ = write!(out, "; room in {room}");
    }
    out
}

/// What lies in memory that the program does not bring along.
fn room(out: &mut String, sizes: &Sizes, since: Option<&Changes>) {
    let list: Vec<_> = sizes.routines.iter().filter(|r| r.room).collect();
    let shown = &list[..list.len().min(MOST)];
    let Some(longest) = shown.iter().map(|r| r.shown_name().chars().count()).max() else {
        return;
    };
    let width = longest.clamp(7, 40);
    let _ = writeln!(out, "\n{:<width$}  at      bytes", "room");
    for r in shown {
        let key = Key::Routine(r.section.clone(), r.name.clone());
        let _ = writeln!(
            out,
            "{:<width$}  {:04X} {:>8}{}",
            r.shown_name(),
            r.address,
            thousands(r.total),
            change(since, &key)
        );
    }
    let rest: u64 = list[shown.len()..].iter().map(|r| r.total).sum();
    if rest > 0 {
        let label = format!("… {} more", list.len() - shown.len());
        let _ = writeln!(out, "{label:<width$}       {:>8}", thousands(rest));
    }
}

fn change(since: Option<&Changes>, key: &Key) -> String {
    match since.and_then(|c| c.find(key)) {
        None => String::new(),
        Some(c) if c.before.is_none() => format!("  {} NEW", signed(c.change())),
        Some(c) => format!("  {}", signed(c.change())),
    }
}

fn sections(out: &mut String, sizes: &Sizes, since: Option<&Changes>) {
    let name = |n: &str| section_name(n).to_owned();
    let stored = || sizes.sections.iter().filter(|s| !s.room);
    let longest = sizes.sections.iter().map(|s| name(&s.name).chars().count());
    let width = longest.max().unwrap_or(0).max(7);
    let _ = writeln!(
        out,
        "\n{:<width$}  {:>7} {:>7} {:>7} {:>7} {:>8}",
        "section", "code", "data", "space", "padding", "total"
    );
    let mut row = |label: &str, bytes: super::Bytes, change: &str| {
        let _ = write!(out, "{label:<width$} ");
        for b in bytes.each() {
            let _ = write!(out, " {:>7}", thousands(b));
        }
        let _ = writeln!(
            out,
            " {:>8} {:>8}{change}",
            thousands(bytes.total()),
            percent(bytes.total(), sizes.total)
        );
    };
    for s in stored() {
        let key = Key::Section(s.name.clone());
        row(&name(&s.name), s.bytes, &change(since, &key));
    }
    if stored().count() > 1 {
        row("all", sizes.classes(), "");
    }
}

fn routines(out: &mut String, sizes: &Sizes, since: Option<&Changes>) {
    let stored: Vec<_> = sizes.routines.iter().filter(|r| !r.room).collect();
    let shown = &stored[..stored.len().min(MOST)];
    let longest = shown.iter().map(|r| r.shown_name().chars().count()).max();
    let width = longest.unwrap_or(0).clamp(7, 40);
    let most = shown.first().map_or(1, |r| r.total);
    let _ = writeln!(out, "\n{:<width$}  at      bytes", "routine");
    for r in shown {
        let key = Key::Routine(r.section.clone(), r.name.clone());
        let _ = writeln!(
            out,
            "{:<width$}  {:04X} {:>8}  {:<20} {:>8}{}",
            r.shown_name(),
            r.address,
            thousands(r.total),
            bar(r.total, most),
            percent(r.total, sizes.total),
            change(since, &key)
        );
    }
    let rest = &stored[shown.len()..];
    if !rest.is_empty() {
        let bytes: u64 = rest.iter().map(|r| r.total).sum();
        let label = format!("… {} more", rest.len());
        let _ = writeln!(
            out,
            "{label:<width$}       {:>8}  {:<20} {:>8}",
            thousands(bytes),
            "",
            percent(bytes, sizes.total)
        );
    }
}

/// A bar in eighths of a cell; what has bytes has a bar.
pub(super) fn bar(part: u64, most: u64) -> String {
    const EIGHTHS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
    let n = (part * BAR * 8 / most.max(1)).max(u64::from(part > 0));
    let mut out = "█".repeat((n / 8) as usize);
    out.push_str(EIGHTHS[(n % 8) as usize]);
    out
}

fn gone(c: &Changes) -> String {
    let mut out = String::new();
    for r in c.routines().filter(|r| r.after.is_none()) {
        let _ = writeln!(out, "{}  {} GONE", r.key.shown(), signed(r.change()));
    }
    out
}
