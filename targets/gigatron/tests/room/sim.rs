//! The machine around the CPU: sync checker, picture, sound, LEDs, input, memory.

use crate::tools::named;
use scrimp_gigatron::machines::{GigatronSimulation, MACHINES, segments};
use scrimp_gigatron::sim::{
    BadKind, Bare, Button, COLUMNS, Console, Cpu, LINES, Memory, Sync, Timing,
};
use scrimp_isa::Simulation;
use scrimp_isa::container::{Container, ImageView};
use scrimp_isa::machine::{Media, Stop};

const NOP: [u8; 2] = [0x02, 0x00];
/// Words of a line.
const LINE: usize = 200;

/// A ROM that shows frames of straight lines: a word that loads OUT where it must, and
/// a jump back at the end.
struct Frames {
    words: Vec<[u8; 2]>,
}

impl Frames {
    /// `lines` lines, the first `pulse` of them with vSync low. AC is `ac`, so that is
    /// what the second port gets. Line 40 has a pixel of colour 3 in column 5.
    fn new(lines: usize, pulse: usize, ac: u8) -> Self {
        let mut words = Vec::new();
        for line in 0..lines {
            let vsync = if line < pulse { 0 } else { 0x80 };
            let mut row = [NOP; LINE];
            row[0] = [0x18, vsync];
            row[1] = [0x00, ac];
            row[24] = [0x18, vsync | 0x40];
            if line == 40 {
                row[36 + 5] = [0x18, vsync | 0x40 | 3];
                row[36 + 6] = [0x18, vsync | 0x40];
            }
            words.extend(row);
        }
        let end = words.len();
        words[end - 3] = [0x14, 0x00];
        words[end - 2] = [0xe0, 0x00];
        Self { words }
    }

    /// One word more in a line.
    fn longer(mut self, line: usize) -> Self {
        self.words.insert(line * LINE + 100, NOP);
        self
    }

    fn rom(&self) -> Vec<u8> {
        self.words.concat()
    }
}

fn run(rom: &[u8], timing: Timing, clocks: u64) -> (Cpu, Console) {
    let mut cpu = Cpu::new(rom, Memory::K32).expect("a ROM");
    let mut console = Console::default();
    console.sync = Sync::new(timing);
    cpu.run(&mut console, clocks);
    (cpu, console)
}

/// The timing of [`Frames`] with 60 lines.
const SIXTY: Timing = Timing {
    lines: 60,
    ..Timing::OFFICIAL
};

#[test]
fn a_steady_picture_has_no_bad_edge() {
    let rom = Frames::new(60, 8, 0xa5).rom();
    let (_, console) = run(&rom, SIXTY, 10 * 60 * 200);
    assert_eq!(console.sync.bad(), []);
    // OUT is 0 at power-on, so the first edge of vSync is that of the second frame.
    assert_eq!(console.sync.frames(), 8);
    assert_eq!(console.sync.lines(), 9 * 60);
    assert_eq!((console.leds(), console.sound()), (0x5, 0xa));
    assert_eq!(console.picture.stained(), 0);
    for (y, line) in console.picture.shown().iter().enumerate() {
        for (x, &pixel) in line.iter().enumerate() {
            // Line 40 of the frame, counted from 0, is the 41st edge: the 36th shows.
            let lit = (x, y) == (5, 41 - 36);
            assert_eq!(pixel, if lit { 3 } else { 0 }, "{x} {y}");
        }
    }
}

#[test]
fn bad_edges_are_told_with_their_clocks() {
    let rom = Frames::new(60, 8, 0).longer(20).rom();
    let (_, console) = run(&rom, SIXTY, 4 * 12_001);
    let bad = console.sync.bad();
    assert_eq!(console.sync.count(BadKind::Period), bad.len() as u64);
    // Word 0 executes twice after the reset, so a clock is one more than its address.
    let first = bad[0];
    assert_eq!(
        (first.clock, first.found, first.wanted),
        (12_001 + 21 * 200 + 2, 201, 200)
    );
    assert_eq!(bad[1].clock - first.clock, 12_001);

    let rom = Frames::new(60, 8, 0).rom();
    let (_, console) = run(&rom, Timing::OFFICIAL, 4 * 12_000);
    assert_eq!(console.sync.count(BadKind::Lines), 2);
    assert_eq!(console.sync.count(BadKind::Pulse), 0);
    assert_eq!(console.sync.bad()[0].found, 60);
    let rom = Frames::new(60, 2, 0).rom();
    let (_, console) = run(&rom, SIXTY, 4 * 12_000);
    assert_eq!(console.sync.count(BadKind::Pulse), 2);

    // Without a declaration the first frame is the measure.
    let (_, console) = run(&rom, Timing::VGA, 5 * 12_000);
    assert_eq!(console.sync.bad(), []);

    let mut early = Frames::new(60, 8, 0);
    early.words.swap(24, 20);
    let (_, console) = run(&early.rom(), SIXTY, 2 * 12_000);
    let widths = console
        .sync
        .bad()
        .iter()
        .filter(|b| b.kind == BadKind::Width);
    assert_eq!(widths.map(|b| b.found).collect::<Vec<_>>(), [20]);
}

#[test]
fn colour_beside_the_picture_is_noted() {
    let mut frames = Frames::new(60, 8, 0);
    frames.words[45 * LINE + 196] = [0x18, 0xc1];
    frames.words[45 * LINE + 198] = [0x18, 0xc0];
    let (_, console) = run(&frames.rom(), SIXTY, 23_000);
    assert_eq!(console.picture.stained(), 2);
}

#[test]
fn sound_is_a_sample_for_each_line() {
    let rom = Frames::new(60, 8, 0x70).rom();
    let mut cpu = Cpu::new(&rom, Memory::K32).expect("a ROM");
    let mut console = Console::default();
    console.record(true);
    cpu.run(&mut console, 12_000);
    assert_eq!(console.take_samples(), vec![7; 60]);
    assert_eq!(console.take_samples(), []);

    let rom = Frames::new(60, 8, 0xf9).rom();
    let mut s = GigatronSimulation::new(&rom, Memory::K32).expect("a machine");
    assert_eq!(s.record(), Some(31_250));
    s.run(2_000);
    assert_eq!(s.recorded(), vec![0xf8; 10]);
    let lit: Vec<bool> = s.lights().into_iter().map(|l| l.1).collect();
    assert_eq!(lit, [true, false, false, true]);
}

/// The port at some word of a frame, for some frames.
fn port_after(simulation: &mut GigatronSimulation, frames: usize) -> Vec<u64> {
    let port = |s: &GigatronSimulation| {
        let r = s.registers();
        r.iter().find(|r| r.0 == "in").expect("a port").1
    };
    (0..frames)
        .map(|_| {
            let next = simulation.cycles() + 12_000;
            simulation.run(next - simulation.cycles());
            port(simulation)
        })
        .collect()
}

#[test]
fn buttons_and_keys_reach_the_input_port() {
    let rom = Frames::new(60, 8, 0).rom();
    let mut s = GigatronSimulation::new(&rom, Memory::K32).expect("a machine");
    // Nine edges after vSync fell the bits of all eight buttons are there.
    s.run(12_000 + 8 * 200 + 50);
    assert_eq!(port_after(&mut s, 1), [0xff]);
    for (name, bit) in [
        ("RIGHT", 0x01),
        ("up", 0x08),
        ("START", 0x10),
        ("BUTTON A", 0x80),
    ] {
        s.key(name, true).expect("a button");
        port_after(&mut s, 1);
        assert_eq!(port_after(&mut s, 1), [0xff - bit], "{name}");
        s.key(name, false).expect("a button");
        port_after(&mut s, 1);
        assert_eq!(port_after(&mut s, 1), [0xff]);
    }
    // A keyboard holds the code for three frames, and two equal ones are two.
    s.key("a", true).expect("a key");
    s.key("a", false).expect("a key");
    s.key("a", true).expect("a key");
    assert_eq!(
        port_after(&mut s, 13),
        [
            0x61, 0x61, 0x61, 0xff, 0xff, 0xff, 0xff, 0x61, 0x61, 0x61, 0xff, 0xff, 0xff
        ]
    );
    assert_eq!(s.key_for('\n'), Some("ENTER"));
    assert_eq!(s.key_for('~'), Some("~"));
    assert_eq!(s.key_for('A'), Some("A"));
    assert_eq!(s.key_for('ä'), None);
    for code in 32..127u8 {
        let name = s.key_for(code.into()).expect("a key");
        assert!(s.key(name, true).is_ok(), "{name}");
    }
    let why = s.key("F1", true).expect_err("no such key");
    assert!(why.contains("RIGHT") && why.contains("ENTER"), "{why}");
    assert_eq!(Button::ALL.len(), 8);
}

#[test]
fn the_screen_has_vga_pixels() {
    let rom = Frames::new(60, 8, 0).rom();
    let mut s = GigatronSimulation::new(&rom, Memory::K32).expect("a machine");
    s.run(3 * 12_000);
    let screen = s.screen();
    assert_eq!((screen.width, screen.height), (4 * COLUMNS, LINES));
    let at = 3 * (5 * screen.width + 4 * 5);
    assert_eq!(screen.rgb[at..at + 12], [255, 0, 0].repeat(4));
    assert_eq!(screen.rgb.iter().filter(|&&b| b != 0).count(), 4);
    assert_eq!(s.notes(), Vec::<String>::new());
}

#[test]
fn breakpoints_and_registers() {
    let rom = Frames::new(60, 8, 0).rom();
    let mut s = GigatronSimulation::new(&rom, Memory::K32).expect("a machine");
    s.breakpoint(400, true);
    assert_eq!(s.run(100_000), Stop::Breakpoint(400));
    assert_eq!((s.pc(), s.cycles()), (400, 401));
    assert_eq!(s.run(100_000), Stop::Breakpoint(400));
    assert_eq!(s.cycles(), 401 + 12_000);
    let copy = s.snapshot();
    assert!(s.set_register("pc", 7) && s.set_register("Y", 0x34));
    assert!(!s.set_register("sp", 0));
    assert_eq!(s.pc(), 7);
    assert_eq!(copy.pc(), 400);
    s.poke(0x8123, 9);
    assert_eq!(s.peek(0x0123), 9, "32K: bit 15 counts for nothing");
}

#[test]
fn memories() {
    // ctrl $bc (bank 2), ctrl $fc (bank 3), st [y,x] with AC.
    let rom = [
        0xc1, 0xbc, 0x00, 0x11, 0x14, 0x90, 0x10, 0x05, 0xce, 0x00, 0xc1, 0xfc, 0x02, 0x00,
    ];
    let cpu = |memory| {
        let mut cpu = Cpu::new(&rom, memory).expect("a ROM");
        cpu.go(0);
        cpu
    };
    let mut banked = cpu(Memory::K128);
    banked.run(&mut Bare, 5);
    assert_eq!(banked.peek(0x9005), 0x11);
    banked.run(&mut Bare, 6);
    assert_ne!(banked.peek(0x9005), 0x11, "another bank");
    assert_eq!(banked.command(), 0x00fc);
    let mut wide = cpu(Memory::K64);
    let low = wide.peek(0x1005);
    wide.run(&mut Bare, 6);
    assert_eq!((wide.peek(0x9005), wide.peek(0x1005)), (0x11, low));
    assert_eq!(wide.lost_commands(), 2);
    let mut small = cpu(Memory::K32);
    small.run(&mut Bare, 6);
    assert_eq!((small.peek(0x9005), small.peek(0x1005)), (0x11, 0x11));

    // With the serial clock high RAM reads as the idle lines, and can be written.
    let serial = [
        0xc1, 0x7d, 0x01, 0x20, 0xc2, 0x21, 0xc1, 0x7c, 0x01, 0x21, 0x02, 0x00,
    ];
    let mut cpu = Cpu::new(&serial, Memory::K128).expect("a ROM");
    cpu.go(0);
    cpu.poke(0x20, 0x55);
    cpu.run(&mut Bare, 5);
    assert_eq!((cpu.peek(0x20), cpu.peek(0x21)), (0x55, 0x0f));
    assert!(Cpu::new(&[], Memory::K32).is_err());
    assert!(Cpu::new(&[0; 3], Memory::K32).is_err());
    assert!(Cpu::new(&[0; 0x2_0002], Memory::K32).is_err());
}

/// A program for a container.
struct Program {
    pieces: Vec<(u64, Vec<u8>)>,
    start: Option<i64>,
    pad: Option<&'static str>,
}

impl ImageView for Program {
    fn pieces(&self) -> Vec<(u64, &[u8])> {
        self.pieces.iter().map(|p| (p.0, &p.1[..])).collect()
    }
    fn symbol(&self, name: &str) -> Option<i64> {
        self.start.filter(|_| name == "start")
    }
    fn option(&self, name: &str) -> Option<&str> {
        self.pad.filter(|_| name == "pad")
    }
    fn name(&self) -> &str {
        "test"
    }
}

fn container(name: &str) -> Container {
    let all = MACHINES[0].containers();
    *all.iter().find(|c| c.name == name).expect("a format")
}

/// Where RAM begins for the engine.
const RAM: u64 = 0x2_0000;

#[test]
fn rom_files() {
    let program = |pieces: &[(u64, &[u8])], pad| Program {
        pieces: pieces.iter().map(|p| (p.0, p.1.to_vec())).collect(),
        start: None,
        pad,
    };
    let write = container("rom").write;
    let two: &[(u64, &[u8])] = &[(0, &[1, 2]), (8, &[3, 4])];
    let bare = write(&program(two, Some("no"))).expect("a file");
    assert_eq!(bare.bytes, [1, 2, 2, 0, 2, 0, 2, 0, 3, 4]);
    assert_eq!((bare.image_bytes, bare.added), (4, vec![("gaps", 6)]));
    let full = write(&program(two, None)).expect("a file");
    assert_eq!(full.bytes.len(), 0x2_0000);
    assert!(full.bytes.ends_with(b"Gigatron!Gigatron!"));
    // Whole words end in the middle of the text: 131,062 bytes are 4 more than a
    // multiple of 9.
    assert_eq!(full.bytes[10..16], *b"ron!Gi");
    assert!(write(&program(&[(RAM + 5, &[1])], None)).is_err());
    assert!(write(&program(&[(0, &[1])], None)).is_err());
    assert!(write(&program(&[], None)).is_err());
    assert!(write(&program(two, Some("perhaps"))).is_err());
}

#[test]
fn gt1_files() {
    let long = vec![7; 300];
    let program = Program {
        pieces: vec![(RAM + 0x30, vec![1, 2]), (RAM + 0x2f0, long.clone())],
        start: Some(0x2f0),
        pad: None,
    };
    let file = (container("gt1").write)(&program).expect("a file");
    let (parts, start) = segments(&file.bytes).expect("it reads back");
    assert_eq!(start, 0x2f0);
    let places: Vec<_> = parts.iter().map(|p| (p.0, p.1.len())).collect();
    assert_eq!(places, [(0x30, 2), (0x2f0, 16), (0x300, 256), (0x400, 28)]);
    assert_eq!(file.image_bytes, 302);
    for cut in 0..file.bytes.len() {
        assert!(segments(&file.bytes[..cut]).is_err(), "{cut}");
    }
    assert!(segments(&[2, 0xff, 2, 0, 0, 0, 0, 0]).is_err());
    let rom = Program {
        pieces: vec![(0, vec![0, 0])],
        start: None,
        pad: None,
    };
    let of = |pieces: &[(u64, usize)], start| {
        let program = Program {
            pieces: pieces.iter().map(|p| (p.0, vec![9; p.1])).collect(),
            start,
            pad: None,
        };
        (container("gt1").write)(&program).map(|f| f.bytes)
    };
    assert!((container("gt1").write)(&rom).is_err());
    // A whole page has the length 0.
    let whole = of(&[(RAM + 0x500, 256)], None).expect("a file");
    assert_eq!((&whole[..3], whole.len()), (&[5, 0, 0][..], 3 + 256 + 3));
    assert_eq!(whole[259..], [0, 0, 0]);
    let over = of(&[(RAM + 0x5ff, 257)], Some(0x600)).expect("a file");
    assert_eq!(
        (&over[..4], &over[4..7]),
        (&[5, 0xff, 1, 9][..], &[6, 0, 0][..])
    );
    // One piece of page 0 may run on into page 1; a second would end the file.
    let zero = of(&[(RAM + 0xf0, 32)], None).expect("a file");
    let parts = segments(&zero).expect("it reads back").0;
    let places: Vec<_> = parts.iter().map(|p| (p.0, p.1.len())).collect();
    assert_eq!(places, [(0xf0, 16), (0x100, 16)]);
    let twice = of(&[(RAM + 0x30, 2), (RAM + 0x40, 2)], None).expect_err("two pieces");
    assert_eq!(twice.message, "$0040 would begin a second piece of page 0");
    assert!(of(&[(RAM + 0x500, 2)], Some(0)).is_err());
    assert!(of(&[(RAM + 0x500, 2)], Some(0x1_0000)).is_err());
    assert!(of(&[(0, 2), (RAM + 0x500, 2)], None).is_err());

    // It needs a ROM with a picture to be loaded.
    let media = |rom: Option<Vec<u8>>| Media {
        program: file.bytes.clone(),
        container: "gt1".into(),
        rom,
        ..Media::default()
    };
    assert!(MACHINES[0].start(&media(None), &[]).is_err());
    assert!(MACHINES[0].start(&media(Some(vec![2, 0])), &[]).is_err());
    let frames = Frames::new(60, 8, 0).rom();
    let s = MACHINES[0]
        .start(&media(Some(frames)), &[])
        .expect("it starts");
    assert_eq!((s.peek(0x31), s.peek(0x300)), (2, 7));
    // The interpreter adds 2 before it fetches.
    assert_eq!((s.peek(0x16), s.peek(0x17)), (0xee, 0x02));
    assert_eq!((s.peek(0x1a), s.peek(0x1b)), (0xf0, 0x02));
}

/// The makers' ROMs are not ours to ship. `SCRIMP_GIGATRON_ROMS` names a folder with
/// `.rom` files; without it nothing is done.
#[test]
fn official_roms_keep_time() {
    let Some(folder) = named("SCRIMP_GIGATRON_ROMS") else {
        return;
    };
    let mut seen = 0;
    for name in ["ROMv1", "ROMv2", "ROMv3", "ROMv4", "ROMv5a", "ROMv6"] {
        let Ok(rom) = std::fs::read(folder.join(name).with_extension("rom")) else {
            continue;
        };
        seen += 1;
        let (_, console) = run(&rom, Timing::OFFICIAL, 60_000_000);
        assert_eq!(console.sync.bad(), [], "{name}");
        assert!(console.sync.frames() > 500, "{name}");
        assert_eq!(console.picture.stained(), 0, "{name}");
        let lit = console.picture.shown().iter().flatten();
        assert!(
            lit.filter(|&&p| p == 0x3f).count() > 500,
            "{name}: a menu in white"
        );
        // The kernel's raw input, in page 0 of all of them.
        let mut s = GigatronSimulation::new(&rom, Memory::K32).expect("a machine");
        s.run(30_000_000);
        for (key, raw) in [("RIGHT", 0xfe), ("UP", 0xf7), ("x", b'x')] {
            s.key(key, true).expect("a key");
            s.run(2 * 104_200 + 50_000);
            assert_eq!(s.peek(0x0f), raw, "{name} {key}");
            s.key(key, false).expect("a key");
            s.run(10 * 104_200);
            assert_eq!(s.peek(0x0f), 0xff, "{name}");
        }
    }
    assert!(seen > 0, "no ROM in the folder");
    // The only other native game: six bad lines in every frame.
    if let Ok(rom) = std::fs::read(folder.join("tetris.rom")) {
        let (_, console) = run(&rom, Timing::VGA, 12_500_000);
        let mut bad: Vec<_> = console.sync.bad().iter().take(6).map(|b| b.found).collect();
        bad.sort_unstable();
        assert_eq!(bad, [196, 209, 209, 209, 209, 220]);
        // From the third frame on.
        let count = console.sync.count(BadKind::Period);
        assert_eq!(count, 6 * (console.sync.frames() - 2));
    }
}
