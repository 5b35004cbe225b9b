//! What stands in the way of the optimizer on the vCPU: each program does the same before and
//! after, and what must stay does.

use crate::optimize_vcpu::{build, build_in, run};
use scrimp::image::Image;
use scrimp::optimize::{Ledger, Options};

/// A program before and after, which does the same.
#[track_caller]
fn both(text: &str) -> (Image, Image, Ledger) {
    both_in("native", text)
}

#[track_caller]
fn both_in(dialect: &str, text: &str) -> (Image, Image, Ledger) {
    let (before, _) = build_in(dialect, text, None);
    let deeds = run(&before).unwrap_or_else(|| panic!("it does not halt:\n{text}"));
    let (after, ledger) = build_in(dialect, text, Some(Options::default()));
    let ledger = ledger.expect("it was asked");
    assert_eq!(ledger.claimed(), ledger.saved(), "{}", ledger.to_text());
    assert_eq!(run(&after), Some(deeds), "{}\n{text}", ledger.to_text());
    (before, after, ledger)
}

#[track_caller]
fn saves(bytes: i64, text: &str) -> Ledger {
    let (_, _, ledger) = both(text);
    assert_eq!(ledger.saved(), bytes, "{}", ledger.to_text());
    ledger
}

/// The bytes of an image from an address on.
fn at(image: &Image, address: u64, count: usize) -> Vec<u8> {
    let all = image.chunks.iter();
    let own = all.flat_map(|c| (c.address..).zip(c.bytes.iter().copied()));
    let own = own.filter(|b| (address..address + count as u64).contains(&b.0));
    own.map(|b| b.1).collect()
}

/// What saves a byte each, in all programs below: 5 is stored and loaded by its name.
const WASTE: &str = "        ldwi 5\n        stw $40\n";

#[test]
fn what_is_not_needed_goes() {
    let ledger = saves(
        27,
        "        org $0200
start:  ldwi 5
        stw $40
        ldw $40
        addw $40
        stw $42
        beq over
        bra more
over:   bra on
        ldi 8
on:     addi 0
        ldi 3
        ldi 7
more:   bra last
last:   ld $44
        addi 1
        st $44
        ldi 1
        halt
",
    );
    let names: Vec<_> = ledger.records.iter().map(|r| r.rule.as_str()).collect();
    for rule in ["short-word", "double-stored", "one-more", "never reached"] {
        assert!(names.contains(&rule), "{names:?}");
    }
}

#[test]
fn a_changed_operand_stays_where_it_is() {
    let text = format!(
        "        org $0200
start:
{WASTE}        ldwi place + 1
        stw p
        ldi 9
        poke p
place:  ldi 0
        stw $42
        halt
p:      equ $90
"
    );
    saves(0, &text);
}

#[test]
fn code_that_is_read_keeps_its_bytes() {
    // What it names stays too, in whatever part that is.
    let text = format!(
        "        org $0200
start:  ldwi look
        stw p
        ldw p
        deek
        stw $42
        inc p
        inc p
        ldw p
        deek
        stw $44
        calli other
        halt
        org $0300
look:   ldwi more
        stw $90
        halt
        org $0400
other:
{WASTE}        ret
more:   ldi 1
        ret
p:      equ $92
"
    );
    let (before, after, _) = both(&text);
    assert_eq!(at(&before, 0x300, 6), at(&after, 0x300, 6));
}

#[test]
fn routines_are_found_in_variables_and_tables() {
    let ledger = saves(
        6,
        "        section main in ram within=256
start:  ldwi one
        stw f
        call f
        ldwi table
        addi 2
        deek
        stw f
        call f
        ldwi two
        call $18
        def on
        ldwi 7
        stw $46
        ret
on:     stw f
        call f
        halt
        section ones in ram within=256
one:    ldwi 3
        stw $40
        ret
        section twos in ram within=256
two:    push
        ldwi 4
        stw $42
        bra out
        ldi 0
out:    pop
        ret
        section data in ram within=256
table:  dw one, two
f:      equ $90
",
    );
    assert!(ledger.given_up.is_empty());
}

#[test]
fn data_behind_what_knows_its_address_stay_there() {
    saves(
        1,
        "        org $0200
start:  def on
        db 5, 6, 7
on:     stw p
        ldwi 1
        addw p
        peek
        stw $40
        halt
p:      equ $90
",
    );
}

#[test]
fn a_return_address_is_kept_in_a_variable() {
    saves(
        1,
        "        org $0200
start:  calli one
        calli two
        halt
one:    ldw $1a
        stw back
        calli two
        ldwi 3
        stw $40
        ldw back
        stw $1a
        ret
two:    inc $42
        ret
back:   equ $90
",
    );
}

#[test]
fn what_stands_behind_a_call_may_be_read_and_gone_over() {
    // The routine takes a byte of the code behind its call, and goes on behind that.
    let (before, after, _) = both(
        "        org $0200
start:  calli take
        ldwi 5
        stw $42
        ldwi 6
        stw $44
        ldwi 7
        stw $46
        halt
take:   ldw $1a
        stw p
        ldw p
        deek
        stw $40
        ldw p
        addi 5
        stw $1a
        ret
p:      equ $90
",
    );
    assert_eq!(at(&before, 0x203, 8), at(&after, 0x203, 8));
    // The same by way of the stack.
    let (before, after, _) = both(
        "        org $0200
start:  calli take
        ldwi 5
        stw $42
        ldwi 6
        stw $44
        halt
take:   push
        ldlw 0
        stw p
        deek
        stw $40
        ldw p
        addi 5
        stlw 0
        pop
        ret
p:      equ $90
",
    );
    assert_eq!(at(&before, 0x203, 8), at(&after, 0x203, 8));
}

#[test]
fn the_next_page_is_gone_to_by_counting_the_start() {
    // Who begins a program leaves its address there.
    let text = "        org $0200
start:  ldwi $0200
        stw $1a
        ldwi 1
        stw $40
        inc $1b
        ret
        org $0300
next:   ldwi 2
        stw $42
        halt
";
    both(text);
    // What a call left is no start.
    let text = "        org $0200
start:  ldi 3
        stw $40
        calli go
        halt
        org $0300
        db 1, 2, 3, 4, 5, 6
back:   ldwi 2
        stw $42
        halt
        org $0400
go:     ldwi 7
        stw $44
        inc $1b
        ret
";
    let (before, _) = build(text, None);
    assert_eq!(at(&before, 0x207, 1), [0xb4]);
    both(&text.replace("1, 2, 3, 4, 5, 6", "1, 2, 3, 4, 5, 6, 0x59"));
}

#[test]
fn numbers_that_are_gone_to_stay() {
    let (_, after, _) = both(
        "        org $0200
start:  ldwi 5
        stw $40
        ldwi $0210
        call $18
        halt
        ldi 0
        ldi 0
        ldi 0
        ldi 0
        ldi 1
        stw $42
        ret
",
    );
    assert_eq!(at(&after, 0x210, 6), [0x59, 0, 0x59, 1, 0x2b, 0x42]);
}

#[test]
fn goals_that_are_made_of_bytes_are_anywhere() {
    saves(
        0,
        "        org $0200
start:  ldwi 5
        stw $40
        ldi $03
        st f + 1
        ldi $05
        st f
        call f
        halt
        org $0300
        ldwi 6
        stw $42
        ldwi 7
        stw $44
        ret
f:      equ $90
",
    );
}

#[test]
fn pages_that_bytes_name_stay() {
    let (before, after, ledger) = both(
        "        org $0200
start:  ldwi 5
        stw $40
        ldi $03
        st p + 1
        ldi $0a
        st p
        ldw p
        peek
        stw $42
        halt
        org $0300
        ldwi 6
        stw $44
        ldwi 7
        stw $46
        db 11, 12, 13, 14
p:      equ $90
",
    );
    assert_eq!(at(&before, 0x30a, 4), at(&after, 0x30a, 4));
    assert_eq!(ledger.saved(), 1);
}

#[test]
fn pages_that_native_functions_are_given_stay() {
    // Four pixels go to an address of which a byte each is given.
    let (before, after, _) = both(
        "        org $0200
start:  ldwi $04d4
        stw $22
        ldi $03
        st $29
        ldi $0a
        st $28
        sys 30
        ldwi table
        deek
        stw $42
        halt
        org $0300
        ldwi 6
        stw $44
        ldwi 7
        stw $46
table:  db 11, 12, 13, 14
",
    );
    assert_eq!(at(&before, 0x30a, 4), at(&after, 0x30a, 4));
}

#[test]
fn what_counts_as_a_goal_is_not_counted_with() {
    // The address of a routine, and two bytes more.
    let text = "        org $0200
start:  ldwi one
        stw f
        inc f
        inc f
        call f
        halt
        org $0300
one:    ldi 1
        ldwi 2
        stw $40
        ret
f:      equ $90
";
    saves(0, text);
}

#[test]
fn a_page_is_not_left() {
    // Behind its last byte comes its first.
    let text = format!(
        "        org $02f0
start:
{WASTE}{}        ldi 1
        halt
",
        "        stw $42\n".repeat(4)
    );
    let (_, ledger) = build(&text, Some(Options::default()));
    let why = ledger.expect("it was asked").given_up;
    assert_eq!(why, "control goes on behind the end of a page");
    // Code in the next page stays there though that before it becomes shorter.
    let text = format!(
        "        org $02f0
start:
{WASTE}        calli next
        stw $44
        halt
        ds 4
next:   ldi 7
        ret
"
    );
    let (before, after, ledger) = both(&text);
    assert_eq!(at(&before, 0x300, 3), [0x59, 7, 0xff]);
    assert_eq!(at(&after, 0x300, 3), [0x59, 7, 0xff]);
    assert_eq!(ledger.saved(), 1);
}

#[test]
fn conditions_turn_at_their_borders() {
    for (condition, value) in ["beq", "bne", "blt", "bge", "bgt", "ble"]
        .into_iter()
        .flat_map(|c| [0u16, 1, 0x100, 0x7fff, 0x8000, 0x80ff, 0xffff].map(|v| (c, v)))
    {
        let ledger = saves(
            2,
            &format!(
                "        org $0200
start:  ldwi table
        deek
        {condition} one
        bra two
one:    inc $40
two:    inc $42
        halt
table:  dw {value}
"
            ),
        );
        assert_eq!(ledger.records[0].rule, "jump over a jump");
    }
}

#[test]
fn what_others_may_change_is_read_as_often() {
    // Frames are counted in $0e; from v5a on interrupts keep registers in $30 to $35.
    for at in ["$0e", "$30", "$34", "$24", "$80"] {
        let text = format!(
            "        org $0200
start:  ldw {at}
        stw {at}
        ldw {at}
        stw $42
        halt
"
        );
        saves(0, &text);
    }
    saves(
        2,
        "        org $0200
start:  ldw $40
        stw $40
        ldw $40
        stw $42
        halt
",
    );
}

#[test]
fn far_jumps_are_followed() {
    saves(
        5,
        "        org $0200
start:  jmp next
        ldi 9
        halt
        org $0300
next:   ldwi 5
        stw $40
        ldwi last - 2
        stw $16
        org $0404
last:   stw $90
        ldi 3
        stw $44
        halt
",
    );
}

#[test]
fn the_table_of_calls_follows() {
    // The routine that is called comes behind what becomes shorter.
    let (_, _, ledger) = both_in(
        "gasm",
        "_startAddress_ EQU     0x0200
_callTable_ EQU     0x007E
code        EQU     0x0300

            CALL    one
            CALL    two
            HALT
code        LDWI    5
            STW     0x40
            RET
one         LDWI    6
            STW     0x42
            RET
two         LDW     0x42
            ADDW    0x42
            STW     0x44
            RET
",
    );
    assert_eq!(ledger.saved(), 3, "{}", ledger.to_text());
}

#[test]
fn routines_of_blocks_follow() {
    let (_, _, ledger) = both_in(
        "gcl",
        "gcl0x
zpReset=$60
[def push A B= B A+ A= pop ret] Add=
[def push Add! [A if=0 1 B=] pop ret] Twice=
3 A= Twice! Twice! A $42=
$300 \\vLR: ret
*=$300
Twice! A 1+ A= A $44=
#$b4 #$80
",
    );
    assert!(ledger.saved() > 2, "{}", ledger.to_text());
}

#[test]
fn a_byte_has_no_more_bits_to_mask() {
    saves(
        4,
        "        org $0200
start:  ld $40
        andi 255
        stw $42
        ldwi $7000
        peek
        andi 255
        stw $44
        halt
",
    );
}
