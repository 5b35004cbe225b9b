//! Processors whose calls leave the return address in cells: whether the old program does more
//! with one than going there, and what instructions do that know their own address.

use super::side::{Book, Kind, Place, Side};
use scrimp_isa::depend::Inputs;
use scrimp_isa::effects::Way;
use scrimp_isa::state::place;

/// Instructions that are looked at behind one that knows its address.
const FAR: usize = 8;

/// What is known of them.
#[derive(Clone, Copy, Debug, Default)]
pub struct Linked {
    /// There are such cells.
    pub on: bool,
    /// A return address may be looked at.
    pub looks: bool,
    link: Inputs,
}

impl Linked {
    /// Of a program.
    pub fn of(side: &Side<'_, '_>, book: &Book<'_>) -> Self {
        let layout = book.semantics.layout();
        let (link, stack) = (layout.of_cells(layout.link), book.stack());
        let on = !link.is_empty();
        let looks = |p: &Place| {
            let Some(d) = p.deed.as_ref().filter(|_| p.kind == Kind::Code) else {
                return false;
            };
            let e = &d.effects;
            let has = |i: Inputs, of: Inputs| i.0 & of.0 != 0;
            // Put on the stack, or taken from its end, or gone to.
            let grows = e.writes_memory && d.lift.is_some_and(|l| l < 0);
            let takes = e.reads_memory && d.lift.is_some_and(|l| l > 0);
            let plain = grows || e.controls || p.ways.way == Some(Way::Return);
            let reads = has(e.reads(), link) && !plain;
            let aside = has(e.reads(), stack) && !has(e.writes, stack) && !e.controls;
            reads || aside || has(e.pointers, stack) && !grows && !takes
        };
        Self {
            on,
            looks: on && side.places.iter().any(looks),
            link,
        }
    }

    /// Registers in which a place leaves its own address, other than by a call.
    fn own(self, p: &Place) -> Inputs {
        let Some(d) = p.deed.as_ref().filter(|_| self.on) else {
            return Inputs::NONE;
        };
        let calls = p.ways.way == Some(Way::Call);
        let own = d.effects.writes.iter().filter(|&w| {
            let made = d.effects.flows[usize::from(w)].has(place::PC);
            made && !(calls && self.link.has(w))
        });
        own.fold(Inputs::NONE, |all, w| all.and(Inputs::one(w)))
    }

    /// Whether a place leaves its own address somewhere; with `Some(true)` it is only put
    /// where it is named, on the straight way behind.
    pub fn leaves(self, side: &Side<'_, '_>, n: u32, unit: u64) -> Option<bool> {
        let held = self.own(side.get(n));
        if held.is_empty() {
            return None;
        }
        let mut at = side.goal(n, unit).and_then(|g| side.holding(g));
        for _ in 0..FAR {
            let Some((x, 0)) = at else { break };
            let p = side.get(x);
            let Some(d) = p.deed.as_ref().filter(|_| p.ways.way.is_none()) else {
                break;
            };
            let e = &d.effects;
            let registers = Inputs(e.reads().0 & ((1 << place::OTHERS) - 1));
            if registers.0 & held.0 != 0 {
                let named = e.pointers.without(Inputs::one(place::IMMEDIATE)).is_empty();
                let all = registers.without(held).is_empty();
                return Some(e.writes_memory && !e.reads_memory && named && all);
            }
            if !held.without(e.writes).is_empty() && held.without(e.writes) != held {
                break;
            }
            at = side.next(x).map(|x| (x, 0));
        }
        Some(false)
    }
}
