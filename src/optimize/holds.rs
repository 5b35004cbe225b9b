//! Whether code does what its contracts say. What the flow of the program shows is checked;
//! else the routine is run on numbers from many states: where that goes against a contract
//! it is an error, with the state; the rest is taken on trust, and the report says so.

use super::contract::{Clause, Contracts, Standing, Terms};
use crate::diagnostic::{Diagnostic, codes};
use crate::optimize::flow::{Flow, Kind, Node, Routine, calls};
use crate::program::symbol::SymbolId;
use rustc_hash::FxHashMap;
use scrimp_isa::depend::Inputs;
use scrimp_isa::effects::Way;
use scrimp_isa::memory::{Numbers, Space};
use scrimp_isa::semantics::Code;
use scrimp_isa::state::{Holds, Location, place};
use scrimp_isa::{Concrete, Processor};
use std::cell::RefCell;
use std::rc::Rc;

/// States that a routine is run from.
const STATES: u64 = 24;
/// States in which single registers are changed.
const PAIRS: u64 = 6;
/// Most steps of a run.
const STEPS: usize = 3000;
/// Both bytes of the stack pointer, the first with which it points at memory: some machines
/// have devices at one of them.
const STACKS: [u8; 4] = [0xe0, 4, 2, 1];
/// A byte of the address that a routine is called from.
const BACK: u8 = 0xee;
/// Bytes below the stack pointer that are the stack's.
const DEEP: u32 = 512;

/// Looks at all contracts. `flow` is that of a program without what its labels promise.
/// Findings; sets how each contract stands.
pub fn check(flow: &Flow<'_, '_>, contracts: &mut Contracts) -> Vec<Diagnostic> {
    let mut out = Vec::new();
    let mut list = std::mem::take(&mut contracts.list);
    let world = World::of(flow, contracts);
    for said in &mut list {
        let Some(id) = said.about.filter(|_| said.standing == Standing::Trusted) else {
            continue;
        };
        let (Some(terms), Some(entry)) = (contracts.labels.get(&id), node_of(flow, id)) else {
            said.standing = Standing::Unused;
            continue;
        };
        let routine = flow.routines.by_entry.get(&entry);
        let routine = routine.map(|&r| &flow.routines.list[r as usize]);
        if routine.is_some_and(|r| shown(flow, r, &said.what, terms)) {
            said.standing = Standing::Checked;
            continue;
        }
        if let Some(why) = world.against(entry, &said.what, terms) {
            let name = &flow.program.symbols.get(id).name;
            let message = format!("`{name}` does otherwise than its contract says: {why}");
            let d = Diagnostic::new(codes::BROKEN_CONTRACT, message).at(said.span);
            out.push(d.help("mend the routine, or the contract"));
        }
    }
    contracts.list = list;
    out
}

fn node_of(flow: &Flow<'_, '_>, id: SymbolId) -> Option<u32> {
    let at = flow.program.symbols.get(id).place?;
    let address = flow.program.address(&flow.placed.layout, at);
    let n = flow.nodes.at(address)?;
    (flow.node(n).kind == Kind::Code).then_some(n)
}

/// Whether the flow shows that a clause holds.
fn shown(flow: &Flow<'_, '_>, r: &Routine, clause: &Clause, terms: &Terms) -> bool {
    let layout = flow.book.semantics.layout();
    let quiet = layout.of_cells(layout.quiet).and(flow.book.stack());
    let registers = |i: Inputs| Inputs(i.0 & ((1 << place::OTHERS) - 1));
    let within = |a: Inputs, b: Inputs| registers(a).without(quiet).without(b).is_empty();
    let known = r.keeps_all && !flow.routines.vague;
    match clause {
        Clause::Clobbers(_) | Clause::Preserves(_) => {
            known && terms.changes().is_some_and(|c| within(r.writes, c))
        }
        Clause::In(_) => {
            // What it changes only sometimes is passed on, not read, if nobody asks for it.
            known
                && terms
                    .reads
                    .is_some_and(|i| within(r.uses, i.and(flow.kept)))
        }
        Clause::Returns => known,
        Clause::Out(_) => {
            let Some(out) = terms.out.filter(|_| known && !r.open) else {
                return false;
            };
            let passed = Inputs(out.0 & r.uses.0).without(terms.reads.unwrap_or(Inputs::NONE));
            let more = r.writes.without(out).without(flow.kept);
            let nodes = flow.nodes.list.iter();
            let mut callers = nodes.filter(|n| calls(n) && n.to == Some(r.entry));
            let asked = |n: u32| flow.live.before[n as usize].0 & registers(more).0 != 0;
            within(passed, Inputs::NONE) && !callers.any(|c| c.next.is_none_or(asked))
        }
        _ => false,
    }
}

/// The program as it lies in memory, for runs.
struct World<'w, 'a, 'p> {
    flow: &'w Flow<'a, 'p>,
    contracts: &'w Contracts,
    image: Rc<FxHashMap<u32, u8>>,
    locations: Vec<Location>,
    /// Locations that runs compare and change: no stack pointer, nothing quiet.
    plain: Inputs,
    /// Both bytes of the stack pointer.
    stack: u8,
}

/// What a run came to.
struct Run {
    processor: Processor<Concrete, Numbers>,
}

impl<'w, 'a, 'p> World<'w, 'a, 'p> {
    fn of(flow: &'w Flow<'a, 'p>, contracts: &'w Contracts) -> Self {
        let mut image = FxHashMap::default();
        if !contracts.labels.is_empty() {
            for (base, bytes) in flow.placed.layout.base.iter().zip(&flow.placed.bytes) {
                let own = (0u64..).zip(bytes).map(|(i, b)| ((base + i) as u32, *b));
                image.extend(own);
            }
        }
        let layout = flow.book.semantics.layout();
        let locations = layout.locations();
        let all = locations.iter().map(|l| Inputs::one(l.number));
        let all = all.fold(Inputs::NONE, Inputs::and);
        let odd = layout.of_cells(layout.quiet).and(flow.book.stack());
        Self {
            flow,
            contracts,
            image: Rc::new(image),
            locations,
            plain: all.without(odd),
            stack: stack(flow),
        }
    }

    /// Numbers for all cells.
    fn state(&self, seed: u64) -> Vec<u8> {
        let layout = self.flow.book.semantics.layout();
        let mut s = 0x9e37_79b9_7f4a_7c15u64.wrapping_mul(seed + 3);
        let mut next = || {
            s ^= s << 13;
            s ^= s >> 7;
            s ^= s << 17;
            (s >> 32) as u8
        };
        let small = seed.is_multiple_of(3);
        let number = |n: u8| if small { n & 7 } else { n };
        let mut cells: Vec<u8> = layout.cells.iter().map(|_| number(next())).collect();
        for &c in layout.stack {
            cells[usize::from(c)] = self.stack;
        }
        cells
    }

    /// What speaks against a clause, if a run does.
    fn against(&self, entry: u32, clause: &Clause, terms: &Terms) -> Option<String> {
        match clause {
            Clause::Clobbers(_) | Clause::Preserves(_) => {
                let kept = self.plain.without(terms.changes()?);
                (0..STATES).find_map(|seed| self.changed(entry, seed, kept))
            }
            Clause::In(_) => {
                let reads = terms.reads?;
                let others = self.plain.without(reads);
                let out = terms.out.unwrap_or(Inputs::NONE);
                (0..PAIRS).find_map(|seed| self.reads_more(entry, seed, others, out))
            }
            _ => None,
        }
    }

    /// A location of these that a run leaves with another value.
    fn changed(&self, entry: u32, seed: u64, kept: Inputs) -> Option<String> {
        let before = self.state(seed);
        let run = self.run(entry, &before)?;
        let all = self.locations.iter().filter(|l| kept.has(l.number));
        let mut other = all.filter(|l| self.value(&run, l) != bit(before[usize::from(l.cell)], l));
        let l = other.next()?;
        let name = self.flow.book.semantics.layout().name(l.number);
        let (was, is) = (bit(before[usize::from(l.cell)], l), self.value(&run, l));
        Some(format!("`{name}` was {was} and is {is} behind it"))
    }

    /// A location of these on which it depends what a run does.
    fn reads_more(&self, entry: u32, seed: u64, others: Inputs, out: Inputs) -> Option<String> {
        let before = self.state(seed);
        let first = self.run(entry, &before)?;
        for l in self.locations.iter().filter(|l| others.has(l.number)) {
            let mut other = before.clone();
            other[usize::from(l.cell)] ^= l.bit.map_or(0x5a, |b| 1 << b);
            let Some(second) = self.run(entry, &other) else {
                continue;
            };
            let mut results = self.locations.iter().filter(|o| out.has(o.number));
            let differs = results.any(|o| self.value(&first, o) != self.value(&second, o));
            let top = self.top();
            if differs || deeds(&first, top) != deeds(&second, top) {
                let name = self.flow.book.semantics.layout().name(l.number);
                return Some(format!("what it does depends on `{name}`"));
            }
        }
        None
    }

    /// The address of the stack.
    fn top(&self) -> u32 {
        u32::from_be_bytes([0, 0, self.stack, self.stack])
    }

    fn value(&self, run: &Run, l: &Location) -> u8 {
        bit(run.processor.cell(l.cell), l)
    }

    /// Runs a routine up to its return; nothing if it does not come to one, or does what
    /// cannot be followed.
    fn run(&self, entry: u32, cells: &[u8]) -> Option<Run> {
        let semantics = self.flow.book.semantics;
        let layout = semantics.layout();
        let unit = semantics.unit();
        let image = Rc::clone(&self.image);
        let top = self.top();
        let before = Box::new(move |space: Space, at: u32| {
            let own = match space {
                Space::Data if unit > 1 => None,
                Space::Port => None,
                _ => image.get(&at).copied(),
            };
            let stack = space == Space::Data && (top.saturating_sub(2)..top + 6).contains(&at);
            match own {
                Some(b) => b,
                None if stack => BACK,
                None => (at.wrapping_mul(0x9d) >> 3) as u8,
            }
        });
        let mut p = Processor::new(Concrete, Numbers::new(before));
        for ((cell, c), &v) in (0..).zip(layout.cells).zip(cells) {
            if matches!(c.holds, Holds::Byte | Holds::Flags(..)) {
                p.set_cell(cell, v);
            }
        }
        // Of two bytes, or of three.
        let back = [0, BACK].map(|top| u32::from_be_bytes([0, top, BACK, BACK]));
        let back = back.map(|b| u64::from(b) * unit);
        let mut at = self.flow.node(entry).address;
        let mut written = 0;
        for _ in 0..STEPS {
            if back.contains(&at) {
                return Some(Run { processor: p });
            }
            let node = self.flow.node(self.flow.nodes.at(at)?);
            if node.kind != Kind::Code || node.ways.way == Some(Way::Skip) {
                return None;
            }
            let stack: Vec<u8> = layout.stack.iter().map(|&c| p.cell(c)).collect();
            p.went = None;
            let pc = at / unit;
            p.set_counter((pc >> 16) as u8, pc as u16);
            let code = Code {
                bytes: node.code(),
                address: node.address,
            };
            semantics.numbers(code, &mut p)?;
            // What writes into code is not followed.
            let news = &p.memory.written[written..];
            let data = news.iter().filter(|w| w.0 == Space::Data && unit == 1);
            for w in data {
                let (n, _) = match self.flow.nodes.holding(w.1.into()) {
                    Some(found) => found,
                    None => continue,
                };
                if self.flow.node(n).kind == Kind::Code {
                    return None;
                }
            }
            written = p.memory.written.len();
            let end = node.address + u64::from(node.size);
            at = match p.went {
                Some(true) => {
                    let (top, low) = p.counter();
                    (u64::from(top) << 16 | u64::from(low)) * unit
                }
                _ => end,
            };
            if p.went == Some(true) && calls(node) && self.flow.nodes.at(at).is_none() {
                self.outside(&mut p, at, &stack)?;
                at = end;
            }
        }
        None
    }

    /// What a routine outside does, as its contract says.
    fn outside(&self, p: &mut Processor<Concrete, Numbers>, at: u64, stack: &[u8]) -> Option<()> {
        let terms = self.contracts.outside.get(&at)?;
        let (reads, changes) = (terms.reads?, terms.changes()?);
        if terms.inline.is_some() {
            return None;
        }
        let layout = self.flow.book.semantics.layout();
        for (&c, &v) in layout.stack.iter().zip(stack) {
            p.set_cell(c, v);
        }
        let mut seed = at as u32 ^ 0x9e37;
        for l in self.locations.iter().filter(|l| reads.has(l.number)) {
            let v = u32::from(bit(p.cell(l.cell), l));
            seed = seed.wrapping_mul(31).wrapping_add(v + 1);
        }
        for l in self.locations.iter().filter(|l| changes.has(l.number)) {
            let v = (seed.wrapping_mul(u32::from(l.number) * 2 + 0x9e37) >> 7) as u8;
            let old = p.cell(l.cell);
            let new = match l.bit {
                None => v,
                Some(b) => old & !(1 << b) | (v & 1) << b,
            };
            p.set_cell(l.cell, new);
        }
        Some(())
    }
}

/// Both bytes of a stack pointer from where returns take what is in memory.
fn stack(flow: &Flow<'_, '_>) -> u8 {
    let semantics = flow.book.semantics;
    let layout = semantics.layout();
    let back = |n: &&Node| n.kind == Kind::Code && n.ways.way == Some(Way::Return);
    let back = flow.nodes.list.iter().find(back);
    let takes = |byte: u8| {
        let seen = Rc::new(RefCell::new(Vec::new()));
        let own = Rc::clone(&seen);
        let memory = move |space: Space, _: u32| {
            own.borrow_mut().push(space);
            0
        };
        let mut p = Processor::new(Concrete, Numbers::new(Box::new(memory)));
        for &cell in layout.stack {
            p.set_cell(cell, byte);
        }
        let code = back.map(|n| Code {
            bytes: n.code(),
            address: n.address,
        });
        let _ = code.and_then(|c| semantics.numbers(c, &mut p));
        let seen = seen.borrow();
        seen.iter().all(|s| *s == Space::Data)
    };
    let found = STACKS.into_iter().find(|&b| takes(b));
    found.unwrap_or(STACKS[0])
}

fn bit(cell: u8, l: &Location) -> u8 {
    l.bit.map_or(cell, |b| cell >> b & 1)
}

/// What a run did outside of registers and its stack, in order.
type Deeds<'r> = (Vec<(Space, u32, u8)>, &'r [u32], &'r [(u8, Vec<u8>)]);

fn deeds(run: &Run, top: u32) -> Deeds<'_> {
    let m = &run.processor.memory;
    let own = |w: &&(Space, u32, u8)| {
        let stack = (top.saturating_sub(DEEP)..top + 4).contains(&w.1);
        w.0 != Space::Data || !stack
    };
    let written = m.written.iter().filter(own).copied().collect();
    (written, &m.asked, &m.acts)
}
