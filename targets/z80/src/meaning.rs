//! The Z80's locations, and its operations on them in every domain.

use scrimp_isa::domain::{Bit, Byte, Word};
use scrimp_isa::memory::Memory;
use scrimp_isa::semantics::Code;
use scrimp_isa::state::{Cell, Holds, Layout};
use scrimp_isa::{Context, Domain, Processor, Semantics, runs};

use crate::place;
use crate::reg;
use crate::semantics::{Ins, State, exec};
use crate::sim::{ins, length};

/// The interrupt flip-flops, 1 in bit 0.
pub const IFF: u8 = 42;
/// Acts: the interrupt mode is set; it waits for an interrupt.
const MODE: u8 = 0;
const HALT: u8 = 1;
/// Q as the instruction before left it.
const OLD_Q: u8 = 44;
const R: u8 = place::R;
const Q: u8 = place::Q;

/// The cells: those of [`reg`], F as flags, R, Q and the flip-flops.
#[rustfmt::skip]
pub static LAYOUT: Layout = Layout {
    cells: &[
        Cell::byte("b"), Cell::byte("c"), Cell::byte("d"), Cell::byte("e"),
        Cell::byte("h"), Cell::byte("l"), Cell::new("f", Holds::Flags(place::FLAGS, "cnpxhyzs")), Cell::byte("a"),
        Cell::byte("ixh"), Cell::byte("ixl"), Cell::byte("iyh"), Cell::byte("iyl"),
        Cell::byte("sph"), Cell::byte("spl"), Cell::byte("w"), Cell::byte("z"),
        Cell::byte("i"), Cell::NONE, Cell::NONE, Cell::NONE,
        Cell::NONE, Cell::NONE, Cell::NONE, Cell::NONE,
        Cell::byte("b'"), Cell::byte("c'"), Cell::byte("d'"), Cell::byte("e'"),
        Cell::byte("h'"), Cell::byte("l'"), Cell::byte("f'"), Cell::byte("a'"),
        Cell::NONE, Cell::NONE, Cell::NONE, Cell::NONE,
        Cell::NONE, Cell::NONE, Cell::NONE, Cell::NONE,
        Cell::byte("r"), Cell::byte("q"), Cell::new("iff", Holds::Flags(place::IFF, "12")),
        Cell::NONE, Cell::new("q before", Holds::Hidden),
    ],
    stack: &[reg::SPL, reg::SPH],
    quiet: &[reg::W, reg::Z, Q, R],
    link: &[],
};

/// The meaning of the Z80. R is as the fetches of the instruction leave it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Meaning;

/// The bytes of an instruction that are its constants, in the order in which they are
/// read.
pub fn constants(bytes: &[u8], length: usize) -> &[u8] {
    let before = matches!(bytes, [0xdd | 0xfd, 0xcb, ..]);
    if before {
        return &bytes[2..3];
    }
    let prefixes = match bytes.first() {
        Some(0xdd | 0xfd) if matches!(bytes.get(1), Some(0xcb | 0xed)) => 2,
        Some(0xcb | 0xdd | 0xed | 0xfd) => 1,
        _ => 0,
    };
    bytes.get(prefixes + 1..length).unwrap_or(&[])
}

impl Meaning {
    fn run<D: Domain, M: Memory<D>>(
        &self,
        code: Code<'_>,
        p: &mut Processor<D, M>,
    ) -> Option<D::Bit> {
        let mut padded = [0; 6];
        let n = code.bytes.len().min(6);
        padded[..n].copy_from_slice(&code.bytes[..n]);
        let ins = ins(&padded)?;
        let length = length(&padded)?;
        let d = p.domain();
        let (top, at) = p.counter();
        p.set_counter(top, d.add16(at, d.word(length as u16), d.bit(false)).0);
        p.set_cell(OLD_Q, p.cell(Q));
        p.set_cell(Q, d.byte(0));
        p.begin(constants(&padded, length));
        Some(exec(p, &ins))
    }
}

impl Semantics for Meaning {
    fn layout(&self) -> &'static Layout {
        &LAYOUT
    }
    fn length(&self, code: Code<'_>) -> Option<usize> {
        length(code.bytes)
    }
    fn times(&self, code: Code<'_>) -> Option<(u8, u8)> {
        let i = ins(code.bytes)?;
        Some((i.short, i.long))
    }
    /// I has the upper half of the address that an interrupt goes by; I and R are on the bus.
    fn outside(&self) -> &'static [u8] {
        &[reg::I, R, IFF]
    }
    runs!();
}

impl<D: Domain, M: Memory<D>> State for Processor<D, M> {
    fn get(&self, register: u8) -> Byte<Self> {
        self.cell(register)
    }
    fn set(&mut self, register: u8, value: Byte<Self>) {
        self.set_cell(register, value);
    }
    fn pc(&self) -> Word<Self> {
        self.counter().1
    }
    fn set_pc(&mut self, value: Word<Self>) {
        let top = self.counter().0;
        self.go(top, value);
    }
    fn immediate(&mut self) -> Byte<Self> {
        self.next_constant()
    }
    fn displacement(&mut self, _: &Ins) -> Byte<Self> {
        self.next_constant()
    }
    fn q(&self) -> Byte<Self> {
        self.cell(OLD_Q)
    }
    fn set_q(&mut self, value: Byte<Self>) {
        self.set_cell(Q, value);
    }
    fn refresh(&self) -> Byte<Self> {
        self.cell(R)
    }
    fn set_refresh(&mut self, value: Byte<Self>) {
        self.set_cell(R, value);
    }
    fn iff(&self, which: u8) -> Bit<Self> {
        self.bit(IFF, which - 1)
    }
    fn set_iff(&mut self, which: u8, value: Bit<Self>) {
        self.controls = true;
        self.set_bit(IFF, which - 1, value);
    }
    fn set_mode(&mut self, mode: u8) {
        let mode = self.domain().byte(mode);
        self.act(MODE, &[mode]);
    }
    fn shield(&mut self) {
        self.controls = true;
    }
    fn halt(&mut self) {
        self.act(HALT, &[]);
    }
}
