//! Matches: games between players by a schedule that a seed fixes, kept as PGN, and counted.
//! A game depends on the match and on its number only, so parts of a match that are played
//! apart are together what one run would have given.

mod chance;
mod opening;
mod pgn;
mod plan;
mod table;

pub use chance::mix;
pub use opening::{Opening, Openings};
pub use pgn::{Kept, read, write};
pub use plan::{Ended, Pairing, Plan};
pub use table::{Row, rows, table};

use super::fault::{Fault, Order};
use super::rules::{Game, Move, Position, Record};
use super::seat::Seat;

/// Who plays.
pub trait Player {
    /// A new game from a position; what is left to chance comes from the seed.
    ///
    /// # Errors
    /// It cannot.
    fn begin(&mut self, game: Game, start: &Position, seed: u64) -> Result<(), Fault>;
    /// Its move in the last position of a game.
    ///
    /// # Errors
    /// It makes none.
    fn think(&mut self, record: &Record, order: &mut dyn FnMut() -> Order) -> Result<Move, Fault>;
}

impl Player for Seat {
    fn begin(&mut self, game: Game, _: &Position, seed: u64) -> Result<(), Fault> {
        let own = Seat::game(self);
        if own != game && (own, game) != (Game::Chess960, Game::Chess) {
            return Err(Fault::Cannot(format!("{} plays another game", self.name)));
        }
        // People press the first key at any time; some programs draw lots by that.
        let delay = seed % (self.clock() / 4).max(1);
        Seat::begin(self, delay);
        Ok(())
    }

    fn think(&mut self, record: &Record, order: &mut dyn FnMut() -> Order) -> Result<Move, Fault> {
        Seat::think(self, record, order).map(|t| t.play)
    }
}

/// Plays a game; nothing if it was left.
pub fn play(
    plan: &Plan,
    pairing: &Pairing,
    white: &mut dyn Player,
    black: &mut dyn Player,
    order: &mut dyn FnMut() -> Order,
) -> Option<(Record, Ended)> {
    let opening = &pairing.opening;
    let mut record = Record::new(plan.game, opening.start.clone());
    for &m in &opening.moves {
        record.play(m);
    }
    let begun = white.begin(plan.game, &opening.start, mix(pairing.seed, 0));
    if let Err(fault) = begun {
        return fall(true, fault).map(|e| (record, e));
    }
    let begun = black.begin(plan.game, &opening.start, mix(pairing.seed, 1));
    if let Err(fault) = begun {
        return fall(false, fault).map(|e| (record, e));
    }
    loop {
        if let Some(end) = record.end() {
            let ended = Ended {
                result: end.result(),
                termination: "normal",
                why: end.text().into(),
            };
            return Some((record, ended));
        }
        if record.moves().len() >= plan.most_plies {
            let ended = Ended {
                result: "1/2-1/2",
                termination: "adjudication",
                why: format!("Draw after {} plies", plan.most_plies),
            };
            return Some((record, ended));
        }
        let mover = record.now().white();
        let player: &mut dyn Player = if mover { &mut *white } else { &mut *black };
        match player.think(&record, order) {
            Ok(m) if record.now().moves().contains(&m) => record.play(m),
            Ok(m) => {
                let text = record.now().text(m);
                let fault = Fault::Illegal(format!("{text} is not legal"));
                return fall(mover, fault).map(|e| (record, e));
            }
            Err(fault) => return fall(mover, fault).map(|e| (record, e)),
        }
    }
}

/// The end of a game in which a side made no legal move.
fn fall(white: bool, fault: Fault) -> Option<Ended> {
    let lost = if white { "0-1" } else { "1-0" };
    let side = if white { "White" } else { "Black" };
    let (result, termination, why) = match fault {
        Fault::Left => return None,
        Fault::Cannot(why) => ("*", "unterminated", why),
        Fault::Illegal(why) => (lost, "rules infraction", why),
        Fault::Silent(why) => (lost, "abandoned", why),
        Fault::Resigned(why) => (lost, "normal", why),
    };
    Some(Ended {
        result,
        termination,
        why: format!("{side}: {why}"),
    })
}

#[cfg(test)]
mod tests;
