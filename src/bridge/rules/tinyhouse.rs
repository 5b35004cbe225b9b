//! Tinyhouse: wazirs, ferzes, horses and pawns on four by four squares, and what is taken
//! is dropped. Pawns are not dropped on the first and last rank; who cannot move and is not
//! in check has won.

use super::moves::Move;

/// The initial position.
const START: &str = "fhwk/3p/P3/KWHF[] w";
/// What can be in hand.
const HAND: [u8; 4] = *b"PWHF";
const STRAIGHT: [(i8, i8); 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];
const SLANTING: [(i8, i8); 4] = [(1, 1), (1, -1), (-1, 1), (-1, -1)];
/// Most men of a kind in a hand: there are two of each, and two pawns.
const MOST: u8 = 2;

/// Men, hands, and the side to move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tinyhouse {
    pub board: [u8; 16],
    /// Bit n: what stands on square n was a pawn.
    pub former: u16,
    hands: [[u8; 4]; 2],
    pub white: bool,
}

fn step(square: u8, (files, ranks): (i8, i8)) -> Option<u8> {
    let (file, rank) = ((square % 4) as i8 + files, (square / 4) as i8 + ranks);
    ((0..4).contains(&file) && (0..4).contains(&rank)).then_some((4 * rank + file) as u8)
}

impl Tinyhouse {
    pub fn start() -> Self {
        Self::read(START).expect("it is one")
    }

    pub fn read(fen: &str) -> Result<Self, String> {
        let mut out = Self {
            board: [b'.'; 16],
            former: 0,
            hands: [[0; 4]; 2],
            white: true,
        };
        let (men, rest) = fen.split_once('[').ok_or("the hands are missing: []")?;
        let (hands, side) = rest.split_once(']').ok_or("the hands do not end: ]")?;
        let rows: Vec<&str> = men.trim().split('/').collect();
        if rows.len() != 4 {
            return Err(format!("{} ranks and not 4", rows.len()));
        }
        for (rank, row) in (0..4u8).rev().zip(rows) {
            let mut file = 0;
            for c in row.bytes() {
                match c {
                    b'1'..=b'4' => file += c - b'0',
                    b'~' if file > 0 && file <= 4 => out.former |= 1 << (4 * rank + file - 1),
                    _ if b"PWHFKpwhfk".contains(&c) && file < 4 => {
                        out.board[usize::from(4 * rank + file)] = c;
                        file += 1;
                    }
                    _ => return Err(format!("{:?} stands where no man can", char::from(c))),
                }
                if file > 4 {
                    break;
                }
            }
            if file != 4 {
                return Err(format!("rank {} has not 4 squares", rank + 1));
            }
        }
        for c in hands.trim_matches('-').bytes() {
            let kind = HAND.iter().position(|&h| h == c.to_ascii_uppercase());
            let kind = kind.ok_or_else(|| format!("{:?} in a hand", char::from(c)))?;
            let n = &mut out.hands[usize::from(c.is_ascii_lowercase())][kind];
            *n += 1;
            if *n > MOST {
                return Err(format!("more than {MOST} {} in a hand", char::from(c)));
            }
        }
        out.white = match side.split_whitespace().next() {
            Some("w") | None => true,
            Some("b") => false,
            Some(other) => return Err(format!("{other} is no side; w and b are")),
        };
        for king in *b"Kk" {
            let n = out.board.iter().filter(|&&c| c == king).count();
            if n != 1 {
                return Err(format!("{n} kings {}", char::from(king)));
            }
        }
        if out.board.iter().enumerate().any(|(s, &c)| {
            c == b'P' && s >= 12 || c == b'p' && s < 4 || c == b'.' && out.former >> s & 1 != 0
        }) {
            return Err("a pawn stands on its last rank, or ~ behind nothing".into());
        }
        if out.in_check(!out.white) {
            return Err("the side that has moved is in check".into());
        }
        Ok(out)
    }

    pub fn fen(&self) -> String {
        let mut text = String::new();
        for rank in (0..4u8).rev() {
            let mut gap = 0;
            for s in 4 * rank..4 * rank + 4 {
                let c = self.board[usize::from(s)];
                if c == b'.' {
                    gap += 1;
                    continue;
                }
                if gap > 0 {
                    text += &gap.to_string();
                    gap = 0;
                }
                text.push(c.into());
                if self.former >> s & 1 != 0 {
                    text.push('~');
                }
            }
            if gap > 0 {
                text += &gap.to_string();
            }
            text.push(if rank > 0 { '/' } else { '[' });
        }
        for (black, hand) in self.hands.iter().enumerate() {
            for (&count, letter) in hand.iter().zip(HAND) {
                let letter = letter | if black == 1 { 0x20 } else { 0 };
                text.extend((0..count).map(|_| char::from(letter)));
            }
        }
        text + if self.white {
            "] w - - 0 1"
        } else {
            "] b - - 0 1"
        }
    }

    pub fn hand(&self, letter: u8) -> u8 {
        let kind = HAND.iter().position(|&h| h == letter.to_ascii_uppercase());
        kind.map_or(0, |k| {
            self.hands[usize::from(letter.is_ascii_lowercase())][k]
        })
    }

    fn cased(&self, letter: u8) -> u8 {
        match self.white {
            true => letter,
            false => letter.to_ascii_lowercase(),
        }
    }

    fn at(&self, square: u8) -> u8 {
        self.board[usize::from(square)]
    }

    fn own(&self, square: u8) -> bool {
        let c = self.at(square);
        c != b'.' && c.is_ascii_uppercase() == self.white
    }

    /// The squares that the man on a square attacks; of a pawn those where it takes.
    fn attacks(&self, from: u8) -> Vec<u8> {
        let c = self.at(from);
        let steps = |all: &[(i8, i8)]| all.iter().filter_map(|&s| step(from, s)).collect();
        match c.to_ascii_uppercase() {
            b'K' => steps(&[STRAIGHT, SLANTING].concat()),
            b'W' => steps(&STRAIGHT),
            b'F' => steps(&SLANTING),
            b'H' => {
                let free = |leg| Some((leg, step(from, leg).filter(|&s| self.at(s) == b'.')?));
                let legs = STRAIGHT.into_iter().filter_map(free);
                legs.flat_map(|(leg, first)| {
                    let on = SLANTING
                        .into_iter()
                        .filter(move |d| d.0 == leg.0 || d.1 == leg.1);
                    on.filter_map(move |d| step(first, d))
                })
                .collect()
            }
            b'P' => {
                let ahead = if c == b'P' { 1 } else { -1 };
                steps(&[(-1, ahead), (1, ahead)])
            }
            _ => Vec::new(),
        }
    }

    /// Whether the king of a side is attacked.
    pub fn in_check(&self, white: bool) -> bool {
        let king = if white { b'K' } else { b'k' };
        (0..16).any(|s| {
            let c = self.at(s);
            c != b'.'
                && c.is_ascii_uppercase() != white
                && self.attacks(s).iter().any(|&to| self.at(to) == king)
        })
    }

    pub fn moves(&self) -> Vec<Move> {
        let mut all = Vec::new();
        let last = if self.white { 3 } else { 0 };
        for from in (0..16).filter(|&s| self.own(s)) {
            let mut add = |to: u8, piece| {
                all.push(Move {
                    from: Some(from),
                    to,
                    piece,
                });
            };
            if !self.at(from).eq_ignore_ascii_case(&b'P') {
                let to = self.attacks(from).into_iter().filter(|&to| !self.own(to));
                to.for_each(|to| add(to, None));
                continue;
            }
            let ahead = step(from, (0, if self.white { 1 } else { -1 }));
            let ahead = ahead.into_iter().filter(|&to| self.at(to) == b'.');
            let takes = self.attacks(from).into_iter();
            let takes = takes.filter(|&to| !self.own(to) && self.at(to) != b'.');
            for to in ahead.chain(takes) {
                match to / 4 == last {
                    true => b"WHF".iter().for_each(|&p| add(to, Some(p))),
                    false => add(to, None),
                }
            }
        }
        for piece in HAND {
            if self.hand(self.cased(piece)) == 0 {
                continue;
            }
            let pawn = piece == b'P';
            let free = |&to: &u8| self.at(to) == b'.' && (!pawn || (4..12).contains(&to));
            all.extend((0..16).filter(free).map(|to| Move {
                from: None,
                to,
                piece: Some(piece),
            }));
        }
        all.retain(|&m| !self.play(m).in_check(self.white));
        all.sort_unstable();
        all
    }

    pub fn play(&self, m: Move) -> Self {
        let mut next = self.clone();
        let (side, to) = (usize::from(!self.white), usize::from(m.to & 15));
        let bit = |s: usize| 1u16 << s;
        let kind = |c: u8| HAND.iter().position(|h| h.eq_ignore_ascii_case(&c));
        let taken = match self.former & bit(to) {
            0 => self.board[to],
            _ => b'P',
        };
        if let Some(k) = kind(taken) {
            next.hands[side][k] += 1;
        }
        next.former &= !bit(to);
        match m.from {
            None => {
                if let Some(k) = m.piece.and_then(kind) {
                    next.hands[side][k] = next.hands[side][k].saturating_sub(1);
                }
            }
            Some(from) => {
                let from = usize::from(from & 15);
                next.board[to] = self.board[from];
                next.board[from] = b'.';
                if self.former & bit(from) != 0 || m.piece.is_some() {
                    next.former |= bit(to);
                }
                next.former &= !bit(from);
            }
        }
        if let Some(piece) = m.piece {
            next.board[to] = self.cased(piece);
        }
        next.white = !self.white;
        next
    }
}
