//! What an expression says of addresses: a number, an address, half of one, or something
//! else that is computed from places.

use crate::program::Program;
use crate::program::eval::{self, Op};
use crate::program::item::{Item, What};
use crate::program::symbol::{Anchor, ExprId, Meaning, SymbolId};
use crate::text::language::{Binary, Unary};

/// A bit that may stand beside the high half of an address.
pub const MARK: i64 = 0x80;
/// How deep constants may refer to constants.
const DEPTH: u8 = 24;
/// More operations are not looked at.
const LONG: u32 = 256;
/// Between more items no distance is counted.
const ITEMS: u32 = 1024;

/// What an expression is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shape {
    /// No place is in it.
    Number,
    /// A place and so many addresses behind it.
    Address(Anchor, i64),
    /// The low byte of such an address, or the high one (`true`), which may have a [`MARK`].
    Half(Anchor, i64, bool),
    /// Such an address as its instruction set counts it otherwise than the source, or less
    /// than 0.
    Scaled(Anchor, Scale),
    /// The low byte of such a number, or the one above it (`true`).
    Byte(Anchor, Scale, bool),
    /// The distance between two places, whatever is added.
    Difference(Anchor, Anchor),
    /// Something else that is computed from these places.
    Mixed(Vec<Anchor>),
}

/// How a number follows from an address.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Scale {
    /// Addresses behind the place.
    pub plus: i64,
    /// The source counts words, and the number counts bytes: so many behind that address.
    pub bytes: Option<i64>,
    /// The source counts bytes, and the number counts words.
    pub words: bool,
    /// It has the other sign.
    pub negative: bool,
}

impl Scale {
    /// Whether it is the place itself, in other units.
    pub fn is_plain(&self) -> bool {
        self.plus == 0 && self.bytes.unwrap_or(0) == 0 && !self.negative
    }
}

impl Shape {
    /// The places in it.
    pub fn places(&self) -> Vec<Anchor> {
        match self {
            Self::Number => Vec::new(),
            Self::Address(a, _) | Self::Half(a, ..) | Self::Scaled(a, _) | Self::Byte(a, ..) => {
                vec![*a]
            }
            Self::Difference(a, b) => vec![*a, *b],
            Self::Mixed(all) => all.clone(),
        }
    }
}

/// A part of an expression: its shape and, of a number or a steady distance, what it is worth.
type Part = (Shape, Option<i64>);

/// Two places between which only data stand, and the distance from the second to the first.
pub type Steady = (Anchor, Anchor, i64);

/// The shape of an expression of a program whose values are not known before layout.
pub fn shape(program: &Program<'_>, e: ExprId) -> Shape {
    Walk::of(program).part(e, DEPTH).0
}

/// A walk through an expression.
struct Walk<'a, 'p> {
    program: &'a Program<'p>,
    /// The distances over data that it counted with.
    steady: Vec<Steady>,
}

/// The distances over data that an expression counts with: with them as they are its shape is
/// what [`shape`] says.
pub fn steady(program: &Program<'_>, e: ExprId) -> Vec<Steady> {
    let ops = &program.ops[e.start as usize..(e.start + e.len) as usize];
    let computes = |op: &Op| match *op {
        Op::Symbol(id) => {
            let own = program.symbols.get(program.symbols.resolve(id));
            matches!(own.meaning, Meaning::Expr(_))
        }
        Op::Binary(_) => ops.len() > 3,
        _ => false,
    };
    // Most are a place, or one and a number.
    if ops.len() > LONG as usize || !ops.iter().any(computes) {
        return Vec::new();
    }
    let mut walk = Walk::of(program);
    walk.part(e, DEPTH);
    walk.steady
}

/// From a place to another in the units of the source, where only data of known length stand
/// between them.
fn distance(program: &Program<'_>, a: Anchor, b: Anchor) -> Option<i64> {
    let chunk = &program.chunks[a.chunk as usize];
    let (first, last) = (a.item.min(b.item), a.item.max(b.item));
    if a.chunk != b.chunk || last - first > ITEMS {
        return None;
    }
    let between = chunk.items.get(first as usize..last as usize)?;
    let data = |i: &Item| matches!(i.what, What::Data { .. } | What::Fill { .. });
    if !between.iter().all(data) {
        return None;
    }
    let bytes: i64 = between.iter().map(|i| i64::from(i.size())).sum();
    let bytes = if a.item >= b.item { bytes } else { -bytes };
    let bytes = bytes + i64::from(a.plus) - i64::from(b.plus);
    let unit = i64::from(chunk.unit.max(1));
    (bytes % unit == 0).then_some(bytes / unit)
}

impl Walk<'_, '_> {
    fn of<'a, 'p>(program: &'a Program<'p>) -> Walk<'a, 'p> {
        let steady = Vec::new();
        Walk { program, steady }
    }

    /// A distance is counted with.
    fn counts(&mut self, x: &Shape) {
        if let Shape::Difference(a, b) = *x
            && let Some(n) = distance(self.program, a, b)
        {
            self.steady.push((a, b, n));
        }
    }

    fn part(&mut self, e: ExprId, depth: u8) -> Part {
        let program = self.program;
        if depth == 0 || e.len > LONG {
            return (Shape::Mixed(all_places(program, e)), None);
        }
        let ops = &program.ops[e.start as usize..(e.start + e.len) as usize];
        let mut stack: Vec<Part> = Vec::new();
        for op in ops {
            let top = match *op {
                Op::Number(n) => (Shape::Number, Some(n)),
                Op::Real(_) => (Shape::Number, None),
                Op::Place(a) => (Shape::Address(a, 0), None),
                Op::Symbol(id) => self.symbol(id, depth),
                Op::Sizeof(id) => {
                    let s = program.symbols.get(program.symbols.resolve(id));
                    match (s.place, s.end) {
                        (Some(a), Some(b)) => (Shape::Difference(b, a), distance(program, b, a)),
                        _ => self.symbol(id, depth),
                    }
                }
                Op::Unary(u) => self.one(u, stack.pop()),
                Op::Binary(b) => {
                    let (y, x) = (stack.pop(), stack.pop());
                    match scaled(program, b, &x, &y) {
                        Some(shape) => (shape, None),
                        None => self.two(b, x, y),
                    }
                }
                Op::Min | Op::Max => {
                    let (y, x) = (stack.pop(), stack.pop());
                    mixed([x, y].into_iter().flatten())
                }
                Op::Select => {
                    let (c, b, a) = (stack.pop(), stack.pop(), stack.pop());
                    mixed([a, b, c].into_iter().flatten())
                }
            };
            stack.push(top);
        }
        stack.pop().unwrap_or((Shape::Number, None))
    }

    fn symbol(&mut self, id: SymbolId, depth: u8) -> Part {
        let program = self.program;
        let id = program.symbols.resolve(id);
        match program.symbols.get(id).meaning {
            Meaning::At(a) => (Shape::Address(a, 0), None),
            Meaning::Number(n) => (Shape::Number, Some(n)),
            Meaning::Expr(e) => self.part(e, depth - 1),
            Meaning::Undefined => (Shape::Number, None),
        }
    }

    fn one(&mut self, u: Unary, x: Option<Part>) -> Part {
        let dialect = self.program.dialect;
        let Some((x, value)) = x else {
            return (Shape::Number, None);
        };
        match (u, x) {
            (_, Shape::Number) => {
                let value = value.and_then(|v| eval::unary(u, v, dialect).ok());
                (Shape::Number, value)
            }
            (Unary::Plus | Unary::LowWord, x) => (x, None),
            (Unary::Low, Shape::Address(a, n)) => (Shape::Half(a, n, false), None),
            (Unary::High, Shape::Address(a, n)) => (Shape::Half(a, n, true), None),
            (u, x @ Shape::Difference(..)) if value.is_some() => {
                self.counts(&x);
                (x, value.and_then(|v| eval::unary(u, v, dialect).ok()))
            }
            (Unary::Low, x @ (Shape::Half(..) | Shape::Byte(..) | Shape::Difference(..))) => {
                (x, None)
            }
            (Unary::Low, Shape::Scaled(a, s)) => (Shape::Byte(a, s, false), None),
            (Unary::High, Shape::Scaled(a, s)) => (Shape::Byte(a, s, true), None),
            (Unary::Neg, Shape::Address(a, plus)) => {
                let s = Scale {
                    plus,
                    negative: true,
                    ..Scale::default()
                };
                (Shape::Scaled(a, s), None)
            }
            (Unary::Neg, Shape::Scaled(a, s)) => {
                let negative = !s.negative;
                (Shape::Scaled(a, Scale { negative, ..s }), None)
            }
            (_, x) => (Shape::Mixed(x.places()), None),
        }
    }

    fn two(&mut self, b: Binary, x: Option<Part>, y: Option<Part>) -> Part {
        let program = self.program;
        let (Some((x, a)), Some((y, c))) = (x, y) else {
            return (Shape::Number, None);
        };
        let worth = || {
            let both = a.zip(c);
            both.and_then(|(a, c)| eval::binary(b, a, c, program.dialect).ok())
        };
        let half = |n: &i64, high| (*n, high);
        match (b, x, y) {
            (_, Shape::Number, Shape::Number) => (Shape::Number, worth()),
            (Binary::Add, Shape::Address(p, n), by @ (Shape::Number | Shape::Difference(..)))
                if c.is_some() =>
            {
                self.counts(&by);
                (Shape::Address(p, n.saturating_add(c.unwrap_or(0))), None)
            }
            (Binary::Add, by @ (Shape::Number | Shape::Difference(..)), Shape::Address(p, n))
                if a.is_some() =>
            {
                self.counts(&by);
                (Shape::Address(p, n.saturating_add(a.unwrap_or(0))), None)
            }
            (Binary::Sub, Shape::Address(p, n), by @ (Shape::Number | Shape::Difference(..)))
                if c.is_some() =>
            {
                self.counts(&by);
                (Shape::Address(p, n.saturating_sub(c.unwrap_or(0))), None)
            }
            (Binary::Sub, Shape::Address(p, n), Shape::Address(q, m)) => {
                let value = distance(program, p, q);
                let value = value.and_then(|v| v.checked_add(n)?.checked_sub(m));
                (Shape::Difference(p, q), value)
            }
            (Binary::Add | Binary::Sub, x @ Shape::Difference(..), Shape::Number)
            | (Binary::Add, Shape::Number, x @ Shape::Difference(..)) => (x, worth()),
            (_, x, y) if a.is_some() && c.is_some() => {
                // Distances, and numbers beside them: no address has a value here.
                self.counts(&x);
                self.counts(&y);
                let own = if x == Shape::Number { y } else { x };
                (own, worth())
            }
            // A mark in the upper bit, which the program takes away again.
            (Binary::Add | Binary::Or, x @ Shape::Half(_, _, true), Shape::Number)
                if c == Some(MARK) =>
            {
                (x, None)
            }
            (Binary::Add | Binary::Or, Shape::Number, x @ Shape::Half(_, _, true))
                if a == Some(MARK) =>
            {
                (x, None)
            }
            (Binary::And, Shape::Address(p, n), Shape::Number) if c == Some(255) => {
                let (n, high) = half(&n, false);
                (Shape::Half(p, n, high), None)
            }
            (Binary::Div | Binary::UnsignedDiv, Shape::Address(p, n), Shape::Number)
                if c == Some(256) =>
            {
                (Shape::Half(p, n, true), None)
            }
            (Binary::Shr, Shape::Address(p, n), Shape::Number) if c == Some(8) => {
                (Shape::Half(p, n, true), None)
            }
            (Binary::Mod, Shape::Address(p, n), Shape::Number) if c == Some(256) => {
                (Shape::Half(p, n, false), None)
            }
            (_, x, y) => mixed([(x, a), (y, c)].into_iter()),
        }
    }
}

/// An address and a number that make an address in other units, or a byte of one.
fn scaled(program: &Program<'_>, b: Binary, x: &Option<Part>, y: &Option<Part>) -> Option<Shape> {
    let ((x, a), (y, c)) = (x.as_ref()?, y.as_ref()?);
    // How many bytes an address counts here, and in the documents of the target.
    let units = |p: Anchor| {
        let chunk = &program.chunks[p.chunk as usize];
        let mut spaces = program.target.spaces().iter();
        let own = spaces
            .find(|s| s.base == chunk.origin)
            .map_or(1, |s| s.unit);
        (chunk.unit, own)
    };
    let to_bytes = |p: Anchor, plus: i64| {
        let s = Scale {
            plus,
            bytes: Some(0),
            ..Scale::default()
        };
        (units(p) == (2, 2)).then_some(Shape::Scaled(p, s))
    };
    let to_words = |p: Anchor, plus: i64, by: i64| {
        let s = Scale {
            plus,
            words: true,
            ..Scale::default()
        };
        let even = units(p) == (1, 2) && plus % 2 == 0;
        match by {
            1 if even => Some(Shape::Scaled(p, s)),
            9 if even => Some(Shape::Byte(p, s, true)),
            _ => None,
        }
    };
    match (b, x, y) {
        (Binary::Mul, Shape::Address(p, n), Shape::Number) if *c == Some(2) => to_bytes(*p, *n),
        (Binary::Mul, Shape::Number, Shape::Address(p, n)) if *a == Some(2) => to_bytes(*p, *n),
        (Binary::Shl, Shape::Address(p, n), Shape::Number) if *c == Some(1) => to_bytes(*p, *n),
        // `-label*2` is `(-label)*2`.
        (Binary::Mul, Shape::Scaled(p, s), Shape::Number)
            if *c == Some(2) && s.bytes.is_none() && !s.words =>
        {
            doubled(to_bytes(*p, s.plus)?, *s)
        }
        (Binary::Mul, Shape::Number, Shape::Scaled(p, s))
            if *a == Some(2) && s.bytes.is_none() && !s.words =>
        {
            doubled(to_bytes(*p, s.plus)?, *s)
        }
        (Binary::Shr, Shape::Address(p, n), Shape::Number) => to_words(*p, *n, (*c)?),
        (Binary::Div | Binary::UnsignedDiv, Shape::Address(p, n), Shape::Number)
            if *c == Some(2) =>
        {
            to_words(*p, *n, 1)
        }
        (Binary::Add | Binary::Sub, Shape::Scaled(p, s), Shape::Number) => {
            let own = s.bytes.filter(|_| !s.negative)?;
            let by = (*c)?;
            let by = if b == Binary::Sub {
                by.checked_neg()?
            } else {
                by
            };
            let bytes = Some(own.checked_add(by)?);
            Some(Shape::Scaled(*p, Scale { bytes, ..*s }))
        }
        (Binary::Add, Shape::Number, Shape::Scaled(..)) => scaled(
            program,
            b,
            &Some((y.clone(), None)),
            &Some((Shape::Number, *a)),
        ),
        (_, x, Shape::Number) => byte_of(b, x, (*c)?),
        _ => None,
    }
}

/// A byte of an address in other units, or that of a byte.
fn byte_of(b: Binary, x: &Shape, c: i64) -> Option<Shape> {
    match (b, x, c) {
        (Binary::And, Shape::Scaled(p, s), 255) => Some(Shape::Byte(*p, *s, false)),
        (Binary::Shr, Shape::Scaled(p, s), 8) => Some(Shape::Byte(*p, *s, true)),
        (Binary::Mod, Shape::Scaled(p, s), 256) if !s.negative => Some(Shape::Byte(*p, *s, false)),
        (Binary::Div | Binary::UnsignedDiv, Shape::Scaled(p, s), 256) if !s.negative => {
            Some(Shape::Byte(*p, *s, true))
        }
        // The value of a byte is a byte anyway.
        (Binary::And, half @ (Shape::Half(..) | Shape::Byte(..)), 255) => Some(half.clone()),
        _ => None,
    }
}

/// A number that counts bytes, with the sign of another.
fn doubled(to_bytes: Shape, from: Scale) -> Option<Shape> {
    let Shape::Scaled(p, s) = to_bytes else {
        return None;
    };
    let negative = from.negative;
    Some(Shape::Scaled(p, Scale { negative, ..s }))
}

fn mixed(parts: impl Iterator<Item = Part>) -> Part {
    let all: Vec<Anchor> = parts.flat_map(|p| p.0.places()).collect();
    match all.is_empty() {
        true => (Shape::Number, None),
        false => (Shape::Mixed(all), None),
    }
}

/// All places that an expression names, through all constants.
fn all_places(program: &Program<'_>, e: ExprId) -> Vec<Anchor> {
    let mut out = Vec::new();
    let mut seen = rustc_hash::FxHashSet::default();
    let mut open = vec![e];
    while let Some(e) = open.pop() {
        for op in &program.ops[e.start as usize..(e.start + e.len) as usize] {
            match *op {
                Op::Place(a) => out.push(a),
                Op::Symbol(id) | Op::Sizeof(id) => {
                    let id = program.symbols.resolve(id);
                    if !seen.insert(id) {
                        continue;
                    }
                    let s = program.symbols.get(id);
                    match s.meaning {
                        Meaning::At(a) => out.push(a),
                        Meaning::Expr(e) => open.push(e),
                        Meaning::Number(_) | Meaning::Undefined => {}
                    }
                }
                _ => {}
            }
        }
    }
    out
}
