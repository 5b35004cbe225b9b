//! What the CPU is connected to: I/O registers, interrupts, events.
//!
//! # How the CPU and its peripherals keep time
//!
//! The CPU runs on its own as long as nothing outside can be noticed. Peripherals do
//! not count along: they work out what they are from the clock when they are asked.
//! A timer keeps the clock at which it was 0 and divides; a serial line keeps the
//! clock at which the byte is out.
//!
//! **Events.** What must happen at a certain clock by itself (a flag that raises an
//! interrupt, a pin that changes) is announced by [`Io::next_event`]; the CPU calls
//! [`Io::event`] at the end of the first instruction that reaches that clock. It asks
//! again after each event and each write to an I/O register, and takes an earlier one
//! into account after each read. So a peripheral that is written to only has to
//! recompute its next event. One that nobody is interested in (no interrupt enabled,
//! no pin driven) need not announce any.
//!
//! **Interrupts.** [`Io::interrupt`] names the enabled request of highest priority.
//! The CPU asks before an instruction when interrupts are on and something may have
//! changed: after events, writes, SEI, RETI. It takes the request (4 clocks), calls
//! [`Io::acknowledge`], which clears the flag of those that hardware clears, and goes
//! to [`Request::address`]. To raise an interrupt is to answer so; to clear it, to
//! answer so no more.
//!
//! **Pins.** A peripheral that drives pins remembers them with the clock of the
//! change; what watches pins (a display, a test) is a part of the same `Io` and is
//! told within `write` or `event`, whose [`Clock::now`] is the clock of the change.
//! What drives inputs from outside does it between two calls of
//! [`Cpu::run`](super::Cpu::run), or by events of its own.
//!
//! **Addresses** are those of data memory: on AVR, AVRe and AVRe+ `in r16,$05` asks
//! for `$25`, on the other cores for `$05`. SREG, SP, and RAMPZ and EIND where the
//! [`Chip`](super::Chip) says so, belong to the CPU and are not asked for. Whatever
//! is neither register file nor SRAM nor flash in data memory is asked for here.

/// The clock during an access, in CPU clocks since power-on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Clock {
    pub(super) now: u64,
    pub(super) waits: u32,
}

impl Clock {
    /// A clock that shows a time, to call an [`Io`] without a CPU.
    pub const fn at(now: u64) -> Self {
        Self { now, waits: 0 }
    }

    /// Clocks since power-on up to the one in which the access happens: the last of
    /// the instruction.
    #[inline(always)]
    pub const fn now(&self) -> u64 {
        self.now
    }

    /// Holds the CPU after this instruction (EEPROM and flash do).
    #[inline(always)]
    pub const fn wait(&mut self, clocks: u32) {
        self.waits += clocks;
    }

    /// For how many clocks it was held.
    pub const fn waits(&self) -> u32 {
        self.waits
    }
}

/// A request for an interrupt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Request {
    /// Number of the vector.
    pub vector: u8,
    /// Its address in words.
    pub address: u32,
}

/// Everything around the CPU. All that has a default may be left out.
pub trait Io {
    /// Whether it wants to see each access to SRAM.
    const WATCHES: bool = false;

    /// A byte of SRAM is read.
    #[inline]
    fn reads(&mut self, address: u16) {
        let _ = address;
    }

    /// A byte of SRAM is written.
    #[inline]
    fn writes(&mut self, address: u16) {
        let _ = address;
    }

    /// Reads an I/O register.
    fn read(&mut self, address: u16, clock: &mut Clock) -> u8;

    /// Writes an I/O register.
    fn write(&mut self, address: u16, value: u8, clock: &mut Clock);

    /// SBI and CBI. Where these change one bit only (PINx, interrupt flags of newer
    /// parts) this must not write the others.
    #[inline]
    fn set_bit(&mut self, address: u16, bit: u8, on: bool, clock: &mut Clock) {
        let old = self.read(address, clock);
        let new = old & !(1 << bit) | u8::from(on) << bit;
        self.write(address, new, clock);
    }

    /// The clock at which [`event`](Self::event) is to be called. Cheap: a field.
    #[inline]
    fn next_event(&self) -> u64 {
        u64::MAX
    }

    /// The clock has reached [`next_event`](Self::next_event) or is a few clocks
    /// later. Must announce a later one.
    #[inline]
    fn event(&mut self, now: u64) {
        let _ = now;
    }

    /// The enabled interrupt request of highest priority.
    #[inline]
    fn interrupt(&self) -> Option<Request> {
        None
    }

    /// That interrupt has been taken; `now` is when the vector is reached.
    #[inline]
    fn acknowledge(&mut self, vector: u8, now: u64) {
        let _ = (vector, now);
    }

    /// RETI was executed.
    #[inline]
    fn returned(&mut self, now: u64) {
        let _ = now;
    }

    /// SLEEP: whether the CPU sleeps (sleep is enabled) until an interrupt.
    #[inline]
    fn sleep(&mut self, now: u64) -> bool {
        let _ = now;
        true
    }

    /// WDR.
    #[inline]
    fn watchdog(&mut self, now: u64) {
        let _ = now;
    }

    /// Whether the chip is to be reset now; asked after events. The CPU then resets
    /// itself; the peripherals do so before they answer.
    #[inline]
    fn reset(&mut self) -> bool {
        false
    }

    /// SPM: `z` with RAMPZ above it, r1 and r0. What changes in `flash` is decoded
    /// anew.
    #[inline]
    fn store_program(&mut self, z: u32, value: u16, flash: &mut [u8], clock: &mut Clock) {
        let _ = (z, value, flash, clock);
    }
}

/// Nothing but registers that keep what is written: enough for programs that only
/// compute.
#[derive(Clone)]
pub struct Plain(pub Box<[u8; 0x1_0000]>);

impl Default for Plain {
    fn default() -> Self {
        Self(Box::new([0; 0x1_0000]))
    }
}

impl Io for Plain {
    #[inline]
    fn read(&mut self, address: u16, _: &mut Clock) -> u8 {
        self.0[usize::from(address)]
    }

    #[inline]
    fn write(&mut self, address: u16, value: u8, _: &mut Clock) {
        self.0[usize::from(address)] = value;
    }
}
