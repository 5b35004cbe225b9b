//! Memories that lie one over the other: control goes to what is named, in its memory, and what
//! repeats itself stays in its own.

use super::same::places;
use super::side::Side;
use crate::program::lifted::LIFTED;

/// Lets jumps and calls lead to what they name.
pub fn settle(side: &mut Side<'_, '_>) {
    if !side.lifted {
        return;
    }
    for n in 0..side.places.len() as u32 {
        let Some(to) = side.get(n).ways.to else {
            continue;
        };
        let Some(decoded) = side.decoded(n) else {
            continue;
        };
        let operands = decoded.operands.iter();
        let mut all = operands.filter_map(|o| side.expression(n, o.class));
        let named = all.find_map(|e| places(side, e, false).first().copied());
        // A number may be an address of any memory.
        let own = side.get(n).address;
        let alone = decoded.operands.is_empty();
        let itself = || (alone && own % LIFTED == u64::from(to)).then_some(own);
        if let Some(there) = named.or_else(itself) {
            let memory = there / LIFTED * LIFTED;
            side.places[n as usize].ways.to = Some(to | memory as u32);
        }
    }
}
