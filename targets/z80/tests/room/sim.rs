//! The simulator: instruction cycle, time, interrupts, prefixes.

use scrimp_z80::reg;
use scrimp_z80::sim::{Bus, Clock, Cpu, Interrupt, Memory};

/// A CPU at address 0 of a memory that starts with `code`.
fn start(code: &[u8]) -> (Cpu, Memory) {
    let mut memory = Memory::default();
    memory.0[..code.len()].copy_from_slice(code);
    (Cpu::new(), memory)
}

#[test]
fn a_loop_takes_its_time() {
    // ld b,3; loop: djnz loop; halt
    let (mut cpu, mut memory) = start(&[0x06, 3, 0x10, 0xfe, 0x76]);
    for _ in 0..4 {
        cpu.step(&mut memory);
    }
    assert_eq!((cpu.pc(), cpu.get(reg::B)), (4, 0));
    assert_eq!(cpu.now(), 7 + 13 + 13 + 8);
    cpu.step(&mut memory);
    assert!(cpu.halted());
    cpu.run(&mut memory, 100);
    assert_eq!((cpu.pc(), cpu.now()), (5, 101));
    assert!(cpu.halted());
}

#[test]
fn block_moves_one_step_at_a_time() {
    // ldir with bc = 2
    let (mut cpu, mut memory) = start(&[0xed, 0xb0]);
    cpu.set_pair(reg::BC, 2);
    cpu.set_pair(reg::HL, 0x1000);
    cpu.set_pair(reg::DE, 0x2000);
    memory.0[0x1000] = 7;
    memory.0[0x1001] = 8;
    cpu.step(&mut memory);
    assert_eq!((cpu.pc(), cpu.now(), memory.0[0x2000]), (0, 21, 7));
    assert_eq!(cpu.pair(reg::WZ), 1);
    cpu.step(&mut memory);
    assert_eq!((cpu.pc(), cpu.now(), memory.0[0x2001]), (2, 37, 8));
    assert_eq!(cpu.get(reg::F) & 4, 0);
}

#[test]
fn prefixes_without_effect_cost_time_and_refresh() {
    // dd dd fd ld h,1 ; dd nop ; dd ed neg
    let code = [0xdd, 0xdd, 0xfd, 0x26, 1, 0xdd, 0, 0xdd, 0xed, 0x44];
    let (mut cpu, mut memory) = start(&code);
    cpu.step(&mut memory);
    cpu.step(&mut memory);
    assert_eq!(cpu.now(), 8);
    cpu.step(&mut memory);
    assert_eq!((cpu.pc(), cpu.now()), (5, 19));
    assert_eq!((cpu.get(reg::IYH), cpu.get(reg::H)), (1, 0));
    cpu.step(&mut memory);
    assert_eq!((cpu.pc(), cpu.now()), (7, 27));
    cpu.step(&mut memory);
    assert_eq!((cpu.pc(), cpu.now()), (10, 39));
    assert_eq!((cpu.get(reg::A), cpu.refresh()), (1, 9));
}

/// Memory with interrupt lines and a record of the cycles.
#[derive(Default)]
struct Lines {
    memory: Memory,
    int: bool,
    nmi: bool,
    fetched: Vec<(u16, u16, u64)>,
    ports: Vec<(u16, u64)>,
}

impl Bus for Lines {
    fn read(&mut self, address: u16, clock: &mut Clock) -> u8 {
        self.memory.read(address, clock)
    }
    fn write(&mut self, address: u16, value: u8, clock: &mut Clock) {
        self.memory.write(address, value, clock);
    }
    fn fetch(&mut self, address: u16, refresh: u16, clock: &mut Clock) -> u8 {
        self.fetched.push((address, refresh, clock.now()));
        if address == 0x100 {
            clock.wait(5);
        }
        self.memory.read(address, clock)
    }
    fn output(&mut self, port: u16, _: u8, clock: &mut Clock) {
        self.ports.push((port, clock.now()));
    }
    fn int(&mut self, _: u8, _: &mut Clock) -> bool {
        self.int
    }
    fn nmi(&mut self, _: &mut Clock) -> bool {
        std::mem::take(&mut self.nmi)
    }
}

#[test]
fn interrupts_wait_for_the_instruction_after_ei() {
    let mut bus = Lines::default();
    let mut cpu = Cpu::new();
    // im 1; ei; nop; nop
    bus.memory.0[..5].copy_from_slice(&[0xed, 0x56, 0xfb, 0, 0]);
    bus.int = true;
    for _ in 0..3 {
        cpu.step(&mut bus);
        assert_eq!(cpu.pending(), (cpu.pc() == 4).then_some(Interrupt::Int));
    }
    let before = cpu.now();
    cpu.step(&mut bus);
    assert_eq!((cpu.pc(), cpu.now() - before), (0x38, 13));
    assert_eq!(cpu.iff(), [false; 2]);
    assert_eq!(bus.memory.0[0xfffd..], [4, 0, 0][..]);
}

#[test]
fn an_int_right_after_ld_a_i_clears_what_it_told() {
    let parity = |wait: bool| {
        let mut bus = Lines::default();
        let mut cpu = Cpu::new();
        // ld a,i; nop
        bus.memory.0[..3].copy_from_slice(&[0xed, 0x57, 0]);
        cpu.set_interrupt_mode(1);
        cpu.set_iff([true; 2]);
        bus.int = !wait;
        cpu.step(&mut bus);
        assert_eq!(cpu.get(reg::F) & 4, 4);
        bus.int = true;
        if wait {
            cpu.step(&mut bus);
        }
        cpu.step(&mut bus);
        assert_eq!(cpu.pc(), 0x38);
        cpu.get(reg::F) & 4
    };
    assert_eq!((parity(false), parity(true)), (0, 4));
}

#[test]
fn mode_2_takes_the_address_from_the_table() {
    let mut bus = Lines::default();
    let mut cpu = Cpu::new();
    bus.memory.0[0x12ff..0x1301].copy_from_slice(&[0x34, 0x56]);
    cpu.set(reg::I, 0x12);
    cpu.set_interrupt_mode(2);
    cpu.set_iff([true; 2]);
    bus.int = true;
    cpu.step(&mut bus);
    cpu.step(&mut bus);
    assert_eq!((cpu.pc(), cpu.now()), (0x5634, 4 + 19));
}

#[test]
fn mode_0_runs_the_byte_on_the_bus() {
    let mut bus = Lines::default();
    let mut cpu = Cpu::new();
    cpu.set_iff([true; 2]);
    bus.int = true;
    cpu.step(&mut bus);
    cpu.step(&mut bus);
    // $FF, RST $38
    assert_eq!((cpu.pc(), cpu.now()), (0x38, 4 + 13));
}

#[test]
fn an_nmi_ends_a_halt_and_keeps_the_second_flip_flop() {
    let mut bus = Lines::default();
    let mut cpu = Cpu::new();
    // ei; halt
    bus.memory.0[..2].copy_from_slice(&[0xfb, 0x76]);
    // retn
    bus.memory.0[0x66..0x68].copy_from_slice(&[0xed, 0x45]);
    cpu.step(&mut bus);
    cpu.step(&mut bus);
    cpu.step(&mut bus);
    assert_eq!((cpu.pc(), cpu.now()), (2, 12));
    bus.nmi = true;
    cpu.step(&mut bus);
    cpu.step(&mut bus);
    assert_eq!((cpu.pc(), cpu.now()), (0x66, 16 + 11));
    assert_eq!(cpu.iff(), [false, true]);
    cpu.step(&mut bus);
    assert_eq!((cpu.pc(), cpu.iff()), (2, [true; 2]));
    assert!(!cpu.halted());
}

#[test]
fn the_bus_sees_refresh_and_time() {
    let mut bus = Lines::default();
    let mut cpu = Cpu::new();
    cpu.set_pc(0x100);
    cpu.set(reg::I, 0x1e);
    cpu.set_refresh(0xff);
    // out ($fd),a; out (c),b
    bus.memory.0[0x100..0x104].copy_from_slice(&[0xd3, 0xfd, 0xed, 0x41]);
    cpu.set(reg::A, 0x12);
    cpu.step(&mut bus);
    cpu.step(&mut bus);
    let fetched = [(0x100, 0x1eff, 0), (0x102, 0x1e80, 16), (0x103, 0x1e81, 20)];
    assert_eq!(bus.fetched, fetched);
    assert_eq!(bus.ports, [(0x12fd, 5 + 7), (0, 16 + 8)]);
    assert_eq!((cpu.now(), cpu.refresh()), (28, 0x82));
}

#[test]
fn registers_by_name() {
    let mut cpu = Cpu::new();
    assert!(cpu.set_register("hl'", 0x1234));
    assert!(cpu.set_register("ixl", 0x156));
    assert!(!cpu.set_register("xy", 0));
    assert_eq!(cpu.register("hl'"), Some(0x1234));
    assert_eq!(cpu.register("ix"), Some(0x56));
    assert!(cpu.registers().contains(&("hl'", 0x1234)));
}
