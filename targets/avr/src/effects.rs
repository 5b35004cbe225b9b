//! What an instruction reads and writes, derived by running its operation on
//! dependences instead of values. Nothing here is typed in by instruction but the
//! rounds of DES.
//!
//! Data memory is not SRAM alone: SREG, the stack pointer, RAMPZ and EIND have addresses
//! there, on classic cores the registers too. `in` and `lds` name theirs, so what they
//! touch is exact; a pointer touches whatever may be where it points, which is all of
//! these unless its range is known ([`Effects::within`]).

use std::ops::RangeInclusive;

use scrimp_isa::Context;
use scrimp_isa::Domain;
use scrimp_isa::depend::{self, Depend, Inputs, Source, Sources};

use crate::Core;
use crate::semantics::{self, Ins, State, flags};
use crate::sim::{Chip, Own};

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
    /// SRAM, all of it.
    pub const MEMORY: u8 = 43;
    /// I/O registers that are not the CPU's own.
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
    /// It may read SRAM.
    pub reads_memory: bool,
    /// It may write SRAM.
    pub writes_memory: bool,
    /// It may read an I/O register other than those that are places.
    pub input: bool,
    /// It may write an I/O register other than those that are places.
    pub output: bool,
    /// It may read program memory.
    pub reads_program: bool,
    /// It may go elsewhere than to the next instruction.
    pub branches: bool,
    /// It may change how the CPU runs: interrupts, sleep, watchdog, program memory.
    pub controls: bool,
}

/// Every address of data memory.
const ANYWHERE: RangeInclusive<u16> = 0..=0xffff;

impl Effects {
    /// The effects of an instruction in a chip, wherever its pointer points. Those of
    /// one with a constant hold for each constant, but an address is taken as it is.
    pub fn of(ins: &Ins, chip: &Chip) -> Self {
        Self::within(ins, chip, ANYWHERE)
    }

    /// The same when it is known between which data addresses the pointer of a load or
    /// store, or the stack pointer of a push or pop, names what is touched.
    pub fn within(ins: &Ins, chip: &Chip, pointed: RangeInclusive<u16>) -> Self {
        let mut trace = Trace::new(chip, pointed);
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

/// What may be touched at a data address.
#[derive(Clone, Copy, Debug, Default)]
struct Touched {
    /// First and last register.
    registers: Option<(u8, u8)>,
    /// Those of the CPU, as bits by [`Own`].
    own: u8,
    memory: bool,
    port: bool,
    program: bool,
}

impl Touched {
    /// What a load or store reaches at these addresses; `named` says that it is an
    /// instruction that names an I/O register.
    fn at(chip: &Chip, range: &RangeInclusive<u16>, named: bool, write: bool) -> Self {
        let (first, last) = (u32::from(*range.start()), u32::from(*range.end()));
        let mut touched = Self::default();
        let mut at = first;
        while at <= last {
            let (what, next) = Self::piece(chip, at, named, write);
            match what {
                Piece::Register => {
                    let end = next.min(last + 1) - 1;
                    touched.registers = Some((at as u8, end as u8));
                }
                Piece::Own(own) => touched.own |= 1 << own as u8,
                Piece::Memory => touched.memory = true,
                Piece::Program => touched.program = true,
                Piece::Port => touched.port = true,
            }
            at = next;
        }
        touched
    }

    /// What is at an address, and where something else may begin.
    fn piece(chip: &Chip, at: u32, named: bool, write: bool) -> (Piece, u32) {
        let own = chip.own(at as u16);
        if !named && chip.sram.contains(&at) {
            return (Piece::Memory, chip.sram.end);
        }
        if let Some(own @ Own::Sreg) = own {
            return (Piece::Own(own), at + 1);
        }
        if !named && chip.core.maps_registers() && at < 32 {
            return (Piece::Register, 32);
        }
        let flash = chip.mapped_flash.map(u32::from);
        if !named && !write && flash.is_some_and(|f| at >= f) {
            return (Piece::Program, 0x1_0000);
        }
        match own {
            Some(own) => (Piece::Own(own), at + 1),
            // The CPU's own are all below this.
            None if at < 0x100 => (Piece::Port, at + 1),
            None => {
                let starts = [Some(chip.sram.start), flash];
                let next = starts.into_iter().flatten().filter(|&s| s > at).min();
                (Piece::Port, next.unwrap_or(0x1_0000))
            }
        }
    }

    fn has(&self, own: Own) -> bool {
        self.own >> own as u8 & 1 == 1
    }

    /// Whether it is one thing only.
    fn single(&self) -> bool {
        let registers = self.registers.map_or(0, |(a, b)| u32::from(b - a) + 1);
        let others = [self.memory, self.port, self.program].map(u32::from);
        registers + self.own.count_ones() + others.iter().sum::<u32>() == 1
    }
}

/// A store: what its address depends on, the value, and whether it hits for sure.
struct Stored {
    at: Inputs,
    value: Sources<8>,
    sure: bool,
}

/// What is at an address of data memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Piece {
    Register,
    Own(Own),
    Memory,
    Program,
    Port,
}

/// A run on dependences.
#[derive(Clone)]
struct Trace<'a> {
    chip: &'a Chip,
    /// Where pointers point.
    pointed: RangeInclusive<u16>,
    registers: [Sources<8>; 32],
    flags: [Source; 8],
    sp: Sources<16>,
    ramp: Sources<8>,
    eind: Sources<8>,
    /// Bytes from outside so far.
    count: u32,
    /// Conditions that hold here.
    guard: Inputs,
    uses: Inputs,
    /// What the time depends on, but for a branch.
    time: Inputs,
    reads_memory: bool,
    writes_memory: bool,
    input: bool,
    output: bool,
    reads_program: bool,
    branches: bool,
    controls: bool,
}

impl<'a> Trace<'a> {
    fn new(chip: &'a Chip, pointed: RangeInclusive<u16>) -> Self {
        Self {
            chip,
            pointed,
            registers: std::array::from_fn(|r| depend::input(r as u8)),
            flags: std::array::from_fn(|bit| Source::copy(place::FLAGS + bit as u8, 0)),
            sp: depend::input(place::SP),
            ramp: depend::input(place::RAMPZ),
            eind: depend::input(place::EIND),
            count: 0,
            guard: Inputs::NONE,
            uses: Inputs::NONE,
            time: Inputs::NONE,
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

    /// What an address may name.
    fn touched(&self, address: &Sources<16>, named: bool, write: bool) -> Touched {
        let range = match known(address) {
            Some(at) => at..=at,
            None => self.pointed.clone(),
        };
        Touched::at(self.chip, &range, named, write)
    }

    /// Reads one of the things that may be at an address.
    fn load(&mut self, address: Sources<16>, named: bool) -> Sources<8> {
        let d = Depend;
        let touched = self.touched(&address, named, false);
        let at = depend::inputs(&address);
        self.reads_memory |= touched.memory;
        self.reads_program |= touched.program;
        // Loads from SRAM take a clock more than others on AVRxm, from flash on AVRrc.
        let apart = touched.port || touched.own != 0;
        let timed = match self.chip.core {
            Core::AvrXm => touched.memory && apart,
            Core::AvrRc => touched.program && (touched.memory || apart),
            _ => false,
        };
        if timed {
            self.time = self.time.and(at);
        }
        if touched.port {
            self.input = true;
            // Reading may do something: where it reads matters.
            self.act(at);
        }
        let mut found: Vec<Sources<8>> = Vec::new();
        if let Some((first, last)) = touched.registers {
            found.extend(&self.registers[usize::from(first)..=usize::from(last)]);
        }
        let own = [
            (Own::StackLow, d.low(self.sp)),
            (Own::StackHigh, d.high(self.sp)),
            (Own::Sreg, self.flags),
            (Own::Rampz, self.ramp),
            (Own::Eind, self.eind),
        ];
        found.extend(own.iter().filter(|o| touched.has(o.0)).map(|o| o.1));
        if let (true, [one]) = (touched.single(), found.as_slice()) {
            return *one;
        }
        let mut inputs = found.iter().fold(at, |all, f| all.and(depend::inputs(f)));
        for (is, place) in [
            (touched.memory, place::MEMORY),
            (touched.port, place::PORTS),
            (touched.program, place::PROGRAM),
        ] {
            if is {
                inputs = inputs.and(Inputs::one(place));
            }
        }
        self.delivered(inputs)
    }

    /// Writes one of the things that may be at an address.
    fn store(&mut self, address: Sources<16>, value: Sources<8>, named: bool) {
        let d = Depend;
        let touched = self.touched(&address, named, true);
        let sure = touched.single();
        let at = depend::inputs(&address);
        if touched.memory || touched.port {
            self.writes_memory |= touched.memory;
            self.output |= touched.port;
            self.act(at.and(depend::inputs(&value)));
        }
        let new = Stored { at, value, sure };
        if let Some((first, last)) = touched.registers {
            for r in usize::from(first)..=usize::from(last) {
                self.registers[r] = self.after(self.registers[r], &new);
            }
        }
        if touched.has(Own::StackLow) {
            let low = self.after(d.low(self.sp), &new);
            self.sp = d.pair(d.high(self.sp), low);
        }
        if touched.has(Own::StackHigh) {
            let high = self.after(d.high(self.sp), &new);
            self.sp = d.pair(high, d.low(self.sp));
        }
        if touched.has(Own::Sreg) {
            self.controls = true;
            for bit in 0..8 {
                self.flags[bit] = self.after([self.flags[bit]; 8], &new)[bit];
            }
        }
        if touched.has(Own::Rampz) {
            self.ramp = self.after(self.ramp, &new);
        }
        if touched.has(Own::Eind) {
            self.eind = self.after(self.eind, &new);
        }
    }

    /// What a place holds after a store that hits it or may hit it.
    fn after(&mut self, old: Sources<8>, new: &Stored) -> Sources<8> {
        if new.sure {
            return new.value;
        }
        let value = depend::inputs(&new.value).and(depend::inputs(&old));
        self.delivered(new.at.and(value))
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
        let start = Self::new(self.chip, ANYWHERE);
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
            time: time.and(self.time),
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

/// A value whose bits are all known.
fn known(value: &Sources<16>) -> Option<u16> {
    value.iter().rev().try_fold(0, |all, bit| match bit {
        Source::Known(v) => Some(all << 1 | u16::from(*v)),
        Source::Function { .. } => None,
    })
}

impl Context for Trace<'_> {
    type Domain = Depend;

    fn domain(&self) -> Depend {
        Depend
    }

    fn read(&mut self, address: Sources<16>) -> Sources<8> {
        self.load(address, false)
    }

    fn write(&mut self, address: Sources<16>, value: Sources<8>) {
        self.store(address, value, false);
    }

    fn input(&mut self, port: Sources<16>) -> Sources<8> {
        self.load(port, true)
    }

    fn output(&mut self, port: Sources<16>, value: Sources<8>) {
        self.store(port, value, true);
    }

    fn when(&mut self, condition: Source, work: impl FnOnce(&mut Self)) {
        let guard = self.guard;
        self.guard = guard.and(condition.inputs());
        // What is done only sometimes is to go elsewhere, which changes no register.
        work(self);
        self.guard = guard;
    }
}

impl State for Trace<'_> {
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

    fn address(&self, i: &Ins) -> Sources<16> {
        Depend.word(i.k)
    }

    fn wide(&self) -> bool {
        self.chip.wide()
    }

    fn next(&self) -> (Sources<8>, Sources<16>) {
        let pc = Inputs::one(place::PC);
        (depend::mixed(pc, 1 << 20), depend::mixed(pc, 1 << 21))
    }

    fn go(&mut self, top: Sources<8>, low: Sources<16>) {
        self.branches = true;
        let top = if self.wide() {
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
        self.controls = true;
        if self.chip.core.reti_sets_i() {
            self.set_flag(flags::I, Depend.bit(true));
        }
    }

    fn undefined(&mut self, _: &Ins) {}
}
