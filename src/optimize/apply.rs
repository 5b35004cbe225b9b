//! Makes the changes of a pass that do not touch each other, and compares what they claim
//! with what the new placement says.

use super::flow::{Flow, Placed, leaves_a_page, text};
use super::ledger::{Key, Record};
use super::step::{Draft, Proposal, SHORT, Step};
use super::trace::{self, Made};
use super::wanted;
use crate::image::{Class, origin};
use crate::program::Program;
use crate::program::item::What;
use crate::program::rewrite::{Edit, NewItem};
use crate::program::symbol::Anchor;
use crate::text::source::{Sources, Span};
use rustc_hash::FxHashSet;

/// What came of it.
pub struct Done<'p> {
    /// The new program.
    pub program: Program<'p>,
    /// As it is placed.
    pub placed: Placed,
    /// Lines of the ledger.
    pub records: Vec<Record>,
    /// Changes that were made.
    pub count: usize,
    /// What tells each of them from others of the same draft.
    pub keys: Vec<Key>,
    /// The changes with their edits.
    pub made: Made,
    /// What does not fit together, if anything.
    pub broken: String,
    /// What came: where it is, how many items, and where it was put.
    pub came: Vec<(Anchor, u32, Anchor)>,
}

/// Bytes of instructions and data, without room and padding.
pub fn content(program: &Program<'_>, placed: &Placed) -> u64 {
    let mut sum = 0;
    for (c, chunk) in program.chunks.iter().enumerate() {
        let mut open = 0;
        for item in &chunk.items {
            let mut size = item.size();
            if item.is_open() {
                let growth = &placed.layout.growth[c];
                size = (growth[open + 1] - growth[open]) as u32;
                open += 1;
            }
            if matches!(item.class(), Class::Code | Class::Data) {
                sum += u64::from(size);
            }
        }
    }
    sum
}

/// Makes what of a draft can be made; nothing if that saves nothing.
pub fn apply<'p>(flow: &Flow<'_, 'p>, step: &Step, draft: Draft) -> Option<Done<'p>> {
    let chosen = choose(flow, draft.proposals);
    if chosen.is_empty() {
        return None;
    }
    let mut program = flow.program.clone();
    program.ops.extend(draft.ops);
    for _ in 0..draft.labels {
        let name = format!("shared.{}", program.symbols.len());
        let id = program.symbols.fresh(name.into());
        program.symbols.get_mut(id).label = true;
    }
    let all: Vec<Edit> = chosen.iter().flat_map(|p| p.edits.clone()).collect();
    let moved = Moved::of(flow.program, &all);
    if program.rewrite(all).is_err() {
        return None;
    }
    let placed = Placed::of(&program);
    let (before, after) = (
        content(flow.program, flow.placed) as i64,
        content(&program, &placed) as i64,
    );
    let short = placed.short > flow.placed.short;
    let fits = placed.errors == 0 && !short;
    if !fits || after >= before || leaves_a_page(&program, &placed, flow.book) {
        return None;
    }
    let mut done = Done {
        program,
        placed,
        records: Vec::new(),
        count: chosen.len(),
        keys: chosen.iter().map(|p| told(flow, p)).collect(),
        made: trace::made(flow, step, &chosen),
        broken: String::new(),
        came: Vec::new(),
    };
    let edits = chosen.iter().flat_map(|p| &p.edits);
    let came = edits.map(|e| (moved.place(e.at, true), e.items.len() as u32, e.at));
    done.came = came.collect();
    let forms = done.forms(flow, &moved, &chosen);
    for p in &chosen {
        done.check(flow, &moved, p);
        if !p.silent || p.saves != 0 {
            let record = done.record(flow, &moved, step, p);
            done.records.push(record);
        }
    }
    done.records.extend(forms);
    let claimed: i64 = done.records.iter().map(|r| r.saved).sum();
    if claimed != before - after && done.broken.is_empty() {
        done.broken = format!(
            "pass {} claims {claimed} bytes, the image is {} smaller",
            step.name,
            before - after
        );
    }
    Some(done)
}

/// What tells a change from others of its draft, in every run that came so far in the same
/// way: its rule and edits.
pub fn key(p: &Proposal) -> String {
    let edits = p.edits.iter().map(|e| {
        let (at, come) = (e.at, e.items.len());
        format!("{}.{}-{}+{come}", at.chunk, at.item, e.removed)
    });
    let edits: Vec<String> = edits.collect();
    format!("{} @ {}", p.rule, edits.join(" "))
}

/// A change for a script.
fn told(flow: &Flow<'_, '_>, p: &Proposal) -> Key {
    let first = p.edits.iter().find_map(|e| flow.program.item(e.at));
    let sources = &flow.program.sources;
    let place = first.map(|i| origin::place(sources, sources.in_file(i.span)));
    Key {
        key: key(p),
        rule: p.rule.clone(),
        place: place.unwrap_or_default(),
    }
}

/// Those changes that do not touch what an earlier one takes away or rests on.
fn choose(flow: &Flow<'_, '_>, proposals: Vec<Proposal>) -> Vec<Proposal> {
    let mut gone: FxHashSet<(u32, u32)> = FxHashSet::default();
    let mut needed: FxHashSet<(u32, u32)> = FxHashSet::default();
    let mut starts: FxHashSet<(u32, u32)> = FxHashSet::default();
    let mut out = Vec::new();
    for p in proposals {
        let items = p.edits.iter().flat_map(|e| {
            let at = e.at;
            (0..e.removed).map(move |i| (at.chunk, at.item + i))
        });
        let items: Vec<_> = items.collect();
        let rests: Vec<_> = p
            .rests_on
            .iter()
            .map(|&n| (flow.node(n).at.chunk, flow.node(n).at.item))
            .collect();
        let own: Vec<_> = p.edits.iter().map(|e| (e.at.chunk, e.at.item)).collect();
        let free = items
            .iter()
            .all(|i| !gone.contains(i) && !needed.contains(i))
            && rests.iter().all(|i| !gone.contains(i))
            && own.iter().all(|i| !starts.contains(i) && !gone.contains(i));
        if free {
            gone.extend(items);
            needed.extend(rests);
            starts.extend(own);
            out.push(p);
        }
    }
    out
}

/// An edit: the item where it is, how many go and come there, and how many did with all
/// edits before it.
struct Moving {
    at: u32,
    gone: u32,
    come: u32,
    before: (u32, u32),
}

/// Where items are behind the edits.
struct Moved {
    /// Of each chunk its edits in order.
    edits: Vec<Vec<Moving>>,
}

impl Moved {
    fn of(program: &Program<'_>, edits: &[Edit]) -> Self {
        let mut all = vec![Vec::new(); program.chunks.len()];
        for e in edits {
            let list: &mut Vec<_> = &mut all[e.at.chunk as usize];
            list.push((e.at.item, e.removed, e.items.len() as u32));
        }
        let summed = |mut list: Vec<(u32, u32, u32)>| {
            list.sort_unstable();
            let mut before = (0, 0);
            let each = list.into_iter().map(|(at, gone, come)| {
                let own = before;
                before = (own.0 + gone, own.1 + come);
                Moving {
                    at,
                    gone,
                    come,
                    before: own,
                }
            });
            each.collect()
        };
        Self {
            edits: all.into_iter().map(summed).collect(),
        }
    }

    /// The new number of what comes at an edit, or of an item that stays.
    fn place(&self, a: Anchor, edit: bool) -> Anchor {
        let all = &self.edits[a.chunk as usize];
        let count = all.partition_point(|e| e.at < a.item || !edit && e.at == a.item);
        let (gone, come) = match all[..count].last() {
            Some(e) => (e.before.0 + e.gone, e.before.1 + e.come),
            None => (0, 0),
        };
        Anchor {
            item: a.item - gone + come,
            ..a
        }
    }

    /// Whether an item goes: edits do not lie over each other.
    fn is_gone(&self, a: Anchor) -> bool {
        let all = &self.edits[a.chunk as usize];
        let count = all.partition_point(|e| e.at <= a.item);
        let near = all[..count].iter().rev().find(|e| e.gone > 0);
        near.is_some_and(|e| a.item < e.at + e.gone)
    }
}

/// Bytes of an item as placed, and where they begin.
fn bytes<'b>(program: &Program<'_>, placed: &'b Placed, a: Anchor) -> (u64, &'b [u8]) {
    let next = Anchor {
        item: a.item + 1,
        ..a
    };
    let (from, to) = (
        program.address(&placed.layout, a),
        program.address(&placed.layout, next),
    );
    let base = placed.layout.base[a.chunk as usize];
    let own = &placed.bytes[a.chunk as usize];
    (from, &own[(from - base) as usize..(to - base) as usize])
}

/// The longest form of a choice.
fn longest(program: &Program<'_>, what: What) -> Option<usize> {
    let What::Choice { from, count } = what else {
        return None;
    };
    let all = program.alternatives(from, count).iter();
    let sizes = all.map(|e| usize::from(program.forms[usize::from(e.form)].pattern.len));
    sizes.max()
}

impl Done<'_> {
    /// The places of what comes by a change.
    fn coming(&self, moved: &Moved, p: &Proposal) -> Vec<Anchor> {
        let mut out = Vec::new();
        for e in &p.edits {
            let first = moved.place(e.at, true);
            out.extend((0..e.items.len() as u32).map(|i| Anchor {
                item: first.item + i,
                plus: 0,
                ..first
            }));
        }
        out
    }

    /// Whether a change saves what it claims: what goes less what comes, each with its
    /// longest form.
    fn check(&mut self, flow: &Flow<'_, '_>, moved: &Moved, p: &Proposal) {
        let mut saved = 0;
        for e in &p.edits {
            for i in 0..e.removed {
                let a = Anchor {
                    item: e.at.item + i,
                    plus: 0,
                    ..e.at
                };
                let what = flow.program.item(a).map(|i| i.what);
                let now = bytes(flow.program, flow.placed, a).1.len();
                // A choice that goes has its size as it is now.
                let _ = what;
                saved += now as i64;
            }
        }
        for a in self.coming(moved, p) {
            let now = bytes(&self.program, &self.placed, a).1.len();
            let what = self.program.item(a).map(|i| i.what);
            let long = what.and_then(|w| longest(&self.program, w));
            saved -= long.unwrap_or(now) as i64;
        }
        if saved != p.saves {
            self.broken = format!("{} claims {} bytes and saves {saved}", p.rule, p.saves);
        }
    }

    fn record(&self, flow: &Flow<'_, '_>, moved: &Moved, step: &Step, p: &Proposal) -> Record {
        let (mut places, mut before) = (Vec::new(), Vec::new());
        let mut source = Vec::new();
        for e in &p.edits {
            for i in 0..e.removed {
                let a = Anchor {
                    item: e.at.item + i,
                    plus: 0,
                    ..e.at
                };
                let (address, own) = bytes(flow.program, flow.placed, a);
                before.push(text(flow.program, own, address));
                if let Some(item) = flow.program.item(a) {
                    let sources = &flow.program.sources;
                    let span = sources.in_file(item.span);
                    places.push(origin::place(sources, span));
                    source.push(line(sources, span));
                }
            }
        }
        let after = self.coming(moved, p).into_iter().map(|a| {
            let (address, own) = bytes(&self.program, &self.placed, a);
            text(&self.program, own, address)
        });
        Record {
            pass: step.name,
            rule: p.rule.clone(),
            places,
            source,
            before,
            after: after.collect(),
            saved: p.saves,
            time: p.time,
            proof: p.proof.clone(),
            facts: p.facts.clone(),
            name: wanted::name(flow, step, p),
            item: None,
        }
    }

    /// Instructions of several forms that have another now than before.
    fn forms(&self, flow: &Flow<'_, '_>, moved: &Moved, chosen: &[Proposal]) -> Vec<Record> {
        let mut out = Vec::new();
        let mut add = |before: (u64, Vec<u8>), a: Anchor, long: usize| {
            let (address, own) = bytes(&self.program, &self.placed, a);
            if own.len() == long {
                return;
            }
            let sources = &self.program.sources;
            let place = self.program.item(a).map(|i| sources.in_file(i.span));
            out.push(Record {
                pass: "branches",
                rule: SHORT.into(),
                places: place
                    .map(|s| origin::place(sources, s))
                    .into_iter()
                    .collect(),
                source: place.map(|s| line(sources, s)).into_iter().collect(),
                before: vec![text(&self.program, &before.1, before.0)],
                after: vec![text(&self.program, own, address)],
                saved: long as i64 - own.len() as i64,
                time: None,
                proof: "placement".into(),
                facts: Vec::new(),
                name: String::new(),
                item: Some(a),
            });
        };
        for (c, chunk) in flow.program.chunks.iter().enumerate() {
            for &i in &chunk.open {
                let a = Anchor {
                    chunk: c as u32,
                    item: i,
                    plus: 0,
                };
                let is_choice = matches!(chunk.items[i as usize].what, What::Choice { .. });
                if is_choice && !moved.is_gone(a) {
                    let (address, own) = bytes(flow.program, flow.placed, a);
                    add((address, own.to_vec()), moved.place(a, false), own.len());
                }
            }
        }
        for p in chosen {
            for (a, new) in self
                .coming(moved, p)
                .into_iter()
                .zip(p.edits.iter().flat_map(|e| &e.items))
            {
                if let NewItem::Choice(_) | NewItem::Copy(What::Choice { .. }) = new
                    && let Some(what) = self.program.item(a).map(|i| i.what)
                    && let Some(long) = longest(&self.program, what)
                {
                    let old = p.edits.iter().find(|e| e.removed > 0).map(|e| e.at);
                    let was = old.map_or((0, Vec::new()), |o| {
                        let (address, own) = bytes(flow.program, flow.placed, o);
                        (address, own.to_vec())
                    });
                    add(was, a, long);
                }
            }
        }
        out
    }
}

/// The line of a statement, without what is long.
fn line(sources: &Sources, span: Span) -> String {
    /// Most characters.
    const LONG: usize = 120;
    let source = sources.get(span.source);
    let (line, _) = source.line_column(span.start);
    source.line(line).trim().chars().take(LONG).collect()
}
