//! A Tinyhouse referee on a board of sixteen letters, for the tests of the programs that
//! play it on bit boards or on a screen.
//!
//! Squares count from a1 = 0 along the ranks, so b1 = 1 and a2 = 4. Pieces are FEN letters,
//! capital for White: K king, W wazir, F ferz, H Ma, P pawn.

use std::collections::HashMap;
use std::fmt;

/// No piece on the square.
pub const EMPTY: u8 = b'.';

/// The initial position.
pub const START: &str = "fhwk/3p/P3/KWHF[] w";

/// What can be in hand, in the order of [`Position::hands`].
pub const HAND: [u8; 4] = *b"PWHF";

const ORTHOGONAL: [(i8, i8); 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];
const DIAGONAL: [(i8, i8); 4] = [(1, 1), (1, -1), (-1, 1), (-1, -1)];

/// Where pawns may be dropped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rules {
    /// Not on ranks 1 and 4.
    Text,
    /// Not on the dropper's last rank.
    Author,
}

/// Pieces, hands, and the side to move.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    pub board: [u8; 16],
    /// Bit n: what stands on square n was a pawn.
    pub former: u16,
    /// How many pawns, wazirs, Ma and ferzes White and Black have in hand.
    pub hands: [[u8; 4]; 2],
    pub white: bool,
}

/// A move; its pieces are capital letters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Move {
    Walk { from: u8, to: u8 },
    Promote { from: u8, to: u8, piece: u8 },
    Drop { piece: u8, to: u8 },
}

/// How a game stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    Playing,
    Checkmate,
    Stalemate,
    /// The position is there for the third time.
    Repetition,
}

/// Name of a square.
fn name(square: u8) -> String {
    format!("{}{}", char::from(b'a' + square % 4), square / 4 + 1)
}

fn parse_square(text: &str) -> Option<u8> {
    match text.as_bytes() {
        [f @ b'a'..=b'd', r @ b'1'..=b'4'] => Some(f - b'a' + 4 * (r - b'1')),
        _ => None,
    }
}

impl fmt::Display for Move {
    /// As it is typed: `a2a3`, `a3a4w`, `W@b2`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Move::Walk { from, to } => write!(f, "{}{}", name(from), name(to)),
            Move::Promote { from, to, piece } => {
                let piece = char::from(piece.to_ascii_lowercase());
                write!(f, "{}{}{piece}", name(from), name(to))
            }
            Move::Drop { piece, to } => write!(f, "{}@{}", char::from(piece), name(to)),
        }
    }
}

impl Move {
    /// Reads what [`fmt::Display`] writes.
    pub fn parse(text: &str) -> Option<Move> {
        let piece = |letter: u8| HAND.contains(&letter).then_some(letter);
        if text.as_bytes().get(1) == Some(&b'@') {
            let to = parse_square(text.get(2..)?)?;
            let piece = piece(text.as_bytes()[0])?;
            return Some(Move::Drop { piece, to });
        }
        let (from, to) = (
            parse_square(text.get(..2)?)?,
            parse_square(text.get(2..4)?)?,
        );
        match text.as_bytes()[4..] {
            [] => Some(Move::Walk { from, to }),
            [letter] => {
                let piece = piece(letter.to_ascii_uppercase())?;
                Some(Move::Promote { from, to, piece })
            }
            _ => None,
        }
    }

    /// Where it goes to.
    pub fn to(&self) -> u8 {
        match *self {
            Move::Walk { to, .. } | Move::Promote { to, .. } | Move::Drop { to, .. } => to,
        }
    }

    /// Where it comes from; `None` if from the hand.
    pub fn from(&self) -> Option<u8> {
        match *self {
            Move::Walk { from, .. } | Move::Promote { from, .. } => Some(from),
            Move::Drop { .. } => None,
        }
    }
}

/// A step from a square; `None` off the board.
fn step(square: u8, (files, ranks): (i8, i8)) -> Option<u8> {
    let file = (square % 4) as i8 + files;
    let rank = (square / 4) as i8 + ranks;
    ((0..4).contains(&file) && (0..4).contains(&rank)).then(|| (4 * rank + file) as u8)
}

impl Position {
    /// Reads a FEN: ranks from 4 to 1, `~` behind what was a pawn, hands in brackets, side.
    ///
    /// # Panics
    /// If it is none.
    pub fn new(fen: &str) -> Position {
        let mut position = Position {
            board: [EMPTY; 16],
            former: 0,
            hands: [[0; 4]; 2],
            white: fen.ends_with('w'),
        };
        let (ranks, rest) = fen.split_once('[').expect("hands");
        for (rank, row) in (0..4).rev().zip(ranks.split('/')) {
            let mut square = 4 * rank;
            for letter in row.bytes() {
                match letter {
                    b'1'..=b'4' => square += usize::from(letter - b'0'),
                    b'~' => position.former |= 1 << (square - 1),
                    _ => {
                        position.board[square] = letter;
                        square += 1;
                    }
                }
            }
            assert_eq!(square, 4 * rank + 4, "{fen}");
        }
        let (hands, side) = rest.split_once("] ").expect("a side");
        assert!(side == "w" || side == "b", "{fen}");
        for letter in hands.bytes() {
            *position.hand(letter) += 1;
        }
        position
    }

    /// The initial position.
    pub fn start() -> Position {
        Position::new(START)
    }

    /// How many of a piece are in the hand of its colour.
    fn hand(&mut self, letter: u8) -> &mut u8 {
        let kind = HAND.iter().position(|&k| k == letter.to_ascii_uppercase());
        &mut self.hands[usize::from(letter.is_ascii_lowercase())][kind.expect("a kind")]
    }

    /// The FEN.
    pub fn fen(&self) -> String {
        let mut text = String::new();
        for rank in (0..4).rev() {
            let mut gap = 0;
            for square in 4 * rank..4 * rank + 4 {
                if self.board[square] == EMPTY {
                    gap += 1;
                    continue;
                }
                if gap > 0 {
                    text += &gap.to_string();
                    gap = 0;
                }
                text.push(char::from(self.board[square]));
                if self.former >> square & 1 != 0 {
                    text.push('~');
                }
            }
            if gap > 0 {
                text += &gap.to_string();
            }
            text.push(if rank > 0 { '/' } else { '[' });
        }
        for (hand, black) in self.hands.iter().zip([false, true]) {
            for (&count, letter) in hand.iter().zip(HAND) {
                let letter = if black {
                    letter.to_ascii_lowercase()
                } else {
                    letter
                };
                text.extend((0..count).map(|_| char::from(letter)));
            }
        }
        text + if self.white { "] w" } else { "] b" }
    }

    /// A capital letter in the case of the side to move.
    fn cased(&self, letter: u8) -> u8 {
        if self.white {
            letter
        } else {
            letter.to_ascii_lowercase()
        }
    }

    fn own(&self, square: u8) -> bool {
        let letter = self.board[usize::from(square)];
        letter != EMPTY && letter.is_ascii_uppercase() == self.white
    }

    fn empty(&self, square: u8) -> bool {
        self.board[usize::from(square)] == EMPTY
    }

    /// The squares that the piece on a square attacks; of a pawn those where it takes.
    fn attacks(&self, from: u8) -> Vec<u8> {
        let letter = self.board[usize::from(from)];
        let steps = |all: &[(i8, i8)]| all.iter().filter_map(|&s| step(from, s)).collect();
        match letter.to_ascii_uppercase() {
            b'K' => steps(&[ORTHOGONAL, DIAGONAL].concat()),
            b'W' => steps(&ORTHOGONAL),
            b'F' => steps(&DIAGONAL),
            b'H' => {
                let mut all = Vec::new();
                for leg in ORTHOGONAL {
                    let Some(first) = step(from, leg).filter(|&s| self.empty(s)) else {
                        continue;
                    };
                    // On by a diagonal step that goes the same way.
                    let on = DIAGONAL.iter().filter(|d| d.0 == leg.0 || d.1 == leg.1);
                    all.extend(on.filter_map(|&d| step(first, d)));
                }
                all
            }
            b'P' => {
                let ahead = if letter == b'P' { 1 } else { -1 };
                steps(&[(-1, ahead), (1, ahead)])
            }
            _ => Vec::new(),
        }
    }

    /// Whether the king of a side is attacked.
    pub fn in_check(&self, white: bool) -> bool {
        let king = if white { b'K' } else { b'k' };
        (0..16).any(|from: u8| {
            let letter = self.board[usize::from(from)];
            letter != EMPTY
                && letter.is_ascii_uppercase() != white
                && self
                    .attacks(from)
                    .iter()
                    .any(|&to| self.board[usize::from(to)] == king)
        })
    }

    /// Moves of the side to move, those too that leave its king attacked.
    fn pseudo_legal(&self, rules: Rules) -> Vec<Move> {
        let mut all = Vec::new();
        let (first, last) = if self.white { (0, 3) } else { (3, 0) };
        for from in (0..16).filter(|&from| self.own(from)) {
            if !self.board[usize::from(from)].eq_ignore_ascii_case(&b'P') {
                let to = self.attacks(from).into_iter().filter(|&to| !self.own(to));
                all.extend(to.map(|to| Move::Walk { from, to }));
                continue;
            }
            let ahead = step(from, (0, if self.white { 1 } else { -1 }));
            let ahead = ahead.into_iter().filter(|&to| self.empty(to));
            let takes = self.attacks(from).into_iter();
            let takes = takes.filter(|&to| !self.own(to) && !self.empty(to));
            for to in ahead.chain(takes) {
                if to / 4 == last {
                    all.extend(b"WHF".map(|piece| Move::Promote { from, to, piece }));
                } else {
                    all.push(Move::Walk { from, to });
                }
            }
        }
        for (piece, count) in HAND.into_iter().zip(self.hands[usize::from(!self.white)]) {
            for to in (0..16).filter(|&to| count > 0 && self.empty(to)) {
                let barred = to / 4 == last || rules == Rules::Text && to / 4 == first;
                if piece != b'P' || !barred {
                    all.push(Move::Drop { piece, to });
                }
            }
        }
        all
    }

    /// The position after a move, whose legality is not looked at.
    pub fn play(&self, m: Move) -> Position {
        let mut next = self.clone();
        let to = usize::from(m.to());
        let taken = self.board[to];
        if taken != EMPTY {
            let was_pawn = self.former >> to & 1 != 0;
            let gained = if was_pawn {
                b'P'
            } else {
                taken.to_ascii_uppercase()
            };
            if gained != b'K' {
                *next.hand(self.cased(gained)) += 1;
            }
        }
        next.former &= !(1 << to);
        match m {
            Move::Drop { piece, .. } => {
                *next.hand(self.cased(piece)) -= 1;
                next.board[to] = self.cased(piece);
            }
            Move::Walk { from, .. } | Move::Promote { from, .. } => {
                let from = usize::from(from);
                next.board[to] = self.board[from];
                next.former |= (self.former >> from & 1) << to;
                next.board[from] = EMPTY;
                next.former &= !(1 << from);
            }
        }
        if let Move::Promote { piece, .. } = m {
            next.board[to] = self.cased(piece);
            next.former |= 1 << to;
        }
        next.white = !self.white;
        next
    }

    /// The legal moves.
    pub fn moves(&self, rules: Rules) -> Vec<Move> {
        let mut all = self.pseudo_legal(rules);
        all.retain(|&m| !self.play(m).in_check(self.white));
        all
    }

    /// How many games of so many plies there are.
    pub fn perft(&self, plies: u32, rules: Rules) -> u64 {
        if plies == 0 {
            return 1;
        }
        let all = self.moves(rules);
        if plies == 1 {
            return all.len() as u64;
        }
        all.into_iter()
            .map(|m| self.play(m).perft(plies - 1, rules))
            .sum()
    }

    /// Mate, stalemate, or neither.
    pub fn status(&self, rules: Rules) -> Status {
        if !self.moves(rules).is_empty() {
            Status::Playing
        } else if self.in_check(self.white) {
            Status::Checkmate
        } else {
            Status::Stalemate
        }
    }
}

/// A game with its past.
#[derive(Clone, Debug)]
pub struct Game {
    pub position: Position,
    pub rules: Rules,
    times: HashMap<Position, u32>,
}

impl Game {
    /// From a position, which is there for the first time.
    pub fn new(position: Position, rules: Rules) -> Game {
        let times = HashMap::from([(position.clone(), 1)]);
        Game {
            position,
            rules,
            times,
        }
    }

    /// Plays a move.
    pub fn play(&mut self, m: Move) {
        self.position = self.position.play(m);
        *self.times.entry(self.position.clone()).or_default() += 1;
    }

    /// How often the position has been there.
    pub fn times(&self) -> u32 {
        self.times[&self.position]
    }

    /// How the game stands; mate and stalemate before repetition.
    pub fn status(&self) -> Status {
        match self.position.status(self.rules) {
            Status::Playing if self.times() >= 3 => Status::Repetition,
            other => other,
        }
    }
}

/// A position of `tinyhouse.txt`.
pub struct Entry {
    pub name: &'static str,
    pub fen: &'static str,
    /// Games of 1, 2, … plies with [`Rules::Text`] and with [`Rules::Author`].
    pub perft: [Vec<u64>; 2],
}

/// The positions whose numbers are known.
pub fn entries() -> Vec<Entry> {
    let lines = include_str!("tinyhouse.txt").lines();
    let numbers = |text: &str| {
        text.split(' ')
            .map(|n| n.parse().expect("a number"))
            .collect()
    };
    lines
        .filter(|line| !line.starts_with('#'))
        .map(|line| {
            let fields: Vec<_> = line.split(';').collect();
            let [name, fen, text, author] = fields[..] else {
                panic!("{line}");
            };
            let perft = [numbers(text), numbers(author)];
            Entry { name, fen, perft }
        })
        .collect()
}

/// Mate puzzles: FEN, moves of a winning line from the first to the mating one.
pub const PUZZLES: [(&str, &[&str]); 4] = [
    ("4/2h1/3k/K3[w] b", &["W@a2"]),
    ("f2f/2W1/P2p/K1k1[WHH] w", &["W@b1", "c1d1", "H@b2"]),
    ("4/H2k/1K1p/4[WPwhffp] w", &["P@c2", "d3d4", "W@d3"]),
    (
        "1h2/1P1k/2w1/1KhF[Wwf] b",
        &["W@b2", "b1a1", "b2a2", "a1b1", "c2b2", "b1c1", "F@d2"],
    ),
];

/// Compares the referee with the numbers up to `most` games a number.
fn compare(most: u64) -> u32 {
    let mut compared = 0;
    for entry in entries() {
        let position = Position::new(entry.fen);
        for (rules, numbers) in [Rules::Text, Rules::Author].into_iter().zip(entry.perft) {
            for (plies, want) in (1..).zip(numbers).filter(|n| n.1 <= most) {
                assert_eq!(position.perft(plies, rules), want, "{} {plies}", entry.name);
                compared += 1;
            }
        }
    }
    compared
}

#[test]
fn the_referee_counts_games() {
    assert!(compare(3000) > 200);
}

#[test]
#[ignore = "slow"]
fn slow_the_referee_counts_more_games() {
    assert!(compare(40_000) > 280);
}

#[test]
fn positions_and_moves_are_read_as_they_are_written() {
    for entry in entries() {
        let position = Position::new(entry.fen);
        let again = Position::new(&position.fen());
        assert_eq!(position, again);
        for m in position.moves(Rules::Author) {
            assert_eq!(Move::parse(&m.to_string()), Some(m));
            let is_own = |from| position.own(from);
            assert!(m.from().is_none_or(is_own) && !position.own(m.to()));
        }
    }
    assert_eq!(Position::start().fen(), START);
    for bad in ["", "a2", "a2e3", "a2a3k", "K@a1", "W@a", "a2a3ww"] {
        assert_eq!(Move::parse(bad), None, "{bad}");
    }
}

#[test]
fn puzzles_end_in_mate() {
    for (fen, line) in PUZZLES {
        let mut position = Position::new(fen);
        for text in line {
            let m = Move::parse(text).expect("a move");
            assert!(position.moves(Rules::Text).contains(&m), "{fen} {text}");
            position = position.play(m);
        }
        assert_eq!(position.status(Rules::Text), Status::Checkmate, "{fen}");
    }
}

#[test]
fn ends_are_seen() {
    let status = |fen| Position::new(fen).status(Rules::Text);
    assert_eq!(status("4/2h1/w2k/K3[] w"), Status::Checkmate);
    assert_eq!(status("k1W1/2W1/1F2/3K[] b"), Status::Stalemate);
    let mut game = Game::new(Position::new("k3/4/4/3K[] w"), Rules::Text);
    for (number, text) in ["d1d2", "a4a3", "d2d1", "a3a4"]
        .iter()
        .cycle()
        .take(8)
        .enumerate()
    {
        assert_eq!(game.status(), Status::Playing, "{number}");
        game.play(Move::parse(text).expect("a move"));
    }
    assert_eq!(game.status(), Status::Repetition);
}
