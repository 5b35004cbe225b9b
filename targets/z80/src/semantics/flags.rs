//! The flag register: S Z Y H X P N C from bit 7 to bit 0. Y and X are copies of
//! bits 5 and 3 of most results.

use scrimp_isa::Domain;
use scrimp_isa::domain::{Bit, Byte};

use super::State;
use crate::reg;

/// Sign.
pub const S: u8 = 0x80;
/// Zero.
pub const Z: u8 = 0x40;
/// Undocumented, bit 5 of a result.
pub const Y: u8 = 0x20;
/// Carry from bit 3.
pub const H: u8 = 0x10;
/// Undocumented, bit 3 of a result.
pub const X: u8 = 0x08;
/// Parity or overflow.
pub const P: u8 = 0x04;
/// The last operation was a subtraction.
pub const N: u8 = 0x02;
/// Carry.
pub const C: u8 = 0x01;

/// S, Z, Y and X of a result.
#[inline(always)]
pub fn sign_zero<D: Domain>(d: D, v: D::Byte) -> D::Byte {
    d.or(d.keep(v, S | Y | X), d.mask(d.is_zero(v), Z))
}

/// S, Z, Y, X and the parity of a result.
#[inline(always)]
pub fn sign_zero_parity<D: Domain>(d: D, v: D::Byte) -> D::Byte {
    d.or(sign_zero(d, v), d.mask(d.even(v), P))
}

/// H and P of a sum or difference from the two operands and the result. `same`
/// tells whether it is a sum, which overflows when the operands agree in sign.
#[inline(always)]
pub fn half_overflow<D: Domain>(
    d: D,
    a: D::Byte,
    b: D::Byte,
    result: D::Byte,
    sum: bool,
) -> D::Byte {
    let changed = d.xor(a, result);
    let other = d.xor(b, if sum { result } else { a });
    let overflow = d.shr(d.keep(d.and(changed, other), 0x80), 5);
    d.or(d.keep(d.xor(changed, b), H), overflow)
}

/// The carry flag.
#[inline(always)]
pub fn carry<S: State>(s: &S) -> Bit<S> {
    s.domain().test(s.get(reg::F), C)
}

/// The flags of the mask, the others 0.
#[inline(always)]
pub fn kept<S: State>(s: &S, mask: u8) -> Byte<S> {
    s.domain().keep(s.get(reg::F), mask)
}

/// Condition 0 to 7: NZ, Z, NC, C, PO, PE, P, M.
#[inline(always)]
pub fn condition<T: State>(s: &T, number: u8) -> Bit<T> {
    let d = s.domain();
    let set = d.test(s.get(reg::F), [Z, C, P, S][usize::from(number >> 1 & 3)]);
    if number & 1 == 1 { set } else { d.not(set) }
}
