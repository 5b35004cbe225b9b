//! A match between two ROM files of the program: equal clocks for each move, the same
//! openings with both colours.
//!
//! The files are what `scrimp build gigatron-chess` writes, `.rom` with its `.sym` beside
//! it; older ones do as well, as long as they have the labels that [`Seat`] asks for. Each
//! ROM runs whole, with picture and sync pulses, and keeps the game by itself: it is told
//! the other's moves as if a hand had made them.

use super::rules::{Written, moves, page, written};
use crate::common::tools::skip;
use cozy_chess::{Board, Color, GameStatus, Move, Piece, Square};
use scrimp_gigatron::sim::{Cpu, Memory};
use std::collections::HashMap;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Games longer than this are drawn.
const PLIES: usize = 300;
/// Clocks in one go.
const RUN: u64 = 400_000;
/// Plies of an opening.
const OPENING: usize = 8;

/// A program with its names, booted up to where it waits for the buttons.
pub struct Rom {
    booted: Cpu,
    names: HashMap<String, u16>,
}

impl Rom {
    /// A `.rom` file with its `.sym` file beside it.
    pub fn read(rom: &Path) -> Self {
        let names = std::fs::read_to_string(rom.with_extension("sym")).expect("a .sym file");
        let name = |line: &str| {
            let (value, name) = line.split_once(' ')?;
            Some((name.to_owned(), u16::from_str_radix(value, 16).ok()?))
        };
        let names = names.lines().filter_map(name).collect();
        Self::of(&std::fs::read(rom).expect("a .rom file"), names)
    }

    /// Bytes of a ROM, and its labels.
    pub fn of(rom: &[u8], names: HashMap<String, u16>) -> Self {
        let mut booted = Cpu::new(rom, Memory::K32).expect("a ROM");
        booted
            .run_to(&[names["loop"]], 10_000_000)
            .expect("the boot");
        // It plays no side by itself.
        booted.poke(names["plays"], 9);
        Self { booted, names }
    }

    /// An address; a cell may have another name in other versions.
    fn at(&self, names: &[&str]) -> u16 {
        let found = names.iter().find_map(|&name| self.names.get(name));
        *found.unwrap_or_else(|| panic!("no name {names:?}"))
    }
}

/// A machine at the board.
pub struct Seat<'a> {
    cpu: Cpu,
    rom: &'a Rom,
}

impl<'a> Seat<'a> {
    /// With the pieces as a game begins.
    pub fn new(rom: &'a Rom) -> Self {
        let cpu = rom.booted.clone();
        Self { cpu, rom }
    }

    /// Cells of a move: from, to and flag.
    fn cells(&self) -> [u16; 3] {
        [
            self.rom.at(&["want.from", "best.from"]),
            self.rom.at(&["want.to", "best.to"]),
            self.rom.at(&["allowed", "best.flag"]),
        ]
    }

    fn to(&mut self, label: &str, clocks: u64) {
        let place = self.rom.at(&[label]);
        let came = self.cpu.run_to(&[place], self.cpu.now() + clocks);
        assert!(came.is_some(), "at {:04X}, not {label}", self.cpu.at());
    }

    /// Whether a place comes within so many clocks; it stops there.
    fn came_by(&mut self, place: u16, clocks: u64) -> bool {
        let until = self.cpu.now() + clocks;
        self.cpu.run_to(&[place], until).is_some()
    }

    /// Runs until it waits for the buttons. To look for a place at each clock is slow:
    /// first it is seen that the block that is late is that one.
    fn idle(&mut self) {
        let place = self.rom.at(&["loop"]);
        let (page, low) = (self.rom.at(&["backpage"]), self.rom.at(&["back"]));
        self.cpu.poke(page, 0);
        for _ in 0..1000 {
            self.cpu.run_bare(self.cpu.now() + 20_000);
            let late = u16::from(self.cpu.peek(page)) << 8 | u16::from(self.cpu.peek(low));
            if late == place + 2 {
                return self.to("loop", 200_000);
            }
        }
        panic!("at {:04X}, not at the board", self.cpu.at());
    }

    /// Puts a position on the board that no move led to.
    pub fn place(&mut self, board: &Board) {
        let column = |page: u8, low: u16| u16::from(page) << 8 | low;
        for square in Square::ALL {
            let kind = board.piece_on(square).map_or(0, |p| p as u8 + 1);
            let black = board.color_on(square) == Some(Color::Black);
            self.cpu
                .poke(column(page(square), 0xff), kind + 8 * u8::from(black));
        }
        assert!(board.en_passant().is_none());
        let side = u8::from(board.side_to_move() == Color::Black);
        let rights = [Color::White, Color::Black].into_iter().enumerate();
        let rights = rights.map(|(i, color)| {
            let own = board.castle_rights(color);
            u8::from(own.short.is_some()) << (2 * i) | u8::from(own.long.is_some()) << (2 * i + 1)
        });
        for (cell, value) in [
            ("side", side),
            ("rights", rights.sum()),
            ("ep", 0),
            ("since", 0),
            ("came", 0),
            ("went", 0),
        ] {
            self.cpu.poke(self.rom.at(&[cell]), value);
        }
        self.cpu.go(self.rom.at(&["judge"]));
        self.idle();
    }

    /// A move is made.
    pub fn told(&mut self, mv: Written) {
        for (cell, value) in self.cells().into_iter().zip([mv.0, mv.1, mv.2]) {
            self.cpu.poke(cell, value);
        }
        self.cpu.go(self.rom.at(&["play"]));
        self.idle();
    }

    /// Its move; it is made. Clocks to think, or the level that is set and no limit else.
    pub fn moves(&mut self, clocks: Option<u64>) -> Written {
        self.cpu.go(self.rom.at(&["thinks"]));
        self.to("think", 100_000);
        let mut left = u64::MAX;
        if let Some(clocks) = clocks {
            left = clocks;
            for cell in ["level", "deepest"] {
                self.cpu.poke(self.rom.at(&[cell]), 0);
            }
        }
        // The picture is dim as long as it thinks. Runs of many clocks are quicker than to
        // look for a place at each: the last one is done again.
        let picture = self.rom.at(&["dim", "bright"]);
        let dim = self.cpu.peek(picture);
        let begin = self.cpu.clone();
        while left > 0 {
            let before = self.cpu.clone();
            let run = left.min(RUN);
            self.cpu.run_bare(self.cpu.now() + run);
            if self.cpu.peek(picture) != dim {
                self.cpu = before;
                break;
            }
            left -= run;
        }
        if left == 0 {
            self.cpu.poke(self.rom.at(&["stop"]), 1);
        }
        let play = self.rom.at(&["play"]);
        if self.cpu.run_to(&[play], self.cpu.now() + RUN).is_none() {
            // Its move was made before the picture changed, or takes long to come.
            self.cpu = begin;
            if clocks.is_some_and(|c| !self.came_by(play, c)) {
                self.cpu.poke(self.rom.at(&["stop"]), 1);
            }
            self.to("play", 1_000_000_000);
        }
        let [from, to, flag] = self.cells().map(|cell| self.cpu.peek(cell));
        self.idle();
        (from, to, flag)
    }
}

/// Openings, the same each time: random moves after which neither side has won a piece.
pub fn openings(count: usize) -> Vec<Vec<Move>> {
    let mut state = 2017_u64;
    let mut out: Vec<Vec<Move>> = Vec::new();
    while out.len() < count {
        let mut board = Board::default();
        let mut line = Vec::new();
        while line.len() < OPENING {
            let all = moves(&board);
            if all.is_empty() {
                break;
            }
            state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
            let mv = all[(state >> 33) as usize % all.len()];
            board.play(mv);
            line.push(mv);
        }
        let even = worth(&board) == 0 && !hangs(&board, 3);
        if line.len() == OPENING && even && !out.contains(&line) {
            out.push(line);
        }
    }
    out
}

/// Material in pawns, White's less Black's.
fn worth(board: &Board) -> i32 {
    let kinds = [
        (Piece::Pawn, 1),
        (Piece::Knight, 3),
        (Piece::Bishop, 3),
        (Piece::Rook, 5),
        (Piece::Queen, 9),
    ];
    let sum = |color| -> i32 {
        let count = |kind| (board.pieces(kind) & board.colors(color)).len() as i32;
        kinds.iter().map(|&(kind, pawns)| pawns * count(kind)).sum()
    };
    sum(Color::White) - sum(Color::Black)
}

/// Whether the side to move wins something within so many plies, or the other does.
fn hangs(board: &Board, plies: u8) -> bool {
    fn best(board: &Board, plies: u8) -> i32 {
        let sign = if board.side_to_move() == Color::White {
            1
        } else {
            -1
        };
        let mut most = sign * worth(board);
        for mv in moves(board) {
            if plies > 0 && board.color_on(mv.to) == Some(!board.side_to_move()) {
                let mut child = board.clone();
                child.play_unchecked(mv);
                most = most.max(-best(&child, plies - 1));
            }
        }
        most
    }
    let other = board.null_move();
    best(board, plies) != 0 || other.is_none_or(|o| best(&o, plies) != 0)
}

/// How a game ended for White: 2 won, 1 drawn, 0 lost.
pub fn game(white: &Rom, black: &Rom, opening: &[Move], clocks: u64) -> (u32, usize, Board) {
    let mut seats = [Seat::new(white), Seat::new(black)];
    let mut board = Board::default();
    let mut seen: Vec<u64> = Vec::new();
    for plies in 0..PLIES {
        seen.push(board.hash());
        let again = seen.iter().filter(|&&h| h == board.hash()).count() > 2;
        let mover = usize::from(board.side_to_move() == Color::Black);
        match board.status() {
            GameStatus::Won => return (2 * mover as u32, plies, board),
            GameStatus::Drawn => return (1, plies, board),
            GameStatus::Ongoing if again || bare(&board) => return (1, plies, board),
            GameStatus::Ongoing => {}
        }
        let mv = match opening.get(plies) {
            Some(&mv) => {
                seats[mover].told(written(&board, mv));
                mv
            }
            None => {
                let its = seats[mover].moves(Some(clocks));
                let legal = moves(&board)
                    .into_iter()
                    .find(|&mv| written(&board, mv) == its);
                legal.unwrap_or_else(|| panic!("{board}: {its:02X?} is not legal"))
            }
        };
        seats[1 - mover].told(written(&board, mv));
        board.play(mv);
    }
    (1, PLIES, board)
}

/// Kings with a knight or a bishop at most.
fn bare(board: &Board) -> bool {
    let minor = board.pieces(Piece::Knight) | board.pieces(Piece::Bishop);
    let kings = board.pieces(Piece::King);
    board.occupied().len() <= 3 && (minor | kings) == board.occupied()
}

/// Points of the first ROM's games, 2 for a win; pairs with one opening share a row.
pub fn play(
    roms: [&Rom; 2],
    games: std::ops::Range<usize>,
    clocks: u64,
    threads: usize,
) -> Vec<[u32; 2]> {
    let openings = openings(games.end.div_ceil(2));
    let rows = Mutex::new(vec![[u32::MAX; 2]; openings.len()]);
    let next = AtomicUsize::new(games.start);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    let (row, turn) = (at / 2, at % 2);
                    let Some(opening) = openings.get(row) else {
                        break;
                    };
                    let (white, black) = (roms[turn], roms[1 - turn]);
                    let (points, plies, end) = game(white, black, opening, clocks);
                    let points = if turn == 0 { points } else { 2 - points };
                    let mut rows = rows.lock().expect("no panic");
                    rows[row][turn] = points;
                    let (mean, error) = score(&rows);
                    println!(
                        "game {at}: {points}/2 in {plies} plies, {end}: {mean:.3} ± {error:.3}"
                    );
                }
            });
        }
    });
    rows.into_inner().expect("no panic")
}

/// The score and half of its interval of 95 %, from 0 to 1, by pairs that are whole.
pub fn score(rows: &[[u32; 2]]) -> (f64, f64) {
    let whole = rows.iter().filter(|r| !r.contains(&u32::MAX));
    let pairs: Vec<f64> = whole.map(|r| f64::from(r[0] + r[1]) / 4.0).collect();
    let n = pairs.len() as f64;
    let mean = pairs.iter().sum::<f64>() / n;
    let spread = pairs.iter().map(|p| (p - mean).powi(2)).sum::<f64>() / (n - 1.0);
    (mean, 1.96 * (spread / n).sqrt())
}

/// `SCRIMP_CHESS_ROMS=new.rom,old.rom` are the files, `SCRIMP_CHESS_GAMES` how many games
/// (400), `SCRIMP_CHESS_FROM` the first of them (0), `SCRIMP_CHESS_CLOCKS` the clocks for a move (6,250,000: a second),
/// `SCRIMP_CHESS_THREADS` how many at once (1).
#[test]
#[ignore = "nightly"]
fn nightly_the_first_rom_holds_its_own() {
    let Some(roms) = std::env::var_os("SCRIMP_CHESS_ROMS") else {
        return skip("chess_roms", "SCRIMP_CHESS_ROMS is not set");
    };
    let roms = roms.into_string().expect("UTF-8");
    let (new, old) = roms.split_once(',').expect("two files");
    let number = |name: &str, usual: u64| {
        let set = std::env::var(format!("SCRIMP_CHESS_{name}"));
        set.map_or(usual, |n| n.parse().expect("a number"))
    };
    let (new, old) = (Rom::read(Path::new(new)), Rom::read(Path::new(old)));
    let (games, clocks) = (number("GAMES", 400), number("CLOCKS", 6_250_000));
    let threads = number("THREADS", 1) as usize;
    let all = number("FROM", 0) as usize..games as usize;
    let rows = play([&new, &old], all, clocks, threads);
    let (mean, error) = score(&rows);
    println!("{games} games of {clocks} clocks a move: {mean:.3} ± {error:.3}");
    assert!(mean - error >= 0.45);
}
