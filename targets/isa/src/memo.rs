//! What was found of bytes on a processor, kept for all programs of a process: only what
//! depends on the processor and the bytes and on nothing else belongs here.

use std::collections::BTreeMap;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::{Machine, Target};

/// Answers of one processor, at most: when there are more, they are found anew.
const MOST: usize = 1 << 14;

/// What a processor is called here: two of one name have the same instructions, which do the
/// same.
pub fn processor(target: &dyn Target, machine: Option<&dyn Machine>) -> String {
    format!("{} {}", target.name(), machine.map_or("", Machine::name))
}

/// One kind of answers, of all processors.
#[derive(Debug)]
pub struct Memo<V> {
    processors: Mutex<BTreeMap<String, Arc<Answers<V>>>>,
}

impl<V: Clone> Memo<V> {
    /// Nothing is known yet.
    pub const fn new() -> Self {
        Self {
            processors: Mutex::new(BTreeMap::new()),
        }
    }

    /// The answers of a processor, by its name: see [`processor`].
    pub fn of(&self, processor: &str) -> Arc<Answers<V>> {
        let mut all = open(&self.processors);
        if let Some(known) = all.get(processor) {
            return Arc::clone(known);
        }
        let new: Arc<Answers<V>> = Arc::default();
        all.insert(processor.to_owned(), Arc::clone(&new));
        new
    }
}

impl<V: Clone> Default for Memo<V> {
    fn default() -> Self {
        Self::new()
    }
}

/// Answers by bytes.
#[derive(Debug)]
pub struct Answers<V> {
    known: Mutex<HashMap<Box<[u8]>, V>>,
}

impl<V> Default for Answers<V> {
    fn default() -> Self {
        Self {
            known: Mutex::default(),
        }
    }
}

impl<V: Clone> Answers<V> {
    /// The answer, found now if it is not known. While it is, others may ask.
    pub fn get(&self, bytes: &[u8], find: impl FnOnce() -> V) -> V {
        if let Some(known) = open(&self.known).get(bytes) {
            return known.clone();
        }
        let found = find();
        let mut known = open(&self.known);
        if known.len() >= MOST {
            known.clear();
        }
        known.insert(bytes.into(), found.clone());
        found
    }
}

/// What is locked; who panicked while it was has left it as it should be.
fn open<T>(of: &Mutex<T>) -> MutexGuard<'_, T> {
    of.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_found_once_for_each_processor() {
        static MEMO: Memo<u8> = Memo::new();
        assert_eq!(MEMO.of("a").get(&[1], || 5), 5);
        assert_eq!(MEMO.of("a").get(&[1], || unreachable!()), 5);
        assert_eq!(MEMO.of("b").get(&[1], || 6), 6);
        assert_eq!(MEMO.of("a").get(&[2], || 7), 7);
    }

    #[test]
    fn there_is_a_bound() {
        let all: Answers<usize> = Answers::default();
        for n in 0..MOST + 5 {
            assert_eq!(all.get(&n.to_le_bytes(), || n), n);
        }
        assert_eq!(open(&all.known).len(), 5);
    }
}
