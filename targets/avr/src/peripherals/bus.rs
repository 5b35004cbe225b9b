//! What all peripherals share: the bytes of the registers, the requests for
//! interrupts, the lines, the rate of the clock.

use std::sync::Arc;

use super::lines::{Lines, Pin};
use crate::sim::Request;

/// The address of registers that a device does not have.
pub(super) const NOWHERE: u16 = u16::MAX;

/// A bit of a register; one that is not there reads 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Bit {
    pub address: u16,
    /// 0 when it is not there.
    pub mask: u8,
}

impl Bit {
    pub fn exists(self) -> bool {
        self.mask != 0
    }
}

/// Bits that make a number, the lowest first.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Group(pub [Bit; 4]);

impl Group {
    pub fn exists(&self) -> bool {
        self.0.iter().any(|b| b.exists())
    }
}

/// A source of interrupts.
#[derive(Clone, Copy, Debug)]
pub(super) struct Source {
    pub vector: u8,
    /// Its flag, and the bit that enables it.
    pub flag: Bit,
    pub enable: Bit,
    /// Whether the flag goes when the interrupt is taken.
    pub clears: bool,
}

/// What does not change while the device runs.
#[derive(Debug, Default)]
pub(super) struct Layout {
    /// By order of their vectors.
    pub sources: Vec<Source>,
    /// For each register the sources that have a bit there.
    pub by_register: Vec<u64>,
    /// Bits of each register that a write stores.
    pub writable: Vec<u8>,
    /// Bits of each register that a one clears.
    pub clears: Vec<u8>,
    /// Words from one vector to the next.
    pub vector_words: u32,
}

/// What all peripherals share.
#[derive(Clone, Debug)]
pub(super) struct Bus {
    pub registers: Vec<u8>,
    pub layout: Arc<Layout>,
    /// Sources whose flag and enabling bit are set.
    pending: u64,
    /// Sources that ask without a flag: a low level at INT0.
    asking: u64,
    pub lines: Lines,
    /// CPU clocks in a second.
    pub hertz: u64,
    /// Word address of the vectors.
    pub vectors: u32,
}

impl Bus {
    pub fn new(registers: usize, hertz: u64) -> Self {
        Self {
            registers: vec![0; registers],
            layout: Arc::default(),
            pending: 0,
            asking: 0,
            lines: Lines::default(),
            hertz,
            vectors: 0,
        }
    }

    /// All registers 0, no requests.
    pub fn reset(&mut self) {
        self.registers.fill(0);
        self.pending = 0;
        self.asking = 0;
        self.vectors = 0;
    }

    /// A register's byte; 0 for one that is not there.
    pub fn get(&self, address: u16) -> u8 {
        self.registers
            .get(usize::from(address))
            .copied()
            .unwrap_or(0)
    }

    /// Sets a register's byte and what follows from it for interrupts.
    pub fn put(&mut self, address: u16, value: u8) {
        if let Some(byte) = self.registers.get_mut(usize::from(address)) {
            *byte = value;
            if self.layout.by_register[usize::from(address)] != 0 {
                self.look(self.layout.by_register[usize::from(address)]);
            }
        }
    }

    /// A write by the program: flags are cleared by ones, what is read-only stays.
    pub fn store(&mut self, address: u16, value: u8) {
        let at = usize::from(address);
        if let Some(&old) = self.registers.get(at) {
            let writable = self.layout.writable[at];
            let clears = self.layout.clears[at];
            self.put(
                address,
                (old & !writable | value & writable) & !(value & clears),
            );
        }
    }

    pub fn bit(&self, bit: Bit) -> bool {
        bit.mask != 0 && self.get(bit.address) & bit.mask != 0
    }

    pub fn set(&mut self, bit: Bit, on: bool) {
        if bit.mask != 0 {
            let old = self.get(bit.address);
            let new = old & !bit.mask | if on { bit.mask } else { 0 };
            if new != old {
                self.put(bit.address, new);
            }
        }
    }

    pub fn group(&self, group: &Group) -> u8 {
        let bits = group.0.iter().enumerate();
        bits.map(|(i, &b)| u8::from(self.bit(b)) << i).sum()
    }

    /// A source asks, flag or not.
    pub fn ask(&mut self, flag: Bit, on: bool) {
        for i in 0..self.layout.sources.len() {
            if self.layout.sources[i].flag == flag {
                self.asking = self.asking & !(1 << i) | u64::from(on) << i;
                self.look(1 << i);
            }
        }
    }

    fn look(&mut self, mut sources: u64) {
        while sources != 0 {
            let i = sources.trailing_zeros();
            sources &= sources - 1;
            let s = self.layout.sources[i as usize];
            let on = (self.bit(s.flag) || self.asking >> i & 1 == 1) && self.bit(s.enable);
            self.pending = self.pending & !(1 << i) | u64::from(on) << i;
        }
    }

    pub fn request(&self) -> Option<Request> {
        if self.pending == 0 {
            return None;
        }
        let vector = self.layout.sources[self.pending.trailing_zeros() as usize].vector;
        Some(Request {
            vector,
            address: self.vectors + u32::from(vector) * self.layout.vector_words,
        })
    }

    /// An interrupt was taken.
    pub fn acknowledge(&mut self, vector: u8) {
        for i in 0..self.layout.sources.len() {
            let s = self.layout.sources[i];
            if s.vector == vector && s.clears {
                self.set(s.flag, false);
            }
        }
    }

    /// Clocks in a time of so many microseconds.
    pub fn clocks(&self, microseconds: u64) -> u64 {
        (self.hertz * microseconds / 1_000_000).max(1)
    }

    /// The level of a pin that may not be there.
    pub fn level(&self, pin: Option<Pin>) -> bool {
        pin.is_some_and(|p| self.lines.level(p))
    }
}
