//! The Gigatron through the assembler: words, pages, listings, files.

use crate::common::tools::named;
use scrimp::diagnostic::human::human;
use scrimp::text::source::MemoryLoader;
use scrimp::{Job, Output};
use scrimp_isa::Target;
use std::fmt::Write as _;

fn target() -> &'static dyn Target {
    scrimp::targets::by_name("gigatron").expect("the Gigatron")
}

fn assemble_as(dialect: &str, text: &str) -> Output {
    let loader = MemoryLoader::default().with("main.asm", text.as_bytes());
    let job = Job {
        file: "main.asm".into(),
        target: target(),
        machine: target().machine("gigatron-32k"),
        dialect: dialect.into(),
        defines: Vec::new(),
    };
    scrimp::assemble(&job, &loader)
}

/// What was found, as code and message.
fn findings(out: &Output) -> Vec<String> {
    let list = out.diagnostics.iter();
    list.map(|d| format!("{} {}", d.code, d.message)).collect()
}

#[track_caller]
fn words_as(dialect: &str, text: &str) -> Vec<[u8; 2]> {
    let out = assemble_as(dialect, text);
    let found = findings(&out);
    assert!(found.is_empty(), "{:?}", &found[..found.len().min(5)]);
    let bytes = out.image.expect("an image").binary(0xff);
    bytes.chunks(2).map(|b| [b[0], b[1]]).collect()
}

#[track_caller]
fn words(text: &str) -> Vec<[u8; 2]> {
    words_as("native", text)
}

#[track_caller]
fn finding(text: &str) -> String {
    let found = findings(&assemble_as("native", text));
    assert_eq!(found.len(), 1, "{found:?}");
    found.into_iter().next().unwrap_or_default()
}

#[test]
fn all_words_through_the_disassembler_and_the_assembler() {
    let all: Vec<[u8; 2]> = (0..=u16::MAX).map(u16::to_le_bytes).collect();
    let mut text = String::new();
    for (at, word) in (0u64..).zip(&all) {
        let line = target().decode(word, 2 * at).expect("a form").text;
        let _ = writeln!(text, "\t{line}");
    }
    assert!(words(&text) == all, "not the same words");
}

#[test]
fn spaces_labels_and_halves_of_addresses() {
    let made = words(
        "
        section vars in zero
        ds 5
count:  ds 1
        section tables in ram
        ds 16
table:  ds 4
        section code in rom
        nop
here:   ld lo(there)
        ld hi(there),y
        jmp y,there
        st [count]
        ld hi(table),y
        st [y,lo(table)]
        section far in rom align=256
far0:   nop
there:  bra $
        ld $-far0
        org $0301
        bra here2
here2:  nop
",
    );
    assert_eq!(
        made[..7],
        [
            [0x02, 0x00],
            [0x00, 0x01],
            [0x14, 0x01],
            [0xe0, 0x01],
            [0xc2, 0x05],
            [0x14, 0x01],
            [0xca, 0x10],
        ]
    );
    let far = [[0x02, 0x00], [0xfc, 0x01], [0x00, 0x02]];
    assert_eq!(made[0x100..0x103], far);
    assert_eq!(made[0x301], [0xfc, 0x02]);
}

#[test]
fn align_counts_words_and_fills_with_words_that_do_nothing() {
    let made = words(" ld 1\n align 4\n ld 2\n align 4, $11\n ld 3");
    assert_eq!(made[1..4], [[0x02, 0x00]; 3]);
    assert_eq!(made[5..8], [[0x11, 0x11]; 3]);
    assert_eq!(made[8], [0x00, 0x03]);
}

#[test]
fn words_stay_whole() {
    let out = assemble_as("native", " db 1,2,3\nx: nop\n ds 2\ny: ld y-x\n dw $1234");
    assert_eq!(
        findings(&out),
        ["W0009 a zero byte is added up to a whole word"]
    );
    let bytes = out.image.expect("an image").binary(0);
    assert_eq!(bytes, [1, 2, 3, 0, 2, 0, 0, 0, 0, 0, 0, 3, 0x34, 0x12]);
    // A count that waits for layout, and one of a structure.
    let late = words("section s in rom\nb: nop\nsection t in rom\n ds b + 3\n ld 1");
    assert_eq!(late[1..], [[0, 0], [0, 0], [0, 0], [0, 1]]);
    let field = "struct piece\nx: db\ny: ds 3\nends\n ld piece.y\n ld piece";
    assert_eq!(words(field), [[0, 1], [0, 4]]);
}

#[test]
fn branches_stay_in_the_page_of_the_word_behind_them() {
    let far = "E0027 the target is in page $00, the branch reaches page $01 only";
    assert_eq!(finding("x: nop\n org $100\n bra x\n nop"), far);
    assert_eq!(finding("x: nop\n org $ff\n bra x\n nop"), far);
    // The last word of a page reaches the next.
    assert_eq!(words(" org $ff\n bra x\n nop\nx: nop")[0], [0xfc, 0x01]);
    assert_eq!(words(" org $ffff\n bra 5")[0], [0xfc, 0x05]);
    let back = "E0027 the target is in page $01, the branch reaches page $00 only";
    assert_eq!(finding(" org 5\n bne x\n nop\n org $100\nx: nop"), back);
    // In the slot of a far jump the page is that jump's business.
    let slot = words("x: nop\n org $234\n jmp y,$10\n slot bra x\n bra $240\n nop");
    assert_eq!(slot[0x235], [0xfc, 0x00]);
    let later = words(" org $234\n jmp y,ac\n slot bra x\n nop\n org $600\n nop\nx: nop");
    assert_eq!(later[1], [0xfc, 0x01]);
    assert!(finding(" jmp y,1\n bra $10000\n nop").contains("out of range"));
    // In a section that floats.
    let float =
        "section a in rom\n nop\n section b in rom align=256\ny: nop\n section a\n beq y\n nop";
    assert_eq!(finding(float), back);
}

#[test]
fn what_stands_in_a_delay_slot() {
    let jump = "W0012 this jump stands in the delay slot of the one before it";
    assert_eq!(finding("x: bra x\n bra x\n nop"), jump);
    assert_eq!(finding("x: bra ac\n jmp y,x\n nop"), jump);
    // Also where the same line was met before.
    assert_eq!(
        finding("x: nop\n jmp y,x\n nop\n jmp y,x\n jmp y,x\n nop"),
        jump
    );
    assert_eq!(words("x: bra ac\n slot bra x\n nop")[1], [0xfc, 0x00]);
    assert_eq!(words("x: bra ac\ny: slot beq x\n nop")[1], [0xf0, 0x00]);
    assert_eq!(
        finding(" bra 0\n slot\n nop"),
        "E0013 expected an instruction"
    );
    let empty = "W0012 the last word is a jump; its slot is empty";
    assert_eq!(finding(" nop\n bra 0"), empty);
    let other = "W0012 the last word is a jump; the first of section `b` stands in its slot";
    let text = "section a in rom\n nop\n bra 0\nsection b in rom\n ld 1\n";
    assert_eq!(finding(text), other);
    let back = "section a in rom\n nop\n bra 0\nsection b in rom\n ld 1\nsection a\n nop";
    assert_eq!(words(back).len(), 4);
    // A disassembly names no labels.
    assert_eq!(words(" bra ac\n bra $0000\n bra in\n nop").len(), 4);
    // What a listing has is meant.
    assert_eq!(words_as("gigatron-lst", "x: bra ac\n bra $0000\n").len(), 2);
}

#[test]
fn operands_are_checked() {
    assert_eq!(finding(" ld 256"), "E0022 256 is out of range");
    assert_eq!(finding(" ld -129"), "E0022 -129 is out of range");
    assert_eq!(finding(" st [256]"), "E0022 256 is out of range");
    assert_eq!(finding(" st [y,-1]"), "E0022 -1 is out of range");
    assert_eq!(finding(" ctrl y,256"), "E0022 256 is out of range");
    assert_eq!(
        finding(" jmp y,$10000\n nop"),
        "E0022 65536 is out of range"
    );
    let same = "this operand and one before it are the same bits, and must be equal";
    assert_eq!(finding(" st 3,[4]"), format!("E0022 {same}"));
    assert_eq!(finding(" st 3,[x5]\nx5 = 5"), format!("E0060 {same}"));
    assert_eq!(
        words(" st q,[q]\n st r,[q],x\nq = 5\nr = 5"),
        [[0xc0, 5], [0xd0, 5]]
    );
    for wrong in [
        "ld [y]",
        "ld [x,y]",
        "ld 1,ac",
        "st x",
        "jmp x,1",
        "ld 1,x++",
        "ld [y,x+],out",
        "nop 1",
    ] {
        let found = findings(&assemble_as("native", &format!(" {wrong}\n")));
        assert!(!found.is_empty(), "{wrong}");
    }
}

#[test]
fn a_section_that_is_a_page_tells_by_how_much_it_is_too_long() {
    let text = |n: u32| format!("section p in rom align=256, size=256\n repeat {n}\n nop\n endr\n");
    assert_eq!(words(&text(256)).len(), 256);
    let found = finding(&text(260));
    assert_eq!(
        found,
        "E0054 the section `p` has 260 words, 4 more than the 256 it may have"
    );
}

#[test]
fn regions_lie_in_a_space_and_count_as_it_does() {
    let made = words(
        "region low, start=$100, size=$100
        region board in ram, start=$800, size=$10
        section b in board
        ds 3
piece:  ds 1
        section c in low
        nop
here:   ld hi(piece),y
        ld lo(piece)
        bra here
        nop
",
    );
    assert_eq!(
        made,
        [[0x02, 0], [0x14, 8], [0x00, 3], [0xfc, 1], [0x02, 0]]
    );
    let full = finding("region r, start=5, size=2\nsection c in r\n nop\n nop\n nop\n");
    assert!(full.starts_with("E0051"), "{full}");
    assert!(full.contains("up to $0007 and ends at $0006"), "{full}");
    assert!(finding("region r in rim, start=0, size=1").contains("no memory `rim`"));
    assert!(finding("region r, start=$ffff, size=2").starts_with("E0052"));
}

#[test]
fn tables_in_rom_are_looked_up() {
    let text = "
        include <gigatron/lookup.asm>
        section data in zero
number: ds 1
result: ds 1
        section squares in rom align=256, size=256
square: repeat 16, i
        ld i * i
        endr
        lookup(square, got)
        st [result]
        section code in rom align=256, size=256
start:  ld 13
        st [number]
call:   ld hi(square),y
        jmp y,square + LOOKUP
        ld [number]
got:    bra got
        nop
";
    let out = assemble_as("native", text);
    assert_eq!(findings(&out), Vec::<String>::new());
    let image = out.image.expect("an image");
    let value = |name: &str| image.symbol(name).expect("a label").value as u64;
    let media = scrimp_isa::machine::Media {
        program: image.binary(0),
        container: "rom".into(),
        ..scrimp_isa::machine::Media::default()
    };
    let machine = target().machine("gigatron-32k").expect("a machine");
    let mut s = machine.start(&media, &[]).expect("it starts");
    assert!(s.set_register("pc", value("start")));
    s.breakpoint(value("got"), true);
    let before = s.cycles();
    assert_eq!(
        s.run(1000),
        scrimp_isa::machine::Stop::Breakpoint(value("got"))
    );
    assert_eq!(s.peek(value("result")), 169);
    // Two words, `ld hi(square),y`, and what the library promises.
    assert_eq!(s.cycles() - before, 2 + 1 + 8);
}

/// Frames of 60 lines with the LEDs on and a dot, in our own words.
const DEMO: &str = "
        macro line(bits, dot)
        ld bits,out
        ld $a5                  ; sound and LEDs
        repeat 22
        nop
        endr
        ld bits | $40,out
        repeat 40
        nop
        endr
        ld bits | $40 | dot,out
        ld bits | $40,out
        endm
        macro rest(n)
        repeat n
        nop
        endr
        endm
start:  repeat 8
        line(0, 0)
        rest(133)
        endr
        repeat 51
        line($80, 3)
        rest(133)
        endr
        line($80, 0)
        rest(130)
        ld hi(start),y
        jmp y,start
        nop
";

#[test]
fn the_command_runs_a_rom() {
    let dir = tempfile::tempdir().expect("a folder");
    std::fs::write(dir.path().join("demo.asm"), DEMO).expect("a file");
    let run = |args: &[&str]| {
        let out = std::process::Command::new(env!("CARGO_BIN_EXE_scrimp"))
            .args(args)
            .args(["--target", "gigatron"])
            .current_dir(dir.path())
            .output()
            .expect("the command runs");
        let text = |b: Vec<u8>| String::from_utf8(b).expect("text");
        (out.status.code(), text(out.stdout), text(out.stderr))
    };
    let (code, _, errors) = run(&["build", "demo.asm", "-q", "-o", "demo.rom"]);
    assert_eq!((code, errors.as_str()), (Some(0), ""));
    let rom = std::fs::read(dir.path().join("demo.rom")).expect("a ROM");
    assert_eq!(rom.len(), 0x2_0000);
    assert!(rom.ends_with(b"Gigatron!"));
    let (code, out, errors) = run(&["run", "demo.rom", "--frames", "10"]);
    assert_eq!((code, errors.as_str()), (Some(0), ""));
    // Every sync pulse is right: no note. The picture is cut to what is lit, a column of
    // dots.
    assert!(!out.contains("note:"), "{out}");
    let first = out.lines().next().expect("a row");
    assert_eq!(first, ":", "{out}");
    assert!(out.contains("1,250,000 clocks (0.20 s)"), "{out}");
    let (code, out, _) = run(&["run", "demo.asm", "--until", "start", "--json"]);
    assert_eq!(code, Some(0));
    assert!(out.contains("\"routine\": \"start\""), "{out}");
    let (code, _, _) = run(&[
        "run", "demo.rom", "--frames", "4", "--wav", "demo.wav", "--png", "demo.png",
    ]);
    assert_eq!(code, Some(0));
    let wav = std::fs::read(dir.path().join("demo.wav")).expect("a sound");
    assert_eq!(&wav[..4], b"RIFF");
    assert!(wav[44..].iter().all(|&b| b == 0xa8), "sound of 10");
    assert_eq!(wav[44..].len(), 4 * 125_000 / 200);
    assert!(dir.path().join("demo.png").exists());
    // A line that is longer than the others.
    let bad = DEMO.replace("rest(130)", "rest(131)");
    std::fs::write(dir.path().join("demo.asm"), bad).expect("a file");
    let (code, out, errors) = run(&["run", "demo.asm", "--frames", "10"]);
    assert_eq!(code, Some(2), "{errors}");
    assert!(
        errors.contains("bad lines: the first, at clock"),
        "{errors}"
    );
    // What it fails with is told once.
    assert!(!out.contains("bad lines"), "{out}");
    let (code, ..) = run(&["run", "demo.asm", "--frames", "10", "--any-signal"]);
    assert_eq!(code, Some(0));
    // And one that makes no pulse at all.
    let idle = "start:  bra start\n        nop\n";
    std::fs::write(dir.path().join("idle.asm"), idle).expect("a file");
    let (code, out, errors) = run(&["run", "idle.asm"]);
    assert_eq!(code, Some(2));
    assert!(errors.contains("no vSync came"), "{errors}");
    assert!(!out.contains("vSync"), "{out}");
    let (_, out, _) = run(&["run", "idle.asm", "--any-signal"]);
    assert!(out.contains("no vSync came"), "{out}");
    let (_, out, _) = run(&["run", "demo.asm", "--frames", "10", "--any-signal"]);
    assert!(out.contains("had 201 clocks instead of 200"), "{out}");
}

/// A listing with what the makers' printer puts into one; of our own words.
const LISTING: &str = "\
* source: Core/nothing.asm.py
                                          12    # A line of the source
              address
              |    encoding
              |    |     instruction
              |    |     |    operands
              |    |     |    |
              V    V     V    V
start:        0000 0012  ld   $12         ;A comment
              0001 1880  ld   $80,out
.loop#3:      0002 0200  nop              14    nop()     # Another
a_long_label_of_many_letters:             15    label('x')
              0003 5d00  ora  [y,x++],out 16    for i in range(9):
              0004 5d00  ora  [y,x++],out
              0005 5d00  ora  [y,x++],out
              * 9 times
                                          17

x:y:          000c c020  st   $20,[$20]
              000d fc02  bra  .loop#3
              000e ec10  bne  x#2
              000f e065  jmp  y,$65
x#2:          0010 fc13  bra  $13
              0011 f411  bge  $0011
              0012 f10c  beq  [$0c]
              0013 cd18  ctrl y,x
              0014
";

/// The listing without its columns of addresses and encodings.
fn stripped(listing: &str) -> String {
    let mut out = String::new();
    for line in listing.lines() {
        let digits = |t: Option<&str>| t.is_some_and(|t| t.bytes().all(|b| b.is_ascii_hexdigit()));
        let columns = digits(line.get(14..18)) && digits(line.get(19..23));
        match columns {
            true => out.push_str(&format!("{}{}\n", &line[..14], &line[25..])),
            false => out.push_str(&format!("{line}\n")),
        }
    }
    out
}

#[test]
fn a_listing_is_a_source() {
    // Word $0013 has a spare operand byte, which only its column tells.
    let full = words_as("gigatron-lst", LISTING);
    assert_eq!(full.len(), 0x14);
    assert_eq!(full[3..12], [[0x5d, 0x00]; 9]);
    assert_eq!(
        full[12..],
        [
            [0xc0, 0x20],
            [0xfc, 0x02],
            [0xec, 0x10],
            [0xe0, 0x65],
            [0xfc, 0x13],
            [0xf4, 0x11],
            [0xf1, 0x0c],
            [0xcd, 0x18],
        ]
    );
    let mut bare = words_as("gigatron-lst", &stripped(LISTING));
    assert_eq!(bare[0x13], [0xcd, 0x00]);
    bare[0x13] = [0xcd, 0x18];
    assert_eq!(bare, full);
    let raw = words_as("gigatron-lst", "start: raw  $cd,$18\n       bra  start\n");
    assert_eq!(raw, [[0xcd, 0x18], [0xfc, 0x00]]);
}

#[test]
fn lines_of_a_listing_that_were_met_before_are_the_same() {
    let text = "\
a:            0000 0012  ld   $12
              0001 0012  ld   $12      ; again
b:            0002 0012  ld   $12      7 with a remark
              * 6 times
c:            0006 cd18  ctrl y,x
              0007 cd00  ctrl y,x
              0008 cd18  ctrl y,x
              0009 0200  nop
              000a 0200  nop           # a remark
d:            000b 0200  nop
              * 4 times
              000d fc02  bra  b
              000e 0012  ld   $12
              000f
";
    let of = |word: u16, n: usize| std::iter::repeat_n(word, n);
    let ctrl = [0xcd18, 0xcd00, 0xcd18];
    let want: Vec<[u8; 2]> = of(0x0012, 6)
        .chain(ctrl)
        .chain(of(0x0200, 4))
        .chain([0xfc02, 0x0012])
        .map(u16::to_be_bytes)
        .collect();
    assert_eq!(words_as("gigatron-lst", text), want);
    let wrong = text.replace("0002 0012", "0002 0013");
    let said = findings(&assemble_as("gigatron-lst", &wrong));
    let e = "E0028 the encoding is 0013, but that of the text is 0012";
    assert_eq!(said, [e]);
}

#[test]
fn bare_instructions_of_a_listing_that_were_met_before_are_the_same() {
    let text = "\
       ld   $12
       ld   $12
 ld   $12 ; a remark
       * 6 times
       ld   $13
       ld   $13 # another
a:     ld   $12
       ld   $12
       000a 0012  ld   $12
       bra  a
       bra  a
";
    let want: Vec<[u8; 2]> = [0x12; 6]
        .into_iter()
        .chain([0x13, 0x13, 0x12, 0x12, 0x12])
        .chain([0xfc08; 2])
        .map(u16::to_be_bytes)
        .collect();
    assert_eq!(words_as("gigatron-lst", text), want);
    // The columns of a line are looked at, whatever its instruction was before.
    let wrong = text.replace("000a 0012", "000b 0012") + "       000e 0012  ld   $12\n";
    let said = findings(&assemble_as("gigatron-lst", &wrong));
    assert_eq!(said.len(), 1, "{said:?}");
    let undone = text.replace("* 6 times", "* 3 times");
    let said = findings(&assemble_as("gigatron-lst", &undone));
    assert!(said[0].contains("E0013"), "{said:?}");
}

#[test]
fn a_listing_that_contradicts_itself() {
    let of = |from: &str, to: &str| {
        let text = LISTING.replace(from, to);
        assert_ne!(text, LISTING);
        findings(&assemble_as("gigatron-lst", &text))
    };
    let e = "E0028 the encoding is 0013, but that of the text is 0012";
    assert_eq!(of("0000 0012", "0000 0013"), [e]);
    let e = "E0028 this word is at $0002, not where the listing says";
    assert_eq!(of("0002 0200", "0004 0200"), [e]);
    let e = "E0028 this word is at $000D, not where the listing says";
    assert_eq!(of("* 9 times", "* 10 times")[..1], [e]);
    let e = "E0028 the listing ends at $0024, its words at $0014";
    assert_eq!(of("\n              0014\n", "\n              0024\n"), [e]);
    assert!(of("bra  .loop#3", "bra  .loop#4")[0].contains("`.loop#4` is not defined"));
    assert!(of("ld   $80,out", "ld   $80,oot")[0].contains("E0021"));
    assert!(of("ld   $80,out", "lda  $80,out")[0].contains("no such instruction"));
    assert!(of("* 9 times", "* 3 times")[0].contains("E0013"));
    assert!(of("* 9 times", "* 99999999999 times")[0].contains("E0013"));
    let more = of("ld   $80,out", "ld   $80,out or more");
    assert!(
        more[0].contains("`out or more`") || more[0].starts_with("E00"),
        "{more:?}"
    );
}

#[test]
fn damaged_listings_end_in_findings() {
    let mut seed = 0x2545_f491_4f6c_dd1du64;
    let mut random = |n: usize| {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        (seed >> 20) as usize % n
    };
    for _ in 0..400 {
        let mut text: Vec<char> = LISTING.chars().collect();
        for _ in 0..1 + random(8) {
            let at = random(text.len());
            match random(3) {
                0 => drop(text.remove(at)),
                1 => text[at] = ['\n', '*', '[', '$', ':', 'ä', ',', ' ', '\u{0}'][random(9)],
                _ => text.insert(at, [' ', '\n', '+', '"', '\'', ']'][random(6)]),
            }
        }
        let text: String = text.into_iter().collect();
        let out = assemble_as("gigatron-lst", &text);
        assert!(out.image.is_some() || !out.diagnostics.is_empty(), "{text}");
    }
}

/// The makers' ROMs with their listings are not ours to ship. `SCRIMP_GIGATRON_ROMS`
/// names a folder with pairs of `.lst` and `.rom`; without it nothing is done.
#[test]
fn official_listings_give_official_roms() {
    let Some(folder) = named("SCRIMP_GIGATRON_ROMS") else {
        return;
    };
    let mut pairs = 0;
    for entry in std::fs::read_dir(&folder).expect("the folder") {
        let lst = entry.expect("an entry").path();
        let Ok(rom) = std::fs::read(lst.with_extension("rom")) else {
            continue;
        };
        if lst.extension().is_none_or(|e| e != "lst") {
            continue;
        }
        let name = lst.display();
        let bytes = std::fs::read(&lst).expect("a listing");
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let full: Vec<u8> = words_as("gigatron-lst", &text).concat();
        assert!(rom.starts_with(&full), "{name}");
        let bare = words_as("gigatron-lst", &stripped(&text)).concat();
        // One word of the first ROM has a spare byte that its text does not show.
        let first = lst.file_stem().is_some_and(|s| s == "ROMv1");
        let differ = full.iter().zip(&bare).filter(|(a, b)| a != b).count();
        assert_eq!(differ, usize::from(first), "{name}");
        assert_eq!(bare.len(), full.len(), "{name}");
        let tail = &rom[full.len()..];
        assert!(
            tail.is_empty()
                || b"Gigatron!Gigatron!".ends_with(&tail[tail.len().saturating_sub(9)..])
        );
        pairs += 1;
    }
    assert!(pairs > 0, "no pairs of .lst and .rom");
    eprintln!("{pairs} listings");
}

#[test]
fn labels_are_any_text_and_may_stand_in_several_places() {
    let text = "
low-byte return point:
              0000 0200  nop              28    fillers()
again:        0001 fc02  bra  table 7x7   29  bra(\"table 7x7\")
table 7x7:    0002 e800  blt  low-byte return point
              0003 f404  bge  again ;nearest
again:        0004 f404  bge  again
              0005 fc04  bra  again
";
    for text in [text.to_owned(), stripped(text)] {
        let found = words_as("gigatron-lst", &text);
        let want = [
            [0x02, 0],
            [0xfc, 2],
            [0xe8, 0],
            [0xf4, 4],
            [0xf4, 4],
            [0xfc, 4],
        ];
        assert_eq!(found, want);
    }
}

#[test]
fn a_file_that_is_no_listing_is_told_so() {
    for text in ["just words\n", "\u{1}\u{2}\n", "\n"] {
        let out = assemble_as("gigatron-lst", text);
        let found = findings(&out);
        assert_eq!(found.len(), 1, "{text:?}: {found:?}");
        assert!(found[0].contains("no line of this file"), "{found:?}");
    }
    assert!(
        assemble_as("gigatron-lst", "head\n        ld $12\n")
            .image
            .is_some()
    );
    // One that is too long may be one.
    let long = format!("0000 0001  ld {}1\n", "1+".repeat(150_000));
    let found = findings(&assemble_as("gigatron-lst", &long));
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].contains("a line has more than"), "{found:?}");
}

/// All findings as people see them.
fn shown(text: &str) -> String {
    let out = assemble_as("native", text);
    let list = out.diagnostics.iter();
    list.map(|d| human(d, &out.sources, false)).collect()
}

#[test]
fn what_does_not_fit_says_by_how_much_and_what_would() {
    insta::assert_snapshot!(shown(
        "near:   nop
        ld 300
        st [near + 256]
        ld [y,-3]
        jmp y,$10000
        nop
        org $1f0
        bne near
        nop
        org $2ff
        bra last
last:   nop
        org $2fe
        ds 3
        section page in rom align = 256, size = 256
        ds 259
"
    ));
}

#[test]
fn far_jumps_and_calls_go_from_page_to_page() {
    let made = words(
        "        include <gigatron/far.asm>
        section cells in zero
way:    ds 2
        section code in rom
start:  far(there)
        call(there, way, ld 7)
        near_call(close)
        section other in rom
        org $0234
there:  return(way)
        section beside in rom within = 256
close:  bra ac
        nop
",
    );
    let low = |n: usize| made[n][1];
    assert_eq!(made[..3], [[0x14, 2], [0xe0, 0x34], [0x02, 0]]);
    assert_eq!(
        made[3..10],
        [
            [0x00, 0],
            [0xc2, 1],
            [0x00, 10],
            [0xc2, 0],
            [0x14, 2],
            [0xe0, 0x34],
            [0x00, 7]
        ]
    );
    assert_eq!((made[10][0], made[11]), (0xfc, [0x00, 12]));
    assert_eq!(made[low(10) as usize], [0xfe, 0]);
    assert_eq!(made[0x234..], [[0x15, 1], [0xe1, 0], [0x02, 0]]);
}

#[test]
fn a_gt1_of_bytes_alone() {
    let dir = tempfile::tempdir().expect("a folder");
    std::fs::write(dir.path().join("flag.asm"), FLAG).expect("a file");
    let out = std::process::Command::new(env!("CARGO_BIN_EXE_scrimp"))
        .args(["build", "flag.asm", "-q", "--emit", "gt1"])
        .args(["--target", "gigatron", "-o", "flag.gt1"])
        .current_dir(dir.path())
        .output()
        .expect("the command runs");
    assert_eq!(String::from_utf8_lossy(&out.stderr), "");
    let file = std::fs::read(dir.path().join("flag.gt1")).expect("a file");
    let (segments, start) = scrimp_gigatron::machines::segments(&file).expect("it reads back");
    assert_eq!((start, segments[0]), (0x0200, (0x30, &[0x3f, 0, 0][..])));
    assert_eq!(segments[1].0, 0x0200);
    let rows: Vec<_> = segments[2..].iter().map(|s| (s.0, s.1.len())).collect();
    let expected: Vec<_> = (0x28..0x30).map(|page| (page << 8, 160)).collect();
    assert_eq!(rows, expected);
}

/// Bytes for RAM: pixels for the picture of a ROM, and what its interpreter runs.
const FLAG: &str = "
        machine gigatron-32k
        section flag in ram
        repeat 8, y
        org $2800 + 256 * y
        repeat 160, x
        db (x >> 2 ^ y) & $3f
        endr
        endr
        section code in ram
        org $0200
start:  db $11, $40, $2b        ; LDWI $2b40: a pixel of the flag
        db $2b, pixel           ; STW  pixel
again:  db $93, colour          ; INC  colour
        db $1a, colour          ; LD   colour
        db $f0, pixel           ; POKE pixel
        db $90, lo(again - 2)   ; BRA  again
        section cells in zero
        org $30
colour: db $3f
pixel:  db 0, 0
";
