//! Random programs of the vCPU with routines in variables and tables, code that is read and
//! changed, far jumps and what is saved of return addresses: they do the same before and after
//! the optimizer.

use crate::common::random::Random;
use crate::optimize_random::{Trial, tell};
use scrimp::image::Image;
use scrimp::optimize::{Ledger, Options};
use scrimp::text::source::MemoryLoader;
use scrimp::{Job, Settings, assemble_with};
use scrimp_gigatron::sim::Memory;
use scrimp_gigatron::vcpu::Rom;
use scrimp_gigatron::vcpu::sim::Machine;
use std::fmt::Write;

/// Steps until a program must have halted.
const MOST_STEPS: usize = 300_000;
/// Variables that programs compute with.
const DATA: std::ops::Range<u16> = 0x40..0x50;
/// Memory that they write through pointers.
const MEMORY: std::ops::Range<u16> = 0x7000..0x7040;
/// Random programs that are tried.
const COUNT: u64 = 120;

/// What a program leaves behind it; nothing if it does not halt.
pub fn run(image: &Image) -> Option<Vec<u8>> {
    let mut m = Machine::new(Rom::V5a, Memory::K32);
    for c in &image.chunks {
        for (at, &b) in (c.address as u16..).zip(&c.bytes) {
            m.poke(at, b);
        }
    }
    let said = image.options.iter().find(|o| o.0 == "start");
    let said = said.and_then(|o| o.1.parse().ok());
    let start = image.symbol("start").map(|s| image.linear(s));
    let start = said.or(start).unwrap_or(0x200) as u16;
    m.set_pc(start);
    m.set_word(0x1a, start);
    for _ in 0..MOST_STEPS {
        if m.step().is_none() {
            // A fault is no end.
            m.fault().map_or(Some(()), |_| None)?;
            return Some(DATA.chain(MEMORY).map(|a| m.peek(a)).collect());
        }
    }
    None
}

pub fn build(text: &str, options: Option<Options>) -> (Image, Option<Ledger>) {
    build_in("native", text, options)
}

pub fn build_in(dialect: &str, text: &str, options: Option<Options>) -> (Image, Option<Ledger>) {
    let target = scrimp::targets::by_name("vcpu").expect("a target");
    let job = Job {
        file: "main.asm".into(),
        target,
        machine: target.machine("vcpu-v5a"),
        dialect: dialect.into(),
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
    /// Sequences that were made before.
    known: Vec<String>,
}

impl Maker {
    fn line(&mut self, text: &str) {
        let _ = writeln!(self.text, "        {text}");
    }

    fn label(&mut self, prefix: &str) -> String {
        self.labels += 1;
        format!("{prefix}{}", self.labels)
    }

    fn at(&mut self, label: &str) {
        let _ = writeln!(self.text, "{label}:");
    }

    fn variable(&mut self) -> u16 {
        DATA.start + 2 * self.random.below(5) as u16 + u16::from(self.random.one_in(8))
    }

    fn plain(&mut self) {
        let (v, w) = (self.variable(), self.variable());
        let n = match self.random.below(3) {
            0 => self.random.pick(&[0, 1, 255, 128]),
            _ => self.random.byte(),
        };
        let wide = match self.random.one_in(3) {
            true => u16::from(n),
            false => self.random.next() as u16 | 0x8000,
        };
        let text = match self.random.below(26) {
            0 => format!("ldi {n}"),
            1 => format!("ldwi {wide}"),
            2..=4 => format!("ldw {v}"),
            5..=8 => format!("stw {v}"),
            9 => format!("ld {v}"),
            10 => format!("st {v}"),
            11 => format!("addw {v}"),
            12 => format!("subw {v}"),
            13 => format!("andw {v}\n        orw {w}"),
            14 => format!("xorw {v}"),
            15 => format!("addi {n}"),
            16 => format!("subi {n}"),
            17 => format!("andi {n}"),
            18 => format!("ori {n}"),
            19 => format!("xori {n}"),
            20 => "lslw".to_owned(),
            21 => format!("inc {v}"),
            22 => format!("stw {v}\n        ldw {v}"),
            23 => format!("ld {v}\n        addi 1\n        st {v}"),
            24 => format!("ldw {v}\n        addw {v}"),
            _ => format!("stw {v}\n        ld {v}\n        andi 255"),
        };
        self.line(&text);
    }

    fn some(&mut self, most: usize, depth: usize) {
        for _ in 0..1 + self.random.below(most) {
            match self.random.below(20) {
                0 | 1 if depth > 0 => self.branch(depth - 1),
                2 if depth > 0 => self.counted(depth - 1),
                3 | 4 => self.call(),
                5 | 6 => self.memory(),
                7 => self.special(),
                8 => self.again(),
                9 if depth > 0 => self.repeated(),
                _ => self.plain(),
            }
        }
    }

    /// A sequence that will stand somewhere else too.
    fn repeated(&mut self) {
        let from = self.text.len();
        self.some(4, 0);
        let own = self.text[from..].to_owned();
        if !own.contains(':') {
            self.known.push(own);
        }
    }

    fn again(&mut self) {
        if self.known.is_empty() {
            return self.plain();
        }
        let n = self.random.below(self.known.len());
        let text = self.known[n].clone();
        self.text.push_str(&text);
    }

    fn condition(&mut self) -> &'static str {
        self.random
            .pick(&["beq", "bne", "blt", "bge", "bgt", "ble"])
    }

    fn branch(&mut self, depth: usize) {
        let (end, other) = (self.label("end"), self.label("else"));
        let c = self.condition();
        self.line(&format!("{c} {other}"));
        self.some(3, depth);
        self.line(&format!("bra {end}"));
        if self.random.one_in(4) {
            self.plain();
        }
        self.at(&other);
        if self.random.one_in(2) {
            self.some(2, depth);
        }
        if self.random.one_in(3) {
            let next = self.label("on");
            self.line(&format!("bra {next}"));
            self.at(&next);
        }
        self.at(&end);
    }

    fn counted(&mut self, depth: usize) {
        let again = self.label("loop");
        let n = 1 + self.random.below(3);
        // Each loop of a routine has a cell of its own.
        let cell = 0x60 + 4 * self.routine + depth;
        self.line(&format!("ldi {n}\n        st {cell}"));
        self.at(&again);
        self.some(4, depth);
        self.line(&format!("ld {cell}\n        subi 1\n        st {cell}"));
        self.line(&format!("bne {again}"));
    }

    /// One of the routines behind this one.
    fn other(&mut self) -> Option<usize> {
        let more = self.routines - self.routine - 1;
        (more > 0).then(|| self.routine + 1 + self.random.below(more))
    }

    fn call(&mut self) {
        let Some(n) = self.other() else {
            return self.plain();
        };
        match self.random.below(5) {
            0 | 1 => self.line(&format!("call f{n}")),
            2 => self.line(&format!("ldwi r{n}\n        call $18")),
            3 => self.line(&format!("calli r{n}")),
            _ => {
                self.line(&format!("ldwi table\n        addi {}\n        deek", 2 * n));
                self.line("stw t\n        call t");
            }
        }
    }

    fn memory(&mut self) {
        let at = usize::from(MEMORY.start) + self.random.below(48);
        self.line(&format!("ldwi {at}\n        stw p"));
        let v = self.variable();
        match self.random.below(4) {
            0 => self.line(&format!("ldw {v}\n        poke p")),
            1 => self.line(&format!("ldw {v}\n        doke p")),
            2 => self.line(&format!("ldw p\n        peek\n        stw {v}")),
            _ => {
                let twice = "poke p\n        inc p\n        poke p";
                self.line(&format!("ldw {v}\n        {twice}"));
            }
        }
    }

    /// What stands in the way of changes.
    fn special(&mut self) {
        let (a, b) = (self.label("x"), self.label("y"));
        let (v, n) = (self.variable(), self.random.byte());
        match self.random.below(10) {
            // An operand is changed.
            0 if self.random.one_in(3) => {
                self.line(&format!("ldwi {a}+1\n        stw p\n        ldi {n}"));
                self.line(&format!("poke p\n        ldw {v}"));
                self.at(&a);
                self.line(&format!("ldi 0\n        stw {v}"));
            }
            // Code is read.
            1 if self.random.one_in(3) => {
                self.line(&format!("ldwi {a}\n        stw p\n        ldw p"));
                self.line(&format!("peek\n        stw {v}"));
                self.at(&a);
                self.plain();
            }
            // Data behind what knows its own address.
            2 => {
                self.line(&format!("def {a}\n        db {n}, 1, 2"));
                self.at(&a);
                self.line(&format!(
                    "stw p\n        ldw p\n        peek\n        stw {v}"
                ));
            }
            // A routine there.
            3 => {
                self.line(&format!("def {a}\n        ldw {v}"));
                self.plain();
                self.line("ret");
                self.at(&a);
                self.line("stw g\n        call g");
            }
            4 => {
                self.line(&format!("jmp {a}"));
                self.plain();
                self.at(&a);
                self.line(&format!("ldw {v}"));
            }
            5 => {
                self.line(&format!("jump {a}"));
                self.at(&a);
                self.line(&format!("ldw {v}"));
            }
            // By the counter itself.
            6 => {
                self.line(&format!("ldwi {a}-2\n        stw $16"));
                self.at(&a);
                self.line(&format!("ldw {v}"));
            }
            7 => {
                self.line(&format!("ldwi $0600\n        stw $22\n        ldw {v}"));
                self.line(&format!("sys 48\n        stw {v}"));
            }
            8 => {
                self.line(&format!("alloc -2\n        ldw {v}\n        stlw 0"));
                self.plain();
                self.line(&format!("ldlw 0\n        stw {v}\n        alloc 2"));
            }
            // A branch over another.
            _ => {
                let c = self.condition();
                self.line(&format!("{c} {a}\n        bra {b}"));
                self.at(&a);
                self.plain();
                self.at(&b);
            }
        }
    }

    fn routine(&mut self, n: usize) {
        self.routine = n;
        let _ = writeln!(self.text, "        section code{n} in ram within=256");
        self.at(&format!("r{n}"));
        let how = self.random.below(4);
        match how {
            0 => self.line(&format!("ldw $1a\n        stw s{n}")),
            _ => self.line("push"),
        }
        // What is left of an address is no number.
        let v = self.variable();
        self.line(&format!("ldw {v}"));
        self.some(6, 2);
        match (how, self.random.one_in(2)) {
            (0, true) => self.line(&format!(
                "ldw s{n}\n        stw $1a\n        ldw {v}\n        ret"
            )),
            (0, false) => self.line(&format!("call s{n}")),
            (..) => self.line("pop\n        ret"),
        }
    }
}

/// A program by its number.
pub fn program(number: u64) -> String {
    let mut random = Random(number);
    let routines = 1 + random.below(5);
    let mut m = Maker {
        random,
        text: String::new(),
        labels: 0,
        routine: 0,
        routines,
        known: Vec::new(),
    };
    m.text.push_str("        section names in zero2\n");
    m.text
        .push_str("p:      ds 2\nt:      ds 2\ng:      ds 2\n");
    for n in 0..routines {
        let _ = writeln!(m.text, "f{n}:     ds 2\ns{n}:     ds 2");
    }
    m.text
        .push_str("        section code0 in ram within=256\nstart:\n");
    for n in 1..routines {
        m.line(&format!("ldwi r{n}\n        stw f{n}"));
    }
    m.line("ldi 7");
    m.some(10, 2);
    m.line("halt");
    for n in 1..routines {
        m.routine(n);
    }
    m.text
        .push_str("        section tables in ram within=256\ntable:\n");
    for n in 0..routines {
        m.line(&match n {
            0 => "dw start".to_owned(),
            n => format!("dw r{n}"),
        });
    }
    m.text
}

/// Tries a program; what comes of it.
pub fn trial(seed: u64) -> Trial {
    let text = program(seed);
    tell((seed, &text), build, run)
}

#[test]
fn random_programs_of_the_vcpu_do_the_same() {
    let (saved, halted) = crate::optimize_random::tried(0..COUNT, trial);
    println!("{saved} bytes in {halted} programs");
    assert!(halted > 100 && saved > 500, "{saved} in {halted}");
}

#[test]
#[ignore = "slow"]
fn slow_many_random_programs_of_the_vcpu_do_the_same() {
    let (saved, halted) = crate::optimize_random::tried(10_000..12_000, trial);
    assert!(halted > 1500 && saved > 5000, "{saved} in {halted}");
}
