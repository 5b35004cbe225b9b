//! A match: its games, and how one ends.

use super::chance::mix;
use super::opening::{Opening, Openings};
use crate::bridge::rules::Game;

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
