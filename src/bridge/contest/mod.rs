//! Matches: games between players by a schedule that a seed fixes, kept as PGN, and counted.
//! A game depends on the match and on its number only, so parts of a match that are played
//! apart are together what one run would have given.

mod opening;
mod pgn;
mod table;

pub use opening::{Opening, Openings};
pub use pgn::{Kept, read, write};
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

/// A match.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The players' names, as they stand in the PGN.
    pub players: Vec<String>,
    /// Which game.
    pub game: Game,
    /// Games of each pair of players.
    pub games: u32,
    /// What chance begins with.
    pub seed: u64,
    /// Plies after which a game is a draw.
    pub most_plies: usize,
    /// What games begin with.
    pub openings: Openings,
}

/// A game of a match.
#[derive(Clone, Debug)]
pub struct Pairing {
    /// Its number, from 1.
    pub number: u32,
    /// Who has White, and who Black.
    pub seats: [usize; 2],
    /// How it begins.
    pub opening: Opening,
    /// Which opening that is.
    pub number_of_opening: u32,
    /// What is left to chance in it.
    pub seed: u64,
}

/// Mixes numbers (splitmix64).
pub fn mix(a: u64, b: u64) -> u64 {
    let mut z = a.wrapping_add(b.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

impl Plan {
    /// How many games there are.
    pub fn count(&self) -> u32 {
        let n = self.players.len() as u32;
        self.games.saturating_mul(n * n.saturating_sub(1) / 2)
    }

    /// A game by its number from 1: two games of a pair of players follow each other with one
    /// opening and changed colours.
    pub fn pairing(&self, number: u32) -> Pairing {
        let n = self.players.len();
        let pairs = (0..n).flat_map(|a| (a + 1..n).map(move |b| [a, b]));
        let index = number.saturating_sub(1);
        let pair = (index / self.games.max(1)) as usize;
        let of_pair = index % self.games.max(1);
        let [a, b] = pairs.clone().nth(pair).unwrap_or([0, 1]);
        let seats = if of_pair.is_multiple_of(2) {
            [a, b]
        } else {
            [b, a]
        };
        Pairing {
            number,
            seats,
            number_of_opening: of_pair / 2,
            opening: self.openings.pick(self.game, self.seed, of_pair / 2),
            seed: mix(self.seed, number.into()),
        }
    }

    /// What tells this match from others, in sixteen digits.
    pub fn name(&self) -> String {
        let text = format!(
            "{:?} {:?} {} {} {} {}",
            self.players,
            self.game,
            self.games,
            self.seed,
            self.most_plies,
            self.openings.text()
        );
        let hash = text.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |h, b| {
            (h ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3)
        });
        format!("{hash:016x}")
    }
}

/// How a game of a match ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ended {
    /// `1-0`, `0-1`, `1/2-1/2`, or `*` for one that could not be played.
    pub result: &'static str,
    /// PGN's word for how.
    pub termination: &'static str,
    /// In words.
    pub why: String,
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
