//! What is known of RAM: for the whole program what each cell can hold, and for a path
//! which cells hold a known value.
//!
//! A cell of page 0 is *told apart* if its values come from numbers in the program,
//! itself or one other such cell, and if they decide where the program goes: counters
//! of lines, addresses to go on at. States that differ in such a cell are different
//! states. Of all other cells only the set of values is known that is ever stored.

use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

use super::value::{Set, Value};

/// A state becomes so many at a store at most.
const FEW_VALUES: usize = 16;
/// Most pages that are looked into.
const MOST_PAGES: usize = 16;
/// So many values of an address are looked up one by one.
const FEW_CELLS: usize = 128;

/// Whether states are told apart by a cell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Standing {
    #[default]
    Apart,
    /// Decided nothing when there were many states.
    Parked,
    /// Was parked, and then decided: the next walk tells it apart from the start.
    Pinned,
    /// Holds what cannot be told apart.
    Joined,
}

/// Cells of page 0 with their values, by address.
pub type Cells = Vec<(u8, u8)>;

/// Other cells of page 0 that were written on a line, with what they can hold there.
pub type Local = Vec<(u8, Set)>;

/// What two ways know of the cells that both wrote.
pub fn join_local(mine: &mut Local, other: &Local) {
    mine.retain_mut(|(cell, set)| {
        let same = other.binary_search_by_key(cell, |c| c.0);
        same.map(|i| *set = set.union(other[i].1)).is_ok()
    });
}

/// What is known of RAM on a path.
#[derive(Clone, Debug)]
pub struct Ram {
    pub cells: Rc<Cells>,
    pub local: Rc<Local>,
    pub written: Rc<Written>,
}

/// For each page that is looked into, the cells that were certainly written.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Written(Vec<Set>);

impl Written {
    /// What was written on both ways; whether that is less than on this one.
    pub fn keep(&mut self, other: &Self) -> bool {
        let mut less = false;
        for (mine, theirs) in self.0.iter_mut().zip(&other.0) {
            let both = mine.keep(|v| theirs.contains(v));
            less |= both != *mine;
            *mine = both;
        }
        less
    }
}

/// The whole program's view.
#[derive(Default)]
pub struct Memory {
    held: HashMap<u16, Set>,
    /// When a cell's set last grew.
    grew: HashMap<u16, u64>,
    pub version: u64,
    standing: Vec<Standing>,
    /// Cells of page 0 that hold anything, as far as is known.
    any: Set,
    /// What goes into each cell of page 0: cells and pages.
    sources: Vec<(Set, Set)>,
    /// Cells that decide where the program goes.
    deciding: Set,
    /// Pages that are looked into, page 0 first.
    looked: Vec<u8>,
    /// Pages to look into, since a jump depends on them.
    pub wanted: Set,
    /// Cells that were parked and decide.
    missed: Set,
    /// Stores to addresses that are not known.
    pub wild: BTreeSet<u16>,
    /// Cells that were read for their sets.
    pub reads: BTreeSet<u16>,
    /// Cells of page 0 that were read or written.
    pub touched: Set,
}

impl Memory {
    /// Nothing is known; only page 0 is looked into. Some of its cells can hold anything.
    pub fn new(any: Set) -> Self {
        let mut new = Self {
            standing: vec![Standing::Apart; 256],
            sources: vec![(Set::EMPTY, Set::EMPTY); 256],
            looked: vec![0],
            any,
            ..Self::default()
        };
        for c in any.iter() {
            new.standing[usize::from(c)] = Standing::Joined;
            new.hold(u16::from(c), Set::FULL);
        }
        new
    }

    /// For a walk that needs what this one lacked; nothing if that is nothing.
    pub fn again(&self) -> Option<Self> {
        let mut new = Self::new(self.any);
        new.looked.clone_from(&self.looked);
        let room = MOST_PAGES.saturating_sub(self.looked.len());
        new.looked.extend(self.wanted.iter().take(room));
        for c in 0..=255u8 {
            let pinned = self.standing[usize::from(c)] == Standing::Pinned;
            if (pinned || self.missed.contains(c)) && !self.any.contains(c) {
                new.standing[usize::from(c)] = Standing::Pinned;
            }
        }
        let more = new.looked.len() > self.looked.len() || !self.missed.is_empty();
        more.then_some(new)
    }

    /// Whether the walk lacks something.
    pub fn lacks(&self) -> bool {
        !self.missed.is_empty() || !self.wanted.is_empty() && self.looked.len() < MOST_PAGES
    }

    /// Nothing is written yet.
    pub fn nothing(&self) -> Written {
        Written(vec![Set::EMPTY; self.looked.len()])
    }

    fn page(&self, page: u8) -> Option<usize> {
        self.looked.iter().position(|&p| p == page)
    }

    fn is_apart(&self, cell: u8) -> bool {
        let standing = self.standing[usize::from(cell)];
        matches!(standing, Standing::Apart | Standing::Pinned)
    }

    /// Cells by which states are told apart no more are left out.
    pub fn strip(&self, cells: &mut Cells) {
        cells.retain(|c| self.is_apart(c.0));
    }

    /// Whether a set has grown after a version.
    pub fn is_stale(&self, reads: &[u16], since: u64) -> bool {
        reads
            .iter()
            .any(|c| self.grew.get(c).is_some_and(|&g| g > since))
    }

    /// A cell at a known address.
    fn cell(&mut self, page: u8, low: u8, ram: &Ram) -> Value {
        let mut value = Value::UNKNOWN;
        if page == 0 {
            value.cells = Set::of(low);
            self.touched.insert(low);
            if let Ok(i) = ram.cells.binary_search_by_key(&low, |c| c.0) {
                value.set = Set::of(ram.cells[i].1);
                value.mixed = false;
                return value;
            }
            if let Ok(i) = ram.local.binary_search_by_key(&low, |c| c.0) {
                value.set = ram.local[i].1;
                value.mixed = self.standing[usize::from(low)] == Standing::Joined;
                return value;
            }
        }
        let Some(index) = self.page(page) else {
            value.pages = Set::of(page);
            return value;
        };
        let at = u16::from_be_bytes([page, low]);
        self.reads.insert(at);
        if ram.written.0[index].contains(low)
            && let Some(&held) = self.held.get(&at)
        {
            value.set = held;
            value.mixed = page != 0 || self.standing[usize::from(low)] == Standing::Joined;
        }
        value
    }

    /// Reads RAM.
    pub fn read(&mut self, [high, low]: [Value; 2], ram: &Ram) -> Value {
        let Some(page) = high.set.single() else {
            return Value::UNKNOWN;
        };
        if let Some(low) = low.set.single() {
            return self.cell(page, low, ram);
        }
        let mut all = Value::among(Set::EMPTY);
        if low.set.len() > FEW_CELLS {
            all.set = Set::FULL;
        } else if self.page(page).is_none() {
            all.set = Set::FULL;
            all.pages = Set::of(page);
        } else {
            for low in low.set.iter() {
                all = all.join(self.cell(page, low, ram));
            }
        }
        all.mixed = true;
        all
    }

    fn hold(&mut self, at: u16, set: Set) {
        let held = self.held.entry(at).or_default();
        let all = held.union(set);
        if all != *held {
            *held = all;
            self.version += 1;
            self.grew.insert(at, self.version);
        }
    }

    /// Writes to one of several cells of a page.
    fn write_one_of(&mut self, page: u8, low: Set, set: Set, ram: &mut Ram) {
        if self.page(page).is_none() {
            return;
        }
        for low in low.iter() {
            self.hold(u16::from_be_bytes([page, low]), set);
            if page == 0 {
                self.standing[usize::from(low)] = Standing::Joined;
                self.touched.insert(low);
                Rc::make_mut(&mut ram.cells).retain(|c| c.0 != low);
                Rc::make_mut(&mut ram.local).retain(|c| c.0 != low);
            }
        }
    }

    /// Writes RAM. Where a cell is told apart and its value is not known, the values
    /// that it may have are returned: there are as many states.
    pub fn write(
        &mut self,
        at: u16,
        [high, low]: [Value; 2],
        value: Value,
        ram: &mut Ram,
    ) -> Option<(u8, Set)> {
        let (page, low) = match (high.set.single(), low.set.single()) {
            (Some(page), Some(low)) => (page, low),
            (page, _) => {
                match page.filter(|_| low.set.len() <= FEW_CELLS) {
                    Some(page) => self.write_one_of(page, low.set, value.set, ram),
                    None => _ = self.wild.insert(at),
                }
                return None;
            }
        };
        let index = self.page(page)?;
        self.hold(u16::from_be_bytes([page, low]), value.set);
        if !ram.written.0[index].contains(low) {
            Rc::make_mut(&mut ram.written).0[index].insert(low);
        }
        if page != 0 {
            return None;
        }
        let source = &mut self.sources[usize::from(low)];
        source.0 = source.0.union(value.cells);
        source.1 = source.1.union(value.pages);
        if value.mixed || value.set.len() > FEW_VALUES {
            self.standing[usize::from(low)] = Standing::Joined;
        }
        self.touched.insert(low);
        let place = ram.cells.binary_search_by_key(&low, |c| c.0);
        let apart = self.is_apart(low);
        match (place, value.set.single()) {
            (Ok(i), Some(v)) if apart && ram.cells[i].1 == v => {}
            (Ok(i), Some(v)) if apart => Rc::make_mut(&mut ram.cells)[i].1 = v,
            (Err(i), Some(v)) if apart => Rc::make_mut(&mut ram.cells).insert(i, (low, v)),
            (Ok(i), _) => _ = Rc::make_mut(&mut ram.cells).remove(i),
            (Err(_), _) => {}
        }
        if apart {
            return (value.set.single().is_none()).then_some((low, value.set));
        }
        match ram.local.binary_search_by_key(&low, |c| c.0) {
            Ok(i) if ram.local[i].1 == value.set => {}
            Ok(i) => Rc::make_mut(&mut ram.local)[i].1 = value.set,
            Err(i) => Rc::make_mut(&mut ram.local).insert(i, (low, value.set)),
        }
        None
    }

    /// A value decides where the program goes.
    pub fn decides(&mut self, value: Value) {
        self.wanted_if_unknown(value);
        let mut new = value.cells.keep(|c| !self.deciding.contains(c));
        while !new.is_empty() {
            self.deciding = self.deciding.union(new);
            let mut more = Set::EMPTY;
            for c in new.iter() {
                if self.standing[usize::from(c)] == Standing::Parked {
                    self.missed.insert(c);
                }
                more = more.union(self.sources[usize::from(c)].0);
            }
            new = more.keep(|c| !self.deciding.contains(c));
        }
    }

    fn wanted_if_unknown(&mut self, value: Value) {
        if value.set == Set::FULL {
            self.wanted = self.wanted.union(value.pages);
            for c in value.cells.iter() {
                self.wanted = self.wanted.union(self.sources[usize::from(c)].1);
            }
        }
    }

    /// What goes into the deciding cells decides too.
    fn close(&mut self) {
        let mut value = Value::among(Set::EMPTY);
        for c in self.deciding.iter() {
            value.cells = value.cells.union(self.sources[usize::from(c)].0);
        }
        self.decides(value);
    }

    /// There are many states: those cells that decide nothing are told apart no more.
    pub fn park(&mut self) {
        self.close();
        for c in 0..=255u8 {
            let standing = &mut self.standing[usize::from(c)];
            if *standing == Standing::Apart && !self.deciding.contains(c) {
                *standing = Standing::Parked;
            }
        }
    }
}
