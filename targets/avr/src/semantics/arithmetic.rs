//! Sums, differences, products, shifts.

use scrimp_isa::Domain;
use scrimp_isa::domain::{Bit, Byte};

use super::flags::C;
use super::{Ins, State};

/// ADD and ADC.
#[inline(always)]
pub fn add<X: State>(s: &mut X, register: u8, b: Byte<X>, carry: Bit<X>) {
    let a = s.get(register);
    let sum = s.domain().add(a, b, carry).0;
    s.flags_add(a, b, sum);
    s.set(register, sum);
}

/// `a - b` and its flags.
#[inline(always)]
pub fn compare<X: State>(s: &mut X, a: Byte<X>, b: Byte<X>) -> Byte<X> {
    let d = s.domain();
    let difference = d.sub(a, b, d.bit(false)).0;
    s.flags_sub(a, b, difference, false);
    difference
}

/// `a - b - C` and its flags.
#[inline(always)]
pub fn compare_carry<X: State>(s: &mut X, a: Byte<X>, b: Byte<X>) -> Byte<X> {
    let difference = s.domain().sub(a, b, s.flag(C)).0;
    s.flags_sub(a, b, difference, true);
    difference
}

/// SUB and SUBI.
#[inline(always)]
pub fn sub<X: State>(s: &mut X, register: u8, b: Byte<X>) {
    let v = compare(s, s.get(register), b);
    s.set(register, v);
}

/// SBC and SBCI.
#[inline(always)]
pub fn sbc<X: State>(s: &mut X, register: u8, b: Byte<X>) {
    let v = compare_carry(s, s.get(register), b);
    s.set(register, v);
}

/// A bitwise result.
#[inline(always)]
pub fn logic<X: State>(s: &mut X, register: u8, v: Byte<X>) {
    s.flags_logic(v);
    s.set(register, v);
}

/// A shift to the right that takes in a bit at the top.
#[inline(always)]
pub fn shift<X: State>(s: &mut X, register: u8, top: Bit<X>) {
    let d = s.domain();
    let a = s.get(register);
    let v = d.or(d.shr(a, 1), d.mask(top, 0x80));
    s.flags_shift(v, d.test(a, 1));
    s.set(register, v);
}

/// ADIW.
#[inline(always)]
pub fn adiw<X: State>(s: &mut X, i: &Ins) {
    let d = s.domain();
    let a = s.pair(i.d);
    let (v, carry) = d.add16(a, d.pair(d.byte(0), s.constant(i)), d.bit(false));
    let up = d.not(d.test(d.high(a), 0x80));
    s.flags_word(v, d.both(up, d.test(d.high(v), 0x80)), carry);
    s.set_pair(i.d, v);
}

/// SBIW.
#[inline(always)]
pub fn sbiw<X: State>(s: &mut X, i: &Ins) {
    let d = s.domain();
    let a = s.pair(i.d);
    let (v, borrow) = d.sub16(a, d.pair(d.byte(0), s.constant(i)), d.bit(false));
    let down = d.not(d.test(d.high(v), 0x80));
    s.flags_word(v, d.both(d.test(d.high(a), 0x80), down), borrow);
    s.set_pair(i.d, v);
}

/// The product of two unsigned bytes, by shifting and adding.
pub fn product<D: Domain>(d: D, a: D::Byte, b: D::Byte) -> D::Word {
    let no = d.bit(false);
    let mut sum = d.word(0);
    for bit in (0..8).rev() {
        sum = d.add16(sum, sum, no).0;
        let add = d.select16(d.test(a, 1 << bit), d.pair(d.byte(0), b), d.word(0));
        sum = d.add16(sum, add, no).0;
    }
    sum
}

/// The multiplications: which operand has a sign, and whether the result is shifted
/// left by one.
#[inline(always)]
pub fn mul<X: State>(s: &mut X, i: &Ins, signed: [bool; 2], fraction: bool) {
    let d = s.domain();
    let no = d.bit(false);
    let (a, b) = (s.get(i.d), s.get(i.r));
    let v = s.product(a, b);
    let mut high = d.high(v);
    // A negative operand is 256 less than its bits: take the other off above.
    if signed[0] {
        let less = d.select(d.test(a, 0x80), b, d.byte(0));
        high = d.sub(high, less, no).0;
    }
    if signed[1] {
        let less = d.select(d.test(b, 0x80), a, d.byte(0));
        high = d.sub(high, less, no).0;
    }
    let carry = d.test(high, 0x80);
    let mut v = d.pair(high, d.low(v));
    if fraction {
        v = d.add16(v, v, no).0;
    }
    s.flags_product(v, carry);
    s.set_pair(0, v);
}
