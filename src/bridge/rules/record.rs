//! A game as it was played, and how it ends.

use super::moves::Move;
use super::position::{Game, Position};

/// Why a game is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The side to move is mated.
    Mate,
    /// It cannot move and is not in check.
    Stalemate,
    /// The position is there for the third time.
    Repetition,
    /// Fifty moves of each side without a capture or a pawn's move.
    Fifty,
    /// Nobody can mate.
    Material,
}

/// How a game is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct End {
    /// Whether White has won; nothing for a draw.
    pub winner: Option<bool>,
    /// Why.
    pub reason: Reason,
}

impl End {
    /// As PGN has it.
    pub fn result(&self) -> &'static str {
        match self.winner {
            Some(true) => "1-0",
            Some(false) => "0-1",
            None => "1/2-1/2",
        }
    }

    /// In words.
    pub fn text(&self) -> &'static str {
        match (self.reason, self.winner) {
            (Reason::Mate, Some(true)) => "White mates",
            (Reason::Mate, _) => "Black mates",
            (Reason::Stalemate, None) => "Stalemate",
            (Reason::Stalemate, Some(true)) => "White is stalemated and wins",
            (Reason::Stalemate, Some(false)) => "Black is stalemated and wins",
            (Reason::Repetition, _) => "Draw by repetition",
            (Reason::Fifty, _) => "Draw by fifty move rule",
            (Reason::Material, _) => "Draw by insufficient material",
        }
    }
}

/// A game from its first position on.
#[derive(Clone, Debug)]
pub struct Record {
    /// Which game.
    pub game: Game,
    positions: Vec<Position>,
    moves: Vec<Move>,
}

impl Record {
    /// From a position.
    pub fn new(game: Game, start: Position) -> Self {
        Self {
            game,
            positions: vec![start],
            moves: Vec::new(),
        }
    }

    /// The first position.
    pub fn start(&self) -> &Position {
        &self.positions[0]
    }

    /// The present one.
    pub fn now(&self) -> &Position {
        self.positions.last().unwrap_or(&self.positions[0])
    }

    /// The moves so far.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// The position before a move, by its number.
    pub fn before(&self, n: usize) -> &Position {
        &self.positions[n.min(self.moves.len())]
    }

    /// Plays a legal move.
    pub fn play(&mut self, m: Move) {
        let next = self.now().play(m);
        self.positions.push(next);
        self.moves.push(m);
    }

    /// Takes a move back; false if there is none.
    pub fn undo(&mut self) -> bool {
        let there = self.moves.pop().is_some();
        if there {
            self.positions.pop();
        }
        there
    }

    /// Whether it begins with the moves of another from the same position.
    pub fn continues(&self, other: &Self) -> bool {
        self.moves.starts_with(&other.moves) && self.start().fen() == other.start().fen()
    }

    /// How it is over, if it is.
    pub fn end(&self) -> Option<End> {
        let now = self.now();
        let end = |winner, reason| Some(End { winner, reason });
        if now.moves().is_empty() {
            return match (now.in_check(), self.game) {
                (true, _) => end(Some(!now.white()), Reason::Mate),
                (false, Game::Tinyhouse) => end(Some(now.white()), Reason::Stalemate),
                (false, _) => end(None, Reason::Stalemate),
            };
        }
        if now.bare() {
            return end(None, Reason::Material);
        }
        if now.counters().0 >= 100 {
            return end(None, Reason::Fifty);
        }
        let times = self.positions.iter().filter(|p| p.same(now)).count();
        (times >= 3).then_some(End {
            winner: None,
            reason: Reason::Repetition,
        })
    }
}
