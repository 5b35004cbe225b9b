//! With the machine's own ROM, which does not come with scrimp: set
//! `SCRIMP_ZX81_ROM` to a file of 8192 bytes to run these.

use scrimp_isa::Simulation;
use scrimp_isa::machine::Media;
use scrimp_z80::machines::zx81::simulation::Zx81Simulation;

use crate::common::tools::named;

use super::build::{firmware, write_for};
use super::machine::{first_row, media, ok};

const SECOND: u64 = 3_250_000;

/// The ROM, or a message why there is none.
fn rom() -> Option<Vec<u8>> {
    let file = named("SCRIMP_ZX81_ROM")?;
    Some(std::fs::read(&file).unwrap_or_else(|e| panic!("{}: {e}", file.display())))
}

fn start(program: &[u8], rom: Option<&[u8]>, slow_load: bool) -> Zx81Simulation {
    let media = Media {
        rom: rom.map(<[u8]>::to_vec),
        slow_load,
        ..media(program.to_vec())
    };
    Zx81Simulation::start(&media, firmware(), 1, false).expect("it starts")
}

#[test]
fn programs_do_the_same_under_both_roms() {
    let Some(rom) = rom() else { return };
    for (layout, options) in [
        ("rem", ""),
        ("rem", ", usr=val"),
        ("rem", ", usr=variable"),
        ("rem", ", mode=fast"),
        ("sysvar", ""),
        ("sysvar", ", mode=fast"),
    ] {
        let program = ok(layout, options);
        let mut theirs = start(&program, Some(&rom), true);
        let mut ours = start(&program, None, true);
        for zx81 in [&mut theirs, &mut ours] {
            zx81.run(9 * SECOND);
            assert_eq!(first_row(zx81).trim_end(), "OK", "{layout}{options}");
        }
        // From the code to the end of the display file.
        let end = 0x4009 + program.len() as u64;
        for address in 0x4082.min(end)..end {
            let bytes = (theirs.peek(address), ours.peek(address));
            assert_eq!(bytes.0, bytes.1, "{layout}{options} ${address:04X}");
        }
        if !options.contains("fast") {
            assert_eq!(theirs.picture().states, ours.picture().states);
            // The shapes of the characters are not the same.
            let places = |zx81: &Zx81Simulation| {
                let cells = zx81.picture().cells.iter();
                cells.map(|c| (c.line, c.column)).collect::<Vec<_>>()
            };
            assert_eq!(places(&theirs), places(&ours));
        }
    }
}

/// Grows a program until the line does not run any more.
#[test]
fn the_limits_are_those_of_the_rom() {
    let Some(rom) = rom() else { return };
    for (layout, options, most) in [
        ("rem", "", 949),
        ("rem", ", usr=variable", 949),
        ("rem", ", usr=val", 899),
        ("sysvar", "", 951),
    ] {
        // Marks free RAM when it runs; nothing is printed, there is no room.
        let org = if layout == "rem" { "$4082" } else { "$403C" };
        let program = |pad: usize| {
            let text = format!(
                "machine zx81-2k, layout={layout}{options}\norg {org}\n\
                 start: ld a,$A5\n ld ($4021),a\nstop: jr stop\n ds {pad},0\n"
            );
            write_for("zx81-2k", &text).bytes
        };
        let rest = program(0).len();
        for (size, runs) in [(most, true), (most + 1, false)] {
            let file = program(size - rest);
            assert_eq!(file.len(), size);
            for rom in [Some(&rom[..]), None] {
                let mut zx81 = start(&file, rom, false);
                zx81.run(SECOND);
                let ran = zx81.peek(0x4021) == 0xA5;
                assert_eq!(ran, runs, "{layout}{options} {size} {}", rom.is_some());
            }
        }
    }
}
