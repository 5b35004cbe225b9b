//! What the rules say, by a library of chess rules, and how the program writes it.

use super::device::{
    BLACK, CLOCKS, Device, EP, HALF, LOG, MFROM, MTO, OPTIONS, PROMO, SIDE, UNMOVED, WHITE, WHO, YL,
};
use cozy_chess::{BitBoard, Board, Color, File, GameStatus, Move, Piece, Rank, Square};

/// Row 1 is White's first rank, column 1 the h file.
pub fn square(s: Square) -> u8 {
    (s.rank() as u8) << 4 | (7 - s.file() as u8)
}

pub fn back(cell: u8) -> Square {
    Square::new(
        File::index(usize::from(7 - (cell & 7))),
        Rank::index(usize::from(cell >> 4)),
    )
}

/// The library writes castling as the king taking his rook.
pub fn target(board: &Board, m: Move) -> Square {
    let own = board.colors(board.side_to_move());
    if board.piece_on(m.from) == Some(Piece::King) && own.has(m.to) {
        let file = if m.to.file() > m.from.file() {
            File::G
        } else {
            File::C
        };
        return Square::new(file, m.from.rank());
    }
    m.to
}

pub fn moves(board: &Board) -> Vec<Move> {
    let mut all = Vec::new();
    board.generate_moves(|some| {
        all.extend(some);
        false
    });
    all
}

/// From and to as the program has them, each pair once, sorted.
pub fn pairs(board: &Board) -> Vec<(u8, u8)> {
    let pair = |m: Move| (square(m.from), square(target(board, m)));
    let mut all: Vec<_> = moves(board).into_iter().map(pair).collect();
    all.sort_unstable();
    all.dedup();
    all
}

fn letter(piece: Piece) -> char {
    match piece {
        Piece::Pawn => 'P',
        Piece::Knight => 'K',
        Piece::Bishop => 'B',
        Piece::Rook => 'R',
        Piece::Queen => 'Q',
        Piece::King => 'U',
    }
}

pub fn code(piece: Piece) -> u8 {
    match piece {
        Piece::Pawn => 2,
        Piece::Rook => 3,
        Piece::Knight => 4,
        Piece::Bishop => 5,
        Piece::King => 6,
        Piece::Queen => 7,
    }
}

fn side(color: Color) -> u8 {
    match color {
        Color::White => WHITE,
        Color::Black => BLACK,
    }
}

/// The nine lines of the board.
pub fn drawn(board: &Board) -> String {
    let mut text = String::from("  1 2 3 4 5 6 7 8\r\n");
    for row in 0..8u8 {
        text.push(char::from(b'1' + row));
        for column in 0..8 {
            let at = back(row << 4 | column);
            match (board.color_on(at), board.piece_on(at)) {
                (Some(c), Some(p)) => {
                    text.push(if c == Color::White { 'w' } else { 'b' });
                    text.push(letter(p));
                }
                _ => text.push_str("  "),
            }
        }
        text.push_str("\r\n");
    }
    text
}

/// Writes a position into the program's memory.
pub fn set_up(device: &mut Device, board: &Board) {
    for cell in 0..0x80 {
        device.set_cell(cell, 0);
    }
    let mut unmoved = BitBoard::EMPTY;
    for color in Color::ALL {
        let home = Rank::First.relative_to(color);
        let second = Rank::Second.relative_to(color).bitboard();
        unmoved |= board.colored_pieces(color, Piece::Pawn) & second;
        let rights = board.castle_rights(color);
        for file in [rights.short, rights.long].into_iter().flatten() {
            unmoved |= Square::new(file, home).bitboard() | board.king(color).bitboard();
        }
    }
    for at in board.occupied() {
        let piece = board.piece_on(at).expect("a piece");
        let color = board.color_on(at).expect("a colour");
        let flag = if unmoved.has(at) { UNMOVED } else { 0 };
        device.set_cell(square(at), code(piece) | side(color) | flag);
    }
    let to_move = side(board.side_to_move());
    let sixth = Rank::Sixth.relative_to(board.side_to_move());
    let ep = board.en_passant().map(|f| square(Square::new(f, sixth)));
    for (register, value) in [
        (SIDE, to_move),
        (WHO, to_move),
        (EP, ep.unwrap_or(0x80)),
        (HALF, board.halfmove_clock()),
        (MFROM, 0xFF),
        (MTO, 0xFF),
        (OPTIONS, 0),
        (PROMO, 7),
        (YL, LOG),
        (27, 1),
        (29, 0),
        (31, 0),
    ] {
        device.set(register, value);
    }
    for (i, value) in [5, 0, 5, 0].into_iter().enumerate() {
        device.set_data(CLOCKS + i as u16, value);
    }
}

/// A game as the program has to see it.
#[derive(Clone)]
pub struct Game {
    pub board: Board,
    /// Positions since the last capture or pawn move.
    past: Vec<Board>,
}

impl Game {
    pub fn new(board: Board) -> Self {
        Self {
            past: vec![board.clone()],
            board,
        }
    }

    pub fn play(&mut self, m: Move) {
        self.board.play(m);
        if self.board.halfmove_clock() == 0 {
            self.past.clear();
        }
        self.past.push(self.board.clone());
    }

    /// Neither side has what can mate: kings and one knight, or bishops of one colour
    /// of squares.
    fn bare(&self) -> bool {
        let b = &self.board;
        let heavy = b.pieces(Piece::Pawn) | b.pieces(Piece::Rook) | b.pieces(Piece::Queen);
        let (knights, bishops) = (b.pieces(Piece::Knight), b.pieces(Piece::Bishop));
        let dark = BitBoard::DARK_SQUARES;
        heavy.is_empty()
            && match (knights.len(), bishops.len()) {
                (0, _) => bishops.is_subset(dark) || bishops.is_disjoint(dark),
                (1, 0) => true,
                _ => false,
            }
    }

    /// What the program prints behind the clocks: check, and the end of the game.
    pub fn ending(&self) -> &'static str {
        let b = &self.board;
        let same = self.past.iter().filter(|p| p.same_position(b)).count();
        let check = !b.checkers().is_empty();
        match (b.status(), b.side_to_move()) {
            (GameStatus::Won, Color::White) => "+b wins",
            (GameStatus::Won, Color::Black) => "+w wins",
            (GameStatus::Drawn, _) if check => "+draw",
            (GameStatus::Drawn, _) => "draw",
            _ if (self.bare() || same >= 3) && check => "+draw",
            _ if self.bare() || same >= 3 => "draw",
            _ if check => "+",
            _ => "",
        }
    }

    pub fn over(&self) -> bool {
        self.ending().len() > 1
    }

    /// The whole screen after a move, with `clock` for the clocks.
    pub fn screen(&self, clocks: &str) -> String {
        let mover = match self.board.side_to_move() {
            Color::White => 'w',
            Color::Black => 'b',
        };
        format!("{}{mover}{clocks} {}", drawn(&self.board), self.ending())
    }
}

/// The keys of a move.
pub fn typed(board: &Board, m: Move) -> String {
    let mut keys = String::new();
    for cell in [square(m.from), square(target(board, m))] {
        keys.push(char::from(b'1' + (cell >> 4)));
        keys.push(char::from(b'1' + (cell & 7)));
    }
    if let Some(piece) = m.promotion {
        keys.push(char::from(b'0' + code(piece)));
    }
    keys
}
