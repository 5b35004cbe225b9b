//! What disassemblers leave, and others that do not say all that they do: code in data, numbers
//! for addresses, tables for a BIOS, parts that lie over others. What the optimizer makes of such
//! a program does what that did.

use scrimp::check::beside::{Runs, compare};
use scrimp::image::Image;
use scrimp::optimize::{Ledger, Options};
use scrimp::text::source::MemoryLoader;
use scrimp::{Job, Settings, assemble_with};

fn build(dialect: &str, text: &str, options: Option<Options>) -> (Image, Option<Ledger>) {
    let target = scrimp::targets::by_name("z80").expect("a target");
    let job = Job {
        file: "main.asm".into(),
        target,
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
    let found = crate::common::findings(&out);
    (out.image.unwrap_or_else(|| panic!("{found}")), out.ledger)
}

/// Both images and the bytes saved, after they were run beside each other.
fn both(dialect: &str, text: &str) -> (Image, Image, i64) {
    let (before, _) = build(dialect, text, None);
    let (after, ledger) = build(dialect, text, Some(Options::default()));
    let ledger = ledger.expect("a ledger");
    let target = scrimp::targets::by_name("z80").expect("a target");
    let runs = Runs {
        steps: 2000,
        worlds: 3,
    };
    let alike = compare((target, None), (&before, &after), None, runs);
    let alike = alike.unwrap_or_else(|d| panic!("{d}\n{}", ledger.to_text()));
    assert!(alike.events > 0, "{alike:?}");
    (before, after, ledger.saved())
}

/// Two routines of which each could be shorter, of seven bytes.
const ROUTINES: &str = "
other: ld a,4
 ld a,5
 out (4),a
 ret
work: ld a,6
 ld a,7
 out (6),a
 ret
";

/// The address of data that are code is put on the stack as a number, and control goes elsewhere.
#[test]
fn data_that_a_number_on_the_stack_leads_to_are_code() {
    let text = format!(
        " org $8000
start: ld sp,$f000
 ld a,1
 ld a,2
 out (1),a
 call other
 call work
 ld hl,$1000
 ld ($9000),hl
 ld hl,$8020
 push hl
 ld hl,($9000)
 jp (hl)
 ds $8020-$
 db $cd,$2c,$80,$18,$fe
{ROUTINES}"
    );
    let (_, _, saved) = both("native", &text);
    assert!(saved >= 2, "{saved}");
}

/// So do numbers in a table that a number leads to; what such code calls has labels.
#[test]
fn data_that_call_code_are_code() {
    let text = format!(
        " org $8000
start: ld sp,$f000
 call other
 call work
 ld hl,$8018
 ld e,(hl)
 inc hl
 ld d,(hl)
 ex de,hl
 jp (hl)
 ds $8018-$
 db $1a,$80,$3e,$01,$cd,$24,$80,$cd,$2b,$80,$18,$fe
{ROUTINES}"
    );
    let (_, _, saved) = both("native", &text);
    assert!(saved >= 0, "{saved}");
}

/// A routine reads how many bytes behind its call it goes over, or reads up to a mark; these were
/// taken for instructions that do nothing.
#[test]
fn what_a_routine_counts_over_stays() {
    let skips = [
        (
            " inc d\n",
            " nop\n",
            "pop hl\n ld c,(hl)\n ld b,0\n inc hl\n add hl,bc\n inc hl\n jp (hl)\n",
        ),
        (
            "",
            " nop\n",
            "pop hl\nnext: ld a,(hl)\n inc hl\n or a\n jr nz,next\n push hl\n ret\n",
        ),
    ];
    for (first, last, skip) in skips {
        let data = " ld b,b\n".repeat(20);
        let text = format!(
            " org $8000
start: ld sp,$f000
 call skip
{first}{data}{last} ld a,5
 ld (hl),a
 out (1),a
stay: jr stay
skip: {skip}"
        );
        let (before, after, _) = both("native", &text);
        let (before, after) = (before.binary(0), after.binary(0));
        assert_eq!(before[6..26], after[6..26]);
    }
}

/// Places of a cartridge that the BIOS calls, and that have nothing to do.
#[test]
fn a_table_of_returns_stays() {
    let text = " org $8000
 db $aa,$55
 dw $1234
 ret
 nop
 nop
 ret
 nop
 nop
 ret
 nop
 nop
 reti
 nop
 retn
 nop
 db 'NAME'
start: ld a,1
 ld a,2
 out (1),a
 ret
 ld a,7
 out (2),a
 ret
";
    let (before, _) = build("native", text, None);
    let (after, ledger) = build("native", text, Some(Options::default()));
    // Code to which nothing leads goes as before.
    assert_eq!(ledger.expect("a ledger").saved(), 5);
    let (before, after) = (before.binary(0), after.binary(0));
    assert_eq!(before[4..23], after[4..23]);
}

/// A number that is kept is the address of code that nothing else leads to.
#[test]
fn code_that_a_kept_number_is_the_address_of_stays() {
    let text = " org $8000
start: ld sp,$f000
 ld hl,$8018
 ld ($9000),hl
 ld a,1
 ld a,2
 out (1),a
 ld hl,($9000)
 jp go
go: call leap
stay: jr stay
 ld a,3
 out (3),a
 ret
leap: jp (hl)
";
    let (before, _) = build("native", text, None);
    let all = before.binary(0);
    let at = all.windows(2).position(|w| w == [0x3e, 3]).expect("code");
    let text = text.replace("$8018", &format!("${:04x}", 0x8000 + at));
    both("native", &text);
}

/// Parts of a page that the assembler puts where there is room have their own places in the file.
#[test]
fn parts_in_pages_that_are_placed_may_become_shorter() {
    let text = " defpage 0,0000h,0100h
 defpage 1,0100h,*
 defpage 2,8000h,1000h
 page 0
 org 0
 jp start
 page 1
start: ld sp,0f000h
 ld a,1
 ld a,2
 ld (room+1),a
 call more
 jp start
 page 1
more: ld a,3
 ld a,4
 ld (room),a
 ret
 page 2
room: ds 16
";
    let (before, _) = build("sjasm", text, None);
    let (after, ledger) = build("sjasm", text, Some(Options::default()));
    assert_eq!(ledger.expect("a ledger").saved(), 8);
    assert_eq!(before.binary(0).len(), after.binary(0).len());
}

/// A screen lies over the last data, by a number that is amid a row, and what draws on it
/// computes its address.
#[test]
fn a_screen_over_data_stays_where_it_is() {
    let (_, _, saved) = both(
        "native",
        "
 org $7f80
start: ld sp,$f000
 ld a,4
 ld a,5
 ld (mode),a
 call draw
 ld hl,$8000
 ld de,$9000
 ld bc,$100
 ldir
 ld a,($9000)
 out (1),a
 ld hl,font+1
 ld a,(hl)
 out (2),a
halted: jr halted
draw: ld a,(mode)
 ld h,a
 ld a,$85
 xor h
 ld h,a
 ld l,0
 ld (hl),7
 ret
mode: db 0
room: db @
font: db 1,2,3,4,5,6,7,8
 db 1,2,3,4,5,6,7,8
"
        .replace('@', &["0"; 73].join(","))
        .as_str(),
    );
    assert!(saved > 0, "{saved}");
}

/// A voice that is made by counted clocks: what is loaded twice and jumps to what follows only
/// take time there, up to the first write to the port and between two.
#[test]
fn what_is_done_twice_at_a_port_takes_time() {
    let voice = |first: &str, second: &str| {
        format!(
            "
 org $8000
start: ld sp,$f000
 call voice
 call voice
halted: jr halted
voice: {first}
 xor c
 out (254),a
 add hl,de
 ld a,h
 {second}
 rla
 sbc a,a
 out (254),a
 ret
"
        )
    };
    let saved = |first, second| both("native", &voice(first, second)).2;
    let twice = "ld a,0\n ld a,0\n ld a,0\n ld a,0";
    assert_eq!(saved(twice, ""), 0);
    assert_eq!(saved("ld a,b", "jr on\non:"), 0);
    assert_eq!(saved("ld a,b", "ld a,5\n ld a,5"), 0);
    // Where no port is they only take bytes.
    let quiet = voice(twice, "jr on\non:").replace("out (254),a", "ld ($9000),a");
    assert!(both("native", &quiet).2 >= 8);
}

/// What counts and a jump on that become one where nobody reads the flags and the goal is near.
#[test]
fn what_counts_and_jumps_becomes_one() {
    let counted = |count: &str, jump: &str, far: &str, behind: &str| {
        let text = format!(
            "
 org $8000
start: ld sp,$f000
 ld b,9
 ld e,7
 ld hl,$9000
next: ld (hl),e
 ld a,(hl)
 add a,b
 ld (hl),a
 inc hl
{far} {count}
 {jump}
 {behind}
 xor a
 out (1),a
halted: jr halted
"
        );
        let (_, _, saved) = both("native", &text);
        saved
    };
    assert_eq!(counted("dec b", "jr nz,next", "", ""), 1);
    assert_eq!(counted("dec b", "jp nz,next", "", ""), 2);
    // Of another register, on another condition, where a flag is read, and too far away.
    assert_eq!(counted("dec e", "jr nz,next", "", ""), 0);
    assert_eq!(counted("inc b", "jr nz,next", "", ""), 0);
    assert_eq!(counted("dec b", "jr z,next", "", ""), 0);
    assert_eq!(counted("dec b", "jr nz,next", "", "push af"), 0);
    let far = " ld (hl),e\n ld (hl),b\n inc hl\n inc hl\n".repeat(40);
    assert_eq!(counted("dec b", "jp nz,next", &far, ""), 0);
}

/// Behind a block move the count is 0, and so is what is found to be it.
#[test]
fn a_count_that_is_over_is_0() {
    let saved = |ends: &str, behind: &str| {
        let text = format!(
            "
 org $8000
start: ld sp,$f000
 ld hl,$9000
 ld de,$a000
 in a,(1)
 ld b,a
 ld c,9
 {ends}
 {behind}
 ld ($c000),bc
 ld ($c002),a
 out (3),a
halted: jr halted
"
        );
        both("native", &text).2
    };
    assert_eq!(saved("ldir", "ld bc,7"), 1);
    assert_eq!(saved("lddr", "ld bc,$700"), 1);
    assert_eq!(saved("ldi\n ld ($c004),bc", "ld bc,7"), 0);
    assert_eq!(saved("ldir\n in b,(c)\n out (c),b", "ld bc,7"), 0);
    let zero = |what| saved(&format!("or a\n jr nz,over\n {what}\nover:"), "out (1),a");
    // The jump and the test go with it.
    assert_eq!(zero("xor a"), zero("nop") + 4);
}

/// A program at the start of memory, whose first instruction has for its address what others add
/// to pointers: how long a row is, and no place in the program.
#[test]
fn a_small_number_that_is_added_is_a_distance() {
    let saved = |first: &str| {
        let text = format!(
            "
 org 64
start: ld sp,$f000
 ld a,4
 ld a,5
 ld (mode),a
 ld hl,$9000
 call rows
 ld hl,$a000
 call rows
halted: jr halted
rows: {first}
 ld b,3
row: ld a,(mode)
 ld (hl),a
 out (1),a
 add hl,de
 djnz row
 ret
mode: db 0
"
        );
        both("native", &text).2
    };
    assert_eq!(saved("ld de,64"), saved("ld de,63"));
    // Something reads from there on: that is what it did.
    let reads = "ld de,64\n ex de,hl\n ld b,9\nsum: add a,(hl)\n inc hl\n djnz sum\n out (2),a";
    assert_eq!(saved(reads), 0);
}

/// Variables lie over what is needed no more, some of them at addresses that are counted: they
/// and what they lie over stay where they are, and what stands before that becomes shorter.
#[test]
fn room_over_data_is_at_its_address() {
    let (before, after, saved) = both(
        "mdl",
        "
 org #8000
start: ld sp,#f000
 ld a,4
 ld a,5
 ld (mode),a
 ld hl,text
 ld de,row
 ld bc,4
 ldir
 ld a,(row+2)
 out (1),a
 ld hl,row+1
 ld a,(hl)
 out (2),a
 ld a,(mode)
 out (3),a
 ld a,(last)
 out (4),a
halted: jr halted
text: db 1,2,3,4
old: db 5,6,7,8,9
last: db 10
 org old
mode: ds virtual 1
row: ds virtual 4
",
    );
    assert!(saved > 0, "{saved}");
    let place = |i: &Image, name: &str| {
        let s = i.symbols.iter().find(|s| &*s.name == name);
        s.map(|s| s.value)
    };
    for name in ["old", "row", "last"] {
        assert_eq!(place(&before, name), place(&after, name), "{name}");
    }
}

/// A routine behind the last thing that stays where it is would make the whole longer, though it
/// saves bytes before that: it is left out, and nothing else.
#[test]
fn what_is_held_costs_no_room_behind_it() {
    let text = "
 org $8000
start: ld sp,$f000
 ld a,1
 ld a,2
 out (11),a
 call one
 call two
 call one
 call two
 ld h,$80
 in a,(12)
 ld l,$37
 ld a,(hl)
 out (9),a
halted: jr halted
one: in a,(7)
 out (8),a
 ld hl,$9000
 ld a,(hl)
 add a,7
 ld (hl),a
 out (1),a
 in a,(2)
 ld ($9005),a
 in a,(3)
 out (4),a
 ret
row: db @
two: ld a,(row+1)
 out (10),a
 ld hl,$9000
 ld a,(hl)
 add a,7
 ld (hl),a
 out (1),a
 in a,(2)
 ld ($9005),a
 in a,(5)
 out (6),a
 ret
";
    let (before, after, saved) = both("native", &text.replace('@', &["1,2,3,4"; 12].join(",")));
    assert!(saved >= 2, "{saved}");
    assert!(before.len() >= after.len());
}

/// A table at the end of a page, which what comes before it would push into the next one: it
/// stays where it is, with room before it.
#[test]
fn a_table_that_is_pushed_on_stays_where_it_is() {
    let text = "
 org $8000
start: ld sp,$f000
 ld a,1
 ld a,2
 in a,(1)
 call one
 call two
 in a,(2)
 call one
 call two
 jr start
one: ld l,a
 ld h,8
 add hl,hl
 out (3),a
 ld a,h
 out (4),a
 ld a,l
 out (5),a
 in a,(7)
 ret
fill: db @
t: db 1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16
two: and 15
 add a,lo(t)
 ld l,a
 ld h,hi(t)
 ld a,(hl)
 out (2),a
 ld l,a
 ld h,8
 add hl,hl
 out (3),a
 ld a,h
 out (4),a
 ld a,l
 out (5),a
 in a,(8)
 ret
";
    let (before, after, saved) = both("native", &text.replace('@', &["7"; 200].join(",")));
    assert!(saved >= 2, "{saved}");
    assert!(before.len() >= after.len());
}

/// The same where nothing but its own address is named, at a number.
#[test]
fn room_over_data_that_is_named_alone_is_at_its_address() {
    let text = "
 org #8000
start: ld sp,#f000
 ld a,4
 ld a,5
 ld hl,mode
 ld b,2
 call fill
 ld a,(last)
 out (4),a
halted: jr halted
fill: ld (hl),7
 inc hl
 djnz fill
 ret
old: db 5,6
last: db 10
 org #801c
mode: ds virtual 1
other: ds virtual 1
";
    let (before, _) = build("mdl", text, None);
    let old = before.symbols.iter().find(|s| &*s.name == "old");
    assert_eq!(old.map(|s| s.value), Some(0x801c));
    assert!(both("mdl", text).2 > 0);
}
