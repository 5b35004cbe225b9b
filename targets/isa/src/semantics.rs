//! The meaning of an instruction set as the engine can hold it: by a fixed set of
//! domains, since what is generic over all of them is no object.

use std::ops::RangeInclusive;

use crate::depend::{self, Depend, Inputs, Source};
use crate::effects::{self, Effects, Successors, Watch};
use crate::known::{self, Known};
use crate::lanes::Lanes;
use crate::memory::{KnownMemory, LanesMemory, Numbers, TermMemory};
use crate::state::{Constants, Layout, Processor, place};
use crate::terms::{Term, Terms};
use crate::{Concrete, Domain};

/// An instruction where it stands.
#[derive(Clone, Copy, Debug)]
pub struct Code<'a> {
    /// Its bytes, and those behind it as far as they are known.
    pub bytes: &'a [u8],
    /// Its address in bytes.
    pub address: u64,
}

/// The meaning of an instruction set, on one chip.
///
/// A run takes one instruction on a state and says whether it took the longer of its
/// times; `None` where the bytes are no instruction. The program counter is that of the
/// state, not of the code's address.
pub trait Semantics: Send + Sync {
    /// What the CPU has.
    fn layout(&self) -> &'static Layout;
    /// Bytes of the instruction.
    fn length(&self, code: Code<'_>) -> Option<usize>;
    /// Its times, the shorter one first.
    fn times(&self, code: Code<'_>) -> Option<(u8, u8)>;
    /// Bytes that one step of the program counter counts.
    fn unit(&self) -> u64 {
        1
    }
    /// Instructions that run behind a jump.
    fn slots(&self) -> u8 {
        0
    }
    /// Options of a processor whose effects are asked for.
    fn options(&self) -> u32 {
        0
    }
    /// Where the stack pointer of a machine stands when a program begins, where that is known.
    fn stack(&self) -> Option<u16> {
        None
    }
    /// Whether an address of data surely is memory that nobody but the program changes: it may
    /// be read more often or less.
    fn is_own(&self, address: u32) -> bool {
        let _ = address;
        false
    }
    /// Whether what is put at an address of data is no address of data.
    fn is_elsewhere(&self, address: u32) -> bool {
        let _ = address;
        false
    }
    /// Cells that the CPU itself, or what is around it, looks at whatever the program does.
    fn outside(&self) -> &'static [u8] {
        &[]
    }
    /// Cells that are seen outside when a program sets another one: that, and which is seen.
    fn shown(&self) -> &'static [(u8, u8)] {
        &[]
    }
    /// The bits of an address of data that count on all machines.
    fn mirrored(&self) -> u32 {
        0xffff
    }
    /// Runs it on numbers.
    fn numbers(&self, code: Code<'_>, p: &mut Processor<Concrete, Numbers>) -> Option<bool>;
    /// On 64 states.
    fn lanes(&self, code: Code<'_>, p: &mut Processor<Lanes, LanesMemory>) -> Option<u64>;
    /// On known bits.
    fn known(&self, code: Code<'_>, p: &mut Processor<Known, KnownMemory>) -> Option<known::Bit>;
    /// On dependences.
    fn depend(&self, code: Code<'_>, p: &mut Processor<Depend, Watch>) -> Option<Source>;
    /// On terms.
    fn terms<'a>(
        &self,
        code: Code<'_>,
        p: &mut Processor<Terms<'a>, TermMemory<'a>>,
    ) -> Option<Term>;

    /// Its effects, whatever its constants are; addresses that it names are taken as they
    /// are. Pointers lie in a range of data memory.
    fn effects(&self, code: Code<'_>, pointed: RangeInclusive<u16>) -> Option<Effects> {
        let layout = self.layout();
        let mut p = effects::start(layout, None);
        p.pointed = pointed;
        p.options = self.options();
        p.constants = Some(Constants {
            values: [22, 23].map(|n| depend::mixed(Inputs::one(place::IMMEDIATE), 1 << n)),
            address: None,
        });
        let long = self.depend(code, &mut p)?;
        let (short, most) = self.times(code)?;
        let same = short == most;
        let long = if same { Source::Known(false) } else { long };
        Some(Effects::of_run(layout, &p, long))
    }

    /// Where control goes from it.
    fn successors(&self, code: Code<'_>) -> Option<Successors> {
        let layout = self.layout();
        let at = code.address / self.unit();
        let mut p = effects::start(layout, Some(((at >> 16) as u8, at as u16)));
        if self.slots() > 0 {
            // The word behind is being fetched.
            let d = Depend;
            p.set_counter(d.byte(0), d.word(at as u16 + 1));
            p.set_behind(d.word((at as u16).wrapping_add(2)));
        }
        self.depend(code, &mut p)?;
        let length = self.length(code)? as u64;
        let next = (code.address + length) / self.unit();
        let mask = if self.counts_22_bits() {
            0x3f_ffff
        } else {
            0xffff
        };
        let next = (next + u64::from(self.slots())) as u32 & mask;
        Some(Successors::of_run(layout, &p, next, self.slots()))
    }

    /// Whether addresses of program memory may have more than 16 bits.
    fn counts_22_bits(&self) -> bool {
        false
    }
}

/// The methods of [`Semantics`] that run an instruction, from one method of the room that
/// is generic: `fn run<D: Domain, M: Memory<D>>(&self, code, p) -> Option<D::Bit>`.
#[macro_export]
macro_rules! runs {
    () => {
        fn numbers(
            &self,
            code: $crate::semantics::Code<'_>,
            p: &mut $crate::state::Processor<$crate::Concrete, $crate::memory::Numbers>,
        ) -> Option<bool> {
            self.run(code, p)
        }
        fn lanes(
            &self,
            code: $crate::semantics::Code<'_>,
            p: &mut $crate::state::Processor<$crate::lanes::Lanes, $crate::memory::LanesMemory>,
        ) -> Option<u64> {
            self.run(code, p)
        }
        fn known(
            &self,
            code: $crate::semantics::Code<'_>,
            p: &mut $crate::state::Processor<$crate::Known, $crate::memory::KnownMemory>,
        ) -> Option<$crate::known::Bit> {
            self.run(code, p)
        }
        fn depend(
            &self,
            code: $crate::semantics::Code<'_>,
            p: &mut $crate::state::Processor<$crate::depend::Depend, $crate::effects::Watch>,
        ) -> Option<$crate::depend::Source> {
            self.run(code, p)
        }
        fn terms<'a>(
            &self,
            code: $crate::semantics::Code<'_>,
            p: &mut $crate::state::Processor<
                $crate::terms::Terms<'a>,
                $crate::memory::TermMemory<'a>,
            >,
        ) -> Option<$crate::terms::Term> {
            self.run(code, p)
        }
    };
}
