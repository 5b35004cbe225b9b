//! The program's search once more for the host, some thousand times as fast, for matches
//! of many games. `the_model_is_the_program` holds it to the image: the same move after
//! the same number of positions. It works on the image's own bytes.

use super::device::{CHESS, at, bytes};
use cozy_chess::Board;

const PAGE: u64 = 0x4000;
/// Plies with all moves, and with captures after them.
const WIDE: u8 = 2;
const DEEP: u8 = 2;
const END: u8 = 0x76;
const PAWN: u8 = 0x35;
const KING: u8 = 0x30;
const MATED: u8 = 0x17;
const STALE: u8 = 0xB8;

/// The page of RAM with the board and the tables, and what else the search reads.
#[derive(Clone)]
pub struct Model {
    pub page: [u8; 256],
    pub side: u8,
    pub ep: u8,
    /// Positions valued, from the number at the start of a thought.
    pub nodes: u16,
    /// The best move: low bytes of source and target.
    pub best: (u8, u8),
    names: Names,
}

/// Low bytes of the labels.
#[derive(Clone, Copy)]
struct Names {
    table: usize,
    h1: u8,
    a8: u8,
    a3: u8,
    a7: u8,
    late: u16,
}

impl Model {
    pub fn new() -> Self {
        let mut page = [0; 256];
        // The file begins at $4009.
        page[9..].copy_from_slice(&CHESS.file[..247]);
        let a1 = at("squares") as u8;
        Self {
            page,
            side: 0,
            ep: 0,
            nodes: 0,
            best: (0, 0),
            names: Names {
                table: (at("table") - PAGE) as usize,
                h1: a1 + 7,
                a8: a1 - 70,
                a3: a1 - 20,
                a7: a1 - 60,
                late: at("LATE") as u16,
            },
        }
    }

    pub fn set(&mut self, board: &Board) {
        for (place, byte) in bytes(board) {
            self.page[(place - PAGE) as usize] = byte;
        }
        self.side = self.page[(at("side") - PAGE) as usize];
        self.ep = self.page[(at("ep") - PAGE) as usize];
    }

    fn at(&self, low: u8) -> u8 {
        self.page[usize::from(low)]
    }

    /// The place of a man or of a square in the table.
    fn find(&self, byte: u8) -> Option<usize> {
        let table = &self.page[self.names.table..self.names.table + 12];
        table.iter().position(|&b| b == byte)
    }

    fn kind(&self, man: u8) -> Option<usize> {
        self.find(man & 0x7F).map(|n| n + self.names.table + 1)
    }

    /// The computer's move. `lot` says 0 or 1 for each move that it tries.
    pub fn think(&mut self, nodes: u16, mut lot: impl FnMut() -> u8) {
        self.nodes = nodes;
        self.search(WIDE + DEEP, 0xFF, &mut lot);
    }

    /// The position for the other side; 0 if the king can be taken.
    fn descend(&mut self, depth: u8, gain: u8, best: u8, lot: &mut dyn FnMut() -> u8) -> u8 {
        let bound = (255 - best).saturating_add(gain);
        self.side = !self.side;
        let value = self.search(depth, bound, lot);
        self.side = !self.side;
        value
    }

    fn in_check(&mut self, lot: &mut dyn FnMut() -> u8) -> bool {
        self.descend(0, 0, 0, lot) == 0
    }

    fn search(&mut self, depth: u8, mut bound: u8, lot: &mut dyn FnMut() -> u8) -> u8 {
        self.nodes = self.nodes.wrapping_add(1);
        let mut best = 0;
        if depth <= DEEP {
            best = 128;
            if depth > 0 && bound < best {
                return best;
            }
        }
        for from in (self.names.a8..=self.names.h1).rev() {
            let man = self.at(from);
            if man == 0 || (man ^ self.side) & 0x80 != 0 {
                continue;
            }
            let Some(kind) = self.kind(man) else {
                continue;
            };
            let mut list = self.page[kind | 16];
            while self.at(list) != END {
                if let Some(value) = self.ray(depth, &mut bound, &mut best, (from, list), lot) {
                    return value;
                }
                list += 1;
            }
        }
        if best != 0 {
            best
        } else if self.in_check(lot) {
            MATED
        } else {
            STALE
        }
    }

    /// One man in one direction; a value ends the search.
    fn ray(
        &mut self,
        depth: u8,
        bound: &mut u8,
        best: &mut u8,
        (from, list): (u8, u8),
        lot: &mut dyn FnMut() -> u8,
    ) -> Option<u8> {
        let (man, step) = (self.at(from), self.at(list));
        let pawn = man & 0x7F == PAWN;
        let mut to = from;
        loop {
            to = to.wrapping_add(step);
            let there = self.at(to);
            if there != 0 && (there ^ self.side) & 0x80 == 0 {
                return None;
            }
            let mut victim = to;
            if pawn {
                if (step ^ self.side).wrapping_sub(0xF4) >= 4 {
                    return None;
                }
                if step & 1 == 0 {
                    if there != 0 {
                        return None;
                    }
                } else if there == 0 {
                    if self.ep != to {
                        return None;
                    }
                    victim = if to & 0x80 != 0 { to - 10 } else { to + 10 };
                }
            }
            let gain = match self.at(victim) {
                0 if depth <= DEEP => {
                    if man & 6 == 6 {
                        continue;
                    }
                    return None;
                }
                0 => 1,
                taken => {
                    let price = self.page[self.kind(taken)? | 8];
                    if price == 0 {
                        return Some(0);
                    }
                    if depth == 0 {
                        return None;
                    }
                    price
                }
            };
            self.better(depth, bound, best, (from, to, victim, gain), lot);
            if man & 0x7F == KING {
                self.castles(depth, bound, best, (from, step), lot);
            }
            if *bound < *best {
                return Some(*best);
            }
            if !self.goes_on(from, to) {
                return None;
            }
        }
    }

    /// Tries a move, which may be the best one.
    fn better(
        &mut self,
        depth: u8,
        bound: &mut u8,
        best: &mut u8,
        tried: (u8, u8, u8, u8),
        lot: &mut dyn FnMut() -> u8,
    ) {
        let worth = self.tried(depth, bound, *best, tried, lot);
        if let Some(own) = worth.filter(|own| own >= best) {
            *best = own;
            if depth == WIDE + DEEP {
                self.best = (tried.0, tried.1);
            }
        }
    }

    /// What a move is worth; `None` if it is not legal, or surely not better.
    fn tried(
        &mut self,
        depth: u8,
        bound: &mut u8,
        best: u8,
        (from, to, victim, mut gain): (u8, u8, u8, u8),
        lot: &mut dyn FnMut() -> u8,
    ) -> Option<u8> {
        let (man, taken, ep) = (self.at(from), self.at(victim), self.ep);
        let pawn = man & 0x7F == PAWN;
        self.page[usize::from(victim)] = 0;
        self.page[usize::from(to)] = man;
        self.page[usize::from(from)] = 0;
        if pawn && to.wrapping_sub(self.names.a7 - 1) >= 60 {
            self.page[usize::from(to)] += 1;
            gain += 40;
        }
        self.ep = 0;
        if pawn && to.wrapping_sub(from) & 3 == 0 {
            self.ep = ((u16::from(from) + u16::from(to)) / 2) as u8;
        }
        let mut skip = gain + 126 < best && depth - 1 <= DEEP;
        if depth == WIDE + DEEP {
            gain += 2 * lot() + u8::from(pawn);
            skip = self.in_check(lot);
            if self.nodes >> 8 >= self.names.late {
                *bound = 0;
            }
        }
        let value = if skip {
            0
        } else {
            self.descend(depth - 1, gain, best, lot)
        };
        self.page[usize::from(to)] = 0;
        self.page[usize::from(from)] = man;
        self.page[usize::from(victim)] = taken;
        self.ep = ep;
        (value != 0).then(|| gain.saturating_add(255 - value))
    }

    /// Whether the man goes on in this direction: sliders, a pawn.
    fn goes_on(&self, from: u8, to: u8) -> bool {
        let man = self.at(from);
        self.at(to) == 0
            && match man & 0x7F {
                PAWN => to ^ self.side >= self.names.a3,
                _ => man & 6 == 6,
            }
    }

    /// Tries castling where the king's step was tried: he takes the rook in its corner, and
    /// another stands beside him.
    fn castles(
        &mut self,
        depth: u8,
        bound: &mut u8,
        best: &mut u8,
        (from, step): (u8, u8),
        lot: &mut dyn FnMut() -> u8,
    ) {
        let man = self.at(from);
        let to = from.wrapping_add(step);
        let mut end = to;
        while self.at(end) == 0 {
            end = end.wrapping_add(step);
        }
        let own = self.at(end) == man | 7;
        if !own || self.find(end).is_none() || self.find(from).is_none() {
            return;
        }
        self.page[usize::from(to)] = man;
        let check = self.in_check(lot);
        self.page[usize::from(to)] = 0;
        if !check {
            self.page[usize::from(to)] = man | 7;
            let tried = (from, to.wrapping_add(step), end, 1);
            self.better(depth, bound, best, tried, lot);
            self.page[usize::from(to)] = 0;
        }
    }
}
