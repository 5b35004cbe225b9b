//! The simulator's own ways (flags in lanes, products by the host) against the
//! semantics as written, on every word with random states.

use crate::random::Random;
use scrimp_avr::Core;
use scrimp_avr::effects::place;
use scrimp_avr::features::RC;
use scrimp_avr::meaning::{Meaning, SREG};
use scrimp_avr::op::Op;
use scrimp_avr::sim::{Chip, Cpu, Plain, ins};
use scrimp_isa::memory::{Numbers, Space};
use scrimp_isa::semantics::Code;
use scrimp_isa::{Concrete, Processor, Semantics};

/// Where SRAM is: all of data memory that is not registers.
const SRAM: std::ops::Range<u32> = 0x60..0x1_0000;

/// What is compared: registers, SREG, SP, RAMPZ, EIND, program counter in words.
type Seen = ([u8; 32], u8, u16, [u8; 2], u32);

fn seen(cpu: &Cpu) -> Seen {
    let registers = std::array::from_fn(|n| cpu.register(n as u8));
    let special = [cpu.rampz(), cpu.eind()];
    (registers, cpu.sreg(), cpu.sp(), special, cpu.pc() / 2)
}

/// The state of the fast one, in a memory of that seed.
fn slow(cpu: &Cpu, seed: u64) -> Processor<Concrete, Numbers> {
    let flash = cpu.flash().to_vec();
    let before = move |space: Space, at: u32| match space {
        Space::Program => flash[at as usize % flash.len()],
        _ => byte(seed, at as u16),
    };
    let mut p = Processor::new(Concrete, Numbers::new(Box::new(before)));
    let (registers, sreg, sp, [ramp, eind], pc) = seen(cpu);
    for (n, value) in (0..).zip(registers) {
        p.set_cell(n, value);
    }
    p.set_cell(SREG, sreg);
    p.set_pair(place::SPH, place::SPL, sp);
    p.set_cell(place::RAMPZ, ramp);
    p.set_cell(place::EIND, eind);
    p.set_counter((pc >> 16) as u8, pc as u16);
    p
}

fn seen_slow(p: &Processor<Concrete, Numbers>) -> Seen {
    let (top, low) = p.counter();
    let special = [p.cell(place::RAMPZ), p.cell(place::EIND)];
    (
        std::array::from_fn(|n| p.cell(n as u8)),
        p.cell(SREG),
        p.pair(place::SPH, place::SPL),
        special,
        u32::from(top) << 16 | u32::from(low),
    )
}

/// A byte of memory or an I/O register.
fn byte(seed: u64, at: u16) -> u8 {
    Random(seed ^ u64::from(at) << 20).next() as u8
}

/// A byte that is often one of those on which something turns.
fn edge(number: u64) -> u8 {
    match number % 8 {
        0 => 0,
        1 => 1,
        2 => 0xff,
        3 => 0x80,
        4 => 0x7f,
        _ => (number >> 8) as u8,
    }
}

#[test]
fn the_fast_way_is_as_written() {
    let mut random = Random(5);
    // 22 bits of program counter, flash that is no power of two.
    let chip = Chip::new(Core::AvrEPlus, !RC, 0x2_1000, SRAM);
    let flash: Vec<u8> = (0..0x2_1000).map(|_| random.next() as u8).collect();
    let mut cpu = Cpu::new(chip.clone(), &flash);
    let mut io = Plain::default();
    for at in 0x20..0x1_0000 {
        let value = byte(1, at as u16);
        cpu.set_data(at as u16, value);
        io.0[at] = value;
    }
    let meaning = Meaning::of(chip.clone());
    let mut tried = 0;
    for first in (0..=0xffffu16).cycle().take(5 * 0x1_0000) {
        let at = random.next() as u32 % chip.words();
        for (n, byte) in (0..).zip(first.to_le_bytes()) {
            cpu.set_flash(at * 2 + n, byte);
        }
        let i = ins(&chip, cpu.flash(), at);
        if matches!(i.op, Op::Des | Op::Undefined) {
            continue;
        }
        for n in 0..32 {
            cpu.set_register(n, edge(random.next()));
        }
        cpu.set_sreg(random.next() as u8 & 0x7f);
        cpu.set_sp(random.next() as u16);
        cpu.set_rampz(random.next() as u8 & 3);
        cpu.set_eind(random.next() as u8 & 3);
        cpu.set_pc(at * 2);
        let clock = cpu.now();
        let mut slow = slow(&cpu, 1);
        let code = Code {
            bytes: &cpu.flash()[at as usize * 2..],
            address: u64::from(at) * 2,
        };
        let long = meaning.numbers(code, &mut slow).expect("an instruction");
        let (mut expected, written) = (seen_slow(&slow), &slow.memory.written);
        expected.4 %= chip.words();
        cpu.step(&mut io);
        assert_eq!(seen(&cpu), expected, "{i:02x?} at {:x}", at * 2);
        for (n, &(_, address, value)) in written.iter().enumerate() {
            if written[n + 1..].iter().all(|w| w.1 != address) {
                let there = match address {
                    0x60.. => cpu.data(address as u16),
                    _ => io.0[address as usize],
                };
                assert_eq!(there, value, "{i:02x?} writes {address:04x}");
            }
            // The next one finds what was there.
            let before = byte(1, address as u16);
            match address {
                0x60.. => cpu.set_data(address as u16, before),
                _ => io.0[address as usize] = before,
            }
        }
        let clocks = if long { i.long } else { i.short };
        assert_eq!(cpu.now() - clock, clocks.into(), "{i:02x?}");
        tried += 1;
    }
    assert!(tried > 300_000);
}
