//! Moves as text: coordinates as UCI and XBoard have them, and the short notation of PGN.

use super::moves::{Move, name};
use super::position::Position;

impl Position {
    /// A legal move in coordinates: `e2e4`, `e7e8q`, `W@b2`; castling as the game has it.
    pub fn text(&self, m: Move) -> String {
        let width = self.width();
        let Some(from) = m.from else {
            let piece = char::from(m.piece.unwrap_or(b'P'));
            return format!("{piece}@{}", name(m.to, width));
        };
        let to = match (self.castles(m), self) {
            (Some(king), Self::Chess(c)) if !c.free() => king,
            _ => m.to,
        };
        let piece = m.piece.map(|p| char::from(p.to_ascii_lowercase()));
        format!(
            "{}{}{}",
            name(from, width),
            name(to, width),
            piece.map_or(String::new(), String::from)
        )
    }

    /// A legal move as XBoard has it: castling from a free array is written with letters.
    pub fn xboard(&self, m: Move) -> String {
        match (self.castles(m), self) {
            (Some(_), Self::Chess(c)) if c.free() => castling(m).to_owned(),
            _ => self.text(m),
        }
    }

    /// Reads a legal move in coordinates or in short notation.
    pub fn find(&self, text: &str) -> Option<Move> {
        let text = text.trim_end_matches(['+', '#', '!', '?']);
        if text.len() < 2 || text.len() > 10 || !text.is_ascii() {
            return None;
        }
        let all = self.moves();
        let letters = text.replace('0', "O");
        let promoted = text.replace('=', "");
        let same = |a: &str, b: &str| a.eq_ignore_ascii_case(b);
        let found = all.iter().find(|&&m| {
            let short = self.castles(m).is_some() && same(castling(m), &letters);
            let width = self.width();
            // A king onto his rook is understood in any game.
            let rook = self.castles(m).is_some()
                && m.from
                    .is_some_and(|f| same(&(name(f, width) + &name(m.to, width)), &promoted));
            same(&self.text(m), &promoted) || short || rook
        });
        let short = || {
            all.iter().find(|&&m| {
                let san = self.short(m, &all);
                san.trim_end_matches(['+', '#']).replace('=', "") == promoted
            })
        };
        found.or_else(short).copied()
    }

    /// A legal move in the short notation of PGN.
    pub fn san(&self, m: Move) -> String {
        let text = self.short(m, &self.moves());
        let next = self.play(m);
        match (next.in_check(), next.moves().is_empty()) {
            (true, true) => text + "#",
            (true, false) => text + "+",
            _ => text,
        }
    }

    fn short(&self, m: Move, all: &[Move]) -> String {
        let width = self.width();
        let squares = self.squares();
        let Some(from) = m.from else {
            return self.text(m);
        };
        if self.castles(m).is_some() {
            return castling(m).to_owned();
        }
        let man = |s: u8| squares[usize::from(s)].to_ascii_uppercase();
        let takes = squares[usize::from(m.to)] != b'.' || self.passes(m);
        let cross = if takes { "x" } else { "" };
        let own = name(from, width);
        if man(from) == b'P' {
            let before = if takes { &own[..1] } else { "" };
            let piece = m.piece.map(|p| format!("={}", char::from(p)));
            let to = name(m.to, width);
            return format!("{before}{cross}{to}{}", piece.unwrap_or_default());
        }
        let others = all.iter().filter_map(|o| {
            let f = o.from?;
            let rival = f != from && o.to == m.to && man(f) == man(from);
            (rival && self.castles(*o).is_none()).then_some(f)
        });
        let others: Vec<u8> = others.collect();
        let tell = if others.is_empty() {
            ""
        } else if others.iter().all(|o| o % width != from % width) {
            &own[..1]
        } else if others.iter().all(|o| o / width != from / width) {
            &own[1..]
        } else {
            &own[..]
        };
        let piece = char::from(man(from));
        format!("{piece}{tell}{cross}{}", name(m.to, width))
    }
}

fn castling(m: Move) -> &'static str {
    match m.from.is_some_and(|f| m.to > f) {
        true => "O-O",
        false => "O-O-O",
    }
}
