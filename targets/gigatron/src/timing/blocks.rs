//! Blocks of time: all paths from a `sync` to the next one, as a graph of states.
//!
//! A state is a word in execution, the word fetched meanwhile and what is known of
//! registers and cells, as in [`walk`](super::walk). States that two blocks share are
//! one, so the work grows with the program and not with its paths.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use scrimp_isa::known::{Byte, Word};

use super::walk::{Pair, outcomes, table};
use crate::opcode::Opcode;

/// Words of a `sync`.
pub const HEAD: u16 = 4;
/// Most states of all blocks.
const MOST_STATES: usize = 300_000;
/// Most states behind one `sync`: a loop over known numbers, or very many paths.
const MOST_OF_BLOCK: usize = 20_000;

/// How a state is left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Way {
    /// To the word behind it.
    Fall(u16),
    /// By the jump at the first word to the second one, from its slot.
    Taken(u16, u16),
    /// Into a slot, or where no filler can be.
    Fixed,
}

/// Where a state goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// To a state.
    State(u32),
    /// To a block: the address of its `sync`, if it is known.
    Block(Option<u16>),
}

/// A state with what follows it.
#[derive(Clone, Debug)]
pub struct Node {
    /// The word in execution, if it is known.
    pub at: Option<u16>,
    /// How it is left.
    pub way: Way,
    /// The word that is executed next, if it is known.
    pub next: Option<u16>,
    /// What follows, more than one behind a branch.
    pub after: Vec<Next>,
}

/// Why a path cannot be followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Lost {
    /// The jump goes to a value that is not known.
    Jump,
    /// It goes round without a `sync`.
    Loop,
    /// There are more states than are walked.
    TooMany,
    /// A `sync` stands in the slot of a jump.
    Slot,
}

/// A path that cannot be followed: the block, the word, and all words before it.
#[derive(Clone, Debug)]
pub struct LostPath {
    /// Why.
    pub why: Lost,
    /// The word.
    pub at: u16,
    /// The `sync` that it comes from.
    pub from: u16,
    /// Words of the path.
    pub path: Vec<u16>,
}

/// What the program says about its blocks.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// Addresses of all `sync`.
    pub syncs: BTreeSet<u16>,
    /// Where jumps go that cannot be followed.
    pub targets: BTreeMap<u16, Vec<u16>>,
    /// Jumps that land on a `sync` if they cannot be followed.
    pub landings: BTreeSet<u16>,
    /// Branches that go both ways, whatever is known of AC.
    pub open: BTreeSet<u16>,
}

/// All blocks.
#[derive(Debug, Default)]
pub struct Graph {
    /// States.
    pub nodes: Vec<Node>,
    /// The first state of each block, behind its `sync`'s branch.
    pub starts: BTreeMap<u16, u32>,
    /// States, each behind all that it leads to.
    pub order: Vec<u32>,
    /// Paths that cannot be followed.
    pub lost: Vec<LostPath>,
    /// Jumps that were taken to land on a `sync`.
    pub landings: BTreeSet<u16>,
}

struct Builder<'a> {
    rom: &'a [u16],
    program: &'a Program,
    graph: Graph,
    seen: HashMap<Pair, u32>,
    pairs: Vec<Pair>,
    /// The state before, for paths.
    before: Vec<u32>,
    /// Words that were lost already.
    told: BTreeSet<(Lost, u16)>,
}

impl Graph {
    /// Follows all paths of all blocks.
    pub fn new(rom: &[u16], program: &Program) -> Self {
        let mut b = Builder {
            rom,
            program,
            graph: Self::default(),
            seen: HashMap::new(),
            pairs: Vec::new(),
            before: Vec::new(),
            told: BTreeSet::new(),
        };
        for &sync in &program.syncs {
            b.block(sync);
        }
        b.sort();
        b.graph
    }

    /// Branches that go both ways from some states and one way from others; or, if not
    /// `strictly`, not the same way from all.
    pub fn mixed(&self, strictly: bool) -> BTreeSet<u16> {
        let mut seen: BTreeMap<u16, BTreeSet<Vec<Option<u16>>>> = BTreeMap::new();
        for n in &self.nodes {
            let Some(at) = n.at else { continue };
            let targets = n.after.iter().map(|next| match next {
                Next::State(m) => self.nodes[*m as usize].next,
                Next::Block(to) => *to,
            });
            let mut targets: Vec<Option<u16>> = targets.collect();
            targets.sort_unstable();
            targets.dedup();
            seen.entry(at).or_default().insert(targets);
        }
        let mixed = |ways: &BTreeSet<Vec<Option<u16>>>| {
            ways.len() > 1 && (!strictly || ways.iter().any(|w| w.len() > 1))
        };
        let mixed = seen.into_iter().filter(|(_, ways)| mixed(ways));
        mixed.map(|(at, _)| at).collect()
    }

    /// The words of a longest path by the given lengths.
    pub fn path(&self, sync: u16, longest: impl Fn(&Next) -> i64) -> Vec<u16> {
        let mut out: Vec<u16> = (0..HEAD - 2).map(|i| sync.wrapping_add(i)).collect();
        let mut at = self.starts.get(&sync).map(|&n| Next::State(n));
        while let Some(Next::State(n)) = at {
            let node = &self.nodes[n as usize];
            out.extend(node.at);
            at = node.after.iter().copied().max_by_key(|n| longest(n));
            if out.len() > self.nodes.len() + 4 {
                break;
            }
        }
        out
    }
}

impl Builder<'_> {
    fn opcode(&self, at: u16) -> Opcode {
        let word = self.rom.get(usize::from(at)).copied().unwrap_or(0);
        Opcode(word as u8)
    }

    /// All states behind a `sync`.
    fn block(&mut self, sync: u16) {
        let first = Pair::unknown(sync.wrapping_add(2));
        let from = self.pairs.len();
        let start = self.state(first, u32::MAX);
        self.graph.starts.insert(sync, start);
        let mut done = from;
        while done < self.pairs.len() {
            if self.pairs.len() - from > MOST_OF_BLOCK || self.pairs.len() > MOST_STATES {
                let at = self.pairs[done].at.exact().unwrap_or(sync);
                self.lose(Lost::TooMany, at, sync, done as u32);
                // What is not walked has no end, and is told to be so.
                break;
            }
            self.step(done as u32, sync);
            done += 1;
        }
    }

    fn state(&mut self, pair: Pair, before: u32) -> u32 {
        if let Some(&n) = self.seen.get(&pair) {
            return n;
        }
        let n = self.pairs.len() as u32;
        self.graph.nodes.push(Node {
            at: pair.at.exact(),
            way: Way::Fixed,
            next: pair.next.exact(),
            after: Vec::new(),
        });
        self.seen.insert(pair.clone(), n);
        self.pairs.push(pair);
        self.before.push(before);
        n
    }

    fn lose(&mut self, why: Lost, at: u16, from: u16, node: u32) {
        if !self.told.insert((why, at)) {
            return;
        }
        let mut path = Vec::new();
        let mut n = node;
        while n != u32::MAX && path.len() < 400 {
            path.extend(self.pairs[n as usize].at.exact());
            n = self.before[n as usize];
        }
        path.extend([from.wrapping_add(1), from]);
        path.reverse();
        let lost = LostPath {
            why,
            at,
            from,
            path,
        };
        self.graph.lost.push(lost);
    }

    /// How a state is left.
    fn way(&self, n: u32) -> Way {
        let pair = &self.pairs[n as usize];
        let (Some(at), Some(next)) = (pair.at.exact(), pair.next.exact()) else {
            return Way::Fixed;
        };
        // A jump goes on with its slot; in a slot itself it is as good as another word
        // if it is not taken.
        let jumps = self.opcode(at).is_jump();
        let behind = next.wrapping_add(1);
        if jumps && (next == at.wrapping_add(1) || !self.goes_only_to(pair, behind)) {
            return Way::Fixed;
        }
        if next == at.wrapping_add(1) {
            return Way::Fall(at);
        }
        let jump = at.wrapping_sub(1);
        match self.opcode(jump).is_jump() {
            true => Way::Taken(jump, next),
            false => Way::Fixed,
        }
    }

    fn execute(&self, pair: &Pair) -> Vec<(Pair, Word)> {
        let at = pair.at.exact();
        let word = at.and_then(|a| self.rom.get(usize::from(a)));
        let [opcode, operand] = word.copied().unwrap_or(0).to_le_bytes();
        let mut pair = pair.clone();
        // In the slot of another jump it is as it is.
        let open =
            |a: u16| self.program.open.contains(&a) && pair.next == Word::of(a.wrapping_add(1));
        if at.is_some_and(open) {
            pair.ac = Byte::UNKNOWN;
        }
        outcomes(pair, Opcode(opcode), operand)
    }

    /// Whether the word behind the next one is known to be this.
    fn goes_only_to(&self, pair: &Pair, to: u16) -> bool {
        let all = self.execute(pair);
        all.iter().all(|(_, pc)| pc.exact() == Some(to))
    }

    /// Executes the word of a state.
    fn step(&mut self, n: u32, sync: u16) {
        let pair = self.pairs[n as usize].clone();
        let way = self.way(n);
        self.graph.nodes[n as usize].way = way;
        if let Some(next) = pair.next.exact()
            && self.program.syncs.contains(&next)
        {
            if pair.at.exact().is_some() && !self.goes_only_to(&pair, next.wrapping_add(1)) {
                self.lose(Lost::Slot, next, sync, n);
            }
            self.graph.nodes[n as usize].after = vec![Next::Block(Some(next))];
            return;
        }
        let Some(at) = pair.at.exact() else {
            let after = table(self.rom, &pair).map(|p| self.state(p, n));
            match after {
                Some(s) => self.graph.nodes[n as usize].after = vec![Next::State(s)],
                None => {
                    let word = self.before[n as usize];
                    let word = self.pairs.get(word as usize).and_then(|p| p.at.exact());
                    self.lose(Lost::Jump, word.unwrap_or(sync), sync, n);
                }
            }
            return;
        };
        if pair.next.exact().is_none() && self.program.landings.contains(&at.wrapping_sub(1)) {
            self.graph.landings.insert(at.wrapping_sub(1));
            self.graph.nodes[n as usize].after = vec![Next::Block(None)];
            return;
        }
        let mut after = Vec::new();
        for (out, pc) in self.execute(&pair) {
            let listed = match pc.exact() {
                Some(_) => None,
                None => self.program.targets.get(&at),
            };
            let targets = match listed {
                Some(list) => list.iter().map(|&t| Word::of(t)).collect(),
                None => vec![pc],
            };
            for next in targets {
                let pair = Pair {
                    at: out.next,
                    next,
                    ..out.clone()
                };
                let lost = pair.at.exact().is_none() && next.exact().is_none()
                    || next.high.exact().is_none();
                if lost && !self.program.landings.contains(&at) {
                    self.lose(Lost::Jump, at, sync, n);
                    continue;
                }
                let pair = match lost {
                    true => pair.lands(),
                    false => pair,
                };
                let next = Next::State(self.state(pair, n));
                if !after.contains(&next) {
                    after.push(next);
                }
            }
        }
        self.graph.nodes[n as usize].after = after;
    }

    /// Puts each state behind all that it leads to; a loop is told.
    fn sort(&mut self) {
        const NEW: u8 = 0;
        const OPEN: u8 = 1;
        const DONE: u8 = 2;
        let mut mark = vec![NEW; self.graph.nodes.len()];
        let starts: Vec<(u16, u32)> = self.graph.starts.iter().map(|(&s, &n)| (s, n)).collect();
        for (sync, start) in starts {
            if mark[start as usize] != NEW {
                continue;
            }
            let mut stack = vec![(start, 0)];
            mark[start as usize] = OPEN;
            while let Some(&mut (n, ref mut i)) = stack.last_mut() {
                let next = self.graph.nodes[n as usize].after.get(*i).copied();
                *i += 1;
                match next {
                    None => {
                        mark[n as usize] = DONE;
                        self.graph.order.push(n);
                        stack.pop();
                    }
                    Some(Next::Block(_)) => {}
                    Some(Next::State(m)) if mark[m as usize] == NEW => {
                        mark[m as usize] = OPEN;
                        stack.push((m, 0));
                    }
                    Some(Next::State(m)) if mark[m as usize] == OPEN => {
                        let at = self.pairs[m as usize].at.exact().unwrap_or(sync);
                        self.lose(Lost::Loop, at, sync, n);
                    }
                    Some(Next::State(_)) => {}
                }
            }
        }
    }
}

impl Pair {
    /// Nothing is known but where it is.
    pub(super) fn unknown(at: u16) -> Self {
        Self {
            at: Word::of(at),
            next: Word::of(at.wrapping_add(1)),
            ac: Byte::UNKNOWN,
            x: Byte::UNKNOWN,
            y: Byte::UNKNOWN,
            out: Byte::UNKNOWN,
            cells: Vec::new(),
            rounds: Vec::new(),
        }
    }

    /// In the slot of a jump that lands on a block: what is known does not matter.
    fn lands(self) -> Self {
        Self {
            at: self.at,
            next: Word {
                high: Byte::UNKNOWN,
                low: Byte::UNKNOWN,
            },
            ..Self::unknown(0)
        }
    }
}
