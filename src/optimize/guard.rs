//! What must be the same when everything has moved: values that are computed from addresses
//! in ways that are not understood, and pages in which tables lie while addresses are
//! counted by their low halves alone.

use super::bits::Bits;
use super::flow::{
    Book, Kind, Known, MARK, Nodes, Placed, Scale, Shape, Steady, calls, goal, nodes_of, shape,
    steady,
};
use super::places::behind;
use crate::program::eval::Op;
use crate::program::item::What;
use crate::program::symbol::{Anchor, ExprId};
use crate::program::{Field, Needed, Program, Value};
use crate::text::language::Binary;
use crate::text::source::Span;
use rustc_hash::{FxHashMap, FxHashSet};
use scrimp_isa::effects::Way;
use std::collections::BTreeMap;

/// Bytes of a page.
const PAGE: i64 = 256;
/// What is even by less is so by chance.
const EVEN: i64 = 16;

/// One thing that must hold.
#[derive(Clone, Debug)]
enum Guard {
    /// An expression is worth that.
    Value(ExprId, i64),
    /// It is no more than that, nor below 0 by more.
    Most(ExprId, i64),
    /// It is 0, or is not.
    Zero(ExprId, bool),
    /// These are in one page.
    Page(Vec<ExprId>),
    /// So many first ones of these are in one page, and each of the others in theirs.
    Halves(Vec<ExprId>, usize),
    /// It is a multiple of that.
    Even(ExprId, i64),
    /// It is the high half of an address, with a mark that is not in that, if there is one.
    High(ExprId, ExprId, i64),
    /// Its bits from one on, so many of them, are that number.
    Bits(ExprId, (u8, u8), i64),
}

/// Data that lie in one page, or at a multiple: their first byte and their last one, and at
/// the start where that was and which item.
#[derive(Clone, Copy, Debug)]
struct Table {
    first: ExprId,
    /// Its last item, and how many bytes behind its start the last byte is.
    last: (ExprId, u64),
    /// The first byte is as far behind a multiple of this as it was.
    even: u64,
    was: u64,
    at: Anchor,
}

/// A table where it lies now.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Lies {
    first: u64,
    last: u64,
    even: u64,
    was: u64,
    at: Anchor,
}

impl Lies {
    /// Whether it is not as it was, so many bytes further on.
    fn is_off(&self, by: u64) -> bool {
        let page = PAGE as u64;
        (self.first + by) / page != (self.last + by) / page
            || (self.first + by) % self.even != self.was % self.even
    }
}

/// A table for which there is no room: its item, at the start.
#[derive(Clone, Copy, Debug)]
pub struct Off {
    /// The item.
    pub at: Anchor,
    /// It lies behind where it was.
    pub up: bool,
}

impl Off {
    fn down(at: Anchor) -> Self {
        Self { at, up: false }
    }
}

/// All of it, with the items that it is about, by their numbers at the start.
#[derive(Clone, Debug, Default)]
pub struct Guards {
    list: Vec<(Guard, Vec<Anchor>)>,
    /// Data that padding keeps in one page, or at a multiple.
    tables: Vec<Table>,
    /// Addresses at which room keeps what stands behind it.
    pub held: Vec<u32>,
}

impl Guards {
    /// What must hold of a program. It gets expressions for places, which follow them. Room
    /// was put before these items as they were numbered without it, to hold these addresses.
    pub fn of(
        program: &mut Program<'_>,
        placed: &Placed,
        book: &Book<'_>,
        held: &[(Anchor, u32)],
        bits: &[Bits],
    ) -> Self {
        let nodes = nodes_of(program, placed, book);
        let mut guards = Self::default();
        for (i, &(at, address)) in held.iter().enumerate() {
            let rooms = held[..=i].iter().filter(|h| h.0.chunk == at.chunk).count();
            let now = Anchor {
                item: at.item + rooms as u32,
                ..at
            };
            let e = place(program, now, 0);
            let value = program.value_of(Value::Expr(e), &placed.layout, &placed.values);
            let value = value.unwrap_or(i64::from(address));
            guards.list.push((Guard::Value(e, value), vec![now]));
            guards.held.push(address);
        }
        let named = guards.values(program, placed, book);
        guards.jumps(program, placed, &nodes, &named);
        guards.distances(program, placed, book, &nodes);
        // Any byte of an address may be counted with alone: in a register, by way of another
        // (`l + a` to `a`, `a` to `l`), or in memory.
        guards.tables(program, &nodes);
        guards.low_halves(program, placed, &named);
        guards.bits(program, placed, bits);
        guards.decided(program, placed);
        guards
    }

    /// Code that others may know by its address stays there.
    pub fn keep(
        &mut self,
        program: &mut Program<'_>,
        placed: &Placed,
        book: &Book<'_>,
        known: &[Known],
    ) {
        let nodes = nodes_of(program, placed, book);
        for (n, _) in known.iter().filter_map(|k| nodes.holding(k.address)) {
            let at = nodes.list[n as usize].at;
            let e = place(program, at, 0);
            let value = program.value_of(Value::Expr(e), &placed.layout, &placed.values);
            let value = value.map(|v| (Guard::Value(e, v), vec![at]));
            self.list.extend(value.ok());
        }
    }

    /// Room came before an item that keeps it at an address.
    pub fn hold(&mut self, (program, at): (&mut Program<'_>, Anchor), address: u32) {
        let lists = self.list.iter_mut().flat_map(|g| &mut g.1);
        for a in lists.chain(self.tables.iter_mut().map(|t| &mut t.at)) {
            *a = behind(*a, at);
        }
        let now = behind(at, at);
        let e = place(program, now, 0);
        let own = program.address_value(at.chunk, u64::from(address));
        self.list.push((Guard::Value(e, own), vec![now]));
        self.held.push(address);
    }

    /// The tables that are kept in their pages.
    pub fn in_pages(&self) -> impl Iterator<Item = Anchor> {
        self.tables.iter().map(|t| t.at)
    }

    /// Numbers by which the reading decided what there is: they would decide so again.
    fn decided(&mut self, program: &mut Program<'_>, placed: &Placed) {
        // Room is counted anew, by a formula of its own where a dialect reads it twice.
        let items = program.chunks.iter().flat_map(|c| &c.items);
        let mut rooms: Vec<Span> = items
            .filter(|i| matches!(i.what, What::Space { .. }))
            .map(|i| i.span)
            .collect();
        rooms.sort_unstable_by_key(|s| (s.source, s.start));
        let is_room = |d: Span| {
            let next = rooms.partition_point(|s| (s.source, s.start) <= (d.source, d.start));
            let own = next.checked_sub(1).map(|i| rooms[i]);
            own.is_some_and(|s| s.source == d.source && d.end <= s.end)
        };
        for d in program.asked.decided.clone() {
            if d.what == Needed::Number && is_room(d.span) {
                continue;
            }
            let shape = shape(program, d.value);
            let places = shape.places();
            // Where something begins at a number, that is none of what it was computed from.
            let apart = d.what == Needed::Address && !matches!(shape, Shape::Address(..));
            if places.is_empty() || apart {
                continue;
            }
            let now = program.value_of(Value::Expr(d.value), &placed.layout, &placed.values);
            match (d.what, now) {
                (Needed::Truth, Ok(v)) if (v == 0) == (d.number == 0) => {
                    self.list.push((Guard::Zero(d.value, v == 0), places));
                }
                (_, Ok(v)) if v == d.number => {
                    self.list.push((Guard::Value(d.value, v), places));
                }
                // A name in it is worth something else by now: all its places stay.
                _ => {
                    for a in places {
                        let e = place(program, a, 0);
                        let at = program.value_of(Value::Expr(e), &placed.layout, &placed.values);
                        let at = at.ok().map(|v| (Guard::Value(e, v), vec![a]));
                        self.list.extend(at);
                    }
                }
            }
        }
    }

    /// Places of whose addresses single bits matter: those stay what they are.
    fn bits(&mut self, program: &mut Program<'_>, placed: &Placed, bits: &[Bits]) {
        for b in bits.iter().filter(|b| b.from < b.to) {
            let (a, n) = b.place;
            let own = Anchor { plus: 0, ..a };
            let at = program.address(&placed.layout, own);
            let what = program.item(own).map(|i| i.what);
            let code = matches!(what, Some(What::Instruction { .. } | What::Choice { .. }));
            let plain = program.address_value(a.chunk, at) == at as i64;
            if b.from == 0 && plain && !code && what.is_some() {
                let e = place(program, own, 0);
                self.tables.push(Table {
                    first: e,
                    last: (e, 0),
                    even: 1 << b.to,
                    was: at,
                    at: own,
                });
                continue;
            }
            let e = place(program, a, n);
            let value = program.value_of(Value::Expr(e), &placed.layout, &placed.values);
            if let Ok(v) = value {
                let guard = Guard::Bits(e, (b.from, b.to), bits_of(v, b.from, b.to));
                self.list.push((guard, vec![a]));
            }
        }
    }

    /// Values that are not understood. Returns places whose low halves are used alone, and
    /// all places that are named.
    fn values(&mut self, program: &mut Program<'_>, placed: &Placed, book: &Book<'_>) -> Named {
        let mut all: Vec<ExprId> = program.values.iter().map(|v| v.value).collect();
        all.extend(program.choices.values.iter().filter_map(|v| match v.1 {
            Value::Expr(e) | Value::Known(_, e) => Some(e),
            Value::Number(_) => None,
        }));
        let mut halves: FxHashSet<(Anchor, i64, bool)> = FxHashSet::default();
        let mut bytes: FxHashMap<(Anchor, Scale, bool), ExprId> = FxHashMap::default();
        let mut named = Named::default();
        let mut seen = FxHashSet::default();
        let mut counted = Vec::new();
        for e in all {
            if !seen.insert((e.start, e.len)) {
                continue;
            }
            counted.extend(steady(program, e));
            match shape(program, e) {
                Shape::Half(a, n, high) => {
                    halves.insert((a, n, high));
                    if high {
                        self.high((program, placed), e, (a, n), &mut named);
                    }
                }
                Shape::Address(a, n) => named.places.push((a, n)),
                Shape::Scaled(a, s) => named.places.push((a, s.plus)),
                Shape::Byte(a, s, high) => {
                    bytes.insert((a, s, high), e);
                }
                Shape::Mixed(places) => {
                    let value = program.value_of(Value::Expr(e), &placed.layout, &placed.values);
                    if let Ok(v) = value {
                        self.list.push((Guard::Value(e, v), places));
                    }
                }
                Shape::Difference(a, b) => {
                    // A block that is so long touches no more than it did.
                    let value = program.value_of(Value::Expr(e), &placed.layout, &placed.values);
                    let most = value.ok().map(|v| Guard::Most(e, v.abs()));
                    self.list.extend(most.map(|g| (g, vec![a, b])));
                }
                Shape::Number => {}
            }
        }
        self.distances_counted(program, counted);
        self.bytes(program, placed, &bytes, &mut named);
        for &(a, n, _) in &halves {
            let at = program.address_value(a.chunk, program.address(&placed.layout, a)) + n;
            // Bits may be put into what is even, which an author made so.
            let even = 1 << at.trailing_zeros().min(8);
            let what = program.item(a).map(|i| i.what);
            let code = matches!(what, Some(What::Instruction { .. } | What::Choice { .. }));
            // Behind the end of a program that has its memory for itself there is no table.
            let own = program.target.spaces().first().map(|s| s.base);
            let chunk = &program.chunks[a.chunk as usize];
            let end = what.is_none() && book.semantics.unit() > 1 && own == Some(chunk.origin);
            if even >= EVEN && !code && !end {
                named.even.push((a, n, even));
            }
        }
        named.even.sort_unstable();
        named.even.dedup();
        let alone = |&&(a, n, high): &&(Anchor, i64, bool)| !halves.contains(&(a, n, !high));
        let both = halves.iter().filter(|h| h.2 && !alone(h));
        named.whole.extend(both.map(|h| (h.0, h.1)));
        let mut list: Vec<_> = halves.iter().filter(alone).copied().collect();
        list.sort_unstable();
        named.places.extend(halves.iter().map(|h| (h.0, h.1)));
        named.places.sort_unstable();
        named.places.dedup();
        named.alone = list;
        named
    }

    /// Distances over data that something is computed from.
    fn distances_counted(&mut self, program: &mut Program<'_>, mut all: Vec<Steady>) {
        all.sort_unstable();
        all.dedup();
        for (a, b, n) in all {
            let ops = [Op::Place(a), Op::Place(b), Op::Binary(Binary::Sub)];
            let e = expression(program, &ops);
            self.list.push((Guard::Value(e, n), vec![a, b]));
        }
    }

    /// A high half, maybe with a mark beside it, for which there must be room; anything else
    /// keeps its value.
    fn high(
        &mut self,
        (program, placed): (&Program<'_>, &Placed),
        e: ExprId,
        (a, n): (Anchor, i64),
        named: &mut Named,
    ) {
        let value = program.value_of(Value::Expr(e), &placed.layout, &placed.values);
        let at = program.address_value(a.chunk, program.address(&placed.layout, a)) + n;
        let half = at.div_euclid(PAGE);
        match value {
            Ok(v) if v & 0xff == half & 0xff => named.high.push((e, (a, n), 0)),
            Ok(v) if v == half + MARK && half & MARK == 0 => named.high.push((e, (a, n), MARK)),
            Ok(v) => self.list.push((Guard::Value(e, v), vec![a])),
            Err(_) => {}
        }
    }

    /// Bytes of addresses in other units: both of them are the whole, which moves with its
    /// place; one alone stays what it is.
    fn bytes(
        &mut self,
        program: &Program<'_>,
        placed: &Placed,
        all: &FxHashMap<(Anchor, Scale, bool), ExprId>,
        named: &mut Named,
    ) {
        let mut all: Vec<_> = all.iter().map(|(k, e)| (*k, *e)).collect();
        all.sort_unstable_by_key(|k| k.0);
        for &((a, s, high), e) in &all {
            named.places.push((a, s.plus));
            if all.binary_search_by_key(&(a, s, !high), |k| k.0).is_ok() {
                named.whole.extend((!high).then_some((a, s.plus)));
                continue;
            }
            let value = program.value_of(Value::Expr(e), &placed.layout, &placed.values);
            if let Ok(v) = value {
                self.list.push((Guard::Value(e, v), vec![a]));
            }
        }
    }

    /// What is counted from a place is as far from it as it was: no room comes between them.
    /// Jumps to an instruction follow that.
    fn distances(
        &mut self,
        program: &mut Program<'_>,
        placed: &Placed,
        book: &Book<'_>,
        nodes: &Nodes,
    ) {
        let mut all: Vec<(Anchor, i64)> = Vec::new();
        let mut add = |shape: &Shape| match *shape {
            Shape::Address(a, n) | Shape::Half(a, n, _) => all.push((a, n)),
            Shape::Scaled(a, s) | Shape::Byte(a, s, _) => all.push((a, s.plus)),
            Shape::Number | Shape::Difference(..) | Shape::Mixed(_) => {}
        };
        for node in nodes.list.iter().filter(|n| n.kind == Kind::Code) {
            let to = node.to.map(|to| &nodes.list[to as usize]);
            if to.is_none_or(|to| goal(book, &node.ways) != Some(to.address)) {
                node.operands.iter().for_each(|o| add(&o.shape));
            }
        }
        for v in &program.values {
            if matches!(v.field, Field::Data(_)) {
                add(&shape(program, v.value));
            }
        }
        all.retain(|p| p.1 != 0);
        all.sort_unstable();
        all.dedup();
        for (a, n) in all {
            let unit = i64::from(program.chunks[a.chunk as usize].unit);
            let address = program.address(&placed.layout, a);
            let address = address.wrapping_add_signed(n.saturating_mul(unit));
            let to = nodes.holding(address).map(|(to, _)| to);
            let Some(to) = to.filter(|&to| nodes.of(a) != Some(to)) else {
                continue;
            };
            let at = nodes.list[to as usize].at;
            if at.chunk != a.chunk {
                continue;
            }
            let all = [Op::Place(at), Op::Place(a), Op::Binary(Binary::Sub)];
            let e = expression(program, &all);
            let value = program.value_of(Value::Expr(e), &placed.layout, &placed.values);
            if let Ok(v) = value {
                self.list.push((Guard::Value(e, v), vec![a, at]));
            }
        }
    }

    /// Tables of jumps whose addresses are put together from bytes: what is added to the low
    /// one may not carry.
    fn jumps(&mut self, program: &mut Program<'_>, placed: &Placed, nodes: &Nodes, named: &Named) {
        let unit = |n: u32| {
            let chunk = &program.chunks[nodes.list[n as usize].at.chunk as usize];
            let mut spaces = program.target.spaces().iter();
            let own = spaces
                .find(|s| s.base == chunk.origin)
                .map_or(1, |s| s.unit);
            i64::from(own.max(chunk.unit) / chunk.unit.max(1))
        };
        let mut tables = Vec::new();
        for &(a, n) in named.whole.iter().filter(|w| w.1 == 0) {
            let Some(first) = nodes.of(a) else { continue };
            let jumps = |x: &u32| {
                let node = &nodes.list[*x as usize];
                node.at.chunk == a.chunk
                    && node.ways.way == Some(Way::Jump)
                    && !node.ways.falls_through
            };
            let count = nodes.list.len() as u32;
            let last = (first..count).take_while(jumps).last();
            if let Some(last) = last.filter(|&l| l > first) {
                tables.push((a, n, nodes.list[last as usize].at, unit(first)));
            }
        }
        tables.sort_unstable();
        tables.dedup();
        for (a, n, last, per) in tables {
            let mut ends = [place(program, a, n), place(program, last, 0)];
            for e in &mut ends {
                let own = (e.start as usize)..(e.start + e.len) as usize;
                let mut ops = program.ops[own].to_vec();
                ops.extend([Op::Number(per), Op::Binary(Binary::Div)]);
                *e = ExprId {
                    start: program.ops.len() as u32,
                    len: ops.len() as u32,
                };
                program.ops.extend(ops);
            }
            let page = |e: ExprId| {
                let v = program.value_of(Value::Expr(e), &placed.layout, &placed.values);
                v.ok().map(|v| v.div_euclid(PAGE))
            };
            if page(ends[0]) == page(ends[1]) {
                self.list.push((Guard::Page(ends.to_vec()), vec![a]));
            }
        }
    }

    /// Places whose low or high halves are used alone stay in their pages, with all others
    /// that are in these.
    fn low_halves(&mut self, program: &mut Program<'_>, placed: &Placed, named: &Named) {
        let page = |p: &Program<'_>, a: Anchor, n: i64| {
            let at = p.address_value(a.chunk, p.address(&placed.layout, a)) + n;
            at.div_euclid(PAGE)
        };
        for &(e, (a, n), mark) in &named.high {
            let place = place(program, a, n);
            self.list.push((Guard::High(e, place, mark), vec![a]));
        }
        for &(a, n, of) in &named.even {
            let e = place(program, a, n);
            self.even((program, placed), (a, n), e, of);
        }
        let mut low: BTreeMap<i64, Vec<(Anchor, ExprId)>> = BTreeMap::new();
        for &(a, n, high) in &named.alone {
            let e = place(program, a, n);
            if high {
                // The low half may be anything: what it is counted from is that page.
                let p = page(program, a, n);
                let at = program.address_value(a.chunk, program.address(&placed.layout, a)) + n;
                if at.rem_euclid(PAGE) == 0 {
                    // Whatever is counted from there is counted from its start.
                    self.even((program, placed), (a, n), e, PAGE);
                    continue;
                }
                let start = program.ops.len() as u32;
                program.ops.push(Op::Number(p * PAGE));
                let number = ExprId { start, len: 1 };
                self.list.push((Guard::Page(vec![e, number]), vec![a]));
                continue;
            }
            let own = page(program, a, n);
            low.entry(own).or_default().push((a, e));
        }
        let mut near: BTreeMap<i64, Vec<(Anchor, ExprId)>> = BTreeMap::new();
        for &(b, m) in named.places.iter().filter(|_| !low.is_empty()) {
            let own = page(program, b, m);
            if low.contains_key(&own) {
                near.entry(own).or_default().push((b, place(program, b, m)));
            }
        }
        for (own, each) in low {
            // The places come first, and each of the low halves is in their page.
            let places = near.remove(&own).unwrap_or_default();
            let count = places.len();
            let (items, group) = places.into_iter().chain(each).unzip();
            self.list.push((Guard::Halves(group, count), items));
        }
    }

    /// A place stays at a multiple: where data begin, padding before them can do that.
    fn even(
        &mut self,
        (program, placed): (&Program<'_>, &Placed),
        (a, n): (Anchor, i64),
        e: ExprId,
        of: i64,
    ) {
        let at = program.address(&placed.layout, a);
        let what = program.item(a).map(|i| i.what);
        let code = matches!(what, Some(What::Instruction { .. } | What::Choice { .. }));
        let begins = n == 0 && a.plus == 0 && what.is_some() && !code;
        // Numbers of a source may be other ones than addresses of memory.
        let plain = program.address_value(a.chunk, at) == at as i64;
        match begins && plain {
            true => self.tables.push(Table {
                first: e,
                last: (e, 0),
                even: of as u64,
                was: at,
                at: a,
            }),
            false => self.list.push((Guard::Even(e, of), vec![a])),
        }
    }

    /// Data between labels that lie in one page.
    fn tables(&mut self, program: &mut Program<'_>, nodes: &Nodes) {
        let mut start: Option<u32> = None;
        let count = nodes.list.len() as u32;
        for n in 0..=count {
            let node = nodes.list.get(n as usize);
            let data = node.is_some_and(|x| x.kind != Kind::Code);
            let begins = node.is_some_and(|x| !x.labels.is_empty());
            let same = |s: u32| {
                let chunk = nodes.list[s as usize].at.chunk;
                node.is_some_and(|x| x.at.chunk == chunk)
            };
            if let Some(s) = start
                && (!data || begins || !same(s))
            {
                self.table(program, nodes, s, n);
                start = None;
            }
            if data && begins {
                start = Some(n);
            }
        }
    }

    fn table(&mut self, program: &mut Program<'_>, nodes: &Nodes, from: u32, to: u32) {
        let own = &nodes.list[from as usize..to as usize];
        let bytes: u64 = own.iter().map(|n| u64::from(n.size)).sum();
        let Some(last) = own.iter().rev().find(|n| n.size > 0) else {
            return;
        };
        let (first, end) = (own[0].address, own[0].address + bytes - 1);
        let page = PAGE as u64;
        if bytes < 2 || first / page != end / page {
            return;
        }
        self.tables.push(Table {
            first: place(program, own[0].at, 0),
            last: (place(program, last.at, 0), u64::from(last.size) - 1),
            even: 1,
            was: first,
            at: own[0].at,
        });
    }

    /// Room before data that keeps tables in their pages: where it goes, and how many bytes.
    /// Nothing where all do; where that is not to be had the item of the table, at the start.
    pub fn padding(
        &self,
        program: &Program<'_>,
        placed: &Placed,
        nodes: &Nodes,
    ) -> Result<Option<(Anchor, u32)>, Off> {
        // Pages are those of bytes, whatever a dialect counts.
        let byte = |t: &Table, e: ExprId| {
            let v = program.value_of(Value::Expr(e), &placed.layout, &placed.values);
            let chunk = &program.chunks[t.at.chunk as usize];
            let v = v.ok().and_then(|v| u64::try_from(v).ok())?;
            Some(chunk.origin + v * u64::from(chunk.unit.max(1)))
        };
        let mut tables = Vec::new();
        for t in &self.tables {
            let ends = byte(t, t.first).zip(byte(t, t.last.0));
            let (first, last) = ends.ok_or(Off::down(t.at))?;
            tables.push(Lies {
                first,
                last: last + t.last.1,
                even: t.even,
                was: t.was,
                at: t.at,
            });
        }
        tables.sort_unstable();
        let Some(bad) = tables.iter().find(|t| t.is_off(0)) else {
            return Ok(None);
        };
        // The run of data that it is in, which stays in one piece.
        let (mut start, _) = nodes.holding(bad.first).ok_or(Off::down(bad.at))?;
        let of = |n: u32| &nodes.list[n as usize];
        let chunk = of(start).at.chunk;
        let data = |n: u32| of(n).kind != Kind::Code && of(n).at.chunk == chunk;
        while start > 0 && data(start - 1) {
            start -= 1;
        }
        let mut end = start;
        while (end as usize) < nodes.list.len() && data(end) {
            end += 1;
        }
        let last = of(end - 1);
        let range = of(start).address..last.address + u64::from(last.size);
        let own = || tables.iter().filter(|t| range.contains(&t.first));
        let up = Off {
            at: bad.at,
            up: true,
        };
        let moved = bad.was.checked_sub(bad.first).ok_or(up)?;
        let by = (1..=moved).find(|&by| own().all(|t| !t.is_off(by)));
        let open = is_come_to(program, nodes, start);
        match by {
            Some(by) if !open => Ok(Some((of(start).at, by as u32))),
            _ => Err(Off::down(bad.at)),
        }
    }

    /// The items that all of it is about: where nothing changes before them all of it holds.
    pub fn places(&self) -> impl Iterator<Item = Anchor> + '_ {
        let listed = self.list.iter().flat_map(|g| &g.1).copied();
        listed.chain(self.tables.iter().map(|t| t.at))
    }

    /// The items before which nothing may change, since something does not hold.
    pub fn broken(&self, program: &Program<'_>, placed: &Placed) -> Vec<Anchor> {
        let value = |e: ExprId| {
            program
                .value_of(Value::Expr(e), &placed.layout, &placed.values)
                .ok()
        };
        let page = |e: &ExprId| value(*e).map(|v| v.div_euclid(PAGE));
        let same = |all: &[Option<i64>]| all.iter().all(|p| p.is_some() && *p == all[0]);
        let mut out = Vec::new();
        for (guard, places) in &self.list {
            let holds = match guard {
                Guard::Value(e, v) => value(*e) == Some(*v),
                Guard::Most(e, v) => value(*e).is_some_and(|now| now.abs() <= *v),
                Guard::Zero(e, zero) => value(*e).is_some_and(|v| (v == 0) == *zero),
                Guard::High(e, place, mark) => match (value(*e), value(*place)) {
                    (Some(v), Some(at)) => {
                        let half = at.div_euclid(PAGE);
                        v & 0xff == (half + mark) & 0xff && half & mark == 0
                    }
                    _ => false,
                },
                Guard::Even(e, of) => value(*e).is_some_and(|v| v.rem_euclid(*of) == 0),
                Guard::Bits(e, (from, to), was) => {
                    value(*e).is_some_and(|v| bits_of(v, *from, *to) == *was)
                }
                Guard::Page(list) => same(&list.iter().map(page).collect::<Vec<_>>()),
                Guard::Halves(list, count) => {
                    let pages: Vec<_> = list.iter().map(page).collect();
                    let (first, each) = pages.split_at(*count);
                    let apart = !same(first);
                    let goes = |p: &Option<i64>| {
                        apart || p.is_none() || first.first().is_some_and(|f| f != p)
                    };
                    let gone = (*count..).zip(each).filter(|(_, p)| goes(p));
                    let before = out.len();
                    out.extend(gone.map(|(i, _)| places[i]));
                    // They go with the places that they are counted from.
                    out.len() == before
                }
            };
            if let (false, Guard::Halves(_, count)) = (holds, guard) {
                out.extend(&places[..*count]);
            } else if !holds {
                out.extend(places);
            }
        }
        out
    }
}

/// Whether control may come to data from what stands before them, or their part begins with
/// them at an address of its own.
fn is_come_to(program: &Program<'_>, nodes: &Nodes, start: u32) -> bool {
    let of = |n: u32| &nodes.list[n as usize];
    let chunk = of(start).at.chunk;
    // What stands behind a call may be read by what is called.
    let comes = |n: u32| of(n).ways.falls_through || calls(of(n));
    match start.checked_sub(1).filter(|&b| of(b).at.chunk == chunk) {
        Some(before) => comes(before),
        None => {
            let at = of(start).address;
            let before = at.checked_sub(1).and_then(|a| nodes.holding(a));
            program.chunks[chunk as usize].base.is_some() || before.is_some_and(|b| comes(b.0))
        }
    }
}

/// Bits of a number, from one on up to another.
fn bits_of(value: i64, from: u8, to: u8) -> i64 {
    (value >> from).rem_euclid(1 << (to - from))
}

/// Places that expressions name.
#[derive(Default)]
struct Named {
    /// All.
    places: Vec<(Anchor, i64)>,
    /// Those that are even, and how much.
    even: Vec<(Anchor, i64, i64)>,
    /// Those of which both halves are used, each by itself.
    whole: Vec<(Anchor, i64)>,
    /// Those of which only one half is used: high ones are `true`.
    alone: Vec<(Anchor, i64, bool)>,
    /// What is the high half of one, and what is added to that.
    high: Vec<(ExprId, (Anchor, i64), i64)>,
}

/// An expression for a place, which follows it.
fn place(program: &mut Program<'_>, a: Anchor, n: i64) -> ExprId {
    expression(
        program,
        &[Op::Place(a), Op::Number(n), Op::Binary(Binary::Add)],
    )
}

/// An expression of these operations.
fn expression(program: &mut Program<'_>, ops: &[Op]) -> ExprId {
    let start = program.ops.len() as u32;
    program.ops.extend_from_slice(ops);
    let len = ops.len() as u32;
    ExprId { start, len }
}
