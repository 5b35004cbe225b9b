//! The domain of plain integers: a simulator.

use crate::Domain;

/// Bits are `bool`, bytes `u8`, words `u16`.
#[derive(Clone, Copy, Debug, Default)]
pub struct Concrete;

#[rustfmt::skip]
impl Domain for Concrete {
    type Bit = bool;
    type Byte = u8;
    type Word = u16;

    #[inline(always)]
    fn bit(self, value: bool) -> bool { value }
    #[inline(always)]
    fn byte(self, value: u8) -> u8 { value }
    #[inline(always)]
    fn word(self, value: u16) -> u16 { value }

    #[inline(always)]
    fn not(self, a: bool) -> bool { !a }
    #[inline(always)]
    fn both(self, a: bool, b: bool) -> bool { a & b }
    #[inline(always)]
    fn either(self, a: bool, b: bool) -> bool { a | b }
    #[inline(always)]
    fn select_bit(self, condition: bool, a: bool, b: bool) -> bool { if condition { a } else { b } }

    #[inline(always)]
    fn and(self, a: u8, b: u8) -> u8 { a & b }
    #[inline(always)]
    fn or(self, a: u8, b: u8) -> u8 { a | b }
    #[inline(always)]
    fn xor(self, a: u8, b: u8) -> u8 { a ^ b }
    #[inline(always)]
    fn add(self, a: u8, b: u8, carry: bool) -> (u8, bool) {
        let sum = u16::from(a) + u16::from(b) + u16::from(carry);
        (sum as u8, sum > 0xff)
    }
    #[inline(always)]
    fn sub(self, a: u8, b: u8, borrow: bool) -> (u8, bool) {
        let difference = u16::from(a).wrapping_sub(u16::from(b) + u16::from(borrow));
        (difference as u8, difference > 0xff)
    }
    #[inline(always)]
    fn shl(self, a: u8, n: u8) -> u8 { a << n }
    #[inline(always)]
    fn shr(self, a: u8, n: u8) -> u8 { a >> n }
    #[inline(always)]
    fn test(self, a: u8, mask: u8) -> bool { a & mask != 0 }
    #[inline(always)]
    fn even(self, a: u8) -> bool { a.count_ones() & 1 == 0 }
    #[inline(always)]
    fn select(self, condition: bool, a: u8, b: u8) -> u8 { if condition { a } else { b } }

    #[inline(always)]
    fn pair(self, high: u8, low: u8) -> u16 { u16::from_be_bytes([high, low]) }
    #[inline(always)]
    fn high(self, a: u16) -> u8 { (a >> 8) as u8 }
    #[inline(always)]
    fn low(self, a: u16) -> u8 { a as u8 }
    #[inline(always)]
    fn add16(self, a: u16, b: u16, carry: bool) -> (u16, bool) {
        let sum = u32::from(a) + u32::from(b) + u32::from(carry);
        (sum as u16, sum > 0xffff)
    }
    #[inline(always)]
    fn sub16(self, a: u16, b: u16, borrow: bool) -> (u16, bool) {
        let difference = u32::from(a).wrapping_sub(u32::from(b) + u32::from(borrow));
        (difference as u16, difference > 0xffff)
    }
    #[inline(always)]
    fn select16(self, condition: bool, a: u16, b: u16) -> u16 { if condition { a } else { b } }

    #[inline(always)]
    fn known(self, a: bool) -> Option<bool> { Some(a) }
    #[inline(always)]
    fn exact(self, a: u8) -> Option<u8> { Some(a) }
    #[inline(always)]
    fn exact16(self, a: u16) -> Option<u16> { Some(a) }
}
