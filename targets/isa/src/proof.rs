//! Promises that a source makes about its clocks, and what comes of proving them.

use std::collections::BTreeMap;

/// What a directive of the target does besides promising something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Nothing.
    Promise,
    /// It sets up blocks of time: behind it filler may come between instructions, and
    /// its arguments as written stand for `#1`, `#2`… in the lines of the others.
    Slices,
    /// It stands for these lines.
    Lines(&'static [&'static str]),
    /// What the target wants to put somewhere has room here, once in a section.
    Room,
}

/// A directive of the target that promises something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ContractKind {
    /// What it does besides.
    pub role: Role,
    /// The directive: `clock`.
    pub name: &'static str,
    /// Words that may stand among its arguments.
    pub words: &'static [&'static str],
    /// Fewest and most arguments.
    pub arguments: (u8, u8),
    /// One line about it.
    pub about: &'static str,
}

/// A promise in a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contract {
    /// Index in [`Target::contracts`](crate::Target::contracts).
    pub kind: usize,
    /// Linear address of the statement behind it.
    pub address: u64,
    /// Number of the section that it stands in.
    pub section: u32,
    /// Its values, in the target's own addresses where they are labels.
    pub values: Vec<i64>,
    /// Its words.
    pub words: Vec<&'static str>,
}

/// A step of a path: linear address of an instruction and the clock before it.
pub type Step = (u64, i64);

/// A promise that is not kept, or cannot be proven.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// It is broken; otherwise it is only not proven.
    pub broken: bool,
    /// Linear address that it is about.
    pub address: u64,
    /// Where the path to it starts.
    pub from: Option<u64>,
    /// What is wrong, with figures.
    pub message: String,
    /// What would mend it.
    pub help: Option<String>,
    /// The path that breaks it.
    pub path: Vec<Step>,
}

/// What came of proving a program's promises.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Proof {
    /// Pairs of promises between which all paths are right.
    pub proven: usize,
    /// The others.
    pub findings: Vec<Finding>,
    /// Bytes that promises compute: linear address and what to put there.
    pub patches: Vec<(u64, Vec<u8>)>,
    /// Blocks of time, by address.
    pub blocks: Vec<Block>,
    /// Linear addresses of jumps that are promised to land on a block.
    pub landings: Vec<u64>,
    /// Instructions whose clock is known: linear address, least and most, by address.
    pub clocks: Vec<(u64, i64, i64)>,
}

/// A block of time: it takes the same on every path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Block {
    /// Linear address of its first instruction.
    pub address: u64,
    /// Bytes of the instructions that make it a block.
    pub head: u32,
    /// Clocks from there to the next block.
    pub clocks: i64,
}

/// What a running program is watched for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Promises {
    /// What its source promises.
    pub contracts: Vec<Contract>,
    /// Its blocks of time.
    pub blocks: Vec<Block>,
    /// Linear addresses of jumps that land on one.
    pub landings: Vec<u64>,
}

/// A promise that a running program did not keep.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Broken {
    /// The clock of the first time.
    pub clock: u64,
    /// Linear address of the instruction that it is about.
    pub address: u64,
    /// What happened, with figures.
    pub message: String,
    /// How often.
    pub count: u64,
}

/// A place where a program can be made longer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Spot {
    /// Before the instruction at a linear address: whoever jumps there passes it.
    Before(u64),
    /// Behind the instruction at a linear address: only what comes from it passes.
    Behind(u64),
    /// At the directive with [`Role::Room`] in the section of that number.
    Room(u32),
}

/// A place in the program as it will be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    /// The instruction that is now at a linear address.
    Instruction(u64),
    /// So many bytes behind the start of a spot.
    Spot(Spot, u64),
}

/// A byte that becomes part of an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Link {
    /// Which byte: behind the start of the piece, or a linear address.
    pub at: u64,
    /// Whose address.
    pub goal: Goal,
    /// Its bits 8 to 15; otherwise its low ones.
    pub high: bool,
}

/// What words are for that do no work.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Overhead {
    /// They divide time into blocks.
    Sync,
    /// A block that comes too late goes through them.
    Stub,
    /// They only take time.
    Filler,
}

impl Overhead {
    /// `sync`, `stub`, `filler`
    pub fn name(self) -> &'static str {
        match self {
            Self::Sync => "sync",
            Self::Stub => "stub",
            Self::Filler => "filler",
        }
    }
}

/// Something to be put into a spot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// What it is for.
    pub kind: Overhead,
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// Those that are addresses.
    pub links: Vec<Link>,
    /// Its bytes are those of the instruction that is now at this linear address.
    pub copy: Option<u64>,
}

/// How a program is to be changed before it is linked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Plan {
    /// What comes where.
    pub pieces: BTreeMap<Spot, Vec<Piece>>,
    /// Bytes of instructions that change.
    pub links: Vec<Link>,
    /// Why it cannot be done.
    pub findings: Vec<Finding>,
}
