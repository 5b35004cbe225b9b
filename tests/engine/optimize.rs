//! The optimizer: what it saves, what it leaves alone, and that programs do what they did.

use scrimp::image::Image;
use scrimp::optimize::{Ledger, Options};
use scrimp::text::source::MemoryLoader;
use scrimp::{Job, Settings, assemble_with};

fn build(text: &str, options: Option<Options>) -> (Image, Option<Ledger>) {
    let target = scrimp::targets::by_name("z80").expect("a target");
    let job = Job {
        file: "main.asm".into(),
        target,
        machine: None,
        dialect: "native".into(),
        defines: Vec::new(),
    };
    let settings = Settings {
        optimize: options,
        ..Settings::default()
    };
    let loader = MemoryLoader::default().with("main.asm", text.as_bytes());
    let out = assemble_with(&job, &settings, &loader);
    let found = crate::common::findings(&out);
    (out.image.unwrap_or_else(|| panic!("{found}")), out.ledger)
}

/// A source before and after, and the ledger.
fn both(text: &str) -> (Vec<u8>, Vec<u8>, Ledger) {
    let (before, _) = build(text, None);
    let (after, ledger) = build(text, Some(Options::default()));
    let ledger = ledger.expect("it was asked");
    assert_eq!(ledger.claimed(), ledger.saved(), "{}", ledger.to_text());
    (before.binary(0), after.binary(0), ledger)
}

#[test]
fn long_jumps_become_short() {
    let (before, after, ledger) = both(
        "        org $8000
start:  ld c,5
loop:   dec c
        jp nz,loop
        jp start
",
    );
    assert_eq!(before.len(), 9);
    assert_eq!(
        after,
        [0x0e, 5, 0x0d, 0x20, 0xfd, 0x18, 0xf9],
        "{}",
        ledger.to_text()
    );
    assert_eq!(ledger.saved(), 2);
}

#[test]
fn a_condition_without_a_short_form_stays() {
    let (before, after, _) =
        both("        org $8000\nloop:   dec b\n        jp po,loop\n        ret\n");
    assert_eq!(before, after);
}

#[test]
fn entries_of_a_table_of_jumps_stay() {
    let (_, after, ledger) = both(
        "        org $8000
start:  ld a,(sel)
        ld c,a
        add a,a
        add a,c
        ld e,a
        ld d,0
        ld hl,jumps
        add hl,de
        jp (hl)
jumps:  jp one
        jp two
one:    ld a,1
        jp out
two:    ld a,2
        jp out
out:    ld (sel),a
        ret
sel:    db 1
",
    );
    // Only what they lead to has moved, up to the next label.
    assert_eq!(
        after[14..20],
        [0xc3, 0x14, 0x80, 0xc3, 0x18, 0x80],
        "{}",
        ledger.to_text()
    );
}

#[test]
fn what_the_cpu_looks_at_by_itself_stays() {
    let (before, after, _) = both(
        "        org $8000\n        ld a,$fd\n        ld i,a\n        im 2\n        ei\n        ret\n",
    );
    assert_eq!(before, after);
}

#[test]
fn what_a_remark_fences_stays() {
    let (before, after, _) = both(
        "        org $8000
start:  cp 0            ; no-opt
        jp z,start      ; no-opt
; no-opt-start
        cp 0
        jp z,start
; no-opt-end
        ret
",
    );
    assert_eq!(before, after);
}

#[test]
fn a_program_that_writes_into_an_instruction_keeps_it() {
    let (_, after, ledger) = both(
        "        org $8000
start:  ld a,5
        ld (there+1),a
there:  ld b,0
        ld b,0
        ld a,b
        out (1),a
        ret
",
    );
    // Nothing is known of what is written, and the instruction stays where it was.
    assert_eq!(after[5..7], [0x06, 0], "{}", ledger.to_text());
}

/// A table of jumps behind a call, and a way back that goes over an instruction.
#[test]
fn what_a_routine_may_go_over_on_its_way_back_stays() {
    for (behind, routine) in [
        (
            " jp b\n jp a\n jp c\n jp d\n",
            "f: ex (sp),hl\n add a,l\n ld l,a\n jr nc,g\n inc h\ng: ex (sp),hl\n ret\n",
        ),
        (
            " jp b\n ld a,1\n out (54),a\n ret\n",
            "f: ld a,($c000)\n rrca\n ret nc\n pop hl\n inc hl\n inc hl\n inc hl\n jp (hl)\n",
        ),
        (
            " jp b\n ld a,1\n out (54),a\n ret\n",
            "f: rrca\n ret nc\n call k\n ret\nk: pop de\n pop hl\n inc hl\n inc hl\n inc hl\n push hl\n push de\n ret\n",
        ),
    ] {
        let text = format!(
            "        org $8000\n call f\n{behind}a: ld a,1\n out (54),a\n ret\n\
             b: ld a,2\n out (54),a\n ret\nc: ld a,3\n out (54),a\n ret\nd: ld a,4\n out (54),a\n ret\n{routine}"
        );
        let (before, after, ledger) = both(&text);
        let count = 3 + if behind.contains("jp d") { 12 } else { 8 };
        let plain = |code: &[u8]| code.iter().filter(|b| **b == 0xc3).count();
        assert_eq!(before[3], after[3], "{}", ledger.to_text());
        assert_eq!(
            plain(&before[..count]),
            plain(&after[..count]),
            "{}",
            ledger.to_text()
        );
        assert!(
            !ledger.to_text().contains("never reached"),
            "{}",
            ledger.to_text()
        );
    }
}

/// Whether code behind an address that is used becomes shorter.
fn behind(use_of_it: &str) -> bool {
    let text = format!(
        "        org $8000
start:  {use_of_it}
        out (1),a
        ret
piece:  ld b,5
        out (2),a
        ret
other:  ld c,7
        dec a
        cp 0
        jp z,other
        ret
"
    );
    let (before, after, ledger) = both(&text);
    assert_eq!(ledger.given_up, "", "{use_of_it}");
    after.len() < before.len()
}

#[test]
fn what_becomes_of_an_address_decides_what_stays() {
    for (use_of_it, moves) in [
        ("ld hl,piece\n ld ($c000),hl", true),
        ("ld hl,piece\n push hl\n ld hl,0", true),
        (
            "ld hl,piece\n ld de,other\n or a\n sbc hl,de\n ld hl,0",
            true,
        ),
        ("ld hl,piece+1\n ld (hl),a", true),
        ("ld hl,piece\n ld d,0\n add hl,de\n ld (hl),a", true),
        ("ld hl,piece\n ld de,$c000\n ld bc,20\n ldir", false),
        (
            "ld hl,piece\n push hl\n pop de\n ld bc,20\n ld hl,$c000\n ldir",
            false,
        ),
        ("ld hl,$8016\n ld ($c000),hl", true),
        ("ld hl,$8016\n out (3),a\n jp (hl)", false),
    ] {
        assert_eq!(behind(use_of_it), moves, "{use_of_it}");
    }
}
