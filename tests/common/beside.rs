//! Two images of one program, before and after the optimizer, run beside each other on a bare
//! Z80: what they write to ports and to memory must be the same, in the same order. Addresses
//! in the image are those of the same byte of the same statement; what a push or a call
//! writes is the stack's own business. What is outside answers with numbers that depend on
//! the address and on how often it was read, and code outside with a return.

use scrimp::image::{Class, Image};
use scrimp_z80::reg;
use scrimp_z80::sim::{Bus, Clock, Cpu};
use std::collections::{BTreeSet, HashMap};

/// What stands outside of the image, for the CPU.
const RETURN: u8 = 0xc9;

/// An event that must be the same in both.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Event {
    Port(u16, u8),
    /// A store: where, and the bytes.
    Store(Vec<(Place, u8)>),
    /// It stands still, or left for good.
    End,
}

/// An address, or the byte of a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Place {
    Outside(u16),
    /// Text, its start, expansion, byte.
    Byte(u32, u32, u32, u32),
}

/// What of an image is where.
struct Map {
    bytes: HashMap<u16, u8>,
    places: HashMap<u16, Place>,
    code: BTreeSet<u16>,
    start: u16,
}

impl Map {
    fn of(image: &Image, start: Option<u16>) -> Self {
        let mut map = Self {
            bytes: HashMap::new(),
            places: HashMap::new(),
            code: BTreeSet::new(),
            start: 0,
        };
        let mut first = None;
        for chunk in &image.chunks {
            for run in &chunk.runs {
                for i in 0..run.len {
                    let at = (chunk.address + u64::from(run.offset + i)) as u16;
                    map.bytes.insert(at, chunk.bytes[(run.offset + i) as usize]);
                    if run.class == Class::Code {
                        map.code.insert(at);
                        first = first.or(Some(at));
                    } else {
                        let own = Place::Byte(run.span.source.0, run.span.start, run.expansion, i);
                        map.places.insert(at, own);
                    }
                }
            }
        }
        let entry = image.entry.map(|e| e as u16);
        map.start = start.or(entry).or(first).unwrap_or(0);
        map
    }

    fn place(&self, at: u16) -> Option<Place> {
        match (self.places.get(&at), self.code.contains(&at)) {
            (Some(p), _) => Some(*p),
            (None, true) => None,
            (None, false) => Some(Place::Outside(at)),
        }
    }
}

/// The world around one of them.
struct World {
    memory: Box<[u8; 0x10000]>,
    /// Addresses that have a value of their own.
    known: Vec<bool>,
    asked: HashMap<u32, u32>,
    stores: Vec<(u16, u8)>,
    events: Vec<(u16, u8)>,
    seed: u32,
}

impl World {
    fn answer(&mut self, key: u32) -> u8 {
        let count = self.asked.entry(key).or_default();
        *count += 1;
        let mut x = key.wrapping_mul(0x9e37_79b9) ^ count.wrapping_mul(0x85eb_ca6b) ^ self.seed;
        x ^= x >> 15;
        x = x.wrapping_mul(0x2c1b_3c6d);
        (x >> 13) as u8
    }
}

impl Bus for World {
    fn read(&mut self, address: u16, _: &mut Clock) -> u8 {
        if self.known[usize::from(address)] {
            return self.memory[usize::from(address)];
        }
        self.answer(address.into())
    }
    fn fetch(&mut self, address: u16, _: u16, _: &mut Clock) -> u8 {
        match self.known[usize::from(address)] {
            true => self.memory[usize::from(address)],
            false => RETURN,
        }
    }
    fn write(&mut self, address: u16, value: u8, _: &mut Clock) {
        self.memory[usize::from(address)] = value;
        self.known[usize::from(address)] = true;
        self.stores.push((address, value));
    }
    fn input(&mut self, port: u16, _: &mut Clock) -> u8 {
        self.answer(0x1_0000 | u32::from(port))
    }
    fn output(&mut self, port: u16, value: u8, _: &mut Clock) {
        self.events.push((port, value));
    }
}

/// One of the two on its way.
struct One {
    map: Map,
    cpu: Cpu,
    world: World,
    steps: u64,
}

impl One {
    fn new(image: &Image, start: Option<u16>, seed: u32) -> Self {
        /// Where the stack is until the program makes its own: no page of its own memory.
        const STACK: u16 = 0xfffe;
        let map = Map::of(image, start);
        let mut world = World {
            memory: Box::new([0; 0x10000]),
            known: vec![false; 0x10000],
            asked: HashMap::new(),
            stores: Vec::new(),
            events: Vec::new(),
            seed,
        };
        for (&at, &b) in &map.bytes {
            world.memory[usize::from(at)] = b;
            world.known[usize::from(at)] = true;
        }
        let mut cpu = Cpu::new();
        cpu.set_pc(map.start);
        cpu.set_pair(reg::SP, STACK);
        Self {
            map,
            cpu,
            world,
            steps: 0,
        }
    }

    /// Runs up to the next event, with at most so many instructions in all; nothing if there
    /// is none.
    fn next(&mut self, most: u64) -> Option<Event> {
        while self.steps < most {
            self.steps += 1;
            let pc = self.cpu.pc();
            if self.cpu.halted() || !self.map.bytes.contains_key(&pc) && self.cpu.pair(reg::SP) == 0
            {
                return Some(Event::End);
            }
            let before = self.cpu.pair(reg::SP);
            // How many instructions there were is no part of what a program does.
            self.cpu.set_refresh(0);
            self.cpu.step(&mut self.world);
            let after = self.cpu.pair(reg::SP);
            let stores = std::mem::take(&mut self.world.stores);
            let ports = std::mem::take(&mut self.world.events);
            if let Some(&(port, value)) = ports.first() {
                return Some(Event::Port(port, value));
            }
            // What goes onto the stack is a return address, or is read again from there.
            let lowered = before.wrapping_sub(after);
            let pushed = lowered == 2 || stores.iter().all(|s| s.0.wrapping_sub(after) < 2);
            if stores.is_empty() || pushed {
                continue;
            }
            let placed: Option<Vec<_>> = stores
                .iter()
                .map(|&(at, v)| Some((self.map.place(at)?, v)))
                .collect();
            // A store into code: the operand is another's now, in both.
            if let Some(placed) = placed {
                return Some(Event::Store(placed));
            }
        }
        None
    }
}

/// Whether two stores are the same: a word may be an address of what is the same.
fn same_store(a: &[(Place, u8)], b: &[(Place, u8)], old: &Map, new: &Map) -> bool {
    let places = a.len() == b.len() && a.iter().zip(b).all(|(x, y)| x.0 == y.0);
    let values = a.iter().zip(b).all(|(x, y)| x.1 == y.1);
    if !places || values {
        return places;
    }
    let word = |s: &[(Place, u8)]| match s {
        [x, y] => {
            let (low, high) = if x.0 <= y.0 { (x.1, y.1) } else { (y.1, x.1) };
            Some(u16::from_le_bytes([low, high]))
        }
        _ => None,
    };
    match (word(a), word(b)) {
        (Some(v), Some(w)) => {
            let code = old.code.contains(&v) && new.code.contains(&w);
            let place = |m: &Map, at: u16| m.places.get(&at).copied();
            code || place(old, v).is_some() && place(old, v) == place(new, w)
                || place(old, v.wrapping_sub(1)).is_some()
                    && place(old, v.wrapping_sub(1)) == place(new, w.wrapping_sub(1))
        }
        // A byte of an address cannot be told from a number.
        _ => false,
    }
}

/// How many events two images have in common within so many instructions of the first;
/// or what they do otherwise.
///
/// # Errors
/// The first event that differs.
pub fn run(
    old: &Image,
    new: &Image,
    start: Option<(u16, u16)>,
    most: u64,
    seed: u32,
) -> Result<usize, String> {
    let mut a = One::new(old, start.map(|s| s.0), seed);
    let mut b = One::new(new, start.map(|s| s.1), seed);
    let mut events = 0;
    while let Some(x) = a.next(most) {
        // Calls and returns more make it longer in instructions.
        let y = b.next(most.saturating_mul(3));
        let same = match (&x, &y) {
            (Event::Store(v), Some(Event::Store(w))) => same_store(v, w, &a.map, &b.map),
            (x, Some(y)) => x == y,
            (_, None) => false,
        };
        if !same {
            return Err(format!(
                "event {events}: {x:x?} near ${:04X} before, {y:x?} near ${:04X} after",
                a.cpu.pc(),
                b.cpu.pc()
            ));
        }
        events += 1;
        if x == Event::End {
            break;
        }
    }
    Ok(events)
}
