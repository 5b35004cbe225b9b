//! Random programs with what the optimizer changes written into them: the sources assemble to
//! the optimized program, in each dialect that takes them.

use crate::optimize_random::{MORE, program};
use scrimp::Session;
use scrimp::image::Image;
use scrimp::optimize::Options;
use scrimp::session::front::Files;
use scrimp::session::improve::{Refused, improve};
use scrimp::text::source::MemoryLoader;

const DIALECTS: [&str; 7] = [
    "native",
    "pasmo",
    "sjasmplus",
    "z80asm",
    "zasm",
    "zmac",
    "mdl",
];

fn session(text: &str, dialect: &str) -> Session {
    let files = MemoryLoader::default().with("main.asm", text);
    let mut s = Session::of_files("main.asm", Files::Memory(files));
    s.target = scrimp::targets::by_name("z80").expect("a target");
    s.dialect = dialect.to_owned();
    s.index = false;
    s
}

/// The program in a macro, in a repetition, or as it is, in another layout of lines.
fn dressed(text: &str, seed: u64) -> String {
    match seed % 4 {
        0 => text.replace("\n ", "\n\t"),
        1 => text.replace('\n', " ; says so\n"),
        2 => text.replace('\n', "\r\n"),
        _ => text.to_owned(),
    }
}

fn bytes(image: &Image) -> Vec<u8> {
    image.binary(0)
}

/// Bytes saved, programs, changes that could not be written, and programs of which nothing
/// was: those are refused in words.
fn written(seeds: std::ops::Range<u64>) -> (i64, usize, usize, usize) {
    let (mut saved, mut count, mut left, mut refused) = (0, 0, 0, 0);
    for seed in seeds {
        let dialect = DIALECTS[(seed % DIALECTS.len() as u64) as usize];
        let text = dressed(&program(seed), seed / 7);
        let mut s = session(&text, dialect);
        let plain = s.assemble();
        let Some(before) = plain.image() else {
            panic!("seed {seed}, {dialect}: {:?}\n{text}", plain.findings);
        };
        let made = match improve(&mut s, &Options::default()) {
            Ok(made) => made,
            Err(Refused::Failed(why)) if why.starts_with("nothing is written") => {
                println!("seed {seed}, {dialect}: {why}");
                refused += 1;
                continue;
            }
            Err(Refused::Failed(why)) => panic!("seed {seed}, {dialect}: {why}\n{text}"),
            Err(Refused::Broken(b)) => panic!("seed {seed}, {dialect}: {:?}\n{text}", b.findings),
        };
        let file = &made.files[0];
        let new = file.after.as_ref().unwrap_or(&file.before);
        let new = String::from_utf8(new.clone()).expect("text");
        let again = session(&new, dialect).assemble();
        let found = again
            .image()
            .unwrap_or_else(|| panic!("seed {seed}: {new}"));
        let wanted = made.build.image().expect("an image");
        assert_eq!(
            bytes(found),
            bytes(wanted),
            "seed {seed}, {dialect}\n{text}\n{new}"
        );
        let ledger = made.ledger().expect("a ledger");
        assert!(bytes(before).len() >= bytes(found).len());
        saved += ledger.saved();
        count += 1;
        left += made.left_out.len();
    }
    (saved, count, left, refused)
}

#[test]
fn random_programs_are_written() {
    let (saved, count, left, refused) = written(0..7);
    assert!(
        saved > 50 && count == 7 && left < 7 && refused == 0,
        "{saved} bytes, {left} left out"
    );
    let (saved, ..) = written(MORE..MORE + 2);
    assert!(saved > 5, "{saved} bytes");
}

#[test]
#[ignore = "slow"]
fn slow_many_random_programs_are_written() {
    let (saved, count, left, refused) = written(2_070..2_110);
    let more = written(MORE + 2_000..MORE + 2_020);
    println!("{saved} bytes in {count} programs, {left} left out, {more:?} in others");
    println!("{refused} refused");
    assert!(saved > 500 && more.0 > 100);
    // A table that needs padding before it cannot stand in each dialect.
    assert!(refused + more.3 <= 3, "{refused} and {} refused", more.3);
}

#[test]
fn padding_before_a_table_is_written() {
    // The table begins with a page, and code before it becomes shorter: it would lie in two.
    for table in [
        "table:  db 1,2,3,4,5,6,7,8,9,9,9,9,9,9,9,9,9,9,9,9",
        "table:\n        db 1,2,3,4\n        db 5,6,7,8,9,9,9,9,9,9,9,9,9,9,9,9",
    ] {
        let text = format!(
            "        org $40e7
start:  ld a,(count)
        or a
        jp z,other
        ld hl,table
        add a,l
        ld l,a
        ld a,(hl)
        ld (count),a
        jp start
other:  ld (count),a
        jp start
{table}
count:  db 0
"
        );
        for dialect in ["native", "pasmo", "z80asm"] {
            let mut s = session(&text, dialect);
            let made = improve(&mut s, &Options::default());
            let made = made.unwrap_or_else(|e| match e {
                Refused::Failed(why) => panic!("{dialect}: {why}"),
                Refused::Broken(b) => panic!("{dialect}: {:?}", b.findings),
            });
            let ledger = made.ledger().expect("a ledger");
            assert!(
                ledger.padding > 0 && ledger.saved() > 2,
                "{}",
                ledger.to_text()
            );
            let new = made.files[0].after.clone().expect("it is another");
            let new = String::from_utf8(new).expect("text");
            let again = session(&new, dialect).assemble();
            let all = bytes(again.image().expect("an image"));
            let at = all.windows(8).position(|w| w == [1, 2, 3, 4, 5, 6, 7, 8]);
            assert_eq!(0x40e7 + at.expect("the table"), 0x4100, "{new}");
        }
    }
}
