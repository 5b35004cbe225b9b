//! The machine under our own firmware.

use scrimp_isa::Simulation;
use scrimp_isa::machine::{Media, Stop};
use scrimp_z80::machines::zx81::simulation::Zx81Simulation;

use super::build::{firmware, machine, write, write_for};

/// T-states in a second.
const SECOND: u64 = 3_250_000;

/// A `.p` that shows OK in one of the layouts, with more options: by PRINT, or
/// where the line lies over PRINT's variables by its own hand.
pub fn ok(layout: &str, options: &str) -> Vec<u8> {
    let code = match layout {
        "rem" => {
            "org $4082
start:   ld a,'O'
         rst $10
         ld a,'K'
         rst $10
stop:    jr stop"
        }
        _ => {
            "org $403C
start:   ld hl,picture + 1
         ld (hl),'O'
         inc hl
         ld (hl),'K'
stop:    jr stop
picture: db $76, 0, 0
         ds 24, $76"
        }
    };
    let own = if layout == "rem" {
        ""
    } else {
        ", dfile=picture"
    };
    let text =
        format!("machine zx81-1k, layout={layout}{options}{own}\ncharmap \"zx81\"\n{code}\n");
    write(&text).bytes
}

pub fn media(program: Vec<u8>) -> Media {
    Media {
        program,
        container: "p".into(),
        ..Media::default()
    }
}

fn start(program: Vec<u8>) -> Zx81Simulation {
    Zx81Simulation::start(&media(program), firmware(), 1, false).expect("it starts")
}

/// A program without a picture, from $403C.
fn fast(code: &str) -> Zx81Simulation {
    let text = format!("machine zx81-1k, mode=fast\norg $403C\n{code}\n");
    start(write(&text).bytes)
}

pub fn first_row(machine: &dyn Simulation) -> String {
    let screen = machine.screen();
    screen.text.first().cloned().unwrap_or_default()
}

#[test]
fn every_way_to_start_a_program() {
    for (layout, options) in [
        ("rem", ""),
        ("rem", ", usr=val"),
        ("rem", ", usr=variable"),
        ("rem", ", mode=fast"),
        ("sysvar", ""),
        ("sysvar", ", mode=fast"),
    ] {
        let program = ok(layout, options);
        for slow_load in [false, true] {
            let media = Media {
                slow_load,
                ..media(program.clone())
            };
            let mut zx81 = Zx81Simulation::start(&media, firmware(), 1, false).unwrap();
            assert_eq!(zx81.loading(), slow_load);
            zx81.run(if slow_load { 9 * SECOND } else { SECOND });
            assert!(!zx81.loading());
            let row = first_row(&zx81);
            assert_eq!(row.trim_end(), "OK", "{layout}{options} {slow_load}");
            assert_eq!(row.chars().count(), 32);
            assert_eq!(zx81.mishaps(), Default::default());
            let lowest = zx81.lowest_stack();
            assert!((0x4380..0x43F0).contains(&lowest), "${lowest:04X}");
        }
    }
}

/// A screen full of characters from code 0 on.
fn full_screen() -> Vec<u8> {
    let text = "include <zx81/sysvar.asm>
start:   jr start
dfile:   db $76
         repeat 24, row
         repeat 32, column
         db (row * 32 + column) % 64
         endr
         db $76
         endr
         include <zx81/end.asm>";
    write(text).bytes
}

#[test]
fn timing_of_the_picture() {
    for (sixty, lines, first) in [(false, 310, 56), (true, 262, 32)] {
        let mut zx81 = Zx81Simulation::start(&media(full_screen()), firmware(), 1, sixty).unwrap();
        zx81.run(SECOND);
        let picture = zx81.picture();
        assert_eq!(picture.states, lines * 207);
        assert_eq!(picture.cells.len(), 192 * 32);
        for (i, cell) in picture.cells.iter().enumerate() {
            // 4 T-states are eight pixels.
            assert_eq!(u64::from(cell.line), first + i as u64 / 32);
            assert_eq!(usize::from(cell.column), 55 + i % 32 * 4);
            let (row, column) = (i / 256, i % 32);
            let code = (row * 32 + column) % 64;
            assert_eq!(cell.bits, firmware()[0x1E00 + code * 8 + i / 32 % 8]);
        }
        // A frame pulse of about six lines.
        assert!((5 * 207..7 * 207).contains(&picture.sync));
        let before = zx81.pictures();
        zx81.run(SECOND);
        let shown = zx81.pictures() - before;
        assert!(shown.abs_diff(SECOND / (lines * 207)) <= 1);
    }
}

#[test]
fn pixels_are_the_characters() {
    let mut zx81 = start(full_screen());
    zx81.run(SECOND);
    let screen = zx81.screen();
    assert_eq!(screen.rgb.len(), 3 * screen.width * screen.height);
    let (left, top) = ((screen.width - 256) / 2, (screen.height - 192) / 2);
    let black = |x: usize, y: usize| screen.rgb[3 * (y * screen.width + x)] == 0;
    for y in 0..screen.height {
        for x in 0..screen.width {
            let inside = (left..left + 256).contains(&x) && (top..top + 192).contains(&y);
            let expected = inside && {
                let (x, y) = (x - left, y - top);
                let code = (y / 8 * 32 + x / 8) % 64;
                firmware()[0x1E00 + code * 8 + y % 8] & 0x80 >> (x % 8) != 0
            };
            assert_eq!(black(x, y), expected, "{x} {y}");
        }
    }
    assert_eq!(screen.text[0].chars().nth(38 - 32), Some('▞'));
    assert!(screen.inverse.iter().flatten().all(|i| !i));
}

#[test]
fn fast_mode_shows_nothing_and_leaves_all_the_time() {
    let mut zx81 = fast("start: ld hl,0\nloop: inc hl\n jp loop");
    zx81.run(300_000);
    let count = |zx81: &Zx81Simulation| {
        let registers = zx81.registers();
        registers.iter().find(|r| r.0 == "hl").expect("HL").1
    };
    let (before, at) = (count(&zx81), zx81.cycles());
    zx81.run(160_000);
    let rounds = (zx81.cycles() - at) / 16;
    assert!(rounds.abs_diff(count(&zx81) - before) <= 1);
    assert!(zx81.screen().rgb.iter().all(|&p| p == 0xFF));
}

#[test]
fn each_key_is_at_its_place_in_the_matrix() {
    let mut zx81 = fast(
        "start: ld hl,rows\n ld bc,$FEFE\nnext: in a,(c)\n ld (hl),a\n inc hl\n rlc b\n jr c,next\n jr start\nrows: ds 8,0",
    );
    zx81.run(SECOND);
    let rows = 0x403C + 16;
    let matrix = [
        "SHIFT Z X C V",
        "A S D F G",
        "Q W E R T",
        "1 2 3 4 5",
        "0 9 8 7 6",
        "P O I U Y",
        "NEWLINE L K J H",
        "SPACE . M N B",
    ];
    for (row, keys) in matrix.iter().enumerate() {
        for (bit, key) in keys.split(' ').enumerate() {
            zx81.key(key, true).unwrap();
            zx81.run(2000);
            for other in 0..8 {
                let expected = if other == row {
                    0x1F & !(1 << bit)
                } else {
                    0x1F
                };
                assert_eq!(zx81.peek(rows + other as u64) & 0x1F, expected, "{key}");
            }
            zx81.key(key, false).unwrap();
        }
    }
    // 50 Hz, no tape.
    zx81.run(2000);
    assert_eq!(zx81.peek(rows), 0x7F);
    let error = zx81.key("F1", true).unwrap_err();
    assert!(error.contains("F1") && error.contains("NEWLINE"), "{error}");
}

#[test]
fn typed_characters_arrive_as_they_are() {
    // LAST_K as KEYBOARD leaves it, once a frame: H column with SHIFT in bit 0.
    let mut zx81 = start(ok("rem", ""));
    zx81.run(SECOND);
    for (typed, row, column) in [
        ('a', 0xFD, 0xFD),
        ('\n', 0xBF, 0xFD),
        ('"', 0xDF, 0xFC),
        ('<', 0x7F, 0xEE),
    ] {
        let key = zx81.key_for(typed).unwrap();
        zx81.key(key, true).unwrap();
        zx81.run(5 * 65_000);
        let last = [zx81.peek(0x4025), zx81.peek(0x4026)];
        assert_eq!(last, [row, column], "{typed:?} {key}");
        zx81.key(key, false).unwrap();
        zx81.run(5 * 65_000);
        assert_eq!([zx81.peek(0x4025), zx81.peek(0x4026) | 1], [0xFF, 0xFF]);
    }
    assert_eq!(zx81.key_for('!'), None);
    assert_eq!(zx81.key_for('\u{e9}'), None);
}

#[test]
fn snapshots_go_their_own_way() {
    let mut zx81 = start(ok("sysvar", ""));
    zx81.run(SECOND / 7);
    let mut copy = zx81.snapshot();
    let mut old = zx81.snapshot();
    zx81.run(SECOND);
    copy.run(SECOND);
    assert_eq!(copy.cycles(), zx81.cycles());
    assert_eq!(copy.registers(), zx81.registers());
    let ram = |s: &dyn Simulation| (0x4000..0x4400).map(|a| s.peek(a)).collect::<Vec<_>>();
    assert_eq!(ram(&*copy), ram(&zx81));
    assert_eq!(copy.screen(), zx81.screen());
    assert!(old.cycles() < zx81.cycles());
    old.poke(0x4100, 0x5A);
    assert_ne!(zx81.peek(0x4100), 0x5A);
}

#[test]
fn breakpoints_stop_before_the_instruction_and_let_it_go() {
    let mut zx81 = fast("start: ld a,1\nloop: inc a\n jr loop");
    zx81.breakpoint(0x403E, true);
    assert_eq!(zx81.run(SECOND), Stop::Breakpoint(0x403E));
    assert_eq!(zx81.pc(), 0x403E);
    let at = zx81.cycles();
    assert_eq!(zx81.run(SECOND), Stop::Breakpoint(0x403E));
    assert_eq!(zx81.cycles() - at, 4 + 12);
    zx81.breakpoint(0x403E, false);
    assert_eq!(zx81.run(1000), Stop::Cycles);
    assert!(zx81.set_register("a", 0x42));
    assert!(!zx81.set_register("q7", 1));
}

#[test]
fn a_halt_that_nothing_ends_stops_the_run() {
    let mut zx81 = fast("start: di\n halt");
    assert_eq!(zx81.run(SECOND), Stop::Halted);
    assert!(zx81.cycles() < SECOND);
}

#[test]
fn mishaps_are_seen() {
    let mut zx81 = fast("start: jp 0");
    zx81.run(SECOND);
    assert_eq!(zx81.mishaps().resets, 1);
    let mut zx81 = fast("start: jp $2345");
    zx81.run(100_000);
    assert_eq!(zx81.mishaps().mirror, Some(0x2345));
    assert_eq!(zx81.notes().len(), 1);
    assert!(zx81.notes()[0].contains("$2345"));
}

#[test]
fn memory_repeats() {
    for (name, size) in [("zx81-1k", 0x400), ("zx81-2k", 0x800), ("zx81-16k", 0x4000)] {
        let mut zx81 = machine(name).start(&Media::default(), firmware()).unwrap();
        let size = size as u64;
        zx81.poke(0x4000 + size - 1, 0xA7);
        for copy in (0x4000 + size - 1..0x8000).step_by(size as usize) {
            assert_eq!((zx81.peek(copy), zx81.peek(copy + 0x8000)), (0xA7, 0xA7));
        }
        let first = zx81.peek(0);
        zx81.poke(0, !first);
        for copy in [0, 0x2000, 0x8000, 0xA000] {
            assert_eq!(zx81.peek(copy), first);
        }
    }
}

#[test]
fn what_cannot_start_says_why() {
    let one = machine("zx81-1k");
    let large = write_for("zx81-16k", "org $403C\nstart: jr start\n ds 1000, 0\n").bytes;
    let error = |media: &Media, firmware: &[u8]| match one.start(media, firmware) {
        Ok(_) => panic!("it starts"),
        Err(e) => e,
    };
    let with = |rom: Vec<u8>| Media {
        rom: Some(rom),
        ..media(ok("rem", ""))
    };
    let other = Media {
        container: "tap".into(),
        ..media(ok("rem", ""))
    };
    let errors = [
        error(&media(large.clone()), firmware()),
        error(&media(vec![1, 2, 3]), firmware()),
        error(&other, firmware()),
        error(&with(vec![0; 0x4000]), firmware()),
        error(&with([0x18, 0xFE].repeat(0x1000)), firmware()),
        error(&media(ok("rem", "")), &[]),
    ];
    insta::assert_snapshot!(errors.join("\n"));
    assert!(machine("zx81-16k").start(&media(large), firmware()).is_ok());
}

/// Registers and time.
fn state(machine: &Zx81Simulation) -> (Vec<(&'static str, u64)>, u64) {
    (machine.registers(), machine.cycles())
}

#[test]
fn a_run_is_the_same_in_one_piece_and_step_by_step() {
    for options in ["", ", mode=fast"] {
        let mut whole = start(ok("rem", options));
        whole.run(SECOND / 10);
        let mut steps = whole.clone();
        whole.run(SECOND / 5);
        let end = steps.cycles() + SECOND / 5;
        while steps.cycles() < end {
            steps.run(1);
        }
        assert_eq!(state(&whole), state(&steps));
        assert_eq!(whole.picture().cells, steps.picture().cells);
        assert_eq!(whole.pictures(), steps.pictures());
        assert_eq!(whole.lowest_stack(), steps.lowest_stack());
    }
}

#[test]
fn the_lowest_stack_pointer_is_that_of_any_instruction() {
    let mut zx81 = fast(
        "start:   push hl
         ex (sp),hl
         ld hl,$4360
         ld sp,hl
         dec sp
         call .deeper
.after:  ld sp,$4340
         inc sp
         ld hl,$4320
         ld (.word),hl
         ld sp,(.word)
         rst $38
.deeper: push ix
         pop ix
         ld sp,ix
         ld iy,$4352
         ld sp,iy
         jr .after
.word:   dw 0",
    );
    // The start line calls the program some time after the start.
    let mut lowest = zx81.lowest_stack();
    let mut values = Vec::new();
    while zx81.cycles() < 20 * SECOND && values.last() != Some(&0x431E) {
        zx81.run(1);
        let (_, stack) = zx81.registers()[8];
        assert_eq!(zx81.registers()[8].0, "sp");
        if (0x4000..lowest).contains(&stack) {
            lowest = stack;
            values.push(stack);
        }
        assert_eq!(zx81.lowest_stack(), lowest, "{values:04X?}");
    }
    let own = &values[values.len() - 8..];
    let expected = [
        0x4360, 0x435F, 0x435D, 0x435B, 0x4352, 0x4340, 0x4320, 0x431E,
    ];
    assert_eq!(own, expected, "{values:04X?}");
}
