//! What each instruction does, written once for all value domains.
//!
//! The registers are memory: vPC at $16, vAC at $18, vLR at $1A, vSP at $1C. Bytes that
//! belong together lie in one page, so addresses of second bytes wrap in it; so does the
//! program counter.

use scrimp_isa::domain::{Bit, Byte, Word};
use scrimp_isa::{Context, Domain};

/// Address of the accumulator.
pub const VAC: u16 = 0x18;
/// Address of the link register.
pub const VLR: u16 = 0x1a;
/// Address of the stack pointer.
pub const VSP: u16 = 0x1c;

/// What an instruction does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u16)]
#[allow(missing_docs)]
#[rustfmt::skip]
pub enum Op {
    Ldwi, Ld, Ldw, Stw, Ldi, St, Peek, Deek, Poke, Doke, Lup,
    Inc, Addw, Subw, Addi, Subi, Lslw, Andi, Ori, Xori, Andw, Orw, Xorw, Cmphs, Cmphu,
    Bra, Beq, Bne, Blt, Bgt, Ble, Bge, Call, Calli, Ret, Def,
    Push, Pop, Alloc, Stlw, Ldlw, Halt, Sys,
    Negv, Addhi, Pokea, Dokea, Deeka, Jeq, Jne, Jlt, Jge, Jgt, Jle, Deekv, Dokeq, Pokeq,
    Movqb, Movqw, Addv, Subv, Ldxw, Stxw, Ldsb, Incv, Dbne, Moviw, Movw, Addsv,
    Cmpws, Cmpwu, Cmpis, Cmpiu, Peekv, Peeka,
}

/// The vCPU in some domain.
pub trait State: Context {
    /// A byte of the instruction behind its opcode.
    fn constant(&self, n: usize) -> Byte<Self>;
    /// One that is an address in page 0.
    fn named(&self, n: usize) -> Byte<Self> {
        self.constant(n)
    }
    /// Page of the instruction.
    fn page(&self) -> Byte<Self>;
    /// Address behind the instruction, in its page.
    fn next(&self) -> Word<Self>;
    /// Goes to an address.
    fn go(&mut self, to: Word<Self>);
    /// The operand of a word in the ROM.
    fn rom(&mut self, address: Word<Self>) -> Byte<Self>;
    /// Calls the native function whose address is in `sysFn`.
    fn native(&mut self);
    /// Ends for good.
    fn halt(&mut self);
    /// Clocks more or less than the time that it takes otherwise.
    fn spend(&mut self, condition: Bit<Self>, clocks: i8) {
        let _ = (condition, clocks);
    }
    /// The stack pointer has 16 bits.
    fn wide_stack(&self) -> bool;
}

/// A word at an address and the next one in its page.
fn load<S: State>(s: &mut S, at: Word<S>) -> Word<S> {
    let d = s.domain();
    let low = s.read(at);
    let high = s.read(second(d, at));
    d.pair(high, low)
}

/// Stores a word likewise.
fn store<S: State>(s: &mut S, at: Word<S>, value: Word<S>) {
    let d = s.domain();
    s.write(at, d.low(value));
    s.write(second(d, at), d.high(value));
}

/// The next address in the page.
fn second<D: Domain>(d: D, at: D::Word) -> D::Word {
    d.pair(d.high(at), plus(d, d.low(at), d.byte(1)))
}

fn plus<D: Domain>(d: D, a: D::Byte, b: D::Byte) -> D::Byte {
    d.add(a, b, d.bit(false)).0
}

fn add<D: Domain>(d: D, a: D::Word, b: D::Word) -> D::Word {
    d.add16(a, b, d.bit(false)).0
}

fn sub<D: Domain>(d: D, a: D::Word, b: D::Word) -> D::Word {
    d.sub16(a, b, d.bit(false)).0
}

/// A byte as a word.
fn wide<D: Domain>(d: D, low: D::Byte) -> D::Word {
    d.pair(d.byte(0), low)
}

/// Two words, bit by bit.
fn bitwise<D: Domain>(
    d: D,
    a: D::Word,
    b: D::Word,
    of: impl Fn(D, D::Byte, D::Byte) -> D::Byte,
) -> D::Word {
    d.pair(of(d, d.high(a), d.high(b)), of(d, d.low(a), d.low(b)))
}

/// The address in page 0 that a constant names.
fn zero<S: State>(s: &S, n: usize) -> Word<S> {
    let d = s.domain();
    wide(d, s.named(n))
}

/// A constant word, the low byte first.
fn word<S: State>(s: &S, n: usize) -> Word<S> {
    s.domain().pair(s.constant(n + 1), s.constant(n))
}

fn register<S: State>(s: &mut S, at: u16) -> Word<S> {
    let at = s.domain().word(at);
    load(s, at)
}

fn set<S: State>(s: &mut S, at: u16, value: Word<S>) {
    let at = s.domain().word(at);
    store(s, at, value);
}

/// The target of a branch, whose byte is 2 less.
fn target<S: State>(s: &S, page: Byte<S>, n: usize) -> Word<S> {
    let d = s.domain();
    d.pair(page, plus(d, s.constant(n), d.byte(2)))
}

/// What a branch looks at in vAC.
fn holds<S: State>(s: &mut S, op: Op) -> Bit<S> {
    let d = s.domain();
    let ac = register(s, VAC);
    let negative = d.test(d.high(ac), 0x80);
    let zero = d.is_zero16(ac);
    match op {
        Op::Beq | Op::Jeq => zero,
        Op::Bne | Op::Jne => d.not(zero),
        Op::Blt | Op::Jlt => negative,
        Op::Bge | Op::Jge => d.not(negative),
        Op::Bgt | Op::Jgt => d.not(d.either(negative, zero)),
        _ => d.either(negative, zero),
    }
}

/// An address at an offset from the stack pointer.
fn on_stack<S: State>(s: &mut S) -> Word<S> {
    let d = s.domain();
    let (sp, page) = stack(s);
    d.pair(page, plus(d, sp, s.constant(0)))
}

/// The stack pointer: its low byte and its page.
fn stack<S: State>(s: &mut S) -> (Byte<S>, Byte<S>) {
    let d = s.domain();
    let low = s.read(d.word(VSP));
    let high = match s.wide_stack() {
        true => s.read(d.word(VSP + 1)),
        false => d.byte(0),
    };
    (low, high)
}

/// Moves the stack pointer. One of 16 bits that is in page 0 stays there.
fn move_stack<S: State>(s: &mut S, by: Word<S>) {
    let d = s.domain();
    let (low, high) = stack(s);
    let moved = add(d, d.pair(high, low), by);
    s.write(d.word(VSP), d.low(moved));
    if s.wide_stack() {
        let inside = d.is_zero(high);
        let page = d.select(inside, high, d.high(moved));
        s.write(d.word(VSP + 1), page);
    }
}

/// CMPHS and CMPHU: where the signs differ, the high byte of vAC becomes one from which a
/// subtraction has the sign of the comparison.
fn adjust<S: State>(s: &mut S, signed: bool) -> Bit<S> {
    let d = s.domain();
    let at = d.word(VAC + 1);
    let (ac, other) = (s.read(at), zero(s, 0));
    let other = s.read(other);
    let differ = d.test(d.xor(ac, other), 0x80);
    let negative = d.test(ac, 0x80);
    let less = if signed { negative } else { d.not(negative) };
    let by = d.select(less, d.byte(0xff), d.byte(1));
    let value = d.select(differ, plus(d, other, by), ac);
    s.write(at, value);
    differ
}

/// The comparisons of dev7: vAC becomes a word whose sign says how it was to another. The
/// high bytes decide where they differ, which is the shorter way; a byte is compared with
/// a vAC that has no high byte.
fn compare<S: State>(s: &mut S, op: Op, other: Word<S>) -> Bit<S> {
    let d = s.domain();
    let ac = register(s, VAC);
    let (high, low) = (d.high(ac), d.low(ac));
    let (their_high, their_low) = (d.high(other), d.low(other));
    let one = d.byte(1);
    let difference = |a, b| d.sub(a, b, d.bit(false)).0;
    let signs_differ = |a, b| d.test(d.xor(a, b), 0x80);
    // A byte that has the sign, and is not 0.
    let ordered = |a| d.or(d.xor(a, d.byte(0x80)), one);
    let by_high = match op {
        Op::Cmpws | Op::Cmpwu => {
            let apart = match op {
                Op::Cmpws => d.or(high, one),
                _ => ordered(high),
            };
            let differ = signs_differ(high, their_high);
            d.select(differ, apart, difference(high, their_high))
        }
        Op::Cmpis => high,
        _ => one,
    };
    let differ = signs_differ(low, their_low);
    let less = difference(low, their_low);
    let by_low = d.select(differ, ordered(low), less);
    let equal = d.is_zero(d.xor(high, their_high));
    let high = d.select(equal, by_low, by_high);
    let low = d.select(d.both(equal, d.not(differ)), less, low);
    set(s, VAC, d.pair(high, low));
    equal
}

/// Executes an instruction; whether it took the longer of its times.
pub fn exec<S: State>(s: &mut S, op: Op) -> Bit<S> {
    let d = s.domain();
    let no = d.bit(false);
    match op {
        Op::Bra => {
            let to = target(s, s.page(), 0);
            s.go(to);
        }
        Op::Beq | Op::Bne | Op::Blt | Op::Bgt | Op::Ble | Op::Bge => {
            let taken = holds(s, op);
            let to = target(s, s.page(), 0);
            s.when(taken, |s| s.go(to));
            return taken;
        }
        Op::Jeq | Op::Jne | Op::Jlt | Op::Jge | Op::Jgt | Op::Jle => {
            let taken = holds(s, op);
            let to = target(s, s.constant(1), 0);
            s.when(taken, |s| s.go(to));
            if op == Op::Jgt {
                let zero = holds(s, Op::Jeq);
                s.spend(zero, 2);
            }
            return taken;
        }
        Op::Dbne => {
            let at = zero(s, 0);
            let count = plus(d, s.read(at), d.byte(0xff));
            s.write(at, count);
            let more = d.not(d.is_zero(count));
            let to = target(s, s.page(), 1);
            s.when(more, |s| s.go(to));
            return more;
        }
        Op::Call => {
            let (at, next) = (zero(s, 0), s.next());
            let to = load(s, at);
            set(s, VLR, next);
            s.go(to);
        }
        Op::Calli => {
            let (to, next) = (word(s, 0), s.next());
            set(s, VLR, next);
            s.go(to);
        }
        Op::Ret => {
            let to = register(s, VLR);
            s.go(to);
        }
        Op::Def => {
            let (to, next) = (target(s, s.page(), 0), s.next());
            set(s, VAC, next);
            s.go(to);
        }
        Op::Push => {
            let lr = register(s, VLR);
            move_stack(s, d.word(0xfffe));
            let (low, high) = stack(s);
            store(s, d.pair(high, low), lr);
        }
        Op::Pop => {
            let (low, high) = stack(s);
            let lr = load(s, d.pair(high, low));
            set(s, VLR, lr);
            move_stack(s, d.word(2));
        }
        Op::Alloc => {
            let by = d.sign_extend(s.constant(0));
            move_stack(s, by);
        }
        Op::Halt => s.halt(),
        Op::Sys => s.native(),
        Op::Cmphs | Op::Cmphu => return adjust(s, op == Op::Cmphs),
        _ => return data(s, op),
    }
    no
}

/// Loads, stores, arithmetic.
fn data<S: State>(s: &mut S, op: Op) -> Bit<S> {
    let d = s.domain();
    let mut long = d.bit(false);
    let result = match op {
        Op::Ldwi => word(s, 0),
        Op::Ldi => wide(d, s.constant(0)),
        Op::Ld => {
            let at = zero(s, 0);
            wide(d, s.read(at))
        }
        Op::Ldw => {
            let at = zero(s, 0);
            load(s, at)
        }
        Op::Ldsb => {
            let at = zero(s, 0);
            d.sign_extend(s.read(at))
        }
        Op::Ldlw => {
            let at = on_stack(s);
            load(s, at)
        }
        Op::Peek => {
            let at = register(s, VAC);
            wide(d, s.read(at))
        }
        Op::Deek => {
            let at = register(s, VAC);
            load(s, at)
        }
        Op::Peekv => {
            let at = zero(s, 0);
            let at = load(s, at);
            wide(d, s.read(at))
        }
        Op::Deekv => {
            let at = zero(s, 0);
            let at = load(s, at);
            load(s, at)
        }
        Op::Ldxw => {
            let (at, by) = (zero(s, 0), word(s, 1));
            let at = load(s, at);
            load(s, add(d, at, by))
        }
        Op::Lup => {
            let ac = register(s, VAC);
            let low = plus(d, d.low(ac), s.constant(0));
            wide(d, s.rom(d.pair(d.high(ac), low)))
        }
        Op::Addw | Op::Subw | Op::Andw | Op::Orw | Op::Xorw => {
            let at = zero(s, 0);
            let (a, b) = (register(s, VAC), load(s, at));
            match op {
                Op::Addw => add(d, a, b),
                Op::Subw => sub(d, a, b),
                Op::Andw => bitwise(d, a, b, |d, a, b| d.and(a, b)),
                Op::Orw => bitwise(d, a, b, |d, a, b| d.or(a, b)),
                _ => bitwise(d, a, b, |d, a, b| d.xor(a, b)),
            }
        }
        Op::Addi | Op::Subi => {
            let a = register(s, VAC);
            let (low, n) = (d.low(a), s.constant(0));
            long = match op {
                Op::Addi => d.add(low, n, d.bit(false)).1,
                _ => d.sub(low, n, d.bit(false)).1,
            };
            let n = wide(d, n);
            match op {
                Op::Addi => add(d, a, n),
                _ => sub(d, a, n),
            }
        }
        Op::Lslw => {
            let a = register(s, VAC);
            long = d.test(d.low(a), 0x80);
            add(d, a, a)
        }
        Op::Andi => {
            let a = register(s, VAC);
            wide(d, d.and(d.low(a), s.constant(0)))
        }
        Op::Ori | Op::Xori => {
            let a = register(s, VAC);
            let n = s.constant(0);
            let low = match op {
                Op::Ori => d.or(d.low(a), n),
                _ => d.xor(d.low(a), n),
            };
            d.pair(d.high(a), low)
        }
        Op::Addhi => {
            let a = register(s, VAC);
            d.pair(plus(d, d.high(a), s.constant(0)), d.low(a))
        }
        _ => return memory(s, op),
    };
    set(s, VAC, result);
    long
}

/// What changes memory.
fn memory<S: State>(s: &mut S, op: Op) -> Bit<S> {
    let d = s.domain();
    let ac = register(s, VAC);
    let at = zero(s, 0);
    match op {
        Op::St => s.write(at, d.low(ac)),
        Op::Stw => store(s, at, ac),
        Op::Stlw => {
            let at = on_stack(s);
            store(s, at, ac);
        }
        Op::Poke => {
            let to = load(s, at);
            s.write(to, d.low(ac));
        }
        Op::Doke => {
            let to = load(s, at);
            store(s, to, ac);
        }
        Op::Stxw => {
            let to = load(s, at);
            let by = word(s, 1);
            store(s, add(d, to, by), ac);
        }
        Op::Pokea => {
            let value = s.read(at);
            s.write(ac, value);
        }
        Op::Dokea => {
            let value = load(s, at);
            store(s, ac, value);
        }
        Op::Pokeq => s.write(ac, s.constant(0)),
        Op::Dokeq => store(s, ac, wide(d, s.constant(0))),
        Op::Peeka => {
            let value = s.read(ac);
            s.write(at, value);
        }
        Op::Deeka => {
            let value = load(s, ac);
            store(s, at, value);
        }
        Op::Inc => {
            let value = plus(d, s.read(at), d.byte(1));
            s.write(at, value);
        }
        Op::Movqb => s.write(at, s.constant(1)),
        Op::Movqw => {
            let value = wide(d, s.constant(1));
            store(s, at, value);
        }
        Op::Moviw => {
            let value = d.pair(s.constant(1), s.constant(2));
            store(s, at, value);
        }
        Op::Movw => {
            let from = zero(s, 1);
            let value = load(s, from);
            store(s, at, value);
        }
        Op::Cmpws | Op::Cmpwu => {
            let other = load(s, at);
            return compare(s, op, other);
        }
        Op::Cmpis | Op::Cmpiu => {
            let number = wide(d, s.constant(0));
            return compare(s, op, number);
        }
        _ => {
            let value = load(s, at);
            let changed = match op {
                Op::Negv => sub(d, d.word(0), value),
                Op::Addv => add(d, value, ac),
                Op::Subv => sub(d, value, ac),
                Op::Incv => d.inc16(value),
                _ => add(d, value, d.sign_extend(s.constant(1))),
            };
            store(s, at, changed);
            let was = d.low(value);
            let is = d.low(changed);
            return match op {
                Op::Incv => d.is_zero(is),
                // Where it crosses half a page it looks whether the high byte changes.
                Op::Addsv => {
                    let over = d.test(d.xor(was, is), 0x80);
                    let high = d.xor(d.high(value), d.high(changed));
                    s.spend(d.both(over, d.is_zero(high)), -2);
                    over
                }
                _ => d.bit(false),
            };
        }
    }
    d.bit(false)
}
