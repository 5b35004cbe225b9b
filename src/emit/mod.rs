//! From a program and its layout to the image: final values, fixups, checks.

mod ends;
mod grid;
mod late;
mod memory;
mod pages;
pub mod saved;

use crate::diagnostic::MAX_FINDINGS;
use crate::diagnostic::{Diagnostic, codes};
use crate::dialect;
use crate::image::{self, Image, NONE, SymbolKind};
use crate::place::Layout;
use crate::program::eval::{Miss, Op, State};
use crate::program::fit::{Fit, gnu_cut, truncated};
use crate::program::item::{Encoding, Given, Item, What, whole};
use crate::program::plan::Stored;
use crate::program::problems::Problems;
use crate::program::symbol::{Anchor, ExprId, Meaning};
use crate::program::{Chunk, Field, MAX_IMAGE, Part, Program, Value};
use crate::text::source::Span;
use scrimp_isa::proof::Overhead;

/// An image in the making.
struct Emit<'p> {
    program: &'p Program<'p>,
    layout: &'p Layout,
    values: &'p [State],
    problems: Problems,
    /// Bytes of values that are put in last, by chunk and offset.
    late: Vec<(usize, usize)>,
}

/// Final bytes and runs of all chunks, and what is wrong with them.
pub fn bytes(
    program: &Program<'_>,
    layout: &Layout,
    values: &[State],
) -> (Vec<image::Chunk>, Problems) {
    let mut e = Emit {
        program,
        layout,
        values,
        problems: Problems::default(),
        late: Vec::new(),
    };
    let mut built = e.build_chunks(&[]);
    e.put_values(&mut built);
    (built, e.problems)
}

/// The image of a program, without its expansions, and what is wrong with it.
pub fn emit(program: &Program<'_>, layout: &Layout, values: &[State]) -> (Image, Problems) {
    let mut e = Emit {
        program,
        layout,
        values,
        problems: Problems::default(),
        late: Vec::new(),
    };
    e.check_settled();
    let (symbols, index) = e.symbols();
    let mut built = e.build_chunks(&index);
    drop(index);
    e.put_values(&mut built);
    if program.dialect.output.wraps {
        e.check_wrapped(&built);
    }
    e.check_symbols();
    e.check_later();
    e.check_same_page();
    let entry = program
        .asked
        .entry
        .and_then(|(v, span)| match e.value_of(v) {
            Ok(n) => u64::try_from(n).ok(),
            Err(m) => {
                e.problems.miss(m, span, NONE);
                None
            }
        });
    let files = match dialect::hooks(program.dialect).saver() {
        Some(saver) if !program.asked.saves.list.is_empty() => {
            let from = saved::Source {
                program,
                layout,
                values,
                built: &built,
            };
            saved::files(&from, saver, &mut e.problems)
        }
        _ => Vec::new(),
    };
    let (mut image, origins) = e.image(built);
    image.symbols = symbols;
    image.entry = entry;
    image.saved = files;
    if !program.dialect.output.wraps {
        e.check_memory(&image, &origins);
        e.check_ends(&image);
        e.check_page_ends(&image);
        e.check_pages();
        e.check_grid(&image);
    }
    (image, e.problems)
}

impl Emit<'_> {
    fn value_of(&self, v: Value) -> Result<i64, Miss> {
        self.program.value_of(v, self.layout, self.values)
    }

    /// Reports what has a size that depends on itself, or more bytes than a program may have.
    fn check_settled(&mut self) {
        if let Some((c, t)) = self.layout.too_long {
            let chunk = &self.program.chunks[c as usize];
            let run = chunk.items[chunk.open[t as usize] as usize];
            let message = format!("more than {MAX_IMAGE} bytes in all up to here");
            let d = Diagnostic::new(codes::TOO_MUCH, message).at(run.span);
            self.problems.found(d, run.expansion);
            return;
        }
        for &(c, t) in &self.layout.unsettled {
            let chunk = &self.program.chunks[c as usize];
            let run = chunk.items[chunk.open[t as usize] as usize];
            let d = Diagnostic::new(
                codes::CIRCULAR,
                "the size depends on itself and does not settle",
            )
            .at(run.span);
            self.problems.found(d, run.expansion);
        }
    }

    fn check_symbols(&mut self) {
        let program = self.program;
        for id in program.symbols.ids() {
            if self.problems.enough() {
                return;
            }
            let s = program.symbols.get(id);
            let (Some(span), State::Done(v)) = (s.span, self.values[id.0 as usize]) else {
                continue;
            };
            let m = match (v, s.meaning) {
                (Err(m), _) => m,
                (Ok(v), Meaning::Expr(e)) => {
                    self.check_reduced(e, v, span, NONE);
                    continue;
                }
                _ => continue,
            };
            if let Meaning::Expr(e) = s.meaning
                && matches!(
                    self.program.ops[e.start as usize..][..e.len as usize],
                    [Op::Real(_)]
                )
            {
                // It has its value; where a whole one is needed, that is reported.
                continue;
            }
            if matches!(m, Miss::Undefined(_)) && !s.used && !matches!(s.meaning, Meaning::Expr(_))
            {
                continue;
            }
            self.problems.miss(m, span, NONE);
        }
    }

    fn check_later(&mut self) {
        let program = self.program;
        for x in &program.asked.later {
            if self.problems.enough() {
                return;
            }
            let mut text = String::new();
            for p in &x.parts {
                match p {
                    Part::Text(s) => text.push_str(s),
                    Part::Value(v) => match self.value_of(*v) {
                        Ok(n) => text.push_str(&n.to_string()),
                        Err(m) => self.problems.miss(m, x.span, x.expansion),
                    },
                }
            }
            let Some(c) = x.condition else {
                self.problems.found(
                    Diagnostic::new(codes::USER_NOTE, text).at(x.span),
                    x.expansion,
                );
                continue;
            };
            match self.value_of(Value::Expr(c)) {
                Ok(0) => {
                    let text = if text.is_empty() {
                        "the assertion failed".into()
                    } else {
                        text
                    };
                    let d = Diagnostic::new(codes::ASSERTION, text)
                        .at(x.span)
                        .label("this is not so");
                    self.problems.found(d, x.expansion);
                }
                Ok(_) => {}
                Err(m) => self.problems.miss(m, x.span, x.expansion),
            }
        }
    }

    /// Final bytes and runs of all chunks but for the values of items, which are put in
    /// later. Owners are as `index` has them, or symbol numbers where it is empty.
    fn build_chunks(&mut self, index: &[u32]) -> Vec<image::Chunk> {
        let (program, l) = (self.program, self.layout);
        let mut out = Vec::with_capacity(program.chunks.len());
        for (c, chunk) in program.chunks.iter().enumerate() {
            let seek = chunk
                .seek
                .or_else(|| program.dialect.output.linked.then(|| l.load[c]));
            let mut runs = image::Runs::with_capacity(chunk.items.len());
            let mut bytes = Vec::with_capacity(program.chunk_len(l, c) as usize + 8);
            let mut open = 0;
            for item in &chunk.items {
                let start = bytes.len() as u32;
                let mut form = NONE;
                match item.what {
                    What::Instruction {
                        size,
                        form: f,
                        word,
                        ..
                    } => {
                        form = f.into();
                        // All eight at once cost less than so many.
                        let end = bytes.len() + usize::from(size);
                        bytes.extend_from_slice(&whole(word).to_le_bytes());
                        bytes.truncate(end);
                    }
                    What::Data { from, len, .. } => {
                        let from = from as usize;
                        bytes.extend_from_slice(&program.data[from..from + len as usize]);
                    }
                    What::Fill { byte, count, .. } => {
                        bytes.resize(bytes.len() + count as usize, byte);
                    }
                    What::Space { byte, size, .. } if size != NONE => {
                        bytes.resize(bytes.len() + size as usize, byte);
                    }
                    What::Align { fill, size, .. } if size != NONE => {
                        bytes.extend(fill.iter().cycle().take(size as usize));
                    }
                    _ => {
                        form = self.open_item((c, open), item, &mut bytes);
                        open += 1;
                    }
                }
                let len = bytes.len() as u32 - start;
                if len > 0 {
                    runs.push(image::Run {
                        offset: start,
                        len,
                        span: item.span,
                        expansion: item.expansion,
                        owner: match index {
                            [] => item.owner,
                            _ => index.get(item.owner as usize).copied().unwrap_or(NONE),
                        },
                        form,
                        class: item.class(),
                    });
                }
            }
            out.push(image::Chunk {
                section: chunk.section,
                address: l.base[c],
                load: seek.unwrap_or(u64::MAX),
                page: chunk.page,
                bare: chunk.stored == Stored::Nowhere || program.is_room(chunk),
                nowhere: chunk.stored == Stored::Nowhere,
                bytes,
                runs,
            });
        }
        out
    }

    /// The bytes of an item whose size layout has decided; its form, if it has one.
    fn open_item(&mut self, (c, t): (usize, usize), item: &Item, bytes: &mut Vec<u8>) -> u32 {
        let (program, l) = (self.program, self.layout);
        let size = (l.growth[c][t + 1] - l.growth[c][t]) as usize;
        match item.what {
            What::Align { fill, .. } => bytes.extend(fill.iter().cycle().take(size)),
            What::Space { byte, .. } => bytes.resize(bytes.len() + size, byte),
            What::Choice { from, .. } => {
                let e = program.choices.list[from as usize + usize::from(l.choice[c][t])];
                let at = program.address_value(c as u32, l.base[c] + bytes.len() as u64);
                let word = self.chosen(&e, at, item.expansion);
                bytes.extend_from_slice(&word.to_le_bytes()[..size]);
                return e.form.into();
            }
            What::Gap { .. } => {}
            What::Instruction { .. } | What::Data { .. } | What::Fill { .. } => {}
        }
        NONE
    }

    /// The word of the form that was chosen, at an address.
    fn chosen(&mut self, e: &Encoding, at: i64, expansion: u32) -> u64 {
        let program = self.program;
        let mut word = e.word;
        for &(class, value, span) in program.values_of(e) {
            match self.value_of(value) {
                Ok(v) => {
                    if let Value::Expr(e) = value {
                        self.check_reduced(e, v, span, expansion);
                    }
                    word |= self.field_bits(e.form, class, v, Some(at), span, expansion);
                }
                Err(m) => self.problems.miss(m, span, expansion),
            }
        }
        word
    }

    /// Warns of an expression that lost something on the way to its value.
    fn check_reduced(&mut self, e: ExprId, value: i64, span: Span, expansion: u32) {
        let ops = &self.program.ops[e.start as usize..(e.start + e.len) as usize];
        if ops.len() < 2 {
            return;
        }
        let mut leaf = |op: Op| match op {
            Op::Symbol(id) => match self.values[self.program.symbols.resolve(id).0 as usize] {
                State::Done(v) => v.ok(),
                _ => None,
            },
            Op::Place(p) => Some(
                self.program
                    .address_value(p.chunk, self.program.address(self.layout, p)),
            ),
            _ => None,
        };
        if crate::program::exact::is_reduced(ops, self.program.dialect, &mut leaf) {
            let d = truncated("the value", value, span);
            self.problems.found(d, expansion);
        }
    }

    /// A linear address as the value that it has in its space.
    fn local_value(&self, v: i64) -> i64 {
        let mut spaces = self.program.memory.spaces.iter().rev();
        let space = spaces.find(|s| s.base > 0 && s.base as i64 <= v);
        v - space.map_or(0, |s| s.base as i64)
    }

    /// Warns of chunks that go on behind the last address, where the dialect lets them.
    fn check_wrapped(&mut self, built: &[image::Chunk]) {
        let mut found = Vec::new();
        for (c, chunk) in built.iter().enumerate() {
            let end = self.layout.base[c] + chunk.bytes.len() as u64;
            if end <= self.program.memory.space || found.len() >= MAX_FINDINGS {
                continue;
            }
            let limit = self
                .program
                .memory
                .space
                .saturating_sub(self.layout.base[c]);
            let first = |r: &image::Run| u64::from(r.offset + r.len) > limit;
            let Some(run) = chunk.runs.iter().find(first) else {
                continue;
            };
            let last = self.program.memory.space - 1;
            let message = format!(
                "{} bytes lie behind ${last:04X}; memory goes on at $0000",
                end - self.program.memory.space.max(self.layout.base[c])
            );
            let d = Diagnostic::new(codes::WRAPPED, message).at(run.span);
            found.push((d.label("the first of them"), run.expansion));
        }
        for (d, expansion) in found {
            self.problems.found(d, expansion);
        }
    }

    /// A value as bits of an instruction word, with a finding if it does not fit.
    /// `at` is the address of the instruction, where it matters.
    fn field_bits(
        &mut self,
        form: u16,
        class: u8,
        v: i64,
        at: Option<i64>,
        span: Span,
        expansion: u32,
    ) -> u64 {
        let Some(spec) = self.program.operands[class as usize].value else {
            return 0;
        };
        let Some(field) = self.program.forms[form as usize].pattern.field(spec.field) else {
            return 0;
        };
        let fit = match at {
            Some(at) => self.program.fit(class, v, at, field.width),
            None => self.program.fit_low(class, v),
        };
        if let Some(d) = self.program.misfit(class, fit, v, span) {
            self.problems.found(d, expansion);
        }
        match fit {
            Fit::Yes(b) | Fit::Cut(b) => field.deposit(b),
            _ => 0,
        }
    }

    /// Puts the values of items into their bytes.
    fn put_values(&mut self, built: &mut [image::Chunk]) {
        let (program, l) = (self.program, self.layout);
        for f in &program.values {
            if f.state == Given::All {
                continue;
            }
            if self.problems.enough() {
                return;
            }
            let Some(item) = program.item(f.at) else {
                continue;
            };
            let expansion = item.expansion;
            let v = match self.value_of(Value::Expr(f.value)) {
                Ok(v) => v,
                Err(m) => {
                    self.problems.miss(m, f.span, expansion);
                    continue;
                }
            };
            if f.state == Given::Open {
                self.check_reduced(f.value, v, f.span, expansion);
            }
            let c = f.at.chunk as usize;
            let address = program.address(l, f.at);
            let at = (address - l.base[c]) as usize;
            self.note_late((c, at), f, item);
            match (f.field, item.what) {
                (Field::Class(class) | Field::Low(class), What::Instruction { form, size, .. }) => {
                    // A page that is too full is told once, not by each branch too.
                    let told = l.homeless.contains(&f.at.chunk);
                    let paged = matches!(f.field, Field::Class(_)) && !told;
                    let address = paged.then(|| program.address_value(f.at.chunk, address));
                    let v = program.linked_value(class, v);
                    let bits = self.field_bits(form, class, v, address, f.span, expansion);
                    let bytes = &mut built[c].bytes[at..at + usize::from(size)];
                    for (b, x) in bytes.iter_mut().zip(bits.to_le_bytes()) {
                        *b |= x;
                    }
                }
                (Field::Data(size), _) => {
                    let (bits, cut) = match program.dialect.output.linked {
                        true => (v as u64, gnu_cut(self.local_value(v), size, f.span)),
                        false => match program.data_bits(v, size, f.span, false) {
                            Ok(found) => found,
                            Err(d) => {
                                self.problems.found(*d, expansion);
                                continue;
                            }
                        },
                    };
                    if let Some(d) = cut {
                        self.problems.found(d, expansion);
                    }
                    built[c].bytes[at..at + size as usize]
                        .copy_from_slice(&bits.to_le_bytes()[..size as usize]);
                }
                _ => {}
            }
        }
        self.put_late(built);
        for a in &program.changes.again {
            let place = |p: Anchor| {
                let c = p.chunk as usize;
                (c, (program.address(l, p) - l.base[c]) as usize)
            };
            let ((c, at), (d, from), len) = (place(a.at), place(a.from), a.len as usize);
            let Some(bytes) = built[d].bytes.get(from..from + len).map(<[u8]>::to_vec) else {
                continue;
            };
            if let Some(to) = built[c].bytes.get_mut(at..at + len) {
                to.copy_from_slice(&bytes);
            }
        }
    }

    /// What was filled in, by address.
    fn overhead(&self) -> Vec<(u64, u32, Overhead)> {
        let list = self.program.changes.overhead.iter();
        let placed = list.map(|&(a, len, kind)| (self.program.address(self.layout, a), len, kind));
        let mut out: Vec<_> = placed.collect();
        out.sort_unstable();
        out
    }

    /// The symbols of the image, and the number there of each of the program's.
    fn symbols(&self) -> (Vec<image::Symbol>, Vec<u32>) {
        let ids = self.program.symbols.in_order();
        let mut index = vec![NONE; self.program.symbols.ids().count()];
        let mut symbols = Vec::with_capacity(ids.len());
        for id in ids {
            let s = self.program.symbols.get(id);
            let State::Done(Ok(value)) = self.values[id.0 as usize] else {
                continue;
            };
            let value = match (
                self.program.dialect.output.linked && s.label,
                self.program.memory.spaces.iter().rev(),
            ) {
                // A label's value is that of its space.
                (true, mut spaces) => {
                    let space = spaces.find(|s| s.base as i64 <= value);
                    value - space.map_or(0, |s| s.base as i64)
                }
                _ => value,
            };
            index[id.0 as usize] = symbols.len() as u32;
            symbols.push(image::Symbol {
                name: s.name.clone(),
                value,
                kind: if s.label {
                    SymbolKind::Label
                } else {
                    SymbolKind::Constant
                },
                local: s.local || s.name.contains('#'),
                address: s
                    .place
                    .filter(|_| s.label)
                    .map(|p| self.program.address(self.layout, p)),
                span: s.span,
                section: s.section,
                used: s.used,
            });
        }
        (symbols, index)
    }

    /// The image without its symbols and expansions, and for each of its chunks the
    /// program's that it comes from: some have none, some have more than one.
    fn image(&self, built: Vec<image::Chunk>) -> (Image, Vec<u32>) {
        let mut chunks = Vec::with_capacity(built.len());
        let mut origins = Vec::with_capacity(built.len());
        let mut file = 0u64;
        let dropped = self
            .program
            .asked
            .plan
            .as_ref()
            .map_or(&[][..], |p| &p.dropped);
        for (i, mut c) in built.into_iter().enumerate() {
            if self.program.dialect.output.linked
                && (c.bytes.is_empty() || dropped.contains(&(i as u32)))
            {
                continue;
            }
            if self.program.dialect.output.sequential {
                if c.load != u64::MAX {
                    file = c.load;
                }
                c.load = file;
                file += c.bytes.len() as u64;
                chunks.push(c);
                origins.push(i as u32);
                continue;
            }
            if !self.program.dialect.output.linked {
                c.load = self.layout.load[i];
            }
            match self.program.dialect.output.wraps {
                true => chunks.extend(wrapped(c, self.program.memory.space)),
                false => chunks.push(c),
            }
            origins.resize(chunks.len(), i as u32);
        }
        let image = Image {
            chunks,
            sections: self
                .program
                .sections
                .iter()
                .map(|s| image::Section {
                    name: s.name.clone(),
                    region: s.region,
                    span: s.span,
                })
                .collect(),
            regions: self.program.regions.clone(),
            spaces: self.program.image_spaces(),
            machine: self.program.machine.map(|m| m.name().to_string()),
            symbols: Vec::new(),
            expansions: Vec::new(),
            budgets: self.program.asked.budgets.clone(),
            grid: self.program.columns.grid.clone(),
            proven: 0,
            contracts: Vec::new(),
            blocks: Vec::new(),
            landings: Vec::new(),
            clocks: Vec::new(),
            overhead: self.overhead(),
            entry: None,
            sequential: self.program.dialect.output.sequential,
            options: self.program.asked.options.clone(),
            saved: Vec::new(),
        };
        (image, origins)
    }
}

impl Program<'_> {
    /// Whether a chunk is nothing but room, where that comes with no bytes.
    fn is_room(&self, chunk: &Chunk) -> bool {
        let blank = self.machine.map_or(&[][..], |m| m.blank());
        let region = self.sections[chunk.section as usize].region as usize;
        let mut names = self
            .regions
            .get(region)
            .map(|r| r.name.as_str())
            .into_iter();
        let empty = |i: &Item| match i.what {
            What::Space { byte, .. } | What::Fill { byte, .. } => byte == 0,
            _ => false,
        };
        names.any(|n| blank.contains(&n)) && chunk.items.iter().all(empty)
    }

    /// The spaces, counted as labels are.
    pub(crate) fn image_spaces(&self) -> Vec<scrimp_isa::Space> {
        let counted = |s: &scrimp_isa::Space| scrimp_isa::Space {
            unit: self.unit_of(*s),
            ..*s
        };
        self.memory.spaces.iter().map(counted).collect()
    }
}

/// Cuts a chunk wherever memory ends; what is behind goes on at address 0. From behind, so
/// that no byte is moved more than a few times or held twice, however often memory goes
/// around.
fn wrapped(mut c: image::Chunk, space: u64) -> Vec<image::Chunk> {
    let room = (space - c.address % space) as usize;
    if c.bytes.len() <= room {
        return vec![c];
    }
    let runs = std::mem::take(&mut c.runs);
    let mut out = Vec::new();
    while c.bytes.len() > room {
        let from = room + (c.bytes.len() - room - 1) / space as usize * space as usize;
        out.push(image::Chunk {
            address: 0,
            load: 0,
            bytes: c.bytes.split_off(from),
            runs: image::Runs::default(),
            ..c
        });
    }
    out.push(c);
    out.reverse();
    let (mut piece, mut start) = (0, 0);
    for mut r in &runs {
        let mut end = start + out[piece].bytes.len() as u32;
        while r.offset + r.len > end {
            let len = end.saturating_sub(r.offset);
            if len > 0 {
                let offset = r.offset - start;
                out[piece].runs.push(image::Run { offset, len, ..r });
                (r.offset, r.len) = (end, r.len - len);
            }
            (piece, start) = (piece + 1, end);
            end = start + out[piece].bytes.len() as u32;
        }
        let offset = r.offset - start;
        out[piece].runs.push(image::Run { offset, ..r });
    }
    out
}
