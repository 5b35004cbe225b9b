//! The core with things around it: interrupts, sleep, events, breakpoints, SPM, and
//! what differs between the cores.

use scrimp_avr::Core;
use scrimp_avr::features::{FULL, RC};
use scrimp_avr::sim::{Chip, Clock, Cpu, Io, Request};
use scrimp_isa::machine::Stop;

/// A timer that raises vector 3 at some clocks, and a register that logs writes.
#[derive(Default)]
struct Alarm {
    /// Clocks at which it goes off, ascending.
    times: Vec<u64>,
    pending: bool,
    log: Vec<(u16, u8, u64)>,
    taken: Vec<u64>,
    seen: Vec<u64>,
    waits: u32,
    reset: bool,
}

impl Io for Alarm {
    fn read(&mut self, _: u16, clock: &mut Clock) -> u8 {
        self.seen.push(clock.now());
        clock.wait(self.waits);
        0x55
    }

    fn write(&mut self, address: u16, value: u8, clock: &mut Clock) {
        self.log.push((address, value, clock.now()));
        clock.wait(self.waits);
        if address == 0x30 {
            // An alarm so many clocks later.
            self.times.insert(0, clock.now() + u64::from(value));
        }
    }

    fn next_event(&self) -> u64 {
        self.times.first().copied().unwrap_or(u64::MAX)
    }

    fn event(&mut self, now: u64) {
        assert!(now >= self.times.remove(0));
        self.pending = true;
    }

    fn interrupt(&self) -> Option<Request> {
        self.pending.then_some(Request {
            vector: 3,
            address: 3,
        })
    }

    fn acknowledge(&mut self, vector: u8, now: u64) {
        assert_eq!(vector, 3);
        self.pending = false;
        self.taken.push(now);
    }

    fn reset(&mut self) -> bool {
        std::mem::take(&mut self.reset)
    }

    fn store_program(&mut self, z: u32, value: u16, flash: &mut [u8], _: &mut Clock) {
        flash[z as usize..z as usize + 2].copy_from_slice(&value.to_le_bytes());
    }
}

const NOP: u16 = 0;
const SEI: u16 = 0x9478;
const RETI: u16 = 0x9518;
const SLEEP: u16 = 0x9588;
const BREAK: u16 = 0x9598;
/// `rjmp` to itself.
const STAY: u16 = 0xcfff;
/// `inc r0`, `inc r1`, `inc r2`.
const INC: [u16; 3] = [0x9403, 0x9413, 0x9423];

/// A CPU with a program; SP is at the end of SRAM.
fn cpu(core: Core, words: &[u16]) -> Cpu {
    let features = if core == Core::AvrRc { !FULL } else { !RC };
    let features = features & !scrimp_avr::features::EIND;
    let chip = Chip::new(core, features, 0x2000, 0x100..0x300);
    let flash: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes()).collect();
    let mut cpu = Cpu::new(chip, &flash);
    cpu.set_sp(0x2ff);
    cpu
}

/// The program at word 16, an interrupt routine at 3.
fn with_routine(routine: &[u16], program: &[u16]) -> Cpu {
    let mut words = vec![NOP; 16];
    words[3..3 + routine.len()].copy_from_slice(routine);
    words.extend(program);
    let mut cpu = cpu(Core::AvrE, &words);
    cpu.set_pc(32);
    cpu
}

#[test]
fn one_instruction_runs_after_sei() {
    let mut io = Alarm {
        pending: true,
        ..Alarm::default()
    };
    let mut cpu = with_routine(&[INC[2], RETI], &[SEI, INC[0], INC[1], STAY]);
    cpu.step(&mut io);
    cpu.step(&mut io);
    assert_eq!(
        (cpu.register(0), cpu.now(), cpu.sreg() & 0x80),
        (1, 2, 0x80)
    );
    assert!(io.taken.is_empty());
    // Then the vector, in 4 clocks, with I off.
    cpu.run(&mut io, 3);
    assert_eq!((cpu.pc(), cpu.now(), cpu.sreg() & 0x80), (6, 6, 0));
    assert_eq!(io.taken, [6]);
    assert_eq!((cpu.sp(), cpu.data(0x2ff), cpu.data(0x2fe)), (0x2fd, 18, 0));
    assert_eq!(cpu.register(1), 0);
    cpu.run(&mut io, 6 + 1 + 4);
    assert_eq!(
        (cpu.pc(), cpu.register(2), cpu.sreg() & 0x80),
        (36, 1, 0x80)
    );
}

#[test]
fn one_instruction_runs_between_two_interrupts() {
    let mut io = Alarm {
        times: vec![2, 3],
        ..Alarm::default()
    };
    let mut cpu = with_routine(&[INC[2], RETI], &[SEI, NOP, INC[0], INC[1], STAY]);
    // The first at 2; the second is pending when RETI comes.
    cpu.run(&mut io, 11);
    assert_eq!(
        (io.taken.clone(), cpu.register(2), cpu.register(0)),
        (vec![6], 1, 0)
    );
    cpu.run(&mut io, 12);
    assert_eq!((cpu.register(0), cpu.register(1)), (1, 0));
    cpu.run(&mut io, 13);
    assert_eq!((io.taken.clone(), cpu.register(1)), (vec![6, 16], 0));
}

#[test]
fn an_event_ends_the_instruction_that_reaches_it() {
    for at in 3..9 {
        let mut io = Alarm {
            times: vec![at],
            ..Alarm::default()
        };
        // RJMP takes two clocks: 2, 4, 6, ...
        let mut cpu = with_routine(&[RETI], &[SEI, NOP, STAY]);
        cpu.run(&mut io, 30);
        assert_eq!(io.taken, [at.next_multiple_of(2) + 4]);
    }
}

#[test]
fn a_write_may_make_an_event_earlier() {
    // ldi r16,5; out $10,r16 at clock 2, hence an alarm at 7.
    let mut io = Alarm {
        times: vec![1000],
        ..Alarm::default()
    };
    let mut cpu = with_routine(
        &[RETI],
        &[SEI, 0xe005, 0xbb00, NOP, NOP, NOP, NOP, NOP, STAY],
    );
    cpu.run(&mut io, 100);
    assert_eq!(io.log, [(0x30, 5, 2)]);
    assert_eq!(io.taken, [11]);
}

#[test]
fn sleep_lasts_until_an_interrupt() {
    let mut io = Alarm {
        times: vec![500],
        ..Alarm::default()
    };
    let mut cpu = with_routine(&[RETI], &[SEI, SLEEP, INC[0], STAY]);
    assert_eq!(cpu.run(&mut io, 400), Stop::Cycles);
    assert_eq!((cpu.now(), cpu.asleep()), (400, true));
    cpu.run(&mut io, 501);
    // Four clocks more to wake up.
    assert_eq!((io.taken.clone(), cpu.asleep()), (vec![508], false));
    cpu.run(&mut io, 520);
    assert_eq!(cpu.register(0), 1);
    // With interrupts off nothing wakes it.
    let mut cpu = with_routine(&[RETI], &[SLEEP, INC[0]]);
    assert_eq!(cpu.run(&mut Alarm::default(), 400), Stop::Halted);
    assert_eq!(cpu.now(), 1);
}

#[test]
fn the_clock_of_an_access_is_the_last_of_its_instruction() {
    // in r0,$10; lds r0,$0030; out $11,r0; sts $0031,r0; sbi $11,0
    let words = [0xb200, 0x9000, 0x30, 0xba01, 0x9200, 0x31, 0x9a88, STAY];
    let mut cpu = cpu(Core::AvrE, &words);
    let mut io = Alarm::default();
    cpu.run(&mut io, 8);
    assert_eq!(io.seen, [0, 2, 7]);
    let log: Vec<_> = io.log.iter().map(|l| (l.0, l.2)).collect();
    assert_eq!(log, [(0x31, 3), (0x31, 5), (0x31, 7)]);
    // On AVRxt registers are not in memory, and I/O begins at 0.
    let words = [0xb200, 0x9000, 0x30, 0xba01, 0x9200, 0x31, 0x9a88, STAY];
    let mut cpu = self::cpu(Core::AvrXt, &words);
    let mut io = Alarm::default();
    cpu.run(&mut io, 8);
    assert_eq!(io.seen, [0, 3, 7]);
    let log: Vec<_> = io.log.iter().map(|l| (l.0, l.2)).collect();
    assert_eq!(log, [(0x11, 4), (0x31, 6), (0x11, 7)]);
}

#[test]
fn peripherals_may_hold_the_cpu() {
    let mut cpu = cpu(Core::AvrE, &[0xb200, 0xba00, NOP, STAY]);
    let mut io = Alarm {
        waits: 4,
        ..Alarm::default()
    };
    cpu.run(&mut io, 11);
    assert_eq!((cpu.pc(), cpu.now()), (6, 11));
}

#[test]
fn peripherals_may_reset_it() {
    let mut cpu = cpu(Core::AvrE, &[NOP, NOP, NOP, STAY]);
    let mut io = Alarm {
        times: vec![10],
        reset: true,
        ..Alarm::default()
    };
    cpu.run(&mut io, 9);
    assert_eq!(cpu.pc(), 6);
    cpu.run(&mut io, 12);
    assert_eq!((cpu.pc(), cpu.sp()), (2, 0));
}

#[test]
fn breakpoints_stop_before_the_instruction() {
    let mut cpu = cpu(Core::AvrE, &[INC[0], INC[1], INC[2], 0xcffc]);
    let mut io = Alarm::default();
    cpu.breakpoint(2, true);
    for round in 1..4 {
        assert_eq!(cpu.run(&mut io, 1000), Stop::Breakpoint(2));
        assert_eq!((cpu.register(0), cpu.register(1)), (round, round - 1));
        assert_eq!(cpu.now(), 5 * u64::from(round - 1) + 1);
    }
    assert_eq!(cpu.undefined().count, 0);
    cpu.breakpoint(2, false);
    assert_eq!(cpu.run(&mut io, 1000), Stop::Cycles);
    // BREAK does nothing unless it is asked to.
    let mut cpu = self::cpu(Core::AvrE, &[BREAK, INC[0], STAY]);
    assert_eq!(cpu.run(&mut io, 10), Stop::Cycles);
    cpu.set_pc(0);
    cpu.stop_at_break(true);
    assert_eq!(cpu.run(&mut io, 20), Stop::Breakpoint(2));
}

#[test]
fn what_is_no_instruction_is_counted() {
    let mut cpu = cpu(Core::AvrE, &[NOP, 0xffff, 0xffff, STAY]);
    cpu.run(&mut Alarm::default(), 10);
    let undefined = cpu.undefined();
    assert_eq!((undefined.count, undefined.first), (2, 2));
    assert_eq!(cpu.pc(), 6);
}

#[test]
fn flash_is_a_ring() {
    // rjmp $-2 from 0 to the last word, from which it runs on to 0.
    let mut cpu = cpu(Core::AvrE, &[0xcffe]);
    let mut io = Alarm::default();
    cpu.set_flash(0x1ffe, 0x03);
    cpu.set_flash(0x1fff, 0x94);
    cpu.run(&mut io, 2);
    assert_eq!(cpu.pc(), 0x1ffe);
    cpu.run(&mut io, 3);
    assert_eq!((cpu.pc(), cpu.register(0)), (0, 1));
    cpu.run(&mut io, 2 + 300);
    assert_eq!(cpu.register(0), 100);
    assert_eq!(cpu.undefined().count, 0);
}

#[test]
fn spm_changes_what_runs() {
    // ldi r30,8; spm; rjmp to it: r1:r0 is `inc r16`.
    let mut cpu = cpu(Core::AvrE, &[0xe0e8, 0x95e8, NOP, NOP, NOP, STAY]);
    cpu.set_register(0, 0x03);
    cpu.set_register(1, 0x95);
    cpu.run(&mut Alarm::default(), 6);
    assert_eq!((cpu.register(16), cpu.flash()[8]), (1, 0x03));
}

#[test]
fn the_stacks_lowest_point_is_kept() {
    // rcall to a routine that pushes two and pops them.
    let words = [0xd001, STAY, 0x920f, 0x920f, 0x900f, 0x900f, 0x9508];
    let mut cpu = cpu(Core::AvrE, &words);
    cpu.run(&mut Alarm::default(), 40);
    assert_eq!((cpu.sp(), cpu.lowest_stack()), (0x2ff, 0x2fb));
    cpu.forget_lowest_stack();
    assert_eq!(cpu.lowest_stack(), 0xffff);
}

#[test]
fn the_reduced_core() {
    // lds r16,$40 (I/O); sts $bf,r16; ld r17,z with Z in flash; ret takes 6.
    let words = [0xa100, 0xae0f, 0x8110, 0xd001, STAY, 0x9508];
    let mut cpu = cpu(Core::AvrRc, &words);
    cpu.set_register(31, 0x40);
    let mut io = Alarm::default();
    cpu.step(&mut io);
    assert_eq!(
        (cpu.register(16), cpu.now(), io.seen.clone()),
        (0x55, 1, vec![0])
    );
    cpu.step(&mut io);
    assert_eq!((io.log.clone(), cpu.now()), (vec![(0xbf, 0x55, 1)], 2));
    cpu.step(&mut io);
    // From flash it takes a clock more.
    assert_eq!((cpu.register(17), cpu.now()), (0x00, 4));
    cpu.step(&mut io);
    cpu.step(&mut io);
    assert_eq!((cpu.pc(), cpu.now()), (8, 4 + 3 + 6));
}

#[test]
fn the_stack_begins_where_the_part_has_it() {
    for (name, sp) in [
        ("at90s8515", 0),
        ("atmega8", 0),
        ("attiny84", 0x25f),
        ("attiny2313", 0xdf),
        ("atmega328p", 0x8ff),
        ("attiny10", 0x5f),
        ("attiny817", 0x3fff),
    ] {
        let device = scrimp_avr::devices::find(name).unwrap();
        assert_eq!(Cpu::new(Chip::of(device), &[]).sp(), sp, "{name}");
    }
}

#[test]
fn reti_leaves_i_alone_where_levels_do_its_work() {
    let mut io = Alarm {
        pending: true,
        ..Alarm::default()
    };
    let mut cpu = cpu(Core::AvrXt, &[SEI, NOP, STAY, RETI]);
    cpu.run(&mut io, 3);
    assert_eq!((cpu.pc(), cpu.sreg() & 0x80), (6, 0x80));
}
