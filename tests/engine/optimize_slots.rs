//! Random programs in the Gigatron's native words, with slots, routines in other pages and
//! near, jumps through cells, into tables and by numbers, and code that nothing comes to: they
//! do the same, at the same clocks, before and after the optimizer.

use crate::common::random::Random;
use crate::optimize_random::{Trial, tell};
use scrimp::image::Image;
use scrimp::optimize::{Ledger, Options};
use scrimp::text::source::MemoryLoader;
use scrimp::{Job, Settings, assemble_with};
use scrimp_gigatron::sim::{Cpu, Memory, Ports};
use std::fmt::Write;

/// Clocks that a program runs.
const CLOCKS: u64 = 20_000;
/// Cells that programs compute with.
const DATA: std::ops::Range<u16> = 0x40..0x48;
/// A page of memory that they write through pointers.
const PAGE: u16 = 0x0800;
/// Random programs that are tried.
const COUNT: u64 = 40;
/// What is fetched where nothing stands.
const NOTHING: [u8; 2] = [2, 0];

/// What is seen of a program: each value of OUT with AC and the clock. Of memory is seen what a
/// program shows of it: addresses of code in it may be others.
type Seen = Vec<(u64, u8, u8)>;

#[derive(Default)]
struct Watch(Seen);

impl Ports for Watch {
    fn out(&mut self, clock: u64, _: u8, new: u8, ac: u8) {
        self.0.push((clock, new, ac));
    }

    fn input(&self) -> u8 {
        0xa5
    }
}

/// Runs a program.
pub fn run(image: &Image) -> Option<Seen> {
    let mut rom = NOTHING.repeat(0x1_0000);
    let end = rom.len() as u64;
    for c in image.chunks.iter().filter(|c| c.address < end) {
        let at = c.address as usize;
        rom[at..at + c.bytes.len()].copy_from_slice(&c.bytes);
    }
    let mut cpu = Cpu::new(&rom, Memory::K32).expect("a ROM");
    let mut watch = Watch::default();
    cpu.run(&mut watch, CLOCKS);
    Some(watch.0)
}

/// Builds a program.
pub fn build(text: &str, options: Option<Options>) -> (Image, Option<Ledger>) {
    let target = scrimp::targets::by_name("gigatron").expect("a target");
    let job = Job {
        file: "main.asm".into(),
        target,
        machine: target.machine("gigatron-32k"),
        dialect: "native".into(),
        defines: Vec::new(),
    };
    let settings = Settings {
        optimize: options,
        ..Settings::default()
    };
    let loader = MemoryLoader::default().with("main.asm", text.as_bytes());
    let out = assemble_with(&job, &settings, &loader);
    let found = crate::common::findings(&out);
    let image = out.image.unwrap_or_else(|| panic!("{found}\n{text}"));
    (image, out.ledger)
}

/// A program in the making.
struct Maker {
    random: Random,
    text: String,
    labels: usize,
    routine: usize,
    routines: usize,
}

impl Maker {
    fn line(&mut self, text: &str) {
        for part in text.split('/') {
            let _ = writeln!(self.text, "        {}", part.trim());
        }
    }

    fn label(&mut self, prefix: &str) -> String {
        self.labels += 1;
        format!("{prefix}{}", self.labels)
    }

    fn at(&mut self, label: &str) {
        let _ = writeln!(self.text, "{label}:");
    }

    fn cell(&mut self) -> u16 {
        DATA.start + self.random.below(8) as u16
    }

    /// A word that leaves X and Y, and goes on.
    fn word(&mut self) -> String {
        let (v, n) = (self.cell(), self.random.byte());
        let c = self
            .random
            .pick(&["ld", "adda", "suba", "xora", "anda", "ora"]);
        match self.random.below(12) {
            0 | 1 => format!("{c} {n}"),
            2..=4 => format!("{c} [{v}]"),
            5 | 6 => format!("st [{v}]"),
            7 => format!("st {n},[{n}]").replace(&format!("{n},[{n}]"), "$44,[$44]"),
            8 => "ld ac,out".to_owned(),
            9 => format!("ld {n},out"),
            10 => "nop".to_owned(),
            _ => "adda 1".to_owned(),
        }
    }

    fn plain(&mut self) {
        let text = self.word();
        self.line(&text);
    }

    fn some(&mut self, most: usize, depth: usize) {
        for _ in 0..1 + self.random.below(most) {
            match self.random.below(16) {
                0 | 1 if depth > 0 => self.branch(depth - 1),
                2 if depth > 0 => self.counted(depth - 1),
                3..=5 => self.call(),
                6 => self.memory(),
                7 => self.dead(),
                8 => self.over(),
                9 if self.random.one_in(4) => self.table(),
                _ => self.plain(),
            }
        }
    }

    /// Words that nothing comes to, behind a jump over them.
    fn over(&mut self) {
        let end = self.label("over");
        let slot = self.word();
        self.line(&format!("bra {end}/{slot}"));
        self.dead();
        self.at(&end);
    }

    /// Words to which control comes only if it falls into them.
    fn dead(&mut self) {
        if !self.random.one_in(3) {
            return self.plain();
        }
        let (end, own) = (self.label("end"), self.label("dead"));
        let slot = self.word();
        self.line(&format!("bra {end}/{slot}"));
        self.at(&own);
        for _ in 0..self.random.below(5) {
            self.plain();
        }
        if self.random.one_in(2) {
            let slot = self.word();
            self.line(&format!("bra {own}/{slot}"));
        }
        self.at(&end);
    }

    fn branch(&mut self, depth: usize) {
        let (end, other) = (self.label("end"), self.label("else"));
        let c = self
            .random
            .pick(&["beq", "bne", "blt", "bge", "bgt", "ble"]);
        let slot = self.word();
        self.line(&format!("{c} {other}/{slot}"));
        self.some(3, depth);
        let slot = self.word();
        self.line(&format!("bra {end}/{slot}"));
        if self.random.one_in(3) {
            self.plain();
        }
        self.at(&other);
        if self.random.one_in(2) {
            self.some(2, depth);
        }
        self.at(&end);
    }

    fn counted(&mut self, depth: usize) {
        let again = self.label("loop");
        let n = 1 + self.random.below(3);
        let cell = 0x60 + 4 * self.routine + depth;
        self.line(&format!("ld {n}/st [{cell}]"));
        self.at(&again);
        self.some(3, depth);
        self.line(&format!("ld [{cell}]/suba 1/st [{cell}]/bne {again}"));
        self.plain();
    }

    /// Memory of another page.
    fn memory(&mut self) {
        let (v, n) = (self.cell(), self.random.byte());
        let page = PAGE >> 8;
        match self.random.below(5) {
            0 => self.line(&format!("ld {page},y/st [y,{n}]")),
            4 => self.line(&format!("ld {page},y/ld [y,{n}]/ld ac,out")),
            1 => self.line(&format!("ld {page},y/ld [{v}],x/ld [y,x]")),
            2 => self.line(&format!("ld {page},y/ld {n},x/st [y,x++]/st [y,x++]")),
            _ => self.line(&format!("ld {page},y/ld [{v}],x/ld [{v}]/st [y,x]")),
        }
    }

    /// A jump to one of four words, which runs, and the one behind it.
    fn table(&mut self) {
        let (table, end) = (self.label("table"), self.label("end"));
        let v = self.cell();
        self.line(&format!(
            "ld [{v}]/anda 3/adda lo({table})/bra ac/bra {end}"
        ));
        self.at(&table);
        for _ in 0..4 {
            let n = self.random.byte();
            self.line(&format!("ld {n}"));
        }
        self.at(&end);
    }

    fn call(&mut self) {
        let more = self.routines - self.routine - 1;
        if more == 0 {
            return self.plain();
        }
        let n = self.routine + 1 + self.random.below(more);
        let back = self.label("back");
        match self.random.below(8) {
            // By numbers of where it is.
            0 if n == self.routines - 1 => {
                self.line(&format!(
                    "ld hi({back})/st [s{n}+1]/ld lo({back})/st [s{n}]"
                ));
                self.line("ld $20,y/jmp y,$10/nop");
            }
            // What is in a cell.
            1 => {
                self.line(&format!("ld hi({back})/st [s{n}+1]/ld lo(r{n})/st [p]"));
                self.line(&format!("ld hi(r{n})/st [p+1]/ld lo({back})/st [s{n}]"));
                self.line("ld [p+1],y/jmp y,[p]/nop");
            }
            // In the slot.
            2 => {
                self.line(&format!("ld hi({back})/st [s{n}+1]/ld lo({back})"));
                self.line(&format!("ld hi(r{n}),y/jmp y,r{n}/st [s{n}]"));
            }
            3 => {
                self.line(&format!("ld lo({back})/st [s{n}]/ld hi({back})"));
                self.line(&format!("ld hi(r{n}),y/jmp y,r{n}/st [s{n}+1]"));
                for _ in 0..self.random.below(3) {
                    self.plain();
                }
            }
            _ => {
                self.line(&format!(
                    "ld hi({back})/st [s{n}+1]/ld lo({back})/st [s{n}]"
                ));
                let slot = self.word();
                self.line(&format!("ld hi(r{n}),y/jmp y,r{n}/{slot}"));
                if self.random.one_in(3) {
                    self.plain();
                }
            }
        }
        self.at(&back);
    }

    fn routine(&mut self, n: usize) {
        self.routine = n;
        let last = n == self.routines - 1;
        let _ = match (last, self.random.below(3)) {
            (true, _) => writeln!(
                self.text,
                "        section code{n} in rom\n        org $2010"
            ),
            (_, 0) => writeln!(self.text, "        section code{n} in rom align=256"),
            _ => writeln!(self.text, "        section code{n} in rom within=256"),
        };
        self.at(&format!("r{n}"));
        let v = self.cell();
        self.line(&format!("ld [{v}]"));
        self.some(4, 2);
        let slot = self.word();
        self.line(&format!("ld [s{n}+1],y/jmp y,[s{n}]/{slot}"));
        if self.random.one_in(2) {
            let own = self.label("dead");
            self.at(&own);
            for _ in 0..self.random.below(4) {
                self.plain();
            }
            let slot = self.word();
            self.line(&format!("bra {own}/{slot}"));
        }
    }
}

/// A program by its number.
pub fn program(number: u64) -> String {
    let mut random = Random(number ^ 0x5107);
    let routines = 1 + random.below(6);
    let closed = !random.one_in(4);
    let mut m = Maker {
        random,
        text: String::new(),
        labels: 0,
        routine: 0,
        routines,
    };
    if closed {
        m.text.push_str("; scrimp: closed\n");
    }
    m.text
        .push_str("        machine gigatron-32k\n        section cells in zero\n");
    m.text.push_str("        org $10\np:      ds 2\n");
    for n in 0..routines {
        let _ = writeln!(m.text, "s{n}:     ds 2");
    }
    m.text
        .push_str("        section code0 in rom within=256\nstart:\n");
    for v in DATA {
        m.line(&format!("ld {}/st [{v}]", v & 7));
    }
    m.at("again");
    m.some(8, 2);
    if m.random.one_in(2) {
        DATA.for_each(|v| m.line(&format!("ld [{v}]/ld ac,out")));
    }
    m.line("ld [$40]/adda 1/st [$40]/bra again/ld ac,out");
    m.dead();
    m.line("bra again/nop");
    for n in 1..routines {
        m.routine(n);
    }
    m.text
}

/// Tries a program; what comes of it.
pub fn trial(seed: u64) -> Trial {
    let text = program(seed);
    tell((seed, &text), build, run)
}

#[test]
fn random_programs_with_slots_do_the_same() {
    let (saved, halted) = crate::optimize_random::tried(0..COUNT, trial);
    println!("{saved} bytes in {halted} programs");
    assert!(halted > 30 && saved > 800, "{saved} in {halted}");
}

#[test]
#[ignore = "slow"]
fn slow_many_random_programs_with_slots_do_the_same() {
    let (saved, halted) = crate::optimize_random::tried(10_000..11_000, trial);
    assert!(halted > 800 && saved > 20_000, "{saved} in {halted}");
}
