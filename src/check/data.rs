//! Data of both programs: the same, in the same order, one behind the other where they were.

use super::doubt::{Doubt, Why};
use super::same::Use;
use super::side::{Kind, Side};
use super::walk::Walk;
use crate::program::item::What;

/// Finds for each item of old data the one of the new program.
pub fn pair(walk: &mut Walk<'_, '_, '_>) {
    let (a, b) = (walk.old, walk.new);
    for c in 0..a.program.chunks.len() {
        let data = |s: &Side<'_, '_>| -> Vec<u32> {
            let own = s.starts[c]..s.starts[c + 1];
            own.filter(|&n| s.get(n).kind == Kind::Data).collect()
        };
        let (old, new) = (data(a), data(b));
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
