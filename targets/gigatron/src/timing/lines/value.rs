//! Bytes as the set of values that they can have, with where those come from.
//!
//! Sets are exact where known bits are not: a cell that holds one of four addresses
//! leads to these four. What a value comes from decides which cells are worth being
//! told apart; see [`super`].

use scrimp_isa::Domain;

/// More pairs of values than these are not put together one by one.
const MOST_PAIRS: usize = 4096;

/// A set of bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Set([u64; 4]);

impl Set {
    /// No value at all.
    pub const EMPTY: Self = Self([0; 4]);
    /// Any value.
    pub const FULL: Self = Self([u64::MAX; 4]);

    /// One value.
    pub const fn of(value: u8) -> Self {
        let mut bits = [0; 4];
        bits[(value >> 6) as usize] = 1 << (value & 63);
        Self(bits)
    }

    pub fn insert(&mut self, value: u8) {
        self.0[usize::from(value >> 6)] |= 1 << (value & 63);
    }

    pub fn contains(&self, value: u8) -> bool {
        self.0[usize::from(value >> 6)] >> (value & 63) & 1 == 1
    }

    pub fn len(&self) -> usize {
        self.0.iter().map(|b| b.count_ones() as usize).sum()
    }

    pub fn is_empty(&self) -> bool {
        self.0 == [0; 4]
    }

    /// The value, if it is the only one.
    pub fn single(&self) -> Option<u8> {
        let mut found = None;
        for (i, &bits) in (0u8..).zip(&self.0) {
            if bits == 0 {
                continue;
            }
            if found.is_some() || !bits.is_power_of_two() {
                return None;
            }
            found = Some(i << 6 | bits.trailing_zeros() as u8);
        }
        found
    }

    #[must_use]
    pub fn union(self, other: Self) -> Self {
        Self(std::array::from_fn(|i| self.0[i] | other.0[i]))
    }

    /// Whether all of another set are in it.
    pub fn has_all(&self, other: &Self) -> bool {
        (0..4).all(|i| other.0[i] & !self.0[i] == 0)
    }

    /// A number that most other sets have not.
    pub fn digest(&self) -> u64 {
        let mix = |d: u64, w: &u64| (d.rotate_left(5) ^ w).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0.iter().fold(0, mix)
    }

    pub fn iter(&self) -> impl Iterator<Item = u8> + '_ {
        self.0.iter().zip([0u8, 64, 128, 192]).flat_map(|(&b, at)| {
            let mut bits = b;
            std::iter::from_fn(move || {
                if bits == 0 {
                    return None;
                }
                let n = bits.trailing_zeros() as u8;
                bits &= bits - 1;
                Some(at | n)
            })
        })
    }

    /// Those that a condition holds for.
    #[must_use]
    pub fn keep(&self, condition: impl Fn(u8) -> bool) -> Self {
        self.iter().filter(|&v| condition(v)).collect()
    }

    /// What is known of a bit.
    pub fn bit(&self, n: u8) -> Option<bool> {
        let first = self.iter().next()? >> n & 1;
        let same = self.iter().all(|v| v >> n & 1 == first);
        same.then_some(first == 1)
    }

    /// Each value and a number.
    #[must_use]
    pub fn plus(self, n: u8) -> Self {
        let (words, bits) = (usize::from(n >> 6), u32::from(n & 63));
        Self(std::array::from_fn(|i| {
            let low = self.0[(i + 4 - words) % 4];
            let under = self.0[(i + 3 - words) % 4];
            low << bits | under.checked_shr(64 - bits).unwrap_or(0)
        }))
    }

    /// Each value with a bit of it, in `mask`, moved from where it is set to where it is
    /// not (`down`), or the other way round; the others stay.
    fn folded(self, bit: u8, down: bool) -> Self {
        // The values of a word of 64 in which the bit is set.
        const SET: [u64; 6] = [
            0xaaaa_aaaa_aaaa_aaaa,
            0xcccc_cccc_cccc_cccc,
            0xf0f0_f0f0_f0f0_f0f0,
            0xff00_ff00_ff00_ff00,
            0xffff_0000_ffff_0000,
            0xffff_ffff_0000_0000,
        ];
        let w = self.0;
        Self(match (SET.get(usize::from(bit)), down) {
            (Some(&set), true) => w.map(|w| w & !set | (w & set) >> (1 << bit)),
            (Some(&set), false) => w.map(|w| w & set | (w & !set) << (1 << bit)),
            (None, true) if bit == 6 => [w[0] | w[1], 0, w[2] | w[3], 0],
            (None, false) if bit == 6 => [0, w[0] | w[1], 0, w[2] | w[3]],
            (None, true) => [w[0] | w[2], w[1] | w[3], 0, 0],
            (None, false) => [0, 0, w[0] | w[2], w[1] | w[3]],
        })
    }

    /// Each value and a mask.
    #[must_use]
    pub fn and(self, mask: u8) -> Self {
        let bits = (0..8).filter(|b| mask >> b & 1 == 0);
        bits.fold(self, |s, b| s.folded(b, true))
    }

    /// Each value or a mask.
    #[must_use]
    pub fn or(self, mask: u8) -> Self {
        let bits = (0..8).filter(|b| mask >> b & 1 == 1);
        bits.fold(self, |s, b| s.folded(b, false))
    }

    /// Each value with the bits of a mask turned over.
    #[must_use]
    pub fn xor(self, mask: u8) -> Self {
        let bits = (0..8u8).filter(|b| mask >> b & 1 == 1);
        bits.fold(self, |s, b| {
            let at = 1 << b;
            let (low, high) = (s.keep_bit(b, false), s.keep_bit(b, true));
            low.plus(at).union(high.plus(at.wrapping_neg()))
        })
    }

    /// Values that have a bit, or have it not.
    fn keep_bit(self, bit: u8, on: bool) -> Self {
        let set = Self::FULL.or(1 << bit);
        let mask = |i: usize| if on { set.0[i] } else { !set.0[i] };
        Self(std::array::from_fn(|i| self.0[i] & mask(i)))
    }

    /// What a function makes of the values.
    #[must_use]
    pub fn map(&self, f: impl Fn(u8) -> u8) -> Self {
        self.iter().map(f).collect()
    }

    /// All results of an operation on a value of each.
    #[must_use]
    pub fn with(self, other: Self, f: impl Fn(u8, u8) -> u8) -> Self {
        if let (Some(a), Some(b)) = (self.single(), other.single()) {
            return Self::of(f(a, b));
        }
        if self.len() * other.len() > MOST_PAIRS {
            return Self::FULL;
        }
        let mut out = Self::EMPTY;
        for a in self.iter() {
            for b in other.iter() {
                out.insert(f(a, b));
            }
        }
        out
    }
}

impl FromIterator<u8> for Set {
    fn from_iter<I: IntoIterator<Item = u8>>(values: I) -> Self {
        let mut out = Self::EMPTY;
        for v in values {
            out.insert(v);
        }
        out
    }
}

/// A byte: what it can be and what it was made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Value {
    /// What it can be.
    pub set: Set,
    /// Cells of page 0 that went into it.
    pub cells: Set,
    /// Other pages that were read for it without being looked into.
    pub pages: Set,
    /// It is made of more than one cell, or of what no program decides: such values
    /// are too many to be told apart.
    pub mixed: bool,
}

impl Value {
    /// A number in the program.
    pub const fn of(value: u8) -> Self {
        Self::among(Set::of(value))
    }

    /// One of these.
    pub const fn among(set: Set) -> Self {
        Self {
            set,
            cells: Set::EMPTY,
            pages: Set::EMPTY,
            mixed: false,
        }
    }

    /// Anything, from outside.
    pub const UNKNOWN: Self = Self {
        mixed: true,
        ..Self::among(Set::FULL)
    };

    fn with(self, other: Self, f: impl Fn(u8, u8) -> u8) -> Self {
        let both = !self.cells.is_empty() && !other.cells.is_empty();
        Self {
            set: self.set.with(other.set, f),
            cells: self.cells.union(other.cells),
            pages: self.pages.union(other.pages),
            mixed: self.mixed || other.mixed || both,
        }
    }

    fn map(self, f: impl Fn(u8) -> u8) -> Self {
        Self {
            set: self.set.map(f),
            ..self
        }
    }

    #[must_use]
    pub fn join(self, other: Self) -> Self {
        Self {
            set: self.set.union(other.set),
            cells: self.cells.union(other.cells),
            pages: self.pages.union(other.pages),
            mixed: self.mixed || other.mixed,
        }
    }
}

/// A truth value: whether it can be each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Truth {
    no: bool,
    yes: bool,
}

impl Truth {
    const UNKNOWN: Self = Self {
        no: true,
        yes: true,
    };

    fn with(self, other: Self, f: impl Fn(bool, bool) -> bool) -> Self {
        let mut out = Self {
            no: false,
            yes: false,
        };
        for a in [false, true].into_iter().filter(|&a| self.can(a)) {
            for b in [false, true].into_iter().filter(|&b| other.can(b)) {
                *(if f(a, b) { &mut out.yes } else { &mut out.no }) = true;
            }
        }
        out
    }

    fn can(self, value: bool) -> bool {
        if value { self.yes } else { self.no }
    }
}

/// The domain.
#[derive(Clone, Copy, Debug, Default)]
pub struct Values;

#[rustfmt::skip]
impl Domain for Values {
    type Bit = Truth;
    type Byte = Value;
    type Word = [Value; 2];

    fn bit(self, value: bool) -> Truth { Truth { no: !value, yes: value } }
    fn byte(self, value: u8) -> Value { Value::of(value) }
    fn word(self, value: u16) -> [Value; 2] { value.to_be_bytes().map(Value::of) }

    fn not(self, a: Truth) -> Truth { Truth { no: a.yes, yes: a.no } }
    fn both(self, a: Truth, b: Truth) -> Truth { a.with(b, |a, b| a && b) }
    fn either(self, a: Truth, b: Truth) -> Truth { a.with(b, |a, b| a || b) }
    fn select_bit(self, condition: Truth, a: Truth, b: Truth) -> Truth {
        match (condition.yes, condition.no) {
            (true, false) => a,
            (false, true) => b,
            _ => Truth { no: a.no || b.no, yes: a.yes || b.yes },
        }
    }

    fn and(self, a: Value, b: Value) -> Value { a.with(b, |a, b| a & b) }
    fn or(self, a: Value, b: Value) -> Value { a.with(b, |a, b| a | b) }
    fn xor(self, a: Value, b: Value) -> Value { a.with(b, |a, b| a ^ b) }
    fn add(self, a: Value, b: Value, carry: Truth) -> (Value, Truth) {
        if let (Some(n), true) = (b.set.single(), carry.yes != carry.no) {
            let sum = a.with(Value { set: Set::EMPTY, ..b }, |a, _| a);
            let set = a.set.plus(n.wrapping_add(carry.yes.into()));
            return (Value { set, ..sum }, Truth::UNKNOWN);
        }
        let mut sum = match carry {
            Truth { yes: false, .. } => return (a.with(b, u8::wrapping_add), Truth::UNKNOWN),
            Truth { no: true, .. } => a.with(b, u8::wrapping_add),
            _ => Value { set: Set::EMPTY, ..a },
        };
        sum = sum.join(a.with(b, |a, b| a.wrapping_add(b).wrapping_add(1)));
        (sum, Truth::UNKNOWN)
    }
    fn sub(self, a: Value, b: Value, borrow: Truth) -> (Value, Truth) {
        self.add(a, b.map(|v| !v), self.not(borrow))
    }
    fn shl(self, a: Value, n: u8) -> Value { a.map(|v| v << n) }
    fn shr(self, a: Value, n: u8) -> Value { a.map(|v| v >> n) }
    fn test(self, a: Value, mask: u8) -> Truth {
        let set = a.set;
        Truth { no: set.iter().any(|v| v & mask == 0), yes: set.iter().any(|v| v & mask != 0) }
    }
    fn even(self, a: Value) -> Truth {
        let odd = |v: u8| v.count_ones() & 1 == 1;
        Truth { no: a.set.iter().any(odd), yes: a.set.iter().any(|v| !odd(v)) }
    }
    fn select(self, condition: Truth, a: Value, b: Value) -> Value {
        match (condition.yes, condition.no) {
            (true, false) => a,
            (false, true) => b,
            _ => a.join(b),
        }
    }

    fn pair(self, high: Value, low: Value) -> [Value; 2] { [high, low] }
    fn high(self, a: [Value; 2]) -> Value { a[0] }
    fn low(self, a: [Value; 2]) -> Value { a[1] }
    fn add16(self, a: [Value; 2], b: [Value; 2], carry: Truth) -> ([Value; 2], Truth) {
        let exact = |w: [Value; 2]| Some(u16::from_be_bytes([w[0].set.single()?, w[1].set.single()?]));
        match (exact(a), exact(b), carry) {
            (Some(x), Some(y), Truth { yes, no }) if yes != no => {
                (self.word(x.wrapping_add(y).wrapping_add(yes.into())), Truth::UNKNOWN)
            }
            _ => ([Value::UNKNOWN; 2], Truth::UNKNOWN),
        }
    }
    fn sub16(self, a: [Value; 2], b: [Value; 2], borrow: Truth) -> ([Value; 2], Truth) {
        self.add16(a, b.map(|v| v.map(|v| !v)), self.not(borrow))
    }
    fn select16(self, condition: Truth, a: [Value; 2], b: [Value; 2]) -> [Value; 2] {
        [self.select(condition, a[0], b[0]), self.select(condition, a[1], b[1])]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use scrimp_isa::Concrete;

    #[test]
    fn masks_do_to_sets_what_they_do_to_each_value() {
        let mut s = 0x9e37_79b9_7f4a_7c15u64;
        let mut next = move || {
            s ^= s << 13;
            s ^= s >> 7;
            s ^= s << 17;
            s
        };
        for _ in 0..2_000 {
            let thin = next();
            let set = Set(std::array::from_fn(|_| next() & (next() | thin)));
            let n = next() as u8;
            assert_eq!(set.and(n), set.map(|v| v & n));
            assert_eq!(set.or(n), set.map(|v| v | n));
            assert_eq!(set.xor(n), set.map(|v| v ^ n));
            assert_eq!(set.plus(n), set.map(|v| v.wrapping_add(n)));
        }
    }

    #[test]
    fn sets_hold_what_numbers_give() {
        let mut s = 0x9e37_79b9u32;
        let mut next = move || {
            s ^= s << 13;
            s ^= s >> 17;
            s ^= s << 5;
            (s >> 8) as u8
        };
        let (v, c) = (Values, Concrete);
        for _ in 0..20_000 {
            let (x, y, cy) = (next(), next(), next() & 1 == 1);
            let about =
                |x: u8, more: [u8; 2]| Value::among([x, more[0], more[1]].into_iter().collect());
            let (a, b) = (about(x, [next(), next()]), about(y, [next(), next()]));
            let carry = if next() & 1 == 1 {
                v.bit(cy)
            } else {
                Truth::UNKNOWN
            };
            assert!(v.add(a, b, carry).0.set.contains(c.add(x, y, cy).0));
            assert!(v.sub(a, b, carry).0.set.contains(c.sub(x, y, cy).0));
            assert!(v.and(a, b).set.contains(x & y));
            assert!(v.or(a, b).set.contains(x | y));
            assert!(v.xor(a, b).set.contains(x ^ y));
            assert!(v.shl(a, cy.into()).set.contains(x << u8::from(cy)));
            assert!(v.shr(a, cy.into()).set.contains(x >> u8::from(cy)));
            assert!(v.test(a, y).can(x & y != 0));
            assert!(v.even(a).can(x.count_ones() % 2 == 0));
            assert!(v.select(carry, a, b).set.contains(if cy { x } else { y }));
            let (w, u) = (u16::from_be_bytes([x, y]), u16::from_be_bytes([y, x]));
            let exact = |w: [Value; 2], n: u16| {
                let [h, l] = n.to_be_bytes();
                w[0].set.contains(h) && w[1].set.contains(l)
            };
            assert!(exact(
                v.add16(v.word(w), v.word(u), v.bit(cy)).0,
                c.add16(w, u, cy).0
            ));
            assert!(exact(
                v.sub16(v.word(w), v.word(u), v.bit(cy)).0,
                c.sub16(w, u, cy).0
            ));
        }
    }

    #[test]
    fn a_set_knows_its_only_value() {
        for v in 0..=255u8 {
            assert_eq!(Set::of(v).single(), Some(v));
            assert_eq!(Set::of(v).iter().collect::<Vec<_>>(), [v]);
            assert_eq!(Set::of(v).union(Set::of(v ^ 1)).single(), None);
        }
        for n in 0..=255u8 {
            let set: Set = [3, 64, 200].into_iter().collect();
            assert_eq!(set.plus(n), set.iter().map(|v| v.wrapping_add(n)).collect());
        }
        assert_eq!(Set::FULL.len(), 256);
        assert_eq!(Set::EMPTY.single(), None);
    }
}
