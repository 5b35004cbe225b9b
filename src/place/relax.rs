//! Linker relaxation: long jumps and calls of a program become a choice of the short and the
//! long form, where it was asked for. Placement then takes the short one wherever it reaches.
//!
//! All distances follow, those that a source counts in bytes too (`label+4`, `.-6`): what
//! such a value meant with all forms long is the item that it means now. A jump that such a
//! value leads into keeps its form, and so does one in a table of jumps. What was decided
//! while reading (lines of a condition, values of variables) stays what it was.

use super::layout::Layout;
use crate::image::Class;
use crate::program::eval::Op;
use crate::program::item::{Given, OperandValue, What, whole};
use crate::program::rewrite::{Edit, NewForm, NewItem};
use crate::program::symbol::{Anchor, ExprId, Meaning, SymbolId};
use crate::program::{Field, Program};
use crate::text::language::Binary;
use rustc_hash::{FxHashMap, FxHashSet};
use scrimp_isa::Semantics;
use scrimp_isa::effects::Way;
use scrimp_isa::semantics::Code;
use std::collections::BTreeSet;

/// So deep are constants followed that are defined by others.
const MOST_DEPTH: u8 = 16;

/// A jump or call with a place in it.
struct Far {
    at: Anchor,
    forms: Vec<NewForm>,
}

impl Program<'_> {
    /// Makes jumps and calls a choice of their forms. In the sections of these names they
    /// keep their room; without such a list tables of jumps are found by what leads to them.
    pub fn relax(&mut self, kept: Option<&[&str]>) {
        self.forget_known();
        let mut far = self.far_jumps();
        if far.is_empty() {
            return;
        }
        let layout = self.lay_out();
        let tables = match kept {
            Some(_) => FxHashSet::default(),
            None => self.tables_of_jumps(),
        };
        far.retain(|f| !tables.contains(&f.at));
        let inside = self.follow_distances(&layout, &far);
        far.retain(|f| !inside.contains(&f.at));
        let is_kept = |f: &Far| {
            let section = self.chunks[f.at.chunk as usize].section as usize;
            kept.is_some_and(|k| k.contains(&&*self.sections[section].name))
        };
        let (kept, free): (Vec<Far>, Vec<Far>) = far.into_iter().partition(is_kept);
        self.let_choose(free);
        self.shorten_in_room(kept);
    }

    /// Jumps and calls to places that have a shorter form.
    fn far_jumps(&self) -> Vec<Far> {
        let mut rows: FxHashMap<u16, Vec<u16>> = FxHashMap::default();
        let mut out = Vec::new();
        for (c, chunk) in self.chunks.iter().enumerate() {
            for (i, item) in chunk.items.iter().enumerate() {
                let What::Instruction { form, word, .. } = item.what else {
                    continue;
                };
                let long = &self.forms[usize::from(form)];
                let short = rows.entry(form).or_insert_with(|| self.shorter_rows(long));
                let at = Anchor {
                    chunk: c as u32,
                    item: i as u32,
                    plus: 0,
                };
                if let (false, [value]) = (short.is_empty(), self.operands_of(at))
                    && let Field::Class(class) = value.field
                    && self.names_place(value.value, 0)
                {
                    let code = &whole(word).to_le_bytes()[..usize::from(long.pattern.len)];
                    let mut forms = self.short_forms(short, code, value);
                    if !forms.is_empty() {
                        let own = vec![(class, value.value, value.span)];
                        forms.push((form, whole(word), own));
                        out.push(Far { at, forms });
                    }
                }
            }
        }
        out
    }

    /// The shorter forms that the machine has, with the value of the long one.
    fn short_forms(&self, rows: &[u16], code: &[u8], value: &OperandValue) -> Vec<NewForm> {
        let mut out = Vec::new();
        for &row in rows {
            let form = &self.forms[usize::from(row)];
            let Some((word, class)) = self.same_words(code, 0, form) else {
                continue;
            };
            let bytes = &word.to_le_bytes()[..usize::from(form.pattern.len)];
            let there = self.target.decode_on(bytes, 0, self.machine);
            let same = there.is_some_and(|d| self.forms[d.form].name == form.name);
            if same && self.is_relative(class) {
                out.push((row, word, vec![(class, value.value, value.span)]));
            }
        }
        out
    }

    /// Whether there is an address in a value, and no number that the source says.
    fn names_place(&self, e: ExprId, depth: u8) -> bool {
        let ops = &self.ops[e.start as usize..(e.start + e.len) as usize];
        ops.iter().any(|op| match *op {
            Op::Place(_) => true,
            Op::Symbol(id) => match self.meaning(id) {
                Meaning::At(_) => true,
                Meaning::Expr(e) => depth < MOST_DEPTH && self.names_place(e, depth + 1),
                _ => false,
            },
            _ => false,
        })
    }

    fn meaning(&self, id: SymbolId) -> Meaning {
        self.symbols.get(self.symbols.resolve(id)).meaning
    }

    /// Lets values that count bytes from a place name the place that they come to, and
    /// returns jumps that one comes to the middle of.
    fn follow_distances(&mut self, layout: &Layout, far: &[Far]) -> BTreeSet<Anchor> {
        let jumps: FxHashSet<Anchor> = far.iter().map(|f| f.at).collect();
        let chunks: FxHashSet<u32> = far.iter().map(|f| f.at.chunk).collect();
        let mut found = Vec::new();
        let mut inside = BTreeSet::new();
        let mut meet = |a: Anchor| {
            let item = Anchor { plus: 0, ..a };
            if a.plus > 0 && jumps.contains(&item) {
                inside.insert(item);
            }
        };
        let mut done = 0;
        for (i, &op) in self.ops.iter().enumerate() {
            if i < done {
                continue;
            }
            let (first, by) = match self.ops.get(i..i + 3) {
                Some(&[x, Op::Number(n), Op::Binary(Binary::Add)]) if n != 0 => (x, n),
                Some(&[Op::Number(n), x, Op::Binary(Binary::Add)]) if n != 0 => (x, n),
                Some(&[x, Op::Number(n), Op::Binary(Binary::Sub)]) if n != 0 => {
                    (x, n.wrapping_neg())
                }
                _ => (op, 0),
            };
            let alone = by == 0;
            if let Some(to) = self.place_behind(layout, &chunks, first, by) {
                meet(to);
                found.push((i, to, alone));
                done = if alone { i + 1 } else { i + 3 };
            }
        }
        for id in self.symbols.ids() {
            let s = self.symbols.get(id);
            let own = match s.meaning {
                Meaning::At(a) => Some(a),
                _ => s.place,
            };
            own.into_iter().chain(s.end).for_each(&mut meet);
        }
        for (i, to, alone) in found {
            self.ops[i] = Op::Place(to);
            if !alone {
                self.ops[i + 1] = Op::Number(0);
                self.ops[i + 2] = Op::Binary(Binary::Add);
            }
        }
        inside
    }

    /// The item that a place and so many addresses come to, where they stay in its chunk;
    /// nothing for a place that is the start of an item already.
    fn place_behind(
        &self,
        layout: &Layout,
        chunks: &FxHashSet<u32>,
        op: Op,
        by: i64,
    ) -> Option<Anchor> {
        let (from, more) = self.counted(op, 0)?;
        if !chunks.contains(&from.chunk) || by == 0 && (from.plus == 0 || more != 0) {
            return None;
        }
        let chunk = &self.chunks[from.chunk as usize];
        let by = by.checked_add(more)?.checked_mul(chunk.unit.into())?;
        let start = layout.base[from.chunk as usize];
        let at = self.address(layout, from).checked_add_signed(by)?;
        let end = start + self.chunk_len(layout, from.chunk as usize);
        if !(start..=end).contains(&at) {
            return None;
        }
        Some(self.item_at(layout, from.chunk, at))
    }

    /// The last item of a chunk that begins at an address or before it, and how far behind
    /// its start that is.
    fn item_at(&self, layout: &Layout, chunk: u32, at: u64) -> Anchor {
        let anchor = |item: usize| Anchor {
            chunk,
            item: item as u32,
            plus: 0,
        };
        let (mut low, mut high) = (0, self.chunks[chunk as usize].items.len());
        while low < high {
            let middle = low + (high - low).div_ceil(2);
            match self.address(layout, anchor(middle)) <= at {
                true => low = middle,
                false => high = middle - 1,
            }
        }
        let found = anchor(low);
        Anchor {
            plus: (at - self.address(layout, found)) as u32,
            ..found
        }
    }

    /// A place and a number of addresses behind it that a leaf of an expression is.
    fn counted(&self, op: Op, depth: u8) -> Option<(Anchor, i64)> {
        let e = match op {
            Op::Place(a) => return Some((a, 0)),
            Op::Symbol(id) => match self.meaning(id) {
                Meaning::At(a) => return Some((a, 0)),
                Meaning::Expr(e) if depth < MOST_DEPTH => e,
                _ => return None,
            },
            _ => return None,
        };
        let (leaf, by) = match self.ops[e.start as usize..(e.start + e.len) as usize] {
            [x] => (x, 0),
            [x, Op::Number(n), Op::Binary(Binary::Add)] => (x, n),
            [Op::Number(n), x, Op::Binary(Binary::Add)] => (x, n),
            [x, Op::Number(n), Op::Binary(Binary::Sub)] => (x, n.checked_neg()?),
            _ => return None,
        };
        let (a, n) = self.counted(leaf, depth + 1)?;
        Some((a, n.checked_add(by)?))
    }

    /// Jumps among which are some that only a computed address leads to: those from a label
    /// to the next with an instruction that nothing falls into.
    fn tables_of_jumps(&self) -> FxHashSet<Anchor> {
        let mut out = FxHashSet::default();
        let Some(semantics) = self.target.semantics(self.machine) else {
            return out;
        };
        let labels = self.labels();
        for (c, chunk) in self.chunks.iter().enumerate() {
            let mut run: Vec<Anchor> = Vec::new();
            let (mut ends, mut skipped, mut table) = (false, false, false);
            for (i, item) in chunk.items.iter().enumerate() {
                let at = Anchor {
                    chunk: c as u32,
                    item: i as u32,
                    plus: 0,
                };
                let words = matches!(item.what, What::Instruction { .. } | What::Choice { .. });
                if labels.contains_key(&at) || !words {
                    out.extend(run.drain(..).filter(|_| table));
                    (ends, table) = (false, false);
                }
                if !words {
                    continue;
                }
                table |= ends;
                run.push(at);
                let (stops, skips) = self.stops(&*semantics, at);
                ends = stops && !skipped;
                skipped = skips;
            }
            out.extend(run.into_iter().filter(|_| table));
        }
        out
    }

    /// Whether nothing behind an instruction is run by it, and whether it may skip the next.
    fn stops(&self, semantics: &dyn Semantics, at: Anchor) -> (bool, bool) {
        let (form, word) = match self.item(at).map(|i| i.what) {
            Some(What::Instruction { form, word, .. }) => (form, whole(word)),
            Some(What::Choice { from, .. }) => {
                let e = &self.choices.list[from as usize];
                (e.form, e.word)
            }
            _ => return (false, false),
        };
        let bytes = word.to_le_bytes();
        let len = usize::from(self.forms[usize::from(form)].pattern.len);
        let code = Code {
            bytes: &bytes[..len],
            address: 0,
        };
        match semantics.successors(code) {
            Some(w) if w.way == Some(Way::Call) => (false, false),
            Some(w) => (!w.falls_through, w.way == Some(Way::Skip)),
            None => (false, false),
        }
    }

    /// Puts choices into the place of instructions.
    fn let_choose(&mut self, far: Vec<Far>) {
        let gone: FxHashSet<(u32, u32)> = far.iter().map(|f| (f.at.chunk, f.at.item)).collect();
        self.values
            .retain(|v| !gone.contains(&(v.at.chunk, v.at.item)));
        for f in far {
            let what = self.new_choice(&f.forms);
            self.chunks[f.at.chunk as usize].items[f.at.item as usize].what = what;
        }
        self.find_values();
        self.measure();
    }

    /// Shortens jumps that reach where they are, with zeros in what they leave free.
    fn shorten_in_room(&mut self, kept: Vec<Far>) {
        if kept.is_empty() {
            return;
        }
        let layout = self.lay_out();
        let values = self.final_values(&layout);
        let mut edits = Vec::new();
        for mut f in kept {
            let Some((long, _, _)) = f.forms.pop() else {
                continue;
            };
            let at = self.address_value(f.at.chunk, self.address(&layout, f.at));
            let short = f.forms.into_iter().find(|(row, _, own)| {
                let pattern = &self.forms[usize::from(*row)].pattern;
                own.iter().all(|&(class, e, _)| {
                    let field = self.operands[usize::from(class)].value.map(|v| v.field);
                    let width = field.and_then(|l| pattern.field(l)).map(|l| l.width);
                    let v = self.value_of(crate::program::Value::Expr(e), &layout, &values);
                    let fit = v.ok().zip(width).map(|(v, w)| self.fit(class, v, at, w));
                    matches!(fit, Some(crate::program::fit::Fit::Yes(_)))
                })
            });
            let Some((row, word, own)) = short else {
                continue;
            };
            let len = |row: u16| usize::from(self.forms[usize::from(row)].pattern.len);
            let room = vec![0; len(long) - len(row)];
            let own = own.into_iter().map(|(c, e, s)| (Field::Class(c), e, s));
            edits.push(Edit {
                at: f.at,
                removed: 1,
                items: vec![
                    NewItem::Instruction(row, word, own.collect()),
                    NewItem::Data(Class::Code, room),
                ],
                labels: Vec::new(),
                by: "relaxation",
            });
        }
        debug_assert!(self.values.iter().all(|v| v.state == Given::Open));
        // The edits stand in order and touch nothing twice.
        let done = self.rewrite(edits);
        debug_assert!(done.is_ok());
    }
}
