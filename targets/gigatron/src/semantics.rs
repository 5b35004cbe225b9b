//! What each instruction does, written once for all value domains.
//!
//! The card of the makers has no list of instructions but of parts: eight operations,
//! eight modes, four sources of data. [`exec`] is put together in the same way, so
//! it says what all 256 opcodes do.

use scrimp_isa::domain::{Bit, Byte, Word};
use scrimp_isa::{Context, Domain};

use crate::opcode::{self, Opcode};

/// A register that instructions name. OUT and X and Y cannot be read back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Register {
    /// The accumulator.
    Ac,
    /// Low half of addresses; counts.
    X,
    /// High half of addresses.
    Y,
    /// The video port.
    Out,
}

/// The registers of a Gigatron, in some domain.
pub trait State: Context {
    /// A register.
    fn get(&self, register: Register) -> Byte<Self>;
    /// Sets a register.
    fn set(&mut self, register: Register, value: Byte<Self>);
    /// Address of the word that is fetched while the instruction executes: the one
    /// behind it, or the target of a jump right before it.
    fn pc(&self) -> Word<Self>;
    /// Sets the address that is fetched next.
    fn set_pc(&mut self, value: Word<Self>);
    /// The operand byte of the instruction.
    fn operand(&self) -> Byte<Self>;
    /// Puts a command to the expander on the address lines.
    fn control(&mut self, command: Word<Self>);
}

/// The RAM address that a mode makes.
#[inline(always)]
fn address<S: State>(s: &S, mode: u8) -> Word<S> {
    let d = s.domain();
    let low = match mode {
        1 | 3 | 7 => s.get(Register::X),
        _ => s.operand(),
    };
    let high = match mode {
        2 | 3 | 7 => s.get(Register::Y),
        _ => d.byte(0),
    };
    d.pair(high, low)
}

/// What is on the bus.
#[inline(always)]
fn bus<S: State>(s: &mut S, bus: u8, address: Word<S>) -> Byte<S> {
    match bus {
        opcode::OPERAND => s.operand(),
        opcode::RAM => s.read(address),
        opcode::AC => s.get(Register::Ac),
        _ => {
            let port = s.domain().word(0);
            s.input(port)
        }
    }
}

/// Whether a condition holds: bits of `mode` for AC > 0, AC < 0 and AC = 0.
#[inline(always)]
fn condition<S: State>(s: &S, mode: u8) -> Bit<S> {
    let d = s.domain();
    let ac = s.get(Register::Ac);
    let negative = d.test(ac, 0x80);
    let zero = d.is_zero(ac);
    match mode {
        1 => d.not(d.either(negative, zero)),
        2 => negative,
        3 => d.not(zero),
        4 => zero,
        5 => d.not(negative),
        6 => d.either(negative, zero),
        _ => d.bit(true),
    }
}

/// Jumps and branches: what they set is fetched next, and the word that is being
/// fetched executes first. A branch keeps the page of that word.
#[inline(always)]
fn jump<S: State>(s: &mut S, opcode: Opcode) {
    let d = s.domain();
    let address = d.pair(d.byte(0), s.operand());
    let low = bus(s, opcode.bus(), address);
    let here = s.pc();
    if opcode.is_far_jump() {
        s.set_pc(d.pair(s.get(Register::Y), low));
    } else if opcode.mode() == 7 {
        s.set_pc(d.pair(d.high(here), low));
    } else {
        let target = d.pair(d.high(here), low);
        s.set_pc(d.select16(condition(s, opcode.mode()), target, d.inc16(here)));
    }
}

/// Executes an instruction.
#[inline(always)]
pub fn exec<S: State>(s: &mut S, opcode: Opcode) {
    if opcode.is_jump() {
        return jump(s, opcode);
    }
    let d = s.domain();
    let mode = opcode.mode();
    let store = opcode.operation() == opcode::STORE;
    let address = address(s, mode);
    let ac = s.get(Register::Ac);
    let result = if opcode.is_control() {
        s.control(address);
        ac
    } else {
        let data = bus(s, opcode.bus(), address);
        if store {
            s.write(address, data);
        }
        match opcode.operation() {
            0 => data,
            1 => d.and(ac, data),
            2 => d.or(ac, data),
            3 => d.xor(ac, data),
            4 => d.add(ac, data, d.bit(false)).0,
            5 => d.sub(ac, data, d.bit(false)).0,
            // The store: its data does not go through the ALU, which passes AC.
            _ => ac,
        }
    };
    match mode {
        4 => s.set(Register::X, result),
        5 => s.set(Register::Y, result),
        // A store loads neither AC nor OUT.
        _ if store => {}
        6 | 7 => s.set(Register::Out, result),
        _ => s.set(Register::Ac, result),
    }
    if mode == 7 {
        let x = s.get(Register::X);
        s.set(Register::X, d.add(x, d.byte(1), d.bit(false)).0);
    }
}
