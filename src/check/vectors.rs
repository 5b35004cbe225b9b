//! Where the processor goes by itself: all of a table of vectors only where interrupts may come.

use super::side::{Kind, Side};
use scrimp_isa::effects::Way;
use std::ops::Range;

/// Addresses to which control may come at any time.
pub fn vectors(side: &Side<'_, '_>, unit: u64) -> Vec<Range<u64>> {
    let all = side.program.target.vectors(side.program.machine);
    let is_table = |r: &Range<u64>| r.end - r.start > 1;
    if !all.iter().any(is_table) || may_come(side, unit) {
        return all;
    }
    // Begun there is always.
    let begins = |r: Range<u64>| match is_table(&r) {
        true => r.start..r.start + 1,
        false => r,
    };
    all.into_iter().map(begins).collect()
}

/// Whether an instruction may let interrupts in, or control goes to what is none of the program's
/// code, and may be anything.
fn may_come(side: &Side<'_, '_>, unit: u64) -> bool {
    (0..side.places.len() as u32).any(|n| {
        let p = side.get(n);
        let Some(deed) = p.deed.as_ref().filter(|_| p.kind == Kind::Code) else {
            return false;
        };
        let goes = matches!(p.ways.way, Some(Way::Jump | Way::Call | Way::Skip));
        let goal = side.goal(n, unit).filter(|_| goes);
        let own = |at| {
            let held = side.holding(at).filter(|h| h.1 == 0);
            held.is_some_and(|h| side.get(h.0).kind == Kind::Code)
        };
        let comes = p.ways.falls_through || p.ways.way == Some(Way::Call);
        let behind = side.next(n).filter(|_| comes);
        let data = behind.is_some_and(|x| side.get(x).kind != Kind::Code);
        deed.lets_in || data || goal.is_some_and(|at| !own(at))
    })
}
