//! What an instruction does, by its bytes alone: effects, where it touches memory, how far
//! it moves the stack pointer. All of it comes from running its meaning.

use super::prepared::RuleSet;
use super::taken::Taken;
use super::zero::{self, Zero};
use rustc_hash::FxHashMap;
use scrimp_isa::depend::Inputs;
use scrimp_isa::effects::Successors;
use scrimp_isa::known::Byte;
use scrimp_isa::memo::{Answers, Memo};
use scrimp_isa::memory::{Before, Numbers, Space};
use scrimp_isa::semantics::Code;
use scrimp_isa::state::{Holds, place};
use scrimp_isa::ways::Ways;
use scrimp_isa::{Concrete, Effects, Processor, Semantics, Target};
use std::cell::{OnceCell, RefCell};
use std::ops::RangeInclusive;
use std::rc::Rc;
use std::sync::Arc;

/// Where memory begins that a pointer leads to, whatever its instruction set.
const MEMORY: u16 = 0x60;

/// Where pointers lead that lead to no registers that have addresses of data memory.
pub const ELSEWHERE: RangeInclusive<u16> = MEMORY..=0xffff;

/// States that an instruction is run on to see what is the same in all.
const SEEDS: u64 = 6;

/// What an instruction does.
#[derive(Clone, Debug)]
pub struct Facts {
    /// What it reads and changes.
    pub effects: Effects,
    /// Data addresses that it always reads.
    pub reads: Vec<u32>,
    /// Data addresses that it always writes.
    pub writes: Vec<u32>,
    /// Cells that its addresses in memory depend on.
    pub pointers: Inputs,
    /// It touches memory elsewhere than where those lead to.
    pub displaced: bool,
    /// Bytes by which it moves the stack pointer up, where that is always the same.
    pub lift: Option<i32>,
    /// Registers that it changes by something else: they count on from what they were.
    pub counts: Inputs,
    /// Its times, the shorter one first.
    pub times: (u8, u8),
}

impl Facts {
    /// Whether it touches memory at an address that cells decide, or memory.
    pub fn is_indirect(&self) -> bool {
        !self.pointers.is_empty() || self.effects.pointers.has(place::MEMORY)
    }
}

/// The facts of instructions by their bytes.
pub struct Book<'s> {
    /// The meaning.
    pub semantics: &'s dyn Semantics,
    pointed: RangeInclusive<u16>,
    name: String,
    known: RefCell<FxHashMap<Vec<u8>, Option<Arc<Facts>>>>,
    all: Arc<Answers<Option<Arc<Facts>>>>,
    zeros: Arc<Answers<Option<Zero>>>,
    zeroed: Arc<Answers<Inputs>>,
    /// What sequences leave as it was, by their bytes.
    pub(super) undone: Arc<Answers<Inputs>>,
    /// What is known on both ways behind sequences, by their bytes.
    pub(super) sides: Arc<Answers<Arc<Sides>>>,
    ways: RefCell<Ways>,
    rules: OnceCell<Arc<RuleSet>>,
    /// How values are used, by the statement that loads them and what they are: no rewrite
    /// changes that.
    pub(super) uses: RefCell<FxHashMap<Load, Taken>>,
    /// How often instructions are done again and again, by their bytes and what is known of cells.
    pub(super) counts: RefCell<FxHashMap<Known, Option<u32>>>,
}

/// Known bits of cells.
pub type Bits = Vec<(u8, Byte)>;

/// What is known where control goes on, and where it goes elsewhere.
#[derive(Clone, Debug, Default)]
pub struct Sides {
    /// Behind it.
    pub on: Bits,
    /// Where it goes.
    pub gone: Bits,
}

/// An instruction's bytes, and what is known of all cells.
type Known = (Vec<u8>, Vec<Byte>);

/// A statement that loads a value: its text, where it begins, its expansion; the value.
pub(super) type Load = ((u32, u32, u32), i64);

/// What a run touched: reads, writes.
type Touched = (Vec<u32>, Vec<u32>);

impl<'s> Book<'s> {
    /// A book in which stands what other programs for the processor of that name
    /// ([`scrimp_isa::memo::processor`]) asked for. Pointers lead into a range of data memory,
    /// as far as registers lie in that.
    pub fn new(
        semantics: &'s dyn Semantics,
        processor: &str,
        pointed: RangeInclusive<u16>,
    ) -> Self {
        static FACTS: Memo<Option<Arc<Facts>>> = Memo::new();
        static ZEROS: Memo<Option<Zero>> = Memo::new();
        static ZEROED: Memo<Inputs> = Memo::new();
        static UNDONE: Memo<Inputs> = Memo::new();
        static SIDES: Memo<Arc<Sides>> = Memo::new();
        // Where pointers lead decides which registers an instruction reads and changes.
        let own = format!("{processor} {pointed:?}");
        Self {
            semantics,
            pointed,
            known: RefCell::default(),
            all: FACTS.of(&own),
            zeros: ZEROS.of(&own),
            zeroed: ZEROED.of(&own),
            undone: UNDONE.of(&own),
            sides: SIDES.of(&own),
            name: own,
            ways: RefCell::default(),
            rules: OnceCell::new(),
            uses: RefCell::default(),
            counts: RefCell::default(),
        }
    }

    /// The name of all that facts depend on beside bytes: the processor, and where pointers
    /// lead.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The proven rules of the target, made ready once.
    pub fn rules(&self, target: &dyn Target) -> &RuleSet {
        static RULES: Memo<Arc<RuleSet>> = Memo::new();
        let find = || Arc::new(RuleSet::of(target, self.semantics));
        self.rules
            .get_or_init(|| RULES.of(&self.name).get(&[], find))
    }

    /// The facts of an instruction; nothing where the bytes are none.
    pub fn facts(&self, bytes: &[u8]) -> Option<Arc<Facts>> {
        if let Some(f) = self.known.borrow().get(bytes) {
            return f.clone();
        }
        let facts = self.all.get(bytes, || self.find(bytes).map(Arc::new));
        self.known
            .borrow_mut()
            .insert(bytes.to_vec(), facts.clone());
        facts
    }

    /// What a flag says of cells that an instruction changes.
    pub fn zero(&self, bytes: &[u8], writes: Inputs) -> Option<Zero> {
        let code = Code { bytes, address: 0 };
        self.zeros
            .get(bytes, || zero::find(self.semantics, code, writes))
    }

    /// Whether an instruction goes elsewhere than on exactly where one flag is set, or where it
    /// is not (`Some(false)`); nothing where more decides.
    pub fn goes_on_flag(&self, bytes: &[u8], flag: u8) -> Option<bool> {
        let facts = self.facts(bytes)?;
        let registers = Inputs((1 << place::OTHERS) - 1);
        let others = facts.effects.uses.without(Inputs::one(flag));
        if others.0 & registers.0 != 0 || facts.effects.reads_memory {
            return None;
        }
        let layout = self.semantics.layout();
        let l = layout.locations().into_iter().find(|l| l.number == flag)?;
        let bit = l.bit?;
        let goes = |set: bool| {
            let mut cells = vec![0x5a; layout.cells.len()];
            let c = &mut cells[usize::from(l.cell)];
            *c = *c & !(1 << bit) | u8::from(set) << bit;
            let p = self.ran(
                Code { bytes, address: 0 },
                &cells,
                Box::new(|_, at| at as u8),
            );
            p.map(|p| p.went == Some(true))
        };
        match (goes(false)?, goes(true)?) {
            (false, true) => Some(true),
            (true, false) => Some(false),
            _ => None,
        }
    }

    /// Where control goes from the instruction of `size` bytes that `rest` begins with: what
    /// a skip goes over stands behind it.
    pub fn ways(&self, rest: &[u8], size: usize, address: u64) -> Option<Successors> {
        let mut ways = self.ways.borrow_mut();
        ways.find(self.semantics, rest, size, address)
    }

    fn find(&self, bytes: &[u8]) -> Option<Facts> {
        let code = Code { bytes, address: 0 };
        let effects = self.effects(code)?;
        let times = self.semantics.times(code)?;
        let mut facts = Facts {
            effects,
            reads: Vec::new(),
            writes: Vec::new(),
            pointers: Inputs::NONE,
            displaced: false,
            lift: None,
            counts: Inputs::NONE,
            times,
        };
        facts.counts = self.counts(&facts.effects);
        for l in self.semantics.layout().locations() {
            if l.bit.is_none() && facts.effects.pointers.has(l.number) {
                facts.pointers = facts.pointers.and(Inputs::one(l.number));
            }
        }
        let moves = facts.effects.writes.0 & self.stack().0 != 0;
        if !moves {
            facts.lift = Some(0);
        }
        let memory = facts.effects.reads_memory || facts.effects.writes_memory;
        if memory || moves {
            self.touches(code, &mut facts);
        }
        Some(facts)
    }

    /// The effects of an instruction. Wherever pointers lead, what is only on the stack is in no
    /// register: the stack pointer leads to memory.
    fn effects(&self, code: Code<'_>) -> Option<Effects> {
        let effects = self.semantics.effects(code, self.pointed.clone())?;
        let pointers = Inputs(effects.pointers.0 & ((1 << place::OTHERS) - 1));
        if self.pointed == ELSEWHERE
            || pointers.is_empty()
            || !pointers.without(self.stack()).is_empty()
        {
            return Some(effects);
        }
        self.semantics.effects(code, ELSEWHERE)
    }

    /// The locations of the stack pointer.
    pub fn stack(&self) -> Inputs {
        let layout = self.semantics.layout();
        layout.of_cells(layout.stack)
    }

    /// Registers that an instruction changes by something else.
    fn counts(&self, e: &Effects) -> Inputs {
        let layout = self.semantics.layout();
        let quiet = layout.of_cells(layout.quiet).and(self.stack());
        let own = e.writes.without(quiet).iter().filter(|&l| {
            let flows = e.flows[usize::from(l)];
            layout.is_register(l) && flows.has(l) && flows.count() > 1
        });
        own.fold(Inputs::NONE, |all, l| all.and(Inputs::one(l)))
    }

    fn touches(&self, code: Code<'_>, facts: &mut Facts) {
        let mut lifts = Vec::new();
        for seed in 0..SEEDS {
            let cells = self.cells(seed);
            let (touched, lift) = self.run(code, &cells, seed as u32);
            lifts.push(lift);
            facts.displaced |= self.is_displaced(facts.pointers, &cells, &touched);
            match seed {
                0 => (facts.reads, facts.writes) = touched.clone(),
                _ => {
                    facts.reads.retain(|a| touched.0.contains(a));
                    facts.writes.retain(|a| touched.1.contains(a));
                }
            }
        }
        let first = lifts[0];
        if facts.lift.is_none() && lifts.iter().all(|&l| l == first) {
            facts.lift = Some(first);
        }
    }

    /// Whether an instruction that is done again and again touches memory higher up each time.
    pub fn ascends(&self, bytes: &[u8]) -> bool {
        self.steps(bytes, 1)
    }

    /// Whether it touches memory further down each time.
    pub fn descends(&self, bytes: &[u8]) -> bool {
        self.steps(bytes, 0xffff)
    }

    fn steps(&self, bytes: &[u8], by: u32) -> bool {
        (0..SEEDS).all(|seed| {
            let first = self.touched_behind(bytes, &self.cells(seed));
            let then = first.and_then(|(all, cells)| {
                let (next, _) = self.touched_behind(bytes, &cells)?;
                Some((all, next))
            });
            then.is_some_and(|(all, next)| {
                let up = |(a, b): (&u32, &u32)| (b.wrapping_sub(*a) & 0xffff) == by;
                !all.is_empty() && all.len() == next.len() && all.iter().zip(&next).all(up)
            })
        })
    }

    /// What an instruction touches of data memory, in order, and what is in the cells behind it.
    fn touched_behind(&self, bytes: &[u8], cells: &[u8]) -> Option<(Vec<u32>, Vec<u8>)> {
        let (p, mut all) = self.read(bytes, cells, None)?;
        let written = p.memory.written.iter();
        all.extend(written.filter(|w| w.0 == Space::Data).map(|w| w.1));
        let behind = (0..cells.len() as u8).map(|c| p.cell(c)).collect();
        Some((all, behind))
    }

    /// Whether an instruction touches memory, and nowhere where two of the cells that decide
    /// about that lead to.
    fn is_displaced(&self, pointers: Inputs, cells: &[u8], (reads, writes): &Touched) -> bool {
        let locations = self.semantics.layout().locations();
        let own = locations.iter().filter(|l| pointers.has(l.number));
        let own: Vec<u8> = own.map(|l| cells[usize::from(l.cell)]).collect();
        let leads = |at: &u32| {
            let half = |v: u32| own.iter().any(|&c| u32::from(c) == v & 0xff);
            half(*at) && half(at >> 8)
        };
        let touched = reads.iter().chain(writes).next().is_some();
        touched && !own.is_empty() && !reads.iter().chain(writes).any(leads)
    }

    /// The state behind an instruction on registers, with one number in all memory.
    pub(super) fn after(&self, bytes: &[u8], cells: &[u8]) -> Option<Processor<Concrete, Numbers>> {
        self.ran(Code { bytes, address: 0 }, cells, Box::new(|_, _| 0x5a))
    }

    /// The same, with another number at one address of data, and what is read of them.
    pub(super) fn read(
        &self,
        bytes: &[u8],
        cells: &[u8],
        other: Option<u32>,
    ) -> Option<(Processor<Concrete, Numbers>, Vec<u32>)> {
        let seen = Rc::new(RefCell::new(Vec::new()));
        let own = Rc::clone(&seen);
        let memory = Box::new(move |space: Space, at: u32| {
            if space == Space::Data {
                own.borrow_mut().push(at);
            }
            let number = (at.wrapping_mul(0x9d) >> 3) as u8;
            number ^ if other == Some(at) { 0xff } else { 0 }
        });
        let p = self.ran(Code { bytes, address: 0 }, cells, memory)?;
        let read = seen.borrow().clone();
        Some((p, read))
    }

    /// What an instruction touches in memory, and where it leaves the counter.
    pub(super) fn led(&self, bytes: &[u8], cells: &[u8]) -> Option<(Vec<(Space, u32)>, u32)> {
        let seen = Rc::new(RefCell::new(Vec::new()));
        let own = Rc::clone(&seen);
        let memory = Box::new(move |space: Space, at: u32| {
            own.borrow_mut().push((space, at));
            0
        });
        let p = self.ran(Code { bytes, address: 0 }, cells, memory)?;
        let written = p.memory.written.iter().map(|w| (w.0, w.1));
        let all = seen.borrow().iter().copied().chain(written).collect();
        let (top, low) = p.counter();
        Some((all, u32::from(top) << 16 | u32::from(low)))
    }

    /// Registers in which an instruction leaves a 0, whatever was there; all of those that it
    /// changes are given.
    pub fn zeroed(&self, bytes: &[u8], writes: Inputs) -> Inputs {
        let code = Code { bytes, address: 0 };
        let layout = self.semantics.layout();
        self.zeroed.get(bytes, || {
            let own = writes.iter().filter(|&l| layout.is_register(l));
            let mut own = own.fold(Inputs::NONE, |all, l| all.and(Inputs::one(l)));
            for seed in 0..SEEDS {
                if own.is_empty() {
                    break;
                }
                let memory = Box::new(|_, at| (at >> 3) as u8);
                let Some(p) = self.ran(code, &self.cells(seed), memory) else {
                    return Inputs::NONE;
                };
                let other = own.iter().filter(|&l| p.cell(l) != 0);
                own = other.fold(own, |all, l| all.without(Inputs::one(l)));
            }
            own
        })
    }

    /// Whether a cell is the upper half of the address at which an instruction touches memory.
    pub fn is_upper(&self, bytes: &[u8], cell: u8) -> bool {
        /// An upper half that leads to memory or devices, wherever programs are shown there.
        const UPPER: u8 = 0x30;
        const OTHERS: u8 = 0x55;
        let mut cells = vec![OTHERS; self.semantics.layout().cells.len()];
        cells[usize::from(cell)] = UPPER;
        let seen = Rc::new(RefCell::new(Vec::new()));
        let own = Rc::clone(&seen);
        let memory = move |_: Space, at: u32| {
            own.borrow_mut().push(at);
            0
        };
        let p = self.ran(Code { bytes, address: 0 }, &cells, Box::new(memory));
        let written = p.iter().flat_map(|p| &p.memory.written).map(|w| w.1);
        let seen = seen.borrow();
        let mut all = seen.iter().copied().chain(written);
        all.any(|at| at >> 8 & 0xff == u32::from(UPPER))
    }

    /// The state behind a run on numbers.
    fn ran(
        &self,
        code: Code<'_>,
        cells: &[u8],
        memory: Before,
    ) -> Option<Processor<Concrete, Numbers>> {
        let layout = self.semantics.layout();
        let mut p = Processor::new(Concrete, Numbers::new(memory));
        for ((cell, c), &v) in (0..).zip(layout.cells).zip(cells) {
            match c.holds {
                Holds::Byte | Holds::Flags(..) => p.set_cell(cell, v),
                Holds::Nothing | Holds::Hidden => {}
            }
        }
        self.semantics.numbers(code, &mut p)?;
        Some(p)
    }

    /// Numbers for all cells; the stack pointer is far from where its low byte overflows.
    pub fn cells(&self, seed: u64) -> Vec<u8> {
        let layout = self.semantics.layout();
        let mut s = 0x9e37_79b9_7f4a_7c15u64.wrapping_mul(seed + 1);
        let mut next = || {
            s ^= s << 13;
            s ^= s >> 7;
            s ^= s << 17;
            (s >> 32) as u8
        };
        let mut cells: Vec<u8> = layout.cells.iter().map(|_| next()).collect();
        for &cell in layout.stack {
            cells[usize::from(cell)] = 0x60 + (cells[usize::from(cell)] & 0x1f);
        }
        cells
    }

    /// What a run on numbers touches in data memory, and how far it lifts the stack pointer.
    fn run(&self, code: Code<'_>, cells: &[u8], seed: u32) -> (Touched, i32) {
        let layout = self.semantics.layout();
        let read = Rc::new(RefCell::new(Vec::new()));
        let seen = Rc::clone(&read);
        let before = Box::new(move |space: Space, at: u32| {
            if space == Space::Data {
                seen.borrow_mut().push(at);
            }
            // In each run other numbers, for addresses that stand in memory.
            ((at.wrapping_mul(0x9d) >> 3) ^ seed.wrapping_mul(0x2b)) as u8
        });
        let mut p = Processor::new(Concrete, Numbers::new(before));
        for ((cell, c), &v) in (0..).zip(layout.cells).zip(cells) {
            match c.holds {
                Holds::Byte | Holds::Flags(..) => p.set_cell(cell, v),
                Holds::Nothing | Holds::Hidden => {}
            }
        }
        let _ = self.semantics.numbers(code, &mut p);
        // Which cell is the upper half the layout does not say: the wrong order moves by
        // multiples of 256.
        let moved = |order: &mut dyn Iterator<Item = &u8>| {
            let word = |v: &dyn Fn(u8) -> u8, order: &[u8]| {
                order
                    .iter()
                    .fold(0i32, |all, &c| all << 8 | i32::from(v(c)))
            };
            let order: Vec<u8> = order.copied().collect();
            word(&|c| p.cell(c), &order) - word(&|c| cells[usize::from(c)], &order)
        };
        let (a, b) = (
            moved(&mut layout.stack.iter()),
            moved(&mut layout.stack.iter().rev()),
        );
        let lift = if a.abs() < b.abs() { a } else { b };
        let data = p.memory.written.iter().filter(|w| w.0 == Space::Data);
        let written = data.map(|w| w.1).collect();
        let read = read.borrow().clone();
        ((read, written), lift)
    }
}
