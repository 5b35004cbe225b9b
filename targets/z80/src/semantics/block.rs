//! The block instructions: one step each, which puts the program counter back
//! while there is more to do.
//!
//! In a step that goes on, X and Y are bits of the program counter, and those on
//! ports change H and P once more: the CPU computes flags while it counts back.
//! Source: the research of Manuel Sainz de Baranda and others of 2022, as tested
//! by SingleStepTests.

use scrimp_isa::Domain;
use scrimp_isa::domain::{Bit, Byte, Word};

use super::State;
use super::flags::{self, C, H, N, P, S as SIGN, X, Y, Z};
use crate::reg;

/// One up or down.
#[inline(always)]
fn step<D: Domain>(d: D, v: D::Word, up: bool) -> D::Word {
    if up { d.inc16(v) } else { d.dec16(v) }
}

/// Sets the flags and, where `more`, puts the program counter back to the
/// instruction. `again` makes the flags of such a step.
#[inline(always)]
fn finish<S: State>(
    s: &mut S,
    f: Byte<S>,
    repeat: bool,
    more: Bit<S>,
    again: impl FnOnce(&mut S, Byte<S>) -> Byte<S>,
) -> Bit<S> {
    let d = s.domain();
    s.set_flags(f);
    if !repeat {
        return d.bit(false);
    }
    s.when(more, |s| {
        s.idle(5);
        let pc = d.sub16(s.pc(), d.word(2), d.bit(false)).0;
        s.set_pc(pc);
        s.set_pair(reg::WZ, d.inc16(pc));
        let xy = d.keep(d.high(pc), X | Y);
        let f = again(s, d.or(d.keep(f, !(X | Y)), xy));
        s.set_flags(f);
    });
    more
}

/// LDI, LDD, LDIR, LDDR.
#[inline(always)]
pub fn load<S: State>(s: &mut S, up: bool, repeat: bool) -> Bit<S> {
    let d = s.domain();
    let (hl, de) = (s.pair(reg::HL), s.pair(reg::DE));
    let v = s.read(hl);
    s.write(de, v);
    s.idle(2);
    s.set_pair(reg::HL, step(d, hl, up));
    s.set_pair(reg::DE, step(d, de, up));
    let bc = d.dec16(s.pair(reg::BC));
    s.set_pair(reg::BC, bc);
    let more = d.not(d.is_zero16(bc));
    let n = d.add(s.get(reg::A), v, d.bit(false)).0;
    let xy = d.or(d.keep(n, X), d.keep(d.shl(n, 4), Y));
    let f = d.or(flags::kept(s, SIGN | Z | C), d.or(xy, d.mask(more, P)));
    finish(s, f, repeat, more, |_, f| f)
}

/// CPI, CPD, CPIR, CPDR.
#[inline(always)]
pub fn compare<S: State>(s: &mut S, up: bool, repeat: bool) -> Bit<S> {
    let d = s.domain();
    let no = d.bit(false);
    let hl = s.pair(reg::HL);
    let v = s.read(hl);
    s.idle(5);
    s.set_pair(reg::HL, step(d, hl, up));
    s.set_pair(reg::WZ, step(d, s.pair(reg::WZ), up));
    let bc = d.dec16(s.pair(reg::BC));
    s.set_pair(reg::BC, bc);
    let left = d.not(d.is_zero16(bc));
    let a = s.get(reg::A);
    let r = d.sub(a, v, no).0;
    let half = d.keep(d.xor(d.xor(a, v), r), H);
    let n = d.sub(r, d.shr(half, 4), no).0;
    let xy = d.or(d.keep(n, X), d.keep(d.shl(n, 4), Y));
    let f = d.or(d.keep(r, SIGN), d.mask(d.is_zero(r), Z));
    let f = d.or(d.or(f, half), d.or(xy, d.mask(left, P)));
    let f = d.or(f, d.or(flags::kept(s, C), d.byte(N)));
    let more = d.both(left, d.test(r, 0xff));
    finish(s, f, repeat, more, |_, f| f)
}

/// INI, IND, INIR, INDR.
#[inline(always)]
pub fn input<S: State>(s: &mut S, up: bool, repeat: bool) -> Bit<S> {
    let d = s.domain();
    s.idle(1);
    let bc = s.pair(reg::BC);
    s.set_pair(reg::WZ, step(d, bc, up));
    let v = s.input(bc);
    let hl = s.pair(reg::HL);
    s.write(hl, v);
    s.set_pair(reg::HL, step(d, hl, up));
    let c = d.low(step(d, d.pair(d.byte(0), s.get(reg::C)), up));
    port(s, v, c, repeat)
}

/// OUTI, OUTD, OTIR, OTDR.
#[inline(always)]
pub fn output<S: State>(s: &mut S, up: bool, repeat: bool) -> Bit<S> {
    let d = s.domain();
    s.idle(1);
    let hl = s.pair(reg::HL);
    let v = s.read(hl);
    // B counts down before it is put on the bus.
    let b = d.sub(s.get(reg::B), d.byte(1), d.bit(false)).0;
    let to: Word<S> = d.pair(b, s.get(reg::C));
    s.output(to, v);
    s.set_pair(reg::WZ, step(d, to, up));
    let hl = step(d, hl, up);
    s.set_pair(reg::HL, hl);
    port(s, v, d.low(hl), repeat)
}

/// Counts B down and makes the flags: `v` is the byte moved, `k` what the CPU
/// adds to it.
#[inline(always)]
fn port<S: State>(s: &mut S, v: Byte<S>, k: Byte<S>, repeat: bool) -> Bit<S> {
    let d = s.domain();
    let no = d.bit(false);
    let b = d.sub(s.get(reg::B), d.byte(1), no).0;
    s.set(reg::B, b);
    let (k, carry) = d.add(v, k, no);
    let parity = d.even(d.xor(d.keep(k, 7), b));
    let f = d.or(flags::sign_zero(d, b), d.shr(d.keep(v, 0x80), 6));
    let f = d.or(f, d.or(d.mask(carry, H | C), d.mask(parity, P)));
    let more = d.test(b, 0xff);
    finish(s, f, repeat, more, |_, f| {
        let negative = d.test(v, 0x80);
        let (down, up) = (d.sub(b, d.byte(1), no).0, d.add(b, d.byte(1), no).0);
        let moved = d.select(carry, d.select(negative, down, up), b);
        let odd = d.not(d.even(d.keep(moved, 7)));
        // A borrow or carry out of the low half of B.
        let digit = d.keep(d.xor(b, d.select(negative, d.byte(0x0f), d.byte(0))), 0x0f);
        let half = d.both(carry, d.not(d.test(d.xor(digit, d.byte(0x0f)), 0xff)));
        d.or(d.keep(d.xor(f, d.mask(odd, P)), !H), d.mask(half, H))
    })
}
