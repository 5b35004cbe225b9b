//! The chess opponent: what it sees, how long it thinks, how strong it is.

use super::Random;
use super::device::{BLACK, Device, FLOOR, MFROM, MTO, OPTIONS, PREY, TOP, U};
use super::rules::{Game, back, drawn, moves, set_up, target};
use cozy_chess::{Board, Color, Move, Piece, Square};
use scrimp_isa::Simulation;

/// Clocks of a minute.
const MINUTE: u64 = 60 * 8_000_000;

/// The machine's move in a position, and the clocks that it took.
fn think(device: &mut Device, board: &Board) -> (Move, u64) {
    set_up(device, board);
    let begin = device.0.cycles();
    device.go("think", "play", 2 * MINUTE);
    let (from, to) = (back(device.register(MFROM)), back(device.register(MTO)));
    let is = |m: &&Move| {
        m.from == from && target(board, **m) == to && m.promotion.is_none_or(|p| p == Piece::Queen)
    };
    let all = moves(board);
    let found = all.iter().find(is);
    let m = *found.unwrap_or_else(|| panic!("{from}{to} is not legal in {board}"));
    (m, device.0.cycles() - begin)
}

#[test]
fn it_sees_what_two_plies_and_captures_show() {
    let mut device = Device::game('2', '1');
    for (fen, want) in [
        // A mate, for either colour.
        ("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", "a1a8"),
        ("r5k1/8/8/8/8/8/5PPP/6K1 b - - 0 1", "a8a1"),
        // A queen for nothing; not a pawn that is guarded.
        ("4k3/8/8/3q4/8/4N3/8/4K3 w - - 0 1", "e3d5"),
        ("4k3/3p4/4p3/8/2n5/8/3Q4/4K3 b - - 0 1", "c4d2"),
        // A pawn becomes a queen.
        ("8/P7/2k5/8/8/8/8/K7 w - - 0 1", "a7a8"),
        // Nothing helps, but a move it must be.
        ("k7/8/1K6/8/8/8/8/1R3R2 b - - 0 1", "a8b8"),
        ("7k/8/8/8/8/8/5PPq/3rr1QK w - - 0 1", "h1h2"),
    ] {
        let board: Board = fen.parse().expect("a position");
        let (m, _) = think(&mut device, &board);
        assert_eq!(format!("{}{}", m.from, m.to), want, "{fen}");
    }
    // Not one that is guarded.
    let fen = "4k3/3p4/4p3/8/8/8/4Q3/4K3 w - - 0 1";
    let board: Board = fen.parse().expect("a position");
    let (m, _) = think(&mut device, &board);
    assert_ne!(m.to, Square::E6);
}

/// Calls `root`: the value of a position so many plies and captures deep.
fn value(device: &mut Device, board: &Board, plies: u8, prey: u8) -> i8 {
    set_up(device, board);
    device.set(TOP, plies - 1);
    device.set(FLOOR, (-4i8).cast_unsigned());
    device.set(PREY, prey);
    device.call("root", None, |_| ());
    device.register(U).cast_signed()
}

#[test]
fn a_stalemate_to_come_is_no_mate() {
    let mut device = Device::game('2', '1');
    // Qg3+, and wherever the king goes, Kf3 is stalemate; there is no mate in two.
    let board = "8/8/8/8/6K1/7Q/8/6k1 w - - 0 1".parse().expect("it");
    for plies in [2, 4] {
        let value = value(&mut device, &board, plies, BLACK);
        assert!((15..36).contains(&value), "{value} with {plies} plies");
    }
    // Here is one: Qf8.
    let board = "7k/8/6K1/8/8/8/8/5Q2 w - - 0 1".parse().expect("it");
    let value = value(&mut device, &board, 2, BLACK);
    assert!(value >= 36, "{value} is a mate");
}

#[test]
fn it_plays_at_the_board() {
    let mut device = Device::new();
    device.key('2');
    device.tap('3', MINUTE);
    device.text();
    let mut game = Game::new(Board::default());
    for (from, to, keys) in [
        (Square::E2, Square::E4, "2444"),
        (Square::D2, Square::D4, "2545"),
    ] {
        let m = Move {
            from,
            to,
            promotion: None,
        };
        let (keys, last) = keys.split_at(3);
        device.keys(keys);
        device.tap(last.chars().next().expect("a key"), MINUTE);
        game.play(m);
        let text = device.text();
        assert!(text.contains(&drawn(&game.board)), "{text}");
        let answers = moves(&game.board).into_iter().filter(|&a| {
            let mut next = game.clone();
            next.play(a);
            text.ends_with(&format!(
                "{}{}",
                drawn(&next.board),
                &text[text.len() - 11..]
            ))
        });
        let answers: Vec<_> = answers.collect();
        assert_eq!(answers.len(), 1, "{text}");
        game.play(answers[0]);
    }
    // White, too: it begins.
    let mut device = Device::new();
    device.key('2');
    device.tap('2', MINUTE);
    assert!(device.text().ends_with("b4:58 5:00 ") || device.register(OPTIONS) == 1);
}

/// The seed's player: the dearest capture, or the first move.
fn capture(board: &Board) -> Move {
    let price = |m: &Move| match board.piece_on(m.to) {
        _ if board.piece_on(m.from) == Some(Piece::King)
            && board.color_on(m.to) == Some(board.side_to_move()) =>
        {
            1
        }
        Some(Piece::Queen) => 9,
        Some(Piece::Rook) => 5,
        Some(Piece::Knight | Piece::Bishop) => 3,
        _ => 1,
    };
    let mut all = moves(board);
    all.sort_by_key(|m| (m.from, m.to, m.promotion != Some(Piece::Queen)));
    let best = all.iter().map(price).max().expect("a move");
    *all.iter().find(|m| price(m) == best).expect("it")
}

#[test]
#[ignore = "nightly"]
fn nightly_it_beats_the_player_that_only_captures() {
    let mut device = Device::game('2', '1');
    let (mut half_points, mut count, mut slowest, mut deepest) = (0, 0, 0, 0);
    for number in 0..100 {
        let mut random = Random::new(1 + number / 2);
        let mut game = Game::new(Board::default());
        for _ in 0..4 {
            game.play(random.pick(&moves(&game.board)));
        }
        let machine = if number % 2 == 0 {
            Color::White
        } else {
            Color::Black
        };
        let mut plies = 0;
        while !game.over() && plies < 300 {
            plies += 1;
            let m = if game.board.side_to_move() == machine {
                let (m, clocks) = think(&mut device, &game.board);
                slowest = slowest.max(clocks);
                deepest = deepest.max(device.register(TOP));
                m
            } else {
                capture(&game.board)
            };
            game.play(m);
        }
        count += 1;
        half_points += match game.ending() {
            "+w wins" if machine == Color::White => 2,
            "+b wins" if machine == Color::Black => 2,
            "+w wins" | "+b wins" => 0,
            _ => 1,
        };
        println!("{half_points} half points of {count} games");
    }
    println!(
        "slowest move {} s, deepest {deepest}, lowest stack {:X}",
        slowest / 8_000_000,
        device.0.lowest_stack()
    );
    assert!(half_points >= 180, "{half_points} of 200");
}
