//! Memory and ports in each domain.

use std::cell::RefCell;
use std::collections::HashMap;
use std::fmt;

use crate::Concrete;
use crate::circuit::Circuit;
use crate::domain::Domain;
use crate::known::{self, Known};
use crate::lanes::{Lanes, lane, spread};
use crate::terms::{Term, Terms};

/// What an address is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Space {
    /// Data memory, or all there is.
    Data,
    /// Devices.
    Port,
    /// Program memory, where it is apart.
    Program,
}

/// An address.
#[derive(Clone, Copy, Debug)]
pub struct At<D: Domain> {
    /// Of what.
    pub space: Space,
    /// Bits 16 and up.
    pub top: D::Byte,
    /// The bits below.
    pub low: D::Word,
}

impl<D: Domain> At<D> {
    /// One of 16 bits.
    pub fn low(d: D, space: Space, low: D::Word) -> Self {
        let top = d.byte(0);
        Self { space, top, low }
    }

    /// The address, where it is certain.
    pub fn exact(&self, d: D) -> Option<u32> {
        let (top, low) = (d.exact(self.top)?, d.exact16(self.low)?);
        Some(u32::from(top) << 16 | u32::from(low))
    }
}

/// Memory and ports. All that is done is done under a condition, the guard.
pub trait Memory<D: Domain> {
    /// Reads a byte.
    fn read(&mut self, d: D, guard: D::Bit, at: At<D>) -> D::Byte;
    /// Writes a byte.
    fn write(&mut self, d: D, guard: D::Bit, at: At<D>, value: D::Byte);
    /// Something is done with these bytes that no domain computes; the room numbers its
    /// kinds.
    fn act(&mut self, d: D, guard: D::Bit, kind: u8, bytes: &[D::Byte]) {
        let _ = (d, guard, kind, bytes);
    }
    /// A byte that is a function of these which no domain computes.
    fn opaque(&mut self, d: D, kind: u8, bytes: &[D::Byte]) -> D::Byte;
    /// How long an access takes depends on its address.
    fn uneven(&mut self, d: D, guard: D::Bit, address: D::Word) {
        let _ = (d, guard, address);
    }
}

/// What memory holds before anything was written: a function of the address.
pub type Before = Box<dyn Fn(Space, u32) -> u8>;

/// A number that stands for what nobody computes.
fn scrambled(kind: u8, bytes: impl Iterator<Item = u8>) -> u8 {
    let mixed = bytes.fold(u64::from(kind), |all, b| {
        (all ^ u64::from(b))
            .wrapping_mul(0x9e37_79b9_7f4a_7c15)
            .rotate_left(29)
    });
    (mixed >> 32) as u8
}

/// Memory of numbers.
pub struct Numbers {
    before: Before,
    /// What was written, in order.
    pub written: Vec<(Space, u32, u8)>,
    /// Ports that were read.
    pub asked: Vec<u32>,
    /// Data memory that was read: how many bytes had been written before, and where.
    pub read: Vec<(usize, u32)>,
    /// Acts of the room's kinds.
    pub acts: Vec<(u8, Vec<u8>)>,
}

impl fmt::Debug for Numbers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} {:?}", self.written, self.asked)
    }
}

impl Numbers {
    /// Full of these.
    pub fn new(before: Before) -> Self {
        Self {
            before,
            written: Vec::new(),
            asked: Vec::new(),
            read: Vec::new(),
            acts: Vec::new(),
        }
    }

    /// What is at an address now. A port says what it says.
    pub fn peek(&self, space: Space, at: u32) -> u8 {
        let mut back = self.written.iter().rev();
        let found = back.find(|w| space != Space::Port && (w.0, w.1) == (space, at));
        found.map_or_else(|| (self.before)(space, at), |w| w.2)
    }
}

impl Memory<Concrete> for Numbers {
    fn read(&mut self, d: Concrete, guard: bool, at: At<Concrete>) -> u8 {
        let address = at.exact(d).unwrap_or(0);
        match at.space {
            Space::Port if guard => self.asked.push(address),
            Space::Data if guard => self.read.push((self.written.len(), address)),
            _ => {}
        }
        self.peek(at.space, address)
    }

    fn write(&mut self, d: Concrete, guard: bool, at: At<Concrete>, value: u8) {
        if guard {
            let address = at.exact(d).unwrap_or(0);
            self.written.push((at.space, address, value));
        }
    }

    fn act(&mut self, _: Concrete, guard: bool, kind: u8, bytes: &[u8]) {
        if guard {
            self.acts.push((kind, bytes.to_vec()));
        }
    }

    fn opaque(&mut self, _: Concrete, kind: u8, bytes: &[u8]) -> u8 {
        scrambled(kind, bytes.iter().copied())
    }
}

/// What memory holds in a lane before anything was written.
pub type LanesBefore = Box<dyn Fn(usize, Space, u32) -> u8>;

/// An address in each lane.
fn address(at: &At<Lanes>, n: usize) -> u32 {
    lane(&at.top, n) << 16 | lane(&at.low, n)
}

/// A memory for each lane.
pub struct LanesMemory {
    before: LanesBefore,
    /// What was written, in order: in which lanes, where, what.
    pub written: Vec<(u64, At<Lanes>, [u64; 8])>,
}

impl fmt::Debug for LanesMemory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} bytes written", self.written.len())
    }
}

impl LanesMemory {
    /// Full of these.
    pub fn new(before: LanesBefore) -> Self {
        let written = Vec::new();
        Self { before, written }
    }

    /// What is at an address of a lane now.
    pub fn peek(&self, n: usize, space: Space, at: u32) -> u8 {
        let mut back = self.written.iter().rev().filter(|_| space != Space::Port);
        let found = back.find(|(guard, to, _)| {
            guard >> n & 1 == 1 && to.space == space && address(to, n) == at
        });
        match found {
            Some((_, _, value)) => lane(value, n) as u8,
            None => (self.before)(n, space, at),
        }
    }
}

impl Memory<Lanes> for LanesMemory {
    fn read(&mut self, _: Lanes, _: u64, at: At<Lanes>) -> [u64; 8] {
        spread(|n| self.peek(n, at.space, address(&at, n)).into())
    }

    fn write(&mut self, _: Lanes, guard: u64, at: At<Lanes>, value: [u64; 8]) {
        self.written.push((guard, at, value));
    }

    fn opaque(&mut self, _: Lanes, kind: u8, bytes: &[[u64; 8]]) -> [u64; 8] {
        spread(|n| scrambled(kind, bytes.iter().map(|b| lane(b, n) as u8)).into())
    }
}

/// Memory of which some bytes are known.
#[derive(Clone, Debug, Default)]
pub struct KnownMemory {
    bytes: HashMap<(Space, u32), known::Byte>,
}

impl KnownMemory {
    /// What is known of a byte.
    pub fn peek(&self, space: Space, at: u32) -> known::Byte {
        let found = self.bytes.get(&(space, at));
        found.copied().unwrap_or(known::Byte::UNKNOWN)
    }

    /// From now on that is known of a byte.
    pub fn poke(&mut self, space: Space, at: u32, value: known::Byte) {
        self.bytes.insert((space, at), value);
    }
}

impl Memory<Known> for KnownMemory {
    fn read(&mut self, d: Known, _: known::Bit, at: At<Known>) -> known::Byte {
        match at.exact(d) {
            Some(a) if at.space != Space::Port => self.peek(at.space, a),
            _ => known::Byte::UNKNOWN,
        }
    }

    fn write(&mut self, d: Known, guard: known::Bit, at: At<Known>, value: known::Byte) {
        match (guard, at.exact(d)) {
            (Some(false), _) => {}
            (Some(true), Some(a)) => self.poke(at.space, a, value),
            (None, Some(a)) => self.poke(at.space, a, self.peek(at.space, a).join(value)),
            (_, None) => {
                let hit = |a: u32| {
                    let [_, top, high, low] = a.to_be_bytes();
                    at.top.allows(top) && at.low.high.allows(high) && at.low.low.allows(low)
                };
                let space = at.space;
                let all = self.bytes.iter_mut();
                for (_, v) in all.filter(|(k, _)| k.0 == space && hit(k.1)) {
                    *v = v.join(value);
                }
            }
        }
    }

    fn opaque(&mut self, _: Known, _: u8, _: &[known::Byte]) -> known::Byte {
        known::Byte::UNKNOWN
    }
}

/// An address as terms: 24 bits.
pub type Address = [Term; 24];

/// A byte that came from outside: of what memory held, or by a port.
#[derive(Clone, Debug)]
pub struct Delivered {
    /// Of what.
    pub space: Space,
    /// Where.
    pub address: Address,
    /// The inputs that were made for it.
    pub fresh: [Term; 8],
    /// The byte, which is another one's if the addresses are the same.
    pub value: [Term; 8],
}

/// A function that no domain computes, and what it is a function of.
type Opaque = (u8, Vec<[Term; 8]>);

/// What memory held before, and what ports deliver: the same for all that is compared.
#[derive(Debug, Default)]
pub struct Outside {
    read: RefCell<Vec<Delivered>>,
    ports: RefCell<Vec<Delivered>>,
    opaque: RefCell<HashMap<Opaque, [Term; 8]>>,
}

impl Outside {
    /// The bytes of memory, and then those of ports, in the order in which they were
    /// asked for.
    pub fn delivered(&self) -> Vec<Delivered> {
        let mut all = self.read.borrow().clone();
        all.extend(self.ports.borrow().iter().cloned());
        all
    }
}

/// Something that is seen outside.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// A write or read of a space, or an act of the room's kinds.
    pub kind: EventKind,
    /// Whether it happens.
    pub guard: Term,
    /// Where, and what is written.
    pub bytes: Vec<Term>,
}

/// What kind of event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EventKind {
    /// A port is read.
    Input,
    /// Data memory is read, which may be a device.
    Read,
    /// It is written.
    Write(Space),
    /// An act.
    Act(u8),
}

/// A store: where, whether, what.
#[derive(Clone, Debug)]
struct Store {
    space: Space,
    address: Address,
    guard: Term,
    value: [Term; 8],
}

/// Memory as terms. What it held before is a function of the address that nothing is
/// known of.
#[derive(Clone, Debug)]
pub struct TermMemory<'a> {
    outside: &'a Outside,
    stores: Vec<Store>,
    /// What is seen outside, in order.
    pub events: Vec<Event>,
    /// Ports that were read.
    inputs: usize,
}

/// Whether two addresses are the same.
fn same(d: Terms<'_>, a: &Address, b: &Address) -> Term {
    let bits = a.iter().zip(b);
    bits.fold(Term::TRUE, |all, (&a, &b)| {
        d.meet(all, d.differ(a, b).inverse())
    })
}

fn flat(at: &At<Terms<'_>>) -> Address {
    std::array::from_fn(|i| match i {
        0..16 => at.low[i],
        _ => at.top[i - 16],
    })
}

impl<'a> TermMemory<'a> {
    /// Before anything was written.
    pub fn new(outside: &'a Outside) -> Self {
        Self {
            outside,
            stores: Vec::new(),
            events: Vec::new(),
            inputs: 0,
        }
    }

    /// What was there before.
    fn initial(&self, d: Terms<'_>, space: Space, address: Address) -> [Term; 8] {
        let mut read = self.outside.read.borrow_mut();
        if let Some(r) = read
            .iter()
            .find(|r| (r.space, r.address) == (space, address))
        {
            return r.value;
        }
        let fresh = d.arena().fresh();
        let mut value = fresh;
        for r in read.iter().filter(|r| r.space == space) {
            value = d.select(same(d, &address, &r.address), r.value, value);
        }
        read.push(Delivered {
            space,
            address,
            fresh,
            value,
        });
        value
    }

    /// What is at an address now.
    pub fn peek(&self, d: Terms<'_>, space: Space, address: Address) -> [Term; 8] {
        let all: Vec<&Store> = self.stores.iter().filter(|s| s.space == space).collect();
        // What was written there last for sure is what is there.
        let hit = |s: &Store| d.meet(s.guard, same(d, &address, &s.address));
        let sure = all.iter().rposition(|s| hit(s) == Term::TRUE);
        let mut value = match sure {
            Some(i) => all[i].value,
            None => self.initial(d, space, address),
        };
        for s in &all[sure.map_or(0, |i| i + 1)..] {
            value = d.select(hit(s), s.value, value);
        }
        value
    }
}

impl<'a> Memory<Terms<'a>> for TermMemory<'a> {
    fn read(&mut self, d: Terms<'a>, guard: Term, at: At<Terms<'a>>) -> [Term; 8] {
        let address = flat(&at);
        if at.space == Space::Data {
            self.events.push(Event {
                kind: EventKind::Read,
                guard,
                bytes: address.to_vec(),
            });
        }
        if at.space != Space::Port {
            return self.peek(d, at.space, address);
        }
        self.events.push(Event {
            kind: EventKind::Input,
            guard,
            bytes: address.to_vec(),
        });
        let mut ports = self.outside.ports.borrow_mut();
        let n = self.inputs;
        self.inputs += 1;
        if ports.len() == n {
            let fresh = d.arena().fresh();
            ports.push(Delivered {
                space: at.space,
                address,
                fresh,
                value: fresh,
            });
        }
        ports[n].value
    }

    fn write(&mut self, _: Terms<'a>, guard: Term, at: At<Terms<'a>>, value: [Term; 8]) {
        let address = flat(&at);
        let mut bytes = address.to_vec();
        bytes.extend(value);
        self.events.push(Event {
            kind: EventKind::Write(at.space),
            guard,
            bytes,
        });
        if at.space != Space::Port {
            self.stores.push(Store {
                space: at.space,
                address,
                guard,
                value,
            });
        }
    }

    fn act(&mut self, _: Terms<'a>, guard: Term, kind: u8, bytes: &[[Term; 8]]) {
        self.events.push(Event {
            kind: EventKind::Act(kind),
            guard,
            bytes: bytes.concat(),
        });
    }

    fn opaque(&mut self, d: Terms<'a>, kind: u8, bytes: &[[Term; 8]]) -> [Term; 8] {
        let mut found = self.outside.opaque.borrow_mut();
        let value = found.entry((kind, bytes.to_vec()));
        *value.or_insert_with(|| d.arena().fresh())
    }
}
