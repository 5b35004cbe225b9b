//! Promises that a source makes about its clocks, and what comes of proving them.

/// A directive of the target that promises something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ContractKind {
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
}
