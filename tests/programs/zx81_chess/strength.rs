//! Matches of the shipped image against two players of the host.

use super::device::{Device, FAST, MINUTE, at, legal, square, target};
use super::model::Model;
use crate::common::random::Random;
use cozy_chess::{Board, Color, GameStatus, Move, Piece};
use scrimp_isa::machine::Stop;
use std::collections::HashMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

/// Where the program's count of positions may begin.
const NODES: u16 = 0x4000;

/// What a man is worth to the host's players.
fn price(piece: Option<Piece>) -> i32 {
    match piece {
        None => 0,
        Some(Piece::Pawn) => 1,
        Some(Piece::Knight | Piece::Bishop) => 3,
        Some(Piece::Rook) => 5,
        Some(Piece::Queen) => 9,
        Some(Piece::King) => 50,
    }
}

/// What a move wins at once.
fn gain(board: &Board, m: Move) -> i32 {
    let castling = board.color_on(m.to) == Some(board.side_to_move());
    let taken = if castling {
        0
    } else {
        price(board.piece_on(m.to))
    };
    let passing = board.piece_on(m.from) == Some(Piece::Pawn)
        && m.from.file() != m.to.file()
        && board.piece_on(m.to).is_none();
    let made = m.promotion.map_or(0, |p| price(Some(p)) - 1);
    taken + i32::from(passing) + made
}

/// The first of the best by a number.
fn best(board: &Board, worth: impl Fn(Move) -> i32) -> Move {
    let all = legal(board);
    *all.iter().rev().max_by_key(|&&m| worth(m)).expect("a move")
}

/// The player of zx81-chess-seed, but for legal moves only: the dearest capture.
pub fn one_ply(board: &Board) -> Move {
    best(board, |m| gain(board, m))
}

/// Plain two plies: own gain less the best answer's; mate is best, stalemate nothing.
pub fn two_ply(board: &Board) -> Move {
    best(board, |m| {
        let mut next = board.clone();
        next.play(m);
        match next.status() {
            GameStatus::Won => 1000,
            GameStatus::Drawn => 0,
            GameStatus::Ongoing => {
                let answers = legal(&next).into_iter().map(|a| gain(&next, a));
                gain(board, m) - answers.max().expect("one")
            }
        }
    })
}

/// Four plies from the start, by a number.
fn opening(number: u64) -> Board {
    let mut state = number.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    let mut board = Board::default();
    for _ in 0..4 {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        let all = legal(&board);
        board.play(all[(state >> 33) as usize % all.len()]);
    }
    board
}

/// The move that the program has chosen.
fn chosen(board: &Board, from: u64, to: u64) -> Move {
    let (from, to) = (square(from), square(to));
    let found = legal(board).into_iter().find(|&m| {
        m.from == from && target(board, m) == to && m.promotion.is_none_or(|p| p == Piece::Queen)
    });
    found.unwrap_or_else(|| panic!("{board}: {from}{to}"))
}

/// What the image answers, what it drew by lot, positions valued, and the T-states.
fn think(device: &mut Device, board: &Board) -> (Move, Vec<u8>, u16, u64) {
    device.set_position(board);
    device.entry(None);
    device.set("sp", 0x440C);
    device.set("pc", at("think"));
    device.set("hl", NODES.into());
    let (lot, thought, start) = (at("lot"), at("thought"), device.0.cycles());
    let mut lots = Vec::new();
    device.0.breakpoint(lot, true);
    device.0.breakpoint(thought, true);
    loop {
        match device.0.run(3 * MINUTE) {
            Stop::Breakpoint(place) if place == lot => {
                lots.push((device.get("af") >> 8 & 1) as u8);
            }
            Stop::Breakpoint(place) if place == thought => break,
            other => panic!("{board}: {other:?}"),
        }
    }
    device.0.breakpoint(lot, false);
    device.0.breakpoint(thought, false);
    let took = device.0.cycles() - start;
    let byte = |name: &str, n| u64::from(device.0.peek(at(name) + n));
    let nodes = (byte("nodes", 0) | byte("nodes", 1) << 8) as u16;
    let m = chosen(board, byte("move", 1), byte("move", 0));
    device.go(FAST);
    (m, lots, nodes, took)
}

/// Positions of games between random movers who like to take, with rules at the edge.
fn positions(dice: &mut Random, count: usize) -> Vec<Board> {
    let mut all = Vec::new();
    while all.len() < count {
        let mut board = Board::default();
        for _ in 0..dice.below(120) {
            if board.status() != GameStatus::Ongoing {
                break;
            }
            let moves = legal(&board);
            let taking = moves.iter().copied().filter(|&m| gain(&board, m) > 0);
            let taking: Vec<Move> = taking.collect();
            let some = if taking.is_empty() || dice.one_in(2) {
                &moves
            } else {
                &taking
            };
            board.play(dice.pick(some));
        }
        if board.status() == GameStatus::Ongoing {
            all.push(board);
        }
    }
    all
}

/// Both think about each position: the same move, after the same number of positions.
/// The longest thought and the sum, in T-states, and the sum of positions.
fn compare(count: usize, seed: u64) -> (u64, u64, u64) {
    let mut device = Device::fast();
    let mut model = Model::new();
    let (mut longest, mut sum, mut nodes) = (0, 0, 0);
    for board in positions(&mut Random(seed), count) {
        let (m, lots, valued, took) = think(&mut device, &board);
        model.set(&board);
        let mut lots = lots.into_iter();
        model.think(NODES, || lots.next().expect("as many moves"));
        assert_eq!(lots.next(), None, "{board}: as many moves");
        assert_eq!(model.nodes, valued, "{board}: as many positions");
        let (from, to) = model.best;
        assert_eq!(chosen(&board, from.into(), to.into()), m, "{board}");
        longest = longest.max(took);
        sum += took;
        nodes += u64::from(valued - NODES);
    }
    println!(
        "{count} positions: {:.1} s at most, {:.1} s and {} nodes each, {} T-states a node",
        longest as f64 / 3.25e6,
        sum as f64 / count as f64 / 3.25e6,
        nodes / count as u64,
        sum / nodes
    );
    device.stack_is_clear();
    (longest, sum, nodes)
}

/// Many men with long lines: the most that a thought may take.
#[test]
#[ignore = "slow"]
fn slow_a_thought_takes_less_than_a_minute() {
    let mut device = Device::fast();
    for fen in [
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
        "q2k2q1/2nqn2b/1n1P1n1b/2rnr2Q/1NQ1QN1Q/3Q3B/2RQR2B/Q2K2Q1 w - - 0 1",
        "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",
        // The longest of 800 games.
        "1nb1kBnr/3r4/8/p3pPpp/P1P2P2/6PP/2q1NK2/5B1R b k - 0 20",
        "2b1kb2/3nn3/p3Q1p1/1p3p2/1P1B1P1r/P3P2P/3KBq2/R6R w - - 2 24",
    ] {
        let board = fen.parse().expect("a position");
        let (m, lots, nodes, took) = think(&mut device, &board);
        let seconds = took as f64 / 3.25e6;
        println!(
            "{fen}: {m} of {}, {} nodes, {seconds:.1} s",
            lots.len(),
            nodes - NODES
        );
        assert!(took < MINUTE, "{fen}");
    }
}

#[test]
fn the_model_is_the_program() {
    compare(8, 1);
}

#[test]
#[ignore = "slow"]
fn slow_the_model_is_the_program() {
    assert!(compare(60, 2).0 < MINUTE);
}

#[test]
#[ignore = "nightly"]
fn nightly_the_model_is_the_program() {
    assert!(compare(1000, 3).0 < MINUTE);
}

/// Twice the score of the program in one game; its longest thought in positions, and where.
fn game(number: u64, own: Color, other: fn(&Board) -> Move) -> (u32, (u16, Board)) {
    let mut board = opening(number);
    let mut model = Model::new();
    let mut dice = Random(number << 1 | own as u64);
    let mut seen: HashMap<u64, u32> = HashMap::new();
    let mut most = (0, board.clone());
    for _ in 0..240 {
        match board.status() {
            GameStatus::Won if board.side_to_move() == own => return (0, most),
            GameStatus::Won => return (2, most),
            GameStatus::Drawn => return (1, most),
            GameStatus::Ongoing => {}
        }
        let times = seen.entry(board.hash()).or_default();
        *times += 1;
        if *times == 3 {
            return (1, most);
        }
        let m = if board.side_to_move() == own {
            model.set(&board);
            model.think(NODES, || dice.byte() & 1);
            if model.nodes - NODES > most.0 {
                most = (model.nodes - NODES, board.clone());
            }
            chosen(&board, model.best.0.into(), model.best.1.into())
        } else {
            other(&board)
        };
        board.play(m);
    }
    (1, most)
}

/// Plays `games` games, each opening with both colours, on all cores.
fn series(name: &str, games: u64, other: fn(&Board) -> Move) -> f64 {
    let next = AtomicU64::new(0);
    let total = Mutex::new((0, 0, (0, Board::default())));
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..cores {
            let (next, total) = (&next, &total);
            scope.spawn(move || {
                loop {
                    let n = next.fetch_add(1, Ordering::Relaxed);
                    if n >= games {
                        return;
                    }
                    let own = [Color::White, Color::Black][n as usize % 2];
                    let (twice, most) = game(n / 2, own, other);
                    let mut total = total.lock().expect("no other has failed");
                    total.0 += u32::from(twice == 2);
                    total.1 += u32::from(twice == 1);
                    if most.0 > total.2.0 {
                        total.2 = most;
                    }
                }
            });
        }
    });
    let (won, drawn, most) = total.into_inner().expect("none has failed");
    let (.., took) = think(&mut Device::fast(), &most.1);
    let all = games as f64;
    let score = (f64::from(won) + f64::from(drawn) / 2.0) / all;
    let square = (f64::from(won) + f64::from(drawn) / 4.0) / all - score * score;
    println!(
        "{name}: {won} won, {drawn} drawn of {games}: {score:.3} +- {:.3} (95 %), \
         {} positions for a move at most: {:.1} s of the device",
        1.96 * (square.max(0.0) / all).sqrt(),
        most.0,
        took as f64 / 3.25e6
    );
    assert!(took < MINUTE, "{}", most.1);
    score
}

fn games() -> u64 {
    std::env::var("SCRIMP_GAMES").map_or(400, |n| n.parse().expect("a number"))
}

#[test]
#[ignore = "nightly"]
fn nightly_beats_one_ply() {
    assert!(series("against one ply", games(), one_ply) >= 0.95);
}

#[test]
#[ignore = "nightly"]
fn nightly_beats_two_plies() {
    assert!(series("against two plies", games(), two_ply) >= 0.75);
}
