//! Holds the model of the search to the image, and the image to its minute.

use super::core::{BUILT, Core, HALF, MFROM, MTO, TURN, U, at, cells, moves, passing, side};
use super::model::Model;
use super::rules::{CHECK, Game, Random, some_move};
use cozy_chess::{Board, BoardBuilder, CastleRights, Color, Piece};
use scrimp_isa::Simulation;

/// Clocks of a minute.
const MINUTE: u64 = 60 * 8_000_000;
/// Clocks of what comes with a thought for each ply that was played: the record is played
/// twice, for repetition and for the board.
const PLY: u64 = 2 * 26_000;

impl Model {
    /// With the tables of the image.
    pub fn of_image() -> Self {
        let mut flash = [0; 0x100];
        for chunk in &BUILT.image.chunks {
            for (at, &byte) in (chunk.address..).zip(&chunk.bytes) {
                if let Some(cell) = flash.get_mut(at as usize) {
                    *cell = byte;
                }
            }
        }
        Self::new(&flash, at("lists") as usize, at("values") as usize)
    }

    /// A position, after so many half-moves.
    pub fn set_up(&mut self, board: &Board, turn: u8) {
        self.board = cells(board);
        self.side = side(board.side_to_move());
        self.newep = passing(board);
        self.half = board.halfmove_clock();
        self.turn = turn;
    }
}

/// What the image answers, how often the timer had overflowed, and the clocks; the model
/// is given the timer that the image has.
fn think(
    core: &mut Core,
    model: &mut Model,
    board: &Board,
    turn: u8,
    level: u8,
) -> ((u8, u8), u16, u64) {
    core.set_up(board);
    core.set(HALF, 0);
    core.call("status");
    core.set(HALF, board.halfmove_clock());
    core.set(TURN, turn);
    core.set(U, level);
    let begin = core.0.cycles();
    // Has the timer overflowed already?
    let mut probe = core.clone();
    probe.0.cpu_mut().set_pc(at("search.score"));
    probe.0.run(1);
    model.set_up(board, turn);
    model.phase = begin + (1 << 20);
    model.ticks = (model.phase >> 16) - u64::from(probe.register(16) & 1);
    let mut found = None;
    core.visit("think", Some(at("late")), |core| {
        let nodes = u16::from(core.register(12)) | u16::from(core.register(13)) << 8;
        found = Some((nodes, core.0.cycles() - begin));
    });
    let (nodes, clocks) = found.expect("it comes there");
    ((core.register(MFROM), core.register(MTO)), nodes, clocks)
}

/// Positions of games between random movers who like to take.
fn positions(count: usize, seed: u64) -> Vec<Board> {
    let mut random = Random::new(seed);
    let mut all = Vec::new();
    while all.len() < count {
        let mut game = Game::new(random.below(960) as u16);
        for _ in 0..random.below(120) {
            if game.status() > CHECK {
                break;
            }
            game.play(some_move(&game.board, &mut random));
        }
        if game.status() <= CHECK {
            all.push(game.board);
        }
    }
    all
}

/// Both think about each position: the same move after as many clocks and overflows.
fn compare(count: usize, seed: u64, level: u8) {
    let (mut core, mut model) = (Core::started(518), Model::of_image());
    let (mut longest, mut sum) = (0, 0);
    for (n, board) in positions(count, seed).iter().enumerate() {
        let turn = [4, 40][n % 2];
        let (best, nodes, clocks) = think(&mut core, &mut model, board, turn, level);
        model.think(level);
        let have = (model.best, model.nodes, model.clock);
        assert_eq!(have, (best, nodes, clocks), "level {level}, {board}");
        longest = longest.max(clocks);
        sum += clocks;
    }
    println!(
        "level {level}, {count} positions: {:.2} s at most, {:.2} s each",
        longest as f64 / 8e6,
        sum as f64 / 8e6 / count as f64
    );
    assert!(longest + 253 * PLY < MINUTE);
}

#[test]
fn the_model_is_the_program() {
    compare(20, 1, 1);
    compare(3, 2, 2);
    compare(1, 3, 3);
}

#[test]
#[ignore = "slow"]
fn slow_the_model_is_the_program() {
    compare(60, 4, 1);
    compare(60, 5, 2);
    compare(10, 6, 3);
}

#[test]
#[ignore = "nightly"]
fn nightly_the_model_is_the_program() {
    for level in 1..=3 {
        compare(1000, 7, level);
    }
}

/// Positions with the most to think about: those where a first look is long, and random
/// ones in which most pawns are queens.
fn rich(count: usize) -> Vec<Board> {
    let mut random = Random::new(8);
    let mut all: Vec<Board> = [
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
        "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",
        "r1br1bqn/pknpqq2/1q5q/2q3p1/4Q2Q/1Q1N4/P1PQ1QQ1/RKB1RBQN b - - 0 7",
        "r2brqbn/2kqpq2/qq5p/6P1/1QQq4/1Q2Q1QQ/P1n5/RNK1R1BN b - - 1 12",
    ]
    .map(|fen| fen.parse().expect("a position"))
    .into();
    for board in positions(count, 9) {
        let mut queens = BoardBuilder::from_board(&board);
        for color in Color::ALL {
            for pawn in board.colored_pieces(color, Piece::Pawn) {
                if random.below(3) > 0 {
                    queens.board[pawn as usize] = Some((Piece::Queen, color));
                }
            }
            queens.castle_rights[color as usize] = CastleRights::EMPTY;
        }
        queens.en_passant = None;
        let queens = queens.build().ok().filter(|b| !moves(b).is_empty());
        all.extend(queens.into_iter().chain([board]));
    }
    all
}

/// The clocks of the best level, by the model; of the longest again on the device.
fn at_most_a_minute(count: usize) {
    let (mut core, mut model) = (Core::started(518), Model::of_image());
    let mut longest = (0, Board::default());
    let boards = rich(count);
    for board in &boards {
        model.set_up(board, 40);
        model.think(3);
        if model.clock > longest.0 {
            longest = (model.clock, board.clone());
        }
    }
    let (.., clocks) = think(&mut core, &mut model, &longest.1, 40, 3);
    println!(
        "{} positions: {:.1} s at most, in {}",
        boards.len(),
        clocks as f64 / 8e6,
        longest.1
    );
    // So many queens are not there at the end of the longest games.
    assert!(clocks + 100 * PLY < MINUTE, "{}", longest.1);
}

#[test]
fn a_thought_takes_a_minute_at_most() {
    at_most_a_minute(0);
}

#[test]
#[ignore = "nightly"]
fn nightly_a_thought_takes_a_minute_at_most() {
    at_most_a_minute(300);
}
