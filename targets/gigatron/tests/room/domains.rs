//! All domains give what numbers give; where control goes.

use crate::meaning::agree;
use scrimp_gigatron::Gigatron;
use scrimp_isa::Target;
use scrimp_isa::effects::{Successors, Way};
use scrimp_isa::semantics::Code;

#[test]
fn every_domain_agrees_with_numbers_on_every_form() {
    let tried = agree(&Gigatron, |_| false, 6);
    println!("{tried} instances");
    assert!(tried > 250, "{tried}");
}

#[test]
fn where_control_goes_is_derived() {
    let meaning = Gigatron.semantics(None).expect("it");
    let of = |opcode: u8, operand: u8| {
        let code = Code {
            bytes: &[opcode, operand],
            address: 2 * 0x1234,
        };
        meaning.successors(code).expect("an instruction")
    };
    let way = |falls_through, way, to| Successors {
        falls_through,
        way,
        to,
        slots: 1,
    };
    // bra, bne, jmp y, bra ac; ld
    assert_eq!(of(0xfc, 0x56), way(false, Some(Way::Jump), Some(0x1256)));
    assert_eq!(of(0xec, 0x56), way(true, Some(Way::Jump), Some(0x1256)));
    assert_eq!(of(0xe0, 0x56), way(false, Some(Way::Jump), None));
    assert_eq!(of(0xfe, 0), way(false, Some(Way::Jump), None));
    assert!(of(0x00, 1).falls_through && of(0x00, 1).way.is_none());
}
