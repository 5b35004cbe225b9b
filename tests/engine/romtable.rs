//! Tables of bytes in ROM, spread over pages, and how they are read.

use crate::common::gigatron;
use scrimp::Output;
use scrimp::image::Image;
use scrimp::text::source::MemoryLoader;
use scrimp_isa::machine::{Media, Stop};

fn assemble(text: &str) -> Output {
    let picture: Vec<u8> = (0..600u32).map(|i| (i * 7 % 251) as u8).collect();
    let files = MemoryLoader::default().with("picture.bin", picture);
    gigatron::assemble_with(text, files, &[])
}

fn findings(text: &str) -> Vec<String> {
    gigatron::found(&assemble(text))
}

#[track_caller]
fn image(text: &str) -> Image {
    gigatron::clean(assemble(text))
}

#[track_caller]
fn value(i: &Image, name: &str) -> u64 {
    i.symbol(name).expect("a symbol").value as u64
}

#[test]
fn a_short_table_has_its_trampoline_right_behind() {
    let i = image(
        " org 0
there: nop
        section data in rom
        romtable small, back = there
        db 1, -2, \"A\", later
        ds 2, 9
        endtable
later = 77
",
    );
    let at = value(&i, "small");
    assert_eq!(
        (at & 0xff, at >> 8),
        (0, 1),
        "page 0 begins with the program"
    );
    assert_eq!(value(&i, "small.length"), 6);
    assert_eq!(value(&i, "small.per"), 6);
    assert_eq!(value(&i, "small.pages"), 1);
    assert_eq!(value(&i, "small.entry"), at + 6);
    let made: Vec<u8> = i.binary(0)[2 * at as usize..].to_vec();
    let expected: [[u8; 2]; 11] = [
        [0, 1],
        [0, 254],
        [0, 65],
        [0, 77],
        [0, 9],
        [0, 9],
        [0xfe, 0],
        [0xfc, 8],
        [0x14, 0],
        [0xe0, 0],
        [0x02, 0],
    ];
    assert_eq!(made, expected.concat());
}

#[test]
fn long_tables_fill_pages_and_leave_the_rest_to_others() {
    let text = "
start:  bra start
        ds 250
        section data in rom
        romtable long, back = start, per = 200, slot = st [5]
        incbin \"picture.bin\", 0, 450
mark:   db 1
        endtable
        section rest in rom
        section one in rom within = 256
one:    ds 140, 2
        section two in rom within = 256
two:    ds 50, 2
";
    let i = image(text);
    let long = value(&i, "long");
    assert_eq!(long, 0x100);
    assert_eq!(value(&i, "long.pages"), 3);
    assert_eq!(value(&i, "long.length"), 451);
    assert_eq!(value(&i, "mark"), 0x300 + 50);
    let bytes = i.binary(0);
    let word = |a: usize| [bytes[2 * a], bytes[2 * a + 1]];
    for page in 1..4 {
        // The slot of the last jump is the table's own instruction.
        assert_eq!(word(page * 256 + 200), [0xfe, 0], "page {page}");
        assert_eq!(word(page * 256 + 204), [0xc2, 5], "page {page}");
    }
    for n in [0usize, 199, 200, 399, 400, 449] {
        let at = 0x100 + n / 200 * 256 + n % 200;
        assert_eq!(word(at), [0, (n as u32 * 7 % 251) as u8], "element {n}");
    }
    // Between the last values and their trampoline there is room.
    assert_eq!(value(&i, "one") >> 8, 3);
    assert!(value(&i, "one") & 0xff >= 51);
    assert_eq!(value(&i, "two") & 0xff, 205);
}

const WALK: &str = "
        include <gigatron/lookup.asm>
        section cells in zero
page:   ds 1
place:  ds 1
number: ds 2
result: ds 1
way:    ds 2
        section code in rom
start:  rewind(long, page, place)
each:   fetch(long, page, place)
got:    st [result]
        advance(long, page, place)
next:   bra each
        nop
enter:  nop
        nop
again:  locate(other, number + 1, number, page, place)
ready:  fetch_here(other, page, place, way)
read:   st [result]
done:   bra done
        nop
        section data in rom
        romtable long, back = got
        incbin \"picture.bin\"
        endtable
        romtable other, back = [way], per = 128
        incbin \"picture.bin\"
        endtable
";

#[test]
fn a_page_that_comes_first_stays_before_tables() {
    let i = image(
        "        section main in rom within = 256
start:  bra start
        nop
        section data in rom
        romtable long, back = start
        ds 600, 5
        endtable
",
    );
    assert_eq!(value(&i, "start"), 0);
    assert_eq!(value(&i, "long"), 0x100);
}

#[test]
fn every_element_is_fetched_in_constant_time() {
    let i = image(WALK);
    let media = Media {
        program: i.binary(0),
        container: "rom".into(),
        ..Media::default()
    };
    let target = scrimp::targets::by_name("gigatron").expect("the Gigatron");
    let machine = target.machine("gigatron-32k").expect("a machine");
    let mut s = machine.start(&media, &[]).expect("it starts");
    for at in ["each", "next", "again", "ready", "read", "done"] {
        s.breakpoint(value(&i, at), true);
    }
    let run_to = |s: &mut Box<dyn scrimp_isa::Simulation>, label: &str| {
        let before = s.cycles();
        assert_eq!(s.run(500), Stop::Breakpoint(value(&i, label)), "{label}");
        s.cycles() - before
    };
    assert!(s.set_register("pc", value(&i, "start")));
    run_to(&mut s, "each");
    for n in 0..600u64 {
        // `fetch`, `st` and `advance`: the same for each, also from page to page.
        assert_eq!(run_to(&mut s, "next"), 9 + 1 + 9, "element {n}");
        assert_eq!(
            u64::from(s.peek(value(&i, "result"))),
            n * 7 % 251,
            "element {n}"
        );
        run_to(&mut s, "each");
    }
    for n in [0u64, 1, 127, 128, 255, 256, 383, 384, 599] {
        s.poke(value(&i, "number"), n as u8);
        s.poke(value(&i, "number") + 1, (n >> 8) as u8);
        assert!(s.set_register("pc", value(&i, "enter")));
        run_to(&mut s, "again");
        assert_eq!(run_to(&mut s, "ready"), 13, "element {n}");
        assert_eq!(run_to(&mut s, "read"), 13, "element {n}");
        run_to(&mut s, "done");
        assert_eq!(u64::from(s.peek(value(&i, "result"))), n * 7 % 251);
    }
}

#[test]
fn what_is_wrong_with_a_table_is_told() {
    let one = |text: &str| {
        let found = findings(&format!("b: nop\n section d in rom\n{text}\n"));
        assert_eq!(found.len(), 1, "{text}: {found:?}");
        found.into_iter().next().unwrap_or_default()
    };
    assert!(one(" romtable t, back = b\n db 1").starts_with("E0040 this `romtable` has no"));
    assert!(one(" endtable").starts_with("E0041"));
    assert!(one(" romtable t, back = b\n endtable").starts_with("E0013 a table needs at least"));
    assert!(one(" romtable t\n").starts_with("E0013 expected `romtable name"));
    assert!(one(" romtable t, back = b, per = 252").starts_with("E0022 a page cannot have 252"));
    assert!(one(" romtable t, back = b\n dw 5\n db 1\n endtable").starts_with("E0024 `dw` cannot"));
    assert!(one(" romtable t, back = b\n db 1\n nop\n endtable").starts_with("E0024 between"));
    assert!(one(" romtable t, back = b\n db 256\n endtable").starts_with("E0022 256 does not fit"));
    assert!(one(" romtable t, back = q\n db 1\n endtable").starts_with("E0030 `q` is not"));
    let inner = one(" romtable t, back = b\n db 1\n romtable u, back = b\n endtable");
    assert!(
        inner.starts_with("E0024 a table cannot stand in"),
        "{inner}"
    );
    let endless = one(" romtable t, back = b, per = 2\n repeat 1000000\n ds 60000\n endr");
    assert!(
        endless.starts_with("E0044 the table has more than 256"),
        "{endless}"
    );
    let ram = findings(" section v in ram\n romtable t, back = 5\n");
    assert!(ram[0].starts_with("E0024 a table of this kind"), "{ram:?}");
    let large = findings(
        " region low, start = 0, size = 600\n section d in low\nb: nop\n section e in low\n romtable t, back = b\n ds 300\n endtable\n",
    );
    assert_eq!(large.len(), 1, "{large:?}");
    assert!(
        large[0].starts_with("E0055 the table `t` needs 2 pages"),
        "{large:?}"
    );
}

/// The program of the manual, as it stands there.
#[test]
fn the_program_of_the_manual_keeps_time_and_shows_its_picture() {
    let manual = include_str!("../../docs/manual/gigatron.md");
    let (_, rest) = manual.split_once("## A whole program").expect("the part");
    let (_, rest) = rest.split_once("```asm\n").expect("a program");
    let (text, _) = rest.split_once("```").expect("its end");
    let i = image(text);
    assert!(i.proven >= 9, "{} stretches", i.proven);
    let start = |image: &Image| {
        let media = Media {
            program: image.binary(0),
            container: "rom".into(),
            ..Media::default()
        };
        let target = scrimp::targets::by_name("gigatron").expect("the Gigatron");
        let machine = target.machine("gigatron-32k").expect("a machine");
        machine.start(&media, &[]).expect("it starts")
    };
    let mut s = start(&i);
    s.run(20 * 521 * 200);
    assert_eq!(s.notes(), Vec::<String>::new());
    let screen = s.screen();
    let mut colours: Vec<_> = screen.rgb.chunks(3).map(<[u8]>::to_vec).collect();
    colours.sort_unstable();
    colours.dedup();
    assert!(colours.len() >= 60, "{} colours", colours.len());
    // A clock more is found, by the proof and by the machine.
    let late = text.replace("wait(171)", "wait(172)");
    let found = findings(&late);
    assert!(
        found[0].starts_with("E0063 hSync falls after 201"),
        "{found:?}"
    );
    let nowhere = text.replace("clock 0, rebase", "");
    assert_eq!(
        findings(&nowhere),
        ["W0008 `lines` has nowhere to begin, so no line is proven"]
    );
}
