//! What RAM can hold: page 0 by cell, all other pages by what is ever stored.
//!
//! Addresses are taken as the smallest machine has them, where bit 15 counts for
//! nothing: a store to the upper half may hit the lower one. What is read from the
//! upper half can be anything, since larger machines have memory there.

use super::value::Set;

/// Pages that are looked at one by one.
const PAGES: usize = 128;

/// What cells of page 0 can hold.
pub type Cells = [Set; 256];

/// What was looked at, so that growing tells what is to be walked again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reads {
    /// Cells of page 0 that others change.
    pub cells: Set,
    /// Low bytes of cells of other pages.
    pub columns: Set,
}

/// RAM as all of the program sees it.
pub struct Memory {
    /// What is ever in cells of page 0 when blocks and handler take turns.
    pub shared: Box<Cells>,
    /// All other pages, page 0 unused.
    heap: Vec<Set>,
    /// All values of a column of the pages 1 to 127.
    columns: Box<Cells>,
    /// When something grew.
    pub version: u64,
    cell_grew: [u64; 256],
    column_grew: [u64; 256],
}

impl Memory {
    /// Noise, as after power-on.
    pub fn new() -> Self {
        Self {
            shared: Box::new([Set::EMPTY; 256]),
            heap: vec![Set::FULL; PAGES * 256],
            columns: Box::new([Set::FULL; 256]),
            version: 0,
            cell_grew: [0; 256],
            column_grew: [0; 256],
        }
    }

    /// Puts a value at an address, whatever was there.
    pub fn put(&mut self, page: u8, low: u8, set: Set) {
        self.heap[usize::from(page) << 8 | usize::from(low)] = set;
    }

    /// From now on values only come in addition.
    pub fn settle(&mut self) {
        for low in 0..256 {
            let all = (1..PAGES).map(|p| self.heap[p << 8 | low]);
            self.columns[low] = all.fold(Set::EMPTY, Set::union);
        }
    }

    /// A value may come to one of these addresses outside page 0.
    pub fn add(&mut self, pages: &Set, lows: &Set, set: Set) {
        for low in lows.iter() {
            let mut grown = false;
            for page in pages.iter().map(|p| p & 0x7f).filter(|&p| p != 0) {
                let cell = &mut self.heap[usize::from(page) << 8 | usize::from(low)];
                let all = cell.union(set);
                grown |= all != *cell;
                *cell = all;
            }
            if grown {
                let column = &mut self.columns[usize::from(low)];
                *column = column.union(set);
                self.version += 1;
                self.column_grew[usize::from(low)] = self.version;
            }
        }
    }

    /// What can be read at one of these addresses, page 0 not counted.
    pub fn get(&self, pages: &Set, lows: &Set) -> Set {
        if pages.iter().any(|p| p >= 0x80) || lows.len() > 128 {
            return Set::FULL;
        }
        let mut out = Set::EMPTY;
        let every = pages.len() >= PAGES - 1;
        for low in lows.iter() {
            if every {
                out = out.union(self.columns[usize::from(low)]);
                continue;
            }
            for page in pages.iter().filter(|&p| p != 0) {
                out = out.union(self.heap[usize::from(page) << 8 | usize::from(low)]);
            }
        }
        out
    }

    /// A cell of page 0 may hold these when blocks and handler take turns.
    pub fn share(&mut self, cell: usize, set: Set) {
        let all = self.shared[cell].union(set);
        if all != self.shared[cell] {
            self.shared[cell] = all;
            self.version += 1;
            self.cell_grew[cell] = self.version;
        }
    }

    /// Whether something of these has grown after a version.
    pub fn is_stale(&self, reads: &Reads, since: u64) -> bool {
        since < self.version
            && (reads
                .cells
                .iter()
                .any(|c| self.cell_grew[usize::from(c)] > since)
                || (reads.columns.iter()).any(|c| self.column_grew[usize::from(c)] > since))
    }
}
