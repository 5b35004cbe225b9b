//! The domains against each other: what numbers give in 64 random states, lanes, terms
//! and known bits must give too, for every form of an instruction set.

use super::random::{Random, mix};
use scrimp_isa::lanes::{LANES, Lanes, lane, spread};
use scrimp_isa::memory::{
    EventKind, KnownMemory, LanesMemory, Numbers, Outside, Space, TermMemory,
};
use scrimp_isa::semantics::Code;
use scrimp_isa::state::{CELLS, Constants, Holds};
use scrimp_isa::terms::{Arena, Term, value};
use scrimp_isa::{Concrete, Known, Processor, Semantics, Target, known};

/// A state: cells, program counter, constants, and a seed for what memory holds.
#[derive(Clone)]
struct State {
    cells: [u8; CELLS],
    counter: (u8, u16),
    constants: [u8; 2],
    seed: u64,
}

/// A byte that is often one of those on which something turns.
fn edge(random: &mut Random) -> u8 {
    let n = random.next();
    match n % 8 {
        0 | 1 => 0,
        2 => 1,
        3 => 0xff,
        4 => 0x80,
        _ => (n >> 8) as u8,
    }
}

fn before(seed: u64, space: Space, at: u32) -> u8 {
    mix(seed ^ u64::from(at) << 8 ^ space as u64) as u8
}

/// Cells of a layout full of random bytes.
fn cells(semantics: &dyn Semantics, random: &mut Random) -> [u8; CELLS] {
    let mut all = [0; CELLS];
    for (value, cell) in all.iter_mut().zip(semantics.layout().cells) {
        *value = match cell.holds {
            Holds::Byte => edge(random),
            Holds::Flags(_, names) => random.next() as u8 & ((1u16 << names.len()) - 1) as u8,
            Holds::Nothing | Holds::Hidden => 0,
        };
    }
    all
}

/// A form with random fields, where that is an instruction.
fn instance(
    target: &dyn Target,
    semantics: &dyn Semantics,
    form: usize,
    random: &mut Random,
) -> Option<Vec<u8>> {
    let pattern = &target.forms()[form].pattern;
    let word = pattern.fixed | random.next() & !pattern.mask;
    let length = usize::from(pattern.len);
    let mut bytes = word.to_le_bytes()[..length].to_vec();
    bytes.extend([0; 4]);
    let code = Code {
        bytes: &bytes,
        address: 0,
    };
    semantics.length(code).is_some().then_some(bytes)
}

/// What one state comes to.
struct Run {
    processor: Processor<Concrete, Numbers>,
    long: bool,
}

fn numbers(semantics: &dyn Semantics, code: Code<'_>, state: &State) -> Run {
    let seed = state.seed;
    let memory = Numbers::new(Box::new(move |space, at| before(seed, space, at)));
    let mut p = Processor::new(Concrete, memory);
    (0..).zip(state.cells).for_each(|(n, v)| p.set_cell(n, v));
    p.set_counter(state.counter.0, state.counter.1);
    p.constants = Some(Constants {
        values: state.constants,
        address: None,
    });
    let long = semantics.numbers(code, &mut p).expect("an instruction");
    Run { processor: p, long }
}

fn lanes_agree(semantics: &dyn Semantics, code: Code<'_>, states: &[State], runs: &[Run]) {
    let seeds: Vec<u64> = states.iter().map(|s| s.seed).collect();
    let memory = LanesMemory::new(Box::new(move |n, space, at| before(seeds[n], space, at)));
    let mut p = Processor::new(Lanes, memory);
    for cell in 0..CELLS {
        p.set_cell(cell as u8, spread(|n| states[n].cells[cell].into()));
    }
    p.set_counter(
        spread(|n| states[n].counter.0.into()),
        spread(|n| states[n].counter.1.into()),
    );
    let values = [0, 1].map(|i| spread(|n| states[n].constants[i].into()));
    p.constants = Some(Constants {
        values,
        address: None,
    });
    let long = semantics.lanes(code, &mut p).expect("an instruction");
    for (n, run) in runs.iter().enumerate() {
        for cell in 0..CELLS as u8 {
            let (got, wanted) = (lane(&p.cell(cell), n) as u8, run.processor.cell(cell));
            assert_eq!(got, wanted, "lanes {:02x?} cell {cell}", code.bytes);
        }
        let (top, low) = p.counter();
        let counter = (lane(&top, n) as u8, lane(&low, n) as u16);
        assert_eq!(
            counter,
            run.processor.counter(),
            "lanes {:02x?}",
            code.bytes
        );
        assert_eq!(long >> n & 1 == 1, run.long, "lanes {:02x?}", code.bytes);
        for &(space, at, _) in &run.processor.memory.written {
            let wanted = run.processor.memory.peek(space, at);
            let got = p.memory.peek(n, space, at);
            assert_eq!(got, wanted, "lanes {:02x?} at {at:x}", code.bytes);
        }
    }
}

fn terms_agree(semantics: &dyn Semantics, code: Code<'_>, states: &[State], runs: &[Run]) {
    let (arena, outside) = (Arena::default(), Outside::default());
    let d = arena.terms();
    let mut p = Processor::new(d, TermMemory::new(&outside));
    // The inputs in the order in which they are made.
    let mut inputs: Vec<u64> = Vec::new();
    let mut byte = |number: &dyn Fn(usize) -> u32| {
        inputs.extend(spread::<8>(number));
        arena.fresh::<8>()
    };
    for cell in 0..CELLS {
        let v = byte(&|n| states[n].cells[cell].into());
        p.set_cell(cell as u8, v);
    }
    let top = byte(&|n| states[n].counter.0.into());
    let low = byte(&|n| u32::from(states[n].counter.1 & 0xff));
    let high = byte(&|n| u32::from(states[n].counter.1 >> 8));
    p.set_counter(
        top,
        std::array::from_fn(|i| if i < 8 { low[i] } else { high[i - 8] }),
    );
    let values = [0, 1].map(|i| byte(&|n| states[n].constants[i].into()));
    p.constants = Some(Constants {
        values,
        address: None,
    });
    let long = semantics.terms(code, &mut p).expect("an instruction");

    let mut known = Vec::new();
    inputs.resize(arena.inputs() as usize, 0);
    for from in outside.delivered() {
        arena.evaluate(
            Lanes,
            &arena.cone(from.address),
            |i| inputs[i as usize],
            &mut known,
        );
        let address = from.address.map(|t| value(Lanes, &known, t));
        let bits: [u64; 8] =
            spread(|n| before(states[n].seed, from.space, lane(&address, n)).into());
        for (term, bits) in from.fresh.into_iter().zip(bits) {
            let number = arena.support([term])[0];
            inputs[number as usize] = bits;
        }
    }
    let (top, low) = p.counter();
    let cells: Vec<[Term; 8]> = (0..CELLS as u8).map(|c| p.cell(c)).collect();
    let mut all: Vec<Term> = cells.concat();
    all.extend(top.iter().chain(&low));
    all.push(long);
    for e in &p.memory.events {
        all.push(e.guard);
        all.extend(&e.bytes);
    }
    arena.evaluate(Lanes, &arena.cone(all), |i| inputs[i as usize], &mut known);
    let number = |terms: &[Term], n| {
        let bits: Vec<u64> = terms.iter().map(|&t| value(Lanes, &known, t)).collect();
        lane(&bits, n)
    };
    for (n, run) in runs.iter().enumerate() {
        for (cell, terms) in (0..).zip(&cells) {
            let wanted = run.processor.cell(cell);
            assert_eq!(
                number(terms, n) as u8,
                wanted,
                "terms {:02x?} cell {cell}",
                code.bytes
            );
        }
        let counter = (number(&top, n) as u8, number(&low, n) as u16);
        assert_eq!(
            counter,
            run.processor.counter(),
            "terms {:02x?}",
            code.bytes
        );
        assert_eq!(
            number(&[long], n) == 1,
            run.long,
            "terms {:02x?}",
            code.bytes
        );
        let happens = p
            .memory
            .events
            .iter()
            .filter(|e| number(&[e.guard], n) == 1);
        let written = happens.filter_map(|e| match e.kind {
            EventKind::Write(space) => Some((
                space,
                number(&e.bytes[..24], n),
                number(&e.bytes[24..], n) as u8,
            )),
            _ => None,
        });
        let written: Vec<_> = written.collect();
        assert_eq!(
            written, run.processor.memory.written,
            "terms {:02x?}",
            code.bytes
        );
    }
}

fn known_agree(
    semantics: &dyn Semantics,
    code: Code<'_>,
    state: &State,
    run: &Run,
    random: &mut Random,
) {
    let mut p = Processor::new(Known, KnownMemory::default());
    let mut some = |value: u8| {
        // Of half of the bytes all is known.
        let known = match random.next() {
            n if n & 1 == 0 => 0xff,
            n => (n >> 8) as u8,
        };
        known::Byte {
            known,
            value: value & known,
        }
    };
    (0..)
        .zip(state.cells)
        .for_each(|(n, v)| p.set_cell(n, some(v)));
    let (top, [high, low]) = (state.counter.0, state.counter.1.to_be_bytes());
    p.set_counter(
        some(top),
        known::Word {
            high: some(high),
            low: some(low),
        },
    );
    p.constants = Some(Constants {
        values: state.constants.map(&mut some),
        address: None,
    });
    for space in [Space::Data, Space::Program] {
        for &(_, at, _) in &run.processor.memory.written {
            p.memory
                .poke(space, at, known::Byte::of(before(state.seed, space, at)));
        }
    }
    let long = semantics.known(code, &mut p).expect("an instruction");
    for cell in 0..CELLS as u8 {
        let (k, v) = (p.cell(cell), run.processor.cell(cell));
        assert!(
            k.allows(v),
            "known {:02x?} cell {cell}: {k:02x?} {v:02x}",
            code.bytes
        );
    }
    let ((top, low), (t, l)) = (p.counter(), run.processor.counter());
    let [h, l] = l.to_be_bytes();
    assert!(
        top.allows(t) && low.high.allows(h) && low.low.allows(l),
        "known {:02x?}",
        code.bytes
    );
    assert!(
        long.is_none_or(|k| k == run.long),
        "known {:02x?}",
        code.bytes
    );
    for &(space, at, _) in &run.processor.memory.written {
        let v = run.processor.memory.peek(space, at);
        let k = p.memory.peek(space, at);
        assert!(
            space == Space::Port || k.allows(v),
            "known {:02x?} at {at:x}",
            code.bytes
        );
    }
}

/// Where a run went must be where its successors are said to be.
fn went_as_told(semantics: &dyn Semantics, code: Code<'_>, random: &mut Random) {
    let told = semantics.successors(code).expect("an instruction");
    let at = code.address / semantics.unit();
    let slots = u64::from(semantics.slots());
    let next = (at + slots + semantics.length(code).expect("it") as u64 / semantics.unit()) as u32;
    let (mut fell, mut went) = (false, false);
    // A counter of eight bits ends once in 256.
    let elsewhere = told.to.is_some_and(|t| t != next && u64::from(t) != at);
    for n in 0..4_000 {
        if n >= 200 && (!elsewhere || fell == told.falls_through) {
            break;
        }
        let seed = random.next();
        let memory = Numbers::new(Box::new(move |space, at| before(seed, space, at)));
        let mut p = Processor::new(Concrete, memory);
        let cells = cells(semantics, random);
        (0..).zip(cells).for_each(|(n, v)| p.set_cell(n, v));
        let at = (at + slots) as u32;
        p.set_counter((at >> 16) as u8, at as u16);
        semantics.numbers(code, &mut p).expect("an instruction");
        let (top, low) = p.counter();
        let to = u32::from(top) << 16 | u32::from(low);
        let good = told.falls_through && to == next
            || told.way.is_some() && told.to.is_none_or(|t| t == to);
        assert!(
            good,
            "{:02x?} goes to {to:x}, not as in {told:x?}",
            code.bytes
        );
        fell |= to == next;
        went |= to != next;
    }
    // A block instruction that counts 65,536 ends too seldom to be seen.
    let far = told.to != Some(next) && told.to.is_some_and(|t| u64::from(t) != at);
    assert!(!far || went, "{:02x?} never goes {told:x?}", code.bytes);
    assert!(
        !far || fell == told.falls_through,
        "{:02x?} falls through: {told:x?}",
        code.bytes
    );
}

/// Tries each form that `skip` does not take out, with as many instances; the number of
/// instances tried.
pub fn agree(target: &dyn Target, skip: impl Fn(u16) -> bool, instances: usize) -> usize {
    let semantics = target.semantics(None).expect("it has a meaning");
    let semantics = &*semantics;
    let mut random = Random(17);
    let mut tried = 0;
    for (row, form) in target.forms().iter().enumerate() {
        if skip(form.op) {
            continue;
        }
        for _ in 0..instances {
            let found = (0..50).find_map(|_| instance(target, semantics, row, &mut random));
            let Some(bytes) = found else {
                assert!(
                    form.alias || form.name.starts_with('*'),
                    "{} {}",
                    form.name,
                    form.operands
                );
                break;
            };
            let code = Code {
                bytes: &bytes,
                address: 0x4680,
            };
            let states: Vec<State> = (0..LANES)
                .map(|_| State {
                    cells: cells(semantics, &mut random),
                    counter: (0, random.next() as u16),
                    constants: [edge(&mut random), edge(&mut random)],
                    seed: random.next(),
                })
                .collect();
            let runs: Vec<Run> = states.iter().map(|s| numbers(semantics, code, s)).collect();
            lanes_agree(semantics, code, &states, &runs);
            terms_agree(semantics, code, &states, &runs);
            for (state, run) in states.iter().zip(&runs) {
                known_agree(semantics, code, state, run, &mut random);
            }
            went_as_told(semantics, code, &mut random);
            tried += 1;
        }
    }
    tried
}
