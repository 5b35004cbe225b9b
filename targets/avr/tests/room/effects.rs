//! Effects against the simulator: a place is changed before an instruction, and what
//! comes out differently afterwards must be what the effects say, no less and (but
//! for a few listed) no more. Instructions that name an address are tried at all of them
//! below SRAM on each core, pointers at each address that stands for something else.

use std::collections::{BTreeMap, BTreeSet};

use crate::random::Random;
use scrimp_avr::Core;
use scrimp_avr::effects::{self, place};
use scrimp_avr::features::{BREAK, EIND, ELPM, IJMP, RC, SRAM};
use scrimp_avr::op::Op;
use scrimp_avr::sim::{Chip, Clock, Cpu, Io, ins};
use scrimp_isa::Effects;
use scrimp_isa::depend::Inputs;

/// A core with every instruction, all of whose data memory behind the I/O registers
/// is SRAM.
fn chip() -> Chip {
    Chip::new(Core::AvrEPlus, !RC, 0x300, 0x200..0x2400)
}

/// A chip of each core.
fn chips() -> [Chip; 5] {
    let mapped = Chip::new(Core::AvrXt, !(RC | ELPM | EIND), 0x300, 0x2000..0x2400);
    [
        Chip::new(Core::Avr, !(RC | ELPM | EIND), 0x300, 0x60..0x260),
        Chip::new(Core::AvrEPlus, !RC, 0x300, 0x200..0x600),
        Chip::new(Core::AvrXm, !RC, 0x300, 0x2000..0x2400),
        Chip {
            mapped_flash: Some(0x8000),
            ..mapped
        },
        Chip::new(Core::AvrRc, RC | SRAM | IJMP | BREAK, 0x300, 0x40..0x80),
    ]
}

/// The places that no run changes, since the case is about what they are.
type Fixed = Inputs;

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
        place::SPL => cpu.sp() & 0xff,
        place::SPH => cpu.sp() >> 8,
        place::RAMPZ => cpu.rampz().into(),
        _ => cpu.eind().into(),
    }
}

/// Sets a place. `tame` keeps pointers and the stack in SRAM.
fn set(cpu: &mut Cpu, at: u8, value: u16, tame: bool) {
    match at {
        // The high bytes of pointers, lest they name something else than SRAM.
        27 | 29 | 31 if tame => cpu.set_register(at, 0x04 | value as u8 & 0x1f),
        0..32 => cpu.set_register(at, value as u8),
        32..40 => {
            let bit = at - place::FLAGS;
            cpu.set_sreg(cpu.sreg() & !(1 << bit) | (value as u8 & 1) << bit);
        }
        place::SPL => cpu.set_sp(cpu.sp() & 0xff00 | value & 0xff),
        place::SPH if tame => cpu.set_sp(0x0400 | value << 8 & 0x1f00 | cpu.sp() & 0xff),
        place::SPH => cpu.set_sp(value << 8 | cpu.sp() & 0xff),
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

/// Changes each place once in a random state, but for those that are fixed.
fn observe(seen: &mut Observed, base: &Cpu, random: &mut Random, tame: bool, fixed: Fixed) {
    let all: Vec<u8> = places().into_iter().filter(|&p| !fixed.has(p)).collect();
    let mut cpu = base.clone();
    for &p in &all {
        set(&mut cpu, p, edge(random.next()), tame);
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
        set(&mut other, p, new, tame);
        if get(&other, p) == old {
            set(&mut other, p, old ^ 1, tame);
        }
        seen.compare(p, &plain, &run(other, world.clone()), true);
    }
    let mut memory = cpu.clone();
    fill(&mut memory, random);
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

/// SRAM full of random bytes.
fn fill(cpu: &mut Cpu, random: &mut Random) {
    for at in cpu.chip().sram.clone() {
        cpu.set_data(at as u16, random.next() as u8);
    }
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
        let effects = effects::within(&code(first), &chip, 0x200..=0x23ff).unwrap();
        let mut flash = code(first);
        flash.extend((0..256).map(|_| random.next() as u8));
        let mut base = Cpu::new(chip, &flash);
        fill(&mut base, &mut random);
        let mut seen = Observed::default();
        let pointers = effects.reads_memory || effects.writes_memory;
        // Some dependences show in few states only.
        for _ in 0..200 {
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
                observe(&mut seen, &base, &mut random, pointers, Inputs::NONE);
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
            Op::Las | Op::Lac | Op::Lat => many == ["uses from [58]"],
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

/// A chip with random memory.
fn filled(chip: &Chip, random: &mut Random) -> Cpu {
    let flash: Vec<u8> = (0..64).map(|_| random.next() as u8).collect();
    let mut cpu = Cpu::new(chip.clone(), &flash);
    fill(&mut cpu, random);
    cpu
}

/// Puts an instruction, with what is behind it, at the start of flash.
fn place_code(cpu: &mut Cpu, words: &[u16]) -> scrimp_avr::semantics::Ins {
    let code: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes()).collect();
    for (at, &byte) in (0..).zip(&code) {
        cpu.set_flash(at, byte);
    }
    ins(cpu.chip(), cpu.flash(), 0)
}

/// The words of instructions that name an address: I/O registers by `in`, `out` and the
/// like, all addresses below SRAM and those around each border by `lds` and `sts`.
fn named(chip: &Chip) -> Vec<[u16; 2]> {
    let mut all = Vec::new();
    for port in 0..64u16 {
        let at = (port & 0x30) << 5 | port & 15;
        all.extend([[0xb000 | at | 5 << 4, 0], [0xb800 | at | 5 << 4, 0]]);
        all.extend([[0xb100 | at | 9 << 4, 0], [0xb900 | at | 9 << 4, 0]]);
    }
    for (op, port, bit) in [0x9800u16, 0x9900, 0x9a00, 0x9b00]
        .into_iter()
        .flat_map(|op| (0..32u16).map(move |port| (op, port, port % 8)))
    {
        all.push([op | port << 3 | bit, 0]);
    }
    if chip.core == Core::AvrRc {
        all.extend((0..128).flat_map(|k: u16| {
            let at = (k & 0x70) << 4 | k & 15;
            [[0xa000 | at | 3 << 4, 0], [0xa800 | at | 3 << 4, 0]]
        }));
        return all;
    }
    let (start, end) = (chip.sram.start as u16, chip.sram.end as u16);
    let borders = [start - 1, start, end - 1, end, 0x7fff, 0x8000, 0xffff];
    for at in (0..0x100).chain(borders) {
        // One of these is the register that stands at the address now and then.
        let d = [5, 26, 30, at & 31][usize::from(at) % 4] << 4;
        all.extend([[0x9000 | d, at], [0x9200 | d, at]]);
    }
    all
}

#[test]
fn what_stands_at_an_address_is_told_exactly_where_the_instruction_names_it() {
    let mut random = Random(4);
    let mut faults = Vec::new();
    let mut words = 0;
    for chip in chips() {
        let mut base = filled(&chip, &mut random);
        for code in named(&chip) {
            let i = place_code(&mut base, &code);
            if i.op == Op::Undefined {
                continue;
            }
            words += 1;
            let effects = effects::of(base.flash(), &chip).unwrap();
            let mut seen = Observed::default();
            for round in 0..40 {
                observe(&mut seen, &base, &mut random, false, Inputs::NONE);
                if round >= 1 && seen.differences(&effects).1.is_empty() {
                    break;
                }
            }
            let (few, many) = seen.differences(&effects);
            let name = format!("{} {:?} {:x}", chip.core.name(), i.op, i.k);
            faults.extend(few.iter().map(|f| format!("{name}: not told {f}")));
            faults.extend(many.iter().map(|f| format!("{name}: not seen {f}")));
        }
    }
    println!("{words} instructions");
    assert!(words > 3000, "{words}");
    assert!(faults.is_empty(), "{faults:#?}");
}

/// Loads, stores and the like of a chip, each with the pointer pair that it goes by (or
/// the stack) and what that is short of the address.
fn pointing(chip: &Chip) -> Vec<(u16, u8, u16)> {
    let forms = [
        // X, X+, -X
        (0x900c, 26, 0u16),
        (0x900d, 26, 0),
        (0x900e, 26, 0xffff),
        // Y+, -Y, Z+, -Z
        (0x9009, 28, 0),
        (0x900a, 28, 0xffff),
        (0x9001, 30, 0),
        (0x9002, 30, 0xffff),
        // Y+2, Z+2, Y, Z
        (0x800a, 28, 2),
        (0x8002, 30, 2),
        (0x8008, 28, 0),
        (0x8000, 30, 0),
    ];
    let stores = forms.map(|(word, pair, short)| (word | 0x200, pair, short));
    let others = [
        (0x920f, place::SPL, 0),
        (0x900f, place::SPL, 1),
        (0x9204, 30, 0),
        (0x9205, 30, 0),
        (0x9206, 30, 0),
        (0x9207, 30, 0),
    ];
    let all = forms.into_iter().chain(stores).chain(others);
    // Of the register two that point, and two that do not.
    all.flat_map(|w| [4u16, 17, 26, 31].map(|d| (w.0 | d << 4, w.1, w.2)))
        .filter(|w| ins(chip, &w.0.to_le_bytes(), 0).op != Op::Undefined)
        .collect()
}

#[test]
fn a_pointer_at_each_address_touches_no_more_than_is_told() {
    let mut random = Random(5);
    let mut faults = Vec::new();
    for chip in chips() {
        let mut base = filled(&chip, &mut random);
        let borders = [chip.sram.start - 1, chip.sram.start, chip.sram.end, 0x8000];
        let all = (0..0x60).chain(borders.map(|b| b as u16));
        let words = pointing(&chip);
        for at in all {
            // Each form meets each third address, with one register after the other.
            for (word, pair, short) in words.iter().skip(usize::from(at) % 7).step_by(7) {
                let i = place_code(&mut base, &[*word, 0]);
                let pointer = at.wrapping_sub(*short);
                let [a, b] = pointer.to_le_bytes();
                let mut cpu = base.clone();
                let fixed = match *pair {
                    place::SPL => {
                        cpu.set_sp(pointer);
                        Inputs::one(place::SPL).and(Inputs::one(place::SPH))
                    }
                    low => {
                        cpu.set_register(low, a);
                        cpu.set_register(low + 1, b);
                        Inputs::one(low).and(Inputs::one(low + 1))
                    }
                };
                let mut seen = Observed::default();
                for _ in 0..2 {
                    observe(&mut seen, &cpu, &mut random, false, fixed);
                }
                let near = at.saturating_sub(3)..=at.saturating_add(20);
                let code = cpu.flash();
                for (range, effects) in [
                    ("there", effects::within(code, &chip, at..=at)),
                    ("near", effects::within(code, &chip, near)),
                    ("any", effects::of(code, &chip)),
                ] {
                    let effects = effects.unwrap();
                    let few = seen.differences(&effects).0;
                    let name = format!("{} {:?} {range} {at:x}", chip.core.name(), i.op);
                    faults.extend(few.iter().map(|f| format!("{name}: not told {f}")));
                }
            }
        }
    }
    assert!(faults.is_empty(), "{faults:#?}");
}

/// A pointer of which nothing is known may name anything, and what it depends on is
/// told.
#[test]
fn wild_pointers_touch_no_more_than_is_told() {
    let mut random = Random(6);
    let mut faults = Vec::new();
    for chip in chips() {
        let mut base = filled(&chip, &mut random);
        let calls = [0x9509, 0xd000, 0x9508, 0x9518].map(|word| (word, place::SPL, 0));
        for (word, ..) in pointing(&chip).into_iter().chain(calls) {
            let i = place_code(&mut base, &[word, 0]);
            let effects = effects::of(base.flash(), &chip).unwrap();
            let mut seen = Observed::default();
            for _ in 0..8 {
                // Two of three pointers stay low, where all kinds of things are.
                let high = [27, 29, 31].map(Inputs::one);
                let stack = Inputs::one(place::SPL).and(Inputs::one(place::SPH));
                let fixed = match !random.next().is_multiple_of(3) {
                    true => high.into_iter().fold(stack, Inputs::and),
                    false => Inputs::NONE,
                };
                for high in [27, 29, 31] {
                    base.set_register(high, 0);
                }
                base.set_sp(random.next() as u16 % 0x64);
                observe(&mut seen, &base, &mut random, false, fixed);
            }
            let name = format!("{} {word:04x} {:?}", chip.core.name(), i.op);
            let few = seen.differences(&effects).0;
            faults.extend(few.iter().map(|f| format!("{name}: not told {f}")));
        }
    }
    assert!(faults.is_empty(), "{faults:#?}");
}

/// The flags are live before `in r16,SREG` if r16 is after it, and dead before
/// `out SREG,r16`, which may turn interrupts on.
#[test]
fn the_flags_go_through_sreg() {
    let chip = chip();
    let of = |word: u16| effects::of(&word.to_le_bytes(), &chip).unwrap();
    let (read, write) = (of(0xb70f), of(0xbf0f));
    let flags = (place::FLAGS..place::FLAGS + 8).map(Inputs::one);
    let flags = flags.fold(Inputs::NONE, Inputs::and);
    assert_eq!(read.live_before(Inputs::one(16)), flags);
    assert_eq!(write.live_before(flags), Inputs::one(16));
    assert!(write.controls && !read.controls);
    // `mov r5,r6` by way of memory: `sts 5,r6`.
    let code = [0x9260, 5].map(u16::to_le_bytes).concat();
    let sts = effects::of(&code, &chip).unwrap();
    assert_eq!(sts.live_before(Inputs::one(5)), Inputs::one(6));
    assert!(!sts.writes_memory && !sts.output);
}
