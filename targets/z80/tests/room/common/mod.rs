//! Random states and worlds for the tests of the simulator.
#![allow(dead_code)]

use crate::random::mix;
use scrimp_z80::sim::{Bus, Clock};

/// A byte that is often one of those on which something turns.
pub fn edge(number: u64) -> u8 {
    match number % 8 {
        0 => 0,
        1 => 1,
        2 => 0xff,
        3 => 0x80,
        4 => 0x99,
        _ => (number >> 8) as u8,
    }
}

/// Memory and ports full of random bytes, with an instruction at `pc` and a
/// record of what is written.
#[derive(Clone, Debug)]
pub struct World {
    pub seed: u64,
    pub ports: u64,
    /// Whether many bytes are such on which something turns.
    pub edges: bool,
    pub pc: u16,
    pub code: [u8; 4],
    pub written: Vec<(u16, u8)>,
    pub output: Vec<(u16, u8)>,
    /// Ports read.
    pub asked: Vec<u16>,
    pub states: u32,
}

impl World {
    /// A world with an instruction at `pc`.
    pub fn new(seed: u64, pc: u16, code: [u8; 4]) -> Self {
        Self {
            seed,
            ports: mix(seed),
            edges: false,
            pc,
            code,
            written: Vec::new(),
            output: Vec::new(),
            asked: Vec::new(),
            states: 0,
        }
    }

    pub fn peek(&self, address: u16) -> u8 {
        if let Some(&(_, v)) = self.written.iter().rev().find(|w| w.0 == address) {
            return v;
        }
        match self.code.get(usize::from(address.wrapping_sub(self.pc))) {
            Some(&byte) => byte,
            None => self.byte(mix(self.seed ^ u64::from(address))),
        }
    }

    pub fn port(&self, port: u16) -> u8 {
        self.byte(mix(self.ports ^ u64::from(port)))
    }

    fn byte(&self, number: u64) -> u8 {
        if self.edges {
            edge(number)
        } else {
            number as u8
        }
    }

    /// What was written, by address; the order within one instruction is not
    /// what is tested here.
    pub fn memory(&self) -> Vec<(u16, u8)> {
        let mut last: Vec<(u16, u8)> = Vec::new();
        for &(at, v) in &self.written {
            last.retain(|w| w.0 != at);
            last.push((at, v));
        }
        last.sort_unstable();
        last
    }
}

impl Bus for World {
    fn read(&mut self, address: u16, _: &mut Clock) -> u8 {
        self.peek(address)
    }
    fn write(&mut self, address: u16, value: u8, _: &mut Clock) {
        self.written.push((address, value));
    }
    fn input(&mut self, port: u16, _: &mut Clock) -> u8 {
        self.asked.push(port);
        self.port(port)
    }
    fn output(&mut self, port: u16, value: u8, _: &mut Clock) {
        self.output.push((port, value));
    }
}

/// The sequences: base, CB, ED (the 80 that do something), DD, FD, DD CB, FD CB.
pub fn sequences() -> Vec<[Option<u8>; 4]> {
    let mut all = Vec::new();
    for op in 0..=255u8 {
        if !matches!(op, 0xcb | 0xdd | 0xed | 0xfd) {
            all.push([Some(op), None, None, None]);
            all.push([Some(0xdd), Some(op), None, None]);
            all.push([Some(0xfd), Some(op), None, None]);
        }
        if matches!(op, 0x40..=0x7f) || op & 0xe4 == 0xa0 {
            all.push([Some(0xed), Some(op), None, None]);
        }
        all.push([Some(0xcb), Some(op), None, None]);
        all.push([Some(0xdd), Some(0xcb), None, Some(op)]);
        all.push([Some(0xfd), Some(0xcb), None, Some(op)]);
    }
    assert_eq!(all.len(), 1604);
    all
}
