//! Chess and Chess960, by the library's rules.

use super::moves::{Move, Rights};
use cozy_chess::{BitBoard, Board, CastleRights, Color, File, Move as Raw, Piece, Rank, Square};

/// A position of chess.
#[derive(Clone, Debug)]
pub struct Chess {
    board: Board,
    /// Castling is written as the king onto his rook.
    free: bool,
}

const PIECES: [(Piece, u8); 6] = [
    (Piece::Pawn, b'P'),
    (Piece::Knight, b'N'),
    (Piece::Bishop, b'B'),
    (Piece::Rook, b'R'),
    (Piece::Queen, b'Q'),
    (Piece::King, b'K'),
];

fn letter(piece: Piece) -> u8 {
    let found = PIECES.iter().find(|p| p.0 == piece);
    found.map_or(b'.', |p| p.1)
}

fn square(s: u8) -> Square {
    Square::index(usize::from(s & 63))
}

impl Chess {
    pub fn start(free: bool) -> Self {
        Self {
            board: Board::default(),
            free,
        }
    }

    pub fn array(number: u16) -> Self {
        Self {
            board: Board::chess960_startpos(u32::from(number % 960)),
            free: true,
        }
    }

    pub fn read(fen: &str, free: bool) -> Result<Self, String> {
        let fields: Vec<&str> = fen.split_whitespace().collect();
        let [men, side, rest @ ..] = &fields[..] else {
            return Err("a FEN has at least the board and whose turn it is".into());
        };
        let castling = rest.first().copied().unwrap_or("-");
        let castling = shredder(men, castling)?;
        let passing = rest.get(1).copied().unwrap_or("-");
        // An EPD has operations where a FEN has its counters.
        let count = |n: usize, usual: u32, most: u32| {
            let number = rest.get(n).and_then(|t| t.parse::<u32>().ok());
            number.map_or(usual, |n| n.clamp(usual, most))
        };
        let (half, full) = (count(2, 0, 100), count(3, 1, 9999));
        let whole = |passing: &str| format!("{men} {side} {castling} {passing} {half} {full}");
        let board = Board::from_fen(&whole(passing), true);
        // Some write a square that no pawn has just passed.
        let board = match (board, passing) {
            (Err(cozy_chess::FenParseError::InvalidEnPassant), p) if is_square(p) => {
                Board::from_fen(&whole("-"), true)
            }
            (board, _) => board,
        };
        let board = board.map_err(|e| e.to_string().trim_end_matches('.').to_lowercase())?;
        Ok(Self { board, free })
    }

    pub fn fen(&self) -> String {
        match self.free {
            true => format!("{:#}", self.board),
            false => self.board.to_string(),
        }
    }

    pub fn white(&self) -> bool {
        self.board.side_to_move() == Color::White
    }

    pub fn squares(&self) -> Vec<u8> {
        let one = |s| match (self.board.piece_on(s), self.board.color_on(s)) {
            (Some(p), Some(Color::White)) => letter(p),
            (Some(p), Some(Color::Black)) => letter(p).to_ascii_lowercase(),
            _ => b'.',
        };
        Square::ALL.map(one).to_vec()
    }

    fn corner(rights: &CastleRights, color: Color) -> [Option<u8>; 2] {
        let at = |f: File| Square::new(f, Rank::First.relative_to(color)) as u8;
        [rights.short.map(at), rights.long.map(at)]
    }

    pub fn rights(&self) -> Rights {
        let of = |color| Self::corner(self.board.castle_rights(color), color);
        let ([a, b], [c, d]) = (of(Color::White), of(Color::Black));
        [a, b, c, d]
    }

    pub fn unmoved(&self) -> Vec<u8> {
        let mut all = BitBoard::EMPTY;
        for color in Color::ALL {
            let second = Rank::Second.relative_to(color).bitboard();
            all |= self.board.colored_pieces(color, Piece::Pawn) & second;
            let rooks = Self::corner(self.board.castle_rights(color), color);
            for rook in rooks.into_iter().flatten() {
                all |= square(rook).bitboard() | self.board.king(color).bitboard();
            }
        }
        all.into_iter().map(|s| s as u8).collect()
    }

    pub fn passing(&self) -> Option<u8> {
        let rank = Rank::Sixth.relative_to(self.board.side_to_move());
        let file = self.board.en_passant()?;
        Some(Square::new(file, rank) as u8)
    }

    pub fn counters(&self) -> (u16, u16) {
        (
            self.board.halfmove_clock().into(),
            self.board.fullmove_number(),
        )
    }

    pub fn number(&self) -> Option<u16> {
        let own = self.board.pieces(Piece::King).len() == 2 && self.white();
        let same = |&n: &u16| {
            self.board
                .same_position(&Board::chess960_startpos(n.into()))
        };
        (0..960).find(same).filter(|_| own)
    }

    fn raw(m: Move) -> Raw {
        let promotion = m.piece.and_then(|l| PIECES.iter().find(|p| p.1 == l));
        Raw {
            from: square(m.from.unwrap_or(0)),
            to: square(m.to),
            promotion: promotion.map(|p| p.0),
        }
    }

    pub fn moves(&self) -> Vec<Move> {
        let mut all = Vec::new();
        self.board.generate_moves(|some| {
            all.extend(some.into_iter().map(|m: Raw| Move {
                from: Some(m.from as u8),
                to: m.to as u8,
                piece: m.promotion.map(letter),
            }));
            false
        });
        all.sort_unstable();
        all
    }

    pub fn play(&self, m: Move) -> Self {
        let mut next = self.clone();
        next.board.play_unchecked(Self::raw(m));
        next
    }

    pub fn in_check(&self) -> bool {
        !self.board.checkers().is_empty()
    }

    pub fn same(&self, other: &Self) -> bool {
        self.board.same_position(&other.board)
    }

    /// Kings with one knight, or with bishops on one colour of squares.
    pub fn bare(&self) -> bool {
        let b = &self.board;
        let heavy = b.pieces(Piece::Pawn) | b.pieces(Piece::Rook) | b.pieces(Piece::Queen);
        let (knights, bishops) = (b.pieces(Piece::Knight), b.pieces(Piece::Bishop));
        let dark = BitBoard::DARK_SQUARES;
        let one_colour = bishops.is_subset(dark) || bishops.is_disjoint(dark);
        heavy.is_empty()
            && match (knights.len(), bishops.len()) {
                (0, _) => one_colour,
                (n, 0) => n == 1,
                _ => false,
            }
    }

    pub fn castles(&self, m: Move) -> Option<u8> {
        let raw = Self::raw(m);
        let own = self.board.colors(self.board.side_to_move());
        let king = self.board.piece_on(raw.from) == Some(Piece::King);
        let file = match raw.to.file() > raw.from.file() {
            true => File::G,
            false => File::C,
        };
        (m.from.is_some() && king && own.has(raw.to))
            .then(|| Square::new(file, raw.from.rank()) as u8)
    }

    /// Whether castling is written as the king onto his rook.
    pub fn free(&self) -> bool {
        self.free
    }
}

fn is_square(text: &str) -> bool {
    matches!(text.as_bytes(), [b'a'..=b'h', b'1'..=b'8'])
}

/// Castling rights by the rooks' files, from those or from `KQkq`, which means the outermost
/// rooks.
fn shredder(men: &str, rights: &str) -> Result<String, String> {
    if rights == "-" || rights.chars().any(|c| !"KQkq".contains(c)) {
        return Ok(rights.to_owned());
    }
    let mut out = String::new();
    for c in rights.chars() {
        let row = if c.is_ascii_uppercase() {
            men.rsplit('/').next()
        } else {
            men.split('/').next()
        };
        let mut files = Vec::new();
        for p in row.unwrap_or("").chars().take(8) {
            match p.to_digit(9) {
                Some(n) => files.extend((0..n).map(|_| '.')),
                None => files.push(p),
            }
        }
        let of = |l: char| {
            if c.is_ascii_uppercase() {
                l
            } else {
                l.to_ascii_lowercase()
            }
        };
        let king = files.iter().position(|&p| p == of('K'));
        let rook = match c.to_ascii_lowercase() {
            'k' => files.iter().rposition(|&p| p == of('R')),
            _ => files.iter().position(|&p| p == of('R')),
        };
        match (king, rook) {
            (Some(k), Some(r)) if (r > k) == c.eq_ignore_ascii_case(&'k') => {
                let file = char::from(b'A' + r.min(7) as u8);
                out.push(of(file));
            }
            _ => return Err(format!("there is no rook for the right to castle {c}")),
        }
    }
    Ok(out)
}
