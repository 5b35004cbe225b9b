//! What the old program does with its stack: which routines only use what lies above their
//! return address for nothing, and where the stack pointer may point at data.

use super::kept::Kept;
use super::said::Said;
use super::same::places;
use super::side::{Deed, Kind, Side, is_call};
use super::touched::Touched;
use crate::program::Field;
use crate::program::symbol::SymbolId;
use rustc_hash::{FxHashMap, FxHashSet};
use scrimp_isa::depend::Inputs;
use scrimp_isa::effects::Way;
use scrimp_isa::state::place;
use std::cell::{OnceCell, RefCell};
use std::rc::Rc;

/// Most bytes that a routine may have on the stack.
const DEEP: i32 = 1024;

/// Bytes of what lies above that are told apart: more than [`CALLS`] return addresses.
const LOW: i32 = 16;

/// Calls, one in the other, through which the stack of the first is taken.
const CALLS: i32 = 4;

/// Instructions before one that sets the stack pointer by a register, at most.
const NEAR: u32 = 3;

/// Bytes of a return address, at least.
const RETURN: i32 = 2;

/// What a routine takes of what lay on the stack before it.
#[derive(Default)]
struct Taken {
    /// It looks at its return address, or may go on elsewhere than where it was called from.
    peeks: bool,
    /// Bytes of its return address and of what lies above that which it takes.
    takes: i32,
    /// Where the calls in it lead.
    calls: FxHashSet<u32>,
}

/// Where the stack pointer was kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Aside {
    /// The address.
    place: i64,
    /// Bytes on the stack then.
    depth: i32,
    /// It still points at its stack too.
    here: bool,
}

/// A place within a routine, and bytes on the stack there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct At {
    n: u32,
    depth: i32,
    kept: Option<Aside>,
}

impl At {
    /// Where a routine begins.
    fn start(n: u32) -> Self {
        Self {
            n,
            depth: 0,
            kept: None,
        }
    }
}

/// What is known of the stack.
pub struct Stack<'s, 'p, 'a> {
    side: &'s Side<'p, 'a>,
    unit: u64,
    /// Routines by where they begin: whether their own code is harmless, and whom they call.
    own: FxHashMap<u32, Option<Vec<u32>>>,
    keeps: FxHashMap<u32, bool>,
    /// What routines take, by where they begin.
    taken: RefCell<FxHashMap<u32, Rc<Taken>>>,
    /// Places where the stack pointer may point at something else than a stack.
    odd: FxHashSet<u32>,
    /// Where the pointer is kept in memory and put back, and no more becomes of it.
    kept: Kept,
    /// Of calls that lead out of the program what may be given to what is there on the stack.
    given: OnceCell<FxHashMap<u32, i32>>,
    /// The stack pointer and what hardly a program looks at.
    apart: Inputs,
    trusted: &'s dyn Fn(u64) -> bool,
    said: &'s Said,
}

impl<'s, 'p, 'a> Stack<'s, 'p, 'a> {
    /// Of a program. `trusted` tells of an address outside the program whether what is called
    /// there returns behind the call and looks at nothing on the stack.
    pub fn new(
        side: &'s Side<'p, 'a>,
        unit: u64,
        (pointer, quiet): (Inputs, Inputs),
        (trusted, said): (&'s dyn Fn(u64) -> bool, &'s Said),
        (inner, touched): (&FxHashSet<SymbolId>, &Touched),
    ) -> Self {
        let mut stack = Self {
            side,
            unit,
            own: FxHashMap::default(),
            keeps: FxHashMap::default(),
            taken: RefCell::default(),
            odd: FxHashSet::default(),
            kept: Kept::of(side, unit, (pointer, quiet), inner),
            given: OnceCell::new(),
            apart: pointer.and(quiet),
            trusted,
            said,
        };
        stack.find_odd(pointer, touched);
        stack
    }

    /// Whether the stack pointer may point at data at a place.
    pub fn is_odd(&self, n: u32) -> bool {
        self.odd.contains(&n)
    }

    /// Whether a call may hand over more on the stack than the bytes that lie above what
    /// changed below them.
    pub fn hands_over(&self, n: u32, depth: i32) -> bool {
        let goal = self.side.goal(n, self.unit);
        let own = goal.and_then(|g| self.side.holding(g));
        if own.is_some_and(|(to, _)| !self.leads_out(to)) {
            return false;
        }
        let find = || super::given::find(self.side, self.unit, self.apart);
        let given = self.given.get_or_init(find);
        given.get(&n).is_none_or(|&g| g > depth)
    }

    /// Whether control may go from a place to somewhere outside, other than by a call.
    fn leads_out(&self, from: u32) -> bool {
        let mut seen = FxHashSet::default();
        let mut open = vec![from];
        while let Some(n) = open.pop() {
            let p = self.side.get(n);
            if p.kind != Kind::Code || !seen.insert(n) {
                continue;
            }
            if matches!(p.ways.way, Some(Way::Jump | Way::Skip)) {
                let goal = self.side.goal(n, self.unit);
                match goal.and_then(|g| self.side.holding(g)) {
                    Some((to, _)) => open.push(to),
                    None => return true,
                }
            }
            if p.ways.falls_through || is_call(p) {
                open.extend(self.side.next(n));
            }
        }
        false
    }

    /// Whether what is called at an address returns behind the call, with the stack as it
    /// was, and never looks at its return address or what lies above.
    pub fn keeps(&mut self, address: u64) -> bool {
        match self.side.holding(address) {
            Some((n, 0)) => self.routine(n),
            Some(_) => false,
            None => (self.trusted)(address),
        }
    }

    /// Whether what is called at an address may look at its return address, or go on
    /// elsewhere than right behind the call: by itself, or as what it calls takes more from
    /// the stack than its own return address.
    pub fn peeks(&self, address: u64) -> bool {
        if self.said.returns.contains(&address) {
            return false;
        }
        let Some((entry, 0)) = self.side.holding(address) else {
            // What is outside is taken to, unless it is known not to.
            return !(self.trusted)(address);
        };
        let own = self.taken(entry);
        let mut now: FxHashSet<u32> = own.calls.clone();
        let mut peeks = own.peeks;
        // What is called takes its own return addresses first.
        for level in 1..=CALLS {
            now.retain(|&n| !self.said.returns.contains(&self.side.get(n).address));
            peeks |= now.iter().any(|&n| self.taken(n).takes > level * RETURN);
            now = now
                .iter()
                .flat_map(|&n| self.taken(n).calls.clone())
                .collect();
        }
        peeks
    }

    /// What a routine takes of what lay on the stack before it.
    fn taken(&self, entry: u32) -> Rc<Taken> {
        if let Some(known) = self.taken.borrow().get(&entry) {
            return Rc::clone(known);
        }
        let found = Rc::new(self.look(entry));
        self.taken.borrow_mut().insert(entry, Rc::clone(&found));
        found
    }

    /// Finds it, instruction by instruction.
    fn look(&self, entry: u32) -> Taken {
        let mut out = Taken::default();
        // Of each place the fewest bytes: whatever is found with more is found with them.
        let mut least: FxHashMap<(u32, Option<Aside>), i32> = FxHashMap::default();
        let mut open = vec![At::start(entry)];
        while let Some(mut at) = open.pop() {
            at.depth = at.depth.max(-LOW);
            let At { n, depth, kept } = at;
            let old = least.entry((n, kept)).or_insert(DEEP);
            if depth >= *old {
                continue;
            }
            *old = depth;
            let p = self.side.get(n);
            let Some(deed) = p.deed.as_ref().filter(|_| p.kind == Kind::Code) else {
                continue;
            };
            let goal = self.side.goal(n, self.unit).map(|g| self.side.holding(g));
            let mut after = At { n, depth, kept };
            match p.ways.way {
                None if let Some(moved) = self.keeping(at, deed) => after = moved,
                None => {
                    let pushes = deed.lift.is_some_and(|l| l < 0);
                    out.peeks |= depth < 0 && pushes || depth <= 0 && deed.sees_stack;
                    after.depth -= deed.lift.unwrap_or(0);
                    out.takes = out.takes.max(-after.depth);
                }
                Some(Way::Jump | Way::Skip) => match goal {
                    Some(Some((to, 0))) => open.push(At { n: to, ..at }),
                    None => out.peeks |= depth < 0,
                    _ => {}
                },
                Some(Way::Call) => out.calls.extend(goal.flatten().map(|g| g.0)),
                Some(Way::Return) => {}
            }
            if p.ways.falls_through || is_call(p) {
                open.extend(self.side.next(n).map(|n| At { n, ..after }));
            }
        }
        out
    }

    /// What holds behind an instruction that keeps the stack pointer, puts it back, or runs
    /// in between; nothing of others.
    fn keeping(&self, at: At, deed: &Deed) -> Option<At> {
        if let Some(place) = self.kept.keeps(at.n) {
            let fits =
                matches!(at.kept, Some(k) if k.place == place && k.here) || at.kept.is_none();
            let kept = Aside {
                place,
                depth: at.depth,
                here: true,
            };
            return fits.then_some(At {
                kept: Some(kept),
                ..at
            });
        }
        let kept = at.kept?;
        if self.kept.backs(at.n) == Some(kept.place) {
            return Some(At {
                depth: kept.depth,
                kept: None,
                ..at
            });
        }
        let away = Aside {
            here: false,
            ..kept
        };
        match (kept.here, deed.lift) {
            (true, None) => Some(At {
                kept: Some(away),
                ..at
            }),
            (true, Some(_)) => None,
            (false, None) => Some(at),
            (false, Some(_)) => (!deed.sees_stack).then_some(at),
        }
    }

    /// Where a call comes back to.
    fn behind_call(&self, n: u32) -> Option<u32> {
        let p = self.side.get(n);
        match self.said.takes.get(&p.address) {
            Some(count) => self.side.holding(p.end() + count).map(|f| f.0),
            None => self.side.next(n),
        }
    }

    fn routine(&mut self, n: u32) -> bool {
        if let Some(&k) = self.keeps.get(&n) {
            return k;
        }
        // All that it may call, and whether one of them is bad: recursion does no harm.
        let mut seen = FxHashSet::default();
        let mut open = vec![n];
        let mut good = true;
        while let Some(r) = open.pop() {
            if !good || !seen.insert(r) {
                continue;
            }
            if self.said.returns.contains(&self.side.get(r).address) {
                continue;
            }
            match self.keeps.get(&r) {
                Some(&k) => good &= k,
                None => match self.calls(r) {
                    Some(list) => open.extend(list),
                    None => good = false,
                },
            }
        }
        if good {
            self.keeps.extend(seen.into_iter().map(|r| (r, true)));
        }
        self.keeps.insert(n, good);
        good
    }

    /// Whom the code of a routine calls; nothing if it does something that is not understood.
    fn calls(&mut self, entry: u32) -> Option<Vec<u32>> {
        if let Some(known) = self.own.get(&entry) {
            return known.clone();
        }
        let found = self.explore(entry);
        self.own.insert(entry, found.clone());
        found
    }

    fn explore(&self, entry: u32) -> Option<Vec<u32>> {
        let mut calls = Vec::new();
        let mut seen: FxHashSet<At> = FxHashSet::default();
        let mut open = vec![At::start(entry)];
        while let Some(mut at) = open.pop() {
            if !seen.insert(at) {
                continue;
            }
            let At { n, depth, kept } = at;
            let p = self.side.get(n);
            let deed = p.deed.as_ref().filter(|_| p.kind == Kind::Code)?;
            let goal = self.side.goal(n, self.unit);
            match p.ways.way {
                Some(Way::Return) => {
                    if depth != 0 || kept.is_some() || deed.effects.controls {
                        return None;
                    }
                    if !p.ways.falls_through {
                        continue;
                    }
                }
                Some(Way::Call) => {
                    if kept.is_some() {
                        return None;
                    }
                    match self.side.holding(goal?) {
                        Some((to, 0)) => calls.push(to),
                        Some(_) => return None,
                        None if (self.trusted)(goal?) => {}
                        None => return None,
                    }
                    open.push(At {
                        n: self.behind_call(n)?,
                        ..at
                    });
                    continue;
                }
                Some(Way::Jump | Way::Skip) => {
                    // What goes elsewhere for good keeps the stack only if that does.
                    let goal = goal?;
                    let out = depth == 0 && kept.is_none() && (self.trusted)(goal);
                    match self.side.holding(goal) {
                        Some((to, 0)) => open.push(At { n: to, ..at }),
                        Some(_) => return None,
                        None if out => {}
                        None => return None,
                    }
                    if !p.ways.falls_through {
                        continue;
                    }
                }
                None if let Some(moved) = self.keeping(at, deed) => at = moved,
                None => {
                    if deed.sees_stack {
                        return None;
                    }
                    at.depth -= deed.lift?;
                }
            }
            if !(0..DEEP).contains(&at.depth) {
                return None;
            }
            open.push(At {
                n: self.side.next(n)?,
                ..at
            });
        }
        Some(calls)
    }

    /// Where the stack pointer may be a pointer to data: behind what sets it, unless that
    /// puts back what was kept in memory, or the program itself calls with it.
    fn find_odd(&mut self, pointer: Inputs, touched: &Touched) {
        let side = self.side;
        let mut sets: FxHashSet<u32> = FxHashSet::default();
        let mut pointers = Vec::new();
        let kept = self.kept(pointer);
        let mut lost = false;
        for (n, p) in (0u32..).zip(&side.places) {
            let Some(deed) = &p.deed else { continue };
            if deed.lift.is_some() || matches!(p.ways.way, Some(Way::Return | Way::Call)) {
                continue;
            }
            sets.insert(n);
            let registers = deed.effects.reads().without(pointer);
            let registers = registers.iter().any(|i| i < place::OTHERS);
            let named = self.named(n).is_some_and(|a| kept.contains(&a));
            if registers || !deed.effects.reads_memory || !named {
                pointers.push(n);
            }
        }
        for n in pointers {
            let behind = self.behind(n, &sets);
            // Where that goes on nobody knows: what sets the pointer again may be its end.
            let astray = |&x: &u32| {
                let jumps = matches!(side.get(x).ways.way, Some(Way::Jump | Way::Skip));
                jumps && (touched.is_inside(x) || side.goal(x, self.unit).is_none())
            };
            lost |= behind.iter().any(astray);
            let calls = behind.iter().any(|&x| is_call(side.get(x)));
            if !calls || self.takes_first(n, &sets) {
                self.odd.extend(behind);
            }
            if self.returns_first(n) {
                self.odd.extend(self.listed());
            }
        }
        if lost {
            let before = self.before(&sets);
            self.odd.extend(before);
        }
    }

    /// What comes to one of these places within a routine, calling nothing.
    fn before(&self, goals: &FxHashSet<u32>) -> FxHashSet<u32> {
        let mut from: FxHashMap<u32, Vec<u32>> = FxHashMap::default();
        for (n, p) in (0u32..).zip(&self.side.places) {
            if !is_call(p) && !goals.contains(&n) {
                for to in self.after(n) {
                    from.entry(to).or_default().push(n);
                }
            }
        }
        let mut seen = FxHashSet::default();
        let mut open: Vec<u32> = goals.iter().copied().collect();
        while let Some(n) = open.pop() {
            let before = from.get(&n).into_iter().flatten();
            open.extend(before.filter(|&&b| seen.insert(b)));
        }
        seen
    }

    /// Where control may come within a routine from behind a place on, and no farther than
    /// where something is done with the stack: whether that is of some kind.
    fn first(&self, n: u32, is: &dyn Fn(u32, &Deed) -> bool) -> bool {
        let mut seen = FxHashSet::default();
        let mut open: Vec<u32> = self.side.next(n).into_iter().collect();
        while let Some(x) = open.pop() {
            let p = self.side.get(x);
            let Some(deed) = p.deed.as_ref().filter(|_| seen.insert(x)) else {
                continue;
            };
            let ends = matches!(p.ways.way, Some(Way::Call | Way::Return));
            if ends || deed.lift != Some(0) {
                if is(x, deed) {
                    return true;
                }
                if !(p.ways.way == Some(Way::Return) && p.ways.falls_through) {
                    continue;
                }
            }
            match p.ways.way {
                None | Some(Way::Return) => open.extend(self.side.next(x)),
                _ => open.extend(self.after(x)),
            }
        }
        false
    }

    /// Whether something is taken from where the stack pointer was set to before anything was
    /// put there, and it is set again before a return.
    fn takes_first(&self, n: u32, sets: &FxHashSet<u32>) -> bool {
        let takes =
            |x: u32, d: &Deed| self.side.get(x).ways.way.is_none() && d.lift.is_some_and(|l| l > 0);
        if !self.first(n, &takes) {
            return false;
        }
        let (mut seen, mut again) = (FxHashSet::default(), false);
        let mut open: Vec<u32> = self.side.next(n).into_iter().collect();
        while let Some(x) = open.pop() {
            let p = self.side.get(x);
            if sets.contains(&x) {
                again = true;
            } else if p.ways.way == Some(Way::Return) {
                return self.names_data(n);
            } else if seen.insert(x) {
                match is_call(p) {
                    true => open.extend(self.side.next(x)),
                    false => open.extend(self.after(x)),
                }
            }
        }
        again || self.names_data(n)
    }

    /// Whether control goes to what stands in data that the stack pointer was set to.
    fn returns_first(&self, n: u32) -> bool {
        let returns = |x: u32, _: &Deed| self.side.get(x).ways.way == Some(Way::Return);
        self.names_data(n) && self.first(n, &returns)
    }

    /// Whether an instruction that sets the stack pointer, or one soon before it, names data.
    fn names_data(&self, n: u32) -> bool {
        let data = |x: u32| {
            let at = self.named(x).and_then(|v| u64::try_from(v & 0xffff).ok());
            let at = at.and_then(|v| self.side.holding(v));
            at.is_some_and(|(to, _)| self.side.get(to).kind == Kind::Data)
        };
        (n.saturating_sub(NEAR)..=n).any(data)
    }

    /// Code that comes of places that data name.
    fn listed(&self) -> FxHashSet<u32> {
        let mut seen = FxHashSet::default();
        let values = self.side.program.values.iter();
        let data = values.filter(|v| matches!(v.field, Field::Data(_)));
        let named = data.flat_map(|v| places(self.side, v.value, true));
        let mut open: Vec<u32> = named
            .filter_map(|a| self.side.holding(a))
            .map(|h| h.0)
            .collect();
        while let Some(x) = open.pop() {
            if seen.insert(x) {
                open.extend(self.after(x));
            }
        }
        seen
    }

    /// Where control may come from a place on, up to one of these.
    fn behind(&self, n: u32, stops: &FxHashSet<u32>) -> FxHashSet<u32> {
        let mut seen = FxHashSet::default();
        let mut open = self.after(n);
        while let Some(n) = open.pop() {
            if seen.insert(n) && !stops.contains(&n) {
                open.extend(self.after(n));
            }
        }
        seen
    }

    /// Addresses at which the stack pointer is kept.
    fn kept(&self, pointer: Inputs) -> FxHashSet<i64> {
        let mut kept = FxHashSet::default();
        for (n, p) in (0u32..).zip(&self.side.places) {
            let Some(e) = p.deed.as_ref().map(|d| &d.effects) else {
                continue;
            };
            if e.writes_memory && !e.reads_memory && e.uses.0 & pointer.0 == pointer.0 {
                kept.extend(self.named(n));
            }
        }
        kept
    }

    /// The number in an instruction.
    fn named(&self, n: u32) -> Option<i64> {
        let decoded = self.side.decoded(n)?;
        decoded.operands.iter().find_map(|o| o.value)
    }

    /// Where control may be after a place, into calls and behind them.
    fn after(&self, n: u32) -> Vec<u32> {
        let side = self.side;
        let p = side.get(n);
        let mut out = Vec::new();
        if p.kind != Kind::Code {
            return out;
        }
        if let Some((to, _)) = side.goal(n, self.unit).and_then(|a| side.holding(a)) {
            out.push(to);
        }
        if p.ways.falls_through || is_call(p) {
            out.extend(side.next(n));
        }
        out
    }
}
