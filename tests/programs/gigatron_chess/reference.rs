//! The search told again, plainly: the same worth of pieces, the same leaves, without
//! killers, futility or an order that matters.

use super::machine::Machine;
use super::rules::{moves, page};
use cozy_chess::{Board, Color, Move, Piece, Square};
use cozy_chess::{
    get_bishop_moves, get_king_moves, get_knight_moves, get_pawn_attacks, get_rook_moves,
};

/// Worse than every score.
pub const WORST: i32 = -62 * 128;
/// The side to move has a draw.
const DRAW: i32 = -128 + 63;
/// The side to move is mated; the page of the frame is added.
const MATED: i32 = -60 * 128;
/// Page of the root's frame, and of the last.
const ROOT: i32 = 0x08;
const LAST: i32 = 0x27;

/// The same score as the other side sees it: the complement of both bytes.
pub fn turned(score: i32) -> i32 {
    -score - 129
}

/// Whether a legal move is one of the generator's captures.
pub fn captures(board: &Board, mv: Move) -> bool {
    let passing = || {
        board.piece_on(mv.from) == Some(Piece::Pawn)
            && mv.from.file() != mv.to.file()
            && board.color_on(mv.to).is_none()
    };
    board.color_on(mv.to) == Some(!board.side_to_move()) || passing()
}

/// Whether quiescence leaves a capture out: a guarded piece of a lower kind.
fn loses(board: &Board, mv: Move) -> bool {
    let (Some(taker), Some(victim)) = (board.piece_on(mv.from), board.piece_on(mv.to)) else {
        return false;
    };
    let (all, to) = (board.occupied(), mv.to);
    let straight = board.pieces(Piece::Rook) | board.pieces(Piece::Queen);
    let slanted = board.pieces(Piece::Bishop) | board.pieces(Piece::Queen);
    let guards = (get_rook_moves(to, all) & straight)
        | (get_bishop_moves(to, all) & slanted)
        | (get_knight_moves(to) & board.pieces(Piece::Knight))
        | (get_king_moves(to) & board.pieces(Piece::King))
        | (get_pawn_attacks(to, board.side_to_move()) & board.pieces(Piece::Pawn));
    taker > victim && !(guards & board.colors(!board.side_to_move())).is_empty()
}

/// Whether a pawn becomes something less than a queen, which is not looked at near the end.
fn humble(mv: Move) -> bool {
    mv.promotion.is_some_and(|kind| kind != Piece::Queen)
}

/// What the pieces are worth, as the machine has it.
pub struct Reference {
    worth: [[[i32; 128]; 7]; 2],
    /// Positions looked at.
    pub nodes: u64,
}

impl Reference {
    /// With the columns of a machine that has appraised a position.
    pub fn of(m: &Machine) -> Self {
        let mut worth = [[[0; 128]; 7]; 2];
        for (side, first) in ["worthw1", "worthb1"].iter().enumerate() {
            for kind in 1..=6 {
                let column = m.value(first) + kind - 1;
                let byte = |page: u16| i32::from(m.cpu.peek(page << 8 | column) as i8);
                for page in 0x1d..0x6b {
                    worth[side][usize::from(kind)][usize::from(page)] = byte(page);
                }
            }
        }
        Self { worth, nodes: 0 }
    }

    /// The score of a position by itself, as the side to move sees it.
    pub fn score(&self, board: &Board) -> i32 {
        let men = |color: Color| -> i32 {
            let one = |square: Square| {
                let piece = board.piece_on(square).expect("a piece");
                self.worth[color as usize][piece as usize + 1][usize::from(page(square))]
            };
            board.colors(color).into_iter().map(one).sum()
        };
        let black = turned(turned(DRAW + men(Color::Black)) + men(Color::White));
        match board.side_to_move() {
            Color::Black => black,
            Color::White => turned(black),
        }
    }

    /// Alpha-beta with captures to the end.
    pub fn search(&mut self, board: &Board, depth: i32, window: (i32, i32), frame: i32) -> i32 {
        self.nodes += 1;
        let (mut alpha, beta) = window;
        let score = self.score(board);
        if frame == LAST {
            return score;
        }
        let mut best = WORST;
        let mut tried = moves(board);
        let mut depth = depth;
        if depth <= 0 {
            best = score;
            tried.retain(|&mv| captures(board, mv) && !loses(board, mv));
        } else {
            let check = !board.checkers().is_empty();
            depth += i32::from(check);
            if tried.is_empty() {
                return if check { MATED + frame } else { DRAW };
            }
        }
        tried.retain(|&mv| depth > 1 || !humble(mv));
        // Only to be quick.
        tried.sort_by_key(|mv| std::cmp::Reverse(board.piece_on(mv.to)));
        alpha = alpha.max(best);
        for mv in tried {
            if alpha >= beta {
                break;
            }
            let mut child = board.clone();
            child.play_unchecked(mv);
            let found = self.search(&child, depth - 1, (turned(beta), turned(alpha)), frame + 1);
            best = best.max(turned(found));
            alpha = alpha.max(best);
        }
        best
    }

    /// Every line to the end: no window.
    pub fn minimax(&mut self, board: &Board, depth: i32, frame: i32) -> i32 {
        self.nodes += 1;
        let score = self.score(board);
        if frame == LAST {
            return score;
        }
        let mut tried = moves(board);
        let check = depth > 0 && !board.checkers().is_empty();
        let mut best = WORST;
        if depth <= 0 {
            best = score;
            tried.retain(|&mv| captures(board, mv) && !loses(board, mv));
        } else if tried.is_empty() {
            return if check { MATED + frame } else { DRAW };
        }
        let depth = depth + i32::from(check);
        tried.retain(|&mv| depth > 1 || !humble(mv));
        for mv in tried {
            let mut child = board.clone();
            child.play_unchecked(mv);
            let found = self.minimax(&child, depth - 1, frame + 1);
            best = best.max(turned(found));
        }
        best
    }

    /// The score of a position searched to a depth.
    pub fn root(&mut self, board: &Board, depth: i32) -> i32 {
        self.search(board, depth, (WORST, -WORST), ROOT)
    }
}
