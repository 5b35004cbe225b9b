//! The games, and a position of any of them.

use super::moves::{Move, Rights};
use super::{chess, tinyhouse};
use serde::Deserialize;

/// Games.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Game {
    /// Chess from its usual array.
    Chess,
    /// Chess from any of 960 arrays.
    Chess960,
    /// Chess of four by four squares with drops.
    Tinyhouse,
}

impl Game {
    /// Squares in a row, and rows.
    pub fn width(self) -> u8 {
        match self {
            Self::Tinyhouse => 4,
            _ => 8,
        }
    }

    /// As UCI calls it.
    pub fn uci(self) -> &'static str {
        match self {
            Self::Tinyhouse => "tinyhouse",
            _ => "chess",
        }
    }

    /// As XBoard calls it.
    pub fn xboard(self) -> &'static str {
        match self {
            Self::Chess => "normal",
            Self::Chess960 => "fischerandom",
            Self::Tinyhouse => "tinyhouse",
        }
    }

    /// Letters of the men, the king's last.
    pub fn men(self) -> &'static str {
        match self {
            Self::Tinyhouse => "PWHFK",
            _ => "PNBRQK",
        }
    }
}

/// A position, with whose turn it is.
#[derive(Clone, Debug)]
pub enum Position {
    /// Of chess, from any array.
    Chess(chess::Chess),
    /// Of Tinyhouse.
    Tinyhouse(tinyhouse::Tinyhouse),
}

impl Position {
    /// How a game begins.
    pub fn start(game: Game) -> Self {
        match game {
            Game::Tinyhouse => Self::Tinyhouse(tinyhouse::Tinyhouse::start()),
            game => Self::Chess(chess::Chess::start(game == Game::Chess960)),
        }
    }

    /// One of the 960 arrays of chess.
    pub fn array(number: u16) -> Self {
        Self::Chess(chess::Chess::array(number))
    }

    /// Reads a FEN, or an EPD; what is left out at its end is as in a new game.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn read(game: Game, fen: &str) -> Result<Self, String> {
        if fen.len() > 200 {
            return Err("a position has 200 characters at most".into());
        }
        match game {
            Game::Tinyhouse => tinyhouse::Tinyhouse::read(fen).map(Self::Tinyhouse),
            game => chess::Chess::read(fen, game == Game::Chess960).map(Self::Chess),
        }
    }

    /// The FEN.
    pub fn fen(&self) -> String {
        match self {
            Self::Chess(p) => p.fen(),
            Self::Tinyhouse(p) => p.fen(),
        }
    }

    /// Squares in a row.
    pub fn width(&self) -> u8 {
        match self {
            Self::Chess(_) => 8,
            Self::Tinyhouse(_) => 4,
        }
    }

    /// Whether White is to move.
    pub fn white(&self) -> bool {
        match self {
            Self::Chess(p) => p.white(),
            Self::Tinyhouse(p) => p.white,
        }
    }

    /// Letters of FEN on the squares from a1, `.` for nothing.
    pub fn squares(&self) -> Vec<u8> {
        match self {
            Self::Chess(p) => p.squares(),
            Self::Tinyhouse(p) => p.board.to_vec(),
        }
    }

    /// Whether what stands on a square was a pawn and becomes one again when taken.
    pub fn former(&self, square: u8) -> bool {
        match self {
            Self::Chess(_) => false,
            Self::Tinyhouse(p) => p.former >> square & 1 != 0,
        }
    }

    /// How many men of a letter are in hand: a capital one for White's.
    pub fn hand(&self, letter: u8) -> u8 {
        match self {
            Self::Chess(_) => 0,
            Self::Tinyhouse(p) => p.hand(letter),
        }
    }

    /// Castling rights.
    pub fn rights(&self) -> Rights {
        match self {
            Self::Chess(p) => p.rights(),
            Self::Tinyhouse(_) => [None; 4],
        }
    }

    /// Squares of pawns, kings and rooks that have rights of who has not moved yet.
    pub fn unmoved(&self) -> Vec<u8> {
        match self {
            Self::Chess(p) => p.unmoved(),
            Self::Tinyhouse(_) => Vec::new(),
        }
    }

    /// The square on which a pawn may be taken in passing.
    pub fn passing(&self) -> Option<u8> {
        match self {
            Self::Chess(p) => p.passing(),
            Self::Tinyhouse(_) => None,
        }
    }

    /// Plies since a pawn has moved or a man was taken, and the number of the move.
    pub fn counters(&self) -> (u16, u16) {
        match self {
            Self::Chess(p) => p.counters(),
            Self::Tinyhouse(_) => (0, 1),
        }
    }

    /// The number of the array that a game begins with, if this is one.
    pub fn number(&self) -> Option<u16> {
        match self {
            Self::Chess(p) => p.number(),
            Self::Tinyhouse(_) => None,
        }
    }

    /// The legal moves.
    pub fn moves(&self) -> Vec<Move> {
        match self {
            Self::Chess(p) => p.moves(),
            Self::Tinyhouse(p) => p.moves(),
        }
    }

    /// The position after a legal move.
    pub fn play(&self, m: Move) -> Self {
        match self {
            Self::Chess(p) => Self::Chess(p.play(m)),
            Self::Tinyhouse(p) => Self::Tinyhouse(p.play(m)),
        }
    }

    /// Whether the side to move is in check.
    pub fn in_check(&self) -> bool {
        match self {
            Self::Chess(p) => p.in_check(),
            Self::Tinyhouse(p) => p.in_check(p.white),
        }
    }

    /// Whether it counts as the same when it comes again.
    pub fn same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Chess(a), Self::Chess(b)) => a.same(b),
            (Self::Tinyhouse(a), Self::Tinyhouse(b)) => a == b,
            _ => false,
        }
    }

    /// Whether nobody can mate by any moves.
    pub(super) fn bare(&self) -> bool {
        match self {
            Self::Chess(p) => p.bare(),
            Self::Tinyhouse(_) => false,
        }
    }

    /// Where the king goes by a move that castles.
    pub fn castles(&self, m: Move) -> Option<u8> {
        match self {
            Self::Chess(p) => p.castles(m),
            Self::Tinyhouse(_) => None,
        }
    }

    /// Whether a move takes a pawn in passing.
    pub fn passes(&self, m: Move) -> bool {
        let squares = self.squares();
        let pawn = |s: u8| squares[usize::from(s)].eq_ignore_ascii_case(&b'P');
        m.from.is_some_and(pawn) && self.passing() == Some(m.to)
    }
}
