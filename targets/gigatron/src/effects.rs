//! What an instruction reads and writes, derived by running it on dependences
//! instead of values. Nothing here is typed in by instruction.

use scrimp_isa::Context;
use scrimp_isa::depend::{self, Depend, Inputs, Source, Sources};

use crate::opcode::Opcode;
use crate::semantics::{self, Register, State};

/// Places that hold state, as numbers of a set. The registers are at their numbers.
pub mod place {
    use crate::semantics::Register;

    /// The accumulator.
    pub const AC: u8 = Register::Ac as u8;
    /// Low half of addresses.
    pub const X: u8 = Register::X as u8;
    /// High half of addresses.
    pub const Y: u8 = Register::Y as u8;
    /// The video port.
    pub const OUT: u8 = Register::Out as u8;
    /// Address of the word that is fetched.
    pub const PC: u8 = 4;
    /// Memory, all of it.
    pub const MEMORY: u8 = 5;
    /// What the input port delivers.
    pub const IN: u8 = 6;
    /// The operand byte.
    pub const OPERAND: u8 = 7;
    /// Numbers of registers are below this.
    pub const REGISTERS: usize = 4;
}

/// The effects of an opcode.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Effects {
    /// For each register what its value afterwards depends on. One that the
    /// instruction leaves alone depends on itself.
    pub flows: [Inputs; place::REGISTERS],
    /// Registers that it may change.
    pub writes: Inputs,
    /// What its acts besides that depend on: addresses and values stored, commands,
    /// where it goes.
    pub uses: Inputs,
    /// It reads RAM.
    pub reads_memory: bool,
    /// It writes RAM.
    pub writes_memory: bool,
    /// It reads the input port.
    pub input: bool,
    /// It commands the expander.
    pub controls: bool,
    /// It may go elsewhere than to the next instruction.
    pub branches: bool,
}

impl Effects {
    /// The effects of an opcode, whatever its operand byte.
    pub fn of(opcode: Opcode) -> Self {
        let mut trace = Trace::new();
        semantics::exec(&mut trace, opcode);
        trace.finish()
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
    registers: [Sources<8>; place::REGISTERS],
    pc: Sources<16>,
    /// Bytes read so far.
    count: u32,
    uses: Inputs,
    reads_memory: bool,
    writes_memory: bool,
    input: bool,
    controls: bool,
    branches: bool,
}

impl Trace {
    fn new() -> Self {
        Self {
            registers: std::array::from_fn(|r| depend::input(r as u8)),
            pc: depend::mixed(Inputs::one(place::PC), 0),
            count: 0,
            uses: Inputs::NONE,
            reads_memory: false,
            writes_memory: false,
            input: false,
            controls: false,
            branches: false,
        }
    }

    /// A byte from outside.
    fn delivered(&mut self, inputs: Inputs) -> Sources<8> {
        self.count += 1;
        depend::mixed(inputs, self.count)
    }

    fn finish(self) -> Effects {
        let start = Self::new();
        let mut writes = Inputs::NONE;
        let flows = std::array::from_fn(|r| {
            if self.registers[r] == start.registers[r] {
                return Inputs::one(r as u8);
            }
            writes = writes.and(Inputs::one(r as u8));
            depend::inputs(&self.registers[r])
        });
        let mut uses = self.uses;
        if self.branches {
            uses = uses.and(depend::inputs(&self.pc));
        }
        Effects {
            flows,
            writes,
            uses: uses.without(Inputs::one(place::PC)),
            reads_memory: self.reads_memory,
            writes_memory: self.writes_memory,
            input: self.input,
            controls: self.controls,
            branches: self.branches,
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
        self.uses = self.uses.and(what);
    }

    fn input(&mut self, _: Sources<16>) -> Sources<8> {
        self.input = true;
        self.delivered(Inputs::one(place::IN))
    }

    fn output(&mut self, _: Sources<16>, _: Sources<8>) {}

    fn when(&mut self, _: Source, work: impl FnOnce(&mut Self)) {
        // No instruction of this CPU does part of its work by condition.
        work(self);
    }
}

impl State for Trace {
    fn get(&self, register: Register) -> Sources<8> {
        self.registers[register as usize]
    }

    fn set(&mut self, register: Register, value: Sources<8>) {
        self.registers[register as usize] = value;
    }

    fn pc(&self) -> Sources<16> {
        self.pc
    }

    fn set_pc(&mut self, value: Sources<16>) {
        self.branches = true;
        self.pc = value;
    }

    fn operand(&self) -> Sources<8> {
        depend::input(place::OPERAND)
    }

    fn control(&mut self, command: Sources<16>) {
        self.controls = true;
        self.uses = self.uses.and(depend::inputs(&command));
    }
}
