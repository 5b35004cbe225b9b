//! The Gigatron's locations, and its operations on them in every domain.

use scrimp_isa::domain::{Byte, Word};
use scrimp_isa::memory::Memory;
use scrimp_isa::semantics::Code;
use scrimp_isa::state::{Cell, Layout};
use scrimp_isa::{Context, Domain, Processor, Semantics, runs};

use crate::opcode::Opcode;
use crate::semantics::{Register, State, exec};

/// The registers.
pub static LAYOUT: Layout = Layout {
    cells: &[
        Cell::byte("ac"),
        Cell::byte("x"),
        Cell::byte("y"),
        Cell::byte("out"),
    ],
    stack: &[],
    quiet: &[],
    link: &[],
};

/// The act of a command to the expander.
pub const COMMAND: u8 = 0;

/// The meaning of the Gigatron's words. The program counter is the address of the word
/// that is fetched while one executes; what a jump changes is the one behind.
#[derive(Clone, Copy, Debug, Default)]
pub struct Meaning;

impl Meaning {
    fn run<D: Domain, M: Memory<D>>(
        &self,
        code: Code<'_>,
        p: &mut Processor<D, M>,
    ) -> Option<D::Bit> {
        let &[opcode, operand, ..] = code.bytes else {
            return None;
        };
        let d = p.domain();
        let (top, here) = p.counter();
        p.set_behind(d.inc16(here));
        p.begin(&[operand]);
        exec(p, Opcode(opcode));
        p.set_counter(top, p.behind());
        Some(d.bit(false))
    }
}

impl Semantics for Meaning {
    fn layout(&self) -> &'static Layout {
        &LAYOUT
    }
    fn length(&self, code: Code<'_>) -> Option<usize> {
        (code.bytes.len() >= 2).then_some(2)
    }
    fn times(&self, _: Code<'_>) -> Option<(u8, u8)> {
        Some((1, 1))
    }
    fn unit(&self) -> u64 {
        2
    }
    fn slots(&self) -> u8 {
        1
    }
    /// The picture; and the second port takes AC when OUT lets hSync rise.
    fn shown(&self) -> &'static [(u8, u8)] {
        const AC: u8 = Register::Ac as u8;
        const OUT: u8 = Register::Out as u8;
        &[(OUT, OUT), (OUT, AC)]
    }
    /// With 32K bit 15 counts for nothing, and a bank may be the memory below.
    fn mirrored(&self) -> u32 {
        0x7fff
    }
    runs!();
}

impl<D: Domain, M: Memory<D>> State for Processor<D, M> {
    fn get(&self, register: Register) -> Byte<Self> {
        self.cell(register as u8)
    }
    fn set(&mut self, register: Register, value: Byte<Self>) {
        self.set_cell(register as u8, value);
    }
    fn pc(&self) -> Word<Self> {
        self.counter().1
    }
    fn set_pc(&mut self, value: Word<Self>) {
        self.go_behind(value);
    }
    fn operand(&self) -> Byte<Self> {
        self.constant(0)
    }
    fn control(&mut self, command: Word<Self>) {
        let d = self.domain();
        let bytes = [d.low(command), d.high(command)];
        self.act(COMMAND, &bytes);
    }
}
