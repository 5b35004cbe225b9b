//! Arithmetic and logic.

use scrimp_isa::Domain;
use scrimp_isa::domain::{Bit, Byte};

use super::State;
use super::flags::{self, C, H, N, P, S as SIGN, X, Y, Z};
use crate::reg;

/// A sum and its flags.
#[inline(always)]
fn sum<D: Domain>(d: D, a: D::Byte, b: D::Byte, carry: D::Bit) -> (D::Byte, D::Byte) {
    let (r, carry) = d.add(a, b, carry);
    let f = d.or(
        flags::sign_zero(d, r),
        flags::half_overflow(d, a, b, r, true),
    );
    (r, d.or(f, d.mask(carry, C)))
}

/// A difference and its flags.
#[inline(always)]
fn difference<D: Domain>(d: D, a: D::Byte, b: D::Byte, borrow: D::Bit) -> (D::Byte, D::Byte) {
    let (r, borrow) = d.sub(a, b, borrow);
    let f = d.or(
        flags::sign_zero(d, r),
        flags::half_overflow(d, a, b, r, false),
    );
    (r, d.or(d.or(f, d.byte(N)), d.mask(borrow, C)))
}

#[inline(always)]
fn add_carry<S: State>(s: &mut S, v: Byte<S>, carry: Bit<S>) {
    let (r, f) = sum(s.domain(), s.get(reg::A), v, carry);
    s.set(reg::A, r);
    s.set_flags(f);
}

#[inline(always)]
fn sub_borrow<S: State>(s: &mut S, v: Byte<S>, borrow: Bit<S>) {
    let (r, f) = difference(s.domain(), s.get(reg::A), v, borrow);
    s.set(reg::A, r);
    s.set_flags(f);
}

#[inline(always)]
pub fn add<S: State>(s: &mut S, v: Byte<S>) {
    add_carry(s, v, s.domain().bit(false));
}

#[inline(always)]
pub fn adc<S: State>(s: &mut S, v: Byte<S>) {
    add_carry(s, v, flags::carry(s));
}

#[inline(always)]
pub fn sub<S: State>(s: &mut S, v: Byte<S>) {
    sub_borrow(s, v, s.domain().bit(false));
}

#[inline(always)]
pub fn sbc<S: State>(s: &mut S, v: Byte<S>) {
    sub_borrow(s, v, flags::carry(s));
}

/// X and Y are those of the operand.
#[inline(always)]
pub fn cp<S: State>(s: &mut S, v: Byte<S>) {
    let d = s.domain();
    let (_, f) = difference(d, s.get(reg::A), v, d.bit(false));
    s.set_flags(d.or(d.keep(f, !(X | Y)), d.keep(v, X | Y)));
}

/// A result of AND, OR, XOR.
#[inline(always)]
fn logic<S: State>(s: &mut S, r: Byte<S>, also: u8) {
    let d = s.domain();
    s.set(reg::A, r);
    s.set_flags(d.or(flags::sign_zero_parity(d, r), d.byte(also)));
}

#[inline(always)]
pub fn and<S: State>(s: &mut S, v: Byte<S>) {
    logic(s, s.domain().and(s.get(reg::A), v), H);
}

#[inline(always)]
pub fn xor<S: State>(s: &mut S, v: Byte<S>) {
    logic(s, s.domain().xor(s.get(reg::A), v), 0);
}

#[inline(always)]
pub fn or<S: State>(s: &mut S, v: Byte<S>) {
    logic(s, s.domain().or(s.get(reg::A), v), 0);
}

#[inline(always)]
pub fn inc<S: State>(s: &mut S, v: Byte<S>) -> Byte<S> {
    let d = s.domain();
    let (r, f) = sum(d, v, d.byte(1), d.bit(false));
    s.set_flags(d.or(d.keep(f, !C), flags::kept(s, C)));
    r
}

#[inline(always)]
pub fn dec<S: State>(s: &mut S, v: Byte<S>) -> Byte<S> {
    let d = s.domain();
    let (r, f) = difference(d, v, d.byte(1), d.bit(false));
    s.set_flags(d.or(d.keep(f, !C), flags::kept(s, C)));
    r
}

#[inline(always)]
pub fn neg<S: State>(s: &mut S) {
    let d = s.domain();
    let (r, f) = difference(d, d.byte(0), s.get(reg::A), d.bit(false));
    s.set(reg::A, r);
    s.set_flags(f);
}

#[inline(always)]
pub fn cpl<S: State>(s: &mut S) {
    let d = s.domain();
    let r = d.xor(s.get(reg::A), d.byte(0xff));
    s.set(reg::A, r);
    let f = d.or(flags::kept(s, SIGN | Z | P | C), d.keep(r, X | Y));
    s.set_flags(d.or(f, d.byte(H | N)));
}

/// Adds or takes off 6 for a low digit above 9 or a half carry, $60 for a value
/// above $99 or a carry.
#[inline(always)]
pub fn daa<S: State>(s: &mut S) {
    let d = s.domain();
    let no = d.bit(false);
    let a = s.get(reg::A);
    let f = s.get(reg::F);
    let low = d.either(d.test(f, H), d.sub(d.byte(9), d.keep(a, 0x0f), no).1);
    let high = d.either(d.test(f, C), d.sub(d.byte(0x99), a, no).1);
    let by = d.or(d.mask(low, 0x06), d.mask(high, 0x60));
    let r = d.select(d.test(f, N), d.sub(a, by, no).0, d.add(a, by, no).0);
    s.set(reg::A, r);
    let half = d.keep(d.xor(a, r), H);
    let rest = d.or(d.keep(f, N), d.mask(high, C));
    s.set_flags(d.or(d.or(flags::sign_zero_parity(d, r), half), rest));
}

/// X and Y are those of A, or of A or the flags when the instruction before did
/// not change the flags.
#[inline(always)]
fn carry_xy<S: State>(s: &S) -> Byte<S> {
    let d = s.domain();
    d.keep(d.or(d.xor(s.q(), s.get(reg::F)), s.get(reg::A)), X | Y)
}

#[inline(always)]
pub fn scf<S: State>(s: &mut S) {
    let d = s.domain();
    let f = d.or(flags::kept(s, SIGN | Z | P), carry_xy(s));
    s.set_flags(d.or(f, d.byte(C)));
}

#[inline(always)]
pub fn ccf<S: State>(s: &mut S) {
    let d = s.domain();
    let c = flags::kept(s, C);
    let f = d.or(flags::kept(s, SIGN | Z | P), carry_xy(s));
    s.set_flags(d.or(f, d.or(d.shl(c, 4), d.xor(c, d.byte(C)))));
}

/// S, Z and P stay; H, X and Y are those of the high byte.
#[inline(always)]
pub fn add16<S: State>(s: &mut S, to: u8, from: u8) {
    let d = s.domain();
    s.idle(7);
    let (a, b) = (s.pair(to), s.pair(from));
    s.set_pair(reg::WZ, d.inc16(a));
    let (r, carry) = d.add16(a, b, d.bit(false));
    s.set_pair(to, r);
    let r = d.high(r);
    let half = d.keep(d.xor(d.xor(d.high(a), d.high(b)), r), H);
    let f = d.or(d.or(flags::kept(s, SIGN | Z | P), half), d.keep(r, X | Y));
    s.set_flags(d.or(f, d.mask(carry, C)));
}

#[inline(always)]
pub fn adc16<S: State>(s: &mut S, from: u8) {
    let d = s.domain();
    let (a, b) = (s.pair(reg::HL), s.pair(from));
    let (r, carry) = d.add16(a, b, flags::carry(s));
    let f = d.or(d.keep(d.high(r), SIGN | X | Y), d.mask(d.is_zero16(r), Z));
    let hp = flags::half_overflow(d, d.high(a), d.high(b), d.high(r), true);
    finish16(s, r, d.or(d.or(f, hp), d.mask(carry, C)));
}

#[inline(always)]
pub fn sbc16<S: State>(s: &mut S, from: u8) {
    let d = s.domain();
    let (a, b) = (s.pair(reg::HL), s.pair(from));
    let (r, borrow) = d.sub16(a, b, flags::carry(s));
    let f = d.or(d.keep(d.high(r), SIGN | X | Y), d.mask(d.is_zero16(r), Z));
    let hp = flags::half_overflow(d, d.high(a), d.high(b), d.high(r), false);
    let f = d.or(d.or(f, hp), d.mask(borrow, C));
    finish16(s, r, d.or(f, d.byte(N)));
}

/// Result and flags of a 16-bit operation on HL.
#[inline(always)]
fn finish16<S: State>(s: &mut S, r: scrimp_isa::domain::Word<S>, f: Byte<S>) {
    s.idle(7);
    let wz = s.domain().inc16(s.pair(reg::HL));
    s.set_pair(reg::WZ, wz);
    s.set_pair(reg::HL, r);
    s.set_flags(f);
}
