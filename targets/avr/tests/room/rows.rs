//! Rows of instructions, which the simulator runs as one, against the same instructions
//! one at a time: wherever the time of a run ends, the state is the same.

use crate::random::Random;
use scrimp_avr::Core;
use scrimp_avr::features::RC;
use scrimp_avr::op::Op;
use scrimp_avr::sim::{Chip, Cpu, Plain, ins};

/// Where SRAM is. What is around it are I/O registers.
const SRAM: std::ops::Range<u32> = 0x100..0x900;

/// A CPU and what is around it.
type Pair = (Cpu, Plain);

/// The words of an instruction with that operation. Pointers and operands are random.
fn word(chip: &Chip, random: &mut Random, op: Op) -> Vec<u8> {
    loop {
        let bytes: Vec<u8> = (0..4).map(|_| random.next() as u8).collect();
        let found = ins(chip, &bytes, 0);
        if found.op == op {
            return bytes[..usize::from(found.words) * 2].to_vec();
        }
    }
}

/// A CPU at a row in flash, and NOPs, with a random state.
fn at(chip: &Chip, random: &mut Random, row: &[Op]) -> Pair {
    let mut flash = vec![0; 0x2000];
    let mut end = 0x800;
    for &op in row {
        for byte in word(chip, random, op) {
            flash[end] = byte;
            end += 1;
        }
    }
    let mut cpu = Cpu::new(chip.clone(), &flash);
    for n in 0..32 {
        let value = random.next();
        // Pointers are often to SRAM.
        let byte = match (n, value % 4) {
            (27 | 29 | 31, 1..) => 1 + (value >> 8) as u8 % 8,
            (_, 0) => [0, 1, 0x80, 0xff][(value >> 8) as usize % 4],
            _ => (value >> 8) as u8,
        };
        cpu.set_register(n, byte);
    }
    for address in SRAM {
        cpu.set_data(address as u16, random.next() as u8);
    }
    let mut io = Plain::default();
    for address in 0x20..SRAM.start {
        io.0[address as usize] = random.next() as u8;
    }
    cpu.set_sreg(random.next() as u8);
    cpu.set_sp(0x400 + random.next() as u16 % 0x400);
    cpu.set_pc(0x800);
    (cpu, io)
}

/// All that can be seen.
fn same(a: &Pair, b: &Pair) -> bool {
    let seen = |(cpu, io): &Pair| {
        let registers: Vec<u8> = (0..32).map(|n| cpu.register(n)).collect();
        let own = (cpu.pc(), cpu.now(), cpu.sp(), cpu.sreg(), cpu.rampz());
        (registers, own, cpu.lowest_stack(), io.0.clone())
    };
    seen(a) == seen(b) && a.0.sram() == b.0.sram()
}

#[test]
fn rows_are_what_they_are_made_of() {
    let mut random = Random(11);
    for core in [Core::AvrEPlus, Core::AvrXt] {
        let chip = Chip::new(core, !RC, 0x2000, SRAM);
        for (row, ops) in Op::ROWS {
            for _ in 0..6 {
                let start = at(&chip, &mut random, ops);
                // Ends after each clock of the row, and some behind it.
                for clocks in 1..3 * ops.len() as u64 + 3 {
                    let (mut whole, mut steps) = (start.clone(), start.clone());
                    let until = start.0.now() + clocks;
                    whole.0.run(&mut whole.1, until);
                    while steps.0.now() < until {
                        steps.0.step(&mut steps.1);
                    }
                    assert!(same(&whole, &steps), "{core:?} {row:?}, {clocks} clocks");
                }
            }
        }
    }
}

#[test]
fn random_programs_in_one_run_and_in_steps() {
    let device = scrimp_avr::devices::find("atmega328p").expect("a device");
    let mut random = Random(12);
    for seed in 0..6 {
        let image = crate::lockstep::random::program(device, seed, 1500);
        let mut cpu = Cpu::new(Chip::of(device), &image);
        cpu.set_sp(device.sram.last() as u16);
        let mut whole = (cpu, Plain::default());
        let mut steps = whole.clone();
        for _ in 0..2_000 {
            let until = whole.0.now() + 1 + random.next() % 60;
            whole.0.run(&mut whole.1, until);
            while steps.0.now() < until {
                steps.0.step(&mut steps.1);
            }
            assert!(same(&whole, &steps), "seed {seed} at {:x}", steps.0.pc());
        }
    }
}

#[test]
fn a_breakpoint_in_a_row_stops() {
    let chip = Chip::new(Core::AvrEPlus, !RC, 0x2000, SRAM);
    let mut random = Random(13);
    let row = [Op::Add, Op::Adc, Op::Adc, Op::Adc];
    for at_word in 0..4 {
        let (mut cpu, mut io) = at(&chip, &mut random, &row);
        let stop = 0x800 + at_word * 2;
        cpu.breakpoint(stop, true);
        if at_word > 0 {
            cpu.run(&mut io, 100);
            assert_eq!((cpu.pc(), cpu.now()), (stop, u64::from(at_word)));
        }
        // On from there, and without it.
        cpu.run(&mut io, 20);
        assert_eq!(cpu.now(), 20);
        cpu.set_pc(0x800);
        cpu.breakpoint(stop, false);
        cpu.run(&mut io, 40);
        assert_eq!(cpu.pc(), 0x800 + 40);
    }
}

#[test]
fn what_changes_in_a_row_is_seen() {
    let chip = Chip::new(Core::AvrEPlus, !RC, 0x2000, SRAM);
    let mut random = Random(14);
    let row = [Op::Add, Op::Adc, Op::Adc, Op::Adc];
    for changed in 0..4 {
        let (mut cpu, mut io) = at(&chip, &mut random, &row);
        // LDI r16, 0x5a in the place of one.
        cpu.set_flash(0x800 + changed * 2, 0x0a);
        cpu.set_flash(0x801 + changed * 2, 0xe5);
        cpu.set_register(16, 0);
        let mut fresh = Cpu::new(chip.clone(), cpu.flash());
        for n in 0..32 {
            fresh.set_register(n, cpu.register(n));
        }
        fresh.set_sreg(cpu.sreg());
        fresh.set_sp(cpu.sp());
        for address in SRAM {
            fresh.set_data(address as u16, cpu.data(address as u16));
        }
        fresh.set_pc(0x800);
        let mut other = (fresh, io.clone());
        cpu.run(&mut io, 4);
        other.0.run(&mut other.1, 4);
        assert!(same(&(cpu, io), &other), "the {changed}th");
    }
}
