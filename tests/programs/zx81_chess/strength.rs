//! Matches of the shipped image against two players of the host.

use super::device::{CDFLAG, Device, FAST, MINUTE, address, at, code, legal, square, target};
use cozy_chess::{Board, Color, GameStatus, Move, Piece};
use std::collections::HashMap;

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

/// What the image answers, and the T-states of its thinking.
fn think(device: &mut Device, board: &Board) -> (Move, u64) {
    device.set("sp", 0x4400);
    device.set("pc", at("think"));
    device.entry(None);
    let start = device.0.cycles();
    // SLOW comes back when the move is chosen; a breakpoint would cost time before.
    while device.0.peek(CDFLAG) & 0x40 == 0 {
        device.0.run(20_000);
        assert!(device.0.cycles() - start < 4 * MINUTE, "{board}");
    }
    let took = device.0.cycles() - start;
    device.until("main", MINUTE);
    device.go(FAST);
    let from = square(u64::from(device.0.peek(at("move") + 1)));
    let to = square(u64::from(device.0.peek(at("move"))));
    let found = legal(board).into_iter().find(|&m| {
        m.from == from && target(board, m) == to && m.promotion.is_none_or(|p| p == Piece::Queen)
    });
    (found.unwrap_or_else(|| panic!("{board}: {from}{to}")), took)
}

/// Twice the score of the image in one game, and its longest thought.
fn game(fresh: &Device, number: u64, own: Color, other: fn(&Board) -> Move) -> (u32, u64) {
    let mut board = opening(number);
    let mut device = fresh.clone();
    device.set_position(&board);
    let mut seen: HashMap<u64, u32> = HashMap::new();
    let mut longest = 0;
    for _ in 0..240 {
        match board.status() {
            GameStatus::Won if board.side_to_move() == own => return (0, longest),
            GameStatus::Won => return (2, longest),
            GameStatus::Drawn => return (1, longest),
            GameStatus::Ongoing => {}
        }
        let times = seen.entry(board.hash()).or_default();
        *times += 1;
        if *times == 3 {
            return (1, longest);
        }
        let m = if board.side_to_move() == own {
            let (m, took) = think(&mut device, &board);
            longest = longest.max(took);
            m
        } else {
            let m = other(&board);
            let to = target(&board, m);
            assert!(device.play(m.from, to), "{board}: {m}");
            if let Some(piece) = m.promotion {
                device
                    .0
                    .poke(address(to), code(piece, board.side_to_move()));
            }
            m
        };
        board.play(m);
        assert_eq!(device.differs(&board), None, "{board}: {m}");
    }
    (1, longest)
}

/// Plays `games` games, each opening with both colours.
fn series(name: &str, games: u64, other: fn(&Board) -> Move) -> f64 {
    let fresh = Device::fast();
    let (mut won, mut drawn, mut longest) = (0, 0, 0);
    for n in 0..games {
        let own = if n % 2 == 0 {
            Color::White
        } else {
            Color::Black
        };
        let (twice, took) = game(&fresh, n / 2, own, other);
        won += u32::from(twice == 2);
        drawn += u32::from(twice == 1);
        longest = longest.max(took);
    }
    let all = games as f64;
    let score = (f64::from(won) + f64::from(drawn) / 2.0) / all;
    let square = (f64::from(won) + f64::from(drawn) / 4.0) / all - score * score;
    println!(
        "{name}: {won} won, {drawn} drawn of {games}: {score:.3} +- {:.3} (95 %), \
         longest {:.1} s",
        1.96 * (square.max(0.0) / all).sqrt(),
        longest as f64 / 3.25e6
    );
    assert!(longest < MINUTE, "a move took more than a minute");
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
