//! The same chess with HORNE defined: the rules of the 1K chess of 1982, that is without
//! castling, en passant, promotion and fifty moves, in fewer bytes than that one has.

// The machine once more, with another build in it, of which not all is asked.
#[allow(dead_code, clippy::duplicate_mod)]
#[path = "../zx81_chess/device.rs"]
mod device;

use crate::common::random::Random;
use cozy_chess::{Board, Color, Piece, Square};
use device::{CHESS, Device, LETTERS, address, at, code, legal};

/// What the build defines.
const DEFINES: &[&str] = &["HORNE"];

/// Bytes of code and tables, and of the tape file, of David Horne's program.
const CODE: u64 = 673;
const FILE: usize = 941;

/// The position without rights to castle and en passant.
fn bare(board: &Board) -> Board {
    let fen = board.to_string();
    let parts: Vec<&str> = fen.split(' ').collect();
    let bare = format!("{} {} - - 0 1", parts[0], parts[1]);
    bare.parse().expect("a position")
}

fn pairs(board: &Board) -> Vec<(Square, Square)> {
    let mut all: Vec<_> = legal(board).iter().map(|m| (m.from, m.to)).collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// Plays some random moves that do not promote.
fn random(dice: &mut Random, plies: usize) -> Board {
    let mut board = bare(&Board::default());
    for _ in 0..plies {
        let all = legal(&board);
        let all: Vec<_> = all.into_iter().filter(|m| m.promotion.is_none()).collect();
        if all.is_empty() {
            break;
        }
        board.play(dice.pick(&all));
        board = bare(&board);
    }
    board
}

/// Lines of `depth` plies: each set of moves, and the squares after each move.
fn lines(device: &mut Device, board: &Board, depth: u32) -> usize {
    let all = pairs(board);
    assert_eq!(device.moves(), all, "{board}");
    if depth == 1 {
        return all.len();
    }
    let mut sum = 0;
    for m in legal(board) {
        if m.promotion.is_some_and(|p| p != Piece::Queen) {
            continue;
        }
        let mut child = device.clone();
        assert!(child.play(m.from, m.to), "{board}: {m}");
        let mut next = board.clone();
        next.play(m);
        if m.promotion.is_some() {
            // The pawn stays one, and stands there.
            let pawn = code(Piece::Pawn, board.side_to_move());
            assert_eq!(child.0.peek(address(m.to)), pawn, "{board}: {m}");
            continue;
        }
        let next = bare(&next);
        assert_eq!(child.differs(&next), None, "{board}: {m}");
        sum += lines(&mut child, &next, depth - 1);
    }
    sum
}

#[test]
fn it_has_fewer_bytes_than_the_program_of_1982() {
    let end = 0x4009 + CHESS.file.len() as u64;
    let board = at("find") - at("dfile");
    let variables = 4;
    let own = end - at("steps") - board + variables;
    println!(
        "{own} bytes of code and tables, {} in the file",
        CHESS.file.len()
    );
    assert!(own < CODE, "{own}");
    assert!(CHESS.file.len() < FILE, "{}", CHESS.file.len());
}

#[test]
fn its_moves_are_those_of_its_rules() {
    let mut device = Device::fast();
    device.set_position(&Board::default());
    assert_eq!(lines(&mut device, &bare(&Board::default()), 2), 400);
    let mut dice = Random(1982);
    for n in 0..6 {
        let board = random(&mut dice, 12 * n);
        device.set_position(&board);
        lines(&mut device, &board, 1);
    }
}

#[test]
#[ignore = "slow"]
fn slow_its_moves_are_those_of_its_rules() {
    let mut device = Device::fast();
    device.set_position(&Board::default());
    assert_eq!(lines(&mut device, &bare(&Board::default()), 3), 8902);
    let mut dice = Random(1983);
    for n in 0..40 {
        let board = random(&mut dice, 3 * n);
        device.set_position(&board);
        lines(&mut device, &board, 2);
    }
}

#[test]
fn only_legal_pairs_are_taken() {
    let board = random(&mut Random(672), 30);
    let mut device = Device::fast();
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
}

/// The men as the screen shows them.
fn picture(board: &Board) -> String {
    let rank = |r: usize| (0..8).map(move |f| Square::ALL[8 * r + f]);
    let man = |s: Square| match board.piece_on(s).zip(board.color_on(s)) {
        None => '.',
        Some((piece, color)) => {
            let (_, code) = LETTERS.iter().find(|l| l.0 == piece).expect("it");
            let letter = char::from(b'A' + code - 0x26);
            match color {
                Color::White => letter,
                Color::Black => letter.to_ascii_lowercase(),
            }
        }
    };
    (0..8).rev().flat_map(rank).map(man).collect()
}

#[test]
fn it_plays_by_keys() {
    let mut device = Device::new();
    let mut board = bare(&Board::default());
    let mut dice = Random(1984);
    for _ in 0..4 {
        let all = legal(&board);
        let m = dice.pick(&all);
        let keys: Vec<String> = format!("{m}")
            .to_uppercase()
            .chars()
            .map(String::from)
            .collect();
        device.keys(keys.iter().map(String::as_str));
        assert!(device.waits());
        board.play(m);
        board = bare(&board);
        let shown = device.shown();
        let next = legal(&board).into_iter().find_map(|m| {
            let mut next = board.clone();
            next.play(m);
            (picture(&next) == shown).then(|| bare(&next))
        });
        board = next.unwrap_or_else(|| panic!("{board}: {shown}"));
        device.stack_is_clear();
    }
}

#[test]
fn mate_and_stalemate_end_it() {
    for (fen, wanted) in [
        ("R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1", '*'),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", 's'),
    ] {
        let mut device = Device::new();
        device.set_position(&fen.parse().expect("a position"));
        device.set("pc", at("main"));
        assert!(!device.waits(), "{fen}");
        assert!(device.line().ends_with(wanted), "{fen}: {}", device.line());
    }
}
