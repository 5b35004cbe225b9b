//! Loads, exchanges and ports that do more than move a value.

use std::ops::RangeInclusive;

use scrimp_isa::Domain;
use scrimp_isa::domain::Byte;

use super::State;
use super::flags::{self, C, P};
use crate::reg;

/// LD (IX+d),n: the displacement is added while n is fetched.
#[inline(always)]
pub fn ld_index_n<S: State>(s: &mut S, i: &super::Ins) {
    let by = s.displacement(i);
    let v = s.immediate();
    s.idle(2);
    let at = super::indexed(s, i.x, by);
    s.write(at, v);
}

#[inline(always)]
pub fn ld_a_pointer<S: State>(s: &mut S, pair: u8) {
    let at = s.pair(pair);
    let v = s.read(at);
    s.set(reg::A, v);
    s.set_pair(reg::WZ, s.domain().inc16(at));
}

#[inline(always)]
pub fn ld_pointer_a<S: State>(s: &mut S, pair: u8) {
    let at = s.pair(pair);
    s.write(at, s.get(reg::A));
    wz_after_a(s, at);
}

#[inline(always)]
pub fn ld_a_word<S: State>(s: &mut S) {
    let at = s.immediate16();
    let v = s.read(at);
    s.set(reg::A, v);
    s.set_pair(reg::WZ, s.domain().inc16(at));
}

#[inline(always)]
pub fn ld_word_a<S: State>(s: &mut S) {
    let at = s.immediate16();
    s.write(at, s.get(reg::A));
    wz_after_a(s, at);
}

/// WZ after A is written to memory: low byte one up without carry, high byte A.
#[inline(always)]
fn wz_after_a<S: State>(s: &mut S, at: scrimp_isa::domain::Word<S>) {
    let d = s.domain();
    let low = d.add(d.low(at), d.byte(1), d.bit(false)).0;
    s.set_pair(reg::WZ, d.pair(s.get(reg::A), low));
}

/// LD A,I and LD A,R: P is the second interrupt flip-flop.
#[inline(always)]
pub fn ld_a_special<S: State>(s: &mut S, v: Byte<S>) {
    let d = s.domain();
    s.idle(1);
    s.set(reg::A, v);
    let f = d.or(flags::sign_zero(d, v), flags::kept(s, C));
    s.set_flags(d.or(f, d.mask(s.iff(2), P)));
    s.told_interrupts();
}

#[inline(always)]
pub fn ld_pair_word<S: State>(s: &mut S, pair: u8) {
    let d = s.domain();
    let at = s.immediate16();
    let low = s.read(at);
    let next = d.inc16(at);
    let high = s.read(next);
    s.set_pair(reg::WZ, next);
    s.set_pair(pair, d.pair(high, low));
    if pair == reg::SP {
        s.stack_moved();
    }
}

#[inline(always)]
pub fn ld_word_pair<S: State>(s: &mut S, pair: u8) {
    let d = s.domain();
    let at = s.immediate16();
    let v = s.pair(pair);
    s.write(at, d.low(v));
    let next = d.inc16(at);
    s.write(next, d.high(v));
    s.set_pair(reg::WZ, next);
}

/// Swaps registers with those of the other set.
#[inline(always)]
pub fn exchange<S: State>(s: &mut S, registers: RangeInclusive<u8>) {
    for r in registers {
        let v = s.get(r);
        s.set(r, s.get(r + reg::OTHER));
        s.set(r + reg::OTHER, v);
    }
}

#[inline(always)]
pub fn ex_sp<S: State>(s: &mut S, pair: u8) {
    let d = s.domain();
    let sp = s.pair(reg::SP);
    let low = s.read(sp);
    let above = d.inc16(sp);
    let high = s.read(above);
    s.idle(1);
    let v = s.pair(pair);
    s.write(above, d.high(v));
    s.write(sp, d.low(v));
    s.idle(2);
    let v = d.pair(high, low);
    s.set_pair(pair, v);
    s.set_pair(reg::WZ, v);
}

/// IN A,(n): A is the high half of the port's address.
#[inline(always)]
pub fn in_a<S: State>(s: &mut S) {
    let d = s.domain();
    let n = s.immediate();
    let port = d.pair(s.get(reg::A), n);
    let v = s.input(port);
    s.set(reg::A, v);
    s.set_pair(reg::WZ, d.inc16(port));
}

#[inline(always)]
pub fn out_a<S: State>(s: &mut S) {
    let d = s.domain();
    let n = s.immediate();
    let port = d.pair(s.get(reg::A), n);
    s.output(port, s.get(reg::A));
    wz_after_a(s, port);
}

/// Reads port BC and sets the flags.
#[inline(always)]
pub fn in_c<S: State>(s: &mut S) -> Byte<S> {
    let d = s.domain();
    let port = s.pair(reg::BC);
    let v = s.input(port);
    s.set_pair(reg::WZ, d.inc16(port));
    s.set_flags(d.or(flags::sign_zero_parity(d, v), flags::kept(s, C)));
    v
}

#[inline(always)]
pub fn out_c<S: State>(s: &mut S, v: Byte<S>) {
    let port = s.pair(reg::BC);
    s.output(port, v);
    s.set_pair(reg::WZ, s.domain().inc16(port));
}
