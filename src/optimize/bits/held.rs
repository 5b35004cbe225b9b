//! Of which addresses a byte may be one: sets of them, and what registers and the stack hold.

use crate::program::symbol::Anchor;
use rustc_hash::FxHashMap;
use scrimp_isa::state::place;

/// A place, by how many bits a number is shifted against its address, and whether it came by
/// ways on which it may be mistaken for another value: calls, and memory.
pub type Origin = (Anchor, i64, i8, bool);

/// A set of origins.
pub type Set = u32;

/// No origin.
pub const NONE: Set = 0;

/// Sets of origins, each once.
pub struct Sets {
    pub list: Vec<Vec<u32>>,
    numbers: FxHashMap<Vec<u32>, Set>,
    joined: FxHashMap<(Set, Set), Set>,
}

impl Default for Sets {
    fn default() -> Self {
        Self {
            list: vec![Vec::new()],
            numbers: std::iter::once((Vec::new(), NONE)).collect(),
            joined: FxHashMap::default(),
        }
    }
}

impl Sets {
    /// The set of these, in order.
    pub fn of(&mut self, all: Vec<u32>) -> Set {
        if let Some(&n) = self.numbers.get(&all) {
            return n;
        }
        let n = self.list.len() as Set;
        self.list.push(all.clone());
        self.numbers.insert(all, n);
        n
    }

    pub fn join(&mut self, a: Set, b: Set) -> Set {
        if a == b || b == NONE {
            return a;
        }
        if a == NONE {
            return b;
        }
        let key = (a.min(b), a.max(b));
        if let Some(&n) = self.joined.get(&key) {
            return n;
        }
        let mut all = self.list[a as usize].clone();
        all.extend(&self.list[b as usize]);
        all.sort_unstable();
        all.dedup();
        let n = self.of(all);
        self.joined.insert(key, n);
        n
    }

    pub fn meet(&self, a: Set, b: Set) -> bool {
        let of = |s: Set| self.list.get(s as usize).map_or(&[][..], |l| &l[..]);
        of(a).iter().any(|o| of(b).binary_search(o).is_ok())
    }
}

/// Of which addresses a byte may be the low one, and of which the high one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Held {
    pub low: Set,
    pub high: Set,
}

impl Held {
    pub fn is_none(self) -> bool {
        self == Self::default()
    }

    pub fn join(self, other: Self, sets: &mut Sets) -> Self {
        Self {
            low: sets.join(self.low, other.low),
            high: sets.join(self.high, other.high),
        }
    }
}

/// What registers hold, and the stack, its top behind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    pub held: Vec<Held>,
    pub stack: Vec<Held>,
}

impl State {
    pub fn empty() -> Self {
        Self {
            held: vec![Held::default(); usize::from(place::OTHERS)],
            stack: Vec::new(),
        }
    }

    /// It without the registers at the end that hold nothing, as it is kept for each node.
    pub fn kept(mut self) -> Self {
        let held = self.held.iter().rposition(|h| !h.is_none());
        self.held.truncate(held.map_or(0, |l| l + 1));
        self.held.shrink_to_fit();
        self.stack.shrink_to_fit();
        self
    }

    /// What was kept, with all registers.
    pub fn whole(&self) -> Self {
        let mut state = self.clone();
        state
            .held
            .resize(usize::from(place::OTHERS), Held::default());
        state
    }

    /// Takes what another has too; whether that is more.
    pub fn join(&mut self, other: &Self, sets: &mut Sets) -> bool {
        let before = self.clone();
        for (a, &b) in self.held.iter_mut().zip(&other.held) {
            *a = a.join(b, sets);
        }
        // Where one knows less of what lies deeper, it is what the other says.
        let deeper = other.stack.len().saturating_sub(self.stack.len());
        self.stack
            .splice(..0, other.stack[..deeper].iter().copied());
        for (a, &b) in self.stack.iter_mut().rev().zip(other.stack.iter().rev()) {
            *a = a.join(b, sets);
        }
        *self != before
    }

    /// A byte of the stack, so far above its pointer.
    pub fn top(&self, above: i64) -> Held {
        let at = usize::try_from(above).ok();
        let at = at.and_then(|a| self.stack.len().checked_sub(a + 1));
        at.map_or(Held::default(), |a| self.stack[a])
    }
}

/// All origins, by numbers, and sets of them.
#[derive(Default)]
pub struct Origins {
    pub sets: Sets,
    pub list: Vec<Origin>,
    numbers: FxHashMap<Origin, u32>,
    /// Of sets those that came by ways on which they may be mistaken.
    weak: FxHashMap<Set, Set>,
}

impl Origins {
    fn number(&mut self, o: Origin) -> u32 {
        let next = self.list.len() as u32;
        let n = *self.numbers.entry(o).or_insert(next);
        if n == next {
            self.list.push(o);
        }
        n
    }

    /// The set of one.
    pub fn set(&mut self, o: Origin) -> Set {
        let n = self.number(o);
        self.sets.of(vec![n])
    }

    /// Whether two sets have a place in common, however that came to them.
    pub fn is_near(&self, a: Set, b: Set) -> bool {
        let of = |s: Set| {
            self.sets.list[s as usize]
                .iter()
                .map(|&o| self.list[o as usize])
        };
        of(a).any(|x| of(b).any(|y| (x.0, x.1) == (y.0, y.1)))
    }

    /// What came by a way on which it may be mistaken: by a second such way it is none.
    pub fn far(&mut self, held: Held) -> Held {
        let mut one = |set: Set| {
            if set == NONE {
                return NONE;
            }
            if let Some(&known) = self.weak.get(&set) {
                return known;
            }
            let own: Vec<Origin> = self.sets.list[set as usize]
                .iter()
                .map(|&o| self.list[o as usize])
                .filter(|o| !o.3)
                .collect();
            let all = own
                .into_iter()
                .map(|(a, n, s, _)| self.number((a, n, s, true)));
            let mut all: Vec<u32> = all.collect();
            all.sort_unstable();
            let own = self.sets.of(all);
            self.weak.insert(set, own);
            own
        };
        Held {
            low: one(held.low),
            high: one(held.high),
        }
    }
}
