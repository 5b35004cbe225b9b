//! What lies on the stack at calls that lead out of the old program, and may be given to what
//! is there: all above something that is not taken back into the registers it came from.

use super::side::{Kind, Side, is_call};
use rustc_hash::{FxHashMap, FxHashSet};
use scrimp_isa::depend::Inputs;
use scrimp_isa::effects::Way;

/// Bytes at each call; nothing for a call that no routine is known to come to. `apart` are the
/// stack pointer and what hardly a program looks at.
pub fn find(side: &Side<'_, '_>, unit: u64, apart: Inputs) -> FxHashMap<u32, i32> {
    let mut starts: FxHashSet<u32> = FxHashSet::default();
    for c in side.starts.windows(2) {
        let own = c[0]..c[1];
        starts.extend(own.into_iter().find(|&n| side.get(n).kind == Kind::Code));
    }
    for n in 0..side.places.len() as u32 {
        let goal = side.goal(n, unit).filter(|_| is_call(side.get(n)));
        starts.extend(goal.and_then(|g| side.holding(g)).map(|h| h.0));
    }
    let mut given = FxHashMap::default();
    for start in starts {
        let heights = heights(side, unit, start);
        let low = heights.as_ref().ok().and_then(|h| lowest(side, h, apart));
        let all = match &heights {
            Ok(all) | Err(all) => all,
        };
        for (&n, &height) in all.iter().filter(|h| is_call(side.get(*h.0))) {
            let bytes = match (&heights, low) {
                (Err(_), _) => i32::MAX,
                (_, None) => 0,
                (_, Some(low)) => (height - low).max(0),
            };
            let most = given.entry(n).or_insert(0);
            *most = bytes.max(*most);
        }
    }
    given
}

/// Bytes on the stack before each place of a routine; an error where they are not the same on
/// all ways.
fn heights(
    side: &Side<'_, '_>,
    unit: u64,
    start: u32,
) -> Result<FxHashMap<u32, i32>, FxHashMap<u32, i32>> {
    let mut known: FxHashMap<u32, i32> = FxHashMap::default();
    let mut open = vec![(start, 0)];
    let mut same = true;
    while let Some((n, height)) = open.pop() {
        let p = side.get(n);
        let Some(deed) = p.deed.as_ref().filter(|_| p.kind == Kind::Code) else {
            continue;
        };
        if let Some(old) = known.insert(n, height) {
            same &= old == height;
            continue;
        }
        let after = match p.ways.way {
            None => height - deed.lift.unwrap_or(0),
            Some(_) => height,
        };
        if matches!(p.ways.way, Some(Way::Jump | Way::Skip)) {
            let to = side.goal(n, unit).and_then(|g| side.holding(g));
            open.extend(to.map(|t| (t.0, after)));
        }
        if p.ways.falls_through || is_call(p) {
            open.extend(side.next(n).map(|x| (x, after)));
        }
    }
    if same { Ok(known) } else { Err(known) }
}

/// The height at which something lies that is not taken back into the same registers.
fn lowest(side: &Side<'_, '_>, heights: &FxHashMap<u32, i32>, apart: Inputs) -> Option<i32> {
    // By height what is put there, and what is taken from there.
    let mut put: FxHashMap<i32, FxHashSet<Inputs>> = FxHashMap::default();
    let mut taken = put.clone();
    for (&n, &height) in heights {
        let p = side.get(n);
        let Some(deed) = p.deed.as_ref().filter(|_| p.ways.way.is_none()) else {
            continue;
        };
        let (lift, e) = (deed.lift.unwrap_or(0), &deed.effects);
        if lift < 0 {
            let own = put.entry(height).or_default();
            own.insert(e.uses.without(apart));
        } else if lift > 0 {
            let own = taken.entry(height - lift).or_default();
            own.insert(e.writes.without(apart));
        }
    }
    let saved = |h: &i32| put[h].len() == 1 && taken.get(h) == put.get(h);
    let lost = taken.keys().filter(|h| !put.contains_key(h));
    put.keys().filter(|h| !saved(h)).chain(lost).min().copied()
}
