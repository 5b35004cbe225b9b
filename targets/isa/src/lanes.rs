//! The domain of 64 states side by side: each bit is a word of the host that has the
//! bit of every state, so that all inputs of a short sequence can be tried.

use crate::circuit::Circuit;

/// The domain; it has no state.
#[derive(Clone, Copy, Debug, Default)]
pub struct Lanes;

/// States in a run.
pub const LANES: usize = 64;

impl Circuit for Lanes {
    type Wire = u64;

    fn constant(self, value: bool) -> u64 {
        if value { u64::MAX } else { 0 }
    }
    fn invert(self, a: u64) -> u64 {
        !a
    }
    fn meet(self, a: u64, b: u64) -> u64 {
        a & b
    }
    fn differ(self, a: u64, b: u64) -> u64 {
        a ^ b
    }
    fn join(self, a: u64, b: u64) -> u64 {
        a | b
    }
    fn choose(self, c: u64, a: u64, b: u64) -> u64 {
        c & a | !c & b
    }
    fn certain(self, a: u64) -> Option<bool> {
        match a {
            0 => Some(false),
            u64::MAX => Some(true),
            _ => None,
        }
    }
}

/// The number that one lane has.
pub fn lane(bits: &[u64], lane: usize) -> u32 {
    let bits = bits.iter().enumerate();
    bits.fold(0, |all, (i, b)| all | ((b >> lane & 1) as u32) << i)
}

/// Bits of which each lane has a number of its own.
pub fn spread<const N: usize>(number: impl Fn(usize) -> u32) -> [u64; N] {
    let mut bits = [0; N];
    for lane in 0..LANES {
        let number = number(lane);
        for (i, bit) in bits.iter_mut().enumerate() {
            *bit |= u64::from(number >> i & 1) << lane;
        }
    }
    bits
}
