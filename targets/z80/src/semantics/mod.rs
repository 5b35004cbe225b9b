//! What each operation does, written once for all value domains.
//!
//! [`exec`] has one arm for each [`Op`]. Registers, flags and time are as Zilog's
//! manual says; the undocumented flags X and Y, the hidden registers WZ (MEMPTR)
//! and Q, and the flags of interrupted block instructions follow the research
//! that the SingleStepTests embody.

mod arithmetic;
mod block;
mod flags;
mod rotate;
mod transfer;

use scrimp_isa::domain::{Bit, Byte, Word};
use scrimp_isa::{Context, Domain};

use crate::op::Op;
use crate::reg;

/// The flag of parity, overflow and, after LD A,I, interrupts.
pub(crate) const PARITY: u8 = flags::P;

/// The registers of a Z80, in some domain.
pub trait State: Context {
    /// A byte register by its number in [`reg`].
    fn get(&self, register: u8) -> Byte<Self>;
    /// Sets a byte register.
    fn set(&mut self, register: u8, value: Byte<Self>);
    /// Program counter; past the bytes of the instruction read so far.
    fn pc(&self) -> Word<Self>;
    /// Sets the program counter.
    fn set_pc(&mut self, value: Word<Self>);
    /// Goes to an address if a condition holds.
    #[inline(always)]
    fn jump_if(&mut self, condition: Bit<Self>, to: Word<Self>) {
        self.when(condition, |s| s.set_pc(to));
    }
    /// The next byte of the instruction.
    fn immediate(&mut self) -> Byte<Self>;
    /// The displacement of (IX+d), which DD CB puts before the opcode.
    fn displacement(&mut self, form: &Ins) -> Byte<Self>;
    /// Q: the flags if the instruction before changed them, else 0.
    fn q(&self) -> Byte<Self>;
    /// Sets what Q will be.
    fn set_q(&mut self, value: Byte<Self>);
    /// The refresh counter R.
    fn refresh(&self) -> Byte<Self>;
    /// Sets R.
    fn set_refresh(&mut self, value: Byte<Self>);
    /// Interrupt flip-flop 1 or 2.
    fn iff(&self, which: u8) -> Bit<Self>;
    /// Sets interrupt flip-flop 1 or 2.
    fn set_iff(&mut self, which: u8, value: Bit<Self>);
    /// Interrupt mode 0, 1 or 2.
    fn set_mode(&mut self, mode: u8);
    /// No interrupt is taken before the next instruction.
    fn shield(&mut self);
    /// Stops until an interrupt.
    fn halt(&mut self);
    /// P has just been made of the interrupt flip-flop: an INT that is taken now
    /// clears it (a fault of the NMOS Z80).
    fn told_interrupts(&mut self) {}
    /// SP has just been set and may be lower than it was.
    fn stack_moved(&mut self) {}

    /// A register pair.
    #[inline(always)]
    fn pair(&self, pair: u8) -> Word<Self> {
        self.domain().pair(self.get(pair), self.get(pair ^ 1))
    }
    /// Sets a register pair.
    #[inline(always)]
    fn set_pair(&mut self, pair: u8, value: Word<Self>) {
        let d = self.domain();
        self.set(pair, d.high(value));
        self.set(pair ^ 1, d.low(value));
    }
    /// Sets the flags, and Q with them.
    #[inline(always)]
    fn set_flags(&mut self, value: Byte<Self>) {
        self.set(reg::F, value);
        self.set_q(value);
    }
    /// The next two bytes of the instruction.
    #[inline(always)]
    fn immediate16(&mut self) -> Word<Self> {
        let low = self.immediate();
        let high = self.immediate();
        self.domain().pair(high, low)
    }
}

/// How an operation finds its memory operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Mode {
    /// (HL), or no memory operand.
    Plain,
    /// (IX+d), the displacement behind the opcode.
    Displaced,
    /// (IX+d), the displacement before the opcode.
    Before,
}

/// An instruction form with the parts of its opcode, made from a row of the
/// table and the bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ins {
    /// The operation.
    pub op: Op,
    /// Bits 5 to 3 of the opcode: bit number, condition or restart.
    pub y: u8,
    /// The register that bits 5 to 3 name.
    pub a: u8,
    /// The register that bits 2 to 0 name.
    pub b: u8,
    /// The pair that bits 5 and 4 name.
    pub p: u8,
    /// HL, IX or IY.
    pub x: u8,
    /// How it finds memory.
    pub mode: Mode,
    /// T-states when a branch is taken or a block goes on, else all of them.
    pub long: u8,
    /// T-states otherwise.
    pub short: u8,
}

/// Does the operation. The bit returned tells whether it takes its longer time.
#[inline(always)]
pub fn exec<S: State>(s: &mut S, i: &Ins) -> Bit<S> {
    let d = s.domain();
    let no = d.bit(false);
    match i.op {
        Op::LdRR => s.set(i.a, s.get(i.b)),
        Op::LdRN => {
            let v = s.immediate();
            s.set(i.a, v);
        }
        Op::LdRM => {
            let v = memory(s, i);
            s.set(i.a, v);
        }
        Op::LdMR => {
            let at = address(s, i);
            s.write(at, s.get(i.b));
        }
        Op::LdMN => {
            let v = s.immediate();
            s.write(s.pair(reg::HL), v);
        }
        Op::LdXN => transfer::ld_index_n(s, i),
        Op::LdAP => transfer::ld_a_pointer(s, i.p),
        Op::LdPA => transfer::ld_pointer_a(s, i.p),
        Op::LdAW => transfer::ld_a_word(s),
        Op::LdWA => transfer::ld_word_a(s),
        Op::LdAI => transfer::ld_a_special(s, s.get(reg::I)),
        Op::LdAR => transfer::ld_a_special(s, s.refresh()),
        Op::LdIA => {
            s.idle(1);
            s.set(reg::I, s.get(reg::A));
        }
        Op::LdRA => {
            s.idle(1);
            s.set_refresh(s.get(reg::A));
        }
        Op::LdPN => {
            let v = s.immediate16();
            s.set_pair(i.p, v);
            if i.p == reg::SP {
                s.stack_moved();
            }
        }
        Op::LdPW => transfer::ld_pair_word(s, i.p),
        Op::LdWP => transfer::ld_word_pair(s, i.p),
        Op::LdSp => {
            s.idle(2);
            s.set_pair(reg::SP, s.pair(i.x));
            s.stack_moved();
        }
        Op::Push => {
            s.idle(1);
            push(s, s.pair(i.p));
        }
        Op::Pop => {
            let v = pop(s);
            s.set_pair(i.p, v);
        }
        Op::ExDeHl => {
            let de = s.pair(reg::DE);
            s.set_pair(reg::DE, s.pair(reg::HL));
            s.set_pair(reg::HL, de);
        }
        Op::ExAf => transfer::exchange(s, reg::F..=reg::A),
        Op::Exx => transfer::exchange(s, reg::B..=reg::L),
        Op::ExSp => transfer::ex_sp(s, i.x),

        Op::Ldi => return block::load(s, UP, ONCE),
        Op::Ldd => return block::load(s, DOWN, ONCE),
        Op::Ldir => return block::load(s, UP, REPEAT),
        Op::Lddr => return block::load(s, DOWN, REPEAT),
        Op::Cpi => return block::compare(s, UP, ONCE),
        Op::Cpd => return block::compare(s, DOWN, ONCE),
        Op::Cpir => return block::compare(s, UP, REPEAT),
        Op::Cpdr => return block::compare(s, DOWN, REPEAT),
        Op::Ini => return block::input(s, UP, ONCE),
        Op::Ind => return block::input(s, DOWN, ONCE),
        Op::Inir => return block::input(s, UP, REPEAT),
        Op::Indr => return block::input(s, DOWN, REPEAT),
        Op::Outi => return block::output(s, UP, ONCE),
        Op::Outd => return block::output(s, DOWN, ONCE),
        Op::Otir => return block::output(s, UP, REPEAT),
        Op::Otdr => return block::output(s, DOWN, REPEAT),

        Op::AddR => arithmetic::add(s, s.get(i.b)),
        Op::AddN => {
            let v = s.immediate();
            arithmetic::add(s, v);
        }
        Op::AddM => {
            let v = memory(s, i);
            arithmetic::add(s, v);
        }
        Op::AdcR => arithmetic::adc(s, s.get(i.b)),
        Op::AdcN => {
            let v = s.immediate();
            arithmetic::adc(s, v);
        }
        Op::AdcM => {
            let v = memory(s, i);
            arithmetic::adc(s, v);
        }
        Op::SubR => arithmetic::sub(s, s.get(i.b)),
        Op::SubN => {
            let v = s.immediate();
            arithmetic::sub(s, v);
        }
        Op::SubM => {
            let v = memory(s, i);
            arithmetic::sub(s, v);
        }
        Op::SbcR => arithmetic::sbc(s, s.get(i.b)),
        Op::SbcN => {
            let v = s.immediate();
            arithmetic::sbc(s, v);
        }
        Op::SbcM => {
            let v = memory(s, i);
            arithmetic::sbc(s, v);
        }
        Op::AndR => arithmetic::and(s, s.get(i.b)),
        Op::AndN => {
            let v = s.immediate();
            arithmetic::and(s, v);
        }
        Op::AndM => {
            let v = memory(s, i);
            arithmetic::and(s, v);
        }
        Op::XorR => arithmetic::xor(s, s.get(i.b)),
        Op::XorN => {
            let v = s.immediate();
            arithmetic::xor(s, v);
        }
        Op::XorM => {
            let v = memory(s, i);
            arithmetic::xor(s, v);
        }
        Op::OrR => arithmetic::or(s, s.get(i.b)),
        Op::OrN => {
            let v = s.immediate();
            arithmetic::or(s, v);
        }
        Op::OrM => {
            let v = memory(s, i);
            arithmetic::or(s, v);
        }
        Op::CpR => arithmetic::cp(s, s.get(i.b)),
        Op::CpN => {
            let v = s.immediate();
            arithmetic::cp(s, v);
        }
        Op::CpM => {
            let v = memory(s, i);
            arithmetic::cp(s, v);
        }
        Op::IncR => {
            let v = arithmetic::inc(s, s.get(i.a));
            s.set(i.a, v);
        }
        Op::IncM => {
            modify(s, i, arithmetic::inc);
        }
        Op::DecR => {
            let v = arithmetic::dec(s, s.get(i.a));
            s.set(i.a, v);
        }
        Op::DecM => {
            modify(s, i, arithmetic::dec);
        }
        Op::Daa => arithmetic::daa(s),
        Op::Cpl => arithmetic::cpl(s),
        Op::Neg => arithmetic::neg(s),
        Op::Scf => arithmetic::scf(s),
        Op::Ccf => arithmetic::ccf(s),
        Op::AddP => arithmetic::add16(s, i.x, i.p),
        Op::AdcP => arithmetic::adc16(s, i.p),
        Op::SbcP => arithmetic::sbc16(s, i.p),
        Op::IncP => {
            s.idle(2);
            s.set_pair(i.p, d.inc16(s.pair(i.p)));
        }
        Op::DecP => {
            s.idle(2);
            s.set_pair(i.p, d.dec16(s.pair(i.p)));
            if i.p == reg::SP {
                s.stack_moved();
            }
        }

        Op::Rlca => rotate::accumulator(s, rotate::rlc_bits),
        Op::Rrca => rotate::accumulator(s, rotate::rrc_bits),
        Op::Rla => rotate::accumulator(s, rotate::rl_bits),
        Op::Rra => rotate::accumulator(s, rotate::rr_bits),
        Op::RlcR => {
            let v = rotate::rlc(s, s.get(i.b));
            s.set(i.b, v);
        }
        Op::RlcM => {
            modify(s, i, rotate::rlc);
        }
        Op::RlcC => {
            let v = modify(s, i, rotate::rlc);
            s.set(i.b, v);
        }
        Op::RrcR => {
            let v = rotate::rrc(s, s.get(i.b));
            s.set(i.b, v);
        }
        Op::RrcM => {
            modify(s, i, rotate::rrc);
        }
        Op::RrcC => {
            let v = modify(s, i, rotate::rrc);
            s.set(i.b, v);
        }
        Op::RlR => {
            let v = rotate::rl(s, s.get(i.b));
            s.set(i.b, v);
        }
        Op::RlM => {
            modify(s, i, rotate::rl);
        }
        Op::RlC => {
            let v = modify(s, i, rotate::rl);
            s.set(i.b, v);
        }
        Op::RrR => {
            let v = rotate::rr(s, s.get(i.b));
            s.set(i.b, v);
        }
        Op::RrM => {
            modify(s, i, rotate::rr);
        }
        Op::RrC => {
            let v = modify(s, i, rotate::rr);
            s.set(i.b, v);
        }
        Op::SlaR => {
            let v = rotate::sla(s, s.get(i.b));
            s.set(i.b, v);
        }
        Op::SlaM => {
            modify(s, i, rotate::sla);
        }
        Op::SlaC => {
            let v = modify(s, i, rotate::sla);
            s.set(i.b, v);
        }
        Op::SraR => {
            let v = rotate::sra(s, s.get(i.b));
            s.set(i.b, v);
        }
        Op::SraM => {
            modify(s, i, rotate::sra);
        }
        Op::SraC => {
            let v = modify(s, i, rotate::sra);
            s.set(i.b, v);
        }
        Op::SllR => {
            let v = rotate::sll(s, s.get(i.b));
            s.set(i.b, v);
        }
        Op::SllM => {
            modify(s, i, rotate::sll);
        }
        Op::SllC => {
            let v = modify(s, i, rotate::sll);
            s.set(i.b, v);
        }
        Op::SrlR => {
            let v = rotate::srl(s, s.get(i.b));
            s.set(i.b, v);
        }
        Op::SrlM => {
            modify(s, i, rotate::srl);
        }
        Op::SrlC => {
            let v = modify(s, i, rotate::srl);
            s.set(i.b, v);
        }
        Op::Rld => rotate::rld(s),
        Op::Rrd => rotate::rrd(s),
        Op::BitR => {
            let v = s.get(i.b);
            rotate::bit(s, i.y, v, v);
        }
        Op::BitM => {
            let v = memory(s, i);
            s.idle(1);
            rotate::bit(s, i.y, v, s.get(reg::W));
        }
        Op::ResR => s.set(i.b, d.keep(s.get(i.b), !(1 << i.y))),
        Op::SetR => s.set(i.b, d.or(s.get(i.b), d.byte(1 << i.y))),
        Op::ResM => {
            modify(s, i, |_, v| d.keep(v, !(1 << i.y)));
        }
        Op::SetM => {
            modify(s, i, |_, v| d.or(v, d.byte(1 << i.y)));
        }
        Op::ResC => {
            let v = modify(s, i, |_, v| d.keep(v, !(1 << i.y)));
            s.set(i.b, v);
        }
        Op::SetC => {
            let v = modify(s, i, |_, v| d.or(v, d.byte(1 << i.y)));
            s.set(i.b, v);
        }

        Op::Jp => {
            let to = s.immediate16();
            s.set_pair(reg::WZ, to);
            s.set_pc(to);
        }
        Op::JpC => {
            let to = s.immediate16();
            s.set_pair(reg::WZ, to);
            let c = flags::condition(s, i.y);
            s.jump_if(c, to);
            return c;
        }
        Op::JpP => s.set_pc(s.pair(i.x)),
        Op::Jr => {
            let by = s.immediate();
            jump_relative(s, by);
        }
        Op::JrC => {
            let by = s.immediate();
            let c = flags::condition(s, i.y & 3);
            s.when(c, |s| jump_relative(s, by));
            return c;
        }
        Op::Djnz => {
            s.idle(1);
            let b = d.sub(s.get(reg::B), d.byte(1), no).0;
            s.set(reg::B, b);
            let by = s.immediate();
            let c = d.test(b, 0xff);
            s.when(c, |s| jump_relative(s, by));
            return c;
        }
        Op::Call => {
            let to = s.immediate16();
            s.set_pair(reg::WZ, to);
            call(s, to);
        }
        Op::CallC => {
            let to = s.immediate16();
            s.set_pair(reg::WZ, to);
            let c = flags::condition(s, i.y);
            s.when(c, |s| call(s, to));
            return c;
        }
        Op::Ret => ret(s),
        Op::RetC => {
            s.idle(1);
            let c = flags::condition(s, i.y);
            s.when(c, ret);
            return c;
        }
        Op::Retn => {
            s.set_iff(1, s.iff(2));
            ret(s);
        }
        Op::Rst => {
            let to = d.word(u16::from(i.y) * 8);
            s.set_pair(reg::WZ, to);
            call(s, to);
        }

        Op::InA => transfer::in_a(s),
        Op::OutA => transfer::out_a(s),
        Op::InC => {
            let v = transfer::in_c(s);
            s.set(i.a, v);
        }
        Op::InF => {
            transfer::in_c(s);
        }
        Op::OutC => transfer::out_c(s, s.get(i.a)),
        // The CMOS Z80 writes 255 here; the NMOS one 0, as the mnemonic says.
        Op::OutZ => transfer::out_c(s, d.byte(0)),

        Op::Nop => {}
        Op::Prefix => s.shield(),
        // Of a Z80N: no decoder of a Z80 finds it.
        Op::Foreign => {}
        Op::Halt => s.halt(),
        Op::Di => {
            s.set_iff(1, no);
            s.set_iff(2, no);
        }
        Op::Ei => {
            s.set_iff(1, d.bit(true));
            s.set_iff(2, d.bit(true));
            s.shield();
        }
        Op::Im => s.set_mode([0, 0, 1, 2][usize::from(i.y & 3)]),
    }
    no
}

/// A block instruction that goes up, down, once, or until it is done.
const UP: bool = true;
const DOWN: bool = false;
const REPEAT: bool = true;
const ONCE: bool = false;

/// The address of the memory operand; leaves (IX+d) in WZ.
#[inline(always)]
fn address<S: State>(s: &mut S, i: &Ins) -> Word<S> {
    if i.mode == Mode::Plain {
        return s.pair(reg::HL);
    }
    let by = s.displacement(i);
    s.idle(if i.mode == Mode::Before { 2 } else { 5 });
    indexed(s, i.x, by)
}

/// IX+d, left in WZ.
#[inline(always)]
fn indexed<S: State>(s: &mut S, index: u8, by: Byte<S>) -> Word<S> {
    let d = s.domain();
    let at = d.add16(s.pair(index), d.sign_extend(by), d.bit(false)).0;
    s.set_pair(reg::WZ, at);
    at
}

/// The memory operand.
#[inline(always)]
fn memory<S: State>(s: &mut S, i: &Ins) -> Byte<S> {
    let at = address(s, i);
    s.read(at)
}

/// Changes the memory operand; the result.
#[inline(always)]
fn modify<S: State>(
    s: &mut S,
    i: &Ins,
    change: impl FnOnce(&mut S, Byte<S>) -> Byte<S>,
) -> Byte<S> {
    let at = address(s, i);
    let v = s.read(at);
    s.idle(1);
    let v = change(s, v);
    s.write(at, v);
    v
}

/// Pushes a word, high byte first.
#[inline(always)]
pub(crate) fn push<S: State>(s: &mut S, v: Word<S>) {
    let d = s.domain();
    let sp = d.dec16(s.pair(reg::SP));
    s.write(sp, d.high(v));
    let sp = d.dec16(sp);
    s.write(sp, d.low(v));
    s.set_pair(reg::SP, sp);
    s.stack_moved();
}

/// Pops a word.
#[inline(always)]
fn pop<S: State>(s: &mut S) -> Word<S> {
    let d = s.domain();
    let sp = s.pair(reg::SP);
    let low = s.read(sp);
    let sp = d.inc16(sp);
    let high = s.read(sp);
    s.set_pair(reg::SP, d.inc16(sp));
    d.pair(high, low)
}

/// Pushes the program counter and goes there.
#[inline(always)]
fn call<S: State>(s: &mut S, to: Word<S>) {
    s.idle(1);
    push(s, s.pc());
    s.set_pc(to);
}

/// Pops the program counter.
#[inline(always)]
fn ret<S: State>(s: &mut S) {
    let to = pop(s);
    s.set_pair(reg::WZ, to);
    s.set_pc(to);
}

/// Adds a signed byte to the program counter.
#[inline(always)]
fn jump_relative<S: State>(s: &mut S, by: Byte<S>) {
    let d = s.domain();
    s.idle(5);
    let to = d.add16(s.pc(), d.sign_extend(by), d.bit(false)).0;
    s.set_pair(reg::WZ, to);
    s.set_pc(to);
}
