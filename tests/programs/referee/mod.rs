//! A chess referee for the programs' tests, of the reduced rules that the small
//! programs play: a king may be left under attack and taken, there is no castling
//! and no en passant, a pawn becomes a queen.
//!
//! Files and ranks are 0 to 7, pieces are FEN letters, capital for White.

pub mod fairy;
pub mod tinyhouse;

/// No piece on the square.
pub const EMPTY: u8 = b'.';

/// What stands where: `[rank][file]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Position(pub [[u8; 8]; 8]);

/// A move by its squares, each `(file, rank)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Move {
    pub from: (i8, i8),
    pub to: (i8, i8),
}

impl std::fmt::Display for Move {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (file, rank) in [self.from, self.to] {
            write!(f, "{}{}", (b'A' + file as u8) as char, rank + 1)?;
        }
        Ok(())
    }
}

impl std::fmt::Display for Position {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for row in self.0.iter().rev() {
            writeln!(f, "{}", String::from_utf8_lossy(row))?;
        }
        Ok(())
    }
}

const ORTHOGONAL: [(i8, i8); 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];
const DIAGONAL: [(i8, i8); 4] = [(1, 1), (1, -1), (-1, -1), (-1, 1)];

/// Price of a piece of either colour; 0 for an empty square.
pub fn price(piece: u8) -> u32 {
    match piece.to_ascii_uppercase() {
        b'P' => 1,
        b'N' | b'B' => 3,
        b'R' => 5,
        b'Q' => 9,
        b'K' => 50,
        _ => 0,
    }
}

impl Position {
    /// The first field of a FEN.
    pub fn new(fen: &str) -> Position {
        let mut board = [[EMPTY; 8]; 8];
        for (row, line) in board.iter_mut().rev().zip(fen.split('/')) {
            let mut file = 0;
            for c in line.bytes() {
                if c.is_ascii_digit() {
                    file += usize::from(c - b'0');
                } else {
                    row[file] = c;
                    file += 1;
                }
            }
        }
        Position(board)
    }

    /// Piece on a square, `None` off the board.
    pub fn at(&self, (file, rank): (i8, i8)) -> Option<u8> {
        let row = self.0.get(usize::try_from(rank).ok()?)?;
        row.get(usize::try_from(file).ok()?).copied()
    }

    /// All moves of one side.
    pub fn moves(&self, white: bool) -> Vec<Move> {
        let mut all = Vec::new();
        for (rank, row) in (0..).zip(&self.0) {
            for (file, &piece) in (0..).zip(row) {
                if piece != EMPTY && piece.is_ascii_uppercase() == white {
                    self.moves_from((file, rank), piece, &mut all);
                }
            }
        }
        all
    }

    fn moves_from(&self, from: (i8, i8), piece: u8, all: &mut Vec<Move>) {
        let white = piece.is_ascii_uppercase();
        let enemy = |p: u8| p != EMPTY && p.is_ascii_uppercase() != white;
        let plus = |(f, r): (i8, i8), (df, dr): (i8, i8)| (f + df, r + dr);
        let mut rays = |steps: &[(i8, i8)], most: u8| {
            for &step in steps {
                let mut to = plus(from, step);
                for _ in 0..most {
                    match self.at(to) {
                        Some(EMPTY) => all.push(Move { from, to }),
                        Some(p) if enemy(p) => {
                            all.push(Move { from, to });
                            break;
                        }
                        _ => break,
                    }
                    to = plus(to, step);
                }
            }
        };
        match piece.to_ascii_uppercase() {
            b'K' => {
                rays(&ORTHOGONAL, 1);
                rays(&DIAGONAL, 1);
            }
            b'Q' => {
                rays(&ORTHOGONAL, 7);
                rays(&DIAGONAL, 7);
            }
            b'R' => rays(&ORTHOGONAL, 7),
            b'B' => rays(&DIAGONAL, 7),
            b'N' => {
                for (df, dr) in DIAGONAL {
                    rays(&[(df, 2 * dr), (2 * df, dr)], 1);
                }
            }
            _ => {
                let ahead = if white { 1 } else { -1 };
                let home = if white { 1 } else { 6 };
                let one = plus(from, (0, ahead));
                if self.at(one) == Some(EMPTY) {
                    all.push(Move { from, to: one });
                    let two = plus(one, (0, ahead));
                    if from.1 == home && self.at(two) == Some(EMPTY) {
                        all.push(Move { from, to: two });
                    }
                }
                for side in [-1, 1] {
                    let to = plus(one, (side, 0));
                    if self.at(to).is_some_and(enemy) {
                        all.push(Move { from, to });
                    }
                }
            }
        }
    }

    /// The position after a move.
    pub fn play(&self, m: Move) -> Position {
        let square = |(file, rank): (i8, i8)| (rank as usize, file as usize);
        let mut next = self.clone();
        let ((r, f), (tr, tf)) = (square(m.from), square(m.to));
        next.0[tr][tf] = match (self.0[r][f], tr) {
            (b'P', 7) => b'Q',
            (b'p', 0) => b'q',
            (piece, _) => piece,
        };
        next.0[r][f] = EMPTY;
        next
    }

    /// Price of what a move takes.
    pub fn gain(&self, m: Move) -> u32 {
        self.at(m.to).map_or(0, price)
    }

    /// Whether a piece is on the board.
    pub fn has(&self, piece: u8) -> bool {
        self.0.as_flattened().contains(&piece)
    }

    /// Lines of `depth` moves; a line ends where a king has been taken.
    pub fn lines(&self, white: bool, depth: u32) -> u64 {
        if !self.has(if white { b'K' } else { b'k' }) {
            return 0;
        }
        let moves = self.moves(white);
        if depth == 1 {
            return moves.len() as u64;
        }
        moves
            .iter()
            .map(|&m| self.play(m).lines(!white, depth - 1))
            .sum()
    }
}
