//! Changes of a program: items in the place of others, with all anchors following; what is
//! filled into gaps; and values by their expressions alone.

use super::changes::Rewrite;
use super::eval::Op;
use super::item::{Again, Encoding, Given, Item, OperandValue, What, halves, whole};
use super::symbol::{Anchor, ExprId, Meaning, SymbolId};
use super::value::{Field, Value};
use super::whole::Program;
use crate::image::{Class, NONE};
use crate::text::language::Unary;
use crate::text::source::{SourceId, Span};
use scrimp_isa::proof::Overhead;
use std::collections::BTreeMap;

/// The text of what no statement made.
const NOWHERE: Span = Span {
    source: SourceId(0),
    start: 0,
    end: 0,
};

/// An item that is put in.
#[derive(Clone, Debug)]
pub enum NewItem {
    /// An item that there is, without the values of its own; numbers of choices and data
    /// are those of the program.
    Copy(What),
    /// An instruction: form, word with the fields that are known, values.
    Instruction(u16, u64, Vec<(Field, ExprId, Span)>),
    /// The shortest of several forms that reaches.
    Choice(Vec<NewForm>),
    /// Bytes.
    Data(Class, Vec<u8>),
}

/// One of several forms: row, word with the fields that are known, values with the operand
/// classes that they fill.
pub type NewForm = (u16, u64, Vec<(u8, ExprId, Span)>);

/// Items in the place of others.
#[derive(Clone, Debug)]
pub struct Edit {
    /// First item that goes, or the one before which items come.
    pub at: Anchor,
    /// How many go.
    pub removed: u32,
    /// What comes; statement and owner are those of the first that goes.
    pub items: Vec<NewItem>,
    /// Labels that from now on stand before an item of what comes, by its number there.
    pub labels: Vec<(u32, SymbolId)>,
    /// What did it.
    pub by: &'static str,
}

/// What is put into gaps and what follows from it. Items keep their numbers.
#[derive(Debug, Default)]
pub struct Filling {
    /// Gaps, and the bytes of each.
    pub gaps: Vec<(Anchor, Vec<u8>)>,
    /// Bytes that become the low half of an address, or its high half.
    pub links: Vec<(Anchor, Anchor, bool)>,
    /// Items that are put elsewhere once more.
    pub again: Vec<Again>,
    /// What was put in, with its bytes.
    pub overhead: Vec<(Anchor, u32, Overhead)>,
}

impl Program<'_> {
    /// The labels before each item, in the order of their definition.
    pub fn labels(&self) -> BTreeMap<Anchor, Vec<SymbolId>> {
        let mut out: BTreeMap<Anchor, Vec<SymbolId>> = BTreeMap::new();
        let mut ids: Vec<SymbolId> = self.symbols.ids().collect();
        ids.sort_by_key(|&i| self.symbols.get(i).order);
        for id in ids {
            let s = self.symbols.get(id);
            if let Some(place) = s.place.filter(|_| s.label) {
                out.entry(place).or_default().push(id);
            }
        }
        out
    }

    /// Puts filler into gaps.
    pub fn fill(&mut self, filling: Filling) {
        for (at, bytes) in filling.gaps {
            let from = self.data.len() as u32;
            let len = bytes.len() as u32;
            self.data.extend(bytes);
            let items = &mut self.chunks[at.chunk as usize].items;
            if let Some(item) = items.get_mut(at.item as usize) {
                item.what = What::Data {
                    class: item.class(),
                    operands: NONE,
                    from,
                    len,
                };
            }
        }
        for (at, to, high) in filling.links {
            let half = if high { Unary::High } else { Unary::Low };
            let start = self.ops.len() as u32;
            self.ops.extend([Op::Place(to), Op::Unary(half)]);
            self.values.push(OperandValue {
                at,
                field: Field::Data(1),
                value: ExprId { start, len: 2 },
                span: self.item(at).map_or(NOWHERE, |i| i.span),
                state: Given::Value,
            });
        }
        self.changes.again.extend(filling.again);
        self.changes.overhead.extend(filling.overhead);
        self.measure();
    }

    /// Counts again where items are in their chunks.
    pub(crate) fn measure(&mut self) {
        for chunk in &mut self.chunks {
            chunk.size = 0;
            chunk.open.clear();
            for (i, item) in chunk.items.iter_mut().enumerate() {
                item.offset = chunk.size;
                match item.is_open() {
                    true => chunk.open.push(i as u32),
                    false => chunk.size += item.size(),
                }
            }
        }
    }

    /// Forgets all that was known of values while reading: from now on they are worth what
    /// their expressions say. A rewrite that moves anything needs this.
    pub fn forget_known(&mut self) {
        let ids: Vec<_> = self.symbols.ids().collect();
        for id in ids {
            let s = self.symbols.get_mut(id);
            match (s.meaning, s.place, s.formula) {
                (Meaning::Number(_), Some(place), _) if s.label => s.meaning = Meaning::At(place),
                (Meaning::Number(_), _, Some(e)) => s.meaning = Meaning::Expr(e),
                _ => {}
            }
        }
        for v in &mut self.values {
            if v.state == Given::All {
                let chunk = &mut self.chunks[v.at.chunk as usize];
                let item = chunk.items.get_mut(v.at.item as usize);
                if let (
                    Field::Class(c) | Field::Low(c),
                    Some(What::Instruction { form, word, .. }),
                ) = (v.field, item.map(|i| &mut i.what))
                {
                    let field = self.operands[usize::from(c)].value.map(|v| v.field);
                    let pattern = &self.forms[usize::from(*form)].pattern;
                    let bits = field.and_then(|f| pattern.field(f));
                    let bits = bits.map_or(0, |f| f.deposit(u64::MAX));
                    *word = halves(whole(*word) & !bits);
                }
            }
            v.state = Given::Open;
        }
        let forget = |v: &mut Value| {
            if let Value::Known(_, e) = *v {
                *v = Value::Expr(e);
            }
        };
        self.choices
            .values
            .iter_mut()
            .for_each(|v| forget(&mut v.1));
        self.asked.entry.iter_mut().for_each(|e| forget(&mut e.0));
        let promised = self.asked.contracts.iter_mut().flat_map(|c| &mut c.values);
        promised.for_each(|v| forget(&mut v.0));
        let saved = self.asked.saves.list.iter_mut();
        saved.flat_map(|s| &mut s.values).for_each(forget);
        for item in self.chunks.iter_mut().flat_map(|c| &mut c.items) {
            match &mut item.what {
                What::Space { size, .. } | What::Align { size, .. } => *size = NONE,
                _ => {}
            }
        }
        self.measure();
    }

    /// Lets operands that name an address by its number, or by its distance from another,
    /// name the place itself: item, operand class, place. The bytes stay as they are.
    pub fn relate(&mut self, places: &[(Anchor, u8, Anchor)]) {
        self.forget_known();
        for &(at, class, to) in places {
            let start = self.ops.len() as u32;
            self.ops.push(Op::Place(to));
            let value = ExprId { start, len: 1 };
            let Some(item) = self.item(at).copied() else {
                continue;
            };
            let letter = self.operands[usize::from(class)].value.map(|v| v.field);
            match item.what {
                What::Choice { from, count } => {
                    for e in self.alternatives(from, count).to_vec() {
                        let own = e.values.0 as usize..(e.values.0 + e.values.1) as usize;
                        for v in &mut self.choices.values[own] {
                            let its = self.operands[usize::from(v.0)].value;
                            if its.is_some() {
                                v.1 = Value::Expr(value);
                            }
                        }
                    }
                }
                What::Instruction {
                    size,
                    form,
                    operands,
                    word,
                } => {
                    let pattern = &self.forms[usize::from(form)].pattern;
                    let bits = letter.and_then(|f| pattern.field(f));
                    let bits = bits.map_or(0, |f| f.deposit(u64::MAX));
                    let what = What::Instruction {
                        size,
                        form,
                        operands,
                        word: halves(whole(word) & !bits),
                    };
                    self.chunks[at.chunk as usize].items[at.item as usize].what = what;
                    let same = |v: &OperandValue| {
                        let own = (v.at.chunk, v.at.item) == (at.chunk, at.item);
                        own && v.field == Field::Class(class)
                    };
                    self.values.retain(|v| !same(v));
                    self.values.push(OperandValue {
                        at,
                        field: Field::Class(class),
                        value,
                        span: item.span,
                        state: Given::Open,
                    });
                }
                _ => {}
            }
        }
        // The values of an item stand together.
        self.values.sort_by_key(|v| (v.at.chunk, v.at.item));
        self.find_values();
    }

    /// Puts bytes of padding before an item. All that points at the item follows it.
    pub fn pad(&mut self, at: Anchor, bytes: u32) {
        let what = What::Fill {
            class: Class::Padding,
            byte: 0,
            count: bytes,
        };
        self.put_before(at, what);
    }

    /// Puts room before an item that is at an address, which keeps it there when what stands
    /// before becomes shorter. All that points at the item follows it.
    pub fn hold(&mut self, at: Anchor, address: u32) {
        let what = What::Align {
            to: address,
            size: NONE,
            fill: [0; 2],
        };
        self.put_before(at, what);
    }

    fn put_before(&mut self, at: Anchor, what: What) {
        self.forget_known();
        let items = &mut self.chunks[at.chunk as usize].items;
        let like = items.get(at.item as usize).or(items.last()).copied();
        let Some(like) = like.filter(|_| at.item as usize <= items.len()) else {
            return;
        };
        items.insert(at.item as usize, Item { what, ..like });
        let to = |a: Anchor| Anchor {
            item: a.item + u32::from(a.chunk == at.chunk && a.item >= at.item),
            ..a
        };
        self.changes
            .rewrites
            .iter_mut()
            .for_each(|r| r.first = to(r.first));
        self.changes.rewrites.push(Rewrite {
            first: Anchor { plus: 0, ..at },
            count: 1,
            by: "padding",
            replaced: Vec::new(),
        });
        self.move_anchors(&to);
        self.values.iter_mut().for_each(|v| v.at = to(v.at));
        self.find_values();
        self.measure();
    }

    /// Changes items, all at once: positions are those before the first change. Labels and
    /// values that pointed at what goes point at what comes there.
    ///
    /// # Errors
    /// The first edit that reaches outside its chunk, or into the one before.
    pub fn rewrite(&mut self, mut edits: Vec<Edit>) -> Result<(), Edit> {
        edits.sort_by_key(|e| (e.at.chunk, e.at.item));
        let mut end = (0, 0);
        for e in &edits {
            let last = e.at.item.saturating_add(e.removed);
            let inside = self
                .chunks
                .get(e.at.chunk as usize)
                .is_some_and(|c| last as usize <= c.items.len());
            if !inside || (e.at.chunk, e.at.item) < end {
                return Err(e.clone());
            }
            // Two changes at one place would have no order.
            end = (e.at.chunk, last.max(e.at.item + 1));
        }
        self.forget_known();
        // For each chunk that changes where its labels and items are now.
        let mut moved: Vec<Option<Moved>> = vec![None; self.chunks.len()];
        let mut gone: Vec<(u32, u32)> = Vec::new();
        let mut fresh: Vec<OperandValue> = Vec::new();
        let mut named: Vec<(SymbolId, Anchor)> = Vec::new();
        for own in edits.chunk_by(|a, b| a.at.chunk == b.at.chunk) {
            let c = own[0].at.chunk;
            moved[c as usize] =
                Some(self.rewrite_chunk(c, own, (&mut fresh, &mut named), &mut gone));
        }
        let label = |m: &Moved, i: usize| m.labels[i];
        let item = |m: &Moved, i: usize| m.items[i];
        self.move_anchors(&|a| follow(&moved, a, label));
        for (id, at) in named {
            let section = self.chunks[at.chunk as usize].section;
            let s = self.symbols.get_mut(id);
            (s.meaning, s.place) = (Meaning::At(at), Some(at));
            (s.label, s.section, s.used) = (true, section, true);
            self.symbols.number(id);
        }
        self.move_values(&|a| follow(&moved, a, item), &gone, fresh);
        self.measure();
        Ok(())
    }

    /// The items of a chunk with its edits; returns the new number of each old one.
    fn rewrite_chunk(
        &mut self,
        c: u32,
        edits: &[Edit],
        (fresh, named): (&mut Vec<OperandValue>, &mut Vec<(SymbolId, Anchor)>),
        gone: &mut Vec<(u32, u32)>,
    ) -> Moved {
        let old = std::mem::take(&mut self.chunks[c as usize].items);
        let mut items: Vec<Item> = Vec::with_capacity(old.len());
        let mut map = Moved::default();
        let mut edits = edits.iter().peekable();
        let mut at = 0;
        // The end of a chunk is a place for labels and insertions too.
        while at <= old.len() {
            if let Some(e) = edits.next_if(|e| e.at.item as usize == at) {
                let end = at + e.removed as usize;
                let first = Anchor {
                    chunk: c,
                    item: items.len() as u32,
                    plus: 0,
                };
                let like = old.get(at).or(old.last()).copied();
                let (span, expansion, owner) =
                    like.map_or((NOWHERE, NONE, NONE), |i| (i.span, i.expansion, i.owner));
                named.extend(e.labels.iter().map(|&(i, id)| {
                    let item = first.item + i;
                    (id, Anchor { item, ..first })
                }));
                for new in &e.items {
                    let here = Anchor {
                        item: items.len() as u32,
                        ..first
                    };
                    let what = self.new_item(new, here, fresh);
                    items.push(Item {
                        what,
                        span,
                        expansion,
                        owner,
                        offset: 0,
                    });
                }
                let replaced = old[at..end].iter().map(|i| (i.span, i.expansion));
                self.changes.rewrites.push(Rewrite {
                    first,
                    count: e.items.len() as u32,
                    by: e.by,
                    replaced: replaced.collect(),
                });
                gone.extend((at..end).map(|i| (c, i as u32)));
                // Labels before an insertion stay before it.
                let until = end.max(at + 1);
                for i in at..until {
                    map.labels.push(first.item);
                    map.items.push(items.len() as u32);
                    items.extend(old.get(i).filter(|_| i >= end));
                }
                at = until;
            } else {
                map.labels.push(items.len() as u32);
                map.items.push(items.len() as u32);
                items.extend(old.get(at));
                at += 1;
            }
        }
        self.chunks[c as usize].items = items;
        map
    }

    /// The item that is put in; its values come into `fresh`.
    fn new_item(&mut self, new: &NewItem, at: Anchor, fresh: &mut Vec<OperandValue>) -> What {
        match new {
            NewItem::Copy(what) => *what,
            NewItem::Instruction(form, word, values) => {
                fresh.extend(values.iter().map(|&(field, value, span)| OperandValue {
                    at,
                    field,
                    value,
                    span,
                    state: Given::Open,
                }));
                What::Instruction {
                    size: self.forms[usize::from(*form)].pattern.len,
                    form: *form,
                    operands: NONE,
                    word: halves(*word),
                }
            }
            NewItem::Choice(forms) => self.new_choice(forms),
            NewItem::Data(class, bytes) => {
                let from = self.data.len() as u32;
                self.data.extend_from_slice(bytes);
                What::Data {
                    class: *class,
                    operands: NONE,
                    from,
                    len: bytes.len() as u32,
                }
            }
        }
    }

    /// An instruction of the shortest of these forms that reaches.
    pub(crate) fn new_choice(&mut self, forms: &[NewForm]) -> What {
        let from = self.choices.list.len() as u32;
        for (form, word, values) in forms {
            let first = self.choices.values.len() as u32;
            let values = values.iter().map(|&(c, e, s)| (c, Value::Expr(e), s));
            self.choices.values.extend(values);
            self.choices.list.push(Encoding {
                form: *form,
                word: *word,
                values: (first, self.choices.values.len() as u32 - first),
            });
        }
        What::Choice {
            from,
            count: forms.len() as u8,
        }
    }

    /// Everything but values that points at items.
    fn move_anchors(&mut self, to: &dyn Fn(Anchor) -> Anchor) {
        let ids: Vec<_> = self.symbols.ids().collect();
        for id in ids {
            let s = self.symbols.get_mut(id);
            if let Meaning::At(a) = s.meaning {
                s.meaning = Meaning::At(to(a));
            }
            (s.place, s.end) = (s.place.map(to), s.end.map(to));
        }
        for op in &mut self.ops {
            if let Op::Place(a) = op {
                *op = Op::Place(to(*a));
            }
        }
        for s in &mut self.asked.saves.list {
            s.until = to(s.until);
            s.since = s.since.map(&to);
        }
        for p in &mut self.asked.contracts {
            p.place = to(p.place);
        }
        for o in &mut self.changes.overhead {
            o.0 = to(o.0);
        }
        for a in &mut self.changes.again {
            (a.at, a.from) = (to(a.at), to(a.from));
        }
    }

    /// Values follow their items; those of items that go are dropped.
    fn move_values(
        &mut self,
        to: &dyn Fn(Anchor) -> Anchor,
        gone: &[(u32, u32)],
        fresh: Vec<OperandValue>,
    ) {
        let mut values = std::mem::take(&mut self.values);
        values.retain(|v| gone.binary_search(&(v.at.chunk, v.at.item)).is_err());
        for v in &mut values {
            v.at = to(v.at);
        }
        values.extend(fresh);
        self.values = values;
        self.find_values();
    }

    /// Tells items again where their values are.
    pub(crate) fn find_values(&mut self) {
        for item in self.chunks.iter_mut().flat_map(|c| &mut c.items) {
            if let What::Instruction { operands, .. } | What::Data { operands, .. } = &mut item.what
            {
                *operands = NONE;
            }
        }
        for (i, v) in self.values.iter().enumerate() {
            let items = &mut self.chunks[v.at.chunk as usize].items;
            if let Some(What::Instruction { operands, .. } | What::Data { operands, .. }) =
                items.get_mut(v.at.item as usize).map(|i| &mut i.what)
                && *operands == NONE
            {
                *operands = i as u32;
            }
        }
    }
}

/// Where what was at an item is now.
#[derive(Clone, Debug, Default)]
struct Moved {
    /// Labels before each item, and at the end.
    labels: Vec<u32>,
    /// Each item.
    items: Vec<u32>,
}

fn follow(moved: &[Option<Moved>], a: Anchor, number: impl Fn(&Moved, usize) -> u32) -> Anchor {
    match &moved[a.chunk as usize] {
        Some(m) => Anchor {
            item: number(m, a.item as usize),
            ..a
        },
        None => a,
    }
}
