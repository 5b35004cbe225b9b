//! Where the old program keeps its stack pointer at an address and takes it back: in one
//! sweep over the program it is told for each place what may have been kept before and not
//! been put back. An address counts if nothing else names it, nothing is called and control
//! does not leave a routine before what it kept is put back, and whoever puts back has kept
//! it; or somebody kept it who never leaves his routine.

use super::same::places;
use super::side::{Kind, Side, is_call};
use super::vectors::vectors;
use crate::program::Field;
use crate::program::symbol::SymbolId;
use rustc_hash::{FxHashMap, FxHashSet};
use scrimp_isa::depend::Inputs;
use scrimp_isa::effects::Way;
use scrimp_isa::state::place;

/// More places that keep the pointer are not looked at.
const MOST: usize = 60;
/// Nothing was kept, or somebody else did that.
const OTHER: u64 = 1;

/// Places that keep the stack pointer, and that put it back, by the address.
#[derive(Debug, Default)]
pub struct Kept {
    keeps: FxHashMap<u32, i64>,
    backs: FxHashMap<u32, i64>,
}

impl Kept {
    /// The address at which a place keeps the pointer.
    pub fn keeps(&self, n: u32) -> Option<i64> {
        self.keeps.get(&n).copied()
    }

    /// The address from which a place puts it back.
    pub fn backs(&self, n: u32) -> Option<i64> {
        self.backs.get(&n).copied()
    }

    /// Those of a program.
    pub fn of(
        side: &Side<'_, '_>,
        unit: u64,
        (pointer, quiet): (Inputs, Inputs),
        inner: &FxHashSet<SymbolId>,
    ) -> Self {
        let apart = pointer.and(quiet);
        let mut all = Self::default();
        for (n, p) in (0u32..).zip(&side.places) {
            let Some(deed) = p.deed.as_ref().filter(|_| p.ways.way.is_none()) else {
                continue;
            };
            let e = &deed.effects;
            let operands = side.decoded(n).map(|d| d.operands);
            let value = operands.and_then(|o| o.iter().find_map(|o| o.value));
            let Some(at) = value.map(|v| v & 0xffff) else {
                continue;
            };
            let registers = |i: Inputs| i.without(apart).0 & ((1 << place::OTHERS) - 1) == 0;
            let whole = |i: Inputs| i.0 & pointer.0 == pointer.0;
            let bare = registers(e.reads()) && registers(e.writes);
            if !bare || pointer.is_empty() {
                continue;
            }
            if e.writes_memory && !e.reads_memory && whole(e.uses) && deed.lift == Some(0) {
                all.keeps.insert(n, at);
            } else if e.reads_memory && !e.writes_memory && whole(e.writes) && deed.lift.is_none() {
                all.backs.insert(n, at);
            }
        }
        if all.keeps.is_empty() || all.keeps.len() > MOST {
            return Self::default();
        }
        let bad = all.bad(side, unit, inner);
        all.keeps.retain(|_, at| !bad.contains(at));
        all.backs.retain(|_, at| !bad.contains(at));
        all
    }

    /// Addresses that do not count.
    fn bad(&self, side: &Side<'_, '_>, unit: u64, inner: &FxHashSet<SymbolId>) -> FxHashSet<i64> {
        let mut bad = self.named(side);
        let list: Vec<(u32, i64)> = self.keeps.iter().map(|(n, at)| (*n, *at)).collect();
        let inner = within(side, unit, inner);
        let before = self.sweep(side, unit, &list, &inner);
        // Of each that keeps: whether it is put back, and what happens before.
        let (mut backs, mut calls, mut leaves) = (0u64, 0u64, 0u64);
        let mut alone: FxHashSet<i64> = FxHashSet::default();
        for (&n, &state) in &before {
            let p = side.get(n);
            if let Some(at) = self.backs(n) {
                backs |= state & of(&list, at);
                if state & OTHER != 0 {
                    alone.insert(at);
                }
                continue;
            }
            if is_call(p) {
                calls |= state;
            }
            let inside = match p.ways.way {
                Some(Way::Return) => false,
                Some(Way::Jump | Way::Skip) => to(side, n, unit).is_some(),
                _ => true,
            };
            let goes_on = after(side, n, unit)
                .iter()
                .all(|&x| side.get(x).kind == Kind::Code);
            if !inside || !goes_on || after(side, n, unit).is_empty() {
                leaves |= state;
            }
        }
        let mut open = FxHashSet::default();
        for (i, &(_, at)) in list.iter().enumerate() {
            let own = |set: u64| set & bit(i) != 0;
            if own(leaves) || own(backs) && own(calls) {
                bad.insert(at);
            }
            if !own(backs) {
                open.insert(at);
            }
        }
        bad.extend(alone.difference(&open));
        bad
    }

    /// Addresses that something else names, or what lies beside them.
    fn named(&self, side: &Side<'_, '_>) -> FxHashSet<i64> {
        let mut values: FxHashSet<i64> = FxHashSet::default();
        for n in 0..side.places.len() as u32 {
            let own = self.keeps(n).or(self.backs(n));
            let operands = side.decoded(n).map(|d| d.operands);
            let all = operands.iter().flatten().filter_map(|o| o.value);
            values.extend(all.filter(|_| own.is_none()).map(|v| v & 0xffff));
        }
        for v in &side.program.values {
            if matches!(v.field, Field::Data(_)) {
                values.extend(side.value(v.value).map(|v| v & 0xffff));
                let named = places(side, v.value, true);
                values.extend(named.iter().map(|&a| a as i64));
            }
        }
        let mut at: Vec<i64> = self
            .keeps
            .values()
            .chain(self.backs.values())
            .copied()
            .collect();
        at.sort_unstable();
        at.dedup();
        let own: FxHashSet<i64> = at.iter().copied().collect();
        let is_bad = |a: &i64| {
            let beside = [a - 1, a + 1];
            let named =
                values.contains(a) || beside.iter().any(|b| values.contains(b) || own.contains(b));
            let lies = |b: i64| u64::try_from(b).ok().and_then(|b| side.holding(b));
            let within = match (lies(*a), lies(a + 1)) {
                (None, None) => false,
                (Some((x, 0)), Some((y, _))) => {
                    [x, y].iter().any(|&n| side.get(n).kind == Kind::Code)
                }
                _ => true,
            };
            named || within
        };
        at.into_iter().filter(is_bad).collect()
    }

    /// What may have been kept before each place that control comes to, by whom.
    fn sweep(
        &self,
        side: &Side<'_, '_>,
        unit: u64,
        list: &[(u32, i64)],
        inner: &FxHashSet<u32>,
    ) -> FxHashMap<u32, u64> {
        let mut before: FxHashMap<u32, u64> = FxHashMap::default();
        let code = (0..side.places.len() as u32).filter(|&n| side.get(n).kind == Kind::Code);
        let mut open: Vec<(u32, u64)> = code
            .filter(|n| !inner.contains(n))
            .map(|n| (n, OTHER))
            .collect();
        while let Some((n, state)) = open.pop() {
            if side.get(n).kind != Kind::Code {
                continue;
            }
            let known = before.entry(n).or_insert(0);
            if *known | state == *known {
                continue;
            }
            *known |= state;
            let mut state = *known;
            if let Some(at) = self.keeps(n) {
                let own = list.iter().position(|l| l.0 == n).map_or(0, bit);
                state = state & !of(list, at) & !OTHER | own;
            }
            if let Some(at) = self.backs(n) {
                state = state & !of(list, at) | OTHER;
            }
            open.extend(after(side, n, unit).into_iter().map(|x| (x, state)));
        }
        before
    }
}

/// The number of one that keeps.
fn bit(i: usize) -> u64 {
    OTHER << (i + 1)
}

/// Those that keep at an address.
fn of(list: &[(u32, i64)], at: i64) -> u64 {
    let own = list.iter().enumerate().filter(|(_, l)| l.1 == at);
    own.fold(0, |all, (i, _)| all | bit(i))
}

/// Where a jump leads within the program.
fn to(side: &Side<'_, '_>, n: u32, unit: u64) -> Option<u32> {
    let goal = side.goal(n, unit)?;
    side.holding(goal).filter(|h| h.1 == 0).map(|h| h.0)
}

/// Where control may be behind a place, in the same routine.
fn after(side: &Side<'_, '_>, n: u32, unit: u64) -> Vec<u32> {
    let p = side.get(n);
    let jumps = matches!(p.ways.way, Some(Way::Jump | Way::Skip));
    let mut out: Vec<u32> = to(side, n, unit).into_iter().filter(|_| jumps).collect();
    if p.ways.falls_through || is_call(p) {
        out.extend(side.next(n));
    }
    out
}

/// Places to which control only comes from others in the same routine: from the one before,
/// or by jumps that name them.
fn within(side: &Side<'_, '_>, unit: u64, known: &FxHashSet<SymbolId>) -> FxHashSet<u32> {
    let mut come = FxHashSet::default();
    let mut named: FxHashSet<u64> = FxHashSet::default();
    for n in 0..side.places.len() as u32 {
        let p = side.get(n);
        if p.kind == Kind::Code {
            come.extend(after(side, n, unit));
        }
        let jumps = matches!(p.ways.way, Some(Way::Jump | Way::Skip));
        let goal = side.goal(n, unit);
        named.extend(goal.filter(|_| !jumps));
        let operands = side.decoded(n).map(|d| d.operands);
        let all = operands.iter().flatten().filter_map(|o| o.value);
        let all = all.filter(|&v| !jumps || goal != u64::try_from(v).ok());
        named.extend(all.map(|v| (v & 0xffff) as u64));
    }
    for v in &side.program.values {
        if matches!(v.field, Field::Data(_)) {
            named.extend(places(side, v.value, true));
        }
    }
    for own in side.starts.windows(2).map(|w| w[0]..w[1]) {
        let mut code = own.filter(|&n| side.get(n).kind == Kind::Code);
        named.extend(code.next().map(|n| side.get(n).address));
    }
    for range in vectors(side, unit) {
        named.extend(range);
    }
    for id in side.program.symbols.ids() {
        let s = side.program.symbols.get(id);
        if let Some(at) = s.place.filter(|_| s.label && !known.contains(&id)) {
            named.insert(side.program.address(&side.layout, at));
        }
    }
    come.retain(|&n| !named.contains(&side.get(n).address));
    come
}
