//! The ZX81's source library makes the same files as its container writer.

use super::build::{machine, write};

/// Code that depends on where it lies, and starts at its second byte.
const CODE: &str = "
other:   ret
start:   ld hl,($400C)
         inc hl
         ld (hl),'A'
         jp other
";

#[test]
fn frames_are_what_the_writer_makes() {
    for (fast, mode) in [("", "slow"), ("ZX81_FAST equ 1", "fast")] {
        for (layout, top, run, org) in [
            ("sysvar", "include <zx81/sysvar.asm>", "", "$403C"),
            (
                "rem",
                "include <zx81/rem.asm>",
                "include <zx81/run.asm>",
                "$4082",
            ),
        ] {
            let framed = write(&format!(
                "{fast}\n{top}\n{CODE}\n{run}\ninclude <zx81/collapsed.asm>\ninclude <zx81/end.asm>\n"
            ));
            let written = write(&format!(
                "machine zx81-1k, layout={layout}, mode={mode}\norg {org}\n{CODE}\n"
            ));
            assert_eq!(framed.bytes, written.bytes, "{layout} {mode}");
            assert_eq!(
                (framed.image_bytes, framed.added.len()),
                (framed.bytes.len(), 0)
            );
            assert!(framed.warnings.is_empty(), "{:?}", framed.warnings);
            assert_eq!(written.image_bytes, 10);
        }
    }
}

#[test]
fn frames_take_sections_and_a_display_file_of_the_program() {
    let framed = write(
        "include <zx81/rom.asm>\ninclude <zx81/chars.asm>\n\
         include <zx81/sysvar.asm>\n\
         start: ld bc,(LAST_K)\n jr start\n\
         section tables\n db CH_A, NEWLINE\n\
         section picture\n charmap \"zx81\"\n\
         dfile: db NEWLINE\n db \"HELLO\", NEWLINE\n ds 23, NEWLINE\n\
         include <zx81/end.asm>\n",
    );
    assert_eq!(framed.bytes.len(), 51 + 6 + 2 + 30 + 1);
    assert_eq!(
        framed.bytes[51 + 8 + 1..][..5],
        [0x2D, 0x2A, 0x31, 0x31, 0x34]
    );
}

#[test]
fn rom_and_characters_make_no_byte() {
    let files = machine("zx81-1k").library();
    for name in ["zx81/rom.asm", "zx81/chars.asm"] {
        assert!(files.iter().any(|f| f.0 == name));
        let with = write(&format!("include <{name}>\norg $403C\nstart: jr start\n"));
        assert_eq!(with, write("org $403C\nstart: jr start\n"));
    }
}
