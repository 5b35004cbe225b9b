//! Texts and constants that the linker keeps once: sections with the flag `M`. Of
//! texts (flag `S`) one that is the end of another is not kept either.

use super::script::{self, SCRIPT, Step};
use super::state::State;
use crate::image::NONE;
use crate::program::eval::Op;
use crate::program::item::{Given, Item as Row, OperandValue, What, whole};
use crate::program::symbol::{Anchor, Meaning};
use crate::read::Assembler;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};
use std::hash::BuildHasher;

/// A text or constant, end mark and all.
struct Item {
    /// Where its bytes are among those of the pool, and how many.
    at: u32,
    len: u32,
    /// Index of the part that has it first, and where there.
    part: u32,
    from: u32,
    /// Number of the longer item that it is the end of, or [`NONE`].
    inside: u32,
    /// Where it is put in its part.
    to: u32,
    /// Number of the item before it with the same hash, or [`NONE`].
    same: u32,
}

/// Parts that are merged with each other.
#[derive(Default)]
struct Pool {
    items: Vec<Item>,
    /// The last item of each hash.
    known: FxHashMap<u64, u32>,
    parts: Vec<usize>,
    /// What all parts have, one after the other.
    bytes: Vec<u8>,
}

impl Pool {
    fn bytes_of(&self, item: &Item) -> &[u8] {
        &self.bytes[item.at as usize..(item.at + item.len) as usize]
    }

    /// Number of the item with those bytes of the pool, a new one if there is none: it
    /// stands at `from` in a part.
    fn number(&mut self, (at, len): (usize, usize), part: usize, from: usize) -> u32 {
        let bytes = &self.bytes[at..at + len];
        let hash = FxBuildHasher.hash_one(bytes);
        let last = self.known.get(&hash).copied().unwrap_or(NONE);
        let mut known = last;
        while let Some(item) = self.items.get(known as usize) {
            if self.bytes_of(item) == bytes {
                return known;
            }
            known = item.same;
        }
        let number = self.items.len() as u32;
        self.items.push(Item {
            at: at as u32,
            len: len as u32,
            part: part as u32,
            from: from as u32,
            inside: NONE,
            to: 0,
            same: last,
        });
        self.known.insert(hash, number);
        number
    }

    /// Finds the texts that are the end of others.
    fn find_ends(&mut self) {
        let mut order: Vec<u32> = (0..self.items.len() as u32).collect();
        let bytes = |i: u32| self.bytes_of(&self.items[i as usize]);
        // By their ends, longer ones behind what they end with.
        order.sort_unstable_by(|&a, &b| {
            let (a, b) = (bytes(a), bytes(b));
            a.iter().rev().skip(1).cmp(b.iter().rev().skip(1))
        });
        let mut longest = NONE;
        for &i in order.iter().rev() {
            let bytes = |i: u32| self.bytes_of(&self.items[i as usize]);
            if longest != NONE && bytes(longest).ends_with(bytes(i)) {
                self.items[i as usize].inside = longest;
            } else {
                longest = i;
            }
        }
    }
}

/// A chunk before its items were merged.
struct Before {
    /// Where its rows were, and where it ended: anchors are rows.
    offsets: Vec<u32>,
    /// Where the items start, and which they are.
    starts: Vec<(u32, u32)>,
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
            let mut bytes = Vec::with_capacity(chunk.size as usize);
            self.plain_bytes(part.chunk, &mut bytes);
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
            pool.find_ends();
        }
        // Kept items stay in the section that had them first, in their order.
        let mut sizes: FxHashMap<u32, u32> = FxHashMap::default();
        for item in pool.items.iter_mut().filter(|i| i.inside == NONE) {
            let size = sizes.entry(item.part).or_default();
            item.to = *size;
            *size += item.len;
        }
        // Values that were known point at items that are others now.
        let chunks = |v: &OperandValue| !was.contains_key(&v.at.chunk);
        self.drop_values(&chunks);
        // Items are in the order of the parts that have them first.
        for own in pool.items.chunk_by(|a, b| a.part == b.part) {
            self.gnu_keep(own[0].part as usize, own, &pool);
        }
        for &i in &pool.parts {
            if !sizes.contains_key(&(i as u32)) {
                self.gnu_keep(i, &[], &pool);
            }
        }
        self.gnu_move_anchors(&pool, &was);
    }

    /// Cuts the parts of a pool into items; how the chunks were, by number.
    fn gnu_items(&self, pool: &mut Pool, size: usize, texts: bool) -> FxHashMap<u32, Before> {
        let mut was = FxHashMap::default();
        for i in pool.parts.clone() {
            let chunk = self.own.get::<State>().parts[i].chunk;
            let c = &self.chunks[chunk as usize];
            let offsets = c.items.iter().map(|i| i.offset).chain([c.size]);
            let first = pool.bytes.len();
            self.plain_bytes(chunk, &mut pool.bytes);
            let mut at = first;
            let mut starts = Vec::new();
            while at < pool.bytes.len() {
                let rest = &pool.bytes[at..];
                let len = match texts {
                    true => memchr::memchr(0, rest).map_or(rest.len(), |n| n + 1),
                    false => size,
                };
                let from = at - first;
                starts.push((from as u32, pool.number((at, len), i, from)));
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
        let at = offsets.get(p.item as usize)? + p.plus;
        let (start, id) = starts[starts.partition_point(|s| s.0 <= at).checked_sub(1)?];
        let item = &pool.items[id as usize];
        let longer = pool.items.get(item.inside as usize);
        let kept = longer.unwrap_or(item);
        let chunk = self.own.get::<State>().parts[kept.part as usize].chunk;
        let offset = kept.to + (kept.len - item.len) + at - start;
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
    fn gnu_keep(&mut self, part: usize, items: &[Item], pool: &Pool) {
        let chunk = &mut self.program.chunks[self.own.get::<State>().parts[part].chunk as usize];
        let old = std::mem::take(&mut chunk.items);
        let all = std::mem::take(&mut chunk.size);
        let data = &mut self.program.data;
        let end_of = |i: usize| old.get(i + 1).map_or(all, |next| next.offset);
        for item in items.iter().filter(|i| i.inside == NONE) {
            let (from, end) = (item.from, item.from + item.len);
            let first = old.partition_point(|r| r.offset <= from).saturating_sub(1);
            let own = old[first..].iter().enumerate();
            for (i, r) in own.take_while(|r| r.1.offset < end) {
                let (a, b) = (r.offset.max(from), end_of(first + i).min(end));
                if a >= b {
                    continue;
                }
                let bytes = &pool.bytes_of(item)[(a - from) as usize..(b - from) as usize];
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

    /// Appends the bytes of a chunk without values and sizes that are open.
    fn plain_bytes(&self, chunk: u32, out: &mut Vec<u8>) {
        let c = &self.chunks[chunk as usize];
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
    }
}
