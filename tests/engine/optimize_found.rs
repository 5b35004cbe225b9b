//! Changes that the optimizer finds in small programs, and what speaks against them.

use scrimp::optimize::{Ledger, Options};
use scrimp::text::source::MemoryLoader;
use scrimp::{Job, Settings, assemble_with};

fn ledger(dialect: &str, text: &str) -> Ledger {
    image(dialect, text).1
}

/// The bytes of all parts in their order, and the ledger.
fn image(dialect: &str, text: &str) -> (Vec<u8>, Ledger) {
    let target = scrimp::targets::by_name("z80").expect("a target");
    let job = Job {
        file: "main.asm".into(),
        target,
        machine: None,
        dialect: dialect.into(),
        defines: Vec::new(),
    };
    let settings = Settings {
        optimize: Some(Options::default()),
        ..Settings::default()
    };
    let loader = MemoryLoader::default().with("main.asm", text.as_bytes());
    let out = assemble_with(&job, &settings, &loader);
    let found = crate::common::findings(&out);
    let ledger = out.ledger.unwrap_or_else(|| panic!("{found}"));
    assert_eq!(ledger.claimed(), ledger.saved(), "{}", ledger.to_text());
    let bytes = out.image.map(|i| i.binary(0)).unwrap_or_default();
    (bytes, ledger)
}

/// Bytes saved in some instructions between what keeps all registers alive.
fn saved(lines: &str) -> (i64, String) {
    let text =
        format!(" org $8000\nstart: ld sp,$f000\n call user\n halt\n jp (hl)\nuser:\n{lines}\n");
    let ledger = ledger("native", &text);
    (ledger.saved(), ledger.to_text())
}

#[test]
fn a_place_that_is_taken_away_and_added_again_is_none() {
    let free = saved(
        " ld hl,($c000)\n or a\n ld bc,mark\n sbc hl,bc\n add hl,bc\n ld ($c000),hl\n ld bc,0\n \
         ret\nmark: ld b,5\n ld b,6\n ret",
    );
    assert!(free.0 > 0, "{}", free.1);
    // With what was there in the carry it is not what it was.
    let kept = saved(
        " ld hl,($c000)\n rlca\n ld bc,mark\n sbc hl,bc\n add hl,bc\n ld ($c000),hl\n ld bc,0\n \
         ret\nmark: ld b,5\n ld b,6\n ret",
    );
    assert_eq!(kept.0, 0, "{}", kept.1);
}

#[test]
fn what_is_kept_on_the_stack_for_nothing_is_not() {
    for (lines, wanted) in [
        (
            " push hl\n ld a,($c000)\n pop hl\n ret",
            "kept without need",
        ),
        (
            " push hl\n ld hl,$c000\n inc (hl)\n pop hl\n ld hl,0\n ret",
            "kept for nobody",
        ),
        (
            " push bc\n call one\n pop bc\n ret\none: inc a\n ret",
            "kept without need",
        ),
    ] {
        let found = saved(lines);
        assert!(found.1.contains(wanted), "{lines}\n{}", found.1);
    }
    for lines in [
        " push hl\n ld hl,$c000\n inc (hl)\n pop hl\n ret",
        " push hl\n ex (sp),hl\n pop hl\n ret",
        " push de\n ld hl,0\n add hl,sp\n inc (hl)\n pop de\n ret",
        " push bc\n call one\n pop bc\n ret\none: inc b\n ret",
        " push hl\nbetween: ld a,($c000)\n pop hl\n jp nz,between\n ret",
        " ld sp,$c100\n push hl\n pop hl\n ld sp,$f000\n jp start",
    ] {
        let found = saved(lines);
        assert!(!found.1.contains("kept "), "{lines}\n{}", found.1);
    }
}

#[test]
fn a_jump_looks_at_another_flag() {
    for (lines, wanted) in [
        (" ld a,(hl)\n and 1\n ld a,0\n ret", ""),
        (
            " ld a,(hl)\n and 1\n jr z,on\n inc (hl)\non: xor a\n ret",
            "low-bit",
        ),
        (" ld a,(hl)\n bit 7,a\n ret nz\n xor a\n ret", ""),
        (
            " ld a,(hl)\n cp 1\n jp c,on\n inc (hl)\non: xor a\n ret",
            "below-one",
        ),
        // Somebody reads the register, or the flag.
        (" ld a,(hl)\n and 1\n jr z,on\n inc (hl)\non: ret", ""),
        (
            " ld a,(hl)\n and 1\n call z,one\n xor a\n ret\none: ret",
            "",
        ),
    ] {
        let found = saved(lines);
        let names = ["low-bit", "high-bit", "below"];
        match wanted {
            "" => assert!(
                !names.iter().any(|n| found.1.contains(n)),
                "{lines}\n{}",
                found.1
            ),
            _ => assert!(found.1.contains(wanted), "{lines}\n{}", found.1),
        }
    }
}

#[test]
fn a_choice_of_jumps_that_looks_at_another_flag_counts_as_others_do() {
    // It is short as it stands, and may be long: what the change claims is what it saves.
    let found = saved(" ld a,(hl)\n and 1\n jump z,on\n inc (hl)\non: xor a\n ret");
    assert!(found.1.contains("low-bit"), "{}", found.1);
}

#[test]
fn what_is_asked_behind_one_call_is_not_asked_behind_another() {
    // What was an address is a number for `turn`, and what that gives back is none here.
    let text = |behind: &str| {
        format!(
            " org $8000\nstart: ld sp,$f000\n jp go\nturn: ld a,h\n rra\n ld h,a\n ld a,l\n rra\n \
             ld l,a\n ret\ngo: ld hl,place\n ld ($c000),hl\n ld hl,($c002)\n call turn\n \
             ld a,(hl)\n out (1),a\n ld hl,($c000)\n ld a,l\n and 3\n ld l,a\n call turn\n \
             {behind}\n out (2),a\n ld hl,($c000)\n ld a,(hl)\n out (3),a\n di\n halt\n db 0\n\
             place: db 1,2,3,4,5,6,7\n"
        )
    };
    let (number, address) = (text("ld a,l"), text("ld a,(hl)"));
    let [number, address] = [number, address].map(|t| ledger("native", &t));
    assert!(number.saved() > 0, "{}", number.to_text());
    assert_eq!(number.padding, 0, "{}", number.to_text());
    // Room keeps the place where it is.
    let saved = u64::try_from(address.saved()).ok();
    assert_eq!(saved, Some(address.padding), "{}", address.to_text());
}

#[test]
fn what_a_jump_has_asked_for_is_known() {
    for (lines, wanted) in [
        (" ld a,(hl)\n cp 5\n ret nz\n ld a,5\n ret", "so already"),
        (
            " ld a,(hl)\n or a\n jr nz,on\n ld b,0\n ld c,(hl)\non: ret",
            "known b a",
        ),
        (
            " ld b,9\nlp: inc (hl)\n djnz lp\n ld b,0\n ret",
            "so already",
        ),
        (
            " ld a,b\n or c\n jr nz,on\n ld a,0\n inc (hl)\non: ret",
            "so already",
        ),
        (
            " ld a,(hl)\n and 1\n jr z,on\n ld a,1\n inc (hl)\non: ret",
            "so already",
        ),
    ] {
        let found = saved(lines);
        assert!(found.1.contains(wanted), "{lines}\n{}", found.1);
    }
    for lines in [
        " ld a,(hl)\n cp 5\n ret z\n ld a,5\n ret",
        " ld a,(hl)\n cp 5\n jr nz,on\n inc a\non: ld a,5\n ret",
        " ld a,(hl)\n cp b\n ret nz\n ld a,5\n ret",
        " ld a,(hl)\n and 3\n jr z,on\n ld a,1\n inc (hl)\non: ret",
        " ld a,(hl)\n cp 5\nin: jr nz,on\n ld a,5\n inc (hl)\non: or a\n jr z,in\n ret",
    ] {
        let found = saved(lines);
        assert!(!found.1.contains("so already"), "{lines}\n{}", found.1);
    }
}

#[test]
fn memories_that_lie_one_over_the_other_are_told_apart() {
    let text = " org #4000\nstart: ld sp,#f000\n ld b,7\n ld c,3\n call bank\n call under\n \
                jp start\n ds #6000-$\nunder: ld b,1\n ld c,2\n ld (#c001),bc\n ret\n \
                org #6000\nbank: ld a,b\n ld (#c000),a\n call under\n jp z,bank\n ret\n";
    let found = ledger("sjasmplus", text);
    // What is called has B, whatever stands there else.
    let text = found.to_text();
    assert!(text.contains("pair-bc") && found.saved() == 4, "{text}");
    assert!(text.contains("c not read behind it"), "{text}");
    assert!(!text.contains("b not read behind it"), "{text}");
}

#[test]
fn what_repeats_itself_in_a_memory_over_another_stays_there() {
    // Where the block is moved in one memory the other has code that comes nearer.
    let text = " org #4000\nstart: ld sp,#f000\n call bank\n call under\n jp start\n \
                ds #6000-$\nunder: ld a,(#c000)\n or a\n jp z,on\n inc a\n inc a\n \
                ld (#c001),a\non: inc b\n ld (#c002),a\n ret\n \
                org #6000\nbank: ld hl,#c200\n ld de,#c300\n ld bc,5\n ldir\n call under\n ret\n";
    let text = ledger("sjasmplus", text).to_text();
    assert!(text.contains("the short form reaches"), "{text}");
    assert!(!text.contains("doubts"), "{text}");
}

/// Sequences that stand several times, in parts of 64 bytes with a byte of room at the end of
/// each; only in the first they stand twice.
fn parts_with_room() -> String {
    let stores = |count: u16, part: u16| -> String {
        let all = (0..count).map(|i| format!(" ld (${:x}),a\n", 0xc100 + part * 64 + i * 2));
        all.collect()
    };
    let site = " ld hl,($c010)\n inc hl\n ld ($c010),hl\n ld a,(hl)\n ld ($c020),a\n";
    let first = [site, &stores(1, 9), site, &stores(1, 10), &stores(13, 0)].concat();
    let mut text = format!(
        " org $8000\nstart: ld sp,$f000\n call r0\n call r1\n call r2\n call r3\n\
         {first} jr start\n ds $8060-$\n"
    );
    for part in 0..4u16 {
        let own = stores(17, part + 1);
        let end = 0x80a0 + part * 64;
        text.push_str(&format!("r{part}:\n{site}{own} ret\n ds ${end:x}-$\n"));
    }
    text
}

#[test]
fn what_room_stands_before_stays_at_its_address() {
    for dialect in ["native", "sjasmplus", "pasmo"] {
        let text = parts_with_room();
        let (image, found) = image(dialect, &text);
        assert!(found.saved() > 30, "{dialect}\n{}", found.to_text());
        // Each part begins with a call of what stood there.
        for at in [0x60, 0xa0, 0xe0, 0x120] {
            assert_eq!(image[at], 0xcd, "{dialect} {at:x}\n{}", found.to_text());
        }
    }
}

#[test]
fn room_that_is_full_becomes_larger() {
    let text = " org $4000\nstart: ld sp,$f000\n jp go\ngo: ld a,1\n ld a,2\n ld ($c000),a\n \
                jp start\n ds $4010-$\nlast: ret\n";
    for dialect in ["native", "pasmo", "sjasmplus", "z80asm", "glass"] {
        let text = match dialect {
            "glass" => text
                .replace('$', "#")
                .replace("#)", "$)")
                .replace("-#", "-$"),
            "sjasmplus" => text.replace("last:", ""),
            _ => text.to_owned(),
        };
        let (image, found) = image(dialect, &text);
        assert!(found.saved() >= 5, "{dialect}\n{}", found.to_text());
        assert_eq!((image.len(), image[0x10]), (0x11, 0xc9), "{dialect}");
    }
}

#[test]
fn what_is_stored_before_code_that_goes_on_keeps_its_size() {
    // The file has the bytes in order, and `back` is an address behind all of them.
    let text = " org #8000\nstart: ld sp,#f000\n jp go\ngo: ld a,1\n ld a,2\n ld hl,image\n \
                ld de,#d000\n ld bc,back-image\n ldir\n call #d000\n jp back\nimage:\n disp #d000\n \
                out (1),a\n ret\n ent\nback: out (2),a\nstop: jr stop\n";
    let with = ledger("sjasmplus", text);
    assert_eq!(with.saved(), 0, "{}", with.to_text());
    let plain = " org #8000\nstart: ld sp,#f000\n jp go\ngo: ld a,1\n ld a,2\n jp back\nback: \
                 out (2),a\nstop: jr stop\n";
    assert!(ledger("sjasmplus", plain).saved() > 0);
}

#[test]
fn what_is_gone_to_by_a_register_is_held_there_alone() {
    // The place behind the additions is counted from, and gone to; whoever else is named and
    // asks for bits of that register has another address.
    let rounded = |there: &str| {
        let text = format!(
            " org $8000
start: ld sp,$f000
 jp go
go: ld a,1
 ld a,2
 ld ($c0f0),a
 ld hl,($c000)
 call round
 call count
 jp start
count: ld e,0
 ld hl,rest
 ld a,($c002)
 and 3
 ld c,a
 ld b,0
 or a
 sbc hl,bc
 jp (hl)
 inc e
 inc e
 inc e
rest: {there}
 ld a,e
 out (1),a
 ret
round: ld a,l
 and $f8
 ld l,a
 ld a,(hl)
 out (2),a
 ret
"
        );
        ledger("native", &text)
    };
    let free = rounded("ld d,0");
    assert!(free.saved() >= 5, "{}", free.to_text());
    assert_eq!(free.padding, 0, "{}", free.to_text());
    // There it is that address: room keeps it, if what stands before becomes shorter.
    let kept = rounded("call round");
    let saved = u64::try_from(kept.saved()).ok();
    assert_eq!(saved, Some(kept.padding), "{}", kept.to_text());
}

/// A program whose table of jumps is read by some instructions; nothing may be longer before
/// the places that it leads to.
fn table_of_jumps(read: &str) -> Ledger {
    let text = format!(
        " org $8000\nstart: ld sp,$f000\n jp begin\nbegin: ld hl,tab\n ld de,$c000\n{read}\n \
         call $c000\n call $c003\ndone: halt\n jr done\nf: ld a,1\n out (1),a\n ret\n\
         g: ld a,2\n out (1),a\n jp f\ntab: jp f\n jp g\nend:\n"
    );
    ledger("native", &text)
}

#[test]
fn what_is_only_copied_holds_nothing_that_it_names() {
    let padding = |l: &Ledger| l.to_text().contains("padding");
    for read in [
        " ld b,end-tab\nlp: ld a,(hl)\n ld (de),a\n inc hl\n inc de\n djnz lp",
        " ld b,end-tab\nlp: ld c,(hl)\n ld a,c\n inc hl\n ld (de),a\n inc de\n djnz lp\n ld a,0",
    ] {
        let l = table_of_jumps(read);
        assert!(l.saved() > 0, "{read}\n{}", l.to_text());
    }
    // It is counted, asked, or looked at behind the loop.
    for read in [
        " ld b,end-tab\n ld c,0\nlp: ld a,(hl)\n ld (de),a\n add a,c\n ld c,a\n inc hl\n inc de\n \
         djnz lp\n ld a,c\n out (2),a",
        " ld b,end-tab\nlp: ld a,(hl)\n ld (de),a\n inc hl\n inc de\n djnz lp\n out (2),a",
        " ld b,end-tab\nlp: ld a,(hl)\n ld (de),a\n inc hl\n inc de\n cp 7\n jr z,lp\n djnz lp",
    ] {
        let l = table_of_jumps(read);
        assert!(l.saved() == 0 || padding(&l), "{read}\n{}", l.to_text());
    }
}

#[test]
fn what_a_handler_puts_away_and_takes_back_is_free_elsewhere() {
    let with = |handler: &str| {
        let text = format!(
            " org 0\n di\n jp start\n org $38\n{handler}\n org $100\nstart: ld sp,$f000\n im 1\n \
             ei\nlp: ld a,5\n ld a,(hl)\n ld ($c100),a\n jr lp\n"
        );
        ledger("native", &text)
    };
    let free = with(" push af\n ld a,($c000)\n inc a\n ld ($c000),a\n pop af\n ei\n ret");
    assert!(
        free.to_text().contains("result not used"),
        "{}",
        free.to_text()
    );
    // What it reads of others is read anywhere.
    let read = with(" push bc\n ld ($c000),a\n pop bc\n ei\n ret");
    assert!(
        !read.to_text().contains("result not used"),
        "{}",
        read.to_text()
    );
}

#[test]
fn a_return_address_is_followed_past_what_counts_on_to_it() {
    // The routine goes over a byte behind its calls; where it returns to is known.
    let l = ledger(
        "native",
        " org $8000\nstart: ld sp,$f000\n ld hl,after\n push hl\n ld hl,$c000\n call over\n \
         db 5\n ld a,1\n ret\nover: ex (sp),hl\n ld a,(hl)\n inc hl\n ex (sp),hl\n cp (hl)\n ret z\n \
         ld a,2\n ret\nafter: jp last\nlast: out (1),a\ndone: halt\n jr done\n",
    );
    assert!(l.saved() > 0, "{}", l.to_text());
}

/// Variables of a map that begins where the program ends are counted from there: they follow it.
#[test]
fn a_map_behind_the_program_follows_it() {
    for dialect in ["sjasmplus", "sjasm"] {
        let text = |more: &str| {
            format!(
                " org $7000
 map bss
first # 32
{more}second # 1
start: ld a,1
 ld a,2
 out (1),a
 ld hl,first
 ld (hl),a
 ld a,(second)
 out (2),a
 ret
bss:
"
            )
        };
        let (all, found) = image(dialect, &text(""));
        assert_eq!(found.saved(), 2, "{dialect}\n{}", found.to_text());
        // The end, and 32 bytes behind it.
        assert_eq!(all[4..7], [0x21, 0x0e, 0x70], "{dialect}");
        assert_eq!(all[8..11], [0x3a, 0x2e, 0x70], "{dialect}");
        if dialect == "sjasm" {
            // Where that is decides how much is left out: it stays.
            let (all, found) = image(dialect, &text(" mapalign 64\n"));
            assert_eq!(found.saved(), 0, "{}", found.to_text());
            assert_eq!(all[10..13], [0x3a, 0x40, 0x70]);
        }
    }
}

/// A name that may be given other values is worth what it is counted from at each place: places
/// behind what becomes smaller. One that is a plain number is no address by that.
#[test]
fn names_of_places_that_may_change_follow_them() {
    let cases = [
        ("sjasmplus", "="),
        ("sjasmplus", "defl"),
        ("pasmo", "defl"),
        ("zmac", "defl"),
        ("vasm", "set"),
        ("zasm", "defl"),
        ("asl", ":="),
        ("glass", "equ"),
        ("tasm", ".set"),
    ];
    for (dialect, word) in cases {
        let name = |n: &str| match dialect {
            "glass" => format!("{n}: {word}"),
            _ => format!("{n} {word}"),
        };
        let (org, space) = match dialect {
            "tasm" => (".org", ".fill 30".to_owned()),
            // Its `ds` ends what stands before it.
            "asl" => ("org", format!("db {}0", "0,".repeat(29))),
            _ => ("org", "ds 30".to_owned()),
        };
        let again = |n: i32| match dialect {
            "glass" => String::new(),
            _ => format!("{} buf+{n}\n", name("v")),
        };
        let text = format!(
            " {org} 32768
start: ld a,1
 ld a,2
 out (1),a
 ld hl,w
 ld (hl),a
 ret
buf: {space}
{}{} v+2
{}{} 32784
 ld hl,w
 ld (hl),8
 ld bc,plain
 ld a,b
 out (1),a
 ld a,c
 out (2),a
 ret
",
            match dialect {
                "glass" => format!("{} buf+3\n", name("v")),
                _ => again(3),
            },
            name("w"),
            again(7),
            name("plain"),
        );
        let (all, found) = image(dialect, &text);
        assert_eq!(found.saved(), 2, "{dialect} {word}\n{}", found.to_text());
        // What is 5 bytes behind the room, which begins behind nine bytes.
        let times = |one: [u8; 3]| all.windows(3).filter(|w| *w == one).count();
        assert_eq!(times([0x21, 0x0e, 0x80]), 2, "{dialect} {word}");
        assert_eq!(times([0x01, 0x10, 0x80]), 1, "{dialect} {word}");
    }
}

/// Where more is decided by addresses than is remembered nothing changes.
#[test]
fn too_much_that_addresses_decide_is_left() {
    let text = |rounds: u32| {
        format!(
            " org 32768
start: ld a,1
 ld a,2
 out (1),a
 ret
behind:
 dup {rounds}
 if behind < 32775
 nop
 endif
 edup
"
        )
    };
    let (_, found) = image("sjasmplus", &text(1 << 16));
    assert_eq!(found.saved(), 0);
    assert!(found.to_text().contains("more is decided by addresses"));
    let (_, found) = image("sjasmplus", &text(100));
    assert!(found.saved() == 0 && !found.to_text().contains("more is decided"));
}
