//! The domain of known bits: what is certain of a value whatever the unknown
//! inputs are.
//!
//! Every result is sound: a bit that is known has that value for all completions
//! of the operands. It is not always the best: two unknown bits that are equal are
//! forgotten to be so.

use crate::Domain;

/// The domain; it has no state.
#[derive(Clone, Copy, Debug, Default)]
pub struct Known;

/// A truth value, if known.
pub type Bit = Option<bool>;

/// Eight bits of which some are known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Byte {
    /// Which bits are known.
    pub known: u8,
    /// Their values; 0 where unknown.
    pub value: u8,
}

/// Sixteen bits of which some are known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Word {
    /// The upper byte.
    pub high: Byte,
    /// The lower byte.
    pub low: Byte,
}

impl Byte {
    /// Nothing is known.
    pub const UNKNOWN: Self = Self { known: 0, value: 0 };

    /// All bits are known.
    pub const fn of(value: u8) -> Self {
        Self { known: 0xff, value }
    }

    /// The value, if all bits are known.
    pub const fn exact(self) -> Option<u8> {
        match self.known {
            0xff => Some(self.value),
            _ => None,
        }
    }

    /// A bit.
    pub const fn bit(self, n: u8) -> Bit {
        match self.known >> n & 1 {
            1 => Some(self.value >> n & 1 == 1),
            _ => None,
        }
    }

    /// What both agree on.
    #[must_use]
    pub const fn join(self, other: Self) -> Self {
        let known = self.known & other.known & !(self.value ^ other.value);
        Self {
            known,
            value: self.value & known,
        }
    }

    /// Whether the value can be this.
    pub const fn allows(self, value: u8) -> bool {
        (value ^ self.value) & self.known == 0
    }

    /// With a bit set to what is known of it.
    const fn with(self, n: u8, bit: Bit) -> Self {
        match bit {
            Some(b) => Self {
                known: self.known | 1 << n,
                value: self.value | (b as u8) << n,
            },
            None => self,
        }
    }
}

impl Word {
    /// Nothing is known.
    pub const UNKNOWN: Self = Self {
        high: Byte::UNKNOWN,
        low: Byte::UNKNOWN,
    };

    /// All bits are known.
    pub const fn of(value: u16) -> Self {
        Self {
            high: Byte::of((value >> 8) as u8),
            low: Byte::of(value as u8),
        }
    }

    /// The value, if all bits are known.
    pub const fn exact(self) -> Option<u16> {
        match (self.high.exact(), self.low.exact()) {
            (Some(h), Some(l)) => Some((h as u16) << 8 | l as u16),
            _ => None,
        }
    }

    /// What both agree on.
    #[must_use]
    pub const fn join(self, other: Self) -> Self {
        Self {
            high: self.high.join(other.high),
            low: self.low.join(other.low),
        }
    }
}

/// The greater number of three bits, if two that are known decide it.
const fn majority(a: Bit, b: Bit, c: Bit) -> Bit {
    match (a, b, c) {
        (Some(x), Some(y), _) | (Some(x), _, Some(y)) | (_, Some(x), Some(y)) if x == y => Some(x),
        (Some(x), Some(_), Some(z)) if x == z => Some(x),
        (Some(_), Some(y), Some(_)) => Some(y),
        _ => None,
    }
}

const fn xor3(a: Bit, b: Bit, c: Bit) -> Bit {
    match (a, b, c) {
        (Some(a), Some(b), Some(c)) => Some(a ^ b ^ c),
        _ => None,
    }
}

fn sum(a: Byte, b: Byte, carry: Bit) -> (Byte, Bit) {
    let (mut out, mut carry) = (Byte::UNKNOWN, carry);
    for n in 0..8 {
        let (x, y) = (a.bit(n), b.bit(n));
        out = out.with(n, xor3(x, y, carry));
        carry = majority(x, y, carry);
    }
    (out, carry)
}

#[rustfmt::skip]
impl Domain for Known {
    type Bit = Bit;
    type Byte = Byte;
    type Word = Word;

    fn bit(self, value: bool) -> Bit { Some(value) }
    fn byte(self, value: u8) -> Byte { Byte::of(value) }
    fn word(self, value: u16) -> Word { Word::of(value) }

    fn not(self, a: Bit) -> Bit { a.map(|a| !a) }
    fn both(self, a: Bit, b: Bit) -> Bit {
        match (a, b) {
            (Some(false), _) | (_, Some(false)) => Some(false),
            (Some(true), b) => b,
            (a, Some(true)) => a,
            _ => None,
        }
    }
    fn either(self, a: Bit, b: Bit) -> Bit { self.not(self.both(self.not(a), self.not(b))) }
    fn select_bit(self, condition: Bit, a: Bit, b: Bit) -> Bit {
        match condition {
            Some(true) => a,
            Some(false) => b,
            None if a == b => a,
            None => None,
        }
    }

    fn and(self, a: Byte, b: Byte) -> Byte {
        let zero = a.known & !a.value | b.known & !b.value;
        Byte { known: a.known & b.known | zero, value: a.value & b.value }
    }
    fn or(self, a: Byte, b: Byte) -> Byte {
        let value = a.value | b.value;
        Byte { known: a.known & b.known | value, value }
    }
    fn xor(self, a: Byte, b: Byte) -> Byte {
        let known = a.known & b.known;
        Byte { known, value: (a.value ^ b.value) & known }
    }
    fn add(self, a: Byte, b: Byte, carry: Bit) -> (Byte, Bit) { sum(a, b, carry) }
    fn sub(self, a: Byte, b: Byte, borrow: Bit) -> (Byte, Bit) {
        let inverted = Byte { known: b.known, value: !b.value & b.known };
        let (difference, carry) = sum(a, inverted, self.not(borrow));
        (difference, self.not(carry))
    }
    fn shl(self, a: Byte, n: u8) -> Byte {
        Byte { known: a.known << n | ((1u16 << n) - 1) as u8, value: a.value << n }
    }
    fn shr(self, a: Byte, n: u8) -> Byte {
        Byte { known: a.known >> n | !(0xff >> n), value: a.value >> n }
    }
    fn test(self, a: Byte, mask: u8) -> Bit {
        match a.value & mask {
            0 if a.known & mask == mask => Some(false),
            0 => None,
            _ => Some(true),
        }
    }
    fn even(self, a: Byte) -> Bit { a.exact().map(|v| v.count_ones() & 1 == 0) }
    fn select(self, condition: Bit, a: Byte, b: Byte) -> Byte {
        match condition {
            Some(true) => a,
            Some(false) => b,
            None => a.join(b),
        }
    }

    fn pair(self, high: Byte, low: Byte) -> Word { Word { high, low } }
    fn high(self, a: Word) -> Byte { a.high }
    fn low(self, a: Word) -> Byte { a.low }
    fn add16(self, a: Word, b: Word, carry: Bit) -> (Word, Bit) {
        let (low, carry) = sum(a.low, b.low, carry);
        let (high, carry) = sum(a.high, b.high, carry);
        (Word { high, low }, carry)
    }
    fn sub16(self, a: Word, b: Word, borrow: Bit) -> (Word, Bit) {
        let (low, borrow) = self.sub(a.low, b.low, borrow);
        let (high, borrow) = self.sub(a.high, b.high, borrow);
        (Word { high, low }, borrow)
    }
    fn select16(self, condition: Bit, a: Word, b: Word) -> Word {
        match condition {
            Some(true) => a,
            Some(false) => b,
            None => a.join(b),
        }
    }

    fn known(self, a: Bit) -> Option<bool> { a }
    fn exact(self, a: Byte) -> Option<u8> { a.exact() }
    fn exact16(self, a: Word) -> Option<u16> { a.exact() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Concrete;

    /// Numbers from a seed (xorshift).
    fn numbers() -> impl FnMut() -> u8 {
        let mut s = 0x1234_5678_9abc_def1u64;
        move || {
            s ^= s << 13;
            s ^= s >> 7;
            s ^= s << 17;
            (s >> 32) as u8
        }
    }

    fn fits(known: Bit, value: bool) -> bool {
        known.is_none_or(|k| k == value)
    }

    #[test]
    fn what_is_known_holds_for_every_completion() {
        let mut next = numbers();
        let (k, c) = (Known, Concrete);
        for _ in 0..200_000 {
            let (x, y, cx, n) = (next(), next(), next() & 1 == 1, next() & 7);
            // Two of three rounds know most bits, so that something is known at all.
            let (mx, my) = (next() | next(), next() | next());
            let a = Byte {
                known: mx,
                value: x & mx,
            };
            let b = Byte {
                known: my,
                value: y & my,
            };
            let bit = (next() & 1 == 1).then_some(cx);
            let both = |known: (Byte, Bit), value: (u8, bool)| {
                assert!(
                    known.0.allows(value.0) && fits(known.1, value.1),
                    "{a:?} {b:?}"
                );
                assert_eq!(known.0.value & !known.0.known, 0);
            };
            both(k.add(a, b, bit), c.add(x, y, cx));
            both(k.sub(a, b, bit), c.sub(x, y, cx));
            let one = |known: Byte, value: u8| both((known, None), (value, false));
            one(k.and(a, b), c.and(x, y));
            one(k.or(a, b), c.or(x, y));
            one(k.xor(a, b), c.xor(x, y));
            one(k.shl(a, n), c.shl(x, n));
            one(k.shr(a, n), c.shr(x, n));
            one(k.select(bit, a, b), c.select(cx, x, y));
            assert!(fits(k.test(a, y), c.test(x, y)));
            assert!(fits(k.even(a), c.even(x)));
            assert!(fits(k.is_zero(a), c.is_zero(x)));
            let (w, v) = (k.pair(a, b), c.pair(x, y));
            let (sum, carry) = k.add16(w, k.pair(b, a), bit);
            let (s, cy) = c.add16(v, c.pair(y, x), cx);
            assert!(sum.high.allows((s >> 8) as u8) && sum.low.allows(s as u8));
            assert!(fits(carry, cy));
            let (sum, carry) = k.sub16(w, k.pair(b, a), bit);
            let (s, cy) = c.sub16(v, c.pair(y, x), cx);
            assert!(sum.high.allows((s >> 8) as u8) && sum.low.allows(s as u8));
            assert!(fits(carry, cy));
        }
    }

    #[test]
    fn all_is_known_of_what_is_exact() {
        let mut next = numbers();
        for _ in 0..10_000 {
            let (x, y, cy) = (next(), next(), next() & 1 == 1);
            let (sum, carry) = Known.add(Byte::of(x), Byte::of(y), Some(cy));
            let (s, c) = Concrete.add(x, y, cy);
            assert_eq!((sum.exact(), carry), (Some(s), Some(c)));
            let (difference, borrow) = Known.sub(Byte::of(x), Byte::of(y), Some(cy));
            let (d, b) = Concrete.sub(x, y, cy);
            assert_eq!((difference.exact(), borrow), (Some(d), Some(b)));
        }
    }

    #[test]
    fn low_bits_of_a_sum_are_known_without_the_high_ones() {
        let a = Byte {
            known: 0x0f,
            value: 0x03,
        };
        let (sum, carry) = Known.add(a, Byte::of(0x14), Some(false));
        assert_eq!((sum.known & 0x0f, sum.value & 0x0f, carry), (0x0f, 7, None));
    }
}
