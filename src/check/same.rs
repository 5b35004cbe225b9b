//! Whether a value of the old program and one of the new program mean the same.

use super::side::Side;
use crate::program::eval::Op;
use crate::program::symbol::{Anchor, ExprId, Meaning, SymbolId};
use crate::text::language::Binary;
use rustc_hash::FxHashSet;

/// How a value uses a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Use {
    /// It is its address, or one so many bytes behind it.
    Address(i64),
    /// It is one end of a distance.
    End,
    /// It is computed from it: one half of it, say.
    Part,
}

/// Two places that must be the same thing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Both {
    /// In the old program.
    pub old: Anchor,
    /// In the new one.
    pub new: Anchor,
    /// How it is used.
    pub used: Use,
}

/// Compares expressions.
pub struct Values<'s, 'p, 'a> {
    old: &'s Side<'p, 'a>,
    new: &'s Side<'p, 'a>,
    /// What was compared before.
    seen: FxHashSet<(u32, u32, u32)>,
    found: Vec<Both>,
}

impl<'s, 'p, 'a> Values<'s, 'p, 'a> {
    /// Between two programs.
    pub fn new(old: &'s Side<'p, 'a>, new: &'s Side<'p, 'a>) -> Self {
        Self {
            old,
            new,
            seen: FxHashSet::default(),
            found: Vec::new(),
        }
    }

    /// The places that must be the same for two expressions to mean the same; nothing where
    /// they cannot.
    pub fn compare(&mut self, a: ExprId, b: ExprId) -> Option<Vec<Both>> {
        self.found.clear();
        self.seen.clear();
        if let (Some(x), Some(y)) = (self.address(a, true), self.address(b, false)) {
            let (x, y) = ((x.0, x.1), (y.0, y.1));
            return (x.1 == y.1).then(|| {
                vec![Both {
                    old: x.0,
                    new: y.0,
                    used: Use::Address(x.1),
                }]
            });
        }
        let used = match (self.distance(a, true), self.distance(b, false)) {
            (true, true) => Use::End,
            _ => Use::Part,
        };
        self.walk(a, b, used, 0)
            .then(|| std::mem::take(&mut self.found))
    }

    fn side(&self, old: bool) -> &'s Side<'p, 'a> {
        if old { self.old } else { self.new }
    }

    fn ops(&self, e: ExprId, old: bool) -> &'p [Op] {
        let program = self.side(old).program;
        &program.ops[e.start as usize..(e.start + e.len) as usize]
    }

    /// The place that an operation stands for.
    fn place(&self, op: Op, old: bool) -> Option<Anchor> {
        match op {
            Op::Place(a) => Some(a),
            Op::Symbol(id) => match self.meaning(id, old) {
                Meaning::At(a) => Some(a),
                _ => None,
            },
            _ => None,
        }
    }

    fn meaning(&self, id: SymbolId, old: bool) -> Meaning {
        let symbols = &self.side(old).program.symbols;
        let s = symbols.get(symbols.resolve(id));
        match (s.meaning, s.place, s.formula) {
            // What was known while reading stands before what it is.
            (Meaning::Number(_), Some(place), _) if s.label => Meaning::At(place),
            (Meaning::Number(_), _, Some(e)) => Meaning::Expr(e),
            (meaning, ..) => meaning,
        }
    }

    /// An address, and what is added to it.
    fn address(&self, e: ExprId, old: bool) -> Option<(Anchor, i64)> {
        let ops = self.ops(e, old);
        match *ops {
            [one] => match (self.place(one, old), one) {
                (Some(a), _) => Some((a, 0)),
                (None, Op::Symbol(id)) => match self.meaning(id, old) {
                    Meaning::Expr(inner) => self.constant_address(inner, old),
                    _ => None,
                },
                _ => None,
            },
            [a, Op::Number(n), Op::Binary(Binary::Add)]
            | [Op::Number(n), a, Op::Binary(Binary::Add)] => Some((self.place(a, old)?, n)),
            [a, Op::Number(n), Op::Binary(Binary::Sub)] => Some((self.place(a, old)?, -n)),
            _ => None,
        }
    }

    /// A constant that is an address: one level of them.
    fn constant_address(&self, e: ExprId, old: bool) -> Option<(Anchor, i64)> {
        match *self.ops(e, old) {
            [one] => Some((self.place(one, old)?, 0)),
            [a, Op::Number(n), Op::Binary(Binary::Add)] => Some((self.place(a, old)?, n)),
            [a, Op::Number(n), Op::Binary(Binary::Sub)] => Some((self.place(a, old)?, -n)),
            _ => None,
        }
    }

    /// Whether it is the distance of two places, with a number added at most.
    fn distance(&self, e: ExprId, old: bool) -> bool {
        let ops = match *self.ops(e, old) {
            [Op::Symbol(id)] => match self.meaning(id, old) {
                Meaning::Expr(e) => self.ops(e, old),
                _ => return false,
            },
            [Op::Sizeof(_)] => return true,
            _ => self.ops(e, old),
        };
        match ops {
            [a, b, Op::Binary(Binary::Sub), rest @ ..] => {
                let both = self.place(*a, old).is_some() && self.place(*b, old).is_some();
                let added = matches!(
                    rest,
                    [] | [Op::Number(_), Op::Binary(Binary::Add | Binary::Sub)]
                );
                both && added
            }
            _ => false,
        }
    }

    /// Walks both operation by operation.
    fn walk(&mut self, a: ExprId, b: ExprId, used: Use, depth: u8) -> bool {
        /// How deep constants may refer to constants.
        const DEPTH: u8 = 40;
        if a.len != b.len || depth > DEPTH {
            return false;
        }
        if !self.seen.insert((a.start, b.start, a.len)) {
            return true;
        }
        let (x, y) = (self.ops(a, true), self.ops(b, false));
        x.iter().zip(y).all(|(&x, &y)| self.leaf(x, y, used, depth))
    }

    fn leaf(&mut self, x: Op, y: Op, used: Use, depth: u8) -> bool {
        if let (Some(old), Some(new)) = (self.place(x, true), self.place(y, false)) {
            self.found.push(Both { old, new, used });
            return true;
        }
        match (x, y) {
            (Op::Symbol(s), Op::Symbol(t)) => {
                match (self.meaning(s, true), self.meaning(t, false)) {
                    (Meaning::Number(a), Meaning::Number(b)) => a == b,
                    (Meaning::Expr(a), Meaning::Expr(b)) => self.walk(a, b, used, depth + 1),
                    (Meaning::Undefined, Meaning::Undefined) => s == t,
                    _ => false,
                }
            }
            (Op::Sizeof(s), Op::Sizeof(t)) => {
                let end = |p: &Side<'_, '_>, id: SymbolId| {
                    let s = p.program.symbols.get(p.program.symbols.resolve(id));
                    s.place.zip(s.end)
                };
                match (end(self.old, s), end(self.new, t)) {
                    (Some(a), Some(b)) => {
                        let ends = [(a.0, b.0), (a.1, b.1)];
                        self.found.extend(ends.map(|(old, new)| Both {
                            old,
                            new,
                            used: Use::End,
                        }));
                        true
                    }
                    (None, None) => s == t,
                    _ => false,
                }
            }
            (x, y) => self.place(x, true).is_none() && self.place(y, false).is_none() && x == y,
        }
    }
}

/// Addresses of all places in an expression, through all constants; with `whole` what is
/// behind one too.
pub fn places(side: &Side<'_, '_>, e: ExprId, whole: bool) -> Vec<u64> {
    let program = side.program;
    let mut out = Vec::new();
    let mut seen = FxHashSet::default();
    let mut open = vec![e];
    // Where the spaces begin that the places are in, and bytes that their addresses count.
    let mut spaces: Vec<(u64, u64)> = Vec::new();
    let mut at = |a: Anchor| {
        let origin = program.chunks[a.chunk as usize].origin;
        let mut all = program.target.spaces().iter();
        let own = all.find(|s| s.base == origin);
        spaces.push((origin, own.map_or(1, |s| s.unit.into())));
        program.address(&side.layout, a)
    };
    let whole = side.value(e).filter(|_| whole);
    let whole = whole.and_then(|v| u64::try_from(v).ok());
    while let Some(e) = open.pop() {
        let ops = &program.ops[e.start as usize..(e.start + e.len) as usize];
        for op in ops {
            match *op {
                Op::Place(a) => out.push(at(a)),
                Op::Symbol(id) | Op::Sizeof(id) => {
                    let id = program.symbols.resolve(id);
                    if !seen.insert(id) {
                        continue;
                    }
                    let s = program.symbols.get(id);
                    match (s.place.filter(|_| s.label), s.meaning, s.formula) {
                        (Some(a), ..) | (None, Meaning::At(a), _) => out.push(at(a)),
                        (None, Meaning::Expr(e), _) | (None, _, Some(e)) => open.push(e),
                        _ => {}
                    }
                }
                _ => {}
            }
        }
    }
    // What is behind a place, too: the value as its space counts, in bytes or in words.
    if e.len > 1
        && let Some(v) = whole
        && let Some(&(origin, unit)) = spaces.first()
    {
        let own = v.checked_sub(origin).unwrap_or(v);
        let both = [1, unit].map(|by| origin.wrapping_add(own.wrapping_mul(by)));
        let is_place = both.iter().any(|a| out.contains(a));
        let more = both
            .into_iter()
            .filter(|&a| !is_place && side.holding(a).is_some());
        out.extend(more.collect::<Vec<_>>());
    }
    out
}
