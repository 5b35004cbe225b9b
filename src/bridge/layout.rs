//! The board of a program in its memory: read as letters, written from a position.

use super::description::{BoardTable, Cell, Count, Description, Side, Wrong};
use super::places::{Names, Place, Pointer};
use super::rules::Position;
use scrimp_isa::Simulation;

/// How squares are kept.
#[derive(Clone, Debug)]
enum Men {
    /// A byte a square: letters, bytes, bytes of what was a pawn.
    Bytes(Vec<(u8, u8, Option<u8>)>),
    /// Boards of bits: of each kind, White's and Black's men, what was a pawn.
    Bits(Vec<(u8, Place)>, [Place; 3]),
}

/// The board.
#[derive(Clone, Debug)]
pub struct Layout {
    a1: Place,
    /// Where men are written.
    into: Place,
    table: BoardTable,
    width: u8,
    men: Men,
    /// What `@` counts from.
    pub pointer: Option<Pointer>,
}

fn first(text: &str) -> u8 {
    text.bytes().next().unwrap_or(b'.')
}

impl Layout {
    /// By its description.
    ///
    /// # Errors
    /// A name that the program does not have.
    pub fn of(description: &Description, names: &Names<'_>) -> Result<Self, Wrong> {
        let table = description.board.clone();
        let men = match &table.bits {
            Some(bits) => {
                let mut boards = Vec::new();
                for (letter, place) in &table.men {
                    boards.push((first(letter), names.place(place)?));
                }
                let [white, black, former] = [&bits.white, &bits.black, &bits.former];
                let sides = [
                    names.place(white)?,
                    names.place(black)?,
                    names.place(former)?,
                ];
                Men::Bits(boards, sides)
            }
            None => {
                let mut codes = Vec::new();
                for (letter, code) in &table.men {
                    let former = match table.former.get(letter) {
                        Some(code) => Some(names.value(code)? as u8),
                        None => None,
                    };
                    codes.push((first(letter), names.value(code)? as u8, former));
                }
                Men::Bytes(codes)
            }
        };
        let pointer = match &table.pointer {
            Some(register) => Some(Pointer {
                register: register.get_ref().clone(),
                origin: match &table.origin {
                    Some(origin) => names.value(origin)?,
                    None => 0,
                },
            }),
            None => None,
        };
        Ok(Self {
            a1: names.place(&table.a1)?,
            into: names.place(table.into.as_ref().unwrap_or(&table.a1))?,
            width: description.game.get_ref().width(),
            men,
            pointer,
            table,
        })
    }

    fn step(&self, square: u8) -> i64 {
        let (file, rank) = (square % self.width, square / self.width);
        self.table.file * i64::from(file) + self.table.rank * i64::from(rank)
    }

    fn place(&self, square: u8) -> Place {
        self.a1.plus(self.step(square))
    }

    /// The number that the program has for a square.
    pub fn number(&self, square: u8) -> u8 {
        match self.place(square) {
            Place::Memory(at) => (at >> self.table.shift) as u8,
            _ => 0,
        }
    }

    /// The square of a number.
    pub fn square(&self, number: u8) -> Option<u8> {
        (0..self.width * self.width).find(|&s| self.number(s) == number)
    }

    /// A board of bits as a number, and back.
    fn word(&self, simulation: &dyn Simulation, place: &Place) -> u16 {
        let byte = |n| place.plus(n).get(simulation, self.pointer.as_ref()) as u8;
        u16::from_le_bytes([byte(0), byte(1)])
    }

    /// The bit of a square.
    fn bit(&self, square: u8) -> u16 {
        let Place::Memory(first) = self.a1 else {
            return 0;
        };
        let bit = i64::try_from(first).unwrap_or(0) + self.step(square);
        u16::try_from(bit)
            .ok()
            .and_then(|b| 1u16.checked_shl(b.into()))
            .unwrap_or(0)
    }

    /// Letters of FEN from a1; `?` for a byte that is no man.
    pub fn read(&self, simulation: &dyn Simulation) -> Vec<u8> {
        let squares = 0..self.width * self.width;
        match &self.men {
            Men::Bytes(codes) => {
                let mask = self.table.mask;
                let one = |s| {
                    let byte = self.place(s).get(simulation, self.pointer.as_ref()) as u8 & mask;
                    let is = |c: &&(u8, u8, Option<u8>)| {
                        c.1 & mask == byte || c.2.is_some_and(|f| f & mask == byte)
                    };
                    match codes.iter().find(is) {
                        _ if byte == 0 => b'.',
                        Some(code) => code.0,
                        None => b'?',
                    }
                };
                squares.map(one).collect()
            }
            Men::Bits(boards, [_, black, _]) => {
                let words = boards.iter().map(|b| (b.0, self.word(simulation, &b.1)));
                let words: Vec<(u8, u16)> = words.collect();
                let black = self.word(simulation, black);
                let one = |s| match words.iter().find(|w| w.1 & self.bit(s) != 0) {
                    Some(w) if black & self.bit(s) != 0 => w.0.to_ascii_lowercase(),
                    Some(w) => w.0,
                    None => b'.',
                };
                squares.map(one).collect()
            }
        }
    }

    /// Writes the men of a position.
    pub fn write(&self, simulation: &mut dyn Simulation, position: &Position) {
        let pointer = self.pointer.as_ref();
        let letters = position.squares();
        let unmoved = position.unmoved();
        match &self.men {
            Men::Bytes(codes) => {
                for (s, &letter) in (0..).zip(&letters) {
                    let code = codes.iter().find(|c| c.0 == letter);
                    let flag = if unmoved.contains(&s) {
                        self.table.unmoved
                    } else {
                        0
                    };
                    let byte = match code {
                        Some((_, _, Some(former))) if position.former(s) => *former,
                        Some((_, code, _)) => code | flag,
                        None => 0,
                    };
                    let place = self.into.plus(self.step(s));
                    place.set(simulation, pointer, byte.into());
                }
            }
            Men::Bits(boards, [white, black, former]) => {
                let of = |wanted: &dyn Fn(u8, u8) -> bool| -> u16 {
                    let all = (0..)
                        .zip(&letters)
                        .filter(|&(s, &l)| l != b'.' && wanted(s, l));
                    all.fold(0, |word, (s, _)| word | self.bit(s))
                };
                let mut words: Vec<(&Place, u16)> = boards
                    .iter()
                    .map(|(kind, place)| (place, of(&|_, l| l.eq_ignore_ascii_case(kind))))
                    .collect();
                words.push((white, of(&|_, l| l.is_ascii_uppercase())));
                words.push((black, of(&|_, l| l.is_ascii_lowercase())));
                words.push((former, of(&|s, _| position.former(s))));
                for (place, word) in words {
                    for (n, byte) in (0..).zip(word.to_le_bytes()) {
                        place.plus(n).set(simulation, pointer, byte.into());
                    }
                }
            }
        }
    }
}

/// What a cell holds.
#[derive(Clone, Debug)]
enum Holds {
    Value(u64),
    Side(u64, u64),
    Right(String, u64, u64),
    Rights(Vec<(u8, u8)>),
    Passing(u64),
    Count(Count, u8),
    Hand(u8, u8),
    Hands(Vec<(u8, u8)>),
}

/// A cell with its addresses.
#[derive(Clone, Debug)]
pub struct Written {
    place: Place,
    when: Option<Side>,
    holds: Holds,
}

/// What cells are written from.
pub struct State<'a> {
    /// The position.
    pub position: &'a Position,
    /// The level.
    pub level: u8,
    /// The number of the array.
    pub array: u16,
}

impl Written {
    /// By its description.
    ///
    /// # Errors
    /// A name that the program does not have.
    pub fn of(cell: &Cell, names: &Names<'_>) -> Result<Self, Wrong> {
        let holds = if let Some(value) = &cell.value {
            Holds::Value(names.value(value)?)
        } else if let (Some(white), Some(black)) = (&cell.white, &cell.black) {
            Holds::Side(names.value(white)?, names.value(black)?)
        } else if let (Some(right), Some(yes), Some(no)) = (&cell.right, &cell.yes, &cell.no) {
            Holds::Right(right.get_ref().clone(), names.value(yes)?, names.value(no)?)
        } else if let Some(rights) = &cell.rights {
            Holds::Rights(rights.iter().map(|(r, n)| (first(r), *n)).collect())
        } else if let Some(none) = &cell.passing {
            Holds::Passing(names.value(none)?)
        } else if let Some(count) = cell.count {
            Holds::Count(count, cell.shift)
        } else if let Some(letter) = &cell.hand {
            Holds::Hand(first(letter.get_ref()), cell.plus)
        } else {
            let hands = cell.hands.iter().flatten();
            Holds::Hands(hands.map(|(l, n)| (first(l), *n)).collect())
        };
        Ok(Self {
            place: names.place(&cell.at)?,
            when: cell.when,
            holds,
        })
    }

    /// Writes it.
    pub fn write(&self, simulation: &mut dyn Simulation, layout: &Layout, state: &State<'_>) {
        let position = state.position;
        let white = position.white();
        if self.when.is_some_and(|s| (s == Side::White) != white) {
            return;
        }
        let rights = position.rights();
        let has = |r: u8| {
            let at = b"KQkq".iter().position(|&c| c == r);
            at.is_some_and(|i| rights[i].is_some())
        };
        let value = match &self.holds {
            Holds::Value(n) => *n,
            Holds::Side(w, b) => {
                if white {
                    *w
                } else {
                    *b
                }
            }
            Holds::Right(any, yes, no) => {
                if any.bytes().any(has) {
                    *yes
                } else {
                    *no
                }
            }
            Holds::Rights(all) => all
                .iter()
                .filter(|r| has(r.0))
                .map(|r| u64::from(r.1))
                .sum(),
            Holds::Passing(none) => match position.passing() {
                Some(square) => layout.number(square).into(),
                None => *none,
            },
            Holds::Count(count, shift) => {
                let n = match count {
                    Count::Fifty => position.counters().0.min(255),
                    Count::Level => state.level.into(),
                    Count::Array => state.array & 0xff,
                    Count::ArrayHigh => state.array >> 8,
                };
                u64::from(n) << shift
            }
            Holds::Hand(letter, plus) => u64::from(plus.wrapping_add(position.hand(*letter))),
            Holds::Hands(all) => {
                let of = |&(letter, shift): &(u8, u8)| position.hand(letter) << shift;
                all.iter().map(of).fold(0, |a, b| a | b).into()
            }
        };
        self.place.set(simulation, layout.pointer.as_ref(), value);
    }

    /// Where it is.
    pub fn place(&self) -> &Place {
        &self.place
    }
}
