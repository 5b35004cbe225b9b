//! Rules of the vCPU: proven, and refused when they are wrong.

use crate::prover::{all_are_proven, others_are_refused, refuted, unfit};
use scrimp_gigatron::vcpu::Vcpu;

#[test]
fn all_rules_are_proven() {
    let path = "/src/vcpu/rules.certificates";
    let path = format!("{}{path}", env!("CARGO_MANIFEST_DIR"));
    all_are_proven(&Vcpu, &path);
}

#[test]
fn a_certificate_is_of_one_rule() {
    let right = "x: st $d / ld $d => st $d | own | pointed 48 255 | dead vach";
    others_are_refused(&Vcpu, right, "x: st $d / ld $d => st $d | own | dead vach");
}

#[test]
fn wrong_rules_are_refused_with_a_state() {
    // A byte that is loaded has no high half.
    refuted(&Vcpu, "x: st $d / ld $d => st $d | own | pointed 48 255");
    refuted(&Vcpu, "x: andi 255 =>");
    refuted(&Vcpu, "x: ldwi $m:$n => ldi $n");
    // The variable may be a register, or lie over one.
    refuted(&Vcpu, "x: stw $d / ldw $d => stw $d | own");
    refuted(&Vcpu, "x: stw $d / ldw $d => stw $d | own | pointed 23 255");
    refuted(&Vcpu, "x: ldw $d / addw $d => ldw $d / lslw | own");
    // One variable may lie over half of another.
    refuted(
        &Vcpu,
        "x: ldw $d / stw $e / ldw $d => ldw $d / stw $e | own | pointed 48 255",
    );
    // It may be a device; a carry goes into the high half.
    assert!(refuted(&Vcpu, "x: ldw $d / ldw $d => ldw $d | pointed 48 255").acts);
    refuted(
        &Vcpu,
        "x: ldw $d / addi 1 / stw $d => inc $d | own | pointed 48 255 | dead vacl vach",
    );
    // What is counted to 24 is vAC.
    refuted(&Vcpu, "x: ldw 26 =>");
    refuted(&Vcpu, "x: addw 26 => lslw");
}

#[test]
fn what_no_proof_is_for_is_told() {
    unfit(&Vcpu, "x: ret => ret");
    unfit(&Vcpu, "x: stw 22 => stw 22");
    unfit(&Vcpu, "x: halt => halt");
}

#[test]
fn the_rules_hold_on_every_rom() {
    use scrimp_isa::Target;
    use scrimp_isa::rules::{load, parse};
    let base = Vcpu.rules();
    for machine in Vcpu.machines() {
        let rules = parse(&Vcpu, base.rules).expect("rules");
        let semantics = Vcpu.semantics(Some(*machine)).expect("a meaning");
        let (good, refused) = load(&*semantics, rules, base.certificates);
        assert!(!good.is_empty());
        assert_eq!(refused, [""; 0], "{}", machine.name());
    }
}
