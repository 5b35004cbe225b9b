//! The origin of each byte as JSON; the fields are described in
//! `docs/manual/outputs.md`. One object a line, so that versions can be compared.

use super::context::Context;
use crate::image::origin::{file_name, pieces};
use crate::image::{Class, ExpansionKind, Image, NONE, SymbolKind};
use crate::text::source::{Sources, Span};
use scrimp_isa::Form;
use serde::Serialize;

/// Number of the schema; it changes when a field changes its meaning or goes.
pub const SCHEMA: u32 = 1;

#[derive(Serialize)]
struct Place<'a> {
    file: &'a str,
    line: usize,
    column: usize,
}

fn place(sources: &Sources, span: Span) -> Place<'_> {
    let span = sources.in_file(span);
    let s = sources.get(span.source);
    let (line, column) = s.line_column(span.start);
    Place {
        file: file_name(sources, span.source),
        line,
        column,
    }
}

#[derive(Serialize)]
struct Run<'a> {
    address: u64,
    load: u64,
    length: u32,
    bytes: String,
    class: &'static str,
    section: &'a str,
    owner: Option<&'a str>,
    form: Option<String>,
    cycles: Option<[u8; 2]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    clock: Option<[i64; 2]>,
    #[serde(flatten)]
    place: Place<'a>,
    expansion: Option<u32>,
}

#[derive(Serialize)]
struct Expansion<'a> {
    kind: &'static str,
    name: Option<&'a str>,
    iteration: Option<u64>,
    #[serde(flatten)]
    place: Place<'a>,
    parent: Option<u32>,
}

#[derive(Serialize)]
struct Symbol<'a> {
    name: &'a str,
    value: i64,
    address: Option<u64>,
    kind: &'static str,
    local: bool,
    used: bool,
    section: Option<&'a str>,
    #[serde(flatten)]
    place: Option<Place<'a>>,
}

#[derive(Serialize)]
struct Section<'a> {
    name: &'a str,
    region: Option<&'a str>,
    bytes: u64,
}

#[derive(Serialize)]
struct Region<'a> {
    name: &'a str,
    start: u64,
    size: u64,
}

#[derive(Serialize)]
struct Contract<'a> {
    name: &'a str,
    address: u64,
    values: &'a [i64],
    words: &'a [&'static str],
}

#[derive(Serialize)]
struct Block {
    address: u64,
    clocks: i64,
}

#[derive(Serialize)]
struct Words {
    address: u64,
    length: u32,
    kind: &'static str,
}

/// `code`, `data`, `space`, `padding`
pub fn class_name(class: Class) -> &'static str {
    match class {
        Class::Code => "code",
        Class::Data => "data",
        Class::Space => "space",
        Class::Padding => "padding",
    }
}

/// The row as written in a program: `ld r,n`.
pub fn form_text(form: &Form) -> String {
    let name = form.name.trim_start_matches('*');
    if form.operands.is_empty() {
        return name.to_owned();
    }
    format!("{name} {}", form.operands)
}

/// `null` for [`NONE`].
fn index(i: u32) -> Option<u32> {
    (i != NONE).then_some(i)
}

/// Writes it.
pub fn write(c: &Context<'_>) -> Vec<u8> {
    let image = c.image;
    let mut out = Vec::new();
    out.extend_from_slice(b"{\n");
    scalar(&mut out, "schema", &SCHEMA);
    scalar(&mut out, "tool", &"scrimp");
    scalar(&mut out, "name", &c.name);
    scalar(&mut out, "target", &c.target.name());
    scalar(&mut out, "cycle", &c.target.cycle_name());
    scalar(&mut out, "size", &image.len());
    scalar(&mut out, "entry", &image.entry);
    sections(&mut out, image);
    symbols(&mut out, c);
    origins(&mut out, c);
    promises(&mut out, c);
    // The comma behind the last array.
    out.truncate(out.len() - 2);
    out.extend_from_slice(b"\n}\n");
    out
}

/// Regions and sections.
fn sections(out: &mut Vec<u8>, image: &Image) {
    let regions = image.regions.iter().map(|r| Region {
        name: &r.name,
        start: r.start,
        size: r.size,
    });
    array(out, "regions", regions);
    let mut bytes = vec![0u64; image.sections.len()];
    for chunk in &image.chunks {
        bytes[chunk.section as usize] += chunk.bytes.len() as u64;
    }
    let sections = image
        .sections
        .iter()
        .zip(&bytes)
        .map(|(s, &bytes)| Section {
            name: &s.name,
            region: image.regions.get(s.region as usize).map(|r| &*r.name),
            bytes,
        });
    array(out, "sections", sections);
}

fn symbols(out: &mut Vec<u8>, c: &Context<'_>) {
    let symbols = c.image.symbols.iter().map(|s| Symbol {
        name: &s.name,
        value: s.value,
        address: s.address,
        kind: match s.kind {
            SymbolKind::Label => "label",
            SymbolKind::Constant => "constant",
        },
        local: s.local,
        used: s.used,
        section: c.image.sections.get(s.section as usize).map(|s| &*s.name),
        place: s.span.map(|span| place(c.sources, span)),
    });
    array(out, "symbols", symbols);
}

/// Expansions, and the runs of bytes with what they come from.
fn origins(out: &mut Vec<u8>, c: &Context<'_>) {
    let image = c.image;
    let expansions = image.expansions.iter().map(|e| {
        let (kind, name, iteration) = match &e.kind {
            ExpansionKind::Include(n) => ("include", Some(&**n), None),
            ExpansionKind::Macro(n) => ("macro", Some(&**n), None),
            ExpansionKind::Repeat(n) => ("repeat", None, Some(*n)),
        };
        Expansion {
            kind,
            name,
            iteration,
            place: place(c.sources, e.call),
            parent: index(e.parent),
        }
    });
    array(out, "expansions", expansions);
    let forms = c.target.forms();
    let runs = pieces(image).map(|p| {
        let form = forms.get(p.run.form as usize);
        Run {
            address: p.address(),
            load: p.load(),
            length: p.run.len,
            bytes: p.bytes().iter().map(|b| format!("{b:02x}")).collect(),
            class: class_name(p.run.class),
            section: &p.section.name,
            owner: p.owner.map(|o| &*o.name),
            form: form.map(form_text),
            cycles: c.cycles(p.run.form).map(|n| [n.min(), n.max()]),
            clock: image.clock(p.address()).map(|(a, b)| [a, b]),
            place: place(c.sources, p.run.span),
            expansion: index(p.run.expansion),
        }
    });
    array(out, "runs", runs);
}

/// Promises and what keeping them took, where there are any.
fn promises(out: &mut Vec<u8>, c: &Context<'_>) {
    let image = c.image;
    if !image.contracts.is_empty() {
        let kinds = c.target.contracts();
        let contracts = image.contracts.iter().map(|p| Contract {
            name: kinds.get(p.kind).map_or("", |k| k.name),
            address: p.address,
            values: &p.values,
            words: &p.words,
        });
        array(out, "contracts", contracts);
    }
    if !image.blocks.is_empty() {
        let blocks = image.blocks.iter().map(|b| Block {
            address: b.address,
            clocks: b.clocks,
        });
        array(out, "blocks", blocks);
        array(out, "landings", image.landings.iter());
        let overhead = image.overhead.iter().map(|&(address, length, kind)| Words {
            address,
            length,
            kind: kind.name(),
        });
        array(out, "overhead", overhead);
    }
}

fn value(out: &mut Vec<u8>, v: &impl Serialize) {
    // Numbers, texts and structs of them into memory: nothing here can fail.
    serde_json::to_writer(out, v).expect("plain data");
}

fn scalar(out: &mut Vec<u8>, name: &str, v: &impl Serialize) {
    out.extend_from_slice(format!("\"{name}\": ").as_bytes());
    value(out, v);
    out.extend_from_slice(b",\n");
}

fn array(out: &mut Vec<u8>, name: &str, rows: impl Iterator<Item = impl Serialize>) {
    out.extend_from_slice(format!("\"{name}\": [").as_bytes());
    for (i, row) in rows.enumerate() {
        out.extend_from_slice(if i == 0 { b"\n" } else { b",\n" });
        value(out, &row);
    }
    out.extend_from_slice(b"\n],\n");
}
