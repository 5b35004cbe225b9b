//! Contracts on an AVR: each with what it unlocks, and a neighbour where it does not.

use crate::contracts::assemble_on;
use scrimp::optimize::Ledger;
use scrimp::optimize::contract::Standing;

const PART: (&str, &str, &str) = ("avr", "atmega328p", "avrasm2");

/// Behind the vectors, which stay where they are.
fn placed(text: &str) -> String {
    format!(" .org 0x40\n{text}")
}

fn good_with(text: &str, outside: &[(&str, &str)]) -> (Vec<u8>, Ledger) {
    let (image, ledger, found) = assemble_on(PART, &placed(text), outside);
    let ledger = ledger.expect("it was asked");
    let image = image.unwrap_or_else(|| panic!("{found}"));
    assert_eq!(ledger.claimed(), ledger.saved(), "{}", ledger.to_text());
    (image.binary(0), ledger)
}

fn good(text: &str) -> (Vec<u8>, Ledger) {
    good_with(text, &[])
}

/// Bytes saved of a text with a contract.
fn saved(text: &str, contract: &str) -> i64 {
    good(&text.replace("@@", contract)).1.saved()
}

fn refused(text: &str, code: &str) {
    let (image, _, found) = assemble_on(PART, &placed(text), &[]);
    assert!(image.is_none() && found.contains(code), "{text}: {found}");
}

#[test]
fn what_callers_from_outside_do_not_read_is_free() {
    let text = "draw: @@\n ld r24,x+\n ldi r25,0\n out 5,r24\n ret\n";
    assert_eq!(saved(text, ""), 0);
    assert_eq!(saved(text, "; scrimp: out r24, clobbers r25 r26 r27"), 2);
    assert_eq!(saved(text, "; scrimp: out r24 r25, clobbers r26 r27"), 0);
}

#[test]
fn a_routine_outside_leaves_what_it_does_not_read() {
    let text = "main: ldi r16,5\n ldi r24,65\n call 0x3000\n ldi r16,6\nl: dec r16\n brne l\n \
                sts 0x110,r24\n rjmp main\n";
    let with = |contract| good_with(text, &[("0x3000", contract)]).1.saved();
    let without = good(text).1.saved();
    // `ldi r16,5` is read by nobody, or by what is outside.
    assert_eq!(with("in r24, clobbers r24 sreg"), without + 2);
    assert_eq!(with("in r16 r24, clobbers r24 sreg"), without);
    // What is outside is told in words, as the source counts.
    let (image, _, found) = assemble_on(PART, &placed(text), &[("0x3000", "in hl")]);
    assert!(image.is_none() && found.contains("E0064"), "{found}");
}

#[test]
fn a_closed_program_has_only_the_entries_that_it_says() {
    let text = "main: out 5,r16 @@\n rjmp main\nunused: ldi r17,2\n out 6,r17\n ret\n\
                used: ldi r18,3\n out 7,r18\n ret\n";
    let open = saved(text, "");
    assert_eq!(saved(text, "; scrimp: closed"), open + 12);
    let more = text.replace("used: ldi r18,3", "used: ldi r18,3 ; scrimp: entry");
    assert_eq!(saved(&more, "; scrimp: closed"), open + 6);
}

#[test]
fn data_behind_a_call_are_taken_by_its_routine() {
    let text = "main: rcall print\n .dw 65\n in r16,6\n jmp next\nnext: rcall print\n .dw 66\n in r16,6\n jmp main\n\
                print: @@\n pop r31\n pop r30\n add r30,r30\n adc r31,r31\n lpm r24,z+\n \
                lpm r25,z+\n out 5,r24\n lsr r31\n ror r30\n push r30\n push r31\n ret\n";
    let with = "; scrimp: inline 2";
    assert!(saved(text, with) > saved(text, ""));
    let (bytes, _) = good(&text.replace("@@", with));
    // Each call with its word behind it.
    for word in [65, 66] {
        let both = |w: &[u8]| w[1] & 0xf0 == 0xd0 && w[2..] == [word, 0];
        assert!(bytes.windows(4).any(both), "{bytes:x?}");
    }
}

#[test]
fn a_table_of_jumps_ends_with_its_jumps() {
    let text = "main: in r24,5\n ldi r30,low(jumps)\n ldi r31,high(jumps)\n add r30,r24\n \
                adc r31,r1\n ijmp\njumps: rjmp one @@\n rjmp two\none: rjmp skip\nskip: \
                ldi r24,1\n rjmp out1\ntwo: ldi r24,2\nout1: out 6,r24\n ret\n";
    let without = saved(text, "");
    let (two, three) = ("; scrimp: jumptable 2", "; scrimp: jumptable 3");
    assert!(saved(text, two) > without, "{without}");
    // Of three jumps the third stays too.
    assert!(saved(text, three) < saved(text, two));
}

#[test]
fn what_is_counted_from_a_label_reaches_so_far() {
    let text = "main: ldi r30,low(block*2)\n ldi r31,high(block*2)\n ldi r17,4\nl: lpm r16,z+\n \
                sts 0x110,r16\n dec r17\n brne l\n rcall block\n rjmp main\n\
                block: in r16,6 @@\n ret\n in r18,6\nrest: ldi r16,7\n ldi r16,8\n sts 0x111,r16\n \
                rjmp main\n";
    let (near, far) = ("; scrimp: block: extent 4", "; scrimp: block: extent 12");
    assert!(saved(text, near) > saved(text, far));
    let (bytes, _) = good(&text.replace("@@", near));
    assert!(
        bytes.windows(4).any(|w| w == [0x06, 0xb1, 0x08, 0x95]),
        "{bytes:x?}"
    );
}

#[test]
fn kept_lines_and_times_stay() {
    let text = "main: ldi r24,1 @@\n ldi r24,2\n sts 0x110,r24\n rjmp main\n";
    let free = saved(text, "");
    assert_eq!(free, 2);
    for contract in ["keep", "selfmod", "timing exact"] {
        assert_eq!(
            saved(text, &format!("; scrimp: {contract}")),
            0,
            "{contract}"
        );
    }
}

#[test]
fn code_that_goes_against_its_contract_is_an_error() {
    for (routine, contract) in [
        ("inc r24\n ret", "preserves r24"),
        ("mov r24,r16\n ret", "clobbers sreg"),
        ("mov r24,r16\n out 5,r24\n ret", "in r24, clobbers r24"),
        ("mov r24,r16\n ret", "in r17, out r24"),
        ("tst r16\n ret", "preserves sreg"),
    ] {
        let text = format!("main: rcall it\nl: rjmp l\nit: ; scrimp: {contract}\n {routine}\n");
        refused(&text, "E0065");
    }
    refused("main: ret ; scrimp: in hl\n", "E0064");
}

#[test]
fn code_that_keeps_its_contract_is_checked_or_trusted() {
    for (routine, contract, standing) in [
        ("mov r24,r16\n ret", "in r16, out r24", Standing::Checked),
        ("mov r24,r16\n ret", "preserves r16 sreg", Standing::Checked),
        (
            "push r16\n inc r16\n mov r24,r16\n pop r16\n ret",
            "preserves r16",
            Standing::Trusted,
        ),
        ("mov r24,r16\n ret", "returns", Standing::Checked),
    ] {
        let text = format!(
            "main: rcall it\n out 5,r24\n rjmp main\nit: ; scrimp: {contract}\n {routine}\n"
        );
        let (_, ledger) = good(&text);
        let all: Vec<_> = ledger.contracts.iter().map(|c| c.standing).collect();
        assert!(
            !all.is_empty() && all.iter().all(|s| *s == standing),
            "{contract}: {all:?}"
        );
    }
}
