//! All moves that the rules of movement allow, legal or not, by the library of chess.

use super::machine::Machine;
use super::rules::page;
use cozy_chess::{
    BitBoard, Board, Color, File, Move, Piece, Rank, Square, get_bishop_moves, get_king_moves,
    get_knight_moves, get_pawn_attacks, get_pawn_quiets, get_rook_moves,
};

/// A move as the program is given it, and as the library is.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    pub from: u8,
    pub to: u8,
    pub flag: u8,
    pub its: Move,
}

/// Moves of the side to move, also those that leave the king to be taken.
pub fn pseudo_legal(board: &Board) -> Vec<Step> {
    let mut out = vec![];
    let side = board.side_to_move();
    let (own, all) = (board.colors(side), board.occupied());
    let mut add = |from: Square, to: Square, flag, its| {
        let (from, to) = (page(from), page(to));
        out.push(Step {
            from,
            to,
            flag,
            its,
        });
    };
    let plain = |from, to| Move {
        from,
        to,
        promotion: None,
    };
    for from in own {
        let piece = board.piece_on(from).expect("a piece");
        let targets = match piece {
            Piece::Pawn => BitBoard::EMPTY,
            Piece::Knight => get_knight_moves(from),
            Piece::Bishop => get_bishop_moves(from, all),
            Piece::Rook => get_rook_moves(from, all),
            Piece::Queen => get_rook_moves(from, all) | get_bishop_moves(from, all),
            Piece::King => get_king_moves(from),
        };
        for to in targets & !own {
            add(from, to, 0, plain(from, to));
        }
        if piece != Piece::Pawn {
            continue;
        }
        let passing = board.en_passant().map(|file| {
            let rank = Rank::Sixth.relative_to(side);
            Square::new(file, rank)
        });
        let takes = get_pawn_attacks(from, side);
        for to in get_pawn_quiets(from, side, all) | (takes & board.colors(!side)) {
            let mut its = plain(from, to);
            if to.rank() == Rank::Eighth.relative_to(side) {
                for (kind, piece) in [
                    (2, Piece::Knight),
                    (3, Piece::Bishop),
                    (4, Piece::Rook),
                    (5, Piece::Queen),
                ] {
                    its.promotion = Some(piece);
                    add(from, to, 0x10 + kind, its);
                }
            } else {
                let double = (to as u8).abs_diff(from as u8) == 16;
                add(from, to, u8::from(double), its);
            }
        }
        for to in takes & passing.map_or(BitBoard::EMPTY, Square::bitboard) {
            add(from, to, 2, plain(from, to));
        }
    }
    // Castling: with the right, nothing between, and not out of check.
    let rank = Rank::First.relative_to(side);
    let king = board.king(side);
    let rights = board.castle_rights(side);
    let between = |files: &[File]| {
        let on = |&f: &File| all.has(Square::new(f, rank));
        !files.iter().any(on)
    };
    if board.checkers().is_empty() {
        if rights.short.is_some() && between(&[File::F, File::G]) {
            let its = plain(king, Square::new(File::H, rank));
            add(king, Square::new(File::G, rank), 3, its);
        }
        if rights.long.is_some() && between(&[File::B, File::C, File::D]) {
            let its = plain(king, Square::new(File::A, rank));
            add(king, Square::new(File::C, rank), 3, its);
        }
    }
    out
}

/// How the machine's board differs from the library's, in words.
pub fn differences(m: &Machine, board: &Board) -> Vec<String> {
    let mut out = vec![];
    for square in Square::ALL {
        let want = match (board.piece_on(square), board.color_on(square)) {
            (Some(piece), Some(color)) => (piece as u8 + 1, color as u8),
            _ => (0, 0),
        };
        let found = match m.at(page(square), "board") {
            0 => (0, 0),
            piece => (m.at(piece, "kind"), piece & 1),
        };
        if found != want {
            out.push(format!("{square}: {found:?}, not {want:?}"));
        }
    }
    let mut rights = 0;
    for (color, shift) in [(Color::White, 0), (Color::Black, 2)] {
        let its = board.castle_rights(color);
        rights |= u8::from(its.short.is_some()) << shift;
        rights |= u8::from(its.long.is_some()) << (shift + 1);
    }
    if m.cell("rights") != rights {
        out.push(format!("rights {:X}, not {rights:X}", m.cell("rights")));
    }
    if m.cell("side") != board.side_to_move() as u8 {
        out.push("the wrong side".into());
    }
    out
}
