//! The program's search once more for the host, some thousand times as fast, for matches of
//! many games. `the_model_is_the_program` holds it to the image: the same move after the
//! same number of positions, with the same bits by chance. It works on the image's own
//! bytes, and knows the stack pointer, since the search looks at it.

use super::device::{TINYHOUSE, address, at, code, hand};
use crate::referee::tinyhouse::{EMPTY, Position};

const PAGE: u64 = 0x4000;
const PITCH: u8 = 6;
const END: u8 = 0x76;
const QUIET: u8 = 2;
const DEEPEST: u8 = 12;
/// What leads from a letter to its list.
const LISTS: u8 = 0xC2;
const LETTERS: u8 = 0xEC;
/// Stack pointer at the root of the search, as think calls it.
const ROOT: u16 = 0x43FE;

/// Low bytes of labels.
#[derive(Clone, Copy)]
struct Names {
    beyond: u8,
    four: u8,
    three: u8,
    hands: u8,
    pawn: u8,
}

/// The page of RAM with the board and the tables, and what else the search reads.
#[derive(Clone)]
pub struct Model {
    page: [u8; 256],
    side: u8,
    /// Positions so far.
    pub nodes: u16,
    /// Low bytes of source and target: what is played, what the present search found, and
    /// what was played before.
    best: (u8, u8),
    found: (u8, u8),
    last: (u8, u8),
    names: Names,
    low_water: u16,
    soft: u16,
    hard: u16,
}

/// A place in the search: depth, stack pointer, what the position is worth, the bound.
#[derive(Clone, Copy)]
struct Ply {
    depth: u8,
    sp: u16,
    worth: u8,
    bound: u8,
}

/// A move that is tried.
#[derive(Clone, Copy)]
struct Try {
    from: u8,
    to: u8,
    gain: u8,
}

type Lot<'a> = &'a mut dyn FnMut() -> u8;

impl Model {
    pub fn new() -> Self {
        let mut page = [0; 256];
        // The file begins at $4009.
        page[9..].copy_from_slice(&TINYHOUSE.file[..247]);
        let low = |name| at(name) as u8;
        let constant = |name| at(name) as u16;
        Self {
            page,
            side: 0,
            nodes: 0,
            best: (0, 0),
            found: (0, 0),
            last: (0, 0),
            names: Names {
                beyond: low("beyond"),
                four: low("four"),
                three: low("three"),
                hands: low("hands"),
                pawn: low("pawn"),
            },
            low_water: constant("low_water"),
            soft: constant("SOFT"),
            hard: constant("HARD"),
        }
    }

    pub fn set(&mut self, position: &Position) {
        for square in 0..16 {
            let letter = position.board[usize::from(square)];
            let former = position.former >> square & 1 != 0;
            let byte = if letter == EMPTY {
                0
            } else {
                code(letter, former)
            };
            self.page[(address(square) - PAGE) as usize] = byte;
        }
        for (white, counts) in [true, false].into_iter().zip(position.hands) {
            for (kind, count) in b"PWHF".iter().zip(counts) {
                let digit = 0x1C + count + if white { 0 } else { 0x80 };
                self.page[(hand(*kind, white) - PAGE) as usize] = digit;
            }
        }
        self.side = if position.white { 0 } else { 0xFF };
    }

    fn at(&self, low: u8) -> u8 {
        self.page[usize::from(low)]
    }

    /// The program's move, after `nodes` positions, as a source and a target. `lot` says 0 or
    /// 1 for each position that is valued as it stands.
    pub fn think(&mut self, nodes: u16, mut lot: impl FnMut() -> u8) -> (u8, u8) {
        self.nodes = nodes;
        self.last = self.best;
        for plies in 1..=DEEPEST {
            let root = Ply {
                depth: plies + QUIET,
                sp: ROOT,
                worth: 128,
                bound: 255,
            };
            self.search(root, &mut lot);
            if self.nodes >> 8 >= self.hard {
                break;
            }
            self.best = self.found;
            if self.nodes >> 8 >= self.soft {
                break;
            }
        }
        self.best
    }

    /// What the position is worth to the other side.
    fn descend(&mut self, ply: Ply, gain: u8, least: u8, sp: u16, depth: u8, lot: Lot) -> u8 {
        self.side = !self.side;
        let next = Ply {
            depth,
            sp: sp - 10,
            worth: !ply.worth.wrapping_add(gain),
            bound: least,
        };
        let value = self.search(next, lot);
        self.side = !self.side;
        value
    }

    fn in_check(&mut self, ply: Ply, least: u8, lot: Lot) -> bool {
        self.descend(ply, 0, least, ply.sp - 2, 0, lot) == 255
    }

    fn search(&mut self, mut ply: Ply, lot: Lot) -> u8 {
        self.nodes += 1;
        if self.nodes >> 8 >= self.hard {
            return 255;
        }
        if ply.sp < self.low_water {
            ply.depth = 0;
        }
        let mut least = 255;
        if ply.depth <= QUIET {
            let value = ply.worth.wrapping_add(lot());
            if value >= ply.bound {
                return value;
            }
            least = !value;
        }
        for from in (self.names.four..self.names.beyond).rev() {
            let man = (self.side & 0x80 ^ self.at(from)).wrapping_add(LISTS);
            if man < LETTERS {
                continue;
            }
            if let Some(value) = self.walks(ply, &mut least, from, self.at(man), lot) {
                return value;
            }
        }
        if ply.depth > QUIET {
            for from in (self.names.hands..self.names.four).rev() {
                if let Some(value) = self.drops(ply, &mut least, from, lot) {
                    return value;
                }
            }
        }
        if least != 255 {
            return !least;
        }
        let check = self.in_check(ply, least, lot);
        let value = ply.depth.wrapping_sub(33);
        if check { !value } else { value }
    }

    /// The target of a step, and what stands there.
    fn aim(&self, from: u8, step: u8) -> (u8, u8) {
        let to = (from ^ self.side).wrapping_add(self.at(step)) ^ self.side;
        (to, self.at(to))
    }

    /// All moves of a man; a value ends the search.
    fn walks(&mut self, ply: Ply, least: &mut u8, from: u8, list: u8, lot: Lot) -> Option<u8> {
        let pawn = self.names.pawn;
        for step in list.. {
            if self.at(step) == END {
                return None;
            }
            // The Ma's first step has to be free.
            if step & 0x40 == 0 && self.aim(from, step >> 1 | 0x80).1 != 0 {
                continue;
            }
            let (to, there) = self.aim(from, step);
            let gain = if there == 0 {
                if step > pawn || ply.depth <= QUIET {
                    continue;
                }
                0
            } else {
                let man = (!self.side & 0x80 ^ there).wrapping_add(LISTS);
                if step == pawn || man < LETTERS {
                    continue;
                }
                let price = self.at(man & 0xDF);
                if price == 255 {
                    return Some(255);
                }
                if ply.depth == 0 {
                    continue;
                }
                price
            };
            let m = Try { from, to, gain };
            if let Some(value) = self.tried(ply, least, m, lot) {
                return Some(value);
            }
        }
        None
    }

    /// All drops from a digit of a hand.
    fn drops(&mut self, ply: Ply, least: &mut u8, from: u8, lot: Lot) -> Option<u8> {
        let digit = (self.side & 0x80 ^ self.at(from)).wrapping_sub(0x1D);
        if digit >= 2 {
            return None;
        }
        for to in from + 1..self.names.beyond {
            let rank = (to ^ self.side).wrapping_sub(self.names.three);
            if self.at(to) != 0 || from & 7 == 0 && rank >= 2 * PITCH {
                continue;
            }
            let m = Try { from, to, gain: 0 };
            if let Some(value) = self.tried(ply, least, m, lot) {
                return Some(value);
            }
        }
        None
    }

    /// Where the digit of a man taken is.
    fn digit(&self, man: u8) -> usize {
        let first = usize::from(self.names.hands + (self.side & 8));
        let places = (first..first + 7).step_by(2);
        let mut letters = places.filter(|&p| self.page[p] == man ^ 0x80);
        letters.next().map_or(first + 7, |p| p + 1)
    }

    fn tried(&mut self, ply: Ply, least: &mut u8, mut m: Try, lot: Lot) -> Option<u8> {
        if (m.to, m.from) == self.last {
            m.gain = m.gain.wrapping_sub(1);
        }
        let before = self.page;
        let (from, to) = (usize::from(m.from), usize::from(m.to));
        if self.page[to] != 0 {
            let digit = self.digit(self.page[to]);
            self.page[digit] += 1;
        }
        let mut man = self.page[from];
        if m.from < self.names.four {
            self.page[from] -= 1;
            man = self.page[from - 1];
        } else {
            self.page[from] = 0;
            if m.to ^ self.side < self.names.three && man & 0x7F == 0x35 {
                m.gain = m.gain.wrapping_add(6);
                man |= 8;
            }
        }
        self.page[to] = man;
        let value = self.descend(ply, m.gain, *least, ply.sp - 4, ply.depth - 1, lot);
        self.page = before;
        if value < *least {
            *least = value;
            if ply.sp == ROOT {
                self.found = (m.from, m.to);
            }
        }
        (!*least >= ply.bound).then_some(!*least)
    }
}
