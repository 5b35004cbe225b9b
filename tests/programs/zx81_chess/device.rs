//! The machine with the program in it.

use super::DEFINES;
use cozy_chess::{Board, Color, File, Move, Piece, Rank, Square};
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
/// T-states in which every call from here must be done: a minute.
pub const MINUTE: u64 = 60 * 3_250_000;
const FRAME: u64 = 65_000;
/// The routine FAST of the ROM.
pub const FAST: u64 = 0x0F23;

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
pub fn build(program: &str, format: &str) -> Built {
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
        defines: DEFINES.iter().map(|d| ((*d).into(), 1.into())).collect(),
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

pub static CHESS: LazyLock<Built> = LazyLock::new(|| build("zx81-chess", "p"));
static FIRMWARE: LazyLock<Vec<u8>> = LazyLock::new(|| build("zx81-firmware", "bin").file);

/// The address of a label.
pub fn at(name: &str) -> u64 {
    let symbol = CHESS.image.symbol(name);
    symbol.unwrap_or_else(|| panic!("no label {name}")).value as u64
}

/// A square's address.
pub fn address(square: Square) -> u64 {
    at("squares") + square.file() as u64 - 10 * square.rank() as u64
}

/// A square by its low byte.
pub fn square(low: u64) -> Square {
    let all = Square::ALL;
    let found = all.iter().find(|&&s| address(s) & 0xFF == low & 0xFF);
    *found.unwrap_or_else(|| panic!("${low:04X} is no square"))
}

pub const LETTERS: [(Piece, u8); 6] = [
    (Piece::Pawn, 0x35),
    (Piece::Knight, 0x33),
    (Piece::Bishop, 0x27),
    (Piece::Rook, 0x37),
    (Piece::Queen, 0x36),
    (Piece::King, 0x30),
];

/// The character of a man.
pub fn code(piece: Piece, color: Color) -> u8 {
    let (_, letter) = LETTERS
        .iter()
        .find(|l| l.0 == piece)
        .expect("all are there");
    letter | if color == Color::Black { 0x80 } else { 0 }
}

/// The library writes castling as the king taking his rook.
pub fn target(board: &Board, m: Move) -> Square {
    let own = board.colors(board.side_to_move());
    if board.piece_on(m.from) == Some(Piece::King) && own.has(m.to) {
        let file = if m.to.file() > m.from.file() {
            File::G
        } else {
            File::C
        };
        return Square::new(file, m.from.rank());
    }
    m.to
}

/// Every legal move, promotions four times.
pub fn legal(board: &Board) -> Vec<Move> {
    let mut all = Vec::new();
    board.generate_moves(|some| {
        all.extend(some);
        false
    });
    all
}

/// Castling, en passant and fifty moves are known.
const FULL: bool = DEFINES.is_empty();

/// Addresses and bytes of a position: squares, side, rights, en passant, fifty moves.
pub fn bytes(board: &Board) -> Vec<(u64, u8)> {
    let squares = Square::ALL.into_iter().map(|s| {
        let man = board.piece_on(s).zip(board.color_on(s));
        (address(s), man.map_or(0, |(p, c)| code(p, c)))
    });
    let mut all: Vec<_> = squares.collect();
    let black = board.side_to_move() == Color::Black;
    all.push((at("side"), if black { 0xFF } else { 0 }));
    if !FULL {
        return all;
    }
    for (n, color) in Color::ALL.into_iter().enumerate() {
        let rights = board.castle_rights(color);
        let rank = Rank::First.relative_to(color);
        let home = [
            (File::A, rights.long == Some(File::A)),
            (File::E, rights.long.is_some() || rights.short.is_some()),
            (File::H, rights.short == Some(File::H)),
        ];
        for (k, (file, unmoved)) in home.into_iter().enumerate() {
            let cell = at("table") + 3 * n as u64 + k as u64;
            let low = address(Square::new(file, rank)) as u8;
            all.push((cell, if unmoved { low } else { cell as u8 }));
        }
    }
    let passed = board.en_passant().map_or(0, |file| {
        let rank = Rank::Third.relative_to(!board.side_to_move());
        address(Square::new(file, rank)) as u8
    });
    all.push((at("ep"), passed));
    all.push((at("fifty"), board.halfmove_clock()));
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
            program: CHESS.file.clone(),
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
        self.0.poke(0x43FE, BACK as u8);
        self.0.poke(0x43FF, (BACK >> 8) as u8);
        self.set("sp", 0x43FE);
        self.set("pc", place);
    }

    /// Calls an address.
    pub fn go(&mut self, place: u64) {
        self.enter(place);
        self.0.breakpoint(BACK, true);
        assert_eq!(self.0.run(MINUTE), Stop::Breakpoint(BACK), "it returns");
        self.0.breakpoint(BACK, false);
    }

    /// Calls a routine and tells `visit` each time it passes one of `places`.
    pub fn watch(
        &mut self,
        routine: &str,
        places: &[&str],
        mut visit: impl FnMut(&mut Self, usize),
    ) {
        self.enter(at(routine));
        let all: Vec<u64> = places.iter().map(|p| at(p)).collect();
        let stops = || all.iter().copied().chain([BACK]);
        stops().for_each(|p| self.0.breakpoint(p, true));
        loop {
            match self.0.run(MINUTE) {
                Stop::Breakpoint(BACK) => break,
                Stop::Breakpoint(place) => {
                    let which = all.iter().position(|&p| p == place);
                    visit(self, which.expect("one of them"));
                }
                other => panic!("{routine} does not return: {other:?}"),
            }
        }
        stops().for_each(|p| self.0.breakpoint(p, false));
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
    pub fn set_position(&mut self, board: &Board) {
        for (place, byte) in bytes(board) {
            self.0.poke(place, byte);
        }
    }

    /// What differs from a position in squares, side, rights, en passant.
    pub fn differs(&self, board: &Board) -> Option<String> {
        let mut wanted = self.clone();
        wanted.set_position(board);
        for s in Square::ALL {
            let (is, should) = (self.0.peek(address(s)), wanted.0.peek(address(s)));
            if is != should {
                return Some(format!("{s}: ${is:02X} and not ${should:02X}"));
            }
        }
        if self.0.peek(at("side")) != wanted.0.peek(at("side")) {
            return Some("the side".into());
        }
        if !FULL {
            return None;
        }
        // The library drops an en passant that nobody can play, and rights need both men.
        if board.en_passant().is_some() && self.0.peek(at("ep")) != wanted.0.peek(at("ep")) {
            return Some("en passant".into());
        }
        if self.0.peek(at("fifty")) != wanted.0.peek(at("fifty")) {
            return Some("the moves without a pawn's and without taking".into());
        }
        for (n, color) in Color::ALL.into_iter().enumerate() {
            let cell = |k: u64| {
                let place = at("table") + 3 * n as u64 + k;
                let rank = Rank::First.relative_to(color);
                let file = [File::A, File::E, File::H][k as usize];
                self.0.peek(place) == address(Square::new(file, rank)) as u8
            };
            let rights = board.castle_rights(color);
            let own = (cell(1) && cell(0), cell(1) && cell(2));
            if own != (rights.long.is_some(), rights.short.is_some()) {
                return Some(format!("castling of {color}: {own:?}"));
            }
        }
        None
    }

    /// Legal moves as the program's own generator has them, a promotion once.
    pub fn moves(&mut self) -> Vec<(Square, Square)> {
        let mut all = Vec::new();
        self.entry(None);
        // With a best of none before each try, no move is passed over as too poor.
        self.watch("play", &["make", "legal"], |d, place| {
            match (d.0.peek(at("depth")), place) {
                (3, 0) => d.set("de'", 0x00FF),
                (3, _) => all.push((square(d.get("de")), square(d.get("hl")))),
                _ => {} // answers
            }
        });
        all.sort_unstable();
        all
    }

    /// Sets what the player entered.
    pub fn entry(&mut self, squares: Option<(Square, Square)>) {
        let (from, to) = squares.map_or((0, 0), |(f, t)| (address(f) as u8, address(t) as u8));
        self.0.poke(at("entry"), to);
        self.0.poke(at("entry") + 1, from);
        self.set("de", u64::from(from) << 8 | u64::from(to));
    }

    /// Plays a move if the program takes it for legal.
    pub fn play(&mut self, from: Square, to: Square) -> bool {
        self.entry(Some((from, to)));
        self.go(at("play"));
        self.carry()
    }

    /// The man on a square of the screen as FEN has it, `.` for none.
    pub fn shown(&self) -> String {
        let screen = self.0.screen();
        let top = screen.text.iter().position(|row| row.starts_with('8'));
        let top = top.expect("a board on the screen");
        let mut all = String::new();
        for n in 0..8 {
            let row: Vec<char> = screen.text[top + n].chars().collect();
            assert_eq!(row[0], char::from(b'8' - n as u8), "the rank's digit");
            for file in 1..9 {
                all.push(match row.get(file).copied().unwrap_or(' ') {
                    ' ' => '.',
                    c if screen.inverse[top + n][file] => c.to_ascii_lowercase(),
                    c => c,
                });
            }
        }
        all
    }

    /// The line at the foot of the screen: what was typed and the mark.
    pub fn line(&self) -> String {
        let cell = |n| match self.0.peek(at("cells") + n) {
            0 => ' ',
            0x14 => '=',
            0x15 => '+',
            0x17 => '*',
            0xB8 => 's',
            c @ 0x1C..=0x25 => char::from(b'0' + c - 0x1C),
            c @ 0x26..=0x3F => char::from(b'A' + c - 0x26),
            c => panic!("${c:02X} in the line"),
        };
        (0..5).map(cell).collect()
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
        self.0.breakpoint(wait, true);
        let mut over = false;
        let start = self.0.cycles();
        while self.0.run(FRAME) == Stop::Cycles {
            // It stays in a jump to itself when the game is over.
            over = self.0.pc() == stop && !self.carry();
            if over {
                break;
            }
            assert!(
                self.0.cycles() - start < 2 * MINUTE,
                "it neither waits nor ends"
            );
        }
        self.0.breakpoint(wait, false);
        !over
    }

    /// The stack never came down to the program.
    pub fn stack_is_clear(&self) {
        let end = 0x4009 + CHESS.file.len() as u64;
        let lowest = self.0.lowest_stack();
        assert!(
            lowest >= end,
            "stack down to ${lowest:04X}, program up to ${end:04X}"
        );
    }
}
