//! The vCPU: its table, its meaning in every domain, its files, and against the ROMs that
//! interpret it.

use std::collections::HashMap;

use crate::meaning::agree;
use crate::random::Random;
use crate::tools::named;
use scrimp_gigatron::semantics::Register;
use scrimp_gigatron::sim::{Cpu, Memory};
use scrimp_gigatron::vcpu::semantics::Op;
use scrimp_gigatron::vcpu::sim::Machine;
use scrimp_gigatron::vcpu::table::{FORMS, ROWS};
use scrimp_gigatron::vcpu::{Rom, Vcpu, files, sys};
use scrimp_isa::effects::Way;
use scrimp_isa::semantics::Code;
use scrimp_isa::{ImageView, Target};

#[test]
fn every_domain_agrees_with_numbers_on_every_form() {
    let tried = agree(&Vcpu, |op| op == Op::Sys as u16, 4);
    assert!(tried >= 4 * (FORMS.len() - 2), "{tried}");
}

#[test]
fn no_instruction_is_two_others() {
    // Rows of one ROM differ in their fixed bits, apart from those that are never printed
    // and HALT, which is a call that no ROM has time for.
    for rom in Rom::ALL {
        let has = |r: &&_| {
            let r: &scrimp_gigatron::vcpu::table::Row = r;
            r.form.needs & !rom.features() == 0 && !r.form.alias && r.op != Op::Halt
        };
        let rows: Vec<_> = ROWS.iter().filter(has).collect();
        for (i, a) in rows.iter().enumerate() {
            let times = a.times[rom.times()];
            assert!(
                times.min() > 0,
                "{} has no time in {}",
                a.form.name,
                rom.name()
            );
            for b in &rows[i + 1..] {
                let common = a.form.pattern.mask & b.form.pattern.mask;
                let same = (a.form.pattern.fixed ^ b.form.pattern.fixed) & common == 0;
                assert!(!same, "{} and {}", a.form.name, b.form.name);
            }
        }
    }
}

#[test]
fn texts() {
    let text = |bytes: &[u8], at| Vcpu.decode(bytes, at).expect("an instruction").text;
    assert_eq!(text(&[0x11, 0x34, 0x12], 0x200), "ldwi $1234");
    assert_eq!(text(&[0x90, 0x10], 0x200), "bra $0212");
    // The targets of a page wrap in it.
    assert_eq!(text(&[0x90, 0xfe], 0x2fe), "bra $0200");
    assert_eq!(text(&[0x35, 0x72, 0x00], 0x2fd), "bne $0202");
    assert_eq!(text(&[0xb4, 0xf3], 0x200), "sys 54");
    assert_eq!(text(&[0xb4, 0x00], 0x200), "sys 28");
    assert_eq!(text(&[0xb4, 0xff], 0x200), "sys 30");
    assert_eq!(text(&[0xb4, 0x01], 0x200), "sys 538");
    assert_eq!(text(&[0xb4, 0x80], 0x200), "halt");
    assert!(Vcpu.decode(&[0x18, 0x30], 0x200).is_none(), "of dev7");
    let on = |name: &str, bytes: &[u8]| {
        let machine = Vcpu.machine(name).expect("a machine");
        let found = Vcpu.decode_on(bytes, 0x200, Some(machine));
        found.map(|d| d.text)
    };
    let jeq = &[0x3f, 0xfe, 0x05];
    assert_eq!(on("vcpu-dev7", jeq).as_deref(), Some("jeq $0500"));
    let moviw = &[0xb1, 0x30, 0x12, 0x34];
    assert_eq!(on("vcpu-dev7", moviw).as_deref(), Some("moviw $1234,$30"));
    assert_eq!(on("vcpu-v4", &[0x85, 0, 2]), None);
    let compare = &[0x2f, 0x31, 0x37];
    assert_eq!(on("vcpu-vx0", compare).as_deref(), Some("cmphs $31"));
}

#[test]
fn where_control_goes_is_derived() {
    let meaning = Vcpu.semantics(None).expect("it");
    let of = |bytes: &[u8]| {
        let address = 0x2f0;
        let ways = meaning.successors(Code { bytes, address });
        let ways = ways.expect("an instruction");
        (ways.falls_through, ways.way, ways.to)
    };
    assert_eq!(of(&[0x59, 1]), (true, None, None));
    assert_eq!(of(&[0x90, 0]), (false, Some(Way::Jump), Some(0x202)));
    assert_eq!(of(&[0x35, 0x3f, 0]), (true, Some(Way::Jump), Some(0x202)));
    assert_eq!(
        of(&[0x85, 0x34, 0x12]),
        (false, Some(Way::Call), Some(0x1234))
    );
    assert_eq!(of(&[0xcf, 0x30]), (false, Some(Way::Call), None));
    assert_eq!(of(&[0xff]), (false, Some(Way::Return), None));
    // A store to vPC, alone and behind the word; it ends for good.
    assert_eq!(of(&[0x2b, 0x16]), (false, Some(Way::Jump), None));
    let far = [0x11, 0x32, 0x12, 0x2b, 0x16];
    assert_eq!(of(&far), (false, Some(Way::Jump), Some(0x1234)));
    assert_eq!(of(&[0xb4, 0x80]), (false, Some(Way::Jump), Some(0x2f0)));
}

/// A program in memory.
struct Program(Vec<(u64, Vec<u8>)>, Vec<(String, i64)>);

impl ImageView for Program {
    fn pieces(&self) -> Vec<(u64, &[u8])> {
        self.0.iter().map(|p| (p.0, &*p.1)).collect()
    }
    fn symbol(&self, name: &str) -> Option<i64> {
        self.1.iter().find(|n| n.0 == name).map(|n| n.1)
    }
    fn option(&self, _: &str) -> Option<&str> {
        None
    }
    fn name(&self) -> &str {
        ""
    }
}

/// A file, read and written again.
fn again(file: &[u8]) -> Result<Vec<u8>, String> {
    let gt1 = &files::ALL[0];
    let contents = gt1.read.expect("it reads")(file)?;
    let program = Program(contents.pieces, contents.names);
    let written = (gt1.write)(&program).map_err(|e| e.message)?;
    Ok(written.bytes)
}

#[test]
fn files_keep_their_segments() {
    let file = |parts: &[(u16, usize)], start: u16| {
        let mut out = Vec::new();
        for (n, &(at, len)) in parts.iter().enumerate() {
            out.extend(at.to_be_bytes());
            out.push(len as u8);
            out.extend(vec![n as u8; len]);
        }
        out.push(0);
        out.extend(start.to_be_bytes());
        out
    };
    for parts in [
        &[(0x30, 2), (0x200, 256), (0x300, 7)][..],
        // Side by side, out of order, both.
        &[(0x200, 4), (0x204, 4)],
        &[(0x500, 4), (0x200, 4)],
        &[(0x504, 4), (0x200, 9), (0x500, 4), (0x508, 1)],
        // One over another: what the later one changes is kept.
        &[(0x200, 4), (0x203, 4)],
        &[(0x200, 9), (0x202, 3), (0x200, 9)],
        &[(0x200, 65), (0x200, 65)],
        // Past the end of its page.
        &[(0x2fe, 4)],
    ] {
        let file = file(parts, 0x200);
        assert_eq!(again(&file).as_ref(), Ok(&file), "{parts:x?}");
    }
    // More is hidden than is said.
    assert!(again(&file(&[(0x200, 256); 18], 0x200)).is_err());
    let stray = Program(vec![(0x200, vec![1])], vec![("segment1".into(), 0x300)]);
    assert!((files::ALL[0].write)(&stray).is_err());
}

#[test]
fn functions_have_their_clocks_and_their_rom_from_their_names() {
    let of = |name: &str| sys::FUNCTIONS.iter().find(|f| f.name == name).expect("it");
    let (memory, shift) = (of("SYS_SetMemory_v2_54"), of("SYS_LSRW1_48"));
    assert_eq!(
        (memory.clocks, memory.since, shift.clocks, shift.since),
        (54, 2, 48, 1)
    );
    assert!(!memory.is_in(Rom::V1) && memory.is_in(Rom::V2) && memory.is_in(Rom::Dev7));
    let multiply = of("SYS_Multiply_s16_v6_66");
    assert!(multiply.is_in(Rom::V6) && !multiply.is_in(Rom::Dev7));
    let text = |rom| sys::library(rom)[0].1;
    assert!(text(Rom::V4).contains("SYS_Sprite6_v3_64: equ $0c00"));
    assert!(!text(Rom::V2).contains("SYS_Sprite6_v3_64: equ"));
}

/// A byte that is often one of those on which something turns.
fn edge(random: &mut Random) -> u8 {
    let n = random.next();
    match n % 6 {
        0 => 0,
        1 => 0xff,
        2 => 0x80,
        3 => 0x7f,
        _ => (n >> 8) as u8,
    }
}

/// What both simulators must agree on.
#[derive(Debug, PartialEq, Eq)]
struct After {
    pc: u16,
    clocks: u64,
    ram: Vec<(u16, u8)>,
}

/// An instruction with all that matters, run from the fetch of one to that of the next.
struct Trial {
    at: u16,
    bytes: Vec<u8>,
    ram: Vec<u8>,
}

/// Bytes that the interpreters use for themselves: ticks, the counter, what returns to the
/// picture, and what they call scratch.
fn private(rom: Rom, at: u16) -> bool {
    match at {
        0x15..=0x17 | 0x1e..=0x20 => true,
        0x1d => rom != Rom::Dev7,
        // Scratch of dev7: vTmp, and sysArgs5 to 7.
        0x29..=0x2b | 0x2f => rom == Rom::Dev7,
        _ => false,
    }
}

/// The entry of the interpreters that fetches, with vPC in page 0 pointing 2 before.
const NEXT: u16 = 0x0301;

/// The instruction as a ROM interprets it.
fn native(cpu: &mut Cpu, trial: &Trial, rom: Rom) -> Option<After> {
    for (at, &byte) in (0u16..).zip(&trial.ram) {
        cpu.poke(at, byte);
    }
    let [high, low] = trial.at.to_be_bytes();
    cpu.poke(0x15, 0x7f);
    cpu.poke(0x16, low.wrapping_sub(2));
    cpu.poke(0x17, high);
    // In: AC has half of the clocks that are gone, negative; Y the page.
    cpu.set_register(Register::Ac, 0);
    cpu.set_register(Register::Y, high);
    cpu.go(NEXT);
    let start = cpu.now();
    cpu.run_bare(start + 1);
    cpu.run_to(&[NEXT], start + 600)?;
    let clocks = cpu.now() - start;
    let pc = u16::from_be_bytes([cpu.peek(0x17), cpu.peek(0x16).wrapping_add(2)]);
    let changed = (0..0x8000u16).zip(&trial.ram);
    let ram = changed.filter(|&(at, &b)| cpu.peek(at) != b && !private(rom, at));
    let ram = ram.map(|(at, _)| (at, cpu.peek(at))).collect();
    Some(After { pc, clocks, ram })
}

/// The instruction in our simulator, with other bytes where only the interpreters know
/// what there is.
fn alone(trial: &Trial, rom: Rom, other: u8) -> After {
    let mut machine = Machine::new(rom, Memory::K32);
    for (at, &byte) in (0u16..).zip(&trial.ram) {
        let hidden = private(rom, at) && !(0x16..=0x17).contains(&at);
        machine.poke(at, if hidden { byte ^ other } else { byte });
    }
    machine.set_pc(trial.at);
    let clocks = machine.step().expect("it runs");
    let changed = (0..0x8000u16).zip(&trial.ram);
    let ram = changed.filter(|&(at, &b)| machine.peek(at) != b && !private(rom, at));
    let ram = ram.map(|(at, _)| (at, machine.peek(at))).collect();
    let pc = machine.pc();
    After { pc, clocks, ram }
}

/// A random state around a form.
fn trial(row: usize, random: &mut Random) -> Trial {
    let form = &FORMS[row];
    let mut ram: Vec<u8> = (0..0x8000).map(|_| random.next() as u8).collect();
    let at = 0x0200 | (random.next() as u16 & 0x7dff);
    let at = (at & 0xff00) | ((at & 0xff) % 0xf8);
    let word = form.pattern.fixed | (random.next() & !form.pattern.mask);
    let mut bytes = word.to_le_bytes()[..usize::from(form.pattern.len)].to_vec();
    for class in form.operand_names() {
        // Variables that are no registers, with pointers into RAM.
        let letter = match class {
            "zp" => b'd',
            "zp2" => b'e',
            _ => continue,
        };
        let field = form.pattern.field(letter).expect("a field");
        let value = 0x90 + random.next() % 0x60;
        let word = u64::from_le_bytes(std::array::from_fn(|i| bytes.get(i).copied().unwrap_or(0)));
        let word = word & !field.deposit(0xff) | field.deposit(value);
        bytes = word.to_le_bytes()[..bytes.len()].to_vec();
    }
    for byte in &mut ram[0x90..0x100] {
        *byte = edge(random);
    }
    for at in [0x18, 0x19, 0x1a, 0x1b] {
        ram[at] = edge(random);
    }
    // Page 0 is for variables; pointers lead elsewhere.
    let d = usize::from(bytes.get(1).copied().unwrap_or(0));
    match ROWS[row].op {
        Op::Peek | Op::Deek => ram[0x19] |= 1,
        Op::Peekv | Op::Deekv => ram[d + 1] |= 1,
        _ => {}
    }
    ram[0] = 0;
    ram[0x80] = 1;
    ram[0x1c] = 0xa0 + (random.next() % 0x50) as u8;
    if matches!(ROWS[row].op, Op::Ldlw | Op::Stlw) {
        let at = ram[0x1c].wrapping_add(bytes[1]);
        if (0x10..0x28).contains(&at) {
            bytes[1] ^= 0x40;
        }
    }
    ram[0x1d] = 0;
    // The interpreter in force is that of the vCPU.
    ram[0x05] = 2;
    ram[usize::from(at)..][..bytes.len()].copy_from_slice(&bytes);
    Trial { at, bytes, ram }
}

/// Whether a trial says something: stores stay out of what the interpreters keep.
fn harmless(after: &After, trial: &Trial, op: Op) -> bool {
    let code = trial.at..trial.at + 8;
    // A word from vAC over vAC or vSP depends on which half is first.
    let kept = |at| match op {
        Op::Stlw => (0x14..0x21).contains(&at),
        Op::Call | Op::Calli | Op::Pop | Op::Push | Op::Alloc => false,
        _ => (0x1a..0x21).contains(&at),
    };
    let bad = |at| code.contains(&at) || at == 0 || at == 0x80 || at == 0x05 || kept(at);
    after.ram.iter().all(|&(at, _)| !bad(at))
}

#[test]
fn instructions_are_those_of_the_roms() {
    let Some(folder) = named("SCRIMP_GIGATRON_ROMS") else {
        return;
    };
    let mut random = Random(41);
    let mut wrong: HashMap<String, (usize, String)> = HashMap::new();
    let mut tried = 0;
    for (rom, file) in [
        (Rom::V1, "ROMv1"),
        (Rom::V4, "ROMv4"),
        (Rom::V5a, "ROMv5a"),
        (Rom::V6, "ROMv6"),
        (Rom::Dev7, "dev7"),
    ] {
        let Ok(image) = std::fs::read(folder.join(file).with_extension("rom")) else {
            println!("skipped: no {file}.rom");
            continue;
        };
        let mut cpu = Cpu::new(&image, Memory::K32).expect("a machine");
        for (row, r) in ROWS.iter().enumerate() {
            let skipped = r.form.alias || matches!(r.op, Op::Sys | Op::Halt | Op::Lup);
            if skipped || r.form.needs & !rom.features() != 0 {
                continue;
            }
            for _ in 0..60 {
                let t = trial(row, &mut random);
                let ours = alone(&t, rom, 0);
                if !harmless(&ours, &t, r.op) || ours != alone(&t, rom, 0xff) {
                    continue;
                }
                let theirs = native(&mut cpu, &t, rom);
                tried += 1;
                if theirs.as_ref() != Some(&ours) {
                    let key = format!("{} {}", rom.name(), r.form.name);
                    let ac = [t.ram[0x19], t.ram[0x18]];
                    let entry = wrong.entry(key).or_insert((0, String::new()));
                    entry.0 += 1;
                    entry.1 = format!(
                        "at {:04x} {:02x?} ac {ac:02x?}: ours {ours:02x?}, the ROM's {theirs:02x?}",
                        t.at, t.bytes
                    );
                }
            }
        }
    }
    let mut list: Vec<_> = wrong.iter().collect();
    list.sort();
    for (name, (count, last)) in &list {
        println!("{name}: {count} wrong, {last}");
    }
    assert!(list.is_empty(), "{} forms differ", list.len());
    println!("{tried} instructions");
    assert!(tried > 5_000, "{tried}");
}
