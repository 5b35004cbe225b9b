//! The proof of a whole program whose work is divided into blocks of time.
//!
//! Two parts of a program take turns: blocks, each of which takes what it is charged
//! ([`slices`](super::slices)), and the handler of late blocks, which makes the lines.
//! All of both is followed from power-on ([`blocks`], [`handler`]), each with what the
//! other one leaves in RAM, until there is nothing new. What comes of it:
//!
//! - every jump that cannot be followed in a block lands on a `sync`;
//! - no store in a block hits the time left, and what stores leave in the lists of the
//!   picture is what lines are walked with;
//! - from each state in which a block can be late, and for each time that can be left,
//!   hSync falls on time, over all lines up to where the block goes on with what is left
//!   until the next deadline.
//!
//! By induction over the turns every line has its clocks.

mod blocks;
mod handler;
mod memory;
mod relation;
mod report;
mod start;
mod states;
mod step;
mod value;

use std::collections::{BTreeMap, BTreeSet};

pub use handler::{Fault, Spec, Wrong};
pub use report::{findings, steady_signals, writes_out};
pub use step::Doubt;

use blocks::Blocks;
use handler::Handler;
use memory::{Memory, Reads};
use step::{Phase, World};
use value::Set;

/// `jmp y,[…]` and `ld […],y`, and how far the one stands behind the other.
const JUMP_BY_CELL: u8 = 0xe1;
const PAGE_BY_CELL: u8 = 0x15;
const NEAR: u16 = 4;
/// Rounds in which blocks and handler must settle.
const MOST_ROUNDS: usize = 24;
/// States of the handler that are looked at before blocks are followed with what it changes.
const FIRST_NODES: usize = 1_200;
/// Walks from the start, each with more cells told apart.
const MOST_WALKS: usize = 12;

/// What the source says of the program.
pub struct Program<'a> {
    pub syncs: &'a BTreeSet<u16>,
    pub landings: &'a BTreeSet<u16>,
    pub targets: &'a BTreeMap<u16, Vec<u16>>,
    /// Jumps that go back to late blocks.
    pub resumes: Vec<u16>,
}

/// Lines of a frame and of its vSync pulse; or two numbers of lines that differ, or
/// nothing if vSync does not come again and again.
pub type Frames = Result<(i64, i64), Option<(i64, i64)>>;

/// What was found.
#[derive(Debug, Default)]
pub struct Whole {
    /// States of blocks and lines that were looked at.
    pub states: usize,
    /// What is not proven, with the word.
    pub doubts: BTreeSet<(u16, Doubt)>,
    /// Lines that are wrong.
    pub faults: Vec<Fault>,
    /// Lines of a frame and of its vSync pulse, or what is wrong with them.
    pub frames: Option<Frames>,
    /// Cells of the handler that hold too many values to tell its states apart.
    pub joined: Vec<u8>,
    /// Least and most clocks before each word of the handler.
    pub clocks: BTreeMap<u16, (i64, i64)>,
}

/// Follows a program from power-on.
pub fn whole(rom: &[u16], program: &Program<'_>, spec: Spec) -> Whole {
    followed(rom, program, spec, turns)
}

/// Stores in blocks that may hit the time left, of a part of a program: nothing is known
/// of how late blocks go on.
pub fn stores(rom: &[u16], program: &Program<'_>, spec: Spec) -> Whole {
    let mut found = followed(rom, program, spec, |world, _, _| {
        world.be_patient();
        if let Some(start) = blocks::boot(world) {
            let mut all = Blocks::new(world.rom, world.syncs);
            all.arrive(world, &start);
            all.run(world);
        }
        Whole::default()
    });
    let store = |d: &(u16, Doubt)| matches!(d.1, Doubt::Left(_) | Doubt::Store);
    found.doubts.retain(store);
    found
}

/// Pairs of cells that a jump takes its page and its place from, in the pages of blocks:
/// so many walks are spared that would find them.
fn places(rom: &[u16], syncs: &BTreeSet<u16>) -> Vec<Vec<u8>> {
    let pages: BTreeSet<u16> = syncs.iter().map(|s| s >> 8).collect();
    let word = |at: u16| rom.get(usize::from(at)).copied().unwrap_or(0).to_le_bytes();
    let mut out = BTreeSet::new();
    for at in pages.into_iter().flat_map(|p| p << 8..=p << 8 | 0xff) {
        let [op, low] = word(at);
        if op != JUMP_BY_CELL {
            continue;
        }
        let before = (1..=NEAR).map(|i| word(at.wrapping_sub(i)));
        if let Some([_, high]) = before.into_iter().find(|w| w[0] == PAGE_BY_CELL)
            && high != low
        {
            out.insert(vec![high.min(low), high.max(low)]);
        }
    }
    out.into_iter().collect()
}

/// Walks again and again, each time with more cells told apart.
fn followed(
    rom: &[u16],
    program: &Program<'_>,
    spec: Spec,
    walk: impl Fn(&mut World<'_>, &Program<'_>, Spec) -> Whole,
) -> Whole {
    let (mut groups, mut apart) = (places(rom, program.syncs), Vec::new());
    let mut words = 0;
    for _ in 0..MOST_WALKS {
        // Stubs put the place of a late block into `back`, whichever it is.
        let mut memory = Memory::new();
        memory.share(usize::from(spec.back), Set::FULL);
        let mut world = World {
            rom,
            memory,
            phase: Phase::Boot,
            left: spec.time.cell,
            limit: spec.time.limit,
            landings: program.landings,
            syncs: program.syncs,
            targets: program.targets,
            touched: Set::EMPTY,
            reads: Reads::default(),
            handler_writes: Set::of(spec.back),
            block_uses: Set::EMPTY,
            wanted: Vec::clone(&groups),
            groups,
            wanted_apart: Vec::clone(&apart),
            apart,
            missed: false,
            hopeless: None,
            doubts: BTreeSet::new(),
            words,
        };
        let found = walk(&mut world, program, spec);
        if !world.missed {
            return Whole {
                doubts: world.doubts,
                ..found
            };
        }
        (groups, apart) = (world.wanted, world.wanted_apart);
        words = world.words;
    }
    Whole {
        doubts: [(spec.late, Doubt::TooMany)].into(),
        ..Whole::default()
    }
}

/// Lets blocks and handler take turns until there is nothing new.
fn turns(world: &mut World<'_>, program: &Program<'_>, spec: Spec) -> Whole {
    let Some(start) = blocks::boot(world) else {
        return Whole::default();
    };
    let left = start.cell(spec.time.cell).single();
    if left.is_none_or(|l| i64::from(l as i8) < -spec.time.limit) {
        world.doubt(start.at, Doubt::Boot);
        return Whole::default();
    }
    let mut all = Blocks::new(world.rom, world.syncs);
    all.arrive(world, &start);
    let mut last: Option<(u64, Set, Handler)> = None;
    for _ in 0..MOST_ROUNDS {
        all.run(world);
        // What is told of blocks is why.
        if world.missed || world.is_hopeless() {
            return Whole::default();
        }
        // The handler was walked with all that there is.
        let settled = last.take_if(|l| (l.0, l.1) == (world.memory.version, world.block_uses));
        if let Some((.., handler)) = settled {
            return Whole {
                states: all.len() + handler.len(),
                doubts: BTreeSet::new(),
                frames: Some(handler.frames()),
                joined: handler.joined(),
                faults: handler.faults.into_values().collect(),
                clocks: handler.clocks,
            };
        }
        let before = world.handler_writes;
        let mut handler = Handler::new(spec, program.resumes.clone(), &start);
        // What the handler changes is known after a frame or so, and all blocks after that.
        let most = if before == Set::of(spec.back) {
            FIRST_NODES
        } else {
            usize::MAX
        };
        if handler.run(world, most) {
            last = Some((world.memory.version, world.block_uses, handler));
        }
        if before != world.handler_writes {
            all.again();
            last = None;
        }
    }
    world.doubt(spec.late, Doubt::TooMany);
    Whole::default()
}
