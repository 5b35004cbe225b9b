//! The shell: sync pulses, picture, pad, and the time that it leaves to the program.

use super::machine::Program;
use scrimp_gigatron::sim::{BadKind, Button, Console, Cpu, Sync, Timing};
use std::path::Path;
use std::sync::LazyLock;

/// Clocks of a frame.
pub const FRAME: u64 = 104_200;
/// Pixels of a square, both ways.
const SIDE: usize = 12;
/// VGA lines of a row of pixels.
const ROW: usize = 4;
/// Columns and lines left of and above the board, and lines above the messages.
const LEFT: usize = 32;
const TOP: usize = 14;
const STATUS: usize = TOP + 8 * SIDE * ROW + 15;
/// What `dim` is if one line of a row is to be drawn, and not all.
const ONE: u8 = 3;

/// Blocks of random lengths, and blocks of 30 clocks.
static RANDOM: LazyLock<Program> = LazyLock::new(|| blocks(&[]));
static EVEN: LazyLock<Program> = LazyLock::new(|| blocks(&[("SAME", 30)]));

fn blocks(defines: &[(&str, i64)]) -> Program {
    let file =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs/gigatron_chess/blocks.asm");
    Program::of(&file, defines)
}

/// A machine on a desk with a critical monitor.
pub struct Desk {
    pub cpu: Cpu,
    pub console: Console,
    pub program: &'static Program,
    rom: Vec<u8>,
}

impl Desk {
    pub fn new(program: &'static Program) -> Self {
        let mut console = Console::default();
        console.sync = Sync::new(Timing::OFFICIAL);
        Self {
            cpu: program.fresh(),
            console,
            program,
            rom: program.image.binary(0),
        }
    }

    pub fn frames(&mut self, frames: u64) {
        let until = self.cpu.now() + frames * FRAME;
        self.cpu.run(&mut self.console, until);
    }

    pub fn cell(&self, name: &str) -> u8 {
        self.cpu.peek(self.program.value(name))
    }

    pub fn set(&mut self, name: &str, value: u8) {
        self.cpu.poke(self.program.value(name), value);
    }

    pub fn button(&mut self, button: Button, down: bool) {
        self.console.input.button(button, down);
    }

    /// Everything that a critical monitor would find.
    #[track_caller]
    pub fn assert_steady(&self) {
        let sync = &self.console.sync;
        let all = [
            BadKind::Period,
            BadKind::Width,
            BadKind::Lines,
            BadKind::Pulse,
        ];
        for kind in all {
            let first = sync.bad().iter().find(|b| b.kind == kind);
            assert_eq!(sync.count(kind), 0, "{first:?}");
        }
        assert_eq!(self.console.picture.stained(), 0);
        assert!(
            sync.lines() + 1000 >= self.cpu.now() / 200,
            "lines are missing"
        );
    }

    /// The pixels that a page of the list stands for, from its words in ROM.
    pub fn tile(&self, page: u8) -> [[u8; SIDE]; SIDE] {
        let mut out = [[0; SIDE]; SIDE];
        for (y, row) in out.iter_mut().enumerate() {
            let mut color = 0;
            for (x, pixel) in row.iter_mut().enumerate() {
                let at = 2 * (usize::from(page) * 256 + y * SIDE + x);
                // `ld $cc,out`, and with x++.
                if matches!(self.rom[at], 0x18 | 0x1c) {
                    color = self.rom[at + 1] & 0x3f;
                }
                *pixel = color;
            }
        }
        out
    }

    /// The pixels on the screen: of the board, from the eighth rank, or of the
    /// messages with rank 8. Lines that are not drawn are skipped.
    pub fn shown(&self, rank: usize, file: usize) -> [[u8; SIDE]; SIDE] {
        let top = if rank < 8 {
            TOP + rank * SIDE * ROW
        } else {
            STATUS
        };
        let lines = self.console.picture.shown();
        let mut out = [[0; SIDE]; SIDE];
        for (y, row) in out.iter_mut().enumerate() {
            let line = &lines[top + y * ROW];
            row.copy_from_slice(&line[LEFT + file * SIDE..][..SIDE]);
        }
        out
    }
}

#[test]
fn six_hundred_frames_have_no_bad_line() {
    let mut desk = Desk::new(&RANDOM);
    for i in 0..60_u8 {
        // The user comes and goes, and sounds ring.
        desk.set("dim", ONE * u8::from(i % 7 < 4));
        desk.set("tone", i);
        desk.set("ring", 3);
        desk.button(Button::A, i % 2 == 0);
        desk.frames(10);
    }
    desk.assert_steady();
    assert!(desk.console.sync.frames() >= 598);
    assert!(desk.console.sync.lines() > 598 * 521);
}

/// Words of the program's blocks, without what tests the time, as a mask of the ROM.
fn useful(program: &Program) -> Vec<bool> {
    let mut mask = vec![false; 0x1_0000];
    for page in 0..16 {
        for block in 0..6 {
            let resumed = program.value(&format!("r{page}at{block}"));
            let end = if block < 5 {
                program.value(&format!("b{page}at{}", block + 1))
            } else {
                program.value(&format!("l{page}"))
            };
            // Behind `suba` and `st`.
            mask[usize::from(resumed + 2)..usize::from(end)].fill(true);
        }
    }
    mask
}

/// Useful instructions in a frame.
fn throughput(program: &'static Program, bright: bool) -> u64 {
    let mask = useful(program);
    let mut desk = Desk::new(program);
    desk.set("dim", ONE * u8::from(!bright));
    desk.frames(3);
    // The boot clears it.
    desk.set("dim", ONE * u8::from(!bright));
    desk.frames(2);
    let (frames, mut count) = (20, 0);
    let until = desk.cpu.now() + frames * FRAME;
    while desk.cpu.now() < until {
        count += u64::from(mask[usize::from(desk.cpu.at())]);
        desk.cpu.step(&mut desk.console);
    }
    desk.assert_steady();
    count / frames
}

#[test]
fn most_of_a_frame_is_the_programs() {
    for (name, program) in [("of 30 clocks", &*EVEN), ("of 8 to 36 clocks", &*RANDOM)] {
        let (dim, bright) = (throughput(program, false), throughput(program, true));
        println!("blocks {name}: {dim} useful instructions a frame, {bright} with all lines drawn");
        assert!(dim >= 45_000, "{dim}");
        assert!(bright >= 8_000, "{bright}");
    }
}

#[test]
fn the_lists_are_what_the_screen_shows() {
    let mut desk = Desk::new(&RANDOM);
    desk.frames(3);
    let (first, shown) = (
        desk.program.value("sprites") >> 8,
        desk.program.value("shown"),
    );
    let free = |code: u16| matches!(code % 16, 7 | 8 | 15);
    let page = |name: &str| (desk.program.value(&format!("page{name}")) >> 8) as u8;
    let pages: Vec<u8> = (0..80)
        .filter(|&c| !free(c))
        .map(|c| (first + c) as u8)
        .chain("12345678ACDEHIKMNRTW".chars().map(|c| page(&c.to_string())))
        .chain([page("blank")])
        .collect();
    let mut seen = std::collections::HashSet::new();
    for round in 0..2 {
        let page = |at: usize| pages[(round * 72 + at) % pages.len()];
        for at in 0..72 {
            let (rank, file) = (at / 8, at % 8);
            desk.cpu.poke(shown + (9 * rank + file) as u16, page(at));
        }
        for dim in [0, ONE] {
            desk.set("dim", dim);
            desk.frames(2);
            for at in 0..72 {
                let tile = desk.tile(page(at));
                assert!(desk.shown(at / 8, at % 8) == tile, "{at}");
                seen.insert(tile);
            }
            let lines = desk.console.picture.shown();
            for (y, line) in lines.iter().enumerate() {
                let inside = (TOP..TOP + 384).contains(&y) || (STATUS..STATUS + 48).contains(&y);
                let first = if y < STATUS { TOP } else { STATUS };
                let in_row = y.wrapping_sub(first) % ROW;
                let drawn = inside && (dim == 0 || in_row == 0);
                assert_eq!(line[LEFT] != 0, drawn, "line {y}");
                let beside = line[..LEFT].iter().chain(&line[LEFT + 96..]);
                assert!(beside.copied().all(|p| p == 0), "line {y}");
                if drawn {
                    let above = &lines[y - in_row];
                    assert_eq!(line, above);
                }
            }
        }
    }
    assert_eq!(seen.len(), 65 + 21, "each picture differs from all others");
    desk.assert_steady();
}

#[test]
fn buttons_come_in_and_sound_and_lights_go_out() {
    let mut desk = Desk::new(&RANDOM);
    desk.frames(3);
    desk.button(Button::Up, true);
    desk.button(Button::A, true);
    desk.frames(2);
    assert_eq!(desk.cell("pad"), !0x88);
    assert_eq!(desk.cell("pressed"), 0x88);
    desk.set("pressed", 0);
    desk.button(Button::A, false);
    desk.button(Button::B, true);
    desk.frames(2);
    assert_eq!(desk.cell("pad"), !0x48);
    assert_eq!(desk.cell("pressed"), 0x40, "only what is new");
    let before = desk.cell("frames");
    desk.frames(10);
    assert_eq!(desk.cell("frames"), before.wrapping_add(10));

    desk.set("led", 5);
    desk.set("tone", 8);
    desk.set("ring", desk.cell("frames").wrapping_add(4));
    desk.console.record(true);
    desk.frames(3);
    assert_eq!(desk.console.leds(), 5);
    let samples = desk.console.take_samples();
    let edges = samples.windows(2).filter(|w| w[0] != w[1]).count();
    // 31,260 lines a second, 32 of them a turn: 977 Hz.
    assert_eq!(edges / 2, 3 * 521 / 32);
    desk.frames(4);
    desk.console.take_samples();
    desk.frames(2);
    let samples = desk.console.take_samples();
    assert!(samples.windows(2).all(|w| w[0] == w[1]), "it ends");
    desk.assert_steady();
}
