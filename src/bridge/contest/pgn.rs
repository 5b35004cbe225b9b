//! Games as PGN, and what of it is read again: who played, the number, the result.

use super::plan::{Ended, Pairing, Plan};
use crate::bridge::rules::{Game, Position, Record};
use std::fmt::Write as _;

/// Longest line.
const WIDTH: usize = 79;
/// Most games that are read.
const MOST: usize = 1_000_000;

/// A game of a file, as far as a match asks for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kept {
    /// Its number, from 1.
    pub number: u32,
    /// Which match it is of.
    pub of: String,
    /// How many games that match has.
    pub count: u32,
    /// White and Black.
    pub players: [String; 2],
    /// Which opening it has, of those of the two players.
    pub opening: u32,
    /// Whether White is the first of the two in the match.
    pub in_order: bool,
    /// The result.
    pub result: String,
    /// The whole text, with the empty line behind it.
    pub text: String,
}

/// A text within quotes.
fn quoted(text: &str) -> String {
    let clean: String = text.chars().filter(|c| !c.is_control()).take(200).collect();
    clean.replace('\\', "\\\\").replace('"', "\\\"")
}

/// A game of a match.
pub fn write(plan: &Plan, pairing: &Pairing, record: &Record, ended: &Ended) -> Kept {
    let players = pairing.seats.map(|s| plan.players[s].clone());
    let mut out = String::new();
    let mut tag = |name: &str, value: &str| {
        let _ = writeln!(out, "[{name} \"{}\"]", quoted(value));
    };
    tag("Event", "scrimp match");
    tag("Site", "?");
    tag("Date", "????.??.??");
    tag("Round", &pairing.number.to_string());
    tag("White", &players[0]);
    tag("Black", &players[1]);
    tag("Result", ended.result);
    if plan.game != Game::Chess {
        tag("Variant", plan.game.xboard());
    }
    let start = record.start().fen();
    if start != Position::start(Game::Chess).fen() {
        tag("SetUp", "1");
        tag("FEN", &start);
    }
    tag("PlyCount", &record.moves().len().to_string());
    tag("Termination", ended.termination);
    let book = pairing.opening.moves.len();
    tag("BookPlies", &book.to_string());
    tag("Pair", &pairing.number_of_opening.to_string());
    let first = pairing.seats[0] < pairing.seats[1];
    tag("First", if first { "White" } else { "Black" });
    tag("Match", &plan.name());
    tag("Games", &plan.count().to_string());
    out.push('\n');
    let mut words = Vec::new();
    let first = record.start();
    let (mut number, mut white) = (first.counters().1, first.white());
    for (n, &m) in record.moves().iter().enumerate() {
        if white {
            words.push(format!("{number}."));
        } else if n == 0 {
            words.push(format!("{number}..."));
        }
        words.push(record.before(n).san(m));
        number += u16::from(!white);
        white = !white;
    }
    let why = ended.why.replace(['{', '}'], "");
    let why: String = why.chars().filter(|c| !c.is_control()).take(400).collect();
    let why = format!("{{{why}}}");
    words.extend(why.split(' ').map(str::to_owned));
    words.push(ended.result.into());
    let mut column = 0;
    for word in words {
        let length = word.chars().count();
        if column > 0 && column + 1 + length > WIDTH {
            out.push('\n');
            column = 0;
        } else if column > 0 {
            out.push(' ');
            column += 1;
        }
        out.push_str(&word);
        column += length;
    }
    out.push_str("\n\n");
    Kept {
        number: pairing.number,
        of: plan.name(),
        count: plan.count(),
        players,
        opening: pairing.number_of_opening,
        in_order: pairing.seats[0] < pairing.seats[1],
        result: ended.result.into(),
        text: out,
    }
}

/// The value of a tag's line.
fn tag(line: &str) -> Option<(&str, String)> {
    let (name, value) = line.strip_prefix('[')?.strip_suffix(']')?.split_once(' ')?;
    let value = value.trim().strip_prefix('"')?.strip_suffix('"')?;
    let mut out = String::new();
    let mut chars = value.chars();
    while let Some(c) = chars.next() {
        out.push(if c == '\\' { chars.next()? } else { c });
    }
    Some((name, out))
}

/// Reads the games of a match; one that is cut off at the end of the file is left out.
///
/// # Errors
/// The number of a line at which something stands that no match writes.
pub fn read(text: &str) -> Result<Vec<Kept>, String> {
    let text = text.replace("\r\n", "\n");
    let mut out = Vec::new();
    let mut rest = text.as_str();
    let mut line = 1;
    while !rest.trim().is_empty() {
        let skipped = rest.len() - rest.trim_start_matches('\n').len();
        line += skipped;
        rest = &rest[skipped..];
        let Some(body) = rest.find("\n\n").map(|at| at + 2) else {
            break;
        };
        let Some(end) = rest[body..].find("\n\n").map(|at| body + at + 2) else {
            break;
        };
        let game = &rest[..end];
        let kept = one(game).ok_or_else(|| format!("line {line}: no game of a scrimp match"))?;
        line += game.matches('\n').count();
        out.push(kept);
        if out.len() > MOST {
            return Err(format!("more than {MOST} games"));
        }
        rest = &rest[end..];
    }
    Ok(out)
}

fn one(text: &str) -> Option<Kept> {
    let (head, _) = text.split_once("\n\n")?;
    let tags: Option<Vec<_>> = head.lines().map(tag).collect();
    let tags = tags?;
    let of = |name: &str| tags.iter().find(|t| t.0 == name).map(|t| t.1.clone());
    let result = of("Result")?;
    let known = ["1-0", "0-1", "1/2-1/2", "*"].contains(&result.as_str());
    let number: u32 = of("Round")?.parse().ok()?;
    let count: u32 = of("Games")?.parse().ok()?;
    let ends = text.trim_end().ends_with(&result);
    (known && ends && (1..=count).contains(&number)).then_some(Kept {
        number,
        of: of("Match")?,
        count,
        players: [of("White")?, of("Black")?],
        opening: of("Pair")?.parse().ok()?,
        in_order: of("First")? == "White",
        result,
        text: text.to_owned(),
    })
}
