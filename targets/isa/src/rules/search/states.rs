//! States on which instructions are run side by side: 64 at once, and some of them as numbers,
//! which is faster for one instruction.

use crate::lanes::{LANES, Lanes, lane, spread};
use crate::memory::{LanesMemory, Numbers, Space};
use crate::rules::Instruction;
use crate::semantics::Code;
use crate::state::{CELLS, Constants};
use crate::{Concrete, Processor, Semantics};

/// Where a window stands.
const ADDRESS: u64 = 0x4000;

/// What was written: space, address, byte.
pub(super) type Store = (Space, u32, u8);
pub(super) type Cells = [[u64; 8]; CELLS];

/// Sixty-four states behind some instructions.
pub(super) struct State {
    pub(super) cells: Cells,
    /// Which lanes, space, address and value of each store.
    pub(super) written: Vec<(u64, crate::memory::At<Lanes>, [u64; 8])>,
}

impl State {
    /// What is stored in a lane.
    pub(super) fn stores(&self, n: usize) -> impl Iterator<Item = (Space, u32, u32)> + '_ {
        let own = self.written.iter().filter(move |w| w.0 >> n & 1 == 1);
        own.map(move |(_, at, v)| {
            (
                at.space,
                lane(&at.top, n) << 16 | lane(&at.low, n),
                lane(v, n),
            )
        })
    }

    pub(super) fn stores_like(&self, other: &Self) -> bool {
        (0..LANES).all(|n| self.stores(n).eq(other.stores(n)))
    }
}

/// States of the 64 on which what is tried is run first.
pub(super) const SAMPLES: [usize; 4] = [40, 51, 5, 60];

/// Some states behind some instructions, each as numbers.
#[derive(Clone)]
pub(super) struct Sampled {
    pub(super) cells: [[u8; CELLS]; SAMPLES.len()],
    pub(super) written: [Vec<Store>; SAMPLES.len()],
}

impl Sampled {
    /// Of 64 states.
    pub(super) fn of(all: &State) -> Self {
        let cells = SAMPLES.map(|n| std::array::from_fn(|c| lane(&all.cells[c], n) as u8));
        let written = SAMPLES.map(|n| all.stores(n).map(|w| (w.0, w.1, w.2 as u8)).collect());
        Self { cells, written }
    }
}

/// What memory holds in a state.
pub(super) fn held(n: usize, space: Space, at: u32) -> u8 {
    mixed(u64::from(at) << 16 | (space as u64) << 8 | n as u64) as u8
}

/// A number that looks like chance.
pub(super) fn mixed(n: u64) -> u64 {
    let n = (n ^ n >> 31).wrapping_mul(0x7fb5_d329_728e_a185);
    let n = (n ^ n >> 27).wrapping_mul(0x81da_def4_bc2d_d44d);
    n ^ n >> 33
}

/// A byte of each lane: the first ones have the numbers with which things go wrong.
pub(super) fn byte(seed: u64) -> [u64; 8] {
    const CORNERS: [u32; 8] = [0, 255, 1, 128, 127, 15, 254, 16];
    spread(|n| match CORNERS.get((n + seed as usize) % 24) {
        Some(&corner) if n < 24 => corner,
        _ => mixed(seed << 8 | n as u64) as u32 & 0xff,
    })
}

/// Runs an instruction on 64 states.
pub(super) fn step(
    semantics: &dyn Semantics,
    i: &Instruction,
    values: Option<[[u64; 8]; 2]>,
    now: &State,
) -> Option<State> {
    let mut p = Processor::new(Lanes, LanesMemory::new(Box::new(held)));
    p.memory.written.clone_from(&now.written);
    for (cell, v) in (0..).zip(now.cells) {
        p.set_cell(cell, v);
    }
    p.constants = values.map(|values| Constants {
        values,
        address: None,
    });
    let code = Code {
        bytes: &i.bytes,
        address: ADDRESS,
    };
    semantics.lanes(code, &mut p)?;
    if p.went.is_some() {
        return None;
    }
    let mut cells = now.cells;
    for (cell, v) in (0..).zip(&mut cells) {
        *v = p.cell(cell);
    }
    Some(State {
        cells,
        written: p.memory.written,
    })
}

/// Runs an instruction on one of the samples.
pub(super) fn run(
    semantics: &dyn Semantics,
    i: &Instruction,
    values: Option<[[u64; 8]; 2]>,
    (n, cells, written): (usize, &[u8; CELLS], &[Store]),
) -> Option<([u8; CELLS], Vec<Store>)> {
    let state = SAMPLES[n];
    let seen = move |space: Space, at: u32| held(state, space, at);
    let mut p = Processor::new(Concrete, Numbers::new(Box::new(seen)));
    p.memory.written.extend_from_slice(written);
    for (cell, &v) in (0..).zip(cells) {
        p.set_cell(cell, v);
    }
    p.constants = values.map(|values| Constants {
        values: values.map(|v| lane(&v, state) as u8),
        address: None,
    });
    let code = Code {
        bytes: &i.bytes,
        address: ADDRESS,
    };
    semantics.numbers(code, &mut p)?;
    if p.went.is_some() {
        return None;
    }
    Some((std::array::from_fn(|c| p.cell(c as u8)), p.memory.written))
}
