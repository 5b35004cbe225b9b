//! The program's search once more for the host, some thousand times as fast, for matches of
//! many games. `the_model_is_the_program` holds it to the image: the same move after the
//! same number of positions. Values are bytes as the program's; one that leaves a byte is an
//! error here.

use super::device::encode;
use crate::referee::fairy::Player;
use crate::referee::tinyhouse::{Move, Position};

const PAWN: u8 = 8;
const KING: u8 = 16;
const FORMER: u8 = 0x20;
const WHITE: u8 = 0x40;
const BLACK: u8 = 0x80;
const KINDS: [u8; 4] = *b"WFHP";
/// Values, as the source has them.
const MATED: i8 = -28;
const STALE: i8 = 42;
const NONE: i8 = -72;

/// A position as in the program's memory.
#[derive(Clone, Copy, PartialEq, Eq)]
struct State {
    /// Of kinds, former pawns, White, Black.
    boards: [u16; 8],
    hands: [u8; 2],
    side: u8,
}

impl State {
    fn new(position: &Position) -> State {
        let bytes = encode(position);
        let board = |n: usize| u16::from_le_bytes([bytes[2 * n], bytes[2 * n + 1]]);
        State {
            boards: std::array::from_fn(board),
            hands: [bytes[16], bytes[17]],
            side: bytes[18],
        }
    }

    fn column(&self, at: u16) -> u8 {
        let bits = self.boards.iter().zip(0..);
        bits.map(|(board, n)| u8::from(board & at != 0) << n).sum()
    }
}

/// A move as the registers hold it.
#[derive(Clone, Copy)]
struct Try {
    from: u16,
    to: u16,
    column: u8,
    promoted: u8,
    delta: u8,
}

impl Try {
    fn to_move(self) -> Move {
        let square = |bit: u16| {
            let n = bit.trailing_zeros() as u8;
            4 * (3 - n / 4) + n % 4
        };
        let kind = |column: u8| KINDS[column.trailing_zeros() as usize];
        let (from, to) = (self.from, square(self.to));
        match (from, self.promoted) {
            (0, _) => Move::Drop {
                piece: kind(self.column),
                to,
            },
            (_, 0) => Move::Walk {
                from: square(from),
                to,
            },
            (_, promoted) => Move::Promote {
                from: square(from),
                to,
                piece: kind(promoted),
            },
        }
    }
}

/// The game and the search.
pub struct Model {
    level: u8,
    states: Vec<State>,
    /// How often the program came to `search`.
    nodes: u64,
    best: Option<Try>,
}

/// A difference that the program has in a byte.
fn minus(a: i8, b: i8) -> i8 {
    let difference = a.checked_sub(b);
    difference.unwrap_or_else(|| panic!("{a} - {b} is no byte"))
}

/// The bits of a board from the lowest.
fn bits(mut board: u16) -> impl Iterator<Item = u16> {
    std::iter::from_fn(move || {
        let bit = board & board.wrapping_neg();
        board ^= bit;
        (bit != 0).then_some(bit)
    })
}

fn upright(x: u16) -> u16 {
    x << 4 | x >> 4
}

fn sideways(x: u16) -> u16 {
    (x << 1 & 0xEEEE) | (x >> 1 & 0x7777)
}

/// Where a piece goes to; `quiet` matters for pawns only.
fn targets(from: u16, column: u8, empty: u16, quiet: bool, side: u8) -> u16 {
    if column & PAWN != 0 {
        let ahead = if side == WHITE { from - 1 } else { !(from - 1) };
        let one = upright(from) & ahead;
        return if quiet { one } else { sideways(one) };
    }
    if column & 2 != 0 {
        return sideways(upright(from));
    }
    let mut all = upright(from);
    let row = if column & KING != 0 { all | from } else { from };
    all |= sideways(row);
    if column & 4 == 0 {
        return all;
    }
    sideways(upright(all & empty)) & !all
}

/// Whether a side can take the other's king.
fn takes_king(state: &State) -> bool {
    let (own, foe) = match state.side {
        WHITE => (state.boards[6], state.boards[7]),
        _ => (state.boards[7], state.boards[6]),
    };
    let empty = !(own | foe);
    let king = state.boards[4] & foe;
    bits(own).any(|from| targets(from, state.column(from), empty, false, state.side) & king != 0)
}

impl Player for Model {
    /// The program's move, and how many positions it searched.
    fn think(&mut self, game: &[Position]) -> (Move, u64) {
        self.states = game.iter().map(State::new).collect();
        self.nodes = 0;
        self.best = None;
        let found = self.search(self.level as i8, NONE, -NONE);
        assert!(found.is_some(), "the king can be taken");
        let best = self.best.expect("a move better than none");
        (best.to_move(), self.nodes)
    }
}

impl Model {
    pub fn new(level: u8) -> Model {
        Model {
            level,
            states: Vec::new(),
            nodes: 0,
            best: None,
        }
    }

    /// What the side to move gains at best; `None` if it can take the king.
    fn search(&mut self, depth: i8, mut best: i8, beta: i8) -> Option<i8> {
        self.nodes += 1;
        let state = self.states[self.states.len() - 1];
        if takes_king(&state) {
            return None;
        }
        if depth <= 0 {
            return Some(0);
        }
        let white = state.side == WHITE;
        let foe = state.boards[if white { 7 } else { 6 }];
        let empty = !(state.boards[6] | state.boards[7]);
        let own = !(empty | foe);
        let mut legal = false;
        for quiet in [false, true] {
            let allowed = if quiet { empty } else { foe };
            for from in bits(own) {
                let column = state.column(from);
                for to in bits(targets(from, column, empty, quiet, state.side) & allowed) {
                    let last = column & PAWN != 0 && to & 0xF00F != 0;
                    let mut promoted = if last { 4 } else { 0 };
                    loop {
                        let m = Try {
                            from,
                            to,
                            column,
                            promoted,
                            delta: 0,
                        };
                        if self.tried(m, depth, &mut best, beta, &mut legal) {
                            return Some(best);
                        }
                        promoted >>= 1;
                        if promoted == 0 {
                            break;
                        }
                    }
                }
            }
        }
        for (kind, n) in [(8, 6), (4, 4), (2, 2), (1, 0)] {
            let hand = state.hands[usize::from(!white)];
            if hand >> n & 3 == 0 {
                continue;
            }
            let allowed = if kind == PAWN { empty & 0x0FF0 } else { empty };
            for to in bits(allowed) {
                let column = kind | state.side;
                let m = Try {
                    from: 0,
                    to,
                    column,
                    promoted: 0,
                    delta: kind * kind,
                };
                if self.tried(m, depth, &mut best, beta, &mut legal) {
                    return Some(best);
                }
            }
        }
        if legal {
            return Some(best);
        }
        self.nodes += 1;
        let side = WHITE + BLACK - state.side;
        let mated = takes_king(&State { side, ..state });
        Some(if mated { MATED - depth } else { STALE })
    }

    /// Tries a move; true if it is so good that the others need not be tried.
    fn tried(&mut self, m: Try, depth: i8, best: &mut i8, beta: i8, legal: &mut bool) -> bool {
        let Some(less) = self.reply(m, depth, *best, beta) else {
            return false;
        };
        *legal = true;
        if less < 0 {
            *best = minus(*best, less);
            if depth == self.level as i8 {
                self.best = Some(m);
            }
            return *best >= beta;
        }
        false
    }

    /// What the move lacks to be better than the best; `None` if it is not legal.
    fn reply(&mut self, m: Try, depth: i8, best: i8, beta: i8) -> Option<i8> {
        let state = self.states[self.states.len() - 1];
        let mut taken = state.column(m.to);
        if taken & FORMER != 0 {
            taken = PAWN;
        }
        let kind = taken & 15;
        let gain = (kind.wrapping_neg() >> 1 & 7) as i8;
        let hand = kind.wrapping_mul(kind).wrapping_sub(m.delta);
        let column = match m.promoted {
            0 => m.column,
            k => k | FORMER | state.side,
        };
        let mut next = state;
        for (n, board) in next.boards.iter_mut().enumerate() {
            *board &= !(m.from | m.to);
            if column >> n & 1 != 0 {
                *board |= m.to;
            }
        }
        let own = &mut next.hands[usize::from(state.side == BLACK)];
        *own = own.wrapping_add(hand);
        next.side = WHITE + BLACK - state.side;
        let enough = minus(gain, best);
        self.states.push(next);
        let value = self.search(depth - 1, minus(gain, beta), enough);
        let less = value.map(|v| minus(minus(v, enough), -self.past()));
        self.states.pop();
        less
    }

    /// How often the position has been there before, 2 at most.
    fn past(&self) -> i8 {
        let (last, before) = self.states.split_last().expect("one");
        before.iter().rev().filter(|s| *s == last).take(2).count() as i8
    }
}
