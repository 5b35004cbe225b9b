//! Texts and constants that the linker keeps once: sections with the flag `M`. Of
//! texts (flag `S`) one that is the end of another is not kept either.

use super::script::{self, SCRIPT, Step};
use crate::program::RawRun;
use crate::program::eval::Op;
use crate::program::symbol::{Meaning, Place};
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

/// Where the items of a chunk start, and which they are.
type Starts = Vec<(usize, usize)>;

impl Assembler<'_> {
    /// Merges all sections that may be.
    pub(super) fn gnu_merge(&mut self) {
        let mut pools: Vec<((usize, u8, bool), Pool)> = Vec::new();
        let mut numbers: FxHashMap<(usize, u8, bool), usize> = FxHashMap::default();
        let fixed: FxHashSet<u32> = self.fixups.iter().map(|f| f.place.chunk).collect();
        for i in 0..self.gnu.parts.len() {
            let part = self.gnu.parts[i];
            let flags = self.gnu_flags(part.section);
            let chunk = &self.chunks[part.chunk as usize];
            let size = usize::from(flags.item);
            let whole = !chunk.bytes.is_empty() && chunk.tails.is_empty() && part.align == 1;
            let texts = flags.texts && size == 1 && chunk.bytes.last() == Some(&0);
            let constants = !flags.texts && size > 0 && chunk.bytes.len().is_multiple_of(size);
            if !flags.alloc || !whole || !(texts || constants) {
                continue;
            }
            if fixed.contains(&part.chunk) {
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
        let mut starts: FxHashMap<u32, Starts> = FxHashMap::default();
        for &i in &pool.parts {
            let chunk = self.gnu.parts[i].chunk;
            let bytes = &self.chunks[chunk as usize].bytes;
            let mut at = 0;
            let mut list = Vec::new();
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
                list.push((at, id));
                at += len;
            }
            starts.insert(chunk, list);
        }
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
        // Items are in the order of the parts that have them first.
        for own in pool.items.chunk_by(|a, b| a.part == b.part) {
            self.gnu_keep(own[0].part, own);
        }
        for &i in pool.parts.iter().filter(|i| !sizes.contains_key(i)) {
            self.gnu_keep(i, &[]);
        }
        let moved = |this: &Self, p: Place| -> Option<Place> {
            let list = starts.get(&p.chunk)?;
            let at = p.offset as usize;
            let (start, id) = list[list.partition_point(|s| s.0 <= at).checked_sub(1)?];
            let item = &pool.items[id];
            let (kept, skip) = match item.inside {
                Some(k) => (&pool.items[k], pool.items[k].bytes.len() - item.bytes.len()),
                None => (item, 0),
            };
            Some(Place {
                chunk: this.gnu.parts[kept.part].chunk,
                offset: (kept.to + skip + at - start) as u32,
                tail: 0,
            })
        };
        for id in self.symbols.ids() {
            let s = self.symbols.get(id);
            let (meaning, place, end) = (s.meaning, s.place, s.end);
            let to = |p: Place| moved(self, p);
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
                && let Some(to) = moved(self, p)
            {
                self.ops[i] = Op::Place(to);
            }
        }
    }

    /// Leaves in a part only what it keeps of the items that it has first, which are in
    /// order.
    fn gnu_keep(&mut self, part: usize, items: &[Item]) {
        let chunk = &mut self.program.chunks[self.gnu.parts[part].chunk as usize];
        let old_runs = std::mem::take(&mut chunk.runs);
        let mut bytes = Vec::new();
        let mut runs: Vec<RawRun> = Vec::new();
        for item in items.iter().filter(|i| i.inside.is_none()) {
            let (from, end) = (item.from as u32, (item.from + item.bytes.len()) as u32);
            let first = old_runs.partition_point(|r| r.offset + r.len <= from);
            for r in old_runs[first..].iter().take_while(|r| r.offset < end) {
                let (a, b) = (r.offset.max(from), (r.offset + r.len).min(end));
                if a < b {
                    runs.push(RawRun {
                        offset: bytes.len() as u32 + a - from,
                        len: b - a,
                        ..*r
                    });
                }
            }
            bytes.extend_from_slice(&item.bytes);
        }
        chunk.bytes = bytes;
        chunk.runs = runs;
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
