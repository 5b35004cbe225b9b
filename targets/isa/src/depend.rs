//! The domain of dependences: of each bit what inputs it comes from.

use crate::Domain;

/// A set of inputs, by number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Inputs(pub u64);

impl Inputs {
    /// No input.
    pub const NONE: Self = Self(0);

    /// One input, 0 to 63.
    pub const fn one(number: u8) -> Self {
        Self(1 << number)
    }

    /// All that are in either.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// All that are not in the other.
    #[must_use]
    pub const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// Whether an input is in it.
    pub const fn has(self, number: u8) -> bool {
        self.0 >> number & 1 == 1
    }

    /// Whether there is none in it.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Its numbers, ascending.
    pub fn iter(self) -> impl Iterator<Item = u8> {
        (0..64).filter(move |&n| self.has(n))
    }
}

/// What is known of a bit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// Its value.
    Known(bool),
    /// It is some function of inputs.
    Function {
        /// The inputs.
        inputs: Inputs,
        /// Which function, a hash of how it was made.
        id: u64,
        /// Turned over.
        inverted: bool,
    },
}

impl Source {
    /// A function of inputs that differs from all of another `id`.
    pub const fn new(inputs: Inputs, id: u64) -> Self {
        Self::Function {
            inputs,
            id: scramble(id),
            inverted: false,
        }
    }

    /// A bit of an input.
    pub const fn copy(input: u8, bit: u8) -> Self {
        Self::new(Inputs::one(input), (input as u64) << 8 | bit as u64)
    }

    /// The inputs it depends on.
    pub const fn inputs(self) -> Inputs {
        match self {
            Self::Known(_) => Inputs::NONE,
            Self::Function { inputs, .. } => inputs,
        }
    }

    /// A function of two.
    fn function(self, other: Self, operation: u64) -> Self {
        let key = |source| match source {
            Self::Known(v) => u64::from(v),
            Self::Function { id, inverted, .. } => scramble(id ^ u64::from(inverted)),
        };
        // The sum does not depend on the order of the two.
        let both = key(self).wrapping_add(key(other));
        Self::new(self.inputs().and(other.inputs()), both ^ operation)
    }

    fn not(self) -> Self {
        match self {
            Self::Known(v) => Self::Known(!v),
            Self::Function {
                inputs,
                id,
                inverted,
            } => Self::Function {
                inputs,
                id,
                inverted: !inverted,
            },
        }
    }

    fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::Known(false), _) | (_, Self::Known(false)) => Self::Known(false),
            (Self::Known(true), v) | (v, Self::Known(true)) => v,
            (a, b) if a == b => a,
            (a, b) if a == b.not() => Self::Known(false),
            (a, b) => a.function(b, 1 << 32),
        }
    }

    fn or(self, other: Self) -> Self {
        self.not().and(other.not()).not()
    }

    fn xor(self, other: Self) -> Self {
        match (self, other) {
            (Self::Known(false), v) | (v, Self::Known(false)) => v,
            (Self::Known(true), v) | (v, Self::Known(true)) => v.not(),
            (a, b) if a == b => Self::Known(false),
            (a, b) if a == b.not() => Self::Known(true),
            (a, b) => a.function(b, 2 << 32),
        }
    }

    fn select(self, a: Self, b: Self) -> Self {
        if a == b {
            return a;
        }
        self.and(a).or(self.not().and(b))
    }
}

/// Spreads a number over 64 bits (the finalizer of SplitMix64).
const fn scramble(mut z: u64) -> u64 {
    z = z.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// Bits of a value, the lowest first.
pub type Sources<const N: usize> = [Source; N];

/// The inputs that any bit of a value depends on.
pub fn inputs(value: &[Source]) -> Inputs {
    let all = value.iter().map(|s| s.inputs());
    all.fold(Inputs::NONE, Inputs::and)
}

/// A value that is an input, bit by bit.
pub fn input<const N: usize>(number: u8) -> Sources<N> {
    std::array::from_fn(|bit| Source::copy(number, bit as u8))
}

/// A value of which only the inputs are known, and that it is another than those
/// of another `id` (below 2^24).
pub fn mixed<const N: usize>(inputs: Inputs, id: u32) -> Sources<N> {
    std::array::from_fn(|bit| Source::new(inputs, 1 << 40 | u64::from(id) << 8 | bit as u64))
}

/// Bits are a [`Source`], bytes and words arrays of them. Sums are computed as
/// carry chains, so that a bit depends on the bits below it only, and what
/// cancels (`a ^ a`, `a - a`) is known.
#[derive(Clone, Copy, Debug, Default)]
pub struct Depend;

fn map<const N: usize>(
    a: Sources<N>,
    b: Sources<N>,
    f: impl Fn(Source, Source) -> Source,
) -> Sources<N> {
    std::array::from_fn(|i| f(a[i], b[i]))
}

fn add<const N: usize>(a: Sources<N>, b: Sources<N>, mut carry: Source) -> (Sources<N>, Source) {
    let sum = std::array::from_fn(|i| {
        let half = a[i].xor(b[i]);
        let bit = half.xor(carry);
        carry = a[i].and(b[i]).or(half.and(carry));
        bit
    });
    (sum, carry)
}

fn sub<const N: usize>(a: Sources<N>, b: Sources<N>, mut borrow: Source) -> (Sources<N>, Source) {
    let difference = std::array::from_fn(|i| {
        let half = a[i].xor(b[i]);
        let bit = half.xor(borrow);
        borrow = a[i].not().and(b[i]).or(half.not().and(borrow));
        bit
    });
    (difference, borrow)
}

fn constant<const N: usize>(value: u16) -> Sources<N> {
    std::array::from_fn(|i| Source::Known(value >> i & 1 == 1))
}

#[rustfmt::skip]
impl Domain for Depend {
    type Bit = Source;
    type Byte = Sources<8>;
    type Word = Sources<16>;

    fn bit(self, value: bool) -> Source { Source::Known(value) }
    fn byte(self, value: u8) -> Sources<8> { constant(value.into()) }
    fn word(self, value: u16) -> Sources<16> { constant(value) }

    fn not(self, a: Source) -> Source { a.not() }
    fn both(self, a: Source, b: Source) -> Source { a.and(b) }
    fn either(self, a: Source, b: Source) -> Source { a.or(b) }
    fn select_bit(self, c: Source, a: Source, b: Source) -> Source { c.select(a, b) }

    fn and(self, a: Sources<8>, b: Sources<8>) -> Sources<8> { map(a, b, Source::and) }
    fn or(self, a: Sources<8>, b: Sources<8>) -> Sources<8> { map(a, b, Source::or) }
    fn xor(self, a: Sources<8>, b: Sources<8>) -> Sources<8> { map(a, b, Source::xor) }
    fn add(self, a: Sources<8>, b: Sources<8>, c: Source) -> (Sources<8>, Source) { add(a, b, c) }
    fn sub(self, a: Sources<8>, b: Sources<8>, c: Source) -> (Sources<8>, Source) { sub(a, b, c) }
    fn shl(self, a: Sources<8>, n: u8) -> Sources<8> {
        std::array::from_fn(|i| i.checked_sub(n.into()).map_or(Source::Known(false), |i| a[i]))
    }
    fn shr(self, a: Sources<8>, n: u8) -> Sources<8> {
        std::array::from_fn(|i| *a.get(i + usize::from(n)).unwrap_or(&Source::Known(false)))
    }
    fn test(self, a: Sources<8>, mask: u8) -> Source {
        let bits = (0..8).filter(|i| mask >> i & 1 == 1).map(|i| a[i]);
        bits.fold(Source::Known(false), Source::or)
    }
    fn even(self, a: Sources<8>) -> Source { a.into_iter().fold(Source::Known(true), Source::xor) }
    fn select(self, c: Source, a: Sources<8>, b: Sources<8>) -> Sources<8> {
        map(a, b, |a, b| c.select(a, b))
    }

    fn pair(self, high: Sources<8>, low: Sources<8>) -> Sources<16> {
        std::array::from_fn(|i| if i < 8 { low[i] } else { high[i - 8] })
    }
    fn high(self, a: Sources<16>) -> Sources<8> { std::array::from_fn(|i| a[i + 8]) }
    fn low(self, a: Sources<16>) -> Sources<8> { std::array::from_fn(|i| a[i]) }
    fn add16(self, a: Sources<16>, b: Sources<16>, c: Source) -> (Sources<16>, Source) { add(a, b, c) }
    fn sub16(self, a: Sources<16>, b: Sources<16>, c: Source) -> (Sources<16>, Source) { sub(a, b, c) }
    fn select16(self, c: Source, a: Sources<16>, b: Sources<16>) -> Sources<16> {
        map(a, b, |a, b| c.select(a, b))
    }
}
