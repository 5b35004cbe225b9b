//! Memory map for people: regions with what is used and free, sections, gaps,
//! symbols by address.

use super::context::{Context, address_digits};
use crate::image::origin::{place, section_name};
use crate::image::{Chunk, SymbolKind};
use crate::report::{Sizes, ruler};
use std::fmt::Write;

/// Writes it.
pub fn write(c: &Context<'_>) -> Vec<u8> {
    let sizes = Sizes::of(c.name, c.image, c.sources, c.target);
    let digits = address_digits(c.image);
    let mut out = String::new();
    let _ = writeln!(out, "{}: {} bytes", c.name, sizes.total);
    if let Some(entry) = c.image.entry {
        let _ = writeln!(out, "entry {entry:0digits$X}");
    }
    out.push('\n');
    out.push_str(&ruler::text(&sizes));
    memory(&mut out, c, digits);
    sections(&mut out, &sizes);
    symbols(&mut out, c, digits, "labels", SymbolKind::Label);
    symbols(&mut out, c, digits, "constants", SymbolKind::Constant);
    out.into_bytes()
}

/// The chunks by address, with the gaps between them.
fn memory(out: &mut String, c: &Context<'_>, digits: usize) {
    let chunks = c.image.chunks.iter();
    let mut chunks: Vec<&Chunk> = chunks.filter(|k| !k.bytes.is_empty()).collect();
    chunks.sort_by_key(|k| k.address);
    let _ = writeln!(out, "\nmemory");
    let mut at: Option<u64> = None;
    for k in chunks {
        // Between two spaces there is no gap.
        let base = c.image.space_of(k.address).map_or(0, |s| s.base);
        if let Some(end) = at.filter(|end| *end < k.address && *end > base) {
            let _ = writeln!(
                out,
                "  {:0digits$X}-{:0digits$X} {:>6}  (gap)",
                c.image.local(end),
                c.image.local(k.address - 1),
                k.address - end
            );
        }
        let end = k.address + k.bytes.len() as u64;
        let name = section_name(&c.image.sections[k.section as usize].name);
        let _ = write!(
            out,
            "  {:0digits$X}-{:0digits$X} {:>6}  {name}",
            c.image.local(k.address),
            c.image.local(end - 1),
            k.bytes.len()
        );
        if k.load != k.address {
            let _ = write!(out, ", stored at {:0digits$X}", k.load);
        }
        out.push('\n');
        at = Some(at.map_or(end, |a| a.max(end)));
    }
}

/// The bytes of each section by class.
fn sections(out: &mut String, sizes: &Sizes) {
    let _ = writeln!(out, "\nsections: code, data, space, padding, all");
    for s in &sizes.sections {
        let _ = write!(out, " ");
        for b in s.bytes.each() {
            let _ = write!(out, " {b:>6}");
        }
        let _ = write!(out, " {:>6}  {}", s.total, section_name(&s.name));
        if let Some(r) = &s.region {
            let _ = write!(out, " in {r}");
        }
        out.push('\n');
    }
}

/// All symbols of a kind by value.
fn symbols(out: &mut String, c: &Context<'_>, digits: usize, title: &str, kind: SymbolKind) {
    let mut list: Vec<_> = c.image.symbols.iter().filter(|s| s.kind == kind).collect();
    if list.is_empty() {
        return;
    }
    list.sort_by(|a, b| a.value.cmp(&b.value).then_with(|| a.name.cmp(&b.name)));
    let _ = writeln!(out, "\n{title}");
    for s in list {
        let _ = match u64::try_from(s.value) {
            Ok(v) => write!(out, "  {v:0digits$X}"),
            Err(_) => write!(out, "  {:>digits$}", s.value),
        };
        let _ = write!(out, "  {}", s.name);
        if let Some(span) = s.span {
            let _ = write!(out, "  {}", place(c.sources, span));
        }
        out.push_str(if s.used { "\n" } else { "  (unused)\n" });
    }
}
