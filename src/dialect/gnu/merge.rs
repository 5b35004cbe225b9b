//! Texts and constants that the linker keeps once: sections with the flag `M`. Of
//! texts (flag `S`) one that is the end of another is not kept either.

use super::State;
use super::script::{self, SCRIPT, Step};
use crate::image::NONE;
use crate::program::eval::Op;
use crate::program::item::{Given, Item as Row, OperandValue, What, whole};
use crate::program::symbol::{Anchor, Meaning};
use crate::read::Assembler;
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// A text or constant, end mark and all.
struct Item {
    bytes: Rc<[u8]>,
    /// Index of the part that has it first, and where there.
    part: usize,
    from: usize,
    /// Longer item that it is the end of.
    inside: Option<usize>,
    /// Where it is put in its part.
    to: usize,
}

/// Parts that are merged with each other.
#[derive(Default)]
struct Pool {
    items: Vec<Item>,
    known: FxHashMap<Rc<[u8]>, usize>,
    parts: Vec<usize>,
}

/// A chunk before its items were merged.
struct Before {
    /// Where its rows were, and where it ended: anchors are rows.
    offsets: Vec<u32>,
    /// Where the items start, and which they are.
    starts: Vec<(usize, usize)>,
}

impl Assembler<'_> {
    /// Merges all sections that may be.
    pub(super) fn gnu_merge(&mut self) {
        let mut pools: Vec<((usize, u8, bool), Pool)> = Vec::new();
        let mut numbers: FxHashMap<(usize, u8, bool), usize> = FxHashMap::default();
        let fixed: FxHashSet<u32> = self
            .values
            .iter()
            .filter(|v| v.state != Given::All)
            .map(|v| v.at.chunk)
            .collect();
        for i in 0..self.own.get::<State>().parts.len() {
            let part = self.own.get::<State>().parts[i];
            let flags = self.gnu_flags(part.section);
            let chunk = &self.chunks[part.chunk as usize];
            let size = usize::from(flags.item);
            let whole = chunk.size > 0 && chunk.open.is_empty() && part.align == 1;
            if !flags.alloc || !whole || size == 0 || fixed.contains(&part.chunk) {
                continue;
            }
            let bytes = self.plain_bytes(part.chunk);
            let texts = flags.texts && size == 1 && bytes.last() == Some(&0);
            let constants = !flags.texts && bytes.len().is_multiple_of(size);
            if !(texts || constants) {
                continue;
            }
            let name = &self.sections[part.section as usize].name;
            let means = |s: &Step| matches!(s, Step::Input(p) if script::matches(p, name));
            let place = SCRIPT.iter().position(|s| s.1.iter().any(means));
            let place = place.unwrap_or(SCRIPT.len() + part.section as usize);
            let key = (place, flags.item, flags.texts);
            let at = *numbers.entry(key).or_insert_with(|| {
                pools.push((key, Pool::default()));
                pools.len() - 1
            });
            pools[at].1.parts.push(i);
        }
        for ((_, size, texts), pool) in pools {
            self.gnu_merge_pool(pool, usize::from(size), texts);
        }
    }

    fn gnu_merge_pool(&mut self, mut pool: Pool, size: usize, texts: bool) {
        let was = self.gnu_items(&mut pool, size, texts);
        if texts {
            find_ends(&mut pool.items);
        }
        // Kept items stay in the section that had them first, in their order.
        let mut sizes: FxHashMap<usize, usize> = FxHashMap::default();
        for item in pool.items.iter_mut().filter(|i| i.inside.is_none()) {
            let size = sizes.entry(item.part).or_default();
            item.to = *size;
            *size += item.bytes.len();
        }
        // Values that were known point at items that are others now.
        let chunks = |v: &OperandValue| !was.contains_key(&v.at.chunk);
        self.drop_values(&chunks);
        // Items are in the order of the parts that have them first.
        for own in pool.items.chunk_by(|a, b| a.part == b.part) {
            self.gnu_keep(own[0].part, own);
        }
        for &i in pool.parts.iter().filter(|i| !sizes.contains_key(i)) {
            self.gnu_keep(i, &[]);
        }
        self.gnu_move_anchors(&pool, &was);
    }

    /// Cuts the parts of a pool into items; how the chunks were, by number.
    fn gnu_items(&self, pool: &mut Pool, size: usize, texts: bool) -> FxHashMap<u32, Before> {
        let mut was = FxHashMap::default();
        for &i in &pool.parts {
            let chunk = self.own.get::<State>().parts[i].chunk;
            let c = &self.chunks[chunk as usize];
            let offsets = c.items.iter().map(|i| i.offset).chain([c.size]);
            let bytes = self.plain_bytes(chunk);
            let mut at = 0;
            let mut starts = Vec::new();
            while at < bytes.len() {
                let rest = &bytes[at..];
                let len = match texts {
                    true => memchr::memchr(0, rest).map_or(rest.len(), |n| n + 1),
                    false => size,
                };
                let known = pool.known.get(&rest[..len]).copied();
                let id = known.unwrap_or_else(|| {
                    let bytes: Rc<[u8]> = rest[..len].into();
                    pool.known.insert(bytes.clone(), pool.items.len());
                    pool.items.push(Item {
                        bytes,
                        part: i,
                        from: at,
                        inside: None,
                        to: 0,
                    });
                    pool.items.len() - 1
                });
                starts.push((at, id));
                at += len;
            }
            let before = Before {
                offsets: offsets.collect(),
                starts,
            };
            was.insert(chunk, before);
        }
        was
    }

    /// Where a place in a chunk of a pool is now.
    fn gnu_moved(&self, pool: &Pool, was: &FxHashMap<u32, Before>, p: Anchor) -> Option<Anchor> {
        let Before { offsets, starts } = was.get(&p.chunk)?;
        let at = (offsets.get(p.item as usize)? + p.plus) as usize;
        let (start, id) = starts[starts.partition_point(|s| s.0 <= at).checked_sub(1)?];
        let item = &pool.items[id];
        let (kept, skip) = match item.inside {
            Some(k) => (&pool.items[k], pool.items[k].bytes.len() - item.bytes.len()),
            None => (item, 0),
        };
        let chunk = self.own.get::<State>().parts[kept.part].chunk;
        let offset = (kept.to + skip + at - start) as u32;
        let (item, plus) = self.chunks[chunk as usize].holding(offset);
        Some(Anchor { chunk, item, plus })
    }

    /// Lets symbols and expressions follow the items that they are at.
    fn gnu_move_anchors(&mut self, pool: &Pool, was: &FxHashMap<u32, Before>) {
        for id in self.symbols.ids() {
            let s = self.symbols.get(id);
            let (meaning, place, end) = (s.meaning, s.place, s.end);
            let to = |p: Anchor| self.gnu_moved(pool, was, p);
            let meaning = match meaning {
                Meaning::At(p) => to(p).map(Meaning::At),
                _ => None,
            };
            let (place, end) = (place.and_then(to), end.and_then(to));
            let s = self.symbols.get_mut(id);
            s.meaning = meaning.unwrap_or(s.meaning);
            s.place = place.or(s.place);
            s.end = end.or(s.end);
        }
        for i in 0..self.ops.len() {
            if let Op::Place(p) = self.ops[i]
                && let Some(to) = self.gnu_moved(pool, was, p)
            {
                self.ops[i] = Op::Place(to);
            }
        }
    }

    /// Leaves in a part only what it keeps of the items that it has first, which are in
    /// order.
    fn gnu_keep(&mut self, part: usize, items: &[Item]) {
        let chunk = &mut self.program.chunks[self.own.get::<State>().parts[part].chunk as usize];
        let old = std::mem::take(&mut chunk.items);
        let all = std::mem::take(&mut chunk.size);
        let data = &mut self.program.data;
        let end_of = |i: usize| old.get(i + 1).map_or(all, |next| next.offset);
        for item in items.iter().filter(|i| i.inside.is_none()) {
            let (from, end) = (item.from as u32, (item.from + item.bytes.len()) as u32);
            let first = old.partition_point(|r| r.offset <= from).saturating_sub(1);
            let own = old[first..].iter().enumerate();
            for (i, r) in own.take_while(|r| r.1.offset < end) {
                let (a, b) = (r.offset.max(from), end_of(first + i).min(end));
                if a >= b {
                    continue;
                }
                let bytes = &item.bytes[(a - from) as usize..(b - from) as usize];
                let what = What::Data {
                    class: r.class(),
                    operands: NONE,
                    from: data.len() as u32,
                    len: b - a,
                };
                data.extend_from_slice(bytes);
                chunk.push(Row { what, ..*r });
            }
        }
    }

    /// Drops values; the items that stay know where theirs are.
    fn drop_values(&mut self, stays: &dyn Fn(&OperandValue) -> bool) {
        if self.values.iter().all(stays) {
            return;
        }
        self.values.retain(|v| stays(v));
        self.find_values();
    }

    /// The bytes of a chunk without values and sizes that are open.
    fn plain_bytes(&self, chunk: u32) -> Vec<u8> {
        let c = &self.chunks[chunk as usize];
        let mut out = Vec::with_capacity(c.size as usize);
        for item in &c.items {
            match item.what {
                What::Instruction { size, word, .. } => {
                    let bytes = whole(word).to_le_bytes();
                    out.extend_from_slice(&bytes[..usize::from(size)]);
                }
                What::Data { from, len, .. } => {
                    out.extend_from_slice(&self.data[from as usize..(from + len) as usize]);
                }
                What::Fill { byte, count, .. } => out.resize(out.len() + count as usize, byte),
                What::Space { byte, size, .. } if size != NONE => {
                    out.resize(out.len() + size as usize, byte);
                }
                What::Align { fill, size, .. } if size != NONE => {
                    out.extend(fill.iter().cycle().take(size as usize));
                }
                _ => {}
            }
        }
        out
    }
}

/// Finds the texts that are the end of others.
fn find_ends(items: &mut [Item]) {
    let mut order: Vec<usize> = (0..items.len()).collect();
    // By their ends, longer ones behind what they end with.
    order.sort_by(|&a, &b| {
        let (a, b) = (&items[a].bytes, &items[b].bytes);
        a.iter().rev().skip(1).cmp(b.iter().rev().skip(1))
    });
    let mut longest: Option<usize> = None;
    for &i in order.iter().rev() {
        match longest {
            Some(k) if items[k].bytes.ends_with(&items[i].bytes) => items[i].inside = Some(k),
            _ => longest = Some(i),
        }
    }
}
