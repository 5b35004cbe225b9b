//! All domains give what numbers give; where control goes.

use crate::meaning::agree;
use scrimp_isa::Target;
use scrimp_isa::effects::{Successors, Way};
use scrimp_isa::semantics::Code;
use scrimp_z80::Z80;

#[test]
fn every_domain_agrees_with_numbers_on_every_form() {
    let tried = agree(&Z80, |_| false, 6);
    println!("{tried} instances");
    assert!(tried > 1500, "{tried}");
}

#[test]
fn where_control_goes_is_derived() {
    let meaning = Z80.semantics(None).expect("it");
    let of = |bytes: &[u8]| {
        let code = Code {
            bytes,
            address: 0x8000,
        };
        meaning.successors(code).expect("an instruction")
    };
    let way = |falls_through, way, to| Successors {
        falls_through,
        way,
        to,
        slots: 0,
    };
    // jp; jp nz; jr; djnz; jp (hl)
    assert_eq!(
        of(&[0xc3, 0x34, 0x12]),
        way(false, Some(Way::Jump), Some(0x1234))
    );
    assert_eq!(
        of(&[0xc2, 0x34, 0x12]),
        way(true, Some(Way::Jump), Some(0x1234))
    );
    assert_eq!(of(&[0x18, 0xfe]), way(false, Some(Way::Jump), Some(0x8000)));
    assert_eq!(of(&[0x10, 0x10]), way(true, Some(Way::Jump), Some(0x8012)));
    assert_eq!(of(&[0xe9]), way(false, Some(Way::Jump), None));
    // call; call z; rst $18; ret; ret c; retn
    assert_eq!(
        of(&[0xcd, 0x34, 0x12]),
        way(false, Some(Way::Call), Some(0x1234))
    );
    assert_eq!(
        of(&[0xcc, 0x34, 0x12]),
        way(true, Some(Way::Call), Some(0x1234))
    );
    assert_eq!(of(&[0xdf]), way(false, Some(Way::Call), Some(0x18)));
    assert_eq!(of(&[0xc9]), way(false, Some(Way::Return), None));
    assert_eq!(of(&[0xd8]), way(true, Some(Way::Return), None));
    assert_eq!(of(&[0xed, 0x45]), way(false, Some(Way::Return), None));
    // ldir goes to itself; ld a,b and push hl nowhere
    assert_eq!(of(&[0xed, 0xb0]), way(true, Some(Way::Jump), Some(0x8000)));
    assert_eq!(of(&[0x78]), way(true, None, None));
    assert_eq!(of(&[0xe5]), way(true, None, None));
}

#[test]
fn operands_are_told_one_by_one() {
    let of = |bytes: &[u8], at| Z80.decode(bytes, at).expect("an instruction").operands;
    let found = of(&[0xdd, 0x36, 0xfe, 0x07], 0);
    assert_eq!((found[0].word, found[0].value), (Some("ix"), Some(-2)));
    assert_eq!((found[1].word, found[1].value), (None, Some(7)));
    let found = of(&[0x20, 0xfe], 0x8000);
    assert_eq!((found[0].word, found[1].value), (Some("nz"), Some(0x8000)));
    let class = |i: usize| Z80.operands()[usize::from(found[i].class)].name;
    assert_eq!((class(0), class(1)), ("c4", "e"));
}
