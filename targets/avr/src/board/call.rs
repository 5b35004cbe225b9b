//! Calling routines of a program from the host.

use scrimp_isa::machine::Stop;

use super::AvrSimulation;

/// Why a routine did not return.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoReturn {
    /// The clocks were used up; where it was then.
    Clocks(u32),
    /// It met a breakpoint.
    Breakpoint(u32),
    /// The CPU sleeps with interrupts off.
    Halted(u32),
}

impl AvrSimulation {
    /// Calls the routine at a byte address and runs until it returns, for so many
    /// clocks at most; gives the clocks that it took, RET included. Registers, memory
    /// and interrupts are as they are; the stack pointer is set to the end of SRAM when
    /// it is 0, and program counter and stack pointer are as before after it.
    ///
    /// # Errors
    /// It did not return.
    pub fn call(&mut self, address: u32, clocks: u64) -> Result<u64, NoReturn> {
        let (pc, sp) = (self.cpu.pc(), self.cpu.sp());
        let top = (self.device.sram.start + self.device.sram.size).wrapping_sub(1) as u16;
        if sp == 0 {
            self.cpu.set_sp(top);
        }
        // It returns to the last word of flash, which is not executed.
        let back = self.cpu.flash().len() as u32 - 2;
        let held = self.cpu.has_breakpoint(back);
        let start = self.cpu.sp();
        let word = back / 2;
        let mut bytes = vec![word as u8, (word >> 8) as u8];
        if self.cpu.chip().wide() {
            bytes.push((word >> 16) as u8);
        }
        for byte in &bytes {
            let sp = self.cpu.sp();
            self.cpu.set_data(sp, *byte);
            self.cpu.set_sp(sp.wrapping_sub(1));
        }
        self.cpu.breakpoint(back, true);
        self.cpu.set_pc(address);
        let begin = self.cpu.now();
        let until = begin.saturating_add(clocks);
        let result = loop {
            let stop = self.cpu.run(&mut self.io, until);
            match stop {
                // The same place may be reached deeper down the stack.
                Stop::Breakpoint(at) if at == u64::from(back) => {
                    if self.cpu.sp() == start {
                        break Ok(self.cpu.now() - begin);
                    }
                }
                Stop::Breakpoint(at) => break Err(NoReturn::Breakpoint(at as u32)),
                Stop::Halted => break Err(NoReturn::Halted(self.cpu.pc())),
                _ => break Err(NoReturn::Clocks(self.cpu.pc())),
            }
        };
        if !held {
            self.cpu.breakpoint(back, false);
        }
        if result.is_ok() {
            self.cpu.set_pc(pc);
            self.cpu.set_sp(sp);
        }
        result
    }
}
