//! What each operation does: a type for each, and [`exec`], which takes the one that an
//! instruction names. Who knows beforehand which operation follows can name it itself.

use scrimp_isa::Domain;
use scrimp_isa::domain::Bit;

use super::flags::{C, H, I, N, S, T, V, Z};
use super::{Ins, State, X, Y, ZP, arithmetic, pop, push, push_next, ret};
use super::{branch_if, down_then_load, down_then_store, exchange, skip_if};
use super::{load, load_then_up, store, store_then_up};
use crate::op::{Op, any_row};

/// One operation.
pub trait One {
    /// Which.
    const OP: Op;

    /// Does it. The bit returned tells whether it takes its longer time.
    fn run<S: State>(s: &mut S, i: &Ins) -> Bit<S>;
}

/// The bit of an operation: a `plain` one always takes the same time.
macro_rules! bit {
    (plain, $no:ident, $body:expr) => {{
        $body;
        $no
    }};
    (long, $no:ident, $body:expr) => {
        $body
    };
}

macro_rules! ones {
    (|$s:ident, $d:ident, $i:ident, $no:ident| $($kind:ident $name:ident = $body:expr;)*) => {
        $(
            #[doc = concat!("[`Op::", stringify!($name), "`].")]
            #[derive(Clone, Copy, Debug)]
            pub struct $name;

            impl One for $name {
                const OP: Op = Op::$name;

                #[inline(always)]
                fn run<S_: State>($s: &mut S_, $i: &Ins) -> Bit<S_> {
                    let $d = $s.domain();
                    let $no = $d.bit(false);
                    let _ = ($i, $no);
                    bit!($kind, $no, $body)
                }
            }
        )*

        /// Does the operation. The bit returned tells whether it takes its longer time.
        #[inline(always)]
        pub fn exec<S_: State>(s: &mut S_, i: &Ins) -> Bit<S_> {
            match i.op {
                $(Op::$name => $name::run(s, i),)*
                // What keeps rows looks for them itself.
                any_row!() => Undefined::run(s, i),
            }
        }
    };
}

ones! { |s, d, i, no|
    long Nop = no;
    plain Movw = {
        s.set(i.d, s.get(i.r));
        s.set(i.d + 1, s.get(i.r + 1));
    };
    plain Mov = s.set(i.d, s.get(i.r));
    plain Ldi = s.set(i.d, s.constant(i));

    plain Add = arithmetic::add(s, i.d, s.get(i.r), no);
    plain Adc = arithmetic::add(s, i.d, s.get(i.r), s.flag(C));
    plain Sub = arithmetic::sub(s, i.d, s.get(i.r));
    plain Subi = arithmetic::sub(s, i.d, s.constant(i));
    plain Sbc = arithmetic::sbc(s, i.d, s.get(i.r));
    plain Sbci = arithmetic::sbc(s, i.d, s.constant(i));
    plain Cp = arithmetic::compare(s, s.get(i.d), s.get(i.r));
    plain Cpi = arithmetic::compare(s, s.get(i.d), s.constant(i));
    plain Cpc = arithmetic::compare_carry(s, s.get(i.d), s.get(i.r));
    plain And = arithmetic::logic(s, i.d, d.and(s.get(i.d), s.get(i.r)));
    plain Andi = arithmetic::logic(s, i.d, d.and(s.get(i.d), s.constant(i)));
    plain Or = arithmetic::logic(s, i.d, d.or(s.get(i.d), s.get(i.r)));
    plain Ori = arithmetic::logic(s, i.d, d.or(s.get(i.d), s.constant(i)));
    plain Eor = arithmetic::logic(s, i.d, d.xor(s.get(i.d), s.get(i.r)));
    plain Com = {
        arithmetic::logic(s, i.d, d.xor(s.get(i.d), d.byte(0xff)));
        s.set_flag(C, d.bit(true));
    };
    plain Neg = {
        let v = arithmetic::compare(s, d.byte(0), s.get(i.d));
        s.set(i.d, v);
    };
    plain Inc = {
        let v = d.add(s.get(i.d), d.byte(1), no).0;
        s.flags_count(v, 0x80);
        s.set(i.d, v);
    };
    plain Dec = {
        let v = d.sub(s.get(i.d), d.byte(1), no).0;
        s.flags_count(v, 0x7f);
        s.set(i.d, v);
    };
    plain Swap = {
        let v = s.get(i.d);
        s.set(i.d, d.or(d.shl(v, 4), d.shr(v, 4)));
    };
    plain Asr = arithmetic::shift(s, i.d, d.test(s.get(i.d), 0x80));
    plain Lsr = arithmetic::shift(s, i.d, no);
    plain Ror = arithmetic::shift(s, i.d, s.flag(C));
    plain Adiw = arithmetic::adiw(s, i);
    plain Sbiw = arithmetic::sbiw(s, i);
    plain Mul = arithmetic::mul(s, i, [false, false], false);
    plain Muls = arithmetic::mul(s, i, [true, true], false);
    plain Mulsu = arithmetic::mul(s, i, [true, false], false);
    plain Fmul = arithmetic::mul(s, i, [false, false], true);
    plain Fmuls = arithmetic::mul(s, i, [true, true], true);
    plain Fmulsu = arithmetic::mul(s, i, [true, false], true);
    plain Des = s.des(i.k as u8);

    plain Lds = {
        if i.words == 2 {
            s.second_word();
        }
        let v = s.read(s.address(i));
        s.set(i.d, v);
    };
    plain Sts = {
        if i.words == 2 {
            s.second_word();
        }
        s.write(s.address(i), s.get(i.d));
    };
    plain LdX = load(s, i, X);
    plain LdXInc = load_then_up(s, i, X);
    plain LdXDec = down_then_load(s, i, X);
    plain LdY = load(s, i, Y);
    plain LdYInc = load_then_up(s, i, Y);
    plain LdYDec = down_then_load(s, i, Y);
    plain LdZ = load(s, i, ZP);
    plain LdZInc = load_then_up(s, i, ZP);
    plain LdZDec = down_then_load(s, i, ZP);
    plain StX = store(s, i, X);
    plain StXInc = store_then_up(s, i, X);
    plain StXDec = down_then_store(s, i, X);
    plain StY = store(s, i, Y);
    plain StYInc = store_then_up(s, i, Y);
    plain StYDec = down_then_store(s, i, Y);
    plain StZ = store(s, i, ZP);
    plain StZInc = store_then_up(s, i, ZP);
    plain StZDec = down_then_store(s, i, ZP);
    plain Lpm = {
        let v = s.program(d.byte(0), s.pair(ZP));
        s.set(i.d, v);
    };
    plain LpmInc = {
        let v = s.program(d.byte(0), s.pair(ZP));
        s.set_pair(ZP, d.inc16(s.pair(ZP)));
        s.set(i.d, v);
    };
    plain Elpm = {
        let top = s.ramp();
        let v = s.program(top, s.pair(ZP));
        s.set(i.d, v);
    };
    plain ElpmInc = {
        let top = s.ramp();
        let v = s.program(top, s.pair(ZP));
        let (low, carry) = d.add16(s.pair(ZP), d.word(1), no);
        s.set_pair(ZP, low);
        s.set_ramp(d.add(top, d.byte(0), carry).0);
        s.set(i.d, v);
    };
    plain Spm = s.store_program();
    plain SpmInc = {
        s.store_program();
        s.set_pair(ZP, d.add16(s.pair(ZP), d.word(2), no).0);
    };
    plain In = {
        let v = s.input(s.address(i));
        s.set(i.d, v);
    };
    plain Out = s.output(s.address(i), s.get(i.d));
    plain Push = push(s, s.get(i.d));
    plain Pop = {
        let v = pop(s);
        s.set(i.d, v);
    };
    plain Xch = exchange(s, i, |_, _, register| register);
    plain Las = exchange(s, i, |d, v, register| d.or(v, register));
    plain Lac = exchange(s, i, |d, v, register| {
        d.and(v, d.xor(register, d.byte(0xff)))
    });
    plain Lat = exchange(s, i, |d, v, register| d.xor(v, register));

    plain Rjmp = s.branch(i);
    plain Jmp = s.branch(i);
    plain Ijmp = s.go(d.byte(0), s.pair(ZP));
    plain Eijmp = {
        let top = s.eind();
        s.go(top, s.pair(ZP));
    };
    plain Rcall = {
        push_next(s);
        s.branch(i);
    };
    plain Call = {
        s.second_word();
        push_next(s);
        s.branch(i);
    };
    plain Icall = {
        push_next(s);
        s.go(d.byte(0), s.pair(ZP));
    };
    plain Eicall = {
        let top = s.eind();
        push_next(s);
        s.go(top, s.pair(ZP));
    };
    plain Ret = ret(s);
    plain Reti = {
        ret(s);
        s.interrupt_ends();
    };
    long Cpse = {
        let same = d.is_zero(d.xor(s.get(i.d), s.get(i.r)));
        skip_if(s, i, same)
    };
    long Sbrc = skip_if(s, i, d.not(d.test(s.get(i.d), 1 << i.r)));
    long Sbrs = skip_if(s, i, d.test(s.get(i.d), 1 << i.r));
    long Sbic = {
        let v = s.input(s.address(i));
        skip_if(s, i, d.not(d.test(v, 1 << i.r)))
    };
    long Sbis = {
        let v = s.input(s.address(i));
        skip_if(s, i, d.test(v, 1 << i.r))
    };
    long Brcs = branch_if(s, i, s.flag(C));
    long Breq = branch_if(s, i, s.flag(Z));
    long Brmi = branch_if(s, i, s.flag(N));
    long Brvs = branch_if(s, i, s.flag(V));
    long Brlt = branch_if(s, i, s.flag(S));
    long Brhs = branch_if(s, i, s.flag(H));
    long Brts = branch_if(s, i, s.flag(T));
    long Brie = branch_if(s, i, s.flag(I));
    long Brcc = branch_if(s, i, d.not(s.flag(C)));
    long Brne = branch_if(s, i, d.not(s.flag(Z)));
    long Brpl = branch_if(s, i, d.not(s.flag(N)));
    long Brvc = branch_if(s, i, d.not(s.flag(V)));
    long Brge = branch_if(s, i, d.not(s.flag(S)));
    long Brhc = branch_if(s, i, d.not(s.flag(H)));
    long Brtc = branch_if(s, i, d.not(s.flag(T)));
    long Brid = branch_if(s, i, d.not(s.flag(I)));

    plain Sec = s.set_flag(C, d.bit(true));
    plain Sez = s.set_flag(Z, d.bit(true));
    plain Sen = s.set_flag(N, d.bit(true));
    plain Sev = s.set_flag(V, d.bit(true));
    plain Ses = s.set_flag(S, d.bit(true));
    plain Seh = s.set_flag(H, d.bit(true));
    plain Set = s.set_flag(T, d.bit(true));
    plain Sei = s.set_flag(I, d.bit(true));
    plain Clc = s.set_flag(C, no);
    plain Clz = s.set_flag(Z, no);
    plain Cln = s.set_flag(N, no);
    plain Clv = s.set_flag(V, no);
    plain Cls = s.set_flag(S, no);
    plain Clh = s.set_flag(H, no);
    plain Clt = s.set_flag(T, no);
    plain Cli = s.set_flag(I, no);
    plain Sbi = s.set_bit(s.address(i), i.r, true);
    plain Cbi = s.set_bit(s.address(i), i.r, false);
    plain Bst = s.set_flag(T, d.test(s.get(i.d), 1 << i.r));
    plain Bld = {
        let bit = d.mask(s.flag(T), 1 << i.r);
        s.set(i.d, d.or(d.keep(s.get(i.d), !(1 << i.r)), bit));
    };
    plain Break = s.stop();
    plain Sleep = s.sleep();
    plain Wdr = s.watchdog();
    plain Undefined = s.undefined(i);
}
