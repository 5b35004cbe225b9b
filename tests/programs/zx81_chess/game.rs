//! Games through the key matrix, with the display file read after each move.

use super::device::{Device, LETTERS, at, legal, target};
use super::moves::random;
use crate::common::random::Random;
use crate::common::tools::named;
use cozy_chess::{Board, Color, GameStatus, Move, Piece, Square};

/// The squares as the screen shows them, rank 8 first.
fn picture(board: &Board) -> String {
    let man = |s: Square| match board.piece_on(s).zip(board.color_on(s)) {
        None => '.',
        Some((piece, color)) => {
            let (_, code) = LETTERS.iter().find(|l| l.0 == piece).expect("it");
            let letter = char::from(b'A' + code - 0x26);
            if color == Color::White {
                letter
            } else {
                letter.to_ascii_lowercase()
            }
        }
    };
    let rank = |r: usize| (0..8).map(move |f| Square::ALL[8 * r + f]);
    (0..8).rev().flat_map(rank).map(man).collect()
}

/// The keys of a move; a promotion has a fifth.
fn keys(board: &Board, m: Move) -> Vec<String> {
    let squares = format!("{}{}", m.from, target(board, m)).to_uppercase();
    let piece = m.promotion.map(|p| match p {
        Piece::Knight => 'N',
        Piece::Bishop => 'B',
        Piece::Rook => 'R',
        _ => 'Q',
    });
    squares.chars().chain(piece).map(String::from).collect()
}

fn typed(device: &mut Device, board: &Board, m: Move) {
    let all = keys(board, m);
    device.keys(all.iter().map(String::as_str));
}

/// The mark that belongs to a position.
fn mark(board: &Board) -> char {
    match board.status() {
        GameStatus::Won => '*',
        GameStatus::Drawn if legal(board).is_empty() => 's',
        GameStatus::Drawn => '=',
        _ if !board.checkers().is_empty() => '+',
        _ => ' ',
    }
}

/// What the computer has played, by the screen.
fn answer(device: &Device, board: &Board) -> Board {
    let shown = device.shown();
    let mut found = legal(board).into_iter().filter_map(|m| {
        let mut next = board.clone();
        next.play(m);
        (picture(&next) == shown && m.promotion.is_none_or(|p| p == Piece::Queen)).then_some(next)
    });
    let next = found.next().unwrap_or_else(|| panic!("{board}: {shown}"));
    assert_eq!(device.differs(&next), None, "after {board}");
    let nodes = device.0.peek(at("nodes") + 1);
    assert!((0x40..0x70).contains(&nodes), "the count began at $40xx");
    next
}

/// Plays on with random moves of the player, special ones first; the number of moves.
fn play(device: &mut Device, mut board: Board, dice: &mut Random, moves: usize) -> usize {
    for n in 0..moves {
        let all = legal(&board);
        let special = all.iter().copied().filter(|&m| {
            let castling = board.color_on(m.to) == Some(board.side_to_move());
            castling || m.promotion.is_some()
        });
        let special: Vec<Move> = special.collect();
        let from = if special.is_empty() { &all } else { &special };
        let m = dice.pick(from);
        typed(device, &board, m);
        let mut next = board.clone();
        next.play(m);
        let goes_on = device.waits();
        device.stack_is_clear();
        assert!(
            device.line().starts_with(&keys(&board, m)[..4].concat()),
            "keys are shown"
        );
        if next.status() != GameStatus::Ongoing {
            assert!(!goes_on, "{next}");
            assert_eq!(device.shown(), picture(&next));
            assert!(device.line().ends_with(mark(&next)), "{next}");
            return n;
        }
        board = answer(device, &next);
        assert!(
            device.line().ends_with(mark(&board)),
            "{board}: {}",
            device.line()
        );
        assert_eq!(goes_on, board.status() == GameStatus::Ongoing, "{board}");
        if !goes_on {
            return n;
        }
    }
    moves
}

#[test]
fn a_game_by_keys_with_either_colour() {
    let mut dice = Random(64);
    let mut device = Device::new();
    assert_eq!(device.shown(), picture(&Board::default()));
    assert!(play(&mut device, Board::default(), &mut dice, 3) > 1);
    // NEWLINE gives White to the computer.
    let mut device = Device::new();
    device.keys(["NEWLINE"]);
    assert!(device.waits());
    let board = answer(&device, &Board::default());
    assert!(play(&mut device, board, &mut dice, 2) > 0);
}

/// From tape to the second answer.
fn from_tape(rom: Option<Vec<u8>>) {
    let mut device = Device::from_tape(rom);
    assert_eq!(device.shown(), picture(&Board::default()));
    let moves = play(&mut device, Board::default(), &mut Random(40), 2);
    assert_eq!(moves, 2);
}

#[test]
#[ignore = "slow"]
fn slow_it_loads_from_tape() {
    from_tape(None);
}

#[test]
fn it_plays_in_the_machines_own_rom() {
    let Some(file) = named("SCRIMP_ZX81_ROM") else {
        return;
    };
    from_tape(Some(std::fs::read(file).expect("the ROM")));
}

#[test]
#[ignore = "slow"]
fn slow_games_by_keys() {
    let mut dice = Random(1981);
    let mut moves = 0;
    for _ in 0..3 {
        moves += play(&mut Device::new(), Board::default(), &mut dice, 25);
    }
    assert!(moves > 20);
}

#[test]
#[ignore = "nightly"]
fn nightly_games_by_keys() {
    let mut dice = Random(2026);
    for _ in 0..30 {
        play(&mut Device::new(), Board::default(), &mut dice, 100);
    }
}

/// A machine that waits for a move in a position, with its mark; over: false.
fn standing(board: &Board) -> (Device, bool) {
    let mut device = Device::new();
    device.set_position(board);
    device.set("pc", at("main"));
    let waits = device.waits();
    (device, waits)
}

#[test]
fn check_mate_and_stalemate_are_told() {
    for (fen, wanted) in [
        ("4k3/8/8/8/8/8/4r3/4K3 w - - 0 1", '+'),
        (
            "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 0 1",
            '*',
        ),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", 's'),
        ("R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1", '*'),
        ("4k3/8/8/8/8/8/8/4K3 b - - 0 1", ' '),
        ("4k3/8/8/8/8/8/8/R3K3 w - - 99 90", ' '),
        ("4k3/8/8/8/8/8/8/R3K3 b - - 100 90", '='),
        ("R5k1/5ppp/8/8/8/8/8/4K3 b - - 100 90", '*'),
    ] {
        let board: Board = fen.parse().expect("a position");
        assert_eq!(mark(&board), wanted);
        let (device, waits) = standing(&board);
        assert!(device.line().ends_with(wanted), "{fen}: {}", device.line());
        assert_eq!(waits, wanted == '+' || wanted == ' ', "{fen}");
        device.stack_is_clear();
    }
}

#[test]
#[ignore = "slow"]
fn slow_marks_of_random_positions() {
    let mut dice = Random(7);
    for n in 0..60 {
        let board = random(&mut dice, 2 * n);
        let (device, waits) = standing(&board);
        assert!(device.line().ends_with(mark(&board)), "{board}");
        assert_eq!(waits, board.status() == GameStatus::Ongoing, "{board}");
    }
}

#[test]
fn fifty_moves_end_the_game_at_their_ply() {
    // The player's move is the 99th ply or the 100th.
    for (fen, plies) in [
        ("4k3/8/8/8/8/7p/8/R3K3 w - - 98 90", 2),
        ("4k3/8/8/8/8/7p/8/R3K3 w - - 99 90", 1),
        ("4k3/8/8/8/8/6pP/8/R3K3 w - - 97 90", 3),
    ] {
        let board: Board = fen.parse().expect("a position");
        let (mut device, _) = standing(&board);
        let m = "a1a2".parse().expect("a move");
        typed(&mut device, &board, m);
        let mut next = board.clone();
        next.play(m);
        let waits = device.waits();
        if plies > 1 {
            next = answer(&device, &next);
        }
        assert_eq!(next.status() == GameStatus::Ongoing, waits, "{next}");
        assert!(device.line().ends_with(mark(&next)), "{next}");
        assert_eq!(device.shown(), picture(&next));
    }
}

#[test]
fn a_promotion_asks_for_the_piece_and_ends_at_its_ply() {
    // As a rook or a queen it mates, as a knight or a bishop not.
    let board: Board = "7k/P7/6K1/8/8/8/8/8 w - - 0 1".parse().expect("a position");
    for m in legal(&board).into_iter().filter(|m| m.promotion.is_some()) {
        let (mut device, _) = standing(&board);
        // P and K are no choice, nor is a digit.
        device.keys(["A", "7", "A", "8", "P", "K", "1"]);
        assert!(device.waits(), "it still asks");
        let letter = keys(&board, m).pop().expect("the fifth key");
        device.keys([letter.as_str()]);
        let mut next = board.clone();
        next.play(m);
        let waits = device.waits();
        if legal(&next).is_empty() {
            assert!(!waits && device.line().ends_with('*'), "{next}");
            assert_eq!(device.shown(), picture(&next));
        } else {
            answer(&device, &next);
        }
    }
}

#[test]
fn illegal_entries_are_dropped() {
    let board = Board::default();
    // Two squares that no man goes between, a man of the other side, a pinned border.
    for entry in ["E2E5", "E7E5", "A1A2", "E1G1", "E3E4", "H1H1"] {
        let mut device = Device::new();
        device.keys(entry.split("").filter(|k| !k.is_empty()));
        assert!(device.waits(), "{entry}");
        assert_eq!(device.shown(), picture(&board), "{entry}");
        assert_eq!(device.differs(&board), None, "{entry}");
    }
    // Other keys are passed over.
    let mut device = Device::new();
    device.keys(["I", "9", "E", "E", "2", "0", "E", "Z", "4"]);
    assert!(device.waits());
    let mut next = board.clone();
    next.play("e2e4".parse().expect("a move"));
    answer(&device, &next);
}
