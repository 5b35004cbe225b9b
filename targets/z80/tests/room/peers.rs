//! Results, memory, ports and T-states against two simulators by other people,
//! over random states: every sequence of the instruction set, then whatever the
//! random memory holds next (so that Q, which only a second instruction shows, is
//! looked at too).

use crate::common::{World, sequences};
use crate::random::Random;
use rustzx_z80::{RegName8, RegName16, Z80Bus};
use scrimp_z80::reg;
use scrimp_z80::sim::Cpu;

/// Cases for each of the 1604 sequences: 3.2 million states, two instructions
/// each.
const CASES: u32 = 1000;

impl zilog_z80::bus::Bus for World {
    fn read_byte(&self, address: u16) -> u8 {
        self.peek(address)
    }
    fn write_byte(&mut self, address: u16, data: u8) {
        self.written.push((address, data));
    }
    fn read_io(&self, port: u16) -> u8 {
        self.port(port)
    }
    fn write_io(&mut self, port: u16, data: u8) {
        self.output.push((port, data));
    }
}

impl Z80Bus for World {
    fn read_internal(&mut self, address: u16) -> u8 {
        self.peek(address)
    }
    fn write_internal(&mut self, address: u16, data: u8) {
        self.written.push((address, data));
    }
    fn wait_mreq(&mut self, _: u16, states: usize) {
        self.states += states as u32;
    }
    fn wait_no_mreq(&mut self, _: u16, states: usize) {
        self.states += states as u32;
    }
    fn wait_internal(&mut self, states: usize) {
        self.states += states as u32;
    }
    fn read_io(&mut self, port: u16) -> u8 {
        self.states += 4;
        self.port(port)
    }
    fn write_io(&mut self, port: u16, data: u8) {
        self.states += 4;
        self.output.push((port, data));
    }
    fn read_interrupt(&mut self) -> u8 {
        0xff
    }
    fn reti(&mut self) {}
    fn halt(&mut self, _: bool) {}
    fn int_active(&self) -> bool {
        false
    }
    fn nmi_active(&self) -> bool {
        false
    }
    fn pc_callback(&mut self, _: u16) {}
}

/// The registers that all three show, and the time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Snapshot {
    af: u16,
    bc: u16,
    de: u16,
    hl: u16,
    ix: u16,
    iy: u16,
    sp: u16,
    pc: u16,
    wz: u16,
    i: u8,
    r: u8,
    other: [u16; 4],
    iff: [bool; 2],
    mode: u8,
    halted: bool,
    states: u32,
}

impl Snapshot {
    fn random(random: &mut Random) -> Self {
        let mut word = || random.next() as u16;
        Self {
            af: word(),
            bc: word(),
            de: word(),
            hl: word(),
            ix: word(),
            iy: word(),
            sp: word(),
            pc: word(),
            wz: word(),
            i: word() as u8,
            r: word() as u8,
            other: [word(), word(), word(), word()],
            iff: [word() & 1 == 1; 2],
            mode: (word() % 3) as u8,
            halted: false,
            states: 0,
        }
    }
}

/// A simulator under comparison.
trait Core {
    fn start(s: &Snapshot) -> Self;
    fn step(&mut self, world: &mut World) -> Snapshot;
}

struct Ours(Cpu);

impl Core for Ours {
    fn start(s: &Snapshot) -> Self {
        let mut cpu = Cpu::new();
        let pairs = [s.af, s.bc, s.de, s.hl, s.ix, s.iy, s.sp, s.wz];
        let names = ["af", "bc", "de", "hl", "ix", "iy", "sp", "wz"];
        for (name, value) in names.iter().zip(pairs) {
            assert!(cpu.set_register(name, value.into()));
        }
        for (name, value) in ["af'", "bc'", "de'", "hl'"].iter().zip(s.other) {
            assert!(cpu.set_register(name, value.into()));
        }
        cpu.set_pc(s.pc);
        cpu.set(reg::I, s.i);
        cpu.set_refresh(s.r);
        cpu.set_iff(s.iff);
        cpu.set_interrupt_mode(s.mode);
        Self(cpu)
    }

    fn step(&mut self, world: &mut World) -> Snapshot {
        self.0.step(world);
        let pair = |name| self.0.register(name).unwrap() as u16;
        Snapshot {
            af: pair("af"),
            bc: pair("bc"),
            de: pair("de"),
            hl: pair("hl"),
            ix: pair("ix"),
            iy: pair("iy"),
            sp: pair("sp"),
            pc: pair("pc"),
            wz: pair("wz"),
            i: self.0.get(reg::I),
            r: self.0.refresh(),
            other: ["af'", "bc'", "de'", "hl'"].map(pair),
            iff: self.0.iff(),
            mode: self.0.interrupt_mode(),
            halted: self.0.halted(),
            states: self.0.now() as u32,
        }
    }
}

struct Zilog(zilog_z80::cpu::CPU, u32);

impl Core for Zilog {
    fn start(s: &Snapshot) -> Self {
        let mut cpu = zilog_z80::cpu::CPU::new();
        for (r, [af, bc, de, hl]) in [
            (&mut cpu.reg, [s.af, s.bc, s.de, s.hl]),
            (&mut cpu.alt, s.other),
        ] {
            r.set_af(af);
            r.set_bc(bc);
            r.set_de(de);
            r.set_hl(hl);
        }
        cpu.reg.set_ix(s.ix);
        cpu.reg.set_iy(s.iy);
        cpu.reg.sp = s.sp;
        cpu.reg.pc = s.pc;
        cpu.reg.wz = s.wz;
        cpu.reg.i = s.i;
        cpu.reg.r = s.r;
        cpu.set_interrupt_state(s.mode, s.iff[0], s.iff[1]);
        Self(cpu, 0)
    }

    fn step(&mut self, world: &mut World) -> Snapshot {
        let pc = self.0.reg.pc;
        self.1 += self.0.execute(world);
        // A prefix without effect is a step of its own here.
        if matches!(world.peek(pc), 0xdd | 0xfd) && self.0.reg.pc == pc.wrapping_add(1) {
            self.1 += self.0.execute(world);
        }
        let (r, o) = (&self.0.reg, &self.0.alt);
        let halted = self.0.is_halted();
        Snapshot {
            af: r.get_af(),
            bc: r.get_bc(),
            de: r.get_de(),
            hl: r.get_hl(),
            ix: r.get_ix(),
            iy: r.get_iy(),
            sp: r.sp,
            // It stays on the HALT.
            pc: r.pc.wrapping_add(u16::from(halted)),
            wz: r.wz,
            i: r.i,
            r: r.r,
            other: [o.get_af(), o.get_bc(), o.get_de(), o.get_hl()],
            iff: [self.0.iff1(), self.0.iff2()],
            mode: self.0.im(),
            halted,
            states: self.1,
        }
    }
}

struct Rustzx(rustzx_z80::Z80);

impl Core for Rustzx {
    fn start(s: &Snapshot) -> Self {
        let mut cpu = rustzx_z80::Z80::default();
        let set = |cpu: &mut rustzx_z80::Z80, [af, bc, de, hl]: [u16; 4]| {
            cpu.regs.set_reg_16(RegName16::AF, af);
            cpu.regs.set_reg_16(RegName16::BC, bc);
            cpu.regs.set_reg_16(RegName16::DE, de);
            cpu.regs.set_reg_16(RegName16::HL, hl);
        };
        set(&mut cpu, s.other);
        cpu.regs.exx();
        cpu.regs.swap_af_alt();
        set(&mut cpu, [s.af, s.bc, s.de, s.hl]);
        cpu.regs.set_reg_16(RegName16::IX, s.ix);
        cpu.regs.set_reg_16(RegName16::IY, s.iy);
        cpu.regs.set_reg_16(RegName16::SP, s.sp);
        cpu.regs.set_reg_16(RegName16::PC, s.pc);
        cpu.regs.set_mem_ptr(s.wz);
        cpu.regs.set_reg_8(RegName8::I, s.i);
        cpu.regs.set_reg_8(RegName8::R, s.r);
        cpu.regs.set_iff1(s.iff[0]);
        cpu.regs.set_iff2(s.iff[1]);
        cpu.set_im(s.mode);
        Self(cpu)
    }

    fn step(&mut self, world: &mut World) -> Snapshot {
        self.0.emulate(world);
        let r = &mut self.0.regs;
        let word = |h, l| u16::from_be_bytes([h, l]);
        // Its getters of the other H and L give the wrong set.
        r.exx();
        let main = [RegName16::BC, RegName16::DE, RegName16::HL];
        let [bc, de, hl] = main.map(|name| r.get_reg_16(name));
        r.exx();
        let r = &self.0.regs;
        let halted = self.0.is_halted();
        Snapshot {
            af: r.get_reg_16(RegName16::AF),
            bc: r.get_reg_16(RegName16::BC),
            de: r.get_reg_16(RegName16::DE),
            hl: r.get_reg_16(RegName16::HL),
            ix: r.get_reg_16(RegName16::IX),
            iy: r.get_reg_16(RegName16::IY),
            sp: r.get_sp(),
            pc: r.get_pc().wrapping_add(u16::from(halted)),
            wz: r.get_mem_ptr(),
            i: r.get_i(),
            r: r.get_r(),
            other: [word(r.get_acc_alt(), r.get_flags_alt()), bc, de, hl],
            iff: [r.get_iff1(), r.get_iff2()],
            mode: self.0.get_im().into(),
            halted,
            states: world.states,
        }
    }
}

/// Runs both; `known` forgives what the other one is known to get wrong.
fn compare<Other: Core>(seed: u64, known: impl Fn(&[u8; 4], &mut Snapshot, &Snapshot)) {
    let mut random = Random(seed);
    let mut wrong = std::collections::BTreeMap::new();
    for sequence in sequences() {
        for _ in 0..CASES {
            let start = Snapshot::random(&mut random);
            let bytes = random.next().to_le_bytes();
            let code = std::array::from_fn(|i| sequence[i].unwrap_or(bytes[i]));
            let mut world = World::new(random.next(), start.pc, code);
            let mut other_world = world.clone();
            let (mut ours, mut other) = (Ours::start(&start), Other::start(&start));
            let mut code = code;
            for _ in 0..2 {
                let a = ours.step(&mut world);
                let mut b = other.step(&mut other_world);
                let shown = b;
                known(&code, &mut b, &a);
                let same = a == b
                    && world.memory() == other_world.memory()
                    && world.output == other_world.output;
                if !same {
                    let text = format!("{code:02x?} {start:x?}\n ours {a:x?}\nother {b:x?}");
                    wrong.entry(code[..2].to_vec()).or_insert((0, text)).0 += 1;
                    break;
                }
                code = std::array::from_fn(|i| world.peek(a.pc.wrapping_add(i as u16)));
                // A chain of prefixes is cut into steps differently.
                let chain = matches!(code[..2], [0xdd | 0xfd, 0xdd | 0xed | 0xfd]);
                if a.halted || chain || b != shown {
                    break;
                }
            }
        }
    }
    for (code, (times, text)) in wrong.iter().take(12) {
        println!("{code:02x?} {times} times, first {text}");
    }
    assert!(wrong.is_empty(), "{} sequences differ", wrong.len());
}

#[test]
fn zilog_z80() {
    compare::<Zilog>(1, |code, other, ours| match code {
        // While they go on: X and Y, on ports H, P and WZ too.
        [0xed, 0xb0 | 0xb1 | 0xb8 | 0xb9, ..] if ours.wz == ours.pc.wrapping_add(1) => {
            other.af = other.af & !0x28 | ours.af & 0x28;
        }
        [0xed, 0xb2 | 0xb3 | 0xba | 0xbb, ..] if ours.wz == ours.pc.wrapping_add(1) => {
            other.af = other.af & !0x3c | ours.af & 0x3c;
            other.wz = ours.wz;
        }
        // SCF and CCF behind a prefix: its step of its own clears Q.
        [0xdd | 0xfd, 0x37 | 0x3f, ..] => other.af = other.af & !0x28 | ours.af & 0x28,
        _ => {}
    });
}

#[test]
fn rustzx_z80() {
    compare::<Rustzx>(2, |code, other, ours| match code {
        // LD (nn),A: the high byte of WZ is mixed with that of the address.
        [0x32, ..] | [0xdd | 0xfd, 0x32, ..] => other.wz = other.wz & 0xff | ours.wz & 0xff00,
        // OUT ($FF),A: a carry into the high byte of WZ.
        [0xd3, 0xff, ..] | [0xdd | 0xfd, 0xd3, 0xff, ..] => other.wz = ours.wz,
        // On ports, while they go on: WZ stays at the port.
        [0xed, 0xb2 | 0xb3 | 0xba | 0xbb, ..] if ours.wz == ours.pc.wrapping_add(1) => {
            other.wz = ours.wz;
        }
        _ => {}
    });
}
