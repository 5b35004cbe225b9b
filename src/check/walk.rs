//! Both programs side by side, instruction by instruction: what one does the other does, with
//! the same values, and goes on at places of which the same is true. Jumps to known places
//! are no deeds. Where only one of them calls, or comes back, a frame is kept: what lies on
//! one of the two stacks and not on the other.

use super::doubt::{Doubt, Why, namesake};
use super::linked::Linked;
use super::said::Said;
use super::same::Values;
use super::side::{Book, Kind, Side};
use super::stack::Stack;
use super::told::{Given, Used};
use super::touched::Touched;
use crate::program::symbol::{Anchor, ExprId};
use rustc_hash::{FxHashMap, FxHashSet};
use scrimp_isa::Domain;
use scrimp_isa::circuit::Circuit;
use scrimp_isa::depend::{Depend, Inputs};
use scrimp_isa::effects::Way;
use std::cell::RefCell;

/// Most frames at once.
const FRAMES: usize = 12;
/// Bytes behind a call that its routine may go over.
const OVER: u64 = 8;
/// Most doubts that are told, or one for so many places: who leaves out what is in doubt and
/// tries again is to be done after a few times.
pub const DOUBTS: usize = 100;
/// See [`DOUBTS`].
const A_DOUBT: usize = 8;
/// Instructions by which routines without a name in common are told apart.
const ALIKE: usize = 4;

/// Where control is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Spot {
    /// At an item.
    At(u32),
    /// At a plain return.
    Return,
    /// Within an item.
    Inside(u32, u64),
    /// In a loop of jumps that does nothing.
    Spin,
    /// Outside of the program.
    Out(u64),
}

/// A return address that only one of the stacks has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Frame {
    /// It is the new program's.
    new: bool,
    /// Where it leads.
    back: Spot,
    /// Bytes that both have pushed since.
    depth: i32,
}

/// What both do must be the same from here on.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Task {
    old: Spot,
    new: Spot,
    frames: Vec<Frame>,
}

/// The walk.
pub struct Walk<'s, 'p, 'a> {
    pub(super) old: &'s Side<'p, 'a>,
    pub(super) new: &'s Side<'p, 'a>,
    pub(super) values: Values<'s, 'p, 'a>,
    stack: Stack<'s, 'p, 'a>,
    trusted: &'s dyn Fn(u64) -> bool,
    pub(super) said: &'s Said,
    pub(super) pages: bool,
    pub(super) uses: &'s dyn Fn(Option<ExprId>, i64) -> Used,
    touched: [&'s Touched; 2],
    quiet: Inputs,
    pointer: Inputs,
    linked: Linked,
    pub(super) unit: u64,
    open: Vec<Task>,
    seen: FxHashSet<Task>,
    met: Met,
    twins: FxHashSet<(u32, u32)>,
    /// Old data, and which of the new are the same.
    pub(super) data: FxHashMap<u32, u32>,
    names: FxHashMap<u64, Vec<u64>>,
    pub(super) doubts: Vec<Doubt>,
}

pub(super) type Checked = Result<(), Doubt>;

/// What was looked at.
#[derive(Default)]
struct Met {
    /// Instructions that were compared.
    pairs: FxHashSet<(u32, u32)>,
    /// Those of the old program to which control was followed.
    old: RefCell<FxHashSet<u32>>,
}

impl<'s, 'p, 'a> Walk<'s, 'p, 'a> {
    /// Between two programs.
    pub fn new(
        (old, new): (&'s Side<'p, 'a>, &'s Side<'p, 'a>),
        book: &Book<'_>,
        touched: [&'s Touched; 2],
        given: &'s Given<'_>,
    ) -> Self {
        let (trusted, said) = (given.trusted, given.said);
        let layout = book.semantics.layout();
        let quiet = layout.of_cells(layout.quiet);
        let mut names: FxHashMap<u64, Vec<u64>> = FxHashMap::default();
        for id in old.program.symbols.ids() {
            let Some(other) = namesake(old.program, new.program, id) else {
                continue;
            };
            let place = |s: &Side<'_, '_>, id| {
                let symbol = s.program.symbols.get(id);
                let place = symbol.place.filter(|_| symbol.label)?;
                Some(s.program.address(&s.layout, place))
            };
            if let (Some(a), Some(b)) = (place(old, id), place(new, other)) {
                names.entry(a).or_default().push(b);
            }
        }
        let unit = book.semantics.unit();
        Self {
            old,
            new,
            values: Values::new(old, new),
            stack: Stack::new(
                old,
                unit,
                (book.stack(), quiet),
                (trusted, said),
                (given.inner, touched[0]),
            ),
            trusted,
            said,
            uses: given.uses,
            pages: given.pages,
            touched,
            quiet,
            pointer: book.stack(),
            linked: Linked::of(old, book),
            unit,
            open: Vec::new(),
            seen: FxHashSet::default(),
            met: Met::default(),
            twins: FxHashSet::default(),
            data: FxHashMap::default(),
            names,
            doubts: Vec::new(),
        }
    }

    /// Control may come to both addresses from anywhere.
    pub fn enter(&mut self, old: u64, new: u64) {
        let (old, new) = (locate(self.old, old), locate(self.new, new));
        self.go(old, new, Vec::new());
    }

    pub(super) fn go(&mut self, old: Spot, new: Spot, frames: Vec<Frame>) {
        self.open.push(Task { old, new, frames });
    }

    /// Instructions of the old program that nothing that was followed leads to.
    pub fn unmet(&self) -> FxHashSet<Anchor> {
        let met = self.met.old.borrow();
        let all = (0u32..).zip(&self.old.places);
        let own = all.filter(|(n, p)| p.kind == Kind::Code && !met.contains(n));
        own.map(|(_, p)| p.at).collect()
    }

    /// Does all there is to do.
    pub fn run(&mut self) {
        let most = DOUBTS.max(self.old.places.len() / A_DOUBT);
        while let Some(task) = self.open.pop() {
            if self.doubts.len() >= most {
                return;
            }
            if let Err(doubt) = self.task(task) {
                self.doubts.push(doubt);
            }
        }
        let twins = std::mem::take(&mut self.twins);
        for &(p, q) in &twins {
            if self.doubts.len() < most && self.met.pairs.iter().any(|&(x, y)| (x == p) != (y == q))
            {
                let doubt = self.doubt(Why::Touched, Spot::At(p), Spot::At(q));
                self.doubts.push(doubt);
            }
        }
    }

    pub(super) fn doubt(&self, why: Why, old: Spot, new: Spot) -> Doubt {
        let text = |side: &Side<'_, '_>, spot| match spot {
            Spot::At(n) | Spot::Inside(n, _) => side.where_is(n),
            Spot::Return => "a return".to_owned(),
            Spot::Spin => "an empty loop".to_owned(),
            Spot::Out(a) => format!("${a:04X}, outside"),
        };
        let at = |side: &Side<'_, '_>, spot| match spot {
            Spot::At(n) | Spot::Inside(n, _) => Some(side.get(n).at),
            _ => None,
        };
        Doubt {
            why,
            old: text(self.old, old),
            new: text(self.new, new),
            at: at(self.old, old),
            new_at: at(self.new, new),
        }
    }

    /// Goes on until both do something, and compares that.
    fn task(&mut self, mut t: Task) -> Checked {
        let mut silent: FxHashSet<Task> = FxHashSet::default();
        loop {
            t.old = self.settle(true, t.old);
            t.new = self.settle(false, t.new);
            merge(&mut t.frames);
            if self.seen.contains(&t) {
                // Only what did something before may be taken as known.
                return match silent.contains(&t) {
                    true => Err(self.doubt(Why::Different, t.old, t.new)),
                    false => Ok(()),
                };
            }
            if !silent.insert(t.clone()) {
                return Err(self.doubt(Why::Different, t.old, t.new));
            }
            match (t.old, t.new) {
                (Spot::Return, Spot::Return) => {
                    let Some(f) = t.frames.pop() else {
                        return Ok(());
                    };
                    self.back(&mut t, f)?;
                }
                (Spot::Return, _) => match t.frames.pop() {
                    Some(f) if !f.new => self.back(&mut t, f)?,
                    _ => return Err(self.doubt(Why::Different, t.old, t.new)),
                },
                (_, Spot::Return) => match t.frames.pop() {
                    Some(f) if f.new => self.back(&mut t, f)?,
                    _ => return Err(self.doubt(Why::Different, t.old, t.new)),
                },
                (Spot::Spin, Spot::Spin) => return Ok(()),
                (Spot::Out(a), Spot::Out(b)) if a == b => {
                    if t.frames.is_empty() {
                        return Ok(());
                    }
                    if !(self.trusted)(a) {
                        return Err(self.doubt(Why::Stack, t.old, t.new));
                    }
                    (t.old, t.new) = (Spot::Return, Spot::Return);
                }
                (Spot::Inside(p, j), Spot::Inside(q, k)) if j == k && t.frames.is_empty() => {
                    return self.region(p, q, 0);
                }
                (Spot::At(p), Spot::At(q)) => {
                    let kinds = (self.old.get(p).kind, self.new.get(q).kind);
                    match kinds {
                        (Kind::Code, Kind::Code) => {}
                        (Kind::Data, Kind::Data) => return self.executed(p, q, &t),
                        _ => return Err(self.doubt(Why::Different, t.old, t.new)),
                    }
                    match self.calls(p, q) {
                        Calls::Neither | Calls::Both => {
                            self.seen.insert(t.clone());
                            return self.deed(p, q, t.frames);
                        }
                        Calls::New => self.call(&mut t, p, q, true)?,
                        Calls::Old => self.call(&mut t, p, q, false)?,
                    }
                }
                _ => return Err(self.doubt(Why::Different, t.old, t.new)),
            }
        }
    }

    /// One of them comes back.
    fn back(&mut self, t: &mut Task, f: Frame) -> Checked {
        if f.depth != 0 {
            return Err(self.doubt(Why::Stack, t.old, t.new));
        }
        match f.new {
            true => t.new = f.back,
            false => t.old = f.back,
        }
        Ok(())
    }

    /// One of them calls.
    fn call(&mut self, t: &mut Task, p: u32, q: u32, new: bool) -> Checked {
        let (side, n) = if new { (self.new, q) } else { (self.old, p) };
        let goal = side.goal(n, self.unit).map(|a| locate(side, a));
        let Some(to @ Spot::At(_)) = goal else {
            return Err(self.doubt(Why::Different, t.old, t.new));
        };
        if self.stack.is_odd(p) {
            return Err(self.doubt(Why::Pointer, t.old, t.new));
        }
        if t.frames.len() >= FRAMES || self.is_touched(new, n) {
            return Err(self.doubt(Why::Stack, t.old, t.new));
        }
        t.frames.push(Frame {
            new,
            back: self.settle(!new, locate(side, side.get(n).end())),
            depth: 0,
        });
        match new {
            true => t.new = to,
            false => t.old = to,
        }
        Ok(())
    }

    pub(super) fn is_touched(&self, new: bool, n: u32) -> bool {
        self.touched[usize::from(new)].has(n)
    }

    /// Who of both calls for himself.
    fn calls(&self, p: u32, q: u32) -> Calls {
        let sure = |side: &Side<'_, '_>, n: u32| {
            let ways = side.get(n).ways;
            ways.way == Some(Way::Call) && !ways.falls_through && ways.to.is_some()
        };
        // What one of them does to the cells of the return address the other must do.
        if self.linked.on {
            return match sure(self.old, p) && sure(self.new, q) {
                true => Calls::Both,
                false => Calls::Neither,
            };
        }
        match (sure(self.old, p), sure(self.new, q)) {
            (false, false) => Calls::Neither,
            (true, false) => Calls::Old,
            (false, true) => Calls::New,
            (true, true) => {
                let (a, b) = (self.old.goal(p, self.unit), self.new.goal(q, self.unit));
                let (Some(a), Some(b)) = (a, b) else {
                    return Calls::Both;
                };
                let named = self.names.get(&a).is_some_and(|all| all.contains(&b));
                let (x, y) = (locate(self.old, a), locate(self.new, b));
                if named || matches!((x, y), (Spot::Out(a), Spot::Out(b)) if a == b) {
                    return Calls::Both;
                }
                let both = self.alike(x, y);
                let new = self.alike(Spot::At(p), y);
                let old = self.alike(x, Spot::At(q));
                if both == ALIKE || both >= new.max(old) {
                    Calls::Both
                } else if new >= old {
                    Calls::New
                } else {
                    Calls::Old
                }
            }
        }
    }

    /// How many instructions are the same from two places on, with a few at most; all of
    /// them where both end. A guess, which the walk proves.
    fn alike(&self, mut x: Spot, mut y: Spot) -> usize {
        for same in 0..ALIKE {
            (x, y) = (self.settle(true, x), self.settle(false, y));
            let (Spot::At(p), Spot::At(q)) = (x, y) else {
                return if x == y { ALIKE } else { same };
            };
            let (a, b) = (self.old.get(p), self.new.get(q));
            let (Some(da), Some(db)) = (self.old.decoded(p), self.new.decoded(q)) else {
                return same;
            };
            if da.form != db.form || a.ways.way != b.ways.way {
                return same;
            }
            let words = |d: &scrimp_isa::Decoded| -> Vec<_> {
                d.operands.iter().map(|o| (o.word, o.second)).collect()
            };
            if words(&da) != words(&db) {
                return same;
            }
            if a.ways.way == Some(Way::Call) {
                let named = |g: u64, h: u64| self.names.get(&g).is_some_and(|n| n.contains(&h));
                let goals = (self.old.goal(p, self.unit), self.new.goal(q, self.unit));
                if let (Some(g), Some(h)) = goals
                    && !named(g, h)
                    && g != h
                {
                    return same;
                }
            }
            x = locate(self.old, a.end());
            y = locate(self.new, b.end());
        }
        ALIKE
    }

    /// Follows jumps that do nothing else, as long as nothing touches them; also those that
    /// come to the same place whether they go or not.
    fn settle(&self, old: bool, spot: Spot) -> Spot {
        self.settled(old, spot, true)
    }

    fn settled(&self, old: bool, spot: Spot, conditional: bool) -> Spot {
        let side = if old { self.old } else { self.new };
        let mut seen = FxHashSet::default();
        let mut spot = spot;
        loop {
            let Spot::At(n) = spot else {
                return spot;
            };
            let p = side.get(n);
            if old {
                self.met.old.borrow_mut().insert(n);
            }
            let Some(deed) = p.deed.as_ref().filter(|_| !self.is_touched(!old, n)) else {
                return spot;
            };
            let goal = side.goal(n, self.unit).map(|g| locate(side, g));
            match (p.ways.way, goal, p.ways.falls_through) {
                (Some(Way::Jump), Some(goal), false) if deed.only_goes => {
                    if !seen.insert(n) {
                        return Spot::Spin;
                    }
                    spot = goal;
                }
                (Some(Way::Jump), Some(goal), true) if deed.only_goes && conditional => {
                    let behind = self.settled(old, locate(side, p.end()), false);
                    if !seen.insert(n) || self.settled(old, goal, false) != behind {
                        return spot;
                    }
                    spot = behind;
                }
                (Some(Way::Return), _, false) if self.is_plain(deed) => return Spot::Return,
                _ => return spot,
            }
        }
    }

    /// Whether a return does nothing but that.
    fn is_plain(&self, deed: &super::side::Deed) -> bool {
        let others = deed
            .effects
            .writes
            .without(self.quiet)
            .without(self.pointer);
        others.is_empty() && !deed.effects.controls && !deed.effects.writes_memory
    }

    /// Both do the same.
    fn deed(&mut self, p: u32, q: u32, mut frames: Vec<Frame>) -> Checked {
        let (spots, touched) = (
            (Spot::At(p), Spot::At(q)),
            [self.is_touched(false, p), self.is_touched(true, q)],
        );
        self.met.pairs.insert((p, q));
        if touched[0] || touched[1] {
            if !frames.is_empty() {
                return Err(self.doubt(Why::Touched, spots.0, spots.1));
            }
            self.twins.insert((p, q));
            if self.old.get(p).bytes.len() != self.new.get(q).bytes.len() {
                return Err(self.doubt(Why::Touched, spots.0, spots.1));
            }
        } else if let Some(done) = self.branches(p, q, &frames) {
            return done;
        }
        self.same(p, q)?;
        let (a, b) = (self.old.get(p), self.new.get(q));
        let Some(deed) = a.deed.clone() else {
            return Err(self.doubt(Why::Different, spots.0, spots.1));
        };
        let goals = (self.old.goal(p, self.unit), self.new.goal(q, self.unit));
        let goals = goals.0.zip(goals.1);
        let goals = goals.map(|(x, y)| (locate(self.old, x), locate(self.new, y)));
        let behind = (locate(self.old, a.end()), locate(self.new, b.end()));
        let way = a.ways.way;
        let falls = a.ways.falls_through || way == Some(Way::Call);
        match (way, goals) {
            (Some(Way::Call), _) => {
                let goal = self.old.goal(p, self.unit);
                if let Some(top) = frames.last()
                    && (!goal.is_some_and(|g| self.stack.keeps(g))
                        || self.stack.hands_over(p, top.depth))
                {
                    return Err(self.doubt(Why::Callee, spots.0, spots.1));
                }
                if let Some((x, y)) = goals {
                    self.go(x, y, Vec::new());
                }
                if let Some(&count) = self.said.takes.get(&self.old.get(p).address) {
                    let frames = frames.clone();
                    return self.over_data(p, q, count, frames);
                }
                let looks = match self.linked.on {
                    true => self.linked.looks,
                    false => goal.is_none_or(|g| self.stack.peeks(g)),
                };
                if looks {
                    self.behind_call(behind, spots)?;
                }
            }
            (Some(Way::Jump | Way::Skip), Some((x, y))) => {
                self.go(x, y, frames.clone());
                // A distance that the program writes leads to what stands behind, or to the
                // jumps there.
                if self.touched[0].is_inside(p) && self.old.is_relative(p) {
                    self.behind_call(behind, spots)?;
                }
            }
            (Some(Way::Return), _) | (Some(Way::Jump | Way::Skip), None) => {
                if !frames.is_empty() {
                    return Err(self.doubt(Why::Stack, spots.0, spots.1));
                }
            }
            (None, _) => {
                if let Some(top) = frames.last_mut() {
                    let depth = deed.lift.map(|l| top.depth - l);
                    match depth {
                        Some(d) if d >= 0 && !deed.sees_stack => top.depth = d,
                        _ => return Err(self.doubt(Why::Stack, spots.0, spots.1)),
                    }
                }
            }
        }
        if falls {
            self.go(behind.0, behind.1, frames);
        }
        self.knows_itself(p, q, behind)
    }

    /// What knows its own address: that is the same in both, and so is what stands there, if
    /// more is done with it than keeping it.
    fn knows_itself(&mut self, p: u32, q: u32, behind: (Spot, Spot)) -> Checked {
        match self.linked.leaves(self.old, p, self.unit) {
            None => Ok(()),
            Some(true) if !self.linked.looks => {
                self.go(behind.0, behind.1, Vec::new());
                Ok(())
            }
            Some(_) => self.behind_call(behind, (Spot::At(p), Spot::At(q))),
        }
    }

    /// Data behind a call that its routine takes, and goes on behind: the same in both.
    fn over_data(&mut self, p: u32, q: u32, count: u64, frames: Vec<Frame>) -> Checked {
        let ends = (self.old.get(p).end(), self.new.get(q).end());
        let mut at = 0;
        while at < count {
            let spots = (locate(self.old, ends.0 + at), locate(self.new, ends.1 + at));
            let (Spot::At(x), Spot::At(y)) = spots else {
                return Err(self.doubt(Why::Callee, spots.0, spots.1));
            };
            if self.old.get(x).kind != Kind::Data || self.data.get(&x) != Some(&y) {
                return Err(self.doubt(Why::Callee, spots.0, spots.1));
            }
            at += self.old.get(x).bytes.len() as u64;
        }
        let behind = (
            locate(self.old, ends.0 + count),
            locate(self.new, ends.1 + count),
        );
        self.go(behind.0, behind.1, frames);
        Ok(())
    }

    /// What stands behind a call whose routine looks at its return address must be the same,
    /// as far as it may go over it: some bytes, or all jumps that begin there.
    fn behind_call(&mut self, behind: (Spot, Spot), spots: (Spot, Spot)) -> Checked {
        match behind {
            (Spot::At(x), Spot::At(y)) => self.region(x, y, OVER),
            (Spot::Out(_), Spot::Out(_)) => Ok(()),
            _ => Err(self.doubt(Why::Callee, spots.0, spots.1)),
        }
    }

    /// Two instructions that only go somewhere on one condition, whatever their length.
    fn branches(&mut self, p: u32, q: u32, frames: &[Frame]) -> Option<Checked> {
        let branch = |side: &Side<'p, 'a>, n: u32| {
            let place = side.get(n);
            let deed = place.deed.as_ref()?;
            let guard = deed.guard.filter(|_| place.ways.falls_through)?;
            // One that always goes, to one of two places, says nothing of its condition.
            if Depend.certain(guard).is_some() {
                return None;
            }
            let behind = locate(side, place.end());
            match place.ways.way? {
                Way::Jump | Way::Skip if deed.only_goes => {
                    Some((guard, locate(side, side.goal(n, self.unit)?), behind))
                }
                Way::Return if self.is_plain(deed) => Some((guard, Spot::Return, behind)),
                _ => None,
            }
        };
        let (g, x, x2) = branch(self.old, p)?;
        let (h, y, y2) = branch(self.new, q)?;
        let not = Depend.not(h);
        if g == h {
            self.go(x, y, frames.to_vec());
            self.go(x2, y2, frames.to_vec());
        } else if g == not {
            self.go(x, y2, frames.to_vec());
            self.go(x2, y, frames.to_vec());
        } else {
            return Some(Err(self.doubt(Why::Different, Spot::At(p), Spot::At(q))));
        }
        Some(Ok(()))
    }

    /// Data that control comes to: both the same, and so what stands behind them.
    fn executed(&mut self, p: u32, q: u32, t: &Task) -> Checked {
        if self.data.get(&p) != Some(&q) || !t.frames.is_empty() {
            return Err(self.doubt(Why::Data, t.old, t.new));
        }
        self.seen.insert(t.clone());
        let behind = |s: &Side<'_, '_>, n: u32| locate(s, s.get(n).end());
        match (behind(self.old, p), behind(self.new, q)) {
            (Spot::At(x), Spot::At(y)) => {
                if self.old.get(x).kind == Kind::Code {
                    self.region(x, y, 0)?;
                }
                self.go(Spot::At(x), Spot::At(y), Vec::new());
                Ok(())
            }
            (Spot::Out(_), Spot::Out(_)) => Ok(()),
            _ => Err(self.doubt(Why::Data, t.old, t.new)),
        }
    }

    /// What is touched from a place on stays together.
    pub(super) fn region_from(&mut self, x: u32, y: u32) -> Checked {
        let (mut x, mut y) = (x, y);
        loop {
            self.twin(x, y)?;
            match (self.old.next(x), self.new.next(y)) {
                (Some(a), Some(b)) if self.is_touched(false, a) => (x, y) = (a, b),
                (Some(a), _) if self.is_touched(false, a) => {
                    return Err(self.doubt(Why::Touched, Spot::At(x), Spot::At(y)));
                }
                _ => return Ok(()),
            }
        }
    }

    /// Two instructions that are one and the same.
    fn twin(&mut self, x: u32, y: u32) -> Checked {
        let (a, b) = (self.old.get(x), self.new.get(y));
        let same = a.kind == b.kind && a.bytes.len() == b.bytes.len();
        if !same || a.kind == Kind::Data && self.data.get(&x) != Some(&y) {
            return Err(self.doubt(Why::Touched, Spot::At(x), Spot::At(y)));
        }
        if a.kind == Kind::Code && self.twins.insert((x, y)) {
            self.met.pairs.insert((x, y));
            self.met.old.borrow_mut().insert(x);
            self.same(x, y)?;
        }
        Ok(())
    }

    /// The same instructions one behind the other, up to where control leaves for good
    /// behind so many bytes, if there are any, and the jumps that it begins with.
    fn region(&mut self, x: u32, y: u32, least: u64) -> Checked {
        let (mut x, mut y) = (x, y);
        let (start, mut table) = (self.old.get(x).address, least > 0);
        loop {
            self.twin(x, y)?;
            let p = self.old.get(x);
            if p.kind == Kind::Code {
                self.go(Spot::At(x), Spot::At(y), Vec::new());
                let ends = !p.ways.falls_through && p.ways.way != Some(Way::Call);
                table &= ends && p.ways.way == Some(Way::Jump);
                if ends && !table && p.end() - start >= least {
                    return Ok(());
                }
            }
            match (self.old.next(x), self.new.next(y)) {
                (Some(a), Some(b)) => (x, y) = (a, b),
                (None, None) => return Ok(()),
                _ => return Err(self.doubt(Why::Touched, Spot::At(x), Spot::At(y))),
            }
        }
    }
}

/// Who calls.
enum Calls {
    Neither,
    Old,
    New,
    Both,
}

/// Where an address is.
pub fn locate(side: &Side<'_, '_>, address: u64) -> Spot {
    match side.holding(address) {
        Some((n, 0)) => Spot::At(n),
        Some((n, k)) => Spot::Inside(n, k),
        None => Spot::Out(address),
    }
}

/// Several returns one after the other are as good as one. Only what the old program had more
/// on its stack may become any number: the new one's stack must not grow where that did not.
fn merge(frames: &mut Vec<Frame>) {
    while let [.., a, b] = frames.as_slice() {
        let returns = a.back == Spot::Return && b.back == Spot::Return;
        if !returns || a.new || b.new || a.depth != 0 {
            return;
        }
        let depth = b.depth;
        frames.pop();
        if let Some(top) = frames.last_mut() {
            top.depth = depth;
        }
    }
}
