//! The domain of dependences: of each bit what inputs it comes from.

use crate::circuit::Circuit;

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

    /// How many there are.
    pub const fn count(self) -> u32 {
        self.0.count_ones()
    }

    /// Its numbers, ascending.
    pub const fn iter(self) -> Numbers {
        Numbers(self.0)
    }
}

/// The numbers of a set that are still to come.
#[derive(Clone, Debug)]
pub struct Numbers(u64);

impl Iterator for Numbers {
    type Item = u8;

    fn next(&mut self) -> Option<u8> {
        let first = self.0.trailing_zeros();
        // The lowest one is taken away.
        self.0 &= self.0.wrapping_sub(1);
        (first < 64).then_some(first as u8)
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

impl Circuit for Depend {
    type Wire = Source;

    fn constant(self, value: bool) -> Source {
        Source::Known(value)
    }
    fn invert(self, a: Source) -> Source {
        a.not()
    }
    fn meet(self, a: Source, b: Source) -> Source {
        a.and(b)
    }
    fn differ(self, a: Source, b: Source) -> Source {
        a.xor(b)
    }
    fn choose(self, c: Source, a: Source, b: Source) -> Source {
        c.select(a, b)
    }
    fn certain(self, a: Source) -> Option<bool> {
        match a {
            Source::Known(v) => Some(v),
            Source::Function { .. } => None,
        }
    }
}
