//! Bytes as the sets of values that they can have, with what they are made of.
//!
//! A byte that is made of one other byte by a few operations with numbers knows that
//! byte, its *origin*: when a branch tells something of the one, it tells it of all
//! that were made of the same origin. So behind `ld [a]`, `suba 8`, `bge` the cell is
//! known to hold 8 or more.

use scrimp_isa::Domain;

pub use crate::timing::lines::value::Set;

/// Most operations between a byte and its origin.
const LONGEST: usize = 5;

/// The number of the origin that a cell is at the start.
pub fn start_of(cell: u8) -> u32 {
    1 + u32::from(cell)
}

/// The cell that an origin is the start of.
pub fn cell_of(origin: u32) -> Option<u8> {
    u8::try_from(origin.checked_sub(1)?).ok()
}

/// An operation with a number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Op {
    #[default]
    And,
    Or,
    Xor,
    Add,
    Double,
}

/// Operations on an origin, the first one first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Chain {
    ops: [(Op, u8); LONGEST],
    len: u8,
}

impl Op {
    /// What an operation with a number makes of values.
    fn on(self, set: Set, n: u8) -> Set {
        match self {
            Op::And => set.and(n),
            Op::Or => set.or(n),
            Op::Xor => set.xor(n),
            Op::Add => set.plus(n),
            Op::Double => set.map(|v| v.wrapping_add(v)),
        }
    }
}

impl Chain {
    fn image(&self, base: Set) -> Set {
        let ops = self.ops[..usize::from(self.len)].iter();
        ops.fold(base, |s, &(op, n)| op.on(s, n))
    }

    fn of(&self, mut v: u8) -> u8 {
        for &(op, n) in &self.ops[..usize::from(self.len)] {
            v = match op {
                Op::And => v & n,
                Op::Or => v | n,
                Op::Xor => v ^ n,
                Op::Add => v.wrapping_add(n),
                Op::Double => v.wrapping_add(v),
            };
        }
        v
    }

    /// With one more operation, if there is room.
    fn then(mut self, op: Op, n: u8) -> Option<Self> {
        let len = usize::from(self.len);
        if let Some((last, m)) = self.ops[..len].last_mut()
            && *last == op
        {
            match op {
                Op::And => *m &= n,
                Op::Or => *m |= n,
                Op::Xor => *m ^= n,
                Op::Add => *m = m.wrapping_add(n),
                Op::Double => {}
            }
            if op != Op::Double {
                return Some(self);
            }
        }
        *self.ops.get_mut(len)? = (op, n);
        self.len += 1;
        Some(self)
    }
}

/// A byte that is passed on and never looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Token {
    /// It is no such byte.
    #[default]
    None,
    /// The page of a late block.
    Page,
    /// The place of a late block in its page.
    Place,
    /// The time that was left when the block began, and a number.
    Left(u8),
}

/// A byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Value {
    /// What it can be.
    pub set: Set,
    /// What its origin can be.
    pub base: Set,
    /// Number of its origin, 0 for none.
    pub origin: u32,
    pub chain: Chain,
    /// The cell of page 0 that it is a copy of.
    pub cell: Option<u8>,
    /// It is one that is passed on.
    pub token: Token,
}

impl Value {
    /// One of these.
    pub fn among(set: Set) -> Self {
        Self {
            set,
            base: set,
            origin: 0,
            chain: Chain::default(),
            cell: None,
            token: Token::None,
        }
    }

    /// A number.
    pub fn of(value: u8) -> Self {
        Self::among(Set::of(value))
    }

    /// Anything.
    pub fn unknown() -> Self {
        Self::among(Set::FULL)
    }

    /// What a cell holds at the start of a path.
    pub fn started(cell: u8, set: Set) -> Self {
        let mut value = Self::among(set);
        if set.single().is_none() {
            value.origin = start_of(cell);
        }
        value
    }

    /// Becomes an origin, if it has none and more than one value.
    pub fn begin(&mut self, fresh: &mut u32) {
        if self.origin == 0 && self.set.single().is_none() {
            *fresh += 1;
            *self = Self {
                origin: *fresh,
                base: self.set,
                chain: Chain::default(),
                ..*self
            };
        }
    }

    /// Its origin can only be one of these.
    pub fn narrow(&mut self, base: Set) {
        if self.base != base {
            self.base = base;
            self.set = self.chain.image(base);
        }
    }

    /// Those values of the origin for which a condition holds for this.
    pub fn base_where(&self, condition: impl Fn(u8) -> bool) -> Set {
        let chain = self.chain;
        self.base.keep(|v| condition(chain.of(v)))
    }

    /// What it is if its origin is this.
    pub fn of_base(&self, v: u8) -> u8 {
        self.chain.of(v)
    }

    fn apply(self, op: Op, n: u8) -> Self {
        let set = op.on(self.set, n);
        let token = match (self.token, op) {
            (Token::Left(k), Op::Add) => Token::Left(k.wrapping_add(n)),
            _ => Token::None,
        };
        match self.chain.then(op, n) {
            Some(chain) if self.origin != 0 => Self {
                set,
                chain,
                cell: None,
                token,
                ..self
            },
            _ => Self {
                token,
                ..Self::among(set)
            },
        }
    }

    fn with(self, other: Self, op: Op, f: impl Fn(u8, u8) -> u8) -> Self {
        if let Some(n) = other.set.single() {
            return self.apply(op, n);
        }
        if let Some(n) = self.set.single() {
            return other.apply(op, n);
        }
        if self.origin != 0 && self.origin == other.origin {
            if op == Op::Add && self.chain == other.chain {
                return self.apply(Op::Double, 0);
            }
            let (a, b) = (self.chain, other.chain);
            return Self::among(self.base.map(|v| f(a.of(v), b.of(v))));
        }
        Self::among(self.set.with(other.set, f))
    }
}

/// A truth value, if it is known. The conditions of branches are not computed with it.
pub type Truth = Option<bool>;

/// The domain.
#[derive(Clone, Copy, Debug, Default)]
pub struct Values;

#[rustfmt::skip]
impl Domain for Values {
    type Bit = Truth;
    type Byte = Value;
    type Word = [Value; 2];

    fn bit(self, value: bool) -> Truth { Some(value) }
    fn byte(self, value: u8) -> Value { Value::of(value) }
    fn word(self, value: u16) -> [Value; 2] { value.to_be_bytes().map(Value::of) }

    fn not(self, a: Truth) -> Truth { a.map(|a| !a) }
    fn both(self, a: Truth, b: Truth) -> Truth { Some(a? && b?) }
    fn either(self, a: Truth, b: Truth) -> Truth { Some(a? || b?) }
    fn select_bit(self, condition: Truth, a: Truth, b: Truth) -> Truth {
        match condition {
            Some(true) => a,
            Some(false) => b,
            None => if a == b { a } else { None },
        }
    }

    fn and(self, a: Value, b: Value) -> Value { a.with(b, Op::And, |a, b| a & b) }
    fn or(self, a: Value, b: Value) -> Value { a.with(b, Op::Or, |a, b| a | b) }
    fn xor(self, a: Value, b: Value) -> Value { a.with(b, Op::Xor, |a, b| a ^ b) }
    fn add(self, a: Value, b: Value, carry: Truth) -> (Value, Truth) {
        let sum = a.with(b, Op::Add, u8::wrapping_add);
        match carry {
            Some(false) => (sum, None),
            Some(true) => (sum.apply(Op::Add, 1), None),
            None => (Value::unknown(), None),
        }
    }
    fn sub(self, a: Value, b: Value, borrow: Truth) -> (Value, Truth) {
        // a - b is a + ~b + 1.
        self.add(a, b.apply(Op::Xor, 0xff), self.not(borrow))
    }
    fn shl(self, a: Value, n: u8) -> Value { Value::among(a.set.map(|v| v << n)) }
    fn shr(self, a: Value, n: u8) -> Value { Value::among(a.set.map(|v| v >> n)) }
    fn test(self, a: Value, mask: u8) -> Truth {
        let first = a.set.iter().next()? & mask != 0;
        a.set.iter().all(|v| (v & mask != 0) == first).then_some(first)
    }
    fn even(self, a: Value) -> Truth { a.set.single().map(|v| v.count_ones() % 2 == 0) }
    fn select(self, condition: Truth, a: Value, b: Value) -> Value {
        match condition {
            Some(true) => a,
            Some(false) => b,
            None => Value::among(a.set.union(b.set)),
        }
    }

    fn pair(self, high: Value, low: Value) -> [Value; 2] { [high, low] }
    fn high(self, a: [Value; 2]) -> Value { a[0] }
    fn low(self, a: [Value; 2]) -> Value { a[1] }
    fn add16(self, a: [Value; 2], b: [Value; 2], carry: Truth) -> ([Value; 2], Truth) {
        let exact = |w: [Value; 2]| Some(u16::from_be_bytes([w[0].set.single()?, w[1].set.single()?]));
        match (exact(a), exact(b), carry) {
            (Some(x), Some(y), Some(c)) => (self.word(x.wrapping_add(y).wrapping_add(c.into())), None),
            _ => ([Value::unknown(); 2], None),
        }
    }
    fn sub16(self, a: [Value; 2], b: [Value; 2], borrow: Truth) -> ([Value; 2], Truth) {
        self.add16(a, b.map(|v| v.apply(Op::Xor, 0xff)), self.not(borrow))
    }
    fn select16(self, condition: Truth, a: [Value; 2], b: [Value; 2]) -> [Value; 2] {
        [self.select(condition, a[0], b[0]), self.select(condition, a[1], b[1])]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use scrimp_isa::Concrete;

    fn numbers() -> impl FnMut() -> u8 {
        let mut s = 0x9e37_79b9u32;
        move || {
            s ^= s << 13;
            s ^= s >> 17;
            s ^= s << 5;
            (s >> 8) as u8
        }
    }

    #[test]
    fn a_chain_of_operations_holds_what_numbers_give() {
        let mut next = numbers();
        let (v, c) = (Values, Concrete);
        for _ in 0..5_000 {
            let x = next();
            let mut fresh = 0;
            let mut a = Value::among([x, next(), next()].into_iter().collect());
            a.begin(&mut fresh);
            let origin = a;
            let mut n = x;
            for _ in 0..next() % 9 {
                let k = next();
                let pair = Value::among([k, next()].into_iter().collect());
                let other = if next() & 3 == 0 { pair } else { Value::of(k) };
                (a, n) = match next() % 7 {
                    0 => (v.and(a, other), c.and(n, k)),
                    1 => (v.or(a, other), c.or(n, k)),
                    2 => (v.xor(a, other), c.xor(n, k)),
                    3 => (v.add(a, other, Some(false)).0, n.wrapping_add(k)),
                    4 => (v.sub(a, other, Some(false)).0, n.wrapping_sub(k)),
                    5 => (v.sub(other, a, Some(false)).0, k.wrapping_sub(n)),
                    _ => (v.add(a, a, Some(false)).0, n.wrapping_add(n)),
                };
                assert!(a.set.contains(n));
            }
            // What holds for the result tells of the origin, and never too much.
            if a.origin == origin.origin {
                let base = a.base_where(|r| r == n);
                assert!(base.contains(x));
                a.narrow(base);
                assert_eq!(a.set.single(), Some(n));
            }
        }
    }
}
