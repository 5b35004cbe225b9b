//! Programs written to break an optimizer: each does the same before and after it. What one
//! sends and its variables are compared, from several memories and with several inputs.

use crate::common::random::mix;
use scrimp::image::Image;
use scrimp::optimize::{Ledger, Options};
use scrimp::text::source::MemoryLoader;
use scrimp::{Job, Settings, assemble_with};
use scrimp_avr::devices;
use scrimp_avr::sim::{Chip, Io, Request};
use scrimp_isa::machine::Stop;
use scrimp_z80::sim::{Bus, Clock, Cpu};

/// Instructions, or clocks, until a program must be at its end.
const MOST: u64 = 3_000_000;
/// Memories from which each begins.
pub const MEMORIES: u64 = 4;
/// Where a program says that it halts for the last time.
const LAST: usize = 0xc0ef;

/// What a program sent, by port, and its variables at the end.
pub type Deeds = (Vec<(u16, u8)>, Vec<u8>);

/// A program of the texts.
#[derive(Clone)]
pub struct Nasty {
    pub name: &'static str,
    pub dialect: &'static str,
    pub options: Vec<&'static str>,
    /// Its source, in which `%` stands for instructions that become fewer.
    pub text: String,
    /// So many clocks more between interrupts.
    pub later: u64,
}

impl Nasty {
    fn option(&self, name: &str) -> Option<u64> {
        let mut all = self.options.iter().filter_map(|o| o.split_once('='));
        all.find(|o| o.0 == name)?.1.parse().ok()
    }

    /// With `more` for `%`, and a number for `#` in it.
    pub fn filled(&self, more: &str) -> Self {
        let mut text = String::new();
        for (n, line) in self.text.lines().enumerate() {
            match line {
                "%" | " %" => text.push_str(&more.replace('#', &n.to_string())),
                line => text.push_str(&format!("{line}\n")),
            }
        }
        let mut filled = self.clone();
        filled.text = text;
        filled
    }
}

/// What stands for `%` on each target.
pub const Z80_MORE: &str = " push af\n ld a,1\n ld a,2\n ld (0xc0f0),a\n jp more#\nmore#: pop af\n";
pub const AVR_MORE: &str =
    " push r16\n ldi r16,1\n ldi r16,2\n sts 0x1f0,r16\n jmp more#\nmore#: pop r16\n";

/// The programs of a text.
pub fn programs(text: &'static str) -> Vec<Nasty> {
    let all = text.split("=== ").skip(1).map(|part| {
        let (head, body) = part.split_once('\n').expect("a program");
        let mut words = head.split_whitespace();
        Nasty {
            name: words.next().expect("a name"),
            dialect: words.next().expect("a dialect"),
            options: words.collect(),
            text: body.to_owned(),
            later: 0,
        }
    });
    all.collect()
}

/// Those of the Z80.
pub fn z80_programs() -> Vec<Nasty> {
    programs(include_str!("nasty/z80.txt"))
}

/// Those of an AVR.
pub fn avr_programs() -> Vec<Nasty> {
    programs(include_str!("nasty/avr.txt"))
}

/// What assembling comes to.
pub fn assembled(p: &Nasty, target: &str, options: Option<Options>) -> scrimp::Output {
    let target = scrimp::targets::by_name(target).expect("a target");
    let job = Job {
        file: "main.asm".into(),
        target,
        machine: target.machine("atmega328p"),
        dialect: p.dialect.into(),
        defines: Vec::new(),
    };
    let settings = Settings {
        optimize: options,
        ..Settings::default()
    };
    let loader = MemoryLoader::default().with("main.asm", p.text.as_bytes());
    assemble_with(&job, &settings, &loader)
}

fn build(p: &Nasty, target: &str, options: Option<Options>) -> (Image, Option<Ledger>) {
    let out = assembled(p, target, options);
    let found = crate::common::findings(&out);
    let image = out
        .image
        .unwrap_or_else(|| panic!("{}: {found}\n{}", p.name, p.text));
    (image, out.ledger)
}

/// What ports and memory hold: other numbers each time.
fn number(memory: u64, at: u64) -> u8 {
    (mix(memory << 40 ^ at) >> 7) as u8
}

struct Machine {
    memory: Box<[u8; 0x10000]>,
    sent: Vec<(u16, u8)>,
    every: u64,
    next: u64,
    asked: u64,
    number: u64,
}

impl Bus for Machine {
    fn read(&mut self, address: u16, _: &mut Clock) -> u8 {
        self.memory[usize::from(address)]
    }
    fn write(&mut self, address: u16, value: u8, _: &mut Clock) {
        self.memory[usize::from(address)] = value;
    }
    fn output(&mut self, port: u16, value: u8, _: &mut Clock) {
        self.sent.push((port & 0xff, value));
    }
    fn input(&mut self, port: u16, _: &mut Clock) -> u8 {
        self.asked += 1;
        number(self.number, self.asked << 16 | u64::from(port & 0xff))
    }
    fn int(&mut self, _: u8, clock: &mut Clock) -> bool {
        let now = clock.now() >= self.next;
        if now {
            self.next = clock.now() + self.every;
        }
        now
    }
}

/// What it does, if it comes to an end.
pub fn run_z80(p: &Nasty, image: &Image, memory: u64) -> Option<Deeds> {
    let every = p.option("int").map(|e| e + p.later);
    let mut m = Machine {
        memory: Box::new([0; 0x10000]),
        sent: Vec::new(),
        every: every.unwrap_or(0),
        next: every.unwrap_or(u64::MAX),
        asked: 0,
        number: memory,
    };
    for at in 0xc000..0xc040 {
        m.memory[at] = number(memory, at as u64);
    }
    for c in &image.chunks {
        let at = c.address as usize;
        m.memory[at..at + c.bytes.len()].copy_from_slice(&c.bytes);
    }
    let own = |at: u16| {
        let mut chunks = image.chunks.iter();
        let inside = |a: u64, len: usize| (a..a + len as u64).contains(&at.into());
        at >= 0xc000 || chunks.any(|c| inside(c.address, c.bytes.len()))
    };
    let mut cpu = Cpu::new();
    cpu.set_pc(0x8000);
    for pair in [0u8, 2, 4] {
        // Nothing stands where these lead.
        cpu.set_pair(
            pair,
            0x1010 + (mix(memory << 8 | u64::from(pair)) as u16 & 0x6fff),
        );
    }
    for _ in 0..MOST {
        let last = p.option("halt").is_none() || m.memory[LAST] == 0xaa;
        if cpu.halted() && last {
            return Some((m.sent, m.memory[0xc000..=LAST].to_vec()));
        }
        // What goes on where nothing was assembled has no end, whatever it does there.
        if !own(cpu.pc()) {
            return None;
        }
        cpu.step(&mut m);
    }
    None
}

/// Registers that keep what is written and inputs that do not, what was written, interrupts.
struct Around {
    registers: [u8; 0x100],
    sent: Vec<(u16, u8)>,
    every: u64,
    next: u64,
    pending: bool,
    asked: u64,
    number: u64,
}

impl Io for Around {
    fn read(&mut self, address: u16, _: &mut scrimp_avr::sim::Clock) -> u8 {
        self.asked += 1;
        match address {
            0x23..0x3f | 0x43..0x60 => number(self.number, self.asked << 16 | u64::from(address)),
            _ => self.registers[usize::from(address & 0xff)],
        }
    }
    fn write(&mut self, address: u16, value: u8, _: &mut scrimp_avr::sim::Clock) {
        self.registers[usize::from(address & 0xff)] = value;
        self.sent.push((address, value));
    }
    fn next_event(&self) -> u64 {
        self.next
    }
    fn event(&mut self, now: u64) {
        self.next = now + self.every;
        self.pending = true;
    }
    fn interrupt(&self) -> Option<Request> {
        let request = Request {
            vector: 1,
            address: 2,
        };
        self.pending.then_some(request)
    }
    fn acknowledge(&mut self, _: u8, _: u64) {
        self.pending = false;
    }
    fn sleep(&mut self, _: u64) -> bool {
        self.next = u64::MAX;
        self.pending = false;
        true
    }
}

/// What it does, if it comes to an end.
pub fn run_avr(p: &Nasty, image: &Image, memory: u64) -> Option<Deeds> {
    let device = devices::find("atmega328p").expect("a device");
    let mut cpu = scrimp_avr::sim::Cpu::new(Chip::of(device), &image.binary(0xff));
    let every = p.option("int").map(|e| e + p.later);
    let mut around = Around {
        registers: [0; 0x100],
        sent: Vec::new(),
        every: every.unwrap_or(0),
        next: every.unwrap_or(u64::MAX),
        pending: false,
        asked: 0,
        number: memory,
    };
    for r in 0..32 {
        cpu.set_register(r, 0xc0 | number(memory, 1 << 30 | u64::from(r)));
    }
    for at in 0x1f0..0x8c0 {
        cpu.set_data(at, 0x80 | number(memory, 1 << 31 | u64::from(at)));
    }
    match cpu.run(&mut around, MOST) {
        Stop::Halted => Some((around.sent, (0x100..0x1f0).map(|a| cpu.data(a)).collect())),
        _ => None,
    }
}

pub type Run = fn(&Nasty, &Image, u64) -> Option<Deeds>;

fn same(list: &[Nasty], target: &str, run: Run) {
    let mut wrong = Vec::new();
    let mut saved = 0;
    for p in list {
        let all = |image: &Image| (0..MEMORIES).map(|n| run(p, image, n)).collect::<Vec<_>>();
        let wanted = all(&build(p, target, None).0);
        assert!(wanted.iter().all(Option::is_some), "{} has no end", p.name);
        let (after, ledger) = build(p, target, Some(Options::default()));
        let ledger = ledger.expect("it was asked");
        assert_eq!(ledger.claimed(), ledger.saved(), "{}", p.name);
        saved += ledger.saved();
        if all(&after) != wanted {
            wrong.push(format!("{}\n{}", p.name, ledger.to_text()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    println!("{} programs, {saved} bytes saved", list.len());
    assert!(2 * saved > 3 * list.len() as i64, "{saved} bytes saved");
}

#[test]
fn nasty_programs_of_the_z80_do_what_they_did() {
    let list: Vec<Nasty> = z80_programs().iter().map(|p| p.filled(Z80_MORE)).collect();
    same(&list, "z80", run_z80);
}

#[test]
fn nasty_programs_of_the_avr_do_what_they_did() {
    let list: Vec<Nasty> = avr_programs().iter().map(|p| p.filled(AVR_MORE)).collect();
    same(&list, "avr", run_avr);
}
