//! The ZX81 firmware of `programs/zx81-firmware`, assembled and run in the ZX81: its
//! entry points, the lines that start programs, the picture's timing, the keyboard.

use scrimp::disk::DiskLoader;
use scrimp::image::Image;
use scrimp::text::source::{Loader, MemoryLoader};
use scrimp::{Job, assemble, targets};
use scrimp_isa::machine::Media;
use scrimp_isa::{Machine, Simulation};
use std::path::Path;
use std::sync::OnceLock;

const FRAME: u64 = 65_000;
/// Where a REM line's code starts, and where a program's first line is.
const CODE: u16 = 0x4082;
const PROGRAM: u16 = 0x407D;
const NEWLINE: u8 = 0x76;

fn build(file: &str, loader: &dyn Loader) -> Image {
    let job = Job {
        file: file.to_owned(),
        target: targets::by_name("z80").unwrap(),
        machine: None,
        dialect: "native".to_owned(),
        defines: Vec::new(),
    };
    let output = assemble(&job, loader);
    let found: Vec<_> = output.diagnostics.iter().map(|d| &d.message).collect();
    output.image.unwrap_or_else(|| panic!("{file}: {found:?}"))
}

fn firmware() -> &'static Image {
    static IMAGE: OnceLock<Image> = OnceLock::new();
    IMAGE.get_or_init(|| {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("programs/zx81-firmware");
        let main = folder.join("firmware.asm");
        build(main.to_str().unwrap(), &DiskLoader::new().allow(&folder))
    })
}

fn address(name: &str) -> u64 {
    let symbol = firmware().symbol(name);
    u64::try_from(symbol.unwrap_or_else(|| panic!("no {name}")).value).unwrap()
}

/// Bytes of a program for `CODE`.
fn code(source: &str) -> Vec<u8> {
    let text = format!("        org ${CODE:04X}\n{source}\n");
    build("code.asm", &MemoryLoader::default().with("code.asm", text)).binary(0)
}

/// Five bytes of the number behind the digits.
fn float(n: u16) -> Vec<u8> {
    if n == 0 {
        return vec![0; 5];
    }
    let bits = 16 - n.leading_zeros();
    let mantissa = (u32::from(n) << (32 - bits)) & 0x7FFF_FFFF;
    [&[128 + bits as u8][..], &mantissa.to_be_bytes()].concat()
}

fn digits(n: u16) -> Vec<u8> {
    n.to_string().bytes().map(|b| b - b'0' + 0x1C).collect()
}

fn number(n: u16) -> Vec<u8> {
    [digits(n), vec![0x7E], float(n)].concat()
}

const RAND_USR: [u8; 2] = [0xF9, 0xD4];

/// RAND USR in the three ways that programs write it.
#[derive(Clone, Copy)]
enum Start {
    Number,
    Val,
    Variable,
}

impl Start {
    fn line(self) -> Vec<u8> {
        let operand = match self {
            Start::Number => number(CODE),
            Start::Val => [&[0xC5, 0x0B][..], &digits(CODE), &[0x0B]].concat(),
            Start::Variable => vec![0x3D],
        };
        [&RAND_USR[..], &operand].concat()
    }

    fn variables(self) -> Vec<u8> {
        match self {
            Start::Variable => [&[0x7D][..], &float(CODE)].concat(),
            _ => Vec::new(),
        }
    }
}

/// A `.P` file: the code in a REM line, then the lines from 10 on, the first of which
/// is run.
fn file(code: &[u8], lines: &[Vec<u8>], variables: &[u8], slow: bool) -> Vec<u8> {
    let mut p = Vec::new();
    let mut line = |number: u16, text: &[u8]| {
        p.extend(number.to_be_bytes());
        p.extend((text.len() as u16 + 1).to_le_bytes());
        p.extend(text);
        p.push(NEWLINE);
        PROGRAM + p.len() as u16
    };
    let next = line(1, &[&[0xEA], code].concat());
    let mut display = next;
    for (n, text) in (1..).zip(lines) {
        display = line(10 * n, text);
    }
    p.extend([NEWLINE; 25]);
    let vars = display + 25;
    p.extend(variables);
    p.push(0x80);
    let end = vars + variables.len() as u16 + 1;
    let mut system = vec![0; usize::from(PROGRAM - 0x4009)];
    let mut put = |at: u16, bytes: &[u8]| {
        let at = usize::from(at - 0x4009);
        system[at..at + bytes.len()].copy_from_slice(bytes);
    };
    for (at, value) in [
        (0x400C, display),
        (0x400E, display + 1),
        (0x4010, vars),
        (0x4014, end),
        (0x4016, end + 4),
        (0x401A, end + 5),
        (0x401C, end + 5),
        (0x401F, 0x405D),
        (0x4025, 0xFFFF),
        (0x4029, next),
        (0x4034, 0xFFFF),
        (0x4039, 0x1821),
    ] {
        put(at, &value.to_le_bytes());
    }
    put(0x4022, &[2]);
    put(0x4027, &[0xFF, 55]);
    put(0x403B, &[if slow { 0x40 } else { 0 }]);
    [system, p].concat()
}

fn machine(name: &str) -> &'static dyn Machine {
    let z80 = targets::by_name("z80").unwrap();
    let found = z80.machines().iter().copied().find(|m| m.name() == name);
    found.unwrap()
}

fn start(machine_name: &str, program: Vec<u8>, tape: bool) -> Box<dyn Simulation> {
    let media = Media {
        program,
        container: "p".to_owned(),
        rom: None,
        slow_load: tape,
        ..Media::default()
    };
    let rom = firmware().binary(0);
    machine(machine_name).start(&media, &rom).unwrap()
}

/// Runs code in 1K and SLOW.
fn run(source: &str, frames: u64) -> Box<dyn Simulation> {
    let p = file(&code(source), &[Start::Number.line()], &[], true);
    let mut simulation = start("zx81-1k", p, false);
    simulation.run(frames * FRAME);
    simulation
}

fn rows(simulation: &dyn Simulation) -> Vec<String> {
    let text = simulation.screen().text;
    text.iter().map(|r| r.trim_end().to_owned()).collect()
}

fn word(simulation: &dyn Simulation, at: u64) -> u16 {
    u16::from_le_bytes([simulation.peek(at), simulation.peek(at + 1)])
}

#[test]
fn entries_have_the_addresses_that_programs_call() {
    let rom = firmware().binary(0);
    assert_eq!(rom.len(), 8192);
    for (name, at) in [
        ("start", 0x0000),
        ("error", 0x0008),
        ("print", 0x0010),
        ("get_char", 0x0018),
        ("next_char", 0x0020),
        ("interrupt", 0x0038),
        ("nmi", 0x0066),
        ("key_table", 0x007E),
        ("slow_fast", 0x0207),
        ("display_1", 0x0220),
        ("frame", 0x0229),
        ("upper", 0x0281),
        ("lower", 0x028F),
        ("margin_lines", 0x0292),
        ("program_on", 0x02A4),
        ("display", 0x02B5),
        ("keyboard", 0x02BB),
        ("set_fast", 0x02E7),
        ("load", 0x0340),
        ("next_prog", 0x0347),
        ("new", 0x03C3),
        ("initial", 0x03E5),
        ("next_line", 0x0676),
        ("put_line", 0x0724),
        ("decode", 0x07BD),
        ("print_a", 0x07F1),
        ("copy", 0x0869),
        ("print_at", 0x08F5),
        ("loc_addr", 0x0918),
        ("one_space", 0x099B),
        ("make_room", 0x099E),
        ("pointers", 0x09AD),
        ("line_addr", 0x09D8),
        ("cls", 0x0A2A),
        ("reclaim_1", 0x0A5D),
        ("reclaim_2", 0x0A60),
        ("out_num", 0x0A98),
        ("pr_string", 0x0B6B),
        ("plot", 0x0BB2),
        ("scroll", 0x0C0E),
        ("find_int", 0x0EA7),
        ("test_room", 0x0EC5),
        ("fast", 0x0F23),
        ("slow", 0x0F2B),
        ("pause", 0x0F32),
        ("break_1", 0x0F46),
        ("debounce", 0x0F4B),
        ("stack_a", 0x151D),
        ("stack_bc", 0x1520),
        ("fp_to_bc", 0x158A),
        ("print_fp", 0x15DB),
    ] {
        assert_eq!(address(name), at, "{name}");
    }
    assert_eq!(rom[0x1E00..0x1E08], [0; 8], "the space has no dots");
}

#[test]
fn the_first_line_starts_a_program_from_memory_and_from_tape() {
    let hello =
        code("        ld a,$2D\n        rst $10\n        ld a,$2E\n        rst $10\n        jr $");
    for how in [Start::Number, Start::Val, Start::Variable] {
        let p = file(&hello, &[how.line()], &how.variables(), true);
        let mut simulation = start("zx81-1k", p, false);
        simulation.run(20 * FRAME);
        assert_eq!(rows(&*simulation)[0], "HI");
        assert_eq!(word(&*simulation, 0x4007), 10, "PPC");
    }
    let p = file(&hello, &[Start::Number.line()], &[], true);
    let bytes = p.len() as u64;
    let mut simulation = start("zx81-1k", p, true);
    // A second of blank tape, and at most 4 ms a bit.
    simulation.run(3_250_000 + bytes * 8 * 13_000 + 20 * FRAME);
    assert_eq!(rows(&*simulation)[0], "HI");
}

#[test]
fn a_program_finds_its_address_and_the_stack_of_the_zx81() {
    let s = "        ld (seen),bc\n        ld (seen+2),sp\n        jr $\nseen:   ds 4";
    let seen = u64::from(CODE) + 4 + 4 + 2;
    for (token, depth) in [(0xF9, 0x43EA), (0xF5, 0x43EE), (0xEC, 0x43EC)] {
        let line = [vec![token, 0xD4], number(CODE)].concat();
        let mut simulation = start("zx81-1k", file(&code(s), &[line], &[], true), false);
        simulation.run(20 * FRAME);
        assert_eq!(word(&*simulation, seen), CODE);
        assert_eq!(word(&*simulation, seen + 2), depth, "token {token:02X}");
    }
}

#[test]
fn the_longest_program_leaves_room_for_the_stack() {
    for (how, longest) in [
        (Start::Number, 949),
        (Start::Variable, 949),
        (Start::Val, 899),
    ] {
        for (bytes, started, report) in [(longest, 1, ""), (longest + 1, 0, "4/10")] {
            // $4021 is the one system variable that nobody uses.
            let mut text = code("        ld a,1\n        ld ($4021),a\n        jr $");
            let least = file(&text, &[how.line()], &how.variables(), true).len();
            text.resize(text.len() + bytes - least, 0);
            let p = file(&text, &[how.line()], &how.variables(), true);
            assert_eq!(p.len(), bytes);
            let mut simulation = start("zx81-1k", p, false);
            simulation.run(30 * FRAME);
            assert_eq!(simulation.peek(0x4021), started, "{bytes} bytes");
            assert_eq!(rows(&*simulation)[23], report, "{bytes} bytes");
        }
    }
}

#[test]
fn a_program_that_returns_ends_with_a_report() {
    let simulation = run("        ret", 20);
    assert_eq!(rows(&*simulation)[23], "0/10");
    let simulation = run("        rst $08\n        db $0C", 20);
    assert_eq!(rows(&*simulation)[23], "D/10");
    // An entry that is not there: the report names it.
    let simulation = run("        call $1234", 20);
    assert_eq!(rows(&*simulation)[23], "?/4660");
    let lines = [
        [&[0xF1, 0x3D, 0x14, 0xD4][..], &number(CODE)].concat(), // LET X=USR
        vec![0xF5, 0x3D],                                        // PRINT X
        [&[0xEC][..], &number(60)].concat(),                     // GOTO 60
        vec![0xE3],                                              // STOP
        [&[0xF5][..], &number(1)].concat(),                      // PRINT 1
        [&[0xF5][..], &number(65535)].concat(),                  // PRINT 65535
        vec![0xF2],                                              // PAUSE
    ];
    let p = file(&code("        ld bc,12345\n        ret"), &lines, &[], true);
    let mut simulation = start("zx81-1k", p, false);
    simulation.run(40 * FRAME);
    let rows = rows(&*simulation);
    assert_eq!(
        (&*rows[0], &*rows[1], &*rows[23]),
        ("12345", "65535", "C/70")
    );
}

#[test]
fn a_frame_takes_the_time_of_the_zx81() {
    // 262 and 310 lines of 207.
    for (name, frame) in [("zx81-2k", 54_234), ("zx81-1k", 64_170)] {
        let p = file(&code("        jr $"), &[Start::Number.line()], &[], true);
        let mut simulation = start(name, p, false);
        simulation.run(20 * FRAME);
        simulation.breakpoint(address("frame_end"), true);
        let mut ends = Vec::new();
        for _ in 0..4 {
            simulation.run(2 * FRAME);
            assert_eq!(simulation.pc(), address("frame_end"));
            ends.push(simulation.cycles());
        }
        let frames: Vec<_> = ends.windows(2).map(|w| w[1] - w[0]).collect();
        assert_eq!(frames, [frame; 3], "{name}");
    }
}

#[test]
fn keys_reach_last_k_and_decode() {
    const KEYS: [[&str; 5]; 8] = [
        ["SHIFT", "Z", "X", "C", "V"],
        ["A", "S", "D", "F", "G"],
        ["Q", "W", "E", "R", "T"],
        ["1", "2", "3", "4", "5"],
        ["0", "9", "8", "7", "6"],
        ["P", "O", "I", "U", "Y"],
        ["NEWLINE", "L", "K", "J", "H"],
        ["SPACE", ".", "M", "N", "B"],
    ];
    let mut simulation = run(
        "loop:   ld bc,($4025)\n        ld a,c\n        inc a\n        jr z,loop\n        call $07BD\n        ld a,(hl)\n        ld ($4300),a\n        jr loop",
        20,
    );
    for (row, keys) in KEYS.iter().enumerate() {
        for (column, &key) in keys.iter().enumerate() {
            simulation.key(key, true).unwrap();
            simulation.run(3 * FRAME);
            let bit = if key == "SHIFT" { 0 } else { column + 1 };
            let rows = if key == "SHIFT" { 0xFF } else { !(1 << row) };
            let expected = u16::from_le_bytes([rows, !(1 << bit)]);
            assert_eq!(word(&*simulation, 0x4025), expected, "{key}");
            let code = match key.as_bytes() {
                [c @ b'A'..=b'Z'] => c - b'A' + 0x26,
                [c @ b'0'..=b'9'] => c - b'0' + 0x1C,
                b"NEWLINE" => NEWLINE,
                b"." => 0x1B,
                _ => 0,
            };
            if key != "SHIFT" {
                assert_eq!(simulation.peek(0x4300), code, "{key}");
            }
            simulation.key(key, false).unwrap();
            simulation.run(8 * FRAME);
            assert_eq!(word(&*simulation, 0x4025), 0xFFFF, "{key} up");
        }
    }
}

#[test]
fn the_screen_takes_text_and_dots() {
    let simulation = run(
        "        ld bc,$0203\n        call $08F5\n        ld bc,1981\n        call $0A98\n        ld bc,$1505\n        call $08F5\n        ld a,$A6\n        rst $10\n        call $0C0E\n        ld a,$9B\n        ld ($4030),a\n        ld bc,$1400\n        call $0BB2\n        jr $",
        60,
    );
    let screen = simulation.screen();
    let text = rows(&*simulation);
    assert_eq!(text[1], "   1981", "moved up a line by SCROLL");
    assert_eq!(text[20], "     A");
    assert!(screen.inverse[20][5]);
    // x=0, y=20 is the lower left quarter of line 11.
    assert_eq!(text[11], "▖");
    let simulation = run(
        "        ld a,$26\n        rst $10\n        call $0A2A\n        jr $",
        40,
    );
    assert_eq!(rows(&*simulation), vec![String::new(); 24]);
    assert_eq!(word(&*simulation, 0x4010) - word(&*simulation, 0x400C), 25);
}
