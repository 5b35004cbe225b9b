//! All domains give what numbers give, mapped registers included; where control goes.

use crate::meaning::agree;
use scrimp_avr::{AVR, Op};
use scrimp_isa::Target;
use scrimp_isa::effects::{Successors, Way};
use scrimp_isa::semantics::Code;

#[test]
fn every_domain_agrees_with_numbers_on_every_form() {
    // No domain but the simulator computes DES.
    let tried = agree(&AVR, |op| op == Op::Des as u16, 6);
    println!("{tried} instances");
    assert!(tried > 700, "{tried}");
}

#[test]
fn where_control_goes_is_derived() {
    let meaning = AVR.semantics(None).expect("it");
    let of = |words: &[u16]| {
        let bytes: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes()).collect();
        let code = Code {
            bytes: &bytes,
            address: 0x200,
        };
        meaning.successors(code).expect("an instruction")
    };
    let way = |falls_through, way, to| Successors {
        falls_through,
        way,
        to,
        slots: 0,
    };
    // rjmp; jmp; brne; ijmp
    assert_eq!(of(&[0xc00f]), way(false, Some(Way::Jump), Some(0x110)));
    assert_eq!(
        of(&[0x940d, 0x1234]),
        way(false, Some(Way::Jump), Some(0x1_1234))
    );
    assert_eq!(of(&[0xf7f1]), way(true, Some(Way::Jump), Some(0xff)));
    assert_eq!(of(&[0x9409]), way(false, Some(Way::Jump), None));
    // rcall; call; icall; ret
    assert_eq!(of(&[0xd00f]), way(false, Some(Way::Call), Some(0x110)));
    assert_eq!(
        of(&[0x940e, 0x1234]),
        way(false, Some(Way::Call), Some(0x1234))
    );
    assert_eq!(of(&[0x9509]), way(false, Some(Way::Call), None));
    assert_eq!(of(&[0x9508]), way(false, Some(Way::Return), None));
    // sbrc r0,0 over one word, and over two; add
    assert_eq!(
        of(&[0xfc00, 0x0000]),
        way(true, Some(Way::Skip), Some(0x102))
    );
    assert_eq!(
        of(&[0xfc00, 0x940c]),
        way(true, Some(Way::Skip), Some(0x103))
    );
    assert_eq!(of(&[0x0c01]), way(true, None, None));
}
