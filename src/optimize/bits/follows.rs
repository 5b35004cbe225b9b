//! How what an instruction leaves follows one byte that it is given: not at all, as a sum, or
//! by single bits of it. Found by running its meaning on pairs of states.

use crate::optimize::flow::Book;
use scrimp_isa::memo::{Answers, Memo};
use scrimp_isa::memory::{Numbers, Space};
use scrimp_isa::semantics::Code;
use scrimp_isa::state::{Constants, Holds, Location};
use scrimp_isa::{Concrete, Processor};
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

/// Bits of a byte.
const BYTE: u8 = 8;
/// States that an instruction is run on, with each value of the byte.
const STATES: u64 = 4;
/// Values from which it is seen what is a sum: each bit is there and not there.
const SOME: [u8; 10] = [0, 1, 0x37, 0x52, 0x7e, 0x83, 0xaa, 0xb5, 0xfe, 0xff];
/// A flag that follows in some way.
const OTHERWISE: u8 = 2;
/// A byte to which a sum of the other may carry over.
const CARRIED: u8 = 3;

/// A byte that an instruction is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Input {
    /// A cell.
    Cell(u8),
    /// One of its constants, in the order in which they are read.
    Constant(u8),
    /// What it reads from memory: the first byte, the second one.
    Read(u8),
}

/// What an instruction leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Output {
    /// A register or flag, by its location.
    Location(u8),
    /// A byte in memory, in the order in which they are written.
    Written(u8),
    /// Whether control goes elsewhere.
    Way,
}

/// How one thing that is left follows the byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Follows {
    /// What is left.
    pub output: Output,
    /// Whether that is a flag.
    pub flag: bool,
    /// It follows as a sum where the byte changes by multiples of two to the power of this;
    /// 8 if it never does.
    pub bits: u8,
    /// By how much it changes where the byte does by the least such multiple.
    pub by: u8,
}

impl Follows {
    /// Whether it is the byte and something that does not depend on it.
    pub fn is_sum(&self) -> bool {
        self.bits == 0 && self.by == 1
    }

    /// Whether it is something less the byte.
    pub fn is_difference(&self) -> bool {
        self.bits == 0 && self.by == 0xff
    }
}

/// What a run leaves: cells, and bytes that it wrote.
struct Left {
    cells: Vec<u8>,
    written: Vec<u8>,
    went: bool,
}

/// An instruction, its constants, and the byte that changes.
type Run<'r> = (&'r [u8], [u8; 2], Input);

/// Something that is left.
#[derive(Clone, Copy, Debug)]
enum Thing {
    Location(Location),
    Written(usize),
    Way,
}

impl Thing {
    fn is_flag(self) -> bool {
        match self {
            Self::Location(l) => l.bit.is_some(),
            Self::Written(_) => false,
            Self::Way => true,
        }
    }

    fn output(self) -> Output {
        match self {
            Self::Location(l) => Output::Location(l.number),
            Self::Written(i) => Output::Written(i as u8),
            Self::Way => Output::Way,
        }
    }

    fn value(self, left: &Left) -> u8 {
        match self {
            Self::Location(l) => {
                let cell = left.cells[usize::from(l.cell)];
                l.bit.map_or(cell, |bit| cell >> bit & 1)
            }
            Self::Written(i) => left.written.get(i).copied().unwrap_or(0),
            Self::Way => left.went.into(),
        }
    }
}

/// An address in memory that is touched.
pub type Touched = (Space, u32);

/// How instructions follow what they are given.
pub type All = Answers<Arc<[Follows]>>;

/// What was found of other programs for the same processor too.
pub fn all(book: &Book<'_>) -> Arc<All> {
    static FOLLOWS: Memo<Arc<[Follows]>> = Memo::new();
    FOLLOWS.of(book.name())
}

/// The key of an instruction with its constants and the byte that changes.
pub fn key(bytes: &[u8], constants: [u8; 2], input: Input) -> Vec<u8> {
    let input = match input {
        Input::Cell(n) => [0, n],
        Input::Constant(n) => [1, n],
        Input::Read(n) => [2, n],
    };
    [&constants, &input, bytes].concat()
}

impl Book<'_> {
    /// Where an instruction reads memory, in order, and where it writes it.
    pub fn touched(&self, bytes: &[u8], seed: u64) -> Option<(Vec<Touched>, Vec<Touched>)> {
        let cells = self.cells(seed);
        let (p, read) = self.given(bytes, (&cells, None), None)?;
        let written = p.memory.written.iter().map(|w| (w.0, w.1));
        Some((read, written.collect()))
    }

    /// How all that an instruction leaves follows one input; what does not follow is left out,
    /// and so are flags beside a byte that does as a sum.
    pub fn follows(&self, bytes: &[u8], constants: [u8; 2], input: Input) -> Option<Vec<Follows>> {
        let layout = self.semantics.layout();
        let facts = self.facts(bytes)?;
        let quiet = layout.of_cells(layout.quiet);
        let written = facts.effects.writes.without(quiet);
        let all = layout.locations().into_iter();
        let own = all.filter(|l| written.has(l.number));
        let mut things: Vec<Thing> = own.map(Thing::Location).collect();
        let (_, written) = self.touched(bytes, 0)?;
        things.extend((0..written.len()).map(Thing::Written));
        things.push(Thing::Way);
        let run = (bytes, constants, input);
        match self.plain(run, &things)? {
            Some(found) => Some(found),
            None => self.any(run, &things),
        }
    }

    /// The same from some values, where all that follows is the byte, or something less it.
    fn plain(&self, run: Run<'_>, things: &[Thing]) -> Option<Option<Vec<Follows>>> {
        let mut by: Vec<Option<u8>> = vec![None; things.len()];
        for seed in 0..STATES {
            let lefts: Option<Vec<Left>> =
                SOME.iter().map(|&v| self.left(run, (seed, v))).collect();
            let lefts = lefts?;
            for (t, by) in things.iter().zip(&mut by) {
                let is = |times: u8| {
                    let rest =
                        |(l, &v): (&Left, &u8)| t.value(l).wrapping_sub(v.wrapping_mul(times));
                    let first = rest((&lefts[0], &SOME[0]));
                    lefts.iter().zip(&SOME).all(|x| rest(x) == first)
                };
                let found = [0, 1, 0xff].into_iter().find(|&t| is(t));
                let same = by.is_none() || *by == found;
                match found {
                    Some(_) if same => *by = found,
                    _ if t.is_flag() => *by = Some(OTHERWISE),
                    None if carried(lefts.iter().map(|l| t.value(l))) => *by = Some(CARRIED),
                    _ => return Some(None),
                }
            }
        }
        let sum = |t: &(&Thing, &Option<u8>)| matches!(t.1, Some(1 | 0xff)) && !t.0.is_flag();
        let all = || things.iter().zip(&by);
        let beside = [Some(OTHERWISE), Some(CARRIED)];
        if !all().any(|t| sum(&t)) && by.iter().any(|b| beside.contains(b)) {
            return Some(None);
        }
        let found = all().filter(sum).map(|(t, by)| Follows {
            output: t.output(),
            flag: false,
            bits: 0,
            by: by.unwrap_or(0),
        });
        Some(Some(found.collect()))
    }

    /// The same from all values.
    fn any(&self, run: Run<'_>, things: &[Thing]) -> Option<Vec<Follows>> {
        // Of each distance the changes of each thing that is left, all that there are.
        let mut changes = vec![vec![Changes::default(); things.len()]; usize::from(BYTE)];
        for seed in 0..STATES {
            let all = 0..=u8::MAX;
            let lefts: Option<Vec<Left>> = all.map(|v| self.left(run, (seed, v))).collect();
            let lefts = lefts?;
            for (bit, own) in changes.iter_mut().enumerate() {
                for (a, b) in lefts.iter().zip(&lefts[1 << bit..]) {
                    for (t, own) in things.iter().zip(own.iter_mut()) {
                        own.add(t.value(b).wrapping_sub(t.value(a)));
                    }
                }
            }
        }
        let found = things.iter().enumerate().filter_map(|(i, t)| {
            let own: Vec<&Changes> = changes.iter().map(|c| &c[i]).collect();
            let (bits, by) = follows(&own, t.is_flag())?;
            Some(Follows {
                output: t.output(),
                flag: t.is_flag(),
                bits,
                by,
            })
        });
        Some(found.collect())
    }

    /// What an instruction leaves in one state, with a value for an input.
    fn left(
        &self,
        (bytes, mut constants, input): Run<'_>,
        (seed, value): (u64, u8),
    ) -> Option<Left> {
        let mut cells = self.cells(seed);
        let mut read = None;
        match input {
            Input::Cell(c) => cells[usize::from(c)] = value,
            Input::Constant(c) => constants[usize::from(c) % 2] = value,
            Input::Read(n) => read = Some((n, value)),
        }
        let given = matches!(input, Input::Constant(_)).then_some(constants);
        let (p, _) = self.given(bytes, (&cells, given), read)?;
        let layout = self.semantics.layout();
        let cells = (0..).zip(layout.cells).map(|(n, c)| match c.holds {
            Holds::Byte | Holds::Flags(..) => p.cell(n),
            Holds::Nothing | Holds::Hidden => 0,
        });
        Some(Left {
            cells: cells.collect(),
            written: p.memory.written.iter().map(|w| w.2).collect(),
            went: p.went == Some(true),
        })
    }

    /// Runs an instruction on cells, with its constants if they are others; the n-th byte that
    /// is read may be another too. What is read, in order.
    fn given(
        &self,
        bytes: &[u8],
        (cells, constants): (&[u8], Option<[u8; 2]>),
        read: Option<(u8, u8)>,
    ) -> Option<(Processor<Concrete, Numbers>, Vec<Touched>)> {
        /// What memory holds otherwise.
        const FULL: u8 = 0x5a;
        let seen: Rc<RefCell<Vec<Touched>>> = Rc::default();
        let own = Rc::clone(&seen);
        let memory = Box::new(move |space: Space, at: u32| {
            // What lies beyond data memory counts too: how much of that a part has is not known.
            let mut own = own.borrow_mut();
            let n = own.iter().position(|&t| t == (space, at));
            let n = n.unwrap_or_else(|| {
                own.push((space, at));
                own.len() - 1
            });
            match read {
                Some((other, value)) if n == usize::from(other) => value,
                _ => FULL,
            }
        });
        let layout = self.semantics.layout();
        let mut p = Processor::new(Concrete, Numbers::new(memory));
        for ((cell, c), &v) in (0..).zip(layout.cells).zip(cells) {
            if matches!(c.holds, Holds::Byte | Holds::Flags(..)) {
                p.set_cell(cell, v);
            }
        }
        p.constants = constants.map(|values| Constants {
            values,
            address: None,
        });
        self.semantics.numbers(Code { bytes, address: 0 }, &mut p)?;
        let read = seen.borrow().clone();
        Some((p, read))
    }
}

/// By how much something changed: two values at most, and whether there were more.
#[derive(Clone, Copy, Debug, Default)]
struct Changes {
    seen: [Option<u8>; 2],
    more: bool,
}

impl Changes {
    fn add(&mut self, by: u8) {
        for slot in &mut self.seen {
            match slot {
                Some(old) if *old == by => return,
                Some(_) => {}
                None => {
                    *slot = Some(by);
                    return;
                }
            }
        }
        self.more = true;
    }

    /// The one change, if it was always the same.
    fn one(&self) -> Option<u8> {
        match (self.more, self.seen) {
            (false, [Some(by), None]) => Some(by),
            _ => None,
        }
    }

    /// Whether it changed by nothing else than this, if at all.
    fn at_most(&self, by: u8) -> bool {
        let fits = |s: &Option<u8>| s.is_none_or(|s| s == 0 || s == by);
        !self.more && self.seen.iter().all(fits)
    }
}

/// Whether values are at most one apart, in one direction.
fn carried(mut values: impl Iterator<Item = u8>) -> bool {
    let Some(first) = values.next() else {
        return true;
    };
    let all: Vec<u8> = values.map(|v| v.wrapping_sub(first)).collect();
    all.iter().all(|&d| d <= 1) || all.iter().all(|&d| d == 0 || d == 0xff)
}

/// From which bit on something follows as a sum, and by how much; nothing if it does not
/// follow at all, or is only carried over to.
fn follows(changes: &[&Changes], flag: bool) -> Option<(u8, u8)> {
    let carried = |by: u8| changes.iter().all(|c| c.at_most(by));
    if carried(0) || !flag && (carried(1) || carried(0xff)) {
        return None;
    }
    let mut bits = BYTE;
    let mut by = 0;
    for (n, c) in (0..BYTE).zip(changes).rev() {
        let Some(own) = c.one().filter(|&own| !flag || own == 0) else {
            break;
        };
        // Twice the distance is twice the change.
        if bits < BYTE && own.wrapping_mul(2) != by {
            break;
        }
        (bits, by) = (n, own);
    }
    Some((bits, by))
}
