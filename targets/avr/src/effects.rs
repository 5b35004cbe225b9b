//! What an instruction reads and writes, derived by running its operation on
//! dependences instead of values. Nothing here is typed in by instruction but the
//! rounds of DES.

use scrimp_isa::Context;
use scrimp_isa::Domain;
use scrimp_isa::depend::{self, Depend, Inputs, Source, Sources};

use crate::semantics::{self, Ins, State, flags};

/// Places that hold state, as numbers of a set. The registers are at their numbers.
pub mod place {
    /// Flag C; the others follow in the order of SREG.
    pub const FLAGS: u8 = 32;
    /// The stack pointer.
    pub const SP: u8 = 40;
    /// RAMPZ.
    pub const RAMPZ: u8 = 41;
    /// EIND.
    pub const EIND: u8 = 42;
    /// Data memory, all of it.
    pub const MEMORY: u8 = 43;
    /// I/O registers that instructions name.
    pub const PORTS: u8 = 44;
    /// Program memory.
    pub const PROGRAM: u8 = 45;
    /// The constant in the instruction.
    pub const IMMEDIATE: u8 = 46;
    /// The program counter.
    pub const PC: u8 = 47;
    /// Numbers in use are below this.
    pub const COUNT: usize = 48;
}

/// The effects of an instruction form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Effects {
    /// For each place what its value afterwards depends on. One that the instruction
    /// leaves alone depends on itself.
    pub flows: [Inputs; place::COUNT],
    /// Registers, flags and the like that it may change.
    pub writes: Inputs,
    /// What its acts besides that depend on: addresses and values written to memory,
    /// I/O registers, where it goes.
    pub uses: Inputs,
    /// What its time depends on.
    pub time: Inputs,
    /// It may read data memory.
    pub reads_memory: bool,
    /// It may write data memory.
    pub writes_memory: bool,
    /// It reads an I/O register.
    pub input: bool,
    /// It writes an I/O register.
    pub output: bool,
    /// It reads program memory.
    pub reads_program: bool,
    /// It may go elsewhere than to the next instruction.
    pub branches: bool,
    /// It changes how the CPU runs: interrupts, sleep, watchdog, program memory.
    pub controls: bool,
}

impl Effects {
    /// The effects of an instruction, whatever its constant. `wide` says that return
    /// addresses have three bytes.
    pub fn of(ins: &Ins, wide: bool) -> Self {
        let mut trace = Trace::new(wide);
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
    registers: [Sources<8>; 32],
    flags: [Source; 8],
    sp: Sources<16>,
    ramp: Sources<8>,
    eind: Sources<8>,
    wide: bool,
    /// Bytes from outside so far.
    count: u32,
    /// Conditions that hold here.
    guard: Inputs,
    uses: Inputs,
    reads_memory: bool,
    writes_memory: bool,
    input: bool,
    output: bool,
    reads_program: bool,
    branches: bool,
    controls: bool,
}

impl Trace {
    fn new(wide: bool) -> Self {
        Self {
            registers: std::array::from_fn(|r| depend::input(r as u8)),
            flags: std::array::from_fn(|bit| Source::copy(place::FLAGS + bit as u8, 0)),
            sp: depend::input(place::SP),
            ramp: depend::input(place::RAMPZ),
            eind: depend::input(place::EIND),
            wide,
            count: 0,
            guard: Inputs::NONE,
            uses: Inputs::NONE,
            reads_memory: false,
            writes_memory: false,
            input: false,
            output: false,
            reads_program: false,
            branches: false,
            controls: false,
        }
    }

    /// A byte from outside.
    fn delivered(&mut self, inputs: Inputs) -> Sources<8> {
        self.count += 1;
        depend::mixed(inputs, self.count)
    }

    /// An act that depends on these.
    fn act(&mut self, inputs: Inputs) {
        self.uses = self.uses.and(inputs).and(self.guard);
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
        let start = Self::new(self.wide);
        for r in 0..32 {
            put(r as u8, &self.registers[r], &start.registers[r]);
        }
        for bit in 0..8 {
            let at = place::FLAGS + bit as u8;
            put(at, &self.flags[bit..=bit], &start.flags[bit..=bit]);
        }
        put(place::SP, &self.sp, &start.sp);
        put(place::RAMPZ, &self.ramp, &start.ramp);
        put(place::EIND, &self.eind, &start.eind);
        Effects {
            flows,
            writes,
            uses: self.uses.without(Inputs::one(place::PC)),
            time,
            reads_memory: self.reads_memory,
            writes_memory: self.writes_memory,
            input: self.input,
            output: self.output,
            reads_program: self.reads_program,
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
        self.act(depend::inputs(&address).and(depend::inputs(&value)));
    }

    fn input(&mut self, _: Sources<16>) -> Sources<8> {
        self.input = true;
        self.act(Inputs::NONE);
        self.delivered(Inputs::one(place::PORTS))
    }

    fn output(&mut self, _: Sources<16>, value: Sources<8>) {
        self.output = true;
        self.act(depend::inputs(&value));
    }

    fn when(&mut self, condition: Source, work: impl FnOnce(&mut Self)) {
        let guard = self.guard;
        self.guard = guard.and(condition.inputs());
        // What is done only sometimes is to go elsewhere, which changes no register.
        work(self);
        self.guard = guard;
    }
}

impl State for Trace {
    fn get(&self, register: u8) -> Sources<8> {
        self.registers[usize::from(register)]
    }

    fn set(&mut self, register: u8, value: Sources<8>) {
        self.registers[usize::from(register)] = value;
    }

    fn flag(&self, flag: u8) -> Source {
        self.flags[usize::from(flag)]
    }

    fn set_flag(&mut self, flag: u8, value: Source) {
        self.controls |= flag == flags::I;
        self.flags[usize::from(flag)] = value;
    }

    fn stack(&self) -> Sources<16> {
        self.sp
    }

    fn set_stack(&mut self, value: Sources<16>) {
        self.sp = value;
    }

    fn constant(&self, _: &Ins) -> Sources<8> {
        depend::input(place::IMMEDIATE)
    }

    fn address(&self, _: &Ins) -> Sources<16> {
        depend::mixed(Inputs::one(place::IMMEDIATE), 0)
    }

    fn wide(&self) -> bool {
        self.wide
    }

    fn next(&self) -> (Sources<8>, Sources<16>) {
        let pc = Inputs::one(place::PC);
        (depend::mixed(pc, 1 << 20), depend::mixed(pc, 1 << 21))
    }

    fn go(&mut self, top: Sources<8>, low: Sources<16>) {
        self.branches = true;
        let top = if self.wide {
            depend::inputs(&top)
        } else {
            Inputs::NONE
        };
        self.act(depend::inputs(&low).and(top));
    }

    fn branch(&mut self, _: &Ins) {
        self.branches = true;
        self.act(Inputs::NONE);
    }

    fn skip(&mut self, _: &Ins) {
        self.branches = true;
        self.act(Inputs::NONE);
    }

    fn program(&mut self, top: Sources<8>, low: Sources<16>) -> Sources<8> {
        self.reads_program = true;
        let at = depend::inputs(&top).and(depend::inputs(&low));
        self.delivered(at.and(Inputs::one(place::PROGRAM)))
    }

    fn ramp(&mut self) -> Sources<8> {
        self.ramp
    }

    fn set_ramp(&mut self, value: Sources<8>) {
        self.ramp = value;
    }

    fn eind(&mut self) -> Sources<8> {
        self.eind
    }

    fn store_program(&mut self) {
        self.controls = true;
        let places = [0, 1, semantics::ZP, semantics::ZP + 1, place::RAMPZ];
        self.act(
            places
                .into_iter()
                .map(Inputs::one)
                .fold(Inputs::NONE, Inputs::and),
        );
    }

    fn des(&mut self, _: u8) {
        let sources = (0..16).chain([place::FLAGS + flags::H]);
        let sources = sources.map(Inputs::one).fold(Inputs::NONE, Inputs::and);
        for register in 0..8 {
            self.registers[register] = self.delivered(sources);
        }
    }

    fn sleep(&mut self) {
        self.controls = true;
    }

    fn watchdog(&mut self) {
        self.controls = true;
    }

    fn stop(&mut self) {
        self.controls = true;
    }

    fn interrupt_ends(&mut self) {
        self.set_flag(flags::I, Depend.bit(true));
    }

    fn undefined(&mut self, _: &Ins) {}
}
