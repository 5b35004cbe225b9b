//! How games begin: from a list, or by chance.

use super::chance::mix;
use crate::bridge::rules::{Game, Move, Position};

/// Most openings of a list.
const MOST: usize = 20_000;

/// How a game begins.
#[derive(Clone, Debug)]
pub struct Opening {
    /// The first position.
    pub start: Position,
    /// Moves that are made from there.
    pub moves: Vec<Move>,
}

/// Where openings come from.
#[derive(Clone, Debug)]
pub enum Openings {
    /// So many legal moves by chance.
    Chance(u32),
    /// A list, with its text.
    List(Vec<Opening>, String),
}

impl Openings {
    /// Reads a list: on each line a FEN or EPD, or moves from the start, or both with the word
    /// `moves` between; `#` begins a remark.
    ///
    /// # Errors
    /// The number of a line and what is wrong there.
    pub fn read(game: Game, text: &str) -> Result<Self, String> {
        let mut all = Vec::new();
        for (number, line) in (1..).zip(text.lines()) {
            let line = line.split('#').next().unwrap_or("").trim();
            if line.is_empty() {
                continue;
            }
            if all.len() == MOST {
                return Err(format!("more than {MOST} openings"));
            }
            let opening = one(game, line).map_err(|why| format!("line {number}: {why}"))?;
            all.push(opening);
        }
        match all.is_empty() {
            true => Err("it has no opening".into()),
            false => Ok(Self::List(all, text.to_owned())),
        }
    }

    /// What tells them from others.
    pub fn text(&self) -> String {
        match self {
            Self::Chance(plies) => format!("chance {plies}"),
            Self::List(_, text) => text.clone(),
        }
    }

    /// The opening of two games, by their number.
    pub fn pick(&self, game: Game, seed: u64, number: u32) -> Opening {
        match self {
            Self::List(all, _) => {
                let first = mix(seed, u64::MAX) % all.len().max(1) as u64;
                let at = (first as usize + number as usize) % all.len().max(1);
                all[at].clone()
            }
            Self::Chance(plies) => chance(game, *plies, mix(seed, number.into())),
        }
    }
}

fn one(game: Game, line: &str) -> Result<Opening, String> {
    let line = line.strip_prefix("moves ").unwrap_or(line);
    let (fen, moves) = match line.split_once(" moves ") {
        Some((fen, moves)) => (Some(fen), moves),
        None if line.contains('/') => (Some(line), ""),
        None => (None, line),
    };
    let start = match fen {
        Some(fen) => Position::read(game, fen)?,
        None => Position::start(game),
    };
    let mut now = start.clone();
    let mut all = Vec::new();
    // Numbers of moves may stand between.
    let words = moves.split_whitespace();
    let words = words.map(|w| w.trim_start_matches(|c: char| c.is_ascii_digit()));
    for (word, full) in words.zip(moves.split_whitespace()) {
        let text = match word.trim_start_matches('.') {
            "" => continue,
            text if full.contains('.') => text,
            _ => full,
        };
        let m = now.find(text).ok_or_else(|| {
            let shown: String = text.chars().take(20).collect();
            format!("{shown} is no legal move")
        })?;
        now = now.play(m);
        all.push(m);
    }
    match now.moves().is_empty() {
        true => Err("the game is over then".into()),
        false => Ok(Opening { start, moves: all }),
    }
}

/// Legal moves by chance; of the games that have 960 arrays any of these.
fn chance(game: Game, plies: u32, seed: u64) -> Opening {
    let mut last = None;
    for again in 0..100 {
        let mut state = mix(seed, again);
        let start = match game {
            Game::Chess960 => Position::array((state % 960) as u16),
            game => Position::start(game),
        };
        let mut now = start.clone();
        let mut moves = Vec::new();
        for ply in 0..plies {
            state = mix(state, ply.into());
            let all = now.moves();
            let Some(&m) = all.get((state % all.len().max(1) as u64) as usize) else {
                break;
            };
            now = now.play(m);
            moves.push(m);
        }
        if !now.moves().is_empty() {
            return Opening { start, moves };
        }
        last = Some(start);
    }
    Opening {
        start: last.unwrap_or_else(|| Position::start(game)),
        moves: Vec::new(),
    }
}
