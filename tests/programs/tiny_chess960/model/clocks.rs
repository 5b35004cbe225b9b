//! How long the program looks at a piece that takes nothing, without going its ways.

use super::{BISHOP, FLOOR, Frame, KING, KNIGHT, Model, NOWHERE, PAWN, QUEEN, ROOK, UNMOVED};
use cozy_chess::get_rook_moves;
use cozy_chess::{BitBoard, Color, Square};
use cozy_chess::{get_bishop_moves, get_king_moves, get_knight_moves, get_pawn_attacks};

impl Model {
    /// The clocks of a piece that takes nothing when captures are tried, from its list of
    /// steps on; `None` if it may take something, or castle.
    pub(super) fn no_capture(&self, f: &Frame, index: u8) -> Option<u64> {
        let (side, floor) = (Self::colour(self.side), f.dep < FLOOR);
        let (own, other) = (self.men[side], self.men[side ^ 1]);
        let at = Square::index(index.into());
        let all = BitBoard(own | other);
        // Squares reached, directions, clocks of an empty one and of one with an enemy.
        let (reach, ways, empty, enemy) = match f.piece & 7 {
            PAWN => return self.pawn_takes_nothing(f, at),
            KING if f.piece & UNMOVED != 0 => return None,
            KING => (get_king_moves(at), 8, 42, 36),
            ROOK => (get_rook_moves(at, all), 4, 36, 32),
            QUEEN => (
                get_rook_moves(at, all) | get_bishop_moves(at, all),
                8,
                36,
                32,
            ),
            BISHOP => (get_bishop_moves(at, all), 4, 36, 32),
            _ => (get_knight_moves(at), 8, 38, 32),
        };
        let targets = if floor {
            self.kinds[side ^ 1][usize::from(KING)]
        } else {
            other
        };
        if reach.0 & targets != 0 {
            return None;
        }
        let count = |squares: u64| u64::from(squares.count_ones());
        let empty = if floor { empty - 4 } else { empty };
        let (met, hit) = (count(reach.0 & own), count(reach.0 & other));
        let clear = count(reach.0 & !all.0);
        let squares = match f.piece & 7 {
            KING | KNIGHT => ways - met - hit - clear,
            _ => ways - met - hit,
        };
        let mut clocks = ways * 8 + 11 + clear * empty + met * 14 + hit * enemy + squares * 5;
        // Two types that might be a king and a rook.
        let like = reach.0 & self.kinds[side][usize::from(f.piece & 7 ^ 7)];
        let unmoved = self.unmoved;
        if f.piece & UNMOVED == 0 {
            clocks += 2 * count(like & !unmoved);
        } else {
            clocks += 5 * count(like & unmoved);
        }
        Some(clocks)
    }

    /// The same of a pawn.
    fn pawn_takes_nothing(&self, f: &Frame, at: Square) -> Option<u64> {
        let (side, floor) = (Self::colour(self.side), f.dep < FLOOR);
        let (own, other) = (self.men[side], self.men[side ^ 1]);
        let colour = Color::index(side);
        let ahead = get_pawn_attacks(at, colour).0;
        let targets = if floor {
            self.kinds[side ^ 1][usize::from(KING)]
        } else {
            other
        };
        let passing = if f.ep == NOWHERE {
            0
        } else {
            1 << (f.ep >> 4 << 3 | f.ep & 7)
        };
        if ahead & (targets | passing) != 0 {
            return None;
        }
        let count = |squares: u64| u64::from(squares.count_ones());
        let way = at.bitboard().0;
        let (front, back) = if side == 0 {
            (way << 8, way >> 8)
        } else {
            (way >> 8, way << 8)
        };
        let behind = get_pawn_attacks(at, !colour).0 | back;
        let (moved, push) = (f.piece & UNMOVED == 0, if floor { 10 } else { 14 });
        let mut clocks = 6 + 3 * 14 + 11;
        clocks += 14 * count((behind | ahead | front) & own);
        clocks += 18 * count(behind & !own);
        clocks += 25 * count(ahead & !(own | other)) + 39 * count(ahead & other);
        clocks += 5 * (6 - count(behind | ahead | front));
        if front & other != 0 {
            clocks += 23;
        } else if front & own == 0 {
            clocks += 24 + push + if moved { 9 } else { 17 };
            let second = if side == 0 { front << 8 } else { front >> 8 };
            if !moved {
                clocks += if second & own != 0 {
                    14
                } else if second & other != 0 {
                    23
                } else {
                    24 + push + 16
                };
            }
        }
        if moved {
            let near = behind | ahead | front;
            clocks += 2 * count(near & self.kinds[side][usize::from(QUEEN)]);
        }
        Some(clocks)
    }
}
