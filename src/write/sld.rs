//! Source level debugging data, version 1, as DeZog reads it.
//!
//! UTF-8 text, fields separated by `|`: source file, line, definition file, its
//! line, page, value, type, data. The memory is one page of 64K in one slot (what
//! that debugger knows as NOSLOT64K). A `T` row for each instruction, its source
//! side the outermost macro call and its definition side the line in the macro; an
//! `L` row for each label and constant. What comes from a text that is no file has the
//! line that includes it. No rows of comments are written, so none are announced.

use super::context::Context;
use crate::image::origin::{file_name, pieces, written};
use crate::image::{Expansion, ExpansionKind, NONE, Symbol, SymbolKind};
use crate::text::source::{SourceId, Span};
use std::fmt::Write;

/// Writes it.
pub fn write(c: &Context<'_>) -> Vec<u8> {
    let mut out = String::from("|SLD.data.version|1\n");
    if let Some((main, _)) = c.sources.iter().find(|(id, _)| is_file(c, *id)) {
        let _ = writeln!(
            out,
            "{}|1||0|-1|-1|Z|pages.size:65536,pages.count:32,slots.count:1,slots.adr:0",
            field(file_name(c.sources, main))
        );
    }
    let mut labels: Vec<&Symbol> = c
        .image
        .symbols
        .iter()
        .filter(|s| s.span.is_some() && !s.name.contains('#'))
        .collect();
    labels.sort_by(|a, b| {
        let rank = |s: &Symbol| (s.kind == SymbolKind::Label, s.value);
        rank(a).cmp(&rank(b)).then_with(|| a.name.cmp(&b.name))
    });
    let mut traces: Vec<(u64, Span, Span)> = pieces(c.image)
        .filter(|p| p.run.form != NONE)
        .map(|p| (p.address(), written(c.image, &p.run), p.run.span))
        .collect();
    traces.sort_by_key(|t| t.0);
    let mut traces = traces.into_iter().peekable();
    // In order of address: the debugger files a trace under the label before it.
    for s in labels {
        if s.kind == SymbolKind::Label {
            while let Some(t) = traces.next_if(|t| (t.0 as i64) < s.value) {
                trace(&mut out, c, t);
            }
        }
        label(&mut out, c, s);
    }
    for t in traces {
        trace(&mut out, c, t);
    }
    out.into_bytes()
}

/// Whether a text is a file that a debugger can open.
fn is_file(c: &Context<'_>, id: SourceId) -> bool {
    let source = c.sources.get(id);
    !source.library && !source.is_made() && !source.name.starts_with('<')
}

/// The place in a file that a span stands for: for a text that comes with the target or
/// the machine where it is included.
fn in_file(c: &Context<'_>, span: Span) -> Option<Span> {
    let mut span = c.sources.in_file(span);
    // Texts include each other so deep at most.
    for _ in 0..256 {
        if is_file(c, span.source) {
            return Some(span);
        }
        let name = c.sources.get(span.source).name.trim_matches(['<', '>']);
        let includes = |e: &&Expansion| match &e.kind {
            ExpansionKind::Include(n) => n.trim_matches(['<', '>']) == name,
            _ => false,
        };
        let from = c.image.expansions.iter().find(includes)?;
        span = c.sources.in_file(from.call);
    }
    None
}

/// `|` separates fields.
fn field(text: &str) -> String {
    text.replace(['|', '\n', '\r'], "_")
}

fn trace(out: &mut String, c: &Context<'_>, (address, at, definition): (u64, Span, Span)) {
    let Some(at) = in_file(c, at) else { return };
    let definition = c.sources.in_file(definition);
    let definition = if is_file(c, definition.source) {
        definition
    } else {
        at
    };
    let place = |s: Span| {
        let source = c.sources.get(s.source);
        (
            field(file_name(c.sources, s.source)),
            source.line_column(s.start).0,
        )
    };
    let (file, line) = place(at);
    let (defined_in, defined_at) = match place(definition) {
        _ if at == definition => (String::new(), 0),
        (f, l) if f == file => (String::new(), l),
        d => d,
    };
    let _ = writeln!(
        out,
        "{file}|{line}|{defined_in}|{defined_at}|0|{address}|T|"
    );
}

fn label(out: &mut String, c: &Context<'_>, s: &Symbol) {
    let Some(span) = s.span.and_then(|s| in_file(c, s)) else {
        return;
    };
    let source = c.sources.get(span.source);
    let line = source.line_column(span.start).0;
    let (main, local) = match s.name.rsplit_once('.') {
        Some((main, local)) if s.local && !main.is_empty() => (main, local),
        _ => (&*s.name, ""),
    };
    let constant = s.kind == SymbolKind::Constant;
    let traits = match (constant, s.used) {
        (true, true) => ",+equ,+used",
        (true, false) => ",+equ",
        (false, true) => ",+used",
        (false, false) => "",
    };
    let page = if constant { -1 } else { 0 };
    let _ = writeln!(
        out,
        "{}|{line}||0|{page}|{}|L|,{},{}{traits}",
        field(file_name(c.sources, span.source)),
        s.value,
        field(main),
        field(local)
    );
}
