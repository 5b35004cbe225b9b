//! Instructions that the program itself may read or write, as far as it names them: they are
//! no longer what they seem, and must stay the only ones of their kind.

use super::same::places;
use super::side::{Kind, Side};
use super::told::{Given, Used};
use crate::program::Field;
use crate::program::lifted::LIFTED;
use rustc_hash::{FxHashMap, FxHashSet};
use scrimp_isa::effects::Way;
use scrimp_isa::state::place;

/// Instructions that are looked at behind one that loads an address.
const FAR: usize = 8;

/// Places of a program that are more than instructions.
#[derive(Debug, Default)]
pub struct Touched {
    places: FxHashSet<u32>,
    /// Those of which a byte behind the first is named: their operands may be others.
    inside: FxHashSet<u32>,
    /// Where what is reached from an address ends.
    ends: FxHashMap<u64, u64>,
}

impl Touched {
    /// Of a program.
    pub fn of(side: &Side<'_, '_>, unit: u64, given: &Given<'_>) -> Self {
        let mut t = Self {
            ends: given.said.ends(side),
            ..Self::default()
        };
        for n in 0..side.places.len() as u32 {
            if side.get(n).kind == Kind::Code {
                t.named(side, n, unit, given);
            }
        }
        for v in &side.program.values {
            if matches!(v.field, Field::Data(_)) {
                for address in places(side, v.value, true) {
                    // The start of an instruction in data is where one goes.
                    if let Some((x, 1..)) = side.holding(address) {
                        t.region(side, x);
                    }
                }
            }
        }
        t
    }

    /// Whether a place is one of them.
    pub fn has(&self, n: u32) -> bool {
        self.places.contains(&n)
    }

    /// Whether what an instruction does it to may be written.
    pub fn is_inside(&self, n: u32) -> bool {
        self.inside.contains(&n)
    }

    /// What an instruction names.
    fn named(&mut self, side: &Side<'_, '_>, n: u32, unit: u64, given: &Given<'_>) {
        let p = side.get(n);
        let (Some(deed), Some(decoded)) = (&p.deed, side.decoded(n)) else {
            return;
        };
        let memory = deed.effects.reads_memory || deed.effects.writes_memory;
        let goal = side.goal(n, unit);
        if let Some((x, 1..)) = goal.and_then(|g| side.holding(g)) {
            self.region(side, x);
        }
        for o in &decoded.operands {
            let Some(v) = o.value else { continue };
            if goal.is_some_and(|g| (g % LIFTED) as i64 == v) {
                continue;
            }
            let spec = side.program.operands[usize::from(o.class)].value;
            let wide = spec.is_some_and(|s| s.max >= 0xffff);
            let expression = side.expression(n, o.class);
            let used = match memory || p.ways.way.is_some() || !wide {
                true => Used::Unknown,
                false => (given.uses)(expression, v),
            };
            let mut named: Vec<u64> = Vec::new();
            let plain = expression.is_none() && !memory && given.said.is_plain(side, n, v);
            if plain {
                continue;
            }
            // What lies over other memory has an address that is no value.
            let over = || {
                let all = expression
                    .map(|e| places(side, e, true))
                    .unwrap_or_default();
                all.iter().any(|&a| a >= LIFTED).then_some(all)
            };
            if side.lifted
                && let Some(all) = over()
            {
                named.extend(all);
            } else if wide && unit == 1 {
                named.push((v & 0xffff) as u64);
            } else if let Some(e) = expression {
                // A byte is no address.
                named.extend(places(side, e, spec.is_some_and(|s| s.max > 0xff)));
            }
            for address in named {
                self.inside
                    .extend(side.holding(address).filter(|h| h.1 > 0).map(|h| h.0));
                match side.holding(address) {
                    Some((x, _)) if side.get(x).kind == Kind::Data => {}
                    Some((x, _)) if wide && memory && p.ways.way.is_none() => {
                        self.places.insert(x);
                    }
                    Some(_) if used == Used::Number => {}
                    Some((_, 0)) if used == Used::Whole => {}
                    Some((x, _)) if used == Used::Exact => self.exact(side, x),
                    Some((_, 0)) if wide && is_only_gone_to(side, n) => {}
                    Some((_, 0)) if !wide && is_handed_out(side, n, address, unit) => {}
                    Some((x, _)) => self.region(side, x),
                    None => {}
                }
            }
        }
    }

    /// A place, and what a word there reaches of the next.
    fn exact(&mut self, side: &Side<'_, '_>, x: u32) {
        self.places.insert(x);
        self.places.extend(side.next(x));
    }

    /// From a place on, up to where control leaves for good.
    fn region(&mut self, side: &Side<'_, '_>, x: u32) {
        let mut next = Some(x);
        let end = self.ends.get(&side.get(x).address).copied();
        while let Some(n) = next {
            let p = side.get(n);
            let over = match end {
                Some(e) => p.address >= e,
                None => p.kind != Kind::Code,
            };
            if over {
                return;
            }
            if p.kind == Kind::Code {
                self.places.insert(n);
            }
            let falls = p.ways.falls_through || p.ways.way == Some(Way::Call);
            next = side.next(n).filter(|_| falls || end.is_some());
        }
    }
}

/// Whether an instruction and one beside it load both bytes of an address in words, and all
/// that becomes of them on the straight way behind is that control leaves the program.
fn is_handed_out(side: &Side<'_, '_>, n: u32, address: u64, unit: u64) -> bool {
    let registers = |i: scrimp_isa::depend::Inputs| i.0 & ((1 << place::OTHERS) - 1);
    let byte = |n: u32| {
        let p = side.get(n);
        let deed = p.deed.as_ref().filter(|_| p.ways.way.is_none())?;
        let e = &deed.effects;
        let loads = registers(e.reads()) == 0 && !e.reads_memory && !e.writes_memory;
        let decoded = side.decoded(n).filter(|_| loads)?;
        let o = decoded.operands.iter().find(|o| o.value.is_some())?;
        let named = places(side, side.expression(n, o.class)?, false);
        let value = u64::try_from(o.value?).ok()?;
        (named == [address]).then_some((value & 0xff, registers(e.writes)))
    };
    let second = |first: u32| side.next(first).filter(|&x| x == first + 1);
    let pair = |first: u32| {
        let (low, high) = (byte(first)?, byte(second(first)?)?);
        let makes = |a: u64, b: u64| (a | b << 8) * unit == address;
        let whole = makes(low.0, high.0) || makes(high.0, low.0);
        (unit > 1 && whole && low.1 & high.1 == 0).then_some((first + 1, low.1 | high.1))
    };
    let found = pair(n).or_else(|| pair(n.checked_sub(1)?));
    let Some((last, held)) = found else {
        return false;
    };
    let mut next = side.next(last);
    for _ in 0..FAR {
        let Some(p) = next.map(|n| side.get(n)) else {
            return false;
        };
        let Some(deed) = &p.deed else { return false };
        let goal = next.and_then(|n| side.goal(n, unit));
        let leaves = goal.is_some_and(|g| side.holding(g).is_none());
        match p.ways.way {
            Some(Way::Jump | Way::Call) => return leaves && !p.ways.falls_through,
            Some(_) => return false,
            None => {
                let all = deed.effects.reads().and(deed.effects.writes);
                if registers(all) & held != 0 {
                    return false;
                }
            }
        }
        next = next.and_then(|n| side.next(n));
    }
    false
}

/// Whether an address that an instruction loads is only pushed, put into memory that has a
/// name, or gone to, on the straight way behind it.
fn is_only_gone_to(side: &Side<'_, '_>, n: u32) -> bool {
    let Some(deed) = &side.get(n).deed else {
        return false;
    };
    if deed.effects.reads_memory || deed.effects.writes_memory {
        return false;
    }
    let registers = |i: scrimp_isa::depend::Inputs| i.0 & ((1 << place::OTHERS) - 1);
    let mut held = registers(deed.effects.writes);
    let mut next = side.next(n);
    for _ in 0..FAR {
        let Some(n) = next else { return false };
        let p = side.get(n);
        let Some(deed) = &p.deed else { return false };
        let (reads, writes) = (deed.effects.reads().0, deed.effects.writes.0);
        if reads & held != 0 {
            let pushes = deed.lift.is_some_and(|l| l < 0) && p.ways.way.is_none();
            let goes = p.ways.way == Some(Way::Jump) && p.ways.to.is_none();
            let named = side
                .decoded(n)
                .is_some_and(|d| d.operands.iter().any(|o| o.value.is_some()));
            let keeps = deed.effects.writes_memory && !deed.effects.reads_memory && named;
            // A store through a pointer has more registers than those that it keeps.
            let all = registers(deed.effects.reads()) & !held == 0;
            return pushes || goes || keeps && all;
        }
        if p.ways.way.is_some() {
            return false;
        }
        held &= !writes;
        if held == 0 {
            return true;
        }
        next = side.next(n);
    }
    false
}
