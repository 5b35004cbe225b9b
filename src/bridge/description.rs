//! What a program says of itself in the table `[bridge]` of its `program.toml`: where its
//! squares are, what its men are called, how a move is typed and when it has answered.
//! This file reads it and refuses what cannot be; `places` finds the addresses.
//!
//! ```toml
//! [bridge]
//! game = "chess"
//! ready = ["wait"]            # labels: it waits for a key
//! stops = ["main"]            # labels that it passes when a move was made
//! [bridge.board]
//! a1 = "squares"
//! file = 1
//! rank = -10
//! men = { P = 0x35, p = 0xb5 } # … and all others
//! [bridge.enter]
//! by = "keys"
//! files = "ABCDEFGH"
//! ranks = "12345678"
//! [bridge.go]
//! keys = ["NEWLINE"]
//! ```

use super::rules::Game;
use crate::session::manifest::told;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::ops::Range;
use toml::Spanned;

/// Most entries of any list, and letters of any text.
const MOST: usize = 200;
/// Most seconds of the machine that it may be waited for.
const LONGEST: u64 = 3600;
/// Most frames that a key is held.
const MOST_FRAMES: u64 = 1000;

/// What is wrong, and at which bytes of the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wrong {
    /// Where.
    pub range: Range<usize>,
    /// What.
    pub message: String,
}

/// A place or a value: a number, or a name with a number added, `squares+4`; `@18` counts
/// from what the board's pointer points at.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub enum Term {
    /// A number.
    Number(i64),
    /// A text.
    Text(String),
}

/// The table.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Description {
    /// Which game it plays.
    pub game: Spanned<Game>,
    /// Labels at which it waits for keys.
    #[serde(default)]
    pub ready: Vec<Spanned<Term>>,
    /// Labels at which the board is looked at while a move is awaited.
    #[serde(default)]
    pub stops: Vec<Spanned<Term>>,
    /// Instead of labels: cells that have these values when it waits.
    #[serde(default)]
    pub still: Vec<Still>,
    /// Which side it can play.
    #[serde(default)]
    pub plays: Sides,
    /// Rules that it does not have: such moves are put into its memory.
    #[serde(default)]
    pub lacks: Vec<Rule>,
    /// Seconds of the machine after which it is held for dead.
    pub patience: Option<Spanned<u64>>,
    /// Cells that are written before it starts.
    #[serde(default)]
    pub power: Vec<Cell>,
    /// Keys that lead to a game of two people.
    #[serde(default)]
    pub begin: Vec<Spanned<String>>,
    /// The board in its memory.
    pub board: BoardTable,
    /// What else makes a position.
    #[serde(default)]
    pub cells: Vec<Cell>,
    /// Positions cannot be put into its memory: all moves are typed.
    #[serde(default)]
    pub replays: bool,
    /// How a move is typed.
    pub enter: Enter,
    /// How it is asked to move.
    pub go: Go,
    /// Seconds that it takes at most at each level, from level 1.
    #[serde(default)]
    pub levels: Vec<f64>,
    /// The level that it has unless told otherwise.
    pub level: Option<Spanned<u64>>,
    /// Keys that end its thinking.
    #[serde(default)]
    pub stop: Vec<Spanned<String>>,
}

/// A cell and its value.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Still {
    /// Where.
    pub at: Spanned<Term>,
    /// What is there.
    pub is: Spanned<Term>,
}

/// Sides.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Sides {
    /// Either.
    #[default]
    Both,
    /// Black only; for White it is given the board with the colours exchanged.
    Black,
}

/// Rules that a program may lack.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Rule {
    /// Castling.
    Castling,
    /// Taking in passing.
    Passing,
    /// Promotion to anything but a queen.
    Promotion,
}

/// Where the squares are and what stands on them.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BoardTable {
    /// Address of a1; of boards of bits the number of its bit.
    pub a1: Spanned<Term>,
    /// Address of a1 where a position is written, if that is another.
    pub into: Option<Spanned<Term>>,
    /// From a file to the next.
    pub file: i64,
    /// From a rank to the next.
    pub rank: i64,
    /// The number of a square, for cells that hold one, is its address shifted right so.
    #[serde(default)]
    pub shift: u32,
    /// Bits of a square that count.
    #[serde(default = "all_bits")]
    pub mask: u8,
    /// Set on men that have not moved yet and whose rights depend on it.
    #[serde(default)]
    pub unmoved: u8,
    /// Letters of FEN and their bytes, or boards of bits and where they are; an empty square
    /// is 0.
    pub men: BTreeMap<String, Spanned<Term>>,
    /// Bytes of men that were pawns.
    #[serde(default)]
    pub former: BTreeMap<String, Spanned<Term>>,
    /// The squares are boards of 16 bits.
    pub bits: Option<Bits>,
    /// A register with an address that is added to all that begin with `@`.
    pub pointer: Option<Spanned<String>>,
    /// What is added to that register.
    pub origin: Option<Spanned<Term>>,
}

/// Boards of 16 bits, low byte first, beside those of the kinds.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bits {
    /// All men of White.
    pub white: Spanned<Term>,
    /// All men of Black.
    pub black: Spanned<Term>,
    /// Men that were pawns.
    pub former: Spanned<Term>,
}

fn all_bits() -> u8 {
    0xff
}

/// A cell of a position: where it is, and one way to say what it holds.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cell {
    /// A label, a number, or a register.
    pub at: Spanned<Term>,
    /// Only where this side is to move.
    pub when: Option<Side>,
    /// Always this.
    pub value: Option<Spanned<Term>>,
    /// With White to move this, …
    pub white: Option<Spanned<Term>>,
    /// … with Black to move that.
    pub black: Option<Spanned<Term>>,
    /// Where one of these rights to castle is there, of `KQkq`, `yes`, otherwise `no`.
    pub right: Option<Spanned<String>>,
    /// See `right`.
    pub yes: Option<Spanned<Term>>,
    /// See `right`.
    pub no: Option<Spanned<Term>>,
    /// A sum: what each right to castle counts.
    pub rights: Option<BTreeMap<String, u8>>,
    /// The square of a pawn that can be taken in passing, otherwise this.
    pub passing: Option<Spanned<Term>>,
    /// A number.
    pub count: Option<Count>,
    /// How many of a man are in hand, added to `plus`.
    pub hand: Option<Spanned<String>>,
    /// See `hand`.
    #[serde(default)]
    pub plus: u8,
    /// Several hands in one byte: letters and how far they are shifted.
    pub hands: Option<BTreeMap<String, u8>>,
    /// `count` is shifted left so.
    #[serde(default)]
    pub shift: u8,
}

/// Sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// White.
    White,
    /// Black.
    Black,
}

/// What a cell may count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Count {
    /// Plies since a pawn has moved or a man was taken.
    Fifty,
    /// The level.
    Level,
    /// The number of the array, low byte.
    Array,
    /// The number of the array, high byte.
    ArrayHigh,
}

/// How moves are typed.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Enter {
    /// In which way.
    pub by: Way,
    /// Keys of the files from a.
    #[serde(default)]
    pub files: String,
    /// Keys of the ranks from 1.
    #[serde(default)]
    pub ranks: String,
    /// The rank is typed before the file.
    #[serde(default)]
    pub rank_first: bool,
    /// Keys for what a pawn becomes, with commas between.
    #[serde(default)]
    pub promote: BTreeMap<String, Spanned<String>>,
    /// Keys for what is dropped.
    #[serde(default)]
    pub drops: BTreeMap<String, Spanned<String>>,
    /// Castling is the king onto his rook.
    #[serde(default)]
    pub onto_rook: bool,
    /// Frames that a key is held.
    #[serde(default = "three")]
    pub hold: u64,
    /// Frames between keys.
    #[serde(default = "one")]
    pub gap: u64,
    /// A key is held until the program comes here.
    pub taken: Option<Spanned<Term>>,
    /// The cell of a cursor's square.
    pub cursor: Option<Spanned<Term>>,
    /// Keys that move it: left, right, down, up.
    #[serde(default)]
    pub arrows: Vec<Spanned<String>>,
    /// The key that takes a man and puts it down.
    pub take: Option<Spanned<String>>,
    /// What ends a line at the serial terminal.
    #[serde(default)]
    pub end: String,
}

fn three() -> u64 {
    3
}

fn one() -> u64 {
    1
}

/// Ways to type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Way {
    /// A key for each file and rank.
    Keys,
    /// A line at the serial terminal.
    Serial,
    /// A cursor.
    Cursor,
}

/// How it is asked to move, with the position on its board.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Go {
    /// Cells that make it the player of the side to move.
    #[serde(default)]
    pub cells: Vec<Cell>,
    /// A label at which its memory may be written and it may be sent elsewhere.
    pub from: Option<Spanned<Term>>,
    /// Where it goes on.
    pub start: Option<Spanned<Term>>,
    /// Keys.
    #[serde(default)]
    pub keys: Vec<Spanned<String>>,
    /// What is typed at the serial terminal; `{level}` is the level.
    #[serde(default)]
    pub serial: String,
}

#[derive(Deserialize)]
struct File {
    bridge: Option<Spanned<Description>>,
}

/// Reads the table of a `program.toml`, given its whole text; nothing if it has none.
///
/// # Errors
/// What is wrong with it.
pub fn read(text: &str) -> Result<Option<Description>, Wrong> {
    let file: File = toml::from_str(text).map_err(|e| Wrong {
        range: e.span().unwrap_or(0..0),
        message: told(e.message()),
    })?;
    let Some(table) = file.bridge else {
        return Ok(None);
    };
    let range = table.span();
    let table = table.into_inner();
    match table.fault() {
        None => Ok(Some(table)),
        Some((at, message)) => Err(Wrong {
            range: at.unwrap_or(range),
            message,
        }),
    }
}

type Fault = (Option<Range<usize>>, String);

impl Description {
    /// What cannot be, if anything.
    fn fault(&self) -> Option<Fault> {
        let somewhere = |text: &str| Some((None, text.to_owned()));
        if self.stops.is_empty() == self.still.is_empty() {
            return somewhere("either `stops` or `still` tells when it has moved");
        }
        let lists = [
            self.ready.len(),
            self.stops.len(),
            self.still.len(),
            self.power.len(),
            self.begin.len(),
            self.cells.len(),
            self.board.men.len(),
            self.board.former.len(),
            self.enter.promote.len(),
            self.enter.drops.len(),
            self.go.cells.len(),
            self.go.keys.len(),
            self.levels.len(),
            self.stop.len(),
        ];
        if lists.iter().any(|&n| n > MOST) {
            return Some((None, format!("a list has {MOST} entries at most")));
        }
        let most = self
            .patience
            .as_ref()
            .filter(|p| !(1..=LONGEST).contains(p.get_ref()));
        if let Some(p) = most {
            return Some((
                Some(p.span()),
                format!("1 to {LONGEST} seconds of patience"),
            ));
        }
        if self.levels.iter().any(|s| !(0.0..=86_400.0).contains(s)) {
            return somewhere("a level takes 0 to 86400 seconds");
        }
        let level = self.level.as_ref();
        if let Some(l) = level.filter(|l| !(1..=self.levels.len() as u64).contains(l.get_ref())) {
            return Some((
                Some(l.span()),
                format!("there are {} levels", self.levels.len()),
            ));
        }
        let cells = self.power.iter().chain(&self.cells).chain(&self.go.cells);
        let cells = cells.filter_map(Cell::fault);
        self.board
            .fault(*self.game.get_ref())
            .or_else(|| self.enter.fault(*self.game.get_ref()))
            .or_else(|| cells.into_iter().next())
    }
}

impl Cell {
    fn fault(&self) -> Option<Fault> {
        let ways = [
            self.value.is_some(),
            self.white.is_some() && self.black.is_some(),
            self.right.is_some() && self.yes.is_some() && self.no.is_some(),
            self.rights.is_some(),
            self.passing.is_some(),
            self.count.is_some(),
            self.hand.is_some(),
            self.hands.is_some(),
        ];
        let at = |text: &str| Some((Some(self.at.span()), text.to_owned()));
        if ways.iter().filter(|&&w| w).count() != 1 {
            return at(
                "a cell has one of: value; white and black; right, yes and no; rights; passing; \
                 count; hand; hands",
            );
        }
        let shifts = self.hands.iter().flatten().map(|h| *h.1);
        if self.shift > 7 || shifts.into_iter().any(|s| s > 6) {
            return at("a byte has 8 bits");
        }
        let known = |t: &str, of: &str| t.chars().all(|c| of.contains(c));
        let right = self.right.iter().map(|r| r.get_ref().as_str());
        let rights = self.rights.iter().flatten().map(|r| r.0.as_str());
        if !right
            .chain(rights)
            .all(|r| !r.is_empty() && known(r, "KQkq"))
        {
            return at("rights are of KQkq");
        }
        None
    }
}

impl BoardTable {
    fn fault(&self, game: Game) -> Option<Fault> {
        let at = |text: String| Some((Some(self.a1.span()), text));
        let far = |n: i64| !(-0x1000..=0x1000).contains(&n) || n == 0;
        if far(self.file) || far(self.rank) || self.shift > 16 {
            return at(
                "the step from a file or rank to the next is -4096 to 4096, and not 0".into(),
            );
        }
        let mut wanted: Vec<String> = game.men().chars().map(String::from).collect();
        if self.bits.is_none() {
            wanted.extend(game.men().to_lowercase().chars().map(String::from));
        } else if game.width() != 4 {
            return at("boards of 16 bits have 16 squares".into());
        }
        if let Some(missing) = wanted.iter().find(|w| !self.men.contains_key(*w)) {
            return at(format!("`men` has no {missing}"));
        }
        let odd = self.men.keys().chain(self.former.keys());
        let odd = odd.into_iter().find(|m| !wanted.contains(m));
        odd.map(|m| (Some(self.a1.span()), format!("there is no man {m:?}")))
    }
}

impl Enter {
    fn fault(&self, game: Game) -> Option<Fault> {
        let wrong = |text: &str| Some((None, format!("`enter`: {text}")));
        let width = usize::from(game.width());
        if self.hold > MOST_FRAMES || self.gap > MOST_FRAMES {
            return wrong("a key is held 1000 frames at most");
        }
        let count = |t: &str| t.chars().count();
        match self.by {
            Way::Keys if count(&self.files) != width || count(&self.ranks) != width => {
                wrong("a key for each file and rank in `files` and `ranks`")
            }
            Way::Cursor
                if self.arrows.len() != 4 || self.cursor.is_none() || self.take.is_none() =>
            {
                wrong("a cursor has a cell `cursor`, four `arrows` and a key to `take`")
            }
            _ => None,
        }
    }
}
