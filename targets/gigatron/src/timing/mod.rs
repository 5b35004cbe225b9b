//! Proof of clock counts: every path takes exactly the clocks that are promised.
//!
//! Each word takes one clock, so the time of a path is the number of its words. What
//! makes it a proof is the state of the walk: the word in execution *and* the word
//! that is fetched meanwhile, which is all there is to a delay slot; and what is
//! known of the registers' bits, so that constants in AC and Y decide branches and
//! far jumps. The meaning of a word is that of the simulator ([`exec`](crate::semantics::exec)), in the
//! domain of known bits.
//!
//! Promises are [`Mark`]s at words. The walk starts at each mark that begins a stretch
//! and follows all paths; where it meets another mark the clock must be that mark's.
//! Paths that cannot be followed (a jump to a value from RAM) are reported as open,
//! never taken for proven.

mod blocks;
pub mod contracts;
mod even;
mod filler;
mod lines;
mod slices;
mod walk;
mod whole;
mod words;

use std::collections::{BTreeMap, BTreeSet};

pub use lines::{BadLine, Lines, lines};
pub use walk::{Begin, begins, prove};

/// What a mark promises.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Promise {
    /// Whoever comes here comes at this clock.
    At(i64),
    /// The clock counts from this anew; where paths come from is not looked at.
    Rebase(i64),
    /// AC is minus half of the clocks used, this one included: how a function of the
    /// interpreter answers. The walk ends here.
    Answer {
        /// Added to the clock before it is halved.
        more: i64,
    },
    /// The walk ends here and nothing is promised.
    End,
    /// A block that is late comes here, its time ends at the clock `deadline`.
    Late(Time),
    /// The jump goes back to a late block; behind its slot AC is the time that is left.
    /// The walk ends here.
    Resume(Time),
}

/// How the time of blocks is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Time {
    /// The clock at which it ends.
    pub deadline: i64,
    /// Clocks of the longest block; a block is late if fewer are left.
    pub limit: i64,
    /// Cell with the clocks that are left at the start of a block, less `limit`.
    pub cell: u8,
}

/// A promise at a word: it holds before the word executes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mark {
    /// Word address.
    pub at: u16,
    /// What is promised.
    pub promise: Promise,
}

/// What is proven, and with what help.
#[derive(Clone, Debug, Default)]
pub struct Contracts {
    /// Promises, by address.
    pub marks: Vec<Mark>,
    /// Where the jump at an address goes, if its target is not known.
    pub targets: BTreeMap<u16, Vec<u16>>,
    /// How often a word is executed at most between two marks.
    pub bounds: BTreeMap<u16, u32>,
    /// Clocks between falling edges of hSync, if these are promises too.
    pub line: Option<i64>,
}

/// A word of a path, and the clock before it executes.
pub type Step = (u16, i64);

/// Why a promise is not kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The mark is met at another clock.
    Clock {
        /// What was promised.
        expected: i64,
        /// What it is.
        found: i64,
    },
    /// AC is not minus half the clocks.
    Answer {
        /// What AC should be.
        expected: u8,
        /// What it is.
        found: u8,
        /// Clocks used.
        clocks: i64,
    },
    /// AC is not the time that is left.
    Resume {
        /// What AC should be.
        expected: u8,
        /// What it is.
        found: u8,
    },
    /// hSync falls at another clock.
    Line {
        /// Clocks of a line.
        expected: i64,
        /// Clocks since it fell before.
        found: i64,
    },
}

/// A broken promise with the path that breaks it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// Where the path starts: a mark, or the last edge.
    pub from: u16,
    /// Where it should have been on time.
    pub to: u16,
    /// What is wrong.
    pub fault: Fault,
    /// All words of the path.
    pub path: Vec<Step>,
}

/// Why a path is not followed to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Open {
    /// The jump goes to a value that is not known.
    Jump,
    /// It goes round without a mark or bound.
    Loop,
    /// There are more states than are walked.
    TooMany,
    /// AC is not known where it must answer.
    Answer,
    /// Whether hSync falls is not known.
    Edge,
}

/// Least and most clocks before a word, by address.
pub type Clocks = BTreeMap<u16, (i64, i64)>;

/// Notes that a word executes between two clocks.
fn clocked(clocks: &mut Clocks, at: u16, (least, most): (i64, i64)) {
    let known = clocks.entry(at).or_insert((least, most));
    *known = (known.0.min(least), known.1.max(most));
}

/// What came of it.
#[derive(Clone, Debug, Default)]
pub struct Proof {
    /// Pairs of marks (or edges) between which every path was right.
    pub proven: usize,
    /// Broken promises, by address.
    pub violations: Vec<Violation>,
    /// Clocks at which the paths end at [`Promise::End`], by address: least and most.
    pub ends: BTreeMap<u16, (i64, i64)>,
    /// Paths that are not followed: where, why, and the mark they come from.
    pub open: Vec<(u16, Open, u16)>,
    /// Words whose `rounds`, `targets` or `end` were taken as they are promised.
    pub trusted: BTreeSet<u16>,
    /// States that were walked through.
    pub states: usize,
    /// Least and most clocks before each word, where all paths to it are followed.
    pub clocks: Clocks,
}
