//! What each operation does, written once for all value domains.
//!
//! [`exec`] has one arm for each [`Op`]. Registers, flags and stack are as
//! Microchip's instruction set manual says. The result of a load into the pointer
//! that it changes is undefined there; here the load wins.

mod arithmetic;
pub mod flags;
pub mod one;

use scrimp_isa::domain::{Bit, Byte, Word};
use scrimp_isa::{Context, Domain};

use crate::op::Op;
pub use one::exec;

/// Number of the lower register of X; Y and Z follow.
pub const X: u8 = 26;
/// The lower register of Y.
pub const Y: u8 = 28;
/// The lower register of Z.
pub const ZP: u8 = 30;

/// The state of an AVR, in some domain. [`Context::read`] and [`Context::write`] are
/// data memory; [`Context::input`] and [`Context::output`] too, where an instruction
/// names an I/O register, by the address it has in data memory.
pub trait State: Context {
    /// Register 0 to 31.
    fn get(&self, register: u8) -> Byte<Self>;
    /// Sets a register.
    fn set(&mut self, register: u8, value: Byte<Self>);
    /// A bit of SREG.
    fn flag(&self, flag: u8) -> Bit<Self>;
    /// Sets a bit of SREG.
    fn set_flag(&mut self, flag: u8, value: Bit<Self>);
    /// The stack pointer.
    fn stack(&self) -> Word<Self>;
    /// Moves the stack pointer.
    fn set_stack(&mut self, value: Word<Self>);
    /// The constant of an instruction.
    fn constant(&self, i: &Ins) -> Byte<Self>;
    /// The data address that an instruction names, in its second word or as a port.
    fn address(&self, i: &Ins) -> Word<Self>;
    /// What is added to a pointer.
    fn displacement(&self, i: &Ins) -> Word<Self>;
    /// Whether return addresses have three bytes.
    fn wide(&self) -> bool;
    /// The next instruction, in words: bits 16 to 21 and below.
    fn next(&self) -> (Byte<Self>, Word<Self>);
    /// The instruction has a second word: the next one is behind it.
    fn second_word(&mut self) {}
    /// Something was pushed.
    fn pushed(&mut self) {}
    /// Goes to an address in words.
    fn go(&mut self, top: Byte<Self>, low: Word<Self>);
    /// Goes where a jump, call or branch names.
    fn branch(&mut self, i: &Ins);
    /// Passes over the next instruction.
    fn skip(&mut self, i: &Ins);
    /// A byte of program memory, by its address in bytes.
    fn program(&mut self, top: Byte<Self>, low: Word<Self>) -> Byte<Self>;
    /// RAMPZ.
    fn ramp(&mut self) -> Byte<Self>;
    /// Sets RAMPZ.
    fn set_ramp(&mut self, value: Byte<Self>);
    /// EIND.
    fn eind(&mut self) -> Byte<Self>;
    /// SPM at RAMPZ and Z, with r1 and r0.
    fn store_program(&mut self);
    /// A round of DES on r0 to r15, by H.
    fn des(&mut self, round: u8);
    /// SLEEP.
    fn sleep(&mut self);
    /// WDR.
    fn watchdog(&mut self);
    /// BREAK.
    fn stop(&mut self);
    /// What RETI does besides the return.
    fn interrupt_ends(&mut self);
    /// An encoding that means nothing, or a mark of the simulator's own.
    fn undefined(&mut self, i: &Ins);

    /// SBI and CBI.
    #[inline(always)]
    fn set_bit(&mut self, port: Word<Self>, bit: u8, on: bool) {
        let d = self.domain();
        let v = self.input(port);
        let v = if on {
            d.or(v, d.byte(1 << bit))
        } else {
            d.keep(v, !(1 << bit))
        };
        self.output(port, v);
    }
    /// The product of two unsigned bytes.
    #[inline(always)]
    fn product(&mut self, a: Byte<Self>, b: Byte<Self>) -> Word<Self> {
        arithmetic::product(self.domain(), a, b)
    }
    /// Flags of a sum: see [`flags::add`].
    #[inline(always)]
    fn flags_add(&mut self, a: Byte<Self>, b: Byte<Self>, sum: Byte<Self>) {
        flags::add(self, a, b, sum);
    }
    /// Flags of a difference: see [`flags::sub`].
    #[inline(always)]
    fn flags_sub(&mut self, a: Byte<Self>, b: Byte<Self>, difference: Byte<Self>, chain: bool) {
        flags::sub(self, a, b, difference, chain);
    }
    /// Flags of a bitwise result: see [`flags::logic`].
    #[inline(always)]
    fn flags_logic(&mut self, v: Byte<Self>) {
        flags::logic(self, v);
    }
    /// Flags of a count: see [`flags::count`].
    #[inline(always)]
    fn flags_count(&mut self, v: Byte<Self>, edge: u8) {
        flags::count(self, v, edge);
    }
    /// Flags of a shift: see [`flags::shift`].
    #[inline(always)]
    fn flags_shift(&mut self, v: Byte<Self>, out: Bit<Self>) {
        flags::shift(self, v, out);
    }
    /// Flags of a 16-bit sum: see [`flags::word`].
    #[inline(always)]
    fn flags_word(&mut self, v: Word<Self>, overflow: Bit<Self>, carry: Bit<Self>) {
        flags::word(self, v, overflow, carry);
    }
    /// Flags of a product: see [`flags::product`].
    #[inline(always)]
    fn flags_product(&mut self, v: Word<Self>, carry: Bit<Self>) {
        flags::product(self, v, carry);
    }

    /// A pair by its lower register.
    #[inline(always)]
    fn pair(&self, low: u8) -> Word<Self> {
        self.domain().pair(self.get(low + 1), self.get(low))
    }
    /// Sets a pair.
    #[inline(always)]
    fn set_pair(&mut self, low: u8, value: Word<Self>) {
        let d = self.domain();
        self.set(low, d.low(value));
        self.set(low + 1, d.high(value));
    }
}

/// An instruction with the parts of its word, made from a row of the table and the
/// bytes. What is known at its place in memory is worked out: the target of a
/// branch, the length of what a skip passes over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ins {
    /// The operation.
    pub op: Op,
    /// The first register, or the one of a store.
    pub d: u8,
    /// The second register, a bit number, or bits 16 to 21 of a target.
    pub r: u8,
    /// Clocks, of a branch not taken or a skip that does not skip.
    pub short: u8,
    /// Clocks of a branch taken or a skip that skips: as many more as it passes
    /// words.
    pub long: u8,
    /// Its length in words.
    pub words: u8,
    /// Constant, displacement, data address, or the low 16 bits of a target in words.
    pub k: u16,
}

/// Pushes a byte.
#[inline(always)]
pub fn push<X: State>(s: &mut X, v: Byte<X>) {
    let at = s.stack();
    s.set_stack(s.domain().dec16(at));
    s.pushed();
    s.write(at, v);
}

/// Pops a byte.
#[inline(always)]
fn pop<X: State>(s: &mut X) -> Byte<X> {
    let at = s.domain().inc16(s.stack());
    s.set_stack(at);
    s.read(at)
}

/// Pushes the address of the next instruction, the low byte first.
#[inline(always)]
pub fn push_next<X: State>(s: &mut X) {
    let d = s.domain();
    let (top, low) = s.next();
    push(s, d.low(low));
    push(s, d.high(low));
    if s.wide() {
        push(s, top);
    }
}

/// Goes back to an address on the stack.
#[inline(always)]
fn ret<X: State>(s: &mut X) {
    let d = s.domain();
    let top = if s.wide() { pop(s) } else { d.byte(0) };
    let high = pop(s);
    let low = pop(s);
    s.go(top, d.pair(high, low));
}

#[inline(always)]
fn branch_if<X: State>(s: &mut X, i: &Ins, condition: Bit<X>) -> Bit<X> {
    s.when(condition, |s| s.branch(i));
    condition
}

#[inline(always)]
fn skip_if<X: State>(s: &mut X, i: &Ins, condition: Bit<X>) -> Bit<X> {
    s.when(condition, |s| s.skip(i));
    condition
}

/// The pointer plus the displacement.
#[inline(always)]
fn displaced<S_: State>(s: &S_, i: &Ins, pointer: u8) -> Word<S_> {
    if pointer == X {
        return s.pair(X);
    }
    let d = s.domain();
    d.add16(s.pair(pointer), s.displacement(i), d.bit(false)).0
}

#[inline(always)]
fn load<X: State>(s: &mut X, i: &Ins, pointer: u8) {
    let v = s.read(displaced(s, i, pointer));
    s.set(i.d, v);
}

#[inline(always)]
fn load_then_up<X: State>(s: &mut X, i: &Ins, pointer: u8) {
    let at = s.pair(pointer);
    s.set_pair(pointer, s.domain().inc16(at));
    let v = s.read(at);
    s.set(i.d, v);
}

#[inline(always)]
fn down_then_load<X: State>(s: &mut X, i: &Ins, pointer: u8) {
    let at = s.domain().dec16(s.pair(pointer));
    s.set_pair(pointer, at);
    let v = s.read(at);
    s.set(i.d, v);
}

#[inline(always)]
fn store<X: State>(s: &mut X, i: &Ins, pointer: u8) {
    s.write(displaced(s, i, pointer), s.get(i.d));
}

#[inline(always)]
fn store_then_up<X: State>(s: &mut X, i: &Ins, pointer: u8) {
    let v = s.get(i.d);
    let at = s.pair(pointer);
    s.set_pair(pointer, s.domain().inc16(at));
    s.write(at, v);
}

#[inline(always)]
fn down_then_store<X: State>(s: &mut X, i: &Ins, pointer: u8) {
    let v = s.get(i.d);
    let at = s.domain().dec16(s.pair(pointer));
    s.set_pair(pointer, at);
    s.write(at, v);
}

/// The byte at Z goes to the register; what `f` makes of both goes to Z.
#[inline(always)]
fn exchange<X: State>(s: &mut X, i: &Ins, f: impl FnOnce(X::Domain, Byte<X>, Byte<X>) -> Byte<X>) {
    let at = s.pair(ZP);
    let old = s.read(at);
    let new = f(s.domain(), old, s.get(i.d));
    s.write(at, new);
    s.set(i.d, old);
}
