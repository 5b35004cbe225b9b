//! Effects against the simulator: a place is changed before an instruction, and what
//! comes out differently afterwards must be what the effects say, no less and (but
//! for a few listed) no more.

use std::collections::{BTreeMap, BTreeSet};

use crate::common::Random;
use scrimp_avr::Core;
use scrimp_avr::effects::{Effects, place};
use scrimp_avr::features::RC;
use scrimp_avr::op::Op;
use scrimp_avr::sim::{Chip, Clock, Cpu, Io, ins};
use scrimp_isa::depend::Inputs;

/// A core with every instruction, all of whose data memory behind the I/O registers
/// is SRAM.
fn chip() -> Chip {
    Chip::new(Core::AvrEPlus, !RC, 0x300, 0x200..0x2400)
}

/// I/O registers full of random bytes, and a record of what is done with them.
#[derive(Clone, Default)]
struct World {
    seed: u64,
    written: Vec<(u16, u8)>,
    asked: Vec<u16>,
    stored: Vec<(u32, u16)>,
}

impl Io for World {
    fn read(&mut self, address: u16, _: &mut Clock) -> u8 {
        self.asked.push(address);
        Random(self.seed ^ u64::from(address)).next() as u8
    }

    fn write(&mut self, address: u16, value: u8, _: &mut Clock) {
        self.written.push((address, value));
    }

    fn store_program(&mut self, z: u32, value: u16, _: &mut [u8], _: &mut Clock) {
        self.stored.push((z, value));
    }
}

/// The places that can be changed and compared.
fn places() -> Vec<u8> {
    (0..=place::EIND).collect()
}

/// Of the stack pointer and the ends of memory only the low bits are changed, so that
/// no memory operand reaches the I/O registers.
fn get(cpu: &Cpu, at: u8) -> u16 {
    match at {
        0..32 => cpu.register(at).into(),
        32..40 => u16::from(cpu.sreg() >> (at - place::FLAGS) & 1),
        place::SP => cpu.sp(),
        place::RAMPZ => cpu.rampz().into(),
        _ => cpu.eind().into(),
    }
}

fn set(cpu: &mut Cpu, at: u8, value: u16, pointers: bool) {
    match at {
        // The high bytes of pointers, lest they name something else than SRAM.
        27 | 29 | 31 if pointers => cpu.set_register(at, 0x04 | value as u8 & 0x1f),
        0..32 => cpu.set_register(at, value as u8),
        32..40 => {
            let bit = at - place::FLAGS;
            cpu.set_sreg(cpu.sreg() & !(1 << bit) | (value as u8 & 1) << bit);
        }
        place::SP => cpu.set_sp(0x0400 | value & 0x1fff),
        place::RAMPZ => cpu.set_rampz(value as u8 & 1),
        _ => cpu.set_eind(value as u8 & 1),
    }
}

/// A number that is often one of those on which something turns.
fn edge(number: u64) -> u16 {
    let byte = |n: u64| match n % 8 {
        0 => 0u8,
        1 => 1,
        2 => 0xff,
        3 => 0x80,
        4 => 0x7f,
        _ => (n >> 8) as u8,
    };
    u16::from_le_bytes([byte(number), byte(number >> 20)])
}

/// I/O registers written and read, SPM, SRAM, where it went.
type Acts = (Vec<(u16, u8)>, Vec<u16>, Vec<(u32, u16)>, Vec<u8>, u32);

/// What is seen of one run.
struct Seen {
    places: Vec<u16>,
    acts: Acts,
    clocks: u64,
}

fn run(mut cpu: Cpu, mut world: World) -> Seen {
    cpu.step(&mut world);
    let memory = cpu.sram().to_vec();
    Seen {
        places: places().iter().map(|&p| get(&cpu, p)).collect(),
        acts: (world.written, world.asked, world.stored, memory, cpu.pc()),
        clocks: cpu.now(),
    }
}

/// The effects that can be seen.
#[derive(Default)]
struct Observed {
    flows: BTreeMap<u8, Inputs>,
    uses: Inputs,
    time: Inputs,
}

impl Observed {
    /// Takes in two runs between which a place was changed.
    fn compare(&mut self, source: u8, before: &Seen, after: &Seen, changed: bool) {
        let one = Inputs::one(source);
        for (i, &p) in places().iter().enumerate() {
            if before.places[i] != after.places[i] {
                let flow = self.flows.entry(p).or_default();
                *flow = flow.and(one);
            }
        }
        if changed && before.acts != after.acts {
            self.uses = self.uses.and(one);
        }
        if before.clocks != after.clocks {
            self.time = self.time.and(one);
        }
    }

    /// What one of the two has and the other has not, as text.
    fn differences(&self, effects: &Effects) -> (Vec<String>, Vec<String>) {
        let visible = places().into_iter().chain([place::MEMORY, place::PORTS]);
        let visible = visible.fold(Inputs::NONE, |s, p| s.and(Inputs::one(p)));
        let (mut few, mut many) = (Vec::new(), Vec::new());
        let mut check = |what: &str, told: Inputs, seen: Inputs| {
            let told = Inputs(told.0 & visible.0);
            for (list, set) in [
                (&mut few, seen.without(told)),
                (&mut many, told.without(seen)),
            ] {
                if !set.is_empty() {
                    list.push(format!("{what} from {:?}", set.iter().collect::<Vec<_>>()));
                }
            }
        };
        for p in places() {
            let told = effects.flows[usize::from(p)];
            let seen = self.flows.get(&p).copied().unwrap_or_default();
            check(&format!("to {p}"), told, seen);
        }
        check("uses", effects.uses, self.uses);
        check("time", effects.time, self.time);
        (few, many)
    }
}

/// Changes each place once in a random state.
fn observe(seen: &mut Observed, base: &Cpu, random: &mut Random, pointers: bool) {
    let all = places();
    let mut cpu = base.clone();
    for &p in &all {
        set(&mut cpu, p, edge(random.next()), pointers);
    }
    let world = World {
        seed: random.next(),
        ..World::default()
    };
    let plain = run(cpu.clone(), world.clone());
    for &p in &all {
        let mut other = cpu.clone();
        let old = get(&cpu, p);
        let new = match random.next() {
            n if n & 1 == 0 => old ^ 1 << (n >> 1 & 7),
            n => edge(n >> 1),
        };
        set(&mut other, p, new, pointers);
        if get(&other, p) == old {
            set(&mut other, p, old ^ 1, pointers);
        }
        seen.compare(p, &plain, &run(other, world.clone()), true);
    }
    let mut memory = cpu.clone();
    for at in 0x200..0x2400 {
        memory.set_data(at, random.next() as u8);
    }
    let other = run(memory, world.clone());
    // Memory is not what it was, so what was written cannot be told.
    let jumped = plain.acts.4 != other.acts.4;
    seen.compare(place::MEMORY, &plain, &other, jumped);
    let ports = World {
        seed: random.next(),
        ..world
    };
    seen.compare(place::PORTS, &plain, &run(cpu, ports), true);
}

/// Words that stand for all encodings: of each form, with registers that differ, that
/// are the same and that are halves of pointers.
fn words() -> Vec<u16> {
    let chip = chip();
    let mut seen = BTreeSet::new();
    let mut all = Vec::new();
    for first in 0..=0xffffu16 {
        let i = ins(&chip, &code(first), 0);
        let register = |r: u8| matches!(r, 0 | 1 | 16 | 24..=31);
        if i.op == Op::Undefined || !register(i.d) {
            continue;
        }
        // A branch to the next instruction does not show.
        if first >> 11 == 0x1e && first & 0x03f8 == 0 {
            continue;
        }
        let two = (Op::Movw as u8..=Op::Mov as u8).contains(&(i.op as u8));
        if two && i.r != i.d && !matches!(i.r, 1 | 17 | 30) {
            continue;
        }
        // One constant, address, bit or target is as good as another.
        let r = if two { i.r } else { 0 };
        if seen.insert((i.op as u8, i.d, r, i.long)) {
            all.push(first);
        }
    }
    all
}

/// The bits of a word that are a constant.
fn constant(word: u16) -> u16 {
    match word >> 12 {
        3..=7 | 14 => 0x0f0f,
        _ if word & 0xfe00 == 0x9600 => 0x00cf,
        _ => 0,
    }
}

/// The word with a second one and what follows.
fn code(first: u16) -> Vec<u8> {
    let mut bytes = first.to_le_bytes().to_vec();
    bytes.extend([0x34, 0x12, 0x00, 0x00]);
    bytes
}

#[test]
fn effects_are_what_changes_show() {
    let mut random = Random(3);
    let (mut not_told, mut not_seen) = (Vec::new(), Vec::new());
    let words = words();
    assert!(words.len() > 700, "{}", words.len());
    for first in words {
        let chip = chip();
        let i = ins(&chip, &code(first), 0);
        let effects = Effects::of(&i, chip.wide());
        let mut flash = code(first);
        flash.extend((0..256).map(|_| random.next() as u8));
        let mut base = Cpu::new(chip, &flash);
        for at in 0x200..0x2400 {
            base.set_data(at, random.next() as u8);
        }
        let mut seen = Observed::default();
        let pointers = effects.reads_memory || effects.writes_memory;
        // Some dependences show in few states only.
        for _ in 0..60 {
            for _ in 0..10 {
                // Another constant.
                let number = match random.next() {
                    n if n % 4 == 0 => 0,
                    n if n % 4 == 1 => 0xffff,
                    n => (n >> 8) as u16,
                };
                let new = first & !constant(first) | number & constant(first);
                for (at, byte) in (0..).zip(new.to_le_bytes()) {
                    base.set_flash(at, byte);
                }
                observe(&mut seen, &base, &mut random, pointers);
            }
            if seen.differences(&effects).1.is_empty() {
                break;
            }
        }
        let (few, many) = seen.differences(&effects);
        let text = |t: &String| format!("{first:04x} {:?} {t}", i.op);
        not_told.extend(few.iter().map(text));
        // That the square of a byte has no bit 15 is not seen. What LAS, LAC and LAT
        // write depends on memory, which cannot be told when all of memory changes. Of
        // DES it is enough that all of block and key matter.
        let known = match i.op {
            Op::Muls | Op::Fmuls if i.d == i.r => many == [format!("to 32 from [{}]", i.d)],
            Op::Des => true,
            Op::Las | Op::Lac | Op::Lat => many == ["uses from [43]"],
            _ => false,
        };
        if !known {
            not_seen.extend(many.iter().map(text));
        }
    }
    println!("{not_told:#?}");
    println!("{not_seen:#?}");
    assert!(not_told.is_empty());
    assert!(not_seen.is_empty());
}
