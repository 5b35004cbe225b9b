//! The program's own routines, called from here on the board's memory.

use cozy_chess::{BitBoard, Board, Color, File, Move, Piece, Rank, Square};
use scrimp::disk::DiskLoader;
use scrimp::image::Image;
use scrimp::{Job, assemble, targets};
use scrimp_avr::board::Board as Circuit;
use scrimp_avr::{AvrSimulation, devices};
use scrimp_isa::Simulation;
use scrimp_isa::machine::Stop;
use std::path::Path;
use std::sync::LazyLock;

/// Registers and cells of the program, as its source has them.
pub const SIDE: u8 = 2;
pub const NEWEP: u8 = 5;
pub const PROMO: u8 = 6;
pub const HALF: u8 = 7;
pub const MFROM: u8 = 8;
pub const MTO: u8 = 9;
pub const TURN: u8 = 11;
pub const U: u8 = 17;
pub const FROM: u8 = 25;
pub const TO: u8 = 26;
pub const YL: u8 = 28;
pub const WHITE: u8 = 0x80;
pub const BLACK: u8 = 0x08;
pub const UNMOVED: u8 = 0x40;
pub const NOWHERE: u8 = 0x80;
pub const LOG: u8 = 0xA0;
pub const BOARD: u16 = 0x100;
/// Bit of the cells that are no squares.
pub const HOLE: u8 = 8;

/// Clocks in which any routine but `think` returns.
const PATIENCE: u64 = 80_000_000;
/// Where calls from the host return to; nothing is executed there.
const BACK: u32 = 0x1FFE;

pub struct Built {
    pub image: Image,
    pub fresh: AvrSimulation,
}

pub static BUILT: LazyLock<Built> = LazyLock::new(|| {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("programs/tiny-chess960");
    let target = targets::by_name("avr").expect("the AVR");
    let job = Job {
        file: folder.join("tiny.asm").to_str().expect("UTF-8").into(),
        target,
        machine: target.machine("attiny84"),
        dialect: "native".into(),
        defines: Vec::new(),
    };
    let output = assemble(&job, &DiskLoader::new().search(&folder));
    let image = output
        .image
        .unwrap_or_else(|| panic!("{:?}", output.diagnostics));
    let manifest = std::fs::read_to_string(folder.join("program.toml")).expect("it");
    let device = devices::find("attiny84").expect("the device");
    let board = Circuit::read(&manifest, device).expect("a board");
    let mut fresh = board.build(device, 8_000_000).expect("its parts");
    for chunk in &image.chunks {
        fresh.load(chunk.address, &chunk.bytes).expect("it fits");
    }
    Built { image, fresh }
});

/// Address of a label in flash.
pub fn at(name: &str) -> u32 {
    let symbol = BUILT.image.symbol(name);
    let symbol = symbol.unwrap_or_else(|| panic!("no label {name}"));
    u32::try_from(symbol.value).expect("an address")
}

/// The board with the program in it, not started; routines are called.
#[derive(Clone)]
pub struct Core(pub AvrSimulation);

impl Core {
    /// With zeros in its memory.
    pub fn new() -> Self {
        let mut core = Self(BUILT.fresh.clone());
        core.set(31, 0);
        core.set(PROMO, 6);
        core
    }

    /// With an array, by the program's own set-up.
    pub fn game(number: u16) -> Self {
        Self::new().with(number)
    }

    /// The same after the device's start: its timers run.
    pub fn started(number: u16) -> Self {
        let mut core = Self::new();
        core.0.run(8_000_000);
        core.with(number)
    }

    fn with(mut self, number: u16) -> Self {
        let core = &mut self;
        core.set(24, number as u8);
        core.set(25, (number >> 8) as u8);
        core.call("new_game");
        self
    }

    pub fn register(&self, number: u8) -> u8 {
        self.0.cpu().register(number)
    }

    pub fn set(&mut self, number: u8, value: u8) {
        self.0.cpu_mut().set_register(number, value);
    }

    pub fn cell(&self, square: u8) -> u8 {
        self.0.cpu().data(BOARD + u16::from(square))
    }

    pub fn set_cell(&mut self, square: u8, value: u8) {
        self.0.cpu_mut().set_data(BOARD + u16::from(square), value);
    }

    /// The flag T of the program.
    pub fn t(&self) -> bool {
        self.0.cpu().sreg() & 0x40 != 0
    }

    /// Calls a routine; `visit` is told each time it comes to the place `stop`. Returns
    /// the clocks that it took.
    pub fn visit(
        &mut self,
        name: &str,
        stop: Option<u32>,
        mut visit: impl FnMut(&mut Self),
    ) -> u64 {
        self.set(31, 0);
        let cpu = self.0.cpu_mut();
        let word = BACK / 2;
        cpu.set_data(0x25F, word as u8);
        cpu.set_data(0x25E, (word >> 8) as u8);
        cpu.set_sp(0x25D);
        cpu.set_pc(at(name));
        cpu.breakpoint(BACK, true);
        if let Some(stop) = stop {
            cpu.breakpoint(stop, true);
        }
        let begin = self.0.cycles();
        loop {
            match self.0.run(PATIENCE * 10) {
                Stop::Breakpoint(place) if place == u64::from(BACK) => break,
                Stop::Breakpoint(_) => visit(self),
                other => panic!("{name} does not return: {other:?}"),
            }
        }
        if let Some(stop) = stop {
            self.0.cpu_mut().breakpoint(stop, false);
        }
        self.0.cpu_mut().breakpoint(BACK, false);
        assert_eq!(self.register(31), 0, "{name} leaves ZH 0");
        self.0.cycles() - begin
    }

    pub fn call(&mut self, name: &str) -> u64 {
        self.visit(name, None, |_| ())
    }

    /// The moves that the program holds for legal, by from and to, sorted.
    pub fn legal(&mut self) -> Vec<(u8, u8)> {
        self.set(MFROM, NOWHERE);
        self.set(MTO, NOWHERE);
        let mut all = Vec::new();
        self.visit("enum", Some(at("search.legal")), |d| {
            all.push((d.register(FROM), d.register(TO)));
        });
        assert_eq!(self.register(YL), LOG, "the log is empty again");
        assert_eq!(self.t(), !all.is_empty());
        all.sort_unstable();
        all
    }

    /// Plays a move on the board; whether it was taken.
    pub fn play(&mut self, from: u8, to: u8, promo: u8) -> bool {
        self.set(MFROM, from);
        self.set(MTO, to);
        self.set(PROMO, promo);
        self.call("play");
        self.t()
    }

    /// Plays and records a move; whether it was taken.
    pub fn go(&mut self, m: Move) -> bool {
        self.set(MFROM, square(m.from));
        self.set(MTO, square(m.to));
        self.set(PROMO, m.promotion.map_or(6, code));
        self.call("go");
        self.t()
    }

    /// How the game stands.
    pub fn status(&mut self) -> u8 {
        self.call("status");
        self.register(U)
    }

    /// Bytes of the EEPROM.
    pub fn eeprom(&self) -> &[u8] {
        self.0.peripherals().eeprom()
    }

    /// Writes a position into the program's memory.
    pub fn set_up(&mut self, board: &Board) {
        for (at, cell) in (0..).zip(cells(board)) {
            self.set_cell(at, cell);
        }
        self.set(SIDE, side(board.side_to_move()));
        self.set(NEWEP, passing(board));
        self.set(HALF, board.halfmove_clock());
        self.set(TURN, 20);
    }

    /// The same board, side and moves, as far as the rules go.
    pub fn is_at(&self, board: &Board) -> Result<(), String> {
        for at in Square::ALL {
            let (have, want) = (self.cell(square(at)) & !UNMOVED, cell(board, at));
            if have != want {
                return Err(format!("{at}: {have:02x}, not {want:02x} in {board}"));
            }
        }
        if self.register(SIDE) != side(board.side_to_move()) {
            return Err("the other side's turn".into());
        }
        Ok(())
    }
}

/// Squares are rank and file.
pub fn square(s: Square) -> u8 {
    (s.rank() as u8) << 4 | s.file() as u8
}

pub fn back(cell: u8) -> Square {
    Square::new(
        File::index(usize::from(cell & 7)),
        Rank::index(usize::from(cell >> 4)),
    )
}

pub fn side(color: Color) -> u8 {
    match color {
        Color::White => WHITE,
        Color::Black => BLACK,
    }
}

pub fn code(piece: Piece) -> u8 {
    match piece {
        Piece::Pawn => 1,
        Piece::King => 2,
        Piece::Knight => 3,
        Piece::Bishop => 4,
        Piece::Rook => 5,
        Piece::Queen => 6,
    }
}

/// The board's memory with a position: pawns at home, rooks that may castle and their
/// kings are marked.
pub fn cells(board: &Board) -> [u8; 0x80] {
    let mut unmoved = BitBoard::EMPTY;
    for color in Color::ALL {
        let home = Rank::First.relative_to(color);
        let second = Rank::Second.relative_to(color).bitboard();
        unmoved |= board.colored_pieces(color, Piece::Pawn) & second;
        let rights = board.castle_rights(color);
        for file in [rights.short, rights.long].into_iter().flatten() {
            unmoved |= Square::new(file, home).bitboard() | board.king(color).bitboard();
        }
    }
    let mut all = [0; 0x80];
    for at in board.occupied() {
        let flag = if unmoved.has(at) { UNMOVED } else { 0 };
        all[usize::from(square(at))] = cell(board, at) | flag;
    }
    all
}

/// Where a pawn can be taken in passing.
pub fn passing(board: &Board) -> u8 {
    board.en_passant().map_or(NOWHERE, |file| {
        let rank = Rank::Sixth.relative_to(board.side_to_move());
        square(Square::new(file, rank))
    })
}

/// The cell of a square but for its mark.
pub fn cell(board: &Board, at: Square) -> u8 {
    match (board.color_on(at), board.piece_on(at)) {
        (Some(c), Some(p)) => code(p) | side(c),
        _ => 0,
    }
}

pub fn moves(board: &Board) -> Vec<Move> {
    let mut all = Vec::new();
    board.generate_moves(|some| {
        all.extend(some);
        false
    });
    all
}

/// From and to as the program has them, each pair once, sorted.
pub fn pairs(board: &Board) -> Vec<(u8, u8)> {
    let mut all: Vec<_> = moves(board)
        .into_iter()
        .map(|m| (square(m.from), square(m.to)))
        .collect();
    all.sort_unstable();
    all.dedup();
    all
}
