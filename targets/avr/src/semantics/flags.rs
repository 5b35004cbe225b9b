//! The flags of SREG after each kind of operation, in any domain.

use scrimp_isa::Domain;
use scrimp_isa::domain::{Bit, Byte, Word};

use super::State;

/// Carry.
pub const C: u8 = 0;
/// Zero.
pub const Z: u8 = 1;
/// Negative: bit 7 of the result.
pub const N: u8 = 2;
/// Two's complement overflow.
pub const V: u8 = 3;
/// Sign: N or V but not both.
pub const S: u8 = 4;
/// Half carry.
pub const H: u8 = 5;
/// The bit that BST and BLD copy.
pub const T: u8 = 6;
/// Interrupts are on.
pub const I: u8 = 7;

/// `a` or `b` but not both.
fn differ<D: Domain>(d: D, a: D::Bit, b: D::Bit) -> D::Bit {
    d.select_bit(a, d.not(b), b)
}

/// N, V and S.
fn signs<X: State + ?Sized>(s: &mut X, negative: Bit<X>, overflow: Bit<X>) {
    let d = s.domain();
    s.set_flag(N, negative);
    s.set_flag(V, overflow);
    s.set_flag(S, differ(d, negative, overflow));
}

/// Of `sum`, which is `a + b`, maybe and a carry.
pub fn add<X: State + ?Sized>(s: &mut X, a: Byte<X>, b: Byte<X>, sum: Byte<X>) {
    let d = s.domain();
    // What each bit carries into the next.
    let carries = d.or(d.and(a, b), d.and(d.or(a, b), d.xor(sum, d.byte(0xff))));
    s.set_flag(H, d.test(carries, 0x08));
    s.set_flag(C, d.test(carries, 0x80));
    let overflow = d.and(d.xor(a, sum), d.xor(b, sum));
    signs(s, d.test(sum, 0x80), d.test(overflow, 0x80));
    s.set_flag(Z, d.is_zero(sum));
}

/// Of `difference`, which is `a - b`, maybe less a borrow. With `chain` Z stays set
/// only if it was: a comparison of several bytes.
pub fn sub<X: State + ?Sized>(s: &mut X, a: Byte<X>, b: Byte<X>, difference: Byte<X>, chain: bool) {
    let d = s.domain();
    let not_a = d.xor(a, d.byte(0xff));
    let borrows = d.or(d.and(not_a, b), d.and(d.or(not_a, b), difference));
    s.set_flag(H, d.test(borrows, 0x08));
    s.set_flag(C, d.test(borrows, 0x80));
    let overflow = d.and(d.xor(a, b), d.xor(a, difference));
    signs(s, d.test(difference, 0x80), d.test(overflow, 0x80));
    let zero = d.is_zero(difference);
    let zero = if chain { d.both(zero, s.flag(Z)) } else { zero };
    s.set_flag(Z, zero);
}

/// Of a bitwise result.
pub fn logic<X: State + ?Sized>(s: &mut X, v: Byte<X>) {
    let d = s.domain();
    signs(s, d.test(v, 0x80), d.bit(false));
    s.set_flag(Z, d.is_zero(v));
}

/// Of a count up or down: it overflows where the result is `edge`.
pub fn count<X: State + ?Sized>(s: &mut X, v: Byte<X>, edge: u8) {
    let d = s.domain();
    let overflow = d.is_zero(d.xor(v, d.byte(edge)));
    signs(s, d.test(v, 0x80), overflow);
    s.set_flag(Z, d.is_zero(v));
}

/// Of a shift to the right that has shifted a bit out.
pub fn shift<X: State + ?Sized>(s: &mut X, v: Byte<X>, out: Bit<X>) {
    let d = s.domain();
    let negative = d.test(v, 0x80);
    s.set_flag(C, out);
    s.set_flag(N, negative);
    s.set_flag(V, differ(d, negative, out));
    // N or V but not both.
    s.set_flag(S, out);
    s.set_flag(Z, d.is_zero(v));
}

/// Of a 16-bit sum or difference.
pub fn word<X: State + ?Sized>(s: &mut X, v: Word<X>, overflow: Bit<X>, carry: Bit<X>) {
    let d = s.domain();
    s.set_flag(C, carry);
    signs(s, d.test(d.high(v), 0x80), overflow);
    s.set_flag(Z, d.is_zero16(v));
}

/// Of a product, whose bit 15 before any shift is the carry.
pub fn product<X: State + ?Sized>(s: &mut X, v: Word<X>, carry: Bit<X>) {
    let d = s.domain();
    s.set_flag(C, carry);
    s.set_flag(Z, d.is_zero16(v));
}
