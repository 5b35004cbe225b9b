//! One word of a path: all states that it can lead to.

use std::rc::Rc;

use scrimp_isa::Context;
use scrimp_isa::domain::{Byte, Word};

use super::memory::{Memory, Ram, join_local};
use super::value::{Set, Value, Values};
use crate::opcode::{self, Opcode};
use crate::semantics::{Register, State, exec};

/// A jump to more places than these is not followed.
const MOST_TARGETS: usize = 64;

/// The machine in the course of a line.
#[derive(Clone, Debug)]
pub struct Machine {
    /// The word in execution and the one that is fetched.
    pub at: u16,
    pub next: u16,
    /// AC, X, Y, OUT.
    pub registers: [Value; 4],
    pub ram: Ram,
    /// vSync has fallen once.
    pub synced: bool,
}

impl Machine {
    /// Whether two states differ in nothing that matters to their way.
    pub fn is_like(&self, other: &Self) -> bool {
        self.is_beside(other) && (0..4).all(|i| self.registers[i].set == other.registers[i].set)
    }

    /// Whether two states are at one place with the same cells.
    pub fn is_beside(&self, other: &Self) -> bool {
        (self.at, self.next, self.synced) == (other.at, other.next, other.synced)
            && self.ram.cells == other.ram.cells
            && self.ram.written == other.ram.written
    }

    /// Takes in another state at the same place.
    pub fn join(&mut self, other: &Self) {
        for (mine, other) in self.registers.iter_mut().zip(other.registers) {
            *mine = mine.join(other);
        }
        if self.ram.local != other.ram.local {
            join_local(Rc::make_mut(&mut self.ram.local), &other.ram.local);
        }
    }

    pub fn out(&self) -> Set {
        self.registers[Register::Out as usize].set
    }
}

/// A state as the semantics see it.
struct View<'a> {
    machine: Machine,
    memory: &'a mut Memory,
    operand: u8,
    pc: [Value; 2],
    fork: Option<(u8, Set)>,
}

impl Context for View<'_> {
    type Domain = Values;
    fn domain(&self) -> Values {
        Values
    }
    fn read(&mut self, address: Word<Self>) -> Byte<Self> {
        self.memory.read(address, &self.machine.ram)
    }
    fn write(&mut self, address: Word<Self>, value: Byte<Self>) {
        let m = &mut self.machine;
        self.fork = self.memory.write(m.at, address, value, &mut m.ram);
    }
    fn input(&mut self, _: Word<Self>) -> Byte<Self> {
        Value::UNKNOWN
    }
    fn output(&mut self, _: Word<Self>, _: Byte<Self>) {}
    fn when(&mut self, _: <Values as scrimp_isa::Domain>::Bit, work: impl FnOnce(&mut Self)) {
        // The semantics of this room have no conditional work.
        work(self);
    }
}

impl State for View<'_> {
    fn get(&self, register: Register) -> Byte<Self> {
        self.machine.registers[register as usize]
    }
    fn set(&mut self, register: Register, value: Byte<Self>) {
        self.machine.registers[register as usize] = value;
    }
    fn pc(&self) -> Word<Self> {
        self.machine.next.to_be_bytes().map(Value::of)
    }
    fn set_pc(&mut self, value: Word<Self>) {
        self.pc = value;
    }
    fn operand(&self) -> Byte<Self> {
        Value::of(self.operand)
    }
    fn control(&mut self, _: Word<Self>) {}
}

/// Whether a condition holds for AC.
pub fn holds(mode: u8, ac: u8) -> bool {
    match mode {
        1 => (ac as i8) > 0,
        2 => (ac as i8) < 0,
        3 => ac != 0,
        4 => ac == 0,
        5 => (ac as i8) >= 0,
        _ => (ac as i8) <= 0,
    }
}

/// A jump whose targets are not known.
pub struct Lost;

/// Executes the word of a state; `listed` are targets that were promised for it.
pub fn step(
    rom: &[u16],
    memory: &mut Memory,
    machine: &Machine,
    listed: Option<&[u16]>,
    out: &mut Vec<Machine>,
) -> Result<(), Lost> {
    let word = |at: u16| rom.get(usize::from(at)).copied().unwrap_or(0);
    let [op, operand] = word(machine.at).to_le_bytes();
    let op = Opcode(op);
    if !op.is_jump() {
        let (after, _, fork) = run(memory, machine.clone(), op, operand);
        if matches!(op.mode(), 6 | 7) && op.operation() != opcode::STORE {
            memory.decides(after.registers[Register::Out as usize]);
        }
        let Some((cell, set)) = fork else {
            out.push(after);
            return Ok(());
        };
        for v in set.iter() {
            let mut one = after.clone();
            let cells = Rc::make_mut(&mut one.ram.cells);
            let (Ok(i) | Err(i)) = cells.binary_search_by_key(&cell, |c| c.0);
            cells.insert(i, (cell, v));
            out.push(one);
        }
        return Ok(());
    }
    let Some(jump) = taken(memory, machine, op, out) else {
        return Ok(());
    };
    let always = if op.is_far_jump() {
        op
    } else {
        Opcode::new(op.operation(), 7, op.bus())
    };
    let (jump, [high, low], _) = run(memory, jump, always, operand);
    memory.decides(high);
    memory.decides(low);
    let slot = Opcode(word(machine.next) as u8);
    // One word of a table executes in passing: any of them, but no code.
    let passing = slot.is_jump() && matches!(slot.mode(), 0 | 7);
    let count = high.set.len() * low.set.len();
    let mut add = |target: u16| {
        let mut one = jump.clone();
        (one.at, one.next) = (machine.next, target);
        out.push(one);
    };
    if count <= MOST_TARGETS || passing && high.set.single().is_some() {
        for high in high.set.iter() {
            for low in low.set.iter() {
                let target = u16::from_be_bytes([high, low]);
                let data = Opcode(word(target) as u8);
                let code = data.is_jump() || data.operation() == opcode::STORE;
                if count <= MOST_TARGETS || !code {
                    add(target);
                }
            }
        }
        return Ok(());
    }
    let Some(listed) = listed else {
        return Err(Lost);
    };
    listed.iter().for_each(|&t| add(t));
    Ok(())
}

/// The state in which a jump goes, if it may; that in which it does not is one that follows.
fn taken(
    memory: &mut Memory,
    machine: &Machine,
    op: Opcode,
    out: &mut Vec<Machine>,
) -> Option<Machine> {
    let mode = op.mode();
    let mut jump = machine.clone();
    if !(1..=6).contains(&mode) {
        return Some(jump);
    }
    let ac = machine.registers[Register::Ac as usize];
    memory.decides(ac);
    let yes = ac.set.keep(|v| holds(mode, v));
    let no = ac.set.keep(|v| !holds(mode, v));
    if !no.is_empty() {
        let mut stay = machine.clone();
        stay.registers[Register::Ac as usize].set = no;
        (stay.at, stay.next) = (machine.next, machine.next.wrapping_add(1));
        out.push(stay);
    }
    jump.registers[Register::Ac as usize].set = yes;
    (!yes.is_empty()).then_some(jump)
}

/// Runs the semantics: the state behind the word and the address that is fetched next.
fn run(
    memory: &mut Memory,
    machine: Machine,
    op: Opcode,
    operand: u8,
) -> (Machine, [Value; 2], Option<(u8, Set)>) {
    let behind = machine.next.wrapping_add(1);
    let mut view = View {
        machine,
        memory,
        operand,
        pc: behind.to_be_bytes().map(Value::of),
        fork: None,
    };
    exec(&mut view, op);
    let (mut machine, pc, fork) = (view.machine, view.pc, view.fork);
    if !op.is_jump() {
        (machine.at, machine.next) = (machine.next, behind);
    }
    (machine, pc, fork)
}
