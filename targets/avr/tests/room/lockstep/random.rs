//! Random programs: every instruction that needs no peripheral, in loops that never
//! leave SRAM and flash.

use scrimp_avr::AVR;
use scrimp_avr::devices::Device;
use scrimp_avr::op::Op;
use scrimp_avr::table::FORMS;
use scrimp_avr::target::decoder;
use scrimp_isa::Target;

use crate::random::Random;

/// A program being made: pieces that are entered at their beginning only, so that
/// what they need is set up.
struct Program<'a> {
    device: &'a Device,
    random: Random,
    words: Vec<u16>,
    /// Begin of each piece, for branches to go to.
    begins: Vec<usize>,
    /// Branches and jumps: place, bits of the distance.
    branches: Vec<(usize, u32)>,
}

/// A flash image for a device.
pub fn program(device: &Device, seed: u64, pieces: usize) -> Vec<u8> {
    let mut p = Program {
        device,
        random: Random(seed),
        words: Vec::new(),
        begins: Vec::new(),
        branches: Vec::new(),
    };
    for n in 0..pieces {
        p.begins.push(p.words.len());
        if n % 64 == 0 {
            p.set_stack();
        }
        p.piece();
    }
    // A branch goes on to one of the pieces behind it.
    for (at, bits) in std::mem::take(&mut p.branches) {
        let first = p.begins.partition_point(|&b| b <= at);
        let last = p.begins.len().min(first + 5);
        let Some(count) = last.checked_sub(first).filter(|&n| n > 0) else {
            continue;
        };
        let to = p.begins[first + p.random.below(count)];
        let distance = (to - at - 1) as u16 & ((1 << bits) - 1);
        p.words[at] |= if bits == 7 { distance << 3 } else { distance };
    }
    // From the end to the beginning; the last pieces may have branched to the NOPs.
    p.words.extend([0; 2]);
    let back = p.words.len() as i32 + 1;
    if device.features() & scrimp_avr::features::JMP != 0 {
        p.words.extend([0x940c, 0]);
    } else {
        p.words.push(0xc000 | (-back & 0xfff) as u16);
    }
    p.words.iter().flat_map(|w| w.to_le_bytes()).collect()
}

/// LDI.
fn ldi(register: u16, value: u16) -> u16 {
    0xe000 | (register - 16) << 4 | value & 0x0f | (value & 0xf0) << 4
}

impl Program<'_> {
    /// An address in the middle of SRAM, away from the stack.
    fn address(&mut self) -> u16 {
        let sram = self.device.sram;
        let quarter = sram.size / 4;
        (sram.start + quarter + self.random.below(quarter as usize) as u32) as u16
    }

    /// SP to the end of SRAM, by way of r16.
    fn set_stack(&mut self) {
        let [low, high] = (self.device.sram.last() as u16).to_le_bytes();
        self.words
            .extend([0, ldi(16, high.into()), 0xbf0e, ldi(16, low.into()), 0xbf0d]);
    }

    /// One or some instructions that belong together. The NOP in front is what a skip
    /// passes over.
    fn piece(&mut self) {
        match self.random.below(24) {
            0..=2 => self.memory(),
            3 => {
                let distance = if self.random.below(2) == 0 {
                    0xf000
                } else {
                    0xf400
                };
                self.branches.push((self.words.len(), 7));
                // Not on I, which has no part in this.
                let flag = self.random.below(7) as u16;
                self.words.push(distance | flag);
            }
            4 => {
                self.branches.push((self.words.len(), 12));
                self.words.push(0xc000);
            }
            5 => self.call(),
            8 => self.program_memory(),
            6 => {
                // PUSH and POP by pairs.
                let (a, b) = (self.random.below(32) as u16, self.random.below(26) as u16);
                self.words.extend([0, 0x920f | a << 4, 0x900f | b << 4]);
            }
            7 => {
                let at = self.random.below(32) as u16;
                let address = self.address();
                let store = 0x0200 * self.random.below(2) as u16;
                self.words.extend([0x9000 | store | at << 4, address]);
            }
            _ => self.plain(),
        }
    }

    /// A word of those that touch nothing but registers.
    fn plain(&mut self) {
        loop {
            let word = self.random.next() as u16;
            let bytes = word.to_le_bytes();
            let Some(row) = decoder().find_on(&bytes, self.device.features()) else {
                continue;
            };
            let op = Op::ALL[usize::from(FORMS[row].op)];
            let flags = (Op::Sec as u8..=Op::Cli as u8).contains(&(op as u8));
            let fits = match op {
                Op::Sei | Op::Cli => false,
                // Behind a skip simavr 1.6 takes these for JMP or CALL, of two words.
                Op::Adiw | Op::Sbiw if word & 0x0c == 0x0c => false,
                _ if (op as u8) < Op::Lds as u8 => op != Op::Des,
                Op::Cpse | Op::Sbrc | Op::Sbrs | Op::Bst | Op::Bld => true,
                // GPIOR or what else simavr leaves alone is not the same on all parts.
                _ => flags,
            };
            if fits && AVR.check(row as u16, word.into(), None).is_none() {
                self.words.push(word);
                return;
            }
        }
    }

    /// A load or store by a pointer, which is set before.
    fn memory(&mut self) {
        let address = self.address();
        let [low, high] = address.to_le_bytes().map(u16::from);
        // By X, Y, Z; with and without a change of it or a displacement.
        let far = if self.device.sram.size < 512 { 9 } else { 11 };
        let which = self.random.below(far);
        const LOADS: [(u16, u16); 11] = [
            (26, 0x900c),
            (26, 0x900d),
            (26, 0x900e),
            (28, 0x9009),
            (28, 0x900a),
            (30, 0x9001),
            (30, 0x9002),
            (28, 0x8008),
            (30, 0x8000),
            (28, 0xac0f),
            (30, 0x8c05),
        ];
        let (pointer, load) = LOADS[which];
        let register = loop {
            let r = self.random.below(32) as u16;
            if r & !1 != pointer {
                break r;
            }
        };
        let store = 0x0200 * self.random.below(2) as u16;
        let set = [0, ldi(pointer, low), ldi(pointer + 1, high)];
        self.words.extend(set);
        self.words.push(load | store | register << 4);
    }

    /// LPM by Z, within flash.
    fn program_memory(&mut self) {
        let end = self.device.flash.size.min(0x1_0000);
        let at = self.random.below(end as usize) as u16;
        let [low, high] = at.to_le_bytes().map(u16::from);
        let register = self.random.below(30) as u16;
        let load = 0x9004 + self.random.below(2) as u16;
        self.words
            .extend([0, ldi(30, low), ldi(31, high), load | register << 4]);
    }

    /// A call, what it calls, and the jump around that.
    fn call(&mut self) {
        let far = self.device.features() & scrimp_avr::features::JMP != 0;
        self.words.push(0);
        let kind = self.random.below(if far { 3 } else { 2 });
        match kind {
            0 => self.words.push(0xd001),
            1 => {
                let to = self.words.len() as u16 + 4;
                let [low, high] = to.to_le_bytes().map(u16::from);
                self.words.extend([ldi(30, low), ldi(31, high), 0x9509]);
            }
            _ => {
                let to = self.words.len() as u16 + 3;
                self.words.extend([0x940e, to]);
            }
        }
        // RJMP over the routine, an INC, RET.
        let register = self.random.below(26) as u16;
        self.words.extend([0xc002, 0x9403 | register << 4, 0x9508]);
    }
}
