//! A target with several address spaces and word addresses: listing, sizes, uses and
//! files of a whole program.

use scrimp::report::{Sizes, uses::Uses};
use scrimp::text::source::MemoryLoader;
use scrimp::write::{Context, by_name};
use scrimp::{Job, Output, assemble};

const SOURCE: &str = "\
.include \"m8def.inc\"
.dseg
var:\t.byte 2
.eseg
saved:\t.db 1, 2, 3
.cseg
reset:\tldi zl, low(table * 2)
\tldi zh, high(table * 2)
\tlpm r0, z+
\tsts var, r0
\tldd r1, y+5
loop:\trjmp loop
table:\t.db \"ab\"
";

fn build(machine: &str) -> Output {
    let files = MemoryLoader::default().with("demo.asm", SOURCE);
    let target = scrimp::targets::by_name("avr").expect("the target");
    let job = Job {
        file: "demo.asm".into(),
        target,
        machine: target.machine(machine),
        dialect: "avrasm2".into(),
        defines: Vec::new(),
    };
    let out = assemble(&job, &files);
    assert!(out.image.is_some(), "{:?}", out.diagnostics);
    out
}

fn file(out: &Output, format: &str) -> String {
    let image = out.image.as_ref().expect("an image");
    let target = scrimp::targets::by_name("avr").expect("the target");
    let bytes = by_name(format).expect("a writer").bytes(&Context {
        name: "demo",
        image,
        sources: &out.sources,
        target,
        machine: image.machine.as_deref().and_then(|m| target.machine(m)),
        clock: None,
    });
    String::from_utf8(bytes).expect("text")
}

#[test]
fn the_listing_has_words_and_the_clocks_of_the_device() {
    let text = file(&build("atmega8"), "lst");
    let line = |start: &str| {
        let found = text.lines().find(|l| l.starts_with(start));
        let words = found
            .unwrap_or_else(|| panic!("{start}:\n{text}"))
            .split_whitespace();
        words.collect::<Vec<_>>().join(" ")
    };
    assert_eq!(
        line("0000  E"),
        "0000 E0EE 1 7 reset: ldi zl, low(table * 2)"
    );
    assert_eq!(line("0002"), "0002 9005 3 9 lpm r0, z+");
    // An instruction of two words, and a place in SRAM by its address there.
    assert_eq!(line("0003"), "0003 9200 0060 2 10 sts var, r0");
    assert_eq!(line("0006"), "0006 CFFF 2 12 loop: rjmp loop");
    assert_eq!(line("0007"), "0007 61 62 13 table: .db \"ab\"");
    assert_eq!(line("0060"), "0060 room: 2 bytes 3 var: .byte 2");
    assert_eq!(line("0000  01"), "0000 01 02 03 5 saved: .db 1, 2, 3");
    // Nothing of the include file, which makes no bytes.
    assert!(!text.contains("PORTB"), "{text}");
    assert!(text.starts_with("; demo: 19 bytes\n"), "{text}");
}

#[test]
fn sizes_are_told_by_space_and_memory() {
    let out = build("atmega8");
    let image = out.image.as_ref().expect("an image");
    let target = scrimp::targets::by_name("avr").expect("the target");
    let sizes = Sizes::of("demo", image, &out.sources, target);
    assert_eq!(sizes.total, 16 + 3);
    let text = scrimp::report::text::text(&sizes, None);
    assert!(
        text.starts_with("demo: 19 bytes: flash 16, eeprom 3; room in data 2\n"),
        "{text}"
    );
    assert!(text.contains("16 of 8,192 bytes used (0.2 %)"), "{text}");
    assert!(text.contains("2 of 1,024 bytes used (0.2 %)"), "{text}");

    let uses = Uses::of(image, target);
    let count = |list: &[scrimp::report::uses::Use], name: &str| {
        list.iter().find(|u| u.name == name).map(|u| u.count)
    };
    assert_eq!(uses.instructions, 6);
    assert_eq!(count(&uses.mnemonics, "ldi"), Some(2));
    assert_eq!(
        count(&uses.mnemonics, "jmp"),
        None,
        "the ATmega8 has no such instruction"
    );
    assert_eq!(count(&uses.words, "r30"), Some(1));
    assert_eq!(count(&uses.words, "r0"), Some(2));
    assert_eq!(count(&uses.words, "z"), Some(1));
    assert_eq!(count(&uses.modes, "z+"), Some(1));
    assert_eq!(count(&uses.modes, "y+q"), Some(1), "{:?}", uses.modes);
}

/// GNU's way: data are copied from flash to SRAM at the start.
#[test]
fn what_is_copied_to_sram_takes_room_in_both() {
    let source = "\
\t.section .data
msg:\t.byte 1,2,3,4
\t.section .bss
buf:\t.skip 6
\t.text
\t.global main
main:\tlds r20, msg
1:\tsts buf, r20
\trjmp 1b
";
    let files = MemoryLoader::default().with("demo.S", source);
    let target = scrimp::targets::by_name("avr").expect("the target");
    let job = Job {
        file: "demo.S".into(),
        target,
        machine: target.machine("atmega8"),
        dialect: "gas-avr".into(),
        defines: Vec::new(),
    };
    let out = assemble(&job, &files);
    let image = out
        .image
        .as_ref()
        .unwrap_or_else(|| panic!("{:?}", out.diagnostics));
    let sizes = Sizes::of("demo", image, &out.sources, target);
    let spaces: Vec<_> = sizes
        .spaces
        .iter()
        .map(|s| (&*s.name, s.bytes, s.room))
        .collect();
    assert_eq!(spaces, [("flash", 14, false), ("data", 10, true)]);
    assert_eq!(sizes.total, 14);
    let used: Vec<_> = sizes.regions.iter().map(|r| (&*r.name, r.used)).collect();
    assert_eq!(used, [("flash", 14), ("sram", 10)]);
    let hex = file(&out, "hex");
    assert!(hex.contains("01020304"), "the data are in the file: {hex}");

    let elf = by_name("elf").expect("a writer").bytes(&Context {
        name: "demo",
        image,
        sources: &out.sources,
        target,
        machine: target.machine("atmega8"),
        clock: None,
    });
    use object::read::elf::ProgramHeader as _;
    use object::{Object, ObjectSymbol};
    let object::File::Elf32(read) = object::File::parse(&*elf).expect("an ELF file") else {
        panic!("not of 32 bits");
    };
    let end = object::Endianness::Little;
    let loads: Vec<_> = read
        .elf_program_headers()
        .iter()
        .map(|p| {
            (
                p.p_vaddr(end),
                p.p_paddr(end),
                p.p_filesz(end),
                p.p_memsz(end),
            )
        })
        .collect();
    let want = [
        (0, 0, 10, 10),
        (0x80_0060, 10, 4, 4),
        (0x80_0064, 0x80_0064, 0, 6),
    ];
    assert_eq!(loads, want);
    assert!(read.symbols().all(|s| s.name() != Ok("1")));
}

#[test]
fn files_of_one_space_and_of_all() {
    let out = build("atmega8");
    assert_eq!(file(&out, "eep"), ":03000000010203F7\n:00000001FF\n");
    let hex = file(&out, "hex");
    assert!(
        hex.starts_with(":10000000EEE0F0E0") && !hex.contains("010203F7"),
        "{hex}"
    );
    let all = file(&out, "mhex");
    assert!(
        all.contains(":02000004008179\n:03000000010203F7\n"),
        "{all}"
    );
}

#[test]
fn fuses_are_told_as_options() {
    let source = "\tsection fuses in fuse\n\tdb $E2, $DF\n\tsection code in flash\n\tnop\n";
    let build = |source: &str, machine: &str| {
        let files = MemoryLoader::default().with("demo.asm", source);
        let target = scrimp::targets::by_name("avr").expect("the target");
        let job = Job {
            file: "demo.asm".into(),
            target,
            machine: target.machine(machine),
            dialect: "native".into(),
            defines: Vec::new(),
        };
        let out = assemble(&job, &files);
        assert!(out.image.is_some(), "{:?}", out.diagnostics);
        out
    };
    let out = build(source, "attiny85");
    assert_eq!(
        file(&out, "fuses"),
        "-U lfuse:w:0xE2:m\n-U hfuse:w:0xDF:m\n"
    );
    assert_eq!(file(&out, "hex"), ":020000000000FE\n:00000001FF\n");
    // Without any there is no file.
    assert_eq!(file(&build("\tnop\n", "attiny85"), "fuses"), "");
}
