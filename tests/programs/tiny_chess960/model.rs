//! The program's search once more for the host, for matches of many games: it makes the
//! same moves in the same order, and counts the clocks of each path through `search.asm`,
//! so that what the program takes from its timer is the same, too. `strength.rs` holds it
//! to the image. Steps and values are the image's own bytes.

mod clocks;

use super::core::{BLACK, NOWHERE, UNMOVED, WHITE};

/// Types of pieces and bits of cells, as the program has them.
const PAWN: u8 = 1;
const KING: u8 = 2;
const KNIGHT: u8 = 3;
const BISHOP: u8 = 4;
const ROOK: u8 = 5;
const QUEEN: u8 = 6;

const NONE: i8 = -45;
const MATED: i8 = -43;
const STALE: i8 = 10;
const TAKEN: i8 = 127;
/// Where nothing is tried any more; below, only the taking of a king is seen.
const FLOOR: i8 = -4;
/// A greater loss is one less a ply later.
const SOON: i8 = -10;
/// Half-moves in which something is left to chance.
const OPENING: u8 = 12;
/// Clocks of `put`, with the call, and of `middle`.
const PUT: u64 = 15;
const MIDDLE: u64 = 10;

/// The moves are used up: nothing is unwound.
#[derive(Debug)]
pub struct Late;

/// Why a direction ends: nothing more there, the search has enough, a king can be taken.
enum End {
    Off,
    Done,
    Taken,
}

/// A ply.
struct Frame {
    dep: i8,
    ep: u8,
    quiet: bool,
    beta: i8,
    best: i8,
    from: u8,
    piece: u8,
}

/// The state of the search, and what it counted.
#[derive(Clone)]
pub struct Model {
    pub board: [u8; 128],
    pub side: u8,
    /// Where a pawn can be taken in passing.
    pub newep: u8,
    /// Half-moves without capture and pawn move.
    pub half: u8,
    /// Half-moves played.
    pub turn: u8,
    /// The best move found, from and to.
    pub best: (u8, u8),
    /// What is left of the level's overflows of the timer, counted up to 0.
    pub nodes: u16,
    /// Clocks, and those that timer 0 is ahead.
    pub clock: u64,
    pub phase: u64,
    /// How often it had overflowed when the search last asked.
    pub ticks: u64,
    /// Squares of the men of each side, of each type, and of those not moved yet.
    men: [u64; 2],
    kinds: [[u64; 8]; 2],
    unmoved: u64,
    prey: u8,
    top: i8,
    log: Vec<(u8, u8)>,
    lists: [[u8; 10]; 8],
    values: [i8; 8],
}

impl Model {
    /// From the first bytes of the flash and the addresses of two of its tables.
    pub fn new(flash: &[u8], lists: usize, values: usize) -> Self {
        let mut steps = [[0; 10]; 8];
        for (kind, steps) in steps.iter_mut().enumerate().take(7).skip(1) {
            let list = &flash[usize::from(flash[lists - 1 + kind])..];
            for (to, &step) in steps.iter_mut().zip(list) {
                *to = step;
                if step == 0 {
                    break;
                }
            }
        }
        let mut prices = [0; 8];
        for (to, &price) in prices.iter_mut().zip(&flash[values..values + 7]) {
            *to = price as i8;
        }
        Self {
            board: [0; 128],
            side: WHITE,
            newep: NOWHERE,
            half: 0,
            turn: 0,
            best: (0, 0),
            nodes: 0,
            clock: 0,
            phase: 0,
            ticks: 0,
            men: [0; 2],
            kinds: [[0; 8]; 2],
            unmoved: 0,
            prey: 0,
            top: 0,
            log: Vec::new(),
            lists: steps,
            values: prices,
        }
    }

    fn colour(side: u8) -> usize {
        usize::from(side & BLACK != 0)
    }

    fn set(&mut self, at: u8, cell: u8) {
        let bit = 1 << (at >> 4 << 3 | at & 7);
        let old = self.board[usize::from(at & 0x7f)];
        self.board[usize::from(at & 0x7f)] = cell;
        if old != 0 {
            let side = Self::colour(old);
            self.men[side] &= !bit;
            self.kinds[side][usize::from(old & 7)] &= !bit;
            self.unmoved &= !bit;
        }
        if cell != 0 {
            let side = Self::colour(cell);
            self.men[side] |= bit;
            self.kinds[side][usize::from(cell & 7)] |= bit;
            if cell & UNMOVED != 0 {
                self.unmoved |= bit;
            }
        }
    }

    fn at(&self, square: u8) -> u8 {
        self.board[usize::from(square & 0x7f)]
    }

    fn put(&mut self, at: u8, cell: u8) {
        self.log.push((at, self.at(at)));
        self.set(at, cell);
        self.clock += PUT;
    }

    fn timer(&self) -> u8 {
        ((self.clock + self.phase) >> 8) as u8
    }

    fn index(&mut self) {
        self.men = [0; 2];
        self.kinds = [[0; 8]; 2];
        self.unmoved = 0;
        for at in (0..128).filter(|at| at & 8 == 0) {
            let cell = self.board[usize::from(at)];
            self.set(at, cell);
        }
    }

    /// The machine's move at a level, 1 to 3.
    pub fn think(&mut self, level: u8) {
        self.index();
        self.log.clear();
        let mut men = 0;
        for cell in self.board.iter().filter(|&c| c & 7 != KING) {
            men |= cell;
        }
        let other = self.side.rotate_left(4);
        self.prey = if men & 4 == 0 || men & other != 0 {
            0
        } else {
            other
        };
        self.clock = 23;
        self.nodes = level.into();
        self.top = 1;
        if self.root().is_err() {
            return;
        }
        self.clock += if level == 1 { 10 } else { 12 };
        self.nodes = [0xffff, 0xfdfd, 0xe8e8][usize::from(level - 1)];
        loop {
            self.clock += 8;
            let best = self.best;
            if self.top & 8 != 0 {
                self.clock += 1;
                return;
            }
            self.clock += 4;
            self.top += 1;
            let (board, side) = (self.board, self.side);
            if self.root().is_err() {
                (self.board, self.side, self.best) = (board, side, best);
                return;
            }
            self.clock += 4;
        }
    }

    fn root(&mut self) -> Result<i8, Late> {
        self.clock += 7;
        self.search(self.top, self.newep, 100, NONE)
    }

    fn search(&mut self, dep: i8, ep: u8, beta: i8, mut best: i8) -> Result<i8, Late> {
        self.clock += 7;
        if dep < 0 {
            self.clock += 2;
            best = best.max(self.stand());
        } else {
            best = best.max(NONE);
        }
        if dep == FLOOR {
            self.clock += 5 + 10;
            self.newep = ep;
            return Ok(best);
        }
        self.clock += 3;
        let mut f = Frame {
            dep,
            ep,
            quiet: false,
            beta,
            best,
            from: 0,
            piece: 0,
        };
        loop {
            match self.pass(&mut f)? {
                End::Taken => return Ok(TAKEN),
                End::Done => break,
                End::Off => {}
            }
            if f.quiet || dep < 0 {
                self.clock += 4;
                break;
            }
            self.clock += 6;
            f.quiet = true;
        }
        self.newep = ep;
        if f.best != NONE {
            self.clock += 10;
            return Ok(f.best);
        }
        self.clock += 15;
        Ok(if self.check()? { MATED } else { STALE })
    }

    /// All own pieces once, captures or quiet moves.
    fn pass(&mut self, f: &mut Frame) -> Result<End, Late> {
        let mut men = self.men[Self::colour(self.side)];
        let mut next = 0;
        while men != 0 {
            let index = men.trailing_zeros() as u8;
            men &= men - 1;
            // Squares before it, then the way to its list of steps.
            self.clock += 11 * u64::from(index - next) + 12;
            next = index + 1;
            f.from = index & 7 | (index & 0x38) << 1;
            f.piece = self.at(f.from);
            if !f.quiet
                && let Some(clocks) = self.no_capture(f, index)
            {
                self.clock += clocks;
                continue;
            }
            let list = self.lists[usize::from(f.piece & 7)];
            for step in list.into_iter().take_while(|&s| s != 0) {
                self.clock += 6;
                match self.ray(f, step)? {
                    End::Off => self.clock += 3,
                    end => return Ok(end),
                }
                match self.ray(f, step.wrapping_neg())? {
                    End::Off => self.clock += 5,
                    end => return Ok(end),
                }
            }
            self.clock += 7 + 4;
        }
        self.clock += 11 * u64::from(64 - next);
        self.clock -= 1;
        Ok(End::Off)
    }

    /// A piece in one direction.
    fn ray(&mut self, f: &mut Frame, step: u8) -> Result<End, Late> {
        self.clock += 1;
        let mut to = f.from;
        loop {
            to = to.wrapping_add(step);
            if to & 0x88 != 0 {
                self.clock += 5;
                return Ok(End::Off);
            }
            let there = self.at(to);
            let taken = if there & self.side != 0 {
                if !self.own_rook(f.piece, there) {
                    return Ok(End::Off);
                }
                0
            } else {
                match f.piece & 7 {
                    PAWN => match self.pawn(f, step, to, there) {
                        Some(taken) => taken,
                        None => return Ok(End::Off),
                    },
                    KING if to.wrapping_sub(f.from) != step => {
                        self.clock += 18;
                        if there == 0 {
                            self.clock += 3;
                            continue;
                        }
                        self.clock += 2;
                        return Ok(End::Off);
                    }
                    KING => {
                        self.clock += 19;
                        there & 7
                    }
                    _ => {
                        self.clock += 15;
                        there & 7
                    }
                }
            };
            if taken == KING {
                self.clock += 9;
                return Ok(End::Taken);
            }
            self.clock += 5;
            if f.dep < FLOOR {
                self.clock += 5;
            } else if f.quiet == (taken != 0) {
                self.clock += 9;
            } else {
                self.clock += 8;
                if f.best >= f.beta {
                    self.clock += 3;
                    return Ok(End::Done);
                }
                self.clock += 5;
                self.try_move(f, step, to, taken)?;
            }
            if !self.goes_on(f, step, to) {
                return Ok(End::Off);
            }
        }
    }

    /// An own piece: castling?
    fn own_rook(&mut self, piece: u8, there: u8) -> bool {
        self.clock += 4 + 6;
        if there ^ piece != KING ^ ROOK {
            self.clock += 4;
            return false;
        }
        self.clock += 3;
        if piece & UNMOVED == 0 {
            self.clock += 3;
            return false;
        }
        self.clock += 3;
        if piece & 1 != 0 {
            self.clock += 3;
            return false;
        }
        self.clock += 2;
        true
    }

    /// What a pawn takes, 0 for nothing, if it can go there.
    fn pawn(&mut self, f: &Frame, step: u8, to: u8, there: u8) -> Option<u8> {
        self.clock += 4 + 5 + 5;
        if (step ^ self.side) & 0x80 == 0 {
            self.clock += 4;
            return None;
        }
        self.clock += 4;
        if step & 1 == 0 {
            self.clock += 5;
            if there != 0 {
                return None;
            }
            self.clock += 1;
            return Some(0);
        }
        self.clock += 2;
        if there != 0 {
            self.clock += 2;
            return Some(there & 7);
        }
        if f.quiet || to != f.ep {
            self.clock += 5;
            return None;
        }
        self.clock += 6;
        Some(PAWN)
    }

    /// Whether the piece goes on in this direction.
    fn goes_on(&mut self, f: &Frame, step: u8, to: u8) -> bool {
        if self.at(to) != 0 {
            self.clock += 7;
            return false;
        }
        self.clock += 4;
        if f.piece & 4 != 0 {
            self.clock += 3;
            return true;
        }
        self.clock += 2;
        if f.piece & UNMOVED == 0 {
            self.clock += 3;
            return false;
        }
        self.clock += 2;
        if f.piece & 2 != 0 {
            self.clock += 3;
            return true;
        }
        self.clock += 2;
        let first = to.wrapping_sub(f.from) == step;
        self.clock += if first { 7 } else { 6 };
        first
    }

    /// Makes a move, lets the other side answer, and takes it back.
    fn try_move(&mut self, f: &mut Frame, step: u8, to: u8, taken: u8) -> Result<(), Late> {
        let mark = self.log.len();
        let mut gain = self.values[usize::from(taken)];
        self.clock += 1 + 3 + 3;
        let castles = self.at(to) & self.side != 0;
        if self.make(f, step, to, &mut gain)? {
            let outside = |square: u8| square.wrapping_add(0x22) & 0x44 != 0x44;
            self.clock += 1 + 1 + 2;
            if f.piece & 7 == KING && !castles {
                self.clock += 2 + 1;
            } else {
                gain -= i8::from(outside(to));
                gain += i8::from(outside(f.from));
                self.clock += 1 + 1 + MIDDLE + 1 + 1 + MIDDLE + 1 + 1;
            }
            if f.dep != self.top {
                self.clock += 2;
            } else if self.turn >= OPENING {
                self.clock += 1 + 2 + 2;
            } else {
                self.clock += 1 + 2 + 1;
                gain += (self.timer() & 1) as i8;
                self.clock += 3;
            }
            // The other side may stand as it is: is that enough?
            self.clock += 2;
            if self.prey != 0 {
                self.clock += 2;
            } else if f.dep > 0 {
                self.clock += 4;
            } else {
                self.clock += 4;
                if f.best >= gain {
                    self.clock += 2;
                    self.undo(mark);
                    return Ok(());
                }
                self.clock += 1;
            }
            self.clock += 3;
            let (value, short) = self.reply(f.dep, f.beta, f.best, gain)?;
            self.clock += 3;
            self.score(f, to, value, short)?;
        }
        self.undo(mark);
        Ok(())
    }

    fn undo(&mut self, mark: usize) {
        while self.log.len() > mark {
            let (at, cell) = self.log.pop().expect("more");
            self.set(at, cell);
            self.clock += 9;
        }
        self.clock -= 1;
    }

    /// Counts a move, and keeps it if it is the best.
    fn score(&mut self, f: &mut Frame, to: u8, value: i8, short: i8) -> Result<(), Late> {
        let ticks = (self.clock + self.phase) >> 16;
        if ticks == self.ticks {
            self.clock += 5;
        } else {
            self.ticks = ticks;
            self.clock += 4 + 1;
            self.nodes = self.nodes.wrapping_add(1);
            if self.nodes & 0xff == 0 {
                self.clock += 2;
                if self.nodes == 0 {
                    self.clock += 3;
                    return Err(Late);
                }
                self.clock += 2;
            } else {
                self.clock += 2;
            }
        }
        self.clock += 3;
        if value == TAKEN {
            return Ok(());
        }
        if f.best == NONE {
            self.clock += 2;
        } else {
            self.clock += 2;
            if short >= 0 {
                self.clock += 2;
                return Ok(());
            }
            self.clock += 1;
        }
        f.best = f.best.wrapping_sub(short);
        self.clock += 4;
        if f.dep == self.top {
            self.clock += 1;
            self.best = (f.from, to);
        }
        Ok(())
    }

    /// Makes a move; whether it is one: castling may turn out to be none.
    fn make(&mut self, f: &Frame, step: u8, to: u8, gain: &mut i8) -> Result<bool, Late> {
        self.newep = NOWHERE;
        if self.at(to) & self.side != 0 {
            self.clock += 8;
            return self.castle(f, step, to, gain);
        }
        self.clock += 7 + 1 + 3;
        let pawn = f.piece & 7 == PAWN;
        let mut cell = f.piece & !UNMOVED;
        if pawn && to.wrapping_add(0x10) & 0x60 == 0 {
            cell = QUEEN | self.side;
            *gain += 14;
            self.clock += 10 + 7;
        } else {
            self.clock += if pawn { 10 } else { 8 } + 2 + 2;
        }
        self.put(to, cell);
        self.clock += 3;
        self.put(f.from, 0);
        self.clock += 4;
        if !pawn {
            self.clock += 6 + 1;
            return Ok(true);
        }
        self.clock += 2;
        if step & 1 != 0 {
            self.clock += 3;
            if to == f.ep {
                self.clock += 4 + 2 - 3;
                self.put(to ^ 16, 0);
            } else {
                self.clock += 5;
            }
            return Ok(true);
        }
        self.clock += 2 + 2 + 1;
        *gain += i8::from(self.half & 4 != 0);
        if to.wrapping_sub(f.from) == step {
            self.clock += 6;
        } else {
            self.clock += 7;
            self.newep = to.wrapping_sub(step);
        }
        Ok(true)
    }

    /// Castling, the rook on `rook`.
    fn castle(&mut self, f: &Frame, step: u8, rook: u8, gain: &mut i8) -> Result<bool, Late> {
        self.clock += 2;
        self.put(rook, 0);
        self.put(f.from, 0);
        let mut at = f.from;
        let end = f.from & 0x70 | if step & 0x80 != 0 { 2 } else { 6 };
        loop {
            if self.at(at) != 0 {
                self.clock += 5 + 6;
                return Ok(false);
            }
            self.clock += 4 + 1 + 1;
            self.put(at, KING | self.side);
            self.clock += 3;
            let check = self.check()?;
            self.log.pop();
            self.set(at, 0);
            self.clock += 4;
            if check {
                self.clock += 2 + 6;
                return Ok(false);
            }
            self.clock += 1 + 3 + 2 + 1;
            if at == end {
                self.clock += 2;
                break;
            }
            self.clock += 1 + 2 + 1 + 2;
            at = if at < end { at + 1 } else { at - 1 };
        }
        self.clock += 1 + 1;
        self.put(at, KING | self.side);
        let at = at.wrapping_sub(step);
        self.clock += 1 + 2 + 1;
        if self.at(at) != 0 {
            self.clock += 2 + 6;
            return Ok(false);
        }
        self.clock += 1 + 1 + 2 + 2 + 1 - 3;
        self.put(at, ROOK | self.side);
        *gain = 1;
        Ok(true)
    }

    /// Whether the side to move is in check. The clocks are those from its first
    /// instruction on.
    fn check(&mut self) -> Result<bool, Late> {
        self.clock += 7;
        let (value, _) = self.reply(FLOOR, 0, 0, 0)?;
        self.clock += 7;
        Ok(value == TAKEN)
    }

    /// What the other side gains, and that less what it needs to spoil the move.
    fn reply(&mut self, dep: i8, beta: i8, best: i8, gain: i8) -> Result<(i8, i8), Late> {
        let bound = gain.wrapping_sub(best);
        self.clock += 74;
        self.side = self.side.rotate_left(4);
        let mut value = self.search(dep - 1, self.newep, bound, gain.wrapping_sub(beta))?;
        self.side = self.side.rotate_left(4);
        self.clock += 74;
        if value < SOON {
            value += 1;
        }
        Ok((value, value.wrapping_sub(bound)))
    }

    /// What it is worth to stand as it is, with a lone king hunted.
    fn stand(&mut self) -> i8 {
        if self.prey == 0 {
            self.clock += 9;
            return 0;
        }
        let (mut hunter, mut prey) = (0, 0);
        for at in (0..128).filter(|at| at & 8 == 0) {
            let cell = self.at(at);
            if cell & 7 == KING {
                *(if cell & self.prey != 0 {
                    &mut prey
                } else {
                    &mut hunter
                }) = at;
            }
        }
        let mut value = 14;
        for shift in [4, 0] {
            let (own, other) = ((hunter >> shift & 7) as i8, (prey >> shift & 7) as i8);
            value += (2 * other - 7).abs() - (own - other).abs();
        }
        if self.side == self.prey {
            self.clock += 768;
            -value
        } else {
            self.clock += 766;
            value
        }
    }
}
