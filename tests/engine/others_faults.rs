//! What another optimizer got wrong, or its users met (facts of MDL 2.6.2): small programs of
//! our own that would break by it. Each runs before and after beside itself.

use crate::common::{beside, findings};
use scrimp::image::{Class, Image};
use scrimp::optimize::{Ledger, Options};
use scrimp::text::source::MemoryLoader;
use scrimp::{Job, Settings, assemble_with};

fn build(text: &str, dialect: &str, options: Option<Options>) -> (Image, Option<Ledger>) {
    let job = Job {
        file: "main.asm".into(),
        target: scrimp::targets::by_name("z80").expect("a target"),
        machine: None,
        dialect: dialect.into(),
        defines: Vec::new(),
    };
    let settings = Settings {
        optimize: options,
        ..Settings::default()
    };
    let loader = MemoryLoader::default().with("main.asm", text.as_bytes());
    let out = assemble_with(&job, &settings, &loader);
    let found = findings(&out);
    let broken = out.ledger.as_ref().map_or("", |l| &l.broken);
    let image = out.image;
    (
        image.unwrap_or_else(|| panic!("{found}{broken}")),
        out.ledger,
    )
}

fn code(image: &Image) -> i64 {
    let runs = image.chunks.iter().flat_map(|c| &c.runs);
    let code = runs.filter(|r| matches!(r.class, Class::Code | Class::Data));
    code.map(|r| i64::from(r.len)).sum()
}

/// Optimizes a program, and lets both run; so many events must be seen.
fn same(text: &str, events: usize) -> Ledger {
    same_in(text, "native", events)
}

fn same_in(text: &str, dialect: &str, events: usize) -> Ledger {
    let (old, _) = build(text, dialect, None);
    let (new, ledger) = build(text, dialect, Some(Options::default()));
    let ledger = ledger.expect("it was asked");
    assert_eq!(ledger.claimed(), ledger.saved(), "{}", ledger.to_text());
    assert_eq!(
        ledger.saved(),
        code(&old) - code(&new),
        "{}",
        ledger.to_text()
    );
    for world in 1..4 {
        match beside::run(&old, &new, None, 100_000, world) {
            Ok(n) => assert!(n >= events, "{n} events in\n{text}"),
            Err(e) => panic!("{e}\n{}\n{text}", ledger.to_text()),
        }
    }
    ledger
}

#[test]
fn an_operand_in_l_is_not_lost_for_a_pointer() {
    same(
        "        org $8000
start:  ld hl,$0105
        ld a,(place)
        add a,l
        ld (place),a
        ld hl,place
        ld a,(hl)
        out (1),a
        halt
place:  db 7
",
        2,
    );
}

#[test]
fn a_large_program_with_short_jumps_at_their_limits() {
    let mut text = String::from("        org $8000\nstart:\n");
    for i in 0..60 {
        text += &format!("far{i}:  ld a,{i}\n        out (1),a\n        jr nz,over{i}\n");
        for j in 0..40 {
            text += &format!("        ld hl,{}\n", 300 + i * 40 + j);
        }
        text += &format!("        ld (value),hl\nover{i}:  jp next{i}\n");
        text += &format!("        ret\nnext{i}:\n");
    }
    text += "        jp start\nvalue:  dw 0\n";
    let ledger = same(&text, 50);
    assert!(ledger.saved() >= 60, "{}", ledger.summary());
}

#[test]
fn characters_that_are_quotes() {
    same(
        "        org $8000\nstart:  ld a,'\"'\n        jp over\nover:   out (1),a\n        ld a,34\n        out (2),a\n        halt\n",
        3,
    );
}

#[test]
fn returns_without_calls_and_calls_at_the_end() {
    same(
        "        org $8000
start:  ld sp,$f000
        ld hl,first
        push hl
        ld a,1
        out (1),a
        ret
first:  ld a,2
        out (1),a
        call last
last:
",
        0,
    );
    same(
        "        org $8000
start:  ld sp,$f000
        ld hl,first
        push hl
        jp over
over:   ld a,1
        out (1),a
        ret
first:  ld a,2
        out (1),a
        halt
",
        2,
    );
}

#[test]
fn the_address_in_a_line_of_data() {
    let text = "        org $8000
start:  ld hl,(table+2)
        ld a,l
        out (1),a
        ld a,h
        out (2),a
        ld hl,(table)
        ld de,table
        or a
        sbc hl,de
        ld a,l
        out (3),a
        halt
table:  dw $,5,$
";
    same(text, 3);
}

#[test]
fn words_between_numbers_are_bits() {
    same_in(
        "        org 8000H
start:  ld a,(table)
        out (1),a
        ld a,(table+1)
        out (2),a
        jp over
over:   halt
table:  defb 'X' AND 1FH, 0F0H OR 5
",
        "pasmo",
        3,
    );
}

#[test]
fn bytes_that_vanish_into_room_are_no_smaller_file() {
    let text = "        org $8000
start:  jp over
        ds $8010-$
over:   jp start
        ds $8100-$
";
    let (old, _) = build(text, "native", None);
    let (new, ledger) = build(text, "native", Some(Options::default()));
    let ledger = ledger.expect("it was asked");
    assert_eq!(old.binary(0).len(), new.binary(0).len());
    assert_eq!(ledger.saved(), code(&old) - code(&new));
    assert_eq!(ledger.claimed(), ledger.saved());
}

#[test]
fn digits_that_rotate_through_memory_use_a_and_change_memory() {
    for rotate in ["rld", "rrd"] {
        same(
            &format!(
                "        org $8000
start:  ld hl,digits
        ld a,$35
        {rotate}
        ld b,a
        ld a,(digits)
        out (1),a
        ld a,b
        out (2),a
        ld a,$77
        {rotate}
        ld a,(digits)
        out (3),a
        halt
digits: db $12
"
            ),
            3,
        );
    }
}

#[test]
fn reports_stay_short() {
    let mut text = String::from("        org $8000\nstart:  or 1\n");
    for i in 0..300 {
        text += &format!(
            "at{i}:    jp z,at{i}\n        ld a,{}\n        out (1),a\n",
            i % 200
        );
    }
    text += "        jp start\n";
    let ledger = same(&text, 20);
    assert!(ledger.records.len() >= 200, "{}", ledger.records.len());
    assert!(
        ledger.summary().lines().count() <= 20,
        "{}",
        ledger.summary()
    );
}

#[test]
fn parameters_on_the_stack_stay_where_they_are() {
    same(
        "        org $8000
start:  ld sp,$f000
        ld hl,$1207
        push hl
        call first
        pop af
        halt
first:  ld ix,2
        add ix,sp
        ld a,(ix+0)
        out (1),a
        call second
        ret
second: ld ix,4
        add ix,sp
        ld a,(ix+0)
        out (2),a
        ret
",
        2,
    );
    same(
        "        org $8000
start:  ld sp,$f000
        ld bc,$3412
        push bc
        ld ix,0
        add ix,sp
        ld a,(ix+0)
        ld b,5
        pop bc
        out (1),a
        ld a,b
        out (2),a
        halt
",
        2,
    );
}

#[test]
fn opcodes_of_another_cpu_are_data_and_end_nothing() {
    same(
        "        org $8000
start:  ld a,5
        out (1),a
        db $ed,$23
        ld a,6
        jp over
over:   out (1),a
        halt
",
        2,
    );
}

#[test]
fn flags_live_through_a_counted_loop() {
    same(
        "        org $8000
start:  ld b,3
        ld a,5
        cp 5
loop:   djnz loop
        jr z,equal
        ld a,1
        out (1),a
        halt
equal:  ld a,2
        out (1),a
        ld b,2
        xor a
again:  ld c,a
        djnz again
        jr nz,start
        out (2),a
        halt
",
        2,
    );
}

#[test]
fn the_page_of_interrupt_vectors_is_set() {
    let text = "        org $8000
start:  ld a,$39
        ld i,a
        im 2
        ei
        xor a
        ld a,i
        out (1),a
        jp over
over:   halt
";
    let ledger = same(text, 1);
    let (new, _) = build(text, "native", Some(Options::default()));
    let bytes = new.binary(0);
    assert!(
        bytes.windows(2).any(|w| w == [0xed, 0x47]),
        "{}",
        ledger.to_text()
    );
}

#[test]
fn the_upper_half_of_a_port_counts() {
    same(
        "        org $8000
start:  ld b,$7f
        ld c,$fe
        ld a,1
        out (c),a
        ld b,$bf
        out (c),a
        in a,(c)
        out (1),a
        halt
",
        3,
    );
}
