//! Domains that are made of single bits: what there is to say of a bit, and the
//! words that follow from it.
//!
//! Sums are carry chains, so that a bit of a sum is a function of the bits up to it
//! only.

use crate::Domain;

/// How bits are combined. Whatever can do this is a [`Domain`] whose bytes and words
/// are arrays of bits, the lowest first.
pub trait Circuit: Copy {
    /// What is known of a bit.
    type Wire: Copy;

    /// A bit of that value.
    fn constant(self, value: bool) -> Self::Wire;
    /// Not.
    fn invert(self, a: Self::Wire) -> Self::Wire;
    /// Both.
    fn meet(self, a: Self::Wire, b: Self::Wire) -> Self::Wire;
    /// One of the two but not both.
    fn differ(self, a: Self::Wire, b: Self::Wire) -> Self::Wire;
    /// Either or both.
    fn join(self, a: Self::Wire, b: Self::Wire) -> Self::Wire {
        self.invert(self.meet(self.invert(a), self.invert(b)))
    }
    /// `a` where the condition holds, else `b`.
    fn choose(self, c: Self::Wire, a: Self::Wire, b: Self::Wire) -> Self::Wire {
        self.join(self.meet(c, a), self.meet(self.invert(c), b))
    }
    /// The value, where there is but one.
    fn certain(self, a: Self::Wire) -> Option<bool>;
}

fn map<C: Circuit, const N: usize>(
    a: [C::Wire; N],
    b: [C::Wire; N],
    f: impl Fn(C::Wire, C::Wire) -> C::Wire,
) -> [C::Wire; N] {
    std::array::from_fn(|i| f(a[i], b[i]))
}

fn add<C: Circuit, const N: usize>(
    c: C,
    a: [C::Wire; N],
    b: [C::Wire; N],
    mut carry: C::Wire,
) -> ([C::Wire; N], C::Wire) {
    let sum = std::array::from_fn(|i| {
        let half = c.differ(a[i], b[i]);
        let bit = c.differ(half, carry);
        carry = c.join(c.meet(a[i], b[i]), c.meet(half, carry));
        bit
    });
    (sum, carry)
}

fn sub<C: Circuit, const N: usize>(
    c: C,
    a: [C::Wire; N],
    b: [C::Wire; N],
    mut borrow: C::Wire,
) -> ([C::Wire; N], C::Wire) {
    let difference = std::array::from_fn(|i| {
        let half = c.differ(a[i], b[i]);
        let bit = c.differ(half, borrow);
        let less = c.meet(c.invert(a[i]), b[i]);
        borrow = c.join(less, c.meet(c.invert(half), borrow));
        bit
    });
    (difference, borrow)
}

fn constant<C: Circuit, const N: usize>(c: C, value: u16) -> [C::Wire; N] {
    std::array::from_fn(|i| c.constant(value >> i & 1 == 1))
}

// Each is many operations of wires; where instructions are read they are called, since as copies
// in each arm they would be most of a room's code.
#[rustfmt::skip]
impl<C: Circuit> Domain for C {
    type Bit = C::Wire;
    type Byte = [C::Wire; 8];
    type Word = [C::Wire; 16];

    fn bit(self, value: bool) -> Self::Bit { self.constant(value) }
    #[inline(never)]
    fn byte(self, value: u8) -> Self::Byte { constant(self, value.into()) }
    #[inline(never)]
    fn word(self, value: u16) -> Self::Word { constant(self, value) }

    fn not(self, a: Self::Bit) -> Self::Bit { self.invert(a) }
    fn both(self, a: Self::Bit, b: Self::Bit) -> Self::Bit { self.meet(a, b) }
    fn either(self, a: Self::Bit, b: Self::Bit) -> Self::Bit { self.join(a, b) }
    fn select_bit(self, c: Self::Bit, a: Self::Bit, b: Self::Bit) -> Self::Bit { self.choose(c, a, b) }

    #[inline(never)]
    fn and(self, a: Self::Byte, b: Self::Byte) -> Self::Byte { map::<C, 8>(a, b, |a, b| self.meet(a, b)) }
    #[inline(never)]
    fn or(self, a: Self::Byte, b: Self::Byte) -> Self::Byte { map::<C, 8>(a, b, |a, b| self.join(a, b)) }
    #[inline(never)]
    fn xor(self, a: Self::Byte, b: Self::Byte) -> Self::Byte { map::<C, 8>(a, b, |a, b| self.differ(a, b)) }
    #[inline(never)]
    fn add(self, a: Self::Byte, b: Self::Byte, c: Self::Bit) -> (Self::Byte, Self::Bit) { add(self, a, b, c) }
    #[inline(never)]
    fn sub(self, a: Self::Byte, b: Self::Byte, c: Self::Bit) -> (Self::Byte, Self::Bit) { sub(self, a, b, c) }
    #[inline(never)]
    fn shl(self, a: Self::Byte, n: u8) -> Self::Byte {
        std::array::from_fn(|i| i.checked_sub(n.into()).map_or(self.constant(false), |i| a[i]))
    }
    #[inline(never)]
    fn shr(self, a: Self::Byte, n: u8) -> Self::Byte {
        std::array::from_fn(|i| *a.get(i + usize::from(n)).unwrap_or(&self.constant(false)))
    }
    #[inline(never)]
    fn test(self, a: Self::Byte, mask: u8) -> Self::Bit {
        let bits = (0..8).filter(|i| mask >> i & 1 == 1).map(|i| a[i]);
        bits.fold(self.constant(false), |a, b| self.join(a, b))
    }
    #[inline(never)]
    fn even(self, a: Self::Byte) -> Self::Bit {
        a.into_iter().fold(self.constant(true), |a, b| self.differ(a, b))
    }
    #[inline(never)]
    fn select(self, c: Self::Bit, a: Self::Byte, b: Self::Byte) -> Self::Byte {
        map::<C, 8>(a, b, |a, b| self.choose(c, a, b))
    }

    #[inline(never)]
    fn pair(self, high: Self::Byte, low: Self::Byte) -> Self::Word {
        std::array::from_fn(|i| if i < 8 { low[i] } else { high[i - 8] })
    }
    #[inline(never)]
    fn high(self, a: Self::Word) -> Self::Byte { std::array::from_fn(|i| a[i + 8]) }
    #[inline(never)]
    fn low(self, a: Self::Word) -> Self::Byte { std::array::from_fn(|i| a[i]) }
    #[inline(never)]
    fn add16(self, a: Self::Word, b: Self::Word, c: Self::Bit) -> (Self::Word, Self::Bit) { add(self, a, b, c) }
    #[inline(never)]
    fn sub16(self, a: Self::Word, b: Self::Word, c: Self::Bit) -> (Self::Word, Self::Bit) { sub(self, a, b, c) }
    #[inline(never)]
    fn select16(self, c: Self::Bit, a: Self::Word, b: Self::Word) -> Self::Word {
        map::<C, 16>(a, b, |a, b| self.choose(c, a, b))
    }

    fn known(self, a: Self::Bit) -> Option<bool> { self.certain(a) }
}
