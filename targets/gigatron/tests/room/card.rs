//! The meaning of all opcodes against a second definition, written from the encoding
//! card of the makers as tables of lines that are driven, and against what follows
//! from it about the 256 opcodes.

use std::collections::HashMap;

use scrimp_gigatron::Opcode;
use scrimp_gigatron::effects::{self, place};
use scrimp_gigatron::semantics::Register;
use scrimp_gigatron::sim::{Cpu, Memory, Ports};

use crate::random::Random;

/// A byte; those on which conditions turn come often.
fn edge(random: &mut Random) -> u8 {
    match random.next() % 8 {
        0 => 0,
        1 => 0x80,
        2 => 0xff,
        _ => random.byte(),
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Machine {
    pc: u16,
    ac: u8,
    x: u8,
    y: u8,
    out: u8,
    /// The byte stored, and where.
    stored: Option<(u16, u8)>,
    /// A command that was put on the address lines.
    command: Option<u16>,
}

/// What a mode drives: (X is low, Y is high, AC, X, Y, OUT are loaded, X counts).
const MODES: [(bool, bool, bool, bool, bool, bool, bool); 8] = [
    (false, false, true, false, false, false, false),
    (true, false, true, false, false, false, false),
    (false, true, true, false, false, false, false),
    (true, true, true, false, false, false, false),
    (false, false, false, true, false, false, false),
    (false, false, false, false, true, false, false),
    (false, false, false, false, false, true, false),
    (true, true, false, false, false, true, true),
];

/// One clock by the card. `ram` is read at most once.
fn card(m: Machine, opcode: u8, operand: u8, input: u8, ram: impl Fn(u16) -> u8) -> Machine {
    let (operation, mode, bus) = (opcode >> 5, usize::from(opcode >> 2 & 7), opcode & 3);
    let jumps = operation == 7;
    let writes = operation == 6;
    let (low_x, high_y, to_ac, to_x, to_y, to_out, counts) = match jumps {
        true => (false, false, false, false, false, false, false),
        false => MODES[mode],
    };
    let low = if low_x { m.x } else { operand };
    let high = if high_y { m.y } else { 0 };
    let address = u16::from(high) << 8 | u16::from(low);
    let data = match bus {
        0 => operand,
        1 => ram(address),
        2 => m.ac,
        _ => input,
    };
    let alu = [
        data,
        m.ac & data,
        m.ac | data,
        m.ac ^ data,
        m.ac.wrapping_add(data),
        m.ac.wrapping_sub(data),
        m.ac,
        0,
    ][usize::from(operation)];
    let mut n = m;
    n.pc = m.pc.wrapping_add(1);
    // A write keeps AC and OUT from being loaded.
    if to_ac && !writes {
        n.ac = alu;
    }
    if to_x {
        n.x = alu;
    }
    if to_y {
        n.y = alu;
    }
    if to_out && !writes {
        n.out = alu;
    }
    if counts {
        n.x = m.x.wrapping_add(1);
    }
    if writes && bus == 1 {
        n.command = Some(address);
    } else if writes {
        n.stored = Some((address, data));
    }
    if jumps {
        // One of three cases by the sign of AC; the mode has a bit for each.
        let case = match m.ac {
            0 => 2,
            1..=0x7f => 0,
            _ => 1,
        };
        if mode == 0 {
            n.pc = u16::from(m.y) << 8 | u16::from(data);
        } else if mode >> case & 1 == 1 {
            n.pc = m.pc & 0xff00 | u16::from(data);
        }
    }
    n
}

/// An input port that reads so.
struct Lines(u8);

impl Ports for Lines {
    fn out(&mut self, _: u64, _: u8, _: u8, _: u8) {}

    fn input(&self) -> u8 {
        self.0
    }
}

/// One clock of the simulator. The word to execute is at `at`, and `next` is
/// fetched meanwhile, which a branch before it can bring about.
fn simulate(cpu: &mut Cpu, m: Machine, input: u8) -> Machine {
    for (register, value) in [
        (Register::Ac, m.ac),
        (Register::X, m.x),
        (Register::Y, m.y),
        (Register::Out, m.out),
    ] {
        cpu.set_register(register, value);
    }
    cpu.step(&mut Lines(input));
    Machine {
        pc: cpu.next(),
        ac: cpu.register(Register::Ac),
        x: cpu.register(Register::X),
        y: cpu.register(Register::Y),
        out: cpu.register(Register::Out),
        stored: None,
        command: None,
    }
}

#[test]
fn all_opcodes_on_random_states() {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let mut rom = vec![0u8; 0x2_0000];
    for opcode in 0..=255u8 {
        // Where the word stands decides which page a branch keeps.
        for at in [0x0000u16, 0x12fe, 0x12ff, 0xffff, 0x8040] {
            let operand = edge(&mut random);
            rom[usize::from(at) * 2] = opcode;
            rom[usize::from(at) * 2 + 1] = operand;
            let mut cpu = Cpu::new(&rom, Memory::K128).expect("a ROM");
            for _ in 0..100 {
                let m = Machine {
                    pc: at.wrapping_add(1),
                    ac: edge(&mut random),
                    x: edge(&mut random),
                    y: edge(&mut random),
                    out: edge(&mut random),
                    stored: None,
                    command: None,
                };
                let input = edge(&mut random);
                let mut expected = card(m, opcode, operand, input, |a| cpu.peek(a));
                cpu.go(at);
                let found = simulate(&mut cpu, m, input);
                if let Some((address, value)) = expected.stored.take() {
                    assert_eq!(cpu.peek(address), value, "{opcode:02x}");
                }
                if let Some(command) = expected.command.take() {
                    assert_eq!(cpu.command(), command, "{opcode:02x}");
                    // Back to RAM, for the next one reads it.
                    if command & 1 == 1 {
                        cpu = Cpu::new(&rom, Memory::K128).expect("a ROM");
                    }
                }
                assert_eq!(found, expected, "{opcode:02x} {operand:02x} {m:02x?}");
            }
        }
    }
}

#[test]
fn nothing_is_written_but_what_the_card_says() {
    let mut random = Random(77);
    for opcode in 0..=255u8 {
        let operand = edge(&mut random);
        let mut cpu = Cpu::new(&[opcode, operand], Memory::K64).expect("a ROM");
        let before: Vec<u8> = (0..=0xffff).map(|a| cpu.peek(a)).collect();
        let m = Machine {
            pc: 1,
            ac: edge(&mut random),
            x: edge(&mut random),
            y: edge(&mut random),
            out: 0,
            stored: None,
            command: None,
        };
        let expected = card(m, opcode, operand, 0xff, |a| before[usize::from(a)]);
        cpu.go(0);
        simulate(&mut cpu, m, 0xff);
        let changed = expected.stored.map(|s| s.0).or(expected.command);
        for (address, &byte) in (0..=0xffff).zip(&before) {
            if Some(address) != changed {
                assert_eq!(cpu.peek(address), byte, "{opcode:02x} at {address:04x}");
            }
        }
    }
}

#[test]
fn the_opcodes_do_183_things() {
    let mut random = Random(5);
    let states: Vec<_> = (0..64)
        .map(|_| {
            let m = Machine {
                pc: 0x1235,
                ac: edge(&mut random),
                x: edge(&mut random),
                y: edge(&mut random),
                out: edge(&mut random),
                stored: None,
                command: None,
            };
            (m, edge(&mut random), edge(&mut random), random.next())
        })
        .collect();
    let behaviour = |opcode: u8| -> Vec<Machine> {
        let run = |&(m, operand, input, seed): &(Machine, u8, u8, u64)| {
            let ram = |a: u16| (seed.wrapping_mul(u64::from(a) * 2 + 1) >> 29) as u8;
            card(m, opcode, operand, input, ram)
        };
        states.iter().map(run).collect()
    };
    let mut classes: HashMap<Vec<Machine>, Vec<u8>> = HashMap::new();
    for opcode in 0..=255 {
        classes.entry(behaviour(opcode)).or_default().push(opcode);
    }
    assert_eq!(classes.len(), 183);
    let of = |opcode: u8| classes[&behaviour(opcode)].len();
    assert_eq!((of(0x02), of(0x62), of(0x1c)), (12, 8, 1));
    // What the makers' texts do not tell apart are 15 of them.
    let listed: std::collections::HashSet<_> =
        (0..=255).map(|o| behaviour(Opcode(o).listed().0)).collect();
    assert_eq!(listed.len(), 183 - 15);
}

#[test]
fn effects_are_those_of_the_runs() {
    // A register that changes when a place does depends on it, in some state; what
    // never does is not claimed but where bits are merged.
    let mut random = Random(31);
    for opcode in 0..=255u8 {
        let e = effects::of(Opcode(opcode));
        for _ in 0..200 {
            let m = Machine {
                pc: 0x1235,
                ac: edge(&mut random),
                x: edge(&mut random),
                y: edge(&mut random),
                out: edge(&mut random),
                stored: None,
                command: None,
            };
            let (operand, input) = (edge(&mut random), edge(&mut random));
            let ram = |a: u16| (a.wrapping_mul(0x9e37) >> 7) as u8;
            let base = card(m, opcode, operand, input, ram);
            for (register, before, after) in [
                (place::AC, m.ac, base.ac),
                (place::X, m.x, base.x),
                (place::Y, m.y, base.y),
                (place::OUT, m.out, base.out),
            ] {
                assert!(
                    before == after || e.writes.has(register),
                    "{opcode:02x} writes {register}"
                );
            }
            assert_eq!(base.stored.is_some(), e.writes_memory, "{opcode:02x}");
            assert_eq!(base.command.is_some(), e.controls, "{opcode:02x}");
            for changed in [place::AC, place::X, place::Y, place::OUT] {
                let mut n = m;
                let field = match changed {
                    place::AC => &mut n.ac,
                    place::X => &mut n.x,
                    place::Y => &mut n.y,
                    _ => &mut n.out,
                };
                *field ^= 1 << (random.next() % 8);
                let other = card(n, opcode, operand, input, ram);
                for (register, a, b) in [
                    (place::AC, base.ac, other.ac),
                    (place::X, base.x, other.x),
                    (place::Y, base.y, other.y),
                    (place::OUT, base.out, other.out),
                ] {
                    assert!(
                        a == b || e.flows[usize::from(register)].has(changed),
                        "{opcode:02x}: {register} depends on {changed}"
                    );
                }
                let acts = |m: &Machine| (m.pc, m.stored, m.command);
                assert!(
                    acts(&base) == acts(&other) || e.uses.has(changed),
                    "{opcode:02x} uses {changed}"
                );
            }
        }
        assert_eq!(e.branches, Opcode(opcode).is_jump());
        assert_eq!(e.input, opcode & 3 == 3);
        assert_eq!(
            e.reads_memory,
            opcode & 3 == 1 && !Opcode(opcode).is_control()
        );
    }
}
