//! Data of both programs: the same, in the same order, one behind the other where they were.

use super::doubt::{Doubt, Why};
use super::same::Use;
use super::side::{Kind, Side};
use super::walk::Walk;
use crate::program::item::What;
use rustc_hash::FxHashMap;

/// Finds for each item of old data the one of the new program.
pub fn pair(walk: &mut Walk<'_, '_, '_>) {
    let (a, b) = (walk.old, walk.new);
    for c in 0..a.program.chunks.len() {
        let lone = lone(a, b, c);
        let data = |s: &Side<'_, '_>, lone: &[u32]| -> Vec<u32> {
            let own = s.starts[c]..s.starts[c + 1];
            let own = own.filter(|&n| s.get(n).kind == Kind::Data);
            own.filter(|&n| !lone.contains(&s.get(n).at.item)).collect()
        };
        let (old, new) = (data(a, &lone.0), data(b, &lone.1));
        if old.len() != new.len() {
            let what = format!("{} items of data, and {}", old.len(), new.len());
            walk.doubts.push(Doubt::unknown(&what));
            return;
        }
        walk.data.extend(old.iter().copied().zip(new));
    }
    for (&p, &q) in &walk.data.clone() {
        let behind = (a.next(p), b.next(q));
        let together = match behind.0.filter(|&x| a.get(x).kind == Kind::Data) {
            Some(x) => behind.1.is_some() && behind.1 == walk.data.get(&x).copied(),
            None => true,
        };
        if !together || !alike(a, b, p, q) {
            let doubt = Doubt {
                why: Why::Data,
                old: a.where_is(p),
                new: b.where_is(q),
                at: Some(a.get(p).at),
                new_at: Some(b.get(q).at),
            };
            walk.doubts.push(doubt);
            return;
        }
    }
}

/// Room of a chunk that has bytes in one program only, by its items: what keeps something
/// behind code at an address or a multiple. Between data nothing may come or go.
fn lone(a: &Side<'_, '_>, b: &Side<'_, '_>, c: usize) -> (Vec<u32>, Vec<u32>) {
    type Room = (u32, Option<u32>);
    let rooms = |s: &Side<'_, '_>| -> Vec<Room> {
        let has: FxHashMap<u32, u32> = (s.starts[c]..s.starts[c + 1])
            .map(|n| (s.get(n).at.item, n))
            .collect();
        let items = (0u32..).zip(&s.program.chunks[c].items);
        let own = items.filter(|i| matches!(i.1.what, What::Space { .. } | What::Align { .. }));
        own.map(|(i, _)| (i, has.get(&i).copied())).collect()
    };
    let behind_code = |s: &Side<'_, '_>, n: u32| {
        let before = n.checked_sub(1).filter(|&p| p >= s.starts[c]);
        before.is_some_and(|p| s.get(p).kind == Kind::Code)
    };
    let (old, new) = (rooms(a), rooms(b));
    let mut out = (Vec::new(), Vec::new());
    if old.len() != new.len() {
        return out;
    }
    for (x, y) in old.into_iter().zip(new) {
        match (x.1, y.1) {
            (Some(n), None) if behind_code(a, n) => out.0.push(x.0),
            (None, Some(n)) if behind_code(b, n) => out.1.push(y.0),
            _ => {}
        }
    }
    out
}

/// Whether two items of data are the same but for values that are computed.
fn alike(a: &Side<'_, '_>, b: &Side<'_, '_>, p: u32, q: u32) -> bool {
    let (x, y) = (a.get(p), b.get(q));
    let what = |s: &Side<'_, '_>, n: u32| s.program.item(s.get(n).at).map(|i| i.what);
    match (what(a, p), what(b, q)) {
        (Some(What::Space { byte: v, .. }), Some(What::Space { byte: w, .. })) => v == w,
        (Some(What::Align { to: v, fill: f, .. }), Some(What::Align { to: w, fill: g, .. })) => {
            (v, f) == (w, g)
        }
        _ => {
            let values = |s: &Side<'_, '_>, n: u32| s.program.operands_of(s.get(n).at).to_vec();
            let (v, w) = (values(a, p), values(b, q));
            let fields = v.len() == w.len()
                && v.iter()
                    .zip(&w)
                    .all(|(v, w)| v.at.plus == w.at.plus && v.field == w.field);
            let computed = |i: usize| {
                v.iter().any(|v| {
                    let size = match v.field {
                        crate::program::Field::Data(n) => n.into(),
                        _ => x.bytes.len(),
                    };
                    (v.at.plus as usize..v.at.plus as usize + size).contains(&i)
                })
            };
            let same = |(i, (v, w)): (usize, (&u8, &u8))| v == w || computed(i);
            fields
                && x.bytes.len() == y.bytes.len()
                && x.bytes.iter().zip(&y.bytes).enumerate().all(same)
        }
    }
}

/// Compares the values that are computed.
pub fn values(walk: &mut Walk<'_, '_, '_>) {
    let (a, b) = (walk.old, walk.new);
    for (&p, &q) in &walk.data.clone() {
        let own = |s: &Side<'_, '_>, n: u32| s.program.operands_of(s.get(n).at).to_vec();
        for (v, w) in own(a, p).iter().zip(&own(b, q)) {
            let doubt = |why| Doubt {
                why,
                old: a.where_is(p),
                new: b.where_is(q),
                at: Some(a.get(p).at),
                new_at: Some(b.get(q).at),
            };
            let Some(found) = walk.values.compare(v.value, w.value) else {
                walk.doubts.push(doubt(Why::Value));
                return;
            };
            if found.is_empty() && a.value(v.value) != b.value(w.value) {
                walk.doubts.push(doubt(Why::Value));
                return;
            }
            for both in found {
                if let Err(d) = walk.points(both, None) {
                    walk.doubts.push(d);
                }
            }
        }
        count(walk, p, q);
    }
}

/// Room whose size is computed may have another size only where that is a distance.
fn count(walk: &mut Walk<'_, '_, '_>, p: u32, q: u32) {
    let (a, b) = (walk.old, walk.new);
    let what = |s: &Side<'_, '_>, n: u32| s.program.item(s.get(n).at).map(|i| i.what);
    let (Some(What::Space { count: v, .. }), Some(What::Space { count: w, .. })) =
        (what(a, p), what(b, q))
    else {
        return;
    };
    let found = walk.values.compare(v, w);
    let size = a.get(p).bytes.len() == b.get(q).bytes.len();
    let fine = match &found {
        Some(all) => size || all.iter().all(|b| matches!(b.used, Use::End | Use::Part)),
        None => false,
    };
    if !fine {
        walk.doubts.push(Doubt {
            why: Why::Value,
            old: a.where_is(p),
            new: b.where_is(q),
            at: Some(a.get(p).at),
            new_at: Some(b.get(q).at),
        });
    }
}
