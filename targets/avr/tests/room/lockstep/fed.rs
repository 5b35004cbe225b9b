//! Peripherals that are simavr's: what the CPU reads of them, and which interrupts it
//! takes, is taken from the trace. So real programs run in step on all that the CPU
//! itself does, whatever our own peripherals are.

use scrimp_avr::op::Op;
use scrimp_avr::semantics::Ins;
use scrimp_avr::sim::{Chip, Clock, Cpu, Io, Request, ins};

use super::State;

/// Answers for one instruction.
#[derive(Default)]
pub struct Fed {
    answer: u8,
    request: Option<Request>,
}

impl Io for Fed {
    fn read(&mut self, _: u16, _: &mut Clock) -> u8 {
        self.answer
    }

    fn write(&mut self, _: u16, _: u8, _: &mut Clock) {}

    fn set_bit(&mut self, _: u16, _: u8, _: bool, _: &mut Clock) {}

    fn interrupt(&self) -> Option<Request> {
        self.request
    }

    fn acknowledge(&mut self, _: u8, _: u64) {
        self.request = None;
    }

    /// Sleep is simavr's too.
    fn sleep(&mut self, _: u64) -> bool {
        false
    }
}

impl Fed {
    /// Looks up what the next instruction will read, in the state after it.
    pub fn prepare(&mut self, cpu: &Cpu, after: &State) {
        let chip: &Chip = cpu.chip();
        let i: Ins = ins(chip, cpu.flash(), cpu.pc() / 2);
        self.answer = match i.op {
            Op::Sbic | Op::Sbis => {
                // By the time, since an interrupt may follow.
                let stays = after.cycle == cpu.now() + u64::from(i.short);
                let set = stays == (i.op == Op::Sbic);
                u8::from(set) << i.r
            }
            _ => after.registers[usize::from(i.d & 31)],
        };
    }

    /// Whether the state is ours after an interrupt. If so the CPU takes it.
    pub fn interrupted(&mut self, cpu: &mut Cpu, before: &State, after: &State) -> bool {
        let bytes = if cpu.chip().wide() { 3 } else { 2 };
        let entered = before.sreg & 0x80 != 0
            && after.sreg == before.sreg & 0x7f
            && after.sp == before.sp.wrapping_sub(bytes)
            && after.registers == before.registers;
        if !entered {
            return false;
        }
        self.request = Some(Request {
            vector: 0,
            address: after.pc / 2,
        });
        let clock = cpu.now();
        cpu.step(self);
        // simavr takes no time for it.
        cpu.set_now(clock);
        true
    }
}
