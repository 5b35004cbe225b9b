//! What the games of a match say: points of each pair of players, and how far that may be by
//! chance.

use super::pgn::Kept;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Two players, by the games of the first against the second.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Their names.
    pub players: [String; 2],
    /// Won, drawn and lost by the first.
    pub games: [u32; 3],
    /// Games that could not be played.
    pub void: u32,
    /// The share of points of the first.
    pub score: f64,
    /// Half of the interval that has the true share 95 times of 100.
    pub error: f64,
}

/// Elo's difference that a share of points is worth.
fn elo(score: f64) -> f64 {
    let score = score.clamp(1e-6, 1.0 - 1e-6);
    // Not -0.
    0.0 - 400.0 * (1.0 / score - 1.0).log10()
}

/// Counts games: a row for each pair of players, in the order in which they first met.
pub fn rows(games: &[Kept]) -> Vec<Row> {
    let mut pairs: Vec<([String; 2], Vec<&Kept>)> = Vec::new();
    for game in games {
        let mut own = game.players.clone();
        if !game.in_order {
            own.reverse();
        }
        match pairs.iter_mut().find(|p| p.0 == own) {
            Some((_, games)) => games.push(game),
            None => pairs.push((own, vec![game])),
        }
    }
    pairs
        .into_iter()
        .map(|(players, games)| row(players, &games))
        .collect()
}

fn row(players: [String; 2], all: &[&Kept]) -> Row {
    let mut games = [0; 3];
    let mut void = 0;
    // Two games with one opening are not independent: their points are one sample.
    let mut openings: BTreeMap<u32, Vec<f64>> = BTreeMap::new();
    for game in all {
        let points = match (game.result.as_str(), game.in_order) {
            ("1-0", true) | ("0-1", false) => 1.0,
            ("1-0", false) | ("0-1", true) => 0.0,
            ("1/2-1/2", _) => 0.5,
            _ => {
                void += 1;
                continue;
            }
        };
        let at = match points {
            1.0 => 0,
            0.5 => 1,
            _ => 2,
        };
        games[at] += 1;
        openings.entry(game.opening).or_default().push(points);
    }
    let count: u32 = games.iter().sum();
    let score = match count {
        0 => 0.5,
        n => (f64::from(games[0]) + f64::from(games[1]) / 2.0) / f64::from(n),
    };
    let samples: Vec<f64> = openings
        .values()
        .map(|p| p.iter().sum::<f64>() / p.len() as f64)
        .collect();
    let n = samples.len() as f64;
    let mean = samples.iter().sum::<f64>() / n.max(1.0);
    let spread = samples.iter().map(|s| (s - mean).powi(2)).sum::<f64>();
    let error = match samples.len() {
        0 | 1 => 0.5,
        _ => 1.96 * (spread / (n - 1.0) / n).sqrt(),
    };
    Row {
        players,
        games,
        void,
        score,
        error,
    }
}

/// The rows as a table for people.
pub fn table(rows: &[Row]) -> String {
    let mut out = String::new();
    for row in rows {
        let [won, drawn, lost] = row.games;
        let n = won + drawn + lost;
        let _ = write!(
            out,
            "{} against {}: {n} games, +{won} ={drawn} -{lost}",
            row.players[0], row.players[1]
        );
        if n > 0 {
            let _ = write!(out, ", {:.3} ± {:.3} (95 %)", row.score, row.error);
        }
        if (1..n).contains(&won) || (drawn > 0 && n > 0) {
            let (low, high) = (elo(row.score - row.error), elo(row.score + row.error));
            let bound = |e: f64| match e {
                e if e.abs() > 1500.0 => {
                    if e > 0.0 {
                        "∞".into()
                    } else {
                        "-∞".to_owned()
                    }
                }
                e => format!("{e:+.0}"),
            };
            let _ = write!(
                out,
                ", Elo {:+.0} ({} to {})",
                elo(row.score),
                bound(low),
                bound(high)
            );
        }
        if row.void > 0 {
            let _ = write!(out, ", {} not played", row.void);
        }
        out.push('\n');
    }
    out
}
