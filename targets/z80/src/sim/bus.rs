//! What a CPU is connected to.

/// The clock as a bus sees it during an access, in T-states since power-on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Clock {
    /// Beginning of the instruction, later by the waits so far.
    pub(super) start: u64,
    /// T-states into it.
    pub(super) offset: u32,
}

impl Clock {
    /// T-states up to the first of the machine cycle that makes the access.
    #[inline(always)]
    pub fn now(&self) -> u64 {
        self.start + u64::from(self.offset)
    }

    /// Holds the CPU up for some T-states (the WAIT line).
    #[inline(always)]
    pub fn wait(&mut self, states: u32) {
        self.start += u64::from(states);
    }
}

/// Memory, ports and the interrupt lines of a machine. Called for every machine
/// cycle, with the time it begins; statically dispatched, so what a machine does
/// not use costs nothing.
pub trait Bus {
    /// Reads memory (not an opcode): 3 T-states.
    fn read(&mut self, address: u16, clock: &mut Clock) -> u8;

    /// Writes memory: 3 T-states.
    fn write(&mut self, address: u16, value: u8, clock: &mut Clock);

    /// Fetches an opcode or prefix byte (the M1 cycle, 4 T-states). `refresh` is
    /// on the address lines in its second half: I above R before R is counted up.
    /// A machine may give the CPU another byte than its memory holds.
    #[inline(always)]
    fn fetch(&mut self, address: u16, refresh: u16, clock: &mut Clock) -> u8 {
        let _ = refresh;
        self.read(address, clock)
    }

    /// An M1 cycle whose byte the CPU ignores: of a halted CPU (4 T-states, at
    /// the address after the HALT), or the first cycle of an NMI (5 T-states).
    /// Refresh goes on as in [`fetch`](Self::fetch).
    #[inline(always)]
    fn ignored(&mut self, address: u16, refresh: u16, halted: bool, clock: &mut Clock) {
        let _ = (address, refresh, halted, clock);
    }

    /// Reads a port: 4 T-states. `port` is all that is on the address lines: BC,
    /// or A above the immediate.
    #[inline(always)]
    fn input(&mut self, port: u16, clock: &mut Clock) -> u8 {
        let _ = (port, clock);
        0xff
    }

    /// Writes a port: 4 T-states.
    #[inline(always)]
    fn output(&mut self, port: u16, value: u8, clock: &mut Clock) {
        let _ = (port, value, clock);
    }

    /// Asked at the end of each instruction: whether the NMI line fell since it
    /// was asked last.
    #[inline(always)]
    fn nmi(&mut self, clock: &mut Clock) -> bool {
        let _ = clock;
        false
    }

    /// Asked at the end of each instruction while interrupts are on: whether the
    /// INT line is low in its last T-state. `refresh` has A0 to A6 of the last
    /// refresh.
    #[inline(always)]
    fn int(&mut self, refresh: u8, clock: &mut Clock) -> bool {
        let _ = (refresh, clock);
        false
    }

    /// The byte put on the data lines when an INT is acknowledged: an opcode in
    /// mode 0, the low byte of the table address in mode 2.
    #[inline(always)]
    fn acknowledge(&mut self, clock: &mut Clock) -> u8 {
        let _ = clock;
        0xff
    }

    /// Told the stack pointer after whatever may have lowered it. Nothing that the
    /// chip does: for machines that watch their stack.
    #[inline(always)]
    fn stack(&mut self, pointer: u16) {
        let _ = pointer;
    }
}

/// 64 KiB of RAM and nothing else.
#[derive(Clone)]
pub struct Memory(pub Box<[u8; 0x10000]>);

impl Default for Memory {
    fn default() -> Self {
        Self(Box::new([0; 0x10000]))
    }
}

impl Bus for Memory {
    #[inline(always)]
    fn read(&mut self, address: u16, _: &mut Clock) -> u8 {
        self.0[usize::from(address)]
    }

    #[inline(always)]
    fn write(&mut self, address: u16, value: u8, _: &mut Clock) {
        self.0[usize::from(address)] = value;
    }
}
