//! What an instruction reads and writes, derived by running its operation on
//! dependences instead of values. Nothing here is typed in by instruction.

use scrimp_isa::depend::{self, Depend, Inputs, Source, Sources};
use scrimp_isa::{Context, Domain};

use crate::reg;
use crate::semantics::{self, Ins, State};

/// Places that hold state, as numbers of a set. The byte registers except F are
/// at their numbers in [`reg`].
pub mod place {
    /// Flag C; the other flags follow in the order of their bits.
    pub const FLAGS: u8 = 32;
    /// Program counter.
    pub const PC: u8 = 40;
    /// Refresh counter R.
    pub const R: u8 = 41;
    /// Q, the flags that the instruction before changed.
    pub const Q: u8 = 42;
    /// Interrupt flip-flop 1; 2 follows.
    pub const IFF: u8 = 43;
    /// Memory, all of it.
    pub const MEMORY: u8 = 45;
    /// What ports deliver.
    pub const PORTS: u8 = 46;
    /// Immediate bytes of the instruction.
    pub const IMMEDIATE: u8 = 47;
    /// Numbers in use are below this.
    pub const COUNT: usize = 48;
}

/// The effects of an instruction form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Effects {
    /// For each register and flag what its value afterwards depends on. One that
    /// the instruction leaves alone depends on itself.
    pub flows: [Inputs; place::COUNT],
    /// Registers and flags that it may change.
    pub writes: Inputs,
    /// What its acts besides that depend on: addresses and values written to
    /// memory, ports, where it goes.
    pub uses: Inputs,
    /// What its time depends on.
    pub time: Inputs,
    /// It may read memory other than its own bytes.
    pub reads_memory: bool,
    /// It may write memory.
    pub writes_memory: bool,
    /// It reads a port.
    pub input: bool,
    /// It writes a port.
    pub output: bool,
    /// It may go elsewhere than to the next instruction.
    pub branches: bool,
    /// It changes how the CPU takes interrupts, or stops it.
    pub controls: bool,
}

impl Effects {
    /// The effects of an instruction, whatever its immediate bytes.
    pub fn of(ins: &Ins) -> Self {
        let mut trace = Trace::new();
        let long = semantics::exec(&mut trace, ins).inputs();
        let same = ins.long == ins.short;
        trace.finish(if same { Inputs::NONE } else { long })
    }

    /// All that it reads for what it changes and does.
    pub fn reads(&self) -> Inputs {
        let changed = self.writes.iter().map(|w| self.flows[usize::from(w)]);
        changed.fold(self.uses, Inputs::and)
    }

    /// What must be right before it for `live` to be right after it.
    pub fn live_before(&self, live: Inputs) -> Inputs {
        let wanted = live.iter().map(|l| self.flows[usize::from(l)]);
        wanted.fold(self.uses, Inputs::and)
    }
}

/// A run on dependences.
#[derive(Clone)]
struct Trace {
    registers: [Sources<8>; reg::COUNT],
    pc: Sources<16>,
    refresh: Sources<8>,
    q: Sources<8>,
    iff: [Source; 2],
    /// Bytes read so far.
    count: u32,
    /// Conditions that hold here.
    guard: Inputs,
    uses: Inputs,
    reads_memory: bool,
    writes_memory: bool,
    input: bool,
    output: bool,
    branches: bool,
    controls: bool,
}

/// F as it is before: each bit a place.
fn flags() -> Sources<8> {
    std::array::from_fn(|bit| Source::copy(place::FLAGS + bit as u8, 0))
}

impl Trace {
    fn new() -> Self {
        let mut registers = std::array::from_fn(|r| depend::input(r as u8));
        registers[usize::from(reg::F)] = flags();
        Self {
            registers,
            pc: depend::mixed(Inputs::one(place::PC), 0),
            refresh: depend::input(place::R),
            // An instruction that leaves the flags alone makes it 0.
            q: Depend.byte(0),
            iff: [0, 1].map(|which| Source::copy(place::IFF + which, 0)),
            count: 0,
            guard: Inputs::NONE,
            uses: Inputs::NONE,
            reads_memory: false,
            writes_memory: false,
            input: false,
            output: false,
            branches: false,
            controls: false,
        }
    }

    /// A byte from outside.
    fn delivered(&mut self, inputs: Inputs) -> Sources<8> {
        self.count += 1;
        depend::mixed(inputs, self.count)
    }

    fn finish(&self, time: Inputs) -> Effects {
        let mut flows = std::array::from_fn(|p| Inputs::one(p as u8));
        let mut writes = Inputs::NONE;
        let mut put = |place: u8, after: &[Source], before: &[Source]| {
            if after != before {
                flows[usize::from(place)] = depend::inputs(after);
                writes = writes.and(Inputs::one(place));
            }
        };
        let start = Self::new();
        for r in (0..reg::COUNT).filter(|&r| r != usize::from(reg::F)) {
            put(r as u8, &self.registers[r], &start.registers[r]);
        }
        let f = &self.registers[usize::from(reg::F)];
        for (bit, before) in flags().iter().enumerate() {
            put(place::FLAGS + bit as u8, &f[bit..=bit], &[*before]);
        }
        put(place::R, &self.refresh, &start.refresh);
        put(place::Q, &self.q, &depend::input::<8>(place::Q));
        put(place::IFF, &self.iff[..1], &start.iff[..1]);
        put(place::IFF + 1, &self.iff[1..], &start.iff[1..]);
        let mut uses = self.uses;
        if self.branches {
            uses = uses.and(depend::inputs(&self.pc));
        }
        Effects {
            flows,
            writes,
            uses: uses.without(Inputs::one(place::PC)),
            time,
            reads_memory: self.reads_memory,
            writes_memory: self.writes_memory,
            input: self.input,
            output: self.output,
            branches: self.branches,
            controls: self.controls,
        }
    }
}

impl Context for Trace {
    type Domain = Depend;

    fn domain(&self) -> Depend {
        Depend
    }

    fn read(&mut self, address: Sources<16>) -> Sources<8> {
        self.reads_memory = true;
        self.delivered(depend::inputs(&address).and(Inputs::one(place::MEMORY)))
    }

    fn write(&mut self, address: Sources<16>, value: Sources<8>) {
        self.writes_memory = true;
        let what = depend::inputs(&address).and(depend::inputs(&value));
        self.uses = self.uses.and(what).and(self.guard);
    }

    fn input(&mut self, port: Sources<16>) -> Sources<8> {
        self.input = true;
        let port = depend::inputs(&port);
        self.uses = self.uses.and(port).and(self.guard);
        self.delivered(port.and(Inputs::one(place::PORTS)))
    }

    fn output(&mut self, port: Sources<16>, value: Sources<8>) {
        self.output = true;
        let what = depend::inputs(&port).and(depend::inputs(&value));
        self.uses = self.uses.and(what).and(self.guard);
    }

    fn when(&mut self, condition: Source, work: impl FnOnce(&mut Self)) {
        let before = self.clone();
        self.guard = self.guard.and(condition.inputs());
        work(self);
        self.guard = before.guard;
        let d = Depend;
        for (after, before) in self.registers.iter_mut().zip(before.registers) {
            *after = d.select(condition, *after, before);
        }
        self.pc = d.select16(condition, self.pc, before.pc);
        self.q = d.select(condition, self.q, before.q);
    }
}

impl State for Trace {
    fn get(&self, register: u8) -> Sources<8> {
        self.registers[usize::from(register)]
    }

    fn set(&mut self, register: u8, value: Sources<8>) {
        self.registers[usize::from(register)] = value;
    }

    fn pc(&self) -> Sources<16> {
        self.pc
    }

    fn set_pc(&mut self, value: Sources<16>) {
        self.branches = true;
        self.pc = value;
    }

    fn immediate(&mut self) -> Sources<8> {
        self.delivered(Inputs::one(place::IMMEDIATE))
    }

    fn displacement(&mut self, _: &Ins) -> Sources<8> {
        self.immediate()
    }

    fn q(&self) -> Sources<8> {
        depend::input(place::Q)
    }

    fn set_q(&mut self, value: Sources<8>) {
        self.q = value;
    }

    fn refresh(&self) -> Sources<8> {
        self.refresh
    }

    fn set_refresh(&mut self, value: Sources<8>) {
        self.refresh = value;
    }

    fn iff(&self, which: u8) -> Source {
        self.iff[usize::from(which == 2)]
    }

    fn set_iff(&mut self, which: u8, value: Source) {
        self.controls = true;
        self.iff[usize::from(which == 2)] = value;
    }

    fn set_mode(&mut self, _: u8) {
        self.controls = true;
    }

    fn shield(&mut self) {
        self.controls = true;
    }

    fn halt(&mut self) {
        self.controls = true;
    }
}
