//! What the rules say, by a library of chess rules, and how the program writes moves.

use super::machine::name;
use cozy_chess::{Board, Move, Piece, Square};

/// Values of `f_flag`.
pub const DOUBLE: u8 = 1;
pub const PASSING: u8 = 2;
pub const CASTLE: u8 = 3;
pub const PROMOTE: u8 = 0x10;

/// A move as it stands in a frame: from, to, flag.
pub type Written = (u8, u8, u8);

/// The page of a square.
pub fn page(s: Square) -> u8 {
    0x1d + 10 * s.rank() as u8 + s.file() as u8
}

/// The library's square.
fn back(page: u8) -> Square {
    name(page).parse().expect("a square")
}

/// All legal moves.
pub fn moves(board: &Board) -> Vec<Move> {
    let mut all = Vec::new();
    board.generate_moves(|some| {
        all.extend(some);
        false
    });
    all
}

/// A legal move as the program writes it.
pub fn written(board: &Board, m: Move) -> Written {
    let (from, to) = (page(m.from), page(m.to));
    let own = board.colors(board.side_to_move());
    match board.piece_on(m.from) {
        // The library's king takes his own rook.
        Some(Piece::King) if own.has(m.to) && to > from => (from, from + 2, CASTLE),
        Some(Piece::King) if own.has(m.to) => (from, from - 2, CASTLE),
        Some(Piece::Pawn) => {
            let kind = m.promotion.map(|p| PROMOTE + p as u8 + 1);
            let captures = m.from.file() != m.to.file();
            let empty = board.piece_on(m.to).is_none();
            let flag = match kind {
                Some(flag) => flag,
                None if captures && empty => PASSING,
                None if from.abs_diff(to) == 20 => DOUBLE,
                None => 0,
            };
            (from, to, flag)
        }
        _ => (from, to, 0),
    }
}

/// The library's move, legal or not.
pub fn read(m: Written) -> Move {
    let kinds = [Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen];
    let to = match m.2 {
        CASTLE if m.1 > m.0 => m.0 + 3,
        CASTLE => m.0 - 4,
        _ => m.1,
    };
    Move {
        from: back(m.0),
        to: back(to),
        promotion: (m.2 >= PROMOTE).then(|| kinds[usize::from(m.2 - PROMOTE - 2)]),
    }
}

/// Positions of random games, each with the clock of its game; the same each time.
pub fn games(seed: u64, count: usize, plies: usize) -> Vec<Board> {
    let mut state = seed;
    let mut out = Vec::new();
    for _ in 0..count {
        let mut board = Board::default();
        for _ in 0..plies {
            let all = moves(&board);
            if all.is_empty() {
                break;
            }
            state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
            board.play(all[(state >> 33) as usize % all.len()]);
            out.push(board.clone());
        }
    }
    out
}
