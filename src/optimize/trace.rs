//! Where the items of an optimized program come from: beside each item of each chunk what of
//! the program that was read it is, and which changes had to do with it.

use crate::program::Program;
use crate::program::item::{What, whole};
use crate::program::rewrite::{Edit, NewItem};
use crate::program::symbol::{Anchor, SymbolId};
use crate::program::{Field, Value};

/// Number of a change in [`Trace::changes`].
pub type Number = u32;

/// Where an item comes from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tag {
    /// The item that was read, if it is one, here or elsewhere: chunk and number.
    pub old: Option<(u32, u32)>,
    /// The last change that put it here; nothing for one that stands where it stood.
    pub by: Option<Number>,
}

/// A change that was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// Its name ([`super::wanted::name`]).
    pub name: String,
    /// The pass.
    pub pass: &'static str,
    /// The rule.
    pub rule: String,
    /// Bytes that it saves by itself.
    pub saves: i64,
    /// Items that were read and went by it.
    pub took: Vec<(u32, u32)>,
    /// Labels that it put elsewhere.
    pub labels: Vec<SymbolId>,
}

/// What a draft made: changes with their edits.
#[derive(Clone, Debug, Default)]
pub struct Made {
    /// Each change, without what it took, and its edits.
    pub list: Vec<(Change, Vec<Edit>)>,
}

/// The items of a program and where they come from.
#[derive(Clone, Debug, Default)]
pub struct Trace {
    /// Beside each item of each chunk.
    pub chunks: Vec<Vec<Tag>>,
    /// All changes in the order in which they were made.
    pub changes: Vec<Change>,
    /// For each item that went which change took it: chunk, number, change.
    pub gone: Vec<(u32, u32, Number)>,
    /// Items that were read whose goals were numbers or distances and are places now.
    pub related: Vec<(u32, u32)>,
}

impl Trace {
    /// Of a program that nothing has changed.
    pub fn of(program: &Program<'_>) -> Self {
        let tags = |(c, chunk): (usize, &crate::program::Chunk)| {
            let one = |i| Tag {
                old: Some((c as u32, i)),
                by: None,
            };
            (0..chunk.items.len() as u32).map(one).collect()
        };
        Self {
            chunks: program.chunks.iter().enumerate().map(tags).collect(),
            ..Self::default()
        }
    }

    /// Follows the changes that were made of a draft. `program` is as it was before them.
    pub fn follow(&mut self, program: &Program<'_>, made: &Made) {
        let first = self.changes.len() as Number;
        let mut edits: Vec<(&Edit, Number, Vec<Tag>)> = Vec::new();
        for ((change, own), number) in made.list.iter().zip(first..) {
            let mut change = change.clone();
            let taken: Vec<(Anchor, Tag)> = own.iter().flat_map(|e| self.taken(e)).collect();
            change.took = taken.iter().filter_map(|t| t.1.old).collect();
            let labels = own.iter().flat_map(|e| &e.labels);
            change.labels = labels.map(|l| l.1).collect();
            self.gone
                .extend(change.took.iter().map(|t| (t.0, t.1, number)));
            for e in own {
                let tag = |new: &NewItem| {
                    let same = taken.iter().find(|t| is_copy(program, new, t.0));
                    Tag {
                        old: same.and_then(|t| t.1.old),
                        by: Some(number),
                    }
                };
                edits.push((e, number, e.items.iter().map(tag).collect()));
            }
            self.changes.push(change);
        }
        // From the end of each chunk on, so that numbers before stay.
        edits.sort_by_key(|e| std::cmp::Reverse((e.0.at.chunk, e.0.at.item)));
        for (e, _, tags) in edits {
            let at = e.at.item as usize;
            let end = at + e.removed as usize;
            self.chunks[e.at.chunk as usize].splice(at..end, tags);
        }
    }

    /// Padding came before an item.
    pub fn pad(&mut self, at: Anchor) {
        self.chunks[at.chunk as usize].insert(at.item as usize, Tag::default());
    }

    /// The name of the change that put an item there.
    pub fn name_at(&self, at: Anchor) -> Option<String> {
        let tags = self.chunks.get(at.chunk as usize)?;
        let by = tags.get(at.item as usize)?.by?;
        Some(self.change(by).name.clone())
    }

    fn taken(&self, e: &Edit) -> Vec<(Anchor, Tag)> {
        let all = (0..e.removed).map(|i| Anchor {
            item: e.at.item + i,
            plus: 0,
            ..e.at
        });
        let tags = &self.chunks[e.at.chunk as usize];
        all.map(|a| (a, tags[a.item as usize])).collect()
    }

    /// What put an item there, or took one that was read.
    pub fn change(&self, n: Number) -> &Change {
        &self.changes[n as usize]
    }
}

/// Whether what comes is an item that is there, as it is.
fn is_copy(program: &Program<'_>, new: &NewItem, at: Anchor) -> bool {
    let Some(old) = program.item(at).map(|i| i.what) else {
        return false;
    };
    match (new, old) {
        (NewItem::Copy(what), old) => *what == old,
        (
            NewItem::Instruction(form, word, values),
            What::Instruction {
                form: f, word: w, ..
            },
        ) => {
            let own = program.operands_of(at);
            let same = |a: &(Field, crate::program::symbol::ExprId, _),
                        b: &crate::program::item::OperandValue| {
                (a.0, a.1) == (b.field, b.value)
            };
            *form == f
                && *word == whole(w)
                && own.len() == values.len()
                && values.iter().zip(own).all(|(a, b)| same(a, b))
        }
        (NewItem::Choice(forms), What::Choice { from, count }) => {
            let own = program.alternatives(from, count);
            let same = own.iter().zip(forms).all(|(a, b)| {
                let values = program.values_of(a).iter();
                let values = values.map(|v| (v.0, v.1));
                let others = b.2.iter().map(|v| (v.0, Value::Expr(v.1)));
                (a.form, a.word) == (b.0, b.1) && values.eq(others)
            });
            own.len() == forms.len() && same
        }
        _ => false,
    }
}

/// What the chosen changes of a draft are, for a trace.
pub fn made(
    flow: &super::flow::Flow<'_, '_>,
    step: &super::step::Step,
    chosen: &[super::step::Proposal],
) -> Made {
    let one = |p: &super::step::Proposal| {
        let change = Change {
            name: super::wanted::name(flow, step, p),
            pass: step.name,
            rule: p.rule.clone(),
            saves: p.saves,
            took: Vec::new(),
            labels: Vec::new(),
        };
        (change, p.edits.clone())
    };
    Made {
        list: chosen.iter().map(one).collect(),
    }
}
