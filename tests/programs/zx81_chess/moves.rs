//! Moves of the shipped image, by calling its routines: numbers of positions, sets
//! of moves, all pairs of squares.

use super::device::{Device, MINUTE, address, at, code, legal, square, target};
use crate::common::random::Random;
use cozy_chess::{Board, Piece, Square};
use scrimp_isa::machine::Stop;

/// Name, position, and how many games of so many plies there are.
const PERFT: &str = include_str!("../ee476/perft.txt");

pub fn positions() -> impl Iterator<Item = (&'static str, Board, Vec<u64>)> {
    PERFT.lines().filter(|l| !l.starts_with('#')).map(|line| {
        let [name, fen, counts] = line.split(';').collect::<Vec<_>>()[..] else {
            panic!("{line}");
        };
        let counts = counts.split_whitespace();
        (
            name,
            fen.parse().expect("a position"),
            counts.map(|n| n.parse().expect("a number")).collect(),
        )
    })
}

/// From and to of all legal moves, each pair once, sorted.
fn pairs(board: &Board) -> Vec<(Square, Square)> {
    let pair = |m: cozy_chess::Move| (m.from, target(board, m));
    let mut all: Vec<_> = legal(board).into_iter().map(pair).collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// Lines of `depth` plies by the image's own moves: each set of moves and each position
/// after a move is compared.
fn perft(device: &mut Device, board: &Board, depth: u32) -> u64 {
    assert_eq!(device.moves(), pairs(board), "{board}");
    if depth == 1 {
        return legal(board).len() as u64;
    }
    let mut sum = 0;
    for m in legal(board) {
        let to = target(board, m);
        let mut child = device.clone();
        assert!(child.play(m.from, to), "{board}: {m}");
        if let Some(piece) = m.promotion {
            child.0.poke(address(to), code(piece, board.side_to_move()));
        }
        let mut next = board.clone();
        next.play(m);
        assert_eq!(child.differs(&next), None, "{board}: {m}");
        sum += perft(&mut child, &next, depth - 1);
    }
    sum
}

fn counted(depth: usize, most: u64) {
    let mut device = Device::fast();
    for (name, board, counts) in positions() {
        device.set_position(&board);
        for (n, &count) in counts.iter().enumerate().take(depth) {
            if count <= most {
                assert_eq!(perft(&mut device, &board, n as u32 + 1), count, "{name}");
            }
        }
    }
    device.stack_is_clear();
}

#[test]
fn the_moves_are_those_of_the_rules() {
    counted(2, 300);
}

#[test]
#[ignore = "slow"]
fn slow_the_moves_are_those_of_the_rules() {
    counted(3, 3_000);
}

#[test]
#[ignore = "nightly"]
fn nightly_the_moves_are_those_of_the_rules() {
    counted(3, u64::MAX);
}

/// The position after some random moves.
pub fn random(dice: &mut Random, plies: usize) -> Board {
    let mut board = Board::default();
    for _ in 0..plies {
        let all = legal(&board);
        if all.is_empty() {
            break;
        }
        board.play(dice.pick(&all));
    }
    board
}

/// Offers all pairs of squares to the routine that decides what the player may do.
fn every_pair(boards: impl Iterator<Item = Board>) {
    let fresh = Device::fast();
    for board in boards {
        let mut device = fresh.clone();
        device.set_position(&board);
        let start = device.clone();
        let allowed = pairs(&board);
        for from in Square::ALL {
            for to in Square::ALL {
                let taken = device.play(from, to);
                assert_eq!(taken, allowed.contains(&(from, to)), "{board}: {from}{to}");
                if taken {
                    device = start.clone();
                }
            }
        }
        // Refused entries have changed nothing.
        assert_eq!(device.differs(&board), None, "{board}");
    }
}

#[test]
fn only_legal_pairs_are_taken() {
    every_pair(positions().map(|p| p.1).skip(1).take(1));
}

#[test]
#[ignore = "slow"]
fn slow_only_legal_pairs_are_taken() {
    every_pair(positions().map(|p| p.1));
}

#[test]
#[ignore = "nightly"]
fn nightly_only_legal_pairs_are_taken() {
    let mut dice = Random(1983);
    every_pair((0..120).map(|n| random(&mut dice, n)));
}

/// The answers that the computer looks at in its thought, for each of its moves: rights
/// to castle and en passant are those after the move.
fn answers(board: &Board) {
    let mut device = Device::fast();
    device.set_position(board);
    device.entry(None);
    device.set("sp", 0x440C);
    device.set("hl", 0x4000);
    device.set("pc", at("think"));
    let stops = ["make", "legal", "thought"].map(at);
    stops.iter().for_each(|&p| device.0.breakpoint(p, true));
    let (mut own, mut all) = (None, Vec::new());
    let mut compared = 0;
    loop {
        let Stop::Breakpoint(place) = device.0.run(MINUTE) else {
            panic!("{board}: it does not end");
        };
        if place == stops[2] {
            break;
        }
        let pair = (square(device.get("de")), square(device.get("hl")));
        match (device.0.peek(at("depth")), place == stops[0]) {
            (4, true) => {
                // No move is passed over, and time is not up.
                device.set("de'", 0x00FF);
                device.0.poke(at("nodes") + 1, 0x40);
                own = Some(pair);
                all.clear();
            }
            (4, false) => {
                assert_eq!(own, Some(pair), "{board}");
                let (from, to) = pair;
                let m = legal(board).into_iter().find(|&m| {
                    let queen = m.promotion.is_none_or(|p| p == Piece::Queen);
                    m.from == from && target(board, m) == to && queen
                });
                let m = m.unwrap_or_else(|| panic!("{board}: {from}{to}"));
                all.sort_unstable();
                let mut next = board.clone();
                next.play(m);
                assert_eq!(all, pairs(&next), "{board}: after {m}");
                compared += 1;
            }
            (3, true) => device.set("de'", 0x00FF),
            (3, false) => all.push(pair),
            _ => {}
        }
    }
    assert_eq!(compared, pairs(board).len(), "{board}");
    assert_eq!(device.differs(board), None, "{board}: all is taken back");
}

#[test]
fn answers_in_the_search_are_those_of_the_rules() {
    // The rook on H8 can be taken; two pawns may go past others; white castles.
    for fen in [
        "r3k2r/8/8/8/8/8/7P/4K2R w Kkq - 0 1",
        "r3k2r/8/6N1/8/8/8/8/4K3 w kq - 0 1",
        "4k3/8/8/8/1p3p2/8/P3P3/4K3 w - - 0 1",
    ] {
        answers(&fen.parse().expect("a position"));
    }
}

/// Time is up while the computer tries a move, so that one ends its thought.
#[test]
fn the_last_move_of_a_thought_is_taken_back() {
    let board: Board = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"
        .parse()
        .expect("a position");
    for to in [Square::C1, Square::D1, Square::G1, Square::H8] {
        let mut device = Device::fast();
        device.set_position(&board);
        device.entry(None);
        device.set("sp", 0x440C);
        device.set("hl", 0x4000);
        device.set("pc", at("think"));
        let stops = ["make", "thought"].map(at);
        stops.iter().for_each(|&p| device.0.breakpoint(p, true));
        let (mut ends, mut more) = (false, 0);
        while let Stop::Breakpoint(place) = device.0.run(MINUTE) {
            if place == stops[1] {
                break;
            }
            if device.0.peek(at("depth")) == 4 {
                more += u32::from(ends);
                if square(device.get("hl")) == to {
                    ends = true;
                    device.0.poke(at("nodes") + 1, at("LATE") as u8);
                }
            }
        }
        // Castling is tried with the king's step.
        let step = u32::from(to == Square::D1);
        assert!(ends && more == step, "{to}: {more} more");
        assert_eq!(device.differs(&board), None, "{to}");
    }
}

#[test]
#[ignore = "slow"]
fn slow_answers_in_the_search_are_those_of_the_rules() {
    let mut dice = Random(1951);
    for n in 1..4 {
        answers(&random(&mut dice, 7 * n));
    }
}

#[test]
#[ignore = "nightly"]
fn nightly_answers_in_the_search_are_those_of_the_rules() {
    for (_, board, _) in positions() {
        answers(&board);
    }
}
