//! The CPU driven: instructions until a time, between them what the peripherals want,
//! interrupts, sleep and breakpoints.

use std::sync::Arc;

use scrimp_isa::machine::Stop;

use super::code::END;
use super::cpu::{Cpu, LARGE, SMALL};
use super::io::{Io, Request};
use super::run::Run;
use crate::op::Op;
use crate::semantics::{self, Ins};

impl Cpu {
    /// Runs whole instructions until the clock is at `until` or later, a breakpoint
    /// is reached, or the CPU sleeps with interrupts off. A breakpoint where the run
    /// begins does not stop it.
    pub fn run<I: Io>(&mut self, io: &mut I, until: u64) -> Stop {
        self.until = until;
        self.stop = false;
        if self.breakpoints.contains_key(&self.pc) && self.cycle < until && !self.asleep {
            self.over_breakpoint(io);
        }
        loop {
            if self.cycle >= io.next_event() {
                self.events(io);
            }
            if self.stop {
                return Stop::Breakpoint(u64::from(self.pc()));
            }
            if self.cycle >= until {
                return Stop::Cycles;
            }
            if self.shield {
                self.shield = false;
                self.limit = 0;
            } else {
                if self.i
                    && let Some(request) = io.interrupt()
                {
                    self.take(io, request);
                    continue;
                }
                if self.asleep {
                    // A byte may still be going out, a watchdog bite.
                    if !self.i && io.next_event() == u64::MAX {
                        return Stop::Halted;
                    }
                    self.cycle = io.next_event().clamp(self.cycle, until);
                    continue;
                }
                self.limit = until.min(io.next_event());
            }
            self.work(io);
        }
    }

    /// Runs one instruction, and more until the limit.
    fn work<I: Io>(&mut self, io: &mut I) {
        let code = Arc::clone(&self.code);
        if let Ok(code) = <&[Ins; SMALL]>::try_from(&*code) {
            Run::run(self, io, code);
        } else if let Ok(code) = <&[Ins; LARGE]>::try_from(&*code) {
            Run::run(self, io, code);
        }
    }

    /// Runs one instruction, before it an interrupt if there is one; asleep, a clock.
    pub fn step<I: Io>(&mut self, io: &mut I) -> Stop {
        self.run(io, self.cycle + 1)
    }

    /// Lets the peripherals do what is due.
    fn events<I: Io>(&mut self, io: &mut I) {
        io.event(self.cycle);
        if io.reset() {
            self.reset();
        }
    }

    /// The instruction under a breakpoint.
    fn over_breakpoint<I: Io>(&mut self, io: &mut I) {
        let at = self.pc;
        let here = self.breakpoints[&at];
        Arc::make_mut(&mut self.code)[at as usize] = here;
        // Whatever happens within it ends the inner loop.
        self.limit = 0;
        self.shield = false;
        self.work(io);
        if self.breakpoints.contains_key(&at) {
            Arc::make_mut(&mut self.code)[at as usize].op = Op::Undefined;
        }
    }

    /// Goes to an interrupt routine: the program counter to the stack, I off.
    fn take<I: Io>(&mut self, io: &mut I, request: Request) {
        let wakes = std::mem::take(&mut self.asleep);
        self.pc %= self.words;
        let mut run = Run::new(self, io, &[END]);
        semantics::push_next(&mut run);
        run.end();
        self.pc = request.address % self.words;
        self.i &= !self.chip.core.reti_sets_i();
        let clocks = 4 + u64::from(self.wide) + if wakes { 4 } else { 0 };
        self.cycle += clocks;
        io.acknowledge(request.vector, self.cycle);
    }
}
