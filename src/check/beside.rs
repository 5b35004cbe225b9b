//! Two images of one program run beside each other: (old image, new image) to how much they
//! did alike, or the first thing that one did otherwise. For the image behind the optimizer,
//! beside that before it.
//!
//! Both run on numbers by the meaning of the instructions, without a machine around them. What
//! they write to ports and to memory must be the same, in the same order. A byte of data is
//! the same byte of the same statement, wherever it lies; an address that is written must be
//! that of the same byte or instruction. What goes onto the stack is read again from there,
//! and a store into code is another's operand in both: neither is compared. Ports, and memory
//! that nobody has written, answer with numbers that depend on the address and on how often it
//! was read; code outside of the program returns. There are no interrupts.
//!
//! Where the word behind a jump runs before that leads anywhere both run word by word, with filler
//! where nothing stands; what is seen of registers outside is compared too, and the clock of all
//! that is done.

use crate::image::{Class, Image};
use rustc_hash::{FxHashMap, FxHashSet};
use scrimp_isa::effects::Way;
use scrimp_isa::memory::{Numbers, Space};
use scrimp_isa::semantics::{Code, Semantics};
use scrimp_isa::state::Holds;
use scrimp_isa::{Concrete, Machine, Processor, Target};
use std::cell::RefCell;
use std::fmt;
use std::rc::Rc;

/// Bytes that addresses of a stack pointer reach.
const MEMORY: u32 = 0x1_0000;
/// A stack pointer that moves farther has gone round.
const MOST_MOVED: u32 = 0x8000;
/// Where the stack is until the program makes its own, without RAM that is known.
const STACK: u16 = 0xfffe;
/// Bytes that are looked at for an instruction and the one behind it.
const WINDOW: u64 = 12;
/// How many times more instructions the new program may run: calls and returns are some.
const SLOWER: u64 = 3;

/// How both are run.
#[derive(Clone, Copy, Debug)]
pub struct Runs {
    /// Instructions of the old program in each run.
    pub steps: u64,
    /// Runs, each with other answers from outside.
    pub worlds: u32,
}

/// What both did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Alike {
    /// Instructions of the old program in the shortest run.
    pub steps: u64,
    /// Things that it did outside of registers and stack in the run that had fewest.
    pub events: u64,
}

/// What one did otherwise.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Differs {
    /// What they had done alike before.
    pub events: u64,
    /// What the old program did, and the address of its instruction.
    pub old: (String, u64),
    /// What the new one did.
    pub new: (String, u64),
}

impl fmt::Display for Differs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { events, old, new } = self;
        write!(
            f,
            "after {events} things that both do the program before {} at ${:04X}, the one \
             behind {} at ${:04X}",
            old.0, old.1, new.0, new.1
        )
    }
}

/// What an address is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Place {
    /// None of the program's.
    Outside(Space, u32),
    /// Text, its start, expansion, byte of the statement.
    Byte(u32, u32, u32, u32),
}

/// A byte that was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Store {
    place: Place,
    at: u32,
    value: u8,
}

/// What an instruction did outside of registers and stack.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Event {
    ports: Vec<(u32, u8)>,
    stores: Vec<Store>,
    acts: Vec<(u8, Vec<u8>)>,
    /// Registers that are seen outside, when one of them is set.
    shown: Vec<u8>,
    /// When it was, where both must take the same clocks.
    clock: Option<u64>,
    /// It is over.
    end: bool,
}

impl Event {
    /// Whether something was done.
    fn is_one(&self) -> bool {
        let seen = !self.ports.is_empty() || !self.shown.is_empty();
        self.end || seen || !self.stores.is_empty() || !self.acts.is_empty()
    }
}

impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut words = Vec::new();
        for (port, v) in &self.ports {
            words.push(format!("writes ${v:02X} to port ${port:02X}"));
        }
        for s in &self.stores {
            words.push(format!("writes ${:02X} to ${:04X}", s.value, s.at));
        }
        if !self.acts.is_empty() {
            words.push("stops or changes how the processor runs".to_owned());
        }
        if !self.shown.is_empty() {
            let all: Vec<String> = self.shown.iter().map(|v| format!("${v:02X}")).collect();
            words.push(format!("shows {}", all.join(", ")));
        }
        if self.end {
            words.push("is over".to_owned());
        }
        if let Some(clock) = self.clock {
            words.push(format!("at clock {clock}"));
        }
        f.write_str(&words.join(", "))
    }
}

/// What of an image is where.
struct Map {
    bytes: FxHashMap<u32, u8>,
    /// Bytes that are no code.
    data: FxHashMap<u32, Place>,
    /// Bytes of instructions, by the statement.
    code: FxHashMap<u32, Place>,
    statements: FxHashSet<Place>,
    start: u32,
    unit: u32,
}

impl Map {
    fn of(image: &Image, target: &dyn Target, unit: u64, start: Option<u64>) -> Self {
        let mut map = Self {
            bytes: FxHashMap::default(),
            data: FxHashMap::default(),
            code: FxHashMap::default(),
            statements: FxHashSet::default(),
            start: 0,
            unit: unit as u32,
        };
        // Behind the first space are memories that the processor does not run.
        let end = target.spaces().get(1).map_or(u64::MAX, |s| s.base);
        let mut first = None;
        let chunks = image.chunks.iter();
        for chunk in chunks.filter(|c| c.page == 0 && !c.bare && c.address < end) {
            for run in &chunk.runs {
                for i in 0..run.len {
                    let at = (chunk.address + u64::from(run.offset + i)) as u32;
                    map.bytes.insert(at, chunk.bytes[(run.offset + i) as usize]);
                    let own = Place::Byte(run.span.source.0, run.span.start, run.expansion, i);
                    if run.class == Class::Code {
                        map.code.insert(at, own);
                        map.statements.insert(own);
                        first = first.or(Some(at));
                    } else {
                        map.data.insert(at, own);
                    }
                }
            }
        }
        // What is stored elsewhere than where it runs is read there.
        for (chunk, from) in image.chunks.iter().zip(stored(image)) {
            if from == chunk.address || from >= end || chunk.page != 0 || chunk.bare {
                continue;
            }
            for run in &chunk.runs {
                for i in 0..run.len {
                    let at = (from + u64::from(run.offset + i)) as u32;
                    let own = Place::Byte(run.span.source.0, run.span.start, run.expansion, i);
                    let byte = chunk.bytes[(run.offset + i) as usize];
                    map.bytes.entry(at).or_insert(byte);
                    if !map.code.contains_key(&at) {
                        map.data.entry(at).or_insert(own);
                    }
                }
            }
        }
        // Or what a dialect tells its files.
        let said = || {
            image
                .options
                .iter()
                .find(|o| o.0 == "start")?
                .1
                .parse()
                .ok()
        };
        let entry = start.or(image.entry).or_else(said).map(|e| e as u32);
        map.start = entry.or(first).unwrap_or(0);
        map
    }

    /// Where a store goes; nothing if that is code.
    fn place(&self, space: Space, at: u32) -> Option<Place> {
        // With program memory apart, data memory is outside of the image.
        let own = space == Space::Data && self.unit == 1 || space == Space::Program;
        match (self.data.get(&at), self.code.contains_key(&at)) {
            (Some(p), _) if own => Some(*p),
            (None, true) if own => None,
            _ => Some(Place::Outside(space, at)),
        }
    }
}

/// Where the bytes of each chunk are stored. In files that are written in order that is behind
/// what comes before, if what comes next goes on behind that.
fn stored(image: &Image) -> Vec<u64> {
    if !image.sequential {
        return image.chunks.iter().map(|c| c.load).collect();
    }
    let mut out = Vec::new();
    let mut behind = image.chunks.first().map_or(0, |c| c.address);
    for (i, chunk) in image.chunks.iter().enumerate() {
        let len = chunk.bytes.len() as u64;
        let next = image.chunks.get(i + 1);
        let from = match next.is_some_and(|n| len > 0 && n.address == behind + len) {
            true => behind,
            false => chunk.address,
        };
        out.push(from);
        behind = from + len;
    }
    out
}

/// Memory around one of them.
struct World {
    bytes: FxHashMap<(Space, u32), u8>,
    asked: FxHashMap<(Space, u32), u32>,
    seed: u32,
}

impl World {
    fn read(&mut self, space: Space, at: u32) -> u8 {
        if let Some(b) = self.bytes.get(&(space, at)) {
            return *b;
        }
        let count = self.asked.entry((space, at)).or_default();
        *count += 1;
        let key = at ^ (space as u32) << 29;
        let mut x = key.wrapping_mul(0x9e37_79b9) ^ count.wrapping_mul(0x85eb_ca6b) ^ self.seed;
        x ^= x >> 15;
        x = x.wrapping_mul(0x2c1b_3c6d);
        (x >> 13) as u8
    }
}

/// One of the two on its way.
struct One<'s> {
    map: Map,
    semantics: &'s dyn Semantics,
    processor: Processor<Concrete, Numbers>,
    world: Rc<RefCell<World>>,
    /// Where code is.
    space: Space,
    /// An instruction that returns.
    leave: Option<Vec<u8>>,
    at: u32,
    /// What is fetched while that runs, where jumps have a slot.
    fetch: Option<u32>,
    /// A word where nothing stands.
    filler: [u8; 2],
    /// The instruction that ran last.
    last: u32,
    steps: u64,
    top: u32,
}

impl<'s> One<'s> {
    fn new(
        map: Map,
        (semantics, filler): (&'s dyn Semantics, [u8; 2]),
        stack: u16,
        seed: u32,
    ) -> Self {
        let space = match map.unit {
            1 => Space::Data,
            _ => Space::Program,
        };
        let bytes = map.bytes.iter().map(|(&at, &b)| ((space, at), b)).collect();
        let world = Rc::new(RefCell::new(World {
            bytes,
            asked: FxHashMap::default(),
            seed,
        }));
        let outside = Rc::clone(&world);
        let before = Box::new(move |space, at| outside.borrow_mut().read(space, at));
        let mut processor = Processor::new(Concrete, Numbers::new(before));
        let layout = semantics.layout();
        for (cell, c) in (0u8..).zip(layout.cells) {
            if matches!(c.holds, Holds::Byte | Holds::Flags(..)) {
                let value = World::read(&mut world.borrow_mut(), Space::Port, !u32::from(cell));
                processor.set_cell(cell, value);
            }
        }
        for (&c, value) in layout.stack.iter().zip(stack.to_le_bytes()) {
            processor.set_cell(c, value);
        }
        let at = map.start;
        // Who began it went there as one calls.
        let start = (at as u16).to_le_bytes();
        for (&c, value) in layout.link.iter().zip(start) {
            processor.set_cell(c, value);
        }
        let mut one = Self {
            map,
            semantics,
            processor,
            world,
            space,
            leave: None,
            at,
            fetch: (semantics.slots() > 0).then_some(at + semantics.unit() as u32),
            filler,
            last: at,
            steps: 0,
            top: 0,
        };
        one.top = one.stack();
        one.leave = one.returning();
        one
    }

    /// The bytes of an instruction of the program that only returns.
    fn returning(&self) -> Option<Vec<u8>> {
        let mut all: Vec<u32> = self.map.code.keys().copied().collect();
        all.sort_unstable();
        all.into_iter().find_map(|at| {
            let bytes = self.window(at);
            let code = Code {
                bytes: &bytes,
                address: at.into(),
            };
            let ways = self.semantics.successors(code)?;
            let plain = ways.way == Some(Way::Return) && !ways.falls_through;
            let length = self.semantics.length(code)?;
            plain.then(|| bytes[..length].to_vec())
        })
    }

    /// Whether there is no code of the program.
    fn is_outside(&self, at: u32) -> bool {
        !self.world.borrow().bytes.contains_key(&(self.space, at))
    }

    /// Whether it has returned to where it came from, or has nothing to return to.
    fn is_back(&self) -> bool {
        let above = self.stack().wrapping_sub(self.top) & 0xffff;
        above <= 3
    }

    /// What is in memory from an address on.
    fn window(&self, at: u32) -> Vec<u8> {
        let world = self.world.borrow();
        let bytes = (0..WINDOW).map_while(|i| {
            let at = at.wrapping_add(i as u32);
            world.bytes.get(&(self.space, at)).copied()
        });
        bytes.collect()
    }

    /// The byte beside one that was stored, at so many addresses more, as if it was stored.
    fn beside(&self, store: &Store, by: u32) -> Option<Store> {
        let at = store.at.wrapping_add(by);
        let value = *self.world.borrow().bytes.get(&(Space::Data, at))?;
        Some(Store {
            at,
            value,
            ..*store
        })
    }

    /// The stack pointer.
    fn stack(&self) -> u32 {
        let cells = self.semantics.layout().stack.iter().rev();
        cells.fold(0, |all, &c| all << 8 | u32::from(self.processor.cell(c)))
    }

    /// Runs up to the next event, with at most so many instructions in all; nothing if there
    /// is none.
    fn next(&mut self, most: u64) -> Option<Event> {
        while self.steps < most {
            self.steps += 1;
            let event = match self.fetch {
                Some(fetch) => self.word(fetch),
                None => self.step(),
            };
            if event.is_one() {
                return Some(event);
            }
        }
        None
    }

    /// Runs a word while another is fetched.
    fn word(&mut self, fetch: u32) -> Event {
        let mut bytes = self.window(self.at);
        if bytes.is_empty() {
            bytes = self.filler.to_vec();
        }
        let code = Code {
            bytes: &bytes,
            address: self.at.into(),
        };
        let semantics = self.semantics;
        let cells = |p: &Processor<Concrete, Numbers>| -> Vec<u8> {
            let all = semantics.shown().iter();
            all.map(|s| p.cell(s.1)).collect()
        };
        let set = |p: &Processor<Concrete, Numbers>| -> Vec<u8> {
            let all = semantics.shown().iter();
            all.map(|s| p.cell(s.0)).collect()
        };
        let p = &mut self.processor;
        let before = set(p);
        p.went = None;
        p.set_counter(0, (fetch / self.map.unit) as u16);
        if semantics.numbers(code, p).is_none() {
            return Event {
                end: true,
                ..Event::default()
            };
        }
        let (behind, shown) = (u32::from(p.behind()) * self.map.unit, cells(p));
        let changed = set(p) != before;
        self.last = self.at;
        (self.at, self.fetch) = (fetch, Some(behind));
        let mut event = self.done(0);
        if changed {
            event.shown = shown;
        }
        event.clock = Some(self.steps);
        event
    }

    /// Runs an instruction.
    fn step(&mut self) -> Event {
        let over = Event {
            end: true,
            ..Event::default()
        };
        let outside = !self
            .world
            .borrow()
            .bytes
            .contains_key(&(self.space, self.at));
        let bytes = match (outside, &self.leave) {
            (false, _) => self.window(self.at),
            (true, Some(leave)) if !self.is_back() => leave.clone(),
            // Behind its first return nobody knows what comes.
            (true, _) => return over,
        };
        let before = self.stack();
        let stack = self.semantics.layout().stack;
        let cells: Vec<u8> = stack.iter().map(|&c| self.processor.cell(c)).collect();
        // How many instructions there were is no part of what a program does.
        for &c in self.semantics.layout().quiet {
            self.processor.set_cell(c, 0);
        }
        let code = Code {
            bytes: &bytes,
            address: self.at.into(),
        };
        let p = &mut self.processor;
        let pc = self.at / self.map.unit;
        p.went = None;
        p.set_counter((pc >> 16) as u8, pc as u16);
        let length = self.semantics.length(code);
        let ran = self.semantics.numbers(code, p);
        let (Some(length), Some(_)) = (length, ran) else {
            return over;
        };
        self.last = self.at;
        self.at = match p.went {
            Some(true) => {
                let (top, low) = p.counter();
                (u32::from(top) << 16 | u32::from(low)) * self.map.unit
            }
            _ => self.at.wrapping_add(length as u32),
        };
        if self.map.unit == 1 {
            self.at &= 0xffff;
        }
        let event = self.done(before);
        // What is called outside is back at once.
        let calls = || self.semantics.successors(code)?.way;
        if self.is_outside(self.at) && calls() == Some(Way::Call) {
            for (&c, value) in stack.iter().zip(cells) {
                self.processor.set_cell(c, value);
            }
            self.at = self.last.wrapping_add(length as u32);
        }
        event
    }

    /// What the last instruction did; memory takes it.
    fn done(&mut self, before: u32) -> Event {
        let after = self.stack();
        let memory = &mut self.processor.memory;
        memory.asked.clear();
        let mut event = Event {
            acts: std::mem::take(&mut memory.acts),
            ..Event::default()
        };
        let written = std::mem::take(&mut memory.written);
        let mut world = self.world.borrow_mut();
        // The bytes between the two ends, and the two at the end for what swaps them.
        let (mut low, mut high) = (before.min(after), before.max(after));
        // A stack from 0 down begins at the end of memory.
        if high - low > MOST_MOVED {
            (low, high) = (high, low + MEMORY);
        }
        let own = low..=high.max(low + 1);
        let stacked = |at: u32| own.contains(&at) || own.contains(&(at + MEMORY));
        let mut stores = Vec::new();
        for (space, at, value) in written {
            if space == Space::Port {
                event.ports.push((at, value));
                continue;
            }
            world.bytes.insert((space, at), value);
            if space != Space::Data || !stacked(at) {
                let place = self.map.place(space, at);
                stores.push(place.map(|place| Store { place, at, value }));
            }
        }
        // A store into code: the operand is another's now, in both.
        event.stores = stores
            .into_iter()
            .collect::<Option<_>>()
            .unwrap_or_default();
        event
    }
}

/// Whether two words are addresses of the same.
fn same_address(v: u16, w: u16, old: &Map, new: &Map) -> bool {
    let (code, other) = (u32::from(v) * old.unit, u32::from(w) * new.unit);
    if let (Some(p), Some(q)) = (old.code.get(&code), new.code.get(&other)) {
        // What was replaced has no statement of its own any more.
        return p == q || !new.statements.contains(p);
    }
    // A pointer may stand behind the last byte of a table.
    [0, 1].into_iter().any(|back| {
        let at = |m: &Map, a: u16| m.data.get(&u32::from(a).wrapping_sub(back)).copied();
        at(old, v).is_some() && at(old, v) == at(new, w)
    })
}

/// Two bytes at neighbouring addresses as a word, the lower address first.
fn word(a: Store, b: Store) -> Option<[u16; 2]> {
    let (low, high) = match b.at.wrapping_sub(a.at) {
        1 => (a.value, b.value),
        u32::MAX => (b.value, a.value),
        _ => return None,
    };
    Some([
        u16::from_le_bytes([low, high]),
        u16::from_be_bytes([low, high]),
    ])
}

/// Whether pairs of stores are words that are addresses of the same.
fn same_words(a: [Store; 2], b: [Store; 2], old: &Map, new: &Map) -> bool {
    match (word(a[0], a[1]), word(b[0], b[1])) {
        (Some(v), Some(w)) => (0..2).any(|i| same_address(v[i], w[i], old, new)),
        _ => false,
    }
}

/// Whether bytes are the low halves of addresses of the same, each in the page of the instruction
/// that stores it, where control goes by that alone.
fn same_half(
    (v, w): (Store, Store),
    (x, a): (&Event, &One<'_>),
    (y, b): (&Event, &One<'_>),
) -> bool {
    if x.clock.is_none() || y.clock.is_none() {
        return false;
    }
    let address = |one: &One<'_>, low: u8| {
        let page = (one.last / one.map.unit) & !0xff;
        (page | u32::from(low)) as u16
    };
    same_address(address(a, v.value), address(b, w.value), &a.map, &b.map)
}

/// Compares what two programs do, event by event.
#[derive(Default)]
struct Compare {
    /// A byte on both sides that was the last store.
    last: Option<(Store, Store)>,
    /// One that was not the same: it may be half an address.
    open: Option<Differs>,
}

impl Compare {
    /// Whether it goes on: the events are the same, or the second half tells.
    fn same(&mut self, (x, a): (&Event, &One<'_>), (y, b): (&Event, &One<'_>)) -> bool {
        let (old, new) = (&a.map, &b.map);
        let places = |e: &Event| e.stores.iter().map(|s| s.place).collect::<Vec<_>>();
        let others = (&x.ports, &x.acts, x.end) == (&y.ports, &y.acts, y.end)
            && (&x.shown, x.clock) == (&y.shown, y.clock);
        if !others || places(x) != places(y) {
            return false;
        }
        let values = x
            .stores
            .iter()
            .zip(&y.stores)
            .all(|(a, b)| a.value == b.value);
        let single = match (x.stores.as_slice(), y.stores.as_slice()) {
            ([a], [b]) => Some((*a, *b)),
            _ => None,
        };
        let before = std::mem::replace(&mut self.last, single);
        let halves = single.zip(before);
        let address = halves.is_some_and(|((a, b), (p, q))| same_words([p, a], [q, b], old, new))
            || single.is_some_and(|s| same_half(s, (x, a), (y, b)));
        if self.open.take().is_some() {
            return address;
        }
        if values || address {
            return true;
        }
        match (x.stores.as_slice(), y.stores.as_slice()) {
            ([a, b], [c, d]) => same_words([*a, *b], [*c, *d], old, new),
            // Half of an address of which the other half is there already.
            ([c], [d])
                if [1, u32::MAX].into_iter().any(|by| {
                    let both = a.beside(c, by).zip(b.beside(d, by));
                    both.is_some_and(|(x, y)| same_words([*c, x], [*d, y], old, new))
                }) =>
            {
                true
            }
            ([_], [_]) => {
                self.open = Some(Differs::default());
                true
            }
            _ => false,
        }
    }
}

/// Runs both from a label, or from where they begin.
///
/// # Errors
/// The first thing that differs.
pub fn compare(
    (target, machine): (&dyn Target, Option<&dyn Machine>),
    (old, new): (&Image, &Image),
    start: Option<&str>,
    runs: Runs,
) -> Result<Alike, Differs> {
    let mut all = Alike {
        steps: u64::MAX,
        events: u64::MAX,
    };
    let Some(semantics) = target.semantics(machine) else {
        return Ok(Alike {
            steps: 0,
            events: 0,
        });
    };
    let stack = semantics.stack();
    let stack = stack.unwrap_or_else(|| stack_of(target, machine));
    let from = |image: &Image| image.symbol(start?).map(|s| image.linear(s));
    for seed in 0..runs.worlds {
        let one = |image| {
            let map = Map::of(image, target, semantics.unit(), from(image));
            One::new(map, (semantics.as_ref(), target.filler()), stack, seed + 1)
        };
        let (mut a, mut b) = (one(old), one(new));
        let (steps, events) = race(&mut a, &mut b, runs.steps)?;
        all.steps = all.steps.min(steps);
        all.events = all.events.min(events);
    }
    Ok(all)
}

/// One run of both: instructions of the first, and events.
fn race(a: &mut One<'_>, b: &mut One<'_>, most: u64) -> Result<(u64, u64), Differs> {
    let mut compare = Compare::default();
    let mut events = 0;
    while let Some(x) = a.next(most) {
        let y = b.next(most.saturating_mul(SLOWER));
        let before = compare.open.clone();
        let same = y.as_ref().is_some_and(|y| compare.same((&x, a), (y, b)));
        let nothing = || "does nothing more".to_owned();
        let differs = Differs {
            events,
            old: (x.to_string(), a.last.into()),
            new: (y.map_or_else(nothing, |y| y.to_string()), b.last.into()),
        };
        if !same {
            return Err(before.unwrap_or(differs));
        }
        if let Some(open) = &mut compare.open {
            *open = differs;
        }
        events += 1;
        if x.end {
            break;
        }
    }
    // The other half of an address may never have come.
    compare.open.map_or(Ok((a.steps, events)), Err)
}

/// Where the stack begins: at the end of RAM where program memory is apart.
fn stack_of(target: &dyn Target, machine: Option<&dyn Machine>) -> u16 {
    let data = target.spaces().get(1);
    let ram = data.and_then(|space| {
        let regions = machine?.regions().iter();
        let inside = regions.filter(|r| (space.base..space.base + space.size).contains(&r.start));
        inside
            .map(|r| (r.start + r.size - 1 - space.base) as u16)
            .max()
    });
    ram.unwrap_or(STACK)
}
