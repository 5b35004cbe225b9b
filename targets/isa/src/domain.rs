//! Value domains: what the meaning of an instruction is computed in.
//!
//! A room writes each operation once, generic over a [`Context`]: the state it
//! works on, whose values belong to a [`Domain`]. With plain integers
//! ([`Concrete`](crate::Concrete)) the function is a simulator; with the inputs
//! of each bit ([`Depend`](crate::depend::Depend)) it tells what an operation
//! reads and writes; [terms](crate::terms) for proofs, [known bits](crate::known)
//! and [many states side by side](crate::lanes) are further instances. The rules that make this work:
//!
//! - Which registers an instruction names, and which bit, is known: it comes from
//!   the opcode. All other data, immediates too, are values of the domain.
//! - Values have no `==` and are never branched on. A choice between values is
//!   [`Domain::select`]; work that is done only sometimes (the push of a
//!   conditional call) is [`Context::when`], which a symbolic context runs on a
//!   copy and merges.
//! - An operation ends by setting the program counter of its context if it
//!   branches, and returns one bit: whether it took the longer of its two times.
//!
//! # Hard cases
//!
//! Written and tested on the Z80: `DAA` (two corrections chosen by flags and by
//! comparisons, which are the borrow of [`Domain::sub`]), `LDIR` (a step that
//! puts the program counter back [`Context::when`] it goes on), `ADC HL,rr` with
//! all flags ([`Domain::add16`] and the carries of the high byte as
//! `a ^ b ^ sum`).
//!
//! On paper:
//!
//! *An AVR skip* (`SBRC r,b`). The next instruction is known, so its length is
//! too, and the skip is a choice of the program counter. Its third time (skip
//! over two words) is one more than the second by that known length.
//!
//! ```text
//! let clear = d.not(d.test(s.get(r), 1 << b));
//! let over = d.add16(s.pc(), d.word(s.next_length()), d.bit(false)).0;
//! s.set_pc(d.select16(clear, over, s.pc()));
//! clear
//! ```
//!
//! *The Gigatron's delay slot.* The runner holds the word fetched one cycle
//! before and has moved the program counter on to the word being fetched, before
//! it runs the operation. So a branch needs no rule of its own: what it sets is
//! the address fetched next, the fetched word still runs, and the page of the
//! target is that of `s.pc()`, which is right at the end of a page, in the slot
//! of a far jump and in the slot of a taken branch.
//!
//! ```text
//! let here = s.pc(); // address of the delay slot
//! let target = d.pair(d.high(here), operand);
//! s.set_pc(d.select16(condition, target, d.inc16(here)));
//! ```

/// Bits, bytes and words with their operations. A domain is a handle that is
/// copied (nothing, or a reference to an arena), so operations take it by value.
pub trait Domain: Copy {
    /// A truth value.
    type Bit: Copy;
    /// Eight bits.
    type Byte: Copy;
    /// Sixteen bits.
    type Word: Copy;

    /// A constant bit.
    fn bit(self, value: bool) -> Self::Bit;
    /// A constant byte.
    fn byte(self, value: u8) -> Self::Byte;
    /// A constant word.
    fn word(self, value: u16) -> Self::Word;

    /// Not.
    fn not(self, a: Self::Bit) -> Self::Bit;
    /// Both.
    fn both(self, a: Self::Bit, b: Self::Bit) -> Self::Bit;
    /// Either or both.
    fn either(self, a: Self::Bit, b: Self::Bit) -> Self::Bit;
    /// `a` where the condition holds, else `b`.
    fn select_bit(self, condition: Self::Bit, a: Self::Bit, b: Self::Bit) -> Self::Bit;

    /// Bitwise and.
    fn and(self, a: Self::Byte, b: Self::Byte) -> Self::Byte;
    /// Bitwise or.
    fn or(self, a: Self::Byte, b: Self::Byte) -> Self::Byte;
    /// Bitwise exclusive or.
    fn xor(self, a: Self::Byte, b: Self::Byte) -> Self::Byte;
    /// `a + b + carry` and the carry out.
    fn add(self, a: Self::Byte, b: Self::Byte, carry: Self::Bit) -> (Self::Byte, Self::Bit);
    /// `a - b - borrow` and the borrow out, which is `a < b` when none came in.
    fn sub(self, a: Self::Byte, b: Self::Byte, borrow: Self::Bit) -> (Self::Byte, Self::Bit);
    /// Left by `n`, 0 to 7, zeros shifted in.
    fn shl(self, a: Self::Byte, n: u8) -> Self::Byte;
    /// Right by `n`, 0 to 7, zeros shifted in.
    fn shr(self, a: Self::Byte, n: u8) -> Self::Byte;
    /// Whether any bit of the mask is set.
    fn test(self, a: Self::Byte, mask: u8) -> Self::Bit;
    /// Whether the number of set bits is even.
    fn even(self, a: Self::Byte) -> Self::Bit;
    /// `a` where the condition holds, else `b`.
    fn select(self, condition: Self::Bit, a: Self::Byte, b: Self::Byte) -> Self::Byte;

    /// A word of two bytes.
    fn pair(self, high: Self::Byte, low: Self::Byte) -> Self::Word;
    /// Bits 8 to 15.
    fn high(self, a: Self::Word) -> Self::Byte;
    /// Bits 0 to 7.
    fn low(self, a: Self::Word) -> Self::Byte;
    /// `a + b + carry` and the carry out.
    fn add16(self, a: Self::Word, b: Self::Word, carry: Self::Bit) -> (Self::Word, Self::Bit);
    /// `a - b - borrow` and the borrow out.
    fn sub16(self, a: Self::Word, b: Self::Word, borrow: Self::Bit) -> (Self::Word, Self::Bit);
    /// `a` where the condition holds, else `b`.
    fn select16(self, condition: Self::Bit, a: Self::Word, b: Self::Word) -> Self::Word;

    /// Whether all bits are zero.
    #[inline(always)]
    fn is_zero(self, a: Self::Byte) -> Self::Bit {
        self.not(self.test(a, 0xff))
    }
    /// Whether all bits are zero.
    #[inline(always)]
    fn is_zero16(self, a: Self::Word) -> Self::Bit {
        self.is_zero(self.or(self.high(a), self.low(a)))
    }
    /// The mask where the condition holds, else 0.
    #[inline(always)]
    fn mask(self, condition: Self::Bit, mask: u8) -> Self::Byte {
        self.select(condition, self.byte(mask), self.byte(0))
    }
    /// The bits of the mask, the others 0.
    #[inline(always)]
    fn keep(self, a: Self::Byte, mask: u8) -> Self::Byte {
        self.and(a, self.byte(mask))
    }
    /// `a + 1`.
    #[inline(always)]
    fn inc16(self, a: Self::Word) -> Self::Word {
        self.add16(a, self.word(1), self.bit(false)).0
    }
    /// `a - 1`.
    #[inline(always)]
    fn dec16(self, a: Self::Word) -> Self::Word {
        self.sub16(a, self.word(1), self.bit(false)).0
    }
    /// The truth value, where the domain is certain of it.
    #[inline(always)]
    fn known(self, a: Self::Bit) -> Option<bool> {
        let _ = a;
        None
    }
    /// The value, where the domain is certain of all its bits.
    #[inline(always)]
    fn exact(self, a: Self::Byte) -> Option<u8> {
        (0..8).try_fold(0, |all, bit| {
            let set = self.known(self.test(a, 1 << bit))?;
            Some(all | u8::from(set) << bit)
        })
    }
    /// The value, where the domain is certain of all its bits.
    #[inline(always)]
    fn exact16(self, a: Self::Word) -> Option<u16> {
        let bytes = [self.exact(self.high(a))?, self.exact(self.low(a))?];
        Some(u16::from_be_bytes(bytes))
    }
    /// Whether two words are the same.
    #[inline(always)]
    fn same16(self, a: Self::Word, b: Self::Word) -> Self::Bit {
        let high = self.xor(self.high(a), self.high(b));
        let low = self.xor(self.low(a), self.low(b));
        self.is_zero(self.or(high, low))
    }
    /// Whether an unsigned word is in a range.
    fn within(self, a: Self::Word, first: u16, last: u16) -> Self::Bit {
        let no = self.bit(false);
        let below = self.sub16(a, self.word(first), no).1;
        let above = self.sub16(self.word(last), a, no).1;
        self.not(self.either(below, above))
    }
    /// A byte as a word of the same signed value.
    #[inline(always)]
    fn sign_extend(self, a: Self::Byte) -> Self::Word {
        self.pair(self.mask(self.test(a, 0x80), 0xff), a)
    }
}

/// The bit type of a context.
pub type Bit<C> = <<C as Context>::Domain as Domain>::Bit;
/// The byte type of a context.
pub type Byte<C> = <<C as Context>::Domain as Domain>::Byte;
/// The word type of a context.
pub type Word<C> = <<C as Context>::Domain as Domain>::Word;

/// What operations work on besides registers, which each room adds in a trait of
/// its own: memory, ports, conditional work.
pub trait Context {
    /// Where its values live.
    type Domain: Domain;
    /// The handle to compute with.
    fn domain(&self) -> Self::Domain;
    /// Reads data memory.
    fn read(&mut self, address: Word<Self>) -> Byte<Self>;
    /// Writes data memory.
    fn write(&mut self, address: Word<Self>, value: Byte<Self>);
    /// Reads a port.
    fn input(&mut self, port: Word<Self>) -> Byte<Self>;
    /// Writes a port.
    fn output(&mut self, port: Word<Self>, value: Byte<Self>);
    /// Does the work where the condition holds.
    fn when(&mut self, condition: Bit<Self>, work: impl FnOnce(&mut Self));
    /// Clock cycles in which the CPU uses no bus. Only for the moment at which a
    /// bus access happens; the time of the whole comes from the table.
    #[inline(always)]
    fn idle(&mut self, cycles: u8) {
        let _ = cycles;
    }
}
