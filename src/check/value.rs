//! Whether two instructions of the walk have the same values: numbers that are equal, and
//! addresses of what is the same.

use super::doubt::Why;
use super::same::{Both, Use};
use super::side::{Kind, Side};
use super::told::Used;
use super::walk::{Checked, Spot, Walk, locate};
use crate::program::symbol::{Anchor, ExprId};
use scrimp_isa::depend::Inputs;
use scrimp_isa::effects::Way;
use scrimp_isa::state::place;

impl Walk<'_, '_, '_> {
    /// Both instructions are the same, with the same values.
    pub(super) fn same(&mut self, p: u32, q: u32) -> Checked {
        let differ = |w: &Self| w.doubt(Why::Different, Spot::At(p), Spot::At(q));
        let (Some(a), Some(b)) = (self.old.decoded(p), self.new.decoded(q)) else {
            return Err(differ(self));
        };
        let ways = (self.old.get(p).ways, self.new.get(q).ways);
        if a.form != b.form && self.is_same_call(p, q) {
            return Ok(());
        }
        if a.form != b.form || ways.0.way != ways.1.way {
            return Err(differ(self));
        }
        let goals = (self.old.goal(p, self.unit), self.new.goal(q, self.unit));
        for (x, y) in a.operands.iter().zip(&b.operands) {
            if (x.word, x.second) != (y.word, y.second) {
                return Err(differ(self));
            }
            let (Some(v), Some(w)) = (x.value, y.value) else {
                if x.value != y.value {
                    return Err(differ(self));
                }
                continue;
            };
            let leads = |goal: Option<u64>, v: i64| goal.is_some_and(|g| g as i64 == v);
            if leads(goals.0, v) && leads(goals.1, w) {
                continue;
            }
            let exprs = (
                self.old.expression(p, x.class),
                self.new.expression(q, y.class),
            );
            match exprs {
                (Some(e), Some(f)) => {
                    let found = self.values.compare(e, f);
                    let Some(found) = found else {
                        return Err(self.doubt(Why::Value, Spot::At(p), Spot::At(q)));
                    };
                    if found.is_empty() {
                        self.number((p, q), x.class, (v, w), exprs.0)?;
                    }
                    for both in found {
                        self.points(both, Some((p, q)))?;
                    }
                }
                (None, None) => self.number((p, q), x.class, (v, w), exprs.0)?,
                _ => {
                    if v != w {
                        return Err(self.doubt(Why::Value, Spot::At(p), Spot::At(q)));
                    }
                    self.number((p, q), x.class, (v, w), exprs.0)?;
                }
            }
        }
        Ok(())
    }

    /// Whether both call a place that they name, in forms that do the same besides. Where they
    /// lead the walk compares.
    fn is_same_call(&self, p: u32, q: u32) -> bool {
        let calls = |s: &Side<'_, '_>, n: u32| {
            let ways = s.get(n).ways;
            ways.way == Some(Way::Call) && !ways.falls_through && s.goal(n, self.unit).is_some()
        };
        let deeds = (&self.old.get(p).deed, &self.new.get(q).deed);
        let (Some(a), Some(b)) = deeds else {
            return false;
        };
        let immediate = Inputs::one(place::IMMEDIATE);
        let (x, y) = (&a.effects, &b.effects);
        let same = |l: u8| {
            let flows = [x, y].map(|e| e.flows[usize::from(l)].without(immediate));
            flows[0] == flows[1]
        };
        calls(self.old, p)
            && calls(self.new, q)
            && (a.lift, a.sees_stack) == (b.lift, b.sees_stack)
            && x.writes == y.writes
            && x.writes.iter().all(same)
            && x.uses.without(immediate) == y.uses.without(immediate)
            && (x.reads_memory, x.writes_memory) == (y.reads_memory, y.writes_memory)
            && (x.input, x.output, x.controls) == (y.input, y.output, y.controls)
    }

    /// A number in both; where it can be an address of the program, what is there must be
    /// there still.
    fn number(
        &mut self,
        (p, q): (u32, u32),
        class: u16,
        (v, w): (i64, i64),
        e: Option<ExprId>,
    ) -> Checked {
        if v != w {
            return Err(self.doubt(Why::Value, Spot::At(p), Spot::At(q)));
        }
        let spec = self.old.program.operands[usize::from(class)].value;
        let wide = spec.is_some_and(|s| s.max >= 0xffff) && self.unit == 1;
        let address = (v & 0xffff) as u64;
        let deed = self.old.get(p).deed.as_ref();
        let touches = deed.is_none_or(|d| {
            let e = &d.effects;
            e.reads_memory || e.writes_memory || e.branches
        });
        if !touches && (self.uses)(e, v) == Used::Number {
            return Ok(());
        }
        let plain = self.is_number(p, v);
        if wide && !plain && self.old.holding(address).is_some() {
            return self.address((address, address), Some((p, q)), Use::Address(0));
        }
        Ok(())
    }

    /// Whether a contract says that a number is no address. Where memory is touched there it
    /// is one.
    fn is_number(&self, p: u32, v: i64) -> bool {
        let deed = self.old.get(p).deed.as_ref();
        let memory = deed.is_some_and(|d| d.effects.reads_memory || d.effects.writes_memory);
        !memory && self.old.get(p).ways.way.is_none() && self.said.is_plain(self.old, p, v)
    }

    /// Two places in values must be the same thing.
    pub(super) fn points(&mut self, both: Both, by: Option<(u32, u32)>) -> Checked {
        let end = |s: &Side<'_, '_>, a: Anchor| {
            let items = s.program.chunks[a.chunk as usize].items.len();
            a.item as usize >= items && a.plus == 0
        };
        let (x, y) = (end(self.old, both.old), end(self.new, both.new));
        if x && y && both.old.chunk == both.new.chunk {
            // The end of a part moves with it.
            return Ok(());
        }
        let unit = |s: &Side<'_, '_>, c: u32| i64::from(s.program.chunks[c as usize].unit);
        let plus = match both.used {
            Use::Address(n) => n,
            _ => 0,
        };
        let at = |s: &Side<'_, '_>, a: Anchor| {
            let start = s.program.address(&s.layout, a);
            start.wrapping_add_signed(plus * unit(s, a.chunk))
        };
        let addresses = (at(self.old, both.old), at(self.new, both.new));
        self.address(addresses, by, both.used)
    }

    /// Two addresses must be those of the same thing.
    fn address(&mut self, (a, b): (u64, u64), by: Option<(u32, u32)>, used: Use) -> Checked {
        let spots = match by {
            Some((p, q)) => (Spot::At(p), Spot::At(q)),
            None => (locate(self.old, a), locate(self.new, b)),
        };
        let doubt = |w: &Self, why| Err(w.doubt(why, spots.0, spots.1));
        match (self.old.holding(a), self.new.holding(b)) {
            (None, None) if a == b || used == Use::End || self.is_end(a, b) => Ok(()),
            (Some((x, j)), Some((y, k))) => {
                let kinds = (self.old.get(x).kind, self.new.get(y).kind);
                match kinds {
                    (Kind::Data, Kind::Data) => {
                        let same = self.data.get(&x) == Some(&y);
                        if !same || j != k {
                            return doubt(self, Why::Data);
                        }
                    }
                    (Kind::Code, Kind::Code) => {
                        if j != k {
                            return doubt(self, Why::Touched);
                        }
                        if self.is_touched(false, x) || j > 0 {
                            self.region_from(x, y)?;
                        }
                        if j == 0 {
                            self.go(Spot::At(x), Spot::At(y), Vec::new());
                        }
                    }
                    _ => return doubt(self, Why::Data),
                }
                match used == Use::Part && self.pages && !self.page(a, b) {
                    true => doubt(self, Why::Page),
                    false => Ok(()),
                }
            }
            _ => doubt(self, Why::Data),
        }
    }

    /// Whether both are ends of memory that has bytes.
    fn is_end(&self, a: u64, b: u64) -> bool {
        let before = |s: &Side<'_, '_>, a: u64| s.holding(a.wrapping_sub(1)).is_some();
        before(self.old, a) && before(self.new, b)
    }

    /// Whether what stands at an address lies in its page as it did: where one half of its
    /// address is used alone, the other may be taken to stay as it is.
    fn page(&self, a: u64, b: u64) -> bool {
        const PAGE: u64 = 256;
        if a % PAGE == b % PAGE {
            return true;
        }
        let zeros = (a % PAGE).trailing_zeros().min(8);
        if zeros >= 2 && b.trailing_zeros() < zeros {
            return false;
        }
        let crosses = |a: u64, end: u64| a / PAGE != (end.max(a + 1) - 1) / PAGE;
        crosses(a, self.old.label_behind(a)) || !crosses(b, self.new.label_behind(b))
    }
}
