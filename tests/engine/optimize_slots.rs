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
/// Routines that call no other.
const LEAVES: usize = 3;
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
                10 => self.twins(),
                11 | 12 => self.leaf(),
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

    /// Two ways that do the same, or nearly.
    fn twins(&mut self) {
        let [a, b, end] = ["a", "b", "end"].map(|l| self.label(l));
        let c = self.random.pick(&["beq", "bge"]);
        self.line(&format!("{c} {a}/nop/bra {b}/nop"));
        let words = [self.word(), self.word(), self.word()];
        for (label, other) in [(&a, false), (&b, self.random.one_in(4))] {
            self.at(label);
            let mut all = words.clone();
            if other {
                let n = self.random.below(3);
                all[n] = self.word();
            }
            self.line(&format!("{}/{}/bra {end}/{}", all[0], all[1], all[2]));
        }
        self.at(&end);
    }

    /// A call of a routine that calls no other; of some there are two.
    fn leaf(&mut self) {
        let back = self.label("back");
        let n = self.random.below(2 * LEAVES);
        let slot = self.word();
        self.line(&format!("ld hi({back})/st [q+1]/ld lo({back})/st [q]"));
        self.line(&format!("ld hi(q{n}),y/jmp y,q{n}/{slot}"));
        self.at(&back);
    }

    /// Routines that call no other, each twice.
    fn leaves(&mut self) {
        for n in 0..LEAVES {
            let mut body = String::new();
            std::mem::swap(&mut body, &mut self.text);
            self.some_plain();
            std::mem::swap(&mut body, &mut self.text);
            for twin in 0..2 {
                if twin == 0 || self.random.one_in(2) {
                    let own = 2 * n + twin;
                    let _ = writeln!(self.text, "        section leaf{own} in rom within=256");
                }
                self.at(&format!("q{}", 2 * n + twin));
                self.text.push_str(&body);
                if twin == 1 && self.random.one_in(4) {
                    self.plain();
                }
                self.line("ld [q+1],y/jmp y,[q]/nop");
            }
        }
    }

    fn some_plain(&mut self) {
        for _ in 0..1 + self.random.below(5) {
            self.plain();
        }
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
    m.text
        .push_str("        org $10\np:      ds 2\nq:      ds 2\n");
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
    m.leaves();
    m.text
}

/// A program in the words of `text`, with `/` between lines and `@` before labels.
fn lines(text: &str) -> String {
    let text = text.replace('/', "\n        ").replace('@', "\n");
    format!("; scrimp: closed\n        machine gigatron-32k\n        {text}\n")
}

/// What is saved of a program, which does the same, and the ledger.
fn saves(text: &str) -> (i64, Ledger) {
    let text = lines(text);
    let (before, _) = build(&text, None);
    let (after, ledger) = build(&text, Some(Options::default()));
    let ledger = ledger.expect("it was asked");
    assert_eq!(run(&before), run(&after), "{text}\n{}", ledger.to_text());
    assert_eq!(ledger.claimed(), ledger.saved());
    (ledger.saved(), ledger)
}

#[test]
fn promises_of_clocks_hold_behind_it() {
    // Each line is proven, and what nothing comes to is gone.
    let (saved, _) = saves(
        "section main in rom within=256/lines 20/clock 0, rebase@start:  ld 0,out/nop/nop/\
         ld $40,out/bra on/nop/ld 1/ld 2@on:     nop/nop/nop/nop/nop/nop/nop/nop/nop/nop/\
         nop/nop/bra start/nop",
    );
    assert_eq!(saved, 4);
    // What is promised of is come to.
    let (saved, _) = saves(
        "section main in rom within=256@start:  bra start/nop/clock 0, rebase@other:  ld 1/ld 2/\
         bra other/nop",
    );
    assert_eq!(saved, 0);
}

#[test]
fn parts_are_packed_anew() {
    let text = "section main in rom@start:  ld hi(last),y/jmp y,last/nop/\
        section one in rom within=256@one:    repeat 200/ld 1/endr/bra one/nop/\
        section two in rom within=256@two:    repeat 100/ld 2/endr/bra two/nop/\
        section last in rom within=256@last:   repeat 90/ld [$40]/endr/ld 0,y/jmp y,0/ld ac,out";
    let (saved, _) = saves(text);
    assert_eq!(saved, 2 * (202 + 102));
    let (after, _) = build(&lines(text), Some(Options::default()));
    let ends = after.chunks.iter().filter(|c| !c.bytes.is_empty());
    let end = ends.map(|c| c.address + c.bytes.len() as u64).max();
    assert_eq!(
        end,
        Some(2 * (3 + 93)),
        "the last part comes behind the first"
    );
}

#[test]
fn one_of_two_equal_sequences_goes() {
    let two = |second: &str| {
        format!(
            "section main in rom/org 0@start:  ld [$40]/beq a/nop/bra b/nop@a:      ld 5/st [$41]/\
             bra start/ld ac,out@b:      {second}"
        )
    };
    let (saved, _) = saves(&two("ld 5/st [$41]/bra start/ld ac,out"));
    assert_eq!(saved, 8);
    for other in [
        "ld 5/st [$41]/bra start/ld 1,out",
        "ld 5/st [$41]/bra a/ld ac,out",
        "ld 5/st [$41]/nop/bra start/ld ac,out",
    ] {
        assert_eq!(saves(&two(other)).0, 0, "{other}");
    }
    // In another page only a far jump goes to it.
    let far = "section main in rom/org 0@start:  ld [$40]/beq a/nop/ld hi(b),y/jmp y,b/nop@a:      ld 5/\
        ld 0,y/jmp y,0/ld ac,out/org $100@b:      ld 5/ld 0,y/jmp y,0/ld ac,out";
    assert_eq!(saves(far).0, 8);
    let near = far
        .replace(
            "org $100@b",
            "org $100@c:      beq b/nop/ld 0,y/jmp y,0/nop@b",
        )
        .replace("ld hi(b),y/jmp y,b", "ld hi(c),y/jmp y,c");
    let (saved, ledger) = saves(&near);
    // The branch is led to the second, or stays: never into another page.
    assert_eq!(saved, 0, "{}", ledger.to_text());
}

#[test]
fn what_is_left_alone_is_told() {
    let dead = "bra start/nop/ld 1/ld 2";
    let main = |text: &str| format!("section main in rom/org 0@start:  {text}");
    let (saved, _) = saves(&main(dead));
    assert_eq!(saved, 4);
    let left = |text: &str, reason: &str| {
        let (saved, ledger) = saves(&main(text));
        let found = ledger.left.iter().any(|l| l.reason.contains(reason));
        assert_eq!((saved, found), (0, true), "{}", ledger.to_text());
    };
    left(
        "ld [$40]/anda 3/bra ac/nop/bra start/nop/ld 1/ld 2",
        "computes its way into this page",
    );
    left(
        "ld [$40]/beq on/nop/bra start/nop/ld 1/ld 2@on:     ld [$41],y/jmp y,$20/nop",
        "nobody knows",
    );
    left("bra start/nop/ld 1 ; no-opt/ld 2 ; no-opt", "asks");
    let (_, ledger) = build(
        "        machine gigatron-32k\n        section cells in zero\nleft:   ds 1\nback:   ds 1\n        \
         slices left, back, late, 40\n        section main in rom within=256\nstart:  ld 0\n        \
         bra start\n        nop\nlate:   bra late\n        nop\n",
        Some(Options::default()),
    );
    let ledger = ledger.expect("it was asked");
    assert!(
        ledger.given_up.contains("blocks of time"),
        "{}",
        ledger.to_text()
    );
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
    let (saved, halted) = crate::optimize_random::tried(10_007..10_057, trial);
    assert!(halted > 40 && saved > 1_000, "{saved} in {halted}");
}
