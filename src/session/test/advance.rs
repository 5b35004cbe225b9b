//! A machine that runs for a test: fast from stop to stop, or instruction by instruction
//! where something is counted.

use super::coverage::Coverage;
use scrimp_isa::Simulation;
use scrimp_isa::machine::Stop;

/// Cycles at once.
const SLICE: u64 = 1 << 24;

/// Why it came back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Came {
    /// It is where it should come to.
    There,
    /// The time is over.
    Late,
    /// The CPU waits for what cannot come.
    Halted,
    /// It comes to a routine that the test stands in for: which.
    Mock(usize),
}

/// Where to stop: an address, and the stack pointer there if that matters.
#[derive(Clone, Copy, Debug)]
pub struct Goal {
    /// Program counter.
    pub pc: u64,
    /// Stack pointer.
    pub sp: Option<u64>,
}

/// A machine and what is counted.
pub struct Engine {
    /// The machine.
    pub simulation: Box<dyn Simulation>,
    /// Each instruction is looked at.
    pub steps: bool,
    /// What was executed, where that is wanted.
    pub coverage: Option<Coverage>,
    /// Lowest stack pointer since it was set.
    pub lowest: u64,
    /// What was read and never written: instruction and address, the first of each.
    pub unwritten: Vec<(u64, u16)>,
    /// Addresses of routines that the test stands in for.
    pub mocks: Vec<u64>,
}

impl Engine {
    /// Runs until the goal, a mock, or the clock is at `end`. Where it stands now counts
    /// only as a mock.
    pub fn advance(&mut self, goal: Option<Goal>, end: u64) -> Came {
        let pc = self.simulation.pc();
        if let Some(mock) = self.mocks.iter().position(|&m| m == pc) {
            return Came::Mock(mock);
        }
        match self.steps {
            true => self.slowly(goal, end),
            false => self.fast(goal, end),
        }
    }

    fn is_there(&self, goal: Option<Goal>) -> bool {
        let pc = self.simulation.pc();
        let sp = |g: Goal| g.sp.is_none_or(|sp| self.simulation.stack() == Some(sp));
        goal.is_some_and(|g| g.pc == pc && sp(g))
    }

    fn arrived(&self, goal: Option<Goal>) -> Option<Came> {
        if self.is_there(goal) {
            return Some(Came::There);
        }
        let pc = self.simulation.pc();
        let mock = self.mocks.iter().position(|&m| m == pc);
        mock.map(Came::Mock)
    }

    fn fast(&mut self, goal: Option<Goal>, end: u64) -> Came {
        let places = self.mocks.iter().copied().chain(goal.map(|g| g.pc));
        let places: Vec<u64> = places.collect();
        for &p in &places {
            self.simulation.breakpoint(p, true);
        }
        let came = loop {
            let now = self.simulation.cycles();
            if now >= end {
                break Came::Late;
            }
            match self.simulation.run((end - now).min(SLICE)) {
                Stop::Halted => break Came::Halted,
                Stop::Breakpoint(_) => {
                    if let Some(came) = self.arrived(goal) {
                        break came;
                    }
                }
                _ => {}
            }
        };
        for p in places {
            self.simulation.breakpoint(p, false);
        }
        came
    }

    fn slowly(&mut self, goal: Option<Goal>, end: u64) -> Came {
        loop {
            if self.simulation.cycles() >= end {
                return Came::Late;
            }
            let pc = self.simulation.pc();
            let stop = self.simulation.run(1);
            let next = self.simulation.pc();
            if let Some(coverage) = &mut self.coverage {
                coverage.step(pc, next);
            }
            if let Some(sp) = self.simulation.stack() {
                self.lowest = self.lowest.min(sp);
            }
            if let Some(probe) = self.simulation.probe() {
                for address in std::mem::take(&mut probe.unwritten) {
                    if self.unwritten.len() < 100 {
                        self.unwritten.push((pc, address));
                    }
                }
            }
            if stop == Stop::Halted {
                return Came::Halted;
            }
            if let Some(came) = self.arrived(goal) {
                return came;
            }
        }
    }
}
