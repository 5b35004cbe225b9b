//! From laid-out chunks to the image: final values, fixups, checks.

use crate::diagnostic::{Diagnostic, codes};
use crate::encode::Fit;
use crate::eval::{Final, Miss, Op, State};
use crate::image::{self, Image, NONE, SymbolKind};
use crate::layout::Layout;
use crate::program::{Assembler, Field, MAX_FINDINGS, Part, RawRun, TailKind, Value};
use crate::source::Span;
use crate::symbol::{ExprId, Meaning, Place, SymbolId};
use rustc_hash::FxHashSet;

impl Assembler<'_> {
    /// Makes the image; findings are recorded.
    pub fn link(&mut self) -> Image {
        let mut l = self.lay_out();
        let changes = self.balance(&l);
        if changes.is_some() {
            l = self.lay_out();
        }
        let values = self.final_values(&l);
        let mut undefined: FxHashSet<SymbolId> = FxHashSet::default();
        // What looks into the chunks comes before their bytes and runs are taken.
        self.check_settled(&l);
        let mut built = self.build_chunks(&l, &values, &mut undefined);
        self.apply_fixups(&l, &values, &mut built, &mut undefined);
        if self.dialect.wraps {
            self.check_wrapped(&l, &built);
        }
        self.check_symbols(&values, &mut undefined, &l);
        self.check_later(&l, &values, &mut undefined);
        for (miss, span, expansion) in self.check_same_page(&l, &values) {
            self.report_miss(miss, span, expansion, &mut undefined);
        }
        let entry = self
            .entry
            .take()
            .and_then(|(v, span)| match self.value_of(v, &l, &values) {
                Ok(n) => u64::try_from(n).ok(),
                Err(m) => {
                    self.report_miss(m, span, NONE, &mut undefined);
                    None
                }
            });
        let (mut image, origins) = self.image(built, &values, &l);
        image.entry = entry;
        if !self.dialect.wraps {
            self.excuse_homeless(&l);
            self.check_memory(&image, &origins);
            self.check_ends(&image);
            self.check_pages(&l);
            self.check_grid(&mut image);
        }
        if let Some(changes) = &changes {
            self.apply_changes(&mut image, &l, changes);
        }
        self.prove(&mut image, &l, &values);
        // Only now: each finding shows the way that led to it.
        image.expansions = std::mem::take(&mut self.expansions);
        image
    }

    /// Reports what has a size that depends on itself.
    fn check_settled(&mut self, l: &Layout) {
        for &(c, t) in &l.unsettled {
            let chunk = &self.chunks[c as usize];
            let run = chunk.runs[chunk.tails[t as usize].run as usize];
            let d = Diagnostic::new(
                codes::CIRCULAR,
                "the size depends on itself and does not settle",
            )
            .at(run.span);
            self.report_in(d, run.expansion);
        }
    }

    /// Final values of all symbols.
    pub fn final_values(&self, l: &Layout) -> Vec<State> {
        let address = |p: Place| self.address_value(p.chunk, l.address(p));
        let mut f = Final {
            ops: &self.ops,
            symbols: &self.symbols,
            dialect: self.dialect,
            address: &address,
            values: vec![State::New; self.symbols.ids().count()].into(),
        };
        // Last definitions first: a constant that refers to constants below
        // then finds them done, and long chains need no deep recursion.
        let mut ids: Vec<SymbolId> = self.symbols.ids().collect();
        ids.sort_by_key(|&i| std::cmp::Reverse(self.symbols.get(i).order));
        for id in ids {
            let _ = f.symbol(id);
        }
        f.values.into_owned()
    }

    pub(crate) fn value_of(&self, v: Value, l: &Layout, values: &[State]) -> Result<i64, Miss> {
        match v {
            Value::Number(n) => Ok(n),
            Value::Expr(e) => {
                // The common operand is one symbol.
                if let [crate::eval::Op::Symbol(id)] =
                    self.ops[e.start as usize..(e.start + e.len) as usize]
                {
                    let id = self.symbols.resolve(id);
                    if let State::Done(v) = values[id.0 as usize] {
                        return v;
                    }
                }
                let address = |p: Place| self.address_value(p.chunk, l.address(p));
                // A lookup only: all defined symbols are done.
                Final {
                    ops: &self.ops,
                    symbols: &self.symbols,
                    dialect: self.dialect,
                    address: &address,
                    values: values.into(),
                }
                .expr(e)
            }
        }
    }

    /// Reports a missing value; an undefined symbol once, where it is used first.
    fn report_miss(
        &mut self,
        m: Miss,
        span: Span,
        expansion: u32,
        undefined: &mut FxHashSet<SymbolId>,
    ) {
        let Miss::Undefined(id) = m else {
            if let Miss::Circular(id) = m
                && !undefined.insert(id)
            {
                return;
            }
            let d = self.miss(m, span);
            self.report_in(d, expansion);
            return;
        };
        if !undefined.insert(id) {
            return;
        }
        // The use that names it, not the one it was resolved to from inside.
        let first = self.symbols.get(id).first_use;
        let (at, expansion) = first.unwrap_or((span, expansion));
        let mut d = self.miss(m, at);
        let name = self.symbols.get(id).name.clone();
        if d.code == codes::BAD_CALL {
            let call = self.expansions.get(expansion as usize);
            if let Some(call) = call.map(|e| e.call) {
                d = d.related(at, "used here").at(call);
            }
        } else if d.code == codes::BAD_OPERANDS {
            if let Some(found) = self.register_help(at) {
                d.notes = found.notes;
                d.help = found.help;
            }
        } else if let Some(odd) = self.odd_character(at) {
            d = *odd;
        } else if let Some(help) = self.library_defines(&name) {
            d = d.help(help);
        } else if let Some(n) = self.nearest(&name, self.symbols.names()) {
            d = d.help(format!("did you mean `{n}`?"));
        } else if let Some(help) = self.dialect.number_instead(&name) {
            d = d.help(format!("if it is a number, {help}"));
        }
        self.report_in(d, expansion);
    }

    fn check_symbols(&mut self, values: &[State], undefined: &mut FxHashSet<SymbolId>, l: &Layout) {
        for id in self.symbols.ids() {
            if self.fatal {
                return;
            }
            let s = self.symbols.get(id);
            let (Some(span), State::Done(v)) = (s.span, values[id.0 as usize]) else {
                continue;
            };
            let m = match (v, s.meaning) {
                (Err(m), _) => m,
                (Ok(v), Meaning::Expr(e)) => {
                    self.check_reduced(e, v, span, NONE, values, l);
                    continue;
                }
                _ => continue,
            };
            if let Meaning::Expr(e) = s.meaning
                && matches!(
                    self.ops[e.start as usize..][..e.len as usize],
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
            self.report_miss(m, span, NONE, undefined);
        }
    }

    fn check_later(&mut self, l: &Layout, values: &[State], undefined: &mut FxHashSet<SymbolId>) {
        let later = std::mem::take(&mut self.later);
        for x in later {
            if self.fatal {
                return;
            }
            let mut text = String::new();
            for p in &x.parts {
                match p {
                    Part::Text(s) => text.push_str(s),
                    Part::Value(v) => match self.value_of(*v, l, values) {
                        Ok(n) => text.push_str(&n.to_string()),
                        Err(m) => self.report_miss(m, x.span, x.expansion, undefined),
                    },
                }
            }
            let Some(c) = x.condition else {
                self.report_in(
                    Diagnostic::new(codes::USER_NOTE, text).at(x.span),
                    x.expansion,
                );
                continue;
            };
            match self.value_of(Value::Expr(c), l, values) {
                Ok(0) => {
                    let text = if text.is_empty() {
                        "the assertion failed".into()
                    } else {
                        text
                    };
                    let d = Diagnostic::new(codes::ASSERTION, text)
                        .at(x.span)
                        .label("this is not so");
                    self.report_in(d, x.expansion);
                }
                Ok(_) => {}
                Err(m) => self.report_miss(m, x.span, x.expansion, undefined),
            }
        }
    }

    /// Final bytes and runs of all chunks; owners are still symbol numbers.
    pub(crate) fn build_chunks(
        &mut self,
        l: &Layout,
        values: &[State],
        undefined: &mut FxHashSet<SymbolId>,
    ) -> Vec<image::Chunk> {
        let mut out = Vec::with_capacity(self.chunks.len());
        for c in 0..self.chunks.len() {
            let chunk = &mut self.chunks[c];
            let section = chunk.section;
            let raw_runs = std::mem::take(&mut chunk.runs);
            let raw = std::mem::take(&mut chunk.bytes);
            let tails = std::mem::take(&mut chunk.tails);
            let address = l.base[c];
            let seek = chunk.seek.or_else(|| self.dialect.gnu.then(|| l.load[c]));
            let mut runs: Vec<image::Run> = Vec::new();
            let bytes = if tails.is_empty() {
                // They take the same room, so that of the old ones is used.
                let same = |r: RawRun| final_run(&r, r.offset, r.len, r.form);
                runs = raw_runs.into_iter().map(same).collect();
                raw
            } else {
                let mut bytes = Vec::with_capacity(raw.len() + l.growth[c][tails.len()] as usize);
                let mut t = 0;
                for (i, r) in raw_runs.iter().enumerate() {
                    let start = bytes.len() as u32;
                    bytes.extend_from_slice(&raw[r.offset as usize..(r.offset + r.len) as usize]);
                    let mut form = r.form;
                    while t < tails.len() && tails[t].run as usize == i {
                        let size = (l.growth[c][t + 1] - l.growth[c][t]) as usize;
                        match &tails[t].kind {
                            TailKind::Align { fill, .. } => {
                                bytes.extend(fill.iter().cycle().take(size));
                            }
                            TailKind::Space { fill, .. } => {
                                bytes.resize(bytes.len() + size, *fill);
                            }
                            TailKind::Gap { pieces, .. } => {
                                bytes.extend(pieces.iter().flat_map(|p| &p.bytes));
                            }
                            TailKind::Relax(encodings) => {
                                let e = &encodings[l.choice[c][t] as usize];
                                form = u32::from(e.form);
                                let at = self.address_value(c as u32, address + bytes.len() as u64);
                                let mut word = e.word;
                                for &(class, value, span) in &e.values {
                                    let bits = match self.value_of(value, l, values) {
                                        Ok(v) => {
                                            if let Value::Expr(e) = value {
                                                let from = r.expansion;
                                                self.check_reduced(e, v, span, from, values, l);
                                            }
                                            self.field_bits(
                                                e.form,
                                                class,
                                                v,
                                                Some(at),
                                                span,
                                                r.expansion,
                                            )
                                        }
                                        Err(m) => {
                                            self.report_miss(m, span, r.expansion, undefined);
                                            0
                                        }
                                    };
                                    word |= bits;
                                }
                                bytes.extend_from_slice(&word.to_le_bytes()[..size]);
                            }
                        }
                        t += 1;
                    }
                    let len = bytes.len() as u32 - start;
                    runs.push(final_run(r, start, len, form));
                }
                bytes
            };
            runs.retain(|r| r.len > 0);
            out.push(image::Chunk {
                section,
                address,
                load: seek.map_or(u64::MAX, |s| s),
                bytes,
                runs,
            });
            self.chunks[c].tails = tails;
        }
        out
    }

    /// Warns of an expression that lost something on the way to its value.
    fn check_reduced(
        &mut self,
        e: ExprId,
        value: i64,
        span: Span,
        expansion: u32,
        values: &[State],
        l: &Layout,
    ) {
        let ops = &self.ops[e.start as usize..(e.start + e.len) as usize];
        if ops.len() < 2 {
            return;
        }
        let mut leaf = |op: Op| match op {
            Op::Symbol(id) => match values[self.symbols.resolve(id).0 as usize] {
                State::Done(v) => v.ok(),
                _ => None,
            },
            Op::Place(p) => Some(self.address_value(p.chunk, l.address(p))),
            _ => None,
        };
        if crate::exact::is_reduced(ops, self.dialect, &mut leaf) {
            let outer = std::mem::replace(&mut self.expansion, expansion);
            self.cut("the value", value, span);
            self.expansion = outer;
        }
    }

    /// A linear address as the value that it has in its space.
    fn local_value(&self, v: i64) -> i64 {
        let mut spaces = self.spaces.iter().rev();
        let space = spaces.find(|s| s.base > 0 && s.base as i64 <= v);
        v - space.map_or(0, |s| s.base as i64)
    }

    /// Warns of chunks that go on behind the last address, where the dialect lets them.
    fn check_wrapped(&mut self, l: &Layout, built: &[image::Chunk]) {
        let mut found = Vec::new();
        for (c, chunk) in built.iter().enumerate() {
            let end = l.base[c] + chunk.bytes.len() as u64;
            if end <= self.space || found.len() >= MAX_FINDINGS {
                continue;
            }
            let limit = self.space.saturating_sub(l.base[c]);
            let first = |r: &&image::Run| u64::from(r.offset + r.len) > limit;
            let Some(run) = chunk.runs.iter().find(first) else {
                continue;
            };
            let last = self.space - 1;
            let message = format!(
                "{} bytes lie behind ${last:04X}; memory goes on at $0000",
                end - self.space.max(l.base[c])
            );
            let d = Diagnostic::new(codes::WRAPPED, message).at(run.span);
            found.push((d.label("the first of them"), run.expansion));
        }
        for (d, expansion) in found {
            self.report_in(d, expansion);
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
        let Some(spec) = self.operands[class as usize].value else {
            return 0;
        };
        let Some(field) = self.forms[form as usize].pattern.field(spec.field) else {
            return 0;
        };
        let fit = match at {
            Some(at) => self.fit(class, v, at, field.width),
            None => self.fit_low(class, v),
        };
        if let Some(d) = self.misfit(class, fit, v, span) {
            self.report_in(d, expansion);
        }
        match fit {
            Fit::Yes(b) | Fit::Cut(b) => field.deposit(b),
            _ => 0,
        }
    }

    pub(crate) fn apply_fixups(
        &mut self,
        l: &Layout,
        values: &[State],
        built: &mut [image::Chunk],
        undefined: &mut FxHashSet<SymbolId>,
    ) {
        let fixups = std::mem::take(&mut self.fixups);
        for f in &fixups {
            if self.fatal {
                return;
            }
            let v = match self.value_of(Value::Expr(f.value), l, values) {
                Ok(v) => v,
                Err(m) => {
                    self.report_miss(m, f.span, f.expansion, undefined);
                    continue;
                }
            };
            self.check_reduced(f.value, v, f.span, f.expansion, values, l);
            let c = f.place.chunk as usize;
            // A page that is too full is told once, not by each branch too.
            let told = l.homeless.contains(&f.place.chunk);
            let at = (l.address(f.place) - l.base[c]) as usize;
            match f.field {
                Field::Form { form, class } | Field::Low { form, class } => {
                    let address = self.address_value(f.place.chunk, l.address(f.place));
                    let paged = matches!(f.field, Field::Form { .. }) && !told;
                    let address = paged.then_some(address);
                    let bits = self.field_bits(form, class, v, address, f.span, f.expansion);
                    let len = self.forms[form as usize].pattern.len as usize;
                    for (b, x) in built[c].bytes[at..at + len]
                        .iter_mut()
                        .zip(bits.to_le_bytes())
                    {
                        *b |= x;
                    }
                }
                Field::Data(size) => {
                    let outer = std::mem::replace(&mut self.expansion, f.expansion);
                    let bits = match self.dialect.gnu {
                        true => {
                            self.gnu_bits(self.local_value(v), size, f.span);
                            Ok(v as u64)
                        }
                        false => self.data_bits(v, size, f.span),
                    };
                    match bits {
                        Ok(bits) => built[c].bytes[at..at + size as usize]
                            .copy_from_slice(&bits.to_le_bytes()[..size as usize]),
                        Err(d) => self.report(d),
                    }
                    self.expansion = outer;
                }
            }
        }
    }

    /// The image without its expansions, and for each of its chunks the program's that
    /// it comes from: some have none, some have more than one.
    fn image(
        &mut self,
        built: Vec<image::Chunk>,
        values: &[State],
        l: &Layout,
    ) -> (Image, Vec<u32>) {
        let mut ids: Vec<SymbolId> = self
            .symbols
            .ids()
            .filter(|&i| self.symbols.get(i).order != u32::MAX)
            .collect();
        ids.sort_unstable_by_key(|&i| self.symbols.get(i).order);
        let mut index = vec![NONE; self.symbols.ids().count()];
        let mut symbols = Vec::with_capacity(ids.len());
        for id in ids {
            let s = self.symbols.get(id);
            let State::Done(Ok(value)) = values[id.0 as usize] else {
                continue;
            };
            let value = match (self.dialect.gnu && s.label, self.spaces.iter().rev()) {
                // A label's value is that of its space.
                (true, mut spaces) => {
                    let space = spaces.find(|s| s.base as i64 <= value);
                    value - space.map_or(0, |s| s.base as i64)
                }
                _ => value,
            };
            index[id.0 as usize] = symbols.len() as u32;
            symbols.push(image::Symbol {
                name: s.name.to_string(),
                value,
                kind: if s.label {
                    SymbolKind::Label
                } else {
                    SymbolKind::Constant
                },
                local: s.local || s.name.contains('#'),
                address: s.place.filter(|_| s.label).map(|p| l.address(p)),
                span: s.span,
                section: s.section,
                used: s.used,
            });
        }
        let mut chunks = Vec::with_capacity(built.len());
        let mut origins = Vec::with_capacity(built.len());
        let mut file = 0u64;
        let dropped = self.gnu.plan.as_ref().map_or(&[][..], |p| &p.dropped);
        for (i, mut c) in built.into_iter().enumerate() {
            if self.dialect.gnu && (c.bytes.is_empty() || dropped.contains(&(i as u32))) {
                continue;
            }
            for r in &mut c.runs {
                if r.owner != NONE {
                    r.owner = index[r.owner as usize];
                }
            }
            if self.dialect.sequential {
                if c.load != u64::MAX {
                    file = c.load;
                }
                c.load = file;
                file += c.bytes.len() as u64;
                chunks.push(c);
                origins.push(i as u32);
                continue;
            }
            if !self.dialect.gnu {
                c.load = c.address;
            }
            while self.dialect.wraps && c.address + c.bytes.len() as u64 > self.space {
                let room = (self.space - c.address % self.space) as u32;
                let rest = split_chunk(&mut c, room);
                chunks.push(std::mem::replace(&mut c, rest));
                origins.push(i as u32);
            }
            chunks.push(c);
            origins.push(i as u32);
        }
        let image = Image {
            chunks,
            sections: self
                .sections
                .iter()
                .map(|s| image::Section {
                    name: s.name.clone(),
                    region: s.region,
                    span: s.span,
                })
                .collect(),
            regions: self.regions.clone(),
            spaces: self.image_spaces(),
            machine: self.machine.map(|m| m.name().to_string()),
            symbols,
            expansions: Vec::new(),
            budgets: std::mem::take(&mut self.budgets),
            grid: Vec::new(),
            proven: 0,
            contracts: Vec::new(),
            blocks: Vec::new(),
            landings: Vec::new(),
            clocks: Vec::new(),
            overhead: Vec::new(),
            entry: None,
            sequential: self.dialect.sequential,
            options: std::mem::take(&mut self.options),
        };
        (image, origins)
    }

    /// The spaces, counted as labels are.
    pub(crate) fn image_spaces(&self) -> Vec<scrimp_isa::Space> {
        let counted = |s: &scrimp_isa::Space| scrimp_isa::Space {
            unit: self.unit_of(*s),
            ..*s
        };
        self.spaces.iter().map(counted).collect()
    }

    /// Overlaps, full regions, the end of memory.
    fn check_memory(&mut self, image: &Image, origins: &[u32]) {
        let name = |section: u32| match image.sections[section as usize].name.as_str() {
            "" => "the code before any section".to_string(),
            n => format!("the section `{n}`"),
        };
        let mut used: Vec<(usize, &image::Chunk)> = image.chunks.iter().enumerate().collect();
        used.retain(|(_, c)| !c.bytes.is_empty());
        used.sort_by_key(|(_, c)| c.address);
        let may = |i: usize| self.chunks[origins[i] as usize].overlap;
        let mut found = Vec::new();
        for pair in used.windows(2) {
            if found.len() >= MAX_FINDINGS {
                break;
            }
            let (a, b) = (pair[0].1, pair[1].1);
            if may(pair[0].0) || may(pair[1].0) {
                continue;
            }
            let end = a.address + a.bytes.len() as u64;
            if end > b.address {
                let over = end.min(b.address + b.bytes.len() as u64) - b.address;
                let space = self.spaces[self.sections[b.section as usize].space as usize];
                let code = if self.dialect.segments.is_empty() || space.stored {
                    codes::OVERLAP
                } else {
                    codes::ROOM_TWICE
                };
                let mut d = Diagnostic::new(
                    code,
                    format!(
                        "{} and {} overlap by {over} bytes at ${:04X}",
                        name(a.section),
                        name(b.section),
                        image.local(b.address)
                    ),
                )
                .note(filled_by(image, b.address, b.address + over));
                if code == codes::OVERLAP {
                    d = d.help(format!(
                        "begin the second at ${:04X} or behind, or let it float without an address",
                        image.local(end.next_multiple_of(u64::from(space.unit.max(1))))
                    ));
                }
                if let Some(r) = b.runs.first() {
                    d = d.at(r.span);
                }
                if let Some(r) = a
                    .runs
                    .iter()
                    .find(|r| a.address + u64::from(r.offset + r.len) > b.address)
                {
                    d = d.related(r.span, "and this");
                }
                found.push(d);
            }
        }
        let used: Vec<&image::Chunk> = used.into_iter().map(|u| u.1).collect();
        let mut sums = vec![0u64; self.sections.len()];
        for c in &used {
            sums[c.section as usize] += c.bytes.len() as u64;
        }
        for (i, s) in self.sections.iter().enumerate() {
            let Some((most, span)) = s.most else { continue };
            if found.len() >= MAX_FINDINGS {
                break;
            }
            let of = |c: &&&image::Chunk| c.section as usize == i;
            let sum = sums[i];
            if sum <= most {
                continue;
            }
            let unit = u64::from(self.unit_of(self.spaces[s.space as usize]));
            let what = if unit == 1 { "bytes" } else { "words" };
            let (sum, most) = (sum.div_ceil(unit), most / unit);
            let start = used.iter().find(of).map_or(0, |c| c.address);
            found.push(
                Diagnostic::new(
                    codes::SECTION_FULL,
                    format!(
                        "the section `{}` has {sum} {what}, {} more than the {most} it may have",
                        s.name,
                        sum - most,
                    ),
                )
                .at(span)
                .label("at most so many")
                .note(filled_by(image, start, start + sum * unit))
                .help("move a part of it to another section, or allow it more"),
            );
        }
        for c in &used {
            let end = c.address + c.bytes.len() as u64;
            let space = self.spaces[self.sections[c.section as usize].space as usize];
            let limit = space.base + space.size;
            if end > limit && found.len() < MAX_FINDINGS {
                let at = c
                    .runs
                    .iter()
                    .find(|r| c.address + u64::from(r.offset + r.len) > limit);
                let mut d = Diagnostic::new(
                    codes::OUTSIDE_MEMORY,
                    format!(
                        "{} ends at ${end:X}, {} bytes past the end of memory",
                        name(c.section),
                        end - limit,
                        end = end - space.base,
                    ),
                )
                .note(filled_by(image, c.address, end));
                if let Some(r) = at {
                    d = d.at(r.span).label("the first that lies outside");
                }
                found.push(d);
            }
        }
        for c in &used {
            let section = &self.sections[c.section as usize];
            let space = self.spaces[section.space as usize];
            let Some(r) = image.regions.get(section.region as usize) else {
                continue;
            };
            let behind = c.address >= r.start + r.size && c.address < space.base + space.size;
            let enough = found.len() >= MAX_FINDINGS;
            if self.dialect.segments.is_empty() || !space.stored || !behind || enough {
                continue;
            }
            let unit = u64::from(space.unit);
            let d = Diagnostic::new(
                codes::REGION_FULL,
                format!(
                    "the region `{}` ends at ${:04X}, and this lies behind it",
                    r.name,
                    image.local(r.start + r.size - unit)
                ),
            );
            found.push(match c.runs.first() {
                Some(run) => d.at(run.span),
                None => d,
            });
        }
        for r in &image.regions {
            let inside = |c: &&&image::Chunk| c.address >= r.start && c.address < r.start + r.size;
            let Some(end) = used
                .iter()
                .filter(inside)
                .map(|c| c.address + c.bytes.len() as u64)
                .max()
            else {
                continue;
            };
            let limit = r.start + r.size;
            let memory = image
                .space_of(r.start)
                .map_or(self.space, |s| s.base + s.size);
            if end > limit && end <= memory {
                let at = used
                    .iter()
                    .filter(inside)
                    .flat_map(|c| c.runs.iter().map(move |run| (c.address, run)))
                    .find(|(a, run)| a + u64::from(run.offset + run.len) > limit);
                let mut d = Diagnostic::new(
                    codes::REGION_FULL,
                    format!(
                        "the region `{}` has {} bytes and is overfull by {}: it is used up to ${:04X} and ends at ${:04X}",
                        r.name,
                        r.size,
                        end - limit,
                        image.local(end - 1),
                        image.local(limit - 1)
                    ),
                )
                .note(filled_by(image, r.start, end));
                if let Some((_, run)) = at {
                    d = d.at(run.span).label("the first that does not fit");
                }
                found.push(d);
            }
        }
        for d in found {
            self.report_in(d, NONE);
        }
    }
}

/// "filled by search 210, display 118, …": the owners of a range, ranked.
fn filled_by(image: &Image, from: u64, to: u64) -> String {
    let sums = crate::report::owners(image, from..to);
    let shown: Vec<String> = sums
        .iter()
        .take(8)
        .map(|(n, b)| format!("{n} {b}"))
        .collect();
    let more = sums.len().saturating_sub(8);
    let tail = if more > 0 {
        format!(" and {more} more")
    } else {
        String::new()
    };
    format!("filled by {}{tail} (bytes)", shown.join(", "))
}

fn final_run(r: &RawRun, offset: u32, len: u32, form: u32) -> image::Run {
    image::Run {
        offset,
        len,
        span: r.span,
        expansion: r.expansion,
        owner: r.owner,
        form,
        class: r.class,
    }
}

/// Cuts a chunk at byte `at`; what is behind starts at address 0.
fn split_chunk(c: &mut image::Chunk, at: u32) -> image::Chunk {
    let bytes = c.bytes.split_off(at as usize);
    let mut runs = Vec::new();
    c.runs.retain_mut(|r| {
        if r.offset + r.len <= at {
            return true;
        }
        let mut back = *r;
        let keep = at.saturating_sub(r.offset);
        back.offset = r.offset.max(at) - at;
        back.len = r.len - keep;
        runs.push(back);
        r.len = keep;
        keep > 0
    });
    image::Chunk {
        section: c.section,
        address: 0,
        load: 0,
        bytes,
        runs,
    }
}
