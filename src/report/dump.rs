//! The data between the stages as text, for readers and tests: tokens, items, placement.

use crate::image::origin;
use crate::place::Layout;
use crate::program::eval::Op;
use crate::program::item::{GapAt, Given, Item, What, whole};
use crate::program::symbol::{Anchor, ExprId, SymbolId};
use crate::program::{Chunk, Program};
use crate::text::lex::{self, Lexing, Tok};
use crate::text::source::{SourceId, Sources};
use std::collections::BTreeMap;
use std::fmt::Write;

/// The tokens of a text, a line of it on each line.
pub fn tokens(sources: &Sources, source: SourceId, lexing: Lexing) -> String {
    let text = &sources.get(source).text;
    let mut out = String::new();
    let mut toks: Vec<Tok> = Vec::new();
    let mut at = 0;
    while let Some(next) = lex::line(text, at, source, lexing, &mut toks) {
        if let Some(first) = toks.first() {
            let (line, _) = sources.get(source).line_column(first.span.start);
            let _ = write!(out, "{line:>5} ");
            for t in &toks {
                let _ = write!(out, " {:?}`{}`", t.kind, sources.slice(t.span));
            }
            out.push('\n');
        }
        toks.clear();
        at = next;
    }
    out
}

/// All items with their labels and values.
pub fn items(program: &Program<'_>) -> String {
    let mut out = String::new();
    let labels = program.labels();
    for (c, chunk) in program.chunks.iter().enumerate().filter(|c| shown(c.1)) {
        let at = match chunk.base {
            Some(base) => format!("at ${base:04X}"),
            None => "floating".to_owned(),
        };
        let _ = writeln!(out, "{}, chunk {c}, {at}", title(program, chunk));
        each(program, c as u32, &labels, &mut out, &|number, _| {
            format!("{number:>6}")
        });
    }
    out
}

/// All items with the addresses and sizes that layout gave them.
pub fn placement(program: &Program<'_>, layout: &Layout) -> String {
    let mut out = String::new();
    let labels = program.labels();
    for (c, chunk) in program.chunks.iter().enumerate().filter(|c| shown(c.1)) {
        let (base, len) = (layout.base[c], program.chunk_len(layout, c));
        let title = title(program, chunk);
        let _ = writeln!(out, "{title}, chunk {c}, ${base:04X}, {len} bytes");
        each(program, c as u32, &labels, &mut out, &|_, a| {
            let next = Anchor {
                item: a.item + 1,
                ..a
            };
            let (from, to) = (program.address(layout, a), program.address(layout, next));
            format!("  {from:04X} {:>4}", to - from)
        });
    }
    out
}

fn shown(chunk: &Chunk) -> bool {
    !chunk.items.is_empty()
}

fn title(program: &Program<'_>, chunk: &Chunk) -> String {
    let name = &program.sections[chunk.section as usize].name;
    format!("section {}", origin::section_name(name))
}

fn each(
    program: &Program<'_>,
    c: u32,
    labels: &BTreeMap<Anchor, Vec<SymbolId>>,
    out: &mut String,
    head: &dyn Fn(usize, Anchor) -> String,
) {
    let name = |out: &mut String, a: Anchor| {
        for &id in labels.get(&a).into_iter().flatten() {
            let _ = writeln!(out, "{}:", program.symbols.get(id).name);
        }
    };
    let items = &program.chunks[c as usize].items;
    for (i, item) in items.iter().enumerate() {
        let at = Anchor {
            chunk: c,
            item: i as u32,
            plus: 0,
        };
        name(out, at);
        let what = described(program, item);
        let _ = write!(out, "{}  {what}", head(i, at));
        for v in program.operands_of(at) {
            let known = match v.state {
                Given::Open => "",
                Given::Value | Given::All => " (known)",
            };
            let _ = write!(out, "  [{}]{known}", postfix(program, v.value));
        }
        let place = origin::place(&program.sources, program.sources.in_file(item.span));
        let _ = writeln!(out, "  ; {place}");
    }
    let end = Anchor {
        chunk: c,
        item: items.len() as u32,
        plus: 0,
    };
    name(out, end);
}

fn described(program: &Program<'_>, item: &Item) -> String {
    let form = |f: u16| {
        let f = &program.forms[usize::from(f)];
        format!("{} {}", f.name, f.operands).trim_end().to_owned()
    };
    match item.what {
        What::Instruction {
            size,
            form: f,
            word,
            ..
        } => {
            let bytes = whole(word).to_le_bytes();
            let bytes = bytes[..usize::from(size)]
                .iter()
                .map(|b| format!("{b:02X}"));
            let bytes: Vec<String> = bytes.collect();
            format!("instruction `{}` {}", form(f), bytes.join(" "))
        }
        What::Choice { from, count } => {
            let all = program.alternatives(from, count).iter();
            let all: Vec<String> = all
                .map(|e| {
                    let values = program.values_of(e).iter();
                    let values = values.filter_map(|v| v.1.expression());
                    let values: String = values
                        .map(|v| format!(" [{}]", postfix(program, v)))
                        .collect();
                    format!("`{}`{values}", form(e.form))
                })
                .collect();
            format!("choice {}", all.join(" or "))
        }
        What::Data { len, .. } => format!("data {len}"),
        What::Fill { byte, count, .. } => format!("fill {count} of {byte:02X}"),
        What::Space { byte, count, .. } => {
            format!("space [{}] of {byte:02X}", postfix(program, count))
        }
        What::Align { to, .. } => format!("align {to}"),
        What::Gap { at } => match at {
            GapAt::Before => "gap before".to_owned(),
            GapAt::Behind => "gap behind".to_owned(),
            GapAt::Room => "gap".to_owned(),
        },
    }
}

/// An expression as it is kept: operands first, then what is done with them.
fn postfix(program: &Program<'_>, e: ExprId) -> String {
    let ops = &program.ops[e.start as usize..(e.start + e.len) as usize];
    let op = |op: &Op| match *op {
        Op::Number(n) => n.to_string(),
        Op::Real(r) => r.get().to_string(),
        Op::Symbol(id) => program.symbols.get(id).name.to_string(),
        Op::Place(a) if a.plus == 0 => format!("@{}.{}", a.chunk, a.item),
        Op::Place(a) => format!("@{}.{}+{}", a.chunk, a.item, a.plus),
        Op::Sizeof(id) => format!("sizeof({})", program.symbols.get(id).name),
        Op::Unary(u) => format!("{u:?}"),
        Op::Binary(b) => format!("{b:?}"),
        Op::Select => "Select".to_owned(),
        Op::Min => "Min".to_owned(),
        Op::Max => "Max".to_owned(),
    };
    ops.iter().map(op).collect::<Vec<_>>().join(" ")
}
