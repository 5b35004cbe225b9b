//! Sets of macros that tokens came through, by number: no token becomes a call of one of
//! them again.

use rustc_hash::FxHashMap;

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
        self.sets.truncate(1);
        self.numbers.clear();
        self.size = 0;
    }

    /// Members of all sets.
    pub fn size(&self) -> usize {
        self.size
    }

    /// Whether a macro is in a set.
    pub fn has(&self, hide: u32, m: u32) -> bool {
        self.sets[hide as usize].binary_search(&m).is_ok()
    }

    fn set(&mut self, list: Vec<u32>) -> u32 {
        if list.is_empty() {
            return 0;
        }
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
        let mut list = self.sets[hide as usize].clone();
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
        let mut list = self.sets[a as usize].clone();
        list.extend_from_slice(&self.sets[b as usize]);
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
        let mut list = self.sets[a as usize].clone();
        let other = &self.sets[b as usize];
        list.retain(|m| other.binary_search(m).is_ok());
        self.set(list)
    }
}
