//! The domains: integers compute, dependences tell where bits come from.

use scrimp_isa::depend::{self, Depend, Inputs, Source};
use scrimp_isa::{Concrete, Domain, Pattern};

/// `a + b + carry` of bytes by the rules of any domain, from single bits.
fn ripple<D: Domain>(d: D, a: D::Byte, b: D::Byte, mut carry: D::Bit) -> (D::Byte, D::Bit) {
    let mut sum = d.byte(0);
    for i in 0..8 {
        let (x, y) = (d.test(a, 1 << i), d.test(b, 1 << i));
        let half = d.either(d.both(x, d.not(y)), d.both(d.not(x), y));
        let bit = d.select_bit(half, d.not(carry), carry);
        carry = d.either(d.both(x, y), d.both(half, carry));
        sum = d.or(sum, d.mask(bit, 1 << i));
    }
    (sum, carry)
}

#[test]
fn integers_add_and_subtract_as_bits_do() {
    let d = Concrete;
    for a in 0..=255u8 {
        for b in 0..=255u8 {
            for carry in [false, true] {
                assert_eq!(d.add(a, b, carry), ripple(d, a, b, carry));
                // a - b - borrow is a + !b + !borrow with the carry turned over.
                let (sum, out) = ripple(d, a, !b, !carry);
                assert_eq!(d.sub(a, b, carry), (sum, !out));
            }
        }
        assert_eq!(d.even(a), a.count_ones() % 2 == 0);
        assert_eq!(d.sign_extend(a), a as i8 as u16);
    }
    assert_eq!(d.add16(0xffff, 0, true), (0, true));
    assert_eq!(d.sub16(0, 0, true), (0xffff, true));
    assert_eq!(d.dec16(d.inc16(0xffff)), 0xffff);
}

#[test]
fn a_bit_of_a_sum_depends_on_those_below() {
    let d = Depend;
    let (a, b) = (depend::input::<8>(0), depend::input::<8>(1));
    let (sum, carry) = d.add(a, d.keep(b, 0xf0), d.bit(false));
    assert_eq!(sum[3].inputs(), Inputs::one(0));
    assert_eq!(sum[4].inputs(), Inputs::one(0).and(Inputs::one(1)));
    assert_eq!(carry.inputs(), Inputs::one(0).and(Inputs::one(1)));
    assert_eq!(d.shl(a, 3)[3], a[0]);
    assert_eq!(d.shl(a, 3)[2], Source::Known(false));
}

#[test]
fn what_cancels_is_known() {
    let d = Depend;
    let a = depend::input::<8>(0);
    let c = Source::copy(1, 0);
    assert_eq!(d.xor(a, a), d.byte(0));
    assert_eq!(d.sub(a, a, d.bit(false)), (d.byte(0), Source::Known(false)));
    assert_eq!(d.sub(a, a, c), ([c; 8], c));
    assert_eq!(d.select(c, a, a), a);
    assert_eq!(d.both(c, d.not(c)), Source::Known(false));
    // Two unknown bytes of the same origin are not the same byte.
    let (x, y) = (
        depend::mixed::<8>(Inputs::one(2), 1),
        depend::mixed::<8>(Inputs::one(2), 2),
    );
    assert_eq!(d.xor(x, x), d.byte(0));
    assert_eq!(depend::inputs(&d.xor(x, y)), Inputs::one(2));
}

#[test]
fn a_field_may_be_scattered() {
    let p = Pattern::bytes("11u11101 0110u110 nnnnnnnn");
    let u = p.field(b'u').unwrap();
    assert_eq!((p.len, u.width), (3, 2));
    assert_eq!(u.deposit(0b01), 1 << 5);
    assert_eq!(u.deposit(0b10), 1 << 11);
    for v in 0..4 {
        assert_eq!(u.extract(p.fixed | u.deposit(v)), v);
    }
    assert!(p.matches(p.fixed | u.deposit(3)));
    assert!(!p.matches(p.fixed ^ 1));
}
