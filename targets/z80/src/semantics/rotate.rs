//! Rotates, shifts and single bits.

use scrimp_isa::Domain;
use scrimp_isa::domain::{Bit, Byte};

use super::State;
use super::flags::{self, C, H, P, S as SIGN, X, Y, Z};
use crate::reg;

/// A rotated byte and the bit that left it, given the carry.
type Moved<D> = (<D as Domain>::Byte, <D as Domain>::Bit);

#[inline(always)]
pub fn rlc_bits<D: Domain>(d: D, v: D::Byte, _: D::Bit) -> Moved<D> {
    (d.or(d.shl(v, 1), d.shr(v, 7)), d.test(v, 0x80))
}

#[inline(always)]
pub fn rrc_bits<D: Domain>(d: D, v: D::Byte, _: D::Bit) -> Moved<D> {
    (d.or(d.shr(v, 1), d.shl(v, 7)), d.test(v, 0x01))
}

#[inline(always)]
pub fn rl_bits<D: Domain>(d: D, v: D::Byte, carry: D::Bit) -> Moved<D> {
    (d.or(d.shl(v, 1), d.mask(carry, 0x01)), d.test(v, 0x80))
}

#[inline(always)]
pub fn rr_bits<D: Domain>(d: D, v: D::Byte, carry: D::Bit) -> Moved<D> {
    (d.or(d.shr(v, 1), d.mask(carry, 0x80)), d.test(v, 0x01))
}

#[inline(always)]
fn sla_bits<D: Domain>(d: D, v: D::Byte, _: D::Bit) -> Moved<D> {
    (d.shl(v, 1), d.test(v, 0x80))
}

#[inline(always)]
fn sra_bits<D: Domain>(d: D, v: D::Byte, _: D::Bit) -> Moved<D> {
    (d.or(d.shr(v, 1), d.keep(v, 0x80)), d.test(v, 0x01))
}

/// Undocumented: shifts left and sets bit 0.
#[inline(always)]
fn sll_bits<D: Domain>(d: D, v: D::Byte, _: D::Bit) -> Moved<D> {
    (d.or(d.shl(v, 1), d.byte(1)), d.test(v, 0x80))
}

#[inline(always)]
fn srl_bits<D: Domain>(d: D, v: D::Byte, _: D::Bit) -> Moved<D> {
    (d.shr(v, 1), d.test(v, 0x01))
}

/// RLCA and its kin: S, Z and P stay.
#[inline(always)]
pub fn accumulator<S: State>(
    s: &mut S,
    bits: impl FnOnce(S::Domain, Byte<S>, Bit<S>) -> Moved<S::Domain>,
) {
    let d = s.domain();
    let (r, out) = bits(d, s.get(reg::A), flags::carry(s));
    s.set(reg::A, r);
    let f = d.or(flags::kept(s, SIGN | Z | P), d.keep(r, X | Y));
    s.set_flags(d.or(f, d.mask(out, C)));
}

macro_rules! rotates {
    ($($name:ident $bits:ident,)*) => {$(
        #[inline(always)]
        pub fn $name<S: State>(s: &mut S, v: Byte<S>) -> Byte<S> {
            let d = s.domain();
            let (r, out) = $bits(d, v, flags::carry(s));
            s.set_flags(d.or(flags::sign_zero_parity(d, r), d.mask(out, C)));
            r
        }
    )*};
}

rotates! {
    rlc rlc_bits,
    rrc rrc_bits,
    rl rl_bits,
    rr rr_bits,
    sla sla_bits,
    sra sra_bits,
    sll sll_bits,
    srl srl_bits,
}

/// A digit from A to the low half of (HL), that to the high half, that to A.
#[inline(always)]
pub fn rld<S: State>(s: &mut S) {
    let d = s.domain();
    let at = s.pair(reg::HL);
    let v = s.read(at);
    s.idle(4);
    let a = s.get(reg::A);
    s.write(at, d.or(d.shl(v, 4), d.keep(a, 0x0f)));
    digit(s, d.or(d.keep(a, 0xf0), d.shr(v, 4)));
}

/// A digit from A to the high half of (HL), that to the low half, that to A.
#[inline(always)]
pub fn rrd<S: State>(s: &mut S) {
    let d = s.domain();
    let at = s.pair(reg::HL);
    let v = s.read(at);
    s.idle(4);
    let a = s.get(reg::A);
    s.write(at, d.or(d.shr(v, 4), d.shl(a, 4)));
    digit(s, d.or(d.keep(a, 0xf0), d.keep(v, 0x0f)));
}

/// The result of RLD and RRD in A, and the flags.
#[inline(always)]
fn digit<S: State>(s: &mut S, r: Byte<S>) {
    let d = s.domain();
    s.set_pair(reg::WZ, d.inc16(s.pair(reg::HL)));
    s.set(reg::A, r);
    s.set_flags(d.or(flags::sign_zero_parity(d, r), flags::kept(s, C)));
}

/// Tests a bit. X and Y are those of `xy`: the register, or the high byte of WZ.
#[inline(always)]
pub fn bit<S: State>(s: &mut S, number: u8, v: Byte<S>, xy: Byte<S>) {
    let d = s.domain();
    let v = d.keep(v, 1 << number);
    let f = d.or(d.keep(v, SIGN), d.mask(d.is_zero(v), Z | P));
    let f = d.or(f, d.keep(xy, X | Y));
    s.set_flags(d.or(d.or(f, flags::kept(s, C)), d.byte(H)));
}
