//! Rules of the Z80: proven, and refused when they are wrong.

use crate::prover::{all_are_proven, others_are_refused, refuted, unfit};
use scrimp_isa::rules::{parse, prove};
use scrimp_isa::{Semantics, Target};
use scrimp_z80::Z80;
use scrimp_z80::meaning::Meaning;

#[test]
fn all_rules_are_proven() {
    all_are_proven(
        &Z80,
        concat!(env!("CARGO_MANIFEST_DIR"), "/src/rules.certificates"),
    );
}

#[test]
fn a_certificate_is_of_one_rule() {
    let right = "zero: ld a,0 => xor a | dead f";
    others_are_refused(&Z80, right, "zero: ld a,0 => xor a");
    others_are_refused(&Z80, right, "zero: ld a,0 => sub a | dead f.c");
}

#[test]
fn wrong_rules_are_refused_with_a_state() {
    // Flags that are read.
    assert!(!refuted(&Z80, "x: ld a,0 => xor a").acts);
    refuted(&Z80, "x: cp 0 => or a");
    refuted(&Z80, "x: inc a => add a,1");
    refuted(&Z80, "x: rlc a => rlca");
    refuted(&Z80, "x: sla a => add a,a | dead f.h");
    // HL times ten with DE read, by 32 inputs and by 16.
    let ten = "ld d,h / ld e,l / add hl,hl / add hl,hl / add hl,de / add hl,hl";
    let other = "add hl,hl / ld d,h / ld e,l / add hl,hl / add hl,hl / add hl,de";
    let state = refuted(&Z80, &format!("x: {ten} => {other} | dead f a"));
    assert!(
        state.differs.iter().any(|d| d.0 == "d" || d.0 == "e"),
        "{state:?}"
    );
    // Constants of which one value is wrong.
    let state = refuted(&Z80, "x: ld a,$n => xor a | dead f");
    assert!(state.before.iter().any(|b| b.0 == "$n"), "{state:?}");
    let state = refuted(
        &Z80,
        "x: add a,$n / cp $m => cp $m | assume a = 3 | dead f.x f.y",
    );
    assert!(state.before.iter().any(|b| b.0 == "$n"), "{state:?}");
    refuted(&Z80, "x: ld b,$h / ld c,$l => ld bc,$l:$h");
    // What was assumed is not what is needed.
    refuted(&Z80, "x: ld b,0 => ld b,a | assume c = 0");
    refuted(&Z80, "x: adc a,b => add a,b | assume f.z = 0");
    // Stores that may hit one another.
    let swapped = "ld ($nn),a / ld (hl),b => ld (hl),b / ld ($nn),a";
    assert!(refuted(&Z80, &format!("x: {swapped} | plain")).acts);
    refuted(&Z80, &format!("x: {swapped}"));
    refuted(
        &Z80,
        "x: ld a,(de) / ld b,a / ld (hl),c / ld a,(de) => ld a,(de) / ld b,a / ld (hl),c",
    );
    refuted(&Z80, "x: ld (hl),a => | plain");
    // Ports are read as often as it says, and at the same address.
    refuted(&Z80, "x: in a,(1) / in a,(1) => in a,(1)");
    refuted(&Z80, "x: in a,(c) / in d,(c) => in a,(c) / ld d,a | dead f");
    refuted(&Z80, "x: ld a,0 / in a,(1) => in a,(1)");
    // So is memory, which may be a device, but where it is said to be none.
    for (less, own) in [
        ("ld a,(hl) / ld a,(hl) => ld a,(hl)", true),
        ("ld b,(hl) / ld c,(hl) => ld b,(hl) / ld c,b", true),
        (
            "ld b,(hl) / ex de,hl / ld c,(hl) => ex de,hl / ld c,(hl) / ex de,hl / ld b,(hl) / ex de,hl",
            true,
        ),
        (
            "ld h,a / ld a,($nn) / ld l,a => ld hl,($nn) / ld h,a | dead a",
            true,
        ),
        ("ld b,(hl) / ld (de),a => ld (de),a / ld b,(hl)", false),
    ] {
        assert!(refuted(&Z80, &format!("x: {less}")).acts, "{less}");
        let rule = &parse(&Z80, &format!("x: {less} | own")).expect("a rule")[0];
        assert_eq!(prove(&Meaning, rule).is_ok(), own, "{less}");
    }
    // A wrong sum that only a solver finds: one carry among 33 inputs.
    refuted(
        &Z80,
        "x: ld a,l / add a,e / ld l,a / ld a,h / add a,d / ld h,a => add hl,de | dead a f",
    );
}

#[test]
fn what_no_proof_is_for_is_told() {
    unfit(&Z80, "x: jp (hl) => jp (hl)");
    unfit(&Z80, "x: ld a,0 => xor a | dead flags");
    assert!(parse(&Z80, "x: ld a,999 => xor a").is_err());
    assert!(parse(&Z80, "x: lda a => xor a").is_err());
    assert!(parse(&Z80, "x: ld a,0 => xor a | never f").is_err());
}

/// The queries of a multiplication by 45 in two orders, which solvers are slow at.
#[test]
fn products_of_sixteen_bits_are_tried() {
    let times = |n| match n {
        5 => "ld d,h / ld e,l / add hl,hl / add hl,hl / add hl,de",
        _ => "ld d,h / ld e,l / add hl,hl / add hl,hl / add hl,hl / add hl,de",
    };
    let line = format!(
        "x: {} / {} => {} / {} | dead d e f",
        times(5),
        times(9),
        times(9),
        times(5)
    );
    let rules = parse(&Z80, &line).expect("a rule");
    let semantics: &dyn Semantics = &Meaning;
    let start = std::time::Instant::now();
    let (proof, _) = prove(semantics, &rules[0]).expect("it is right");
    println!("{proof} in {:?}", start.elapsed());
    assert_eq!(proof.to_string(), "exhaustive-16");
    assert!(Z80.rules().rules.contains("zero-a"));
}
