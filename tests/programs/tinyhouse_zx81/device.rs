//! The machine with the program in it.

use crate::referee::tinyhouse::{EMPTY, Move, Position, Rules};
use scrimp::disk::DiskLoader;
use scrimp::image::Image;
use scrimp::write::View;
use scrimp::{Job, assemble, targets};
use scrimp_isa::Simulation;
use scrimp_isa::machine::{Media, Stop};
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

/// Where calls from the host return to: RAM that is not there, nothing runs in it.
const BACK: u64 = 0x3000;
/// Stack pointer in the routine that the host calls.
const CALLED: u64 = 0x43FE;
/// T-states in which every call from here must be done: a minute.
pub const MINUTE: u64 = 60 * 3_250_000;
const FRAME: u64 = 65_000;
/// The routine FAST of the ROM.
const FAST: u64 = 0x0F23;

/// An image with its file.
pub struct Built {
    pub image: Image,
    pub file: Vec<u8>,
}

fn folder(program: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("programs")
        .join(program)
}

/// Assembles a shipped program and writes its file of a format.
fn build(program: &str, format: &str) -> Built {
    let folder = folder(program);
    let text = std::fs::read_to_string(folder.join("program.toml")).expect("a program.toml");
    let toml: toml::Table = text.parse().expect("TOML");
    let target = targets::by_name("z80").expect("the Z80");
    let machine = toml
        .get("machine")
        .and_then(|m| target.machine(m.as_str()?));
    let main = toml["main"].as_str().expect("a main file");
    let job = Job {
        file: folder.join(main).to_str().expect("UTF-8").into(),
        target,
        machine,
        dialect: "native".into(),
        defines: Vec::new(),
    };
    let output = assemble(&job, &DiskLoader::new().search(&folder));
    let image = output
        .image
        .unwrap_or_else(|| panic!("{:?}", output.diagnostics));
    let options: Vec<(String, String)> = toml
        .get("options")
        .and_then(|o| o.as_table())
        .into_iter()
        .flatten()
        .map(|(n, v)| {
            (
                n.clone(),
                v.as_str().map_or_else(|| v.to_string(), str::to_owned),
            )
        })
        .collect();
    let file = if format == "bin" {
        image.binary(0)
    } else {
        let view = View::new(&image, &options, program);
        let machine = machine.expect("a machine");
        let container = machine.containers().iter().find(|c| c.name == format);
        (container.expect("the format").write)(&view)
            .expect("it fits")
            .bytes
    };
    Built { image, file }
}

pub static TINYHOUSE: LazyLock<Built> = LazyLock::new(|| build("tinyhouse-zx81", "p"));
static FIRMWARE: LazyLock<Vec<u8>> = LazyLock::new(|| build("zx81-firmware", "bin").file);

/// The address of a label.
pub fn at(name: &str) -> u64 {
    let symbol = TINYHOUSE.image.symbol(name);
    symbol.unwrap_or_else(|| panic!("no label {name}")).value as u64
}

/// A square's address; a1 is 0, b1 is 1, a2 is 4.
pub fn address(square: u8) -> u64 {
    at("a1") + u64::from(square % 4) - 6 * u64::from(square / 4)
}

/// Hands on the screen: the referee's letters in the program's order.
const HAND: [u8; 4] = *b"WFHP";

/// Address of the number of pieces in a hand.
pub fn hand(piece: u8, white: bool) -> u64 {
    let place = HAND.iter().position(|&p| p == piece).expect("a kind");
    at("hands") + 1 + 2 * place as u64 + if white { 0 } else { 8 }
}

/// Letters of the referee and of the machine, for a former pawn as well.
const LETTERS: [(u8, u8, u8); 5] = [
    (b'K', 0x30, 0x30),
    (b'W', 0x3C, 0x3D),
    (b'F', 0x2B, 0x2A),
    (b'H', 0x32, 0x33),
    (b'P', 0x35, 0x35),
];

/// The character of a piece of the referee.
pub fn code(letter: u8, former: bool) -> u8 {
    let upper = letter.to_ascii_uppercase();
    let found = LETTERS.iter().find(|l| l.0 == upper).expect("a piece");
    let black = letter.is_ascii_lowercase();
    (if former { found.2 } else { found.1 }) | if black { 0x80 } else { 0 }
}

/// The referee's letter for a character, and whether it was a pawn.
fn piece(code: u8) -> (u8, bool) {
    if code == 0 {
        return (EMPTY, false);
    }
    let (letter, plain, _) = *LETTERS
        .iter()
        .find(|l| code & 0x7F == l.1 || code & 0x7F == l.2)
        .unwrap_or_else(|| panic!("${code:02X} is no piece"));
    let was_pawn = code & 0x7F != plain;
    if code & 0x80 == 0 {
        (letter, was_pawn)
    } else {
        (letter.to_ascii_lowercase(), was_pawn)
    }
}

/// A move without the choice of a promotion: low bytes of source and target.
pub type Pair = (u8, u8);

/// The pair of a move for the side to move.
pub fn pair(m: Move, white: bool) -> Pair {
    let from = match m {
        Move::Drop { piece, .. } => hand(piece, white),
        Move::Walk { from, .. } | Move::Promote { from, .. } => address(from),
    };
    (from as u8, address(m.to()) as u8)
}

/// The pairs of all legal moves, each once, sorted.
pub fn pairs(position: &Position, rules: Rules) -> Vec<Pair> {
    let all = position.moves(rules).into_iter();
    let mut all: Vec<Pair> = all.map(|m| pair(m, position.white)).collect();
    all.sort_unstable();
    all.dedup();
    all
}

pub struct Device(pub Box<dyn Simulation>);

impl Clone for Device {
    fn clone(&self) -> Self {
        Self(self.0.snapshot())
    }
}

impl Device {
    /// Waits for the first key.
    pub fn new() -> Self {
        Self::start(None, false)
    }

    /// The same after the program came from tape, with the firmware or another ROM.
    pub fn from_tape(rom: Option<Vec<u8>>) -> Self {
        Self::start(rom, true)
    }

    fn start(rom: Option<Vec<u8>>, slow_load: bool) -> Self {
        let target = targets::by_name("z80").expect("the Z80");
        let machine = target.machine("zx81-1k").expect("the machine");
        let media = Media {
            program: TINYHOUSE.file.clone(),
            container: "p".into(),
            rom,
            slow_load,
            ..Media::default()
        };
        let mut device = Self(machine.start(&media, &FIRMWARE).expect("it starts"));
        device.until("wait", MINUTE);
        device
    }

    /// The same in FAST mode, to be called from here: nothing interrupts it.
    pub fn fast() -> Self {
        let mut device = Self::new();
        device.go(FAST);
        device
    }

    /// Makes the rules of pawn drops those of a referee's rules, by the one byte.
    pub fn set_rules(&mut self, rules: Rules) {
        let ranks = match rules {
            Rules::Text => 2,
            Rules::Author => 3,
        };
        self.0.poke(at("rule") + 1, 6 * ranks);
    }

    /// Runs to a label; the T-states it took.
    pub fn until(&mut self, name: &str, most: u64) -> u64 {
        let (place, start) = (at(name), self.0.cycles());
        self.0.breakpoint(place, true);
        let stop = self.0.run(most);
        self.0.breakpoint(place, false);
        assert_eq!(stop, Stop::Breakpoint(place), "it never came to {name}");
        self.0.cycles() - start
    }

    fn enter(&mut self, place: u64) {
        self.0.poke(CALLED, BACK as u8);
        self.0.poke(CALLED + 1, (BACK >> 8) as u8);
        self.set("sp", CALLED);
        self.set("pc", place);
    }

    /// Calls an address.
    pub fn go(&mut self, place: u64) {
        self.enter(place);
        self.0.breakpoint(BACK, true);
        assert_eq!(self.0.run(MINUTE), Stop::Breakpoint(BACK), "it returns");
        self.0.breakpoint(BACK, false);
    }

    pub fn set(&mut self, register: &str, value: u64) {
        assert!(self.0.set_register(register, value), "no {register}");
    }

    pub fn get(&self, register: &str) -> u64 {
        let all = self.0.registers();
        let found = all.iter().find(|r| r.0 == register);
        found.unwrap_or_else(|| panic!("no {register}: {all:?}")).1
    }

    /// Whether the flag carry is set.
    pub fn carry(&self) -> bool {
        self.get("af") & 1 != 0
    }

    /// Puts a position into the program.
    pub fn set_position(&mut self, position: &Position) {
        for square in 0..16 {
            let letter = position.board[usize::from(square)];
            let former = position.former >> square & 1 != 0;
            let byte = if letter == EMPTY {
                0
            } else {
                code(letter, former)
            };
            self.0.poke(address(square), byte);
        }
        for (white, counts) in [true, false].into_iter().zip(position.hands) {
            for (kind, count) in b"PWHF".iter().zip(counts) {
                let digit = 0x1C + count + if white { 0 } else { 0x80 };
                self.0.poke(hand(*kind, white), digit);
            }
        }
        self.0
            .poke(at("side"), if position.white { 0 } else { 0xFF });
    }

    /// The position in the program: what the screen shows, and the side to move.
    pub fn position(&self) -> Position {
        let mut position = Position {
            board: [EMPTY; 16],
            former: 0,
            hands: [[0; 4]; 2],
            white: self.0.peek(at("side")) == 0,
        };
        for square in 0..16 {
            let (letter, former) = piece(self.0.peek(address(square)));
            position.board[usize::from(square)] = letter;
            position.former |= u16::from(former) << square;
        }
        for (white, counts) in [true, false].into_iter().zip(&mut position.hands) {
            for (kind, count) in b"PWHF".iter().zip(counts) {
                let digit = self.0.peek(hand(*kind, white)) ^ if white { 0 } else { 0x80 };
                assert!((0x1C..=0x26).contains(&digit), "${digit:02X} is no number");
                *count = digit - 0x1C;
            }
        }
        position
    }

    /// Legal moves as the program's own generator has them, sorted.
    pub fn moves(&mut self) -> Vec<Pair> {
        let mut all = Vec::new();
        self.entry(None);
        self.enter(at("play"));
        let (make, tried) = (at("make"), at("tried"));
        let stops = [make, tried, BACK];
        stops.iter().for_each(|&p| self.0.breakpoint(p, true));
        loop {
            let stop = self.0.run(MINUTE);
            let sp = self.get("sp");
            match stop {
                Stop::Breakpoint(BACK) => break,
                // With a best of none before each try, no answer is cut off.
                Stop::Breakpoint(p) if p == make && sp == CALLED => self.set("de'", 0xFFFF),
                Stop::Breakpoint(p) if p == tried && sp == CALLED - 2 => {
                    // 255: the king can be taken.
                    if self.get("af") >> 8 != 255 {
                        let bc = self.get("bc");
                        all.push(((bc >> 8) as u8, bc as u8));
                    }
                }
                Stop::Breakpoint(_) => {}
                other => panic!("it does not return: {other:?}"),
            }
        }
        stops.iter().for_each(|&p| self.0.breakpoint(p, false));
        all.sort_unstable();
        all
    }

    /// Sets what the player entered.
    pub fn entry(&mut self, pair: Option<Pair>) {
        let (from, to) = pair.unwrap_or_default();
        self.0.poke(at("entry"), to);
        self.0.poke(at("entry") + 1, from);
    }

    /// Plays a pair if the program takes it for legal.
    pub fn pair(&mut self, pair: Pair) -> bool {
        self.entry(Some(pair));
        self.go(at("play"));
        !self.carry()
    }

    /// Plays a legal move, with its choice.
    pub fn play(&mut self, m: Move, white: bool) -> bool {
        if !self.pair(pair(m, white)) {
            return false;
        }
        if let Move::Promote { to, piece, .. } = m {
            let letter = if white {
                piece
            } else {
                piece.to_ascii_lowercase()
            };
            self.0.poke(address(to), code(letter, true));
        }
        true
    }

    /// The line at the foot of the screen: what was typed and the mark.
    pub fn line(&self) -> String {
        let cell = |n| match self.0.peek(at("cells") + n) {
            0 => ' ',
            0x15 => '+',
            0x16 => '-',
            0x17 => '*',
            0xB8 => 's',
            c @ 0x1C..=0x25 => char::from(b'0' + c - 0x1C),
            c @ 0x26..=0x3F => char::from(b'A' + c - 0x26),
            c => panic!("${c:02X} in the line"),
        };
        (0..6).map(cell).collect()
    }

    /// Types keys in the matrix, each for three frames and the next one at once.
    pub fn keys<'a>(&mut self, keys: impl IntoIterator<Item = &'a str>) {
        for key in keys {
            self.0.key(key, true).expect("a key");
            self.0.run(3 * FRAME);
            self.0.key(key, false).expect("a key");
        }
        self.0.run(FRAME);
    }

    /// Runs until a key is waited for, or the game is over: then false.
    pub fn waits(&mut self) -> bool {
        let (wait, stop) = (at("wait"), at("stop"));
        let start = self.0.cycles();
        self.0.breakpoint(wait, true);
        self.0.breakpoint(stop, true);
        let over = loop {
            match self.0.run(FRAME) {
                Stop::Breakpoint(place) => break place == stop,
                Stop::Cycles => {}
                other => panic!("{other:?}"),
            }
            let taken = self.0.cycles() - start;
            assert!(taken < 3 * MINUTE, "it neither waits nor ends");
        };
        self.0.breakpoint(wait, false);
        self.0.breakpoint(stop, false);
        !over
    }

    /// The stack never came down to the program.
    pub fn stack_is_clear(&self) {
        let end = 0x4009 + TINYHOUSE.file.len() as u64;
        let lowest = self.0.lowest_stack();
        assert!(
            lowest >= end,
            "stack down to ${lowest:04X}, program up to ${end:04X}"
        );
    }
}
