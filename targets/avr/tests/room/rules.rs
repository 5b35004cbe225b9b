//! Rules of the AVR: proven, and refused when they are wrong.

use crate::prover::{all_are_proven, others_are_refused, refuted, unfit};
use scrimp_avr::AVR;

#[test]
fn all_rules_are_proven() {
    all_are_proven(
        &AVR,
        concat!(env!("CARGO_MANIFEST_DIR"), "/src/rules.certificates"),
    );
}

#[test]
fn a_certificate_is_of_one_rule() {
    let right = "x: clc / sbc r0,r1 => sub r0,r1 | dead sreg.z";
    others_are_refused(&AVR, right, "x: clc / sbc r0,r1 => sub r0,r1");
}

#[test]
fn wrong_rules_are_refused_with_a_state() {
    // Z of a comparison of several bytes, flags that differ.
    refuted(&AVR, "x: clc / sbc r0,r1 => sub r0,r1");
    refuted(
        &AVR,
        "x: subi r24,255 / sbci r25,255 => adiw r24,1 | dead sreg.h",
    );
    refuted(&AVR, "x: dec r16 / and r16,r16 => dec r16");
    refuted(&AVR, "x: ldi r16,$n => ldi r16,$m");
    refuted(&AVR, "x: mov r24,r30 / mov r25,r24 => movw r24,r30");
    // A pointer that may name itself, the flags or the stack pointer.
    let state = refuted(&AVR, "x: st x,r16 / adiw r26,1 => st x+,r16 | dead sreg");
    println!("{state:?}");
    refuted(
        &AVR,
        "x: ld r16,x / adiw r26,1 => ld r16,x+ | dead sreg | pointed 0 0xff",
    );
    refuted(&AVR, "x: st x,r16 / mov r17,r18 => mov r17,r18 / st x,r16");
    // A register of a device read once and not twice, or another one.
    refuted(&AVR, "x: in r16,5 / in r17,5 => in r16,5 / mov r17,r16");
    refuted(&AVR, "x: lds r16,0x25 => in r16,6");
    // Interrupts are on for a moment.
    refuted(&AVR, "x: sts 0x5f,r16 => | dead sreg.c");
    // That flags are read by their address counts.
    refuted(
        &AVR,
        "x: add r0,r1 / lds r16,0x5f => lds r16,0x5f / add r0,r1",
    );
}

#[test]
fn what_no_proof_is_for_is_told() {
    unfit(&AVR, "x: ret => ret");
    unfit(&AVR, "x: sbrc r0,1 => sbrc r0,1");
    // An address is taken as it is.
    unfit(&AVR, "x: sts $nn,r0 => sts $nn,r0");
}
