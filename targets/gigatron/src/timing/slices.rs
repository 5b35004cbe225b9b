//! What the program says about its time: `slices`, `sync` and `stubs`.

use std::collections::{BTreeMap, BTreeSet};

use scrimp_isa::proof::{Contract, Finding};

use super::Time;
use super::blocks::{HEAD, Program, Way};
use super::words::broken;

/// Most that `limit` can be: the time left is a signed byte.
const MOST_LIMIT: i64 = 128;

/// What the program says about its time.
#[derive(Debug, Default)]
pub struct Slices {
    /// Cell with the clocks left.
    pub left: u8,
    /// Cell that takes the place to resume at.
    pub back: u8,
    /// The handler.
    pub late: u16,
    /// Most clocks of a block.
    pub limit: i64,
    /// Arms that differ are errors.
    pub strict: bool,
    /// Sections of the blocks.
    pub sections: BTreeMap<u16, u32>,
    /// Where `stubs` stand.
    pub rooms: BTreeSet<u16>,
    /// What is wrong with the directives themselves.
    pub wrong: Vec<Finding>,
    /// Where the program divides its time.
    pub program: Program,
}

impl Slices {
    /// From the arguments of `slices`.
    pub fn new(c: &Contract) -> Option<Self> {
        let [left, back, late, limit] = c.values[..] else {
            return None;
        };
        let mut wrong = Vec::new();
        for (what, n, most) in [
            ("the cell with the time left", left, 0..=255),
            ("the cell with the place to resume", back, 0..=255),
            (
                "the most clocks of a block",
                limit,
                i64::from(HEAD)..=MOST_LIMIT,
            ),
        ] {
            if !most.contains(&n) {
                let message = format!("{what} cannot be {n}");
                let help = format!("it is {} to {}", most.start(), most.end());
                let address = c.address;
                wrong.push(Finding {
                    address,
                    ..broken(0, message, &help)
                });
            }
        }
        Some(Self {
            left: left as u8,
            back: back as u8,
            late: late as u16,
            limit,
            strict: !c.words.is_empty(),
            wrong,
            ..Self::default()
        })
    }

    /// How time is counted up to a deadline.
    pub fn time(&self, deadline: i64) -> Time {
        Time {
            deadline,
            limit: self.limit,
            cell: self.left,
        }
    }

    /// Adds a block at a linear address.
    pub fn sync(&mut self, address: u64, section: u32) {
        match u16::try_from(address / 2) {
            Ok(at) => {
                self.program.syncs.insert(at);
                self.sections.insert(at, section);
            }
            Err(_) => {
                let message = "a block of time in memory that is no ROM".to_owned();
                let f = broken(0, message, "put it into a section in `rom`");
                self.wrong.push(Finding { address, ..f });
            }
        }
    }
}

/// Filler by the way that it lengthens.
pub(super) type Lengths = BTreeMap<Way, i64>;
