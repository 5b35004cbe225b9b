//! `scrimp targets`: what scrimp knows.

use super::failure::Failure;
use super::terminal::Terminal;
use crate::{dialect, targets};
use std::fmt::Write;

/// Prints targets, machines, regions, file formats and dialects.
pub fn targets(terminal: &Terminal) -> Result<(), Failure> {
    let (bold, off) = if terminal.color {
        ("\x1b[1m", "\x1b[0m")
    } else {
        ("", "")
    };
    let mut out = String::new();
    for t in targets::all() {
        let _ = writeln!(
            out,
            "target {bold}{}{off}: {} ({} instruction forms)",
            t.name(),
            t.title(),
            t.forms().iter().filter(|f| f.spelling.is_empty()).count()
        );
        let names = t.machine_names();
        if names.len() > t.machines().len() {
            let _ = writeln!(out, "  {} machines:", names.len());
            for line in names.chunks(8) {
                let _ = writeln!(out, "    {}", line.join(" "));
            }
        }
        for m in t.machines() {
            let _ = writeln!(out, "  machine {bold}{}{off}: {}", m.name(), m.title());
            for r in m.regions() {
                let last = r.start + r.size.saturating_sub(1);
                let _ = writeln!(
                    out,
                    "    region {:<10} {:04X}-{last:04X}  {:>6} bytes",
                    r.name, r.start, r.size
                );
            }
            for c in m.containers() {
                let _ = writeln!(out, "    format {:<10} {}", c.name, c.about);
            }
            for (file, _) in m.library() {
                let _ = writeln!(out, "    include <{file}>");
            }
        }
    }
    for w in crate::write::WRITERS {
        let _ = writeln!(out, "format {bold}{}{off}: {}", w.name, w.about);
    }
    let _ = writeln!(out, "dialects: {}", dialect::names().join(", "));
    let shipped: Vec<_> = crate::session::shipped::names().collect();
    let _ = writeln!(out, "programs: {}", shipped.join(", "));
    terminal.print_styled(&out)
}
