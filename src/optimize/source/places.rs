//! Which items stand in the place of which statements, and which labels moved.

use super::{Place, Writer};
use crate::image::{ExpansionKind, NONE};
use crate::optimize::trace::Tag;
use crate::program::Program;
use crate::program::item::{Item, What};
use crate::program::symbol::{Anchor, SymbolId};
use crate::text::source::Span;
use rustc_hash::FxHashMap;

/// A statement by chunk, source, first byte and way, and whether it is what a linker puts
/// behind the last one.
type Key = (u32, u32, u32, u32, bool);

fn key(chunk: usize, item: &Item) -> Key {
    let fills = matches!(item.what, What::Align { .. } | What::Gap { .. });
    let (source, start) = (item.span.source.0, item.span.start);
    (chunk as u32, source, start, item.expansion, fills)
}

impl Writer<'_, '_> {
    /// Finds all places, what stands there now, and what changed it.
    pub(super) fn find(&mut self) {
        let mut known: FxHashMap<Key, usize> = FxHashMap::default();
        for (c, chunk) in self.old.chunks.iter().enumerate() {
            for (i, item) in chunk.items.iter().enumerate() {
                let key = key(c, item);
                let next = self.places.len();
                let n = *known.entry(key).or_insert(next);
                if n == next {
                    let (span, made) = in_file(self.old, item.span);
                    self.places.push(Place {
                        span,
                        expansion: item.expansion,
                        made,
                        items: Vec::new(),
                        now: Vec::new(),
                        labels: Vec::new(),
                        asked: Vec::new(),
                        by: Vec::new(),
                    });
                }
                self.places[n].items.push(anchor(c, i));
                self.of.insert((c as u32, i as u32), n);
            }
        }
        self.find_new(&known);
        for &(chunk, item, by) in &self.trace.gone {
            if let Some(&n) = self.of.get(&(chunk, item)) {
                self.places[n].by.push(by);
            }
        }
        for p in &mut self.places {
            p.by.sort_unstable();
            p.by.dedup();
        }
        self.find_labels();
    }

    fn find_new(&mut self, known: &FxHashMap<Key, usize>) {
        for (c, chunk) in self.new.chunks.iter().enumerate() {
            let mut last = 0;
            for (i, item) in chunk.items.iter().enumerate() {
                let at = anchor(c, i);
                let key = key(c, item);
                let Some(&n) = known.get(&key) else {
                    continue;
                };
                let by = self.tag(at).by;
                self.places[n].now.push(at);
                self.places[n].by.extend(by);
                self.of_new.insert((at.chunk, at.item), n);
                if n < last {
                    let by: Vec<u32> = by.into_iter().collect();
                    self.refuse(n, &by, "it would stand in another order than the source");
                }
                last = n.max(last);
            }
        }
    }

    /// What an item of the new program is.
    pub(super) fn tag(&self, at: Anchor) -> Tag {
        let tags = &self.trace.chunks[at.chunk as usize];
        tags.get(at.item as usize).copied().unwrap_or_default()
    }

    /// Labels that are new or elsewhere than before.
    fn find_labels(&mut self) {
        // Where each old item's place begins in the new chunk.
        let mut starts: FxHashMap<usize, u32> = FxHashMap::default();
        for (c, chunk) in self.old.chunks.iter().enumerate() {
            let mut count = 0;
            for i in 0..chunk.items.len() {
                let n = self.of[&(c as u32, i as u32)];
                starts.entry(n).or_insert_with(|| {
                    let start = count;
                    count += self.places[n].now.len() as u32;
                    start
                });
            }
        }
        for (at, labels) in self.labels.clone() {
            for id in labels {
                let old = self.old_place(id);
                let stays = old.is_some_and(|o| {
                    let same = o.chunk == at.chunk && at.plus == o.plus;
                    same && self.expected(o, &starts) == Some(at.item)
                });
                if !stays {
                    self.comes(id, at, old.is_some());
                }
            }
        }
    }

    fn old_place(&self, id: SymbolId) -> Option<Anchor> {
        let known = (id.0 as usize) < self.old.symbols.len();
        known.then(|| self.old.symbols.get(id).place)?
    }

    /// Before which item a label stands now, if its line stays where it is.
    fn expected(&self, old: Anchor, starts: &FxHashMap<usize, u32>) -> Option<u32> {
        let items = self.old.chunks[old.chunk as usize].items.len() as u32;
        if old.item >= items {
            return Some(self.new.chunks[old.chunk as usize].items.len() as u32);
        }
        let n = *self.of.get(&(old.chunk, old.item))?;
        let p = &self.places[n];
        if p.items[0].item != old.item {
            // Within a statement: right if that has as many items as it had.
            let k = p.items.iter().position(|i| i.item == old.item)?;
            return (p.now.len() == p.items.len()).then(|| p.now[k].item);
        }
        starts.get(&n).copied()
    }

    /// A label comes before an item.
    fn comes(&mut self, id: SymbolId, at: Anchor, was: bool) {
        if was {
            self.moved.insert(id);
        }
        if let Some((n, k)) = self.before(at) {
            self.places[n].labels.push((k, id));
        }
    }

    /// The place of a new item, and which of that place's it is; behind the last for the end
    /// of a chunk.
    pub(super) fn before(&self, at: Anchor) -> Option<(usize, usize)> {
        let own = |item: u32| self.of_new.get(&(at.chunk, item)).copied();
        let (n, behind) = match own(at.item) {
            Some(n) => (n, false),
            None => (own(at.item.checked_sub(1)?)?, true),
        };
        let all = self.places[n].now.iter();
        let k = match behind {
            true => all.len(),
            false => all.take_while(|a| a.item < at.item).count(),
        };
        Some((n, k))
    }

    /// Whether a place is reached through a macro or a repetition.
    pub(super) fn is_expanded(&self, place: usize) -> bool {
        let mut at = self.places[place].expansion;
        while at != NONE {
            let Some(e) = self.old.expansions.get(at as usize) else {
                return true;
            };
            if !matches!(e.kind, ExpansionKind::Include(_)) {
                return true;
            }
            at = e.parent;
        }
        false
    }
}

/// An item.
fn anchor(chunk: usize, item: usize) -> Anchor {
    Anchor {
        chunk: chunk as u32,
        item: item as u32,
        plus: 0,
    }
}

/// A statement in its file, and whether it is in none that can be written. What macros made
/// of a line stands for the line.
fn in_file(program: &Program<'_>, span: Span) -> (Span, bool) {
    let sources = &program.sources;
    let found = sources.in_file(span);
    let source = sources.get(found.source);
    let made = source.library || source.is_made() || source.name.starts_with('<');
    (found, made)
}
