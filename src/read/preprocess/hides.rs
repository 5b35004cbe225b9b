//! Sets of macros that tokens came through, by number: no token becomes a call of one of
//! them again.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// A number with this bit is the set of one macro, whose number is the rest.
const ONE: u32 = 1 << 31;

/// The sets that the tokens of a line need; 0 is empty.
#[derive(Debug)]
pub struct Hides {
    sets: Vec<Vec<u32>>,
    numbers: FxHashMap<Vec<u32>, u32>,
    size: usize,
}

impl Default for Hides {
    fn default() -> Self {
        Self {
            sets: vec![Vec::new()],
            numbers: FxHashMap::default(),
            size: 0,
        }
    }
}

impl Hides {
    /// Before another line.
    pub fn forget(&mut self) {
        if self.sets.len() == 1 {
            return;
        }
        self.sets.truncate(1);
        self.numbers.clear();
        self.size = 0;
    }

    /// Members of all sets of more than one.
    pub fn size(&self) -> usize {
        self.size
    }

    /// Whether a macro is in a set.
    pub fn has(&self, hide: u32, m: u32) -> bool {
        match hide {
            0 => false,
            ONE.. => hide == ONE | m,
            _ => self.sets[hide as usize].binary_search(&m).is_ok(),
        }
    }

    /// The members of a set.
    fn list(&self, hide: u32) -> SmallVec<[u32; 4]> {
        match hide {
            ONE.. => SmallVec::from_slice(&[hide & !ONE]),
            _ => SmallVec::from_slice(&self.sets[hide as usize]),
        }
    }

    fn set(&mut self, list: SmallVec<[u32; 4]>) -> u32 {
        match list[..] {
            [] => return 0,
            [m] => return ONE | m,
            _ => {}
        }
        let list = list.into_vec();
        if let Some(&n) = self.numbers.get(&list) {
            return n;
        }
        let n = self.sets.len() as u32;
        self.size += list.len();
        self.numbers.insert(list.clone(), n);
        self.sets.push(list);
        n
    }

    /// A set with one macro more.
    pub fn with(&mut self, hide: u32, m: u32) -> u32 {
        if hide == 0 {
            return ONE | m;
        }
        let mut list = self.list(hide);
        if let Err(i) = list.binary_search(&m) {
            list.insert(i, m);
        }
        self.set(list)
    }

    /// What is in one of two sets or in both.
    pub fn union(&mut self, a: u32, b: u32) -> u32 {
        if a == b || b == 0 {
            return a;
        }
        if a == 0 {
            return b;
        }
        let mut list = self.list(a);
        list.extend(self.list(b));
        list.sort_unstable();
        list.dedup();
        self.set(list)
    }

    /// What is in both of two sets.
    pub fn intersection(&mut self, a: u32, b: u32) -> u32 {
        if a == b {
            return a;
        }
        if a == 0 || b == 0 {
            return 0;
        }
        let mut list = self.list(a);
        list.retain(|m| self.has(b, *m));
        self.set(list)
    }
}
