//! What passes that move instructions about have in common: when two instructions are the
//! same, how one is put elsewhere, and where a call does no harm.

use super::odd;
use super::search::only_goes;
use crate::optimize::flow::{Flow, Kind, Node, Routine, Shape, calls, goal, shape, within};
use crate::program::item::{What, whole};
use crate::program::rewrite::NewItem;
use rustc_hash::{FxHashMap, FxHashSet};
use scrimp_isa::depend::Inputs;
use scrimp_isa::effects::Way;

/// Instructions as numbers: the same number is the same instruction with the same values.
pub struct Words {
    /// Of each node; none of what may not be moved.
    pub of: Vec<Option<u32>>,
}

impl Words {
    /// Of all nodes.
    pub fn new(flow: &Flow<'_, '_>) -> Self {
        let mut known: FxHashMap<String, u32> = FxHashMap::default();
        let of = flow.nodes.list.iter().map(|node| {
            let key = key(flow, node)?;
            let next = known.len() as u32;
            Some(*known.entry(key).or_insert(next))
        });
        Self { of: of.collect() }
    }
}

/// What an instruction is, as text: its bits without those of values, and the values.
fn key(flow: &Flow<'_, '_>, node: &Node) -> Option<String> {
    use std::fmt::Write;
    if !node.is_free() || node.at.plus != 0 {
        return None;
    }
    let form = &flow.program.forms[usize::from(node.form)];
    let mut bits = u64::from_le_bytes(node.bytes);
    let mut text = String::new();
    for o in &node.operands {
        let spec = flow.program.operands[usize::from(o.class)].value?;
        let field = form.pattern.field(spec.field)?;
        bits &= !field.deposit(u64::MAX);
        let leads = o.relative || node.to.is_some() && matches!(o.shape, Shape::Address(..));
        let _ = match (&o.shape, node.to.filter(|_| leads)) {
            // Where it goes counts, not how that is written.
            (_, Some(to)) => write!(text, " to {to}"),
            (_, None) if o.relative => return None,
            (Shape::Address(..), None) => write!(text, " at {}", o.value),
            (Shape::Number, None) => write!(text, " {}", o.value),
            (other, None) => write!(text, " {} {other:?}", o.value),
        };
    }
    if node.ways.way == Some(Way::Skip) {
        // What it goes over stands behind it.
        let _ = write!(text, " over to {:?}", node.to);
    }
    let own = &bits.to_le_bytes()[..node.size as usize];
    let _ = write!(text, " {own:x?}");
    // An instruction of several forms is the same in each of them.
    if node.ways.way == Some(Way::Jump) && only_goes(flow, node.code()) {
        if !node.ways.falls_through {
            return Some(format!("goes to {}", node.to?));
        }
        let words: Vec<_> = flow
            .program
            .target
            .decode_on(node.code(), node.address, flow.program.machine)?
            .operands
            .iter()
            .filter_map(|o| o.word)
            .collect();
        return Some(format!("goes to {} on {words:?} {}", node.to?, form.needs));
    }
    Some(text)
}

/// A node as an item elsewhere.
pub fn copy(flow: &Flow<'_, '_>, n: u32) -> Option<NewItem> {
    let at = flow.node(n).at;
    match flow.program.item(at)?.what {
        What::Instruction { form, word, .. } => {
            let values = flow.program.operands_of(at).iter();
            let values = values.map(|v| (v.field, v.value, v.span));
            Some(NewItem::Instruction(form, whole(word), values.collect()))
        }
        what @ What::Choice { .. } => Some(NewItem::Copy(what)),
        _ => None,
    }
}

/// Bytes of a copy as they are claimed: of several forms the longest.
pub fn claimed(flow: &Flow<'_, '_>, n: u32) -> i64 {
    let node = flow.node(n);
    match flow.program.item(node.at).map(|i| i.what) {
        Some(What::Choice { from, count }) => {
            let all = flow.program.alternatives(from, count).iter();
            let sizes = all.map(|e| flow.program.forms[usize::from(e.form)].pattern.len);
            sizes.max().map_or(0, i64::from)
        }
        _ => node.size.into(),
    }
}

/// Whether a node is a return and nothing else, in one form.
pub fn is_return(flow: &Flow<'_, '_>, n: u32) -> bool {
    let node = flow.node(n);
    let plain = node.facts.as_ref().is_some_and(|f| !f.effects.controls);
    let goes = node.ways.way == Some(Way::Return) && !node.ways.falls_through;
    node.is_free() && goes && plain && node.operands.is_empty()
}

/// Whether control comes to a node from the one before it.
pub fn is_fallen_into(flow: &Flow<'_, '_>, n: u32) -> bool {
    let Some(before) = n.checked_sub(1).map(|b| flow.node(b)) else {
        return true;
    };
    let goes_on = before.kind != Kind::Code || before.ways.falls_through || calls(before);
    goes_on && (before.size > 0 || is_fallen_into(flow, n - 1))
}

/// Where a call does no harm, and what may be behind one.
pub struct Safe {
    odd: FxHashSet<u32>,
    inline: FxHashSet<Option<u64>>,
    given: FxHashMap<u32, i32>,
}

impl Safe {
    /// Of a program.
    pub fn new(flow: &Flow<'_, '_>) -> Self {
        let pinned = flow.nodes.list.iter();
        let pinned = pinned.filter(|n| n.inline);
        Self {
            odd: odd::find(flow),
            inline: pinned.map(|n| goal(flow.book, &n.ways)).collect(),
            given: given(flow),
        }
    }

    /// Whether the stack pointer points at a stack here.
    pub fn is_sound(&self, n: u32) -> bool {
        !self.odd.contains(&n)
    }

    /// Whether what a node calls returns behind it and looks at nothing on the stack.
    pub fn calls_well(&self, flow: &Flow<'_, '_>, node: &Node) -> bool {
        match flow.routines.called(node) {
            Some(r) => r.keeps_all && !flow.routines.vague,
            None => node.to.is_none() && !self.inline.contains(&goal(flow.book, &node.ways)),
        }
    }

    /// The height of the stack behind a node that may stand in a routine of its own; nothing
    /// if it may not.
    pub fn height(&self, flow: &Flow<'_, '_>, n: u32, before: i32) -> Option<i32> {
        let node = flow.node(n);
        if !node.is_free() || !self.is_sound(n) {
            return None;
        }
        let facts = node.facts.as_ref()?;
        match node.ways.way {
            None => {}
            Some(Way::Call) if !node.ways.falls_through => {
                let own = self.given.get(&n).is_none_or(|&g| g <= before);
                return (own && self.calls_well(flow, node)).then_some(before);
            }
            _ => return None,
        }
        let stack = flow.book.stack().0;
        let e = &facts.effects;
        let lift = facts.lift?;
        let copies = e
            .writes
            .iter()
            .any(|w| stack >> w & 1 == 0 && e.flows[usize::from(w)].0 & stack != 0);
        let sees = match lift {
            0 => copies || e.uses.0 & stack != 0,
            _ => copies && !e.reads_memory,
        };
        let after = before - lift;
        (!sees && after >= 0).then_some(after)
    }
}

/// Of each call that leads out of the program the bytes on the stack that may be given to what
/// is there: all that lie above something that is not taken back into the same registers.
fn given(flow: &Flow<'_, '_>) -> FxHashMap<u32, i32> {
    let out = |n: u32| match flow.routines.called(flow.node(n)) {
        Some(r) => r.nodes.iter().any(|&x| {
            let x = flow.node(x);
            x.ways.way == Some(Way::Jump) && x.to.is_none()
        }),
        None => true,
    };
    let mut given = FxHashMap::default();
    for r in &flow.routines.list {
        let mut own = r.calls.iter().map(|c| c.0).filter(|&n| out(n)).peekable();
        if own.peek().is_none() {
            continue;
        }
        let lowest = lowest_given(flow, r);
        for n in own {
            let bytes = match (lowest, r.height(n)) {
                (Some(low), Some(h)) => h - low.min(h),
                _ => i32::MAX,
            };
            let all = given.entry(n).or_insert(0);
            *all = bytes.max(*all);
        }
    }
    given
}

/// The height of the stack of a routine at which something is put there that is not taken
/// back into the registers that it came from; nothing where heights are not certain.
fn lowest_given(flow: &Flow<'_, '_>, r: &Routine) -> Option<i32> {
    let layout = flow.book.semantics.layout();
    let apart = flow.book.stack().and(layout.of_cells(layout.quiet));
    let mut levels: FxHashMap<i32, [FxHashSet<Inputs>; 2]> = FxHashMap::default();
    for &n in &r.nodes {
        let node = flow.node(n);
        let (Some(f), Some(height)) = (&node.facts, r.height(n)) else {
            continue;
        };
        let lift = match node.ways.way {
            None => f.lift.unwrap_or(0),
            Some(_) => 0,
        };
        if within(node).any(|x| r.height(x).is_some_and(|h| h != height - lift)) {
            return None;
        }
        let e = &f.effects;
        let (level, registers) = match lift {
            0 => continue,
            ..0 => (height, e.uses),
            _ => (height - lift, e.writes),
        };
        let own = levels.entry(level).or_default();
        own[usize::from(lift > 0)].insert(registers.without(apart));
    }
    let saved = |[put, taken]: &[FxHashSet<Inputs>; 2]| put.len() == 1 && put == taken;
    let all = levels.iter().filter(|(_, l)| !saved(l));
    Some(all.map(|l| *l.0).min().unwrap_or(i32::MAX))
}

/// Room for more bytes between two nodes: what the branches over it still reach.
pub struct Room {
    /// Branches of one short form: first and last address of what they go over, and bytes
    /// that it may grow by.
    spans: Vec<(u64, u64, i64)>,
    /// What stands before room that keeps an address: where it begins and where the room does,
    /// and the bytes of that which are left.
    sections: Vec<(u64, u64, i64)>,
}

impl Room {
    /// Of all branches of the program.
    pub fn new(flow: &Flow<'_, '_>) -> Self {
        let mut spans = Vec::new();
        for node in &flow.nodes.list {
            let item = flow.program.item(node.at).map(|i| i.what);
            if node.kind != Kind::Code || !matches!(item, Some(What::Instruction { .. })) {
                continue;
            }
            let to = goal(flow.book, &node.ways);
            for o in node.operands.iter().filter(|o| o.relative) {
                let (Some(to), Some(spec)) =
                    (to, flow.program.operands[usize::from(o.class)].value)
                else {
                    continue;
                };
                let far = to as i64 - node.address as i64;
                let unit = i64::from(spec.scale.max(1));
                let most = match far < 0 {
                    true => -spec.min,
                    false => spec.max,
                };
                let left = most - far.abs() - 4 * unit;
                spans.push((node.address.min(to), node.address.max(to), left));
            }
        }
        let sections = sections(flow);
        Self { spans, sections }
    }

    /// Takes room for so many bytes at an address, if there is; others go elsewhere: their
    /// addresses, and how many.
    pub fn take(&mut self, at: u64, bytes: i64, less: &[(u64, i64)]) -> bool {
        let net = |s: &(u64, u64, i64)| {
            let own = less.iter().filter(|l| s.0 <= l.0 && l.0 < s.1);
            let more = if s.0 < at && at <= s.1 { bytes } else { 0 };
            more - own.map(|l| l.1).sum::<i64>()
        };
        if self.sections.iter().any(|s| net(s) > s.2.max(0)) {
            return false;
        }
        if !self.grows(at, bytes) {
            return false;
        }
        for s in &mut self.sections {
            s.2 -= net(s);
        }
        true
    }

    /// Takes room within the reach of branches.
    fn grows(&mut self, at: u64, bytes: i64) -> bool {
        let over = |s: &&mut (u64, u64, i64)| s.0 < at && at <= s.1;
        if bytes <= 0 {
            return true;
        }
        if self.spans.iter_mut().filter(over).any(|s| s.2 < bytes) {
            return false;
        }
        self.spans
            .iter_mut()
            .filter(over)
            .for_each(|s| s.2 -= bytes);
        true
    }
}

/// What stands before each room that keeps what is behind it at its address.
fn sections(flow: &Flow<'_, '_>) -> Vec<(u64, u64, i64)> {
    let mut out = Vec::new();
    let mut start = None;
    for node in &flow.nodes.list {
        let (chunk, from) = match start {
            Some((chunk, from)) if chunk == node.at.chunk => (chunk, from),
            _ => (node.at.chunk, node.address),
        };
        start = Some((chunk, from));
        let room = match flow.program.item(node.at).map(|i| i.what) {
            Some(What::Align { to, .. }) => node.address + u64::from(node.size) == u64::from(to),
            // Up to an address, as it is counted from where it stands.
            Some(What::Space { count, .. }) => {
                let shape = shape(flow.program, count);
                !matches!(shape, Shape::Number | Shape::Difference(..))
            }
            _ => false,
        };
        if room {
            out.push((from, node.address, i64::from(node.size)));
            start = Some((chunk, node.address + u64::from(node.size)));
        }
    }
    out
}
