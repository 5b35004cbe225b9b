//! What the optimizer keeps where it is: what is named by a number, and data at a multiple
//! whose addresses are used by halves. Padding sees to both, so that what stands before them
//! may become shorter.

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

/// The bytes that tell the table of a source below.
const TABLE: [u8; 4] = [0x11, 0x22, 0x33, 0x44];

/// The address of the table in an image of a program at $8000.
fn table(image: &Image) -> usize {
    let all = image.binary(0);
    let at = all.windows(TABLE.len()).position(|w| w == TABLE);
    0x8000 + at.unwrap_or_else(|| panic!("{all:02x?}"))
}

/// Jumps that may become short, then some lines, and the table behind them. `@` stands for
/// its address, as a number.
fn source(before: &str, lines: &str) -> String {
    let text = format!(
        "        org $8000
start:  jp next
next:   ld a,(var)
        or a
        jp z,other
        inc a
        ld (var),a
        jp go
other:  ld hl,0
        ld (var),hl
        jp go
go:
{lines}
        ld (var),a
        jp start
{before}
table:  db $11,$22,$33,$44,$55,$66,$77,$88
var:    db 0,0
"
    );
    let number = |n: usize| text.replace('@', &format!("${n:04x}"));
    let (image, _) = build(&number(0x9000), None);
    number(table(&image))
}

/// The address of the table before and after, the image after, and the ledger.
fn moved(text: &str) -> (usize, usize, Image, Ledger) {
    let (before, _) = build(text, None);
    let (after, ledger) = build(text, Some(Options::default()));
    let ledger = ledger.expect("it was asked");
    assert_eq!(ledger.claimed(), ledger.saved(), "{}", ledger.to_text());
    (table(&before), table(&after), after, ledger)
}

#[test]
fn what_a_number_may_be_the_address_of_stays_there() {
    // The address of the table, or a distance from somewhere else: both are right while the
    // table stays where it is.
    let lines = " ld hl,(var)\n ld de,@\n add hl,de\n ld a,(hl)";
    let (was, is, _, ledger) = moved(&source("", lines));
    assert_eq!(was, is, "{}", ledger.to_text());
    assert!(ledger.saved() >= 3, "{}", ledger.to_text());
    assert_eq!(ledger.padding as i64, ledger.saved());
}

#[test]
fn what_is_written_over_is_not_read_by_that() {
    // The jump at the start is written over and names a place that moves: nobody reads how far.
    // A read of its first bytes keeps the place where it is.
    let text = |touch: &str| {
        format!(
            "        org $8000
start:  jp far
mid:    ld a,(var)
        or a
        jp z,other
        inc a
        ld (var),a
        jp far
other:  ld (var),a
far:    ld hl,$76f3
        {touch}
        jr mid
table:  db $11,$22,$33,$44,$55,$66,$77,$88
var:    db 0,0
"
        )
    };
    let (was, is, _, written) = moved(&text("ld (start),hl"));
    assert!(is < was, "{}", written.to_text());
    let (was, is, _, read) = moved(&text("ld hl,(start)\n ld (var),hl"));
    assert_eq!(was, is, "{}", read.to_text());
}

#[test]
fn what_is_counted_from_before_data_stays_with_them() {
    // The byte before the table is a return, and nobody reads it.
    let lines = " call read\n";
    let before = "read:   ld hl,(var)\n ld de,@-1\n add hl,de\n ld a,(hl)\n ret";
    let (was, is, image, ledger) = moved(&source(before, lines));
    assert_eq!(was, is, "{}", ledger.to_text());
    assert!(ledger.saved() >= 3, "{}", ledger.to_text());
    assert_eq!(image.binary(0)[is - 0x8001], 0xc9, "{}", ledger.to_text());
}

#[test]
fn what_surely_is_an_address_follows_what_it_is_of() {
    let lines = " ld hl,@\n ld a,(hl)";
    let (was, is, image, ledger) = moved(&source("", lines));
    assert!(is < was, "{}", ledger.to_text());
    let named = [0x21, is as u8, (is >> 8) as u8];
    let all = image.binary(0);
    let found = all.windows(3).any(|w| w == named);
    // It may have become a read of the address itself.
    let read = [0x3a, is as u8, (is >> 8) as u8];
    assert!(found || all.windows(3).any(|w| w == read), "{all:02x?}");
}

#[test]
fn what_stands_between_room_and_a_number_stays() {
    // Control comes to the place from before it: no room fits in between, and what leads there
    // from the last jump on keeps its bytes.
    let lines = " ld hl,(var)\n ld de,@-3\n add hl,de\n ld a,(hl)\n ld (var),a\n jp behind";
    let before = "behind: ld b,0\n ld b,0\n nop\n nop\n nop\n jp start";
    let (was, is, image, ledger) = moved(&source(before, lines));
    assert_eq!(was, is, "{}", ledger.to_text());
    let kept = [6, 0, 6, 0, 0, 0, 0, 0xc3, 0x00, 0x80];
    let all = image.binary(0);
    let end = is - 0x8000;
    assert_eq!(&all[end - kept.len()..end], &kept, "{}", ledger.to_text());
}

#[test]
fn data_stay_at_a_multiple_if_halves_of_their_address_are_used() {
    // An author who puts bits into the low half needs the zeros there.
    let lines = " ld a,(var)\n and 7\n or low(table)\n ld l,a\n ld h,high(table)\n ld a,(hl)";
    let (was, is, _, ledger) = moved(&source(" align 16", lines));
    assert_eq!((was % 16, is % 16), (0, 0), "{}", ledger.to_text());
    assert!(ledger.saved() >= 3, "{}", ledger.to_text());
}

#[test]
fn a_table_that_is_at_a_multiple_by_its_place_stays_at_one() {
    // Nothing in the source says so: the code before happens to have that many bytes.
    let lines = " ld a,(var)\n and 7\n or low(table)\n ld l,a\n ld h,high(table)\n ld a,(hl)";
    let fill = (0..16).map(|n| source(&format!(" jp start\n ds {n}"), lines));
    let mut found = 0;
    for text in fill {
        let (was, is, _, ledger) = moved(&text);
        if was % 16 == 0 {
            found += 1;
            assert_eq!(is % 16, 0, "{}", ledger.to_text());
            assert!(ledger.saved() >= 3, "{}", ledger.to_text());
        } else {
            // Bits are put into its address: which of it matter is not known.
            assert_eq!(is % 256, was % 256, "{}", ledger.to_text());
        }
    }
    assert_eq!(found, 1);
}

/// A table of words and addresses, high half first and marked, as interpreters have it. The
/// first routine begins just behind the start of a page.
fn marked(page: usize, mark: &str) -> String {
    let text = format!(
        "        org #
start:  jp next
next:   ld a,(var)
        or a
        jp z,look
        jp start
look:   ld hl,words-1
again:  inc hl
        ld a,(hl)
        or a
        jp p,again
        and $7f
        ld b,a
        inc hl
        ld c,(hl)
        push bc
        ret
list:   ld a,1
        ld (var),a
        jp start
run:    ld a,2
        ld (var),a
        jp start
words:  db \"LIST\",{}
        db \"RUN\",{}
var:    db 0
",
        mark.replace('@', "list"),
        mark.replace('@', "run")
    );
    let at = |org: usize| text.replace('#', &org.to_string());
    let (image, _) = build(&at(page), None);
    let routine = image.binary(0).windows(2).position(|w| w == [0x3e, 1]);
    at(page + 1 - routine.expect("the routine"))
}

/// The two bytes behind the first word, and the address of its routine, before and after.
fn named(text: &str) -> [((u8, u8), usize); 2] {
    let (before, _) = build(text, None);
    let (after, ledger) = build(text, Some(Options::default()));
    let ledger = ledger.expect("it was asked").to_text();
    [before, after].map(|image| {
        let all = image.binary(0);
        let word = all.windows(4).position(|w| w == b"LIST").expect("the word");
        let routine = all.windows(2).position(|w| w == [0x3e, 1]);
        let chunk = image.chunks.iter().find(|c| !c.bytes.is_empty());
        let org = chunk.map_or(0, |c| c.address) as usize;
        let routine = org + routine.unwrap_or_else(|| panic!("{ledger}"));
        ((all[word + 4], all[word + 5]), routine)
    })
}

#[test]
fn addresses_with_a_mark_in_their_high_half_follow_their_code() {
    for mark in [
        "high(@)+128,low(@)",
        "high(@)|$80,low(@)",
        "(@>>8)+$80,@&255",
    ] {
        let [before, after] = named(&marked(0x4100, mark));
        assert_eq!(before, ((0xc1, 1), 0x4101));
        assert!(after.1 < 0x4100, "{mark}: {after:x?}");
        assert_eq!(after.0, (0xc0, after.1 as u8), "{mark}");
    }
}

#[test]
fn what_is_no_mark_in_a_high_half_keeps_its_value() {
    // One more than the high half: who knows of what.
    let [before, after] = named(&marked(0x4100, "high(@)+1,low(@)"));
    assert_eq!((before.0.0, after.0.0), (0x42, 0x42));
    // The bit is one of the address: the low page may not become one without it.
    let [before, after] = named(&marked(0x8000, "high(@)|$80,low(@)"));
    assert_eq!((before.0.0, before.1), (0x80, 0x8001));
    assert!(after.1 >= 0x8000, "{after:x?}");
    assert_eq!(after.0, (0x80, after.1 as u8));
}

#[test]
fn nothing_comes_before_data_that_would_push_them_into_the_next_page() {
    // The block would save a jump before the table, whose last byte is the last of its page.
    let text = "        org $8000
        ld sp,$f000
        ld hl,table
        ld b,8
loop:   ld a,(hl)
        add a,c
        ld c,a
        inc hl
        dec b
        jp nz,loop
        ld a,c
        out (1),a
        jp block
        ds 226
table:  db $11,$22,$33,$44,$55,$66,$77,$88
other:  ld a,1
        out (2),a
        jp other
block:  ld a,2
        out (3),a
        inc a
stop:   jr stop
";
    let (before, after, image, ledger) = moved(text);
    assert_eq!(before, 0x80f8);
    assert!(after < before, "{after:04x} {}", ledger.to_text());
    let loops = image.symbol("loop").expect("the loop").value;
    let bytes = image.binary(0);
    let behind = &bytes[(loops - 0x8000) as usize + 4..];
    assert_ne!(behind[..2], [0x05, 0xc2], "{}", ledger.to_text());
}

/// What is behind a label whose address is compared: `jr CONDITION` where both are the same.
fn compared(condition: &str) -> i64 {
    let text = format!(
        "        org $8000
        ld sp,$f000
        call mark
        ld hl,mark
        ld de,($c000)
        or a
        sbc hl,de
        jr {condition},same
        ld hl,$c004
same:   ld a,(hl)
        inc hl
        ld b,(hl)
        add a,b
        out (1),a
        di
        halt
mark:   ld a,1
        ld a,2
        out (2),a
        jp more
more:   ld a,3
        ld a,4
        out (2),a
        ret
"
    );
    let (_, ledger) = build(&text, Some(Options::default()));
    ledger.expect("it was asked").saved()
}

#[test]
fn a_difference_that_is_known_to_be_0_is_no_address() {
    // Behind `jr z` there is none at which memory is touched; behind `jr nz` it may be one.
    assert!(compared("nz") <= 2, "{}", compared("nz"));
    assert!(compared("z") >= 7, "{}", compared("z"));
}

#[test]
fn numbers_that_a_source_computes_leave_an_address_one() {
    for plus in ["8/2", "-(-3)", "((1<<2)|1)", "high($300)", "12%8"] {
        let lines = format!("        ld hl,table+{plus}\n        ld (hl),a");
        let (before, after, _, ledger) = moved(&source("", &lines));
        assert!(after < before, "{plus}: {}", ledger.to_text());
    }
    // Half an address is none, nor is a place and half of a distance.
    for value in ["table/2", "table+(next-start)/2", "table+(table&1)"] {
        let lines = format!("        ld hl,{value}\n        ld ($c000),hl");
        let (before, after, _, ledger) = moved(&source("", &lines));
        assert_eq!(before, after, "{value}: {}", ledger.to_text());
    }
}

#[test]
fn a_part_that_a_call_goes_on_behind_stays() {
    // What the call leads back to has an address of its own, right behind it.
    let (image, ledger) = build(
        "        org $8000
start:  ld a,0
        ld b,5
        cp 0
        ld (hl),a
        call show
        org $800a
        ld (hl),b
        ret
show:   ld (hl),7
        ret
",
        Some(Options::default()),
    );
    let call = [0xcd, 0x0c, 0x80, 0x70, 0xc9];
    assert!(
        image.binary(0).windows(5).any(|w| w == call),
        "{}",
        ledger.expect("it was asked").to_text()
    );
}

/// How long a block is that is moved over code, and what may be changed behind it.
#[test]
fn a_block_of_a_known_length_touches_no_more() {
    let saved = |count: &str, more: &str| {
        let text = format!(
            " org $8000
start: ld sp,$f000
 ld hl,$c000
 ld de,over
{count}
 ldir
{more}
 jp after
over: inc a
 out (1),a
 dec a
 out (1),a
 ret
after: ld a,1
 ld a,2
 out (2),a
stop: jr stop
"
        );
        let (_, ledger) = build(&text, Some(Options::default()));
        ledger.expect("a ledger").saved()
    };
    assert!(saved(" ld bc,6", "") > 1);
    // So long that it reaches there, not known, written into, or two in a row: the jump before it
    // alone.
    let others = [
        (" ld bc,12", ""),
        (" ld bc,($c200)", ""),
        (" ld (length+1),hl\nlength: ld bc,6", ""),
        (" ld ix,length\n ld (ix+1),9\nlength: ld bc,6", ""),
        (" ld bc,6", " ld bc,6\n ldir"),
    ];
    for (count, more) in others {
        assert!(saved(count, more) <= 1, "{count}{more}");
    }
}

/// How far a block is searched is not said by what happens to be found in it.
#[test]
fn a_block_that_is_searched_is_as_long_as_its_count() {
    let stays = |count: u8, byte: u8| {
        let text = format!(
            " org $8000
start: ld sp,$f000
 ld hl,over
 ld bc,{count}
 ld a,{byte}
 cpir
 ld a,c
 out (3),a
 jp after
over: inc a
 out (1),a
 dec a
 out (1),a
 ret
after: ld a,1
 ld a,2
 out (2),a
stop: jr stop
"
        );
        let (image, _) = build(&text, Some(Options::default()));
        let all = image.binary(0);
        all.windows(4).any(|w| w == [0x3e, 1, 0x3e, 2])
    };
    assert!(!stays(6, 7));
    for byte in 0..=255 {
        assert!(stays(12, byte), "{byte}");
    }
}

/// What leads out of the program at a distance stays at its address, and so does its end where
/// control goes on behind that; what stands before may change.
#[test]
fn what_leads_out_of_the_program_is_held() {
    let text = " org $8000
start: ld a,1
 ld a,2
 out (1),a
 or a
 jp z,there
 ret
there: jr $+60
on: ld a,3
 ld a,4
 out (1),a
 or a
 jp z,behind
 ret
behind: out (2),a
";
    let (before, _) = build(text, None);
    let (after, ledger) = build(text, Some(Options::default()));
    assert!(ledger.expect("a ledger").saved() >= 4);
    let (before, after) = (before.binary(0), after.binary(0));
    let jump = |all: &[u8]| all.windows(2).position(|w| w == [0x18, 58]);
    assert_eq!(before.len(), after.len());
    assert!(jump(&before).is_some());
    assert_eq!(jump(&before), jump(&after));
    assert_eq!(before[before.len() - 2..], after[after.len() - 2..]);
}

/// A part of a table whose length a source counts by places: only data stand between these, so
/// it is as long as it was, and what stands behind may change.
#[test]
fn a_part_of_a_length_over_data_is_a_number() {
    let saved = |part: &str, between: &str| {
        let text = format!(
            " org $8000
start: ld sp,$f000
 ld hl,data+({part})
 ld b,(end-data)/4
next: ld a,(hl)
 out (1),a
 inc hl
 djnz next
 jp code
data: db 1,2,3,4,5,6,7,8
{between} db 9,10,11,12,13,14,15,16
end:
code: ld a,1
 ld a,2
 out (2),a
stop: jp stop
"
        );
        let (before, _) = build(&text, None);
        let (after, ledger) = build(&text, Some(Options::default()));
        // What is read, and how much of it, is the same.
        let operand = |image: &Image, at: usize| image.binary(0)[at];
        assert_eq!(operand(&before, 7), operand(&after, 7));
        ledger.expect("a ledger").saved()
    };
    assert!(saved("(end-data)/4", "") >= 3);
    assert!(saved("-(data-end)/4", "") >= 3);
    assert!(saved("low (end-data)*2 & 7", "") >= 3);
    assert_eq!(
        saved("(end-data)/4", " nop\n"),
        saved("(end-data)/4", " xor a\n")
    );
    assert!(saved("(end-data)/4", " nop\n") < 3);
}

/// A table of jumps to which nothing leads is there for those who know its address: a monitor,
/// a ROM. Its jumps stay what and where they are, and so does what they lead to.
#[test]
fn tables_of_jumps_for_others_stay() {
    for filler in ["", " nop\n"] {
        let text = format!(
            " org $c000
 db 1,2,0,0
 jp init
{filler} jp one
{filler} jp two
{filler} jp init
name: db 'ROM',0
init: ld hl,name
 ld a,(hl)
 out (1),a
 ret
 ld a,77
 out (7),a
 ret
one: ld a,1
 ld a,2
 out (2),a
 ret
two: ld a,3
 ld a,4
 out (3),a
 ret
"
        );
        let (_, ledger) = build(&text, None);
        assert!(ledger.is_none());
        let (before, _) = build(&text, None);
        let (after, ledger) = build(&text, Some(Options::default()));
        let ledger = ledger.expect("a ledger");
        // What is never reached goes, and two instructions.
        assert_eq!(ledger.saved(), 5 + 4, "{}", ledger.to_text());
        let (before, after) = (before.binary(0), after.binary(0));
        for jump in 0..4 {
            let at = 4 + jump * (3 + filler.len().min(1));
            assert_eq!((before[at], after[at]), (0xc3, 0xc3));
            // The same instructions stand where they go, but for what nobody needs.
            let to = usize::from(u16::from_le_bytes([after[at + 1], after[at + 2]])) - 0xc000;
            let own = [0x21, 0x3e, 0x3e, 0x21][jump];
            let byte = after[to + 1];
            assert_eq!(after[to], own);
            assert!(jump == 0 || jump == 3 || byte == [2, 4][jump - 1]);
        }
    }
}

/// So do those that have names which nobody uses: a BIOS is called by its place.
#[test]
fn a_table_of_jumps_with_names_stays() {
    let text = " org $fa00
boot: jp cold
wboot: jp warm
const: jp status
conin: jp key
cold: ld a,1
 ld a,2
 out (1),a
warm: ld a,3
 out (2),a
 ret
status: in a,(3)
 ret
key: in a,(4)
 ret
";
    let (before, _) = build(text, None);
    let (after, ledger) = build(text, Some(Options::default()));
    let ledger = ledger.expect("a ledger");
    assert_eq!(ledger.saved(), 2, "{}", ledger.to_text());
    let (before, after) = (before.binary(0), after.binary(0));
    for jump in 0..4 {
        assert_eq!((before[3 * jump], after[3 * jump]), (0xc3, 0xc3));
        let to = |all: &[u8]| usize::from(all[3 * jump + 1]);
        assert_eq!(before[to(&before)], after[to(&after)]);
    }
}

/// Numbers one behind the other that are addresses of instructions to which nothing else leads
/// are a table of them, be they data or what a disassembler took for instructions.
#[test]
fn code_that_a_table_of_numbers_leads_to_stays() {
    let tables = [
        "db $1b,$80,$21,$80,$27,$80",
        " dec de\n add a,b\n ld hl,$2780\n add a,b\n",
    ];
    for table in tables {
        let text = format!(
            " org $8000
start: ld a,1
 ld a,2
 out (1),a
 ld hl,table
 ld e,(hl)
 inc hl
 ld d,(hl)
 ex de,hl
 jp (hl)
 nop
 nop
 ds $8015-$
table: {table}
 ld a,1
 out (1),a
 halt
 ret
 ld a,2
 out (1),a
 halt
 ret
 ld a,3
 out (1),a
 halt
 ret
"
        );
        let (before, _) = build(&text, None);
        let (after, ledger) = build(&text, Some(Options::default()));
        let ledger = ledger.expect("a ledger");
        // Of what was taken for instructions nothing is known but that it is read.
        let less = if table.starts_with("db") { 2 + 2 } else { 0 };
        assert!(ledger.saved() >= less, "{}", ledger.to_text());
        let (before, after) = (before.binary(0), after.binary(0));
        for at in [0x15..0x1b, 0x1b..0x1d, 0x21..0x23, 0x27..0x29] {
            assert_eq!(before[at.clone()], after[at]);
        }
    }
}

/// Where the stack pointer is in data nothing is called: also behind a jump whose distance the
/// program writes, into a table of jumps. What the checker does not come to stays as it is.
#[test]
fn nothing_is_called_where_the_stack_pointer_is_in_data() {
    let draw = " ld a,d
 and 7
 ld ($4000),a
 ld a,e
 or 3
 ld ($4001),a
 xor d
 ld ($4002),a
 and e
 ld ($4003),a
";
    for (write, jump) in [(" ld (table+1),a\n", "jr $"), ("", "jr $+2")] {
        let text = format!(
            " org $8000
 jp start
which: db 1
mask: dw 1,2,3,4,5,6,7,8
show: ld c,a
 ld (back+1),sp
 ld (from+1),hl
from: ld sp,0
 add a,c
 add a,c
{write}table: {jump}
 jp first
 jp second
 jp third
 ds 200
start: ld hl,mask
 ld b,4
 ld a,(which)
 call show
 ld a,1
 ld a,2
 out (1),a
stop: jr stop
first: pop de
{draw} djnz first
 jp back
second: pop de
 rr e
{draw} djnz second
 jp back
third: pop de
 rr d
{draw} djnz third
back: ld sp,0
 ret
"
        );
        let (before, _) = build(&text, None);
        let (after, ledger) = build(&text, Some(Options::default()));
        let calls = |image: &Image| image.binary(0).iter().filter(|&&b| b == 0xcd).count();
        let ledger = ledger.expect("a ledger");
        assert_eq!(calls(&after), calls(&before), "{}", ledger.to_text());
        assert!(ledger.saved() >= 2, "{}", ledger.to_text());
    }
}
